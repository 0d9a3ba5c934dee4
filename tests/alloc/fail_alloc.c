/* Allocations of the program's own that fail. The linker puts the functions below in the place of the C library's in
 * all that is compiled from this source (mk/test.mk); libraries are shared objects, and what they take for themselves
 * is theirs. What opens a stream, a folder or a mapping takes memory, too, and counts as well.
 *
 *   SAHM_TEST_FAIL_ALLOC=N    the N-th allocation fails, from 1 on
 *   SAHM_TEST_FAIL_ALL=1      and so do all that come after it
 *   SAHM_TEST_FAIL_FORKED=1   what is counted, and fails, is that of processes that the program forks, each separately
 *   SAHM_TEST_SHOW_ALLOC=1    the sanitizer says where one fails, for who looks for the reason
 *   SAHM_TEST_COUNT_ALLOC=F   at its end the program writes to F how many allocations it had, how many at most one of
 * the processes that it forked, and how many failed. If none was to: in a second line which were the first or the last
 * of their way to it through the program, and in a third of the forked
 */
#include <dirent.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define OWN 0
#define FORKED 1

/* Ways that are distinguished, and calls of them that are looked at. */
#define MAX_WAYS 16384
#define MAX_CALLS 40

/* Ways to an allocation: from main() on, by which calls. */
struct ways {
	unsigned long nr;
	struct way {
		unsigned long hash, first, last; /* numbers of allocations; 0: an empty slot */
	} slots[MAX_WAYS];
};

/* Seen by all processes. */
struct tally {
	atomic_ulong own, forked_most, failed;
	struct ways ways[2]; /* OWN, FORKED: processes that are forked one after the other */
};
static struct tally *tally;

static atomic_ulong nr;		   /* of this process */
static unsigned long first_failed; /* 0: none */
static bool fail_all, show;
static int counted = OWN, here = OWN;
static const char *report;

#define WRAPPED(type, name, ...)                                                                                       \
	type __real_##name(__VA_ARGS__);                                                                               \
	type __wrap_##name(__VA_ARGS__);                                                                               \
	type __wrap_##name(__VA_ARGS__)

void __sanitizer_print_stack_trace(void) __attribute__((weak));
FILE *__real_fopen(const char *path, const char *mode);
void *__real_mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t from);

static void enter_fork(void)
{
	here = FORKED;
	nr = 0;
}

/* Allocation `number` comes about. */
static void note_way(struct ways *ways, unsigned long number)
{
	void *calls[MAX_CALLS];
	int nr_calls = backtrace(calls, MAX_CALLS);
	unsigned long hash = 1469598103934665603; /* FNV-1a, by words */
	for (int i = 0; i < nr_calls; i++)
		hash = (hash ^ (unsigned long)calls[i]) * 1099511628211;
	struct way *way = &ways->slots[hash % MAX_WAYS];
	while (way->first && way->hash != hash)
		way = way == &ways->slots[MAX_WAYS - 1] ? ways->slots : way + 1;
	if (!way->first) {
		if (++ways->nr == MAX_WAYS)
			_exit(99);
		way->hash = hash;
		way->first = number;
	}
	way->last = number;
}

static void write_report(void)
{
	if (here != OWN)
		return;
	FILE *out = __real_fopen(report, "we");
	if (!out)
		_exit(99);
	fprintf(out, "%lu %lu %lu\n", atomic_load(&tally->own), atomic_load(&tally->forked_most),
		atomic_load(&tally->failed));
	for (int who = OWN; who <= FORKED; who++) {
		for (const struct way *w = tally->ways[who].slots; w < tally->ways[who].slots + MAX_WAYS; w++) {
			if (w->first)
				fprintf(out, "%lu ", w->first);
			if (w->last != w->first)
				fprintf(out, "%lu ", w->last);
		}
		fputc('\n', out);
	}
	if (fclose(out) != 0)
		_exit(99);
}

__attribute__((constructor)) static void read_environment(void)
{
	const char *number = getenv("SAHM_TEST_FAIL_ALLOC");
	first_failed = number ? strtoul(number, NULL, 10) : 0;
	fail_all = getenv("SAHM_TEST_FAIL_ALL");
	show = getenv("SAHM_TEST_SHOW_ALLOC");
	counted = getenv("SAHM_TEST_FAIL_FORKED") ? FORKED : OWN;
	report = getenv("SAHM_TEST_COUNT_ALLOC");
	tally = __real_mmap(NULL, sizeof(*tally), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (tally == MAP_FAILED || pthread_atfork(NULL, NULL, enter_fork) != 0 || (report && atexit(write_report) != 0))
		_exit(99);
	/* Programs that it starts are none of this. */
	unsetenv("SAHM_TEST_COUNT_ALLOC");
}

static bool grants(void)
{
	unsigned long number = ++nr;

	if (!tally) /* before all else */
		return true;
	if (here == OWN)
		tally->own = number;
	else if (number > tally->forked_most)
		tally->forked_most = number;
	if (report && !first_failed)
		note_way(&tally->ways[here], number);
	if (here != counted || !first_failed || (fail_all ? number < first_failed : number != first_failed))
		return true;
	tally->failed++;
	if (show && __sanitizer_print_stack_trace)
		__sanitizer_print_stack_trace();
	errno = ENOMEM;
	return false;
}

WRAPPED(void *, malloc, size_t bytes)
{
	return grants() ? __real_malloc(bytes) : NULL;
}

WRAPPED(void *, calloc, size_t count, size_t bytes)
{
	return grants() ? __real_calloc(count, bytes) : NULL;
}

WRAPPED(void *, realloc, void *p, size_t bytes)
{
	return grants() ? __real_realloc(p, bytes) : NULL;
}

WRAPPED(void *, aligned_alloc, size_t alignment, size_t bytes)
{
	return grants() ? __real_aligned_alloc(alignment, bytes) : NULL;
}

WRAPPED(char *, strdup, const char *text)
{
	return grants() ? __real_strdup(text) : NULL;
}

WRAPPED(char *, strndup, const char *text, size_t most)
{
	return grants() ? __real_strndup(text, most) : NULL;
}

WRAPPED(char *, realpath, const char *path, char *buffer)
{
	return buffer || grants() ? __real_realpath(path, buffer) : NULL;
}

WRAPPED(FILE *, fopen, const char *path, const char *mode)
{
	return grants() ? __real_fopen(path, mode) : NULL;
}

WRAPPED(FILE *, fdopen, int fd, const char *mode)
{
	return grants() ? __real_fdopen(fd, mode) : NULL;
}

WRAPPED(FILE *, fmemopen, void *memory, size_t bytes, const char *mode)
{
	return grants() ? __real_fmemopen(memory, bytes, mode) : NULL;
}

WRAPPED(FILE *, fopencookie, void *cookie, const char *mode, cookie_io_functions_t functions)
{
	return grants() ? __real_fopencookie(cookie, mode, functions) : NULL;
}

WRAPPED(DIR *, opendir, const char *path)
{
	return grants() ? __real_opendir(path) : NULL;
}

WRAPPED(DIR *, fdopendir, int fd)
{
	return grants() ? __real_fdopendir(fd) : NULL;
}

WRAPPED(int, scandir, const char *path, struct dirent ***list, int (*chosen)(const struct dirent *),
	int (*order)(const struct dirent **, const struct dirent **))
{
	return grants() ? __real_scandir(path, list, chosen, order) : -1;
}

WRAPPED(void *, mmap, void *at, size_t bytes, int protection, int flags, int fd, off_t from)
{
	return grants() ? __real_mmap(at, bytes, protection, flags, fd, from) : MAP_FAILED;
}

/* By these names where files may be large. */
WRAPPED(FILE *, fopen64, const char *path, const char *mode)
{
	return grants() ? __real_fopen64(path, mode) : NULL;
}

WRAPPED(int, scandir64, const char *path, struct dirent64 ***list, int (*chosen)(const struct dirent64 *),
	int (*order)(const struct dirent64 **, const struct dirent64 **))
{
	return grants() ? __real_scandir64(path, list, chosen, order) : -1;
}

WRAPPED(void *, mmap64, void *at, size_t bytes, int protection, int flags, int fd, off_t from)
{
	return grants() ? __real_mmap64(at, bytes, protection, flags, fd, from) : MAP_FAILED;
}
