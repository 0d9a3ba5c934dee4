#include "workloads/bursts/rtapp.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/array.h"
#include "sim/base/file.h"
#include "sim/base/strtable.h"
#include "workloads/bursts/rtapp_internal.h"

#define NS_PER_US UINT64_C(1000)
#define MAX_NAME_BYTES 64u

struct reader {
	struct rtapp *w;
	struct arena *arena;
	struct strtable timers; /* name of one that threads could share: index of its task + 1 */
	uint64_t nr_events;	/* of all tasks, and times that phases are gone through */
	bool has_runtime;
	struct textbuf *ignored;
	struct sahm_err *err;
};

/* The bursts of a task in the making. */
struct making {
	struct burst *bursts;
	struct burst_end *ends;
	uint64_t nr, room;
	struct burst burst; /* under way, */
	struct burst_end end;
	bool has_pause; /* and about to end */
	const char *timers[MAX_BURST_TIMERS];
	uint8_t nr_timers;
};

/* Whether `name` is `key`, or `key` with digits after it. */
static bool is_key(const char *name, const char *key)
{
	size_t len = strlen(key);
	return strncmp(name, key, len) == 0 && name[len + strspn(name + len, "0123456789")] == '\0';
}

static bool is_one_of(const char *name, const char *const *keys)
{
	while (*keys && strcmp(name, *keys) != 0)
		keys++;
	return *keys != NULL;
}

static enum sahm_status read_integer(struct reader *r, const struct cfg_node *node, int64_t min, int64_t max,
				     int64_t *value)
{
	if (node->kind != CFG_INT || node->value.integer < min || node->value.integer > max)
		return cfg_fail(node, r->err, "'%s' must be a whole number from %" PRId64 " to %" PRId64, node->name,
				min, max);
	*value = node->value.integer;
	return SAHM_OK;
}

/* A time in us as ns. */
static enum sahm_status read_time(struct reader *r, const struct cfg_node *node, uint64_t *ns)
{
	int64_t us = 0;
	enum sahm_status status = read_integer(r, node, 0, (int64_t)(MAX_BURST_NS / NS_PER_US), &us);
	if (status == SAHM_OK)
		*ns = (uint64_t)us * NS_PER_US;
	return status;
}

static enum sahm_status count_event(struct reader *r, const struct cfg_node *node)
{
	return ++r->nr_events <= MAX_RTAPP_EVENTS
		       ? SAHM_OK
		       : cfg_fail(node, r->err, "more than %" PRIu64 " events, with the loops of phases written out",
				  MAX_RTAPP_EVENTS);
}

/* Bursts */

/* Ends the burst under way. */
static enum sahm_status end_burst(struct reader *r, const struct cfg_node *node, struct making *m)
{
	if (m->burst.run_ns > MAX_BURST_NS || m->burst.sleep_ns > MAX_BURST_NS)
		return cfg_fail(node, r->err, "events in a row add up to more than %g s",
				(double)MAX_BURST_NS / 1000000000);
	if (m->nr == m->room) {
		uint64_t room = m->room ? 2 * m->room : 16;
		struct burst *bursts = realloc(m->bursts, room * sizeof(*bursts));
		m->bursts = bursts ? bursts : m->bursts;
		struct burst_end *ends = bursts ? realloc(m->ends, room * sizeof(*ends)) : NULL;
		m->ends = ends ? ends : m->ends;
		if (!ends)
			return sahm_fail_nomem(r->err);
		m->room = room;
	}
	if (m->burst.run_ns < MIN_BURST_RUN_NS)
		m->burst.run_ns = MIN_BURST_RUN_NS;
	m->bursts[m->nr] = m->burst;
	m->ends[m->nr++] = m->end;
	m->burst = (struct burst){0, 0};
	m->end = (struct burst_end){0};
	m->has_pause = false;
	return SAHM_OK;
}

static enum sahm_status add_run(struct reader *r, const struct cfg_node *node, struct making *m)
{
	uint64_t ns = 0;
	enum sahm_status status = read_time(r, node, &ns);
	if (status == SAHM_OK && ns > 0 && m->has_pause)
		status = end_burst(r, node, m);
	m->burst.run_ns += ns;
	return status;
}

static enum sahm_status add_sleep(struct reader *r, const struct cfg_node *node, struct making *m)
{
	uint64_t ns = 0;
	enum sahm_status status = read_time(r, node, &ns);
	if (status == SAHM_OK && ns > 0 && (m->end.period_ns > 0 || m->end.yields))
		status = end_burst(r, node, m);
	m->burst.sleep_ns += ns;
	m->has_pause |= ns > 0;
	return status;
}

/* The number of the timer called `ref` among those of its task. */
static enum sahm_status find_timer(struct reader *r, const struct cfg_node *node, struct making *m, const char *ref,
				   uint8_t *number)
{
	const struct rtapp_task *task = &r->w->tasks[r->w->nr_tasks];
	bool is_unique = strncmp(ref, "unique", strlen("unique")) == 0;
	uint32_t *user = is_unique ? NULL : strtable_at(&r->timers, ref);
	if (!is_unique && !user)
		return sahm_fail_nomem(r->err);
	if (user && ((*user && *user != r->w->nr_tasks + 1) || task->nr_instances > 1))
		return cfg_fail(node, r->err,
				"the timer '%s' is shared by several threads, which is not supported: one whose name "
				"begins with \"unique\" is each thread's",
				ref);
	if (user)
		*user = r->w->nr_tasks + 1;
	for (*number = 0; *number < m->nr_timers; ++*number)
		if (strcmp(m->timers[*number], ref) == 0)
			return SAHM_OK;
	if (m->nr_timers == MAX_BURST_TIMERS)
		return cfg_fail(node, r->err, "more than %u timers in a task", MAX_BURST_TIMERS);
	m->timers[m->nr_timers++] = ref;
	return SAHM_OK;
}

static enum sahm_status add_timer(struct reader *r, const struct cfg_node *node, struct making *m)
{
	struct burst_end end = {0};
	const char *ref = NULL;
	enum sahm_status status = SAHM_OK;
	if (node->kind != CFG_GROUP)
		return cfg_fail(node, r->err, "'%s' must be an object with ref and period", node->name);
	for (const struct cfg_node *n = node->first; n && status == SAHM_OK; n = n->next) {
		if (strcmp(n->name, "ref") == 0 && n->kind == CFG_STRING)
			ref = n->value.string;
		else if (strcmp(n->name, "period") == 0)
			status = read_time(r, n, &end.period_ns);
		else if (strcmp(n->name, "mode") == 0 && n->kind == CFG_STRING &&
			 (strcmp(n->value.string, "absolute") == 0 || strcmp(n->value.string, "relative") == 0))
			end.is_absolute = n->value.string[0] == 'a';
		else
			status = cfg_fail(n, r->err, "'%s' of a timer is not supported, or has the wrong value",
					  n->name);
	}
	if (status == SAHM_OK && (!ref || end.period_ns == 0))
		return cfg_fail(node, r->err, "a timer needs ref and a period above 0");
	if (status == SAHM_OK)
		status = find_timer(r, node, m, ref, &end.timer);
	if (status == SAHM_OK && (m->end.period_ns > 0 || m->end.yields))
		status = end_burst(r, node, m);
	m->end = end;
	m->has_pause = true;
	return status;
}

static enum sahm_status add_yield(struct reader *r, const struct cfg_node *node, struct making *m)
{
	enum sahm_status status = m->has_pause ? end_burst(r, node, m) : SAHM_OK;
	m->end.yields = m->has_pause = true;
	return status;
}

static enum sahm_status add_event(struct reader *r, const struct cfg_node *node, struct making *m)
{
	enum sahm_status status = count_event(r, node);
	if (status != SAHM_OK)
		return status;
	if (is_key(node->name, "run"))
		return add_run(r, node, m);
	if (is_key(node->name, "runtime")) {
		r->has_runtime = true;
		return add_run(r, node, m);
	}
	if (is_key(node->name, "sleep"))
		return add_sleep(r, node, m);
	if (is_key(node->name, "timer"))
		return add_timer(r, node, m);
	if (is_key(node->name, "yield"))
		return add_yield(r, node, m);
	return cfg_fail(node, r->err,
			"'%s' of '%s' is not supported: events are run, runtime, sleep, timer and yield, properties "
			"instance, loop, delay, priority, policy, cpus and phases",
			node->name, node->parent->name);
}

/* Tasks */

static enum sahm_status read_cpus(struct reader *r, const struct cfg_node *node, struct rtapp_task *task)
{
	struct textbuf b;
	enum sahm_status status = SAHM_OK;
	if (node->kind != CFG_LIST || !node->first)
		return cfg_fail(node, r->err, "'cpus' must be a list of numbers: [0, 2]");
	textbuf_init(&b);
	for (const struct cfg_node *n = node->first; n && status == SAHM_OK; n = n->next) {
		if (n->kind != CFG_INT || n->value.integer < 0)
			status = cfg_fail(n, r->err, "'cpus' must be a list of numbers: [0, 2]");
		else
			textbuf_printf(&b, "%s%" PRId64, n == node->first ? "" : ",", n->value.integer);
	}
	task->cpus = node;
	task->cpu_list = textbuf_failed(&b) ? NULL : arena_strdup(r->arena, b.text);
	textbuf_release(&b);
	return status == SAHM_OK && !task->cpu_list ? sahm_fail_nomem(r->err) : status;
}

static enum sahm_status check_policy(struct reader *r, const struct cfg_node *node)
{
	if (node->kind == CFG_STRING && strcmp(node->value.string, "SCHED_OTHER") == 0)
		return SAHM_OK;
	return cfg_fail(node, r->err, "the policy '%s' is not supported: threads are SCHED_OTHER",
			node->kind == CFG_STRING ? node->value.string : "?");
}

/* Properties of a task, and of its phase where there is but one; *taken: `node` is one. */
static enum sahm_status read_property(struct reader *r, const struct cfg_node *node, struct rtapp_task *task,
				      bool *taken)
{
	int64_t value = 0;
	enum sahm_status status = SAHM_OK;
	*taken = true;
	if (strcmp(node->name, "priority") == 0) {
		status = read_integer(r, node, -20, 19, &value);
		task->nice = (int)value;
	} else if (strcmp(node->name, "policy") == 0) {
		status = check_policy(r, node);
	} else if (strcmp(node->name, "cpus") == 0) {
		status = read_cpus(r, node, task);
	} else if (strcmp(node->name, "taskgroup") == 0) {
		if (node->kind != CFG_STRING || *node->value.string)
			status = cfg_fail(node, r->err, "task groups are not supported");
	} else {
		*taken = false;
	}
	return status;
}

/* Properties of the task itself. A phase has `loop`, too. */
static enum sahm_status read_own_property(struct reader *r, const struct cfg_node *node, struct rtapp_task *task,
					  int64_t *loop, bool *taken)
{
	int64_t value = 0;
	enum sahm_status status;
	*taken = true;
	if (strcmp(node->name, "loop") == 0)
		return read_integer(r, node, -1, INT32_MAX, loop);
	if (strcmp(node->name, "instance") == 0) {
		status = read_integer(r, node, 0, MAX_RTAPP_THREADS, &value);
		task->nr_instances = (uint32_t)value;
		return status;
	}
	if (strcmp(node->name, "delay") == 0) {
		status = read_integer(r, node, 0, (int64_t)(MAX_BURST_NS / NS_PER_US), &value);
		task->delay_us = (uint64_t)value;
		return status;
	}
	return read_property(r, node, task, taken);
}

/* Events of a task without phases, or of a phase, once. */
static enum sahm_status read_events(struct reader *r, const struct cfg_node *group, struct making *m)
{
	static const char *const properties[] = {"loop", "instance", "delay",	  "priority", "policy",
						 "cpus", "phases",   "taskgroup", NULL};
	enum sahm_status status = SAHM_OK;
	for (const struct cfg_node *n = group->first; n && status == SAHM_OK; n = n->next)
		if (!is_one_of(n->name, properties))
			status = add_event(r, n, m);
	return status;
}

/* The loop of a phase, whose other properties hold where it is the only one. */
static enum sahm_status read_phase_properties(struct reader *r, const struct cfg_node *phase, struct rtapp_task *task,
					      bool is_only, int64_t *loop)
{
	static const char *const of_tasks[] = {"instance", "delay", "phases", NULL};
	bool taken = false;
	enum sahm_status status = SAHM_OK;
	*loop = 1;
	if (phase->kind != CFG_GROUP)
		return cfg_fail(phase, r->err, "the phase '%s' must be an object", phase->name);
	for (const struct cfg_node *n = phase->first; n && status == SAHM_OK; n = n->next) {
		if (strcmp(n->name, "loop") == 0) {
			status = read_integer(r, n, is_only ? -1 : 1, INT32_MAX, loop);
			continue;
		}
		status = read_property(r, n, task, &taken);
		if (status == SAHM_OK && taken && !is_only && strcmp(n->name, "policy") != 0)
			status = cfg_fail(n, r->err, "'%s' of one phase of several is not supported", n->name);
		else if (status == SAHM_OK && is_one_of(n->name, of_tasks))
			status = cfg_fail(n, r->err, "'%s' belongs to a task, not to a phase", n->name);
	}
	return status;
}

/* Phases, with their loops written out; that of the only one multiplies *loop, the task's. */
static enum sahm_status read_phases(struct reader *r, const struct cfg_node *phases, struct rtapp_task *task,
				    struct making *m, int64_t *loop)
{
	enum sahm_status status = SAHM_OK;
	if (phases->kind != CFG_GROUP || !phases->first)
		return cfg_fail(phases, r->err, "'phases' must be an object with phases");
	for (const struct cfg_node *n = phases->first; n && status == SAHM_OK; n = n->next) {
		int64_t times = 1;
		bool is_only = phases->nr_children == 1;
		status = read_phase_properties(r, n, task, is_only, &times);
		if (is_only && status == SAHM_OK) {
			*loop = times == -1 || *loop == -1 ? -1 : *loop * times;
			times = 1;
			if (*loop > MAX_RTAPP_LOOPS)
				return cfg_fail(n, r->err, "the loops of task and phase make more than %" PRId64,
						MAX_RTAPP_LOOPS);
		}
		for (int64_t i = 0; i < times && status == SAHM_OK; i++) {
			status = count_event(r, n);
			if (status == SAHM_OK)
				status = read_events(r, n, m);
		}
	}
	return status;
}

static enum sahm_status finish_task(struct reader *r, struct rtapp_task *task, struct making *m, int64_t loop)
{
	enum sahm_status status = SAHM_OK;
	if (m->has_pause || m->burst.run_ns > 0)
		status = end_burst(r, task->node, m);
	if (status != SAHM_OK)
		return status;
	if (m->nr == 0 || loop == 0)
		return cfg_fail(task->node, r->err, "the task '%s' does nothing", task->name);
	/* What runs without a pause has no rounds. */
	if (m->nr == 1 && loop == -1 && m->bursts[0].sleep_ns == 0 && m->ends[0].period_ns == 0 && !m->ends[0].yields)
		m->bursts[0].run_ns = MAX_BURST_NS;
	struct burst *bursts = arena_alloc(r->arena, m->nr, sizeof(*bursts));
	struct burst_end *ends = arena_alloc(r->arena, m->nr, sizeof(*ends));
	if (!bursts || !ends)
		return sahm_fail_nomem(r->err);
	memcpy(bursts, m->bursts, m->nr * sizeof(*bursts));
	memcpy(ends, m->ends, m->nr * sizeof(*ends));
	task->bursts = (struct burst_model){
		.list = bursts, .nr = m->nr, .ends = ends, .nr_rounds = loop == -1 ? 0 : (uint64_t)loop};
	return SAHM_OK;
}

static enum sahm_status read_task(struct reader *r, const struct cfg_node *node)
{
	struct rtapp_task *task = &r->w->tasks[r->w->nr_tasks];
	const struct cfg_node *phases = NULL, *event = NULL;
	struct making m = {0};
	int64_t loop = -1;
	bool taken;
	enum sahm_status status = SAHM_OK;
	if (node->kind != CFG_GROUP)
		return cfg_fail(node, r->err, "the task '%s' must be an object", node->name);
	if (!*node->name || strlen(node->name) > MAX_NAME_BYTES)
		return cfg_fail(node, r->err, "the name of a task must have from 1 to %u bytes", MAX_NAME_BYTES);
	*task = (struct rtapp_task){.name = node->name, .node = node, .nr_instances = 1};
	for (const struct cfg_node *n = node->first; n && status == SAHM_OK; n = n->next) {
		if (strcmp(n->name, "phases") == 0) {
			phases = n;
			continue;
		}
		status = read_own_property(r, n, task, &loop, &taken);
		if (!taken && !event)
			event = n;
	}
	if (status == SAHM_OK && phases && event)
		return cfg_fail(event, r->err, "'%s' stands beside phases: it belongs into one of them", event->name);
	if (status == SAHM_OK)
		status = phases ? read_phases(r, phases, task, &m, &loop) : read_events(r, node, &m);
	if (status == SAHM_OK)
		status = finish_task(r, task, &m, loop);
	free(m.bursts);
	free(m.ends);
	if (status != SAHM_OK)
		return status;
	r->w->nr_threads += task->nr_instances;
	r->w->nr_tasks++;
	return r->w->nr_threads <= MAX_RTAPP_THREADS
		       ? SAHM_OK
		       : cfg_fail(node, r->err, "more than %u threads", MAX_RTAPP_THREADS);
}

/* The whole */

static enum sahm_status read_global(struct reader *r, const struct cfg_node *node)
{
	static const char *const harmless[] = {
		"calibration", "pi_enabled", "lock_pages", "logdir",	      "log_basename",	  "log_size", "logsize",
		"ftrace",      "gnuplot",    "io_device",  "mem_buffer_size", "cumulative_slack", "frag",     NULL};
	int64_t value = 0;
	enum sahm_status status = SAHM_OK;
	if (node->kind != CFG_GROUP)
		return cfg_fail(node, r->err, "'global' must be an object");
	for (const struct cfg_node *n = node->first; n && status == SAHM_OK; n = n->next) {
		if (strcmp(n->name, "duration") == 0) {
			status = read_integer(r, n, -1, 1000000, &value);
			r->w->duration_s = value > 0 ? (uint64_t)value : 0;
		} else if (strcmp(n->name, "default_policy") == 0) {
			status = check_policy(r, n);
		} else if (is_one_of(n->name, harmless)) {
			textbuf_printf(r->ignored, "%s%s", r->ignored->len ? ", " : "", n->name);
		} else {
			status = cfg_fail(n, r->err, "global '%s' is not supported", n->name);
		}
	}
	return status;
}

static enum sahm_status read_root(struct reader *r, const struct cfg_node *root)
{
	const struct cfg_node *tasks = NULL;
	enum sahm_status status = SAHM_OK;
	for (const struct cfg_node *n = root->first; n && status == SAHM_OK; n = n->next) {
		if (strcmp(n->name, "tasks") == 0 && !tasks)
			tasks = n;
		else if (strcmp(n->name, "global") == 0)
			status = read_global(r, n);
		else if (strcmp(n->name, "resources") != 0)
			status = cfg_fail(n, r->err, "'%s' is not supported: there are tasks, global and resources",
					  n->name);
	}
	if (status == SAHM_OK && (!tasks || tasks->kind != CFG_GROUP || !tasks->first))
		return cfg_fail(tasks ? tasks : root, r->err, "not a workload of rt-app: it has no tasks");
	if (status != SAHM_OK)
		return status;
	r->w->tasks = arena_alloc(r->arena, tasks->nr_children, sizeof(*r->w->tasks));
	if (!r->w->tasks)
		return sahm_fail_nomem(r->err);
	for (const struct cfg_node *n = tasks->first; n && status == SAHM_OK; n = n->next)
		status = read_task(r, n);
	if (status == SAHM_OK && r->w->nr_threads == 0)
		return cfg_fail(tasks, r->err, "no task has an instance");
	return status;
}

enum sahm_status rtapp_read_text(struct rtapp *w, struct arena *a, const char *file, const char *text, size_t len,
				 struct textbuf *notes, struct sahm_err *err)
{
	struct cfg_node *root = NULL;
	struct textbuf ignored;
	struct reader r = {.w = w, .arena = a, .ignored = &ignored, .err = err};
	*w = (struct rtapp){0};
	textbuf_init(&ignored);
	strtable_init(&r.timers, a);
	enum sahm_status status = rtapp_parse(a, file, text, len, &root, err);
	if (status == SAHM_OK)
		status = read_root(&r, root);
	if (status == SAHM_OK && textbuf_failed(&ignored))
		status = sahm_fail_nomem(err);
	if (status == SAHM_OK && notes && ignored.len)
		textbuf_printf(notes, "%s: no effect here have %s\n", file, ignored.text);
	if (status == SAHM_OK && notes && r.has_runtime)
		textbuf_printf(notes, "%s: runtime is taken as run, baseline time on whichever core\n", file);
	textbuf_release(&ignored);
	return status;
}

enum sahm_status rtapp_read(struct rtapp *w, struct arena *a, const char *path, struct textbuf *notes,
			    struct sahm_err *err)
{
	char *text = NULL;
	size_t len;
	enum sahm_status status = file_read(path, MAX_RTAPP_BYTES, &text, &len, err);
	if (status == SAHM_OK)
		status = rtapp_read_text(w, a, path, text, len, notes, err);
	free(text);
	return status;
}

void rtapp_hash(const struct rtapp *w, uint8_t hash[HASH_BYTES])
{
	struct hash h;
	hash_init(&h);
	hash_add_string(&h, "sahm rt-app 1");
	hash_add_u64(&h, w->nr_tasks);
	for (uint32_t t = 0; t < w->nr_tasks; t++) {
		const struct rtapp_task *task = &w->tasks[t];
		const struct burst_model *m = &task->bursts;
		hash_add_u64(&h, task->nr_instances);
		hash_add_u64(&h, task->delay_us);
		hash_add_u64(&h, m->nr_rounds);
		hash_add_u64(&h, m->nr);
		for (uint64_t i = 0; i < m->nr; i++) {
			hash_add_u64(&h, m->list[i].run_ns);
			hash_add_u64(&h, m->list[i].sleep_ns);
			hash_add_u64(&h, m->ends[i].period_ns);
			hash_add_u64(&h, m->ends[i].timer);
			hash_add_u64(&h, (uint64_t)m->ends[i].is_absolute << 1 | m->ends[i].yields);
		}
	}
	hash_end(&h, hash);
}
