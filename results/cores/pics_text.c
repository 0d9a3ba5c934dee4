/* Cycle stacks as text. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "results/cores/pics_internal.h"
#include "results/metrics/table.h"
#include "sim/base/clean.h"
#include "sim/base/file.h"

#define BAR_CHARS 30u
#define SIGNATURE_CHARS 20
/* Parts below this share of their unit are summed, and those after the first few. */
#define SMALL_PART_PCT 1.0
#define MAX_PARTS 8u
/* As published. */
#define PAPER_SHORT_STALL "5.8"
#define PAPER_COMBINED_PCT "30.0"

/* ---- The head ---- */

static bool write_states(const struct stacks *s, bool bold, struct textbuf *out)
{
	static const char *const meanings[NR_COMMIT_STATES] = {
		[STATE_COMPUTE] = "uops commit",
		[STATE_STALLED] = "the oldest uop has not finished",
		[STATE_FLUSHED] = "the uop before it flushed the pipeline",
		[STATE_DRAINED] = "it has not been fetched or dispatched"};
	struct table t;
	struct textbuf cycles;
	textbuf_init(&cycles);
	table_init(&t);
	t.left |= 1u << 3;
	table_row(&t, false);
	table_words(&t, (const char *const[]){"state", "cycles", "%", "in these cycles"}, 4);
	for (unsigned i = 0; i <= NR_COMMIT_STATES; i++) {
		uint64_t sum = i < NR_COMMIT_STATES ? s->states[i] : pics_total(s);
		table_row(&t, i == 0 || i == NR_COMMIT_STATES);
		table_cell(&t, "%s", i < NR_COMMIT_STATES ? commit_state_name(i) : "all");
		pics_cycles(&cycles, sum, s->units);
		table_cell_text(&t, &cycles);
		table_cell(&t, "%.1f", pics_pct(sum, pics_total(s)));
		if (i < NR_COMMIT_STATES)
			table_cell(&t, "%s", meanings[i]);
	}
	bool ok = table_write(&t, bold, out);
	table_release(&t);
	textbuf_release(&cycles);
	return ok;
}

static void write_checks(const struct stacks *s, struct textbuf *out)
{
	unsigned length = pics_short_stall(s);
	uint64_t with, combined;
	pics_count_events(s, &with, &combined);
	if (length > MAX_BASE_STALL)
		textbuf_printf(out, "More than 1 %% of stalls without events take %u cycles or more", MAX_BASE_STALL);
	else if (length > 0)
		textbuf_printf(out, "99 %% of stalls without events are shorter than %u cycle%s", length,
			       length == 1 ? "" : "s");
	else
		textbuf_puts(out, "No uop without events stalls");
	textbuf_puts(out, " (paper: " PAPER_SHORT_STALL ")\n");
	if (with > 0)
		textbuf_printf(out,
			       "Of %" PRIu64 " dynamic instructions with events, %.1f %% have several (paper: %s %%)\n",
			       with, pics_pct(combined, with), PAPER_COMBINED_PCT);
}

static bool write_head(const struct pics_result *result, bool bold, struct textbuf *out)
{
	const struct stacks *s = result->stacks;
	textbuf_puts(out, "Cycle stacks of ");
	textbuf_label(out, result->run->stream);
	textbuf_puts(out, " on ");
	core_result_name(result->run, out);
	textbuf_printf(out,
		       ", counted exactly, in 1/%u of a cycle:\n%" PRIu64 " cycles, %" PRIu64
		       " instructions, CPI %.3f\n\n",
		       s->units, s->cycles, s->instructions, (double)s->cycles / (double)s->instructions);
	bool ok = write_states(s, bold, out);
	write_checks(s, out);
	return ok;
}

/* ---- Stacks ---- */

struct stack_writer {
	const struct pics_view *view;
	struct textbuf *out;
	uint64_t total, highest;
	int cycles_chars, executions_chars;
	bool bold;
};

static void write_numbers(const struct stack_writer *w, uint64_t cycles, uint64_t executions)
{
	struct textbuf text;
	textbuf_init(&text);
	pics_cycles(&text, cycles, w->view->stacks->units);
	textbuf_printf(w->out, "%*s  %5.1f  %*" PRIu64 "  ", w->cycles_chars, text.text, pics_pct(cycles, w->total),
		       w->executions_chars, executions);
	textbuf_release_part(&text, w->out);
}

static void write_part(const struct stack_writer *w, const struct pics_part *p, const char *name, bool has_bar)
{
	write_numbers(w, p->cycles, p->executions);
	struct textbuf bar;
	textbuf_init(&bar);
	if (has_bar)
		pics_bar(&bar, (double)p->cycles, (double)w->highest, BAR_CHARS);
	textbuf_printf(w->out, "    %-*s%s%s\n", bar.len > 0 ? SIGNATURE_CHARS : 0, name, bar.len > 0 ? " " : "",
		       bar.text);
	textbuf_release_part(&bar, w->out);
}

/* Small parts become one line if there are several. */
static void write_parts(const struct stack_writer *w, const struct pics_part *parts, size_t nr, uint64_t height,
			bool has_bar)
{
	struct pics_part others = {0};
	char name[STACK_SIGNATURE_NAME_BYTES], words[40];
	size_t shown = nr < MAX_PARTS ? nr : MAX_PARTS;
	while (shown > 1 && pics_pct(parts[shown - 1].cycles, height) < SMALL_PART_PCT)
		shown--;
	shown = shown + 1 == nr ? nr : shown;
	for (size_t i = 0; i < nr; i++)
		if (i < shown) {
			write_part(w, &parts[i], signature_name(parts[i].signature, name), has_bar);
		} else {
			others.cycles += parts[i].cycles;
			others.executions += parts[i].executions;
		}
	if (shown == nr)
		return;
	snprintf(words, sizeof(words), "%zu others", nr - shown);
	write_part(w, &others, words, false);
}

static void write_rule(const struct stack_writer *w)
{
	for (unsigned i = 0; i < PICS_LINE_CHARS; i++)
		textbuf_putc(w->out, '-');
	textbuf_putc(w->out, '\n');
}

static void write_heading(const struct stack_writer *w)
{
	textbuf_printf(w->out, "%s%*s  %5s  %*s  %s%s\n", w->bold ? TEXT_BOLD : "", w->cycles_chars, "cycles", "%",
		       w->executions_chars, w->view->by == PICS_INSTRUCTION ? "executions" : "instructions",
		       pics_by_words[w->view->by], w->bold ? TEXT_PLAIN : "");
	write_rule(w);
}

static void write_unit(const struct stack_writer *w, const struct pics_unit *u, const char *program)
{
	const struct pics_view *v = w->view;
	const char *text = v->by == PICS_INSTRUCTION ? v->names[u->insn].text : NULL;
	size_t number = (size_t)(u - v->units), first = v->parts.first[number];
	size_t indent = (size_t)w->cycles_chars + (size_t)w->executions_chars + 11;
	struct textbuf name;
	textbuf_init(&name);
	pics_unit_name(v, u, program, &name);
	write_numbers(w, u->cycles, u->executions);
	pics_end_line(w->out, indent, &name, text);
	write_parts(w, v->parts.parts + first, v->parts.first[number + 1] - first, u->cycles, true);
}

/* The units from `from` on. */
static void write_rest(const struct stack_writer *w, size_t from, const char *name)
{
	struct pics_part sums[NR_SIGNATURES];
	const struct pics_view *v = w->view;
	uint64_t cycles = 0, executions = 0;
	size_t nr = pics_view_rest(v, from, sums);
	for (size_t i = from; i < v->nr; i++) {
		cycles += v->units[i].cycles;
		executions += v->units[i].executions;
	}
	write_rule(w);
	write_numbers(w, cycles, executions);
	textbuf_printf(w->out, "%s\n", name);
	write_parts(w, sums, nr, cycles, false);
}

static int digits(uint64_t value)
{
	int nr = 1;
	for (; value >= 10; value /= 10)
		nr++;
	return nr;
}

static void write_stacks(const struct pics_report *r, const struct pics_result *result, const struct pics_view *v,
			 bool bold, struct textbuf *out)
{
	const struct stacks *s = result->stacks;
	size_t shown = pics_nr_shown(r, v);
	char name[60];
	struct stack_writer w = {.view = v,
				 .out = out,
				 .total = pics_total(s),
				 .highest = v->nr > 0 ? v->units[0].cycles : 0,
				 .cycles_chars = digits(s->cycles) + 3,
				 .executions_chars = digits(s->instructions),
				 .bold = bold};
	int head_chars = v->by == PICS_INSTRUCTION ? 10 : 12;
	w.executions_chars = w.executions_chars > head_chars ? w.executions_chars : head_chars;
	w.cycles_chars = w.cycles_chars > 6 ? w.cycles_chars : 6;
	textbuf_printf(out, "\nCycles by %s", pics_by_words[v->by]);
	if (shown < v->nr)
		textbuf_printf(out, ": the highest %zu of %zu stacks", shown, v->nr);
	textbuf_puts(out, "; % of all cycles\n");
	write_heading(&w);
	for (size_t i = 0; i < shown; i++)
		write_unit(&w, &v->units[i], base_name(result->run->stream));
	if (shown < v->nr) {
		snprintf(name, sizeof(name), "the other %zu", v->nr - shown);
		write_rest(&w, shown, name);
	}
	if (v->by != PICS_PROGRAM)
		write_rest(&w, 0, "all");
}

/* ---- Schemes ---- */

static void write_sampling(const struct stack_samples *s, struct textbuf *out)
{
	textbuf_printf(out, "\nSamples every %" PRIu64 " cycle%s", s->sampling.period,
		       s->sampling.period == 1 ? "" : "s");
	if (s->sampling.has_jitter)
		textbuf_printf(out, ", at random in each (seed %" PRIu64 ")", s->sampling.seed);
	textbuf_printf(out, ": %" PRIu64 " are due\n", s->nr_due);
}

static bool write_samples(const struct pics_schemes *schemes, const struct stack_samples *s, bool bold,
			  struct textbuf *out)
{
	static const char *const heads[] = {"scheme", "taken", "on wrong path", "skipped", "late"};
	struct table t;
	write_sampling(s, out);
	table_init(&t);
	table_row(&t, false);
	table_words(&t, heads, sizeof(heads) / sizeof(*heads));
	for (unsigned i = 0; i < schemes->nr; i++) {
		const struct pics_scheme *x = &schemes->of[i];
		table_row(&t, i == 0);
		table_cell(&t, "%s", stack_scheme_name(x->scheme));
		table_cell(&t, "%" PRIu64, s->of[x->kind].taken);
		table_cell(&t, "%" PRIu64, s->of[x->kind].wrong_path);
		table_cell(&t, "%" PRIu64, s->of[x->kind].skipped);
		table_cell(&t, "%" PRIu64, s->of[x->kind].late);
	}
	bool ok = table_write(&t, bold, out);
	table_release(&t);
	return ok;
}

static bool write_errors(const struct pics_schemes *schemes, bool bold, struct textbuf *out)
{
	struct table t;
	textbuf_puts(out, "\nError in %, and chance: the error of as many cycles drawn at random:\n");
	table_init(&t);
	table_row(&t, false);
	table_cell(&t, "scheme");
	for (enum pics_by by = 0; by < NR_PICS_BY; by++) {
		table_cell(&t, "%s", pics_by_words[by]);
		table_cell(&t, "chance");
	}
	for (unsigned i = 0; i < schemes->nr; i++) {
		table_row(&t, i == 0);
		table_cell(&t, "%s", stack_scheme_name(schemes->of[i].scheme));
		for (enum pics_by by = 0; by < NR_PICS_BY; by++) {
			table_cell(&t, "%.1f", 100 * schemes->of[i].error[by]);
			table_cell(&t, "%.1f", 100 * schemes->of[i].chance[by]);
		}
	}
	bool ok = table_write(&t, bold, out);
	table_release(&t);
	return ok;
}

/* Stacks beside each other: exact ones, and those of schemes. */
struct column {
	char head[16];
	const struct pics_parts *parts;
	uint64_t total;
};

#define MAX_COLUMNS (2 * NR_STACK_SCHEMES + 1)

static unsigned make_columns(const struct pics_view *v, const struct pics_schemes *schemes, struct column *columns)
{
	uint64_t total = pics_total(v->stacks);
	unsigned nr = 0;
	columns[nr++] = (struct column){"exact", &v->parts, total};
	for (unsigned i = 0; i < schemes->nr; i++) {
		const struct pics_scheme *x = &schemes->of[i];
		if (!x->exact.parts) {
			columns[nr++] = (struct column){.parts = &x->parts, .total = x->total};
			snprintf(columns[nr - 1].head, sizeof(columns->head), "%s", stack_scheme_name(x->scheme));
		}
	}
	for (unsigned i = 0; i < schemes->nr; i++) {
		const struct pics_scheme *x = &schemes->of[i];
		if (x->exact.parts) {
			columns[nr] = (struct column){.parts = &x->exact, .total = total};
			snprintf(columns[nr++].head, sizeof(columns->head), "for %s", stack_scheme_name(x->scheme));
			columns[nr] = (struct column){.parts = &x->parts, .total = x->total};
			snprintf(columns[nr++].head, sizeof(columns->head), "%s", stack_scheme_name(x->scheme));
		}
	}
	return nr;
}

static uint64_t cycles_of(const struct column *c, size_t unit, unsigned signature)
{
	for (size_t i = c->parts->first[unit]; i < c->parts->first[unit + 1]; i++)
		if (c->parts->parts[i].signature == signature)
			return c->parts->parts[i].cycles;
	return 0;
}

static uint64_t height_of(const struct column *c, size_t unit)
{
	uint64_t sum = 0;
	for (size_t i = c->parts->first[unit]; i < c->parts->first[unit + 1]; i++)
		sum += c->parts->parts[i].cycles;
	return sum;
}

/* Signatures that a unit has in any column, in the order of their largest shares. */
static unsigned list_signatures(const struct column *columns, unsigned nr, size_t unit, uint16_t *list)
{
	double most[NR_SIGNATURES] = {0};
	unsigned found = 0;
	for (unsigned c = 0; c < nr; c++)
		for (size_t i = columns[c].parts->first[unit]; i < columns[c].parts->first[unit + 1]; i++) {
			const struct pics_part *p = &columns[c].parts->parts[i];
			double share = pics_pct(p->cycles, columns[c].total);
			most[p->signature] = share > most[p->signature] ? share : most[p->signature];
		}
	for (;;) {
		unsigned best = 0;
		for (unsigned i = 1; i < NR_SIGNATURES; i++)
			best = most[i] > most[best] ? i : best;
		if (most[best] <= 0)
			return found;
		list[found++] = (uint16_t)best;
		most[best] = 0;
	}
}

static void write_row(const struct column *columns, unsigned nr, size_t unit, const uint16_t *signature,
		      struct table *t)
{
	char name[STACK_SIGNATURE_NAME_BYTES];
	table_cell(t, "%s", signature ? signature_name(*signature, name) : "height");
	for (unsigned c = 0; c < nr; c++)
		table_cell(t, "%.1f",
			   pics_pct(signature ? cycles_of(&columns[c], unit, *signature) : height_of(&columns[c], unit),
				    columns[c].total));
}

static bool write_beside(const struct pics_view *v, const struct column *columns, unsigned nr, size_t unit,
			 const char *program, bool bold, struct textbuf *out)
{
	uint16_t list[NR_SIGNATURES];
	struct table t;
	textbuf_putc(out, '\n');
	pics_unit_line(v, &v->units[unit], program, out);
	textbuf_putc(out, '\n');
	table_init(&t);
	table_row(&t, false);
	table_cell(&t, "%% of all cycles");
	for (unsigned c = 0; c < nr; c++)
		table_cell(&t, "%s", columns[c].head);
	unsigned found = list_signatures(columns, nr, unit, list);
	for (unsigned i = 0; i < found; i++) {
		table_row(&t, i == 0);
		write_row(columns, nr, unit, &list[i], &t);
	}
	table_row(&t, true);
	write_row(columns, nr, unit, NULL, &t);
	bool ok = table_write(&t, bold, out);
	table_release(&t);
	return ok;
}

static bool write_schemes(const struct pics_report *r, const struct pics_result *result, const struct pics_view *v,
			  bool bold, struct textbuf *out)
{
	struct pics_schemes schemes;
	struct column columns[MAX_COLUMNS];
	bool ok = pics_schemes_init(&schemes, r, result, v) && write_samples(&schemes, result->samples, bold, out) &&
		  write_errors(&schemes, bold, out);
	unsigned nr = ok ? make_columns(v, &schemes, columns) : 0;
	if (ok)
		textbuf_puts(out, "\nStacks by scheme, scaled to all cycles");
	for (unsigned i = 0; i < schemes.nr && ok; i++)
		if (schemes.of[i].exact.parts) {
			textbuf_puts(out, "; \"for ibs\": exact ones with only the events that ibs records");
			break;
		}
	textbuf_puts(out, "\n");
	for (size_t i = 0; i < pics_nr_shown(r, v) && ok; i++)
		ok = write_beside(v, columns, nr, i, base_name(result->run->stream), bold, out);
	pics_schemes_release(&schemes);
	return ok;
}

/* ---- The report ---- */

static bool write_result(const struct pics_report *r, const struct pics_result *result, bool bold, struct textbuf *out)
{
	struct pics_view v;
	bool ok = pics_view_init(&v, result->stacks, result->names, r->by) && write_head(result, bold, out);
	if (ok)
		write_stacks(r, result, &v, bold, out);
	if (ok && r->nr_schemes > 0)
		ok = write_schemes(r, result, &v, bold, out);
	pics_view_release(&v);
	return ok;
}

bool pics_text(const struct pics_report *r, bool bold, struct textbuf *out)
{
	bool ok = true;
	const char *before = "\n";
	for (size_t i = 0; i < r->nr && ok; i++) {
		textbuf_puts(out, i > 0 ? "\n" : "");
		ok = write_result(r, &r->results[i * r->nr_lanes], bold, out) &&
		     (!r->lanes || pics_lanes_text(r, &r->results[i * r->nr_lanes], bold, out));
	}
	core_report_sampling(&r->results[0].run->sampling, out);
	for (size_t i = 0; i < r->nr * r->nr_lanes; i += r->nr_lanes)
		core_report_sample(r->results[i].run->stream, r->results[i].run->nr_sampled, &before, out);
	if (ok && r->ipu) {
		textbuf_puts(out, "\n");
		ok = ipu_stacks_text(r->ipu, r->top, bold, out);
	}
	return ok;
}
