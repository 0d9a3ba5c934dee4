#include "workloads/stream/code_names.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cores/isa/insn_text.h"
#include "sim/base/arena.h"
#include "sim/base/file.h"
#include "workloads/stream/code_segments.h"
#include "workloads/stream/source_lines.h"

/* A file with instructions that were named. */
struct named_file {
	const char *path;
	int fd; /* -1: it can no longer be read */
	struct code_segment *segments;
	size_t nr_segments;
	struct source_lines *lines; /* NULL: none */
};

struct code_names {
	enum machine machine;
	struct function_map *map;
	struct x86_decoder *decoder; /* of x86-64 only */
	struct named_file *files;
	size_t nr_files;
	struct arena arena;
};

/* ---- The file that is given ---- */

struct given {
	const char *path;
	int fd;
	Elf *elf;
	GElf_Ehdr header;
	struct code_segment *segments;
	size_t nr_segments;
	uint64_t first; /* the lowest address that is loaded */
};

/* Whether bits that say where in its page a pc is agree: files are mapped by pages. */
#define PAGE_MASK UINT64_C(0xfff)

static enum sahm_status check_header(struct given *g, enum machine machine, struct sahm_err *err)
{
	static const GElf_Half machines[NR_MACHINES] = {[MACHINE_X86_64] = EM_X86_64, [MACHINE_RV64] = EM_RISCV};
	GElf_Phdr p;
	size_t nr = 0;
	if (!g->elf || elf_kind(g->elf) != ELF_K_ELF || !gelf_getehdr(g->elf, &g->header))
		return sahm_fail(err, SAHM_FORMAT, "'%s' is no ELF file", g->path);
	if (g->header.e_machine != machines[machine] || gelf_getclass(g->elf) != ELFCLASS64)
		return sahm_fail(err, SAHM_FORMAT, "'%s' is for another machine than the stream, which is of %s",
				 g->path, machine_name(machine));
	if (!code_segments_read(g->elf, &g->segments, &g->nr_segments))
		return sahm_fail_nomem(err);
	if (g->nr_segments == 0)
		return sahm_fail(err, SAHM_FORMAT, "'%s' has no code that is loaded", g->path);
	g->first = g->segments[0].address;
	if (elf_getphdrnum(g->elf, &nr) != 0)
		nr = 0;
	for (size_t i = 0; i < nr; i++)
		if (gelf_getphdr(g->elf, (int)i, &p) && p.p_type == PT_LOAD && p.p_vaddr < g->first)
			g->first = p.p_vaddr;
	return SAHM_OK;
}

static enum sahm_status open_given(struct given *g, enum machine machine, struct sahm_err *err)
{
	g->fd = file_open_regular(g->path, err);
	if (g->fd < 0)
		return SAHM_IO;
	g->elf = elf_version(EV_CURRENT) != EV_NONE ? elf_begin(g->fd, ELF_C_READ, NULL) : NULL;
	return check_header(g, machine, err);
}

static void close_given(struct given *g)
{
	elf_end(g->elf);
	free(g->segments);
	if (g->fd >= 0)
		close(g->fd);
}

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* Modules of the stream that are called as the file: modules[*nr], with room for all. */
static void find_by_name(const struct given *g, const struct stream *s, struct stream_module *modules, size_t *nr)
{
	struct stream_module x;
	for (size_t at = 0; stream_next_module(s, &at, &x);)
		if (strcmp(file_name(x.path), file_name(g->path)) == 0) {
			x.path = g->path;
			modules[(*nr)++] = x;
		}
}

/* How much higher the file was than it is linked for, by where the stream begins. */
static enum sahm_status find_bias(const struct given *g, struct stream *s, uint64_t *bias, struct sahm_err *err)
{
	struct executed x;
	bool more = false;
	enum sahm_status status = stream_nr_epochs(s) > 0 ? stream_seek(s, 0, err) : SAHM_OK;
	if (status == SAHM_OK && stream_nr_epochs(s) > 0)
		status = stream_next(s, &x, &more, err);
	if (status != SAHM_OK)
		return status;
	if (!more)
		return sahm_fail(err, SAHM_USAGE,
				 "'%s' has no base, and the stream no instructions that say where it was", g->path);
	uint64_t pc = x.instruction->pc;
	for (size_t i = 0; i < g->nr_segments; i++)
		if (pc - g->segments[i].address < g->segments[i].bytes) {
			*bias = 0;
			return SAHM_OK;
		}
	*bias = pc - g->header.e_entry;
	if (g->header.e_type == ET_DYN && (*bias & PAGE_MASK) == 0)
		return SAHM_OK;
	return sahm_fail(err, SAHM_USAGE,
			 "cannot say where '%s' was: the stream begins at 0x%llx, which is not its entry point; "
			 "give --base ADDR",
			 g->path, (unsigned long long)pc);
}

static enum sahm_status place_given(const struct given *g, const struct code_file *elf, struct stream *s,
				    struct function_map *map, struct sahm_err *err)
{
	struct stream_module x, *modules;
	size_t nr = 0, most = g->nr_segments;
	uint64_t bias = elf->base - g->first;
	enum sahm_status status = SAHM_OK;
	for (size_t at = 0; stream_next_module(s, &at, &x);)
		most++;
	modules = calloc(most, sizeof(*modules));
	if (!modules)
		return sahm_fail_nomem(err);
	if (!elf->has_base)
		find_by_name(g, s, modules, &nr);
	bool is_found = nr > 0;
	if (!is_found && !elf->has_base)
		status = find_bias(g, s, &bias, err);
	for (size_t i = 0; !is_found && i < g->nr_segments; i++)
		modules[nr++] = (struct stream_module){g->segments[i].address + bias, g->segments[i].bytes,
						       g->segments[i].offset, g->path};
	if (status == SAHM_OK)
		status = function_map_take(map, modules, nr, err);
	free(modules);
	return status;
}

static enum sahm_status take_given(struct code_names *n, struct stream *s, const struct code_file *elf,
				   struct sahm_err *err)
{
	struct given g = {.path = elf->path, .fd = -1};
	enum sahm_status status = open_given(&g, n->machine, err);
	if (status == SAHM_OK)
		status = place_given(&g, elf, s, n->map, err);
	close_given(&g);
	return status;
}

/* ---- Names ---- */

enum sahm_status code_names_new(struct stream *s, const struct code_file *elf, struct code_names **names,
				struct sahm_err *err)
{
	struct code_names *n = calloc(1, sizeof(*n));
	if (!n)
		return sahm_fail_nomem(err);
	arena_init(&n->arena);
	n->machine = stream_machine(s);
	enum sahm_status status = function_map_new(s, &n->map, err);
	if (status == SAHM_OK && n->machine == MACHINE_X86_64)
		status = x86_decoder_new(&n->decoder, err);
	if (status == SAHM_OK && elf)
		status = take_given(n, s, elf, err);
	if (status != SAHM_OK) {
		code_names_free(n);
		return status;
	}
	*names = n;
	return SAHM_OK;
}

static void release_file(struct named_file *f)
{
	source_lines_free(f->lines);
	free(f->segments);
	if (f->fd >= 0)
		close(f->fd);
}

void code_names_free(struct code_names *n)
{
	if (!n)
		return;
	for (size_t i = 0; i < n->nr_files; i++)
		release_file(&n->files[i]);
	free(n->files);
	x86_decoder_free(n->decoder);
	function_map_free(n->map);
	arena_release(&n->arena);
	free(n);
}

const struct textbuf *code_names_notes(const struct code_names *n)
{
	return function_map_notes(n->map);
}

/* A file that cannot be read has no segments. */
static enum sahm_status open_named(struct named_file *f, struct sahm_err *err)
{
	struct sahm_err ignored;
	enum sahm_status status = SAHM_OK;
	f->fd = file_open_regular(f->path, &ignored);
	Elf *elf = f->fd >= 0 ? elf_begin(f->fd, ELF_C_READ, NULL) : NULL;
	if (elf && !code_segments_read(elf, &f->segments, &f->nr_segments))
		status = sahm_fail_nomem(err);
	elf_end(elf);
	if (status == SAHM_OK && f->nr_segments > 0)
		status = source_lines_new(f->fd, &f->lines, err);
	if (status != SAHM_OK)
		release_file(f);
	return status;
}

/* `path` is the map's, which lives as long as the names. */
static enum sahm_status find_file(struct code_names *n, const char *path, const struct named_file **out,
				  struct sahm_err *err)
{
	*out = NULL;
	for (size_t i = 0; i < n->nr_files; i++)
		if (strcmp(n->files[i].path, path) == 0) {
			*out = &n->files[i];
			return SAHM_OK;
		}
	struct named_file f = {.path = path, .fd = -1};
	struct named_file *files = realloc(n->files, (n->nr_files + 1) * sizeof(*files));
	if (!files)
		return sahm_fail_nomem(err);
	n->files = files;
	enum sahm_status status = open_named(&f, err);
	if (status != SAHM_OK)
		return status;
	files[n->nr_files] = f;
	*out = &files[n->nr_files++];
	return SAHM_OK;
}

/* The text of the `length` bytes at `offset`; *text stays NULL where it is not known. */
static enum sahm_status read_text(struct code_names *n, const struct named_file *f, uint64_t offset, uint64_t pc,
				  unsigned length, const char **text, struct sahm_err *err)
{
	uint8_t bytes[MAX_INSN_BYTES];
	char written[INSN_TEXT_BYTES];
	if (length == 0 || length > MAX_INSN_BYTES || offset > INT64_MAX ||
	    pread(f->fd, bytes, length, (off_t)offset) != (ssize_t)length)
		return SAHM_OK;
	unsigned len = n->decoder ? insn_text_x86(n->decoder, pc, bytes, length, written)
				  : insn_text_rv64(pc, bytes, length, written);
	if (len != length)
		return SAHM_OK;
	*text = arena_strdup(&n->arena, written);
	return *text ? SAHM_OK : sahm_fail_nomem(err);
}

enum sahm_status code_names_of(struct code_names *n, uint64_t pc, unsigned length, struct code_name *out,
			       struct sahm_err *err)
{
	const struct named_file *f;
	*out = (struct code_name){0};
	enum sahm_status status = function_map_place(n->map, pc, &out->place, err);
	if (status != SAHM_OK || !out->place.is_readable)
		return status;
	status = find_file(n, out->place.module, &f, err);
	if (!f)
		return status;
	uint64_t offset = out->place.module_offset;
	const struct code_segment *x = code_segments_find(f->segments, f->nr_segments, offset);
	if (!x)
		return SAHM_OK;
	source_lines_find(f->lines, offset - x->offset + x->address, &out->file, &out->line);
	return read_text(n, f, offset, pc, length, &out->text, err);
}
