#include "cores/uarch/graph/graph_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/array.h"
#include "sim/base/number.h"
#include "sim/base/suggest.h"

/* Bytes that are read at once; a line is no longer. */
#define BLOCK_BYTES (UINT32_C(1) << 18)
/* Bytes after the last line that may be read, whatever they are. */
#define SLACK 64u

/* ---- Opcodes and registers ---- */

/* Operands of an opcode; MAX_OPERANDS are looked at. */
#define MAX_OPERANDS 4u

enum { ACCESS_NONE, ACCESS_LOADS, ACCESS_STORES, ACCESS_UPDATES };

struct opcode {
	const char *name, *operands;
	uint8_t class, access, access_bytes, bytes;
};

static const struct opcode opcodes[] = {
#define OPCODE(name, class, operands, access, access_bytes, bytes)                                                     \
	{name, operands, GRAPH_##class, ACCESS_##access, access_bytes, bytes},
#include "cores/uarch/graph/graph_opcode_list.h"
#undef OPCODE
};

static const char *const register_names[] = {
	NULL,  "ra",  "sp",  "gp",  "tp",  "t0",  "t1",	 "t2",	 "s0",	 "s1",	"a0",  "a1",   "a2",
	"a3",  "a4",  "a5",  "a6",  "a7",  "s2",  "s3",	 "s4",	 "s5",	 "s6",	"s7",  "s8",   "s9",
	"s10", "s11", "t3",  "t4",  "t5",  "t6",  NULL,	 "ft0",	 "ft1",	 "ft2", "ft3", "ft4",  "ft5",
	"ft6", "ft7", "fs0", "fs1", "fa0", "fa1", "fa2", "fa3",	 "fa4",	 "fa5", "fa6", "fa7",  "fs2",
	"fs3", "fs4", "fs5", "fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11",
};

/* Words that stand where operands do and are no registers: rounding modes, CSRs, orders of fences. */
static const char *const other_words[] = {
	"zero", "rne",	 "rtz",	 "rdn",	    "rup",    "rmm",   "dyn",	   "fflags", "frm",
	"fcsr", "cycle", "time", "instret", "cycleh", "timeh", "instreth", "i",	     "o",
	"r",	"w",	 "io",	 "iorw",    "rw",     "ir",    "ow",	   "ior",    "iow",
};

const char *graph_register_name(unsigned number)
{
	return number < ARRAY_SIZE(register_names) ? register_names[number] : NULL;
}

/* 0 for a word that is no register. */
static unsigned register_of(const char *word, size_t len)
{
	if (len == 2 && memcmp(word, "fp", 2) == 0)
		return 8;
	for (unsigned i = 1; i < ARRAY_SIZE(register_names); i++)
		if (register_names[i] && strlen(register_names[i]) == len && memcmp(register_names[i], word, len) == 0)
			return i;
	return 0;
}

static bool is_other_word(const char *word, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(other_words); i++)
		if (strlen(other_words[i]) == len && memcmp(other_words[i], word, len) == 0)
			return true;
	return false;
}

#define MAX_OPCODE_CHARS 31u

static const struct opcode *find_opcode(const char *name)
{
	size_t low = 0, high = ARRAY_SIZE(opcodes);
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(name, opcodes[middle].name);
		if (order == 0)
			return &opcodes[middle];
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

/* The opcode of a word, with '.' for '_' and without the order of an atomic instruction (.aq, .rl); NULL: unknown.
 * `name` gets it as it is looked up. */
static const struct opcode *opcode_of(const char *word, size_t len, char name[MAX_OPCODE_CHARS + 1])
{
	static const char *const orders[] = {"_aqrl", "_aq", "_rl"};
	if (len > MAX_OPCODE_CHARS)
		len = MAX_OPCODE_CHARS;
	for (size_t i = 0; i < len; i++)
		name[i] = word[i] == '.' ? '_' : word[i];
	name[len] = '\0';
	const struct opcode *o = find_opcode(name);
	for (size_t i = 0; i < ARRAY_SIZE(orders) && !o; i++) {
		size_t order = strlen(orders[i]);
		if (len > order && strcmp(name + len - order, orders[i]) == 0) {
			char plain[MAX_OPCODE_CHARS + 1];
			memcpy(plain, name, len - order);
			plain[len - order] = '\0';
			o = find_opcode(plain);
			if (o && o->class != GRAPH_ATOMIC)
				o = NULL;
		}
	}
	return o;
}

/* ---- The reader ---- */

/* Disassemblies that were read before: programs repeat them. */
#define CACHE_ENTRIES 4096u
#define MAX_CACHED_CHARS 63u

struct cached {
	uint8_t len;	/* of the text; 0: none */
	uint8_t access; /* ACCESS_... */
	char text[MAX_CACHED_CHARS];
	struct graph_insn insn;
};

struct graph_text {
	FILE *stream;
	const char *file;
	bool has_fetch, has_branch, has_memory; /* lines that are expected */
	char *buf;
	char *at, *end;	       /* unread bytes */
	char *line_start;      /* of the line that messages name */
	uint64_t line, offset; /* its number; of buf in the text */
	bool eof;
	struct graph_text_notes notes;
	struct cached *cache;
};

enum sahm_status graph_text_open(FILE *stream, const char *file, const struct graph_config *c, struct graph_text **out,
				 struct sahm_err *err)
{
	struct graph_text *t = calloc(1, sizeof(*t));
	if (t) {
		t->buf = malloc(2 * BLOCK_BYTES + SLACK);
		t->cache = calloc(CACHE_ENTRIES, sizeof(*t->cache));
	}
	if (!t || !t->buf || !t->cache) {
		graph_text_close(t);
		return sahm_fail_nomem(err);
	}
	t->stream = stream;
	t->file = file;
	t->has_fetch = c->icache.source == GRAPH_TRACE;
	t->has_branch = c->predictor == GRAPH_TRACE;
	t->has_memory = c->dcache.source == GRAPH_TRACE;
	t->at = t->end = t->line_start = t->buf;
	memset(t->buf, 0, SLACK);
	*out = t;
	return SAHM_OK;
}

void graph_text_close(struct graph_text *t)
{
	if (!t)
		return;
	free(t->buf);
	free(t->cache);
	free(t);
}

const struct graph_text_notes *graph_text_notes(const struct graph_text *t)
{
	return &t->notes;
}

static void note(struct graph_text_note *n, uint64_t line)
{
	if (n->nr++ == 0)
		n->line = line;
}

static void note_word(struct graph_text_note *n, uint64_t line, const char *word, size_t len)
{
	if (n->nr == 0)
		snprintf(n->word, sizeof(n->word), "%.*s", len < sizeof(n->word) ? (int)len : (int)sizeof(n->word),
			 word);
	note(n, line);
}

static enum sahm_status fail(const struct graph_text *t, struct sahm_err *err, const char *fmt, ...) SAHM_PRINTF(3, 4);

/* At the line of t->line_start. */
static enum sahm_status fail(const struct graph_text *t, struct sahm_err *err, const char *fmt, ...)
{
	char message[SAHM_ERR_BYTES];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(message, sizeof(message), fmt, ap);
	va_end(ap);
	return sahm_fail_at(err, SAHM_FORMAT, t->file, (unsigned)t->line, "%s (byte %" PRIu64 ")", message,
			    t->offset + (uint64_t)(t->line_start - t->buf));
}

/* As much of the line as fits in a message. */
static int shown(const struct graph_text *t)
{
	size_t len = 0;
	while (t->line_start + len < t->end && t->line_start[len] != '\n' && t->line_start[len] != '\r' && len < 60)
		len++;
	return (int)len;
}

/* Reads more, so that a whole line is there if the text has one: called where the unread bytes have no line end. */
static enum sahm_status refill(struct graph_text *t, struct sahm_err *err)
{
	size_t rest = (size_t)(t->end - t->at);
	t->offset += (uint64_t)(t->at - t->buf);
	memmove(t->buf, t->at, rest);
	t->at = t->line_start = t->buf;
	t->end = t->buf + rest;
	size_t got = fread(t->end, 1, BLOCK_BYTES, t->stream);
	if (got < BLOCK_BYTES) {
		if (ferror(t->stream))
			return sahm_fail(err, SAHM_IO, "cannot read '%s': %s", t->file, strerror(errno));
		t->eof = true;
	}
	t->end += got;
	memset(t->end, 0, SLACK);
	return SAHM_OK;
}

/* Sees to it that the next line is in memory and ended by '\n', which is added to the last one; *more is false where
 * there is none. */
static enum sahm_status next_line(struct graph_text *t, char **line_end, bool *more, struct sahm_err *err)
{
	*more = true;
	for (;;) {
		size_t rest = (size_t)(t->end - t->at);
		*line_end = memchr(t->at, '\n', rest);
		if ((*line_end ? (size_t)(*line_end - t->at) : rest) >= BLOCK_BYTES) {
			t->line_start = t->at;
			t->line++;
			return fail(t, err, "a line of more than %u bytes", BLOCK_BYTES - 1);
		}
		if (*line_end)
			break;
		if (t->eof) {
			if (t->at == t->end) {
				*more = false;
				return SAHM_OK;
			}
			*t->end++ = '\n';
			continue;
		}
		enum sahm_status status = refill(t, err);
		if (status != SAHM_OK)
			return status;
	}
	t->line_start = t->at;
	t->line++;
	return SAHM_OK;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Reads a hexadecimal number with or without 0x; NULL: there is none, or it has more than 64 bits. */
static char *read_hex(char *at, uint64_t *value)
{
	uint64_t number = 0;
	if (at[0] == '0' && (at[1] == 'x' || at[1] == 'X'))
		at += 2;
	char *start = at;
	while (*start == '0' && start[1] != '\n')
		start++;
	char *digit = start;
	for (;; digit++) {
		unsigned c = (unsigned char)*digit, d;
		if (c - '0' < 10)
			d = c - '0';
		else if ((c | 0x20) - 'a' < 6)
			d = (c | 0x20) - 'a' + 10;
		else
			break;
		number = number << 4 | d;
	}
	*value = number;
	return digit == at || digit - start > 16 ? NULL : digit;
}

/* Reads the rest of a line, a decimal number. False: it is none, or has more than 64 bits. */
static bool read_rest(char *at, uint64_t *value)
{
	uint64_t number = 0;
	char *start = at;
	while (is_digit(*at)) {
		unsigned d = (unsigned char)*at++ - '0';
		if (number > (UINT64_MAX - d) / 10)
			return false;
		number = 10 * number + d;
	}
	*value = number;
	if (at == start)
		return false;
	while (is_blank(*at))
		at++;
	return *at == '\n';
}

/* ---- Lines @I ---- */

/* The next word of a disassembly that ends at `end`; its length, 0 at the end. */
static size_t next_word(char **at, const char *end)
{
	char *word = *at;
	while (word < end && is_blank(*word))
		word++;
	size_t len = 0;
	while (word + len < end && !is_blank(word[len]))
		len++;
	*at = word;
	return len;
}

/* "a0," and "40(s2)" name registers a0 and s2. */
static void strip_operand(char **word, size_t *len)
{
	char *open = memchr(*word, '(', *len);
	if (open) {
		*len -= (size_t)(open + 1 - *word);
		*word = open + 1;
		char *close = memchr(*word, ')', *len);
		if (close)
			*len = (size_t)(close - *word);
	} else if (*len > 0 && (*word)[*len - 1] == ',') {
		--*len;
	}
}

static enum sahm_status take_operand(struct graph_text *t, const struct opcode *o, unsigned number, const char *word,
				     size_t len, struct graph_insn *out, unsigned *nr_reads, struct sahm_err *err)
{
	unsigned reg = register_of(word, len);
	if (reg == 0) {
		if (!is_other_word(word, len))
			note_word(&t->notes.no_register, t->line, word, len);
		return SAHM_OK;
	}
	char use = number < strlen(o->operands) ? o->operands[number] : '\0';
	if (use == '\0')
		return fail(t, err, "too many operands for '%s': '%.*s' in '%.*s'", o->name, (int)len, word, shown(t),
			    t->line_start);
	if (use == 'W')
		out->writes = (uint8_t)reg;
	else
		out->reads[(*nr_reads)++] = (uint8_t)reg;
	return SAHM_OK;
}

static enum sahm_status fail_opcode(const struct graph_text *t, const char *word, size_t len, const char *name,
				    struct sahm_err *err)
{
	struct suggest near;
	char hint[SUGGEST_BYTES];
	suggest_init(&near, name);
	for (size_t i = 0; i < ARRAY_SIZE(opcodes); i++)
		suggest_offer(&near, opcodes[i].name);
	return fail(t, err, "unknown opcode '%.*s'%s", (int)len, word, suggest_text(&near, hint));
}

/* Reads the disassembly from `at` to `end`: opcode and operands. *access is what it does to memory (ACCESS_...). */
static enum sahm_status read_disassembly(struct graph_text *t, char *at, const char *end, struct graph_insn *out,
					 uint8_t *access, struct sahm_err *err)
{
	char name[MAX_OPCODE_CHARS + 1];
	if (memchr(at, '\0', (size_t)(end - at)))
		return fail(t, err, "a NUL byte in an instruction");
	size_t len = next_word(&at, end);
	if (len == 0)
		return fail(t, err, "no opcode in '%.*s'", shown(t), t->line_start);
	const struct opcode *o = opcode_of(at, len, name);
	if (!o)
		return fail_opcode(t, at, len < MAX_OPCODE_CHARS ? len : MAX_OPCODE_CHARS, name, err);
	*out = (struct graph_insn){.class = o->class, .bytes = o->bytes, .access_bytes = o->access_bytes};
	*access = o->access;
	unsigned nr_operands = 0, nr_reads = 0;
	at += len;
	while (nr_operands < MAX_OPERANDS && (len = next_word(&at, end)) > 0) {
		char *word = at;
		at += len;
		bool loses_register = *at == '\r' && register_of(word, len) > 0;
		strip_operand(&word, &len);
		if (len == 0 || *word < 'a' || *word > 'z')
			continue;
		if (loses_register) {
			note_word(&t->notes.carriage_return, t->line, word, len);
			nr_operands++;
			continue;
		}
		enum sahm_status status = take_operand(t, o, nr_operands++, word, len, out, &nr_reads, err);
		if (status != SAHM_OK)
			return status;
	}
	return SAHM_OK;
}

/* Where the disassembly ends: at the address, or at the end of the line. */
static char *disassembly_end(char *at, char *line_end)
{
	for (char *a = at; (a = memchr(a, '@', (size_t)(line_end - a))); a++)
		if (a > at && is_blank(a[-1]))
			return a;
	return line_end;
}

static enum sahm_status take_address(struct graph_text *t, char *at, uint8_t access, struct graph_insn *out,
				     struct sahm_err *err)
{
	while (is_blank(*at))
		at++;
	if (*at == '\n') {
		if (access == ACCESS_LOADS || access == ACCESS_STORES)
			if (out->class != GRAPH_ATOMIC)
				return fail(t, err, "no address ('@A ADDRESS') after '%.*s', which accesses memory",
					    shown(t), t->line_start);
		return SAHM_OK;
	}
	if (at[0] != '@' || at[1] != 'A' || !is_blank(at[2]))
		return fail(t, err, "not an address ('@A ADDRESS'): '%.*s'", shown(t), t->line_start);
	if (access == ACCESS_NONE)
		return fail(t, err, "an address after '%.*s', which does not access memory", shown(t), t->line_start);
	at += 3;
	while (is_blank(*at))
		at++;
	char *rest = read_hex(at, &out->address);
	while (rest && is_blank(*rest))
		rest++;
	if (!rest || *rest != '\n')
		return fail(t, err, "not a hexadecimal address in '%.*s'", shown(t), t->line_start);
	out->loads = access != ACCESS_STORES;
	out->stores = access != ACCESS_LOADS;
	if (out->class == GRAPH_ATOMIC)
		out->address = UINT64_MAX;
	return SAHM_OK;
}

/* The line "@I PC DISASSEMBLY [@A ADDRESS]". */
static enum sahm_status take_insn(struct graph_text *t, char *line_end, struct graph_insn *out, struct sahm_err *err)
{
	uint64_t pc;
	uint8_t access = ACCESS_NONE;
	char *at = t->line_start + 2;
	while (is_blank(*at))
		at++;
	at = read_hex(at, &pc);
	if (!at || (!is_blank(*at) && *at != '\n'))
		return fail(t, err, "no hexadecimal pc in '%.*s'", shown(t), t->line_start);
	struct cached *c = &t->cache[(pc ^ pc >> 12) % CACHE_ENTRIES];
	char *end = at + c->len;
	if (c->len > 0 && c->len <= line_end - at && memcmp(at, c->text, c->len) == 0 &&
	    (*end == '\n' || (*end == '@' && is_blank(end[-1])))) {
		*out = c->insn;
		out->pc = pc;
		return take_address(t, end, c->access, out, err);
	}
	uint64_t nr_noted = t->notes.no_register.nr + t->notes.carriage_return.nr;
	end = disassembly_end(at, line_end);
	enum sahm_status status = read_disassembly(t, at, end, out, &access, err);
	out->pc = pc;
	if (status == SAHM_OK && end - at <= (ptrdiff_t)MAX_CACHED_CHARS &&
	    nr_noted == t->notes.no_register.nr + t->notes.carriage_return.nr) {
		*c = (struct cached){.len = (uint8_t)(end - at), .access = access, .insn = *out};
		memcpy(c->text, at, c->len);
	}
	if (status == SAHM_OK)
		status = take_address(t, end, access, out, err);
	return status;
}

/* ---- Records ---- */

/* Whether the line begins with "@" and `kind`. */
static bool is_line(const struct graph_text *t, char kind)
{
	return t->line_start[0] == '@' && t->line_start[1] == kind && is_blank(t->line_start[2]);
}

#define MAX_TICKS ((uint64_t)GRAPH_MAX_CYCLES * GRAPH_TICKS)

/* Reads the number in the present line, "@`kind` NUMBER", which ends at `line_end`. */
static enum sahm_status read_number(struct graph_text *t, char *line_end, char kind, const char *what, uint64_t most,
				    uint64_t *value, struct sahm_err *err)
{
	t->at = line_end + 1;
	if (!read_rest(t->line_start + 3, value) || (kind == 'B' && *value > most))
		return fail(t, err, "expected '@%c %s', got '%.*s'", kind, what, shown(t), t->line_start);
	if (*value > most)
		return fail(t, err, "'%.*s' is above %" PRIu64, shown(t), t->line_start, most);
	return SAHM_OK;
}

/* The line "@`kind` NUMBER" that must follow, since the configuration says `why`. */
static enum sahm_status take_number(struct graph_text *t, char kind, const char *what, const char *why, uint64_t most,
				    uint64_t *value, struct sahm_err *err)
{
	char *line_end;
	bool more;
	enum sahm_status status = next_line(t, &line_end, &more, err);
	if (status != SAHM_OK)
		return status;
	if (!more) {
		t->line_start = t->at;
		return fail(t, err, "the text ends where '@%c %s' must follow the last instruction (%s)", kind, what,
			    why);
	}
	if (!is_line(t, kind))
		return fail(t, err, "expected '@%c %s' after an instruction (%s), got '%.*s'", kind, what, why,
			    shown(t), t->line_start);
	return read_number(t, line_end, kind, what, most, value, err);
}

/* The line @M of the access in line `insn_line`, which may be missing. */
static enum sahm_status take_memory(struct graph_text *t, uint64_t insn_line, struct graph_insn *out,
				    struct sahm_err *err)
{
	char *line_end;
	bool more;
	uint64_t ticks = 0;
	enum sahm_status status = next_line(t, &line_end, &more, err);
	if (status != SAHM_OK)
		return status;
	if (!more || !is_line(t, 'M')) {
		note(&t->notes.no_cycles, insn_line);
		out->memory_cycles = 1;
		if (more)
			t->line--; /* it is read again */
		return SAHM_OK;
	}
	status = read_number(t, line_end, 'M', "TICKS", MAX_TICKS, &ticks, err);
	out->memory_cycles = (uint32_t)(ticks / GRAPH_TICKS);
	return status;
}

enum sahm_status graph_text_next(struct graph_text *t, struct graph_insn *out, bool *more, struct sahm_err *err)
{
	char *line_end;
	uint64_t value = 0;
	enum sahm_status status;
	for (;;) {
		status = next_line(t, &line_end, more, err);
		if (status != SAHM_OK || !*more)
			return status;
		t->at = line_end + 1;
		if (is_line(t, 'I'))
			break;
		if (shown(t) == 0)
			return fail(t, err, "an empty line; expected an instruction ('@I PC DISASSEMBLY')");
		if (memcmp(t->line_start, "\x28\xb5\x2f\xfd", 4) == 0)
			return fail(t, err, "compressed by zstd: unpack it, or compress it by gzip or xz");
		if (memcmp(t->line_start, "\x1f\x8b", 2) == 0 || memcmp(t->line_start,
									"\xfd"
									"7zXZ",
									5) == 0)
			return fail(t, err, "compressed, from a pipe: name the file, or unpack it before the pipe");
		if (!is_line(t, 'F') && !is_line(t, 'B') && !is_line(t, 'M'))
			return fail(t, err,
				    "neither an instruction ('@I PC DISASSEMBLY') nor '@F', '@B' or '@M': '%.*s'",
				    shown(t), t->line_start);
		note(&t->notes.ignored, t->line);
	}
	status = take_insn(t, line_end, out, err);
	uint64_t insn_line = t->line;
	if (status == SAHM_OK && t->has_fetch) {
		status = take_number(t, 'F', "TICKS", "I_Cache is TraceC", MAX_TICKS, &value, err);
		out->fetch_cycles = (uint32_t)(value / GRAPH_TICKS);
	}
	if (status == SAHM_OK && t->has_branch) {
		status = take_number(t, 'B', "0 or 1", "Branch_Predictor is TraceB", 1, &value, err);
		out->mispredicted = value == 0;
		if (status == SAHM_OK && out->mispredicted && out->class != GRAPH_BRANCH && out->class != GRAPH_SYSCALL)
			note(&t->notes.not_branch, insn_line);
	}
	if (status == SAHM_OK && t->has_memory &&
	    (out->class == GRAPH_LOAD || out->class == GRAPH_STORE || out->class == GRAPH_ATOMIC))
		status = take_memory(t, insn_line, out, err);
	return status;
}
