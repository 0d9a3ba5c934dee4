/* Properties of the translator: where there is one, memory that is executed, what is counted, discarded and shared.
 * That it does what the interpreter does is in test_ipu_agree.c, test_ipu_hot.c and wherever tests are run by each
 * engine. */
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ipu/core/flat.h"
#include "ipu/core/ipu.h"
#include "tests/helper/made_elf.h"
#include "tests/unit/ipu/jit/made_twin.h"

#ifndef PR_SET_MDWE
#define PR_SET_MDWE 65
#define PR_MDWE_REFUSE_EXEC_GAIN 1
#endif

/* A loop over some of everything; x5 is how often, x6 is added up. */
static void add_sum(struct twin *t)
{
	uint32_t head = t->at;
	twin_add(t, encode_r(OP_REG, 0, 0, 6, 6, 5));
	twin_add(t, encode_i(OP_IMM, 1, 7, 6, 3));
	twin_add(t, encode_r(OP_REG, 4, 0, 6, 6, 7));
	twin_add(t, encode_addi(5, 5, UINT32_MAX));
	twin_add(t, encode_b(1, 5, 0, head - t->at));
	twin_add(t, encode_jalr(0, HART_RA, 0));
}

static uint32_t sum(uint32_t times)
{
	uint32_t x6 = 0;
	for (; times > 0; times--) {
		x6 += times;
		x6 ^= x6 << 3;
	}
	return x6;
}

/* Whether the system lets memory that was written be executed. */
__attribute__((unused)) static bool can_be_executed(void)
{
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return false;
	bool can = mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0;
	munmap(page, 4096);
	return can;
}

/* Names of both engines, and which host has which. */
static void test_availability(void **state)
{
	static struct twin t;

	(void)state;
	assert_string_equal(hart_engine_name(HART_INTERP), "interp");
	assert_string_equal(hart_engine_name(HART_JIT), "jit");
	assert_string_equal(hart_engine_name(NR_HART_ENGINES), "unknown engine");
#ifdef __x86_64__
	assert_int_equal(translation_is_available(), can_be_executed());
#else
	assert_false(translation_is_available());
#endif
	for (unsigned kind = 0; kind < NR_TWIN_KINDS; kind++) {
		twin_init(&t, (enum twin_kind)kind);
		add_sum(&t);
		twin_begin(&t, &(struct twin_shape){0});
		assert_int_equal(t.sides[1].h.translation != NULL, translation_is_available());
		twin_end(&t);
	}
	translation_free(NULL);
}

/* How many mappings of this process can be written and executed at once; *nr_executable: how many can be executed. */
static unsigned count_writable_code(unsigned *nr_executable)
{
	FILE *in = fopen("/proc/self/maps", "r");
	char line[512], rights[8];
	unsigned nr = 0;
	assert_non_null(in);
	*nr_executable = 0;
	while (fgets(line, sizeof(line), in)) {
		if (sscanf(line, "%*x-%*x %7s", rights) != 1)
			continue;
		nr += rights[1] == 'w' && rights[2] == 'x';
		*nr_executable += rights[2] == 'x';
	}
	fclose(in);
	return nr;
}

/* Some are not ours, where the program runs in a simulator itself. */
static unsigned nr_writable_before;

static bool look_at_maps(struct hart *h, uint32_t address, unsigned nr_bytes, uint32_t *value)
{
	unsigned nr_executable;
	(void)address;
	(void)nr_bytes;
	assert_true(count_writable_code(&nr_executable) <= nr_writable_before);
	*value = nr_executable;
	++*(unsigned *)h->context;
	return true;
}

/* Before, while and after code is translated, executed, discarded and translated again. */
static void test_memory_is_never_writable_and_executable(void **state)
{
	static const struct hart_host host = {.load = look_at_maps};
	unsigned nr_executable, nr_before, nr_looks = 0;

	(void)state;
	nr_writable_before = count_writable_code(&nr_before);
	for (unsigned kind = 0; kind < NR_TWIN_KINDS; kind++) {
		static struct twin t;
		twin_init(&t, (enum twin_kind)kind);
		twin_add(&t, encode_i(OP_LOAD, 2, 8, 0, 0));
		twin_add(&t, encode_addi(5, 5, UINT32_MAX));
		twin_add(&t, encode_b(1, 5, 0, (uint32_t)-8));
		twin_add(&t, encode_jalr(0, HART_RA, 0));
		twin_begin(&t, &(struct twin_shape){0});
		struct hart *h = &t.sides[1].h;
		h->host = &host;
		h->context = &nr_looks;
		for (unsigned round = 0; round < 3; round++) {
			hart_set_register(h, 5, 50);
			assert_int_equal(hart_call(h, TWIN_CODE_BASE, 1000), HART_RETURNED);
			assert_true(count_writable_code(&nr_executable) <= nr_writable_before);
			/* Something is there to be executed. */
			assert_true(hart_register(h, 8) > nr_before);
			code_discard(t.sides[1].code);
		}
		twin_end(&t);
	}
	assert_int_equal(nr_looks, 3 * 3 * 50);
	assert_true(count_writable_code(&nr_executable) <= nr_writable_before);
	assert_int_equal(nr_executable, nr_before);
}

static void test_counts_of_fixed_code(void **state)
{
	static struct twin t;

	(void)state;
	twin_init(&t, TWIN_FIXED);
	add_sum(&t);
	twin_begin(&t, &(struct twin_shape){0});
	struct translation_counts before = twin_counts(&t);
	assert_true(before.nr_traces >= 1 && before.nr_instructions >= 6 && before.nr_host_bytes >= 6);
	assert_int_equal(before.nr_discarded, 0);
	twin_set(&t, 5, 1000);
	twin_set(&t, HART_RA, HART_RETURN_STUB);
	assert_int_equal(twin_run(&t, 10000), HART_RETURNED);
	twin_discard(&t); /* which does nothing to it */
	struct translation_counts after = twin_counts(&t);
	assert_memory_equal(&before, &after, sizeof(before));
	twin_end(&t);
}

static void test_counts_of_changing_code(void **state)
{
	static struct twin t;

	(void)state;
	twin_init(&t, TWIN_CHANGING);
	add_sum(&t);
	twin_begin(&t, &(struct twin_shape){0});
	assert_int_equal(twin_counts(&t).nr_traces, 0);
	for (uint64_t round = 0; round < 4; round++) {
		twin_jump(&t, 0);
		twin_set(&t, 5, 1000);
		twin_set(&t, 6, 0);
		twin_set(&t, HART_RA, HART_RETURN_STUB);
		assert_int_equal(twin_run(&t, 10000), HART_RETURNED);
		assert_int_equal(hart_register(&t.sides[1].h, 6), sum(1000));
		struct translation_counts c = twin_counts(&t);
		assert_true(c.nr_traces >= 1 && c.nr_instructions >= 5 && c.nr_host_bytes >= 5);
		assert_int_equal(c.nr_discarded, round);
		twin_discard(&t);
		twin_discard(&t); /* nothing is left for this one */
	}
	twin_end(&t);
}

/* What is seldom executed costs nothing. */
static void test_cold_code_is_not_translated(void **state)
{
	static struct twin t;

	(void)state;
	twin_init(&t, TWIN_CHANGING);
	for (uint32_t i = 0; i < 100; i++)
		twin_add(&t, encode_addi(5, 5, 1));
	twin_add(&t, ENCODED_EBREAK);
	twin_begin(&t, &(struct twin_shape){0});
	assert_int_equal(twin_run(&t, 1000), HART_BREAKPOINT);
	assert_int_equal(twin_counts(&t).nr_traces, 0);
	twin_end(&t);
}

/* More code than can be kept translated, all of it hot: calls of many routines by turns. */
#define NR_ROUTINES 20000u
#define ROUTINE_BYTES 256u
#define NR_ROUNDS 24u
#define MOST_HOST_BYTES (UINT64_C(256) << 20)

static void test_more_than_can_be_kept(void **state)
{
	uint32_t nr_bytes = NR_ROUTINES * ROUTINE_BYTES + 64;
	uint8_t *bytes = calloc(1, nr_bytes);
	struct hart sides[2];
	struct code *codes[2];
	struct sahm_err err;

	(void)state;
	assert_non_null(bytes);
	/* x7 += x5 ^ a constant, over and over; each routine jumps to the next. */
	for (uint32_t i = 0; i < NR_ROUTINES; i++) {
		uint8_t *at = bytes + i * ROUTINE_BYTES;
		for (uint32_t k = 0; k < ROUTINE_BYTES / 4 - 1; k++)
			made_put(at + 4 * k, 4,
				 k % 2 ? encode_r(OP_REG, 0, 0, 7, 7, 6)
				       : encode_i(OP_IMM, 4, 6, 5, (i * 7 + k) % 2048));
		/* An indirect jump: traces end there. */
		made_put(at + ROUTINE_BYTES - 12, 4, encode_u(OP_AUIPC, 8, 0));
		made_put(at + ROUTINE_BYTES - 8, 4, encode_addi(8, 8, 12));
		made_put(at + ROUTINE_BYTES - 4, 4, encode_jalr(0, 8, 0));
	}
	made_put(bytes + NR_ROUTINES * ROUTINE_BYTES, 4, ENCODED_EBREAK);
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(code_new(&codes[i], 0, bytes, nr_bytes, 0, &err), SAHM_OK);
		hart_init(&sides[i], codes[i]);
	}
	sides[1].translation = translation_new(&sides[1]);
	for (uint32_t round = 0; round < NR_ROUNDS; round++) {
		for (unsigned i = 0; i < 2; i++) {
			hart_jump(&sides[i], 0);
			hart_set_register(&sides[i], 5, round);
			assert_int_equal(hart_run(&sides[i], UINT64_MAX), HART_BREAKPOINT);
		}
		assert_same_harts(&sides[0], &sides[1], "many routines");
		assert_true(translation_counts(sides[1].translation).nr_host_bytes <= MOST_HOST_BYTES);
	}
	assert_true(translation_counts(sides[1].translation).nr_traces > 1000);
	translation_free(sides[1].translation);
	code_free(codes[0]);
	code_free(codes[1]);
	free(bytes);
}

/* Threads with a hart each, and one translation of fixed code. */
#define NR_THREADS 4
#define NR_CALLS 300u

struct worker {
	pthread_t thread;
	struct hart h;
	uint32_t first;
	uint8_t data[TWIN_DATA_BYTES];
	bool failed;
};

static void *work(void *argument)
{
	struct worker *w = argument;
	for (uint32_t i = 0; i < NR_CALLS && !w->failed; i++) {
		uint32_t times = 1 + (w->first + 7 * i) % 500;
		hart_set_register(&w->h, 5, times);
		hart_set_register(&w->h, 6, 0);
		hart_enter(&w->h, TWIN_CODE_BASE);
		uint64_t before = w->h.nr_retired, slice = 1 + (w->first + i) % 100;
		enum hart_cause cause;
		while ((cause = hart_run(&w->h, slice)) == HART_BUDGET)
			slice += 17;
		w->failed = cause != HART_RETURNED || hart_register(&w->h, 6) != sum(times) ||
			    w->h.nr_retired - before != 5 * (uint64_t)times + 1;
	}
	return NULL;
}

static void test_one_translation_in_many_threads(void **state)
{
	static struct twin t;
	static struct worker workers[NR_THREADS];

	(void)state;
	twin_init(&t, TWIN_FIXED);
	add_sum(&t);
	twin_begin(&t, &(struct twin_shape){0});
	for (unsigned i = 0; i < NR_THREADS; i++) {
		struct worker *w = &workers[i];
		w->h = t.sides[1].h;
		hart_set_memory(&w->h, TWIN_DATA_BASE, w->data, TWIN_DATA_BYTES);
		w->first = 100 * i;
		assert_int_equal(pthread_create(&w->thread, NULL, work, w), 0);
	}
	for (unsigned i = 0; i < NR_THREADS; i++) {
		assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
		assert_false(workers[i].failed);
	}
	twin_end(&t);
}

/* A translation may be made and freed while nothing has run; several of one code are apart. */
static void test_several_of_one_code(void **state)
{
	static struct twin t;
	struct translation *others[3];

	(void)state;
	twin_init(&t, TWIN_FIXED);
	add_sum(&t);
	twin_begin(&t, &(struct twin_shape){0});
	for (unsigned i = 0; i < 3; i++)
		others[i] = translation_new(&t.sides[1].h);
	translation_free(others[1]);
	twin_set(&t, 5, 100);
	twin_set(&t, HART_RA, HART_RETURN_STUB);
	assert_int_equal(twin_run(&t, 10000), HART_RETURNED);
	translation_free(others[0]);
	translation_free(others[2]);
	twin_end(&t);
}

/* A hart whose memory is changed has no translation any more: that one was for the bounds that there were. Changing
 * code has one at a time. */
static void test_bounds_belong_to_translations(void **state)
{
	static struct twin t;
	struct translation *second;

	(void)state;
	twin_init(&t, TWIN_CHANGING);
	add_sum(&t);
	twin_begin(&t, &(struct twin_shape){0});
	struct hart *h = &t.sides[1].h;
	struct translation *first = h->translation;
	second = translation_new(h);
	assert_null(second);
	hart_set_store_window(h, TWIN_DATA_BASE + 4, TWIN_DATA_BASE + 8);
	assert_null(h->translation);
	h->translation = first;
	hart_set_memory(h, TWIN_DATA_BASE, t.sides[1].data, TWIN_DATA_BYTES - 4);
	assert_null(h->translation);
	h->translation = first;
	twin_end(&t);
}

/* A host may answer with rubbish around its answer, as C lets it: only that counts. */
static bool ends_run(struct hart *h, uint32_t address, unsigned nr_bytes, uint32_t value)
{
	(void)address;
	(void)nr_bytes;
	(void)value;
	h->cause = HART_EXITED;
	struct hart *volatile where = h;
	return where != NULL;
}

static void test_answers_of_hosts(void **state)
{
	typedef bool answer(struct hart * h, uint32_t address, unsigned nr_bytes, uint32_t value);
	static const struct hart_host host = {.store = (answer *)ends_run};
	static struct twin t;

	(void)state;
	twin_init(&t, TWIN_FIXED);
	twin_add(&t, encode_lui(5, 0xf0000000));
	twin_add(&t, encode_s(OP_STORE, 2, 5, 6, 0));
	twin_begin(&t, &(struct twin_shape){0});
	t.sides[0].h.host = t.sides[1].h.host = &host;
	assert_int_equal(twin_run(&t, 100), HART_EXITED);
	assert_int_equal(t.sides[1].h.pc, TWIN_CODE_BASE + 8);
	twin_end(&t);
}

/* Where the system lets no memory become executable, everything is interpreted: as a separate process. */
static void test_system_without_executable_memory(void **state)
{
	int status;

	(void)state;
	fflush(NULL);
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		if (prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0) != 0)
			_exit(77);
		bool is_right = true;
		for (unsigned kind = 0; kind < NR_TWIN_KINDS; kind++) {
			static struct twin t;
			twin_init(&t, (enum twin_kind)kind);
			add_sum(&t);
			twin_begin(&t, &(struct twin_shape){0});
			hart_set_register(&t.sides[1].h, 5, 5000);
			is_right = is_right && hart_call(&t.sides[1].h, TWIN_CODE_BASE, UINT64_MAX) == HART_RETURNED &&
				   hart_register(&t.sides[1].h, 6) == sum(5000);
			twin_end(&t);
		}
		_exit(is_right ? 0 : 1);
	}
	assert_true(waitpid(child, &status, 0) == child && WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		print_message("this system always lets memory become executable\n");
	else
		assert_int_equal(WEXITSTATUS(status), 0);
}

/* Programs of IPUs: translated, interpreted again, and both at once. */
static void test_programs_of_ipus(void **state)
{
	static struct twin t;
	static struct ipu ipu;
	struct made_segment segment = {.bytes = t.sides[0].code_bytes, .flags = 5};
	struct made_elf elf;
	struct elf_image *image;
	struct ipu_program *program;
	struct sahm_err err;

	(void)state;
	twin_init(&t, TWIN_FIXED);
	add_sum(&t);
	segment.nr_bytes = t.at;
	made_elf(&elf, 0, &segment, 1, NULL, 0);
	assert_int_equal(elf_image_new(&image, "sum.elf", elf.bytes, elf.nr_bytes, &err), SAHM_OK);
	assert_int_equal(ipu_program_new(&program, image, &err), SAHM_OK);
	for (unsigned round = 0; round < 4; round++) {
		ipu_init(&ipu, program);
		assert_int_equal(ipu.hart.translation != NULL, round % 2 && translation_is_available());
		hart_set_register(&ipu.hart, 5, 77);
		assert_int_equal(hart_call(&ipu.hart, 0, 10000), HART_RETURNED);
		assert_int_equal(hart_register(&ipu.hart, 6), sum(77));
		if (round % 2)
			ipu_program_interpret(program);
		else
			ipu_program_translate(program, &host_translator);
	}
	ipu_program_translate(program, &host_translator);
	ipu_program_free(program);
	elf_image_free(image);
	made_elf_free(&elf);
}

TEST_FILE(test_ipu_translation)
{
	const struct CMUnitTest always[] = {
		cmocka_unit_test(test_availability),
		cmocka_unit_test(test_programs_of_ipus),
	};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_memory_is_never_writable_and_executable),
		cmocka_unit_test(test_counts_of_fixed_code),
		cmocka_unit_test(test_counts_of_changing_code),
		cmocka_unit_test(test_cold_code_is_not_translated),
		cmocka_unit_test(test_more_than_can_be_kept),
		cmocka_unit_test(test_one_translation_in_many_threads),
		cmocka_unit_test(test_several_of_one_code),
		cmocka_unit_test(test_bounds_belong_to_translations),
		cmocka_unit_test(test_answers_of_hosts),
		cmocka_unit_test(test_system_without_executable_memory),
	};
	int nr_failed = cmocka_run_group_tests(always, NULL, NULL);

	if (tests_translator())
		return nr_failed + cmocka_run_group_tests(tests, NULL, NULL);
	puts("there is no translator for this host, or it is not wanted");
	return nr_failed ? nr_failed : TEST_SKIPPED;
}
