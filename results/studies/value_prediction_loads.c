/* Which loads the cores of each phase of the study of value prediction predict. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "results/studies/value_prediction_study.h"

#define MAX_LATENCY_KEPT UINT16_MAX

/* The first core of a phase that predicts a load; this: none does. */
#define NO_CORE (UNAWARE_STEPS + 1u)

struct value_loads {
	const struct value_study *study;
	enum value_phase phase;
	uint64_t nr;					 /* uops of class LOAD */
	uint64_t drawn[UNAWARE_STEPS];			 /* loads, by tenth */
	struct load_set critical[AWARE_PASSES];		 /* of each pass, without those of passes before */
	uint64_t in_pass[AWARE_PASSES + 1][AWARE_STEPS]; /* loads, by fifth; the last ones are the others */
	uint64_t nr_stamped;
	uint16_t *latencies; /* [nr]; 0: of no load, or of one of a pass; then the fifth of the others, from 1 */
};

struct value_loads *value_loads_new(const struct value_study *s)
{
	struct value_loads *l = calloc(1, sizeof(*l));
	if (l)
		l->study = s;
	return l;
}

void value_loads_free(struct value_loads *l)
{
	if (!l)
		return;
	for (unsigned i = 0; i < AWARE_PASSES; i++)
		free(l->critical[i].bits);
	free(l->latencies);
	free(l);
}

unsigned value_phase_cores(enum value_phase phase)
{
	return phase == VALUE_UNAWARE				 ? NR_UNAWARE_POINTS
	       : phase == VALUE_PATH || phase == VALUE_LATENCIES ? 1
								 : AWARE_STEPS;
}

bool value_phase_marks(enum value_phase phase, unsigned *core)
{
	*core = value_phase_cores(phase) - 1;
	return phase >= VALUE_PATH && phase < VALUE_LATENCIES - 1;
}

bool value_phase_point(enum value_phase phase, unsigned *point)
{
	if (phase == VALUE_UNAWARE)
		*point = 0;
	else if (phase == VALUE_REST)
		*point = NR_VALUE_POINTS - AWARE_STEPS;
	else
		*point = NR_UNAWARE_POINTS + (phase - VALUE_PASS) * AWARE_STEPS;
	return phase != VALUE_PATH && phase != VALUE_LATENCIES;
}

/* ---- Drawing ---- */

/* 32 bits of a hash (the finalizer of SplitMix64). */
static uint32_t draw(uint64_t seed, uint64_t number)
{
	uint64_t x = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15) + number * UINT64_C(0xd1342543de82ef95);
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)((x ^ x >> 31) >> 32);
}

/* Which of `nr` equal parts the load is in. */
static unsigned part_of(const struct value_loads *l, uint64_t number, unsigned nr)
{
	return (unsigned)((uint64_t)draw(l->study->seed, number) * nr >> 32);
}

static bool is_wrong(const struct value_loads *l, uint64_t number)
{
	return draw(~l->study->seed, number) >= l->study->accuracy * 4294967296.0;
}

/* The first of `nr` passes in whose critical loads it is; `nr`: none. */
static unsigned pass_of(const struct value_loads *l, uint64_t number, unsigned nr)
{
	unsigned pass = 0;
	while (pass < nr && !load_set_has(&l->critical[pass], number))
		pass++;
	return pass;
}

/* The first core of the phase that predicts the load. */
static unsigned first_drawn_core(const struct value_loads *l, uint64_t number)
{
	if (l->phase == VALUE_UNAWARE)
		return part_of(l, number, UNAWARE_STEPS) + 1;
	if (l->phase == VALUE_PATH)
		return NO_CORE;
	if (l->phase < VALUE_LATENCIES) {
		/* The marks of the next pass are on their way. */
		unsigned current = l->phase - VALUE_PASS, pass = pass_of(l, number, current + 1);
		return pass < current ? 0 : pass == current ? part_of(l, number, AWARE_STEPS) : NO_CORE;
	}
	if (pass_of(l, number, AWARE_PASSES) < AWARE_PASSES)
		return 0;
	return l->phase == VALUE_REST ? l->latencies[number] - 1u : NO_CORE;
}

void value_loads_predict(struct value_loads *l, const size_t *cores, unsigned nr, const struct uop_batch *batch,
			 uint64_t first_load, struct load_predictions *p)
{
	uint32_t masks[NO_CORE + 1] = {0};
	bool counts = l->phase == VALUE_UNAWARE && cores[0] == 0;
	for (unsigned first = 0; first < NO_CORE; first++)
		for (unsigned i = 0; i < nr; i++)
			masks[first] |= (uint32_t)(cores[i] >= first) << i;
	for (uint32_t i = 0; i < batch->nr; i++) {
		const struct uop *u = &batch->uops[i];
		p->right[i] = p->wrong[i] = 0;
		if (u->class != INSN_LOAD)
			continue;
		uint64_t number = first_load++;
		if (!uop_can_be_predicted(u))
			continue;
		unsigned first = first_drawn_core(l, number);
		if (counts)
			l->drawn[first - 1]++;
		*(is_wrong(l, number) ? &p->wrong[i] : &p->right[i]) = masks[first];
	}
	if (counts)
		l->nr = first_load;
}

struct load_set *value_loads_critical(struct value_loads *l)
{
	return &l->critical[l->phase - VALUE_PATH];
}

/* ---- Phases ---- */

static uint64_t sum_of(const uint64_t *numbers, unsigned nr)
{
	uint64_t sum = 0;
	for (unsigned i = 0; i < nr; i++)
		sum += numbers[i];
	return sum;
}

/* Room for the critical loads of a pass. */
static enum sahm_status begin_marks(struct load_set *set, uint64_t nr, struct sahm_err *err)
{
	set->nr = nr;
	set->bits = calloc(nr / 64 + 1, sizeof(*set->bits));
	return set->bits ? SAHM_OK : sahm_fail_nomem(err);
}

/* Only loads of no pass before are of this one, and are counted. */
static void end_marks(struct value_loads *l, unsigned pass)
{
	struct load_set *set = &l->critical[pass];
	for (uint64_t word = 0; word < set->nr / 64 + 1; word++) {
		for (unsigned before = 0; before < pass; before++)
			set->bits[word] &= ~l->critical[before].bits[word];
		for (uint64_t left = set->bits[word]; left != 0; left &= left - 1)
			l->in_pass[pass][part_of(l, word * 64 + (unsigned)__builtin_ctzll(left), AWARE_STEPS)]++;
	}
}

void value_loads_stamp(struct value_loads *l, const struct uop_batch *batch, const struct uop_stamps *stamps)
{
	for (uint32_t i = 0; i < batch->nr; i++) {
		if (batch->uops[i].class != INSN_LOAD)
			continue;
		uint64_t number = l->nr_stamped++, latency = stamps[i].complete - stamps[i].issue;
		if (uop_can_be_predicted(&batch->uops[i]) && pass_of(l, number, AWARE_PASSES) == AWARE_PASSES)
			l->latencies[number] = (uint16_t)(latency < MAX_LATENCY_KEPT ? latency : MAX_LATENCY_KEPT);
	}
}

/* Latencies become fifths of the loads, the longest first; of equal ones, the first load. */
static enum sahm_status end_latencies(struct value_loads *l, struct sahm_err *err)
{
	uint64_t *ranks = calloc(MAX_LATENCY_KEPT + 1u, sizeof(*ranks)), total = 0;
	if (!ranks)
		return sahm_fail_nomem(err);
	for (uint64_t i = 0; i < l->nr; i++)
		ranks[l->latencies[i]]++;
	for (unsigned latency = MAX_LATENCY_KEPT; latency > 0; latency--) {
		uint64_t nr = ranks[latency];
		ranks[latency] = total;
		total += nr;
	}
	for (uint64_t i = 0; i < l->nr; i++) {
		if (l->latencies[i] == 0)
			continue;
		unsigned fifth = (unsigned)(ranks[l->latencies[i]]++ * AWARE_STEPS / total);
		l->in_pass[AWARE_PASSES][fifth]++;
		l->latencies[i] = (uint16_t)(fifth + 1);
	}
	free(ranks);
	return SAHM_OK;
}

static void count_covered(const struct value_loads *l, struct value_program *out)
{
	uint64_t covered = 0;
	out->loads = sum_of(l->drawn, UNAWARE_STEPS);
	for (unsigned i = 0; i < NR_UNAWARE_POINTS; i++)
		out->points[i].covered = sum_of(l->drawn, i);
	for (unsigned i = 0; i < (AWARE_PASSES + 1) * AWARE_STEPS; i++) {
		covered += l->in_pass[i / AWARE_STEPS][i % AWARE_STEPS];
		out->points[NR_UNAWARE_POINTS + i].covered = covered;
	}
}

enum sahm_status value_loads_begin(struct value_loads *l, enum value_phase phase, struct value_program *out,
				   struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	unsigned core;
	if (l->nr > UINT32_MAX)
		return sahm_fail(err, SAHM_RANGE, "%s has %" PRIu64 " loads, more than 2^32: take some epochs of it",
				 out->stream, l->nr);
	if (phase > VALUE_PATH && value_phase_marks(phase - 1, &core))
		end_marks(l, phase - 1 - VALUE_PATH);
	if (phase == VALUE_LATENCIES + 1)
		status = end_latencies(l, err);
	l->phase = phase;
	if (value_phase_marks(phase, &core))
		status = begin_marks(&l->critical[phase - VALUE_PATH], l->nr, err);
	if (phase == VALUE_LATENCIES) {
		l->latencies = calloc(l->nr + 1, sizeof(*l->latencies));
		status = l->latencies ? SAHM_OK : sahm_fail_nomem(err);
	}
	count_covered(l, out);
	return status;
}
