#include "workloads/stream/source_lines.h"

#include <stddef.h>

#ifdef SAHM_NO_LIBDW

bool source_lines_are_built_in(void)
{
	return false;
}

enum sahm_status source_lines_new(int fd, struct source_lines **lines, struct sahm_err *err)
{
	(void)fd;
	(void)err;
	*lines = NULL;
	return SAHM_OK;
}

void source_lines_free(struct source_lines *l)
{
	(void)l;
}

bool source_lines_find(const struct source_lines *l, uint64_t address, const char **file, unsigned *line)
{
	(void)l;
	(void)address;
	(void)file;
	(void)line;
	return false;
}

#else

#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

struct row {
	uint64_t address;
	const char *file;
	uint32_t line; /* 0: none */
	uint32_t number;
	bool is_end; /* of code with lines: belongs to the next byte */
};

struct source_lines {
	Elf *elf;
	Dwarf *dwarf; /* owns texts */
	struct row *rows;
	size_t nr, room;
};

bool source_lines_are_built_in(void)
{
	return true;
}

void source_lines_free(struct source_lines *l)
{
	if (!l)
		return;
	dwarf_end(l->dwarf);
	elf_end(l->elf);
	free(l->rows);
	free(l);
}

static bool make_room(struct source_lines *l, size_t nr)
{
	if (nr <= l->room - l->nr)
		return true;
	size_t room = 2 * l->room + nr;
	struct row *rows = realloc(l->rows, room * sizeof(*rows));
	if (!rows)
		return false;
	l->rows = rows;
	l->room = room;
	return true;
}

/* libdw puts the folder in front that the compiler ran in. */
static const char *shorten(const char *file, Dwarf_Files *files)
{
	const char *const *folders;
	size_t nr;
	if (!file || dwarf_getsrcdirs(files, &folders, &nr) != 0 || nr == 0 || !folders[0] || !*folders[0])
		return file;
	size_t len = strlen(folders[0]);
	return strncmp(file, folders[0], len) == 0 && file[len] == '/' && file[len + 1] ? file + len + 1 : file;
}

static void add_row(struct source_lines *l, Dwarf_Line *line, Dwarf_Files *files)
{
	Dwarf_Addr address;
	int number;
	bool is_end;
	if (!line || dwarf_lineaddr(line, &address) != 0 || dwarf_lineno(line, &number) != 0 ||
	    dwarf_lineendsequence(line, &is_end) != 0)
		return;
	const char *file = is_end ? NULL : shorten(dwarf_linesrc(line, NULL, NULL), files);
	l->rows[l->nr] = (struct row){.address = address,
				      .file = file,
				      .line = file && number > 0 ? (uint32_t)number : 0,
				      .number = (uint32_t)l->nr,
				      .is_end = is_end};
	l->nr++;
}

/* At an address the last row counts, after ends of what comes before it. */
static int by_address(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->is_end != y->is_end)
		return x->is_end ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static bool read_rows(struct source_lines *l)
{
	Dwarf_Off at = 0, next;
	Dwarf_CU *unit = NULL;
	Dwarf_Files *files;
	Dwarf_Lines *lines;
	size_t nr_files, nr;
	while (dwarf_next_lines(l->dwarf, at, &next, &unit, &files, &nr_files, &lines, &nr) == 0 && next > at) {
		if (!make_room(l, nr))
			return false;
		for (size_t i = 0; i < nr && l->nr < UINT32_MAX; i++)
			add_row(l, dwarf_onesrcline(lines, i), files);
		at = next;
	}
	if (l->nr > 0)
		qsort(l->rows, l->nr, sizeof(*l->rows), by_address);
	return true;
}

enum sahm_status source_lines_new(int fd, struct source_lines **lines, struct sahm_err *err)
{
	struct source_lines *l = calloc(1, sizeof(*l));
	*lines = NULL;
	if (!l)
		return sahm_fail_nomem(err);
	l->elf = elf_version(EV_CURRENT) != EV_NONE ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
	l->dwarf = l->elf ? dwarf_begin_elf(l->elf, DWARF_C_READ, NULL) : NULL;
	if (l->dwarf && !read_rows(l)) {
		source_lines_free(l);
		return sahm_fail_nomem(err);
	}
	if (l->nr > 0)
		*lines = l;
	else
		source_lines_free(l);
	return SAHM_OK;
}

bool source_lines_find(const struct source_lines *l, uint64_t address, const char **file, unsigned *line)
{
	size_t low = 0, high = l ? l->nr : 0;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (l->rows[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || l->rows[low - 1].line == 0)
		return false;
	*file = l->rows[low - 1].file;
	*line = l->rows[low - 1].line;
	return true;
}

#endif
