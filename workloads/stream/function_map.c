#include "workloads/stream/function_map.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/arena.h"
#include "sim/base/file.h"
#include "sim/base/suggest.h"
#include "workloads/stream/code_segments.h"
#include "workloads/stream/stream_reader_internal.h"

struct function {
	uint64_t begin, end; /* offsets in the file */
	const char *name;
	unsigned rank; /* of functions with the same beginning, the lower one gives the name */
};

/* A file that is mapped, in one module or several. */
struct symbol_file {
	const char *path;
	bool is_given; /* by function_map_take() */
	bool is_read;
	bool is_readable;
	bool is_stripped;	    /* has only those that it exports */
	struct function *functions; /* [nr], by beginning, rank, length of name, name */
	size_t nr;
};

struct module {
	uint64_t address, bytes, offset;
	struct symbol_file *file;
};

struct function_map {
	char *stream;
	bool has_time; /* of the stream's file */
	struct timespec time;
	struct module *modules; /* [nr_modules], by address */
	struct symbol_file *files;
	size_t nr_modules, nr_files;
	struct arena arena;
	struct textbuf notes;
};

/* ---- Modules ---- */

static int by_address(const void *a, const void *b)
{
	const struct module *x = a, *y = b;
	return (x->address > y->address) - (x->address < y->address);
}

/* Modules of a file are neighbours, or else it is read again. */
static struct symbol_file *find_file(struct function_map *m, const char *path)
{
	if (m->nr_files > 0 && strcmp(m->files[m->nr_files - 1].path, path) == 0)
		return &m->files[m->nr_files - 1];
	struct symbol_file *f = &m->files[m->nr_files];
	f->path = arena_strdup(&m->arena, path);
	m->nr_files += f->path != NULL;
	return f->path ? f : NULL;
}

static bool take_modules(struct function_map *m, const struct stream *s)
{
	struct stream_module x;
	size_t nr = 0;
	for (size_t at = 0; stream_next_module(s, &at, &x);)
		nr++;
	m->modules = calloc(nr + 1, sizeof(*m->modules));
	m->files = calloc(nr + 2, sizeof(*m->files)); /* one for function_map_take() */
	if (!m->modules || !m->files)
		return false;
	for (size_t at = 0; stream_next_module(s, &at, &x);) {
		struct symbol_file *f = find_file(m, x.path);
		if (!f)
			return false;
		m->modules[m->nr_modules++] = (struct module){x.address, x.bytes, x.offset, f};
	}
	qsort(m->modules, m->nr_modules, sizeof(*m->modules), by_address);
	return true;
}

enum sahm_status function_map_new(const struct stream *s, struct function_map **map, struct sahm_err *err)
{
	struct function_map *m = calloc(1, sizeof(*m));
	struct stat st;
	if (!m)
		return sahm_fail_nomem(err);
	arena_init(&m->arena);
	textbuf_init(&m->notes);
	m->stream = arena_strdup(&m->arena, s->file.path);
	m->has_time = stat(s->file.path, &st) == 0;
	if (m->has_time)
		m->time = st.st_mtim;
	if (!m->stream || !take_modules(m, s)) {
		function_map_free(m);
		return sahm_fail_nomem(err);
	}
	*map = m;
	return SAHM_OK;
}

enum sahm_status function_map_open(const char *path, struct function_map **map, struct sahm_err *err)
{
	struct stream *s = NULL;
	enum sahm_status status = stream_open(path, NULL, &s, err);
	if (status == SAHM_OK)
		status = function_map_new(s, map, err);
	stream_free(s);
	return status;
}

static bool overlap(const struct module *x, const struct stream_module *y)
{
	return x->address < y->address + y->bytes && y->address < x->address + x->bytes;
}

enum sahm_status function_map_take(struct function_map *m, const struct stream_module *modules, size_t nr,
				   struct sahm_err *err)
{
	struct symbol_file *f = &m->files[m->nr_files];
	struct module *all = calloc(m->nr_modules + nr + 1, sizeof(*all));
	size_t nr_all = 0;
	const char *path = arena_strdup(&m->arena, modules[0].path);
	if (!all || !path) {
		free(all);
		return sahm_fail_nomem(err);
	}
	*f = (struct symbol_file){.path = path, .is_given = true};
	m->nr_files++;
	for (size_t i = 0; i < m->nr_modules; i++) {
		size_t k = 0;
		while (k < nr && !overlap(&m->modules[i], &modules[k]))
			k++;
		if (k == nr)
			all[nr_all++] = m->modules[i];
	}
	for (size_t k = 0; k < nr; k++)
		all[nr_all++] = (struct module){modules[k].address, modules[k].bytes, modules[k].offset, f};
	qsort(all, nr_all, sizeof(*all), by_address);
	free(m->modules);
	m->modules = all;
	m->nr_modules = nr_all;
	return SAHM_OK;
}

void function_map_free(struct function_map *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->nr_files; i++)
		free(m->files[i].functions);
	free(m->files);
	free(m->modules);
	arena_release(&m->arena);
	textbuf_release(&m->notes);
	free(m);
}

const struct textbuf *function_map_notes(const struct function_map *m)
{
	return &m->notes;
}

/* ---- Symbol tables ---- */

static unsigned rank_of(const GElf_Sym *sym, const char *name)
{
	unsigned binding = GELF_ST_BIND(sym->st_info) == STB_GLOBAL ? 0
			   : GELF_ST_BIND(sym->st_info) == STB_WEAK ? 1
								    : 2;
	size_t underscores = strspn(name, "_");
	return 4 * binding + (underscores < 3 ? (unsigned)underscores : 3);
}

/* A function in `code`, to be added to those of `f`, which have room. */
static bool add_function(struct symbol_file *f, const GElf_Sym *sym, const char *name, const struct code_segment *code,
			 size_t nr_code, struct arena *a)
{
	unsigned type = GELF_ST_TYPE(sym->st_info);
	if ((type != STT_FUNC && type != STT_GNU_IFUNC) || sym->st_shndx == SHN_UNDEF || !name || !*name)
		return true;
	for (size_t i = 0; i < nr_code; i++) {
		uint64_t at = sym->st_value - code[i].address;
		if (at >= code[i].bytes)
			continue;
		uint64_t room = code[i].bytes - at, begin = code[i].offset + at;
		uint64_t bytes = sym->st_size < room ? sym->st_size : room;
		char *copy = arena_strdup(a, name);
		if (copy)
			f->functions[f->nr++] = (struct function){begin, begin + bytes, copy, rank_of(sym, name)};
		return copy != NULL;
	}
	return true;
}

static int by_beginning(const void *a, const void *b)
{
	const struct function *x = a, *y = b;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	size_t len = strlen(x->name), other = strlen(y->name);
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return len != other ? (len < other ? -1 : 1) : strcmp(x->name, y->name);
}

/* Functions of assembly may have no size: they end where the next one begins, or the code. */
static void close_functions(struct symbol_file *f, const struct code_segment *code, size_t nr_code)
{
	uint64_t next = UINT64_MAX;
	for (size_t i = f->nr; i-- > 0;) {
		struct function *x = &f->functions[i];
		if (i + 1 < f->nr && f->functions[i + 1].begin > x->begin)
			next = f->functions[i + 1].begin;
		for (size_t k = 0; x->end == x->begin && k < nr_code; k++) {
			uint64_t end = code[k].offset + code[k].bytes;
			if (x->begin >= code[k].offset && x->begin < end)
				x->end = next < end ? next : end;
		}
	}
}

/* The full table, else the one for linking at run time. */
static Elf_Scn *find_symbols(Elf *elf, GElf_Shdr *header)
{
	Elf_Scn *found = NULL;
	GElf_Shdr h;
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));)
		if (gelf_getshdr(scn, &h) && (h.sh_type == SHT_SYMTAB || (h.sh_type == SHT_DYNSYM && !found))) {
			found = scn;
			*header = h;
			if (h.sh_type == SHT_SYMTAB)
				break;
		}
	return found;
}

/* False when memory is short. */
static bool read_functions(struct symbol_file *f, Elf *elf, struct arena *a)
{
	GElf_Shdr header;
	struct code_segment *code = NULL;
	size_t nr_code;
	GElf_Sym sym;
	Elf_Scn *scn = find_symbols(elf, &header);
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
	f->is_stripped = scn && header.sh_type == SHT_DYNSYM;
	size_t nr = data ? data->d_size / gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT) : 0;
	f->functions = calloc(nr + 1, sizeof(*f->functions));
	bool ok = f->functions && code_segments_read(elf, &code, &nr_code);
	for (size_t i = 0; ok && i < nr && i <= INT32_MAX; i++)
		if (gelf_getsym(data, (int)i, &sym))
			ok = add_function(f, &sym, elf_strptr(elf, header.sh_link, sym.st_name), code, nr_code, a);
	if (ok) {
		qsort(f->functions, f->nr, sizeof(*f->functions), by_beginning);
		close_functions(f, code, nr_code);
	}
	free(code);
	return ok;
}

static bool is_later(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

/* A line that says why functions of a file have no names. */
static void note(struct function_map *m, const char *problem, const char *which)
{
	textbuf_label(&m->notes, problem);
	textbuf_printf(&m->notes, ": %s have no names here\n", which);
}

static void note_of(struct function_map *m, const struct symbol_file *f, const char *what)
{
	struct sahm_err problem;
	sahm_fail(&problem, SAHM_FORMAT, "'%s' %s", f->path, what);
	note(m, problem.msg, "its functions");
}

/* Files that can have a function that was not found. */
static void note_stripped(struct function_map *m)
{
	struct sahm_err problem;
	for (size_t i = 0; i < m->nr_files; i++) {
		const struct symbol_file *f = &m->files[i];
		if (!f->is_stripped || f->nr == 0)
			continue;
		sahm_fail(&problem, SAHM_FORMAT, "'%s' is stripped", f->path);
		note(m, problem.msg, "functions that it does not export");
	}
}

static bool read_elf(struct function_map *m, struct symbol_file *f, int fd)
{
	Elf *elf = elf_version(EV_CURRENT) != EV_NONE ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
	bool ok = true;
	if (!elf || elf_kind(elf) != ELF_K_ELF) {
		note_of(m, f, "is no ELF file");
	} else {
		f->is_readable = true;
		ok = read_functions(f, elf, &m->arena);
	}
	if (ok && elf && elf_kind(elf) == ELF_K_ELF && f->nr == 0)
		note_of(m, f, "has no symbols of functions");
	elf_end(elf);
	return ok;
}

static enum sahm_status read_file(struct function_map *m, struct symbol_file *f, struct sahm_err *err)
{
	struct sahm_err reason;
	struct stat st;
	bool ok = true;
	if (f->is_read)
		return SAHM_OK;
	f->is_read = true;
	int fd = file_open_regular(f->path, &reason);
	if (fd < 0)
		note(m, reason.msg, "its functions");
	else if (!f->is_given && m->has_time && fstat(fd, &st) == 0 && is_later(&st.st_mtim, &m->time))
		note_of(m, f, "has changed since the stream was recorded");
	else
		ok = read_elf(m, f, fd);
	if (fd >= 0)
		close(fd);
	return ok && !textbuf_failed(&m->notes) ? SAHM_OK : sahm_fail_nomem(err);
}

/* ---- Looking up ---- */

static const struct module *find_module(const struct function_map *m, uint64_t pc)
{
	size_t low = 0, high = m->nr_modules; /* modules before `low` begin at or before pc, from `high` on after it */
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (m->modules[middle].address <= pc)
			low = middle + 1;
		else
			high = middle;
	}
	const struct module *x = low > 0 ? &m->modules[low - 1] : NULL;
	return x && pc - x->address < x->bytes ? x : NULL;
}

static const struct function *find_function(const struct symbol_file *f, uint64_t offset)
{
	size_t low = 0, high = f->nr;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (f->functions[middle].begin <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	const struct function *found = NULL;
	for (size_t i = low; i-- > 0 && f->functions[i].begin == f->functions[low - 1].begin;)
		if (offset < f->functions[i].end)
			found = &f->functions[i];
	return found;
}

enum sahm_status function_map_place(struct function_map *m, uint64_t pc, struct function_place *out,
				    struct sahm_err *err)
{
	const struct module *x = find_module(m, pc);
	*out = (struct function_place){0};
	if (!x)
		return SAHM_OK;
	enum sahm_status status = read_file(m, x->file, err);
	if (status != SAHM_OK)
		return status;
	uint64_t offset = pc - x->address + x->offset;
	const struct function *f = find_function(x->file, offset);
	*out = (struct function_place){x->file->path, offset, f ? f->name : NULL, f ? offset - f->begin : 0,
				       x->file->is_readable};
	return SAHM_OK;
}

static int by_range(const void *a, const void *b)
{
	const struct pc_range *x = a, *y = b;
	return (x->begin > y->begin) - (x->begin < y->begin);
}

/* Adds those of module `x`: at most as many as its file has functions. */
static void add_ranges(const struct module *x, const char *name, struct pc_range *ranges, size_t *nr, struct suggest *s)
{
	for (size_t i = 0; i < x->file->nr; i++) {
		const struct function *f = &x->file->functions[i];
		uint64_t base = x->address - x->offset;
		if (f->begin < x->offset || f->begin - x->offset >= x->bytes)
			continue;
		if (strcmp(f->name, name) == 0)
			ranges[(*nr)++] = (struct pc_range){base + f->begin, base + f->end};
		else
			suggest_offer(s, f->name);
	}
}

enum sahm_status function_map_ranges(struct function_map *m, const char *name, struct pc_range **ranges, size_t *nr,
				     struct sahm_err *err)
{
	struct suggest s;
	char near[SUGGEST_BYTES];
	size_t most = 0;
	suggest_init(&s, name);
	for (size_t i = 0; i < m->nr_modules; i++) {
		enum sahm_status status = read_file(m, m->modules[i].file, err);
		if (status != SAHM_OK)
			return status;
		most += m->modules[i].file->nr;
	}
	struct pc_range *found = calloc(most + 1, sizeof(*found));
	if (!found)
		return sahm_fail_nomem(err);
	*nr = 0;
	for (size_t i = 0; i < m->nr_modules; i++)
		add_ranges(&m->modules[i], name, found, nr, &s);
	if (*nr == 0) {
		free(found);
		note_stripped(m);
		return m->nr_modules == 0
			       ? sahm_fail(err, SAHM_USAGE,
					   "'%.200s' says of no file where it was mapped: it has no functions",
					   m->stream)
			       : sahm_fail(err, SAHM_USAGE, "no function '%.200s' in the files of '%.200s'%s", name,
					   m->stream, suggest_text(&s, near));
	}
	qsort(found, *nr, sizeof(*found), by_range);
	*ranges = found;
	return SAHM_OK;
}
