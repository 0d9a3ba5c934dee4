/* A policy that makes choices at random, legal ones or also illegal ones, through all operations and calls; and what it
 * holds against the simulator: the order of operations, times, queues and cores as reported.
 *
 * One at a time: its knowledge is in one place of the process, since a policy's operations have no argument for it.
 */
#ifndef SAHM_TESTS_HELPER_CHAOS_H
#define SAHM_TESTS_HELPER_CHAOS_H

#include <stddef.h>

#include "sched/host/ext.h"

#define CHAOS_TOP_CORES 8
#define CHAOS_TOP_THREADS 10

enum chaos_kind {
	CHAOS_DEFAULT,	/* no operation that decides anything */
	CHAOS_DISPATCH, /* it enqueues and dispatches */
	CHAOS_PASS,	/* run queues and a pass */
	NR_CHAOS_KINDS
};

/* Where choices come from: bytes, 0 after their end, or random numbers. */
struct chaos_source {
	const uint8_t *bytes;
	size_t nr, next;
	uint64_t rng;
};

/* A number below `end`. */
uint64_t chaos_choose(struct chaos_source *from, uint64_t end);

/* Fills `ops` with a policy that draws from `from`, which is kept. Of its choices one in `illegal`, about, breaks a
 * rule; 0: none. */
void chaos_policy(struct sched_ext_ops *ops, struct chaos_source *from, enum chaos_kind kind, unsigned illegal);

/* The policy has counters to read, each its number modulo theirs. */
void chaos_reads_counters(struct sched_ext_ops *ops);

/* What it has asked a core for. */
struct chaos_request {
	u64 ns;
	u32 core;
	u32 seen; /* the core's level before */
	bool is_target;
	u32 wanted; /* level, or target (scx_bpf_cpuperf_set()) */
};

/* The policy sets the levels of the cores in `cores`: of all of them when it begins. */
void chaos_sets_levels(u64 cores);

/* All that it has asked for, in this order. */
const struct chaos_request *chaos_requests(size_t *nr);

/* What the simulator did wrong as the policy sees it, NULL: nothing. */
const char *chaos_complaint(void);

/* Whether the policy has done something that it must not. */
bool chaos_has_broken_rules(void);

#endif
