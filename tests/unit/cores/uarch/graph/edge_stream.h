/* Instructions for tests of EDGE blocks, and the blocks that are made of them. */
#ifndef SAHM_TESTS_UNIT_CORES_UARCH_GRAPH_EDGE_STREAM_H
#define SAHM_TESTS_UNIT_CORES_UARCH_GRAPH_EDGE_STREAM_H

#include <stdlib.h>

#include "cores/uarch/graph/edge_block.h"
#include "tests/unit/test.h"

#define NONE NO_REGISTER

struct made_blocks {
	struct edge_block *blocks;
	size_t nr, room;
};

static inline void keep_block(void *ctx, const struct edge_block *b)
{
	struct made_blocks *m = ctx;
	if (m->nr == m->room) {
		m->room = m->room > 0 ? 2 * m->room : 4;
		m->blocks = realloc(m->blocks, m->room * sizeof(*m->blocks));
		assert_non_null(m->blocks);
	}
	m->blocks[m->nr++] = *b;
}

static inline struct insn insn_of(uint64_t pc, enum insn_class class, uint8_t destination, uint8_t a, uint8_t b)
{
	return (struct insn){.pc = pc,
			     .length = 4,
			     .class = (uint8_t) class,
			     .source = {a, b, NO_REGISTER},
			     .destination = destination};
}

static inline unsigned count_kind(const struct edge_block *b, enum edge_kind kind)
{
	unsigned nr = 0;
	for (unsigned i = 0; i < b->nr; i++)
		nr += b->insns[i].kind == kind;
	return nr;
}

#endif
