#include "results/cores/core_trace.h"

#include "cores/chip/counters.h"
#include "sim/base/units.h"

/* Where a boundary is among the epochs of the stream. */
struct position {
	uint64_t epoch, cycle;		   /* first cycle of that epoch */
	struct epoch_counts before, given; /* up to that epoch; in epochs of the trace so far */
};

static uint64_t scaled(uint64_t a, uint64_t b, uint64_t divisor)
{
	__extension__ typedef unsigned __int128 wide;
	return (uint64_t)((wide)a * b / divisor);
}

/* Moves to `cycle`, which is at or past the position. */
static void go_to(const struct core_result *r, uint64_t cycle, struct position *p)
{
	while (p->epoch < r->nr_epochs) {
		const struct epoch_counts *e = &r->epochs[p->epoch].counts.functional.epoch;
		if (cycle - p->cycle < e->count[COUNTER_CYCLES])
			return;
		for (int c = 0; c < NR_COUNTERS; c++)
			p->before.count[c] += e->count[c];
		p->cycle += e->count[COUNTER_CYCLES];
		p->epoch++;
	}
}

/* The epoch of the trace that ends at `cycle`. */
static struct epoch_counts cut_epoch(const struct core_result *r, uint64_t cycle, struct position *p)
{
	struct epoch_counts out;
	go_to(r, cycle, p);
	for (int c = 0; c < NR_COUNTERS; c++) {
		uint64_t sum = p->before.count[c];
		if (p->epoch < r->nr_epochs) {
			const struct epoch_counts *e = &r->epochs[p->epoch].counts.functional.epoch;
			sum += scaled(e->count[c], cycle - p->cycle, e->count[COUNTER_CYCLES]);
		}
		out.count[c] = sum - p->given.count[c];
		/* Rounding can put a miss before its access: it waits for the next epoch. */
		uint64_t whole = out.count[counter_rows[c].part_of];
		out.count[c] = out.count[c] < whole ? out.count[c] : whole;
		p->given.count[c] += out.count[c];
	}
	return out;
}

/* Whether the program ended within the last epoch. A recorder ends epochs at the first end of a block that has the
 * wanted number of instructions, so that whole ones differ by less than a block. */
static bool ends_early(const struct core_result *r)
{
	uint64_t shortest = UINT64_MAX, last = r->epochs[r->nr_epochs - 1].counts.timing.instructions;
	for (uint64_t i = 0; i + 1 < r->nr_epochs; i++)
		if (r->epochs[i].counts.timing.instructions < shortest)
			shortest = r->epochs[i].counts.timing.instructions;
	return r->nr_epochs > 1 && last < shortest - shortest / 100;
}

static enum sahm_status add_assumed(const struct core_result *r, struct trace_builder *b, uint64_t *nr_instructions,
				    struct sahm_err *err)
{
	uint64_t nr = r->nr_epochs - ends_early(r);
	enum sahm_status status = SAHM_OK;
	for (uint64_t i = 0; i < nr && status == SAHM_OK; i++) {
		*nr_instructions += r->epochs[i].counts.timing.instructions;
		status = trace_builder_add(b, &r->epochs[i].counts.functional.epoch, err);
	}
	return status;
}

static enum sahm_status add_measured(const struct core_result *r, uint32_t mhz, uint64_t *epoch_ns,
				     struct trace_builder *b, uint64_t *nr_instructions, struct sahm_err *err)
{
	struct position p = {0};
	uint64_t cycles = 0;
	enum sahm_status status = SAHM_OK;
	for (uint64_t i = 0; i < r->nr_epochs; i++)
		cycles += r->epochs[i].counts.functional.epoch.count[COUNTER_CYCLES];
	uint64_t total_ns = scaled(cycles, 1000, mhz);
	*epoch_ns = total_ns / r->nr_epochs;
	if (*epoch_ns < MIN_EPOCH_NS)
		*epoch_ns = MIN_EPOCH_NS;
	if (*epoch_ns > MAX_EPOCH_NS)
		return sahm_fail(err, SAHM_RANGE, "epochs last longer than %llu s at %u MHz",
				 (unsigned long long)(MAX_EPOCH_NS / NS_PER_S), mhz);
	for (uint64_t i = 1; i <= total_ns / *epoch_ns && status == SAHM_OK; i++) {
		struct epoch_counts e = cut_epoch(r, scaled(i * *epoch_ns, mhz, 1000), &p);
		status = trace_builder_add(b, &e, err);
	}
	*nr_instructions = p.given.count[COUNTER_INSTRUCTIONS];
	return status;
}

enum sahm_status core_trace_make(const struct core_result *r, uint32_t mhz, uint64_t epoch_ns,
				 const struct provenance *provenance, const char *file, struct trace **out,
				 uint64_t *left_out, struct sahm_err *err)
{
	uint64_t nr_instructions = 0;
	struct trace_builder *b = trace_builder_new(true);
	enum sahm_status status = b ? SAHM_OK : sahm_fail_nomem(err);
	if (status == SAHM_OK)
		status = mhz > 0 ? add_measured(r, mhz, &epoch_ns, b, &nr_instructions, err)
				 : add_assumed(r, b, &nr_instructions, err);
	if (status == SAHM_OK)
		status = trace_builder_finish(b, file, epoch_ns, provenance, out, err);
	*left_out = r->counts.timing.instructions - nr_instructions;
	trace_builder_free(b);
	return status;
}
