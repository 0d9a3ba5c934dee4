/* The registers of a device. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ipu/core/bytes_internal.h"
#include "ipu/unit/device_internal.h"

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
	return device_port(d, (unsigned)unit, hit_cycle, &place->port, err);
}

static bool shows_packet(const struct port *p)
{
	return p->has_packet && !p->is_arriving;
}

/* What waits in the FIFO: a packet on its way to the window is still there for the host. */
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
 * then, and gets there by the first such command behind its end. */
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
