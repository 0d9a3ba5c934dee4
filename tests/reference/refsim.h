/* The simulator a second time, deliberately simple: the reference that the engine is compared with.
 *
 * It is written only from the rules and shares no function, type or header with the product. Everything is done in
 * the most obvious way: queues are small arrays, integers are wide enough not to think about, nothing is remembered
 * that can be worked out again. Slow, and limited to the sizes below.
 * Times are ns, speedups millionths (ppm), states 0 to 15 with branch = 1, L1I = 2, L1D = 4, L2 = 8; 0 is Low.
 */
#ifndef SAHM_TESTS_REFERENCE_REFSIM_H
#define SAHM_TESTS_REFERENCE_REFSIM_H

#define REF_MAX_CORES 160
#define REF_MAX_THREADS 32
#define REF_MAX_LEVELS 8
#define REF_MAX_SPEEDS 5
#define REF_MAX_SHARED 8
#define REF_MAX_RUN_NS 1000000000000000ULL /* no run is longer than this, rounded up to whole timesteps */

enum ref_kind {
	REF_BASELINE,
	REF_COMPONENTS, /* specialised for the components in `mask` */
	REF_TABLE,	/* a speedup per state */
};

/* A frequency at which a core can run, and its speedup there by state. */
struct ref_speed {
	long long mhz;
	long long ppm[16];
};

struct ref_core {
	enum ref_kind kind;
	unsigned mask;		    /* bits as in states */
	long long component_ppm[4]; /* by bit number; read where the mask has the bit */
	long long table_ppm[16];    /* by state; above -1,000,000 */
	/* Slowest first, up to REF_MAX_SPEEDS, or NULL. The policy knows only the core's own speedups, which are those
	 * of the fastest, at which it begins. */
	const struct ref_speed *speeds;
	int nr_speeds;
	unsigned long long transition_ns; /* until a speed that was asked for begins, with a timestep */
};

struct ref_thread {
	const unsigned char *states;			   /* [nr_epochs] */
	unsigned long long nr_epochs, epoch_ns, offset_ns; /* epoch_ns: longer than any core completes in 1 ns */
	unsigned long long arrive_ns;			   /* it joins in the first timestep from then on */
	int once;					   /* it leaves when its trace ends */
	const unsigned char *allowed;	  /* [nr_cores], 1 for a core on which it may run; NULL: on all */
	const unsigned long long *demand; /* [16]: L2 misses per s of baseline time, by state */
};

/* Cost of a migration within a block of this number of consecutive cores. */
struct ref_level {
	int nr_cores;
	unsigned long long cost_ns;
};

enum ref_policy {
	REF_STATIC,
	REF_LISTING, /* the paper's scheduler without swaps */
	REF_SAHM,    /* with them */
	REF_STRICT,  /* swaps only with a thread that does not match its own core */
};

enum ref_speed_rule {
	REF_SPEEDS_STAY,
	REF_SPEEDS_BY_USE,   /* 1.25 times the frequency that was used in the timestep before */
	REF_SPEEDS_BY_STATE, /* of the thread that the pass finds at the head: speed (state modulo number of speeds) */
};

struct ref_config {
	const struct ref_core *cores;
	int nr_cores; /* 1 to REF_MAX_CORES */
	const struct ref_thread *threads;
	int nr_threads; /* 1 to REF_MAX_THREADS */
	enum ref_policy policy;
	int oracle;
	unsigned inertia;
	unsigned long long timestep_ns;
	unsigned long long migration_ns; /* where neither matrix nor a level gives a cost */
	int nr_levels;			 /* up to REF_MAX_LEVELS, smallest blocks first */
	struct ref_level levels[REF_MAX_LEVELS];
	const unsigned long long *matrix_ns; /* [from * nr_cores + to] or NULL */
	unsigned long long warmup_ns;
	enum ref_speed_rule speed_rule;
	/* Groups of cores whose threads slow each other down in states that stress the L2 while their demands add up
	 * to more than the capacity: by capacity / demand, rounded down, at least 1 unit of progress per ns. */
	int nr_shared;				     /* up to REF_MAX_SHARED */
	const int *shared_of;			     /* [nr_cores]: group, or -1 */
	unsigned long long capacity[REF_MAX_SHARED]; /* L2 misses per s */
	/* 0: until all have left, if all are `once`, or 10 times the sum of the latest arrival and all traces has gone
	 * by; else until the last trace would be over, had each begun at its arrival and run at baseline speed. */
	unsigned long long duration_ns;
};

struct ref_counts {
	unsigned long long executed, served, matched;
};

/* Of 1,000,000 parts of a ns of baseline time: high * 2^64 + low. */
struct ref_progress {
	unsigned long long high, low;
};

struct ref_thread_result {
	struct ref_counts counts;
	unsigned long long completed_ns, transitions, migrations, paid_ns, present_ns;
	int left;
	/* By place and state: timesteps that began in it, and progress in epochs that are in it. Places are the cores
	 * or, for a core with speeds, its speeds, one after the other. */
	unsigned long long executed[REF_MAX_CORES][16];
	struct ref_progress progress[REF_MAX_CORES][16];
};

/* What happened in a run, so that a test can tell whether its systems exercise the rules. */
enum ref_event {
	REF_STAYED_BY_INERTIA,	/* step 1 */
	REF_MOVED_TO_IDLE,	/* step 3 */
	REF_SWAPPED,		/* step 4 */
	REF_MOVED_TO_SHORTER,	/* step 5 */
	REF_SKIPPED_MOVED,	/* a head that had moved in the same pass */
	REF_CHOSE_AMONG_EQUALS, /* step 3 or 4 had two candidates with the same speedup */
	REF_CHOSE_FASTER,	/* step 3 or 4 preferred one with a larger speedup */
	REF_VICTIM_HAD_INERTIA, /* step 4 passed over a head only for its inertia */
	REF_CROSSED_INSIDE,	/* an epoch boundary within a timestep */
	REF_CROSSED_TWICE,	/* more than one of them in one timestep */
	REF_CROSSED_AT_END,	/* a boundary reached at the last ns of a timestep */
	REF_CROSSED_EXACTLY,	/* that, without surplus */
	REF_CARRIED_SURPLUS,	/* a boundary reached with surplus */
	REF_RESTARTED,		/* a trace ended */
	REF_PAID_IN_PART,	/* a timestep began with debt and had time left */
	REF_PAID_WHOLE_STEP,	/* a timestep went on debt, to the last ns */
	REF_CARRIED_DEBT,	/* debt was left after a timestep */
	REF_ARRIVED_LATE,	/* not in the first timestep */
	REF_DUE_INSIDE,		/* due within a timestep, so that it had to wait for the next */
	REF_NEVER_ARRIVED,	/* the run ended before */
	REF_PLACED_ELSEWHERE,	/* thread i not on core i modulo the number of cores, sets aside */
	REF_PLACED_BY_SET,	/* a shorter queue, or an equal one before, was not allowed */
	REF_LEFT_INSIDE,	/* a trace ended for good within a timestep */
	REF_LEFT_AT_END,	/* and at the last ns of one */
	REF_LEFT_WITH_SURPLUS,	/* and with progress that nobody needs */
	REF_LEFT_WHILE_COLD,	/* and within a warm-up */
	REF_LEFT_CORE_IDLE,	/* its core had nobody else */
	REF_LEFT_OTHERS,	/* its core had others */
	REF_NOBODY_THERE,	/* a timestep without any thread */
	REF_VICTIM_KEPT_BY_SET, /* step 4 passed over a head only for its set */
	REF_KEPT_FROM_IDLE,	/* step 3 passed over a core only for the mover's set */
	REF_KEPT_FROM_SWAP,	/* step 4 did */
	REF_KEPT_FROM_SHORTER,	/* step 5 did */
	REF_COST_BY_LEVEL,	/* a move cost what a level says, which is not the flat cost */
	REF_COST_BY_MATRIX,	/* the same for a matrix */
	REF_COST_ONE_WAY,	/* the way back would have cost something else */
	REF_CROSSED_WARMING,	/* an epoch boundary during a warm-up */
	REF_SEVERAL_PARTS,	/* parts of a warm-up in one timestep */
	REF_SKIPPED_PARTS,    /* a part that is over before it begins: the warm-up is shorter than this number of ns */
	REF_PAID_THEN_WARMED, /* debt and warm-up in one timestep */
	REF_STILL_COLD,	      /* a timestep ended within a warm-up */
	REF_WARM_INSIDE,      /* a warm-up ended within a timestep */
	REF_WARMUP_INTERRUPTED, /* by another move, after some of it */
	REF_SPEED_CHANGED,	/* on a core that executes */
	REF_SPEED_LATER,	/* one was asked for, and began later */
	REF_SPEED_REPLACED,	/* by another, before it began */
	REF_SLOWED,		/* a timestep began with more demand than capacity */
	REF_AT_CAPACITY,	/* and with as much */
	REF_ALL_LEFT,		/* the run ended when they had */
	REF_GIVEN_UP,		/* it did not, and was given up */
	REF_NR_EVENTS
};

struct ref_result {
	unsigned long long nr_timesteps;
	unsigned long long present_timesteps;  /* sum over timesteps of the threads present */
	unsigned long long capacity_timesteps; /* the same, but no more than there are cores */
	unsigned long long decisions;	       /* moves and swaps */
	struct ref_counts cores[REF_MAX_CORES];
	struct ref_counts states[16];		     /* by the state in which the timestep began */
	unsigned long long residency[REF_MAX_CORES]; /* timesteps by place */
	unsigned long long over[REF_MAX_SHARED];     /* timesteps that began with more demand than capacity */
	unsigned long long events[REF_NR_EVENTS];
};

struct ref_queue {
	int length;
	int threads[REF_MAX_THREADS]; /* the head is number 0 */
};

#define REF_UNKNOWN (-1)

/* What one scheduling pass works on. */
struct ref_pass {
	struct ref_queue queues[REF_MAX_CORES];
	int observed[REF_MAX_THREADS]; /* state or REF_UNKNOWN */
	unsigned inertia[REF_MAX_THREADS];
	/* Set by the pass. */
	unsigned long long moves[REF_MAX_THREADS];
	unsigned long long debt_ns[REF_MAX_THREADS]; /* at most what fits */
	int warming[REF_MAX_THREADS];		     /* a warm-up lies ahead */
	unsigned long long decisions;
};

/* Runs the system in `config`; `threads` has room for config->nr_threads results. */
void ref_run(const struct ref_config *config, struct ref_result *result, struct ref_thread_result *threads);

/* Runs one pass of the configured policy from any placement, which a run may never reach. Of `config` it reads the
 * cores, the numbers of cores and threads, the sets of the threads, the policy, the inertia, costs and warm-up. Returns
 * the number of moves by step 5. */
unsigned long long ref_pass(const struct ref_config *config, struct ref_pass *pass);

/* State of an epoch with these counts, in the order instructions, branches, branch_misses, l1i_misses, l1d_accesses,
 * l1d_misses, l2_accesses, l2_misses. `cuts_ppb[c]`, by bit number, is in parts per thousand million of misses per
 * branch, instruction, access and access (1 MPKI = 1,000,000). */
unsigned ref_state(const unsigned long long counts[8], const long long cuts_ppb[4]);

#endif
