#include "cores/isa/riscv_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cores/isa/insn.h"
#include "sim/base/array.h"
#include "sim/base/err.h"

/* The operands of each format, a letter for each:
 *
 *	d	register that is written
 *	s t r	registers that are read: first, second, third
 *	i	immediate, signed decimal
 *	x	shift, hexadecimal
 *	u	upper immediate: its 20 bits, hexadecimal
 *	a	address that is jumped to
 *	c	CSR, by name or number
 *	z	immediate in the place of rs1
 *	p q	accesses before and after a fence
 *	m	rounding mode, with a comma in front; nothing if it is dynamic
 *
 * Anything else stands for itself. */
static const char *const operands[NR_FORMATS] = {
	[FORMAT_NONE] = "",
	[FORMAT_R] = "d,s,t",
	[FORMAT_I] = "d,s,i",
	[FORMAT_SHIFT] = "d,s,x",
	[FORMAT_SHIFT64] = "d,s,x",
	[FORMAT_LOAD] = "d,i(s)",
	[FORMAT_JALR] = "d,i(s)",
	[FORMAT_STORE] = "t,i(s)",
	[FORMAT_B] = "s,t,a",
	[FORMAT_U] = "d,u",
	[FORMAT_J] = "d,a",
	[FORMAT_FENCE] = "p,q",
	[FORMAT_CSR] = "d,c,s",
	[FORMAT_CSRI] = "d,c,z",
	[FORMAT_LR] = "d,(s)",
	[FORMAT_AMO] = "d,t,(s)",
	[FORMAT_HIST] = "s,t",
	[FORMAT_HISTIN] = "s,i",
	[FORMAT_LOOP] = "s,i",
	[FORMAT_FLOAD] = "d,i(s)",
	[FORMAT_FSTORE] = "t,i(s)",
	[FORMAT_FD_RS1] = "d,s",
	[FORMAT_FD_FS1] = "d,s",
	[FORMAT_FD_FS1_FS2] = "d,s,t",
	[FORMAT_RD_FS1] = "d,s",
	[FORMAT_RD_FS1_FS2] = "d,s,t",
	[FORMAT_FD_RS1_RM] = "d,sm",
	[FORMAT_FD_FS1_RM] = "d,sm",
	[FORMAT_FD_FS1_FS2_RM] = "d,s,tm",
	[FORMAT_FD_FS1_FS2_FS3_RM] = "d,s,t,rm",
	[FORMAT_RD_FS1_RM] = "d,sm",
	[FORMAT_CIW] = "d,s,i",
	[FORMAT_CL] = "d,i(s)",
	[FORMAT_CLD] = "d,i(s)",
	[FORMAT_CFL] = "d,i(s)",
	[FORMAT_CS] = "t,i(s)",
	[FORMAT_CSD] = "t,i(s)",
	[FORMAT_CFS] = "t,i(s)",
	[FORMAT_C_NOP] = "d,i",
	[FORMAT_CI] = "d,i",
	[FORMAT_CI_SHIFT] = "d,x",
	[FORMAT_CI_SHIFT64] = "d,x",
	[FORMAT_C_LI] = "d,i",
	[FORMAT_C_ADDI16SP] = "d,i",
	[FORMAT_C_LUI] = "d,u",
	[FORMAT_CB_SHIFT] = "d,x",
	[FORMAT_CB_SHIFT64] = "d,x",
	[FORMAT_CB_IMM] = "d,i",
	[FORMAT_CA] = "d,t",
	[FORMAT_CJ] = "a",
	[FORMAT_CJAL] = "a",
	[FORMAT_CB] = "s,a",
	[FORMAT_C_LWSP] = "d,i(s)",
	[FORMAT_C_LDSP] = "d,i(s)",
	[FORMAT_C_FLDSP] = "d,i(s)",
	[FORMAT_C_SWSP] = "t,i(s)",
	[FORMAT_C_SDSP] = "t,i(s)",
	[FORMAT_C_FSDSP] = "t,i(s)",
	[FORMAT_C_JR] = "s",
	[FORMAT_C_JALR] = "s",
	[FORMAT_C_MV] = "d,t",
	[FORMAT_C_ADD] = "d,t",
};

const char *riscv_register_name(unsigned number)
{
	return number == 0 ? "zero" : machine_register_name(MACHINE_RV64, number);
}

const char *riscv_csr_name(uint32_t csr)
{
	/* Those that a program of user level may know, as the GNU tools call them. */
	static const struct {
		uint32_t csr;
		const char *name;
	} rows[] = {
		{0x001, "fflags"},  {0x002, "frm"},    {0x003, "fcsr"},	 {0xc00, "cycle"},    {0xc01, "time"},
		{0xc02, "instret"}, {0xc80, "cycleh"}, {0xc81, "timeh"}, {0xc82, "instreth"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].csr == csr)
			return rows[i].name;
	return NULL;
}

/* A text in the making, which never grows past its end. */
struct line {
	char *text;
	size_t len;
};

static void SAHM_PRINTF(2, 3) add(struct line *l, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	int len = vsnprintf(l->text + l->len, RISCV_TEXT_BYTES - l->len, fmt, ap);
	va_end(ap);
	if (len > 0 && (size_t)len < RISCV_TEXT_BYTES - l->len)
		l->len += (size_t)len;
}

/* An instruction while it is written. */
struct parts {
	struct riscv_registers registers;
	uint32_t word;
	int32_t immediate;
	uint64_t target;
};

/* Which accesses a fence orders: input, output, reads, writes, a bit each. */
static void add_accesses(struct line *l, uint32_t bits)
{
	if (bits == 0)
		add(l, "unknown");
	for (unsigned i = 0; i < 4; i++)
		if (bits & 8u >> i)
			add(l, "%c", "iorw"[i]);
}

static void add_csr(struct line *l, uint32_t csr)
{
	const char *name = riscv_csr_name(csr);
	if (name)
		add(l, "%s", name);
	else
		add(l, "0x%x", (unsigned)csr);
}

#define DYNAMIC 7

static void add_rounding(struct line *l, unsigned mode)
{
	static const char *const names[DYNAMIC] = {"rne", "rtz", "rdn", "rup", "rmm", "unknown", "unknown"};
	if (mode < DYNAMIC)
		add(l, ",%s", names[mode]);
}

static void add_operand(struct line *l, char letter, const struct parts *p)
{
	uint32_t immediate = (uint32_t)p->immediate;
	switch (letter) {
	case 'd':
		add(l, "%s", riscv_register_name(p->registers.destination));
		break;
	case 's':
		add(l, "%s", riscv_register_name(p->registers.source[0]));
		break;
	case 't':
		add(l, "%s", riscv_register_name(p->registers.source[1]));
		break;
	case 'r':
		add(l, "%s", riscv_register_name(p->registers.source[2]));
		break;
	case 'i':
		add(l, "%d", (int)p->immediate);
		break;
	case 'x':
		add(l, "0x%x", (unsigned)immediate);
		break;
	case 'u':
		add(l, "0x%x", (unsigned)(immediate >> 12));
		break;
	case 'a':
		add(l, "0x%llx", (unsigned long long)p->target);
		break;
	case 'c':
		add_csr(l, immediate);
		break;
	case 'z':
		add(l, "%u", (unsigned)riscv_bits(p->word, 15, 5));
		break;
	case 'p':
		add_accesses(l, immediate >> 4 & 15);
		break;
	case 'q':
		add_accesses(l, immediate & 15);
		break;
	case 'm':
		add_rounding(l, riscv_bits(p->word, 12, 3));
		break;
	default:
		add(l, "%c", letter);
		break;
	}
}

/* csrrw zero,cycle,zero, which writes what cannot be written: how compilers fill a place that is not to be reached. */
#define UNIMP UINT32_C(0xc0001073)

/* The immediate of a fence over reads and writes that lets later reads pass earlier writes. */
#define FENCE_TSO 0x833

/* Name and operands of an instruction whose name differs from that of its row. */
static bool has_other_name(const char *name, enum riscv_format format, const struct parts *p, struct line *l)
{
	switch (format) {
	case FORMAT_CI_SHIFT:
	case FORMAT_CI_SHIFT64:
	case FORMAT_CB_SHIFT:
	case FORMAT_CB_SHIFT64:
		if (p->immediate != 0)
			return false;
		add(l, "%s64\t%s", name, riscv_register_name(p->registers.destination));
		return true;
	case FORMAT_C_NOP:
		add(l, "c.addi\tzero,%d", (int)p->immediate);
		return true;
	case FORMAT_CSR:
		if (p->word != UNIMP)
			return false;
		add(l, "unimp");
		return true;
	case FORMAT_FENCE:
		if (p->immediate != FENCE_TSO)
			return false;
		add(l, "fence.tso");
		return true;
	default:
		return false;
	}
}

/* What an atomic orders, by its bits aq and rl. */
static const char *ordering(enum riscv_format format, uint32_t word)
{
	static const char *const names[] = {"", ".rl", ".aq", ".aqrl"};
	return format == FORMAT_LR || format == FORMAT_AMO ? names[riscv_bits(word, 25, 2)] : "";
}

void riscv_text(const char *name, enum riscv_format format, uint32_t word, uint64_t pc, bool is_rv64,
		char text[RISCV_TEXT_BYTES])
{
	struct line l = {.text = text};
	struct parts p = {riscv_registers(format, word), word, riscv_immediate(format, word), 0};
	p.target = pc + (uint64_t)(int64_t)p.immediate;
	if (!is_rv64)
		p.target &= UINT32_MAX;
	if (has_other_name(name, format, &p, &l))
		return;
	const char *letters = operands[format];
	add(&l, "%s%s%s", name, ordering(format, word), *letters ? "\t" : "");
	for (; *letters; letters++)
		add_operand(&l, *letters, &p);
}

bool riscv_names_target(enum riscv_format format)
{
	return strchr(operands[format], 'a') != NULL;
}
