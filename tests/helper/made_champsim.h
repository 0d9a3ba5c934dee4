/* A writer of ChampSim's records, and a synthetic program in them. */
#ifndef SAHM_TESTS_HELPER_MADE_CHAMPSIM_H
#define SAHM_TESTS_HELPER_MADE_CHAMPSIM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define MADE_RECORD_BYTES 64u

struct made_record {
	uint64_t ip;
	uint8_t is_branch, taken, to[2], from[4];
	uint64_t stores[2], loads[4];
};

static inline void made_record_put(const struct made_record *r, uint8_t out[MADE_RECORD_BYTES])
{
	memset(out, 0, MADE_RECORD_BYTES);
	for (unsigned byte = 0; byte < 8; byte++) {
		unsigned shift = 8 * byte;
		out[byte] = (uint8_t)(r->ip >> shift);
		for (unsigned i = 0; i < 2; i++)
			out[16 + 8 * i + byte] = (uint8_t)(r->stores[i] >> shift);
		for (unsigned i = 0; i < 4; i++)
			out[32 + 8 * i + byte] = (uint8_t)(r->loads[i] >> shift);
	}
	out[8] = r->is_branch;
	out[9] = r->taken;
	memcpy(out + 10, r->to, 2);
	memcpy(out + 12, r->from, 4);
}

/* A loop of two turns that calls a function, a repeated instruction, and one of each kind of branch. The file
 * tests/data/streams/champsim-synthetic.trace has the same. */
#define MADE_CALLED                                                                                                    \
	{.ip = 0x401000, .to = {26, 6}, .from = {26, 6}, .stores = {0x7ff8}},	      /* call 0x401100 */              \
		{.ip = 0x401100, .to = {6}, .from = {5, 6}, .stores = {0x7ff0}},      /* push rbp */                   \
		{.ip = 0x401101, .to = {5}, .from = {6}},			      /* mov rbp, rsp */               \
		{.ip = 0x401104, .to = {56}, .from = {3}, .loads = {0x9000}},	      /* mov eax, [rdi] */             \
		{.ip = 0x401106, .to = {56, 25}, .from = {56, 3}, .loads = {0x9004}}, /* add eax, [rdi + 4] */         \
		{.ip = 0x401109, .to = {91}, .from = {91, 4}, .loads = {0x9100}},     /* addsd xmm0, [rsi] */          \
		{.ip = 0x40110d, .to = {92}, .from = {91}},			      /* movaps xmm1, xmm0 */          \
		{.ip = 0x401110, .to = {6, 5}, .from = {6}, .loads = {0x7ff0}},	      /* pop rbp */                    \
		{.ip = 0x401111, .to = {26, 6}, .from = {6}, .loads = {0x7ff8}},      /* ret */                        \
	{                                                                                                              \
		.ip = 0x401005, .to = {55, 25}, .from = { 55 }                                                         \
	} /* dec ecx */

static const struct made_record made_program[] = {
	MADE_CALLED,
	{.ip = 0x401007, .is_branch = 1, .taken = 1, .to = {26}, .from = {26, 25}}, /* jne 0x401000 */
	MADE_CALLED,
	{.ip = 0x401007, .is_branch = 1, .to = {26}, .from = {26, 25}},
	/* rep movsb */
	{.ip = 0x401009, .to = {4, 3}, .from = {4, 3, 9, 25}, .stores = {0xa000}, .loads = {0x9000}},
	{.ip = 0x401009, .to = {4, 3}, .from = {4, 3, 9, 25}, .stores = {0xa001}, .loads = {0x9001}},
	{.ip = 0x401009, .to = {4, 3}, .from = {4, 3, 9, 25}},
	{.ip = 0x40100b, .to = {26, 6}, .from = {10, 26, 6}, .stores = {0x7ff8}}, /* call rax */
	{.ip = 0x401200, .to = {26, 6}, .from = {6}, .loads = {0x7ff8}},	  /* ret */
	{.ip = 0x40100d, .to = {26, 9}, .from = {25}},				  /* syscall: none of the others */
	{.ip = 0x40100f, .is_branch = 1, .to = {26}, .from = {26, 25}},		  /* jo, never taken */
	{.ip = 0x401011, .to = {3}, .from = {19, 23}},				  /* mov rdi, fs:... */
	{.ip = 0x401014, .is_branch = 1, .taken = 1, .to = {26}, .from = {7}, .loads = {0x9200}}, /* jmp [rbx] */
	{.ip = 0x401300, .is_branch = 1, .taken = 1, .to = {26}, .from = {26}},			  /* jmp 0x402000 */
	{.ip = 0x402000, .to = {10}, .from = {11, 12, 13, 14}},
};

#define NR_MADE_RECORDS (sizeof(made_program) / sizeof(made_program[0]))

#endif
