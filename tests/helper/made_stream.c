#include "tests/helper/made_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/helper/random.h"

/* A block and what its executions do. */
struct made_block {
	struct insn *instructions;
	unsigned nr;
	uint32_t id;
	uint32_t likely[2]; /* what follows most of the time */
	unsigned *usual;    /* accesses of each instruction, usually */
	uint64_t *next;	    /* address that each would have if it had a pattern */
	uint64_t *stride;
};

struct insn made_instruction(uint64_t pc, unsigned length, enum insn_class kind, uint64_t target)
{
	struct insn in = {.pc = pc,
			  .target = target,
			  .length = (uint8_t)length,
			  .class = (uint8_t)kind,
			  .destination = NO_REGISTER};
	memset(in.source, NO_REGISTER, sizeof(in.source));
	return in;
}

static void *must(void *p)
{
	if (!p) {
		fprintf(stderr, "out of memory\n");
		abort();
	}
	return p;
}

static uint8_t some_register(uint64_t *rng)
{
	return one_in(rng, 4) ? NO_REGISTER : (uint8_t)between(rng, 0, NR_INSN_REGISTERS - 1);
}

static uint64_t make_block(struct made_block *b, const struct made_options *o, uint64_t pc, uint64_t *rng)
{
	static const uint64_t strides[] = {0, 8, 64, 4096, UINT64_MAX - 7};
	b->nr = (unsigned)between(rng, 1, o->max_instructions);
	b->instructions = must(calloc(b->nr, sizeof(*b->instructions)));
	b->usual = must(calloc(b->nr, sizeof(*b->usual)));
	b->next = must(calloc(b->nr, sizeof(*b->next)));
	b->stride = must(calloc(b->nr, sizeof(*b->stride)));
	for (unsigned i = 0; i < b->nr; i++) {
		struct insn *in = &b->instructions[i];
		enum insn_class class = (enum insn_class)between(rng, 0, NR_INSN_CLASSES - 1);
		if (i + 1 < b->nr && insn_is_branch(class) && !one_in(rng, 50))
			class = INSN_INTEGER;
		*in = made_instruction(pc, (unsigned)between(rng, 1, MAX_INSN_BYTES), class,
				       insn_has_target(class) ? next_random(rng) >> between(rng, 0, 63) : 0);
		for (unsigned s = 0; s < MAX_SOURCES; s++)
			in->source[s] = some_register(rng);
		in->destination = some_register(rng);
		pc += in->length;
		/* Not all code is straight: given values are kept. */
		if (one_in(rng, 100))
			pc = next_random(rng);
		if (one_in(rng, 3))
			b->usual[i] = one_in(rng, 8) ? (unsigned)between(rng, 1, o->max_accesses) : 1;
		b->next[i] = next_random(rng) >> between(rng, 0, 40);
		b->stride[i] = PICK(rng, strides);
	}
	b->likely[0] = (uint32_t)between(rng, 0, o->nr_blocks - 1);
	b->likely[1] = (uint32_t)between(rng, 0, o->nr_blocks - 1);
	return pc;
}

static bool is_neighbour(const struct access *accesses, unsigned nr, const struct access *a)
{
	for (unsigned i = nr; i-- > 0;)
		if (accesses[i].is_store == a->is_store)
			return accesses[i].address + accesses[i].bytes == a->address;
	return false;
}

/* The accesses of one execution; a writer may get each in pieces. */
static unsigned make_accesses(struct made_block *b, unsigned i, const struct made_options *o, uint64_t *rng,
			      struct stream_writer *w, struct access out[MAX_ACCESSES])
{
	unsigned nr = b->usual[i], made = 0;
	if (between(rng, 1, 100) <= o->odd_pct)
		nr = (unsigned)between(rng, 0, o->max_accesses);
	for (unsigned n = 0; n < nr; n++) {
		struct access a = {b->next[i], 8, n % 2 == 1};
		bool is_wild = between(rng, 1, 100) <= o->wild_pct;
		if (is_wild)
			a.address = next_random(rng) >> between(rng, 0, 50);
		else
			b->next[i] += b->stride[i];
		if (between(rng, 1, 100) <= o->odd_pct)
			a.bytes = (uint32_t)between(rng, 1, MAX_ACCESS_BYTES);
		if (is_neighbour(out, made, &a))
			continue;
		uint32_t first = a.bytes > 1 && one_in(rng, 4) ? (uint32_t)between(rng, 1, a.bytes - 1) : 0;
		if (first > 0)
			stream_writer_access(w, i, a.address, first, a.is_store);
		stream_writer_access(w, i, a.address + first, a.bytes - first, a.is_store);
		out[made++] = a;
	}
	return made;
}

static void record(struct made_stream *m, const struct insn *in, const struct access *accesses, unsigned nr)
{
	if (m->nr == m->room) {
		m->room = m->room ? 2 * m->room : 1024;
		m->executed = must(realloc(m->executed, m->room * sizeof(*m->executed)));
	}
	struct made_executed *e = &m->executed[m->nr++];
	*e = (struct made_executed){.instruction = *in, .nr_accesses = nr};
	memcpy(e->accesses, accesses, nr * sizeof(*accesses));
}

/* The successor of each is known once all are there. */
static void complete(struct made_stream *m)
{
	for (size_t i = 0; i < m->nr; i++) {
		struct made_executed *e = &m->executed[i];
		e->next_pc = i + 1 < m->nr ? e[1].instruction.pc : 0;
		if (e->instruction.class == INSN_BRANCH)
			e->taken = i + 1 < m->nr && e->next_pc != 0 &&
				   e->next_pc != e->instruction.pc + e->instruction.length;
		else
			e->taken = insn_is_branch((enum insn_class)e->instruction.class);
	}
}

void made_stream_write(struct stream_writer *w, const struct made_options *o, struct made_stream *out)
{
	uint64_t rng = o->seed, pc = 0x10000;
	struct made_block *blocks = must(calloc(o->nr_blocks, sizeof(*blocks)));
	struct access accesses[MAX_ACCESSES];
	*out = (struct made_stream){0};
	out->epochs = must(calloc(o->nr_epochs + 1, sizeof(*out->epochs)));
	for (unsigned i = 0; i < o->nr_blocks; i++) {
		pc = make_block(&blocks[i], o, pc, &rng);
		blocks[i].id = stream_writer_block(w, blocks[i].instructions, blocks[i].nr);
	}
	uint32_t at = 0;
	for (unsigned e = 0; e < o->nr_epochs; e++) {
		out->epochs[out->nr_epochs++] = out->nr;
		for (unsigned n = 0; n < o->entries; n++) {
			struct made_block *b = &blocks[at];
			/* Announced again, it is the same. */
			uint32_t id = one_in(&rng, 1000) ? stream_writer_block(w, b->instructions, b->nr) : b->id;
			stream_writer_enter(w, id);
			for (unsigned i = 0; i < b->nr; i++) {
				unsigned nr = make_accesses(b, i, o, &rng, w, accesses);
				if (!o->omit_record)
					record(out, &b->instructions[i], accesses, nr);
			}
			at = one_in(&rng, 10) ? (uint32_t)between(&rng, 0, o->nr_blocks - 1)
					      : b->likely[one_in(&rng, 5)];
		}
		stream_writer_end_epoch(w);
	}
	complete(out);
	for (unsigned i = 0; i < o->nr_blocks; i++) {
		free(blocks[i].instructions);
		free(blocks[i].usual);
		free(blocks[i].next);
		free(blocks[i].stride);
	}
	free(blocks);
}

void made_stream_release(struct made_stream *m)
{
	free(m->executed);
	free(m->epochs);
	*m = (struct made_stream){0};
}
