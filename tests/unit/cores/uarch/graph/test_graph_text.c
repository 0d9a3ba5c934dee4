/* Calipers' text traces: what is written is read as it was, and what is odd is reported by line and offset. */
#include "tests/unit/test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cores/uarch/graph/graph_text.h"
#include "tests/helper/made_graph.h"

/* As in graph_text.c, which reads that much at once. */
#define BLOCK_BYTES (UINT32_C(1) << 18)

/* All costs are in the trace. */
static const struct graph_config from_trace = {.core = GRAPH_OUT_OF_ORDER};

/* ---- Streams that deliver a few bytes at a time ---- */

struct pieces {
	const char *text;
	size_t len, at, most;
};

static ssize_t read_piece(void *cookie, char *buf, size_t size)
{
	struct pieces *p = cookie;
	size_t n = p->len - p->at;
	n = n < size ? n : size;
	n = n < p->most ? n : p->most;
	memcpy(buf, p->text + p->at, n);
	p->at += n;
	return (ssize_t)n;
}

static FILE *open_pieces(struct pieces *p)
{
	FILE *stream = fopencookie(p, "r", (cookie_io_functions_t){.read = read_piece});
	assert_non_null(stream);
	return stream;
}

/* ---- Round trips ---- */

static void assert_same_insn(const struct graph_insn *got, const struct graph_insn *want, size_t number)
{
	bool same = got->pc == want->pc && got->address == want->address && got->fetch_cycles == want->fetch_cycles &&
		    got->memory_cycles == want->memory_cycles && got->class == want->class &&
		    got->bytes == want->bytes && got->access_bytes == want->access_bytes &&
		    memcmp(got->reads, want->reads, sizeof(got->reads)) == 0 && got->writes == want->writes &&
		    got->loads == want->loads && got->stores == want->stores && got->mispredicted == want->mispredicted;
	if (!same)
		fail_msg("instruction %zu at %#llx, class %d, is read as class %d at %#llx", number,
			 (unsigned long long)want->pc, want->class, got->class, (unsigned long long)got->pc);
}

/* Reads the text in pieces of `most` bytes and expects `nr` instructions. */
static void expect_insns(const char *text, size_t len, size_t most, const struct graph_insn *insns, size_t nr)
{
	struct pieces p = {text, len, 0, most};
	FILE *stream = open_pieces(&p);
	struct graph_text *t = NULL;
	struct graph_insn got;
	struct sahm_err err = {0};
	bool more;
	assert_int_equal(graph_text_open(stream, "made", &from_trace, &t, &err), SAHM_OK);
	for (size_t i = 0; i <= nr; i++) {
		if (graph_text_next(t, &got, &more, &err) != SAHM_OK)
			fail_msg("instruction %zu: %s", i, err.msg);
		assert_int_equal(more, i < nr);
		if (more)
			assert_same_insn(&got, &insns[i], i);
	}
	const struct graph_text_notes *n = graph_text_notes(t);
	assert_int_equal(n->ignored.nr + n->no_cycles.nr + n->no_register.nr, 0);
	graph_text_close(t);
	fclose(stream);
}

static void test_round_trip(void **state)
{
	/* The last ones have several blocks. */
	static const size_t sizes[] = {0, 1, 2, 50, 3000, 20000}, pieces[] = {1, 7, 4096, 1u << 20};
	(void)state;
	for (uint64_t seed = 0; seed < 24; seed++) {
		struct rng r;
		struct made_graph_mix mix;
		struct textbuf text;
		uint64_t pc = 0x1000;
		size_t nr = sizes[seed % ARRAY_SIZE(sizes)], most = pieces[seed % ARRAY_SIZE(pieces)];
		struct graph_insn *insns = calloc(nr + 1, sizeof(*insns));
		assert_non_null(insns);
		rng_init(&r, seed, "test", "graph text");
		made_graph_mix(&r, &mix);
		textbuf_init(&text);
		for (size_t i = 0; i < nr; i++) {
			made_graph_insn(&r, &mix, &pc, &insns[i]);
			made_graph_write(&insns[i], seed / 2 % 2 ? rng_below(&r, 2) : seed % 2, &text);
		}
		assert_false(textbuf_failed(&text));
		/* The last line needs no end. */
		size_t len = text.len - (text.len > 0 && seed % 3 == 0);
		expect_insns(text.text ? text.text : "", len, most, insns, nr);
		textbuf_release(&text);
		free(insns);
	}
}

/* Records that begin in one block and end in the next, cut at each of their bytes. */
static void test_block_ends(void **state)
{
	static const char record[] = "@I 0x10 sd a1, 8(a0) @A 0x8000\n@F 500\n@B 1\n@M 1500\n",
			  filler[] = "@I 0x20 add\n@F 0\n@B 1\n";
	const struct graph_insn stored = {.pc = 0x10,
					  .address = 0x8000,
					  .fetch_cycles = 1,
					  .memory_cycles = 3,
					  .class = GRAPH_STORE,
					  .bytes = 4,
					  .access_bytes = 8,
					  .reads = {11, 10},
					  .stores = true},
				filled = {.pc = 0x20, .class = GRAPH_INT, .bytes = 4};
	size_t nr_fillers = BLOCK_BYTES / (sizeof(filler) - 1) - 4;
	size_t room = BLOCK_BYTES + sizeof(record);
	char *text = malloc(room);
	struct graph_insn *insns = calloc(nr_fillers + 1, sizeof(*insns));
	(void)state;
	assert_non_null(text);
	assert_non_null(insns);
	for (size_t i = 0; i < nr_fillers; i++)
		insns[i] = filled;
	insns[nr_fillers] = stored;
	for (size_t cut = 0; cut < sizeof(record); cut++) {
		size_t fillers = nr_fillers * (sizeof(filler) - 1), blanks = BLOCK_BYTES - cut - fillers;
		/* Blanks in the first line move the rest. */
		memcpy(text, "@I", 2);
		memset(text + 2, ' ', blanks);
		memcpy(text + 2 + blanks, filler + 2, sizeof(filler) - 3);
		for (size_t i = 1; i < nr_fillers; i++)
			memcpy(text + blanks + i * (sizeof(filler) - 1), filler, sizeof(filler) - 1);
		memcpy(text + BLOCK_BYTES - cut, record, sizeof(record) - 1);
		expect_insns(text, BLOCK_BYTES - cut + sizeof(record) - 1, 1u << 20, insns, nr_fillers + 1);
	}
	free(insns);
	free(text);
}

/* ---- What is refused ---- */

/* Reads until the end or a failure; returns its status. */
static enum sahm_status read_all(const char *text, size_t len, const struct graph_config *c, struct graph_insn *last,
				 struct graph_text_notes *notes, struct sahm_err *err)
{
	struct pieces p = {text, len, 0, SIZE_MAX};
	FILE *stream = open_pieces(&p);
	struct graph_text *t = NULL;
	bool more = true;
	assert_int_equal(graph_text_open(stream, "a.trace", c, &t, err), SAHM_OK);
	enum sahm_status status = SAHM_OK;
	while (status == SAHM_OK && more) {
		struct graph_insn insn;
		status = graph_text_next(t, &insn, &more, err);
		if (status == SAHM_OK && more)
			*last = insn;
	}
	*notes = *graph_text_notes(t);
	graph_text_close(t);
	fclose(stream);
	return status;
}

#define FIRST "@I 1000 addi a0, a1, 4\n@F 0\n@B 1\n"

static void test_refused(void **state)
{
	static const struct row {
		const char *name, *text, *message;
	} rows[] = {
		{"unknown opcode", FIRST "@I 1004 adi a0, a1, 4\n",
		 "a.trace:4: unknown opcode 'adi'; did you mean 'add'? (byte 33)"},
		{"unknown compressed opcode", FIRST "@I 1004 c.adi a0, 4\n",
		 "a.trace:4: unknown opcode 'c.adi'; did you mean 'c_add'? (byte 33)"},
		{"nothing like an opcode", FIRST "@I 1004 vfredusum.vs v1, v2, v3\n",
		 "a.trace:4: unknown opcode 'vfredusum.vs' (byte 33)"},
		{"order of no atomic", FIRST "@I 1004 add.aq a0, a1, a2\n",
		 "a.trace:4: unknown opcode 'add.aq' (byte 33)"},
		{"long opcode", "@I 1004 aaaaaaaaaabbbbbbbbbbccccccccccddd a0\n",
		 "a.trace:1: unknown opcode 'aaaaaaaaaabbbbbbbbbbccccccccccd' (byte 0)"},
		{"no opcode", "@I 1004\n", "a.trace:1: no opcode in '@I 1004' (byte 0)"},
		{"blanks for an opcode", "@I 1004  \t\n", "a.trace:1: no opcode in '@I 1004  ?' (byte 0)"},
		{"address for an opcode", "@I 1004 @A 8\n", "a.trace:1: no opcode in '@I 1004 @A 8' (byte 0)"},
		{"no pc", "@I \n", "a.trace:1: no hexadecimal pc in '@I ' (byte 0)"},
		{"opcode for a pc", FIRST "@I xor a0, a1, a2\n",
		 "a.trace:4: no hexadecimal pc in '@I xor a0, a1, a2' (byte 33)"},
		{"0x for a pc", "@I 0x add a0, a1, a2\n",
		 "a.trace:1: no hexadecimal pc in '@I 0x add a0, a1, a2' (byte 0)"},
		{"letter in a pc", "@I 10g4 add a0, a1, a2\n",
		 "a.trace:1: no hexadecimal pc in '@I 10g4 add a0, a1, a2' (byte 0)"},
		{"pc beyond 64 bits", "@I 10000000000000000 add a0\n",
		 "a.trace:1: no hexadecimal pc in '@I 10000000000000000 add a0' (byte 0)"},
		{"address of no access", "@I 1004 add a0, a1, a2 @A 8000\n",
		 "a.trace:1: an address after '@I 1004 add a0, a1, a2 @A 8000', which does not access memory (byte 0)"},
		{"load without address", "@I 1004 ld a0, 8(a1)\n",
		 "a.trace:1: no address ('@A ADDRESS') after '@I 1004 ld a0, 8(a1)', which accesses memory (byte 0)"},
		{"store without address", "@I 1004 sd a0, 8(a1)\n",
		 "a.trace:1: no address ('@A ADDRESS') after '@I 1004 sd a0, 8(a1)', which accesses memory (byte 0)"},
		{"no number of an address", "@I 1004 ld a0, 8(a1) @A\n",
		 "a.trace:1: not an address ('@A ADDRESS'): '@I 1004 ld a0, 8(a1) @A' (byte 0)"},
		{"blank for an address", "@I 1004 ld a0, 8(a1) @A \n",
		 "a.trace:1: not a hexadecimal address in '@I 1004 ld a0, 8(a1) @A ' (byte 0)"},
		{"letter in an address", "@I 1004 ld a0, 8(a1) @A 80h0\n",
		 "a.trace:1: not a hexadecimal address in '@I 1004 ld a0, 8(a1) @A 80h0' (byte 0)"},
		{"address beyond 64 bits", "@I 1004 ld a0, 8(a1) @A 0x123456789abcdef01\n",
		 "a.trace:1: not a hexadecimal address in '@I 1004 ld a0, 8(a1) @A 0x123456789abcdef01' (byte 0)"},
		{"two addresses", "@I 1004 ld a0, 8(a1) @A 8000 @A 8008\n",
		 "a.trace:1: not a hexadecimal address in '@I 1004 ld a0, 8(a1) @A 8000 @A 8008' (byte 0)"},
		{"another kind of address", "@I 1004 ld a0, 8(a1) @B 8000\n",
		 "a.trace:1: not an address ('@A ADDRESS'): '@I 1004 ld a0, 8(a1) @B 8000' (byte 0)"},
		{"operand too many", "@I 1004 add a0, a1, a2, a3\n",
		 "a.trace:1: too many operands for 'add': 'a3' in '@I 1004 add a0, a1, a2, a3' (byte 0)"},
		{"operand of none", "@I 1004 ecall a0\n",
		 "a.trace:1: too many operands for 'ecall': 'a0' in '@I 1004 ecall a0' (byte 0)"},
		{"another kind of line", FIRST "@X 1\n",
		 "a.trace:4: neither an instruction ('@I PC DISASSEMBLY') nor '@F', '@B' or '@M': '@X 1' (byte 33)"},
		{"a kind without number", FIRST "@F\n",
		 "a.trace:4: neither an instruction ('@I PC DISASSEMBLY') nor '@F', '@B' or '@M': '@F' (byte 33)"},
		{"no kind of line", FIRST "x\n",
		 "a.trace:4: neither an instruction ('@I PC DISASSEMBLY') nor '@F', '@B' or '@M': 'x' (byte 33)"},
		{"blank before @", FIRST " @I 1004 add a0\n",
		 "a.trace:4: neither an instruction ('@I PC DISASSEMBLY') nor '@F', '@B' or '@M': ' @I 1004 add a0' (byte 33)"},
		{"empty line", FIRST "\n" FIRST,
		 "a.trace:4: an empty line; expected an instruction ('@I PC DISASSEMBLY') (byte 33)"},
		{"empty line of DOS", FIRST "\r\n",
		 "a.trace:4: an empty line; expected an instruction ('@I PC DISASSEMBLY') (byte 33)"},
		{"no @F", "@I 1004 add a0\n@B 1\n",
		 "a.trace:2: expected '@F TICKS' after an instruction (I_Cache is TraceC), got '@B 1' (byte 15)"},
		{"no @B", "@I 1004 add a0\n@F 0\n@I 1008 add a0\n",
		 "a.trace:3: expected '@B 0 or 1' after an instruction (Branch_Predictor is TraceB), got '@I 1008 add a0' "
		 "(byte 20)"},
		{"word for ticks", "@I 1004 add a0\n@F x\n", "a.trace:2: expected '@F TICKS', got '@F x' (byte 15)"},
		{"negative ticks", "@I 1004 add a0\n@F -500\n",
		 "a.trace:2: expected '@F TICKS', got '@F -500' (byte 15)"},
		{"two numbers", "@I 1004 add a0\n@F 5 0\n", "a.trace:2: expected '@F TICKS', got '@F 5 0' (byte 15)"},
		{"no number", "@I 1004 add a0\n@F \n", "a.trace:2: expected '@F TICKS', got '@F ' (byte 15)"},
		{"too many ticks", "@I 1004 add a0\n@F 500000000001\n",
		 "a.trace:2: '@F 500000000001' is above 500000000000 (byte 15)"},
		{"ticks beyond 64 bits", "@I 1004 add a0\n@F 18446744073709551616\n",
		 "a.trace:2: expected '@F TICKS', got '@F 18446744073709551616' (byte 15)"},
		{"no truth", "@I 1004 add a0\n@F 0\n@B 2\n", "a.trace:3: expected '@B 0 or 1', got '@B 2' (byte 20)"},
		{"word for ticks of memory", "@I 1004 ld a0, 0(a1) @A 8\n@F 0\n@B 1\n@M x\n",
		 "a.trace:4: expected '@M TICKS', got '@M x' (byte 36)"},
		{"too many ticks of memory", "@I 1004 ld a0, 0(a1) @A 8\n@F 0\n@B 1\n@M 500000000001\n",
		 "a.trace:4: '@M 500000000001' is above 500000000000 (byte 36)"},
		{"end before @F", FIRST "@I 1004 add a0\n",
		 "a.trace:4: the text ends where '@F TICKS' must follow the last instruction (I_Cache is TraceC) (byte 48)"},
		{"end before @B", FIRST "@I 1004 add a0\n@F 0",
		 "a.trace:5: the text ends where '@B 0 or 1' must follow the last instruction (Branch_Predictor is TraceB) "
		 "(byte 53)"},
		{"control characters", "@I 1004 \x1b[31m\n", "a.trace:1: unknown opcode '?[31m' (byte 0)"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct graph_insn last;
		struct graph_text_notes notes;
		struct sahm_err err = {0};
		enum sahm_status status =
			read_all(rows[i].text, strlen(rows[i].text), &from_trace, &last, &notes, &err);
		if (status != SAHM_FORMAT || strcmp(err.msg, rows[i].message) != 0)
			fail_msg("%s:\n got '%s'\nwant '%s'", rows[i].name, err.msg, rows[i].message);
	}
}

static void expect_refused(const char *name, const char *text, size_t len, const char *message)
{
	struct graph_insn last;
	struct graph_text_notes notes;
	struct sahm_err err = {0};
	enum sahm_status status = read_all(text, len, &from_trace, &last, &notes, &err);
	if (status != SAHM_FORMAT || strcmp(err.msg, message) != 0)
		fail_msg("%s:\n got '%s'\nwant '%s'", name, err.msg, message);
}

static void test_refused_bytes(void **state)
{
	static const char in_opcode[] = "@I 1004 add\0w a0\n", in_address[] = "@I 1004 ld a0, 0(a1) @A 8\0000\n",
			  in_ticks[] = FIRST "@I 1008 add a0\n@F 5\0000\n";
	(void)state;
	expect_refused("NUL in an opcode", in_opcode, sizeof(in_opcode) - 1,
		       "a.trace:1: a NUL byte in an instruction (byte 0)");
	expect_refused("NUL in an address", in_address, sizeof(in_address) - 1,
		       "a.trace:1: not a hexadecimal address in '@I 1004 ld a0, 0(a1) @A 8' (byte 0)");
	expect_refused("NUL in a number", in_ticks, sizeof(in_ticks) - 1,
		       "a.trace:5: expected '@F TICKS', got '@F 5' (byte 48)");
}

/* A line may be as long as a block, without its end. */
static void test_long_line(void **state)
{
	char *text = malloc(2 * BLOCK_BYTES);
	size_t first = strlen(FIRST);
	struct graph_insn last;
	struct graph_text_notes notes;
	struct sahm_err err = {0};
	(void)state;
	assert_non_null(text);
	for (size_t too_long = 0; too_long < 2; too_long++) {
		size_t len = BLOCK_BYTES - 1 + too_long;
		memcpy(text, FIRST, first);
		memset(text + first, ' ', len);
		memcpy(text + first, "@I 1004 add", 11);
		memcpy(text + first + len, "\n@F 0\n@B 1\n", 11);
		enum sahm_status status = read_all(text, first + len + 11, &from_trace, &last, &notes, &err);
		assert_int_equal(status, too_long ? SAHM_FORMAT : SAHM_OK);
		assert_int_equal(last.pc, too_long ? 0x1000 : 0x1004);
	}
	assert_string_equal(err.msg, "a.trace:4: a line of more than 262143 bytes (byte 33)");
	free(text);
}

static ssize_t read_nothing(void *cookie, char *buf, size_t size)
{
	(void)cookie;
	(void)buf;
	(void)size;
	errno = EIO;
	return -1;
}

static void test_failing_stream(void **state)
{
	FILE *stream = fopencookie(NULL, "r", (cookie_io_functions_t){.read = read_nothing});
	struct graph_text *t = NULL;
	struct graph_insn insn;
	struct sahm_err err = {0};
	bool more;
	(void)state;
	assert_non_null(stream);
	assert_int_equal(graph_text_open(stream, "a.trace", &from_trace, &t, &err), SAHM_OK);
	assert_int_equal(graph_text_next(t, &insn, &more, &err), SAHM_IO);
	assert_string_equal(err.msg, "cannot read 'a.trace': Input/output error");
	graph_text_close(t);
	fclose(stream);
}

/* ---- What is accepted ---- */

static struct graph_text_notes read_noted(const char *text, const struct graph_config *c, struct graph_insn *last)
{
	struct graph_text_notes notes;
	struct sahm_err err = {0};
	if (read_all(text, strlen(text), c, last, &notes, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	return notes;
}

static void expect_note(const char *name, struct graph_text_note got, uint64_t nr, uint64_t line)
{
	if (got.nr != nr || got.line != line)
		fail_msg("%s: %d from line %d on, not %d from line %d on", name, (int)got.nr, (int)got.line, (int)nr,
			 (int)line);
}

static void test_notes(void **state)
{
	const struct graph_config ideal = {.core = GRAPH_OUT_OF_ORDER,
					   .predictor = GRAPH_STATISTICAL,
					   .icache.source = GRAPH_IDEAL,
					   .dcache.source = GRAPH_IDEAL};
	struct graph_insn last;
	struct graph_text_notes n;
	(void)state;
	n = read_noted("@F 5\n@I 1000 ld a0, 0(a1) @A 8\n@F 5\n@B 0\n@M 5000\n@I 1004 add a0, a1, a2\n", &ideal, &last);
	expect_note("ignored lines", n.ignored, 4, 1);
	assert_false(last.mispredicted);
	n = read_noted("@I 1000 ld a0, 0(a1) @A 8\n@F 0\n@B 1\n" FIRST "@I 1008 sd a0, 0(a1) @A 8\n@F 0\n@B 1",
		       &from_trace, &last);
	expect_note("missing @M", n.no_cycles, 2, 1);
	assert_int_equal(last.memory_cycles, 1);
	n = read_noted(FIRST "@I 1008 sd a0, 0(a1) @A 8\n@F 0\n@B 1\n@M 499\n@M 7\n", &from_trace, &last);
	expect_note("cycles of less than one", n.no_cycles, 0, 0);
	expect_note("ignored @M", n.ignored, 1, 8);
	assert_int_equal(last.memory_cycles, 0);
	n = read_noted(
		FIRST "@I 1004 add a0, a1, a2\n@F 0\n@B 0\n@I 1008 beq a0, a1\n@F 0\n@B 0\n@I 1008 ecall\n@F 0\n@B 0\n",
		&from_trace, &last);
	expect_note("mispredictions", n.not_branch, 1, 4);
	assert_true(last.mispredicted);
	n = read_noted(FIRST "@I 1004 add a0, q1, a2\n@F 0\n@B 1\n@I 1004 add a0, q1, a2\n@F 0\n@B 1\n", &from_trace,
		       &last);
	expect_note("unknown operands", n.no_register, 2, 4);
	assert_int_equal(last.reads[0], 12);
	n = read_noted("@I 1004 fcvt.w.d a0, fa0, rtz\n@F 0\n@B 1\n@I 1004 fence iorw, ow\n@F 0\n@B 1\n", &from_trace,
		       &last);
	expect_note("words that are no registers", n.no_register, 0, 0);
}

/* As the released program: a register before CR LF is none for it, unless it is in brackets. */
static void test_carriage_returns(void **state)
{
	struct graph_insn last;
	struct graph_text_notes n;
	(void)state;
	for (unsigned times = 0; times < 2; times++) {
		n = read_noted("@I 1000 add a0, a1, a2\r\n@F 0\r\n@B 1\r\n@I 1000 add a0, a1, a2\r\n@F 0\r\n@B 1\r\n",
			       &from_trace, &last);
		expect_note("CR LF", n.carriage_return, 2, 1);
		assert_string_equal(n.carriage_return.word, "a2");
		assert_int_equal(last.writes, 10);
		assert_int_equal(last.reads[0], 11);
		assert_int_equal(last.reads[1], 0);
	}
	n = read_noted(
		"@I 1000 ld a0, 8(a1) @A 8\r\n@F 0\r\n@B 1\r\n@M 500\r\n@I 1004 addi a0, a1, 5\r\n@F 0\r\n@B 1\r\n",
		&from_trace, &last);
	expect_note("CR LF after other words", n.carriage_return, 0, 0);
	assert_int_equal(last.reads[0], 11);
}

/* ---- Spellings ---- */

static void test_spellings(void **state)
{
	static const struct row {
		const char *text; /* after "@I 1000 " */
		uint8_t class, bytes, writes, reads[GRAPH_MAX_READS];
		bool loads, stores;
		uint64_t address;
	} rows[] = {
		{"c.addi a0, 4", GRAPH_INT, 2, 10, {0}, false, false, 0},
		{"c_addi a0, a0, 4", GRAPH_INT, 2, 10, {10}, false, false, 0},
		{"c.addi4spn a0, sp, 16", GRAPH_INT, 2, 10, {2}, false, false, 0},
		{"c.addi16sp sp, -64", GRAPH_INT, 2, 2, {0}, false, false, 0},
		{"c_addi4spn\ta0,\tsp, 16", GRAPH_INT, 2, 10, {2}, false, false, 0},
		{"addi s0, fp, 1", GRAPH_INT, 4, 8, {8}, false, false, 0},
		{"addi fp, zero, 1", GRAPH_INT, 4, 8, {0}, false, false, 0},
		{"c.fsdsp fa0, 8(sp) @A 0xFf", GRAPH_STORE, 2, 0, {43, 2}, false, true, 0xff},
		{"c.ldsp s0, 8(sp) @A 00", GRAPH_LOAD, 2, 8, {2}, true, false, 0},
		{"lw ft11, (fp)  @A   0Xffffffffffffffff", GRAPH_LOAD, 4, 64, {8}, true, false, UINT64_MAX},
		{"amoadd.w.aqrl a0, a1, (a2) @A 8000", GRAPH_ATOMIC, 4, 10, {11, 12}, true, true, UINT64_MAX},
		{"amoadd_w_aq a0, a1, (a2) @A 8000", GRAPH_ATOMIC, 4, 10, {11, 12}, true, true, UINT64_MAX},
		{"amoadd.w.rl a0, a1, (a2)", GRAPH_ATOMIC, 4, 10, {11, 12}, false, false, 0},
		{"lr.d.aq a0, (a1) @A 8000", GRAPH_ATOMIC, 4, 10, {11}, true, false, UINT64_MAX},
		{"sc.d.rl a0, a1, (a2) @A 8000", GRAPH_ATOMIC, 4, 10, {11, 12}, false, true, UINT64_MAX},
		{"fmadd.d fa0, fa1, fa2, fa3", GRAPH_FP_MUL, 4, 43, {44, 45, 46}, false, false, 0},
		{"ecall", GRAPH_SYSCALL, 4, 0, {0}, false, false, 0},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		/* The second one is found among those that were read before, and has another pc. */
		char text[400];
		struct graph_insn last;
		const struct row *r = &rows[i];
		for (unsigned nr = 1; nr <= 2; nr++) {
			snprintf(text, sizeof(text), "@I 1000 %s\n@F 0\n@B 1\n%s%s%s", r->text,
				 nr > 1 ? "@I 0x000000000000001000 " : "", nr > 1 ? r->text : "",
				 nr > 1 ? " \r\n@F 1500\n@B 0" : "");
			read_noted(text, &from_trace, &last);
			struct graph_insn want = {.pc = 0x1000,
						  .address = r->address,
						  .class = r->class,
						  .bytes = r->bytes,
						  .access_bytes = last.access_bytes,
						  .memory_cycles = last.memory_cycles,
						  .writes = r->writes,
						  .loads = r->loads,
						  .stores = r->stores,
						  .fetch_cycles = nr > 1 ? 3 : 0,
						  .mispredicted = nr > 1};
			memcpy(want.reads, r->reads, sizeof(want.reads));
			assert_same_insn(&last, &want, i);
		}
	}
}

/* At a known pc, disassemblies that begin like the one that was read before. */
static void test_known_beginnings(void **state)
{
	struct graph_insn last;
	(void)state;
	read_noted("@I 1000 add a0, a1, s1\n@F 0\n@B 1\n@I 1000 add a0, a1, s10\n@F 0\n@B 1\n", &from_trace, &last);
	assert_int_equal(last.reads[1], 26);
	struct graph_text_notes n = read_noted(
		"@I 1000 add a0, a1, s1\n@F 0\n@B 1\n@I 1000 add a0, a1, s1@A\n@F 0\n@B 1\n", &from_trace, &last);
	expect_note("no blank before @", n.no_register, 1, 4);
}

TEST_FILE(test_graph_text)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip), cmocka_unit_test(test_block_ends),
		cmocka_unit_test(test_refused),	   cmocka_unit_test(test_refused_bytes),
		cmocka_unit_test(test_long_line),  cmocka_unit_test(test_failing_stream),
		cmocka_unit_test(test_notes),	   cmocka_unit_test(test_carriage_returns),
		cmocka_unit_test(test_spellings),  cmocka_unit_test(test_known_beginnings),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
