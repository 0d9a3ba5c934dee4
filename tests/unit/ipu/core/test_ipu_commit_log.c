/* The commit log: each line says what one retired instruction wrote, in Spike's form. */
#include "tests/unit/test.h"

#include <stdio.h>
#include <string.h>

#include "ipu/core/commit_log.h"

#define CODE_BASE UINT32_C(0x80000000)
#define DATA_BASE UINT32_C(0x10000)

struct machine {
	struct hart hart;
	uint8_t code[8], data[128];
	unsigned nr_csr_accesses;
};

/* CSRs all read as 0x3f; there is none at 0x7ff that can be written. */
static bool read_csr(struct hart *h, uint32_t csr, uint32_t *value)
{
	(void)csr;
	((struct machine *)h->context)->nr_csr_accesses++;
	*value = 0x3f;
	return true;
}

static bool write_csr(struct hart *h, uint32_t csr, uint32_t value)
{
	(void)value;
	((struct machine *)h->context)->nr_csr_accesses++;
	return csr != 0x7ff;
}

/* Calls put 7 into a0; call 93 ends the program. */
static bool call(struct hart *h)
{
	hart_set_register(h, HART_A0, 7);
	if (hart_register(h, HART_A7) == 93)
		h->cause = HART_EXITED;
	return true;
}

static const struct hart_host host = {.csr_read = read_csr, .csr_write = write_csr, .environment_call = call};

/* Two words of code; t0 and sp point into the data, whose bytes count from 0x80 on. */
static void set_up(struct machine *m, uint32_t first, uint32_t second)
{
	struct code *code;
	memset(m, 0, sizeof(*m));
	for (unsigned i = 0; i < 4; i++) {
		m->code[i] = (uint8_t)(first >> 8 * i);
		m->code[4 + i] = (uint8_t)(second >> 8 * i);
	}
	for (unsigned i = 0; i < sizeof(m->data); i++)
		m->data[i] = (uint8_t)(0x80 + i);
	assert_int_equal(code_new(&code, CODE_BASE, m->code, sizeof(m->code), CODE_FIXED, NULL), SAHM_OK);
	hart_init(&m->hart, code);
	hart_set_memory(&m->hart, DATA_BASE, m->data, sizeof(m->data));
	m->hart.host = &host;
	m->hart.context = m;
	hart_set_register(&m->hart, 2, DATA_BASE + 16);
	hart_set_register(&m->hart, 5, DATA_BASE);
	hart_set_register(&m->hart, 10, 0x89abcdef);
}

static void tear_down(struct machine *m)
{
	code_free(m->hart.code);
}

static void test_lines(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		uint32_t word;
		const char *line; /* after the address */
	} rows[] = {
		{"auipc t0,0", 0x00000297, "(0x00000297) x5  0x80000000"},
		{"addi a0,a0,1", 0x00150513, "(0x00150513) x10 0x89abcdf0"},
		{"addi zero,t0,1", 0x00128013, "(0x00128013)"},
		{"lw t1,64(t0)", 0x0402a303, "(0x0402a303) x6  0xc3c2c1c0 mem 0x00010040"},
		{"lh t1,64(t0)", 0x04029303, "(0x04029303) x6  0xffffc1c0 mem 0x00010040"},
		{"lbu t1,65(t0)", 0x0412c303, "(0x0412c303) x6  0x000000c1 mem 0x00010041"},
		{"lw t0,64(t0)", 0x0402a283, "(0x0402a283) x5  0xc3c2c1c0 mem 0x00010040"},
		{"lw zero,64(t0)", 0x0402a003, "(0x0402a003) mem 0x00010040"},
		{"sw a0,68(t0)", 0x04a2a223, "(0x04a2a223) mem 0x00010044 0x89abcdef"},
		{"sh a0,68(t0)", 0x04a29223, "(0x04a29223) mem 0x00010044 0xcdef"},
		{"sb a0,71(t0)", 0x04a283a3, "(0x04a283a3) mem 0x00010047 0xef"},
		{"sb zero,0(t0)", 0x00028023, "(0x00028023) mem 0x00010000 0x00"},
		{"sw a0,1(sp)", 0x00a120a3, "(0x00a120a3) mem 0x00010011 0x89abcdef"},
		{"c.li a0,-1", 0x557d, "(0x557d) x10 0xffffffff"},
		{"c.nop", 0x0001, "(0x0001)"},
		{"c.swsp a0,4(sp)", 0xc22a, "(0xc22a) mem 0x00010014 0x89abcdef"},
		{"c.lwsp a1,4(sp)", 0x4592, "(0x4592) x11 0x97969594 mem 0x00010014"},
		{"c.jal .+4", 0x2011, "(0x2011) x1  0x80000002"},
		{"c.beqz a0,.+2", 0xc109, "(0xc109)"},
		{"jal zero,.", 0x0000006f, "(0x0000006f)"},
		{"csrrs a2,instret,zero", 0xc0202673, "(0xc0202673) x12 0x00000000"},
		{"csrrw a3,0x800,a0", 0x800516f3, "(0x800516f3) x13 0x0000003f c2048_unknown-csr 0x89abcdef"},
		{"csrrwi zero,0x801,5", 0x8012d073, "(0x8012d073) c2049_unknown-csr 0x00000005"},
		{"csrrci a4,fcsr,31", 0x003ff773, "(0x003ff773) x14 0x0000003f c3_fcsr 0x00000020"},
		{"csrrs zero,0x800,zero", 0x80002073, "(0x80002073)"},
		{"fence", 0x0ff0000f, "(0x0ff0000f)"},
		{"ecall", 0x00000073, "(0x00000073) x10 0x00000007"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct machine m;
		struct textbuf out;
		char expected[128];
		set_up(&m, rows[i].word, 0);
		textbuf_init(&out);
		snprintf(expected, sizeof(expected), "core   0: 3 0x80000000 %s\n", rows[i].line);
		enum hart_cause cause = commit_log_step(&m.hart, &out);
		if (cause != HART_BUDGET || strcmp(out.text, expected) != 0)
			fail_msg("%s: %s, '%s'", rows[i].name, hart_cause_text(cause), out.text);
		assert_int_equal(m.hart.nr_retired, 1);
		assert_ptr_equal(m.hart.host, &host);
		textbuf_release(&out);
		tear_down(&m);
	}
}

/* An instruction that does not retire leaves no line; the cause is the hart's. */
static void test_faults(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		uint32_t word;
		enum hart_cause cause;
	} rows[] = {
		{"half-word of zeros", 0, HART_ILLEGAL_INSTRUCTION},
		{"csrrw zero,cycle,zero", 0xc0001073, HART_ILLEGAL_INSTRUCTION},
		{"csrrw zero,0x7ff,a0", 0x7ff51073, HART_ILLEGAL_INSTRUCTION},
		{"lw a0,-4(zero)", 0xffc02503, HART_LOAD_OUTSIDE},
		{"sw a0,-4(zero)", 0xfea02e23, HART_STORE_OUTSIDE},
		{"jalr zero,0(zero)", 0x00000067, HART_JUMP_OUTSIDE},
		{"ebreak", 0x00100073, HART_BREAKPOINT},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct machine m;
		struct textbuf out;
		set_up(&m, rows[i].word, 0);
		textbuf_init(&out);
		/* The second time nothing runs. */
		for (unsigned step = 0; step < 2; step++)
			if (commit_log_step(&m.hart, &out) != rows[i].cause || out.len != 0)
				fail_msg("%s: %s, '%s'", rows[i].name, hart_cause_text(m.hart.cause), out.text);
		assert_int_equal(m.hart.nr_retired, 0);
		assert_ptr_equal(m.hart.host, &host);
		textbuf_release(&out);
		tear_down(&m);
	}
}

/* Lines follow one another; the instruction that ends the program has one. */
static void test_program(void **state)
{
	(void)state;
	struct machine m;
	struct textbuf out;
	set_up(&m, 0x05d00893, 0x00000073); /* addi a7,zero,93; ecall */
	textbuf_init(&out);
	assert_int_equal(commit_log_step(&m.hart, &out), HART_BUDGET);
	assert_int_equal(commit_log_step(&m.hart, &out), HART_EXITED);
	assert_int_equal(commit_log_step(&m.hart, &out), HART_EXITED);
	assert_string_equal(out.text, "core   0: 3 0x80000000 (0x05d00893) x17 0x0000005d\n"
				      "core   0: 3 0x80000004 (0x00000073) x10 0x00000007\n");
	textbuf_release(&out);
	tear_down(&m);
}

/* A CSR is accessed as often as without a log, and a hart needs no host. */
static void test_log_changes_nothing(void **state)
{
	(void)state;
	struct machine m;
	struct textbuf out;
	set_up(&m, 0x80052073, 0); /* csrrs zero,0x800,a0: reads and writes */
	textbuf_init(&out);
	assert_int_equal(commit_log_step(&m.hart, &out), HART_BUDGET);
	assert_int_equal(m.nr_csr_accesses, 2);
	tear_down(&m);
	set_up(&m, 0x00150513, 0x80052073); /* addi a0,a0,1; csrrs zero,0x800,a0 */
	m.hart.host = NULL;
	assert_int_equal(commit_log_step(&m.hart, &out), HART_BUDGET);
	assert_int_equal(commit_log_step(&m.hart, &out), HART_ILLEGAL_INSTRUCTION);
	assert_null(m.hart.host);
	assert_string_equal(out.text, "core   0: 3 0x80000000 (0x80052073) c2048_unknown-csr 0x89abcdff\n"
				      "core   0: 3 0x80000000 (0x00150513) x10 0x89abcdf0\n");
	textbuf_release(&out);
	tear_down(&m);
}

/* A host that is the first member of something larger, and finds that by the hart's pointer to it. */
struct device {
	struct hart_host host;
	unsigned nr_loads;
	uint32_t written;
};

static bool device_load(struct hart *h, uint32_t address, unsigned nr_bytes, uint32_t *value)
{
	struct device *d = (struct device *)(uintptr_t)h->host;
	(void)address;
	(void)nr_bytes;
	d->nr_loads++;
	*value = 42;
	return true;
}

static bool device_csr_write(struct hart *h, uint32_t csr, uint32_t value)
{
	struct device *d = (struct device *)(uintptr_t)h->host;
	d->written = value;
	return csr == 0x801;
}

static void test_host_in_a_struct(void **state)
{
	struct device d = {.host = {.load = device_load, .csr_write = device_csr_write}};
	struct machine m;
	struct textbuf out;
	(void)state;
	set_up(&m, 0x00002303 /* lw t1,0(zero) */, 0x80131073 /* csrrw zero,0x801,t1 */);
	m.hart.host = &d.host;
	textbuf_init(&out);
	assert_int_equal(commit_log_step(&m.hart, &out), HART_BUDGET);
	assert_int_equal(commit_log_step(&m.hart, &out), HART_BUDGET);
	assert_string_equal(out.text, "core   0: 3 0x80000000 (0x00002303) x6  0x0000002a mem 0x00000000\n"
				      "core   0: 3 0x80000004 (0x80131073) c2049_unknown-csr 0x0000002a\n");
	assert_int_equal(d.nr_loads, 1);
	assert_int_equal(d.written, 42);
	assert_ptr_equal(m.hart.host, &d.host);
	textbuf_release(&out);
	tear_down(&m);
}

TEST_FILE(test_ipu_commit_log)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_program),
		cmocka_unit_test(test_log_changes_nothing),
		cmocka_unit_test(test_host_in_a_struct),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
