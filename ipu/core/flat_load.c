/* How a program comes into the flat machine: where the RAM is, what stands in it at first. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ipu/core/bytes_internal.h"
#include "ipu/core/flat_internal.h"

#define STACK_ALIGNMENT 16u
#define MIB (UINT64_C(1) << 20)
#define ADDRESS_SPACE (UINT64_C(1) << 32)

/* Entries of the auxiliary vector that Linux hands over. */
enum { LINUX_AT_NULL = 0, LINUX_AT_PAGESZ = 6 };

struct size_text {
	char text[16];
};

/* A size as --ram takes it. */
static struct size_text size_text(uint64_t bytes)
{
	struct size_text s;
	bool is_mib = bytes % MIB == 0;
	snprintf(s.text, sizeof(s.text), "%u%c", (unsigned)(bytes >> (is_mib ? 20 : 10)), is_mib ? 'M' : 'K');
	return s;
}

static enum sahm_status check_options(const char *file, const struct flat_options *o, struct sahm_err *err)
{
	if (o->ram_bytes % FLAT_PAGE_BYTES != 0 || o->ram_bytes > FLAT_MAX_RAM_BYTES)
		return sahm_fail_at(err, SAHM_RANGE, file, 0,
				    "a RAM of %" PRIu32 " bytes (--ram), must be a multiple of %u and %s at most",
				    o->ram_bytes, (unsigned)FLAT_PAGE_BYTES, size_text(FLAT_MAX_RAM_BYTES).text);
	if (o->has_base && o->base % FLAT_PAGE_BYTES != 0)
		return sahm_fail_at(err, SAHM_RANGE, file, 0,
				    "a RAM at 0x%08" PRIx32 " (--base), must be at a multiple of %u", o->base,
				    (unsigned)FLAT_PAGE_BYTES);
	return SAHM_OK;
}

/* The size of a RAM at `base` for which nobody has asked: the usual one, unless the segments need more, or addresses
 * end before. */
static uint32_t choose_ram_bytes(const struct elf_image *image, uint32_t base)
{
	size_t nr;
	const struct elf_segment *last = elf_image_segments(image, &nr) + (nr - 1);
	uint64_t end = (uint64_t)last->address + last->memory_bytes, size = FLAT_RAM_BYTES;
	if (end > base && round_up(end - base + FLAT_SPARE_BYTES, MIB) > size)
		size = round_up(end - base + FLAT_SPARE_BYTES, MIB);
	if (size > FLAT_MAX_RAM_BYTES)
		size = FLAT_MAX_RAM_BYTES;
	return (uint32_t)(size < ADDRESS_SPACE - base ? size : ADDRESS_SPACE - base);
}

/* `s` ends beyond the RAM: says so, and what would help. */
static enum sahm_status refuse_segment(const struct flat *f, const struct elf_image *image, const struct elf_segment *s,
				       struct sahm_err *err)
{
	size_t nr;
	const struct elf_segment *segments = elf_image_segments(image, &nr);
	uint32_t first = segments[0].address / FLAT_PAGE_BYTES * FLAT_PAGE_BYTES;
	uint64_t end = (uint64_t)segments[nr - 1].address + segments[nr - 1].memory_bytes;
	/* With room for a stack and a heap, too, unless there is none. */
	uint64_t needed = round_up(end - f->ram_base + FLAT_SPARE_BYTES, MIB);
	char advice[64];
	if (f->ram_base + needed > ADDRESS_SPACE)
		needed = round_up(end - f->ram_base, FLAT_PAGE_BYTES);
	if (needed <= FLAT_MAX_RAM_BYTES)
		snprintf(advice, sizeof(advice), "it needs --ram %s", size_text(needed).text);
	else if (end - first <= FLAT_MAX_RAM_BYTES)
		snprintf(advice, sizeof(advice), "it needs --base 0x%08" PRIx32, first);
	else
		snprintf(advice, sizeof(advice), "its segments lie more than %s apart",
			 size_text(FLAT_MAX_RAM_BYTES).text);
	return sahm_fail_at(err, SAHM_RANGE, elf_image_file(image), 0,
			    "its segment of %" PRIu32 " bytes at 0x%08" PRIx32
			    " ends beyond the RAM of %s at 0x%08" PRIx32 ": %s",
			    s->memory_bytes, s->address, size_text(f->ram_bytes).text, f->ram_base, advice);
}

static enum sahm_status check_segments(const struct flat *f, const struct elf_image *image, struct sahm_err *err)
{
	size_t nr;
	const struct elf_segment *segments = elf_image_segments(image, &nr);
	uint64_t ram_end = (uint64_t)f->ram_base + f->ram_bytes;
	uint32_t entry = elf_image_entry(image);
	bool has_entry = false;
	for (size_t i = 0; i < nr; i++) {
		const struct elf_segment *s = &segments[i];
		has_entry |= entry - s->address < s->memory_bytes;
		if (s->address < f->ram_base)
			return sahm_fail_at(err, SAHM_RANGE, elf_image_file(image), 0,
					    "its segment of %" PRIu32 " bytes at 0x%08" PRIx32
					    " begins below the RAM at 0x%08" PRIx32 ": it needs --base 0x%08" PRIx32,
					    s->memory_bytes, s->address, f->ram_base,
					    s->address / FLAT_PAGE_BYTES * FLAT_PAGE_BYTES);
		if ((uint64_t)s->address + s->memory_bytes > ram_end)
			return refuse_segment(f, image, s, err);
	}
	if (!has_entry)
		return sahm_fail_at(err, SAHM_FORMAT, elf_image_file(image), 0,
				    "its entry 0x%08" PRIx32 " lies in none of its segments", entry);
	return SAHM_OK;
}

enum sahm_status flat_place(struct flat *f, const struct elf_image *image, const struct flat_options *o,
			    struct sahm_err *err)
{
	size_t nr;
	const struct elf_segment *segments = elf_image_segments(image, &nr);
	const struct elf_symbol *tohost = elf_image_find(image, "tohost");
	const char *file = elf_image_file(image);
	enum sahm_status status = check_options(file, o, err);
	if (status != SAHM_OK)
		return status;
	if (nr == 0)
		return sahm_fail_at(err, SAHM_FORMAT, file, 0, "it has no segments to load");
	f->ram_base = o->has_base ? o->base : segments[0].address / FLAT_PAGE_BYTES * FLAT_PAGE_BYTES;
	f->ram_bytes = o->ram_bytes ? o->ram_bytes : choose_ram_bytes(image, f->ram_base);
	if ((uint64_t)f->ram_base + f->ram_bytes > ADDRESS_SPACE)
		return sahm_fail_at(err, SAHM_RANGE, file, 0,
				    "a RAM of %s at 0x%08" PRIx32 " ends beyond 2^32: it needs --ram %s or less there",
				    size_text(f->ram_bytes).text, f->ram_base,
				    size_text(ADDRESS_SPACE - f->ram_base).text);
	status = check_segments(f, image, err);
	if (status != SAHM_OK)
		return status;
	if (tohost && (tohost->address < f->ram_base || tohost->address - f->ram_base > f->ram_bytes - 4))
		return sahm_fail_at(err, SAHM_RANGE, file, 0,
				    "its symbol 'tohost', 0x%08" PRIx32 ", lies outside the RAM of %s at 0x%08" PRIx32,
				    tohost->address, size_text(f->ram_bytes).text, f->ram_base);
	f->has_tohost = tohost;
	f->tohost = tohost ? tohost->address : 0;
	return SAHM_OK;
}

static void copy_segments(struct flat *f, const struct elf_image *image)
{
	size_t nr;
	const struct elf_segment *segments = elf_image_segments(image, &nr);
	for (size_t i = 0; i < nr; i++)
		if (segments[i].file_bytes > 0)
			memcpy(f->ram + (segments[i].address - f->ram_base), segments[i].bytes, segments[i].file_bytes);
}

/* Writes `arguments` below the top of the RAM, and below them what Linux lets sp point at. Offsets count from the
 * beginning of the RAM; nothing goes below `bottom`. Returns that of sp, or 0 when there is no room. */
static uint32_t push_arguments(const struct flat *f, char *const *arguments, uint32_t bottom)
{
	uint64_t nr_bytes = 0, nr = 0;
	for (; arguments[nr]; nr++)
		nr_bytes += strlen(arguments[nr]) + 1;
	/* argc, argv and its end, the end of the environment, two pairs of the auxiliary vector */
	uint64_t below = (1 + nr + 1 + 1 + 2 * 2) * 4;
	if (nr_bytes + below + STACK_ALIGNMENT > f->ram_bytes - bottom)
		return 0;
	uint32_t string = f->ram_bytes - (uint32_t)nr_bytes;
	uint32_t sp = (string - (uint32_t)below) / STACK_ALIGNMENT * STACK_ALIGNMENT;
	uint8_t *at = f->ram + sp;
	poke(at, 4, (uint32_t)nr);
	for (uint64_t i = 0; i < nr; i++) {
		size_t len = strlen(arguments[i]) + 1;
		memcpy(f->ram + string, arguments[i], len);
		poke(at += 4, 4, f->ram_base + string);
		string += (uint32_t)len;
	}
	at += 3 * 4; /* both ends are 0, as all of the RAM was */
	poke(at, 4, LINUX_AT_PAGESZ);
	poke(at + 4, 4, FLAT_PAGE_BYTES);
	poke(at + 8, 4, LINUX_AT_NULL);
	return sp;
}

enum sahm_status flat_load(struct flat *f, const struct elf_image *image, char *const *arguments, struct sahm_err *err)
{
	size_t nr;
	const struct elf_segment *last = elf_image_segments(image, &nr) + (nr - 1);
	uint32_t filled = last->address - f->ram_base + last->memory_bytes;
	uint32_t used = (uint32_t)round_up(filled, FLAT_PAGE_BYTES);
	copy_segments(f, image);
	uint32_t sp = push_arguments(f, arguments, filled);
	if (sp == 0)
		return sahm_fail_at(err, SAHM_RANGE, elf_image_file(image), 0,
				    "its segments leave %" PRIu32
				    " bytes of the RAM of %s, too few for its arguments: it "
				    "needs a larger --ram",
				    f->ram_bytes - filled, size_text(f->ram_bytes).text);
	uint32_t room = sp > used ? sp - used : 0;
	uint32_t reserve = room / 4 < FLAT_STACK_BYTES ? room / 4 : FLAT_STACK_BYTES;
	f->heap_first = f->heap_end = f->ram_base + used;
	f->heap_most = f->heap_first + room - reserve;
	hart_set_register(&f->hart, HART_SP, f->ram_base + sp);
	hart_enter(&f->hart, elf_image_entry(image));
	return SAHM_OK;
}
