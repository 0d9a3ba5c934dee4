/* Locks of files that are replaced as a whole: between reading one and replacing it, nobody else does either. */
#ifndef SAHM_SIM_BASE_LOCK_H
#define SAHM_SIM_BASE_LOCK_H

#include <stdbool.h>

#include "sim/base/err.h"

struct file_lock {
	const char *path; /* the caller's */
	int fd;
	bool was_created;
};

/* Takes the lock of the regular file `path`, waiting for its holder. `creates`: where there is none, an empty one
 * is made. On failure there is nothing to release. SAHM_IO. */
enum sahm_status file_lock_take(struct file_lock *l, const char *path, bool creates, struct sahm_err *err);

/* Gives it back. A file that was made for it and still is empty is removed. */
void file_lock_release(struct file_lock *l);

#endif
