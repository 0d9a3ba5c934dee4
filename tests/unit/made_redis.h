/* Redis servers of a test's own: real ones, each on a free port of this machine, in a folder that goes away with it. A
 * server ends with the process that started it, whatever becomes of that.
 *
 *	struct made_redis redis;
 *	start_redis(&redis, "--appendonly yes --requirepass secret");
 *	... redis.port, redis.url ("redis://127.0.0.1:PORT") ...
 *	stop_redis(&redis);
 */
#ifndef SAHM_TESTS_UNIT_MADE_REDIS_H
#define SAHM_TESTS_UNIT_MADE_REDIS_H

#include <arpa/inet.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim/sweep/redis_link.h"
#include "tests/unit/test.h"

#define MADE_REDIS_SERVER "redis-server"

struct made_redis {
	char folder[32];
	char options[512];
	char url[64];
	uint16_t port;
	pid_t pid; /* 0: it is not running */
};

static inline bool has_redis(void)
{
	return system("command -v " MADE_REDIS_SERVER " > /dev/null 2>&1") == 0;
}

/* Skips the test where there is no server, or the program cannot speak to one. */
static inline void need_redis(void)
{
	if (!redis_is_built_in())
		print_message("skipped: built without hiredis\n");
	if (!redis_is_built_in())
		skip();
	if (has_redis())
		return;
	print_message("skipped: %s is not installed\n", MADE_REDIS_SERVER);
	skip();
}

/* One that nobody uses, at this moment. */
static inline uint16_t free_port(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_true(fd >= 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, len), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &len), 0);
	close(fd);
	return ntohs(address.sin_port);
}

static inline void sleep_ms(unsigned ms)
{
	struct timespec t = {ms / 1000, (long)(ms % 1000) * 1000000};
	while (nanosleep(&t, &t) != 0)
		;
}

/* Whether somebody listens at the port. */
static inline bool port_answers(uint16_t port)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_true(fd >= 0);
	bool answers = connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0;
	close(fd);
	return answers;
}

/* Runs the server again, on the same port, with the same options and what it has kept. */
static inline void run_redis(struct made_redis *r)
{
	char command[1024];
	snprintf(command, sizeof(command),
		 "exec " MADE_REDIS_SERVER
		 " --port %u --bind 127.0.0.1 --dir %s --save '' --daemonize no %s >> %s/log 2>&1",
		 (unsigned)r->port, r->folder, r->options, r->folder);
	pid_t parent = getpid();
	fflush(NULL);
	r->pid = fork();
	assert_true(r->pid >= 0);
	if (r->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() == parent)
			execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	for (unsigned waited = 0; waited < 10000; waited += 10) {
		if (port_answers(r->port))
			return;
		if (waitpid(r->pid, NULL, WNOHANG) == r->pid) {
			r->pid = 0;
			snprintf(command, sizeof(command), "tail -n 5 %s/log >&2", r->folder);
			fail_msg("%s ended at once (%d)", MADE_REDIS_SERVER, system(command));
		}
		sleep_ms(10);
	}
	fail_msg("%s does not listen", MADE_REDIS_SERVER);
}

/* `options` as on the command line ("--appendonly yes"), or "". */
static inline void start_redis(struct made_redis *r, const char *options)
{
	*r = (struct made_redis){.folder = "/tmp/sahm-redis-XXXXXX", .port = free_port()};
	assert_true(strlen(options) < sizeof(r->options));
	strcpy(r->options, options);
	snprintf(r->url, sizeof(r->url), "redis://127.0.0.1:%u", (unsigned)r->port);
	assert_non_null(mkdtemp(r->folder));
	run_redis(r);
}

static inline void signal_redis(const struct made_redis *r, int number)
{
	assert_true(r->pid > 0);
	assert_int_equal(kill(r->pid, number), 0);
}

/* As of a machine that stops: nothing is written any more. */
static inline void kill_redis(struct made_redis *r)
{
	signal_redis(r, SIGKILL);
	assert_int_equal(waitpid(r->pid, NULL, 0), r->pid);
	r->pid = 0;
}

/* Ends the server, which writes what its options say, and runs it again. */
static inline void restart_redis(struct made_redis *r)
{
	signal_redis(r, SIGTERM);
	assert_int_equal(waitpid(r->pid, NULL, 0), r->pid);
	run_redis(r);
}

/* Alive but silent, until signal_redis(r, SIGCONT). */
static inline void freeze_redis(const struct made_redis *r)
{
	int status;
	signal_redis(r, SIGSTOP);
	assert_int_equal(waitpid(r->pid, &status, WUNTRACED), r->pid);
	assert_true(WIFSTOPPED(status));
}

/* Ends it, and removes its folder. */
static inline void stop_redis(struct made_redis *r)
{
	char command[64];
	if (r->pid > 0)
		kill_redis(r);
	snprintf(command, sizeof(command), "rm -rf '%s'", r->folder);
	assert_int_equal(system(command), 0);
}

#endif
