/* An RV32IMC_Zicsr_Zifencei processor with the IPU's own instructions a second time, deliberately simple: the reference
 * that ipu/core/hart.h is compared with.
 *
 * It is written only from the RISC-V unprivileged specification (version 20191213) and the documents of the IPU's
 * instructions, and shares no function, type or header with the product. One instruction is fetched from its bytes and
 * executed at a time, nothing is remembered from one to the next. There is no host: no CSR but the three counters and
 * those of the inputs, no environment.
 *
 * A stop leaves everything as it was before the instruction: pc is the instruction's, nothing is written, it
 * does not count. Only a return, the JALR to REFHART_RETURN, and what leads to the beginning of a hardware loop's body
 * are carried out as a whole before it stops. After REFHART_INPUT, the caller sets `stop` back to go on.
 */
#ifndef SAHM_TESTS_REFERENCE_REFHART_H
#define SAHM_TESTS_REFERENCE_REFHART_H

#include <stdint.h>

#define REFHART_RETURN 0xfffffff0u

enum refhart_stop {
	REFHART_RUNS,
	REFHART_RETURNED,
	REFHART_ILLEGAL,
	REFHART_BREAKPOINT,
	REFHART_ENVIRONMENT_CALL,
	REFHART_LOAD_MISALIGNED,
	REFHART_LOAD_OUTSIDE,
	REFHART_STORE_MISALIGNED,
	REFHART_STORE_OUTSIDE,
	REFHART_JUMP_OUTSIDE,
	REFHART_FETCH_OUTSIDE, /* no, or not a whole, instruction between pc and the end of the code */
	REFHART_INPUT,	       /* before the body of a hardware loop */
	REFHART_HISTOGRAM_SHAPE,
	REFHART_NESTED_LOOP,
};

struct refhart {
	uint32_t x[32], pc;
	const uint8_t *code; /* code_bytes at code_base; may be part of the data */
	uint32_t code_base, code_bytes;
	uint8_t *data;
	uint32_t data_base, data_bytes;
	int traps_misaligned;
	const uint64_t *inputs;			   /* 32, or NULL */
	uint32_t loop_first, loop_end, loop_times; /* times: still to be done, this one included */
	uint64_t nr_retired, nr_extra;		   /* instructions, and cycles beyond them */
	enum refhart_stop stop;
	/* Of the access or the jump's target; pc for what concerns none; 0 where nothing is wrong. */
	uint32_t address;
	/* How often each kind of thing has happened, for tests that want to know what they have covered. */
	uint64_t nr_taken, nr_not_taken, nr_straddled, nr_misaligned, nr_counted, nr_loops_done, nr_breaks;
};

/* Executes one instruction, unless something has stopped it. */
void refhart_step(struct refhart *h);

#endif
