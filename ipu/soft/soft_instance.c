/* Instances of modules, and the rules for their packets. */
#include "ipu/soft/soft_internal.h"

const char *const soft_fault_texts[NR_SOFT_FAULTS] = {
#define FAULT(symbol, text) text,
	SOFT_FAULTS(FAULT)
#undef FAULT
};

static enum soft_fault fault_of(const struct soft_instance *i, uint64_t cycle, uint32_t nr_bytes)
{
	if (!i->is_in_step)
		return SOFT_FAULT_OUTSIDE_STEP;
	if (cycle > i->cycle)
		return SOFT_FAULT_LATE;
	if (cycle < i->sent_cycle)
		return SOFT_FAULT_EARLY;
	return nr_bytes > i->module->packet_bytes ? SOFT_FAULT_LARGE : SOFT_FAULT_NONE;
}

static void emit(void *ctx, uint64_t cycle, const void *bytes, uint32_t nr_bytes)
{
	struct soft_instance *i = ctx;
	enum soft_fault fault = fault_of(i, cycle, nr_bytes);
	i->sent_cycle = cycle;
	i->deliver(i->ctx, fault, cycle, bytes, fault == SOFT_FAULT_NONE ? nr_bytes : 0);
}

bool soft_instance_make(struct soft_instance *i, const struct soft_module *m)
{
	i->module = m;
	i->outside = (struct soft_outside){i, emit};
	i->state = m->make(&i->outside);
	return i->state;
}
