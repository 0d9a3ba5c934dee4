/* Sessions: the files that their calls name, and the time that passes with these, up to its end. */
#include <sys/stat.h>

#include "sim/base/array.h"
#include "tests/unit/ipu/unit/made_session.h"

/* A file that is not what it was ends the session, be it the same but for a comment. */
static void test_changed_files(void **state)
{
	(void)state;
	struct ipu_session *s;
	struct sahm_err err;
	char message[256];
	assert_int_equal(ipu_session_new(&s, path_of("session"), &err), SAHM_OK);
	must_make(s, IPU_CALL_ATTACH, IPU_ARG_ABI, path_of("made.cfg"));
	must_make(s, IPU_CALL_FEED, IPU_ARG_SIGNALS, path_of("signals.csv"));
	const struct textbuf *text = ipu_session_text(s);
	assert_non_null(strstr(text->text, "\nattach abi=made.cfg hash="));
	assert_non_null(strstr(text->text, "\nfeed signals=signals.csv hash="));
	put_text("signals.csv", "cycle,pc,level\n0,1,1\n20,2,2\n40,3,4\n");
	struct ipu_session *again;
	assert_int_equal(ipu_session_read(&again, path_of("session"), text->text, text->len, &err), SAHM_FORMAT);
	snprintf(message, sizeof(message), "%s/session:3: '%s/signals.csv' has changed since this 'feed'", folder,
		 folder);
	assert_string_equal(err.msg, message);
	put_text("signals.csv", SIGNALS);
	put_text("made.cfg", "# the same\n" SPEC);
	assert_int_equal(ipu_session_read(&again, path_of("session"), text->text, text->len, &err), SAHM_FORMAT);
	snprintf(message, sizeof(message), "%s/session:2: '%s/made.cfg' has changed since this 'attach'", folder,
		 folder);
	assert_string_equal(err.msg, message);
	put_text("made.cfg", SPEC);
	ipu_session_free(read_again(s));
	ipu_session_free(s);
}

/* What an ABI spec includes belongs to it. */
static void test_changed_include(void **state)
{
	(void)state;
	struct ipu_session *s, *again;
	struct sahm_err err;
	put_text("part.cfg", SPEC);
	put_text("whole.cfg", "@include \"part.cfg\"\n");
	assert_int_equal(ipu_session_new(&s, path_of("session"), &err), SAHM_OK);
	must_make(s, IPU_CALL_ATTACH, IPU_ARG_ABI, path_of("whole.cfg"));
	ipu_session_free(read_again(s));
	put_text("part.cfg", "name = \"made\"; signals = (\n"
			     "{ name = \"level\"; bits = 9; register = 3; rate = 0; semantics = \"a signal\"; } );\n");
	const struct textbuf *text = ipu_session_text(s);
	assert_int_equal(ipu_session_read(&again, path_of("session"), text->text, text->len, &err), SAHM_FORMAT);
	ipu_session_free(s);
}

/* Files must be there again: other files than regular ones are refused, and not waited for. */
static void test_irregular_files(void **state)
{
	(void)state;
	static const struct {
		enum ipu_call_kind kind;
		enum ipu_argument argument;
	} rows[] = {{IPU_CALL_ATTACH, IPU_ARG_ABI}, {IPU_CALL_IMAGE, IPU_ARG_IMAGE}, {IPU_CALL_FEED, IPU_ARG_SIGNALS}};
	char pipe[128], message[256];
	snprintf(pipe, sizeof(pipe), "%s/pipe", folder);
	assert_int_equal(mkfifo(pipe, 0600), 0);
	const char *const paths[] = {pipe, "/dev/zero", folder};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		for (size_t p = 0; p < ARRAY_SIZE(paths); p++) {
			struct ipu_session *s;
			struct sahm_err err;
			assert_int_equal(ipu_session_new(&s, path_of("session"), &err), SAHM_OK);
			if (rows[i].kind != IPU_CALL_ATTACH)
				must_make(s, IPU_CALL_ATTACH, IPU_ARG_ABI, path_of("made.cfg"));
			assert_int_equal(make(s, rows[i].kind, rows[i].argument, paths[p], NULL, &err), SAHM_IO);
			snprintf(message, sizeof(message), "cannot open '%s': it is not a regular file", paths[p]);
			assert_string_equal(err.msg, message);
			ipu_session_free(s);
		}
	}
	assert_int_equal(remove(pipe), 0);
}

static struct ipu_unit *only_unit(struct ipu_session *s)
{
	return ipu_device_unit(ipu_session_device(s), 0);
}

/* The present is after the last row, though no set comes of it. */
static void test_feed_ends_behind_its_rows(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		uint64_t cycles;
	} rows[] = {{"cycle,pc,level\n0,5,0\n1000,,\n", 1001},
		    {"cycle,pc,level\n", 0},
		    {"cycle,pc,level\n0,,\n", 1},
		    {"pc,level\n,\n1,2\n,\n", 3},
		    {"pc,level\n", 0}};
	struct ipu_session *s;
	struct sahm_err err;
	uint64_t present = 100;
	assert_int_equal(ipu_session_new(&s, path_of("session"), &err), SAHM_OK);
	must_make(s, IPU_CALL_ATTACH, IPU_ARG_ABI, path_of("made.cfg"));
	must_make(s, IPU_CALL_WAIT, IPU_ARG_CYCLES, "100");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char name[16];
		snprintf(name, sizeof(name), "%zu.csv", i);
		put_text(name, rows[i].text);
		must_make(s, IPU_CALL_FEED, IPU_ARG_SIGNALS, path_of(name));
		present += rows[i].cycles;
		assert_int_equal(ipu_unit_hit_cycle(only_unit(s)), present);
	}
	ipu_session_free(s);
}

/* A session with a HIT of 1 MHz and an IPU of 1,000,000 MHz. */
static struct ipu_session *fast_session(void)
{
	struct ipu_session *s;
	struct sahm_err err;
	struct arena a = {0};
	struct ipu_call call = {.kind = IPU_CALL_ATTACH};
	assert_int_equal(ipu_session_new(&s, path_of("session"), &err), SAHM_OK);
	assert_int_equal(ipu_call_set(&call, &a, IPU_ARG_ABI, path_of("made.cfg"), "", &err), SAHM_OK);
	assert_int_equal(ipu_call_set(&call, &a, IPU_ARG_HIT_MHZ, "1", "", &err), SAHM_OK);
	assert_int_equal(ipu_call_set(&call, &a, IPU_ARG_IPU_MHZ, "1000000", "", &err), SAHM_OK);
	assert_int_equal(ipu_session_make(s, &call, NULL, &err), SAHM_OK);
	arena_release(&a);
	return s;
}

#define TIME_ENDS " of its HIT: time ends at 4611686018427, where the IPU's clock comes to 4611686018427387904 cycles"

/* No call leads past the end of time, nor does a journal with such a call. */
static void test_end_of_time(void **state)
{
	(void)state;
	struct sahm_err err;
	char message[256];
	struct textbuf text;
	struct ipu_session *again, *s = fast_session();
	must_make(s, IPU_CALL_WAIT, IPU_ARG_CYCLES, "4611686018426");
	textbuf_init(&text);
	textbuf_printf(&text, "%swait cycles=2\n", ipu_session_text(s)->text);
	must_make(s, IPU_CALL_WAIT, IPU_ARG_CYCLES, "1");
	assert_true(ipu_unit_ipu_cycle(only_unit(s)) == UINT64_C(4611686018427000000));
	assert_int_equal(make(s, IPU_CALL_WAIT, IPU_ARG_CYCLES, "1", NULL, &err), SAHM_RANGE);
	assert_string_equal(err.msg, "unit 0 cannot come to cycle 4611686018428" TIME_ENDS);
	ipu_session_free(s);
	assert_int_equal(ipu_session_read(&again, path_of("session"), text.text, text.len, &err), SAHM_RANGE);
	snprintf(message, sizeof(message), "%s/session:4: unit 0 cannot come to cycle 4611686018428" TIME_ENDS, folder);
	assert_string_equal(err.msg, message);
	textbuf_release(&text);
	/* In the middle of signals, and by the cycle after their end. */
	put_text("far.csv", "cycle,pc,level\n0,1,1\n1000000000000000,2,2\n");
	s = fast_session();
	assert_int_equal(make(s, IPU_CALL_FEED, IPU_ARG_SIGNALS, path_of("far.csv"), NULL, &err), SAHM_RANGE);
	assert_string_equal(err.msg, "unit 0 cannot come to cycle 1000000000000000" TIME_ENDS);
	ipu_session_free(s);
	put_text("end.csv", "cycle,pc,level\n0,1,1\n4611686018427,,\n");
	s = fast_session();
	assert_int_equal(make(s, IPU_CALL_FEED, IPU_ARG_SIGNALS, path_of("end.csv"), NULL, &err), SAHM_RANGE);
	assert_string_equal(err.msg, "unit 0 cannot come to cycle 4611686018428" TIME_ENDS);
	ipu_session_free(s);
	/* A HIT that slows down has less left. */
	put_text("slow.csv", "cycle,hit_mhz,level\n0,1000000,1\n10,1,\n4611686018427,,1\n");
	s = fast_session();
	assert_int_equal(make(s, IPU_CALL_FEED, IPU_ARG_SIGNALS, path_of("slow.csv"), NULL, &err), SAHM_OK);
	ipu_session_free(s);
	put_text("slow.csv", "cycle,hit_mhz,level\n0,1000000,1\n10,1,\n4611686018437,,1\n");
	s = fast_session();
	assert_int_equal(make(s, IPU_CALL_FEED, IPU_ARG_SIGNALS, path_of("slow.csv"), NULL, &err), SAHM_RANGE);
	ipu_session_free(s);
}

TEST_FILE(test_ipu_session_inputs)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_changed_files),	cmocka_unit_test(test_changed_include),
		cmocka_unit_test(test_irregular_files), cmocka_unit_test(test_feed_ends_behind_its_rows),
		cmocka_unit_test(test_end_of_time),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
