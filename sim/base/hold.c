#include "sim/base/hold.h"

#include <pthread.h>
#include <stddef.h>

#include "sim/base/array.h"

static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
#define NR_SIGNALS ARRAY_SIZE(signals)

void signal_hold_begin(struct signal_hold *h)
{
	sigset_t all;
	sigemptyset(&all);
	sigemptyset(&h->held);
	for (size_t i = 0; i < NR_SIGNALS; i++)
		sigaddset(&all, signals[i]);
	pthread_sigmask(SIG_BLOCK, &all, &h->before);
	/* Of what was held back before, the caller knows, or an outer hold. */
	for (size_t i = 0; i < NR_SIGNALS; i++)
		if (sigismember(&h->before, signals[i]) == 0)
			sigaddset(&h->held, signals[i]);
}

void signal_hold_end(const struct signal_hold *h)
{
	pthread_sigmask(SIG_SETMASK, &h->before, NULL);
}

bool signal_hold_has_caught(const struct signal_hold *h)
{
	sigset_t waiting;
	sigpending(&waiting);
	for (size_t i = 0; i < NR_SIGNALS; i++)
		if (sigismember(&h->held, signals[i]) == 1 && sigismember(&waiting, signals[i]) == 1)
			return true;
	return false;
}
