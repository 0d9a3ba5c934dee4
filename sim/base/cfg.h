/* Strict configuration files: libconfig's language read into a tree of our own.
 *
 * libconfig parses; around it stands a layer that refuses what libconfig would let pass in silence: integers and floats
 * that overflow (or underflow to 0), malformed numbers, duplicate keys (named, with the place of the first), nesting
 * beyond MAX_CFG_DEPTH. `@include "file"` is resolved relative to the file that includes it, and leads no further than
 * the folder of the file that was named, unless the program allows it (cfg_allow_includes()). Every node remembers the
 * file and line that it came from. Trees live in an arena of the caller's.
 *
 * A *schema* is a table of keys (struct cfg_key): path, types, unit, default, bounds, help. cfg_check() holds a tree
 * against it: an unknown key is an error with a suggestion, as is a value of the wrong type. Where a number has a unit,
 * a string can say it ("5ms", see quantity.h): cfg_apply_units() turns it into the number that it stands for.
 */
#ifndef SAHM_SIM_BASE_CFG_H
#define SAHM_SIM_BASE_CFG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/arena.h"
#include "sim/base/err.h"
#include "sim/base/textbuf.h"

#define MAX_CFG_DEPTH 16
#define MAX_CFG_BYTES ((size_t)8 << 20)
#define MAX_CFG_GROUP_KEYS 256
#define CFG_PATH_BYTES 256

/* Kinds of node, as bits: a key can allow several. */
enum cfg_kind {
	CFG_GROUP = 1,
	CFG_LIST = 2,
	CFG_ARRAY = 4,
	CFG_INT = 8,
	CFG_FLOAT = 16,
	CFG_BOOL = 32,
	CFG_STRING = 64,
};

/* What keys usually allow: a number may be written as an integer. */
#define CFG_NUMBER (CFG_INT | CFG_FLOAT)

struct cfg_node {
	enum cfg_kind kind;
	const char *name; /* NULL in lists and arrays, and for the root */
	const char *file; /* where it was written; line 0: on the command line, `file` says which argument */
	unsigned line;
	union {
		int64_t integer;
		double real;
		bool truth;
		const char *string;
	} value;
	struct cfg_node *parent, *next, *first, *last; /* children in file order */
	unsigned nr_children;
	bool has_unit; /* a number that was written with one */
};

struct cfg_key {
	const char *path; /* "chip.cores[].count": names from the root, [] for any element */
	unsigned kinds;	  /* allowed kinds */
	const char *unit; /* "" when it has none; of a string, an example, for those who write something else */
	const char *default_value;   /* as it would be written; "" when there is none */
	double min, max;	     /* bounds of numbers, elements of arrays included; both allowed */
	const char *help;	     /* one sentence */
	double usual_min, usual_max; /* sizes beyond which another unit was probably meant; 0: none */
	bool is_speedup;	     /* in %; can be written as a factor: "1.3x" */
};

/* A row of a list of keys, which ROW_SYMBOL takes as well: the members up to `help` in their order, then others by name
 * (".usual_min = 3"). */
#define CFG_KEY_ROW(symbol, path_, kinds_, unit_, default_, min_, max_, ...)                                           \
	[symbol] = {.path = path_,                                                                                     \
		    .kinds = kinds_,                                                                                   \
		    .unit = unit_,                                                                                     \
		    .default_value = default_,                                                                         \
		    .min = min_,                                                                                       \
		    .max = max_,                                                                                       \
		    .help = __VA_ARGS__},

/* Reads the file at `path` ("-": standard input) with its includes. The tree lives in `a`. */
enum sahm_status cfg_read_file(struct arena *a, const char *path, struct cfg_node **root, struct sahm_err *err);

/* The same; where there is no such file, the message names the one of that path or name among the configurations in
 * `data_folder` (may be NULL), of several the one in `home`, a folder of `data_folder` that ends in '/'. */
enum sahm_status cfg_read_or_suggest(struct arena *a, const char *path, const char *data_folder, const char *home,
				     struct cfg_node **root, struct sahm_err *err);

/* The same for text in memory; `file` stands in messages and is what includes are relative to. Without one (NULL)
 * messages name no place, and nothing can be included. */
enum sahm_status cfg_read_text(struct arena *a, const char *file, const char *text, size_t len, struct cfg_node **root,
			       struct sahm_err *err);

/* Lets every configuration include what is in `folder` and below. For the start of a program, before anything is read
 * and before there is a second thread. SAHM_IO when it is no folder, SAHM_USAGE when there are too many. */
enum sahm_status cfg_allow_includes(const char *folder, struct sahm_err *err);

/* Allows nothing more: for tests. */
void cfg_forget_allowed_includes(void);

/* A copy of the tree at `root`, from `a`; names and strings are shared. NULL when memory is short. */
struct cfg_node *cfg_clone(struct arena *a, const struct cfg_node *root);

/* Takes the child `name` out of the group `root`: it is the root of a tree of its own then. NULL where there is none.
 */
struct cfg_node *cfg_take(struct cfg_node *root, const char *name);

/* Makes `child`, the root of a separate tree, the last child of the group or list `parent`. */
void cfg_put(struct cfg_node *parent, struct cfg_node *child);

/* Of a setting, in messages: the rest of a longer one is "...". */
#define CFG_SETTING_SHOWN 200u

/* Carries out one command-line setting `key.path=value` on the tree: `a.b[2].c=1.5`. The value is written as in a file;
 * one that cannot be read so is taken as a string where the schema allows strings. Missing groups are made, missing
 * list elements are an error. Fails with SAHM_USAGE. */
enum sahm_status cfg_set(struct arena *a, struct cfg_node *root, const struct cfg_key *keys, size_t nr_keys,
			 const char *setting, struct sahm_err *err);

/* Turns the path of a setting ("a.b[2].c") into that of a key ("a.b[].c"); false when it is malformed or too long. */
bool cfg_pattern(const char *path, char pattern[CFG_PATH_BYTES]);

/* Whether a path of `len` bytes is `to`, or leads to it ("chip.cores" to "chip.cores[1].count"). */
bool cfg_path_leads_to(const char *path, size_t len, const char *to);

/* Finds what `path`, a setting's, can be set to: *kinds are those that the schema allows there. SAHM_USAGE, with a
 * suggestion, when it is malformed or no key. */
enum sahm_status cfg_check_path(const struct cfg_key *keys, size_t nr_keys, const char *path, unsigned *kinds,
				struct sahm_err *err);

/* The value of a setting, written as in a file or, where `kinds` allow strings, as a string without quotes. Its node is
 * separate, under its own group, its places in `file` and `line` (0: see struct cfg_node). SAHM_USAGE or SAHM_CONFIG,
 * without a place. */
enum sahm_status cfg_read_setting(struct arena *a, const char *text, unsigned kinds, const char *file, unsigned line,
				  struct cfg_node **value, struct sahm_err *err);

/* The length of the value at `text`, in a list of them: up to a comma that is outside of quotes and brackets. */
size_t cfg_value_len(const char *text);

/* Calls `visit` for `node` and everything inside of it, outermost first, with the path of each as keys are written;
 * that of `node` is `path` ("": the root of a file). Ends early when that fails. */
typedef enum sahm_status cfg_visit_fn(void *ctx, struct cfg_node *node, const char *pattern);
enum sahm_status cfg_walk(struct cfg_node *node, const char *path, cfg_visit_fn *visit, void *ctx);

/* The key of a number with a unit that can stand where `pattern` points, or NULL. */
const struct cfg_key *cfg_find_unit(const struct cfg_key *keys, size_t nr_keys, const char *pattern);

/* Turns every string inside of `node` that is a number with a unit, where a number of a unit belongs, into the number
 * in the key's unit. `path` as for cfg_walk(). SAHM_CONFIG, SAHM_USAGE where the unit does not fit. */
enum sahm_status cfg_apply_units(struct cfg_node *node, const char *path, const struct cfg_key *keys, size_t nr_keys,
				 struct sahm_err *err);

/* Appends a line to `notes` for every number inside of `node`, written without a unit, that is beyond the usual range
 * of its key: how it is understood, and what to write if something else is meant. Of several values, only where all are
 * beyond on the same side. 0 is always usual. Of equal cores and the like in a row, the first is named. `path` as for
 * cfg_walk(). */
void cfg_remark_unusual(struct cfg_node *node, const char *path, const struct cfg_key *keys, size_t nr_keys,
			struct textbuf *notes);

/* Holds every node of the tree against the schema: keys known, kinds allowed. SAHM_CONFIG on the first fault. */
enum sahm_status cfg_check(const struct cfg_node *root, const struct cfg_key *keys, size_t nr_keys,
			   struct sahm_err *err);

/* Child `name` of a group, or NULL. `group` may be NULL. */
const struct cfg_node *cfg_child(const struct cfg_node *group, const char *name);

/* The child of `group` (may be NULL) that `key` speaks of, or NULL when it is absent. */
const struct cfg_node *cfg_member(const struct cfg_node *group, const struct cfg_key *key);

/* Value of `key` in `group`: the member's, or the default's when `group` is NULL or lacks it. Numbers are checked
 * against the key's bounds (SAHM_CONFIG). The tree must have passed cfg_check(). */
enum sahm_status cfg_number(const struct cfg_node *group, const struct cfg_key *key, double *value,
			    struct sahm_err *err);
bool cfg_bool(const struct cfg_node *group, const struct cfg_key *key);
const char *cfg_string(const struct cfg_node *group, const struct cfg_key *key);

/* Value of a numeric node, checked against the bounds of `key`. */
enum sahm_status cfg_node_number(const struct cfg_node *node, const struct cfg_key *key, double *value,
				 struct sahm_err *err);

/* Appends a bound of `key` as it would be written. */
void cfg_write_bound(struct textbuf *b, const struct cfg_key *key, double bound);

/* A failure at a node: its place, then the message. */
enum sahm_status cfg_fail(const struct cfg_node *node, struct sahm_err *err, const char *fmt, ...) SAHM_PRINTF(3, 4);

/* Writes the node's path ("chip.cores[1].count") into `text` and returns it; "" for the root. */
const char *cfg_path(const struct cfg_node *node, char text[CFG_PATH_BYTES]);

/* Appends the tree of a whole file as text that reads back to the same tree, but for the places of its nodes. */
void cfg_write(const struct cfg_node *root, struct textbuf *b);

/* Appends a string value as it must stand in a file, with quotes and escapes. */
void cfg_write_string(struct textbuf *b, const char *text);

#endif
