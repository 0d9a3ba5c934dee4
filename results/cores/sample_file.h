/* Files of samples: what `sahm core sample` writes (docs/counters.md has the format).
 *
 * A head, whose length is a multiple of a sample's, and samples as precise event sampling has them
 * (cores/uarch/pes.h), in the order in which they were written. */
#ifndef SAHM_RESULTS_CORES_SAMPLE_FILE_H
#define SAHM_RESULTS_CORES_SAMPLE_FILE_H

#include <stdio.h>

#include "cores/uarch/hpm.h"

/* A counter that takes samples. */
struct sample_event {
	uint8_t counter;    /* its number */
	uint64_t selector;  /* of its register */
	uint64_t threshold; /* counts per sample */
	uint64_t counted;   /* in all */
	const char *name;   /* of the event */
};

struct sample_head {
	uint64_t samples, lost, fulls; /* full interrupts */
	uint64_t cycles, instructions; /* that were watched */
	uint64_t buffer_bytes;
	uint32_t skid; /* instructions */
	unsigned nr_events;
	struct sample_event events[HPM_COUNTERS];
	const char *stream;	   /* its file; of a command's that was not kept, the command */
	const char *stream_digest; /* file_hash_hex() of it; "": it was not kept */
	const char *core, *family, *counters;
};

struct sample {
	uint64_t pc, cycle, address;
	uint8_t counter, flags; /* PES_ADDRESS_VALID, PES_TAKEN_BRANCH */
	uint16_t skid;
	uint32_t lost; /* since the one before */
};

/* Writes the head, where `out` is. Its length depends on texts and the number of events, not on other numbers: it can
 * be written again over itself. Failures are ferror()'s. False when memory is short. */
bool sample_head_write(FILE *out, const struct sample_head *head);

struct sample_file {
	struct sample_head head; /* texts are the file's */
	char *bytes;
	size_t nr_bytes, first; /* of samples */
};

/* Reads and checks the file: release it only when that did not fail. SAHM_IO, SAHM_FORMAT, SAHM_NOMEM. */
enum sahm_status sample_file_read(const char *path, struct sample_file *file, struct sahm_err *err);
void sample_file_release(struct sample_file *file);

/* Sample `i`, below head.samples. */
struct sample sample_file_at(const struct sample_file *file, uint64_t i);

#endif
