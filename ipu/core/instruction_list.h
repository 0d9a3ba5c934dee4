/* Every instruction of RV32I, M, Zicsr, Zifencei and C, and the IPU's own: INSTRUCTION(symbol, name, match, mask,
 * format, unless, operation).
 *
 * A word (32 bits, or 16 when its two lowest bits are not both set) is the instruction for which (word & mask) == match
 * and `unless` does not apply: a condition on fields that other rows, or nothing, own. `format` says where operands are
 * and how they are written; `operation` is what is executed: every compressed instruction is another one made short.
 * Source: RISC-V unprivileged specification, version 20191213, chapter 24 and table 16.5 to 16.7 for RV32.
 * To add one: add a row; a new operation goes into operation_list.h. */

/* RV32I */
INSTRUCTION(LUI, "lui", 0x00000037, 0x0000007f, U, NEVER, lui)
INSTRUCTION(AUIPC, "auipc", 0x00000017, 0x0000007f, U, NEVER, auipc)
INSTRUCTION(JAL, "jal", 0x0000006f, 0x0000007f, J, NEVER, jal)
INSTRUCTION(JALR, "jalr", 0x00000067, 0x0000707f, JALR, NEVER, jalr)
INSTRUCTION(BEQ, "beq", 0x00000063, 0x0000707f, B, NEVER, beq)
INSTRUCTION(BNE, "bne", 0x00001063, 0x0000707f, B, NEVER, bne)
INSTRUCTION(BLT, "blt", 0x00004063, 0x0000707f, B, NEVER, blt)
INSTRUCTION(BGE, "bge", 0x00005063, 0x0000707f, B, NEVER, bge)
INSTRUCTION(BLTU, "bltu", 0x00006063, 0x0000707f, B, NEVER, bltu)
INSTRUCTION(BGEU, "bgeu", 0x00007063, 0x0000707f, B, NEVER, bgeu)
INSTRUCTION(LB, "lb", 0x00000003, 0x0000707f, LOAD, NEVER, lb)
INSTRUCTION(LH, "lh", 0x00001003, 0x0000707f, LOAD, NEVER, lh)
INSTRUCTION(LW, "lw", 0x00002003, 0x0000707f, LOAD, NEVER, lw)
INSTRUCTION(LBU, "lbu", 0x00004003, 0x0000707f, LOAD, NEVER, lbu)
INSTRUCTION(LHU, "lhu", 0x00005003, 0x0000707f, LOAD, NEVER, lhu)
INSTRUCTION(SB, "sb", 0x00000023, 0x0000707f, STORE, NEVER, sb)
INSTRUCTION(SH, "sh", 0x00001023, 0x0000707f, STORE, NEVER, sh)
INSTRUCTION(SW, "sw", 0x00002023, 0x0000707f, STORE, NEVER, sw)
INSTRUCTION(ADDI, "addi", 0x00000013, 0x0000707f, I, NEVER, addi)
INSTRUCTION(SLTI, "slti", 0x00002013, 0x0000707f, I, NEVER, slti)
INSTRUCTION(SLTIU, "sltiu", 0x00003013, 0x0000707f, I, NEVER, sltiu)
INSTRUCTION(XORI, "xori", 0x00004013, 0x0000707f, I, NEVER, xori)
INSTRUCTION(ORI, "ori", 0x00006013, 0x0000707f, I, NEVER, ori)
INSTRUCTION(ANDI, "andi", 0x00007013, 0x0000707f, I, NEVER, andi)
INSTRUCTION(SLLI, "slli", 0x00001013, 0xfe00707f, SHIFT, NEVER, slli)
INSTRUCTION(SRLI, "srli", 0x00005013, 0xfe00707f, SHIFT, NEVER, srli)
INSTRUCTION(SRAI, "srai", 0x40005013, 0xfe00707f, SHIFT, NEVER, srai)
INSTRUCTION(ADD, "add", 0x00000033, 0xfe00707f, R, NEVER, add)
INSTRUCTION(SUB, "sub", 0x40000033, 0xfe00707f, R, NEVER, sub)
INSTRUCTION(SLL, "sll", 0x00001033, 0xfe00707f, R, NEVER, sll)
INSTRUCTION(SLT, "slt", 0x00002033, 0xfe00707f, R, NEVER, slt)
INSTRUCTION(SLTU, "sltu", 0x00003033, 0xfe00707f, R, NEVER, sltu)
INSTRUCTION(XOR, "xor", 0x00004033, 0xfe00707f, R, NEVER, xor)
INSTRUCTION(SRL, "srl", 0x00005033, 0xfe00707f, R, NEVER, srl)
INSTRUCTION(SRA, "sra", 0x40005033, 0xfe00707f, R, NEVER, sra)
INSTRUCTION(OR, "or", 0x00006033, 0xfe00707f, R, NEVER, or)
INSTRUCTION(AND, "and", 0x00007033, 0xfe00707f, R, NEVER, and)
INSTRUCTION(FENCE, "fence", 0x0000000f, 0x0000707f, FENCE, NEVER, nop)
INSTRUCTION(ECALL, "ecall", 0x00000073, 0xffffffff, NONE, NEVER, ecall)
INSTRUCTION(EBREAK, "ebreak", 0x00100073, 0xffffffff, NONE, NEVER, ebreak)

/* Zifencei */
INSTRUCTION(FENCE_I, "fence.i", 0x0000100f, 0x0000707f, NONE, NEVER, fence_i)

/* Zicsr */
INSTRUCTION(CSRRW, "csrrw", 0x00001073, 0x0000707f, CSR, NEVER, csr)
INSTRUCTION(CSRRS, "csrrs", 0x00002073, 0x0000707f, CSR, NEVER, csr)
INSTRUCTION(CSRRC, "csrrc", 0x00003073, 0x0000707f, CSR, NEVER, csr)
INSTRUCTION(CSRRWI, "csrrwi", 0x00005073, 0x0000707f, CSRI, NEVER, csr)
INSTRUCTION(CSRRSI, "csrrsi", 0x00006073, 0x0000707f, CSRI, NEVER, csr)
INSTRUCTION(CSRRCI, "csrrci", 0x00007073, 0x0000707f, CSRI, NEVER, csr)

/* RV32M */
INSTRUCTION(MUL, "mul", 0x02000033, 0xfe00707f, R, NEVER, mul)
INSTRUCTION(MULH, "mulh", 0x02001033, 0xfe00707f, R, NEVER, mulh)
INSTRUCTION(MULHSU, "mulhsu", 0x02002033, 0xfe00707f, R, NEVER, mulhsu)
INSTRUCTION(MULHU, "mulhu", 0x02003033, 0xfe00707f, R, NEVER, mulhu)
INSTRUCTION(DIV, "div", 0x02004033, 0xfe00707f, R, NEVER, div)
INSTRUCTION(DIVU, "divu", 0x02005033, 0xfe00707f, R, NEVER, divu)
INSTRUCTION(REM, "rem", 0x02006033, 0xfe00707f, R, NEVER, rem)
INSTRUCTION(REMU, "remu", 0x02007033, 0xfe00707f, R, NEVER, remu)

/* The IPU's own, on the opcode custom-0 (dissertation, section 2.3: IPU_lite; encodings and details are ours).
 *
 * ipu.hash rd, rs1, rs2	rd is the 32-bit finaliser of MurmurHash3 (public domain, Austin Appleby) of rs1 ^ rs2
 * ipu.hist rs1, rs2		counts the lanes of rs2 in the histogram whose descriptor is at rs1 (lanes_internal.h)
 * ipu.histin rs1, n		the same with input register n, or single bits of several from n on
 * ipu.loop rs1, n		the n bytes behind it are done rs1 times; before each time the hart stops with
 * HART_INPUT
 *
 * Cycles: one an instruction, as everything takes; a histogram update one for every 4 lanes begun (the instruction's
 * own and nr_extra); going back to the beginning of a loop none. */
INSTRUCTION(IPU_HASH, "ipu.hash", 0x0000000b, 0xfe00707f, R, NEVER, hash)
INSTRUCTION(IPU_HIST, "ipu.hist", 0x0000100b, 0xfe007fff, HIST, NEVER, hist)
INSTRUCTION(IPU_HISTIN, "ipu.histin", 0x0000200b, 0xfe007fff, HISTIN, NEVER, histin)
INSTRUCTION(IPU_LOOP, "ipu.loop", 0x0000300b, 0x80307fff, LOOP, IMM12_IS_0, loop)

/* RV32C, without floating point. Hints (c.li to x0, c.slli by 0, ...) are instructions that change nothing. */
INSTRUCTION(C_ADDI4SPN, "c.addi4spn", 0x0000, 0xe003, CIW, IMM8_IS_0, addi)
INSTRUCTION(C_LW, "c.lw", 0x4000, 0xe003, CL, NEVER, lw)
INSTRUCTION(C_SW, "c.sw", 0xc000, 0xe003, CS, NEVER, sw)
INSTRUCTION(C_NOP, "c.nop", 0x0001, 0xef83, C_NOP, NEVER, addi)
INSTRUCTION(C_ADDI, "c.addi", 0x0001, 0xe003, CI, RD_IS_0, addi)
INSTRUCTION(C_JAL, "c.jal", 0x2001, 0xe003, CJAL, NEVER, jal)
INSTRUCTION(C_LI, "c.li", 0x4001, 0xe003, C_LI, NEVER, addi)
INSTRUCTION(C_ADDI16SP, "c.addi16sp", 0x6101, 0xef83, C_ADDI16SP, IMM6_IS_0, addi)
INSTRUCTION(C_LUI, "c.lui", 0x6001, 0xe003, C_LUI, RD_IS_2_OR_IMM6_IS_0, lui)
INSTRUCTION(C_SRLI, "c.srli", 0x8001, 0xfc03, CB_SHIFT, NEVER, srli)
INSTRUCTION(C_SRAI, "c.srai", 0x8401, 0xfc03, CB_SHIFT, NEVER, srai)
INSTRUCTION(C_ANDI, "c.andi", 0x8801, 0xec03, CB_IMM, NEVER, andi)
INSTRUCTION(C_SUB, "c.sub", 0x8c01, 0xfc63, CA, NEVER, sub)
INSTRUCTION(C_XOR, "c.xor", 0x8c21, 0xfc63, CA, NEVER, xor)
INSTRUCTION(C_OR, "c.or", 0x8c41, 0xfc63, CA, NEVER, or)
INSTRUCTION(C_AND, "c.and", 0x8c61, 0xfc63, CA, NEVER, and)
INSTRUCTION(C_J, "c.j", 0xa001, 0xe003, CJ, NEVER, jal)
INSTRUCTION(C_BEQZ, "c.beqz", 0xc001, 0xe003, CB, NEVER, beq)
INSTRUCTION(C_BNEZ, "c.bnez", 0xe001, 0xe003, CB, NEVER, bne)
INSTRUCTION(C_SLLI, "c.slli", 0x0002, 0xf003, CI_SHIFT, NEVER, slli)
INSTRUCTION(C_LWSP, "c.lwsp", 0x4002, 0xe003, C_LWSP, RD_IS_0, lw)
INSTRUCTION(C_JR, "c.jr", 0x8002, 0xf07f, C_JR, RD_IS_0, jalr)
INSTRUCTION(C_MV, "c.mv", 0x8002, 0xf003, C_MV, RS2_IS_0, add)
INSTRUCTION(C_EBREAK, "c.ebreak", 0x9002, 0xffff, NONE, NEVER, ebreak)
INSTRUCTION(C_JALR, "c.jalr", 0x9002, 0xf07f, C_JALR, RD_IS_0, jalr)
INSTRUCTION(C_ADD, "c.add", 0x9002, 0xf003, C_ADD, RS2_IS_0, add)
INSTRUCTION(C_SWSP, "c.swsp", 0xc002, 0xe003, C_SWSP, NEVER, sw)
