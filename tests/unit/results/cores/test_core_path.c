/* Critical paths as they are reported: instructions and edges with the most cycles, causes of several cores, sums. */
#include "results/cores/core_path.h"

#include <stdlib.h>
#include <string.h>

#include "results/cores/core_path_internal.h"
#include "tests/helper/random.h"
#include "tests/unit/test.h"

/* ---- Instructions and edges ---- */

/* Edges from 1 have 50 + 30 + 20 + 20 cycles, of four causes; from 2: 60 + 60 of one; from 3: 7. */
static const struct path_edge some[] = {
	{2, 1, PATH_DATA_L2, 60, 6}, {2, 3, PATH_DATA_L2, 60, 5}, {1, 2, PATH_BTB, 50, 4},   {1, 1, PATH_ROB, 30, 3},
	{1, 3, PATH_BUS, 20, 2},     {1, 2, PATH_ITLB, 20, 2},	  {3, 3, PATH_COMMIT, 7, 1},
};

static void test_tops(void **state)
{
	(void)state;
	const struct path_edges edges = {.nr = ARRAY_SIZE(some), .list = some};
	struct path_tops t;
	struct sahm_err err;
	assert_int_equal(path_tops_take(&t, &edges, 10, &err), SAHM_OK);
	assert_int_equal(t.nr_edges, ARRAY_SIZE(some));
	assert_int_equal(t.edges[2].from.pc, 1);
	assert_int_equal(t.edges[2].to.pc, 2);
	assert_int_equal(t.edges[2].cause, PATH_BTB);
	assert_int_equal(t.edges[2].cycles, 50);
	assert_int_equal(t.edges[2].times, 4);
	assert_int_equal(t.nr_instructions, 3);
	/* 1 and 2 have equally many cycles. */
	assert_int_equal(t.instructions[0].place.pc, 1);
	assert_int_equal(t.instructions[0].cycles, 120);
	assert_int_equal(t.instructions[0].nr_causes, NR_MAIN_CAUSES);
	assert_int_equal(t.instructions[0].causes[0], PATH_BTB);
	assert_int_equal(t.instructions[0].of_cause[0], 50);
	assert_int_equal(t.instructions[0].causes[1], PATH_ROB);
	assert_int_equal(t.instructions[0].causes[2], PATH_ITLB);
	assert_int_equal(t.instructions[0].of_cause[2], 20);
	assert_int_equal(t.instructions[1].place.pc, 2);
	assert_int_equal(t.instructions[1].nr_causes, 1);
	assert_int_equal(t.instructions[1].of_cause[0], 120);
	assert_int_equal(t.instructions[2].cycles, 7);
	assert_null(t.instructions[2].place.file);
	assert_false(t.is_part);
	path_tops_release(&t);
	assert_int_equal(path_tops_take(&t, &edges, 2, &err), SAHM_OK);
	assert_int_equal(t.nr_edges, 2);
	assert_int_equal(t.nr_instructions, 2);
	assert_int_equal(t.instructions[1].place.pc, 2);
	path_tops_release(&t);
	const struct path_edges none = {.is_part = true};
	assert_int_equal(path_tops_take(&t, &none, 2, &err), SAHM_OK);
	assert_int_equal(t.nr_edges + t.nr_instructions, 0);
	assert_true(t.is_part);
	path_tops_release(&t);
}

/* Random edges: each instruction's causes, counted one by one. */
static void test_random_tops(void **state)
{
	(void)state;
	enum { NR = 400, NR_PCS = 9, NR_CAUSES = 6 };
	for (unsigned round = 0; round < 20; round++) {
		uint64_t rng = random_of_index(33, round), sums[NR_PCS][NR_CAUSES] = {{0}};
		struct path_edge list[NR];
		struct path_tops t;
		struct sahm_err err;
		for (unsigned i = 0; i < NR; i++) {
			list[i] = (struct path_edge){between(&rng, 0, NR_PCS - 1), i,
						     (uint32_t)between(&rng, 0, NR_CAUSES - 1), between(&rng, 1, 9), 1};
			sums[list[i].from_pc][list[i].cause] += list[i].cycles;
		}
		const struct path_edges edges = {.nr = NR, .list = list};
		assert_int_equal(path_tops_take(&t, &edges, NR, &err), SAHM_OK);
		assert_int_equal(t.nr_instructions, NR_PCS);
		for (size_t i = 0; i < NR_PCS; i++) {
			const struct path_instruction *in = &t.instructions[i];
			uint64_t all = 0, rest_most = 0;
			bool is_main[NR_CAUSES] = {false};
			assert_true(i == 0 || in[-1].cycles >= in->cycles);
			for (unsigned k = 0; k < in->nr_causes; k++) {
				assert_int_equal(in->of_cause[k], sums[in->place.pc][in->causes[k]]);
				assert_true(k == 0 || in->of_cause[k - 1] >= in->of_cause[k]);
				is_main[in->causes[k]] = true;
			}
			for (unsigned k = 0; k < NR_CAUSES; k++) {
				uint64_t own = sums[in->place.pc][k];
				all += own;
				rest_most = !is_main[k] && own > rest_most ? own : rest_most;
			}
			assert_int_equal(in->cycles, all);
			assert_true(in->of_cause[in->nr_causes - 1] >= rest_most);
		}
		path_tops_release(&t);
	}
}

/* ---- Reports ---- */

/* Two cores whose queue "b" is in another place, and two streams. */
static struct core_model models[2];
static struct core_result results[4];
static const struct path_report report = {.nr_streams = 2, .nr_cores = 2, .results = results};

static int make_results(void **state)
{
	(void)state;
	memset(results, 0, sizeof(results));
	models[0].timing.kind = models[1].timing.kind = CORE_OUT_OF_ORDER;
	models[0].timing.nr_queues = 2;
	models[1].timing.nr_queues = 1;
	strcpy(models[0].timing.queues[0].name, "a");
	strcpy(models[0].timing.queues[1].name, "b");
	strcpy(models[1].timing.queues[0].name, "b");
	for (unsigned i = 0; i < 4; i++) {
		results[i].stream = i < 2 ? "x/one.stream" : "x/two.stream";
		results[i].core = i % 2 == 0 ? "first" : "second";
		results[i].model = &models[i % 2];
		results[i].config_hash = "hash";
		results[i].counts.timing.instructions = 1000;
		results[i].counts.timing.cycles = 2000 * (i + 1);
		results[i].counts.path.cycles[PATH_BTB] = 1; /* 0.05 % in the first one */
		results[i].counts.path.cycles[PATH_QUEUE] = 10;
		results[i].counts.path.cycles[PATH_QUEUE + 1] = i % 2 == 0 ? 30 : 0;
		results[i].counts.path.cycles[PATH_COMMIT] = 2000 * (i + 1) - (i % 2 == 0 ? 41 : 11);
		results[i].counts.path.windows = 5;
		results[i].counts.path.cuts = i == 3 ? 2 : 0;
		results[i].nr_sampled = i < 2 ? 0 : 3;
	}
	return 0;
}

static void test_causes_by_name(void **state)
{
	(void)state;
	struct path_view v;
	bool found_a = false, found_b = false;
	assert_true(path_view_init(&v, &report));
	uint64_t *first = calloc(v.nr_names, sizeof(*first)), *second = calloc(v.nr_names, sizeof(*second));
	assert_true(first && second);
	path_view_cycles(&v, 0, &results[0].counts.path, first);
	path_view_cycles(&v, 1, &path_view_result(&v, 2, 1)->counts.path, second);
	for (size_t i = 0; i < v.nr_names; i++) {
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(v.names[i].name, v.names[k].name);
		if (strcmp(v.names[i].name, "queue-a") == 0) {
			found_a = true;
			assert_int_equal(first[i], 10);
			assert_true(second[i] == CAUSE_NOT_THERE);
		}
		if (strcmp(v.names[i].name, "queue-b") == 0) {
			found_b = true;
			assert_int_equal(first[i], 30);
			assert_int_equal(second[i], 20); /* of both streams */
		}
	}
	assert_true(found_a && found_b);
	assert_int_equal(path_view_result(&v, 2, 1)->counts.timing.cycles, 4000 + 8000);
	free(first);
	free(second);
	path_view_release(&v);
}

static void test_csv(void **state)
{
	(void)state;
	struct textbuf out;
	textbuf_init(&out);
	assert_true(path_csv(&report, &out));
	assert_string_equal(out.text,
			    "stream,core,config_hash,sampled_epochs,epoch,instructions,cause,front_end,cycles\n"
			    "x/one.stream,first,hash,\"\",\"\",1000,btb,true,1\n"
			    "x/one.stream,first,hash,\"\",\"\",1000,commit,false,1959\n"
			    "x/one.stream,first,hash,\"\",\"\",1000,queue-a,false,10\n"
			    "x/one.stream,first,hash,\"\",\"\",1000,queue-b,false,30\n"
			    "x/one.stream,second,hash,\"\",\"\",1000,btb,true,1\n"
			    "x/one.stream,second,hash,\"\",\"\",1000,commit,false,3989\n"
			    "x/one.stream,second,hash,\"\",\"\",1000,queue-b,false,10\n"
			    "x/two.stream,first,hash,3,\"\",1000,btb,true,1\n"
			    "x/two.stream,first,hash,3,\"\",1000,commit,false,5959\n"
			    "x/two.stream,first,hash,3,\"\",1000,queue-a,false,10\n"
			    "x/two.stream,first,hash,3,\"\",1000,queue-b,false,30\n"
			    "x/two.stream,second,hash,3,\"\",1000,btb,true,1\n"
			    "x/two.stream,second,hash,3,\"\",1000,commit,false,7989\n"
			    "x/two.stream,second,hash,3,\"\",1000,queue-b,false,10\n"
			    "\"\",first,hash,\"\",\"\",2000,btb,true,2\n"
			    "\"\",first,hash,\"\",\"\",2000,commit,false,7918\n"
			    "\"\",first,hash,\"\",\"\",2000,queue-a,false,20\n"
			    "\"\",first,hash,\"\",\"\",2000,queue-b,false,60\n"
			    "\"\",second,hash,\"\",\"\",2000,btb,true,2\n"
			    "\"\",second,hash,\"\",\"\",2000,commit,false,11978\n"
			    "\"\",second,hash,\"\",\"\",2000,queue-b,false,20\n");
	textbuf_release(&out);
}

/* A cause is printed from 0.05 % in any column on; a core without it has a dash. */
static void test_text(void **state)
{
	(void)state;
	struct path_tops tops[4] = {{.nr_edges = 0}};
	struct path_report with_tops = report;
	const struct path_edges edges = {.nr = ARRAY_SIZE(some), .list = some};
	struct sahm_err err;
	struct textbuf out;
	textbuf_init(&out);
	assert_int_equal(path_tops_take(&tops[3], &edges, 1, &err), SAHM_OK);
	with_tops.tops = tops;
	tops[3].edges[0].from.file = "/lib/libx.so";
	tops[3].edges[0].from.offset = 0x1234;
	tops[3].is_part = true;
	assert_true(path_text(&with_tops, false, &out));
	assert_string_equal(
		out.text,
		"Critical path of x/one.stream: share of its cycles in %, by what it waits for:\n"
		"core            first  second\n"
		"-----------------------------\n"
		"instructions     1000    1000\n"
		"cycles           2000    4000\n"
		"CPI             2.000   4.000\n"
		"-----------------------------\n"
		"btb               0.1     0.0\n"
		"-----------------------------\n"
		"front end, sum    0.1     0.0\n"
		"-----------------------------\n"
		"commit           98.0    99.7\n"
		"queue-a           0.5       -\n"
		"queue-b           1.5     0.2\n"
		"\n"
		"Critical path of x/two.stream: share of its cycles in %, by what it waits for:\n"
		"core            first  second\n"
		"-----------------------------\n"
		"instructions     1000    1000\n"
		"cycles           6000    8000\n"
		"CPI             6.000   8.000\n"
		"-----------------------------\n"
		"front end, sum    0.0     0.0\n"
		"-----------------------------\n"
		"commit           99.3    99.9\n"
		"queue-a           0.2       -\n"
		"queue-b           0.5     0.1\n"
		"\n"
		"Critical path of all streams: share of its cycles in %, by what it waits for:\n"
		"core            first  second\n"
		"-----------------------------\n"
		"instructions     2000    2000\n"
		"cycles           8000   12000\n"
		"CPI             4.000   6.000\n"
		"-----------------------------\n"
		"front end, sum    0.0     0.0\n"
		"-----------------------------\n"
		"commit           99.0    99.8\n"
		"queue-a           0.2       -\n"
		"queue-b           0.8     0.2\n"
		"\n"
		"Instructions that the path of x/two.stream on second waits for longest:\n"
		"instruction  in  cycles    %  main causes, in % of the path\n"
		"-----------------------------------------------------------\n"
		"0x1          -      120  1.5  btb 0.6, rob 0.4, itlb 0.2\n"
		"\n"
		"Edges of the path of x/two.stream on second with the most cycles, where instruction \"to\" waits for "
		"\"from\":\n"
		"from  in              to   in  cause    cycles    %  times\n"
		"----------------------------------------------------------\n"
		"0x2   libx.so+0x1234  0x1  -   data-l2      60  0.8      6\n"
		"\n"
		"There were too many different edges: these two tables lack cycles of the others\n"
		"\n"
		"Cut: 2 of 5 windows of the path of x/two.stream on second; what came before has the cause cut\n"
		"\n"
		"x/two.stream is a sample: 3 epochs of the program\n");
	path_tops_release(&tops[3]);
	textbuf_release(&out);
}

/* A single core has streams beside each other, eight in a table. */
static void test_columns(void **state)
{
	(void)state;
	struct core_result many[9];
	const struct path_report r = {.nr_streams = ARRAY_SIZE(many), .nr_cores = 1, .results = many};
	struct textbuf out;
	textbuf_init(&out);
	for (unsigned i = 0; i < ARRAY_SIZE(many); i++)
		many[i] = results[0];
	assert_true(path_text(&r, false, &out));
	assert_non_null(strstr(out.text, "Critical path on first: share of its cycles in %, by what it waits for:\n"
					 "stream          one.stream  one.stream"));
	assert_non_null(strstr(out.text, "\nstream          one.stream  all streams\n"));
	textbuf_release(&out);
}

TEST_FILE(test_core_path)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tops),
		cmocka_unit_test(test_random_tops),
		cmocka_unit_test_setup(test_causes_by_name, make_results),
		cmocka_unit_test_setup(test_csv, make_results),
		cmocka_unit_test_setup(test_text, make_results),
		cmocka_unit_test_setup(test_columns, make_results),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
