#include "results/cores/core_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "results/metrics/csv.h"
#include "results/metrics/table.h"
#include "sim/base/array.h"

static double ratio(uint64_t part, uint64_t whole)
{
	return whole > 0 ? (double)part / (double)whole : 0;
}

/* Misses per 1000 instructions. */
static double mpki(const struct core_counts *c, uint64_t misses)
{
	return 1000 * ratio(misses, c->timing.instructions);
}

enum sahm_status core_result_add_epoch(struct core_result *r, uint64_t epoch, const struct core_counts *counts,
				       struct sahm_err *err)
{
	struct core_epoch *bigger = realloc(r->epochs, (r->nr_epochs + 1) * sizeof(*bigger));
	if (!bigger)
		return sahm_fail_nomem(err);
	r->epochs = bigger;
	r->epochs[r->nr_epochs++] = (struct core_epoch){epoch, *counts};
	return SAHM_OK;
}

/* The value of a part that a core does not have. */
#define NOT_THERE UINT64_MAX

static bool has_llc(const struct core_result *r)
{
	return r->model->geometry.llc.bytes > 0;
}

static bool has_clock(const struct core_result *r)
{
	return core_geometry_needs_clock(&r->model->geometry);
}

static bool any_has_clock(const struct core_result *results, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (has_clock(&results[i]))
			return true;
	return false;
}

static double clock_cpi(const struct core_result *r)
{
	return r->model->geometry.clock.cpi / 1000.0;
}

static bool has_rob(const struct core_result *r)
{
	return r->model->timing.kind == CORE_OUT_OF_ORDER;
}

/* Misses and the like, in the order of columns: ROW(name, CSV column, value), of result `r` and counts `c`. */
#define CORE_MISSES(ROW)                                                                                               \
	ROW("l1i", "l1i_misses", c->functional.epoch.count[COUNTER_L1I_MISSES])                                        \
	ROW("l1d", "l1d_misses", c->functional.epoch.count[COUNTER_L1D_MISSES])                                        \
	ROW("l2", "l2_misses", c->functional.epoch.count[COUNTER_L2_MISSES])                                           \
	ROW("llc", "llc_misses", has_llc(r) ? c->functional.llc_misses : NOT_THERE)                                    \
	ROW("itlb", "itlb_misses", c->functional.itlb_misses)                                                          \
	ROW("dtlb", "dtlb_misses", c->functional.dtlb_misses)                                                          \
	ROW("walks", "page_walks", c->functional.walks)                                                                \
	ROW("btb", "btb_misses", c->functional.btb_misses)

/* Cycles up to the last dispatch, and of a whole stream up to its end: what stalls and occupancies are shares of. An
 * epoch's cycles are counted between commits, which come later. */
static uint64_t dispatch_time(const struct core_counts *c)
{
	uint64_t cycles = c->timing.busy_cycles;
	for (unsigned i = 0; i < NR_STALLS; i++)
		cycles += c->timing.stalls[i];
	return cycles;
}

static uint64_t mispredictions(const struct core_counts *c)
{
	return c->functional.epoch.count[COUNTER_BRANCH_MISSES];
}

/* ---- Text ---- */

static void name_cells(struct table *t, const struct core_result *r, const struct core_epoch *e)
{
	table_cell(t, "%s", r->stream);
	table_cell(t, "%s", r->core);
	for (unsigned i = 0; i < r->nr_settings; i++)
		table_cell(t, "%s", r->settings[i].text);
	if (r->epochs && e)
		table_cell(t, "%" PRIu64, e->number);
	else if (r->epochs)
		table_cell(t, "all");
}

static void name_heads(struct table *t, const struct core_result *r)
{
	table_row(t, false);
	table_cell(t, "stream");
	table_cell(t, "core");
	for (unsigned i = 0; i < r->nr_settings; i++)
		table_cell(t, "%s", r->settings[i].key);
	if (r->epochs)
		table_cell(t, "epoch");
}

typedef void row_fn(struct table *t, const struct core_result *r, const struct core_counts *c);

static void cycles_row(struct table *t, const struct core_result *r, const struct core_counts *c)
{
	(void)r;
	table_cell(t, "%" PRIu64, c->timing.instructions);
	table_cell(t, "%" PRIu64, c->timing.uops);
	table_cell(t, "%" PRIu64, c->timing.cycles);
	table_cell(t, "%.3f", ratio(c->timing.cycles, c->timing.instructions));
	table_cell(t, "%" PRIu64, c->functional.epoch.count[COUNTER_BRANCHES]);
	table_cell(t, "%" PRIu64, c->timing.violations);
	table_cell(t, "%" PRIu64, c->functional.prefetches);
}

static void misses_row(struct table *t, const struct core_result *r, const struct core_counts *c)
{
	table_cell(t, "%" PRIu64, mispredictions(c));
#define ROW(name, column, value) table_cell(t, (value) == NOT_THERE ? "-" : "%" PRIu64, value);
	CORE_MISSES(ROW)
#undef ROW
}

static void mpki_row(struct table *t, const struct core_result *r, const struct core_counts *c)
{
	table_cell(t, "%.2f", mpki(c, mispredictions(c)));
#define ROW(name, column, value) table_cell(t, (value) == NOT_THERE ? "-" : "%.2f", mpki(c, value));
	CORE_MISSES(ROW)
#undef ROW
}

static void stalls_row(struct table *t, const struct core_result *r, const struct core_counts *c)
{
	(void)r;
	table_cell(t, "%.1f", 100 * ratio(c->timing.busy_cycles, dispatch_time(c)));
	for (unsigned i = 0; i < NR_STALLS; i++)
		table_cell(t, "%.1f", 100 * ratio(c->timing.stalls[i], dispatch_time(c)));
}

/* Means over cycles; queues in one cell, in the order of the model. */
static void held_row(struct table *t, const struct core_result *r, const struct core_counts *c)
{
	const struct core_timing *m = &r->model->timing;
	struct textbuf queues;
	textbuf_init(&queues);
	for (unsigned i = 0; i < m->nr_queues; i++)
		textbuf_printf(&queues, "%s%s %.1f", i > 0 ? ", " : "", m->queues[i].name,
			       ratio(c->timing.queue_held[i], dispatch_time(c)));
	if (!has_rob(r))
		textbuf_puts(&queues, "-");
	table_cell(t, has_rob(r) ? "%.1f" : "-", ratio(c->timing.rob_held, dispatch_time(c)));
	table_cell(t, has_rob(r) ? "%.1f" : "-", ratio(c->timing.load_queue_held, dispatch_time(c)));
	table_cell(t, "%.1f", ratio(c->timing.store_queue_held, dispatch_time(c)));
	table_cell(t, "%.2f", ratio(c->timing.mshrs_held, dispatch_time(c)));
	table_cell_text(t, &queues);
	textbuf_release(&queues);
}

static bool write_table(const struct core_result *results, size_t nr, const char *const *heads, size_t nr_heads,
			row_fn *row, unsigned left, bool bold, struct textbuf *out)
{
	struct table t;
	table_init(&t);
	t.left |= 1u << 1 | left;
	name_heads(&t, results);
	table_words(&t, heads, nr_heads);
	for (size_t i = 0; i < nr; i++) {
		const struct core_result *r = &results[i];
		for (uint64_t e = 0; e < r->nr_epochs; e++) {
			table_row(&t, i == 0 && e == 0);
			name_cells(&t, r, &r->epochs[e]);
			row(&t, r, &r->epochs[e].counts);
		}
		table_row(&t, i == 0 && r->nr_epochs == 0);
		name_cells(&t, r, NULL);
		row(&t, r, &r->counts);
	}
	bool ok = table_write(&t, bold, out);
	table_release(&t);
	return ok;
}

void core_report_sampling(const struct stream_sampling *p, struct textbuf *out)
{
	if (p->every > 0)
		textbuf_printf(out,
			       "\nTimed: the last %" PRIu64 " of every %" PRIu64 " instructions, after %" PRIu64
			       " that only warm",
			       p->take, p->every, p->warm);
	if (p->skip > 0)
		textbuf_printf(out, "%s the first %" PRIu64 " instructions",
			       p->every > 0 ? "; not counting" : "\nTimed: all after", p->skip);
	if (p->every > 0 || p->skip > 0)
		textbuf_puts(out, "\n");
}

void core_report_sample(const char *stream, uint64_t nr_sampled, const char **before, struct textbuf *out)
{
	if (nr_sampled == 0)
		return;
	textbuf_printf(out, "%s%s is a sample: %" PRIu64 " epoch%s of the program\n", *before, stream, nr_sampled,
		       nr_sampled == 1 ? "" : "s");
	*before = "";
}

/* Once for each core, and each clock of it. */
static void write_clocks(const struct core_result *results, size_t nr, struct textbuf *out)
{
	const struct core_result *last = NULL;
	for (size_t i = 0; i < nr && results[i].stream == results[0].stream; i++) {
		const struct core_result *r = &results[i];
		if (!has_clock(r) || (last && last->core == r->core && clock_cpi(last) == clock_cpi(r)))
			continue;
		textbuf_puts(out, last ? "" : "\n");
		last = r;
		if (r->has_measured_clock)
			textbuf_printf(out, "Clock of the prefetchers of %s: measured, epoch by epoch\n", r->core);
		else
			textbuf_printf(out, "Clock of the prefetchers of %s: nominal, %.3f cycles per instruction\n",
				       r->core, clock_cpi(r));
	}
}

bool core_report_text(const struct core_result *results, size_t nr, bool bold, struct textbuf *out)
{
#define ROW(name, column, value) name,
	static const char *const misses[] = {"mispredicted", CORE_MISSES(ROW)};
#undef ROW
	static const char *const cycles[] = {"instructions", "uops",	   "cycles",	"CPI",
					     "branches",     "violations", "prefetches"};
	static const char *const held[] = {"ROB", "loads", "stores", "MSHRs", "issue queues"};
	const char *stalls[NR_STALLS + 1] = {"dispatching"};
	unsigned nr_before = results[0].nr_settings + (results[0].epochs != NULL); /* columns before those of a table */
	for (unsigned i = 0; i < NR_STALLS; i++)
		stalls[i + 1] = stall_name((enum stall)i);
	textbuf_puts(out, "Cycles:\n");
	bool ok = write_table(results, nr, cycles, ARRAY_SIZE(cycles), cycles_row, 0, bold, out);
	textbuf_puts(out, "\nBranches mispredicted, and misses:\n");
	ok = write_table(results, nr, misses, ARRAY_SIZE(misses), misses_row, 0, bold, out) && ok;
	textbuf_puts(out, "\nThe same, per 1000 instructions (MPKI):\n");
	ok = write_table(results, nr, misses, ARRAY_SIZE(misses), mpki_row, 0, bold, out) && ok;
	textbuf_puts(out, "\nShare of cycles in %: with a dispatch, and by the reason why nothing was dispatched:\n");
	ok = write_table(results, nr, stalls, NR_STALLS + 1, stalls_row, 0, bold, out) && ok;
	textbuf_puts(out, "\nEntries held, on average over cycles:\n");
	ok = write_table(results, nr, held, ARRAY_SIZE(held), held_row, 1u << (6 + nr_before), bold, out) && ok;
	const char *before = "\n";
	core_report_sampling(&results[0].sampling, out);
	for (size_t i = 0; i < nr; i++)
		if (i == 0 || results[i].stream != results[i - 1].stream)
			core_report_sample(results[i].stream, results[i].nr_sampled, &before, out);
	write_clocks(results, nr, out);
	return ok;
}

size_t core_report_shared_folders(const char *stream, const char *other, size_t len)
{
	size_t shared = 0;
	for (size_t i = 0; i < len && stream[i] && stream[i] == other[i]; i++)
		if (stream[i] == '/')
			shared = i + 1;
	return shared;
}

void core_result_name(const struct core_result *r, struct textbuf *out)
{
	textbuf_puts(out, r->core);
	for (unsigned i = 0; i < r->nr_settings; i++)
		textbuf_printf(out, " %s=%s", r->settings[i].key, r->settings[i].text);
}

/* ---- CSV ---- */

static void csv_count(struct textbuf *out, uint64_t value)
{
	if (value == NOT_THERE)
		csv_string(out, "");
	else
		csv_u64(out, value);
}

/* A mean of a structure that only out-of-order cores have. */
static void csv_mean(const struct core_result *r, uint64_t held, uint64_t cycles, struct textbuf *out)
{
	if (has_rob(r))
		csv_double(out, ratio(held, cycles));
	else
		csv_string(out, "");
}

void core_report_csv_sample(uint64_t nr_sampled, struct textbuf *out)
{
	csv_count(out, nr_sampled > 0 ? nr_sampled : NOT_THERE);
}

void core_report_csv_settings(const struct core_result *r, struct textbuf *out)
{
	struct textbuf all;
	textbuf_init(&all);
	for (unsigned i = 0; i < r->nr_settings; i++)
		textbuf_printf(&all, "%s%s=%s", i > 0 ? " " : "", r->settings[i].key, r->settings[i].text);
	csv_string(out, all.text);
	textbuf_release_part(&all, out);
}

static void csv_clock(const struct core_result *r, struct textbuf *out)
{
	if (has_clock(r) && !r->has_measured_clock)
		csv_double(out, clock_cpi(r));
	else
		csv_string(out, has_clock(r) ? "measured" : "");
}

/* Whether there is a column of clocks depends on all results. */
static void csv_row(const struct core_result *r, const struct core_epoch *e, bool clocks, struct textbuf *out)
{
	const struct core_counts *c = e ? &e->counts : &r->counts;
	csv_string(out, r->stream);
	csv_string(out, r->core);
	if (r->nr_settings > 0)
		core_report_csv_settings(r, out);
	csv_string(out, r->config_hash);
	if (clocks)
		csv_clock(r, out);
	core_report_csv_sample(r->nr_sampled, out);
	if (e)
		csv_u64(out, e->number);
	else
		csv_string(out, "");
	csv_u64(out, c->timing.instructions);
	csv_u64(out, c->timing.uops);
	csv_u64(out, c->timing.cycles);
	csv_double(out, ratio(c->timing.cycles, c->timing.instructions));
	csv_u64(out, c->functional.epoch.count[COUNTER_BRANCHES]);
	csv_u64(out, mispredictions(c));
	csv_u64(out, c->timing.violations);
	csv_u64(out, c->functional.prefetches);
#define ROW(name, column, value) csv_count(out, value);
	CORE_MISSES(ROW)
#undef ROW
	csv_u64(out, c->functional.l1d_write_backs);
	csv_u64(out, c->functional.l2_write_backs);
	csv_count(out, has_llc(r) ? c->functional.llc_write_backs : NOT_THERE);
	csv_u64(out, c->timing.busy_cycles);
	for (unsigned i = 0; i < NR_STALLS; i++)
		csv_u64(out, c->timing.stalls[i]);
	csv_mean(r, c->timing.rob_held, dispatch_time(c), out);
	csv_mean(r, c->timing.load_queue_held, dispatch_time(c), out);
	csv_double(out, ratio(c->timing.store_queue_held, dispatch_time(c)));
	csv_double(out, ratio(c->timing.mshrs_held, dispatch_time(c)));
	csv_end_row(out);
}

void core_report_csv(const struct core_result *results, size_t nr, struct textbuf *out)
{
	bool clocks = any_has_clock(results, nr);
	textbuf_puts(out, results[0].nr_settings > 0 ? "stream,core,settings" : "stream,core");
	textbuf_puts(out, clocks ? ",config_hash,clock_cpi" : ",config_hash");
	textbuf_puts(out, ",sampled_epochs,epoch,instructions,uops,cycles,cpi,"
			  "branches,mispredictions,violations,prefetches");
#define ROW(name, column, value) textbuf_puts(out, "," column);
	CORE_MISSES(ROW)
#undef ROW
	textbuf_puts(out, ",l1d_write_backs,l2_write_backs,llc_write_backs,dispatch_cycles");
	for (unsigned i = 0; i < NR_STALLS; i++) {
		textbuf_puts(out, ",stall_");
		for (const char *s = stall_name((enum stall)i); *s; s++)
			textbuf_putc(out, *s == '-' ? '_' : *s);
	}
	textbuf_puts(out, ",rob_mean,load_queue_mean,store_queue_mean,mshrs_mean\n");
	for (size_t i = 0; i < nr; i++) {
		for (uint64_t e = 0; e < results[i].nr_epochs; e++)
			csv_row(&results[i], &results[i].epochs[e], clocks, out);
		if (!results[i].epochs)
			csv_row(&results[i], NULL, clocks, out);
	}
}

/* ---- JSON ---- */

static void json_count(struct jwriter *j, const char *name, uint64_t value)
{
	if (value == NOT_THERE)
		jwrite_double(j, name, NAN);
	else
		jwrite_u64(j, name, value);
}

static void json_mean(struct jwriter *j, const struct core_result *r, const char *name, uint64_t held, uint64_t cycles)
{
	if (has_rob(r))
		jwrite_double(j, name, ratio(held, cycles));
	else
		jwrite_double(j, name, NAN);
}

static void json_counts(struct jwriter *j, const struct core_result *r, const struct core_counts *c)
{
	const struct core_timing *m = &r->model->timing;
	jwrite_u64(j, "instructions", c->timing.instructions);
	jwrite_u64(j, "uops", c->timing.uops);
	jwrite_u64(j, "cycles", c->timing.cycles);
	jwrite_double(j, "cpi", ratio(c->timing.cycles, c->timing.instructions));
	jwrite_begin_flat_object(j, "misses");
#define ROW(name, column, value) json_count(j, name, value);
	CORE_MISSES(ROW)
#undef ROW
	jwrite_end_object(j);
	jwrite_begin_flat_object(j, "write_backs");
	jwrite_u64(j, "l1d", c->functional.l1d_write_backs);
	jwrite_u64(j, "l2", c->functional.l2_write_backs);
	json_count(j, "llc", has_llc(r) ? c->functional.llc_write_backs : NOT_THERE);
	jwrite_end_object(j);
	jwrite_u64(j, "branches", c->functional.epoch.count[COUNTER_BRANCHES]);
	jwrite_u64(j, "mispredictions", mispredictions(c));
	jwrite_u64(j, "violations", c->timing.violations);
	jwrite_u64(j, "prefetches", c->functional.prefetches);
	jwrite_u64(j, "dispatch_cycles", c->timing.busy_cycles);
	jwrite_begin_flat_object(j, "stalls");
	for (unsigned i = 0; i < NR_STALLS; i++)
		jwrite_u64(j, stall_name((enum stall)i), c->timing.stalls[i]);
	jwrite_end_object(j);
	jwrite_begin_flat_object(j, "occupancy");
	json_mean(j, r, "rob", c->timing.rob_held, dispatch_time(c));
	json_mean(j, r, "load_queue", c->timing.load_queue_held, dispatch_time(c));
	jwrite_double(j, "store_queue", ratio(c->timing.store_queue_held, dispatch_time(c)));
	jwrite_double(j, "mshrs", ratio(c->timing.mshrs_held, dispatch_time(c)));
	jwrite_end_object(j);
	if (!has_rob(r)) {
		jwrite_double(j, "queue_occupancy", NAN);
		return;
	}
	jwrite_begin_flat_object(j, "queue_occupancy");
	for (unsigned i = 0; i < m->nr_queues; i++)
		jwrite_double(j, m->queues[i].name, ratio(c->timing.queue_held[i], dispatch_time(c)));
	jwrite_end_object(j);
}

void core_report_json_settings(struct jwriter *j, const struct core_result *r)
{
	if (r->nr_settings == 0)
		return;
	jwrite_begin_flat_object(j, "settings");
	for (unsigned i = 0; i < r->nr_settings; i++) {
		const struct core_setting *s = &r->settings[i];
		if (s->kind == SETTING_NUMBER)
			jwrite_i64(j, s->key, s->number);
		else if (s->kind == SETTING_TRUTH)
			jwrite_bool(j, s->key, s->number != 0);
		else
			jwrite_string(j, s->key, s->text);
	}
	jwrite_end_object(j);
}

void core_report_json_sampling(struct jwriter *j, uint64_t nr_sampled, const struct stream_sampling *p)
{
	if (nr_sampled > 0)
		jwrite_u64(j, "sampled_epochs", nr_sampled);
	if (p->skip == 0 && p->every == 0)
		return;
	jwrite_begin_flat_object(j, "sampling");
	jwrite_u64(j, "skip", p->skip);
	jwrite_u64(j, "every", p->every);
	jwrite_u64(j, "take", p->take);
	jwrite_u64(j, "warm", p->warm);
	jwrite_end_object(j);
}

void core_report_json(const struct core_result *results, size_t nr, struct textbuf *out)
{
	struct jwriter j;
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	jwrite_string(&j, "schema", CORE_SCHEMA);
	jwrite_begin_array(&j, "runs", false);
	for (size_t i = 0; i < nr; i++) {
		const struct core_result *r = &results[i];
		jwrite_begin_object(&j, NULL);
		jwrite_string(&j, "stream", r->stream);
		jwrite_string(&j, "core", r->core);
		jwrite_string(&j, "core_name", r->model->name);
		jwrite_string(&j, "config_hash", r->config_hash);
		core_report_json_settings(&j, r);
		if (has_clock(r))
			jwrite_string(&j, "clock", r->has_measured_clock ? "measured" : "nominal");
		if (has_clock(r) && !r->has_measured_clock)
			jwrite_double(&j, "clock_cpi", clock_cpi(r));
		core_report_json_sampling(&j, r->nr_sampled, &r->sampling);
		json_counts(&j, r, &r->counts);
		if (r->epochs)
			jwrite_begin_array(&j, "epochs", false);
		for (uint64_t e = 0; e < r->nr_epochs; e++) {
			jwrite_begin_object(&j, NULL);
			jwrite_u64(&j, "epoch", r->epochs[e].number);
			json_counts(&j, r, &r->epochs[e].counts);
			jwrite_end_object(&j);
		}
		if (r->epochs)
			jwrite_end_array(&j);
		jwrite_end_object(&j);
	}
	jwrite_end_array(&j);
	jwrite_end_object(&j);
	jwrite_finish(&j);
}
