/* The caller's side of a module's process. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ipu/soft/soft_internal.h"
#include "sim/base/child_end.h"
#include "sim/base/clock.h"

/* How often a caller that waits looks whether the process lives. */
#define LOOK_NS (20 * NS_PER_MS)

#define MAX_COMMAND_WORDS (2u + SOFT_MAX_INPUTS)

struct soft_process {
	struct soft_process_options options;
	struct soft_shared *shared;
	pid_t pid;		  /* 0: it has ended */
	uint64_t head, published; /* of commands */
	uint64_t tail;		  /* of commands, when it was last looked at */
	uint64_t packets_tail;
};

void soft_failure_set(struct soft_failure *f, const char *why)
{
	if (f->has_happened)
		return;
	f->has_happened = true;
	size_t len = strnlen(why, sizeof(f->why) - 1);
	memcpy(f->why, why, len);
	f->why[len] = '\0';
}

static void fail(struct soft_process *p, const char *why)
{
	soft_failure_set(p->options.failure, why);
}

/* `status` is that of waitpid(). */
static void explain_end(struct soft_process *p, int status)
{
	uint32_t fault = atomic_load(&p->shared->fault);
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS) {
		fail(p, "it made a system call that its sandbox does not allow");
	} else if (fault > SOFT_FAULT_NONE && fault < NR_SOFT_FAULTS) {
		fail(p, soft_fault_texts[fault]);
	} else {
		struct textbuf why;
		textbuf_init(&why);
		child_end_write(status, &why);
		fail(p, textbuf_failed(&why) ? "its process has ended" : why.text);
		textbuf_release(&why);
	}
}

/* Whether the process has ended; it is reaped then. */
static bool has_ended(struct soft_process *p)
{
	int status = 0;
	pid_t pid = p->pid ? waitpid(p->pid, &status, WNOHANG) : -1;
	if (pid == 0 || (pid < 0 && errno == EINTR))
		return false;
	if (pid > 0)
		explain_end(p, status);
	else
		fail(p, "its process has ended");
	p->pid = 0;
	return true;
}

static void kill_process(struct soft_process *p)
{
	int status;
	if (!p->pid)
		return;
	kill(p->pid, SIGKILL);
	while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR)
		;
	p->pid = 0;
}

/* After a failure of a process that lives. */
static void give_up(struct soft_process *p, const char *why)
{
	fail(p, why);
	kill_process(p);
}

static void give_up_late(struct soft_process *p)
{
	char why[64];
	snprintf(why, sizeof(why), "it hangs: nothing was done for %g s", p->options.patience_ms / 1e3);
	give_up(p, why);
}

static void wake_process(const struct soft_process *p)
{
	atomic_thread_fence(memory_order_seq_cst);
	if (atomic_load(&p->shared->process_sleeps))
		soft_wake(&p->shared->process_sleeps);
}

static void publish(struct soft_process *p)
{
	if (p->published == p->head)
		return;
	atomic_store_explicit(&p->shared->commands_head, p->head, memory_order_release);
	p->published = p->head;
	wake_process(p);
}

/* Delivers a packet that begins at `at`, of which `there` words are there; its number of words, 0: it is none. */
static uint64_t deliver(const struct soft_process *p, uint64_t at, uint64_t there)
{
	const uint64_t *ring = p->shared->packets;
	uint64_t words[SOFT_MAX_PACKET_BYTES / 8];
	uint64_t head = there >= 2 ? ring[at % SOFT_RING_WORDS] : UINT64_MAX, cycle = ring[(at + 1) % SOFT_RING_WORDS];
	uint32_t nr_bytes = soft_word_operand(head), nr = (nr_bytes + 7) / 8;
	if (nr_bytes > SOFT_MAX_PACKET_BYTES || 2 + nr > there || soft_word_block(head) >= SOFT_MAX_BLOCKS)
		return 0;
	for (uint32_t i = 0; i < nr; i++)
		words[i] = ring[(at + 2 + i) % SOFT_RING_WORDS];
	p->options.deliver(p->options.ctx, soft_word_block(head), cycle, (const uint8_t *)words, nr_bytes);
	return 2 + nr;
}

/* Delivers the packets that are there. */
static void drain(struct soft_process *p)
{
	uint64_t head = atomic_load_explicit(&p->shared->packets_head, memory_order_acquire);
	if (head == p->packets_tail)
		return;
	bool is_sane = head - p->packets_tail <= SOFT_RING_WORDS;
	while (is_sane && head != p->packets_tail) {
		uint64_t nr = deliver(p, p->packets_tail, head - p->packets_tail);
		p->packets_tail += nr;
		is_sane = nr > 0;
	}
	if (!is_sane) {
		give_up(p, "it wrote over what its process shares with sahm");
		return;
	}
	atomic_store_explicit(&p->shared->packets_tail, p->packets_tail, memory_order_release);
	wake_process(p);
}

/* Looks how far the process is; whether that is `target` or later. */
static bool has_reached(struct soft_process *p, uint64_t target)
{
	uint64_t tail = atomic_load_explicit(&p->shared->commands_tail, memory_order_acquire);
	if (tail < p->tail || tail > p->head)
		give_up(p, "it wrote over what its process shares with sahm");
	else
		p->tail = tail;
	return p->tail >= target;
}

/* Sleeps until the process has reached `target`, has packets, or LOOK_NS have passed. */
static void sleep_a_little(struct soft_process *p, uint64_t target)
{
	struct soft_shared *s = p->shared;
	atomic_store(&s->awaited, target);
	atomic_store(&s->caller_sleeps, 1);
	if (atomic_load(&s->commands_tail) < target && atomic_load(&s->packets_head) == p->packets_tail)
		soft_sleep(&s->caller_sleeps, LOOK_NS);
	atomic_store(&s->caller_sleeps, 0);
}

/* Waits until the process has carried out its commands up to `target`, and delivers their packets. False: it failed. */
static bool await(struct soft_process *p, uint64_t target)
{
	const struct soft_failure *failure = p->options.failure;
	uint64_t seen = 0, seen_ns = 0;
	publish(p);
	for (unsigned round = 0; !failure->has_happened; round++) {
		/* In this order: the packets of commands that are carried out are there. */
		bool is_done = has_reached(p, target);
		drain(p);
		if (is_done || failure->has_happened)
			break;
		if (round < SOFT_SPINS) {
			soft_spin();
			continue;
		}
		sleep_a_little(p, target);
		uint64_t now_ns = clock_ns(CLOCK_MONOTONIC), progress = p->tail + p->packets_tail;
		if (seen_ns == 0 || seen != progress) {
			seen = progress;
			seen_ns = now_ns;
		} else if (now_ns - seen_ns > p->options.patience_ms * NS_PER_MS) {
			give_up_late(p);
		}
		if (!failure->has_happened && !has_reached(p, target))
			has_ended(p);
	}
	return !failure->has_happened;
}

/* Waits until a command of `nr` words has room. False: after a failure. */
static bool make_room(struct soft_process *p, uint64_t nr)
{
	if (p->options.failure->has_happened)
		return false;
	if (p->head - p->tail + nr <= SOFT_RING_WORDS || has_reached(p, p->head + nr - SOFT_RING_WORDS))
		return !p->options.failure->has_happened;
	/* Half a ring is worth waking up for. */
	return await(p, p->head - SOFT_RING_WORDS / 2);
}

static void put(struct soft_process *p, uint64_t word)
{
	p->shared->commands[p->head++ % SOFT_RING_WORDS] = word;
}

static void publish_some(struct soft_process *p)
{
	if (p->head - p->published >= SOFT_PUBLISHED_WORDS)
		publish(p);
}

void soft_process_step(struct soft_process *p, uint32_t block, uint64_t cycle, uint32_t valid, const uint64_t *values)
{
	if (!make_room(p, MAX_COMMAND_WORDS))
		return;
	put(p, soft_head_word(SOFT_COMMAND_STEP, block, valid));
	put(p, cycle);
	for (uint32_t left = valid; left; left &= left - 1)
		put(p, values[__builtin_ctz(left)]);
	publish_some(p);
}

void soft_process_write(struct soft_process *p, uint32_t block, uint32_t offset, uint32_t value)
{
	if (!make_room(p, MAX_COMMAND_WORDS))
		return;
	put(p, soft_head_word(SOFT_COMMAND_WRITE, block, offset));
	put(p, value);
	publish_some(p);
}

void soft_process_command(struct soft_process *p, enum soft_command command, uint32_t block)
{
	if (!make_room(p, MAX_COMMAND_WORDS))
		return;
	put(p, soft_head_word(command, block, 0));
	publish_some(p);
}

uint32_t soft_process_ask(struct soft_process *p, enum soft_command command, uint32_t block, uint32_t operand)
{
	if (!make_room(p, MAX_COMMAND_WORDS))
		return 0;
	put(p, soft_head_word(command, block, operand));
	return await(p, p->head) ? atomic_load(&p->shared->value) : 0;
}

void soft_process_wait(struct soft_process *p)
{
	if (p->tail != p->head)
		await(p, p->head);
}

static enum sahm_status fork_process(struct soft_process *p, struct sahm_err *err)
{
	sigset_t all, before;
	pid_t parent = getpid();
	/* A signal must not run a handler of ours in the child. */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	pid_t pid = fork();
	int cause = errno;
	if (pid == 0)
		soft_child_run(p->shared, p->options.fd, p->options.file, parent);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (pid < 0)
		return sahm_fail(err, SAHM_IO, "cannot fork: %s", strerror(cause));
	p->pid = pid;
	/* The processes of other modules must not see it. */
	madvise(p->shared, sizeof(*p->shared), MADV_DONTFORK);
	return SAHM_OK;
}

/* Waits until the module is loaded; what its process says of it is checked. */
static enum sahm_status await_loading(struct soft_process *p, struct soft_facts *facts, struct sahm_err *err)
{
	const char *file = p->options.file;
	if (!await(p, p->head))
		return sahm_fail(err, SAHM_TOOL, "soft logic '%s' has failed while it was loaded: %s", file,
				 p->options.failure->why);
	struct soft_loading *loading = malloc(sizeof(*loading));
	if (!loading)
		return sahm_fail_nomem(err);
	*loading = p->shared->loading;
	loading->msg[sizeof(loading->msg) - 1] = '\0';
	enum sahm_status status =
		loading->status == SAHM_OK || loading->status == SAHM_REFUSED ? loading->status : SAHM_FORMAT;
	if (status == SAHM_OK)
		status = soft_facts_check(&loading->facts, file, err);
	else
		sahm_fail(err, status, "%s", loading->msg);
	if (status == SAHM_OK)
		*facts = loading->facts;
	free(loading);
	return status;
}

enum sahm_status soft_process_start(struct soft_process **process, const struct soft_process_options *options,
				    struct soft_facts *facts, struct sahm_err *err)
{
	struct soft_process *p = calloc(1, sizeof(*p));
	if (!p)
		return sahm_fail_nomem(err);
	p->options = *options;
	void *shared = mmap(NULL, sizeof(*p->shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	p->shared = shared == MAP_FAILED ? NULL : shared;
	/* The first word is the command to load the module. */
	p->head = p->published = 1;
	if (p->shared)
		atomic_store(&p->shared->commands_head, p->head);
	enum sahm_status status = p->shared ? fork_process(p, err) : sahm_fail_nomem(err);
	if (status == SAHM_OK)
		status = await_loading(p, facts, err);
	if (status == SAHM_OK)
		*process = p;
	else
		soft_process_end(p);
	return status;
}

void soft_process_end(struct soft_process *p)
{
	if (!p)
		return;
	kill_process(p);
	if (p->shared)
		munmap(p->shared, sizeof(*p->shared));
	free(p);
}
