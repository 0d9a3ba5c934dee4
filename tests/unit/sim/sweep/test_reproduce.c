/* Reproductions: the figures show the same as separate runs, upper bounds and characterisations. */
#include "sim/sweep/reproduce.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "results/metrics/run_samples.h"
#include "results/studies/claims.h"
#include "sim/engine/config/run.h"
#include "tests/unit/own_folder.h"
#include "tests/unit/test.h"
#include "workloads/trace/percentile.h"

static void must(enum sahm_status status, const struct sahm_err *err)
{
	if (status != SAHM_OK)
		fail_msg("%s", err->msg);
}

/* Ids in `ids`, or all (NULL) but budget, which takes longer than all others together. */
static void make(struct reproduction *r, const char *suite, const char *const *ids)
{
	struct reproduce_request request = {.suite = suite, .data_folder = "."};
	struct sahm_err err = {.msg = "untouched"};
	for (unsigned i = 0; i < NR_REPRODUCED; i++) {
		request.wanted[i] = !ids && i != REPRODUCED_BUDGET;
		for (const char *const *id = ids; id && *id; id++)
			request.wanted[i] |= strcmp(*id, reproduced_rows[i].id) == 0;
	}
	must(reproduce(&request, r, &err), &err);
	assert_string_equal(err.msg, "untouched");
}

/* The cell of CSV in row `row` (0: headings) and column `column`, both from 0; fields without quotes. */
static void cell(const struct textbuf *csv, unsigned row, unsigned column, char out[128])
{
	const char *at = csv->text;
	for (; row > 0; row--)
		at = strchr(at, '\n') + 1;
	for (; column > 0; column--)
		at = strchr(at, ',') + 1;
	snprintf(out, 128, "%.*s", (int)strcspn(at, ",\n"), at);
}

static double number(const struct textbuf *csv, unsigned row, unsigned column)
{
	char text[128];
	cell(csv, row, column, text);
	return *text ? strtod(text, NULL) : NAN;
}

/* All of the shipped suite: required claims hold, and only they are checked. */
static void test_synthetic(void **state)
{
	struct reproduction r;
	(void)state;
	make(&r, REPRODUCE_SUITE, NULL);
	const struct claims_shown claims = reproduction_claims(&r);
	assert_true(r.is_target);
	assert_true(claims.synthetic);
	assert_int_equal(r.nr_traces, 39);
	assert_int_equal(r.nr_synthetic, 39);
	assert_int_equal(r.nr_nominal, 0);
	assert_int_equal(claims_nr_broken(&claims), 0);
	for (unsigned c = 0; c < NR_CLAIMS; c++)
		if (r.chosen[c] != (claim_rows[c].whose == CLAIMS_PAPER || claim_rows[c].basis == CLAIMS_PREDICTED) ||
		    (r.chosen[c] && !r.results[c].known))
			fail_msg("claim %s, %s", claim_rows[c].id, claim_rows[c].text);
	assert_int_equal(r.nr_points[PAPER_REALISTIC], 27);
	assert_int_equal(r.nr_points[PAPER_BREADTH], 256);
	reproduction_release(&r);
}

/* Claims of figures 4.2 to 4.9 from the sweeps are those that traces give only by their residencies. */
static void test_agrees_with_traces(void **state)
{
	static const char *const files[] = {"cc1", "gzip", "perl", "python", "sort", "sqlite", "xz", "zstd"};
	enum { NR = ARRAY_SIZE(files) };
	struct trace *traces[NR];
	struct characterized rows[NR];
	struct cuts cuts;
	struct claim_result expected[NR_CLAIMS];
	struct reproduction r;
	struct sahm_err err;
	struct textbuf notes;
	(void)state;
	textbuf_init(&notes);
	cuts_named(DEFAULT_CUTS, &cuts);
	for (unsigned i = 0; i < NR; i++) {
		char path[64];
		snprintf(path, sizeof(path), "workloads/suites/small/%s.csv", files[i]);
		must(trace_open(path, &notes, &traces[i], &err), &err);
		rows[i] = (struct characterized){.name = files[i], .epoch_ns = trace_epoch_ns(traces[i])};
		must(characterize_trace(traces[i], &cuts, &rows[i].counts, &err), &err);
	}
	const struct characterize_study study = {rows, NR, &cuts, DEFAULT_CUTS, false};
	struct claims_input input = {.study = &study};
	must(percentile_cuts(traces, NR, 25 * PPB_PER_PCT, NR_STATES - 1, &input.p25, &err), &err);
	must(percentile_cuts(traces, NR, 50 * PPB_PER_PCT, NR_STATES - 1, &input.p50, &err), &err);
	must(claims_evaluate(&input, 1, expected, &err), &err);

	make(&r, "real", NULL);
	assert_false(r.is_target);
	assert_int_equal(r.nr_synthetic, 0);
	assert_int_equal(r.nr_nominal, r.nr_traces);
	assert_true(reproduction_claims(&r).nominal);
	for (unsigned c = 0; c < NR_CLAIMS; c++) {
		if (!r.chosen[c] || claim_rows[c].from != CLAIMS_OF_TRACES)
			continue;
		if (r.results[c].known != expected[c].known ||
		    (expected[c].known && fabs(r.results[c].ours - expected[c].ours) > 1e-9))
			fail_msg("%s, %s: %.17g instead of %.17g", claim_rows[c].id, claim_rows[c].text,
				 r.results[c].ours, expected[c].ours);
	}
	reproduction_release(&r);
	for (unsigned i = 0; i < NR; i++)
		trace_free(traces[i]);
	textbuf_release(&notes);
}

/* A bar of figure 4.10 is the run of the same configuration; and the hash of a study with one point is the run's. */
static void test_is_run(void **state)
{
	static const char *const ids[] = {"4.7", "4.10", NULL};
	static const char *const inertia_9[] = {"chip.cores[1].speedup_pct=10", "scheduler.oracle=false",
						"migration.cost_ms=9", "scheduler.inertia=5"};
	struct reproduction r;
	struct run_config config;
	struct run_result result;
	struct run_metrics m;
	struct run_samples samples;
	struct sahm_err err;
	uint8_t hash[HASH_BYTES];
	char text[128];
	(void)state;
	make(&r, REPRODUCE_SUITE, ids);
	must(run_config_load(&config, "configs/studies/paper/realistic.cfg", (const char *const *)inertia_9, 4, ".",
			     &err),
	     &err);
	must(run_execute(&config, SIM_PLAIN, &result, &err), &err);
	must(run_metrics_of(&result, &m, &err), &err);
	must(run_samples_of(&result, config.seed, &samples, &err), &err);
	run_samples_put_means(&samples, &m);
	run_samples_release(&samples);
	/* Rows are chips x settings; the second chip's seventh setting. */
	const struct textbuf *runs = &r.tables[REPRODUCED_4_10];
	cell(runs, 16, 0, text);
	assert_string_equal(text, "Branch-10 %");
	cell(runs, 16, 1, text);
	assert_string_equal(text, "Inertia+9ms");
	cell(runs, 0, 2, text);
	assert_string_equal(text, "synthetic_speedup_pct");
	assert_true(number(runs, 16, 2) == 100 * m.speedup_mean);
	assert_true(number(runs, 16, 4) == 100 * m.matched_share);
	assert_true(number(runs, 16, 6) == m.migrations_per_s);
	run_result_release(&result);
	run_config_release(&config);

	must(run_config_load(&config, "configs/studies/paper/limit.cfg", NULL, 0, ".", &err), &err);
	run_config_hash(&config, hash);
	assert_memory_equal(hash, r.hashes[PAPER_LIMIT], HASH_BYTES);
	run_config_release(&config);

	/* Parts that were not requested were not carried out. */
	assert_int_equal(r.nr_points[PAPER_BREADTH], 0);
	assert_null(r.texts[PAPER_BREADTH]);
	assert_int_equal(r.figures[REPRODUCED_4_8].script.len, 0);
	for (unsigned c = 0; c < NR_CLAIMS; c++)
		assert_int_equal(r.chosen[c],
				 strcmp(claim_rows[c].id, "4.7") == 0 || strcmp(claim_rows[c].id, "4.10") == 0);
	reproduction_release(&r);
}

/* Figure A.3 has each chip of the space once, where its cores say. */
static void test_space(void **state)
{
	static const char *const ids[] = {"4.7", "4.8", "A.3", NULL};
	struct reproduction r;
	char text[128];
	unsigned nr_rows = 0, nr_boxes = 0, median = 0;
	(void)state;
	make(&r, REPRODUCE_SUITE, ids);
	const struct textbuf *csv = &r.figures[REPRODUCED_A_3].data;
	for (const char *at = strchr(csv->text, '\n') + 1; *at; at = strchr(at, '\n') + 1)
		nr_rows++;
	for (unsigned column = 0; !median; column++) {
		cell(csv, 0, column, text);
		if (strstr(text, "median"))
			median = column;
	}
	for (unsigned row = 1; row <= nr_rows; row++)
		nr_boxes += (unsigned)!isnan(number(csv, row, median));
	assert_int_equal(nr_boxes, 255);
	assert_non_null(strstr(csv->text, "L1I 30 % + L1D 30 % + L2 30 %"));
	/* The whole space has the canonical chip as its last one: no median is above. */
	double last = number(csv, nr_rows, median);
	for (unsigned row = 1; row < nr_rows; row++)
		if (number(csv, row, median) > last)
			fail_msg("row %u is above the canonical chip", row);
	assert_true(r.results[CLAIM_SPACE_FIGURE].holds);
	reproduction_release(&r);
}

/* A suite of `nr` copies of shipped traces. */
static const char *copies(unsigned nr, char path[128])
{
	static const char *const files[] = {"cc1", "gzip", "perl", "python", "sort", "sqlite", "xz", "zstd"};
	snprintf(path, 128, "%s/%u", own_folder, nr);
	assert_int_equal(mkdir(path, 0700), 0);
	for (unsigned i = 0; i < nr; i++) {
		char command[512];
		snprintf(command, sizeof(command), "cp workloads/suites/small/%s.csv '%s/t%03u.csv'", files[i % 8],
			 path, i);
		assert_int_equal(system(command), 0);
	}
	return path;
}

/* However many traces: a core for each, and all cores busy. */
static void test_fill(void **state)
{
	static const struct {
		unsigned nr_traces, nr_cores;
	} cases[] = {{1, 39}, {3, 39}, {38, 39}, {39, 39}, {40, 78}, {79, 117}};
	static const char *const ids[] = {"4.10", NULL};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char path[128];
		struct reproduction r;
		struct run_config config;
		struct cfg_node *root;
		struct arena a;
		struct sahm_err err;
		uint32_t most = 0, least = UINT32_MAX;
		make(&r, copies(cases[i].nr_traces, path), ids);
		arena_init(&a);
		must(cfg_read_text(&a, "study.cfg", r.texts[PAPER_REALISTIC], strlen(r.texts[PAPER_REALISTIC]), &root,
				   &err),
		     &err);
		cfg_take(root, "sweep");
		must(run_config_make(&config, root, NULL, 0, ".", NULL, &err), &err);
		assert_int_equal(config.chip.nr_cores, cases[i].nr_cores);
		assert_int_equal(config.nr_threads, cases[i].nr_cores);
		assert_int_equal(config.nr_traces, cases[i].nr_traces);
		assert_int_equal(config.groups[0].count * 39, 7 * cases[i].nr_cores);
		for (uint32_t t = 0; t < config.nr_traces; t++) {
			uint32_t nr = 0;
			for (uint32_t k = 0; k < config.nr_threads; k++)
				nr += config.threads[k].trace == t;
			most = nr > most ? nr : most;
			least = nr < least ? nr : least;
		}
		assert_true(most - least <= 1);
		run_config_release(&config);
		arena_release(&a);
		reproduction_release(&r);
	}
}

/* A metric that has no value in any trace is not known; all else is. */
static void test_without_metric(void **state)
{
	static const char *const ids[] = {"t4.3", "4.5", NULL};
	char path[128], command[640];
	struct reproduction r;
	(void)state;
	snprintf(path, sizeof(path), "%s/flat", own_folder);
	snprintf(command, sizeof(command),
		 "mkdir '%s' && { grep '^#' workloads/suites/small/gzip.csv; echo "
		 "'instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses'; "
		 "printf '1000,0,0,1,10,1,5,1\\n1000,0,0,2,10,5,5,1\\n'; } >'%s/flat.csv'",
		 path, path);
	assert_int_equal(system(command), 0);
	make(&r, path, ids);
	assert_false(r.results[CLAIM_P25_BRANCH].known);
	assert_true(r.results[CLAIM_P25_L1D].known);
	assert_true(r.results[CLAIM_SAME_STATE].known);
	assert_true(isnan(number(&r.tables[REPRODUCED_T4_3], 1, 3)));
	assert_true(number(&r.tables[REPRODUCED_T4_3], 3, 3) == 20);
	reproduction_release(&r);
}

TEST_FILE(test_reproduce)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_synthetic), cmocka_unit_test(test_agrees_with_traces),
		cmocka_unit_test(test_is_run),	  cmocka_unit_test(test_space),
		cmocka_unit_test(test_fill),	  cmocka_unit_test(test_without_metric),
	};

	/* Its studies include suites. */
	if (cfg_allow_includes("configs", NULL) != SAHM_OK)
		return 1;
	return cmocka_run_group_tests(tests, make_own_folder, remove_own_folder);
}
