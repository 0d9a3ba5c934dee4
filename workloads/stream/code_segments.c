#include "workloads/stream/code_segments.h"

#include <gelf.h>
#include <stdlib.h>

bool code_segments_read(Elf *elf, struct code_segment **segments, size_t *nr)
{
	size_t nr_headers = 0;
	GElf_Phdr p;
	*nr = 0;
	if (elf_getphdrnum(elf, &nr_headers) != 0)
		nr_headers = 0;
	*segments = calloc(nr_headers + 1, sizeof(**segments));
	for (size_t i = 0; *segments && i < nr_headers; i++)
		if (gelf_getphdr(elf, (int)i, &p) && p.p_type == PT_LOAD && (p.p_flags & PF_X) != 0)
			(*segments)[(*nr)++] = (struct code_segment){p.p_vaddr, p.p_offset, p.p_filesz};
	return *segments != NULL;
}

const struct code_segment *code_segments_find(const struct code_segment *segments, size_t nr, uint64_t offset)
{
	for (size_t i = 0; i < nr; i++)
		if (offset >= segments[i].offset && offset - segments[i].offset < segments[i].bytes)
			return &segments[i];
	return NULL;
}
