/* Several IPUs of one device: each has its own ABI spec, program, clocks and time, and none notices the others. */
#include "tests/helper/random.h"
#include "tests/unit/made_device.h"

/* An image for another ABI is refused, and the unit goes on with the one that it has. */
static void test_abi(void **state)
{
	(void)state;
	struct abi level = made_abi("level"), depth = made_abi("depth");
	struct ipu_device *d = device_of(1, &plain, &level);
	struct sahm_err err;
	assert_int_equal(ipu_device_add(d, 1, &plain, &depth, &err), SAHM_OK);
	assert_ptr_equal(ipu_device_abi(d, 0), &level);
	assert_ptr_equal(ipu_device_abi(d, 1), &depth);
	start(d, 0, 7, false);
	assert_int_equal(send_image(d, 0, 0, 9, false, "depth", &err), SAHM_FORMAT);
	assert_non_null(strstr(err.msg, "depth"));
	assert_int_equal(send_image(d, 1, 0, 9, false, "level", &err), SAHM_FORMAT);
	assert_int_equal(read32(d, 0, IPU_REG_STATUS), IPU_ACTIVE_PAUSED);
	assert_int_equal(read32(d, 0, IPU_REGION_SCRATCHPAD), 7);
	assert_int_equal(read32(d, 0, IPU_REGION_BYTES + IPU_REG_STATUS), IPU_UNDEFINED);
	assert_int_equal(send_image(d, 1, 0, 9, false, "depth", &err), SAHM_OK);
	assert_int_equal(read32(d, 0, IPU_REGION_BYTES + IPU_REGION_SCRATCHPAD), 9);
	ipu_device_free(d);
}

static void test_number_of_units(void **state)
{
	(void)state;
	struct abi abi = made_abi("level");
	struct ipu_unit_config small = plain;
	struct sahm_err err;
	small.fifo_bytes = 64;
	struct ipu_device *d = device_of(IPU_MAX_UNITS - 1, &small, &abi);
	assert_int_equal(ipu_device_add(d, 2, &small, &abi, &err), SAHM_RANGE);
	assert_string_equal(err.msg, "a device has at most 4096 units: this one has 4095, and cannot have 2 more");
	assert_int_equal(ipu_device_nr_units(d), IPU_MAX_UNITS - 1);
	assert_int_equal(ipu_device_add(d, 1, &small, &abi, &err), SAHM_OK);
	assert_int_equal(read32(d, 0, UINT64_C(0xfff0000) + IPU_REG_ID), IPU_DEVICE_ID);
	struct sahm_err why;
	uint32_t value;
	assert_int_equal(ipu_device_read32(d, 0, UINT64_C(0x10000000), &value, &why), SAHM_RANGE);
	ipu_device_free(d);
	/* Failed creations leave nothing. */
	d = device_of(3, &plain, &abi);
	small.hit_mhz = 0;
	assert_int_equal(ipu_device_add(d, 2, &small, &abi, &err), SAHM_RANGE);
	assert_int_equal(ipu_device_nr_units(d), 3);
	ipu_device_free(d);
}

/* Everything that the host can read of a unit, FIFO_POP left out. */
static uint64_t digest(struct ipu_device *d, unsigned unit, uint64_t cycle)
{
	uint64_t sum = 0;
	for (uint32_t offset = 0; offset < IPU_REGION_BYTES; offset += 4) {
		uint32_t value = 0;
		if (offset != IPU_REG_FIFO_POP)
			(void)ipu_device_read32(d, cycle, (uint64_t)unit * IPU_REGION_BYTES + offset, &value, NULL);
		sum = (sum ^ value) * UINT64_C(0x9e3779b97f4a7c15);
		sum ^= sum >> 29;
	}
	return sum;
}

/* One thing out of all that can be done to a unit, by `choice`; returns the cycle in which it was done. */
static uint64_t do_something(struct ipu_device *d, unsigned unit, uint64_t cycle, uint64_t choice)
{
	struct ipu_packet packet;
	bool more;
	uint64_t address = (uint64_t)unit * IPU_REGION_BYTES;
	cycle += choice >> 8 & 15;
	switch (choice & 15) {
	case 0:
		assert_int_equal(send_image(d, unit, cycle, (uint32_t)(choice >> 32), choice >> 9 & 1, "level", NULL),
				 SAHM_OK);
		break;
	case 1:
		write32(d, cycle, address + IPU_REG_COMMAND, 1 + (choice >> 16) % 4);
		break;
	case 2:
		assert_int_equal(ipu_drain(d, unit, cycle, &packet, &more, NULL), SAHM_OK);
		break;
	case 3:
		write32(d, cycle, address + IPU_REG_TS + (choice >> 16 & 12),
			choice >> 16 & 4 ? 0 : (uint32_t)(choice >> 20 & 3));
		break;
	case 4:
	case 7:
		ipu_unit_address(ipu_device_unit(d, unit), cycle, choice >> 20 & 3);
		break;
	case 5:
		(void)ipu_device_read32(d, cycle, address + (choice >> 20 & 0xfc), &(uint32_t){0}, NULL);
		break;
	case 6:
		assert_int_equal(ipu_resume(d, unit, cycle, NULL), SAHM_OK);
		break;
	default:
		feed(d, unit, cycle);
		break;
	}
	return cycle;
}

/* Random lives of three units with separate clocks: each is as it would be without the others. */
static void test_independence(void **state)
{
	(void)state;
	enum { NR_UNITS = 3, NR_STEPS = 2000 };
	struct abi abi = made_abi("level");
	struct sahm_err err;
	struct ipu_device *together = device_of(0, &plain, &abi), *alone[NR_UNITS];
	uint64_t cycles[NR_UNITS] = {0}, taken[NR_UNITS] = {0}, rng = 7;
	for (unsigned i = 0; i < NR_UNITS; i++) {
		struct ipu_unit_config config = plain;
		config.ipu_mhz = 500 + 1700 * i;
		assert_int_equal(ipu_device_add(together, 1, &config, &abi, &err), SAHM_OK);
		alone[i] = device_of(1, &config, &abi);
	}
	for (unsigned step = 0; step < NR_STEPS; step++) {
		uint64_t choice = next_random(&rng);
		unsigned unit = (unsigned)(choice >> 60) % NR_UNITS;
		uint64_t cycle = do_something(together, unit, cycles[unit], choice);
		assert_int_equal(do_something(alone[unit], 0, cycles[unit], choice), cycle);
		cycles[unit] = cycle;
		taken[unit] += ipu_unit_counts(ipu_device_unit(together, unit)).taken;
		for (unsigned i = 0; i < NR_UNITS && step % 50 == 0; i++)
			if (digest(together, i, cycles[i]) != digest(alone[i], 0, cycles[i]))
				fail_msg("step %u: unit %u differs", step, i);
	}
	for (unsigned i = 0; i < NR_UNITS; i++) {
		assert_true(taken[i] > 0);
		ipu_device_free(alone[i]);
	}
	ipu_device_free(together);
}

TEST_FILE(test_ipu_device_units)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_abi),
		cmocka_unit_test(test_number_of_units),
		cmocka_unit_test(test_independence),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
