/* Compressed streams: the first byte says what is done with the rest. Either it is the compressed data; or it is
 * compressed first, as frames one after the other, cut short or changed at a place that the second byte names, so that
 * the code after headers and checksums is reached too. */
#include "sim/base/zstd_stream.h"
#include "tests/fuzz/use_trace.h"

enum how {
	HOW_PACK = 1,	   /* compress */
	HOW_TWICE = 2,	   /* ... as two frames */
	HOW_CUT = 4,	   /* cut short */
	HOW_CHANGE = 8,	   /* change a byte */
	HOW_TRAILING = 16, /* follow it by a line end */
	HOW_UNKNOWN = 32   /* do not say how long a frame is */
};

/* No more is looked at: a few bytes can be a frame of gigabytes. */
#define MOST_BYTES ((size_t)1 << 20)

static void pack(FILE *out, const uint8_t *data, size_t size, uint64_t stated)
{
	struct zstd_writer *w = zstd_writer_new(out, stated);
	MUST(w);
	fwrite(data, 1, size, zstd_writer_stream(w));
	MUST(zstd_writer_free(w, "out.zst", SAHM_OK, NULL) == SAHM_OK);
}

/* What is read: *bytes[*len], malloc'ed, MOST_BYTES at most. */
static enum sahm_status unpack(const uint8_t *data, size_t size, uint8_t **bytes, size_t *len, struct sahm_err *err)
{
	FILE *in = fmemopen((void *)(uintptr_t)data, size, "r");
	MUST(in);
	struct zstd_reader *r = zstd_reader_new(in, "in/put.zst");
	*bytes = malloc(MOST_BYTES);
	MUST(r && *bytes);
	*len = fread(*bytes, 1, MOST_BYTES, zstd_reader_stream(r));
	enum sahm_status status = ferror(zstd_reader_stream(r)) ? sahm_fail(err, SAHM_IO, "in/put.zst: ") : SAHM_OK;
	status = zstd_reader_free(r, status, err);
	fclose(in);
	MUST(status == SAHM_OK || status == SAHM_FORMAT || status == SAHM_CHECKSUM);
	if (status != SAHM_OK)
		must_explain(err, status, "in/put.zst: ");
	return status;
}

/* The trace that a stream holds, if it is one. */
static struct trace *open_stream(const uint8_t *data, size_t size)
{
	struct trace *t = NULL;
	struct sahm_err err;
	FILE *in = fmemopen((void *)(uintptr_t)data, size, "r");
	MUST(in);
	enum sahm_status status = trace_open_stream(in, "in/put.zst", NULL, &t, &err);
	if (status != SAHM_OK) {
		MUST(!t && (status == SAHM_FORMAT || status == SAHM_CHECKSUM));
		must_explain(&err, status, "in/put.zst:");
	}
	fclose(in);
	return t;
}

/* Whether the output is compressed again, which nobody undoes. */
static bool is_nested(const uint8_t *bytes, size_t len)
{
	static const uint8_t frame[] = {0x28, 0xb5, 0x2f, 0xfd}, skippable[] = {0x2a, 0x4d, 0x18};
	return len >= 4 && (memcmp(bytes, frame, 4) == 0 || memcmp(bytes + 1, skippable, 3) == 0);
}

/* Data read from a stream are a trace if and only if the stream is one, and the same. */
static void use_stream(const uint8_t *data, size_t size)
{
	uint8_t *bytes;
	size_t len;
	struct sahm_err err;
	enum sahm_status status = unpack(data, size, &bytes, &len, &err);
	if (len < MOST_BYTES && size > 0 && !is_nested(bytes, len)) {
		struct trace *compressed = open_stream(data, size);
		struct trace *plain = len > 0 && status == SAHM_OK ? open_stream(bytes, len) : NULL;
		MUST(!compressed == !plain);
		if (plain)
			must_be_same(plain, compressed);
		if (plain && trace_verify(plain, NULL) == SAHM_OK)
			use_trace(compressed);
		trace_free(plain);
		trace_free(compressed);
	}
	free(bytes);
}

static void use_packed(unsigned how, size_t place, const uint8_t *data, size_t size)
{
	char *packed = NULL;
	uint8_t *bytes;
	size_t len, out_len, first = how & HOW_TWICE ? size / 3 : 0;
	struct sahm_err err;
	FILE *out = open_memstream(&packed, &len);
	MUST(out);
	if (how & HOW_TWICE)
		pack(out, data, first, first);
	pack(out, data + first, size - first, how & HOW_UNKNOWN ? UNKNOWN_SIZE : size - first);
	MUST(fflush(out) == 0);
	size_t whole = len;
	if (how & HOW_TRAILING)
		putc('\n', out);
	MUST(fclose(out) == 0);
	if (how & HOW_CHANGE)
		packed[place * whole / 256] ^= 0x40;
	if (how & HOW_CUT)
		len = 1 + place * (whole - 1) / 256;
	enum sahm_status status = unpack((uint8_t *)packed, len, &bytes, &out_len, &err);
	if (!(how & (HOW_CHANGE | HOW_CUT))) {
		MUST(status == (how & HOW_TRAILING ? SAHM_FORMAT : SAHM_OK));
		MUST(out_len == size && memcmp(bytes, data, size) == 0);
	}
	use_stream((uint8_t *)packed, len);
	free(bytes);
	free(packed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2)
		return 0;
	if (data[0] & HOW_PACK)
		use_packed(data[0], data[1], data + 2, size - 2);
	else
		use_stream(data + 1, size - 1);
	return 0;
}
