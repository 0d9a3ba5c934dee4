/* Recorded signals as CSV (or whatever the bytes are taken for). */
#include "tests/fuzz/use_signals.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	use_sets((const char *)data, size);
	use_rows((const char *)data, size);
	return 0;
}
