#include "sim/cli/policy_guard.h"
#include "sim/base/array.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "sched/host/host.h"
#include "sim/base/clean.h"
#include "sim/base/units.h"
#include "sim/cli/supervisor.h"

/* Looks in a timeout. They are counted, not timed: while the process is stopped, and cannot run, there is at most one.
 */
#define NR_LOOKS 10

static unsigned limit_s;

/* Since when nothing has moved, by one of the two timers. The handler's own. */
struct stand {
	u64 run, timestep, since;      /* h->number; of now; h->nr_calls when they were first found */
	u64 nr_calls;		       /* at the last look */
	long nr_sleeps;		       /* likewise: how often the process had waited for something */
	unsigned nr_looks, nr_in_call; /* that found nothing moved, and not even another call */
};

static struct stand by_processor, by_clock;

static void write_text(const char *text)
{
	ssize_t written = write(STDERR_FILENO, text, strlen(text));
	(void)written;
}

/* The name of a policy, which a plug-in chose. */
static void write_name(const char *name)
{
	char clean[128];
	size_t len = strlen(name);
	if (len >= sizeof(clean))
		len = sizeof(clean) - 1;
	memcpy(clean, name, len);
	clean[len] = '\0';
	clean_text(clean);
	write_text(clean);
}

static void write_number(u64 number)
{
	char digits[24], *at = digits + sizeof(digits) - 1;
	*at = '\0';
	do
		*--at = (char)('0' + number % 10);
	while (number /= 10);
	write_text(at);
}

static void give_up(const struct host *h, const struct stand *stand)
{
	const bool is_in_call = stand->nr_in_call == NR_LOOKS;
	u64 began_ns = stand->timestep * h->timestep_ns;
	write_text("sahm: error: policy '");
	write_name(h->ops->name);
	write_text("' makes no progress: ");
	if (is_in_call) {
		write_text("no return from ");
		write_text(host_op_name(h->op));
	} else {
		write_text("simulated time has stood in the timestep at ");
		write_number(began_ns / NS_PER_MS);
		write_text(".");
		write_number(began_ns % NS_PER_MS / (NS_PER_MS / 10));
		write_text(" ms");
	}
	write_text(" for ");
	write_number(limit_s);
	write_text(" s");
	if (!is_in_call) {
		write_text(", in ");
		write_number(h->nr_calls - stand->since);
		write_text(h->nr_calls - stand->since == 1 ? " call" : " calls");
	}
	write_text(" (--stall-timeout)\n");
	supervised_reported();
	_exit(1);
}

/* Whether the policy used the time since the last look. Wall-clock time counts if one of its operations sleeps; if
 * the process waits for a processor, only processor time does. */
static bool is_at_work(const struct host *h, const struct stand *stand, bool is_clock, long nr_sleeps)
{
	if (is_clock)
		return h->op != HOST_NO_OP && nr_sleeps != stand->nr_sleeps;
	return h->op != HOST_NO_OP || h->nr_calls != stand->nr_calls;
}

/* Only what is safe in a signal handler. */
static void look(int signal)
{
	const struct host *h = host_current();
	struct stand *stand = signal == SIGPROF ? &by_processor : &by_clock;
	struct rusage usage = {0};
	getrusage(RUSAGE_SELF, &usage);
	if (!h) {
		stand->run = 0;
		return;
	}
	u64 timestep = h->now / h->timestep_ns;
	if (stand->run != h->number || stand->timestep != timestep ||
	    !is_at_work(h, stand, signal == SIGALRM, usage.ru_nvcsw)) {
		*stand = (struct stand){.run = h->number, .timestep = timestep, .since = h->nr_calls};
	} else {
		stand->nr_looks++;
		stand->nr_in_call = h->nr_calls == stand->nr_calls ? stand->nr_in_call + 1 : 0;
		/* An operation that has begun since gets its own time. */
		if (stand->nr_in_call == NR_LOOKS || (stand->nr_looks >= NR_LOOKS && stand->nr_in_call == 0))
			give_up(h, stand);
	}
	stand->nr_calls = h->nr_calls;
	stand->nr_sleeps = usage.ru_nvcsw;
}

/* The crashes that are reported, with their names. */
static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

enum { NR_CRASHES = ARRAY_SIZE(crashes) };

static struct sigaction before[NR_CRASHES];
static bool is_on, minds_exit;

/* A stack for the answer: the policy's own may have run over. */
static char own_stack[16384];

static void name_policy(const struct host *h, const char *what_it_does)
{
	write_text("sahm: error: policy '");
	write_name(h->ops->name);
	write_text("' ");
	write_text(what_it_does);
	write_text(" in ");
	write_text(host_op_name(h->op));
	write_text("\n");
	supervised_reported();
}

/* Names the operation that crashed, and raises the signal again for the previous handler. */
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

/* Looks NR_LOOKS times in this many seconds, of processor time and of wall-clock time; 0 stops. */
static void set_timers(unsigned seconds)
{
	const long long us = seconds * 1000000LL / NR_LOOKS;
	const struct timeval each = {us / 1000000, us % 1000000};
	const struct itimerval timer = {each, each};
	setitimer(ITIMER_PROF, &timer, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
}

void policy_guard_limit(unsigned seconds)
{
	limit_s = seconds;
}

void policy_guard_begin(void)
{
	struct sigaction action = {.sa_flags = SA_RESTART};
	action.sa_handler = look;
	sigemptyset(&action.sa_mask);
	by_processor = by_clock = (struct stand){0};
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
	set_timers(limit_s);
}

void policy_guard_fork(void)
{
	if (is_on)
		set_timers(limit_s);
}

void policy_guard_end(void)
{
	set_timers(0);
	signal(SIGPROF, SIG_DFL);
	signal(SIGALRM, SIG_DFL);
	for (int i = 0; i < NR_CRASHES; i++)
		sigaction(crashes[i], &before[i], NULL);
	is_on = false;
	const stack_t none = {.ss_flags = SS_DISABLE};
	sigaltstack(&none, NULL);
}
