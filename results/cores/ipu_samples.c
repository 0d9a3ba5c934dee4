#include "results/cores/ipu_samples.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/cores/pics_internal.h"
#include "results/metrics/csv.h"
#include "results/metrics/table.h"

#define FIRST_ROWS 1024u

static int by_pc(const void *a, const void *b)
{
	const struct ipu_row *x = a, *y = b;
	if (x->pc != y->pc)
		return x->pc < y->pc ? -1 : 1;
	return (x->signature > y->signature) - (x->signature < y->signature);
}

static int highest_first(const void *a, const void *b)
{
	const struct ipu_row *x = a, *y = b;
	return x->samples != y->samples ? (x->samples < y->samples) - (x->samples > y->samples) : by_pc(a, b);
}

/* Rows of one PC and signature become one. */
static void merge(struct ipu_samples *s)
{
	size_t nr = 0;
	if (s->nr > 0)
		qsort(s->rows, s->nr, sizeof(*s->rows), by_pc);
	for (size_t i = 0; i < s->nr; i++)
		if (nr > 0 && by_pc(&s->rows[nr - 1], &s->rows[i]) == 0)
			s->rows[nr - 1].samples += s->rows[i].samples;
		else
			s->rows[nr++] = s->rows[i];
	s->nr = nr;
}

/* So that memory grows with the number of different rows. */
static bool make_room(struct ipu_samples *s)
{
	if (s->nr < s->room)
		return true;
	merge(s);
	if (s->room > 0 && s->nr <= s->room / 2)
		return true;
	size_t room = s->room > 0 ? 2 * s->room : FIRST_ROWS;
	struct ipu_row *grown = realloc(s->rows, room * sizeof(*grown));
	if (!grown)
		return false;
	s->rows = grown;
	s->room = room;
	return true;
}

void ipu_samples_add(struct ipu_samples *s, const struct ipu_packet *p)
{
	const uint8_t *b = p->bytes;
	if (p->nr_bytes != IPU_SAMPLE_BYTES || (b[4] | b[5] << 8) >= NR_SIGNATURES) {
		s->rejected++;
		return;
	}
	s->failed = s->failed || !make_room(s);
	if (s->failed)
		return;
	uint32_t pc = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
	s->rows[s->nr++] = (struct ipu_row){pc, (uint16_t)(b[4] | b[5] << 8), 1};
	s->total++;
}

bool ipu_samples_end(struct ipu_samples *s)
{
	merge(s);
	return !s->failed;
}

void ipu_samples_release(struct ipu_samples *s)
{
	free(s->rows);
	*s = (struct ipu_samples){0};
}

/* The first instruction at or past `pc`. */
static size_t insn_from(const struct stacks *s, uint64_t pc)
{
	size_t low = 0, high = s->nr_insns;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (s->insns[middle].pc < pc)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

size_t ipu_sample_insn(const struct stacks *s, uint32_t pc)
{
	/* Code lies in few places of 4 GiB each. */
	for (size_t i = 0; i < s->nr_insns;) {
		uint64_t upper = s->insns[i].pc >> 32 << 32;
		size_t at = insn_from(s, upper | pc);
		if (at < s->nr_insns && s->insns[at].pc == (upper | pc))
			return at;
		i = upper == UINT64_MAX >> 32 << 32 ? s->nr_insns : insn_from(s, upper + (UINT64_C(1) << 32));
	}
	return s->nr_insns;
}

static int by_insn(const void *a, const void *b)
{
	const struct stack_weight *x = a, *y = b;
	if (x->insn != y->insn)
		return x->insn < y->insn ? -1 : 1;
	return (x->signature > y->signature) - (x->signature < y->signature);
}

bool ipu_samples_profile(const struct ipu_samples *s, const struct stacks *stacks, struct stack_profile *out)
{
	*out = (struct stack_profile){.weights = calloc(s->nr + 1, sizeof(*out->weights))};
	if (!out->weights)
		return false;
	for (size_t i = 0; i < s->nr; i++) {
		size_t insn = ipu_sample_insn(stacks, s->rows[i].pc);
		if (insn == stacks->nr_insns)
			continue;
		out->weights[out->nr++] =
			(struct stack_weight){(uint32_t)insn, s->rows[i].signature, s->rows[i].samples};
		out->total += s->rows[i].samples;
	}
	if (out->nr > 0)
		qsort(out->weights, out->nr, sizeof(*out->weights), by_insn);
	return true;
}

/* ---- Reports ---- */

/* rows[nr], the highest first; to be freed. NULL when memory is short. */
static struct ipu_row *sort_rows(const struct ipu_samples *s)
{
	struct ipu_row *rows = calloc(s->nr + 1, sizeof(*rows));
	if (rows && s->nr > 0) {
		memcpy(rows, s->rows, s->nr * sizeof(*rows));
		qsort(rows, s->nr, sizeof(*rows), highest_first);
	}
	return rows;
}

static size_t nr_shown(const struct ipu_stacks *s, uint64_t top)
{
	return top > 0 && top < s->samples.nr ? (size_t)top : s->samples.nr;
}

/* All bits of a PC, if its instruction is known. */
static uint64_t whole_pc(const struct ipu_stacks *s, uint32_t pc)
{
	size_t insn = ipu_sample_insn(s->stacks, pc);
	return insn < s->stacks->nr_insns ? s->stacks->insns[insn].pc : pc;
}

/* Where an instruction is, and which: "" if that is not known. */
static void write_place(const struct ipu_stacks *s, uint32_t pc, struct textbuf *out)
{
	size_t insn = ipu_sample_insn(s->stacks, pc);
	if (insn == s->stacks->nr_insns)
		return;
	pics_place(&s->names[insn], true, out);
	if (s->names[insn].text)
		textbuf_printf(out, "%s%s", out->len > 0 ? "  " : "", s->names[insn].text);
}

static void write_head(const struct ipu_stacks *s, struct textbuf *out)
{
	const struct ipu_counts *c = &s->counts;
	uint64_t looked = c->taken + c->dropped;
	textbuf_printf(out,
		       "As an introspection unit sees it: program %s, core at %" PRIu32 " MHz, unit at %" PRIu32
		       " MHz, mode %s\n",
		       s->program, s->hit_mhz, s->ipu_mhz, s->mode);
	textbuf_printf(out, "Cycles with an event: %.2f %% (dissertation: below 25 %%)\n",
		       pics_pct(s->core.event_cycles, s->core.cycles));
	textbuf_printf(out, "Input sets: %" PRIu64, c->arrived);
	if (c->skipped > 0)
		textbuf_printf(out, ", of which the mode skipped %.2f %%; of the others",
			       pics_pct(c->skipped, c->arrived));
	else
		textbuf_puts(out, ", of which");
	textbuf_printf(out, " %.2f %% dropped\n", pics_pct(c->dropped, looked));
	textbuf_printf(out, "Samples: %" PRIu64, s->samples.total);
	if (s->period > 0)
		textbuf_printf(out, ", each for %" PRIu64 " cycles", s->period);
	if (c->missed_periods > 0)
		textbuf_printf(out, "; %" PRIu64 " missed, in which the unit was busy or not active",
			       c->missed_periods);
	else if (s->samples.total == 0 && s->period > 0)
		textbuf_puts(out, "; a smaller period takes some");
	textbuf_puts(out, "\n\n");
}

bool ipu_stacks_text(const struct ipu_stacks *s, uint64_t top, bool bold, struct textbuf *out)
{
	struct ipu_row *rows = sort_rows(&s->samples);
	struct table t;
	struct textbuf place;
	char name[STACK_SIGNATURE_NAME_BYTES];
	if (!rows)
		return false;
	textbuf_init(&place);
	table_init(&t);
	write_head(s, out);
	table_row(&t, false);
	t.left |= 1u << 1 | 1u << 4;
	table_words(&t, (const char *const[]){"PC", "events", s->period > 0 ? "cycles" : "samples", "%", "instruction"},
		    5);
	for (size_t i = 0; i < nr_shown(s, top); i++) {
		table_row(&t, i == 0);
		table_cell(&t, "0x%" PRIx64, whole_pc(s, rows[i].pc));
		table_cell(&t, "%s", signature_name(rows[i].signature, name));
		table_cell(&t, "%" PRIu64, rows[i].samples * (s->period > 0 ? s->period : 1));
		table_cell(&t, "%.1f", pics_pct(rows[i].samples, s->samples.total));
		write_place(s, rows[i].pc, &place);
		table_cell_text(&t, &place);
	}
	bool ok = s->samples.nr == 0 || table_write(&t, bold, out);
	if (nr_shown(s, top) < s->samples.nr)
		textbuf_printf(out, "... and %zu more rows (--top)\n", s->samples.nr - nr_shown(s, top));
	table_release(&t);
	textbuf_release(&place);
	free(rows);
	return ok;
}

bool ipu_stacks_csv(const struct ipu_stacks *s, uint64_t top, struct textbuf *out)
{
	struct ipu_row *rows = sort_rows(&s->samples);
	char name[STACK_SIGNATURE_NAME_BYTES];
	if (!rows)
		return false;
	textbuf_puts(out, "pc,events,signature,samples,cycles,place\n");
	for (size_t i = 0; i < nr_shown(s, top); i++) {
		struct textbuf place;
		textbuf_init(&place);
		write_place(s, rows[i].pc, &place);
		textbuf_printf(out, "0x%" PRIx64 ",%s,%u,%" PRIu64 ",", whole_pc(s, rows[i].pc),
			       signature_name(rows[i].signature, name), rows[i].signature, rows[i].samples);
		if (s->period > 0)
			textbuf_printf(out, "%" PRIu64, rows[i].samples * s->period);
		csv_string(out, place.len > 0 ? place.text : "");
		csv_end_row(out);
		textbuf_release_part(&place, out);
	}
	free(rows);
	return true;
}

static void json_counts(struct jwriter *j, const struct ipu_stacks *s)
{
	jwrite_string(j, "program", s->program);
	jwrite_string(j, "mode", s->mode);
	jwrite_u64(j, "hit_mhz", s->hit_mhz);
	jwrite_u64(j, "ipu_mhz", s->ipu_mhz);
	jwrite_u64(j, "period_cycles", s->period);
	jwrite_u64(j, "event_cycles", s->core.event_cycles);
	jwrite_u64(j, "lost_fetch_events", s->core.lost_fetch);
	jwrite_u64(j, "lost_access_events", s->core.lost_access);
	jwrite_u64(j, "lost_flush_events", s->core.lost_flush);
	jwrite_u64(j, "sets", s->counts.arrived);
	jwrite_u64(j, "sets_ignored", s->counts.ignored);
	jwrite_u64(j, "sets_skipped", s->counts.skipped);
	jwrite_u64(j, "sets_dropped", s->counts.dropped);
	jwrite_u64(j, "sets_taken", s->counts.taken);
	jwrite_u64(j, "ipu_instructions", s->counts.instructions);
	jwrite_u64(j, "ipu_busy_cycles", s->counts.busy_cycles);
	jwrite_u64(j, "missed_periods", s->counts.missed_periods);
	jwrite_u64(j, "packets", s->counts.packets);
	jwrite_u64(j, "packets_lost", s->counts.lost_packets);
	jwrite_u64(j, "packets_rejected", s->samples.rejected);
	jwrite_u64(j, "bytes", s->counts.bytes);
	jwrite_u64(j, "samples", s->samples.total);
}

bool ipu_stacks_json(const struct ipu_stacks *s, uint64_t top, struct jwriter *j)
{
	struct ipu_row *rows = sort_rows(&s->samples);
	char name[STACK_SIGNATURE_NAME_BYTES], pc[24];
	if (!rows)
		return false;
	jwrite_begin_object(j, "ipu");
	json_counts(j, s);
	jwrite_begin_array(j, "rows", false);
	for (size_t i = 0; i < nr_shown(s, top); i++) {
		jwrite_begin_flat_object(j, NULL);
		snprintf(pc, sizeof(pc), "0x%" PRIx64, whole_pc(s, rows[i].pc));
		jwrite_string(j, "pc", pc);
		jwrite_string(j, "events", signature_name(rows[i].signature, name));
		jwrite_u64(j, "samples", rows[i].samples);
		jwrite_end_object(j);
	}
	jwrite_end_array(j);
	jwrite_end_object(j);
	free(rows);
	return true;
}
