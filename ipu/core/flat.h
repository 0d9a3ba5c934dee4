/* Flat machine: a hart with one RAM for code and data, for conformance tests, benchmarks and programs of the standard
 * toolchain.
 *
 * The run ends when a store leaves the 32-bit word at the symbol `tohost` other than 0 (exit code: the word >> 1), or
 * by the Linux calls exit and exit_group. Only the program's own stores count: what clock_gettime writes there does
 * not. Also served (linux_calls in flat.c): write to file descriptors 1 and 2, brk, clock_gettime; any other call
 * answers -ENOSYS. Time is the number of instructions: FLAT_NS_PER_INSTRUCTION each, so that runs are deterministic.
 *
 * Memory, from the bottom of the RAM: segments; the heap, from the page after the highest segment on; the stack, from
 * the top down. Unless its size is given, the RAM has FLAT_RAM_BYTES: more where the segments and FLAT_SPARE_BYTES need
 * it, less where addresses end. brk refuses what would leave the stack less than FLAT_STACK_BYTES, or than a quarter of
 * what the segments leave if that is less. The hart gets no error when its stack grows into the heap. Memory that brk
 * hands out is 0; that takes time for what the program has written there, whether it did so as heap or as stack.
 *
 * The host's memory is taken as the program touches it: for data their own size, for code that is executed four times
 * its size on top, and twice its size more where it is translated; then the translation as well, which is at most some
 * 150 MB. A RAM of FLAT_MAX_RAM_BYTES all of which is executed takes five times that, or seven times.
 */
#ifndef SAHM_IPU_CORE_FLAT_H
#define SAHM_IPU_CORE_FLAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ipu/core/elf_image.h"
#include "ipu/core/hart.h"
#include "sim/base/err.h"

#define FLAT_NS_PER_INSTRUCTION 1
#define FLAT_PAGE_BYTES UINT32_C(4096)
#define FLAT_RAM_BYTES (UINT32_C(16) << 20) /* unless said otherwise */
#define FLAT_MAX_RAM_BYTES (UINT32_C(1) << 31)
#define FLAT_STACK_BYTES (UINT32_C(64) << 10) /* kept free of the heap */
#define FLAT_SPARE_BYTES (UINT32_C(1) << 20)  /* for heap and stack, at least, where a RAM is made to measure */

struct flat;

/* What the program writes: `nr_bytes` (above 0) to file descriptor `fd`, 1 or 2. False: that failed, the guest sees
 * -EIO. */
typedef bool (*flat_write)(void *context, int fd, const uint8_t *bytes, size_t nr_bytes);

struct flat_options {
	uint32_t ram_bytes;    /* multiple of FLAT_PAGE_BYTES; 0: FLAT_RAM_BYTES, or as the program needs it */
	bool has_base;	       /* else the RAM begins at the page of the lowest segment */
	uint32_t base;	       /* multiple of FLAT_PAGE_BYTES */
	bool traps_misaligned; /* else misaligned accesses are performed */
	unsigned code_flags;   /* CODE_UNFUSED or 0 */
	const struct translator_ops *translator; /* NULL: the program is interpreted */
	char *const *arguments; /* argv, NULL at the end; may be NULL: argv[0] is then the file's name */
	flat_write write;	/* NULL: output is dropped */
	void *context;
};

/* A machine with `image` loaded, pc at its entry, sp below the arguments at the top of the RAM, as Linux starts a
 * program (but ra is the return stub, so that returning from the entry point is HART_RETURNED): argc, argv, an empty
 * environment, and an auxiliary vector with only AT_PAGESZ. The image is not needed afterwards. SAHM_FORMAT (nothing to
 * run in it), SAHM_RANGE (it does not fit), SAHM_NOMEM. */
enum sahm_status flat_new(struct flat **flat, const struct elf_image *image, const struct flat_options *options,
			  struct sahm_err *err);
void flat_free(struct flat *flat);

/* Its hart: run it by hart_run(); HART_EXITED when the program has ended. */
struct hart *flat_hart(struct flat *flat);

/* How the program has ended. */
enum flat_end { FLAT_RUNS, FLAT_EXITED, FLAT_TOLD_HOST };
enum flat_end flat_end(const struct flat *flat);

/* The code that the program ended with: of exit as it was given, of tohost the word >> 1; 0 before. */
uint32_t flat_exit_code(const struct flat *flat);

/* Calls that were not served: how many, and the number of the first one (0 if there was none). */
uint64_t flat_nr_unserved(const struct flat *flat, uint32_t *first);

#endif
