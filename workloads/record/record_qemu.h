/* Recording without hardware counters: the command runs in qemu-user, and a plug-in there models caches and branch
 * predictor.
 *
 * Any x86-64 or riscv64 Linux program, static or dynamic, on any machine that has QEMU's user mode (7.2 or later, with
 * plug-ins). Each thread has a separate core and trace, and execve() is followed;
 * processes that it forks run, uncounted. The same program, input and environment give the same counts: QEMU is given a
 * fixed seed, unless QEMU_RAND_SEED is set, and a program that asks for the time or for random numbers may still do
 * other things each time.
 */
#ifndef SAHM_WORKLOADS_RECORD_RECORD_QEMU_H
#define SAHM_WORKLOADS_RECORD_RECORD_QEMU_H

#include "workloads/record/qemu_share.h"
#include "workloads/record/record.h"

#define DEFAULT_EPOCH_INSTRUCTIONS UINT64_C(10000000)
#define MIN_EPOCH_INSTRUCTIONS UINT64_C(1000)
#define MAX_EPOCH_INSTRUCTIONS UINT64_C(1000000000000)

#define DEFAULT_RECORD_SEED 1u

/* The epoch with which a sample begins, for `seed`: any number. */
uint64_t record_first_epoch(uint64_t seed);

/* What is loaded into QEMU; it comes with the program. */
#define QEMU_PLUGIN_FILE "sahm-qemu.so"

struct qemu_request {
	struct record_request common;
	const struct cpu *cpu;	     /* what is modelled */
	uint64_t epoch_instructions; /* MIN_ to MAX_EPOCH_INSTRUCTIONS; an epoch ends with the block in which it has
					them */
	unsigned threads;	     /* enum qemu_threads */
	uint64_t epoch_ns;	     /* assumed length of each */
	const char *stream_path;     /* where the instruction stream goes, a regular file if it is there; NULL: none */
	/* Of the stream: of this many epochs it has one, after `warm` instructions that only warm; 0 and 1: all. Which
	 * one, `first_epoch` says, of which the rest counts. Not with QEMU_THREADS_SUM. */
	uint64_t every_epochs, first_epoch, warm;
	uint64_t max_taken;	 /* when there are that many epochs, every_epochs doubles; 0: never */
	const char *plugin_path; /* of QEMU_PLUGIN_FILE */
	bool only_stream;	 /* no trace is made, and nothing is reported of epochs that would miss in it */
};

/* Runs the command. SAHM_IO when it or QEMU cannot be run, SAHM_FORMAT when it is for another machine, SAHM_NOMEM. On
 * success the caller releases what `out` says. */
enum sahm_status record_qemu(const struct qemu_request *request, struct recording *out, struct sahm_err *err);

#endif
