/* Shared by all importers: files are read row by row, and the epochs become traces at the end. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/file.h"
#include "sim/base/zstd_stream.h"
#include "workloads/import/import_internal.h"
#include "workloads/trace/trace_csv.h"

bool import_options_transform(const struct import_options *o)
{
	return o->map || o->separator || o->group_column || o->groups != IMPORT_SUM || o->pmu || o->recording ||
	       o->cumulative || o->differences || o->keep_idle || o->no_cycles || o->by_time || o->join || o->rotate;
}

enum sahm_status import_new(const struct import_options *options, struct textbuf *notes, struct import **im,
			    struct sahm_err *err)
{
	*im = calloc(1, sizeof(**im));
	if (!*im)
		return sahm_fail_nomem(err);
	(*im)->options = options;
	(*im)->format = options->format;
	(*im)->notes = notes;
	(*im)->err = err;
	(*im)->nr_begun = 1;
	return SAHM_OK;
}

void import_free(struct import *im)
{
	if (!im)
		return;
	if (im->format && im->format->release)
		im->format->release(im);
	for (unsigned o = 0; o < im->nr_outputs; o++) {
		trace_builder_free(im->outputs[o].builder);
		free(im->outputs[o].kept);
	}
	free(im->outputs);
	arena_release(&im->arena);
	free(im);
}

/* --only names none of the groups. */
static enum sahm_status fail_group(struct import *im)
{
	struct textbuf names;
	unsigned shown = im->nr_groups < 8 ? im->nr_groups : 8;
	textbuf_init(&names);
	for (unsigned g = 0; g < shown; g++)
		textbuf_printf(&names, "%s'%.60s'", g ? ", " : "", im->groups[g].name);
	bool has_names = im->nr_groups > 1 || im->groups[0].len > 0;
	enum sahm_status status =
		sahm_fail_at(im->err, SAHM_FORMAT, im->file, 0, "--only: nothing is of '%s'%s%s%s", im->options->only,
			     has_names ? "; there are " : ": it names no CPU, thread or cgroup",
			     has_names ? names.text : "", im->nr_groups > shown ? ", ..." : "");
	textbuf_release(&names);
	return status;
}

/* Why nothing became an epoch. */
static enum sahm_status fail_empty(struct import *im)
{
	enum sahm_status status = import_fail_unresolved(im);
	if (status != SAHM_OK)
		return status;
	bool is_perf = im->format != &import_format_csv && im->format->is_counted_by_tool && im->nr_columns == 0;
	if (is_perf && im->skipped[SKIP_OTHER_RECORDING] == 0)
		return sahm_fail_at(im->err, SAHM_FORMAT, im->file, 0, "no line has a count and an event: was %s?",
				    im->format->how);
	enum import_skip worst = 0;
	for (enum import_skip s = 0; s < NR_SKIPS; s++)
		if (im->skipped[s] > im->skipped[worst])
			worst = s;
	if (im->options->recording > im->nr_recordings && im->skipped[SKIP_OTHER_RECORDING])
		return sahm_fail_at(im->err, SAHM_FORMAT, im->file, 0, "there is no recording %u, but %u in all",
				    im->options->recording, im->nr_recordings ? im->nr_recordings : 1);
	if (im->options->groups == IMPORT_ONLY && im->skipped[SKIP_OTHER_GROUP])
		return fail_group(im);
	if (im->skipped[worst] == 0)
		return sahm_fail_at(im->err, SAHM_FORMAT, im->file, 0, "there are no counts in it");
	const char *column = im->first_skipped_column[worst];
	const char *hint = worst == SKIP_NOT_SUPPORTED ? import_hint(im) : "";
	char often[48] = "";
	if (worst == SKIP_INCOMPLETE && im->skipped[worst] > 1 && !im->format->is_model && !im->options->rotate &&
	    !im->options->join)
		hint = "; rows that count different events in turn are joined by --rotate";
	if (im->skipped[worst] > 1)
		snprintf(often, sizeof(often), " (first of %llu)", (unsigned long long)im->skipped[worst]);
	return sahm_fail_at(im->err, SAHM_FORMAT, im->first_skipped_file[worst], im->first_skipped_line[worst],
			    "no usable row: %s%s%.60s%s%s%s", import_skip_text(worst), column ? " ('" : "",
			    column ? column : "", column ? "')" : "", often, hint);
}

/* A second trace, without cycles. */
static enum sahm_status drop_cycles(struct import *im, const struct provenance *p, struct trace **trace)
{
	struct epoch_counts batch[64];
	struct trace *source = *trace;
	struct trace_builder *b = trace_builder_new(false);
	enum sahm_status status = b ? SAHM_OK : sahm_fail_nomem(im->err);
	uint64_t length = trace_nr_epochs(source);
	*trace = NULL;
	for (uint64_t first = 0; first < length && status == SAHM_OK; first += 64) {
		uint64_t nr = length - first < 64 ? length - first : 64;
		status = trace_read(source, first, nr, batch, im->err);
		for (uint64_t i = 0; i < nr && status == SAHM_OK; i++) {
			batch[i].count[COUNTER_CYCLES] = 0;
			status = trace_builder_add(b, &batch[i], im->err);
		}
	}
	if (status == SAHM_OK)
		status = trace_builder_finish(b, im->file, import_epoch_ns(im), p, trace, im->err);
	trace_builder_free(b);
	trace_free(source);
	return status;
}

static enum sahm_status finish_output(struct import *im, struct output *out, struct trace **trace)
{
	struct provenance p = im->provenance;
	bool drops_cycles = out->has_cycles && out->nr_cycleless > 0;
	provenance_override(&p, &im->options->provenance);
	enum sahm_status status = import_end_epochs(im, out);
	out->has_cycles &= !drops_cycles;
	if (status == SAHM_OK)
		status = import_say_events(im, &p, out);
	const char *suffix = out->group ? out->group->name : "";
	/* Who gives a name means this one CPU. */
	if (im->options->groups == IMPORT_ONLY && !im->options->provenance.text[PROVENANCE_NAME])
		suffix = im->options->only;
	if (status == SAHM_OK)
		status = provenance_name_after(&p, &im->arena, im->file, suffix, im->err);
	if (status == SAHM_OK)
		status = trace_builder_finish(out->builder, im->file, import_epoch_ns(im), &p, trace, im->err);
	return status == SAHM_OK && drops_cycles ? drop_cycles(im, &p, trace) : status;
}

static enum sahm_status finish(struct import *im, struct trace ***traces, size_t *nr_traces)
{
	*nr_traces = 0;
	*traces = calloc(im->nr_outputs + 1, sizeof(struct trace *));
	enum sahm_status status = *traces ? SAHM_OK : sahm_fail_nomem(im->err);
	for (unsigned o = 0; o < im->nr_outputs && status == SAHM_OK; o++) {
		struct output *out = &im->outputs[o];
		import_end_rotation(im, out);
		if (out->nr_epochs == 0 && out->room_ns == 0) {
			if (out->group && im->notes)
				textbuf_printf(im->notes, "%s: nothing becomes an epoch of '%.60s'\n", im->file,
					       out->group->name);
			continue;
		}
		status = finish_output(im, out, &(*traces)[*nr_traces]);
		*nr_traces += status == SAHM_OK;
	}
	if (status == SAHM_OK && *nr_traces == 0)
		status = fail_empty(im);
	if (status == SAHM_OK) {
		import_report(im, true);
		return SAHM_OK;
	}
	for (size_t i = 0; *traces && i < *nr_traces; i++)
		trace_free((*traces)[i]);
	free(*traces);
	*traces = NULL;
	*nr_traces = 0;
	return status;
}

/* Our own form needs nothing of all this. */
static enum sahm_status read_ours(struct import *im, struct trace ***traces, size_t *nr_traces)
{
	const struct csv_options csv = {.epoch_ns = im->options->epoch_ns, .provenance = im->options->provenance};
	*traces = calloc(1, sizeof(struct trace *));
	if (!*traces)
		return sahm_fail_nomem(im->err);
	enum sahm_status status = trace_csv_read_lines(&im->lines, &csv, im->notes, *traces, im->err);
	if (status == SAHM_OK)
		*nr_traces = 1;
	else
		free(*traces);
	if (status != SAHM_OK)
		*traces = NULL;
	return status;
}

/* Chooses the reader, unless the user did. */
static enum sahm_status choose_format(struct import *im, const char *head, size_t len)
{
	if (len == 0)
		return sahm_fail_at(im->err, SAHM_FORMAT, im->file, 0, "the file is empty");
	enum sahm_status status = import_check_bytes(im, head, len);
	if (status != SAHM_OK || im->format)
		return status;
	const struct import_format *format = import_detect(head, len, import_options_transform(im->options));
	/* Rows of numbers can look like perf's. */
	if ((format == &import_format_csv || format == &import_format_perf_csv) && !import_names_counters(head, len))
		status = import_check_lines(im, head, len);
	if (status != SAHM_OK)
		return status;
	im->format = format;
	if (im->options->guessed)
		*im->options->guessed = format;
	return SAHM_OK;
}

enum sahm_status import_read_stream(struct import *im, FILE *in, const char *file, bool *ours, struct trace ***traces,
				    size_t *nr_traces)
{
	const char *head;
	size_t len;
	struct zstd_reader *r = zstd_reader_new(in, file);
	if (!r)
		return sahm_fail_nomem(im->err);
	im->file = file;
	enum sahm_status status = line_reader_init(&im->lines, zstd_reader_stream(r), file, im->err);
	if (status == SAHM_OK)
		status = line_reader_head(&im->lines, &head, &len, im->err);
	if (status == SAHM_OK)
		status = choose_format(im, head, len);
	if (status == SAHM_OK && im->format == &import_format_sahm) {
		*ours = true;
		status = read_ours(im, traces, nr_traces);
	} else if (status == SAHM_OK) {
		im->nr_recordings = 0;
		/* Another file is another recording, of which times and running totals restart. */
		if (im->options->rotate && im->nr_rows > 0)
			status = import_begin_recording(im, NULL);
		if (status == SAHM_OK)
			status = import_collect_names(im);
		if (status == SAHM_OK)
			status = im->format->read(im);
		if (status == SAHM_OK)
			status = import_end_row(im, false, 0);
	}
	line_reader_release(&im->lines);
	return zstd_reader_free(r, status, im->err);
}

enum sahm_status import_read_file(struct import *im, const char *file, bool *ours, struct trace ***traces,
				  size_t *nr_traces)
{
	bool from_stdin = strcmp(file, "-") == 0;
	FILE *in = from_stdin ? stdin : fopen(file, "r");
	if (!in)
		return sahm_fail(im->err, SAHM_IO, "cannot open '%s': %s", file, strerror(errno));
	enum sahm_status status = import_read_stream(im, in, file_label(file), ours, traces, nr_traces);
	if (!from_stdin)
		fclose(in);
	return status;
}

/* Work after the last file. */
static enum sahm_status end_files(struct import *im)
{
	enum sahm_status status = SAHM_OK;
	if (im->format->end)
		status = im->format->end(im);
	if (status == SAHM_OK && im->format->is_counted_by_tool)
		status = import_say(im, PROVENANCE_SOURCE, "recorded");
	im->intervals.are_exact |= im->format->is_model;
	intervals_decide(&im->intervals);
	return status;
}

enum sahm_status import_complete(struct import *im, struct trace ***traces, size_t *nr_traces)
{
	enum sahm_status status = end_files(im);
	for (unsigned t = 0; t < NR_TARGETS && status == SAHM_OK && im->nr_columns > 0; t++)
		status = import_check_map(im, t);
	return status == SAHM_OK ? finish(im, traces, nr_traces) : status;
}

enum sahm_status import_read_run(const char *file, const struct import_options *options, struct textbuf *notes,
				 struct import **im, struct sahm_err *err)
{
	struct trace **traces = NULL;
	size_t nr_traces = 0;
	bool ours = false;
	enum sahm_status status = import_new(options, notes, im, err);
	if (status == SAHM_OK)
		status = import_read_file(*im, file, &ours, &traces, &nr_traces);
	if (status == SAHM_OK)
		status = end_files(*im);
	if (status == SAHM_OK && ((*im)->nr_outputs == 0 || (*im)->outputs[0].nr_kept == 0))
		status = fail_empty(*im);
	return status;
}
