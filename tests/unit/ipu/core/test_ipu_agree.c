/* The interpreter and the translator against the reference interpreter on random programs: after every slice of a run
 * registers, pc, cause, address, the number of retired instructions and all memory must be the same, whether pairs are
 * fused or not, code is fixed or not, in large steps, odd ones, or one by one. Code that changes has been executed
 * often enough to be translated when it is compared, unless the program changes it itself.
 *
 * A program is a function of a seed and an index. In the environment: SAHM_IPU_PROGRAMS, how many programs;
 * SAHM_IPU_SEED, the seed; SAHM_IPU_INDEX, only one program; SAHM_IPU_COVERAGE prints what has happened how often;
 * SAHM_IPU_PAIRS, how many programs for each pair of operations; SAHM_IPU_PAIR, one of those by its index.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ipu/core/hart.h"
#include "ipu/jit/translation.h"
#include "sim/base/array.h"
#include "tests/helper/environment.h"
#include "tests/helper/random.h"
#include "tests/helper/random_program.h"
#include "tests/reference/refhart.h"
#include "tests/unit/engine.h"

#define NR_PROGRAMS 9000u
#define NR_OF_EACH_PAIR 10u
#define NR_SUBJECTS 8
#define MOST_RAW_STEPS 600u
#define MOST_FAULTS 12u
#define NR_LAST 40u
#define NR_WARMING_RUNS 16u

static const enum hart_cause causes[] = {
	[REFHART_RUNS] = HART_BUDGET,
	[REFHART_RETURNED] = HART_RETURNED,
	[REFHART_ILLEGAL] = HART_ILLEGAL_INSTRUCTION,
	[REFHART_BREAKPOINT] = HART_BREAKPOINT,
	[REFHART_ENVIRONMENT_CALL] = HART_ENVIRONMENT_CALL,
	[REFHART_LOAD_MISALIGNED] = HART_LOAD_MISALIGNED,
	[REFHART_LOAD_OUTSIDE] = HART_LOAD_OUTSIDE,
	[REFHART_STORE_MISALIGNED] = HART_STORE_MISALIGNED,
	[REFHART_STORE_OUTSIDE] = HART_STORE_OUTSIDE,
	[REFHART_JUMP_OUTSIDE] = HART_JUMP_OUTSIDE,
	[REFHART_FETCH_OUTSIDE] = HART_FETCH_OUTSIDE,
	[REFHART_INPUT] = HART_INPUT,
	[REFHART_HISTOGRAM_SHAPE] = HART_HISTOGRAM_SHAPE,
	[REFHART_NESTED_LOOP] = HART_NESTED_LOOP,
};
#define NR_STOPS ARRAY_SIZE(causes)

/* What there must be enough of among the programs. */
struct coverage {
	uint64_t stops[NR_STOPS];
	uint64_t taken, not_taken, straddled, misaligned, retired, modifying, counted, loops_done, breaks, traces;
};

/* One way to run a program. */
struct subject {
	const char *name;
	unsigned flags;
	bool is_translated;
	uint64_t most;	   /* budgets of this number at once; else: */
	bool has_odd_ones; /* of many sizes, all small */
	uint64_t every;	   /* one program in this number separately */
	bool is_used;
	struct code *code;
	struct hart h;
	uint8_t bytes[RANDOM_CODE_BYTES + RANDOM_DATA_BYTES];
};

struct comparison {
	struct random_program program;
	struct refhart reference;
	uint8_t bytes[RANDOM_CODE_BYTES + RANDOM_DATA_BYTES];
	uint64_t inputs[32];
	uint32_t last[NR_LAST]; /* where the reference has been, modulo their number by nr_steps */
	uint64_t nr_steps;
	struct subject subjects[NR_SUBJECTS];
	const char *index; /* what gives the index of its program */
};

/* Registers and memory as the program begins with. */
static void begin(struct subject *s, const struct random_program *p)
{
	memcpy(s->bytes, p->bytes, sizeof(s->bytes));
	for (unsigned r = 0; r < 32; r++)
		hart_set_register(&s->h, r, p->x[r]);
	hart_jump(&s->h, p->base);
	s->h.nr_retired = s->h.nr_extra = 0;
}

/* Runs the program several times, continuing after faults, and restarts it. */
static void warm(struct subject *s, const struct random_program *p)
{
	for (unsigned run = 0; run < NR_WARMING_RUNS; run++) {
		for (unsigned nr_faults = 0; nr_faults < MOST_FAULTS && s->h.nr_retired < MOST_RAW_STEPS;) {
			if (hart_run(&s->h, MOST_RAW_STEPS) == HART_INPUT)
				continue;
			nr_faults++;
			if (s->h.cause == HART_BUDGET || !code_holds(s->code, s->h.pc + 4))
				break;
			hart_jump(&s->h, s->h.pc + ((code_word(s->code, s->h.pc) & 3) == 3 ? 4 : 2));
		}
		begin(s, p);
	}
}

static void set_up(struct comparison *c)
{
	const struct random_program *p = &c->program;
	static const struct subject kinds[NR_SUBJECTS] = {
		{.name = "fused", .flags = 0},
		{.name = "unfused", .flags = CODE_UNFUSED},
		{.name = "fixed", .flags = CODE_FIXED},
		{.name = "step by step", .flags = 0, .most = 1, .every = 2},
		{.name = "translated", .flags = 0, .is_translated = true},
		{.name = "translated, fixed", .flags = CODE_FIXED, .is_translated = true, .every = 2},
		{.name = "translated, odd budgets",
		 .flags = 0,
		 .is_translated = true,
		 .has_odd_ones = true,
		 .every = 4},
		{.name = "translated, fixed, step by step",
		 .flags = CODE_FIXED,
		 .is_translated = true,
		 .most = 1,
		 .every = 6},
	};
	/* Flat: one memory of code and data, reached both ways. */
	uint32_t data_base = p->flat ? p->base : p->data_base, data_at = p->flat ? 0 : RANDOM_CODE_BYTES;
	uint32_t nr_data = RANDOM_CODE_BYTES + RANDOM_DATA_BYTES - data_at;
	uint32_t nr_code = p->flat ? nr_data : p->nr_code_bytes;

	memcpy(c->bytes, p->bytes, sizeof(c->bytes));
	memcpy(c->inputs, p->inputs, sizeof(c->inputs));
	c->nr_steps = 0;
	c->reference = (struct refhart){
		.pc = p->base,
		.code = c->bytes,
		.code_base = p->base,
		.code_bytes = nr_code,
		.data = c->bytes + data_at,
		.data_base = data_base,
		.data_bytes = nr_data,
		.traps_misaligned = p->traps_misaligned,
		.inputs = p->has_inputs ? c->inputs : NULL,
	};
	memcpy(c->reference.x, p->x, sizeof(p->x));
	for (unsigned i = 0; i < NR_SUBJECTS; i++) {
		struct subject *s = &c->subjects[i];
		struct sahm_err err;
		uint64_t group = p->index / RANDOM_LINUX;
		s->name = kinds[i].name;
		s->flags = kinds[i].flags;
		s->is_translated = kinds[i].is_translated;
		s->most = kinds[i].most;
		s->has_odd_ones = kinds[i].has_odd_ones;
		s->is_used = !(s->flags & CODE_FIXED && p->modifies_code) &&
			     !(kinds[i].every && group % kinds[i].every) && (!s->is_translated || tests_translator());
		if (!s->is_used)
			continue;
		memcpy(s->bytes, p->bytes, sizeof(s->bytes));
		assert_int_equal(code_new(&s->code, p->base, s->bytes, nr_code, s->flags, &err), SAHM_OK);
		hart_init(&s->h, s->code);
		hart_set_memory(&s->h, data_base, s->bytes + data_at, nr_data);
		s->h.traps_misaligned = p->traps_misaligned;
		s->h.inputs = c->reference.inputs;
		if (s->is_translated)
			s->h.translation = translation_new(&s->h);
		begin(s, p);
		if (s->is_translated && !(s->flags & CODE_FIXED) && !p->modifies_code)
			warm(s, p);
	}
}

static void tear_down(struct comparison *c)
{
	for (unsigned i = 0; i < NR_SUBJECTS; i++) {
		if (!c->subjects[i].is_used)
			continue;
		translation_free(c->subjects[i].h.translation);
		code_free(c->subjects[i].code);
	}
}

static enum hart_cause run_subject(struct subject *s, uint64_t budget)
{
	enum hart_cause cause = HART_BUDGET;
	if (!s->most && !s->has_odd_ones)
		return hart_run(&s->h, budget);
	for (uint64_t i = 0; budget > 0 && cause == HART_BUDGET; i++) {
		uint64_t most = s->has_odd_ones ? 1 + 7 * i % 13 : s->most, piece = budget < most ? budget : most;
		cause = hart_run(&s->h, piece);
		budget -= piece;
	}
	return cause;
}

static void run_reference(struct comparison *c, uint64_t budget)
{
	while (budget-- > 0 && c->reference.stop == REFHART_RUNS) {
		c->last[c->nr_steps++ % NR_LAST] = c->reference.pc;
		refhart_step(&c->reference);
	}
}

static void print_word(const struct comparison *c, uint32_t pc)
{
	const struct refhart *r = &c->reference;
	uint32_t at = pc - r->code_base, word = 0;

	for (uint32_t i = 0; i < 4; i++)
		word |= at + i < r->code_bytes ? (uint32_t)r->code[at + i] << 8 * i : 0;
	if ((word & 3) == 3)
		print_error("  %08" PRIx32 "  %08" PRIx32 "\n", pc, word);
	else
		print_error("  %08" PRIx32 "  %04" PRIx32 "\n", pc, word & 0xffff);
}

static void print_way(const struct comparison *c)
{
	print_error("after %" PRIu64 " steps; the reference's way, and what is next:\n", c->nr_steps);
	for (uint64_t i = c->nr_steps < NR_LAST ? 0 : c->nr_steps - NR_LAST; i < c->nr_steps; i++)
		print_word(c, c->last[i % NR_LAST]);
	print_word(c, c->reference.pc);
}

/* Complains and gives up. */
static void disagree(const struct comparison *c, const struct subject *s, const char *what, uint64_t here,
		     uint64_t reference)
{
	const struct random_program *p = &c->program;

	print_error("%s, SAHM_IPU_SEED=%" PRIu64 " %s=%" PRIu64 "%s%s%s: %s is 0x%" PRIx64 " here, 0x%" PRIx64
		    " in the reference\n",
		    s->name, p->seed, c->index, p->index, p->flat ? ", flat" : "",
		    p->modifies_code ? ", modifies code" : "", p->traps_misaligned ? ", traps misaligned" : "", what,
		    here, reference);
	print_error("it is at %08" PRIx32 "\n", s->h.pc);
	print_way(c);
	fail_msg("%s: it and the reference disagree", s->name);
}

static void compare(const struct comparison *c, const struct subject *s)
{
	const struct refhart *r = &c->reference;
	char name[8];

	if (s->h.cause != causes[r->stop])
		disagree(c, s, "the cause", s->h.cause, causes[r->stop]);
	if (s->h.pc != r->pc)
		disagree(c, s, "pc", s->h.pc, r->pc);
	if (s->h.nr_retired != r->nr_retired)
		disagree(c, s, "the number of retired instructions", s->h.nr_retired, r->nr_retired);
	if (hart_cause_is_fault((enum hart_cause)s->h.cause) && s->h.address != r->address)
		disagree(c, s, "the address", s->h.address, r->address);
	if (s->h.nr_extra != r->nr_extra)
		disagree(c, s, "the number of cycles beyond instructions", s->h.nr_extra, r->nr_extra);
	if (s->h.loop_left != r->loop_times)
		disagree(c, s, "how often the loop is to be done", s->h.loop_left, r->loop_times);
	if (r->loop_times > 0 && s->h.loop_start != r->loop_first)
		disagree(c, s, "the beginning of the loop", s->h.loop_start, r->loop_first);
	if (r->loop_times > 0 && s->h.loop_end != r->loop_end)
		disagree(c, s, "the end of the loop", s->h.loop_end, r->loop_end);
	for (unsigned i = 0; i < 32; i++) {
		if (hart_register(&s->h, i) == r->x[i])
			continue;
		snprintf(name, sizeof(name), "x%u", i);
		disagree(c, s, name, hart_register(&s->h, i), r->x[i]);
	}
	if (memcmp(s->bytes, c->bytes, sizeof(c->bytes)) == 0)
		return;
	for (uint32_t i = 0; i < sizeof(c->bytes); i++) {
		if (s->bytes[i] != c->bytes[i]) {
			print_error("byte %" PRIu32 " of code and data:\n", i);
			disagree(c, s, "it", s->bytes[i], c->bytes[i]);
		}
	}
}

/* Goes on in a loop, with other inputs. */
static void feed(struct comparison *c, uint64_t *rng)
{
	for (unsigned i = 0; i < 4; i++)
		c->inputs[between(rng, 0, 31)] = next_random(rng);
	c->reference.stop = REFHART_RUNS;
}

/* Continues after the instruction that faulted. False: there is no way. */
static bool resume(struct comparison *c)
{
	struct refhart *r = &c->reference;

	if (r->stop == REFHART_RETURNED || r->stop == REFHART_FETCH_OUTSIDE)
		return false;
	uint32_t pc = r->pc + ((r->code[r->pc - r->code_base] & 3) == 3 ? 4 : 2);
	if (pc - r->code_base >= r->code_bytes)
		return false;
	r->pc = pc;
	r->loop_times = 0;
	r->stop = REFHART_RUNS;
	for (unsigned i = 0; i < NR_SUBJECTS; i++) {
		if (c->subjects[i].is_used)
			hart_jump(&c->subjects[i].h, pc);
	}
	return true;
}

/* Runs c->program in slices, in all ways. */
static void check(struct comparison *c, struct coverage *coverage)
{
	static const uint64_t slices[] = {1, 1, 2, 3, 5, 10, 40, 300, 3000};
	const struct random_program *p = &c->program;
	const struct refhart *r = &c->reference;
	uint64_t rng = random_of_index(~p->seed, p->index);
	uint64_t most = p->kind == RANDOM_RAW ? MOST_RAW_STEPS : RANDOM_MOST_STEPS;
	unsigned nr_faults = 0;

	set_up(c);
	for (bool runs = true; runs;) {
		uint64_t budget = PICK(&rng, slices);
		run_reference(c, budget);
		for (unsigned i = 0; i < NR_SUBJECTS; i++) {
			struct subject *s = &c->subjects[i];
			if (!s->is_used)
				continue;
			enum hart_cause cause = run_subject(s, budget);
			compare(c, s);
			assert_int_equal(cause, s->h.cause);
		}
		if (r->stop != REFHART_RUNS)
			coverage->stops[r->stop]++;
		if (r->stop == REFHART_INPUT)
			feed(c, &rng);
		if (r->stop != REFHART_RUNS) {
			runs = nr_faults++ < MOST_FAULTS && resume(c);
		} else if (c->nr_steps >= most) {
			/* Continuing after a call that faulted may lead into circles. */
			if (p->kind != RANDOM_RAW && nr_faults == 0) {
				print_way(c);
				fail_msg("SAHM_IPU_SEED=%" PRIu64 " SAHM_IPU_INDEX=%" PRIu64 ": it does not end",
					 p->seed, p->index);
			}
			runs = false;
		}
	}
	for (unsigned i = 0; i < NR_SUBJECTS; i++)
		if (c->subjects[i].is_used && c->subjects[i].h.translation)
			coverage->traces += translation_counts(c->subjects[i].h.translation).nr_traces;
	tear_down(c);
	coverage->taken += r->nr_taken;
	coverage->not_taken += r->nr_not_taken;
	coverage->straddled += r->nr_straddled;
	coverage->misaligned += r->nr_misaligned;
	coverage->retired += r->nr_retired;
	coverage->modifying += p->modifies_code;
	coverage->counted += r->nr_counted;
	coverage->loops_done += r->nr_loops_done;
	coverage->breaks += r->nr_breaks;
}

static struct comparison comparison;

static void check_program(uint64_t seed, uint64_t index, struct coverage *coverage)
{
	comparison.index = "SAHM_IPU_INDEX";
	random_program(&comparison.program, (enum random_program_kind)(index % RANDOM_LINUX), seed, index);
	check(&comparison, coverage);
}

/* Whatever is fused, now or later. */
static void test_all_pairs(void **state)
{
	uint64_t seed = environment_number("SAHM_IPU_SEED", 1);
	uint64_t nr_each = environment_number("SAHM_IPU_PAIRS", NR_OF_EACH_PAIR);
	uint64_t first = environment_number("SAHM_IPU_PAIR", 0);
	uint64_t end = getenv("SAHM_IPU_PAIR") ? first + 1 : nr_each * random_nr_pairs;
	struct coverage coverage = {0};

	(void)state;
	for (uint64_t i = first; i < end; i++) {
		comparison.index = "SAHM_IPU_PAIR";
		random_pair(&comparison.program, seed, i);
		check(&comparison, &coverage);
	}
}

static void test_random_programs(void **state)
{
	uint64_t nr_programs = environment_number("SAHM_IPU_PROGRAMS", NR_PROGRAMS);
	uint64_t seed = environment_number("SAHM_IPU_SEED", 1);
	struct coverage coverage = {0};

	(void)state;
	if (getenv("SAHM_IPU_INDEX")) {
		check_program(seed, environment_number("SAHM_IPU_INDEX", 0), &coverage);
		return;
	}
	for (uint64_t i = 0; i < nr_programs; i++)
		check_program(seed, i, &coverage);
	if (getenv("SAHM_IPU_COVERAGE")) {
		for (unsigned i = 1; i < NR_STOPS; i++)
			print_message("%-48s %" PRIu64 "\n", hart_cause_text(causes[i]), coverage.stops[i]);
		print_message("taken %" PRIu64 ", not taken %" PRIu64 ", straddled %" PRIu64 ", misaligned %" PRIu64
			      ", retired %" PRIu64 ", programs that modify themselves %" PRIu64 "\n",
			      coverage.taken, coverage.not_taken, coverage.straddled, coverage.misaligned,
			      coverage.retired, coverage.modifying);
		print_message("counted %" PRIu64 ", loops done %" PRIu64 ", left %" PRIu64 ", traces %" PRIu64 "\n",
			      coverage.counted, coverage.loops_done, coverage.breaks, coverage.traces);
	}
	if (nr_programs < 1000)
		return;
	for (unsigned i = 1; i < NR_STOPS; i++) {
		if (coverage.stops[i] < nr_programs / 200)
			fail_msg("'%s' %" PRIu64 " times only", hart_cause_text(causes[i]), coverage.stops[i]);
	}
	assert_true(coverage.modifying > nr_programs / 20);
	assert_true(coverage.retired > 100 * nr_programs);
	assert_true(coverage.taken > 5 * nr_programs && coverage.not_taken > 5 * nr_programs);
	assert_true(coverage.counted > nr_programs && coverage.loops_done > nr_programs / 20 &&
		    coverage.breaks > nr_programs / 20);
	assert_true(coverage.traces > 10 * nr_programs || !tests_translator());
	assert_true(coverage.straddled > 5 * nr_programs && coverage.misaligned > nr_programs);
}

TEST_FILE(test_ipu_agree)
{
	if (!tests_translator())
		puts("the interpreter alone: there is no translator for this host, or it is not wanted");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_pairs),
		cmocka_unit_test(test_random_programs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
