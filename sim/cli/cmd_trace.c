/* sahm trace import, export, info */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "results/json.h"
#include "sim/base/file.h"
#include "sim/base/number.h"
#include "sim/base/units.h"
#include "sim/cli/command.h"
#include "sim/cli/output.h"
#include "workloads/trace_csv.h"

enum { IMPORT_OUTPUT, IMPORT_EPOCH, IMPORT_PROVENANCE };

static const struct option_row import_options[] = {
	[IMPORT_OUTPUT] = {"output", 'o', "FILE",
			   "write the binary trace to FILE (default: NAME.trc in the current folder)"},
	[IMPORT_EPOCH] = {"epoch-ms", 'e', "MS",
			  "length of an epoch, in ms of baseline time (default: as FILE says, or 100)"},
	[IMPORT_PROVENANCE] =
		{"provenance", 'p', "KEY=VALUE",
		 "say where the trace comes from; can be repeated (name, source, program, tool, machine, date, "
		 "epoch, licence, note, event.<counter>)"},
	{0},
};

enum { EXPORT_OUTPUT };

static const struct option_row export_options[] = {
	[EXPORT_OUTPUT] = {"output", 'o', "FILE", "write to FILE instead of standard output"},
	{0},
};

enum { INFO_JSON };

static const struct option_row info_options[] = {
	[INFO_JSON] = {"json", 0, NULL, "print one JSON array"},
	{0},
};

struct import_request {
	const char *input, *output;
	struct csv_options csv;
	struct arena arena;
};

static enum sahm_status set_epoch(struct import_request *r, const char *text, struct sahm_err *err)
{
	double ms, min = ms_of_ns(MIN_EPOCH_NS), max = ms_of_ns(MAX_EPOCH_NS);
	if (number_read_double(text, &ms) != NUMBER_OK || ms < min || ms > max)
		return sahm_fail(err, SAHM_USAGE, "--epoch-ms is '%s', must be a number from %.10g to %.10g", text, min,
				 max);
	r->csv.epoch_ns = ns_of_ms(ms);
	return SAHM_OK;
}

static enum sahm_status set_provenance(struct import_request *r, const char *text, struct sahm_err *err)
{
	struct sahm_err cause;
	const char *eq = strchr(text, '=');
	if (!eq)
		return sahm_fail(err, SAHM_USAGE, "--provenance '%s': written as KEY=VALUE", text);
	if (provenance_set(&r->csv.provenance, &r->arena, text, (size_t)(eq - text), eq + 1, &cause) != SAHM_OK)
		return sahm_fail(err, cause.status == SAHM_NOMEM ? SAHM_NOMEM : SAHM_USAGE, "--provenance: %s",
				 cause.msg);
	return SAHM_OK;
}

static enum sahm_status parse_import(char **args, struct import_request *r, struct sahm_err *err)
{
	struct option_walk w;
	enum sahm_status status = SAHM_OK;
	option_walk_init(&w, import_options, args);
	while (status == SAHM_OK) {
		switch (option_walk_next(&w, err)) {
		case OPTION_END:
			return r->input ? SAHM_OK
					: sahm_fail(err, SAHM_USAGE, "a file is missing: sahm trace import FILE");
		case OPTION_ERROR:
			return SAHM_USAGE;
		case OPTION_OPERAND:
			if (r->input)
				return sahm_fail(err, SAHM_USAGE, "one file at a time: '%s' is too many", w.value);
			r->input = w.value;
			break;
		case IMPORT_OUTPUT:
			r->output = w.value;
			break;
		case IMPORT_EPOCH:
			status = set_epoch(r, w.value, err);
			break;
		default:
			status = set_provenance(r, w.value, err);
		}
	}
	return status;
}

static enum sahm_status read_csv(const struct import_request *r, struct trace **trace, struct sahm_err *err)
{
	struct textbuf notes;
	bool from_stdin = strcmp(r->input, "-") == 0;
	FILE *in = from_stdin ? stdin : fopen(r->input, "r");
	if (!in)
		return sahm_fail(err, SAHM_IO, "cannot open '%s': %s", r->input, strerror(errno));
	textbuf_init(&notes);
	enum sahm_status status = trace_csv_read(in, file_label(r->input), &r->csv, &notes, trace, err);
	if (status == SAHM_OK) {
		print_notes(&notes);
		if (!trace_provenance(*trace)->text[PROVENANCE_SOURCE])
			print_warning("it is not said whether the trace is recorded or synthetic (-p source=recorded)");
	}
	textbuf_release(&notes);
	if (!from_stdin)
		fclose(in);
	return status;
}

/* A file name from the trace's name: nothing in it may lead to another folder. */
static void default_output(const struct trace *trace, struct textbuf *path)
{
	for (const char *p = trace_name(trace); *p; p++)
		textbuf_putc(path, *p == '/' || (*p == '.' && path->len == 0) ? '_' : *p);
	textbuf_puts(path, ".trc");
}

static enum sahm_status write_binary(const struct trace *trace, const char *path, struct sahm_err *err)
{
	struct atomic_file f;
	if (strcmp(path, "-") == 0) {
		trace_write_binary(trace, stdout);
		return SAHM_OK; /* whether it went well is seen at the end */
	}
	enum sahm_status status = atomic_file_open(&f, path, err);
	if (status != SAHM_OK)
		return status;
	trace_write_binary(trace, f.stream);
	return atomic_file_commit(&f, err);
}

static enum sahm_status run_import(char **args, struct sahm_err *err)
{
	struct import_request r = {0};
	struct trace *trace = NULL;
	struct textbuf path;
	textbuf_init(&path);
	enum sahm_status status = parse_import(args, &r, err);
	if (status == SAHM_OK)
		status = read_csv(&r, &trace, err);
	if (status != SAHM_OK)
		goto out;
	if (!r.output) {
		default_output(trace, &path);
		r.output = path.text;
	}
	status = textbuf_failed(&path) ? sahm_fail_nomem(err) : write_binary(trace, r.output, err);
	if (status == SAHM_OK)
		fprintf(stderr, "%s: %" PRIu64 " epoch%s of %g ms, %zu bytes\n", r.output, trace_nr_epochs(trace),
			trace_nr_epochs(trace) == 1 ? "" : "s", ms_of_ns(trace_epoch_ns(trace)),
			trace_image_bytes(trace));
out:
	textbuf_release(&path);
	trace_free(trace);
	arena_release(&r.arena);
	return status;
}

static enum sahm_status run_export(char **args, struct sahm_err *err)
{
	const char *input = NULL, *output = NULL;
	struct option_walk w;
	struct trace *trace;
	int option;
	option_walk_init(&w, export_options, args);
	while ((option = option_walk_next(&w, err)) != OPTION_END) {
		if (option == OPTION_ERROR)
			return SAHM_USAGE;
		if (option == OPTION_OPERAND && input)
			return sahm_fail(err, SAHM_USAGE, "one trace at a time: '%s' is too many", w.value);
		*(option == OPTION_OPERAND ? &input : &output) = w.value;
	}
	if (!input)
		return sahm_fail(err, SAHM_USAGE, "a trace is missing: sahm trace export TRACE");
	enum sahm_status status = open_trace(input, &trace, err);
	if (status != SAHM_OK)
		return status;
	/* A damaged block is found before anything is written: a pipe must not get half a trace. */
	status = trace_verify(trace, err);
	if (status == SAHM_OK && (!output || strcmp(output, "-") == 0)) {
		status = trace_write_csv(trace, stdout, err);
	} else if (status == SAHM_OK) {
		struct atomic_file f;
		status = atomic_file_open(&f, output, err);
		if (status == SAHM_OK) {
			status = trace_write_csv(trace, f.stream, err);
			if (status == SAHM_OK)
				status = atomic_file_commit(&f, err);
			else
				atomic_file_abort(&f);
		}
	}
	trace_free(trace);
	return status;
}

static void info_text(const struct trace *trace, struct textbuf *out)
{
	char hash[HASH_HEX_BYTES];
	const struct provenance *p = trace_provenance(trace);
	uint64_t length_ns = trace_nr_epochs(trace) * trace_epoch_ns(trace);
	hash_hex(trace_hash(trace), hash);
	size_t heading = out->len;
	textbuf_puts(out, trace_file(trace));
	clean_text(out->text + heading);
	textbuf_putc(out, '\n');
	textbuf_printf(out, "  epochs: %" PRIu64 " of %g ms (%g s)\n  cycles: %s\n  content hash: %s\n",
		       trace_nr_epochs(trace), ms_of_ns(trace_epoch_ns(trace)), (double)length_ns / (double)NS_PER_S,
		       trace_has_cycles(trace) ? "known" : "not known", hash);
	textbuf_printf(out, "  size in binary form: %zu bytes, %.1f per epoch; all blocks intact\n",
		       trace_image_bytes(trace), (double)trace_image_bytes(trace) / (double)trace_nr_epochs(trace));
	provenance_write(p, "  ", out);
	if (!p->text[PROVENANCE_SOURCE])
		textbuf_puts(out, "  source: not known\n");
	if (strcmp(trace_name(trace), p->text[PROVENANCE_NAME]) != 0)
		textbuf_printf(out, "  name in results: %s\n", trace_name(trace));
}

static void info_json(const struct trace *trace, struct jwriter *j)
{
	char hash[HASH_HEX_BYTES];
	const struct provenance *p = trace_provenance(trace);
	hash_hex(trace_hash(trace), hash);
	jwrite_begin_object(j, NULL);
	jwrite_string(j, "file", trace_file(trace));
	jwrite_string(j, "name", trace_name(trace));
	jwrite_u64(j, "epochs", trace_nr_epochs(trace));
	jwrite_u64(j, "epoch_ns", trace_epoch_ns(trace));
	jwrite_bool(j, "cycles", trace_has_cycles(trace));
	jwrite_bool(j, "synthetic", provenance_is_synthetic(p));
	jwrite_string(j, "content_hash", hash);
	jwrite_begin_object(j, "provenance");
	for (int i = 0; i < NR_PROVENANCE_KEYS; i++)
		if (p->text[i])
			jwrite_string(j, provenance_key_name((enum provenance_key)i), p->text[i]);
	jwrite_begin_object(j, "events");
	for (int i = 0; i < NR_COUNTERS; i++)
		if (p->event[i])
			jwrite_string(j, counter_rows[i].name, p->event[i]);
	jwrite_end_object(j);
	jwrite_end_object(j);
	jwrite_end_object(j);
}

static enum sahm_status run_info(char **args, struct sahm_err *err)
{
	struct option_walk w;
	struct textbuf out;
	struct jwriter j;
	bool as_json = false;
	unsigned nr_traces = 0;
	int option;
	/* Options may stand behind operands, so they are read first. */
	option_walk_init(&w, info_options, args);
	while ((option = option_walk_next(&w, err)) != OPTION_END) {
		if (option == OPTION_ERROR)
			return SAHM_USAGE;
		as_json |= option == INFO_JSON;
		nr_traces += option == OPTION_OPERAND;
	}
	if (nr_traces == 0)
		return sahm_fail(err, SAHM_USAGE, "a trace is missing: sahm trace info TRACE...");
	enum sahm_status status = SAHM_OK;
	textbuf_init(&out);
	jwrite_init(&j, &out);
	if (as_json)
		jwrite_begin_array(&j, NULL, false);
	option_walk_init(&w, info_options, args);
	while (status == SAHM_OK && (option = option_walk_next(&w, err)) != OPTION_END) {
		struct trace *trace;
		if (option != OPTION_OPERAND)
			continue;
		status = open_trace(w.value, &trace, err);
		if (status != SAHM_OK)
			break;
		status = trace_verify(trace, err);
		if (status == SAHM_OK && as_json)
			info_json(trace, &j);
		else if (status == SAHM_OK)
			info_text(trace, &out);
		trace_free(trace);
	}
	if (as_json) {
		jwrite_end_array(&j);
		jwrite_finish(&j);
	}
	if (status == SAHM_OK)
		status = textbuf_failed(&out) ? sahm_fail_nomem(err) : write_output(NULL, &out, err);
	textbuf_release(&out);
	return status;
}

extern const struct command command_trace_import, command_trace_export, command_trace_info;

const struct command command_trace_import = {
	.name = "trace import",
	.operands = "FILE",
	.summary = "turn a CSV file of counters into a binary trace",
	.details = "FILE (- is standard input) has a header row that names the counters, in any order, and a row per "
		   "epoch; "
		   "other columns are passed over with a warning. Needed: instructions, branches, branch_misses, "
		   "l1i_misses, "
		   "l1d_accesses, l1d_misses, l2_accesses, l2_misses; cycles may be there too.",
	.options = import_options,
	.run = run_import,
};

const struct command command_trace_export = {
	.name = "trace export",
	.operands = "TRACE",
	.summary = "write a trace as CSV, with all that is known of its origin",
	.details = "",
	.options = export_options,
	.run = run_export,
};

const struct command command_trace_info = {
	.name = "trace info",
	.operands = "TRACE...",
	.summary = "show what traces are and where they come from, and verify their checksums",
	.details = "",
	.options = info_options,
	.run = run_info,
};
