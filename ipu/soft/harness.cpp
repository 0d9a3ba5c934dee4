/* Makes a module of module.h of a Verilog design that Verilator has translated to the class Vsoft.
 *
 * sahm_ports.h comes with it, written by verilog.c: SOFT_NAME, SOFT_VERSION, and the rows
 *	INPUT(number, port, "signal", bits), VALID(number, port_valid): inputs and their valid bits
 *	REGISTER("name", offset, access)
 * and, where the design has such ports, HAS_BUS, HAS_PACKETS, CYCLE_MASK: the bits of its port for the cycle.
 *
 * clk rises once for each cycle, for each write of a register (reg_write), and for a reset (rst).
 */
#include <cstdint>
#include <new>

#include "Vsoft.h"
#include "sahm_ports.h"
#include "verilated.h"

extern "C" {
#include "module.h"
}

/* Verilator's own ones would print and end the process: $finish and $stop are ignored, and what is fatal ends it here.
 */
void vl_finish(const char *, int, const char *) VL_MT_UNSAFE {}
void vl_stop(const char *, int, const char *) VL_MT_UNSAFE {}
void vl_fatal(const char *, int, const char *, const char *) VL_MT_UNSAFE
{
	__builtin_trap();
}

double sc_time_stamp()
{
	return 0;
}

namespace
{

/* Before there is a design in it: no threads are started, which a sandbox does not allow. */
struct context {
	VerilatedContext verilated;
	context() { verilated.threads(1); }
};

struct instance {
	struct context context;
	Vsoft design;
	const struct soft_outside *outside;
	uint64_t next_cycle;

	explicit instance(const struct soft_outside *o) : design{&context.verilated, "soft"}, outside{o}, next_cycle{0} {}
};

inline void rise(Vsoft &d)
{
	d.clk = 1;
	d.eval();
	d.clk = 0;
	d.eval();
}

inline void set_valid(Vsoft &d, uint32_t valid)
{
	(void)d;
	(void)valid;
#define VALID(number, port) d.port = valid >> number & 1;
	SOFT_VALIDS
#undef VALID
}

/* One cycle. */
inline void run(struct instance *m, uint64_t cycle)
{
	Vsoft &d = m->design;
#ifdef CYCLE_MASK
	d.cycle = static_cast<decltype(d.cycle + 0)>(cycle & CYCLE_MASK);
#endif
#ifdef HAS_PACKETS
	d.clk = 1;
	d.eval();
	if (d.out_valid) {
		uint32_t w = d.out_data;
		const uint8_t bytes[4] = {(uint8_t)w, (uint8_t)(w >> 8), (uint8_t)(w >> 16), (uint8_t)(w >> 24)};
		m->outside->emit(m->outside->ctx, cycle, bytes, sizeof(bytes));
	}
	d.clk = 0;
	d.eval();
#else
	rise(d);
#endif
}

void reset(void *instance)
{
	Vsoft &d = static_cast<struct instance *>(instance)->design;
	set_valid(d, 0);
	d.rst = 1;
	rise(d);
	d.rst = 0;
}

void *make(const struct soft_outside *outside)
{
	try {
		struct instance *m = new struct instance(outside);
		/* No edge of clk counts before the first call. */
		m->design.eval();
		reset(m);
		return m;
	} catch (const std::bad_alloc &) {
		return nullptr;
	}
}

void release(void *instance)
{
	delete static_cast<struct instance *>(instance);
}

void step(void *instance, uint64_t cycle, uint32_t valid, const uint64_t *values)
{
	struct instance *m = static_cast<struct instance *>(instance);
	Vsoft &d = m->design;
#ifdef CYCLE_MASK
	/* The design sees by the number that cycles have passed. */
	if (!valid)
		return;
#else
	if (m->next_cycle < cycle) {
		set_valid(d, 0);
		for (; m->next_cycle < cycle; m->next_cycle++)
			run(m, m->next_cycle);
	}
	m->next_cycle = cycle + 1;
#endif
	set_valid(d, valid);
#define INPUT(number, port, signal, bits)                                                                              \
	if (valid >> number & 1)                                                                                       \
		d.port = static_cast<decltype(d.port + 0)>(values[number]);
	SOFT_INPUTS
#undef INPUT
	run(m, cycle);
}

uint32_t read(void *instance, uint32_t offset)
{
#ifdef HAS_BUS
	Vsoft &d = static_cast<struct instance *>(instance)->design;
	d.reg_addr = static_cast<uint16_t>(offset);
	d.eval();
	return d.reg_rdata;
#else
	(void)instance;
	(void)offset;
	return 0;
#endif
}

void write(void *instance, uint32_t offset, uint32_t value)
{
#ifdef HAS_BUS
	Vsoft &d = static_cast<struct instance *>(instance)->design;
	set_valid(d, 0);
	d.reg_addr = static_cast<uint16_t>(offset);
	d.reg_wdata = value;
	d.reg_write = 1;
	rise(d);
	d.reg_write = 0;
#else
	(void)instance;
	(void)offset;
	(void)value;
#endif
}

/* Rows that end the tables, which may be empty otherwise. */
const struct soft_input inputs[] = {
#define INPUT(number, port, signal, bits) {signal, bits},
	SOFT_INPUTS
#undef INPUT
	{nullptr, 0}};

const struct soft_register registers[] = {
#define REGISTER(name, offset, access) {name, offset, access},
	SOFT_REGISTERS
#undef REGISTER
	{nullptr, 0, 0}};

#ifdef HAS_PACKETS
const uint32_t packet_bytes = 4;
#else
const uint32_t packet_bytes = 0;
#endif

const struct soft_module module = {SOFT_ABI,
				   sizeof(module),
				   SOFT_NAME,
				   SOFT_VERSION,
				   sizeof(inputs) / sizeof(*inputs) - 1,
				   sizeof(registers) / sizeof(*registers) - 1,
				   inputs,
				   registers,
				   packet_bytes,
				   make,
				   release,
				   reset,
				   step,
				   read,
				   write};

} // namespace

__attribute__((visibility("default"))) const struct soft_module *sahm_soft_module(void)
{
	return &module;
}
