/* Words that keys of a configuration can have as values, NULL at the end of each list: what reads them and what
 * completes them on a command line look here. */
#ifndef SAHM_SIM_ENGINE_CONFIG_RUN_WORDS_H
#define SAHM_SIM_ENGINE_CONFIG_RUN_WORDS_H

/* chip.cores[].figure, the default first. */
extern const char *const core_figure_names[];

/* workload.mode, the default first. */
extern const char *const workload_mode_names[];

/* workload.traces[].bursts.run and .sleep, in the order of enum burst_shape. */
extern const char *const burst_shape_names[];

#endif
