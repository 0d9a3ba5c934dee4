/* CPUs of gem5's dumps: their counts, and the row that they become. */
#include <string.h>

#include "workloads/import/import_gem5_internal.h"

/* The last resort of Minor. */
#define PREDICTIONS "branchPred.lookups"

/* A statistic's count in this dump. */
static void count_stat(const struct gem5_reader *r, struct gem5_object *cpu, unsigned k, enum gem5_mode mode,
		       bool has_cache)
{
	struct gem5_stat *stat = &cpu->stats[k];
	bool is_there = stat->dump == r->dump;
	bool is_zero = stat->was_seen || has_cache;
	decimal value = is_there ? stat->value : 0;
	cpu->counted[k] = mode == GEM5_TOTAL ? value - stat->total : value;
	cpu->skip[k] = is_there ? stat->skip : is_zero ? NR_SKIPS : SKIP_INCOMPLETE;
	if (cpu->skip[k] == NR_SKIPS && cpu->counted[k] < 0)
		cpu->skip[k] = SKIP_BACKWARDS;
	stat->total = value;
	stat->was_seen |= is_there;
}

/* The best statistic for a counter that the CPU has, or nr_keys. */
static unsigned best_key(const struct gem5_reader *r, const struct gem5_object *cpu, unsigned counter)
{
	unsigned k = 0;
	while (k < r->nr_keys && (r->keys[k].counter != counter || cpu->skip[k] == SKIP_INCOMPLETE))
		k++;
	return k;
}

/* The counts of an object in this dump, and whether it ran. */
static void count_object(struct gem5_reader *r, struct gem5_object *o, enum gem5_mode mode)
{
	bool has_caches = false;
	for (unsigned k = 0; k < r->nr_keys; k++)
		has_caches |= r->keys[k].role && (o->stats[k].was_seen || o->stats[k].dump == r->dump);
	for (unsigned k = 0; k < r->nr_keys; k++)
		count_stat(r, o, k, mode, has_caches && r->has_cache[r->keys[k].role]);
	unsigned k = best_key(r, o, COUNTER_INSTRUCTIONS);
	o->ran = k < r->nr_keys && (o->skip[k] != NR_SKIPS || o->counted[k] > 0);
}

static bool is_here(const struct gem5_reader *r, const struct gem5_object *o)
{
	return o->is_cpu && o->stats[r->cycles].dump == r->dump;
}

bool gem5_has_cpus(const struct gem5_reader *r)
{
	for (unsigned i = 0; i < r->nr_objects; i++)
		if (is_here(r, r->objects[i]))
			return true;
	return false;
}

/* The CPU that a statistic of the whole simulation belongs to: the one in its name, or the only one. NULL: none. */
static struct gem5_object *owner_of(const struct gem5_reader *r, const struct gem5_key *key)
{
	struct gem5_object *owner = NULL;
	for (unsigned i = 0; i < r->nr_objects; i++) {
		struct gem5_object *o = r->objects[i];
		bool is_in_name =
			key->len > o->len && key->name[o->len] == '.' && memcmp(key->name, o->path, o->len) == 0;
		if (is_here(r, o) && (is_in_name || r->nr_cpus == 1) && (!owner || o->len > owner->len))
			owner = o;
	}
	return owner;
}

/* Gives the CPUs their part of what was counted for all together. Nothing says which of several have caused what
 * Ruby's caches count, so their sum goes to the first one, where only the sum is asked for. */
static void share_counts(struct import *im, struct gem5_reader *r, struct gem5_object *whole)
{
	struct gem5_object *first = NULL;
	bool may_share = r->nr_cpus == 1 || im->options->groups == IMPORT_SUM;
	for (unsigned k = 0; k < r->nr_keys && whole; k++) {
		struct gem5_object *owner = whole->skip[k] == SKIP_INCOMPLETE ? NULL : owner_of(r, &r->keys[k]);
		if (owner) {
			owner->counted[k] = whole->counted[k];
			owner->skip[k] = whole->skip[k];
		}
	}
	for (unsigned i = 0; i < r->nr_objects && may_share; i++) {
		struct gem5_object *o = r->objects[i];
		if (!is_here(r, o) || (!o->ran && r->nr_cpus > 1))
			continue;
		for (unsigned k = 0; k < r->nr_keys; k++) {
			if (r->ruby->skip[k] == SKIP_INCOMPLETE || o->skip[k] != SKIP_INCOMPLETE)
				continue;
			o->counted[k] = first ? 0 : r->ruby->counted[k];
			o->skip[k] = r->ruby->skip[k];
		}
		first = first ? first : o;
	}
}

void gem5_count(struct import *im, struct gem5_reader *r, enum gem5_mode mode)
{
	struct gem5_object *whole = NULL;
	r->nr_cpus = 0;
	for (unsigned i = 0; i < r->nr_objects; i++) {
		struct gem5_object *o = r->objects[i];
		count_object(r, o, mode);
		r->nr_cpus += is_here(r, o);
		whole = o->len == 0 ? o : whole;
	}
	count_object(r, r->ruby, mode);
	share_counts(im, r, whole);
}

static bool is_mapped(const struct import *im, unsigned counter)
{
	return im->options->map && im->options->map->expression[counter];
}

/* Whether a key has a column under its name, whatever other CPUs call it. */
static bool has_own_column(const struct import *im, const struct gem5_reader *r, unsigned k)
{
	unsigned c = r->keys[k].counter;
	bool is_alias = c < NR_COUNTERS && !is_mapped(im, c) && r->column_of[c] == k + 1;
	return r->keys[k].is_mapped && !is_alias;
}

static void note_name(struct import *im, const struct gem5_reader *r, struct gem5_object *cpu, unsigned counter,
		      unsigned k)
{
	bool is_guess = strcmp(r->keys[k].name, PREDICTIONS) == 0;
	if (cpu->is_noted[counter] || !im->notes || (r->column_of[counter] == k + 1 && !is_guess))
		return;
	cpu->is_noted[counter] = true;
	textbuf_printf(im->notes, "%s: %s of '%.60s' are its '%s'%s\n", im->file, counter_rows[counter].name, cpu->path,
		       r->keys[k].name,
		       is_guess ? ": predictions, those of wrong paths among them, since it counts no others" : "");
}

static enum sahm_status add_column(struct import *im, const struct gem5_reader *r, unsigned k)
{
	unsigned column;
	return import_column(im, r->keys[k].name, r->keys[k].len, &column);
}

/* The columns of a CPU, before any has a value. */
static enum sahm_status add_columns(struct import *im, struct gem5_reader *r, struct gem5_object *cpu)
{
	enum sahm_status status = import_group(im, cpu->path, cpu->len, &cpu->group);
	for (unsigned c = 0; c < NR_COUNTERS && status == SAHM_OK; c++) {
		unsigned k = best_key(r, cpu, c);
		if (is_mapped(im, c) || k == r->nr_keys || (!cpu->ran && r->nr_cpus > 1))
			continue;
		r->column_of[c] = r->column_of[c] ? r->column_of[c] : k + 1;
		note_name(im, r, cpu, c, k);
		status = add_column(im, r, r->column_of[c] - 1);
	}
	for (unsigned k = 0; k < r->nr_keys && status == SAHM_OK; k++) {
		if (cpu->skip[k] == SKIP_INCOMPLETE)
			continue;
		r->keys[k].was_seen = true;
		if (has_own_column(im, r, k))
			status = add_column(im, r, k);
	}
	return status;
}

static enum sahm_status fill_cell(struct import *im, const struct gem5_reader *r, const struct gem5_object *cpu,
				  unsigned named, unsigned k)
{
	unsigned column;
	enum sahm_status status = import_column(im, r->keys[named].name, r->keys[named].len, &column);
	if (status != SAHM_OK)
		return status;
	if (k == r->nr_keys)
		import_no_count(im, cpu->group, column, SKIP_NOT_SUPPORTED);
	else if (cpu->skip[k] != NR_SKIPS)
		import_no_count(im, cpu->group, column, (enum import_skip)cpu->skip[k]);
	else
		import_count(im, cpu->group, column, cpu->counted[k], -1);
	return SAHM_OK;
}

static enum sahm_status fill_cells(struct import *im, struct gem5_reader *r, const struct gem5_object *cpu)
{
	enum sahm_status status = SAHM_OK;
	/* One that did not run, such as the one that a switch has replaced. */
	for (unsigned column = 0; column < im->nr_columns && !cpu->ran && r->nr_cpus > 1; column++)
		import_no_count(im, cpu->group, column, SKIP_NOT_COUNTED);
	if (!cpu->ran && r->nr_cpus > 1)
		return SAHM_OK;
	for (unsigned c = 0; c < NR_COUNTERS && status == SAHM_OK; c++)
		if (!is_mapped(im, c) && r->column_of[c])
			status = fill_cell(im, r, cpu, r->column_of[c] - 1, best_key(r, cpu, c));
	for (unsigned k = 0; k < r->nr_keys && status == SAHM_OK; k++)
		if (cpu->skip[k] != SKIP_INCOMPLETE && has_own_column(im, r, k))
			status = fill_cell(im, r, cpu, k, k);
	return status;
}

enum sahm_status gem5_make_row(struct import *im, struct gem5_reader *r, bool has_stamp, uint64_t stamp_ns)
{
	enum sahm_status status = SAHM_OK;
	for (unsigned i = 0; i < r->nr_objects && status == SAHM_OK; i++)
		if (is_here(r, r->objects[i]))
			status = add_columns(im, r, r->objects[i]);
	for (unsigned i = 0; i < r->nr_objects && status == SAHM_OK; i++)
		if (is_here(r, r->objects[i]))
			status = fill_cells(im, r, r->objects[i]);
	return status == SAHM_OK ? import_end_row(im, has_stamp, stamp_ns) : status;
}
