/* Loading a plug-in for trial, in a child process: a damaged file can crash the dynamic linker, end the process or
 * hang. The caller lives, and learns of it as an error. */
#ifndef SAHM_SCHED_HOST_PLUGIN_TRIAL_H
#define SAHM_SCHED_HOST_PLUGIN_TRIAL_H

#include "sim/base/err.h"

struct plugin_trial_limits {
	unsigned cpu_s;	 /* of the processor */
	unsigned wall_s; /* of the clock */
};

/* Calls `load` in a child process, whose standard files lead nowhere, and returns what it returns. SAHM_FORMAT when the
 * child ends otherwise or takes too long, SAHM_IO when there can be no child. Messages name `path`. */
enum sahm_status plugin_trial(const char *path, struct plugin_trial_limits limits,
			      enum sahm_status (*load)(void *ctx, struct sahm_err *err), void *ctx,
			      struct sahm_err *err);

#endif
