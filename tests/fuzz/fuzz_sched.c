/* Recordings of schedulers, and lists of bursts: the input is the file, and is tried as both. */
#include "tests/fuzz/fuzz.h"
#include "workloads/bursts/import_sched.h"

static FILE *open_bytes(const void *data, size_t size)
{
	FILE *in = fmemopen((void *)(uintptr_t)data, size, "r");
	MUST(in);
	return in;
}

static void must_be_list(const struct burst_list *l)
{
	MUST(l->nr >= 1 && l->nr <= MAX_BURSTS);
	MUST(l->provenance.text[PROVENANCE_NAME] && *l->provenance.text[PROVENANCE_NAME]);
	for (uint64_t i = 0; i < l->nr; i++) {
		MUST(l->bursts[i].run_ns >= MIN_BURST_RUN_NS && l->bursts[i].run_ns <= MAX_BURST_NS);
		MUST(l->bursts[i].sleep_ns <= MAX_BURST_NS);
	}
}

/* Written and read again it is the same, to the byte. */
static void write_and_read(const struct burst_list *l)
{
	char *text[2] = {NULL, NULL};
	size_t len[2];
	const struct burst_list *lists[2] = {l, NULL};
	struct burst_list again;
	struct sahm_err err;
	for (size_t i = 0; i < 2; i++) {
		FILE *out = open_memstream(&text[i], &len[i]);
		MUST(out);
		MUST(burst_list_write(lists[i], out, &err) == SAHM_OK);
		MUST(fclose(out) == 0);
		if (i == 1)
			break;
		FILE *in = open_bytes(text[0], len[0]);
		MUST(burst_list_read(&again, in, "again.csv", &err) == SAHM_OK);
		fclose(in);
		must_be_list(&again);
		lists[1] = &again;
	}
	MUST(len[0] == len[1] && memcmp(text[0], text[1], len[0]) == 0);
	burst_list_release(&again);
	free(text[0]);
	free(text[1]);
}

static void use_list(const uint8_t *data, size_t size)
{
	struct burst_list l;
	struct sahm_err err;
	FILE *in = open_bytes(data, size);
	enum sahm_status status = burst_list_read(&l, in, "in/put.csv", &err);
	fclose(in);
	if (status != SAHM_OK) {
		MUST(status == SAHM_FORMAT || status == SAHM_CHECKSUM);
		must_explain(&err, status, "in/put.csv:");
		return;
	}
	must_be_list(&l);
	write_and_read(&l);
	burst_list_release(&l);
}

static void use_thread(struct sched_log *log, struct recorded_thread *t)
{
	static const struct provenance given = {.text = {[PROVENANCE_SOURCE] = "synthetic"}};
	const struct sched_choice choice = {.has_tid = true, .tid = t->tid};
	struct recorded_thread *found = NULL;
	struct sahm_err err;
	uint64_t slept_ns = 0;
	MUST(t->tid > 0 && strlen(t->comm) < SCHED_COMM_BYTES);
	MUST(t->on_cpu_ns <= log->to_ns - log->from_ns);
	MUST(sched_log_choose(log, &choice, &found, &err) == SAHM_OK && found == t);
	for (uint64_t i = 0; i < t->list.nr; i++)
		slept_ns += t->list.bursts[i].sleep_ns;
	MUST(slept_ns == t->slept_ns && slept_ns <= log->to_ns - log->from_ns);
	MUST(t->nr_unwoken <= t->list.nr + t->nr_dropped && t->nr_raised <= t->list.nr);
	enum sahm_status status = sched_thread_finish(log, t, &given, &err);
	MUST((status == SAHM_OK) == (t->list.nr > 0));
	if (status != SAHM_OK)
		return;
	must_be_list(&t->list);
	write_and_read(&t->list);
}

static void use_log(const uint8_t *data, size_t size)
{
	struct sched_log log;
	struct textbuf notes;
	struct sahm_err err;
	FILE *in = open_bytes(data, size);
	textbuf_init(&notes);
	enum sahm_status status = sched_log_read(&log, in, "in/put.txt", &notes, &err);
	fclose(in);
	if (status != SAHM_OK) {
		MUST(status == SAHM_FORMAT || status == SAHM_CHECKSUM);
		must_explain(&err, status, "in/put.txt:");
	} else {
		MUST(log.nr_switches > 0 && log.from_ns <= log.to_ns);
		for (uint32_t i = 0; i < log.nr_threads; i++)
			use_thread(&log, &log.threads[i]);
		sched_log_release(&log);
	}
	textbuf_release(&notes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	use_list(data, size);
	use_log(data, size);
	return 0;
}
