#include "sim/sweep/reproduce.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/metrics/run_metrics.h"
#include "results/studies/limit_steps.h"
#include "sim/base/units.h"
#include "sim/engine/config/run.h"
#include "sim/sweep/reproduce_internal.h"
#include "workloads/trace/percentile.h"

const char *const paper_study_names[NR_PAPER_STUDIES] = {
	[PAPER_CHARACTERIZATION] = "characterization",
	[PAPER_LIMIT] = "limit",
	[PAPER_BREADTH] = "breadth",
	[PAPER_GENERALIST] = "generalist",
	[PAPER_REALISTIC] = "realistic",
	[PAPER_CORES_32] = "cores_32",
	[PAPER_CORES_64] = "cores_64",
	[PAPER_MEASURED_CHIPS] = "measured_chips",
	[PAPER_MEASURED_SPACE] = "measured_space",
	[PAPER_MEASURED_THREADS] = "measured_threads",
	[PAPER_BUDGET] = "budget",
};

const char *const paper_study_files[NR_PAPER_STUDIES] = {
	[PAPER_CHARACTERIZATION] = "configs/studies/paper/characterization.cfg",
	[PAPER_LIMIT] = "configs/studies/paper/limit.cfg",
	[PAPER_BREADTH] = "configs/studies/paper/breadth.cfg",
	[PAPER_GENERALIST] = "configs/studies/paper/generalist.cfg",
	[PAPER_REALISTIC] = "configs/studies/paper/realistic.cfg",
	[PAPER_CORES_32] = "configs/studies/paper/cores_32.cfg",
	[PAPER_CORES_64] = "configs/studies/paper/cores_64.cfg",
	[PAPER_MEASURED_CHIPS] = "configs/studies/measured/chips.cfg",
	[PAPER_MEASURED_SPACE] = "configs/studies/measured/space.cfg",
	[PAPER_MEASURED_THREADS] = "configs/studies/measured/threads.cfg",
	[PAPER_BUDGET] = "configs/studies/measured/budget.cfg",
};

static bool is_scaled(enum paper_study study)
{
	return study == PAPER_CORES_32 || study == PAPER_CORES_64;
}

static bool is_of_threads(enum paper_study study)
{
	return study == PAPER_REALISTIC || is_scaled(study) || study == PAPER_MEASURED_THREADS;
}

/* Cores of the group `core` of a chip, as it is written. */
static enum sahm_status count_of(const struct cfg_node *core, uint64_t *nr, struct sahm_err *err)
{
	double count = 0;
	enum sahm_status status = cfg_number(core, &config_keys[KEY_CORE_COUNT], &count, err);
	*nr = (uint64_t)count;
	return status;
}

/* Cores that a study's chip has. */
static enum sahm_status count_cores(const struct cfg_node *cores, uint64_t *nr, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	*nr = 0;
	for (const struct cfg_node *core = cores->first; core && status == SAHM_OK; core = core->next) {
		uint64_t more;
		status = count_of(core, &more, err);
		*nr += more;
	}
	return status;
}

static struct cfg_node *new_node(struct arena *a, enum cfg_kind kind, const char *name, const struct cfg_node *place)
{
	struct cfg_node *node = arena_alloc(a, 1, sizeof(*node));
	if (node)
		*node = (struct cfg_node){.kind = kind, .name = name, .file = place->file, .line = place->line};
	return node;
}

/* `trace`, one of the suite's, for `nr` threads, which begin at epochs spread evenly over it: { file = "...";
 * offset_ms = [...]; }. NULL when memory is short. */
static struct cfg_node *spread(struct arena *a, const struct cfg_node *trace, struct trace *opened, uint64_t nr)
{
	uint64_t nr_epochs = trace_nr_epochs(opened);
	struct cfg_node *group = new_node(a, CFG_GROUP, NULL, trace), *file = new_node(a, CFG_STRING, "file", trace),
			*offsets = new_node(a, CFG_ARRAY, "offset_ms", trace);
	if (!group || !file || !offsets)
		return NULL;
	file->value.string = trace->value.string;
	for (uint64_t i = 0; i < nr; i++) {
		struct cfg_node *offset = new_node(a, CFG_FLOAT, NULL, trace);
		if (!offset)
			return NULL;
		/* nr_epochs x i / nr, which may not fit. */
		uint64_t epoch = nr_epochs / nr * i + nr_epochs % nr * i / nr;
		offset->value.real = ms_of_ns(epoch * trace_epoch_ns(opened));
		cfg_put(offsets, offset);
	}
	cfg_put(group, file);
	cfg_put(group, offsets);
	return group;
}

/* Makes chip and threads of the same number, however many traces the suite has: as many times the chip as it takes to
 * have a core for each trace, unless its size is `fixed`, and as many threads of each trace as it takes to have one for
 * each core. Where there are fewer cores than traces, those that run are spread evenly over the suite. */
static enum sahm_status fill_chip(struct reproducing *p, struct sweep *sweep, bool fixed, struct sahm_err *err)
{
	struct arena *a = &p->r->arena;
	uint64_t nr_traces = p->r->suite.traces->nr_children, nr_cores = 0, i = 0;
	const struct cfg_node *cores = cfg_member(cfg_child(sweep->base, "chip"), &config_keys[KEY_CORES]);
	enum sahm_status status = cores ? count_cores(cores, &nr_cores, err) : SAHM_OK;
	/* A chip without cores, or with too many, is refused when it is made. */
	if (status != SAHM_OK || nr_cores == 0 || nr_cores > MAX_CORES || nr_cores == nr_traces)
		return status;
	uint64_t times = fixed ? 1 : (nr_traces + nr_cores - 1) / nr_cores;
	if (times * nr_cores > MAX_CORES)
		return sahm_fail(err, SAHM_CONFIG,
				 "suite '%s' has %" PRIu64 " traces, and figure 4.10 takes a core for each, of at most "
				 "%u; other figures can be had by their ids",
				 p->r->suite.name, nr_traces, MAX_CORES);
	struct cfg_node *workload = cfg_take(sweep->base, "workload"), *list = cfg_take(workload, "traces");
	struct cfg_node *filled = new_node(a, CFG_LIST, "traces", list);
	if (!filled)
		return sahm_fail_nomem(err);
	cfg_put(sweep->base, workload);
	cfg_put(workload, filled);
	for (const struct cfg_node *trace = list->first; trace; trace = trace->next, i++) {
		uint64_t nr = times * nr_cores, share = (i + 1) * nr / nr_traces - i * nr / nr_traces;
		/* In mode alone each trace of the list has made a thread. */
		struct trace *opened = p->config.traces[p->config.threads[i].trace].trace;
		struct cfg_node *group = spread(a, trace, opened, share);
		if (share == 0)
			continue;
		if (!group)
			return sahm_fail_nomem(err);
		cfg_put(filled, group);
	}
	uint64_t index = 0;
	for (const struct cfg_node *core = cores->first; core && times > 1 && status == SAHM_OK; core = core->next) {
		char setting[64];
		uint64_t count;
		status = count_of(core, &count, err);
		snprintf(setting, sizeof(setting), "chip.cores[%" PRIu64 "].count=%" PRIu64, index++, times * count);
		const char *kept = arena_strdup(a, setting);
		if (status == SAHM_OK)
			status = kept ? cfg_set(a, sweep->base, config_keys, NR_CONFIG_KEYS, kept, err)
				      : sahm_fail_nomem(err);
	}
	return status;
}

static enum sahm_status read_study(struct reproducing *p, enum paper_study which, struct sahm_err *err)
{
	struct paper_result *s = &p->results[which];
	struct textbuf path;
	textbuf_init(&path);
	textbuf_printf(&path, "%s/%s", p->request->data_folder, paper_study_files[which]);
	const char *kept = textbuf_keep(&path, &p->r->arena);
	if (!kept)
		return sahm_fail_nomem(err);
	const struct sweep_request request = {.config = kept,
					      .traces = p->r->suite.traces,
					      .core_types = paper_study_is_measured(which) ? p->core_types : NULL,
					      .cuts = paper_study_is_measured(which) ? p->cuts : NULL,
					      .cache = p->cache,
					      .data_folder = p->request->data_folder};
	enum sahm_status status = sweep_read(&s->sweep, &request, err);
	s->there = status == SAHM_OK;
	enum evaluator wanted = is_of_threads(which) || which == PAPER_BUDGET ? EVALUATE_RUN : EVALUATE_LIMIT;
	if (status == SAHM_OK && which != PAPER_CHARACTERIZATION && s->sweep.evaluator != wanted)
		status = sahm_fail(err, SAHM_CONFIG, "%s: this file has the evaluator '%s', where '%s' is needed", kept,
				   evaluator_names[s->sweep.evaluator], evaluator_names[wanted]);
	if (status == SAHM_OK && is_of_threads(which))
		status = fill_chip(p, &s->sweep, is_scaled(which), err);
	if (status == SAHM_OK)
		status = sweep_write_text(&s->sweep, err);
	return status;
}

static enum sahm_status fail_at_point(const struct paper_result *s, uint64_t position, enum sahm_status status,
				      struct sahm_err *err)
{
	struct sahm_err why = *err;
	struct textbuf point;
	if (s->sweep.space.nr_axes == 0)
		return status;
	textbuf_init(&point);
	space_write_point(&s->sweep.space, position, &point);
	sahm_fail(err, status, "%s, %s: %s", s->sweep.name, point.text, why.msg);
	textbuf_release(&point);
	return status;
}

/* Simulations beside the limit. */
static enum sahm_status simulate_beside(struct reproducing *p, struct paper_result *s, uint64_t position,
					const struct run_config *config, struct sahm_err *err)
{
	if (position == 0) {
		s->beside_ns[0] = config->timestep_ns;
		if (s->nr_beside == MAX_BESIDE) {
			s->beside_ns[0] = 10 * config->timestep_ns;
			s->beside_ns[1] = config->timestep_ns;
			s->beside_ns[2] = config->timestep_ns / 10 ? config->timestep_ns / 10 : 1;
		}
		s->beside = arena_alloc(&p->r->arena, (size_t)s->nr_points * s->nr_threads * s->nr_beside,
					sizeof(*s->beside));
	}
	if (!s->beside)
		return sahm_fail_nomem(err);
	return limit_simulate(config, s->beside_ns, s->nr_beside,
			      s->beside + (size_t)position * s->nr_threads * s->nr_beside, err);
}

/* A run whose samples are kept. */
static enum sahm_status simulate(struct reproducing *p, struct paper_result *s, uint64_t position,
				 const struct run_config *config, struct record *record, struct sahm_err *err)
{
	struct run_result result;
	enum sahm_status status = run_execute(config, SIM_EVENT, &result, err);
	if (status != SAHM_OK)
		return status;
	uint32_t nr_drawn = result.samples ? result.nr_samples - 1 : 0;
	status = record_of_run(&p->r->arena, config, &result, record, err);
	if (status == SAHM_OK && position == 0) {
		s->nr_samples = nr_drawn;
		s->samples = arena_alloc(&p->r->arena, (size_t)s->nr_points * nr_drawn, sizeof(*s->samples));
		if (!s->samples)
			status = sahm_fail_nomem(err);
	}
	if (status == SAHM_OK && nr_drawn != s->nr_samples)
		status = sahm_fail(err, SAHM_CONFIG, "all points must have the same number of samples");
	for (uint32_t i = 0; i < nr_drawn && status == SAHM_OK; i++) {
		struct run_metrics m;
		status = run_metrics_of(&result.samples[1 + i], &m, err);
		if (status == SAHM_OK)
			s->samples[position * nr_drawn + i] = 100 * m.speedup_mean;
	}
	run_result_release(&result);
	return status;
}

static enum sahm_status do_point(struct reproducing *p, struct paper_result *s, uint64_t position, struct hash *hashes,
				 uint8_t hash[HASH_BYTES], struct sahm_err *err)
{
	bool is_budget = s == &p->results[PAPER_BUDGET];
	struct run_config config;
	struct record *record = &s->records[position];
	enum sahm_status status = sweep_point(&s->sweep, position, &p->r->arena, &config, err);
	if (status != SAHM_OK)
		return status;
	run_config_hash(&config, hash);
	hash_add(hashes, hash, HASH_BYTES);
	textbuf_puts(&p->r->notes, config.notes.text);
	status = is_budget ? reproduce_budget_point(p, s, position, &config, err)
		 : s->sweep.evaluator == EVALUATE_RUN
			 ? simulate(p, s, position, &config, record, err)
			 : evaluate(&config, s->sweep.evaluator, &p->r->arena, record, err);
	if (position == 0)
		s->nr_threads = record->nr_threads;
	if (status == SAHM_OK && record->nr_threads != s->nr_threads)
		status = sahm_fail(err, SAHM_CONFIG, "all points must have the same number of threads");
	if (status == SAHM_OK && s->nr_beside)
		status = simulate_beside(p, s, position, &config, err);
	run_config_release(&config);
	return status;
}

/* Reads the study `which` with the suite's traces and evaluates its points; with simulations beside where `nr_beside`
 * is not 0: the study's own timestep and, for MAX_BESIDE, the two around it. */
static enum sahm_status do_study(struct reproducing *p, enum paper_study which, unsigned nr_beside,
				 struct sahm_err *err)
{
	struct paper_result *s = &p->results[which];
	uint8_t last[HASH_BYTES] = {0};
	struct hash hashes;
	if (s->there)
		return SAHM_OK;
	enum sahm_status status = read_study(p, which, err);
	if (status != SAHM_OK)
		return status;
	s->nr_beside = nr_beside;
	s->nr_points = s->sweep.space.nr_points;
	s->records = arena_alloc(&p->r->arena, s->nr_points, sizeof(*s->records));
	if (!s->records)
		return sahm_fail_nomem(err);
	hash_init(&hashes);
	for (uint64_t i = 0; i < s->nr_points && status == SAHM_OK; i++) {
		status = do_point(p, s, i, &hashes, last, err);
		if (status != SAHM_OK)
			status = fail_at_point(s, i, status, err);
	}
	hash_end(&hashes, p->r->hashes[which]);
	if (s->nr_points == 1)
		memcpy(p->r->hashes[which], last, HASH_BYTES);
	p->r->nr_points[which] = s->nr_points;
	p->r->texts[which] = arena_strdup(&p->r->arena, s->sweep.text);
	return status == SAHM_OK && !p->r->texts[which] ? sahm_fail_nomem(err) : status;
}

/* Percentiles of each metric for itself: where one has no value anywhere, the others still have theirs. */
static enum sahm_status take_percentiles(struct reproducing *p, struct trace *const *traces, struct sahm_err *err)
{
	struct cuts *cuts[] = {&p->p25, &p->p50};
	static const uint64_t pct[] = {25, 50};
	for (unsigned i = 0; i < 2; i++) {
		for (unsigned c = 0; c < NR_COMPONENTS; c++) {
			struct sahm_err why;
			enum sahm_status status =
				percentile_cuts(traces, p->study.nr, pct[i] * PPB_PER_PCT, 1u << c, cuts[i], &why);
			if (status == SAHM_OK)
				p->known[i] |= 1u << c;
			else if (status != SAHM_RANGE)
				return sahm_fail(err, status, "%s", why.msg);
		}
	}
	return SAHM_OK;
}

/* Which counters of the traces are assumed or modelled, in a line. */
static enum sahm_status say_origins(struct reproducing *p, struct sahm_err *err)
{
	struct textbuf b;
	textbuf_init(&b);
	characterize_write_origins(&p->study, &b);
	char *text = textbuf_failed(&b) ? NULL : arena_strndup(&p->r->arena, b.text, b.len ? b.len - 1 : 0);
	textbuf_release(&b);
	for (char *at = text; at && (at = strchr(at, '\n'));)
		*at = ';';
	p->r->origins = text;
	return text ? SAHM_OK : sahm_fail_nomem(err);
}

/* Each trace of the suite, of which a thread was made in mode alone; one that is listed twice counts twice. */
static enum sahm_status count_traces(struct reproducing *p, struct sahm_err *err)
{
	struct reproduction *r = p->r;
	uint32_t nr = p->config.nr_threads;
	struct trace **traces = arena_alloc(&r->arena, nr, sizeof(struct trace *));
	struct characterized *rows = arena_alloc(&r->arena, nr, sizeof(*rows));
	r->traces = arena_alloc(&r->arena, nr, sizeof(*r->traces));
	enum sahm_status status = traces && rows && r->traces ? SAHM_OK : sahm_fail_nomem(err);
	for (uint32_t i = 0; i < nr && status == SAHM_OK; i++) {
		const struct run_trace *trace = &p->config.traces[p->config.threads[i].trace];
		traces[i] = trace->trace;
		rows[i] = (struct characterized){.name = p->config.threads[i].name,
						 .epoch_ns = trace_epoch_ns(traces[i]),
						 .synthetic = provenance_is_synthetic(trace_provenance(traces[i])),
						 .nominal = provenance_is_nominal(trace_provenance(traces[i])),
						 .origins = provenance_origins(trace_provenance(traces[i]))};
		status = characterize_trace(traces[i], &p->config.cuts, &rows[i].counts, err);
		r->nr_synthetic += rows[i].synthetic;
		r->nr_nominal += rows[i].nominal;
		r->traces[i].name = arena_strdup(&r->arena, rows[i].name);
		const char *path = trace->path;
		if (status == SAHM_OK)
			status = run_config_path_in_data(&r->arena, p->request->data_folder, &path, err);
		r->traces[i].path = arena_strdup(&r->arena, path);
		memcpy(r->traces[i].hash, trace_hash(traces[i]), HASH_BYTES);
		if (status == SAHM_OK && (!r->traces[i].name || !r->traces[i].path))
			status = sahm_fail_nomem(err);
	}
	r->nr_traces = nr;
	p->study = (struct characterize_study){
		.rows = rows, .nr = nr, .cuts = &p->config.cuts, .cuts_name = p->config.cuts_set};
	if (status == SAHM_OK)
		status = say_origins(p, err);
	return status == SAHM_OK ? take_percentiles(p, traces, err) : status;
}

/* Opens the traces of the characterisation, counts their states, takes percentiles. */
static enum sahm_status characterize(struct reproducing *p, struct sahm_err *err)
{
	struct reproduction *r = p->r;
	struct paper_result *s = &p->results[PAPER_CHARACTERIZATION];
	enum sahm_status status = read_study(p, PAPER_CHARACTERIZATION, err);
	if (status == SAHM_OK)
		status = sweep_point(&s->sweep, 0, &r->arena, &p->config, err);
	if (status != SAHM_OK)
		return status;
	p->has_config = true;
	textbuf_puts(&r->notes, p->config.notes.text);
	run_config_hash(&p->config, r->hashes[PAPER_CHARACTERIZATION]);
	r->nr_points[PAPER_CHARACTERIZATION] = 1;
	r->texts[PAPER_CHARACTERIZATION] = arena_strdup(&r->arena, s->sweep.text);
	return r->texts[PAPER_CHARACTERIZATION] ? count_traces(p, err) : sahm_fail_nomem(err);
}

/* The core types of a file, for studies with measured ones. */
static enum sahm_status read_speedups(struct reproducing *p, struct sahm_err *err)
{
	const char *path = p->request->speedups;
	struct cfg_node *root;
	if (!path)
		return SAHM_OK;
	enum sahm_status status =
		cfg_read_or_suggest(&p->r->arena, path, p->request->data_folder, "configs/", &root, err);
	if (status != SAHM_OK)
		return status;
	p->core_types = cfg_take(root, config_keys[KEY_TYPES].path);
	if (!p->core_types)
		return sahm_fail(err, SAHM_CONFIG, "%s: there are no core_types in it", path);
	/* Speedups by state are those of states by these thresholds. */
	p->cuts = cfg_take(root, config_keys[KEY_CUTS].path);
	return SAHM_OK;
}

static bool is_wanted(const struct reproduction *r, enum paper_study study)
{
	bool wanted = false;
	for (unsigned i = 0; i < NR_REPRODUCED; i++)
		wanted |= r->wanted[i] &&
			  (reproduced_rows[i].study == study || (i == REPRODUCED_4_10 && is_scaled(study)));
	return wanted;
}

static enum sahm_status judge(struct reproducing *p, struct sahm_err *err)
{
	struct reproduction *r = p->r;
	const struct claims_input input = {&p->study, p->p25, p->p50};
	struct claim_measured measured[NR_CLAIMS];
	enum sahm_status status = claims_evaluate(&input, 1, r->results, err);
	for (unsigned c = 0; c < NR_CLAIMS; c++) {
		measured[c] = claim_not_measured;
		if (claim_rows[c].from == CLAIMS_OF_TRACES)
			measured[c].ours = r->results[c].ours;
	}
	if (status == SAHM_OK)
		status = reproduce_measure(p, measured, err);
	for (unsigned c = 0; c < NR_CLAIMS && status == SAHM_OK; c++) {
		r->results[c] = claim_judge((enum claim)c, measured[c].ours, 1);
		r->results[c].low = measured[c].low;
		r->results[c].high = measured[c].high;
		r->results[c].served = measured[c].served;
		for (unsigned i = 0; i < NR_REPRODUCED; i++)
			r->chosen[c] |= r->wanted[i] && strcmp(reproduced_rows[i].id, claim_rows[c].id) == 0;
	}
	return status;
}

/* A measured study takes core types that the file with the speedups does not have. */
static enum sahm_status name_speedups(const struct reproducing *p, enum paper_study which, enum sahm_status status,
				      struct sahm_err *err)
{
	struct sahm_err cause = *err;
	if (!paper_study_is_measured(which) || !p->core_types || (status != SAHM_CONFIG && status != SAHM_USAGE))
		return status;
	return sahm_fail(err, status, "%s: its core_types do not fit %s: %s", p->request->speedups,
			 paper_study_files[which], cause.msg);
}

static enum sahm_status carry_out(struct reproducing *p, struct sahm_err *err)
{
	static const unsigned nr_beside[NR_PAPER_STUDIES] = {[PAPER_LIMIT] = MAX_BESIDE,
							     [PAPER_BREADTH] = 1,
							     [PAPER_GENERALIST] = 1,
							     [PAPER_MEASURED_CHIPS] = 1,
							     [PAPER_MEASURED_SPACE] = 1};
	struct reproduction *r = p->r;
	enum sahm_status status = characterize(p, err);
	if (status == SAHM_OK && is_wanted(r, PAPER_BUDGET))
		status = reproduce_budget_begin(p, err);
	for (unsigned s = 0; s < NR_PAPER_STUDIES && status == SAHM_OK; s++)
		if (is_wanted(r, (enum paper_study)s) && s != PAPER_CHARACTERIZATION)
			status = name_speedups(p, (enum paper_study)s,
					       do_study(p, (enum paper_study)s, nr_beside[s], err), err);
	if (status == SAHM_OK && is_wanted(r, PAPER_BUDGET))
		status = reproduce_budget(p, err);
	if (status == SAHM_OK)
		status = judge(p, err);
	for (unsigned i = 0; i < NR_REPRODUCED && status == SAHM_OK; i++)
		if (r->wanted[i])
			status = reproduce_figure(p, (enum reproduced)i, err);
	if (status == SAHM_OK)
		status = reproduce_side_by_side(p, &r->side_by_side, err);
	return status == SAHM_OK && p->failed ? sahm_fail_nomem(err) : status;
}

enum sahm_status reproduce(const struct reproduce_request *request, struct reproduction *r, struct sahm_err *err)
{
	struct reproducing p = {.request = request, .r = r, .cache = run_cache_new()};
	*r = (struct reproduction){.speedups = request->speedups, .costs = request->costs};
	arena_init(&r->arena);
	textbuf_init(&r->notes);
	textbuf_init(&r->side_by_side);
	textbuf_init(&r->budget);
	for (unsigned i = 0; i < NR_REPRODUCED; i++) {
		r->wanted[i] = request->wanted[i];
		figure_init(&r->figures[i], reproduced_rows[i].name);
		textbuf_init(&r->tables[i]);
	}
	enum sahm_status status =
		p.cache ? trace_suite_read(&r->arena, request->suite, request->data_folder, &r->suite, err)
			: sahm_fail_nomem(err);
	if (status == SAHM_OK) {
		r->is_target = r->suite.is_shipped && strcmp(r->suite.name, REPRODUCE_SUITE) == 0;
		status = read_speedups(&p, err);
	}
	if (status == SAHM_OK)
		status = carry_out(&p, err);
	if (p.has_config)
		run_config_release(&p.config);
	for (unsigned s = 0; s < NR_PAPER_STUDIES; s++)
		if (p.results[s].there)
			sweep_release(&p.results[s].sweep);
	reproduce_budget_end(&p);
	run_cache_free(p.cache);
	if (status != SAHM_OK)
		reproduction_release(r);
	return status;
}

void reproduction_release(struct reproduction *r)
{
	for (unsigned i = 0; i < NR_REPRODUCED; i++) {
		figure_release(&r->figures[i]);
		textbuf_release(&r->tables[i]);
	}
	textbuf_release(&r->notes);
	textbuf_release(&r->side_by_side);
	textbuf_release(&r->budget);
	arena_release(&r->arena);
	*r = (struct reproduction){0};
}

struct claims_shown reproduction_claims(const struct reproduction *r)
{
	return (struct claims_shown){.results = r->results,
				     .chosen = r->chosen,
				     .is_target = r->is_target,
				     .synthetic = r->nr_synthetic > 0,
				     .nominal = r->nr_nominal > 0};
}
