/* What the recorder's plug-in uses of QEMU's interface for plug-ins, version 1, declared here since Debian has no
 * header for it. Source: QEMU's documentation, "QEMU TCG Plugins" (docs/devel/tcg-plugins.rst), release 7.2; symbols
 * are found in the program that loads the plug-in.
 */
#ifndef SAHM_WORKLOADS_RECORD_QEMU_QEMU_API_H
#define SAHM_WORKLOADS_RECORD_QEMU_QEMU_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define QEMU_API_VERSION 1
#define QEMU_EXPORT __attribute__((visibility("default")))

typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t; /* opaque */

struct qemu_info_t;
struct qemu_plugin_tb;	 /* a translated block */
struct qemu_plugin_insn; /* an instruction of one */

/* Registers are neither read nor written by a callback. */
enum { QEMU_PLUGIN_CB_NO_REGS };
enum { QEMU_PLUGIN_MEM_R = 1, QEMU_PLUGIN_MEM_W, QEMU_PLUGIN_MEM_RW };

typedef void qemu_plugin_block_fn(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
typedef void qemu_plugin_cpu_fn(qemu_plugin_id_t id, unsigned cpu);
typedef void qemu_plugin_exit_fn(qemu_plugin_id_t id, void *data);
typedef void qemu_plugin_exec_fn(unsigned cpu, void *data);
typedef void qemu_plugin_mem_fn(unsigned cpu, qemu_plugin_meminfo_t info, uint64_t address, void *data);
typedef void qemu_plugin_syscall_fn(qemu_plugin_id_t id, unsigned cpu, int64_t number, uint64_t a1, uint64_t a2,
				    uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8);
typedef void qemu_plugin_return_fn(qemu_plugin_id_t id, unsigned cpu, int64_t number, int64_t result);

void qemu_plugin_register_vcpu_init_cb(qemu_plugin_id_t id, qemu_plugin_cpu_fn *fn);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, qemu_plugin_block_fn *fn);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, qemu_plugin_exec_fn *fn, int flags, void *data);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, qemu_plugin_mem_fn *fn, int flags, int rw,
				      void *data);
void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t id, qemu_plugin_syscall_fn *fn);
void qemu_plugin_register_vcpu_syscall_ret_cb(qemu_plugin_id_t id, qemu_plugin_return_fn *fn);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, qemu_plugin_exit_fn *fn, void *data);

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
void *qemu_plugin_insn_haddr(const struct qemu_plugin_insn *insn); /* where it lies in QEMU's own memory */

/* log2 of the bytes that are accessed */
unsigned qemu_plugin_mem_size_shift(qemu_plugin_meminfo_t info);
bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t info);

#endif
