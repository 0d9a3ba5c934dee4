/* The IPU's processor with its own memories: instruction SRAM, which it can only fetch from, and a data scratchpad.
 *
 * A program is an ELF executable whose executable segments lie in the instruction SRAM and all others in the
 * scratchpad. It is decoded once, and any number of processors run it; each has a separate scratchpad, whose contents
 * persist from call to call. Misaligned accesses are faults, and so is everything outside the two memories until a host
 * serves it. Source: dissertation, chapter 2 (sizes, entry points); the address map is ours.
 */
#ifndef SAHM_IPU_CORE_IPU_H
#define SAHM_IPU_CORE_IPU_H

#include <stdint.h>

#include "ipu/core/elf_image.h"
#include "ipu/core/hart.h"
#include "sim/base/err.h"
#include "sim/base/hash.h"

#define IPU_CODE_BASE UINT32_C(0)
#define IPU_CODE_BYTES UINT32_C(0x2000)
#define IPU_SCRATCHPAD_BASE UINT32_C(0x10000)
#define IPU_SCRATCHPAD_BYTES UINT32_C(0x8000)
#define IPU_STACK_TOP (IPU_SCRATCHPAD_BASE + IPU_SCRATCHPAD_BYTES)

/* Where programs begin and end (dissertation, section 2.3: instruction 0x7f0). */
#define IPU_INIT UINT32_C(0)
#define IPU_FINISH UINT32_C(0x1fc0)

struct ipu_program;

/* Decodes the program of `image`, which is not needed afterwards. SAHM_FORMAT (a segment lies outside its memory),
 * SAHM_NOMEM. */
enum sahm_status ipu_program_new(struct ipu_program **program, const struct elf_image *image, struct sahm_err *err);
void ipu_program_free(struct ipu_program *program);

/* The function that runs for each input set; false when the program has no symbol `_main`. */
bool ipu_program_main(const struct ipu_program *program, uint32_t *entry);
/* Whether it has symbols `init` and `finish`: code at IPU_INIT and IPU_FINISH. */
bool ipu_program_has_init(const struct ipu_program *program);
bool ipu_program_has_finish(const struct ipu_program *program);

/* Lets what ipu_init() makes of the program from now on run translated by `translator`; where that cannot be, nothing
 * changes. */
void ipu_program_translate(struct ipu_program *program, const struct translator_ops *translator);
/* Lets it be interpreted from now on. The code that ipu_init() made of it before must not be run any more. */
void ipu_program_interpret(struct ipu_program *program);

/* The scratchpad as it is at power-on, to be changed before any ipu_init(): IPU_SCRATCHPAD_BYTES. */
uint8_t *ipu_program_scratchpad(struct ipu_program *program);

/* Hash of code and scratchpad at power-on, and of the entry points: all that the program can do follows from it. */
void ipu_program_hash(const struct ipu_program *program, struct hash *h);

/* One processor: plain memory, to be had by the thousand. It must not be moved. */
struct ipu {
	struct hart hart;
	uint8_t scratchpad[IPU_SCRATCHPAD_BYTES];
};

/* Puts `ipu` into the state in which `program`, which outlives it, finds it at power-on: scratchpad as the segments say
 * and 0 elsewhere, sp at its end, all other registers 0. */
void ipu_init(struct ipu *ipu, const struct ipu_program *program);

#endif
