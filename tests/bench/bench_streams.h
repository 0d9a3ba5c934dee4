/* The streams that benchmarks of models of cores run: of xz, perl and cc1, recorded in QEMU, and a pointer chase. */
#ifndef SAHM_TESTS_BENCH_BENCH_STREAMS_H
#define SAHM_TESTS_BENCH_BENCH_STREAMS_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cores/uarch/core_model.h"
#include "sim/base/array.h"
#include "tests/bench/bench.h"
#include "workloads/record/record_qemu.h"
#include "workloads/stream/stream.h"

#define SOURCE "/tmp/sahm-bench-core.i"
#define EPOCH_INSTRUCTIONS 1000000u
#define NR_EPOCHS 20u
#define CHASE_LOADS 2000000u
#define CHASE_LINES (UINT32_C(1) << 20)

/* The path of the plug-in, which the Makefile gives to the benchmarks that need it. */
#ifndef QEMU_PLUGIN
#define QEMU_PLUGIN ""
#endif

static inline void must(enum sahm_status status, const struct sahm_err *err)
{
	if (status == SAHM_OK)
		return;
	fprintf(stderr, "%s\n", err->msg);
	exit(1);
}

static inline void record(char **command, const char *path)
{
	struct recording r;
	struct sahm_err err;
	struct cpu cpu;
	must(cpu_read("configs/cpus/" DEFAULT_CPU ".cfg", &cpu, &err), &err);
	struct qemu_request q = {
		.common = {.command = command, .max_epochs = NR_EPOCHS, .provenance.text[PROVENANCE_NAME] = "bench"},
		.cpu = &cpu,
		.threads = QEMU_THREADS_MAIN,
		.epoch_instructions = EPOCH_INSTRUCTIONS,
		.epoch_ns = 100000000,
		.stream_path = path,
		.plugin_path = QEMU_PLUGIN,
	};
	/* The output of a command is of no interest. */
	int own = dup(STDOUT_FILENO), null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	fflush(stdout);
	if (own < 0 || null < 0 || dup2(null, STDOUT_FILENO) < 0)
		exit(1);
	must(record_qemu(&q, &r, &err), &err);
	if (dup2(own, STDOUT_FILENO) < 0)
		exit(1);
	close(own);
	close(null);
	recording_release(&r);
}

/* A load whose address is the last load's data, and three instructions around it. */
static inline void write_chase(const char *path)
{
	static const struct insn loop[] = {
		{.pc = 0x401000, .length = 3, .class = INSN_LOAD, .source = {0, NO_REGISTER, NO_REGISTER}},
		{.pc = 0x401003,
		 .length = 4,
		 .class = INSN_INTEGER,
		 .source = {1, NO_REGISTER, NO_REGISTER},
		 .destination = 1},
		{.pc = 0x401007, .length = 3, .class = INSN_INTEGER, .source = {1, 2, NO_REGISTER}, .destination = 16},
		{.pc = 0x40100a,
		 .target = 0x401000,
		 .length = 2,
		 .class = INSN_BRANCH,
		 .source = {16, NO_REGISTER, NO_REGISTER},
		 .destination = NO_REGISTER},
	};
	struct sahm_err err = {0};
	struct stream_writer *w = stream_writer_new(path, MACHINE_X86_64, "pointer chase", &err);
	uint64_t at = 1;
	if (!w)
		must(err.status, &err);
	uint32_t block = stream_writer_block(w, loop, ARRAY_SIZE(loop));
	for (unsigned i = 0; i < CHASE_LOADS; i++) {
		stream_writer_enter(w, block);
		/* A full period over a power of two. */
		at = at * 0x5851f42d4c957f2d + 1;
		stream_writer_access(w, 0, 0x10000000 + (at >> 24) % CHASE_LINES * 64, 8, false);
	}
	must(stream_writer_finish(w, &err), &err);
}

#define NR_PROGRAMS 3u
static const char *const program_names[NR_PROGRAMS] = {"xz", "perl", "cc1"};

static inline void record_program(size_t program, const char *path)
{
	static char script[] = "$x=1; for (1..200000) { $x=($x*69069+1)%4294967296; $h{$x%5000}.=chr(65+$x%26); } "
			       "print length join('',map{s/A+/b/gr}values %h)";
	static char *const xz[] = {"/usr/bin/xz", "-T1", "-k", "-c", QEMU_PLUGIN, NULL};
	static char *const perl[] = {"/usr/bin/perl", "-e", script, NULL};
	/* The recorder follows exec, but not the children of the shell. */
	static char *const cc1[] = {"/bin/sh", "-c",
				    "gcc -E -I. -D_GNU_SOURCE cores/uarch/cpu.c -o $0 && "
				    "exec $(gcc -print-prog-name=cc1) -quiet -fpreprocessed -O2 -o /dev/null $0",
				    SOURCE, NULL};
	static char *const *const commands[NR_PROGRAMS] = {xz, perl, cc1};
	record((char **)(uintptr_t)commands[program], path);
	unlink(SOURCE);
}

static inline bool has_recorder(const char *benchmark)
{
	if (system("qemu-x86_64 -h 2>/dev/null | grep -q plugin") == 0)
		return true;
	printf("%-8s no qemu-x86_64 that takes plug-ins (Debian: qemu-user)\n", benchmark);
	return false;
}

static inline void read_core(const char *name, struct core_model *out)
{
	char path[128];
	struct sahm_err err;
	snprintf(path, sizeof(path), "configs/cores/%s.cfg", name);
	must(core_model_read(path, NULL, 0, "configs/cpus", out, &err), &err);
}

#endif
