/* Workers: runs from a queue, carried out by processes of this machine (pool.h), results back into it.
 *
 * Only this process speaks to Redis; the processes that it forks carry out runs. It takes enough runs to keep its
 * processes busy for more than a second, asks for the next ones before these are done, and renews its claim on all
 * of them. Files that runs need are fetched into a cache. When the connection is lost, runs in progress continue,
 * and their results are sent when it is back. */
#ifndef SAHM_SIM_QUEUE_QUEUE_WORKER_H
#define SAHM_SIM_QUEUE_QUEUE_WORKER_H

#include "sim/queue/queue.h"

/* How a worker is asked to end. */
enum worker_stop {
	WORKER_GO_ON,
	WORKER_FINISH, /* runs in progress are finished within `grace_s`, the rest is handed back */
	WORKER_DROP,   /* everything is handed back */
};

struct queue_worker_options {
	struct queue_options queue;
	uint32_t nr_processes;	    /* 1 to MAX_POOL_WORKERS */
	const char *cache;	    /* folder of the file cache */
	uint64_t cache_bytes;	    /* most that it may hold */
	const char *const *plugins; /* [nr_plugins]: policies of this machine that runs may use */
	size_t nr_plugins;
	const char *trust;     /* absolute; which programs for IPUs may run; NULL: all */
	bool any_program;      /* also runs that another version of the program planned */
	unsigned timeout_s;    /* longest time of a run; 0: any */
	uint64_t memory_bytes; /* largest address space of a process; 0: any */
	unsigned idle_s;       /* ends after so long without a run; 0: waits for ever */
	unsigned grace_s;
	void (*process_begin)(void); /* in each process; may be NULL */
	/* Both in this process, often; `say`: what somebody who looks after workers wants to know, a line. */
	enum worker_stop (*stop)(void *ctx);
	void (*report)(void *ctx, const char *text);
	void *ctx;
};

struct queue_worker_outcome {
	uint64_t done, failed, handed_back; /* runs: with results, failed deliveries, not carried out */
	uint64_t elapsed_ns;
};

/* Works until it is stopped or idle for too long. SAHM_CONFIG: runs wait, and all are of another version of the
 * program; otherwise as queue_connect(), file_cache_open() and pool_run() fail. Runs still held on failure return to
 * the queue when their claim expires. */
enum sahm_status queue_work(const struct queue_worker_options *options, struct queue_worker_outcome *outcome,
			    struct sahm_err *err);

#endif
