/* Words and numbers that the forms of a report of cycle stacks share. */
#include <inttypes.h>
#include <string.h>

#include "results/cores/pics_internal.h"
#include "sim/base/clean.h"
#include "sim/base/file.h"

#define NAME_CHARS 40u

void pics_bar(struct textbuf *out, double value, double most, unsigned room)
{
	unsigned nr = most > 0 ? (unsigned)(value / most * room + 0.5) : 0;
	for (unsigned i = 0; i < nr && i < room; i++)
		textbuf_putc(out, '#');
}

/* Appends `text`, of which only the beginning if it is long. */
static void add_cut(struct textbuf *out, const char *text)
{
	size_t len = strlen(text), kept = len;
	if (len > NAME_CHARS)
		for (kept = NAME_CHARS - 2; kept > 0 && ((unsigned char)text[kept] & 0xc0) == 0x80;)
			kept--;
	textbuf_add(out, text, kept);
	textbuf_puts(out, kept < len ? ".." : "");
}

static void add_place(const struct code_name *name, bool has_offset, const char *before, struct textbuf *out)
{
	struct textbuf place;
	textbuf_init(&place);
	pics_place(name, has_offset, &place);
	if (place.len > 0) {
		textbuf_puts(out, before);
		add_cut(out, place.text);
	}
	textbuf_release_part(&place, out);
}

static void name_function(const struct pics_view *v, const struct pics_unit *u, struct textbuf *out)
{
	const struct code_name *name = &v->names[u->insn];
	if (name->place.function)
		add_place(name, false, "", out);
	else
		textbuf_printf(out, "? 0x%" PRIx64 "..", v->stacks->insns[u->insn].pc & ~(uint64_t)0xfff);
	if (name->place.module)
		textbuf_printf(out, "  %.40s", base_name(name->place.module));
}

void pics_unit_name(const struct pics_view *v, const struct pics_unit *u, const char *program, struct textbuf *out)
{
	const struct code_name *name = &v->names[u->insn];
	if (v->by == PICS_PROGRAM) {
		textbuf_puts(out, program);
		return;
	}
	if (v->by == PICS_FUNCTION) {
		name_function(v, u, out);
		return;
	}
	textbuf_printf(out, "0x%" PRIx64, v->stacks->insns[u->insn].pc);
	if (v->by == PICS_BLOCK)
		textbuf_printf(out, "..0x%" PRIx64, v->stacks->insns[u->insn + u->nr_insns - 1].pc);
	add_place(name, true, "  ", out);
	if (name->file && name->line > 0)
		textbuf_printf(out, "  %.40s:%u", base_name(name->file), name->line);
}

void pics_unit_line(const struct pics_view *v, const struct pics_unit *u, const char *program, struct textbuf *out)
{
	const char *text = v->by == PICS_INSTRUCTION ? v->names[u->insn].text : NULL;
	struct textbuf name;
	textbuf_init(&name);
	pics_unit_name(v, u, program, &name);
	if (text)
		textbuf_printf(&name, "  %.60s", text);
	textbuf_label(out, name.text);
	textbuf_release_part(&name, out);
}

unsigned pics_short_stall(const struct stacks *s)
{
	uint64_t all = 0, below = 0;
	for (unsigned i = 0; i <= MAX_BASE_STALL; i++)
		all += s->base_stalls[i];
	for (unsigned i = 0; i < MAX_BASE_STALL && all > 0; i++) {
		below += s->base_stalls[i];
		if (below >= all - all / 100)
			return i + 1;
	}
	return all > 0 ? MAX_BASE_STALL + 1 : 0;
}

void pics_count_events(const struct stacks *s, uint64_t *with, uint64_t *combined)
{
	*with = *combined = 0;
	for (size_t i = 0; i < s->nr_cells; i++) {
		const struct stack_cell *c = &s->cells[i];
		*with += c->signature ? c->executions : 0;
		*combined += signature_is_combined(c->signature) ? c->executions : 0;
	}
}

void pics_end_line(struct textbuf *out, size_t indent, struct textbuf *name, const char *text)
{
	textbuf_label(out, name->text);
	if (text) {
		if (indent + name->len + 2 + strlen(text) > PICS_LINE_CHARS)
			textbuf_printf(out, "\n%*s", (int)indent, "");
		textbuf_puts(out, "  ");
		textbuf_label(out, text);
	}
	textbuf_putc(out, '\n');
	textbuf_release_part(name, out);
}
