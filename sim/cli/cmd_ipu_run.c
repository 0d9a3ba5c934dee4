/* sahm ipu run */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ipu/unit/load.h"
#include "ipu/unit/mode.h"
#include "ipu/unit/signals.h"
#include "ipu/unit/time_limit.h"
#include "sim/cli/command.h"
#include "sim/cli/ipu_packets.h"
#include "sim/cli/ipu_request.h"
#include "sim/cli/ipu_summary.h"
#include "sim/cli/option_words.h"
#include "sim/cli/output.h"

enum {
	OPT_ABI,
	OPT_SIGNALS,
	OPT_TRUST,
	OPT_SET,
	OPT_HIT_MHZ,
	OPT_IPU_MHZ,
	OPT_MODE,
	OPT_START,
	OPT_STOP,
	OPT_FIFO,
	OPT_LIMIT,
	OPT_MAX_CYCLES,
	OPT_PACKETS,
	OPT_PACKET_FORM,
	OPT_FINALIZE,
	OPT_NO_FINALIZE,
	OPT_JSON,
	OPT_ENGINE
};

static const struct option_row options[] = {
	[OPT_ABI] = {"abi", 0, "SPEC", "ABI spec of the HIT: a path, or the name of one that comes with the program"},
	[OPT_SIGNALS] = {"signals", 0, "FILE",
			 "recorded signals, CSV or binary, compressed or not; '-' is standard "
			 "input"},
	[OPT_TRUST] = {"trust", 0, "FILE", ipu_trust_help},
	[OPT_SET] = {"set", 0, "SYMBOL=VALUE",
		     "set data of the program before power-on, SYMBOL[INDEX]=VALUE an "
		     "element of it; can be given several times"},
	[OPT_HIT_MHZ] = {"hit-mhz", 0, "MHZ", "clock of the HIT; else that of the IPU, or what the signals say"},
	[OPT_IPU_MHZ] = {"ipu-mhz", 0, "MHZ", "clock of the IPU; else 2000"},
	[OPT_MODE] = {"mode", 0, "MODE",
		      "which input sets to take where the HIT is faster: every (as many as can be; "
		      "this unless told otherwise), sub-sample=K (the first of every K), window=N "
		      "(N in a row, by way of a fast buffer), phases=MHZ (while the HIT's clock is "
		      "at most this)"},
	[OPT_START] = {"start", 0, "ADDRESS",
		       "be active from the cycle on in which the ABI's addr is ADDRESS (TS); "
		       "else at once"},
	[OPT_STOP] = {"stop", 0, "ADDRESS", "be active up to the cycle in which the ABI's addr is ADDRESS (TE)"},
	[OPT_FIFO] = {"fifo", 0, "SIZE",
		      "size of the FIFO for packets, each of which takes 16 bytes more than it "
		      "has; else 128K"},
	[OPT_LIMIT] = {"limit", 0, "BYTES_PER_S", "bandwidth to the host, 1 to 10^15; else there is no limit"},
	[OPT_MAX_CYCLES] = {"max-cycles", 0, "N",
			    "a routine that takes more than N cycles of the IPU, 1 to 10^15, is an "
			    "error; else 100,000,000"},
	[OPT_PACKETS] = {"packets", 0, "FILE",
			 "write packets to FILE; '-' is standard output, and the summary then "
			 "goes to standard error"},
	[OPT_PACKET_FORM] = {"packet-format", 0, "FORM",
			     "how: csv (a row each, with its time; this unless told "
			     "otherwise), hex (a line each), binary (the bytes alone)"},
	[OPT_FINALIZE] = {"finalize", 0, NULL,
			  "run the program's finish at the end of the signals, which is done "
			  "unless told otherwise"},
	[OPT_NO_FINALIZE] = {"no-finalize", 0, NULL, "do not"},
	[OPT_JSON] = {"json", 0, NULL, "print the summary as one JSON object"},
	[OPT_ENGINE] = {"engine", 0, "NAME", hart_engine_help},
	{0},
};

struct request {
	const char *image, *abi, *signals, *trust, *packets;
	const char **settings;
	size_t nr_settings;
	struct ipu_unit_config config;
	bool has_start, has_stop, no_finalize, as_json, has_packet_form;
	uint64_t start, stop;
	enum packet_form packet_form;
	enum hart_engine engine;
};

static enum sahm_status set_mode(struct ipu_unit_config *c, const char *text, struct sahm_err *err)
{
	struct ipu_mode mode;
	enum sahm_status status = ipu_mode_read(text, "--", &mode, err);
	if (status != SAHM_OK)
		return status;
	c->mismatch = mode.mismatch;
	c->mismatch_arg = mode.arg;
	return SAHM_OK;
}

const char *const packet_form_words[] = {
	[PACKETS_CSV] = "csv", [PACKETS_HEX] = "hex", [PACKETS_BINARY] = "binary", NULL};

static enum sahm_status set_packet_form(struct request *r, const char *text, struct sahm_err *err)
{
	unsigned which = 0;
	enum sahm_status status = read_choice("packet format", text, packet_form_words, &which, err);
	r->packet_form = (enum packet_form)which;
	r->has_packet_form = true;
	return status;
}

static enum sahm_status set_u32(int option, const char *text, uint32_t min, uint32_t max, uint32_t *to,
				struct sahm_err *err)
{
	uint64_t value = 0;
	enum sahm_status status = read_option_number(options[option].name, text, min, max, &value, err);
	*to = (uint32_t)value;
	return status;
}

static enum sahm_status set_number(struct request *r, int option, const char *v, struct sahm_err *err)
{
	const char *name = options[option].name;
	switch (option) {
	case OPT_HIT_MHZ:
		return set_u32(option, v, IPU_MIN_MHZ, IPU_MAX_MHZ, &r->config.hit_mhz, err);
	case OPT_IPU_MHZ:
		return set_u32(option, v, IPU_MIN_MHZ, IPU_MAX_MHZ, &r->config.ipu_mhz, err);
	case OPT_FIFO:
		return set_u32(option, v, IPU_PACKET_HEADER_BYTES, INT32_MAX, &r->config.fifo_bytes, err);
	case OPT_START:
		r->has_start = true;
		return read_option_number(name, v, 0, UINT64_MAX, &r->start, err);
	case OPT_STOP:
		r->has_stop = true;
		return read_option_number(name, v, 0, UINT64_MAX, &r->stop, err);
	case OPT_LIMIT:
		return read_option_number(name, v, 1, IPU_MOST_BYTES_PER_S, &r->config.max_bytes_per_s, err);
	default:
		return read_option_number(name, v, 1, IPU_MOST_ROUTINE_CYCLES, &r->config.max_cycles, err);
	}
}

static enum sahm_status set_option(struct request *r, int option, const char *value, struct sahm_err *err)
{
	switch (option) {
	case OPT_ABI:
		r->abi = value;
		return SAHM_OK;
	case OPT_SIGNALS:
		r->signals = value;
		return SAHM_OK;
	case OPT_SET:
		r->settings[r->nr_settings++] = value;
		return SAHM_OK;
	case OPT_TRUST:
		r->trust = value;
		return SAHM_OK;
	case OPT_MODE:
		return set_mode(&r->config, value, err);
	case OPT_PACKETS:
		r->packets = value;
		return SAHM_OK;
	case OPT_PACKET_FORM:
		return set_packet_form(r, value, err);
	case OPT_FINALIZE:
	case OPT_NO_FINALIZE:
		r->no_finalize = option == OPT_NO_FINALIZE;
		return SAHM_OK;
	case OPT_JSON:
		r->as_json = true;
		return SAHM_OK;
	case OPT_ENGINE:
		return read_hart_engine(value, &r->engine, err);
	case OPTION_OPERAND:
		if (r->image)
			return sahm_fail(err, SAHM_USAGE, "one program at a time: '%s' is too many", value);
		r->image = value;
		return SAHM_OK;
	default:
		return set_number(r, option, value, err);
	}
}

static enum sahm_status parse(char **args, struct request *r, struct sahm_err *err)
{
	struct option_walk w;
	int option;
	option_walk_init(&w, options, args);
	while ((option = option_walk_next(&w, err)) != OPTION_END) {
		enum sahm_status status = option == OPTION_ERROR ? SAHM_USAGE : set_option(r, option, w.value, err);
		if (status != SAHM_OK)
			return status;
	}
	static const char usage[] = "sahm ipu run IMAGE --abi SPEC --signals FILE";
	if (!r->image)
		return sahm_fail(err, SAHM_USAGE, "a program is missing: %s", usage);
	if (!r->abi)
		return sahm_fail(err, SAHM_USAGE, "--abi is missing: %s", usage);
	if (!r->signals)
		return sahm_fail(err, SAHM_USAGE, "--signals is missing: %s", usage);
	const struct named_input inputs[] = {
		{"program", r->image}, {"ABI spec", r->abi}, {"signals", r->signals}, {"trust file", r->trust}};
	enum sahm_status status = check_inputs(inputs, sizeof(inputs) / sizeof(inputs[0]), err);
	if (status != SAHM_OK)
		return status;
	if (r->has_packet_form && !r->packets)
		return sahm_fail(err, SAHM_USAGE, "--packet-format says nothing without --packets");
	if (r->config.hit_mhz == 0)
		r->config.hit_mhz = r->config.ipu_mhz;
	return SAHM_OK;
}

/* What a run needs. */
struct run {
	const struct request *request;
	struct arena arena;
	struct abi abi;
	struct ipu_program *program;
	struct elf_image *image; /* for the names of places */
	char *bytes;
	struct trust *trust; /* NULL: everybody is trusted */
	struct ipu_unit *unit;
	struct packet_writer packets;
};

/* Fails when the packets would take the place of `path`, something that is read. */
static enum sahm_status keep(const struct request *r, const char *path, struct sahm_err *err)
{
	/* Of outputs, "-" is no file. */
	if (!r->packets || strcmp(r->packets, "-") == 0 || !is_same_file(r->packets, path))
		return SAHM_OK;
	return sahm_fail(err, SAHM_USAGE, "--packets would replace what is read, '%s'", r->packets);
}

static enum sahm_status load(struct run *run, struct sahm_err *err)
{
	const struct request *r = run->request;
	char path[IPU_PATH_BYTES];
	size_t nr_bytes;
	enum sahm_status status = keep(r, r->signals, err);
	if (status == SAHM_OK)
		status = find_ipu_abi(r->abi, path, err);
	if (status == SAHM_OK)
		status = keep(r, path, err);
	if (status == SAHM_OK)
		status = abi_read(&run->arena, path, &run->abi, err);
	if (status != SAHM_OK)
		return status;
	if ((r->has_start || r->has_stop) && !run->abi.addr)
		return sahm_fail(err, SAHM_USAGE, "--%s needs a signal that ADDR is wired to, which '%s' does not have",
				 r->has_start ? "start" : "stop", run->abi.name);
	status = find_ipu_program(r->image, path, err);
	if (status == SAHM_OK)
		status = keep(r, path, err);
	if (status == SAHM_OK)
		status = file_read(path, IPU_MAX_IMAGE_BYTES, &run->bytes, &nr_bytes, err);
	/* Before anything looks into it. */
	if (status == SAHM_OK)
		status = read_ipu_trust(r->trust, &run->trust, err);
	if (status == SAHM_OK)
		status = trust_check_file(run->trust, path, run->bytes, nr_bytes, run->abi.name, err);
	const char *label = arena_strdup(&run->arena, file_label(path));
	if (status == SAHM_OK && !label)
		status = sahm_fail_nomem(err);
	if (status == SAHM_OK)
		status = ipu_load(&run->program, label, run->bytes, nr_bytes, &run->abi, r->settings, r->nr_settings,
				  err);
	if (status == SAHM_OK && r->engine == HART_INTERP)
		ipu_program_interpret(run->program);
	if (status == SAHM_OK)
		status = elf_image_new(&run->image, label, run->bytes, nr_bytes, err);
	return status;
}

/* All signals go in; the cycle behind the last row, to which time can pass, is *end. */
static enum sahm_status feed(struct run *run, uint64_t *end, struct sahm_err *err)
{
	struct signal_reader *reader;
	struct signal_set set;
	bool more = true;
	enum sahm_status status = signal_reader_open(&reader, run->request->signals, &run->abi, err);
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
	ipu_unit_configure(u, 0, run->program);
	if (r->has_start)
		ipu_unit_set_start(u, 0, r->start);
	else
		ipu_unit_resume(u, 0);
	if (r->has_stop)
		ipu_unit_set_stop(u, 0, r->stop);
	enum sahm_status status = feed(run, &end, err);
	if (status != SAHM_OK)
		return status;
	ipu_unit_advance(u, end);
	if (!r->no_finalize)
		ipu_unit_finalize(u, end);
	ipu_unit_settle(u);
	packet_writer_drain(&run->packets, u);
	return SAHM_OK;
}

static enum sahm_status print_summary(const struct run *run, struct sahm_err *err)
{
	const struct request *r = run->request;
	struct ipu_summary summary;
	struct textbuf out;
	textbuf_init(&out);
	ipu_summary_take(&summary, run->unit, r->config.ipu_mhz, run->image);
	(r->as_json ? ipu_summary_json : ipu_summary_text)(&summary, &out);
	bool to_stderr = r->packets && strcmp(r->packets, "-") == 0;
	enum sahm_status status = SAHM_OK;
	if (textbuf_failed(&out))
		status = sahm_fail_nomem(err);
	else if (to_stderr)
		fputs(out.text, stderr);
	else
		status = write_output(NULL, &out, err);
	textbuf_release(&out);
	return status == SAHM_OK ? ipu_summary_check(&summary, err) : status;
}

static enum sahm_status run_image(const struct request *r, struct sahm_err *err)
{
	struct run run = {.request = r};
	enum sahm_status status = load(&run, err);
	if (status == SAHM_OK)
		status = ipu_unit_new(&run.unit, &r->config, err);
	if (status == SAHM_OK)
		status = packet_writer_open(&run.packets, r->packets, r->packet_form, r->config.ipu_mhz, err);
	if (status == SAHM_OK) {
		status = simulate(&run, err);
		status = packet_writer_close(&run.packets, status, err);
	}
	if (status == SAHM_OK)
		status = print_summary(&run, err);
	ipu_unit_free(run.unit);
	ipu_program_free(run.program);
	elf_image_free(run.image);
	trust_free(run.trust);
	free(run.bytes);
	arena_release(&run.arena);
	return status;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {.config = {.ipu_mhz = IPU_DEFAULT_MHZ,
				       .mismatch = IPU_EVERY,
				       .mismatch_arg = 1,
				       .max_cycles = IPU_DEFAULT_MAX_CYCLES,
				       .fifo_bytes = IPU_DEFAULT_FIFO_BYTES},
			    .engine = DEFAULT_HART_ENGINE};
	size_t nr_args = 0;
	while (args[nr_args])
		nr_args++;
	r.settings = calloc(nr_args + 1, sizeof(*r.settings));
	if (!r.settings)
		return sahm_fail_nomem(err);
	enum sahm_status status = parse(args, &r, err);
	if (status == SAHM_OK)
		status = run_image(&r, err);
	free(r.settings);
	return status;
}

extern const struct command command_ipu_run;
const struct command command_ipu_run = {
	.name = "ipu run",
	.operands = "IMAGE",
	.summary = "run an introspection program on recorded signals",
	.details =
		"Lets one IPU watch the signals of a HIT (hardware introspection target) as they were recorded, and "
		"tells what came of it. IMAGE is a program for the IPU: a path, or the name of one that comes with "
		"sahm (ipu/programs/prebuilt); a path has a / or a . in it. With --trust it must be signed "
		"(IMAGE.sig), and nothing runs when it is refused.\n"
		"Signals are rows of values under a heading with their names, which --abi knows: a row for each cycle "
		"of the HIT, or, with a first column `cycle`, one for each change. All signals that are valid in one "
		"cycle are an input set; the program's _main runs for it, unless the IPU is still busy with the one "
		"before: then it is dropped, and counted. `sahm ipu signals` shows what a file holds. Time ends where "
		"the clock of HIT or IPU comes to 2^62 cycles: signals that go on longer are refused.\n"
		"Where the HIT's clock is faster than the program can follow, --mode says which sets to take. --start "
		"and --stop bound introspection to where the program under observation is between two addresses.\n"
		"The host takes packets as soon as they are there; --limit and --fifo say what it can take. At the end "
		"of the signals the program's `finish` runs. An IPU in ERROR (fault, endless routine) is told with its "
		"place, and makes the exit code 1.\n"
		"Which units of a GPU are active, in windows of 256 cycles, for instance: sahm ipu run overlap --abi "
		"gpu_activity --signals units.csv --hit-mhz 1400 --packets windows.csv",
	.options = options,
	.run = run,
};
