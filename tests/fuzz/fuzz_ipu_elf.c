/* Arbitrary bytes as an ELF file; accepted files run for a while in a flat machine, which must hold them. */
#include "ipu/core/flat.h"
#include "tests/fuzz/fuzz.h"

#define RAM_BYTES (UINT32_C(1) << 20)
#define MOST_INSTRUCTIONS 10000

/* Reads all bytes, so that a sanitizer checks whether they may be read. */
static unsigned touch(const uint8_t *bytes, size_t nr_bytes)
{
	unsigned sum = 0;
	for (size_t i = 0; i < nr_bytes; i++)
		sum += bytes[i];
	return sum;
}

static void use_segments(const struct elf_image *image)
{
	size_t nr;
	volatile unsigned sum = 0;
	const struct elf_segment *s = elf_image_segments(image, &nr);
	for (size_t i = 0; i < nr; i++) {
		uint64_t end = (uint64_t)s[i].address + s[i].memory_bytes;
		MUST(s[i].memory_bytes > 0 && s[i].file_bytes <= s[i].memory_bytes);
		MUST(end <= (i + 1 < nr ? s[i + 1].address : UINT64_C(1) << 32));
		sum += touch(s[i].bytes, s[i].file_bytes);
	}
	(void)sum;
}

static void use_symbols(const struct elf_image *image)
{
	size_t nr;
	const struct elf_symbol *s = elf_image_symbols(image, &nr);
	for (size_t i = 0; i < nr; i++) {
		MUST(*s[i].name);
		if (i > 0 && s[i - 1].address == s[i].address) {
			int order = strncmp(s[i - 1].name, s[i].name, ELF_ORDERED_NAME_BYTES);
			MUST(s[i - 1].is_function > s[i].is_function ||
			     (s[i - 1].is_function == s[i].is_function && order <= 0));
		} else {
			MUST(i == 0 || s[i - 1].address < s[i].address);
		}
		const struct elf_symbol *found = elf_image_find(image, s[i].name);
		MUST(found && strcmp(found->name, s[i].name) == 0);
		MUST(found->binding < s[i].binding || (found->binding == s[i].binding && found <= &s[i]));
		const struct elf_symbol *at = elf_image_symbol_at(image, s[i].address);
		MUST(!at || (at->address == s[i].address && at <= &s[i] && at->is_function >= s[i].is_function));
	}
	MUST(!elf_image_find(image, ""));
}

static bool swallow(void *context, int fd, const uint8_t *bytes, size_t nr_bytes)
{
	MUST(fd == 1 || fd == 2);
	*(volatile unsigned *)context += touch(bytes, nr_bytes);
	return nr_bytes % 7 != 0;
}

static void use_machine(const struct elf_image *image, bool traps_misaligned)
{
	struct flat *flat;
	struct sahm_err err;
	unsigned sum = 0;
	struct flat_options options = {.ram_bytes = RAM_BYTES, .traps_misaligned = traps_misaligned};
	options.write = swallow;
	options.context = &sum;
	enum sahm_status status = flat_new(&flat, image, &options, &err);
	if (status != SAHM_OK) {
		MUST(status == SAHM_FORMAT || status == SAHM_RANGE);
		must_explain(&err, status, "in/put.elf: ");
		return;
	}
	struct hart *h = flat_hart(flat);
	MUST(hart_bytes(h, hart_register(h, HART_SP), 4) && hart_register(h, HART_SP) % 16 == 0);
	MUST(h->pc == elf_image_entry(image));
	enum hart_cause cause = hart_run(h, MOST_INSTRUCTIONS);
	MUST(cause != HART_NONE && cause == h->cause && h->nr_retired <= MOST_INSTRUCTIONS);
	MUST((cause == HART_EXITED) == (flat_end(flat) != FLAT_RUNS));
	MUST(cause != HART_BUDGET || h->nr_retired == MOST_INSTRUCTIONS);
	MUST(hart_register(h, 0) == 0);
	flat_free(flat);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct elf_image *image;
	struct sahm_err err;
	char *bytes = malloc(size ? size : 1); /* of just this size */
	MUST(bytes);
	if (size > 0)
		memcpy(bytes, data, size);
	enum sahm_status status = elf_image_new(&image, "in/put.elf", bytes, size, &err);
	if (status != SAHM_OK) {
		MUST(status == SAHM_FORMAT);
		must_explain(&err, status, "in/put.elf: ");
	} else {
		use_segments(image);
		use_symbols(image);
		use_machine(image, size % 2);
		elf_image_free(image);
	}
	MUST(size == 0 || memcmp(bytes, data, size) == 0); /* nobody writes to the file */
	free(bytes);
	return 0;
}
