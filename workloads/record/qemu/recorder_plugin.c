/* The recorder's plug-in in qemu-user: models the first caches and the branch predictor in line with what a program
 * executes.
 *
 * QEMU calls once for each block that it translates, where the block is described, and then for each execution of a
 * block and for each access. A block's last instruction is the only one that can branch; where it went shows when the
 * next block begins. Each thread has a separate core; execve() is followed (exec_follower.h), a child that it forks
 * goes on without being counted.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cores/uarch/counted_core.h"
#include "sim/base/units.h"
#include "workloads/record/qemu/exec_follower.h"
#include "workloads/record/qemu/module_map.h"
#include "workloads/record/qemu/qemu_api.h"
#include "workloads/record/qemu_share.h"
#include "workloads/stream/stream.h"

QEMU_EXPORT int qemu_plugin_version = QEMU_API_VERSION;
QEMU_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info, int argc, char **argv);

#define NONE UINT32_MAX /* no block of the stream */

/* Sums are made of parts of this number of instructions, or this number per epoch. */
#define SUM_PART UINT64_C(65536)
#define SUM_PARTS 16u
#define INSTRUCTIONS_BETWEEN_NAMES UINT64_C(10000000)

/* An x86-64 instruction is at most this long; pages are what QEMU ends blocks at. */
#define PAGE_BYTES 4096u

/* Bytes of the widest access that can be without QEMU splitting it. */
#define MOST_BYTES 16u

struct block {
	uint64_t first, last; /* addresses of its first and last byte */
	uint32_t nr_instructions;
	uint32_t stream_block; /* NONE: not announced yet */
	/* Facts about its last instruction: of branches all, else only its class. */
	struct insn end;
	struct insn *instructions; /* for the stream, until it is announced */
};

/* A thread that is counted, or why it is not. */
struct follower {
	struct qemu_thread *thread; /* NULL: nothing is counted */
	bool is_modelled;
	/* Instructions after which an epoch ends, or a part of a sum, or its stream goes on. */
	uint64_t limit;
	struct counted_core core;
	bool has_stream;	      /* it is the main thread, and there is one */
	struct stream_writer *stream; /* takes the instructions that are executed now; NULL: none does */
	const struct block *previous;
	/* The access before this one, within the same execution of a block. */
	const void *instruction;
	uint64_t address;
	qemu_plugin_meminfo_t info;
};

static struct {
	struct qemu_share *share;
	struct x86_decoder *x86;
	struct stream_writer *stream; /* until it is finished */
	bool is_followed;	      /* false: in a child, or at the end */
	bool is_child;		      /* of a recorded process */
	bool has_main;		      /* a thread of this image has begun */
	bool has_base;
	uint64_t base; /* where the program's address 0 lies in QEMU's memory */
	pthread_key_t key;
	pthread_mutex_t lock; /* of the sum */
	char emulator[16];    /* name of threads without one */
} r = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct follower uncounted;

/* QEMU's callbacks run on the program's own threads. The plug-in is loaded when the program starts, where there is room
 * for it that needs no call. */
static __thread struct follower *self __attribute__((tls_model("initial-exec")));

static void add_epoch(const struct epoch_counts *counts, struct qemu_thread *t)
{
	struct qemu_share *s = r.share;
	uint64_t at = __atomic_fetch_add(&s->nr_epochs, 1, __ATOMIC_RELAXED);
	if (at >= MAX_QEMU_EPOCHS)
		return;
	s->epochs[at].counts = *counts;
	t->nr_epochs++;
	__atomic_store_n(&s->epochs[at].thread, (uint32_t)(t - s->threads) + 1, __ATOMIC_RELEASE);
}

/* Adds what the thread has counted to the sum of all, which may end an epoch. */
static void add_to_sum(const struct epoch_counts *counts)
{
	struct qemu_share *s = r.share;
	pthread_mutex_lock(&r.lock);
	for (int i = 0; i < NR_COUNTERS; i++)
		s->sum.count[i] += counts->count[i];
	if (s->sum.count[COUNTER_INSTRUCTIONS] >= s->epoch_instructions) {
		add_epoch(&s->sum, &s->threads[0]);
		s->sum = (struct epoch_counts){0};
	}
	pthread_mutex_unlock(&r.lock);
}

static void read_name(struct qemu_thread *t)
{
	char path[64], name[sizeof(t->name)] = "";
	snprintf(path, sizeof(path), "/proc/self/task/%d/comm", t->tid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len = fd < 0 ? -1 : read(fd, name, sizeof(name) - 1);
	if (fd >= 0)
		close(fd);
	if (len <= 0)
		return;
	name[strcspn(name, "\n")] = '\0';
	snprintf(t->name, sizeof(t->name), "%s", strcmp(name, r.emulator) == 0 ? "" : name);
}

static uint64_t cpu_ns(int who)
{
	struct rusage u;
	if (getrusage(who, &u) != 0)
		return 0;
	return (uint64_t)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * NS_PER_S +
	       (uint64_t)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1000;
}

static void read_times(void)
{
	r.share->own_cpu_ns = cpu_ns(RUSAGE_SELF);
	r.share->children_cpu_ns = cpu_ns(RUSAGE_CHILDREN);
}

static void end_epoch(struct follower *f)
{
	struct qemu_thread *t = f->thread;
	t->nr_instructions += t->current.count[COUNTER_INSTRUCTIONS];
	if (r.share->which == QEMU_THREADS_SUM)
		add_to_sum(&t->current);
	else if (f->is_modelled)
		add_epoch(&t->current, t);
	t->current = (struct epoch_counts){0};
}

/* Decides whether the stream takes the next instructions of `f`, and up to which one. */
static void place_stream(struct follower *f)
{
	const struct qemu_share *s = r.share;
	uint64_t number = f->thread->nr_epochs, done = f->thread->current.count[COUNTER_INSTRUCTIONS];
	uint64_t ahead =
		(s->first_epoch % s->every_epochs + s->every_epochs - number % s->every_epochs) % s->every_epochs;
	f->stream = NULL;
	f->limit = s->epoch_instructions;
	if (!r.stream)
		return;
	uint64_t before = ahead * s->epoch_instructions, warm_from = before > s->warm ? before - s->warm : 0;
	if (ahead == 0 || done >= warm_from) {
		f->stream = r.stream;
		stream_writer_begin(r.stream, number + ahead, ahead > 0);
	} else if (warm_from < f->limit) {
		f->limit = warm_from;
	}
}

/* Epoch `number` ended, which the stream has; `pc` comes next. */
static void end_taken(struct follower *f, uint64_t number, uint64_t pc)
{
	struct qemu_share *s = r.share;
	if (number % s->every_epochs != s->first_epoch % s->every_epochs)
		return;
	stream_writer_break(f->stream, pc);
	if (s->max_taken > 0 && number / s->every_epochs + 1 >= s->max_taken)
		s->every_epochs *= 2;
}

static void finish_stream(struct follower *f)
{
	struct sahm_err err;
	if (!r.stream)
		return;
	if (r.has_base)
		module_map_write(r.stream, r.base);
	if (stream_writer_finish(r.stream, &err) == SAHM_OK)
		r.share->is_stream_finished = true;
	else
		snprintf(r.share->stream_message, sizeof(r.share->stream_message), "%s", err.msg);
	r.stream = f->stream = NULL;
}

static void end_thread(void *data)
{
	struct follower *f = data;
	self = &uncounted;
	if (!r.is_followed || f == &uncounted)
		return;
	read_name(f->thread);
	if (f->has_stream)
		finish_stream(f);
	counted_core_release(&f->core);
	free(f);
}

/* The first block of a thread. After execve() it is the main thread, whichever called that. */
__attribute__((noinline)) static struct follower *begin_thread(void)
{
	struct qemu_share *s = r.share;
	struct sahm_err err;
	self = &uncounted;
	if (!r.is_followed)
		return self;
	bool is_main = !__atomic_exchange_n(&r.has_main, true, __ATOMIC_RELAXED);
	uint32_t at = is_main && s->nr_threads > 0 ? 0 : __atomic_fetch_add(&s->nr_threads, 1, __ATOMIC_RELAXED);
	struct follower *f = at < MAX_QEMU_THREADS ? calloc(1, sizeof(*f)) : NULL;
	if (!f) {
		s->is_short_of_memory |= at < MAX_QEMU_THREADS;
		return self;
	}
	f->thread = &s->threads[at];
	f->thread->tid = gettid();
	f->limit = s->epoch_instructions;
	if (s->which == QEMU_THREADS_SUM)
		f->limit = f->limit / SUM_PARTS < SUM_PART ? f->limit / SUM_PARTS : SUM_PART;
	f->is_modelled = is_main || s->which != QEMU_THREADS_MAIN;
	if (f->is_modelled && counted_core_init(&f->core, &s->cpu, &f->thread->current, &err) != SAHM_OK) {
		s->is_short_of_memory = true;
		f->is_modelled = false;
	}
	f->has_stream = is_main && r.stream;
	if (f->has_stream && s->which == QEMU_THREADS_SUM)
		f->stream = r.stream;
	else if (f->has_stream)
		place_stream(f);
	pthread_setspecific(r.key, f);
	return self = f;
}

/* The branch at the end of `b` went to `next`. */
static void resolve(struct follower *f, const struct block *b, uint64_t next)
{
	enum insn_class class = b->end.class;
	uint64_t behind = b->end.pc + b->end.length;
	if (!insn_is_branch(class))
		return;
	/* A signal's handler is neither way; the branch is found again where the handler returns to. */
	bool taken = class != INSN_BRANCH || next != behind;
	if (taken && b->end.target && next != b->end.target)
		return;
	counted_core_branch(&f->core, class, b->end.pc, behind, taken, next);
}

/* Kept out of the way of blocks, which begin many times as often; one at `pc` is next. */
__attribute__((noinline)) static void reach_limit(struct follower *f, uint64_t pc)
{
	struct qemu_share *s = r.share;
	uint64_t before = f->thread->nr_instructions / INSTRUCTIONS_BETWEEN_NAMES, number = f->thread->nr_epochs;
	bool is_sum = s->which == QEMU_THREADS_SUM;
	if (!is_sum && f->thread->current.count[COUNTER_INSTRUCTIONS] < s->epoch_instructions) {
		place_stream(f);
		return;
	}
	end_epoch(f);
	if (f->stream && is_sum)
		stream_writer_end_epoch(f->stream);
	else if (f->stream)
		end_taken(f, number, pc);
	if (f->thread->nr_instructions / INSTRUCTIONS_BETWEEN_NAMES != before) {
		read_name(f->thread);
		read_times();
	}
	const struct qemu_thread *counted = s->which == QEMU_THREADS_SUM ? &s->threads[0] : f->thread;
	if (counted->nr_epochs < s->max_epochs && s->nr_epochs < MAX_QEMU_EPOCHS) {
		if (f->has_stream && !is_sum)
			place_stream(f);
		return;
	}
	if (f->has_stream)
		finish_stream(f);
	s->progress = QEMU_FULL;
	kill(getpid(), SIGKILL);
	self = &uncounted;
}

static void on_block(unsigned cpu, void *data)
{
	struct block *b = data;
	struct follower *f = self;
	(void)cpu;
	if (__builtin_expect(!f, 0))
		f = begin_thread();
	if (__builtin_expect(!f->thread, 0))
		return;
	struct epoch_counts *counts = &f->thread->current;
	if (f->previous)
		resolve(f, f->previous, b->first);
	if (counts->count[COUNTER_INSTRUCTIONS] >= f->limit)
		reach_limit(f, b->first);
	counts->count[COUNTER_INSTRUCTIONS] += b->nr_instructions;
	if (!f->is_modelled)
		return;
	counted_core_fetch(&f->core, b->first, b->last);
	f->previous = b;
	f->instruction = NULL;
	if (!f->stream)
		return;
	if (b->instructions) {
		b->stream_block = stream_writer_block(f->stream, b->instructions, b->nr_instructions);
		free(b->instructions);
		b->instructions = NULL;
	}
	/* A stream that failed takes no more blocks; the program goes on. */
	if (b->stream_block != NONE)
		stream_writer_enter(f->stream, b->stream_block);
}

static uint64_t bytes_of(qemu_plugin_meminfo_t info)
{
	return UINT64_C(1) << qemu_plugin_mem_size_shift(info);
}

/* `data` tells instructions of a block apart: their numbers, from 1 on. */
static void on_access(unsigned cpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
	struct follower *f = self;
	(void)cpu;
	if (!f->is_modelled)
		return;
	uint64_t line = cache_line(&f->core.l1d, address);
	uint64_t last_line = cache_line(&f->core.l1d, address + MOST_BYTES - 1);
	if (last_line != line)
		last_line = cache_line(&f->core.l1d, address + bytes_of(info) - 1);
	if (f->stream)
		stream_writer_access(f->stream, (unsigned)(uintptr_t)data - 1, address, (uint32_t)bytes_of(info),
				     qemu_plugin_mem_is_store(info));
	/* Accesses that QEMU splits, vectors mostly, are one. */
	bool goes_on = f->instruction == data && address == f->address + bytes_of(f->info) &&
		       cache_line(&f->core.l1d, address - 1) == line;
	f->instruction = data;
	f->address = address;
	f->info = info;
	if (!goes_on)
		counted_core_data(&f->core, line);
	if (last_line != line)
		counted_core_data(&f->core, last_line);
}

static bool decode_bytes(uint64_t pc, const uint8_t *bytes, size_t len, struct insn *out)
{
	return r.share->machine == MACHINE_RV64 ? decode_rv64(pc, bytes, len, out)
						: decode_x86(r.x86, pc, bytes, len, out);
}

/* Of an instruction that goes on in the next page QEMU tells only what lies before it. */
static bool continues_on_next_page(const struct qemu_plugin_insn *insn)
{
	return qemu_plugin_insn_vaddr(insn) % PAGE_BYTES + MAX_INSN_BYTES > PAGE_BYTES;
}

static bool decode(const struct qemu_plugin_insn *insn, struct insn *out)
{
	/* QEMU executes the vsyscall page itself: there are no bytes. */
	if (qemu_plugin_insn_size(insn) == 0) {
		insn_unknown(qemu_plugin_insn_vaddr(insn), 1, out);
		return true;
	}
	return decode_bytes(qemu_plugin_insn_vaddr(insn), qemu_plugin_insn_data(insn), qemu_plugin_insn_size(insn),
			    out);
}

/* The same of one that is a block for itself and may go on in the next page. Pages that lie in a row in the program do
 * so in QEMU, and both are there, since QEMU has just read them. */
static void decode_across_pages(const struct qemu_plugin_insn *insn, struct insn *out)
{
	const uint8_t *bytes = qemu_plugin_insn_haddr(insn);
	if (!decode(insn, out) && continues_on_next_page(insn) && bytes)
		decode_bytes(qemu_plugin_insn_vaddr(insn), bytes, MAX_INSN_BYTES, out);
}

static void learn_base(const struct qemu_plugin_insn *insn)
{
	const void *here = qemu_plugin_insn_haddr((struct qemu_plugin_insn *)(uintptr_t)insn);
	if (!here)
		return;
	r.base = (uint64_t)(uintptr_t)here - qemu_plugin_insn_vaddr(insn);
	r.has_base = true;
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	(void)id;
	size_t nr = qemu_plugin_tb_n_insns(tb);
	if (!r.has_base && nr > 0)
		learn_base(qemu_plugin_tb_get_insn(tb, 0));
	if (!r.is_followed || nr == 0)
		return;
	struct block *b = calloc(1, sizeof(*b));
	struct insn *all = b && r.stream ? calloc(nr, sizeof(*all)) : NULL;
	struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, nr - 1);
	if (!b || (r.stream && !all)) {
		r.share->is_short_of_memory = true;
		free(b);
		return;
	}
	/* An instruction of x86-64 that crosses into the next page is left for a separate block, unless it is the first
	 * of this one; QEMU has reported it by then. */
	bool is_whole = decode(insn, &b->end);
	if (!is_whole && nr > 1 && r.share->machine == MACHINE_X86_64 && continues_on_next_page(insn)) {
		nr--;
		insn = qemu_plugin_tb_get_insn(tb, nr - 1);
		decode(insn, &b->end);
	}
	if (!is_whole && nr == 1)
		decode_across_pages(insn, &b->end);
	b->first = qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(tb, 0));
	b->last = b->end.pc + b->end.length - 1;
	b->nr_instructions = (uint32_t)nr;
	b->stream_block = NONE;
	b->instructions = all;
	for (size_t i = 0; i < nr; i++) {
		insn = qemu_plugin_tb_get_insn(tb, i);
		qemu_plugin_register_vcpu_mem_cb(insn, on_access, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
						 (void *)(uintptr_t)(i + 1));
		if (all && i + 1 < nr)
			decode(insn, &all[i]);
		else if (all)
			all[i] = b->end;
	}
	qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, QEMU_PLUGIN_CB_NO_REGS, b);
}

static bool is_execve(int64_t number)
{
	return number == (r.share->machine == MACHINE_RV64 ? 221 : 59);
}

static void on_syscall(qemu_plugin_id_t id, unsigned cpu, int64_t number, uint64_t a1, uint64_t a2, uint64_t a3,
		       uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8)
{
	(void)id, (void)cpu, (void)a4, (void)a5, (void)a6, (void)a7, (void)a8;
	const struct exec_call call = {r.base, a1, a2, a3};
	if (!is_execve(number) || !r.has_base)
		return;
	if (r.is_child)
		exec_note_child(r.share, &call);
	if (!r.is_followed)
		return;
	exec_follow(r.share, &call);
	r.share->is_replaced = true;
}

static void on_return(qemu_plugin_id_t id, unsigned cpu, int64_t number, int64_t result)
{
	(void)id, (void)cpu, (void)result;
	if (is_execve(number) && r.is_followed)
		r.share->is_replaced = false;
}

static void on_end(qemu_plugin_id_t id, void *data)
{
	(void)id, (void)data;
	if (!r.is_followed)
		return;
	uint32_t nr = r.share->nr_threads < MAX_QEMU_THREADS ? r.share->nr_threads : MAX_QEMU_THREADS;
	for (uint32_t i = 0; i < nr; i++)
		read_name(&r.share->threads[i]);
	read_times();
	/* Where another thread ends the program, the main one may be writing. */
	if (self && self->has_stream)
		finish_stream(self);
	r.share->progress = QEMU_EXITED;
	r.is_followed = false;
}

/* In a child that the program forked: its memory is its own from here on, but the share and the stream's file are not.
 */
static void on_fork(void)
{
	if (r.is_followed)
		__atomic_fetch_add(&r.share->nr_forks, 1, __ATOMIC_RELAXED);
	r.is_followed = false;
	r.is_child = true;
	self = &uncounted;
	r.stream = NULL;
}

static int refuse(const char *message)
{
	/* What the program became by execve() goes on, uncounted. */
	if (r.share->progress == QEMU_RUNNING) {
		r.share->is_replaced = true;
		snprintf(r.share->replaced_message, sizeof(r.share->replaced_message), "%s", message);
		return 0;
	}
	r.share->progress = QEMU_REFUSED;
	snprintf(r.share->message, sizeof(r.share->message), "%s", message);
	return -1;
}

static bool map_share(int argc, char **argv)
{
	struct stat st;
	int fd = -1;
	for (int i = 0; i < argc; i++)
		if (strncmp(argv[i], "share=", 6) == 0)
			fd = atoi(argv[i] + 6);
	if (fd < 0 || fstat(fd, &st) != 0 || (size_t)st.st_size < sizeof(*r.share))
		return false;
	r.share = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	return r.share != MAP_FAILED;
}

int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info, int argc, char **argv)
{
	struct sahm_err err;
	(void)info;
	if (!map_share(argc, argv))
		return -1;
	if (r.share->version != QEMU_SHARE_VERSION)
		return refuse("program and plug-in are of different versions");
	if (r.share->machine == MACHINE_X86_64 && x86_decoder_new(&r.x86, &err) != SAHM_OK)
		return refuse(err.msg);
	if (*r.share->stream_path) {
		r.stream = stream_writer_new(r.share->stream_path, r.share->machine, r.share->program, &err);
		if (!r.stream)
			return refuse(err.msg);
		module_map_begin();
	}
	prctl(PR_GET_NAME, r.emulator);
	if (pthread_atfork(NULL, NULL, on_fork) != 0 || pthread_key_create(&r.key, end_thread) != 0)
		return refuse("out of memory");
	r.is_followed = true;
	r.share->progress = QEMU_RUNNING;
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
	qemu_plugin_register_vcpu_syscall_cb(id, on_syscall);
	qemu_plugin_register_vcpu_syscall_ret_cb(id, on_return);
	qemu_plugin_register_atexit_cb(id, on_end, NULL);
	return 0;
}
