/* Decoders of instructions: any bytes, at every place. An input is a program's code. */
#include "cores/isa/insn.h"
#include "tests/fuzz/fuzz.h"

static void must_be_sound(enum machine machine, const struct insn *in, bool known, uint64_t pc, size_t len)
{
	MUST(in->pc == pc);
	MUST(in->length >= 1 && in->length <= len && in->length <= MAX_INSN_BYTES);
	MUST(in->class < NR_INSN_CLASSES);
	MUST(known == (in->class != INSN_UNKNOWN));
	MUST(in->target == 0 || insn_has_target((enum insn_class)in->class));
	for (unsigned i = 0; i < MAX_SOURCES; i++) {
		MUST(in->source[i] == NO_REGISTER || machine_register_name(machine, in->source[i]));
		MUST(known || in->source[i] == NO_REGISTER);
	}
	MUST(in->destination == NO_REGISTER || machine_register_name(machine, in->destination));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct x86_decoder *d;
	MUST(x86_decoder_new(&d, NULL) == SAHM_OK);
	for (size_t at = 0; at < size; at++) {
		struct insn in;
		size_t len = size - at < 20 ? size - at : 20;
		uint64_t pc = UINT64_C(0x400000) + at;
		bool known = decode_rv64(pc, data + at, len, &in);
		must_be_sound(MACHINE_RV64, &in, known, pc, len);
		MUST(!known || in.length == 2 || in.length == 4);
		known = decode_x86(d, pc, data + at, len, &in);
		must_be_sound(MACHINE_X86_64, &in, known, pc, len);
	}
	x86_decoder_free(d);
	return 0;
}
