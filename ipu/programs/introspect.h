/* For C programs that run on an IPU: inputs, packets, timer, and the instructions that other processors lack.
 *
 *	#include "introspect.h"
 *
 *	IPU_INPUT(branches, 1, 64)
 *
 *	void _main(void)
 *	{
 *		ipu_put32(branches());
 *		ipu_send();
 *	}
 *
 *	riscv64-unknown-elf-gcc -march=rv32im_zicsr -mabi=ilp32 -O2 -ffreestanding -c program.c
 *	riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -nostdlib -static -T ipu.ld -o program.elf program.o -lgcc
 *
 * There is no C library. Code has 8 KB, data and stack have 32 KB, and both are separate memories: a function can
 * be called but not read. Data persists from call to call, and so do registers other than sp and ra. Every instruction
 * takes one IPU cycle unless stated below; a load, a store, a multiplication and a division take one, too. Misaligned
 * accesses are faults; of those that it can tell the compiler makes several narrow ones.
 */
#ifndef SAHM_INTROSPECT_H
#define SAHM_INTROSPECT_H

#include <stdint.h>

#define IPU_INLINE static inline __attribute__((always_inline))

/* The three places where a program begins, functions without arguments and results; only _main is required. It runs
 * once for each new set of inputs, and what arrives while it runs is dropped; the inputs keep their values until it
 * returns. */
void _main(void);
/* Runs once, at power-on, before there are inputs. */
void init(void) __attribute__((section(".text.init")));
/* Runs when the host ends the introspection: 16 instructions, so it had better call another function. */
void finish(void) __attribute__((section(".text.finish")));

#define IPU_STRING_(text) #text
#define IPU_STRING(text) IPU_STRING_(text)

/* Declares an input as the ABI spec of the HIT has it, and functions that read it: name() its lower 32 bits,
 * name_high() those above (0 where it has none), name_64() both. Reading takes a cycle for each 32 bits. A program with
 * an input that the spec lacks, or has elsewhere or with another width, is refused when it is loaded. An input can be a
 * level, which always has a value: _main and each round of a loop see that of the cycle in which their set came. `reg`,
 * from 0 to 31, and `bits`, from 1 to 64, are numbers. The declaration is a symbol "ipu.input.<name>" whose value holds
 * both. */
#define IPU_INPUT(name, reg, bits)                                                                                     \
	_Static_assert((reg) >= 0 && (reg) < 32 && (bits) >= 1 && (bits) <= 64, "input " #name);                       \
	__asm__(".globl \"ipu.input." #name "\"\n"                                                                     \
		".set \"ipu.input." #name "\", 0xf0000000 | (" IPU_STRING(bits) ") << 8 | (" IPU_STRING(reg) ")");     \
	IPU_INLINE uint32_t name(void)                                                                                 \
	{                                                                                                              \
		return IPU_READ_CSR(0xcc0 + (reg));                                                                    \
	}                                                                                                              \
	IPU_INLINE uint32_t name##_high(void)                                                                          \
	{                                                                                                              \
		return IPU_READ_CSR(0xce0 + (reg));                                                                    \
	}                                                                                                              \
	IPU_INLINE uint64_t name##_64(void)                                                                            \
	{                                                                                                              \
		return (uint64_t)IPU_READ_CSR(0xce0 + (reg)) << 32 | IPU_READ_CSR(0xcc0 + (reg));                      \
	}

#define IPU_READ_CSR(number)                                                                                           \
	({                                                                                                             \
		uint32_t value_;                                                                                       \
		__asm__ volatile("csrr %0, %1" : "=r"(value_) : "i"(number));                                          \
		value_;                                                                                                \
	})
#define IPU_WRITE_CSR(number, value) __asm__ volatile("csrw %1, %0" : : "r"((uint32_t)(value)), "i"(number) : "memory")

/* Bit i is set if input register i has a data point in the present set of inputs. Bits of levels are never set: where
 * all data points of an ABI spec are events (rate 0), this word says which events there are. */
IPU_INLINE uint32_t ipu_valid(void)
{
	return IPU_READ_CSR(0x800);
}

/* The IPU's state, as the host sees it. */
enum { IPU_UNDEFINED, IPU_PAUSED, IPU_ACTIVE_PAUSED, IPU_ACTIVE_RUNNING, IPU_FINALIZE, IPU_ERROR };
IPU_INLINE uint32_t ipu_status(void)
{
	return IPU_READ_CSR(0x801);
}

/* Has `handler` called every `period` cycles of the HIT (0: no more). It does not interrupt: while another routine
 * runs, it waits, and a period that ends meanwhile is missed. The handler sees the levels of the cycle in which its
 * period ended, however long it waits, and the data points of the last set that was taken. (In a run of the simulator
 * the HIT is a core with a clock of some GHz: a short period is a million calls for each ms.) */
IPU_INLINE void ipu_set_timer(uint32_t period, void (*handler)(void))
{
	IPU_WRITE_CSR(0x803, handler);
	IPU_WRITE_CSR(0x802, period);
}

/* Packets. Stores in the window of the host are appended to the packet under construction, the low byte first; one
 * store is one cycle. It may be put together over many calls of _main. At most 65,532 bytes. */
#define IPU_WINDOW UINT32_C(0x80000000)
#define IPU_WINDOW_SEND UINT32_C(0x8000fffc)
/* Any place in the window will do: this one has the upper bits of IPU_WINDOW_SEND in the instructions that make it. */
#define IPU_WINDOW_PUT UINT32_C(0x8000fff8)

IPU_INLINE void ipu_put8(uint32_t value)
{
	*(volatile uint8_t *)IPU_WINDOW_PUT = (uint8_t)value;
}

IPU_INLINE void ipu_put16(uint32_t value)
{
	*(volatile uint16_t *)IPU_WINDOW_PUT = (uint16_t)value;
}

IPU_INLINE void ipu_put32(uint32_t value)
{
	*(volatile uint32_t *)IPU_WINDOW_PUT = value;
}

/* Closes the packet and sends it. */
IPU_INLINE void ipu_send(void)
{
	*(volatile uint32_t *)IPU_WINDOW_SEND = 0;
}

/* The soft logic of an IPU_pro: it runs once a program has started it. An access of its registers takes a few cycles,
 * and comes before the soft cycle that begins with it. */
#define IPU_SOFT_CONTROL (*(volatile uint32_t *)0x90000000)
#define IPU_SOFT_REGISTER(offset) (*(volatile uint32_t *)(0x90001000 + (offset)))
/* For IPU_SOFT_CONTROL, as bits: reset comes first, start last. */
enum { IPU_SOFT_START = 1, IPU_SOFT_STOP = 2, IPU_SOFT_RESET = 4 };

/* A hash of two words, for tables. One cycle. */
IPU_INLINE uint32_t ipu_hash(uint32_t a, uint32_t b)
{
	uint32_t hash;
	__asm__(".insn r 0x0b, 0, 0, %0, %1, %2" : "=r"(hash) : "r"(a), "r"(b));
	return hash;
}

/* Histograms: a value is taken apart into lanes, each of which counts in one bin.
 *   IPU_VALUES: lane i is `lane_bits` bits from bit i * lane_bits on; its bin is lane >> shift, the last one for what
 *     lies beyond.
 *   IPU_FLAGS: lane i is a flag, and counts in bin i when it is set. Of an input register n, the flags are the lowest
 * bits of registers n, n + 1, ... Counters stop at `limit`. One cycle for every 4 lanes begun. */
enum { IPU_VALUES, IPU_FLAGS };
#define IPU_SHAPE(nr_lanes, lane_bits, shift, mode)                                                                    \
	((uint32_t)(nr_lanes) | (uint32_t)(lane_bits) << 8 | (uint32_t)(shift) << 16 | (uint32_t)(mode) << 24)

struct ipu_histogram {
	uint32_t *counters; /* nr_bins of them */
	uint32_t nr_bins;
	uint32_t shape; /* IPU_SHAPE() */
	uint32_t limit;
};

/* Counts the lanes of a 32-bit value. */
IPU_INLINE void ipu_histogram(const struct ipu_histogram *h, uint32_t value)
{
	__asm__ volatile(".insn r 0x0b, 1, 0, x0, %0, %1" : : "r"(h), "r"(value) : "memory");
}

/* Counts the lanes of an input register, all of its 64 bits. `reg` is a number, as in IPU_INPUT(). */
#define ipu_histogram_input(h, reg) __asm__ volatile(IPU_HISTIN("%0", reg) : : "r"(h) : "memory")
/* The same as text, for the bodies of loops. */
#define IPU_HISTIN(h, reg) ".insn r 0x0b, 2, 0, x0, " h ", x" IPU_STRING(reg) "\n"

/* The hardware loop: waits for the next set of inputs, latches it, runs the body, `count` times. One cycle once, and
 * none for each time; waiting takes none of the IPU's either. Sets are dropped only while a body runs longer than they
 * are apart. Each round begins with a new set, so use the set with which _main began before the loop.
 * The body is assembly, at most 511 instructions (with more the loop is an illegal instruction when it is reached), no
 * loop and no call within; a branch out of it ends the loop. With count 0 it does not run at all.
 *
 *	IPU_LOOP(255, IPU_HISTIN("%[h]", 0) "addi ...\n", [h] "r"(&histogram));
 *
 * After the body follow its operands, which it reads; it may write memory, and of registers only those of IPU_SCRATCH.
 */
#define IPU_LOOP(count, body, ...)                                                                                     \
	__asm__ volatile(IPU_LOOP_TEXT("%[ipu_count]", body)                                                           \
			 :                                                                                             \
			 : [ipu_count] "r"((uint32_t)(count)), ##__VA_ARGS__                                           \
			 : "memory", IPU_SCRATCH)
#define IPU_SCRATCH "t0", "t1", "t2"

/* The same as text, for asm statements of yours (with results, say): `count` is a register. The instruction holds
 * the length of its body, which only the assembler knows: so it is put together here, by the numbers of registers. */
#define IPU_LOOP_TEXT(count, body)                                                                                     \
	".option push\n.option norelax\n.option norvc\n"                                                               \
	".4byte 0x300b | .Lipu_register_" count " << 15 | (.Lipu_end_%= - .Lipu_body_%=) << 20\n"                      \
	".Lipu_body_%=:\n" body "\n.Lipu_end_%=:\n.option pop\n"

__asm__(".irp i,0,1,2,3,4,5,6,7,8,9,10,11\n.set .Lipu_register_s\\i, \\i + 16\n.endr\n"
	".irp i,0,1,2,3,4,5,6,7\n.set .Lipu_register_a\\i, \\i + 10\n.endr\n"
	".irp i,3,4,5,6\n.set .Lipu_register_t\\i, \\i + 25\n.endr\n"
	".set .Lipu_register_t0, 5\n.set .Lipu_register_t1, 6\n.set .Lipu_register_t2, 7\n"
	".set .Lipu_register_s0, 8\n.set .Lipu_register_s1, 9\n.set .Lipu_register_zero, 0\n"
	".set .Lipu_register_ra, 1\n.set .Lipu_register_sp, 2\n.set .Lipu_register_gp, 3\n.set .Lipu_register_tp, 4");

/* Counts the lanes of an input register in each of the next `count` sets: two instructions, and a set can come in every
 * IPU cycle. */
#define ipu_loop_histogram_input(count, histogram, reg) IPU_LOOP(count, IPU_HISTIN("%[h]", reg), [h] "r"(histogram))

#endif
