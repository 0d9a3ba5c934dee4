/* Keys: known pairs, signatures and ids, files and who can read them, what is no key. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/array.h"
#include "sim/base/file.h"
#include "tests/unit/ipu/trust/made_trust.h"
#include "tests/unit/own_folder.h"

static void read_hex(const char *text, uint8_t *bytes, size_t nr_bytes)
{
	if (!key_read_hex(text, strlen(text), bytes, nr_bytes))
		fail_msg("%s", text);
}

/* RFC 8032, section 7.1, tests 1 and 2; ids by `xxd -r -p | b2sum -l 128`. */
static void test_known(void **state)
{
	(void)state;
	static const struct {
		const char *seed, *public, *id, *message, *signature;
	} rows[] = {
		{"9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
		 "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "d7108b422f25cc5edb865cc4ae184f55",
		 "",
		 "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e0652249015"
		 "55fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"},
		{"4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
		 "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "a704f70b2e6621fc5f91caa03a905d5a",
		 "\x72",
		 "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69d"
		 "a085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct secret_key *k = NULL;
		uint8_t seed[KEY_SEED_BYTES], signature[KEY_SIGNATURE_BYTES];
		char text[2 * KEY_SIGNATURE_BYTES + 1];
		size_t len = strlen(rows[i].message);
		read_hex(rows[i].seed, seed, sizeof(seed));
		assert_int_equal(secret_key_of_seed(seed, &k, NULL), SAHM_OK);
		const struct public_key *public = secret_key_public(k);
		assert_string_equal(hex_of(public->bytes, KEY_PUBLIC_BYTES, text), rows[i].public);
		assert_string_equal(key_id_hex(public->id, text), rows[i].id);
		secret_key_sign(k, rows[i].message, len, signature);
		assert_string_equal(hex_of(signature, KEY_SIGNATURE_BYTES, text), rows[i].signature);
		assert_true(public_key_verify(public, rows[i].message, len, signature));
		assert_false(public_key_verify(public, "x", 1, signature));
		for (unsigned byte = 0; byte < KEY_SIGNATURE_BYTES; byte++) {
			signature[byte] ^= 1;
			assert_false(public_key_verify(public, rows[i].message, len, signature));
			signature[byte] ^= 1;
		}
		secret_key_free(k);
	}
	secret_key_free(NULL);
}

/* Points of small order, under which anything verifies; numbers that are no points; points written in a second way. */
static void test_no_keys(void **state)
{
	(void)state;
	static const char *const rows[] = {
		"0000000000000000000000000000000000000000000000000000000000000000",
		"0100000000000000000000000000000000000000000000000000000000000000",
		"0100000000000000000000000000000000000000000000000000000000000080",
		"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
		"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
		"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
		"0200000000000000000000000000000000000000000000000000000000000000",
		"edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
		"eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
		"ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct public_key k;
		uint8_t bytes[KEY_PUBLIC_BYTES];
		read_hex(rows[i], bytes, sizeof(bytes));
		if (public_key_init(&k, bytes))
			fail_msg("%s is a key", rows[i]);
	}
}

static void test_hex(void **state)
{
	(void)state;
	uint8_t bytes[2] = {0};
	assert_true(key_read_hex("09af", 4, bytes, 2));
	assert_int_equal(bytes[0], 0x09);
	assert_int_equal(bytes[1], 0xaf);
	static const char *const rows[] = {"09a", "09af0", "09AF", "09ag", "09a/", "09a:", "09a`", "09 f", "0x9f", ""};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (key_read_hex(rows[i], strlen(rows[i]), bytes, 2))
			fail_msg("'%s' is taken", rows[i]);
}

static const char *in_folder(const char *name)
{
	static char paths[16][96];
	static unsigned next;
	char *path = paths[next++ % 16];
	snprintf(path, sizeof(paths[0]), "%s/%s", own_folder, name);
	return path;
}

static unsigned mode_of(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 ? st.st_mode & 07777u : 0;
}

static void write_text(const char *path, const char *text, mode_t mode)
{
	struct sahm_err err;
	if (file_write(path, text, strlen(text), &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	assert_int_equal(chmod(path, mode), 0);
}

/* The key made is read back; only the owner can read the secret half, whatever the umask. */
static void test_files(void **state)
{
	(void)state;
	struct secret_key *made = NULL, *again = NULL, *other = NULL;
	struct public_key public;
	struct sahm_err err;
	uint8_t a[KEY_SIGNATURE_BYTES], b[KEY_SIGNATURE_BYTES];
	mode_t before = umask(0);
	assert_int_equal(secret_key_make(&made, NULL), SAHM_OK);
	if (secret_key_write(made, in_folder("a"), &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	umask(before);
	assert_int_equal(mode_of(in_folder("a.key")), 0600);
	if (secret_key_read(in_folder("a.key"), &again, &err) != SAHM_OK ||
	    public_key_read(in_folder("a.pub"), &public, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	assert_false(secret_key_is_published(again));
	assert_memory_equal(&public, secret_key_public(made), sizeof(public));
	secret_key_sign(made, "m", 1, a);
	secret_key_sign(again, "m", 1, b);
	assert_memory_equal(a, b, sizeof(a));
	/* Another one is another one. */
	assert_int_equal(secret_key_make(&other, NULL), SAHM_OK);
	assert_memory_not_equal(secret_key_public(other)->bytes, public.bytes, KEY_PUBLIC_BYTES);
	secret_key_free(other);
	secret_key_free(again);
	secret_key_free(made);
}

/* Neither half is overwritten, and a failure leaves none without the other. */
static void test_never_overwritten(void **state)
{
	(void)state;
	struct sahm_err err;
	char expected[128];
	struct secret_key *k = key_of(1);
	write_text(in_folder("b.key"), "mine", 0600);
	assert_int_equal(secret_key_write(k, in_folder("b"), &err), SAHM_IO);
	snprintf(expected, sizeof(expected), "'%s' is there already: a key is never overwritten", in_folder("b.key"));
	assert_string_equal(err.msg, expected);
	assert_int_equal(access(in_folder("b.pub"), F_OK), -1);
	write_text(in_folder("c.pub"), "mine", 0600);
	assert_int_equal(secret_key_write(k, in_folder("c"), &err), SAHM_IO);
	snprintf(expected, sizeof(expected), "'%s' is there already: a key is never overwritten", in_folder("c.pub"));
	assert_string_equal(err.msg, expected);
	assert_int_equal(access(in_folder("c.key"), F_OK), -1);
	/* Nor does it go where a link leads. */
	assert_int_equal(symlink("elsewhere", in_folder("d.key")), 0);
	assert_int_equal(secret_key_write(k, in_folder("d"), &err), SAHM_IO);
	assert_int_equal(access(in_folder("elsewhere"), F_OK), -1);
	secret_key_free(k);
}

#define ZEROS16 "0000000000000000"
#define SEED "seed: " ZEROS16 ZEROS16 ZEROS16 ZEROS16 "\n"

/* A secret that others can read is refused, unless it is marked as public. */
static void test_open_to_others(void **state)
{
	(void)state;
	static const unsigned open_modes[] = {0640, 0604, 0610, 0620, 0644, 0666, 0601};
	struct secret_key *k = NULL;
	struct sahm_err err;
	char expected[256];
	const char *path = in_folder("open.key");
	for (size_t i = 0; i < ARRAY_SIZE(open_modes); i++) {
		write_text(path, "sahm ipu secret key 1\n" SEED, open_modes[i]);
		assert_int_equal(secret_key_read(path, &k, &err), SAHM_IO);
		snprintf(expected, sizeof(expected),
			 "%s: others than its owner can use this key (mode %04o); chmod 600 it, or make a new one",
			 path, open_modes[i]);
		assert_string_equal(err.msg, expected);
	}
	write_text(path, "sahm ipu secret key 1\n" SEED, 0400);
	assert_int_equal(secret_key_read(path, &k, NULL), SAHM_OK);
	secret_key_free(k);
	write_text(path, "sahm ipu published key 1\n# everybody's\n" SEED, 0644);
	assert_int_equal(secret_key_read(path, &k, NULL), SAHM_OK);
	assert_true(secret_key_is_published(k));
	secret_key_free(k);
	assert_int_equal(secret_key_read(in_folder("none.key"), &k, &err), SAHM_IO);
	assert_int_equal(secret_key_read(own_folder, &k, &err), SAHM_IO);
}

static void test_largest(void **state)
{
	(void)state;
	static char text[KEY_MAX_FILE_BYTES + 2];
	struct secret_key *k = NULL;
	struct sahm_err err;
	const char *path = in_folder("large.key");
	static const char head[] = "sahm ipu published key 1\n#";
	memset(text, 'x', KEY_MAX_FILE_BYTES);
	memcpy(text, head, sizeof(head) - 1);
	memcpy(text + KEY_MAX_FILE_BYTES - sizeof(SEED), "\n" SEED, sizeof(SEED));
	write_text(path, text, 0600);
	assert_int_equal(secret_key_read(path, &k, NULL), SAHM_OK);
	secret_key_free(k);
	strcat(text, "\n");
	write_text(path, text, 0600);
	assert_int_equal(secret_key_read(path, &k, &err), SAHM_FORMAT);
	assert_non_null(strstr(err.msg, "it is larger than 4096 bytes"));
}

#define PUBLIC "public: 3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c\n"
#define ID "id: a704f70b2e6621fc5f91caa03a905d5a\n"

/* Each line of both files; a message never quotes what may be a secret. */
static void test_malformed(void **state)
{
	(void)state;
	static const struct {
		bool is_public;
		const char *text, *message;
	} rows[] = {
		{false, "", "k:1: this is no secret key: the first line must be 'sahm ipu secret key 1'"},
		{false, "sahm ipu secret key 2\n" SEED,
		 "k:1: this is no secret key: the first line must be 'sahm ipu secret key 1'"},
		{false, "sahm ipu secret key 1",
		 "k:1: this is no secret key: the first line must be 'sahm ipu secret key 1'"},
		{false, "sahm ipu secret key 1\n", "k:2: the line 'seed: ...' is missing"},
		{false, "sahm ipu secret key 1\n# a\n#", "k:3: the line has no end: the file was cut short"},
		{false, "sahm ipu secret key 1\n# a\n# b\n", "k:4: the line 'seed: ...' is missing"},
		{false, "sahm ipu secret key 1\nsecret\n", "k:2: the line must be 'seed: ...'"},
		{false, "sahm ipu secret key 1\nseed: \n", "k:2: seed is empty"},
		{false, "sahm ipu secret key 1\nseed: 00\n", "k:2: seed must be 64 lower-case hexadecimal digits"},
		{false, "sahm ipu secret key 1\nseed: " ZEROS16 ZEROS16 ZEROS16 "000000000000000G\n",
		 "k:2: seed must be 64 lower-case hexadecimal digits"},
		{false, "sahm ipu secret key 1\n" SEED SEED, "k:3: nothing may follow the last line"},
		{false, "sahm ipu secret key 1\nseed:\t0\n", "k:2: byte 0x09 does not belong in it"},
		{false, "sahm ipu public key 1\n" PUBLIC ID,
		 "k:1: this is no secret key: the first line must be 'sahm ipu secret key 1'"},
		{true, "sahm ipu secret key 1\n" SEED,
		 "k:1: this is no public key: the first line must be 'sahm ipu public key 1'"},
		{true, "sahm ipu public key 1\nid: 0\n", "k:2: the line must be 'public: ...'"},
		{true, "sahm ipu public key 1\npublic: 0\n", "k:2: public must be 64 lower-case hexadecimal digits"},
		{true, "sahm ipu public key 1\npublic: " ZEROS16 ZEROS16 ZEROS16 ZEROS16 "\n" ID,
		 "k:2: public is no key of Ed25519"},
		{true, "sahm ipu public key 1\n" PUBLIC, "k:3: the line 'id: ...' is missing"},
		{true, "sahm ipu public key 1\n" PUBLIC "id: " ZEROS16 ZEROS16 "\n", "k:3: id is not that of the key"},
		{true, "sahm ipu public key 1\n" PUBLIC ID "#\n", "k:4: nothing may follow the last line"},
		{true, "sahm ipu public key 1\n" PUBLIC "# a\n" ID, "k:3: the line must be 'id: ...'"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sahm_err err = {.msg = "it is accepted"};
		struct secret_key *k = NULL;
		struct public_key public;
		const char *text = rows[i].text;
		enum sahm_status status = rows[i].is_public ? public_key_of_text("k", text, strlen(text), &public, &err)
							    : secret_key_of_text("k", text, strlen(text), &k, &err);
		if (status != SAHM_FORMAT || strcmp(err.msg, rows[i].message) != 0)
			fail_msg("row %zu: '%s', not '%s'", i, err.msg, rows[i].message);
	}
}

/* The published key is what its text says that it is. */
static void test_demonstration(void **state)
{
	(void)state;
	struct secret_key *k = NULL;
	struct public_key public;
	struct sahm_err err;
	static const char sentence[] = "the insecure demonstration key of sahm, which everybody has";
	uint8_t seed[HASH_BYTES], a[KEY_SIGNATURE_BYTES], b[KEY_SIGNATURE_BYTES];
	struct secret_key *of_sentence = NULL;
	struct hash h;
	if (secret_key_read("ipu/programs/keys/insecure-demonstration.key", &k, &err) != SAHM_OK ||
	    public_key_read("ipu/programs/keys/insecure-demonstration.pub", &public, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	assert_true(secret_key_is_published(k));
	assert_memory_equal(&public, secret_key_public(k), sizeof(public));
	hash_init(&h);
	hash_add(&h, sentence, sizeof(sentence) - 1);
	hash_end(&h, seed);
	assert_int_equal(secret_key_of_seed(seed, &of_sentence, NULL), SAHM_OK);
	secret_key_sign(k, "m", 1, a);
	secret_key_sign(of_sentence, "m", 1, b);
	assert_memory_equal(a, b, sizeof(a));
	secret_key_free(of_sentence);
	secret_key_free(k);
}

TEST_FILE(test_ipu_key)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known),
		cmocka_unit_test(test_no_keys),
		cmocka_unit_test(test_hex),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_never_overwritten),
		cmocka_unit_test(test_open_to_others),
		cmocka_unit_test(test_largest),
		cmocka_unit_test(test_malformed),
		cmocka_unit_test(test_demonstration),
	};
	return cmocka_run_group_tests(tests, make_own_folder, remove_own_folder);
}
