/* Which programs may be loaded: each reason of refusal with its sentence, the days on both sides of each expiry, all
 * keys under all policies, and the trust files themselves. */
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/array.h"
#include "sim/base/file.h"
#include "tests/unit/ipu/trust/made_trust.h"
#include "tests/unit/own_folder.h"

/* No ELF file: nothing of it may be looked at before it is trusted. */
static const char image[] = "an image";

/* Public halves and ids of key_of(1), (2) and (3). */
#define VENDOR "8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c"
#define REVIEWED "8139770ea87d175f56a35466c34c7ecccb8d8a91b4ee37a25df60f5b8fc9b394"
#define DEVELOPER "ed4928c628d1c2c6eae90338905995612959273a5c63f93636c14614ac8737d1"
#define DEVELOPER_ID "c929e7c3fbc09bfcd7d4ee69fa37396a"
#define IMAGE_HASH "9f983b25f3099baeda56a393bcfa8ed13690fe8dea5adcdc7d1b93e4f5970c61"

#define KEY(name, public, class, expires)                                                                              \
	"{ name = \"" name "\"; public = \"" public "\"; class = \"" class "\"; expires = \"" expires "\"; }"
#define KEYS                                                                                                           \
	"keys = (" KEY("maker", VENDOR, "vendor", "never") "," KEY("reader", REVIEWED, "reviewed", "never") "," KEY(   \
		"lab", DEVELOPER, "developer", "2028-06-15") ");"
#define TRUST(policy) "policy = \"" policy "\"; date = \"2026-11-22\"; " KEYS "\n"

static const struct trust_abi core = {.name = "core"};

static struct signature of_program(void)
{
	return (struct signature){
		.name = "count", .version = "2.1", .abi = "core", .policy = TRUST_POLICY_CLOSED, .expires = 20270115};
}

static enum sahm_status check(const char *trust, const char *bytes, const char *signature, const char *abi,
			      struct sahm_err *err)
{
	struct trust *t = must_trust(trust);
	enum sahm_status status =
		trust_check(t, "count.elf", bytes, strlen(bytes), signature, signature ? strlen(signature) : 0,
			    abi ? &(struct trust_abi){.name = abi} : NULL, err);
	trust_free(t);
	return status;
}

static void must_pass(const char *trust, const char *signature)
{
	struct sahm_err err;
	if (check(trust, image, signature, "core", &err) != SAHM_OK)
		fail_msg("%s", err.msg);
}

static void must_refuse(const char *trust, const char *bytes, const char *signature, const char *message)
{
	struct sahm_err err = {.msg = "it is accepted"};
	if (check(trust, bytes, signature, "core", &err) != SAHM_REFUSED || strcmp(err.msg, message) != 0 ||
	    err.status != SAHM_REFUSED)
		fail_msg("'%s', not '%s'", err.msg, message);
}

/* By the developer's key. */
static char *signed_text(void)
{
	struct secret_key *k = key_of(3);
	char *text = signed_by(k, of_program(), image);
	secret_key_free(k);
	return text;
}

/* Puts `by` where `what` stands in the text. */
static void alter(char *text, const char *what, const char *by)
{
	char *at = strstr(text, what);
	assert_non_null(at);
	assert_int_equal(strlen(what), strlen(by));
	memcpy(at, by, strlen(by));
}

static void test_accepted(void **state)
{
	(void)state;
	struct sahm_err err;
	char *text = signed_text();
	must_pass(TRUST("permissive"), text);
	/* For any ABI. */
	assert_int_equal(check(TRUST("permissive"), image, text, NULL, &err), SAHM_OK);
	free(text);
}

/* Without a trust file nothing is asked, not even for a signature that can be read. */
static void test_no_trust(void **state)
{
	(void)state;
	assert_int_equal(trust_check(NULL, "count.elf", image, strlen(image), "x", 1, &core, NULL), SAHM_OK);
	assert_int_equal(trust_check_file(NULL, "/no/such/file", image, strlen(image), &core, NULL), SAHM_OK);
	assert_false(trust_is_confidential(NULL));
	trust_free(NULL);
}

static void test_unsigned_closed(void **state)
{
	(void)state;
	must_refuse(TRUST("closed"), image, NULL,
		    "count.elf: it is unsigned, and the policy 'closed' asks for a signature by a vendor key (t.cfg)");
}

static void test_unsigned_restrictive(void **state)
{
	(void)state;
	must_refuse(
		TRUST("restrictive"), image, NULL,
		"count.elf: it is unsigned, and the policy 'restrictive' asks for a signature by a vendor key or that "
		"of a reviewer (t.cfg)");
}

static void test_unsigned_permissive(void **state)
{
	(void)state;
	must_refuse(
		TRUST("permissive"), image, NULL,
		"count.elf: it is unsigned, and the policy 'permissive' asks for a signature by any key that the trust "
		"file lists (t.cfg)");
}

static void test_tampered(void **state)
{
	(void)state;
	char *text = signed_text();
	must_refuse(TRUST("permissive"), "an imagf", text,
		    "count.elf: it is not the image that was signed as 'count' 2.1: it was altered since");
	must_refuse(TRUST("permissive"), "an imag", text,
		    "count.elf: it is not the image that was signed as 'count' 2.1: it was altered since");
	free(text);
}

/* The same image, signed with soft logic. */
static void test_soft(void **state)
{
	(void)state;
	static const struct trust_soft module = {"m.so", "a module", 8}, longer = {"m.so", "a module", 9},
				       other = {"n.so", "A module", 8};
	static const char revoked[] = TRUST("permissive") "revoked = ({ image = \"%s\"; reason = \"leaks\"; });";
	struct secret_key *k = key_of(3);
	struct signature bundle = of_program();
	signature_set_soft(&bundle, module.bytes, module.nr_bytes);
	char *with = signed_by(k, bundle, image), *without = signed_text(), trust[2048], hash[HASH_HEX_BYTES];
	hash_hex(bundle.soft, hash);
	snprintf(trust, sizeof(trust), revoked, hash);
	const struct {
		const char *trust, *signature;
		const struct trust_soft *soft;
		const char *message; /* NULL: it may run */
	} rows[] = {
		{TRUST("permissive"), with, &module, NULL},
		{TRUST("permissive"), without, NULL, NULL},
		{trust, without, NULL, NULL},
		{TRUST("permissive"), without, &module,
		 "count.elf: it is signed without soft logic, and is to run with 'm.so'"},
		{TRUST("permissive"), with, NULL,
		 "count.elf: it is signed together with soft logic, and is to run without"},
		{TRUST("permissive"), with, &other,
		 "count.elf: its soft logic 'n.so' is not that with which it was signed"},
		{TRUST("permissive"), with, &longer,
		 "count.elf: its soft logic 'm.so' is not that with which it was signed"},
		{trust, with, &module, "count.elf: its soft logic is revoked: leaks (t.cfg:2)"},
		{trust, with, &other, "count.elf: its soft logic 'n.so' is not that with which it was signed"},
		{TRUST("permissive") "confidential = true;", with, &module,
		 "count.elf: no program may run here: confidential mode (t.cfg)"},
		{TRUST("closed"), NULL, &module,
		 "count.elf: it is unsigned, and the policy 'closed' asks for a signature by a vendor key (t.cfg)"},
		{TRUST("closed"), with, &module,
		 "count.elf: it is signed with a developer key, 'lab' (" DEVELOPER_ID
		 "), and the policy 'closed' asks for a vendor key (t.cfg)"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct trust *t = must_trust(rows[i].trust);
		struct sahm_err err = {.msg = "it is accepted"};
		const struct trust_image judged = {.file = "count.elf",
						   .bytes = image,
						   .nr_bytes = strlen(image),
						   .signature = rows[i].signature,
						   .nr_signature = rows[i].signature ? strlen(rows[i].signature) : 0,
						   .soft = rows[i].soft};
		enum sahm_status status = trust_judge(t, &judged, NULL, &err);
		if (status != (rows[i].message ? SAHM_REFUSED : SAHM_OK) ||
		    (rows[i].message && strcmp(err.msg, rows[i].message) != 0))
			fail_msg("row %zu: '%s', not '%s'", i, err.msg, rows[i].message);
		trust_free(t);
	}
	/* Its line is one of those that are signed. */
	memmove(strstr(with, "soft: "), strstr(with, "signature: "), strlen(strstr(with, "signature: ")) + 1);
	must_refuse(TRUST("permissive"), image, with,
		    "count.elf: its signature is not one by the key 'lab' (" DEVELOPER_ID
		    "): a line of it was altered, or another key made it");
	free(without);
	free(with);
	secret_key_free(k);
}

static void test_unknown_key(void **state)
{
	(void)state;
	struct secret_key *k = key_of(4);
	char *text = signed_by(k, of_program(), image);
	must_refuse(
		TRUST("permissive"), image, text,
		"count.elf: it is signed with a key that is not known here, c10a5c47744c0af6e874f1f3f9ca1636 (t.cfg)");
	free(text);
	secret_key_free(k);
}

/* A key that only says that it is another one. */
static void test_wrong_key(void **state)
{
	(void)state;
	struct secret_key *k = key_of(4);
	char *text = signed_by(k, of_program(), image);
	alter(text, "c10a5c47744c0af6e874f1f3f9ca1636", DEVELOPER_ID);
	must_refuse(TRUST("permissive"), image, text,
		    "count.elf: its signature is not one by the key 'lab' (" DEVELOPER_ID
		    "): a line of it was altered, or another key made it");
	free(text);
	secret_key_free(k);
}

static void test_altered_metadata(void **state)
{
	(void)state;
	static const struct {
		const char *what, *by;
	} rows[] = {
		{"name: count", "name: coumt"},	    {"version: 2.1", "version: 2.0"}, {"abi: core", "abi: cord"},
		{"expires: 2027", "expires: 2037"}, {"image: 9f", "image: 8f"},	      {"spec: 0", "spec: 1"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char *text = signed_text();
		alter(text, rows[i].what, rows[i].by);
		must_refuse(TRUST("permissive"), image, text,
			    "count.elf: its signature is not one by the key 'lab' (" DEVELOPER_ID
			    "): a line of it was altered, or another key made it");
		free(text);
	}
}

static void test_malformed(void **state)
{
	(void)state;
	char *text = signed_text();
	alter(text, "class: ", "Class: ");
	must_refuse(TRUST("permissive"), image, text, "count.elf.sig:6: the line must be 'class: ...'");
	must_refuse(TRUST("permissive"), image, "",
		    "count.elf.sig:1: this is no signature: the first line must be 'sahm ipu signature 2'");
	free(text);
}

static void test_revoked_key(void **state)
{
	(void)state;
	char *text = signed_text();
	must_refuse(TRUST("permissive") "revoked = (\n{ key = \"" DEVELOPER_ID "\"; reason = \"stolen\"; },\n"
					"{ key = \"" DEVELOPER_ID "\"; reason = \"lost\"; });",
		    image, text,
		    "count.elf: the key that it is signed with, 'lab' (" DEVELOPER_ID
		    "), is revoked: stolen (t.cfg:3)");
	must_pass(
		TRUST("permissive") "revoked = ({ key = \"c10a5c47744c0af6e874f1f3f9ca1636\"; reason = \"stolen\"; });",
		text);
	free(text);
}

static void test_revoked_image(void **state)
{
	(void)state;
	char *text = signed_text();
	must_refuse(TRUST("permissive") "revoked = ({ key = \"c10a5c47744c0af6e874f1f3f9ca1636\"; reason = \"x\"; "
					"},\n{ image = \"" IMAGE_HASH "\"; reason = \"leaks\"; });",
		    image, text, "count.elf: this image is revoked: leaks (t.cfg:3)");
	free(text);
}

static const char *on_day(const char *day, char text[1024])
{
	snprintf(text, 1024, "policy = \"permissive\"; date = \"%s\"; " KEYS, day);
	return text;
}

/* Good on its last day, not on the next one. */
static void test_expired_signature(void **state)
{
	(void)state;
	char trust[1024], *text = signed_text();
	must_pass(on_day("2027-01-15", trust), text);
	must_refuse(on_day("2027-01-16", trust), image, text,
		    "count.elf: its signature expired: its last day was 2027-01-15, and it is 2027-01-16");
	must_pass(on_day("0001-01-01", trust), text);
	free(text);
}

static void test_expired_key(void **state)
{
	(void)state;
	char trust[1024];
	struct secret_key *k = key_of(3);
	struct signature s = of_program();
	s.expires = DATE_NEVER;
	char *text = signed_by(k, s, image);
	must_pass(on_day("2028-06-15", trust), text);
	must_refuse(on_day("2028-06-16", trust), image, text,
		    "count.elf: the key that it is signed with, 'lab' (" DEVELOPER_ID "), expired: its last day was "
		    "2028-06-15, and it is 2028-06-16");
	free(text);
	secret_key_free(k);
	/* What never expires does not. */
	k = key_of(1);
	text = signed_by(k, s, image);
	must_pass(on_day("9999-12-31", trust), text);
	free(text);
	secret_key_free(k);
}

/* Without a date in the trust file it is today. */
static void test_today(void **state)
{
	(void)state;
	char day[DATE_BYTES];
	uint32_t today = 0;
	struct sahm_err err;
	struct secret_key *k = key_of(1);
	struct signature s = of_program();
	s.expires = 20200101;
	assert_true(date_today(&today));
	char *text = signed_by(k, s, image), expected[128];
	snprintf(expected, sizeof(expected),
		 "count.elf: its signature expired: its last day was 2020-01-01, and it is %s", date_write(today, day));
	assert_int_equal(check("policy = \"closed\"; " KEYS, image, text, NULL, &err), SAHM_REFUSED);
	assert_string_equal(err.msg, expected);
	free(text);
	secret_key_free(k);
}

static void test_confidential(void **state)
{
	(void)state;
	char *text = signed_text();
	struct trust *t = must_trust(TRUST("permissive") "confidential = true;");
	assert_true(trust_is_confidential(t));
	trust_free(t);
	t = must_trust(TRUST("permissive") "confidential = false;");
	assert_false(trust_is_confidential(t));
	trust_free(t);
	must_refuse(TRUST("permissive") "confidential = true;", image, text,
		    "count.elf: no program may run here: confidential mode (t.cfg)");
	must_refuse(TRUST("permissive") "confidential = true;", image, NULL,
		    "count.elf: no program may run here: confidential mode (t.cfg)");
	free(text);
}

/* Every class of keys and every class of signatures under every policy: no class may be looser than the policy. */
static void test_classes(void **state)
{
	(void)state;
	static const char *const trusts[] = {TRUST("closed"), TRUST("restrictive"), TRUST("permissive")};
	static const char *const policies[] = {"closed", "restrictive", "permissive"};
	static const char *const asks[] = {"a vendor key", "a vendor key or that of a reviewer",
					   "any key that the trust file lists"};
	static const char *const classes[] = {"vendor", "reviewed", "developer"}, *const names[] = {"maker", "reader",
												    "lab"};
	for (unsigned key = 0; key < 3; key++) {
		struct secret_key *k = key_of((uint8_t)(key + 1));
		for (unsigned stated = 0; stated < 3; stated++) {
			struct signature s = of_program();
			s.policy = stated;
			char *text = signed_by(k, s, image), message[256], id[KEY_ID_HEX_BYTES];
			for (unsigned policy = 0; policy < 3; policy++) {
				snprintf(message, sizeof(message),
					 "count.elf: it is signed for the policy '%s' at the strictest, and the policy "
					 "here is '%s' (t.cfg)",
					 policies[stated], policies[policy]);
				if (key > policy)
					snprintf(message, sizeof(message),
						 "count.elf: it is signed with a %s key, '%s' (%s), and the policy "
						 "'%s' asks "
						 "for %s (t.cfg)",
						 classes[key], names[key], key_id_hex(secret_key_public(k)->id, id),
						 policies[policy], asks[policy]);
				if (key <= policy && stated <= policy)
					must_pass(trusts[policy], text);
				else
					must_refuse(trusts[policy], image, text, message);
			}
			free(text);
		}
		secret_key_free(k);
	}
}

static void test_wrong_abi(void **state)
{
	(void)state;
	struct sahm_err err;
	char *text = signed_text();
	assert_int_equal(check(TRUST("permissive"), image, text, "pics", &err), SAHM_REFUSED);
	assert_string_equal(err.msg, "count.elf: it is signed for the ABI 'core', and is to run with 'pics'");
	/* Of the same name, and with another hash. */
	struct trust_abi other = core;
	other.spec[HASH_BYTES - 1] = 1;
	struct trust *t = must_trust(TRUST("permissive"));
	assert_int_equal(trust_check(t, "count.elf", image, strlen(image), text, strlen(text), &other, &err),
			 SAHM_REFUSED);
	assert_string_equal(err.msg, "count.elf: it is signed for another spec of the ABI 'core'");
	trust_free(t);
	free(text);
}

/* Of several reasons the first in the order of trust.h is reported. */
static void test_order(void **state)
{
	(void)state;
	char *text = signed_text();
	static const char everything[] =
		"date = \"2029-01-01\"; revoked = ({ key = \"" DEVELOPER_ID
		"\"; reason = \"a\"; }, { image = \"" IMAGE_HASH "\"; reason = \"b\"; }); " KEYS;
	must_refuse(everything, "other", text,
		    "count.elf: it is not the image that was signed as 'count' 2.1: it was altered since");
	must_refuse(everything, image, text,
		    "count.elf: the key that it is signed with, 'lab' (" DEVELOPER_ID "), is revoked: a (t.cfg:1)");
	must_refuse("date = \"2029-01-01\"; revoked = ({ image = \"" IMAGE_HASH "\"; reason = \"b\"; }); " KEYS, image,
		    text, "count.elf: this image is revoked: b (t.cfg:1)");
	must_refuse("date = \"2029-01-01\"; " KEYS, image, text,
		    "count.elf: the key that it is signed with, 'lab' (" DEVELOPER_ID "), expired: its last day was "
		    "2028-06-15, and it is 2029-01-01");
	must_refuse("date = \"2028-01-01\"; " KEYS, image, text,
		    "count.elf: its signature expired: its last day was 2027-01-15, and it is 2028-01-01");
	/* Closed is the policy where none is given. */
	must_refuse("date = \"2027-01-01\"; " KEYS, image, text,
		    "count.elf: it is signed with a developer key, 'lab' (" DEVELOPER_ID
		    "), and the policy 'closed' asks for a vendor key (t.cfg)");
	free(text);
}

/* The report of an image that may run. */
static void test_finding(void **state)
{
	(void)state;
	struct secret_key *k = key_of(3);
	char *text = signed_text(), id[KEY_ID_HEX_BYTES];
	const struct trust_image judged = {.file = "count.elf",
					   .bytes = image,
					   .nr_bytes = strlen(image),
					   .signature = text,
					   .nr_signature = strlen(text),
					   .signature_file = "beside"};
	struct trust_finding found = {.key_name = "nobody"};
	struct sahm_err err;
	struct trust *t = must_trust(TRUST("closed"));
	assert_int_equal(trust_judge(t, &judged, &found, &err), SAHM_REFUSED);
	assert_string_equal(found.key_name, "nobody");
	trust_free(t);
	t = must_trust(TRUST("permissive"));
	assert_int_equal(trust_judge(t, &judged, &found, &err), SAHM_OK);
	assert_string_equal(found.key_name, "lab");
	assert_string_equal(found.key_class, "developer");
	assert_string_equal(key_id_hex(found.signature.key_id, id), DEVELOPER_ID);
	assert_string_equal(found.signature.version, "2.1");
	/* An unreadable text is reported by its name. */
	alter(text, "class: ", "Class: ");
	assert_int_equal(trust_judge(t, &judged, &found, &err), SAHM_REFUSED);
	assert_string_equal(err.msg, "beside:6: the line must be 'class: ...'");
	alter(text, "Class: ", "class: ");
	trust_free(t);
	/* A key on its own has no class. */
	assert_int_equal(trust_of_key(&t, "lab.pub", secret_key_public(k), NULL), SAHM_OK);
	assert_int_equal(trust_judge(t, &judged, &found, &err), SAHM_OK);
	assert_string_equal(found.key_name, "lab.pub");
	assert_null(found.key_class);
	trust_free(t);
	free(text);
	secret_key_free(k);
}

static void test_of_key(void **state)
{
	(void)state;
	struct secret_key *k = key_of(3), *other = key_of(4);
	struct signature s = of_program();
	struct trust *t = NULL;
	struct sahm_err err;
	s.expires = 10101;
	s.policy = TRUST_POLICY_PERMISSIVE;
	char *text = signed_by(k, s, image), *others = signed_by(other, s, image);
	assert_int_equal(trust_of_key(&t, "lab.pub", secret_key_public(k), NULL), SAHM_OK);
	if (trust_check(t, "i", image, strlen(image), text, strlen(text), NULL, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	assert_int_equal(trust_check(t, "i", image, strlen(image), others, strlen(others), NULL, &err), SAHM_REFUSED);
	assert_string_equal(
		err.msg,
		"i: it is signed with a key that is not known here, c10a5c47744c0af6e874f1f3f9ca1636 (lab.pub)");
	trust_free(t);
	free(others);
	free(text);
	secret_key_free(other);
	secret_key_free(k);
}

static const char *in_folder(const char *name)
{
	static char paths[16][96];
	static unsigned next;
	char *path = paths[next++ % 16];
	snprintf(path, sizeof(paths[0]), "%s/%s", own_folder, name);
	return path;
}

static void write_text(const char *name, const char *text)
{
	struct sahm_err err;
	if (file_write(in_folder(name), text, strlen(text), &err) != SAHM_OK)
		fail_msg("%s", err.msg);
}

/* A signature is found beside its image; one that is there and cannot be one is not taken for none. */
static void test_files(void **state)
{
	(void)state;
	struct trust *t = must_trust(TRUST("permissive"));
	struct sahm_err err;
	char *text = signed_text(), expected[256];
	static char large[TRUST_MAX_SIGNATURE_BYTES + 2];
	const char *path = in_folder("count.elf");
	assert_int_equal(trust_check_file(t, path, image, strlen(image), &core, &err), SAHM_REFUSED);
	assert_non_null(strstr(err.msg, "it is unsigned"));
	write_text("count.elf.sig", text);
	if (trust_check_file(t, path, image, strlen(image), &core, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	/* The bytes that were read are checked, whatever the file has become. */
	assert_int_equal(trust_check_file(t, path, "other", 5, &core, &err), SAHM_REFUSED);
	memset(large, 'x', TRUST_MAX_SIGNATURE_BYTES + 1);
	write_text("count.elf.sig", large);
	assert_int_equal(trust_check_file(t, path, image, strlen(image), &core, &err), SAHM_REFUSED);
	snprintf(expected, sizeof(expected), "%s.sig: this is no signature: it is larger than 2048 bytes", path);
	assert_string_equal(err.msg, expected);
	assert_int_equal(unlink(in_folder("count.elf.sig")), 0);
	assert_int_equal(symlink("nowhere", in_folder("count.elf.sig")), 0);
	assert_int_equal(trust_check_file(t, path, image, strlen(image), &core, &err), SAHM_IO);
	/* Standard input has nothing beside it, whatever is called "-.sig". */
	assert_int_equal(trust_check_file(t, "-", image, strlen(image), &core, &err), SAHM_REFUSED);
	assert_non_null(strstr(err.msg, "<stdin>: it is unsigned"));
	free(text);
	trust_free(t);
}

/* Revocations of a separate file, beside the trust file. */
static void test_revocations(void **state)
{
	(void)state;
	struct trust *t = NULL;
	struct sahm_err err;
	char *text = signed_text(), expected[256];
	const char *path = in_folder("t.cfg");
	write_text("t.cfg", TRUST("permissive") "revocations = \"sub/../list.cfg\";");
	assert_int_equal(mkdir(in_folder("sub"), 0700), 0);
	assert_int_equal(trust_read(&t, path, &err), SAHM_IO);
	snprintf(expected, sizeof(expected), "%s:2: 'revocations': cannot open '%s': No such file or directory", path,
		 in_folder("sub/../list.cfg"));
	assert_string_equal(err.msg, expected);
	write_text("list.cfg", "revoked = (\n{ image = \"" IMAGE_HASH "\"; reason = \"leaks\"; });");
	if (trust_read(&t, path, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	assert_int_equal(trust_check(t, "i", image, strlen(image), text, strlen(text), NULL, &err), SAHM_REFUSED);
	snprintf(expected, sizeof(expected), "i: this image is revoked: leaks (%s:2)", in_folder("sub/../list.cfg"));
	assert_string_equal(err.msg, expected);
	trust_free(t);
	/* What the trust file revokes itself comes first. */
	write_text("t.cfg", TRUST("permissive") "revocations = \"list.cfg\"; revoked = ({ image = \"" IMAGE_HASH
						"\"; reason = \"old\"; });");
	assert_int_equal(trust_read(&t, path, &err), SAHM_OK);
	assert_int_equal(trust_check(t, "i", image, strlen(image), text, strlen(text), NULL, &err), SAHM_REFUSED);
	assert_non_null(strstr(err.msg, "revoked: old ("));
	trust_free(t);
	write_text("list.cfg", "policy = \"permissive\";");
	assert_int_equal(trust_read(&t, path, &err), SAHM_CONFIG);
	snprintf(expected, sizeof(expected), "%s:1: unknown key 'policy'", in_folder("list.cfg"));
	assert_string_equal(err.msg, expected);
	free(text);
}

/* Companions stand beside the file itself, whatever is beside a link to it. */
static void test_links(void **state)
{
	(void)state;
	struct trust *t = must_trust(TRUST("permissive"));
	struct sahm_err err;
	char *text = signed_text(), *found, expected[256];
	const char *path = in_folder("here/link.elf");
	assert_int_equal(mkdir(in_folder("here"), 0700), 0);
	assert_int_equal(mkdir(in_folder("there"), 0700), 0);
	write_text("there/count.elf", image);
	assert_int_equal(symlink("../there/count.elf", in_folder("here/link.elf")), 0);
	write_text("here/link.elf.sig", text);
	assert_int_equal(trust_check_file(t, path, image, strlen(image), &core, &err), SAHM_REFUSED);
	assert_non_null(strstr(err.msg, "here/link.elf: it is unsigned"));
	write_text("here/link.elf.sig", "no signature");
	write_text("there/count.elf.sig", text);
	if (trust_check_file(t, path, image, strlen(image), &core, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	assert_int_equal(trust_find_signature(path, &found, &err), SAHM_OK);
	assert_string_equal(found, in_folder("there/count.elf.sig"));
	free(found);
	/* A name that is no link stays as it was, and so does a link that leads nowhere. */
	assert_int_equal(trust_find_signature(in_folder("here/../there/count.elf"), &found, &err), SAHM_OK);
	assert_string_equal(found, in_folder("here/../there/count.elf.sig"));
	free(found);
	assert_int_equal(symlink("nowhere", in_folder("lost.elf")), 0);
	assert_int_equal(trust_find_signature(in_folder("lost.elf"), &found, &err), SAHM_OK);
	assert_string_equal(found, in_folder("lost.elf.sig"));
	free(found);
	write_text("there/count.elf.sig", "no signature");
	assert_int_equal(trust_check_file(t, path, image, strlen(image), &core, &err), SAHM_REFUSED);
	snprintf(expected, sizeof(expected), "%s:1: ", in_folder("there/count.elf.sig"));
	assert_non_null(strstr(err.msg, expected));
	trust_free(t);
	/* A trust file's list, and what it includes. */
	write_text("there/keys.cfg", KEYS "\n");
	write_text("there/t.cfg", "policy = \"permissive\"; date = \"2026-11-22\";\n@include \"keys.cfg\"\n"
				  "revocations = \"list.cfg\";");
	write_text("there/list.cfg", "revoked = ({ image = \"" IMAGE_HASH "\"; reason = \"leaks\"; });");
	write_text("here/list.cfg", "revoked = ();");
	assert_int_equal(symlink("../there/t.cfg", in_folder("here/t.cfg")), 0);
	for (int of_text = 0; of_text < 2; of_text++) {
		char *bytes;
		size_t nr_bytes;
		path = in_folder("here/t.cfg");
		assert_int_equal(file_read(path, 4096, &bytes, &nr_bytes, &err), SAHM_OK);
		if ((of_text ? trust_of_text(&t, path, bytes, nr_bytes, &err) : trust_read(&t, path, &err)) != SAHM_OK)
			fail_msg("%s", err.msg);
		assert_int_equal(trust_check(t, "i", image, strlen(image), text, strlen(text), NULL, &err),
				 SAHM_REFUSED);
		assert_non_null(strstr(err.msg, "this image is revoked: leaks"));
		trust_free(t);
		free(bytes);
	}
	free(text);
}

static void test_trust_files(void **state)
{
	(void)state;
	static const struct {
		const char *text, *message;
	} rows[] = {
		{"polcy = \"closed\";", "t.cfg:1: unknown key 'polcy'; did you mean 'policy'?"},
		{"\npolicy = \"open\";",
		 "t.cfg:2: no policy is called 'open': it is closed, restrictive or permissive"},
		{"policy = \"close\";",
		 "t.cfg:1: no policy is called 'close': it is closed, restrictive or permissive; did you "
		 "mean 'closed'?"},
		{"policy = 1;", "t.cfg:1: 'policy' must be a string"},
		{"confidential = \"yes\";", "t.cfg:1: 'confidential' must be true or false"},
		{"date = \"2026-02-30\";", "t.cfg:1: 'date' is '2026-02-30', must be a day like 2030-12-31"},
		{"date = \"never\";", "t.cfg:1: 'date' is 'never', must be a day like 2030-12-31"},
		{"keys = ({ public = \"" VENDOR "\"; });",
		 "t.cfg:1: missing key 'keys[].name': its name in messages; required"},
		{"keys = (" KEY("", VENDOR, "vendor", "never") ");", "t.cfg:1: 'keys[].name' is empty"},
		{"keys = (" KEY("a", "00", "vendor", "never") ");",
		 "t.cfg:1: 'keys[].public' is '00', must be 64 lower-case hexadecimal digits"},
		{"keys = (" KEY("a", "0000000000000000000000000000000000000000000000000000000000000000", "vendor",
				"never") ");",
		 "t.cfg:1: 'keys[].public' of 'a' is no key of Ed25519"},
		{"keys = (" KEY("a", VENDOR, "vendr", "never") ");",
		 "t.cfg:1: no class of keys is called 'vendr': it is vendor, reviewed or developer; did you "
		 "mean 'vendor'?"},
		{"keys = ({ name = \"a\"; public = \"" VENDOR "\"; });",
		 "t.cfg:1: missing key 'keys[].class': vendor, reviewed or developer; required"},
		{"keys = (" KEY("a", VENDOR, "vendor", "2030") ");",
		 "t.cfg:1: 'keys[].expires' is '2030', must be a day like 2030-12-31, or never"},
		{"keys = (" KEY("a", VENDOR, "vendor", "never") ",\n" KEY("b", REVIEWED, "vendor", "never") ",\n" KEY(
			 "c", VENDOR, "developer", "never") ");",
		 "t.cfg:3: 'a' and 'c' are one key: which class has it?"},
		{"keys = (\n" KEY("a", VENDOR, "vendor", "never") ",\n" KEY("b", REVIEWED, "vendor", "never") ",\n" KEY(
			 "a", DEVELOPER, "developer", "never") ");",
		 "t.cfg:4: another key is called 'a', in line 2: each needs a different name"},
		{"revoked = ({ reason = \"x\"; });", "t.cfg:1: a row of 'revoked' must have either 'key' or 'image'"},
		{"revoked = ({ key = \"" DEVELOPER_ID "\"; image = \"" IMAGE_HASH "\"; reason = \"x\"; });",
		 "t.cfg:1: a row of 'revoked' must have either 'key' or 'image', not both"},
		{"revoked = ({ key = \"" DEVELOPER_ID "\"; });",
		 "t.cfg:1: missing key 'revoked[].reason': why, for the message; required"},
		{"revoked = ({ key = \"" IMAGE_HASH "\"; reason = \"x\"; });",
		 "t.cfg:1: 'revoked[].key' is '" IMAGE_HASH "', must be 32 lower-case hexadecimal digits"},
		{"revocations = \"\";", "t.cfg:1: 'revocations' is empty"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct trust *t = NULL;
		struct sahm_err err = {.msg = "it is accepted"};
		if (trust_of_text(&t, "t.cfg", rows[i].text, strlen(rows[i].text), &err) != SAHM_CONFIG ||
		    strcmp(err.msg, rows[i].message) != 0)
			fail_msg("'%s', not '%s'", err.msg, rows[i].message);
	}
	struct trust *t = NULL;
	struct sahm_err err;
	assert_int_equal(trust_of_text(&t, NULL, "revocations = \"a\";", 18, &err), SAHM_CONFIG);
	assert_int_equal(trust_read(&t, "/no/such/file", &err), SAHM_IO);
	/* An empty one trusts nobody. */
	t = must_trust("");
	assert_int_equal(trust_check(t, "i", image, strlen(image), NULL, 0, NULL, &err), SAHM_REFUSED);
	trust_free(t);
}

static void test_most_keys(void **state)
{
	(void)state;
	struct textbuf b;
	struct trust *t = NULL;
	struct sahm_err err;
	textbuf_init(&b);
	textbuf_puts(&b, "keys = (");
	for (unsigned i = 0; i <= TRUST_MAX_KEYS; i++)
		textbuf_puts(&b, i ? ",{}" : "{}");
	textbuf_puts(&b, ");");
	assert_int_equal(trust_of_text(&t, "t.cfg", b.text, b.len, &err), SAHM_CONFIG);
	assert_string_equal(err.msg, "t.cfg:1: more than 1024 keys");
	textbuf_release(&b);
	textbuf_init(&b);
	textbuf_puts(&b, "revoked = (");
	for (unsigned i = 0; i <= TRUST_MAX_REVOKED; i++)
		textbuf_puts(&b, i ? ",{}" : "{}");
	textbuf_puts(&b, ");");
	assert_int_equal(trust_of_text(&t, "t.cfg", b.text, b.len, &err), SAHM_CONFIG);
	assert_string_equal(err.msg, "t.cfg:1: more than 65536 revocations");
	textbuf_release(&b);
}

TEST_FILE(test_ipu_trust)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_accepted),
		cmocka_unit_test(test_no_trust),
		cmocka_unit_test(test_unsigned_closed),
		cmocka_unit_test(test_unsigned_restrictive),
		cmocka_unit_test(test_unsigned_permissive),
		cmocka_unit_test(test_tampered),
		cmocka_unit_test(test_soft),
		cmocka_unit_test(test_unknown_key),
		cmocka_unit_test(test_wrong_key),
		cmocka_unit_test(test_altered_metadata),
		cmocka_unit_test(test_malformed),
		cmocka_unit_test(test_revoked_key),
		cmocka_unit_test(test_revoked_image),
		cmocka_unit_test(test_expired_signature),
		cmocka_unit_test(test_expired_key),
		cmocka_unit_test(test_today),
		cmocka_unit_test(test_confidential),
		cmocka_unit_test(test_classes),
		cmocka_unit_test(test_wrong_abi),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_finding),
		cmocka_unit_test(test_of_key),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_revocations),
		cmocka_unit_test(test_links),
		cmocka_unit_test(test_trust_files),
		cmocka_unit_test(test_most_keys),
	};
	return cmocka_run_group_tests(tests, make_own_folder, remove_own_folder);
}
