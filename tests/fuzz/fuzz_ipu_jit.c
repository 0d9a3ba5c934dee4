/* Arbitrary bytes as code, by the interpreter and by the translator: the same state after each of many rounds, which
 * begin with the same registers, so that what is executed at all is hot soon. Code is fixed, or changes, or is what
 * stores change as well (CHOICE_FLAT): what was decoded stays in force for both, up to the next fence.i. */
#include "ipu/jit/translation.h"
#include "tests/fuzz/use_hart.h"

#define NR_ROUNDS 24u
#define MOST_INSTRUCTIONS 400u

struct side {
	struct run run;
	struct code *code;
	struct translation *translation;
	uint8_t *bytes;
};

static void make(struct side *s, const uint8_t *data, uint32_t nr_bytes, bool is_translated)
{
	uint32_t base = code_places[place_of(data)];
	s->bytes = malloc(nr_bytes);
	MUST(s->bytes);
	memcpy(s->bytes, data + NR_CHOSEN, nr_bytes);
	MUST(code_new(&s->code, base, s->bytes, nr_bytes, data[0] & CHOICE_FIXED ? CODE_FIXED : 0, NULL) == SAHM_OK);
	prepare(&s->run, s->code, data);
	if (data[0] & CHOICE_FLAT) {
		hart_set_memory(&s->run.hart, base, s->bytes, nr_bytes);
		if (data[0] & CHOICE_WINDOW && nr_bytes > 72)
			hart_set_store_window(&s->run.hart, base + 68, base + nr_bytes - 1);
		set_registers(&s->run, data);
	}
	s->translation = NULL;
	if (is_translated)
		s->translation = translation_new(&s->run.hart);
	s->run.hart.translation = s->translation;
}

static void release(struct side *s)
{
	translation_free(s->translation);
	code_free(s->code);
	free(s->bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct side sides[2];
	static const uint64_t slices[] = {MOST_INSTRUCTIONS, MOST_INSTRUCTIONS, 0, MOST_INSTRUCTIONS, 1, 0, 37, 2};
	if (size < NR_CHOSEN + 2)
		return 0;
	uint32_t nr_bytes =
		(uint32_t)((size - NR_CHOSEN < MOST_CODE_BYTES ? size - NR_CHOSEN : MOST_CODE_BYTES) & ~1ul);
	for (size_t i = 0; i < 2; i++)
		make(&sides[i], data, nr_bytes, i == 1);
	for (unsigned round = 0; round < NR_ROUNDS; round++) {
		for (size_t i = 0; i < 2; i++) {
			set_registers(&sides[i].run, data);
			run(&sides[i].run, slices[round % 8], MOST_INSTRUCTIONS, data[3] + round);
			/* Once, and late enough to be worth while for the translator. */
			if (round == NR_ROUNDS * 2 / 3)
				code_discard(sides[i].code);
		}
		must_be_same(&sides[0].run, &sides[1].run);
		MUST(memcmp(sides[0].bytes, sides[1].bytes, nr_bytes) == 0);
	}
	for (size_t i = 0; i < 2; i++)
		release(&sides[i]);
	return 0;
}
