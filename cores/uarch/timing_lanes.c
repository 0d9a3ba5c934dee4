#include "cores/uarch/timing_lanes.h"

#include <stdlib.h>
#include <string.h>

#include "cores/uarch/timing_lanes_internal.h"

/* As few cores as that are faster one by one. */
#define FEW_LANES 3u

/* Cores that are timed together, or one. */
struct lane_unit {
	const struct lane_model *model; /* or NULL: `scalar` */
	void *vectors;
	struct timing *scalar;
	unsigned nr; /* cores */
	struct path_rows *rows;
	struct path_lane *paths; /* [nr] */
};

struct timing_lanes {
	unsigned nr, nr_units;
	struct lane_unit units[MAX_LANES];
	uint8_t unit[MAX_LANES], lane[MAX_LANES];   /* where each core is */
	struct core_timing t[MAX_LANES];	    /* of each core */
	const struct load_predictions *predictions; /* or NULL */
	struct path_program *program;		    /* or NULL: critical paths are not recorded */
	struct path_mark {
		uint64_t uops;
		uint32_t misses, redirects;
	} window; /* where it began */
};

static const struct lane_model *const models[NR_LANE_FORMS] = {
	[LANES_AVX512] = &lane_model_avx512, [LANES_AVX2] = &lane_model_avx2, [LANES_C] = &lane_model_c};

const char *lane_form_name(enum lane_form form)
{
	static const char *const names[NR_LANE_FORMS] = {LANE_FORM_NAMES};
	return names[form];
}

bool lane_form_is_there(enum lane_form form)
{
	return !models[form] || models[form]->is_there();
}

static const struct lane_model *best_model(void)
{
	enum lane_form form = LANES_AVX512;
	while (!lane_form_is_there(form))
		form++;
	return models[form];
}

static bool add_scalar(struct timing_lanes *l, const struct core_timing *t, unsigned core)
{
	struct lane_unit *u = &l->units[l->nr_units];
	l->unit[core] = (uint8_t)l->nr_units++;
	u->nr = 1;
	u->scalar = timing_new(t);
	return u->scalar != NULL;
}

/* Times the cores of list[nr] together. */
static bool add_vectors(struct timing_lanes *l, const struct core_timing *const *t, const struct lane_model *model,
			const uint8_t *list, unsigned nr)
{
	const struct core_timing *chosen[MAX_LANES];
	struct lane_unit *u = &l->units[l->nr_units];
	for (unsigned i = 0; i < nr; i++) {
		chosen[i] = t[list[i]];
		l->unit[list[i]] = (uint8_t)l->nr_units;
		l->lane[list[i]] = (uint8_t)i;
	}
	l->nr_units++;
	u->model = model;
	u->nr = nr;
	u->vectors = model->new (chosen, nr);
	return u->vectors != NULL;
}

static bool add_kind(struct timing_lanes *l, const struct core_timing *const *t, enum core_kind kind,
		     const struct lane_model *model, unsigned few)
{
	uint8_t list[MAX_LANES];
	unsigned nr = 0;
	bool ok = true;
	for (unsigned i = 0; i < l->nr && ok; i++) {
		if (t[i]->kind != kind)
			continue;
		if (model && timing_lanes_take(t[i]))
			list[nr++] = (uint8_t)i;
		else
			ok = add_scalar(l, t[i], i);
	}
	for (unsigned i = 0; i < nr && ok;) {
		unsigned some = model->nr_lanes < nr - i ? model->nr_lanes : nr - i;
		/* Half a vector of AVX-512 is slower than one of AVX2. */
		bool is_half = few > 0 && some <= lane_model_avx2.nr_lanes && lane_form_is_there(LANES_AVX2);
		if (some > few)
			ok = add_vectors(l, t, is_half ? &lane_model_avx2 : model, list + i, some);
		for (unsigned k = 0; k < some && some <= few && ok; k++)
			ok = add_scalar(l, t[list[i + k]], list[i + k]);
		i += some;
	}
	return ok;
}

struct timing_lanes *timing_lanes_new(const struct core_timing *const *t, unsigned nr, enum lane_form form)
{
	struct timing_lanes *l = calloc(1, sizeof(*l));
	const struct lane_model *model = form == LANES_BEST ? best_model() : models[form];
	unsigned few = form == LANES_BEST ? FEW_LANES : 0;
	bool ok = l != NULL;
	if (ok)
		l->nr = nr;
	for (unsigned i = 0; i < nr && ok; i++)
		l->t[i] = *t[i];
	for (unsigned kind = 0; kind < NR_CORE_KINDS && ok; kind++)
		ok = add_kind(l, t, (enum core_kind)kind, model, few);
	if (ok)
		return l;
	timing_lanes_free(l);
	return NULL;
}

static void release_paths(struct lane_unit *u)
{
	for (unsigned i = 0; u->paths && i < u->nr; i++)
		path_table_free(u->paths[i].edges);
	free(u->paths);
	path_rows_free(u->rows);
}

void timing_lanes_free(struct timing_lanes *l)
{
	for (unsigned i = 0; l && i < l->nr_units; i++) {
		if (l->units[i].model)
			l->units[i].model->free(l->units[i].vectors);
		timing_free(l->units[i].scalar);
		release_paths(&l->units[i]);
	}
	if (l)
		free(l->program);
	free(l);
}

void timing_lanes_take_notes(struct timing_lanes *l, struct timing_notes *notes)
{
	timing_take_notes(l->units[0].scalar, notes);
}

void timing_lanes_take_slots(struct timing_lanes *l, struct slot_pass *slots)
{
	timing_take_slots(l->units[0].scalar, slots);
}

void timing_lanes_take_signatures(struct timing_lanes *l, uint16_t *signatures)
{
	timing_take_signatures(l->units[0].scalar, signatures);
}

void timing_lanes_take_predictions(struct timing_lanes *l, const struct load_predictions *p, const unsigned *bits)
{
	l->predictions = p;
	for (unsigned i = 0; i < l->nr_units; i++) {
		struct lane_unit *u = &l->units[i];
		unsigned cores[MAX_LANES];
		for (unsigned k = 0; k < l->nr; k++)
			if (l->unit[k] == i)
				cores[l->lane[k]] = bits[k];
		if (u->model)
			u->model->predict(u->vectors, p, cores);
		else
			timing_take_predictions(u->scalar, p, cores[0]);
	}
}

/* ---- Critical paths ---- */

bool timing_lanes_record(struct timing_lanes *l, enum path_detail detail)
{
	bool ok = (l->program = calloc(1, sizeof(*l->program))) != NULL;
	for (unsigned i = 0; i < l->nr_units && ok; i++) {
		struct lane_unit *u = &l->units[i];
		u->rows = path_rows_new(l->program, u->model ? u->model->nr_lanes : 1);
		u->paths = calloc(u->nr, sizeof(*u->paths));
		ok = u->rows && u->paths;
		if (ok && u->model)
			u->model->record(u->vectors, u->rows);
		else if (ok)
			timing_record(u->scalar, u->rows);
	}
	for (unsigned i = 0; i < l->nr && ok; i++) {
		struct path_lane *lane = &l->units[l->unit[i]].paths[l->lane[i]];
		lane->t = &l->t[i];
		lane->edges = detail == PATH_EDGES ? path_table_new() : NULL;
		ok = detail != PATH_EDGES || lane->edges;
	}
	return ok;
}

void timing_lanes_mark(struct timing_lanes *l, unsigned lane, struct load_set *set)
{
	l->units[l->unit[lane]].paths[l->lane[lane]].critical = set;
}

static uint64_t unit_cycles(const struct lane_unit *u, unsigned lane)
{
	struct timing_result r;
	if (u->model)
		u->model->result(u->vectors, lane, &r);
	else
		timing_result(u->scalar, &r);
	return r.cycles;
}

void timing_lanes_end_window(struct timing_lanes *l)
{
	const struct path_program *p = l->program;
	if (!p || p->nr == l->window.uops)
		return;
	l->window = (struct path_mark){p->nr, p->nr_misses, p->nr_redirects};
	for (unsigned i = 0; i < l->nr_units; i++) {
		struct lane_unit *u = &l->units[i];
		uint64_t cycles[MAX_LANES];
		for (unsigned k = 0; k < u->nr; k++)
			cycles[k] = unit_cycles(u, k);
		path_walk(u->rows, u->paths, u->nr, cycles);
	}
}

static bool is_window_full(const struct timing_lanes *l)
{
	const struct path_program *p = l->program;
	return p->nr - l->window.uops >= PATH_WINDOW || p->nr_misses - l->window.misses >= WINDOW_MISSES ||
	       p->nr_redirects - l->window.redirects >= WINDOW_REDIRECTS;
}

void timing_lanes_path(const struct timing_lanes *l, unsigned lane, struct path_counts *out)
{
	if (l->program)
		*out = l->units[l->unit[lane]].paths[l->lane[lane]].counts;
	else
		memset(out, 0, sizeof(*out));
}

struct path_edges timing_lanes_edges(const struct timing_lanes *l, unsigned lane)
{
	return path_table_edges(l->units[l->unit[lane]].paths[l->lane[lane]].edges);
}

bool timing_lanes_batch(struct timing_lanes *l, const struct uop_batch *batch, struct uop_stamps *stamps)
{
	if (l->program)
		path_program_add(l->program, batch, l->predictions);
	for (unsigned i = 0; i < l->nr_units; i++) {
		struct lane_unit *u = &l->units[i];
		if (!u->model)
			timing_batch(u->scalar, batch, stamps);
		else if (!u->model->batch(u->vectors, batch))
			return false;
	}
	if (l->program && is_window_full(l))
		timing_lanes_end_window(l);
	return true;
}

void timing_lanes_result(const struct timing_lanes *l, unsigned lane, struct timing_result *out)
{
	const struct lane_unit *u = &l->units[l->unit[lane]];
	if (u->model)
		u->model->result(u->vectors, l->lane[lane], out);
	else
		timing_result(u->scalar, out);
}

bool timing_lanes_take(const struct core_timing *t)
{
	struct lane_words words;
	return lane_words_init(&words, t);
}
