/* The folder of a reproduction, but for its page. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "results/chart/plot.h"
#include "results/page/page.h"
#include "sim/base/file.h"
#include "sim/sweep/reproduce.h"

#define CLAIMS "claims.csv"

static enum sahm_status SAHM_PRINTF(4, 5)
	put(const char *folder, const char *text, struct sahm_err *err, const char *fmt, ...)
{
	struct textbuf path;
	char name[128];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(name, sizeof(name), fmt, ap);
	va_end(ap);
	textbuf_init(&path);
	textbuf_printf(&path, "%s/%s", folder, name);
	enum sahm_status status =
		textbuf_failed(&path) ? sahm_fail_nomem(err) : file_write(path.text, text, strlen(text), err);
	textbuf_release(&path);
	return status;
}

static enum sahm_status put_claims(const struct reproduction *r, const char *folder, struct sahm_err *err)
{
	const struct claims_shown claims = reproduction_claims(r);
	struct textbuf out;
	textbuf_init(&out);
	enum sahm_status status =
		claims_table_csv(&claims, &out) ? put(folder, out.text, err, CLAIMS) : sahm_fail_nomem(err);
	textbuf_release(&out);
	return status;
}

const char *reproduction_table_ending(const struct reproduction *r, enum reproduced which)
{
	return r->figures[which].script.len ? "_runs.csv" : ".csv";
}

/* Files of reproductions before, of another suite or of other studies, do not belong to the page. */
static enum sahm_status remove_files(const char *folder, struct sahm_err *err)
{
	static const char *const endings[] = {"", "_runs"};
	enum sahm_status status = SAHM_OK;
	for (unsigned i = 0; i < 2 * NR_REPRODUCED && status == SAHM_OK; i++) {
		char name[64];
		snprintf(name, sizeof(name), "%s%s", reproduced_rows[i / 2].name, endings[i % 2]);
		status = plot_remove(folder, name, err);
	}
	for (unsigned s = 0; s < NR_PAPER_STUDIES && status == SAHM_OK; s++) {
		struct textbuf path;
		textbuf_init(&path);
		textbuf_printf(&path, "%s/" REPRODUCTION_STUDY, folder, paper_study_names[s]);
		status = textbuf_failed(&path) ? sahm_fail_nomem(err) : file_remove(path.text, err);
		textbuf_release(&path);
	}
	return status;
}

enum sahm_status reproduction_write(const struct reproduction *r, const char *folder, struct sahm_err *err)
{
	bool had_page = false;
	enum sahm_status status = page_begin_folder(folder, &had_page, err);
	if (status == SAHM_OK && had_page)
		status = remove_files(folder, err);
	for (unsigned i = 0; i < NR_REPRODUCED && status == SAHM_OK; i++) {
		const struct figure *f = &r->figures[i];
		if (f->script.len)
			status = figure_write(f, folder, err);
		if (status == SAHM_OK && r->tables[i].len)
			status = put(folder, r->tables[i].text, err, "%s%s", reproduced_rows[i].name,
				     reproduction_table_ending(r, (enum reproduced)i));
	}
	for (unsigned s = 0; s < NR_PAPER_STUDIES && status == SAHM_OK; s++)
		if (r->texts[s])
			status = put(folder, r->texts[s], err, REPRODUCTION_STUDY, paper_study_names[s]);
	return status == SAHM_OK ? put_claims(r, folder, err) : status;
}

enum sahm_status reproduction_draw(struct reproduction *r, const char *folder, struct textbuf *notes,
				   struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (unsigned i = 0; i < NR_REPRODUCED && status == SAHM_OK; i++) {
		if (!r->figures[i].script.len)
			continue;
		status = plot_draw(folder, r->figures[i].name, notes, err);
		r->drawn[i] = status == SAHM_OK;
	}
	return status;
}
