/* What a scheduler in BPF C needs and the simulator does not have: read from the compiler's errors, of gcc or clang,
 * and from the preprocessed source.
 */
#ifndef SAHM_SIM_CLI_BPF_MISSING_H
#define SAHM_SIM_CLI_BPF_MISSING_H

#include "sim/base/textbuf.h"
#include "sim/cli/bpf_compiler.h"

enum bpf_kind {
	BPF_HEADER,    /* it includes a file that is not there */
	BPF_CALL,      /* it calls a function */
	BPF_MEMBER,    /* it uses a member of a struct */
	BPF_OPERATION, /* it gives an operation */
	BPF_NAME,      /* it uses a constant or a variable */
	BPF_TYPE,      /* it uses a type, of which nothing is known */
	BPF_MAP,       /* it has a map of a type that is not simulated */
	NR_BPF_KINDS
};

/* As in JSON: "call". */
extern const char *const bpf_kind_names[NR_BPF_KINDS];

struct bpf_problem {
	enum bpf_kind kind;
	const char *file; /* where it comes first; NULL: not known */
	unsigned line;
	const char *name;
	const char *of;	    /* of members: the struct; of maps: their type; else NULL */
	const char *reason; /* why it is not there; NULL: nothing is known of it */
};

struct bpf_missing {
	struct bpf_problem *items; /* [nr], in the order in which they were found, each once */
	size_t nr, room;
	size_t nr_others;	 /* errors of the compiler that name nothing missing, but may follow from it */
	struct textbuf others;	 /* all that the compiler reports, where nothing is missing */
	const char **operations; /* [nr_operations]: those that the scheduler gives, in the order of op_list.h */
	size_t nr_operations;
};

/* The name of the object file in the temporary folder, which bpf_missing_find_all() leaves there where nothing is
 * missing. */
#define BPF_OBJECT "object.o"

/* Compiles the source, not optimised, and finds all of it: also functions and variables that it declares and nobody
 * defines. After a missing header it goes on with an empty one. *missing lives in the compiler's arena, except
 * `others`, which the caller releases, on failure too. As bpf_compiler_run() and bpf_symbols_read() fail. */
enum sahm_status bpf_missing_find_all(struct bpf_missing *missing, struct bpf_compiler *c, struct sahm_err *err);

/* The error where something is missing, or the source does not compile: SAHM_FORMAT. */
enum sahm_status bpf_missing_fail(const struct bpf_missing *missing, const char *path, struct sahm_err *err);

/* Appends one line for each, "FILE:12: calls 'f()', which the simulator does not have", and one that counts the other
 * errors. */
void bpf_missing_write(const struct bpf_missing *missing, struct textbuf *out);

#endif
