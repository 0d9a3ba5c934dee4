/* sahm trace export, info */
#include <inttypes.h>
#include <string.h>

#include "results/metrics/origins_json.h"
#include "results/metrics/trace_words.h"
#include "sim/base/clean.h"
#include "sim/base/units.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/info_command.h"
#include "sim/cli/output.h"
#include "sim/cli/overwriting.h"
#include "workloads/trace/trace_csv.h"

struct request {
	const char *input, *output;
	bool force;
};

static const struct option_row export_options[] = {
	{"output", 'o', "FILE",
	 "write to FILE instead of standard output; with .zst, compressed, and then binary unless it "
	 "ends in .csv.zst",
	 OPTION_STRING, AT(const char *, output)},
	{FORCE_OPTION},
	{ONE_OPERAND(input, "trace", "a trace is missing: sahm trace export TRACE")},
};

static enum sahm_status run_export(char **args, struct sahm_err *err)
{
	struct request r = {0};
	struct trace *trace;
	enum sahm_status status = options_parse(export_options, args, &r, err);
	if (status == SAHM_OK)
		status = refuse_overwriting(r.output, r.input, err);
	if (status == SAHM_OK)
		status = open_trace(r.input, &trace, err);
	if (status != SAHM_OK)
		return status;
	/* A damaged block is found before anything is written: a pipe must not get half a trace. */
	status = trace_verify(trace, err);
	if (status == SAHM_OK && (!r.output || strcmp(r.output, "-") == 0))
		status = trace_write_csv(trace, data_output(), err);
	else if (status == SAHM_OK)
		status = write_trace_file(r.output, r.force, trace,
					  is_csv_path(r.output) || !is_compressed_path(r.output), err);
	trace_free(trace);
	return status;
}

static void info_text(const struct trace *trace, struct textbuf *out)
{
	char hash[HASH_HEX_BYTES];
	const struct provenance *p = trace_provenance(trace);
	uint64_t length_ns = trace_nr_epochs(trace) * trace_epoch_ns(trace);
	hash_hex(trace_hash(trace), hash);
	textbuf_label(out, trace_file(trace));
	textbuf_putc(out, '\n');
	textbuf_printf(out, "  epochs: %" PRIu64 " of %g ms (%g s)\n  cycles: %s\n  content hash: %s\n",
		       trace_nr_epochs(trace), ms_of_ns(trace_epoch_ns(trace)), (double)length_ns / (double)NS_PER_S,
		       trace_has_cycles(trace) ? "known" : "not known", hash);
	textbuf_printf(out, "  size in binary form: %zu bytes, %.1f per epoch; all blocks intact\n",
		       trace_image_bytes(trace), (double)trace_image_bytes(trace) / (double)trace_nr_epochs(trace));
	const struct trace_origins origins = {.origins = provenance_origins(p)};
	trace_words_list_origins(&origins, 1, "  counts: ", out);
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
	jwrite_bool(j, "nominal_time", provenance_is_nominal(p));
	origins_write_json(provenance_origins(p), j);
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

static enum sahm_status info_one(const char *path, struct jwriter *j, struct textbuf *out, struct sahm_err *err)
{
	struct trace *trace;
	enum sahm_status status = open_trace(path, &trace, err);
	if (status != SAHM_OK)
		return status;
	status = trace_verify(trace, err);
	if (status == SAHM_OK && j)
		info_json(trace, j);
	else if (status == SAHM_OK)
		info_text(trace, out);
	trace_free(trace);
	return status;
}

static enum sahm_status run_info(char **args, struct sahm_err *err)
{
	return info_run(args, "a trace is missing: sahm trace info TRACE...", info_one, err);
}

extern const struct command command_trace_export, command_trace_info;

const struct command command_trace_export = {
	.name = "trace export",
	.operands = "TRACE",
	.summary = "write a trace as CSV, with its origin",
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
