#include "workloads/stream/champsim.h"

#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/array.h"
#include "sim/base/file.h"
#include "sim/base/unpacked.h"
#include "sim/base/zstd_stream.h"
#include "workloads/stream/stream_appender.h"
#include "workloads/stream/stream_internal.h"

/* Places in a record. */
enum {
	RECORD_IP = 0,
	RECORD_IS_BRANCH = 8,
	RECORD_TAKEN = 9,
	RECORD_DESTINATIONS = 10,
	RECORD_SOURCES = 12,
	RECORD_STORES = 16,
	RECORD_LOADS = 32
};

#define NR_DESTINATIONS 2u
#define NR_SOURCES 4u
#define NR_REGISTERS (NR_DESTINATIONS + NR_SOURCES)

/* Registers with a meaning in ChampSim's rules. */
enum { STACK_POINTER = 6, FLAGS = 25, INSTRUCTION_POINTER = 26 };

/* Registers of ours. */
enum { OUR_STACK_POINTER = 4, OUR_FLAGS = 16, OUR_VECTORS = 32, OUR_X87 = 64, OUR_MASKS = 72 };

enum mapping { BEYOND, RENAMED, NAMELESS, FOREIGN };

static const struct register_range {
	uint8_t first, last, to;
	bool is_each;
	enum mapping mapping;
} ranges[] = {
#define ONE(first, last, to) {first, last, to, false, RENAMED},
#define EACH(first, last, to) {first, last, to, true, RENAMED},
#define NONE(first, last, what) {first, last, NO_REGISTER, false, NAMELESS},
#define ALIEN(first, last) {first, last, NO_REGISTER, false, FOREIGN},
#include "workloads/stream/champsim_register_list.h"
#undef ONE
#undef EACH
#undef NONE
#undef ALIEN
};

static const struct {
	const char *name;
	enum insn_class class;
} kinds[NR_CHAMPSIM_BRANCHES] = {
#define BRANCH(symbol, class_suffix, kind_name) [CHAMPSIM_##symbol] = {kind_name, INSN_##class_suffix},
#include "workloads/stream/champsim_branch_list.h"
#undef BRANCH
};

/* Compressed data that cannot be unpacked on the way, from a pipe. */
static const struct {
	const char *sign;
	size_t len;
	const char *program;
} packed[] = {{"\x1f\x8b\x08", 3, "gzip"},
	      {"\xfd"
	       "7zXZ",
	       5, "xz"}};

#define BUFFER_BYTES 262144u
#define MIN_PLACES 4096u

/* Calls that have not returned; a deeper one takes the place of the outermost. */
#define NR_OPEN_CALLS 256u

/* An instruction, as it was last executed. */
struct known {
	struct insn in;
	uint64_t key; /* its registers and kinds of accesses, KEY_...; 0: the place is free */
	bool has_length, has_target;
	uint8_t kind; /* enum champsim_branch */
	uint8_t left_out, nameless, alien;
};

#define KEY_LOADS (UINT64_C(1) << 48)
#define KEY_STORES (UINT64_C(1) << 49)
#define KEY_USED (UINT64_C(1) << 63)

struct champsim_reader {
	FILE *in;
	const char *file;
	size_t at, end;	     /* in the buffer */
	uint64_t offset;     /* of the buffer in the file */
	struct known *known; /* by pc, at the next free place */
	size_t nr_known, nr_places;
	uint64_t calls[NR_OPEN_CALLS];
	uint64_t nr_calls; /* those beyond NR_OPEN_CALLS are lost */
	struct champsim_counts counts;
	struct insn instruction;
	struct access accesses[NR_REGISTERS];
	uint8_t buffer[BUFFER_BYTES];
};

static enum sahm_status fail_record(const struct champsim_reader *r, struct sahm_err *err, const char *fmt, ...)
	SAHM_PRINTF(3, 4);

static enum sahm_status fail_record(const struct champsim_reader *r, struct sahm_err *err, const char *fmt, ...)
{
	char what[256];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return sahm_fail_at(err, SAHM_FORMAT, r->file, 0, "record %" PRIu64 " at offset %" PRIu64 " %s",
			    r->counts.records + 1, r->offset + r->at, what);
}

const char *champsim_branch_name(enum champsim_branch kind)
{
	return kinds[kind].name;
}

/* ---- What is known of instructions ---- */

static size_t place_of(const struct champsim_reader *r, uint64_t pc)
{
	size_t i = (size_t)(pc * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (r->nr_places - 1);
	while (r->known[i].key && r->known[i].in.pc != pc)
		i = (i + 1) & (r->nr_places - 1);
	return i;
}

static bool grow(struct champsim_reader *r)
{
	struct known *before = r->known;
	size_t nr_before = r->nr_places, nr = nr_before ? 2 * nr_before : MIN_PLACES;
	struct known *bigger = calloc(nr, sizeof(*bigger));
	if (!bigger)
		return false;
	r->known = bigger;
	r->nr_places = nr;
	for (size_t i = 0; i < nr_before; i++)
		if (before[i].key)
			r->known[place_of(r, before[i].in.pc)] = before[i];
	free(before);
	return true;
}

/* ---- Registers, kinds and classes ---- */

static const struct register_range *range_of(uint8_t number)
{
	for (size_t i = 0; i < ARRAY_SIZE(ranges); i++)
		if (number >= ranges[i].first && number <= ranges[i].last)
			return &ranges[i];
	return NULL;
}

static bool has(const uint8_t *registers, unsigned nr, uint8_t number)
{
	return memchr(registers, number, nr) != NULL;
}

/* The rules of inc/instruction.h, in its order: the first that holds. */
static enum champsim_branch branch_of(const uint8_t *record)
{
	const uint8_t *to = record + RECORD_DESTINATIONS, *from = record + RECORD_SOURCES;
	bool writes_sp = has(to, NR_DESTINATIONS, STACK_POINTER), reads_sp = has(from, NR_SOURCES, STACK_POINTER),
	     reads_flags = has(from, NR_SOURCES, FLAGS), reads_ip = has(from, NR_SOURCES, INSTRUCTION_POINTER),
	     reads_other = false;
	if (!has(to, NR_DESTINATIONS, INSTRUCTION_POINTER))
		return CHAMPSIM_NO_BRANCH;
	for (unsigned i = 0; i < NR_SOURCES; i++)
		reads_other |=
			from[i] != 0 && from[i] != STACK_POINTER && from[i] != FLAGS && from[i] != INSTRUCTION_POINTER;
	if (!reads_sp && !reads_flags && !reads_other)
		return CHAMPSIM_DIRECT_JUMP;
	if (!reads_sp && !reads_ip && !reads_flags && reads_other)
		return CHAMPSIM_INDIRECT;
	if (!reads_sp && reads_ip && !writes_sp && (reads_flags || reads_other))
		return CHAMPSIM_CONDITIONAL;
	if (reads_sp && reads_ip && writes_sp && !reads_flags)
		return reads_other ? CHAMPSIM_INDIRECT_CALL : CHAMPSIM_DIRECT_CALL;
	if (reads_sp && !reads_ip && writes_sp)
		return CHAMPSIM_RETURN;
	return CHAMPSIM_OTHER;
}

/* Of what is no branch. One access and neither flags nor an operand in a vector register: a load or a store. Else, by
 * its registers: x87 and MMX FP_OTHER; vectors FP_ADD with two operands or more, of which memory can be one, since
 * compilers use them for floating-point numbers mostly, and VECTOR with fewer, as moves have; all else INTEGER. */
static enum insn_class class_of(const uint8_t *from, unsigned nr_from, const uint8_t *to, unsigned nr_to, uint64_t key)
{
	bool loads = key & KEY_LOADS, stores = key & KEY_STORES, has_flags = false, has_x87 = false, has_vector = false;
	unsigned nr_operands = 0;
	for (unsigned i = 0; i < nr_from + nr_to; i++) {
		uint8_t reg = i < nr_from ? from[i] : to[i - nr_from];
		has_flags |= reg == OUR_FLAGS;
		has_x87 |= reg >= OUR_X87 && reg < OUR_MASKS;
		has_vector |= reg >= OUR_VECTORS;
		nr_operands += reg >= OUR_VECTORS && i < nr_from;
	}
	if (loads && !stores && !has_flags && nr_operands == 0)
		return INSN_LOAD;
	if (stores && !loads && !has_flags)
		return INSN_STORE;
	if (has_x87)
		return INSN_FP_OTHER;
	if (!has_vector)
		return INSN_INTEGER;
	return nr_operands + loads >= 2 ? INSN_FP_ADD : INSN_VECTOR;
}

/* Neither the flags nor, with something else beside it, the stack pointer. */
static uint8_t destination_of(const uint8_t *to, unsigned nr)
{
	uint8_t best = NO_REGISTER;
	for (unsigned i = 0; i < nr; i++)
		if (best == NO_REGISTER || best == OUR_FLAGS || (best == OUR_STACK_POINTER && to[i] != OUR_FLAGS))
			best = to[i];
	return best;
}

/* Makes *k what the record's registers say. */
static enum sahm_status decode(struct champsim_reader *r, const uint8_t *record, uint64_t key, struct known *k,
			       struct sahm_err *err)
{
	struct known fresh = *k;
	uint8_t from[NR_SOURCES], to[NR_DESTINATIONS];
	unsigned nr_from = 0, nr_to = 0;
	fresh.key = key;
	fresh.left_out = fresh.nameless = fresh.alien = 0;
	for (unsigned i = 0; i < NR_REGISTERS; i++) {
		uint8_t number = record[RECORD_DESTINATIONS + i];
		const struct register_range *range = range_of(number);
		if (number == 0)
			continue;
		if (!range)
			return fail_record(r, err, "has register %u, beyond the table, which ends with %u", number,
					   ranges[ARRAY_SIZE(ranges) - 1].last);
		if (range->mapping == NAMELESS && number != INSTRUCTION_POINTER)
			fresh.nameless++;
		else if (range->mapping == FOREIGN)
			fresh.alien++;
		if (range->mapping != RENAMED)
			continue;
		uint8_t ours = (uint8_t)(range->to + (range->is_each ? number - range->first : 0));
		if (i < NR_DESTINATIONS)
			to[nr_to++] = ours;
		else if (!has(from, nr_from, ours))
			from[nr_from++] = ours;
	}
	fresh.kind = (uint8_t)branch_of(record);
	fresh.in.class = (uint8_t)(fresh.kind == CHAMPSIM_NO_BRANCH ? class_of(from, nr_from, to, nr_to, key)
								    : kinds[fresh.kind].class);
	memset(fresh.in.source, NO_REGISTER, sizeof(fresh.in.source));
	memcpy(fresh.in.source, from, nr_from < MAX_SOURCES ? nr_from : MAX_SOURCES);
	fresh.left_out = nr_from > MAX_SOURCES;
	fresh.in.destination = destination_of(to, nr_to);
	r->nr_known += k->key == 0;
	*k = fresh;
	return SAHM_OK;
}

/* ---- Lengths and targets ---- */

/* Where nothing shows it; `distance` is that of the target. */
static uint8_t assumed_length(const struct known *k, int64_t distance)
{
	bool is_short = distance - 2 >= INT8_MIN && distance - 2 <= INT8_MAX;
	switch (k->in.class) {
	case INSN_CALL:
		return 5;
	case INSN_RETURN:
		return 1;
	case INSN_JUMP:
		return is_short ? 2 : 5;
	case INSN_BRANCH:
		return is_short ? 2 : 6;
	case INSN_INDIRECT_JUMP:
	case INSN_INDIRECT_CALL:
		return k->key & KEY_LOADS ? 6 : 2;
	default:
		return 4;
	}
}

static void learn_length(struct known *k, uint64_t bytes)
{
	k->in.length = (uint8_t)bytes;
	k->has_length = true;
}

/* A call is as long as the distance to where it returns to. */
static void follow_calls(struct champsim_reader *r, const struct known *k, uint64_t next)
{
	if (k->in.class == INSN_CALL || k->in.class == INSN_INDIRECT_CALL) {
		r->calls[r->nr_calls++ % NR_OPEN_CALLS] = k->in.pc;
	} else if (k->in.class == INSN_RETURN && r->nr_calls > 0) {
		uint64_t pc = r->calls[--r->nr_calls % NR_OPEN_CALLS];
		struct known *call = &r->known[place_of(r, pc)];
		if (call->key && next - pc >= 1 && next - pc <= MAX_INSN_BYTES)
			learn_length(call, next - pc);
	}
}

/* What the record's successor shows: one at `next`, or none. `taken` is of a branch. */
static void fill_in(struct champsim_reader *r, struct known *k, bool taken, const uint64_t *next)
{
	struct champsim_counts *c = &r->counts;
	struct insn *in = &r->instruction;
	uint64_t distance = next ? *next - k->in.pc : 0;
	bool goes_on = next && !taken && distance >= 1 && distance <= MAX_INSN_BYTES;
	if (goes_on) {
		learn_length(k, distance);
		c->next_lengths++;
	} else if (next && !taken) {
		c->repeated += distance == 0;
		c->interrupted += distance != 0;
	}
	if (taken && next && insn_has_target((enum insn_class)k->in.class)) {
		k->in.target = *next;
		k->has_target = true;
	}
	*in = k->in;
	if (k->has_length) {
		c->known_lengths += !goes_on;
	} else {
		in->length = assumed_length(k, k->has_target ? (int64_t)(k->in.target - k->in.pc) : 0);
		c->assumed_lengths++;
	}
	if (!insn_has_target((enum insn_class)in->class)) {
		in->target = 0;
	} else if (!k->has_target) {
		in->target = in->pc + in->length;
		c->assumed_targets++;
	}
	if (next && taken)
		follow_calls(r, k, *next);
}

/* ---- Records ---- */

static unsigned take_accesses(struct champsim_reader *r, const uint8_t *record, uint64_t *key)
{
	unsigned nr = 0;
	for (unsigned i = 0; i < NR_REGISTERS; i++) {
		/* Loads come first. */
		bool is_store = i >= NR_SOURCES;
		uint64_t address;
		memcpy(&address,
		       record + (is_store ? RECORD_STORES + 8 * (i - NR_SOURCES) : (unsigned)RECORD_LOADS + 8 * i),
		       sizeof(address));
		if (address == 0)
			continue;
		r->accesses[nr++] = (struct access){le64toh(address), CHAMPSIM_ACCESS_BYTES, is_store};
		*key |= is_store ? KEY_STORES : KEY_LOADS;
		r->counts.loads += !is_store;
		r->counts.stores += is_store;
	}
	return nr;
}

/* Takes the record at the beginning of the buffer's rest; *next as of fill_in(). */
static enum sahm_status take(struct champsim_reader *r, const uint64_t *next, struct executed *out,
			     struct sahm_err *err)
{
	const uint8_t *record = r->buffer + r->at;
	uint64_t pc, key = 0;
	memcpy(&pc, record + RECORD_IP, sizeof(pc));
	memcpy(&key, record + RECORD_DESTINATIONS, NR_REGISTERS);
	pc = le64toh(pc);
	key = le64toh(key) | KEY_USED;
	if (record[RECORD_IS_BRANCH] > 1)
		return fail_record(r, err, "is not one of ChampSim: whether it is a branch is %u, not 0 or 1",
				   record[RECORD_IS_BRANCH]);
	unsigned nr_accesses = take_accesses(r, record, &key);
	if (2 * r->nr_known >= r->nr_places && !grow(r))
		return sahm_fail_nomem(err);
	struct known *k = &r->known[place_of(r, pc)];
	if (k->key != key) {
		k->in.pc = pc;
		enum sahm_status status = decode(r, record, key, k, err);
		if (status != SAHM_OK)
			return status;
	}
	bool has_condition = k->in.class == INSN_BRANCH;
	if (has_condition && record[RECORD_TAKEN] > 1)
		return fail_record(r, err, "is not one of ChampSim: whether it is taken is %u, not 0 or 1",
				   record[RECORD_TAKEN]);
	bool taken = k->kind != CHAMPSIM_NO_BRANCH && (!has_condition || record[RECORD_TAKEN]);
	fill_in(r, k, taken, next);
	r->counts.records++;
	r->counts.branches[k->kind]++;
	r->counts.left_out += k->left_out;
	r->counts.nameless += k->nameless;
	r->counts.alien += k->alien;
	r->at += CHAMPSIM_RECORD_BYTES;
	*out = (struct executed){.instruction = &r->instruction,
				 .accesses = r->accesses,
				 .nr_accesses = nr_accesses,
				 .taken = taken,
				 .next_pc = next ? *next : 0};
	return SAHM_OK;
}

/* Reads on, after what is left. */
static enum sahm_status refill(struct champsim_reader *r, struct sahm_err *err)
{
	size_t left = r->end - r->at;
	memmove(r->buffer, r->buffer + r->at, left);
	r->offset += r->at;
	r->at = 0;
	r->end = left + fread(r->buffer + left, 1, sizeof(r->buffer) - left, r->in);
	if (ferror(r->in))
		return sahm_fail(err, SAHM_IO, "cannot read '%s': %s", r->file, strerror(errno));
	return SAHM_OK;
}

static enum sahm_status check_first(const struct champsim_reader *r, struct sahm_err *err)
{
	if (r->end == 0)
		return sahm_fail_at(err, SAHM_FORMAT, r->file, 0, "there are no records in it");
	for (size_t i = 0; i < ARRAY_SIZE(packed); i++)
		if (r->end >= packed[i].len && memcmp(r->buffer, packed[i].sign, packed[i].len) == 0)
			return sahm_fail_at(err, SAHM_FORMAT, r->file, 0,
					    "this is compressed by %s: name the file, or unpack it before the pipe: "
					    "%s -dc FILE | sahm stream import - -o OUT",
					    packed[i].program, packed[i].program);
	return SAHM_OK;
}

enum sahm_status champsim_next(struct champsim_reader *r, struct executed *out, bool *more, struct sahm_err *err)
{
	if (r->end - r->at < (size_t)2 * CHAMPSIM_RECORD_BYTES && !feof(r->in)) {
		enum sahm_status status = refill(r, err);
		if (status == SAHM_OK && r->counts.records == 0)
			status = check_first(r, err);
		if (status != SAHM_OK)
			return status;
	}
	size_t left = r->end - r->at;
	*more = left > 0;
	if (left == 0)
		return SAHM_OK;
	if (left < CHAMPSIM_RECORD_BYTES)
		return fail_record(r, err, "is cut short: it has %zu bytes, not %u", left, CHAMPSIM_RECORD_BYTES);
	if (left < (size_t)2 * CHAMPSIM_RECORD_BYTES)
		return take(r, NULL, out, err);
	uint64_t next;
	memcpy(&next, r->buffer + r->at + CHAMPSIM_RECORD_BYTES + RECORD_IP, sizeof(next));
	next = le64toh(next);
	return take(r, &next, out, err);
}

struct champsim_reader *champsim_reader_new(FILE *in, const char *file)
{
	struct champsim_reader *r = malloc(sizeof(*r));
	if (!r)
		return NULL;
	memset(r, 0, offsetof(struct champsim_reader, buffer));
	r->in = in;
	r->file = file;
	if (grow(r))
		return r;
	free(r);
	return NULL;
}

void champsim_reader_free(struct champsim_reader *r)
{
	if (r)
		free(r->known);
	free(r);
}

const struct champsim_counts *champsim_counts(const struct champsim_reader *r)
{
	return &r->counts;
}

/* ---- A whole file ---- */

static enum sahm_status copy(struct champsim_reader *r, uint64_t epoch_instructions, struct stream_writer *w,
			     struct stream_appender *a, struct sahm_err *err)
{
	struct executed e;
	enum sahm_status status;
	bool more = true;
	for (uint64_t left = epoch_instructions; (status = champsim_next(r, &e, &more, err)) == SAHM_OK && more;) {
		stream_appender_add(a, &e);
		if (--left > 0)
			continue;
		stream_appender_flush(a);
		stream_writer_end_epoch(w);
		left = epoch_instructions;
	}
	stream_appender_flush(a);
	return status;
}

static enum sahm_status copy_file(FILE *in, const char *file, uint64_t epoch_instructions, struct stream_writer *w,
				  struct champsim_counts *counts, struct sahm_err *err)
{
	struct zstd_reader *unzipped = zstd_reader_new(in, file);
	struct champsim_reader *r = unzipped ? champsim_reader_new(zstd_reader_stream(unzipped), file) : NULL;
	struct stream_appender *a = stream_appender_new(w);
	enum sahm_status status = r && a ? copy(r, epoch_instructions, w, a, err) : sahm_fail_nomem(err);
	if (r)
		*counts = r->counts;
	stream_appender_free(a);
	champsim_reader_free(r);
	return unzipped ? zstd_reader_free(unzipped, status, err) : status;
}

enum sahm_status champsim_import(const char *file, uint64_t epoch_instructions, const char *output,
				 struct champsim_counts *counts, struct sahm_err *err)
{
	struct unpacked in;
	enum sahm_status status = unpacked_open(file, &in, err);
	if (status != SAHM_OK)
		return status;
	struct stream_writer *w = stream_writer_new(output, MACHINE_X86_64, base_name(file_label(file)), err);
	status = w ? copy_file(in.stream, file_label(file), epoch_instructions, w, counts, err) : err->status;
	status = unpacked_close(&in, status, err);
	if (status == SAHM_OK)
		status = stream_writer_finish(w, err);
	else if (w)
		stream_writer_abandon(w);
	if (status != SAHM_OK)
		stream_discard(output);
	return status;
}
