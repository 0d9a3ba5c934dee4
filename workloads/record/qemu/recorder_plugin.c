/* The recorder's plug-in in qemu-user: models the first caches and the branch predictor in line with what a program
 * executes.
 *
 * QEMU calls once for each block that it translates, where the block is described, and then for each execution of a
 * block and for each access. A block's last instruction is the only one that can branch; where it went shows when the
 * next block begins. The first thread is followed; a child that the program forks goes on without being counted.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cores/uarch/counted_core.h"
#include "workloads/record/qemu/qemu_api.h"
#include "workloads/record/qemu_share.h"
#include "workloads/stream/stream.h"

QEMU_EXPORT int qemu_plugin_version = QEMU_API_VERSION;
QEMU_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info, int argc, char **argv);

#define FOLLOWED 0u
#define NONE UINT32_MAX /* no thread is followed any more; no block of the stream */
/* An x86-64 instruction is at most this long; pages are what QEMU ends blocks at. */
#define PAGE_BYTES 4096u

/* Bytes of the widest access that can be without QEMU splitting it. */
#define MOST_BYTES 16u

struct block {
	uint64_t first, last; /* addresses of its first and last byte */
	uint32_t nr_instructions;
	uint32_t stream_block; /* NONE: not announced yet */
	/* What its last instruction is: of branches all, else its class alone. */
	struct insn end;
	struct insn *instructions; /* for the stream, until it is announced */
};

static struct {
	struct qemu_share *share;
	struct counted_core core;
	struct x86_decoder *x86;
	struct stream_writer *stream;
	unsigned followed; /* FOLLOWED, or NONE */
	const struct block *previous;
	/* The access before this one, within the same execution of a block. */
	const void *instruction;
	uint64_t address;
	qemu_plugin_meminfo_t info;
} r;

static void end_epoch(void)
{
	struct qemu_share *s = r.share;
	s->epochs[s->nr_epochs] = s->current;
	s->nr_epochs++;
	s->current = (struct epoch_counts){0};
	if (r.stream)
		stream_writer_end_epoch(r.stream);
}

static void finish_stream(void)
{
	struct sahm_err err;
	if (!r.stream)
		return;
	if (stream_writer_finish(r.stream, &err) == SAHM_OK)
		r.share->is_stream_finished = true;
	else
		snprintf(r.share->stream_message, sizeof(r.share->stream_message), "%s", err.msg);
	r.stream = NULL;
}

/* The branch at the end of `b` went to `next`. */
static void resolve(const struct block *b, uint64_t next)
{
	enum insn_class class = b->end.class;
	uint64_t behind = b->end.pc + b->end.length;
	if (!insn_is_branch(class))
		return;
	/* A signal's handler is neither way; the branch is found again where the handler returns to. */
	bool taken = class != INSN_BRANCH || next != behind;
	if (taken && b->end.target && next != b->end.target)
		return;
	counted_core_branch(&r.core, class, b->end.pc, behind, taken, next);
}

/* Kept out of the way of blocks, which begin many times as often. */
__attribute__((noinline)) static void end_full_epoch(void)
{
	end_epoch();
	if (r.share->nr_epochs < r.share->max_epochs)
		return;
	finish_stream();
	r.share->progress = QEMU_FULL;
	kill(getpid(), SIGKILL);
	r.followed = NONE;
}

static void on_block(unsigned cpu, void *data)
{
	struct block *b = data;
	if (cpu != r.followed) {
		if (r.followed != NONE)
			r.share->other_instructions += b->nr_instructions;
		return;
	}
	struct epoch_counts *counts = &r.share->current;
	if (r.previous)
		resolve(r.previous, b->first);
	if (counts->count[COUNTER_INSTRUCTIONS] >= r.share->epoch_instructions)
		end_full_epoch();
	counts->count[COUNTER_INSTRUCTIONS] += b->nr_instructions;
	counted_core_fetch(&r.core, b->first, b->last);
	r.previous = b;
	r.instruction = NULL;
	if (!r.stream)
		return;
	if (b->instructions) {
		b->stream_block = stream_writer_block(r.stream, b->instructions, b->nr_instructions);
		free(b->instructions);
		b->instructions = NULL;
	}
	/* A stream that failed takes no more blocks; the program goes on. */
	if (b->stream_block != NONE)
		stream_writer_enter(r.stream, b->stream_block);
}

static uint64_t bytes_of(qemu_plugin_meminfo_t info)
{
	return UINT64_C(1) << qemu_plugin_mem_size_shift(info);
}

/* `data` tells instructions of a block apart: their numbers, from 1 on. */
static void on_access(unsigned cpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
	if (cpu != r.followed)
		return;
	uint64_t line = cache_line(&r.core.l1d, address);
	uint64_t last_line = cache_line(&r.core.l1d, address + MOST_BYTES - 1);
	if (last_line != line)
		last_line = cache_line(&r.core.l1d, address + bytes_of(info) - 1);
	if (r.stream)
		stream_writer_access(r.stream, (unsigned)(uintptr_t)data - 1, address, (uint32_t)bytes_of(info),
				     qemu_plugin_mem_is_store(info));
	/* What QEMU splits, vectors mostly, is one access. */
	bool goes_on = r.instruction == data && address == r.address + bytes_of(r.info) &&
		       cache_line(&r.core.l1d, address - 1) == line;
	r.instruction = data;
	r.address = address;
	r.info = info;
	if (!goes_on)
		counted_core_data(&r.core, line);
	if (last_line != line)
		counted_core_data(&r.core, last_line);
}

static bool decode_bytes(uint64_t pc, const uint8_t *bytes, size_t len, struct insn *out)
{
	return r.share->machine == MACHINE_RV64 ? decode_rv64(pc, bytes, len, out)
						: decode_x86(r.x86, pc, bytes, len, out);
}

/* Of an instruction that goes on in the next page QEMU tells only what lies before it. */
static bool goes_on_in_next_page(const struct qemu_plugin_insn *insn)
{
	return qemu_plugin_insn_vaddr(insn) % PAGE_BYTES + MAX_INSN_BYTES > PAGE_BYTES;
}

static bool decode(const struct qemu_plugin_insn *insn, struct insn *out)
{
	/* QEMU carries out the vsyscall page by itself: there are no bytes. */
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
	if (!decode(insn, out) && goes_on_in_next_page(insn) && bytes)
		decode_bytes(qemu_plugin_insn_vaddr(insn), bytes, MAX_INSN_BYTES, out);
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	(void)id;
	size_t nr = qemu_plugin_tb_n_insns(tb);
	if (r.followed == NONE || nr == 0)
		return;
	struct block *b = calloc(1, sizeof(*b));
	struct insn *all = b && r.stream ? calloc(nr, sizeof(*all)) : NULL;
	struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, nr - 1);
	if (!b || (r.stream && !all)) {
		r.share->is_short_of_memory = true;
		free(b);
		return;
	}
	/* An instruction of x86-64 that crosses into the next page is left for a block of its own, unless it is the
	 * first of this one; QEMU has told of it by then. */
	bool is_whole = decode(insn, &b->end);
	if (!is_whole && nr > 1 && r.share->machine == MACHINE_X86_64 && goes_on_in_next_page(insn)) {
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

static void on_thread(qemu_plugin_id_t id, unsigned cpu)
{
	(void)id;
	if (cpu != FOLLOWED && r.followed != NONE)
		__atomic_fetch_add(&r.share->nr_threads, 1, __ATOMIC_RELAXED);
}

static bool is_execve(int64_t number)
{
	return r.share->machine == MACHINE_RV64 ? number == 221 || number == 281 : number == 59 || number == 322;
}

static void on_syscall(qemu_plugin_id_t id, unsigned cpu, int64_t number, uint64_t a1, uint64_t a2, uint64_t a3,
		       uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8)
{
	(void)id, (void)cpu, (void)a1, (void)a2, (void)a3, (void)a4, (void)a5, (void)a6, (void)a7, (void)a8;
	if (is_execve(number) && r.followed != NONE)
		r.share->is_replaced = true;
}

static void on_return(qemu_plugin_id_t id, unsigned cpu, int64_t number, int64_t result)
{
	(void)id, (void)cpu, (void)result;
	if (is_execve(number) && r.followed != NONE)
		r.share->is_replaced = false;
}

static void on_end(qemu_plugin_id_t id, void *data)
{
	(void)id, (void)data;
	if (r.followed == NONE)
		return;
	/* An epoch that was reached by the last block is whole. */
	if (r.share->current.count[COUNTER_INSTRUCTIONS] >= r.share->epoch_instructions)
		end_epoch();
	finish_stream();
	r.share->progress = QEMU_EXITED;
	r.followed = NONE;
}

/* In a child that the program forked: its memory is its own from here on, but the share and the stream's file are not.
 */
static void on_fork(void)
{
	if (r.followed != NONE)
		__atomic_fetch_add(&r.share->nr_forks, 1, __ATOMIC_RELAXED);
	r.followed = NONE;
	r.stream = NULL;
}

static int refuse(const char *message)
{
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
	if (counted_core_init(&r.core, &r.share->cpu, &r.share->current, &err) != SAHM_OK)
		return refuse(err.msg);
	if (r.share->machine == MACHINE_X86_64 && !(r.x86 = x86_decoder_new()))
		return refuse("out of memory");
	if (*r.share->stream_path) {
		r.stream = stream_writer_new(r.share->stream_path, r.share->machine, r.share->program, &err);
		if (!r.stream)
			return refuse(err.msg);
	}
	if (pthread_atfork(NULL, NULL, on_fork) != 0)
		return refuse("out of memory");
	r.followed = FOLLOWED;
	r.share->progress = QEMU_RUNNING;
	qemu_plugin_register_vcpu_init_cb(id, on_thread);
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
	qemu_plugin_register_vcpu_syscall_cb(id, on_syscall);
	qemu_plugin_register_vcpu_syscall_ret_cb(id, on_return);
	qemu_plugin_register_atexit_cb(id, on_end, NULL);
	return 0;
}
