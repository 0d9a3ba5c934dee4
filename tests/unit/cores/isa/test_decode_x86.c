/* Instructions of x86-64: classes, registers and targets, as Capstone's answers are understood. */
#include <string.h>

#include "cores/isa/insn.h"
#include "tests/helper/random.h"
#include "tests/unit/test.h"

#define PC UINT64_C(0x400000)
#define BYTES(text) (const uint8_t *)(text), sizeof(text) - 1

/* clang-format off */
enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, FLAGS = 16, N = NO_REGISTER };
/* clang-format on */
#define X(n) (32 + (n))
#define ST(n) (64 + (n))

/* The bytes are those of the GNU assembler. */
static const struct {
	const char *name;
	const uint8_t *bytes;
	size_t len;
	enum insn_class class;
	uint8_t source[MAX_SOURCES], destination;
	uint64_t target;
} rows[] = {
	{"mov rax,rbx", BYTES("\x48\x89\xd8"), INSN_INTEGER, {RBX, N, N}, RAX, 0},
	{"mov eax,5", BYTES("\xb8\x05\x00\x00\x00"), INSN_INTEGER, {N, N, N}, RAX, 0},
	{"mov al,bl", BYTES("\x88\xd8"), INSN_INTEGER, {RAX, RBX, N}, RAX, 0},
	{"movzx eax,bl", BYTES("\x0f\xb6\xc3"), INSN_INTEGER, {RBX, N, N}, RAX, 0},
	{"mov rax,[rbx+rcx*8+16]", BYTES("\x48\x8b\x44\xcb\x10"), INSN_LOAD, {RBX, RCX, N}, RAX, 0},
	{"mov rax,fs:[0x28]", BYTES("\x64\x48\x8b\x04\x25\x28\x00\x00\x00"), INSN_LOAD, {N, N, N}, RAX, 0},
	{"mov rax,[rip+16]", BYTES("\x48\x8b\x05\x10\x00\x00\x00"), INSN_LOAD, {N, N, N}, RAX, 0},
	{"movsxd rax,dword ptr [rdi]", BYTES("\x48\x63\x07"), INSN_LOAD, {RDI, N, N}, RAX, 0},
	{"mov [rbx+rcx*8],rdx", BYTES("\x48\x89\x14\xcb"), INSN_STORE, {RBX, RCX, RDX}, N, 0},
	{"mov dword ptr [rsp],5", BYTES("\xc7\x04\x24\x05\x00\x00\x00"), INSN_STORE, {RSP, N, N}, N, 0},
	{"lea rax,[rbx+rcx]", BYTES("\x48\x8d\x04\x0b"), INSN_INTEGER, {RBX, RCX, N}, RAX, 0},
	{"add rax,rbx", BYTES("\x48\x01\xd8"), INSN_INTEGER, {RAX, RBX, N}, RAX, 0},
	{"add rax,[rbx]", BYTES("\x48\x03\x03"), INSN_INTEGER, {RAX, RBX, N}, RAX, 0},
	{"add [rbx],rax", BYTES("\x48\x01\x03"), INSN_INTEGER, {RBX, RAX, N}, FLAGS, 0},
	{"adc rax,rbx", BYTES("\x48\x11\xd8"), INSN_INTEGER, {RAX, RBX, FLAGS}, RAX, 0},
	{"cmp rax,rbx", BYTES("\x48\x39\xd8"), INSN_INTEGER, {RAX, RBX, N}, FLAGS, 0},
	{"test eax,eax", BYTES("\x85\xc0"), INSN_INTEGER, {RAX, N, N}, FLAGS, 0},
	{"test eax,1", BYTES("\xa9\x01\x00\x00\x00"), INSN_INTEGER, {RAX, N, N}, FLAGS, 0},
	{"test al,1", BYTES("\xa8\x01"), INSN_INTEGER, {RAX, N, N}, FLAGS, 0},
	{"cmp eax,1", BYTES("\x3d\x01\x00\x00\x00"), INSN_INTEGER, {RAX, N, N}, FLAGS, 0},
	{"cmp al,1", BYTES("\x3c\x01"), INSN_INTEGER, {RAX, N, N}, FLAGS, 0},
	{"xor eax,eax", BYTES("\x31\xc0"), INSN_INTEGER, {N, N, N}, RAX, 0},
	{"xor eax,ebx", BYTES("\x31\xd8"), INSN_INTEGER, {RAX, RBX, N}, RAX, 0},
	{"xor al,al", BYTES("\x30\xc0"), INSN_INTEGER, {RAX, N, N}, RAX, 0},
	{"sub r9,r9", BYTES("\x4d\x29\xc9"), INSN_INTEGER, {N, N, N}, R9, 0},
	{"sete al", BYTES("\x0f\x94\xc0"), INSN_INTEGER, {RAX, FLAGS, N}, RAX, 0},
	{"cmove rax,rbx", BYTES("\x48\x0f\x44\xc3"), INSN_INTEGER, {RAX, RBX, FLAGS}, RAX, 0},
	{"bswap rax", BYTES("\x48\x0f\xc8"), INSN_INTEGER, {RAX, N, N}, RAX, 0},
	{"nop", BYTES("\x90"), INSN_INTEGER, {N, N, N}, N, 0},
	{"nop word ptr [rax+rax*1+0]", BYTES("\x66\x0f\x1f\x04\x00"), INSN_INTEGER, {N, N, N}, N, 0},
	{"endbr64", BYTES("\xf3\x0f\x1e\xfa"), INSN_INTEGER, {N, N, N}, N, 0},
	{"prefetcht0 [rax]", BYTES("\x0f\x18\x08"), INSN_INTEGER, {RAX, N, N}, N, 0},
	{"imul rax,rbx", BYTES("\x48\x0f\xaf\xc3"), INSN_MULTIPLY, {RAX, RBX, N}, RAX, 0},
	{"imul rax,[rbx],5", BYTES("\x48\x6b\x03\x05"), INSN_MULTIPLY, {RBX, N, N}, RAX, 0},
	{"mul rcx", BYTES("\x48\xf7\xe1"), INSN_MULTIPLY, {RCX, RAX, N}, RAX, 0},
	{"mulx rax,rbx,rcx", BYTES("\xc4\xe2\xe3\xf6\xc1"), INSN_MULTIPLY, {RCX, RDX, N}, RAX, 0},
	{"div rcx", BYTES("\x48\xf7\xf1"), INSN_DIVIDE, {RCX, RAX, RDX}, RAX, 0},
	{"idiv dword ptr [rcx]", BYTES("\xf7\x39"), INSN_DIVIDE, {RCX, RAX, RDX}, RAX, 0},
	{"push rbx", BYTES("\x53"), INSN_STORE, {RBX, RSP, N}, RSP, 0},
	{"push qword ptr [rbx]", BYTES("\xff\x33"), INSN_STORE, {RBX, RSP, N}, RSP, 0},
	{"pop rbx", BYTES("\x5b"), INSN_LOAD, {RSP, N, N}, RBX, 0},
	{"leave", BYTES("\xc9"), INSN_LOAD, {RBP, RSP, N}, RBP, 0},
	{"movsq", BYTES("\x48\xa5"), INSN_STORE, {RDI, RSI, N}, RDI, 0},
	{"rep movsb", BYTES("\xf3\xa4"), INSN_STORE, {RDI, RSI, RCX}, RDI, 0},
	{"rep stosq", BYTES("\xf3\x48\xab"), INSN_STORE, {RDI, RAX, RCX}, RCX, 0},
	{"lodsb", BYTES("\xac"), INSN_LOAD, {RAX, RSI, N}, RAX, 0},
	{"repe cmpsb", BYTES("\xf3\xa6"), INSN_INTEGER, {RSI, RDI, RCX}, RDI, 0},
	{"cmpsd", BYTES("\xa7"), INSN_INTEGER, {RSI, RDI, N}, RDI, 0},
	{"repne scasb", BYTES("\xf2\xae"), INSN_INTEGER, {RAX, RDI, RCX}, RDI, 0},
	{"lock add [rbx],rax", BYTES("\xf0\x48\x01\x03"), INSN_ATOMIC, {RBX, RAX, N}, FLAGS, 0},
	{"lock cmpxchg [rbx],rcx", BYTES("\xf0\x48\x0f\xb1\x0b"), INSN_ATOMIC, {RBX, RCX, RAX}, RAX, 0},
	{"xchg [rbx],rax", BYTES("\x48\x87\x03"), INSN_ATOMIC, {RBX, RAX, N}, RAX, 0},
	{"xchg rbx,rax", BYTES("\x48\x93"), INSN_INTEGER, {RAX, RBX, N}, RAX, 0},
	{"xacquire lock xadd [rbx],rax", BYTES("\xf2\xf0\x48\x0f\xc1\x03"), INSN_ATOMIC, {RBX, RAX, N}, RAX, 0},
	{"movaps xmm1,xmm2", BYTES("\x0f\x28\xca"), INSN_FP_OTHER, {X(2), N, N}, X(1), 0},
	{"movsd xmm1,[rax]", BYTES("\xf2\x0f\x10\x08"), INSN_LOAD, {RAX, N, N}, X(1), 0},
	{"movsd [rax],xmm1", BYTES("\xf2\x0f\x11\x08"), INSN_STORE, {RAX, X(1), N}, N, 0},
	{"movups [rax],xmm1", BYTES("\x0f\x11\x08"), INSN_STORE, {RAX, X(1), N}, N, 0},
	{"movdqa xmm1,xmm2", BYTES("\x66\x0f\x6f\xca"), INSN_VECTOR, {X(2), N, N}, X(1), 0},
	{"movdqu xmm1,[rax]", BYTES("\xf3\x0f\x6f\x08"), INSN_LOAD, {RAX, N, N}, X(1), 0},
	{"movntdq [rax],xmm1", BYTES("\x66\x0f\xe7\x08"), INSN_STORE, {RAX, X(1), N}, N, 0},
	{"movq xmm1,rax", BYTES("\x66\x48\x0f\x6e\xc8"), INSN_VECTOR, {RAX, N, N}, X(1), 0},
	{"movd eax,xmm1", BYTES("\x66\x0f\x7e\xc8"), INSN_VECTOR, {X(1), N, N}, RAX, 0},
	{"addsd xmm1,xmm2", BYTES("\xf2\x0f\x58\xca"), INSN_FP_ADD, {X(1), X(2), N}, X(1), 0},
	{"addsd xmm1,[rax]", BYTES("\xf2\x0f\x58\x08"), INSN_FP_ADD, {X(1), RAX, N}, X(1), 0},
	{"minps xmm1,xmm2", BYTES("\x0f\x5d\xca"), INSN_FP_ADD, {X(1), X(2), N}, X(1), 0},
	{"mulpd xmm1,xmm2", BYTES("\x66\x0f\x59\xca"), INSN_FP_MULTIPLY, {X(1), X(2), N}, X(1), 0},
	{"divss xmm1,xmm2", BYTES("\xf3\x0f\x5e\xca"), INSN_FP_DIVIDE, {X(1), X(2), N}, X(1), 0},
	{"sqrtpd xmm1,xmm2", BYTES("\x66\x0f\x51\xca"), INSN_FP_DIVIDE, {X(2), N, N}, X(1), 0},
	{"cvtsi2sd xmm1,rax", BYTES("\xf2\x48\x0f\x2a\xc8"), INSN_FP_CONVERT, {X(1), RAX, N}, X(1), 0},
	{"cvttsd2si rax,xmm1", BYTES("\xf2\x48\x0f\x2c\xc1"), INSN_FP_CONVERT, {X(1), N, N}, RAX, 0},
	{"cvtss2sd xmm1,xmm2", BYTES("\xf3\x0f\x5a\xca"), INSN_FP_CONVERT, {X(1), X(2), N}, X(1), 0},
	{"roundsd xmm1,xmm2,1", BYTES("\x66\x0f\x3a\x0b\xca\x01"), INSN_FP_CONVERT, {X(1), X(2), N}, X(1), 0},
	{"sqrtsd xmm1,xmm2", BYTES("\xf2\x0f\x51\xca"), INSN_FP_DIVIDE, {X(1), X(2), N}, X(1), 0},
	{"vsqrtsd xmm1,xmm2,xmm3", BYTES("\xc5\xeb\x51\xcb"), INSN_FP_DIVIDE, {X(2), X(3), N}, X(1), 0},
	{"comisd xmm1,xmm2", BYTES("\x66\x0f\x2f\xca"), INSN_FP_OTHER, {X(1), X(2), N}, FLAGS, 0},
	{"cmpltsd xmm1,xmm2", BYTES("\xf2\x0f\xc2\xca\x01"), INSN_FP_OTHER, {X(1), X(2), N}, X(1), 0},
	{"andps xmm1,xmm2", BYTES("\x0f\x54\xca"), INSN_FP_OTHER, {X(1), X(2), N}, X(1), 0},
	{"xorps xmm1,xmm1", BYTES("\x0f\x57\xc9"), INSN_FP_OTHER, {N, N, N}, X(1), 0},
	{"shufps xmm1,xmm2,3", BYTES("\x0f\xc6\xca\x03"), INSN_FP_OTHER, {X(1), X(2), N}, X(1), 0},
	{"movmskpd eax,xmm1", BYTES("\x66\x0f\x50\xc1"), INSN_FP_OTHER, {X(1), N, N}, RAX, 0},
	{"paddd xmm1,xmm2", BYTES("\x66\x0f\xfe\xca"), INSN_VECTOR, {X(1), X(2), N}, X(1), 0},
	{"pxor xmm1,xmm1", BYTES("\x66\x0f\xef\xc9"), INSN_VECTOR, {N, N, N}, X(1), 0},
	{"pmovmskb eax,xmm1", BYTES("\x66\x0f\xd7\xc1"), INSN_VECTOR, {X(1), N, N}, RAX, 0},
	{"pshufb xmm1,[rax]", BYTES("\x66\x0f\x38\x00\x08"), INSN_VECTOR, {X(1), RAX, N}, X(1), 0},
	{"aesenc xmm1,xmm2", BYTES("\x66\x0f\x38\xdc\xca"), INSN_VECTOR, {X(1), X(2), N}, X(1), 0},
	{"paddb mm1,mm2", BYTES("\x0f\xfc\xca"), INSN_INTEGER, {ST(1), ST(2), N}, ST(1), 0},
	{"vmovups ymm1,[rax]", BYTES("\xc5\xfc\x10\x08"), INSN_LOAD, {RAX, N, N}, X(1), 0},
	{"vmovdqu [rax],ymm1", BYTES("\xc5\xfe\x7f\x08"), INSN_STORE, {RAX, X(1), N}, N, 0},
	{"vaddpd ymm1,ymm2,ymm3", BYTES("\xc5\xed\x58\xcb"), INSN_FP_ADD, {X(2), X(3), N}, X(1), 0},
	{"vmulss xmm1,xmm2,[rax]", BYTES("\xc5\xea\x59\x08"), INSN_FP_MULTIPLY, {X(2), RAX, N}, X(1), 0},
	{"vfmadd231pd ymm1,ymm2,ymm3",
	 BYTES("\xc4\xe2\xed\xb8\xcb"),
	 INSN_FP_MULTIPLY_ADD,
	 {X(1), X(2), X(3)},
	 X(1),
	 0},
	{"vfnmsub132ss xmm1,xmm2,[rax]",
	 BYTES("\xc4\xe2\x69\x9f\x08"),
	 INSN_FP_MULTIPLY_ADD,
	 {X(1), X(2), RAX},
	 X(1),
	 0},
	{"vdivpd ymm1,ymm2,ymm3", BYTES("\xc5\xed\x5e\xcb"), INSN_FP_DIVIDE, {X(2), X(3), N}, X(1), 0},
	{"vxorps xmm1,xmm2,xmm2", BYTES("\xc5\xe8\x57\xca"), INSN_FP_OTHER, {N, N, N}, X(1), 0},
	{"vxorps xmm1,xmm2,xmm3", BYTES("\xc5\xe8\x57\xcb"), INSN_FP_OTHER, {X(2), X(3), N}, X(1), 0},
	{"vpaddq ymm1,ymm2,ymm3", BYTES("\xc5\xed\xd4\xcb"), INSN_VECTOR, {X(2), X(3), N}, X(1), 0},
	{"vpcmpeqb ymm1,ymm2,[rax]", BYTES("\xc5\xed\x74\x08"), INSN_VECTOR, {X(2), RAX, N}, X(1), 0},
	{"vextracti128 [rax],ymm1,1", BYTES("\xc4\xe3\x7d\x39\x08\x01"), INSN_STORE, {RAX, X(1), N}, N, 0},
	{"vextracti128 xmm2,ymm1,1", BYTES("\xc4\xe3\x7d\x39\xca\x01"), INSN_VECTOR, {X(1), N, N}, X(2), 0},
	{"vinserti128 ymm1,ymm2,[rax],1", BYTES("\xc4\xe3\x6d\x38\x08\x01"), INSN_VECTOR, {X(2), RAX, N}, X(1), 0},
	{"vbroadcastss ymm1,[rax]", BYTES("\xc4\xe2\x7d\x18\x08"), INSN_LOAD, {RAX, N, N}, X(1), 0},
	{"vbroadcasti128 ymm1,[rax]", BYTES("\xc4\xe2\x7d\x5a\x08"), INSN_LOAD, {RAX, N, N}, X(1), 0},
	{"vbroadcasti128 ymm9,[r10+r11*8+16]",
	 BYTES("\xc4\x02\x7d\x5a\x4c\xda\x10"),
	 INSN_LOAD,
	 {R10, R11, N},
	 X(9),
	 0},
	{"vpgatherdd ymm1,[rax+ymm2*4],ymm3", BYTES("\xc4\xe2\x65\x90\x0c\x90"), INSN_LOAD, {RAX, X(2), X(3)}, X(1), 0},
	{"vpmaskmovd [rax],ymm1,ymm2", BYTES("\xc4\xe2\x75\x8e\x10"), INSN_STORE, {RAX, X(1), X(2)}, N, 0},
	{"vzeroupper", BYTES("\xc5\xf8\x77"), INSN_VECTOR, {N, N, N}, N, 0},
	{"vcvtdq2pd ymm1,xmm2", BYTES("\xc5\xfe\xe6\xca"), INSN_FP_CONVERT, {X(2), N, N}, X(1), 0},
	{"fld qword ptr [rax]", BYTES("\xdd\x00"), INSN_LOAD, {RAX, N, N}, ST(0), 0},
	{"fld st(2)", BYTES("\xd9\xc2"), INSN_FP_OTHER, {ST(2), N, N}, ST(0), 0},
	{"fstp tbyte ptr [rax]", BYTES("\xdb\x38"), INSN_STORE, {ST(0), RAX, N}, N, 0},
	{"fstp st(2)", BYTES("\xdd\xda"), INSN_FP_OTHER, {ST(2), ST(0), N}, ST(2), 0},
	{"fild dword ptr [rax]", BYTES("\xdb\x00"), INSN_FP_CONVERT, {RAX, N, N}, ST(0), 0},
	{"fistp qword ptr [rax]", BYTES("\xdf\x38"), INSN_FP_CONVERT, {ST(0), RAX, N}, N, 0},
	{"fadd st,st(1)", BYTES("\xd8\xc1"), INSN_FP_ADD, {ST(1), ST(0), N}, ST(0), 0},
	{"fadd st(1),st", BYTES("\xdc\xc1"), INSN_FP_ADD, {ST(1), ST(0), N}, ST(1), 0},
	{"faddp st(1),st", BYTES("\xde\xc1"), INSN_FP_ADD, {ST(1), ST(0), N}, ST(1), 0},
	{"fmul qword ptr [rax]", BYTES("\xdc\x08"), INSN_FP_MULTIPLY, {ST(0), RAX, N}, ST(0), 0},
	{"fdivrp st(1),st", BYTES("\xde\xf1"), INSN_FP_DIVIDE, {ST(1), ST(0), N}, ST(1), 0},
	{"fsqrt", BYTES("\xd9\xfa"), INSN_FP_DIVIDE, {ST(0), N, N}, ST(0), 0},
	{"fucomi st,st(1)", BYTES("\xdb\xe9"), INSN_FP_OTHER, {ST(1), ST(0), N}, FLAGS, 0},
	{"fxch st(1)", BYTES("\xd9\xc9"), INSN_FP_OTHER, {ST(1), ST(0), N}, ST(1), 0},
	{"fld1", BYTES("\xd9\xe8"), INSN_FP_OTHER, {N, N, N}, ST(0), 0},
	{"fchs", BYTES("\xd9\xe0"), INSN_FP_ADD, {ST(0), N, N}, ST(0), 0},
	{"fnstcw [rax]", BYTES("\xd9\x38"), INSN_SYSTEM, {RAX, N, N}, N, 0},
	{"je .+16", BYTES("\x74\x0e"), INSN_BRANCH, {FLAGS, N, N}, N, PC + 16},
	{"jg .-300", BYTES("\x0f\x8f\xce\xfe\xff\xff"), INSN_BRANCH, {FLAGS, N, N}, N, PC - 300},
	{"jrcxz .+16", BYTES("\xe3\x0e"), INSN_BRANCH, {RCX, N, N}, N, PC + 16},
	{"loop .-16", BYTES("\xe2\xee"), INSN_BRANCH, {RCX, N, N}, RCX, PC - 16},
	{"jmp .+16", BYTES("\xeb\x0e"), INSN_JUMP, {N, N, N}, N, PC + 16},
	{"jmp .+1600", BYTES("\xe9\x3b\x06\x00\x00"), INSN_JUMP, {N, N, N}, N, PC + 1600},
	{"jmp rax", BYTES("\xff\xe0"), INSN_INDIRECT_JUMP, {RAX, N, N}, N, 0},
	{"notrack jmp [rax+rbx*8]", BYTES("\x3e\xff\x24\xd8"), INSN_INDIRECT_JUMP, {RAX, RBX, N}, N, 0},
	{"call .+1600", BYTES("\xe8\x3b\x06\x00\x00"), INSN_CALL, {RSP, N, N}, RSP, PC + 1600},
	{"call [rip+16]", BYTES("\xff\x15\x10\x00\x00\x00"), INSN_INDIRECT_CALL, {RSP, N, N}, RSP, 0},
	{"call rax", BYTES("\xff\xd0"), INSN_INDIRECT_CALL, {RAX, RSP, N}, RSP, 0},
	{"ret", BYTES("\xc3"), INSN_RETURN, {RSP, N, N}, RSP, 0},
	{"ret 8", BYTES("\xc2\x08\x00"), INSN_RETURN, {RSP, N, N}, RSP, 0},
	{"repz ret", BYTES("\xf3\xc3"), INSN_RETURN, {RSP, N, N}, RSP, 0},
	{"bnd jmp .+16", BYTES("\xf2\xeb\x0d"), INSN_JUMP, {N, N, N}, N, PC + 16},
	{"mfence", BYTES("\x0f\xae\xf0"), INSN_FENCE, {N, N, N}, N, 0},
	{"lfence", BYTES("\x0f\xae\xe8"), INSN_FENCE, {N, N, N}, N, 0},
	{"sfence", BYTES("\x0f\xae\xf8"), INSN_FENCE, {N, N, N}, N, 0},
	{"syscall", BYTES("\x0f\x05"), INSN_SYSTEM, {N, N, N}, N, 0},
	{"cpuid", BYTES("\x0f\xa2"), INSN_SYSTEM, {RAX, RCX, N}, RAX, 0},
	{"rdtsc", BYTES("\x0f\x31"), INSN_SYSTEM, {N, N, N}, RAX, 0},
	{"pause", BYTES("\xf3\x90"), INSN_SYSTEM, {N, N, N}, N, 0},
	{"int3", BYTES("\xcc"), INSN_SYSTEM, {N, N, N}, N, 0},
	{"ud2", BYTES("\x0f\x0b"), INSN_SYSTEM, {N, N, N}, N, 0},
	{"hlt", BYTES("\xf4"), INSN_SYSTEM, {N, N, N}, N, 0},
	{"xgetbv", BYTES("\x0f\x01\xd0"), INSN_SYSTEM, {RCX, N, N}, RDX, 0},
	{"stmxcsr [rax]", BYTES("\x0f\xae\x18"), INSN_SYSTEM, {RAX, N, N}, N, 0},
};

static struct x86_decoder *d;

static int make_decoder(void **state)
{
	(void)state;
	return x86_decoder_new(&d, NULL) == SAHM_OK ? 0 : -1;
}

static int free_decoder(void **state)
{
	(void)state;
	x86_decoder_free(d);
	x86_decoder_free(NULL);
	return 0;
}

static void expect_unknown(const struct insn *in, size_t len, const char *name)
{
	bool fine = in->pc == PC && in->target == 0 && in->class == INSN_UNKNOWN &&
		    in->length == (len < MAX_INSN_BYTES ? len : MAX_INSN_BYTES) && in->destination == N;
	for (unsigned s = 0; s < MAX_SOURCES; s++)
		fine = fine && in->source[s] == N;
	if (!fine)
		fail_msg("%s, %zu bytes, is taken for %s of %u", name, len, insn_class_name((enum insn_class)in->class),
			 in->length);
}

static void test_instructions(void **state)
{
	bool all_fine = true;
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct insn in;
		if (!decode_x86(d, PC, rows[i].bytes, rows[i].len, &in))
			fail_msg("%s is not known", rows[i].name);
		if (in.pc == PC && in.length == rows[i].len && in.class == rows[i].class &&
		    in.target == rows[i].target && memcmp(in.source, rows[i].source, MAX_SOURCES) == 0 &&
		    in.destination == rows[i].destination)
			continue;
		all_fine = false;
		print_error("%s: %s, %u bytes, target 0x%llx, registers %u %u %u -> %u\n", rows[i].name,
			    insn_class_name((enum insn_class)in.class), in.length, (unsigned long long)in.target,
			    in.source[0], in.source[1], in.source[2], in.destination);
	}
	assert_true(all_fine);
}

/* A truncated instruction is never taken for something else; the following bytes do not matter. */
static void test_cut(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct insn whole, in;
		uint8_t more[2 * MAX_INSN_BYTES];
		for (size_t len = 1; len < rows[i].len; len++) {
			/* As long as it may read */
			uint8_t *bytes = test_malloc(len);
			memcpy(bytes, rows[i].bytes, len);
			if (decode_x86(d, PC, bytes, len, &in))
				fail_msg("%zu bytes of %s are %s", len, rows[i].name,
					 insn_class_name((enum insn_class)in.class));
			expect_unknown(&in, len, rows[i].name);
			test_free(bytes);
		}
		assert_true(decode_x86(d, PC, rows[i].bytes, rows[i].len, &whole));
		memset(more, 0xf0, sizeof(more));
		memcpy(more, rows[i].bytes, rows[i].len);
		assert_true(decode_x86(d, PC, more, sizeof(more), &in));
		assert_memory_equal(&in, &whole, sizeof(in));
	}
}

static void test_unknown(void **state)
{
	/* Of 32-bit machines, only prefixes, none at all, and longer than any. */
	static const char *const texts[] = {"\x06",
					    "\x27",
					    "\x62",
					    "\xd6",
					    "\x66\x66\x66",
					    "\xf0",
					    "\x0f\x04",
					    "\xc4\xe2\x7d\xff\xff\xff",
					    "\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x90"};
	struct insn in;
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		if (decode_x86(d, PC, (const uint8_t *)texts[i], strlen(texts[i]), &in))
			fail_msg("row %zu is %s, %u bytes", i, insn_class_name((enum insn_class)in.class), in.length);
		expect_unknown(&in, strlen(texts[i]), "nothing");
	}
}

/* Every class that there is can come out. */
static void test_classes(void **state)
{
	bool seen[NR_INSN_CLASSES] = {[INSN_UNKNOWN] = true};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		seen[rows[i].class] = true;
	for (unsigned i = 0; i < NR_INSN_CLASSES; i++)
		if (!seen[i])
			fail_msg("no row is of class %s", insn_class_name((enum insn_class)i));
}

static void test_random_bytes(void **state)
{
	uint64_t rng = 1;
	unsigned nr_known = 0;
	(void)state;
	for (unsigned i = 0; i < 100000; i++) {
		struct insn in;
		uint8_t bytes[MAX_INSN_BYTES + 1];
		size_t len = between(&rng, 1, sizeof(bytes));
		for (size_t b = 0; b < len; b++)
			bytes[b] = (uint8_t)next_random(&rng);
		if (!decode_x86(d, PC, bytes, len, &in)) {
			expect_unknown(&in, len, "random bytes");
			continue;
		}
		nr_known++;
		assert_true(in.length >= 1 && in.length <= len && in.length <= MAX_INSN_BYTES);
		assert_true(in.class < NR_INSN_CLASSES && in.class != INSN_UNKNOWN);
		for (unsigned s = 0; s < MAX_SOURCES; s++)
			assert_true(in.source[s] == N || machine_register_name(MACHINE_X86_64, in.source[s]));
		assert_true(in.destination == N || machine_register_name(MACHINE_X86_64, in.destination));
		assert_true(in.target == 0 || insn_has_target((enum insn_class)in.class));
	}
	assert_true(nr_known > 30000);
}

TEST_FILE(test_decode_x86)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_instructions), cmocka_unit_test(test_cut),
		cmocka_unit_test(test_unknown),	     cmocka_unit_test(test_classes),
		cmocka_unit_test(test_random_bytes),
	};
	return cmocka_run_group_tests(tests, make_decoder, free_decoder);
}
