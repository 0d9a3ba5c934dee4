/* IPU_pro: an IPU (unit.h) with soft logic beside its processor, which sees the same input sets and has registers in
 * the processor's memory. Source: dissertation, sections 2.3 and 2.5; details that these leave open are decided here.
 *
 * Clocks. The soft logic has a separate clock, exact by its ratio to the IPU's. An input set that arrives is seen in
 * the next whole soft cycle. In each soft cycle the module can take one set: others of the same cycle are dropped. The
 * modes for mismatched clocks (enum ipu_mismatch) hold for the soft logic as for the program, each with its own count.
 * In a window the sets in the fast buffer are taken one in a soft cycle, and the next window begins when all are.
 *
 * Inputs. Each input of the module is a signal of the ABI spec, by name. A set counts for the module if it has a data
 * point of one of them, or if all of them are levels. Levels are those of the cycle in which the set arrives.
 *
 * Registers. At IPU_SOFT_BASE are controls (soft_control_list.h), at IPU_SOFT_MODULE those of the module. An access
 * waits for the next soft cycle, which it precedes: it sees the sets of all cycles before. It takes IPU_SOFT_CYCLES of
 * the processor. Anything else in the window is a fault of the processor.
 *
 * States. When an image is loaded, the module is as at power-on and, unless starts_with_image is set, stopped; a
 * program starts it. Its clock runs while it is started and the unit is active (not held, inside), from the soft cycle
 * on in which the HIT or the processor makes it so. In `finish`, in ERROR and without an image it stands still; its
 * registers can be read. When it stands still, sets in its fast buffer are dropped, and soft cycles do not count.
 *
 * Packets. The soft logic has a FIFO and a bandwidth account of the same size as the processor's. ipu_unit_take() takes
 * the packet that was sent first of those that are there, of equal times the processor's.
 *
 * A failure of the module ends the simulation: ipu_unit_check().
 */
#ifndef SAHM_IPU_UNIT_PRO_H
#define SAHM_IPU_UNIT_PRO_H

#include "ipu/soft/soft.h"
#include "ipu/unit/abi.h"
#include "ipu/unit/unit.h"

#define IPU_DEFAULT_SOFT_MHZ 1300u

/* Controls, as offsets from IPU_SOFT_BASE. */
enum ipu_soft_control {
#define SOFT_CONTROL(symbol, offset, access, help) IPU_SOFT_##symbol = offset,
#include "ipu/unit/soft_control_list.h"
#undef SOFT_CONTROL
};

/* Bits of IPU_SOFT_CONTROL, and of IPU_SOFT_STATUS. */
enum { IPU_SOFT_START = 1, IPU_SOFT_STOP = 2, IPU_SOFT_RESET = 4 };
enum { IPU_SOFT_IS_STARTED = 1, IPU_SOFT_RUNS = 2 };

/* Makes units that are IPU_pro: &pro.maker is for ipu_unit_config. It outlives them, and is not moved. */
struct ipu_pro {
	struct ipu_unit_maker maker;
	struct ipu_unit_ops ops;
	struct soft *soft;
	uint32_t soft_mhz;
	uint8_t regs[SOFT_MAX_INPUTS]; /* of the module's inputs */
	bool starts_with_image;	       /* it is started when an image is loaded: for programs that do not know of it */
};

/* Wires the module of `soft`, which outlives *pro, to the signals of `abi`. SAHM_CONFIG, with both names: there is no
 * such signal, or it has another width. SAHM_RANGE: the clock is none of IPU_MIN_MHZ to IPU_MAX_MHZ. */
enum sahm_status ipu_pro_init(struct ipu_pro *pro, struct soft *soft, const struct abi *abi, uint32_t soft_mhz,
			      struct sahm_err *err);

#endif
