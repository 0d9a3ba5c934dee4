#include "tests/helper/unit_program.h"

#include <stdlib.h>

#include "tests/helper/encode.h"
#include "tests/helper/made_elf.h"

void unit_program_put(struct unit_program *p, uint32_t word)
{
	if (p->at + 4 > IPU_CODE_BYTES)
		abort();
	made_put(p->code + p->at, 4, word);
	p->at += 4;
}

void unit_program_li(struct unit_program *p, uint32_t rd, uint32_t value)
{
	unit_program_put(p, encode_lui(rd, upper_part(value)));
	unit_program_put(p, encode_addi(rd, rd, value));
}

struct ipu_program *unit_program_make(const struct unit_program *p)
{
	struct made_segment segment = {.bytes = p->code, .nr_bytes = IPU_CODE_BYTES, .flags = 5};
	struct made_symbol symbols[3] = {{.name = "_main", .address = p->main, .type = 2}};
	struct made_elf elf;
	struct elf_image *image;
	struct ipu_program *program;
	struct sahm_err err;
	size_t nr = 1;
	if (p->has_init)
		symbols[nr++] = (struct made_symbol){.name = "init", .address = IPU_INIT, .type = 2};
	if (p->has_finish)
		symbols[nr++] = (struct made_symbol){.name = "finish", .address = IPU_FINISH, .type = 2};
	made_elf(&elf, 0, &segment, 1, symbols, nr);
	if (elf_image_new(&image, "made.elf", elf.bytes, elf.nr_bytes, &err) != SAHM_OK ||
	    ipu_program_new(&program, image, &err) != SAHM_OK)
		abort();
	elf_image_free(image);
	made_elf_free(&elf);
	return program;
}
