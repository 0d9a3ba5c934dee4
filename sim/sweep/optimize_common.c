/* Shared by the methods of the search: the mixes that were evaluated, and the best of them. */
#include <stdlib.h>
#include <string.h>

#include "sim/sweep/optimize_internal.h"

/* Whether `a` is better than `b`: its objective, else fewer cores, else less area, else the first in order. */
static bool is_better(const struct optimize_problem *p, const struct optimize_chip *a, const struct optimize_chip *b)
{
	const struct mix_space *space = &p->space;
	if (a->value != b->value)
		return p->minimize ? a->value < b->value : a->value > b->value;
	uint32_t a_cores = mix_cores(space, a->counts), b_cores = mix_cores(space, b->counts);
	if (a_cores != b_cores)
		return a_cores < b_cores;
	double a_area = mix_area_mm2(space, a->counts), b_area = mix_area_mm2(space, b->counts);
	if (a_area != b_area)
		return a_area < b_area;
	for (uint32_t i = 0; i < space->nr_types; i++)
		if (a->counts[i] != b->counts[i])
			return a->counts[i] < b->counts[i];
	return false;
}

void search_take(struct search *s, const uint32_t counts[MAX_MIX_TYPES], double value)
{
	struct optimize_result *r = s->result;
	struct optimize_chip chip = {.value = value};
	memcpy(chip.counts, counts, s->problem->space.nr_types * sizeof(*counts));
	r->nr_evaluated++;
	uint32_t at = r->nr_best;
	while (at > 0 && is_better(s->problem, &chip, &r->best[at - 1]))
		at--;
	if (at == s->options->top)
		return;
	uint32_t kept = r->nr_best < s->options->top ? r->nr_best++ : s->options->top - 1;
	memmove(&r->best[at + 1], &r->best[at], (kept - at) * sizeof(*r->best));
	r->best[at] = chip;
}

enum sahm_status search_evaluate(const struct search *s, const uint32_t counts[MAX_MIX_TYPES], double *value,
				 struct sahm_err *err)
{
	struct sahm_err cause;
	const struct optimize_problem *p = s->problem;
	enum sahm_status status = p->evaluate(p->ctx, &p->space, counts, value, &cause);
	if (status == SAHM_OK)
		return SAHM_OK;
	struct textbuf label;
	textbuf_init(&label);
	mix_write_label(&p->space, counts, &label);
	status = sahm_fail(err, status, "chip '%.200s': %s", label.text, cause.msg);
	textbuf_release(&label);
	return status;
}

/* A mix as a word of the table. */
static bool is_known(struct search *s, const uint32_t counts[MAX_MIX_TYPES], uint32_t **place)
{
	char word[MAX_MIX_TYPES * 11 + 1], *end = word + sizeof(word), *at = end;
	*--at = '\0';
	for (uint32_t i = 0; i < s->problem->space.nr_types; i++) {
		uint32_t count = counts[i];
		do
			*--at = (char)('0' + count % 10);
		while ((count /= 10) > 0);
		*--at = ',';
	}
	*place = strtable_at(&s->index, at);
	return *place && **place > 0;
}

enum sahm_status search_value(struct search *s, const uint32_t counts[MAX_MIX_TYPES], double *value,
			      struct sahm_err *err)
{
	uint32_t *place;
	if (is_known(s, counts, &place)) {
		*value = s->values[*place - 1];
		return SAHM_OK;
	}
	if (!place)
		return sahm_fail_nomem(err);
	if (s->nr_values == s->room) {
		size_t room = s->room ? 2 * s->room : 1024;
		double *values = realloc(s->values, room * sizeof(*values));
		if (!values)
			return sahm_fail_nomem(err);
		s->values = values;
		s->room = room;
	}
	enum sahm_status status = search_evaluate(s, counts, value, err);
	if (status != SAHM_OK)
		return status;
	s->values[s->nr_values++] = *value;
	*place = (uint32_t)s->nr_values;
	search_take(s, counts, *value);
	if (s->options->progress)
		s->options->progress(s->options->progress_ctx, s->result->nr_evaluated, s->total);
	return SAHM_OK;
}
