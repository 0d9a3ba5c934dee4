/* Names of code: functions, source lines and disassembly of the program that a stream was recorded of. STUB */
#ifndef SAHM_WORKLOADS_STREAM_CODE_NAMES_H
#define SAHM_WORKLOADS_STREAM_CODE_NAMES_H

#include "workloads/stream/function_map.h"

struct code_names;

/* An ELF file that the stream does not name, or names elsewhere. */
struct code_file {
	const char *path;
	bool has_base;
	uint64_t base; /* address of its first loaded byte; else from the stream's first block */
};

struct code_name {
	struct function_place place;
	const char *file; /* source file; NULL: not known */
	unsigned line;	  /* from 1 */
	const char *text; /* disassembly; NULL: not known */
};

enum sahm_status code_names_new(struct stream *s, const struct code_file *elf, struct code_names **names,
				struct sahm_err *err);
void code_names_free(struct code_names *n);
enum sahm_status code_names_of(struct code_names *n, uint64_t pc, unsigned length, struct code_name *out,
			       struct sahm_err *err);
const struct textbuf *code_names_notes(const struct code_names *n);

#endif
