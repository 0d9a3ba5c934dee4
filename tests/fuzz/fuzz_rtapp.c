/* Workloads of rt-app: the input is the file. */
#include "tests/fuzz/reach.h"
#include "workloads/bursts/rtapp.h"

static void use_task(const struct rtapp_task *task)
{
	const struct burst_model *m = &task->bursts;
	struct bursts b;
	uint64_t ns = task->delay_us * 1000, nr = 0;
	MUST(task->nice >= -20 && task->nice <= 19 && task->nr_instances <= MAX_RTAPP_THREADS);
	MUST(!task->cpus == !task->cpu_list);
	MUST(m->nr >= 1 && m->nr <= MAX_RTAPP_EVENTS);
	for (uint64_t i = 0; i < m->nr; i++) {
		MUST(m->list[i].run_ns >= MIN_BURST_RUN_NS && m->list[i].run_ns <= MAX_BURST_NS);
		MUST(m->list[i].sleep_ns <= MAX_BURST_NS && m->ends[i].period_ns <= MAX_BURST_NS);
		MUST(m->ends[i].timer < MAX_BURST_TIMERS);
	}
	bursts_init(&b, m, 1, 0);
	for (nr = 1; nr < 100; nr++) {
		ns += bursts_next(&b).run_ns;
		if (bursts_are_over(&b))
			break;
		struct burst_pause pause = bursts_pause(&b, task->delay_us * 1000, ns);
		MUST(pause.until_ns >= ns && pause.until_ns - ns <= (nr + 1) * MAX_BURST_NS);
		ns = pause.until_ns;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = {0};
	struct rtapp w;
	struct sahm_err err;
	uint8_t hash[HASH_BYTES];
	char *text = malloc(size + 1);
	MUST(text);
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	enum sahm_status status = rtapp_read_text(&w, &a, "w.json", text, size, NULL, &err);
	if (status == SAHM_OK) {
		MUST(w.nr_tasks >= 1 && w.nr_threads >= 1 && w.nr_threads <= MAX_RTAPP_THREADS);
		for (uint32_t t = 0; t < w.nr_tasks; t++)
			use_task(&w.tasks[t]);
		rtapp_hash(&w, hash);
	} else {
		MUST(status == SAHM_CONFIG);
		must_explain(&err, status, "w.json:");
	}
	arena_release(&a);
	free(text);
	return 0;
}
