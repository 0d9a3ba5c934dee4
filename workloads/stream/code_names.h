/* Names of instructions for people: function, source line and disassembly of those of a stream.
 *
 * Files and their places are those of function_map.h; one more may be given. A file is read when it is first needed.
 * Bytes of instructions come from there too, since a stream has none; they have a text if they are an instruction as
 * long as the stream's. Source lines (source_lines.h) are left out where the file, or the program, has none.
 */
#ifndef SAHM_WORKLOADS_STREAM_CODE_NAMES_H
#define SAHM_WORKLOADS_STREAM_CODE_NAMES_H

#include "workloads/stream/function_map.h"

struct code_names;

/* An ELF file that the stream does not name, or names elsewhere. Without a base it is where the stream has a file with
 * the same name, in whatever folder; else where it says that it is linked for, if the stream begins in its code there;
 * else, if it can be anywhere, so that the stream begins at its entry point. */
struct code_file {
	const char *path;
	bool has_base;
	uint64_t base; /* address of its first loaded byte */
};

struct code_name {
	struct function_place place;
	const char *file; /* source file; NULL: not known */
	unsigned line;	  /* from 1; 0: not known */
	const char *text; /* disassembly, "mov rax, qword ptr [rbx + 8]" (insn_text.h); NULL: not known */
};			  /* texts live as long as the names */

/* `elf` may be NULL. Where the stream is afterwards is not defined: seek before reading on. SAHM_NOMEM; of `elf`:
 * SAHM_IO, SAHM_FORMAT, SAHM_USAGE (where it was is not known, and it has no base); of the stream: as stream_next(). */
enum sahm_status code_names_new(struct stream *s, const struct code_file *elf, struct code_names **names,
				struct sahm_err *err);
void code_names_free(struct code_names *n);

/* Of the instruction of `length` bytes at `pc`. SAHM_NOMEM. */
enum sahm_status code_names_of(struct code_names *n, uint64_t pc, unsigned length, struct code_name *out,
			       struct sahm_err *err);

/* As function_map_notes(). */
const struct textbuf *code_names_notes(const struct code_names *n);

#endif
