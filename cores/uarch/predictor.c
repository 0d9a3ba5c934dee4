#include <stdlib.h>
#include <string.h>

#include "cores/uarch/predictor_internal.h"

#define HISTORY_WORDS (MAX_HISTORY_BITS / 64)
/* Signed; taken from 0 on. */
#define COUNTER_MAX ((1 << (COUNTER_BITS - 1)) - 1)
#define COUNTER_MIN (-(1 << (COUNTER_BITS - 1)))
#define USEFUL_MAX ((1u << USEFUL_BITS) - 1)
/* Branches after which usefulness fades, by a bit each time (Seznec and Michaud, section 3.2). */
#define FADE_PERIOD (1u << FADE_BITS)
/* Whether a newly made entry is trusted; from 0 on the alternate prediction is taken instead. */
#define NEW_TRUST_MAX ((1 << (NEW_TRUST_BITS - 1)) - 1)
#define NEW_TRUST_MIN (-(1 << (NEW_TRUST_BITS - 1)))
/* Of global history; LONG_TARGET_HISTORY goes with the path. */
#define SHORT_TARGET_HISTORY 8
#define CALLGRIND_COUNTER_BITS 14
#define CALLGRIND_TARGET_BITS 9
#define CALLGRIND_HISTORY 7
#define LOW_BITS(n) ((UINT64_C(1) << (n)) - 1)

enum { BY_PC, BY_SHORT_HISTORY, BY_LONG_HISTORY };

struct tagged {
	uint16_t tag; /* 0: empty */
	int8_t counter;
	uint8_t useful;
};

struct tage_table {
	struct tagged *entries;
	uint64_t mask; /* of the last word of history that it takes */
	uint64_t salt;
	uint32_t index_mask;
	uint16_t tag_mask;
	uint8_t last_word;
};

struct target {
	uint64_t tag; /* of the branch, and history; 0: empty */
	uint64_t target;
	bool is_confirmed;
};

struct predictor {
	uint64_t history[HISTORY_WORDS]; /* global, the last branch in bit 0 of word 0 */
	uint64_t path;			 /* of indirect targets */
	uint8_t *base;			 /* counters, 0 to 3; taken from 2 on */
	uint32_t base_mask;
	uint64_t gshare_mask;
	bool is_callgrind;
	unsigned nr_tables; /* 0: gshare */
	struct tage_table tables[MAX_TAGE_TABLES];
	int new_trust;
	uint32_t fade, allocations;
	bool has_corrector; /* and a loop predictor */
	struct loop_predictor loops;
	struct corrector corrector;
	unsigned nr_target_tables;
	struct target *targets[NR_TARGET_TABLES]; /* callgrind's: one, without tags */
	uint32_t target_mask;
	unsigned nr_returns, top;
	uint64_t *returns;
};

const char *predictor_kind_name(enum predictor_kind kind)
{
	static const char *const names[NR_PREDICTOR_KINDS] = {
		[PREDICTOR_TAGE] = "tage",
		[PREDICTOR_GSHARE] = "gshare",
		[PREDICTOR_TAGE_SC_L] = "tage-sc-l",
		[PREDICTOR_CALLGRIND] = "callgrind",
	};
	return names[kind];
}

struct predictor_spec predictor_callgrind(void)
{
	return (struct predictor_spec){.kind = PREDICTOR_CALLGRIND,
				       .base_bits = CALLGRIND_COUNTER_BITS,
				       .gshare_history = CALLGRIND_HISTORY,
				       .target_bits = CALLGRIND_TARGET_BITS,
				       .targets_by_pc = true,
				       .return_stack = 1};
}

const char *predictor_spec_fault(const struct predictor_spec *spec)
{
	if (spec->kind >= NR_PREDICTOR_KINDS)
		return "there is no such kind of predictor";
	if (spec->base_bits == 0 || spec->base_bits > MAX_TABLE_BITS)
		return "its base table has 2^1 to 2^20 counters";
	if (spec->target_bits > MAX_TABLE_BITS)
		return "a table of targets has at most 2^20 entries";
	if (spec->return_stack == 0 || spec->return_stack > MAX_RETURN_STACK)
		return "its return stack has 1 to 256 entries";
	if (!predictor_is_tage(spec))
		return spec->gshare_history > MAX_GSHARE_HISTORY ? "gshare takes at most 32 bits of history" : NULL;
	if (spec->nr_tables == 0 || spec->nr_tables > MAX_TAGE_TABLES)
		return "TAGE has 1 to 16 tagged tables";
	for (unsigned i = 0; i < spec->nr_tables; i++) {
		const struct tage_table_spec *t = &spec->tables[i];
		if (t->history_bits == 0 || t->history_bits > MAX_HISTORY_BITS)
			return "a tagged table takes 1 to 256 bits of history";
		if (i && t->history_bits <= spec->tables[i - 1].history_bits)
			return "histories of tagged tables become longer from one to the next";
		if (t->entries_bits == 0 || t->entries_bits > MAX_TABLE_BITS)
			return "a tagged table has 2^1 to 2^20 entries";
		if (t->tag_bits < MIN_TAG_BITS || t->tag_bits > MAX_TAG_BITS)
			return "a tag has 4 to 15 bits";
	}
	if (spec->kind != PREDICTOR_TAGE_SC_L)
		return NULL;
	if (spec->loop_bits < MIN_LOOP_BITS || spec->loop_bits > MAX_LOOP_BITS)
		return "a loop predictor has 2^2 to 2^16 entries";
	if (spec->corrector_tables < MIN_CORRECTOR_TABLES || spec->corrector_tables > MAX_CORRECTOR_TABLES)
		return "a corrector has 3 to 10 tables";
	if (spec->corrector_bits == 0 || spec->corrector_bits > MAX_TABLE_BITS)
		return "a table of the corrector has 2^1 to 2^20 counters";
	return NULL;
}

struct predictor *predictor_new(const struct predictor_spec *spec)
{
	struct predictor *p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	uint32_t nr_targets = UINT32_C(1) << (spec->target_bits ? spec->target_bits : DEFAULT_TARGET_BITS);
	p->base_mask = (UINT32_C(1) << spec->base_bits) - 1;
	p->base = malloc((size_t)p->base_mask + 1);
	p->nr_target_tables = predictor_target_tables(spec);
	bool failed = false;
	for (unsigned i = 0; i < p->nr_target_tables; i++) {
		p->targets[i] = calloc(nr_targets, sizeof(*p->targets[i]));
		failed |= !p->targets[i];
	}
	p->target_mask = nr_targets - 1;
	p->nr_returns = spec->return_stack;
	p->returns = calloc(spec->return_stack, sizeof(*p->returns));
	failed |= !p->base || !p->returns;
	p->is_callgrind = spec->kind == PREDICTOR_CALLGRIND;
	if (!predictor_is_tage(spec))
		p->gshare_mask = (UINT64_C(1) << spec->gshare_history) - 1;
	else
		p->nr_tables = spec->nr_tables;
	for (unsigned i = 0; i < p->nr_tables; i++) {
		const struct tage_table_spec *s = &spec->tables[i];
		struct tage_table *t = &p->tables[i];
		unsigned last = (s->history_bits - 1u) % 64 + 1;
		t->entries = calloc((size_t)1 << s->entries_bits, sizeof(*t->entries));
		t->index_mask = (UINT32_C(1) << s->entries_bits) - 1;
		t->tag_mask = (uint16_t)((1u << s->tag_bits) - 1);
		t->last_word = (uint8_t)((s->history_bits - 1u) / 64);
		t->mask = last == 64 ? UINT64_MAX : (UINT64_C(1) << last) - 1;
		t->salt = predictor_mix(i + 1u) | 1;
		failed |= !t->entries;
	}
	p->has_corrector = spec->kind == PREDICTOR_TAGE_SC_L;
	if (p->has_corrector) {
		failed |= !loop_predictor_init(&p->loops, spec->loop_bits);
		failed |= !corrector_init(&p->corrector, spec->corrector_tables, spec->corrector_bits);
	}
	if (failed) {
		predictor_free(p);
		return NULL;
	}
	/* Weakly not taken. */
	memset(p->base, 1, (size_t)p->base_mask + 1);
	return p;
}

void predictor_free(struct predictor *p)
{
	if (!p)
		return;
	for (unsigned i = 0; i < p->nr_tables; i++)
		free(p->tables[i].entries);
	free(p->base);
	for (unsigned i = 0; i < NR_TARGET_TABLES; i++)
		free(p->targets[i]);
	free(p->returns);
	loop_predictor_release(&p->loops);
	corrector_release(&p->corrector);
	free(p);
}

static void remember(struct predictor *p, bool bit)
{
	for (unsigned i = HISTORY_WORDS - 1; i > 0; i--)
		p->history[i] = p->history[i] << 1 | p->history[i - 1] >> 63;
	p->history[0] = p->history[0] << 1 | bit;
}

/* Moves a counter towards `up` within its bounds. */
static void count(int8_t *counter, bool up)
{
	if (up && *counter < COUNTER_MAX)
		(*counter)++;
	else if (!up && *counter > COUNTER_MIN)
		(*counter)--;
}

static void count_base(uint8_t *counter, bool up)
{
	if (up && *counter < 3)
		(*counter)++;
	else if (!up && *counter > 0)
		(*counter)--;
}

static bool gshare_branch(struct predictor *p, uint64_t place, bool taken)
{
	uint8_t *counter = &p->base[(place ^ (p->history[0] & p->gshare_mask)) & p->base_mask];
	bool predicted = *counter >= 2;
	count_base(counter, taken);
	return predicted == taken;
}

/* Where a branch is looked for in the tagged tables. */
struct looked_up {
	struct tagged *entry[MAX_TAGE_TABLES];
	uint16_t tag[MAX_TAGE_TABLES];
};

static void look_up(const struct predictor *p, uint64_t place, struct looked_up *l)
{
	/* Sums of whole words of history, up to the word before the last that a table takes. */
	uint64_t whole[HISTORY_WORDS] = {predictor_mix(place)};
	for (unsigned i = 1; i < HISTORY_WORDS; i++)
		whole[i] = predictor_mix(whole[i - 1] ^ p->history[i - 1]);
	for (unsigned i = 0; i < p->nr_tables; i++) {
		const struct tage_table *t = &p->tables[i];
		uint64_t hash = (whole[t->last_word] ^ (p->history[t->last_word] & t->mask)) * t->salt;
		hash ^= hash >> 29;
		hash *= UINT64_C(0xbf58476d1ce4e5b9);
		l->entry[i] = &t->entries[hash >> 40 & t->index_mask];
		uint16_t tag = (uint16_t)(hash >> 24 & t->tag_mask);
		l->tag[i] = tag ? tag : 1;
	}
}

/* After a misprediction: an entry with a longer history, where one is not useful. The first such place is skipped one
 * time in four, so that a long pattern is not learnt only table by table. */
static void allocate(struct predictor *p, const struct looked_up *l, unsigned from, bool taken)
{
	bool passes = (++p->allocations & ((1u << ALLOCATIONS_BITS) - 1)) == 0;
	struct tagged *chosen = NULL;
	uint16_t tag = 0;
	for (unsigned i = from; i < p->nr_tables; i++) {
		if (l->entry[i]->useful)
			continue;
		chosen = l->entry[i];
		tag = l->tag[i];
		if (!passes)
			break;
		passes = false;
	}
	if (chosen) {
		*chosen = (struct tagged){.tag = tag, .counter = taken ? 0 : -1};
		return;
	}
	for (unsigned i = from; i < p->nr_tables; i++)
		l->entry[i]->useful--;
}

static void fade(struct predictor *p)
{
	if (++p->fade < FADE_PERIOD)
		return;
	p->fade = 0;
	for (unsigned i = 0; i < p->nr_tables; i++)
		for (uint32_t j = 0; j <= p->tables[i].index_mask; j++)
			p->tables[i].entries[j].useful >>= 1;
}

/* What a counter says: above 0 for taken, more for a surer one. A saturated one of the base table is nearly as sure as
 * one of 3 bits. */
static int tagged_strength(const struct tagged *e)
{
	return 2 * e->counter + 1;
}

static int base_strength(uint8_t counter)
{
	return 2 * (2 * counter - 3);
}

/* Strength of the prediction. */
static int tage_branch(struct predictor *p, uint64_t place, bool taken)
{
	struct looked_up l;
	look_up(p, place, &l);
	int provider = (int)p->nr_tables - 1;
	while (provider >= 0 && l.entry[provider]->tag != l.tag[provider])
		provider--;
	int alternate = provider - 1;
	while (alternate >= 0 && l.entry[alternate]->tag != l.tag[alternate])
		alternate--;
	uint8_t *base = &p->base[place & p->base_mask];
	int alternate_strength = alternate >= 0 ? tagged_strength(l.entry[alternate]) : base_strength(*base);
	int strength = alternate_strength;
	bool others = alternate_strength > 0;
	if (provider >= 0) {
		struct tagged *e = l.entry[provider];
		bool own = e->counter >= 0;
		/* An entry that was just made says little. */
		bool is_new = !e->useful && (e->counter == 0 || e->counter == -1);
		if (!is_new || p->new_trust < 0)
			strength = tagged_strength(e);
		if (is_new && own != others) {
			if (own == taken && p->new_trust > NEW_TRUST_MIN)
				p->new_trust--;
			else if (own != taken && p->new_trust < NEW_TRUST_MAX)
				p->new_trust++;
		}
		if (own != others) {
			if (own == taken && e->useful < USEFUL_MAX)
				e->useful++;
			else if (own != taken && e->useful)
				e->useful--;
		}
		/* While it is not useful yet, the alternate goes on learning. */
		if (!e->useful && alternate >= 0)
			count(&l.entry[alternate]->counter, taken);
		else if (!e->useful)
			count_base(base, taken);
		count(&e->counter, taken);
	} else {
		count_base(base, taken);
	}
	if ((strength > 0) != taken && provider + 1 < (int)p->nr_tables)
		allocate(p, &l, (unsigned)(provider + 1), taken);
	fade(p);
	return strength;
}

/* A loop that is known is certain, so it has the last word. */
static bool direction_of_branch(struct predictor *p, uint64_t place, bool taken)
{
	if (p->nr_tables == 0)
		return gshare_branch(p, place, taken);
	int strength = tage_branch(p, place, taken);
	bool predicted = strength > 0;
	if (p->has_corrector) {
		predicted = corrector_branch(&p->corrector, place, p->history[0], strength, taken);
		predicted = loop_predictor_branch(&p->loops, place, predicted, taken);
	}
	return predicted == taken;
}

/* Takes over what is new: at once where the old one is not confirmed, else at the second miss. */
static void learn_target(struct target *t, uint64_t tag, uint64_t next)
{
	if (t->tag == tag && t->target == next) {
		t->is_confirmed = true;
	} else if (t->is_confirmed) {
		t->is_confirmed = false;
	} else {
		*t = (struct target){.tag = tag, .target = next};
	}
}

static bool indirect_branch(struct predictor *p, uint64_t place, uint64_t next)
{
	uint64_t recent = p->history[0] & LOW_BITS(LONG_TARGET_HISTORY);
	uint64_t key[NR_TARGET_TABLES] = {
		[BY_PC] = predictor_mix(place),
		[BY_SHORT_HISTORY] = predictor_mix(predictor_mix(place) ^ (recent & LOW_BITS(SHORT_TARGET_HISTORY))),
		[BY_LONG_HISTORY] = predictor_mix(predictor_mix(place) ^ p->path << LONG_TARGET_HISTORY ^ recent),
	};
	struct target *at[NR_TARGET_TABLES];
	int provider = -1;
	for (unsigned i = 0; i < p->nr_target_tables; i++) {
		at[i] = &p->targets[i][key[i] >> 20 & p->target_mask];
		key[i] |= 1;
		if (at[i]->tag == key[i])
			provider = (int)i;
	}
	bool right = provider >= 0 && at[provider]->target == next;
	/* As in TAGE: who predicted learns, and where that was wrong, a longer history gets a place. */
	if (provider >= 0)
		learn_target(at[provider], key[provider], next);
	if (!right && provider + 1 < (int)p->nr_target_tables)
		learn_target(at[provider + 1], key[provider + 1], next);
	p->path = (p->path << 5 ^ (predictor_mix(next) >> 40 & 0xffff)) & LOW_BITS(PATH_BITS);
	return right;
}

static void push(struct predictor *p, uint64_t behind)
{
	p->top = p->top + 1 == p->nr_returns ? 0 : p->top + 1;
	p->returns[p->top] = behind;
}

static bool pop(struct predictor *p, uint64_t next)
{
	bool right = p->returns[p->top] == next;
	p->top = p->top ? p->top - 1 : p->nr_returns - 1;
	return right;
}

/* Low bits of the address stand above those of the history. */
static bool callgrind_direction(struct predictor *p, uint64_t pc, bool taken)
{
	uint64_t recent = p->history[0] & p->gshare_mask;
	uint8_t *counter = &p->base[(pc << CALLGRIND_HISTORY | recent) & p->base_mask];
	bool predicted = *counter >= 2;
	count_base(counter, taken);
	remember(p, taken);
	return predicted == taken;
}

static bool callgrind_branch(struct predictor *p, enum insn_class class, uint64_t pc, bool taken, uint64_t next)
{
	if (class == INSN_BRANCH)
		return callgrind_direction(p, pc, taken);
	if (class != INSN_INDIRECT_CALL && class != INSN_INDIRECT_JUMP)
		return true;
	struct target *last = &p->targets[BY_PC][pc & p->target_mask];
	bool right = last->target == next;
	last->target = next;
	return right;
}

bool predictor_branch(struct predictor *p, enum insn_class class, uint64_t pc, uint64_t behind, bool taken,
		      uint64_t next)
{
	/* The lowest bit says nothing on any machine that is recorded, or little. */
	uint64_t place = pc >> 1;
	bool right = true;
	if (p->is_callgrind)
		return callgrind_branch(p, class, pc, taken, next);
	switch (class) {
	case INSN_BRANCH:
		right = direction_of_branch(p, place, taken);
		remember(p, taken);
		return right;
	case INSN_CALL:
		push(p, behind);
		break;
	case INSN_RETURN:
		return pop(p, next);
	case INSN_INDIRECT_CALL:
		push(p, behind);
		right = indirect_branch(p, place, next);
		break;
	case INSN_INDIRECT_JUMP:
		right = indirect_branch(p, place, next);
		break;
	default:
		return true;
	}
	/* Where a call or a jump led tells paths apart that conditional branches do not. */
	if (class != INSN_CALL)
		remember(p, predictor_mix(next) >> 63);
	return right;
}
