/* sahm ipu exec */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ipu/core/flat.h"
#include "ipu/core/ipu.h"
#include "ipu/jit/translation.h"
#include "sim/base/file.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/guest.h"
#include "sim/cli/ipu_request.h"
#include "sim/cli/output.h"
#include "sim/cli/overwriting.h"

struct request {
	const char *elf, *signature, *call;
	const char *needs_flat; /* an option that was given and needs --flat, or NULL */
	const char *given_base; /* likewise, of --base */
	bool is_flat;
	enum hart_engine engine;
	struct flat_options flat;
	struct guest_watch watch;
	struct option_list arguments; /* of the program, which is the first one; then NULL */
};

static enum sahm_status take_operand(void *request, struct option_walk *w, struct sahm_err *err)
{
	struct request *r = request;
	if (r->arguments.nr > 0 && !w->operands_only)
		return sahm_fail(err, SAHM_USAGE,
				 "one program at a time: '%s' is too many (write its own arguments after --)",
				 w->value);
	return option_list_add(&r->arguments, w->value, err);
}

static const struct option_row options[] = {
	{"flat", 0, NULL,
	 "run on a flat machine (one RAM for code and data, a few Linux calls) instead of an IPU's "
	 "memories",
	 OPTION_FLAG, AT(bool, is_flat)},
	{"ram", 0, "SIZE",
	 "size of the RAM, a multiple of 4K up to 2G (16M, or what the program needs). Code takes "
	 "four times its size in host memory: with 2G, up to 8 GB more",
	 OPTION_SIZE, AT(uint32_t, flat.ram_bytes), .least = FLAT_PAGE_BYTES, .most = FLAT_MAX_RAM_BYTES,
	 .unit = FLAT_PAGE_BYTES, .must = "a multiple of 4K from 4K to 2G, such as 16M", NOTE(needs_flat)},
	{"base", 0, "ADDRESS", "first address of the RAM, a multiple of 4K (the page of the lowest segment)",
	 OPTION_SIZE, AT(uint32_t, flat.base), .most = UINT32_MAX, .unit = FLAT_PAGE_BYTES,
	 .must = "a multiple of 4K below 2^32, such as 0x80000000", NOTE(given_base)},
	{"signature", 0, "FILE",
	 "when the program has ended, write the memory from the symbol begin_signature to "
	 "end_signature to FILE: 32-bit hexadecimal words, one per line; '-' is standard output",
	 OPTION_STRING, AT(const char *, signature), .written = true, NOTE(needs_flat)},
	{"trap-misaligned", 0, NULL,
	 "make misaligned loads and stores faults on the flat machine, too; by default they work "
	 "there",
	 OPTION_FLAG, AT(bool, flat.traps_misaligned), NOTE(needs_flat)},
	{"call", 0, "SYMBOL", "without --flat, call this function (the program's entry point)", OPTION_STRING,
	 AT(const char *, call)},
	{"max-instructions", 0, "N", "stop after N instructions, and fail", OPTION_COUNT,
	 AT(uint64_t, watch.max_instructions), .least = 1, .most = UINT64_MAX, .preset = UINT64_MAX,
	 .must = "a whole number above 0"},
	{"trace", 0, "FILE",
	 "write one line per instruction to FILE, in the format of Spike's --log-commits; '-' is "
	 "standard error",
	 OPTION_STRING, AT(const char *, watch.trace), .written = true},
	{"force", 0, NULL, "replace an existing file of --trace or --signature", OPTION_FORCE, AT(bool, watch.force)},
	{"histogram", 0, NULL,
	 "print to standard error how often each instruction was executed, and the most frequent pairs", OPTION_FLAG,
	 AT(bool, watch.has_histogram)},
	{HART_ENGINE_OPTION("engine", engine)},
	{TAKE_OPERANDS(take_operand)},
};

/* Largest code that an exit code of this program can tell. */
#define MAX_EXIT_CODE 255

/* The words that --signature writes. */
struct signature_words {
	uint32_t nr_words;
	const uint8_t *bytes;
	struct atomic_file file;
	bool has_file; /* `file` is open; else they go to standard output */
};

/* What several options say together. */
static enum sahm_status check(struct request *r, struct sahm_err *err)
{
	const char *needs_flat = r->needs_flat ? r->needs_flat : r->given_base;
	if (r->arguments.nr == 0)
		return sahm_fail(err, SAHM_USAGE, "a program is missing: sahm ipu exec ELF");
	if (r->watch.trace && r->watch.has_histogram)
		return sahm_fail(err, SAHM_USAGE, "--trace and --histogram exclude each other");
	if (needs_flat && !r->is_flat)
		return sahm_fail(err, SAHM_USAGE, "--%s is for the flat machine, which --flat asks for", needs_flat);
	if (r->arguments.nr > 1 && !r->is_flat)
		return sahm_fail(err, SAHM_USAGE, "only in the flat machine (--flat) has a program arguments: '%s'",
				 r->arguments.items[1]);
	if (r->call && r->is_flat)
		return sahm_fail(err, SAHM_USAGE, "--call and --flat exclude each other");
	/* There is nothing to be translated for who looks at each instruction. */
	if (r->watch.trace || r->watch.has_histogram)
		r->engine = HART_INTERP;
	r->elf = r->arguments.items[0];
	r->flat.has_base = r->given_base;
	enum sahm_status status = option_list_add(&r->arguments, NULL, err);
	/* argv of a program can be written to, so it is that of a guest that gets a copy. */
	r->flat.arguments = (char *const *)(uintptr_t)r->arguments.items;
	return status;
}

static enum sahm_status find_signature(const struct elf_image *image, const struct hart *h, struct signature_words *s,
				       struct sahm_err *err)
{
	const struct elf_symbol *begin = elf_image_find(image, "begin_signature");
	const struct elf_symbol *end = elf_image_find(image, "end_signature");
	const char *file = elf_image_file(image);
	if (!begin || !end)
		return sahm_fail_at(err, SAHM_FORMAT, file, 0, "it has no symbol '%s', which --signature needs",
				    begin ? "end_signature" : "begin_signature");
	uint32_t nr_bytes = end->address - begin->address;
	if (end->address < begin->address)
		return sahm_fail_at(err, SAHM_FORMAT, file, 0,
				    "its signature ends at 0x%08" PRIx32 ", below its beginning at 0x%08" PRIx32,
				    end->address, begin->address);
	if (nr_bytes % 4 != 0)
		return sahm_fail_at(err, SAHM_FORMAT, file, 0,
				    "its signature, from 0x%08" PRIx32 " to 0x%08" PRIx32 ", is not of whole words",
				    begin->address, end->address);
	s->nr_words = nr_bytes / 4;
	s->bytes = hart_bytes(h, begin->address, nr_bytes);
	if (!s->bytes)
		return sahm_fail_at(err, SAHM_RANGE, file, 0,
				    "its signature, from 0x%08" PRIx32 " to 0x%08" PRIx32 ", lies outside the RAM",
				    begin->address, end->address);
	return SAHM_OK;
}

static void print_signature(const struct signature_words *s, FILE *out)
{
	for (uint32_t i = 0; i < s->nr_words; i++) {
		const uint8_t *w = s->bytes + (size_t)4 * i;
		fprintf(out, "%02x%02x%02x%02x\n", w[3], w[2], w[1], w[0]);
	}
}

/* Finds the signature's symbols and opens its file before the run, so that errors appear early. The caller writes or
 * aborts the file. */
static enum sahm_status prepare_signature(const char *path, bool force, const struct elf_image *image,
					  const struct hart *h, struct signature_words *s, struct sahm_err *err)
{
	enum sahm_status status = find_signature(image, h, s, err);
	if (status == SAHM_OK && strcmp(path, "-") != 0) {
		status = atomic_file_begin(&s->file, path, force, err);
		s->has_file = status == SAHM_OK;
	}
	return status;
}

static enum sahm_status write_signature(struct signature_words *s, struct sahm_err *err)
{
	print_signature(s, s->has_file ? s->file.stream : data_output()); /* stdout is looked after at the end */
	if (!s->has_file)
		return SAHM_OK;
	s->has_file = false;
	return atomic_file_commit(&s->file, err);
}

static void warn_of_unserved(const struct flat *flat, const char *file)
{
	uint32_t first;
	uint64_t nr = flat_nr_unserved(flat, &first);
	if (nr > 0)
		print_warning("%s: %" PRIu64 " environment call%s answered with ENOSYS, the first of number %" PRIu32,
			      file, nr, nr == 1 ? " was" : "s were", first);
}

/* The program's code as an exit code: of exit, what Linux makes of it; of tohost, never 0 for what is none. */
static int exit_code_of(const struct flat *flat, const char *file)
{
	uint32_t code = flat_exit_code(flat);
	if (flat_end(flat) == FLAT_EXITED)
		return (int)(code & MAX_EXIT_CODE);
	if (code > MAX_EXIT_CODE)
		print_warning("%s: the code %" PRIu32 " is above %d, which stands for it", file, code, MAX_EXIT_CODE);
	return code > MAX_EXIT_CODE ? MAX_EXIT_CODE : (int)code;
}

static enum sahm_status run_flat(const struct request *r, const struct elf_image *image, int *exit_code,
				 struct sahm_err *err)
{
	struct flat *flat;
	struct guest_output output = {0};
	struct signature_words signature = {0};
	struct flat_options o = r->flat;
	o.translator = r->engine == HART_JIT ? &host_translator : NULL;
	o.write = guest_write;
	o.context = &output;
	enum sahm_status status = flat_new(&flat, image, &o, err);
	if (status != SAHM_OK)
		return status;
	struct hart *h = flat_hart(flat);
	if (r->signature)
		status = prepare_signature(r->signature, r->watch.force, image, h, &signature, err);
	if (status == SAHM_OK)
		status = guest_run(h, &r->watch, err);
	if (status == SAHM_OK) {
		warn_of_unserved(flat, elf_image_file(image));
		status = guest_check_end(h, image, &r->watch, &output, exit_code, err);
	}
	if (status == SAHM_OK)
		status = guest_check_output(&output, err);
	if (status == SAHM_OK && r->signature)
		status = write_signature(&signature, err);
	if (signature.has_file)
		atomic_file_abort(&signature.file);
	if (status == SAHM_OK)
		*exit_code = exit_code_of(flat, elf_image_file(image));
	flat_free(flat);
	return status;
}

/* Calls the program in the IPU's memories as a C function without arguments. */
static enum sahm_status run_in_ipu(const struct request *r, const struct elf_image *image, int *exit_code,
				   struct sahm_err *err)
{
	struct ipu_program *program = NULL;
	uint32_t entry = elf_image_entry(image);
	const struct elf_symbol *symbol = r->call ? elf_image_find(image, r->call) : NULL;
	struct ipu *ipu = malloc(sizeof(*ipu));
	if (!ipu)
		return sahm_fail_nomem(err);
	struct sahm_err why;
	enum sahm_status status = ipu_program_new(&program, image, &why);
	if (status != SAHM_OK)
		sahm_fail(err, status, "%s%s", why.msg,
			  status == SAHM_FORMAT ? "; link it with ipu.ld, or let --flat run it in one RAM" : "");
	if (status == SAHM_OK && r->call && !symbol)
		status = sahm_fail_at(err, SAHM_FORMAT, elf_image_file(image), 0, "it has no symbol '%s'", r->call);
	if (status == SAHM_OK && r->engine == HART_JIT)
		ipu_program_translate(program, &host_translator);
	if (status == SAHM_OK) {
		ipu_init(ipu, program);
		hart_enter(&ipu->hart, symbol ? symbol->address : entry);
		status = guest_run(&ipu->hart, &r->watch, err);
	}
	if (status == SAHM_OK && ipu->hart.cause != HART_RETURNED)
		status = guest_check_end(&ipu->hart, image, &r->watch, NULL, exit_code, err);
	else if (status == SAHM_OK)
		print_line("a0 = 0x%08" PRIx32, hart_register(&ipu->hart, HART_A0));
	ipu_program_free(program);
	free(ipu);
	return status;
}

/* No output takes the place of the program, or of the other output. */
static enum sahm_status check_files(const struct request *r, struct sahm_err *err)
{
	/* Of outputs, "-" is no file. */
	const char *trace = r->watch.trace && strcmp(r->watch.trace, "-") == 0 ? NULL : r->watch.trace;
	const char *signature = r->signature && strcmp(r->signature, "-") == 0 ? NULL : r->signature;
	if (refuse_overwriting(trace, r->elf, err) != SAHM_OK || refuse_overwriting(signature, r->elf, err) != SAHM_OK)
		return err->status;
	if (is_same_file(signature, trace))
		return sahm_fail(err, SAHM_USAGE, "--trace and --signature are one file, '%s'", r->signature);
	return SAHM_OK;
}

static enum sahm_status run(char **args, int *exit_code, struct sahm_err *err)
{
	struct request r = {0};
	struct guest_file file;
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK)
		status = check(&r, err);
	if (status == SAHM_OK)
		status = check_files(&r, err);
	if (status == SAHM_OK)
		status = guest_file_read(&file, r.elf, err);
	if (status == SAHM_OK) {
		status = (r.is_flat ? run_flat : run_in_ipu)(&r, file.image, exit_code, err);
		guest_file_release(&file);
	}
	free(r.arguments.items);
	guest_end_by_pipe();
	return status;
}

extern const struct command command_ipu_exec;
const struct command command_ipu_exec = {
	.name = "ipu exec",
	.operands = "ELF [-- ARG...]",
	.summary = "run a RISC-V program on the IPU's processor",
	.details = "ELF ('-': standard input) is an executable for RV32I, M and C, linked statically to fixed "
		   "addresses. There is no privileged architecture: any fault ends the run and reports its "
		   "address. The program sees no core, and no trust file is needed.\n"
		   "Without --flat, the program is loaded into the memories of an IPU: code into 8 KB of "
		   "instruction memory at 0, everything else into 32 KB of scratchpad at 0x10000. Its entry "
		   "point, or --call SYMBOL, is called as a C function without arguments; a0 is printed when it "
		   "returns. Misaligned accesses are faults. The linker script ipu/programs/ipu.ld describes "
		   "these memories.\n"
		   "With --flat, the program gets ARG... as its arguments. It ends by storing a nonzero word to "
		   "the symbol tohost (its exit code is the word >> 1), or by the Linux calls exit and "
		   "exit_group. The calls write (to standard output and error), brk and clock_gettime also "
		   "work; clock_gettime counts 1 ns per instruction. All others return ENOSYS. The exit code is "
		   "the program's (255 if the one from tohost is above 255).\n"
		   "The exit code is 1 after a fault or if the program did not reach its end, and 128 plus the "
		   "signal's number after a signal (SIGINT 130, SIGTERM 143). --trace or --histogram then hold "
		   "the instructions executed so far, but no signature is written. The interpreter runs for both. The "
		   "number of instructions and their rate go to standard error.",
	.options = options,
	.run_program = run,
};
