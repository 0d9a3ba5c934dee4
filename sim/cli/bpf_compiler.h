/* The host's compiler, for schedulers that were written in C for the kernel's BPF (FILE.bpf.c). It reads them with the
 * headers of the data folder, sched/scx, in the place of libbpf's and the kernel's.
 *
 * Everything that it makes goes to a temporary folder, which goes away at the end, and nothing that it makes has a path
 * of this machine in it.
 */
#ifndef SAHM_SIM_CLI_BPF_COMPILER_H
#define SAHM_SIM_CLI_BPF_COMPILER_H

#include "sim/base/arena.h"
#include "sim/base/hold.h"
#include "sim/cli/common_options.h"

/* A scheduler, as a command names it. */
struct bpf_source {
	const char *path;
	const char *compiler; /* NULL: CC of the environment, or the first that is there of clang, gcc and cc */
	struct option_list defines, includes;
};

/* Options of a command whose request has the source as `source`. */
#define BPF_SOURCE_OPTIONS                                                                                             \
	{"cc",		0,                                                                                             \
	 "CC",		"the C compiler for a .bpf.c file (CC of the environment; else clang, gcc or cc)",             \
	 OPTION_STRING, AT(const char *, source.compiler)},                                                            \
		{"define",	 'D',                                                                                  \
		 "NAME[=VALUE]", "define a macro for a .bpf.c file; can be repeated",                                  \
		 OPTION_LIST,	 AT(struct option_list, source.defines)},                                              \
	{                                                                                                              \
		"include", 'I', "DIR", "look for headers of a .bpf.c file in this folder, too; can be repeated",       \
			OPTION_LIST, AT(struct option_list, source.includes)                                           \
	}

/* Largest source, and largest answer of the compiler. */
#define BPF_MAX_TEXT_BYTES ((size_t)64 << 20)

struct bpf_compiler {
	const struct bpf_source *source;
	struct arena arena;
	struct signal_hold hold;
	char *folder;		   /* the temporary one */
	char *file;		   /* the source, absolute */
	char *file_folder;	   /* where it is, with a '/' at the end */
	char *data;		   /* the data folder, absolute */
	const char *arguments[64]; /* those of the compiler itself: "ccache gcc -m64" */
	size_t nr_arguments;
	bool is_clang;
};

/* Whether a command takes this file for such a scheduler: by its name. */
bool bpf_source_is(const char *path);

/* Finds source and compiler, and makes the folder. bpf_compiler_end() releases it, also after a failure. SAHM_IO,
 * SAHM_TOOL, SAHM_USAGE, SAHM_NOMEM. */
enum sahm_status bpf_compiler_begin(struct bpf_compiler *c, const struct bpf_source *source, struct sahm_err *err);
void bpf_compiler_end(struct bpf_compiler *c);

/* The path of the file `name` in the temporary folder, in the arena; NULL: no memory. */
char *bpf_compiler_path(struct bpf_compiler *c, const char *name);

/* Compiles with `arguments` (NULL at the end) after those that all schedulers need. *words, which the caller frees, is
 * what it says, in English. SAHM_IO, SAHM_TOOL, SAHM_NOMEM; what is wrong with the source only makes *is_ok false. */
enum sahm_status bpf_compiler_run(struct bpf_compiler *c, const char *const *arguments, char **words, bool *is_ok,
				  struct sahm_err *err);

/* Makes the empty header `name` for the source to include. False where it cannot be made, or is there already. */
bool bpf_compiler_stand_in(struct bpf_compiler *c, const char *name);

/* How the file at `path` is called for users: as they named the source, or by its place below a folder of headers. In
 * the arena; NULL: no memory. */
const char *bpf_compiler_label(struct bpf_compiler *c, const char *path);

#endif
