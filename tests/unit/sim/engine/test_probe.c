/* Counters to IORegs and words back: what IPUs see and when, what the scheduler hears and when. */
#include <stdio.h>

#include "sim/base/array.h"
#include "sim/base/units.h"
#include "sim/engine/probe_internal.h"
#include "sim/engine/sim.h"
#include "tests/helper/random.h"
#include "tests/unit/made_chip.h"
#include "tests/unit/sim/engine/made_ipu.h"

#define STEP_NS (10 * NS_PER_MS)
#define TOP_STEPS 64
#define TOP_VALUES 64

/* What a pass found of each thread. */
static struct {
	uint8_t observed[TOP_STEPS][TOP_THREADS];
	uint32_t nr;
} seen;

static u64 note_pass(u64 now)
{
	assert_true(now == seen.nr * sahm_timestep_ns() && seen.nr < TOP_STEPS);
	for (u32 t = 0; t < sahm_nr_tasks(); t++)
		seen.observed[seen.nr][t] = (uint8_t)sahm_observed_state(sahm_task(t));
	seen.nr++;
	return 0;
}

static const struct sched_ext_ops noting = {.name = "noting", .summary = "", .sahm_pass = note_pass};

/* A run of threads that stay where they are, thread t on core t, and what its IPUs say. */
struct run {
	const struct ipu_program *program;
	uint32_t nr_cores, nr_threads, nr_steps;
	const uint64_t *values[TOP_THREADS]; /* of each timestep, which is an epoch */
	uint64_t latency_ns;
	uint32_t sampling, mhz; /* 0: every one; the fastest */
	struct probe_counts counts[TOP_CORES];
};

static void simulate(struct run *run)
{
	static const uint8_t states[TOP_VALUES];
	static uint64_t values[TOP_THREADS][2 * TOP_VALUES];
	static const struct way ways[TOP_CORES];
	struct sim_thread threads[TOP_THREADS];
	struct sim_thread_result results[TOP_THREADS];
	struct sim_result whole;
	struct made_chip made;
	struct sahm_err err;
	struct probe_config probe = made_probe(run->program);

	make_chip(&made, ways, run->nr_cores);
	probe.latency_ns = run->latency_ns;
	probe.sampling = run->sampling ? run->sampling : 1;
	probe.ipu_mhz = probe.hit_mhz = run->mhz ? run->mhz : IPU_MAX_MHZ;
	assert_true(run->nr_steps <= TOP_VALUES);
	for (uint32_t t = 0; t < run->nr_threads; t++) {
		for (uint32_t i = 0; i < run->nr_steps; i++)
			values[t][2 * i] = run->values[t][i];
		threads[t] = (struct sim_thread){
			.states = states,
			.nr_epochs = run->nr_steps,
			.epoch_ns = STEP_NS,
			.inputs = {.values = values[t], .valid = 3},
		};
	}
	struct sim_config config = {
		.chip = &made.chip,
		.threads = threads,
		.nr_threads = run->nr_threads,
		.policy = &noting,
		.timestep_ns = STEP_NS,
		.duration_ns = run->nr_steps * STEP_NS,
		.probe = &probe,
		.probe_counts = run->counts,
	};
	seen.nr = 0;
	if (sim_run(&config, &whole, results, NULL, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	assert_int_equal(seen.nr, run->nr_steps);
}

/* Thread `t` is observed in the states expected[nr] by the first nr passes. */
static void expect_seen(uint32_t t, const uint8_t *expected, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++)
		if (seen.observed[i][t] != expected[i])
			fail_msg("thread %u, timestep %u: %u, not %u", t, i, seen.observed[i][t], expected[i]);
}

#define NONE STATE_NONE

/* A word is there a ns after its timestep began, and the latency. */
static void test_arrival(void **state)
{
	static const uint64_t values[] = {1, 2, 3, 4, 5, 6, 7, 8};
	static const struct {
		uint64_t latency_ns;
		uint8_t expected[8];
	} rows[] = {
		{0, {NONE, 1, 2, 3, 4, 5, 6, 7}},
		{STEP_NS - 2, {NONE, 1, 2, 3, 4, 5, 6, 7}},
		{STEP_NS - 1, {NONE, 1, 2, 3, 4, 5, 6, 7}},
		{STEP_NS, {NONE, NONE, 1, 2, 3, 4, 5, 6}},
		{2 * STEP_NS - 1, {NONE, NONE, 1, 2, 3, 4, 5, 6}},
		{4 * STEP_NS, {NONE, NONE, NONE, NONE, NONE, 1, 2, 3}},
		{100 * STEP_NS, {NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE}},
	};
	const uint32_t tell[] = {TELL};
	struct ipu_program *program = MADE_PROGRAM(tell);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct run run = {.program = program,
				  .nr_cores = 1,
				  .nr_threads = 1,
				  .nr_steps = 8,
				  .values = {values},
				  .latency_ns = rows[i].latency_ns};
		simulate(&run);
		expect_seen(0, rows[i].expected, 8);
		assert_true(run.counts[0].invocations == 8 && run.counts[0].packets == 8 && run.counts[0].bytes == 32);
		assert_true(run.counts[0].instructions == 9 * 8 && run.counts[0].rejected == 0);
	}
	ipu_program_free(program);
}

/* The time that the program itself takes counts, in ns rounded up: 9 instructions at 1 MHz. */
static void test_slow_clock(void **state)
{
	static const uint64_t values[] = {1, 2, 3, 4};
	static const uint8_t next[] = {NONE, 1, 2, 3}, later[] = {NONE, NONE, 1, 2};
	const uint32_t tell[] = {TELL};
	struct ipu_program *program = MADE_PROGRAM(tell);
	struct run run = {
		.program = program, .nr_cores = 1, .nr_threads = 1, .nr_steps = 4, .values = {values}, .mhz = 1};

	(void)state;
	/* the word is complete at the end of the eighth cycle */
	run.latency_ns = STEP_NS - 8000;
	simulate(&run);
	expect_seen(0, next, 4);
	assert_int_equal(run.counts[0].busy_cycles, 4 * 9);
	run.latency_ns = STEP_NS - 7999;
	simulate(&run);
	expect_seen(0, later, 4);
	ipu_program_free(program);
}

static void test_sampling(void **state)
{
	static const uint64_t values[] = {1, 2, 3, 4, 5, 6, 7, 8};
	static const uint8_t expected[] = {NONE, 1, 1, 1, 4, 4, 4, 7};
	const uint32_t tell[] = {TELL};
	struct ipu_program *program = MADE_PROGRAM(tell);
	struct run run = {
		.program = program, .nr_cores = 1, .nr_threads = 1, .nr_steps = 8, .values = {values}, .sampling = 3};

	(void)state;
	simulate(&run);
	expect_seen(0, expected, 8);
	assert_true(run.counts[0].arrived == 8 && run.counts[0].invocations == 3 && run.counts[0].skipped == 5);
	ipu_program_free(program);
}

/* Only words are believed: exactly four bytes, nothing in the reserved bits, a thread that there is. */
static void test_rejected(void **state)
{
	static const uint64_t values[] = {0x005, 0x016, 0x087, 0x102, 0x203, 0x10003, 0xff000103, 0x004};
	static const uint8_t first[] = {NONE, 5, 5, 5, 5, 5, 5, 5}, second[] = {NONE, NONE, NONE, NONE, 2, 2, 2, 2};
	static const uint64_t reserved[] = {0xf0, 0xf0, 0xf0, 0xf0, 0xf0, 0xf0, 0xf0, 0xf0};
	const uint32_t raw[] = {TELL_RAW};
	struct ipu_program *program = MADE_PROGRAM(raw);
	struct run run = {
		.program = program, .nr_cores = 2, .nr_threads = 2, .nr_steps = 8, .values = {values, reserved}};

	(void)state;
	simulate(&run);
	assert_int_equal(run.counts[0].rejected, 5);
	assert_int_equal(run.counts[0].packets, 8);
	assert_int_equal(run.counts[1].rejected, 8);
	expect_seen(0, first, 8);
	expect_seen(1, second, 8);
	ipu_program_free(program);
}

/* Packets of other lengths. */
static void test_lengths(void **state)
{
	static const uint64_t values[] = {1, 2, 3, 4};
	static const uint8_t none[] = {NONE, NONE, NONE, NONE};
	const uint32_t empty[] = {SEND, RET};
	const uint32_t byte[] = {encode_u(OP_LUI, A3, 0x80000000u), encode_s(OP_STORE, 0, A3, X0, 0), SEND, RET};
	const uint32_t eight[] = {csrr(A0, CSR_VALUE), PUT(A0), PUT(X0), SEND, RET};
	const uint32_t never[] = {csrr(A0, CSR_VALUE), PUT(A0), RET};
	const struct {
		const uint32_t *words;
		size_t nr;
		uint64_t packets, bytes;
	} rows[] = {{empty, sizeof(empty) / 4, 4, 0},
		    {byte, sizeof(byte) / 4, 4, 4},
		    {eight, sizeof(eight) / 4, 4, 32},
		    {never, sizeof(never) / 4, 0, 0}};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct ipu_program *program =
			made_program(&(struct made_routines){.main = rows[i].words, .nr_main = rows[i].nr});
		struct run run = {
			.program = program, .nr_cores = 1, .nr_threads = 1, .nr_steps = 4, .values = {values}};
		simulate(&run);
		expect_seen(0, none, 4);
		assert_true(run.counts[0].packets == rows[i].packets && run.counts[0].bytes == rows[i].bytes &&
			    run.counts[0].rejected == rows[i].packets);
		ipu_program_free(program);
	}
}

/* Of two words for one thread that one pass sees, the one that was sent later counts; of such as were sent in the same
 * cycle, that of the core with the higher index. Each IPU says of thread 0 what its value says, after as many rounds of
 * a loop as stand in the value's upper bits. */
static void test_later_word_wins(void **state)
{
	const uint32_t slowly[] = {
		csrr(A0, CSR_VALUE),
		encode_i(OP_IMM, 5, A1, A0, 8), /* srli */
		encode_b(0, A1, X0, 12),
		encode_i(OP_IMM, 0, A1, A1, (uint32_t)-1),
		encode_b(1, A1, X0, (uint32_t)-4),
		encode_i(OP_IMM, 7, A0, A0, 15), /* andi */
		PUT(A0),
		SEND,
		RET,
	};
	static const struct {
		uint64_t first, second;
		uint8_t expected;
	} rows[] = {{0x001, 0x002, 2}, {0x501, 0x002, 1}, {0x001, 0x502, 2}, {0x501, 0x502, 2}, {0x501, 0x602, 2}};
	static const uint64_t latencies_ns[] = {0, 3 * STEP_NS};
	struct ipu_program *program = MADE_PROGRAM(slowly);

	(void)state;
	for (size_t i = 0; i < 2 * ARRAY_SIZE(rows); i++) {
		const uint64_t first[5] = {rows[i / 2].first, rows[i / 2].first, rows[i / 2].first, rows[i / 2].first,
					   rows[i / 2].first};
		const uint64_t second[5] = {rows[i / 2].second, rows[i / 2].second, rows[i / 2].second,
					    rows[i / 2].second, rows[i / 2].second};
		struct run run = {.program = program,
				  .nr_cores = 2,
				  .nr_threads = 2,
				  .nr_steps = 5,
				  .values = {first, second},
				  .latency_ns = latencies_ns[i % 2]};
		simulate(&run);
		assert_int_equal(seen.observed[4][0], rows[i / 2].expected);
	}
	ipu_program_free(program);
}

/* An IPU in ERROR says nothing any more, and everything else goes on. */
static void test_error(void **state)
{
	static const uint64_t bad[] = {1, 0xf, 3, 4}, good[] = {5, 6, 7, 8};
	static const uint8_t first[] = {NONE, 1, 1, 1}, second[] = {NONE, 5, 6, 7};
	const uint32_t words[] = {csrr(A0, CSR_VALUE), li(A1, 0xf), encode_b(1, A0, A1, 8), EBREAK, TELL};
	struct ipu_program *program = MADE_PROGRAM(words);
	struct run run = {.program = program, .nr_cores = 2, .nr_threads = 2, .nr_steps = 4, .values = {bad, good}};

	(void)state;
	simulate(&run);
	expect_seen(0, first, 4);
	expect_seen(1, second, 4);
	const struct probe_counts *c = run.counts;
	assert_true(c[0].nr_faults == 1 && c[0].fault.cause == HART_BREAKPOINT && c[0].fault.pc == MADE_MAIN + 12);
	assert_string_equal(c[0].fault.routine, "_main");
	assert_true(c[0].invocations == 2 && c[0].ignored == 2 && c[0].arrived == 4);
	assert_true(c[1].nr_faults == 0 && c[1].invocations == 4);
	ipu_program_free(program);
}

/* Power-on is over before the first timestep, however long `init` takes, and what it executes counts for nothing. */
static void test_init_is_over(void **state)
{
	static const uint64_t values[] = {1, 2};
	static const uint8_t expected[] = {NONE, 1};
	const uint32_t tell[] = {TELL};
	const uint32_t init[] = {encode_u(OP_LUI, A0, 0x4000), encode_i(OP_IMM, 0, A0, A0, (uint32_t)-1),
				 encode_b(1, A0, X0, (uint32_t)-4), RET};
	struct ipu_program *program = made_program(&(struct made_routines){
		.init = init, .nr_init = sizeof(init) / 4, .main = tell, .nr_main = sizeof(tell) / 4});
	struct run run = {
		.program = program, .nr_cores = 1, .nr_threads = 1, .nr_steps = 2, .values = {values}, .mhz = 7};

	(void)state;
	simulate(&run);
	expect_seen(0, expected, 2);
	assert_true(run.counts[0].dropped == 0 && run.counts[0].instructions == 18 && run.counts[0].busy_cycles == 18);
	ipu_program_free(program);
}

/* Packets of a timer's handler are there in time, though nothing is executed on the core. */
static void test_timer(void **state)
{
	static const uint64_t nothing[4];
	static const uint8_t expected[] = {NONE, NONE, 6, 6};
	const uint32_t tell[] = {RET}, handler[] = {li(A0, 6), PUT(A0), SEND, RET};
	/* every 12,288 us, from power-on on: in the timesteps 1, 2 and 3, of 10,000 us each */
	const uint32_t init[] = {li(A0, MADE_HANDLER), csrw(CSR_HANDLER, A0), encode_u(OP_LUI, A0, 0x3000),
				 csrw(CSR_PERIOD, A0), RET};
	struct ipu_program *program = made_program(
		&(struct made_routines){init, tell, handler, sizeof(init) / 4, sizeof(tell) / 4, sizeof(handler) / 4});
	struct run run = {
		.program = program, .nr_cores = 2, .nr_threads = 1, .nr_steps = 4, .values = {nothing}, .mhz = 1};

	(void)state;
	simulate(&run);
	expect_seen(0, expected, 4);
	assert_true(run.counts[1].arrived == 0 && run.counts[1].invocations == 3 && run.counts[1].packets == 3);
	ipu_program_free(program);
}

static struct abi made_abi(const struct abi_signal *signals, unsigned nr)
{
	struct abi abi = {.name = "made", .file = "made.cfg", .nr_signals = nr};
	memcpy(abi.signals, signals, nr * sizeof(*signals));
	return abi;
}

static void test_wiring(void **state)
{
	static const struct abi_signal signals[] = {{"branches", "", 8, 3, 0, false},
						    {"thread", "", 64, 0, 0, false},
						    {"cycles", "", 64, 5, 0, false},
						    {"instructions", "", 64, 1, 0, false}};
	static const struct epoch_counts epochs[] = {
		{{[COUNTER_INSTRUCTIONS] = UINT64_MAX, [COUNTER_BRANCHES] = 255}},
		{{[COUNTER_INSTRUCTIONS] = 7, [COUNTER_BRANCHES] = 256}},
	};
	struct abi abi = made_abi(signals, 4);
	struct probe_wiring w;
	struct probe_inputs inputs;
	struct trace *trace;
	struct arena a;
	struct sahm_err err;
	uint64_t room = 1000;

	(void)state;
	assert_int_equal(probe_wire(&abi, &w, &err), SAHM_OK);
	assert_true(w.valid == 0x2b && w.nr_values == 6 && w.thread == 0 && w.cycles == 0x20 && w.max[3] == 255);
	FILE *f = tmpfile();
	fputs("instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses\n", f);
	for (int i = 0; i < 2; i++)
		fprintf(f, "%llu,%llu,0,0,0,0,0,0\n", (unsigned long long)epochs[i].count[COUNTER_INSTRUCTIONS] / 2,
			(unsigned long long)epochs[i].count[COUNTER_BRANCHES]);
	rewind(f);
	if (trace_open_stream(f, "made.csv", NULL, &trace, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	fclose(f);
	arena_init(&a);
	assert_int_equal(probe_inputs_read(&w, trace, &a, &room, &inputs, &err), SAHM_OK);
	/* without cycles in the trace they are not valid */
	assert_true(inputs.valid == 0xb && room == 1000 - 2 * 6 * 8);
	assert_true(inputs.values[1] == INT64_MAX && inputs.values[3] == 255);
	assert_true(inputs.values[6 + 1] == 3 && inputs.values[6 + 3] == 255);
	room = 95;
	assert_int_equal(probe_inputs_read(&w, trace, &a, &room, &inputs, &err), SAHM_RANGE);
	trace_free(trace);
	arena_release(&a);
}

static void test_unknown_signal(void **state)
{
	static const struct abi_signal signals[] = {{"thread", "", 32, 0, 0, false},
						    {"branch_miss", "", 64, 1, 0, false}};
	struct abi abi = made_abi(signals, 2);
	struct probe_wiring w;
	struct sahm_err err;

	(void)state;
	assert_int_equal(probe_wire(&abi, &w, &err), SAHM_CONFIG);
	assert_string_equal(err.msg, "made.cfg: a core has no signal 'branch_miss', but the counters of a trace and "
				     "'thread'; did you mean 'branch_misses'?");
}

static void test_arithmetic(void **state)
{
	(void)state;
	assert_true(probe_cycles_of(UINT64_C(1000000000000000), 1000000) == UINT64_C(1000000000000000000));
	assert_true(probe_cycles_of(999, 1) == 0 && probe_cycles_of(1000, 1) == 1 && probe_cycles_of(1, 3000) == 3);
	assert_true(probe_cycles_of(333, 1001) == 333);
	assert_true(probe_ns_of(1, 2000) == 1 && probe_ns_of(2, 2000) == 1 && probe_ns_of(3, 2000) == 2);
	assert_true(probe_ns_of(UINT64_C(1000000000000000000), 1000000) == UINT64_C(1000000000000000));
	assert_true(probe_ns_of(7, 1) == 7000);
}

/* Whatever the order in which words set out, each is there when it is due. */
static void test_late_words(void **state)
{
	enum { NR_ROUNDS = 200, TOP_WORDS = 300 };
	struct late_words late = {0};
	struct late_word word;
	uint64_t rng = 1;

	(void)state;
	for (int round = 0; round < NR_ROUNDS; round++) {
		uint32_t due_at[TOP_WORDS] = {0}, nr = (uint32_t)between(&rng, 0, TOP_WORDS);
		for (uint32_t i = 0; i < nr; i++) {
			word = (struct late_word){.due = between(&rng, 0, TOP_WORDS - 1), .thread = i};
			due_at[word.due]++;
			assert_int_equal(late_words_add(&late, &word), SAHM_OK);
		}
		for (uint64_t step = 0; step < TOP_WORDS; step++) {
			while (late_words_take(&late, step, &word)) {
				assert_int_equal(word.due, step);
				due_at[step]--;
			}
			assert_int_equal(due_at[step], 0);
		}
		assert_int_equal(late.nr, 0);
	}
	free(late.heap);
}

static enum sahm_status add_word(struct late_words *late, uint64_t due, uint32_t thread, uint64_t sent_at)
{
	const struct late_word word = {.due = due, .thread = thread, .sent_at = sent_at, .core = (uint32_t)sent_at % 7};
	return late_words_add(late, &word);
}

/* However many words come for the same thread and pass, they take no more room than one; the last one stays. */
static void test_overtaken_words(void **state)
{
	enum { NR_THREADS = 5, NR_WORDS = 100000 };
	struct late_words late = {0};
	struct late_word word;
	uint64_t last[NR_THREADS] = {0};

	(void)state;
	for (uint64_t i = 1; i <= NR_WORDS; i++)
		assert_int_equal(add_word(&late, 3, (uint32_t)(i % NR_THREADS), i), SAHM_OK);
	assert_true(late.room <= 64);
	while (late_words_take(&late, 3, &word)) {
		assert_true(word.thread < NR_THREADS && word.core == word.sent_at % 7);
		if (word.sent_at > last[word.thread])
			last[word.thread] = word.sent_at;
	}
	for (uint64_t i = 0; i < NR_THREADS; i++)
		assert_int_equal(last[(NR_WORDS - i) % NR_THREADS], NR_WORDS - i);
	free(late.heap);
}

/* There is an end to those that all count. */
static void test_too_many_words(void **state)
{
	struct late_words late = {0};
	enum sahm_status status = SAHM_OK;
	uint64_t nr = 0;

	(void)state;
	for (; status == SAHM_OK && nr < 4 * MAX_LATE_WORDS; nr++)
		status = add_word(&late, nr / 4, (uint32_t)nr % 4, nr + 1);
	assert_int_equal(status, SAHM_RANGE);
	assert_true(nr > MAX_LATE_WORDS && late.room <= 2 * MAX_LATE_WORDS);
	free(late.heap);
}

/* Neither engine goes on with a run that has failed: this one would take hours. */
static void test_flood(void **state)
{
	enum { NR_THREADS = 312 * 16 };
	/* a word for each thread */
	const uint32_t words[] = {encode_u(OP_LUI, A0, NR_THREADS / 16 << 12),
				  encode_u(OP_LUI, A3, 0x80000000u),
				  encode_u(OP_LUI, A2, 0x80010000u),
				  encode_i(OP_IMM, 0, A0, A0, (uint32_t)-256),
				  encode_s(OP_STORE, 2, A3, A0, 0),
				  encode_s(OP_STORE, 2, A2, X0, (uint32_t)-4),
				  encode_b(1, A0, X0, (uint32_t)-12),
				  RET};
	static const uint8_t states[1];
	static const uint64_t values[2];
	static const struct way ways[1];
	static struct sim_thread threads[NR_THREADS];
	static struct sim_thread_result results[NR_THREADS];
	struct ipu_program *program = MADE_PROGRAM(words);
	struct probe_config probe = made_probe(program);
	struct probe_counts counts;
	struct sim_result whole;
	struct made_chip made;
	struct sahm_err err;

	(void)state;
	make_chip(&made, ways, 1);
	probe.latency_ns = MAX_PROBE_LATENCY_NS;
	for (uint32_t t = 0; t < NR_THREADS; t++)
		threads[t] = (struct sim_thread){.states = states,
						 .nr_epochs = 1,
						 .epoch_ns = NS_PER_MS,
						 .inputs = {.values = values, .valid = 3}};
	for (int engine = 0; engine < 2; engine++) {
		const struct sim_config config = {
			.chip = &made.chip,
			.threads = threads,
			.nr_threads = NR_THREADS,
			.policy = sched_policy_find("static"),
			.timestep_ns = NS_PER_MS,
			.duration_ns = MAX_RUN_NS,
			.engine = engine ? SIM_PLAIN : SIM_EVENT,
			.probe = &probe,
			.probe_counts = &counts,
		};
		assert_int_equal(sim_run(&config, &whole, results, NULL, &err), SAHM_RANGE);
		assert_string_equal(err.msg, "more than 2097152 words of IPUs are on their way to the scheduler at a "
					     "time: introspection.latency_us is too long for all that they send");
	}
	ipu_program_free(program);
}

/* Packets that `init` sends long before its end have arrived when time begins, or have less way to go. */
static void test_words_of_init(void **state)
{
	static const uint64_t nothing[4];
	static const struct {
		uint64_t latency_ns;
		uint8_t expected[4];
	} rows[] = {
		/* 30 ms and a bit pass after it */
		{0, {6, 6, 6, 6}},
		{3 * STEP_NS, {6, 6, 6, 6}},
		{3 * STEP_NS + 4 * NS_PER_MS, {NONE, 6, 6, 6}},
		{5 * STEP_NS, {NONE, NONE, 6, 6}},
		{9 * STEP_NS, {NONE, NONE, NONE, NONE}},
	};
	/* 15,360 rounds of two cycles at 1 MHz, and a few cycles */
	const uint32_t init[] = {li(A0, 6),
				 PUT(A0),
				 SEND,
				 encode_u(OP_LUI, A0, 0x4000),
				 li(A1, 1024),
				 encode_r(OP_REG, 0, 0x20, A0, A0, A1),
				 encode_i(OP_IMM, 0, A0, A0, (uint32_t)-1),
				 encode_b(1, A0, X0, (uint32_t)-4),
				 RET};
	const uint32_t tell[] = {RET};
	struct ipu_program *program = made_program(&(struct made_routines){
		.init = init, .nr_init = sizeof(init) / 4, .main = tell, .nr_main = sizeof(tell) / 4});

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct run run = {.program = program,
				  .nr_cores = 1,
				  .nr_threads = 1,
				  .nr_steps = 4,
				  .values = {nothing},
				  .mhz = 1,
				  .latency_ns = rows[i].latency_ns};
		simulate(&run);
		expect_seen(0, rows[i].expected, 4);
	}
	ipu_program_free(program);
}

/* To the ns: a word that is complete 21 cycles of 7 MHz before time 0, which are 3000 ns. */
static void test_arrival_before_time_0(void **state)
{
	struct probe_config config = {.ipu_mhz = 7, .hit_mhz = 7};
	struct probes p = {.config = &config, .timestep_ns = 100, .base_ipu = 7000};

	(void)state;
	for (config.latency_ns = 2500; config.latency_ns < 3500; config.latency_ns++) {
		uint64_t late_ns = config.latency_ns > 3000 ? config.latency_ns - 3000 : 0;
		uint64_t due = (late_ns + 99) / 100;
		assert_int_equal(probes_due_of(&p, 7000 - 21), due);
		assert_true(7000 - 21 <= probes_in_time_for(&p, due));
		assert_true(due == 0 || 7000 - 21 > probes_in_time_for(&p, due - 1));
	}
	/* a part of a ns later than 2857 ns before */
	config.latency_ns = 2857;
	assert_true(probes_due_of(&p, 7000 - 20) == 0 && probes_in_time_for(&p, 0) == 7000 - 20);
	config.latency_ns = 2858;
	assert_true(probes_due_of(&p, 7000 - 20) == 1 && probes_in_time_for(&p, 0) == 7000 - 21);
}

/* Of a routine that runs past the end, the part after it does not count: words from the 4th timestep on, one
 * every 2 ms, at the end of the cycles 4, 2004, ... of it. */
static void test_end(void **state)
{
	static const uint64_t values[] = {0, 0, 0, 1, 0};
	const uint32_t words[] = {csrr(A0, CSR_VALUE), encode_b(1, A0, X0, 8), RET,
				  /* sends, then 666 rounds of 3 cycles */
				  li(A1, 666), SEND, encode_i(OP_IMM, 0, A1, A1, (uint32_t)-1),
				  encode_i(OP_IMM, 0, X0, X0, 0), encode_b(1, A1, X0, (uint32_t)-8),
				  encode_b(0, X0, X0, (uint32_t)-24)};
	struct ipu_program *program = MADE_PROGRAM(words);
	struct run run = {
		.program = program, .nr_cores = 1, .nr_threads = 1, .nr_steps = 5, .values = {values}, .mhz = 1};

	(void)state;
	simulate(&run);
	const struct probe_counts *c = run.counts;
	/* 3 cycles in each of three timesteps, then two timesteps of 10,000 cycles each, until the watchdog's 100,000
	 */
	assert_int_equal(c->busy_cycles, 3 * 3 + 20000);
	assert_int_equal(c->nr_faults, 0);
	assert_int_equal(c->dropped, 1);
	assert_true(c->instructions > 90000);
	assert_int_equal(c->packets, 10);
	assert_int_equal(c->rejected, 10);
	ipu_program_free(program);
}

TEST_FILE(test_probe)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_overtaken_words),
		cmocka_unit_test(test_too_many_words),
		cmocka_unit_test(test_flood),
		cmocka_unit_test(test_words_of_init),
		cmocka_unit_test(test_end),
		cmocka_unit_test(test_arrival_before_time_0),
		cmocka_unit_test(test_late_words),
		cmocka_unit_test(test_arithmetic),
		cmocka_unit_test(test_arrival),
		cmocka_unit_test(test_slow_clock),
		cmocka_unit_test(test_sampling),
		cmocka_unit_test(test_rejected),
		cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_error),
		cmocka_unit_test(test_later_word_wins),
		cmocka_unit_test(test_init_is_over),
		cmocka_unit_test(test_timer),
		cmocka_unit_test(test_wiring),
		cmocka_unit_test(test_unknown_signal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
