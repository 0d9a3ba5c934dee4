/* Samples of cycle stacks that an IPU's program sends (ipu/programs/pics.c), as rows of PC, event combination and
 * cycles (dissertation, table 2.2), and in what run they were taken.
 *
 * A packet has 6 bytes: the lower 32 bits of a PC, then its signature (cores/uarch/stack_signature.h), the low byte
 * first. Any other packet is rejected, and counted.
 */
#ifndef SAHM_RESULTS_CORES_IPU_SAMPLES_H
#define SAHM_RESULTS_CORES_IPU_SAMPLES_H

#include "cores/uarch/pics_signals.h"
#include "cores/uarch/stack_error.h"
#include "ipu/unit/unit.h"
#include "results/metrics/json.h"
#include "workloads/stream/code_names.h"

#define IPU_SAMPLE_BYTES 6u

struct ipu_row {
	uint32_t pc;
	uint16_t signature;
	uint64_t samples;
};

/* All zeros: none. */
struct ipu_samples {
	struct ipu_row *rows; /* [nr], by pc, then signature, once ipu_samples_end() has been called */
	size_t nr, room;
	uint64_t total;	   /* samples */
	uint64_t rejected; /* packets */
	bool failed;	   /* memory was short */
};

void ipu_samples_add(struct ipu_samples *s, const struct ipu_packet *packet);

/* No packet follows. False when memory was short. */
bool ipu_samples_end(struct ipu_samples *s);
void ipu_samples_release(struct ipu_samples *s);

/* The instruction of `stacks` whose PC has these lower 32 bits, the first of several; stacks->nr_insns: there is none.
 */
size_t ipu_sample_insn(const struct stacks *stacks, uint32_t pc);

/* The samples of known instructions as a profile, to be released. False when memory is short. */
bool ipu_samples_profile(const struct ipu_samples *s, const struct stacks *stacks, struct stack_profile *out);

/* A run of an IPU beside a core. */
struct ipu_stacks {
	const char *program, *mode;
	uint32_t hit_mhz, ipu_mhz;
	uint64_t period; /* cycles of the core that each sample stands for; 0: it is not known */
	struct ipu_counts counts;
	struct pics_counts core;
	struct ipu_samples samples;
	const struct stacks *stacks;   /* of the same run */
	const struct code_name *names; /* [stacks->nr_insns] */
};

/* Appends what the run was, and the `top` highest rows (0: all). False when memory was short. */
bool ipu_stacks_text(const struct ipu_stacks *s, uint64_t top, bool bold, struct textbuf *out);
bool ipu_stacks_csv(const struct ipu_stacks *s, uint64_t top, struct textbuf *out);
/* As the member "ipu" of an object. */
bool ipu_stacks_json(const struct ipu_stacks *s, uint64_t top, struct jwriter *j);

#endif
