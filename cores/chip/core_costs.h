/* What cores cost: area, power and energy per core type, from a table that the user edits.
 *
 * The table is a libconfig file: a list `cores` of groups with `type`, `speedup_pct` (optional) or `name`, and figures:
 * `area_mm2`, `power_w`, those of struct core_power. A figure is a number, or a group of its `value` and where that is
 * from: `source`, process node `node_nm`, supply `volts`; those of the row stand for figures that do not say. A cell
 * without a published source stays empty: nothing here is a guess of ours, and a request for an empty cell is an error
 * that names the cell. A figure needs its source, be it "own estimate". A row with `mhz` is for cores at that frequency
 * level.
 *
 * Figures of several nodes do not stand side by side: the table says to which node (`node_nm`, `volts`, `devices`) they
 * are scaled (node_scaling.h), which happens when it is read.
 */
#ifndef SAHM_CORES_CHIP_CORE_COSTS_H
#define SAHM_CORES_CHIP_CORE_COSTS_H

#include "cores/chip/core_spec.h"
#include "cores/chip/counters.h"
#include "sim/base/arena.h"
#include "sim/base/cfg.h"
#include "sim/base/hash.h"

/* Most rows of a table. */
#define MAX_CORE_COST_ROWS 4096u

enum core_cost { CORE_AREA_MM2, CORE_POWER_W, NR_CORE_COSTS };

/* Power and energy of a core of a type: static_w for as long as the chip is on; dynamic_w[s] besides, for as long as a
 * thread executes in state s; event_pj[c] for each event that counter c counts in the work that a thread completes
 * there. The counts are those of the trace, so of the core that it was recorded on. */
struct core_power {
	double static_w;
	double dynamic_w[NR_STATES];
	double event_pj[NR_COUNTERS];
};

struct core_cost_row {
	struct core_spec spec;	    /* canonical (core_spec.h); without speedups: whatever they are */
	const char *name;	    /* of cores, as in chip.cores; NULL: the row is of a type */
	uint32_t mhz;		    /* the frequency level; 0: of cores without levels */
	struct core_power power;    /* static_w is NAN where it is empty, dynamic_w where it and event_pj are */
	unsigned power_lines[2];    /* of these two, or of their row */
	double cost[NR_CORE_COSTS]; /* NAN: empty */
	const char *file;
	unsigned line[NR_CORE_COSTS]; /* of the cell; of the cell, or of its row */
};

struct core_costs {
	struct arena arena;
	const char *file;
	struct core_cost_row *rows; /* [nr_rows] */
	uint32_t nr_rows;
};

/* Reads the table at `path` ("-": standard input). On success the caller releases it; on failure there is nothing to
 * release. SAHM_IO, SAHM_CONFIG with file and line, SAHM_NOMEM. */
enum sahm_status core_costs_read(struct core_costs *costs, const char *path, struct sahm_err *err);

/* The same from text in memory; `file` stands in messages. */
enum sahm_status core_costs_read_text(struct core_costs *costs, const char *file, const char *text, size_t len,
				      struct sahm_err *err);

void core_costs_release(struct core_costs *costs);

/* The cost `which` of a core of `type` with `speedups` (both as in struct record_core: "l2+branch", "30,20"; NULL or ""
 * where it has none) at the level `mhz` (0: it has no levels): that of the row with these speedups, else of the row
 * without any, of those of this very level. SAHM_CONFIG, with a message that asks for the cell by file, line and key,
 * when it is empty or there is no such row, and where `type` is none. */
enum sahm_status core_costs_find(const struct core_costs *costs, const char *type, const char *speedups, uint32_t mhz,
				 enum core_cost which, double *value, struct sahm_err *err);

/* What cores of `spec` draw at the level `mhz` (as above) that results call `name` (NULL: by their type): by the row of
 * that name, else as above. SAHM_CONFIG, with a message that names the empty cells, where static power is empty, or
 * both dynamic power and energy per event are. */
enum sahm_status core_costs_power(const struct core_costs *costs, const char *name, const struct core_spec *spec,
				  uint32_t mhz, struct core_power *power, struct sahm_err *err);

/* Hash of all figures, scaled, and what they are for, not of their sources. */
void core_costs_hash(const struct core_costs *costs, struct hash *h);

#endif
