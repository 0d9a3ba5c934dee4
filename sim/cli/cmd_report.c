/* sahm report */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "results/metrics/metric_text.h"
#include "results/metrics/trace_words.h"
#include "results/page/page_folder.h"
#include "results/page/report.h"
#include "sim/base/companion.h"
#include "sim/base/file.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/output.h"
#include "sim/cli/overwriting.h"
#include "sim/sweep/manifest.h"

#define DEFAULT_BEST 10u
#define REPORT_ENDING ".report"

struct request {
	const char *store, *folder, *sweep, *metric;
	struct option_list where;
	uint64_t nr_best;
	bool draw, force;
};

static const struct option_row options[] = {
	{"output", 'o', "DIR",
	 "write into the folder DIR, created if missing (named like RESULTS, with " REPORT_ENDING " as "
	 "its ending)",
	 OPTION_STRING, AT(const char *, folder), .folder = true},
	{"force", 0, NULL, "replace a page that was made from other results", OPTION_FORCE, AT(bool, force)},
	{"sweep", 0, "ID", "report on the sweep with this number (the last one)", OPTION_STRING,
	 AT(const char *, sweep)},
	{"metric", 'm', "NAME", "the metric (speedup_mean)", OPTION_STRING, AT(const char *, metric)},
	{WHERE_OPTION},
	{"top", 0, "N", "number of best points to list (10)", OPTION_WHOLE, AT(uint64_t, nr_best), .least = 1,
	 .most = MAX_REPORT_BEST, .preset = DEFAULT_BEST},
	{"no-plots", 0, NULL, "write data and scripts, but draw nothing", OPTION_CLEAR, AT(bool, draw)},
	{ONE_OPERAND(store, "store", "a results database is missing: sahm report RESULTS")},
};

/* Where the report goes if nobody says: "a/b.sqlite" becomes "a/b.report". */
static void name_folder(const char *store, struct textbuf *folder)
{
	const char *base = base_name(store), *dot = strrchr(base, '.');
	size_t len = dot && dot > base ? (size_t)(dot - store) : strlen(store);
	textbuf_add(folder, store, len);
	textbuf_puts(folder, REPORT_ENDING);
}

/* The manifest beside the results database, which is read as a sweep. */
struct beside {
	struct textbuf path;
	bool is_read;
	struct sweep sweep;
	struct manifest manifest;
	struct report_input *inputs; /* of the manifest */
};

/* A manifest that is damaged, or names what is not there, is left out of the report with a warning. One that cannot be
 * read, for whatever is wrong with the machine, fails it: another call would come to another report. */
static enum sahm_status read_manifest(const char *store, struct beside *b, struct sahm_err *err)
{
	struct sahm_err why = {0};
	textbuf_printf(&b->path, "%s" MANIFEST_ENDING, store);
	struct stat st;
	if (textbuf_failed(&b->path))
		return sahm_fail_nomem(err);
	bool is_there = lstat(b->path.text, &st) == 0;
	if (!is_there && !file_is_absent(errno))
		return sahm_fail(err, SAHM_IO, "cannot look for the manifest '%s': %s", b->path.text, strerror(errno));
	if (!is_there)
		return SAHM_OK;
	/* A link could show a reader any file of ours, a pipe would keep us waiting. */
	if (!S_ISREG(st.st_mode)) {
		print_warning("the manifest is left out of the report: '%s' is not a regular file", b->path.text);
		return SAHM_OK;
	}
	const struct sweep_request request = {.config = b->path.text, .data_folder = data_folder()};
	enum sahm_status status = sweep_read(&b->sweep, &request, &why);
	if (status == SAHM_OK) {
		status = manifest_read(&b->sweep, &b->manifest, &why);
		b->inputs = status == SAHM_OK ? calloc(b->manifest.nr_inputs + 1, sizeof(*b->inputs)) : NULL;
		if (status == SAHM_OK && !b->inputs)
			status = sahm_fail_nomem(&why);
		b->is_read = status == SAHM_OK;
		if (!b->is_read)
			sweep_release(&b->sweep);
	}
	if (sahm_is_environment(status))
		return sahm_fail(err, status, "%s", why.msg);
	if (status != SAHM_OK)
		print_warning("the manifest is left out of the report: %s", why.msg);
	for (uint32_t i = 0; b->is_read && i < b->manifest.nr_inputs; i++) {
		const struct manifest_input *in = &b->manifest.inputs[i];
		b->inputs[i] = (struct report_input){in->kind, in->path, in->hash};
	}
	return SAHM_OK;
}

static void release_beside(struct beside *b)
{
	if (b->is_read)
		sweep_release(&b->sweep);
	free(b->inputs);
	textbuf_release(&b->path);
}

static enum sahm_status digest(struct store *store, const struct query *q, bool threads, char hex[HASH_HEX_BYTES],
			       struct sahm_err *err)
{
	uint8_t hash[HASH_BYTES];
	enum sahm_status status = store_digest(store, q->sweep, 0, q->nr_points, threads, hash, err);
	if (status == SAHM_OK)
		hash_hex(hash, hex);
	return status;
}

static void print_summary(const struct request *r, enum run_metric metric, const struct report_summary *s,
			  struct textbuf *out)
{
	char text[METRIC_TEXT_BYTES];
	textbuf_label(out, r->folder);
	textbuf_printf(out,
		       "/" PAGE_FILE ": %" PRIu64 " point%s, %" PRIu64 " done, %" PRIu64 " failed, %" PRIu64
		       " missing%s\n",
		       s->nr_points, s->nr_points == 1 ? "" : "s", s->nr_done, s->nr_failed, s->nr_missing,
		       trace_words_in_brackets(s->synthetic, s->nominal));
	if (!s->any)
		return;
	textbuf_printf(out, "best %s %s at point %" PRIu64 "%s", run_metric_rows[metric].name,
		       metric_text(run_metric_rows[metric].form, s->value, s->value, text), s->position,
		       *s->words ? ": " : "");
	/* Values on axes are from outside. */
	textbuf_label(out, s->words);
	textbuf_putc(out, '\n');
}

static enum sahm_status write_report(const struct request *r, enum run_metric metric, struct report *report,
				     struct sahm_err *err)
{
	struct textbuf notes, out;
	textbuf_init(&notes);
	textbuf_init(&out);
	enum sahm_status status = report_write(report, r->folder, r->force, r->draw, &notes, err);
	print_notes(&notes);
	/* The page is there even where gnuplot has failed. */
	if (status == SAHM_OK || status == SAHM_TOOL) {
		print_summary(r, metric, report_summary(report), &out);
		if (status == SAHM_OK)
			status = textbuf_failed(&out) ? sahm_fail_nomem(err) : print_output(OUTPUT_TEXT, &out, err);
		else
			print_output(OUTPUT_TEXT, &out, NULL);
	}
	textbuf_release(&notes);
	textbuf_release(&out);
	return status;
}

static enum sahm_status report(const struct request *r, struct store *store, struct query *q, struct beside *b,
			       struct sahm_err *err)
{
	char results[HASH_HEX_BYTES], threads[HASH_HEX_BYTES];
	enum run_metric metric;
	struct report *made = NULL;
	enum sahm_status status =
		r->metric ? query_metric(r->metric, &metric, err) : query_usual_metric(q, &metric, err);
	for (size_t i = 0; i < r->where.nr && status == SAHM_OK; i++)
		status = query_where(q, r->where.items[i], err);
	if (status == SAHM_OK)
		status = read_manifest(r->store, b, err);
	if (status == SAHM_OK)
		status = digest(store, q, false, results, err);
	if (status == SAHM_OK)
		status = digest(store, q, true, threads, err);
	const struct report_options o = {
		.metric = metric,
		.nr_best = r->nr_best,
		.where = r->where.items,
		.nr_where = (unsigned)r->where.nr,
		.origin = {.store = base_name(r->store),
			   .path = r->store,
			   .results = results,
			   .threads = threads,
			   .manifest = b->is_read ? base_name(b->path.text) : NULL,
			   .identity = b->is_read ? b->manifest.identity : NULL,
			   .inputs = b->inputs,
			   .nr_inputs = b->is_read ? b->manifest.nr_inputs : 0},
	};
	if (status == SAHM_OK)
		status = report_new(&made, q, &o, err);
	if (status == SAHM_OK)
		status = write_report(r, metric, made, err);
	report_free(made);
	return status;
}

static enum sahm_status ask(const struct request *r, struct sahm_err *err)
{
	struct store *store;
	struct query q;
	struct beside b = {0};
	enum sahm_status status = store_open(&store, r->store, STORE_READ, err);
	if (status != SAHM_OK)
		return status;
	textbuf_init(&b.path);
	status = query_begin(&q, store, r->store, r->sweep, err);
	if (status == SAHM_OK) {
		status = report(r, store, &q, &b, err);
	}
	release_beside(&b);
	query_release(&q);
	store_abandon(store);
	return status;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {.draw = true};
	struct textbuf folder;
	textbuf_init(&folder);
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK && !r.folder) {
		name_folder(r.store, &folder);
		r.folder = folder.text;
		status = textbuf_failed(&folder) ? sahm_fail_nomem(err) : SAHM_OK;
	}
	if (status == SAHM_OK)
		status = companion_refuse(r.folder, err);
	if (status == SAHM_OK)
		status = refuse_overwriting(r.folder, r.store, err);
	if (status == SAHM_OK)
		status = refuse_overwriting_in(r.folder, r.store, err);
	if (status == SAHM_OK)
		status = ask(&r, err);
	textbuf_release(&folder);
	free(r.where.items);
	return status;
}

extern const struct command command_report;
const struct command command_report = {
	.name = "report",
	.operands = "RESULTS",
	.summary = "make a web page with figures about a sweep",
	.details = "Writes " PAGE_FILE " and its figures into a folder: the best points, the effect of each axis, "
		   "the distribution of a metric over all points of a sweep in RESULTS, each thread over all "
		   "points, what failed or is missing, and how to repeat the sweep.\n"
		   "The page needs no network and no other program. gnuplot draws the figures; without it, the "
		   "page has none, and their data and scripts are in the folder.\n"
		   "The same results give the same page, for any number of processes. Pages mark synthetic "
		   "traces and an assumed time base.",
	.options = options,
	.run = run,
};
