/* A library's own allocations that fail: loaded in front of the C library (LD_PRELOAD), it looks at who asks for
 * memory.
 *
 *   SAHM_TEST_LIBRARY=NAME    of the object whose file is called so, or begins so
 *   SAHM_TEST_FAIL_ALLOC=N    the N-th allocation fails, from 1 on; with SAHM_TEST_FAIL_ALL all that follow as well
 *   SAHM_TEST_COUNT_ALLOC=F   how many it had is written to F at the end
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *(*next_malloc)(size_t bytes);
static void *(*next_calloc)(size_t count, size_t bytes);
static void *(*next_realloc)(void *p, size_t bytes);
static char early[65536]; /* for dlsym(), which asks for memory itself */
static size_t early_used;
static unsigned long nr, first_failed;
static bool fail_all, ready;
static const char *library, *report;

__attribute__((constructor)) static void begin(void)
{
	const char *number = getenv("SAHM_TEST_FAIL_ALLOC");
	library = getenv("SAHM_TEST_LIBRARY");
	report = getenv("SAHM_TEST_COUNT_ALLOC");
	fail_all = getenv("SAHM_TEST_FAIL_ALL");
	first_failed = number ? strtoul(number, NULL, 10) : 0;
	ready = library;
}

__attribute__((destructor)) static void end(void)
{
	ready = false;
	FILE *out = report ? fopen(report, "w") : NULL;
	if (out) {
		fprintf(out, "%lu\n", nr);
		fclose(out);
	}
}

static bool fails(void *caller)
{
	Dl_info info;
	if (!ready || !dladdr(caller, &info) || !info.dli_fname)
		return false;
	const char *slash = strrchr(info.dli_fname, '/'), *name = slash ? slash + 1 : info.dli_fname;
	if (strncmp(name, library, strlen(library)) != 0)
		return false;
	unsigned long number = ++nr;
	if (!first_failed || (fail_all ? number < first_failed : number != first_failed))
		return false;
	errno = ENOMEM;
	return true;
}

static void *take_early(size_t bytes)
{
	size_t at = early_used;
	early_used += (bytes + 15) & ~(size_t)15;
	return early_used <= sizeof(early) ? early + at : NULL;
}

__attribute__((visibility("default"))) void *malloc(size_t bytes)
{
	if (!next_malloc)
		*(void **)&next_malloc = dlsym(RTLD_NEXT, "malloc");
	return fails(__builtin_return_address(0)) ? NULL : next_malloc(bytes);
}

__attribute__((visibility("default"))) void *calloc(size_t count, size_t bytes)
{
	static bool looking;
	if (!next_calloc) {
		if (looking)
			return take_early(count * bytes);
		looking = true;
		*(void **)&next_calloc = dlsym(RTLD_NEXT, "calloc");
	}
	return fails(__builtin_return_address(0)) ? NULL : next_calloc(count, bytes);
}

__attribute__((visibility("default"))) void *realloc(void *p, size_t bytes)
{
	if (!next_realloc)
		*(void **)&next_realloc = dlsym(RTLD_NEXT, "realloc");
	return fails(__builtin_return_address(0)) ? NULL : next_realloc(p, bytes);
}

__attribute__((visibility("default"))) void free(void *p)
{
	static void (*next_free)(void *p);
	if (!next_free)
		*(void **)&next_free = dlsym(RTLD_NEXT, "free");
	if ((char *)p < early || (char *)p >= early + sizeof(early))
		next_free(p);
}
