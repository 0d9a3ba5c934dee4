/* Building the binary image of a trace, block by block. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/units.h"
#include "workloads/trace/trace_internal.h"

struct trace_builder {
	uint32_t flags;
	uint64_t nr_epochs;
	unsigned pending;   /* epochs in `block` */
	bool is_consistent; /* no epoch contradicts itself */
	struct textbuf index, blocks;
	struct epoch_counts block[BLOCK_EPOCHS]; /* undefined from `pending` on */
};

struct trace_builder *trace_builder_new(bool has_cycles)
{
	/* Short traces leave most of `block` untouched: no zeros for it. */
	struct trace_builder *b = malloc(sizeof(*b));
	if (!b)
		return NULL;
	b->flags = has_cycles ? TRACE_FLAG_CYCLES : 0;
	b->nr_epochs = 0;
	b->pending = 0;
	b->is_consistent = true;
	textbuf_init(&b->index);
	textbuf_init(&b->blocks);
	return b;
}

void trace_builder_free(struct trace_builder *b)
{
	if (!b)
		return;
	textbuf_release(&b->index);
	textbuf_release(&b->blocks);
	free(b);
}

/* Base and width of a column of the block, and its descriptor. */
static void write_descriptor(const struct trace_builder *b, unsigned column, uint64_t *base, unsigned *width,
			     uint8_t *descriptor)
{
	uint64_t low = UINT64_MAX, high = 0;
	for (unsigned i = 0; i < b->pending; i++) {
		uint64_t v = b->block[i].count[column];
		low = v < low ? v : low;
		high = v > high ? v : high;
	}
	*base = low;
	*width = trace_column_width(high - low);
	memset(descriptor, 0, COLUMN_BYTES);
	put_le(descriptor + COLUMN_BASE, low, 8);
	put_le(descriptor + COLUMN_WIDTH, *width, 1);
}

/* One loop for each width, which is a constant in it. */
static inline void write_values_of(const struct trace_builder *b, unsigned column, uint64_t base, unsigned width,
				   uint8_t *to)
{
	for (unsigned i = 0; i < b->pending; i++)
		put_le(to + (size_t)i * width, b->block[i].count[column] - base, width);
}

static void write_values(const struct trace_builder *b, unsigned column, uint64_t base, unsigned width, uint8_t *to)
{
	switch (width) {
	case 1:
		write_values_of(b, column, base, 1, to);
		break;
	case 2:
		write_values_of(b, column, base, 2, to);
		break;
	case 4:
		write_values_of(b, column, base, 4, to);
		break;
	case 8:
		write_values_of(b, column, base, 8, to);
		break;
	default:
		break;
	}
}

static void flush_block(struct trace_builder *b)
{
	uint64_t base[NR_COUNTERS];
	uint8_t descriptors[NR_COUNTERS * COLUMN_BYTES];
	unsigned width[NR_COUNTERS], nr_columns = trace_nr_columns(b->flags);
	size_t start = b->blocks.len;
	if (b->pending == 0)
		return;
	for (unsigned c = 0; c < nr_columns; c++)
		write_descriptor(b, c, &base[c], &width[c], descriptors + (size_t)c * COLUMN_BYTES);
	textbuf_add(&b->blocks, (const char *)descriptors, (size_t)nr_columns * COLUMN_BYTES);
	for (unsigned c = 0; c < nr_columns; c++) {
		size_t bytes = (size_t)b->pending * width[c], padded = pad8(bytes);
		uint8_t *to = (uint8_t *)textbuf_extend(&b->blocks, padded);
		if (!to)
			break;
		write_values(b, c, base[c], width[c], to);
		memset(to + bytes, 0, padded - bytes);
	}
	b->pending = 0;
	if (textbuf_failed(&b->blocks))
		return;
	uint8_t entry[INDEX_ENTRY_BYTES];
	/* Relative to the first block until the head's size is known. */
	put_le(entry + INDEX_OFFSET, start, 8);
	put_le(entry + INDEX_BYTES, b->blocks.len - start, 8);
	digest_of(b->blocks.text + start, b->blocks.len - start, entry + INDEX_DIGEST);
	textbuf_add(&b->index, (const char *)entry, sizeof(entry));
}

enum sahm_status trace_builder_add(struct trace_builder *b, const struct epoch_counts *e, struct sahm_err *err)
{
	if (b->nr_epochs == MAX_TRACE_EPOCHS)
		return sahm_fail(err, SAHM_RANGE, "more than %llu epochs", (unsigned long long)MAX_TRACE_EPOCHS);
	enum counter c;
	b->is_consistent = b->is_consistent && !counters_contradict(e, &c);
	b->block[b->pending++] = *e;
	b->nr_epochs++;
	if (b->pending == BLOCK_EPOCHS)
		flush_block(b);
	return textbuf_failed(&b->blocks) || textbuf_failed(&b->index) ? sahm_fail_nomem(err) : SAHM_OK;
}

/* Head and blocks in one allocation, *len bytes; NULL when memory is short. It is that of the blocks, moved up to make
 * room for the head: long traces are not held twice. */
static uint8_t *assemble(struct trace_builder *b, uint64_t epoch_ns, const struct textbuf *provenance, size_t *len)
{
	size_t index_at = HEADER_BYTES + pad8(provenance->len), blocks_at = index_at + b->index.len;
	size_t blocks_len = b->blocks.len;
	*len = blocks_at + blocks_len;
	char *blocks = textbuf_detach(&b->blocks);
	uint8_t *image = realloc(blocks, *len);
	if (!image) {
		free(blocks);
		return NULL;
	}
	memmove(image + blocks_at, image, blocks_len);
	memset(image, 0, blocks_at);
	memcpy(image + HEADER_MAGIC, TRACE_MAGIC, TRACE_MAGIC_BYTES);
	put_le(image + HEADER_VERSION, TRACE_VERSION, 4);
	put_le(image + HEADER_FLAGS, b->flags, 4);
	put_le(image + HEADER_NR_EPOCHS, b->nr_epochs, 8);
	put_le(image + HEADER_EPOCH_NS, epoch_ns, 8);
	put_le(image + HEADER_BLOCK_EPOCHS, BLOCK_EPOCHS, 4);
	put_le(image + HEADER_PROVENANCE_BYTES, provenance->len, 4);
	put_le(image + HEADER_FILE_BYTES, *len, 8);
	memcpy(image + HEADER_BYTES, provenance->text, provenance->len);
	memcpy(image + index_at, b->index.text, b->index.len);
	for (uint8_t *entry = image + index_at; entry < image + blocks_at; entry += INDEX_ENTRY_BYTES)
		put_le(entry + INDEX_OFFSET, get_le(entry + INDEX_OFFSET, 8) + blocks_at, 8);
	trace_head_digest(image, blocks_at, image + HEADER_DIGEST);
	return image;
}

enum sahm_status trace_builder_finish(struct trace_builder *b, const char *file, uint64_t epoch_ns,
				      const struct provenance *provenance, struct trace **trace, struct sahm_err *err)
{
	if (b->nr_epochs == 0)
		return sahm_fail_at(err, SAHM_FORMAT, file, 0, "empty trace: there are no epochs");
	if (epoch_ns < MIN_EPOCH_NS || epoch_ns > MAX_EPOCH_NS)
		return sahm_fail_at(err, SAHM_FORMAT, file, 0, "epochs of %llu ns, must be from %llu to %llu",
				    (unsigned long long)epoch_ns, (unsigned long long)MIN_EPOCH_NS,
				    (unsigned long long)MAX_EPOCH_NS);
	if (b->nr_epochs > MAX_TRACE_NS / epoch_ns)
		return sahm_fail_at(err, SAHM_FORMAT, file, 0, "the trace lasts longer than %llu ns",
				    (unsigned long long)MAX_TRACE_NS);
	flush_block(b);
	struct textbuf text;
	textbuf_init(&text);
	struct provenance settled = *provenance;
	provenance_settle_source(&settled);
	provenance_write(&settled, "", &text);
	size_t len = 0;
	bool failed = textbuf_failed(&text) || textbuf_failed(&b->blocks) || textbuf_failed(&b->index);
	uint8_t *image = failed ? NULL : assemble(b, epoch_ns, &text, &len);
	textbuf_release(&text);
	textbuf_release(&b->index);
	textbuf_release(&b->blocks);
	b->nr_epochs = 0;
	if (!image)
		return sahm_fail_nomem(err);
	enum sahm_status status = trace_open_image(file, image, len, trace, err);
	if (status == SAHM_OK && b->is_consistent)
		trace_trust_blocks(*trace);
	return status;
}
