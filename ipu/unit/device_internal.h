/* A device's insides: what device.c (units, calls) and device_bus.c (registers) share. */
#ifndef SAHM_IPU_DEVICE_INTERNAL_H
#define SAHM_IPU_DEVICE_INTERNAL_H

#include "ipu/unit/device.h"
#include "sim/base/hash.h"

/* Of the bus. */
#define WORD_BYTES 4u

/* A register's index in the list. */
enum ipu_register {
#define REGISTER(symbol, offset, words, access, help) REGISTER_##symbol,
#include "ipu/unit/register_list.h"
#undef REGISTER
	NR_IPU_REGISTERS
};

/* TS or TE: the value in place, and the lower word that waits for its upper one. */
struct trigger {
	bool is_set;
	uint64_t value;
	uint32_t lower;
};

/* A unit's connection to the bus. */
struct port {
	struct ipu_unit *unit;
	struct ipu_unit_config config;
	const struct abi *abi;
	struct trigger start, stop;
	/* The upper word of the register whose lower one was read last. */
	enum ipu_register kept_of;
	uint32_t kept;
	/* The packet under the window, or on its way there. */
	bool has_packet, is_arriving;
	uint64_t sent_at;
	uint32_t nr_bytes, nr_read;
	uint8_t *window; /* NULL until the first one */
};

struct held_program {
	struct ipu_program *program;
	uint8_t hash[HASH_BYTES];
};

struct ipu_device {
	struct port *ports;
	unsigned nr_ports;
	struct held_program *programs;
	size_t nr_programs, programs_room;
	uint8_t *drained; /* what ipu_drain() has read */
	const struct trust *trust;
};

/* The port of `unit` at `hit_cycle`. SAHM_RANGE. */
enum sahm_status device_port(struct ipu_device *d, unsigned unit, uint64_t hit_cycle, struct port **port,
			     struct sahm_err *err);

#endif
