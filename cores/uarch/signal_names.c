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

uint64_t signals_lacked(const struct core_timing *t)
{
	const uint64_t order = UINT64_C(1) << SIGNAL_FLUSH_ORDER, fence = UINT64_C(1) << SIGNAL_FLUSH_FENCE;
	const uint64_t interlocks = UINT64_C(1) << SIGNAL_INTERLOCK_LOAD | UINT64_C(1) << SIGNAL_INTERLOCK_ADDRESS |
				    UINT64_C(1) << SIGNAL_INTERLOCK_LONG | UINT64_C(1) << SIGNAL_INTERLOCK_CSR |
				    UINT64_C(1) << SIGNAL_INTERLOCK_MULTIPLY | UINT64_C(1) << SIGNAL_INTERLOCK_FP;
	uint64_t lacked = t->kind == CORE_IN_ORDER ? order : interlocks;
	if (t->memory_order != ORDER_SPECULATIVE)
		lacked |= order;
	return t->fence_flushes ? lacked : lacked | fence;
}
