/* The flat machine's environment calls: a few of Linux on riscv32, with its numbers and errors. */
#include "ipu/core/bytes_internal.h"
#include "ipu/core/flat_internal.h"
#include "sim/base/units.h"

/* Errors, as Linux has them on every RISC-V; those of the host may be others. */
enum { LINUX_EIO = 5, LINUX_EBADF = 9, LINUX_EFAULT = 14, LINUX_EINVAL = 22, LINUX_ENOSYS = 38 };

/* Clocks that Linux has: 0 to 9, and 11 (CLOCK_TAI). */
#define LINUX_CLOCKS UINT32_C(0xbff)

static uint32_t failure(int error)
{
	return 0 - (uint32_t)error;
}

static uint32_t argument(const struct flat *f, unsigned i)
{
	return hart_register(&f->hart, HART_A0 + i);
}

static uint32_t write_bytes(struct flat *f)
{
	uint32_t fd = argument(f, 0), nr_bytes = argument(f, 2);
	const uint8_t *bytes = hart_bytes(&f->hart, argument(f, 1), nr_bytes);
	if (fd != 1 && fd != 2)
		return failure(LINUX_EBADF);
	if (nr_bytes == 0)
		return 0;
	if (!bytes)
		return failure(LINUX_EFAULT);
	if (f->write && !f->write(f->context, (int)fd, bytes, nr_bytes))
		return failure(LINUX_EIO);
	return nr_bytes;
}

static uint32_t exit_program(struct flat *f)
{
	uint32_t code = argument(f, 0);
	flat_end_run(f, FLAT_EXITED, code);
	return code;
}

/* Memory that comes into the heap is 0, whatever the stack or an earlier heap has left there. */
static uint32_t set_break(struct flat *f)
{
	uint32_t wanted = argument(f, 0);
	if (wanted < f->heap_first || wanted > f->heap_most)
		return f->heap_end;
	if (wanted > f->heap_end)
		flat_ram_clear(f->ram + (f->heap_end - f->ram_base), wanted - f->heap_end);
	f->heap_end = wanted;
	return wanted;
}

/* Time as two numbers of `nr_words` words each: seconds, then ns. */
static uint32_t get_time(struct flat *f, unsigned nr_words)
{
	uint32_t clock = argument(f, 0);
	uint8_t *bytes = hart_bytes(&f->hart, argument(f, 1), 8 * nr_words);
	uint64_t ns = f->hart.nr_retired * FLAT_NS_PER_INSTRUCTION;
	uint64_t parts[2] = {ns / NS_PER_S, ns % NS_PER_S};
	if (clock > 31 || !(LINUX_CLOCKS >> clock & 1))
		return failure(LINUX_EINVAL);
	if (!bytes)
		return failure(LINUX_EFAULT);
	for (unsigned i = 0; i < 2 * nr_words; i++)
		poke(bytes + 4 * i, 4, (uint32_t)(parts[i / nr_words] >> 32 * (i % nr_words)));
	return 0;
}

static uint32_t get_time32(struct flat *f)
{
	return get_time(f, 1);
}

static uint32_t get_time64(struct flat *f)
{
	return get_time(f, 2);
}

bool flat_linux_call(struct hart *h)
{
	struct flat *f = h->context;
	uint32_t number = hart_register(h, HART_A7), answer;
	switch (number) {
#define LINUX_CALL(call, function)                                                                                     \
	case call:                                                                                                     \
		answer = function(f);                                                                                  \
		break;
#include "ipu/core/linux_call_list.h"
#undef LINUX_CALL
	default:
		if (f->nr_unserved++ == 0)
			f->first_unserved = number;
		answer = failure(LINUX_ENOSYS);
	}
	hart_set_register(h, HART_A0, answer);
	return true;
}
