#include "ipu/studies/study_values.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ipu/unit/time_limit.h"

static const char *const names[NR_VALUES_APPLICATIONS] = {
#define APPLICATION(symbol, name, text) name,
#include "ipu/studies/study_values_list.h"
#undef APPLICATION
};
static const char *const texts[NR_VALUES_APPLICATIONS] = {
#define APPLICATION(symbol, name, text) text,
#include "ipu/studies/study_values_list.h"
#undef APPLICATION
};

/* One tensor under observation. */
struct tensor {
	struct ipu_unit *unit;
	struct rng rng;
	unsigned scale, reg;
	uint64_t all[VALUES_BUCKETS];	   /* over all values */
	uint64_t sampled[VALUES_BUCKETS];  /* by the packets */
	uint64_t expected[VALUES_BUCKETS]; /* over what was taken for the packet that is to come */
	uint64_t nr_expected;		   /* sets */
	uint64_t window_began;		   /* cycle */
	uint64_t nr_taken;
};

/* Draws a line; its values count in `all`. Returns the word that the IPU sees. */
static uint64_t draw_line(struct tensor *t, enum values_application application)
{
	uint64_t word = 0;
	for (unsigned i = 0; i < VALUES_PER_LINE; i++) {
		uint16_t value = values_draw(application, &t->rng, t->scale);
		t->all[value >> VALUES_BUCKET_SHIFT]++;
		if (i < VALUES_SEEN)
			word |= (uint64_t)value << (16 * i);
	}
	return word;
}

static void expect_word(struct tensor *t, uint64_t word)
{
	for (unsigned i = 0; i < VALUES_SEEN; i++)
		t->expected[(word >> (16 * i) & 0xffff) >> VALUES_BUCKET_SHIFT]++;
	t->nr_expected++;
}

/* Whether the packet is the histogram of what was taken for it; its counts go to `sampled`. */
static bool take_packet(struct tensor *t, const struct ipu_packet *p)
{
	bool is_right = p->nr_bytes == VALUES_BYTES;
	for (unsigned i = 0; i < VALUES_BUCKETS && p->nr_bytes == VALUES_BYTES; i++) {
		const uint8_t *b = p->bytes + 3 * (size_t)i;
		uint32_t count = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16;
		t->sampled[i] += count;
		is_right &= count == t->expected[i];
	}
	memset(t->expected, 0, sizeof(t->expected));
	t->nr_expected = 0;
	return is_right;
}

/* All packets are for whole windows, but those of `finish`. */
static void take_packets(struct tensor *t, uint64_t nr_cycles, bool is_finished, struct values_result *r)
{
	struct ipu_packet p;
	while (ipu_unit_take(t->unit, &p)) {
		bool is_whole = t->nr_expected == VALUES_WINDOW;
		r->nr_packets++;
		r->nr_wrong += !(take_packet(t, &p) && (is_whole || is_finished));
		if (!is_whole)
			continue;
		r->whole_bytes += p.nr_bytes;
		r->whole_cycles += nr_cycles - t->window_began;
		t->window_began = nr_cycles;
	}
}

static void observe(struct tensor *t, enum values_application application, const struct values_options *o,
		    struct values_result *r)
{
	uint64_t values[NR_IOREGS] = {0};
	for (uint64_t cycle = 0; cycle < o->nr_lines; cycle++) {
		values[t->reg] = draw_line(t, application);
		ipu_unit_input(t->unit, cycle, UINT32_C(1) << t->reg, values);
		uint64_t nr_taken = ipu_unit_counts(t->unit).taken;
		if (nr_taken > t->nr_taken)
			expect_word(t, values[t->reg]);
		t->nr_taken = nr_taken;
		/* The processor runs ahead: a packet is there before a set of the next window is taken. */
		take_packets(t, cycle + 1, false, r);
	}
	ipu_unit_finalize(t->unit, o->nr_lines);
	ipu_unit_settle(t->unit);
	take_packets(t, o->nr_lines, true, r);
}

static uint64_t total(const uint64_t counts[VALUES_BUCKETS])
{
	uint64_t sum = 0;
	for (unsigned i = 0; i < VALUES_BUCKETS; i++)
		sum += counts[i];
	return sum;
}

/* Totals are at most 2^28: products fit. */
double values_error(const uint64_t all[VALUES_BUCKETS], const uint64_t sampled[VALUES_BUCKETS], uint64_t *nr_used)
{
	uint64_t nr_all = total(all), nr_sampled = total(sampled);
	double sum = 0;
	for (unsigned i = 0; i < VALUES_BUCKETS && nr_sampled > 0; i++) {
		uint64_t of_all = all[i] * nr_sampled, of_sampled = sampled[i] * nr_all;
		if (of_all == 0)
			continue;
		sum += (double)(of_all > of_sampled ? of_all - of_sampled : of_sampled - of_all) / (double)of_all;
		++*nr_used;
	}
	return sum;
}

double values_similarity(const uint64_t a[VALUES_BUCKETS], const uint64_t b[VALUES_BUCKETS])
{
	double product = 0, a_square = 0, b_square = 0;
	for (unsigned i = 0; i < VALUES_BUCKETS; i++) {
		product += (double)a[i] * (double)b[i];
		a_square += (double)a[i] * (double)a[i];
		b_square += (double)b[i] * (double)b[i];
	}
	return a_square > 0 && b_square > 0 ? product / sqrt(a_square * b_square) : NAN;
}

static enum sahm_status run_tensor(const struct ipu_program *program, unsigned reg, enum values_application application,
				   uint32_t nr, const struct values_options *o, struct values_result *r,
				   struct sahm_err *err)
{
	const struct ipu_unit_config config = {.maker = o->maker,
					       .hit_mhz = o->hit_mhz,
					       .ipu_mhz = o->ipu_mhz,
					       .mismatch = IPU_EVERY,
					       .mismatch_arg = 1,
					       .max_cycles = IPU_DEFAULT_MAX_CYCLES,
					       .fifo_bytes = IPU_DEFAULT_FIFO_BYTES};
	struct tensor t = {.reg = reg};
	char what[32];
	enum sahm_status status = ipu_unit_new(&t.unit, &config, err);
	if (status != SAHM_OK)
		return status;
	snprintf(what, sizeof(what), "tensor %" PRIu32, nr);
	rng_init(&t.rng, o->seed, r->name, what);
	t.scale = (unsigned)rng_below(&t.rng, VALUES_MAX_SCALE + 1);
	status = ipu_check_time(t.unit, "the IPU", o->nr_lines, err);
	if (status != SAHM_OK) {
		ipu_unit_free(t.unit);
		return status;
	}
	ipu_unit_configure(t.unit, 0, program);
	ipu_unit_resume(t.unit, 0);
	observe(&t, application, o, r);
	struct ipu_counts counts = ipu_unit_counts(t.unit);
	struct ipu_soft_counts soft = {0};
	ipu_unit_soft_counts(t.unit, &soft);
	r->soft_taken += soft.taken;
	r->soft_dropped += soft.dropped;
	r->nr_lines += o->nr_lines;
	r->nr_taken += counts.taken;
	r->nr_dropped += counts.dropped;
	r->bytes += counts.bytes;
	r->hit_cycles += o->nr_lines;
	r->nr_wrong += t.nr_expected > 0; /* taken, and in no packet */
	r->error += values_error(t.all, t.sampled, &r->nr_used_buckets);
	if (r->nr_shown < VALUES_SHOWN)
		memcpy(r->shown[r->nr_shown++], t.sampled, sizeof(t.sampled));
	for (unsigned i = 0; i < VALUES_BUCKETS; i++)
		r->sum[i] += t.sampled[i];
	if (ipu_unit_status(t.unit) == IPU_ERROR)
		status = sahm_fail(err, SAHM_GUEST, "the IPU is in ERROR: %s at pc 0x%08" PRIx32,
				   hart_cause_text(ipu_unit_fault(t.unit).cause), ipu_unit_fault(t.unit).pc);
	else
		status = ipu_unit_check(t.unit, err);
	ipu_unit_free(t.unit);
	return status;
}

enum sahm_status values_run(const struct ipu_program *program, const struct abi *abi,
			    enum values_application application, const struct values_options *options,
			    struct values_result *result, struct sahm_err *err)
{
	const struct abi_signal *seen = abi_find(abi, "v0");
	*result = (struct values_result){
		.name = names[application], .text = texts[application], .hit_mhz = options->hit_mhz};
	if (!seen)
		return sahm_fail_at(err, SAHM_FORMAT, abi->file, 0, "it has no signal 'v0'");
	for (uint32_t n = 0; n < options->nr_tensors; n++) {
		enum sahm_status status = run_tensor(program, seen->reg, application, n, options, result, err);
		if (status != SAHM_OK)
			return status;
	}
	result->error /= (double)options->nr_tensors * VALUES_BUCKETS;
	return SAHM_OK;
}
