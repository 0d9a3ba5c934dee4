/* Keeps all rules. */
#include "tests/soft/sums.h"

SUMS_OBJECT(.name = "sums")
