/* Compressed blocks: what goes in comes out, and no bit that changes on the way goes unnoticed. */
#include "sim/base/zstd_block.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

static void test_every_bit(void **state)
{
	char bytes[160], *out;
	size_t len;
	struct textbuf packed;
	struct sahm_err err;
	(void)state;
	/* Part of it can be compressed, and part is as it was. */
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = i < 80 ? 'a' : (char)(i * i * 37 + i / 7);
	textbuf_init(&packed);
	assert_true(zstd_pack(bytes, sizeof(bytes), &packed));
	assert_int_equal(zstd_unpack(packed.text, packed.len, sizeof(bytes), &out, &len, &err), SAHM_OK);
	assert_int_equal(len, sizeof(bytes));
	assert_memory_equal(out, bytes, len);
	free(out);
	for (size_t bit = 0; bit < packed.len * 8; bit++) {
		packed.text[bit / 8] ^= (char)(1 << bit % 8);
		enum sahm_status status = zstd_unpack(packed.text, packed.len, sizeof(bytes), &out, &len, &err);
		/* Some bits mean nothing: then the bytes are what they were. */
		if (status == SAHM_OK && (len != sizeof(bytes) || memcmp(out, bytes, len) != 0))
			fail_msg("bit %zu changes what comes out", bit);
		if (status == SAHM_OK)
			free(out);
		packed.text[bit / 8] ^= (char)(1 << bit % 8);
	}
	textbuf_release(&packed);
}

TEST_FILE(test_zstd_block)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_bit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
