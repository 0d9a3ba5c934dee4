#include "sim/cli/supervisor.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sched/host/plugin.h"
#include "sim/base/array.h"
#include "sim/base/child_end.h"
#include "sim/base/hold.h"
#include "sim/cli/output.h"

#define PLUGIN_BYTES 512

/* What the child shows of itself, in memory that both see. */
struct shown {
	volatile sig_atomic_t is_told;
	bool is_ending;
	int exit_code;		   /* with which it is ending */
	char plugin[PLUGIN_BYTES]; /* that was loaded last */
};

/* NULL: this process is not supervised. */
static struct shown *shown;

/* The process in which the program began. */
static pid_t program;

/* Called in the child. */
static void (*begin_child)(void);

/* In the parent: whom signals are passed on to, and whether one has been. */
static pid_t child;
static volatile sig_atomic_t has_passed_on;

static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP};

static void pass_on(int signal)
{
	has_passed_on = 1;
	kill(child, signal);
}

void supervised_reported(void)
{
	if (shown)
		shown->is_told = 1;
}

void supervised_end(int exit_code)
{
	if (!shown)
		return;
	shown->exit_code = exit_code;
	shown->is_ending = true;
}

/* Whether this signal ended the child for a reason outside it, and not because the plug-in raised it. */
static bool is_from_outside(int signal)
{
	if (signal == SIGINT || signal == SIGTERM || signal == SIGHUP)
		return has_passed_on;
	return signal == SIGPIPE || signal == SIGQUIT;
}

static int report(int status)
{
	struct textbuf why;
	struct sahm_err err;
	if (WIFEXITED(status) && shown->is_ending && WEXITSTATUS(status) == shown->exit_code)
		return shown->exit_code;
	if (shown->is_told)
		return sahm_exit_code(SAHM_FORMAT);
	textbuf_init(&why);
	child_end_write(status, &why);
	sahm_fail(&err, SAHM_FORMAT, "plug-in '%s': %s", shown->plugin, why.text);
	print_error(&err);
	textbuf_release(&why);
	return sahm_exit_code(err.status);
}

/* Never returns. */
static void be_parent(const struct signal_hold *hold)
{
	struct sigaction action = {.sa_handler = pass_on, .sa_flags = SA_RESTART}, before;
	int status = 0;
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < ARRAY_SIZE(passed_on); i++)
		if (sigaction(passed_on[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
			sigaction(passed_on[i], &action, NULL);
	signal_hold_end(hold);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFSIGNALED(status) && is_from_outside(WTERMSIG(status))) {
		signal(WTERMSIG(status), SIG_DFL);
		raise(WTERMSIG(status));
	}
	_exit(report(status));
}

/* Returns in the child. */
static enum sahm_status divide(struct sahm_err *err)
{
	struct signal_hold hold;
	pid_t parent = getpid();
	signal_hold_begin(&hold);
	child = fork();
	int why = errno;
	if (child > 0)
		be_parent(&hold);
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(1);
		begin_child();
	}
	signal_hold_end(&hold);
	return child == 0 ? SAHM_OK : sahm_fail(err, SAHM_IO, "cannot fork: %s", strerror(why));
}

/* The plug-in at `path` is about to be loaded. */
static enum sahm_status supervise(const char *path, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	if (!shown && getpid() != program)
		return SAHM_OK;
	if (!shown) {
		void *shared = mmap(NULL, sizeof(*shown), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		if (shared == MAP_FAILED)
			return sahm_fail_nomem(err);
		shown = shared;
		status = divide(err);
	}
	if (status == SAHM_OK)
		snprintf(shown->plugin, sizeof(shown->plugin), "%s", path);
	return status;
}

void supervise_plugins(void (*in_child)(void))
{
	program = getpid();
	begin_child = in_child;
	sched_plugin_before_load(supervise);
}
