#include "sim/engine/fetch_probe.h"

#include <stdlib.h>
#include <string.h>

#include "ipu/unit/time_limit.h"

enum sahm_status fetch_wire(const struct abi *abi, struct fetch_wiring *w, struct sahm_err *err)
{
	bool has_pc = false;
	*w = (struct fetch_wiring){.has_latency = false};
	for (unsigned i = 0; i < abi->nr_signals; i++) {
		const struct abi_signal *s = &abi->signals[i];
		bool is_pc = strcmp(s->name, "fetch_pc") == 0, is_latency = strcmp(s->name, "fetch_latency") == 0;
		if (!is_pc && !is_latency)
			return sahm_fail(err, SAHM_CONFIG,
					 "%s: a front end has no signal '%.60s', but 'fetch_pc' and 'fetch_latency'",
					 abi->file, s->name);
		if (s->is_level || s->rate != 0)
			return sahm_fail(err, SAHM_CONFIG, "%s: '%s' must have rate = 0, and be no level", abi->file,
					 s->name);
		if (is_pc) {
			w->pc = (uint8_t)s->reg;
			w->pc_mask = UINT64_MAX >> (64 - s->bits);
			has_pc = true;
		} else {
			w->latency = (uint8_t)s->reg;
			w->has_latency = true;
		}
	}
	return has_pc ? SAHM_OK : sahm_fail(err, SAHM_CONFIG, "%s: there is no signal 'fetch_pc'", abi->file);
}

struct fetch_probe {
	struct fetch_wiring wiring;
	struct core_ipu *ipus;	 /* [nr] */
	struct ipu_unit **units; /* [nr] */
	unsigned nr;
	uint8_t line_shift;
	uint64_t latencies[NR_MEMORY_LEVELS]; /* in soft cycles */
	uint64_t before;		      /* HIT cycles that are none of the core's */
	uint64_t cycle, last_cycle;	      /* of the HIT: the latest, and the last that all IPUs can see */
	uint64_t times[BATCH_UOPS];
	uint64_t line; /* that was fetched last */
	uint64_t nr_sets;
	uint64_t values[NR_IOREGS];
};

static enum sahm_status make_unit(struct fetch_probe *p, unsigned i, struct sahm_err *err)
{
	uint64_t ready;
	const struct core_ipu ipu = {.config = p->ipus[i].config, .program = p->ipus[i].program};
	enum sahm_status status = core_ipu_ready_at(&ipu, &ready, err);
	if (status == SAHM_OK)
		status = ipu_unit_new(&p->units[i], ipu.config, err);
	if (status != SAHM_OK)
		return status;
	uint64_t last = ipu_unit_last_cycle(p->units[i]) - 1;
	ipu_unit_configure(p->units[i], 0, ipu.program);
	ipu_unit_resume(p->units[i], 0);
	p->before = ready > p->before ? ready : p->before;
	p->last_cycle = last < p->last_cycle ? last : p->last_cycle;
	return SAHM_OK;
}

enum sahm_status fetch_probe_new(struct fetch_probe **probe, const struct core_model *model,
				 const struct fetch_wiring *wiring, uint32_t soft_mhz, const struct core_ipu *ipus,
				 unsigned nr, struct sahm_err *err)
{
	struct fetch_probe *p = calloc(1, sizeof(*p));
	if (!p)
		return sahm_fail_nomem(err);
	p->wiring = *wiring;
	p->line_shift = (uint8_t)__builtin_ctz(model->geometry.l1i.line_bytes);
	p->line = p->last_cycle = UINT64_MAX;
	p->nr = nr;
	p->ipus = calloc(nr, sizeof(*p->ipus));
	p->units = calloc(nr, sizeof(struct ipu_unit *));
	enum sahm_status status = p->ipus && p->units ? SAHM_OK : sahm_fail_nomem(err);
	if (status == SAHM_OK)
		memcpy(p->ipus, ipus, nr * sizeof(*ipus));
	for (unsigned i = 0; i < nr && status == SAHM_OK; i++)
		status = make_unit(p, i, err);
	for (unsigned i = 0; i < NR_MEMORY_LEVELS && status == SAHM_OK; i++)
		p->latencies[i] = ((uint64_t)model->timing.icache_cycles[i] * soft_mhz + ipus[0].config->hit_mhz - 1) /
				  ipus[0].config->hit_mhz;
	p->cycle = p->before;
	if (status == SAHM_OK)
		*probe = p;
	else
		fetch_probe_free(p);
	return status;
}

void fetch_probe_free(struct fetch_probe *p)
{
	if (!p)
		return;
	for (unsigned i = 0; p->units && i < p->nr; i++)
		ipu_unit_free(p->units[i]);
	free(p->units);
	free(p->ipus);
	free(p);
}

/* An access to L1I; latency 0: it hits. */
static void give_set(struct fetch_probe *p, uint64_t pc, uint64_t latency)
{
	const struct fetch_wiring *w = &p->wiring;
	uint32_t valid = UINT32_C(1) << w->pc;
	p->values[w->pc] = pc & w->pc_mask;
	if (latency > 0 && w->has_latency) {
		p->values[w->latency] = latency;
		valid |= UINT32_C(1) << w->latency;
	}
	p->nr_sets++;
	for (unsigned i = 0; i < p->nr; i++)
		ipu_unit_input(p->units[i], p->cycle, valid, p->values);
}

static void drain(struct fetch_probe *p)
{
	for (unsigned i = 0; i < p->nr; i++)
		if (ipu_unit_waiting(p->units[i]) > 0)
			p->ipus[i].drain(p->ipus[i].ctx, p->units[i]);
}

/* In HIT cycle p->cycle. */
static inline void take_fetch(struct fetch_probe *p, const struct uop *u)
{
	uint64_t line = u->pc >> p->line_shift, end = (u->pc + u->length - 1) >> p->line_shift;
	bool is_new = line != p->line, is_crossing = end != line;
	uint64_t latency = u->fetch_fills > 0 ? p->latencies[u->fetch_level] : 0;
	if (is_new)
		give_set(p, u->pc, is_crossing && u->fetch_fills < 2 ? 0 : latency);
	if (is_crossing)
		give_set(p, end << p->line_shift, latency);
	p->line = end;
}

/* Goes to the cycle of an instruction's access; it is not before the ones of older instructions. */
static inline void go_to(struct fetch_probe *p, uint64_t cycle)
{
	p->cycle = cycle > p->cycle ? cycle : p->cycle;
}

static enum sahm_status check(struct fetch_probe *p, uint64_t cycle, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (unsigned i = 0; i < p->nr && status == SAHM_OK; i++)
		status = ipu_unit_check(p->units[i], err);
	for (unsigned i = 0; i < p->nr && status == SAHM_OK && cycle > p->last_cycle; i++)
		status = ipu_check_time(p->units[i], "the IPU", cycle, err);
	return status;
}

enum sahm_status fetch_probe_run(struct fetch_probe *p, const struct uop_batch *batch, const struct uop_stamps *stamps,
				 const struct timing_notes *notes, struct sahm_err *err)
{
	uint64_t last = p->cycle + batch->nr_instructions;
	if (stamps && batch->nr > 0)
		last = p->before + stamps[batch->nr - 1].fetch;
	enum sahm_status status = check(p, last, err);
	if (status != SAHM_OK)
		return status;
	for (uint32_t i = 0; i < batch->nr; i++) {
		if (!(batch->uops[i].flags & UOP_FIRST))
			continue;
		go_to(p, stamps ? p->before + stamps[i].fetch - notes->uops[i].line : p->cycle + 1);
		p->before += !stamps;
		p->times[i] = p->cycle;
		take_fetch(p, &batch->uops[i]);
	}
	drain(p);
	return SAHM_OK;
}

const uint64_t *fetch_probe_times(const struct fetch_probe *p)
{
	return p->times;
}

enum sahm_status fetch_probe_end(struct fetch_probe *p, struct sahm_err *err)
{
	enum sahm_status status = check(p, p->cycle + 1, err);
	for (unsigned i = 0; i < p->nr && status == SAHM_OK; i++) {
		ipu_unit_advance(p->units[i], p->cycle + 1);
		ipu_unit_finalize(p->units[i], p->cycle + 1);
		ipu_unit_settle(p->units[i]);
		p->ipus[i].drain(p->ipus[i].ctx, p->units[i]);
		status = ipu_unit_check(p->units[i], err);
	}
	return status;
}

const struct ipu_unit *fetch_probe_unit(const struct fetch_probe *p, unsigned i)
{
	return p->units[i];
}

uint64_t fetch_probe_sets(const struct fetch_probe *p)
{
	return p->nr_sets;
}
