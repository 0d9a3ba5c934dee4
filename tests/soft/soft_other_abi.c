/* Built for another version of the interface. */
#include "tests/soft/sums.h"

SUMS_OBJECT(.abi = SOFT_ABI + 1)
