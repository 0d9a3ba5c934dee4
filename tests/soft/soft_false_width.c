/* An input of it has more bits than there can be. */
#include "tests/soft/sums.h"

static const struct soft_input inputs[] = {{"a", 65}, {"b", 1}};

SUMS_OBJECT(.inputs = inputs)
