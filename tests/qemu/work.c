/* A program that is recorded: sorts, hashes and searches numbers that a seed makes, and prints what comes out. Its
 * first argument says how much of it, its second what else: spread (by four threads), threads, four, many N (threads,
 * one after another), forks, waits, exec, fault, close, remove FILE, loop, killed, fails. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define NR 20000

static _Thread_local uint32_t numbers[NR];

static uint32_t draw(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

static int by_value(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

static uint32_t work(uint32_t seed)
{
	uint32_t sum = 0;
	double mean = 0;
	for (int i = 0; i < NR; i++)
		numbers[i] = draw(&seed);
	qsort(numbers, NR, sizeof(numbers[0]), by_value);
	for (int i = 0; i < NR; i++) {
		sum = sum * 31 + numbers[i] / 7;
		mean += numbers[i] * (1.0 / NR);
	}
	return sum ^ (uint32_t)mean;
}

static void *thread(void *unused)
{
	uint32_t state = 7, *sum = unused;
	for (int i = 0; i < 1000000; i++)
		*sum += draw(&state);
	return NULL;
}

/* Four threads with a name and an amount of work each; the first one is over long before the others. */
static void *one_of_four(void *number)
{
	uint32_t state = 7, sum = 0;
	uintptr_t n = (uintptr_t)number;
	char name[16];
	snprintf(name, sizeof(name), "worker %u", (unsigned)n);
	prctl(PR_SET_NAME, name);
	for (uint32_t i = 0; i < 100000 * n * n; i++)
		sum += draw(&state);
	return (void *)(uintptr_t)sum;
}

static int four(void)
{
	pthread_t ids[4];
	for (uintptr_t i = 0; i < 4; i++)
		if (pthread_create(&ids[i], NULL, one_of_four, (void *)(i + 1)) != 0)
			return 1;
	for (int i = 0; i < 4; i++)
		pthread_join(ids[i], NULL);
	return 0;
}

static int many(int nr)
{
	for (int i = 0; i < nr; i++) {
		pthread_t id;
		if (pthread_create(&id, NULL, one_of_four, NULL) != 0)
			return 1;
		pthread_join(id, NULL);
	}
	return 0;
}

/* The main thread's work, a quarter in each of four threads. */
static void *quarter(void *rounds)
{
	uint32_t sum = 0;
	for (int i = 0; i < *(int *)rounds / 4; i++)
		sum += work((uint32_t)i + 1);
	return (void *)(uintptr_t)sum;
}

static int spread(int rounds)
{
	pthread_t ids[4];
	for (int i = 0; i < 4; i++)
		if (pthread_create(&ids[i], NULL, quarter, &rounds) != 0)
			return 1;
	for (int i = 0; i < 4; i++)
		pthread_join(ids[i], NULL);
	return 0;
}

static sigjmp_buf back;

static void on_fault(int signal_number)
{
	siglongjmp(back, signal_number);
}

/* An access that faults in the middle of a block, again and again. */
static int fault(void)
{
	volatile int *volatile nowhere = (volatile int *)8;
	volatile int nr = 0;
	signal(SIGSEGV, on_fault);
	for (int i = 0; i < 1000; i++)
		if (sigsetjmp(back, 1) == 0)
			nr += *nowhere;
		else
			nr++;
	return nr;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	const char *what = argc > 2 ? argv[2] : "";
	uint32_t sum = 0, other = 0;
	pthread_t id;
	if (strcmp(what, "threads") == 0 && pthread_create(&id, NULL, thread, &other) != 0)
		return 1;
	if (strcmp(what, "four") == 0 && four() != 0)
		return 1;
	if (strcmp(what, "many") == 0 && (argc < 4 || many(atoi(argv[3])) != 0))
		return 1;
	if (strcmp(what, "spread") == 0)
		return spread(rounds);
	if (strcmp(what, "close") == 0)
		for (int fd = 3; fd < 1024; fd++)
			close(fd);
	if (strcmp(what, "remove") == 0 && (argc < 4 || remove(argv[3]) != 0))
		return 1;
	if (strcmp(what, "fault") == 0)
		sum += (uint32_t)fault();
	for (int i = 0; i < rounds; i++)
		sum += work((uint32_t)i + 1);
	if (strcmp(what, "threads") == 0)
		pthread_join(id, NULL);
	if (strcmp(what, "forks") == 0 || strcmp(what, "waits") == 0) {
		pid_t child = fork();
		if (child == 0) {
			work(99);
			if (strcmp(what, "waits") == 0)
				execl("/bin/sleep", "sleep", "4", (char *)NULL);
			_exit(3);
		}
		int status = 0;
		waitpid(child, &status, 0);
		sum += (uint32_t)WEXITSTATUS(status);
	}
	printf("%u %u\n", sum, other);
	fflush(stdout);
	if (strcmp(what, "exec") == 0) {
		execl("/nowhere/at/all", "nothing", (char *)NULL);
		execl("/bin/echo", "echo", "replaced", (char *)NULL);
	}
	if (strcmp(what, "killed") == 0)
		raise(SIGKILL);
	if (strcmp(what, "loop") == 0)
		for (;;)
			sum += work(5);
	return strcmp(what, "fails") == 0 ? 7 : 0;
}
