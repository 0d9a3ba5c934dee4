/* Makes one system call of a program fail, transfer less than asked, or be its last one:
 *
 *   fail_calls --report FILE [--at PROCESS:CALL:N --do ERROR|short|kill] [--seconds S] PROGRAM [ARGUMENT]...
 *
 * A seccomp filter stops the program at each call of fail_call_list.h, and this process, its tracer (ptrace), decides.
 * No privilege is needed, nothing is preloaded, and calls that the C library makes for itself (stdio, opendir(),
 * malloc()) count as well. Calls are counted by process and by name: PROCESS 0 is the program, 1 the first process that
 * it forks, and so on. Before the program's loader is done nothing counts, nor does anything in other programs that it
 * executes.
 *
 * With --at, the N-th CALL of PROCESS, from 1 on, returns ERROR without having been carried out (close() is carried
 * out, as the kernel does); `short` halves what is asked for; `kill` sends SIGKILL to the process instead.
 *
 * The report has a line `PROCESS CALL COUNT CHANGES ERRORS` for each call that was made, a line `struck PROCESS CALL N
 * FD` if --at was reached (FD: the first argument), and a line `unlisted NUMBER` for a call that the list does not
 * have.
 *
 * Exit code: the program's, 128 and the signal's number if a signal ended it, 124 when it or a background process of it
 * took longer than S seconds (default 60), 125 if tracing is not possible; the reason is on standard error.
 */
#include <stdio.h>

#ifdef __x86_64__

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

/* ptrace.h of the kernel and of the C library define the same names; this is all that is needed of the former. */
#define SYSCALL_INFO_SECCOMP 3
struct call_info {
	uint8_t op, pad[3];
	uint32_t arch;
	uint64_t instruction_pointer, stack_pointer;
	uint64_t nr, args[6];
};

/* Above all errors of Linux. */
#define MAX_ERROR 134

#define EXIT_TIMEOUT 124
#define EXIT_TOOL 125

/* Traced processes that are alive at one time. */
#define MAX_PROCESSES 1024

enum on { ALL, FILES, PIPES, SOCKETS, OTHERS, READING, WRITING, LOCK, DUP, MAPPED };

static const struct call_row {
	long nr;
	const char *name;
	enum on on;
	bool changes;
	const char *errors;
} rows[] = {
#define CALL(nr, name, on, changes, errors) {nr, name, on, changes, errors},
#define CALL_EXEMPT(nr)
#include "tests/torture/fail_call_list.h"
#undef CALL
#undef CALL_EXEMPT
};
#define NR_ROWS (sizeof(rows) / sizeof(rows[0]))

static const long exempt[] = {
#define CALL(nr, name, on, changes, errors)
#define CALL_EXEMPT(nr) nr,
#include "tests/torture/fail_call_list.h"
#undef CALL
#undef CALL_EXEMPT
};
#define NR_EXEMPT (sizeof(exempt) / sizeof(exempt[0]))

/* Besides errors, which are positive. */
enum { DO_NOTHING = 0, DO_SHORT = -1, DO_KILL = -2 };

static struct {
	const char *report;
	unsigned process;
	char call[32];
	unsigned long n;
	int what; /* an errno, or one of DO_... */
	unsigned seconds;
} told = {.seconds = 60};

struct process {
	pid_t pid;
	unsigned number;
	bool known;   /* its parent has reported it; until then it waits in its first stop */
	bool stopped; /* in that stop */
	bool ours;    /* runs the program under test */
	bool loaded;  /* and its loader is done */
	bool closing; /* its next stop is the end of a close() that is to fail */
	uint64_t loader_from, loader_to;
};

static struct process processes[MAX_PROCESSES];
static size_t nr_alive;
static unsigned nr_numbered;
static unsigned long (*counts)[NR_ROWS]; /* by process and row */
static struct stat program;
static FILE *report;
static bool struck;

static void give_up(const char *what)
{
	fprintf(stderr, "fail_calls: %s: %s\n", what, strerror(errno));
	exit(EXIT_TOOL);
}

/* ---- The traced side ---- */

static void add(struct sock_fprog *p, uint16_t code, uint32_t k, uint8_t jump_true, uint8_t jump_false)
{
	p->filter[p->len++] = (struct sock_filter){.code = code, .k = k, .jt = jump_true, .jf = jump_false};
}

/* Stops at everything but exempt calls. */
static void install_filter(void)
{
	struct sock_filter code[2 * NR_EXEMPT + 4];
	struct sock_fprog p = {.filter = code};
	add(&p, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0);
	for (size_t i = 0; i < NR_EXEMPT; i++) {
		add(&p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)exempt[i], 0, 1);
		add(&p, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
	}
	add(&p, BPF_RET | BPF_K, SECCOMP_RET_TRACE, 0, 0);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &p) != 0)
		give_up("no seccomp filter");
}

static _Noreturn void be_traced(char **command)
{
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
		give_up("cannot be traced");
	raise(SIGSTOP);
	install_filter();
	execvp(command[0], command);
	give_up(command[0]);
	_exit(EXIT_TOOL);
}

/* ---- Processes ---- */

static struct process *find(pid_t pid)
{
	for (size_t i = 0; i < nr_alive; i++)
		if (processes[i].pid == pid)
			return &processes[i];
	return NULL;
}

static struct process *enrol(pid_t pid)
{
	if (nr_alive == MAX_PROCESSES) {
		errno = EAGAIN;
		give_up("too many processes");
	}
	processes[nr_alive] = (struct process){.pid = pid};
	return &processes[nr_alive++];
}

static void strike_off(struct process *p)
{
	*p = processes[--nr_alive];
}

static void number(struct process *p)
{
	p->number = nr_numbered++;
	counts = realloc(counts, nr_numbered * sizeof(*counts));
	if (!counts)
		give_up("counts");
	memset(counts[p->number], 0, sizeof(*counts));
}

static void go_on(const struct process *p, int signal)
{
	ptrace(p->closing ? PTRACE_SYSCALL : PTRACE_CONT, p->pid, NULL, (void *)(intptr_t)signal);
}

/* Where the loader's code is, whose calls before the program's first do not count. */
static void find_loader(struct process *p)
{
	char path[64], line[512];
	snprintf(path, sizeof(path), "/proc/%d/maps", p->pid);
	FILE *maps = fopen(path, "r");
	p->loader_from = p->loader_to = 0;
	while (maps && fgets(line, sizeof(line), maps)) {
		uint64_t from, to;
		if (!strstr(line, "/ld-") || sscanf(line, "%" SCNx64 "-%" SCNx64, &from, &to) != 2)
			continue;
		p->loader_from = p->loader_from ? p->loader_from : from;
		p->loader_to = to;
	}
	if (maps)
		fclose(maps);
}

static void has_executed(struct process *p)
{
	char path[64];
	struct stat st;
	snprintf(path, sizeof(path), "/proc/%d/exe", p->pid);
	p->ours = stat(path, &st) == 0 && st.st_dev == program.st_dev && st.st_ino == program.st_ino;
	p->loaded = false;
	if (p->ours)
		find_loader(p);
}

static void has_forked(struct process *parent)
{
	unsigned long pid;
	if (ptrace(PTRACE_GETEVENTMSG, parent->pid, NULL, &pid) != 0)
		return;
	bool ours = parent->ours;
	struct process *child = find((pid_t)pid);
	if (!child)
		child = enrol((pid_t)pid);
	child->known = true;
	child->ours = ours;
	child->loaded = true;
	if (ours)
		number(child);
	if (child->stopped)
		go_on(child, 0);
}

/* ---- Calls ---- */

static enum on kind_of_fd(const struct process *p, uint64_t fd)
{
	char path[64];
	struct stat st;
	snprintf(path, sizeof(path), "/proc/%d/fd/%" PRIu64, p->pid, fd);
	if (stat(path, &st) != 0)
		return OTHERS;
	if (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))
		return FILES;
	return S_ISFIFO(st.st_mode) ? PIPES : S_ISSOCK(st.st_mode) ? SOCKETS : OTHERS;
}

static bool is_on(const struct process *p, const struct call_row *row, const uint64_t args[6])
{
	uint64_t flags = args[row->nr == SYS_open ? 1 : 2];
	switch (row->on) {
	case ALL:
		return true;
	case FILES:
	case PIPES:
	case SOCKETS:
	case OTHERS:
		return kind_of_fd(p, args[0]) == row->on;
	case READING:
		return (flags & O_ACCMODE) == O_RDONLY;
	case WRITING:
		return (flags & O_ACCMODE) != O_RDONLY;
	case LOCK:
		return args[1] == F_SETLK || args[1] == F_SETLKW || args[1] == F_GETLK;
	case DUP:
		return args[1] == F_DUPFD || args[1] == F_DUPFD_CLOEXEC;
	case MAPPED:
		return !(args[3] & MAP_ANONYMOUS);
	}
	return false;
}

/* The row of a call; NULL: it is not made to fail, or not in the list. */
static const struct call_row *row_of(const struct process *p, const struct call_info *call)
{
	bool listed = false;
	for (size_t i = 0; i < NR_ROWS; i++)
		if (rows[i].nr == (long)call->nr) {
			listed = true;
			if (is_on(p, &rows[i], call->args))
				return &rows[i];
		}
	if (!listed)
		fprintf(report, "unlisted %" PRIu64 "\n", call->nr);
	return NULL;
}

static bool poke(const struct process *p, size_t offset, uint64_t value)
{
	return ptrace(PTRACE_POKEUSER, p->pid, (void *)offset, (void *)(uintptr_t)value) == 0;
}

static void strike(struct process *p, const struct call_row *row, const struct call_info *call)
{
	if (told.what == DO_SHORT && call->args[2] < 2)
		return; /* nothing to halve */
	bool done = true;
	if (told.what == DO_KILL) {
		done = kill(p->pid, SIGKILL) == 0;
	} else if (told.what == DO_SHORT) {
		done = poke(p, offsetof(struct user_regs_struct, rdx), call->args[2] / 2);
	} else if (row->nr == SYS_close) {
		p->closing = true;
	} else {
		done = poke(p, offsetof(struct user_regs_struct, orig_rax), (uint64_t)-1) &&
		       poke(p, offsetof(struct user_regs_struct, rax), (uint64_t)-told.what);
	}
	if (!done)
		return;
	struck = true;
	fprintf(report, "struck %u %s %lu %" PRId64 "\n", p->number, row->name, told.n, (int64_t)call->args[0]);
}

static void make_call(struct process *p)
{
	struct call_info call;
	if (!p->ours || ptrace(PTRACE_GET_SYSCALL_INFO, p->pid, (void *)sizeof(call), &call) <= 0 ||
	    call.op != SYSCALL_INFO_SECCOMP)
		return;
	if (!p->loaded && call.instruction_pointer >= p->loader_from && call.instruction_pointer < p->loader_to)
		return;
	p->loaded = true;
	const struct call_row *row = row_of(p, &call);
	if (!row)
		return;
	unsigned long n = ++counts[p->number][row - rows];
	if (told.what != DO_NOTHING && !struck && p->number == told.process && n == told.n &&
	    strcmp(row->name, told.call) == 0)
		strike(p, row, &call);
}

/* ---- Stops ---- */

static void handle_stop(struct process *p, int status)
{
	int signal = WSTOPSIG(status);
	unsigned event = (unsigned)status >> 16;
	if (event == PTRACE_EVENT_SECCOMP) {
		make_call(p);
	} else if (event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK || event == PTRACE_EVENT_CLONE) {
		has_forked(p); /* enrols: *p stays where it is */
	} else if (event == PTRACE_EVENT_EXEC) {
		has_executed(p);
	} else if (signal == (SIGTRAP | 0x80)) {
		poke(p, offsetof(struct user_regs_struct, rax), (uint64_t)-told.what);
		p->closing = false;
	} else if (event == 0 && !p->stopped && signal == SIGSTOP) {
		p->stopped = true; /* its first stop */
		if (!p->known)
			return;
	} else if (event == 0) {
		go_on(p, signal);
		return;
	}
	go_on(p, 0);
}

static volatile sig_atomic_t late;

static void be_late(int signal)
{
	(void)signal;
	late = 1;
}

static void kill_all(void)
{
	for (size_t i = 0; i < nr_alive; i++)
		kill(processes[i].pid, SIGKILL);
}

/* Until none is left; returns how the first one ended. */
static int trace(pid_t root)
{
	int status, ended = 0;
	bool killed = false;
	while (nr_alive > 0) {
		if (late && !killed) {
			killed = true;
			kill_all();
			alarm(5); /* and those that were being forked */
		}
		pid_t pid = waitpid(-1, &status, __WALL);
		if (pid < 0 && errno == EINTR) {
			killed = false;
			continue;
		}
		if (pid < 0)
			break;
		struct process *p = find(pid);
		if (!p)
			p = enrol(pid);
		if (WIFSTOPPED(status)) {
			handle_stop(p, status);
			continue;
		}
		strike_off(p);
		if (pid == root)
			ended = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	}
	return late ? EXIT_TIMEOUT : ended;
}

static void write_report(void)
{
	for (unsigned process = 0; process < nr_numbered; process++)
		for (size_t i = 0; i < NR_ROWS; i++)
			if (counts[process][i])
				fprintf(report, "%u %s %lu %d %s\n", process, rows[i].name, counts[process][i],
					rows[i].changes, rows[i].errors);
	if (fclose(report) != 0)
		give_up(told.report);
}

static int what_of(const char *word)
{
	if (strcmp(word, "kill") == 0)
		return DO_KILL;
	if (strcmp(word, "short") == 0)
		return DO_SHORT;
	for (int cause = 1; cause < MAX_ERROR; cause++)
		if (strerrorname_np(cause) && strcmp(strerrorname_np(cause), word) == 0)
			return cause;
	errno = EINVAL;
	give_up(word);
	return DO_NOTHING;
}

static void read_options(int argc, char **argv)
{
	static const struct option options[] = {
		{"report", required_argument, NULL, 'r'},
		{"at", required_argument, NULL, 'a'},
		{"do", required_argument, NULL, 'd'},
		{"seconds", required_argument, NULL, 's'},
		{0},
	};
	int option;
	while ((option = getopt_long(argc, argv, "+", options, NULL)) != -1) {
		if (option == 'r')
			told.report = optarg;
		else if (option == 'a' && sscanf(optarg, "%u:%31[^:]:%lu", &told.process, told.call, &told.n) == 3)
			;
		else if (option == 'd')
			told.what = what_of(optarg);
		else if (option == 's')
			told.seconds = (unsigned)strtoul(optarg, NULL, 10);
		else
			exit(EXIT_TOOL);
	}
	if (!told.report || optind == argc || (told.what != DO_NOTHING && !told.n)) {
		fputs("usage: fail_calls --report FILE [--at PROCESS:CALL:N --do ERROR|short|kill] [--seconds S] "
		      "PROGRAM [ARGUMENT]...\n",
		      stderr);
		exit(EXIT_TOOL);
	}
}

int main(int argc, char **argv)
{
	int status;
	read_options(argc, argv);
	if (stat(argv[optind], &program) != 0)
		give_up(argv[optind]);
	report = fopen(told.report, "we");
	if (!report)
		give_up(told.report);
	pid_t root = fork();
	if (root == 0)
		be_traced(argv + optind);
	if (root < 0 || waitpid(root, &status, 0) != root || !WIFSTOPPED(status) ||
	    ptrace(PTRACE_SETOPTIONS, root, NULL,
		   (void *)(PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEFORK |
			    PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC)) != 0)
		give_up("cannot trace");
	struct process *p = enrol(root);
	p->known = p->stopped = true;
	number(p);
	sigaction(SIGALRM, &(struct sigaction){.sa_handler = be_late}, NULL);
	alarm(told.seconds);
	go_on(p, 0);
	int code = trace(root);
	write_report();
	return code;
}

#else

int main(void)
{
	fputs("fail_calls: the list of calls is that of x86-64\n", stderr);
	return 125;
}

#endif
