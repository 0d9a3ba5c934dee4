/* What the files of the flat machine share. */
#ifndef SAHM_IPU_FLAT_INTERNAL_H
#define SAHM_IPU_FLAT_INTERNAL_H

#include "ipu/core/flat.h"

struct flat {
	struct hart hart;
	struct code *code;
	struct translation *translation;
	uint8_t *ram;
	uint32_t ram_base, ram_bytes;
	bool has_tohost;
	uint32_t tohost;			  /* address of the word; all of it is RAM */
	uint32_t heap_first, heap_end, heap_most; /* heap_first <= heap_end, the break, <= heap_most */
	flat_write write;
	void *context;
	enum flat_end end;
	uint32_t exit_code;
	uint64_t nr_unserved;
	uint32_t first_unserved;
};

/* The least multiple of `unit` that is not below `bytes`. */
static inline uint64_t round_up(uint64_t bytes, uint64_t unit)
{
	return (bytes + unit - 1) / unit * unit;
}

/* A RAM of zeros, NULL when there is no memory for it; zeros for a part of it. The time that flat_ram_clear() takes is
 * bounded by what the guest has written there and a small constant (flat_ram.c). */
uint8_t *flat_ram_new(uint32_t ram_bytes);
void flat_ram_free(uint8_t *ram, uint32_t ram_bytes);
void flat_ram_clear(uint8_t *bytes, size_t nr_bytes);

/* Checks `image` and the options against one another, and chooses where the RAM is and what is tohost (flat_load.c).
 * SAHM_FORMAT, SAHM_RANGE. */
enum sahm_status flat_place(struct flat *f, const struct elf_image *image, const struct flat_options *o,
			    struct sahm_err *err);

/* Fills the RAM and the registers: segments, `arguments`, heap, sp, pc (flat_load.c). SAHM_RANGE. */
enum sahm_status flat_load(struct flat *f, const struct elf_image *image, char *const *arguments, struct sahm_err *err);

/* Ends the run behind the instruction that is being executed. */
void flat_end_run(struct flat *f, enum flat_end end, uint32_t exit_code);

/* Serves the environment call of `h`, whose context is the machine (flat_linux.c). */
bool flat_linux_call(struct hart *h);

#endif
