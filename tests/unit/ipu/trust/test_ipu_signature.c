/* Signatures: their text, line by line, what they cover, days of the calendar, those that come with the program. */
#include <glob.h>
#include <time.h>

#include "ipu/unit/abi.h"
#include "sim/base/array.h"
#include "sim/base/file.h"
#include "sim/base/suggest.h"
#include "tests/unit/ipu/trust/made_trust.h"

static const char image[] = "an image";

/* Of RFC 8032's second key; the hash is by `b2sum -l 256`. */
#define HEAD "sahm ipu signature 2\n"
#define NAME "name: classify\n"
#define VERSION "version: 1.0.0\n"
#define ABI "abi: core\n"
#define SPEC "spec: 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff\n"
#define CLASS "class: restrictive\n"
#define KEY "key: a704f70b2e6621fc5f91caa03a905d5a\n"
#define EXPIRES "expires: 2030-12-31\n"
#define IMAGE "image: 9f983b25f3099baeda56a393bcfa8ed13690fe8dea5adcdc7d1b93e4f5970c61\n"
#define SIXTEEN "0123456789abcdef"
#define SIGNATURE "signature: " SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN "\n"
#define SIGNED HEAD NAME VERSION ABI SPEC CLASS KEY EXPIRES IMAGE

static struct signature of_program(void)
{
	return (struct signature){.name = "classify",
				  .version = "1.0.0",
				  .abi = "core",
				  .policy = TRUST_POLICY_RESTRICTIVE,
				  .expires = 20301231};
}

static void test_text(void **state)
{
	(void)state;
	struct signature s;
	struct sahm_err err;
	struct textbuf b;
	const char *text = SIGNED SIGNATURE;
	if (signature_read("s", text, strlen(text), &s, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	assert_string_equal(s.name, "classify");
	assert_string_equal(s.version, "1.0.0");
	assert_string_equal(s.abi, "core");
	assert_int_equal(s.spec[0], 0x00);
	assert_int_equal(s.spec[HASH_BYTES - 1], 0xff);
	assert_int_equal(s.policy, TRUST_POLICY_RESTRICTIVE);
	assert_int_equal(s.expires, 20301231);
	assert_int_equal(s.nr_signed, strlen(SIGNED));
	assert_int_equal(s.key_id[0], 0xa7);
	assert_int_equal(s.image[HASH_BYTES - 1], 0x61);
	assert_int_equal(s.ed25519[KEY_SIGNATURE_BYTES - 1], 0xef);
	assert_true(signature_is_of(&s, image, strlen(image)));
	assert_false(signature_is_of(&s, image, strlen(image) - 1));
	assert_false(signature_is_of(&s, "An image", strlen(image)));
	textbuf_init(&b);
	signature_write(&s, &b);
	assert_string_equal(b.text, text);
	textbuf_release(&b);
}

/* A new signature reads back, is by its key over its lines, and is the same each time. */
static void test_made(void **state)
{
	(void)state;
	struct secret_key *k = key_of(7), *other = key_of(8);
	struct signature s;
	char *text = signed_by(k, of_program(), image), *again = signed_by(k, of_program(), image);
	assert_string_equal(text, again);
	assert_int_equal(signature_read("s", text, strlen(text), &s, NULL), SAHM_OK);
	assert_memory_equal(s.key_id, secret_key_public(k)->id, KEY_ID_BYTES);
	assert_true(signature_is_of(&s, image, strlen(image)));
	assert_true(signature_is_by(&s, text, secret_key_public(k)));
	assert_false(signature_is_by(&s, text, secret_key_public(other)));
	/* All lines but the last are what Ed25519 signs. */
	assert_true(public_key_verify(secret_key_public(k), text, (size_t)(strstr(text, "\nsignature: ") + 1 - text),
				      s.ed25519));
	free(again);
	free(text);
	secret_key_free(other);
	secret_key_free(k);
}

/* The line of soft logic is there if there is any, and only in its place. */
static void test_soft_line(void **state)
{
	(void)state;
	static const char soft[] = "soft: 9f983b25f3099baeda56a393bcfa8ed13690fe8dea5adcdc7d1b93e4f5970c61\n";
	struct signature s;
	struct sahm_err err;
	struct textbuf b;
	char text[1024];
	snprintf(text, sizeof(text), SIGNED "%s" SIGNATURE, soft);
	assert_int_equal(signature_read("s", text, strlen(text), &s, NULL), SAHM_OK);
	assert_true(s.has_soft);
	assert_int_equal(s.nr_signed, strlen(SIGNED) + strlen(soft));
	assert_true(signature_is_with(&s, image, strlen(image)));
	assert_false(signature_is_with(&s, image, strlen(image) - 1));
	textbuf_init(&b);
	signature_write(&s, &b);
	assert_string_equal(b.text, text);
	textbuf_release(&b);
	snprintf(text, sizeof(text), SIGNED "%s%s" SIGNATURE, soft, soft);
	assert_int_equal(signature_read("s", text, strlen(text), &s, &err), SAHM_FORMAT);
	assert_string_equal(err.msg, "s:11: the line must be 'signature: ...'");
	snprintf(text, sizeof(text), SIGNED "soft: 9f\n" SIGNATURE);
	assert_int_equal(signature_read("s", text, strlen(text), &s, &err), SAHM_FORMAT);
	assert_string_equal(err.msg, "s:10: soft must be 64 lower-case hexadecimal digits");
	snprintf(text, sizeof(text), SIGNED SIGNATURE);
	assert_int_equal(signature_read("s", text, strlen(text), &s, NULL), SAHM_OK);
	assert_false(s.has_soft);
	assert_false(signature_is_with(&s, image, strlen(image)));
}

/* No byte of it can be another one: either the text is malformed, or the signature is not the key's, or it names
 * another key. */
static void test_every_byte_counts(void **state)
{
	(void)state;
	struct secret_key *k = key_of(7);
	char *text = signed_by(k, of_program(), image);
	size_t len = strlen(text), nr_read = 0;
	for (size_t i = 0; i < len; i++) {
		for (unsigned bit = 0; bit < 8; bit++) {
			struct signature s;
			text[i] = (char)(text[i] ^ (char)(1u << bit));
			if (signature_read("s", text, len, &s, NULL) == SAHM_OK) {
				nr_read++;
				assert_int_equal(s.nr_signed, len - strlen(SIGNATURE));
				if (signature_is_by(&s, text, secret_key_public(k)))
					fail_msg("bit %u of byte %zu does not count", bit, i);
			}
			text[i] = (char)(text[i] ^ (char)(1u << bit));
		}
	}
	assert_true(nr_read > 400);
	free(text);
	secret_key_free(k);
}

static void must_refuse(const char *text, size_t len, const char *message)
{
	struct sahm_err err = {.msg = "it is accepted"};
	struct signature s;
	if (signature_read("s.sig", text, len, &s, &err) != SAHM_FORMAT || strcmp(err.msg, message) != 0)
		fail_msg("'%s', not '%s'", err.msg, message);
}

#define CLASSES "class must be closed, restrictive or permissive"
#define NAMES "name must be " SIGNATURE_NAME_FORM
#define VERSIONS "version must be " SIGNATURE_VERSION_FORM
#define ABIS "abi must be " SIGNATURE_ABI_FORM
#define DAYS "expires must be a day like 2030-12-31, or never"
#define X32 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"

static void test_malformed(void **state)
{
	(void)state;
	static const struct {
		const char *text, *message;
	} rows[] = {
		{"", "s.sig:1: this is no signature: the first line must be 'sahm ipu signature 2'"},
		{"sahm ipu signature 1\n",
		 "s.sig:1: this is no signature: the first line must be 'sahm ipu signature 2'"},
		{"sahm ipu signature 2\r\n",
		 "s.sig:1: this is no signature: the first line must be 'sahm ipu signature 2'"},
		{"\x7f"
		 "ELF",
		 "s.sig:1: this is no signature: the first line must be 'sahm ipu signature 2'"},
		{HEAD, "s.sig:2: the line 'name: ...' is missing"},
		{HEAD "\n", "s.sig:2: the line must be 'name: ...'"},
		{HEAD "# comment\n", "s.sig:2: the line must be 'name: ...'"},
		{HEAD "name: \n", "s.sig:2: name is empty"},
		{HEAD "name:classify\n", "s.sig:2: the line must be 'name: ...'"},
		{HEAD "name:  classify\n", "s.sig:2: " NAMES},
		{HEAD "name: classify \n", "s.sig:2: " NAMES},
		{HEAD "name: ../classify\n", "s.sig:2: " NAMES},
		{HEAD "name: " X32 X32 "x\n", "s.sig:2: " NAMES},
		{HEAD "name: classify\r\n", "s.sig:2: byte 0x0d does not belong in it"},
		{HEAD "name: classif\xc3\xbf\n", "s.sig:2: byte 0xc3 does not belong in it"},
		{HEAD "name: classify", "s.sig:2: the line has no end: the file was cut short"},
		{HEAD VERSION, "s.sig:2: the line must be 'name: ...'"},
		{HEAD NAME NAME, "s.sig:3: the line must be 'version: ...'"},
		{HEAD NAME "version: 1 0\n", "s.sig:3: " VERSIONS},
		{HEAD NAME "version: " X32 "x\n", "s.sig:3: " VERSIONS},
		{HEAD NAME VERSION "abi: Core\n", "s.sig:4: " ABIS},
		{HEAD NAME VERSION "abi: " X32 "x\n", "s.sig:4: " ABIS},
		{HEAD NAME VERSION ABI CLASS, "s.sig:5: the line must be 'spec: ...'"},
		{HEAD NAME VERSION ABI "spec: 00\n", "s.sig:5: spec must be 64 lower-case hexadecimal digits"},
		{HEAD NAME VERSION ABI SPEC "class: open\n", "s.sig:6: " CLASSES},
		{HEAD NAME VERSION ABI SPEC "class: permisive\n", "s.sig:6: " CLASSES "; did you mean 'permissive'?"},
		{HEAD NAME VERSION ABI SPEC "class: " X32 X32 "closed\n", "s.sig:6: " CLASSES},
		{HEAD NAME VERSION ABI SPEC CLASS "key: 00\n", "s.sig:7: key must be 32 lower-case hexadecimal digits"},
		{HEAD NAME VERSION ABI SPEC CLASS KEY "expires: Never\n", "s.sig:8: " DAYS},
		{HEAD NAME VERSION ABI SPEC CLASS KEY "expires: 2030-02-29\n", "s.sig:8: " DAYS},
		{HEAD NAME VERSION ABI SPEC CLASS KEY EXPIRES "image: 00\n",
		 "s.sig:9: image must be 64 lower-case hexadecimal digits"},
		{SIGNED, "s.sig:10: the line 'signature: ...' is missing"},
		{SIGNED "signature: 00\n", "s.sig:10: signature must be 128 lower-case hexadecimal digits"},
		{SIGNED SIGNATURE "\n", "s.sig:11: nothing may follow the last line"},
		{SIGNED SIGNATURE SIGNATURE, "s.sig:11: nothing may follow the last line"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		must_refuse(rows[i].text, strlen(rows[i].text), rows[i].message);
	must_refuse(HEAD "name: a\0b\n", sizeof(HEAD "name: a\0b\n") - 1, "s.sig:2: byte 0x00 does not belong in it");
	/* Nothing that is larger is looked at. */
	static char large[TRUST_MAX_SIGNATURE_BYTES + 1];
	memset(large, 'x', sizeof(large));
	must_refuse(large, sizeof(large), "s.sig: this is no signature: it is larger than 2048 bytes");
	must_refuse(large, sizeof(large) - 1,
		    "s.sig:1: this is no signature: the first line must be 'sahm ipu signature 2'");
}

/* Words as long as they can be; those that are not good are not signed either. */
static void test_words(void **state)
{
	(void)state;
	struct secret_key *k = key_of(7);
	struct signature s = of_program(), read;
	struct textbuf b;
	struct sahm_err err;
	memset(s.name, 'n', sizeof(s.name) - 1);
	memset(s.version, '9', sizeof(s.version) - 1);
	memset(s.abi, 'a', sizeof(s.abi) - 1);
	char *text = signed_by(k, s, image);
	assert_int_equal(signature_read("s", text, strlen(text), &read, NULL), SAHM_OK);
	assert_string_equal(read.name, s.name);
	assert_string_equal(read.version, s.version);
	assert_string_equal(read.abi, s.abi);
	free(text);
	assert_true(signature_name_is_good("Classify-2.x_y"));
	assert_false(signature_name_is_good("-x"));
	assert_false(signature_name_is_good("a/b"));
	assert_true(signature_version_is_good("1.0.0-rc1+b~2"));
	assert_false(signature_version_is_good("v 1"));
	assert_true(signature_abi_is_good("memory_access"));
	assert_false(signature_abi_is_good("9x"));
	static const struct {
		const char *name, *version, *abi, *message;
	} rows[] = {
		{"a\nb", "1", "core", "bad name 'a?b', must be " SIGNATURE_NAME_FORM},
		{"a", "", "core", "bad version '', must be " SIGNATURE_VERSION_FORM},
		{"a", "1", "C", "bad ABI 'C', must be " SIGNATURE_ABI_FORM},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		s = of_program();
		strcpy(s.name, rows[i].name);
		strcpy(s.version, rows[i].version);
		strcpy(s.abi, rows[i].abi);
		textbuf_init(&b);
		assert_int_equal(signature_make(&s, k, image, 1, &b, &err), SAHM_USAGE);
		assert_string_equal(err.msg, rows[i].message);
		assert_int_equal(b.len, 0);
		textbuf_release(&b);
	}
	secret_key_free(k);
}

static void test_days(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		uint32_t date; /* 0: none */
	} rows[] = {
		{"2026-11-22", 20261122}, {"0001-01-01", 10101},    {"9999-12-31", 99991231}, {"2024-02-29", 20240229},
		{"2000-02-29", 20000229}, {"2023-02-28", 20230228}, {"2026-04-30", 20260430}, {"2026-01-31", 20260131},
		{"2023-02-29", 0},	  {"1900-02-29", 0},	    {"2026-04-31", 0},	      {"2026-12-32", 0},
		{"2026-13-01", 0},	  {"2026-00-01", 0},	    {"2026-01-00", 0},	      {"0000-01-01", 0},
		{"2026-1-01", 0},	  {"2026/01/01", 0},	    {"2026-01-01 ", 0},	      {"", 0},
		{"-026-01-01", 0},	  {"2026-01-0:", 0},	    {"2026-01-0/", 0},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint32_t date = 0;
		char text[DATE_BYTES];
		if (date_read(rows[i].text, strlen(rows[i].text), &date) != (rows[i].date != 0) || date != rows[i].date)
			fail_msg("'%s' is %u", rows[i].text, date);
		if (date)
			assert_string_equal(date_write(date, text), rows[i].text);
	}
	uint32_t date = 0;
	char text[DATE_BYTES];
	assert_false(date_read("never", 5, &date));
	assert_true(date_read_expiry("never", 5, &date));
	assert_true(date == DATE_NEVER);
	assert_string_equal(date_write(date, text), "never");
	assert_true(date_read_expiry("2026-11-22", 10, &date));
	assert_false(date_read_expiry("neve", 4, &date));
}

/* What a clock shows, on both sides of midnight and of the ends of months, years and what can be written. */
static void test_days_of_seconds(void **state)
{
	(void)state;
	static const struct {
		int64_t seconds;
		uint32_t date; /* 0: none */
	} rows[] = {
		{0, 19700101},		 {86399, 19700101},	   {86400, 19700102},	   {-1, 19691231},
		{-86400, 19691231},	 {-86401, 19691230},	   {951782399, 20000228},  {951782400, 20000229},
		{951868800, 20000301},	 {1709164799, 20240228},   {1709164800, 20240229}, {1709251199, 20240229},
		{1709251200, 20240301},	 {1677628799, 20230228},   {1677628800, 20230301}, {-2203891201, 19000228},
		{-2203891200, 19000301}, {4107542399, 21000228},   {4107542400, 21000301}, {1795305599, 20261121},
		{1795305600, 20261122},	 {1735689599, 20241231},   {1735689600, 20250101}, {-62135596800, 10101},
		{-62135596801, 0},	 {253402300799, 99991231}, {253402300800, 0},	   {INT64_MAX, 0},
		{INT64_MIN, 0},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint32_t date = 0;
		if (date_of_seconds(rows[i].seconds, &date) != (rows[i].date != 0) || date != rows[i].date)
			fail_msg("%lld is %u", (long long)rows[i].seconds, date);
	}
}

/* Each day is the next one, and can be read back. */
static void test_days_in_a_row(void **state)
{
	(void)state;
	uint32_t date = 0, last = 0;
	char text[DATE_BYTES];
	for (int64_t day = -719162; date_of_seconds(day * 86400 + 43200, &date); day++) {
		uint32_t again = 0;
		assert_true(date > last);
		assert_true(date_read(date_write(date, text), DATE_BYTES - 1, &again) && again == date);
		last = date;
	}
	assert_int_equal(last, 99991231);
}

/* Today is the day of UTC, wherever this runs. */
static void test_today(void **state)
{
	(void)state;
	static const char *const zones[] = {"UTC0", "EAST-14", "WEST+12"};
	for (size_t i = 0; i < ARRAY_SIZE(zones); i++) {
		uint32_t before = 0, today = 0, after = 0;
		assert_int_equal(setenv("TZ", zones[i], 1), 0);
		tzset();
		assert_true(date_of_seconds(time(NULL), &before));
		assert_true(date_today(&today));
		assert_true(date_of_seconds(time(NULL), &after));
		assert_true(before <= today && today <= after && today > 20240101);
	}
	assert_int_equal(unsetenv("TZ"), 0);
	tzset();
}

static void test_policies(void **state)
{
	(void)state;
	enum trust_policy policy;
	char hint[SUGGEST_BYTES];
	for (unsigned i = 0; i < NR_TRUST_POLICIES; i++) {
		assert_true(trust_policy_find(trust_policy_name(i), &policy, hint));
		assert_int_equal(policy, i);
	}
	/* From the strictest on. */
	assert_true(TRUST_POLICY_CLOSED < TRUST_POLICY_RESTRICTIVE &&
		    TRUST_POLICY_RESTRICTIVE < TRUST_POLICY_PERMISSIVE);
	assert_false(trust_policy_find("close", &policy, hint));
	assert_string_equal(hint, "; did you mean 'closed'?");
}

/* Every program that comes with the source is signed as the demonstration key signs it. */
static void test_shipped(void **state)
{
	(void)state;
	glob_t found;
	struct secret_key *k = NULL;
	struct trust *t = NULL;
	struct sahm_err err;
	if (secret_key_read("ipu/programs/keys/insecure-demonstration.key", &k, &err) != SAHM_OK ||
	    trust_read(&t, "configs/trust/demonstration.cfg", &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	assert_int_equal(glob("ipu/programs/prebuilt/*.elf", 0, NULL, &found), 0);
	assert_true(found.gl_pathc >= 6);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		char path[256], *bytes = NULL, *text = NULL;
		size_t nr_bytes = 0, len = 0;
		struct signature s;
		struct textbuf b;
		struct abi spec;
		struct arena a;
		snprintf(path, sizeof(path), "%s.sig", found.gl_pathv[i]);
		if (file_read(found.gl_pathv[i], 1 << 20, &bytes, &nr_bytes, &err) != SAHM_OK ||
		    file_read(path, 1 << 20, &text, &len, &err) != SAHM_OK ||
		    signature_read(path, text, len, &s, &err) != SAHM_OK)
			fail_msg("%s", err.msg);
		snprintf(path, sizeof(path), "ipu/abi/%s.cfg", s.abi);
		arena_init(&a);
		if (abi_read(&a, path, &spec, &err) != SAHM_OK)
			fail_msg("%s", err.msg);
		const struct trust_abi abi = abi_to_trust(&spec);
		if (trust_check_file(t, found.gl_pathv[i], bytes, nr_bytes, &abi, &err) != SAHM_OK)
			fail_msg("%s", err.msg);
		textbuf_init(&b);
		assert_int_equal(signature_make(&s, k, bytes, nr_bytes, &b, &err), SAHM_OK);
		assert_string_equal(b.text, text);
		textbuf_release(&b);
		arena_release(&a);
		free(text);
		free(bytes);
	}
	globfree(&found);
	trust_free(t);
	secret_key_free(k);
}

TEST_FILE(test_ipu_signature)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),	      cmocka_unit_test(test_made),
		cmocka_unit_test(test_soft_line),     cmocka_unit_test(test_every_byte_counts),
		cmocka_unit_test(test_malformed),     cmocka_unit_test(test_words),
		cmocka_unit_test(test_days),	      cmocka_unit_test(test_days_of_seconds),
		cmocka_unit_test(test_days_in_a_row), cmocka_unit_test(test_today),
		cmocka_unit_test(test_policies),      cmocka_unit_test(test_shipped),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
