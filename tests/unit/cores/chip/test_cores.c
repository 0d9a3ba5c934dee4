/* Core types: what they serve, match and gain in each state; and core types as people write them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cores/chip/core.h"
#include "cores/chip/core_spec.h"
#include "sim/base/units.h"
#include "tests/unit/test.h"

#define BRANCH (1u << COMPONENT_BRANCH)
#define L1I (1u << COMPONENT_L1I)
#define L1D (1u << COMPONENT_L1D)
#define L2 (1u << COMPONENT_L2)
#define PCT(pct) ((pct)*PPM_PER_PCT)

/* Checks one state of a core type. */
static void check_state(const struct core_type *type, unsigned s, int32_t ppm, bool serves, bool matches)
{
	if (type->speedup_ppm[s] != ppm || core_serves(type, s) != serves || core_matches(type, s) != matches)
		fail_msg("'%s' in %s: %d ppm, serves %d, matches %d; expected %d, %d, %d", type->name, state_name(s),
			 type->speedup_ppm[s], core_serves(type, s), core_matches(type, s), ppm, serves, matches);
}

/* Core types */

static void test_baseline(void **state)
{
	struct core_type type;

	(void)state;
	memset(&type, 0xa5, sizeof(type));
	core_type_baseline(&type, "plain");
	assert_string_equal(type.name, "plain");
	/* "a baseline core matches Low alone", "A baseline core serves nothing" */
	for (unsigned s = 0; s < NR_STATES; s++)
		check_state(&type, s, 0, false, s == STATE_LOW);
}

/* A core specialised for one component, at every kind of speedup: "Serving and matching depend on the specialisation
 * alone: a 0 % core still serves." */
static void test_one_component(void **state)
{
	static const int32_t speedups[] = {PCT(30), 1, 0, -1, PCT(-50)};

	(void)state;
	for (unsigned c = 0; c < NR_COMPONENTS; c++) {
		for (size_t i = 0; i < ARRAY_SIZE(speedups); i++) {
			/* the others are not read */
			int32_t ppm[NR_COMPONENTS] = {PCT(99), PCT(99), PCT(99), PCT(99)};
			struct core_type type;
			ppm[c] = speedups[i];
			memset(&type, 0xa5, sizeof(type));
			core_type_specialised(&type, "special", 1u << c, ppm);
			for (unsigned s = 0; s < NR_STATES; s++) {
				bool stressed = s & (1u << c);
				check_state(&type, s, stressed ? speedups[i] : 0, stressed, stressed);
			}
		}
	}
}

static void test_several_components(void **state)
{
	/* branch 10 %, L1D 20 %, L2 30 %; L1I not */
	static const int32_t ppm[NR_COMPONENTS] = {PCT(10), PCT(99), PCT(20), PCT(30)};
	/* "A core that serves several stressed components gives the largest of its speedups", by state: Low, Branch,
	 * L1I, L1I+Branch, L1D, ... */
	static const int pct[NR_STATES] = {0, 10, 0, 10, 20, 20, 20, 20, 30, 30, 30, 30, 30, 30, 30, 30};
	struct core_type type;

	(void)state;
	memset(&type, 0xa5, sizeof(type));
	core_type_specialised(&type, "several", BRANCH | L1D | L2, ppm);
	for (unsigned s = 0; s < NR_STATES; s++) {
		bool serves = s != STATE_LOW && s != L1I;
		check_state(&type, s, PCT(pct[s]), serves, serves);
	}
}

/* The largest wins below 0 too: 0 is the speedup of components that a core is not specialised for, no candidate. */
static void test_several_components_of_no_use(void **state)
{
	static const int32_t ppm[NR_COMPONENTS] = {PCT(-10), PCT(-20), 0, 0};
	static const int32_t mixed[NR_COMPONENTS] = {PCT(-10), 0, 0, PCT(5)};
	struct core_type type;

	(void)state;
	core_type_specialised(&type, "worse", BRANCH | L1I, ppm);
	check_state(&type, STATE_LOW, 0, false, false);
	check_state(&type, BRANCH, PCT(-10), true, true);
	check_state(&type, L1I, PCT(-20), true, true);
	check_state(&type, L1I | BRANCH, PCT(-10), true, true);
	check_state(&type, L2, 0, false, false);
	check_state(&type, L2 | L1I, PCT(-20), true, true);

	core_type_specialised(&type, "mixed", BRANCH | L1D | L2, mixed);
	check_state(&type, BRANCH, PCT(-10), true, true);
	check_state(&type, L1D | BRANCH, 0, true, true);
	check_state(&type, L2 | BRANCH, PCT(5), true, true);
	check_state(&type, L2 | L1D | BRANCH, PCT(5), true, true);
	check_state(&type, L1I | BRANCH, PCT(-10), true, true);
	check_state(&type, L1I, 0, false, false);
}

/* "for a measured table: when its speedup is above 0": Low has no separate place. */
static void test_table(void **state)
{
	static const int32_t ppm[NR_STATES] = {1,	 0,  -1, PCT(30), PCT(-99), 2,	PCT(5), 0,
					       PCT(400), -2, 3,	 0,	  0,	    -3, 4,	PCT(-1)};
	int32_t low_only[NR_STATES] = {PCT(7)};
	struct core_type type;

	(void)state;
	memset(&type, 0xa5, sizeof(type));
	core_type_table(&type, "measured", ppm);
	for (unsigned s = 0; s < NR_STATES; s++)
		check_state(&type, s, ppm[s], ppm[s] > 0, ppm[s] > 0);
	core_type_table(&type, "low", low_only);
	for (unsigned s = 0; s < NR_STATES; s++)
		check_state(&type, s, low_only[s], s == STATE_LOW, s == STATE_LOW);
	low_only[STATE_LOW] = 0;
	core_type_table(&type, "none", low_only);
	for (unsigned s = 0; s < NR_STATES; s++)
		check_state(&type, s, 0, false, false);
}

/* Core types as people write them */

struct fixture {
	struct arena arena;
	struct core_spec spec;
	struct core_type type;
	struct sahm_err err;
};

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	if (!f)
		return -1;
	arena_init(&f->arena);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	arena_release(&f->arena);
	free(f);
	return 0;
}

/* `ppm` holds `nr` speedups as they are written. */
static enum sahm_status resolve(struct fixture *f, const char *type, unsigned nr, const int32_t *ppm, bool average)
{
	f->spec = (struct core_spec){.type = type, .nr_speedups = nr, .average = average};
	if (nr > 0)
		memcpy(f->spec.speedup_ppm, ppm, nr * sizeof(ppm[0]));
	memset(&f->type, 0xa5, sizeof(f->type));
	memset(&f->err, 0, sizeof(f->err));
	return core_spec_resolve(&f->arena, &f->spec, &f->type, &f->err);
}

static void resolve_well(struct fixture *f, const char *type, unsigned nr, const int32_t *ppm, bool average)
{
	if (resolve(f, type, nr, ppm, average) != SAHM_OK)
		fail_msg("'%s': %s", type, f->err.msg);
	if (f->err.status != SAHM_OK || f->err.msg[0])
		fail_msg("'%s': a success that says '%s'", type, f->err.msg);
}

/* Expects a refusal whose message holds `part` and, if not NULL, `other`. */
static void refuse(struct fixture *f, const char *type, unsigned nr, const int32_t *ppm, const char *part,
		   const char *other)
{
	if (resolve(f, type, nr, ppm, false) != SAHM_CONFIG)
		fail_msg("'%s' with %u speedups is taken", type, nr);
	assert_int_equal(f->err.status, SAHM_CONFIG);
	if (!strstr(f->err.msg, part) || (other && !strstr(f->err.msg, other)))
		fail_msg("'%s' with %u speedups: message '%s' lacks '%s' or '%s'", type, nr, f->err.msg, part,
			 other ? other : "");
}

static const int32_t up_to_16[NR_STATES] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

static void test_spec_baseline(void **state)
{
	struct fixture *f = *state;
	static const char *const ways[] = {"baseline", "Baseline", "BASELINE"};

	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		resolve_well(f, ways[i], 0, NULL, false);
		assert_string_equal(f->type.name, "baseline");
		assert_int_equal(f->spec.nr_speedups, 0);
		for (unsigned s = 0; s < NR_STATES; s++)
			check_state(&f->type, s, 0, false, s == STATE_LOW);
	}
	refuse(f, "baseline", 1, up_to_16, "'baseline'", "no speedup");
	refuse(f, "baseline", NR_STATES, up_to_16, "'baseline'", "no speedup");
}

static void test_spec_general(void **state)
{
	struct fixture *f = *state;
	static const int32_t seven[] = {PCT(7)}, zero[] = {0};

	/* 5 % everywhere unless told otherwise */
	resolve_well(f, "general", 0, NULL, false);
	for (unsigned s = 0; s < NR_STATES; s++)
		check_state(&f->type, s, PCT(5), true, true);
	assert_int_equal(f->spec.nr_speedups, 1);
	assert_int_equal(f->spec.speedup_ppm[0], PCT(5));
	assert_string_equal(f->type.name, "general");

	resolve_well(f, "General", 1, seven, false);
	for (unsigned s = 0; s < NR_STATES; s++)
		check_state(&f->type, s, PCT(7), true, true);
	assert_int_equal(f->spec.nr_speedups, 1);
	assert_int_equal(f->spec.speedup_ppm[0], PCT(7));

	/* a table in other words: it serves where it speeds up */
	resolve_well(f, "general", 1, zero, false);
	for (unsigned s = 0; s < NR_STATES; s++)
		check_state(&f->type, s, 0, false, false);

	refuse(f, "general", 2, up_to_16, "'general'", "2");
	refuse(f, "general", NR_STATES, up_to_16, "'general'", "16");
}

static void test_spec_table(void **state)
{
	struct fixture *f = *state;
	static const unsigned wrong[] = {0, 1, 2, 4, 15};

	resolve_well(f, "TABLE", NR_STATES, up_to_16, false);
	for (unsigned s = 0; s < NR_STATES; s++)
		check_state(&f->type, s, (int32_t)s + 1, true, true);
	assert_int_equal(f->spec.nr_speedups, NR_STATES);
	assert_memory_equal(f->spec.speedup_ppm, up_to_16, sizeof(up_to_16));
	assert_string_equal(f->type.name, "table");
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		refuse(f, "table", wrong[i], up_to_16, "'table'", "16 speedups");
}

static void test_spec_component(void **state)
{
	struct fixture *f = *state;
	static const int32_t thirty[] = {PCT(30)};
	static const struct {
		const char *type, *name;
		unsigned bit;
	} rows[] = {
		{"branch", "Branch", BRANCH},
		{"Branch", "Branch", BRANCH},
		{"BRANCH", "Branch", BRANCH},
		{"l1i", "L1I", L1I},
		{"L1i", "L1I", L1I},
		{"l1d", "L1D", L1D},
		{"L1D", "L1D", L1D},
		{"l2", "L2", L2},
		{"L2", "L2", L2},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		resolve_well(f, rows[i].type, 1, thirty, false);
		assert_string_equal(f->type.name, rows[i].name);
		assert_int_equal(f->spec.nr_speedups, 1);
		assert_int_equal(f->spec.speedup_ppm[0], PCT(30));
		for (unsigned s = 0; s < NR_STATES; s++) {
			bool stressed = s & rows[i].bit;
			check_state(&f->type, s, stressed ? PCT(30) : 0, stressed, stressed);
		}
	}
}

/* Joined in any order and letter case; speedups in the order of the type. */
static void test_spec_joined(void **state)
{
	struct fixture *f = *state;
	static const struct {
		const char *type, *name;
		unsigned nr;
		int32_t speedups[NR_COMPONENTS]; /* % as written */
		int32_t by_component[NR_COMPONENTS];
	} rows[] = {
		{"l2+branch", "L2+Branch", 2, {10, 30}, {[COMPONENT_L2] = 10, [COMPONENT_BRANCH] = 30}},
		{"branch+l2", "L2+Branch", 2, {10, 30}, {[COMPONENT_BRANCH] = 10, [COMPONENT_L2] = 30}},
		{"BRANCH+L2", "L2+Branch", 2, {0, -5}, {[COMPONENT_BRANCH] = 0, [COMPONENT_L2] = -5}},
		{"L1i+L1D", "L1D+L1I", 2, {20, 10}, {[COMPONENT_L1I] = 20, [COMPONENT_L1D] = 10}},
		{"l1d+Branch+l2",
		 "L2+L1D+Branch",
		 3,
		 {1, 2, 3},
		 {[COMPONENT_L1D] = 1, [COMPONENT_BRANCH] = 2, [COMPONENT_L2] = 3}},
		{"branch+l1i+l1d+l2", "L2+L1D+L1I+Branch", 4, {1, 2, 3, 4}, {1, 2, 3, 4}},
		{"l2+l1d+l1i+branch", "L2+L1D+L1I+Branch", 4, {1, 2, 3, 4}, {4, 3, 2, 1}},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		int32_t ppm[NR_COMPONENTS];
		for (int k = 0; k < NR_COMPONENTS; k++)
			ppm[k] = PCT(rows[i].speedups[k]);
		resolve_well(f, rows[i].type, rows[i].nr, ppm, false);
		assert_string_equal(f->type.name, rows[i].name);
		assert_int_equal(f->spec.nr_speedups, rows[i].nr);
		assert_memory_equal(f->spec.speedup_ppm, ppm, rows[i].nr * sizeof(ppm[0]));
		unsigned mask = 0;
		for (int c = 0; c < NR_COMPONENTS; c++) {
			bool named = strstr(rows[i].name, component_name((enum component)c)) != NULL;
			mask |= (unsigned)named << c;
			check_state(&f->type, 1u << c, PCT(rows[i].by_component[c]), named, named);
		}
		for (unsigned s = 0; s < NR_STATES; s++)
			assert_int_equal(core_serves(&f->type, s), (s & mask) != 0);

		/* one speedup counts for all */
		static const int32_t fifteen[] = {PCT(15)};
		resolve_well(f, rows[i].type, 1, fifteen, false);
		assert_string_equal(f->type.name, rows[i].name);
		assert_int_equal(f->spec.nr_speedups, rows[i].nr);
		for (unsigned k = 0; k < rows[i].nr; k++)
			assert_int_equal(f->spec.speedup_ppm[k], PCT(15));
		for (unsigned s = 0; s < NR_STATES; s++)
			check_state(&f->type, s, s & mask ? PCT(15) : 0, s & mask, s & mask);
	}
}

static void test_wrong_numbers_of_speedups(void **state)
{
	struct fixture *f = *state;

	refuse(f, "l2", 0, NULL, "'l2'", "speedup");
	refuse(f, "l2", 2, up_to_16, "'l2'", "2");
	refuse(f, "l2", NR_STATES, up_to_16, "'l2'", "16");
	refuse(f, "l2+branch", 0, NULL, "'l2+branch'", "speedup");
	refuse(f, "l2+branch", 3, up_to_16, "'l2+branch'", "3");
	refuse(f, "l2+l1d+branch", 2, up_to_16, "'l2+l1d+branch'", "2");
	refuse(f, "l2+l1d+branch", 4, up_to_16, "'l2+l1d+branch'", "4");
	refuse(f, "branch+l1i+l1d+l2", 3, up_to_16, "'branch+l1i+l1d+l2'", "3");
	refuse(f, "berti", 2, up_to_16, "'berti'", "2");
	refuse(f, "berti+triage", 3, up_to_16, "'berti+triage'", "3");
	refuse(f, "berti+l2", 0, NULL, "'berti+l2'", "speedup"); /* nobody published a figure for plain l2 */
}

static void test_unknown_types(void **state)
{
	struct fixture *f = *state;
	static const struct {
		const char *type, *unknown, *meant;
	} rows[] = {
		{"brnach", "'brnach'", "did you mean 'branch'?"},
		{"Brunch", "'Brunch'", "did you mean 'branch'?"},
		{"basline", "'basline'", "did you mean 'baseline'?"},
		{"genral", "'genral'", "did you mean 'general'?"},
		{"tabel", "'tabel'", "did you mean 'table'?"},
		{"l1x", "'l1x'", "did you mean 'l1"},
		{"bertie", "'bertie'", "did you mean 'berti'?"},
		{"mockingbay", "'mockingbay'", "did you mean 'mockingjay'?"},
		{"l2+brnach", "'brnach'", "did you mean 'branch'?"},
		{"brnach+l2", "'brnach'", "did you mean 'branch'?"},
		{"l2 ", "'l2 '", NULL},
		{"spoiler", "'spoiler'", NULL},
		{"", "'' has an empty part", NULL},
		{"+", "'+' has an empty part", NULL},
		{"l2+", "'l2+' has an empty part", NULL},
		{"+l2", "'+l2' has an empty part", NULL},
		{"l2++branch", "'l2++branch' has an empty part", NULL},
		{"l2+baseline", "baseline", NULL},
		{"general+l2", "general", NULL},
		{"l2+table", "table", NULL},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		refuse(f, rows[i].type, 1, up_to_16, rows[i].unknown, rows[i].meant);
		refuse(f, rows[i].type, 0, NULL, rows[i].unknown, rows[i].meant);
	}
	refuse(f, "spoiler", 1, up_to_16, "unknown core type 'spoiler'", NULL);
	assert_null(strstr(f->err.msg, "did you mean"));
	/* whatever is written, the message stays whole */
	refuse(f,
	       "a-name-that-is-far-too-long-to-be-one-and-goes-on-and-on-and-on-and-on-and-on-and-on-and-on-and-on-and-"
	       "on-and-on-and-on-and-on-and-on-and-on-and-on-and-on-and-on-and-on-and-on-and-on-and-on-and-on-and-on",
	       1, up_to_16, "unknown core type 'a-name-that", NULL);
}

static void test_duplicates(void **state)
{
	struct fixture *f = *state;
	static const char *const types[] = {
		"l2+l2",
		"L2+l2",
		"branch+l2+Branch",
		"l2+triage",
		"triage+l2",
		"triage+mockingjay",
		"berti+branch+register-file-prefetching",
		"branch+l1i+l1d+l2+l2",
		"branch+l1i+l1d+l2+branch+l1i+l1d+l2",
	};

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		refuse(f, types[i], 1, up_to_16, types[i], "twice");
}

/* Published work: dissertation, table 4.4, in tenths of a per cent. */
static const struct {
	const char *name;
	enum component component;
	int average, targeted;
} published[] = {
	{"cma-bp", COMPONENT_BRANCH, 20, 20},
	{"selective-flushing", COMPONENT_BRANCH, 290, 400},
	{"itp-xptp", COMPONENT_L1I, 189, 200},
	{"entangling", COMPONENT_L1I, 101, 101},
	{"register-file-prefetching", COMPONENT_L1D, 31, 50},
	{"berti", COMPONENT_L1D, 100, 130},
	{"pacipv", COMPONENT_L2, 34, 200},
	{"mockingjay", COMPONENT_L2, 40, 201},
	{"triage", COMPONENT_L2, 230, 230},
	{"runtime-selection", COMPONENT_L2, 58, 58},
};

#define NR_PUBLISHED ARRAY_SIZE(published)
#define TENTH (PPM_PER_PCT / 10)

static void test_literature(void **state)
{
	struct fixture *f = *state;
	static const int32_t own[] = {PCT(12)};

	for (size_t i = 0; i < NR_PUBLISHED; i++) {
		const char *name = published[i].name;
		unsigned bit = 1u << published[i].component;
		int32_t wanted[] = {published[i].targeted * TENTH, published[i].average * TENTH, own[0], own[0]};
		for (int way = 0; way < 4; way++) {
			bool average = way & 1;
			resolve_well(f, name, way >= 2, own, average);
			assert_string_equal(f->type.name, name);
			assert_int_equal(f->spec.nr_speedups, 1);
			assert_int_equal(f->spec.speedup_ppm[0], wanted[way]);
			for (unsigned s = 0; s < NR_STATES; s++) {
				bool stressed = s & bit;
				check_state(&f->type, s, stressed ? wanted[way] : 0, stressed, stressed);
			}
		}
	}
}

static void test_literature_in_capitals(void **state)
{
	struct fixture *f = *state;

	resolve_well(f, "Berti", 0, NULL, false);
	assert_string_equal(f->type.name, "berti");
	check_state(&f->type, L1D, PCT(13), true, true);
	resolve_well(f, "CMA-BP", 0, NULL, false);
	check_state(&f->type, BRANCH, PCT(2), true, true);
	resolve_well(f, "PACIPV", 0, NULL, true);
	check_state(&f->type, L2, 34 * TENTH, true, true);
}

static void test_literature_joined(void **state)
{
	struct fixture *f = *state;
	static const int32_t one[] = {PCT(12)}, two[] = {PCT(1), PCT(2)};

	resolve_well(f, "triage+Berti", 0, NULL, false);
	assert_string_equal(f->type.name, "triage+Berti");
	assert_int_equal(f->spec.nr_speedups, 2);
	assert_int_equal(f->spec.speedup_ppm[0], PCT(23));
	assert_int_equal(f->spec.speedup_ppm[1], PCT(13));
	check_state(&f->type, L2, PCT(23), true, true);
	check_state(&f->type, L1D, PCT(13), true, true);
	check_state(&f->type, L2 | L1D, PCT(23), true, true);
	check_state(&f->type, BRANCH, 0, false, false);

	resolve_well(f, "berti+triage", 0, NULL, true);
	assert_int_equal(f->spec.speedup_ppm[0], PCT(10));
	assert_int_equal(f->spec.speedup_ppm[1], PCT(23));

	resolve_well(f, "berti+l2", 1, one, false);
	check_state(&f->type, L1D, PCT(12), true, true);
	check_state(&f->type, L2, PCT(12), true, true);
	assert_int_equal(f->spec.nr_speedups, 2);

	resolve_well(f, "l2+berti", 2, two, false);
	check_state(&f->type, L2, PCT(1), true, true);
	check_state(&f->type, L1D, PCT(2), true, true);
}

static void test_literature_rows(void **state)
{
	size_t nr = 0;

	(void)state;
	/* More may follow; these stand first. */
	for (const struct literature_row *row = literature_rows; row->name; row++, nr++) {
		assert_non_null(row->source);
		if (nr >= NR_PUBLISHED)
			continue;
		assert_string_equal(row->name, published[nr].name);
		assert_int_equal(row->component, published[nr].component);
		assert_int_equal(ppm_of_pct(strtod(row->average_pct, NULL)), published[nr].average * TENTH);
		assert_int_equal(ppm_of_pct(strtod(row->targeted_pct, NULL)), published[nr].targeted * TENTH);
		assert_non_null(row->work);
	}
	assert_true(nr >= NR_PUBLISHED);
}

/* What has been resolved resolves to the same again: a written configuration reproduces the run. */
static void test_resolved_twice(void **state)
{
	struct fixture *f = *state;
	static const char *const types[] = {"baseline", "general", "triage+berti", "selective-flushing", "pacipv"};

	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		for (int average = 0; average < 2; average++) {
			resolve_well(f, types[i], 0, NULL, average);
			struct core_type first = f->type;
			struct core_spec spec = f->spec;
			resolve_well(f, types[i], spec.nr_speedups, spec.speedup_ppm, average);
			assert_string_equal(first.name, f->type.name);
			assert_int_equal(f->spec.nr_speedups, spec.nr_speedups);
			for (unsigned s = 0; s < NR_STATES; s++)
				check_state(&f->type, s, first.speedup_ppm[s], core_serves(&first, s),
					    core_matches(&first, s));
		}
	}
}

TEST_FILE(test_cores)
{
#define SPEC_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_baseline),
		cmocka_unit_test(test_one_component),
		cmocka_unit_test(test_several_components),
		cmocka_unit_test(test_several_components_of_no_use),
		cmocka_unit_test(test_table),
		SPEC_TEST(test_spec_baseline),
		SPEC_TEST(test_spec_general),
		SPEC_TEST(test_spec_table),
		SPEC_TEST(test_spec_component),
		SPEC_TEST(test_spec_joined),
		SPEC_TEST(test_wrong_numbers_of_speedups),
		SPEC_TEST(test_unknown_types),
		SPEC_TEST(test_duplicates),
		SPEC_TEST(test_literature),
		SPEC_TEST(test_literature_in_capitals),
		SPEC_TEST(test_literature_joined),
		cmocka_unit_test(test_literature_rows),
		SPEC_TEST(test_resolved_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
