/* The list of instructions, and taking words apart: no two rows claim one word, every row is reached, operands come out
 * as the specification encodes them, and what it reserves is no instruction. */
#include "tests/unit/test.h"

#include <string.h>

#include "ipu/core/instruction.h"

#define FIRST_SHORT INSTRUCTION_C_ADDI4SPN

/* Rows hold what they claim to: a pattern within its mask and its width, which the two lowest bits tell. */
static void test_widths(void **state)
{
	(void)state;
	for (unsigned i = 0; i < NR_INSTRUCTIONS; i++) {
		const struct instruction_row *row = &instruction_rows[i];
		bool is_short = strncmp(row->name, "c.", 2) == 0;
		if ((row->match & ~row->mask) != 0 || (row->mask & 3) != 3)
			fail_msg("%s: match outside mask", row->name);
		if (is_short != !riscv_is_wide(row->match) || is_short != (i >= FIRST_SHORT))
			fail_msg("%s: not of its width", row->name);
		if (is_short && row->mask > 0xffff)
			fail_msg("%s: looks at 32 bits", row->name);
	}
}

/* Two patterns with a bit that both look at, and in which they differ, have no word in common. */
static void test_wide_rows_are_disjoint(void **state)
{
	(void)state;
	for (unsigned i = 0; i < FIRST_SHORT; i++) {
		const struct instruction_row *a = &instruction_rows[i];
		for (unsigned j = i + 1; j < FIRST_SHORT; j++) {
			const struct instruction_row *b = &instruction_rows[j];
			if (((a->match ^ b->match) & a->mask & b->mask) == 0)
				fail_msg("%s and %s have words in common", a->name, b->name);
		}
	}
}

/* How many half-words the specification gives to each compressed instruction of RV32, hints included: 2 to the number
 * of its free bits, less those that are reserved or another instruction's. */
static const struct {
	enum instruction_id id;
	unsigned nr_words;
} shares[] = {
	{INSTRUCTION_C_ADDI4SPN, 2048 - 8},
	{INSTRUCTION_C_LW, 2048},
	{INSTRUCTION_C_SW, 2048},
	{INSTRUCTION_C_NOP, 64},
	{INSTRUCTION_C_ADDI, 2048 - 64},
	{INSTRUCTION_C_JAL, 2048},
	{INSTRUCTION_C_LI, 2048},
	{INSTRUCTION_C_ADDI16SP, 64 - 1},
	{INSTRUCTION_C_LUI, 31 * 63},
	{INSTRUCTION_C_SRLI, 8 * 32},
	{INSTRUCTION_C_SRAI, 8 * 32},
	{INSTRUCTION_C_ANDI, 8 * 64},
	{INSTRUCTION_C_SUB, 64},
	{INSTRUCTION_C_XOR, 64},
	{INSTRUCTION_C_OR, 64},
	{INSTRUCTION_C_AND, 64},
	{INSTRUCTION_C_J, 2048},
	{INSTRUCTION_C_BEQZ, 2048},
	{INSTRUCTION_C_BNEZ, 2048},
	{INSTRUCTION_C_SLLI, 32 * 32},
	{INSTRUCTION_C_LWSP, 2048 - 64},
	{INSTRUCTION_C_JR, 31},
	{INSTRUCTION_C_MV, 32 * 31},
	{INSTRUCTION_C_EBREAK, 1},
	{INSTRUCTION_C_JALR, 31},
	{INSTRUCTION_C_ADD, 32 * 31},
	{INSTRUCTION_C_SWSP, 2048},
};

static void test_every_half_word(void **state)
{
	(void)state;
	unsigned nr_words[NR_INSTRUCTIONS + 1] = {0};
	for (uint32_t word = 0; word < 0x10000; word++) {
		struct instruction in;
		unsigned owner = INSTRUCTION_ILLEGAL;
		for (unsigned i = FIRST_SHORT; i < NR_INSTRUCTIONS; i++) {
			if (!instruction_matches(&instruction_rows[i], word))
				continue;
			if (owner != INSTRUCTION_ILLEGAL)
				fail_msg("0x%04x is %s and %s", (unsigned)word, instruction_rows[owner].name,
					 instruction_rows[i].name);
			owner = i;
		}
		if (riscv_is_wide(word)) {
			assert_int_equal(owner, INSTRUCTION_ILLEGAL);
			continue;
		}
		/* The following bytes do not matter. */
		instruction_decode(word | 0xa5a50000, &in);
		if (in.id != owner || in.nr_bytes != 2 || in.word != word)
			fail_msg("0x%04x is decoded as %u", (unsigned)word, in.id);
		nr_words[owner]++;
	}
	for (size_t i = 0; i < ARRAY_SIZE(shares); i++)
		if (nr_words[shares[i].id] != shares[i].nr_words)
			fail_msg("%s has %u half-words", instruction_rows[shares[i].id].name, nr_words[shares[i].id]);
	assert_int_equal(ARRAY_SIZE(shares), NR_INSTRUCTIONS - FIRST_SHORT);
}

/* In the GNU assembler's notation; the words are its. */
static const struct {
	const char *name;
	uint32_t word;
	enum instruction_id id;
	unsigned rd, rs1, rs2;
	int32_t imm;
} operand_rows[] = {
	{"lui a0,0xfffff", 0xfffff537, INSTRUCTION_LUI, 10, 0, 0, -4096},
	{"lui zero,0x1", 0x00001037, INSTRUCTION_LUI, 0, 0, 0, 4096},
	{"lui t6,0x80000", 0x80000fb7, INSTRUCTION_LUI, 31, 0, 0, INT32_MIN},
	{"auipc ra,0x7ffff", 0x7ffff097, INSTRUCTION_AUIPC, 1, 0, 0, 0x7ffff000},
	{"jal ra,.+1048574", 0x7ffff0ef, INSTRUCTION_JAL, 1, 0, 0, 1048574},
	{"jal zero,.-1048576", 0x8000006f, INSTRUCTION_JAL, 0, 0, 0, -1048576},
	{"jal t0,.+2048", 0x001002ef, INSTRUCTION_JAL, 5, 0, 0, 2048},
	{"jalr ra,2047(a0)", 0x7ff500e7, INSTRUCTION_JALR, 1, 10, 0, 2047},
	{"jalr zero,-2048(ra)", 0x80008067, INSTRUCTION_JALR, 0, 1, 0, -2048},
	{"beq a0,a1,.+4094", 0x7eb50fe3, INSTRUCTION_BEQ, 0, 10, 11, 4094},
	{"bne a0,a1,.-4096", 0x80b51063, INSTRUCTION_BNE, 0, 10, 11, -4096},
	{"blt t6,zero,.+2048", 0x000fc0e3, INSTRUCTION_BLT, 0, 31, 0, 2048},
	{"bge zero,t6,.-2", 0xfff05fe3, INSTRUCTION_BGE, 0, 0, 31, -2},
	{"bltu s0,s1,.+16", 0x00946863, INSTRUCTION_BLTU, 0, 8, 9, 16},
	{"bgeu a4,a5,.+32", 0x02f77063, INSTRUCTION_BGEU, 0, 14, 15, 32},
	{"lb a0,2047(sp)", 0x7ff10503, INSTRUCTION_LB, 10, 2, 0, 2047},
	{"lh a0,-2048(sp)", 0x80011503, INSTRUCTION_LH, 10, 2, 0, -2048},
	{"lw zero,-1(t6)", 0xffffa003, INSTRUCTION_LW, 0, 31, 0, -1},
	{"lbu t6,0(zero)", 0x00004f83, INSTRUCTION_LBU, 31, 0, 0, 0},
	{"lhu s2,1024(s3)", 0x4009d903, INSTRUCTION_LHU, 18, 19, 0, 1024},
	{"sb a0,2047(sp)", 0x7ea10fa3, INSTRUCTION_SB, 0, 2, 10, 2047},
	{"sh t6,-2048(zero)", 0x81f01023, INSTRUCTION_SH, 0, 0, 31, -2048},
	{"sw zero,31(a0)", 0x00052fa3, INSTRUCTION_SW, 0, 10, 0, 31},
	{"sw a0,-32(t6)", 0xfeafa023, INSTRUCTION_SW, 0, 31, 10, -32},
	{"addi a0,a1,2047", 0x7ff58513, INSTRUCTION_ADDI, 10, 11, 0, 2047},
	{"addi t6,zero,-2048", 0x80000f93, INSTRUCTION_ADDI, 31, 0, 0, -2048},
	{"addi zero,t6,-1", 0xffff8013, INSTRUCTION_ADDI, 0, 31, 0, -1},
	{"slti a0,a1,-1", 0xfff5a513, INSTRUCTION_SLTI, 10, 11, 0, -1},
	{"sltiu a0,a1,-1", 0xfff5b513, INSTRUCTION_SLTIU, 10, 11, 0, -1},
	{"xori a0,a1,-1", 0xfff5c513, INSTRUCTION_XORI, 10, 11, 0, -1},
	{"ori a0,a1,1", 0x0015e513, INSTRUCTION_ORI, 10, 11, 0, 1},
	{"andi a0,a1,255", 0x0ff5f513, INSTRUCTION_ANDI, 10, 11, 0, 255},
	{"slli a0,a1,31", 0x01f59513, INSTRUCTION_SLLI, 10, 11, 0, 31},
	{"slli a0,a1,0", 0x00059513, INSTRUCTION_SLLI, 10, 11, 0, 0},
	{"srli a0,a1,1", 0x0015d513, INSTRUCTION_SRLI, 10, 11, 0, 1},
	{"srai a0,a1,31", 0x41f5d513, INSTRUCTION_SRAI, 10, 11, 0, 31},
	{"add t6,zero,t6", 0x01f00fb3, INSTRUCTION_ADD, 31, 0, 31, 0},
	{"sub a0,a1,a2", 0x40c58533, INSTRUCTION_SUB, 10, 11, 12, 0},
	{"sll a0,a1,a2", 0x00c59533, INSTRUCTION_SLL, 10, 11, 12, 0},
	{"slt a0,a1,a2", 0x00c5a533, INSTRUCTION_SLT, 10, 11, 12, 0},
	{"sltu a0,a1,a2", 0x00c5b533, INSTRUCTION_SLTU, 10, 11, 12, 0},
	{"xor a0,a1,a2", 0x00c5c533, INSTRUCTION_XOR, 10, 11, 12, 0},
	{"srl a0,a1,a2", 0x00c5d533, INSTRUCTION_SRL, 10, 11, 12, 0},
	{"sra a0,a1,a2", 0x40c5d533, INSTRUCTION_SRA, 10, 11, 12, 0},
	{"or a0,a1,a2", 0x00c5e533, INSTRUCTION_OR, 10, 11, 12, 0},
	{"and a0,a1,a2", 0x00c5f533, INSTRUCTION_AND, 10, 11, 12, 0},
	{"fence iorw,rw", 0x0f30000f, INSTRUCTION_FENCE, 0, 0, 0, 0xf3},
	{"fence.tso", 0x8330000f, INSTRUCTION_FENCE, 0, 0, 0, 0x833},
	{"ecall", 0x00000073, INSTRUCTION_ECALL, 0, 0, 0, 0},
	{"ebreak", 0x00100073, INSTRUCTION_EBREAK, 0, 0, 0, 0},
	{"fence.i", 0x0000100f, INSTRUCTION_FENCE_I, 0, 0, 0, 0},
	{"csrrw a0,0xfff,a1", 0xfff59573, INSTRUCTION_CSRRW, 10, 11, 0, 0xfff},
	{"csrrs a0,cycle,zero", 0xc0002573, INSTRUCTION_CSRRS, 10, 0, 0, 0xc00},
	{"csrrc zero,0x800,t6", 0x800fb073, INSTRUCTION_CSRRC, 0, 31, 0, 0x800},
	{"csrrwi a0,0x7ff,31", 0x7fffd573, INSTRUCTION_CSRRWI, 10, 31, 0, 0x7ff},
	{"csrrsi zero,0,0", 0x00006073, INSTRUCTION_CSRRSI, 0, 0, 0, 0},
	{"csrrci t6,0x801,1", 0x8010fff3, INSTRUCTION_CSRRCI, 31, 1, 0, 0x801},
	{"mul a0,a1,a2", 0x02c58533, INSTRUCTION_MUL, 10, 11, 12, 0},
	{"mulh a0,a1,a2", 0x02c59533, INSTRUCTION_MULH, 10, 11, 12, 0},
	{"mulhsu a0,a1,a2", 0x02c5a533, INSTRUCTION_MULHSU, 10, 11, 12, 0},
	{"mulhu a0,a1,a2", 0x02c5b533, INSTRUCTION_MULHU, 10, 11, 12, 0},
	{"div a0,a1,a2", 0x02c5c533, INSTRUCTION_DIV, 10, 11, 12, 0},
	{"divu a0,a1,a2", 0x02c5d533, INSTRUCTION_DIVU, 10, 11, 12, 0},
	{"rem a0,a1,a2", 0x02c5e533, INSTRUCTION_REM, 10, 11, 12, 0},
	{"remu t6,t5,t4", 0x03df7fb3, INSTRUCTION_REMU, 31, 30, 29, 0},
	{"ipu.hash a0,a1,a2", 0x00c5850b, INSTRUCTION_IPU_HASH, 10, 11, 12, 0},
	{"ipu.hash zero,t6,t5", 0x01ef800b, INSTRUCTION_IPU_HASH, 0, 31, 30, 0},
	{"ipu.hist a0,t6", 0x01f5100b, INSTRUCTION_IPU_HIST, 0, 10, 31, 0},
	{"ipu.histin t6,0", 0x000fa00b, INSTRUCTION_IPU_HISTIN, 0, 31, 0, 0},
	{"ipu.histin a0,31", 0x01f5200b, INSTRUCTION_IPU_HISTIN, 0, 10, 0, 31},
	{"ipu.loop a0,4", 0x0045300b, INSTRUCTION_IPU_LOOP, 0, 10, 0, 4},
	{"ipu.loop t6,2044", 0x7fcfb00b, INSTRUCTION_IPU_LOOP, 0, 31, 0, 2044},
	{"ipu.loop zero,1024", 0x4000300b, INSTRUCTION_IPU_LOOP, 0, 0, 0, 1024},
	{"c.addi4spn s0,sp,4", 0x0040, INSTRUCTION_C_ADDI4SPN, 8, 2, 0, 4},
	{"c.addi4spn a5,sp,1020", 0x1ffc, INSTRUCTION_C_ADDI4SPN, 15, 2, 0, 1020},
	{"c.addi4spn a0,sp,512", 0x0408, INSTRUCTION_C_ADDI4SPN, 10, 2, 0, 512},
	{"c.lw s0,0(a5)", 0x4380, INSTRUCTION_C_LW, 8, 15, 0, 0},
	{"c.lw a5,124(s0)", 0x5c7c, INSTRUCTION_C_LW, 15, 8, 0, 124},
	{"c.lw a0,64(a1)", 0x41a8, INSTRUCTION_C_LW, 10, 11, 0, 64},
	{"c.sw s0,124(a5)", 0xdfe0, INSTRUCTION_C_SW, 0, 15, 8, 124},
	{"c.sw a5,4(s0)", 0xc05c, INSTRUCTION_C_SW, 0, 8, 15, 4},
	{"c.nop", 0x0001, INSTRUCTION_C_NOP, 0, 0, 0, 0},
	{"c.nop -1", 0x107d, INSTRUCTION_C_NOP, 0, 0, 0, -1},
	{"c.addi t6,31", 0x0ffd, INSTRUCTION_C_ADDI, 31, 31, 0, 31},
	{"c.addi ra,-32", 0x1081, INSTRUCTION_C_ADDI, 1, 1, 0, -32},
	{"c.addi ra,0", 0x0081, INSTRUCTION_C_ADDI, 1, 1, 0, 0},
	{"c.jal .+2046", 0x2ffd, INSTRUCTION_C_JAL, 1, 0, 0, 2046},
	{"c.jal .-2048", 0x3001, INSTRUCTION_C_JAL, 1, 0, 0, -2048},
	{"c.li t6,-32", 0x5f81, INSTRUCTION_C_LI, 31, 0, 0, -32},
	{"c.li zero,31", 0x407d, INSTRUCTION_C_LI, 0, 0, 0, 31},
	{"c.addi16sp sp,496", 0x617d, INSTRUCTION_C_ADDI16SP, 2, 2, 0, 496},
	{"c.addi16sp sp,-512", 0x7101, INSTRUCTION_C_ADDI16SP, 2, 2, 0, -512},
	{"c.addi16sp sp,16", 0x6141, INSTRUCTION_C_ADDI16SP, 2, 2, 0, 16},
	{"c.lui t6,0x1f", 0x6ffd, INSTRUCTION_C_LUI, 31, 0, 0, 0x1f000},
	{"c.lui ra,0xfffe0", 0x7081, INSTRUCTION_C_LUI, 1, 0, 0, -131072},
	{"c.lui zero,0xfffff", 0x707d, INSTRUCTION_C_LUI, 0, 0, 0, -4096},
	{"c.srli s0,31", 0x807d, INSTRUCTION_C_SRLI, 8, 8, 0, 31},
	{"c.srai a5,1", 0x8785, INSTRUCTION_C_SRAI, 15, 15, 0, 1},
	{"c.andi a5,-32", 0x9b81, INSTRUCTION_C_ANDI, 15, 15, 0, -32},
	{"c.andi s0,31", 0x887d, INSTRUCTION_C_ANDI, 8, 8, 0, 31},
	{"c.sub s0,a5", 0x8c1d, INSTRUCTION_C_SUB, 8, 8, 15, 0},
	{"c.xor a5,s0", 0x8fa1, INSTRUCTION_C_XOR, 15, 15, 8, 0},
	{"c.or a0,a1", 0x8d4d, INSTRUCTION_C_OR, 10, 10, 11, 0},
	{"c.and a0,a1", 0x8d6d, INSTRUCTION_C_AND, 10, 10, 11, 0},
	{"c.j .+2046", 0xaffd, INSTRUCTION_C_J, 0, 0, 0, 2046},
	{"c.j .-2048", 0xb001, INSTRUCTION_C_J, 0, 0, 0, -2048},
	{"c.j .+2", 0xa009, INSTRUCTION_C_J, 0, 0, 0, 2},
	{"c.beqz a5,.+254", 0xcffd, INSTRUCTION_C_BEQZ, 0, 15, 0, 254},
	{"c.beqz s0,.-256", 0xd001, INSTRUCTION_C_BEQZ, 0, 8, 0, -256},
	{"c.bnez a5,.-2", 0xfffd, INSTRUCTION_C_BNEZ, 0, 15, 0, -2},
	{"c.slli t6,31", 0x0ffe, INSTRUCTION_C_SLLI, 31, 31, 0, 31},
	{"c.slli ra,1", 0x0086, INSTRUCTION_C_SLLI, 1, 1, 0, 1},
	{"c.slli zero,0", 0x0002, INSTRUCTION_C_SLLI, 0, 0, 0, 0},
	{"c.lwsp t6,252(sp)", 0x5ffe, INSTRUCTION_C_LWSP, 31, 2, 0, 252},
	{"c.lwsp ra,0(sp)", 0x4082, INSTRUCTION_C_LWSP, 1, 2, 0, 0},
	{"c.jr t6", 0x8f82, INSTRUCTION_C_JR, 0, 31, 0, 0},
	{"c.mv t6,ra", 0x8f86, INSTRUCTION_C_MV, 31, 0, 1, 0},
	{"c.mv zero,ra", 0x8006, INSTRUCTION_C_MV, 0, 0, 1, 0},
	{"c.ebreak", 0x9002, INSTRUCTION_C_EBREAK, 0, 0, 0, 0},
	{"c.jalr t6", 0x9f82, INSTRUCTION_C_JALR, 1, 31, 0, 0},
	{"c.add t6,ra", 0x9f86, INSTRUCTION_C_ADD, 31, 31, 1, 0},
	{"c.swsp t6,252(sp)", 0xdffe, INSTRUCTION_C_SWSP, 0, 2, 31, 252},
	{"c.swsp zero,0(sp)", 0xc002, INSTRUCTION_C_SWSP, 0, 2, 0, 0},
	/* Reserved fields of a fence are ignored, whatever they hold: it is an ordinary fence. */
	{"fence with registers", 0x0ff50f8f, INSTRUCTION_FENCE, 0, 0, 0, 0x0ff},
	{"fence of mode 1", 0x1000000f, INSTRUCTION_FENCE, 0, 0, 0, 0x100},
	{"fence.i with fields", 0xfff51f8f, INSTRUCTION_FENCE_I, 0, 0, 0, 0},
};

static void test_operands(void **state)
{
	(void)state;
	bool is_seen[NR_INSTRUCTIONS] = {false};
	for (size_t i = 0; i < ARRAY_SIZE(operand_rows); i++) {
		struct instruction in;
		instruction_decode(operand_rows[i].word, &in);
		if (in.id != operand_rows[i].id || in.rd != operand_rows[i].rd || in.rs1 != operand_rows[i].rs1 ||
		    in.rs2 != operand_rows[i].rs2 || in.imm != operand_rows[i].imm)
			fail_msg("%s: row %u, rd %u, rs1 %u, rs2 %u, immediate %d", operand_rows[i].name, in.id, in.rd,
				 in.rs1, in.rs2, (int)in.imm);
		assert_int_equal(in.word, operand_rows[i].word);
		assert_int_equal(in.nr_bytes, riscv_is_wide(in.word) ? 4 : 2);
		is_seen[in.id] = true;
	}
	for (unsigned i = 0; i < NR_INSTRUCTIONS; i++)
		if (!is_seen[i])
			fail_msg("%s is not tried", instruction_rows[i].name);
}

/* A compressed instruction does what the specification says it stands for. */
static void test_expansions(void **state)
{
	(void)state;
	static const struct {
		enum instruction_id is, full;
	} rows[] = {
		{INSTRUCTION_C_ADDI4SPN, INSTRUCTION_ADDI}, {INSTRUCTION_C_LW, INSTRUCTION_LW},
		{INSTRUCTION_C_SW, INSTRUCTION_SW},	    {INSTRUCTION_C_NOP, INSTRUCTION_ADDI},
		{INSTRUCTION_C_ADDI, INSTRUCTION_ADDI},	    {INSTRUCTION_C_JAL, INSTRUCTION_JAL},
		{INSTRUCTION_C_LI, INSTRUCTION_ADDI},	    {INSTRUCTION_C_ADDI16SP, INSTRUCTION_ADDI},
		{INSTRUCTION_C_LUI, INSTRUCTION_LUI},	    {INSTRUCTION_C_SRLI, INSTRUCTION_SRLI},
		{INSTRUCTION_C_SRAI, INSTRUCTION_SRAI},	    {INSTRUCTION_C_ANDI, INSTRUCTION_ANDI},
		{INSTRUCTION_C_SUB, INSTRUCTION_SUB},	    {INSTRUCTION_C_XOR, INSTRUCTION_XOR},
		{INSTRUCTION_C_OR, INSTRUCTION_OR},	    {INSTRUCTION_C_AND, INSTRUCTION_AND},
		{INSTRUCTION_C_J, INSTRUCTION_JAL},	    {INSTRUCTION_C_BEQZ, INSTRUCTION_BEQ},
		{INSTRUCTION_C_BNEZ, INSTRUCTION_BNE},	    {INSTRUCTION_C_SLLI, INSTRUCTION_SLLI},
		{INSTRUCTION_C_LWSP, INSTRUCTION_LW},	    {INSTRUCTION_C_JR, INSTRUCTION_JALR},
		{INSTRUCTION_C_MV, INSTRUCTION_ADD},	    {INSTRUCTION_C_EBREAK, INSTRUCTION_EBREAK},
		{INSTRUCTION_C_JALR, INSTRUCTION_JALR},	    {INSTRUCTION_C_ADD, INSTRUCTION_ADD},
		{INSTRUCTION_C_SWSP, INSTRUCTION_SW},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (instruction_rows[rows[i].is].operation != instruction_rows[rows[i].full].operation)
			fail_msg("%s", instruction_rows[rows[i].is].name);
	assert_int_equal(ARRAY_SIZE(rows), NR_INSTRUCTIONS - FIRST_SHORT);
}

static void test_illegal_words(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		uint32_t word;
	} rows[] = {
		{"half-word of zeros", 0x0000},
		{"c.addi4spn of 0", 0x0004},
		{"c.addi4spn of 0, a5", 0x001c},
		{"c.addi16sp of 0", 0x6101},
		{"c.lui of 0", 0x6001},
		{"c.lui of 0, t6", 0x6f81},
		{"c.lwsp to x0", 0x4002},
		{"c.lwsp to x0 from 252", 0x507e},
		{"c.jr to x0", 0x8002},
		{"c.srli by 32 and more", 0x9001},
		{"c.srai by 32 and more", 0x9401},
		{"c.slli by 32 and more", 0x1002},
		{"c.subw", 0x9c01},
		{"c.addw", 0x9c21},
		{"reserved beside c.addw", 0x9c41},
		{"reserved beside c.addw, too", 0x9c61},
		{"reserved in quadrant 0", 0x8000},
		{"c.fld", 0x2000},
		{"c.flw", 0x6000},
		{"c.fsd", 0xa000},
		{"c.fsw", 0xe000},
		{"c.fldsp", 0x2082},
		{"c.flwsp", 0x6082},
		{"c.fsdsp", 0xa002},
		{"c.fswsp", 0xe002},
		{"all ones", 0xffffffff},
		{"slli by 32", 0x02051513},
		{"srli by 32", 0x02055513},
		{"srai by 32", 0x42055513},
		{"slli with bit 30", 0x40051513},
		{"srli with bit 26", 0x04055513},
		{"add with bit 31", 0x80c58533},
		{"and with bit 30", 0x40c5f533},
		{"mul with bit 30", 0x42c58533},
		{"jalr of function 1", 0x00001067},
		{"branch of function 2", 0x00b52063},
		{"branch of function 3", 0x00b53063},
		{"ld", 0x00053503},
		{"lwu", 0x00056503},
		{"load of function 7", 0x00057503},
		{"sd", 0x00a53023},
		{"store of function 4", 0x00a54023},
		{"miscellaneous memory of function 2", 0x0000200f},
		{"system of function 4", 0x00004073},
		{"ecall with rd", 0x000000f3},
		{"ecall with rs1", 0x00008073},
		{"uret", 0x00200073},
		{"mret", 0x30200073},
		{"wfi", 0x10500073},
		{"addiw", 0x0005051b},
		{"addw", 0x00b5053b},
		{"lr.w", 0x1005252f},
		{"flw", 0x00052507},
		{"fsw", 0x00a52027},
		{"fadd.s", 0x00b57553},
		{"fmadd.s", 0x60b57543},
		{"ipu.hash of function 1", 0x02c5850b},
		{"ipu.hist with rd", 0x01f5108b},
		{"ipu.hist with bit 31", 0x81f5100b},
		{"ipu.histin with rd", 0x000fa08b},
		{"ipu.histin of input 32", 0x0205200b},
		{"ipu.loop of nothing", 0x0005300b},
		{"ipu.loop of 1 byte", 0x0015300b},
		{"ipu.loop of 2 bytes", 0x0025300b},
		{"ipu.loop of 2046 bytes", 0x7fe5300b},
		{"ipu.loop backwards", 0xffc5300b},
		{"ipu.loop with rd", 0x0045308b},
		{"custom-0 of function 4", 0x0045400b},
		{"custom-1", 0x0000002b},
		{"first half-word of 48 bits", 0x0000001f},
		{"first half-word of 64 bits", 0x0000003f},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct instruction in;
		instruction_decode(rows[i].word, &in);
		if (in.id != INSTRUCTION_ILLEGAL || in.rd || in.rs1 || in.rs2 || in.imm ||
		    in.nr_bytes != (riscv_is_wide(rows[i].word) ? 4 : 2))
			fail_msg("%s is row %u", rows[i].name, in.id);
	}
}

TEST_FILE(test_ipu_instruction)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_widths),		cmocka_unit_test(test_wide_rows_are_disjoint),
		cmocka_unit_test(test_every_half_word), cmocka_unit_test(test_operands),
		cmocka_unit_test(test_expansions),	cmocka_unit_test(test_illegal_words),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
