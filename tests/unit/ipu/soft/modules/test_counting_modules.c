/* The small shipped modules, a hash counter in C and a value histogram in Verilog, against counts made another way. The
 * histogram runs in its sandboxed process, as users have it. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ipu/soft/modules/shipped_modules.h"
#include "ipu/soft/soft.h"
#include "ipu/soft/verilog.h"
#include "tests/helper/random.h"
#include "tests/unit/test.h"

#define NR_SETS 20000u
#define NR_BUCKETS 128u

static void test_hash_counter(void **state)
{
	enum { ADDRESSES = 0x00, INDEX = 0x04, COUNT = 0x08, HOTTEST = 0x0c, HOTTEST_COUNT = 0x10 };
	const struct soft_module *m = soft_module_hash_counter();
	void *counter = m->make(NULL);
	uint64_t rng = 1;
	uint32_t sum = 0, most = 0;
	(void)state;
	assert_non_null(counter);
	/* Every third access is to the line at 0x1000. */
	for (uint64_t i = 0; i < NR_SETS; i++) {
		uint64_t address = i % 3 == 0 ? 0x1000 + between(&rng, 0, 63) : next_random(&rng);
		m->step(counter, i, 1, &address);
	}
	assert_int_equal(m->read(counter, ADDRESSES), NR_SETS);
	for (uint32_t i = 0; i < 256; i++) {
		m->write(counter, INDEX, i);
		uint32_t count = m->read(counter, COUNT);
		sum += count;
		most = count > most ? count : most;
	}
	assert_int_equal(sum, NR_SETS);
	assert_int_equal(m->read(counter, HOTTEST_COUNT), most);
	assert_true(most > NR_SETS / 3 && most < NR_SETS / 2);
	/* All addresses of a line have one counter, which is the hottest one. */
	m->write(counter, INDEX, m->read(counter, HOTTEST));
	const uint64_t last_of_line = 0x103f, next_line = 0x1040;
	m->step(counter, NR_SETS, 1, &last_of_line);
	assert_int_equal(m->read(counter, COUNT), most + 1);
	m->step(counter, NR_SETS + 1, 1, &next_line);
	assert_int_equal(m->read(counter, COUNT), most + 1);
	m->release(counter);
}

static enum sahm_status build_histogram(struct soft **soft, struct sahm_err *err)
{
	char folder[] = "/tmp/sahm-test-XXXXXX", path[64];
	struct textbuf said;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/histogram.so", folder);
	const struct verilog_build b = {.source = "ipu/soft/modules/value_histogram.v",
					.top = "value_histogram",
					.output = path,
					.name = "value_histogram",
					.version = "1.0.0",
					.data = "."};
	textbuf_init(&said);
	enum sahm_status status = verilog_build(&b, &said, err);
	textbuf_release(&said);
	if (status == SAHM_OK)
		status = soft_open(soft, path, "histogram.so", SOFT_IN_OWN_PROCESS, err);
	unlink(path);
	rmdir(folder);
	return status;
}

static void test_value_histogram(void **state)
{
	enum { VALUES = 0x00, BUCKET = 0x04, COUNT = 0x08 };
	static uint32_t counts[NR_BUCKETS];
	struct soft *soft;
	struct soft_block *b;
	struct sahm_err err;
	uint64_t rng = 2;
	(void)state;
	enum sahm_status status = build_histogram(&soft, &err);
	if (status == SAHM_TOOL || status == SAHM_REFUSED) {
		print_message("%s\n", err.msg);
		skip();
	}
	assert_int_equal(status, SAHM_OK);
	assert_int_equal(soft_block_new(&b, soft, &err), SAHM_OK);
	for (uint64_t i = 0; i < NR_SETS; i++) {
		/* Equal numbers in a set, too. */
		uint64_t value = one_in(&rng, 4) ? UINT64_C(0x3c003c003c003c00) : next_random(&rng);
		for (unsigned lane = 0; lane < 4; lane++)
			counts[value >> (16 * lane + 9) & 127]++;
		soft_block_step(b, 2 * i, 1, &value);
	}
	assert_int_equal(soft_block_read(b, 2 * NR_SETS, VALUES), 4 * NR_SETS);
	for (uint32_t i = 0; i < NR_BUCKETS; i++) {
		soft_block_write(b, 2 * NR_SETS, BUCKET, i);
		assert_int_equal(soft_block_read(b, 2 * NR_SETS, COUNT), counts[i]);
	}
	assert_int_equal(soft_check(soft, &err), SAHM_OK);
	soft_block_free(b);
	soft_close(soft);
}

TEST_FILE(test_counting_modules)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_hash_counter), cmocka_unit_test(test_value_histogram)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
