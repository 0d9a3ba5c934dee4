/* A stencil over two grids of 4 MiB each, more than the last-level cache of the core tea. A step reads the next cell,
 * whose line no earlier step has touched, computes more than a ROB of 192 hides, and writes six lines of another cell.
 */
#include "freestanding.h"

#define CELLS 8192u
#define LINES 6u

struct cell {
	double f[64];
};

struct cell grid[CELLS], next[CELLS];

static inline double relax(double left, double here, double right, double weight)
{
	double sum = left + right, slope = right - left;
	for (int i = 0; i < 4; i++) {
		double old = sum;
		sum = weight * sum + here;
		slope = weight * slope - old;
	}
	return sum * here + slope * weight;
}

int start(void)
{
	for (unsigned i = 1; i + 1 < CELLS; i++) {
		double left = grid[i - 1].f[0], here = grid[i].f[0], right = grid[i + 1].f[0];
#pragma GCC unroll 6
		for (unsigned k = 0; k < LINES; k++)
			next[i].f[8 * k] = relax(left, here, right, 0.1 * (k + 1));
	}
	return 0;
}
