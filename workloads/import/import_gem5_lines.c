/* Lines of gem5's dumps: which statistic of which CPU they have. */
#include <stdio.h>
#include <string.h>

#include "workloads/import/import_gem5_internal.h"

static enum sahm_status add_key(struct import *im, struct gem5_reader *r, const char *name, struct gem5_key **key)
{
	for (unsigned k = 0; k < r->nr_keys; k++) {
		*key = &r->keys[k];
		if (strcmp((*key)->name, name) == 0)
			return SAHM_OK;
	}
	if (r->nr_keys == MAX_GEM5_KEYS)
		return import_fail(im, "--map names too many statistics");
	*key = &r->keys[r->nr_keys++];
	**key = (struct gem5_key){.name = name, .len = strlen(name), .counter = NR_COUNTERS};
	for (unsigned role = GEM5_OTHER + 1; role < NR_GEM5_ROLES; role++) {
		size_t len = strlen(gem5_role_names[role]);
		if (strncmp(name, gem5_role_names[role], len) == 0 && name[len] == '.')
			(*key)->role = (enum gem5_role)role;
	}
	return SAHM_OK;
}

/* Statistics of gem5's rows, from the best to the last resort, and those of --map. */
enum sahm_status gem5_add_keys(struct import *im, struct gem5_reader *r)
{
	const struct import_map *map = im->options->map;
	enum sahm_status status = SAHM_OK;
	struct gem5_key *key;
	for (const struct import_event *e = import_events; e->expression && status == SAHM_OK; e++) {
		if (strncmp(e->source, "gem5", 4) != 0)
			continue;
		struct expression *one = arena_alloc(&im->arena, 1, sizeof(*one));
		status = one ? expression_read(e->expression, &im->arena, one, im->err) : sahm_fail_nomem(im->err);
		if (status == SAHM_OK)
			status = add_key(im, r, one->terms[0].name, &key);
		if (status == SAHM_OK)
			key->counter = e->counter;
	}
	for (unsigned t = 0; map && t < NR_TARGETS; t++)
		for (unsigned i = 0; map->expression[t] && i < map->expression[t]->nr_terms && status == SAHM_OK; i++) {
			const struct term *term = &map->expression[t]->terms[i];
			if (term->delta)
				return import_fail(
					im,
					"--map %s: delta() of '%s' is not needed: of totals, the dump before "
					"is subtracted from each",
					import_target_name(t), term->name);
			status = add_key(im, r, term->name, &key);
			if (status != SAHM_OK)
				break;
			key->is_mapped = true;
			key->is_optional = term->zero;
			suggest_init(&key->nearest, key->name);
			for (unsigned k = 0; k < r->nr_keys; k++)
				if (&r->keys[k] != key)
					suggest_offer(&key->nearest, r->keys[k].name);
		}
	return status;
}

/* Its number, or nr_keys. */
static unsigned find_key(struct import *im, const struct gem5_reader *r, const char *name, size_t len)
{
	unsigned k = 0;
	if (!import_is_wanted(im, name, len))
		return r->nr_keys;
	while (k < r->nr_keys && (r->keys[k].len != len || memcmp(r->keys[k].name, name, len) != 0))
		k++;
	return k;
}

static enum sahm_status find_object(struct import *im, struct gem5_reader *r, const char *path, size_t len,
				    struct gem5_object **object)
{
	uint16_t *slot;
	for (uint32_t at = import_hash_name(path, len);; at++) {
		slot = &r->slots[at % GEM5_OBJECT_SLOTS];
		*object = *slot ? r->objects[*slot - 1u] : NULL;
		if (!*object || ((*object)->len == len && memcmp((*object)->path, path, len) == 0))
			break;
	}
	if (*object)
		return SAHM_OK;
	if (r->nr_objects == MAX_GEM5_OBJECTS)
		return import_fail(im, "more than %u objects count what CPUs do", MAX_GEM5_OBJECTS);
	*object = arena_alloc(&im->arena, 1, sizeof(**object));
	if (*object)
		(*object)->path = arena_strndup(&im->arena, path, len);
	if (!*object || !(*object)->path)
		return sahm_fail_nomem(im->err);
	(*object)->len = len;
	r->objects[r->nr_objects++] = *object;
	*slot = (uint16_t)r->nr_objects;
	return SAHM_OK;
}

/* A line's value: `adds` where several lines make one statistic. */
static void put(struct gem5_reader *r, struct gem5_stat *stat, const char *text, size_t len, bool adds)
{
	decimal value;
	enum number_fault fault = decimal_read(text, len, &value);
	uint8_t skip = fault == NUMBER_OK ? NR_SKIPS : fault == NUMBER_OVERFLOW ? SKIP_TOO_LARGE : SKIP_TEXT;
	bool is_there = stat->dump == r->dump;
	if (is_there && !adds)
		skip = SKIP_REPEATED;
	if (!is_there)
		stat->skip = NR_SKIPS;
	if (skip != NR_SKIPS)
		stat->skip = skip;
	else
		stat->value = is_there ? stat->value + value : value;
	/* Sums of many large ones stay within what is read of one. */
	if (stat->value >= DECIMAL_END)
		stat->skip = SKIP_TOO_LARGE, stat->value = 0;
	stat->dump = r->dump;
}

static void take_ticks(struct gem5_reader *r, const char *name, size_t len, const char *text, size_t text_len)
{
	static const char *const names[][2] = {
		{"simTicks", "sim_ticks"}, {"finalTick", "final_tick"}, {"simFreq", "sim_freq"}};
	uint64_t value;
	for (unsigned i = 0; i < 3; i++) {
		bool is_it = (len == strlen(names[i][0]) && memcmp(name, names[i][0], len) == 0) ||
			     (len == strlen(names[i][1]) && memcmp(name, names[i][1], len) == 0);
		if (!is_it || number_read_u64(text, text_len, &value) != NUMBER_OK)
			continue;
		if (i == 0)
			r->ticks.since_reset = value, r->ticks.has_since_reset = true;
		else if (i == 1)
			r->ticks.final = value, r->ticks.has_final = true;
		else if (value > 0)
			r->ticks.per_s = value;
	}
}

static enum sahm_status take_cache(struct import *im, struct gem5_reader *r, const struct gem5_cache_stat *stat,
				   const char *value, size_t value_len)
{
	char name[32], path[256];
	struct gem5_object *object = r->ruby;
	enum sahm_status status = SAHM_OK;
	r->has_cache[stat->role] = true;
	if (!stat->stat || (!stat->is_ruby && stat->request.len == 0))
		return SAHM_OK;
	int len = snprintf(name, sizeof(name), "%s.%s", gem5_role_names[stat->role], stat->stat);
	unsigned key = find_key(im, r, name, (size_t)len);
	if (key == r->nr_keys || stat->system.len + stat->request.len + 2 > sizeof(path))
		return SAHM_OK;
	len = snprintf(path, sizeof(path), "%.*s.%.*s", (int)stat->system.len, stat->system.text,
		       (int)stat->request.len, stat->request.text);
	if (!stat->is_ruby)
		status = find_object(im, r, path, (size_t)len, &object);
	if (status == SAHM_OK)
		put(r, &object->stats[key], value, value_len, true);
	return status;
}

/* Names of the first dump are offered, up to this number: each costs a comparison. */
#define MAX_OFFERED 50000u

/* Offers a name for those of --map that are nowhere. */
static enum sahm_status offer(struct import *im, struct gem5_reader *r, const char *name)
{
	for (unsigned k = 0; k < r->nr_keys && r->nr_offered < MAX_OFFERED; k++) {
		struct gem5_key *key = &r->keys[k];
		if (!key->is_mapped || key->is_optional || strcmp(key->name, name) == 0)
			continue;
		r->nr_offered++;
		suggest_offer(&key->nearest, name);
		if (key->nearest.best != name)
			continue;
		key->nearest.best = arena_strdup(&im->arena, name);
		if (!key->nearest.best)
			return sahm_fail_nomem(im->err);
	}
	return SAHM_OK;
}

/* A checker repeats the instructions of its CPU. */
static bool is_checker(const struct gem5_object *object)
{
	static const char name[] = ".checker";
	size_t len = sizeof(name) - 1;
	return object->len >= len && memcmp(object->path + object->len - len, name, len) == 0;
}

/* A statistic of whatever object it may be: after each of its dots what follows could be a name that is of use. */
static enum sahm_status take_name(struct import *im, struct gem5_reader *r, const char *name, size_t len, bool adds,
				  const char *value, size_t value_len)
{
	enum sahm_status status = SAHM_OK;
	for (size_t at = 0; at < len && status == SAHM_OK;) {
		const char *rest = name + at;
		size_t rest_len = len - at;
		struct gem5_part sum;
		struct gem5_object *object;
		bool sums = adds;
		unsigned key = find_key(im, r, rest, rest_len);
		if (key == r->nr_keys && gem5_sum_name(rest, rest_len, &sum)) {
			key = find_key(im, r, sum.text, sum.len);
			sums |= sum.text != rest;
		}
		if (key < r->nr_keys)
			status = find_object(im, r, name, at > 0 ? at - 1 : 0, &object);
		if (key < r->nr_keys && status == SAHM_OK) {
			put(r, &object->stats[key], value, value_len, sums);
			object->is_cpu |= key == r->cycles && !is_checker(object);
		}
		if (r->dump == 1 && status == SAHM_OK)
			status = offer(im, r, rest);
		const char *dot = memchr(rest, '.', rest_len);
		at = dot ? (size_t)(dot - name) + 1 : len;
	}
	return status;
}

enum sahm_status gem5_take_line(struct import *im, struct gem5_reader *r)
{
	char *name = im->lines.text;
	size_t len = strcspn(name, " \t");
	const char *value = name + len + strspn(name + len, " \t");
	size_t value_len = strcspn(value, " \t");
	struct gem5_cache_stat stat;
	if (len == 0 || value_len == 0 || name[0] == '#')
		return SAHM_OK;
	name[len] = '\0';
	if (!memchr(name, '.', len))
		take_ticks(r, name, len, value, value_len);
	enum sahm_status status = SAHM_OK;
	if (gem5_cache_stat(name, len, &stat))
		status = take_cache(im, r, &stat, value, value_len);
	bool adds = gem5_of_first_thread(name, len);
	return status == SAHM_OK ? take_name(im, r, name, len, adds, value, value_len) : status;
}
