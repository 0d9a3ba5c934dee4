/* Sets of cores that a policy makes and reads. */
#include "sched/host/bpf_calls.h"
#include "sched/host/host_calls_internal.h"
#include "sched/host/host_internal.h"

/* One that the policy made. */
struct bpf_cpumask {
	struct cpumask mask; /* first: it is read as one */
	u32 nr_references;
	struct bpf_cpumask *next; /* that was given back */
	u64 words[];
};

bool bpf_cpumask_test_cpu(u32 cpu, const struct cpumask *mask)
{
	return host_mask_has(mask, cpu);
}

static u32 nr_words_of(const struct cpumask *mask)
{
	return mask ? host_mask_words(mask) : 0;
}

u32 bpf_cpumask_first(const struct cpumask *mask)
{
	for (u32 i = 0; i < nr_words_of(mask); i++)
		if (host_mask_word(mask, i))
			return 64 * i + (u32)__builtin_ctzll(host_mask_word(mask, i));
	return mask ? mask->nr_cpus : 0;
}

u32 bpf_cpumask_first_zero(const struct cpumask *mask)
{
	u32 cpu = 0;
	while (mask && cpu < mask->nr_cpus && host_mask_has(mask, cpu))
		cpu++;
	return cpu;
}

u32 bpf_cpumask_first_and(const struct cpumask *a, const struct cpumask *b)
{
	u32 cpu = 0;
	while (a && cpu < a->nr_cpus && !(host_mask_has(a, cpu) && host_mask_has(b, cpu)))
		cpu++;
	return cpu;
}

u32 bpf_cpumask_weight(const struct cpumask *mask)
{
	u32 nr = 0;
	for (u32 i = 0; i < nr_words_of(mask); i++)
		nr += (u32)__builtin_popcountll(host_mask_word(mask, i));
	return nr;
}

bool bpf_cpumask_empty(const struct cpumask *mask)
{
	return !mask || bpf_cpumask_first(mask) == mask->nr_cpus;
}

bool bpf_cpumask_full(const struct cpumask *mask)
{
	return mask && bpf_cpumask_weight(mask) == mask->nr_cpus;
}

bool bpf_cpumask_equal(const struct cpumask *a, const struct cpumask *b)
{
	for (u32 i = 0; b && i < nr_words_of(a); i++)
		if (host_mask_word(a, i) != host_mask_word(b, i))
			return false;
	return a && b;
}

bool bpf_cpumask_intersects(const struct cpumask *a, const struct cpumask *b)
{
	return a && b && bpf_cpumask_first_and(a, b) < a->nr_cpus;
}

bool bpf_cpumask_subset(const struct cpumask *a, const struct cpumask *b)
{
	for (u32 i = 0; b && i < nr_words_of(a); i++)
		if (host_mask_word(a, i) & ~host_mask_word(b, i))
			return false;
	return a && b;
}

static u32 distribute(const struct cpumask *a, const struct cpumask *b)
{
	struct host *h = host_at_hand;
	for (u32 i = 0; h && a && i < a->nr_cpus; i++) {
		u32 cpu = (h->distributed_at + i) % a->nr_cpus;
		if (host_mask_has(a, cpu) && host_mask_has(b, cpu)) {
			h->distributed_at = cpu + 1;
			return cpu;
		}
	}
	return a ? a->nr_cpus : 0;
}

u32 bpf_cpumask_any_distribute(const struct cpumask *mask)
{
	return distribute(mask, mask);
}

u32 bpf_cpumask_any_and_distribute(const struct cpumask *a, const struct cpumask *b)
{
	return distribute(a, b);
}

/* Sets that change */

static u32 words_to(const struct bpf_cpumask *to)
{
	return to ? host_mask_words(&to->mask) : 0;
}

struct bpf_cpumask *bpf_cpumask_create(void)
{
	struct host *h = host_at_hand;
	if (!h)
		return NULL;
	u32 nr_words = (h->nr_cpus + 63) / 64;
	struct bpf_cpumask *mask = h->unused_masks;
	if (mask)
		h->unused_masks = mask->next;
	else
		mask = arena_alloc(h->arena, 1, sizeof(*mask) + nr_words * sizeof(mask->words[0]));
	if (!mask)
		return NULL;
	mask->mask = (struct cpumask){mask->words, h->nr_cpus};
	mask->nr_references = 1;
	bpf_cpumask_clear(mask);
	return mask;
}

struct bpf_cpumask *bpf_cpumask_acquire(struct bpf_cpumask *mask)
{
	if (mask)
		mask->nr_references++;
	return mask;
}

void bpf_cpumask_release(struct bpf_cpumask *mask)
{
	struct host *h = host_at_hand;
	if (!h || !mask)
		return;
	if (mask->nr_references == 0) {
		host_fail(h, SCX_EXIT_ERROR, "it called bpf_cpumask_release() for a set that it does not hold");
		return;
	}
	if (--mask->nr_references > 0)
		return;
	mask->next = h->unused_masks;
	h->unused_masks = mask;
}

bool bpf_cpumask_test_and_set_cpu(u32 cpu, struct bpf_cpumask *mask)
{
	if (!mask || cpu >= mask->mask.nr_cpus)
		return false;
	bool was_there = host_mask_has(&mask->mask, cpu);
	mask->words[cpu / 64] |= UINT64_C(1) << cpu % 64;
	return was_there;
}

bool bpf_cpumask_test_and_clear_cpu(u32 cpu, struct bpf_cpumask *mask)
{
	if (!mask || cpu >= mask->mask.nr_cpus)
		return false;
	bool was_there = host_mask_has(&mask->mask, cpu);
	mask->words[cpu / 64] &= ~(UINT64_C(1) << cpu % 64);
	return was_there;
}

void bpf_cpumask_set_cpu(u32 cpu, struct bpf_cpumask *mask)
{
	bpf_cpumask_test_and_set_cpu(cpu, mask);
}

void bpf_cpumask_clear_cpu(u32 cpu, struct bpf_cpumask *mask)
{
	bpf_cpumask_test_and_clear_cpu(cpu, mask);
}

void bpf_cpumask_clear(struct bpf_cpumask *mask)
{
	for (u32 i = 0; i < words_to(mask); i++)
		mask->words[i] = 0;
}

void bpf_cpumask_setall(struct bpf_cpumask *mask)
{
	const struct cpumask all = {NULL, mask ? mask->mask.nr_cpus : 0};
	bpf_cpumask_copy(mask, &all);
}

void bpf_cpumask_copy(struct bpf_cpumask *to, const struct cpumask *from)
{
	for (u32 i = 0; from && i < words_to(to); i++)
		to->words[i] = host_mask_word(from, i);
}

bool bpf_cpumask_and(struct bpf_cpumask *to, const struct cpumask *a, const struct cpumask *b)
{
	u64 any = 0;
	for (u32 i = 0; a && b && i < words_to(to); i++)
		any |= to->words[i] = host_mask_word(a, i) & host_mask_word(b, i);
	return any != 0;
}

void bpf_cpumask_or(struct bpf_cpumask *to, const struct cpumask *a, const struct cpumask *b)
{
	for (u32 i = 0; a && b && i < words_to(to); i++)
		to->words[i] = host_mask_word(a, i) | host_mask_word(b, i);
}

void bpf_cpumask_xor(struct bpf_cpumask *to, const struct cpumask *a, const struct cpumask *b)
{
	for (u32 i = 0; a && b && i < words_to(to); i++)
		to->words[i] = host_mask_word(a, i) ^ host_mask_word(b, i);
}
