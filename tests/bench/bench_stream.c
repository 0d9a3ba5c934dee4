/* Speed of writing and reading instruction streams, and what an instruction takes: a made-up program of functions with
 * stack frames, loops over arrays, branches by chance and tables that are looked into at random. Its work is laid out
 * before the clock starts. Medians of several runs. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/bench/bench.h"
#include "tests/helper/made_stream.h"
#include "tests/helper/random.h"

#define NR_INSTRUCTIONS 8000000u
#define NR_EPOCHS 2u /* of this number of instructions each */
#define NR_FUNCTIONS 400u
#define MAX_BLOCKS 12u
#define MAX_DEPTH 24u

enum kind { KIND_NONE, KIND_STACK, KIND_ARRAY, KIND_TABLE, KIND_GLOBAL };

struct planned_block {
	struct insn in[12];
	enum kind kinds[12];
	uint64_t base[12], at[12];
	unsigned nr, repeats, callee, skip_pct;
	bool calls;
	uint32_t id;
};

struct function {
	struct planned_block blocks[MAX_BLOCKS];
	unsigned nr;
};

/* An action: a block is entered (instruction NOT_ACCESS), or an access. */
#define NOT_ACCESS UINT32_MAX
struct event {
	uint64_t address;
	uint32_t instruction;
	uint32_t block_or_store;
};

static struct function functions[NR_FUNCTIONS];
static struct event *events;
static size_t nr_events, events_room;
static uint64_t rng = 1, nr_instructions, nr_accesses;

static void must(enum sahm_status status, const struct sahm_err *err)
{
	if (status == SAHM_OK)
		return;
	fprintf(stderr, "%s\n", err->msg);
	exit(1);
}

static void plan(void)
{
	static const enum kind kinds[] = {KIND_STACK, KIND_STACK, KIND_ARRAY, KIND_TABLE, KIND_GLOBAL, KIND_GLOBAL};
	static const unsigned repeats[] = {1, 1, 1, 1, 1, 4, 16, 100};
	uint64_t pc = 0x401000, data = 0x7000000;
	for (unsigned f = 0; f < NR_FUNCTIONS; f++) {
		functions[f].nr = (unsigned)between(&rng, 3, MAX_BLOCKS);
		for (unsigned b = 0; b < functions[f].nr; b++) {
			struct planned_block *p = &functions[f].blocks[b];
			bool is_last = b + 1 == functions[f].nr;
			p->nr = (unsigned)between(&rng, 2, 10);
			p->repeats = PICK(&rng, repeats);
			p->calls = !is_last && p->repeats <= 4 && one_in(&rng, 4);
			p->callee = (unsigned)(next_random(&rng) % NR_FUNCTIONS);
			p->skip_pct = one_in(&rng, 3) ? (unsigned)between(&rng, 1, 60) : 0;
			for (unsigned i = 0; i < p->nr; i++) {
				bool ends = i + 1 == p->nr;
				enum insn_class class = !ends	   ? INSN_INTEGER
							: is_last  ? INSN_RETURN
							: p->calls ? INSN_CALL
								   : INSN_BRANCH;
				p->kinds[i] = ends || one_in(&rng, 2) ? KIND_NONE : PICK(&rng, kinds);
				if (p->kinds[i] != KIND_NONE)
					class = one_in(&rng, 3) ? INSN_STORE : INSN_LOAD;
				p->in[i] = made_instruction(pc, (unsigned)between(&rng, 2, 6), class, pc + 64);
				for (unsigned s = 0; s < 2; s++)
					p->in[i].source[s] = (uint8_t)between(&rng, 0, 15);
				p->in[i].destination = (uint8_t)between(&rng, 0, 15);
				p->base[i] = p->kinds[i] == KIND_STACK ? 8 * between(&rng, 0, 20) : data;
				data += p->kinds[i] == KIND_TABLE ? 1 << 20 : 4096;
				pc += p->in[i].length;
			}
		}
	}
}

static void add(uint64_t address, uint32_t instruction, uint32_t block_or_store)
{
	if (nr_events == events_room) {
		events_room = events_room ? 2 * events_room : 1 << 20;
		events = realloc(events, events_room * sizeof(*events));
		if (!events)
			exit(1);
	}
	events[nr_events++] = (struct event){address, instruction, block_or_store};
}

static uint64_t address_of(struct planned_block *p, unsigned i, uint64_t sp)
{
	switch (p->kinds[i]) {
	case KIND_STACK:
		return sp + p->base[i];
	case KIND_ARRAY:
		return p->base[i] + 8 * (p->at[i]++ % 512);
	case KIND_TABLE:
		return p->base[i] + 8 * (next_random(&rng) % (1 << 17));
	default:
		return p->base[i];
	}
}

static void run(unsigned f, unsigned depth, uint64_t sp)
{
	for (unsigned b = 0; b < functions[f].nr && nr_instructions < NR_INSTRUCTIONS; b++) {
		struct planned_block *p = &functions[f].blocks[b];
		for (unsigned n = 0; n < p->repeats; n++) {
			add(0, NOT_ACCESS, f * MAX_BLOCKS + b);
			nr_instructions += p->nr;
			for (unsigned i = 0; i < p->nr; i++)
				if (p->kinds[i] != KIND_NONE) {
					add(address_of(p, i, sp), i, p->in[i].class == INSN_STORE);
					nr_accesses++;
				}
			if (p->calls && depth < MAX_DEPTH)
				run(p->callee, depth + 1, sp - 256);
		}
		if (b + 2 < functions[f].nr && between(&rng, 1, 100) <= p->skip_pct)
			b++;
	}
}

static void write_stream(const char *path)
{
	struct sahm_err err;
	struct stream_writer *w = stream_writer_new(path, MACHINE_X86_64, "bench", &err);
	if (!w)
		must(err.status, &err);
	for (unsigned f = 0; f < NR_FUNCTIONS; f++)
		for (unsigned b = 0; b < functions[f].nr; b++)
			functions[f].blocks[b].id =
				stream_writer_block(w, functions[f].blocks[b].in, functions[f].blocks[b].nr);
	for (unsigned e = 0; e < NR_EPOCHS; e++) {
		for (size_t i = 0; i < nr_events; i++) {
			const struct event *v = &events[i];
			uint32_t n = v->block_or_store;
			if (v->instruction == NOT_ACCESS)
				stream_writer_enter(w, functions[n / MAX_BLOCKS].blocks[n % MAX_BLOCKS].id);
			else
				stream_writer_access(w, v->instruction, v->address, 8, n);
		}
		stream_writer_end_epoch(w);
	}
	must(stream_writer_finish(w, &err), &err);
}

static uint64_t read_stream(const char *path, uint64_t *bytes)
{
	struct sahm_err err;
	struct stream *s;
	struct executed e;
	uint64_t sum = 0;
	bool more = true;
	must(stream_open(path, NULL, &s, &err), &err);
	while (must(stream_next(s, &e, &more, &err), &err), more)
		sum += 1 + e.nr_accesses;
	*bytes = stream_file_bytes(s);
	stream_free(s);
	return sum;
}

int main(void)
{
	char path[] = "/tmp/sahm-bench-XXXXXX";
	double written[RUNS], read[RUNS];
	uint64_t bytes = 0;
	int fd = mkstemp(path);
	if (fd < 0)
		return 1;
	close(fd);
	plan();
	while (nr_instructions < NR_INSTRUCTIONS)
		run((unsigned)(next_random(&rng) % NR_FUNCTIONS), 0, 0x7ffff000);
	double nr = (double)nr_instructions * NR_EPOCHS;
	for (int i = 0; i < RUNS; i++) {
		double start = now();
		write_stream(path);
		written[i] = now() - start;
		start = now();
		if (read_stream(path, &bytes) != (nr_instructions + nr_accesses) * NR_EPOCHS)
			return 1;
		read[i] = now() - start;
	}
	unlink(path);
	printf("instruction streams, %.1f million instructions, %.2f accesses each (median of %d runs)\n", nr * 1e-6,
	       (double)nr_accesses / (double)nr_instructions, RUNS);
	printf("  write          %7.1f million instructions/s\n", nr / median(written) * 1e-6);
	printf("  read           %7.1f million instructions/s\n", nr / median(read) * 1e-6);
	printf("  size           %7.3f bytes/instruction\n", (double)bytes / nr);
	free(events);
	return 0;
}
