/* Streams: executed instructions read back the same, from every epoch on; damaged and truncated files are recognised.
 */
#include "workloads/stream/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/file.h"
#include "tests/helper/made_stream.h"
#include "tests/helper/random.h"
#include "tests/unit/own_folder.h"
#include "tests/unit/test.h"

static char path[64], part[80];

static int make_folder(void **state)
{
	int failed = make_own_folder(state);
	snprintf(path, sizeof(path), "%s/a.stream", own_folder);
	snprintf(part, sizeof(part), "%s.part", path);
	return failed;
}

static struct stream_writer *writer(void)
{
	struct sahm_err err;
	struct stream_writer *w = stream_writer_new(path, MACHINE_X86_64, "made up --fast", &err);
	if (!w)
		fail_msg("%s", err.msg);
	return w;
}

static void finish(struct stream_writer *w)
{
	struct sahm_err err;
	if (stream_writer_finish(w, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
}

static struct stream *reader(const char *expected_note)
{
	struct textbuf notes;
	struct stream *s;
	struct sahm_err err;
	textbuf_init(&notes);
	if (stream_open(path, &notes, &s, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	if (expected_note ? !strstr(notes.text, expected_note) : notes.len > 0)
		fail_msg("notes are '%s'", notes.text);
	textbuf_release(&notes);
	return s;
}

static void expect_same(const struct executed *is, const struct made_executed *must, size_t at)
{
	const struct insn *a = is->instruction, *b = &must->instruction;
	if (a->pc != b->pc || a->target != b->target || a->length != b->length || a->class != b->class ||
	    memcmp(a->source, b->source, sizeof(a->source)) != 0 || a->destination != b->destination)
		fail_msg("instruction %zu is another one", at);
	if (is->nr_accesses != must->nr_accesses)
		fail_msg("instruction %zu has %u accesses, not %u", at, is->nr_accesses, must->nr_accesses);
	for (unsigned i = 0; i < is->nr_accesses; i++)
		if (is->accesses[i].address != must->accesses[i].address ||
		    is->accesses[i].bytes != must->accesses[i].bytes ||
		    is->accesses[i].is_store != must->accesses[i].is_store)
			fail_msg("access %u of instruction %zu is another one", i, at);
	if (is->taken != must->taken || is->next_pc != must->next_pc)
		fail_msg("what follows instruction %zu is something else", at);
}

/* Reads on, from instruction `at`, up to the end or for `nr` of them. */
static void expect_rest(struct stream *s, const struct made_stream *m, size_t at, size_t nr)
{
	struct executed e;
	struct sahm_err err;
	bool more = true;
	for (size_t end = nr < m->nr - at ? at + nr : m->nr; at < end; at++) {
		if (stream_next(s, &e, &more, &err) != SAHM_OK)
			fail_msg("instruction %zu: %s", at, err.msg);
		assert_true(more);
		expect_same(&e, &m->executed[at], at);
	}
	if (at < m->nr)
		return;
	for (int i = 0; i < 2; i++) {
		assert_int_equal(stream_next(s, &e, &more, &err), SAHM_OK);
		assert_false(more);
	}
}

static void expect_all(const struct made_stream *m, uint64_t seed)
{
	struct stream *s = reader(NULL);
	struct sahm_err err;
	assert_int_equal(stream_machine(s), MACHINE_X86_64);
	assert_string_equal(stream_program(s), "made up --fast");
	assert_int_equal(stream_nr_instructions(s), m->nr);
	assert_int_equal(stream_nr_epochs(s), m->nr_epochs);
	for (size_t i = 0; i < m->nr_epochs; i++)
		assert_int_equal(stream_epoch_instructions(s, i),
				 (i + 1 < m->nr_epochs ? m->epochs[i + 1] : m->nr) - m->epochs[i]);
	expect_rest(s, m, 0, SIZE_MAX);
	for (size_t i = 0; i < m->nr_epochs; i++) {
		uint64_t to = between(&seed, 0, m->nr_epochs - 1);
		assert_int_equal(stream_seek(s, to, &err), SAHM_OK);
		expect_rest(s, m, m->epochs[to], between(&seed, 0, 3000));
	}
	stream_free(s);
}

static const struct {
	const char *name;
	struct made_options o;
} made_rows[] = {
	{"one block", {1, 1, 5, 1, 10, 0, 0, 2, false}},
	{"plain", {2, 50, 10, 4, 2000, 5, 0, 2, false}},
	{"wild", {3, 300, 12, 5, 2000, 100, 0, 16, false}},
	{"odd", {4, 100, 8, 6, 1000, 20, 30, 16, false}},
	{"many blocks", {5, 20000, 6, 3, 20000, 10, 1, 4, false}},
	{"large blocks", {6, 20, MAX_BLOCK_INSTRUCTIONS, 3, 30, 10, 1, 4, false}},
	{"single instructions", {7, 500, 1, 10, 500, 10, 5, 3, false}},
	{"several chunks an epoch", {8, 400, 9, 2, 250000, 5, 0, 2, false}},
	{"chunks full of accesses", {9, 30, 4000, 1, 60, 100, 60, 16, false}},
};

static void test_what_is_written_is_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(made_rows); i++) {
		struct made_stream m;
		struct stream_writer *w = writer();
		print_message("%s\n", made_rows[i].name);
		made_stream_write(w, &made_rows[i].o, &m);
		finish(w);
		expect_all(&m, i);
		made_stream_release(&m);
		assert_int_equal(access(part, F_OK), -1);
	}
}

/* A model that gets too large is reset in the middle of an epoch; the block before it is read to its end all the same.
 */
static void test_large_model(void **state)
{
	enum { NR_BLOCKS = 700, NR = MAX_BLOCK_INSTRUCTIONS };
	static struct insn in[NR];
	uint32_t ids[NR_BLOCKS];
	struct executed e;
	struct sahm_err err;
	bool more;
	(void)state;
	struct stream_writer *w = writer();
	for (unsigned b = 0; b < NR_BLOCKS; b++) {
		for (unsigned i = 0; i < NR; i++)
			in[i] = made_instruction(b * UINT64_C(0x100000) + 4 * i, 4, INSN_INTEGER, 0);
		ids[b] = stream_writer_block(w, in, NR);
	}
	for (unsigned n = 0; n < 2 * NR_BLOCKS; n++) {
		stream_writer_enter(w, ids[n % NR_BLOCKS]);
		stream_writer_access(w, NR - 1, 8 * n, 8, n % 3 == 0);
	}
	finish(w);
	struct stream *s = reader(NULL);
	for (unsigned n = 0; n < 2 * NR_BLOCKS; n++)
		for (unsigned i = 0; i < NR; i++) {
			assert_int_equal(stream_next(s, &e, &more, &err), SAHM_OK);
			if (!more || e.instruction->pc != n % NR_BLOCKS * UINT64_C(0x100000) + 4 * i ||
			    e.nr_accesses != (i == NR - 1) ||
			    (i == NR - 1 && (e.accesses[0].address != 8 * n || e.accesses[0].is_store != (n % 3 == 0))))
				fail_msg("instruction %u of block %u is another one", i, n);
		}
	assert_int_equal(stream_next(s, &e, &more, &err), SAHM_OK);
	assert_false(more);
	stream_free(s);
}

/* The same calls make the same bytes. */
static void test_same_bytes(void **state)
{
	char *text[2];
	size_t len[2];
	struct sahm_err err;
	(void)state;
	for (int i = 0; i < 2; i++) {
		struct made_stream m;
		struct stream_writer *w = writer();
		made_stream_write(w, &made_rows[3].o, &m);
		finish(w);
		made_stream_release(&m);
		assert_int_equal(file_read(path, 1 << 26, &text[i], &len[i], &err), SAHM_OK);
	}
	assert_int_equal(len[0], len[1]);
	assert_memory_equal(text[0], text[1], len[0]);
	free(text[0]);
	free(text[1]);
}

static void test_empty_program(void **state)
{
	struct executed e;
	struct sahm_err err;
	bool more = true;
	(void)state;
	struct stream_writer *w = writer();
	stream_writer_end_epoch(w);
	stream_writer_end_epoch(w);
	finish(w);
	struct stream *s = reader(NULL);
	assert_int_equal(stream_nr_epochs(s), 0);
	assert_int_equal(stream_nr_instructions(s), 0);
	assert_int_equal(stream_next(s, &e, &more, &err), SAHM_OK);
	assert_false(more);
	assert_int_equal(stream_seek(s, 0, &err), SAHM_RANGE);
	stream_free(s);
}

/* Pieces, what is beyond the most of an instruction, what comes too late. */
static void test_accesses_of_an_instruction(void **state)
{
	struct insn in[3];
	struct executed e;
	struct sahm_err err;
	bool more;
	(void)state;
	for (unsigned i = 0; i < 3; i++)
		in[i] = made_instruction(0x1000 + i, 1, INSN_INTEGER, 0);
	struct stream_writer *w = writer();
	uint32_t b = stream_writer_block(w, in, 3);
	/* Before anything is executed */
	stream_writer_access(w, 0, 0, 8, false);
	stream_writer_enter(w, b);
	/* Loads and stores that take turns are two runs of bytes */
	for (unsigned i = 0; i < 5000; i++) {
		stream_writer_access(w, 0, 0x10000 + i, 1, false);
		stream_writer_access(w, 0, 0x20000 + i, 1, true);
	}
	stream_writer_access(w, 1, 0x5000, 3 * MAX_ACCESS_BYTES + 1, true);
	stream_writer_access(w, 1, 0x5000, 0, true);
	stream_writer_access(w, 0, 0x6000, 8, true);
	stream_writer_access(w, 3, 0x6000, 8, true);
	stream_writer_enter(w, b);
	for (unsigned i = 0; i < MAX_ACCESSES + 3; i++)
		stream_writer_access(w, 2, 0x100 * (uint64_t)i, 8, false);
	/* The other kind's run goes on, though the room is taken */
	finish(w);
	struct stream *s = reader(NULL);
	assert_int_equal(stream_nr_omitted(s), 5);
	assert_int_equal(stream_next(s, &e, &more, &err), SAHM_OK);
	assert_int_equal(e.nr_accesses, 4);
	const struct access expected[] = {
		{0x10000, 4096, false}, {0x20000, 4096, true}, {0x11000, 904, false}, {0x21000, 904, true}};
	for (unsigned i = 0; i < 4; i++) {
		assert_int_equal(e.accesses[i].address, expected[i].address);
		assert_int_equal(e.accesses[i].bytes, expected[i].bytes);
		assert_int_equal(e.accesses[i].is_store, expected[i].is_store);
	}
	assert_int_equal(stream_next(s, &e, &more, &err), SAHM_OK);
	assert_int_equal(e.nr_accesses, 4);
	assert_int_equal(e.accesses[3].address, 0x5000 + 3 * MAX_ACCESS_BYTES);
	assert_int_equal(e.accesses[3].bytes, 1);
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(stream_next(s, &e, &more, &err), SAHM_OK);
		assert_int_equal(e.nr_accesses, 0);
	}
	assert_int_equal(stream_next(s, &e, &more, &err), SAHM_OK);
	assert_int_equal(e.nr_accesses, MAX_ACCESSES);
	stream_free(s);
}

/* Taken or not, and what follows, also from one epoch into the next. */
static void test_outcomes(void **state)
{
	static const struct {
		enum insn_class class;
		uint64_t next; /* pc of the block after it */
		bool taken;
	} rows[] = {
		{INSN_BRANCH, 0x2000, true},  {INSN_BRANCH, 0x1004, false},	  {INSN_JUMP, 0x1004, true},
		{INSN_RETURN, 0x2000, true},  {INSN_INDIRECT_CALL, 0x1004, true}, {INSN_INTEGER, 0x1004, false},
		{INSN_SYSTEM, 0x2000, false},
	};
	struct executed e;
	struct sahm_err err;
	bool more;
	(void)state;
	for (int ends = 0; ends < 2; ends++) {
		struct stream_writer *w = writer();
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
			struct insn in = made_instruction(0x1000, 4, rows[i].class, 0x77);
			struct insn next = made_instruction(rows[i].next, 4, INSN_BRANCH, 0x2000);
			stream_writer_enter(w, stream_writer_block(w, &in, 1));
			if (ends)
				stream_writer_end_epoch(w);
			stream_writer_enter(w, stream_writer_block(w, &next, 1));
			stream_writer_end_epoch(w);
		}
		finish(w);
		struct stream *s = reader(NULL);
		assert_int_equal(stream_nr_epochs(s), ends ? 14 : 7);
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
			assert_int_equal(stream_next(s, &e, &more, &err), SAHM_OK);
			assert_int_equal(e.next_pc, rows[i].next);
			assert_int_equal(e.taken, rows[i].taken);
			/* What has no target in itself has none. */
			assert_int_equal(e.instruction->target, insn_has_target(rows[i].class) ? 0x77 : 0);
			assert_int_equal(stream_next(s, &e, &more, &err), SAHM_OK);
			assert_int_equal(e.next_pc, i + 1 < 7 ? 0x1000 : 0);
		}
		assert_false(e.taken);
		stream_free(s);
	}
}

/* ---- Damage ---- */

static enum sahm_status read_all(struct sahm_err *err)
{
	struct stream *s;
	struct executed e;
	bool more = true;
	enum sahm_status status = stream_open(path, NULL, &s, err);
	if (status != SAHM_OK)
		return status;
	while (status == SAHM_OK && more)
		status = stream_next(s, &e, &more, err);
	if (status != SAHM_OK) {
		more = true;
		assert_int_equal(stream_next(s, &e, &more, err), SAHM_OK);
		assert_false(more);
	}
	stream_free(s);
	return status;
}

static void small_stream(uint64_t seed, unsigned nr_epochs, char **text, size_t *len, struct made_stream *m)
{
	const struct made_options o = {seed, 4, 3, nr_epochs, 12, 20, 5, 3, false};
	struct sahm_err err;
	struct stream_writer *w = writer();
	made_stream_write(w, &o, m);
	finish(w);
	assert_int_equal(file_read(path, 1 << 20, text, len, &err), SAHM_OK);
}

static void put_file(const char *to, const char *text, size_t len)
{
	FILE *f = fopen(to, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
}

static void test_every_damaged_byte_is_found(void **state)
{
	(void)state;
	for (unsigned nr_epochs = 0; nr_epochs < 5; nr_epochs += 2) {
		char *text;
		size_t len;
		struct made_stream m;
		struct sahm_err err;
		small_stream(nr_epochs, nr_epochs, &text, &len, &m);
		assert_int_equal(read_all(&err), SAHM_OK);
		int fd = open(path, O_WRONLY);
		assert_true(fd >= 0);
		for (size_t at = 0; at < len; at++)
			for (int all = 0; all < 2; all++) {
				/* One bit, then all */
				char other = (char)(text[at] ^ (all ? 0xff : 1 << at % 8));
				assert_int_equal(pwrite(fd, &other, 1, (off_t)at), 1);
				enum sahm_status status = read_all(&err);
				if (status != SAHM_CHECKSUM && status != SAHM_FORMAT)
					fail_msg("byte %zu of %zu: status %d", at, len, status);
				assert_memory_equal(err.msg, path, strlen(path));
				assert_int_equal(pwrite(fd, &text[at], 1, (off_t)at), 1);
			}
		close(fd);
		made_stream_release(&m);
		free(text);
	}
}

/* A stream that ends early is read up to its last whole epoch, with a note, and can be completed. */
static void test_every_length(void **state)
{
	char *text, *whole;
	size_t len, whole_len;
	struct made_stream m;
	struct sahm_err err;
	(void)state;
	small_stream(5, 3, &text, &len, &m);
	for (size_t cut = len; cut-- > 0;) {
		uint64_t nr_epochs = 0;
		assert_int_equal(truncate(path, (off_t)cut), 0);
		struct stream *s = NULL;
		enum sahm_status status = stream_open(path, NULL, &s, &err);
		if (status == SAHM_OK) {
			stream_free(s);
			s = reader("it ends early");
			nr_epochs = stream_nr_epochs(s);
			const struct made_stream fewer = {.executed = m.executed, .nr = stream_nr_instructions(s)};
			assert_true(nr_epochs < 3 ? fewer.nr == m.epochs[nr_epochs] : fewer.nr == m.nr);
			expect_rest(s, &fewer, 0, SIZE_MAX);
			stream_free(s);
		} else {
			/* The header is not whole. */
			assert_int_equal(status, cut < 40 ? SAHM_FORMAT : SAHM_CHECKSUM);
			assert_true(cut < 40 + strlen("made up --fast"));
		}
		/* Completing one takes a while: the disk is waited for. */
		if (cut % 128 != 0 && cut + 2 < len)
			continue;
		put_file(part, text, cut);
		assert_int_equal(stream_recover(path, &err), status);
		if (status != SAHM_OK)
			continue;
		assert_int_equal(access(part, F_OK), -1);
		s = reader(NULL);
		assert_int_equal(stream_nr_epochs(s), nr_epochs);
		stream_free(s);
		assert_int_equal(file_read(path, 1 << 20, &whole, &whole_len, &err), SAHM_OK);
		/* All epochs and the index are what they were. */
		if (nr_epochs == 3) {
			assert_int_equal(whole_len, len);
			assert_memory_equal(whole, text, len);
		}
		free(whole);
		put_file(path, text, cut);
	}
	/* A whole one is renamed. */
	put_file(part, text, len);
	assert_int_equal(stream_recover(path, &err), SAHM_OK);
	expect_all(&m, 3);
	assert_int_equal(stream_recover(path, &err), SAHM_IO);
	made_stream_release(&m);
	free(text);
}

static void test_more_behind_the_end(void **state)
{
	char *text;
	size_t len;
	struct made_stream m;
	struct sahm_err err;
	(void)state;
	small_stream(6, 2, &text, &len, &m);
	FILE *f = fopen(path, "ab");
	assert_non_null(f);
	fputc('x', f);
	fclose(f);
	assert_int_equal(read_all(&err), SAHM_CHECKSUM);
	made_stream_release(&m);
	free(text);
}

/* ---- Files ---- */

static void test_a_writer_that_is_not_finished(void **state)
{
	const struct made_options o = {11, 40, 6, 5, 300, 10, 1, 3, false};
	struct made_stream m;
	struct sahm_err err;
	(void)state;
	unlink(path);
	struct stream_writer *w = writer();
	made_stream_write(w, &o, &m);
	/* As it would be found after a kill: the last epoch waits for what follows. */
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(stream_recover(path, &err), SAHM_OK);
	struct stream *s = reader(NULL);
	assert_int_equal(stream_nr_epochs(s), 4);
	const struct made_stream fewer = {.executed = m.executed, .nr = m.epochs[4]};
	expect_rest(s, &fewer, 0, SIZE_MAX);
	stream_free(s);
	/* The writer notices. */
	assert_int_equal(stream_writer_finish(w, &err), SAHM_IO);
	assert_non_null(strstr(err.msg, part));
	made_stream_release(&m);
}

/* The program that is recorded goes to another folder, and closes what it finds open. */
static void test_another_folder(void **state)
{
	const struct made_options o = {12, 40, 6, 5, 300, 10, 1, 3, false};
	struct made_stream m;
	struct sahm_err err;
	char before[4096];
	(void)state;
	assert_non_null(getcwd(before, sizeof(before)));
	assert_int_equal(chdir(own_folder), 0);
	struct stream_writer *w = stream_writer_new("a.stream", MACHINE_X86_64, "made up --fast", &err);
	assert_non_null(w);
	assert_int_equal(chdir("/"), 0);
	int lowest = dup(0);
	close(lowest);
	made_stream_write(w, &o, &m);
	int again = dup(0);
	assert_int_equal(again, lowest);
	close(again);
	finish(w);
	assert_int_equal(chdir(before), 0);
	expect_all(&m, 2);
	made_stream_release(&m);
}

static void test_faults_of_files(void **state)
{
	const struct made_options o = {13, 40, 6, 5, 300, 10, 1, 3, false};
	struct made_stream m;
	struct stream *s;
	struct sahm_err err;
	(void)state;
	assert_null(stream_writer_new("/no such folder/a", MACHINE_RV64, "p", &err));
	assert_int_equal(err.status, SAHM_IO);
	assert_int_equal(stream_open("/no such folder/a", NULL, &s, &err), SAHM_IO);
	assert_int_equal(stream_open(own_folder, NULL, &s, &err), SAHM_IO);
	assert_int_equal(stream_open("/dev/null", NULL, &s, &err), SAHM_IO);
	put_file(path, "# sahm trace 1, and some more text behind it\n", 46);
	assert_int_equal(stream_open(path, NULL, &s, &err), SAHM_FORMAT);
	/* Somebody takes the file away, or writes to it. */
	struct stream_writer *w = writer();
	unlink(part);
	made_stream_write(w, &o, &m);
	made_stream_release(&m);
	assert_int_equal(stream_writer_finish(w, &err), SAHM_IO);
	w = writer();
	put_file(part, "x", 1);
	made_stream_write(w, &o, &m);
	made_stream_release(&m);
	assert_int_equal(stream_writer_finish(w, &err), SAHM_IO);
	assert_non_null(strstr(err.msg, "was changed"));
	unlink(part);
}

static void test_blocks_that_are_none(void **state)
{
	struct sahm_err err;
	static struct insn in[MAX_BLOCK_INSTRUCTIONS + 1];
	(void)state;
	for (unsigned i = 0; i <= MAX_BLOCK_INSTRUCTIONS; i++)
		in[i] = made_instruction(i, 1, INSN_INTEGER, 0);
	const struct {
		unsigned nr, length, class, source, destination;
		enum sahm_status status;
	} rows[] = {
		{1, 1, 0, 0, 0, SAHM_OK},
		{MAX_BLOCK_INSTRUCTIONS, MAX_INSN_BYTES, NR_INSN_CLASSES - 1, NR_INSN_REGISTERS - 1, NO_REGISTER,
		 SAHM_OK},
		{0, 1, 0, 0, 0, SAHM_RANGE},
		{MAX_BLOCK_INSTRUCTIONS + 1, 1, 0, 0, 0, SAHM_RANGE},
		{1, 0, 0, 0, 0, SAHM_RANGE},
		{1, MAX_INSN_BYTES + 1, 0, 0, 0, SAHM_RANGE},
		{1, 1, NR_INSN_CLASSES, 0, 0, SAHM_RANGE},
		{1, 1, 0, NR_INSN_REGISTERS, 0, SAHM_RANGE},
		{1, 1, 0, 0, NR_INSN_REGISTERS, SAHM_RANGE},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		in[0].length = (uint8_t)rows[i].length;
		in[0].class = (uint8_t)rows[i].class;
		in[0].source[2] = (uint8_t)rows[i].source;
		in[0].destination = (uint8_t)rows[i].destination;
		struct stream_writer *w = writer();
		stream_writer_enter(w, stream_writer_block(w, in, rows[i].nr));
		stream_writer_access(w, 0, 1, 1, true);
		assert_int_equal(stream_writer_finish(w, &err), rows[i].status);
	}
	unlink(part);
}

/* Its name while it is written is easy to guess: nothing is written through what somebody put there before. */
static void test_links(void **state)
{
	char other[80], *text;
	size_t len;
	struct sahm_err err;
	(void)state;
	snprintf(other, sizeof(other), "%s/other", own_folder);
	assert_int_equal(file_write(other, "mine", 4, &err), SAHM_OK);
	unlink(path);
	unlink(part);
	assert_int_equal(symlink(other, part), 0);
	finish(writer());
	assert_int_equal(file_read(other, 100, &text, &len, &err), SAHM_OK);
	assert_string_equal(text, "mine");
	free(text);
	struct stat st;
	assert_int_equal(lstat(path, &st), 0);
	assert_true(S_ISREG(st.st_mode));
	/* One that comes in the place of the file meanwhile. */
	struct stream_writer *w = writer();
	assert_int_equal(unlink(part), 0);
	assert_int_equal(symlink(other, part), 0);
	assert_int_equal(stream_writer_finish(w, &err), SAHM_IO);
	assert_int_equal(file_read(other, 100, &text, &len, &err), SAHM_OK);
	assert_string_equal(text, "mine");
	free(text);
	unlink(part);
	unlink(other);
	/* A broken-off stream is completed where it is, not where a link leads. */
	finish(writer());
	assert_int_equal(rename(path, other), 0);
	assert_int_equal(symlink(other, part), 0);
	assert_int_equal(stream_recover(path, &err), SAHM_IO);
	assert_non_null(strstr(err.msg, strerror(ELOOP)));
	unlink(part);
	unlink(other);
}

TEST_FILE(test_stream)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_written_is_read),
		cmocka_unit_test(test_large_model),
		cmocka_unit_test(test_same_bytes),
		cmocka_unit_test(test_empty_program),
		cmocka_unit_test(test_accesses_of_an_instruction),
		cmocka_unit_test(test_outcomes),
		cmocka_unit_test(test_every_damaged_byte_is_found),
		cmocka_unit_test(test_every_length),
		cmocka_unit_test(test_more_behind_the_end),
		cmocka_unit_test(test_a_writer_that_is_not_finished),
		cmocka_unit_test(test_another_folder),
		cmocka_unit_test(test_faults_of_files),
		cmocka_unit_test(test_blocks_that_are_none),
		cmocka_unit_test(test_links),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_own_folder);
}
