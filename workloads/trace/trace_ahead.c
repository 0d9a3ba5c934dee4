#include "workloads/trace/trace_ahead.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/stat.h>

#include "sim/base/zstd_stream.h"
#include "workloads/trace/trace_internal.h"

/* A thread costs as much as reading this part of a file. */
#define BYTES_PER_THREAD (UINT64_C(32) << 10)

#define MAX_OPENERS 16u

/* Blocks of images up to this long are checked by the thread that opens them. */
#define CHECKED_BYTES ((size_t)1 << 20)

struct crew {
	struct trace_ahead *ahead;
	size_t nr;
	_Atomic size_t next;
};

static void *work(void *ctx)
{
	struct crew *c = ctx;
	struct zstd_spare spare = {0};
	for (size_t i; (i = atomic_fetch_add(&c->next, 1)) < c->nr;) {
		struct trace_ahead *a = &c->ahead[i];
		if (!a->is_file)
			continue;
		textbuf_init(&a->notes);
		a->status = trace_open_with(a->path, &a->notes, &spare, &a->trace, &a->err);
		a->is_open = true;
		/* A block with a fault is not marked as intact: its first use finds the fault again. */
		if (a->status == SAHM_OK && trace_image_bytes(a->trace) <= CHECKED_BYTES)
			(void)trace_verify(a->trace, NULL);
	}
	zstd_spare_release(&spare);
	return NULL;
}

static size_t nr_processors(void)
{
	cpu_set_t set;
	CPU_ZERO(&set);
	return sched_getaffinity(0, sizeof(set), &set) == 0 ? (size_t)CPU_COUNT(&set) : 1;
}

/* Threads for files of `bytes` in all, this one included. */
static size_t nr_openers(size_t nr, uint64_t bytes)
{
	size_t most = nr_processors();
	most = most < nr ? most : nr;
	most = most < MAX_OPENERS ? most : MAX_OPENERS;
	return most < bytes / BYTES_PER_THREAD ? most : (size_t)(bytes / BYTES_PER_THREAD);
}

void trace_ahead_open(struct trace_ahead *ahead, size_t nr)
{
	pthread_t threads[MAX_OPENERS];
	struct crew crew = {.ahead = ahead, .nr = nr};
	uint64_t bytes = 0;
	size_t nr_files = 0, nr_begun = 0;
	for (size_t i = 0; i < nr; i++) {
		struct stat st;
		/* Opening anything else may wait for a writer that waits for us. */
		if (ahead[i].is_late || stat(ahead[i].path, &st) != 0 || !S_ISREG(st.st_mode))
			continue;
		ahead[i].is_file = true;
		bytes += (uint64_t)st.st_size;
		nr_files++;
	}
	size_t most = nr_openers(nr_files, bytes);
	if (most < 2)
		return;
	while (nr_begun + 1 < most && pthread_create(&threads[nr_begun], NULL, work, &crew) == 0)
		nr_begun++;
	work(&crew);
	for (size_t i = 0; i < nr_begun; i++)
		pthread_join(threads[i], NULL);
}

enum sahm_status trace_ahead_take(struct trace_ahead *a, struct textbuf *notes, struct trace **trace,
				  struct sahm_err *err)
{
	if (!a->is_open)
		return trace_open(a->path, notes, trace, err);
	enum sahm_status status = a->status;
	if (notes)
		textbuf_add(notes, a->notes.text, a->notes.len);
	if (textbuf_failed(&a->notes) && status == SAHM_OK)
		status = sahm_fail_nomem(&a->err);
	textbuf_release(&a->notes);
	a->is_open = false;
	if (status == SAHM_OK) {
		*trace = a->trace;
		return SAHM_OK;
	}
	if (a->status == SAHM_OK)
		trace_free(a->trace);
	if (err)
		*err = a->err;
	return status;
}

void trace_ahead_release(struct trace_ahead *ahead, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		struct trace_ahead *a = &ahead[i];
		if (!a->is_open)
			continue;
		textbuf_release(&a->notes);
		if (a->status == SAHM_OK)
			trace_free(a->trace);
		a->is_open = false;
	}
}
