#include "results/cores/stat_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "results/metrics/csv.h"

#define VALUE_WIDTH 18
#define EVENT_WIDTH 34
#define NUMBER_BYTES 32

__extension__ typedef unsigned __int128 wide;

/* In hundredths, rounded to nearest. */
static uint64_t hundredths(uint64_t a, uint64_t b)
{
	return b > 0 ? (uint64_t)(((wide)a * 100 + b / 2) / b) : 0;
}

/* "-1,234,567" */
static const char *with_commas(int64_t value, char text[NUMBER_BYTES])
{
	char digits[NUMBER_BYTES];
	uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value;
	int len = snprintf(digits, sizeof(digits), "%" PRIu64, size);
	char *to = text;
	if (value < 0)
		*to++ = '-';
	for (int i = 0; i < len; i++) {
		if (i > 0 && (len - i) % 3 == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	*to = '\0';
	return text;
}

/* Seconds with nine decimals, as perf prints them, with `width` characters before the point. */
static void write_seconds(uint64_t cycles, uint32_t mhz, int width, struct textbuf *out)
{
	uint64_t ns = (uint64_t)((wide)cycles * 1000 / mhz);
	textbuf_printf(out, "%*" PRIu64 ".%09" PRIu64, width, ns / 1000000000, ns % 1000000000);
}

static bool counts_instructions(const struct hpm_set *s, unsigned event)
{
	return strcasecmp(hpm_set_event_name(s, event), "instructions") == 0 ||
	       strcasecmp(hpm_set_event_name(s, event), "PAPI_TOT_INS") == 0;
}

static bool was_counted(const struct hpm_set *s, const struct hpm_window *w, unsigned event)
{
	return !hpm_set_event_is_never(s, event) && (w->counts[event].running_cycles > 0 || w->cycles == 0);
}

static const char *why_not(const struct hpm_set *s, unsigned event)
{
	return hpm_set_event_is_never(s, event) ? "<not supported>" : "<not counted>";
}

/* Running of enabled cycles, in hundredths of a per cent. */
static uint64_t counted_share(const struct hpm_set_count *c)
{
	return c->enabled_cycles > 0 ? hundredths(100 * c->running_cycles, c->enabled_cycles) : 10000;
}

/* An estimate can be off by anything. */
static bool is_estimate(const struct hpm_set_count *c)
{
	return c->running_cycles < c->enabled_cycles;
}

/* How far a count is from the truth, in hundredths of a per cent. */
static int64_t error_of(const struct hpm_set_count *c)
{
	int64_t off = c->value - c->truth;
	uint64_t size = off < 0 ? -(uint64_t)off : (uint64_t)off;
	uint64_t truth = c->truth < 0 ? -(uint64_t)c->truth : (uint64_t)c->truth;
	int64_t error = (int64_t)hundredths(100 * size, truth);
	return off < 0 ? -error : error;
}

/* ---- Text ---- */

static void write_metric(const struct stat_report *r, const struct hpm_set *s, const struct hpm_window *w,
			 unsigned event, struct textbuf *out)
{
	const struct hpm_set_count *c = &w->counts[event];
	char number[NUMBER_BYTES];
	if (r->has_truth) {
		int64_t error = error_of(c);
		textbuf_printf(out, "  # truth %15s  %s%" PRId64 ".%02" PRId64 " %%", with_commas(c->truth, number),
			       error < 0   ? "-"
			       : error > 0 ? "+"
					   : " ",
			       (error < 0 ? -error : error) / 100, (error < 0 ? -error : error) % 100);
		if (is_estimate(c))
			textbuf_puts(out, ", no bound");
		else if (c->bound > 0)
			textbuf_printf(out, ", at most %" PRIu64 " off", c->bound);
	} else if (counts_instructions(s, event) && w->cycles > 0) {
		uint64_t ipc = hundredths(w->instructions, w->cycles);
		textbuf_printf(out, "  # %5" PRIu64 ".%02" PRIu64 "  insn per cycle", ipc / 100, ipc % 100);
	}
	/* perf leaves 100 % out. */
	uint64_t share = counted_share(c);
	if (share < 10000)
		textbuf_printf(out, "  (%" PRIu64 ".%02" PRIu64 "%%)", share / 100, share % 100);
}

static void write_line(const struct stat_report *r, const struct hpm_set *s, const struct hpm_window *w, unsigned event,
		       struct textbuf *out)
{
	char number[NUMBER_BYTES];
	const char *name = hpm_set_event_name(s, event);
	if (!was_counted(s, w, event)) {
		textbuf_printf(out, "%*s      %s\n", VALUE_WIDTH, why_not(s, event), name);
		return;
	}
	struct textbuf metric;
	textbuf_init(&metric);
	write_metric(r, s, w, event, &metric);
	textbuf_printf(out, "%*s      ", VALUE_WIDTH, with_commas(w->counts[event].value, number));
	if (metric.len > 0)
		textbuf_printf(out, "%-*s%s\n", EVENT_WIDTH, name, metric.text);
	else
		textbuf_printf(out, "%s\n", name);
	textbuf_release_part(&metric, out);
}

/* Before each line of a window stands its time, or without a frequency its epoch. */
static void write_windows(const struct stat_report *r, const struct stat_result *x, struct textbuf *out)
{
	textbuf_printf(out, "#%16s %*s unit events\n", r->mhz > 0 ? "time" : "epoch", VALUE_WIDTH, "counts");
	for (size_t i = 0; i < hpm_windows_nr(x->windows); i++) {
		const struct hpm_window *w = hpm_windows_at(x->windows, i);
		for (unsigned k = 0; k < hpm_set_nr_events(x->set); k++) {
			if (r->mhz > 0)
				write_seconds(w->end, r->mhz, 7, out);
			else
				textbuf_printf(out, "%17" PRIu64, w->epoch);
			textbuf_putc(out, ' ');
			write_line(r, x->set, w, k, out);
		}
	}
}

static void write_total(const struct stat_report *r, const struct stat_result *x, struct textbuf *out)
{
	const struct hpm_window *w = hpm_windows_total(x->windows);
	textbuf_printf(out, "\n Performance counter stats for '%s' on %s (events of %s, %s counters)", x->run->stream,
		       x->run->core, event_family_name((enum event_family)x->run->model->events), r->counters);
	if (r->region)
		textbuf_printf(out, " in %s", r->region);
	textbuf_puts(out, ":\n\n");
	for (unsigned k = 0; k < hpm_set_nr_events(x->set); k++)
		write_line(r, x->set, w, k, out);
	textbuf_puts(out, "\n");
	if (r->mhz > 0) {
		write_seconds(w->cycles, r->mhz, 8, out);
		textbuf_printf(out, " seconds of simulated time at %" PRIu32 " MHz\n\n", r->mhz);
	}
}

void stat_text(const struct stat_report *r, struct textbuf *out)
{
	for (size_t i = 0; i < r->nr_streams; i++)
		(r->per_window ? write_windows : write_total)(r, &r->results[i], out);
}

/* ---- CSV ---- */

static void csv_time(const struct stat_report *r, const struct hpm_window *w, struct textbuf *out)
{
	if (!r->per_window)
		return;
	write_seconds(w->end, r->mhz, 6, out);
	textbuf_puts(out, r->separator);
}

static void csv_line(const struct stat_report *r, const struct hpm_set *s, const struct hpm_window *w, unsigned event,
		     struct textbuf *out)
{
	const struct hpm_set_count *c = &w->counts[event];
	const char *x = r->separator;
	csv_time(r, w, out);
	if (!was_counted(s, w, event)) {
		textbuf_printf(out, "%s%s%s%s%s0%s0.00%s%s\n", why_not(s, event), x, x, hpm_set_event_name(s, event), x,
			       x, x, x);
		return;
	}
	uint64_t run_time = c->running_cycles, share = counted_share(c);
	if (r->mhz > 0)
		run_time = (uint64_t)((wide)run_time * 1000 / r->mhz);
	textbuf_printf(out, "%" PRId64 "%s%s%s%s%" PRIu64 "%s%" PRIu64 ".%02" PRIu64 "%s", c->value, x, x,
		       hpm_set_event_name(s, event), x, run_time, x, share / 100, share % 100, x);
	uint64_t ipc = hundredths(w->instructions, w->cycles);
	if (r->has_truth)
		textbuf_printf(out, "%" PRId64 "%struth\n", c->truth, x);
	else if (counts_instructions(s, event))
		textbuf_printf(out, "%" PRIu64 ".%02" PRIu64 "%sinsn per cycle\n", ipc / 100, ipc % 100, x);
	else
		textbuf_printf(out, "%s\n", x);
	if (!r->has_truth || is_estimate(c) || c->bound == 0)
		return;
	/* perf puts each further metric of an event on another line. */
	csv_time(r, w, out);
	textbuf_printf(out, "%s%s%s%s%s%" PRIu64 "%sbound\n", x, x, x, x, x, c->bound, x);
}

void stat_csv(const struct stat_report *r, struct textbuf *out)
{
	for (size_t i = 0; i < r->nr_streams; i++) {
		const struct stat_result *x = &r->results[i];
		size_t nr = r->per_window ? hpm_windows_nr(x->windows) : 1;
		for (size_t k = 0; k < nr; k++) {
			const struct hpm_window *w =
				r->per_window ? hpm_windows_at(x->windows, k) : hpm_windows_total(x->windows);
			for (unsigned e = 0; e < hpm_set_nr_events(x->set); e++)
				csv_line(r, x->set, w, e, out);
		}
	}
}

/* ---- JSON ---- */

static void count_json(const struct stat_report *r, const struct stat_result *x, const struct hpm_window *w,
		       unsigned event, struct jwriter *j)
{
	const struct hpm_set_count *c = &w->counts[event];
	jwrite_begin_flat_object(j, NULL);
	jwrite_string(j, "event", hpm_set_event_name(x->set, event));
	jwrite_u64(j, "counters", hpm_set_event_counters(x->set, event));
	jwrite_bool(j, "supported", !hpm_set_event_is_never(x->set, event));
	bool counted = was_counted(x->set, w, event);
	if (counted)
		jwrite_i64(j, "count", c->value);
	else
		jwrite_double(j, "count", NAN); /* null */
	if (counted && !is_estimate(c))
		jwrite_u64(j, "bound", c->bound);
	else
		jwrite_double(j, "bound", NAN);
	jwrite_i64(j, "counted", c->counted);
	jwrite_u64(j, "enabled_cycles", c->enabled_cycles);
	jwrite_u64(j, "running_cycles", hpm_set_event_is_never(x->set, event) ? 0 : c->running_cycles);
	if (r->has_truth)
		jwrite_i64(j, "truth", c->truth);
	jwrite_end_object(j);
}

static void window_json(const struct stat_report *r, const struct stat_result *x, const struct hpm_window *w,
			struct jwriter *j)
{
	jwrite_u64(j, "cycles", w->cycles);
	jwrite_u64(j, "instructions", w->instructions);
	jwrite_begin_array(j, "counts", false);
	for (unsigned e = 0; e < hpm_set_nr_events(x->set); e++)
		count_json(r, x, w, e, j);
	jwrite_end_array(j);
}

static void result_json(const struct stat_report *r, const struct stat_result *x, struct jwriter *j)
{
	jwrite_begin_object(j, NULL);
	jwrite_string(j, "stream", x->run->stream);
	jwrite_string(j, "core", x->run->core);
	jwrite_string(j, "core_name", x->run->model->name);
	jwrite_string(j, "config_hash", x->run->config_hash);
	jwrite_string(j, "family", event_family_name((enum event_family)x->run->model->events));
	core_report_json_sampling(j, x->run->nr_sampled, &x->run->sampling);
	window_json(r, x, hpm_windows_total(x->windows), j);
	if (r->per_window) {
		jwrite_begin_array(j, "windows", false);
		for (size_t i = 0; i < hpm_windows_nr(x->windows); i++) {
			const struct hpm_window *w = hpm_windows_at(x->windows, i);
			jwrite_begin_object(j, NULL);
			if (r->per_epoch)
				jwrite_u64(j, "epoch", w->epoch);
			jwrite_u64(j, "end_cycle", w->end);
			window_json(r, x, w, j);
			jwrite_end_object(j);
		}
		jwrite_end_array(j);
	}
	jwrite_end_object(j);
}

void stat_json(const struct stat_report *r, struct textbuf *out)
{
	struct jwriter j;
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	jwrite_string(&j, "schema", STAT_SCHEMA);
	jwrite_string(&j, "counters", r->counters);
	if (r->region)
		jwrite_string(&j, "region", r->region);
	if (r->mhz > 0)
		jwrite_u64(&j, "mhz", r->mhz);
	jwrite_begin_array(&j, "runs", false);
	for (size_t i = 0; i < r->nr_streams; i++)
		result_json(r, &r->results[i], &j);
	jwrite_end_array(&j);
	jwrite_end_object(&j);
	jwrite_finish(&j);
}
