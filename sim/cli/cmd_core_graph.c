/* sahm core graph: the published dependence graph, of Calipers' text traces or of streams. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cores/uarch/graph/graph_text.h"
#include "results/cores/graph_feed.h"
#include "results/cores/graph_report.h"
#include "sim/base/file.h"
#include "sim/base/unpacked.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/core_request.h"
#include "sim/cli/output.h"
#include "sim/cli/overwriting.h"

struct request {
	enum output_form form;
	const char *trace, *config, *core, *result;
	struct settings settings;
	unsigned algorithm;	  /* enum graph_algorithm */
	const char *of_algorithm; /* NULL: the usual one of the core */
	uint64_t seed;
	bool prints_config, force;
};

/* In the order of enum graph_algorithm. */
static const char *const algorithm_words[] = {"inorder", "sliding_exact", "two_pass", NULL};

static const struct option_row options[] = {
	{"config", 'c', "FILE", "Calipers' configuration of the core; a stream needs none: it is made from --core",
	 OPTION_STRING, AT(const char *, config)},
	{"core", 0, "NAME|FILE",
	 "TRACE is a stream, whose costs and mispredictions are those of this core (sahm core list), or of a file with "
	 "the same keys",
	 OPTION_STRING, AT(const char *, core)},
	{SET_OPTION("change a value of --core, such as rob=256; can be repeated")},
	{"algorithm", 0, "NAME",
	 "how slots, queues and units are taken: inorder, of in-order cores; sliding_exact (the default) or two_pass, of "
	 "out-of-order ones",
	 OPTION_CHOICE, AT(unsigned, algorithm), .what = "algorithm", .words = algorithm_words, NOTE(of_algorithm)},
	{"seed", 0, "N", "what statistical models of caches and predictors draw from (1)", OPTION_WHOLE,
	 AT(uint64_t, seed), .most = UINT64_MAX, .preset = 1},
	{"result", 0, "FILE", "also write length and cycles to FILE, as the released program names them", OPTION_STRING,
	 AT(const char *, result), .written = true},
	{"print-config", 0, NULL, "print the configuration instead, as a file of Calipers: of a core, the closest one",
	 OPTION_FLAG, AT(bool, prints_config)},
	{JSON_OPTION("print one JSON object")},
	{CSV_OPTION("print CSV, a row per cause")},
	{FORCE_OPTION},
	{NULL, 0, NULL, NULL, OPTION_STRING, AT(const char *, trace), .what = "trace"},
};

/* ---- Configurations ---- */

static enum sahm_status read_config(const char *path, struct graph_config *c, struct sahm_err *err)
{
	FILE *stream = fopen(path, "r");
	if (!stream)
		return sahm_fail(err, SAHM_IO, "cannot open '%s': %s", path, strerror(errno));
	enum sahm_status status = graph_config_read(stream, path, c, err);
	fclose(stream);
	return status;
}

/* ---- Text ---- */

static void warn_of(const char *trace, const struct graph_text_note *n, const char *what)
{
	if (n->nr > 0)
		print_warning("%s:%" PRIu64 ": %s (%" PRIu64 " in all)", trace, n->line, what, n->nr);
}

static void warn_of_word(const char *trace, const struct graph_text_note *n, const char *what)
{
	if (n->nr > 0)
		print_warning("%s:%" PRIu64 ": '%s' %s (%" PRIu64 " in all)", trace, n->line, n->word, what, n->nr);
}

static void warn(const char *trace, const struct graph_text_notes *n)
{
	warn_of(trace, &n->ignored, "a line that the configuration does not ask for is ignored");
	warn_of(trace, &n->no_cycles, "an access without a line '@M TICKS' takes 1 cycle");
	warn_of(trace, &n->not_branch, "an instruction that is no branch is mispredicted");
	warn_of_word(trace, &n->no_register,
		     "is no register that Calipers knows (ra, sp, a0, fs1, ...), and is ignored");
	warn_of_word(trace, &n->carriage_return,
		     "is ignored, as Calipers does before a line end CR LF: remove the CRs (tr -d '\\r')");
}

static enum sahm_status add_text(struct graph_text *t, struct graph *g, struct sahm_err *err)
{
	struct graph_insn insn;
	bool more = true;
	enum sahm_status status = graph_text_next(t, &insn, &more, err);
	while (status == SAHM_OK && more) {
		status = graph_add(g, &insn, err);
		if (status == SAHM_OK)
			status = graph_text_next(t, &insn, &more, err);
	}
	return status;
}

/* Returns `status`, unless the trace is a stream, which is no text. */
static enum sahm_status explain_stream(const char *trace, enum sahm_status status, struct sahm_err *err)
{
	struct stream *s = NULL;
	if (open_stream(trace, &s, NULL) != SAHM_OK)
		return status;
	stream_free(s);
	return sahm_fail(err, SAHM_USAGE, "'%s' is a stream, whose core is missing: --core NAME", trace);
}

static enum sahm_status run_text(const struct request *r, const struct graph_config *c, struct graph *g,
				 struct graph_counts *counts, struct sahm_err *err)
{
	struct unpacked file;
	struct graph_text *text = NULL;
	const char *label = file_label(r->trace);
	enum sahm_status status = unpacked_open(r->trace, &file, err);
	if (status != SAHM_OK)
		return status;
	status = graph_text_open(file.stream, label, c, &text, err);
	if (status == SAHM_OK)
		status = add_text(text, g, err);
	status = unpacked_close(&file, status, err);
	if (status == SAHM_FORMAT)
		status = explain_stream(r->trace, status, err);
	if (status == SAHM_OK)
		status = graph_finish(g, counts, err);
	if (status == SAHM_OK && counts->instructions == 0)
		status = sahm_fail(err, SAHM_FORMAT, "%s: no instructions ('@I PC DISASSEMBLY')", label);
	if (status == SAHM_OK)
		warn(label, graph_text_notes(text));
	graph_text_close(text);
	return status;
}

/* ---- Streams ---- */

static enum sahm_status take_batch(void *ctx, unsigned core, const struct uop_batch *batch,
				   const struct uop_stamps *stamps, struct sahm_err *err)
{
	(void)core;
	(void)stamps;
	return graph_feed_batch(ctx, batch, err);
}

static enum sahm_status run_stream(const struct request *r, const struct core_model *model, struct graph *g,
				   struct graph_counts *counts, struct sahm_err *err)
{
	struct graph_feed feed = {.timing = &model->timing, .graph = g};
	const struct core_observer observer = {.ctx = &feed, .batch = take_batch};
	const struct stream_sampling all = {0};
	struct core_counts *timed = calloc(1, sizeof(*timed));
	struct stream *s = NULL;
	enum sahm_status status = timed ? open_stream(r->trace, &s, err) : sahm_fail_nomem(err);
	if (status == SAHM_OK)
		status = core_run(s, &model, 1, LANES_SCALAR, &all, &observer, timed, err);
	if (status == SAHM_OK)
		status = graph_finish(g, counts, err);
	if (status == SAHM_OK)
		counts->instructions = timed->timing.instructions;
	stream_free(s);
	free(timed);
	return status;
}

/* ---- The command ---- */

static enum sahm_status print(const struct request *r, const struct graph_report *report, struct sahm_err *err)
{
	struct textbuf out, result;
	textbuf_init(&out);
	textbuf_init(&result);
	if (r->form == OUTPUT_JSON)
		graph_report_json(report, &out);
	else if (r->form == OUTPUT_CSV)
		graph_report_csv(report, &out);
	else
		graph_report_text(report, &out);
	graph_report_result(report, &result);
	enum sahm_status status = textbuf_failed(&out) || textbuf_failed(&result) ? sahm_fail_nomem(err) : SAHM_OK;
	if (status == SAHM_OK && r->result)
		status = write_output(r->result, r->force, OUTPUT_TEXT, &result, err);
	if (status == SAHM_OK)
		status = print_output(r->form, &out, err);
	textbuf_release(&result);
	textbuf_release(&out);
	return status;
}

static enum sahm_status print_config(const struct graph_config *c, struct sahm_err *err)
{
	struct textbuf out;
	textbuf_init(&out);
	graph_config_write(c, &out);
	enum sahm_status status = textbuf_failed(&out) ? sahm_fail_nomem(err) : print_output(OUTPUT_TEXT, &out, err);
	textbuf_release(&out);
	return status;
}

static enum sahm_status run_graph(const struct request *r, const struct graph_config *c, const struct core_model *model,
				  struct sahm_err *err)
{
	enum graph_algorithm algorithm = r->of_algorithm	     ? (enum graph_algorithm)r->algorithm
					 : c->core == GRAPH_IN_ORDER ? GRAPH_ONE_PASS
								     : GRAPH_SLIDING_EXACT;
	struct graph_report report = {.trace = file_label(r->trace),
				      .config = r->config,
				      .core = r->core,
				      .algorithm = algorithm,
				      .seed = r->seed,
				      .is_seeded = c->predictor == GRAPH_STATISTICAL ||
						   c->icache.source == GRAPH_STATISTICAL ||
						   c->dcache.source == GRAPH_STATISTICAL};
	struct graph *g = NULL;
	enum sahm_status status = graph_new(c, algorithm, r->seed, &g, err);
	if (status == SAHM_OK)
		status =
			r->core ? run_stream(r, model, g, &report.counts, err) : run_text(r, c, g, &report.counts, err);
	if (status == SAHM_OK)
		status = print(r, &report, err);
	graph_free(g);
	return status;
}

static enum sahm_status check(const struct request *r, struct sahm_err *err)
{
	if (!r->config && !r->core)
		return sahm_fail(
			err, SAHM_USAGE,
			"a configuration is missing: sahm core graph --config FILE TRACE (of a stream: --core NAME)");
	if (r->settings.list.nr > 0 && !r->core)
		return sahm_fail(err, SAHM_USAGE, "--set changes --core, which is not given");
	if (!r->trace && !r->prints_config)
		return sahm_fail(err, SAHM_USAGE, "a trace is missing: sahm core graph --config FILE TRACE");
	if (r->trace && r->prints_config)
		return sahm_fail(err, SAHM_USAGE, "--print-config takes no trace");
	if (r->prints_config && (r->form != OUTPUT_TEXT || r->result))
		return sahm_fail(err, SAHM_USAGE, "--print-config has but one form, and no result");
	enum sahm_status status = refuse_overwriting(r->result, r->trace, err);
	if (status == SAHM_OK)
		status = refuse_overwriting(r->result, r->config, err);
	if (status == SAHM_OK)
		status = refuse_overwriting(r->result, r->core, err);
	return status == SAHM_OK ? try_output(r->result, r->force, err) : status;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {0};
	struct graph_config c;
	const char *cut = NULL;
	struct core_model *model = calloc(1, sizeof(*model));
	enum sahm_status status = model ? options_parse(options, args, &r, err) : sahm_fail_nomem(err);
	if (status == SAHM_OK)
		status = check(&r, err);
	if (status == SAHM_OK && r.core)
		status = core_request_model(r.core, &r.settings.list, model, err);
	if (status == SAHM_OK && r.config)
		status = read_config(r.config, &c, err);
	else if (status == SAHM_OK)
		cut = graph_feed_config(&model->timing, &c);
	if (cut)
		print_warning("%s: the core has a larger %s than a graph can have, which is cut", r.core, cut);
	if (status == SAHM_OK)
		status = r.prints_config ? print_config(&c, err) : run_graph(&r, &c, model, err);
	settings_release(&r.settings);
	free(model);
	return status;
}

extern const struct command command_core_graph;
const struct command command_core_graph = {
	.name = "core graph",
	.operands = "TRACE",
	.summary = "compute the published dependence graph of Calipers, from its text traces and configurations",
	.details =
		"Prints the length of the longest path, in cycles, and its cycles by cause. TRACE is Calipers' text, which may "
		"be compressed by gzip or xz, or with --core a stream. Lengths are those of the released program, wherever "
		"all costs are in the trace (TraceB, TraceC); statistical models draw from a generator of our own.\n"
		"sliding_exact orders instructions by lengths that take into account all that was scheduled before; two_pass "
		"by lengths without slots, queues and units.\n"
		"docs/critical-path.md describes keys and text, and says when to use which model.",
	.options = options,
	.run = run,
};
