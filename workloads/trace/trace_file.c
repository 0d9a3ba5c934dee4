/* Files and streams as traces: which form they are in, and how an image comes into memory. It is read, never mapped:
 * changes of a file while it is in use cannot reach bytes that have been checked, nor end the program. Of a
 * long image the head is read at once, blocks when they are used. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/file.h"
#include "sim/base/zstd_stream.h"
#include "workloads/trace/trace_csv.h"
#include "workloads/trace/trace_internal.h"

/* No block is longer: all columns, each value in full width. */
#define MAX_BLOCK_BYTES (NR_COUNTERS * (COLUMN_BYTES + UINT64_C(8) * BLOCK_EPOCHS))

/* Images up to this long are read at once. */
#define WHOLE_BYTES (UINT64_C(4) << 20)

/* Files of longer ones stay open, but not in more than this part of the descriptors that there may be. */
#define KEPT_PART 4

static bool is_image(const char *head, size_t len)
{
	return len >= TRACE_MAGIC_BYTES && memcmp(head, TRACE_MAGIC, TRACE_MAGIC_BYTES) == 0;
}

/* Up to where an image may be read of which `len` bytes are there. Compressed zeros cost nothing, so lengths are
 * believed step by step: those in the header if they can be true, that of the file if the head's digest is right. The
 * byte after it is read too, and must not be there. trace_open_image() reports the error. */
static uint64_t readable_bytes(const uint8_t *image, uint64_t len)
{
	uint8_t digest[DIGEST_BYTES];
	if (len < HEADER_BYTES)
		return HEADER_BYTES;
	uint64_t nr_epochs = get_le(image + HEADER_NR_EPOCHS, 8);
	uint64_t provenance_bytes = get_le(image + HEADER_PROVENANCE_BYTES, 4);
	if (get_le(image + HEADER_VERSION, 4) != TRACE_VERSION || nr_epochs > MAX_TRACE_EPOCHS ||
	    provenance_bytes > MAX_PROVENANCE_TEXT)
		return len;
	uint64_t nr_blocks = (nr_epochs + BLOCK_EPOCHS - 1) / BLOCK_EPOCHS;
	uint64_t head = HEADER_BYTES + pad8(provenance_bytes) + nr_blocks * INDEX_ENTRY_BYTES;
	if (len < head)
		return head;
	trace_head_digest(image, head, digest);
	if (memcmp(digest, image + HEADER_DIGEST, DIGEST_BYTES) != 0)
		return len;
	uint64_t stated = get_le(image + HEADER_FILE_BYTES, 8), most = head + nr_blocks * MAX_BLOCK_BYTES;
	return (stated < most ? stated : most) + 1;
}

/* Reads an image of which the first bytes, `head`, have been read from `in` already. */
static enum sahm_status read_image(FILE *in, const char *file, const char *head, size_t head_len, struct trace **trace,
				   struct sahm_err *err)
{
	uint8_t *image = malloc(head_len);
	uint64_t room = head_len, len = head_len, end;
	if (!image)
		return sahm_fail_nomem(err);
	memcpy(image, head, head_len);
	for (size_t got = 1; got > 0 && (end = readable_bytes(image, len)) > len; len += got) {
		if (len == room) {
			room = room < end / 2 ? room * 2 : end;
			uint8_t *bigger = realloc(image, room);
			if (!bigger) {
				free(image);
				return sahm_fail_nomem(err);
			}
			image = bigger;
		}
		got = fread(image + len, 1, (room < end ? room : end) - len, in);
	}
	if (ferror(in)) {
		free(image);
		return sahm_fail(err, SAHM_IO, "cannot read '%s': %s", file, strerror(errno));
	}
	return trace_open_image(file, image, len, trace, err);
}

static enum sahm_status open_stream(FILE *in, const char *file, struct textbuf *notes, struct zstd_spare *spare,
				    struct trace **trace, struct sahm_err *err)
{
	static const struct csv_options defaults = {.brief = true};
	struct line_reader lines;
	const char *head;
	size_t len;
	struct zstd_reader *r = zstd_reader_new_with(in, file, spare);
	if (!r)
		return sahm_fail_nomem(err);
	const uint8_t *whole = zstd_reader_whole(r, &len);
	if (whole && is_image((const char *)whole, len))
		return zstd_reader_free(r, trace_open_image(file, zstd_reader_take_whole(r), len, trace, err), err);
	enum sahm_status status = line_reader_init(&lines, zstd_reader_stream(r), file, err);
	if (status == SAHM_OK)
		status = line_reader_head(&lines, &head, &len, err);
	if (status == SAHM_OK)
		status = is_image(head, len) ? read_image(lines.stream, file, head, len, trace, err)
					     : trace_csv_read_lines(&lines, &defaults, notes, trace, err);
	line_reader_release(&lines);
	return zstd_reader_free(r, status, err);
}

enum sahm_status trace_open_stream(FILE *in, const char *file, struct textbuf *notes, struct trace **trace,
				   struct sahm_err *err)
{
	return open_stream(in, file, notes, NULL, trace, err);
}

enum sahm_status trace_find_out(const char *path, bool *is_one, struct sahm_err *err)
{
	static const char first[] = "# sahm trace ";
	char head[sizeof(first) - 1];
	struct stat st;
	struct sahm_err why;
	*is_one = false;
	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return SAHM_OK;
	FILE *in = fopen(path, "r");
	if (!in && errno != ENOMEM)
		return sahm_fail(err, SAHM_IO, "cannot open '%s': %s", path, strerror(errno));
	struct zstd_reader *r = in ? zstd_reader_new(in, path) : NULL;
	size_t got = r ? fread(head, 1, sizeof(head), zstd_reader_stream(r)) : 0;
	int cause = errno;
	bool is_unreadable = in && ferror(in), failed = r && ferror(zstd_reader_stream(r));
	enum sahm_status status = r ? zstd_reader_free(r, failed ? SAHM_FORMAT : SAHM_OK, &why) : sahm_fail_nomem(&why);
	if (is_unreadable)
		status = sahm_fail(&why, SAHM_IO, "cannot read '%s': %s", path, strerror(cause));
	if (in)
		fclose(in);
	if (status == SAHM_IO || status == SAHM_NOMEM)
		return sahm_fail(err, status, "%s", why.msg);
	*is_one = is_image(head, got) || (got == sizeof(head) && memcmp(head, first, sizeof(head)) == 0);
	return SAHM_OK;
}

bool trace_is_one(const char *path)
{
	bool is_one;
	return trace_find_out(path, &is_one, NULL) == SAHM_OK && is_one;
}

/* A short read means a truncated file, or has a cause in errno. */
static enum sahm_status fail_head(const char *file, int fd, void *image, size_t room, int cause, struct sahm_err *err)
{
	if (image)
		munmap(image, room);
	close(fd);
	if (cause)
		return sahm_fail(err, SAHM_IO, "cannot read '%s': %s", file, strerror(cause));
	return sahm_fail_at(err, SAHM_FORMAT, file, 0, "damaged binary trace: it ends within its head");
}

enum sahm_status trace_open_file(const char *file, int fd, size_t len, struct trace **trace, struct sahm_err *err)
{
	uint8_t header[HEADER_BYTES];
	if (len < HEADER_BYTES || !trace_read_bytes(fd, header, 0, HEADER_BYTES))
		return fail_head(file, fd, NULL, 0, len < HEADER_BYTES ? 0 : errno, err);
	/* With a head that can be true, but says another length, the file is refused for that: no room for blocks. */
	uint64_t head = readable_bytes(header, HEADER_BYTES), stated = get_le(header + HEADER_FILE_BYTES, 8);
	size_t room = head > HEADER_BYTES && head <= len && stated != len ? head : len;
	uint8_t *image = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (image == MAP_FAILED) {
		close(fd);
		return sahm_fail_nomem(err);
	}
	if (!trace_read_bytes(fd, image, 0, head < len ? head : len))
		return fail_head(file, fd, image, room, errno, err);
	return trace_open_lazily(file, image, room, len, fd, trace, err);
}

/* Whether `fd` is a file with an image that is better read bit by bit. */
static bool is_long_image(int fd, const struct stat *st)
{
	char magic[TRACE_MAGIC_BYTES];
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || (rlim_t)fd >= limit.rlim_cur / KEPT_PART)
		return false;
	return S_ISREG(st->st_mode) && (uint64_t)st->st_size > WHOLE_BYTES && (uint64_t)st->st_size <= SIZE_MAX &&
	       pread(fd, magic, sizeof(magic), 0) == (ssize_t)sizeof(magic) && is_image(magic, sizeof(magic));
}

static enum sahm_status open_as_stream(int fd, const char *path, struct textbuf *notes, struct zstd_spare *spare,
				       struct trace **trace, struct sahm_err *err)
{
	FILE *in = fdopen(fd, "r");
	if (!in) {
		int cause = errno;
		close(fd);
		return sahm_fail(err, SAHM_IO, "cannot open '%s': %s", path, strerror(cause));
	}
	enum sahm_status status = open_stream(in, file_label(path), notes, spare, trace, err);
	fclose(in);
	return status;
}

enum sahm_status trace_open(const char *path, struct textbuf *notes, struct trace **trace, struct sahm_err *err)
{
	return trace_open_with(path, notes, NULL, trace, err);
}

enum sahm_status trace_open_with(const char *path, struct textbuf *notes, struct zstd_spare *spare,
				 struct trace **trace, struct sahm_err *err)
{
	struct stat st;
	int fd = strcmp(path, "-") == 0 ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return sahm_fail(err, SAHM_IO, "cannot open '%s': %s", path, strerror(errno));
	if (fstat(fd, &st) != 0 || S_ISDIR(st.st_mode)) {
		close(fd);
		return sahm_fail(err, SAHM_IO, "cannot open '%s': %s", path, strerror(EISDIR));
	}
	/* Standard input begins where it stands. */
	if (strcmp(path, "-") != 0 && is_long_image(fd, &st))
		return trace_open_file(file_label(path), fd, (size_t)st.st_size, trace, err);
	return open_as_stream(fd, path, notes, spare, trace, err);
}
