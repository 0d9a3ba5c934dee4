/* Names of the files in a folder. */
#ifndef SAHM_SIM_BASE_FOLDER_H
#define SAHM_SIM_BASE_FOLDER_H

#include <stdbool.h>

#include "sim/base/arena.h"
#include "sim/base/suggest.h"

/* Calls `visit` with the name of each file in `folder` whose name ends in `ending`, without that ending, in the order
 * of strcmp(). False with errno where the folder cannot be read or memory is short. */
typedef void folder_visit(void *ctx, const char *name);
bool folder_each(const char *folder, const char *ending, folder_visit *visit, void *ctx);

/* Offers all these names; those that `s` keeps live in `a`. The same result. */
bool folder_offer(const char *folder, const char *ending, struct arena *a, struct suggest *s);

#endif
