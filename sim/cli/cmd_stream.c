/* sahm stream info, head, slice */
#include <inttypes.h>
#include <string.h>

#include "results/metrics/json.h"
#include "sim/base/clean.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/core_request.h"
#include "sim/cli/info_command.h"
#include "sim/cli/output.h"
#include "sim/cli/overwriting.h"
#include "workloads/stream/stream_slice.h"
#include "workloads/stream/stream_summary.h"

#define DEFAULT_LINES 20

struct request {
	const char *path, *output;
	uint64_t lines, epoch, from, to;
	struct stream_sampling sampling;
	const char *of_epochs, *of_warm;
	bool as_csv, force;
};

static const struct option_row head_options[] = {
	{"lines", 'n', "N", "print the first N instructions (20)", OPTION_WHOLE, AT(uint64_t, lines), .least = 1,
	 .most = UINT64_MAX, .preset = DEFAULT_LINES},
	{"epoch", 'e', "K", "start with epoch K, counted from 0 (0)", OPTION_WHOLE, AT(uint64_t, epoch),
	 .most = UINT64_MAX},
	{"csv", 0, NULL, "print CSV", OPTION_FLAG, AT(bool, as_csv)},
	{ONE_OPERAND(path, "stream", "a stream is missing: sahm stream head FILE")},
};

static const struct option_row slice_options[] = {
	{"from-epoch", 0, "K", "begin with epoch K, counted from 0 (0)", OPTION_WHOLE, AT(uint64_t, from),
	 .most = UINT64_MAX, NOTE(of_epochs)},
	{"to-epoch", 0, "K", "end before epoch K (all that are left)", OPTION_WHOLE, AT(uint64_t, to), .least = 1,
	 .most = UINT64_MAX, .preset = UINT64_MAX, NOTE(of_epochs)},
	{SAMPLING_OPTIONS(sampling, of_warm, "leave out the first N instructions (0)",
			  "take only a part of each N instructions: the last ones (all)",
			  "with --every: the number of instructions that are taken (a tenth)")},
	{"output", 'o', "FILE", "write the part to FILE", OPTION_STRING, AT(const char *, output),
	 .missing = "an output is missing: sahm stream slice STREAM -o FILE"},
	{FORCE_OPTION},
	{ONE_OPERAND(path, "stream", "a stream is missing: sahm stream slice STREAM -o FILE")},
};

static double share(uint64_t part, uint64_t whole)
{
	return whole > 0 ? (double)part / (double)whole : 0;
}

static uint64_t nr_branches(const struct stream_summary *sum)
{
	uint64_t nr = 0;
	for (unsigned i = 0; i < NR_INSN_CLASSES; i++)
		nr += insn_is_branch((enum insn_class)i) ? sum->by_class[i] : 0;
	return nr;
}

static enum sahm_status fail_epoch(const char *option, uint64_t epoch, const char *path, uint64_t nr,
				   struct sahm_err *err)
{
	return sahm_fail(err, SAHM_USAGE, "--%s is %" PRIu64 ", '%s' has %" PRIu64 " epoch%s%s", option, epoch, path,
			 nr, nr == 1 ? "" : "s", nr > 0 ? ", counted from 0" : "");
}

/* ---- info ---- */

/* Without instructions that only warm. */
static uint64_t own_instructions(const struct stream *s, uint64_t epoch)
{
	return stream_epoch_instructions(s, epoch) - stream_epoch_warm(s, epoch);
}

static void epochs_text(const struct stream *s, struct textbuf *out)
{
	uint64_t nr = stream_nr_epochs(s), least = UINT64_MAX, most = 0,
		 last = nr > 0 ? own_instructions(s, nr - 1) : 0;
	textbuf_printf(out, "  epochs: %" PRIu64, nr);
	for (uint64_t i = 0; i + (nr > 1) < nr; i++) {
		uint64_t instructions = own_instructions(s, i);
		least = instructions < least ? instructions : least;
		most = instructions > most ? instructions : most;
	}
	if (nr > 0 && least == most)
		textbuf_printf(out, ", of %" PRIu64 " instructions", most);
	else if (nr > 0)
		textbuf_printf(out, ", of %" PRIu64 " to %" PRIu64 " instructions", least, most);
	if (nr > 1 && (last < least || last > most))
		textbuf_printf(out, ", the last of %" PRIu64, last);
	textbuf_putc(out, '\n');
}

static void sample_text(const struct stream *s, struct textbuf *out)
{
	uint64_t nr = stream_nr_epochs(s), warm = 0, nr_shown = 8;
	if (!stream_is_sampled(s))
		return;
	for (uint64_t i = 0; i < nr; i++)
		warm += stream_epoch_warm(s, i);
	textbuf_puts(out, "  sampled: epochs number");
	for (uint64_t i = 0; i < nr && i < nr_shown; i++)
		textbuf_printf(out, "%s %" PRIu64, i > 0 ? "," : "", stream_epoch_number(s, i));
	textbuf_printf(out, "%s; %" PRIu64 " instructions before them only warm caches\n", nr > nr_shown ? ", ..." : "",
		       warm);
}

static void modules_text(const struct stream *s, struct textbuf *out)
{
	struct stream_module m;
	size_t at = 0, nr = 0;
	while (stream_next_module(s, &at, &m)) {
		textbuf_printf(out, "%s    %#14" PRIx64 " to %#14" PRIx64 "  offset %#8" PRIx64 "  ",
			       nr++ == 0 ? "  modules:\n" : "", m.address, m.address + m.bytes, m.offset);
		textbuf_label(out, m.path);
		textbuf_putc(out, '\n');
	}
	if (nr == 0)
		textbuf_puts(out, "  modules: unknown, so that addresses have no names\n");
}

static void info_text(const char *path, const struct stream *s, const struct stream_summary *sum, struct textbuf *out)
{
	textbuf_label(out, path);
	textbuf_printf(out, "\n  machine: %s\n  program: ", machine_name(stream_machine(s)));
	textbuf_label(out, stream_program(s));
	textbuf_putc(out, '\n');
	epochs_text(s, out);
	sample_text(s, out);
	textbuf_printf(out, "  instructions: %" PRIu64 "\n  size: %" PRIu64 " bytes", sum->instructions,
		       stream_file_bytes(s));
	if (sum->instructions > 0)
		textbuf_printf(out, ", %.3f per instruction", share(stream_file_bytes(s), sum->instructions));
	textbuf_printf(out, "; format version %u; all chunks intact\n", stream_version(s));
	if (stream_nr_omitted(s) > 0)
		textbuf_printf(out, "  accesses left out: %" PRIu64 ", beyond %u of an instruction\n",
			       stream_nr_omitted(s), MAX_ACCESSES);
	modules_text(s, out);
	if (sum->instructions == 0)
		return;
	textbuf_printf(out,
		       "  code executed: %" PRIu64 " instructions, in %" PRIu64
		       " blocks that end with a branch and %" PRIu64 " lines of %u bytes\n",
		       sum->code_instructions, sum->code_blocks, sum->code_lines, CODE_LINE_BYTES);
	textbuf_printf(out,
		       "  loads: %.3f per instruction, of %.1f bytes\n  stores: %.3f per instruction, of %.1f bytes\n",
		       share(sum->loads, sum->instructions), share(sum->load_bytes, sum->loads),
		       share(sum->stores, sum->instructions), share(sum->store_bytes, sum->stores));
	textbuf_printf(out, "  branches: %.2f %% of instructions; of the conditional ones %.2f %% taken\n",
		       100 * share(nr_branches(sum), sum->instructions),
		       100 * share(sum->taken, sum->by_class[INSN_BRANCH]));
	for (unsigned i = 0; i < NR_INSN_CLASSES; i++)
		if (sum->by_class[i] > 0)
			textbuf_printf(out, "    %-14s %14" PRIu64 "  %6.2f %%\n", insn_class_name((enum insn_class)i),
				       sum->by_class[i], 100 * share(sum->by_class[i], sum->instructions));
}

static void info_json(const char *path, const struct stream *s, const struct stream_summary *sum, struct jwriter *j)
{
	struct stream_module m;
	jwrite_begin_object(j, NULL);
	jwrite_string(j, "file", path);
	jwrite_string(j, "machine", machine_name(stream_machine(s)));
	jwrite_string(j, "program", stream_program(s));
	jwrite_u64(j, "version", stream_version(s));
	jwrite_u64(j, "bytes", stream_file_bytes(s));
	jwrite_begin_array(j, "epoch_instructions", true);
	for (uint64_t i = 0; i < stream_nr_epochs(s); i++)
		jwrite_u64(j, NULL, stream_epoch_instructions(s, i));
	jwrite_end_array(j);
	jwrite_begin_array(j, "epoch_numbers", true);
	for (uint64_t i = 0; i < stream_nr_epochs(s); i++)
		jwrite_u64(j, NULL, stream_epoch_number(s, i));
	jwrite_end_array(j);
	jwrite_begin_array(j, "epoch_warm", true);
	for (uint64_t i = 0; i < stream_nr_epochs(s); i++)
		jwrite_u64(j, NULL, stream_epoch_warm(s, i));
	jwrite_end_array(j);
	jwrite_begin_array(j, "modules", false);
	for (size_t at = 0; stream_next_module(s, &at, &m);) {
		jwrite_begin_object(j, NULL);
		jwrite_u64(j, "address", m.address);
		jwrite_u64(j, "bytes", m.bytes);
		jwrite_u64(j, "offset", m.offset);
		jwrite_string(j, "path", m.path);
		jwrite_end_object(j);
	}
	jwrite_end_array(j);
	jwrite_u64(j, "instructions", sum->instructions);
	jwrite_u64(j, "accesses_left_out", stream_nr_omitted(s));
	jwrite_u64(j, "loads", sum->loads);
	jwrite_u64(j, "load_bytes", sum->load_bytes);
	jwrite_u64(j, "stores", sum->stores);
	jwrite_u64(j, "store_bytes", sum->store_bytes);
	jwrite_u64(j, "branches_taken", sum->taken);
	jwrite_u64(j, "code_instructions", sum->code_instructions);
	jwrite_u64(j, "code_blocks", sum->code_blocks);
	jwrite_u64(j, "code_lines", sum->code_lines);
	jwrite_begin_object(j, "classes");
	for (unsigned i = 0; i < NR_INSN_CLASSES; i++)
		jwrite_u64(j, insn_class_name((enum insn_class)i), sum->by_class[i]);
	jwrite_end_object(j);
	jwrite_end_object(j);
}

static enum sahm_status info_one(const char *path, struct jwriter *j, struct textbuf *out, struct sahm_err *err)
{
	struct stream *s;
	struct stream_summary sum;
	enum sahm_status status = open_stream(path, &s, err);
	if (status != SAHM_OK)
		return status;
	status = stream_summarize(s, &sum, err);
	if (status == SAHM_OK && j)
		info_json(path, s, &sum, j);
	else if (status == SAHM_OK)
		info_text(path, s, &sum, out);
	stream_free(s);
	return status;
}

static enum sahm_status run_info(char **args, struct sahm_err *err)
{
	return info_run(args, "a stream is missing: sahm stream info FILE...", info_one, err);
}

/* ---- head ---- */

static const char *name_of(enum machine machine, unsigned number)
{
	const char *name = machine_register_name(machine, number);
	return name ? name : number == NO_REGISTER ? "" : "?";
}

static void head_text(enum machine machine, const struct executed *e, struct textbuf *out)
{
	const struct insn *in = e->instruction;
	size_t registers, room = 22;
	textbuf_printf(out, "%#14" PRIx64 " %3u  %-14s ", in->pc, in->length,
		       insn_class_name((enum insn_class)in->class));
	registers = out->len;
	for (unsigned i = 0; i < MAX_SOURCES; i++)
		if (in->source[i] != NO_REGISTER)
			textbuf_printf(out, "%s%s", i > 0 ? "," : "", name_of(machine, in->source[i]));
	if (in->destination != NO_REGISTER)
		textbuf_printf(out, "->%s", name_of(machine, in->destination));
	size_t used = out->len - registers;
	if (e->nr_accesses > 0 || insn_is_branch((enum insn_class)in->class))
		textbuf_printf(out, "%*s", used < room ? (int)(room - used) : 1, "");
	for (unsigned i = 0; i < e->nr_accesses; i++)
		textbuf_printf(out, "  %s %u at %#" PRIx64, e->accesses[i].is_store ? "store" : "load",
			       e->accesses[i].bytes, e->accesses[i].address);
	if (insn_is_branch((enum insn_class)in->class)) {
		if (in->class == INSN_BRANCH && e->next_pc == 0)
			textbuf_puts(out, "  to where is not known");
		else if (!e->taken)
			textbuf_puts(out, "  not taken");
		else if (e->next_pc == 0)
			textbuf_puts(out, "  taken");
		else
			textbuf_printf(out, "  taken to %#" PRIx64, e->next_pc);
	}
	/* Texts end their lines. */
	while (out->len > 0 && out->text[out->len - 1] == ' ')
		out->text[--out->len] = '\0';
	textbuf_putc(out, '\n');
}

static void head_csv(enum machine machine, const struct executed *e, struct textbuf *out)
{
	const struct insn *in = e->instruction;
	bool is_branch = insn_is_branch((enum insn_class)in->class);
	textbuf_printf(out, "0x%" PRIx64 ",%u,%s", in->pc, in->length, insn_class_name((enum insn_class)in->class));
	for (unsigned i = 0; i < MAX_SOURCES; i++)
		textbuf_printf(out, ",%s", name_of(machine, in->source[i]));
	textbuf_printf(out, ",%s,", name_of(machine, in->destination));
	if (insn_has_target((enum insn_class)in->class))
		textbuf_printf(out, "0x%" PRIx64, in->target);
	textbuf_printf(out, ",%s,", is_branch ? e->taken ? "1" : "0" : "");
	if (e->next_pc != 0)
		textbuf_printf(out, "0x%" PRIx64, e->next_pc);
	textbuf_putc(out, ',');
	for (unsigned i = 0; i < e->nr_accesses; i++)
		textbuf_printf(out, "%s%s:0x%" PRIx64 ":%u", i > 0 ? " " : "",
			       e->accesses[i].is_store ? "store" : "load", e->accesses[i].address,
			       e->accesses[i].bytes);
	textbuf_putc(out, '\n');
}

/* Lines are written as they come: there may be millions. */
#define WRITE_BYTES 65536u

static enum sahm_status print_head(const struct request *r, struct stream *s, struct sahm_err *err)
{
	struct textbuf out;
	struct executed e;
	enum sahm_status status = SAHM_OK;
	bool more = true;
	textbuf_init(&out);
	if (r->as_csv)
		textbuf_puts(&out,
			     "pc,bytes,class,source_1,source_2,source_3,destination,target,taken,next_pc,accesses\n");
	for (uint64_t i = 0; i < r->lines && status == SAHM_OK && more; i++) {
		status = stream_next(s, &e, &more, err);
		if (status == SAHM_OK && more)
			(r->as_csv ? head_csv : head_text)(stream_machine(s), &e, &out);
		if (out.len >= WRITE_BYTES && status == SAHM_OK && !textbuf_failed(&out)) {
			status = print_output(r->as_csv ? OUTPUT_CSV : OUTPUT_TEXT, &out, err);
			textbuf_release(&out);
			textbuf_init(&out);
		}
	}
	/* Shows the instructions before a fault. */
	if (textbuf_failed(&out) && status == SAHM_OK)
		status = sahm_fail_nomem(err);
	else if (status == SAHM_OK)
		status = print_output(r->as_csv ? OUTPUT_CSV : OUTPUT_TEXT, &out, err);
	else
		print_output(r->as_csv ? OUTPUT_CSV : OUTPUT_TEXT, &out, NULL);
	textbuf_release(&out);
	return status;
}

static enum sahm_status run_head(char **args, struct sahm_err *err)
{
	struct request r = {0};
	struct stream *s;
	enum sahm_status status = options_parse(head_options, args, &r, err);
	if (status == SAHM_OK)
		status = open_stream(r.path, &s, err);
	if (status != SAHM_OK)
		return status;
	uint64_t nr = stream_nr_epochs(s);
	if (r.epoch > 0 && r.epoch >= nr)
		status = fail_epoch("epoch", r.epoch, r.path, nr, err);
	else if (nr > 0)
		status = stream_seek(s, r.epoch, err);
	if (status == SAHM_OK)
		status = print_head(&r, s, err);
	stream_free(s);
	return status;
}

/* ---- slice ---- */

static enum sahm_status slice(const struct request *r, struct stream *s, struct sahm_err *err)
{
	uint64_t nr = stream_nr_epochs(s), to = r->to == UINT64_MAX ? nr : r->to;
	if (r->from >= nr)
		return fail_epoch("from-epoch", r->from, r->path, nr, err);
	if (to > nr)
		return fail_epoch("to-epoch", to, r->path, nr, err);
	if (r->from >= to)
		return sahm_fail(err, SAHM_USAGE, "--to-epoch is %" PRIu64 ", must be above --from-epoch, %" PRIu64,
				 r->to, r->from);
	const struct slice_request part = {.from = r->from, .to = to, .every = 1, .sampling = r->sampling};
	bool samples = r->sampling.skip > 0 || r->sampling.every > 0;
	enum sahm_status status = core_request_check_sampling(&r->sampling, s, r->path, err);
	if (status == SAHM_OK)
		status = stream_slice(s, &part, r->output, err);
	if (status == SAHM_OK && samples)
		print_remark("%s: a part of the instructions of %s", r->output, r->path);
	else if (status == SAHM_OK && to == r->from + 1)
		print_remark("%s: epoch %" PRIu64 " of %s", r->output, r->from, r->path);
	else if (status == SAHM_OK)
		print_remark("%s: epochs %" PRIu64 " to %" PRIu64 " of %s", r->output, r->from, to - 1, r->path);
	return status;
}

static enum sahm_status run_slice(char **args, struct sahm_err *err)
{
	struct request r = {0};
	struct stream *s;
	enum sahm_status status = options_parse(slice_options, args, &r, err);
	if (status == SAHM_OK)
		status = core_request_sampling(&r.sampling, r.of_warm, err);
	if (status == SAHM_OK && r.of_epochs && (r.sampling.skip > 0 || r.sampling.every > 0))
		status = sahm_fail(err, SAHM_USAGE, "--%s cuts by epochs, --skip and --every by instructions: give one",
				   r.of_epochs);
	if (status == SAHM_OK)
		status = refuse_overwriting(r.output, r.path, err);
	if (status == SAHM_OK)
		status = try_file_output(r.output, r.force, err);
	if (status == SAHM_OK)
		status = open_stream(r.path, &s, err);
	if (status != SAHM_OK)
		return status;
	status = slice(&r, s, err);
	stream_free(s);
	return status;
}

extern const struct command command_stream_info, command_stream_head, command_stream_slice;

const struct command command_stream_slice = {
	.name = "stream slice",
	.operands = "STREAM",
	.summary = "write a part of a stream as a stream",
	.details =
		"Instructions, accesses, branches and the numbers of epochs are those of the whole stream. With "
		"--every, each part becomes an epoch, numbered from 0, after the instructions that warm caches for it; sahm core "
		"time then computes the same as with these options and the whole stream.",
	.options = slice_options,
	.run = run_slice,
};

const struct command command_stream_info = {
	.name = "stream info",
	.operands = "FILE...",
	.summary = "show what instruction streams contain, and verify their checksums",
	.details = "A stream holds the instructions that a program executed, one by one, as sahm trace record "
		   "--instructions writes them. The whole file is read.\n"
		   "An access is a load or a store; an instruction has none, one or several. A block is a "
		   "stretch of code that ends with a branch.",
	.options = info_options,
	.run = run_info,
};

const struct command command_stream_head = {
	.name = "stream head",
	.operands = "FILE",
	.summary = "show the first instructions of a stream or of one of its epochs",
	.details = "Prints one line per instruction: address, length in bytes, class, registers read and "
		   "written, accesses, and the target of a taken branch.\n"
		   "In CSV, accesses have the form KIND:ADDRESS:BYTES, separated by blanks. Empty fields are "
		   "absent or unknown.",
	.options = head_options,
	.run = run_head,
};
