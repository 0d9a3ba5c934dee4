/* Two harts alike, of which the first is interpreted and the second has a translation: each with separate code, data,
 * input registers and host. Whatever is done with both, nothing may tell them apart. */
#ifndef SAHM_TESTS_UNIT_IPU_JIT_MADE_TWIN_H
#define SAHM_TESTS_UNIT_IPU_JIT_MADE_TWIN_H

#include "sim/base/array.h"
#include "tests/helper/encode.h"
#include "tests/helper/random.h"
#include "tests/unit/engine.h"

#define TWIN_CODE_BASE 0x1000u
#define TWIN_CODE_BYTES 4096u
#define TWIN_DATA_BASE 0x20000u
#define TWIN_DATA_BYTES 256u
/* Of a device, which answers. */
#define TWIN_DEVICE 0x80000000u
#define TWIN_DEVICE_BYTES 256u
/* Stores there end the run; loads from there change data. */
#define TWIN_DEVICE_END (TWIN_DEVICE + 16)
#define TWIN_DEVICE_MEDDLER (TWIN_DEVICE + 32)
/* An environment call sets the register whose number is in a7 to this. */
#define TWIN_SET_VALUE (TWIN_DATA_BASE + TWIN_DATA_BYTES - 4)

enum twin_kind {
	TWIN_CHANGING,
	TWIN_FIXED,
	TWIN_FLAT, /* changing, and the code is the data */
	NR_TWIN_KINDS
};

static const char *const twin_kind_names[NR_TWIN_KINDS] = {"changing", "fixed", "flat"};

struct twin_side {
	struct hart h;
	struct code *code;
	uint8_t code_bytes[TWIN_CODE_BYTES], data[TWIN_DATA_BYTES];
	uint64_t inputs[32];
	uint64_t told; /* a hash of what the host was asked, and what it could see then */
};

struct twin {
	enum twin_kind kind;
	struct twin_side sides[2];
	const char *name; /* for messages; NULL: it has none */
	uint64_t index;
	uint32_t at; /* how much code there is */
};

static inline void twin_init(struct twin *t, enum twin_kind kind)
{
	memset(t, 0, sizeof(*t));
	t->kind = kind;
	for (unsigned i = 0; i < 2; i++) {
		for (unsigned k = 0; k < TWIN_DATA_BYTES; k++)
			t->sides[i].data[k] = (uint8_t)(0x80 + 5 * k);
		for (uint64_t k = 0; k < 32; k++)
			t->sides[i].inputs[k] = k << 33 | (7 * k + 1);
	}
}

/* Appends an instruction. */
static inline void twin_add(struct twin *t, uint32_t word)
{
	for (unsigned i = 0; i < ((word & 3) == 3 ? 4 : 2); i++, t->at++) {
		assert_true(t->at < TWIN_CODE_BYTES);
		t->sides[0].code_bytes[t->at] = t->sides[1].code_bytes[t->at] = (uint8_t)(word >> 8 * i);
	}
}

/* Loads a constant, by two instructions. */
static inline void twin_li(struct twin *t, uint32_t rd, uint32_t value)
{
	twin_add(t, encode_lui(rd, upper_part(value)));
	twin_add(t, encode_addi(rd, rd, value));
}

static inline void twin_tell(struct hart *h, uint32_t a, uint32_t b, uint32_t c)
{
	struct twin_side *s = h->context;
	const uint64_t parts[] = {a, b, c, h->pc, h->nr_retired};
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		s->told = next_random(&s->told) ^ parts[i];
	for (unsigned i = 0; i < NR_REGISTERS; i++)
		s->told = next_random(&s->told) ^ h->x[i];
}

static inline bool twin_load(struct hart *h, uint32_t address, unsigned nr_bytes, uint32_t *value)
{
	struct twin_side *s = h->context;
	twin_tell(h, 1, address, nr_bytes);
	*value = (uint32_t)s->told;
	if (address - TWIN_DEVICE_MEDDLER < 16)
		s->data[s->told >> 48 & 63] ^= 1;
	return address - TWIN_DEVICE < TWIN_DEVICE_BYTES;
}

static inline bool twin_store(struct hart *h, uint32_t address, unsigned nr_bytes, uint32_t value)
{
	twin_tell(h, 2 + nr_bytes, address, value);
	if (address - TWIN_DEVICE_END < 16)
		h->cause = HART_EXITED;
	return address - TWIN_DEVICE < TWIN_DEVICE_BYTES;
}

static inline bool twin_csr_read(struct hart *h, uint32_t csr, uint32_t *value)
{
	twin_tell(h, 8, csr, 0);
	*value = (uint32_t)((struct twin_side *)h->context)->told;
	return csr >> 8 == 8;
}

static inline bool twin_csr_write(struct hart *h, uint32_t csr, uint32_t value)
{
	twin_tell(h, 9, csr, value);
	h->nr_extra += value % 3;
	return csr >> 8 == 8;
}

static inline bool twin_call(struct hart *h)
{
	twin_tell(h, 10, 0, 0);
	hart_set_register(h, hart_register(h, HART_A7) % NR_REGISTERS, TWIN_SET_VALUE);
	return true;
}

static const struct hart_host twin_host = {twin_load, twin_store, twin_csr_read, twin_csr_write, twin_call};

/* Makes both ready, at the beginning of the code; the harts are changed after it, except for the state that
 * translations depend on: that is what `traps_misaligned` and the store window (NULL: all data) are for. */
struct twin_shape {
	bool traps_misaligned, has_host;
	uint32_t first_store, end_of_stores; /* offsets; both 0: all data */
};

static inline void twin_begin(struct twin *t, const struct twin_shape *shape)
{
	struct sahm_err err;
	for (unsigned i = 0; i < 2; i++) {
		struct twin_side *s = &t->sides[i];
		uint8_t *data = t->kind == TWIN_FLAT ? s->code_bytes : s->data;
		uint32_t base = t->kind == TWIN_FLAT ? TWIN_CODE_BASE : TWIN_DATA_BASE;
		uint32_t nr_bytes = t->kind == TWIN_FLAT ? TWIN_CODE_BYTES : TWIN_DATA_BYTES;
		unsigned flags = t->kind == TWIN_FIXED ? CODE_FIXED : 0;
		assert_int_equal(code_new(&s->code, TWIN_CODE_BASE, s->code_bytes, TWIN_CODE_BYTES, flags, &err),
				 SAHM_OK);
		hart_init(&s->h, s->code);
		hart_set_memory(&s->h, base, data, nr_bytes);
		if (shape->end_of_stores)
			hart_set_store_window(&s->h, base + shape->first_store, base + shape->end_of_stores);
		s->h.traps_misaligned = shape->traps_misaligned;
		s->h.host = shape->has_host ? &twin_host : NULL;
		s->h.context = s;
		s->h.inputs = s->inputs;
		if (i == 1)
			s->h.translation = translation_new(&s->h);
	}
}

static inline void twin_set(struct twin *t, unsigned i, uint32_t value)
{
	hart_set_register(&t->sides[0].h, i, value);
	hart_set_register(&t->sides[1].h, i, value);
}

static inline void twin_jump(struct twin *t, uint32_t offset)
{
	hart_jump(&t->sides[0].h, TWIN_CODE_BASE + offset);
	hart_jump(&t->sides[1].h, TWIN_CODE_BASE + offset);
}

static inline void assert_twins(const struct twin *t, const char *when, uint64_t budget)
{
	const struct twin_side *interp = &t->sides[0], *jit = &t->sides[1];
	char why[128];
	snprintf(why, sizeof(why), "%s %llu, %s, %s %llu", t->name ? t->name : "", (unsigned long long)t->index,
		 twin_kind_names[t->kind], when, (unsigned long long)budget);
	assert_same_harts(&interp->h, &jit->h, why);
	if (interp->told != jit->told)
		fail_msg("%s: the host was asked something else", why);
	if (memcmp(interp->data, jit->data, TWIN_DATA_BYTES) == 0 &&
	    memcmp(interp->code_bytes, jit->code_bytes, TWIN_CODE_BYTES) == 0)
		return;
	for (unsigned i = 0; i < TWIN_DATA_BYTES; i++)
		if (interp->data[i] != jit->data[i])
			fail_msg("%s: data byte %u is 0x%x by interp, 0x%x by jit", why, i, interp->data[i],
				 jit->data[i]);
	for (unsigned i = 0; i < TWIN_CODE_BYTES; i++)
		if (interp->code_bytes[i] != jit->code_bytes[i])
			fail_msg("%s: code byte %u is 0x%x by interp, 0x%x by jit", why, i, interp->code_bytes[i],
				 jit->code_bytes[i]);
}

/* Runs both; they are the same afterwards. */
static inline enum hart_cause twin_run(struct twin *t, uint64_t budget)
{
	enum hart_cause interp = hart_interpret(&t->sides[0].h, budget), jit = hart_run(&t->sides[1].h, budget);
	assert_twins(t, "budget", budget);
	assert_int_equal(interp, jit);
	return jit;
}

/* The same in slices, up to `budget`, or up to what is not the end of a slice. */
static inline enum hart_cause twin_run_in(struct twin *t, uint64_t slice, uint64_t budget)
{
	enum hart_cause cause = HART_BUDGET;
	while (budget > 0 && cause == HART_BUDGET) {
		uint64_t piece = slice < budget ? slice : budget;
		cause = twin_run(t, piece);
		budget -= piece;
	}
	return cause;
}

/* Forgets on both sides what has been decoded. */
static inline void twin_discard(struct twin *t)
{
	code_discard(t->sides[0].code);
	code_discard(t->sides[1].code);
}

static inline struct translation_counts twin_counts(const struct twin *t)
{
	return translation_counts(t->sides[1].h.translation);
}

static inline void twin_end(struct twin *t)
{
	made_translation_free(&t->sides[1].h);
	code_free(t->sides[0].code);
	code_free(t->sides[1].code);
}

#endif
