/* Arbitrary bytes as code. The first of them choose what the hart looks like; then it is run in one go, in slices, step
 * by step, and without fused pairs: it must end in the same state each time, having asked its host the same questions.
 *
 * Code and data are apart, so that stores do not change code: when decoded code notices that is not said. */
#include "tests/fuzz/use_hart.h"

#define MOST_INSTRUCTIONS 3000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct run runs[4];
	static const struct {
		uint64_t slice;
		unsigned flags;
	} ways[] = {{MOST_INSTRUCTIONS, 0}, {0, 0}, {1, 0}, {MOST_INSTRUCTIONS, CODE_UNFUSED}};
	if (size < NR_CHOSEN + 2)
		return 0;
	uint32_t nr_bytes =
		(uint32_t)((size - NR_CHOSEN < MOST_CODE_BYTES ? size - NR_CHOSEN : MOST_CODE_BYTES) & ~1ul);
	uint8_t *bytes = malloc(nr_bytes);
	MUST(bytes);
	memcpy(bytes, data + NR_CHOSEN, nr_bytes);
	unsigned fixed = data[0] & CHOICE_FIXED ? CODE_FIXED : 0;
	uint32_t base = code_places[place_of(data)];
	for (size_t i = 0; i < 4; i++) {
		struct code *code;
		MUST(code_new(&code, base, bytes, nr_bytes, ways[i].flags | fixed, NULL) == SAHM_OK);
		prepare(&runs[i], code, data);
		run(&runs[i], ways[i].slice, MOST_INSTRUCTIONS, data[3]);
		if (i > 0)
			must_be_same(&runs[0], &runs[i]);
		code_free(code);
	}
	free(bytes);
	return 0;
}
