/* Programs of made-up uops on cores in which nothing is scarce, for the tests of the timing models. */
#ifndef SAHM_TESTS_UNIT_CORES_UARCH_TIMED_CORE_H
#define SAHM_TESTS_UNIT_CORES_UARCH_TIMED_CORE_H

#include <string.h>

#include "cores/uarch/timing.h"
#include "tests/unit/made_batch.h"
#include "tests/unit/test.h"

#define MAX_TIMED 2048u

/* A core in which nothing but operands, latencies and the depth of the pipeline takes time. */
enum { DECODE = 3, DISPATCH = 2, COMMIT = 1, L1D = 4, FORWARD = 5, L2 = 10, MEMORY = 100, REDIRECT = 7, FLUSH = 9 };

static inline struct core_timing wide(enum core_kind kind)
{
	struct core_timing t = {
		.kind = (uint8_t)kind,
		.fetch_width = MAX_WIDTH,
		.fetch_buffer = MAX_FETCH_BUFFER,
		.icache_cycles = {0, L2, 30, MEMORY},
		.itlb_cycles = {0, 6, 40},
		.btb_miss_cycles = 2,
		.decode_cycles = DECODE,
		.mispredict_cycles = REDIRECT,
		.dispatch_width = MAX_WIDTH,
		.dispatch_cycles = DISPATCH,
		.rob = MAX_ROB,
		.load_queue = MAX_QUEUE_ENTRIES,
		.commit_cycles = COMMIT,
		.flush_cycles = FLUSH,
		.nr_queues = 2,
		.queues = {{"all", MAX_QUEUE_ENTRIES, MAX_WIDTH}, {"fp", MAX_QUEUE_ENTRIES, MAX_WIDTH}},
		.issue_width = MAX_WIDTH,
		.same_cycle_memory = MAX_WIDTH,
		.resolve_cycles = 1,
		.store_queue = MAX_QUEUE_ENTRIES,
		.commit_width = MAX_WIDTH,
		.drain_width = MAX_WIDTH,
		.store_fill = FILL_AT_COMMIT,
		.nr_groups = 3,
		.groups = {{"all", MAX_WIDTH, true, 0}, {"fp", MAX_WIDTH, true, 1}, {"memory", MAX_WIDTH, true, 0}},
		.l1d_cycles = L1D,
		.dtlb_cycles = {0, 6, 40},
		.forward_cycles = FORWARD,
		.data_cycles = {0, L2, 30, MEMORY},
		.row_cycles = {0, 5, 11},
		.mshrs = MAX_MSHRS,
	};
	for (unsigned i = 0; i < NR_INSN_CLASSES; i++)
		t.latency[i] = 1;
	t.group[INSN_FP_ADD] = 1;
	t.group[INSN_LOAD] = t.group[INSN_STORE] = 2;
	return t;
}

/* Two of everything; short latencies. An instruction that nothing holds up has D = F + 1, E = D + 1, X = E + 1 and
 * C = X + 1; in-order I = D, C = X. */
static inline struct core_timing pair(enum core_kind kind)
{
	struct core_timing t = wide(kind);
	t.fetch_width = t.dispatch_width = t.issue_width = t.commit_width = 2;
	t.decode_cycles = t.dispatch_cycles = t.commit_cycles = t.forward_cycles = 1;
	t.mispredict_cycles = 2;
	t.flush_cycles = 3;
	t.btb_miss_cycles = 2;
	t.icache_cycles[LEVEL_L2] = 4;
	t.itlb_cycles[TLB_SECOND] = 2;
	t.l1d_cycles = 4;
	t.data_cycles[LEVEL_L2] = 5;
	t.nr_queues = 1;
	t.queues[0] = (struct issue_queue){"all", 8, 2};
	t.nr_groups = 1;
	t.groups[0].units = 2;
	for (unsigned k = 0; k < NR_INSN_CLASSES; k++)
		t.group[k] = 0;
	t.rob = 8;
	return t;
}

/* When the first uop of a program issues: F is 0. */
static inline uint64_t first_issue(unsigned kind)
{
	return kind == CORE_IN_ORDER ? DECODE : DECODE + DISPATCH;
}

/* What a core did with the program in `batch`. */
struct timed {
	struct uop_stamps at[MAX_TIMED];
	struct timing_result result;
};

static struct timed p;

static inline void begin(void)
{
	memset(batch, 0, sizeof(*batch));
}

/* Adds an instruction of one uop. */
static inline struct uop *add(enum insn_class class, unsigned destination, unsigned source)
{
	assert_true(batch->nr < BATCH_UOPS);
	struct uop *u = batch_add(class, 0x1000);
	u->source[0] = (uint8_t)source;
	u->destination = (uint8_t)destination;
	return u;
}

/* A load or store; it hits L1D. */
static inline struct uop *add_access(enum insn_class class, unsigned destination)
{
	struct uop *u = add(class, destination, NO_REGISTER);
	u->bytes = 8;
	return u;
}

/* A load whose line is the `fill`-th last fill. */
static inline struct uop *add_hit(unsigned fill, unsigned destination)
{
	struct uop *u = add_access(INSN_LOAD, destination);
	u->fill = (uint8_t)fill;
	return u;
}

/* A load that misses L1D. */
static inline struct uop *add_miss(enum memory_level level, unsigned destination, unsigned source)
{
	struct uop *u = add(INSN_LOAD, destination, source);
	u->bytes = 8;
	u->level = (uint8_t)level;
	u->fills = 1;
	return u;
}

/* Runs the program in `batch` `times` times in a row. */
static inline uint64_t run_times(const struct core_timing *t, unsigned times)
{
	struct timing *m = timing_new(t);
	uint64_t counted = 0;
	assert_non_null(m);
	assert_true(times * batch->nr <= MAX_TIMED);
	for (unsigned i = 0; i < times; i++)
		timing_batch(m, batch, p.at + i * batch->nr);
	timing_result(m, &p.result);
	timing_free(m);
	for (unsigned i = 0; i < NR_STALLS; i++)
		counted += p.result.stalls[i];
	assert_int_equal(counted + p.result.busy_cycles, p.result.cycles);
	return p.result.cycles;
}

static inline uint64_t run(const struct core_timing *t)
{
	return run_times(t, 1);
}

static inline void check(const char *what, uint64_t value, uint64_t expected)
{
	if (value != expected)
		fail_msg("%s: %llu instead of %llu", what, (unsigned long long)value, (unsigned long long)expected);
}

enum { NONE = NO_REGISTER };

#endif
