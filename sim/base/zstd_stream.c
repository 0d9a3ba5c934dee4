#include "sim/base/zstd_stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "sim/base/file.h"

#define MAGIC_BYTES 4u

struct zstd_reader {
	FILE *in, *stream;
	const char *file;
	ZSTD_DCtx *context;	  /* NULL: not compressed */
	struct zstd_spare *spare; /* NULL: none */
	ZSTD_inBuffer raw;	  /* read, not decompressed yet */
	uint8_t *room;		  /* where raw is */
	size_t room_bytes;
	uint8_t *whole; /* all of it, decompressed at once; NULL: decompressed as it is read */
	size_t whole_bytes, whole_read;
	bool is_between;   /* no frame has begun that has not ended */
	bool is_at_end;	   /* of `in` */
	int failure;	   /* errno of reading it, once that has failed: it may be asked for later */
	uint64_t nr_bytes; /* of `in`, when reading began */
	struct sahm_err fault;
};

/* Whether the `len` bytes at `p`, of which MAGIC_BYTES matter, begin a frame, skippable or not, as far as they go. */
static bool begins_frame(const uint8_t *p, size_t len)
{
	static const uint8_t frame[MAGIC_BYTES] = {0x28, 0xb5, 0x2f, 0xfd},
			     skippable[MAGIC_BYTES] = {0x50, 0x2a, 0x4d, 0x18};
	size_t nr = len < MAGIC_BYTES ? len : MAGIC_BYTES;
	return memcmp(p, frame, nr) == 0 ||
	       (nr > 0 && (p[0] & 0xf0) == skippable[0] && memcmp(p + 1, skippable + 1, nr - 1) == 0);
}

static size_t read_raw(struct zstd_reader *r, void *to, size_t size)
{
	size_t got = fread(to, 1, size, r->in);
	if (got < size && ferror(r->in) && r->failure == 0)
		r->failure = errno;
	return got;
}

/* Reads further bytes of raw, unless the present ones identify the format. False when reading fails. */
static bool refill(struct zstd_reader *r)
{
	size_t left = r->raw.size - r->raw.pos;
	if (left >= MAGIC_BYTES || r->is_at_end)
		return true;
	if (r->failure)
		return false;
	memmove(r->room, r->room + r->raw.pos, left);
	size_t got = read_raw(r, r->room + left, r->room_bytes - left);
	r->raw.pos = 0;
	r->raw.size = left + got;
	r->is_at_end = got < r->room_bytes - left;
	return r->failure == 0;
}

static void explain(struct zstd_reader *r, size_t code)
{
	switch (ZSTD_getErrorCode(code)) {
	case ZSTD_error_memory_allocation:
		sahm_fail_nomem(&r->fault);
		break;
	case ZSTD_error_checksum_wrong:
		sahm_fail_at(&r->fault, SAHM_CHECKSUM, r->file, 0,
			     "compressed data is damaged: it differs from its checksum");
		break;
	case ZSTD_error_frameParameter_windowTooLarge:
		sahm_fail_at(&r->fault, SAHM_FORMAT, r->file, 0,
			     "compressed with a window of more than %d MB; compress it with --long=%d at most",
			     (1 << MAX_WINDOW_LOG) >> 20, MAX_WINDOW_LOG);
		break;
	case ZSTD_error_dictionary_wrong:
		sahm_fail_at(&r->fault, SAHM_FORMAT, r->file, 0, "compressed with a dictionary; compress it without");
		break;
	default:
		sahm_fail_at(&r->fault, SAHM_FORMAT, r->file, 0, "compressed data is damaged: zstd says '%s'",
			     ZSTD_getErrorName(code));
	}
}

/* Decompresses up to what fills `out` or has a fault. */
static void decompress(struct zstd_reader *r, ZSTD_outBuffer *out)
{
	while (out->pos < out->size && r->fault.status == SAHM_OK) {
		size_t before = out->pos;
		if (!refill(r)) {
			sahm_fail(&r->fault, SAHM_IO, "cannot read '%s': %s", r->file, strerror(r->failure));
			return;
		}
		size_t left = r->raw.size - r->raw.pos;
		if (r->is_between && left == 0)
			return;
		if (r->is_between && !begins_frame(r->room + r->raw.pos, left)) {
			sahm_fail_at(&r->fault, SAHM_FORMAT, r->file, 0,
				     "compressed data is damaged: other bytes follow it");
			return;
		}
		size_t code = ZSTD_decompressStream(r->context, out, &r->raw);
		if (ZSTD_isError(code))
			explain(r, code);
		else if (code > 0 && r->is_at_end && r->raw.pos == r->raw.size && out->pos == before)
			sahm_fail_at(&r->fault, SAHM_FORMAT, r->file, 0, "compressed data is cut short");
		r->is_between = code == 0;
	}
}

static ssize_t read_decompressed(void *cookie, char *buf, size_t size)
{
	struct zstd_reader *r = cookie;
	ZSTD_outBuffer out = {buf, size, 0};
	if (r->whole) {
		size_t left = r->whole_bytes - r->whole_read, nr = left < size ? left : size;
		memcpy(buf, r->whole + r->whole_read, nr);
		r->whole_read += nr;
		return (ssize_t)nr;
	}
	decompress(r, &out);
	/* Data before the error are passed on first: the next call finds the fault still there. */
	if (out.pos > 0 || r->fault.status == SAHM_OK)
		return (ssize_t)out.pos;
	errno = EIO;
	return -1;
}

/* Not compressed: first what was read to find that out, then `in` as it is. */
static ssize_t read_plain(void *cookie, char *buf, size_t size)
{
	struct zstd_reader *r = cookie;
	size_t left = r->raw.size - r->raw.pos;
	if (left > size)
		left = size;
	memcpy(buf, r->room + r->raw.pos, left);
	r->raw.pos += left;
	size_t got = left < size ? read_raw(r, buf + left, size - left) : 0;
	if (left + got > 0)
		return (ssize_t)(left + got);
	if (r->failure == 0 && file_bytes(fileno(r->in)) < r->nr_bytes)
		sahm_fail(&r->fault, SAHM_IO, FILE_SHRANK, r->file);
	if (r->failure == 0 && r->fault.status == SAHM_OK)
		return 0;
	errno = r->failure ? r->failure : EIO;
	return -1;
}

static bool begin_decompression(struct zstd_reader *r)
{
	if (r->spare && r->spare->context) {
		r->context = r->spare->context;
		r->spare->context = NULL;
		return true;
	}
	r->context = ZSTD_createDCtx();
	return r->context && !ZSTD_isError(ZSTD_DCtx_setParameter(r->context, ZSTD_d_windowLogMax, MAX_WINDOW_LOG));
}

/* A short frame that is all there needs neither a window nor to be copied. Where anything is wrong with it, or more
 * follows it, decompressing bit by bit finds that out. */
static void decompress_at_once(struct zstd_reader *r)
{
	r->raw.size += read_raw(r, r->room + r->raw.size, r->room_bytes - r->raw.size);
	r->is_at_end = r->failure == 0 && r->raw.size < r->room_bytes;
	if (!r->is_at_end)
		return;
	/* Beyond the largest size: unknown, or no frame that holds any. */
	unsigned long long bytes = ZSTD_getFrameContentSize(r->room, r->raw.size);
	if (bytes == 0 || bytes > MAX_WHOLE_BYTES || ZSTD_findFrameCompressedSize(r->room, r->raw.size) != r->raw.size)
		return;
	r->whole_bytes = (size_t)bytes;
	r->whole = malloc(r->whole_bytes);
	if (r->whole &&
	    ZSTD_decompressDCtx(r->context, r->whole, r->whole_bytes, r->room, r->raw.size) == r->whole_bytes)
		return;
	free(r->whole);
	r->whole = NULL;
}

struct zstd_reader *zstd_reader_new(FILE *in, const char *file)
{
	return zstd_reader_new_with(in, file, NULL);
}

void zstd_spare_release(struct zstd_spare *spare)
{
	ZSTD_freeDCtx(spare->context);
	spare->context = NULL;
}

struct zstd_reader *zstd_reader_new_with(FILE *in, const char *file, struct zstd_spare *spare)
{
	struct zstd_reader *r = calloc(1, sizeof(*r));
	if (!r)
		return NULL;
	*r = (struct zstd_reader){.in = in,
				  .file = file,
				  .spare = spare,
				  .room_bytes = ZSTD_DStreamInSize(),
				  .is_between = true,
				  .nr_bytes = file_bytes(fileno(in))};
	r->room = malloc(r->room_bytes);
	if (!r->room)
		goto fail;
	r->raw = (ZSTD_inBuffer){r->room, fread(r->room, 1, MAGIC_BYTES, in), 0};
	bool is_compressed = r->raw.size == MAGIC_BYTES && begins_frame(r->room, MAGIC_BYTES);
	if (is_compressed && !begin_decompression(r))
		goto fail;
	if (is_compressed)
		decompress_at_once(r);
	r->stream =
		fopencookie(r, "r", (cookie_io_functions_t){.read = is_compressed ? read_decompressed : read_plain});
	if (r->stream)
		return r;
fail:
	zstd_reader_free(r, SAHM_OK, NULL);
	return NULL;
}

FILE *zstd_reader_stream(const struct zstd_reader *r)
{
	return r->stream;
}

const uint8_t *zstd_reader_whole(const struct zstd_reader *r, size_t *len)
{
	*len = r->whole_bytes;
	return r->whole;
}

uint8_t *zstd_reader_take_whole(struct zstd_reader *r)
{
	uint8_t *whole = r->whole;
	r->whole = NULL;
	return whole;
}

enum sahm_status zstd_reader_free(struct zstd_reader *r, enum sahm_status status, struct sahm_err *err)
{
	if (status != SAHM_OK && r->fault.status != SAHM_OK) {
		status = r->fault.status;
		if (err)
			*err = r->fault;
	}
	if (r->stream)
		fclose(r->stream);
	if (r->spare && !r->spare->context && r->context &&
	    !ZSTD_isError(ZSTD_DCtx_reset(r->context, ZSTD_reset_session_only)))
		r->spare->context = r->context;
	else
		ZSTD_freeDCtx(r->context);
	free(r->whole);
	free(r->room);
	free(r);
	return status;
}

struct zstd_writer {
	FILE *out, *stream;
	ZSTD_CCtx *context;
	uint8_t *room; /* for compressed bytes */
	size_t room_bytes;
	int cause; /* errno of the first failure; 0 while there is none */
};

/* Compresses `in` and writes what comes of it; all of it, and the frame's end, with ZSTD_e_end. */
static bool compress(struct zstd_writer *w, ZSTD_inBuffer in, ZSTD_EndDirective directive)
{
	size_t left;
	do {
		ZSTD_outBuffer out = {w->room, w->room_bytes, 0};
		left = ZSTD_compressStream2(w->context, &out, &in, directive);
		if (ZSTD_isError(left))
			w->cause = ZSTD_getErrorCode(left) == ZSTD_error_memory_allocation ? ENOMEM : EIO;
		else if (fwrite(w->room, 1, out.pos, w->out) != out.pos)
			w->cause = errno ? errno : EIO;
	} while (!w->cause && (in.pos < in.size || (directive == ZSTD_e_end && left > 0)));
	return !w->cause;
}

static ssize_t write_compressed(void *cookie, const char *buf, size_t size)
{
	struct zstd_writer *w = cookie;
	/* 0 is how such a function fails. */
	return !w->cause && compress(w, (ZSTD_inBuffer){buf, size, 0}, ZSTD_e_continue) ? (ssize_t)size : 0;
}

static void release_writer(struct zstd_writer *w)
{
	ZSTD_freeCCtx(w->context);
	free(w->room);
	free(w);
}

static int level_for(uint64_t size)
{
	return size <= MAX_SLOW_BYTES || size == UNKNOWN_SIZE ? COMPRESSION_LEVEL : FAST_COMPRESSION_LEVEL;
}

struct zstd_writer *zstd_writer_new(FILE *out, uint64_t size)
{
	struct zstd_writer *w = calloc(1, sizeof(*w));
	if (!w)
		return NULL;
	*w = (struct zstd_writer){.out = out, .context = ZSTD_createCCtx(), .room_bytes = ZSTD_CStreamOutSize()};
	w->room = malloc(w->room_bytes);
	if (w->context && w->room &&
	    !ZSTD_isError(ZSTD_CCtx_setParameter(w->context, ZSTD_c_compressionLevel, level_for(size))) &&
	    !ZSTD_isError(ZSTD_CCtx_setParameter(w->context, ZSTD_c_checksumFlag, 1)) &&
	    (size >= UNKNOWN_LARGE_SIZE || !ZSTD_isError(ZSTD_CCtx_setPledgedSrcSize(w->context, size))))
		w->stream = fopencookie(w, "w", (cookie_io_functions_t){.write = write_compressed});
	if (w->stream)
		return w;
	release_writer(w);
	return NULL;
}

FILE *zstd_writer_stream(const struct zstd_writer *w)
{
	return w->stream;
}

enum sahm_status zstd_writer_free(struct zstd_writer *w, const char *file, enum sahm_status status,
				  struct sahm_err *err)
{
	bool is_whole = fclose(w->stream) == 0 && !w->cause;
	if (status == SAHM_OK && !(is_whole && compress(w, (ZSTD_inBuffer){NULL, 0, 0}, ZSTD_e_end)))
		status = sahm_fail(err, SAHM_IO, "cannot write '%s': %s", file, strerror(w->cause ? w->cause : EIO));
	release_writer(w);
	return status;
}
