#include "workloads/stream/stream_summary.h"

#include <stdlib.h>
#include <string.h>

/* Different numbers, in an open table. */
struct numbers {
	uint64_t *table; /* each plus 1; 0: free */
	uint64_t nr, room;
};

static uint64_t *place_of(const struct numbers *n, uint64_t key)
{
	uint64_t at = (key * UINT64_C(0x9e3779b97f4a7c15)) >> 20 & (n->room - 1);
	while (n->table[at] != 0 && n->table[at] != key)
		at = (at + 1) & (n->room - 1);
	return &n->table[at];
}

static bool grow(struct numbers *n)
{
	struct numbers bigger = {.nr = n->nr, .room = n->room ? 2 * n->room : 4096};
	bigger.table = calloc(bigger.room, sizeof(*bigger.table));
	if (!bigger.table)
		return false;
	for (uint64_t i = 0; i < n->room; i++)
		if (n->table[i] != 0)
			*place_of(&bigger, n->table[i]) = n->table[i];
	free(n->table);
	*n = bigger;
	return true;
}

/* Adds a number that is not there yet. False when memory is short. */
static bool add(struct numbers *n, uint64_t number)
{
	/* The highest of all addresses is counted as the lowest one. */
	uint64_t key = number == UINT64_MAX ? 1 : number + 1;
	if (n->nr >= n->room / 2 && !grow(n))
		return false;
	uint64_t *place = place_of(n, key);
	n->nr += *place == 0;
	*place = key;
	return true;
}

static void count(struct stream_summary *out, const struct executed *e)
{
	out->instructions++;
	out->by_class[e->instruction->class]++;
	out->taken += e->instruction->class == INSN_BRANCH && e->taken;
	for (unsigned i = 0; i < e->nr_accesses; i++) {
		const struct access *a = &e->accesses[i];
		*(a->is_store ? &out->stores : &out->loads) += 1;
		*(a->is_store ? &out->store_bytes : &out->load_bytes) += a->bytes;
	}
}

enum sahm_status stream_summarize(struct stream *s, struct stream_summary *out, struct sahm_err *err)
{
	struct numbers instructions = {0}, blocks = {0}, lines = {0};
	struct executed e;
	bool more = true, begins = true;
	enum sahm_status status = SAHM_OK;
	*out = (struct stream_summary){0};
	if (stream_nr_epochs(s) > 0)
		status = stream_seek(s, 0, err);
	while (status == SAHM_OK && (status = stream_next(s, &e, &more, err)) == SAHM_OK && more) {
		const struct insn *in = e.instruction;
		count(out, &e);
		if (!add(&instructions, in->pc) || !add(&lines, in->pc / CODE_LINE_BYTES) ||
		    (begins && !add(&blocks, in->pc)))
			status = sahm_fail_nomem(err);
		begins = insn_is_branch((enum insn_class)in->class) || e.next_pc != in->pc + in->length;
	}
	out->code_instructions = instructions.nr;
	out->code_blocks = blocks.nr;
	out->code_lines = lines.nr;
	free(instructions.table);
	free(blocks.table);
	free(lines.table);
	return status;
}
