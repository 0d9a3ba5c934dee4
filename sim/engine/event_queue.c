/* Event engine: run queues as fixed turns. A queue changes its length seldom; only then are its threads given new
 * turns. */
#include <string.h>

#include "sim/engine/event_thread_internal.h"

/* Room for a queue of up to 1 << class threads. Of class k > 0 no more blocks are ever in use than there are cores with
 * more than 1 << (k - 1) threads, since who moves leaves one queue before it joins the other. */
static uint32_t blocks_of_class(const struct sim_config *config, uint32_t class)
{
	uint32_t nr = class ? config->nr_threads / ((1u << (class - 1)) + 1) : config->chip->nr_cores;
	return nr < config->chip->nr_cores ? nr : config->chip->nr_cores;
}

static bool make_blocks(struct event_sim *sim, struct arena *a)
{
	uint32_t nr_classes = 1;
	while (1u << (nr_classes - 1) < sim->config->nr_threads)
		nr_classes++;
	sim->free_slots = arena_alloc(a, nr_classes, sizeof(*sim->free_slots));
	if (!sim->free_slots)
		return false;
	for (uint32_t k = 0; k < nr_classes; k++) {
		uint32_t nr = blocks_of_class(sim->config, k);
		uint32_t *slots = arena_alloc(a, (size_t)nr << k, sizeof(*slots));
		struct slot_blocks *blocks = &sim->free_slots[k];
		blocks->free = arena_alloc(a, nr, sizeof(*blocks->free));
		if (!slots || !blocks->free)
			return false;
		for (uint32_t i = nr; i-- > 0;)
			blocks->free[blocks->nr++] = slots + ((size_t)i << k);
	}
	return true;
}

bool queues_init(struct event_sim *sim, struct arena *a)
{
	uint32_t nr_cores = sim->config->chip->nr_cores, nr_threads = sim->config->nr_threads;
	sim->cores = arena_alloc(a, nr_cores, sizeof(*sim->cores));
	sim->turned = arena_alloc(a, nr_threads, sizeof(*sim->turned));
	sim->lengths = arena_alloc(a, (size_t)nr_threads + 1, sizeof(*sim->lengths));
	sim->crowded = arena_alloc(a, bitset_words(nr_cores), sizeof(*sim->crowded));
	sim->opened = arena_alloc(a, bitset_words(nr_cores), sizeof(*sim->opened));
	if (!sim->cores || !sim->turned || !sim->lengths || !sim->crowded || !sim->opened || !make_blocks(sim, a))
		return false;
	sim->lengths[0] = nr_cores;
	for (uint32_t c = 0; c < nr_cores; c++) {
		struct slot_blocks *blocks = &sim->free_slots[0];
		sim->cores[c].slots = blocks->free[--blocks->nr];
		sim->cores[c].shown = NO_THREAD;
	}
	return true;
}

/* Gives a core's slots a block of another class. */
static void change_class(struct event_sim *sim, struct event_core *core, uint32_t class)
{
	struct slot_blocks *from = &sim->free_slots[core->size_class], *to = &sim->free_slots[class];
	uint32_t *slots = to->free[--to->nr];
	memcpy(slots, core->slots, core->length * sizeof(*slots));
	from->free[from->nr++] = core->slots;
	core->slots = slots;
	core->size_class = class;
}

/* A core's queue has now `length` threads. */
static void set_length(struct event_sim *sim, uint32_t c, uint32_t length)
{
	struct event_core *core = &sim->cores[c];
	uint32_t before = core->length;
	core->length = length;
	if (--sim->lengths[before] == 0 && before > 0)
		sim->nr_lengths--;
	if (sim->lengths[length]++ == 0 && length > 0)
		sim->nr_lengths++;
	if (length < sim->shortest || (length == sim->shortest && c < sim->arrive_from))
		sim->arrive_from = 0;
	if (length < sim->shortest)
		sim->shortest = length;
	if (length > sim->longest)
		sim->longest = length;
	while (sim->lengths[sim->shortest] == 0) {
		sim->shortest++;
		sim->arrive_from = 0;
	}
	while (sim->lengths[sim->longest] == 0)
		sim->longest--;
	if ((before == 0) != (length == 0))
		sahm_index_set_idle(&sim->index, c, length == 0);
}

void queue_append(struct event_sim *sim, uint32_t c, uint32_t t)
{
	struct event_core *core = &sim->cores[c];
	if (core->length == 1u << core->size_class)
		change_class(sim, core, core->size_class + 1);
	core->slots[core->length] = t;
	sim->threads[t].place.core = c;
	set_length(sim, c, core->length + 1);
}

void queue_remove(struct event_sim *sim, uint32_t c, uint32_t t)
{
	struct event_core *core = &sim->cores[c];
	uint32_t i = 0;
	while (core->slots[i] != t)
		i++;
	memmove(core->slots + i, core->slots + i + 1, (core->length - i - 1) * sizeof(*core->slots));
	set_length(sim, c, core->length - 1);
	if (core->size_class > 0 && core->length <= 1u << (core->size_class - 1))
		change_class(sim, core, core->size_class - 1);
}

/* The next pass in which the thread's inertia counter falls. */
static uint64_t next_fall(const struct event_sim *sim, const struct event_thread *th, uint64_t now)
{
	bool had_turn = (sim->in_pass && th->place.core <= sim->turn) || th->moved_pass == now + 1;
	return th->next == now && had_turn ? now + th->place.stride : th->next;
}

void queue_open(struct event_sim *sim, uint32_t c, uint64_t now)
{
	struct event_core *core = &sim->cores[c];
	if (core->is_open)
		return;
	core->is_open = true;
	if (core->length > 1) {
		size_t head = (size_t)(queue_head(core, now) - core->slots), bytes = sizeof(*core->slots);
		memcpy(sim->turned, core->slots, head * bytes);
		memmove(core->slots, core->slots + head, (core->length - head) * bytes);
		memcpy(core->slots + core->length - head, sim->turned, head * bytes);
	}
	for (uint32_t i = 0; i < core->length; i++) {
		uint32_t t = core->slots[i];
		struct event_thread *th = &sim->threads[t];
		thread_sync(sim, th, now);
		pass_hide(sim, t);
		wheel_remove(&sim->wheel, t);
		wheel_remove(&sim->inertia, t);
		uint64_t fall = next_fall(sim, th, now);
		th->free_pass = th->free_pass > fall ? (th->free_pass - 1 - fall) / th->place.stride + 1 : 0;
	}
}

/* Notes whether the queue has more threads than there are views for. */
static void note_crowd(struct event_sim *sim, uint32_t c)
{
	struct event_core *core = &sim->cores[c];
	bool is_crowded = core->length > sim->longest_view;
	core->shown = NO_THREAD;
	if (is_crowded == core->is_crowded)
		return;
	core->is_crowded = is_crowded;
	if (is_crowded) {
		sim->nr_crowded++;
		bitset_add(sim->crowded, c);
	} else {
		sim->nr_crowded--;
		bitset_remove(sim->crowded, c);
	}
}

void queue_close(struct event_sim *sim, uint32_t c, uint64_t now)
{
	struct event_core *core = &sim->cores[c];
	core->is_open = false;
	core->base = now;
	note_crowd(sim, c);
	/* Who found nothing before may find an idle core now, or a shorter queue. */
	pass_examine(sim, now + sim->longest);
	for (uint32_t i = 0; i < core->length; i++) {
		uint32_t t = core->slots[i];
		struct event_thread *th = &sim->threads[t];
		th->next = now + i;
		th->place.stride = core->length;
		th->place.class = sim->index.class_of[c];
		th->place.activity = activity_of_core(sim->config, c);
		th->place.rates = &sim->rates[(size_t)th->place.class * NR_STATES];
		th->rate = &th->place.rates[th->state];
		th->place.view = pass_view(sim, core->length, now + i);
		if (th->free_pass)
			th->free_pass = next_fall(sim, th, now) + (th->free_pass - 1) * th->place.stride + 1;
		else if (sim->in_pass && th->moved_pass == now + 1)
			th->free_pass = now + 1;
		thread_schedule(sim, t, now);
		pass_show(sim, t, now);
	}
}
