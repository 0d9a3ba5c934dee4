/* Models of cores: the input is the file. One that is accepted writes and reads back as it is, and runs. */
#include <stdlib.h>

#include "cores/uarch/core_model.h"
#include "cores/uarch/functional_pass.h"
#include "cores/uarch/timing.h"
#include "tests/fuzz/reach.h"

#define MAX_RUN_BYTES (UINT32_C(1) << 24)

/* Loads, stores, branches and arithmetic over a few lines and registers. */
static void make_batch(struct uop_batch *b)
{
	for (b->nr = 0; b->nr < BATCH_UOPS; b->nr++) {
		uint32_t i = b->nr, mixed = i * 2654435761u >> 8;
		bool is_access = i % 3 != 0;
		b->uops[i] = (struct uop){.pc = 0x1000 + mixed % 512 * 2,
					  .next_pc = 0x1000,
					  .address = is_access ? 0x8000 + mixed % 65536 : 0,
					  .bytes = (uint16_t)(is_access ? 1 + mixed % 64 : 0),
					  .length = 4,
					  .class = (uint8_t)(i % 3 == 1	  ? INSN_LOAD
							     : i % 3 == 2 ? INSN_STORE
									  : mixed % NR_INSN_CLASSES),
					  .source = {(uint8_t)(mixed % 64), NO_REGISTER, NO_REGISTER},
					  .destination = (uint8_t)(mixed / 64 % 64),
					  .flags = UOP_FIRST | UOP_LAST};
		if (insn_is_branch((enum insn_class)b->uops[i].class))
			b->uops[i].flags |= UOP_BRANCH | UOP_TAKEN;
	}
	b->nr_instructions = b->nr;
}

static void run(const struct core_model *c)
{
	struct sahm_err err;
	struct timing_result r;
	const struct core_geometry *g = &c->geometry;
	if ((uint64_t)g->l1i.bytes + g->l1d.bytes + g->l2.bytes + g->llc.bytes > MAX_RUN_BYTES)
		return;
	struct uop_batch *b = calloc(1, sizeof(*b));
	struct functional_pass *p = functional_pass_new(g, &err);
	struct timing *t = timing_new(&c->timing);
	MUST(b && p && t);
	for (unsigned i = 0; i < 2; i++) {
		make_batch(b);
		functional_pass_run(p, b);
		timing_batch(t, b, NULL);
	}
	timing_result(t, &r);
	MUST(r.cycles > 0 && r.uops == 2 * BATCH_UOPS);
	functional_pass_free(p);
	timing_free(t);
	free(b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct core_model core, again;
	struct sahm_err err;
	struct textbuf first, second;
	const char *text = (const char *)data;
	if (reaches_out(text, size))
		return 0;
	close_stdin();
	enum sahm_status status = core_model_read_text("in.cfg", text, size, "configs/cpus", &core, &err);
	if (status != SAHM_OK) {
		MUST(status == SAHM_CONFIG || status == SAHM_IO);
		must_explain(&err, status, "");
		return 0;
	}
	textbuf_init(&first);
	textbuf_init(&second);
	core_model_write(&core, &first);
	MUST(core_model_read_text("again.cfg", first.text, first.len, "configs/cpus", &again, &err) == SAHM_OK);
	core_model_write(&again, &second);
	MUST(first.len == second.len && memcmp(first.text, second.text, first.len) == 0);
	run(&core);
	textbuf_release(&first);
	textbuf_release(&second);
	return 0;
}
