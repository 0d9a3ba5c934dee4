/* What the forms of timelines have in common: the events of a run, put in order and merged, and where threads are. */
#ifndef SAHM_RESULTS_TIMELINE_TIMELINE_INTERNAL_H
#define SAHM_RESULTS_TIMELINE_TIMELINE_INTERNAL_H

#include <inttypes.h>

#include "results/metrics/trace_words.h"
#include "results/timeline/timeline.h"

#define NOBODY UINT32_MAX

struct timeline_core {
	uint32_t thread;   /* who runs, as far as has been written; NOBODY */
	uint8_t state;	   /* of this thread, */
	uint64_t since_ns; /* since then; and it has run here */
	uint64_t began_ns; /* since then */
	bool is_stopping;  /* it stops now, unless it turns out to go on */
	bool is_listed;	   /* in timeline.stopping */
	enum timeline_reason reason;
};

struct timeline_thread {
	char *name;	 /* fit for the form */
	uint32_t on;	 /* where it runs, as far as has been written; NOBODY: nowhere */
	uint32_t seen;	 /* ftrace: where the text has seen it last; NOBODY: nowhere yet */
	uint32_t core;	 /* where it ran last, NOBODY: nowhere yet; */
	uint64_t ran_ns; /* so long */
};

/* How a form is written. Threads are those of the configuration, cores those of the chip; times rise. */
struct timeline_writer {
	/* Appends `name` to `out`, as it will be written. */
	void (*prepare_name)(const char *name, struct textbuf *out);
	void (*begin)(struct timeline *tl);
	/* Threads tl->first to tl->first + tl->nr - 1 are simulated; time restarts. */
	void (*begin_simulation)(struct timeline *tl);
	/* Thread `prev`, of tl->cores[core], stops, and `next` begins, in state `state`; one of them may be NOBODY. */
	void (*switch_threads)(struct timeline *tl, uint64_t ns, uint32_t core, uint32_t next, unsigned state);
	/* The thread of tl->cores[core] goes on in another state than there. NULL: that is not shown. */
	void (*change_state)(struct timeline *tl, uint64_t ns, uint32_t core);
	void (*wake)(struct timeline *tl, uint64_t ns, uint32_t core, uint32_t thread);
	void (*migrate)(struct timeline *tl, uint64_t ns, uint32_t from, uint32_t to, uint32_t thread);
	void (*end)(struct timeline *tl);
};

struct timeline {
	struct timeline_sink sink;
	const struct timeline_writer *writer;
	const struct run_config *config;
	const char *title;
	FILE *out;
	uint32_t nr_cores;
	struct timeline_core *cores;	 /* [nr_cores] */
	struct timeline_thread *threads; /* [nr_threads] of the configuration */
	uint32_t *stopping;		 /* [nr_cores]: existing cores, in the order in which they were reported */
	uint32_t nr_stopping;
	uint64_t stopped_ns;	 /* when they did */
	uint32_t first, nr;	 /* the simulation under way */
	uint64_t last_ns;	 /* the latest event of it */
	uint64_t begin_ns;	 /* ftrace: when it began */
	uint32_t nr_simulations; /* over */
	uint64_t nr_flows;
	bool has_events; /* Chrome */
	bool failed;	 /* there was no memory for something that it says */
};

extern const struct timeline_writer timeline_chrome, timeline_ftrace;

#endif
