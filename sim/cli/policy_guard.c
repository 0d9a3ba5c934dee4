#include "sim/cli/policy_guard.h"
#include "sim/base/array.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "sched/host/host.h"
#include "sim/base/clean.h"
#include "sim/cli/supervisor.h"

/* Seconds between two looks, of processor time and of the clock on the wall; an operation is stuck when two in a row
 * find it. */
#define LOOK_S 3
#define LONG_LOOK_S 30

/* The call that the last look has found, 0: none. The handler's own. */
static volatile u64 found, found_late;

static void say(const char *text)
{
	ssize_t written = write(STDERR_FILENO, text, strlen(text));
	(void)written;
}

/* The name of a policy, which a plug-in chose. */
static void say_name(const char *name)
{
	char clean[128];
	size_t len = strlen(name);
	if (len >= sizeof(clean))
		len = sizeof(clean) - 1;
	memcpy(clean, name, len);
	clean[len] = '\0';
	clean_text(clean);
	say(clean);
}

/* Only what is safe in a signal handler. */
static void look(int signal)
{
	const struct host *h = host_current();
	u64 under_way = h && h->op != HOST_NO_OP ? h->nr_calls : 0;
	volatile u64 *last = signal == SIGPROF ? &found : &found_late;
	if (under_way == 0 || under_way != *last) {
		*last = under_way;
		return;
	}
	say("sahm: error: policy '");
	say_name(h->ops->name);
	say("' hangs: it has not returned from ");
	say(host_op_name(h->op));
	say(signal == SIGPROF ? " for more than 3 s\n" : " for more than 30 s\n");
	supervised_is_told();
	_exit(1);
}

/* What crashes are answered with, and what they were. */
static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

enum { NR_CRASHES = ARRAY_SIZE(crashes) };

static struct sigaction before[NR_CRASHES];
static bool is_on, minds_exit;

/* A stack for the answer: the policy's own may have run over. */
static char own_stack[16384];

static void name_policy(const struct host *h, const char *what_it_does)
{
	say("sahm: error: policy '");
	say_name(h->ops->name);
	say("' ");
	say(what_it_does);
	say(" in ");
	say(host_op_name(h->op));
	say("\n");
	supervised_is_told();
}

/* Names the operation in which it happened, and lets it happen again, to whoever saw to it before. */
static void name_crash(int signal)
{
	const struct host *h = host_current();
	if (h && h->op != HOST_NO_OP)
		name_policy(h, "crashes");
	for (int i = 0; i < NR_CRASHES; i++)
		if (crashes[i] == signal)
			sigaction(signal, &before[i], NULL);
}

/* When a policy calls exit(). */
static void name_exit(void)
{
	const struct host *h = host_current();
	if (h && h->op != HOST_NO_OP)
		name_policy(h, "ends the program");
}

/* Looks every so many seconds; 0: no more. */
static void set_timers(time_t seconds, time_t long_seconds)
{
	const struct itimerval every = {{seconds, 0}, {seconds, 0}}, seldom = {{long_seconds, 0}, {long_seconds, 0}};
	setitimer(ITIMER_PROF, &every, NULL);
	setitimer(ITIMER_REAL, &seldom, NULL);
}

void policy_guard_begin(void)
{
	struct sigaction action = {.sa_flags = SA_RESTART};
	action.sa_handler = look;
	sigemptyset(&action.sa_mask);
	found = found_late = 0;
	sigaction(SIGPROF, &action, NULL);
	sigaction(SIGALRM, &action, NULL);
	sigset_t looks;
	sigemptyset(&looks);
	sigaddset(&looks, SIGPROF);
	sigaddset(&looks, SIGALRM);
	sigprocmask(SIG_UNBLOCK, &looks, NULL);
	const stack_t stack = {.ss_sp = own_stack, .ss_size = sizeof(own_stack)};
	sigaltstack(&stack, NULL);
	action.sa_handler = name_crash;
	action.sa_flags = SA_ONSTACK;
	for (int i = 0; i < NR_CRASHES; i++)
		sigaction(crashes[i], &action, is_on ? NULL : &before[i]);
	/* A process that was forked has all of that already, but for the timers. */
	is_on = true;
	if (!minds_exit)
		atexit(name_exit);
	minds_exit = true;
	set_timers(LOOK_S, LONG_LOOK_S);
}

void policy_guard_end(void)
{
	set_timers(0, 0);
	signal(SIGPROF, SIG_DFL);
	signal(SIGALRM, SIG_DFL);
	for (int i = 0; i < NR_CRASHES; i++)
		sigaction(crashes[i], &before[i], NULL);
	is_on = false;
	const stack_t none = {.ss_flags = SS_DISABLE};
	sigaltstack(&none, NULL);
}
