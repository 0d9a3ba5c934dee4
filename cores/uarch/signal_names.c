#include "cores/uarch/core_signals.h"

static const struct {
	const char *name, *help;
	enum signal_width width;
} rows[NR_SIGNALS] = {
#define SIGNAL(suffix, name, width, help) [SIGNAL_##suffix] = {name, help, SIGNAL_##width},
#include "cores/uarch/signal_list.h"
#undef SIGNAL
};

const char *signal_name(enum signal signal)
{
	return rows[signal].name;
}

const char *signal_help(enum signal signal)
{
	return rows[signal].help;
}

enum signal_width signal_width(enum signal signal)
{
	return rows[signal].width;
}

/* Ports that issue: of all queues together. */
static unsigned nr_ports(const struct core_timing *t)
{
	unsigned nr = 0;
	for (unsigned i = 0; i < t->nr_queues; i++)
		nr += t->queues[i].issue;
	return nr < MAX_SIGNAL_LANES ? nr : MAX_SIGNAL_LANES;
}

unsigned signal_nr_lanes(const struct core_timing *t, enum signal signal)
{
	bool is_in_order = t->kind == CORE_IN_ORDER;
	switch (rows[signal].width) {
	case SIGNAL_COMMIT:
		return t->commit_width;
	case SIGNAL_ISSUE:
		return is_in_order ? t->issue_width : nr_ports(t);
	case SIGNAL_DISPATCH:
		return is_in_order ? t->issue_width : t->dispatch_width;
	case SIGNAL_ONE:
		break;
	}
	return 1;
}
