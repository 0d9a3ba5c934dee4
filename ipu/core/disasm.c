/* Instructions as text. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ipu/core/disasm.h"
#include "sim/base/array.h"
#include "sim/base/err.h"

/* The operands of each format, a letter for each:
 *
 *	d s t	registers rd, rs1, rs2
 *	i	immediate, signed decimal
 *	x	shift, hexadecimal
 *	u	upper immediate: its 20 bits, hexadecimal
 *	a	address that is jumped to
 *	c	CSR, by name or number
 *	z	immediate in the place of rs1
 *	p q	accesses before and after a fence
 *
 * Anything else stands for itself. */
static const char *const operands[NR_FORMATS] = {
	[FORMAT_NONE] = "",	    [FORMAT_R] = "d,s,t",      [FORMAT_I] = "d,s,i",	  [FORMAT_SHIFT] = "d,s,x",
	[FORMAT_LOAD] = "d,i(s)",   [FORMAT_JALR] = "d,i(s)",  [FORMAT_STORE] = "t,i(s)", [FORMAT_B] = "s,t,a",
	[FORMAT_U] = "d,u",	    [FORMAT_J] = "d,a",	       [FORMAT_FENCE] = "p,q",	  [FORMAT_CSR] = "d,c,s",
	[FORMAT_HIST] = "s,t",	    [FORMAT_HISTIN] = "s,i",   [FORMAT_LOOP] = "s,i",	  [FORMAT_CSRI] = "d,c,z",
	[FORMAT_CIW] = "d,s,i",	    [FORMAT_CL] = "d,i(s)",    [FORMAT_CS] = "t,i(s)",	  [FORMAT_C_NOP] = "d,i",
	[FORMAT_CI] = "d,i",	    [FORMAT_CI_SHIFT] = "d,x", [FORMAT_C_LI] = "d,i",	  [FORMAT_C_ADDI16SP] = "d,i",
	[FORMAT_C_LUI] = "d,u",	    [FORMAT_CB_SHIFT] = "d,x", [FORMAT_CB_IMM] = "d,i",	  [FORMAT_CA] = "d,t",
	[FORMAT_CJ] = "a",	    [FORMAT_CJAL] = "a",       [FORMAT_CB] = "s,a",	  [FORMAT_C_LWSP] = "d,i(s)",
	[FORMAT_C_SWSP] = "t,i(s)", [FORMAT_C_JR] = "s",       [FORMAT_C_JALR] = "s",	  [FORMAT_C_MV] = "d,t",
	[FORMAT_C_ADD] = "d,t",
};

const char *register_name(unsigned i)
{
	static const char names[NR_REGISTERS][5] = {
		"zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
		"a6",	"a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
	};
	return names[i];
}

const char *csr_name(uint32_t csr)
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
	int len = vsnprintf(l->text + l->len, DISASM_BYTES - l->len, fmt, ap);
	va_end(ap);
	if (len > 0 && (size_t)len < DISASM_BYTES - l->len)
		l->len += (size_t)len;
}

/* Which accesses a fence orders: input, output, reads, writes, a bit each. */
static void add_accesses(struct line *l, uint32_t bits)
{
	if (bits == 0)
		add(l, "unknown");
	for (unsigned i = 0; i < 4; i++)
		if (bits & 8u >> i)
			add(l, "%c", "iorw"[i]);
}

static void add_operand(struct line *l, char letter, const struct instruction *in, uint32_t pc)
{
	uint32_t imm = (uint32_t)in->imm;
	const char *name;
	switch (letter) {
	case 'd':
		add(l, "%s", register_name(in->rd));
		break;
	case 's':
		add(l, "%s", register_name(in->rs1));
		break;
	case 't':
		add(l, "%s", register_name(in->rs2));
		break;
	case 'i':
		add(l, "%d", (int)in->imm);
		break;
	case 'x':
		add(l, "0x%x", (unsigned)imm);
		break;
	case 'u':
		add(l, "0x%x", (unsigned)(imm >> 12));
		break;
	case 'a':
		add(l, "0x%x", (unsigned)(pc + imm));
		break;
	case 'c':
		name = csr_name(imm);
		if (name)
			add(l, "%s", name);
		else
			add(l, "0x%x", (unsigned)imm);
		break;
	case 'z':
		add(l, "%u", in->rs1);
		break;
	case 'p':
		add_accesses(l, imm >> 4 & 15);
		break;
	case 'q':
		add_accesses(l, imm & 15);
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
static bool has_other_name(const struct instruction *in, enum riscv_format format, struct line *l)
{
	switch (format) {
	case FORMAT_CI_SHIFT:
	case FORMAT_CB_SHIFT:
		if (in->imm != 0)
			return false;
		add(l, "%s64\t%s", instruction_rows[in->id].name, register_name(in->rd));
		return true;
	case FORMAT_C_NOP:
		add(l, "c.addi\tzero,%d", (int)in->imm);
		return true;
	case FORMAT_CSR:
		if (in->word != UNIMP)
			return false;
		add(l, "unimp");
		return true;
	case FORMAT_FENCE:
		if (in->imm != FENCE_TSO)
			return false;
		add(l, "fence.tso");
		return true;
	default:
		return false;
	}
}

void disasm(const struct instruction *in, uint32_t pc, char text[DISASM_BYTES])
{
	struct line l = {.text = text};
	if (in->id == INSTRUCTION_ILLEGAL) {
		add(&l, ".%ubyte\t0x%x", in->nr_bytes, (unsigned)in->word);
		return;
	}
	const struct instruction_row *row = &instruction_rows[in->id];
	if (has_other_name(in, (enum riscv_format)row->format, &l))
		return;
	const char *letters = operands[row->format];
	add(&l, "%s%s", row->name, *letters ? "\t" : "");
	for (; *letters; letters++)
		add_operand(&l, *letters, in, pc);
}

bool disasm_target(const struct instruction *in, uint32_t pc, uint32_t *target)
{
	if (in->id == INSTRUCTION_ILLEGAL || !strchr(operands[instruction_rows[in->id].format], 'a'))
		return false;
	*target = pc + (uint32_t)in->imm;
	return true;
}
