/* ABI specs: which signals of a HIT an IPU sees, and in which input register. Source: dissertation, table 2.1.
 *
 * A spec is a small file in libconfig's language (keys: abi.c, ipu/abi/README.md):
 *
 *	name = "core";
 *	addr = "pc";			the signal that ADDR is wired to; optional
 *	signals = (
 *		{ name = "branches"; bits = 64; register = 1; rate = 0; semantics = "branches retired"; }
 *	);
 *
 * `rate` is HIT cycles between data points: with 1 there is one every cycle; 0 where they come when they come. A signal
 * with `level = true` always has a value and no data points: programs see it beside those of others (unit.h).
 *
 * A program says what it needs by IPU_INPUT() of programs/introspect.h, which makes a symbol "ipu.input.<name>" whose
 * value is ABI_NEED_MARK | bits << 8 | register. abi_check() holds these against the spec.
 */
#ifndef SAHM_IPU_UNIT_ABI_H
#define SAHM_IPU_UNIT_ABI_H

#include <stdbool.h>
#include <stdint.h>

#include "ipu/core/elf_image.h"
#include "ipu/trust/trust.h"
#include "ipu/unit/unit.h"
#include "sim/base/arena.h"
#include "sim/base/err.h"
#include "sim/base/hash.h"

#define ABI_NEED_PREFIX "ipu.input."
#define ABI_NEED_MARK UINT32_C(0xf0000000)

/* Names of signals of earlier versions. */
#define ABI_MAX_FORMER 64

struct abi_signal {
	const char *name;      /* lower-case letters, digits, _ */
	const char *semantics; /* one sentence */
	unsigned bits;	       /* 1 to 64 */
	unsigned reg;	       /* 0 to NR_IOREGS - 1, one signal each */
	uint64_t rate;	       /* HIT cycles between data points, 0: irregular; of a level 1 */
	bool is_level;
};

struct abi {
	const char *name, *file;
	struct abi_signal signals[NR_IOREGS]; /* in the order of the file */
	unsigned nr_signals;		      /* at least 1, and 1 that is no level */
	const struct abi_signal *addr;	      /* the signal wired to ADDR, NULL: none */
	const char *former[ABI_MAX_FORMER];   /* names that signals had in an earlier version of the spec */
	unsigned nr_former;
};

/* Reads a spec; names live in `a`. SAHM_IO, SAHM_CONFIG (file, line and key), SAHM_NOMEM. */
enum sahm_status abi_read(struct arena *a, const char *path, struct abi *abi, struct sahm_err *err);

/* The signal called `name`, or NULL. */
const struct abi_signal *abi_find(const struct abi *abi, const char *name);

/* Whether a signal was called `name` in an earlier version of the spec, and none is now. */
bool abi_is_former(const struct abi *abi, const char *name);

/* Whether every input that the program of `image` declares exists in the spec, in that register, with as many bits.
 * SAHM_FORMAT: what is missing or different, of which program and which spec, with a suggestion where a name is near.
 */
enum sahm_status abi_check(const struct abi *abi, const struct elf_image *image, struct sahm_err *err);

/* Adds all that can change a program's behaviour (names, bits, registers, rates, levels, addr) to a hash. */
void abi_hash(const struct abi *abi, struct hash *h);

/* What a signature says of the spec: its name and its hash. */
struct trust_abi abi_to_trust(const struct abi *abi);

#endif
