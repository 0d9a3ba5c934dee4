/* What the host serves: loads and stores outside the memory, CSRs, environment calls. */
#include "sim/base/array.h"
#include "tests/unit/ipu/core/ipu_cases.h"

/* Loads and stores */

struct served {
	uint32_t address, value, pc;
	unsigned nr_bytes, nr_loads, nr_stores;
	uint64_t nr_retired;
	bool refuses, exits;
};

static void note(struct hart *h, uint32_t address, unsigned nr_bytes)
{
	struct served *s = h->context;

	s->address = address;
	s->nr_bytes = nr_bytes;
	s->pc = h->pc;
	s->nr_retired = h->nr_retired;
	if (s->exits)
		h->cause = HART_EXITED;
}

static bool served_load(struct hart *h, uint32_t address, unsigned nr_bytes, uint32_t *value)
{
	struct served *s = h->context;

	s->nr_loads++;
	if (s->refuses)
		return false;
	note(h, address, nr_bytes);
	*value = s->value;
	return true;
}

static bool served_store(struct hart *h, uint32_t address, unsigned nr_bytes, uint32_t value)
{
	struct served *s = h->context;

	s->nr_stores++;
	if (s->refuses)
		return false;
	note(h, address, nr_bytes);
	s->value = value;
	return true;
}

static const struct hart_host host = {.load = served_load, .store = served_store};

/* nop; an access of x7 at x5; nop. */
static void begin_served(struct made_hart *m, struct served *s, uint32_t word)
{
	made_hart_init(m);
	made_hart_add(m, encode_addi(0, 0, 0));
	made_hart_add(m, word);
	made_hart_add(m, encode_addi(8, 8, 1));
	made_hart_begin(m);
	m->h.host = &host;
	m->h.context = s;
	hart_set_register(&m->h, 5, 0x80000000);
	hart_set_register(&m->h, 7, 0xa1b2c3d4);
}

static void test_host_loads(void **state)
{
	static const uint32_t wanted[6] = {0xffffff84, 0xffff8384, 0x81828384, 0, 0x84, 0x8384};

	(void)state;
	for (uint32_t funct3 = 0; funct3 < 6; funct3++) {
		struct served s = {.value = 0x81828384};
		struct made_hart m;
		if (funct3 == 3)
			continue;
		begin_served(&m, &s, encode_i(OP_LOAD, funct3, 7, 5, 0));
		assert_int_equal(made_run(&m.h, 3), HART_BUDGET);
		assert_int_equal(hart_register(&m.h, 7), wanted[funct3]);
		assert_int_equal(hart_register(&m.h, 8), 1);
		assert_int_equal(s.nr_loads, 1);
		assert_int_equal(s.address, 0x80000000);
		assert_int_equal(s.nr_bytes, 1 << (funct3 & 3));
		assert_int_equal(s.pc, MADE_CODE_BASE + 4);
		assert_int_equal(s.nr_retired, 1);
		made_hart_end(&m);
	}
}

static void test_host_stores(void **state)
{
	static const uint32_t wanted[3] = {0xd4, 0xc3d4, 0xa1b2c3d4};

	(void)state;
	for (uint32_t funct3 = 0; funct3 < 3; funct3++) {
		struct served s = {.value = 0};
		struct made_hart m;
		begin_served(&m, &s, encode_s(OP_STORE, funct3, 5, 7, 0));
		assert_int_equal(made_run(&m.h, 3), HART_BUDGET);
		assert_int_equal(s.nr_stores, 1);
		assert_int_equal(s.value, wanted[funct3]);
		assert_int_equal(s.nr_bytes, 1 << funct3);
		assert_int_equal(s.pc, MADE_CODE_BASE + 4);
		assert_int_equal(s.nr_retired, 1);
		assert_int_equal(hart_register(&m.h, 8), 1);
		made_hart_end(&m);
	}
}

static void test_host_refuses(void **state)
{
	struct served s = {.refuses = true};
	struct made_hart m;

	(void)state;
	begin_served(&m, &s, encode_i(OP_LOAD, 2, 7, 5, 0));
	assert_int_equal(made_run(&m.h, 3), HART_LOAD_OUTSIDE);
	assert_fault(&m.h, HART_LOAD_OUTSIDE, MADE_CODE_BASE + 4, 0x80000000, 1);
	assert_int_equal(hart_register(&m.h, 7), 0xa1b2c3d4);
	made_hart_end(&m);
	begin_served(&m, &s, encode_s(OP_STORE, 2, 5, 7, 0));
	assert_int_equal(made_run(&m.h, 3), HART_STORE_OUTSIDE);
	assert_fault(&m.h, HART_STORE_OUTSIDE, MADE_CODE_BASE + 4, 0x80000000, 1);
	made_hart_end(&m);
}

/* It is not asked for what is in the memory, nor for what is misaligned when that is trapped. */
static void test_host_is_not_asked(void **state)
{
	struct served s = {.value = 0};
	struct made_hart m;

	(void)state;
	begin_served(&m, &s, encode_i(OP_LOAD, 2, 7, 5, 1));
	hart_set_register(&m.h, 5, MADE_DATA_BASE);
	assert_int_equal(made_run(&m.h, 3), HART_BUDGET);
	assert_int_equal(hart_register(&m.h, 7), 0x84838281);
	made_hart_end(&m);
	begin_served(&m, &s, encode_i(OP_LOAD, 2, 7, 5, 1));
	m.h.traps_misaligned = true;
	assert_int_equal(made_run(&m.h, 3), HART_LOAD_OUTSIDE);
	made_hart_end(&m);
	begin_served(&m, &s, encode_s(OP_STORE, 2, 5, 7, 0));
	hart_set_register(&m.h, 5, MADE_DATA_BASE);
	assert_int_equal(made_run(&m.h, 3), HART_BUDGET);
	assert_memory_equal(m.data, "\xd4\xc3\xb2\xa1", 4);
	made_hart_end(&m);
	assert_int_equal(s.nr_loads + s.nr_stores, 0);
}

/* A store that ends the run has been done. */
static void test_host_ends_the_run(void **state)
{
	struct served s = {.exits = true};
	struct made_hart m;

	(void)state;
	begin_served(&m, &s, encode_s(OP_STORE, 2, 5, 7, 0));
	assert_int_equal(made_run(&m.h, 3), HART_EXITED);
	assert_int_equal(m.h.pc, MADE_CODE_BASE + 8);
	assert_int_equal(m.h.nr_retired, 2);
	assert_int_equal(made_run(&m.h, 3), HART_EXITED);
	assert_int_equal(m.h.nr_retired, 2);
	hart_jump(&m.h, m.h.pc);
	assert_int_equal(made_run(&m.h, 1), HART_BUDGET);
	assert_int_equal(hart_register(&m.h, 8), 1);
	made_hart_end(&m);
}

/* Outside the window the host is asked first, and what it leaves goes into the memory. */
static void test_store_window(void **state)
{
	(void)state;
	for (uint32_t offset = 0; offset < MADE_DATA_BYTES; offset += 4) {
		for (unsigned refuses = 0; refuses < 2; refuses++) {
			struct served s = {.refuses = refuses};
			struct made_hart m;
			bool is_inside = offset >= 8 && offset < 20, is_stored = is_inside || refuses;
			begin_served(&m, &s, encode_s(OP_STORE, 2, 5, 7, offset));
			hart_set_store_window(&m.h, MADE_DATA_BASE + 8, MADE_DATA_BASE + 20);
			hart_set_register(&m.h, 5, MADE_DATA_BASE);
			assert_int_equal(made_run(&m.h, 3), HART_BUDGET);
			assert_int_equal(s.nr_stores, !is_inside);
			assert_int_equal(m.data[offset], is_stored ? 0xd4 : 0x80 + offset);
			made_hart_end(&m);
		}
	}
}

/* A window that begins at an odd address: whole aligned words inside it are stored, with misaligned accesses trapped.
 */
static void test_odd_store_window(void **state)
{
	(void)state;
	for (uint32_t first = 8; first < 12; first++) {
		for (uint32_t offset = 4; offset < 20; offset += 4) {
			struct served s = {0};
			struct made_hart m;
			begin_served(&m, &s, encode_s(OP_STORE, 2, 5, 7, offset));
			hart_set_store_window(&m.h, MADE_DATA_BASE + first, MADE_DATA_BASE + 20);
			m.h.traps_misaligned = true;
			hart_set_register(&m.h, 5, MADE_DATA_BASE);
			assert_int_equal(made_run(&m.h, 3), HART_BUDGET);
			assert_int_equal(s.nr_stores, offset < first);
			made_hart_end(&m);
		}
	}
}

/* A compressed access that ends the run leaves pc 2 bytes on. */
static void test_compressed_access_ends_the_run(void **state)
{
	struct served s = {.exits = true};
	struct made_hart m;
	(void)state;
	made_hart_init(&m);
	made_hart_add(&m, encode_c_access(6, 9, 8, 0));
	made_hart_add(&m, encode_addi(7, 7, 1));
	made_hart_begin(&m);
	m.h.host = &host;
	m.h.context = &s;
	assert_int_equal(made_run(&m.h, 3), HART_EXITED);
	assert_int_equal(m.h.pc, MADE_CODE_BASE + 2);
	assert_int_equal(m.h.nr_retired, 1);
	made_hart_end(&m);
}

/* CSRs and environment calls */

struct answers {
	uint32_t csr, value;
	unsigned nr_reads, nr_writes, nr_calls;
	uint64_t nr_retired;
	uint32_t pc;
	bool refuses, exits;
};

static bool served_read(struct hart *h, uint32_t csr, uint32_t *value)
{
	struct answers *s = h->context;

	s->nr_reads++;
	*value = s->value;
	if (s->exits)
		h->cause = HART_EXITED;
	return csr == s->csr;
}

static bool served_write(struct hart *h, uint32_t csr, uint32_t value)
{
	struct answers *s = h->context;

	s->nr_writes++;
	if (csr != s->csr || s->refuses)
		return false;
	s->value = value;
	if (s->exits)
		h->cause = HART_EXITED;
	return true;
}

static bool served_call(struct hart *h)
{
	struct answers *s = h->context;

	s->nr_calls++;
	s->pc = h->pc;
	s->nr_retired = h->nr_retired;
	if (s->refuses)
		return false;
	hart_set_register(h, HART_A0, 123);
	if (s->exits)
		h->cause = HART_EXITED;
	return true;
}

static const struct hart_host answering = {
	.csr_read = served_read, .csr_write = served_write, .environment_call = served_call};

static void test_host_csrs(void **state)
{
	/* The written value is computed from 0xf0, the old value, and 0x3c or 0x1c, register x6 or immediate 28. */
	static const struct {
		uint32_t how, rd, rs1, value;
		unsigned nr_reads, nr_writes;
	} rows[] = {
		{1, 5, 6, 0x3c, 1, 1},	{1, 0, 6, 0x3c, 0, 1},	{1, 5, 0, 0, 1, 1},    {2, 5, 6, 0xfc, 1, 1},
		{2, 5, 0, 0xf0, 1, 0},	{2, 0, 6, 0xfc, 1, 1},	{3, 5, 6, 0xc0, 1, 1}, {3, 5, 0, 0xf0, 1, 0},
		{5, 5, 28, 0x1c, 1, 1}, {5, 0, 28, 0x1c, 0, 1}, {5, 5, 0, 0, 1, 1},    {6, 5, 28, 0xfc, 1, 1},
		{6, 5, 0, 0xf0, 1, 0},	{7, 5, 28, 0xe0, 1, 1}, {7, 5, 0, 0xf0, 1, 0}, {1, 6, 6, 0x3c, 1, 1},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct answers s = {.csr = 0x801, .value = 0xf0};
		struct made_hart m;
		made_hart_init(&m);
		made_hart_add(&m, encode_i(OP_SYSTEM, rows[i].how, rows[i].rd, rows[i].rs1, s.csr));
		made_hart_begin(&m);
		m.h.host = &answering;
		m.h.context = &s;
		hart_set_register(&m.h, 6, 0x3c);
		assert_int_equal(made_run(&m.h, 1), HART_BUDGET);
		assert_int_equal(s.value, rows[i].value);
		assert_int_equal(s.nr_writes, rows[i].nr_writes);
		assert_int_equal(s.nr_reads, rows[i].nr_reads);
		assert_int_equal(hart_register(&m.h, rows[i].rd), rows[i].rd ? 0xf0 : 0);
		assert_int_equal(hart_register(&m.h, 0), 0);
		made_hart_end(&m);
	}
}

/* A read and a write that end the run: after their instruction, which is done. */
static void test_host_csrs_end_the_run(void **state)
{
	(void)state;
	for (unsigned is_read = 0; is_read < 2; is_read++) {
		struct answers s = {.csr = 0x801, .value = 0xf0, .exits = true};
		struct made_hart m;
		made_hart_init(&m);
		made_hart_add(&m, encode_addi(7, 7, 1));
		made_hart_add(&m, encode_i(OP_SYSTEM, is_read ? 2 : 1, is_read ? 5 : 0, is_read ? 0 : 6, s.csr));
		made_hart_add(&m, encode_addi(7, 7, 1));
		made_hart_begin(&m);
		m.h.host = &answering;
		m.h.context = &s;
		hart_set_register(&m.h, 6, 0x3c);
		assert_int_equal(made_run(&m.h, 100), HART_EXITED);
		assert_int_equal(m.h.pc, MADE_CODE_BASE + 8);
		assert_int_equal(m.h.nr_retired, 2);
		assert_int_equal(hart_register(&m.h, 7), 1);
		assert_int_equal(is_read ? hart_register(&m.h, 5) : s.value, is_read ? 0xf0 : 0x3c);
		assert_int_equal(made_run(&m.h, 100), HART_EXITED);
		made_hart_end(&m);
	}
}

/* A CSR that cannot be written, one that is not there, and one whose number says that it is read-only. */
static void test_host_csrs_refused(void **state)
{
	static const struct {
		uint32_t csr, wanted;
		bool refuses;
	} rows[] = {{0x801, 0x801, true}, {0x801, 0x802, false}, {0xcc0, 0xcc0, false}};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct answers s = {.csr = rows[i].csr, .value = 0xf0, .refuses = rows[i].refuses};
		struct made_hart m;
		made_hart_init(&m);
		made_hart_add(&m, encode_i(OP_SYSTEM, 1, 5, 6, rows[i].wanted));
		made_hart_begin(&m);
		m.h.host = &answering;
		m.h.context = &s;
		hart_set_register(&m.h, 5, 7);
		assert_int_equal(made_run(&m.h, 1), HART_ILLEGAL_INSTRUCTION);
		assert_fault(&m.h, HART_ILLEGAL_INSTRUCTION, MADE_CODE_BASE, MADE_CODE_BASE, 0);
		assert_int_equal(hart_register(&m.h, 5), 7);
		assert_int_equal(s.value, 0xf0);
		made_hart_end(&m);
	}
}

static void test_environment_calls(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		struct answers s = {.refuses = i == 1, .exits = i == 2};
		struct made_hart m;
		made_hart_init(&m);
		made_hart_add(&m, ENCODED_C_NOP);
		made_hart_add(&m, ENCODED_ECALL);
		made_hart_add(&m, encode_addi(5, HART_A0, 1));
		made_hart_begin(&m);
		m.h.host = i == 3 ? NULL : &answering;
		m.h.context = &s;
		enum hart_cause cause = made_run(&m.h, 3);
		assert_int_equal(s.nr_calls, i != 3);
		if (i == 1 || i == 3) {
			assert_int_equal(cause, HART_ENVIRONMENT_CALL);
			assert_fault(&m.h, HART_ENVIRONMENT_CALL, MADE_CODE_BASE + 2, MADE_CODE_BASE + 2, 1);
		} else if (i == 2) {
			assert_int_equal(cause, HART_EXITED);
			assert_int_equal(m.h.pc, MADE_CODE_BASE + 6);
			assert_int_equal(m.h.nr_retired, 2);
			assert_int_equal(hart_register(&m.h, HART_A0), 123);
			assert_int_equal(hart_register(&m.h, 5), 0);
		} else {
			assert_int_equal(cause, HART_BUDGET);
			assert_int_equal(hart_register(&m.h, 5), 124);
			assert_int_equal(s.pc, MADE_CODE_BASE + 2);
			assert_int_equal(s.nr_retired, 1);
		}
		made_hart_end(&m);
	}
}

TEST_FILE(test_ipu_host)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_host_loads),
		cmocka_unit_test(test_host_stores),
		cmocka_unit_test(test_host_refuses),
		cmocka_unit_test(test_host_is_not_asked),
		cmocka_unit_test(test_host_ends_the_run),
		cmocka_unit_test(test_store_window),
		cmocka_unit_test(test_host_csrs),
		cmocka_unit_test(test_host_csrs_refused),
		cmocka_unit_test(test_host_csrs_end_the_run),
		cmocka_unit_test(test_odd_store_window),
		cmocka_unit_test(test_compressed_access_ends_the_run),
		cmocka_unit_test(test_environment_calls),
	};

	return RUN_BY_EACH_ENGINE(tests);
}
