#include "sched/host/host_trace_internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "sched/host/host_internal.h"

#define LINE_BYTES 4096

/* A line that is being written. Text that does not fit is cut off. */
struct line {
	char text[LINE_BYTES];
	size_t len;
};

static void put(struct line *l, const char *fmt, ...) SAHM_PRINTF(2, 3);

static void put(struct line *l, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	int nr = vsnprintf(l->text + l->len, LINE_BYTES - l->len, fmt, args);
	va_end(args);
	if (nr > 0)
		l->len = (size_t)nr < LINE_BYTES - l->len ? l->len + (size_t)nr : LINE_BYTES - 1;
}

static void put_task(struct line *l, const struct task_struct *p)
{
	if (p)
		put(l, "%s (pid %d)", host_task_of(p)->name, p->pid);
	else
		put(l, "NULL");
}

static void put_mask(struct line *l, const struct cpumask *mask)
{
	const char *between = "";
	u32 cpu = 0, end = mask ? mask->nr_cpus : 0;
	put(l, "{");
	for (; cpu < end; cpu++) {
		if (!host_mask_has(mask, cpu))
			continue;
		u32 first = cpu;
		while (cpu + 1 < end && host_mask_has(mask, cpu + 1))
			cpu++;
		put(l, "%s%u", between, first);
		if (first != cpu)
			put(l, "-%u", cpu);
		between = ",";
	}
	put(l, "}");
}

/* A number: of a queue that is built in, its name. */
static void put_number(struct line *l, u64 number)
{
	if (number == SCX_DSQ_GLOBAL)
		put(l, "SCX_DSQ_GLOBAL");
	else if (number == SCX_DSQ_LOCAL)
		put(l, "SCX_DSQ_LOCAL");
	else if ((number & ~SCX_DSQ_LOCAL_CPU_MASK) == SCX_DSQ_LOCAL_ON)
		put(l, "SCX_DSQ_LOCAL_ON | %" PRIu64, number & SCX_DSQ_LOCAL_CPU_MASK);
	else if (number == UINT64_MAX)
		put(l, "UINT64_MAX");
	else
		put(l, "%" PRIu64, number);
}

static void put_value(struct line *l, const struct host_value *value)
{
	switch (value->kind) {
	case HOST_VALUE_END:
		break;
	case HOST_VALUE_BOOL:
		put(l, "%s", value->number ? "true" : "false");
		break;
	case HOST_VALUE_SIGNED:
		put(l, "%" PRId64, (s64)value->number);
		break;
	case HOST_VALUE_UNSIGNED:
		put_number(l, value->number);
		break;
	case HOST_VALUE_TASK:
		put_task(l, value->pointer);
		break;
	case HOST_VALUE_MASK:
		put_mask(l, value->pointer);
		break;
	case HOST_VALUE_TEXT:
		put(l, "%s", (const char *)value->pointer);
		break;
	}
}

static void trace_call(struct host *h, const char *name, struct host_value result, const struct host_value *arguments)
{
	struct line l = {.len = 0};
	put(&l, "%s(", name);
	for (const struct host_value *value = arguments; value->kind != HOST_VALUE_END; value++) {
		put(&l, "%s", value == arguments ? "" : ", ");
		put_value(&l, value);
	}
	put(&l, ")");
	if (result.kind != HOST_VALUE_END)
		put(&l, " = ");
	put_value(&l, &result);
	/* The time that this takes is not the policy's. */
	enum host_op op = h->op;
	h->op = HOST_NO_OP;
	h->listener->hear(h->listener, h->now, h->depth, l.text);
	h->op = op;
}

void host_trace_begin(struct host *h, const char *name, const struct host_value *arguments)
{
	trace_call(h, name, HOST_VALUE(HOST_END), arguments);
	h->depth++;
	/* Within a call that is reported when it returns. */
	h->is_marked = true;
}

void host_trace_end(struct host *h, const char *name, struct host_value result)
{
	if (result.kind != HOST_VALUE_END)
		trace_call(h, name, result, HOST_VALUES(HOST_END));
	h->depth--;
	h->is_marked = h->depth == 0 || h->has_failed;
}

void host_trace_call(struct host *h, const char *name, struct host_value result, const struct host_value *arguments)
{
	trace_call(h, name, result, arguments);
	/* An operation that makes calls without end is seen to do something. */
	h->nr_calls++;
}

void host_trace_permute(struct host *h, bool is_done, struct task_struct *const *threads, const s32 *cpus, u32 nr)
{
	struct line l = {.len = 0};
	for (u32 i = 0; i < nr; i++) {
		put(&l, "%s", i ? ", " : "");
		put_task(&l, threads[i]);
		put(&l, " to %d", cpus[i]);
	}
	const char *moves = l.text;
	host_trace_call(h, "sahm_permute", HOST_VALUE(is_done), HOST_VALUES(moves));
}
