/* Top-down formulas: shares worked by hand, the oddities of the paper and its code, and the second version of
 * tests/reference bit for bit; slots by class. */
#include "cores/uarch/tma_pass.h"

#include <math.h>

#include "tests/helper/random.h"
#include "tests/reference/reftma.h"
#include "tests/unit/cores/uarch/timed_core.h"

/* In the order of struct reftma. */
static const enum tma_class order[] = {TMA_RETIRING,	  TMA_BADSPEC,	       TMA_FRONTEND,	   TMA_BACKEND,
				       TMA_CLEAR,	  TMA_BRANCH,	       TMA_BRANCH_RESTEER, TMA_BRANCH_RECOVERY,
				       TMA_FETCH_LATENCY, TMA_FETCH_BANDWIDTH, TMA_MEM_BOUND,	   TMA_CORE_BOUND};
#define NR_ESTIMATED ARRAY_SIZE(order)

/* 1000 cycles of 4 slots. Of 40 flushes 30 are mispredictions, and 400 uops are flushed. */
#define BOOM_COUNTS                                                                                                    \
	.width = 4, .cycles = 1000, .uops = 2000, .instructions = 1800, .issued = 2400, .issued_of = {700},            \
	.bubbles = 400, .bubbles_of = {60, 120}, .recovering = 50, .iblocked = 30, .dblocked = 600, .flushes = 10,     \
	.mispredictions = 30

/* 1000 cycles of one slot, 500 instructions, 100 flushed ones. */
#define ROCKET_COUNTS                                                                                                  \
	.width = 1, .cycles = 1000, .instructions = 500, .uops = 510, .issued = 600, .bubbles = 50, .recovering = 90,  \
	.iblocked = 20, .dblocked = 150, .flushes = 10, .mispredictions = 30

static const struct {
	const char *name;
	enum event_family family;
	enum tma_kind kind;
	struct tma_counts counts;
	double share[NR_ESTIMATED];
} cases[] = {
	{"published",
	 FAMILY_BOOM,
	 TMA_PUBLISHED,
	 {BOOM_COUNTS},
	 {.5, .245, .1, .155, .025, .0875, .075, .0125, .03, .07, .15, .005}},
	{"instructions retire, recovery has length 2",
	 FAMILY_BOOM,
	 TMA_RELEASED,
	 {BOOM_COUNTS},
	 {.45, .185, .1, .265, .025, .0875, .075, .0125, .03, .07, .15, .115}},
	{"a share for the cycles of recovery",
	 FAMILY_BOOM,
	 TMA_AS_RUN,
	 {BOOM_COUNTS},
	 {.45, .075003125, .1, .374996875, .025, .0875, .075, .0125, .03, .07, .15, .224996875}},
	{"second lane",
	 FAMILY_BOOM,
	 TMA_LANE,
	 {BOOM_COUNTS},
	 {.45, .185, .12, .245, .025, .0875, .075, .0125, .03, .09, .15, .095}},
	{"five slots a misprediction",
	 FAMILY_BOOM,
	 TMA_RECOVERY,
	 {BOOM_COUNTS},
	 {.45, .1125, .1, .3375, .025, .0875, .075, .0125, .03, .07, .15, .1875}},
	{"first port",
	 FAMILY_BOOM,
	 TMA_ISSUE,
	 {BOOM_COUNTS},
	 {.45, .26, .1, .19, .05, .1625, .15, .0125, .03, .07, .15, .04}},
	{"no flushes: every rate is 0",
	 FAMILY_BOOM,
	 TMA_PUBLISHED,
	 {.width = 2, .cycles = 100, .uops = 100, .issued = 110, .bubbles = 20, .recovering = 10},
	 {.5, .1, .1, .3, 0, .05, 0, .05, 0, .1, 0, .3}},
	{"fences count as mispredictions do, above but not below",
	 FAMILY_BOOM,
	 TMA_PUBLISHED,
	 {.width = 2, .cycles = 100, .uops = 100, .issued = 140, .mispredictions = 5, .fences = 15},
	 {.5, .4, 0, .1, 0, .05, .05, 0, 0, 0, 0, .1}},
	{"uops of machine clears are no BadSpec",
	 FAMILY_BOOM,
	 TMA_PUBLISHED,
	 {.width = 2, .cycles = 100, .uops = 100, .issued = 140, .flushes = 3},
	 {.5, 0, 0, .5, .2, 0, 0, 0, 0, 0, 0, .5}},
	{"Backend below 0",
	 FAMILY_BOOM,
	 TMA_PUBLISHED,
	 {.width = 1,
	  .cycles = 100,
	  .uops = 60,
	  .instructions = 60,
	  .issued = 60,
	  .bubbles = 10,
	  .recovering = 10,
	  .mispredictions = 10,
	  .dblocked = 30},
	 {.6, .5, .1, -.2, 0, .1, 0, .1, 0, .1, .3, -.5}},
	{"limited to 0",
	 FAMILY_BOOM,
	 TMA_RELEASED,
	 {.width = 1,
	  .cycles = 100,
	  .uops = 60,
	  .instructions = 60,
	  .issued = 60,
	  .bubbles = 10,
	  .recovering = 20,
	  .mispredictions = 10,
	  .iblocked = 20,
	  .dblocked = 30},
	 {.6, .4, .1, 0, 0, .2, 0, .2, .2, 0, .3, 0}},
	{"derived from what is below 0",
	 FAMILY_BOOM,
	 TMA_RELEASED,
	 {.width = 1, .cycles = 100, .uops = 90, .instructions = 60, .issued = 50, .mispredictions = 1, .fences = 3},
	 {.6, 0, 0, .78, 0, 0, 0, 0, 0, 0, 0, .78}}, /* BadSpec -0.38 */
	{"counts are rounded before they are subtracted",
	 FAMILY_BOOM,
	 TMA_PUBLISHED,
	 {.width = 1,
	  .cycles = UINT64_C(1) << 53,
	  .uops = UINT64_C(1) << 53,
	  .issued = (UINT64_C(1) << 53) + 1,
	  .flushes = 1},
	 {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
	{"Rocket",
	 FAMILY_ROCKET,
	 TMA_RELEASED,
	 {ROCKET_COUNTS},
	 {.5, .19, .05, .26, .025, .165, NAN, NAN, .02, .03, .15, .11}},
	{"Rocket without flushes",
	 FAMILY_ROCKET,
	 TMA_PUBLISHED,
	 {.width = 1, .cycles = 100, .instructions = 50, .issued = 60, .recovering = 10},
	 {.5, .1, 0, .4, 0, .1, NAN, NAN, 0, 0, 0, .4}},
	{"Rocket below 0",
	 FAMILY_ROCKET,
	 TMA_PUBLISHED,
	 {.width = 1, .cycles = 100, .instructions = 80, .issued = 110, .mispredictions = 1, .dblocked = 10},
	 {.8, .3, 0, -.1, 0, .3, NAN, NAN, 0, 0, .1, -.2}},
	{"two lanes of Rocket's kind",
	 FAMILY_ROCKET,
	 TMA_PUBLISHED,
	 {.width = 2,
	  .cycles = 100,
	  .instructions = 100,
	  .issued = 120,
	  .bubbles = 30,
	  .recovering = 10,
	  .iblocked = 5,
	  .dblocked = 20,
	  .mispredictions = 1},
	 {.5, .2, .15, .15, 0, .2, NAN, NAN, .05, .1, .1, .05}},
};

static void test_by_hand(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct tma_window w = {.family = cases[i].family, .counts = cases[i].counts};
		struct tma_shares s;
		tma_evaluate(&w, cases[i].kind, &s);
		for (size_t k = 0; k < NR_ESTIMATED; k++) {
			double share = s.of[order[k]], expected = cases[i].share[k];
			if (isnan(expected) ? !isnan(share) : !(fabs(share - expected) < 1e-14))
				fail_msg("%s: value %zu is %.17g, not %.17g", cases[i].name, k, share, expected);
		}
		for (unsigned k = 0; k < NR_TMA_CLASSES; k++)
			if (tma_level(k) == 3 && k != TMA_BRANCH_RESTEER && k != TMA_BRANCH_RECOVERY)
				assert_true(isnan(s.of[k]));
	}
}

static uint64_t draw(uint64_t *rng)
{
	static const uint64_t most[] = {0, 3, 1000, UINT64_C(1) << 40};
	return between(rng, 0, most[between(rng, 0, 3)]);
}

static struct tma_window drawn_window(uint64_t *rng)
{
	struct tma_window w = {.family = one_in(rng, 3) ? FAMILY_ROCKET : FAMILY_BOOM};
	struct tma_counts *c = &w.counts;
	c->width = w.family == FAMILY_ROCKET ? 1 : between(rng, 1, MAX_WIDTH);
	c->cycles = 1 + draw(rng);
	c->instructions = draw(rng);
	c->uops = c->instructions + draw(rng);
	c->issued = draw(rng) + (one_in(rng, 5) ? 0 : c->uops);
	c->issued_of[0] = draw(rng);
	c->bubbles = draw(rng);
	c->bubbles_of[1] = draw(rng);
	c->dblocked = draw(rng);
	c->iblocked = draw(rng);
	c->recovering = draw(rng);
	c->flushes = draw(rng);
	c->mispredictions = draw(rng);
	c->fences = draw(rng);
	return w;
}

static void test_random(void **state)
{
	(void)state;
	uint64_t rng = random_of_index(35, 0);
	for (unsigned round = 0; round < 20000; round++) {
		const struct tma_window w = drawn_window(&rng);
		bool is_rocket = w.family == FAMILY_ROCKET;
		for (enum tma_kind kind = 0; kind < TMA_EXACT; kind++) {
			if (!tma_has_kind(w.family, w.counts.width, kind))
				continue;
			struct reftma r = is_rocket ? reftma_rocket(&w.counts) : reftma_boom(&w.counts, kind);
			double expected[NR_ESTIMATED];
			struct tma_shares s;
			memcpy(expected, &r, sizeof(expected));
			tma_evaluate(&w, kind, &s);
			for (size_t k = 0; k < NR_ESTIMATED; k++) {
				if (is_rocket && tma_level(order[k]) == 3)
					continue;
				double limited = kind != TMA_PUBLISHED && expected[k] < 0 ? 0 : expected[k];
				if (memcmp(&s.of[order[k]], &limited, sizeof(limited)) != 0)
					fail_msg("round %u, kind %u: value %zu is %a, not %a", round, kind, k,
						 s.of[order[k]], limited);
			}
			double sum = s.of[TMA_RETIRING] + s.of[TMA_BADSPEC] + s.of[TMA_FRONTEND] + s.of[TMA_BACKEND];
			double size = s.of[TMA_RETIRING] + fabs(s.of[TMA_BADSPEC]) + s.of[TMA_FRONTEND];
			if (kind == TMA_PUBLISHED)
				assert_true(fabs(sum - 1) <= 1e-14 * (1 + size));
		}
	}
}

static void test_kinds(void **state)
{
	(void)state;
	for (enum tma_kind k = 0; k < NR_TMA_KINDS; k++) {
		assert_true(tma_has_kind(FAMILY_BOOM, 2, k));
		assert_int_equal(tma_has_kind(FAMILY_BOOM, 1, k), k != TMA_LANE);
		assert_int_equal(tma_has_kind(FAMILY_ROCKET, 2, k),
				 k == TMA_PUBLISHED || k == TMA_RELEASED || k == TMA_EXACT);
		assert_int_equal(tma_has_kind(FAMILY_U74, 2, k), k == TMA_EXACT);
	}
}

/* ---- Formulas as text ---- */

static const char *text_of(enum event_family family, enum tma_kind kind, const char *symbol)
{
	const char *text = "";
	for (unsigned i = 0; i < nr_tma_formulas; i++) {
		const struct tma_formula *f = &tma_formulas[i];
		if (f->family != family || !(f->kinds >> kind & 1) || strcmp(f->symbol, symbol) != 0)
			continue;
		assert_string_equal(text, ""); /* only one */
		text = f->expression;
	}
	return text;
}

static void test_text(void **state)
{
	(void)state;
	static const struct {
		enum event_family family;
		enum tma_kind kind;
		const char *symbol, *text;
	} known[] = {
		{FAMILY_BOOM, TMA_PUBLISHED, "M_total", "C_cycle * W_C"},
		{FAMILY_BOOM, TMA_PUBLISHED, "M_tf", "C_flush + C_bm + C_fence"},
		{FAMILY_BOOM, TMA_PUBLISHED, "M_rl", "4"},
		{FAMILY_BOOM, TMA_PUBLISHED, "Retiring", "C_ret / M_total"},
		{FAMILY_BOOM, TMA_PUBLISHED, "BadSpec",
		 "((C_issued - C_ret) * M_nf_r + (C_rec + M_rl * C_bm) * W_C) / M_total"},
		{FAMILY_BOOM, TMA_PUBLISHED, "Backend", "1 - Frontend - BadSpec - Retiring"},
		{FAMILY_BOOM, TMA_PUBLISHED, "BranchMispredicts", "((C_issued - C_ret) * M_br_mr + C_rec) / M_total"},
		{FAMILY_BOOM, TMA_PUBLISHED, "FetchLatency", "C_iblk * W_C / M_total"},
		{FAMILY_BOOM, TMA_RELEASED, "M_rl", ""},
		{FAMILY_BOOM, TMA_RELEASED, "BadSpec",
		 "((C_issued - C_ret) * M_nf_r + (C_rec * W_C + C_bm * 2 * W_C)) / M_total"},
		{FAMILY_BOOM, TMA_RELEASED, "Backend", "1 - Retiring - Frontend - BadSpec"},
		{FAMILY_BOOM, TMA_AS_RUN, "BadSpec", "((C_issued - C_ret) * M_nf_r + C_rec / M_total) / M_total"},
		{FAMILY_BOOM, TMA_ISSUE, "C_issued", "C_issued_0 * 4"},
		{FAMILY_ROCKET, TMA_RELEASED, "BadSpec", "((C_issued - C_ret) * M_nf_r + C_rec) / cycles"},
		{FAMILY_ROCKET, TMA_RELEASED, "Frontend", "C_fetch / cycles"},
		{FAMILY_ROCKET, TMA_RELEASED, "MemBound", "C_dblk / cycles"},
		{FAMILY_ROCKET, TMA_RELEASED, "Resteers", ""},
	};
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		assert_string_equal(text_of(known[i].family, known[i].kind, known[i].symbol), known[i].text);
}

/* ---- Slots ---- */

static void test_tree(void **state)
{
	(void)state;
	struct core_timing t = {.nr_groups = 1, .groups = {{.name = "alu"}}};
	char name[TMA_NAME_BYTES];
	assert_string_equal(tma_class_path(&t, TMA_CLEAR_RESTEER, name), "BadSpec/MachineClears/Resteer");
	assert_string_equal(tma_class_path(&t, TMA_MEM_TLB, name), "Backend/MemBound/TLB");
	assert_string_equal(tma_class_path(&t, TMA_UNITS, name), "Backend/CoreBound/units-alu");
	memset(t.groups[0].name, 'x', sizeof(t.groups[0].name) - 1);
	assert_int_equal(strlen(tma_class_path(&t, TMA_UNITS, name)),
			 strlen("Backend/CoreBound/units-") + sizeof(t.groups[0].name) - 1);
	assert_true(tma_class_is_there(&t, TMA_UNITS));
	assert_false(tma_class_is_there(&t, TMA_UNITS + 1));
	for (unsigned k = 0; k < NR_TMA_CLASSES; k++) {
		assert_in_range(tma_level(k), 1, NR_TMA_LEVELS);
		if (tma_level(k) == 1) {
			assert_int_equal(tma_parent(k), TMA_NONE);
			continue;
		}
		assert_true(tma_parent(k) < k);
		assert_int_equal(tma_level(tma_parent(k)), tma_level(k) - 1);
	}
}

/* Children add up to their parents, and windows to their sum. */
static void test_slots(void **state)
{
	(void)state;
	uint64_t rng = random_of_index(35, 1), all = 0, totals[NR_TMA_CLASSES];
	struct tma_window sum = {0};
	struct tma_shares s;
	for (unsigned window = 0; window < 3; window++) {
		struct tma_window w = {.family = FAMILY_ROCKET,
				       .counts = {.width = 2, .cycles = 10, .issued_of = {[63] = 1}}};
		for (unsigned k = 0; k < NR_TMA_CLASSES; k++)
			all += w.slots.nr[k] = !tma_has_children(k) ? between(&rng, 1, 1000) : 0;
		tma_window_add(&sum, &w);
	}
	assert_int_equal(sum.counts.width, 2);
	assert_int_equal(sum.counts.cycles, 30);
	assert_int_equal(sum.counts.issued_of[63], 3);
	assert_int_equal(tma_slots_total(&sum.slots, totals), all);
	tma_evaluate(&sum, TMA_EXACT, &s);
	for (unsigned k = 0; k < NR_TMA_CLASSES; k++) {
		uint64_t children = 0;
		for (unsigned i = 0; i < NR_TMA_CLASSES; i++)
			children += tma_parent(i) == k ? totals[i] : 0;
		assert_int_equal(totals[k], tma_has_children(k) ? children : sum.slots.nr[k]);
		assert_true(s.of[k] == (double)totals[k] / (double)all);
	}
	assert_int_equal(totals[TMA_RETIRING] + totals[TMA_BADSPEC] + totals[TMA_FRONTEND] + totals[TMA_BACKEND], all);
}

/* Windows have their cycles even when only slots are wanted. */
static void test_exact_windows(void **state)
{
	(void)state;
	const struct core_timing t = pair(CORE_IN_ORDER);
	const struct tma_options options = {.family = FAMILY_ROCKET, .only_exact = true};
	struct tma_pass *pass = tma_pass_new(&t, &options);
	struct timing *m = timing_new(&t);
	assert_true(pass && m);
	timing_take_slots(m, tma_pass_slots(pass));
	begin();
	add(INSN_INTEGER, NONE, NONE);
	timing_batch(m, batch, p.at);
	assert_true(tma_pass_end_window(pass));
	uint64_t end = p.at[0].commit + 1;
	timing_batch(m, batch, p.at);
	assert_true(tma_pass_end_window(pass) && tma_pass_end(pass));
	assert_int_equal(tma_pass_window(pass, 0).counts.cycles, end);
	assert_int_equal(tma_pass_window(pass, 1).counts.cycles, p.at[0].commit + 1 - end);
	timing_free(m);
	tma_pass_free(pass);
}

/* A counter for each lane; those of a Rocket count no retired uops or fences. */
static void test_nr_counters(void **state)
{
	(void)state;
	const struct core_timing t = pair(CORE_IN_ORDER);
	assert_int_equal(tma_nr_counters(&t, FAMILY_BOOM, HPM_ADD), 4 + 5);
	assert_int_equal(tma_nr_counters(&t, FAMILY_ROCKET, HPM_ADD), 4 + 3);
	assert_int_equal(tma_nr_counters(&t, FAMILY_ROCKET, HPM_SCALAR), 4 + 3 * 2);
}

TEST_FILE(test_tma)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_by_hand),	      cmocka_unit_test(test_random),	  cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_text),	      cmocka_unit_test(test_tree),	  cmocka_unit_test(test_slots),
		cmocka_unit_test(test_exact_windows), cmocka_unit_test(test_nr_counters),
	};
	return cmocka_run_group_tests(tests, batch_setup, batch_teardown);
}
