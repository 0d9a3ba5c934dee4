/* What programs written for the kernel's BPF interface call, and the rest of the kernel's calls that they use. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sched/host/bpf_calls.h"
#include "sched/host/bpf_image.h"
#include "sched/host/bpf_map.h"
#include "sched/host/host_calls_internal.h"
#include "sched/host/host_internal.h"

/* The beginning of a run */

static u32 capacity(void *host, u32 cpu)
{
	return host_capacity(host, cpu);
}

static bool is_map(const struct bpf_map *map, u32 type)
{
	return map && bpf_map_type_of(map) == type;
}

/* Fills an array of maps: with those that it names, the others made as a loader would make them. */
static bool fill(struct host *h, const struct sahm_bpf_map *spec, struct bpf_map *map,
		 const struct bpf_map_sizes *sizes)
{
	for (u32 i = 0; i < spec->nr_entries; i++) {
		struct bpf_map *inner = i < spec->nr_inner && spec->inner[i] ? bpf_map_of(spec->inner[i]) : NULL;
		if (!inner && spec->inner_like && spec->nr_inner == 0) {
			inner = bpf_map_new(spec->inner_like, sizes, h->arena);
			if (!inner)
				return false;
		}
		bpf_map_put_map(map, i, inner);
	}
	return true;
}

static bool make_maps(struct host *h, const struct sahm_bpf_program *program)
{
	for (u32 i = 0; i < program->nr_maps; i++) {
		const struct sahm_bpf_map *spec = &program->maps[i];
		const struct bpf_map_sizes sizes = {
			h->nr_cpus, spec->type == BPF_MAP_TYPE_TASK_STORAGE ? h->nr_tasks + 1 : h->nr_cgroups};
		if (spec->nr_entries == 0 && !bpf_map_has_default_size(spec)) {
			host_fail(h, SCX_EXIT_ERROR, "map '%s' has no max_entries", spec->name);
			return false;
		}
		struct bpf_map *map = bpf_map_new(spec, &sizes, h->arena);
		if (!map) {
			host_fail(h, SCX_EXIT_ERROR, "no memory for map '%s', or more than %llu bytes", spec->name,
				  (unsigned long long)MAX_BPF_MAP_BYTES);
			return false;
		}
		bpf_map_bind(spec->variable, map);
	}
	return true;
}

void host_begin_program(struct host *h)
{
	const struct sahm_bpf_program *program = h->ops->sahm_bpf;
	const struct bpf_machine machine = {h->nr_cpus, h->timestep_ns, capacity, h};
	bpf_image_begin(program, &machine, h->settings, h->nr_settings);
	if (!make_maps(h, program))
		return;
	for (u32 i = 0; i < program->nr_maps; i++) {
		const struct sahm_bpf_map *spec = &program->maps[i];
		const struct bpf_map_sizes sizes = {h->nr_cpus, h->nr_tasks + 1};
		struct bpf_map *map = bpf_map_of(spec->variable);
		if (is_map(map, BPF_MAP_TYPE_ARRAY_OF_MAPS) && !fill(h, spec, map, &sizes))
			host_fail(h, SCX_EXIT_ERROR, "no memory for the maps in '%s'", spec->name);
	}
}

/* Maps. A pointer that leads to none is the program's error, as is a core that does not exist. */

static struct bpf_map *map_of(const void *variable, const char *call)
{
	struct host *h = host_at_hand;
	struct bpf_map *map = variable && h ? bpf_map_of(variable) : NULL;
	if (h && !map)
		host_fail(h, SCX_EXIT_ERROR, "it called %s() for no map", call);
	return map;
}

void *bpf_map_lookup_elem(void *variable, const void *key)
{
	struct bpf_map *map = map_of(variable, __func__);
	return map ? bpf_map_lookup(map, key, (u32)host_at_hand->this_cpu) : NULL;
}

void *bpf_map_lookup_percpu_elem(void *variable, const void *key, u32 cpu)
{
	struct bpf_map *map = map_of(variable, __func__);
	return map && cpu < host_at_hand->nr_cpus ? bpf_map_lookup(map, key, cpu) : NULL;
}

long bpf_map_update_elem(void *variable, const void *key, const void *value, u64 flags)
{
	struct bpf_map *map = map_of(variable, __func__);
	const void *at;
	if (!map)
		return -EINVAL;
	s64 code = bpf_map_update(map, key, value, flags, (u32)host_at_hand->this_cpu);
	/* A hash replaces a value, and its timers; an array keeps them. */
	if (code == 0 && is_map(map, BPF_MAP_TYPE_HASH) && host_at_hand->timers.all &&
	    (at = bpf_map_lookup(map, key, 0)))
		host_drop_timers(host_at_hand, at, (const char *)at + bpf_map_value_bytes(map));
	return code;
}

long bpf_map_delete_elem(void *variable, const void *key)
{
	const void *from = NULL, *to = NULL;
	struct bpf_map *map = map_of(variable, __func__);
	s64 code = map ? bpf_map_delete(map, key, &from, &to) : -EINVAL;
	if (code == 0)
		host_drop_timers(host_at_hand, from, to);
	return code;
}

long bpf_map_push_elem(void *variable, const void *value, u64 flags)
{
	struct bpf_map *map = map_of(variable, __func__);
	return map ? bpf_map_push(map, value, flags) : -EINVAL;
}

long bpf_map_pop_elem(void *variable, void *value)
{
	struct bpf_map *map = map_of(variable, __func__);
	return map ? bpf_map_pop(map, value) : -EINVAL;
}

long bpf_map_peek_elem(void *variable, void *value)
{
	struct bpf_map *map = map_of(variable, __func__);
	return map ? bpf_map_peek(map, value) : -EINVAL;
}

long bpf_for_each_map_elem(void *variable, void *function, void *context, u64 flags)
{
	long (*callback)(struct bpf_map * map, const void *key, void *value, void *context);
	struct bpf_map *map = map_of(variable, __func__);
	const void *key = NULL;
	void *value;
	u32 at = 0;
	long nr = 0;
	if (!map || !function || flags)
		return -EINVAL;
	memcpy(&callback, &function, sizeof(callback));
	while ((value = bpf_map_next(map, &at, &key, (u32)host_at_hand->this_cpu))) {
		const u32 index = at - 1;
		nr++;
		if (callback(variable, key ? key : &index, value, context))
			break;
	}
	return nr;
}

static u32 index_of(const struct task_struct *p)
{
	return host_task_of(p)->index;
}

void *bpf_task_storage_get(void *variable, struct task_struct *p, void *value, u64 flags)
{
	struct bpf_map *map = map_of(variable, __func__);
	if (!is_map(map, BPF_MAP_TYPE_TASK_STORAGE) || !p)
		return NULL;
	return bpf_map_storage(map, index_of(p), value, flags & BPF_LOCAL_STORAGE_GET_F_CREATE);
}

long bpf_task_storage_delete(void *variable, struct task_struct *p)
{
	struct bpf_map *map = map_of(variable, __func__);
	return is_map(map, BPF_MAP_TYPE_TASK_STORAGE) && p ? bpf_map_storage_delete(map, index_of(p)) : -EINVAL;
}

void *bpf_cgrp_storage_get(void *variable, struct cgroup *cgrp, void *value, u64 flags)
{
	struct bpf_map *map = map_of(variable, __func__);
	if (!is_map(map, BPF_MAP_TYPE_CGRP_STORAGE) || !cgrp)
		return NULL;
	return bpf_map_storage(map, (u32)(cgrp->kn->id - 1), value, flags & BPF_LOCAL_STORAGE_GET_F_CREATE);
}

long bpf_cgrp_storage_delete(void *variable, struct cgroup *cgrp)
{
	struct bpf_map *map = map_of(variable, __func__);
	if (!is_map(map, BPF_MAP_TYPE_CGRP_STORAGE) || !cgrp)
		return -EINVAL;
	return bpf_map_storage_delete(map, (u32)(cgrp->kn->id - 1));
}

/* Threads */

struct task_struct *bpf_task_from_pid(s32 pid)
{
	struct host *h = host_at_hand;
	if (!h || pid < 1 || (u32)pid > h->nr_tasks || !h->tasks[pid - 1]->is_present)
		return NULL;
	return &h->tasks[pid - 1]->pub;
}

static struct task_struct *current_on(struct host *h, s32 cpu)
{
	return h->cpus[cpu].curr ? &h->cpus[cpu].curr->pub : &h->idle.pub;
}

struct task_struct *bpf_get_current_task_btf(void)
{
	struct host *h = host_at_hand;
	return h ? current_on(h, h->this_cpu) : NULL;
}

struct task_struct *scx_bpf_cpu_curr(s32 cpu)
{
	BEGIN(struct task_struct *, scx_bpf_cpu_curr, NULL, cpu);
	NEED_CPU(scx_bpf_cpu_curr, cpu, NULL);
	return current_on(h, cpu);
}

struct rq *scx_bpf_cpu_rq(s32 cpu)
{
	BEGIN(struct rq *, scx_bpf_cpu_rq, NULL, cpu);
	NEED_CPU(scx_bpf_cpu_rq, cpu, NULL);
	h->cpus[cpu].rq.curr = current_on(h, cpu);
	return &h->cpus[cpu].rq;
}

void scx_bpf_events(struct scx_event_stats *events, size_t nr_bytes)
{
	BEGIN_VOID(scx_bpf_events, events, nr_bytes);
	if (!events)
		return;
	h->events.SCX_EV_INSERT_NOT_OWNED = (s64)h->nr_ignored;
	memset(events, 0, nr_bytes);
	memcpy(events, &h->events, nr_bytes < sizeof(h->events) ? nr_bytes : sizeof(h->events));
}

/* Cores */

s32 scx_bpf_cpu_node(s32 cpu)
{
	BEGIN(s32, scx_bpf_cpu_node, 0, cpu);
	NEED_CPU(scx_bpf_cpu_node, cpu, 0);
	return 0;
}

u32 scx_bpf_nr_node_ids(void)
{
	BEGIN_BARE(u32, scx_bpf_nr_node_ids, 1);
	(void)h;
	return 1;
}

const struct cpumask *scx_bpf_get_idle_cpumask(void)
{
	BEGIN_BARE(const struct cpumask *, scx_bpf_get_idle_cpumask, NULL);
	return host_check_idle_tracking(h, CALL_scx_bpf_get_idle_cpumask) ? &h->free_mask : NULL;
}

const struct cpumask *scx_bpf_get_idle_smtmask(void)
{
	BEGIN_BARE(const struct cpumask *, scx_bpf_get_idle_smtmask, NULL);
	return host_check_idle_tracking(h, CALL_scx_bpf_get_idle_smtmask) ? &h->free_mask : NULL;
}

void scx_bpf_put_idle_cpumask(const struct cpumask *mask)
{
	BEGIN_VOID(scx_bpf_put_idle_cpumask, mask);
	(void)h;
}

const struct cpumask *scx_bpf_get_possible_cpumask(void)
{
	BEGIN_BARE(const struct cpumask *, scx_bpf_get_possible_cpumask, NULL);
	return &h->all_mask;
}

const struct cpumask *scx_bpf_get_online_cpumask(void)
{
	BEGIN_BARE(const struct cpumask *, scx_bpf_get_online_cpumask, NULL);
	return &h->all_mask;
}

void scx_bpf_put_cpumask(const struct cpumask *mask)
{
	BEGIN_VOID(scx_bpf_put_cpumask, mask);
	(void)h;
}

s32 scx_bpf_select_cpu_and(struct task_struct *p, s32 prev_cpu, u64 wake_flags, const struct cpumask *mask, u64 flags)
{
	BEGIN(s32, scx_bpf_select_cpu_and, -EBUSY, p, prev_cpu, wake_flags, mask, flags);
	NEED_TASK(scx_bpf_select_cpu_and, p, -EBUSY);
	NEED_CPU(scx_bpf_select_cpu_and, prev_cpu, -EBUSY);
	if (!host_check_idle_tracking(h, CALL_scx_bpf_select_cpu_and))
		return -EBUSY;
	if (host_mask_has(mask, (u32)prev_cpu) && host_may_run(host_task_of(p), (u32)prev_cpu) &&
	    host_take_idle(h, (u32)prev_cpu))
		return prev_cpu;
	s32 cpu = host_pick_idle(h, mask, &host_task_of(p)->mask);
	return cpu >= 0 ? cpu : -EBUSY;
}

/* The cores of the first level of distances that holds `cpu`: *first, and how many. */
static u32 llc_of(const struct host *h, u32 cpu, u32 *first)
{
	u32 nr = h->distances->nr_levels ? h->distances->levels[0].nr_cores : h->nr_cpus;
	*first = cpu / nr * nr;
	return nr < h->nr_cpus - *first ? nr : h->nr_cpus - *first;
}

s32 bpf_cpu_llc_id(s32 cpu)
{
	struct host *h = host_at_hand;
	u32 first;
	if (!h || cpu < 0 || (u32)cpu >= h->nr_cpus)
		return -EINVAL;
	llc_of(h, (u32)cpu, &first);
	return (s32)first;
}

s32 bpf_cpu_llc_size(s32 cpu)
{
	struct host *h = host_at_hand;
	u32 first;
	return h && cpu >= 0 && (u32)cpu < h->nr_cpus ? (s32)llc_of(h, (u32)cpu, &first) : -EINVAL;
}

u32 bpf_get_smp_processor_id(void)
{
	return host_at_hand ? (u32)host_at_hand->this_cpu : 0;
}

/* Objects: a list of those given back for each size. */

#define OBJECT_UNIT 16u
#define NR_OBJECT_SIZES 256u

struct object {
	u32 nr_bytes;
	bool is_used;
	struct object *next; /* that was given back */
};

struct host_objects {
	struct object *unused[NR_OBJECT_SIZES]; /* by size in units */
};

void *bpf_obj_new_impl(u64 nr_bytes)
{
	struct host *h = host_at_hand;
	u64 units = nr_bytes / OBJECT_UNIT + 1;
	if (!h)
		return NULL;
	if (units >= NR_OBJECT_SIZES) {
		host_fail(h, SCX_EXIT_ERROR, "it called bpf_obj_new() for %llu bytes, must be less than %u",
			  (unsigned long long)nr_bytes, (NR_OBJECT_SIZES - 1) * OBJECT_UNIT);
		return NULL;
	}
	if (!h->objects)
		h->objects = arena_alloc(h->arena, 1, sizeof(*h->objects));
	struct object *o = h->objects ? h->objects->unused[units] : NULL;
	if (o)
		h->objects->unused[units] = o->next;
	else if (h->objects)
		o = arena_alloc(h->arena, 1, sizeof(*o) + units * OBJECT_UNIT);
	if (!o)
		return NULL;
	o->nr_bytes = (u32)nr_bytes;
	o->is_used = true;
	memset(o + 1, 0, units * OBJECT_UNIT);
	return o + 1;
}

void bpf_obj_drop_impl(void *object)
{
	struct host *h = host_at_hand;
	if (!h || !h->objects || !object)
		return;
	struct object *o = (struct object *)object - 1;
	u64 units = o->nr_bytes / OBJECT_UNIT + 1;
	if (!o->is_used || units >= NR_OBJECT_SIZES) {
		host_fail(h, SCX_EXIT_ERROR, "it called bpf_obj_drop() for an object that it does not hold");
		return;
	}
	o->is_used = false;
	o->next = h->objects->unused[units];
	h->objects->unused[units] = o;
}

/* Time, chance, words */

bool bpf_can_loop(void)
{
	return host_at_hand && ++host_at_hand->nr_turns < BPF_MAX_LOOPS;
}

u64 bpf_ktime_get_ns(void)
{
	return host_at_hand ? host_at_hand->boot_ns + host_at_hand->now : 0;
}

u32 bpf_get_prandom_u32(void)
{
	return host_at_hand ? (u32)rng_below(&host_at_hand->rng, UINT64_C(1) << 32) : 0;
}

void bpf_trace_printk(const char *fmt, ...)
{
	char text[512];
	const char *told = text;
	va_list args;
	struct host *h = host_at_hand;
	if (!h || !h->listener)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	host_trace_call(h, "bpf_printk", HOST_VALUE(HOST_END), HOST_VALUES(told));
}
