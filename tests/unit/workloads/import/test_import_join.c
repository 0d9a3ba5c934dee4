/* Joining runs of one program by cumulative instructions. The counts are made up (synthetic). */
#include <unistd.h>

#include "tests/unit/workloads/import/import_cases.h"

#define FIRST_COLUMNS "instructions,branches,branch-misses,L1-icache-load-misses\n"
#define SECOND_COLUMNS "instructions,L1-dcache-loads,L1-dcache-load-misses,l2_accesses,l2_misses\n"

/* Writes texts to files and joins them. */
static void join(const char *const *texts, size_t nr, const struct import_map *map, struct imported *r)
{
	char paths[4][64];
	const char *files[4];
	struct import_options options = {.join = true, .map = map};
	for (size_t i = 0; i < nr; i++) {
		snprintf(paths[i], sizeof(paths[i]), "/tmp/sahm-join-%zu-XXXXXX", i);
		int fd = mkstemp(paths[i]);
		assert_true(fd >= 0);
		assert_int_equal(write(fd, texts[i], strlen(texts[i])), strlen(texts[i]));
		close(fd);
		files[i] = paths[i];
	}
	*r = (struct imported){.err = untouched};
	textbuf_init(&r->notes);
	r->status = trace_import(files, nr, &options, &r->notes, &r->traces, &r->nr, &r->err);
	for (size_t i = 0; i < nr; i++)
		unlink(paths[i]);
}

static void check_join(const char *first, const char *second, const char *want, const char *in_message)
{
	struct imported r;
	join((const char *const[]){first, second}, 2, NULL, &r);
	if (want) {
		if (r.status != SAHM_OK)
			fail_msg("%s", r.err.msg);
		char *rows = rows_of(r.traces[0]);
		assert_string_equal(rows, want);
		free(rows);
	} else {
		assert_int_equal(r.status, SAHM_FORMAT);
	}
	if (in_message && !strstr(want ? r.notes.text : r.err.msg, in_message))
		fail_msg("'%s' is not in '%s'", in_message, want ? r.notes.text : r.err.msg);
	imported_release(&r);
}

static void test_cases(void **state)
{
	(void)state;
	/* The same intervals: as if all had been counted at once. */
	check_join(FIRST_COLUMNS "100,20,2,1\n300,60,6,3\n", SECOND_COLUMNS "100,40,4,5,1\n300,90,9,7,2\n",
		   "100,20,2,1,40,4,5,1\n300,60,6,3,90,9,7,2\n", NULL);
	/* Others: shared out by instructions. */
	check_join(FIRST_COLUMNS "100,20,2,1\n300,60,6,3\n", SECOND_COLUMNS "200,80,8,10,2\n200,40,4,4,0\n",
		   "100,20,2,1,40,4,5,1\n300,60,6,3,80,8,9,1\n", NULL);
	/* A row without instructions is a point: here at the end of the first epoch. */
	check_join(FIRST_COLUMNS "100,20,2,1\n300,60,6,3\n", SECOND_COLUMNS "100,1,0,0,0\n0,7,7,0,0\n300,2,0,0,0\n",
		   "100,20,2,1,8,7,0,0\n300,60,6,3,2,0,0,0\n", NULL);
	/* And at the very end. */
	check_join(FIRST_COLUMNS "400,20,2,1\n", SECOND_COLUMNS "400,1,0,0,0\n0,7,7,0,0\n", "400,20,2,1,8,7,0,0\n",
		   NULL);
	/* A longer run is stretched, its totals kept; both sides of what is worth a word, and of what is too much. */
	check_join(FIRST_COLUMNS "100,20,2,1\n100,20,2,1\n", SECOND_COLUMNS "101,50,0,0,0\n101,50,0,0,0\n",
		   "100,20,2,1,50,0,0,0\n100,20,2,1,50,0,0,0\n", NULL);
	check_join(FIRST_COLUMNS "100,20,2,1\n100,20,2,1\n", SECOND_COLUMNS "110,50,0,0,0\n110,51,0,0,0\n",
		   "100,20,2,1,50,0,0,0\n100,20,2,1,51,0,0,0\n", "10.0 % more instructions");
	check_join(FIRST_COLUMNS "100,20,2,1\n100,20,2,1\n", SECOND_COLUMNS "110,50,0,0,0\n111,51,0,0,0\n", NULL,
		   "10.5 % more instructions than");
	check_join(FIRST_COLUMNS "100,20,2,1\n", SECOND_COLUMNS "90,50,0,0,0\n", "100,20,2,1,50,0,0,0\n",
		   "10.0 % fewer instructions");
	check_join(FIRST_COLUMNS "100,20,2,1\n", "L1-dcache-loads\n5\n", NULL, "no event stands for 'instructions'");
	check_join(FIRST_COLUMNS "100,20,2,1\n", FIRST_COLUMNS "100,20,2,1\n", NULL,
		   "no event of any file stands for 'l1d_accesses'");
	/* Both events of a ratio come from one run, where one has both. */
	check_join("instructions,branches,L1-icache-load-misses\n100,9,1\n",
		   "instructions,branches,branch-misses,L1-dcache-loads,L1-dcache-load-misses,l2_accesses,l2_misses\n"
		   "100,20,2,5,4,3,2\n",
		   "100,20,2,1,5,4,3,2\n", NULL);
	/* Misses counted in another run than what they are part of; an epoch in which they exceed it is skipped. */
	check_join("instructions,branches,L1-icache-load-misses\n100,9,1\n100,1,1\n",
		   "instructions,branch-misses,L1-dcache-loads,L1-dcache-load-misses,l2_accesses,l2_misses\n"
		   "100,2,5,4,3,2\n100,2,5,4,3,2\n",
		   "100,9,2,1,5,4,3,2\n", "a part exceeds its whole");
	/* A row that lacks an event keeps its place: overlapping rows are skipped, and nothing else moves. */
	check_join(FIRST_COLUMNS "100,20,2,1\n100,20,,1\n100,30,3,2\n",
		   SECOND_COLUMNS "100,50,0,0,0\n100,60,0,0,0\n100,70,0,0,0\n",
		   "100,20,2,1,50,0,0,0\n100,30,3,2,70,0,0,0\n", "1 row skipped: a count is blank ('branch-misses')");
	check_join(FIRST_COLUMNS "100,20,2,1\n100,20,2,1\n100,30,3,2\n100,40,4,3\n",
		   SECOND_COLUMNS "150,50,0,0,0\n150,<not counted>,0,0,0\n100,70,0,0,0\n",
		   "100,20,2,1,33,0,0,0\n100,40,4,3,70,0,0,0\n", "2 rows skipped: another run has no counts there");
	/* An event that only appears later in the file. */
	check_join("0.100000000,100,,instructions,1,100.00,,\n0.200000000,100,,instructions,1,100.00,,\n"
		   "0.200000000,20,,branches,1,100.00,,\n0.200000000,2,,branch-misses,1,100.00,,\n"
		   "0.200000000,1,,L1-icache-load-misses,1,100.00,,\n0.300000000,100,,instructions,1,100.00,,\n"
		   "0.300000000,30,,branches,1,100.00,,\n0.300000000,3,,branch-misses,1,100.00,,\n"
		   "0.300000000,2,,L1-icache-load-misses,1,100.00,,\n",
		   SECOND_COLUMNS "100,50,0,0,0\n100,60,0,0,0\n100,70,0,0,0\n",
		   "100,20,2,1,60,0,0,0\n100,30,3,2,70,0,0,0\n", NULL);
	/* Cycles need not be there in every row. */
	check_join("cycles," FIRST_COLUMNS "7,100,20,2,1\n,100,20,2,1\n", SECOND_COLUMNS "200,50,0,0,0\n",
		   "100,20,2,1,25,0,0,0\n100,20,2,1,25,0,0,0\n", "cycles are left out");
	check_join("cycles," FIRST_COLUMNS "7,100,20,2,1\n8,100,20,2,1\n", SECOND_COLUMNS "200,50,0,0,0\n",
		   "100,20,2,1,25,0,0,0,7\n100,20,2,1,25,0,0,0,8\n", NULL);
	/* The file that gives a counter that several have is reported. */
	check_join(FIRST_COLUMNS "100,20,2,1\n",
		   "instructions,branches,L1-dcache-loads,L1-dcache-load-misses,l2_accesses,l2_misses\n"
		   "100,21,5,4,3,2\n",
		   "100,20,2,1,5,4,3,2\n", "branches are taken from this file, 2 have them");
}

static void test_assumed(void **state)
{
	(void)state;
	struct import_map *map = import_map_new();
	struct imported r;
	const char *const texts[] = {FIRST_COLUMNS "100,20,2,1\n",
				     "instructions,L1-dcache-loads,L1-dcache-load-misses\n100,5,4\n"};
	assert_int_equal(import_map_assume(map, "l2_accesses=3", NULL), SAHM_OK);
	assert_int_equal(import_map_assume(map, "l2_misses=0", NULL), SAHM_OK);
	join(texts, 2, map, &r);
	assert_int_equal(r.status, SAHM_OK);
	char *rows = rows_of(r.traces[0]);
	assert_string_equal(rows, "100,20,2,1,5,4,3,0\n");
	assert_string_equal(trace_provenance(r.traces[0])->event[COUNTER_L2_ACCESSES], "3 an epoch, assumed");
	assert_string_equal(trace_provenance(r.traces[0])->event[COUNTER_L1D_ACCESSES], "L1-dcache-loads");
	free(rows);
	imported_release(&r);
	/* The same where the event is there, but not supported. */
	const char *const unsupported[] = {FIRST_COLUMNS "100,20,2,1\n",
					   "instructions,L1-dcache-loads,L1-dcache-load-misses,l2_accesses,l2_misses\n"
					   "100,5,4,<not supported>,<not supported>\n"};
	join(unsupported, 2, map, &r);
	assert_int_equal(r.status, SAHM_OK);
	rows = rows_of(r.traces[0]);
	assert_string_equal(rows, "100,20,2,1,5,4,3,0\n");
	free(rows);
	imported_release(&r);
	import_map_free(map);
}

/* Whatever the intervals of the second run: every total is kept, and no part exceeds its whole. */
static void test_totals(void **state)
{
	(void)state;
	uint64_t seed = 11;
	for (int round = 0; round < 100; round++) {
		struct textbuf texts[2];
		uint64_t in[2][4] = {{0}}, instructions[2] = {0}, sum[NR_COUNTERS] = {0};
		for (int f = 0; f < 2; f++) {
			textbuf_init(&texts[f]);
			textbuf_puts(&texts[f], f ? SECOND_COLUMNS : FIRST_COLUMNS);
			while (instructions[f] < 100000) {
				seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
				uint64_t step = seed >> 50, left = 100000 - instructions[f], whole = seed >> 40 & 0xff;
				uint64_t v[4] = {whole, (seed >> 30 & 0xff) % (whole + 1), seed >> 20 & 0xf, 0};
				v[3] = v[2] / 2;
				step = step < left ? step : left;
				instructions[f] += step;
				textbuf_printf(&texts[f], "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, step, v[0],
					       v[1], v[2]);
				if (f)
					textbuf_printf(&texts[f], ",%" PRIu64, v[3]);
				textbuf_putc(&texts[f], '\n');
				for (int k = 0; k < 4; k++)
					in[f][k] += v[k];
			}
		}
		struct imported r;
		join((const char *const[]){texts[0].text, texts[1].text}, 2, NULL, &r);
		assert_int_equal(r.status, SAHM_OK);
		for (uint64_t i = 0; i < trace_nr_epochs(r.traces[0]); i++) {
			struct epoch_counts e;
			enum counter c;
			assert_int_equal(trace_read(r.traces[0], i, 1, &e, NULL), SAHM_OK);
			assert_false(counters_contradict(&e, &c));
			for (int k = 0; k < NR_COUNTERS; k++)
				sum[k] += e.count[k];
		}
		assert_int_equal(sum[COUNTER_BRANCHES], in[0][0]);
		assert_int_equal(sum[COUNTER_BRANCH_MISSES], in[0][1]);
		assert_int_equal(sum[COUNTER_L1D_ACCESSES], in[1][0]);
		assert_int_equal(sum[COUNTER_L1D_MISSES], in[1][1]);
		assert_int_equal(sum[COUNTER_L2_ACCESSES], in[1][2]);
		assert_int_equal(sum[COUNTER_L2_MISSES], in[1][3]);
		imported_release(&r);
		textbuf_release(&texts[0]);
		textbuf_release(&texts[1]);
	}
}

TEST_FILE(test_import_join)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_assumed),
		cmocka_unit_test(test_totals),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
