#include "results/cores/graph_report.h"

#include <ctype.h>
#include <inttypes.h>

#include "results/metrics/csv.h"
#include "results/metrics/json.h"

static double share(uint64_t part, uint64_t whole)
{
	return whole > 0 ? (double)part / (double)whole : 0;
}

void graph_report_result(const struct graph_report *r, struct textbuf *out)
{
	textbuf_printf(out, "Length: %" PRIu64 "\n", r->counts.length);
	for (unsigned i = 0; i < NR_GRAPH_CAUSES; i++)
		textbuf_printf(out, "%s cycles: %.4g%% (%" PRIu64 ")\n", graph_cause_name((enum graph_cause)i),
			       100 * share(r->counts.cycles[i], r->counts.length), r->counts.cycles[i]);
}

void graph_report_text(const struct graph_report *r, struct textbuf *out)
{
	textbuf_printf(out, "Instructions: %" PRIu64 "\nCPI: %.3f\n", r->counts.instructions,
		       share(r->counts.length, r->counts.instructions));
	graph_report_result(r, out);
	if (r->is_seeded)
		textbuf_printf(out, "Seed: %" PRIu64 " (statistical models draw from sahm's own generator)\n", r->seed);
}

/* "good_fetch_hit" */
static void key_of(enum graph_cause cause, char key[32])
{
	const char *name = graph_cause_name(cause);
	size_t len = 0;
	for (; name[len] && len < 31; len++)
		key[len] = name[len] == ' ' ? '_' : (char)tolower((unsigned char)name[len]);
	key[len] = '\0';
}

void graph_report_json(const struct graph_report *r, struct textbuf *out)
{
	struct jwriter j;
	char key[32];
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	jwrite_string(&j, "format", "sahm-core-graph/1");
	jwrite_string(&j, "trace", r->trace);
	if (r->config)
		jwrite_string(&j, "config", r->config);
	if (r->core)
		jwrite_string(&j, "core", r->core);
	jwrite_string(&j, "algorithm", graph_algorithm_name(r->algorithm));
	if (r->is_seeded)
		jwrite_u64(&j, "seed", r->seed);
	jwrite_u64(&j, "instructions", r->counts.instructions);
	jwrite_u64(&j, "length", r->counts.length);
	jwrite_double(&j, "cpi", share(r->counts.length, r->counts.instructions));
	jwrite_begin_object(&j, "cycles");
	for (unsigned i = 0; i < NR_GRAPH_CAUSES; i++) {
		key_of((enum graph_cause)i, key);
		jwrite_u64(&j, key, r->counts.cycles[i]);
	}
	jwrite_end_object(&j);
	jwrite_end_object(&j);
	jwrite_finish(&j);
}

void graph_report_csv(const struct graph_report *r, struct textbuf *out)
{
	char key[32];
	textbuf_puts(out, "trace,config,core,algorithm,seed,instructions,length,cause,cycles\n");
	for (unsigned i = 0; i < NR_GRAPH_CAUSES; i++) {
		key_of((enum graph_cause)i, key);
		csv_string(out, r->trace);
		csv_string(out, r->config ? r->config : "");
		csv_string(out, r->core ? r->core : "");
		csv_string(out, graph_algorithm_name(r->algorithm));
		if (r->is_seeded)
			csv_u64(out, r->seed);
		else
			csv_string(out, "");
		csv_u64(out, r->counts.instructions);
		csv_u64(out, r->counts.length);
		csv_string(out, key);
		csv_u64(out, r->counts.cycles[i]);
		csv_end_row(out);
	}
}
