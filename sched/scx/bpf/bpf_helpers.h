/* The names of libbpf's bpf_helpers.h, for a scheduler that runs in the simulator. */
#ifndef SAHM_SCHED_SCX_BPF_HELPERS_H
#define SAHM_SCHED_SCX_BPF_HELPERS_H

#include <stddef.h>

#include "vmlinux.h"

#define SEC(name) __attribute__((section(name), used))
#undef __always_inline /* of the C library */
#define __always_inline inline __attribute__((always_inline))
#define __noinline __attribute__((noinline))
#define __hidden __attribute__((visibility("hidden")))
#define __weak __attribute__((weak))
#define __maybe_unused __attribute__((unused))
#define __ksym
#define __kconfig
#define __kptr
#define __kptr_untrusted
#define __percpu_kptr
#define __arg_trusted
#define __arg_nullable
#define __arg_nonnull
#define __arg_ctx
#define __uptr
#define __contains(type, node)

/* Members of the declaration of a map. */
#define __uint(name, value) int(*name)[value]
#define __type(name, type) typeof(type) *name
#define __array(name, type) typeof(type) *name[]
#define __ulong(name, value) enum { __unique_##name = value } name

#define container_of(pointer, type, member) ((type *)((char *)(pointer)-offsetof(type, member)))

#define barrier() __asm__ volatile("" ::: "memory")
#define barrier_var(variable) __asm__ volatile("" : "+r"(variable))
#define smp_mb() __sync_synchronize()

#define bpf_printk(...) bpf_trace_printk(__VA_ARGS__)

/* Loops. As in the kernel, the bounds are evaluated once, and `i` is set before each turn. */
#define bpf_for(i, from, to)                                                                                           \
	for (int sahm_at_ = (int)(from), sahm_end_ = (int)(to); sahm_at_ < sahm_end_ && ((i) = sahm_at_, true);        \
	     sahm_at_++)
#define bpf_repeat(times) for (int sahm_at_ = 0, sahm_end_ = (int)(times); sahm_at_ < sahm_end_; sahm_at_++)
#define bpf_for_each(type, at, ...)                                                                                    \
	for (struct bpf_iter_##type sahm_it_ __attribute__((cleanup(bpf_iter_##type##_destroy))),                      \
	     *sahm_begun_ = (bpf_iter_##type##_new(&sahm_it_, __VA_ARGS__), &sahm_it_);                                \
	     ((at) = bpf_iter_##type##_next(sahm_begun_));)
#define BPF_FOR_EACH_ITER (&sahm_it_)
#define can_loop bpf_can_loop()
#define cond_break                                                                                                     \
	if (!bpf_can_loop())                                                                                           \
	break

static inline long bpf_loop(u32 nr, void *function, void *context, u64 flags)
{
	long (*callback)(u64 index, void *context);
	u32 i = 0;
	memcpy(&callback, &function, sizeof(callback));
	if (nr > BPF_MAX_LOOPS)
		return -E2BIG;
	while (i < nr && flags == 0)
		if (callback(i++, context))
			break;
	return flags ? -EINVAL : (long)i;
}

/* Locks, and references that nothing depends on. */
static inline void bpf_spin_lock(struct bpf_spin_lock *lock)
{
	(void)lock;
}

static inline void bpf_spin_unlock(struct bpf_spin_lock *lock)
{
	(void)lock;
}

static inline void bpf_rcu_read_lock(void)
{
}

static inline void bpf_rcu_read_unlock(void)
{
}

static inline void bpf_preempt_disable(void)
{
}

static inline void bpf_preempt_enable(void)
{
}

static inline struct task_struct *bpf_task_acquire(struct task_struct *p)
{
	return p;
}

static inline void bpf_task_release(struct task_struct *p)
{
	(void)p;
}

static inline struct cgroup *bpf_cgroup_acquire(struct cgroup *cgrp)
{
	return cgrp;
}

static inline void bpf_cgroup_release(struct cgroup *cgrp)
{
	(void)cgrp;
}

#define bpf_kptr_xchg(place, object)                                                                                   \
	({                                                                                                             \
		typeof(*(place)) sahm_before_ = *(place);                                                              \
		*(place) = (object);                                                                                   \
		sahm_before_;                                                                                          \
	})

#define bpf_obj_new(type) ((type *)bpf_obj_new_impl(sizeof(type)))
#define bpf_obj_drop(object) bpf_obj_drop_impl(object)

/* Lists and trees. A tree is a list in order: elements that are equal keep the order in which they came. */

static inline void sahm_list_add(struct bpf_list_head *head, struct bpf_list_node *node, struct bpf_list_node *after)
{
	node->of = head;
	node->prev = after;
	node->next = after ? after->next : head->first;
	*(node->prev ? &node->prev->next : &head->first) = node;
	*(node->next ? &node->next->prev : &head->last) = node;
}

static inline struct bpf_list_node *sahm_list_remove(struct bpf_list_node *node)
{
	if (!node)
		return NULL;
	*(node->prev ? &node->prev->next : &node->of->first) = node->next;
	*(node->next ? &node->next->prev : &node->of->last) = node->prev;
	node->of = NULL;
	return node;
}

static inline int bpf_list_push_front(struct bpf_list_head *head, struct bpf_list_node *node)
{
	sahm_list_add(head, node, NULL);
	return 0;
}

static inline int bpf_list_push_back(struct bpf_list_head *head, struct bpf_list_node *node)
{
	sahm_list_add(head, node, head->last);
	return 0;
}

static inline struct bpf_list_node *bpf_list_pop_front(struct bpf_list_head *head)
{
	return sahm_list_remove(head->first);
}

static inline struct bpf_list_node *bpf_list_pop_back(struct bpf_list_head *head)
{
	return sahm_list_remove(head->last);
}

static inline int bpf_rbtree_add(struct bpf_rb_root *root, struct bpf_rb_node *node,
				 bool (*less)(struct bpf_rb_node *a, const struct bpf_rb_node *b))
{
	struct bpf_list_node *after = root->list.last;
	while (after && less(node, (const struct bpf_rb_node *)after))
		after = after->prev;
	sahm_list_add(&root->list, &node->in, after);
	return 0;
}

static inline struct bpf_rb_node *bpf_rbtree_first(struct bpf_rb_root *root)
{
	return (struct bpf_rb_node *)root->list.first;
}

static inline struct bpf_rb_node *bpf_rbtree_remove(struct bpf_rb_root *root, struct bpf_rb_node *node)
{
	return node->in.of == &root->list ? (struct bpf_rb_node *)sahm_list_remove(&node->in) : NULL;
}

#endif
