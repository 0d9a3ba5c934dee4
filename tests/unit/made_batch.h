/* A batch of uops for the tests of a file: batch_setup() and batch_teardown() of a group make and free it. */
#ifndef SAHM_TESTS_UNIT_MADE_BATCH_H
#define SAHM_TESTS_UNIT_MADE_BATCH_H

#include <stdlib.h>

#include "cores/uarch/uop.h"

static struct uop_batch *batch;

static int batch_setup(void **state)
{
	(void)state;
	batch = calloc(1, sizeof(*batch));
	return batch ? 0 : -1;
}

static int batch_teardown(void **state)
{
	(void)state;
	free(batch);
	return 0;
}

/* Appends an instruction of one uop without access and registers. */
static inline struct uop *batch_add(enum insn_class class, uint64_t pc)
{
	struct uop *u = &batch->uops[batch->nr++];
	*u = (struct uop){.pc = pc,
			  .class = (uint8_t) class,
			  .length = 4,
			  .source = {NO_REGISTER, NO_REGISTER, NO_REGISTER},
			  .destination = NO_REGISTER,
			  .flags = UOP_FIRST | UOP_LAST};
	batch->nr_instructions++;
	return u;
}

#endif
