/* The Linux calls of the flat machine, one by one: what they answer, and what they do to memory. */
#include <unistd.h>

#include "sim/base/array.h"
#include "sim/base/textbuf.h"
#include "tests/unit/ipu/core/made_guest.h"

/* Answers as the specification of Linux on RISC-V numbers them, which is not this machine's errno.h. */
#define EIO_ANSWER UINT32_C(0xfffffffb)
#define EBADF_ANSWER UINT32_C(0xfffffff7)
#define EFAULT_ANSWER UINT32_C(0xfffffff2)
#define EINVAL_ANSWER UINT32_C(0xffffffea)
#define ENOSYS_ANSWER UINT32_C(0xffffffda)

#define RAM_BYTES UINT32_C(0x100000)
#define RAM_END (GUEST_ADDRESS + RAM_BYTES)
#define HEAP (GUEST_ADDRESS + 0x1000) /* the page after the code */

enum { WRITE = 64, EXIT = 93, EXIT_GROUP = 94, CLOCK_GETTIME = 113, BRK = 214, CLOCK_GETTIME64 = 403 };

/* Where what is written goes. */
struct sink {
	struct textbuf text[3]; /* by file descriptor */
	bool fails;
};

static bool swallow(void *context, int fd, const uint8_t *bytes, size_t nr_bytes)
{
	struct sink *s = context;
	assert_true(nr_bytes > 0 && (fd == 1 || fd == 2));
	if (!s->fails)
		textbuf_add(&s->text[fd], (const char *)bytes, nr_bytes);
	return !s->fails;
}

/* A machine whose program is an environment call, followed by "text". */
static struct flat *machine(struct sink *sink)
{
	const struct flat_options options = {.ram_bytes = RAM_BYTES, .write = sink ? swallow : NULL, .context = sink};
	struct guest g = {0};
	guest_add(&g, ECALL);
	guest_add(&g, 0x74786574);
	return guest_machine(&g, &options);
}
#define TEXT (GUEST_ADDRESS + 4)

static uint32_t call(struct flat *flat, uint32_t number, uint32_t a0, uint32_t a1, uint32_t a2)
{
	struct hart *h = flat_hart(flat);
	hart_jump(h, GUEST_ADDRESS);
	hart_set_register(h, A7, number);
	hart_set_register(h, A0, a0);
	hart_set_register(h, A1, a1);
	hart_set_register(h, A2, a2);
	assert_int_equal(hart_run(h, 1), HART_BUDGET);
	assert_int_equal(h->pc, GUEST_ADDRESS + 4);
	assert_int_equal(hart_register(h, A1), a1);
	assert_int_equal(hart_register(h, A7), number);
	return hart_register(h, A0);
}

static void test_write(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		uint32_t fd, address, nr_bytes, answer;
		const char *out, *err;
	} rows[] = {
		{"to output", 1, TEXT, 4, 4, "text", ""},
		{"to error", 2, TEXT + 1, 2, 2, "", "ex"},
		{"nothing", 1, TEXT, 0, 0, "", ""},
		{"nothing from nowhere", 1, 0, 0, 0, "", ""},
		{"to input", 0, TEXT, 4, EBADF_ANSWER, "", ""},
		{"to no file", 3, TEXT, 4, EBADF_ANSWER, "", ""},
		{"nothing to no file", 3, TEXT, 0, EBADF_ANSWER, "", ""},
		{"to -1", 0xffffffff, TEXT, 4, EBADF_ANSWER, "", ""},
		{"from 0", 1, 0, 1, EFAULT_ANSWER, "", ""},
		{"last byte", 1, RAM_END - 1, 1, 1, "\0", ""},
		{"behind it", 1, RAM_END, 1, EFAULT_ANSWER, "", ""},
		{"across the end", 1, RAM_END - 1, 2, EFAULT_ANSWER, "", ""},
		{"across the beginning", 1, GUEST_ADDRESS - 1, 2, EFAULT_ANSWER, "", ""},
		{"huge", 1, TEXT, 0x7fffffff, EFAULT_ANSWER, "", ""},
		{"around all addresses", 1, TEXT, 0xffffffff, EFAULT_ANSWER, "", ""},
		{"from the last address", 1, 0xffffffff, 0xffffffff, EFAULT_ANSWER, "", ""},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sink sink = {.fails = false};
		for (int fd = 0; fd < 3; fd++)
			textbuf_init(&sink.text[fd]);
		struct flat *flat = machine(&sink);
		uint32_t answer = call(flat, WRITE, rows[i].fd, rows[i].address, rows[i].nr_bytes);
		if (answer != rows[i].answer)
			fail_msg("%s: 0x%x", rows[i].name, answer);
		assert_int_equal(sink.text[1].len, rows[i].fd == 1 && (int32_t)answer > 0 ? answer : 0);
		assert_string_equal(sink.text[1].text, rows[i].out);
		assert_string_equal(sink.text[2].text, rows[i].err);
		for (int fd = 0; fd < 3; fd++)
			textbuf_release(&sink.text[fd]);
		flat_free(flat);
	}
}

static void test_write_that_fails(void **state)
{
	(void)state;
	struct sink sink = {.fails = true};
	struct flat *flat = machine(&sink);
	assert_int_equal(call(flat, WRITE, 1, TEXT, 4), EIO_ANSWER);
	assert_int_equal(call(flat, WRITE, 1, TEXT, 0), 0);
	flat_free(flat);
	/* Nobody listens. */
	flat = machine(NULL);
	assert_int_equal(call(flat, WRITE, 1, TEXT, 4), 4);
	assert_int_equal(call(flat, WRITE, 1, 0, 4), EFAULT_ANSWER);
	flat_free(flat);
}

/* All of the RAM in one piece. */
static void test_write_all(void **state)
{
	(void)state;
	struct sink sink = {.fails = false};
	textbuf_init(&sink.text[1]);
	struct flat *flat = machine(&sink);
	assert_int_equal(call(flat, WRITE, 1, GUEST_ADDRESS, RAM_BYTES), RAM_BYTES);
	assert_int_equal(sink.text[1].len, RAM_BYTES);
	assert_memory_equal(sink.text[1].text + 4, "text", 4);
	assert_int_equal(call(flat, WRITE, 1, GUEST_ADDRESS, RAM_BYTES + 1), EFAULT_ANSWER);
	textbuf_release(&sink.text[1]);
	flat_free(flat);
}

static void test_exit(void **state)
{
	(void)state;
	static const uint32_t numbers[] = {EXIT, EXIT_GROUP}, codes[] = {0, 1, 255, 256, 0xffffffff};
	for (size_t i = 0; i < 10; i++) {
		struct flat *flat = machine(NULL);
		struct hart *h = flat_hart(flat);
		hart_set_register(h, A7, numbers[i % 2]);
		hart_set_register(h, A0, codes[i / 2]);
		assert_int_equal(hart_run(h, 10), HART_EXITED);
		assert_int_equal(flat_end(flat), FLAT_EXITED);
		assert_int_equal(flat_exit_code(flat), codes[i / 2]);
		assert_int_equal(h->nr_retired, 1);
		flat_free(flat);
	}
}

static void test_brk(void **state)
{
	(void)state;
	struct flat *flat = machine(NULL);
	struct hart *h = flat_hart(flat);
	uint32_t sp = hart_register(h, SP), most = sp - FLAT_STACK_BYTES;
	assert_int_equal(call(flat, BRK, 0, 0, 0), HEAP);
	/* Refused: below the heap, and into what is the stack's. */
	assert_int_equal(call(flat, BRK, HEAP - 1, 0, 0), HEAP);
	assert_int_equal(call(flat, BRK, most + 1, 0, 0), HEAP);
	assert_int_equal(call(flat, BRK, 0xffffffff, 0, 0), HEAP);
	assert_int_equal(call(flat, BRK, HEAP + 100, 0, 0), HEAP + 100);
	assert_int_equal(call(flat, BRK, HEAP - 1, 0, 0), HEAP + 100);
	/* Earlier contents, of the heap or of the stack, are gone when it comes back. */
	memset(hart_bytes(h, HEAP, 200), 0xee, 200);
	assert_int_equal(call(flat, BRK, HEAP + 10, 0, 0), HEAP + 10);
	assert_int_equal(call(flat, BRK, HEAP + 150, 0, 0), HEAP + 150);
	for (uint32_t i = 0; i < 200; i++)
		assert_int_equal(*hart_bytes(h, HEAP + i, 1), i >= 10 && i < 150 ? 0 : 0xee);
	assert_int_equal(call(flat, BRK, most, 0, 0), most);
	assert_int_equal(call(flat, BRK, 0, 0, 0), most);
	assert_int_equal(call(flat, BRK, HEAP, 0, 0), HEAP);
	flat_free(flat);
}

/* Much memory at once is 0, too, to the byte, and costs what was written to it. */
static void test_large_brk(void **state)
{
	(void)state;
	const uint32_t size = UINT32_C(200) << 20;
	const struct flat_options options = {.ram_bytes = UINT32_C(256) << 20};
	struct guest g = {0};
	guest_add(&g, ECALL);
	struct flat *flat = guest_machine(&g, &options);
	struct hart *h = flat_hart(flat);
	for (uint32_t edge = 0; edge < 0x3000; edge += 0x7ff) {
		const uint32_t from = HEAP + 1 + edge, end = HEAP + 0x100000 + edge;
		assert_int_equal(call(flat, BRK, from, 0, 0), from);
		memset(hart_bytes(h, HEAP, 0x200000), 0xee, 0x200000);
		assert_int_equal(call(flat, BRK, end, 0, 0), end);
		for (uint32_t at = HEAP; at < HEAP + 0x200000; at++)
			if (*hart_bytes(h, at, 1) != (at >= from && at < end ? 0 : 0xee))
				fail_msg("0x%x, break from 0x%x to 0x%x", at, from, end);
	}
	/* 20 seconds are enough for what would take a memset() of all of it minutes. */
	alarm(20);
	for (int i = 0; i < 5000; i++) {
		assert_int_equal(call(flat, BRK, HEAP, 0, 0), HEAP);
		assert_int_equal(call(flat, BRK, HEAP + size, 0, 0), HEAP + size);
	}
	alarm(0);
	flat_free(flat);
}

/* In a small RAM the stack keeps a quarter. */
static void test_brk_in_small_ram(void **state)
{
	(void)state;
	const struct flat_options options = {.ram_bytes = 0x8000};
	struct guest g = {0};
	guest_add(&g, ECALL);
	struct flat *flat = guest_machine(&g, &options);
	uint32_t room = hart_register(flat_hart(flat), SP) - HEAP, most = HEAP + room - room / 4;
	assert_int_equal(call(flat, BRK, most + 1, 0, 0), HEAP);
	assert_int_equal(call(flat, BRK, most, 0, 0), most);
	flat_free(flat);
	/* In the smallest there is no heap at all, and brk says so. */
	const struct flat_options page = {.ram_bytes = 0x1000};
	flat = guest_machine(&g, &page);
	assert_int_equal(call(flat, BRK, 0, 0, 0), HEAP);
	assert_int_equal(call(flat, BRK, HEAP + 1, 0, 0), HEAP);
	assert_int_equal(call(flat, BRK, HEAP - 1, 0, 0), HEAP);
	flat_free(flat);
}

static uint64_t number_at(struct flat *flat, uint32_t address, unsigned nr_bytes)
{
	const uint8_t *p = hart_bytes(flat_hart(flat), address, nr_bytes);
	uint64_t value = 0;
	for (unsigned i = 0; i < nr_bytes; i++)
		value |= (uint64_t)p[i] << 8 * i;
	return value;
}

/* Instructions before the call, as ns: 64-bit seconds and ns, or 32-bit ones. */
static void test_clock(void **state)
{
	(void)state;
	static const struct {
		uint64_t nr_retired, seconds, ns;
	} rows[] = {
		{0, 0, 0},
		{7, 0, 7},
		{999999999, 0, 999999999},
		{1000000000, 1, 0},
		{UINT64_C(5000000000000000003), UINT64_C(5000000000), 3},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct flat *flat = machine(NULL);
		struct hart *h = flat_hart(flat);
		memset(hart_bytes(h, HEAP, 32), 0xee, 32);
		h->nr_retired = rows[i].nr_retired;
		assert_int_equal(call(flat, CLOCK_GETTIME64, 0, HEAP + 1, 0), 0);
		assert_int_equal(*hart_bytes(h, HEAP, 1), 0xee);
		assert_int_equal(number_at(flat, HEAP + 1, 8), rows[i].seconds);
		assert_int_equal(number_at(flat, HEAP + 9, 8), rows[i].ns);
		assert_int_equal(*hart_bytes(h, HEAP + 17, 1), 0xee);
		h->nr_retired = rows[i].nr_retired;
		memset(hart_bytes(h, HEAP, 32), 0xee, 32);
		assert_int_equal(call(flat, CLOCK_GETTIME, 1, HEAP + 4, 0), 0);
		assert_int_equal(number_at(flat, HEAP + 4, 4), rows[i].seconds & 0xffffffff);
		assert_int_equal(number_at(flat, HEAP + 8, 4), rows[i].ns);
		assert_int_equal(number_at(flat, HEAP, 4), 0xeeeeeeee);
		assert_int_equal(number_at(flat, HEAP + 12, 4), 0xeeeeeeee);
		flat_free(flat);
	}
}

static void test_clock_refusals(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		uint32_t number, clock, address, answer;
	} rows[] = {
		{"CLOCK_BOOTTIME", CLOCK_GETTIME64, 7, HEAP, 0},
		{"CLOCK_BOOTTIME_ALARM", CLOCK_GETTIME64, 9, HEAP, 0},
		{"there is no clock 10", CLOCK_GETTIME64, 10, HEAP, EINVAL_ANSWER},
		{"CLOCK_TAI", CLOCK_GETTIME64, 11, HEAP, 0},
		{"clock 12", CLOCK_GETTIME64, 12, HEAP, EINVAL_ANSWER},
		{"clock 31", CLOCK_GETTIME64, 31, HEAP, EINVAL_ANSWER},
		{"clock 32", CLOCK_GETTIME64, 32, HEAP, EINVAL_ANSWER},
		{"clock -1", CLOCK_GETTIME, 0xffffffff, HEAP, EINVAL_ANSWER},
		{"no clock, nowhere", CLOCK_GETTIME, 99, 0, EINVAL_ANSWER},
		{"nowhere", CLOCK_GETTIME64, 0, 0, EFAULT_ANSWER},
		{"last place for 64 bits", CLOCK_GETTIME64, 0, RAM_END - 16, 0},
		{"a byte too far", CLOCK_GETTIME64, 0, RAM_END - 15, EFAULT_ANSWER},
		{"last place for 32 bits", CLOCK_GETTIME, 0, RAM_END - 8, 0},
		{"a byte too far for 32 bits", CLOCK_GETTIME, 0, RAM_END - 7, EFAULT_ANSWER},
		{"in front of the RAM", CLOCK_GETTIME, 0, GUEST_ADDRESS - 1, EFAULT_ANSWER},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct flat *flat = machine(NULL);
		uint32_t answer = call(flat, rows[i].number, rows[i].clock, rows[i].address, 0);
		if (answer != rows[i].answer)
			fail_msg("%s: 0x%x", rows[i].name, answer);
		flat_free(flat);
	}
}

static void test_unserved(void **state)
{
	(void)state;
	uint32_t first = 1;
	struct flat *flat = machine(NULL);
	assert_int_equal(call(flat, WRITE, 3, 0, 0), EBADF_ANSWER);
	assert_int_equal(flat_nr_unserved(flat, &first), 0);
	assert_int_equal(first, 0);
	assert_int_equal(call(flat, 63, 0, TEXT, 4), ENOSYS_ANSWER);
	assert_int_equal(call(flat, 0, 0, 0, 0), ENOSYS_ANSWER);
	assert_int_equal(call(flat, 0xffffffff, 0, 0, 0), ENOSYS_ANSWER);
	assert_int_equal(flat_nr_unserved(flat, &first), 3);
	assert_int_equal(first, 63);
	flat_free(flat);
}

TEST_FILE(test_ipu_linux)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_write),	  cmocka_unit_test(test_write_that_fails),
		cmocka_unit_test(test_write_all), cmocka_unit_test(test_exit),
		cmocka_unit_test(test_brk),	  cmocka_unit_test(test_brk_in_small_ram),
		cmocka_unit_test(test_clock),	  cmocka_unit_test(test_clock_refusals),
		cmocka_unit_test(test_unserved),  cmocka_unit_test(test_large_brk),
	};
	return RUN_BY_EACH_ENGINE(tests);
}
