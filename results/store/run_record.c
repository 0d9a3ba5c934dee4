#include "results/store/run_record.h"

#include <math.h>
#include <string.h>

#include "results/metrics/run_facts.h"
#include "results/metrics/run_samples.h"
#include "results/metrics/trace_words.h"
#include "sim/base/array.h"
#include "sim/base/number.h"
#include "sim/base/units.h"

/* First bytes of an encoded record: its kind, and the version of its layout. */
#define MAGIC UINT64_C(0x3163657268617373)

/* Text in `b`, which is released, as a string of `a`. */
static const char *keep_text(struct arena *a, struct textbuf *b)
{
	const char *text = textbuf_failed(b) ? NULL : arena_strndup(a, b->text, b->len);
	textbuf_release(b);
	return text;
}

static const char *write_speedups(struct arena *a, const struct core_spec *spec)
{
	struct textbuf b;
	textbuf_init(&b);
	for (unsigned i = 0; i < spec->nr_speedups; i++) {
		textbuf_puts(&b, i ? "," : "");
		number_write_double(&b, pct_of_ppm(spec->speedup_ppm[i]), 0);
	}
	return keep_text(a, &b);
}

/* Two ways to write the same chip are one: types have one form, and equal cores that stand side by side are one row. */
enum sahm_status record_chip(struct arena *a, const struct run_config *config, struct record_core **chip,
			     uint32_t *nr_groups, struct sahm_err *err)
{
	*chip = arena_alloc(a, config->nr_groups, sizeof(**chip));
	*nr_groups = 0;
	if (!*chip)
		return sahm_fail_nomem(err);
	for (uint32_t g = 0; g < config->nr_groups; g++) {
		struct record_core *last = *nr_groups ? *chip + *nr_groups - 1 : NULL;
		struct core_spec spec = config->groups[g].spec;
		if (config->groups[g].count == 0)
			continue;
		enum sahm_status status = core_spec_canonical(a, &spec, err);
		if (status != SAHM_OK)
			return status;
		const struct record_core core = {arena_strdup(a, spec.type), write_speedups(a, &spec),
						 config->groups[g].count};
		if (!core.type || !core.speedups)
			return sahm_fail_nomem(err);
		if (last && strcmp(last->type, core.type) == 0 && strcmp(last->speedups, core.speedups) == 0)
			last->count += core.count;
		else
			(*chip)[(*nr_groups)++] = core;
	}
	return SAHM_OK;
}

static void empty_record(struct record *r)
{
	*r = (struct record){.message = ""};
	for (int m = 0; m < NR_RUN_METRICS; m++) {
		r->metrics[m] = NAN;
		r->intervals[m] = (struct stats_interval){NAN, NAN, NAN};
	}
}

enum sahm_status record_of_failure(struct arena *a, const char *message, struct record *r, struct sahm_err *err)
{
	empty_record(r);
	r->failed = true;
	r->message = arena_strdup(a, message);
	return r->message ? SAHM_OK : sahm_fail_nomem(err);
}

enum sahm_status record_of_config(struct arena *a, const struct run_config *config, struct record *r,
				  struct sahm_err *err)
{
	empty_record(r);
	r->nr_cores = config->chip.nr_cores;
	r->nr_threads = config->nr_threads;
	r->threads = arena_alloc(a, config->nr_threads, sizeof(*r->threads));
	if (!r->threads)
		return sahm_fail_nomem(err);
	enum sahm_status status = record_chip(a, config, &r->chip, &r->nr_groups, err);
	if (status != SAHM_OK)
		return status;
	for (uint32_t t = 0; t < config->nr_threads; t++) {
		r->threads[t] = (struct record_thread){
			arena_strdup(a, config->threads[t].name), NAN, NAN, NAN, 0, 0, 0, NAN, NAN};
		if (!r->threads[t].name)
			return sahm_fail_nomem(err);
	}
	const struct trace_counts traces = trace_counts_of(config);
	r->synthetic = traces.nr_synthetic > 0;
	r->nominal = traces.nr_nominal > 0;
	return SAHM_OK;
}

/* What went on oddly, a line each. */
static const char *remarks_of(struct arena *a, const struct run_config *config, const struct run_result *result)
{
	struct textbuf b;
	textbuf_init(&b);
	size_t before = 0;
	textbuf_puts(&b, "given up ");
	if (!run_facts_given_up(config, result, &b) && !textbuf_failed(&b)) {
		b.len = 0;
		b.text[0] = '\0';
	}
	bool (*const rest[])(const struct run_config *, const struct run_result *,
			     struct textbuf *) = {run_facts_ignored, run_facts_waiting};
	for (size_t i = 0; i < ARRAY_SIZE(rest); i++) {
		if (b.len > before)
			textbuf_putc(&b, '\n');
		before = b.len;
		rest[i](config, result, &b);
	}
	if (b.len > before)
		textbuf_putc(&b, '\n');
	run_facts_faults(result, &b);
	while (!textbuf_failed(&b) && b.len > 0 && b.text[b.len - 1] == '\n')
		b.text[--b.len] = '\0';
	return keep_text(a, &b);
}

enum sahm_status record_of_run(struct arena *a, const struct run_config *config, const struct run_result *result,
			       struct record *r, struct sahm_err *err)
{
	struct run_metrics m;
	struct run_samples samples = {0};
	enum sahm_status status = record_of_config(a, config, r, err);
	if (status == SAHM_OK)
		status = run_metrics_of(result, &m, err);
	if (status == SAHM_OK)
		status = run_samples_of(result, config->seed, &samples, err);
	if (status != SAHM_OK)
		return status;
	run_samples_put_means(&samples, &m);
	r->has_intervals = samples.metrics != NULL;
	for (int i = 0; i < NR_RUN_METRICS; i++) {
		enum run_metric which = (enum run_metric)i;
		r->metrics[i] = run_metric_applies(result, which) ? run_metric(&m, which) : NAN;
		if (r->has_intervals)
			r->intervals[i] = samples.intervals[i];
	}
	run_samples_release(&samples);
	for (uint32_t t = 0; t < r->nr_threads; t++) {
		const struct sim_thread_result *c = &result->threads[t].counts;
		struct thread_metrics of_thread;
		run_metrics_of_thread(result, t, &of_thread);
		r->threads[t].speedup = of_thread.speedup;
		r->threads[t].served_share = of_thread.served_share;
		r->threads[t].matched_share = of_thread.matched_share;
		r->threads[t].completed_ns = c->completed_ns;
		r->threads[t].present_ns = c->present_ns;
		r->threads[t].migrations = c->migrations;
		r->threads[t].energy_j = of_thread.energy.energy_j;
		r->threads[t].instruction_nj = of_thread.energy.instruction_nj;
	}
	r->message = remarks_of(a, config, result);
	return r->message ? SAHM_OK : sahm_fail_nomem(err);
}

static void put_u32(struct textbuf *out, uint32_t value)
{
	char bytes[4];
	for (unsigned i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)(value >> 8 * i);
	textbuf_add(out, bytes, sizeof(bytes));
}

static void put_u64(struct textbuf *out, uint64_t value)
{
	put_u32(out, (uint32_t)value);
	put_u32(out, (uint32_t)(value >> 32));
}

/* No number is always the same one. */
static void put_double(struct textbuf *out, double value)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof(bits));
	put_u64(out, isnan(value) ? UINT64_C(0x7ff8000000000000) : bits);
}

static void put_string(struct textbuf *out, const char *text)
{
	put_u32(out, (uint32_t)strlen(text));
	textbuf_puts(out, text);
}

void record_encode(const struct record *r, struct textbuf *out)
{
	put_u64(out, MAGIC);
	put_u32(out, (uint32_t)r->failed | (uint32_t)r->synthetic << 1 | (uint32_t)r->has_intervals << 2 |
			     (uint32_t)r->nominal << 3);
	put_string(out, r->message);
	put_u32(out, r->nr_cores);
	put_u32(out, r->nr_groups);
	for (uint32_t g = 0; g < r->nr_groups; g++) {
		put_string(out, r->chip[g].type);
		put_string(out, r->chip[g].speedups);
		put_u32(out, r->chip[g].count);
	}
	put_u32(out, r->nr_threads);
	for (uint32_t t = 0; t < r->nr_threads; t++) {
		const struct record_thread *th = &r->threads[t];
		put_string(out, th->name);
		put_double(out, th->speedup);
		put_double(out, th->served_share);
		put_double(out, th->matched_share);
		put_u64(out, th->completed_ns);
		put_u64(out, th->present_ns);
		put_u64(out, th->migrations);
		put_double(out, th->energy_j);
		put_double(out, th->instruction_nj);
	}
	for (int m = 0; m < NR_RUN_METRICS; m++)
		put_double(out, r->metrics[m]);
	for (int m = 0; m < NR_RUN_METRICS && r->has_intervals; m++) {
		put_double(out, r->intervals[m].mean);
		put_double(out, r->intervals[m].low);
		put_double(out, r->intervals[m].high);
	}
	put_u64(out, r->timing.started_unix_ms);
	put_u64(out, r->timing.wall_ns);
	put_u64(out, r->timing.cpu_ns);
	put_u32(out, r->timing.worker);
}

uint64_t record_wall_ns(const void *bytes, size_t len)
{
	const uint8_t *timing = bytes;
	uint64_t ns = 0;
	if (len < RECORD_TIMING_BYTES)
		return 0;
	/* After the first of the times, low byte first. */
	timing += len - RECORD_TIMING_BYTES;
	for (int i = 15; i >= 8; i--)
		ns = ns << 8 | timing[i];
	return ns;
}

/* Bytes that are being read; `ok` is false once there were too few, or memory was short. */
struct reader {
	struct arena *arena;
	const unsigned char *at;
	size_t left;
	bool ok, short_of_memory;
};

static uint32_t get_u32(struct reader *r)
{
	uint32_t value = 0;
	r->ok &= r->left >= 4;
	if (!r->ok)
		return 0;
	for (unsigned i = 0; i < 4; i++)
		value |= (uint32_t)r->at[i] << 8 * i;
	r->at += 4;
	r->left -= 4;
	return value;
}

static uint64_t get_u64(struct reader *r)
{
	uint64_t low = get_u32(r);
	return low | (uint64_t)get_u32(r) << 32;
}

static double get_double(struct reader *r)
{
	uint64_t bits = get_u64(r);
	double value;
	memcpy(&value, &bits, sizeof(value));
	return value;
}

static const char *get_string(struct reader *r)
{
	uint32_t len = get_u32(r);
	r->ok &= len <= r->left && (len == 0 || !memchr(r->at, '\0', len));
	if (!r->ok)
		return "";
	const char *text = arena_strndup(r->arena, (const char *)r->at, len);
	r->short_of_memory |= !text;
	r->ok &= text != NULL;
	r->at += len;
	r->left -= len;
	return text ? text : "";
}

/* Room for `nr` rows of `size` bytes, each of which takes at least `encoded` of those that are left. */
static void *get_rows(struct reader *r, uint32_t nr, size_t size, size_t encoded)
{
	r->ok &= nr <= r->left / encoded;
	void *rows = r->ok ? arena_alloc(r->arena, nr, size) : NULL;
	r->short_of_memory |= r->ok && !rows;
	r->ok &= rows != NULL;
	return rows;
}

static void get_record(struct reader *in, struct record *r)
{
	in->ok &= get_u64(in) == MAGIC;
	uint32_t flags = get_u32(in);
	r->failed = flags & 1u;
	r->synthetic = flags & 2u;
	r->has_intervals = flags & 4u;
	r->nominal = flags & 8u;
	in->ok &= flags < 16;
	r->message = get_string(in);
	r->nr_cores = get_u32(in);
	r->nr_groups = get_u32(in);
	r->chip = get_rows(in, r->nr_groups, sizeof(*r->chip), 12);
	for (uint32_t g = 0; g < r->nr_groups && in->ok; g++) {
		r->chip[g].type = get_string(in);
		r->chip[g].speedups = get_string(in);
		r->chip[g].count = get_u32(in);
	}
	r->nr_threads = get_u32(in);
	r->threads = get_rows(in, r->nr_threads, sizeof(*r->threads), 68);
	for (uint32_t t = 0; t < r->nr_threads && in->ok; t++) {
		struct record_thread *th = &r->threads[t];
		th->name = get_string(in);
		th->speedup = get_double(in);
		th->served_share = get_double(in);
		th->matched_share = get_double(in);
		th->completed_ns = get_u64(in);
		th->present_ns = get_u64(in);
		th->migrations = get_u64(in);
		th->energy_j = get_double(in);
		th->instruction_nj = get_double(in);
	}
	for (int m = 0; m < NR_RUN_METRICS; m++)
		r->metrics[m] = get_double(in);
	for (int m = 0; m < NR_RUN_METRICS; m++) {
		r->intervals[m] = (struct stats_interval){NAN, NAN, NAN};
		if (!r->has_intervals)
			continue;
		r->intervals[m].mean = get_double(in);
		r->intervals[m].low = get_double(in);
		r->intervals[m].high = get_double(in);
	}
	r->timing.started_unix_ms = get_u64(in);
	r->timing.wall_ns = get_u64(in);
	r->timing.cpu_ns = get_u64(in);
	r->timing.worker = get_u32(in);
}

enum sahm_status record_decode(struct arena *a, const void *bytes, size_t len, struct record *r, struct sahm_err *err)
{
	struct reader in = {.arena = a, .at = bytes, .left = len, .ok = true};
	*r = (struct record){.message = ""};
	get_record(&in, r);
	if (in.short_of_memory)
		return sahm_fail_nomem(err);
	return in.ok && in.left == 0 ? SAHM_OK : sahm_fail(err, SAHM_FORMAT, "a record of a run is damaged");
}
