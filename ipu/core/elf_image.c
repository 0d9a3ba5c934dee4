#include "ipu/core/elf_image.h"

#include <gelf.h>
#include <inttypes.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

struct elf_image {
	char *file;
	Elf *elf; /* names of symbols point into what it holds */
	char *bytes;
	size_t nr_bytes;
	uint32_t entry;
	struct elf_segment *segments;
	struct elf_symbol *symbols;
	size_t nr_segments, nr_symbols, room_for_symbols;
	uint64_t loaded_bytes; /* of the file, by all segments */
};

#define REFUSE(image, err, ...) sahm_fail_at(err, SAHM_FORMAT, (image)->file, 0, __VA_ARGS__)

static const char *libelf_error(void)
{
	const char *text = elf_errmsg(-1);
	return text ? text : "unknown error";
}

/* Checks the first bytes, before libelf looks at them: it takes archives and other classes, too. */
static enum sahm_status check_beginning(const struct elf_image *image, struct sahm_err *err)
{
	const char *ident = image->bytes;
	if (image->nr_bytes < SELFMAG || memcmp(ident, ELFMAG, SELFMAG) != 0)
		return REFUSE(image, err, "not an ELF file");
	if (image->nr_bytes < EI_NIDENT)
		return REFUSE(image, err, "cut short: it ends within the ELF header");
	if (ident[EI_CLASS] == ELFCLASS64)
		return REFUSE(image, err, "a 64-bit ELF file, must be for 32-bit RISC-V (-march=rv32imc -mabi=ilp32)");
	if (ident[EI_CLASS] != ELFCLASS32)
		return REFUSE(image, err, "not a 32-bit ELF file: its class is %u", (unsigned char)ident[EI_CLASS]);
	if (ident[EI_DATA] == ELFDATA2MSB)
		return REFUSE(image, err, "a big-endian ELF file, must be little-endian");
	if (ident[EI_DATA] != ELFDATA2LSB)
		return REFUSE(image, err, "not a little-endian ELF file: its data encoding is %u",
			      (unsigned char)ident[EI_DATA]);
	if (image->nr_bytes < sizeof(Elf32_Ehdr))
		return REFUSE(image, err, "cut short: it ends within the ELF header");
	return SAHM_OK;
}

static enum sahm_status check_header(const struct elf_image *image, const GElf_Ehdr *h, struct sahm_err *err)
{
	if (h->e_machine != EM_RISCV)
		return REFUSE(image, err, "not for RISC-V: its machine is %u, must be %u", h->e_machine, EM_RISCV);
	if (h->e_type == ET_REL)
		return REFUSE(image, err, "an object file, must be an executable: link it");
	if (h->e_type == ET_DYN)
		return REFUSE(image, err,
			      "position-independent, must be linked to fixed addresses "
			      "(-static -no-pie)");
	if (h->e_type != ET_EXEC)
		return REFUSE(image, err, "not an executable: its type is %u, must be %u", h->e_type, ET_EXEC);
	if (h->e_version != EV_CURRENT)
		return REFUSE(image, err, "its ELF version is %" PRIu32 ", must be %d", (uint32_t)h->e_version,
			      EV_CURRENT);
	if (h->e_flags & EF_RISCV_RVE)
		return REFUSE(image, err, "compiled for RV32E, must be RV32I (-march=rv32imc -mabi=ilp32)");
	if (h->e_entry & 1)
		return REFUSE(image, err, "its entry 0x%08" PRIx32 " is odd", (uint32_t)h->e_entry);
	/* A file that was cut short keeps its code and loses these: symbols would be missing without a word. */
	if (h->e_shoff > 0 && h->e_shoff + (uint64_t)h->e_shnum * sizeof(Elf32_Shdr) > image->nr_bytes)
		return REFUSE(image, err, "cut short: its section headers lie beyond its %zu bytes", image->nr_bytes);
	if (h->e_shoff > 0 && h->e_shnum > 0 && h->e_shentsize != sizeof(Elf32_Shdr))
		return REFUSE(image, err, "its section headers have %u bytes, must be %zu", h->e_shentsize,
			      sizeof(Elf32_Shdr));
	return SAHM_OK;
}

/* One program header of the file, its number in messages being `number`. */
static enum sahm_status add_segment(struct elf_image *image, size_t number, const GElf_Phdr *p, struct sahm_err *err)
{
	if (p->p_type == PT_INTERP)
		return REFUSE(image, err, "dynamically linked, must be static (-static)");
	if (p->p_type != PT_LOAD)
		return SAHM_OK;
	if (p->p_filesz > p->p_memsz)
		return REFUSE(image, err,
			      "segment %zu has %" PRIu64 " bytes in the file, more than its %" PRIu64 " in memory",
			      number, p->p_filesz, p->p_memsz);
	if (p->p_memsz == 0)
		return SAHM_OK;
	if (p->p_filesz > 0 && (p->p_offset > image->nr_bytes || p->p_filesz > image->nr_bytes - p->p_offset))
		return REFUSE(image, err, "cut short: segment %zu ends at byte %" PRIu64 ", the file has %zu", number,
			      p->p_offset + p->p_filesz, image->nr_bytes);
	if (p->p_vaddr + p->p_memsz > UINT64_C(1) << 32)
		return REFUSE(image, err, "segment %zu of 0x%" PRIx64 " bytes at 0x%08" PRIx64 " ends beyond 2^32",
			      number, p->p_memsz, p->p_vaddr);
	/* Else a small file could stand for as much as all addresses, piece by piece. */
	image->loaded_bytes += p->p_filesz;
	if (image->loaded_bytes > image->nr_bytes)
		return REFUSE(image, err, "segments share bytes: those up to number %zu have %" PRIu64 ", the file %zu",
			      number, image->loaded_bytes, image->nr_bytes);
	image->segments[image->nr_segments++] = (struct elf_segment){
		.address = (uint32_t)p->p_vaddr,
		.memory_bytes = (uint32_t)p->p_memsz,
		.file_bytes = (uint32_t)p->p_filesz,
		.is_executable = p->p_flags & PF_X,
		.is_writable = p->p_flags & PF_W,
		.bytes = (const uint8_t *)image->bytes + (p->p_filesz > 0 ? p->p_offset : 0),
	};
	return SAHM_OK;
}

static int by_address(const void *a, const void *b)
{
	const struct elf_segment *s = a, *t = b;
	if (s->address != t->address)
		return s->address < t->address ? -1 : 1;
	return (s->memory_bytes > t->memory_bytes) - (s->memory_bytes < t->memory_bytes);
}

static enum sahm_status check_overlaps(const struct elf_image *image, struct sahm_err *err)
{
	for (size_t i = 1; i < image->nr_segments; i++) {
		const struct elf_segment *low = &image->segments[i - 1], *high = &image->segments[i];
		if (high->address - low->address < low->memory_bytes)
			return REFUSE(image, err,
				      "segments overlap: 0x%" PRIx32 " bytes at 0x%08" PRIx32 " and 0x%" PRIx32
				      " bytes at 0x%08" PRIx32,
				      low->memory_bytes, low->address, high->memory_bytes, high->address);
	}
	return SAHM_OK;
}

static enum sahm_status read_segments(struct elf_image *image, const GElf_Ehdr *h, struct sahm_err *err)
{
	size_t nr = h->e_phnum; /* PN_XNUM, for more than fit here, is as many as no file of ours has */
	if (nr == 0)
		return SAHM_OK;
	if (h->e_phentsize != sizeof(Elf32_Phdr))
		return REFUSE(image, err, "its program headers have %u bytes, must be %zu", h->e_phentsize,
			      sizeof(Elf32_Phdr));
	if (h->e_phoff > image->nr_bytes || nr > (image->nr_bytes - h->e_phoff) / sizeof(Elf32_Phdr))
		return REFUSE(image, err, "cut short: its program headers lie beyond its %zu bytes", image->nr_bytes);
	image->segments = calloc(nr, sizeof(*image->segments));
	if (!image->segments)
		return sahm_fail_nomem(err);
	for (size_t i = 0; i < nr; i++) {
		GElf_Phdr p;
		if (!gelf_getphdr(image->elf, (int)i, &p))
			return REFUSE(image, err, "program header %zu cannot be read: %s", i, libelf_error());
		enum sahm_status status = add_segment(image, i, &p, err);
		if (status != SAHM_OK)
			return status;
	}
	if (image->nr_segments > 0)
		qsort(image->segments, image->nr_segments, sizeof(*image->segments), by_address);
	return check_overlaps(image, err);
}

/* Whether a symbol stands for an address that somebody has named. */
static bool is_named(const GElf_Sym *s, const char *name)
{
	int type = GELF_ST_TYPE(s->st_info);
	bool has_place = s->st_shndx != SHN_UNDEF && s->st_shndx != SHN_COMMON;
	return has_place && type != STT_SECTION && type != STT_FILE && *name && *name != '$' &&
	       strncmp(name, ".L", 2) != 0;
}

static enum elf_binding binding_of(const GElf_Sym *s)
{
	switch (GELF_ST_BIND(s->st_info)) {
	case STB_GLOBAL:
	case STB_GNU_UNIQUE:
		return ELF_GLOBAL;
	case STB_WEAK:
		return ELF_WEAK;
	default:
		return ELF_LOCAL;
	}
}

static enum sahm_status add_symbol(struct elf_image *image, const GElf_Sym *s, const char *name, struct sahm_err *err)
{
	if (image->nr_symbols == image->room_for_symbols) {
		size_t room = image->room_for_symbols ? 2 * image->room_for_symbols : 64;
		struct elf_symbol *bigger = realloc(image->symbols, room * sizeof(*bigger));
		if (!bigger)
			return sahm_fail_nomem(err);
		image->symbols = bigger;
		image->room_for_symbols = room;
	}
	image->symbols[image->nr_symbols++] = (struct elf_symbol){
		.name = name,
		.address = (uint32_t)s->st_value,
		.nr_bytes = (uint32_t)s->st_size,
		.is_function = GELF_ST_TYPE(s->st_info) == STT_FUNC,
		.binding = (uint8_t)binding_of(s),
	};
	return SAHM_OK;
}

/* The table of names that goes with a symbol table; *len is up to its last NUL, so that each name that begins below it
 * ends there. */
static const char *names_of(const struct elf_image *image, const GElf_Shdr *table, size_t *len)
{
	GElf_Shdr header;
	Elf_Scn *section = elf_getscn(image->elf, table->sh_link);
	Elf_Data *data = NULL;
	if (section && gelf_getshdr(section, &header) && header.sh_type == SHT_STRTAB &&
	    !(header.sh_flags & SHF_COMPRESSED))
		data = elf_getdata(section, NULL);
	const char *last = data && data->d_buf ? memrchr(data->d_buf, '\0', data->d_size) : NULL;
	*len = last ? (size_t)(last - (const char *)data->d_buf) + 1 : 0;
	return last ? data->d_buf : NULL;
}

static enum sahm_status read_symbol_table(struct elf_image *image, Elf_Scn *section, const GElf_Shdr *table,
					  struct sahm_err *err)
{
	size_t names_bytes;
	if (table->sh_size == 0)
		return SAHM_OK;
	if (table->sh_entsize != sizeof(Elf32_Sym) || table->sh_size % sizeof(Elf32_Sym) != 0)
		return REFUSE(image, err,
			      "its symbol table of %" PRIu64 " bytes has entries of %" PRIu64 ", must be %zu",
			      table->sh_size, table->sh_entsize, sizeof(Elf32_Sym));
	if (table->sh_offset > image->nr_bytes || table->sh_size > image->nr_bytes - table->sh_offset)
		return REFUSE(image, err, "cut short: its symbol table lies beyond its %zu bytes", image->nr_bytes);
	Elf_Data *data = elf_getdata(section, NULL);
	if (!data || !data->d_buf || data->d_type != ELF_T_SYM || data->d_size != table->sh_size)
		return REFUSE(image, err, "its symbol table cannot be read: %s", libelf_error());
	const char *names = names_of(image, table, &names_bytes);
	for (size_t i = 0; i < data->d_size / sizeof(Elf32_Sym); i++) {
		GElf_Sym symbol;
		if (!gelf_getsym(data, (int)i, &symbol))
			return REFUSE(image, err, "symbol %zu cannot be read: %s", i, libelf_error());
		if (symbol.st_name == 0)
			continue;
		if (symbol.st_name >= names_bytes)
			return REFUSE(image, err, "the name of symbol %zu lies outside the table of names", i);
		const char *name = names + symbol.st_name;
		enum sahm_status status = is_named(&symbol, name) ? add_symbol(image, &symbol, name, err) : SAHM_OK;
		if (status != SAHM_OK)
			return status;
	}
	return SAHM_OK;
}

/* Names may be long, share their ends or be one and the same, for thousands of symbols: how much of them is read here
 * has a bound. All of them stand in one table. */
static int by_address_and_name(const void *a, const void *b)
{
	const struct elf_symbol *s = a, *t = b;
	if (s->address != t->address)
		return s->address < t->address ? -1 : 1;
	if (s->is_function != t->is_function)
		return s->is_function ? -1 : 1;
	int order = s->name == t->name ? 0 : strncmp(s->name, t->name, ELF_ORDERED_NAME_BYTES);
	return order ? order : (s->name > t->name) - (s->name < t->name);
}

static enum sahm_status read_symbols(struct elf_image *image, struct sahm_err *err)
{
	bool has_table = false;
	for (Elf_Scn *section = NULL; (section = elf_nextscn(image->elf, section));) {
		GElf_Shdr header;
		if (!gelf_getshdr(section, &header))
			return REFUSE(image, err, "section %zu cannot be read: %s", elf_ndxscn(section),
				      libelf_error());
		if (header.sh_type != SHT_SYMTAB || (header.sh_flags & SHF_COMPRESSED))
			continue;
		if (has_table)
			return REFUSE(image, err, "it has more than one symbol table: section %zu is another",
				      elf_ndxscn(section));
		has_table = true;
		enum sahm_status status = read_symbol_table(image, section, &header, err);
		if (status != SAHM_OK)
			return status;
	}
	if (image->nr_symbols > 0)
		qsort(image->symbols, image->nr_symbols, sizeof(*image->symbols), by_address_and_name);
	return SAHM_OK;
}

static enum sahm_status read_image(struct elf_image *image, struct sahm_err *err)
{
	GElf_Ehdr h;
	enum sahm_status status = check_beginning(image, err);
	if (status != SAHM_OK)
		return status;
	if (elf_version(EV_CURRENT) == EV_NONE)
		return REFUSE(image, err, "libelf is too old: %s", libelf_error());
	image->elf = elf_memory(image->bytes, image->nr_bytes);
	if (!image->elf || elf_kind(image->elf) != ELF_K_ELF || !gelf_getehdr(image->elf, &h))
		return REFUSE(image, err, "its ELF header cannot be read: %s", libelf_error());
	status = check_header(image, &h, err);
	if (status == SAHM_OK)
		status = read_segments(image, &h, err);
	if (status == SAHM_OK)
		status = read_symbols(image, err);
	image->entry = (uint32_t)h.e_entry;
	return status;
}

enum sahm_status elf_image_new(struct elf_image **image, const char *file, char *bytes, size_t nr_bytes,
			       struct sahm_err *err)
{
	struct elf_image *new = calloc(1, sizeof(*new));
	if (new)
		*new = (struct elf_image){.file = strdup(file), .bytes = bytes, .nr_bytes = nr_bytes};
	if (!new || !new->file) {
		free(new);
		return sahm_fail_nomem(err);
	}
	enum sahm_status status = read_image(new, err);
	if (status != SAHM_OK) {
		elf_image_free(new);
		return status;
	}
	*image = new;
	return SAHM_OK;
}

void elf_image_free(struct elf_image *image)
{
	if (!image)
		return;
	free(image->symbols);
	free(image->segments);
	elf_end(image->elf);
	free(image->file);
	free(image);
}

const char *elf_image_file(const struct elf_image *image)
{
	return image->file;
}

uint32_t elf_image_entry(const struct elf_image *image)
{
	return image->entry;
}

const struct elf_segment *elf_image_segments(const struct elf_image *image, size_t *nr)
{
	*nr = image->nr_segments;
	return image->segments;
}

const struct elf_symbol *elf_image_symbols(const struct elf_image *image, size_t *nr)
{
	*nr = image->nr_symbols;
	return image->symbols;
}

const struct elf_symbol *elf_image_find(const struct elf_image *image, const char *name)
{
	const struct elf_symbol *best = NULL;
	for (size_t i = 0; i < image->nr_symbols && !(best && best->binding == ELF_GLOBAL); i++) {
		const struct elf_symbol *s = &image->symbols[i];
		if ((!best || s->binding < best->binding) && strcmp(s->name, name) == 0)
			best = s;
	}
	return best;
}

static const struct elf_segment *segment_of(const struct elf_image *image, uint32_t address)
{
	size_t low = 0, high = image->nr_segments;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct elf_segment *s = &image->segments[middle];
		if (address < s->address)
			high = middle;
		else if (address - s->address < s->memory_bytes)
			return s;
		else
			low = middle + 1;
	}
	return NULL;
}

/* How many symbols stand below `address`. */
static size_t nr_symbols_below(const struct elf_image *image, uint64_t address)
{
	size_t low = 0, high = image->nr_symbols;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (image->symbols[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct elf_symbol *elf_image_symbol_at(const struct elf_image *image, uint32_t address)
{
	const struct elf_segment *segment = segment_of(image, address);
	size_t nr = segment ? nr_symbols_below(image, (uint64_t)address + 1) : 0;
	if (nr == 0 || image->symbols[nr - 1].address < segment->address)
		return NULL;
	/* Of those of one address, the first one is a function if any of them is. */
	return &image->symbols[nr_symbols_below(image, image->symbols[nr - 1].address)];
}
