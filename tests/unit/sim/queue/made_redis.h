/* Redis servers of a test's own: real ones, each on a free port of this machine, in a folder that goes away with it. A
 * server ends with the process that started it, whatever becomes of that.
 *
 *	struct made_redis redis;
 *	start_redis(&redis, "--appendonly yes --requirepass secret");
 *	... redis.port, redis.url ("redis://127.0.0.1:PORT") ...
 *	stop_redis(&redis);
 */
#ifndef SAHM_TESTS_UNIT_SIM_QUEUE_MADE_REDIS_H
#define SAHM_TESTS_UNIT_SIM_QUEUE_MADE_REDIS_H

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

#include "sim/queue/redis_link.h"
#include "tests/unit/test.h"

#define MADE_REDIS_SERVER "redis-server"

#define MADE_REDIS_FOLDER "/tmp/sahm-redis-XXXXXX"

struct made_redis {
	char folder[sizeof(MADE_REDIS_FOLDER)];
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
	if (redis_is_built_in() && has_redis())
		return;
	print_message("skipped: %s\n",
		      redis_is_built_in() ? MADE_REDIS_SERVER " is not installed" : "built without hiredis");
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

/* Folders of servers that run: a test that fails in between does not get to stop_redis(). */
static char made_redis_folders[16][sizeof(MADE_REDIS_FOLDER)];
static pid_t made_redis_owner;

static inline int remove_redis_folder(const char *folder)
{
	char command[64];
	snprintf(command, sizeof(command), "rm -rf '%.*s'", (int)sizeof(MADE_REDIS_FOLDER), folder);
	return system(command);
}

static inline void remove_redis_folders(void)
{
	for (size_t i = 0; i < 16 && getpid() == made_redis_owner; i++)
		if (made_redis_folders[i][0] && remove_redis_folder(made_redis_folders[i]) != 0)
			print_error("cannot remove %s\n", made_redis_folders[i]);
}

/* Puts `to` in the place of `from` in the list. */
static inline void change_redis_folder(const char *from, const char *to)
{
	for (size_t i = 0; i < 16; i++)
		if (strcmp(made_redis_folders[i], from) == 0) {
			memcpy(made_redis_folders[i], to, strlen(to) + 1);
			return;
		}
	fail_msg("too many servers");
}

/* `options` as on the command line ("--appendonly yes"), or "". */
static inline void start_redis(struct made_redis *r, const char *options)
{
	*r = (struct made_redis){.folder = MADE_REDIS_FOLDER, .port = free_port()};
	assert_true(strlen(options) < sizeof(r->options));
	strcpy(r->options, options);
	snprintf(r->url, sizeof(r->url), "redis://127.0.0.1:%u", (unsigned)r->port);
	assert_non_null(mkdtemp(r->folder));
	if (!made_redis_owner) {
		made_redis_owner = getpid();
		assert_int_equal(atexit(remove_redis_folders), 0);
	}
	change_redis_folder("", r->folder);
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
	if (r->pid > 0)
		kill_redis(r);
	assert_int_equal(remove_redis_folder(r->folder), 0);
	change_redis_folder(r->folder, "");
}

#endif
