/* EMON's own output: the input is the file. */
#include "tests/fuzz/use_import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_import(data, size, "emon");
}
