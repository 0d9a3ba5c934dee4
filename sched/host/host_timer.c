/* Timers of BPF programs: in simulated time, to the ns. Each is known by its place in the value of a map. */
#include <errno.h>
#include <string.h>

#include "sched/host/bpf_calls.h"
#include "sched/host/bpf_map.h"
#include "sched/host/host_calls_internal.h"
#include "sched/host/host_internal.h"

struct host_timer {
	struct host_timer *next; /* to run */
	struct host_timer *next_of_all;
	u64 at_ns;
	bool is_running;
	s32 cpu;
	struct bpf_timer *place;
	void *map;
	int (*callback)(void *map, void *key, void *value);
};

/* By its place: what is there is the program's, which may overwrite it. */
static struct host_timer *timer_in(const struct bpf_timer *place)
{
	struct host_timer *t = host_at_hand ? host_at_hand->timers.all : NULL;
	while (t && t->place != place)
		t = t->next_of_all;
	return t;
}

/* The first is another one, or due at another time. */
static void plan(struct host *h)
{
	h->engine->timer(h->engine_data, h->timers.first ? h->timers.first->at_ns : NEVER);
}

static void add(struct host *h, struct host_timer *t)
{
	struct host_timer **at = &h->timers.first;
	while (*at && (*at)->at_ns <= t->at_ns)
		at = &(*at)->next;
	t->next = *at;
	t->is_running = true;
	*at = t;
}

static void take(struct host *h, struct host_timer *t)
{
	struct host_timer **at = &h->timers.first;
	while (*at != t)
		at = &(*at)->next;
	*at = t->next;
	t->is_running = false;
}

void host_expire_timer(struct host *h)
{
	struct host_timer *t = h->timers.first;
	take(h, t);
	const void *key = NULL;
	void *value = bpf_map_value_around(bpf_map_of(t->map), t->place, &key);
	u32 index = key ? 0 : bpf_map_index_of(bpf_map_of(t->map), value);
	h->op = HOST_IN_TIMER;
	h->this_cpu = t->cpu;
	h->nr_calls++;
	h->nr_turns = 0;
	if (h->listener)
		host_trace_begin(h, "timer", HOST_VALUES(t->cpu));
	t->callback(t->map, key ? (void *)(uintptr_t)key : &index, value);
	if (h->listener)
		host_trace_end(h, "timer", HOST_VALUE(HOST_END));
	h->op = HOST_NO_OP;
	h->this_cpu = 0;
	plan(h);
}

void host_drop_timers(struct host *h, const void *from, const void *to)
{
	struct host_timer **at = &h->timers.all;
	while (*at) {
		struct host_timer *t = *at;
		const char *place = (const char *)t->place;
		if (place < (const char *)from || place >= (const char *)to) {
			at = &t->next_of_all;
			continue;
		}
		if (t->is_running)
			take(h, t);
		*at = t->next_of_all;
	}
	plan(h);
}

long bpf_timer_init(struct bpf_timer *timer, void *map, u64 flags)
{
	struct host *h = host_at_hand;
	const void *key;
	if (!h || !timer || !map)
		return -EINVAL;
	/* The clocks MONOTONIC, REALTIME and BOOTTIME: all are simulated time. */
	if (flags != 0 && flags != 1 && flags != 7)
		return -EINVAL;
	if (timer_in(timer))
		return -EBUSY;
	if (!bpf_map_value_around(bpf_map_of(map), timer, &key)) {
		host_fail(h, SCX_EXIT_ERROR, "it called bpf_timer_init() for a timer that is not in map '%s'",
			  bpf_map_name(bpf_map_of(map)));
		return -EINVAL;
	}
	struct host_timer *t = arena_alloc(h->arena, 1, sizeof(*t));
	if (!t)
		return -ENOMEM;
	t->map = map;
	t->place = timer;
	t->next_of_all = h->timers.all;
	h->timers.all = t;
	return 0;
}

long bpf_timer_set_callback(struct bpf_timer *timer, void *callback)
{
	struct host_timer *t = timer_in(timer);
	if (!host_at_hand || !t)
		return -EINVAL;
	memcpy(&t->callback, &callback, sizeof(t->callback));
	return 0;
}

long bpf_timer_start(struct bpf_timer *timer, u64 ns, u64 flags)
{
	struct host *h = host_at_hand;
	struct host_timer *t = timer_in(timer);
	if (!h || !t || !t->callback || flags & ~(u64)(BPF_F_TIMER_ABS | BPF_F_TIMER_CPU_PIN))
		return -EINVAL;
	if (flags & BPF_F_TIMER_ABS)
		ns = ns > h->boot_ns + h->now ? ns - h->boot_ns - h->now : 0;
	if (ns < SAHM_TIMER_MIN_NS)
		ns = SAHM_TIMER_MIN_NS;
	if (t->is_running)
		take(h, t);
	t->at_ns = ns > NEVER - 1 - h->now ? NEVER - 1 : h->now + ns;
	t->cpu = h->this_cpu;
	add(h, t);
	plan(h);
	return 0;
}

long bpf_timer_cancel(struct bpf_timer *timer)
{
	struct host *h = host_at_hand;
	struct host_timer *t = timer_in(timer);
	if (!h || !t)
		return -EINVAL;
	bool was_running = t->is_running;
	if (was_running)
		take(h, t);
	t->callback = NULL;
	plan(h);
	return was_running;
}
