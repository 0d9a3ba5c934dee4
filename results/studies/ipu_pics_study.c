#include "results/studies/ipu_pics_study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNIT(hit, ipu, mode, argument, late)                                                                           \
	{                                                                                                              \
		.hit_mhz = (hit), .ipu_mhz = (ipu), .mismatch = (mode), .mismatch_arg = (argument),                    \
		.has_late_levels = (late), .max_cycles = IPU_DEFAULT_MAX_CYCLES, .fifo_bytes = IPU_DEFAULT_FIFO_BYTES  \
	}

/* The reference has 10,000 cycles for each of the core, whose cycles do not depend on its clock: all routines that a
 * cycle can start are over before the next one. */
static const struct {
	const char *name, *help;
	struct ipu_unit_config config;
} units[NR_IPU_PICS_UNITS] = {
#define IPU_PICS_SETTING(suffix, name, hit, ipu, mode, argument, late, help)                                           \
	[IPU_PICS_##suffix] = {name, help, UNIT(hit, ipu, mode, argument, late)},
#include "results/studies/ipu_pics_setting_list.h"
#undef IPU_PICS_SETTING
	[IPU_PICS_REFERENCE] = {"zero time", "the program executes in zero time",
				UNIT(100, IPU_MAX_MHZ, IPU_EVERY, 1, false)},
};

const char *ipu_pics_name(enum ipu_pics_unit unit)
{
	return units[unit].name;
}

const char *ipu_pics_help(enum ipu_pics_unit unit)
{
	return units[unit].help;
}

const struct ipu_unit_config *ipu_pics_config(enum ipu_pics_unit unit)
{
	return &units[unit].config;
}

/* ---- Heights ---- */

/* Goes over rows by PC, or by PC and signature. */
struct height_walk {
	const struct ipu_samples *samples;
	size_t at;
	bool by_row;
};

static uint64_t key_of(const struct ipu_row *r, bool by_row)
{
	return (uint64_t)r->pc << 16 | (by_row ? r->signature : 0);
}

/* The next one's key, UINT64_MAX: there is none. */
static uint64_t next_key(const struct height_walk *w)
{
	return w->at < w->samples->nr ? key_of(&w->samples->rows[w->at], w->by_row) : UINT64_MAX;
}

static uint64_t take_height(struct height_walk *w)
{
	uint64_t key = next_key(w), height = 0;
	for (; next_key(w) == key; w->at++)
		height += w->samples->rows[w->at].samples;
	return height;
}

void ipu_pics_heights(const struct ipu_samples *reference, const struct ipu_samples *seen, bool by_row, double *error,
		      double *missing)
{
	struct height_walk a = {reference, 0, by_row}, b = {seen, 0, by_row};
	uint64_t nr = 0, lost = 0;
	double sum = 0;
	while (next_key(&a) != UINT64_MAX) {
		uint64_t key = next_key(&a), height0 = take_height(&a), height = 0;
		while (next_key(&b) < key)
			take_height(&b);
		if (next_key(&b) == key)
			height = take_height(&b);
		sum += fabs((double)height - (double)height0) / (double)height0;
		lost += height == 0 ? height0 : 0;
		nr++;
	}
	*error = nr > 0 ? sum / (double)nr : 0;
	*missing = reference->total > 0 ? (double)lost / (double)reference->total : 0;
}

/* ---- Errors ---- */

/* By instruction, in all events. */
static bool compare(const struct stack_profile *exact, const struct stack_profile *sampled, double *error)
{
	return stack_error(exact, sampled, NULL, NR_SIGNATURES - 1, error);
}

static bool take_losses(const struct stack_pass *p, const struct stack_profile *exact, const struct stack_profile *tea,
			const struct ipu_pics_run *runs, enum ipu_pics_unit unit, struct ipu_pics_losses *out)
{
	const struct ipu_pics_run *run = &runs[unit];
	const struct stacks *s = stack_pass_stacks(p);
	const struct ipu_counts *c = &run->counts;
	struct stack_profile seen;
	uint64_t looked = c->taken + c->dropped;
	double unused;
	out->samples = run->samples->total;
	out->missed = c->missed_periods;
	out->dropped_pct = looked > 0 ? 100 * (double)c->dropped / (double)looked : 0;
	out->bytes_per_s = (double)c->bytes * 1e6 * ipu_pics_config(unit)->hit_mhz / (double)s->cycles;
	ipu_pics_heights(runs[IPU_PICS_REFERENCE].samples, run->samples, false, &out->drop_error, &out->missing);
	ipu_pics_heights(runs[IPU_PICS_REFERENCE].samples, run->samples, true, &out->row_error, &unused);
	bool ok = ipu_samples_profile(run->samples, s, &seen) && compare(exact, &seen, &out->error) &&
		  compare(tea, &seen, &out->from_tea);
	stack_profile_release(&seen);
	return ok;
}

static bool take_errors(const struct stack_pass *p, const struct ipu_pics_run *runs, struct ipu_pics_program *out)
{
	const struct stack_samples *samples = stack_pass_samples(p, 0);
	struct stack_profile exact = {0}, tea = {0}, drawn = {0};
	bool ok = stack_profile_of_stacks(stack_pass_stacks(p), &exact) &&
		  stack_profile_of_samples(samples, SAMPLER_TEA, &tea) &&
		  stack_profile_draw(&exact, samples->of[SAMPLER_TEA].taken, 1, &drawn) &&
		  compare(&exact, &tea, &out->tea_error) && compare(&exact, &drawn, &out->chance);
	for (unsigned i = 0; i < NR_IPU_PICS_UNITS && ok; i++)
		ok = take_losses(p, &exact, &tea, runs, (enum ipu_pics_unit)i, &out->of[i]);
	stack_profile_release(&exact);
	stack_profile_release(&tea);
	stack_profile_release(&drawn);
	return ok;
}

/* ---- The highest ---- */

static enum sahm_status name_pc(const struct stacks *s, uint32_t pc, struct function_map *map, char place[96],
				struct sahm_err *err)
{
	struct code_name name = {0};
	struct textbuf text;
	size_t insn = ipu_sample_insn(s, pc);
	if (insn == s->nr_insns)
		return SAHM_OK;
	enum sahm_status status = function_map_place(map, s->insns[insn].pc, &name.place, err);
	if (status != SAHM_OK)
		return status;
	textbuf_init(&text);
	pics_place(&name, true, &text);
	if (textbuf_failed(&text))
		status = sahm_fail_nomem(err);
	else
		snprintf(place, 96, "%.95s", text.len > 0 ? text.text : "");
	textbuf_release(&text);
	return status;
}

/* PCs with their samples. */
struct height {
	uint32_t pc;
	size_t first; /* of rows[] */
	uint64_t samples;
};

static int highest_first(const void *a, const void *b)
{
	const struct height *x = a, *y = b;
	if (x->samples != y->samples)
		return x->samples > y->samples ? -1 : 1;
	return (x->pc > y->pc) - (x->pc < y->pc);
}

static enum sahm_status take_tops(const struct stacks *stacks, const struct ipu_samples *s, struct function_map *map,
				  struct ipu_pics_program *out, struct sahm_err *err)
{
	struct height *heights = calloc(s->nr + 1, sizeof(*heights));
	struct height_walk w = {s, 0, false};
	size_t nr = 0;
	enum sahm_status status = heights ? SAHM_OK : sahm_fail_nomem(err);
	while (heights && next_key(&w) != UINT64_MAX) {
		heights[nr] = (struct height){.pc = s->rows[w.at].pc, .first = w.at};
		heights[nr].samples = take_height(&w);
		nr++;
	}
	if (nr > 0)
		qsort(heights, nr, sizeof(*heights), highest_first);
	for (size_t i = 0; i < nr && i < IPU_PICS_TOPS && status == SAHM_OK; i++) {
		struct ipu_pics_top *top = &out->tops[out->nr_tops++];
		top->pc = heights[i].pc;
		top->pct = 100 * (double)heights[i].samples / (double)s->total;
		for (size_t k = heights[i].first; k < s->nr && s->rows[k].pc == top->pc; k++)
			top->parts[s->rows[k].signature] = (float)(100 * (double)s->rows[k].samples / (double)s->total);
		status = name_pc(stacks, top->pc, map, top->place, err);
	}
	free(heights);
	return status;
}

static bool is_higher(const struct ipu_row *a, const struct ipu_pics_row *b)
{
	if (a->samples != b->samples)
		return a->samples > b->samples;
	return a->pc != b->pc ? a->pc < b->pc : a->signature < b->signature;
}

static enum sahm_status take_rows(const struct stacks *stacks, const struct ipu_samples *s, struct function_map *map,
				  struct ipu_pics_program *out, struct sahm_err *err)
{
	for (size_t i = 0; i < s->nr; i++) {
		unsigned at = out->nr_rows < IPU_PICS_ROWS ? out->nr_rows++ : IPU_PICS_ROWS;
		for (; at > 0 && is_higher(&s->rows[i], &out->rows[at - 1]); at--)
			if (at < IPU_PICS_ROWS)
				out->rows[at] = out->rows[at - 1];
		if (at < IPU_PICS_ROWS)
			out->rows[at] = (struct ipu_pics_row){
				.pc = s->rows[i].pc, .signature = s->rows[i].signature, .samples = s->rows[i].samples};
	}
	enum sahm_status status = SAHM_OK;
	for (unsigned i = 0; i < out->nr_rows && status == SAHM_OK; i++)
		status = name_pc(stacks, out->rows[i].pc, map, out->rows[i].place, err);
	return status;
}

enum sahm_status ipu_pics_reduce(const struct stack_pass *p, const struct pics_counts *counts,
				 const struct ipu_pics_run *runs, struct function_map *map,
				 struct ipu_pics_program *out, struct sahm_err *err)
{
	const struct stacks *s = stack_pass_stacks(p);
	const struct ipu_samples *shown = runs[0].samples;
	out->cycles = s->cycles;
	out->instructions = s->instructions;
	out->event_cycles = counts->event_cycles;
	out->lost_events = counts->lost_fetch + counts->lost_access + counts->lost_flush;
	if (!take_errors(p, runs, out))
		return sahm_fail_nomem(err);
	enum sahm_status status = take_rows(s, shown, map, out, err);
	return status == SAHM_OK ? take_tops(s, shown, map, out, err) : status;
}
