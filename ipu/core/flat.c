#include "ipu/core/flat.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ipu/core/bytes_internal.h"
#include "sim/base/array.h"
#include "sim/base/units.h"

#define STACK_ALIGNMENT 16u
#define MIB (UINT64_C(1) << 20)
#define ADDRESS_SPACE (UINT64_C(1) << 32)

/* When memory is cleared: below this, zeros are written; above, pages are given back, which costs what the guest has
 * touched of them. */
#define MIN_GIVEN_BACK ((size_t)64 << 10)

/* Entries of the auxiliary vector that Linux hands over. */
enum { LINUX_AT_NULL = 0, LINUX_AT_PAGESZ = 6 };

/* Errors, as Linux has them on every RISC-V; those of the host may be others. */
enum { LINUX_EIO = 5, LINUX_EBADF = 9, LINUX_EFAULT = 14, LINUX_EINVAL = 22, LINUX_ENOSYS = 38 };

/* Clocks that Linux has: 0 to 9, and 11 (CLOCK_TAI). */
#define LINUX_CLOCKS UINT32_C(0xbff)

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

/* The smallest multiple of `unit` that is not below `bytes`. */
static uint64_t round_up(uint64_t bytes, uint64_t unit)
{
	return (bytes + unit - 1) / unit * unit;
}

/* An inaccessible page lies before the RAM and another one right after it: should a bound be wrong, it
 * is not another object that suffers. */
struct mapping {
	uint8_t *bytes;
	size_t nr_bytes, page_bytes;
};

static struct mapping mapping_of(uint8_t *ram, uint32_t ram_bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), middle = (size_t)round_up(ram_bytes, page);
	return (struct mapping){
		.bytes = ram ? ram + ram_bytes - middle - page : NULL,
		.nr_bytes = middle + 2 * page,
		.page_bytes = page,
	};
}

/* A RAM of zeros, NULL when there is no memory for it. */
static uint8_t *ram_new(uint32_t ram_bytes)
{
	struct mapping m = mapping_of(NULL, ram_bytes);
	m.bytes = mmap(NULL, m.nr_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (m.bytes == MAP_FAILED)
		return NULL;
	if (mprotect(m.bytes + m.page_bytes, m.nr_bytes - 2 * m.page_bytes, PROT_READ | PROT_WRITE) != 0) {
		munmap(m.bytes, m.nr_bytes);
		return NULL;
	}
	return m.bytes + m.nr_bytes - m.page_bytes - ram_bytes;
}

static void ram_free(uint8_t *ram, uint32_t ram_bytes)
{
	struct mapping m = mapping_of(ram, ram_bytes);
	if (ram)
		munmap(m.bytes, m.nr_bytes);
}

/* Zeros for a part of it. The time that it takes is bounded by what the guest has written there and a small constant.
 */
static void ram_clear(uint8_t *bytes, size_t nr_bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t first = (size_t)round_up((uintptr_t)bytes, page) - (uintptr_t)bytes;
	size_t last = nr_bytes - ((uintptr_t)bytes + nr_bytes) % page;
#ifdef __linux__ /* elsewhere the pages may keep what is in them */
	if (nr_bytes >= MIN_GIVEN_BACK + 2 * page && madvise(bytes + first, last - first, MADV_DONTNEED) == 0) {
		memset(bytes, 0, first);
		memset(bytes + last, 0, nr_bytes - last);
		return;
	}
#endif
	memset(bytes, 0, nr_bytes);
}

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

/* Checks `image` and the options against one another, and chooses where the RAM is and what is tohost. SAHM_FORMAT,
 * SAHM_RANGE. */
static enum sahm_status place(struct flat *f, const struct elf_image *image, const struct flat_options *o,
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

/* Fills the RAM and the registers: segments, `arguments`, heap, sp, pc. SAHM_RANGE. */
static enum sahm_status load(struct flat *f, const struct elf_image *image, char *const *arguments,
			     struct sahm_err *err)
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

/* Ends the run after the current instruction. */
static void end_run(struct flat *f, enum flat_end end, uint32_t exit_code)
{
	f->end = end;
	f->exit_code = exit_code;
	f->hart.cause = HART_EXITED;
}

static uint32_t failure(int error)
{
	return 0 - (uint32_t)error;
}

static uint32_t argument(const struct flat *f, unsigned i)
{
	return hart_register(&f->hart, HART_A0 + i);
}

static uint32_t write_bytes(struct flat *f)
{
	uint32_t fd = argument(f, 0), nr_bytes = argument(f, 2);
	const uint8_t *bytes = hart_bytes(&f->hart, argument(f, 1), nr_bytes);
	if (fd != 1 && fd != 2)
		return failure(LINUX_EBADF);
	if (nr_bytes == 0)
		return 0;
	if (!bytes)
		return failure(LINUX_EFAULT);
	if (f->write && !f->write(f->context, (int)fd, bytes, nr_bytes))
		return failure(LINUX_EIO);
	return nr_bytes;
}

static uint32_t exit_program(struct flat *f)
{
	uint32_t code = argument(f, 0);
	end_run(f, FLAT_EXITED, code);
	return code;
}

/* Memory that comes into the heap is 0, whatever the stack or an earlier heap has left there. */
static uint32_t set_break(struct flat *f)
{
	uint32_t wanted = argument(f, 0);
	if (wanted < f->heap_first || wanted > f->heap_most)
		return f->heap_end;
	if (wanted > f->heap_end)
		ram_clear(f->ram + (f->heap_end - f->ram_base), wanted - f->heap_end);
	f->heap_end = wanted;
	return wanted;
}

/* Time as two numbers of `nr_words` words each: seconds, then ns. */
static uint32_t get_time(struct flat *f, unsigned nr_words)
{
	uint32_t clock = argument(f, 0);
	uint8_t *bytes = hart_bytes(&f->hart, argument(f, 1), 8 * nr_words);
	uint64_t ns = f->hart.nr_retired * FLAT_NS_PER_INSTRUCTION;
	uint64_t parts[2] = {ns / NS_PER_S, ns % NS_PER_S};
	if (clock > 31 || !(LINUX_CLOCKS >> clock & 1))
		return failure(LINUX_EINVAL);
	if (!bytes)
		return failure(LINUX_EFAULT);
	for (unsigned i = 0; i < 2 * nr_words; i++)
		poke(bytes + 4 * i, 4, (uint32_t)(parts[i / nr_words] >> 32 * (i % nr_words)));
	return 0;
}

static uint32_t get_time32(struct flat *f)
{
	return get_time(f, 1);
}

static uint32_t get_time64(struct flat *f)
{
	return get_time(f, 2);
}

/* The calls that are served, by their numbers on riscv32; each returns what the program finds in a0. To add one: its
 * function above, a row here. */
static const struct linux_call {
	uint32_t number;
	uint32_t (*serve)(struct flat *f);
} linux_calls[] = {
	{64, write_bytes}, {93, exit_program}, {94, exit_program}, /* exit_group */
	{113, get_time32},		      /* clock_gettime with 32-bit times, of older C libraries */
	{214, set_break},  {403, get_time64}, /* clock_gettime64 */
};

static uint32_t serve(struct flat *f, uint32_t number)
{
	for (size_t i = 0; i < ARRAY_SIZE(linux_calls); i++)
		if (linux_calls[i].number == number)
			return linux_calls[i].serve(f);
	if (f->nr_unserved++ == 0)
		f->first_unserved = number;
	return failure(LINUX_ENOSYS);
}

static bool environment_call(struct hart *h)
{
	hart_set_register(h, HART_A0, serve(h->context, hart_register(h, HART_A7)));
	return true;
}

/* Looks at the stores that may concern tohost; the others are left to the hart. */
static bool store(struct hart *h, uint32_t address, unsigned nr_bytes, uint32_t value)
{
	struct flat *f = h->context;
	uint8_t *bytes = hart_bytes(h, address, nr_bytes);
	uint32_t at = address - f->ram_base, tohost = f->tohost - f->ram_base;
	if (!f->has_tohost || !bytes || at >= tohost + 4 || tohost >= at + nr_bytes)
		return false;
	poke(bytes, nr_bytes, value);
	uint32_t word = peek(f->ram + tohost, 4);
	if (word != 0)
		end_run(f, FLAT_TOLD_HOST, word >> 1);
	return true;
}

static const struct hart_host flat_host = {.store = store, .environment_call = environment_call};

/* Most stores go past the host: those to the larger of the parts of the RAM that tohost leaves. */
static void set_windows(struct flat *f)
{
	hart_set_memory(&f->hart, f->ram_base, f->ram, f->ram_bytes);
	if (!f->has_tohost)
		return;
	uint32_t below = f->tohost - f->ram_base, above = f->ram_bytes - below - 4;
	if (below > above)
		hart_set_store_window(&f->hart, f->ram_base, f->tohost);
	else
		hart_set_store_window(&f->hart, f->tohost + 4, f->ram_base + f->ram_bytes);
}

static enum sahm_status start(struct flat *f, const struct elf_image *image, const struct flat_options *o,
			      struct sahm_err *err)
{
	enum sahm_status status = place(f, image, o, err);
	if (status != SAHM_OK)
		return status;
	f->ram = ram_new(f->ram_bytes);
	if (!f->ram)
		return sahm_fail_nomem(err);
	status = code_new(&f->code, f->ram_base, f->ram, f->ram_bytes, o->code_flags & CODE_UNFUSED, err);
	if (status != SAHM_OK)
		return status;
	hart_init(&f->hart, f->code);
	f->hart.host = &flat_host;
	f->hart.context = f;
	f->hart.traps_misaligned = o->traps_misaligned;
	f->write = o->write;
	f->context = o->context;
	set_windows(f);
	/* The name is only copied into the RAM. */
	char *by_name[] = {(char *)(uintptr_t)elf_image_file(image), NULL};
	status = load(f, image, o->arguments ? o->arguments : by_name, err);
	if (status == SAHM_OK && o->translator)
		f->translation = o->translator->make(&f->hart);
	f->hart.translation = f->translation;
	return status;
}

enum sahm_status flat_new(struct flat **flat, const struct elf_image *image, const struct flat_options *options,
			  struct sahm_err *err)
{
	struct flat *new = calloc(1, sizeof(*new));
	if (!new)
		return sahm_fail_nomem(err);
	enum sahm_status status = start(new, image, options, err);
	if (status != SAHM_OK) {
		flat_free(new);
		return status;
	}
	*flat = new;
	return SAHM_OK;
}

void flat_free(struct flat *flat)
{
	if (!flat)
		return;
	translation_free(flat->translation);
	code_free(flat->code);
	ram_free(flat->ram, flat->ram_bytes);
	free(flat);
}

struct hart *flat_hart(struct flat *flat)
{
	return &flat->hart;
}

enum flat_end flat_end(const struct flat *flat)
{
	return flat->end;
}

uint32_t flat_exit_code(const struct flat *flat)
{
	return flat->exit_code;
}

uint64_t flat_nr_unserved(const struct flat *flat, uint32_t *first)
{
	*first = flat->first_unserved;
	return flat->nr_unserved;
}
