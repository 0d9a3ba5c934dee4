/* Where a module of soft logic comes from: a shared object, or a part of this program. A caller reads it first, lets
 * the trust file check it together with the program beside which it is to run (ipu/trust/trust.h), and opens it then:
 * the bytes that were checked are loaded. */
#ifndef SAHM_IPU_UNIT_SOFT_SOURCE_H
#define SAHM_IPU_UNIT_SOFT_SOURCE_H

#include "ipu/soft/soft.h"
#include "ipu/trust/trust.h"
#include "sim/base/hash.h"

/* Whether `name` is that of a file: it has a '/' or a '.'. Others are names of shipped modules. */
bool soft_is_path(const char *name);

struct soft_source {
	const struct soft_module *shipped; /* NULL: a file's */
	char *bytes;			   /* of the file; of a shipped one its name and version as a text */
	struct trust_soft image;
};

/* Reads the module called `name`, which outlives it; release it in any case. `path` is where its file is, if it is one.
 * SAHM_IO; SAHM_USAGE, no shipped module is called so; SAHM_NOMEM. */
enum sahm_status soft_source_read(struct soft_source *s, const char *name, const char *path, struct sahm_err *err);
/* The same of the file `path`, whatever it is called. SAHM_IO, SAHM_NOMEM. */
enum sahm_status soft_source_read_file(struct soft_source *s, const char *path, struct sahm_err *err);
void soft_source_release(struct soft_source *s);

/* For the check of who may run it, and for signing; NULL: none was read. */
const struct trust_soft *soft_source_image(const struct soft_source *s);

/* Adds all that it can do to a hash. */
void soft_source_hash(const struct soft_source *s, struct hash *h);

/* As soft_open_bytes() or soft_of_module(). */
enum sahm_status soft_source_open(const struct soft_source *s, enum soft_place place, struct soft **soft,
				  struct sahm_err *err);

#endif
