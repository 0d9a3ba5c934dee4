/* Traces in memory: opening an image and reading it. Files: trace_file.c. */
#include "workloads/trace/trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sim/base/units.h"
#include "workloads/trace/trace_internal.h"

_Static_assert(COUNTER_CYCLES == NR_COUNTERS - 1, "cycles are the last column, so that they can be left out");

struct trace {
	struct arena arena; /* strings */
	uint8_t *image;
	size_t len, room; /* of the image, and of the memory that is mapped for it */
	int fd; /* its file, from which blocks are read when they are first used; -1: all of the image is there */
	const char *file, *name;
	uint32_t flags, block_epochs;
	uint64_t nr_epochs, epoch_ns, nr_blocks;
	const uint8_t *index;
	uint8_t *intact; /* [nr_blocks]: 1 once the block's digest has been found right */
	struct provenance provenance;
	uint8_t hash[HASH_BYTES];
};

void trace_free(struct trace *trace)
{
	if (!trace)
		return;
	if (trace->fd >= 0) {
		munmap(trace->image, trace->room);
		close(trace->fd);
	} else {
		free(trace->image);
	}
	free(trace->intact);
	arena_release(&trace->arena);
	free(trace);
}

const char *trace_name(const struct trace *trace)
{
	return trace->name;
}

const char *trace_file(const struct trace *trace)
{
	return trace->file;
}

const struct provenance *trace_provenance(const struct trace *trace)
{
	return &trace->provenance;
}

uint64_t trace_nr_epochs(const struct trace *trace)
{
	return trace->nr_epochs;
}

uint64_t trace_epoch_ns(const struct trace *trace)
{
	return trace->epoch_ns;
}

bool trace_has_cycles(const struct trace *trace)
{
	return trace->flags & TRACE_FLAG_CYCLES;
}

size_t trace_image_bytes(const struct trace *trace)
{
	return trace->len;
}

const uint8_t *trace_hash(const struct trace *trace)
{
	return trace->hash;
}

enum sahm_status trace_write_binary(struct trace *trace, FILE *out, struct sahm_err *err)
{
	enum sahm_status status = trace_verify(trace, err);
	if (status == SAHM_OK)
		fwrite(trace->image, 1, trace->len, out);
	return status;
}

void trace_head_digest(const uint8_t *image, size_t end, uint8_t digest[DIGEST_BYTES])
{
	struct hash h;
	uint8_t full[HASH_BYTES];
	hash_init(&h);
	hash_add(&h, image, HEADER_DIGEST);
	hash_add(&h, image + HEADER_BYTES, end - HEADER_BYTES);
	hash_end(&h, full);
	memcpy(digest, full, DIGEST_BYTES);
}

static enum sahm_status fail_damaged(const struct trace *t, const char *what, struct sahm_err *err)
{
	return sahm_fail_at(err, SAHM_FORMAT, t->file, 0, "damaged binary trace: %s", what);
}

/* Epochs in block b. */
static uint64_t epochs_in(const struct trace *t, uint64_t b)
{
	uint64_t left = t->nr_epochs - b * t->block_epochs;
	return left < t->block_epochs ? left : t->block_epochs;
}

static enum sahm_status read_header(struct trace *t, struct sahm_err *err)
{
	const uint8_t *h = t->image;
	if (t->len < HEADER_BYTES)
		return fail_damaged(t, "it ends within the header", err);
	if (memcmp(h, TRACE_MAGIC, TRACE_MAGIC_BYTES) != 0)
		return sahm_fail_at(err, SAHM_FORMAT, t->file, 0, "not a binary trace");
	uint64_t version = get_le(h + HEADER_VERSION, 4);
	if (version != TRACE_VERSION)
		return sahm_fail_at(err, SAHM_FORMAT, t->file, 0,
				    "binary trace of version %llu, this program reads version %u",
				    (unsigned long long)version, TRACE_VERSION);
	t->flags = (uint32_t)get_le(h + HEADER_FLAGS, 4);
	t->nr_epochs = get_le(h + HEADER_NR_EPOCHS, 8);
	t->epoch_ns = get_le(h + HEADER_EPOCH_NS, 8);
	t->block_epochs = (uint32_t)get_le(h + HEADER_BLOCK_EPOCHS, 4);
	if (t->flags & ~TRACE_FLAG_CYCLES || t->nr_epochs < 1 || t->nr_epochs > MAX_TRACE_EPOCHS ||
	    t->epoch_ns < MIN_EPOCH_NS || t->epoch_ns > MAX_EPOCH_NS || t->nr_epochs > MAX_TRACE_NS / t->epoch_ns ||
	    t->block_epochs != BLOCK_EPOCHS)
		return fail_damaged(t, "its header holds impossible values", err);
	t->nr_blocks = (t->nr_epochs + t->block_epochs - 1) / t->block_epochs;
	return SAHM_OK;
}

/* Whether `nr` bytes at `p` are all 0. */
static bool is_zero(const uint8_t *p, uint64_t nr)
{
	for (uint64_t i = 0; i < nr; i++)
		if (p[i])
			return false;
	return true;
}

/* Reads the provenance, which must stand there as it would be written. */
static enum sahm_status read_provenance(struct trace *t, const char *text, size_t len, struct sahm_err *err)
{
	struct sahm_err cause;
	struct textbuf again;
	enum sahm_status status = provenance_read(&t->provenance, &t->arena, text, len, &cause);
	if (status != SAHM_OK)
		return status == SAHM_NOMEM ? sahm_fail_nomem(err) : fail_damaged(t, cause.msg, err);
	textbuf_init(&again);
	provenance_write(&t->provenance, "", &again);
	if (textbuf_failed(&again))
		status = sahm_fail_nomem(err);
	else if (again.len != len || memcmp(again.text, text, len) != 0)
		status = fail_damaged(t, "provenance is malformed", err);
	textbuf_release(&again);
	provenance_settle_source(&t->provenance);
	return status;
}

/* Checks provenance and index against the header's digest, and each block's place against the file. */
static enum sahm_status read_head(struct trace *t, struct sahm_err *err)
{
	uint64_t provenance_bytes = get_le(t->image + HEADER_PROVENANCE_BYTES, 4);
	uint64_t index_at = HEADER_BYTES + pad8(provenance_bytes);
	uint64_t blocks_at = index_at + t->nr_blocks * INDEX_ENTRY_BYTES;
	uint8_t digest[DIGEST_BYTES];
	if (provenance_bytes > MAX_PROVENANCE_TEXT || blocks_at > t->len)
		return fail_damaged(t, "it ends within its index", err);
	trace_head_digest(t->image, blocks_at, digest);
	if (memcmp(digest, t->image + HEADER_DIGEST, DIGEST_BYTES) != 0)
		return sahm_fail_at(err, SAHM_CHECKSUM, t->file, 0,
				    "damaged binary trace: header or index differ from their checksum");
	uint64_t file_bytes = get_le(t->image + HEADER_FILE_BYTES, 8);
	if (t->len > file_bytes)
		return sahm_fail_at(err, SAHM_FORMAT, t->file, 0,
				    "damaged binary trace: more than the %llu bytes that its header says",
				    (unsigned long long)file_bytes);
	if (t->len < file_bytes)
		return sahm_fail_at(err, SAHM_FORMAT, t->file, 0,
				    "damaged binary trace: %zu bytes, its header says %llu", t->len,
				    (unsigned long long)file_bytes);
	t->index = t->image + index_at;
	uint64_t expected = blocks_at;
	for (uint64_t b = 0; b < t->nr_blocks; b++) {
		const uint8_t *entry = t->index + b * INDEX_ENTRY_BYTES;
		uint64_t bytes = get_le(entry + INDEX_BYTES, 8);
		if (get_le(entry + INDEX_OFFSET, 8) != expected || bytes % 8 != 0 || bytes > t->len - expected)
			return fail_damaged(t, "its index is inconsistent", err);
		expected += bytes;
	}
	if (expected != t->len)
		return fail_damaged(t, "bytes follow its last block", err);
	if (!is_zero(t->image + HEADER_BYTES + provenance_bytes, pad8(provenance_bytes) - provenance_bytes))
		return fail_damaged(t, "bytes follow its provenance", err);
	return read_provenance(t, (const char *)t->image + HEADER_BYTES, provenance_bytes, err);
}

static enum sahm_status name_trace(struct trace *t, struct sahm_err *err)
{
	const char *name = t->provenance.text[PROVENANCE_NAME];
	if (!name)
		return fail_damaged(t, "it has no name", err);
	t->name = name;
	if (!provenance_is_synthetic(&t->provenance) || strstr(name, "synthetic"))
		return SAHM_OK;
	struct textbuf b;
	textbuf_init(&b);
	textbuf_printf(&b, "%s-synthetic", name);
	t->name = textbuf_failed(&b) ? NULL : arena_strdup(&t->arena, b.text);
	textbuf_release(&b);
	return t->name ? SAHM_OK : sahm_fail_nomem(err);
}

static void hash_trace(struct trace *t)
{
	struct hash h;
	hash_init(&h);
	hash_add_string(&h, "sahm trace content 1");
	hash_add_u64(&h, provenance_is_synthetic(&t->provenance));
	/* Only where it is so: the hashes of all others are older than this. */
	if (provenance_is_nominal(&t->provenance))
		hash_add_string(&h, "nominal time");
	hash_add_u64(&h, t->epoch_ns);
	hash_add_u64(&h, t->nr_epochs);
	hash_add_u64(&h, t->flags);
	for (uint64_t b = 0; b < t->nr_blocks; b++)
		hash_add(&h, t->index + b * INDEX_ENTRY_BYTES + INDEX_DIGEST, DIGEST_BYTES);
	hash_end(&h, t->hash);
}

/* Checks all but the blocks; takes over `t`. */
static enum sahm_status open_head(struct trace *t, const char *file, struct trace **trace, struct sahm_err *err)
{
	t->file = arena_strdup(&t->arena, file);
	enum sahm_status status = t->file ? SAHM_OK : sahm_fail_nomem(err);
	if (status == SAHM_OK)
		status = read_header(t, err);
	if (status == SAHM_OK)
		status = read_head(t, err);
	if (status == SAHM_OK)
		status = name_trace(t, err);
	if (status == SAHM_OK) {
		t->intact = calloc(t->nr_blocks, 1);
		if (!t->intact)
			status = sahm_fail_nomem(err);
	}
	if (status != SAHM_OK) {
		trace_free(t);
		return status;
	}
	hash_trace(t);
	*trace = t;
	return SAHM_OK;
}

enum sahm_status trace_open_image(const char *file, uint8_t *image, size_t len, struct trace **trace,
				  struct sahm_err *err)
{
	struct trace *t = calloc(1, sizeof(*t));
	if (!t) {
		free(image);
		return sahm_fail_nomem(err);
	}
	*t = (struct trace){.image = image, .len = len, .fd = -1};
	return open_head(t, file, trace, err);
}

enum sahm_status trace_open_lazily(const char *file, uint8_t *image, size_t room, size_t len, int fd,
				   struct trace **trace, struct sahm_err *err)
{
	struct trace *t = calloc(1, sizeof(*t));
	if (!t) {
		munmap(image, room);
		close(fd);
		return sahm_fail_nomem(err);
	}
	*t = (struct trace){.image = image, .len = len, .room = room, .fd = fd};
	return open_head(t, file, trace, err);
}

void trace_trust_blocks(struct trace *trace)
{
	memset(trace->intact, 1, trace->nr_blocks);
}

/* One column of a block. */
struct column {
	uint64_t base;
	unsigned width;
	const uint8_t *values;
};

/* Finds the columns of block `b` without looking at their values. */
static enum sahm_status find_columns(const struct trace *t, uint64_t b, struct column columns[NR_COUNTERS],
				     struct sahm_err *err)
{
	const uint8_t *entry = t->index + b * INDEX_ENTRY_BYTES;
	const uint8_t *block = t->image + get_le(entry + INDEX_OFFSET, 8);
	uint64_t bytes = get_le(entry + INDEX_BYTES, 8), nr = epochs_in(t, b);
	unsigned nr_columns = trace_nr_columns(t->flags);
	uint64_t at = (uint64_t)nr_columns * COLUMN_BYTES;
	if (at > bytes)
		return fail_damaged(t, "a block is too short", err);
	for (unsigned c = 0; c < nr_columns; c++) {
		unsigned width = block[c * COLUMN_BYTES + COLUMN_WIDTH];
		if (width > 8 || (width & (width - 1)) != 0)
			return fail_damaged(t, "a column has an impossible width", err);
		if (pad8(width * nr) > bytes - at)
			return fail_damaged(t, "a block is too short", err);
		columns[c] = (struct column){get_le(block + c * COLUMN_BYTES + COLUMN_BASE, 8), width, block + at};
		at += pad8(width * nr);
	}
	return at == bytes ? SAHM_OK : fail_damaged(t, "a block is too long", err);
}

static inline void read_values(const uint8_t *p, unsigned width, uint64_t base, uint64_t nr, size_t stride,
			       uint64_t *out)
{
	for (uint64_t i = 0; i < nr; i++)
		out[i * stride] = base + get_le(p + i * width, width);
}

/* Values of one column, `nr` of them from `first` of the block on, into every stride-th of out[]. */
static inline void read_column(const struct column *c, uint64_t first, uint64_t nr, size_t stride, uint64_t *out)
{
	const uint8_t *p = c->values + first * c->width;
	/* One loop for each width, which is a constant in it. */
	switch (c->width) {
	case 1:
		read_values(p, 1, c->base, nr, stride, out);
		break;
	case 2:
		read_values(p, 2, c->base, nr, stride, out);
		break;
	case 4:
		read_values(p, 4, c->base, nr, stride, out);
		break;
	default:
		read_values(p, c->width, c->base, nr, stride, out);
	}
}

/* Epochs `first` to first + nr - 1 of a block. */
static void read_epochs(const struct column *columns, unsigned nr_columns, uint64_t first, uint64_t nr,
			struct epoch_counts *out)
{
	if (nr_columns < NR_COUNTERS)
		memset(out, 0, nr * sizeof(*out));
	for (unsigned c = 0; c < nr_columns; c++)
		read_column(&columns[c], first, nr, sizeof(*out) / sizeof(out->count[0]), &out->count[c]);
}

/* Epochs that are decoded at a time. */
#define BATCH 256u

/* Smallest and largest value of a column, its base left out. */
static void column_span(const struct column *column, uint64_t nr, uint64_t *low, uint64_t *high)
{
	struct column c = *column;
	uint64_t batch[BATCH];
	c.base = 0;
	*low = UINT64_MAX;
	*high = 0;
	for (uint64_t first = 0, n; first < nr; first += n) {
		n = nr - first < BATCH ? nr - first : BATCH;
		read_column(&c, first, n, 1, batch);
		for (uint64_t i = 0; i < n; i++) {
			*low = batch[i] < *low ? batch[i] : *low;
			*high = batch[i] > *high ? batch[i] : *high;
		}
	}
}

/* Whether a column is written as the builder would: smallest base, smallest width, zeros in unused space. */
static bool is_canonical(const uint8_t *descriptor, const struct column *c, uint64_t nr)
{
	uint64_t low, high;
	column_span(c, nr, &low, &high);
	return low == 0 && c->width == trace_column_width(high) && high <= UINT64_MAX - c->base &&
	       is_zero(descriptor + COLUMN_WIDTH + 1, COLUMN_BYTES - COLUMN_WIDTH - 1) &&
	       is_zero(c->values + nr * c->width, pad8(nr * c->width) - nr * c->width);
}

/* Whether no epoch of a block contradicts itself. */
static bool is_consistent(const struct column *columns, unsigned nr_columns, uint64_t nr)
{
	uint64_t part[BATCH], whole[BATCH];
	for (unsigned c = 0; c < nr_columns; c++) {
		unsigned of = counter_rows[c].part_of;
		if (of == c)
			continue;
		for (uint64_t first = 0; first < nr; first += BATCH) {
			uint64_t n = nr - first < BATCH ? nr - first : BATCH;
			bool exceeds = false;
			read_column(&columns[c], first, n, 1, part);
			read_column(&columns[of], first, n, 1, whole);
			for (uint64_t i = 0; i < n; i++)
				exceeds |= part[i] > whole[i];
			if (exceeds)
				return false;
		}
	}
	return true;
}

/* What has to hold of a block beside its digest before its first use: that its counts could not have been written
 * otherwise, so that equal traces have equal hashes, and that they do not contradict each other. */
static enum sahm_status check_block(const struct trace *t, uint64_t b, const struct column *columns,
				    struct sahm_err *err)
{
	const uint8_t *block = t->image + get_le(t->index + b * INDEX_ENTRY_BYTES + INDEX_OFFSET, 8);
	unsigned nr_columns = trace_nr_columns(t->flags);
	uint64_t nr = epochs_in(t, b);
	for (unsigned c = 0; c < nr_columns; c++)
		if (!is_canonical(block + c * COLUMN_BYTES, &columns[c], nr))
			return fail_damaged(t, "a column is not in canonical form", err);
	if (!is_consistent(columns, nr_columns, nr))
		return fail_damaged(t, "counts contradict each other", err);
	return SAHM_OK;
}

bool trace_read_bytes(int fd, uint8_t *image, uint64_t at, uint64_t nr)
{
	while (nr > 0) {
		ssize_t got = pread(fd, image + at, nr, (off_t)at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			if (got == 0)
				errno = 0;
			return false;
		}
		at += (uint64_t)got;
		nr -= (uint64_t)got;
	}
	return true;
}

/* Reads block `b` into its place in the image, where it has not been from the beginning. */
static enum sahm_status fetch_block(struct trace *t, uint64_t b, struct sahm_err *err)
{
	const uint8_t *entry = t->index + b * INDEX_ENTRY_BYTES;
	uint64_t at = get_le(entry + INDEX_OFFSET, 8), bytes = get_le(entry + INDEX_BYTES, 8);
	if (t->fd < 0 || trace_read_bytes(t->fd, t->image, at, bytes))
		return SAHM_OK;
	if (errno)
		return sahm_fail(err, SAHM_IO, "cannot read '%s': %s", t->file, strerror(errno));
	return sahm_fail_at(err, SAHM_FORMAT, t->file, 0, "damaged binary trace: it was cut short while it was in use");
}

/* Finds the columns of block `b`, checking the block before its first use. */
static enum sahm_status open_block(struct trace *t, uint64_t b, struct column columns[NR_COUNTERS],
				   struct sahm_err *err)
{
	const uint8_t *entry = t->index + b * INDEX_ENTRY_BYTES;
	if (t->intact[b])
		return find_columns(t, b, columns, err);
	enum sahm_status status = fetch_block(t, b, err);
	if (status != SAHM_OK)
		return status;
	uint8_t digest[DIGEST_BYTES];
	digest_of(t->image + get_le(entry + INDEX_OFFSET, 8), get_le(entry + INDEX_BYTES, 8), digest);
	if (memcmp(digest, entry + INDEX_DIGEST, DIGEST_BYTES) != 0)
		return sahm_fail_at(err, SAHM_CHECKSUM, t->file, 0,
				    "damaged binary trace: epochs %llu to %llu differ from their checksum",
				    (unsigned long long)(b * t->block_epochs),
				    (unsigned long long)(b * t->block_epochs + epochs_in(t, b) - 1));
	status = find_columns(t, b, columns, err);
	if (status == SAHM_OK)
		status = check_block(t, b, columns, err);
	t->intact[b] = status == SAHM_OK;
	return status;
}

enum sahm_status trace_read(struct trace *trace, uint64_t first, uint64_t nr, struct epoch_counts *out,
			    struct sahm_err *err)
{
	struct column columns[NR_COUNTERS];
	unsigned nr_columns = trace_nr_columns(trace->flags);
	while (nr > 0) {
		uint64_t b = first / trace->block_epochs, from = first % trace->block_epochs;
		uint64_t part = epochs_in(trace, b) - from;
		if (part > nr)
			part = nr;
		enum sahm_status status = open_block(trace, b, columns, err);
		if (status != SAHM_OK)
			return status;
		read_epochs(columns, nr_columns, from, part, out);
		first += part;
		nr -= part;
		out += part;
	}
	return SAHM_OK;
}

/* States of `nr` epochs from `first` of a block on, by the columns that metrics are made of. */
static void classify(const struct column *columns, uint64_t first, uint64_t nr, const struct cuts *cuts, uint8_t *out)
{
	uint64_t numerators[BATCH], denominators[BATCH];
	memset(out, 0, nr);
	for (unsigned c = 0; c < NR_COMPONENTS; c++) {
		read_column(&columns[metric_rows[c].numerator], first, nr, 1, numerators);
		read_column(&columns[metric_rows[c].denominator], first, nr, 1, denominators);
		cuts_classify_component(cuts, (enum component)c, numerators, denominators, nr, out);
	}
}

enum sahm_status trace_states(struct trace *trace, const struct cuts *cuts, uint8_t *out, struct sahm_err *err)
{
	struct column columns[NR_COUNTERS] = {0}; /* of no width, and so of zeros, where cycles are unknown */
	for (uint64_t b = 0; b < trace->nr_blocks; b++) {
		uint64_t nr = epochs_in(trace, b);
		enum sahm_status status = open_block(trace, b, columns, err);
		if (status != SAHM_OK)
			return status;
		for (uint64_t first = 0, n; first < nr; first += n) {
			n = nr - first < BATCH ? nr - first : BATCH;
			classify(columns, first, n, cuts, out + b * trace->block_epochs + first);
		}
	}
	return SAHM_OK;
}

enum sahm_status trace_verify(struct trace *trace, struct sahm_err *err)
{
	struct column columns[NR_COUNTERS];
	enum sahm_status status = SAHM_OK;
	for (uint64_t b = 0; b < trace->nr_blocks && status == SAHM_OK; b++)
		status = open_block(trace, b, columns, err);
	return status;
}
