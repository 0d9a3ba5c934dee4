/* Sockets to a server: connecting, and waiting without losing sight of the time. */
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sim/base/array.h"
#include "sim/base/clock.h"
#include "sim/queue/redis_link_internal.h"

/* A peer that vanished without a word is found out after KEEP_IDLE_S + KEEP_PROBES * KEEP_INTERVAL_S. */
#define KEEP_IDLE_S 60
#define KEEP_INTERVAL_S 10
#define KEEP_PROBES 3

struct deadline deadline_after_ms(uint64_t ms, bool (*go_on)(void *ctx), void *ctx)
{
	return (struct deadline){clock_ns(CLOCK_MONOTONIC) + ms * NS_PER_MS, go_on, ctx};
}

bool redis_socket_wait(int fd, short events, const struct deadline *p)
{
	struct pollfd polled = {.fd = fd, .events = events};
	for (;;) {
		uint64_t now = clock_ns(CLOCK_MONOTONIC);
		uint64_t left_ms = p->until_ns > now ? (p->until_ns - now + NS_PER_MS - 1) / NS_PER_MS : 0;
		uint64_t slice_ms = p->go_on && left_ms > GO_ON_MS ? GO_ON_MS : left_ms;
		/* Asks again at the deadline: this process may have been stopped meanwhile, the peer not. */
		int nr = poll(&polled, 1, slice_ms > 60000 ? 60000 : (int)slice_ms);
		if (nr > 0)
			return true;
		if ((nr < 0 && errno != EINTR && errno != EAGAIN) || left_ms == 0 || (p->go_on && !p->go_on(p->ctx)))
			return false;
	}
}

/* A connection attempt to a local port that nobody listens at can meet itself. */
static bool is_its_own_peer(int fd)
{
	struct sockaddr_storage own = {0}, peer = {0};
	socklen_t own_len = sizeof(own), peer_len = sizeof(peer);
	return getsockname(fd, (struct sockaddr *)&own, &own_len) == 0 &&
	       getpeername(fd, (struct sockaddr *)&peer, &peer_len) == 0 && own_len == peer_len &&
	       memcmp(&own, &peer, own_len) == 0;
}

/* 0, or why not. */
static int connect_to(int fd, const struct addrinfo *address, const struct deadline *p)
{
	int error = 0;
	socklen_t len = sizeof(error);
	if (connect(fd, address->ai_addr, address->ai_addrlen) != 0) {
		if (errno != EINPROGRESS && errno != EINTR)
			return errno;
		if (!redis_socket_wait(fd, POLLOUT, p))
			return ETIMEDOUT;
		if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &len) != 0)
			return errno;
	}
	return error == 0 && is_its_own_peer(fd) ? ECONNREFUSED : error;
}

/* Small commands go at once; a dead peer is noticed. Neither is worth failing for. */
static void set_socket_options(int fd)
{
	static const struct {
		int level, name, value;
	} options[] = {{IPPROTO_TCP, TCP_NODELAY, 1},
		       {SOL_SOCKET, SO_KEEPALIVE, 1},
		       {IPPROTO_TCP, TCP_KEEPIDLE, KEEP_IDLE_S},
		       {IPPROTO_TCP, TCP_KEEPINTVL, KEEP_INTERVAL_S},
		       {IPPROTO_TCP, TCP_KEEPCNT, KEEP_PROBES}};
	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		setsockopt(fd, options[i].level, options[i].name, &options[i].value, sizeof(options[i].value));
}

/* 0, or why not. */
static int open_address(int *fd, const struct addrinfo *address, const struct deadline *p)
{
	*fd = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, address->ai_protocol);
	if (*fd < 0)
		return errno;
	int error = connect_to(*fd, address, p);
	if (error == 0) {
		set_socket_options(*fd);
		return 0;
	}
	close(*fd);
	*fd = -1;
	return error;
}

enum sahm_status redis_socket_open(int *fd, const struct redis_url *url, const char *name, const struct deadline *p,
				   struct sahm_err *err)
{
	char port[8];
	struct addrinfo *addresses = NULL, hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
	unsigned nr = 0;
	int error = ECONNREFUSED;
	*fd = -1;
	snprintf(port, sizeof(port), "%u", (unsigned)url->port);
	int code = getaddrinfo(url->host, port, &hints, &addresses);
	if (code == EAI_MEMORY)
		return sahm_fail_nomem(err);
	if (code != 0)
		return sahm_fail(err, SAHM_IO, "cannot find the Redis server '%s': %s", name,
				 code == EAI_SYSTEM ? strerror(errno) : gai_strerror(code));
	for (const struct addrinfo *a = addresses; a; a = a->ai_next)
		nr++;
	for (const struct addrinfo *a = addresses; a && *fd < 0; a = a->ai_next, nr--) {
		/* An address that never answers leaves time for the others. */
		uint64_t now = clock_ns(CLOCK_MONOTONIC), left_ns = p->until_ns > now ? p->until_ns - now : 0;
		struct deadline share = {now + left_ns / nr, p->go_on, p->ctx};
		error = open_address(fd, a, &share);
		if (p->go_on && *fd < 0 && !p->go_on(p->ctx))
			break;
	}
	freeaddrinfo(addresses);
	return *fd >= 0 ? SAHM_OK
			: sahm_fail(err, SAHM_IO, "cannot connect to the Redis server '%s': %s", name, strerror(error));
}
