#include "workloads/bursts/burst_list.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/base/file.h"
#include "sim/base/lines.h"
#include "sim/base/number.h"
#include "sim/base/zstd_stream.h"

#define FIRST_LINE_STEM "# sahm bursts "
#define FIRST_LINE FIRST_LINE_STEM "1"

static const char *const columns[2] = {"run_ns", "sleep_ns"};

void burst_list_init(struct burst_list *l)
{
	*l = (struct burst_list){0};
	arena_init(&l->arena);
}

void burst_list_release(struct burst_list *l)
{
	free(l->bursts);
	arena_release(&l->arena);
	burst_list_init(l);
}

enum sahm_status burst_list_add(struct burst_list *l, struct burst b, struct sahm_err *err)
{
	if (l->nr == MAX_BURSTS)
		return sahm_fail(err, SAHM_RANGE, "more than %" PRIu64 " bursts", MAX_BURSTS);
	if (l->nr == l->room) {
		uint64_t room = l->room ? 2 * l->room : 16;
		struct burst *bigger = realloc(l->bursts, room * sizeof(*bigger));
		if (!bigger)
			return sahm_fail_nomem(err);
		l->bursts = bigger;
		l->room = room;
	}
	l->bursts[l->nr++] = b;
	return SAHM_OK;
}

static enum sahm_status SAHM_PRINTF(3, 4)
	fail_line(const struct line_reader *lines, struct sahm_err *err, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	enum sahm_status status = line_reader_fail(lines, err, fmt, ap);
	va_end(ap);
	return status;
}

/* `# key: value` of a known key; other comments are the writer's own. */
static enum sahm_status read_comment(struct burst_list *l, const struct line_reader *lines, struct sahm_err *err)
{
	const char *key = lines->text + 1 + strspn(lines->text + 1, " \t");
	size_t len = strcspn(key, ": \t");
	struct sahm_err cause;
	if (key[len] != ':' || !provenance_knows(key, len))
		return SAHM_OK;
	const char *value = key + len + 1;
	value += strspn(value, " \t");
	enum sahm_status status = provenance_set(&l->provenance, &l->arena, key, len, value, &cause);
	return status == SAHM_OK ? SAHM_OK : sahm_fail_at(err, status, lines->file, lines->line, "%s", cause.msg);
}

static enum sahm_status read_header(const struct line_reader *lines, struct sahm_err *err)
{
	char *rest = lines->text;
	for (size_t i = 0; i < 2; i++) {
		size_t len;
		if (!rest || strcmp(line_next_field(&rest, &len), columns[i]) != 0)
			return fail_line(lines, err, "not a list of bursts: the columns are not %s,%s", columns[0],
					 columns[1]);
	}
	return rest ? fail_line(lines, err, "a column too many: there are but %s,%s", columns[0], columns[1]) : SAHM_OK;
}

static enum sahm_status read_field(const struct line_reader *lines, char **rest, size_t column, uint64_t *ns,
				   struct sahm_err *err)
{
	uint64_t min = column ? 0 : MIN_BURST_RUN_NS;
	size_t len;
	char *text = line_next_field(rest, &len);
	enum number_fault fault = number_read_u64(text, len, ns);
	if (fault == NUMBER_OVERFLOW || (fault == NUMBER_OK && (*ns < min || *ns > MAX_BURST_NS)))
		return fail_line(lines, err, "'%.40s' in column '%s', must be from %" PRIu64 " to %" PRIu64, text,
				 columns[column], min, MAX_BURST_NS);
	if (fault != NUMBER_OK)
		return fail_line(lines, err, "'%.40s' in column '%s' is not a whole number of ns", text,
				 columns[column]);
	return SAHM_OK;
}

static enum sahm_status read_row(struct burst_list *l, const struct line_reader *lines, struct sahm_err *err)
{
	struct burst b;
	char *rest = lines->text;
	enum sahm_status status = read_field(lines, &rest, 0, &b.run_ns, err);
	if (status == SAHM_OK && !rest)
		return fail_line(lines, err, "column '%s' is missing", columns[1]);
	if (status == SAHM_OK)
		status = read_field(lines, &rest, 1, &b.sleep_ns, err);
	if (status == SAHM_OK && rest)
		return fail_line(lines, err, "more than two fields");
	if (status == SAHM_OK && l->nr == MAX_BURSTS)
		return fail_line(lines, err, "more than %" PRIu64 " bursts", MAX_BURSTS);
	return status == SAHM_OK ? burst_list_add(l, b, err) : status;
}

static enum sahm_status read_first(const struct line_reader *lines, struct sahm_err *err)
{
	if (strncmp(lines->text, FIRST_LINE_STEM, strlen(FIRST_LINE_STEM)) != 0)
		return fail_line(lines, err,
				 "not a list of bursts: the first line is not '%s' (`sahm trace bursts` makes lists "
				 "of recordings)",
				 FIRST_LINE);
	if (strcmp(lines->text, FIRST_LINE) != 0)
		return fail_line(lines, err, "version '%.40s', this program reads version 1",
				 lines->text + strlen(FIRST_LINE_STEM));
	return SAHM_OK;
}

static enum sahm_status read_lines(struct burst_list *l, struct line_reader *lines, struct sahm_err *err)
{
	bool more, has_header = false;
	enum sahm_status status = SAHM_OK;
	while (status == SAHM_OK) {
		status = line_reader_next(lines, &more, err);
		if (status != SAHM_OK || !more)
			break;
		if (lines->line == 1) {
			status = read_first(lines, err);
		} else if (lines->text[strspn(lines->text, " \t")] == '\0') {
			continue;
		} else if (lines->text[0] == '#') {
			status = read_comment(l, lines, err);
		} else if (!has_header) {
			status = read_header(lines, err);
			has_header = true;
		} else {
			status = read_row(l, lines, err);
		}
	}
	if (status == SAHM_OK && l->nr == 0)
		return sahm_fail_at(err, SAHM_FORMAT, lines->file, 0, "there are no bursts in it");
	return status;
}

enum sahm_status burst_list_read(struct burst_list *l, FILE *in, const char *file, struct sahm_err *err)
{
	struct line_reader lines = {0};
	struct zstd_reader *r = zstd_reader_new(in, file);
	burst_list_init(l);
	if (!r)
		return sahm_fail_nomem(err);
	enum sahm_status status = line_reader_init(&lines, zstd_reader_stream(r), file, err);
	if (status == SAHM_OK)
		status = read_lines(l, &lines, err);
	line_reader_release(&lines);
	status = zstd_reader_free(r, status, err);
	if (status == SAHM_OK && !l->provenance.text[PROVENANCE_NAME])
		status = provenance_name_after(&l->provenance, &l->arena, file, "", err);
	if (status != SAHM_OK)
		burst_list_release(l);
	return status;
}

enum sahm_status burst_list_open(struct burst_list *l, const char *path, struct sahm_err *err)
{
	bool is_stdin = strcmp(path, "-") == 0;
	struct stat st;
	FILE *in = is_stdin ? stdin : fopen(path, "re");
	int cause = errno;
	if (in && !is_stdin && fstat(fileno(in), &st) == 0 && S_ISDIR(st.st_mode)) {
		fclose(in);
		in = NULL;
		cause = EISDIR;
	}
	if (!in)
		return sahm_fail(err, SAHM_IO, "cannot open '%s': %s", path, strerror(cause));
	enum sahm_status status = burst_list_read(l, in, file_label(path), err);
	if (!is_stdin)
		fclose(in);
	return status;
}

enum sahm_status burst_list_write(const struct burst_list *l, FILE *out, struct sahm_err *err)
{
	struct textbuf head;
	textbuf_init(&head);
	textbuf_puts(&head, FIRST_LINE "\n");
	provenance_write(&l->provenance, "# ", &head);
	textbuf_printf(&head, "%s,%s\n", columns[0], columns[1]);
	bool failed = textbuf_failed(&head);
	fputs(head.text, out);
	textbuf_release(&head);
	for (uint64_t i = 0; i < l->nr && !failed; i++)
		fprintf(out, "%" PRIu64 ",%" PRIu64 "\n", l->bursts[i].run_ns, l->bursts[i].sleep_ns);
	return failed ? sahm_fail_nomem(err) : SAHM_OK;
}

void burst_list_hash(const struct burst_list *l, uint8_t hash[HASH_BYTES])
{
	struct hash h;
	hash_init(&h);
	hash_add_string(&h, "sahm bursts 1");
	hash_add_u64(&h, l->nr);
	for (uint64_t i = 0; i < l->nr; i++) {
		hash_add_u64(&h, l->bursts[i].run_ns);
		hash_add_u64(&h, l->bursts[i].sleep_ns);
	}
	hash_end(&h, hash);
}
