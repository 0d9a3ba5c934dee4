#include "sched/host/plugin_file.h"
#include "sim/base/array.h"

#include <gelf.h>
#include <libelf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/file.h"

/* The machine that this is, as ELF counts them; 0 where it is not known here: the dynamic linker knows. */
#if defined(__x86_64__)
#define HOST_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define HOST_MACHINE EM_AARCH64
#elif defined(__riscv)
#define HOST_MACHINE EM_RISCV
#elif defined(__powerpc64__)
#define HOST_MACHINE EM_PPC64
#elif defined(__s390__)
#define HOST_MACHINE EM_S390
#elif defined(__i386__)
#define HOST_MACHINE EM_386
#elif defined(__arm__)
#define HOST_MACHINE EM_ARM
#else
#define HOST_MACHINE EM_NONE
#endif

#define HOST_CLASS (sizeof(ElfW(Addr)) == 8 ? ELFCLASS64 : ELFCLASS32)
#define HOST_DATA (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB)

struct reader {
	struct plugin_file *file;
	const char *path;
	Elf *elf;
	char *bytes;
	size_t nr_bytes;
	size_t room_for_needs, room_for_variables;
	struct sahm_err *err;
};

#define REFUSE(r, ...) sahm_fail_at((r)->err, SAHM_FORMAT, (r)->path, 0, __VA_ARGS__)

/* Makes room for one more item in `items`, an array from the arena of which `nr` are in use. */
static bool grow(struct arena *a, void **items, size_t nr, size_t *room, size_t size)
{
	if (nr < *room)
		return true;
	void *bigger = arena_alloc(a, *room ? *room * 2 : 16, size);
	if (!bigger)
		return false;
	if (nr)
		memcpy(bigger, *items, nr * size);
	*items = bigger;
	*room = *room ? *room * 2 : 16;
	return true;
}

/* Only as far as the dynamic linker, which trusts what it maps, would stumble or say something that nobody understands.
 */
static enum sahm_status check_header(struct reader *r)
{
	GElf_Ehdr h;
	const unsigned char *ident = (const unsigned char *)r->bytes;
	if (r->nr_bytes < EI_NIDENT || memcmp(ident, ELFMAG, SELFMAG) != 0)
		return REFUSE(r, "not a shared object: it is no ELF file");
	if (ident[EI_CLASS] != HOST_CLASS || ident[EI_DATA] != HOST_DATA)
		return REFUSE(r, "for another machine than this one");
	if (!gelf_getehdr(r->elf, &h))
		return REFUSE(r, "not a shared object: %s", elf_errmsg(-1));
	if (HOST_MACHINE != EM_NONE && h.e_machine != HOST_MACHINE)
		return REFUSE(r, "for another machine than this one: %u, must be %u", h.e_machine, HOST_MACHINE);
	if (h.e_type == ET_REL)
		return REFUSE(r, "an object file, must be a shared object: link it with -shared");
	if (h.e_type != ET_DYN)
		return REFUSE(r, "not a shared object: its ELF type is %u, must be %u", h.e_type, ET_DYN);
	if (h.e_shoff > 0 && h.e_shoff + (uint64_t)h.e_shnum * h.e_shentsize > r->nr_bytes)
		return REFUSE(r, "cut short: its section headers lie beyond its %zu bytes", r->nr_bytes);
	size_t nr = 0;
	if (elf_getphdrnum(r->elf, &nr) != 0)
		return REFUSE(r, "its program headers cannot be read: %s", elf_errmsg(-1));
	for (size_t i = 0; i < nr; i++) {
		GElf_Phdr p;
		if (!gelf_getphdr(r->elf, (int)i, &p))
			return REFUSE(r, "program header %zu cannot be read: %s", i, elf_errmsg(-1));
		if (p.p_type == PT_LOAD && (p.p_offset > r->nr_bytes || p.p_filesz > r->nr_bytes - p.p_offset))
			return REFUSE(r, "cut short: segment %zu ends beyond its %zu bytes", i, r->nr_bytes);
	}
	return SAHM_OK;
}

/* A position-independent program has the type of a shared object. */
static enum sahm_status check_dynamic(struct reader *r, Elf_Data *data, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		GElf_Dyn d;
		if (gelf_getdyn(data, (int)i, &d) && d.d_tag == DT_FLAGS_1 && d.d_un.d_val & DF_1_PIE)
			return REFUSE(r, "a program, must be a shared object: link it with -shared");
	}
	return SAHM_OK;
}

/* What compilers let a shared object ask for and do without. */
static bool is_of_tools(const GElf_Sym *s, const char *name)
{
	return GELF_ST_BIND(s->st_info) == STB_WEAK || !*name;
}

static enum sahm_status add_dynamic_symbol(struct reader *r, const GElf_Sym *s, const char *name)
{
	struct plugin_file *file = r->file;
	if (s->st_shndx != SHN_UNDEF) {
		if (strcmp(name, SAHM_PLUGIN_SYMBOL) == 0)
			file->plugin_bytes = s->st_size;
		return SAHM_OK;
	}
	if (is_of_tools(s, name))
		return SAHM_OK;
	void *items = (void *)file->needs;
	bool fits = grow(&file->arena, &items, file->nr_needs, &r->room_for_needs, sizeof(*file->needs));
	file->needs = items;
	const char *copy = fits ? arena_strdup(&file->arena, name) : NULL;
	if (!copy)
		return sahm_fail_nomem(r->err);
	file->needs[file->nr_needs++] = copy;
	return SAHM_OK;
}

/* Whether the section holds variables of the program: not what is constant once the file is loaded. */
static bool holds_variables(struct reader *r, size_t section, const char **name)
{
	GElf_Shdr h;
	size_t names;
	Elf_Scn *scn = elf_getscn(r->elf, section);
	if (!scn || !gelf_getshdr(scn, &h) || elf_getshdrstrndx(r->elf, &names) != 0)
		return false;
	*name = elf_strptr(r->elf, names, h.sh_name);
	if (!(h.sh_flags & SHF_WRITE) || !(h.sh_flags & SHF_ALLOC) || !*name)
		return false;
	if (h.sh_type != SHT_PROGBITS && h.sh_type != SHT_NOBITS)
		return false;
	return strncmp(*name, ".got", 4) != 0 && strncmp(*name, ".data.rel.ro", 12) != 0 &&
	       strncmp(*name, ".tm_clone_table", 15) != 0;
}

/* Variables that the compiler adds: for the start and the end of a shared object, for sanitizers and profiles. */
static bool is_added(const char *name)
{
	static const char *const beginnings[] = {"__dso_handle", "completed.", "__TMC_END__", "__odr_asan",
						 "__asan_",	 "__gcov",     "__prof",      "__llvm_"};
	for (size_t i = 0; i < ARRAY_SIZE(beginnings); i++)
		if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0)
			return true;
	return false;
}
/* Of a shared object's start, in each section. */
#define START_BYTES 8u

static enum sahm_status add_variable(struct reader *r, const GElf_Sym *s, const char *name)
{
	struct plugin_file *file = r->file;
	const char *section;
	unsigned type = GELF_ST_TYPE(s->st_info);
	if ((type != STT_OBJECT && type != STT_TLS) || s->st_size == 0 || s->st_shndx >= SHN_LORESERVE ||
	    !holds_variables(r, s->st_shndx, &section) || is_added(name))
		return SAHM_OK;
	void *items = file->variables;
	bool fits = grow(&file->arena, &items, file->nr_variables, &r->room_for_variables, sizeof(*file->variables));
	file->variables = items;
	const char *copy = fits ? arena_strdup(&file->arena, name) : NULL;
	if (!copy)
		return sahm_fail_nomem(r->err);
	file->variables[file->nr_variables++] = (struct plugin_variable){copy, s->st_size};
	return SAHM_OK;
}

static enum sahm_status read_symbols(struct reader *r, const GElf_Shdr *h, Elf_Data *data)
{
	size_t nr = h->sh_entsize ? h->sh_size / h->sh_entsize : 0;
	enum sahm_status status = SAHM_OK;
	if (h->sh_type == SHT_DYNSYM)
		r->file->plugin_bytes = 0;
	for (size_t i = 1; i < nr && status == SAHM_OK; i++) {
		GElf_Sym s;
		if (!gelf_getsym(data, (int)i, &s))
			return REFUSE(r, "symbol %zu cannot be read: %s", i, elf_errmsg(-1));
		const char *name = elf_strptr(r->elf, h->sh_link, s.st_name);
		if (!name)
			return REFUSE(r, "the name of symbol %zu cannot be read: %s", i, elf_errmsg(-1));
		status = h->sh_type == SHT_DYNSYM ? add_dynamic_symbol(r, &s, name) : add_variable(r, &s, name);
	}
	return status;
}

static enum sahm_status read_section(struct reader *r, Elf_Scn *scn, bool *has_names)
{
	GElf_Shdr h;
	const char *name;
	if (!gelf_getshdr(scn, &h))
		return REFUSE(r, "section %zu cannot be read: %s", elf_ndxscn(scn), elf_errmsg(-1));
	if (holds_variables(r, elf_ndxscn(scn), &name) && h.sh_size > START_BYTES)
		r->file->writable_bytes += h.sh_size - START_BYTES;
	if (h.sh_type != SHT_DYNSYM && h.sh_type != SHT_SYMTAB && h.sh_type != SHT_DYNAMIC)
		return SAHM_OK;
	Elf_Data *data = elf_getdata(scn, NULL);
	if (!data)
		return REFUSE(r, "section %zu cannot be read: %s", elf_ndxscn(scn), elf_errmsg(-1));
	if (h.sh_type == SHT_DYNAMIC)
		return check_dynamic(r, data, h.sh_entsize ? h.sh_size / h.sh_entsize : 0);
	*has_names |= h.sh_type == SHT_SYMTAB;
	return read_symbols(r, &h, data);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int by_variable(const void *a, const void *b)
{
	const struct plugin_variable *x = a, *y = b;
	int order = strcmp(x->name, y->name);
	return order ? order : (x->nr_bytes > y->nr_bytes) - (x->nr_bytes < y->nr_bytes);
}

static enum sahm_status read_elf(struct reader *r)
{
	struct plugin_file *file = r->file;
	bool has_names = false;
	enum sahm_status status = check_header(r);
	for (Elf_Scn *scn = NULL; status == SAHM_OK && (scn = elf_nextscn(r->elf, scn));)
		status = read_section(r, scn, &has_names);
	if (status != SAHM_OK)
		return status;
	if (file->nr_needs)
		qsort((void *)file->needs, file->nr_needs, sizeof(*file->needs), by_name);
	if (file->nr_variables)
		qsort(file->variables, file->nr_variables, sizeof(*file->variables), by_variable);
	if (!has_names)
		return SAHM_OK;
	file->writable_bytes = 0;
	for (size_t i = 0; i < file->nr_variables; i++)
		file->writable_bytes += file->variables[i].nr_bytes;
	return SAHM_OK;
}

enum sahm_status plugin_file_read(struct plugin_file *file, const char *path, struct sahm_err *err)
{
	struct reader r = {.file = file, .path = path, .err = err};
	struct hash h;
	*file = (struct plugin_file){.plugin_bytes = SIZE_MAX};
	enum sahm_status status = file_read_regular(path, MAX_PLUGIN_BYTES, &r.bytes, &r.nr_bytes, err);
	if (status != SAHM_OK)
		return status;
	hash_init(&h);
	hash_add(&h, r.bytes, r.nr_bytes);
	hash_end(&h, file->hash);
	arena_init(&file->arena);
	if (elf_version(EV_CURRENT) == EV_NONE)
		status = REFUSE(&r, "libelf is too old: %s", elf_errmsg(-1));
	if (status == SAHM_OK && (r.nr_bytes == 0 || !(r.elf = elf_memory(r.bytes, r.nr_bytes))))
		status = REFUSE(&r, "not a shared object: it is no ELF file");
	if (status == SAHM_OK)
		status = read_elf(&r);
	elf_end(r.elf);
	free(r.bytes);
	if (status != SAHM_OK)
		plugin_file_release(file);
	return status;
}

void plugin_file_release(struct plugin_file *file)
{
	arena_release(&file->arena);
	*file = (struct plugin_file){0};
}

bool plugin_file_needs(const struct plugin_file *file, const char *name)
{
	for (size_t i = 0; i < file->nr_needs; i++)
		if (strcmp(file->needs[i], name) == 0)
			return true;
	return false;
}
