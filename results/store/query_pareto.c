/* Pareto fronts. Candidates are sorted, best in the first objective first; each is then compared only with those of the
 * front so far, of two objectives only with its last one. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/store/query_internal.h"
#include "sim/base/array.h"
#include "sim/base/suggest.h"

static const struct {
	const char *name, *words;
	enum query_objective_kind kind;
	int direction;
} other_objectives[] = {{"cores", "cores", OBJECTIVE_CORES, -1},
			{"area_mm2", "area, mm^2", OBJECTIVE_AREA, -1},
			{"power_w", "power, W", OBJECTIVE_POWER, -1}};
#define NR_OTHERS ARRAY_SIZE(other_objectives)

static enum sahm_status read_name(const char *name, struct query_objective *o, struct sahm_err *err)
{
	struct suggest near;
	char suggestion[SUGGEST_BYTES];
	for (size_t i = 0; i < NR_OTHERS; i++)
		if (strcmp(name, other_objectives[i].name) == 0) {
			*o = (struct query_objective){.kind = other_objectives[i].kind,
						      .direction = other_objectives[i].direction};
			return SAHM_OK;
		}
	suggest_init(&near, name);
	for (int m = 0; m < NR_RUN_METRICS; m++) {
		if (strcmp(name, run_metric_rows[m].name) == 0) {
			*o = (struct query_objective){OBJECTIVE_METRIC, (enum run_metric)m,
						      run_metric_direction((enum run_metric)m)};
			return SAHM_OK;
		}
		suggest_offer(&near, run_metric_rows[m].name);
	}
	for (size_t i = 0; i < NR_OTHERS; i++)
		suggest_offer(&near, other_objectives[i].name);
	return sahm_fail(err, SAHM_USAGE, "unknown objective '%s'%s", name,
			 suggest_or(&near, "cores, area_mm2, power_w, or a metric: sahm help results", suggestion));
}

enum sahm_status query_read_objective(const char *text, struct query_objective *o, struct sahm_err *err)
{
	char name[64];
	const char *colon = strchr(text, ':');
	snprintf(name, sizeof(name), "%.*s", colon ? (int)(colon - text < 64 ? colon - text : 64) : 64, text);
	enum sahm_status status = read_name(name, o, err);
	if (status != SAHM_OK)
		return status;
	if (colon && strcmp(colon, ":min") == 0)
		o->direction = -1;
	else if (colon && strcmp(colon, ":max") == 0)
		o->direction = 1;
	else if (colon)
		return sahm_fail(err, SAHM_USAGE, "objective '%s' ends neither in :min nor in :max", text);
	if (o->direction == 0)
		return sahm_fail(err, SAHM_USAGE, "neither more nor less of '%s' is better: say %s:min or %s:max", name,
				 name, name);
	return SAHM_OK;
}

static const char *objective_name(const struct query_objective *o)
{
	return o->kind == OBJECTIVE_METRIC ? run_metric_rows[o->metric].name
					   : other_objectives[o->kind - OBJECTIVE_CORES].name;
}

static const char *objective_words(const struct query_objective *o)
{
	return o->kind == OBJECTIVE_METRIC ? run_metric_rows[o->metric].name
					   : other_objectives[o->kind - OBJECTIVE_CORES].words;
}

/* A chip with what it takes; NAN: not looked up, or nothing is known of it. */
struct chip_price {
	int64_t id;
	double price[2]; /* area, power */
};

/* A point; objectives to maximise are kept negative, so that less is better throughout. */
struct candidate {
	double keys[MAX_QUERY_OBJECTIVES];
	uint64_t position, nr_alike;
};

struct front {
	const struct query *q;
	const struct query_objective *objectives;
	uint32_t nr_objectives;
	const struct query_prices *prices;
	sqlite3_stmt *cores;	  /* of a chip; NULL where nothing has a price */
	struct chip_price *chips; /* sorted by id */
	size_t nr_chips, chip_room;
	struct candidate *items;
	size_t nr, room;
	struct query_tally tally;
};

static enum sahm_status price_row(const struct front *f, struct chip_price *chip, struct sahm_err *err)
{
	const struct query *q = f->q;
	struct arena a;
	const char *type, *speedups;
	uint64_t count;
	arena_init(&a);
	enum sahm_status status = query_string(q, f->cores, 0, &a, "type of a core", &type, err);
	if (status == SAHM_OK)
		status = query_string(q, f->cores, 1, &a, "speedups of a core", &speedups, err);
	if (status == SAHM_OK)
		status = query_count(q, f->cores, 2, UINT32_MAX, "number of cores", &count, err);
	for (uint32_t i = 0; i < f->nr_objectives && status == SAHM_OK; i++) {
		enum query_objective_kind kind = f->objectives[i].kind;
		double price;
		if (kind != OBJECTIVE_AREA && kind != OBJECTIVE_POWER)
			continue;
		status = f->prices->find(f->prices->ctx, type, speedups, kind, &price, err);
		double *sum = &chip->price[kind == OBJECTIVE_POWER];
		if (status == SAHM_OK)
			*sum = (isnan(*sum) ? 0 : *sum) + (double)count * price;
	}
	arena_release(&a);
	return status;
}

static enum sahm_status find_chip(struct front *f, int64_t id, const struct chip_price **chip, struct sahm_err *err)
{
	size_t low = 0, high = f->nr_chips;
	bool there = true;
	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (f->chips[mid].id < id)
			low = mid + 1;
		else
			high = mid;
	}
	if (low < f->nr_chips && f->chips[low].id == id) {
		*chip = &f->chips[low];
		return SAHM_OK;
	}
	struct chip_price made = {id, {NAN, NAN}};
	enum sahm_status status = SAHM_OK;
	sqlite3_reset(f->cores);
	sqlite3_bind_int64(f->cores, 1, id);
	while (status == SAHM_OK && (status = query_step(f->q, f->cores, &there, err)) == SAHM_OK && there)
		status = price_row(f, &made, err);
	if (status != SAHM_OK)
		return status;
	struct chip_price *chips = query_grow(f->chips, &f->chip_room, f->nr_chips, sizeof(*chips));
	if (!chips)
		return sahm_fail_nomem(err);
	f->chips = chips;
	memmove(&chips[low + 1], &chips[low], (f->nr_chips++ - low) * sizeof(*chips));
	chips[low] = made;
	*chip = &chips[low];
	return SAHM_OK;
}

static enum sahm_status add_candidate(void *ctx, const struct query_row *row, struct sahm_err *err)
{
	struct front *f = ctx;
	const struct chip_price *chip = NULL;
	struct candidate c = {.position = row->position, .nr_alike = 1};
	bool has_value = row->state == RUN_DONE;
	if (f->cores && row->state == RUN_DONE) {
		enum sahm_status status = find_chip(f, row->chip, &chip, err);
		if (status != SAHM_OK)
			return status;
	}
	for (uint32_t i = 0; i < f->nr_objectives; i++) {
		const struct query_objective *o = &f->objectives[i];
		double value = o->kind == OBJECTIVE_METRIC  ? row->values[i]
			       : o->kind == OBJECTIVE_CORES ? row->nr_cores
			       : chip			    ? chip->price[o->kind == OBJECTIVE_POWER]
							    : NAN;
		has_value &= isfinite(value);
		c.keys[i] = (o->direction > 0 ? -value : value) + 0.0;
	}
	query_tally_row(&f->tally, row, has_value);
	if (!has_value)
		return SAHM_OK;
	struct candidate *items = query_grow(f->items, &f->room, f->nr, sizeof(*items));
	if (!items)
		return sahm_fail_nomem(err);
	f->items = items;
	f->items[f->nr++] = c;
	return SAHM_OK;
}

static int compare_keys(const struct candidate *x, const struct candidate *y)
{
	for (unsigned i = 0; i < MAX_QUERY_OBJECTIVES; i++)
		if (x->keys[i] != y->keys[i])
			return x->keys[i] < y->keys[i] ? -1 : 1;
	return 0;
}

static int compare_candidates(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	int order = compare_keys(x, y);
	return order ? order : x->position < y->position ? -1 : x->position > y->position;
}

/* Whether `x`, which differs from `y` and comes before it, is at least as good in all objectives. */
static bool beats(const struct candidate *x, const struct candidate *y, uint32_t nr_objectives)
{
	for (uint32_t i = 0; i < nr_objectives; i++)
		if (x->keys[i] > y->keys[i])
			return false;
	return true;
}

static bool is_beaten(const struct front *f, size_t nr_front, const struct candidate *c)
{
	/* Of two objectives the last one of the front is the best in the second. */
	size_t from = f->nr_objectives <= 2 && nr_front > 0 ? nr_front - 1 : 0;
	for (size_t i = from; i < nr_front; i++)
		if (beats(&f->items[i], c, f->nr_objectives))
			return true;
	return false;
}

/* Leaves the front in place of the candidates. */
static void reduce(struct front *f)
{
	size_t nr = 0;
	if (f->nr)
		qsort(f->items, f->nr, sizeof(*f->items), compare_candidates);
	for (size_t i = 0; i < f->nr; i++) {
		if (nr && compare_keys(&f->items[nr - 1], &f->items[i]) == 0)
			f->items[nr - 1].nr_alike++;
		else if (!is_beaten(f, nr, &f->items[i]))
			f->items[nr++] = f->items[i];
	}
	f->nr = nr;
}

static struct query_cell objective_cell(const struct query_objective *o, double key)
{
	double value = (o->direction > 0 ? -key : key) + 0.0;
	return o->kind == OBJECTIVE_METRIC ? metric_cell(run_metric_rows[o->metric].form, value) : plain_cell(value);
}

static void add_front(const struct front *f, struct query_answer *a)
{
	struct query_table *about = answer_table(a, "objectives", NULL, IN_JSON);
	answer_column(about, "objective", NULL, true, IN_ALL);
	answer_column(about, "direction", NULL, true, IN_ALL);
	struct query_table *t = answer_table(a, "front", NULL, IN_ALL);
	for (uint32_t i = 0; i < f->nr_objectives; i++) {
		const struct query_objective *o = &f->objectives[i];
		answer_cell(a, about, text_cell(objective_name(o)));
		answer_cell(a, about, text_cell(o->direction > 0 ? "max" : "min"));
		answer_column(t, objective_name(o), objective_words(o), false, IN_ALL);
	}
	answer_column(t, "position", "position", false, IN_ALL);
	answer_column(t, "alike", "alike", false, IN_ALL);
	answer_axis_columns(f->q, a, t, IN_ALL);
	for (size_t i = 0; i < f->nr; i++) {
		for (uint32_t k = 0; k < f->nr_objectives; k++)
			answer_cell(a, t, objective_cell(&f->objectives[k], f->items[i].keys[k]));
		answer_cell(a, t, count_cell(f->items[i].position));
		answer_cell(a, t, count_cell(f->items[i].nr_alike));
		answer_axis_cells(f->q, a, t, f->items[i].position);
	}
}

static enum sahm_status check_objectives(const struct front *f, struct sahm_err *err)
{
	bool priced = false;
	for (uint32_t i = 0; i < f->nr_objectives; i++) {
		const struct query_objective *o = &f->objectives[i];
		priced |= o->kind == OBJECTIVE_AREA || o->kind == OBJECTIVE_POWER;
		for (uint32_t k = 0; k < i; k++)
			if (o->kind == f->objectives[k].kind && o->metric == f->objectives[k].metric)
				return sahm_fail(err, SAHM_USAGE, "objective '%s' is named twice", objective_name(o));
		if (priced && !f->prices)
			return sahm_fail(err, SAHM_USAGE, "objective '%s' needs a table of what cores cost",
					 objective_name(o));
	}
	return SAHM_OK;
}

enum sahm_status query_pareto(struct query *q, const struct query_objective *objectives, uint32_t nr_objectives,
			      const struct query_prices *prices, struct query_answer *a, struct sahm_err *err)
{
	struct front f = {.q = q, .objectives = objectives, .nr_objectives = nr_objectives, .prices = prices};
	enum run_metric metrics[MAX_QUERY_OBJECTIVES];
	bool priced = false;
	enum sahm_status status = check_objectives(&f, err);
	for (uint32_t i = 0; i < nr_objectives; i++) {
		priced |= objectives[i].kind == OBJECTIVE_AREA || objectives[i].kind == OBJECTIVE_POWER;
		/* In the column of what is no metric stands one that is not looked at. */
		metrics[i] = objectives[i].kind == OBJECTIVE_METRIC ? objectives[i].metric : (enum run_metric)0;
	}
	if (status == SAHM_OK && priced)
		status =
			query_prepare(q, "SELECT type, speedups_pct, count FROM chip_core WHERE chip = ?1 ORDER BY row",
				      &f.cores, err);
	if (status != SAHM_OK)
		return status;
	query_begin_answer(q, a, "pareto");
	status = query_walk(q, metrics, nr_objectives, add_candidate, &f, err);
	if (status == SAHM_OK) {
		reduce(&f);
		query_end_heading(q, a, &f.tally, "Pareto front, %zu of %" PRIu64 " points", f.nr,
				  f.tally.nr_done - f.tally.nr_without);
		add_front(&f, a);
		query_note_tally(q, a, &f.tally);
		/* Those of one form have one reason, however many of them there are. */
		unsigned noted = 0;
		for (uint32_t i = 0; i < nr_objectives; i++) {
			enum run_form form = run_metric_rows[metrics[i]].form;
			if (objectives[i].kind != OBJECTIVE_METRIC || noted >> form & 1)
				continue;
			query_note_metric(a, &f.tally, metrics[i]);
			noted |= 1u << form;
		}
		for (uint32_t i = 0; i < nr_objectives && status == SAHM_OK; i++)
			if (objectives[i].kind == OBJECTIVE_METRIC && run_metric_rows[metrics[i]].form == RUN_SPEEDUP) {
				status = query_note_sharing(q, RUN_SPEEDUP, a, err);
				break;
			}
	}
	if (f.cores)
		sqlite3_finalize(f.cores);
	free(f.chips);
	free(f.items);
	return status;
}
