/* Where figures have the paper's values. The values and their places are those of claim_list.h. */
#include <stdlib.h>
#include <string.h>

#include "results/studies/claims.h"
#include "results/studies/claims_report.h"
#include "sim/base/number.h"
#include "sim/sweep/reproduce_internal.h"

struct places {
	struct reproducing *p;
	struct reproduce_paper *paper;
	struct characterize_means means;
};

static void place(struct places *at, size_t row, unsigned part, double value, const char *words)
{
	at->paper->values[at->paper->nr++] = (struct chart_paper){row, part, value, words};
}

/* Where the segment of `state` begins in a stack of shares, in %. */
static double before(const double shares[NR_STATES], unsigned state)
{
	double sum = 0;
	for (unsigned s = 0; s < state; s++)
		sum += 100 * shares[s];
	return sum;
}

static void place_in_cuts(struct places *at, const struct claim_row *row, unsigned state, double value,
			  const char *words)
{
	for (unsigned set = 0; set < NR_CUT_SETS; set++)
		if (strcmp(cut_set_names[set], row->row) == 0)
			place(at, set, state, before(at->means.occupancy_by_set[set], state) + value, words);
}

static void place_in_programs(struct places *at, const struct claim_row *row, unsigned state, double value,
			      const char *words)
{
	const struct characterize_study *study = &at->p->study;
	for (size_t t = 0; t < study->nr; t++) {
		const struct characterization *c = &study->rows[t].counts;
		double shares[NR_STATES];
		for (unsigned s = 0; s < NR_STATES; s++)
			shares[s] = (double)c->in_state[s] / (double)c->nr_epochs;
		if (claims_is_called(study->rows[t].name, row->row))
			place(at, t, state, before(shares, state) + value, words);
	}
}

static void place_in_intervals(struct places *at, double value, const char *words)
{
	uint64_t epoch_ns = characterize_epoch_ns(&at->p->study);
	for (unsigned bin = 0; epoch_ns > 0 && bin < at->means.nr_bins; bin++) {
		if (interval_bin_epochs(bin) >= (CLAIMS_LONG_NS + epoch_ns - 1) / epoch_ns) {
			place(at, bin, 0, value, words);
			return;
		}
	}
}

/* The paper gives multiples of the best that the other core, the study's first point, does. */
static enum sahm_status place_in_chips(struct places *at, const struct claim_row *row, double value, const char *words,
				       struct sahm_err *err)
{
	const struct paper_result *s = &at->p->results[PAPER_GENERALIST];
	const struct box *boxes = reproduce_boxes_of_points(at->p, s);
	uint64_t point = reproduce_point_called(s, row->row);
	struct textbuf b;
	if (!boxes)
		return sahm_fail_nomem(err);
	if (point == s->nr_points)
		return SAHM_OK;
	textbuf_init(&b);
	textbuf_printf(&b, "%s %.3g %%", words, boxes[0].most);
	words = textbuf_keep(&b, &at->p->r->arena);
	if (!words)
		return sahm_fail_nomem(err);
	place(at, point, 0, value * boxes[0].most, words);
	return SAHM_OK;
}

static void place_in_settings(struct places *at, const struct claim_row *row, double value, const char *words)
{
	const struct paper_result *s = &at->p->results[PAPER_REALISTIC];
	const struct space_axis *settings = &s->sweep.space.axes[1];
	uint64_t point = reproduce_point_called(s, row->row);
	for (unsigned i = 0; i < settings->nr_values && point < s->nr_points; i++)
		if (strcmp(settings->values[i].label, row->part) == 0)
			place(at, point / settings->nr_values, i, value, words);
}

static enum sahm_status place_claim(struct places *at, enum reproduced which, enum claim claim, const char *words,
				    struct sahm_err *err)
{
	const struct claim_row *row = &claim_rows[claim];
	unsigned from = 0, state = 0;
	double value = strtod(row->expected, NULL);
	/* Not every part is a state; only those that are one are used as such. */
	state_find(row->row, strlen(row->row), &from);
	state_find(row->part, strlen(row->part), &state);
	switch (which) {
	case REPRODUCED_4_2:
		place_in_cuts(at, row, state, value, words);
		break;
	case REPRODUCED_4_3:
		place(at, state, state, value, words);
		break;
	case REPRODUCED_4_4:
		place_in_programs(at, row, state, value, words);
		break;
	case REPRODUCED_4_5:
		place(at, from, state, value, words);
		break;
	case REPRODUCED_4_6:
		place_in_intervals(at, value, words);
		break;
	case REPRODUCED_4_7:
		place(at, at->p->results[PAPER_LIMIT].nr_threads, 0, value, words);
		break;
	case REPRODUCED_4_8:
		place(at, at->p->results[PAPER_BREADTH].nr_threads, 0, value, words);
		break;
	case REPRODUCED_4_9:
		return place_in_chips(at, row, value, words, err);
	case REPRODUCED_4_10:
		place_in_settings(at, row, value, words);
		break;
	default:
		break;
	}
	return SAHM_OK;
}

/* Figure 4.3 is the bar of figure 4.2 for the cuts in use. */
static bool is_in(const struct reproducing *p, enum reproduced which, const struct claim_row *row)
{
	if (which == REPRODUCED_4_3)
		return strcmp(row->id, reproduced_rows[REPRODUCED_4_2].id) == 0 &&
		       strcmp(row->row, p->study.cuts_name) == 0;
	return *row->row && strcmp(row->id, reproduced_rows[which].id) == 0;
}

enum sahm_status reproduce_paper(struct reproducing *p, enum reproduced which, struct reproduce_paper *paper,
				 struct sahm_err *err)
{
	struct places at = {.p = p, .paper = paper};
	struct textbuf alt;
	enum sahm_status status = SAHM_OK;
	*paper = (struct reproduce_paper){
		.values = arena_alloc(&p->r->arena, (size_t)NR_CLAIMS * p->study.nr, sizeof(*paper->values)),
		.alt = ""};
	if (!paper->values)
		return sahm_fail_nomem(err);
	characterize_means(&p->study, &at.means);
	textbuf_init(&alt);
	for (unsigned c = 0; c < NR_CLAIMS && status == SAHM_OK; c++) {
		struct textbuf words;
		size_t nr = paper->nr;
		if (!is_in(p, which, &claim_rows[c]))
			continue;
		textbuf_init(&words);
		/* Maps print their states, and the row of figure 4.3 is one. */
		if (*claim_rows[c].part && which != REPRODUCED_4_3 && which != REPRODUCED_4_5)
			textbuf_printf(&words, "%s ", claim_rows[c].part);
		claims_write_paper((enum claim)c, &words);
		const char *kept = textbuf_keep(&words, &p->r->arena);
		status = kept ? place_claim(&at, which, (enum claim)c, kept, err) : sahm_fail_nomem(err);
		if (paper->nr == nr)
			continue;
		textbuf_printf(&alt, "%s %s ", alt.len ? ";" : " Of the paper:", claim_rows[c].text);
		claims_write_paper((enum claim)c, &alt);
	}
	textbuf_puts(&alt, alt.len ? "." : "");
	paper->alt = textbuf_keep(&alt, &p->r->arena);
	return status == SAHM_OK && !paper->alt ? sahm_fail_nomem(err) : status;
}
