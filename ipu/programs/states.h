/* The state of a thread from the eight counters of an epoch, exactly as the simulator's own classifier has it: a bit
 * for each component whose metric, a quotient of two counters, lies above its cut. A denominator of 0 makes it 0.
 *
 *	bit 0 branch: branch_misses / branches		bit 1 L1I: l1i_misses / instructions
 *	bit 2 L1D: l1d_misses / l1d_accesses		bit 3 L2: l2_misses / l2_accesses
 *
 * Programs that include this have the inputs of the ABI spec "core" and the four settable cuts. They call states_init()
 * at power-on.
 */
#ifndef SAHM_IPU_STATES_H
#define SAHM_IPU_STATES_H

#include "introspect.h"

IPU_INPUT(instructions, 0, 64)
IPU_INPUT(branches, 1, 64)
IPU_INPUT(branch_misses, 2, 64)
IPU_INPUT(l1i_misses, 3, 64)
IPU_INPUT(l1d_accesses, 4, 64)
IPU_INPUT(l1d_misses, 5, 64)
IPU_INPUT(l2_accesses, 6, 64)
IPU_INPUT(l2_misses, 7, 64)
IPU_INPUT(thread, 9, 32)

/* Cuts in thousand-millionths of the quotient; the set "intuitive" of the dissertation, tables 4.2 and 4.3. */
uint64_t cut_branch = 10000000; /* 1 % */
uint64_t cut_l1i = 1000000;	/* 1 miss per 1,000 instructions */
uint64_t cut_l1d = 20000000;	/* 2 % */
uint64_t cut_l2 = 100000000;	/* 10 % */

#define PPB_ONE UINT32_C(1000000000)

/* Thresholds as the quick way reads them, one after another. */
static struct {
	uint32_t branch, l1i, l1d, l2;
	uint32_t is_wide; /* one of them does not fit */
} quick;

static inline void states_init(void)
{
	quick.branch = (uint32_t)cut_branch;
	quick.l1i = (uint32_t)cut_l1i;
	quick.l1d = (uint32_t)cut_l1d;
	quick.l2 = (uint32_t)cut_l2;
	quick.is_wide = (uint32_t)((cut_branch | cut_l1i | cut_l1d | cut_l2) >> 32);
}

/* a * b in four words. */
static void multiply(uint32_t p[4], uint64_t a, uint64_t b)
{
	uint64_t low = (uint64_t)(uint32_t)a * (uint32_t)b, high = (a >> 32) * (b >> 32);
	uint64_t one = (a >> 32) * (uint32_t)b + (low >> 32), other = (uint32_t)a * (b >> 32) + (uint32_t)one;
	high += (one >> 32) + (other >> 32);
	p[0] = (uint32_t)low;
	p[1] = (uint32_t)other;
	p[2] = (uint32_t)high;
	p[3] = (uint32_t)(high >> 32);
}

/* Whether num / den > cut, for any numbers. */
static uint32_t is_above(uint64_t num, uint64_t den, uint64_t cut)
{
	uint32_t a[4], b[4];
	if (den == 0)
		return 0;
	multiply(a, num, PPB_ONE);
	multiply(b, den, cut);
	for (int i = 3; i >= 0; i--)
		if (a[i] != b[i])
			return a[i] > b[i];
	return 0;
}

/* The exact way, for counters or cuts that need more than 32 bits and for denominators of 0: 100 to 340 cycles. */
static __attribute__((noinline, unused)) uint32_t slow_state(void)
{
	return is_above(branch_misses_64(), branches_64(), cut_branch) |
	       is_above(l1i_misses_64(), instructions_64(), cut_l1i) << 1 |
	       is_above(l1d_misses_64(), l1d_accesses_64(), cut_l1d) << 2 |
	       is_above(l2_misses_64(), l2_accesses_64(), cut_l2) << 3;
}

/* The same for 32 bits. The left side is below 2^62, so that a carry into its upper word stays there. */
IPU_INLINE uint32_t is_above_quick(uint32_t num, uint32_t den, uint32_t cut)
{
	uint64_t a = (uint64_t)num * PPB_ONE, b = (uint64_t)den * cut;
	uint32_t carry = (uint32_t)b < (uint32_t)a;
	return (uint32_t)(a >> 32) + carry > (uint32_t)(b >> 32);
}

/* The denominators, which are looked at twice but read once. */
struct denominators {
	uint32_t branches, instructions, l1d_accesses, l2_accesses;
};

/* Whether only slow_state() can tell. */
IPU_INLINE uint32_t is_slow(struct denominators *d)
{
	uint32_t wide = instructions_high() | branches_high() | branch_misses_high() | l1i_misses_high() |
			l1d_accesses_high() | l1d_misses_high() | l2_accesses_high() | l2_misses_high() | quick.is_wide;
	*d = (struct denominators){branches(), instructions(), l1d_accesses(), l2_accesses()};
	return __builtin_expect(wide || !d->branches || !d->instructions || !d->l1d_accesses || !d->l2_accesses, 0);
}

/* Have `value` computed here: compilers would put all reads first, and then lack registers. */
#define NOW(value) __asm__ volatile("" : "+r"(value))

IPU_INLINE uint32_t quick_state(const struct denominators *d)
{
	uint32_t state = is_above_quick(branch_misses(), d->branches, quick.branch);
	NOW(state);
	state |= is_above_quick(l1i_misses(), d->instructions, quick.l1i) << 1;
	NOW(state);
	state |= is_above_quick(l1d_misses(), d->l1d_accesses, quick.l1d) << 2;
	NOW(state);
	return state | is_above_quick(l2_misses(), d->l2_accesses, quick.l2) << 3;
}

/* The state of the epoch whose counters are latched. */
IPU_INLINE uint32_t state_now(void)
{
	struct denominators d;
	return is_slow(&d) ? slow_state() : quick_state(&d);
}

/* What classifiers send: a word with the state in bits 0 to 3 and the thread in bits 8 to 31. */
IPU_INLINE void send_state(uint32_t state, uint32_t of_thread)
{
	ipu_put32(state | of_thread << 8);
	ipu_send();
}

#endif
