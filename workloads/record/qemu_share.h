/* Memory that a recorder shares with its plug-in in qemu-user: what to do, and what was seen.
 *
 * It is an unnamed file that the recorder makes and the plug-in maps before the program runs; whatever becomes of the
 * program after that, its counts are there. The program cannot find it: its descriptor is closed then, and qemu-user
 * never hands out memory that is in use. One side writes each member, the recorder before it starts QEMU, the plug-in
 * after that.
 */
#ifndef SAHM_WORKLOADS_RECORD_QEMU_SHARE_H
#define SAHM_WORKLOADS_RECORD_QEMU_SHARE_H

#include "cores/chip/counters.h"
#include "cores/isa/insn.h"
#include "cores/uarch/cpu.h"

/* Both sides are of one build, or do not work together. */
#define QEMU_SHARE_VERSION 1u

/* Epochs that there is room for: at 10^7 instructions each, some weeks. Pages are there when they are used. */
#define MAX_QEMU_EPOCHS (UINT32_C(1) << 22)

#define QEMU_TEXT_BYTES 4096u

enum qemu_progress {
	QEMU_NOT_LOADED, /* the plug-in was never called */
	QEMU_REFUSED,	 /* it could not begin: `message` */
	QEMU_RUNNING,	 /* the program ran, and was ended by a signal, or replaced by another */
	QEMU_EXITED,	 /* the program ended by itself */
	QEMU_FULL,	 /* the plug-in ended it: there are as many epochs as were asked for */
};

struct qemu_share {
	/* The recorder's. */
	uint32_t version;
	struct cpu cpu;
	uint64_t epoch_instructions; /* at least; an epoch ends with the block in which it is reached */
	uint64_t max_epochs;	     /* 1 to MAX_QEMU_EPOCHS */
	enum machine machine;
	char stream_path[QEMU_TEXT_BYTES]; /* "": no stream; absolute */
	char program[QEMU_TEXT_BYTES];	   /* for the stream's header */

	/* The plug-in's. */
	enum qemu_progress progress;
	char message[SAHM_ERR_BYTES];	     /* of QEMU_REFUSED */
	char stream_message[SAHM_ERR_BYTES]; /* why there is no stream; "": nothing went wrong */
	bool is_stream_finished;
	bool is_replaced;	     /* execve() was called, and did not return */
	bool is_short_of_memory;     /* some code is not counted */
	uint32_t nr_threads;	     /* beside the first */
	uint32_t nr_forks;	     /* processes that were begun, by the first thread or others */
	uint64_t other_instructions; /* of other threads; about, since they count without locks */
	uint64_t nr_epochs;
	struct epoch_counts current; /* of the epoch under way */
	struct epoch_counts epochs[];
};

#endif
