/* Counts of instructions and of pairs. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "ipu/core/instruction_histogram.h"

/* Words that were decoded before: taking one apart means a search in the list, and loops ask for the same few again and
 * again. The decoding of a word depends on nothing else, so no entry ever becomes wrong. */
#define NR_KNOWN 1024

struct known_word {
	uint32_t word;
	uint8_t id;
	uint8_t nr_bytes; /* 0: nothing is here yet */
	bool ends_block;  /* the next instruction in memory is not always executed next */
};

void histogram_init(struct instruction_histogram *g)
{
	memset(g, 0, sizeof(*g));
	g->last = INSTRUCTION_ILLEGAL;
}

static const struct known_word *find_word(struct known_word *known, uint32_t word)
{
	struct known_word *k = &known[(word * UINT32_C(2654435761)) >> 22];
	if (k->nr_bytes && k->word == word)
		return k;
	struct instruction in;
	instruction_decode(word, &in);
	*k = (struct known_word){.word = word, .id = in.id, .nr_bytes = in.nr_bytes};
	if (in.id != INSTRUCTION_ILLEGAL)
		k->ends_block = operation_properties[instruction_rows[in.id].operation] & OP_ENDS_BLOCK;
	return k;
}

static void count(struct instruction_histogram *g, const struct known_word *k, uint32_t pc)
{
	g->nr[k->id]++;
	if (g->last != INSTRUCTION_ILLEGAL && k->id != INSTRUCTION_ILLEGAL && pc == g->next_pc)
		g->nr_pairs[g->last][k->id]++;
	g->last = k->ends_block ? INSTRUCTION_ILLEGAL : k->id;
	g->next_pc = pc + k->nr_bytes;
}

enum hart_cause histogram_run(struct instruction_histogram *g, struct hart *h, uint64_t budget)
{
	struct known_word known[NR_KNOWN];
	enum hart_cause cause = hart_interpret(h, 0);
	memset(known, 0, sizeof(known));
	for (uint64_t i = 0; i < budget; i++) {
		uint32_t pc = h->pc, word = code_word(h->code, pc);
		uint64_t nr_retired = h->nr_retired;
		if (!riscv_is_wide(word))
			word &= 0xffff;
		const struct known_word *k = find_word(known, word);
		cause = hart_interpret(h, 1);
		if (h->nr_retired != nr_retired)
			count(g, k, pc);
		if (cause != HART_BUDGET)
			break;
	}
	return cause;
}

/* A row of a table; `second` is INSTRUCTION_ILLEGAL where it is about single instructions. */
struct row {
	uint64_t nr;
	uint8_t first, second;
};

/* Most frequent first, those of one count in the order of the list. */
static int compare_rows(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	if (x->nr != y->nr)
		return x->nr < y->nr ? 1 : -1;
	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return x->second < y->second ? -1 : x->second > y->second;
}

static void write_row(struct textbuf *out, const struct row *r, uint64_t total)
{
	const char *first = r->first == INSTRUCTION_ILLEGAL ? "(changed)" : instruction_rows[r->first].name;
	const char *second = r->second == INSTRUCTION_ILLEGAL ? "" : instruction_rows[r->second].name;
	textbuf_printf(out, "%-12s %-12s %20" PRIu64 " %7.3f %%\n", first, second, r->nr,
		       100.0 * (double)r->nr / (double)total);
}

/* The pair that follows `previous` in the table; its count is 0 when there is none. */
static struct row next_pair(const struct instruction_histogram *g, const struct row *previous)
{
	struct row best = {0};
	for (unsigned i = 0; i < NR_INSTRUCTIONS; i++) {
		for (unsigned j = 0; j < NR_INSTRUCTIONS; j++) {
			struct row r = {g->nr_pairs[i][j], (uint8_t)i, (uint8_t)j};
			if (r.nr > best.nr && compare_rows(previous, &r) < 0)
				best = r;
		}
	}
	return best;
}

void histogram_write(const struct instruction_histogram *g, unsigned nr_pairs, struct textbuf *out)
{
	struct row rows[NR_INSTRUCTIONS + 1];
	size_t nr_rows = 0;
	uint64_t total = 0;
	for (unsigned i = 0; i <= INSTRUCTION_ILLEGAL; i++) {
		total += g->nr[i];
		if (g->nr[i])
			rows[nr_rows++] = (struct row){g->nr[i], (uint8_t)i, INSTRUCTION_ILLEGAL};
	}
	qsort(rows, nr_rows, sizeof(rows[0]), compare_rows);
	textbuf_printf(out, "%-25s %20" PRIu64 "\n", "instructions", total);
	for (size_t i = 0; i < nr_rows; i++)
		write_row(out, &rows[i], total);
	struct row pair = next_pair(g, &(struct row){.nr = UINT64_MAX});
	for (unsigned i = 0; i < nr_pairs && pair.nr; i++) {
		if (i == 0)
			textbuf_puts(out, "\npairs\n");
		write_row(out, &pair, total);
		pair = next_pair(g, &pair);
	}
}
