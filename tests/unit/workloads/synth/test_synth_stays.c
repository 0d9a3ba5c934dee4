/* Stays: which state for how long, as the head of workloads/synth/synth.h says. */
#include "sim/base/array.h"
#include "tests/unit/workloads/synth/synth_cases.h"

static void test_apportion(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		uint64_t total;
		unsigned shares[5]; /* thousandths */
		uint64_t parts[5];
	} cases[] = {
		{"even", 10, {1000, 1000}, {5, 5}},
		{"ties go to the first", 10, {1000, 1000, 1000, 1000}, {3, 3, 2, 2}},
		{"largest remainder", 10, {330, 330, 340}, {3, 3, 4}},
		{"nothing for nothing", 3, {0, 5000, 0, 5000}, {0, 2, 0, 1}},
		{"one for five", 1, {1, 1, 3, 1, 1}, {0, 0, 1, 0, 0}},
		{"large", UINT64_C(4294967296), {1000000000, 1, 1}, {UINT64_C(4294967288), 4, 4}},
		{"all in one", 7, {0, 0, 0, 0, 1}, {0, 0, 0, 0, 7}},
	};
	for (size_t c = 0; c < ARRAY_SIZE(cases); c++) {
		decimal shares[5];
		uint64_t parts[5];
		for (unsigned i = 0; i < 5; i++)
			shares[i] = (decimal)cases[c].shares[i] * (DECIMAL_ONE / 1000);
		synth_apportion(cases[c].total, shares, 5, parts);
		for (unsigned i = 0; i < 5; i++)
			if (parts[i] != cases[c].parts[i])
				fail_msg("%s: part %u is %" PRIu64, cases[c].name, i, parts[i]);
	}
	struct rng r;
	rng_init(&r, 1, "test", "apportion");
	for (unsigned n = 0; n < 2000; n++) {
		decimal shares[NR_STATES];
		uint64_t parts[NR_STATES], expected[NR_STATES];
		/* Up to the largest share of a profile in all columns; small ones make ties. */
		uint64_t most = n % 2 ? 4 : UINT64_C(1000000000000000);
		for (unsigned i = 0; i < NR_STATES; i++)
			shares[i] = (decimal)(rng_below(&r, most) + (i == 3)) * 1000;
		uint64_t total = 1 + rng_below(&r, n % 3 ? 40 : MAX_TRACE_EPOCHS);
		synth_apportion(total, shares, NR_STATES, parts);
		apportion(total, shares, NR_STATES, expected);
		assert_memory_equal(parts, expected, sizeof(parts));
	}
}

/* What a walk over the stays of a row finds. */
struct walk {
	uint64_t epochs[NR_STAY_KINDS], stays[NR_STAY_KINDS], least[NR_STAY_KINDS], most[NR_STAY_KINDS];
	uint64_t follows[NR_STATES][NR_STATES];
	uint64_t left; /* stays for which there was no place */
	unsigned first, last;
};

static void must_begin(struct stays *s, const struct profile *p, unsigned row, uint64_t seed)
{
	struct sahm_err err = untouched;
	assert_int_equal(stays_init(s, p, &p->rows[row], seed, &err), SAHM_OK);
	assert_string_equal(err.msg, "untouched");
}

/* Whether a stay is the last of its state and kind as they were made, and may be cut. */
static bool is_last_of_its_kind(const struct stays *s, size_t i)
{
	const struct stay *stay = &s->all.stays[i];
	return i + 1 == s->all.nr || stay[1].state != stay->state || stay[1].kind != stay->kind;
}

static struct walk walk(const struct profile *p, unsigned row, uint64_t seed)
{
	struct walk w = {.least = {UINT64_MAX, UINT64_MAX, UINT64_MAX}, .last = NR_STATES};
	struct stays s;
	struct stay stay;
	must_begin(&s, p, row, seed);
	for (size_t i = 0; i < s.all.nr; i++) {
		stay = s.all.stays[i];
		w.epochs[stay.kind] += stay.length;
		if (is_last_of_its_kind(&s, i))
			continue;
		w.stays[stay.kind]++;
		w.least[stay.kind] = stay.length < w.least[stay.kind] ? stay.length : w.least[stay.kind];
		w.most[stay.kind] = stay.length > w.most[stay.kind] ? stay.length : w.most[stay.kind];
	}
	while (stays_next(&s, &stay)) {
		if (w.last < NR_STATES)
			w.follows[w.last][stay.state]++;
		else
			w.first = stay.state;
		w.last = stay.state;
	}
	for (unsigned i = 0; i < NR_STATES; i++)
		w.left += s.left[i];
	stays_release(&s);
	return w;
}

/* Three states with large shares: hardly a stay is cut short. */
static void test_stays(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		double single_pct, short_epochs, long_pct, long_epochs;
		uint64_t long_least, long_most;
	} cases[] = {
		{"as it is", 20, 5, 30, 60, 30, 90},
		{"long stays of an odd mean", 10, 9, 60, 61, 31, 91},
		{"long stays of a mean that is not whole", 0, 2.5, 60, 60.5, 31, 90},
		{"shortest long stays", 5, 3, 50, 2, 1, 3},
		{"pairs", 0, 2, 0, 60, 0, 0},
		{"no single ones", 0, 12, 50, 200, 100, 300},
		{"no short ones", 40, 12, 60, 40, 20, 60},
		{"single ones alone", 100, 12, 0, 40, 0, 0},
		{"long ones alone", 0, 12, 100, 40, 20, 60},
	};
	const unsigned states[] = {LOW, BRANCH, L2 | L1D}, shares[] = {50, 30, 20};
	struct profile p;
	begin(&p);
	set(&p, FEW, PROFILE_EPOCHS, 400000);
	set_shares(&p, FEW, 3, states, shares);
	for (size_t c = 0; c < ARRAY_SIZE(cases); c++) {
		set(&p, FEW, PROFILE_SINGLE_PCT, cases[c].single_pct);
		set(&p, FEW, PROFILE_SHORT_EPOCHS, cases[c].short_epochs);
		set(&p, FEW, PROFILE_LONG_PCT, cases[c].long_pct);
		set(&p, FEW, PROFILE_LONG_EPOCHS, cases[c].long_epochs);
		struct walk w = walk(&p, FEW, 5 + c);
		assert_true(w.left == 0);
		assert_true(w.epochs[STAY_SINGLE] == (uint64_t)(4000 * cases[c].single_pct));
		assert_true(w.epochs[STAY_LONG] == (uint64_t)(4000 * cases[c].long_pct));
		assert_true(w.epochs[STAY_SINGLE] + w.epochs[STAY_SHORT] + w.epochs[STAY_LONG] == 400000);
		if (w.stays[STAY_SINGLE] > 0)
			assert_true(w.most[STAY_SINGLE] == 1);
		if (w.stays[STAY_SHORT] > 0) {
			double mean = (double)w.epochs[STAY_SHORT] / (double)w.stays[STAY_SHORT];
			if (w.least[STAY_SHORT] != 2 || fabs(mean / cases[c].short_epochs - 1) > 0.03)
				fail_msg("%s: short stays of %g, from %" PRIu64, cases[c].name, mean,
					 w.least[STAY_SHORT]);
			/* Geometric: as many are 2 long as the mean asks for. */
			assert_true(cases[c].short_epochs > 2 ? (double)w.most[STAY_SHORT] > 2 * cases[c].short_epochs
							      : w.most[STAY_SHORT] == 2);
		}
		if (w.stays[STAY_LONG] > 0) {
			double mean = (double)w.epochs[STAY_LONG] / (double)w.stays[STAY_LONG];
			if (w.least[STAY_LONG] != cases[c].long_least || w.most[STAY_LONG] != cases[c].long_most ||
			    fabs(mean / cases[c].long_epochs - 1) > 0.03)
				fail_msg("%s: long stays of %g, from %" PRIu64 " to %" PRIu64, cases[c].name, mean,
					 w.least[STAY_LONG], w.most[STAY_LONG]);
		}
	}
	profile_release(&p);
}

/* The end of a trace is like its beginning: rare states do not wait until the frequent ones are used up. */
static void test_no_heap_at_the_end(void **state)
{
	(void)state;
	enum { NR_SEEDS = 500, NR_PARTS = 10, EPOCHS = 10000 };
	const unsigned states[] = {LOW, BRANCH, L2, L1I, L1D}, shares[] = {60, 25, 11, 2, 2};
	uint64_t in_part[NR_PARTS][NR_STATES] = {0};
	struct profile p;
	begin(&p);
	set(&p, FEW, PROFILE_EPOCHS, EPOCHS);
	set(&p, FEW, PROFILE_LONG_PCT, 70);
	set(&p, FEW, PROFILE_LONG_EPOCHS, 250);
	set_shares(&p, FEW, 5, states, shares);
	for (uint64_t seed = 0; seed < NR_SEEDS; seed++) {
		struct plan plan;
		uint64_t e = 0;
		assert_int_equal(plan_make(&plan, &p, &p.rows[FEW], seed, NULL), SAHM_OK);
		for (size_t i = 0; i < plan.nr; i++)
			for (uint64_t end = e + plan.stays[i].length; e < end; e++)
				in_part[e * NR_PARTS / EPOCHS][plan.stays[i].state]++;
		plan_release(&plan);
	}
	for (unsigned part = 0; part < NR_PARTS; part++) {
		for (unsigned i = 0; i < 5; i++) {
			double share = (double)in_part[part][states[i]] * 100 * NR_PARTS / (NR_SEEDS * EPOCHS);
			if (fabs(share / shares[i] - 1) > 0.35)
				fail_msg("%s in tenth %u: %.1f %%, not %u", state_name(states[i]), part, share,
					 shares[i]);
		}
	}
	profile_release(&p);
}

/* Kinds come mixed: half of the stays of a state are half of its stays of each kind. */
static void test_mixed(void **state)
{
	(void)state;
	uint64_t taken[NR_STAY_KINDS] = {0}, all[NR_STAY_KINDS] = {0};
	struct profile p;
	struct stays s;
	struct stay stay;
	begin(&p);
	set(&p, FEW, PROFILE_EPOCHS, 200000);
	must_begin(&s, &p, FEW, 3);
	for (size_t i = 0; i < s.all.nr; i++)
		all[s.all.stays[i].kind]++;
	for (size_t half = s.all.nr / 2; half > 0 && stays_next(&s, &stay); half--)
		taken[stay.kind]++;
	for (unsigned k = 0; k < NR_STAY_KINDS; k++)
		assert_true(all[k] > 100 && fabs((double)taken[k] / (double)all[k] - 0.5) < 0.05);
	stays_release(&s);
	profile_release(&p);
}

static uint64_t epochs_of(const struct profile *p, unsigned state, enum stay_kind kind)
{
	struct stays s;
	uint64_t epochs = 0;
	must_begin(&s, p, FEW, 1);
	for (size_t i = 0; i < s.all.nr; i++)
		if (s.all.stays[i].state == state && s.all.stays[i].kind == kind)
			epochs += s.all.stays[i].length;
	stays_release(&s);
	return epochs;
}

/* A state that is too rare for a long stay has none, and the others have the more. */
static void test_rare_states(void **state)
{
	(void)state;
	const unsigned states[] = {LOW, BRANCH, L2}, shares[] = {90, 8, 2};
	struct profile p;
	begin(&p);
	set(&p, FEW, PROFILE_EPOCHS, 1000);
	set(&p, FEW, PROFILE_SINGLE_PCT, 10);
	set(&p, FEW, PROFILE_LONG_PCT, 60);
	set_shares(&p, FEW, 3, states, shares);
	/* Long stays last 30 epochs at least: Branch, with 80 x 60 %, has one; L2 with 20 could not. */
	assert_true(epochs_of(&p, L2, STAY_LONG) == 0 && epochs_of(&p, BRANCH, STAY_LONG) == 49);
	assert_true(epochs_of(&p, LOW, STAY_LONG) == 551);
	assert_true(epochs_of(&p, LOW, STAY_SINGLE) + epochs_of(&p, BRANCH, STAY_SINGLE) +
			    epochs_of(&p, L2, STAY_SINGLE) ==
		    100);
	assert_true(epochs_of(&p, L2, STAY_SINGLE) + epochs_of(&p, L2, STAY_SHORT) == 20);
	/* At the edge: 50 x 60 % is one, a little less is none. */
	set_shares(&p, FEW, 2, states, (const unsigned[]){95, 5});
	assert_true(epochs_of(&p, BRANCH, STAY_LONG) == 30 && epochs_of(&p, LOW, STAY_LONG) == 570);
	set(&p, FEW, PROFILE_LONG_EPOCHS, 61);
	assert_true(epochs_of(&p, BRANCH, STAY_LONG) == 0 && epochs_of(&p, LOW, STAY_LONG) == 600);
	/* More than there is: the rest of the long share is short. */
	set(&p, FEW, PROFILE_SINGLE_PCT, 0);
	set(&p, FEW, PROFILE_LONG_PCT, 100);
	set(&p, FEW, PROFILE_LONG_EPOCHS, 400);
	assert_true(epochs_of(&p, LOW, STAY_LONG) == 950 && epochs_of(&p, BRANCH, STAY_SHORT) == 50);
	profile_release(&p);
}

static void test_follow(void **state)
{
	(void)state;
	const unsigned states[] = {LOW, BRANCH, L1I}, shares[] = {1, 1, 1};
	struct profile p;
	begin(&p);
	set(&p, FEW, PROFILE_EPOCHS, 30000);
	set_shares(&p, FEW, 3, states, shares);

	/* All 1: each state is followed by each as its share says. */
	struct walk plain = walk(&p, FEW, 1);
	uint64_t from_low = plain.follows[LOW][LOW] + plain.follows[LOW][BRANCH] + plain.follows[LOW][L1I];
	double likely = (double)plain.follows[LOW][BRANCH] / (double)from_low;
	assert_true(fabs(likely - 1.0 / 3) < 0.04);

	p.follow[LOW][BRANCH] = 4 * FOLLOW_ONE;
	struct walk drawn = walk(&p, FEW, 1);
	from_low = drawn.follows[LOW][LOW] + drawn.follows[LOW][BRANCH] + drawn.follows[LOW][L1I];
	assert_true((double)drawn.follows[LOW][BRANCH] / (double)from_low > 1.5 * likely);
	/* The way back has a separate factor. */
	assert_true(drawn.follows[BRANCH][LOW] < drawn.follows[LOW][BRANCH]);

	p.follow[LOW][BRANCH] = FOLLOW_ONE / 4;
	struct walk pushed = walk(&p, FEW, 1);
	from_low = pushed.follows[LOW][LOW] + pushed.follows[LOW][BRANCH] + pushed.follows[LOW][L1I];
	assert_true((double)pushed.follows[LOW][BRANCH] / (double)from_low < likely / 1.5);

	bool left_some = false;
	p.follow[LOW][BRANCH] = 0;
	for (uint64_t seed = 0; seed < 20; seed++) {
		struct walk never = walk(&p, FEW, seed);
		assert_true(never.follows[LOW][BRANCH] == 0);
		assert_true(never.follows[LOW][L1I] > 0 && never.follows[BRANCH][LOW] > 0);
		struct made m = make("LOW > Branch: 0", &p, FEW, seed);
		for (uint64_t e = 1; e < m.nr; e++)
			assert_false(m.states[e - 1] == LOW && m.states[e] == BRANCH);
		/* What is left over finds a place earlier. */
		assert_true(m.displaced == 0);
		for (unsigned i = 0; i < 3; i++)
			assert_true(m.in_state[states[i]] == 10000);
		left_some |= never.left > 0;
		unmake(&m);
	}
	assert_true(left_some);
	profile_release(&p);
}

/* A state that may follow nothing there, and be followed by nothing, has no place: only then are shares not kept. */
static void test_displaced(void **state)
{
	(void)state;
	const unsigned states[] = {LOW, BRANCH, L2}, shares[] = {3, 2, 0};
	struct profile p;
	begin(&p);
	set(&p, FEW, PROFILE_EPOCHS, 1000);
	set_shares(&p, FEW, 3, states, shares);

	/* No way back: all of Branch comes first, however late it is drawn. */
	p.follow[LOW][BRANCH] = 0;
	for (uint64_t seed = 0; seed < 10; seed++) {
		struct made m = make("no way back", &p, FEW, seed);
		assert_true(m.displaced == 0 && m.in_state[LOW] == 600 && m.in_state[BRANCH] == 400);
		for (uint64_t e = 0; e < m.nr; e++)
			assert_int_equal(m.states[e], e < 400 ? BRANCH : LOW);
		unmake(&m);
	}
	/* Not after itself either: stays are then longer instead. */
	p.follow[LOW][LOW] = 0;
	struct made m = make("not even itself", &p, FEW, 1);
	assert_true(m.displaced == 0 && m.in_state[LOW] == 600);
	unmake(&m);
	p.follow[LOW][LOW] = FOLLOW_ONE;

	/* No way at all. */
	p.follow[BRANCH][LOW] = 0;
	bool first[2] = {false, false};
	for (uint64_t seed = 0; seed < 20; seed++) {
		m = make("no way", &p, FEW, seed);
		bool is_low = m.states[0] == LOW;
		first[is_low] = true;
		assert_true(m.in_state[is_low ? LOW : BRANCH] == 1000 && m.displaced == (is_low ? 400u : 600u));
		unmake(&m);
	}
	assert_true(first[0] && first[1]);

	/* A third state between the two is a way. */
	p.rows[FEW].share[L2] = DECIMAL_ONE;
	for (uint64_t seed = 0; seed < 20; seed++) {
		m = make("by way of L2", &p, FEW, seed);
		assert_true(m.displaced == 0 && m.in_state[LOW] == 500);
		unmake(&m);
	}
	profile_release(&p);
}

/* A share that is less than an epoch is reported. */
static void test_unvisited(void **state)
{
	(void)state;
	const unsigned states[] = {LOW, BRANCH}, shares[] = {1000, 1};
	struct synth_outcome outcome;
	struct trace *trace;
	struct profile p;
	begin(&p);
	set_shares(&p, FEW, 2, states, shares);
	for (unsigned epochs = 100; epochs <= 2000; epochs += 1900) {
		set(&p, FEW, PROFILE_EPOCHS, epochs);
		assert_int_equal(synth_trace(&p, FEW, 1, &trace, &outcome, NULL), SAHM_OK);
		assert_int_equal(outcome.unvisited, epochs == 100 ? 1u << BRANCH : 0);
		trace_free(trace);
	}
	profile_release(&p);
}

TEST_FILE(test_synth_stays)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_apportion),   cmocka_unit_test(test_stays),
		cmocka_unit_test(test_mixed),	    cmocka_unit_test(test_no_heap_at_the_end),
		cmocka_unit_test(test_rare_states), cmocka_unit_test(test_follow),
		cmocka_unit_test(test_displaced),   cmocka_unit_test(test_unvisited),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
