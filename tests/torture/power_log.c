/* Logs what a command and its children change in a folder: power_log [-k N] [-n] FOLDER LOG COMMAND [ARG]...
 *
 * It follows their system calls with ptrace(). An object that is loaded in front of the C library would miss what stdio
 * writes, since the library calls its own write() directly. The exit code is the command's, or 128 and a signal's
 * number.
 *
 *   -k N    kill everything at the call that would be record N + 1: servers then have seen all that came before it
 *   -n      the file system has no files without names (O_TMPFILE fails), as NFS and FAT
 *
 * A record is a line of words with tabs between them; `write` and `print` are followed by that many bytes and a line
 * end. Numbers of inodes identify files and folders; a record that makes one ends the life of an older one of that
 * number.
 *
 *   create DIR NAME INODE MODE    nameless INODE MODE         mkdir DIR NAME INODE
 *   write INODE OFFSET BYTES      resize INODE BYTES          mode INODE MODE
 *   fsync INODE                   fdatasync INODE             print FD BYTES
 *   link DIR NAME INODE           rename DIR NAME DIR NAME    unlink DIR NAME    rmdir DIR NAME
 *
 * A call that could change the folder in any other way is logged as `unknown CALL`, which its reader refuses.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_THREADS 256
#define MAX_VECTORS 1024
#define OPTIONS                                                                                                        \
	(PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | \
	 PTRACE_O_EXITKILL)

/* A name in a folder. */
struct place {
	bool is_inside;
	ino_t folder;
	char name[NAME_MAX + 1];
	char path[2 * PATH_MAX];
};

/* A system call under way, and what has to be known of the time before it. */
struct thread {
	pid_t id;
	bool in_call;
	uint64_t call, args[6];
	struct place from, to;
	bool existed;
	ino_t inode;	/* that a link is made to */
	int64_t offset; /* where a write begins */
};

static struct thread *threads[MAX_THREADS];
static const char *folder;
static size_t folder_len;
static FILE *log_file;
static unsigned long nr_records, max_records = ULONG_MAX;

__attribute__((format(printf, 1, 2), noreturn)) static void die(const char *format, ...)
{
	va_list args;
	__builtin_va_start(args, format);
	fputs("power_log: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	_exit(125);
}

/* ---- The command's memory and files ---- */

static size_t read_memory(pid_t pid, uint64_t address, void *bytes, size_t len)
{
	struct iovec to = {bytes, len}, from = {(void *)(uintptr_t)address, len};
	ssize_t got = process_vm_readv(pid, &to, 1, &from, 1, 0);
	return got > 0 ? (size_t)got : 0;
}

static void read_text(pid_t pid, uint64_t address, char text[PATH_MAX])
{
	/* No read goes beyond a page, for the next one may not be there. */
	for (size_t len = 0; len < PATH_MAX;) {
		size_t step = 4096 - (address + len) % 4096, room = PATH_MAX - len;
		size_t got = read_memory(pid, address + len, text + len, step < room ? step : room);
		if (got == 0)
			break;
		if (memchr(text + len, '\0', got))
			return;
		len += got;
	}
	text[0] = '\0';
}

static bool is_inside(const char *path)
{
	return strncmp(path, folder, folder_len) == 0 && (path[folder_len] == '/' || path[folder_len] == '\0');
}

static void name_fd(pid_t pid, int fd, char name[64])
{
	snprintf(name, 64, "/proc/%ld/fd/%d", (long)pid, fd);
}

/* Whether the descriptor is of a file or folder inside; its status, and its path if `path` is not NULL. */
static bool find_fd(pid_t pid, int fd, struct stat *st, char *path)
{
	char name[64], target[PATH_MAX];
	name_fd(pid, fd, name);
	ssize_t len = readlink(name, target, sizeof(target) - 1);
	if (len <= 0 || stat(name, st) != 0)
		return false;
	target[len] = '\0';
	if (path)
		strcpy(path, target);
	return is_inside(target);
}

/* Value of a line of /proc/PID/fdinfo/FD. */
static int64_t fd_info(pid_t pid, int fd, const char *key, int base)
{
	char name[64], line[256];
	int64_t value = 0;
	snprintf(name, sizeof(name), "/proc/%ld/fdinfo/%d", (long)pid, fd);
	FILE *in = fopen(name, "re");
	while (in && fgets(line, sizeof(line), in))
		if (strncmp(line, key, strlen(key)) == 0)
			value = strtoll(line + strlen(key), NULL, base);
	if (in)
		fclose(in);
	return value;
}

static void find_place(pid_t pid, int at, uint64_t address, struct place *p)
{
	char text[PATH_MAX], parent[PATH_MAX];
	struct stat st;
	memset(p, 0, sizeof(*p));
	read_text(pid, address, text);
	for (size_t len = strlen(text); len > 1 && text[len - 1] == '/'; len--)
		text[len - 1] = '\0';
	if (strncmp(text, "/proc/self/", 11) == 0)
		snprintf(p->path, sizeof(p->path), "/proc/%ld/%s", (long)pid, text + 11);
	else if (text[0] == '/')
		snprintf(p->path, sizeof(p->path), "%s", text);
	else if (at == AT_FDCWD)
		snprintf(p->path, sizeof(p->path), "/proc/%ld/cwd/%s", (long)pid, text);
	else
		snprintf(p->path, sizeof(p->path), "/proc/%ld/fd/%d/%s", (long)pid, at, text);
	char *slash = strrchr(p->path, '/');
	snprintf(p->name, sizeof(p->name), "%.255s", slash + 1);
	*slash = '\0';
	bool found = realpath(slash == p->path ? "/" : p->path, parent) && stat(parent, &st) == 0;
	*slash = '/';
	p->is_inside = found && is_inside(parent);
	p->folder = found ? st.st_ino : 0;
	if (p->is_inside && p->name[strcspn(p->name, "\t\n")])
		die("a name has a tab or a line end");
}

/* ---- The log ---- */

static void kill_all(void)
{
	fflush(log_file);
	for (size_t i = 0; i < MAX_THREADS; i++)
		if (threads[i])
			kill(threads[i]->id, SIGKILL);
	while (waitpid(-1, NULL, __WALL) > 0 || errno == EINTR)
		;
	_exit(128 + SIGKILL);
}

/* Before each record. */
static void begin_record(void)
{
	if (nr_records++ == max_records)
		kill_all();
}

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...)
{
	va_list args;
	begin_record();
	__builtin_va_start(args, format);
	vfprintf(log_file, format, args);
	fputc('\n', log_file);
}

static void put_memory(pid_t pid, uint64_t address, size_t len)
{
	static char bytes[1 << 16];
	while (len > 0) {
		size_t got = read_memory(pid, address, bytes, len < sizeof(bytes) ? len : sizeof(bytes));
		if (got == 0)
			die("cannot read what is written");
		fwrite(bytes, 1, got, log_file);
		address += got;
		len -= got;
	}
}

static void put_vectors(const struct thread *t, size_t len)
{
	struct iovec vectors[MAX_VECTORS];
	size_t nr = t->args[2] < MAX_VECTORS ? t->args[2] : MAX_VECTORS;
	read_memory(t->id, t->args[1], vectors, nr * sizeof(*vectors));
	for (size_t i = 0; i < nr && len > 0; i++) {
		size_t part = vectors[i].iov_len < len ? vectors[i].iov_len : len;
		put_memory(t->id, (uint64_t)(uintptr_t)vectors[i].iov_base, part);
		len -= part;
	}
}

static void put_write(const struct thread *t, size_t len, bool is_vector)
{
	struct stat st;
	int fd = (int)t->args[0];
	bool is_file = find_fd(t->id, fd, &st, NULL) && S_ISREG(st.st_mode);
	if (!is_file && fd != STDOUT_FILENO && fd != STDERR_FILENO)
		return;
	begin_record();
	if (is_file)
		fprintf(log_file, "write\t%" PRIu64 "\t%" PRId64 "\t%zu\n", (uint64_t)st.st_ino, t->offset, len);
	else
		fprintf(log_file, "print\t%d\t%zu\n", fd, len);
	if (is_vector)
		put_vectors(t, len);
	else
		put_memory(t->id, t->args[1], len);
	fputc('\n', log_file);
}

static void put_opened(const struct thread *t, int fd, uint64_t flags)
{
	struct stat st;
	if (!find_fd(t->id, fd, &st, NULL))
		return;
	bool writes = (flags & O_ACCMODE) != O_RDONLY;
	if ((flags & O_TMPFILE) == O_TMPFILE)
		put("nameless\t%" PRIu64 "\t%o", (uint64_t)st.st_ino, st.st_mode & 07777);
	else if (flags & O_CREAT && !t->existed && !t->to.is_inside)
		put("unknown\topen through a link");
	else if (flags & O_CREAT && !t->existed)
		put("create\t%" PRIu64 "\t%s\t%" PRIu64 "\t%o", (uint64_t)t->to.folder, t->to.name, (uint64_t)st.st_ino,
		    st.st_mode & 07777);
	else if (flags & O_TRUNC && writes)
		put("resize\t%" PRIu64 "\t0", (uint64_t)st.st_ino);
	if (writes && flags & O_DSYNC)
		put("unknown\topen with O_DSYNC");
}

static void put_file(const struct thread *t, const char *name, int fd)
{
	struct stat st;
	if (!find_fd(t->id, fd, &st, NULL))
		return;
	if (strcmp(name, "resize") == 0)
		put("resize\t%" PRIu64 "\t%" PRId64, (uint64_t)st.st_ino, (int64_t)st.st_size);
	else if (strcmp(name, "mode") == 0)
		put("mode\t%" PRIu64 "\t%o", (uint64_t)st.st_ino, st.st_mode & 07777);
	else if (strcmp(name, "fsync") == 0 || strcmp(name, "fdatasync") == 0)
		put("%s\t%" PRIu64, name, (uint64_t)st.st_ino);
	else
		put("unknown\t%s", name);
}

static void put_mapping(const struct thread *t)
{
	struct stat st;
	char path[PATH_MAX];
	size_t len;
	if (!(t->args[2] & PROT_WRITE) || (t->args[3] & MAP_TYPE) == MAP_PRIVATE || t->args[3] & MAP_ANONYMOUS ||
	    !find_fd(t->id, (int)t->args[4], &st, path))
		return;
	/* The index of SQLite's log is made again by the first process that opens the database. */
	len = strlen(path);
	if (len < 4 || strcmp(path + len - 4, "-shm") != 0)
		put("unknown\tmmap");
}

static void put_made_folder(const struct thread *t)
{
	struct stat st;
	if (t->to.is_inside && stat(t->to.path, &st) == 0)
		put("mkdir\t%" PRIu64 "\t%s\t%" PRIu64, (uint64_t)t->to.folder, t->to.name, (uint64_t)st.st_ino);
}

static void put_place(const struct thread *t, const char *name)
{
	if (t->to.is_inside)
		put("%s\t%" PRIu64 "\t%s", name, (uint64_t)t->to.folder, t->to.name);
}

static void put_link(const struct thread *t)
{
	if (t->to.is_inside)
		put("link\t%" PRIu64 "\t%s\t%" PRIu64, (uint64_t)t->to.folder, t->to.name, (uint64_t)t->inode);
}

static void put_rename(const struct thread *t, uint64_t flags)
{
	if (t->from.is_inside != t->to.is_inside || (t->to.is_inside && flags & ~(uint64_t)RENAME_NOREPLACE))
		put("unknown\trename across the folder's border, or an exchange");
	else if (t->to.is_inside)
		put("rename\t%" PRIu64 "\t%s\t%" PRIu64 "\t%s", (uint64_t)t->from.folder, t->from.name,
		    (uint64_t)t->to.folder, t->to.name);
}

/* ---- Calls ---- */

static void enter_open(struct thread *t, int at, uint64_t address)
{
	struct stat st;
	find_place(t->id, at, address, &t->to);
	t->existed = stat(t->to.path, &st) == 0;
	t->to.is_inside = t->to.is_inside && (t->existed || lstat(t->to.path, &st) != 0);
}

static void enter_link(struct thread *t, int from, uint64_t old, int to, uint64_t new, uint64_t flags)
{
	struct stat st = {0};
	find_place(t->id, from, old, &t->from);
	find_place(t->id, to, new, &t->to);
	if ((flags & AT_SYMLINK_FOLLOW ? stat : lstat)(t->from.path, &st) == 0)
		t->inode = st.st_ino;
}

static void enter_rename(struct thread *t, int from, uint64_t old, int to, uint64_t new)
{
	find_place(t->id, from, old, &t->from);
	find_place(t->id, to, new, &t->to);
}

static void enter_write(struct thread *t)
{
	struct stat st;
	int fd = (int)t->args[0];
	t->offset = find_fd(t->id, fd, &st, NULL) && fd_info(t->id, fd, "flags:", 8) & O_APPEND
			    ? (int64_t)st.st_size
			    : fd_info(t->id, fd, "pos:", 10);
}

static void enter(struct thread *t)
{
	const uint64_t *a = t->args;
	switch (t->call) {
#define CALL(number, before, after)                                                                                    \
	case number:                                                                                                   \
		before;                                                                                                \
		break;
#include "power_call_list.h"
#undef CALL
	default:
		break;
	}
}

static void leave(const struct thread *t, int64_t result)
{
	const uint64_t *a = t->args;
	switch (t->call) {
#define CALL(number, before, after)                                                                                    \
	case number:                                                                                                   \
		after;                                                                                                 \
		break;
#include "power_call_list.h"
#undef CALL
	default:
		break;
	}
}

/* ---- Following threads ---- */

static struct thread *thread_of(pid_t id)
{
	struct thread **free_slot = NULL;
	for (size_t i = 0; i < MAX_THREADS; i++) {
		if (threads[i] && threads[i]->id == id)
			return threads[i];
		if (!threads[i] && !free_slot)
			free_slot = &threads[i];
	}
	if (!free_slot || !(*free_slot = calloc(1, sizeof(**free_slot))))
		die("too many threads");
	(*free_slot)->id = id;
	return *free_slot;
}

static void forget(pid_t id)
{
	for (size_t i = 0; i < MAX_THREADS; i++) {
		if (threads[i] && threads[i]->id == id) {
			free(threads[i]);
			threads[i] = NULL;
		}
	}
}

static void follow_call(struct thread *t)
{
	struct __ptrace_syscall_info info;
	if (ptrace(PTRACE_GET_SYSCALL_INFO, t->id, (void *)sizeof(info), &info) <= 0)
		return;
	if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
		t->in_call = true;
		t->call = info.entry.nr;
		memcpy(t->args, info.entry.args, sizeof(t->args));
		enter(t);
	} else if (info.op == PTRACE_SYSCALL_INFO_EXIT && t->in_call) {
		t->in_call = false;
		if (!info.exit.is_error)
			leave(t, info.exit.rval);
	}
}

static int follow(pid_t command)
{
	int code = -1, how;
	for (;;) {
		pid_t id = waitpid(-1, &how, __WALL);
		if (id < 0 && errno == EINTR)
			continue;
		if (id < 0)
			return code;
		if (WIFEXITED(how) || WIFSIGNALED(how)) {
			forget(id);
			if (id == command)
				code = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
			continue;
		}
		int event = how >> 16, signal = WSTOPSIG(how);
		if (signal == (SIGTRAP | 0x80))
			follow_call(thread_of(id));
		/* A signal that stops a whole process stops it until it is continued. */
		bool stops = event == PTRACE_EVENT_STOP && signal != SIGTRAP;
		bool is_signal = event == 0 && signal != (SIGTRAP | 0x80);
		ptrace(stops ? PTRACE_LISTEN : PTRACE_SYSCALL, id, NULL, (void *)(uintptr_t)(is_signal ? signal : 0));
	}
}

/* ---- The command ---- */

static void forbid_nameless(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_TMPFILE & ~O_DIRECTORY, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EOPNOTSUPP),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = {sizeof(code) / sizeof(code[0]), code};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
		die("seccomp: %s", strerror(errno));
}

static pid_t start(char **command, bool has_nameless)
{
	int how;
	pid_t pid = fork();
	if (pid == 0) {
		raise(SIGSTOP);
		if (!has_nameless)
			forbid_nameless();
		execvp(command[0], command);
		die("cannot run '%s': %s", command[0], strerror(errno));
	}
	if (pid < 0 || waitpid(pid, &how, WUNTRACED) != pid || !WIFSTOPPED(how) ||
	    ptrace(PTRACE_SEIZE, pid, NULL, (void *)OPTIONS) != 0)
		die("cannot follow '%s': %s", command[0], strerror(errno));
	kill(pid, SIGCONT);
	return pid;
}

int main(int argc, char **argv)
{
	char real[PATH_MAX];
	bool has_nameless = true;
	int c;
	while ((c = getopt(argc, argv, "+k:n")) != -1) {
		if (c == 'k')
			max_records = strtoul(optarg, NULL, 10);
		else if (c == 'n')
			has_nameless = false;
		else
			return 2;
	}
	if (argc - optind < 3 || !realpath(argv[optind], real))
		die("usage: power_log [-k N] [-n] FOLDER LOG COMMAND [ARG]...");
	folder = real;
	folder_len = strlen(real);
	log_file = fopen(argv[optind + 1], "we");
	if (!log_file)
		die("cannot create '%s': %s", argv[optind + 1], strerror(errno));
	int code = follow(start(argv + optind + 2, has_nameless));
	if (fclose(log_file) != 0 || code < 0)
		die("cannot write the log");
	return code;
}
