#include "workloads/record/record_program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/textbuf.h"

/* Of a script's first line, as Linux reads it. */
#define SCRIPT_LINE_BYTES 256
#define EMULATED_ELF_CLASS ELFCLASS64

static bool can_run(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

static enum sahm_status keep_path(struct arena *a, const char *name, char **path, struct sahm_err *err)
{
	*path = arena_strdup(a, name);
	return *path ? SAHM_OK : sahm_fail_nomem(err);
}

enum sahm_status record_program_path(struct arena *a, const char *name, char **path, struct sahm_err *err)
{
	const char *folders = getenv("PATH");
	enum sahm_status status = SAHM_OK;
	*path = NULL;
	if (strchr(name, '/'))
		return can_run(name) ? keep_path(a, name, path, err) : SAHM_OK;
	if (!folders || !*name)
		return SAHM_OK;
	for (const char *at = folders; status == SAHM_OK && !*path && at;
	     at = strchr(at, ':') ? strchr(at, ':') + 1 : NULL) {
		struct textbuf b;
		size_t len = strcspn(at, ":");
		textbuf_init(&b);
		textbuf_add(&b, len ? at : ".", len ? len : 1);
		textbuf_printf(&b, "/%s", name);
		if (textbuf_failed(&b))
			status = sahm_fail_nomem(err);
		else if (can_run(b.text))
			status = keep_path(a, b.text, path, err);
		textbuf_release(&b);
	}
	return status;
}

/* `first`, `second` (may be NULL) and `path`, and then `args` but for its first one. */
static char **put_before(struct arena *a, char *first, char *second, char *path, char **args)
{
	size_t nr = 0;
	while (args[nr])
		nr++;
	char **out = arena_alloc(a, nr + 3, sizeof(*out)), **to = out;
	if (!out)
		return NULL;
	*to++ = first;
	if (second)
		*to++ = second;
	*to++ = path;
	for (size_t i = 1; i < nr; i++)
		*to++ = args[i];
	*to = NULL;
	return out;
}

/* "#!INTERPRETER [ARGUMENT]": the interpreter runs, with the rest of the line as one argument. */
static enum sahm_status follow_script(struct arena *a, const char *line, struct record_program *p, struct sahm_err *err)
{
	static const char blanks[] = " \t";
	line += 2 + strspn(line + 2, blanks);
	size_t len = strcspn(line, " \t\n");
	const char *rest = line + len + strspn(line + len, blanks);
	size_t rest_len = strcspn(rest, "\n");
	while (rest_len && strchr(blanks, rest[rest_len - 1]))
		rest_len--;
	char *interpreter = arena_strndup(a, line, len), *argument = rest_len ? arena_strndup(a, rest, rest_len) : NULL;
	if (!interpreter || (rest_len && !argument))
		return sahm_fail_nomem(err);
	if (!*interpreter || !can_run(interpreter))
		return sahm_fail(err, SAHM_IO, "cannot run '%s': its interpreter '%s' cannot be executed", p->path,
				 interpreter);
	p->args = put_before(a, interpreter, argument, p->path, p->args);
	p->path = interpreter;
	return p->args ? SAHM_OK : sahm_fail_nomem(err);
}

static enum sahm_status machine_of(const struct record_program *p, const unsigned char *head, size_t len,
				   enum machine *machine, struct sahm_err *err)
{
	Elf64_Ehdr h;
	if (len < sizeof(h) || memcmp(head, ELFMAG, SELFMAG) != 0)
		return sahm_fail(err, SAHM_FORMAT, "cannot run '%s' in QEMU: it is neither an ELF program nor a script",
				 p->path);
	memcpy(&h, head, sizeof(h));
	bool is_64 = h.e_ident[EI_CLASS] == EMULATED_ELF_CLASS && h.e_ident[EI_DATA] == ELFDATA2LSB;
	if (is_64 && h.e_machine == EM_X86_64)
		*machine = MACHINE_X86_64;
	else if (is_64 && h.e_machine == EM_RISCV)
		*machine = MACHINE_RV64;
	else
		return sahm_fail(
			err, SAHM_FORMAT,
			"cannot record '%s': it is a program for another machine (ELF machine %u, %s bits) than "
			"x86-64 and riscv64",
			p->path, h.e_machine, h.e_ident[EI_CLASS] == ELFCLASS32 ? "32" : "64");
	return SAHM_OK;
}

enum sahm_status record_program_resolve(struct arena *a, char *path, char **args, struct record_program *out,
					struct sahm_err *err)
{
	*out = (struct record_program){.path = path, .args = args};
	if (!can_run(path))
		return sahm_fail(err, SAHM_IO, "cannot run '%s': %s", path,
				 access(path, F_OK) == 0 ? "it cannot be executed (chmod +x?)" : strerror(ENOENT));
	for (unsigned i = 0; i <= MAX_SCRIPTS; i++) {
		char head[SCRIPT_LINE_BYTES + 1] = "";
		int fd = open(out->path, O_RDONLY | O_CLOEXEC);
		ssize_t len = fd < 0 ? -1 : read(fd, head, SCRIPT_LINE_BYTES);
		int cause = errno;
		if (fd >= 0)
			close(fd);
		if (len < 0)
			return sahm_fail(err, SAHM_IO, "cannot read '%s': %s", out->path, strerror(cause));
		if (memcmp(head, "#!", 2) != 0)
			return machine_of(out, (unsigned char *)head, (size_t)len, &out->machine, err);
		enum sahm_status status = follow_script(a, head, out, err);
		if (status != SAHM_OK)
			return status;
	}
	return sahm_fail(err, SAHM_IO, "cannot run '%s': too many scripts lead to one another", path);
}

enum sahm_status record_program_find(struct arena *a, char **command, struct record_program *out, struct sahm_err *err)
{
	char *path;
	*out = (struct record_program){.args = command};
	if (!strchr(command[0], '/')) {
		if (record_program_path(a, command[0], &path, err) != SAHM_OK)
			return SAHM_NOMEM;
		if (!path)
			return sahm_fail(err, SAHM_IO, "cannot run '%s': %s", command[0], strerror(ENOENT));
	} else if (keep_path(a, command[0], &path, err) != SAHM_OK) {
		return SAHM_NOMEM;
	}
	return record_program_resolve(a, path, command, out, err);
}
