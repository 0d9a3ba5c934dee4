#include "sim/engine/core_probe.h"

#include <stdlib.h>
#include <string.h>

#include "ipu/unit/time_limit.h"
#include "sim/base/suggest.h"

/* ---- Wiring ---- */

static enum sahm_status fail_signal(const struct abi *abi, const struct abi_signal *signal, struct sahm_err *err)
{
	char near[SUGGEST_BYTES];
	struct suggest s;
	suggest_init(&s, signal->name);
	for (enum pics_signal i = 0; i < NR_PICS_SIGNALS; i++)
		suggest_offer(&s, pics_signal_name(i));
	return sahm_fail(err, SAHM_CONFIG, "%s: a pipeline has no signal '%.60s'%s", abi->file, signal->name,
			 suggest_text(&s, near));
}

enum sahm_status core_wire(const struct abi *abi, struct core_wiring *w, struct sahm_err *err)
{
	*w = (struct core_wiring){.addr = -1};
	for (unsigned i = 0; i < abi->nr_signals; i++) {
		const struct abi_signal *s = &abi->signals[i];
		enum pics_signal signal = 0;
		while (signal < NR_PICS_SIGNALS && strcmp(s->name, pics_signal_name(signal)) != 0)
			signal++;
		if (signal == NR_PICS_SIGNALS)
			return fail_signal(abi, s, err);
		bool is_level = PICS_LEVELS >> signal & 1;
		if (is_level != s->is_level || (!is_level && s->rate != 0))
			return sahm_fail(err, SAHM_CONFIG, "%s: '%s' must have %s", abi->file, s->name,
					 is_level ? "level = true" : "rate = 0, and be no level");
		w->of[w->nr].signal = signal;
		w->of[w->nr].reg = (uint8_t)s->reg;
		w->of[w->nr].mask = UINT64_MAX >> (64 - s->bits);
		w->of[w->nr].name = s->name;
		w->levels |= (uint32_t)is_level << s->reg;
		if (s == abi->addr)
			w->addr = w->nr;
		w->nr++;
	}
	if (w->addr >= 0 && !(PICS_LEVELS >> w->of[w->addr].signal & 1))
		return sahm_fail(err, SAHM_CONFIG, "%s: addr '%s' is a flag, must be a PC", abi->file, abi->addr->name);
	return SAHM_OK;
}

/* ---- IPUs ---- */

struct probed {
	struct core_ipu ipu;
	struct ipu_unit *unit;
	bool is_on;
};

struct core_probe {
	struct core_wiring wiring;
	struct pics_pass *pass;
	struct probed *ipus; /* [nr] */
	unsigned nr;
	bool has_triggers; /* an IPU looks at each change of ADDR */
	uint64_t values[NR_IOREGS];
	uint64_t last_cycle; /* that all IPUs can see */
};

static void power_on(struct probed *x)
{
	uint64_t cycle = x->ipu.power_on;
	ipu_unit_configure(x->unit, cycle, x->ipu.program);
	if (x->ipu.has_start)
		ipu_unit_set_start(x->unit, cycle, x->ipu.start);
	else
		ipu_unit_resume(x->unit, cycle);
	if (x->ipu.has_stop)
		ipu_unit_set_stop(x->unit, cycle, x->ipu.stop);
	x->is_on = true;
}

/* The next cycle that an IPU has to see. */
static uint64_t give_row(const struct core_probe *p, struct probed *x, const struct pics_row *row, uint32_t valid)
{
	const struct core_wiring *w = &p->wiring;
	struct ipu_unit *u = x->unit;
	if (!x->is_on && row->cycle < x->ipu.power_on)
		return x->ipu.power_on;
	if (!x->is_on)
		power_on(x);
	ipu_unit_levels(u, row->cycle, w->levels, p->values);
	if (p->has_triggers && row->changed >> w->of[w->addr].signal & 1)
		ipu_unit_address(u, row->cycle, p->values[w->of[w->addr].reg]);
	if (valid)
		ipu_unit_input(u, row->cycle, valid, p->values);
	if (ipu_unit_waiting(u) > 0)
		x->ipu.drain(x->ipu.ctx, u);
	uint64_t look = ipu_unit_next_look(u);
	return look > row->cycle ? look : row->cycle + 1;
}

static uint64_t take_row(void *ctx, const struct pics_row *row)
{
	struct core_probe *p = ctx;
	const struct core_wiring *w = &p->wiring;
	uint32_t valid = 0;
	uint64_t next = UINT64_MAX;
	if (row->cycle > p->last_cycle)
		return next;
	for (unsigned i = 0; i < w->nr; i++) {
		enum pics_signal s = w->of[i].signal;
		if (row->flags >> s & 1) {
			p->values[w->of[i].reg] = 1;
			valid |= UINT32_C(1) << w->of[i].reg;
		} else if (row->changed >> s & 1) {
			p->values[w->of[i].reg] = row->values[s] & w->of[i].mask;
		}
	}
	for (unsigned i = 0; i < p->nr; i++) {
		uint64_t look = give_row(p, &p->ipus[i], row, valid);
		next = look < next ? look : next;
	}
	return next;
}

enum sahm_status core_probe_new(struct core_probe **probe, const struct core_timing *t,
				const struct core_wiring *wiring, const struct core_ipu *ipus, unsigned nr,
				struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	struct core_probe *p = calloc(1, sizeof(*p));
	if (!p)
		return sahm_fail_nomem(err);
	p->wiring = *wiring;
	p->last_cycle = UINT64_MAX;
	p->ipus = calloc(nr, sizeof(*p->ipus));
	status = p->ipus ? SAHM_OK : sahm_fail_nomem(err);
	for (unsigned i = 0; i < nr && status == SAHM_OK; i++) {
		struct probed *x = &p->ipus[p->nr++];
		x->ipu = ipus[i];
		if (wiring->addr >= 0) {
			/* ADDR shows no more of a PC. */
			x->ipu.start &= wiring->of[wiring->addr].mask;
			x->ipu.stop &= wiring->of[wiring->addr].mask;
		}
		status = ipu_unit_new(&x->unit, ipus[i].config, err);
		uint64_t last = status == SAHM_OK ? ipu_unit_last_cycle(x->unit) - 1 : 0;
		p->last_cycle = last < p->last_cycle ? last : p->last_cycle;
		p->has_triggers |= wiring->addr >= 0 && (ipus[i].has_start || ipus[i].has_stop);
	}
	const struct pics_options options = {.has_all = p->has_triggers, .asked = 0, .take = take_row, .ctx = p};
	p->pass = status == SAHM_OK ? pics_pass_new(t, &options) : NULL;
	if (status == SAHM_OK && !p->pass)
		status = sahm_fail_nomem(err);
	if (status == SAHM_OK)
		*probe = p;
	else
		core_probe_free(p);
	return status;
}

void core_probe_free(struct core_probe *p)
{
	if (!p)
		return;
	for (unsigned i = 0; i < p->nr; i++)
		ipu_unit_free(p->ipus[i].unit);
	free(p->ipus);
	pics_pass_free(p->pass);
	free(p);
}

enum sahm_status core_probe_run(struct core_probe *p, const struct uop_batch *batch, const struct uop_stamps *stamps,
				const uint16_t *signatures, struct sahm_err *err)
{
	return pics_pass_run(p->pass, batch, stamps, signatures) ? SAHM_OK : sahm_fail_nomem(err);
}

enum sahm_status core_probe_end(struct core_probe *p, struct sahm_err *err)
{
	if (!pics_pass_end(p->pass))
		return sahm_fail_nomem(err);
	uint64_t end = pics_pass_counts(p->pass).cycles;
	for (unsigned i = 0; i < p->nr; i++) {
		struct probed *x = &p->ipus[i];
		if (!x->is_on)
			continue;
		enum sahm_status status = ipu_check_time(x->unit, "the IPU", end, err);
		if (status != SAHM_OK)
			return status;
		ipu_unit_advance(x->unit, end);
		ipu_unit_finalize(x->unit, end);
		ipu_unit_settle(x->unit);
		x->ipu.drain(x->ipu.ctx, x->unit);
	}
	return SAHM_OK;
}

const struct ipu_unit *core_probe_unit(const struct core_probe *p, unsigned i)
{
	return p->ipus[i].unit;
}

struct pics_counts core_probe_counts(const struct core_probe *p)
{
	return pics_pass_counts(p->pass);
}

enum sahm_status core_ipu_ready_at(const struct core_ipu *ipu, uint64_t *cycle, struct sahm_err *err)
{
	struct probed x = {.ipu = *ipu};
	enum sahm_status status = ipu_unit_new(&x.unit, ipu->config, err);
	if (status != SAHM_OK)
		return status;
	power_on(&x);
	ipu_unit_settle(x.unit);
	*cycle = ipu_unit_hit_cycle(x.unit);
	ipu_unit_free(x.unit);
	return SAHM_OK;
}

enum sahm_status core_ipus_align(struct core_ipu *ipus, unsigned nr, uint64_t *ready_at, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	*ready_at = 0;
	for (unsigned i = 0; i < nr && status == SAHM_OK; i++) {
		uint64_t own = 0;
		ipus[i].power_on = 0;
		status = core_ipu_ready_at(&ipus[i], &own, err);
		*ready_at = own > *ready_at ? own : *ready_at;
	}
	for (unsigned i = 0; i < nr && status == SAHM_OK; i++)
		for (uint64_t own = 0; own < *ready_at && status == SAHM_OK; ipus[i].power_on += own < *ready_at)
			status = core_ipu_ready_at(&ipus[i], &own, err);
	return status;
}

/* ---- Recordings ---- */

struct core_recorder {
	struct core_wiring wiring;
	struct pics_pass *pass;
	struct signal_columns columns;
	FILE *out;
	enum signal_form form;
	uint64_t from, end; /* cycles [from, end) */
	uint64_t next;	    /* the cycle after the last row */
	struct signal_row row;
};

static void write_row(struct core_recorder *r, uint64_t cycle, uint32_t filled)
{
	r->row.cycle = cycle;
	r->row.filled = filled;
	if (r->next == 0)
		signals_write_head(r->out, r->form, &r->columns);
	signals_write_row(r->out, r->form, &r->columns, &r->row);
	r->next = cycle + 1;
}

/* All levels as they are, in a cycle of the window that is no row of the core. */
static void write_levels(struct core_recorder *r, uint64_t cycle)
{
	uint32_t filled = 0;
	for (unsigned i = 0; i < r->wiring.nr; i++)
		filled |= (uint32_t)(PICS_LEVELS >> r->wiring.of[i].signal & 1) << i;
	write_row(r, cycle, filled);
}

static uint64_t record_row(void *ctx, const struct pics_row *row)
{
	struct core_recorder *r = ctx;
	const struct core_wiring *w = &r->wiring;
	uint32_t filled = 0;
	if (core_recorder_is_done(r))
		return UINT64_MAX;
	if (r->next == 0 && row->cycle > r->from)
		write_levels(r, r->from);
	if (row->cycle >= r->end && r->next < r->end)
		write_levels(r, r->end - 1);
	for (unsigned i = 0; i < w->nr; i++) {
		enum pics_signal s = w->of[i].signal;
		bool is_high = row->flags >> s & 1, is_changed = row->changed >> s & 1;
		bool is_first = row->cycle == r->from && PICS_LEVELS >> s & 1;
		if (is_high || is_changed || is_first)
			r->row.values[i] = is_high ? 1 : row->values[s] & w->of[i].mask;
		filled |= (uint32_t)(is_high || is_changed || is_first) << i;
	}
	if (row->cycle >= r->from && row->cycle < r->end)
		write_row(r, row->cycle, filled);
	return UINT64_MAX;
}

struct core_recorder *core_recorder_new(const struct core_timing *t, const struct core_wiring *wiring, FILE *out,
					enum signal_form form, uint64_t from, uint64_t nr)
{
	struct core_recorder *r = calloc(1, sizeof(*r));
	if (!r)
		return NULL;
	*r = (struct core_recorder){.wiring = *wiring,
				    .columns = {.flags = SIGNALS_HAVE_CYCLE, .nr = wiring->nr},
				    .out = out,
				    .form = form,
				    .from = from,
				    .end = from + nr};
	for (unsigned i = 0; i < wiring->nr; i++)
		snprintf(r->columns.names[i], sizeof(r->columns.names[i]), "%s", wiring->of[i].name);
	const struct pics_options options = {.has_all = true, .asked = UINT64_MAX, .take = record_row, .ctx = r};
	r->pass = pics_pass_new(t, &options);
	if (!r->pass) {
		free(r);
		return NULL;
	}
	return r;
}

void core_recorder_free(struct core_recorder *r)
{
	if (!r)
		return;
	pics_pass_free(r->pass);
	free(r);
}

bool core_recorder_run(struct core_recorder *r, const struct uop_batch *batch, const struct uop_stamps *stamps,
		       const uint16_t *signatures)
{
	return pics_pass_run(r->pass, batch, stamps, signatures);
}

bool core_recorder_end(struct core_recorder *r)
{
	return pics_pass_end(r->pass);
}

bool core_recorder_is_done(const struct core_recorder *r)
{
	return r->next == r->end;
}

uint64_t core_recorder_nr(const struct core_recorder *r)
{
	return r->next > r->from ? r->next - r->from : 0;
}

uint64_t core_recorder_of_core(const struct core_recorder *r)
{
	return pics_pass_counts(r->pass).cycles;
}
