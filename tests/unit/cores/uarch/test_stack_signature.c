#include "cores/uarch/stack_signature.h"

#include "tests/unit/test.h"

/* Of ST-L1 and ST-LLC, which come together, only the latter is named. */
static void test_names(void **state)
{
	(void)state;
	static const struct {
		unsigned signature;
		const char *name;
		bool is_combined;
	} rows[] = {
		{0, "Base", false},
		{SIGNATURE_ST_L1, "ST-L1", false},
		{SIGNATURE_ST_L1 | SIGNATURE_ST_LLC, "ST-LLC", false},
		{SIGNATURE_ST_L1 | SIGNATURE_ST_TLB, "ST-L1+ST-TLB", true},
		{SIGNATURE_ST_L1 | SIGNATURE_ST_TLB | SIGNATURE_ST_LLC, "ST-TLB+ST-LLC", true},
		{SIGNATURE_DR_L1 | SIGNATURE_FL_MO, "DR-L1+FL-MO", true},
		{NR_SIGNATURES - 1, "DR-L1+DR-TLB+DR-SQ+FL-MB+FL-EX+FL-MO+ST-TLB+ST-LLC", true},
	};
	for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
		char name[STACK_SIGNATURE_NAME_BYTES];
		assert_string_equal(signature_name(rows[i].signature, name), rows[i].name);
		assert_int_equal(signature_is_combined(rows[i].signature), rows[i].is_combined);
	}
}

/* Table 1 of the paper, by the numbers of bits that it has the schemes store. */
static void test_schemes(void **state)
{
	(void)state;
	const unsigned all = NR_SIGNATURES - 1,
		       spe = all & ~(unsigned)(SIGNATURE_DR_L1 | SIGNATURE_DR_TLB | SIGNATURE_DR_SQ | SIGNATURE_FL_MO);
	static const int bits[NR_STACK_SCHEMES] = {9, 9, 6, 5, 7};
	for (unsigned i = 0; i < NR_STACK_SCHEMES; i++)
		assert_int_equal(__builtin_popcount(stack_scheme_events((enum stack_scheme)i)), bits[i]);
	assert_int_equal(stack_scheme_events(SCHEME_SPE), spe);
	assert_int_equal(stack_scheme_events(SCHEME_RIS), all & ~(unsigned)(SIGNATURE_FL_EX | SIGNATURE_FL_MO));
	assert_int_equal(stack_scheme_events(SCHEME_IBS),
			 all & ~(unsigned)(SIGNATURE_DR_SQ | SIGNATURE_FL_EX | SIGNATURE_FL_MO));
}

TEST_FILE(test_stack_signature)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_names), cmocka_unit_test(test_schemes)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
