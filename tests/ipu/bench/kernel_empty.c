/* Nothing: what starting a program costs. */
#include "kernel.h"

const uint32_t kernel_iterations = 0;

bool kernel_run(uint32_t nr_iterations, uint32_t *checksum)
{
	*checksum = nr_iterations;
	return true;
}
