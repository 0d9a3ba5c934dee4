/* The event-driven engine. */
#include "sim/engine/sim_internal.h"

enum sahm_status sim_run_event(const struct sim_config *config, struct arena *a, const struct sim_span *span,
			       struct sim_result *result, struct sim_thread_result *threads, struct sim_counts *cores,
			       struct sahm_err *err)
{
	return sim_run_plain(config, a, span, result, threads, cores, err);
}
