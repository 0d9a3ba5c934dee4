#include "tests/helper/made_elf.h"

#include <stdlib.h>
#include <string.h>

void made_put(void *at, unsigned nr_bytes, uint64_t value)
{
	uint8_t *p = at;
	for (unsigned i = 0; i < nr_bytes; i++)
		p[i] = (uint8_t)(value >> 8 * i);
}

static void put_header(const struct made_elf *elf, uint32_t entry, size_t nr_segments)
{
	static const uint8_t ident[16] = {0x7f, 'E', 'L', 'F', 1, 1, 1};
	char *h = elf->bytes;
	memcpy(h, ident, sizeof(ident));
	made_put(h + EH_TYPE, 2, 2);
	made_put(h + EH_MACHINE, 2, 243);
	made_put(h + EH_VERSION, 4, 1);
	made_put(h + EH_ENTRY, 4, entry);
	made_put(h + EH_PHOFF, 4, nr_segments ? elf->segments : 0);
	made_put(h + EH_SHOFF, 4, elf->sections);
	made_put(h + 40, 2, MADE_HEADER_BYTES);
	made_put(h + EH_PHENTSIZE, 2, MADE_SEGMENT_BYTES);
	made_put(h + EH_PHNUM, 2, nr_segments);
	made_put(h + EH_SHENTSIZE, 2, MADE_SECTION_BYTES);
	made_put(h + EH_SHNUM, 2, 3);
}

static void put_section(char *at, uint32_t type, size_t offset, size_t size, uint32_t link, uint32_t entry_bytes)
{
	made_put(at + SH_TYPE, 4, type);
	made_put(at + SH_OFFSET, 4, offset);
	made_put(at + SH_SIZE, 4, size);
	made_put(at + SH_LINK, 4, link);
	made_put(at + 28, 4, link ? 1 : 0); /* sh_info: first global symbol */
	made_put(at + 32, 4, link ? 4 : 1); /* alignment */
	made_put(at + SH_ENTSIZE, 4, entry_bytes);
}

void made_elf(struct made_elf *elf, uint32_t entry, const struct made_segment *segments, size_t nr_segments,
	      const struct made_symbol *symbols, size_t nr_symbols)
{
	size_t body = MADE_HEADER_BYTES + nr_segments * MADE_SEGMENT_BYTES, names_bytes = 1, at;
	elf->segments = MADE_HEADER_BYTES;
	elf->symbols = body;
	for (size_t i = 0; i < nr_segments; i++)
		elf->symbols += (segments[i].nr_bytes + 3) / 4 * 4;
	elf->names = elf->symbols + (nr_symbols + 1) * MADE_SYMBOL_BYTES;
	for (size_t i = 0; i < nr_symbols; i++)
		names_bytes += strlen(symbols[i].name) + 1;
	elf->sections = (elf->names + names_bytes + 3) / 4 * 4;
	elf->nr_bytes = elf->sections + (size_t)3 * MADE_SECTION_BYTES;
	elf->bytes = calloc(elf->nr_bytes, 1);
	if (!elf->bytes)
		abort();
	put_header(elf, entry, nr_segments);
	at = body;
	for (size_t i = 0; i < nr_segments; i++) {
		const struct made_segment *s = &segments[i];
		char *h = elf->bytes + elf->segments + i * MADE_SEGMENT_BYTES;
		made_put(h + PH_TYPE, 4, s->type ? s->type : 1);
		made_put(h + PH_OFFSET, 4, at);
		made_put(h + PH_VADDR, 4, s->address);
		made_put(h + 12, 4, s->address);
		made_put(h + PH_FILESZ, 4, s->nr_bytes);
		made_put(h + PH_MEMSZ, 4, (uint64_t)s->nr_bytes + s->nr_more);
		made_put(h + PH_FLAGS, 4, s->flags ? s->flags : 7);
		made_put(h + 28, 4, 4);
		if (s->nr_bytes > 0)
			memcpy(elf->bytes + at, s->bytes, s->nr_bytes);
		at += (s->nr_bytes + 3) / 4 * 4;
	}
	at = 1;
	for (size_t i = 0; i < nr_symbols; i++) {
		const struct made_symbol *s = &symbols[i];
		char *h = elf->bytes + elf->symbols + (i + 1) * MADE_SYMBOL_BYTES;
		made_put(h + SYM_NAME, 4, *s->name ? at : 0);
		made_put(h + 4, 4, s->address);
		made_put(h + 8, 4, s->nr_bytes);
		unsigned binding = s->type & MADE_LOCAL ? 0 : s->type & MADE_WEAK ? 2 : 1;
		made_put(h + SYM_INFO, 1, binding << 4 | (s->type & 0xfu));
		made_put(h + SYM_SHNDX, 2, s->section == MADE_UNDEFINED ? 0 : s->section ? s->section : 0xfff1);
		strcpy(elf->bytes + elf->names + at, s->name);
		at += strlen(s->name) + 1;
	}
	put_section(elf->bytes + elf->sections + MADE_SECTION_BYTES, 2, elf->symbols, elf->names - elf->symbols, 2,
		    MADE_SYMBOL_BYTES);
	put_section(elf->bytes + elf->sections + 2 * MADE_SECTION_BYTES, 3, elf->names, names_bytes, 0, 0);
}

void made_elf_free(struct made_elf *elf)
{
	free(elf->bytes);
}
