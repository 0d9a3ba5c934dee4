/* A plug-in that counts instructions as QEMU itself can, one by one and in line, for comparison: file=..., out=FILE.
 * With calls=on it is called for each block and each access instead, and does nothing: the minimum cost of any
 * recorder. With cpus=on it is called for each instruction, and counts each vCPU apart: the total, then a line for
 * each.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "workloads/record/qemu/qemu_api.h"

enum { QEMU_PLUGIN_INLINE_ADD_U64 };
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *insn, int op, void *to, uint64_t value);

void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, qemu_plugin_exec_fn *fn, int flags,
					    void *data);

QEMU_EXPORT int qemu_plugin_version = QEMU_API_VERSION;
QEMU_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info, int argc, char **argv);

static uint64_t nr_instructions;
static bool calls, cpus;
#define MAX_CPUS 4096u
static uint64_t nr_of_cpu[MAX_CPUS];
static char out[4096];

static void on_block(unsigned cpu, void *data)
{
	(void)cpu;
	nr_instructions += (uintptr_t)data;
}

static void on_instruction_of_cpu(unsigned cpu, void *data)
{
	(void)data;
	nr_of_cpu[cpu % MAX_CPUS]++;
}

static void on_access(unsigned cpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
	(void)cpu, (void)info, (void)address, (void)data;
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	(void)id;
	size_t nr = qemu_plugin_tb_n_insns(tb);
	if (calls)
		qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, QEMU_PLUGIN_CB_NO_REGS, (void *)(uintptr_t)nr);
	for (size_t i = 0; i < nr; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		if (cpus)
			qemu_plugin_register_vcpu_insn_exec_cb(insn, on_instruction_of_cpu, QEMU_PLUGIN_CB_NO_REGS,
							       NULL);
		else if (calls)
			qemu_plugin_register_vcpu_mem_cb(insn, on_access, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
							 NULL);
		else
			qemu_plugin_register_vcpu_insn_exec_inline(insn, QEMU_PLUGIN_INLINE_ADD_U64, &nr_instructions,
								   1);
	}
}

static void on_end(qemu_plugin_id_t id, void *data)
{
	(void)id, (void)data;
	FILE *f = fopen(out, "w");
	if (!f)
		return;
	for (unsigned i = 0; cpus && i < MAX_CPUS; i++)
		nr_instructions += nr_of_cpu[i];
	fprintf(f, "%llu\n", (unsigned long long)nr_instructions);
	for (unsigned i = 0; cpus && i < MAX_CPUS; i++)
		if (nr_of_cpu[i])
			fprintf(f, "%llu\n", (unsigned long long)nr_of_cpu[i]);
	fclose(f);
}

int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info, int argc, char **argv)
{
	(void)info;
	for (int i = 0; i < argc; i++) {
		if (strncmp(argv[i], "out=", 4) == 0)
			snprintf(out, sizeof(out), "%s", argv[i] + 4);
		calls |= strcmp(argv[i], "calls=on") == 0;
		cpus |= strcmp(argv[i], "cpus=on") == 0;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
	qemu_plugin_register_atexit_cb(id, on_end, NULL);
	return 0;
}
