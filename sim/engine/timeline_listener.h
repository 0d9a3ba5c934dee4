/* What a simulation tells of itself while time runs: who runs where, in which state, and why it changes.
 *
 * Events come in the order of their time. At one time, in timesteps: threads that stop, then those that wake, moves,
 * and those that start, each by core or thread index; in continuous time, as things happen: the core that a thread
 * leaves is reported before the one that it enters, and a core's thread stops before another starts. A thread that goes
 * on need not stop in between: it may stop and start again at the same time, or not be reported at all. When time
 * is up, all that run stop (TIMELINE_END).
 *
 * In timesteps (plain.c) a running thread is reported where its timestep begins in another state than the one before,
 * not where its state changes within; it stops where a timestep ends, or where its trace does if it leaves. In
 * continuous time (ext.c) states are reported where they change.
 */
#ifndef SAHM_SIM_ENGINE_TIMELINE_LISTENER_H
#define SAHM_SIM_ENGINE_TIMELINE_LISTENER_H

#include <stdbool.h>
#include <stdint.h>

enum timeline_kind {
	/* Thread `thread` runs on core `core` from now on; or it has already, and is in another state from now on. */
	TIMELINE_RUN,
	/* It runs there no longer: it sleeps, leaves, yields, or another's turn has come. */
	TIMELINE_STOP,
	TIMELINE_WAKE,	  /* it is runnable again, or has arrived; `core` is where it is to wait */
	TIMELINE_MIGRATE, /* it is moved from core `from` to core `core`, where it runs next */
};

/* Why a thread stops. */
enum timeline_reason { TIMELINE_TURN, TIMELINE_SLEEP, TIMELINE_YIELD, TIMELINE_LEAVE, TIMELINE_END };

struct timeline_event {
	uint64_t ns;
	uint32_t core, thread; /* `thread` counts from 0 in each simulation */
	enum timeline_kind kind;
	enum timeline_reason reason; /* of TIMELINE_STOP */
	uint32_t from;		     /* of TIMELINE_MIGRATE */
	uint8_t state;		     /* of TIMELINE_RUN: in which the thread is, not what is observed */
};

/* Who listens. */
struct timeline_sink {
	/* only in run.h: a simulation begins, of threads `first` to `first` + `nr` - 1 of the configuration; time
	 * begins at 0 again. */
	void (*begin)(struct timeline_sink *sink, uint32_t first, uint32_t nr);
	void (*take)(struct timeline_sink *sink, const struct timeline_event *event);
};

#endif
