/* ChampSim's traces: the input is the file. */
#include "tests/fuzz/fuzz.h"
#include "workloads/stream/champsim.h"

#define INPUT_NAME "in/put.trace"

static void use_instruction(const struct executed *e, const struct executed *before)
{
	const struct insn *in = e->instruction;
	MUST(in->length >= 1 && in->length <= MAX_INSN_BYTES && in->class < NR_INSN_CLASSES);
	for (unsigned s = 0; s < MAX_SOURCES; s++)
		MUST(in->source[s] == NO_REGISTER || machine_register_name(MACHINE_X86_64, in->source[s]));
	MUST(in->destination == NO_REGISTER || machine_register_name(MACHINE_X86_64, in->destination));
	MUST(insn_has_target((enum insn_class)in->class) || in->target == 0);
	MUST(!e->taken || insn_is_branch((enum insn_class)in->class));
	MUST(e->nr_accesses <= MAX_ACCESSES);
	for (unsigned i = 0; i < e->nr_accesses; i++)
		MUST(e->accesses[i].bytes == CHAMPSIM_ACCESS_BYTES && e->accesses[i].address != 0);
	/* Where the record before this one said that it goes on. */
	MUST(!before || before->next_pc == in->pc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct executed e, before;
	struct sahm_err err;
	enum sahm_status status;
	uint64_t nr = 0;
	bool more = true;
	FILE *in = size > 0 ? fmemopen((void *)(uintptr_t)data, size, "r") : fopen("/dev/null", "r");
	MUST(in);
	struct champsim_reader *r = champsim_reader_new(in, INPUT_NAME);
	MUST(r);
	while ((status = champsim_next(r, &e, &more, &err)) == SAHM_OK && more) {
		use_instruction(&e, nr++ > 0 ? &before : NULL);
		before = e;
	}
	if (status != SAHM_OK) {
		MUST(status == SAHM_FORMAT);
		must_explain(&err, status, INPUT_NAME);
	}
	MUST(status != SAHM_OK || (nr > 0 && nr * CHAMPSIM_RECORD_BYTES == size));
	const struct champsim_counts *c = champsim_counts(r);
	uint64_t branches = 0;
	for (unsigned k = 0; k < NR_CHAMPSIM_BRANCHES; k++)
		branches += c->branches[k];
	MUST(c->records == nr && branches == nr);
	uint64_t lengths = c->next_lengths + c->known_lengths + c->assumed_lengths;
	MUST(lengths == nr);
	champsim_reader_free(r);
	fclose(in);
	return 0;
}
