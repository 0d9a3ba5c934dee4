/* Temporal analysis: slots in doubt and lengths of recoveries, on signals that are worked out by hand, and on drawn
 * ones compared with a search around every cycle. */
#include "cores/uarch/temporal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/helper/random.h"
#include "tests/unit/test.h"

#define MAX_CYCLES 4000u

/* A letter a cycle: what is high in it. */
enum { BUBBLES = 1, REFILL = 2, RECOVERING = 4, FLUSH = 8 };

static struct {
	uint8_t of[MAX_CYCLES];
	unsigned nr_bubbles[MAX_CYCLES];
	uint64_t nr;
} seen;

static void pass_on(struct temporal *t)
{
	for (uint64_t c = 0; c < seen.nr;) {
		struct signal_run run = {.first = c};
		do {
			run.nr++;
		} while (c + run.nr < seen.nr && seen.of[c + run.nr] == seen.of[c] &&
			 seen.nr_bubbles[c + run.nr] == seen.nr_bubbles[c]);
		run.lanes[SIGNAL_FETCH_BUBBLE] = (1u << seen.nr_bubbles[c]) - 1;
		run.lanes[SIGNAL_ICACHE_REFILL] = (seen.of[c] & REFILL) != 0;
		run.lanes[SIGNAL_RECOVERING] = (seen.of[c] & RECOVERING) != 0;
		run.lanes[SIGNAL_FLUSH_FENCE] = (seen.of[c] & FLUSH) != 0;
		temporal_take(t, &run);
		c += run.nr;
	}
}

/* '.' nothing, 'b' a bubble, 'i' refill, 'r' recovering, 'f' a flush; capitals: with a bubble; 'x' recovering and a
 * flush. */
static void take_text(const char *text)
{
	seen.nr = strlen(text);
	for (uint64_t c = 0; c < seen.nr; c++) {
		static const char letters[] = ".bi.r...f...x";
		char lower = (char)(text[c] >= 'A' && text[c] <= 'Z' ? text[c] + ('a' - 'A') : text[c]);
		seen.of[c] = (uint8_t)(strchr(letters, lower) - letters);
		seen.nr_bubbles[c] = lower == 'b' || lower != text[c];
	}
}

static void check_doubtful(unsigned padding, const char *text, uint64_t expected)
{
	struct temporal_counts counts;
	struct temporal *t = temporal_new(padding);
	take_text(text);
	pass_on(t);
	assert_true(temporal_end(t, &counts));
	if (counts.doubtful != expected)
		fail_msg("padding %u, \"%s\": %lu slots in doubt", padding, text, counts.doubtful);
	assert_int_equal(counts.cycles, strlen(text));
	temporal_free(t);
}

static void test_slots_in_doubt(void **state)
{
	(void)state;
	check_doubtful(2, "i..b..r", 0);
	check_doubtful(3, "i..b..r", 1);
	check_doubtful(3, "r..b..i", 1);
	check_doubtful(3, "i..bbbr", 1);
	check_doubtful(3, "bb.ir.bb", 2);
	check_doubtful(2, "bb.i.bb", 0);
	check_doubtful(50, "I", 0);
	check_doubtful(0, "ir", 0);
	check_doubtful(50, "b....irb", 2);
}

static void check_lengths(const char *text, const char *expected)
{
	struct temporal_counts counts;
	struct temporal *t = temporal_new(0);
	char lengths[100] = "";
	take_text(text);
	pass_on(t);
	assert_true(temporal_end(t, &counts));
	for (size_t i = 0; i < counts.nr_lengths; i++)
		for (uint64_t k = 0; k < counts.of_length[i]; k++)
			snprintf(lengths + strlen(lengths), sizeof(lengths) - strlen(lengths), "%zu ", i);
	if (strcmp(lengths, expected) != 0)
		fail_msg("\"%s\": lengths %s", text, lengths);
	temporal_free(t);
}

static void test_lengths_of_recoveries(void **state)
{
	(void)state;
	check_lengths("", "");
	check_lengths("....", "");
	check_lengths("frrrr.frr", "2 4 ");
	check_lengths("frrxrrr..", "3 3 "); /* the flush begins another one */
	check_lengths("fxxr", "1 1 1 ");
	check_lengths("frrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr.fr", "1 72 ");
}

static bool is_near(uint64_t c, unsigned padding, uint8_t what)
{
	uint64_t from = c > padding ? c - padding : 0;
	for (uint64_t i = from; i < seen.nr && i <= c + padding; i++)
		if (seen.of[i] & what)
			return true;
	return false;
}

static void test_drawn_signals(void **state)
{
	uint64_t rng = 35;
	(void)state;
	for (unsigned i = 0; i < 300; i++) {
		unsigned padding = (unsigned)next_random(&rng) % 80, rarity = 2 + (unsigned)next_random(&rng) % 60;
		uint64_t doubtful = 0;
		struct temporal_counts counts;
		struct temporal *t = temporal_new(padding);
		seen.nr = 1 + next_random(&rng) % MAX_CYCLES;
		for (uint64_t c = 0; c < seen.nr; c++) {
			bool same = c > 0 && next_random(&rng) % 4 > 0;
			seen.of[c] = same ? seen.of[c - 1] : 0;
			seen.nr_bubbles[c] = same ? seen.nr_bubbles[c - 1] : (unsigned)next_random(&rng) % 4;
			seen.of[c] |= !same && next_random(&rng) % rarity == 0 ? REFILL : 0;
			seen.of[c] |= !same && next_random(&rng) % rarity == 0 ? RECOVERING : 0;
		}
		for (uint64_t c = 0; c < seen.nr; c++)
			if (is_near(c, padding, REFILL) && is_near(c, padding, RECOVERING))
				doubtful += seen.nr_bubbles[c];
		pass_on(t);
		assert_true(temporal_end(t, &counts));
		if (counts.doubtful != doubtful)
			fail_msg("case %u: %lu slots in doubt instead of %lu", i, counts.doubtful, doubtful);
		temporal_free(t);
	}
}

TEST_FILE(test_temporal)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_slots_in_doubt),
		cmocka_unit_test(test_lengths_of_recoveries),
		cmocka_unit_test(test_drawn_signals),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
