/* gem5's stats.txt: dumps of a line for each statistic,
 *
 *     ---------- Begin Simulation Statistics ----------
 *     simTicks                       37448000      # Number of ticks simulated (Tick)
 *     system.cpu.numCycles              37624      # Number of cpu cycles simulated (Cycle)
 *     system.cpu.icache.demandMisses::cpu.inst   98   # ...
 *     ---------- End Simulation Statistics   ----------
 *
 * A dump is a row, a CPU a group: an object that counts numCycles. Columns are statistics below the CPU. Those of
 * caches ("l2.demandMisses") are sums over the requests of this CPU, so that none is counted twice in a shared cache.
 * CPUs of different models have different names for one counter: the column has the name of the first one.
 *
 * gem5 leaves out some statistics that are 0. Those of a CPU that stood in an earlier dump, and those of a cache that
 * is there, are 0 where they are missing.
 *
 * Statistics are reset at a dump or they are not. simTicks is the time since they were, and finalTick is never reset,
 * so the times of each dump say whether the one before has to be subtracted. */
#include <inttypes.h>
#include <string.h>

#include "sim/base/units.h"
#include "workloads/import/import_gem5_internal.h"

#define DEFAULT_TICKS_PER_S UINT64_C(1000000000000)
#define MAX_STAMP_NS (UINT64_C(1000000000) * NS_PER_S)

static const char begin_line[] = "---------- Begin Simulation Statistics";
static const char end_line[] = "---------- End Simulation Statistics";

/* Whether the dump's statistics count since the one before, or since an earlier time; fails where nothing says so. */
static enum sahm_status find_mode(struct import *im, struct gem5_reader *r, enum gem5_mode *mode)
{
	const struct gem5_ticks *now = &r->ticks, *before = &r->before;
	bool forced = im->options->cumulative || im->options->differences;
	bool is_known = now->has_since_reset && now->has_final && before->has_final;
	uint64_t passed = is_known ? now->final - before->final : 0;
	*mode = GEM5_DIFFERENCE;
	if (!r->has_before)
		return SAHM_OK;
	if (!is_known && !forced)
		return import_fail(im,
				   "this dump has no simTicks and finalTick that say whether it counts since the one "
				   "before: say --differences, or --cumulative if statistics were not reset");
	if (is_known && now->since_reset > passed)
		*mode = before->has_since_reset && now->since_reset - before->since_reset == passed &&
					now->since_reset >= before->since_reset
				? GEM5_TOTAL
				: GEM5_IMPOSSIBLE;
	else if (is_known && now->since_reset < passed)
		*mode = GEM5_GAP;
	if (forced) {
		enum gem5_mode wanted = im->options->cumulative ? GEM5_TOTAL : GEM5_DIFFERENCE;
		/* From nothing the two are the same. */
		if (is_known && *mode != wanted && before->since_reset > 0 && r->nr_contrary++ == 0)
			r->first_contrary_line = r->begun_line;
		*mode = wanted;
	}
	return SAHM_OK;
}

/* Ticks that the dump's statistics count. */
static uint64_t covered(const struct gem5_reader *r, enum gem5_mode mode)
{
	if (mode == GEM5_TOTAL && r->ticks.has_final && r->before.has_final)
		return r->ticks.final - r->before.final;
	return r->ticks.since_reset;
}

/* finalTick is never reset: where it falls, another simulation begins. */
static enum sahm_status begin_recording(struct import *im, struct gem5_reader *r)
{
	bool fell = r->ticks.has_final && r->before.has_final && r->ticks.final < r->before.final;
	if (r->has_before && !fell)
		return SAHM_OK;
	r->has_before = false;
	r->covered_ticks = 0;
	return import_begin_recording(im, NULL);
}

static enum sahm_status end_dump(struct import *im, struct gem5_reader *r)
{
	enum gem5_mode mode;
	bool is_empty = !gem5_has_cpus(r) && !r->ticks.has_since_reset && !r->ticks.has_final;
	if (is_empty) {
		import_skip(im, SKIP_UNREADABLE, r->begun_line, NULL);
		return SAHM_OK;
	}
	enum sahm_status status = begin_recording(im, r);
	if (status == SAHM_OK)
		status = find_mode(im, r, &mode);
	if (status != SAHM_OK)
		return status;
	gem5_count(im, r, mode);
	if (r->has_before && r->nr[mode]++ == 0)
		r->first_line[mode] = r->begun_line;
	if (mode == GEM5_GAP)
		r->lost_ticks += r->ticks.final - r->before.final - r->ticks.since_reset;
	r->covered_ticks += covered(r, mode);
	__extension__ unsigned __int128 ns = (unsigned __int128)r->covered_ticks * NS_PER_S / r->ticks.per_s;
	bool has_stamp = r->ticks.has_since_reset && ns <= MAX_STAMP_NS;
	if (!import_recording_is_chosen(im))
		import_skip(im, SKIP_OTHER_RECORDING, r->begun_line, NULL);
	else if (r->nr_cpus == 0)
		import_skip(im, SKIP_UNREADABLE, r->begun_line, NULL);
	else if (mode != GEM5_IMPOSSIBLE)
		status = gem5_make_row(im, r, has_stamp, has_stamp ? (uint64_t)ns : 0);
	r->before = r->ticks;
	r->has_before = true;
	return status;
}

static void report_modes(struct import *im, const struct gem5_reader *r)
{
	const uint64_t *nr = r->nr;
	if (!im->notes)
		return;
	if (nr[GEM5_TOTAL] > 0)
		textbuf_printf(im->notes,
			       "%s:%u: statistics are totals, not reset at dumps: from %" PRIu64
			       " of %u dumps the one before "
			       "is subtracted%s\n",
			       im->file, r->first_line[GEM5_TOTAL], nr[GEM5_TOTAL], r->dump,
			       im->options->cumulative ? "" : " (--differences says otherwise)");
	if (nr[GEM5_DIFFERENCE] > 0)
		textbuf_printf(im->notes,
			       "%s:%u: statistics are differences, reset at the dump before: %" PRIu64
			       " of %u dumps are taken as they are%s\n",
			       im->file, r->first_line[GEM5_DIFFERENCE], nr[GEM5_DIFFERENCE], r->dump,
			       im->options->differences ? "" : " (--cumulative says otherwise)");
	if (nr[GEM5_GAP] > 0)
		textbuf_printf(im->notes,
			       "%s:%u: statistics were reset between dumps: %" PRIu64
			       " of %u dumps count from there on, "
			       "and %.6g ms are in none\n",
			       im->file, r->first_line[GEM5_GAP], nr[GEM5_GAP], r->dump,
			       (double)r->lost_ticks / (double)r->ticks.per_s * 1e3);
	if (nr[GEM5_IMPOSSIBLE] > 0)
		textbuf_printf(im->notes,
			       "%s:%u: %" PRIu64 " of %u dumps are passed over: simTicks is neither the time since the "
			       "dump before nor more by its simTicks (--differences or --cumulative takes them)\n",
			       im->file, r->first_line[GEM5_IMPOSSIBLE], nr[GEM5_IMPOSSIBLE], r->dump);
	if (r->nr_contrary > 0)
		textbuf_printf(im->notes, "%s:%u: simTicks contradicts %s in %" PRIu64 " of %u dumps\n", im->file,
			       r->first_contrary_line, im->options->cumulative ? "--cumulative" : "--differences",
			       r->nr_contrary, r->dump);
}

/* --map names what is nowhere. */
static enum sahm_status check_names(struct import *im, const struct gem5_reader *r)
{
	for (unsigned k = 0; k < r->nr_keys && im->nr_columns > 0; k++) {
		const struct gem5_key *key = &r->keys[k];
		char near[SUGGEST_BYTES];
		if (key->is_mapped && !key->is_optional && !key->was_seen)
			return sahm_fail_at(
				im->err, SAHM_FORMAT, im->file, 0, "--map: no CPU has a statistic '%s'%s", key->name,
				suggest_or(&key->nearest, "name it as the file does, from the CPU's part on", near));
	}
	return SAHM_OK;
}

static void begin_dump(struct import *im, struct gem5_reader *r)
{
	if (r->is_open)
		import_skip(im, SKIP_CUT_SHORT, r->begun_line, NULL);
	r->dump++;
	r->begun_line = im->lines.line;
	r->is_open = true;
	memset(r->has_cache, 0, sizeof(r->has_cache));
	r->ticks = (struct gem5_ticks){.per_s = r->ticks.per_s};
}

static enum sahm_status read(struct import *im)
{
	struct gem5_reader *r = arena_alloc(&im->arena, 1, sizeof(*r));
	bool more = true;
	if (r)
		r->ruby = arena_alloc(&im->arena, 1, sizeof(*r->ruby));
	enum sahm_status status = r && r->ruby ? import_say(im, PROVENANCE_TOOL, "gem5") : sahm_fail_nomem(im->err);
	if (status == SAHM_OK)
		status = gem5_add_keys(im, r);
	if (status == SAHM_OK)
		r->ticks.per_s = DEFAULT_TICKS_PER_S;
	while (status == SAHM_OK && r->keys[r->cycles].counter != COUNTER_CYCLES)
		r->cycles++;
	while (status == SAHM_OK) {
		status = import_next_line(im, &more);
		if (status != SAHM_OK || !more)
			break;
		if (import_line_begins(im->lines.text, im->lines.len, begin_line)) {
			begin_dump(im, r);
		} else if (r->is_open && import_line_begins(im->lines.text, im->lines.len, end_line)) {
			status = end_dump(im, r);
			r->is_open = false;
		} else if (r->is_open) {
			status = gem5_take_line(im, r);
		}
	}
	if (status != SAHM_OK)
		return status;
	if (r->is_open)
		import_skip(im, SKIP_CUT_SHORT, r->begun_line, NULL);
	report_modes(im, r);
	return check_names(im, r);
}

static bool owns_line(const char *line, size_t len)
{
	return import_line_begins(line, len, begin_line);
}

const struct import_format import_format_gem5 = {
	.owns_line = owns_line,
	.is_counted_by_tool = true,
	.is_model = true,
	.subtracts_totals = true,
	.how = "gem5 run to the end of a dump, with CPUs that count numCycles",
	.lacks = "; gem5 counts mispredictions only with a predictor, and misses only with caches (docs/simulators.md)",
	.read = read,
};
