#include "results/studies/specialization.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/base/stats.h"

/* An epoch at the end with fewer instructions than this share of the shortest other one is left out. */
#define WHOLE_PCT 99u

#define ALL_STATES 0xffffu

void specialization_release(struct specialization *s)
{
	free(s->left_out);
	for (unsigned i = 0; i < NR_CUT_SETS; i++) {
		free(s->sets[i].states);
		free(s->sets[i].sums);
		free(s->sets[i].cores);
		free(s->sets[i].choices);
	}
}

uint16_t special_states_with(unsigned components)
{
	uint16_t states = 0;
	for (unsigned s = 0; s < NR_STATES; s++)
		states |= (uint16_t)((s & components ? 1u : 0u) << s);
	return states;
}

int64_t special_extra_bytes(const struct specialization *s, unsigned core)
{
	const struct table_core *cores = s->table->cores;
	return (int64_t)cores[core].storage_bytes - (int64_t)cores[0].storage_bytes;
}

const char *special_choice_key(enum special_choice choice)
{
	static const char *const keys[] = {"one", "state", "state_of_others", "epoch"};
	return keys[choice];
}

const char *special_choice_words(enum special_choice choice)
{
	static const char *const words[] = {
		[CHOICE_ONE] = "one core for all epochs",
		[CHOICE_STATE] = "the best by the table of the epoch's state",
		[CHOICE_OTHERS] = "the same, by a table of the other programs",
		[CHOICE_EPOCH] = "the best by the epoch's own cycles",
	};
	return words[choice];
}

/* ---- Epochs ---- */

static void leave_out(struct specialization *s)
{
	const struct epoch_table *t = s->table;
	for (size_t i = 0; i < t->nr_programs; i++) {
		const struct table_program *p = &t->programs[i];
		uint64_t least = UINT64_MAX;
		for (size_t k = 0; k + 1 < p->nr; k++) {
			uint64_t nr = t->rows[p->first + k].counts.count[COUNTER_INSTRUCTIONS];
			least = nr < least ? nr : least;
		}
		if (p->nr < 2)
			continue;
		size_t last = p->first + p->nr - 1;
		s->left_out[last] = t->rows[last].counts.count[COUNTER_INSTRUCTIONS] < least / 100 * WHOLE_PCT;
		s->nr_left_out += s->left_out[last];
	}
}

static double baseline_time(const struct specialization *s, const struct table_epoch *row)
{
	return s->options.time == SPECIALIZE_MEASURED ? (double)row->cycles[0] : 1;
}

static double time_on(const struct specialization *s, const struct table_epoch *row, unsigned core)
{
	return baseline_time(s, row) * (double)row->cycles[core] / (double)row->cycles[0];
}

static struct special_sum *sums_of(const struct specialization *s, const struct special_set *set, size_t program,
				   unsigned core)
{
	return &set->sums[(program * s->table->nr_cores + core) * NR_STATES];
}

static void add_up(const struct specialization *s, struct special_set *set)
{
	const struct epoch_table *t = s->table;
	for (size_t i = 0; i < t->nr_rows; i++) {
		const struct table_epoch *row = &t->rows[i];
		unsigned by_baseline = cuts_classify(&set->cuts, &row->counts);
		set->states[i] = (uint8_t)(t->traced ? cuts_classify(&set->cuts, &t->traced[i]) : by_baseline);
		set->nr_other_states += set->states[i] != by_baseline && !s->left_out[i];
		for (unsigned k = 0; k < t->nr_cores && !s->left_out[i]; k++) {
			struct special_sum *sum = &sums_of(s, set, row->program, k)[set->states[i]];
			sum->baseline += baseline_time(s, row);
			sum->time += time_on(s, row, k);
			sum->nr++;
		}
	}
}

/* ---- Gains ---- */

static double pct_of(double baseline, double time)
{
	return 100 * (baseline / time - 1);
}

/* Over the states of a program. */
static struct special_sum sum_of_program(const struct specialization *s, const struct special_set *set, size_t program,
					 unsigned core, uint16_t states)
{
	const struct special_sum *sums = sums_of(s, set, program, core);
	struct special_sum all = {0};
	for (unsigned state = 0; state < NR_STATES; state++) {
		if (!(states >> state & 1))
			continue;
		all.baseline += sums[state].baseline;
		all.time += sums[state].time;
		all.nr += sums[state].nr;
	}
	return all;
}

#define NO_PROGRAM SIZE_MAX

/* Over all programs but `except`; *nr_programs are those with such epochs. */
static struct special_sum sum_of(const struct specialization *s, const struct special_set *set, size_t except,
				 unsigned core, uint16_t states, uint32_t *nr_programs)
{
	struct special_sum all = {0};
	*nr_programs = 0;
	for (size_t i = 0; i < s->table->nr_programs; i++) {
		if (i == except)
			continue;
		struct special_sum one = sum_of_program(s, set, i, core, states);
		all.baseline += one.baseline;
		all.time += one.time;
		all.nr += one.nr;
		*nr_programs += one.nr > 0;
	}
	return all;
}

struct special_gain specialization_program(const struct specialization *s, unsigned set, size_t program, unsigned core,
					   uint16_t states)
{
	struct special_sum sum = sum_of_program(s, &s->sets[set], program, core, states);
	return (struct special_gain){.pct = sum.nr > 0 ? pct_of(sum.baseline, sum.time) : NAN,
				     .low_pct = NAN,
				     .high_pct = NAN,
				     .nr_epochs = sum.nr,
				     .nr_programs = sum.nr > 0};
}

/* With its interval; `what` names it among those that are drawn from the seed. */
static enum sahm_status find_gain(const struct specialization *s, const struct special_set *set, unsigned core,
				  uint16_t states, const char *what, struct special_gain *gain, struct sahm_err *err)
{
	const struct epoch_table *t = s->table;
	struct stats_interval speed;
	char name[160];
	double *values = calloc(2 * t->nr_programs, sizeof(*values)), *times = values + t->nr_programs;
	size_t nr = 0;
	if (!values)
		return sahm_fail_nomem(err);
	*gain = (struct special_gain){.pct = NAN, .low_pct = NAN, .high_pct = NAN};
	for (size_t i = 0; i < t->nr_programs; i++) {
		struct special_sum sum = sum_of_program(s, set, i, core, states);
		if (sum.nr == 0)
			continue;
		values[nr] = sum.baseline;
		times[nr++] = sum.time;
		gain->nr_epochs += sum.nr;
	}
	gain->nr_programs = (uint32_t)nr;
	snprintf(name, sizeof(name), "%s %s %s", set->name, t->cores[core].name, what);
	enum sahm_status status = nr == 0 ? SAHM_OK
					  : stats_bootstrap_ratio(values, times, nr, s->options.nr_resamples,
								  s->options.seed, name, &speed, err);
	if (status == SAHM_OK && nr > 0) {
		gain->pct = 100 * (speed.mean - 1);
		bool has_interval = nr >= SPECIALIZE_INTERVAL_PROGRAMS;
		gain->low_pct = has_interval ? 100 * (speed.low - 1) : NAN;
		gain->high_pct = has_interval ? 100 * (speed.high - 1) : NAN;
	}
	free(values);
	return status;
}

/* ---- Tables ---- */

static bool is_scarce(const struct specialization *s, const struct special_set *set, size_t except, unsigned state)
{
	uint32_t nr_programs;
	struct special_sum sum = sum_of(s, set, except, 0, (uint16_t)(1u << state), &nr_programs);
	return sum.nr < s->options.min_epochs || nr_programs < s->options.min_programs || sum.nr == 0;
}

/* Scarce states, a bit each. */
static uint16_t scarce_states(const struct specialization *s, const struct special_set *set, size_t except)
{
	uint16_t scarce = 0;
	for (unsigned state = 0; state < NR_STATES; state++)
		scarce |= (uint16_t)((is_scarce(s, set, except, state) ? 1u : 0u) << state);
	return scarce;
}

/* The states whose epochs give `state` its speedup on a core: itself, or its lenders. */
static uint16_t sources_of(const struct specialization *s, unsigned core, unsigned state, uint16_t scarce)
{
	unsigned components = s->table->cores[core].components;
	if (!(scarce >> state & 1))
		return (uint16_t)(1u << state);
	return special_states_with(state & (components ? components : NR_STATES - 1)) & (uint16_t)~scarce;
}

/* A state's speedup in the table of a core that is made of all programs but `except`. */
static double table_pct(const struct specialization *s, const struct special_set *set, size_t except, unsigned core,
			uint16_t sources)
{
	uint32_t nr_programs;
	struct special_sum sum = sum_of(s, set, except, core, sources, &nr_programs);
	return sum.nr > 0 ? pct_of(sum.baseline, sum.time) : 0;
}

static enum sahm_status make_core(const struct specialization *s, struct special_set *set, unsigned core,
				  uint16_t scarce, struct sahm_err *err)
{
	struct special_core *c = &set->cores[core];
	unsigned own = s->table->cores[core].components;
	enum sahm_status status = SAHM_OK;
	for (unsigned state = 0; state < NR_STATES && status == SAHM_OK; state++) {
		struct special_state *x = &c->states[state];
		uint16_t sources = sources_of(s, core, state, scarce);
		status = find_gain(s, set, core, (uint16_t)(1u << state), state_name(state), &x->own, err);
		x->is_scarce = scarce >> state & 1;
		x->lenders = x->is_scarce ? sources : 0;
		x->table_pct = table_pct(s, set, NO_PROGRAM, core, sources);
	}
	for (unsigned k = 0; k < NR_COMPONENTS && status == SAHM_OK; k++)
		status = find_gain(s, set, core, special_states_with(1u << k), component_key((enum component)k),
				   &c->high[k], err);
	if (status == SAHM_OK)
		status = find_gain(s, set, core, special_states_with(own), "target", &c->target, err);
	return status == SAHM_OK ? find_gain(s, set, core, ALL_STATES, "all", &c->all, err) : status;
}

/* ---- Choices ---- */

/* The core with the highest speedup of a state in the tables of all programs but `except`. */
static unsigned best_core(const struct specialization *s, const struct special_set *set, size_t except, unsigned state,
			  uint16_t scarce)
{
	unsigned best = 0;
	double most = 0;
	for (unsigned k = 1; k < s->table->nr_cores; k++) {
		double pct = table_pct(s, set, except, k, sources_of(s, k, state, scarce));
		if (pct > most) {
			most = pct;
			best = k;
		}
	}
	return best;
}

static void best_cores(const struct specialization *s, const struct special_set *set, size_t except,
		       unsigned best[NR_STATES])
{
	uint16_t scarce = scarce_states(s, set, except);
	for (unsigned state = 0; state < NR_STATES; state++)
		best[state] = best_core(s, set, except, state, scarce);
}

static unsigned best_of_all(const struct specialization *s, const struct special_set *set)
{
	uint32_t nr_programs;
	unsigned best = 0;
	double least = sum_of(s, set, NO_PROGRAM, 0, ALL_STATES, &nr_programs).time;
	for (unsigned k = 1; k < s->table->nr_cores; k++) {
		double time = sum_of(s, set, NO_PROGRAM, k, ALL_STATES, &nr_programs).time;
		if (time < least) {
			least = time;
			best = k;
		}
	}
	return best;
}

static unsigned best_of_epoch(const struct epoch_table *t, const struct table_epoch *row)
{
	unsigned best = 0;
	for (unsigned k = 1; k < t->nr_cores; k++)
		best = row->cycles[k] < row->cycles[best] ? k : best;
	return best;
}

/* Adds the times of a program by each choice. */
static void add_choices(const struct specialization *s, const struct special_set *set, size_t program, double *baseline,
			double times[NR_SPECIAL_CHOICES])
{
	const struct epoch_table *t = s->table;
	const struct table_program *p = &t->programs[program];
	unsigned others[NR_STATES];
	best_cores(s, set, program, others);
	for (size_t i = p->first; i < p->first + p->nr; i++) {
		const struct table_epoch *row = &t->rows[i];
		const unsigned chosen[NR_SPECIAL_CHOICES] = {
			[CHOICE_ONE] = set->one,
			[CHOICE_STATE] = set->best[set->states[i]],
			[CHOICE_OTHERS] = others[set->states[i]],
			[CHOICE_EPOCH] = best_of_epoch(t, row),
		};
		if (s->left_out[i])
			continue;
		*baseline += baseline_time(s, row);
		for (unsigned c = 0; c < NR_SPECIAL_CHOICES; c++)
			times[c] += time_on(s, row, chosen[c]);
	}
}

static void make_choices(const struct specialization *s, struct special_set *set)
{
	double all_baseline = 0, all[NR_SPECIAL_CHOICES] = {0};
	double *out = set->choices;
	best_cores(s, set, NO_PROGRAM, set->best);
	set->one = best_of_all(s, set);
	for (size_t i = 0; i < s->table->nr_programs; i++) {
		double baseline = 0, times[NR_SPECIAL_CHOICES] = {0};
		add_choices(s, set, i, &baseline, times);
		all_baseline += baseline;
		for (unsigned c = 0; c < NR_SPECIAL_CHOICES; c++) {
			all[c] += times[c];
			*out++ = pct_of(baseline, times[c]);
		}
	}
	for (unsigned c = 0; c < NR_SPECIAL_CHOICES; c++)
		*out++ = pct_of(all_baseline, all[c]);
}

/* ---- Together ---- */

static enum sahm_status make_set(struct specialization *s, struct special_set *set, const char *name,
				 struct sahm_err *err)
{
	const struct epoch_table *t = s->table;
	set->name = name;
	cuts_named(name, &set->cuts);
	set->states = calloc(t->nr_rows + 1, sizeof(*set->states));
	set->sums = calloc(t->nr_programs * t->nr_cores * NR_STATES, sizeof(*set->sums));
	set->cores = calloc(t->nr_cores, sizeof(*set->cores));
	set->choices = calloc((t->nr_programs + 1) * NR_SPECIAL_CHOICES, sizeof(*set->choices));
	if (!set->states || !set->sums || !set->cores || !set->choices)
		return sahm_fail_nomem(err);
	add_up(s, set);
	uint16_t scarce = scarce_states(s, set, NO_PROGRAM);
	enum sahm_status status = SAHM_OK;
	for (unsigned k = 0; k < t->nr_cores && status == SAHM_OK; k++)
		status = make_core(s, set, k, scarce, err);
	if (status == SAHM_OK)
		make_choices(s, set);
	return status;
}

enum sahm_status specialization_make(const struct epoch_table *t, const struct specialize_options *options,
				     struct specialization *s, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	*s = (struct specialization){.table = t, .options = *options};
	s->left_out = calloc(t->nr_rows + 1, sizeof(*s->left_out));
	if (!s->left_out)
		return sahm_fail_nomem(err);
	leave_out(s);
	for (unsigned i = 0; i < NR_CUT_SETS && status == SAHM_OK; i++)
		status = make_set(s, &s->sets[i], cut_set_names[i], err);
	return status;
}
