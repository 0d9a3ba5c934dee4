/* sahm ipu run */
#include <stdlib.h>
#include <string.h>

#include "ipu/unit/mode.h"
#include "ipu/unit/signals.h"
#include "ipu/unit/time_limit.h"
#include "sim/base/array.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/ipu_loaded.h"
#include "sim/cli/ipu_packets.h"
#include "sim/cli/ipu_soft.h"
#include "sim/cli/ipu_summary.h"
#include "sim/cli/output.h"
#include "sim/cli/overwriting.h"

#define USAGE "sahm ipu run IMAGE --abi SPEC --signals FILE"

struct request {
	const char *image, *abi, *signals, *trust, *packets, *output;
	struct option_list settings;
	struct ipu_unit_config config;
	struct soft_request soft;
	bool no_finalize, force;
	enum output_form form;
	uint64_t start, stop;
	const char *given_start, *given_stop, *given_packet_form; /* NULL: they are not */
	enum packet_form packet_form;
	enum hart_engine engine;
};

static const char *const packet_form_words[] = {
	[PACKETS_CSV] = "csv", [PACKETS_HEX] = "hex", [PACKETS_BINARY] = "binary", NULL};

static const struct option_row options[] = {
	{"abi", 0, "SPEC", "ABI spec of the HIT: a file, or the name of a shipped one", OPTION_STRING,
	 AT(const char *, abi), .missing = "--abi is missing: " USAGE},
	{"signals", 0, "FILE", "recorded signals, CSV or binary, compressed or not; '-' is standard input",
	 OPTION_STRING, AT(const char *, signals), .missing = "--signals is missing: " USAGE},
	{"trust", 0, "FILE", ipu_trust_help, OPTION_STRING, AT(const char *, trust)},
	{"set", 0, "SYMBOL=VALUE",
	 "set data of the program before power-on: SYMBOL[INDEX]=VALUE sets one element; can be "
	 "repeated",
	 OPTION_LIST, AT(struct option_list, settings)},
	{"hit-mhz", 0, "MHZ", "clock of the HIT (the clock in the signals, or that of the IPU)", OPTION_SIZE,
	 AT(uint32_t, config.hit_mhz), .least = IPU_MIN_MHZ, .most = IPU_MAX_MHZ},
	{"ipu-mhz", 0, "MHZ", "clock of the IPU (2000)", OPTION_SIZE, AT(uint32_t, config.ipu_mhz),
	 .least = IPU_MIN_MHZ, .most = IPU_MAX_MHZ, .preset = IPU_DEFAULT_MHZ},
	{"mode", 0, "MODE",
	 "which input sets to take if the HIT is faster: every (as many as possible; the default), "
	 "sub-sample=K (the first of every K), window=N (N consecutive ones, through a fast buffer), "
	 "phases=MHZ (while the HIT's clock is at most this)",
	 OPTION_TAKE, AT(struct ipu_unit_config, config), .take = take_ipu_mode},
	SOFT_OPTIONS(soft),
	{"start", 0, "ADDRESS",
	 "become active in the cycle in which the ABI's addr is ADDRESS (TS); by default at the "
	 "beginning",
	 OPTION_SIZE, AT(uint64_t, start), .most = UINT64_MAX, NOTE(given_start)},
	{"stop", 0, "ADDRESS", "stay active until the cycle in which the ABI's addr is ADDRESS (TE)", OPTION_SIZE,
	 AT(uint64_t, stop), .most = UINT64_MAX, NOTE(given_stop)},
	{"fifo", 0, "SIZE", "size of the FIFO for packets, each with 16 bytes of header (128K)", OPTION_SIZE,
	 AT(uint32_t, config.fifo_bytes), .least = IPU_PACKET_HEADER_BYTES, .most = INT32_MAX,
	 .preset = IPU_DEFAULT_FIFO_BYTES},
	{"limit", 0, "BYTES_PER_S", "bandwidth to the host, 1 to 10^15 (unlimited)", OPTION_SIZE,
	 AT(uint64_t, config.max_bytes_per_s), .least = 1, .most = IPU_MOST_BYTES_PER_S},
	{"max-cycles", 0, "N", "a routine that takes more than N IPU cycles, 1 to 10^15, is an error (100,000,000)",
	 OPTION_SIZE, AT(uint64_t, config.max_cycles), .least = 1, .most = IPU_MOST_ROUTINE_CYCLES,
	 .preset = IPU_DEFAULT_MAX_CYCLES},
	{"packets", 0, "FILE",
	 "write packets to FILE; with '-', standard output, and the summary goes to standard error", OPTION_STRING,
	 AT(const char *, packets), .written = true},
	{"packet-format", 0, "FORM",
	 "csv (one row each, with its time; the default), hex (one line each) or binary (only the "
	 "bytes)",
	 OPTION_CHOICE, AT(enum packet_form, packet_form), .what = "packet format", .words = packet_form_words,
	 NOTE(given_packet_form)},
	{"finalize", 0, NULL, "run the program's finish after the last signal (the default)", OPTION_CLEAR,
	 AT(bool, no_finalize)},
	{"no-finalize", 0, NULL, "do not run finish", OPTION_FLAG, AT(bool, no_finalize)},
	{JSON_OPTION("print the summary as one JSON object")},
	{"output", 'o', "FILE", "write the summary to FILE instead of standard output", OPTION_STRING,
	 AT(const char *, output)},
	{FORCE_OPTION},
	{HART_ENGINE_OPTION("engine", engine)},
	{ONE_OPERAND(image, "program", "a program is missing: " USAGE)},
};

static enum sahm_status check(struct request *r, struct sahm_err *err)
{
	const struct named_input inputs[] = {
		{"program", r->image}, {"ABI spec", r->abi}, {"signals", r->signals}, {"trust file", r->trust}};
	enum sahm_status status = check_inputs(inputs, ARRAY_SIZE(inputs), err);
	if (status != SAHM_OK)
		return status;
	if (r->given_packet_form && !r->packets)
		return sahm_fail(err, SAHM_USAGE, "--packet-format has no effect without --packets");
	if (is_same_file(r->output, r->packets))
		return sahm_fail(err, SAHM_USAGE, "--output and --packets are one file, '%s'", r->output);
	if (r->config.hit_mhz == 0)
		r->config.hit_mhz = r->config.ipu_mhz;
	return soft_request_check(&r->soft, err);
}

/* What a run needs. */
struct run {
	const struct request *request;
	struct ipu_loaded loaded;
	struct ipu_unit *unit;
	struct packet_writer packets;
};

static enum sahm_status load(struct run *run, struct sahm_err *err)
{
	const struct request *r = run->request;
	const char *const outputs[] = {r->packets, r->output};
	const struct ipu_load_request load = {.program = r->image,
					      .abi = r->abi,
					      .trust = r->trust,
					      .settings = &r->settings,
					      .soft = &r->soft,
					      .engine = r->engine,
					      .outputs = outputs,
					      .nr_outputs = ARRAY_SIZE(outputs)};
	enum sahm_status status = SAHM_OK;
	for (size_t i = 0; i < ARRAY_SIZE(outputs) && status == SAHM_OK; i++)
		status = refuse_overwriting(outputs[i], r->signals, err);
	if (status == SAHM_OK)
		status = ipu_loaded_read_abi(&run->loaded, &load, err);
	if (status == SAHM_OK && (r->given_start || r->given_stop) && !run->loaded.abi.addr)
		return sahm_fail(err, SAHM_USAGE, "--%s needs a signal that ADDR is wired to, which '%s' does not have",
				 r->given_start ? "start" : "stop", run->loaded.abi.name);
	return status == SAHM_OK ? ipu_loaded_read(&run->loaded, &load, err) : status;
}

/* Feeds all signals; *end is the cycle after the last row, up to which time can pass. */
static enum sahm_status feed(struct run *run, uint64_t *end, struct sahm_err *err)
{
	struct signal_reader *reader;
	struct signal_set set;
	bool more = true;
	enum sahm_status status = signal_reader_open(&reader, run->request->signals, &run->loaded.abi, err);
	if (status != SAHM_OK)
		return status;
	while ((status = signal_reader_set(reader, &set, &more, err)) == SAHM_OK && more) {
		status = ipu_check_time(run->unit, "the IPU", set.cycle, err);
		if (status != SAHM_OK)
			break;
		signal_set_apply(&set, run->unit);
		packet_writer_drain(&run->packets, run->unit);
	}
	/* Not every row makes a set. */
	if (signal_reader_last_cycle(reader, end))
		++*end;
	if (status == SAHM_OK)
		status = ipu_check_time(run->unit, "the IPU", *end, err);
	return signal_reader_free(reader, status, err);
}

static enum sahm_status simulate(struct run *run, struct sahm_err *err)
{
	const struct request *r = run->request;
	struct ipu_unit *u = run->unit;
	uint64_t end = 0;
	ipu_unit_configure(u, 0, run->loaded.program);
	if (r->given_start)
		ipu_unit_set_start(u, 0, r->start);
	else
		ipu_unit_resume(u, 0);
	if (r->given_stop)
		ipu_unit_set_stop(u, 0, r->stop);
	enum sahm_status status = feed(run, &end, err);
	if (status != SAHM_OK)
		return status;
	ipu_unit_advance(u, end);
	if (!r->no_finalize)
		ipu_unit_finalize(u, end);
	ipu_unit_settle(u);
	packet_writer_drain(&run->packets, u);
	return ipu_unit_check(u, err);
}

static enum sahm_status print_summary(const struct run *run, struct sahm_err *err)
{
	const struct request *r = run->request;
	struct ipu_summary summary;
	struct textbuf out;
	textbuf_init(&out);
	ipu_summary_take(&summary, run->unit, r->config.ipu_mhz, run->loaded.image);
	(r->form == OUTPUT_JSON ? ipu_summary_json : ipu_summary_text)(&summary, &out);
	bool to_stderr = !r->output && r->packets && strcmp(r->packets, "-") == 0;
	enum sahm_status status = SAHM_OK;
	if (textbuf_failed(&out))
		status = sahm_fail_nomem(err);
	else if (to_stderr)
		print_aside(&out);
	else
		status = write_output(r->output, r->force, r->form, &out, err);
	textbuf_release(&out);
	return status == SAHM_OK ? ipu_summary_check(&summary, err) : status;
}

static enum sahm_status run_image(const struct request *r, struct sahm_err *err)
{
	struct run run = {.request = r};
	struct ipu_unit_config config = r->config;
	enum sahm_status status = load(&run, err);
	config.maker = ipu_loaded_maker(&run.loaded);
	if (status == SAHM_OK)
		status = ipu_unit_new(&run.unit, &config, err);
	if (status == SAHM_OK)
		status = packet_writer_open(&run.packets, r->packets, r->force, r->packet_form, r->config.ipu_mhz, err);
	if (status == SAHM_OK) {
		status = simulate(&run, err);
		status = packet_writer_close(&run.packets, status, err);
	}
	if (status == SAHM_OK)
		status = print_summary(&run, err);
	ipu_unit_free(run.unit);
	ipu_loaded_release(&run.loaded);
	return status;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {.config = {.mismatch = IPU_EVERY, .mismatch_arg = 1}};
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK)
		status = check(&r, err);
	if (status == SAHM_OK)
		status = run_image(&r, err);
	free(r.settings.items);
	return status;
}

extern const struct command command_ipu_run;
const struct command command_ipu_run = {
	.name = "ipu run",
	.operands = "IMAGE",
	.summary = "run an introspection program on recorded signals",
	.details = "Feeds the recorded signals of a HIT (hardware introspection target) to one IPU and reports "
		   "what its program did. IMAGE is a file, or the name of a shipped program "
		   "(ipu/programs/prebuilt); a file's path contains a / or a '.'. With --trust, the image must "
		   "be signed (IMAGE.sig), and nothing runs if it is refused.\n"
		   "Signals are rows of values under a header of signal names, which the ABI spec (--abi) "
		   "defines: one row per cycle of the HIT, or, if the first column is `cycle`, one row per "
		   "change. The signals that are valid in one cycle form an input set, without levels, which always "
		   "have a value. The program's _main runs "
		   "for each set. A set that arrives while the IPU is busy is dropped and counted. `sahm ipu "
		   "signals` shows what a file contains. Signals beyond cycle 2^62 of the HIT or the IPU are "
		   "refused.\n"
		   "--soft puts a module of soft logic beside the processor, which sees the same input sets, one "
		   "in each cycle of its clock, and whose registers the program reads and writes "
		   "(docs/soft-logic.md). By default the module runs in a separate process without access to files "
		   "and network.\n"
		   "If the HIT's clock is too fast for the program, --mode chooses which sets it gets. --start "
		   "and --stop limit introspection to the time between two addresses of the observed program.\n"
		   "The host takes packets as soon as they are there; --limit and --fifo bound how fast. After "
		   "the last signal, the program's `finish` runs. If the IPU ends in ERROR (a fault, an endless "
		   "routine), the place is reported and the exit code is 1.\n"
		   "Example, which units of a GPU are active in windows of 256 cycles: sahm ipu run overlap "
		   "--abi gpu_activity --signals units.csv --hit-mhz 1400 --packets windows.csv",
	.options = options,
	.run = run,
};
