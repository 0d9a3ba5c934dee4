#include "sim/cli/core_study_ab.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ipu/soft/modules/shipped_modules.h"
#include "ipu/unit/mode.h"
#include "ipu/unit/pro.h"
#include "ipu/unit/soft_source.h"
#include "results/studies/ab_study.h"
#include "sim/base/array.h"
#include "sim/cli/command.h"
#include "sim/cli/core_runs.h"
#include "sim/cli/ipu_loaded.h"
#include "sim/engine/fetch_probe.h"

#define STUDY_PROGRAM "ab"
#define STUDY_ABI "fetch"
/* The shipped module, which is the only one of which the truth is known. */
#define SHIPPED_MODULE "l1i-entangling"
/* Registers from here on are for tests. */
#define END_OF_USED 0x80u
/* Its largest L1I. */
#define MOST_WAYS 16u
#define MOST_SETS 1024u

/* The program's settable words, but for period and latency. */
enum { SET_PERIOD, SET_PREFETCHER, SET_LATENCY, SET_OTHER, SET_SETS, SET_WAYS, SET_SHIFT, SET_ENTRIES, NR_SETTINGS };
#define SETTING_BYTES 48

/* A unit beside a core. */
struct unit_packets {
	struct watched *stream;
	struct ab_packet *packets; /* [nr] */
	size_t nr, room;
	bool failed; /* memory was short */
};

/* A stream that runs. */
struct watched {
	struct fetch_probe *probe;
	struct ab_truth *with, *against; /* NULL: not there */
	uint64_t base_misses;		 /* the core's own */
	struct unit_packets units[NR_AB_UNITS];
	uint64_t instructions;
};

struct study {
	const struct ab_request *request;
	struct core_runs runs;
	struct ab_study study;
	struct soft *soft, *against; /* the latter: of the one against a file's module, the shipped one; else NULL */
	struct ipu_pro pro, against_pro;
	struct ipu_loaded loaded[NR_AB_UNITS]; /* the program with the settings of each unit */
	struct ipu_unit_config unit, against_unit;
	struct fetch_wiring wiring;
	struct prefetcher_spec specs[2]; /* of the prefetcher and the one against it */
	unsigned nr_units;
	bool has_truth;
	struct textbuf mode;
	struct watched *streams;     /* [streams] */
	struct ab_program *programs; /* [streams] */
};

/* ---- The units ---- */

/* The module's number for a kind of prefetcher. */
static unsigned register_of(const struct prefetcher_spec *spec)
{
	return spec->kind == PREFETCHER_ENTANGLING ? 2 : spec->kind == PREFETCHER_NEXT_LINE ? 1 : 0;
}

static struct prefetcher_spec spec_of(const struct ab_request *r, const char *name)
{
	if (strcmp(name, "next-line") == 0)
		return (struct prefetcher_spec){.kind = PREFETCHER_NEXT_LINE, .degree = 1};
	if (strcmp(name, "none") == 0)
		return (struct prefetcher_spec){.kind = PREFETCHER_NONE};
	return (struct prefetcher_spec){.kind = PREFETCHER_ENTANGLING, .entries = (uint32_t)r->entries};
}

static bool has_input(const struct soft_module *m, const struct soft_input *input)
{
	for (uint32_t i = 0; i < m->nr_inputs; i++)
		if (strcmp(m->inputs[i].name, input->name) == 0 && m->inputs[i].bits == input->bits)
			return true;
	return false;
}

/* The module of a file has all that the program uses of the shipped one. */
static enum sahm_status check_module(const struct soft_module *m, const char *file, struct sahm_err *err)
{
	const struct soft_module *shipped = soft_module_l1i_entangling();
	for (uint32_t i = 0; i < shipped->nr_inputs; i++)
		if (!has_input(m, &shipped->inputs[i]))
			return sahm_fail(err, SAHM_CONFIG,
					 "%s: soft logic '%s' has no input '%s' of %" PRIu32
					 " bits, which the program '" STUDY_PROGRAM "' uses",
					 file, m->name, shipped->inputs[i].name, shipped->inputs[i].bits);
	for (uint32_t i = 0; i < shipped->nr_registers && shipped->registers[i].offset < END_OF_USED; i++) {
		const struct soft_register *own = &shipped->registers[i];
		int k = soft_find_register(m, own->offset);
		if (k < 0 || strcmp(m->registers[k].name, own->name) != 0 ||
		    (m->registers[k].access & own->access) != own->access)
			return sahm_fail(err, SAHM_CONFIG,
					 "%s: soft logic '%s' has no register '%s' at 0x%03" PRIx32
					 ", which the program '" STUDY_PROGRAM "' uses",
					 file, m->name, own->name, own->offset);
	}
	return SAHM_OK;
}

static enum sahm_status open_module(struct study *s, struct sahm_err *err)
{
	const struct ab_request *r = s->request;
	const char *name = r->prefetcher;
	bool is_file = soft_is_path(name);
	if (!is_file && strcmp(name, "entangling") != 0 && strcmp(name, "next-line") != 0)
		return sahm_fail(err, SAHM_USAGE,
				 "--prefetcher is '%s', must be entangling, next-line, or the file of a module (with a "
				 "'/' or a '.' in its name)",
				 name);
	if (strcmp(r->against, "none") != 0 && strcmp(r->against, "entangling") != 0 &&
	    strcmp(r->against, "next-line") != 0)
		return sahm_fail(err, SAHM_USAGE, "--against is '%s', must be entangling, next-line or none",
				 r->against);
	if (strcmp(r->against, name) == 0)
		return sahm_fail(err, SAHM_USAGE, "--against is '%s', which is the prefetcher that is tried", name);
	s->specs[0] = spec_of(r, name);
	s->specs[1] = spec_of(r, r->against);
	enum sahm_status status =
		is_file ? soft_open(&s->soft, name, name, r->in_process ? SOFT_IN_PROCESS : SOFT_IN_OWN_PROCESS, err)
			: soft_of_module(&s->soft, soft_module_l1i_entangling(), SHIPPED_MODULE, err);
	if (status == SAHM_OK && is_file)
		status = check_module(soft_description(s->soft), name, err);
	if (status == SAHM_OK && is_file && s->specs[1].kind != PREFETCHER_NONE)
		status = soft_of_module(&s->against, soft_module_l1i_entangling(), SHIPPED_MODULE, err);
	if (status == SAHM_OK)
		s->has_truth = strcmp(soft_description(s->soft)->name, SHIPPED_MODULE) == 0;
	return status;
}

/* Latencies are in soft cycles, rounded up. */
static uint32_t soft_cycles(const struct study *s, uint32_t cycles)
{
	uint64_t hit_mhz = s->unit.hit_mhz;
	return (uint32_t)(((uint64_t)cycles * s->request->soft_mhz + hit_mhz - 1) / hit_mhz);
}

/* Registers of the module that say which shape L1I and table have. */
enum { SHAPE_SETS, SHAPE_WAYS, SHAPE_SHIFT, SHAPE_ENTRIES, NR_SHAPES };
static const char *const shape_names[NR_SHAPES] = {"sets", "ways", "line_shift", "entries"};

static void shape_of(const struct study *s, uint32_t shape[NR_SHAPES])
{
	const struct cache_spec *l1i = &s->runs.models[0].geometry.l1i;
	shape[SHAPE_SETS] = l1i->bytes / l1i->line_bytes / l1i->ways;
	shape[SHAPE_WAYS] = l1i->ways;
	shape[SHAPE_SHIFT] = (uint32_t)__builtin_ctz(l1i->line_bytes);
	shape[SHAPE_ENTRIES] = (uint32_t)s->request->entries;
}

/* Whether the module takes the shape: that of one in Verilog is fixed. */
static enum sahm_status check_shape(const struct study *s, struct sahm_err *err)
{
	const struct soft_module *m = soft_module_l1i_entangling();
	struct soft_block *b = NULL;
	uint32_t shape[NR_SHAPES], offsets[NR_SHAPES] = {0};
	shape_of(s, shape);
	enum sahm_status status = soft_block_new(&b, s->soft, err);
	for (unsigned i = 0; i < NR_SHAPES && status == SAHM_OK; i++) {
		for (uint32_t k = 0; k < m->nr_registers; k++)
			if (strcmp(m->registers[k].name, shape_names[i]) == 0)
				offsets[i] = m->registers[k].offset;
		soft_block_write(b, 0, offsets[i], shape[i]);
	}
	if (status == SAHM_OK)
		soft_block_reset(b, 0);
	for (unsigned i = 0; i < NR_SHAPES && status == SAHM_OK; i++) {
		uint32_t is = soft_block_read(b, 0, offsets[i]);
		if (is != shape[i])
			status = sahm_fail(err, SAHM_CONFIG,
					   "%s: soft logic '%s' keeps %s = %" PRIu32 ", must be %" PRIu32 " here",
					   soft_file(s->soft), soft_description(s->soft)->name, shape_names[i], is,
					   shape[i]);
	}
	soft_block_free(b);
	return status == SAHM_OK ? soft_check(s->soft, err) : status;
}

static enum sahm_status load_unit(struct study *s, enum ab_unit unit, struct sahm_err *err)
{
	const struct core_model *model = &s->runs.models[0];
	uint32_t shape[NR_SHAPES];
	uint32_t latency = soft_cycles(s, model->timing.icache_cycles[LEVEL_L2]);
	char texts[NR_SETTINGS][SETTING_BYTES];
	shape_of(s, shape);
	const char *settings[NR_SETTINGS];
	const struct option_list list = {.items = settings, .nr = NR_SETTINGS};
	const struct ipu_load_request load = {
		.program = STUDY_PROGRAM, .abi = STUDY_ABI, .settings = &list, .engine = DEFAULT_HART_ENGINE};
	const struct {
		const char *name;
		uint64_t value;
	} values[NR_SETTINGS] = {
		[SET_PERIOD] = {"period", s->request->period},
		[SET_PREFETCHER] = {"prefetcher", register_of(&s->specs[unit == AB_AGAINST])},
		[SET_LATENCY] = {"latency", unit == AB_ALL_HIT_L2 ? latency : 0},
		[SET_OTHER] = {"latency_other", latency},
		[SET_SETS] = {shape_names[SHAPE_SETS], shape[SHAPE_SETS]},
		[SET_WAYS] = {shape_names[SHAPE_WAYS], shape[SHAPE_WAYS]},
		[SET_SHIFT] = {shape_names[SHAPE_SHIFT], shape[SHAPE_SHIFT]},
		[SET_ENTRIES] = {shape_names[SHAPE_ENTRIES], shape[SHAPE_ENTRIES]},
	};
	for (unsigned i = 0; i < NR_SETTINGS; i++) {
		snprintf(texts[i], SETTING_BYTES, "%s=%" PRIu64, values[i].name, values[i].value);
		settings[i] = texts[i];
	}
	enum sahm_status status = ipu_loaded_read_abi(&s->loaded[unit], &load, err);
	return status == SAHM_OK ? ipu_loaded_read(&s->loaded[unit], &load, err) : status;
}

static enum sahm_status load_units(struct study *s, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	s->nr_units = s->specs[1].kind == PREFETCHER_NONE ? NR_AB_ESTIMATES : NR_AB_UNITS;
	for (unsigned i = 0; i < s->nr_units && status == SAHM_OK; i++)
		status = load_unit(s, (enum ab_unit)i, err);
	const struct abi *abi = &s->loaded[0].abi;
	if (status == SAHM_OK)
		status = fetch_wire(abi, &s->wiring, err);
	if (status == SAHM_OK)
		status = ipu_pro_init(&s->pro, s->soft, abi, s->request->soft_mhz, err);
	if (status == SAHM_OK && s->against)
		status = ipu_pro_init(&s->against_pro, s->against, abi, s->request->soft_mhz, err);
	return status;
}

/* ---- Packets ---- */

static uint64_t word_at(const uint8_t *bytes, unsigned i)
{
	uint64_t word = 0;
	for (unsigned k = 8; k-- > 0;)
		word = word << 8 | bytes[8 * i + k];
	return word;
}

static void add_packet(struct unit_packets *u, const struct ipu_packet *packet)
{
	if (u->nr == u->room) {
		size_t room = u->room > 0 ? 2 * u->room : 64;
		struct ab_packet *more = realloc(u->packets, room * sizeof(*more));
		u->failed |= !more;
		if (!more)
			return;
		u->packets = more;
		u->room = room;
	}
	u->packets[u->nr++] =
		(struct ab_packet){.instructions = u->stream->instructions,
				   .counts = {/* Dropped accesses are accesses, too: the miss rate is of all. */
					      .lines = word_at(packet->bytes, 0) + word_at(packet->bytes, 7),
					      .base_misses = word_at(packet->bytes, 1),
					      .misses = word_at(packet->bytes, 2),
					      .prefetches = word_at(packet->bytes, 3),
					      .used = word_at(packet->bytes, 4),
					      .late = word_at(packet->bytes, 5),
					      .unused = word_at(packet->bytes, 6)}};
}

static void drain(void *ctx, struct ipu_unit *u)
{
	struct ipu_packet packet;
	while (ipu_unit_take(u, &packet))
		add_packet(ctx, &packet);
}

/* ---- Running ---- */

static enum sahm_status begin(void *ctx, size_t stream, size_t core, struct core_watch *watch, struct sahm_err *err)
{
	struct study *s = ctx;
	struct watched *x = &s->streams[stream];
	const struct core_model *model = &s->runs.models[core];
	struct core_ipu ipus[NR_AB_UNITS];
	(void)watch;
	for (unsigned i = 0; i < s->nr_units; i++) {
		x->units[i].stream = x;
		ipus[i] = (struct core_ipu){.config = i == AB_AGAINST ? &s->against_unit : &s->unit,
					    .program = s->loaded[i].program,
					    .drain = drain,
					    .ctx = &x->units[i]};
	}
	enum sahm_status status =
		fetch_probe_new(&x->probe, model, &s->wiring, s->request->soft_mhz, ipus, s->nr_units, err);
	if (status == SAHM_OK && s->has_truth)
		status = ab_truth_new(&x->with, model, &s->specs[0], err);
	if (status == SAHM_OK && s->has_truth && s->nr_units == NR_AB_UNITS)
		status = ab_truth_new(&x->against, model, &s->specs[1], err);
	return status;
}

static enum sahm_status take(struct study *s, size_t stream, const struct uop_batch *batch,
			     const struct uop_stamps *stamps, const struct timing_notes *notes, struct sahm_err *err)
{
	struct watched *x = &s->streams[stream];
	struct ab_truth *const truths[] = {x->with, x->against};
	enum sahm_status status = fetch_probe_run(x->probe, batch, stamps, notes, err);
	x->instructions += batch->nr_instructions;
	for (uint32_t i = 0; i < batch->nr; i++)
		x->base_misses += batch->uops[i].flags & UOP_FIRST ? batch->uops[i].fetch_fills : 0;
	for (unsigned i = 0; i < ARRAY_SIZE(truths) && status == SAHM_OK; i++)
		if (truths[i])
			ab_truth_run(truths[i], batch, fetch_probe_times(x->probe));
	return status;
}

static enum sahm_status take_batch(void *ctx, size_t stream, size_t core, const struct uop_batch *batch,
				   const struct uop_stamps *stamps, const struct timing_notes *notes,
				   struct sahm_err *err)
{
	(void)core;
	return take(ctx, stream, batch, stamps, notes, err);
}

static enum sahm_status take_warm(void *ctx, size_t stream, size_t core, const struct uop_batch *batch,
				  struct sahm_err *err)
{
	(void)core;
	return take(ctx, stream, batch, NULL, NULL, err);
}

static enum sahm_status reduce(struct study *s, size_t stream, struct sahm_err *err)
{
	struct watched *x = &s->streams[stream];
	struct ab_program *p = &s->programs[stream];
	struct ipu_soft_counts soft;
	const struct unit_packets *a = &x->units[AB_LATENCY], *b = &x->units[AB_AGAINST];
	for (unsigned i = 0; i < s->nr_units; i++) {
		if (x->units[i].failed)
			return sahm_fail_nomem(err);
		const struct ipu_unit *u = fetch_probe_unit(x->probe, i);
		if (ipu_unit_status(u) == IPU_ERROR) {
			struct ipu_fault fault = ipu_unit_fault(u);
			return sahm_fail(err, SAHM_GUEST, "%s: program '%s' has failed in %s at 0x%08" PRIx32 ": %s",
					 s->request->operands->streams.items[stream], STUDY_PROGRAM, fault.routine,
					 fault.pc, hart_cause_text(fault.cause));
		}
		if (x->units[i].nr == 0)
			return sahm_fail(err, SAHM_GUEST, "%s: program '%s' has sent no packet",
					 s->request->operands->streams.items[stream], STUDY_PROGRAM);
		p->units[i] = x->units[i].packets[x->units[i].nr - 1].counts;
	}
	p->instructions = x->instructions;
	p->nr_sets = fetch_probe_sets(x->probe);
	p->nr_packets = a->nr;
	if (ipu_unit_soft_counts(fetch_probe_unit(x->probe, AB_LATENCY), &soft) && soft.arrived > 0)
		p->dropped_pct = 100 * (double)soft.dropped / (double)soft.arrived;
	p->has_truth = s->has_truth;
	if (s->has_truth) {
		p->truth = ab_truth_counts(x->with, x->base_misses);
		p->against_truth = x->against ? ab_truth_counts(x->against, x->base_misses) : ab_without(&p->truth);
	}
	if (s->nr_units == NR_AB_UNITS)
		return ab_judge(a->packets, b->packets, a->nr < b->nr ? a->nr : b->nr, &p->verdict, err);
	/* The one against it is none: it has the base's misses. */
	struct ab_packet *none = calloc(a->nr, sizeof(*none));
	if (!none)
		return sahm_fail_nomem(err);
	for (size_t i = 0; i < a->nr; i++)
		none[i] = (struct ab_packet){a->packets[i].instructions, ab_without(&a->packets[i].counts)};
	p->units[AB_AGAINST] = none[a->nr - 1].counts;
	enum sahm_status status = ab_judge(a->packets, none, a->nr, &p->verdict, err);
	free(none);
	return status;
}

static void release(struct watched *x)
{
	fetch_probe_free(x->probe);
	ab_truth_free(x->with);
	ab_truth_free(x->against);
	for (unsigned i = 0; i < NR_AB_UNITS; i++)
		free(x->units[i].packets);
	*x = (struct watched){.probe = NULL};
}

/* Numbers are all that stays of a stream. */
static enum sahm_status end(void *ctx, size_t stream, size_t core, struct sahm_err *err)
{
	struct study *s = ctx;
	(void)core;
	enum sahm_status status = fetch_probe_end(s->streams[stream].probe, err);
	if (status == SAHM_OK)
		status = reduce(s, stream, err);
	release(&s->streams[stream]);
	return status;
}

static enum sahm_status run_streams(struct study *s, struct sahm_err *err)
{
	const struct ab_request *r = s->request;
	struct core_jobs jobs = {.form = LANES_SCALAR,
				 .nr_threads = r->jobs,
				 .ctx = s,
				 .begin = begin,
				 .batch = take_batch,
				 .warm = take_warm,
				 .takes_notes = true,
				 .end = end};
	enum sahm_status status = core_runs_begin(&s->runs, r->operands, r->sampling, &jobs, err);
	if (status != SAHM_OK)
		return status;
	s->streams = calloc(r->operands->streams.nr, sizeof(*s->streams));
	s->programs = calloc(r->operands->streams.nr, sizeof(*s->programs));
	status = s->streams && s->programs ? core_runs_finish(&s->runs, &jobs, err) : sahm_fail_nomem(err);
	for (size_t i = 0; s->programs && i < r->operands->streams.nr; i++) {
		s->programs[i].stream = s->runs.results[i].stream;
		s->programs[i].nr_sampled = s->runs.results[i].nr_sampled;
		s->programs[i].cycles = s->runs.results[i].counts.timing.cycles;
	}
	return status;
}

/* ---- Printing ---- */

static enum sahm_status print(const struct study *s, struct sahm_err *err)
{
	const struct ab_request *r = s->request;
	size_t nr = r->operands->streams.nr;
	struct textbuf out, notes;
	bool ok = true;
	textbuf_init(&out);
	textbuf_init(&notes);
	if (r->form == OUTPUT_JSON)
		ab_json(&s->study, s->programs, nr, &out);
	else if (r->form == OUTPUT_CSV)
		ab_csv(&s->study, s->programs, nr, &out);
	else
		ok = ab_text(&s->study, s->programs, nr, bold_output(NULL), &out);
	enum sahm_status status = !ok || textbuf_failed(&out) ? sahm_fail_nomem(err) : print_output(r->form, &out, err);
	if (status == SAHM_OK && r->plot)
		status = ab_plot_write(&s->study, s->programs, nr, r->plot, err);
	if (status == SAHM_OK && r->plot)
		status = ab_plot_draw(r->plot, &notes, err);
	print_notes(&notes);
	textbuf_release(&notes);
	textbuf_release(&out);
	return status;
}

/* As far as the shipped module can be like it. */
static enum sahm_status check_l1i(const struct core_geometry *g, const char *core, struct sahm_err *err)
{
	if (g->l1i_prefetchers[0].kind != PREFETCHER_NONE)
		return sahm_fail(err, SAHM_USAGE, "%s has an L1I prefetcher: the test is beside a core without one",
				 core);
	if (g->l1i.replacement != REPLACE_LRU)
		return sahm_fail(err, SAHM_USAGE, "L1I of %s does not have LRU replacement, as the module has", core);
	if (g->l1i.ways > MOST_WAYS || g->l1i.bytes / g->l1i.line_bytes / g->l1i.ways > MOST_SETS)
		return sahm_fail(err, SAHM_USAGE, "L1I of %s is too large for the module: at most %u ways and %u sets",
				 core, MOST_WAYS, MOST_SETS);
	return SAHM_OK;
}

static enum sahm_status prepare(struct study *s, struct sahm_err *err)
{
	static const struct option_list no_axes;
	const struct ab_request *r = s->request;
	const char *core[] = {r->core};
	const struct option_list cores = {.items = core, .nr = 1};
	const char *const outputs[] = {r->operands->keep};
	const struct ipu_mode mode = {.mismatch = r->unit.mismatch, .arg = r->unit.mismatch_arg};
	enum sahm_status status = core_runs_read(&s->runs, &cores, r->settings, &no_axes, err);
	if (status == SAHM_OK)
		status = check_l1i(&s->runs.models[0].geometry, r->core, err);
	if (status == SAHM_OK)
		status = open_module(s, err);
	if (status == SAHM_OK)
		status = check_shape(s, err);
	if (status == SAHM_OK)
		status = load_units(s, err);
	if (status == SAHM_OK)
		status = core_operands_check_outputs(r->operands, &cores, outputs, ARRAY_SIZE(outputs), err);
	if (status == SAHM_OK)
		status = core_request_check_figures(r->plot, ab_figures, r->force, err);
	ipu_mode_write(&mode, &s->mode);
	s->unit.maker = &s->pro.maker;
	s->against_unit = s->unit;
	if (s->against)
		s->against_unit.maker = &s->against_pro.maker;
	return status == SAHM_OK ? core_operands_record(r->operands, r->force, err) : status;
}

enum sahm_status core_study_ab(const struct ab_request *r, struct sahm_err *err)
{
	struct study s = {.request = r, .unit = r->unit};
	textbuf_init(&s.mode);
	enum sahm_status status = prepare(&s, err);
	if (status == SAHM_OK && textbuf_failed(&s.mode))
		status = sahm_fail_nomem(err);
	if (status == SAHM_OK) {
		s.study = (struct ab_study){.core = s.runs.names[0],
					    .config_hash = s.runs.hashes[0],
					    .prefetcher = r->prefetcher,
					    .against = r->against,
					    .entries = (uint32_t)r->entries,
					    .hit_mhz = r->unit.hit_mhz,
					    .soft_mhz = r->soft_mhz,
					    .mode = s.mode.text,
					    .period = r->period,
					    .sampling = *r->sampling};
		status = run_streams(&s, err);
	}
	if (status == SAHM_OK)
		status = print(&s, err);
	for (size_t i = 0; s.streams && i < r->operands->streams.nr; i++)
		release(&s.streams[i]);
	free(s.streams);
	free(s.programs);
	core_runs_release(&s.runs);
	for (unsigned i = 0; i < NR_AB_UNITS; i++)
		ipu_loaded_release(&s.loaded[i]);
	soft_close(s.soft);
	soft_close(s.against);
	textbuf_release(&s.mode);
	return status;
}
