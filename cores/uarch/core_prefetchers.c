#include "cores/uarch/core_prefetchers.h"

#include <inttypes.h>
#include <string.h>

#include "cores/uarch/cpu.h"

static bool cache_can_have(const char *cache, enum prefetcher_kind kind)
{
	const char *only = prefetcher_kind_cache(kind);
	return !only || strcmp(only, cache) == 0;
}

static enum sahm_status read_kind(const struct cfg_node *given, const char *cache, struct prefetcher_spec *spec,
				  struct sahm_err *err)
{
	const char *names[NR_PREFETCHER_KINDS + 1] = {NULL};
	uint32_t kinds[NR_PREFETCHER_KINDS] = {0};
	unsigned which = 0, nr = 0;
	for (unsigned i = 0; i < NR_PREFETCHER_KINDS; i++) {
		if (!cache_can_have(cache, (enum prefetcher_kind)i))
			continue;
		kinds[nr] = i;
		names[nr++] = prefetcher_kind_name((enum prefetcher_kind)i);
	}
	enum sahm_status status = cpu_read_word(given, names, &which, err);
	spec->kind = kinds[which];
	return status;
}

/* The value of `given`, or its elements where it is a list; *nr of them. */
static enum sahm_status read_kinds(const struct cfg_node *given, const char *cache,
				   struct prefetcher_spec specs[MAX_PREFETCHERS], unsigned *nr, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	*nr = 0;
	if (given && given->kind == CFG_STRING) {
		status = read_kind(given, cache, &specs[0], err);
		*nr = specs[0].kind != PREFETCHER_NONE;
		return status;
	}
	for (const struct cfg_node *n = given ? given->first : NULL; n && status == SAHM_OK; n = n->next) {
		if (*nr == MAX_PREFETCHERS)
			return cfg_fail(given, err, "a cache has at most %u prefetchers", MAX_PREFETCHERS);
		status = read_kind(n, cache, &specs[*nr], err);
		if (status == SAHM_OK && specs[*nr].kind == PREFETCHER_NONE)
			status = cfg_fail(n, err, "'none' in a list of prefetchers");
		else if (status == SAHM_OK && *nr > 0 && specs[*nr].kind == specs[0].kind)
			status = cfg_fail(n, err, "'%s' is in the list twice", n->value.string);
		++*nr;
	}
	return status;
}

/* No prefetcher of the cache has the number of `key`. A setting can take it from a file that gives the number. */
static enum sahm_status refuse_number(const struct cfg_node *group, const struct cfg_key *kind,
				      const struct cfg_key *key, struct sahm_err *err)
{
	const struct cfg_node *given = cfg_member(group, kind), *number = cfg_member(group, key);
	bool is_taken = given && given->line == 0 && number && number->line > 0;
	if (!number || is_taken)
		return SAHM_OK;
	return cfg_fail(number, err, "'%s' without a prefetcher that has it: %s is %s", key->path, kind->path,
			!given			    ? "none"
			: given->kind == CFG_STRING ? given->value.string
						    : "a list of others");
}

/* Of the prefetchers that have one; a list has a number for each, which the others ignore. */
static enum sahm_status read_degrees(const struct cfg_node *given, const struct cfg_key *key,
				     struct prefetcher_spec *specs, unsigned nr, struct sahm_err *err)
{
	bool is_list = given && given->kind != CFG_INT;
	const struct cfg_node *n = is_list ? given->first : given;
	enum sahm_status status = SAHM_OK;
	if (is_list && given->nr_children != nr)
		return cfg_fail(given, err, "'%s' has %u numbers for %u prefetchers", key->path, given->nr_children,
				nr);
	for (unsigned i = 0; i < nr && status == SAHM_OK; i++) {
		double degree = 1;
		if (n)
			status = cfg_node_number(n, key, &degree, err);
		if (prefetcher_kind_has_degree((enum prefetcher_kind)specs[i].kind))
			specs[i].degree = (uint32_t)degree;
		n = is_list ? n->next : n;
	}
	return status;
}

static enum sahm_status read_entries(const struct cfg_node *group, const struct cfg_key *key,
				     struct prefetcher_spec specs[MAX_PREFETCHERS], struct sahm_err *err)
{
	double entries = 0;
	enum sahm_status status = cfg_number(group, key, &entries, err);
	if (status == SAHM_OK && (uint32_t)entries % ENTANGLING_WAYS != 0)
		status = cfg_fail(cfg_member(group, key), err, "'%s' is %.0f, must be a multiple of %u", key->path,
				  entries, ENTANGLING_WAYS);
	for (unsigned i = 0; i < MAX_PREFETCHERS; i++)
		if (specs[i].kind == PREFETCHER_ENTANGLING)
			specs[i].entries = (uint32_t)entries;
	return status;
}

enum sahm_status core_prefetchers_read(const struct cfg_node *group, const char *cache, const struct cfg_key *key,
				       struct prefetcher_spec specs[MAX_PREFETCHERS], struct sahm_err *err)
{
	bool has_degree = false, has_entries = false;
	unsigned nr;
	enum sahm_status status = read_kinds(cfg_member(group, key), cache, specs, &nr, err);
	for (unsigned i = 0; i < MAX_PREFETCHERS; i++) {
		has_degree |= prefetcher_kind_has_degree((enum prefetcher_kind)specs[i].kind);
		has_entries |= specs[i].kind == PREFETCHER_ENTANGLING;
	}
	if (status == SAHM_OK)
		status = has_degree ? read_degrees(cfg_member(group, &key[1]), &key[1], specs, nr, err)
				    : refuse_number(group, key, &key[1], err);
	if (status != SAHM_OK || !cache_can_have(cache, PREFETCHER_ENTANGLING))
		return status;
	return has_entries ? read_entries(group, &key[2], specs, err) : refuse_number(group, key, &key[2], err);
}

/* In a list each prefetcher has a number. */
static uint32_t degree_in_list(const struct prefetcher_spec *p)
{
	return p->degree > 0 ? p->degree : 1;
}

void core_prefetchers_write(const struct prefetcher_spec specs[MAX_PREFETCHERS], struct textbuf *out)
{
	const char *first = prefetcher_kind_name((enum prefetcher_kind)specs[0].kind);
	bool is_list = specs[1].kind != PREFETCHER_NONE;
	uint32_t entries = specs[0].entries > 0 ? specs[0].entries : specs[1].entries;
	if (is_list)
		textbuf_printf(out, "prefetcher = [\"%s\", \"%s\"];", first,
			       prefetcher_kind_name((enum prefetcher_kind)specs[1].kind));
	else
		textbuf_printf(out, "prefetcher = \"%s\";", first);
	if (is_list && specs[0].degree + specs[1].degree > 0)
		textbuf_printf(out, " degree = [%" PRIu32 ", %" PRIu32 "];", degree_in_list(&specs[0]),
			       degree_in_list(&specs[1]));
	else if (specs[0].degree > 0)
		textbuf_printf(out, " degree = %" PRIu32 ";", specs[0].degree);
	if (entries > 0)
		textbuf_printf(out, " entries = %" PRIu32 ";", entries);
}
