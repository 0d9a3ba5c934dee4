/* The simulator a second time, deliberately simple: the reference that the engine is compared with.
 *
 * It is written from the rules alone and shares no function, type or header with the product. Everything is done in
 * the most obvious way: queues are small arrays, integers are wide enough not to think about, nothing is remembered
 * that can be worked out again. Slow, and limited to the sizes below.
 * Times are ns, speedups millionths (ppm), states 0 to 15 with branch = 1, L1I = 2, L1D = 4, L2 = 8; 0 is Low.
 */
#ifndef REFSIM_H
#define REFSIM_H

#define REF_MAX_CORES 16
#define REF_MAX_THREADS 32

enum ref_kind {
	REF_BASELINE,
	REF_COMPONENTS, /* specialised for the components in `mask` */
	REF_TABLE,	/* a speedup per state */
};

struct ref_core {
	enum ref_kind kind;
	unsigned mask;		    /* bits as in states */
	long long component_ppm[4]; /* by bit number; read where the mask has the bit */
	long long table_ppm[16];    /* by state; above -1,000,000 */
};

struct ref_thread {
	const unsigned char *states;			   /* [nr_epochs] */
	unsigned long long nr_epochs, epoch_ns, offset_ns; /* epoch_ns: longer than any core completes in 1 ns */
};

enum ref_policy {
	REF_STATIC,
	REF_LISTING, /* the paper's scheduler without swaps */
	REF_SAHM,    /* with them */
	REF_STRICT,  /* swaps only with a thread that does not match its own core */
};

struct ref_config {
	const struct ref_core *cores;
	int nr_cores; /* 1 to REF_MAX_CORES */
	const struct ref_thread *threads;
	int nr_threads; /* 1 to REF_MAX_THREADS */
	enum ref_policy policy;
	int oracle;
	unsigned inertia;
	unsigned long long timestep_ns, migration_ns, duration_ns; /* duration 0: the longest trace */
};

struct ref_thread_result {
	unsigned long long completed_ns, executed, served, matched, transitions, migrations;
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
	REF_VICTIM_HAD_INERTIA, /* step 4 passed over a head for its inertia alone */
	REF_CROSSED_INSIDE,	/* an epoch boundary within a timestep */
	REF_CROSSED_TWICE,	/* more than one of them in one timestep */
	REF_CROSSED_AT_END,	/* a boundary reached at the last ns of a timestep */
	REF_CROSSED_EXACTLY,	/* that, without surplus */
	REF_CARRIED_SURPLUS,	/* a boundary reached with surplus */
	REF_RESTARTED,		/* a trace ended */
	REF_PAID_IN_PART,	/* a timestep began with debt and had time left */
	REF_PAID_WHOLE_STEP,	/* a timestep went on debt, to the last ns */
	REF_CARRIED_DEBT,	/* debt was left after a timestep */
	REF_NR_EVENTS
};

struct ref_result {
	unsigned long long nr_timesteps;
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
	unsigned long long moves[REF_MAX_THREADS]; /* set by the pass */
};

/* Runs the system in `config`; `threads` has room for config->nr_threads results. */
void ref_run(const struct ref_config *config, struct ref_result *result, struct ref_thread_result *threads);

/* Runs one pass of the configured policy from any placement, which a run may never reach. Of `config` it reads the
 * cores, the numbers of cores and threads, the policy and the inertia. Returns the number of moves by step 5. */
unsigned long long ref_pass(const struct ref_config *config, struct ref_pass *pass);

/* State of an epoch with these counts, in the order instructions, branches, branch_misses, l1i_misses, l1d_accesses,
 * l1d_misses, l2_accesses, l2_misses. `cuts_ppb[c]`, by bit number, is in parts per thousand million of misses per
 * branch, instruction, access and access (1 MPKI = 1,000,000). */
unsigned ref_state(const unsigned long long counts[8], const long long cuts_ppb[4]);

#endif
