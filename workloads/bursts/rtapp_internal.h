/* Between the files that read workloads of rt-app. */
#ifndef SAHM_WORKLOADS_BURSTS_RTAPP_INTERNAL_H
#define SAHM_WORKLOADS_BURSTS_RTAPP_INTERNAL_H

#include "workloads/bursts/rtapp.h"

/* Reads JSON with workgen's liberties into a tree: objects are groups, whose keys can repeat, arrays lists; a key
 * without a value, and null, are empty strings. SAHM_CONFIG, SAHM_NOMEM. */
enum sahm_status rtapp_parse(struct arena *a, const char *file, const char *text, size_t len, struct cfg_node **root,
			     struct sahm_err *err);

#endif
