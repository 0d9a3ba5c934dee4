/* For determinism.sh, to be loaded before the C library (LD_PRELOAD): a clock that has jumped ahead by
 * SURROUNDING_AHEAD seconds, and, with SURROUNDING_REVERSED in the environment, folders whose entries come in the
 * reverse order. Clocks that know no date go on as they are. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

static long long ahead_s(void)
{
	const char *text = getenv("SURROUNDING_AHEAD");
	return text ? atoll(text) : 0;
}

time_t time(time_t *into)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	if (into)
		*into = t.tv_sec;
	return t.tv_sec;
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
	int (*real)(clockid_t, struct timespec *);
	*(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
	int code = real(clock, t);
	if (code == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
		t->tv_sec += ahead_s();
	return code;
}

int gettimeofday(struct timeval *restrict t, void *restrict zone)
{
	int (*real)(struct timeval *restrict, void *restrict);
	*(void **)&real = dlsym(RTLD_NEXT, "gettimeofday");
	int code = real(t, zone);
	if (code == 0)
		t->tv_sec += ahead_s();
	return code;
}

/* A folder that is being read: all its entries, of which the last that is left comes next. */
struct listing {
	DIR *folder;
	struct dirent *entries;
	size_t nr;
};
static struct listing listings[16];

static struct listing *find(DIR *folder)
{
	for (size_t i = 0; i < sizeof(listings) / sizeof(listings[0]); i++) {
		if (listings[i].folder == folder)
			return &listings[i];
	}
	return NULL;
}

struct dirent *readdir(DIR *folder)
{
	struct dirent *(*real)(DIR *);
	*(void **)&real = dlsym(RTLD_NEXT, "readdir");
	struct listing *l = getenv("SURROUNDING_REVERSED") ? find(folder) : NULL;
	if (!getenv("SURROUNDING_REVERSED") || (!l && !(l = find(NULL))))
		return real(folder);
	if (!l->folder) {
		*l = (struct listing){.folder = folder};
		for (struct dirent *e; (e = real(folder)); l->nr++) {
			l->entries = realloc(l->entries, (l->nr + 1) * sizeof(*e));
			memcpy(&l->entries[l->nr], e, e->d_reclen < sizeof(*e) ? e->d_reclen : sizeof(*e));
		}
	}
	return l->nr > 0 ? &l->entries[--l->nr] : NULL;
}

int closedir(DIR *folder)
{
	int (*real)(DIR *);
	*(void **)&real = dlsym(RTLD_NEXT, "closedir");
	struct listing *l = find(folder);
	if (l) {
		free(l->entries);
		*l = (struct listing){0};
	}
	return real(folder);
}

int scandir(const char *path, struct dirent ***entries, int (*filter)(const struct dirent *),
	    int (*compare)(const struct dirent **, const struct dirent **))
{
	int (*real)(const char *, struct dirent ***, int (*)(const struct dirent *),
		    int (*)(const struct dirent **, const struct dirent **));
	*(void **)&real = dlsym(RTLD_NEXT, "scandir");
	int nr = real(path, entries, filter, compare);
	for (int i = 0; !compare && getenv("SURROUNDING_REVERSED") && i < nr / 2; i++) {
		struct dirent *e = (*entries)[i];
		(*entries)[i] = (*entries)[nr - 1 - i];
		(*entries)[nr - 1 - i] = e;
	}
	return nr;
}

/* By these names where files may be large; the types are the same. */
_Static_assert(sizeof(struct dirent64) == sizeof(struct dirent) && sizeof(off_t) == 8, "one form of entries");

struct dirent64 *readdir64(DIR *folder)
{
	return (struct dirent64 *)readdir(folder);
}

int scandir64(const char *path, struct dirent64 ***entries, int (*filter)(const struct dirent64 *),
	      int (*compare)(const struct dirent64 **, const struct dirent64 **))
{
	return scandir(path, (struct dirent ***)entries, (int (*)(const struct dirent *))filter,
		       (int (*)(const struct dirent **, const struct dirent **))compare);
}
