/* Spaces: the points of a sweep.
 *
 * A space has axes; each has values, and each value makes settings ("key.path=value", as cfg_set() takes them). A point
 * is a choice of one value per axis, known by its position: the first axis varies slowest, so that the value of a
 * position on an axis is position / stride % nr_values. Values stand in memory, points never do. Axes come from the
 * section `sweep` of a configuration (space_key_list.h, `sahm help sweeps`) and from the command line. An axis is one
 * of: a key with values; several keys that change together (zipped); points with names and settings; a generator: the
 * study's space of configurations, or mixes of core types under a budget.
 *
 * Two axes never set the same key. Where one axis sets a group and another a key in it, the group comes first, since
 * settings are made in the order of axes (test_sweep_space.c, test_space_errors.c).
 */
#ifndef SAHM_SIM_SWEEP_SPACE_H
#define SAHM_SIM_SWEEP_SPACE_H

#include <stddef.h>

#include "sim/base/arena.h"
#include "sim/base/array.h"
#include "sim/base/cfg.h"
#include "sim/engine/config/run_config.h"
#include "sim/sweep/space_key_list.h"

#define MAX_SPACE_AXES 16u
#define MAX_VALUE_SETTINGS 256u
#define MAX_AXIS_VALUES (UINT64_C(1) << 20)
#define MAX_SPACE_POINTS (UINT64_C(1) << 24)
/* Of all values of all axes together: memory of a space, however few bytes it is written in. */
#define MAX_SPACE_SETTINGS (UINT64_C(1) << 22)

enum space_key { SPACE_KEYS(ROW_SYMBOL) NR_SPACE_KEYS };

/* space_keys[k] describes key k; paths begin after "sweep.". */
extern const struct cfg_key space_keys[NR_SPACE_KEYS];

struct space_value {
	/* As written, without quotes; numbers in one form each ("1" for 1.0), the values of zipped keys with ", "
	 * between. No two values of an axis have the same. */
	const char *label;
	const char *const *settings; /* [nr_settings] */
	uint32_t nr_settings;
};

/* How space_write() writes an axis. */
enum space_form {
	SPACE_BY_KEYS,	 /* every value sets the same keys, and its label follows from that: as key, or as zip */
	SPACE_BY_POINTS, /* as points */
	SPACE_BY_TEXT,	 /* a range, or a generator: by the text that it came from */
};

struct space_axis {
	const char *name;	    /* no two axes of a space have the same */
	struct space_value *values; /* [nr_values] */
	uint64_t nr_values;
	uint64_t stride;
	bool has_names;	  /* labels are names, not values of keys: of points, and of what generators make */
	const char *file; /* where it was written; line 0: on the command line, `file` says which argument */
	unsigned line;
	enum space_form form;
	const char *text; /* SPACE_BY_TEXT: what stands between its braces */
};

struct space {
	struct arena arena;	 /* of all below */
	struct space_axis *axes; /* [nr_axes] */
	uint32_t nr_axes;
	uint64_t nr_points;    /* product of the numbers of values; 1 without axes */
	uint32_t max_settings; /* most that a point has */
	const char *evaluator; /* name (results/studies/evaluate.h), "run" unless given */
	bool has_evaluator;    /* it was given */
	const char *notes;     /* remarks on values outside the usual range of their keys, a line each */
};

/* An axis of the command line: "key=v1,v2,..." with commas inside of quotes and brackets left alone, "key=0..9" or
 * "key=0..10..2", "chip=study" or "chip=mixes:cores=4,types=(...)" for a generator with its keys; `zipped`: goes along
 * with the one before it. */
struct space_argument {
	const char *text;
	bool zipped;
};

/* Reads the space of `sweep` (the section, NULL: none), then the axes args[nr_args]. Relative paths in values of the
 * section that name files (traces, bursts, plug-ins, images) are taken as beside the file that names them (those of
 * arguments: in the current folder) and made absolute where there is such a file, else left for the search to come.
 * Keys are checked against config_keys; values are not: a configuration is where they show. On success the
 * caller releases `space`, which does not depend on the tree; on failure there is nothing to release. SAHM_CONFIG with
 * file and line, SAHM_USAGE (an argument), SAHM_RANGE (too many points), SAHM_NOMEM. */
enum sahm_status space_read(struct space *space, const struct cfg_node *sweep, const struct space_argument *args,
			    size_t nr_args, const char *data_folder, struct sahm_err *err);

void space_release(struct space *space);

/* run_config_rename_files() for every setting of every value; strings come from the arena of `space`, but for those
 * that `rename` makes, which are copied. An axis on which anything has another name is written as points from then on.
 */
enum sahm_status space_rename_files(struct space *space, const char *data_folder, run_rename_fn *rename, void *ctx,
				    struct sahm_err *err);

/* The value of `position` on axis `axis`. */
const struct space_value *space_value_at(const struct space *space, uint32_t axis, uint64_t position);

/* Settings of the point at `position`, in the order of the axes: settings[max_settings]; returns their number. */
size_t space_settings(const struct space *space, uint64_t position, const char **settings);

/* Appends the point in words: "scheduler.inertia=5, chip=branch:30+l2:10". */
void space_write_point(const struct space *space, uint64_t position, struct textbuf *out);

/* Appends the axes as a section `sweep` that reads to the same space. */
void space_write(const struct space *space, struct textbuf *out);

#endif
