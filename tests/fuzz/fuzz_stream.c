/* Instruction streams: where the first byte is odd, the rest is corrected (digests of header and chunks, and with its
 * second bit an index), so that the code after the digests is reached. */
#include <sys/mman.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "workloads/stream/stream_internal.h"
#include "workloads/stream/stream_summary.h"

enum { FIX_DIGESTS = 1, FIX_INDEX = 2 };

#define MAX_FIXED_EPOCHS 64u

/* Puts the digests of a chunk right; its length, 0 when it is none. */
static size_t fix_chunk(uint8_t *chunk, size_t room)
{
	size_t len = 0;
	if (room < CHUNK_HEADER_BYTES || get_le(chunk, 4) != CHUNK_MAGIC)
		return 0;
	for (unsigned i = 0; i < NR_STREAM_PARTS; i++)
		len += get_le(chunk + CHUNK_HEADER_PARTS + 8 * i + 4, 4);
	if (len > room - CHUNK_HEADER_BYTES)
		return 0;
	digest_of(chunk + CHUNK_HEADER_BYTES, len, chunk + CHUNK_HEADER_BODY);
	digest_of(chunk, CHUNK_HEADER_DIGEST, chunk + CHUNK_HEADER_DIGEST);
	return CHUNK_HEADER_BYTES + len;
}

/* Returns the length of the file, in `image`, which has room for an index after `len` bytes. */
static size_t fix(uint8_t *image, size_t len, unsigned fixes)
{
	struct stream_epoch epochs[MAX_FIXED_EPOCHS], e = {0};
	uint8_t whole[HASH_BYTES];
	unsigned nr = 0;
	struct hash h;
	if (len < STREAM_HEADER_BYTES)
		return len;
	uint64_t program = get_le(image + STREAM_HEADER_PROGRAM_BYTES, 4);
	if (program > len - STREAM_HEADER_BYTES || program > MAX_PROGRAM_BYTES)
		return len;
	uint8_t *text = malloc(program + 1);
	MUST(text);
	memcpy(text, image + STREAM_HEADER_BYTES, program);
	stream_put_header(1 + image[STREAM_HEADER_VERSION] % STREAM_VERSION,
			  (enum machine)(image[STREAM_HEADER_MACHINE] % NR_MACHINES), (const char *)text, program,
			  image);
	free(text);
	size_t at = STREAM_HEADER_BYTES + program, end = at;
	hash_init(&h);
	for (size_t chunk; (chunk = fix_chunk(image + at, len - at)) > 0 && nr < MAX_FIXED_EPOCHS; at += chunk) {
		if (e.offset == 0)
			e.offset = at;
		uint64_t instructions = get_le(image + at + CHUNK_HEADER_INSTRUCTIONS, 4);
		e.number = get_le(image + at + CHUNK_HEADER_EPOCH, 8);
		e.instructions += instructions;
		e.warm += get_le(image + at + CHUNK_HEADER_FLAGS, 4) & CHUNK_WARM ? instructions : 0;
		hash_add(&h, image + at + CHUNK_HEADER_DIGEST, DIGEST_BYTES);
		if (!(get_le(image + at + CHUNK_HEADER_FLAGS, 4) & CHUNK_LAST))
			continue;
		hash_end(&h, whole);
		memcpy(e.digest, whole, DIGEST_BYTES);
		epochs[nr++] = e;
		e = (struct stream_epoch){0};
		hash_init(&h);
		end = at + chunk;
	}
	if (!(fixes & FIX_INDEX))
		return at > end ? at : len;
	const struct stream_index index = {.epochs = epochs, .nr = nr};
	stream_put_index(image, &index, end, image + end);
	return end + stream_index_bytes((unsigned)get_le(image + STREAM_HEADER_VERSION, 4), nr, 0);
}

static void use(const char *path)
{
	struct stream *s;
	struct stream_summary sum;
	struct sahm_err err;
	struct textbuf notes;
	textbuf_init(&notes);
	enum sahm_status status = stream_open(path, &notes, &s, &err);
	textbuf_release(&notes);
	if (status != SAHM_OK) {
		MUST(status == SAHM_FORMAT || status == SAHM_CHECKSUM);
		must_explain(&err, status, path);
		return;
	}
	status = stream_summarize(s, &sum, &err);
	if (status != SAHM_OK) {
		MUST(status == SAHM_FORMAT || status == SAHM_CHECKSUM);
		must_explain(&err, status, path);
	} else {
		MUST(sum.instructions == stream_nr_instructions(s));
	}
	/* From any epoch on, whatever became of those before it. */
	for (uint64_t e = stream_nr_epochs(s); e-- > 0 && e < MAX_FIXED_EPOCHS;) {
		struct executed x;
		bool more = true;
		MUST(stream_seek(s, e, &err) == SAHM_OK);
		for (unsigned i = 0; i < 1000 && more && stream_next(s, &x, &more, &err) == SAHM_OK; i++)
			MUST(!more || x.nr_accesses <= MAX_ACCESSES);
	}
	stream_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[64];
	if (size == 0)
		return 0;
	uint8_t *image = calloc(1, size + stream_index_bytes(STREAM_VERSION, MAX_FIXED_EPOCHS, 0));
	MUST(image);
	size_t len = size - 1;
	memcpy(image, data + 1, len);
	if (data[0] & FIX_DIGESTS)
		len = fix(image, len, data[0]);
	int fd = memfd_create("stream", MFD_CLOEXEC);
	MUST(fd >= 0 && stream_write_all(fd, image, len));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	use(path);
	close(fd);
	free(image);
	return 0;
}
