#include "sim/cli/policy_guard.h"

#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "sched/host.h"

/* Between two looks; an operation is stuck when two in a row find it. */
#define LOOK_S 3

/* The call that the last look has found, 0: none. The handler's own. */
static volatile u64 found;

static void say(const char *text)
{
	ssize_t written = write(STDERR_FILENO, text, strlen(text));
	(void)written;
}

/* Only what is safe in a signal handler. */
static void look(int signal)
{
	const struct host *h = host_current();
	u64 under_way = h && h->op != HOST_NO_OP ? h->nr_calls : 0;
	(void)signal;
	if (under_way == 0 || under_way != found) {
		found = under_way;
		return;
	}
	say("sahm: error: policy '");
	say(h->ops->name);
	say("' hangs: it has not returned from ");
	say(host_op_name(h->op));
	say(" for more than 3 s\n");
	_exit(1);
}

/* What crashes are answered with, and what they were. */
static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

enum { NR_CRASHES = sizeof(crashes) / sizeof(crashes[0]) };

static struct sigaction before[NR_CRASHES];

/* A stack for the answer: the policy's own may have run over. */
static char own_stack[16384];

/* Names the operation in which it happened, and lets it happen again, to whoever saw to it before. */
static void name_crash(int signal)
{
	const struct host *h = host_current();
	if (h && h->op != HOST_NO_OP) {
		say("sahm: error: policy '");
		say(h->ops->name);
		say("' crashes in ");
		say(host_op_name(h->op));
		say("\n");
	}
	for (int i = 0; i < NR_CRASHES; i++)
		if (crashes[i] == signal)
			sigaction(signal, &before[i], NULL);
}

static void set_timer(time_t seconds)
{
	const struct itimerval every = {{seconds, 0}, {seconds, 0}};
	setitimer(ITIMER_PROF, &every, NULL);
}

void policy_guard_begin(void)
{
	struct sigaction action = {.sa_flags = SA_RESTART};
	action.sa_handler = look;
	sigemptyset(&action.sa_mask);
	found = 0;
	sigaction(SIGPROF, &action, NULL);
	const stack_t stack = {.ss_sp = own_stack, .ss_size = sizeof(own_stack)};
	sigaltstack(&stack, NULL);
	action.sa_handler = name_crash;
	action.sa_flags = SA_ONSTACK;
	for (int i = 0; i < NR_CRASHES; i++)
		sigaction(crashes[i], &action, &before[i]);
	set_timer(LOOK_S);
}

void policy_guard_end(void)
{
	set_timer(0);
	signal(SIGPROF, SIG_DFL);
	for (int i = 0; i < NR_CRASHES; i++)
		sigaction(crashes[i], &before[i], NULL);
	const stack_t none = {.ss_flags = SS_DISABLE};
	sigaltstack(&none, NULL);
}
