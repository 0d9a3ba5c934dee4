/* Programs for the IPU's own memories. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ipu/core/ipu.h"

struct ipu_program {
	struct code *code;
	struct translation *translation;
	uint32_t main;
	bool has_main, has_init, has_finish;
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
	const struct elf_symbol *main = elf_image_find(image, "_main");
	p->has_main = main != NULL;
	p->main = main ? main->address : 0;
	p->has_init = elf_image_find(image, "init") != NULL;
	p->has_finish = elf_image_find(image, "finish") != NULL;
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
	translation_free(program->translation);
	code_free(program->code);
	free(program);
}

bool ipu_program_main(const struct ipu_program *program, uint32_t *entry)
{
	*entry = program->main;
	return program->has_main;
}

bool ipu_program_has_init(const struct ipu_program *program)
{
	return program->has_init;
}

bool ipu_program_has_finish(const struct ipu_program *program)
{
	return program->has_finish;
}

uint8_t *ipu_program_scratchpad(struct ipu_program *program)
{
	return program->scratchpad;
}

void ipu_program_hash(const struct ipu_program *program, struct hash *h)
{
	hash_add_u64(h, program->has_main);
	hash_add_u64(h, program->main);
	hash_add_u64(h, program->has_init);
	hash_add_u64(h, program->has_finish);
	hash_add(h, program->bytes, sizeof(program->bytes));
	hash_add(h, program->scratchpad, sizeof(program->scratchpad));
}

static void prepare(struct hart *h, const struct ipu_program *program, uint8_t *scratchpad)
{
	hart_init(h, program->code);
	hart_set_memory(h, IPU_SCRATCHPAD_BASE, scratchpad, IPU_SCRATCHPAD_BYTES);
	h->traps_misaligned = true;
}

void ipu_program_translate(struct ipu_program *program, const struct translator_ops *translator)
{
	struct hart like;
	if (program->translation)
		return;
	prepare(&like, program, program->scratchpad);
	program->translation = translator->make(&like);
}

void ipu_program_interpret(struct ipu_program *program)
{
	translation_free(program->translation);
	program->translation = NULL;
}

void ipu_init(struct ipu *ipu, const struct ipu_program *program)
{
	memcpy(ipu->scratchpad, program->scratchpad, sizeof(ipu->scratchpad));
	prepare(&ipu->hart, program, ipu->scratchpad);
	ipu->hart.translation = program->translation;
	hart_set_register(&ipu->hart, HART_SP, IPU_STACK_TOP);
}
