/* Functions by address, and addresses by function, of the program that a stream was recorded of.
 *
 * The stream says which files were mapped where (struct stream_module); their ELF symbol tables say where functions are
 * in these files. A file is read when it is first needed. One that is missing, has changed since the stream was
 * written (by its time of modification) or cannot be read has no functions, and a note says why. Files without
 * debugging symbols have those functions that they export.
 */
#ifndef SAHM_WORKLOADS_STREAM_FUNCTION_MAP_H
#define SAHM_WORKLOADS_STREAM_FUNCTION_MAP_H

#include "workloads/stream/stream.h"

/* Where a pc is. Texts live as long as the map. */
struct function_place {
	const char *module;	  /* path of the file; NULL: the pc is in none, and the rest is 0 */
	uint64_t module_offset;	  /* of the pc in that file */
	const char *function;	  /* NULL: not known */
	uint64_t function_offset; /* of the pc from the function's beginning */
	bool is_readable;	  /* the file is ELF, and as it was */
};

struct pc_range {
	uint64_t begin, end; /* pc of [begin, end) */
};

struct function_map;

/* Copies what it needs of `s`. SAHM_NOMEM. */
enum sahm_status function_map_new(const struct stream *s, struct function_map **map, struct sahm_err *err);
/* The same of the stream in the file `path`; also as stream_open() fails. */
enum sahm_status function_map_open(const char *path, struct function_map **map, struct sahm_err *err);
void function_map_free(struct function_map *m);

/* Once, before a pc is looked up: takes the `nr` (at least 1) modules of one file instead of those of the stream that
 * they overlap. It does not matter when that file has changed. SAHM_NOMEM. */
enum sahm_status function_map_take(struct function_map *m, const struct stream_module *modules, size_t nr,
				   struct sahm_err *err);

/* Of functions at the same place, the name is that of a global one before a weak and a local one, then that with fewer
 * underscores in front, then the shortest, then the first in the order of characters: `free` rather than its former
 * name `cfree`. SAHM_NOMEM. */
enum sahm_status function_map_place(struct function_map *m, uint64_t pc, struct function_place *out,
				    struct sahm_err *err);

/* Where the functions called `name` are: (*ranges)[*nr], at least one, by their beginning; the caller frees them.
 * SAHM_USAGE, with a suggestion: there is none; SAHM_NOMEM. */
enum sahm_status function_map_ranges(struct function_map *m, const char *name, struct pc_range **ranges, size_t *nr,
				     struct sahm_err *err);

/* A line for each file so far that has no functions, saying why. If no function was found, stripped files have one
 * as well. */
const struct textbuf *function_map_notes(const struct function_map *m);

#endif
