/* What cores cost: area and power per core type, from a table that the user edits.
 *
 * The table is a libconfig file: a list `cores` of groups with `type`, `speedup_pct` (optional), `area_mm2`, `power_w`
 * and `source`. A cell without a published source stays empty: nothing here is a guess of ours, and who asks for an
 * empty cell is told which one it is.
 */
#ifndef SAHM_CORES_CORE_COSTS_H
#define SAHM_CORES_CORE_COSTS_H

#include "sim/base/arena.h"
#include "sim/base/cfg.h"

enum core_cost_key {
#define KEY(suffix, path, kinds, unit, default_value, min, max, help) CORE_COST_##suffix,
#include "cores/core_cost_key_list.h"
#undef KEY
	NR_CORE_COST_KEYS
};

/* core_cost_keys[k] describes key k. */
extern const struct cfg_key core_cost_keys[NR_CORE_COST_KEYS];

enum core_cost { CORE_AREA_MM2, CORE_POWER_W, NR_CORE_COSTS };

struct core_cost_row {
	const char *type;	    /* components in the order of component_list.h, or as written */
	const char *speedups;	    /* in %, as numbers are written, joined by commas; NULL: whatever they are */
	double cost[NR_CORE_COSTS]; /* NAN: empty */
	const char *source;	    /* NULL: none given */
	unsigned line;
};

struct core_costs {
	struct arena arena;
	const char *file;
	struct core_cost_row *rows; /* [nr_rows] */
	uint32_t nr_rows;
};

/* Reads the table at `path`. On success the caller releases it. SAHM_IO, SAHM_CONFIG, SAHM_NOMEM. */
enum sahm_status core_costs_read(struct core_costs *costs, const char *path, struct sahm_err *err);

void core_costs_release(struct core_costs *costs);

/* The cost `which` of a core of `type` with `speedups` (both as in struct record_core: "l2+branch", "30,20"): that of
 * the row with these speedups, else of the row without any. SAHM_CONFIG, with a message that asks for the cell by file,
 * line and key, when it is empty or there is no such row. */
enum sahm_status core_costs_find(const struct core_costs *costs, const char *type, const char *speedups,
				 enum core_cost which, double *value, struct sahm_err *err);

#endif
