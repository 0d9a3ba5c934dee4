/* The variables of a BPF program: how they were when it was loaded, what a loader in user space would make of them, and
 * what a run sets.
 */
#ifndef SAHM_SCHED_HOST_BPF_IMAGE_H
#define SAHM_SCHED_HOST_BPF_IMAGE_H

#include "sched/host/bpf_program.h"
#include "sim/base/err.h"

/* Keeps the writable memory of the shared object `object`, as dlopen() returned it, whose program has just been loaded;
 * its constants become writable. SAHM_NOMEM, SAHM_IO. */
enum sahm_status bpf_image_keep(const struct sahm_bpf_program *program, void *object, struct sahm_err *err);
/* Forgets it, before the object is closed. */
void bpf_image_forget(const struct sahm_bpf_program *program);

/* What a loader knows of the machine. */
struct bpf_machine {
	u32 nr_cpus;
	u64 timestep_ns;
	/* Of core `cpu`, in SCX_CPUPERF_ONE. */
	u32 (*capacity)(void *ctx, u32 cpu);
	void *ctx;
};

/* Gives all variables the values with which a run begins: those of the file, then what loaders set (loader_rows),
 * then `settings`, "NAME=VALUE[,VALUE...]" each, which have been checked. */
void bpf_image_begin(const struct sahm_bpf_program *program, const struct bpf_machine *machine,
		     const char *const *settings, u32 nr_settings);

/* Whether a setting names a variable and has values that fit. Values are whole numbers, decimal or hexadecimal, true or
 * false; of a variable whose name ends in _ns also times with a unit, "5ms". Those of an array fill it from its
 * beginning. SAHM_CONFIG. */
enum sahm_status bpf_setting_check(const struct sahm_bpf_program *program, const char *setting, struct sahm_err *err);

#endif
