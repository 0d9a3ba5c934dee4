/* Holds a simulation against what it tells on its timeline: who runs where and when, and what follows from that. */
#ifndef SAHM_TESTS_HELPER_AUDIT_H
#define SAHM_TESTS_HELPER_AUDIT_H

#include "sim/engine/sim.h"

struct audit {
	struct timeline_sink sink; /* first: of the configuration */
	struct timeline_event *events;
	size_t nr, room;
	char complaint[256];
};

void audit_init(struct audit *a);
void audit_release(struct audit *a);

/* Properties that tie the results of a finished run to its events; NULL: they agree, or what
 * does not. A policy that `conserves_work` lets no core idle while somebody waits who may run there. */
const char *audit_run(struct audit *a, const struct sim_config *config, const struct sim_result *result,
		      const struct sim_thread_result *threads, const struct sim_counts *cores, bool conserves_work);

#endif
