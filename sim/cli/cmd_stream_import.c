/* sahm stream import */
#include <inttypes.h>

#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/output.h"
#include "sim/cli/overwriting.h"
#include "workloads/record/record_qemu.h"
#include "workloads/stream/champsim.h"

struct request {
	const char *path, *output;
	unsigned format;
	uint64_t epoch_instructions;
	bool force;
};

static const char *const formats[] = {"champsim", NULL};

static const struct option_row options[] = {
	{"output", 'o', "FILE", "write the stream to FILE", OPTION_STRING, AT(const char *, output),
	 .missing = "an output is missing: sahm stream import FILE -o OUT"},
	{FORCE_OPTION},
	{"format", 'f', "FORMAT", "the form of FILE: champsim, records of 64 bytes (champsim)", OPTION_CHOICE,
	 AT(unsigned, format), .what = "format", .words = formats},
	{"epoch-instructions", 0, "N", "instructions per epoch (10000000)", OPTION_WHOLE,
	 AT(uint64_t, epoch_instructions), .least = MIN_EPOCH_INSTRUCTIONS, .most = MAX_EPOCH_INSTRUCTIONS,
	 .preset = DEFAULT_EPOCH_INSTRUCTIONS},
	{ONE_OPERAND(path, "trace", "a file is missing: sahm stream import FILE -o OUT")},
};

static void say_branches(const struct champsim_counts *c, struct textbuf *out)
{
	uint64_t nr = 0;
	for (unsigned k = CHAMPSIM_NO_BRANCH + 1; k < NR_CHAMPSIM_BRANCHES; k++)
		nr += c->branches[k];
	textbuf_printf(out, "  branches: %" PRIu64, nr);
	for (unsigned k = CHAMPSIM_NO_BRANCH + 1, shown = 0; k < NR_CHAMPSIM_BRANCHES; k++)
		if (c->branches[k] > 0)
			textbuf_printf(out, "%s%s %" PRIu64, shown++ == 0 ? " (" : ", ",
				       champsim_branch_name((enum champsim_branch)k), c->branches[k]);
	if (nr > 0)
		textbuf_putc(out, ')');
}

/* What was filled in, and what a stream has no place for. */
static void report(const struct request *r, const struct champsim_counts *c)
{
	struct textbuf branches;
	uint64_t epochs = (c->records - 1) / r->epoch_instructions + 1;
	textbuf_init(&branches);
	say_branches(c, &branches);
	print_remark("%s: %" PRIu64 " instruction%s in %" PRIu64 " epoch%s", r->output, c->records,
		     c->records == 1 ? "" : "s", epochs, epochs == 1 ? "" : "s");
	print_remark("%s", branches.text);
	print_remark("  lengths: %" PRIu64 " from the next address, %" PRIu64 " as found there before, %" PRIu64
		     " assumed",
		     c->next_lengths, c->known_lengths, c->assumed_lengths);
	print_remark("  accesses: %" PRIu64 " loads, %" PRIu64 " stores, %u bytes assumed for each", c->loads,
		     c->stores, CHAMPSIM_ACCESS_BYTES);
	print_remark("  classes: %" PRIu64 " assumed from registers and accesses", c->branches[CHAMPSIM_NO_BRANCH]);
	if (c->assumed_targets > 0)
		print_remark("  targets: %" PRIu64 " assumed, of branches that were not taken before",
			     c->assumed_targets);
	if (c->repeated > 0)
		print_remark("  repeated: %" PRIu64 " records have the address of the one before", c->repeated);
	if (c->interrupted > 0)
		print_remark("  interrupted: %" PRIu64
			     " instructions precede another place in memory, and do not lead there",
			     c->interrupted);
	if (c->nameless > 0)
		print_remark("  registers: %" PRIu64 " of segments, control and the like left out", c->nameless);
	if (c->left_out > 0)
		print_remark("  sources: %" PRIu64 " left out, beyond 3 of an instruction", c->left_out);
	if (c->alien > 0)
		print_warning("%s: registers 1 and 2, which x86-64 does not have, are in it (%" PRIu64
			      " times): if it was "
			      "converted from CVP-1, its registers are Arm's, and some are taken for one another",
			      r->path, c->alien);
	textbuf_release(&branches);
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {0};
	struct champsim_counts counts;
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK)
		status = refuse_overwriting(r.output, r.path, err);
	if (status == SAHM_OK)
		status = try_file_output(r.output, r.force, err);
	if (status == SAHM_OK)
		status = champsim_import(r.path, r.epoch_instructions, r.output, &counts, err);
	if (status == SAHM_OK)
		report(&r, &counts);
	return status;
}

extern const struct command command_stream_import;
const struct command command_stream_import = {
	.name = "stream import",
	.operands = "FILE",
	.summary = "turn an instruction trace of another tool into a stream",
	.details = "Reads ChampSim's records of 64 bytes, as its tracer for Pin writes them for x86-64; FILE may be "
		   "compressed by gzip, xz or zstd (FILE -: standard input, by zstd or not).\n"
		   "Records have no lengths, sizes, classes or targets. docs/cores.md says by which rules they are "
		   "filled in, and the report counts them.",
	.options = options,
	.run = run,
};
