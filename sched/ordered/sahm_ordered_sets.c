/* The ordered pass where no core has a queue: by sets of cores, which say where something can happen.
 *
 * A core is idle; or its thread has inertia, and stands in a list by when that runs out if it would be shown without;
 * or it is shown as what it is: seeking, released, or both.
 */
#include "sched/ordered/sahm_ordered.h"

/* How a core is shown. */
enum { SHOWN_SEEKING = 1, SHOWN_RELEASED = 2, SHOWN_IDLE = 4, SHOWN_INERT = 8 };

static uint64_t *seekers_in(struct sahm_ordered *st, u32 state)
{
	return st->sets + (size_t)state * st->set_words;
}

static uint64_t *released_of(struct sahm_ordered *st, u32 kind)
{
	return st->sets + (size_t)(NR_STATES + kind) * st->set_words;
}

static uint64_t *idle_of(struct sahm_ordered *st, u32 kind)
{
	return st->sets + (size_t)(NR_STATES + SAHM_ORDERED_TOP_KINDS + kind) * st->set_words;
}

/* Kinds of cores */

static bool is_same_kind(const struct sahm_ordered *st, u32 a, u32 b)
{
	if (st->cores[a].matches != st->cores[b].matches || st->cores[a].serves != st->cores[b].serves)
		return false;
	for (u32 state = 0; state < NR_STATES; state++)
		if (sahm_speedup_ppm((s32)a, state) != sahm_speedup_ppm((s32)b, state))
			return false;
	return true;
}

/* Numbers the kinds; first[kind] becomes its first core. The number of kinds, 0 when there are too many. */
static u32 find_kinds(struct sahm_ordered *st, u32 first[SAHM_ORDERED_TOP_KINDS])
{
	u32 nr = 0;
	for (u32 c = 0; c < st->nr_cores; c++) {
		u32 kind = 0;
		while (kind < nr && !is_same_kind(st, c, first[kind]))
			kind++;
		if (kind == SAHM_ORDERED_TOP_KINDS)
			return 0;
		if (kind == nr) {
			st->matched[nr] = st->cores[c].matches;
			first[nr++] = c;
		}
		st->cores[c].kind = (u8)kind;
	}
	return nr;
}

void sahm_ordered_init_sets(struct sahm_ordered *st)
{
	u32 first[SAHM_ORDERED_TOP_KINDS];
	u32 nr_kinds = find_kinds(st, first);
	st->has_kinds = nr_kinds > 0;
	st->set_words = (u32)bitset_words(st->nr_cores);
	st->first_inert = st->last_inert = SAHM_ORDERED_NOBODY;
	for (u32 state = 0; state < NR_STATES && nr_kinds; state++) {
		u32 nr = 0;
		s32 last = 0;
		/* In matching[] the cores of a kind come one after another but for those of others as fast. */
		for (u32 i = 0; i < st->nr_matching[state]; i++) {
			u32 kind = st->cores[st->matching[state][i]].kind;
			s32 ppm = sahm_speedup_ppm(st->matching[state][i], state);
			if (st->matching_kinds[state] >> kind & 1)
				continue;
			st->matching_kinds[state] |= UINT64_C(1) << kind;
			st->same[state] |= (u64)(nr > 0 && ppm == last) << nr;
			st->kinds[state][nr++] = (u8)kind;
			last = ppm;
		}
	}
}

void sahm_ordered_set_rule(struct sahm_ordered *st, enum swap_rule rule)
{
	st->rule = rule;
	st->knows_rule = true;
	for (u32 c = 0; c < st->nr_cores; c++) {
		const struct sahm_ordered_core *core = &st->cores[c];
		unsigned stays = rule == SWAP_UNMATCHED ? core->matches : core->serves;
		for (u32 state = 0; state < NR_STATES; state++) {
			bool is_released = rule != SWAP_NEVER && !(stays >> state & 1);
			st->shows[core->kind][state] = (u8)((core->matches >> state & 1 ? 0 : SHOWN_SEEKING) |
							    (is_released ? SHOWN_RELEASED : 0));
		}
	}
	sahm_ordered_forget_all(st);
}

/* Who is shown as what */

static void find_offered(struct sahm_ordered *st)
{
	unsigned states = 0;
	for (u64 left = st->released | st->idle; left; left &= left - 1)
		states |= st->matched[lowest_bit(left)];
	st->offered = (uint16_t)states;
}

/* Puts core `c` into the list, which is in order of time: mostly at its end. */
static void enlist(struct sahm_ordered *st, u32 c)
{
	struct sahm_ordered_core *core = &st->cores[c];
	uint16_t before = st->last_inert;
	while (before != SAHM_ORDERED_NOBODY && st->cores[before].expires > core->expires)
		before = st->cores[before].prev;
	core->prev = before;
	core->next = before == SAHM_ORDERED_NOBODY ? st->first_inert : st->cores[before].next;
	*(before == SAHM_ORDERED_NOBODY ? &st->first_inert : &st->cores[before].next) = (uint16_t)c;
	*(core->next == SAHM_ORDERED_NOBODY ? &st->last_inert : &st->cores[core->next].prev) = (uint16_t)c;
}

static void delist(struct sahm_ordered *st, const struct sahm_ordered_core *core)
{
	*(core->prev == SAHM_ORDERED_NOBODY ? &st->first_inert : &st->cores[core->prev].next) = core->next;
	*(core->next == SAHM_ORDERED_NOBODY ? &st->last_inert : &st->cores[core->next].prev) = core->prev;
}

static void hide(struct sahm_ordered *st, u32 c)
{
	struct sahm_ordered_core *core = &st->cores[c];
	u8 shown = core->shown;
	core->shown = 0;
	if (shown & SHOWN_INERT)
		delist(st, core);
	if (shown & SHOWN_SEEKING) {
		uint64_t *set = seekers_in(st, core->state);
		bitset_remove(set, c);
		st->seeks &= (uint16_t) ~((unsigned)bitset_is_empty(set) << core->state);
	}
	if (shown & SHOWN_RELEASED) {
		uint64_t *set = released_of(st, core->kind);
		bitset_remove(set, c);
		if (bitset_is_empty(set)) {
			st->released &= ~(UINT64_C(1) << core->kind);
			find_offered(st);
		}
	}
	if (shown & SHOWN_IDLE) {
		uint64_t *set = idle_of(st, core->kind);
		bitset_remove(set, c);
		if (bitset_is_empty(set)) {
			st->idle &= ~(UINT64_C(1) << core->kind);
			find_offered(st);
		}
	}
}

/* How the head of `core` is shown when it has no inertia. */
static u8 shows(const struct sahm_ordered *st, const struct sahm_ordered_core *core)
{
	return core->state == STATE_NONE ? 0 : st->shows[core->kind][core->state];
}

/* Shows core `c`, which is hidden and whose thread has no inertia. */
static void show(struct sahm_ordered *st, u32 c)
{
	struct sahm_ordered_core *core = &st->cores[c];
	u8 shown = core->shown = shows(st, core);
	if (shown & SHOWN_SEEKING) {
		bitset_add(seekers_in(st, core->state), c);
		st->seeks |= (uint16_t)(1u << core->state);
	}
	if (shown & SHOWN_RELEASED) {
		bitset_add(released_of(st, core->kind), c);
		st->released |= UINT64_C(1) << core->kind;
		st->offered |= core->matches;
	}
}

static void show_idle(struct sahm_ordered *st, u32 c)
{
	struct sahm_ordered_core *core = &st->cores[c];
	core->head = NULL;
	core->shown = SHOWN_IDLE;
	bitset_add(idle_of(st, core->kind), c);
	st->idle |= UINT64_C(1) << core->kind;
	st->offered |= core->matches;
}

/* Shows core `c`, which is hidden, with its head in observed state `state`. */
static void show_head(struct sahm_ordered *st, u32 c, u32 state)
{
	struct sahm_ordered_core *core = &st->cores[c];
	const struct sahm_ordered_task *t = core->task;
	core->state = (u8)state;
	if (t->seen + t->inertia <= st->counted) {
		show(st, c);
	} else if (shows(st, core)) {
		core->expires = t->seen + t->inertia - 1;
		core->shown = SHOWN_INERT;
		enlist(st, c);
	}
}

bool sahm_ordered_catch_up(struct sahm_ordered *st)
{
	bool is_crowded = false;
	for (u32 c; (c = bitset_first(st->stale)) != BITSET_END;) {
		bitset_remove(st->stale, c);
		hide(st, c);
		struct task_struct *head = st->cores[c].head = sahm_head((s32)c);
		st->cores[c].task = head ? sahm_task_state(head) : NULL;
		if (sahm_nr_on((s32)c) > 1)
			is_crowded = true;
		else if (head)
			show_head(st, c, sahm_observed_state(head));
		else
			show_idle(st, c);
	}
	return !is_crowded;
}

/* The pass */

/* The head of a core, as `from` was then, has moved to core `c`, which is hidden. Without inertia it is shown from the
 * next pass on: in this one it has had its turn. */
static void enter(struct sahm_ordered *st, const struct sahm_ordered_core *from, u32 c)
{
	struct sahm_ordered_core *core = &st->cores[c];
	core->head = from->head;
	core->task = from->task;
	core->task->inertia = st->inertia;
	core->task->seen = st->counted + 1;
	if (st->inertia)
		show_head(st, c, from->state);
	else
		sahm_ordered_forget(st, c);
}

/* The first core of `set` to which `p` may go from core `own`, and from which its head, if there is one, may come. */
static u32 first_open(const struct sahm_ordered *st, const uint64_t *set, const struct task_struct *p, u32 own)
{
	for (u32 c = bitset_first(set); c != BITSET_END; c = bitset_next(set, c + 1)) {
		const struct task_struct *head = st->cores[c].head;
		if (sahm_ordered_may_run(st, p, c) && (!head || sahm_ordered_may_run(st, head, own)))
			return c;
		if (c + 1 == st->nr_cores)
			break;
	}
	return BITSET_END;
}

/* Of the cores of `kinds`, whose sets begin at `sets`, that match `state` the best for thread `p` of core `own`:
 * the best speedup, then the lowest index; BITSET_END when there is none. */
static u32 best_core(const struct sahm_ordered *st, const uint64_t *sets, u64 kinds, u32 own, u32 state)
{
	u64 left = kinds & st->matching_kinds[state];
	u32 best = BITSET_END;
	for (u32 i = 0; left; i++) {
		u32 kind = st->kinds[state][i];
		if (best != BITSET_END && !(st->same[state] >> i & 1))
			break;
		if (!(left >> kind & 1))
			continue;
		left &= ~(UINT64_C(1) << kind);
		u32 c = first_open(st, sets + (size_t)kind * st->set_words, st->cores[own].head, own);
		best = c < best ? c : best;
	}
	return best;
}

/* Steps 3 and 4 for the head of core `own`; step 5 has nothing to offer. Whether it has moved. */
static bool seek(struct sahm_ordered *st, u32 own)
{
	struct task_struct *p = st->cores[own].head;
	u32 state = st->cores[own].state;
	u32 to = best_core(st, idle_of(st, 0), st->idle, own, state);
	if (to != BITSET_END) {
		if (!sahm_move(p, (s32)to))
			return false;
		hide(st, own);
		hide(st, to);
		enter(st, &st->cores[own], to);
		show_idle(st, own);
		return true;
	}
	to = best_core(st, released_of(st, 0), st->released, own, state);
	if (to == BITSET_END)
		return false;
	if (!sahm_swap(p, st->cores[to].head))
		return false;
	hide(st, own);
	hide(st, to);
	const struct sahm_ordered_core other = st->cores[to];
	enter(st, &st->cores[own], to);
	enter(st, &other, own);
	return true;
}

/* States in which seekers may find something. */
static unsigned matchable_states(const struct sahm_ordered *st)
{
	return st->seeks & st->offered;
}

/* Asks for a pass if one can do something now that could do nothing before. */
__attribute__((flatten)) void sahm_ordered_observed(struct task_struct *p, u32 state)
{
	struct sahm_ordered *st = sahm_state();
	u32 c = (u32)scx_bpf_task_cpu(p);
	if (st->is_whole || st->cores[c].head != p || bitset_has(st->stale, c)) {
		sahm_ask_for_pass();
		return;
	}
	hide(st, c);
	show_head(st, c, state);
	if (matchable_states(st) || st->first_inert == c)
		sahm_ask_for_pass();
}

/* The first seeker in one of `states`, from core `from` on. */
static u32 next_seeker(struct sahm_ordered *st, unsigned states, u32 from)
{
	u32 next = BITSET_END;
	for (unsigned left = states; left; left &= left - 1) {
		u32 c = bitset_next(seekers_in(st, lowest_bit(left)), from);
		next = c < next ? c : next;
	}
	return next;
}

/* Those whose inertia has run out in passes left out are shown; notes whose does in this one, at their turns. */
static void take_expiring(struct sahm_ordered *st)
{
	for (u32 c; (c = st->first_inert) != SAHM_ORDERED_NOBODY && st->cores[c].expires <= st->counted;) {
		if (st->cores[c].expires == st->counted) {
			bitset_add(st->expiring, c);
			delist(st, &st->cores[c]);
			st->cores[c].shown = 0;
		} else {
			hide(st, c);
			show(st, c);
		}
	}
}

__attribute__((flatten)) u64 sahm_ordered_pass_sets(struct sahm_ordered *st)
{
	bool has_changed = false;
	take_expiring(st);
	for (u32 from = 0, turn; from < st->nr_cores; from = turn + 1) {
		unsigned states = matchable_states(st);
		u32 expiring = BITSET_END, seeker = BITSET_END;
		if (!bitset_is_empty(st->expiring))
			expiring = bitset_next(st->expiring, from);
		if (states)
			seeker = next_seeker(st, states, from);
		if (expiring < seeker) {
			turn = expiring;
			bitset_remove(st->expiring, turn);
			show(st, turn);
			has_changed = true;
		} else if (seeker != BITSET_END) {
			turn = seeker;
			has_changed |= seek(st, turn);
		} else {
			break;
		}
	}
	st->counted++;
	if (!bitset_is_empty(st->stale) || (has_changed && matchable_states(st)))
		return 1;
	if (st->first_inert == SAHM_ORDERED_NOBODY)
		return NEVER;
	return st->cores[st->first_inert].expires - st->counted + 1;
}
