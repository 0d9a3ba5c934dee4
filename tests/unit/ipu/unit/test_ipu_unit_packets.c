/* What an IPU sends: bytes, sizes, the FIFO, the bandwidth account. */
#include "sim/base/array.h"
#include "tests/unit/ipu/unit/made_unit.h"

enum { WINDOW = 28, BEHIND = 29 };

#define SB(rs2, rs1, imm) encode_s(OP_STORE, 0, rs1, rs2, imm)
#define SH(rs2, rs1, imm) encode_s(OP_STORE, 1, rs1, rs2, imm)
#define SW(rs2, rs1, imm) encode_s(OP_STORE, 2, rs1, rs2, imm)
#define SEND SW(0, BEHIND, UINT32_MAX - 3)

/* Routines begin with the two addresses, in two cycles. */
static void begin(struct unit_program *p, uint32_t at)
{
	p->at = at;
	unit_program_put(p, encode_lui(WINDOW, IPU_WINDOW_BASE));
	unit_program_put(p, encode_lui(BEHIND, IPU_WINDOW_BASE + IPU_WINDOW_BYTES));
}

static struct unit_program program_with(const uint32_t *words, size_t nr)
{
	struct unit_program p = {.main = MADE_MAIN};
	begin(&p, MADE_MAIN);
	for (size_t i = 0; i < nr; i++)
		unit_program_put(&p, words[i]);
	unit_program_put(&p, RET);
	return p;
}

#define PROGRAM(...)                                                                                                   \
	program_with((const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static struct made_unit active(struct ipu_unit_config config, const struct unit_program *p)
{
	return made_active_unit(config, unit_program_make(p));
}

static void assert_packet(const struct made_unit *m, uint64_t sent_at, uint32_t nr_bytes, const void *bytes)
{
	struct ipu_packet p;
	assert_true(ipu_unit_take(m->u, &p));
	assert_int_equal(p.sent_at, sent_at);
	assert_int_equal(p.nr_bytes, nr_bytes);
	if (nr_bytes > 0)
		assert_memory_equal(p.bytes, bytes, nr_bytes);
}

static void assert_no_packet(const struct made_unit *m)
{
	struct ipu_packet p;
	assert_false(ipu_unit_take(m->u, &p));
}

/* Stores append, in the order in which they come, wherever in the window they are. */
static void test_bytes(void **state)
{
	struct unit_program p = PROGRAM(encode_lui(HART_A0, 0xa1b2c000), encode_addi(HART_A0, HART_A0, 0x3d4),
					SB(HART_A0, WINDOW, 7), SH(HART_A0, WINDOW, 0), SW(HART_A0, WINDOW, 4),
					SH(HART_A0, WINDOW, 2046), SEND, SB(HART_A0, WINDOW, 0), SEND);
	(void)state;
	struct made_unit m = active(MADE_CONFIG, &p);
	made_input(m.u, 100, 1);
	/* There as soon as they are sent, ahead of time. */
	assert_packet(&m, 109, 9, "\xd4\xd4\xc3\xd4\xc3\xb2\xa1\xd4\xc3");
	assert_packet(&m, 111, 1, "\xd4");
	assert_no_packet(&m);
	struct ipu_counts c = ipu_unit_counts(m.u);
	assert_int_equal(c.packets, 2);
	assert_int_equal(c.bytes, 10);
	assert_int_equal(c.lost_packets + c.lost_bytes, 0);
	made_unit_end(&m);
}

/* A store from IPU_WINDOW_SEND on sends, in any size, and its value is lost; also a packet without bytes. */
static void test_send(void **state)
{
	const uint32_t senders[] = {SW(WINDOW, BEHIND, UINT32_MAX - 3), SH(WINDOW, BEHIND, UINT32_MAX - 3),
				    SH(WINDOW, BEHIND, UINT32_MAX - 1), SB(WINDOW, BEHIND, UINT32_MAX - 3),
				    SB(WINDOW, BEHIND, UINT32_MAX)};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(senders); i++) {
		struct unit_program p = PROGRAM(SH(BEHIND, BEHIND, UINT32_MAX - 5), senders[i], senders[i]);
		struct made_unit m = active(MADE_CONFIG, &p);
		made_input(m.u, 100, 1);
		assert_packet(&m, 104, 2, "\0\0");
		assert_packet(&m, 105, 0, NULL);
		assert_no_packet(&m);
		made_unit_end(&m);
	}
}

static void test_around_the_window(void **state)
{
	static const struct {
		uint32_t base, offset, address;
	} rows[] = {{WINDOW, UINT32_MAX - 3, IPU_WINDOW_BASE - 4}, {BEHIND, 0, IPU_WINDOW_BASE + IPU_WINDOW_BYTES}};
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct unit_program p = PROGRAM(SW(0, rows[i].base, rows[i].offset));
		struct made_unit m = active(MADE_CONFIG, &p);
		made_input(m.u, 100, 1);
		ipu_unit_settle(m.u);
		ipu_unit_advance(m.u, 103);
		assert_unit_fault(m.u, "_main", HART_STORE_OUTSIDE, MADE_MAIN + 8, rows[i].address);
		made_unit_end(&m);
	}
}

static void test_loads_are_faults(void **state)
{
	static const uint32_t offsets[] = {0, 4, UINT32_MAX - 3};
	(void)state;
	for (unsigned funct3 = 0; funct3 < 3; funct3++) {
		for (size_t i = 0; i < 3; i++) {
			uint32_t base = i < 2 ? WINDOW : BEHIND;
			struct unit_program p = PROGRAM(encode_i(OP_LOAD, funct3, HART_A0, base, offsets[i]));
			struct made_unit m = active(MADE_CONFIG, &p);
			made_input(m.u, 100, 1);
			ipu_unit_advance(m.u, 103);
			assert_unit_fault(m.u, "_main", HART_LOAD_OUTSIDE, MADE_MAIN + 8,
					  IPU_WINDOW_BASE + (i < 2 ? 0 : IPU_WINDOW_BYTES) + offsets[i]);
			made_unit_end(&m);
		}
	}
}

/* init fills a packet with as many words and bytes, and sends it. */
static struct unit_program filler(uint32_t nr_words, uint32_t nr_bytes)
{
	struct unit_program p = PROGRAM(SB(0, WINDOW, 0), SEND);
	p.has_init = true;
	begin(&p, IPU_INIT);
	unit_program_li(&p, DELAY, nr_words);
	unit_program_put(&p, SW(DELAY, WINDOW, 0));
	unit_program_put(&p, encode_addi(DELAY, DELAY, UINT32_MAX));
	unit_program_put(&p, encode_b(1, DELAY, 0, UINT32_MAX - 7));
	for (uint32_t i = 0; i < nr_bytes; i++)
		unit_program_put(&p, SB(0, WINDOW, 0));
	unit_program_put(&p, SEND);
	unit_program_put(&p, RET);
	return p;
}

static void test_largest_packet(void **state)
{
	struct unit_program p = filler(IPU_MAX_PACKET_BYTES / 4, 0);
	struct ipu_packet packet;
	(void)state;
	struct made_unit m = active(MADE_CONFIG, &p);
	assert_true(ipu_unit_take(m.u, &packet));
	assert_int_equal(packet.nr_bytes, IPU_MAX_PACKET_BYTES);
	for (uint32_t i = 0; i < IPU_MAX_PACKET_BYTES / 4; i++) {
		uint32_t value = IPU_MAX_PACKET_BYTES / 4 - i;
		assert_int_equal(packet.bytes[4 * i] | packet.bytes[4 * i + 1] << 8, value);
	}
	made_unit_end(&m);
	p = filler(IPU_MAX_PACKET_BYTES / 4, 1);
	m = made_unit(MADE_CONFIG, unit_program_make(&p));
	ipu_unit_configure(m.u, 0, m.program);
	ipu_unit_settle(m.u);
	assert_unit_fault(m.u, "init", HART_STORE_OUTSIDE, 7 * 4, IPU_WINDOW_BASE);
	assert_no_packet(&m);
	assert_int_equal(ipu_unit_counts(m.u).lost_packets, 0);
	made_unit_end(&m);
}

/* A word that does not fit whole is not stored in part. */
static void test_word_beyond_the_largest_packet(void **state)
{
	struct unit_program p = filler(IPU_MAX_PACKET_BYTES / 4 - 1, 2);
	(void)state;
	p.at -= 8;
	unit_program_put(&p, SW(0, WINDOW, 0));
	struct made_unit m = made_unit(MADE_CONFIG, unit_program_make(&p));
	ipu_unit_configure(m.u, 0, m.program);
	ipu_unit_settle(m.u);
	assert_unit_fault(m.u, "init", HART_STORE_OUTSIDE, 9 * 4, IPU_WINDOW_BASE);
	made_unit_end(&m);
}

/* FIFO */

/* A packet of 4 bytes in each run. */
static void send_one(const struct made_unit *m, uint64_t *now)
{
	made_input(m->u, *now += 100, 1);
}

static void test_fifo(void **state)
{
	struct unit_program p = PROGRAM(SW(WINDOW, WINDOW, 0), SEND);
	struct ipu_unit_config config = MADE_CONFIG;
	uint64_t now = 0;
	(void)state;
	for (uint32_t room = 0; room < 2; room++) {
		config.fifo_bytes = 2 * (IPU_PACKET_HEADER_BYTES + 4) + (room ? IPU_PACKET_HEADER_BYTES + 3 : 0);
		struct made_unit m = active(config, &p);
		for (unsigned i = 0; i < 3; i++)
			send_one(&m, &now);
		struct ipu_counts c = ipu_unit_counts(m.u);
		assert_int_equal(c.packets, 2);
		assert_int_equal(c.bytes, 8);
		assert_int_equal(c.lost_packets, 1);
		assert_int_equal(c.lost_bytes, 4);
		/* Many times round the ring. */
		for (unsigned i = 0; i < 100; i++) {
			uint64_t oldest = now - (i == 0 ? 200 : 100);
			assert_packet(&m, oldest + 4, 4, "\0\0\0\x80");
			send_one(&m, &now);
			if (i == 0)
				assert_packet(&m, oldest + 104, 4, "\0\0\0\x80"), send_one(&m, &now);
		}
		assert_int_equal(ipu_unit_counts(m.u).lost_packets, 1);
		made_unit_end(&m);
	}
}

/* The host has what was sent before the image changed; the packet under construction is gone. */
static void test_next_image(void **state)
{
	struct unit_program p = PROGRAM(SB(WINDOW, WINDOW, 0), SEND, SW(WINDOW, WINDOW, 0));
	(void)state;
	struct made_unit m = active(MADE_CONFIG, &p);
	made_input(m.u, 100, 1);
	ipu_unit_configure(m.u, 200, m.program);
	ipu_unit_resume(m.u, 201);
	made_input(m.u, 300, 1);
	assert_packet(&m, 104, 1, "\0");
	assert_packet(&m, 304, 1, "\0");
	assert_int_equal(ipu_unit_counts(m.u).packets, 1);
	/* Without an image in between it is the next packet's beginning, over a pause and `finish`, too. */
	ipu_unit_pause(m.u, 310);
	ipu_unit_finalize(m.u, 311);
	ipu_unit_resume(m.u, 400);
	made_input(m.u, 400, 1);
	assert_packet(&m, 404, 5, "\0\0\0\x80\0");
	made_unit_end(&m);
}

/* Bandwidth: 1 MHz, 1000 bytes per second, so a byte in 1000 cycles; at first there is enough for a largest packet. */

static struct made_unit throttled(uint64_t *sent_at, uint32_t nr_bytes)
{
	struct unit_program p = filler(nr_bytes / 4, 0);
	struct ipu_unit_config config = MADE_CONFIG;
	struct ipu_packet packet;
	config.hit_mhz = config.ipu_mhz = 1;
	config.max_bytes_per_s = 1000;
	struct made_unit m = active(config, &p);
	assert_true(ipu_unit_take(m.u, &packet));
	*sent_at = packet.sent_at;
	return m;
}

static void test_bandwidth(void **state)
{
	(void)state;
	for (uint64_t late = 0; late < 2; late++) {
		uint64_t sent_at;
		struct made_unit m = throttled(&sent_at, IPU_MAX_PACKET_BYTES);
		made_input(m.u, sent_at + 999 + late - 4, 1);
		assert_int_equal(ipu_unit_counts(m.u).lost_packets, 1 - late);
		assert_int_equal(ipu_unit_counts(m.u).lost_bytes, 1 - late);
		/* Only packets that were sent used up room. */
		made_input(m.u, sent_at + 1999 - 4, 1);
		assert_int_equal(ipu_unit_counts(m.u).lost_packets, 1);
		made_input(m.u, sent_at + 2000 - 4 + 10, 1);
		assert_int_equal(ipu_unit_counts(m.u).packets, 3);
		made_unit_end(&m);
	}
}

/* It never holds more than a largest packet. */
static void test_account_is_bounded(void **state)
{
	uint64_t sent_at;
	(void)state;
	struct made_unit m = throttled(&sent_at, 4);
	const uint64_t late = UINT64_C(1000000000000);
	struct unit_program p = filler(IPU_MAX_PACKET_BYTES / 4, 0);
	struct ipu_program *program = unit_program_make(&p);
	ipu_unit_configure(m.u, late, program);
	ipu_unit_settle(m.u);
	assert_int_equal(ipu_unit_counts(m.u).packets, 1);
	assert_int_equal(ipu_unit_counts(m.u).bytes, IPU_MAX_PACKET_BYTES);
	ipu_unit_resume(m.u, ipu_unit_hit_cycle(m.u));
	made_input(m.u, ipu_unit_hit_cycle(m.u), 1);
	assert_int_equal(ipu_unit_counts(m.u).lost_packets, 1);
	made_unit_end(&m);
	ipu_program_free(program);
}

/* A packet that the FIFO has no room for uses up nothing. */
static void test_full_fifo_uses_no_bandwidth(void **state)
{
	struct unit_program p = PROGRAM(SW(WINDOW, WINDOW, 0), SEND);
	struct ipu_unit_config config = MADE_CONFIG;
	struct ipu_packet packet;
	(void)state;
	config.hit_mhz = config.ipu_mhz = 1;
	config.max_bytes_per_s = 1;
	config.fifo_bytes = IPU_PACKET_HEADER_BYTES + 4;
	struct made_unit m = active(config, &p);
	uint64_t now = 0;
	for (unsigned i = 0; i < 20000; i++)
		send_one(&m, &now);
	assert_int_equal(ipu_unit_counts(m.u).lost_packets, 19999);
	assert_true(ipu_unit_take(m.u, &packet));
	send_one(&m, &now);
	assert_int_equal(ipu_unit_counts(m.u).packets, 2);
	made_unit_end(&m);
}

TEST_FILE(test_ipu_unit_packets)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_send),
		cmocka_unit_test(test_around_the_window),
		cmocka_unit_test(test_loads_are_faults),
		cmocka_unit_test(test_largest_packet),
		cmocka_unit_test(test_word_beyond_the_largest_packet),
		cmocka_unit_test(test_fifo),
		cmocka_unit_test(test_next_image),
		cmocka_unit_test(test_bandwidth),
		cmocka_unit_test(test_account_is_bounded),
		cmocka_unit_test(test_full_fifo_uses_no_bandwidth),
	};
	return RUN_BY_EACH_ENGINE(tests);
}
