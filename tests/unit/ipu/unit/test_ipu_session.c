/* Sessions: journals of calls, read, replayed, added to; locks. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/array.h"
#include "sim/base/file.h"
#include "sim/base/lock.h"
#include "tests/unit/ipu/unit/made_session.h"

#define HASH "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
#define HEAD IPU_SESSION_HEAD "\n"

/* Journals that cannot be read. */
static void test_refused(void **state)
{
	(void)state;
	static const struct {
		const char *text, *message;
	} rows[] = {
		{"", "s: not a session: it is empty"},
		{"\n", "s: not a session: its first line is not 'sahm-ipu-session 1'"},
		{"sahm-ipu-session 2\n", "s: not a session: its first line is not 'sahm-ipu-session 1'"},
		{"sahm-ipu-session 1", "s:1: cut short: the line has no end"},
		{HEAD "pause", "s:2: cut short: the line has no end"},
		{HEAD "puase\n", "s:2: unknown call 'puase'; did you mean 'pause'?"},
		{HEAD "\n# a note\npause unti=1\n", "s:4: 'pause' has no 'unti'; did you mean 'unit'?"},
		{HEAD "pause unit\n", "s:2: 'unit' has no value: 'unit=...'"},
		{HEAD "pause unit=1 unit=1\n", "s:2: 'pause' has unit twice"},
		{HEAD "pause unit=-1\n", "s:2: unit is '-1', must be 'all' or a whole number from 0 to 4095"},
		{HEAD "pause unit=4096\n", "s:2: unit is '4096', must be 'all' or a whole number from 0 to 4095"},
		{HEAD "drain unit=all\n", "s:2: unit is 'all', must be a whole number from 0 to 4095"},
		{HEAD "pause address=1\n", "s:2: 'pause' has no 'address'"},
		{HEAD "config-start\n", "s:2: 'config-start' needs address"},
		{HEAD "config-start address=0x10000000000000000\n",
		 "s:2: address is '0x10000000000000000', must be a whole number below 2^64, hexadecimal after 0x"},
		{HEAD "config-stop address=\"1\n",
		 "s:2: the quotes of 'address' do not end, or are followed by something"},
		{HEAD "config-stop address=\"1\"2\n",
		 "s:2: the quotes of 'address' do not end, or are followed by something"},
		{HEAD "attach\n", "s:2: 'attach' needs abi"},
		{HEAD "attach abi=a\n", "s:2: 'attach' names a file and has no hash"},
		{HEAD "attach abi=- hash=" HASH "\n",
		 "s:2: abi is '-', must be a file that is there for later calls, too"},
		{HEAD "pause hash=" HASH "\n", "s:2: 'pause' has a hash of nothing"},
		{HEAD "attach abi=a hash=0g\n", "s:2: hash is '0g', must be 64 hexadecimal digits"},
		{HEAD "attach abi=a hash=" HASH " hash=" HASH "\n", "s:2: 'attach' has hash twice"},
		{HEAD "attach abi=a mode=windw=3 hash=" HASH "\n",
		 "s:2: mode is 'windw=3', must be every, sub-sample=K, window=N or phases=MHZ; did you mean 'window'?"},
		{HEAD "attach abi=a mode=window=4097 hash=" HASH "\n",
		 "s:2: mode is 'window=4097', must be window=N, a whole number from 1 to 4096"},
		{HEAD "attach abi=a mode=every=1 hash=" HASH "\n",
		 "s:2: mode is 'every=1', but 'every' takes no number"},
		{HEAD "attach abi=a add=no hash=" HASH "\n", "s:2: add is 'no', must be yes"},
		{HEAD "attach abi=a fifo=15 hash=" HASH "\n",
		 "s:2: fifo is '15', must be a whole number from 16 to 2147483647"},
		{HEAD "config-image image=a\tb hash=" HASH "\n", "s:2: image is 'a?b', has a control character in it"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct arena a = {0};
		struct ipu_call *calls;
		size_t nr;
		struct sahm_err err = {.msg = ""};
		assert_int_equal(ipu_calls_read(&a, "s", rows[i].text, strlen(rows[i].text), &calls, &nr, &err),
				 SAHM_FORMAT);
		assert_string_equal(err.msg, rows[i].message);
		arena_release(&a);
	}
}

/* Calls are read as they are meant, and written as they are read. */
static void test_round_trip(void **state)
{
	(void)state;
	static const char text[] = HEAD
		"attach abi=a.cfg units=4096 hit-mhz=1 ipu-mhz=1000000 mode=sub-sample=7 max-cycles=1 fifo=16 limit=1 "
		"hash=" HASH "\n"
		"config-image image=\"with \\\" and \\\\.elf\" unit=all set=a=1 set=\"b[2]=-1 \" hash=" HASH "\n"
		"config-start address=0xffffffffffffffff\n"
		"feed signals=s unit=4095 hash=" HASH "\n"
		"wait cycles=7\n"
		"drain unit=0\n"
		"finalize\n"
		"attach abi=a.cfg add=yes trust=\"my trust.cfg\" hash=" HASH " trust-hash=" HASH "\n"
		"config-image image=a.elf hash=" HASH " date=2028-02-29\n";
	struct arena a = {0};
	struct ipu_call *calls;
	size_t nr;
	struct sahm_err err = {.msg = ""};
	struct textbuf out;
	if (ipu_calls_read(&a, "s", text, strlen(text), &calls, &nr, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	assert_int_equal(nr, 9);
	assert_string_equal(calls[7].trust.name, "my trust.cfg");
	assert_int_equal(calls[8].date, 20280229);
	assert_int_equal(ipu_call_number(&calls[0], IPU_ARG_UNITS, 1), 4096);
	assert_int_equal(calls[0].mode.mismatch, IPU_SUB_SAMPLE);
	assert_int_equal(calls[0].mode.arg, 7);
	assert_int_equal(calls[0].file.hash[1], 0x11);
	assert_string_equal(calls[1].file.name, "with \" and \\.elf");
	assert_int_equal(calls[1].nr_settings, 2);
	assert_string_equal(calls[1].settings[1], "b[2]=-1 ");
	assert_true(ipu_call_number(&calls[1], IPU_ARG_UNIT, 0) == IPU_ALL_UNITS);
	assert_true(calls[2].numbers[IPU_ARG_ADDRESS] == UINT64_MAX);
	assert_int_equal(ipu_call_number(&calls[2], IPU_ARG_UNIT, 3), 3);
	assert_int_equal(calls[4].line, 6);
	textbuf_init(&out);
	textbuf_puts(&out, HEAD);
	for (size_t i = 0; i < nr; i++)
		assert_int_equal(ipu_call_write(&calls[i], &out, &err), SAHM_OK);
	assert_string_equal(out.text, text);
	textbuf_release(&out);
	arena_release(&a);
}

static enum sahm_status count_packet(void *context, unsigned unit, const struct ipu_packet *packet,
				     struct sahm_err *err)
{
	unsigned *sum = context;
	(void)err;
	assert_int_equal(unit, 0);
	assert_int_equal(packet->nr_bytes, 4);
	*sum = *sum * 10 + packet->bytes[0];
	return SAHM_OK;
}

static unsigned drained(struct ipu_session *s)
{
	unsigned sum = 0;
	struct sahm_err err;
	const struct ipu_packet_sink sink = {count_packet, &sum};
	assert_int_equal(make(s, IPU_CALL_DRAIN, IPU_ARG_UNIT, "0", &sink, &err), SAHM_OK);
	return sum;
}

/* A session that is read again is the same at each of its calls, and goes on the same. */
static void test_life(void **state)
{
	(void)state;
	struct ipu_session *s, *again;
	struct sahm_err err;
	assert_int_equal(ipu_session_new(&s, path_of("session"), &err), SAHM_OK);
	must_make(s, IPU_CALL_ATTACH, IPU_ARG_ABI, path_of("made.cfg"));
	must_make(s, IPU_CALL_IMAGE, IPU_ARG_IMAGE, path_of("made.elf"));
	must_make(s, IPU_CALL_START, IPU_ARG_ADDRESS, "2");
	must_make(s, IPU_CALL_FEED, IPU_ARG_SIGNALS, path_of("signals.csv"));
	again = read_again(s);
	struct ipu_unit *u = ipu_device_unit(ipu_session_device(again), 0);
	assert_int_equal(ipu_unit_status(u), IPU_ACTIVE_RUNNING);
	assert_int_equal(ipu_unit_hit_cycle(u), 41);
	assert_int_equal(ipu_unit_counts(u).taken, 2);
	assert_int_equal(drained(s), 5);
	assert_int_equal(drained(again), 5);
	must_make(s, IPU_CALL_WAIT, IPU_ARG_CYCLES, "8");
	must_make(again, IPU_CALL_WAIT, IPU_ARG_CYCLES, "8");
	assert_int_equal(drained(s), 6);
	assert_int_equal(drained(again), 6);
	assert_string_equal(ipu_session_text(s)->text, ipu_session_text(again)->text);
	ipu_session_free(again);
	/* What was drained does not come back. */
	again = read_again(s);
	assert_int_equal(drained(again), 0);
	ipu_session_free(again);
	/* Signals count from the present on; the start address is earlier, so all of them are processed. */
	must_make(s, IPU_CALL_FEED, IPU_ARG_SIGNALS, path_of("signals.csv"));
	must_make(s, IPU_CALL_WAIT, IPU_ARG_UNIT, NULL);
	u = ipu_device_unit(ipu_session_device(s), 0);
	assert_int_equal(ipu_unit_hit_cycle(u), 49 + 40 + MADE_IMAGE_CYCLES);
	assert_int_equal(drained(s), 789);
	ipu_session_free(s);
}

static void test_refused_calls(void **state)
{
	(void)state;
	struct ipu_session *s;
	struct sahm_err err;
	static const struct {
		enum ipu_call_kind kind;
		enum ipu_argument argument;
		const char *text;
		enum sahm_status status;
		const char *message;
	} rows[] = {
		{IPU_CALL_PAUSE, IPU_ARG_UNIT, "1", SAHM_RANGE, "there is no unit 1, the session has 1"},
		{IPU_CALL_ATTACH, IPU_ARG_ABI, "made.cfg", SAHM_USAGE,
		 "the session has units already; 'add' gives it more"},
		{IPU_CALL_IMAGE, IPU_ARG_IMAGE, "none.elf", SAHM_IO, "cannot open"},
		{IPU_CALL_IMAGE, IPU_ARG_IMAGE, "made.cfg", SAHM_FORMAT, "not an ELF file"},
	};
	assert_int_equal(ipu_session_new(&s, path_of("session"), &err), SAHM_OK);
	assert_int_equal(make(s, IPU_CALL_PAUSE, IPU_ARG_UNIT, NULL, NULL, &err), SAHM_RANGE);
	assert_string_equal(err.msg, "the session has no units yet: 'attach' gives it some");
	ipu_session_free(s);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_int_equal(ipu_session_new(&s, path_of("session"), &err), SAHM_OK);
		must_make(s, IPU_CALL_ATTACH, IPU_ARG_ABI, path_of("made.cfg"));
		bool is_number = rows[i].argument == IPU_ARG_UNIT;
		assert_int_equal(make(s, rows[i].kind, rows[i].argument,
				      is_number ? rows[i].text : path_of(rows[i].text), NULL, &err),
				 rows[i].status);
		if (!strstr(err.msg, rows[i].message))
			fail_msg("%s", err.msg);
		ipu_session_free(s);
	}
	assert_int_equal(ipu_session_new(&s, "/no/such/session", &err), SAHM_IO);
}

/* Processes that replace a file under its lock lose nothing. */
static void test_lock(void **state)
{
	(void)state;
	enum { NR_PROCESSES = 4, NR_TIMES = 25 };
	struct file_lock lock;
	struct sahm_err err;
	struct atomic_file f;
	char path[128], *text;
	size_t len;
	snprintf(path, sizeof(path), "%s/counter", folder);
	assert_int_equal(file_lock_take(&lock, path, false, &err), SAHM_IO);
	/* One that was made for nothing goes away. */
	assert_int_equal(file_lock_take(&lock, path, true, &err), SAHM_OK);
	file_lock_release(&lock);
	assert_int_not_equal(access(path, F_OK), 0);
	assert_int_equal(file_lock_take(&lock, folder, false, &err), SAHM_IO);
	for (int p = 0; p < NR_PROCESSES; p++) {
		if (fork() != 0)
			continue;
		for (int i = 0; i < NR_TIMES; i++) {
			if (file_lock_take(&lock, path, true, &err) != SAHM_OK ||
			    file_read(path, 10000, &text, &len, &err) != SAHM_OK ||
			    atomic_file_open(&f, path, &err) != SAHM_OK)
				_exit(1);
			fprintf(f.stream, "%s.", text);
			free(text);
			if (atomic_file_commit(&f, &err) != SAHM_OK)
				_exit(1);
			file_lock_release(&lock);
		}
		_exit(0);
	}
	for (int p = 0; p < NR_PROCESSES; p++) {
		int code = 1;
		assert_true(wait(&code) > 0);
		assert_int_equal(code, 0);
	}
	assert_int_equal(file_read(path, 10000, &text, &len, &err), SAHM_OK);
	assert_int_equal(len, NR_PROCESSES * NR_TIMES);
	free(text);
}

TEST_FILE(test_ipu_session)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refused),	      cmocka_unit_test(test_round_trip), cmocka_unit_test(test_life),
		cmocka_unit_test(test_refused_calls), cmocka_unit_test(test_lock),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
