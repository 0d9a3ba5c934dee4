/* Counter registers and sampling compared with tests/reference on random cores, registers and runs. */
#include "cores/uarch/hpm.h"

#include "tests/helper/random.h"
#include "tests/reference/refhpm.h"
#include "tests/unit/test.h"

#define NR_CASES 300u
#define NR_RUNS 100u
#define MOST_INSTRUCTIONS (NR_RUNS * MAX_WIDTH)
#define MEMORY 400u

struct tried {
	uint64_t rng;
	struct core_timing core;
	struct hpm_spec spec;
	struct hpm *h;
	struct refhpm *r;
	struct hpm_sampling sampling;
	uint8_t memory[2][MEMORY];
	bool has_causes, is_handled;
	uint64_t cycle, number; /* of the next instruction to retire */
	struct signal_cause retired[MAX_WIDTH];
	struct signal_causes causes;
	struct signal_run run;
};

/* ---- Software ---- */

static void write_both(struct tried *t, unsigned csr, uint64_t value)
{
	refhpm_write(t->r, csr, value);
	assert_int_equal(hpm_write(t->h, HPM_MACHINE, csr, value, NULL), SAHM_OK);
}

static uint64_t random_selector(struct tried *t)
{
	uint64_t set = between(&t->rng, 0, 255), mask = next_random(&t->rng);
	while (!event_set_name(t->spec.family, (unsigned)set) && !one_in(&t->rng, 200))
		set = between(&t->rng, 0, 6);
	for (unsigned i = 0; i < 3; i++)
		mask &= next_random(&t->rng) | (one_in(&t->rng, 4) ? UINT64_MAX : 0);
	return (mask & ~UINT64_C(0xff)) | set;
}

static void write_something(struct tried *t)
{
	unsigned number = (unsigned)between(&t->rng, 3, one_in(&t->rng, 4) ? 31 : 6);
	const uint64_t values[] = {0, next_random(&t->rng) % 100, UINT64_MAX - next_random(&t->rng) % 8};
	const uint64_t thresholds[] = {0, 1, 2, 3, next_random(&t->rng) % 50, UINT64_MAX - 3};
	const uint64_t places[] = {0, 0, 0, 32, next_random(&t->rng) % MEMORY, next_random(&t->rng) % MEMORY};
	switch (next_random(&t->rng) % 8) {
	case 0:
	case 1:
		write_both(t, CSR_MHPMEVENT - 3 + number, random_selector(t));
		break;
	case 2:
		write_both(t, CSR_MHPMCOUNTER - 3 + number, PICK(&t->rng, values));
		break;
	case 3:
		write_both(t, CSR_MCOUNTINHIBIT, one_in(&t->rng, 4) ? next_random(&t->rng) : 0);
		break;
	case 4:
	case 5:
		write_both(t, CSR_MHPMMTHRESHOLD - 3 + number, PICK(&t->rng, thresholds));
		break;
	case 6:
		if (one_in(&t->rng, 4))
			write_both(t, CSR_MHPMMAPPED + (unsigned)between(&t->rng, 0, 1),
				   PICK(&t->rng, places) * 2 % MEMORY);
		break;
	case 7:
		write_both(t, CSR_MHPMMOFFSET, PICK(&t->rng, places));
		break;
	}
}

/* Each side empties its own buffer. */
static void full(void *user, struct hpm *h)
{
	struct tried *t = user;
	if (t->is_handled)
		assert_int_equal(hpm_write(h, HPM_MACHINE, CSR_MHPMMOFFSET, 0, NULL), SAHM_OK);
}

static void full_of_reference(void *user)
{
	struct tried *t = user;
	if (t->is_handled)
		refhpm_write(t->r, CSR_MHPMMOFFSET, 0);
}

/* ---- The core ---- */

static uint64_t pc_of(uint64_t number)
{
	return random_of_index(7, number);
}

static struct signal_cause random_cause(struct tried *t, uint64_t number)
{
	return (struct signal_cause){.pc = pc_of(number),
				     .address = next_random(&t->rng),
				     .number = number,
				     .has_address = one_in(&t->rng, 2),
				     .is_taken = one_in(&t->rng, 2)};
}

static bool belongs_to_nobody(unsigned s)
{
	return signal_width(s) == SIGNAL_ISSUE || signal_width(s) == SIGNAL_DISPATCH || s == SIGNAL_RECOVERING ||
	       s == SIGNAL_ICACHE_BLOCKED || s == SIGNAL_ICACHE_REFILL || s >= SIGNAL_INTERLOCK_LOAD;
}

/* A run with causes has one cycle if one of its signals belongs to an instruction. */
static void random_run(struct tried *t)
{
	bool is_busy = one_in(&t->rng, 2);
	uint64_t nr_retired = is_busy ? between(&t->rng, 0, t->core.commit_width) : 0;
	t->run = (struct signal_run){.first = t->cycle, .nr = between(&t->rng, 1, one_in(&t->rng, 20) ? 200 : 5)};
	if (is_busy && t->has_causes)
		t->run.nr = 1;
	for (unsigned s = 0; s < NR_SIGNALS; s++) {
		uint64_t lanes = next_random(&t->rng) & next_random(&t->rng);
		if (one_in(&t->rng, 2) || (!is_busy && !belongs_to_nobody(s)))
			continue;
		t->run.lanes[s] = lanes & ((UINT64_C(2) << (signal_nr_lanes(&t->core, s) - 1)) - 1);
		if (signal_width(s) == SIGNAL_COMMIT && s != SIGNAL_UOP_RETIRED && s != SIGNAL_FENCE_RETIRED)
			t->run.lanes[s] &= (UINT64_C(1) << nr_retired) - 1;
		t->causes.of[s] = random_cause(t, t->number + 8 - clamp(next_random(&t->rng) % 40, 0, t->number + 8));
	}
	t->run.lanes[SIGNAL_INSTRUCTION] = (UINT64_C(1) << nr_retired) - 1;
	for (unsigned i = 0; i < nr_retired; i++)
		t->retired[i] = random_cause(t, t->number + i);
	t->causes.next = random_cause(t, t->number + nr_retired);
	t->causes.retired = t->retired;
	t->run.causes = t->has_causes ? &t->causes : NULL;
	t->cycle += t->run.nr;
	t->number += nr_retired;
}

static void run_both(struct tried *t)
{
	for (uint64_t c = 0; c < t->run.nr; c++)
		refhpm_cycle(t->r, &t->run, t->run.first + c, 0, MAX_SIGNAL_LANES);
	hpm_run(t->h, &t->run);
}

/* Registers are written within a cycle. The reference has no parts of cycles for distributed counters. */
static void run_parts(struct tried *t)
{
	unsigned middle = (unsigned)between(&t->rng, 1, t->core.commit_width);
	t->run.nr = 1;
	bool is_distributed = t->spec.kind == HPM_DISTRIBUTED;
	refhpm_cycle(t->r, &t->run, t->run.first, 0, is_distributed ? MAX_SIGNAL_LANES : middle);
	hpm_run_lanes(t->h, &t->run, 0, middle);
	if (!is_distributed && one_in(&t->rng, 2))
		write_something(t);
	for (unsigned i = 3; i < 32; i++)
		write_both(t, CSR_MHPMMTHRESHOLD - 3 + i, 0);
	if (!is_distributed)
		refhpm_cycle(t->r, &t->run, t->run.first, middle, MAX_SIGNAL_LANES);
	hpm_run_lanes(t->h, &t->run, middle, MAX_SIGNAL_LANES);
}

/* ---- Comparison ---- */

static void compare_register(struct tried *t, unsigned csr)
{
	uint64_t value = 0, expected = refhpm_read(t->r, csr);
	assert_int_equal(hpm_read(t->h, HPM_MACHINE, csr, &value, NULL), SAHM_OK);
	if (value != expected)
		fail_msg("0x%x is %ju, of the reference %ju; kind %s, family %s", csr, (uintmax_t)value,
			 (uintmax_t)expected, hpm_kind_name(t->spec.kind), event_family_name(t->spec.family));
}

static void compare(struct tried *t)
{
	for (unsigned i = 3; i < 32; i++) {
		compare_register(t, CSR_MHPMEVENT - 3 + i);
		compare_register(t, CSR_MHPMCOUNTER - 3 + i);
		compare_register(t, CSR_MHPMMTHRESHOLD - 3 + i);
	}
	compare_register(t, CSR_MCYCLE);
	compare_register(t, CSR_MINSTRET);
	compare_register(t, CSR_MCOUNTINHIBIT);
	for (unsigned i = 0; i < 3; i++)
		compare_register(t, CSR_MHPMMAPPED + i);
	for (unsigned i = 3; i < 3u + t->spec.nr_counters; i++) {
		struct hpm_undercount u;
		hpm_undercount(t->h, i, &u);
		assert_in_range(u.truth - u.counted, 0, u.bound);
	}
}

static void begin(struct tried *t, unsigned index, bool is_sampled)
{
	*t = (struct tried){.rng = index};
	t->core = (struct core_timing){
		.kind = (uint8_t)between(&t->rng, 0, NR_CORE_KINDS - 1),
		.commit_width = (uint16_t)between(&t->rng, 1, 5),
		.dispatch_width = (uint16_t)between(&t->rng, 1, 5),
		.issue_width = (uint16_t)between(&t->rng, 1, 3),
		.nr_queues = 2,
		.queues = {{"a", 8, (uint16_t)between(&t->rng, 1, 4)}, {"b", 8, (uint16_t)between(&t->rng, 1, 5)}},
	};
	t->spec = (struct hpm_spec){.family = (uint8_t)between(&t->rng, 0, NR_EVENT_FAMILIES - 1),
				    .kind = (uint8_t)between(&t->rng, 0, NR_HPM_KINDS - 1),
				    .core = &t->core};
	const uint8_t nr_counters[] = {0, 2, 4, 29};
	t->spec.nr_counters = PICK(&t->rng, nr_counters);
	t->has_causes = one_in(&t->rng, 4) ? false : true;
	t->is_handled = one_in(&t->rng, 2);
	const unsigned skids[] = {0, 0, 1, 3, 20};
	t->sampling = (struct hpm_sampling){.memory = t->memory[0],
					    .bytes = is_sampled ? between(&t->rng, 0, MEMORY) : 0,
					    .skid = t->has_causes ? PICK(&t->rng, skids) : 0,
					    .full = full,
					    .user = t};
	t->h = hpm_new(&t->spec);
	assert_non_null(t->h);
	assert_int_equal(hpm_sample(t->h, &t->sampling, NULL), SAHM_OK);
	t->sampling.memory = t->memory[1];
	t->r = refhpm_new(&t->spec, &t->sampling, MOST_INSTRUCTIONS, full_of_reference);
	assert_non_null(t->r);
	for (unsigned i = 3; i < 8; i++)
		write_both(t, CSR_MHPMEVENT - 3 + i, random_selector(t));
}

static void end(struct tried *t)
{
	struct pes_totals totals[2];
	hpm_finish(t->h);
	refhpm_finish(t->r);
	hpm_sample_totals(t->h, &totals[0]);
	refhpm_totals(t->r, &totals[1]);
	assert_memory_equal(&totals[0], &totals[1], sizeof(totals[0]));
	assert_memory_equal(t->memory[0], t->memory[1], MEMORY);
	hpm_free(t->h);
	refhpm_free(t->r);
}

static void test_counters(void **state)
{
	(void)state;
	for (unsigned index = 0; index < NR_CASES; index++) {
		struct tried t;
		begin(&t, index, false);
		for (unsigned i = 0; i < NR_RUNS; i++) {
			if (one_in(&t.rng, 10))
				write_something(&t);
			for (unsigned k = 3; k < 32; k++)
				write_both(&t, CSR_MHPMMTHRESHOLD - 3 + k, 0);
			random_run(&t);
			if (one_in(&t.rng, 4))
				run_parts(&t);
			else
				run_both(&t);
			compare(&t);
		}
		end(&t);
	}
}

static void test_sampling(void **state)
{
	(void)state;
	for (unsigned index = 0; index < NR_CASES; index++) {
		struct tried t;
		begin(&t, index, true);
		write_both(&t, CSR_MHPMMSIZE, MEMORY);
		for (unsigned i = 3; i < 8; i++)
			write_both(&t, CSR_MHPMMTHRESHOLD - 3 + i, between(&t.rng, 0, 20));
		for (unsigned i = 0; i < NR_RUNS; i++) {
			if (one_in(&t.rng, 8))
				write_something(&t);
			random_run(&t);
			run_both(&t);
			compare(&t);
		}
		end(&t);
	}
}

TEST_FILE(test_hpm_reference)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counters),
		cmocka_unit_test(test_sampling),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
