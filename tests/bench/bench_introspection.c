/* Speed of introspection, with IPUs interpreted and translated: cost of an invocation of a short program, the number of
 * `classify` per second, and the cost of IPUs in every core of the paper's realistic system, compared with the engine
 * without them and the same number of separate invocations, all timed in the same run. */
#include <stdio.h>
#include <string.h>

#include "ipu/jit/translation.h"
#include "ipu/unit/load.h"
#include "sim/base/units.h"
#include "sim/engine/config/run.h"
#include "tests/bench/bench.h"
#include "tests/helper/encode.h"
#include "tests/helper/made_elf.h"

#define CONFIG "configs/realistic-39.cfg"
#define NR_INVOCATIONS 2000000u
#define MANY_RUNS 15
#define CYCLES_APART 30000000u /* a timestep of 10 ms at 3 GHz */

/* Nanoseconds of a short invocation; invocations of `classify` a second. */
static const struct goals {
	double short_ns, per_s;
} goals[NR_HART_ENGINES] = {
	[HART_INTERP] = {15, 9e6},
	[HART_JIT] = {8, 40e6},
};
#define GOAL_RATIO 1.3

static void must(enum sahm_status status, const struct sahm_err *err)
{
	if (status == SAHM_OK)
		return;
	fprintf(stderr, "%s\n", err->msg);
	exit(1);
}

static void check(bool ok, const char *problem)
{
	if (ok)
		return;
	fprintf(stderr, "bench_introspection: %s\n", problem);
	exit(1);
}

/* Before any IPU is made of it. */
static void choose_engine(struct ipu_program *program, enum hart_engine engine)
{
	if (engine == HART_INTERP)
		ipu_program_interpret(program);
	else
		ipu_program_translate(program, &host_translator);
}

static struct ipu_unit *make_unit(const struct ipu_program *program)
{
	const struct ipu_unit_config config = {
		.hit_mhz = 3000,
		.ipu_mhz = IPU_DEFAULT_MHZ,
		.mismatch_arg = 1,
		.max_cycles = IPU_DEFAULT_MAX_CYCLES,
		.fifo_bytes = IPU_DEFAULT_FIFO_BYTES,
	};
	struct ipu_unit *unit;
	struct sahm_err err;
	must(ipu_unit_new(&unit, &config, &err), &err);
	ipu_unit_configure(unit, 0, program);
	ipu_unit_settle(unit);
	ipu_unit_resume(unit, ipu_unit_hit_cycle(unit));
	return unit;
}

/* Two inputs, their sum into the scratchpad: six instructions. */
static struct ipu_program *make_short(void)
{
	static const uint32_t words[] = {
		0xcc002573, /* csrr a0, 0xcc0 */
		0xcc1025f3, /* csrr a1, 0xcc1 */
		0x00b50533, /* add a0, a0, a1 */
		0x000105b7, /* lui a1, 0x10 */
		0x00a5a023, /* sw a0, 0(a1) */
		0x00008067, /* ret */
	};
	uint8_t bytes[sizeof(words)];
	for (size_t i = 0; i < sizeof(words) / 4; i++)
		made_put(bytes + 4 * i, 4, words[i]);
	const struct made_segment segment = {.address = 0x100, .bytes = bytes, .nr_bytes = sizeof(bytes)};
	const struct made_symbol symbol = {
		.name = "_main", .address = 0x100, .nr_bytes = sizeof(bytes), .type = 2, .section = 0};
	struct made_elf elf;
	struct ipu_program *program;
	struct sahm_err err;
	made_elf(&elf, 0x100, &segment, 1, &symbol, 1);
	char *copy = malloc(elf.nr_bytes);
	check(copy, "memory is short");
	memcpy(copy, elf.bytes, elf.nr_bytes);
	must(ipu_load(&program, "short.elf", copy, elf.nr_bytes, NULL, NULL, 0, &err), &err);
	free(copy);
	made_elf_free(&elf);
	return program;
}

static void measure_short(enum hart_engine engine)
{
	struct ipu_program *program = make_short();
	choose_engine(program, engine);
	double seconds[RUNS];
	for (int run = 0; run < RUNS; run++) {
		struct ipu_unit *unit = make_unit(program);
		uint64_t cycle = ipu_unit_hit_cycle(unit), values[NR_IOREGS] = {0};
		double start = now();
		for (uint32_t i = 0; i < NR_INVOCATIONS; i++) {
			values[0] = i;
			values[1] = i ^ 5;
			ipu_unit_input(unit, cycle += CYCLES_APART, 3, values);
		}
		seconds[run] = now() - start;
		struct ipu_counts counts = ipu_unit_counts(unit);
		uint32_t found;
		memcpy(&found, ipu_unit_processor(unit)->scratchpad, sizeof(found));
		check(counts.calls_main == NR_INVOCATIONS && counts.instructions == 6ull * NR_INVOCATIONS,
		      "not six instructions");
		check(found == (NR_INVOCATIONS - 1) + ((NR_INVOCATIONS - 1) ^ 5), "not the sum");
		ipu_unit_free(unit);
	}
	printf("%s: _main of 6 instructions, from the input set on: %.2f ns an invocation (goal %.0f)\n",
	       hart_engine_name(engine), 1e9 * median(seconds) / NR_INVOCATIONS, goals[engine].short_ns);
	ipu_program_free(program);
}

/* The study. */

/* A thread's input sets, whole, and which one it has in each timestep: all that is not an invocation is worked out
 * before the clock starts. */
struct alone {
	struct ipu_unit *unit;
	uint32_t valid;
	const uint64_t **sets; /* [nr_steps] */
};

struct study {
	struct run_config config;
	struct arena arena;
	struct probe_inputs *inputs; /* of the traces */
	struct alone *alone;	     /* [nr_threads] */
	uint64_t nr_invocations;
};

static void load_study(struct study *s)
{
	static const char *const settings[] = {"introspection.image=classify"};
	uint64_t room = MAX_PROBE_BYTES;
	struct sahm_err err;
	must(run_config_load(&s->config, CONFIG, settings, 1, ".", &err), &err);
	arena_init(&s->arena);
	s->inputs = arena_alloc(&s->arena, s->config.nr_traces, sizeof(*s->inputs));
	check(s->inputs, "memory is short");
	for (uint32_t i = 0; i < s->config.nr_traces; i++)
		must(probe_inputs_read(&s->config.introspection->probe.wiring, s->config.traces[i].trace, &s->arena,
				       &room, &s->inputs[i], &err),
		     &err);
}

/* One IPU, the counters of all threads by turns, which stand ready. */
static void measure_classify(struct study *s, enum hart_engine engine)
{
	const struct run_introspection *in = s->config.introspection;
	double seconds[RUNS];
	choose_engine(in->program, engine);
	for (int run = 0; run < RUNS; run++) {
		struct ipu_unit *unit = make_unit(in->program);
		struct ipu_packet packet;
		uint64_t cycle = ipu_unit_hit_cycle(unit), nr_words = 0;
		uint64_t nr_steps = s->config.duration_ns / s->config.timestep_ns, step = 0;
		uint32_t thread = 0;
		double start = now();
		for (uint32_t i = 0; i < NR_INVOCATIONS; i++) {
			const struct alone *a = &s->alone[thread];
			ipu_unit_input(unit, cycle += CYCLES_APART, a->valid, a->sets[step]);
			while (ipu_unit_take(unit, &packet))
				nr_words += packet.nr_bytes == STATE_WORD_BYTES;
			if (++thread == s->config.nr_threads) {
				thread = 0;
				step = step + 1 == nr_steps ? 0 : step + 1;
			}
		}
		seconds[run] = now() - start;
		check(nr_words == NR_INVOCATIONS, "not a word for each input set");
		ipu_unit_free(unit);
	}
	double each = median(seconds) / NR_INVOCATIONS;
	printf("%s: classify, counters of the shipped traces, words taken: %.1f million invocations a second (goal "
	       "%.0f), %.1f ns each\n",
	       hart_engine_name(engine), 1e-6 / each, 1e-6 * goals[engine].per_s, 1e9 * each);
}

static void prepare_alone(struct study *s, uint64_t nr_steps)
{
	const struct run_config *config = &s->config;
	const struct probe_wiring *w = &config->introspection->probe.wiring;
	s->alone = arena_alloc(&s->arena, config->nr_threads, sizeof(*s->alone));
	check(s->alone, "memory is short");
	for (uint32_t t = 0; t < config->nr_threads; t++) {
		const struct run_thread *th = &config->threads[t];
		const struct trace *trace = config->traces[th->trace].trace;
		uint64_t nr_epochs = trace_nr_epochs(trace), nr_values = nr_epochs * w->nr_values;
		uint64_t *values = arena_alloc(&s->arena, nr_values, sizeof(*values));
		s->alone[t].sets = arena_alloc(&s->arena, nr_steps, sizeof(*s->alone[t].sets));
		check(values && s->alone[t].sets, "memory is short");
		memcpy(values, s->inputs[th->trace].values, nr_values * sizeof(*values));
		for (uint64_t epoch = 0; epoch < nr_epochs; epoch++)
			values[epoch * w->nr_values + w->thread] = t;
		s->alone[t].valid = s->inputs[th->trace].valid;
		for (uint64_t step = 0; step < nr_steps; step++) {
			uint64_t epoch = (th->offset_ns + step * config->timestep_ns) / trace_epoch_ns(trace);
			s->alone[t].sets[step] = values + epoch % nr_epochs * w->nr_values;
		}
	}
}

/* Each thread on a separate core, its inputs at baseline speed: as many as in the study, of the same traces. `making`
 * is how long it takes to make the IPUs and to free them, which is not part of the result. */
static double run_alone(struct study *s, double *making)
{
	const struct run_config *config = &s->config;
	uint32_t nr = config->nr_threads;
	uint64_t nr_steps = config->duration_ns / config->timestep_ns, nr_words = 0;
	double start = now();
	for (uint32_t t = 0; t < nr; t++)
		s->alone[t].unit = make_unit(config->introspection->program);
	double made = now();
	uint64_t cycle = ipu_unit_hit_cycle(s->alone[0].unit);
	for (uint64_t step = 0; step < nr_steps; step++, cycle += CYCLES_APART) {
		for (uint32_t t = 0; t < nr; t++) {
			const struct alone *a = &s->alone[t];
			struct ipu_packet packet;
			ipu_unit_input(a->unit, cycle, a->valid, a->sets[step]);
			while (ipu_unit_take(a->unit, &packet))
				nr_words += packet.nr_bytes == STATE_WORD_BYTES;
		}
	}
	double done = now();
	for (uint32_t t = 0; t < nr; t++)
		ipu_unit_free(s->alone[t].unit);
	check(nr_words == nr * nr_steps, "not a word for each input set");
	s->nr_invocations = nr_words;
	*making = made - start + (now() - done);
	return done - made;
}

static double run_study(const struct study *s, bool with_ipus, enum sim_engine engine)
{
	struct run_config config = s->config;
	struct run_result result;
	struct sahm_err err;
	if (!with_ipus)
		config.introspection = NULL;
	double start = now();
	must(run_execute(&config, engine, &result, &err), &err);
	double seconds = now() - start;
	run_result_release(&result);
	return seconds;
}

static void measure_study(struct study *study, enum hart_engine engine)
{
	enum { EVENT, PLAIN, ALONE, MAKING, LOOP, LOOP_PLAIN, OVER_EVENT, OVER_PLAIN, NR };
	double seconds[NR][MANY_RUNS];
	choose_engine(study->config.introspection->program, engine);
	for (int i = 0; i < MANY_RUNS; i++) {
		seconds[EVENT][i] = run_study(study, false, SIM_EVENT);
		seconds[PLAIN][i] = run_study(study, false, SIM_PLAIN);
		seconds[ALONE][i] = run_alone(study, &seconds[MAKING][i]);
		seconds[LOOP][i] = run_study(study, true, SIM_EVENT);
		seconds[LOOP_PLAIN][i] = run_study(study, true, SIM_PLAIN);
		seconds[OVER_EVENT][i] = seconds[LOOP][i] / (seconds[EVENT][i] + seconds[ALONE][i]);
		seconds[OVER_PLAIN][i] = seconds[LOOP][i] / (seconds[PLAIN][i] + seconds[ALONE][i]);
	}
	double m[NR];
	for (int i = 0; i < NR; i++)
		m[i] = median_of(seconds[i], MANY_RUNS);
	printf("%s: %s with classify in all %u cores, %llu invocations, medians of %d runs\n", hart_engine_name(engine),
	       CONFIG, study->config.chip.nr_cores, (unsigned long long)study->nr_invocations, MANY_RUNS);
	printf("  engine alone: event %.2f ms, plain %.2f ms; invocations alone %.2f ms (making the IPUs, "
	       "which is left out: %.2f ms)\n",
	       1e3 * m[EVENT], 1e3 * m[PLAIN], 1e3 * m[ALONE], 1e3 * m[MAKING]);
	printf("  in the loop %.2f ms: %.2f of event engine and invocations (goal %.1f), %.2f of plain engine and "
	       "invocations\n",
	       1e3 * m[LOOP], m[OVER_EVENT], GOAL_RATIO, m[OVER_PLAIN]);
	printf("  in the loop of the plain engine, timestep by timestep: %.2f ms\n", 1e3 * m[LOOP_PLAIN]);
}

int main(void)
{
	static struct study s;
	unsigned nr_engines = translation_is_available() ? NR_HART_ENGINES : HART_JIT;
	for (unsigned engine = 0; engine < nr_engines; engine++)
		measure_short((enum hart_engine)engine);
	load_study(&s);
	prepare_alone(&s, s.config.duration_ns / s.config.timestep_ns);
	for (unsigned engine = 0; engine < nr_engines; engine++)
		measure_classify(&s, (enum hart_engine)engine);
	for (unsigned engine = 0; engine < nr_engines; engine++)
		measure_study(&s, (enum hart_engine)engine);
	if (nr_engines < NR_HART_ENGINES)
		printf("no %s: there is no translator for this host\n", hart_engine_name(HART_JIT));
	run_config_release(&s.config);
	arena_release(&s.arena);
	return 0;
}
