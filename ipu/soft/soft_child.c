/* The process of a module: loads it, then carries out the caller's commands. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "ipu/soft/soft_internal.h"

/* Where the object's descriptor is; those after it are closed. */
#define OBJECT_FD 3

/* Room for the module beside what the process has from its caller. */
#define MODULE_BYTES ((uint64_t)4 << 30)

struct child {
	struct soft_shared *shared;
	const struct soft_module *module;
	struct child_block **blocks; /* by number */
	uint32_t nr_blocks;
	uint64_t at; /* commands_tail */
	uint64_t values[SOFT_MAX_INPUTS];
	uint64_t packets_head;
	bool is_full; /* it waits for room for packets */
};

struct child_block {
	struct soft_instance instance;
	struct child *child;
	uint32_t number;
};

static void wake_caller(const struct child *c)
{
	struct soft_shared *s = c->shared;
	atomic_thread_fence(memory_order_seq_cst);
	if (atomic_load(&s->caller_sleeps) && (c->is_full || c->at >= atomic_load(&s->awaited)))
		soft_wake(&s->caller_sleeps);
}

static uint64_t packets_room(const struct child *c)
{
	return SOFT_RING_WORDS - (c->packets_head - atomic_load(&c->shared->packets_tail));
}

static uint64_t commands_there(const struct child *c)
{
	return atomic_load(&c->shared->commands_head) - c->at;
}

/* Waits until `there` finds `nr` words. */
static void await(const struct child *c, uint64_t (*there)(const struct child *c), uint64_t nr)
{
	for (unsigned i = 0; i < SOFT_SPINS; i++) {
		if (there(c) >= nr)
			return;
		soft_spin();
	}
	for (;;) {
		atomic_store(&c->shared->process_sleeps, 1);
		if (there(c) >= nr)
			break;
		wake_caller(c);
		soft_sleep(&c->shared->process_sleeps, 0);
	}
	atomic_store(&c->shared->process_sleeps, 0);
}

static void deliver(void *ctx, enum soft_fault fault, uint64_t cycle, const void *bytes, uint32_t nr_bytes)
{
	const struct child_block *b = ctx;
	struct child *c = b->child;
	struct soft_shared *s = c->shared;
	uint64_t words[2 + SOFT_MAX_PACKET_BYTES / 8] = {soft_head_word(0, b->number, nr_bytes), cycle};
	uint64_t nr = 2 + (nr_bytes + 7) / 8;
	if (fault != SOFT_FAULT_NONE) {
		atomic_store(&s->fault, fault);
		_exit(1);
	}
	if (nr_bytes > 0)
		memcpy(words + 2, bytes, nr_bytes);
	c->is_full = true;
	await(c, packets_room, nr);
	c->is_full = false;
	for (uint64_t i = 0; i < nr; i++)
		s->packets[c->packets_head++ % SOFT_RING_WORDS] = words[i];
	atomic_store_explicit(&s->packets_head, c->packets_head, memory_order_release);
}

static bool make_block(struct child *c, uint32_t number)
{
	if (number >= c->nr_blocks) {
		uint32_t nr = number + 1;
		struct child_block **grown = realloc(c->blocks, nr * sizeof(*grown));
		if (!grown)
			return false;
		memset(grown + c->nr_blocks, 0, (nr - c->nr_blocks) * sizeof(*grown));
		c->blocks = grown;
		c->nr_blocks = nr;
	}
	struct child_block *b = calloc(1, sizeof(*b));
	if (!b)
		return false;
	*b = (struct child_block){.instance = {.deliver = deliver, .ctx = b}, .child = c, .number = number};
	if (!soft_instance_make(&b->instance, c->module)) {
		free(b);
		return false;
	}
	c->blocks[number] = b;
	return true;
}

static void release_block(struct child *c, uint32_t number)
{
	struct child_block *b = c->blocks[number];
	c->module->release(b->instance.state);
	free(b);
	c->blocks[number] = NULL;
}

static uint64_t next_word(struct child *c)
{
	return c->shared->commands[c->at++ % SOFT_RING_WORDS];
}

static void step(struct child *c, struct soft_instance *i, uint32_t valid)
{
	uint64_t cycle = next_word(c);
	for (uint32_t left = valid; left; left &= left - 1)
		c->values[__builtin_ctz(left)] = next_word(c);
	soft_instance_step(i, cycle, valid, c->values);
}

static void carry_out(struct child *c)
{
	struct soft_shared *s = c->shared;
	uint64_t word = next_word(c);
	uint32_t number = soft_word_block(word), operand = soft_word_operand(word);
	struct soft_instance *i = number < c->nr_blocks && c->blocks[number] ? &c->blocks[number]->instance : NULL;
	switch ((enum soft_command)soft_word_kind(word)) {
	case SOFT_COMMAND_STEP:
		step(c, i, operand);
		break;
	case SOFT_COMMAND_READ:
		atomic_store(&s->value, c->module->read(i->state, operand));
		break;
	case SOFT_COMMAND_WRITE:
		c->module->write(i->state, operand, (uint32_t)next_word(c));
		break;
	case SOFT_COMMAND_RESET:
		c->module->reset(i->state);
		break;
	case SOFT_COMMAND_MAKE:
		atomic_store(&s->value, make_block(c, number));
		break;
	case SOFT_COMMAND_RELEASE:
		release_block(c, number);
		break;
	case SOFT_COMMAND_WAIT:
		break;
	}
	/* After each command: the caller sees a module hang by it. */
	atomic_store_explicit(&s->commands_tail, c->at, memory_order_release);
}

static _Noreturn void work(struct child *c)
{
	for (uint64_t shown = c->at;;) {
		uint64_t head = atomic_load_explicit(&c->shared->commands_head, memory_order_acquire);
		if (head == c->at) {
			wake_caller(c);
			await(c, commands_there, 1);
		} else if (c->at - shown >= SOFT_PUBLISHED_WORDS) {
			wake_caller(c);
			shown = c->at;
		}
		while (c->at != head && c->at - shown < SOFT_PUBLISHED_WORDS)
			carry_out(c);
	}
}

/* What others do about signals would hide a crash, or ask this process to end something. */
static void restore_signals(void)
{
	sigset_t none;
	for (int s = 1; s < NSIG; s++)
		signal(s, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void limit(int resource, uint64_t most)
{
	struct rlimit l;
	if (getrlimit((__rlimit_resource_t)resource, &l) != 0 || l.rlim_cur <= most)
		return;
	l.rlim_cur = l.rlim_max = most;
	setrlimit((__rlimit_resource_t)resource, &l);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/* Limits the address space to `more` than it is now. */
static void limit_memory(uint64_t more)
{
	char text[64] = "";
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	ssize_t nr = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
	if (fd >= 0)
		close(fd);
	if (nr > 0)
		limit(RLIMIT_AS, strtoull(text, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE) + more);
}
#else
static void limit_memory(uint64_t more)
{
	(void)more;
}
#endif

/* NULL, or what cannot be done. */
static const char *leave_files(int fd)
{
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
	/* The object's descriptor may be one of those that are replaced. */
	int object = fcntl(fd, F_DUPFD_CLOEXEC, OBJECT_FD);
	if (nothing < 0 || object < 0)
		return "/dev/null";
	for (int standard = 0; standard < OBJECT_FD; standard++)
		dup2(nothing, standard);
	if (object != OBJECT_FD)
		dup2(object, OBJECT_FD);
	return close_range(OBJECT_FD + 1, ~0u, 0) == 0 ? NULL : "close_range()";
}

/* Loads the module and seals the sandbox. */
static enum sahm_status load(struct child *c, int fd, const char *file, struct sahm_err *err)
{
	const char *missing = leave_files(fd);
	void *object;
	if (!missing) {
		limit(RLIMIT_CORE, 0);
		limit_memory(MODULE_BYTES);
		missing = soft_sandbox_enter();
	}
	enum sahm_status status = missing ? SAHM_OK : soft_object_open(&object, &c->module, OBJECT_FD, file, err);
	if (status != SAHM_OK)
		return status;
	close(OBJECT_FD);
	if (!missing)
		missing = soft_sandbox_seal();
	if (missing)
		return sahm_fail_at(err, SAHM_REFUSED, file, 0,
				    "soft logic cannot be kept from files and network here, for want of %s; "
				    "--soft-in-process runs it all the same",
				    missing);
	return soft_facts_copy(&c->shared->loading.facts, c->module, file, err);
}

_Noreturn void soft_child_run(struct soft_shared *shared, int fd, const char *file, pid_t parent)
{
	struct child c = {.shared = shared};
	struct sahm_err err;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	/* A Ctrl-C in the terminal is for its caller. */
	setpgid(0, 0);
	restore_signals();
	enum sahm_status status = load(&c, fd, file, &err);
	shared->loading.status = status;
	if (status != SAHM_OK)
		memcpy(shared->loading.msg, err.msg, sizeof(err.msg));
	c.at = 1;
	atomic_store(&shared->commands_tail, c.at);
	wake_caller(&c);
	/* Without a module it waits for its end. */
	if (status != SAHM_OK)
		await(&c, commands_there, UINT64_MAX);
	work(&c);
}
