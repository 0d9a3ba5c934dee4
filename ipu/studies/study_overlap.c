#include "ipu/studies/study_overlap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ipu/unit/time_limit.h"
#include "sim/base/rng.h"

static const struct scenario {
	const char *name, *text;
	const char *patterns[OVERLAP_UNITS];
} scenarios[NR_OVERLAP_SCENARIOS] = {
#define SCENARIO(name, text, simt, tensor, memory) {name, text, {simt, tensor, memory}},
#include "ipu/studies/overlap_scenario_list.h"
#undef SCENARIO
};

/* Names of the units, which are those of the ABI's signals. */
static const char *const unit_names[OVERLAP_UNITS] = {"simt_active", "tensor_active", "memory_active"};

/* Who is active in each cycle of a period of OVERLAP_WINDOW: a bit for each unit. */
struct activity {
	uint8_t units[OVERLAP_WINDOW];
};

/* Draws the cycles: a shuffled deck, from which one unit after the other takes its cards. */
static void scatter(const struct scenario *s, struct activity *a, uint64_t seed)
{
	uint8_t cycles[OVERLAP_WINDOW];
	struct rng rng;
	unsigned at = 0;
	rng_init(&rng, seed, "overlap", "scattered");
	for (unsigned i = 0; i < OVERLAP_WINDOW; i++)
		cycles[i] = (uint8_t)i;
	for (unsigned i = OVERLAP_WINDOW - 1; i > 0; i--) {
		unsigned other = (unsigned)rng_below(&rng, i + 1);
		uint8_t kept = cycles[i];
		cycles[i] = cycles[other];
		cycles[other] = kept;
	}
	memset(a, 0, sizeof(*a));
	for (unsigned u = 0; u < OVERLAP_UNITS; u++)
		for (unsigned long i = strtoul(s->patterns[u], NULL, 10); i > 0; i--)
			a->units[cycles[at++]] = (uint8_t)(1u << u);
}

static void make_activity(const struct scenario *s, uint64_t seed, struct activity *a)
{
	if (!strchr("#.", *s->patterns[0])) {
		scatter(s, a, seed);
		return;
	}
	memset(a, 0, sizeof(*a));
	for (unsigned u = 0; u < OVERLAP_UNITS; u++) {
		size_t period = strlen(s->patterns[u]);
		for (unsigned t = 0; t < OVERLAP_WINDOW; t++)
			if (s->patterns[u][t % period] == '#')
				a->units[t] |= (uint8_t)(1u << u);
	}
}

static uint32_t limited(uint32_t count)
{
	return count > OVERLAP_LIMIT ? OVERLAP_LIMIT : count;
}

static void expect(const struct activity *a, uint32_t expected[OVERLAP_UNITS])
{
	for (unsigned u = 0; u < OVERLAP_UNITS; u++) {
		expected[u] = 0;
		for (unsigned t = 0; t < OVERLAP_WINDOW; t++)
			expected[u] += a->units[t] >> u & 1;
		expected[u] = limited(expected[u]);
	}
}

/* A scenario under observation, and what was taken for the packet that is to come. */
struct observation {
	struct ipu_unit *unit;
	struct activity activity;
	unsigned registers[OVERLAP_UNITS];
	uint32_t valid;
	uint64_t nr_taken, nr_calls; /* since power-on */
	uint32_t nr_sets, counts[OVERLAP_UNITS];
};

static void take_packet(struct observation *o, const struct ipu_packet *p, struct overlap_result *r)
{
	bool is_first = r->nr_windows++ == 0;
	bool is_right = p->nr_bytes == OVERLAP_UNITS && o->nr_sets == OVERLAP_WINDOW;
	unsigned nr_high = 0;
	if (r->nr_shown < OVERLAP_SHOWN && p->nr_bytes == OVERLAP_UNITS)
		memcpy(r->shown[r->nr_shown++], p->bytes, OVERLAP_UNITS);
	for (unsigned u = 0; u < OVERLAP_UNITS && p->nr_bytes == OVERLAP_UNITS; u++) {
		uint32_t count = p->bytes[u];
		nr_high += count > OVERLAP_LOW;
		is_right &= count == limited(o->counts[u]);
		if (is_first || count < r->least[u])
			r->least[u] = count;
		if (is_first || count > r->most[u])
			r->most[u] = count;
	}
	r->nr_wrong += !is_right;
	r->bins[nr_high]++;
	o->nr_sets = 0;
	memset(o->counts, 0, sizeof(o->counts));
}

static enum sahm_status find_registers(struct observation *o, const struct abi *abi, struct sahm_err *err)
{
	for (unsigned u = 0; u < OVERLAP_UNITS; u++) {
		const struct abi_signal *s = abi_find(abi, unit_names[u]);
		if (!s)
			return sahm_fail_at(err, SAHM_FORMAT, abi->file, 0, "it has no signal '%s'", unit_names[u]);
		o->registers[u] = s->reg;
		o->valid |= UINT32_C(1) << s->reg;
	}
	return SAHM_OK;
}

/* One cycle of the HIT. */
static void feed(struct observation *o, uint64_t cycle)
{
	uint64_t values[NR_IOREGS] = {0};
	unsigned active = o->activity.units[cycle % OVERLAP_WINDOW];
	for (unsigned u = 0; u < OVERLAP_UNITS; u++)
		values[o->registers[u]] = active >> u & 1;
	ipu_unit_input(o->unit, cycle, o->valid, values);
	const struct ipu_counts c = ipu_unit_counts(o->unit);
	bool is_taken = c.taken != o->nr_taken, begins = c.calls_main != o->nr_calls;
	o->nr_taken = c.taken;
	o->nr_calls = c.calls_main;
	/* With the set that begins a window the program does nothing else. */
	if (!is_taken || begins)
		return;
	o->nr_sets++;
	for (unsigned u = 0; u < OVERLAP_UNITS; u++)
		o->counts[u] += active >> u & 1;
}

/* If no packet comes for this number of cycles of HIT and IPU, none will: a window takes the same number of sets, of
 * which the HIT has one per cycle, and a slower IPU takes one every few cycles. */
#define MOST_CYCLES (UINT64_C(1000) * OVERLAP_WINDOW)

static enum sahm_status observe(struct observation *o, uint64_t nr_windows, struct overlap_result *r,
				struct sahm_err *err)
{
	uint64_t t = 0, last = 0, ipu_last = 0;
	struct ipu_packet packet;
	while (r->nr_windows < nr_windows) {
		if (ipu_check_time(o->unit, "the IPU", t, err) != SAHM_OK)
			return SAHM_RANGE;
		feed(o, t++);
		/* The processor runs ahead: a packet is there before a set of the next window is taken. */
		while (r->nr_windows < nr_windows && ipu_unit_take(o->unit, &packet)) {
			take_packet(o, &packet, r);
			last = t;
			ipu_last = ipu_unit_ipu_cycle(o->unit);
		}
		enum ipu_status status = ipu_unit_status(o->unit);
		uint64_t ipu_cycles = ipu_unit_ipu_cycle(o->unit) - ipu_last;
		if (status == IPU_ERROR || (t - last > MOST_CYCLES && ipu_cycles > MOST_CYCLES))
			return sahm_fail(err, SAHM_GUEST,
					 "no packet came for %" PRIu64 " cycles of the HIT and %" PRIu64
					 " of the IPU, which is in '%s'",
					 t - last, ipu_cycles, ipu_status_text(status));
	}
	r->hit_cycles = t;
	return SAHM_OK;
}

enum sahm_status overlap_run(const struct ipu_program *program, const struct abi *abi, unsigned scenario,
			     const struct overlap_options *options, struct overlap_result *result, struct sahm_err *err)
{
	const struct scenario *s = &scenarios[scenario];
	const struct ipu_unit_config config = {.maker = options->maker,
					       .hit_mhz = options->hit_mhz,
					       .ipu_mhz = options->ipu_mhz,
					       .mismatch = IPU_EVERY,
					       .mismatch_arg = 1,
					       .max_cycles = IPU_DEFAULT_MAX_CYCLES,
					       .fifo_bytes = IPU_DEFAULT_FIFO_BYTES};
	struct observation o = {0};
	*result = (struct overlap_result){.name = s->name, .text = s->text, .hit_mhz = options->hit_mhz};
	make_activity(s, options->seed, &o.activity);
	expect(&o.activity, result->expected);
	enum sahm_status status = find_registers(&o, abi, err);
	if (status == SAHM_OK)
		status = ipu_unit_new(&o.unit, &config, err);
	if (status != SAHM_OK)
		return status;
	ipu_unit_configure(o.unit, 0, program);
	ipu_unit_resume(o.unit, 0);
	status = observe(&o, options->nr_windows, result, err);
	result->counts = ipu_unit_counts(o.unit);
	struct ipu_soft_counts soft = {0};
	ipu_unit_soft_counts(o.unit, &soft);
	result->soft_taken = soft.taken;
	result->soft_dropped = soft.dropped;
	if (status == SAHM_OK)
		status = ipu_unit_check(o.unit, err);
	ipu_unit_free(o.unit);
	return status;
}

static int by_simt(const void *a, const void *b)
{
	const struct overlap_point *x = a, *y = b;
	double difference = x->active_pct[0] - y->active_pct[0];
	if (difference != 0)
		return difference < 0 ? -1 : 1;
	if (x->scenario != y->scenario)
		return x->scenario < y->scenario ? -1 : 1;
	return (x->window > y->window) - (x->window < y->window);
}

unsigned overlap_points(const struct overlap_result *results, bool is_sorted, struct overlap_point *points)
{
	double sums[OVERLAP_UNITS] = {0};
	unsigned nr = 0;
	for (unsigned s = 0; s < NR_OVERLAP_SCENARIOS; s++)
		for (unsigned w = 0; w < results[s].nr_shown; w++, nr++) {
			points[nr] = (struct overlap_point){.scenario = s, .window = w};
			for (unsigned u = 0; u < OVERLAP_UNITS; u++)
				points[nr].active_pct[u] = 100.0 * results[s].shown[w][u] / OVERLAP_WINDOW;
		}
	if (is_sorted)
		qsort(points, nr, sizeof(*points), by_simt);
	for (unsigned i = 0; i < nr; i++)
		for (unsigned u = 0; u < OVERLAP_UNITS; u++) {
			sums[u] += points[i].active_pct[u];
			points[i].mean_pct[u] = sums[u] / (i + 1);
		}
	return nr;
}
