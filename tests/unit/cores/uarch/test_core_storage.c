/* The storage of golden-cove's structures, added up by hand, and what other parts of a core add. */
#include "cores/uarch/core_storage.h"

#include <stdio.h>

#include "cores/uarch/core_model.h"
#include "sim/base/array.h"
#include "tests/unit/test.h"

static struct core_storage storage_of(const char *core, const char *const *settings, size_t nr)
{
	char path[128];
	struct core_model c;
	struct sahm_err err;
	snprintf(path, sizeof(path), "configs/cores/%s.cfg", core);
	if (core_model_read(path, settings, nr, "configs/cpus", &c, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	return core_storage(&c.geometry);
}

static struct core_storage storage_with(const char *const *settings, size_t nr)
{
	return storage_of("golden-cove", settings, nr);
}

/* Tags are what is left of 48 bits; after them valid, dirty, prefetched. */
static void test_golden_cove(void **state)
{
	(void)state;
	static const struct {
		enum core_part part;
		uint64_t bits;
	} rows[] = {
		{PART_L1I_DATA, UINT64_C(32) * 1024 * 8},
		{PART_L1I_TAGS, 512 * (36 + 1)}, /* 64 sets of lines of 64 bytes; no stores, no prefetcher */
		{PART_L1I_REPLACEMENT, 512 * 3}, /* LRU of 8 ways */
		{PART_L1D_DATA, UINT64_C(48) * 1024 * 8},
		{PART_L1D_TAGS, 768 * (36 + 3)},
		{PART_L1D_REPLACEMENT, 768 * 4}, /* 12 ways */
		{PART_L1D_PREFETCHER, 256 * (3 * 48 + 2)},
		{PART_L2_DATA, UINT64_C(1280) * 1024 * 8},
		{PART_L2_TAGS, 20480 * (31 + 3)}, /* 2,048 sets */
		{PART_L2_REPLACEMENT, 20480 * 4}, /* 10 ways */
		{PART_LLC_DATA, UINT64_C(30720) * 1024 * 8},
		{PART_LLC_TAGS, 491520 * (27 + 2)},	     /* 32,768 sets, no prefetcher */
		{PART_LLC_REPLACEMENT, 491520 * 4},	     /* 15 ways */
		{PART_ITLB, 256 * (31 + 36 + 1 + 3)},	     /* 32 sets of 8; pages have 36 bits */
		{PART_DTLB, 96 * (32 + 36 + 1 + 3)},	     /* 16 sets of 6 */
		{PART_SECOND_TLB, 2048 * (29 + 36 + 1 + 4)}, /* 128 sets of 16 */
		{PART_BTB, 12288 * (37 + 48 + 1 + 4)},	     /* 1,024 sets of 12; branches without their lowest bit */
		/* 8,192 counters; tags of 88 bits in all eight tables, with counter and usefulness 5 more each; 194
		 * outcomes; 24 bits of counters */
		{PART_DIRECTIONS, 8192 * 2 + 2048 * (88 + 8 * 5) + 194 + 24},
		{PART_TARGETS, 3 * 2048 * (48 + 48 + 1) + 32},
		{PART_RETURNS, 20 * 48 + 5},
	};
	struct core_storage s = storage_with(NULL, 0), expected = {.bytes = {0}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		bool is_llc = rows[i].part >= PART_LLC_DATA && rows[i].part <= PART_LLC_PREFETCHER;
		expected.bytes[rows[i].part] = (rows[i].bits + 7) / 8;
		expected.all_bytes += expected.bytes[rows[i].part];
		expected.core_bytes += is_llc ? 0 : expected.bytes[rows[i].part];
	}
	for (unsigned i = 0; i < NR_CORE_PARTS; i++)
		if (s.bytes[i] != expected.bytes[i])
			fail_msg("%s: %u, not %u", core_part_name((enum core_part)i), (unsigned)s.bytes[i],
				 (unsigned)expected.bytes[i]);
	assert_int_equal(s.core_bytes, expected.core_bytes);
	assert_int_equal(s.all_bytes, expected.all_bytes);
}

/* In bits of L2 without its data: what replacement and prefetchers add. */
static void test_variants(void **state)
{
	(void)state;
	static const struct {
		const char *settings[2];
		enum core_part part;
		uint64_t bits;
	} rows[] = {
		{{"l2.replacement=random", "seed=2"}, PART_L2_REPLACEMENT, 64},
		{{"l2.replacement=rrip", "seed=2"}, PART_L2_REPLACEMENT, 20480 * 2},
		{{"l2.size_kib=1024", "l2.ways=8"}, PART_L2_REPLACEMENT, 16384 * 3},
		{{"l2.prefetcher=none", "seed=2"}, PART_L2_TAGS, 20480 * (31 + 2)},
		/* both: 3,614 and 976 bits, as in test_prefetcher.c */
		{{"l2.prefetcher=[\"best-offset\", \"stream\"]", "l2.degree=4"}, PART_L2_PREFETCHER, 3614 + 976},
		{{"l2.prefetcher=[\"stream\", \"best-offset\"]", "l2.degree=[1, 2]"}, PART_L2_TAGS, 20480 * (31 + 3)},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct core_storage s = storage_with(rows[i].settings, 2);
		if (s.bytes[rows[i].part] != (rows[i].bits + 7) / 8)
			fail_msg("%s: %u", rows[i].settings[0], (unsigned)s.bytes[rows[i].part]);
	}
	static const char *const plru[] = {"l1i.replacement=plru"};
	assert_int_equal(storage_with(plru, 1).bytes[PART_L1I_REPLACEMENT], 64 * 7 / 8);
}

/* The general core has the storage of a specialised one, less than a set of its entangling table away. */
static void test_general(void **state)
{
	(void)state;
	const uint64_t set_bytes = (16 * 107 + 7) / 8;
	uint64_t special = storage_of("special-l1i", NULL, 0).core_bytes;
	assert_in_range(storage_of("general", NULL, 0).core_bytes, special - set_bytes, special);
}

TEST_FILE(test_core_storage)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_golden_cove),
		cmocka_unit_test(test_variants),
		cmocka_unit_test(test_general),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
