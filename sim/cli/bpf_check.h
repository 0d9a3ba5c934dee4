/* `sahm policy check` of a scheduler in BPF C: what it needs and the simulator does not have, without building it. */
#ifndef SAHM_SIM_CLI_BPF_CHECK_H
#define SAHM_SIM_CLI_BPF_CHECK_H

#include "sim/cli/bpf_compiler.h"

/* Prints the list, as text or as one JSON object. SAHM_FORMAT: something is missing, or it does not compile; else as
 * bpf_missing_find() fails. */
enum sahm_status bpf_check(const struct bpf_source *source, enum output_form form, struct sahm_err *err);

#endif
