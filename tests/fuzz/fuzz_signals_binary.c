/* Recorded signals in binary form: the bytes follow the magic, so that none are wasted on it. */
#include "tests/fuzz/use_signals.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { MAGIC_BYTES = sizeof(SIGNALS_MAGIC) - 1 };
	char *bytes = malloc(MAGIC_BYTES + size); /* of just this size */
	MUST(bytes);
	memcpy(bytes, SIGNALS_MAGIC, MAGIC_BYTES);
	if (size > 0)
		memcpy(bytes + MAGIC_BYTES, data, size);
	use_sets(bytes, MAGIC_BYTES + size);
	use_rows(bytes, MAGIC_BYTES + size);
	free(bytes);
	return 0;
}
