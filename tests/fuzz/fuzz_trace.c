/* Binary traces: the first byte says what is put right before the image, which is the rest, is opened. Without that no
 * changed byte would pass the digests, and the code after them would never be reached. */
#include <sys/mman.h>
#include <unistd.h>

#include "tests/fuzz/use_trace.h"
#include "workloads/trace/trace_internal.h"

enum fix {
	FIX_MAGIC = 1,	    /* magic number, version, epochs per block */
	FIX_SIZE = 2,	    /* length of the file */
	FIX_PLACES = 4,	    /* where the blocks are: one after the other, the last up to the end */
	FIX_BLOCKS = 8,	    /* digests of the blocks */
	FIX_HEAD = 16,	    /* digest of header, provenance and index */
	FIX_PROVENANCE = 32 /* what is not a letter in the provenance becomes a line end, so that lines come about */
};

static void fix_provenance(uint8_t *text, uint64_t len)
{
	for (uint64_t i = 0; i < len; i++)
		if (text[i] < 0x20 || text[i] >= 0x7f)
			text[i] = '\n';
	if (len > 0)
		text[len - 1] = '\n';
	memset(text + len, 0, pad8(len) - len);
}

static void fix_image(uint8_t *image, size_t len, unsigned fixes)
{
	if (len < HEADER_BYTES)
		return;
	if (fixes & FIX_MAGIC) {
		memcpy(image + HEADER_MAGIC, TRACE_MAGIC, TRACE_MAGIC_BYTES);
		put_le(image + HEADER_VERSION, TRACE_VERSION, 4);
		put_le(image + HEADER_BLOCK_EPOCHS, BLOCK_EPOCHS, 4);
	}
	if (fixes & FIX_SIZE)
		put_le(image + HEADER_FILE_BYTES, len, 8);
	uint64_t nr_epochs = get_le(image + HEADER_NR_EPOCHS, 8);
	uint64_t provenance_bytes = get_le(image + HEADER_PROVENANCE_BYTES, 4);
	uint64_t index_at = HEADER_BYTES + pad8(provenance_bytes);
	if (nr_epochs > MAX_TRACE_EPOCHS)
		return;
	uint64_t nr_blocks = (nr_epochs + BLOCK_EPOCHS - 1) / BLOCK_EPOCHS;
	uint64_t blocks_at = index_at + nr_blocks * INDEX_ENTRY_BYTES, at = blocks_at;
	if (blocks_at > len)
		return;
	if (fixes & FIX_PROVENANCE)
		fix_provenance(image + HEADER_BYTES, provenance_bytes);
	for (uint64_t b = 0; b < nr_blocks; b++) {
		uint8_t *entry = image + index_at + b * INDEX_ENTRY_BYTES;
		if (fixes & FIX_PLACES) {
			uint64_t bytes = get_le(entry + INDEX_BYTES, 8) & ~UINT64_C(7);
			if (b + 1 == nr_blocks || bytes > len - at)
				bytes = len - at;
			put_le(entry + INDEX_OFFSET, at, 8);
			put_le(entry + INDEX_BYTES, bytes, 8);
			at += bytes;
		}
		uint64_t offset = get_le(entry + INDEX_OFFSET, 8), bytes = get_le(entry + INDEX_BYTES, 8);
		if ((fixes & FIX_BLOCKS) && offset <= len && bytes <= len - offset)
			digest_of(image + offset, bytes, entry + INDEX_DIGEST);
	}
	if (fixes & FIX_HEAD)
		trace_head_digest(image, blocks_at, image + HEADER_DIGEST);
}

/* A damaged trace: reading fails where the damage is, and nowhere else. */
static void use_damaged(struct trace *t)
{
	uint64_t nr = trace_nr_epochs(t), nr_bad = 0, step = 1 + nr / BLOCK_EPOCHS / 64;
	struct epoch_counts counts;
	struct sahm_err err;
	for (uint64_t b = 0; b * BLOCK_EPOCHS < nr; b += step) {
		enum sahm_status status = trace_read(t, b * BLOCK_EPOCHS, 1, &counts, &err);
		nr_bad += status != SAHM_OK;
		if (status != SAHM_OK)
			must_explain(&err, status, "in/put.trc: ");
	}
	MUST(step > 1 || nr_bad > 0);
}

/* The same image in a file, of which blocks are read when they are used: errors are found, too. */
static void use_late(const uint8_t *image, size_t len, enum sahm_status opened, enum sahm_status verified)
{
	struct trace *t = NULL;
	struct sahm_err err;
	int fd = memfd_create("trace", MFD_CLOEXEC);
	MUST(fd >= 0 && write(fd, image, len) == (ssize_t)len);
	enum sahm_status status = trace_open_file("in/put.trc", fd, len, &t, &err);
	MUST((status == SAHM_OK) == (opened == SAHM_OK));
	if (status == SAHM_OK)
		MUST(trace_verify(t, &err) == verified);
	else
		must_explain(&err, status, "in/put.trc: ");
	trace_free(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct trace *t = NULL;
	struct sahm_err err;
	if (size == 0)
		return 0;
	size_t len = size - 1;
	uint8_t *image = malloc(len ? len : 1);
	MUST(image);
	memcpy(image, data + 1, len);
	fix_image(image, len, data[0]);
	uint8_t *copy = malloc(len ? len : 1);
	MUST(copy);
	memcpy(copy, image, len);
	enum sahm_status status = trace_open_image("in/put.trc", image, len, &t, &err);
	enum sahm_status verified = status == SAHM_OK ? trace_verify(t, &err) : status;
	use_late(copy, len, status, verified);
	free(copy);
	if (status != SAHM_OK) {
		MUST(status == SAHM_FORMAT || status == SAHM_CHECKSUM);
		must_explain(&err, status, "in/put.trc: ");
		return 0;
	}
	status = verified;
	if (status == SAHM_OK) {
		use_trace(t);
	} else {
		MUST(status == SAHM_FORMAT || status == SAHM_CHECKSUM);
		must_explain(&err, status, "in/put.trc: ");
		use_damaged(t);
	}
	trace_free(t);
	return 0;
}
