/* Servers that pretend to be Redis: each answers a login as it should, or as told, and everything else with what the
 * test says. It runs in a separate process, one connection after another. */
#ifndef SAHM_TESTS_UNIT_SIM_QUEUE_MADE_IMPOSTOR_H
#define SAHM_TESTS_UNIT_SIM_QUEUE_MADE_IMPOSTOR_H

#include <poll.h>
#include <stdatomic.h>
#include <sys/mman.h>

#include "tests/unit/sim/queue/made_redis.h"

#define GOOD_INFO "$41\r\n# Server\r\nredis_version:7.0.15\r\nother:1\r\n\r\n"

struct impostor {
	const char *ping, *select, *info; /* NULL: as Redis answers; "": not at all */
	const char *answer;		  /* to everything else; NULL: closes the connection instead */
	const char *more;		  /* after the answer, without end; NULL: nothing */
	unsigned pause_ms;		  /* before each one */
	unsigned nr_not_ready;		  /* this number of connections first get `not_ready` as the answer to PING */
	const char *not_ready;
	bool closes; /* after the answer */
	bool greets; /* with the answer, before it is asked anything */

	uint16_t port;
	pid_t pid;
	_Atomic unsigned *nr_connections; /* in memory that both see */
};

/* False: the peer is gone. */
static inline bool impostor_says(int fd, const char *text)
{
	for (size_t len = strlen(text); len > 0;) {
		ssize_t nr = send(fd, text, len, MSG_NOSIGNAL);
		if (nr <= 0)
			return false;
		text += nr;
		len -= (size_t)nr;
	}
	return true;
}

static inline const char *impostor_answer(const struct impostor *i, const char *command)
{
	if (strstr(command, "PING"))
		return i->not_ready && *i->nr_connections <= i->nr_not_ready ? i->not_ready
		       : i->ping					     ? i->ping
									     : "+PONG\r\n";
	if (strstr(command, "SELECT"))
		return i->select ? i->select : "+OK\r\n";
	if (strstr(command, "INFO"))
		return i->info ? i->info : GOOD_INFO;
	return NULL;
}

static inline void impostor_serve(const struct impostor *i, int fd)
{
	char bytes[4096];
	ssize_t nr;
	if (i->greets && !impostor_says(fd, i->answer))
		return;
	/* A login waits for each answer: each arrival is one command. */
	while ((nr = recv(fd, bytes, sizeof(bytes) - 1, 0)) > 0) {
		bytes[nr] = '\0';
		const char *known = impostor_answer(i, bytes), *answer = known ? known : i->answer;
		if (!answer || !impostor_says(fd, answer))
			return;
		while (!known && i->more) {
			if (i->pause_ms)
				sleep_ms(i->pause_ms);
			if (!impostor_says(fd, i->more))
				return;
		}
		if (!known && i->closes)
			return;
	}
}

static inline void start_impostor(struct impostor *i)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_true(fd >= 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, len), 0);
	assert_int_equal(listen(fd, 16), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &len), 0);
	i->port = ntohs(address.sin_port);
	i->nr_connections =
		mmap(NULL, sizeof(*i->nr_connections), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(i->nr_connections != MAP_FAILED);
	pid_t parent = getpid();
	fflush(NULL);
	i->pid = fork();
	assert_true(i->pid >= 0);
	if (i->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		while (getppid() == parent) {
			int peer = accept(fd, NULL, NULL);
			if (peer < 0)
				break;
			++*i->nr_connections;
			impostor_serve(i, peer);
			close(peer);
		}
		_exit(0);
	}
	close(fd);
}

static inline void stop_impostor(struct impostor *i)
{
	assert_int_equal(kill(i->pid, SIGKILL), 0);
	assert_int_equal(waitpid(i->pid, NULL, 0), i->pid);
	munmap((void *)i->nr_connections, sizeof(*i->nr_connections));
}

#endif
