/* Never returns from its constructor. */
#include "tests/soft/sums.h"

__attribute__((constructor)) static void hang(void)
{
	for (volatile int goes_on = 1; goes_on;)
		;
}

SUMS_OBJECT(.name = "hangs-on-load")
