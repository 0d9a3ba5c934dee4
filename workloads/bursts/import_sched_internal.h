/* Between the files that read recordings of a scheduler. */
#ifndef SAHM_WORKLOADS_BURSTS_IMPORT_SCHED_INTERNAL_H
#define SAHM_WORKLOADS_BURSTS_IMPORT_SCHED_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sched_kind {
	SCHED_NOTHING, /* no event: a comment, a stack, a blank line */
	SCHED_OTHER,   /* an event of another kind */
	SCHED_SWITCH,
	SCHED_WAKE,
	SCHED_LOST, /* events were lost here */
	SCHED_WRONG /* a switch or wake-up that cannot be read */
};

/* Effect of switching a thread out. */
enum sched_end { SCHED_PREEMPTED, SCHED_SLEEPS, SCHED_EXITS };

/* A thread as an event names it. */
struct sched_task {
	const char *comm; /* comm_len bytes of the line */
	size_t comm_len;
	uint32_t tid;
};

struct sched_event {
	enum sched_kind kind;
	uint64_t ns;
	int cpu;		      /* -1: not told */
	uint32_t current, process;    /* the thread that was on the CPU and its process; 0: not told */
	bool by_perf;		      /* the name has "sched:" in front */
	struct sched_task prev, next; /* SCHED_WAKE: `next` is woken */
	enum sched_end end;	      /* of `prev` */
	uint64_t nr_lost;	      /* SCHED_LOST; 0: not told */
	const char *rest;	      /* SCHED_WRONG: what cannot be read */
};

/* Reads one line, NUL-terminated. */
void sched_line_read(const char *line, struct sched_event *e);

#endif
