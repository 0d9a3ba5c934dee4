/* Calipers' configurations: the input is the file. One that is accepted writes and reads back as it is, and runs. */
#include "sim/base/textbuf.h"
#include "tests/fuzz/use_graph.h"
#include "tests/helper/made_graph.h"

#define INPUT_NAME "in/put.cfg"
#define NR_INSNS 700u
#define MAX_RUN_BYTES (UINT32_C(1) << 20)

static enum sahm_status read_text(const void *text, size_t len, struct graph_config *c, struct sahm_err *err)
{
	FILE *in = len > 0 ? fmemopen((void *)(uintptr_t)text, len, "r") : fopen("/dev/null", "r");
	MUST(in);
	enum sahm_status status = graph_config_read(in, INPUT_NAME, c, err);
	fclose(in);
	return status;
}

static void run(const struct graph_config *c, enum graph_algorithm algorithm)
{
	struct rng r;
	struct made_graph_mix mix;
	struct graph *g = NULL;
	struct graph_counts counts;
	struct sahm_err err;
	uint64_t pc = 0x1000;
	rng_init(&r, c->instr_buffer_size, "fuzz", "graph config");
	made_graph_mix(&r, &mix);
	enum sahm_status status = graph_new(c, algorithm, 1, &g, &err);
	MUST(status == SAHM_OK);
	for (unsigned i = 0; i < NR_INSNS && status == SAHM_OK; i++) {
		struct graph_insn insn;
		made_graph_insn(&r, &mix, &pc, &insn);
		status = graph_add(g, &insn, &err);
	}
	if (status == SAHM_OK)
		status = graph_finish(g, &counts, &err);
	if (status == SAHM_OK)
		must_add_up(&counts, NR_INSNS);
	else
		must_be_circle(c, algorithm, &err, status);
	graph_free(g);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct graph_config c, again;
	struct sahm_err err;
	struct textbuf text, twice;
	enum sahm_status status = read_text(data, size, &c, &err);
	if (status != SAHM_OK) {
		MUST(status == SAHM_FORMAT);
		must_explain(&err, status, INPUT_NAME);
		return 0;
	}
	textbuf_init(&text);
	textbuf_init(&twice);
	graph_config_write(&c, &text);
	MUST(read_text(text.text, text.len, &again, &err) == SAHM_OK);
	graph_config_write(&again, &twice);
	MUST(text.len == twice.len && memcmp(text.text, twice.text, text.len) == 0);
	textbuf_release(&text);
	textbuf_release(&twice);
	uint64_t bytes = 0;
	for (unsigned i = 0; i < 2; i++)
		bytes += (uint64_t)c.icache.bytes[i] + c.dcache.bytes[i];
	for (unsigned a = 0; a < NR_GRAPH_ALGORITHMS && bytes <= MAX_RUN_BYTES; a++)
		if (is_for(&c, (enum graph_algorithm)a))
			run(&c, (enum graph_algorithm)a);
	return 0;
}
