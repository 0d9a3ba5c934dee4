/* Which file a command runs, and for which machine: found as a shell finds it, scripts by their first line. */
#ifndef SAHM_WORKLOADS_RECORD_RECORD_PROGRAM_H
#define SAHM_WORKLOADS_RECORD_RECORD_PROGRAM_H

#include "cores/isa/insn.h"
#include "sim/base/arena.h"
#include "sim/base/err.h"

/* As many scripts may lead to one another, as with Linux. */
#define MAX_SCRIPTS 4u

struct record_program {
	char *path; /* of the ELF file */
	enum machine machine;
	char **args; /* args[0] is the name that the program is called by; NULL-terminated */
};

/* Of the command `command` (NULL-terminated, at least one); what is new lives in `a`. SAHM_IO when there is no such
 * file or it cannot be executed, SAHM_FORMAT when it is no program for a machine of enum machine. */
enum sahm_status record_program_find(struct arena *a, char **command, struct record_program *out, struct sahm_err *err);

/* The same of what execve(path, args) would run; PATH is not searched. */
enum sahm_status record_program_resolve(struct arena *a, char *path, char **args, struct record_program *out,
					struct sahm_err *err);

/* The program `name` in the folders of PATH, as a path from `a`; `name` itself where it has a '/'. *path is NULL where
 * there is none that can be executed, which is no failure. SAHM_NOMEM. */
enum sahm_status record_program_path(struct arena *a, const char *name, char **path, struct sahm_err *err);

#endif
