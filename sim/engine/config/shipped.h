/* Files that come with the program, called only by name. */
#ifndef SAHM_SIM_ENGINE_CONFIG_SHIPPED_H
#define SAHM_SIM_ENGINE_CONFIG_SHIPPED_H

#include <stdbool.h>

#include "sim/base/arena.h"
#include "sim/base/folder.h"
#include "sim/base/suggest.h"

struct shipped {
	const char *what;	     /* for messages */
	const char *folder, *ending; /* in the data folder, with a '/' at its end; what the files' names end in */
};

extern const struct shipped shipped_programs; /* of IPUs */
extern const struct shipped shipped_specs;    /* of ABIs */
extern const struct shipped shipped_trusts;   /* which say which programs IPUs take */
extern const struct shipped shipped_costs;    /* tables of what cores cost */
extern const struct shipped shipped_cpus;     /* that recorders model */
extern const struct shipped shipped_cores;    /* models of cores, which `sahm core` runs */
extern const struct shipped shipped_configs, shipped_suites;
extern const struct shipped shipped_small_traces, shipped_open_traces, shipped_synthetic_traces;

/* Calls `visit` with each name that there is in `data_folder`, without its ending, in the order of strcmp(). False
 * with errno where the folder cannot be read or memory is short. */
bool shipped_each(const struct shipped *shipped, const char *data_folder, folder_visit *visit, void *ctx);

/* Offers all names that there are in `data_folder`, in the order of strcmp(); those that `s` keeps live in `a`. */
void shipped_offer(const struct shipped *shipped, const char *data_folder, struct arena *a, struct suggest *s);

/* The same for the traces of all suites. */
void shipped_offer_traces(const char *data_folder, struct arena *a, struct suggest *s);

/* Writes "; did you mean 'x'?" into `hint`, or "" where nothing in `data_folder` is called nearly so; of names that are
 * equally near the first by strcmp(). */
void shipped_suggest(const struct shipped *shipped, const char *data_folder, const char *name,
		     char hint[SUGGEST_BYTES]);

#endif
