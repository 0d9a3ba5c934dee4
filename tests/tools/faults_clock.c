/* Preloaded by faults.sh and queue_servers.py: clocks that jump. JUMP=wall: the one that people set jumps back and
 * forth by hours whenever it is read; JUMP=all: the one that never jumps does, too. JUMP=/FILE: the one that people set
 * is ahead by the seconds that the file holds, a 64-bit number which may change at any moment. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static time_t jump(void)
{
	static const time_t seconds[] = {0, 5 * 3600, -7 * 3600, 24 * 3600, -1};
	static _Thread_local unsigned draw;
	draw = draw * 1103515245u + 12345u;
	return seconds[(draw >> 16) % (sizeof(seconds) / sizeof(seconds[0]))];
}

static const volatile int64_t *ahead;

__attribute__((constructor)) static void map_file(void)
{
	const char *path = getenv("JUMP");
	int fd = path && *path == '/' ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	void *at = fd >= 0 ? mmap(NULL, sizeof(*ahead), PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
	if (fd >= 0)
		close(fd);
	if (at != MAP_FAILED)
		ahead = at;
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
	const char *which = getenv("JUMP");
	int failed = (int)syscall(SYS_clock_gettime, clock, t);
	int jumps = clock == CLOCK_REALTIME || (which && strcmp(which, "all") == 0 && clock == CLOCK_MONOTONIC);
	time_t by = !jumps ? 0 : ahead ? (time_t)*ahead : jump();
	if (!failed && t->tv_sec + by > 0)
		t->tv_sec += by;
	return failed;
}

time_t time(time_t *out)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	if (out)
		*out = t.tv_sec;
	return t.tv_sec;
}

int gettimeofday(struct timeval *restrict tv, void *restrict zone)
{
	struct timespec t;
	(void)zone;
	clock_gettime(CLOCK_REALTIME, &t);
	tv->tv_sec = t.tv_sec;
	tv->tv_usec = t.tv_nsec / 1000;
	return 0;
}
