/* sahm ipu disasm */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ipu/core/disasm.h"
#include "ipu/core/elf_image.h"
#include "sim/base/file.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/guest.h"
#include "sim/cli/output.h"

struct request {
	const char *path;
	bool is_raw;
	uint32_t base;
	const char *given_base; /* NULL: it is not */
};

static const struct option_row options[] = {
	{"raw", 'r', NULL, "FILE is not an ELF file: all its bytes are code", OPTION_FLAG, AT(bool, is_raw)},
	{"base", 'b', "ADDR", "with --raw, the address of the first byte (default: 0)", OPTION_SIZE, AT(uint32_t, base),
	 .most = UINT32_MAX, .unit = 2, .must = "an even address below 4G, like 4096, 0x80000000 or 64K",
	 NOTE(given_base)},
	{ONE_OPERAND(path, "file", "a file is missing: sahm ipu disasm FILE")},
};

/* Of longer names the beginning is shown: thousands of jumps may lead to one place. */
#define MAX_NAME_BYTES 1024

/* Runs of zeros from this length on are left out, as by objdump. */
#define MIN_ZEROS 8

/* A stretch of memory that is listed, and where names come from: NULL for a raw image. */
struct listing {
	uint32_t address;
	const uint8_t *bytes;
	size_t nr_bytes;
	const struct elf_image *image;
};

static void write_name(const struct elf_symbol *s, uint32_t address, struct textbuf *out)
{
	char name[MAX_NAME_BYTES + 1];
	snprintf(name, sizeof(name), "%s", s->name);
	textbuf_label(out, name);
	textbuf_puts(out, strlen(s->name) > MAX_NAME_BYTES ? "..." : "");
	if (address != s->address)
		textbuf_printf(out, "+0x%" PRIx32, address - s->address);
}

/* Appends the instruction; where names are known, the address that is jumped to gets one. */
static void write_text(const struct listing *l, const struct instruction *in, uint32_t pc, struct textbuf *out)
{
	char text[DISASM_BYTES];
	uint32_t target = 0;
	disasm(in, pc, text);
	const struct elf_symbol *s = NULL;
	if (l->image && disasm_target(in, pc, &target))
		s = elf_image_symbol_at(l->image, target);
	if (!s) {
		textbuf_puts(out, text);
		return;
	}
	/* With a name the address stands bare, as in objdump. */
	const char *bare = strrchr(text, 'x') + 1;
	textbuf_printf(out, "%.*s%s <", (int)(bare - 2 - text), text, bare);
	write_name(s, target, out);
	textbuf_putc(out, '>');
}

/* How many zeros stand in front of `end`. */
static size_t count_zeros(const uint8_t *bytes, size_t at, size_t end)
{
	size_t from = at;
	while (at < end && bytes[at] == 0)
		at++;
	return at - from;
}

/* Appends a line about what stands at offset `at`, of which nothing reaches `end`; returns where the next one is.
 */
static size_t write_at(const struct listing *l, size_t at, size_t end, struct textbuf *out)
{
	const uint8_t *b = l->bytes + at;
	uint32_t pc = l->address + (uint32_t)at;
	size_t zeros = count_zeros(l->bytes, at, end), left = end - at;
	struct instruction in;
	if (pc % 2 == 0 && zeros >= MIN_ZEROS) {
		textbuf_puts(out, "\t...");
		return at + zeros / 2 * 2;
	}
	textbuf_printf(out, "%8" PRIx32 ":\t", pc);
	if (pc % 2 != 0 || left < 2) {
		textbuf_printf(out, "%02x                  \t.byte\t0x%02x", b[0], b[0]);
		return at + 1;
	}
	uint32_t word = b[0] | (uint32_t)b[1] << 8;
	if (left >= 4)
		word |= (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
	instruction_decode(word, &in);
	if (in.nr_bytes > left)
		in = (struct instruction){.word = word, .id = INSTRUCTION_ILLEGAL, .nr_bytes = 2};
	/* The digits are filled up to the width that objdump gives them. */
	textbuf_printf(out, "%0*" PRIx32 "%*s\t", 2 * in.nr_bytes, in.word,
		       20 - 2 * in.nr_bytes - 2 * (in.nr_bytes == 4), "");
	write_text(l, &in, pc, out);
	return at + in.nr_bytes;
}

static void write_heading(const struct listing *l, uint32_t address, struct textbuf *out)
{
	/* Of several names for one place the same one as in targets. */
	textbuf_printf(out, "%08" PRIx32 " <", address);
	write_name(elf_image_symbol_at(l->image, address), address, out);
	textbuf_puts(out, ">:");
}

/* Prints a line and begins another. False when memory was short: the line is not printed. */
static bool end_line(struct textbuf *line)
{
	textbuf_putc(line, '\n');
	bool failed = textbuf_failed(line);
	if (!failed)
		print_text(line);
	textbuf_release(line);
	textbuf_init(line);
	return !failed;
}

/* Prints all of it. *next_symbol is the first symbol that may lie in it, and becomes the first one that may lie
 * after it. SAHM_NOMEM. */
static enum sahm_status print_listing(const struct listing *l, size_t *next_symbol, struct sahm_err *err)
{
	size_t nr = 0, i = *next_symbol, at = 0;
	bool done = true;
	struct textbuf line;
	textbuf_init(&line);
	const struct elf_symbol *symbols = l->image ? elf_image_symbols(l->image, &nr) : NULL;
	while (i < nr && symbols[i].address < l->address)
		i++;
	while (done && at < l->nr_bytes) {
		if (i < nr && symbols[i].address - l->address == at) {
			done = end_line(&line);
			write_heading(l, symbols[i].address, &line);
			done = end_line(&line) && done;
		}
		while (i < nr && symbols[i].address - l->address == at)
			i++;
		size_t next = i < nr ? symbols[i].address - l->address : l->nr_bytes;
		at = write_at(l, at, next < l->nr_bytes ? next : l->nr_bytes, &line);
		done = end_line(&line) && done;
	}
	textbuf_release(&line);
	*next_symbol = i;
	return done ? SAHM_OK : sahm_fail_nomem(err);
}

static enum sahm_status list_elf(const struct request *r, struct sahm_err *err)
{
	struct guest_file file;
	size_t nr_segments, nr_listed = 0, next_symbol = 0;
	enum sahm_status status = guest_file_read(&file, r->path, err);
	if (status != SAHM_OK)
		return status;
	const struct elf_segment *segments = elf_image_segments(file.image, &nr_segments);
	for (const struct elf_segment *s = segments; s != segments + nr_segments && status == SAHM_OK; s++) {
		struct listing l = {s->address, s->bytes, s->file_bytes, file.image};
		if (!s->is_executable)
			continue;
		status = print_listing(&l, &next_symbol, err);
		nr_listed++;
	}
	if (nr_listed == 0)
		status = sahm_fail_at(err, SAHM_FORMAT, file_label(r->path), 0, "no segment of it is executable");
	guest_file_release(&file);
	return status;
}

static enum sahm_status list_raw(const struct request *r, struct sahm_err *err)
{
	char *bytes;
	size_t nr_bytes, next_symbol = 0;
	enum sahm_status status = file_read(r->path, GUEST_MAX_FILE_BYTES, &bytes, &nr_bytes, err);
	if (status != SAHM_OK)
		return status;
	struct listing l = {.address = r->base, .bytes = (const uint8_t *)bytes, .nr_bytes = nr_bytes};
	if (nr_bytes > (UINT64_C(1) << 32) - r->base)
		status = sahm_fail_at(err, SAHM_RANGE, file_label(r->path), 0,
				      "its %zu bytes reach beyond the last address when they begin at 0x%" PRIx32,
				      nr_bytes, r->base);
	else
		status = print_listing(&l, &next_symbol, err);
	free(bytes);
	return status;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {0};
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK && r.given_base && !r.is_raw)
		status = sahm_fail(err, SAHM_USAGE, "--base goes with --raw: an ELF file says itself where it belongs");
	if (status == SAHM_OK)
		status = (r.is_raw ? list_raw : list_elf)(&r, err);
	return status;
}

extern const struct command command_ipu_disasm;
const struct command command_ipu_disasm = {
	.name = "ipu disasm",
	.operands = "FILE",
	.summary = "disassemble a program for the IPU",
	.details = "Prints the executable segments of an RV32 ELF file (FILE -: standard input), or all bytes "
		   "of a raw image, in the format of `objdump -d -M no-aliases`: one instruction per line, with "
		   "address, word and operands, and a line for each symbol. It knows what the IPU executes: "
		   "RV32I, M, C, Zicsr and Zifencei. Any other word is printed as .4byte or .2byte.\n"
		   "Data in an executable segment, such as ELF headers (link with --nmagic to avoid them), is "
		   "printed as if it were instructions. Runs of zeros are printed as `...`. Nothing is "
		   "executed, and no trust file is needed.",
	.options = options,
	.run = run,
};
