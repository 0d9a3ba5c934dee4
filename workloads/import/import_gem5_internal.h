/* Shared by the files of gem5's reader: names of statistics, what a dump says of each CPU, and the row it becomes. */
#ifndef SAHM_WORKLOADS_IMPORT_IMPORT_GEM5_INTERNAL_H
#define SAHM_WORKLOADS_IMPORT_IMPORT_GEM5_INTERNAL_H

#include "sim/base/suggest.h"
#include "workloads/import/import_internal.h"

/* import_gem5_names.c */

/* Which counters a cache is for. */
enum gem5_role { GEM5_OTHER, GEM5_L1I, GEM5_L1D, GEM5_L2, NR_GEM5_ROLES };

/* Prefixes of columns: "l1i" and so on; "" of GEM5_OTHER. */
extern const char *const gem5_role_names[NR_GEM5_ROLES];

/* Part of a name. */
struct gem5_part {
	const char *text;
	size_t len;
};

/* A statistic of a cache. */
struct gem5_cache_stat {
	enum gem5_role role;
	const char *stat;	 /* as gem5 has written it since v21: "demandMisses"; NULL: another statistic */
	bool is_ruby;		 /* counted for all CPUs together */
	struct gem5_part system; /* "system" of "system.l2.demandMisses::cpu0.data", */
	struct gem5_part
		request; /* and "cpu0": the CPU that caused them; empty: none, such as a prefetcher or "total" */
};

/* Whether a statistic belongs to a cache that counts for a counter. */
bool gem5_cache_stat(const char *name, size_t len, struct gem5_cache_stat *stat);

/* Writes a name of a CPU's second or later hardware thread as that of its first, in place: "commitStats1.numInsts" as
 * "commitStats0.numInsts". False where it is of none. */
bool gem5_of_first_thread(char *name, size_t len);

/* The name under which a statistic is counted where gem5 has several for parts of one number: without "::total", or
 * the sum of two. False where it has just the one. */
bool gem5_sum_name(const char *name, size_t len, struct gem5_part *sum);

/* Bounds: statistics that are of use, and objects that have one. */
#define MAX_GEM5_KEYS 96u
#define MAX_GEM5_OBJECTS 4096u
#define GEM5_OBJECT_SLOTS (2 * MAX_GEM5_OBJECTS)

/* A statistic that is of use: in the rows of gem5 in import_events[], or in --map. */
struct gem5_key {
	const char *name;
	size_t len;
	unsigned counter;	/* of the row; NR_COUNTERS: none */
	enum gem5_role role;	/* of caches */
	bool is_mapped;		/* --map names it, */
	bool is_optional;	/* within zero(), */
	bool was_seen;		/* and a CPU has it */
	struct suggest nearest; /* of what stands in the first dump */
};

struct gem5_stat {
	decimal value, total; /* of this dump; of the one before */
	unsigned dump;	      /* that has the value; 0: none yet */
	bool was_seen;	      /* in an earlier dump */
	uint8_t skip;	      /* why it has no value; NR_SKIPS: it has one */
};

/* What is called PATH in PATH.KEY. */
struct gem5_object {
	const char *path;
	size_t len;
	bool is_cpu;
	unsigned group;
	struct gem5_stat stats[MAX_GEM5_KEYS];
	decimal counted[MAX_GEM5_KEYS]; /* in this dump, */
	uint8_t skip[MAX_GEM5_KEYS];	/* or why not; NR_SKIPS: counted */
	bool ran;
	bool is_noted[NR_COUNTERS]; /* the statistic has another name than the column */
};

struct gem5_ticks {
	bool has_since_reset, has_final;
	uint64_t since_reset, final, per_s;
};

/* How a dump's statistics are read. */
enum gem5_mode {
	GEM5_DIFFERENCE, /* as they are: statistics were reset at the dump before, */
	GEM5_TOTAL,	 /* less those of the dump before: they were not, */
	GEM5_GAP,	 /* as they are: they were reset between the two */
	GEM5_IMPOSSIBLE, /* not: their times contradict each other */
	NR_GEM5_MODES
};

struct gem5_reader {
	struct gem5_key keys[MAX_GEM5_KEYS];
	unsigned nr_keys;
	unsigned cycles; /* the key of which every CPU has a count */
	struct gem5_object *objects[MAX_GEM5_OBJECTS];
	uint16_t slots[GEM5_OBJECT_SLOTS]; /* 1 + object, by the hash of its path; 0: free */
	unsigned nr_objects;
	struct gem5_object *ruby;	 /* counts of all CPUs together */
	unsigned column_of[NR_COUNTERS]; /* 1 + key that names it; 0: none yet */
	unsigned dump;			 /* number of this one, from 1 on */
	unsigned begun_line;		 /* at which it began */
	unsigned nr_cpus;		 /* in it */
	unsigned nr_offered;		 /* names that --map may have meant */
	bool is_open, has_cache[NR_GEM5_ROLES];
	struct gem5_ticks ticks, before;
	bool has_before; /* a dump in the same recording */
	uint64_t covered_ticks;
	uint64_t nr[NR_GEM5_MODES], lost_ticks, nr_contrary;
	unsigned first_line[NR_GEM5_MODES], first_contrary_line;
};

/* import_gem5_lines.c: the keys, before the first line. SAHM_FORMAT where --map is not of use. */
enum sahm_status gem5_add_keys(struct import *im, struct gem5_reader *r);

/* Takes the present line of a dump. */
enum sahm_status gem5_take_line(struct import *im, struct gem5_reader *r);

/* import_gem5_cpus.c: whether any CPU is in the dump. */
bool gem5_has_cpus(const struct gem5_reader *r);

/* At the end of a dump, which is read in this mode, what each CPU has counted. */
void gem5_count(struct import *im, struct gem5_reader *r, enum gem5_mode mode);

/* Makes a row of it. */
enum sahm_status gem5_make_row(struct import *im, struct gem5_reader *r, bool has_stamp, uint64_t stamp_ns);

#endif
