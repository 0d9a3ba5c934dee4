/* Introspection programs: an ELF file made ready for an IPU.
 *
 * It must have a function `_main`; `init`, if there, stands at 0, `finish` at IPU_FINISH. Its declared inputs are
 * checked against the ABI spec. Words of its data can be set by name, before power-on: cuts, thresholds, address
 * ranges. What was loaded runs translated where that can be (ipu_program_interpret() undoes it): results do not depend
 * on it.
 */
#ifndef SAHM_IPU_UNIT_LOAD_H
#define SAHM_IPU_UNIT_LOAD_H

#include "ipu/core/ipu.h"
#include "ipu/trust/trust.h"
#include "ipu/unit/abi.h"

/* Files larger than this are not taken for programs. */
#define IPU_MAX_IMAGE_BYTES ((size_t)1 << 20)

/* Loads the program in `bytes[nr_bytes]`, which is not needed afterwards; `file` is how messages call it. `settings`:
 * "SYMBOL=VALUE" or "SYMBOL[INDEX]=VALUE", whole numbers (hexadecimal with 0x, negative with -). Without an index
 * VALUE must fit the symbol's size (1, 2, 4 or 8 bytes); elements have 4 bytes. The symbol is data in the scratchpad.
 * `abi` NULL: inputs are not checked. Nobody is asked whether it may run: that is trust_check(), before this. The
 * caller releases it with ipu_program_free(). SAHM_FORMAT (the file, its symbols, inputs), SAHM_USAGE (a setting; with
 * a suggestion), SAHM_NOMEM. */
enum sahm_status ipu_load(struct ipu_program **program, const char *file, char *bytes, size_t nr_bytes,
			  const struct abi *abi, const char *const *settings, size_t nr_settings, struct sahm_err *err);

/* The same from a file, of which `trust` (may be NULL) takes a look first: trust_check_file(). SAHM_IO and SAHM_REFUSED
 * too. */
enum sahm_status ipu_load_file(struct ipu_program **program, const char *path, const struct abi *abi,
			       const char *const *settings, size_t nr_settings, const struct trust *trust,
			       struct sahm_err *err);

/* The same for a program that is to run beside soft logic (NULL: without). */
enum sahm_status ipu_load_bundle(struct ipu_program **program, const char *path, const struct abi *abi,
				 const char *const *settings, size_t nr_settings, const struct trust *trust,
				 const struct trust_soft *soft, struct sahm_err *err);

#endif
