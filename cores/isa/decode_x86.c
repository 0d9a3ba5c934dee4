/* x86-64 through Capstone: what it says of an instruction, in the words of insn.h. */
#include <capstone.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cores/isa/insn.h"
#include "cores/isa/insn_text.h"
#include "sim/base/array.h"
#include "sim/base/late_library.h"

#define TEXT_OF(number) #number
#define SONAME_OF(major) "libcapstone.so." TEXT_OF(major)

#define FLAGS 16u
#define FIRST_X87 64u
#define LAST_X87 71u

enum form {
	FORM_PLAIN,
	FORM_MOVE,
	FORM_IDIOM,
	FORM_MERGE,
	FORM_NOTHING,
	FORM_X87_OPERAND, /* to the register or place that it names */
	FORM_X87_EITHER,  /* there, or to the top */
	FORM_X87_LOADS,	  /* on top of the others, of which none is read */
	FORM_X87_FLAGS,
	FORM_X87_NOWHERE,
};

/* Rows of x86_class_list.h. */
static const struct {
	uint16_t first, last;
	uint8_t class, form;
} class_rows[] = {
#define X86_CLASSES(first, last, class, form) {X86_INS_##first, X86_INS_##last, INSN_##class, FORM_##form},
#define X86_CLASS(id, class, form) X86_CLASSES(id, id, class, form)
#define X86_PAIR(a, b, class, form) X86_CLASS(a, class, form) X86_CLASS(b, class, form)
#define X86_FLOATS(stem, class, form)                                                                                  \
	X86_PAIR(stem##PS, stem##PD, class, form) X86_PAIR(stem##SS, stem##SD, class, form)
#include "cores/isa/x86_class_list.h"
#undef X86_CLASSES
#undef X86_CLASS
#undef X86_PAIR
#undef X86_FLOATS
};

/* The registers by Capstone's names, all widths of one alike: the first, how many follow one another, the number of the
 * first (insn.h). Registers in no row (instruction pointer, segments, control registers, status words) are not
 * reported. */
static const struct {
	uint16_t first;
	uint8_t nr, number;
} register_rows[] = {
	{X86_REG_RAX, 1, 0},	 {X86_REG_EAX, 1, 0},	 {X86_REG_AX, 1, 0},	 {X86_REG_AL, 1, 0},
	{X86_REG_AH, 1, 0},	 {X86_REG_RCX, 1, 1},	 {X86_REG_ECX, 1, 1},	 {X86_REG_CX, 1, 1},
	{X86_REG_CL, 1, 1},	 {X86_REG_CH, 1, 1},	 {X86_REG_RDX, 1, 2},	 {X86_REG_EDX, 1, 2},
	{X86_REG_DX, 1, 2},	 {X86_REG_DL, 1, 2},	 {X86_REG_DH, 1, 2},	 {X86_REG_RBX, 1, 3},
	{X86_REG_EBX, 1, 3},	 {X86_REG_BX, 1, 3},	 {X86_REG_BL, 1, 3},	 {X86_REG_BH, 1, 3},
	{X86_REG_RSP, 1, 4},	 {X86_REG_ESP, 1, 4},	 {X86_REG_SP, 1, 4},	 {X86_REG_SPL, 1, 4},
	{X86_REG_RBP, 1, 5},	 {X86_REG_EBP, 1, 5},	 {X86_REG_BP, 1, 5},	 {X86_REG_BPL, 1, 5},
	{X86_REG_RSI, 1, 6},	 {X86_REG_ESI, 1, 6},	 {X86_REG_SI, 1, 6},	 {X86_REG_SIL, 1, 6},
	{X86_REG_RDI, 1, 7},	 {X86_REG_EDI, 1, 7},	 {X86_REG_DI, 1, 7},	 {X86_REG_DIL, 1, 7},
	{X86_REG_R8, 8, 8},	 {X86_REG_R8D, 8, 8},	 {X86_REG_R8W, 8, 8},	 {X86_REG_R8B, 8, 8},
	{X86_REG_EFLAGS, 1, 16}, {X86_REG_XMM0, 32, 32}, {X86_REG_YMM0, 32, 32}, {X86_REG_ZMM0, 32, 32},
	{X86_REG_ST0, 8, 64},	 {X86_REG_MM0, 8, 64},	 {X86_REG_K0, 8, 72},
};

struct x86_decoder {
	struct {
		__typeof__(cs_open) *cs_open;
		__typeof__(cs_close) *cs_close;
		__typeof__(cs_option) *cs_option;
		__typeof__(cs_malloc) *cs_malloc;
		__typeof__(cs_free) *cs_free;
		__typeof__(cs_disasm_iter) *cs_disasm_iter;
	} calls; /* of Capstone */
	csh capstone;
	cs_insn *found;
	struct {
		bool known;
		uint8_t class, form;
	} classes[X86_INS_ENDING];
	uint8_t numbers[X86_REG_ENDING]; /* NO_REGISTER: not reported */
};

static enum sahm_status load_capstone(struct x86_decoder *d, struct sahm_err *err)
{
	const struct late_call calls[] = {
		{"cs_open", &d->calls.cs_open},	    {"cs_close", &d->calls.cs_close},
		{"cs_option", &d->calls.cs_option}, {"cs_malloc", &d->calls.cs_malloc},
		{"cs_free", &d->calls.cs_free},	    {"cs_disasm_iter", &d->calls.cs_disasm_iter},
	};
	return late_library_load(SONAME_OF(CS_API_MAJOR), calls, ARRAY_SIZE(calls), err);
}

enum sahm_status x86_decoder_new(struct x86_decoder **decoder, struct sahm_err *err)
{
	struct x86_decoder *d = calloc(1, sizeof(*d));
	if (!d)
		return sahm_fail_nomem(err);
	enum sahm_status status = load_capstone(d, err);
	if (status == SAHM_OK && d->calls.cs_open(CS_ARCH_X86, CS_MODE_64, &d->capstone) != CS_ERR_OK)
		status = sahm_fail_nomem(err);
	if (status != SAHM_OK) {
		free(d);
		return status;
	}
	if (d->calls.cs_option(d->capstone, CS_OPT_DETAIL, CS_OPT_ON) == CS_ERR_OK)
		d->found = d->calls.cs_malloc(d->capstone);
	if (!d->found) {
		x86_decoder_free(d);
		return sahm_fail_nomem(err);
	}
	for (size_t i = 0; i < ARRAY_SIZE(class_rows); i++)
		for (unsigned id = class_rows[i].first; id <= class_rows[i].last; id++) {
			d->classes[id].known = true;
			d->classes[id].class = class_rows[i].class;
			d->classes[id].form = class_rows[i].form;
		}
	memset(d->numbers, NO_REGISTER, sizeof(d->numbers));
	for (size_t i = 0; i < ARRAY_SIZE(register_rows); i++)
		for (unsigned n = 0; n < register_rows[i].nr; n++)
			d->numbers[register_rows[i].first + n] = (uint8_t)(register_rows[i].number + n);
	*decoder = d;
	return SAHM_OK;
}

void x86_decoder_free(struct x86_decoder *d)
{
	if (!d)
		return;
	if (d->found)
		d->calls.cs_free(d->found, 1);
	d->calls.cs_close(&d->capstone);
	free(d);
}

/* An instruction while it is described. */
struct described {
	const struct x86_decoder *d;
	const cs_insn *in;
	const cs_x86 *x;
	const cs_detail *detail;
	enum form form;
	struct insn *out;
	unsigned nr_sources;
	bool reads_flags;
};

static bool in_group(const struct described *b, unsigned first, unsigned last)
{
	for (unsigned i = 0; i < b->detail->groups_count; i++)
		if (b->detail->groups[i] >= first && b->detail->groups[i] <= last)
			return true;
	return false;
}

static const cs_x86_op *memory_operand(const struct described *b)
{
	for (unsigned i = 0; i < b->x->op_count; i++)
		if (b->x->operands[i].type == X86_OP_MEM)
			return &b->x->operands[i];
	return NULL;
}

static unsigned number_of(const struct described *b, unsigned reg)
{
	return reg < X86_REG_ENDING ? b->d->numbers[reg] : NO_REGISTER;
}

static bool is_vector(unsigned number)
{
	return number >= 32 && number < 64;
}

static bool names_vector(const struct described *b)
{
	for (unsigned i = 0; i < b->x->op_count; i++)
		if (b->x->operands[i].type == X86_OP_REG && is_vector(number_of(b, b->x->operands[i].reg)))
			return true;
	return false;
}

/* Flags wait for the end: where there are more sources than fit, the others matter more. */
static void add_source(struct described *b, unsigned reg)
{
	unsigned number = number_of(b, reg);
	if (number == FLAGS)
		b->reads_flags = true;
	if (number == NO_REGISTER || number == FLAGS || b->nr_sources == MAX_SOURCES)
		return;
	for (unsigned i = 0; i < b->nr_sources; i++)
		if (b->out->source[i] == number)
			return;
	b->out->source[b->nr_sources++] = (uint8_t)number;
}

static void add_destination(struct described *b, unsigned reg)
{
	unsigned number = number_of(b, reg);
	if (number != NO_REGISTER && (b->out->destination == NO_REGISTER || b->out->destination == FLAGS))
		b->out->destination = (uint8_t)number;
}

/* Capstone forgets what a merge keeps, and has TEST with an immediate value write the register that it tests. */
static unsigned access_of(const struct described *b, unsigned i)
{
	const cs_x86_op *op = &b->x->operands[i];
	if (b->in->id == X86_INS_TEST)
		return CS_AC_READ;
	if (b->form == FORM_MERGE && i == 0 && b->x->op_count == 2)
		return CS_AC_READ | CS_AC_WRITE;
	return op->access;
}

/* Both sources of an exclusive-or and its kin are the same register: what it held does not matter. */
static bool is_idiom(const struct described *b)
{
	const cs_x86_op *op = b->x->operands;
	unsigned last = b->x->op_count;
	return b->form == FORM_IDIOM && last >= 2 && op[last - 1].type == X86_OP_REG &&
	       op[last - 2].type == X86_OP_REG && op[last - 1].reg == op[last - 2].reg && op[0].size >= 4;
}

/* Parts of general registers are written into what is there; zeros above 32 bits are not. */
static bool is_partial(const struct described *b, const cs_x86_op *op)
{
	return op->size < 4 && number_of(b, op->reg) < FLAGS;
}

/* Opcodes of one byte: MOVS and CMPS, STOS, LODS and SCAS. */
static bool is_string(const struct described *b)
{
	uint8_t opcode = b->x->opcode[0];
	return ((opcode >= 0xa4 && opcode <= 0xa7) || (opcode >= 0xaa && opcode <= 0xaf)) && !names_vector(b) &&
	       memory_operand(b);
}

static bool is_x87(const struct described *b)
{
	return b->x->opcode[0] >= 0xd8 && b->x->opcode[0] <= 0xdf && !names_vector(b) && b->out->class != INSN_SYSTEM;
}

static void name_registers(struct described *b)
{
	bool idiom = is_idiom(b);
	for (unsigned i = 0; i < b->x->op_count; i++) {
		const cs_x86_op *op = &b->x->operands[i];
		unsigned access = access_of(b, i);
		if (op->type == X86_OP_MEM) {
			add_source(b, op->mem.base);
			add_source(b, op->mem.index);
		} else if (op->type == X86_OP_REG) {
			if (!idiom && ((access & CS_AC_READ) || ((access & CS_AC_WRITE) && is_partial(b, op))))
				add_source(b, op->reg);
			if (access & CS_AC_WRITE)
				add_destination(b, op->reg);
		}
	}
	for (unsigned i = 0; i < b->detail->regs_read_count; i++)
		add_source(b, b->detail->regs_read[i]);
	for (unsigned i = 0; i < b->detail->regs_write_count; i++)
		add_destination(b, b->detail->regs_write[i]);
	/* Capstone does not report how the register that is compared is used. */
	if (b->in->id == X86_INS_CMPXCHG)
		add_destination(b, X86_REG_RAX);
	/* Of the flags, instructions that move strings read only the direction, which no other instruction computes. */
	if (is_string(b))
		b->reads_flags = false;
}

/* Capstone knows next to nothing of what x87 instructions read and write: the top of the stack and the register that
 * they name, or one of them. Numbers are relative to the top as it was before. */
static void name_x87_registers(struct described *b)
{
	unsigned named = X86_REG_INVALID;
	for (unsigned i = 0; i < b->x->op_count; i++) {
		const cs_x86_op *op = &b->x->operands[i];
		unsigned number = op->type == X86_OP_REG ? number_of(b, op->reg) : NO_REGISTER;
		/* Where both are written out, the other one is the top. */
		if (number >= FIRST_X87 && number <= LAST_X87 && (named == X86_REG_INVALID || number > FIRST_X87))
			named = op->reg;
	}
	add_source(b, named);
	if (b->form != FORM_X87_LOADS)
		add_source(b, X86_REG_ST0);
	const cs_x86_op *memory = memory_operand(b);
	if (memory) {
		add_source(b, memory->mem.base);
		add_source(b, memory->mem.index);
	}
	for (unsigned i = 0; i < b->detail->regs_read_count; i++)
		add_source(b, b->detail->regs_read[i]);
	/* DC and DE write the register that they name, D8 the top. */
	if (b->form == FORM_X87_OPERAND || (b->form == FORM_X87_EITHER && !memory && (b->x->opcode[0] & 4)))
		add_destination(b, named);
	else if (b->form == FORM_X87_FLAGS)
		add_destination(b, X86_REG_EFLAGS);
	else if (b->form != FORM_X87_NOWHERE)
		add_destination(b, X86_REG_ST0);
}

/* Of an instruction that is in no row: by the groups that Capstone puts it into, then by its registers. */
static enum insn_class class_by_group(const struct described *b)
{
	if (in_group(b, X86_GRP_JUMP, X86_GRP_JUMP))
		return INSN_INDIRECT_JUMP;
	if (in_group(b, X86_GRP_CALL, X86_GRP_CALL))
		return INSN_INDIRECT_CALL;
	if (in_group(b, X86_GRP_RET, X86_GRP_RET))
		return INSN_RETURN;
	if (in_group(b, X86_GRP_INT, X86_GRP_PRIVILEGE) || in_group(b, X86_GRP_VM, X86_GRP_VM))
		return INSN_SYSTEM;
	if (in_group(b, X86_GRP_FMA, X86_GRP_FMA4))
		return INSN_FP_MULTIPLY_ADD;
	if (in_group(b, X86_GRP_FPU, X86_GRP_FPU))
		return INSN_FP_OTHER;
	return names_vector(b) ? INSN_VECTOR : INSN_INTEGER;
}

/* Capstone keeps one prefix of those that repeat, lock and elide locks. */
static bool is_locked(const struct described *b)
{
	for (unsigned i = 0; i < b->in->size; i++) {
		if (b->in->bytes[i] == X86_PREFIX_LOCK)
			return true;
		if (!memchr("\x26\x2e\x36\x3e\x64\x65\x66\x67\xf2\xf3", b->in->bytes[i], 10))
			return false;
	}
	return false;
}

static enum insn_class class_of(const struct described *b)
{
	enum insn_class class =
		b->d->classes[b->in->id].known ? (enum insn_class)b->d->classes[b->in->id].class : class_by_group(b);
	const cs_x86_op *memory = memory_operand(b);
	bool is_direct = b->x->op_count > 0 && b->x->operands[0].type == X86_OP_IMM;
	if (is_locked(b) || (b->in->id == X86_INS_XCHG && memory))
		return INSN_ATOMIC;
	if (class == INSN_JUMP && !is_direct)
		return INSN_INDIRECT_JUMP;
	if (class == INSN_CALL && !is_direct)
		return INSN_INDIRECT_CALL;
	/* Two instructions have this name: one compares strings. */
	if (b->in->id == X86_INS_CMPSD && !names_vector(b))
		return INSN_INTEGER;
	if (b->form == FORM_MOVE && memory)
		return memory == &b->x->operands[0] ? INSN_STORE : INSN_LOAD;
	/* Of x87, those that convert are in another class. */
	if (class == INSN_FP_OTHER && memory && b->form == FORM_X87_LOADS)
		return INSN_LOAD;
	if (class == INSN_FP_OTHER && memory && b->form == FORM_X87_OPERAND)
		return INSN_STORE;
	return class;
}

/* VBROADCASTI128 is not in Capstone's tables, VBROADCASTF128 is and differs only in its opcode: VEX, 256 bits, 66,
 * 0F38. Whether `to`, room for MAX_INSN_BYTES, now holds what can be decoded instead of the `len` bytes. */
static bool stands_for(const uint8_t *bytes, size_t len, uint8_t *to)
{
	if (len < 5 || bytes[0] != 0xc4 || (bytes[1] & 0x1f) != 2 || (bytes[2] & 0x7f) != 0x7d || bytes[3] != 0x5a)
		return false;
	memcpy(to, bytes, len < MAX_INSN_BYTES ? len : MAX_INSN_BYTES);
	to[3] = 0x1a;
	return true;
}

static bool disassemble(struct x86_decoder *d, uint64_t pc, const uint8_t *bytes, size_t len)
{
	return d->calls.cs_disasm_iter(d->capstone, &bytes, &len, &pc, d->found) && d->found->size >= 1 &&
	       d->found->size <= MAX_INSN_BYTES && d->found->id < X86_INS_ENDING;
}

unsigned insn_text_x86(struct x86_decoder *d, uint64_t pc, const uint8_t *bytes, size_t len, char text[INSN_TEXT_BYTES])
{
	uint8_t other[MAX_INSN_BYTES];
	size_t known = len < MAX_INSN_BYTES ? len : MAX_INSN_BYTES;
	const char *mnemonic = d->found->mnemonic;
	text[0] = '\0';
	if (!disassemble(d, pc, bytes, known)) {
		if (!stands_for(bytes, known, other) || !disassemble(d, pc, other, known))
			return 0;
		mnemonic = "vbroadcasti128";
	}
	const char *operands = d->found->op_str;
	snprintf(text, INSN_TEXT_BYTES, "%s%s%s", mnemonic, *operands ? " " : "", operands);
	return d->found->size;
}

bool decode_x86(struct x86_decoder *d, uint64_t pc, const uint8_t *bytes, size_t len, struct insn *out)
{
	uint8_t other[MAX_INSN_BYTES];
	insn_unknown(pc, len, out);
	size_t known = len < MAX_INSN_BYTES ? len : MAX_INSN_BYTES;
	if (!disassemble(d, pc, bytes, known) && !(stands_for(bytes, known, other) && disassemble(d, pc, other, known)))
		return false;
	struct described b = {.d = d,
			      .in = d->found,
			      .x = &d->found->detail->x86,
			      .detail = d->found->detail,
			      .form = (enum form)d->classes[d->found->id].form,
			      .out = out};
	out->length = (uint8_t)d->found->size;
	out->class = (uint8_t)class_of(&b);
	if (insn_has_target((enum insn_class)out->class))
		out->target = (uint64_t)b.x->operands[0].imm;
	if (is_x87(&b))
		name_x87_registers(&b);
	else if (b.form != FORM_NOTHING)
		name_registers(&b);
	if (b.reads_flags && b.nr_sources < MAX_SOURCES)
		out->source[b.nr_sources] = FLAGS;
	return true;
}
