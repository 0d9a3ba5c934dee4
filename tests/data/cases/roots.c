/* Square roots of distances below a cutoff. Comparing without raising a flag takes two instructions that write the
 * floating-point status and so flush the pipeline, as in the program nab: the root after them starts late. -DFAST
 * compares as -ffinite-math-only does, without them. */
#include "freestanding.h"

#define ATOMS 128u
#define ROUNDS 8u

double x[ATOMS], y[ATOMS];

int start(void)
{
	double energy = 0, cutoff = 1e4;
	for (unsigned i = 0; i < ATOMS; i++) {
		x[i] = i;
		y[i] = 2 * i;
	}
	for (unsigned round = 0; round < ROUNDS; round++)
		for (unsigned i = 0; i < ATOMS; i++) {
			double dx = x[i] - round, dy = y[i] - round, square = dx * dx + dy * dy, root;
#ifdef FAST
			if (!(square < cutoff))
#else
			if (!__builtin_isless(square, cutoff))
#endif
				continue;
			__asm__("fsqrt.d %0, %1" : "=f"(root) : "f"(square));
			energy += root * 0.5 + dx;
		}
	return energy < 0;
}
