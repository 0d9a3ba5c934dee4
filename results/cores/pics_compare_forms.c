/* Two compared profiles of cycle stacks, as text, CSV and JSON. */
#include <inttypes.h>
#include <string.h>

#include "results/cores/pics_compare.h"
#include "results/cores/pics_internal.h"
#include "results/metrics/csv.h"
#include "sim/base/clean.h"
#include "sim/base/file.h"

/* Differences below this share of the largest of their row are summed, and those after the first few. */
#define SMALL_DELTA_PCT 1.0
#define MAX_DELTAS 8u

static const char *place_of(const struct pics_change *x)
{
	return x->unit[SIDE_B] == SIZE_MAX ? "a" : x->unit[SIDE_A] == SIZE_MAX ? "b" : "both";
}

static const struct pics_unit *unit_of(const struct pics_changes *c, const struct pics_change *x, enum pics_side side)
{
	return &c->views[side].units[x->unit[side]];
}

static const struct code_name *name_of(const struct pics_changes *c, const struct pics_change *x)
{
	enum pics_side side = pics_named_side(x);
	return &c->views[side].names[unit_of(c, x, side)->insn];
}

static uint64_t pc_of(const struct pics_changes *c, const struct pics_change *x, enum pics_side side)
{
	return c->views[side].stacks->insns[unit_of(c, x, side)->insn].pc;
}

/* ---- Text ---- */

struct change_writer {
	const struct pics_comparison *comparison;
	struct textbuf *out;
	int chars; /* of a number of cycles */
	bool bold;
};

static void write_numbers(const struct change_writer *w, int64_t difference, const uint64_t *cycles)
{
	const unsigned units = w->comparison->units;
	struct textbuf text;
	textbuf_init(&text);
	pics_difference(&text, difference, units);
	textbuf_printf(w->out, "%*s", w->chars + 1, text.text);
	for (enum pics_side s = 0; s < NR_SIDES; s++) {
		textbuf_release_part(&text, w->out);
		textbuf_init(&text);
		pics_cycles(&text, cycles[s], units);
		textbuf_printf(w->out, "  %*s", w->chars, text.text);
	}
	textbuf_release_part(&text, w->out);
}

static double size_of(const struct pics_delta *d)
{
	return d->difference < 0 ? -(double)d->difference : (double)d->difference;
}

static void write_deltas(const struct change_writer *w, const struct pics_delta *deltas, size_t nr)
{
	struct pics_delta others = {0};
	char name[STACK_SIGNATURE_NAME_BYTES];
	size_t shown = nr < MAX_DELTAS ? nr : MAX_DELTAS;
	while (shown > 1 && 100 * size_of(&deltas[shown - 1]) < SMALL_DELTA_PCT * size_of(&deltas[0]))
		shown--;
	shown = shown + 1 == nr ? nr : shown;
	for (size_t i = 0; i < nr; i++)
		if (i < shown) {
			write_numbers(w, deltas[i].difference, deltas[i].cycles);
			textbuf_printf(w->out, "      %s\n", signature_name(deltas[i].signature, name));
		} else {
			others.difference += deltas[i].difference;
			for (enum pics_side s = 0; s < NR_SIDES; s++)
				others.cycles[s] += deltas[i].cycles[s];
		}
	if (shown == nr)
		return;
	write_numbers(w, others.difference, others.cycles);
	textbuf_printf(w->out, "      %zu others\n", nr - shown);
}

static void write_rule(const struct change_writer *w)
{
	for (unsigned i = 0; i < PICS_LINE_CHARS; i++)
		textbuf_putc(w->out, '-');
	textbuf_putc(w->out, '\n');
}

static void write_heading(const struct change_writer *w, const char *what)
{
	textbuf_printf(w->out, "%s%*s  %*s  %*s  %s%s\n", w->bold ? TEXT_BOLD : "", w->chars + 1, "B - A", w->chars,
		       "A", w->chars, "B", what, w->bold ? TEXT_PLAIN : "");
	write_rule(w);
}

static void write_change(const struct change_writer *w, const struct pics_changes *c, size_t i)
{
	const struct pics_change *x = &c->changes[i];
	const struct pics_view *v = &c->views[pics_named_side(x)];
	const char *text = v->by == PICS_INSTRUCTION ? name_of(c, x)->text : NULL;
	struct pics_delta deltas[NR_SIGNATURES];
	struct textbuf name;
	size_t indent = 3 * (size_t)w->chars + 7;
	textbuf_init(&name);
	if (x->unit[SIDE_A] == SIZE_MAX || x->unit[SIDE_B] == SIZE_MAX)
		textbuf_printf(&name, "only in %s: ", x->unit[SIDE_A] == SIZE_MAX ? "B" : "A");
	pics_unit_name(v, unit_of(c, x, pics_named_side(x)), "", &name);
	write_numbers(w, x->difference, x->cycles);
	textbuf_puts(w->out, "  ");
	pics_end_line(w->out, indent, &name, text);
	write_deltas(w, deltas, pics_deltas(w->comparison, c, i, i + 1, deltas));
}

/* The changes from `from` on. */
static void write_rest(const struct change_writer *w, const struct pics_changes *c, size_t from, const char *name)
{
	struct pics_delta deltas[NR_SIGNATURES], sum = {0};
	size_t nr = pics_deltas(w->comparison, c, from, c->nr, deltas);
	for (size_t i = 0; i < nr; i++) {
		sum.difference += deltas[i].difference;
		for (enum pics_side s = 0; s < NR_SIDES; s++)
			sum.cycles[s] += deltas[i].cycles[s];
	}
	write_rule(w);
	write_numbers(w, sum.difference, sum.cycles);
	textbuf_printf(w->out, "  %s\n", name);
	write_deltas(w, deltas, nr);
}

static void write_changes(const struct change_writer *w, const struct pics_changes *c, const char *what)
{
	size_t shown = pics_changes_shown(w->comparison, c);
	char name[60];
	textbuf_printf(w->out, "\nCycles by %s", what);
	if (shown < c->nr)
		textbuf_printf(w->out, ": the largest %zu of %zu differences", shown, c->nr);
	textbuf_putc(w->out, '\n');
	write_heading(w, what);
	for (size_t i = 0; i < shown; i++)
		write_change(w, c, i);
	if (shown < c->nr) {
		snprintf(name, sizeof(name), "the other %zu", c->nr - shown);
		write_rest(w, c, shown, name);
	}
	write_rest(w, c, 0, "all");
}

static void write_side(const struct pics_result *r, char letter, struct textbuf *out)
{
	textbuf_printf(out, "%c: ", letter);
	textbuf_label(out, r->run->stream);
	textbuf_puts(out, " on ");
	core_result_name(r->run, out);
	textbuf_printf(out, ", %" PRIu64 " cycles, %" PRIu64 " instructions\n", r->stacks->cycles,
		       r->stacks->instructions);
}

bool pics_comparison_text(const struct pics_comparison *c, bool bold, struct textbuf *out)
{
	const uint64_t a = c->sides[SIDE_A].stacks->cycles, b = c->sides[SIDE_B].stacks->cycles;
	struct change_writer w = {.comparison = c, .out = out, .chars = 8, .bold = bold};
	for (uint64_t n = a > b ? a : b; n >= 10000; n /= 10)
		w.chars++;
	textbuf_puts(out, "Cycle stacks of two profiles:\n");
	write_side(&c->sides[SIDE_A], 'A', out);
	write_side(&c->sides[SIDE_B], 'B', out);
	textbuf_printf(out, "B - A: %+" PRId64 " cycles; speedup %.3f; counted exactly, in 1/%u of a cycle\n",
		       (int64_t)(b - a), (double)a / (double)b, c->units);
	write_changes(&w, &c->functions, "function");
	write_changes(&w, &c->instructions, "instruction");
	return true;
}

/* ---- CSV ---- */

static void csv_pc(const struct pics_changes *c, const struct pics_change *x, enum pics_side side, struct textbuf *out)
{
	char text[24] = "";
	if (x->unit[side] != SIZE_MAX)
		snprintf(text, sizeof(text), "0x%" PRIx64, pc_of(c, x, side));
	csv_string(out, text);
}

static void csv_change(const struct pics_comparison *c, const struct pics_changes *changes, size_t i, const char *what,
		       struct textbuf *out)
{
	const struct pics_change *x = &changes->changes[i];
	const struct code_name *n = name_of(changes, x);
	bool is_insn = changes->views[SIDE_A].by == PICS_INSTRUCTION;
	struct pics_delta deltas[NR_SIGNATURES];
	char name[STACK_SIGNATURE_NAME_BYTES], offset[24] = "";
	size_t nr = pics_deltas(c, changes, i, i + 1, deltas);
	if (is_insn && n->place.function)
		snprintf(offset, sizeof(offset), "0x%" PRIx64, n->place.function_offset);
	for (size_t k = 0; k < nr; k++) {
		csv_string(out, what);
		csv_string(out, place_of(x));
		csv_string(out, n->place.module ? n->place.module : "");
		csv_string(out, n->place.function ? n->place.function : "");
		csv_string(out, offset);
		csv_pc(changes, x, SIDE_A, out);
		csv_pc(changes, x, SIDE_B, out);
		csv_string(out, is_insn && n->text ? n->text : "");
		csv_string(out, signature_name(deltas[k].signature, name));
		csv_u64(out, deltas[k].cycles[SIDE_A]);
		csv_u64(out, deltas[k].cycles[SIDE_B]);
		csv_i64(out, deltas[k].difference);
		csv_u64(out, c->units);
		csv_end_row(out);
	}
}

bool pics_comparison_csv(const struct pics_comparison *c, struct textbuf *out)
{
	textbuf_puts(out, "by,in,module,function,function_offset,pc_a,pc_b,text,signature,units_a,units_b,"
			  "difference_units,units_per_cycle\n");
	for (size_t i = 0; i < pics_changes_shown(c, &c->functions); i++)
		csv_change(c, &c->functions, i, "function", out);
	for (size_t i = 0; i < pics_changes_shown(c, &c->instructions); i++)
		csv_change(c, &c->instructions, i, "instruction", out);
	return true;
}

/* ---- JSON ---- */

static void json_hex(struct jwriter *j, const char *key, uint64_t value)
{
	char text[24];
	snprintf(text, sizeof(text), "0x%" PRIx64, value);
	jwrite_string(j, key, text);
}

static void json_change(struct jwriter *j, const struct pics_comparison *c, const struct pics_changes *changes,
			size_t i)
{
	const struct pics_change *x = &changes->changes[i];
	const struct code_name *n = name_of(changes, x);
	bool is_insn = changes->views[SIDE_A].by == PICS_INSTRUCTION;
	struct pics_delta deltas[NR_SIGNATURES];
	char name[STACK_SIGNATURE_NAME_BYTES];
	size_t nr = pics_deltas(c, changes, i, i + 1, deltas);
	jwrite_begin_object(j, NULL);
	jwrite_string(j, "in", place_of(x));
	if (n->place.module)
		jwrite_string(j, "module", n->place.module);
	if (n->place.function)
		jwrite_string(j, "function", n->place.function);
	if (is_insn && n->place.function)
		json_hex(j, "function_offset", n->place.function_offset);
	if (x->unit[SIDE_A] != SIZE_MAX)
		json_hex(j, "pc_a", pc_of(changes, x, SIDE_A));
	if (x->unit[SIDE_B] != SIZE_MAX)
		json_hex(j, "pc_b", pc_of(changes, x, SIDE_B));
	if (is_insn && n->text)
		jwrite_string(j, "text", n->text);
	jwrite_i64(j, "difference_units", x->difference);
	jwrite_begin_array(j, "stack", false);
	for (size_t k = 0; k < nr; k++) {
		jwrite_begin_flat_object(j, NULL);
		jwrite_string(j, "signature", signature_name(deltas[k].signature, name));
		jwrite_u64(j, "units_a", deltas[k].cycles[SIDE_A]);
		jwrite_u64(j, "units_b", deltas[k].cycles[SIDE_B]);
		jwrite_i64(j, "difference_units", deltas[k].difference);
		jwrite_end_object(j);
	}
	jwrite_end_array(j);
	jwrite_end_object(j);
}

static void json_changes(struct jwriter *j, const char *key, const struct pics_comparison *c,
			 const struct pics_changes *changes)
{
	jwrite_begin_array(j, key, false);
	for (size_t i = 0; i < pics_changes_shown(c, changes); i++)
		json_change(j, c, changes, i);
	jwrite_end_array(j);
}

static void json_side(struct jwriter *j, const char *key, const struct pics_result *r)
{
	jwrite_begin_object(j, key);
	jwrite_string(j, "stream", r->run->stream);
	jwrite_string(j, "core", r->run->core);
	jwrite_string(j, "config_hash", r->run->config_hash);
	core_report_json_sampling(j, r->run->nr_sampled, &r->run->sampling);
	jwrite_u64(j, "cycles", r->stacks->cycles);
	jwrite_u64(j, "instructions", r->stacks->instructions);
	jwrite_end_object(j);
}

bool pics_comparison_json(const struct pics_comparison *c, struct textbuf *out)
{
	struct jwriter j;
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	jwrite_string(&j, "schema", PICS_COMPARISON_SCHEMA);
	json_side(&j, "a", &c->sides[SIDE_A]);
	json_side(&j, "b", &c->sides[SIDE_B]);
	jwrite_u64(&j, "units_per_cycle", c->units);
	jwrite_i64(&j, "difference_units", (int64_t)(c->total[SIDE_B] - c->total[SIDE_A]));
	json_changes(&j, "functions", c, &c->functions);
	json_changes(&j, "instructions", c, &c->instructions);
	jwrite_end_object(&j);
	jwrite_finish(&j);
	return true;
}
