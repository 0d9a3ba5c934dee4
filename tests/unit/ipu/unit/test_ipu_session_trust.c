/* Sessions with a trust file: what is refused, what the journal notes, and that it decides the same on another day. */
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/array.h"
#include "tests/unit/ipu/unit/made_session.h"
#include "tests/unit/made_signed.h"

#define LAST_DAY 29991231u

static void put_trust(const char *name, const char *policy, const char *more)
{
	struct textbuf text;
	textbuf_init(&text);
	made_trust_text(policy, more, &text);
	put_file(name, text.text, text.len);
	textbuf_release(&text);
}

/* Signs the file `name`, which is read for it. */
static void sign_file(const char *name, uint8_t seed, const char *abi, uint32_t expires)
{
	char bytes[8192], beside[32];
	struct textbuf text;
	struct abi spec = made_abi("level");
	spec.addr = &spec.signals[1];
	FILE *in = fopen(path_of(name), "rb");
	assert_non_null(in);
	size_t nr = fread(bytes, 1, sizeof(bytes), in);
	fclose(in);
	assert_true(nr > 0 && nr < sizeof(bytes));
	textbuf_init(&text);
	made_signature(bytes, nr, seed, abi, &spec, expires, &text);
	snprintf(beside, sizeof(beside), "%s" SIGNATURE_ENDING, name);
	put_file(beside, text.text, text.len);
	textbuf_release(&text);
}

static int make_trusted_folder(void **state)
{
	struct made_elf elf;
	if (make_folder(state) != 0)
		return -1;
	sign_file("made.elf", 1, "made", LAST_DAY);
	made_image(&elf, 5, false, "level");
	put_file("unsigned.elf", elf.bytes, elf.nr_bytes);
	put_file("stranger.elf", elf.bytes, elf.nr_bytes);
	sign_file("stranger.elf", 2, "made", LAST_DAY);
	put_file("other-abi.elf", elf.bytes, elf.nr_bytes);
	sign_file("other-abi.elf", 1, "other", LAST_DAY);
	put_file("past.elf", elf.bytes, elf.nr_bytes);
	sign_file("past.elf", 1, "made", 20240630);
	made_elf_free(&elf);
	put_text("nonsense.elf", "this is no program");
	put_text("signed-nonsense.elf", "this is no program");
	sign_file("signed-nonsense.elf", 1, "made", LAST_DAY);
	put_text("bad-text.elf", "this is no program");
	put_text("bad-text.elf.sig", "this is no signature\n");
	char large[TRUST_MAX_SIGNATURE_BYTES + 1];
	memset(large, 'x', sizeof(large));
	put_text("large.elf", "this is no program");
	put_file("large.elf.sig", large, sizeof(large));
	put_trust("trust.cfg", "permissive", "revocations = \"revoked.cfg\";");
	put_text("revoked.cfg", "revoked = ();\n");
	put_trust("dated.cfg", "permissive", "date = \"2026-11-22\";");
	put_trust("past.cfg", "permissive", "date = \"2024-06-30\";");
	put_trust("confidential.cfg", "permissive", "confidential = true;");
	put_text("wrong.cfg", "policy = \"closed\";\nkeyz = ();\n");
	return 0;
}

/* Begins a session with a trust file. */
static enum sahm_status attach(struct ipu_session **s, const char *trust, struct sahm_err *err)
{
	struct arena a = {0};
	struct ipu_call call = {.kind = IPU_CALL_ATTACH};
	assert_int_equal(ipu_session_new(s, path_of("session"), err), SAHM_OK);
	enum sahm_status status = ipu_call_set(&call, &a, IPU_ARG_ABI, path_of("made.cfg"), "", err);
	if (status == SAHM_OK && trust)
		status = ipu_call_set(&call, &a, IPU_ARG_TRUST, path_of(trust), "", err);
	if (status == SAHM_OK)
		status = ipu_session_make(*s, &call, NULL, err);
	arena_release(&a);
	return status;
}

static struct ipu_session *must_attach(const char *trust)
{
	struct ipu_session *s;
	struct sahm_err err;
	if (attach(&s, trust, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	return s;
}

static enum sahm_status send(struct ipu_session *s, const char *image, struct sahm_err *err)
{
	return make(s, IPU_CALL_IMAGE, IPU_ARG_IMAGE, path_of(image), NULL, err);
}

static void test_images(void **state)
{
	(void)state;
	static const struct {
		const char *trust, *image;
		enum sahm_status status;
		const char *part;
	} rows[] = {
		{NULL, "unsigned.elf", SAHM_OK, NULL},
		{NULL, "bad-text.elf", SAHM_FORMAT, "not an ELF file"},
		{"trust.cfg", "made.elf", SAHM_OK, NULL},
		{"dated.cfg", "made.elf", SAHM_OK, NULL},
		{"trust.cfg", "unsigned.elf", SAHM_REFUSED, "unsigned.elf: it is unsigned"},
		{"trust.cfg", "nonsense.elf", SAHM_REFUSED, "nonsense.elf: it is unsigned"},
		{"trust.cfg", "signed-nonsense.elf", SAHM_FORMAT, "not an ELF file"},
		{"trust.cfg", "bad-text.elf", SAHM_REFUSED, "bad-text.elf.sig:1: "},
		{"trust.cfg", "large.elf", SAHM_REFUSED, "large.elf.sig: "},
		{"trust.cfg", "stranger.elf", SAHM_REFUSED, "a key that is not known here"},
		{"trust.cfg", "other-abi.elf", SAHM_REFUSED, "it is signed for the ABI 'other'"},
		{"confidential.cfg", "made.elf", SAHM_REFUSED, "confidential mode"},
		{"confidential.cfg", "large.elf", SAHM_REFUSED, "confidential mode"},
		{"trust.cfg", "nowhere.elf", SAHM_IO, "cannot open"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct ipu_session *s = must_attach(rows[i].trust);
		struct sahm_err err = {.msg = ""};
		enum sahm_status status = send(s, rows[i].image, &err);
		if (status != rows[i].status || (rows[i].part && !strstr(err.msg, rows[i].part)))
			fail_msg("%s: %d, %s", rows[i].image, status, err.msg);
		ipu_session_free(s);
	}
}

/* Nor does it help to name the units otherwise. */
static void test_every_unit(void **state)
{
	(void)state;
	static const char *const units[] = {"0", "1", "2", "all"};
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		struct ipu_session *s = must_attach("confidential.cfg");
		struct arena a = {0};
		struct sahm_err err;
		struct ipu_call more = {.kind = IPU_CALL_ATTACH}, image = {.kind = IPU_CALL_IMAGE};
		assert_int_equal(ipu_call_set(&more, &a, IPU_ARG_ABI, path_of("made.cfg"), "", &err), SAHM_OK);
		assert_int_equal(ipu_call_set(&more, &a, IPU_ARG_ADD, "", "", &err), SAHM_OK);
		assert_int_equal(ipu_call_set(&more, &a, IPU_ARG_UNITS, "2", "", &err), SAHM_OK);
		assert_int_equal(ipu_session_make(s, &more, NULL, &err), SAHM_OK);
		assert_int_equal(ipu_call_set(&image, &a, IPU_ARG_IMAGE, path_of("made.elf"), "", &err), SAHM_OK);
		assert_int_equal(ipu_call_set(&image, &a, IPU_ARG_UNIT, units[i], "", &err), SAHM_OK);
		assert_int_equal(ipu_session_make(s, &image, NULL, &err), SAHM_REFUSED);
		ipu_session_free(s);
		arena_release(&a);
	}
}

static void test_attach(void **state)
{
	(void)state;
	struct ipu_session *s;
	struct arena a = {0};
	struct sahm_err err;
	assert_int_equal(attach(&s, "nowhere.cfg", &err), SAHM_IO);
	ipu_session_free(s);
	assert_int_equal(attach(&s, "wrong.cfg", &err), SAHM_CONFIG);
	if (!strstr(err.msg, "wrong.cfg:2: ") || !strstr(err.msg, "did you mean 'keys'"))
		fail_msg("%s", err.msg);
	ipu_session_free(s);
	/* One for the whole device, from the beginning on. */
	s = must_attach(NULL);
	struct ipu_call more = {.kind = IPU_CALL_ATTACH};
	assert_int_equal(ipu_call_set(&more, &a, IPU_ARG_ABI, path_of("made.cfg"), "", &err), SAHM_OK);
	assert_int_equal(ipu_call_set(&more, &a, IPU_ARG_ADD, "", "", &err), SAHM_OK);
	assert_int_equal(ipu_call_set(&more, &a, IPU_ARG_TRUST, path_of("trust.cfg"), "", &err), SAHM_OK);
	assert_int_equal(ipu_session_make(s, &more, NULL, &err), SAHM_USAGE);
	assert_string_equal(err.msg, "a session has one trust file, or none, from its beginning on: 'add' takes none");
	ipu_session_free(s);
	arena_release(&a);
}

/* The journal with what stands between `from` and the next blank or end of line replaced. */
static void put_instead(const struct ipu_session *s, const char *from, const char *instead, struct textbuf *out)
{
	const char *text = ipu_session_text(s)->text, *at = strstr(text, from);
	if (!at)
		fail_msg("no '%s' in: %s", from, text);
	const char *end = at + strcspn(at, " \n");
	textbuf_init(out);
	textbuf_add(out, text, (size_t)(at - text));
	textbuf_puts(out, instead);
	textbuf_puts(out, end);
}

static enum sahm_status read_text(const struct textbuf *text, struct ipu_session **s, struct sahm_err *err)
{
	return ipu_session_read(s, path_of("session"), text->text, text->len, err);
}

/* A session checks old images by the day on which they were loaded, as far as that can be, and new ones by today's. */
static void test_days(void **state)
{
	(void)state;
	static const struct {
		const char *date;
		enum sahm_status status;
		const char *part;
	} rows[] = {
		{"date=2026-02-30", SAHM_FORMAT, "session:3: date is '2026-02-30', must be a day like 2030-12-31"},
		{"date=never", SAHM_FORMAT, "session:3: date is 'never', must be a day like 2030-12-31"},
		{"date=2024-06-30 date=2024-06-30", SAHM_FORMAT, "session:3: 'config-image' has date twice"},
		{"", SAHM_FORMAT, "session:3: there is no date for the trust file"},
		{"date=9999-12-31", SAHM_FORMAT, "session:3: the date, 9999-12-31, is still to come: it is "},
		{"date=2024-06-30", SAHM_OK, NULL},
		{"date=0001-01-01", SAHM_OK, NULL},
	};
	struct ipu_session *s = must_attach("trust.cfg"), *again;
	struct sahm_err err = {.msg = ""};
	char day[DATE_BYTES], today[32];
	uint32_t date = 0;
	assert_true(date_today(&date));
	snprintf(today, sizeof(today), " date=%s\n", date_write(date, day));
	assert_int_equal(send(s, "made.elf", &err), SAHM_OK);
	assert_non_null(strstr(ipu_session_text(s)->text, " trust=trust.cfg "));
	assert_non_null(strstr(ipu_session_text(s)->text, today));
	again = read_again(s);
	ipu_session_free(again);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct textbuf text;
		put_instead(s, "date=", rows[i].date, &text);
		enum sahm_status status = read_text(&text, &again, &err);
		if (status != rows[i].status || (rows[i].part && !strstr(err.msg, rows[i].part)))
			fail_msg("%s: %d, %s", rows[i].date, status, err.msg);
		textbuf_release(&text);
		if (status != SAHM_OK)
			continue;
		assert_int_equal(send(again, "made.elf", &err), SAHM_OK);
		assert_string_equal(strrchr(ipu_session_text(again)->text, ' '), today);
		ipu_session_free(again);
	}
	ipu_session_free(s);
}

/* The trust file's own day is the only one. */
static void test_own_day(void **state)
{
	(void)state;
	static const char *const others[] = {"date=2024-06-29", "date=2024-07-01"};
	struct ipu_session *s = must_attach("past.cfg"), *again;
	struct sahm_err err = {.msg = ""};
	assert_int_equal(send(s, "past.elf", &err), SAHM_OK);
	assert_non_null(strstr(ipu_session_text(s)->text, " date=2024-06-30\n"));
	again = read_again(s);
	ipu_session_free(again);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		struct textbuf text;
		put_instead(s, "date=", others[i], &text);
		assert_int_equal(read_text(&text, &again, &err), SAHM_FORMAT);
		if (!strstr(err.msg, "and the trust file uses 2024-06-30"))
			fail_msg("%s", err.msg);
		textbuf_release(&text);
	}
	ipu_session_free(s);
}

/* Images that have expired since then were good. */
static void test_expired_since(void **state)
{
	(void)state;
	static const struct {
		const char *date;
		enum sahm_status status;
	} rows[] = {{" date=2024-06-30\n", SAHM_OK}, {" date=2024-07-01\n", SAHM_REFUSED}};
	struct ipu_session *past = must_attach("past.cfg"), *s = must_attach("trust.cfg"), *again;
	struct sahm_err err = {.msg = ""};
	assert_int_equal(send(past, "past.elf", &err), SAHM_OK);
	/* As it would have been noted then. */
	const char *line = strstr(ipu_session_text(past)->text, "config-image ");
	assert_non_null(line);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct textbuf text;
		textbuf_init(&text);
		textbuf_puts(&text, ipu_session_text(s)->text);
		textbuf_add(&text, line, (size_t)(strstr(line, " date=") - line));
		textbuf_puts(&text, rows[i].date);
		enum sahm_status status = read_text(&text, &again, &err);
		if (status != rows[i].status)
			fail_msg("%s: %d, %s", rows[i].date, status, err.msg);
		textbuf_release(&text);
		if (status == SAHM_OK) {
			assert_int_equal(send(again, "past.elf", &err), SAHM_REFUSED);
			ipu_session_free(again);
		}
	}
	ipu_session_free(past);
	ipu_session_free(s);
}

/* What the journal says of a trust file must be of one. */
static void test_journals(void **state)
{
	(void)state;
	static const struct {
		const char *from, *instead, *part;
	} rows[] = {
		{"trust-hash=", "", "session:2: 'attach' names a trust file and has no trust-hash"},
		{"trust=trust.cfg", "", "session:2: 'attach' has a trust-hash of nothing"},
		{"trust-hash=", "trust-hash=00", "session:2: trust-hash is '00', must be 64 hexadecimal digits"},
		{"trust=trust.cfg", "trust=-",
		 "session:2: trust is '-', must be a file that is there for later calls, too"},
		{"trust=trust.cfg", "trust=dated.cfg",
		 "dated.cfg', or what it says is revoked, has changed since this 'attach'"},
		{"trust=trust.cfg", "date=2026-11-22 trust=trust.cfg",
		 "session:2: 'attach' has a date, but no trust file"},
	};
	struct ipu_session *s = must_attach("trust.cfg"), *again;
	struct sahm_err err = {.msg = ""};
	assert_int_equal(send(s, "made.elf", &err), SAHM_OK);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct textbuf text;
		put_instead(s, rows[i].from, rows[i].instead, &text);
		assert_int_equal(read_text(&text, &again, &err), SAHM_FORMAT);
		if (!strstr(err.msg, rows[i].part))
			fail_msg("%s", err.msg);
		textbuf_release(&text);
	}
	ipu_session_free(s);
	s = must_attach(NULL);
	assert_int_equal(send(s, "made.elf", &err), SAHM_OK);
	assert_null(strstr(ipu_session_text(s)->text, "date="));
	struct textbuf text;
	put_instead(s, "image=made.elf", "image=made.elf date=2026-11-22", &text);
	assert_int_equal(read_text(&text, &again, &err), SAHM_FORMAT);
	assert_non_null(strstr(err.msg, "session:3: there is a date, and no trust file that uses it"));
	textbuf_release(&text);
	ipu_session_free(s);
}

/* A session continues only while its trust file and its companions are unchanged. */
static void test_changes(void **state)
{
	(void)state;
	struct ipu_session *s = must_attach("trust.cfg"), *again;
	struct sahm_err err = {.msg = ""};
	const struct textbuf *text = ipu_session_text(s);
	assert_int_equal(send(s, "made.elf", &err), SAHM_OK);
	put_trust("trust.cfg", "permissive", "revocations = \"revoked.cfg\"; # a comment");
	assert_int_equal(read_text(text, &again, &err), SAHM_FORMAT);
	assert_non_null(strstr(err.msg, "session:2: "));
	assert_non_null(strstr(err.msg, "trust.cfg', or what it says is revoked, has changed since this 'attach'"));
	put_trust("trust.cfg", "permissive", "revocations = \"revoked.cfg\";");
	put_text("revoked.cfg", "revoked = ( { key = \"00112233445566778899aabbccddeeff\"; reason = \"lost\"; } );\n");
	assert_int_equal(read_text(text, &again, &err), SAHM_FORMAT);
	assert_non_null(strstr(err.msg, "trust.cfg', or what it says is revoked, has changed since this 'attach'"));
	put_text("revoked.cfg", "revoked = ();\n");
	again = read_again(s);
	ipu_session_free(again);
	/* Another signature, as good as the one before, and none. */
	sign_file("made.elf", 1, "made", LAST_DAY - 1);
	assert_int_equal(read_text(text, &again, &err), SAHM_FORMAT);
	assert_non_null(strstr(err.msg, "session:3: "));
	assert_non_null(strstr(err.msg, "made.elf', or its signature, has changed since this 'config-image'"));
	assert_int_equal(remove(path_of("made.elf.sig")), 0);
	assert_int_equal(read_text(text, &again, &err), SAHM_FORMAT);
	assert_non_null(strstr(err.msg, "made.elf', or its signature, has changed since this 'config-image'"));
	sign_file("made.elf", 1, "made", LAST_DAY);
	again = read_again(s);
	ipu_session_free(again);
	ipu_session_free(s);
}

/* The signature stands beside the file itself, by which the journal names it. */
static void test_link(void **state)
{
	(void)state;
	char target[128];
	struct sahm_err err = {.msg = ""};
	snprintf(target, sizeof(target), "%s", path_of("made.elf"));
	assert_int_equal(symlink(target, path_of("link.elf")), 0);
	snprintf(target, sizeof(target), "%s", path_of("sub"));
	assert_int_equal(mkdir(target, 0700), 0);
	assert_int_equal(symlink("../trust.cfg", path_of("sub/link.cfg")), 0);
	struct ipu_session *s = must_attach("sub/link.cfg"), *again;
	assert_non_null(strstr(ipu_session_text(s)->text, " trust=trust.cfg "));
	if (send(s, "link.elf", &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	again = read_again(s);
	ipu_session_free(again);
	ipu_session_free(s);
}

TEST_FILE(test_ipu_session_trust)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_images),	 cmocka_unit_test(test_every_unit),
		cmocka_unit_test(test_attach),	 cmocka_unit_test(test_days),
		cmocka_unit_test(test_own_day),	 cmocka_unit_test(test_expired_since),
		cmocka_unit_test(test_journals), cmocka_unit_test(test_changes),
		cmocka_unit_test(test_link),
	};
	return cmocka_run_group_tests(tests, make_trusted_folder, remove_folder);
}
