/* Writing the profile, and measuring what it comes to. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/array.h"
#include "sim/base/file.h"
#include "sim/fit/fit.h"

#define MAX_CELLS (NR_PROFILE_COLUMNS + NR_STATES + 1)

struct row {
	char cell[MAX_CELLS][24];
	unsigned nr;
};

static void add(struct row *r, const char *fmt, double value)
{
	snprintf(r->cell[r->nr++], sizeof(r->cell[0]), fmt, value);
}

static void head_of(struct row *r)
{
	static const enum profile_column columns[] = {
		PROFILE_EPOCHS,	    PROFILE_MINSTR,   PROFILE_BRANCHES_PKI, PROFILE_L1D_ACCESSES_PKI,
		PROFILE_SINGLE_PCT, PROFILE_LONG_PCT, PROFILE_BRANCH_LOW,   PROFILE_BRANCH_HIGH,
		PROFILE_L1I_LOW,    PROFILE_L1I_HIGH, PROFILE_L1D_LOW,	    PROFILE_L1D_HIGH,
		PROFILE_L2_LOW,	    PROFILE_L2_HIGH,
	};
	r->nr = 0;
	strcpy(r->cell[r->nr++], "name");
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		snprintf(r->cell[r->nr++], sizeof(r->cell[0]), "%s", profile_columns[columns[i]].name);
	for (unsigned s = 0; s < NR_STATES; s++)
		snprintf(r->cell[r->nr++], sizeof(r->cell[0]), "%s", state_name(s));
}

/* Instructions of an average epoch for one without stress: the published ipc is that of the whole run. */
static double mean_pace(const struct fit *f, const struct program *p)
{
	double mean = 0;
	for (unsigned s = 0; s < NR_STATES; s++) {
		double pace = p->share[s];
		for (unsigned c = 0; c < NR_COMPONENTS; c++)
			pace *= (s >> c) & 1u ? 1 - f->slower_pct / 100 : 1;
		mean += pace;
	}
	return mean;
}

/* In the order of head_of(). */
static void row_of(const struct fit *f, const struct program *p, struct row *r)
{
	r->nr = 0;
	snprintf(r->cell[r->nr++], sizeof(r->cell[0]), "%s", p->name);
	add(r, "%.0f", p->seconds / FIT_EPOCH_S);
	add(r, "%.4g", p->ipc * FIT_HZ * FIT_EPOCH_S / 1e6 / mean_pace(f, p));
	add(r, "%.4g", p->branches_pki);
	add(r, "%.4g", p->accesses_pki);
	add(r, "%.1f", p->single_pct);
	add(r, "%.1f", p->long_pct);
	for (unsigned c = 0; c < NR_COMPONENTS; c++) {
		add(r, "%.3g", p->low[c]);
		add(r, "%.3g", p->high[c]);
	}
	for (unsigned s = 0; s < NR_STATES; s++)
		add(r, "%.1f", p->share[s] * 100);
}

static void write_row(const struct row *r, const size_t *widths, struct textbuf *out)
{
	textbuf_printf(out, "%s,%*s", r->cell[0], (int)(widths[0] - strlen(r->cell[0])), "");
	for (unsigned i = 1; i < r->nr; i++)
		textbuf_printf(out, " %*s%s", (int)widths[i], r->cell[i], i + 1 < r->nr ? "," : "\n");
}

void fit_write(const struct fit *f, struct textbuf *out)
{
	size_t widths[MAX_CELLS] = {0};
	struct row *row = calloc(1, sizeof(*row));
	textbuf_printf(out, "# sahm profile 1\n# Made from %s by `make suite`. Synthetic: not measured.\n%s",
		       base_name(f->file), f->head.text);
	/* The widths first. */
	for (size_t i = 0; row && i <= 2 * f->nr + 1; i++) {
		bool is_head = i % (f->nr + 1) == 0;
		if (is_head)
			head_of(row);
		else
			row_of(f, &f->programs[i % (f->nr + 1) - 1], row);
		for (unsigned c = 0; c < row->nr && i <= f->nr; c++)
			widths[c] = strlen(row->cell[c]) > widths[c] ? strlen(row->cell[c]) : widths[c];
		if (i > f->nr)
			write_row(row, widths, out);
	}
	out->failed |= !row;
	free(row);
}

/* The profile as it would be read. */
static enum sahm_status read_back(const struct fit *f, struct profile *p, struct sahm_err *err)
{
	struct textbuf text;
	textbuf_init(&text);
	fit_write(f, &text);
	FILE *in = textbuf_failed(&text) ? NULL : fmemopen(text.text, text.len, "r");
	enum sahm_status status = in ? profile_read_stream(in, "the fitted profile", p, err) : sahm_fail_nomem(err);
	if (in)
		fclose(in);
	textbuf_release(&text);
	return status;
}

enum sahm_status fit_judge(const struct fit *f, struct sahm_err *err)
{
	struct profile p;
	struct claim_result results[NR_CLAIMS];
	enum sahm_status status = read_back(f, &p, err);
	if (status != SAHM_OK)
		return status;
	status = suite_evaluate(&p, p.seed, 1, results, err);
	for (unsigned c = 0; c < NR_CLAIMS && status == SAHM_OK; c++)
		if (claim_is_of_suite((enum claim)c) && !results[c].holds)
			status = sahm_fail(err, SAHM_TOOL, "the result does not meet the claims: %s is %g",
					   claim_rows[c].text, results[c].ours);
	profile_release(&p);
	return status;
}

enum sahm_status fit_measure(const struct fit *f, double ours[NR_CLAIMS], struct sahm_err *err)
{
	struct profile p;
	enum sahm_status status = read_back(f, &p, err);
	if (status != SAHM_OK)
		return status;
	for (unsigned c = 0; c < NR_CLAIMS; c++)
		ours[c] = 0;
	for (unsigned i = 0; i < NR_FIT_SEEDS && status == SAHM_OK; i++) {
		struct claim_result results[NR_CLAIMS];
		status = suite_evaluate(&p, p.seed + i, 1, results, err);
		for (unsigned c = 0; c < NR_CLAIMS && status == SAHM_OK; c++)
			ours[c] += results[c].ours / NR_FIT_SEEDS;
	}
	profile_release(&p);
	return status;
}
