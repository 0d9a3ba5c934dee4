#include "cores/uarch/critical_path.h"

#include <stdio.h>

#include "cores/isa/insn.h"

static const struct {
	const char *name;
	bool is_front_end;
} causes[PATH_QUEUE] = {
#define PATH_CAUSE(suffix, name, is_front_end, help) [PATH_##suffix] = {name, is_front_end},
#include "cores/uarch/path_cause_list.h"
#undef PATH_CAUSE
};

const char *path_cause_name(const struct core_timing *t, unsigned cause, char name[PATH_CAUSE_NAME_BYTES])
{
	if (cause < PATH_QUEUE)
		snprintf(name, PATH_CAUSE_NAME_BYTES, "%s", causes[cause].name);
	else if (cause < PATH_ISSUE)
		snprintf(name, PATH_CAUSE_NAME_BYTES, "queue-%s", t->queues[cause - PATH_QUEUE].name);
	else if (cause == PATH_ISSUE && t->kind == CORE_IN_ORDER)
		snprintf(name, PATH_CAUSE_NAME_BYTES, "issue");
	else if (cause < PATH_UNITS)
		snprintf(name, PATH_CAUSE_NAME_BYTES, "issue-%s", t->queues[cause - PATH_ISSUE].name);
	else if (cause < PATH_LATENCY)
		snprintf(name, PATH_CAUSE_NAME_BYTES, "units-%s", t->groups[cause - PATH_UNITS].name);
	else
		snprintf(name, PATH_CAUSE_NAME_BYTES, "latency-%s",
			 insn_class_name((enum insn_class)(cause - PATH_LATENCY)));
	return name;
}

bool path_cause_is_there(const struct core_timing *t, unsigned cause)
{
	unsigned nr_queues = t->kind == CORE_OUT_OF_ORDER ? t->nr_queues : 0;
	if (cause >= PATH_QUEUE && cause < PATH_ISSUE)
		return cause - PATH_QUEUE < nr_queues;
	if (cause >= PATH_ISSUE && cause < PATH_UNITS)
		return cause - PATH_ISSUE < (t->kind == CORE_IN_ORDER ? 1 : nr_queues);
	if (cause >= PATH_UNITS && cause < PATH_LATENCY)
		return cause - PATH_UNITS < t->nr_groups;
	/* A load waits for its data, whose causes say where they were. */
	return cause != PATH_LATENCY + INSN_LOAD;
}

bool path_cause_is_front_end(unsigned cause)
{
	return cause < PATH_QUEUE && causes[cause].is_front_end;
}

uint64_t path_front_end(const struct path_counts *p)
{
	uint64_t cycles = 0;
	for (unsigned i = 0; i < NR_PATH_CAUSES; i++)
		cycles += path_cause_is_front_end(i) ? p->cycles[i] : 0;
	return cycles;
}
