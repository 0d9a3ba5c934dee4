/* Arbitrary bytes as code. The first of them choose what the hart looks like; then it is run in one go, in slices, step
 * by step, and without fused pairs: it must end in the same state each time, having asked its host the same questions.
 *
 * Code and data are apart, so that stores do not change code: when decoded code notices that is not said. */
#include <stdbool.h>

#include "ipu/hart.h"
#include "tests/fuzz/fuzz.h"
#include "tests/helper/random.h"

#define DATA_BYTES 4096u
#define MOST_INSTRUCTIONS 3000
#define MOST_STOPS 100u
#define MOST_CODE_BYTES 4096u
#define NR_CSRS 4u

enum choice {
	CHOICE_TRAPS = 1,
	CHOICE_FIXED = 2,
	CHOICE_WINDOW = 4,
	CHOICE_NO_HOST = 8,
	CHOICE_PLACES = 0x30,
	CHOICE_INPUTS = 0x40
};
#define NR_CHOSEN 4u /* bytes: choices, seed of registers, entry, seed of slices */

/* A run, and all that can be seen of it. */
struct run {
	struct hart hart;
	uint8_t data[DATA_BYTES];
	uint32_t csrs[NR_CSRS];
	uint64_t inputs[32];
	uint64_t asked; /* a hash of what the host was asked, and when */
};

static void note(struct hart *h, uint32_t a, uint32_t b, uint32_t c)
{
	struct run *r = h->context;
	const uint64_t parts[] = {a, b, c, h->pc, h->nr_retired};
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		r->asked ^= parts[i];
		r->asked = next_random(&r->asked);
	}
	MUST(hart_register(h, 0) == 0);
}

/* A device of 16 bytes in front of the data. */
static bool is_device(const struct hart *h, uint32_t address, unsigned nr_bytes)
{
	return address - (h->data_base - 16) <= 16 - nr_bytes;
}

static bool load(struct hart *h, uint32_t address, unsigned nr_bytes, uint32_t *value)
{
	MUST(!hart_bytes(h, address, nr_bytes));
	note(h, 1, address, nr_bytes);
	*value = (uint32_t)((const struct run *)h->context)->asked;
	return is_device(h, address, nr_bytes);
}

static bool store(struct hart *h, uint32_t address, unsigned nr_bytes, uint32_t value)
{
	MUST(nr_bytes == 4 || value >> 8 * nr_bytes == 0);
	note(h, 2 + nr_bytes, address, value);
	return is_device(h, address, nr_bytes);
}

static bool csr_read(struct hart *h, uint32_t csr, uint32_t *value)
{
	note(h, 8, csr, 0);
	*value = ((const struct run *)h->context)->csrs[csr % NR_CSRS];
	return csr >> 8 == 8 || csr >> 8 == 12;
}

static bool csr_write(struct hart *h, uint32_t csr, uint32_t value)
{
	MUST(csr >> 10 != 3);
	note(h, 9, csr, value);
	((struct run *)h->context)->csrs[csr % NR_CSRS] = value;
	return csr >> 8 == 8;
}

static bool environment_call(struct hart *h)
{
	note(h, 10, hart_register(h, HART_A0), 0);
	hart_set_register(h, HART_A0, (uint32_t)((const struct run *)h->context)->asked);
	hart_set_register(h, 0, 1);
	if (hart_register(h, HART_A7) % 8 == 7)
		h->cause = HART_EXITED;
	return hart_register(h, HART_A7) % 8 != 6;
}

static const struct hart_host host = {load, store, csr_read, csr_write, environment_call};

/* Both below 2^32, some at its very end. */
static const uint32_t code_places[] = {0, 0x80000000, UINT32_MAX - MOST_CODE_BYTES + 1, 0x12346};
static const uint32_t data_places[] = {0x10000, 0x80000000, UINT32_MAX - DATA_BYTES + 1, 0};

static void prepare(struct run *r, struct code *code, const uint8_t *chosen)
{
	uint64_t rng = chosen[1];
	unsigned place = (chosen[0] & CHOICE_PLACES) / (CHOICE_PLACES & -CHOICE_PLACES);
	*r = (struct run){.asked = 0};
	hart_init(&r->hart, code);
	hart_set_memory(&r->hart, data_places[place], r->data, DATA_BYTES);
	if (chosen[0] & CHOICE_WINDOW)
		hart_set_store_window(&r->hart, data_places[place] + 68, data_places[place] + DATA_BYTES - 1);
	r->hart.host = chosen[0] & CHOICE_NO_HOST ? NULL : &host;
	r->hart.context = r;
	r->hart.traps_misaligned = chosen[0] & CHOICE_TRAPS;
	for (unsigned i = 0; i < 32; i++)
		r->inputs[i] = next_random(&rng);
	r->hart.inputs = chosen[0] & CHOICE_INPUTS ? r->inputs : NULL;
	for (unsigned i = 1; i < NR_REGISTERS; i++) {
		uint32_t near = (uint32_t)between(&rng, 0, DATA_BYTES + 32) - 16;
		uint32_t values[] = {data_places[place] + near, data_places[place] + near / 4 * 4,
				     code_places[place] + near / 2 * 2, (uint32_t)next_random(&rng), near % 32};
		hart_set_register(&r->hart, i, PICK(&rng, values));
	}
	hart_set_register(&r->hart, HART_RA, HART_RETURN_STUB);
	hart_jump(&r->hart, code_places[place] + 2 * chosen[2]);
}

/* What stopped does so again, having asked nobody; then it goes on behind the place, for arbitrary bytes fault soon. */
static void resume(struct run *r, enum hart_cause cause)
{
	struct hart *h = &r->hart;
	struct hart before = *h;
	uint64_t asked = r->asked;
	MUST(cause == (enum hart_cause)h->cause && cause != HART_NONE && cause < NR_HART_CAUSES);
	MUST(strcmp(hart_cause_text(cause), "unknown cause") != 0);
	if (cause == HART_EXITED || hart_cause_is_fault(cause)) {
		MUST(hart_run(h, 10) == cause && h->nr_retired == before.nr_retired && r->asked == asked);
		MUST(h->pc == before.pc && h->address == before.address);
	}
	note(h, 11, cause, hart_cause_is_fault(cause) ? h->address : 0);
	if (cause == HART_INPUT) {
		MUST(h->loop_left > 0 && h->pc == h->loop_start);
		r->inputs[h->loop_left % 32] = next_random(&r->asked);
		return;
	}
	hart_jump(h, code_holds(h->code, h->pc + 2) ? h->pc + 2 : code_base(h->code));
}

/* Runs up to the end, `slice` instructions at a time, 0 for slices of all sizes. */
static void run(struct run *r, uint64_t slice, uint64_t seed)
{
	uint64_t left = MOST_INSTRUCTIONS;
	for (unsigned nr_stops = 0; left > 0 && nr_stops < MOST_STOPS;) {
		uint64_t budget = slice ? slice : between(&seed, 0, one_in(&seed, 3) ? 100 : 5);
		uint64_t before = r->hart.nr_retired;
		budget = budget < left ? budget : left;
		enum hart_cause cause = hart_run(&r->hart, budget);
		uint64_t done = r->hart.nr_retired - before;
		MUST(done <= budget && (cause != HART_BUDGET || done == budget));
		left -= done;
		if (cause != HART_BUDGET && left > 0) {
			resume(r, cause);
			nr_stops++;
		}
	}
}

static void must_be_same(const struct run *a, const struct run *b)
{
	for (unsigned i = 0; i < NR_REGISTERS; i++)
		MUST(hart_register(&a->hart, i) == hart_register(&b->hart, i));
	MUST(a->hart.cause == b->hart.cause && a->hart.nr_retired == b->hart.nr_retired);
	MUST(a->hart.pc == b->hart.pc);
	MUST(a->hart.loop_left == b->hart.loop_left && a->hart.nr_extra == b->hart.nr_extra);
	MUST(!hart_cause_is_fault(a->hart.cause) || a->hart.address == b->hart.address);
	MUST(memcmp(a->data, b->data, sizeof(a->data)) == 0 && memcmp(a->csrs, b->csrs, sizeof(a->csrs)) == 0);
	MUST(a->asked == b->asked);
}

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
	uint32_t base = code_places[(data[0] & CHOICE_PLACES) / (CHOICE_PLACES & -CHOICE_PLACES)];
	for (size_t i = 0; i < 4; i++) {
		struct code *code;
		MUST(code_new(&code, base, bytes, nr_bytes, ways[i].flags | fixed, NULL) == SAHM_OK);
		prepare(&runs[i], code, data);
		run(&runs[i], ways[i].slice, data[3]);
		if (i > 0)
			must_be_same(&runs[0], &runs[i]);
		code_free(code);
	}
	free(bytes);
	return 0;
}
