/* The table of maps and variables of a scheduler in BPF C (sched/host/bpf_program.h), as C source that includes the
 * scheduler: which there are is read from an object file, and what each is like is asked of the compiler.
 */
#ifndef SAHM_SIM_CLI_BPF_TABLE_H
#define SAHM_SIM_CLI_BPF_TABLE_H

#include "sim/cli/bpf_compiler.h"

/* Of the kernel's configuration, which a loader defines. */
#define BPF_TICK_RATE "CONFIG_HZ"

struct bpf_symbol {
	const char *name;
	uint64_t nr_bytes;
};

/* What an object file of the scheduler has, each in the order of names. In the compiler's arena. */
struct bpf_symbols {
	struct bpf_symbol *maps, *variables;
	size_t nr_maps, nr_variables;
	const char **needs; /* functions that others have to define; not those that may be missing */
	size_t nr_needs;
	bool needs_tick_rate;
	bool has_policy; /* it defines the symbol that a plug-in is known by */
};

/* Reads the object file `name` of the temporary folder. SAHM_IO, SAHM_FORMAT, SAHM_NOMEM. */
enum sahm_status bpf_symbols_read(struct bpf_symbols *symbols, struct bpf_compiler *c, const char *name,
				  struct sahm_err *err);

/* Writes the table to the file `name` of the temporary folder. SAHM_IO, SAHM_TOOL, SAHM_NOMEM. */
enum sahm_status bpf_table_write(const struct bpf_symbols *symbols, struct bpf_compiler *c, const char *name,
				 struct sahm_err *err);

#endif
