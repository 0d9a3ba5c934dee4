/* Tests that are run by each engine. Harts that are run by made_run() get a translation of their code when the engine
 * under test is the translator; on a host without one only the interpreter is tested, and the test prints that. */
#ifndef SAHM_TESTS_UNIT_ENGINE_H
#define SAHM_TESTS_UNIT_ENGINE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ipu/core/code_internal.h"
#include "ipu/jit/translation.h"
#include "tests/unit/test.h"

/* Which engine it is. */
static enum hart_engine tested_engine;

/* How often a piece of changing code is run until it has surely been translated; whole runs up to this number of
 * instructions are repeated this often, and compared in all budgets up to the other. */
#define MADE_HOT_RUNS 40u
#define MADE_HOT_BUDGET 200u
#define MADE_NEAR_BUDGET 9u

/* Whether the translator is tested: not where there is none, nor with SAHM_IPU_INTERP in the environment, for valgrind,
 * which would translate the code again, slowly. */
static inline bool tests_translator(void)
{
	return translation_is_available() && !getenv("SAHM_IPU_INTERP");
}

/* Gives `h` a translation if it needs one and has none. Bounds and windows must be as given. */
static inline void made_translate(struct hart *h)
{
	if (tested_engine == HART_JIT && !h->translation)
		h->translation = translation_new(h);
}

/* Before its code is freed. */
static inline void made_translation_free(struct hart *h)
{
	translation_free(h->translation);
	h->translation = NULL;
}

/* All that can be seen of two harts is the same; `why` is printed where it is not. */
static inline void assert_same_harts(const struct hart *interp, const struct hart *jit, const char *why)
{
	bool same = interp->cause == jit->cause && interp->pc == jit->pc && interp->nr_retired == jit->nr_retired &&
		    interp->nr_extra == jit->nr_extra && interp->loop_left == jit->loop_left &&
		    interp->loop_start == jit->loop_start && interp->loop_end == jit->loop_end &&
		    interp->written_csr == jit->written_csr && interp->written_value == jit->written_value;
	if (same && hart_cause_is_fault((enum hart_cause)interp->cause))
		same = interp->address == jit->address;
	if (!same)
		fail_msg("%s: interp: %s at 0x%x after %llu, address 0x%x; jit: %s at 0x%x after %llu, address 0x%x",
			 why, hart_cause_text((enum hart_cause)interp->cause), interp->pc,
			 (unsigned long long)interp->nr_retired, interp->address,
			 hart_cause_text((enum hart_cause)jit->cause), jit->pc, (unsigned long long)jit->nr_retired,
			 jit->address);
	for (unsigned i = 0; i < NR_REGISTERS; i++)
		if (hart_register(interp, i) != hart_register(jit, i))
			fail_msg("%s: x%u is 0x%x by interp, 0x%x by jit", why, i, hart_register(interp, i),
				 hart_register(jit, i));
}

/* The interpreter and the translator from where `h` stands, by this budget, `nr` times; then all is as it was. Only for
 * harts without hosts that do not change their code. */
static inline void assert_engines_agree(struct hart *h, uint64_t budget, unsigned nr)
{
	const struct hart before = *h;
	size_t nr_bytes = h->data_bytes;
	uint8_t *memory = malloc(2 * nr_bytes + 1), *wanted = memory + nr_bytes;
	char why[64];
	assert_non_null(memory);
	snprintf(why, sizeof(why), "budget %llu", (unsigned long long)budget);
	for (size_t i = 0; i < nr_bytes; i++)
		memory[i] = h->data[i];
	hart_interpret(h, budget);
	const struct hart interpreted = *h;
	for (size_t i = 0; i < nr_bytes; i++)
		wanted[i] = h->data[i];
	for (unsigned run = 0; run < nr; run++) {
		*h = before;
		for (size_t i = 0; i < nr_bytes; i++)
			h->data[i] = memory[i];
		enum hart_cause cause = hart_run(h, budget);
		assert_int_equal(cause, h->cause);
		assert_same_harts(&interpreted, h, why);
		for (size_t i = 0; i < nr_bytes; i++)
			if (h->data[i] != wanted[i])
				fail_msg("%s: data byte %zu is 0x%x by interp, 0x%x by jit", why, i, wanted[i],
					 h->data[i]);
	}
	*h = before;
	for (size_t i = 0; i < nr_bytes; i++)
		h->data[i] = memory[i];
	free(memory);
}

static inline bool made_can_rehearse(const struct hart *h)
{
	const uint8_t *code = h->code->bytes;
	return h->translation && !h->host &&
	       (h->data_bytes == 0 || h->data + h->data_bytes <= code || code + h->code->nr_bytes <= h->data);
}

/* hart_run() by the engine under test. By the translator: when the code is hot, whether it changes or not, and having
 * held it against the interpreter, where that can be done unseen. */
static inline enum hart_cause made_run(struct hart *h, uint64_t budget)
{
	made_translate(h);
	if (made_can_rehearse(h)) {
		assert_engines_agree(h, MADE_HOT_BUDGET, MADE_HOT_RUNS);
		for (uint64_t near = 1; near <= MADE_NEAR_BUDGET; near++)
			assert_engines_agree(h, near, 2);
	}
	return hart_run(h, budget);
}

static inline enum hart_cause made_call(struct hart *h, uint32_t entry, uint64_t budget)
{
	hart_enter(h, entry);
	return made_run(h, budget);
}

/* All tests of an array, by each engine: what the function of a test file returns. */
#define RUN_BY_EACH_ENGINE(tests) run_by_each_engine(tests, ARRAY_SIZE(tests))

static inline int run_by_each_engine(const struct CMUnitTest *tests, size_t nr)
{
	int nr_failed = 0;
	for (unsigned e = 0; e < NR_HART_ENGINES; e++) {
		tested_engine = (enum hart_engine)e;
		if (tested_engine == HART_JIT && !tests_translator())
			print_message("not by %s: there is no translator for this host, or it is not wanted\n",
				      hart_engine_name(HART_JIT));
		else
			nr_failed += _cmocka_run_group_tests(hart_engine_name(tested_engine), tests, nr, NULL, NULL);
	}
	return nr_failed;
}

#endif
