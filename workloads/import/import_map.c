/* --map and --assume: what the user says about counters and times. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/array.h"
#include "sim/base/suggest.h"
#include "sim/base/units.h"
#include "workloads/import/import_internal.h"

static const struct {
	const char *name;
	unsigned target;
	uint64_t unit_ns;
} times[] = {
	{"time_s", TARGET_TIME, NS_PER_S},
	{"time_ms", TARGET_TIME, NS_PER_MS},
	{"time_us", TARGET_TIME, 1000},
	{"time_ns", TARGET_TIME, 1},
	{"duration_s", TARGET_DURATION, NS_PER_S},
	{"duration_ms", TARGET_DURATION, NS_PER_MS},
	{"duration_us", TARGET_DURATION, 1000},
	{"duration_ns", TARGET_DURATION, 1},
};

#define NR_TIMES ARRAY_SIZE(times)

bool import_time_named(const char *name, unsigned *target, uint64_t *unit_ns)
{
	for (size_t i = 0; i < NR_TIMES; i++) {
		if (strcmp(times[i].name, name) != 0)
			continue;
		*target = times[i].target;
		*unit_ns = times[i].unit_ns;
		return true;
	}
	return false;
}

const char *import_target_name(unsigned target)
{
	return target < NR_COUNTERS ? counter_rows[target].name : target == TARGET_TIME ? "time" : "duration";
}

struct import_map *import_map_new(void)
{
	return calloc(1, sizeof(struct import_map));
}

void import_map_free(struct import_map *map)
{
	if (!map)
		return;
	arena_release(&map->arena);
	free(map);
}

/* The part in front of '=', without blanks. NULL when there is none, or it is too long to be anything. */
static const char *target_of(const char *text, char word[48])
{
	const char *eq = strchr(text, '=');
	if (!eq)
		return NULL;
	text += strspn(text, " \t");
	size_t len = (size_t)(eq - text);
	while (len > 0 && (text[len - 1] == ' ' || text[len - 1] == '\t'))
		len--;
	snprintf(word, 48, "%.*s", (int)len, text);
	return eq + 1;
}

static enum sahm_status fail_target(const char *option, const char *word, bool with_times, struct sahm_err *err)
{
	char near[SUGGEST_BYTES];
	struct suggest s;
	suggest_init(&s, word);
	for (unsigned c = 0; c < NR_COUNTERS; c++)
		suggest_offer(&s, counter_rows[c].name);
	for (size_t i = 0; with_times && i < NR_TIMES; i++)
		suggest_offer(&s, times[i].name);
	return sahm_fail(err, SAHM_USAGE, "%s: unknown counter '%s'%s", option, word,
			 suggest_or(&s, "sahm help traces lists them", near));
}

enum sahm_status import_map_add(struct import_map *map, const char *text, struct sahm_err *err)
{
	char word[48];
	enum counter c;
	struct sahm_err cause;
	unsigned target = NR_TARGETS;
	const char *value = target_of(text, word);
	if (!value)
		return sahm_fail(err, SAHM_USAGE, "--map '%s': written as COUNTER=EXPRESSION", text);
	if (counter_find(word, strlen(word), &c))
		target = c;
	uint64_t unit_ns;
	if (import_time_named(word, &target, &unit_ns))
		map->unit_ns[target] = unit_ns;
	if (target == NR_TARGETS)
		return fail_target("--map", word, true, err);
	if (map->expression[target])
		return sahm_fail(err, SAHM_USAGE, "--map: '%s' is given twice", import_target_name(target));
	struct expression *e = arena_alloc(&map->arena, 1, sizeof(*e));
	enum sahm_status status = e ? expression_read(value, &map->arena, e, &cause) : sahm_fail_nomem(&cause);
	if (status != SAHM_OK)
		return status == SAHM_NOMEM ? sahm_fail_nomem(err)
					    : sahm_fail(err, SAHM_USAGE, "--map '%s': %s", text, cause.msg);
	map->expression[target] = e;
	return SAHM_OK;
}

enum sahm_status import_map_assume(struct import_map *map, const char *text, struct sahm_err *err)
{
	char word[48];
	enum counter c;
	const char *value = target_of(text, word);
	if (!value)
		return sahm_fail(err, SAHM_USAGE, "--assume '%s': written as COUNTER=N", text);
	if (!counter_find(word, strlen(word), &c))
		return fail_target("--assume", word, false, err);
	if (map->is_assumed[c])
		return sahm_fail(err, SAHM_USAGE, "--assume: '%s' is given twice", word);
	if (number_read_u64(value, strlen(value), &map->assumed[c]) != NUMBER_OK)
		return sahm_fail(err, SAHM_USAGE, "--assume: '%s' is '%s', must be a whole number, 0 or more", word,
				 value);
	map->is_assumed[c] = true;
	return SAHM_OK;
}
