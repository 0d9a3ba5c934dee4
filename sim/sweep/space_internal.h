/* Between the files that read a space.
 *
 * Arguments of the command line become the same trees as axes of a file, with places that say so (line 0), so that all
 * that reads an axis is written once; cfg_fail() tells SAHM_USAGE from SAHM_CONFIG by them.
 */
#ifndef SAHM_SIM_SWEEP_SPACE_INTERNAL_H
#define SAHM_SIM_SWEEP_SPACE_INTERNAL_H

#include "sim/base/decimal.h"
#include "sim/base/strtable.h"
#include "sim/sweep/space.h"

struct space_reading {
	struct space *space;
	struct arena scratch; /* of what is needed only while reading */
	const char *data_folder;
	struct textbuf notes;  /* of the space */
	uint32_t noted;	       /* axis + 1 that they remark on already: the others of its values are not */
	uint64_t nr_settings;  /* that all values make so far, as far as they were counted */
	struct strtable set;   /* path that is set: axis + 1 that does first */
	struct strtable below; /* path of the group in which something is set: axis + 1 that does first */
	struct sahm_err *err;
};

static inline const struct cfg_node *space_member(const struct cfg_node *group, enum space_key key)
{
	return cfg_member(group, &space_keys[key]);
}

/* Fails for a key that `group` lacks. */
enum sahm_status space_fail_missing(struct space_reading *r, const struct cfg_node *group, enum space_key key);

/* A whole number of the section, or its default; `fallback` where the key has none. */
enum sahm_status space_count(struct space_reading *r, const struct cfg_node *group, enum space_key key,
			     uint32_t fallback, uint32_t *count);

/* Appends a value as it is written in a file, on one line; as a label, without quotes and the ".0" of whole numbers. */
void space_write_value(const struct cfg_node *node, bool as_label, struct textbuf *out);

/* Holds a section against space_keys, and reads its units. */
enum sahm_status space_check(struct space_reading *r, struct cfg_node *section);

/* Reads an axis: at `node`, which is that of a file or an argument. */
enum sahm_status space_read_axis(struct space_reading *r, const struct cfg_node *node);

/* The keys and zipped keys, by `node`, `nr` of them; points; generators. They fill values, form and text of `axis`. */
enum sahm_status space_read_keys(struct space_reading *r, const struct cfg_node *first, uint32_t nr,
				 struct space_axis *axis);
enum sahm_status space_read_points(struct space_reading *r, const struct cfg_node *points, struct space_axis *axis);
enum sahm_status space_generate_study(struct space_reading *r, const struct cfg_node *node, struct space_axis *axis);
enum sahm_status space_generate_mixes(struct space_reading *r, const struct cfg_node *node, struct space_axis *axis);

/* Counts settings of an axis before they are made; SAHM_RANGE when that is too many. */
enum sahm_status space_count_settings(struct space_reading *r, const struct cfg_node *node, uint64_t nr);

/* Room for `nr` values (UINT64_MAX: or more); SAHM_RANGE when that is too many. `node` is what they come from. */
enum sahm_status space_make_values(struct space_reading *r, const struct cfg_node *node, uint64_t nr,
				   struct space_axis *axis);

/* Makes a value of one setting from texts, both of which it releases. */
enum sahm_status space_put_value(struct space_reading *r, struct space_value *value, struct textbuf *label,
				 struct textbuf *setting);

/* The key that a node names, checked against those of configurations and written in one way: from the space's arena.
 * *kinds: what it can be. */
enum sahm_status space_read_path(struct space_reading *r, const struct cfg_node *node, const char *text,
				 const char **path, unsigned *kinds);

/* Makes the setting of `path` to `node`, in the units of keys, and appends the value's label to `label` (NULL: it has
 * none). Files that it names have absolute paths; *moved becomes true where that changed one. SAHM_CONFIG, SAHM_USAGE
 * when nothing of this kind can stand there. */
enum sahm_status space_make_setting(struct space_reading *r, const char *path, unsigned kinds,
				    const struct cfg_node *node, struct textbuf *label, const char **setting,
				    bool *moved);

/* Remarks on what of the value `node` of `pattern` is outside its usual range, unless its axis has been. */
void space_remark(struct space_reading *r, const char *pattern, struct cfg_node *node);

/* Takes down that axis `axis` sets `path`, in the order of axes and settings; fails where another axis does, or has
 * set a part of it. */
enum sahm_status space_note_path(struct space_reading *r, const struct cfg_node *node, const char *path, uint32_t axis);

struct space_range {
	const char *text; /* in the unit of the key */
	decimal first, step;
	uint64_t nr;
};

/* Whether the string reads like a range, right or wrong: it has "..", and begins like a number. */
bool space_is_range(const char *text);

/* Reads arguments from *at on, an axis and the keys zipped to it, and moves *at past them. */
enum sahm_status space_read_argument(struct space_reading *r, const struct space_argument *args, size_t nr_args,
				     size_t *at);

#endif
