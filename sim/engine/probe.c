/* The IPUs of a simulation: how they are wired, fed and listened to. */
#include "sim/engine/probe.h"

#include <stdlib.h>

#include "sim/base/array.h"
#include "sim/base/suggest.h"
#include "sim/base/units.h"
#include "sim/engine/probe_internal.h"

#define THREAD_SIGNAL "thread"

/* Epochs that are decoded at a time. */
#define EPOCHS_AT_A_TIME 512u

static enum sahm_status fail_signal(const struct abi *abi, const struct abi_signal *signal, struct sahm_err *err)
{
	char near[SUGGEST_BYTES];
	struct suggest s;
	suggest_init(&s, signal->name);
	for (int c = 0; c < NR_COUNTERS; c++)
		suggest_offer(&s, counter_rows[c].name);
	suggest_offer(&s, THREAD_SIGNAL);
	return sahm_fail(err, SAHM_CONFIG,
			 "%s: a core has no signal '%.60s', but the counters of a trace and '" THREAD_SIGNAL "'%s",
			 abi->file, signal->name, suggest_text(&s, near));
}

enum sahm_status probe_wire(const struct abi *abi, struct probe_wiring *wiring, struct sahm_err *err)
{
	*wiring = (struct probe_wiring){.thread = NR_IOREGS};
	for (unsigned i = 0; i < abi->nr_signals; i++) {
		const struct abi_signal *signal = &abi->signals[i];
		enum counter counter = NR_COUNTERS;
		uint32_t reg = signal->reg;
		if (signal->is_level)
			return sahm_fail(err, SAHM_CONFIG,
					 "%s: '%.60s' is a level, which a core of a run does not have", abi->file,
					 signal->name);
		if (strcmp(signal->name, THREAD_SIGNAL) == 0)
			wiring->thread = reg;
		else if (!counter_find(signal->name, strlen(signal->name), &counter))
			return fail_signal(abi, signal, err);
		wiring->counter[reg] = counter;
		wiring->max[reg] = UINT64_MAX >> (64 - signal->bits);
		wiring->valid |= UINT32_C(1) << reg;
		wiring->cycles |= counter == COUNTER_CYCLES ? UINT32_C(1) << reg : 0;
		if (wiring->nr_values <= reg)
			wiring->nr_values = reg + 1;
	}
	return SAHM_OK;
}

/* The registers of one epoch, that of the thread left 0. */
static void put_values(const struct probe_wiring *w, const struct epoch_counts *e, uint64_t *values)
{
	for (uint32_t left = w->valid; left; left &= left - 1) {
		int reg = __builtin_ctz(left);
		if (w->counter[reg] == NR_COUNTERS)
			continue;
		uint64_t count = e->count[w->counter[reg]];
		values[reg] = count < w->max[reg] ? count : w->max[reg];
	}
}

enum sahm_status probe_inputs_read(const struct probe_wiring *wiring, struct trace *trace, struct arena *a,
				   uint64_t *room, struct probe_inputs *inputs, struct sahm_err *err)
{
	struct epoch_counts epochs[EPOCHS_AT_A_TIME];
	uint64_t nr_epochs = trace_nr_epochs(trace), nr_bytes = nr_epochs * wiring->nr_values * sizeof(uint64_t);
	if (nr_bytes > *room)
		return sahm_fail(err, SAHM_RANGE, "introspection of so long traces takes more than %llu MB of memory",
				 (unsigned long long)(MAX_PROBE_BYTES >> 20));
	*room -= nr_bytes;
	uint64_t *values = arena_alloc(a, nr_epochs, wiring->nr_values * sizeof(*values));
	if (!values)
		return sahm_fail_nomem(err);
	*inputs = (struct probe_inputs){values, wiring->valid & ~(trace_has_cycles(trace) ? 0 : wiring->cycles)};
	for (uint64_t first = 0, nr; first < nr_epochs; first += nr) {
		nr = nr_epochs - first < EPOCHS_AT_A_TIME ? nr_epochs - first : EPOCHS_AT_A_TIME;
		enum sahm_status status = trace_read(trace, first, nr, epochs, err);
		if (status != SAHM_OK)
			return status;
		for (uint64_t i = 0; i < nr; i++, values += wiring->nr_values)
			put_values(wiring, &epochs[i], values);
	}
	return SAHM_OK;
}

bool probe_counts_add(struct probe_counts *sum, const struct probe_counts *c)
{
	const uint64_t from[] = {c->arrived, c->invocations, c->instructions, c->dropped,  c->ignored,	   c->skipped,
				 c->packets, c->bytes,	     c->lost_packets, c->rejected, c->busy_cycles, c->accurate};
	uint64_t *const to[] = {&sum->arrived,	    &sum->invocations, &sum->instructions, &sum->dropped,
				&sum->ignored,	    &sum->skipped,     &sum->packets,	   &sum->bytes,
				&sum->lost_packets, &sum->rejected,    &sum->busy_cycles,  &sum->accurate};
	bool fits = true;
	if (sum->nr_faults == 0)
		sum->fault = c->fault;
	sum->nr_faults += c->nr_faults;
	for (size_t i = 0; i < ARRAY_SIZE(from); i++)
		fits &= !__builtin_add_overflow(*to[i], from[i], to[i]);
	return fits;
}

/* `a` before `b`: the pass that sees both believes `b`. */
static bool is_before(const struct late_word *a, const struct probe_word *b)
{
	return a->sent_at != b->sent_at ? a->sent_at < b->sent_at : a->core < b->core;
}

static void accept_word(struct probes *p, const struct late_word *word)
{
	struct probe_word *known = &p->words[word->thread];
	if (is_before(word, known))
		return;
	known->sent_at = word->sent_at;
	known->core = word->core;
	if (known->state == word->state)
		return;
	known->state = word->state;
	if (!known->is_new)
		p->changed[p->nr_changed++] = word->thread;
	known->is_new = true;
}

/* Time 0 is when `init` is over, which may have sent words long before. */
uint64_t probes_due_of(const struct probes *p, uint64_t sent_at)
{
	uint32_t mhz = p->config->ipu_mhz;
	uint64_t arrives_ns = p->config->latency_ns;
	if (sent_at >= p->base_ipu) {
		arrives_ns += probe_ns_of(sent_at - p->base_ipu, mhz);
	} else {
		uint64_t before_ns = probe_whole_ns_of(p->base_ipu - sent_at, mhz);
		arrives_ns = before_ns < arrives_ns ? arrives_ns - before_ns : 0;
	}
	return arrives_ns / p->timestep_ns + (arrives_ns % p->timestep_ns != 0);
}

static bool read_word(const struct probes *p, const struct ipu_packet *packet, struct late_word *word)
{
	if (packet->nr_bytes != STATE_WORD_BYTES)
		return false;
	uint32_t value = 0;
	for (unsigned i = 0; i < STATE_WORD_BYTES; i++)
		value |= (uint32_t)packet->bytes[i] << 8 * i;
	word->state = (uint8_t)value;
	word->thread = value >> STATE_WORD_THREAD_BIT;
	word->sent_at = packet->sent_at;
	return word->state < NR_STATES && word->thread < p->nr_threads;
}

static void note_early(struct probes *p, uint32_t core, const struct ipu_packet *packet, bool is_rejected)
{
	const struct early_packet early = {packet->sent_at, core, packet->nr_bytes, is_rejected};
	if (p->failed == SAHM_OK)
		p->failed = early_packets_add(&p->early, &early, p->begins_at);
}

static void note_late(struct probes *p, struct late_word *word)
{
	word->due = probes_due_of(p, word->sent_at);
	if (p->failed == SAHM_OK)
		p->failed = late_words_add(&p->late, word);
}

void probes_collect(struct probes *p, uint32_t core)
{
	struct ipu_packet packet;
	p->act_alone |= ipu_unit_acts_alone(p->units[core]);
	while (ipu_unit_take(p->units[core], &packet)) {
		struct late_word word = {.core = core};
		bool is_word = read_word(p, &packet, &word);
		if (packet.sent_at > p->ends_at)
			note_early(p, core, &packet, !is_word);
		if (!is_word)
			p->rejected[core]++;
		else if (word.sent_at <= p->in_time)
			accept_word(p, &word);
		else
			note_late(p, &word);
	}
}

uint64_t probes_in_time_for(const struct probes *p, uint64_t step)
{
	uint32_t mhz = p->config->ipu_mhz;
	uint64_t begins_ns = step * p->timestep_ns, latency_ns = p->config->latency_ns;
	if (begins_ns >= latency_ns)
		return p->base_ipu + probe_cycles_of(begins_ns - p->config->latency_ns, mhz);
	uint64_t before = probe_whole_cycles_of(latency_ns - begins_ns, mhz);
	return before < p->base_ipu ? p->base_ipu - before : 0;
}

/* IPU cycles that have passed when timestep `step` begins. */
static uint64_t begin_of(const struct probes *p, uint64_t step)
{
	return p->base_ipu + probe_cycles_of(step * p->timestep_ns, p->config->ipu_mhz);
}

/* Up to the beginning of the timestep; takes what timers have made IPUs send, and `init` at first. */
static void advance_probes(struct probes *p)
{
	for (uint32_t c = 0; c < p->nr_cores; c++) {
		ipu_unit_advance(p->units[c], p->hit_cycle);
		probes_collect(p, c);
	}
}

void probes_begin(struct probes *p, uint64_t step)
{
	struct late_word word;
	p->hit_cycle = p->base_hit + probe_cycles_of(step * p->timestep_ns, p->config->hit_mhz);
	p->in_time = probes_in_time_for(p, step);
	p->begins_at = p->ends_at = begin_of(p, step);
	if (step == 0 || p->act_alone)
		advance_probes(p);
	while (late_words_take(&p->late, step, &word))
		accept_word(p, &word);
	p->in_time = probes_in_time_for(p, step + 1);
	p->ends_at = begin_of(p, step + 1);
}

/* Lets `init` run, and finds out when it is over: whole us, so that both clocks begin a cycle then. */
static enum sahm_status power_on(struct probes *p, uint32_t core, const struct ipu_unit_config *unit_config,
				 uint64_t *over_us, struct sahm_err *err)
{
	enum sahm_status status = ipu_unit_new(&p->units[core], unit_config, err);
	if (status != SAHM_OK)
		return status;
	struct ipu_unit *u = p->units[core];
	ipu_unit_configure(u, 0, p->config->program);
	ipu_unit_settle(u);
	uint64_t hit_us = (ipu_unit_hit_cycle(u) + unit_config->hit_mhz - 1) / unit_config->hit_mhz;
	uint64_t ipu_us = (ipu_unit_free_at(u) + unit_config->ipu_mhz - 1) / unit_config->ipu_mhz;
	*over_us = hit_us > *over_us ? hit_us : *over_us;
	*over_us = ipu_us > *over_us ? ipu_us : *over_us;
	return SAHM_OK;
}

static enum sahm_status check(const struct probe_config *c, struct sahm_err *err)
{
	if (c->sampling < 1)
		return sahm_fail(err, SAHM_RANGE, "introspection samples one in none");
	if (c->max_cycles < 1 || c->max_cycles > (uint64_t)MAX_WATCHDOG_CYCLES)
		return sahm_fail(err, SAHM_RANGE, "a watchdog of %llu IPU cycles, must be from 1 to %g",
				 (unsigned long long)c->max_cycles, MAX_WATCHDOG_CYCLES);
	if (c->latency_ns > MAX_PROBE_LATENCY_NS)
		return sahm_fail(err, SAHM_RANGE, "packets take longer than %g s",
				 (double)MAX_PROBE_LATENCY_NS / (double)NS_PER_S);
	return SAHM_OK;
}

enum sahm_status probes_init(struct probes *p, const struct probe_config *config, uint32_t nr_cores,
			     uint32_t nr_threads, uint64_t timestep_ns, struct sahm_err *err)
{
	const struct ipu_unit_config unit_config = {
		.maker = config->maker,
		.hit_mhz = config->hit_mhz,
		.ipu_mhz = config->ipu_mhz,
		.mismatch = config->sampling > 1 ? IPU_SUB_SAMPLE : IPU_EVERY,
		.mismatch_arg = config->sampling,
		.max_cycles = config->max_cycles,
		.fifo_bytes = IPU_DEFAULT_FIFO_BYTES,
	};
	uint64_t over_us = 0;
	*p = (struct probes){
		.config = config,
		.timestep_ns = timestep_ns,
		.nr_cores = nr_cores,
		.nr_threads = nr_threads,
		.units = calloc(nr_cores, sizeof(struct ipu_unit *)),
		.rejected = calloc(nr_cores, sizeof(uint64_t)),
		.accurate = calloc(nr_cores, sizeof(uint64_t)),
		.words = calloc(nr_threads, sizeof(struct probe_word)),
		.changed = calloc(nr_threads, sizeof(uint32_t)),
		.values = calloc(nr_cores, sizeof(*p->values)),
	};
	enum sahm_status status = check(config, err);
	if (status == SAHM_OK && (!p->units || !p->rejected || !p->accurate || !p->words || !p->changed || !p->values))
		status = sahm_fail_nomem(err);
	for (uint32_t c = 0; c < nr_cores && status == SAHM_OK; c++)
		status = power_on(p, c, &unit_config, &over_us, err);
	if (status != SAHM_OK) {
		probes_release(p);
		return status;
	}
	p->base_hit = over_us * config->hit_mhz;
	p->base_ipu = over_us * config->ipu_mhz;
	for (uint32_t t = 0; t < nr_threads; t++)
		p->words[t].state = STATE_NONE;
	p->at_power_on = ipu_unit_counts(p->units[0]);
	for (uint32_t c = 0; c < nr_cores; c++)
		ipu_unit_resume(p->units[c], p->base_hit);
	return SAHM_OK;
}

void probes_release(struct probes *p)
{
	for (uint32_t c = 0; p->units && c < p->nr_cores; c++)
		ipu_unit_free(p->units[c]);
	free(p->units);
	free(p->rejected);
	free(p->accurate);
	free(p->words);
	free(p->changed);
	free(p->values);
	free(p->late.heap);
	free(p->early.packets);
	*p = (struct probes){0};
}

static enum sahm_status explain(enum sahm_status failed, struct sahm_err *err)
{
	if (failed != SAHM_RANGE)
		return sahm_fail_nomem(err);
	return sahm_fail(err, SAHM_RANGE,
			 "more than %llu words of IPUs are on their way to the scheduler at a time: "
			 "introspection.latency_us is too long for all that they send",
			 (unsigned long long)MAX_LATE_WORDS);
}

/* Busy cycles by the end of the simulation, which is now. Those of the routine under way have been counted when it
 * began. One that ends by the end of the cycle that the HIT is in has ended, which may be a cycle too many. */
static uint64_t busy_cycles_of(const struct probes *p, uint32_t core)
{
	const struct ipu_unit *u = p->units[core];
	uint64_t busy = ipu_unit_counts(u).busy_cycles - p->at_power_on.busy_cycles;
	uint64_t free_at = ipu_unit_free_at(u), all = p->begins_at - p->base_ipu;
	busy -= free_at > p->begins_at ? free_at - p->begins_at : 0;
	return busy < all ? busy : all;
}

enum sahm_status probes_conclude(struct probes *p, uint64_t step, struct probe_counts *counts, struct sahm_err *err)
{
	p->act_alone = true;
	probes_begin(p, step);
	if (p->failed != SAHM_OK)
		return explain(p->failed, err);
	enum sahm_status status = ipu_unit_check(p->units[0], err);
	if (status != SAHM_OK)
		return status;
	for (uint32_t c = 0; c < p->nr_cores; c++) {
		struct ipu_counts from = ipu_unit_counts(p->units[c]);
		bool is_faulty = ipu_unit_status(p->units[c]) == IPU_ERROR;
		counts[c] = (struct probe_counts){
			.arrived = from.arrived,
			.invocations = from.calls_main + from.calls_handler,
			.instructions = from.instructions - p->at_power_on.instructions,
			.dropped = from.dropped,
			.ignored = from.ignored,
			.skipped = from.skipped,
			.packets = from.packets,
			.bytes = from.bytes,
			.lost_packets = from.lost_packets,
			.rejected = p->rejected[c],
			.busy_cycles = busy_cycles_of(p, c),
			.accurate = p->accurate[c],
			.nr_faults = is_faulty,
		};
		if (is_faulty)
			counts[c].fault = ipu_unit_fault(p->units[c]);
	}
	early_packets_uncount(&p->early, p->begins_at, counts);
	return SAHM_OK;
}
