/* Devices with IPUs in them, for tests of what the host does with them. */
#ifndef SAHM_TESTS_UNIT_MADE_DEVICE_H
#define SAHM_TESTS_UNIT_MADE_DEVICE_H

#include "tests/unit/made_image.h"

/* One IPU cycle per HIT cycle. */
static const struct ipu_unit_config plain = {.hit_mhz = 2000, .ipu_mhz = 2000, .max_cycles = 1000, .fifo_bytes = 1000};

static inline struct ipu_device *device_of(unsigned nr_units, const struct ipu_unit_config *config,
					   const struct abi *abi)
{
	struct ipu_device *d;
	struct sahm_err err;
	assert_int_equal(ipu_device_new(&d, &err), SAHM_OK);
	assert_int_equal(ipu_device_add(d, nr_units, config, abi, &err), SAHM_OK);
	return d;
}

static inline uint32_t read32(struct ipu_device *d, uint64_t cycle, uint64_t address)
{
	struct sahm_err err;
	uint32_t value = 0;
	if (ipu_device_read32(d, cycle, address, &value, &err) != SAHM_OK)
		fail_msg("0x%llx: %s", (unsigned long long)address, err.msg);
	return value;
}

static inline void write32(struct ipu_device *d, uint64_t cycle, uint64_t address, uint32_t value)
{
	struct sahm_err err;
	if (ipu_device_write32(d, cycle, address, value, &err) != SAHM_OK)
		fail_msg("0x%llx: %s", (unsigned long long)address, err.msg);
}

static inline enum sahm_status send_image(struct ipu_device *d, unsigned unit, uint64_t cycle, uint32_t first,
					  bool has_byte, const char *input, struct sahm_err *err)
{
	struct made_elf elf;
	made_image(&elf, first, has_byte, input);
	const struct ipu_image image = {.file = "made.elf", .bytes = elf.bytes, .nr_bytes = elf.nr_bytes};
	enum sahm_status status = ipu_config_image(d, unit, cycle, &image, err);
	made_elf_free(&elf);
	return status;
}

/* Unit `unit` with a program, resumed in cycle 0. */
static inline void start(struct ipu_device *d, unsigned unit, uint32_t first, bool has_byte)
{
	struct sahm_err err;
	assert_int_equal(send_image(d, unit, 0, first, has_byte, "level", &err), SAHM_OK);
	assert_int_equal(ipu_resume(d, unit, 0, &err), SAHM_OK);
}

static inline void feed(struct ipu_device *d, unsigned unit, uint64_t cycle)
{
	const uint64_t values[NR_IOREGS] = {[3] = cycle & 255};
	ipu_unit_input(ipu_device_unit(d, unit), cycle, 8, values);
}

#endif
