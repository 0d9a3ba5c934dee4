/* sahm doctor: this program, what it was built with, and the machine. */
#include <dlfcn.h>
#include <errno.h>
#include <gnu/libc-version.h>
#include <gsl/gsl_version.h>
#include <jansson.h>
#include <libconfig.h>
#include <locale.h>
#include <sched.h>
#include <sodium/version.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <zstd.h>

#include "ipu/jit/translation.h"
#include "sim/base/array.h"
#include "sim/base/file.h"
#include "sim/base/version.h"
#include "sim/cli/doctor.h"
#include "sim/engine/model.h"
#include "sim/queue/redis_link.h"
#include "workloads/record/pmu.h"
#include "workloads/stream/source_lines.h"

#define MAX_OS_RELEASE_BYTES ((size_t)1 << 16)

void doctor_program(struct doctor_finding *f)
{
	char path[4096];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);
	path[len > 0 ? len : 0] = '\0';
	doctor_say(f, DOCTOR_OK, "sahm %s, model %s%s%s", SAHM_VERSION, model_version() + strlen(SAHM_VERSION) + 1,
		   *path ? ", " : "", path);
}

void doctor_build(struct doctor_finding *f)
{
#ifdef __clang__
	static const char compiler[] = __VERSION__;
#else
	static const char compiler[] = "gcc " __VERSION__;
#endif
#ifdef __OPTIMIZE__
	static const char optimised[] = "optimised";
#else
	static const char optimised[] = "not optimised";
#endif
	doctor_say(f, DOCTOR_OK, "%s, %s, %s", compiler, optimised,
		   redis_is_built_in() ? "with Redis" : "without Redis (HIREDIS=0)");
}

/* The version in the name of the file that holds a function, of a library that says none: "libelf-0.188.so". */
static void write_file_version(struct textbuf *out, const char *symbol)
{
	Dl_info info;
	char path[4096];
	void *at = dlsym(RTLD_DEFAULT, symbol);
	const char *slash =
		at && dladdr(at, &info) && info.dli_fname && realpath(info.dli_fname, path) ? strrchr(path, '/') : NULL;
	const char *so = slash ? strstr(slash, ".so") : NULL, *dash = so ? strchr(slash, '-') : NULL;
	if (dash && dash < so)
		textbuf_printf(out, " %.*s", (int)(so - dash - 1), dash + 1);
}

/* As the libraries that were loaded say; of those that do not, as the headers that the program was built with. */
void doctor_libraries(struct doctor_finding *f)
{
	struct textbuf *out = &f->text;
	textbuf_printf(out, "libconfig %d.%d.%d", LIBCONFIG_VER_MAJOR, LIBCONFIG_VER_MINOR, LIBCONFIG_VER_REVISION);
	textbuf_printf(out, ", libsodium %s, jansson %s, libzstd %s, gsl %s, libelf", sodium_version_string(),
		       jansson_version_str(), ZSTD_versionString(), gsl_version);
	write_file_version(out, "elf_version");
	if (source_lines_are_built_in()) {
		textbuf_puts(out, ", libdw");
		write_file_version(out, "dwarf_begin_elf");
	}
	textbuf_printf(out, ", sqlite3 %s", sqlite3_libversion());
	if (redis_is_built_in())
		textbuf_printf(out, ", hiredis %s", redis_library_version());
	textbuf_printf(out, ", libc %s", gnu_get_libc_version());
}

/* PRETTY_NAME of /etc/os-release, appended to what was found. */
static void write_os(struct doctor_finding *f)
{
	static const char key[] = "PRETTY_NAME=\"";
	char *text = NULL;
	size_t len;
	struct sahm_err err;
	enum sahm_status status = file_read("/etc/os-release", MAX_OS_RELEASE_BYTES, &text, &len, &err);
	doctor_note(f, status);
	if (status != SAHM_OK)
		return;
	const char *name = strstr(text, key);
	if (name) {
		name += sizeof(key) - 1;
		textbuf_printf(&f->text, ", %.*s", (int)strcspn(name, "\"\n"), name);
	}
	free(text);
}

void doctor_system(struct doctor_finding *f)
{
	struct pmu_machine m;
	struct utsname name;
	cpu_set_t mine;
	machine_read("", &m);
	f->lacks_memory |= m.lacks_memory;
	machine_write(&m, &f->text);
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	int usable = sched_getaffinity(0, sizeof(mine), &mine) == 0 ? CPU_COUNT(&mine) : (int)online;
	textbuf_printf(&f->text, "%s%d processor%s", f->text.len ? ", " : "", usable, usable == 1 ? "" : "s");
	if (usable < online)
		textbuf_printf(&f->text, " of %ld", online);
	write_os(f);
	if (uname(&name) == 0)
		textbuf_printf(&f->text, ", %s %s on %s", name.sysname, name.release, name.machine);
}

void doctor_temporary(struct doctor_finding *f)
{
	const char *given = getenv("TMPDIR"), *folder = given && *given ? given : "/tmp";
	struct textbuf path;
	textbuf_init(&path);
	textbuf_printf(&path, "%s/.sahm-XXXXXX", folder);
	f->lacks_memory |= textbuf_failed(&path);
	int fd = textbuf_failed(&path) ? -1 : mkstemp(path.text);
	bool ok = fd >= 0 && write(fd, "sahm", 4) == 4;
	int cause = errno;
	if (fd >= 0) {
		close(fd);
		unlink(path.text);
	}
	if (ok)
		doctor_say(f, DOCTOR_OK, "%s", folder);
	else
		doctor_say(f, DOCTOR_BROKEN, "cannot write into '%s': %s", folder, strerror(cause));
	textbuf_release(&path);
}

void doctor_locale(struct doctor_finding *f)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	for (size_t i = 0; i < ARRAY_SIZE(names) && !f->text.len; i++) {
		const char *value = getenv(names[i]);
		if (!value || !*value)
			continue;
		locale_t l = newlocale(LC_ALL_MASK, value, (locale_t)0);
		doctor_say(f, DOCTOR_OK, "%s=%s%s", names[i], value,
			   l ? "" : ", which is not there; sahm does as in C in any");
		if (l)
			freelocale(l);
	}
	if (!f->text.len)
		doctor_say(f, DOCTOR_OK, "none is set: C");
}

void doctor_translator(struct doctor_finding *f)
{
	errno = 0;
	bool can = translation_is_available();
	doctor_note(f, !can && errno == ENOMEM ? SAHM_NOMEM : SAHM_OK);
	if (can)
		doctor_say(f, DOCTOR_OK, "translates");
	else
		doctor_say(f, DOCTOR_MISSING, "none for this processor, or the system lets no memory be executed");
}
