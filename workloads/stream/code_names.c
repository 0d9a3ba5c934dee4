#include "workloads/stream/code_names.h"

struct code_names;

enum sahm_status code_names_new(struct stream *s, const struct code_file *elf, struct code_names **names,
				struct sahm_err *err)
{
	(void)elf;
	struct function_map *m;
	enum sahm_status status = function_map_new(s, &m, err);
	*names = (struct code_names *)m;
	return status;
}

void code_names_free(struct code_names *n)
{
	function_map_free((struct function_map *)n);
}

enum sahm_status code_names_of(struct code_names *n, uint64_t pc, unsigned length, struct code_name *out,
			       struct sahm_err *err)
{
	*out = (struct code_name){0};
	(void)length;
	return function_map_place((struct function_map *)n, pc, &out->place, err);
}

const struct textbuf *code_names_notes(const struct code_names *n)
{
	return function_map_notes((const struct function_map *)n);
}
