/* Threads of a workload of rt-app: as if its tasks were in the list of traces, with bursts that only they can have. */
#include "workloads/bursts/rtapp.h"

#include "sim/base/units.h"
#include "sim/engine/config/run_config_internal.h"

/* Puts a value into the group of a task, on the line of `at`. NULL when memory is short. */
static struct cfg_node *put(struct reading *r, struct cfg_node *parent, const struct cfg_node *at, enum cfg_kind kind,
			    const char *name)
{
	struct cfg_node *node = arena_alloc(&r->config->arena, 1, sizeof(*node));
	if (!node)
		return NULL;
	*node = (struct cfg_node){.kind = kind, .name = name, .file = at->file, .line = at->line};
	if (parent)
		cfg_put(parent, node);
	return node;
}

/* A task as a group of the list of traces. False when memory is short. */
static bool put_task(struct reading *r, struct cfg_node *list, const struct rtapp_task *task)
{
	struct cfg_node *group = put(r, list, task->node, CFG_GROUP, NULL);
	struct cfg_node *file = group ? put(r, group, task->node, CFG_STRING, config_key_leaf(KEY_TRACE_FILE)) : NULL;
	struct cfg_node *nice = file ? put(r, group, task->node, CFG_INT, config_key_leaf(KEY_TRACE_NICE)) : NULL;
	struct cfg_node *arrive = nice ? put(r, group, task->node, CFG_ARRAY, config_key_leaf(KEY_TRACE_ARRIVE)) : NULL;
	if (!arrive)
		return false;
	file->value.string = r->config->rtapp_trace;
	nice->value.integer = task->nice;
	for (uint32_t i = 0; i < task->nr_instances; i++) {
		struct cfg_node *ms = put(r, arrive, task->node, CFG_FLOAT, NULL);
		if (!ms)
			return false;
		ms->value.real = (double)task->delay_us / 1000;
	}
	if (!task->cpus)
		return true;
	struct cfg_node *affinity = put(r, group, task->cpus, CFG_STRING, config_key_leaf(KEY_TRACE_AFFINITY));
	if (affinity)
		affinity->value.string = task->cpu_list;
	return affinity != NULL;
}

static enum sahm_status check_cpus(struct reading *r, const struct rtapp_task *task)
{
	uint32_t nr_cores = r->config->chip.nr_cores;
	for (const struct cfg_node *n = task->cpus ? task->cpus->first : NULL; n; n = n->next)
		if (n->value.integer >= nr_cores)
			return cfg_fail(n, r->err, "'%s' has no CPU %lld: the chip has cores 0 to %u", task->name,
					(long long)n->value.integer, nr_cores - 1);
	return SAHM_OK;
}

enum sahm_status reading_rtapp(struct reading *r, const struct cfg_node *workload, const struct cfg_node **traces)
{
	struct run_config *config = r->config;
	const struct cfg_node *file = cfg_member(workload, &config_keys[KEY_RTAPP]);
	const struct cfg_node *trace = cfg_member(workload, &config_keys[KEY_RTAPP_TRACE]);
	if (!file && trace)
		return cfg_fail(trace, r->err, "'%s' has no effect without rtapp", trace->name);
	if (!file)
		return SAHM_OK;
	if (*traces)
		return cfg_fail(file, r->err, "rtapp and traces together: either makes the threads");
	enum sahm_status status = reading_find_data(r, file, "rt-app workload", file->value.string, &config->rtapp);
	if (status == SAHM_OK)
		status = reading_find_trace(r, trace ? trace : file,
					    cfg_string(workload, &config_keys[KEY_RTAPP_TRACE]), &config->rtapp_trace);
	if (status != SAHM_OK)
		return status;
	r->rtapp = arena_alloc(&config->arena, 1, sizeof(*r->rtapp));
	struct cfg_node *list = put(r, NULL, file, CFG_LIST, config_key_leaf(KEY_TRACES));
	if (!r->rtapp || !list)
		return sahm_fail_nomem(r->err);
	status = rtapp_read(r->rtapp, &config->arena, config->rtapp, &config->notes, r->err);
	for (uint32_t t = 0; t < r->rtapp->nr_tasks && status == SAHM_OK; t++) {
		const struct rtapp_task *task = &r->rtapp->tasks[t];
		status = check_cpus(r, task);
		if (status == SAHM_OK && task->nr_instances > 0 && !put_task(r, list, task))
			status = sahm_fail_nomem(r->err);
	}
	*traces = list;
	return status;
}

/* The task's name, with "#<n>" where that is taken: workgen lets names repeat. */
static enum sahm_status name_instance(struct reading *r, const struct rtapp_task *task, struct run_thread *th)
{
	struct textbuf b;
	textbuf_init(&b);
	textbuf_printf(&b, "rt-app %s", task->name);
	uint32_t *nr_called_so = textbuf_failed(&b) ? NULL : strtable_at(&r->names, b.text);
	textbuf_release(&b);
	textbuf_puts(&b, task->name);
	if (nr_called_so && ++*nr_called_so > 1)
		textbuf_printf(&b, "#%u", *nr_called_so);
	th->name = textbuf_keep(&b, &r->config->arena);
	return nr_called_so && th->name ? SAHM_OK : sahm_fail_nomem(r->err);
}

enum sahm_status reading_rtapp_threads(struct reading *r)
{
	struct run_config *config = r->config;
	struct run_thread *th = config->threads;
	enum sahm_status status = SAHM_OK;
	if (!r->rtapp)
		return SAHM_OK;
	if (config->duration_ns == 0)
		config->duration_ns = r->rtapp->duration_s * NS_PER_S;
	if (config->duration_ns == 0)
		return sahm_fail_at(r->err, SAHM_CONFIG, config->rtapp, 0,
				    "it has no duration (global.duration, in s): workload.duration_ms must be given");
	struct run_bursts *file = arena_alloc(&config->arena, 1, sizeof(*file));
	if (!file)
		return sahm_fail_nomem(r->err);
	file->path = config->rtapp;
	rtapp_hash(r->rtapp, file->hash);
	for (uint32_t t = 0; t < r->rtapp->nr_tasks; t++) {
		const struct rtapp_task *task = &r->rtapp->tasks[t];
		for (uint32_t i = 0; i < task->nr_instances && status == SAHM_OK; i++, th++) {
			th->bursts = &task->bursts;
			th->burst_list = file;
			status = name_instance(r, task, th);
		}
	}
	return status;
}

void config_write_rtapp(const struct run_config *config, struct textbuf *b)
{
	config_write_string(b, "\t", KEY_RTAPP, config->rtapp);
	config_write_string(b, "\t", KEY_RTAPP_TRACE, config->rtapp_trace);
}
