/* sahm worker */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/base/array.h"
#include "sim/base/units.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/output.h"
#include "sim/cli/policy_guard.h"
#include "sim/cli/redis_request.h"
#include "sim/cli/sweep_progress.h"
#include "sim/queue/file_cache.h"
#include "sim/queue/queue_worker.h"
#include "sim/sweep/pool.h"

#define DEFAULT_CACHE_MB 4096u
#define MAX_CACHE_MB (UINT64_C(1) << 30)
#define DEFAULT_GRACE_S 60u
#define DEFAULT_TIMEOUT_S 86400u
#define DEFAULT_MEMORY_BYTES (UINT64_C(16) << 30)

struct request {
	struct redis_request redis;
	struct queue_worker_options worker;
	struct option_list plugins;
	uint64_t cache_mb;
	struct textbuf default_cache;
	char trust[PATH_MAX];
	bool quiet;
	uint32_t stall_timeout_s;
};

/* From any folder the same. */
static enum sahm_status take_trust(void *request, struct option_walk *w, struct sahm_err *err)
{
	struct request *r = request;
	if (!realpath(w->value, r->trust))
		return sahm_fail(err, SAHM_USAGE, "there is no trust file '%s'", w->value);
	r->worker.trust = r->trust;
	return SAHM_OK;
}

static enum sahm_status refuse_operand(void *to, struct option_walk *w, struct sahm_err *err)
{
	(void)to;
	return sahm_fail(err, SAHM_USAGE, "a worker takes no operand: '%s'", w->value);
}

static const struct option_row options[] = {
	{REDIS_OPTION},
	{QUEUE_OPTION},
	{JOBS_OPTION("processes that run at once; without it as many as there are processors", worker.nr_processes)},
	{"cache", 0, "FOLDER",
	 "folder for files that came through the queue, shared by all workers of this machine (sahm "
	 "in $XDG_CACHE_HOME or in ~/.cache)",
	 OPTION_STRING, AT(const char *, worker.cache), .written = true},
	{"cache-mb", 0, "N", "maximum size of that folder (4096)", OPTION_WHOLE, AT(uint64_t, cache_mb), .least = 1,
	 .most = MAX_CACHE_MB, .preset = DEFAULT_CACHE_MB},
	{"plugin", 0, "FILE", "a policy that runs may use (code does not come through the queue); can be repeated",
	 OPTION_LIST, AT(struct option_list, plugins)},
	{"trust", 0, "FILE", "run only IPU programs that this file trusts (docs/signing.md); without it all are run",
	 OPTION_TAKE, .take = take_trust},
	{"any-program", 0, NULL,
	 "also take runs that another version of sahm planned; the results may differ from that "
	 "version's",
	 OPTION_FLAG, AT(bool, worker.any_program)},
	{"timeout", 0, "SECONDS",
	 "a run that takes longer has failed here (86400, a day). A sweep can set a lower limit for "
	 "its runs, not a higher one",
	 OPTION_WHOLE, AT(unsigned, worker.timeout_s), .least = 1, .most = MAX_TIMEOUT_S, .preset = DEFAULT_TIMEOUT_S},
	{STALL_TIMEOUT_OPTION},
	{MEMORY_OPTION("(16G). A sweep can set a lower limit for its runs, not a higher one", worker.memory_bytes),
	 .preset = DEFAULT_MEMORY_BYTES},
	{"idle", 0, "SECONDS", "end after this long without a run (never)", OPTION_WHOLE, AT(unsigned, worker.idle_s),
	 .least = 1, .most = MAX_TIMEOUT_S},
	{"grace", 0, "SECONDS",
	 "after SIGTERM or SIGINT, end within this time, at least 2 seconds: runs may continue until "
	 "2 seconds before the end, then they are handed back (60)",
	 OPTION_WHOLE, AT(unsigned, worker.grace_s), .most = MAX_TIMEOUT_S, .preset = DEFAULT_GRACE_S},
	{CLAIM_OPTION},
	{QUIET_OPTION("say nothing but errors")},
	{TAKE_OPERANDS(refuse_operand)},
};

/* The handler's own: how often the worker was asked to end, and by what at last. */
static volatile sig_atomic_t nr_asked, last_signal;

static void note_signal(int signal)
{
	nr_asked++;
	last_signal = signal;
}

static void check_signals(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action = {.sa_handler = note_signal};
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		sigaction(signals[i], &action, NULL);
}

/* In a process: the parent handles the signals that end the worker. */
static void begin_process(void)
{
	struct sigaction action = {.sa_handler = SIG_DFL};
	sigemptyset(&action.sa_mask);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	policy_guard_begin();
}

static enum worker_stop stop(void *ctx)
{
	(void)ctx;
	return nr_asked == 0 ? WORKER_GO_ON : nr_asked == 1 ? WORKER_FINISH : WORKER_DROP;
}

static void report(void *ctx, const char *text)
{
	const struct request *r = ctx;
	if (!r->quiet)
		print_remark("sahm: worker: %s", text);
}

/* Nobody has named it, and may know that another can be. */
static enum sahm_status check_default_cache(const struct request *r, struct sahm_err *err)
{
	struct file_cache *cache;
	struct sahm_err cause;
	enum sahm_status status = file_cache_open(&cache, r->worker.cache, r->worker.cache_bytes, &cause);
	if (status == SAHM_OK)
		file_cache_free(cache);
	return status == SAHM_OK ? SAHM_OK : sahm_fail(err, status, "%s; --cache names another", cause.msg);
}

static enum sahm_status check(struct request *r, struct sahm_err *err)
{
	const bool is_named = r->worker.cache && *r->worker.cache;
	if (!is_named)
		file_cache_default(&r->default_cache);
	if (textbuf_failed(&r->default_cache))
		return sahm_fail_nomem(err);
	if (!is_named && r->default_cache.len == 0)
		return sahm_fail(err, SAHM_USAGE,
				 "there is neither $XDG_CACHE_HOME nor $HOME: --cache says where files go");
	if (!is_named)
		r->worker.cache = r->default_cache.text;
	r->worker.cache_bytes = r->cache_mb << 20;
	r->worker.plugins = r->plugins.items;
	r->worker.nr_plugins = r->plugins.nr;
	enum sahm_status status = redis_request_options(&r->redis, &r->worker.queue, err);
	return status == SAHM_OK && !is_named ? check_default_cache(r, err) : status;
}

static void conclude(const struct request *r, const struct queue_worker_outcome *o)
{
	struct textbuf out;
	textbuf_init(&out);
	write_count(o->done, &out);
	textbuf_puts(&out, o->done == 1 ? " run done" : " runs done");
	if (o->failed) {
		textbuf_puts(&out, ", ");
		write_count(o->failed, &out);
		textbuf_puts(&out, o->failed == 1 ? " failed delivery" : " failed deliveries");
	}
	if (o->handed_back) {
		textbuf_puts(&out, ", ");
		write_count(o->handed_back, &out);
		textbuf_puts(&out, " handed back");
	}
	textbuf_puts(&out, " in ");
	write_duration((double)o->elapsed_ns / (double)NS_PER_S, &out);
	if (!r->quiet && !textbuf_failed(&out))
		print_line("%s", out.text);
	textbuf_release(&out);
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {.worker = {.nr_processes = pool_nr_processors(),
				       .process_begin = begin_process,
				       .stop = stop,
				       .report = report,
				       .ctx = &r}};
	struct queue_worker_outcome outcome;
	textbuf_init(&r.default_cache);
	enum sahm_status status = options_parse(options, args, &r, err);
	policy_guard_limit(r.stall_timeout_s);
	if (status == SAHM_OK)
		status = check(&r, err);
	if (status == SAHM_OK) {
		check_signals();
		status = queue_work(&r.worker, &outcome, err);
	}
	if (status == SAHM_OK)
		conclude(&r, &outcome);
	textbuf_release(&r.default_cache);
	free(r.plugins.items);
	return status;
}

extern const struct command command_worker;
const struct command command_worker = {
	.name = "worker",
	.operands = "",
	.summary = "carry out runs from a queue",
	.details = "Takes runs from a queue in Redis, where `sahm sweep --redis` puts them, carries them out in "
		   "several processes, and returns the results. The files that runs need come through the "
		   "queue, identified by the hashes of their contents: a worker needs no shared disk. It takes "
		   "only runs of its own version of sahm.\n"
		   "SIGTERM or SIGINT ends the worker: it finishes the runs in progress and returns the rest; a "
		   "second signal ends it immediately. If a worker is lost, others take over its runs when its "
		   "claim expires. A run whose worker was lost three times is given up and reported as a "
		   "failure.\n"
		   "If the server goes away, the worker waits until it is back.",
	.options = options,
	.run = run,
};
