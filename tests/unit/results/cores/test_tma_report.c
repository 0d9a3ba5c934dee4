/* Reports of top-down analysis: tables, CSV, JSON, figures and explained formulas, of two streams and two cores. */
#include "results/cores/tma_report.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "sim/base/file.h"
#include "tests/unit/own_folder.h"
#include "tests/unit/test.h"
#include "tests/unit/text_parts.h"

#define BIT(kind) (1u << TMA_##kind)

static struct core_model models[2];
static struct core_result runs[4];
static struct tma_result results[4];
static struct tma_epoch epochs[2];
static struct tma_report report;

/* 1000 cycles of 4 slots, in which formulas and slots differ. */
static const struct tma_window boom = {.family = FAMILY_BOOM,
				       .counts = {.width = 4,
						  .nr_ports = 18,
						  .commit_width = 4,
						  .cycles = 1000,
						  .uops = 2000,
						  .instructions = 1800,
						  .issued = 2400,
						  .issued_of = {700, [17] = 9},
						  .bubbles = 400,
						  .bubbles_of = {60, 100, 120, 120},
						  .recovering = 50,
						  .iblocked = 30,
						  .dblocked = 600,
						  .dblocked_of = {150, 150, 150, 150},
						  .flushes = 10,
						  .mispredictions = 30,
						  .truth = {2000, 0, 2400, 400, 600}},
				       .slots = {{[TMA_RETIRING] = 2000,
						  [TMA_BRANCH_RESTEER] = 600,
						  [TMA_BRANCH_RECOVERY] = 200,
						  [TMA_CLEAR_RECOVERY] = 40,
						  [TMA_FETCH_LINE] = 160,
						  [TMA_FETCH_BANDWIDTH] = 240,
						  [TMA_MEM_MEMORY] = 400,
						  [TMA_MEM_L2] = 1,
						  [TMA_CORE_DEPENDENCE] = 99,
						  [TMA_UNITS + 1] = 260}}};

static const struct tma_window rocket = {.family = FAMILY_ROCKET,
					 .counts = {.width = 1,
						    .nr_ports = 1,
						    .commit_width = 1,
						    .cycles = 100,
						    .instructions = 80,
						    .uops = 80,
						    .issued = 110,
						    .issued_of = {110},
						    .mispredictions = 1,
						    .dblocked = 10,
						    .dblocked_of = {10},
						    .truth = {80, 0, 110, 0, 10}},
					 .slots = {{[TMA_RETIRING] = 80, [TMA_MEM_STORE] = 19, [TMA_MEM_TLB] = 1}}};

static int make_report(void **state)
{
	(void)state;
	memset(models, 0, sizeof(models));
	memset(runs, 0, sizeof(runs));
	memset(results, 0, sizeof(results));
	models[0].timing.nr_groups = 2;
	strcpy(models[0].timing.groups[0].name, "alu");
	strcpy(models[0].timing.groups[1].name, "mul");
	for (unsigned i = 0; i < 4; i++) {
		runs[i].stream = i < 2 ? "x/one.stream" : "x/two.stream";
		runs[i].core = i % 2 == 0 ? "boom" : "rocket";
		runs[i].model = &models[i % 2];
		runs[i].config_hash = "hash";
		runs[i].nr_sampled = i < 2 ? 0 : 3;
		results[i].run = &runs[i];
		results[i].window = i % 2 == 0 ? boom : rocket;
	}
	epochs[0] = (struct tma_epoch){4, boom};
	epochs[1] = (struct tma_epoch){6, boom};
	report = (struct tma_report){.nr_streams = 1,
				     .nr_cores = 1,
				     .results = results,
				     .kinds = BIT(PUBLISHED) | BIT(RELEASED) | BIT(AS_RUN) | BIT(EXACT),
				     .level = 3,
				     .counters = HPM_ADD};
	return 0;
}

static void test_one(void **state)
{
	(void)state;
	struct textbuf out;
	textbuf_init(&out);
	report.kinds = BIT(PUBLISHED) | BIT(RELEASED) | BIT(EXACT);
	assert_true(tma_text(&report, false, &out));
	assert_string_equal(
		out.text,
		"Top-down of one.stream on boom: % of 4000 slots, 4 in each of 1000 cycles:\n"
		"class                published    gap  released    gap  exact\n"
		"-------------------------------------------------------------\n"
		"Retiring                  50.0    0.0      45.0   -5.0   50.0\n"
		"-------------------------------------------------------------\n"
		"BadSpec                   24.5   +3.5      18.5   -2.5   21.0\n"
		"  BranchMispredicts        8.8  -11.3       8.8  -11.3   20.0\n"
		"    Resteer                7.5   -7.5       7.5   -7.5   15.0\n"
		"    RecoveryBubbles        1.2   -3.8       1.2   -3.8    5.0\n"
		"  MachineClears            2.5   +1.5       2.5   +1.5    1.0\n"
		"    RecoveryBubbles          -      -         -      -    1.0\n"
		"-------------------------------------------------------------\n"
		"Frontend                  10.0    0.0      10.0    0.0   10.0\n"
		"  FetchLatency             3.0   -1.0       3.0   -1.0    4.0\n"
		"    line                     -      -         -      -    4.0\n"
		"  FetchBandwidth           7.0   +1.0       7.0   +1.0    6.0\n"
		"-------------------------------------------------------------\n"
		"Backend                   15.5   -3.5      26.5   +7.5   19.0\n"
		"  MemBound                15.0   +5.0      15.0   +5.0   10.0\n"
		"    memory                   -      -         -      -   10.0\n"
		"  CoreBound                0.5   -8.5      11.5   +2.5    9.0\n"
		"    dependence               -      -         -      -    2.5\n"
		"    units-mul                -      -         -      -    6.5\n"
		"\n"
		"Formulas are of counts by counters of kind add; a gap is a formula's share less the exact one\n");
	textbuf_release(&out);
}

static void test_levels(void **state)
{
	(void)state;
	struct textbuf out;
	textbuf_init(&out);
	report.kinds = BIT(EXACT);
	report.level = 2;
	assert_true(tma_text(&report, false, &out));
	has(&out, "  MachineClears        1.0\n");
	has_not(&out, "\n    ");
	has_not(&out, "Formulas");
	textbuf_release(&out);
	textbuf_init(&out);
	report.level = 1;
	assert_true(tma_csv(&report, &out));
	assert_string_equal(
		out.text, "stream,core,config_hash,sampled_epochs,epoch,counters,formulas,level,class,share,gap,slots\n"
			  "x/one.stream,boom,hash,\"\",\"\",add,exact,1,Retiring,0.5,,2000\n"
			  "x/one.stream,boom,hash,\"\",\"\",add,exact,1,BadSpec,0.21,,840\n"
			  "x/one.stream,boom,hash,\"\",\"\",add,exact,1,Frontend,0.1,,400\n"
			  "x/one.stream,boom,hash,\"\",\"\",add,exact,1,Backend,0.19,,760\n");
	textbuf_release(&out);
}

/* Streams have sums by core; kinds that a core lacks are left out; Backend below 0 is printed so, by the paper. */
static void test_many(void **state)
{
	(void)state;
	static const char *const remarks[] = {"A remark"};
	struct textbuf out;
	textbuf_init(&out);
	report.nr_streams = report.nr_cores = 2;
	report.level = 1;
	report.remarks = remarks;
	report.nr_remarks = 1;
	assert_true(tma_text(&report, false, &out));
	has(&out, "Top-down, % of slots:\n"
		  "stream       core    formulas   Retiring  BadSpec  Frontend  Backend\n"
		  "--------------------------------------------------------------------\n"
		  "one.stream   boom    published      50.0     24.5      10.0     15.5\n"
		  "                     released       45.0     18.5      10.0     26.5\n"
		  "                     as-run         45.0      7.5      10.0     37.5\n"
		  "                     exact          50.0     21.0      10.0     19.0\n"
		  "one.stream   rocket  published      80.0     30.0       0.0    -10.0\n"
		  "                     released       80.0     30.0       0.0      0.0\n"
		  "                     exact          80.0      0.0       0.0     20.0\n"
		  "--------------------------------------------------------------------\n"
		  "two.stream   boom ");
	has(&out, "\nTop-down of all streams on boom: % of 8000 slots, 4 in each of 2000 cycles:\n");
	has(&out, "\nA remark\n\nx/two.stream is a sample: 3 epochs of the program\n");
	textbuf_release(&out);
	textbuf_init(&out);
	assert_true(tma_csv(&report, &out));
	has(&out, "\nx/two.stream,rocket,hash,3,\"\",add,published,1,Backend,-0.1");
	has(&out, "\n\"\",boom,hash,\"\",\"\",add,exact,1,BadSpec,0.21,,1680\n");
	textbuf_release(&out);
}

static void test_epochs(void **state)
{
	(void)state;
	struct textbuf out;
	textbuf_init(&out);
	results[0].epochs = epochs;
	results[0].nr_epochs = 2;
	report.kinds = BIT(PUBLISHED) | BIT(EXACT);
	report.level = 2;
	tma_window_add(&results[0].window, &boom);
	assert_true(tma_text(&report, false, &out));
	has(&out, "\nEpochs of one.stream on boom, % of slots:\n"
		  "epoch  formulas   Retiring  BadSpec  BranchMispredicts  MachineClears");
	has(&out, "\n4      published      50.0     24.5 ");
	has(&out, "\n6      published      50.0     24.5 ");
	has(&out, "\nall    published      50.0     24.5 ");
	textbuf_release(&out);
	textbuf_init(&out);
	assert_true(tma_csv(&report, &out));
	has(&out, "\nx/one.stream,boom,hash,\"\",4,add,exact,2,Backend/CoreBound,0.08975,,359\n"
		  "x/one.stream,boom,hash,\"\",6,add,published,1,Retiring,0.5,0,\"\"\n");
	has_not(&out, "hash,\"\",\"\",add"); /* no rows of all */
	textbuf_release(&out);
}

static void test_lanes(void **state)
{
	(void)state;
	struct textbuf out;
	textbuf_init(&out);
	report.nr_cores = 2;
	report.per_lane = true;
	assert_true(tma_text(&report, false, &out));
	has(&out, "\nLanes of fetch bubbles, in each cycle:\n"
		  "stream      core        0      1      2      3\n"
		  "----------------------------------------------\n"
		  "one.stream  boom    0.060  0.100  0.120  0.120\n"
		  "one.stream  rocket  0.000      -      -      -\n");
	has(&out, "one.stream  boom    0.000  0.009\n"); /* ports 16 and 17 */
	has(&out, "stream      core    all lanes  first  error, %  second  error, %\n"
		  "----------------------------------------------------------------\n"
		  "one.stream  boom         10.0    6.0     -40.0    10.0       0.0\n"
		  "one.stream  rocket        0.0    0.0         -       -         -\n");
	textbuf_release(&out);
	textbuf_init(&out);
	assert_true(tma_lanes_csv(&report, &out));
	has(&out, "stream,core,config_hash,sampled_epochs,epoch,counters,event,lane,count,per_cycle,truth,bound\n"
		  "x/one.stream,boom,hash,\"\",\"\",add,fetch_bubbles,0,60,0.06,\"\",\"\"\n");
	has(&out, "\nx/one.stream,boom,hash,\"\",\"\",add,uops_issued,17,9,0.009,\"\",\"\"\n"
		  "x/one.stream,boom,hash,\"\",\"\",add,uops_retired,\"\",2000,2,2000,0\n");
	has(&out, "\nx/one.stream,rocket,hash,\"\",\"\",add,fetch_bubbles,0,0,0,\"\",\"\"\n");
	textbuf_release(&out);
	textbuf_init(&out);
	report.counters = HPM_PLAIN;
	assert_true(tma_lanes_csv(&report, &out));
	has(&out, ",uops_retired,\"\",2000,2,2000,6000\n"); /* of four sources, three can be missed each time */
	report.counters = HPM_DISTRIBUTED;
	assert_true(tma_lanes_csv(&report, &out));
	has(&out, ",uops_retired,\"\",2000,2,2000,12\n");
	/* Each stream can leave that many in its local counters. */
	textbuf_release(&out);
	textbuf_init(&out);
	report.nr_streams = 2;
	assert_true(tma_lanes_csv(&report, &out));
	has(&out, ",uops_retired,\"\",4000,2,4000,24\n");
	report.counters = HPM_ADD;
	textbuf_release(&out);
}

static double share(const json_t *run, const char *what, const char *kind, const char *class)
{
	const json_t *value = json_object_get(json_object_get(json_object_get(run, what), kind), class);
	assert_true(json_is_number(value));
	return json_number_value(value);
}

static void test_json(void **state)
{
	(void)state;
	static const char own[] = "Backend/CoreBound/units-mul";
	struct textbuf out;
	textbuf_init(&out);
	report.nr_streams = report.nr_cores = 2;
	results[0].epochs = epochs;
	results[0].nr_epochs = 2;
	assert_true(tma_json(&report, &out));
	json_t *all = json_loads(out.text, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(all);
	assert_string_equal(json_string_value(json_object_get(all, "schema")), TMA_SCHEMA);
	assert_int_equal(json_array_size(json_object_get(all, "runs")), 4);
	const json_t *run = json_array_get(json_object_get(all, "runs"), 0);
	assert_true(share(run, "shares", "published", "BadSpec") == 0.245);
	assert_true(share(run, "gaps", "published", "BadSpec") == 0.245 - 0.21);
	assert_int_equal(json_integer_value(json_object_get(json_object_get(run, "slots"), own)), 260);
	assert_int_equal(json_integer_value(json_object_get(json_object_get(run, "counts"), "uops_issued")), 2400);
	const json_t *lanes = json_object_get(json_object_get(run, "lanes"), "uops_issued");
	assert_int_equal(json_array_size(lanes), 18);
	const json_t *list = json_object_get(run, "epochs");
	assert_int_equal(json_array_size(list), 2);
	assert_int_equal(json_integer_value(json_object_get(json_array_get(list, 1), "epoch")), 6);
	run = json_array_get(json_object_get(all, "runs"), 1);
	assert_null(json_object_get(json_object_get(run, "shares"), "as-run"));
	assert_null(json_object_get(json_object_get(run, "slots"), own));
	run = json_array_get(json_object_get(all, "all"), 0);
	assert_int_equal(json_integer_value(json_object_get(json_object_get(run, "slots"), own)), 520);
	json_decref(all);
	textbuf_release(&out);
}

/* ---- Formulas ---- */

static void test_explain(void **state)
{
	(void)state;
	struct textbuf out;
	textbuf_init(&out);
	assert_true(tma_explain(&models[0].timing, FAMILY_BOOM, BIT(PUBLISHED), false, &out));
	has(&out, "BOOM, published: ");
	has(&out, "\nM_total            C_cycle * W_C                                                          -\n");
	has(&out,
	    "\nBadSpec            ((C_issued - C_ret) * M_nf_r + (C_rec + M_rl * C_bm) * W_C) / M_total  BadSpec\n");
	has(&out, "\nPCResolution       Frontend - FetchLatency ");
	has(&out, "\nC_fence   fence retired\n");
	char *document;
	size_t len;
	struct sahm_err err;
	assert_int_equal(file_read("docs/top-down.md", 1u << 20, &document, &len, &err), SAHM_OK);
	if (!strstr(document, out.text))
		fail_msg("docs/top-down.md does not have:\n%s", out.text);
	free(document);
	has_not(&out, "\nC_instr"); /* symbols that are in no formula */
	has_not(&out, "\ncycles");
	textbuf_release(&out);
	textbuf_init(&out);
	assert_true(tma_explain(&models[1].timing, FAMILY_ROCKET, BIT(RELEASED) | BIT(AS_RUN), false, &out));
	has(&out, "Rocket, released: ");
	has(&out, "\nBadSpec            ((C_issued - C_ret) * M_nf_r + C_rec) / cycles ");
	has(&out, "\ncycles    cycles");
	has_not(&out, "as-run");
	has_not(&out, "W_C");
	textbuf_release(&out);
	textbuf_init(&out);
	assert_true(tma_explain(&models[0].timing, FAMILY_BOOM, BIT(EXACT), false, &out));
	has(&out, "\nBackend/CoreBound/units-mul ");
	has_not(&out, "symbol");
	textbuf_release(&out);
}

/* ---- Figures ---- */

static void has_data(const char *figure, const char *expected)
{
	char path[64], *data;
	size_t len;
	struct sahm_err err;
	snprintf(path, sizeof(path), "%s/%s.csv", own_folder, figure);
	assert_int_equal(file_read(path, 10000, &data, &len, &err), SAHM_OK);
	if (strcmp(data, expected) != 0)
		fail_msg("%s is:\n%s", figure, data);
	free(data);
}

static void test_plot(void **state)
{
	(void)state;
	struct sahm_err err;
	report.nr_streams = report.nr_cores = 2;
	report.kinds = BIT(PUBLISHED) | BIT(EXACT);
	assert_int_equal(tma_plot_write(&report, own_folder, &err), SAHM_OK);
	has_data("tma_level1", "run,retiring_slots_pct,badspec_slots_pct,frontend_slots_pct,backend_slots_pct\n"
			       "one on boom: published,50,24.5,10,15.500000000000004\n"
			       "one on boom: exact,50,21,10,19\n"
			       "one on rocket: published,80,30,0,-10.000000000000004\n"
			       "one on rocket: exact,80,0,0,20\n"
			       "two on boom: published,50,24.5,10,15.500000000000004\n"
			       "two on boom: exact,50,21,10,19\n"
			       "two on rocket: published,80,30,0,-10.000000000000004\n"
			       "two on rocket: exact,80,0,0,20\n"
			       "all on boom: published,50,24.5,10,15.500000000000004\n"
			       "all on boom: exact,50,21,10,19\n"
			       "all on rocket: published,80,30,0,-10.000000000000004\n"
			       "all on rocket: exact,80,0,0,20\n");
	/* Classes of the exact slots only; the smallest one is L2. */
	has_data("tma_level3",
		 "run,retiring_slots_pct,branchmispred_resteer_slots_pct,branchmispred_recoverybubbles_slots_pct,"
		 "machineclears_recoverybubbles_slots_pct,fetchlatency_line_slots_pct,fetchbandwidth_slots_pct,"
		 "membound_memory_slots_pct,membound_tlb_slots_pct,membound_store_slots_pct,"
		 "corebound_dependence_slots_pct,corebound_units_slots_pct,others_slots_pct\n"
		 "one on boom,50,15,5,1,4,6,10,0,0,2.475,6.5,0.025\n"
		 "one on rocket,80,0,0,0,0,0,0,1,19,0,0,0\n"
		 "two on boom,50,15,5,1,4,6,10,0,0,2.475,6.5,0.025\n"
		 "two on rocket,80,0,0,0,0,0,0,1,19,0,0,0\n"
		 "all on boom,50,15,5,1,4,6,10,0,0,2.475,6.5,0.025\n"
		 "all on rocket,80,0,0,0,0,0,0,1,19,0,0,0\n");
}

TEST_FILE(test_tma_report)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_one, make_report),	   cmocka_unit_test_setup(test_levels, make_report),
		cmocka_unit_test_setup(test_many, make_report),	   cmocka_unit_test_setup(test_epochs, make_report),
		cmocka_unit_test_setup(test_lanes, make_report),   cmocka_unit_test_setup(test_json, make_report),
		cmocka_unit_test_setup(test_explain, make_report), cmocka_unit_test_setup(test_plot, make_report),
	};
	return cmocka_run_group_tests(tests, make_own_folder, remove_own_folder);
}
