#include "results/cores/sample_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "results/metrics/csv.h"
#include "results/metrics/table.h"
#include "sim/base/file.h"

/* ---- Histograms ---- */

static int by_key(const void *a, const void *b)
{
	const struct sample_row *x = a, *y = b;
	if (x->has_key != y->has_key)
		return x->has_key ? -1 : 1;
	return (x->key > y->key) - (x->key < y->key);
}

static int by_samples(const void *a, const void *b)
{
	const struct sample_row *x = a, *y = b;
	if (x->samples != y->samples)
		return x->samples > y->samples ? -1 : 1;
	return by_key(a, b);
}

static int compare_texts(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

/* Rows of one function next to each other, by pc in it. */
static int by_function(const void *a, const void *b)
{
	const struct sample_row *x = a, *y = b;
	int order = compare_texts(x->place.module, y->place.module);
	if (order == 0)
		order = compare_texts(x->place.function, y->place.function);
	if (order != 0)
		return order;
	uint64_t begin = x->place.module_offset - x->place.function_offset,
		 other = y->place.module_offset - y->place.function_offset;
	if (x->place.function && begin != other)
		return begin < other ? -1 : 1;
	return by_key(a, b);
}

static bool is_same_function(const struct sample_row *x, const struct sample_row *y)
{
	return x->place.function && y->place.function && strcmp(x->place.module, y->place.module) == 0 &&
	       x->place.module_offset - x->place.function_offset == y->place.module_offset - y->place.function_offset;
}

static bool is_same_key(const struct sample_row *x, const struct sample_row *y)
{
	return by_key(x, y) == 0;
}

/* Makes one row of neighbours that are the same. */
static void merge(struct sample_histogram *h, bool (*is_same)(const struct sample_row *x, const struct sample_row *y))
{
	size_t nr = 0;
	for (size_t i = 0; i < h->nr; i++)
		if (nr > 0 && is_same(&h->rows[nr - 1], &h->rows[i]))
			h->rows[nr - 1].samples += h->rows[i].samples;
		else
			h->rows[nr++] = h->rows[i];
	h->nr = nr;
}

static bool collect(const struct sample_report *r, unsigned counter, struct sample_histogram *h)
{
	for (uint64_t i = 0; i < r->file->head.samples; i++)
		h->samples += sample_file_at(r->file, i).counter == counter;
	h->rows = malloc((h->samples + 1) * sizeof(*h->rows));
	for (uint64_t i = 0; h->rows && i < r->file->head.samples; i++) {
		struct sample s = sample_file_at(r->file, i);
		bool is_address = r->by == SAMPLES_BY_ADDRESS;
		if (s.counter == counter)
			h->rows[h->nr++] = (struct sample_row){.samples = 1,
							       .key = is_address ? s.address : s.pc,
							       .has_key = !is_address || (s.flags & PES_ADDRESS_VALID)};
	}
	return h->rows != NULL;
}

static enum sahm_status make(struct sample_report *r, unsigned event, struct function_map *map, struct sahm_err *err)
{
	struct sample_histogram *h = &r->histograms[event];
	enum sahm_status status = SAHM_OK;
	if (!collect(r, r->file->head.events[event].counter, h))
		return sahm_fail_nomem(err);
	qsort(h->rows, h->nr, sizeof(*h->rows), by_key);
	merge(h, is_same_key);
	for (size_t i = 0; map && r->by != SAMPLES_BY_ADDRESS && i < h->nr && status == SAHM_OK; i++)
		status = function_map_place(map, h->rows[i].key, &h->rows[i].place, err);
	if (r->by == SAMPLES_BY_FUNCTION) {
		qsort(h->rows, h->nr, sizeof(*h->rows), by_function);
		merge(h, is_same_function);
	}
	qsort(h->rows, h->nr, sizeof(*h->rows), by_samples);
	return status;
}

enum sahm_status sample_report_init(struct sample_report *r, const struct sample_file *file, enum sample_key by,
				    uint64_t top, struct function_map *map, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	*r = (struct sample_report){.file = file, .by = by, .top = top};
	for (unsigned i = 0; i < file->head.nr_events && status == SAHM_OK; i++)
		status = make(r, i, map, err);
	return status;
}

void sample_report_release(struct sample_report *r)
{
	for (unsigned i = 0; i < HPM_COUNTERS; i++)
		free(r->histograms[i].rows);
}

static size_t nr_shown(const struct sample_report *r, const struct sample_histogram *h)
{
	return r->top > 0 && r->top < h->nr ? (size_t)r->top : h->nr;
}

static double share_of(const struct sample_histogram *h, const struct sample_row *row)
{
	return (double)row->samples / (double)h->samples;
}

/* ---- Text ---- */

/* "sort+0x1c", and without the pc in it "sort"; where the function is not known "libc.so.6+0x9a3", or the pc. */
static void add_place(const struct sample_row *row, bool has_offset, struct textbuf *out)
{
	const struct function_place *p = &row->place;
	if (!p->module)
		textbuf_printf(out, "0x%" PRIx64, row->key);
	else if (!p->function)
		textbuf_printf(out, "%s+0x%" PRIx64, base_name(p->module), p->module_offset);
	else if (has_offset)
		textbuf_printf(out, "%s+0x%" PRIx64, p->function, p->function_offset);
	else
		textbuf_puts(out, p->function);
}

static void write_row(const struct sample_report *r, const struct sample_histogram *h, const struct sample_row *row,
		      struct table *t)
{
	struct textbuf place;
	table_row(t, false);
	table_cell(t, "%" PRIu64, row->samples);
	table_cell(t, "%.1f", 100 * share_of(h, row));
	if (r->by != SAMPLES_BY_FUNCTION)
		table_cell(t, row->has_key ? "0x%" PRIx64 : "none", row->key);
	if (r->by == SAMPLES_BY_ADDRESS)
		return;
	textbuf_init(&place);
	add_place(row, r->by == SAMPLES_BY_PC, &place);
	table_cell_text(t, &place);
	textbuf_release(&place);
	table_cell(t, "%s", row->place.module ? base_name(row->place.module) : "-");
}

static bool write_event(const struct sample_report *r, unsigned event, bool bold, struct textbuf *out)
{
	const struct sample_event *e = &r->file->head.events[event];
	const struct sample_histogram *h = &r->histograms[event];
	struct table t;
	textbuf_printf(out, "\n%s, every %" PRIu64 " of %" PRIu64 ": %" PRIu64 " sample%s\n", e->name, e->threshold,
		       e->counted, h->samples, h->samples == 1 ? "" : "s");
	if (h->nr == 0)
		return true;
	table_init(&t);
	t.left |= 1u << 2 | 1u << 3 | 1u << 4;
	table_row(&t, false);
	table_cell(&t, "samples");
	table_cell(&t, "%%");
	if (r->by != SAMPLES_BY_FUNCTION)
		table_cell(&t, r->by == SAMPLES_BY_PC ? "pc" : "address");
	if (r->by != SAMPLES_BY_ADDRESS) {
		table_cell(&t, "function");
		table_cell(&t, "file");
	}
	for (size_t i = 0; i < nr_shown(r, h); i++)
		write_row(r, h, &h->rows[i], &t);
	bool ok = table_write(&t, bold, out);
	table_release(&t);
	if (nr_shown(r, h) < h->nr)
		textbuf_printf(out, "and %zu more row%s\n", h->nr - nr_shown(r, h),
			       h->nr - nr_shown(r, h) == 1 ? "" : "s");
	return ok;
}

bool sample_report_text(const struct sample_report *r, bool bold, struct textbuf *out)
{
	const struct sample_head *h = &r->file->head;
	bool ok = true;
	textbuf_printf(out,
		       "Samples of %s on %s: %" PRIu64 " instructions in %" PRIu64 " cycles\n"
		       "%" PRIu64 " samples, %" PRIu64 " lost; buffer of %" PRIu64
		       " bytes, buffer-full interrupts: %" PRIu64 "; skid %" PRIu32
		       "; %s counters; interrupts take no cycles\n",
		       h->stream, h->core, h->instructions, h->cycles, h->samples, h->lost, h->buffer_bytes, h->fulls,
		       h->skid, h->counters);
	for (unsigned i = 0; i < h->nr_events && ok; i++)
		ok = write_event(r, i, bold, out);
	return ok;
}

/* ---- CSV and JSON ---- */

static void csv_hex(struct textbuf *out, bool is_there, uint64_t value)
{
	char text[24] = "";
	if (is_there)
		snprintf(text, sizeof(text), "0x%" PRIx64, value);
	csv_string(out, text);
}

static void csv_row(const struct sample_report *r, unsigned event, const struct sample_row *row, struct textbuf *out)
{
	csv_string(out, r->file->head.events[event].name);
	csv_u64(out, r->file->head.events[event].threshold);
	csv_u64(out, row->samples);
	csv_double(out, share_of(&r->histograms[event], row));
	csv_hex(out, row->has_key, row->key);
	if (r->by != SAMPLES_BY_ADDRESS) {
		csv_string(out, row->place.function ? row->place.function : "");
		csv_hex(out, row->place.function && r->by == SAMPLES_BY_PC, row->place.function_offset);
		csv_string(out, row->place.module ? row->place.module : "");
		csv_hex(out, row->place.module, row->place.module_offset);
	}
	csv_end_row(out);
}

bool sample_report_csv(const struct sample_report *r, struct textbuf *out)
{
	textbuf_puts(out, r->by == SAMPLES_BY_ADDRESS
				  ? "event,threshold,samples,share,address\n"
				  : "event,threshold,samples,share,pc,function,function_offset,file,file_offset\n");
	for (unsigned i = 0; i < r->file->head.nr_events; i++)
		for (size_t k = 0; k < nr_shown(r, &r->histograms[i]); k++)
			csv_row(r, i, &r->histograms[i].rows[k], out);
	return true;
}

static void json_hex(struct jwriter *j, const char *key, uint64_t value)
{
	char text[24];
	snprintf(text, sizeof(text), "0x%" PRIx64, value);
	jwrite_string(j, key, text);
}

static void json_row(const struct sample_report *r, unsigned event, const struct sample_row *row, struct jwriter *j)
{
	jwrite_begin_flat_object(j, NULL);
	jwrite_u64(j, "samples", row->samples);
	jwrite_double(j, "share", share_of(&r->histograms[event], row));
	if (row->has_key)
		json_hex(j, r->by == SAMPLES_BY_ADDRESS ? "address" : "pc", row->key);
	if (row->place.function)
		jwrite_string(j, "function", row->place.function);
	if (row->place.function && r->by == SAMPLES_BY_PC)
		json_hex(j, "function_offset", row->place.function_offset);
	if (row->place.module) {
		jwrite_string(j, "file", row->place.module);
		json_hex(j, "file_offset", row->place.module_offset);
	}
	jwrite_end_object(j);
}

static void json_event(const struct sample_report *r, unsigned event, struct jwriter *j)
{
	const struct sample_event *e = &r->file->head.events[event];
	const struct sample_histogram *h = &r->histograms[event];
	jwrite_begin_object(j, NULL);
	jwrite_string(j, "event", e->name);
	jwrite_u64(j, "counter", e->counter);
	json_hex(j, "selector", e->selector);
	jwrite_u64(j, "threshold", e->threshold);
	jwrite_u64(j, "counted", e->counted);
	jwrite_u64(j, "samples", h->samples);
	jwrite_u64(j, "nr_rows", h->nr);
	jwrite_begin_array(j, "rows", false);
	for (size_t i = 0; i < nr_shown(r, h); i++)
		json_row(r, event, &h->rows[i], j);
	jwrite_end_array(j);
	jwrite_end_object(j);
}

bool sample_report_json(const struct sample_report *r, struct textbuf *out)
{
	const struct sample_head *h = &r->file->head;
	struct jwriter j;
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	jwrite_string(&j, "schema", SAMPLE_SCHEMA);
	jwrite_string(&j, "stream", h->stream);
	jwrite_string(&j, "core", h->core);
	jwrite_string(&j, "family", h->family);
	jwrite_string(&j, "counters", h->counters);
	jwrite_u64(&j, "cycles", h->cycles);
	jwrite_u64(&j, "instructions", h->instructions);
	jwrite_u64(&j, "samples", h->samples);
	jwrite_u64(&j, "lost", h->lost);
	jwrite_u64(&j, "fulls", h->fulls);
	jwrite_u64(&j, "buffer_bytes", h->buffer_bytes);
	jwrite_u64(&j, "skid_instructions", h->skid);
	jwrite_begin_array(&j, "events", false);
	for (unsigned i = 0; i < h->nr_events; i++)
		json_event(r, i, &j);
	jwrite_end_array(&j);
	jwrite_end_object(&j);
	jwrite_finish(&j);
	return true;
}
