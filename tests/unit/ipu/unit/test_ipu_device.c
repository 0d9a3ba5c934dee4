/* An IPU as the host sees it: registers on the bus, the dissertation's six calls, packets. */
#include "sim/base/array.h"
#include "tests/unit/made_device.h"

enum { READ = 1, WRITE = 2, BOTH = 3 };

static const struct {
	const char *name;
	uint32_t offset, words;
	int access;
} registers[] = {
#define REGISTER(symbol, offset, words, access, help) {#symbol, offset, words, access},
#include "ipu/unit/register_list.h"
#undef REGISTER
};
enum { NR_REGISTERS_HERE = ARRAY_SIZE(registers) };

/* Readable words can be read, others are refused, every word of a region; nothing happens by it. */
static void test_every_word(void **state)
{
	(void)state;
	struct abi abi = made_abi("level");
	struct ipu_device *d = device_of(2, &plain, &abi);
	struct sahm_err err;
	for (uint32_t offset = 0; offset < IPU_REGION_BYTES; offset += 4) {
		int access = offset >= IPU_REGION_SCRATCHPAD ? READ : 0;
		for (int i = 0; i < NR_REGISTERS_HERE; i++)
			if (offset >= registers[i].offset && offset < registers[i].offset + 4 * registers[i].words)
				access = registers[i].access;
		uint32_t value = 1;
		enum sahm_status status = ipu_device_read32(d, 0, IPU_REGION_BYTES + offset, &value, &err);
		if (status != (access & READ ? SAHM_OK : SAHM_RANGE))
			fail_msg("read of 0x%x: status %d", (unsigned)offset, status);
		status = ipu_device_write32(d, 0, IPU_REGION_BYTES + offset, 1, &err);
		if (status != (access & WRITE ? SAHM_OK : SAHM_RANGE))
			fail_msg("write of 0x%x: status %d", (unsigned)offset, status);
	}
	assert_int_equal(ipu_unit_status(ipu_device_unit(d, 1)), IPU_UNDEFINED);
	assert_int_equal(read32(d, 0, IPU_REG_ID), IPU_DEVICE_ID);
	assert_int_equal(read32(d, 0, IPU_REG_VERSION), IPU_DEVICE_VERSION);
	ipu_device_free(d);
}

static void test_refused(void **state)
{
	(void)state;
	static const struct {
		uint64_t address;
		bool writes;
		uint32_t value;
		const char *message;
	} rows[] = {
		{0x1000e, false, 0, "device address 0x0001000e is not a multiple of 4"},
		{0x1000d, true, 0, "device address 0x0001000d is not a multiple of 4"},
		{0x20000, false, 0, "device address 0x00020000 is that of unit 2, the device has 2"},
		{0xfffffffffffffffc, true, 0,
		 "device address 0xfffffffffffffffc is that of unit 281474976710655, the device has 2"},
		{0x10054, false, 0, "device address 0x00010054: unit 1 has no register at 0x054"},
		{0x17ffc, false, 0, "device address 0x00017ffc: unit 1 has no register at 0x7ffc"},
		{0x10008, false, 0, "device address 0x00010008: COMMAND of unit 1 is not for reading"},
		{0x1000c, true, 0, "device address 0x0001000c: STATUS of unit 1 is not for writing"},
		{0x1fffc, true, 0, "device address 0x0001fffc: the scratchpad of unit 1 is not for writing"},
		{0x8, true, 0, "there is no command 0"},
		{0x8, true, 5, "there is no command 5"},
	};
	struct abi abi = made_abi("level");
	struct ipu_device *d = device_of(2, &plain, &abi);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sahm_err err = {.msg = ""};
		uint32_t value = 77;
		enum sahm_status status = rows[i].writes
						  ? ipu_device_write32(d, 0, rows[i].address, rows[i].value, &err)
						  : ipu_device_read32(d, 0, rows[i].address, &value, &err);
		assert_int_equal(status, SAHM_RANGE);
		assert_string_equal(err.msg, rows[i].message);
		assert_int_equal(value, 77);
	}
	struct sahm_err err;
	assert_int_equal(ipu_pause(d, 2, 0, &err), SAHM_RANGE);
	assert_string_equal(err.msg, "there is no unit 2, the device has 2");
	assert_int_equal(send_image(d, 2, 0, 0, false, "level", &err), SAHM_RANGE);
	assert_string_equal(err.msg, "there is no unit 2, the device has 2");
	ipu_device_free(d);
}

/* Time is each unit's own and does not go back. */
static void test_time(void **state)
{
	(void)state;
	struct abi abi = made_abi("level");
	struct ipu_device *d = device_of(2, &plain, &abi);
	struct sahm_err err;
	const uint64_t late = UINT64_C(0x1ffffffff);
	uint32_t value;
	assert_int_equal(read32(d, late, IPU_REG_HIT_CYCLE), 0xffffffff);
	/* The upper word is that of when the lower one was read, once. */
	assert_int_equal(read32(d, late + 1, IPU_REG_HIT_CYCLE + 4), 1);
	assert_int_equal(read32(d, late + 1, IPU_REG_HIT_CYCLE + 4), 2);
	assert_int_equal(read32(d, late + 1, IPU_REG_IPU_CYCLE + 4), 2);
	assert_int_equal(ipu_device_read32(d, late, IPU_REG_STATUS, &value, &err), SAHM_RANGE);
	assert_string_equal(err.msg, "cycle 8589934591 has passed: unit 0 is at 8589934592");
	assert_int_equal(ipu_finalize(d, 0, 5, &err), SAHM_RANGE);
	assert_int_equal(send_image(d, 0, 5, 0, false, "level", &err), SAHM_RANGE);
	assert_int_equal(read32(d, 5, IPU_REGION_BYTES + IPU_REG_HIT_CYCLE), 5);
	ipu_device_free(d);
}

/* Nor does it go on without end: that of the clock that is faster comes first. */
static void test_end_of_time(void **state)
{
	(void)state;
	static const struct {
		uint32_t hit_mhz, ipu_mhz;
		uint64_t last;
		const char *clock;
	} rows[] = {{1, 1000000, (IPU_MAX_CYCLE - 1) / 1000000, "IPU"}, {1000000, 1, IPU_MAX_CYCLE, "HIT"}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct abi abi = made_abi("level");
		struct ipu_unit_config config = plain;
		config.hit_mhz = rows[i].hit_mhz;
		config.ipu_mhz = rows[i].ipu_mhz;
		struct ipu_device *d = device_of(2, &config, &abi);
		struct sahm_err err;
		struct ipu_packet packet;
		bool more;
		uint32_t value;
		char message[256];
		uint64_t last = rows[i].last, base = IPU_REGION_BYTES;
		snprintf(
			message, sizeof(message),
			"unit 1 cannot come to cycle %llu of its HIT: time ends at %llu, where the %s's clock comes to "
			"4611686018427387904 cycles",
			(unsigned long long)last + 1, (unsigned long long)last, rows[i].clock);
		assert_int_equal(ipu_device_read32(d, last + 1, base + IPU_REG_STATUS, &value, &err), SAHM_RANGE);
		assert_string_equal(err.msg, message);
		assert_int_equal(ipu_device_write32(d, last + 1, base + IPU_REG_COMMAND, IPU_COMMAND_PAUSE, &err),
				 SAHM_RANGE);
		assert_int_equal(ipu_config_start(d, 1, last + 1, 1, &err), SAHM_RANGE);
		assert_int_equal(ipu_config_stop(d, 1, last + 1, 1, &err), SAHM_RANGE);
		assert_int_equal(ipu_pause(d, 1, last + 1, &err), SAHM_RANGE);
		assert_int_equal(ipu_resume(d, 1, last + 1, &err), SAHM_RANGE);
		assert_int_equal(ipu_finalize(d, 1, UINT64_MAX, &err), SAHM_RANGE);
		assert_int_equal(ipu_drain(d, 1, UINT64_MAX, &packet, &more, &err), SAHM_RANGE);
		assert_int_equal(send_image(d, 1, last + 1, 0, false, "level", &err), SAHM_RANGE);
		/* The end itself can be had, and stays. */
		assert_int_equal(read32(d, last, base + IPU_REG_HIT_CYCLE), (uint32_t)last);
		assert_int_equal(read32(d, last, base + IPU_REG_HIT_CYCLE), (uint32_t)last);
		assert_true(ipu_unit_ipu_cycle(ipu_device_unit(d, 1)) <= IPU_MAX_CYCLE);
		assert_int_equal(ipu_pause(d, 1, last + 1, &err), SAHM_RANGE);
		ipu_device_free(d);
	}
}

/* A trigger is set by its upper word; both can be read back, and work. */
static void test_triggers(void **state)
{
	(void)state;
	struct abi abi = made_abi("level");
	struct ipu_device *d = device_of(1, &plain, &abi);
	struct ipu_unit *u = ipu_device_unit(d, 0);
	struct sahm_err err;
	const uint64_t begin = UINT64_C(0x123456789abc), end = UINT64_C(0xfffffffffffffffe);
	assert_int_equal(send_image(d, 0, 0, 0, false, "level", &err), SAHM_OK);
	write32(d, 1, IPU_REG_TS, 0x56789abc);
	assert_int_equal(read32(d, 1, IPU_REG_TRIGGERS), 0);
	ipu_unit_address(u, 1, 0x56789abc);
	assert_int_equal(ipu_unit_status(u), IPU_PAUSED);
	write32(d, 1, IPU_REG_TS + 4, 0x1234);
	assert_int_equal(read32(d, 1, IPU_REG_TRIGGERS), IPU_HAS_TS);
	assert_int_equal(read32(d, 1, IPU_REG_TS), 0x56789abc);
	assert_int_equal(read32(d, 1, IPU_REG_TS + 4), 0x1234);
	assert_int_equal(ipu_config_stop(d, 0, 2, end, &err), SAHM_OK);
	assert_int_equal(read32(d, 2, IPU_REG_TRIGGERS), IPU_HAS_TS | IPU_HAS_TE);
	assert_int_equal(read32(d, 2, IPU_REG_TE), 0xfffffffe);
	assert_int_equal(read32(d, 2, IPU_REG_TE + 4), 0xffffffff);
	ipu_unit_address(u, 3, begin);
	assert_int_equal(read32(d, 3, IPU_REG_STATUS), IPU_ACTIVE_PAUSED);
	ipu_unit_address(u, 4, end);
	assert_int_equal(read32(d, 4, IPU_REG_STATUS), IPU_PAUSED);
	assert_int_equal(ipu_config_start(d, 0, 5, end, &err), SAHM_OK);
	ipu_unit_address(u, 6, begin);
	assert_int_equal(read32(d, 6, IPU_REG_STATUS), IPU_PAUSED);
	ipu_device_free(d);
}

/* The calls without address, and what the counters say. */
static void test_calls(void **state)
{
	(void)state;
	struct abi abi = made_abi("level");
	struct ipu_device *d = device_of(1, &plain, &abi);
	struct sahm_err err;
	feed(d, 0, 0);
	assert_int_equal(send_image(d, 0, 1, 5, false, "level", &err), SAHM_OK);
	assert_int_equal(read32(d, 1, IPU_REG_STATUS), IPU_PAUSED);
	assert_int_equal(ipu_resume(d, 0, 2, &err), SAHM_OK);
	assert_int_equal(read32(d, 2, IPU_REG_STATUS), IPU_ACTIVE_PAUSED);
	feed(d, 0, 3);
	assert_int_equal(read32(d, 3, IPU_REG_STATUS), IPU_ACTIVE_RUNNING);
	feed(d, 0, 4);
	assert_int_equal(ipu_pause(d, 0, 5, &err), SAHM_OK);
	assert_int_equal(read32(d, 3 + MADE_IMAGE_CYCLES - 1, IPU_REG_STATUS), IPU_ACTIVE_RUNNING);
	assert_int_equal(read32(d, 3 + MADE_IMAGE_CYCLES, IPU_REG_STATUS), IPU_PAUSED);
	feed(d, 0, 20);
	assert_int_equal(ipu_resume(d, 0, 21, &err), SAHM_OK);
	assert_int_equal(ipu_finalize(d, 0, 22, &err), SAHM_OK);
	assert_int_equal(read32(d, 23, IPU_REG_STATUS), IPU_PAUSED);
	assert_int_equal(read32(d, 23, IPU_REG_ARRIVED), 3);
	assert_int_equal(read32(d, 23, IPU_REG_IGNORED), 1);
	assert_int_equal(read32(d, 23, IPU_REG_DROPPED), 1);
	assert_int_equal(read32(d, 23, IPU_REG_TAKEN), 1);
	assert_int_equal(read32(d, 23, IPU_REG_CALLS_MAIN), 1);
	assert_int_equal(read32(d, 23, IPU_REG_INSTRUCTIONS), MADE_IMAGE_CYCLES);
	assert_int_equal(read32(d, 23, IPU_REG_PACKETS), 1);
	assert_int_equal(read32(d, 23, IPU_REG_BYTES), 4);
	assert_int_equal(read32(d, 23, IPU_REG_BYTES + 4), 0);
	assert_int_equal(read32(d, 23, IPU_REGION_SCRATCHPAD), 6);
	assert_int_equal(read32(d, 23, IPU_REG_FAULT_CAUSE), 0);
	ipu_device_free(d);
}

static void test_fault(void **state)
{
	(void)state;
	struct abi abi = made_abi("level");
	struct ipu_unit_config config = plain;
	config.max_cycles = 4;
	struct ipu_device *d = device_of(1, &config, &abi);
	start(d, 0, 0, false);
	feed(d, 0, 0);
	assert_int_equal(read32(d, 3, IPU_REG_FAULT_CAUSE), 0);
	assert_int_equal(read32(d, 4, IPU_REG_STATUS), IPU_ERROR);
	assert_int_equal(read32(d, 4, IPU_REG_FAULT_CAUSE), HART_BUDGET);
	assert_int_equal(read32(d, 4, IPU_REG_FAULT_PC), 16);
	ipu_device_free(d);
}

/* Packets word by word, the last one filled up with 0; and as the library drains them. */
static void test_packets(void **state)
{
	(void)state;
	struct abi abi = made_abi("level");
	struct ipu_device *d = device_of(1, &plain, &abi);
	struct sahm_err err;
	struct ipu_packet packet;
	bool more;
	start(d, 0, 0x04030201, true);
	assert_int_equal(read32(d, 0, IPU_REG_FIFO_HEAD), 0);
	assert_int_equal(read32(d, 0, IPU_REG_FIFO_POP), 0);
	feed(d, 0, 0);
	/* It is complete after the ninth instruction, whenever it was requested. */
	assert_int_equal(read32(d, 0, IPU_REG_FIFO_WAITING), 5 + IPU_PACKET_HEADER_BYTES);
	write32(d, 5, IPU_REG_COMMAND, IPU_COMMAND_NEXT_PACKET);
	assert_int_equal(read32(d, 5, IPU_REG_FIFO_HEAD), 0);
	assert_int_equal(read32(d, 5, IPU_REG_FIFO_WAITING), 5 + IPU_PACKET_HEADER_BYTES);
	write32(d, 8, IPU_REG_COMMAND, IPU_COMMAND_NEXT_PACKET);
	assert_int_equal(read32(d, 8, IPU_REG_FIFO_HEAD), 0);
	write32(d, 9, IPU_REG_COMMAND, IPU_COMMAND_NEXT_PACKET);
	assert_int_equal(read32(d, 9, IPU_REG_FIFO_HEAD), 5 | IPU_FIFO_PACKET);
	assert_int_equal(read32(d, 9, IPU_REG_FIFO_WAITING), 0);
	assert_int_equal(read32(d, 9, IPU_REG_FIFO_TIME), 9);
	assert_int_equal(read32(d, 9, IPU_REG_FIFO_TIME + 4), 0);
	assert_int_equal(read32(d, 9, IPU_REG_FIFO_POP), 0x04030201);
	assert_int_equal(read32(d, 9, IPU_REG_FIFO_HEAD), 1 | IPU_FIFO_PACKET);
	assert_int_equal(read32(d, 9, IPU_REG_FIFO_POP), 0);
	assert_int_equal(read32(d, 9, IPU_REG_FIFO_HEAD), IPU_FIFO_PACKET);
	assert_int_equal(read32(d, 9, IPU_REG_FIFO_POP), 0);
	write32(d, 10, IPU_REG_COMMAND, IPU_COMMAND_NEXT_PACKET);
	assert_int_equal(read32(d, 10, IPU_REG_FIFO_HEAD), 0);
	feed(d, 0, 20);
	assert_int_equal(ipu_drain(d, 0, 28, &packet, &more, &err), SAHM_OK);
	assert_false(more);
	feed(d, 0, 40);
	assert_int_equal(ipu_drain(d, 0, 41, &packet, &more, &err), SAHM_OK);
	assert_true(more);
	assert_int_equal(packet.sent_at, 29);
	assert_int_equal(packet.nr_bytes, 5);
	assert_memory_equal(packet.bytes, "\x02\x02\x03\x04\x00", 5);
	assert_int_equal(ipu_drain(d, 0, 41, &packet, &more, &err), SAHM_OK);
	assert_false(more);
	assert_int_equal(ipu_drain(d, 0, 49, &packet, &more, &err), SAHM_OK);
	assert_true(more);
	assert_int_equal(packet.sent_at, 49);
	assert_memory_equal(packet.bytes, "\x03\x02\x03\x04\x00", 5);
	ipu_device_free(d);
}

TEST_FILE(test_ipu_device)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_word),  cmocka_unit_test(test_refused),  cmocka_unit_test(test_time),
		cmocka_unit_test(test_end_of_time), cmocka_unit_test(test_triggers), cmocka_unit_test(test_calls),
		cmocka_unit_test(test_fault),	    cmocka_unit_test(test_packets),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
