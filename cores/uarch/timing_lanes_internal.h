/* What the forms of timing_lanes.h share. */
#ifndef SAHM_CORES_UARCH_TIMING_LANES_INTERNAL_H
#define SAHM_CORES_UARCH_TIMING_LANES_INTERNAL_H

#include "cores/uarch/path_rows_internal.h"
#include "cores/uarch/timing.h"

/* Words of a lane that are looked at together: 64 bytes, aligned. */
#define CHUNK 16

/* A form for a kind of vector. */
struct lane_model {
	unsigned nr_lanes;
	bool (*is_there)(void); /* whether this processor has it */
	/* Of cores of one kind, 1 to nr_lanes of them, each with lane_words_init(). NULL when memory is short. */
	void *(*new)(const struct core_timing *const *t, unsigned nr);
	void (*free)(void *);
	/* False if a lane's times need more than 31 bits. */
	bool (*batch)(void *, const struct uop_batch *batch);
	void (*result)(const void *, unsigned lane, struct timing_result *out);
	void (*record)(void *, struct path_rows *path); /* as timing_record() */
	/* As timing_take_predictions(), of each lane. */
	void (*predict)(void *, const struct load_predictions *p, const unsigned *cores);
};

extern const struct lane_model lane_model_avx512, lane_model_avx2, lane_model_c;

/* The counts of a cycle, of issue queues and unit groups, as fields of one word. The top bit of a field with the bias
 * is set if it is full. In-order cores: of issue slots, slots for loads and stores, and unit groups. */
struct lane_words {
	uint32_t bias;
	uint32_t demand[NR_INSN_CLASSES], full[NR_INSN_CLASSES]; /* what a uop adds, and the top bits of these fields */
	uint32_t slots[NR_INSN_CLASSES]; /* of `full`, those that mean that no issue slot is left, whatever the units */
	uint8_t shift[MAX_ISSUE_QUEUES]; /* of a queue's count */
	uint32_t mask[MAX_ISSUE_QUEUES];
};

/* False: they do not fit. */
bool lane_words_init(struct lane_words *w, const struct core_timing *t);

#endif
