/* IPUs beside modelled cores: what they send is the same live and from a recording, by each engine, with other IPUs and
 * without.
 *
 * SAHM_PROBE_CASES=n draws n programs, SAHM_PROBE_SEED=s other ones. */
#include "sim/engine/core_probe.h"

#include <stdio.h>

#include "tests/helper/environment.h"
#include "tests/reference/refpics.h"
#include "tests/reference/refunit.h"
#include "tests/unit/sim/engine/observed_core.h"

#define NR_CASES 40u
#define PC_MASK ((UINT64_C(1) << 34) - 1)

static struct arena arena;
static struct abi abi;
static struct core_wiring wiring;
static struct ipu_program *programs[2]; /* interpreted, translated */

static int set_up(void **state)
{
	struct sahm_err err;
	(void)state;
	read_spec(&arena, "ipu/abi/pics.cfg", &abi);
	assert_int_equal(core_wire(&abi, &wiring, &err), SAHM_OK);
	programs[0] = load_pics(&abi, "period=300", true);
	programs[1] = load_pics(&abi, "period=300", false);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	ipu_program_free(programs[0]);
	ipu_program_free(programs[1]);
	arena_release(&arena);
	return 0;
}

/* ---- Live and recorded ---- */

static const uint32_t clocks[][2] = {{3200, 2000}, {3200, 3200}, {3200, 1000000}, {1000, 2000}};

static const struct {
	enum ipu_mismatch mismatch;
	uint32_t arg, hit_mhz; /* 0: those of clocks[] */
} modes[] = {
	{IPU_EVERY, 1, 0},  {IPU_SUB_SAMPLE, 1, 0}, {IPU_SUB_SAMPLE, 2, 0},   {IPU_WINDOW, 1, 0},
	{IPU_WINDOW, 4, 0}, {IPU_WINDOW, 16, 0},    {IPU_PHASES, 2000, 2000}, {IPU_PHASES, 2000, 3200},
};

#define NR_WAYS (ARRAY_SIZE(clocks) * ARRAY_SIZE(modes))
#define NR_UNITS (2 * NR_WAYS)

static void set_way(unsigned way, struct ipu_unit_config *c)
{
	unsigned clock = way / ARRAY_SIZE(modes), mode = way % ARRAY_SIZE(modes);
	*c = (struct ipu_unit_config){.hit_mhz = modes[mode].hit_mhz ? modes[mode].hit_mhz : clocks[clock][0],
				      .ipu_mhz = clocks[clock][1],
				      .mismatch = modes[mode].mismatch,
				      .mismatch_arg = modes[mode].arg,
				      .max_cycles = IPU_DEFAULT_MAX_CYCLES,
				      .fifo_bytes = IPU_DEFAULT_FIFO_BYTES};
}

static void compare(const char *what, unsigned way, const char *how, const struct caught *a, const struct caught *b)
{
	for (size_t i = 0; i < a->nr && i < b->nr; i++)
		if (memcmp(&a->list[i], &b->list[i], sizeof(*a->list)) != 0)
			fail_msg("%s, way %u, %s: packet %zu is %#x %#x at %llu, not %#x %#x at %llu", what, way, how,
				 i, b->list[i].pc, b->list[i].signature, (unsigned long long)b->list[i].sent_at,
				 a->list[i].pc, a->list[i].signature, (unsigned long long)a->list[i].sent_at);
	if (a->nr != b->nr)
		fail_msg("%s, way %u, %s: %zu packets, not %zu", what, way, how, b->nr, a->nr);
}

static void compare_counts(const char *what, unsigned way, const char *how, const struct ipu_unit *a,
			   const struct ipu_unit *b)
{
	const struct ipu_counts x = ipu_unit_counts(a), y = ipu_unit_counts(b);
	if (memcmp(&x, &y, sizeof(x)) != 0)
		fail_msg("%s, way %u, %s: other counts", what, way, how);
	assert_int_equal(ipu_unit_status(a), ipu_unit_status(b));
}

static void record_batch(void *ctx, const struct uop_batch *b, const struct uop_stamps *stamps,
			 const uint16_t *signatures)
{
	assert_true(core_recorder_run(ctx, b, stamps, signatures));
}

/* The cycles [from, from + nr), in a file that is at its beginning. */
static FILE *record(const struct observed *o, enum signal_form form, uint64_t from, uint64_t nr)
{
	FILE *f = tmpfile();
	assert_non_null(f);
	struct core_recorder *r = core_recorder_new(&o->t, &wiring, f, form, from, nr);
	assert_non_null(r);
	observed_feed(o, 100, record_batch, r);
	if (!core_recorder_is_done(r))
		assert_true(core_recorder_end(r));
	core_recorder_free(r);
	rewind(f);
	return f;
}

/* As `sahm ipu run` does. The unit is the caller's to free. */
static struct ipu_unit *run_recording(FILE *f, const struct core_ipu *ipu)
{
	struct signal_reader *reader;
	struct signal_set set;
	struct sahm_err err;
	struct ipu_unit *u;
	bool more = true;
	uint64_t end = 0;
	rewind(f);
	assert_int_equal(ipu_unit_new(&u, ipu->config, &err), SAHM_OK);
	ipu_unit_configure(u, 0, ipu->program);
	if (ipu->has_start)
		ipu_unit_set_start(u, 0, ipu->start);
	else
		ipu_unit_resume(u, 0);
	if (ipu->has_stop)
		ipu_unit_set_stop(u, 0, ipu->stop);
	if (signal_reader_new(&reader, f, "recorded", &abi, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	while (signal_reader_set(reader, &set, &more, &err) == SAHM_OK && more) {
		signal_set_apply(&set, u);
		caught_drain(ipu->ctx, u);
	}
	assert_false(more);
	assert_true(signal_reader_last_cycle(reader, &end));
	assert_int_equal(signal_reader_free(reader, SAHM_OK, &err), SAHM_OK);
	ipu_unit_advance(u, end + 1);
	ipu_unit_finalize(u, end + 1);
	ipu_unit_settle(u);
	caught_drain(ipu->ctx, u);
	return u;
}

static uint64_t draw_address(const struct observed *o)
{
	return o->uops[between(&rng, 0, o->nr - 1)].pc & PC_MASK;
}

/* The slow second unit in the place of the product's. */
static void compare_second(const char *what, unsigned way, FILE *recording, const struct core_ipu *ipu,
			   const struct caught *packets, const struct ipu_unit *unit)
{
	struct caught caught = {0};
	struct core_ipu second = *ipu;
	struct ipu_unit_config config = *ipu->config;
	config.maker = &refunit_maker;
	second.config = &config;
	second.ctx = &caught;
	struct ipu_unit *u = run_recording(recording, &second);
	compare(what, way, "second unit", packets, &caught);
	compare_counts(what, way, "second unit", unit, u);
	ipu_unit_free(u);
	caught_free(&caught);
}

/* Two units for each way, of which each executes the program in another manner, then one unit for each, and one on a
 * recording. *nr_packets grows by what they send. */
static void compare_ways(const char *what, const struct observed *o, uint64_t *nr_packets)
{
	static struct caught caught[NR_UNITS];
	static struct ipu_unit_config configs[NR_WAYS];
	static struct core_ipu ipus[NR_UNITS];
	for (unsigned i = 0; i < NR_WAYS; i++) {
		set_way(i, &configs[i]);
		bool has_start = one_in(&rng, 3), has_stop = one_in(&rng, 3);
		ipus[i] = (struct core_ipu){.config = &configs[i],
					    .program = programs[0],
					    .has_start = has_start,
					    .has_stop = has_stop,
					    .start = draw_address(o),
					    .stop = draw_address(o),
					    .drain = caught_drain,
					    .ctx = &caught[i]};
		ipus[NR_WAYS + i] = ipus[i];
		ipus[NR_WAYS + i].program = programs[1];
		ipus[NR_WAYS + i].ctx = &caught[NR_WAYS + i];
	}
	struct core_probe *together = observed_probe(o, &wiring, ipus, NR_UNITS, 1000);
	FILE *files[] = {record(o, SIGNALS_CSV, 0, SIGNALS_MAX_CYCLE), record(o, SIGNALS_BINARY, 0, SIGNALS_MAX_CYCLE)};
	for (unsigned i = 0; i < NR_WAYS; i++) {
		const struct ipu_unit *unit = core_probe_unit(together, i);
		compare(what, i, "translated", &caught[i], &caught[NR_WAYS + i]);
		compare_counts(what, i, "translated", unit, core_probe_unit(together, NR_WAYS + i));

		struct caught again = {0};
		struct core_ipu ipu = ipus[next_random(&rng) % 2 * NR_WAYS + i];
		ipu.ctx = &again;
		struct core_probe *alone = observed_probe(o, &wiring, &ipu, 1, pick(1, 1000));
		compare(what, i, "alone", &caught[i], &again);
		compare_counts(what, i, "alone", unit, core_probe_unit(alone, 0));
		core_probe_free(alone);

		for (unsigned f = 0; f < ARRAY_SIZE(files); f++) {
			again.nr = 0;
			struct ipu_unit *u = run_recording(files[f], &ipu);
			compare(what, i, f ? "binary" : "CSV", &caught[i], &again);
			compare_counts(what, i, f ? "binary" : "CSV", unit, u);
			ipu_unit_free(u);
		}
		if (i % 4 == 1)
			compare_second(what, i, files[0], &ipu, &caught[i], unit);
		*nr_packets += again.nr;
		caught_free(&again);
	}
	for (unsigned i = 0; i < NR_UNITS; i++)
		caught_free(&caught[i]);
	fclose(files[0]);
	fclose(files[1]);
	core_probe_free(together);
}

static void test_ways(void **state)
{
	(void)state;
	uint64_t nr_cases = environment_number("SAHM_PROBE_CASES", NR_CASES);
	uint64_t seed = environment_number("SAHM_PROBE_SEED", 0), nr_packets = 0;
	for (unsigned i = 0; i < nr_cases; i++) {
		char what[32];
		rng = random_of_index(seed, i);
		snprintf(what, sizeof(what), "case %u", i);
		struct observed *o = observed_random();
		compare_ways(what, o, &nr_packets);
		observed_free(o);
	}
	if (nr_cases >= NR_CASES)
		assert_true(nr_packets > 1000);
}

static void test_stream(void **state)
{
	(void)state;
	uint64_t nr_packets = 0;
	struct observed *o = observed_stream("tests/data/cases/quicksort.stream", "tea", 30000);
	rng = 1;
	compare_ways("quicksort", o, &nr_packets);
	assert_true(nr_packets > 1000);
	observed_free(o);
}

/* A unit whose routines may take so few cycles that it faults does not disturb its neighbour. */
static void test_fault(void **state)
{
	(void)state;
	struct caught good = {0}, bad = {0}, alone = {0};
	struct ipu_unit_config configs[2];
	set_way(0, &configs[0]);
	set_way(0, &configs[1]);
	configs[1].max_cycles = 30;
	struct core_ipu ipus[2] = {{.config = &configs[0], .program = programs[1], .drain = caught_drain, .ctx = &good},
				   {.config = &configs[1], .program = programs[1], .drain = caught_drain, .ctx = &bad}};
	struct observed *o = observed_stream("tests/data/cases/quicksort.stream", "tea", 20000);
	struct core_probe *p = observed_probe(o, &wiring, ipus, 2, 500);
	assert_int_equal(ipu_unit_status(core_probe_unit(p, 1)), IPU_ERROR);
	assert_int_equal(ipu_unit_fault(core_probe_unit(p, 1)).cause, HART_BUDGET);
	assert_int_not_equal(ipu_unit_status(core_probe_unit(p, 0)), IPU_ERROR);
	const struct pics_counts counts = core_probe_counts(p);
	core_probe_free(p);
	ipus[0].ctx = &alone;
	p = observed_probe(o, &wiring, ipus, 1, 500);
	compare("fault", 0, "alone", &alone, &good);
	const struct pics_counts again = core_probe_counts(p);
	assert_memory_equal(&counts, &again, sizeof(counts));
	assert_true(alone.nr > 10);
	core_probe_free(p);
	observed_free(o);
	caught_free(&good);
	caught_free(&bad);
	caught_free(&alone);
}

/* ---- Windows ---- */

/* Whether a recording from cycle `from` to `last` has a row in cycle c, and a cell of signal s there. */
static bool has_cell(const struct refpics *slow, uint64_t from, uint64_t last, uint64_t c, enum pics_signal s)
{
	const struct pics_row *row = &slow->cycles[c];
	if (PICS_FLAGS >> s & 1)
		return row->flags >> s & 1;
	return c == from || row->changed >> s & 1 || (c == last && !refpics_has_row(slow, c));
}

static void compare_window(const char *what, const struct observed *o, const struct refpics *slow, uint64_t from,
			   uint64_t nr, enum signal_form form)
{
	struct signal_reader *reader;
	struct sahm_err err;
	struct signal_row row;
	bool more;
	uint64_t last = (nr < slow->counts.cycles - from ? from + nr : slow->counts.cycles) - 1;
	FILE *f = record(o, form, from, nr);
	assert_int_equal(signal_reader_new(&reader, f, "recorded", &abi, &err), SAHM_OK);
	for (uint64_t c = from; c <= last; c++) {
		if (c != from && c != last && !refpics_has_row(slow, c))
			continue;
		assert_int_equal(signal_reader_row(reader, &row, &more, &err), SAHM_OK);
		if (!more || row.cycle != c)
			fail_msg("%s, from %llu: a row of cycle %llu, not %llu", what, (unsigned long long)from,
				 (unsigned long long)row.cycle, (unsigned long long)c);
		for (unsigned i = 0; i < wiring.nr; i++) {
			enum pics_signal s = wiring.of[i].signal;
			bool is_filled = row.filled >> i & 1;
			uint64_t value = PICS_FLAGS >> s & 1 ? 1 : slow->cycles[c].values[s] & wiring.of[i].mask;
			if (is_filled != has_cell(slow, from, last, c, s) || (is_filled && row.values[i] != value))
				fail_msg("%s, from %llu, cycle %llu: %s is wrong", what, (unsigned long long)from,
					 (unsigned long long)c, wiring.of[i].name);
		}
	}
	assert_int_equal(signal_reader_row(reader, &row, &more, &err), SAHM_OK);
	assert_false(more);
	assert_int_equal(signal_reader_free(reader, SAHM_OK, &err), SAHM_OK);
	fclose(f);
}

static void test_windows(void **state)
{
	(void)state;
	for (unsigned i = 0; i < NR_CASES; i++) {
		char what[32];
		rng = random_of_index(1, i);
		snprintf(what, sizeof(what), "case %u", i);
		struct observed *o = observed_random();
		struct refpics *slow = refpics_new(&o->t, o->uops, o->nr, o->prefetches, o->stamps);
		assert_non_null(slow);
		uint64_t cycles = slow->counts.cycles;
		compare_window(what, o, slow, 0, SIGNALS_MAX_CYCLE, SIGNALS_BINARY);
		compare_window(what, o, slow, cycles - 1, 1, SIGNALS_CSV);
		for (unsigned k = 0; k < 20; k++) {
			uint64_t from = between(&rng, 0, cycles - 1);
			compare_window(what, o, slow, from, 1, SIGNALS_CSV);
			compare_window(what, o, slow, from, between(&rng, 1, cycles),
				       k % 2 ? SIGNALS_CSV : SIGNALS_BINARY);
		}
		refpics_free(slow);
		observed_free(o);
	}
}

/* No cycle of it comes. */
static void test_window_past_end(void **state)
{
	(void)state;
	rng = 3;
	struct observed *o = observed_random();
	FILE *f = tmpfile();
	assert_non_null(f);
	struct core_recorder *r = core_recorder_new(&o->t, &wiring, f, SIGNALS_CSV, UINT64_C(1) << 40, 5);
	assert_non_null(r);
	observed_feed(o, 100, record_batch, r);
	assert_true(core_recorder_end(r));
	assert_false(core_recorder_is_done(r));
	assert_int_equal(core_recorder_nr(r), 0);
	assert_true(core_recorder_of_core(r) > 0);
	core_recorder_free(r);
	fclose(f);
	observed_free(o);
}

/* ---- Wiring ---- */

#define FLAG(n, r)                                                                                                     \
	{                                                                                                              \
		.name = (n), .semantics = "", .bits = 1, .reg = (r)                                                    \
	}
#define LEVEL(n, b, r)                                                                                                 \
	{                                                                                                              \
		.name = (n), .semantics = "", .bits = (b), .reg = (r), .rate = 1, .is_level = true                     \
	}

static struct abi made_spec(const struct abi_signal *signals, unsigned nr)
{
	struct abi made = {.name = "made", .file = "made.cfg", .nr_signals = nr};
	memcpy(made.signals, signals, nr * sizeof(*signals));
	return made;
}

static void test_wiring(void **state)
{
	(void)state;
	static const struct abi_signal signals[] = {LEVEL("commit", 8, 30), FLAG("llc", 2), LEVEL("rob_empty", 1, 0),
						    LEVEL("fetch", 64, 7)};
	struct abi made = made_spec(signals, ARRAY_SIZE(signals));
	struct core_wiring w;
	struct sahm_err err;
	made.addr = &made.signals[3];
	assert_int_equal(core_wire(&made, &w, &err), SAHM_OK);
	assert_int_equal(w.nr, 4);
	assert_int_equal(w.addr, 3);
	assert_int_equal(w.levels, UINT32_C(1) << 30 | 1 << 0 | 1 << 7);
	assert_int_equal(w.of[0].signal, PICS_COMMIT);
	assert_int_equal(w.of[0].reg, 30);
	assert_true(w.of[0].mask == 0xff && w.of[2].mask == 1 && w.of[3].mask == UINT64_MAX);
	assert_int_equal(w.of[1].signal, PICS_LLC);
	made.addr = NULL;
	assert_int_equal(core_wire(&made, &w, &err), SAHM_OK);
	assert_int_equal(w.addr, -1);
}

static void test_bad_wiring(void **state)
{
	(void)state;
	static const struct {
		struct abi_signal signal;
		bool is_addr;
		const char *message;
	} rows[] = {
		{LEVEL("comit", 34, 1), false, "made.cfg: a pipeline has no signal 'comit'; did you mean 'commit'?"},
		{LEVEL("pc_commit_of_old", 34, 1), false, "made.cfg: a pipeline has no signal 'pc_commit_of_old'"},
		{LEVEL("llc", 1, 1), false, "made.cfg: 'llc' must have rate = 0, and be no level"},
		{{.name = "llc", .semantics = "", .bits = 1, .reg = 1, .rate = 1},
		 false,
		 "made.cfg: 'llc' must have rate = 0, and be no level"},
		{FLAG("head", 1), false, "made.cfg: 'head' must have level = true"},
		{FLAG("rob_empty", 1), false, "made.cfg: 'rob_empty' must have level = true"},
		{FLAG("llc", 1), true, "made.cfg: addr 'llc' is a flag, must be a PC"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct abi made = made_spec(&rows[i].signal, 1);
		struct core_wiring w;
		struct sahm_err err;
		made.addr = rows[i].is_addr ? &made.signals[0] : NULL;
		assert_int_equal(core_wire(&made, &w, &err), SAHM_CONFIG);
		assert_string_equal(err.msg, rows[i].message);
	}
}

TEST_FILE(test_core_probe)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ways),
		cmocka_unit_test(test_stream),
		cmocka_unit_test(test_fault),
		cmocka_unit_test(test_windows),
		cmocka_unit_test(test_window_past_end),
		cmocka_unit_test(test_wiring),
		cmocka_unit_test(test_bad_wiring),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
