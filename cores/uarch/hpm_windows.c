#include "cores/uarch/hpm_windows.h"

#include <stdlib.h>

struct cut {
	uint64_t instructions; /* from the beginning of the run */
	uint64_t epoch;
};

struct hpm_windows {
	struct hpm_windows_options o;
	unsigned nr_events;
	uint64_t cycles, instructions; /* passed */
	uint64_t next_cycle;	       /* at which an interval ends; UINT64_MAX: none does */
	struct cut *cuts;	       /* [nr_cuts], of which nr_done are made */
	size_t nr_cuts, nr_done, room_cuts;
	bool is_open, failed;
	/* When the window was opened last. */
	uint64_t began_cycles, began_instructions;
	struct hpm_set_count *began; /* [nr_events] */
	struct hpm_window open, total;
	struct hpm_window *windows; /* [nr] */
	size_t nr, room;
};

static bool make_counts(struct hpm_window *window, unsigned nr)
{
	*window = (struct hpm_window){.counts = calloc(nr ? nr : 1, sizeof(*window->counts))};
	return window->counts != NULL;
}

/* ---- Windows ---- */

static void count(const struct hpm_windows *w, unsigned event, struct hpm_set_count *c)
{
	struct hpm_set_count truth;
	hpm_set_count(w->o.set, event, c);
	if (!w->o.truth)
		return;
	hpm_set_count(w->o.truth, event, &truth);
	c->truth = truth.truth;
}

static void open_window(struct hpm_windows *w)
{
	w->is_open = true;
	w->began_cycles = w->cycles;
	w->began_instructions = w->instructions;
	for (unsigned i = 0; i < w->nr_events; i++) {
		count(w, i, &w->began[i]);
		/* Nothing can have been missed yet. */
		if (w->cycles == 0)
			w->began[i].bound = 0;
	}
}

static void add_count(const struct hpm_windows *w, struct hpm_set_count *sum, const struct hpm_set_count *from,
		      const struct hpm_set_count *to)
{
	sum->counted += to->counted - from->counted;
	sum->truth += to->truth - from->truth;
	sum->enabled_cycles += to->enabled_cycles - from->enabled_cycles;
	sum->running_cycles += to->running_cycles - from->running_cycles;
	sum->bound += hpm_set_bound(w->o.set, from, to);
	/* Also of two instructions that retire in one cycle, with a boundary between them. */
	sum->value = sum->counted;
	if (sum->running_cycles < sum->enabled_cycles)
		sum->value = hpm_set_scale(sum->counted, sum->enabled_cycles, sum->running_cycles);
}

/* Adds to the open window the counts since it was opened. */
static void close_window(struct hpm_windows *w)
{
	static const struct hpm_set_count none;
	if (!w->is_open)
		return;
	for (unsigned i = 0; i < w->nr_events; i++) {
		struct hpm_set_count now, since = none;
		count(w, i, &now);
		add_count(w, &w->open.counts[i], &w->began[i], &now);
		add_count(w, &since, &w->began[i], &now);
		add_count(w, &w->total.counts[i], &none, &since);
		/* Events that one window misses, the next one counts. */
		if (!w->o.spans)
			w->total.counts[i].bound = now.bound;
	}
	w->open.cycles += w->cycles - w->began_cycles;
	w->open.instructions += w->instructions - w->began_instructions;
	w->total.cycles += w->cycles - w->began_cycles;
	w->total.instructions += w->instructions - w->began_instructions;
	w->total.end = w->cycles;
	w->is_open = false;
}

/* The open window is one more of the list. */
static void keep_window(struct hpm_windows *w, uint64_t epoch)
{
	if (w->nr == w->room) {
		size_t room = w->room ? 2 * w->room : 16;
		struct hpm_window *grown = realloc(w->windows, room * sizeof(*grown));
		w->failed |= !grown;
		if (!grown)
			return;
		w->windows = grown;
		w->room = room;
	}
	w->open.epoch = epoch;
	w->open.end = w->cycles;
	w->windows[w->nr++] = w->open;
	w->failed |= !make_counts(&w->open, w->nr_events);
}

static void end_window(struct hpm_windows *w, uint64_t epoch)
{
	close_window(w);
	keep_window(w, epoch);
	if (!w->failed)
		open_window(w);
}

/* ---- Boundaries ---- */

static bool is_inside(const struct hpm_windows *w, uint64_t pc)
{
	for (size_t i = 0; i < w->o.nr_spans; i++)
		if (pc >= w->o.spans[i].begin && pc < w->o.spans[i].end)
			return true;
	return false;
}

/* Instruction `lane` of the cycle has retired. */
static void reach_boundary(struct hpm_windows *w, const struct signal_run *run, unsigned lane)
{
	if (w->nr_done < w->nr_cuts && w->instructions == w->cuts[w->nr_done].instructions)
		end_window(w, w->cuts[w->nr_done++].epoch);
	if (w->cycles >= w->next_cycle) {
		end_window(w, 0);
		w->next_cycle = (w->cycles / w->o.interval_cycles + 1) * w->o.interval_cycles;
	}
	if (!w->o.spans || !run->causes)
		return;
	bool is_last = lane + 1 == signal_nr_retired(run);
	bool inside = is_inside(w, is_last ? run->causes->next.pc : run->causes->retired[lane + 1].pc);
	if (inside && !w->is_open)
		open_window(w);
	else if (!inside)
		close_window(w);
}

/* Cycles of the run at whose boundaries there is surely nothing to do. */
static uint64_t quiet_cycles(const struct hpm_windows *w, const struct signal_run *run)
{
	uint64_t quiet = run->nr, per_cycle = signal_nr_retired(run);
	if (per_cycle == 0)
		return quiet;
	if (w->o.spans)
		return 0;
	if (w->nr_done < w->nr_cuts) {
		uint64_t left = (w->cuts[w->nr_done].instructions - w->instructions - 1) / per_cycle;
		quiet = left < quiet ? left : quiet;
	}
	uint64_t left = w->next_cycle > w->cycles ? w->next_cycle - w->cycles - 1 : 0;
	return left < quiet ? left : quiet;
}

static void pass(struct hpm_windows *w, const struct signal_run *run)
{
	hpm_set_run(w->o.set, run);
	if (w->o.truth)
		hpm_set_run(w->o.truth, run);
	w->cycles += run->nr;
	w->instructions += run->nr * signal_nr_retired(run);
}

static void pass_lane_by_lane(struct hpm_windows *w, const struct signal_run *cycle)
{
	/* No boundary is before the first instruction: its window is open from the beginning, when all counts are 0. */
	if (w->instructions == 0 && w->o.spans && cycle->causes && signal_nr_retired(cycle) > 0)
		w->is_open = is_inside(w, cycle->causes->retired[0].pc);
	w->cycles++;
	for (unsigned lane = 0; lane < signal_nr_retired(cycle); lane++) {
		hpm_set_run_lanes(w->o.set, cycle, lane, lane + 1);
		if (w->o.truth)
			hpm_set_run_lanes(w->o.truth, cycle, lane, lane + 1);
		w->instructions++;
		reach_boundary(w, cycle, lane);
	}
}

/* Part by part: up to a boundary at which there may be something to do. */
static void run_cut(struct hpm_windows *w, const struct signal_run *run)
{
	struct signal_run rest = *run;
	while (rest.nr > 0 && !w->failed) {
		struct signal_run part = rest;
		uint64_t quiet = quiet_cycles(w, &rest);
		part.nr = quiet > 0 ? quiet : 1;
		if (quiet > 0)
			pass(w, &part);
		else
			pass_lane_by_lane(w, &part);
		rest.first += part.nr;
		rest.nr -= part.nr;
	}
}

void hpm_windows_run(struct hpm_windows *w, const struct signal_run *run)
{
	if (!w->failed && quiet_cycles(w, run) == run->nr)
		pass(w, run);
	else
		run_cut(w, run);
}

/* ---- Life ---- */

struct hpm_windows *hpm_windows_new(const struct hpm_windows_options *options)
{
	struct hpm_windows *w = calloc(1, sizeof(*w));
	if (!w)
		return NULL;
	w->o = *options;
	w->nr_events = hpm_set_nr_events(options->set);
	w->next_cycle = options->interval_cycles > 0 ? options->interval_cycles : UINT64_MAX;
	w->began = calloc(w->nr_events + 1, sizeof(*w->began));
	if (!make_counts(&w->open, w->nr_events) || !make_counts(&w->total, w->nr_events) || !w->began) {
		hpm_windows_free(w);
		return NULL;
	}
	if (!options->spans)
		open_window(w);
	return w;
}

void hpm_windows_free(struct hpm_windows *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < w->nr; i++)
		free(w->windows[i].counts);
	free(w->windows);
	free(w->open.counts);
	free(w->total.counts);
	free(w->began);
	free(w->cuts);
	free(w);
}

bool hpm_windows_cut(struct hpm_windows *w, uint64_t instructions, uint64_t epoch)
{
	uint64_t before = w->nr_cuts > 0 ? w->cuts[w->nr_cuts - 1].instructions : 0;
	if (w->nr_cuts == w->room_cuts) {
		size_t room = w->room_cuts ? 2 * w->room_cuts : 16;
		struct cut *grown = realloc(w->cuts, room * sizeof(*grown));
		if (!grown)
			return false;
		w->cuts = grown;
		w->room_cuts = room;
	}
	w->cuts[w->nr_cuts++] = (struct cut){before + instructions, epoch};
	return true;
}

bool hpm_windows_end(struct hpm_windows *w)
{
	hpm_set_stop(w->o.set, NULL, NULL);
	if (w->o.truth)
		hpm_set_stop(w->o.truth, NULL, NULL);
	if (w->failed)
		return false;
	/* A stopped counter has collected what was pending, which is the last window's. */
	if (w->nr > 0 && w->nr_cuts == w->nr && w->cycles == w->began_cycles) {
		struct hpm_window *last = &w->windows[w->nr - 1];
		close_window(w);
		for (unsigned i = 0; i < w->nr_events; i++) {
			uint64_t bound = w->nr > 1 ? last->counts[i].bound : w->total.counts[i].bound;
			add_count(w, &last->counts[i], &(struct hpm_set_count){0}, &w->open.counts[i]);
			last->counts[i].bound = bound;
		}
		return true;
	}
	close_window(w);
	if (w->open.cycles > 0 || w->nr == 0)
		keep_window(w, 0);
	return !w->failed;
}

size_t hpm_windows_nr(const struct hpm_windows *w)
{
	return w->nr;
}

const struct hpm_window *hpm_windows_at(const struct hpm_windows *w, size_t i)
{
	return &w->windows[i];
}

const struct hpm_window *hpm_windows_total(const struct hpm_windows *w)
{
	return &w->total;
}
