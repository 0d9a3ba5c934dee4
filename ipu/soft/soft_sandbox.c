/* The sandbox of a module's process: a list of system calls, in two stages, and where the kernel can, of folders to
 * read while the module is loaded (Landlock). A call that is not listed ends the process with SIGSYS. */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#endif

#include "ipu/soft/soft_internal.h"
#include "sim/base/array.h"

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

/* A call that is allowed if `mask` of its argument is `value`; or that fails then, with the errno `failure`. */
struct call {
	uint32_t nr, argument, mask, value, failure;
};

/* Instructions of the filter per call, and around them. */
#define PER_CALL 6u
#define AROUND 4u
#define MAX_CALLS 48u

static const char *install(const struct call *calls, size_t nr)
{
	struct sock_filter code[AROUND + PER_CALL * MAX_CALLS];
	unsigned short at = 0;
	code[at++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
	code[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
	code[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
	for (size_t i = 0; i < nr; i++) {
		/* Flags and descriptors are in the low half of an argument; both machines are little-endian. */
		uint32_t argument = (uint32_t)offsetof(struct seccomp_data, args) + 8 * calls[i].argument;
		code[at++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
		code[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[i].nr, 0, 4);
		code[at++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, argument);
		code[at++] = (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, calls[i].mask);
		code[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[i].value, 0, 1);
		uint32_t action = calls[i].failure ? SECCOMP_RET_ERRNO | calls[i].failure : SECCOMP_RET_ALLOW;
		code[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action);
	}
	code[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
	struct sock_fprog program = {at, code};
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 ? NULL : "a filter of system calls (seccomp)";
}

/* Where the kernel has no Landlock, code that runs while the module is loaded can read files, and can only show them in
 * packets and registers. */
static void limit_reading(void)
{
#ifdef LANDLOCK_CREATE_RULESET_VERSION
	static const char *const places[] = {"/lib",	   "/lib64",	     "/usr/lib",
					     "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache"};
	const struct landlock_ruleset_attr handled = {.handled_access_fs = LANDLOCK_ACCESS_FS_READ_FILE |
									   LANDLOCK_ACCESS_FS_READ_DIR};
	int rules = (int)syscall(SYS_landlock_create_ruleset, &handled, sizeof(handled), 0);
	if (rules < 0)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		struct landlock_path_beneath_attr beneath = {.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE,
							     .parent_fd = open(places[i], O_PATH | O_CLOEXEC)};
		if (beneath.parent_fd < 0)
			continue;
		syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
		close(beneath.parent_fd);
	}
	syscall(SYS_landlock_restrict_self, rules, 0);
	close(rules);
#endif
}

/* clang-format off */
#define ANY(name) {.nr = SYS_##name}
#define ONLY(name, number, bits, wanted) {.nr = SYS_##name, .argument = (number), .mask = (bits), .value = (wanted)}
/* All but those with which reading remains reading. */
#define OPENING_FLAGS (~(uint32_t)(O_CLOEXEC | O_LARGEFILE))
#if defined(SYS_readlink) && (defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__))
#define CALLS_OF_SANITIZERS ANY(sigaltstack), ANY(readlink), ANY(nanosleep), ANY(clock_nanosleep),
#else
#define CALLS_OF_SANITIZERS
#endif
/* What a module and the C library do in memory. Files 0 to 2 are /dev/null, where the last words of abort() go. */
#define CALLS_IN_MEMORY \
	ANY(futex), ANY(munmap), ANY(brk), ANY(mremap), ANY(madvise), ANY(sched_yield), ANY(clock_gettime), \
	ANY(gettimeofday), ANY(getrandom), ANY(getpid), ANY(gettid), ANY(sched_getaffinity), ANY(rt_sigprocmask), ANY(rt_sigreturn), ANY(exit), \
	ANY(exit_group), CALLS_OF_SANITIZERS ONLY(write, 0, ~3u, 0), ONLY(writev, 0, ~3u, 0), ONLY(tgkill, 0, ~0u, (uint32_t)getpid())
/* clang-format on */

const char *soft_sandbox_enter(void)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return "no_new_privs";
	limit_reading();
	const struct call calls[] = {
		CALLS_IN_MEMORY,
		ONLY(openat, 2, OPENING_FLAGS, O_RDONLY),
		ANY(read),
		ANY(pread64),
		ANY(fstat),
		ANY(newfstatat),
		ANY(close),
		ANY(mmap),
		ANY(mprotect),
		/* Its second stage. */
		ONLY(prctl, 0, ~0u, PR_SET_SECCOMP),
	};
	return install(calls, ARRAY_SIZE(calls));
}

const char *soft_sandbox_seal(void)
{
	const struct call calls[] = {
		CALLS_IN_MEMORY,
		/* The C++ library looks for the number of processors, in files if it can. */
		{.nr = SYS_openat, .argument = 2, .mask = OPENING_FLAGS, .value = O_RDONLY, .failure = EACCES},
		ONLY(mmap, 2, PROT_EXEC, 0),
		ONLY(mprotect, 2, PROT_EXEC, 0),
	};
	return install(calls, ARRAY_SIZE(calls));
}

#else

const char *soft_sandbox_enter(void)
{
	return "a filter for this kind of processor";
}

const char *soft_sandbox_seal(void)
{
	return NULL;
}

#endif
