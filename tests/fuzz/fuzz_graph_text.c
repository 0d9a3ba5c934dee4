/* Calipers' text traces: the first byte chooses a configuration, the rest is the text, which becomes a graph. */
#include "cores/uarch/graph/graph_text.h"
#include "tests/fuzz/use_graph.h"
#include "tests/helper/made_graph.h"

#define INPUT_NAME "in/put.trace"

/* A random configuration; one in four has models, which ask for fewer lines. */
static void choose(uint8_t choice, struct graph_config *c)
{
	struct rng r;
	rng_init(&r, choice, "fuzz", "graph text");
	made_graph_config(&r, choice % 4 == 0 ? GRAPH_IN_ORDER : GRAPH_OUT_OF_ORDER, c);
	if (choice % 4 != 1)
		return;
	c->predictor = choice & 4 ? GRAPH_STATISTICAL : GRAPH_TRACE;
	c->accuracy_permille = 900;
	c->icache.source = choice & 8 ? GRAPH_IDEAL : GRAPH_TRACE;
	c->dcache = (struct graph_cache_config){.source = GRAPH_REAL,
						.hit_cycles = {1, 1},
						.l2_hit_cycles = {9, 9},
						.miss_cycles = {50, 50},
						.bytes = {1024, 4096},
						.ways = {2, 4}};
}

static void must_be_insn(const struct graph_insn *in, const struct graph_config *c)
{
	MUST(in->class < NR_GRAPH_CLASSES && (in->bytes == 2 || in->bytes == 4));
	MUST(in->writes == 0 || graph_register_name(in->writes));
	for (unsigned i = 0; i < GRAPH_MAX_READS; i++)
		MUST(in->reads[i] == 0 || graph_register_name(in->reads[i]));
	MUST(in->fetch_cycles <= GRAPH_MAX_CYCLES && in->memory_cycles <= GRAPH_MAX_CYCLES);
	MUST(c->predictor == GRAPH_TRACE || !in->mispredicted);
	MUST(in->loads || in->stores || in->address == 0);
}

/* Reads the text again for each algorithm: it gives the same each time. */
static void run(const uint8_t *data, size_t size, const struct graph_config *c, enum graph_algorithm algorithm)
{
	struct graph *g = NULL;
	struct graph_text *t = NULL;
	struct graph_counts counts;
	struct sahm_err err;
	enum sahm_status status;
	uint64_t nr = 0;
	bool more = true;
	FILE *in = size > 0 ? fmemopen((void *)(uintptr_t)data, size, "r") : fopen("/dev/null", "r");
	MUST(in);
	MUST(graph_text_open(in, INPUT_NAME, c, &t, &err) == SAHM_OK);
	MUST(graph_new(c, algorithm, 1, &g, &err) == SAHM_OK);
	for (;;) {
		struct graph_insn insn;
		status = graph_text_next(t, &insn, &more, &err);
		if (status != SAHM_OK) {
			MUST(status == SAHM_FORMAT);
			must_explain(&err, status, INPUT_NAME ":");
			MUST(strstr(err.msg, " (byte "));
			break;
		}
		if (!more)
			break;
		nr++;
		must_be_insn(&insn, c);
		status = graph_add(g, &insn, &err);
		if (status != SAHM_OK) {
			must_be_circle(c, algorithm, &err, status);
			break;
		}
	}
	const struct graph_text_notes *n = graph_text_notes(t);
	MUST(n->no_cycles.nr <= nr && n->not_branch.nr <= nr);
	if (status == SAHM_OK) {
		status = graph_finish(g, &counts, &err);
		if (status == SAHM_OK)
			must_add_up(&counts, nr);
		else
			must_be_circle(c, algorithm, &err, status);
	}
	graph_free(g);
	graph_text_close(t);
	fclose(in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct graph_config c;
	choose(size > 0 ? data[0] : 0, &c);
	for (unsigned a = 0; a < NR_GRAPH_ALGORITHMS; a++)
		if (is_for(&c, (enum graph_algorithm)a))
			run(data + (size > 0), size > 0 ? size - 1 : 0, &c, (enum graph_algorithm)a);
	return 0;
}
