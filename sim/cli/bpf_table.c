#include "sim/cli/bpf_table.h"

#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

#include "sched/host/plugin_file.h"
#include "sim/base/array.h"
#include "sim/base/file.h"
#include "sim/base/textbuf.h"

/* ---- Symbols ---- */

struct reader {
	struct bpf_symbols *symbols;
	struct bpf_compiler *c;
	Elf *elf;
	size_t nr_all; /* symbols of the file */
};

static bool begins(const char *name, const char *beginning)
{
	return strncmp(name, beginning, strlen(beginning)) == 0;
}

static const char *section_of(struct reader *r, const GElf_Sym *s)
{
	GElf_Shdr h;
	size_t names;
	Elf_Scn *scn = s->st_shndx < SHN_LORESERVE ? elf_getscn(r->elf, s->st_shndx) : NULL;
	if (!scn || !gelf_getshdr(scn, &h) || elf_getshdrstrndx(r->elf, &names) != 0)
		return NULL;
	return elf_strptr(r->elf, names, h.sh_name);
}

/* Variables inside of functions have a '.' in their names. */
static bool take_symbol(struct reader *r, const GElf_Sym *s, const char *name)
{
	struct bpf_symbols *to = r->symbols;
	const char *copy = arena_strdup(&r->c->arena, name);
	if (!copy)
		return false;
	if (s->st_shndx == SHN_UNDEF && strcmp(name, BPF_TICK_RATE) == 0) {
		to->needs_tick_rate = true;
		to->variables[to->nr_variables++] = (struct bpf_symbol){copy, 0};
		return true;
	}
	if (s->st_shndx == SHN_UNDEF) {
		if (*name && GELF_ST_BIND(s->st_info) != STB_WEAK)
			to->needs[to->nr_needs++] = copy;
		return true;
	}
	const char *section = section_of(r, s);
	to->has_policy |= strcmp(name, SAHM_PLUGIN_SYMBOL) == 0;
	if (GELF_ST_TYPE(s->st_info) != STT_OBJECT || !s->st_size || !section || strchr(name, '.'))
		return true;
	if (strcmp(section, ".maps") == 0)
		to->maps[to->nr_maps++] = (struct bpf_symbol){copy, s->st_size};
	else if (begins(section, ".data") || begins(section, ".bss") || begins(section, ".rodata"))
		to->variables[to->nr_variables++] = (struct bpf_symbol){copy, s->st_size};
	return true;
}

static enum sahm_status read_symbols(struct reader *r, Elf_Scn *scn, const GElf_Shdr *h, struct sahm_err *err)
{
	struct bpf_symbols *to = r->symbols;
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t nr = h->sh_entsize ? h->sh_size / h->sh_entsize : 0;
	to->maps = arena_alloc(&r->c->arena, nr, sizeof(*to->maps));
	to->variables = arena_alloc(&r->c->arena, nr, sizeof(*to->variables));
	to->needs = arena_alloc(&r->c->arena, nr, sizeof(*to->needs));
	if (!to->maps || !to->variables || !to->needs)
		return sahm_fail_nomem(err);
	for (size_t i = 1; data && i < nr; i++) {
		GElf_Sym s;
		const char *name = gelf_getsym(data, (int)i, &s) ? elf_strptr(r->elf, h->sh_link, s.st_name) : NULL;
		if (name && !take_symbol(r, &s, name))
			return sahm_fail_nomem(err);
	}
	return SAHM_OK;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct bpf_symbol *)a)->name, ((const struct bpf_symbol *)b)->name);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

enum sahm_status bpf_symbols_read(struct bpf_symbols *symbols, struct bpf_compiler *c, const char *name,
				  struct sahm_err *err)
{
	struct reader r = {.symbols = symbols, .c = c};
	char *path = bpf_compiler_path(c, name), *bytes = NULL;
	size_t nr_bytes = 0;
	*symbols = (struct bpf_symbols){0};
	enum sahm_status status =
		path ? file_read_regular(path, MAX_PLUGIN_BYTES, &bytes, &nr_bytes, err) : sahm_fail_nomem(err);
	if (status == SAHM_OK && (elf_version(EV_CURRENT) == EV_NONE || !(r.elf = elf_memory(bytes, nr_bytes)) ||
				  elf_kind(r.elf) != ELF_K_ELF))
		status = sahm_fail(err, SAHM_TOOL, "what the compiler has made is no object file: its options?");
	for (Elf_Scn *scn = NULL; status == SAHM_OK && (scn = elf_nextscn(r.elf, scn));) {
		GElf_Shdr h;
		if (gelf_getshdr(scn, &h) && h.sh_type == SHT_SYMTAB)
			status = read_symbols(&r, scn, &h, err);
	}
	elf_end(r.elf);
	free(bytes);
	if (symbols->nr_maps)
		qsort(symbols->maps, symbols->nr_maps, sizeof(*symbols->maps), by_name);
	if (symbols->nr_variables)
		qsort(symbols->variables, symbols->nr_variables, sizeof(*symbols->variables), by_name);
	if (symbols->nr_needs)
		qsort((void *)symbols->needs, symbols->nr_needs, sizeof(*symbols->needs), by_text);
	return status;
}

/* ---- Questions to the compiler ---- */

/* Each is a line that is wrong if the answer is no. */
struct probe {
	struct bpf_compiler *c;
	struct textbuf text;
	size_t nr;
	bool *answers; /* [nr] */
};

/* Members of a map: libbpf's, as far as they matter here. */
enum member { TYPE, MAX_ENTRIES, KEY, VALUE, KEY_SIZE, VALUE_SIZE, VALUES, NR_MEMBERS };
static const char *const members[NR_MEMBERS] = {"type",	    "max_entries", "key",   "value",
						"key_size", "value_size",  "values"};

/* Of a map: whether it has each member, then whether the maps in it do. */
#define NR_MAP_QUESTIONS (2 * NR_MEMBERS)

/* Of a variable: whether it is an integer with this number of indices. One that is constant but not volatile does not
 * count: the compiler has used its value. */
#define NR_DEPTHS 5
static const char *const indices[NR_DEPTHS] = {"", "[0]", "[0][0]", "[0][0][0]", "[0][0][0][0]"};

static const char probe_macros[] =
	"#define SAHM_YES(condition) sizeof(char[(condition) ? 1 : -1])\n"
	"#define SAHM_IS_INTEGER(x) _Generic((x) + 0, int: 1, unsigned: 1, long: 1, unsigned long: 1, long long: 1, "
	"unsigned long long: 1, default: 0)\n"
	"#define SAHM_IS_CONST(x) __builtin_types_compatible_p(typeof(&(x)), const typeof(x) *)\n"
	"#define SAHM_IS_VOLATILE(x) __builtin_types_compatible_p(typeof(&(x)), volatile typeof(x) *)\n"
	"#define SAHM_IS_BOOL(x) __builtin_types_compatible_p(typeof(x), _Bool)\n"
	"#define SAHM_IS_UNSIGNED(x) ((typeof((x) + 0))0 < (typeof(x))-1)\n";

/* The scheduler, with what a loader defines of the kernel's configuration. */
static void write_source(const struct bpf_symbols *s, const struct bpf_compiler *c, struct textbuf *out)
{
	textbuf_printf(out, "#include \"%s\"\n", c->file);
	if (s->needs_tick_rate)
		textbuf_puts(out, "typeof(" BPF_TICK_RATE ") " BPF_TICK_RATE ";\n");
	textbuf_puts(out, probe_macros);
}

static void ask(struct probe *p, const struct bpf_symbols *s)
{
	for (size_t i = 0; i < s->nr_maps; i++) {
		const char *map = s->maps[i].name;
		for (int m = 0; m < NR_MEMBERS; m++)
			textbuf_printf(&p->text, "enum { sahm_%zu = sizeof(&(%s).%s) };\n", p->nr++, map, members[m]);
		for (int m = 0; m < NR_MEMBERS; m++)
			textbuf_printf(&p->text, "enum { sahm_%zu = sizeof(&(*(%s).values[0]).%s) };\n", p->nr++, map,
				       members[m]);
	}
	for (size_t i = 0; i < s->nr_variables; i++)
		for (size_t d = 0; d < NR_DEPTHS; d++)
			textbuf_printf(&p->text,
				       "enum { sahm_%zu = SAHM_YES(SAHM_IS_INTEGER(%s%s) && (SAHM_IS_VOLATILE(%s%s) || "
				       "!SAHM_IS_CONST(%s%s))) };\n",
				       p->nr++, s->variables[i].name, indices[d], s->variables[i].name, indices[d],
				       s->variables[i].name, indices[d]);
}

#define PROBE "sahm-probe"

/* "sahm-probe:12:3: error: ...": question 11 has the answer no. */
static void take_answers(struct probe *p, const char *words)
{
	for (size_t i = 0; i < p->nr; i++)
		p->answers[i] = true;
	for (const char *line = words; line; line = (line = strchr(line, '\n')) ? line + 1 : NULL) {
		if (!begins(line, PROBE ":"))
			continue;
		char *end;
		unsigned long nr = strtoul(line + strlen(PROBE ":"), &end, 10);
		const char *rest = strstr(end, ": error: "), *end_of_line = strchr(end, '\n');
		if (nr > 0 && nr <= p->nr && rest && (!end_of_line || rest < end_of_line))
			p->answers[nr - 1] = false;
	}
}

static enum sahm_status probe(struct probe *p, const struct bpf_symbols *s, struct sahm_err *err)
{
	char *path = bpf_compiler_path(p->c, "probe.c"), *words = NULL;
	const char *arguments[] = {"-fsyntax-only", path, NULL};
	bool is_ok;
	write_source(s, p->c, &p->text);
	textbuf_puts(&p->text, "#line 1 \"" PROBE "\"\n");
	ask(p, s);
	p->answers = arena_alloc(&p->c->arena, p->nr, sizeof(*p->answers));
	if (!path || !p->answers || textbuf_failed(&p->text))
		return sahm_fail_nomem(err);
	enum sahm_status status = file_write(path, p->text.text, p->text.len, err);
	if (status == SAHM_OK)
		status = bpf_compiler_run(p->c, arguments, &words, &is_ok, err);
	if (status == SAHM_OK)
		take_answers(p, words);
	free(words);
	return status;
}

/* ---- The table ---- */

/* The bytes of a key or a value: by its type, or as a number. `map` is an expression. */
static void write_bytes(struct textbuf *out, const char *field, const char *map, const bool *has, enum member by_type,
			enum member by_size)
{
	if (has[by_type])
		textbuf_printf(out, ".%s = sizeof(*(%s).%s), ", field, map, members[by_type]);
	else if (has[by_size])
		textbuf_printf(out, ".%s = SAHM_UINT((%s).%s), ", field, map, members[by_size]);
}

/* What a map and the maps in it have in common. */
static void write_kind(struct textbuf *out, const char *map, const bool *has)
{
	if (has[TYPE])
		textbuf_printf(out, ".type = SAHM_UINT((%s).type), ", map);
	write_bytes(out, "key_bytes", map, has, KEY, KEY_SIZE);
	write_bytes(out, "value_bytes", map, has, VALUE, VALUE_SIZE);
	if (has[MAX_ENTRIES])
		textbuf_printf(out, ".nr_entries = SAHM_UINT((%s).max_entries), ", map);
}

static void write_maps(const struct bpf_symbols *s, const bool *answers, struct textbuf *out)
{
	for (size_t i = 0; i < s->nr_maps; i++) {
		const bool *has = answers + i * NR_MAP_QUESTIONS, *in_it = has + NR_MEMBERS;
		struct textbuf inner;
		if (!has[VALUES] || !in_it[TYPE])
			continue;
		textbuf_init(&inner);
		textbuf_printf(&inner, "*(%s).values[0]", s->maps[i].name);
		textbuf_printf(out, "static const struct sahm_bpf_map sahm_inner_%zu = {.name = \"%s\", ", i,
			       s->maps[i].name);
		if (!textbuf_failed(&inner))
			write_kind(out, inner.text, in_it);
		textbuf_puts(out, "};\n");
		textbuf_release_part(&inner, out);
	}
	textbuf_puts(out, "static const struct sahm_bpf_map sahm_maps[] = {\n");
	for (size_t i = 0; i < s->nr_maps; i++) {
		const bool *has = answers + i * NR_MAP_QUESTIONS, *in_it = has + NR_MEMBERS;
		const char *name = s->maps[i].name;
		textbuf_printf(out, "{.name = \"%s\", .variable = (void *)&%s, ", name, name);
		write_kind(out, name, has);
		if (has[VALUES])
			textbuf_printf(
				out,
				".inner = (void *const *)(const void *)&%s.values[0], "
				".nr_inner = (%lluu - __builtin_offsetof(typeof(%s), values)) / sizeof(void *), ",
				name, (unsigned long long)s->maps[i].nr_bytes, name);
		if (has[VALUES] && in_it[TYPE])
			textbuf_printf(out, ".inner_like = &sahm_inner_%zu, ", i);
		textbuf_puts(out, "},\n");
	}
	textbuf_puts(out, "{0}};\n");
}

/* How many there are. */
static size_t write_variables(const struct bpf_symbols *s, const bool *answers, struct textbuf *out)
{
	size_t nr = 0;
	textbuf_puts(out, "static const struct sahm_bpf_variable sahm_variables[] = {\n");
	for (size_t i = 0; i < s->nr_variables; i++) {
		const bool *is_integer = answers + s->nr_maps * NR_MAP_QUESTIONS + i * NR_DEPTHS;
		size_t depth = 0;
		const char *name = s->variables[i].name;
		while (depth < NR_DEPTHS && !is_integer[depth])
			depth++;
		if (depth == NR_DEPTHS)
			continue;
		textbuf_printf(out, "SAHM_VARIABLE(%s, %s%s),\n", name, name, indices[depth]);
		nr++;
	}
	textbuf_puts(out, "{0}};\n");
	return nr;
}

static const char table_macros[] =
	"#define SAHM_UINT(member) (sizeof(*(member)) / sizeof(**(member)))\n"
	"#define SAHM_VARIABLE(x, element) {.name = #x, .at = (void *)&(x), .nr_bytes = sizeof(x), "
	".element_bytes = sizeof(element), .kind = SAHM_IS_BOOL(element) ? SAHM_BPF_BOOL : "
	"SAHM_IS_UNSIGNED(element) ? SAHM_BPF_UNSIGNED : SAHM_BPF_SIGNED, .is_constant = SAHM_IS_CONST(element)}\n";

enum sahm_status bpf_table_write(const struct bpf_symbols *symbols, struct bpf_compiler *c, const char *name,
				 struct sahm_err *err)
{
	struct probe p = {.c = c};
	struct textbuf out;
	char *path = bpf_compiler_path(c, name);
	textbuf_init(&p.text);
	textbuf_init(&out);
	enum sahm_status status = path ? probe(&p, symbols, err) : sahm_fail_nomem(err);
	if (status == SAHM_OK) {
		write_source(symbols, c, &out);
		textbuf_puts(&out, table_macros);
		write_maps(symbols, p.answers, &out);
		size_t nr_variables = write_variables(symbols, p.answers, &out);
		textbuf_printf(&out,
			       "static struct bpf_image *sahm_image;\n"
			       "const struct sahm_bpf_program sahm_bpf_program = {.nr_maps = %zu, .nr_variables = %zu, "
			       ".maps = sahm_maps, .variables = sahm_variables, .image = &sahm_image};\n",
			       symbols->nr_maps, nr_variables);
		status = textbuf_failed(&out) ? sahm_fail_nomem(err) : file_write(path, out.text, out.len, err);
	}
	textbuf_release(&p.text);
	textbuf_release(&out);
	return status;
}
