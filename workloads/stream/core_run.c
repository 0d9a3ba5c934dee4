#include "workloads/stream/core_run.h"

#include <stdlib.h>
#include <string.h>

#include "workloads/stream/stream_uops.h"

#define PROGRESS_INSTRUCTIONS (UINT64_C(1) << 20)

/* What cores of several geometries can have in common: predictor and BTB, or all else. */
struct branch_use {
	const struct core_geometry *geometry; /* of one of them */
	struct branch_pass *pass;
	struct branch_counts warmed; /* what was counted outside of timed instructions */
};

struct memory_use {
	const struct core_geometry *geometry;
	const struct remedies *remedies; /* or NULL */
	struct remedy_pass *remedied;
	struct functional_pass *pass; /* without branches */
	struct functional_counts warmed;
};

/* Cores of one geometry. */
struct geometry_pass {
	const struct core_geometry *geometry;
	struct branch_use *branches;
	struct memory_use *memory;
	struct timing_lanes *lanes;
	unsigned nr;
	unsigned cores[MAX_LANES]; /* [nr]: the core of each lane */
};

/* Epochs of a core. */
struct core_epochs {
	struct core_counts before;  /* at the beginning of the epoch */
	struct core_counts pending; /* of the last epoch with timed instructions, as yet without its end */
	uint64_t pending_number;
	bool has_pending;
};

/* The clock of prefetchers that need time, where it is measured. */
struct clock_use {
	uint32_t *measured;	 /* [cores][epochs]: CPI of each epoch in thousandths, to be filled in; or NULL */
	const uint32_t *clocks;	 /* the same as the clock of each epoch, 0: nominal; or NULL */
	uint64_t progress_base;	 /* instructions of the run before */
	unsigned progress_parts; /* runs, of which this is one */
};

struct core_pass {
	struct stream *s;
	unsigned nr_geometries;
	struct geometry_pass geometries[MAX_LANES];
	unsigned nr_branches, nr_memories;
	struct branch_use branches[MAX_LANES];
	struct memory_use memories[MAX_LANES];
	struct core_epochs epochs[MAX_LANES]; /* by core */
	struct uop_batch *batch;
	struct uop_batch *copy;	   /* for all memories but the last one; NULL: there is one */
	struct uop_stamps *stamps; /* or NULL: no core is watched */
	bool is_watched;
	const struct stream_sampling *sampling;
	const struct core_observer *observer;
	struct load_predictions *predictions; /* NULL: nothing is predicted */
	uint64_t nr_loads;		      /* timed */
	uint64_t nr_read, next_progress;
	uint64_t nr_to_warm; /* left, of what precedes a sampled epoch */
	bool has_warmed;     /* functional passes have seen instructions that are not timed */
	struct clock_use clock;
};

/* Every member of both is a count. */
_Static_assert(sizeof(struct functional_counts) % sizeof(uint64_t) == 0, "functional_counts has only counts");
_Static_assert(sizeof(struct timing_result) % sizeof(uint64_t) == 0, "timing_result has only counts");
_Static_assert(sizeof(struct path_counts) % sizeof(uint64_t) == 0, "path_counts has only counts");

/* *a less *b, or plus. */
static void combine(void *a, const void *b, size_t bytes, bool plus)
{
	uint64_t *to = a;
	const uint64_t *from = b;
	for (size_t i = 0; i < bytes / sizeof(*to); i++)
		to[i] = plus ? to[i] + from[i] : to[i] - from[i];
}

/* A functional pass adds to the uops: each needs its own, without what others have found. */
static struct uop_batch *batch_for(struct core_pass *p, unsigned memory)
{
	if (memory + 1 == p->nr_memories)
		return p->batch;
	p->copy->nr = p->batch->nr;
	p->copy->nr_instructions = p->batch->nr_instructions;
	p->copy->nr_soft = 0;
	memcpy(p->copy->uops, p->batch->uops, p->batch->nr * sizeof(*p->batch->uops));
	return p->copy;
}

static void run_branches(struct branch_use *b, const struct uop_batch *batch, bool warms)
{
	struct branch_counts before = *branch_pass_counts(b->pass);
	branch_pass_run(b->pass, batch);
	if (!warms)
		return;
	combine(&b->warmed, branch_pass_counts(b->pass), sizeof(before), true);
	combine(&b->warmed, &before, sizeof(before), false);
}

static enum sahm_status warm(const struct core_pass *p, struct memory_use *m, struct uop_batch *batch,
			     struct sahm_err *err)
{
	struct functional_counts before = *functional_pass_counts(m->pass);
	enum sahm_status status = SAHM_OK;
	functional_pass_run(m->pass, batch);
	combine(&m->warmed, functional_pass_counts(m->pass), sizeof(before), true);
	combine(&m->warmed, &before, sizeof(before), false);
	for (unsigned i = 0; p->observer->warm && i < p->nr_geometries && status == SAHM_OK; i++)
		if (p->geometries[i].memory == m)
			status = p->observer->warm(p->observer->ctx, p->geometries[i].cores[0], batch, err);
	return status;
}

/* Times the geometries that have the memory, in which `batch` has been. */
static enum sahm_status time_geometries(struct core_pass *p, const struct memory_use *m, struct uop_batch *batch,
					struct sahm_err *err)
{
	for (unsigned i = 0; i < p->nr_geometries; i++) {
		struct geometry_pass *g = &p->geometries[i];
		if (g->memory != m)
			continue;
		branch_pass_mark(g->branches->pass, batch);
		if (!timing_lanes_batch(g->lanes, batch, p->stamps))
			return sahm_fail(err, SAHM_RANGE,
					 "prefetches that nothing waits for are 2^30 cycles ahead, too far for lanes: "
					 "--lanes 1 has no limit");
		enum sahm_status status =
			p->observer->batch ? p->observer->batch(p->observer->ctx, g->cores[0], batch, p->stamps, err)
					   : SAHM_OK;
		if (status != SAHM_OK)
			return status;
	}
	return SAHM_OK;
}

/* Instructions that nothing sees: remedies count them. */
static enum sahm_status skip(struct core_pass *p, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (unsigned i = 0; i < p->nr_memories && status == SAHM_OK; i++)
		if (p->memories[i].remedied)
			status = remedy_pass_run(p->memories[i].remedied, batch_for(p, i), err);
	return status;
}

static void predict(struct core_pass *p)
{
	p->observer->predict(p->observer->ctx, p->batch, p->nr_loads, p->predictions);
	for (uint32_t i = 0; i < p->batch->nr; i++)
		p->nr_loads += p->batch->uops[i].class == INSN_LOAD;
}

static enum sahm_status next_batch(struct core_pass *p, uint64_t max, struct sahm_err *err)
{
	uint64_t left;
	enum sampling_phase phase = sampling_phase_at(p->sampling, p->nr_read, &left);
	if (p->nr_to_warm > 0) {
		phase = PHASE_WARM;
		left = p->nr_to_warm;
	}
	enum sahm_status status = stream_uops_read(p->s, left < max ? left : max, p->batch, err);
	if (status != SAHM_OK)
		return status;
	p->nr_read += p->batch->nr_instructions;
	p->nr_to_warm -= p->nr_to_warm > 0 ? p->batch->nr_instructions : 0;
	if (phase == PHASE_SKIP)
		return skip(p, err);
	if (p->predictions && phase != PHASE_WARM)
		predict(p);
	for (unsigned i = 0; i < p->nr_branches; i++)
		run_branches(&p->branches[i], p->batch, phase == PHASE_WARM);
	for (unsigned i = 0; i < p->nr_memories && status == SAHM_OK; i++) {
		struct memory_use *m = &p->memories[i];
		struct uop_batch *batch = batch_for(p, i);
		if (m->remedied)
			status = remedy_pass_run(m->remedied, batch, err);
		if (status != SAHM_OK)
			return status;
		if (phase == PHASE_WARM) {
			status = warm(p, m, batch, err);
			continue;
		}
		if (p->has_warmed)
			functional_pass_gap(m->pass);
		functional_pass_run(m->pass, batch);
		status = time_geometries(p, m, batch, err);
	}
	p->has_warmed = phase == PHASE_WARM;
	return status;
}

static void counts_so_far(const struct geometry_pass *g, unsigned lane, struct core_counts *out)
{
	timing_lanes_result(g->lanes, lane, &out->timing);
	struct branch_counts branches = *branch_pass_counts(g->branches->pass);
	combine(&branches, &g->branches->warmed, sizeof(branches), false);
	out->functional = *functional_pass_counts(g->memory->pass);
	combine(&out->functional, &g->memory->warmed, sizeof(g->memory->warmed), false);
	functional_counts_set_branches(&out->functional, &branches);
	out->functional.epoch.count[COUNTER_CYCLES] = out->timing.cycles;
	timing_lanes_path(g->lanes, lane, &out->path);
}

static uint32_t cpi_of(const struct core_counts *c)
{
	uint64_t n = c->timing.instructions, cpi = (1000 * c->timing.cycles + n / 2) / n;
	return cpi > 0 ? (uint32_t)cpi : 1;
}

/* Passes the pending epoch on; `end` cycles come after its last dispatch. */
static enum sahm_status report_pending(struct core_pass *p, unsigned core, uint64_t end, struct sahm_err *err)
{
	struct core_epochs *e = &p->epochs[core];
	if (!e->has_pending)
		return SAHM_OK;
	e->has_pending = false;
	e->pending.timing.stalls[STALL_END] = end;
	return p->observer->epoch(p->observer->ctx, core, e->pending_number, &e->pending, err);
}

static enum sahm_status end_epoch_of(struct core_pass *p, const struct geometry_pass *g, unsigned lane, uint64_t epoch,
				     struct sahm_err *err)
{
	unsigned core = g->cores[lane];
	struct core_epochs *e = &p->epochs[core];
	struct core_counts now, own;
	counts_so_far(g, lane, &now);
	own = now;
	combine(&own, &e->before, sizeof(own), false);
	e->before = now;
	if (own.timing.instructions == 0)
		return SAHM_OK;
	if (p->observer->epoch_end) {
		enum sahm_status status =
			p->observer->epoch_end(p->observer->ctx, core, stream_epoch_number(p->s, epoch), err);
		if (status != SAHM_OK)
			return status;
	}
	if (p->clock.measured)
		p->clock.measured[core * stream_nr_epochs(p->s) + epoch] = cpi_of(&own);
	if (!p->observer->epoch)
		return SAHM_OK;
	/* Its last uops commit while those of the next epoch are dispatched: only the last epoch waits for the end. */
	enum sahm_status status = report_pending(p, core, 0, err);
	e->pending = own;
	e->pending_number = stream_epoch_number(p->s, epoch);
	e->has_pending = true;
	return status;
}

static enum sahm_status end_epoch(struct core_pass *p, uint64_t epoch, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (unsigned i = 0; i < p->nr_geometries; i++)
		timing_lanes_end_window(p->geometries[i].lanes);
	for (unsigned i = 0;
	     (p->observer->epoch || p->observer->epoch_end || p->clock.measured) && i < p->nr_geometries; i++)
		for (unsigned k = 0; k < p->geometries[i].nr && status == SAHM_OK; k++)
			status = end_epoch_of(p, &p->geometries[i], k, epoch, err);
	return status;
}

static enum sahm_status run_epoch(struct core_pass *p, uint64_t epoch, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	p->nr_to_warm = stream_epoch_warm(p->s, epoch);
	for (unsigned i = 0; p->clock.clocks && i < p->nr_geometries; i++) {
		const struct geometry_pass *g = &p->geometries[i];
		functional_pass_set_clock(g->memory->pass,
					  p->clock.clocks[g->cores[0] * stream_nr_epochs(p->s) + epoch]);
	}
	for (uint64_t left = stream_epoch_instructions(p->s, epoch); left > 0 && status == SAHM_OK;) {
		status = next_batch(p, left, err);
		left -= p->batch->nr_instructions;
		/* An index that promises more than there is has been refused by stream_next(). */
		if (p->batch->nr_instructions == 0)
			break;
		if (p->nr_read >= p->next_progress && p->observer->progress) {
			p->next_progress = p->nr_read + PROGRESS_INSTRUCTIONS;
			p->observer->progress(p->observer->ctx,
					      (p->clock.progress_base + p->nr_read) / p->clock.progress_parts);
		}
	}
	return status == SAHM_OK ? end_epoch(p, epoch, err) : status;
}

static struct branch_use *add_branches(struct core_pass *p, const struct core_geometry *geometry)
{
	unsigned i = 0;
	while (i < p->nr_branches && !branch_pass_is_same(p->branches[i].geometry, geometry))
		i++;
	p->nr_branches += i == p->nr_branches;
	p->branches[i].geometry = geometry;
	return &p->branches[i];
}

/* One with its own clock shares no pass. */
static bool can_share(const struct core_pass *p, const struct core_geometry *geometry)
{
	return !p->clock.clocks || !core_geometry_needs_clock(geometry);
}

static struct memory_use *add_memory(struct core_pass *p, const struct core_geometry *geometry,
				     const struct remedies *remedies)
{
	unsigned i = 0;
	while (i < p->nr_memories && !(can_share(p, geometry) && p->memories[i].remedies == remedies &&
				       core_geometry_same_memory(p->memories[i].geometry, geometry)))
		i++;
	p->nr_memories += i == p->nr_memories;
	p->memories[i].geometry = geometry;
	p->memories[i].remedies = remedies;
	return &p->memories[i];
}

/* Whether a core with `geometry` and `remedies` can be timed with those of `g`. */
static bool is_lane_of(const struct core_pass *p, const struct geometry_pass *g, const struct core_geometry *geometry,
		       const struct remedies *remedies)
{
	return !p->is_watched && can_share(p, geometry) && g->memory->remedies == remedies &&
	       core_geometry_is_same(g->geometry, geometry);
}

/* Adds core `number`, in the order of the first one of each geometry. */
static void add_core(struct core_pass *p, const struct core_geometry *geometry, const struct remedies *remedies,
		     unsigned number)
{
	unsigned i = 0;
	while (i < p->nr_geometries && !is_lane_of(p, &p->geometries[i], geometry, remedies))
		i++;
	struct geometry_pass *g = &p->geometries[i];
	if (i == p->nr_geometries) {
		p->nr_geometries++;
		*g = (struct geometry_pass){.geometry = geometry,
					    .branches = add_branches(p, geometry),
					    .memory = add_memory(p, geometry, remedies)};
	}
	g->cores[g->nr++] = number;
}

static enum sahm_status make_geometry(struct geometry_pass *g, const struct core_model *const *models,
				      enum lane_form form, enum path_detail path, struct sahm_err *err)
{
	const struct core_timing *t[MAX_LANES];
	for (unsigned i = 0; i < g->nr; i++)
		t[i] = &models[g->cores[i]]->timing;
	if (!g->branches->pass)
		g->branches->pass = branch_pass_new(g->geometry, err);
	if (!g->memory->pass)
		g->memory->pass = functional_pass_new_memory(g->geometry, err);
	g->lanes = timing_lanes_new(t, g->nr, form);
	if (g->branches->pass && g->memory->pass && g->lanes &&
	    (path == PATH_NOT || timing_lanes_record(g->lanes, path)))
		return SAHM_OK;
	return sahm_fail_nomem(err);
}

/* Watchers of the core that is the only one of `g`. */
static void watch(const struct core_pass *p, const struct geometry_pass *g)
{
	const struct core_observer *o = p->observer;
	if (o->notes && o->batch)
		timing_lanes_take_notes(g->lanes, o->notes);
	if (!o->watches)
		return;
	timing_lanes_take_slots(g->lanes, o->watches[g->cores[0]].slots);
	timing_lanes_take_signatures(g->lanes, o->watches[g->cores[0]].signatures);
}

static void take_loads(const struct core_pass *p, const struct geometry_pass *g)
{
	const struct core_observer *o = p->observer;
	if (p->predictions)
		timing_lanes_take_predictions(g->lanes, p->predictions, g->cores);
	for (unsigned i = 0; o->critical && o->path != PATH_NOT && i < g->nr; i++)
		timing_lanes_mark(g->lanes, i, o->critical[g->cores[i]]);
}

static enum sahm_status make(struct core_pass *p, const struct core_model *const *models,
			     const struct remedies *const *remedies, unsigned nr, enum lane_form form,
			     struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	p->is_watched = p->observer->batch || p->observer->watches;
	for (unsigned i = 0; i < nr; i++)
		add_core(p, &models[i]->geometry, remedies ? remedies[i] : NULL, i);
	for (unsigned i = 0; i < nr && remedies && status == SAHM_OK; i++)
		if (remedies[i] && remedies[i]->nr_prefetches > 0 && models[i]->timing.nr_queues == MAX_ISSUE_QUEUES)
			status = sahm_fail(err, SAHM_USAGE,
					   "'%s' has %u issue queues, and a core that gets prefetches can have %u",
					   models[i]->name, MAX_ISSUE_QUEUES, MAX_ISSUE_QUEUES - 1);
	for (unsigned i = 0; i < p->nr_memories && status == SAHM_OK; i++)
		if (p->memories[i].remedies)
			status = remedy_pass_new(p->s, p->memories[i].remedies, &p->memories[i].remedied, err);
	p->predictions = p->observer->predict ? calloc(1, sizeof(*p->predictions)) : NULL;
	if (p->observer->predict && !p->predictions && status == SAHM_OK)
		status = sahm_fail_nomem(err);
	for (unsigned i = 0; i < p->nr_geometries && status == SAHM_OK; i++) {
		bool is_scalar = p->is_watched || p->geometries[i].memory->remedies;
		status = make_geometry(&p->geometries[i], models, is_scalar ? LANES_SCALAR : form, p->observer->path,
				       err);
		if (status == SAHM_OK && p->is_watched)
			watch(p, &p->geometries[i]);
		if (status == SAHM_OK)
			take_loads(p, &p->geometries[i]);
	}
	p->batch = calloc(1, sizeof(*p->batch));
	if (p->nr_memories > 1)
		p->copy = calloc(1, sizeof(*p->copy));
	if (p->observer->batch)
		p->stamps = malloc(BATCH_UOPS * sizeof(*p->stamps));
	if (!p->batch || (p->nr_memories > 1 && !p->copy) || (p->observer->batch && !p->stamps))
		return status == SAHM_OK ? sahm_fail_nomem(err) : status;
	return status;
}

static void release_memory(struct memory_use *m)
{
	functional_pass_free(m->pass);
	remedy_pass_free(m->remedied);
}

static void release(struct core_pass *p)
{
	for (unsigned i = 0; i < p->nr_geometries; i++)
		timing_lanes_free(p->geometries[i].lanes);
	for (unsigned i = 0; i < p->nr_branches; i++)
		branch_pass_free(p->branches[i].pass);
	for (unsigned i = 0; i < p->nr_memories; i++)
		release_memory(&p->memories[i]);
	free(p->batch);
	free(p->copy);
	free(p->stamps);
	free(p->predictions);
	free(p);
}

static enum sahm_status report_edges(const struct core_pass *p, const struct geometry_pass *g, unsigned lane,
				     struct sahm_err *err)
{
	struct path_edges edges = timing_lanes_edges(g->lanes, lane);
	return p->observer->edges(p->observer->ctx, g->cores[lane], &edges, err);
}

static enum sahm_status end_run(struct core_pass *p, struct core_counts *out, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (unsigned i = 0; i < p->nr_geometries; i++)
		for (unsigned k = 0; k < p->geometries[i].nr && status == SAHM_OK; k++) {
			unsigned core = p->geometries[i].cores[k];
			counts_so_far(&p->geometries[i], k, &out[core]);
			status = report_pending(p, core, out[core].timing.stalls[STALL_END], err);
			if (status == SAHM_OK && p->observer->edges)
				status = report_edges(p, &p->geometries[i], k, err);
		}
	return status;
}

static enum sahm_status run(struct stream *s, const struct core_model *const *models,
			    const struct remedies *const *remedies, unsigned nr, enum lane_form form,
			    const struct stream_sampling *sampling, const struct core_observer *observer,
			    const struct clock_use *clock, struct core_counts *out, struct sahm_err *err)
{
	static const struct core_observer nobody = {0};
	struct core_pass *p = calloc(1, sizeof(*p));
	if (!p)
		return sahm_fail_nomem(err);
	p->s = s;
	p->sampling = sampling;
	p->observer = observer ? observer : &nobody;
	p->clock = *clock;
	enum sahm_status status = make(p, models, remedies, nr, form, err);
	for (uint64_t i = 0; i < stream_nr_epochs(s) && status == SAHM_OK; i++)
		status = run_epoch(p, i, err);
	if (status == SAHM_OK)
		status = end_run(p, out, err);
	release(p);
	return status;
}

enum sahm_status core_run(struct stream *s, const struct core_model *const *models, unsigned nr, enum lane_form form,
			  const struct stream_sampling *sampling, const struct core_observer *observer,
			  struct core_counts *out, struct sahm_err *err)
{
	return core_run_remedied(s, models, NULL, nr, form, sampling, observer, out, err);
}

enum sahm_status core_run_remedied(struct stream *s, const struct core_model *const *models,
				   const struct remedies *const *remedies, unsigned nr, enum lane_form form,
				   const struct stream_sampling *sampling, const struct core_observer *observer,
				   struct core_counts *out, struct sahm_err *err)
{
	return run(s, models, remedies, nr, form, sampling, observer, &(struct clock_use){.progress_parts = 1}, out,
		   err);
}

enum sahm_status core_run_measured(struct stream *s, const struct core_model *const *models, unsigned nr,
				   enum lane_form form, const struct stream_sampling *sampling,
				   const struct core_observer *observer, struct core_counts *out, struct sahm_err *err)
{
	const struct core_model *own[MAX_LANES];
	uint64_t nr_epochs = stream_nr_epochs(s);
	unsigned nr_own = 0;
	for (unsigned i = 0; i < nr; i++)
		if (core_geometry_needs_clock(&models[i]->geometry))
			own[nr_own++] = models[i];
	if (nr_own == 0 || nr_epochs == 0)
		return core_run(s, models, nr, form, sampling, observer, out, err);
	uint32_t *measured = calloc(nr_own * nr_epochs, sizeof(*measured));
	uint32_t *clocks = calloc(nr * nr_epochs, sizeof(*clocks));
	const struct core_observer progress = {.ctx = observer ? observer->ctx : NULL,
					       .progress = observer ? observer->progress : NULL};
	enum sahm_status status = measured && clocks ? SAHM_OK : sahm_fail_nomem(err);
	if (status == SAHM_OK)
		status = run(s, own, NULL, nr_own, form, sampling, &progress,
			     &(struct clock_use){.measured = measured, .progress_parts = 2}, out, err);
	for (unsigned i = 0, k = 0; i < nr && status == SAHM_OK; i++)
		if (core_geometry_needs_clock(&models[i]->geometry))
			memcpy(&clocks[i * nr_epochs], &measured[k++ * nr_epochs], nr_epochs * sizeof(*clocks));
	if (status == SAHM_OK)
		status = stream_seek(s, 0, err);
	if (status == SAHM_OK)
		status = run(s, models, NULL, nr, form, sampling, observer,
			     &(struct clock_use){
				     .clocks = clocks, .progress_base = stream_nr_instructions(s), .progress_parts = 2},
			     out, err);
	free(measured);
	free(clocks);
	return status;
}
