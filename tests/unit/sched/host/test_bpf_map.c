/* Maps of BPF programs: random operations against a plain list, and both sides of every limit. */
#include <errno.h>
#include <string.h>

#include "sched/host/bpf_map.h"
#include "sim/base/array.h"
#include "sim/base/rng.h"
#include "tests/unit/test.h"

static const struct bpf_map_sizes sizes = {.nr_cpus = 3, .nr_owners = 5};

static struct bpf_map *make(struct arena *a, const struct sahm_bpf_map *spec)
{
	arena_init(a);
	struct bpf_map *map = bpf_map_new(spec, &sizes, a);
	assert_non_null(map);
	return map;
}

/* A hash, as a list of pairs. */
#define NR_KEYS 40
#define NR_ENTRIES 16

struct pairs {
	u32 values[NR_KEYS];
	bool is_there[NR_KEYS];
	u32 nr;
};

static void check_all(struct bpf_map *map, const struct pairs *p)
{
	u32 at = 0, nr = 0;
	const void *key;
	for (u32 *value; (value = bpf_map_next(map, &at, &key, 0)); nr++) {
		u32 k;
		memcpy(&k, key, sizeof(k));
		assert_true(p->is_there[k]);
		assert_int_equal(*value, p->values[k]);
	}
	assert_int_equal(nr, p->nr);
}

static void test_hash(void **state)
{
	static const struct sahm_bpf_map spec = {
		.name = "h", .type = BPF_MAP_TYPE_HASH, .key_bytes = 4, .value_bytes = 4, .nr_entries = NR_ENTRIES};
	struct pairs p = {.nr = 0};
	struct arena a;
	struct rng rng;
	struct bpf_map *map = make(&a, &spec);
	(void)state;
	rng_init(&rng, 1, "test", "hash");
	for (u32 i = 0; i < 20000; i++) {
		u32 key = (u32)rng_below(&rng, NR_KEYS), value = (u32)rng_below(&rng, 1000);
		u64 flags = rng_below(&rng, 4);
		const void *from, *to;
		bool was_there = p.is_there[key];
		if (rng_below(&rng, 3) == 0) {
			assert_int_equal(bpf_map_delete(map, &key, &from, &to), was_there ? 0 : -ENOENT);
			p.nr -= was_there;
			p.is_there[key] = false;
		} else {
			s64 expected = flags > BPF_EXIST		   ? -EINVAL
				       : was_there && flags == BPF_NOEXIST ? -EEXIST
				       : !was_there && flags == BPF_EXIST  ? -ENOENT
				       : !was_there && p.nr == NR_ENTRIES  ? -E2BIG
									   : 0;
			assert_int_equal(bpf_map_update(map, &key, &value, flags, 0), expected);
			if (expected == 0) {
				p.nr += !was_there;
				p.is_there[key] = true;
				p.values[key] = value;
			}
		}
		const u32 *found = bpf_map_lookup(map, &key, 0);
		assert_int_equal(found != NULL, p.is_there[key]);
		assert_true(!found || *found == p.values[key]);
		if (i % 100 == 0)
			check_all(map, &p);
	}
	arena_release(&a);
}

static void test_arrays(void **state)
{
	static const struct sahm_bpf_map
		plain = {.name = "a", .type = BPF_MAP_TYPE_ARRAY, .key_bytes = 4, .value_bytes = 3, .nr_entries = 4},
		percpu = {.name = "p", .type = BPF_MAP_TYPE_PERCPU_ARRAY, .key_bytes = 4, .value_bytes = 8};
	struct arena a;
	const u32 last = 3, beyond = 4;
	const char abc[3] = "abc", xyz[3] = "xyz";
	const void *key;
	(void)state;
	struct bpf_map *map = make(&a, &plain);
	assert_int_equal(bpf_map_update(map, &last, abc, BPF_ANY, 0), 0);
	assert_int_equal(bpf_map_update(map, &last, xyz, BPF_NOEXIST, 0), -EEXIST);
	assert_int_equal(bpf_map_update(map, &beyond, xyz, BPF_ANY, 0), -E2BIG);
	assert_memory_equal(bpf_map_lookup(map, &last, 0), abc, 3);
	assert_null(bpf_map_lookup(map, &beyond, 0));
	assert_int_equal(bpf_map_delete(map, &last, &key, &key), -EINVAL);
	assert_int_equal(bpf_map_push(map, abc, 0), -EINVAL);
	char *value = bpf_map_lookup(map, &last, 0);
	assert_ptr_equal(bpf_map_value_around(map, value + 2, &key), value);
	assert_int_equal(bpf_map_index_of(map, value), 3);
	assert_null(bpf_map_value_around(map, value + 8, &key));
	arena_release(&a);
	/* Without a size it has an entry for each core, and a value for each core. */
	map = make(&a, &percpu);
	const u32 entry = 2;
	for (u32 cpu = 0; cpu < sizes.nr_cpus; cpu++) {
		u64 *each = bpf_map_lookup(map, &entry, cpu);
		assert_non_null(each);
		assert_int_equal(*each, 0);
		*each = cpu + 1;
	}
	for (u32 cpu = 0; cpu < sizes.nr_cpus; cpu++)
		assert_int_equal(*(u64 *)bpf_map_lookup(map, &entry, cpu), cpu + 1);
	assert_null(bpf_map_lookup(map, &last, 0));
	arena_release(&a);
}

static void test_queue_and_stack(void **state)
{
	static const u32 types[] = {BPF_MAP_TYPE_QUEUE, BPF_MAP_TYPE_STACK};
	(void)state;
	for (size_t t = 0; t < ARRAY_SIZE(types); t++) {
		const struct sahm_bpf_map spec = {.name = "q", .type = types[t], .value_bytes = 4, .nr_entries = 3};
		bool is_queue = types[t] == BPF_MAP_TYPE_QUEUE;
		u32 model[64], first = 0, nr = 0, value;
		struct arena a;
		struct rng rng;
		struct bpf_map *map = make(&a, &spec);
		rng_init(&rng, 1, "test", "queue");
		for (u32 i = 0; i < 2000; i++) {
			u32 next = is_queue ? first : first + nr - 1;
			if (rng_below(&rng, 2)) {
				bool drops = rng_below(&rng, 4) == 0;
				assert_int_equal(bpf_map_push(map, &i, drops ? BPF_EXIST : 0),
						 nr == 3 && !drops ? -E2BIG : 0);
				if (nr == 3 && !drops)
					continue;
				first += nr == 3;
				nr -= nr == 3;
				model[(first + nr++) % 64] = i;
			} else {
				assert_int_equal(bpf_map_peek(map, &value), nr ? 0 : -ENOENT);
				assert_int_equal(bpf_map_pop(map, &value), nr ? 0 : -ENOENT);
				assert_int_equal(value, nr ? model[next % 64] : 0);
				first += is_queue && nr;
				nr -= nr > 0;
			}
		}
		arena_release(&a);
	}
}

static void test_storage(void **state)
{
	static const struct sahm_bpf_map spec = {.name = "s", .type = BPF_MAP_TYPE_TASK_STORAGE, .value_bytes = 8};
	const u64 seven = 7;
	struct arena a;
	struct bpf_map *map = make(&a, &spec);
	(void)state;
	assert_null(bpf_map_storage(map, 4, NULL, false));
	u64 *value = bpf_map_storage(map, 4, &seven, true);
	assert_int_equal(*value, 7);
	*value = 8;
	assert_ptr_equal(bpf_map_storage(map, 4, &seven, true), value);
	assert_int_equal(*value, 8);
	assert_null(bpf_map_storage(map, 5, NULL, true));
	assert_int_equal(bpf_map_storage_delete(map, 4), 0);
	assert_int_equal(bpf_map_storage_delete(map, 4), -ENOENT);
	assert_int_equal(*(u64 *)bpf_map_storage(map, 4, NULL, true), 0);
	arena_release(&a);
}

static void test_too_large(void **state)
{
	static const struct sahm_bpf_map specs[] = {
		{.type = BPF_MAP_TYPE_ARRAY, .key_bytes = 4, .value_bytes = 1 << 20, .nr_entries = 1024},
		{.type = BPF_MAP_TYPE_HASH, .key_bytes = UINT32_MAX, .value_bytes = UINT32_MAX, .nr_entries = 1},
		{.type = BPF_MAP_TYPE_QUEUE, .value_bytes = 4, .nr_entries = UINT32_MAX},
	};
	struct arena a;
	(void)state;
	arena_init(&a);
	for (size_t i = 0; i < ARRAY_SIZE(specs); i++)
		assert_null(bpf_map_new(&specs[i], &sizes, &a));
	arena_release(&a);
}

TEST_FILE(test_bpf_map)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hash),
		cmocka_unit_test(test_arrays),
		cmocka_unit_test(test_queue_and_stack),
		cmocka_unit_test(test_storage),
		cmocka_unit_test(test_too_large),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
