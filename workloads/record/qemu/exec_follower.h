/* Programs started by execve() of a recorded program are recorded, too.
 *
 * QEMU's user mode hands execve() to the kernel, which would run the new program outside of QEMU. The plug-in is called
 * before that, and replaces the process by QEMU with the new program and the same shared memory instead. Descriptors,
 * environment, folder and process ID stay as the program's own call would leave them.
 */
#ifndef SAHM_WORKLOADS_RECORD_QEMU_EXEC_FOLLOWER_H
#define SAHM_WORKLOADS_RECORD_QEMU_EXEC_FOLLOWER_H

#include "workloads/record/qemu_share.h"

/* Request of the program; addresses are the program's, `base` is where its address 0 lies in QEMU's memory. */
struct exec_call {
	uint64_t base, path, argv, envp;
};

/* Does not return where the program could be replaced. Otherwise the program's own call is to go on: it fails, or runs
 * what s->replaced_message says cannot be followed. */
void exec_follow(struct qemu_share *s, const struct exec_call *call);

/* In a process that the program forked: keeps the command for the recorder's remark, if it is the first. */
void exec_note_child(struct qemu_share *s, const struct exec_call *call);

#endif
