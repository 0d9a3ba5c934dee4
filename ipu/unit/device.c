#include "ipu/unit/device.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ipu/core/bytes_internal.h"
#include "ipu/unit/device_internal.h"
#include "ipu/unit/load.h"
#include "ipu/unit/time_limit.h"

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

enum sahm_status device_port(struct ipu_device *d, unsigned unit, uint64_t hit_cycle, struct port **port,
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

enum sahm_status ipu_config_image(struct ipu_device *d, unsigned unit, uint64_t hit_cycle,
				  const struct ipu_image *image, struct sahm_err *err)
{
	struct port *p = NULL;
	struct ipu_program *program = NULL;
	const struct ipu_program *kept = NULL;
	enum sahm_status status = device_port(d, unit, hit_cycle, &p, err);
	/* Before anything looks into it. */
	if (status == SAHM_OK)
		status = trust_judge(d->trust,
				     &(struct trust_image){.file = image->file,
							   .bytes = image->bytes,
							   .nr_bytes = image->nr_bytes,
							   .signature = image->signature,
							   .nr_signature = image->nr_signature,
							   .signature_file = image->signature_file,
							   .abi_name = p->abi->name},
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
