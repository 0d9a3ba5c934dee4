/* Programs for the IPU's own memories. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ipu/ipu.h"

struct ipu_program {
	struct code *code;
	uint8_t bytes[IPU_CODE_BYTES];
	uint8_t scratchpad[IPU_SCRATCHPAD_BYTES]; /* at power-on */
};

/* Copies the segment to where it belongs. */
static enum sahm_status load(struct ipu_program *p, const struct elf_segment *s, const char *file, struct sahm_err *err)
{
	uint32_t base = s->is_executable ? IPU_CODE_BASE : IPU_SCRATCHPAD_BASE;
	uint32_t nr_bytes = s->is_executable ? IPU_CODE_BYTES : IPU_SCRATCHPAD_BYTES;
	uint32_t at = s->address - base;
	if (at > nr_bytes || s->memory_bytes > nr_bytes - at)
		return sahm_fail_at(err, SAHM_FORMAT, file, 0,
				    "%s segment of %" PRIu32 " bytes at 0x%08" PRIx32
				    " does not fit into the %s, 0x%08" PRIx32 " to 0x%08" PRIx32,
				    s->is_executable ? "executable" : "data", s->memory_bytes, s->address,
				    s->is_executable ? "instruction memory" : "scratchpad", base, base + nr_bytes - 1);
	memcpy((s->is_executable ? p->bytes : p->scratchpad) + at, s->bytes, s->file_bytes);
	return SAHM_OK;
}

enum sahm_status ipu_program_new(struct ipu_program **program, const struct elf_image *image, struct sahm_err *err)
{
	size_t nr;
	const struct elf_segment *segments = elf_image_segments(image, &nr);
	struct ipu_program *p = calloc(1, sizeof(*p));
	if (!p)
		return sahm_fail_nomem(err);
	enum sahm_status status = SAHM_OK;
	for (size_t i = 0; status == SAHM_OK && i < nr; i++)
		status = load(p, &segments[i], elf_image_file(image), err);
	if (status == SAHM_OK)
		status = code_new(&p->code, IPU_CODE_BASE, p->bytes, IPU_CODE_BYTES, CODE_FIXED, err);
	if (status == SAHM_OK)
		*program = p;
	else
		ipu_program_free(p);
	return status;
}

void ipu_program_free(struct ipu_program *program)
{
	if (!program)
		return;
	code_free(program->code);
	free(program);
}

void ipu_init(struct ipu *ipu, const struct ipu_program *program)
{
	memcpy(ipu->scratchpad, program->scratchpad, sizeof(ipu->scratchpad));
	hart_init(&ipu->hart, program->code);
	hart_set_memory(&ipu->hart, IPU_SCRATCHPAD_BASE, ipu->scratchpad, sizeof(ipu->scratchpad));
	ipu->hart.traps_misaligned = true;
	hart_set_register(&ipu->hart, HART_SP, IPU_STACK_TOP);
}
