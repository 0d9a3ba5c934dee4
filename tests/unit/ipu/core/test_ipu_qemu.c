/* The flat machine against qemu-riscv32 on random programs, each of them a static Linux program of hundreds to
 * thousands of instructions that writes all of its registers and data before it exits: what is written and the exit
 * code must be the same, interpreted or translated. Skips (exit code 77) where there is no qemu-riscv32.
 *
 * In the environment: SAHM_IPU_QEMU_PROGRAMS, how many programs; SAHM_IPU_SEED, the seed; SAHM_IPU_INDEX, only one
 * program; SAHM_IPU_KEEP, a file that the last program is left in.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ipu/core/flat.h"
#include "ipu/jit/translation.h"
#include "tests/helper/environment.h"
#include "tests/helper/random_program.h"
#include "tests/unit/test.h"

#define NR_PROGRAMS 100u
#define QEMU "qemu-riscv32"
#define QEMU_SECONDS 60u /* a program takes milliseconds */
#define RAM_BYTES 65536u

/* Linux maps the file, so addresses and offsets have to agree on where pages begin. */
#define PAGE_BYTES 4096u
#define ELF_BYTES (PAGE_BYTES + RANDOM_CODE_BYTES + RANDOM_DATA_BYTES)

/* An executable of one segment, in which all is allowed. */
static void make_elf(const struct random_program *p, uint8_t elf[ELF_BYTES])
{
	/* The header and a program header: bytes, then words; the fields that matter are named. */
	static const uint8_t ident[16] = {0x7f, 'E', 'L', 'F', 1 /* 32 bits */, 1 /* little-endian */, 1};
	const uint32_t words[] = {
		2 | 243u << 16, /* executable, RISC-V */
		1,
		p->base, /* entry */
		52,	 /* where the program header is */
		0,
		1,		/* compressed instructions */
		52 | 32u << 16, /* sizes of both headers */
		1,
		0,
		1, /* to be loaded */
		PAGE_BYTES,
		p->base,
		p->base,
		sizeof(p->bytes),
		sizeof(p->bytes),
		7,
		PAGE_BYTES,
	};

	memset(elf, 0, PAGE_BYTES);
	memcpy(elf, ident, sizeof(ident));
	for (size_t i = 0; i < sizeof(words); i++)
		elf[sizeof(ident) + i] = (uint8_t)(words[i / 4] >> i % 4 * 8);
	memcpy(elf + PAGE_BYTES, p->bytes, sizeof(p->bytes));
}

struct outcome {
	uint8_t bytes[RANDOM_DATA_BYTES + 1]; /* one more, to see whether there is more */
	size_t nr_bytes;
	unsigned exit_code;
};

/* Collects what the program writes. */
static bool collect(void *context, int fd, const uint8_t *bytes, size_t nr_bytes)
{
	struct outcome *o = context;

	if (fd != 1 || nr_bytes > sizeof(o->bytes) - o->nr_bytes)
		return false;
	memcpy(o->bytes + o->nr_bytes, bytes, nr_bytes);
	o->nr_bytes += nr_bytes;
	return true;
}

/* Says which program it was, and fails. */
static void give_up(const struct random_program *p, const char *what, uint64_t here, uint64_t there)
{
	print_error("SAHM_IPU_SEED=%" PRIu64 " SAHM_IPU_INDEX=%" PRIu64 ": %s is 0x%" PRIx64 " here, 0x%" PRIx64
		    " in " QEMU "\n",
		    p->seed, p->index, what, here, there);
	fail_msg("the flat machine and " QEMU " disagree");
}

static uint64_t run_here(const struct random_program *p, uint8_t elf[ELF_BYTES], enum hart_engine engine,
			 struct outcome *o)
{
	struct flat_options options = {.ram_bytes = RAM_BYTES,
				       .translator = engine == HART_JIT ? &host_translator : NULL,
				       .write = collect,
				       .context = o};
	struct elf_image *image;
	struct flat *flat;
	struct sahm_err err;

	o->nr_bytes = 0;
	if (elf_image_new(&image, "random", (char *)elf, ELF_BYTES, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	if (flat_new(&flat, image, &options, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	enum hart_cause cause = hart_run(flat_hart(flat), 2 * RANDOM_MOST_STEPS);
	uint64_t nr_retired = flat_hart(flat)->nr_retired;
	if (cause != HART_EXITED) {
		print_error("%s, pc %08" PRIx32 ", address %08" PRIx32 "\n", hart_cause_text(cause),
			    flat_hart(flat)->pc, flat_hart(flat)->address);
		give_up(p, "the cause", cause, HART_EXITED);
	}
	o->exit_code = flat_exit_code(flat) & 0xff;
	flat_free(flat);
	elf_image_free(image);
	return nr_retired;
}

static void run_in_qemu(const char *path, struct outcome *o)
{
	int ends[2], status;
	ssize_t n;

	o->nr_bytes = 0;
	assert_int_equal(pipe(ends), 0);
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		alarm(QEMU_SECONDS);
		if (dup2(ends[1], 1) == 1 && close(ends[0]) == 0)
			execlp(QEMU, QEMU, path, (char *)NULL);
		_exit(127);
	}
	close(ends[1]);
	while ((n = read(ends[0], o->bytes + o->nr_bytes, sizeof(o->bytes) - o->nr_bytes)) > 0)
		o->nr_bytes += (size_t)n;
	close(ends[0]);
	assert_true(waitpid(child, &status, 0) == child);
	if (!WIFEXITED(status))
		fail_msg(QEMU " ended by signal %d", WTERMSIG(status));
	o->exit_code = (unsigned)WEXITSTATUS(status);
}

static void compare(const struct random_program *p, const struct outcome *here, const struct outcome *there)
{
	char name[40];

	if (here->nr_bytes != there->nr_bytes)
		give_up(p, "the number of bytes written", here->nr_bytes, there->nr_bytes);
	assert_int_equal(here->nr_bytes, RANDOM_DATA_BYTES);
	for (uint32_t i = 0; i < RANDOM_DATA_BYTES; i++) {
		if (here->bytes[i] == there->bytes[i])
			continue;
		if (i < RANDOM_DUMP_BYTES)
			snprintf(name, sizeof(name), "byte %u of x%u", i % 4, i / 4);
		else
			snprintf(name, sizeof(name), "byte %u of the data", i);
		give_up(p, name, here->bytes[i], there->bytes[i]);
	}
	if (here->exit_code != there->exit_code)
		give_up(p, "the exit code", here->exit_code, there->exit_code);
}

/* Returns how many instructions it took. */
static uint64_t check_program(const char *path, uint64_t seed, uint64_t index)
{
	static struct random_program p;
	static struct outcome here, there;
	static uint8_t elf[ELF_BYTES];

	random_program(&p, RANDOM_LINUX, seed, index);
	make_elf(&p, elf);
	FILE *f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(elf, 1, ELF_BYTES, f), ELF_BYTES);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(chmod(path, 0700), 0);
	run_in_qemu(path, &there);
	uint64_t nr_translated = run_here(&p, elf, HART_JIT, &here);
	compare(&p, &here, &there);
	uint64_t nr_retired = run_here(&p, elf, HART_INTERP, &here);
	compare(&p, &here, &there);
	assert_int_equal(nr_translated, nr_retired);
	return nr_retired;
}

static int make_file(void **state)
{
	static char path[4096];
	const char *keep = getenv("SAHM_IPU_KEEP"), *folder = getenv("TMPDIR");
	int fd;

	*state = path;
	if (keep)
		return snprintf(path, sizeof(path), "%s", keep) < 0;
	snprintf(path, sizeof(path), "%s/sahm-random-XXXXXX", folder ? folder : "/tmp");
	fd = mkstemp(path);
	return fd < 0 || close(fd) != 0;
}

static int remove_file(void **state)
{
	return getenv("SAHM_IPU_KEEP") ? 0 : remove(*state);
}

static void test_random_programs(void **state)
{
	uint64_t nr_programs = environment_number("SAHM_IPU_QEMU_PROGRAMS", NR_PROGRAMS);
	uint64_t seed = environment_number("SAHM_IPU_SEED", 1);
	uint64_t first = environment_number("SAHM_IPU_INDEX", 0);
	uint64_t end = getenv("SAHM_IPU_INDEX") ? first + 1 : nr_programs, nr_retired = 0;

	for (uint64_t i = first; i < end; i++)
		nr_retired += check_program(*state, seed, i);
	print_message("%" PRIu64 " programs, %" PRIu64 " instructions in all\n", end - first, nr_retired);
	assert_true(nr_retired > 500 * (end - first) || end - first < 100);
}

TEST_FILE(test_ipu_qemu)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_random_programs, make_file, remove_file),
	};

	if (system("command -v " QEMU " >/dev/null 2>&1") != 0) {
		puts(QEMU " is not installed");
		return TEST_SKIPPED;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
