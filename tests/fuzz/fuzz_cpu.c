/* Descriptions of processors: the input is the file. */
#include "cores/uarch/cpu.h"
#include "tests/fuzz/reach.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cpu cpu;
	struct sahm_err err;
	const char *text = (const char *)data;
	if (reaches_out(text, size))
		return 0;
	close_stdin();
	enum sahm_status status = cpu_read_text("in.cfg", text, size, &cpu, &err);
	if (status != SAHM_OK) {
		MUST(status == SAHM_CONFIG || status == SAHM_IO);
		must_explain(&err, status, "");
		return 0;
	}
	MUST(*cpu.name && memchr(cpu.name, '\0', sizeof(cpu.name)));
	MUST(!cache_spec_fault(&cpu.l1i) && !cache_spec_fault(&cpu.l1d) && !cache_spec_fault(&cpu.l2));
	MUST(!predictor_spec_fault(&cpu.predictor));
	return 0;
}
