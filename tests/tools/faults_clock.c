/* Preloaded by faults.sh: clocks jump back and forth by hours whenever they are read. JUMP=wall: that which people set;
 * JUMP=all: those, too, that never jump. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
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

int clock_gettime(clockid_t clock, struct timespec *t)
{
	const char *which = getenv("JUMP");
	int failed = (int)syscall(SYS_clock_gettime, clock, t);
	int jumps = clock == CLOCK_REALTIME || (which && strcmp(which, "all") == 0 && clock == CLOCK_MONOTONIC);
	time_t by = jumps ? jump() : 0;
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
