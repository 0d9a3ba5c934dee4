/* How often values occur: of a stream of four 16-bit numbers a cycle (fp16: sign, exponent and the first bit of the
 * fraction), a histogram of 128 buckets for every 32,768 cycles.
 *
 * Inputs: v0, register 0, 64 bits, of the ABI spec "l1d_write": one of the four words of a line, so one number in four
 * is looked at. Packets: 384 bytes, 128 counts of 24 bits, the least significant byte first. finish() sends the window
 * that has begun. Costs: one cycle for each set, in a hardware loop of one instruction; then 650 cycles for the
 * packet, during which inputs drop: 2 % where the HIT's clock is the IPU's.
 * Nothing is settable. Dissertation, section 2.5 (value histograms).
 */
#include "introspect.h"

#define V0 0
IPU_INPUT(v0, V0, 64)

#define NR_BUCKETS 128
#define WINDOW 32768

static uint32_t counts[NR_BUCKETS];
static const struct ipu_histogram buckets = {counts, NR_BUCKETS, IPU_SHAPE(4, 16, 9, IPU_VALUES), 0xffffff};
static uint32_t is_open; /* a window has begun and is not sent */

/* Four counts become three words. */
static __attribute__((noinline)) void send_window(void)
{
#pragma GCC unroll 4
	for (uint32_t *c = counts; c < counts + NR_BUCKETS; c += 4) {
		uint32_t a = c[0], b = c[1], d = c[2], e = c[3];
		ipu_put32(a | b << 24);
		ipu_put32(b >> 8 | d << 16);
		ipu_put32(d >> 16 | e << 8);
		c[0] = c[1] = c[2] = c[3] = 0;
	}
	ipu_send();
	is_open = 0;
}

/* The first set is latched when this begins; the loop latches the others. */
void _main(void)
{
	is_open = 1;
	ipu_histogram_input(&buckets, V0);
	ipu_loop_histogram_input(WINDOW - 1, &buckets, V0);
	send_window();
}

static __attribute__((noinline)) void send_rest(void)
{
	if (is_open)
		send_window();
}

void finish(void)
{
	send_rest();
}
