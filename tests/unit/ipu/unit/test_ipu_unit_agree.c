/* Random programs, configurations and calls: ipu/unit/unit.h and its reference (tests/reference/refunit.h) agree after
 * every call. Half of the programs are translated.
 *
 * A failure names a sequence: SAHM_UNIT_INDEX=that one runs only this one and prints its calls.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ipu/jit/translation.h"
#include "ipu/unit/pro.h"
#include "tests/helper/counting_module.h"
#include "tests/helper/environment.h"
#include "tests/helper/random.h"
#include "tests/helper/random_unit.h"
#include "tests/reference/refunit.h"
#include "tests/unit/test.h"

#define NR_SEQUENCES 6000
#define NR_CALLS 60
#define NEVER_A_LEVEL (UINT32_C(1) << 31)
#define MOST_PERIODS 5000 /* that the reference is made to count in one call */

/* What can be called, those of one cycle in this order. */
enum call {
	SET_MHZ,
	CONFIGURE,
	SET_START,
	SET_STOP,
	PAUSE,
	RESUME,
	FINALIZE,
	LEVELS,
	ADDRESS,
	INPUT,
	ADVANCE,
	SETTLE,
	TAKE,
	NR_CALL_KINDS
};

static const char *const call_names[NR_CALL_KINDS] = {"set_hit_mhz", "configure", "set_start", "set_stop", "pause",
						      "resume",	     "finalize",  "levels",    "address",  "input",
						      "advance",     "settle",	  "take"};
static const unsigned weights[NR_CALL_KINDS] = {3, 3, 2, 2, 3, 6, 2, 20, 10, 40, 20, 3, 4};

static const struct abi abi = {.name = "counted",
			       .file = "counted.cfg",
			       .signals = {{.name = "a", .bits = 64, .reg = 0},
					   {.name = "b", .bits = 32, .reg = 3},
					   {.name = "c", .bits = 1, .reg = 5}},
			       .nr_signals = 3};

/* How often what has been seen, for the test of the test. */
struct coverage {
	uint64_t calls_in[NR_IPU_STATUSES][NR_CALL_KINDS];
	uint64_t calls, packets, lost, handlers, missed, skipped, dropped, buffered, fed, faults[NR_HART_CAUSES];
	uint64_t compared_at_rest;
	struct ipu_soft_counts soft;
};

struct pair {
	uint64_t index, rng;
	bool shows;
	struct ipu_unit *unit;
	struct ipu_unit *ref;
	struct ipu_unit_config config;
	bool has_soft;
	uint32_t hit_mhz;
	uint32_t levels; /* registers that have levels, from the first call on that names them */
	uint32_t named;	 /* those that have been */
	uint64_t now;
	enum call last;
	bool has_timer;
	unsigned nr_calls;
	struct ipu_program *programs[2];
	struct coverage *coverage;
};

static void differ(const struct pair *p, const char *what, uint64_t is, uint64_t should_be)
{
	fail_msg("SAHM_UNIT_INDEX=%" PRIu64 ", call %u (%s at %" PRIu64 "): %s is %" PRIu64 ", should be %" PRIu64,
		 p->index, p->nr_calls, call_names[p->last], p->now, what, is, should_be);
}

static void same(const struct pair *p, const char *what, uint64_t is, uint64_t should_be)
{
	if (is != should_be)
		differ(p, what, is, should_be);
}

static void compare_counts(const struct pair *p, bool at_rest)
{
	struct ipu_counts is = ipu_unit_counts(p->unit), want = ipu_unit_counts(p->ref);
#define SAME(field) same(p, #field, is.field, want.field)
	SAME(arrived);
	SAME(ignored);
	SAME(skipped);
	SAME(dropped);
	SAME(taken);
	SAME(calls_main);
	SAME(calls_handler);
	SAME(missed_periods);
	same(p, "all sets", is.arrived, is.ignored + is.skipped + is.dropped + is.taken + ipu_unit_buffered(p->unit));
	if (!at_rest)
		return;
	SAME(instructions);
	SAME(busy_cycles);
	SAME(packets);
	SAME(bytes);
	SAME(lost_packets);
	SAME(lost_bytes);
#undef SAME
}

static void compare_soft(const struct pair *p)
{
	struct ipu_soft_counts is, want;
	assert_true(ipu_unit_soft_counts(p->unit, &is) && ipu_unit_soft_counts(p->ref, &want));
#define SAME(field) same(p, "soft " #field, is.field, want.field)
	SAME(cycles);
	SAME(arrived);
	SAME(ignored);
	SAME(skipped);
	SAME(dropped);
	SAME(taken);
	/* Others are still with the module. */
	if (p->last == TAKE && !refunit_is_executing(p->ref)) {
		SAME(packets);
		SAME(bytes);
		SAME(lost_packets);
		SAME(lost_bytes);
	}
#undef SAME
}

static void compare_processors(const struct pair *p)
{
	const struct ipu *is = ipu_unit_processor(p->unit), *want = ipu_unit_processor(p->ref);
	if (!want->hart.code)
		return;
	same(p, "pc", is->hart.pc, want->hart.pc);
	for (unsigned i = 0; i < NR_REGISTERS; i++) {
		char name[8];
		snprintf(name, sizeof(name), "x%u", i);
		same(p, name, is->hart.x[i], want->hart.x[i]);
	}
	same(p, "scratchpad", memcmp(is->scratchpad, want->scratchpad, sizeof(is->scratchpad)) != 0, 0);
	/* Routines have noted the levels that they read. */
	for (unsigned i = 0; i < NR_IOREGS; i++)
		if (!(p->named >> i & 1))
			same(p, "IOReg", is->hart.inputs[i], refunit_inputs(p->ref)[i]);
	same(p, "free_at", ipu_unit_free_at(p->unit), ipu_unit_free_at(p->ref));
}

static void compare(const struct pair *p)
{
	bool at_rest = !refunit_is_executing(p->ref);
	same(p, "status", ipu_unit_status(p->unit), ipu_unit_status(p->ref));
	same(p, "HIT cycle", ipu_unit_hit_cycle(p->unit), ipu_unit_hit_cycle(p->ref));
	same(p, "IPU cycle", ipu_unit_ipu_cycle(p->unit), ipu_unit_ipu_cycle(p->ref));
	same(p, "sets in the buffer", ipu_unit_buffered(p->unit), ipu_unit_buffered(p->ref));
	compare_counts(p, at_rest);
	if (p->has_soft)
		compare_soft(p);
	if (at_rest)
		compare_processors(p);
	p->coverage->compared_at_rest += at_rest;
	if (ipu_unit_status(p->ref) == IPU_ERROR) {
		struct ipu_fault is = ipu_unit_fault(p->unit), want = ipu_unit_fault(p->ref);
		same(p, "cause", is.cause, want.cause);
		same(p, "pc of the fault", is.pc, want.pc);
		same(p, "address of the fault", is.address, want.address);
		if (strcmp(is.routine, want.routine) != 0)
			fail_msg("SAHM_UNIT_INDEX=%" PRIu64 ": fault in %s, should be in %s", p->index, is.routine,
				 want.routine);
	}
}

static void take_all(struct pair *p)
{
	struct ipu_packet is, want;
	for (;;) {
		bool have = ipu_unit_take(p->unit, &is);
		same(p, "a packet's being there", have, ipu_unit_take(p->ref, &want));
		if (!have)
			break;
		same(p, "time of a packet", is.sent_at, want.sent_at);
		same(p, "bytes in a packet", is.nr_bytes, want.nr_bytes);
		same(p, "bytes of a packet", is.nr_bytes && memcmp(is.bytes, want.bytes, is.nr_bytes) != 0, 0);
		p->coverage->packets++;
	}
}

/* HIT cycles until the next call: about as long as routines take, or nothing, or for ever. */
static uint64_t gap(struct pair *p, enum call call)
{
	uint64_t least = call < p->last ? 1 : 0, cycles = 0;
	if (one_in(&p->rng, 3))
		cycles = between(&p->rng, 0, 3);
	else
		cycles = between(&p->rng, 0, one_in(&p->rng, 4) ? 3000 : 100) * p->hit_mhz / p->config.ipu_mhz;
	if (one_in(&p->rng, 20))
		cycles = between(&p->rng, 0, 3000000);
	if (p->has_timer && cycles > MOST_PERIODS)
		cycles = MOST_PERIODS;
	return cycles < least ? least : cycles;
}

static enum call pick_call(struct pair *p)
{
	unsigned sum = 0;
	for (unsigned i = 0; i < NR_CALL_KINDS; i++)
		sum += weights[i];
	uint64_t at = between(&p->rng, 0, sum - 1);
	for (unsigned i = 0;; i++) {
		if (at < weights[i])
			return (enum call)i;
		at -= weights[i];
	}
}

#define BOTH(function, ...)                                                                                            \
	do {                                                                                                           \
		ipu_unit_##function(p->unit, __VA_ARGS__);                                                             \
		ipu_unit_##function(p->ref, __VA_ARGS__);                                                              \
	} while (0)

static void do_input(struct pair *p)
{
	uint64_t values[NR_IOREGS];
	uint32_t valid = (uint32_t)next_random(&p->rng) & ~p->levels;
	for (unsigned i = 0; i < NR_IOREGS; i++)
		values[i] = next_random(&p->rng);
	BOTH(input, p->now, valid ? valid : NEVER_A_LEVEL, values);
}

static void do_levels(struct pair *p)
{
	uint64_t values[NR_IOREGS];
	uint32_t mask = p->levels & (one_in(&p->rng, 2) ? (uint32_t)next_random(&p->rng) : UINT32_MAX);
	for (unsigned i = 0; i < NR_IOREGS; i++)
		values[i] = next_random(&p->rng);
	p->named |= mask;
	BOTH(levels, p->now, mask, values);
}

static void do_call(struct pair *p, enum call call)
{
	uint64_t number = between(&p->rng, 1, 3);
	p->now += call == SETTLE || call == TAKE ? 0 : gap(p, call);
	p->last = call;
	if (p->shows)
		print_message("%3u %s at %" PRIu64 " (%" PRIu64 ")\n", p->nr_calls, call_names[call], p->now, number);
	switch (call) {
	case SET_MHZ:
		p->hit_mhz = random_mhz(&p->rng);
		BOTH(set_hit_mhz, p->now, p->hit_mhz);
		break;
	case CONFIGURE:
		BOTH(configure, p->now, p->programs[number % 2]);
		break;
	case SET_START:
		BOTH(set_start, p->now, number);
		break;
	case SET_STOP:
		BOTH(set_stop, p->now, number);
		break;
	case PAUSE:
		BOTH(pause, p->now);
		break;
	case RESUME:
		BOTH(resume, p->now);
		break;
	case FINALIZE:
		BOTH(finalize, p->now);
		break;
	case LEVELS:
		do_levels(p);
		break;
	case ADDRESS:
		BOTH(address, p->now, number);
		break;
	case INPUT:
		do_input(p);
		break;
	case ADVANCE:
		BOTH(advance, p->now);
		break;
	case SETTLE: /* with a timer that rings before its handler has returned it would never end */
		if (p->has_timer)
			break;
		ipu_unit_settle(p->unit);
		ipu_unit_settle(p->ref);
		p->now = ipu_unit_hit_cycle(p->ref);
		break;
	default:
		if (!refunit_is_executing(p->ref))
			take_all(p);
		break;
	}
}

static void note(const struct pair *p)
{
	struct ipu_counts n = ipu_unit_counts(p->ref);
	p->coverage->lost += n.lost_packets;
	p->coverage->handlers += n.calls_handler;
	p->coverage->missed += n.missed_periods;
	struct ipu_soft_counts soft;
	if (ipu_unit_soft_counts(p->ref, &soft)) {
		struct ipu_soft_counts *sum = &p->coverage->soft;
		sum->cycles += soft.cycles;
		sum->ignored += soft.ignored;
		sum->skipped += soft.skipped;
		sum->dropped += soft.dropped;
		sum->taken += soft.taken;
		sum->packets += soft.packets;
		sum->lost_packets += soft.lost_packets;
	}
	p->coverage->skipped += n.skipped;
	p->coverage->dropped += n.dropped;
	p->coverage->fed += n.taken - n.calls_main;
	if (ipu_unit_status(p->ref) == IPU_ERROR)
		p->coverage->faults[ipu_unit_fault(p->ref).cause]++;
}

static void check_sequence(uint64_t seed, uint64_t index, bool shows, struct coverage *coverage)
{
	struct pair p = {.index = index, .rng = random_of_index(seed, index), .shows = shows, .coverage = coverage};
	struct sahm_err err;
	p.has_timer = one_in(&p.rng, 2);
	p.config = random_unit_config(&p.rng);
	p.config.has_late_levels = one_in(&p.rng, 4);
	p.hit_mhz = p.config.hit_mhz;
	p.has_soft = one_in(&p.rng, 2);
	/* Programs read the first three registers. */
	p.levels = one_in(&p.rng, 4) ? 0 : (uint32_t)next_random(&p.rng) & ~NEVER_A_LEVEL;
	for (unsigned i = 0; i < 2; i++) {
		p.programs[i] = random_unit_program(&p.rng, p.has_timer, p.has_soft);
		/* By turns; the reference interprets either. */
		if (index / 2 % 2)
			ipu_program_translate(p.programs[i], &host_translator);
	}
	struct soft *soft;
	struct ipu_pro pro;
	struct refsoft refsoft = {.module = &counting_module, .soft_mhz = random_mhz(&p.rng), .regs = {0, 3, 5}};
	assert_int_equal(soft_of_module(&soft, &counting_module, "counting", &err), SAHM_OK);
	assert_int_equal(ipu_pro_init(&pro, soft, &abi, refsoft.soft_mhz, &err), SAHM_OK);
	p.config.maker = p.has_soft ? &pro.maker : NULL;
	assert_int_equal(ipu_unit_new(&p.unit, &p.config, &err), SAHM_OK);
	p.ref = refunit_new(&p.config, p.has_soft ? &refsoft : NULL);
	if (shows)
		print_message("HIT %" PRIu32 " MHz, IPU %" PRIu32 " MHz, soft logic %" PRIu32
			      " MHz, mode %u of %" PRIu32 "\n",
			      p.config.hit_mhz, p.config.ipu_mhz, p.has_soft ? refsoft.soft_mhz : 0,
			      (unsigned)p.config.mismatch, p.config.mismatch_arg);
	for (p.nr_calls = 0; p.nr_calls < NR_CALLS; p.nr_calls++) {
		/* Most sequences begin as it is meant. */
		enum call call = pick_call(&p);
		if (p.nr_calls < 2 && index % 8 > 0)
			call = p.nr_calls == 0 ? CONFIGURE : RESUME;
		coverage->calls_in[ipu_unit_status(p.ref)][call]++;
		do_call(&p, call);
		coverage->buffered += ipu_unit_buffered(p.ref);
		compare(&p);
	}
	note(&p);
	coverage->calls += NR_CALLS;
	ipu_unit_free(p.unit);
	ipu_unit_free(p.ref);
	soft_close(soft);
	for (unsigned i = 0; i < 2; i++)
		ipu_program_free(p.programs[i]);
}

static void check_coverage(const struct coverage *c, uint64_t nr)
{
	for (unsigned s = 0; s < NR_IPU_STATUSES; s++) {
		for (unsigned i = 0; i < NR_CALL_KINDS; i++) {
			if (c->calls_in[s][i] < nr / 200)
				fail_msg("%s: %s %" PRIu64 " times only", ipu_status_text((enum ipu_status)s),
					 call_names[i], c->calls_in[s][i]);
		}
	}
	assert_true(c->packets > nr / 10 && c->lost > nr / 10);
	assert_true(c->handlers > nr / 4 && c->missed > nr / 4);
	assert_true(c->skipped > nr / 4 && c->dropped > nr / 4);
	assert_true(c->buffered > nr / 10 && c->fed > nr / 10);
	assert_true(c->compared_at_rest > c->calls / 4);
	assert_true(c->soft.cycles > nr && c->soft.packets > nr / 10 && c->soft.lost_packets > nr / 100);
	assert_true(c->soft.taken > nr / 4 && c->soft.ignored > nr / 4 && c->soft.dropped > nr / 20 &&
		    c->soft.skipped > nr / 10);
}

static void test_random_sequences(void **state)
{
	uint64_t nr = environment_number("SAHM_UNIT_SEQUENCES", NR_SEQUENCES);
	uint64_t seed = environment_number("SAHM_UNIT_SEED", 1);
	struct coverage coverage = {0};

	(void)state;
	if (getenv("SAHM_UNIT_INDEX")) {
		check_sequence(seed, environment_number("SAHM_UNIT_INDEX", 0), true, &coverage);
		return;
	}
	for (uint64_t i = 0; i < nr; i++)
		check_sequence(seed, i, false, &coverage);
	if (getenv("SAHM_UNIT_COVERAGE")) {
		for (unsigned s = 0; s < NR_IPU_STATUSES; s++) {
			for (unsigned i = 0; i < NR_CALL_KINDS; i++)
				print_message("%s: %s %" PRIu64 "\n", ipu_status_text((enum ipu_status)s),
					      call_names[i], coverage.calls_in[s][i]);
		}
		for (unsigned i = 0; i < NR_HART_CAUSES; i++)
			print_message("%s: %" PRIu64 "\n", hart_cause_text((enum hart_cause)i), coverage.faults[i]);
		print_message("soft logic: taken %" PRIu64 ", ignored %" PRIu64 ", dropped %" PRIu64
			      ", skipped %" PRIu64 ", packets %" PRIu64 ", lost %" PRIu64 "\n",
			      coverage.soft.taken, coverage.soft.ignored, coverage.soft.dropped, coverage.soft.skipped,
			      coverage.soft.packets, coverage.soft.lost_packets);
		print_message("packets %" PRIu64 ", lost %" PRIu64 ", handlers %" PRIu64 ", missed %" PRIu64
			      ", skipped %" PRIu64 ", dropped %" PRIu64 ", buffered %" PRIu64 ", fed %" PRIu64
			      ", at rest %" PRIu64 " of %" PRIu64 "\n",
			      coverage.packets, coverage.lost, coverage.handlers, coverage.missed, coverage.skipped,
			      coverage.dropped, coverage.buffered, coverage.fed, coverage.compared_at_rest,
			      coverage.calls);
	}
	if (nr >= 1000)
		check_coverage(&coverage, nr);
}

TEST_FILE(test_ipu_unit_agree)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_sequences)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
