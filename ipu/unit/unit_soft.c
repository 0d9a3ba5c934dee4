/* Soft logic in time: its clock, the sets that it takes, its registers and packets. */
#include "ipu/unit/unit_soft_internal.h"

#include <stdlib.h>

/* ---- Making one ---- */

enum sahm_status unit_soft_init(struct unit_soft *s, const struct ipu_pro *pro, const struct ipu_unit_config *config,
				struct sahm_err *err)
{
	uint32_t common = unit_common_divisor(pro->soft_mhz, config->ipu_mhz);
	s->pro = pro;
	s->module = soft_description(pro->soft);
	s->soft = pro->soft_mhz / common;
	s->ipu = reciprocal_of(config->ipu_mhz / common);
	/* A full window, and the set that is looked at. */
	s->max_claims = 2 + (config->mismatch == IPU_WINDOW ? config->mismatch_arg : 0);
	s->claims = calloc(s->max_claims, sizeof(*s->claims));
	if (!unit_fifo_init(&s->fifo, config) || !s->claims)
		return sahm_fail_nomem(err);
	return soft_block_new(&s->block, pro->soft, err);
}

void unit_soft_release(struct unit_soft *s)
{
	unit_fifo_release(&s->fifo);
	soft_block_free(s->block);
	free(s->claims);
}

/* ---- Clocks ---- */

/* Soft cycles that have passed at the beginning of IPU cycle `whole`, not before s->whole; *rest / s->ipu.by of another
 * have, too. */
static inline uint64_t cycles_at(const struct unit_soft *s, uint64_t whole, uint64_t *rest)
{
	uint64_t distance = whole - s->whole;
	if (__builtin_expect(distance <= UINT64_MAX / IPU_MAX_MHZ - 1, 1))
		return s->cycle + reciprocal_divide(s->ipu, distance * s->soft + s->rest, rest);
	wide sum = (wide)distance * s->soft + s->rest;
	*rest = (uint64_t)(sum % s->ipu.by);
	return s->cycle + (uint64_t)(sum / s->ipu.by);
}

/* The first soft cycle that begins at or after part / hit IPU cycles after the beginning of IPU cycle `whole`. */
static uint64_t soft_cycle_at(const struct unit_soft *s, uint64_t whole, uint64_t part, uint64_t hit)
{
	uint64_t rest, cycle = cycles_at(s, whole, &rest);
	uint64_t more = rest * hit + part * s->soft, cycle_parts = s->ipu.by * hit;
	return cycle + (more + cycle_parts - 1) / cycle_parts;
}

static inline uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* That of a call. It can come after the end of a routine, which the processor sees up to a cycle early. */
static uint64_t soft_cycle_now(const struct ipu_lite *u)
{
	return later(soft_cycle_at(u->soft, u->clock.whole, u->clock.part, u->clock.hit.by), u->soft->not_before);
}

/* Counts from the present IPU cycle on: distances stay short. */
static void move_base(struct ipu_lite *u)
{
	struct unit_soft *s = u->soft;
	uint64_t rest;
	s->cycle = cycles_at(s, u->clock.whole, &rest);
	s->rest = rest;
	s->whole = u->clock.whole;
}

/* That of what happens now: the end of a routine, or a call. */
static uint64_t soft_cycle_of_event(const struct ipu_lite *u)
{
	const struct unit_soft *s = u->soft;
	return u->is_returning ? later(soft_cycle_at(s, u->at, 0, 1), s->not_before) : soft_cycle_now(u);
}

/* The module's cycle at the beginning of a soft cycle. */
static uint64_t module_cycle(const struct unit_soft *s, uint64_t cycle)
{
	return s->is_running ? cycle - s->gated : s->stopped_at;
}

/* ---- Sets ---- */

/* Gives the module the sets of cycles before `cycle`. */
static void give_claims(struct unit_soft *s, uint64_t cycle)
{
	while (s->nr_claims > 0) {
		const struct claim *c = &s->claims[s->first_claim];
		if (c->cycle >= cycle)
			return;
		soft_block_step(s->block, c->cycle - s->gated, c->valid, c->values);
		s->counts.taken++;
		s->first_claim = s->first_claim + 1 == s->max_claims ? 0 : s->first_claim + 1;
		s->nr_claims--;
	}
}

static void take_packets(struct unit_soft *s, uint64_t cycle);

static void set_running(struct ipu_lite *u, uint64_t cycle)
{
	struct unit_soft *s = u->soft;
	bool runs = s->is_started && !s->is_halted && unit_is_active(u);
	if (runs == s->is_running)
		return;
	if (runs) {
		s->gated = cycle - s->stopped_at;
	} else {
		give_claims(s, cycle);
		take_packets(s, cycle);
		s->counts.dropped += s->nr_claims;
		s->nr_claims = 0;
		s->stopped_at = cycle - s->gated;
	}
	s->is_running = runs;
	s->not_before = s->next_free = cycle;
	s->nr_in_window = 0;
}

void unit_soft_follow(struct ipu_lite *u)
{
	set_running(u, soft_cycle_of_event(u));
}

void unit_soft_halt(struct ipu_lite *u, bool is_halted)
{
	u->soft->is_halted = is_halted;
	unit_soft_follow(u);
}

/* As at power-on: registers that a reset keeps are not for the next image. */
static void renew_block(struct unit_soft *s)
{
	struct soft_block *fresh;
	struct sahm_err err;
	s->failed = soft_block_new(&fresh, s->pro->soft, &err);
	if (s->failed != SAHM_OK)
		return;
	soft_block_free(s->block);
	s->block = fresh;
}

void unit_soft_load(struct ipu_lite *u)
{
	struct unit_soft *s = u->soft;
	s->is_started = false;
	s->is_halted = false;
	unit_soft_follow(u);
	renew_block(s);
	s->counts = (struct ipu_soft_counts){0};
	s->fifo.packets = s->fifo.bytes = s->fifo.lost_packets = s->fifo.lost_bytes = 0;
	s->stopped_at = 0;
	s->nr_seen = 0;
	s->is_started = s->pro->starts_with_image;
	unit_soft_follow(u);
}

/* The module's inputs in an input set; false: none of them has a data point, and not all are levels. */
static bool select_inputs(const struct ipu_lite *u, uint32_t valid, const uint64_t *values, struct claim *c)
{
	const struct unit_soft *s = u->soft;
	bool has_data = false, has_only_levels = true;
	c->valid = 0;
	for (uint32_t i = 0; i < s->module->nr_inputs; i++) {
		unsigned reg = s->pro->regs[i];
		bool is_level = u->levels >> reg & 1, is_valid = valid >> reg & 1;
		has_only_levels &= is_level;
		has_data |= is_valid;
		if (!is_level && !is_valid)
			continue;
		c->valid |= UINT32_C(1) << i;
		c->values[i] = is_level ? u->ioregs[reg] : values[reg];
	}
	return has_data || has_only_levels;
}

enum claiming { CLAIMED, SKIPPED, DROPPED };

/* Whether a set that arrives for soft cycle `now` gets a cycle, *cycle. */
static enum claiming claim_cycle(struct ipu_lite *u, uint64_t now, uint64_t *cycle)
{
	struct unit_soft *s = u->soft;
	uint32_t most = u->config.mismatch_arg;
	bool is_free = now >= s->next_free;
	*cycle = now;
	switch (u->config.mismatch) {
	case IPU_SUB_SAMPLE:
		if (s->nr_seen++ % most != 0)
			return SKIPPED;
		break;
	case IPU_PHASES:
		if (u->clock.hit_mhz > most)
			return SKIPPED;
		break;
	case IPU_WINDOW:
		if (is_free)
			s->nr_in_window = 0;
		else if (s->nr_in_window < most)
			*cycle = s->next_free;
		is_free |= s->nr_in_window < most;
		break;
	case IPU_EVERY:
		break;
	}
	if (!is_free)
		return DROPPED;
	s->nr_in_window++;
	s->next_free = *cycle + 1;
	return CLAIMED;
}

void unit_soft_arrive(struct ipu_lite *u, uint32_t valid, const uint64_t *values)
{
	struct unit_soft *s = u->soft;
	move_base(u);
	uint64_t now = soft_cycle_now(u), cycle;
	give_claims(s, now);
	uint32_t at = s->first_claim + s->nr_claims;
	struct claim *c = &s->claims[at - (at >= s->max_claims ? s->max_claims : 0)];
	if (!select_inputs(u, valid, values, c))
		return;
	if (!s->is_running) {
		s->counts.ignored++;
		return;
	}
	switch (claim_cycle(u, now, &cycle)) {
	case SKIPPED:
		s->counts.skipped++;
		break;
	case DROPPED:
		s->counts.dropped++;
		break;
	case CLAIMED:
		c->cycle = cycle;
		s->nr_claims++;
		break;
	}
}

/* ---- Registers ---- */

static uint32_t control_word(const struct ipu_lite *u, uint64_t cycle, uint32_t offset)
{
	const struct unit_soft *s = u->soft;
	uint64_t cycles = module_cycle(s, cycle);
	switch (offset) {
	case IPU_SOFT_STATUS:
		return (s->is_started ? IPU_SOFT_IS_STARTED : 0) | (s->is_running ? IPU_SOFT_RUNS : 0);
	case IPU_SOFT_CYCLES_LOW:
		return (uint32_t)cycles;
	case IPU_SOFT_CYCLES_HIGH:
		return (uint32_t)(cycles >> 32);
	case IPU_SOFT_TAKEN_LOW:
		return (uint32_t)s->counts.taken;
	case IPU_SOFT_TAKEN_HIGH:
		return (uint32_t)(s->counts.taken >> 32);
	case IPU_SOFT_DROPPED_LOW:
		return (uint32_t)s->counts.dropped;
	default:
		return (uint32_t)(s->counts.dropped >> 32);
	}
}

/* Whether there is a register at `address` that can be read ('r') or written ('w'). */
static bool is_register(const struct unit_soft *s, uint32_t address, char access)
{
	static const struct {
		uint32_t offset;
		const char *access;
	} controls[] = {
#define SOFT_CONTROL(symbol, offset, access, help) {offset, access},
#include "ipu/unit/soft_control_list.h"
#undef SOFT_CONTROL
	};
	if (address >= IPU_SOFT_MODULE) {
		int i = soft_find_register(s->module, address - IPU_SOFT_MODULE);
		return i >= 0 && s->module->registers[i].access & (access == 'r' ? SOFT_READ : SOFT_WRITE);
	}
	for (size_t i = 0; i < sizeof(controls) / sizeof(controls[0]); i++)
		if (address == IPU_SOFT_BASE + controls[i].offset)
			return controls[i].access[0] == access;
	return false;
}

/* Lets the soft logic come to the hart's present cycle; *cycle is the soft cycle that the access precedes. */
static enum soft_answer begin_access(struct ipu_lite *u, uint32_t address, unsigned nr_bytes, char access,
				     uint64_t *cycle)
{
	uint64_t now = u->ipu.hart.nr_retired + u->ipu.hart.nr_extra;
	if (nr_bytes != sizeof(uint32_t) || !is_register(u->soft, address, access))
		return SOFT_NOTHING_THERE;
	if (now > u->clock.whole)
		return SOFT_TOO_EARLY;
	*cycle = soft_cycle_at(u->soft, now, 0, 1);
	give_claims(u->soft, *cycle);
	return SOFT_DONE;
}

enum soft_answer unit_soft_load_word(struct ipu_lite *u, uint32_t address, unsigned nr_bytes, uint32_t *value)
{
	struct unit_soft *s = u->soft;
	uint64_t cycle;
	enum soft_answer answer = begin_access(u, address, nr_bytes, 'r', &cycle);
	if (answer == SOFT_DONE)
		*value = address >= IPU_SOFT_MODULE
				 ? soft_block_read(s->block, module_cycle(s, cycle), address - IPU_SOFT_MODULE)
				 : control_word(u, cycle, address - IPU_SOFT_BASE);
	return answer;
}

enum soft_answer unit_soft_store_word(struct ipu_lite *u, uint32_t address, unsigned nr_bytes, uint32_t value)
{
	struct unit_soft *s = u->soft;
	uint64_t cycle;
	enum soft_answer answer = begin_access(u, address, nr_bytes, 'w', &cycle);
	if (answer != SOFT_DONE)
		return answer;
	uint64_t at = module_cycle(s, cycle);
	if (address >= IPU_SOFT_MODULE) {
		soft_block_write(s->block, at, address - IPU_SOFT_MODULE, value);
		return SOFT_DONE;
	}
	if (value & IPU_SOFT_RESET)
		soft_block_reset(s->block, at);
	if (value & IPU_SOFT_STOP) {
		s->is_started = false;
		set_running(u, cycle);
	}
	if (value & IPU_SOFT_START) {
		s->is_started = true;
		set_running(u, cycle);
	}
	return SOFT_DONE;
}

/* ---- Packets ---- */

/* The IPU cycle at whose beginning a soft cycle is over. */
static uint64_t ipu_cycle_after(const struct unit_soft *s, uint64_t cycle)
{
	return (uint64_t)(((wide)(cycle + 1) * s->ipu.by + s->soft - 1) / s->soft);
}

/* Those that were sent before the beginning of soft cycle `cycle`. */
static void take_packets(struct unit_soft *s, uint64_t cycle)
{
	struct soft_packet p;
	give_claims(s, cycle);
	while (s->is_running && soft_block_take(s->block, cycle - s->gated, &p))
		unit_fifo_send(&s->fifo, ipu_cycle_after(s, p.cycle + s->gated), p.bytes, p.nr_bytes);
}

void unit_soft_take_packets(struct ipu_lite *u)
{
	take_packets(u->soft, soft_cycle_now(u));
}

struct ipu_soft_counts unit_soft_counts(const struct ipu_lite *u)
{
	const struct unit_soft *s = u->soft;
	struct ipu_soft_counts counts = s->counts;
	uint64_t now = soft_cycle_now(u);
	for (uint32_t i = 0; i < s->nr_claims; i++)
		counts.taken += s->claims[(s->first_claim + i) % s->max_claims].cycle < now;
	counts.cycles = module_cycle(s, now);
	counts.arrived = s->counts.taken + s->nr_claims + s->counts.ignored + s->counts.skipped + s->counts.dropped;
	counts.packets = s->fifo.packets;
	counts.bytes = s->fifo.bytes;
	counts.lost_packets = s->fifo.lost_packets;
	counts.lost_bytes = s->fifo.lost_bytes;
	return counts;
}
