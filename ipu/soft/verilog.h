/* Soft-logic modules written in Verilog: Verilator and a C++ compiler make a shared object of them.
 *
 * A design takes part by the names of its ports (docs/soft-logic.md). harness.cpp gives it the C ABI of module.h. Its
 * registers are in comments of its source:
 *
 *	// sahm: register NAME OFFSET ACCESS		ACCESS: r, w or rw
 */
#ifndef SAHM_IPU_SOFT_VERILOG_H
#define SAHM_IPU_SOFT_VERILOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ipu/soft/module.h"
#include "sim/base/arena.h"
#include "sim/base/err.h"
#include "sim/base/textbuf.h"

/* A signal of an ABI spec. */
struct verilog_signal {
	const char *name;
	uint32_t bits;
};

struct verilog_map {
	const char *port, *signal;
};

/* The caller's. */
struct verilog_build {
	const char *source, *top; /* file of the design, and its top module */
	const char *output;	  /* the shared object */
	bool replaces;		  /* it may exist already */
	const char *name, *version;
	const char *data; /* folder with ipu/soft/harness.cpp and ipu/soft/module.h */
	/* Ports that are not called as their signals. */
	const struct verilog_map *maps;
	size_t nr_maps;
	/* All signals that there are, and what they are called together in messages; NULL: nothing is known of them. */
	const char *spec;
	const struct verilog_signal *signals;
	size_t nr_signals;
};

/* Makes b->output, complete or not at all. Verilator's words are added to `said`, warnings included, and those
 * of a compiler that fails. SAHM_USAGE (names, maps), SAHM_FORMAT (the design, with file and line), SAHM_TOOL
 * (Verilator is not there, or the compiler fails), SAHM_IO, SAHM_NOMEM. */
enum sahm_status verilog_build(const struct verilog_build *b, struct textbuf *said, struct sahm_err *err);

/* ---- Parts ---- */

/* Ports and registers of a design, with room in an arena. */
struct verilog_ports {
	uint32_t nr_inputs, nr_registers;
	const char *input_ports[SOFT_MAX_INPUTS];
	struct soft_input inputs[SOFT_MAX_INPUTS];
	bool has_valid[SOFT_MAX_INPUTS];
	bool has_bus, has_packets;
	uint32_t cycle_bits; /* 0: it does not see the number of the cycle */
	struct soft_register registers[SOFT_MAX_REGISTERS];
};

/* Reads the registers from the source `text`. SAHM_FORMAT, SAHM_NOMEM. */
enum sahm_status verilog_read_registers(struct verilog_ports *p, struct arena *a, const char *file, const char *text,
					struct sahm_err *err);

/* Reads the ports from `header`, the class that Verilator made of b->top, and checks that they are as they must be;
 * `text` is the source, for the lines in messages. SAHM_FORMAT, SAHM_USAGE (a map of no port), SAHM_NOMEM. */
enum sahm_status verilog_read_ports(struct verilog_ports *p, struct arena *a, const struct verilog_build *b,
				    const char *text, const char *header, struct sahm_err *err);

/* Writes what harness.cpp includes as sahm_ports.h. */
void verilog_write_ports(const struct verilog_ports *p, const struct verilog_build *b, struct textbuf *out);

#endif
