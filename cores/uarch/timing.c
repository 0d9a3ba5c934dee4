#include "cores/uarch/timing.h"

#include <stdlib.h>

#include "cores/uarch/timing_internal.h"

const char *stall_name(enum stall stall)
{
	static const char *const names[NR_STALLS] = {
#define STALL(suffix, name, help) [STALL_##suffix] = name,
#include "cores/uarch/stall_list.h"
#undef STALL
	};
	return names[stall];
}

struct timing *timing_new(const struct core_timing *t)
{
	struct timing *m = calloc(1, sizeof(*m));
	if (!m)
		return NULL;
	m->t = *t;
	m->int_rename = t->int_registers > 0 ? t->int_registers - ARCHITECTURAL_REGISTERS : 0;
	m->fp_rename = t->fp_registers > 0 ? t->fp_registers - ARCHITECTURAL_REGISTERS : 0;
	if (t->kind == CORE_IN_ORDER)
		return m;
	issue_calendar_init(&m->calendar, t);
	for (unsigned i = 0; i < NR_INSN_CLASSES; i++)
		m->demand[i] = issue_demand_of(t, t->group[i]);
	m->unpipelined = calloc(t->nr_groups, sizeof(*m->unpipelined));
	if (!m->unpipelined) {
		free(m);
		return NULL;
	}
	return m;
}

void timing_free(struct timing *m)
{
	if (!m)
		return;
	free(m->unpipelined);
	free(m);
}

void timing_batch(struct timing *m, const struct uop_batch *batch, struct uop_stamps *stamps)
{
	if (m->t.kind == CORE_IN_ORDER)
		timing_in_order(m, batch, stamps);
	else
		timing_out_of_order(m, batch, stamps);
	m->sum.uops += batch->nr;
	m->sum.instructions += batch->nr_instructions;
}

uint64_t timing_cycles(const struct timing *m)
{
	return m->sum.uops > 0 ? m->commit.cycle + 1 : 0;
}

void timing_result(const struct timing *m, struct timing_result *out)
{
	*out = m->sum;
	out->cycles = timing_cycles(m);
	out->mshrs_held = m->miss.held;
	uint64_t counted = out->busy_cycles;
	for (unsigned i = 0; i < NR_STALLS; i++)
		counted += out->stalls[i];
	out->stalls[STALL_END] = out->cycles - counted;
}
