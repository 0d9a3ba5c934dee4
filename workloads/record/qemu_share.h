/* Memory that a recorder shares with its plug-in in qemu-user: its task, and its results.
 *
 * It is an unnamed file that the recorder makes and the plug-in maps before the program runs; whatever becomes of the
 * program after that, its counts are there. The program cannot find it: its descriptor is closed then, and qemu-user
 * never hands out memory that is in use. One side writes each member, the recorder before it starts QEMU, the plug-in
 * after that.
 */
#ifndef SAHM_WORKLOADS_RECORD_QEMU_SHARE_H
#define SAHM_WORKLOADS_RECORD_QEMU_SHARE_H

#include <limits.h>

#include "cores/chip/counters.h"
#include "cores/isa/insn.h"
#include "cores/uarch/cpu.h"

/* Both sides are of one build, or do not work together. */
#define QEMU_SHARE_VERSION 7u

/* Epochs that there is room for: at 10^7 instructions each, some weeks. Pages are there when they are used. */
#define MAX_QEMU_EPOCHS (UINT32_C(1) << 22)

/* Threads that are counted, of all that a program ever has. */
#define MAX_QEMU_THREADS 1024u

#define QEMU_TEXT_BYTES 4096u
#define QEMU_LINE_BYTES (4 * PATH_MAX)

enum qemu_progress {
	QEMU_NOT_LOADED, /* the plug-in was never called */
	QEMU_REFUSED,	 /* it could not begin: `message` */
	QEMU_RUNNING,	 /* the program ran, and was ended by a signal, or replaced by another */
	QEMU_EXITED,	 /* the program ended without help */
	QEMU_FULL,	 /* the plug-in ended it: there are as many epochs as were asked for */
};

/* Which threads are modelled. Of the others, instructions are counted. */
enum qemu_threads { QEMU_THREADS_ALL, QEMU_THREADS_MAIN, QEMU_THREADS_SUM };

struct qemu_epoch {
	struct epoch_counts counts;
	uint32_t thread; /* its place in `threads`, plus 1; 0: not written yet */
};

/* Written by the thread itself, on lines of the host's caches that no other thread writes. */
struct qemu_thread {
	_Alignas(128) struct epoch_counts current; /* of the epoch under way; QEMU_THREADS_SUM: not summed yet */
	uint64_t nr_instructions;		   /* before that */
	uint64_t nr_epochs;
	int tid;
	char name[16]; /* the kernel's; "": no name */
};

struct qemu_share {
	/* The recorder's. */
	uint32_t version;
	struct cpu cpu;
	uint64_t epoch_instructions; /* at least; an epoch ends with the block in which it is reached */
	uint64_t max_epochs;	     /* of a thread; 1 to MAX_QEMU_EPOCHS */
	enum qemu_threads which;
	enum machine machine;
	char stream_path[QEMU_TEXT_BYTES]; /* "": no stream; absolute */
	uint64_t first_epoch;		   /* the stream takes epochs that equal this one modulo `every_epochs` */
	uint64_t warm;			   /* instructions before each, which it takes, too */
	uint64_t max_taken;		   /* `every_epochs` doubles when there are that many; 0: it does not */
	char program[QEMU_TEXT_BYTES];	   /* for the stream's header */
	/* How the plug-in opens this memory again for what the program becomes by execve(): the recorder's own file. */
	char share_path[64];
	char folder[PATH_MAX]; /* where the command is run; "": not known */
	/* QEMU and its options, each with its NUL, up to an empty one; absolute paths. The last one loads the plug-in
	 * and lacks its "share=". Empty: too long to be kept. */
	char line[QEMU_LINE_BYTES];

	/* The recorder's, and the plug-in's from the first execve() on. */
	char image[PATH_MAX]; /* of the program that runs, what the program's /proc/self/exe means; absolute */

	uint64_t every_epochs; /* at least 1 */

	/* The plug-in's. */
	enum qemu_progress progress;
	char message[SAHM_ERR_BYTES];	     /* of QEMU_REFUSED */
	char stream_message[SAHM_ERR_BYTES]; /* why there is no stream; "": nothing went wrong */
	bool is_stream_finished;
	bool is_replaced; /* by execve(), and what it became is not counted: `replaced_message` */
	char replaced_message[SAHM_ERR_BYTES];
	uint32_t nr_followed;	     /* execve() that were followed */
	bool has_child;		     /* `child` is being written, or is there */
	char child[768];	     /* the first command that a forked process became, */
	char child_folder[PATH_MAX]; /* where; "": in `folder`, or not known */
	/* Processor time of the program, emulated, and of the children that it has waited for; as of its end, or a
	 * while before if that was a signal. */
	uint64_t own_cpu_ns, children_cpu_ns;
	bool is_short_of_memory; /* some code is not counted */
	uint32_t nr_threads;	 /* that began; of those after MAX_QEMU_THREADS nothing is known */
	uint32_t nr_forks;	 /* processes that were begun, by the first thread or others */
	struct epoch_counts sum; /* QEMU_THREADS_SUM: of the epoch under way */
	uint64_t nr_epochs;	 /* in the order in which they ended; not more than MAX_QEMU_EPOCHS count */
	struct qemu_thread threads[MAX_QEMU_THREADS];
	struct qemu_epoch epochs[];
};

#endif
