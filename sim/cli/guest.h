/* Shared by commands that run programs of the IPU's processor: running and watching a hart, and reporting its end. */
#ifndef SAHM_SIM_CLI_GUEST_H
#define SAHM_SIM_CLI_GUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "ipu/core/elf_image.h"
#include "ipu/core/hart.h"
#include "sim/base/err.h"

/* Larger files are not taken for programs. */
#define GUEST_MAX_FILE_BYTES ((size_t)1 << 30)

/* An ELF file in memory, taken apart. */
struct guest_file {
	char *bytes;
	struct elf_image *image;
};

/* Reads `path` ("-": standard input). On failure there is nothing to release. SAHM_IO, SAHM_FORMAT, SAHM_NOMEM. */
enum sahm_status guest_file_read(struct guest_file *g, const char *path, struct sahm_err *err);
void guest_file_release(struct guest_file *g);

/* How long a program may run, and what is written down of it: one of trace and histogram, or neither. */
struct guest_watch {
	uint64_t max_instructions;
	const char *trace;  /* file for the commit log, "-" for standard error, or NULL */
	bool force;	    /* that file is replaced */
	bool has_histogram; /* print it to standard error */
};

/* Runs `h` until something stops it; its cause tells what. SIGINT, SIGTERM, SIGHUP and SIGPIPE stop it with
 * HART_BUDGET unless they are ignored; outputs are then written as far as they got. A second signal ends the
 * process. Prints the number of instructions and their rate to standard error. SAHM_IO (the trace cannot be
 * written), SAHM_NOMEM. */
enum sahm_status guest_run(struct hart *h, const struct guest_watch *watch, struct sahm_err *err);

/* A flat_write: what the program writes goes to the process's own file descriptor `fd`. `context` is a struct
 * guest_output, which keeps the first failure. */
struct guest_output {
	int fd, error; /* errno, or 0 */
};
bool guest_write(void *context, int fd, const uint8_t *bytes, size_t nr_bytes);

/* Whether `h` ended as it wanted to; else SAHM_GUEST, with the place by the symbols of `image`. `output` may be NULL.
 * When a signal was why, *exit_code becomes the one that shells have for it; else it is left alone. */
enum sahm_status guest_check_end(const struct hart *h, const struct elf_image *image, const struct guest_watch *watch,
				 const struct guest_output *output, int *exit_code, struct sahm_err *err);

/* Ends the process without a word, as programs end, if the run was stopped by SIGPIPE. Everything is released. */
void guest_end_by_pipe(void);

/* SAHM_IO when something that the program wrote was lost. */
enum sahm_status guest_check_output(const struct guest_output *out, struct sahm_err *err);

#endif
