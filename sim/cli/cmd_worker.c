/* sahm worker */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/base/units.h"
#include "sim/cli/command.h"
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

enum {
	OPT_REDIS,
	OPT_QUEUE,
	OPT_JOBS,
	OPT_CACHE,
	OPT_CACHE_MB,
	OPT_PLUGIN,
	OPT_TRUST,
	OPT_ANY_PROGRAM,
	OPT_IDLE,
	OPT_GRACE,
	OPT_CLAIM,
	OPT_QUIET
};

static const struct option_row options[] = {
	[OPT_REDIS] = REDIS_OPTION,
	[OPT_QUEUE] = QUEUE_OPTION,
	[OPT_JOBS] = {"jobs", 'j', "N", "processes that run at once; without it as many as there are processors"},
	[OPT_CACHE] = {"cache", 0, "FOLDER",
		       "where files that came through the queue are kept, for all workers of this machine; without it "
		       "sahm in $XDG_CACHE_HOME or in ~/.cache"},
	[OPT_CACHE_MB] = {"cache-mb", 0, "N", "most that it may hold; without it 4096"},
	[OPT_PLUGIN] = {"plugin", 0, "FILE",
			"a policy that runs may use: code does not come through the queue; can be repeated"},
	[OPT_TRUST] = {"trust", 0, "FILE",
		       "run only programs for IPUs that this file trusts (docs/signing.md); without it all are run"},
	[OPT_ANY_PROGRAM] = {"any-program", 0, NULL,
			     "also take runs that another version of sahm planned: results may differ from what that "
			     "would give"},
	[OPT_IDLE] = {"idle", 0, "SECONDS", "end after so long without a run; without it the worker waits for ever"},
	[OPT_GRACE] = {"grace", 0, "SECONDS",
		       "how long runs under way may still take once it is to end (SIGTERM, SIGINT); without it 60. The "
		       "rest is handed back"},
	[OPT_CLAIM] = CLAIM_OPTION,
	[OPT_QUIET] = {"quiet", 'q', NULL, "say nothing but errors"},
	{0},
};

/* The handler's own: how often the worker was asked to end, and by what at last. */
static volatile sig_atomic_t nr_asked, last_signal;

static void note_signal(int signal)
{
	nr_asked++;
	last_signal = signal;
}

static void mind_signals(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action = {.sa_handler = note_signal};
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], &action, NULL);
}

/* In a process: what ends the worker is for the worker. */
static void begin_process(void)
{
	struct sigaction action = {.sa_handler = SIG_DFL};
	sigemptyset(&action.sa_mask);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	policy_guard_begin();
}

struct request {
	struct redis_request redis;
	struct queue_worker_options worker;
	const char **plugins;
	struct textbuf cache;
	char trust[PATH_MAX];
	bool quiet;
};

static enum worker_stop stop(void *ctx)
{
	(void)ctx;
	return nr_asked == 0 ? WORKER_GO_ON : nr_asked == 1 ? WORKER_FINISH : WORKER_DROP;
}

static void say(void *ctx, const char *text)
{
	const struct request *r = ctx;
	if (!r->quiet)
		fprintf(stderr, "sahm: worker: %s\n", text);
}

static enum sahm_status take_whole(const char *name, const char *value, uint64_t least, uint64_t most, unsigned *number,
				   struct sahm_err *err)
{
	uint64_t whole = 0;
	enum sahm_status status = read_whole(name, value, least, most, &whole, err);
	if (status == SAHM_OK)
		*number = (unsigned)whole;
	return status;
}

/* From any folder the same. */
static enum sahm_status take_trust(struct request *r, const char *value, struct sahm_err *err)
{
	if (!realpath(value, r->trust))
		return sahm_fail(err, SAHM_USAGE, "there is no trust file '%s'", value);
	r->worker.trust = r->trust;
	return SAHM_OK;
}

static enum sahm_status take_option(struct request *r, int option, const char *value, struct sahm_err *err)
{
	struct queue_worker_options *w = &r->worker;
	unsigned number = 0;
	enum sahm_status status;
	switch (option) {
	case OPTION_OPERAND:
		return sahm_fail(err, SAHM_USAGE, "a worker takes no operand: '%s'", value);
	case OPT_REDIS:
		r->redis.url = value;
		return SAHM_OK;
	case OPT_QUEUE:
		r->redis.queue = value;
		return SAHM_OK;
	case OPT_JOBS:
		return take_whole("jobs", value, 1, MAX_POOL_WORKERS, &w->nr_processes, err);
	case OPT_CACHE:
		textbuf_puts(&r->cache, value);
		return SAHM_OK;
	case OPT_CACHE_MB:
		status = take_whole("cache-mb", value, 1, MAX_CACHE_MB, &number, err);
		w->cache_bytes = (uint64_t)number << 20;
		return status;
	case OPT_PLUGIN:
		r->plugins[w->nr_plugins++] = value;
		return SAHM_OK;
	case OPT_TRUST:
		return take_trust(r, value, err);
	case OPT_ANY_PROGRAM:
		w->any_program = true;
		return SAHM_OK;
	case OPT_IDLE:
		return take_whole("idle", value, 1, MAX_TIMEOUT_S, &w->idle_s, err);
	case OPT_GRACE:
		return take_whole("grace", value, 0, MAX_TIMEOUT_S, &w->grace_s, err);
	case OPT_CLAIM:
		return redis_request_claim(&r->redis, value, err);
	default:
		r->quiet = true;
		return SAHM_OK;
	}
}

/* Nobody has named it, and may know that another can be. */
static enum sahm_status check_default_cache(const struct request *r, struct sahm_err *err)
{
	struct file_cache *cache;
	struct sahm_err cause;
	enum sahm_status status = file_cache_open(&cache, r->cache.text, r->worker.cache_bytes, &cause);
	if (status == SAHM_OK)
		file_cache_free(cache);
	return status == SAHM_OK ? SAHM_OK : sahm_fail(err, status, "%s; --cache names another", cause.msg);
}

static enum sahm_status parse(char **args, struct request *r, struct sahm_err *err)
{
	struct option_walk w;
	int option;
	option_walk_init(&w, options, args);
	while ((option = option_walk_next(&w, err)) != OPTION_END) {
		if (option == OPTION_ERROR)
			return SAHM_USAGE;
		enum sahm_status status = take_option(r, option, w.value, err);
		if (status != SAHM_OK)
			return status;
	}
	const bool is_named = r->cache.len > 0;
	if (!is_named)
		file_cache_default(&r->cache);
	if (textbuf_failed(&r->cache))
		return sahm_fail_nomem(err);
	if (r->cache.len == 0)
		return sahm_fail(err, SAHM_USAGE,
				 "there is neither $XDG_CACHE_HOME nor $HOME: --cache says where files go");
	r->worker.cache = r->cache.text;
	r->worker.plugins = r->plugins;
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
		printf("%s\n", out.text);
	textbuf_release(&out);
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {.worker = {.nr_processes = pool_nr_processors(),
				       .cache_bytes = (uint64_t)DEFAULT_CACHE_MB << 20,
				       .grace_s = DEFAULT_GRACE_S,
				       .process_begin = begin_process,
				       .stop = stop,
				       .say = say,
				       .ctx = &r}};
	struct queue_worker_outcome outcome;
	size_t nr_args = 0;
	while (args[nr_args])
		nr_args++;
	textbuf_init(&r.cache);
	r.plugins = calloc(nr_args + 1, sizeof(*r.plugins));
	enum sahm_status status = r.plugins ? parse(args, &r, err) : sahm_fail_nomem(err);
	if (status == SAHM_OK) {
		mind_signals();
		status = queue_work(&r.worker, &outcome, err);
	}
	if (status == SAHM_OK)
		conclude(&r, &outcome);
	textbuf_release(&r.cache);
	free(r.plugins);
	return status;
}

extern const struct command command_worker;
const struct command command_worker = {
	.name = "worker",
	.operands = "",
	.summary = "carry out runs of sweeps that others have put into a queue",
	.details = "Takes runs from a queue in Redis, where `sahm sweep --redis` puts them, carries them out in "
		   "several processes, "
		   "and puts results back (docs/queue.md). Files that runs need come through the queue, too, by the "
		   "hashes "
		   "of their contents: a worker needs no disk of whoever submits. It takes runs of its own version of "
		   "sahm alone.\n"
		   "SIGTERM or SIGINT end it: runs under way are finished, the rest is handed back; the second one "
		   "ends it at "
		   "once. Runs of a worker that is lost are taken by others when its claim is over; a run whose worker "
		   "was lost "
		   "three times is given up, and shows as a failure with its error.\n"
		   "It waits out servers that go away, and goes on when they are back.",
	.options = options,
	.run = run,
};
