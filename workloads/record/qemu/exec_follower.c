#include "workloads/record/qemu/exec_follower.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "sim/base/shell.h"
#include "sim/base/textbuf.h"
#include "workloads/record/qemu_line.h"
#include "workloads/record/record_program.h"

/* Linux takes no more either (MAX_ARG_STRLEN). */
#define MAX_STRING_BYTES (UINT64_C(1) << 17)
#define MAX_STRINGS (UINT64_C(1) << 20)
#define READ_BYTES 4096u

/* At the end of a command that is not whole. */
#define CUT " ..."

/* Bytes of the program's memory, which need not be there: how many could be read. */
static size_t read_guest(uint64_t address, void *to, size_t len)
{
	struct iovec here = {to, len}, there = {(void *)(uintptr_t)address, len};
	ssize_t n = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
	return n > 0 ? (size_t)n : 0;
}

/* NULL where it cannot be read, or memory is short. */
static char *guest_string(struct arena *a, uint64_t address)
{
	struct textbuf b;
	char *out = NULL;
	textbuf_init(&b);
	while (b.len < MAX_STRING_BYTES) {
		char bytes[READ_BYTES];
		/* No read crosses a page, beyond which there may be none. */
		size_t n = read_guest(address, bytes, READ_BYTES - address % READ_BYTES), len = strnlen(bytes, n);
		textbuf_add(&b, bytes, len);
		if (n == 0 || textbuf_failed(&b))
			break;
		if (len < n) {
			out = arena_strdup(a, b.text);
			break;
		}
		address += n;
	}
	textbuf_release(&b);
	return out;
}

/* NULL-terminated; NULL as guest_string(). No array at all is an empty one, as with Linux. */
static char **guest_strings(struct arena *a, uint64_t base, uint64_t array)
{
	uint64_t nr = 0, pointer = 0;
	while (array && nr < MAX_STRINGS) {
		if (read_guest(base + array + nr * sizeof(pointer), &pointer, sizeof(pointer)) != sizeof(pointer))
			return NULL;
		if (!pointer)
			break;
		nr++;
	}
	char **out = nr < MAX_STRINGS ? arena_alloc(a, nr + 1, sizeof(*out)) : NULL;
	for (uint64_t i = 0; out && i < nr; i++) {
		if (read_guest(base + array + i * sizeof(pointer), &pointer, sizeof(pointer)) != sizeof(pointer) ||
		    !(out[i] = guest_string(a, base + pointer)))
			return NULL;
	}
	return out;
}

/* Files of /proc that mean QEMU to the kernel mean the program to itself; a descriptor's may be gone after execve(). */
static char *place_of(struct arena *a, const struct qemu_share *s, char *path)
{
	char own[64], real[PATH_MAX];
	snprintf(own, sizeof(own), "/proc/%d/exe", (int)getpid());
	if (strcmp(path, "/proc/self/exe") == 0 || strcmp(path, "/proc/thread-self/exe") == 0 || strcmp(path, own) == 0)
		return arena_strdup(a, s->image);
	if ((strncmp(path, "/proc/", 6) == 0 || strncmp(path, "/dev/fd/", 8) == 0) && realpath(path, real))
		return arena_strdup(a, real);
	return path;
}

static void leave(struct qemu_share *s, const char *message)
{
	snprintf(s->replaced_message, sizeof(s->replaced_message), "%s", message);
}

static void replace(struct arena *a, struct qemu_share *s, const struct exec_call *call)
{
	struct record_program program;
	struct sahm_err err;
	char *path = guest_string(a, call->base + call->path);
	char **args = guest_strings(a, call->base, call->argv), **envp = guest_strings(a, call->base, call->envp);
	char image[PATH_MAX], before[PATH_MAX];
	static char empty[] = "", *no_args[] = {empty, NULL};
	if (!path || !args || !envp) {
		leave(s, "its arguments cannot be read");
		return;
	}
	path = place_of(a, s, path);
	if (!path || record_program_resolve(a, path, *args ? args : no_args, &program, &err) != SAHM_OK) {
		leave(s, path ? err.msg : "out of memory");
		return;
	}
	if (program.machine != s->machine) {
		leave(s, "it is a program for another machine");
		return;
	}
	int fd = open(s->share_path, O_RDWR);
	char **line = fd < 0 ? NULL : qemu_line(a, s, fd, &program);
	if (!line) {
		leave(s, fd < 0 ? "the recorder's memory cannot be opened again"
				: "QEMU's command line is too long, or memory is short");
	} else {
		snprintf(before, sizeof(before), "%s", s->image);
		snprintf(s->image, sizeof(s->image), "%s", realpath(program.path, image) ? image : program.path);
		s->nr_followed++;
		execve(line[0], line, envp);
		snprintf(s->replaced_message, sizeof(s->replaced_message), "cannot run '%s': %s", line[0],
			 strerror(errno));
		s->nr_followed--;
		snprintf(s->image, sizeof(s->image), "%s", before);
	}
	if (fd >= 0)
		close(fd);
}

void exec_follow(struct qemu_share *s, const struct exec_call *call)
{
	struct arena a;
	arena_init(&a);
	replace(&a, s, call);
	arena_release(&a);
}

void exec_note_child(struct qemu_share *s, const struct exec_call *call)
{
	struct arena a;
	struct textbuf b;
	if (__atomic_exchange_n(&s->has_child, true, __ATOMIC_RELAXED))
		return;
	arena_init(&a);
	textbuf_init(&b);
	char **args = guest_strings(&a, call->base, call->argv);
	for (char **arg = args; arg && *arg && b.len < sizeof(s->child); arg++) {
		textbuf_puts(&b, arg == args ? "" : " ");
		shell_write_word(&b, *arg);
	}
	if (!getcwd(s->child_folder, sizeof(s->child_folder)) || strcmp(s->child_folder, s->folder) == 0)
		*s->child_folder = '\0';
	/* It is for people: longer text is cut. */
	snprintf(s->child, sizeof(s->child), "%.*s%s", (int)(sizeof(s->child) - sizeof(CUT)), b.text,
		 b.len > sizeof(s->child) - sizeof(CUT) ? CUT : "");
	textbuf_release(&b);
	arena_release(&a);
}
