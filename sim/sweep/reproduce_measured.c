/* What chips do with assumed and with measured speedups, side by side as text. */
#include <string.h>

#include "results/metrics/box.h"
#include "results/metrics/table.h"
#include "sim/sweep/reproduce_internal.h"

static void box_cells(struct table *t, const struct box *b)
{
	table_cell(t, "%.2f", b->mean);
	table_cell(t, "%.2f", b->p25);
	table_cell(t, "%.2f", b->median);
	table_cell(t, "%.2f", b->most);
}

static void box_heads(struct table *t)
{
	static const char *const heads[] = {"mean", "25 %", "median", "most"};
	table_words(t, heads, sizeof(heads) / sizeof(*heads));
}

static bool end_table(struct table *t, struct textbuf *out)
{
	bool ok = table_write(t, false, out);
	table_release(t);
	return ok;
}

/* A row per chip. */
static bool write_chips(struct reproducing *p, struct textbuf *out)
{
	const struct paper_result *s = &p->results[PAPER_MEASURED_CHIPS];
	const struct box *boxes = reproduce_boxes_of_points(p, s);
	struct table t;
	if (!boxes)
		return false;
	textbuf_puts(out, "\nUpper bounds of chips, speedup in %; over programs:\n");
	table_init(&t);
	table_row(&t, false);
	table_cell(&t, "chip");
	box_heads(&t);
	for (uint64_t i = 0; i < s->nr_points; i++) {
		table_row(&t, i == 0);
		table_cell(&t, "%s",
			   s->sweep.space.nr_axes > 0 ? space_value_at(&s->sweep.space, 0, i)->label : s->sweep.name);
		box_cells(&t, &boxes[i]);
	}
	return end_table(&t, out);
}

/* Means over programs of what chips do for each. */
static bool space_row(struct reproducing *p, enum paper_study which, const char *name, bool is_first, struct table *t)
{
	const struct paper_result *s = &p->results[which];
	const struct box *boxes = s->there ? reproduce_boxes_of_threads(p, s) : NULL;
	if (!boxes)
		return !s->there;
	const struct box mean = box_mean(boxes, s->nr_threads);
	table_row(t, is_first);
	table_cell(t, "%s", name);
	box_cells(t, &mean);
	return true;
}

static bool write_spaces(struct reproducing *p, struct textbuf *out)
{
	struct table t;
	textbuf_puts(
		out,
		"\nThe same of all chips with up to one specialised core of each kind; over chips, means of programs:\n");
	table_init(&t);
	table_row(&t, false);
	table_cell(&t, "speedups");
	box_heads(&t);
	bool ok = space_row(p, PAPER_MEASURED_SPACE, "measured", true, &t) &&
		  space_row(p, PAPER_BREADTH, "assumed: 10, 20 or 30 %", false, &t);
	return end_table(&t, out) && ok;
}

/* A column per chip, a row per setting. */
static bool write_threads(const struct paper_result *s, struct textbuf *out)
{
	const struct space *space = &s->sweep.space;
	struct table t;
	if (space->nr_axes != 2)
		return true;
	textbuf_puts(out, "\nThreads that compete, mean speedup in %:\n");
	table_init(&t);
	table_row(&t, false);
	table_cell(&t, "%s", space->axes[1].name);
	for (uint64_t i = 0; i < space->axes[0].nr_values; i++)
		table_cell(&t, "%s", space->axes[0].values[i].label);
	for (uint64_t k = 0; k < space->axes[1].nr_values; k++) {
		table_row(&t, k == 0);
		table_cell(&t, "%s", space->axes[1].values[k].label);
		for (uint64_t i = 0; i < space->axes[0].nr_values; i++)
			table_cell(&t, "%.2f",
				   100 * s->records[i * space->axes[1].nr_values + k].metrics[RUN_METRIC_speedup_mean]);
	}
	return end_table(&t, out);
}

/* States that any of the measured core types calls scarce. */
static uint16_t scarce_states(const struct reproducing *p)
{
	uint16_t scarce = 0;
	for (unsigned s = 0; s < NR_PAPER_STUDIES; s++) {
		const struct cfg_node *types =
			p->results[s].there && paper_study_is_measured((enum paper_study)s)
				? cfg_child(p->results[s].sweep.base, config_keys[KEY_TYPES].path)
				: NULL;
		for (const struct cfg_node *t = types ? types->first : NULL; t; t = t->next) {
			const struct cfg_node *given = cfg_member(t, &config_keys[KEY_TYPE_SCARCE]);
			for (const struct cfg_node *n = given ? given->first : NULL; n; n = n->next) {
				unsigned state = 0;
				if (state_find(n->value.string, strlen(n->value.string), &state))
					scarce |= (uint16_t)(1u << state);
			}
		}
	}
	return scarce;
}

void reproduction_write_scarce(const struct reproduction *r, struct textbuf *out)
{
	textbuf_puts(out, "Scarce states, whose speedups come from few epochs or from other states: ");
	states_write(r->scarce, ", ", out);
	textbuf_putc(out, '.');
}

enum sahm_status reproduce_side_by_side(struct reproducing *p, struct textbuf *out, struct sahm_err *err)
{
	const struct trace_counts counts = characterize_count(&p->study);
	bool ok = true;
	if (!p->results[PAPER_MEASURED_CHIPS].there && !p->results[PAPER_MEASURED_SPACE].there &&
	    !p->results[PAPER_MEASURED_THREADS].there)
		return SAHM_OK;
	textbuf_printf(out, "\nAssumed and measured speedups; %zu trace%s", p->study.nr, p->study.nr == 1 ? "" : "s");
	trace_words_write(&counts, out);
	textbuf_puts(out, ":\n");
	if (p->results[PAPER_MEASURED_CHIPS].there)
		ok = write_chips(p, out);
	if (p->results[PAPER_MEASURED_SPACE].there)
		ok = ok && write_spaces(p, out);
	if (p->results[PAPER_MEASURED_THREADS].there)
		ok = ok && write_threads(&p->results[PAPER_MEASURED_THREADS], out);
	p->r->scarce = scarce_states(p);
	if (p->r->scarce) {
		textbuf_putc(out, '\n');
		reproduction_write_scarce(p->r, out);
		textbuf_putc(out, '\n');
	}
	return ok && !textbuf_failed(out) ? SAHM_OK : sahm_fail_nomem(err);
}
