/* The C ABI of a soft-logic module: what an IPU_pro's embedded FPGA does, as a shared object.
 *
 * A module is written in C against this header only, or made of Verilog by `sahm ipu soft build`. It exports one
 *function,
 *
 *	const struct soft_module *sahm_soft_module(void);
 *
 * which returns constant data. An instance is one block of logic beside one IPU; a process can have many. The module
 * keeps all state in its instances, calls nothing but the C library, and does no input or output: by default it runs in
 * a process in which that would end it (docs/security.md).
 *
 * Time is in cycles of the soft clock, from 0. In each cycle the logic sees at most one input set. step() names the
 *cycle and lets those since the last one pass as well, without a set. Everything a module does must depend only on its
 *calls.
 *
 * Source: dissertation, section 2.3 (IPU_pro: soft logic with memory-mapped registers); the details are ours.
 */
#ifndef SAHM_IPU_SOFT_MODULE_H
#define SAHM_IPU_SOFT_MODULE_H

#include <stdint.h>

#define SOFT_ABI UINT32_C(0x53414801) /* "SAH", version 1 */

#define SOFT_MAX_INPUTS 32u
#define SOFT_MAX_REGISTERS 256u
#define SOFT_NAME_BYTES 32u	   /* of names and versions, with their closing NUL */
#define SOFT_REGION_BYTES 0x1000u  /* of the module's registers */
#define SOFT_MAX_PACKET_BYTES 256u /* that a module can send at once */

/* An input of the module. Bit i of `valid` and values[i] of step() are those of inputs[i]. */
struct soft_input {
	const char *name; /* of the signal in the ABI spec: lower-case letters, digits, _ */
	uint32_t bits;	  /* 1 to 64; the signal must have as many */
};

enum soft_register_access { SOFT_READ = 1, SOFT_WRITE = 2 };

/* A register of 32 bits. */
struct soft_register {
	const char *name;
	uint32_t offset; /* in bytes, a multiple of 4 below SOFT_REGION_BYTES; rising from register to register */
	uint32_t access; /* enum soft_register_access, as bits */
};

/* Where packets go. emit() sends bytes[nr_bytes], at most packet_bytes, at the end of `cycle`, which is not
 * after that of the step() that calls it and not before that of the packet before. Only step() calls it. */
struct soft_outside {
	void *ctx;
	void (*emit)(void *ctx, uint64_t cycle, const void *bytes, uint32_t nr_bytes);
};

struct soft_module {
	uint32_t abi;	/* SOFT_ABI */
	uint32_t bytes; /* sizeof(struct soft_module) */
	const char *name, *version;
	uint32_t nr_inputs, nr_registers;
	const struct soft_input *inputs;
	const struct soft_register *registers;
	uint32_t packet_bytes; /* of its longest packet, at most SOFT_MAX_PACKET_BYTES; 0: it sends none */

	/* An instance as after reset(); NULL when memory is short. `outside` outlives it. */
	void *(*make)(const struct soft_outside *outside);
	void (*release)(void *m);
	/* As at power-on, but for registers of settings that the module keeps. Cycles go on. */
	void (*reset)(void *m);
	/* Lets time pass up to the end of `cycle`, which is later than that of the step before: first the cycles in
	 * between, in which no set arrives, then this one. `valid` 0: there is none in it either, and `values` is not
	 * read. An input that is not valid keeps the value that it had, 0 at first: values[i] may be anything then.
	 * Values above an input's bits do not come. */
	void (*step)(void *m, uint64_t cycle, uint32_t valid, const uint64_t *values);
	/* Of the register at `offset`, which it has and which can be read, or written: between two cycles. */
	uint32_t (*read)(void *m, uint32_t offset);
	void (*write)(void *m, uint32_t offset, uint32_t value);
};

/* What every module defines. */
const struct soft_module *sahm_soft_module(void);

#endif
