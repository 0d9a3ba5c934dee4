#include "ipu/unit/device.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ipu/core/bytes_internal.h"
#include "ipu/unit/load.h"
#include "ipu/unit/time_limit.h"
#include "sim/base/hash.h"

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
	const struct trust_soft *soft; /* beside its processor; NULL: none */
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

enum sahm_status ipu_device_new(struct ipu_device **device, struct sahm_err *err)
{
	struct ipu_device *d = calloc(1, sizeof(*d));
	if (d)
		d->drained = malloc(IPU_MAX_PACKET_BYTES + WORD_BYTES);
	if (!d || !d->drained) {
		free(d);
		return sahm_fail_nomem(err);
	}
	*device = d;
	return SAHM_OK;
}

static void release_ports(struct ipu_device *d, unsigned from)
{
	for (unsigned i = from; i < d->nr_ports; i++) {
		ipu_unit_free(d->ports[i].unit);
		free(d->ports[i].window);
	}
	d->nr_ports = from;
}

void ipu_device_free(struct ipu_device *d)
{
	if (!d)
		return;
	release_ports(d, 0);
	for (size_t i = 0; i < d->nr_programs; i++)
		ipu_program_free(d->programs[i].program);
	free(d->ports);
	free(d->programs);
	free(d->drained);
	free(d);
}

enum sahm_status ipu_device_add(struct ipu_device *d, unsigned nr_units, const struct ipu_unit_config *config,
				const struct abi *abi, struct sahm_err *err)
{
	unsigned had = d->nr_ports;
	if (nr_units > IPU_MAX_UNITS - had)
		return sahm_fail(err, SAHM_RANGE,
				 "a device has at most %u units: this one has %u, and cannot have %u more",
				 IPU_MAX_UNITS, had, nr_units);
	struct port *ports = realloc(d->ports, (had + nr_units + 1) * sizeof(*ports));
	if (!ports)
		return sahm_fail_nomem(err);
	d->ports = ports;
	for (unsigned i = 0; i < nr_units; i++) {
		struct port *p = &d->ports[d->nr_ports];
		*p = (struct port){.config = *config, .abi = abi, .kept_of = NR_IPU_REGISTERS};
		enum sahm_status status = ipu_unit_new(&p->unit, config, err);
		if (status != SAHM_OK) {
			release_ports(d, had);
			return status;
		}
		d->nr_ports++;
	}
	return SAHM_OK;
}

unsigned ipu_device_nr_units(const struct ipu_device *d)
{
	return d->nr_ports;
}

const struct abi *ipu_device_abi(const struct ipu_device *d, unsigned unit)
{
	return d->ports[unit].abi;
}

const struct ipu_unit_config *ipu_device_config(const struct ipu_device *d, unsigned unit)
{
	return &d->ports[unit].config;
}

struct ipu_unit *ipu_device_unit(struct ipu_device *d, unsigned unit)
{
	return d->ports[unit].unit;
}

/* The port of `unit` at `hit_cycle`. SAHM_RANGE. */
static enum sahm_status find_port(struct ipu_device *d, unsigned unit, uint64_t hit_cycle, struct port **port,
				  struct sahm_err *err)
{
	if (unit >= d->nr_ports)
		return sahm_fail(err, SAHM_RANGE, "there is no unit %u, the device has %u", unit, d->nr_ports);
	struct ipu_unit *u = d->ports[unit].unit;
	if (hit_cycle < ipu_unit_hit_cycle(u))
		return sahm_fail(err, SAHM_RANGE, "cycle %" PRIu64 " has passed: unit %u is at %" PRIu64, hit_cycle,
				 unit, ipu_unit_hit_cycle(u));
	char who[24];
	snprintf(who, sizeof(who), "unit %u", unit);
	enum sahm_status status = ipu_check_time(u, who, hit_cycle, err);
	if (status != SAHM_OK)
		return status;
	ipu_unit_advance(u, hit_cycle);
	*port = &d->ports[unit];
	return SAHM_OK;
}

/* The bus: registers and scratchpads. */

enum { READ = 1, WRITE = 2, BOTH = READ | WRITE };

static const struct register_row {
	const char *name;
	uint32_t offset;
	uint8_t words, access;
} rows[NR_IPU_REGISTERS] = {
#define REGISTER(symbol, offset, words, access, help) {#symbol, offset, words, access},
#include "ipu/unit/register_list.h"
#undef REGISTER
};

/* Where an address leads: a word of a register, or the scratchpad. */
struct place {
	struct port *port;
	uint32_t offset; /* in the region */
	bool is_scratchpad, is_upper;
	enum ipu_register reg;
};

static bool find_register(uint32_t offset, struct place *place)
{
	for (unsigned r = 0; r < NR_IPU_REGISTERS; r++) {
		if (offset - rows[r].offset >= WORD_BYTES * rows[r].words)
			continue;
		place->reg = (enum ipu_register)r;
		place->is_upper = offset != rows[r].offset;
		return true;
	}
	return false;
}

static enum sahm_status find_place(struct ipu_device *d, uint64_t hit_cycle, uint64_t address, int access,
				   struct place *place, struct sahm_err *err)
{
	uint64_t unit = address / IPU_REGION_BYTES;
	*place = (struct place){.offset = (uint32_t)(address % IPU_REGION_BYTES)};
	if (unit >= d->nr_ports)
		return sahm_fail(err, SAHM_RANGE,
				 "device address 0x%08" PRIx64 " is that of unit %" PRIu64 ", the device has %u",
				 address, unit, d->nr_ports);
	if (address % WORD_BYTES != 0)
		return sahm_fail(err, SAHM_RANGE, "device address 0x%08" PRIx64 " is not a multiple of 4", address);
	place->is_scratchpad = place->offset >= IPU_REGION_SCRATCHPAD;
	if (!place->is_scratchpad && !find_register(place->offset, place))
		return sahm_fail(err, SAHM_RANGE,
				 "device address 0x%08" PRIx64 ": unit %" PRIu64 " has no register at 0x%03" PRIx32,
				 address, unit, place->offset);
	if (!((place->is_scratchpad ? READ : rows[place->reg].access) & access))
		return sahm_fail(err, SAHM_RANGE,
				 "device address 0x%08" PRIx64 ": %s of unit %" PRIu64 " is not for %s", address,
				 place->is_scratchpad ? "the scratchpad" : rows[place->reg].name, unit,
				 access == READ ? "reading" : "writing");
	return find_port(d, (unsigned)unit, hit_cycle, &place->port, err);
}

static bool shows_packet(const struct port *p)
{
	return p->has_packet && !p->is_arriving;
}

/* Packets that wait in the FIFO: a packet on its way to the window is still there for the host. */
static uint32_t waiting_bytes(const struct port *p)
{
	return ipu_unit_waiting(p->unit) +
	       (p->has_packet && p->is_arriving ? p->nr_bytes + IPU_PACKET_HEADER_BYTES : 0);
}

static uint32_t unread_bytes(const struct port *p)
{
	return shows_packet(p) ? p->nr_bytes - p->nr_read : 0;
}

static uint32_t pop_word(struct port *p)
{
	uint32_t left = unread_bytes(p), at = p->nr_read;
	if (left == 0)
		return 0;
	p->nr_read += left < WORD_BYTES ? left : WORD_BYTES;
	return peek(p->window + at, WORD_BYTES);
}

static uint64_t fault_of(const struct port *p, enum ipu_register reg)
{
	if (ipu_unit_status(p->unit) != IPU_ERROR)
		return 0;
	struct ipu_fault fault = ipu_unit_fault(p->unit);
	return reg == REGISTER_FAULT_CAUSE ? (uint64_t)fault.cause
	       : reg == REGISTER_FAULT_PC  ? fault.pc
					   : fault.address;
}

static uint64_t counter_of(const struct port *p, enum ipu_register reg)
{
	struct ipu_counts counts = ipu_unit_counts(p->unit);
	switch (reg) {
#define REGISTER(symbol, offset, words, access, help)
#define COUNTER(symbol, member, offset, help)                                                                          \
	case REGISTER_##symbol:                                                                                        \
		return counts.member;
#include "ipu/unit/register_list.h"
#undef REGISTER
	default:
		return 0;
	}
}

static uint64_t value_of(struct port *p, enum ipu_register reg)
{
	switch (reg) {
	case REGISTER_ID:
		return IPU_DEVICE_ID;
	case REGISTER_VERSION:
		return IPU_DEVICE_VERSION;
	case REGISTER_STATUS:
		return (uint64_t)ipu_unit_status(p->unit);
	case REGISTER_FAULT_CAUSE:
	case REGISTER_FAULT_PC:
	case REGISTER_FAULT_ADDRESS:
		return fault_of(p, reg);
	case REGISTER_TRIGGERS:
		return (p->start.is_set ? IPU_HAS_TS : 0u) | (p->stop.is_set ? IPU_HAS_TE : 0u);
	case REGISTER_TS:
		return p->start.value;
	case REGISTER_TE:
		return p->stop.value;
	case REGISTER_HIT_CYCLE:
		return ipu_unit_hit_cycle(p->unit);
	case REGISTER_IPU_CYCLE:
		return ipu_unit_ipu_cycle(p->unit);
	case REGISTER_FIFO_WAITING:
		return waiting_bytes(p);
	case REGISTER_FIFO_HEAD:
		return shows_packet(p) ? unread_bytes(p) | IPU_FIFO_PACKET : 0;
	case REGISTER_FIFO_TIME:
		return shows_packet(p) ? p->sent_at : 0;
	case REGISTER_FIFO_POP:
		return pop_word(p);
	default:
		return counter_of(p, reg);
	}
}

static uint32_t read_register(struct port *p, const struct place *place)
{
	if (place->is_upper && p->kept_of == place->reg) {
		p->kept_of = NR_IPU_REGISTERS;
		return p->kept;
	}
	uint64_t value = value_of(p, place->reg);
	if (place->is_upper)
		return (uint32_t)(value >> 32);
	if (rows[place->reg].words == 2) {
		p->kept_of = place->reg;
		p->kept = (uint32_t)(value >> 32);
	}
	return (uint32_t)value;
}

enum sahm_status ipu_device_read32(struct ipu_device *d, uint64_t hit_cycle, uint64_t address, uint32_t *value,
				   struct sahm_err *err)
{
	struct place place;
	enum sahm_status status = find_place(d, hit_cycle, address, READ, &place, err);
	if (status != SAHM_OK)
		return status;
	if (place.is_scratchpad)
		*value = peek(ipu_unit_processor(place.port->unit)->scratchpad + place.offset - IPU_REGION_SCRATCHPAD,
			      WORD_BYTES);
	else
		*value = read_register(place.port, &place);
	return SAHM_OK;
}

/* The processor runs ahead of time, so the oldest packet may still have to be sent: it is on its way to the window
 * then, and gets there by the first such command after its end. */
static enum sahm_status next_packet(struct port *p, struct sahm_err *err)
{
	struct ipu_packet packet;
	if (!p->has_packet || !p->is_arriving) {
		p->has_packet = false;
		if (!p->window && !(p->window = malloc(IPU_MAX_PACKET_BYTES + WORD_BYTES)))
			return sahm_fail_nomem(err);
		if (!ipu_unit_take(p->unit, &packet))
			return SAHM_OK;
		memcpy(p->window, packet.bytes, packet.nr_bytes);
		memset(p->window + packet.nr_bytes, 0, WORD_BYTES - 1);
		p->has_packet = true;
		p->sent_at = packet.sent_at;
		p->nr_bytes = packet.nr_bytes;
		p->nr_read = 0;
	}
	p->is_arriving = p->sent_at > ipu_unit_ipu_cycle(p->unit);
	return SAHM_OK;
}

static enum sahm_status command(struct port *p, uint64_t hit_cycle, uint32_t value, struct sahm_err *err)
{
	switch (value) {
	case IPU_COMMAND_PAUSE:
		ipu_unit_pause(p->unit, hit_cycle);
		return SAHM_OK;
	case IPU_COMMAND_RESUME:
		ipu_unit_resume(p->unit, hit_cycle);
		return SAHM_OK;
	case IPU_COMMAND_FINALIZE:
		ipu_unit_finalize(p->unit, hit_cycle);
		return SAHM_OK;
	case IPU_COMMAND_NEXT_PACKET:
		return next_packet(p, err);
	default:
		return sahm_fail(err, SAHM_RANGE, "there is no command %" PRIu32, value);
	}
}

static void write_trigger(struct port *p, uint64_t hit_cycle, const struct place *place, uint32_t value)
{
	bool is_start = place->reg == REGISTER_TS;
	struct trigger *t = is_start ? &p->start : &p->stop;
	if (!place->is_upper) {
		t->lower = value;
		return;
	}
	t->value = (uint64_t)value << 32 | t->lower;
	t->is_set = true;
	(is_start ? ipu_unit_set_start : ipu_unit_set_stop)(p->unit, hit_cycle, t->value);
}

enum sahm_status ipu_device_write32(struct ipu_device *d, uint64_t hit_cycle, uint64_t address, uint32_t value,
				    struct sahm_err *err)
{
	struct place place;
	enum sahm_status status = find_place(d, hit_cycle, address, WRITE, &place, err);
	if (status != SAHM_OK)
		return status;
	if (place.reg == REGISTER_COMMAND)
		return command(place.port, hit_cycle, value, err);
	write_trigger(place.port, hit_cycle, &place, value);
	return SAHM_OK;
}

/* The calls. */

/* Takes `program` over, or frees it where the device has the same one already. */
static enum sahm_status keep_program(struct ipu_device *d, struct ipu_program *program, const struct ipu_program **kept,
				     struct sahm_err *err)
{
	struct hash h;
	struct held_program held = {.program = program};
	hash_init(&h);
	ipu_program_hash(program, &h);
	hash_end(&h, held.hash);
	for (size_t i = 0; i < d->nr_programs; i++) {
		if (memcmp(d->programs[i].hash, held.hash, HASH_BYTES) != 0)
			continue;
		ipu_program_free(program);
		*kept = d->programs[i].program;
		return SAHM_OK;
	}
	if (d->nr_programs == d->programs_room) {
		size_t room = d->programs_room ? 2 * d->programs_room : 4;
		struct held_program *more = realloc(d->programs, room * sizeof(*more));
		if (!more) {
			ipu_program_free(program);
			return sahm_fail_nomem(err);
		}
		d->programs = more;
		d->programs_room = room;
	}
	d->programs[d->nr_programs++] = held;
	*kept = program;
	return SAHM_OK;
}

void ipu_device_set_trust(struct ipu_device *d, const struct trust *trust)
{
	d->trust = trust;
}

void ipu_device_set_soft(struct ipu_device *d, unsigned first, unsigned nr, const struct trust_soft *soft)
{
	for (unsigned i = first; i < first + nr; i++)
		d->ports[i].soft = soft;
}

enum sahm_status ipu_config_image(struct ipu_device *d, unsigned unit, uint64_t hit_cycle,
				  const struct ipu_image *image, struct sahm_err *err)
{
	struct port *p = NULL;
	struct ipu_program *program = NULL;
	const struct ipu_program *kept = NULL;
	enum sahm_status status = find_port(d, unit, hit_cycle, &p, err);
	const struct trust_abi abi = status == SAHM_OK ? abi_to_trust(p->abi) : (struct trust_abi){0};
	/* Before anything looks into it. */
	if (status == SAHM_OK)
		status = trust_judge(d->trust,
				     &(struct trust_image){.file = image->file,
							   .bytes = image->bytes,
							   .nr_bytes = image->nr_bytes,
							   .signature = image->signature,
							   .nr_signature = image->nr_signature,
							   .signature_file = image->signature_file,
							   .abi = &abi,
							   .soft = p->soft},
				     NULL, err);
	if (status == SAHM_OK)
		status = ipu_load(&program, image->file, image->bytes, image->nr_bytes, p->abi, image->settings,
				  image->nr_settings, err);
	if (status == SAHM_OK)
		status = keep_program(d, program, &kept, err);
	if (status == SAHM_OK)
		ipu_unit_configure(p->unit, hit_cycle, kept);
	return status;
}

/* A unit's registers, by the bus. A unit that is not there is called by its number, not by its address. */
static enum sahm_status read_word(struct ipu_device *d, unsigned unit, uint64_t hit_cycle, uint32_t offset,
				  uint32_t *value, struct sahm_err *err)
{
	return ipu_device_read32(d, hit_cycle, (uint64_t)unit * IPU_REGION_BYTES + offset, value, err);
}

static enum sahm_status write_word(struct ipu_device *d, unsigned unit, uint64_t hit_cycle, uint32_t offset,
				   uint32_t value, struct sahm_err *err)
{
	if (unit >= d->nr_ports)
		return sahm_fail(err, SAHM_RANGE, "there is no unit %u, the device has %u", unit, d->nr_ports);
	return ipu_device_write32(d, hit_cycle, (uint64_t)unit * IPU_REGION_BYTES + offset, value, err);
}

static enum sahm_status write_pair(struct ipu_device *d, unsigned unit, uint64_t hit_cycle, uint32_t offset,
				   uint64_t value, struct sahm_err *err)
{
	enum sahm_status status = write_word(d, unit, hit_cycle, offset, (uint32_t)value, err);
	if (status == SAHM_OK)
		status = write_word(d, unit, hit_cycle, offset + WORD_BYTES, (uint32_t)(value >> 32), err);
	return status;
}

enum sahm_status ipu_config_start(struct ipu_device *d, unsigned unit, uint64_t hit_cycle, uint64_t address,
				  struct sahm_err *err)
{
	return write_pair(d, unit, hit_cycle, IPU_REG_TS, address, err);
}

enum sahm_status ipu_config_stop(struct ipu_device *d, unsigned unit, uint64_t hit_cycle, uint64_t address,
				 struct sahm_err *err)
{
	return write_pair(d, unit, hit_cycle, IPU_REG_TE, address, err);
}

enum sahm_status ipu_pause(struct ipu_device *d, unsigned unit, uint64_t hit_cycle, struct sahm_err *err)
{
	return write_word(d, unit, hit_cycle, IPU_REG_COMMAND, IPU_COMMAND_PAUSE, err);
}

enum sahm_status ipu_resume(struct ipu_device *d, unsigned unit, uint64_t hit_cycle, struct sahm_err *err)
{
	return write_word(d, unit, hit_cycle, IPU_REG_COMMAND, IPU_COMMAND_RESUME, err);
}

enum sahm_status ipu_finalize(struct ipu_device *d, unsigned unit, uint64_t hit_cycle, struct sahm_err *err)
{
	return write_word(d, unit, hit_cycle, IPU_REG_COMMAND, IPU_COMMAND_FINALIZE, err);
}

enum sahm_status ipu_drain(struct ipu_device *d, unsigned unit, uint64_t hit_cycle, struct ipu_packet *packet,
			   bool *more, struct sahm_err *err)
{
	uint32_t value, low, high;
	*more = false;
	enum sahm_status status = write_word(d, unit, hit_cycle, IPU_REG_COMMAND, IPU_COMMAND_NEXT_PACKET, err);
	if (status == SAHM_OK)
		status = read_word(d, unit, hit_cycle, IPU_REG_FIFO_HEAD, &packet->nr_bytes, err);
	if (status != SAHM_OK || !(packet->nr_bytes & IPU_FIFO_PACKET))
		return status;
	packet->nr_bytes -= IPU_FIFO_PACKET;
	status = read_word(d, unit, hit_cycle, IPU_REG_FIFO_TIME, &low, err);
	if (status == SAHM_OK)
		status = read_word(d, unit, hit_cycle, IPU_REG_FIFO_TIME + WORD_BYTES, &high, err);
	for (uint32_t at = 0; status == SAHM_OK && at < packet->nr_bytes; at += WORD_BYTES) {
		status = read_word(d, unit, hit_cycle, IPU_REG_FIFO_POP, &value, err);
		if (status == SAHM_OK)
			poke(d->drained + at, WORD_BYTES, value);
	}
	if (status != SAHM_OK)
		return status;
	packet->sent_at = (uint64_t)high << 32 | low;
	packet->bytes = d->drained;
	*more = true;
	return SAHM_OK;
}
