/* Reading character tables. */
#include <errno.h>
#include <string.h>

#include "sim/base/array.h"
#include "sim/base/lines.h"
#include "sim/base/number.h"
#include "sim/fit/fit.h"

#define FIRST_LINE "# sahm character 1"

static const char *const columns[] = {"name", "seconds", "ipc", "branches_pki", "accesses_pki", "branch_pct", "branch",
				      "l1i",  "l1d",	 "l2",	"restless",	"mostly",	"mostly_pct"};
enum {
	NAME,
	SECONDS,
	IPC,
	BRANCHES,
	ACCESSES,
	BRANCH_PCT,
	ORDER,
	RESTLESS = ORDER + NR_COMPONENTS,
	MOSTLY,
	MOSTLY_PCT,
	NR_COLUMNS
};

static enum sahm_status fail_at(const struct line_reader *lines, struct sahm_err *err, const char *what,
				const char *text)
{
	return sahm_fail_at(err, SAHM_FORMAT, lines->file, lines->line, "%s '%.60s'", what, text);
}

/* The part of `text` after `start` at its beginning; NULL when something else does. */
static const char *behind(const char *start, const char *text)
{
	size_t len = strlen(start);
	return strncmp(text, start, len) == 0 ? text + len : NULL;
}

static enum sahm_status read_average(struct fit *f, const struct line_reader *lines, const char *text,
				     struct sahm_err *err)
{
	for (unsigned s = 0; s < NR_STATES; s++) {
		const char *share = behind(state_name(s), text);
		share = share ? behind(": ", share) : NULL;
		if (share && (number_read_double(share, &f->average[s]) != NUMBER_OK || f->average[s] < 0))
			return fail_at(lines, err, "not a share in %:", share);
		if (share)
			return SAHM_OK;
	}
	return fail_at(lines, err, "not of the form 'STATE: share in %':", text);
}

/* `# average STATE: PCT`, `# sharpness: K`, `# profile key: value`, which goes into the profile as it is; other
 * comments are remarks. */
static enum sahm_status read_comment(struct fit *f, const struct line_reader *lines, struct sahm_err *err)
{
	const char *average = behind("# average ", lines->text), *profile = behind("# profile ", lines->text);
	const struct {
		const char *text;
		double *value;
	} numbers[] = {
		{behind("# sharpness: ", lines->text), &f->sharpness},
		{behind("# profile slower_pct: ", lines->text), &f->slower_pct},
	};
	if (profile)
		textbuf_printf(&f->head, "# %s\n", profile);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if (numbers[i].text && number_read_double(numbers[i].text, numbers[i].value) != NUMBER_OK)
			return fail_at(lines, err, "not a number:", numbers[i].text);
	return average ? read_average(f, lines, average, err) : SAHM_OK;
}

static enum sahm_status read_row(struct fit *f, const struct line_reader *lines, bool is_head, struct sahm_err *err)
{
	struct program *p = &f->programs[f->nr];
	double *const places[NR_COLUMNS] = {
		[SECONDS] = &p->seconds,	 [IPC] = &p->ipc,
		[BRANCHES] = &p->branches_pki,	 [ACCESSES] = &p->accesses_pki,
		[BRANCH_PCT] = &p->branch_pct,	 [ORDER] = &p->order[0],
		[ORDER + 1] = &p->order[1],	 [ORDER + 2] = &p->order[2],
		[ORDER + 3] = &p->order[3],	 [RESTLESS] = &p->restless,
		[MOSTLY_PCT] = &p->mostly_share,
	};
	unsigned column = 0;
	p->mostly = NR_STATES;
	for (char *rest = lines->text; rest; column++) {
		size_t len;
		const char *text = line_next_field(&rest, &len);
		if (column == NR_COLUMNS)
			return fail_at(lines, err, "a field too many:", text);
		if (is_head) {
			if (strcmp(text, columns[column]) != 0)
				return fail_at(lines, err, "expected another column than", text);
		} else if (column == NAME) {
			p->name = arena_strdup(&f->arena, text);
		} else if (strcmp(text, "-") == 0 && column >= MOSTLY) {
			continue;
		} else if (column == MOSTLY) {
			if (!state_find(text, len, &p->mostly))
				return fail_at(lines, err, "no state is called", text);
		} else if (number_read_double(text, places[column]) != NUMBER_OK) {
			return fail_at(lines, err, "not a number:", text);
		}
	}
	if (column < NR_COLUMNS)
		return fail_at(lines, err, "a field is missing:", columns[column]);
	p->mostly_share /= 100;
	f->nr += !is_head;
	return is_head || p->name ? SAHM_OK : sahm_fail_nomem(err);
}

static enum sahm_status read_lines(struct fit *f, struct line_reader *lines, struct sahm_err *err)
{
	bool more = true, has_head = false;
	enum sahm_status status = line_reader_next(lines, &more, err);
	if (status == SAHM_OK && (!more || strcmp(lines->text, FIRST_LINE) != 0))
		return sahm_fail_at(err, SAHM_FORMAT, lines->file, 1, "does not begin with '%s'", FIRST_LINE);
	while (status == SAHM_OK) {
		status = line_reader_next(lines, &more, err);
		if (status != SAHM_OK || !more)
			break;
		if (lines->text[0] == '#') {
			status = read_comment(f, lines, err);
		} else if (lines->len > 0) {
			if (f->nr == MAX_PROGRAMS)
				return fail_at(lines, err, "too many programs:", lines->text);
			status = read_row(f, lines, !has_head, err);
			has_head = true;
		}
	}
	return status;
}

static enum sahm_status check(struct fit *f, struct sahm_err *err)
{
	double sum = 0;
	for (unsigned s = 0; s < NR_STATES; s++)
		sum += f->average[s];
	for (unsigned s = 0; s < NR_STATES; s++)
		f->average[s] /= sum;
	if (f->nr == 0 || !(sum > 0) || !(f->sharpness > 0))
		return sahm_fail_at(err, SAHM_FORMAT, f->file, 0, "no programs, no average occupancy or no sharpness");
	return textbuf_failed(&f->head) ? sahm_fail_nomem(err) : SAHM_OK;
}

enum sahm_status fit_read(const char *path, struct fit *f, struct sahm_err *err)
{
	struct line_reader lines;
	FILE *in = fopen(path, "re");
	if (!in)
		return sahm_fail(err, SAHM_IO, "cannot open '%s': %s", path, strerror(errno));
	*f = (struct fit){.file = path};
	arena_init(&f->arena);
	textbuf_init(&f->head);
	f->programs = arena_alloc(&f->arena, MAX_PROGRAMS + 1, sizeof(*f->programs));
	enum sahm_status status = f->programs ? line_reader_init(&lines, in, path, err) : sahm_fail_nomem(err);
	if (status == SAHM_OK) {
		status = read_lines(f, &lines, err);
		line_reader_release(&lines);
	}
	fclose(in);
	if (status == SAHM_OK)
		status = check(f, err);
	if (status != SAHM_OK)
		fit_release(f);
	return status;
}

void fit_release(struct fit *f)
{
	textbuf_release(&f->head);
	arena_release(&f->arena);
}
