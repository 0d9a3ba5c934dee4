/* In how many cycles the units of a GPU are active: of 256 cycles in a row, those of SIMT cores, tensor core and
 * memory.
 *
 * Inputs: simt_active, tensor_active, memory_active, registers 0 to 2, one bit each, of the ABI spec "gpu_activity".
 * Packets: 3 bytes, a count for each unit in this order; 255 stands for 256, too. finish() sends the window that has
 * begun. Costs: one cycle for each set, in a hardware loop of one instruction; then 24 cycles for the packet and for
 * the call, during which inputs drop: 8 % where the HIT's clock is the IPU's.
 * Nothing is settable. Dissertation, section 2.5 (GPU utilization).
 */
#include "introspect.h"

#define FIRST 0
IPU_INPUT(simt_active, 0, 1)
IPU_INPUT(tensor_active, 1, 1)
IPU_INPUT(memory_active, 2, 1)

#define NR_UNITS 3
#define WINDOW 256

static uint32_t counts[NR_UNITS + 1]; /* after them, whether a window has begun that is not sent */
static const struct ipu_histogram flags = {counts, NR_UNITS, IPU_SHAPE(NR_UNITS, 1, 0, IPU_FLAGS), 255};

IPU_INLINE void send_window(void)
{
	ipu_put16(counts[0] | counts[1] << 8);
	ipu_put8(counts[2]);
	ipu_send();
	counts[0] = counts[1] = counts[2] = counts[NR_UNITS] = 0;
}

/* The set with which this begins is not counted: a few cycles lie between it and those of the loop, which are in a row.
 */
void _main(void)
{
	counts[NR_UNITS] = 1;
	ipu_loop_histogram_input(WINDOW, &flags, FIRST);
	send_window();
}

static __attribute__((noinline)) void send_rest(void)
{
	if (counts[NR_UNITS])
		send_window();
}

void finish(void)
{
	send_rest();
}
