/* Soft logic beside IPUs: modules (module.h), loaded, checked, and run out of harm's way.
 *
 * A module's shared object is code of somebody else. By default it is loaded into a separate process, which a filter of
 * system calls keeps from files, network and other processes (docs/security.md); input sets go there in batches through
 * shared memory, and answers come back when someone reads a register or takes a packet. So results do not depend on
 * where it runs, and a module that crashes or hangs ends only its process.
 *
 * A loaded module belongs to the process and the thread that have opened it, and is used by one thread at a time: its
 * process ends with that thread, and a forked process cannot use it.
 *
 * A failure of a module stays: after it, reads give 0, everything else does nothing, and soft_check() says what
 * happened.
 */
#ifndef SAHM_IPU_SOFT_SOFT_H
#define SAHM_IPU_SOFT_SOFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ipu/soft/module.h"
#include "sim/base/err.h"

enum soft_place {
	SOFT_IN_OWN_PROCESS, /* sandboxed; SAHM_REFUSED where that cannot be had */
	SOFT_IN_PROCESS,     /* in this one, for those who trust the module */
};

/* Forms of names: of signals and registers, and of modules and their versions. */
#define SOFT_NAME_FORM "1 to 31 lower-case letters, digits and '_', a letter first"
#define SOFT_TITLE_FORM "1 to 31 letters, digits, '.', '_', '+', '~' and '-', a letter or digit first"
bool soft_is_name(const char *name);
bool soft_is_title(const char *title);

/* A loaded module. */
struct soft;

/* Files larger than this are not taken for modules. */
#define SOFT_MAX_OBJECT_BYTES ((size_t)256 << 20)

/* How long a module's process may need for one call. */
#define SOFT_PATIENCE_MS 10000u

/* Loads the module of the shared object `path`, in messages `file`. Everything that module.h asks of a description is
 * checked. SAHM_IO, SAHM_FORMAT (no module, another ABI, a wrong description), SAHM_REFUSED (no sandbox here),
 * SAHM_TOOL (it crashed or hung while it was loaded), SAHM_NOMEM. */
enum sahm_status soft_open(struct soft **soft, const char *path, const char *file, enum soft_place place,
			   struct sahm_err *err);
/* The same of bytes that were read before, and checked perhaps: no file is opened. A process in which a call takes
 * longer than `patience_ms` hangs. */
enum sahm_status soft_open_bytes(struct soft **soft, const void *bytes, size_t nr_bytes, const char *file,
				 enum soft_place place, unsigned patience_ms, struct sahm_err *err);
/* The same of a module that is part of this program: it runs in this process. */
enum sahm_status soft_of_module(struct soft **soft, const struct soft_module *m, const char *file,
				struct sahm_err *err);
/* All its blocks have been freed. NULL: nothing. */
void soft_close(struct soft *s);

/* Its description, of constant content while it is open; functions are NULL. */
const struct soft_module *soft_description(const struct soft *s);
const char *soft_file(const struct soft *s);

/* SAHM_TOOL: the module has crashed, hung, or broken a rule of module.h; the message names it. This waits for the
 * module to have seen all sets: a caller asks at the end of its run, and now and then. */
enum sahm_status soft_check(const struct soft *s, struct sahm_err *err);

/* An instance. */
struct soft_block;

struct soft_packet {
	uint64_t cycle; /* at whose end it was sent */
	uint32_t nr_bytes;
	const uint8_t *bytes; /* until the next call for this block */
};

/* SAHM_NOMEM, or as soft_check(). */
enum sahm_status soft_block_new(struct soft_block **block, struct soft *s, struct sahm_err *err);
void soft_block_free(struct soft_block *b);

/* A set in `cycle`: later than that of the set before, and not before a cycle that a call has named. values[i] is that
 * of input i where bit i of `valid` is set, which it is somewhere. */
void soft_block_step(struct soft_block *b, uint64_t cycle, uint32_t valid, const uint64_t *values);
/* At the beginning of `cycle`, after all sets of earlier cycles. The register is there and has this access. */
uint32_t soft_block_read(struct soft_block *b, uint64_t cycle, uint32_t offset);
void soft_block_write(struct soft_block *b, uint64_t cycle, uint32_t offset, uint32_t value);
void soft_block_reset(struct soft_block *b, uint64_t cycle);
/* The oldest packet that was sent before the beginning of `cycle`; false: there is none. A first call after a set waits
 * for the process of a module that sends packets, some microseconds. A module whose
 * packets are never taken fails when they have 64 MB. */
bool soft_block_take(struct soft_block *b, uint64_t cycle, struct soft_packet *packet);

/* Number of the register at `offset`, -1: there is none. */
int soft_find_register(const struct soft_module *m, uint32_t offset);

#endif
