/* Soft-logic modules: descriptions, equal results in both places, and whatever a module may do to its process. */
#include "tests/unit/test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ipu/soft/soft.h"
#include "sim/base/file.h"
#include "tests/helper/random.h"
#include "tests/soft/sums.h"

/* For modules that hang; the others have all the time that they may need on a busy machine. */
#define SHORT_PATIENCE_MS 1000u
#define ESCAPE "/tmp/sahm-soft-escape"

static enum sahm_status open_patiently(struct soft **s, const char *name, enum soft_place place, unsigned patience_ms,
				       struct sahm_err *err)
{
	char path[256], *bytes;
	size_t nr_bytes;
	snprintf(path, sizeof(path), SOFT_FOLDER "/soft_%s.so", name);
	assert_int_equal(file_read_regular(path, (size_t)1 << 26, &bytes, &nr_bytes, err), SAHM_OK);
	snprintf(path, sizeof(path), "%s.so", name);
	enum sahm_status status = soft_open_bytes(s, bytes, nr_bytes, path, place, patience_ms, err);
	free(bytes);
	return status;
}

static enum sahm_status open_module(struct soft **s, const char *name, enum soft_place place, struct sahm_err *err)
{
	return open_patiently(s, name, place, strncmp(name, "hangs", 5) == 0 ? SHORT_PATIENCE_MS : SOFT_PATIENCE_MS,
			      err);
}

/* Under valgrind a process makes its system calls as well, which the sandbox does not allow. */
static bool has_sandbox(void)
{
	const char *preload = getenv("LD_PRELOAD");
	return !preload || !strstr(preload, "vgpreload");
}

static struct soft *open_good(const char *name, enum soft_place place)
{
	struct soft *s;
	struct sahm_err err;
	if (open_module(&s, name, place, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	return s;
}

static struct soft_block *new_block(struct soft *s)
{
	struct soft_block *b;
	struct sahm_err err;
	if (soft_block_new(&b, s, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	return b;
}

static void assert_begins(const char *text, const char *beginning)
{
	if (strncmp(text, beginning, strlen(beginning)) != 0)
		fail_msg("'%s' does not begin with '%s'", text, beginning);
}

static void assert_failed(struct soft *s, const char *beginning)
{
	struct sahm_err err;
	assert_int_equal(soft_check(s, &err), SAHM_TOOL);
	assert_begins(err.msg, beginning);
}

static const struct soft_input wide[] = {{"a", 65}}, twice[] = {{"a", 1}, {"a", 1}}, capital[] = {{"A", 1}},
			       nameless[] = {{NULL, 1}}, none_wide[] = {{"a", 0}},
			       long_name[] = {{"a123456789012345678901234567890b", 1}};
static const struct soft_register odd[] = {{"r", 2, SOFT_READ}}, outside[] = {{"r", SOFT_REGION_BYTES, SOFT_READ}},
				  falling[] = {{"r", 4, SOFT_READ}, {"s", 4, SOFT_READ}},
				  same[] = {{"r", 0, SOFT_READ}, {"r", 4, SOFT_READ}}, no_access[] = {{"r", 0, 0}},
				  other_access[] = {{"r", 0, 4}};

static void test_descriptions(void **state)
{
	static const struct {
		const char *name;
		struct soft_module module;
		const char *message;
	} rows[] = {
		{"no struct", SUMS_MODULE(.abi = 17), "m.so: its description is no struct soft_module"},
		{"abi", SUMS_MODULE(.abi = SOFT_ABI + 1),
		 "m.so: built for version 2 of the soft-logic interface, this sahm has version 1: build it again"},
		{"bytes", SUMS_MODULE(.bytes = 8), "m.so: its struct soft_module has 8 bytes, this sahm's has "},
		{"name", SUMS_MODULE(.name = "a b"), "m.so: its name has not "},
		{"no name", SUMS_MODULE(.name = NULL), "m.so: its name has not "},
		{"version", SUMS_MODULE(.version = ""), "m.so: its version has not "},
		{"no step", SUMS_MODULE(.step = NULL), "m.so: its description has no function 'step'"},
		{"no write", SUMS_MODULE(.write = NULL), "m.so: its description has no function 'write'"},
		{"no inputs", SUMS_MODULE(.nr_inputs = 0), "m.so: it has 0 inputs, not 1 to 32"},
		{"many inputs", SUMS_MODULE(.nr_inputs = 33), "m.so: it has 33 inputs, not 1 to 32"},
		{"inputs missing", SUMS_MODULE(.inputs = NULL), "m.so: its description has no list of its inputs"},
		{"many registers", SUMS_MODULE(.nr_registers = 257), "m.so: it has 257 registers, more than 256"},
		{"wide", SUMS_MODULE(.inputs = wide, .nr_inputs = 1), "m.so: its input 'a' has 65 bits, not 1 to 64"},
		{"no bits", SUMS_MODULE(.inputs = none_wide, .nr_inputs = 1), "m.so: its input 'a' has 0 bits"},
		{"twice", SUMS_MODULE(.inputs = twice), "m.so: it has two inputs 'a'"},
		{"capital", SUMS_MODULE(.inputs = capital, .nr_inputs = 1), "m.so: the name of its input 0 has not "},
		{"nameless", SUMS_MODULE(.inputs = nameless, .nr_inputs = 1), "m.so: the name of its input 0 has not "},
		{"long", SUMS_MODULE(.inputs = long_name, .nr_inputs = 1), "m.so: the name of its input 0 has not "},
		{"odd", SUMS_MODULE(.registers = odd, .nr_registers = 1), "m.so: its register 'r' is at 0x2, not at "},
		{"outside", SUMS_MODULE(.registers = outside, .nr_registers = 1),
		 "m.so: its register 'r' is at 0x1000, not at a multiple of 4 below 0x1000"},
		{"falling", SUMS_MODULE(.registers = falling, .nr_registers = 2),
		 "m.so: its register 's' is not after 'r'"},
		{"same", SUMS_MODULE(.registers = same, .nr_registers = 2), "m.so: it has two registers 'r'"},
		{"no access", SUMS_MODULE(.registers = no_access, .nr_registers = 1),
		 "m.so: its register 'r' has an unknown kind of access, 0"},
		{"other access", SUMS_MODULE(.registers = other_access, .nr_registers = 1),
		 "m.so: its register 'r' has an unknown kind of access, 4"},
		{"packets", SUMS_MODULE(.packet_bytes = 257), "m.so: its packets have up to 257 bytes, more than 256"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct soft *s;
		struct sahm_err err;
		print_message("%s\n", rows[i].name);
		assert_int_equal(soft_of_module(&s, &rows[i].module, "m.so", &err), SAHM_FORMAT);
		assert_begins(err.msg, rows[i].message);
	}
	(void)state;
}

static void test_described(void **state)
{
	static const enum soft_place places[] = {SOFT_IN_OWN_PROCESS, SOFT_IN_PROCESS};
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		struct soft *s = open_good("sums", places[i]);
		const struct soft_module *m = soft_description(s);
		assert_string_equal(soft_file(s), "sums.so");
		assert_string_equal(m->name, "sums");
		assert_string_equal(m->version, "1.0");
		assert_int_equal(m->nr_inputs, 2);
		assert_string_equal(m->inputs[1].name, "b_2");
		assert_int_equal(m->inputs[1].bits, 64);
		assert_int_equal(m->nr_registers, 5);
		assert_string_equal(m->registers[4].name, "start");
		assert_int_equal(soft_find_register(m, SUMS_SETS), 3);
		assert_int_equal(soft_find_register(m, SUMS_START), 4);
		assert_int_equal(soft_find_register(m, 0xc), -1);
		assert_int_equal(m->registers[2].access, SOFT_READ | SOFT_WRITE);
		soft_close(s);
	}
	(void)state;
}

static void test_not_loaded(void **state)
{
	static const struct {
		const char *name;
		enum sahm_status status;
		const char *message;
	} rows[] = {
		{"other_abi", SAHM_FORMAT,
		 "other_abi.so: built for version 2 of the soft-logic interface, this sahm has version 1"},
		{"false_width", SAHM_FORMAT, "false_width.so: its input 'a' has 65 bits, not 1 to 64"},
		{"no_function", SAHM_FORMAT,
		 "no_function.so: not a soft-logic module: it has no function sahm_soft_module()"},
		{"crashes_on_load", SAHM_TOOL,
		 "soft logic 'crashes_on_load.so' has failed while it was loaded: its process was ended by signal "},
		{"hangs_on_load", SAHM_TOOL,
		 "soft logic 'hangs_on_load.so' has failed while it was loaded: it hangs: nothing was done for 1 s"},
		{"escapes_on_load", SAHM_TOOL,
		 "soft logic 'escapes_on_load.so' has failed while it was loaded: it made a system call that its "
		 "sandbox does not allow"},
	};
	struct soft *s;
	struct sahm_err err;
	unlink(ESCAPE);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		print_message("%s\n", rows[i].name);
		assert_int_equal(open_module(&s, rows[i].name, SOFT_IN_OWN_PROCESS, &err), rows[i].status);
		assert_begins(err.msg, rows[i].message);
	}
	assert_int_equal(access(ESCAPE, F_OK), -1);
	static const char text[] = "#!/bin/sh\n", elf[] = "\177ELF and nothing else";
	assert_int_equal(soft_open_bytes(&s, text, sizeof(text), "a.sh", SOFT_IN_PROCESS, SOFT_PATIENCE_MS, &err),
			 SAHM_FORMAT);
	assert_string_equal(err.msg, "a.sh: not a shared object");
	assert_int_equal(soft_open_bytes(&s, elf, sizeof(elf), "a.so", SOFT_IN_OWN_PROCESS, SOFT_PATIENCE_MS, &err),
			 SAHM_FORMAT);
	assert_begins(err.msg, "a.so: cannot be loaded: ");
	assert_int_equal(soft_open(&s, "/nonexistent.so", "x.so", SOFT_IN_OWN_PROCESS, &err), SAHM_IO);
	(void)state;
}

/* A block in each place, with the same calls. */
struct twins {
	struct soft_block *block[2];
	uint64_t cycle;
};

static void compare_packets(struct twins *t)
{
	for (;;) {
		struct soft_packet p[2];
		bool is_there[2];
		for (int i = 0; i < 2; i++)
			is_there[i] = soft_block_take(t->block[i], t->cycle, &p[i]);
		assert_int_equal(is_there[0], is_there[1]);
		if (!is_there[0])
			break;
		assert_int_equal(p[0].cycle, p[1].cycle);
		assert_true(p[0].cycle < t->cycle);
		assert_int_equal(p[0].nr_bytes, p[1].nr_bytes);
		assert_memory_equal(p[0].bytes, p[1].bytes, p[0].nr_bytes);
	}
}

static void call_both(struct twins *t, uint64_t *rng)
{
	static const uint32_t readable[] = {SUMS_LOW, SUMS_HIGH, SUMS_PERIOD, SUMS_SETS};
	uint64_t values[2] = {next_random(rng) & 0xff, next_random(rng)};
	uint32_t valid = (uint32_t)between(rng, 1, 3), offset = PICK(rng, readable);
	uint32_t period = one_in(rng, 3) ? 0 : (uint32_t)between(rng, 1, 100), value = (uint32_t)next_random(rng);
	t->cycle += one_in(rng, 50) ? between(rng, 0, 500) : one_in(rng, 3) ? between(rng, 0, 5) : 0;
	if (!one_in(rng, 40)) {
		for (int i = 0; i < 2; i++)
			soft_block_step(t->block[i], t->cycle, valid, values);
		t->cycle++;
		return;
	}
	uint64_t call = between(rng, 0, 4);
	if (call == 0) {
		compare_packets(t);
		return;
	}
	uint32_t answers[2] = {0};
	for (int i = 0; i < 2; i++)
		switch (call) {
		case 1:
			answers[i] = soft_block_read(t->block[i], t->cycle, offset);
			break;
		case 2:
			soft_block_write(t->block[i], t->cycle, SUMS_PERIOD, period);
			break;
		case 3:
			soft_block_write(t->block[i], t->cycle, SUMS_START, value);
			break;
		default:
			soft_block_reset(t->block[i], t->cycle);
			break;
		}
	assert_int_equal(answers[0], answers[1]);
}

static void test_places_agree(void **state)
{
	struct soft *s[2] = {open_good("sums", SOFT_IN_PROCESS), open_good("sums", SOFT_IN_OWN_PROCESS)};
	struct twins twins[3] = {0};
	uint64_t rng = 38;
	struct sahm_err err;
	for (size_t i = 0; i < ARRAY_SIZE(twins); i++)
		for (int j = 0; j < 2; j++)
			twins[i].block[j] = new_block(s[j]);
	for (int i = 0; i < 600000; i++) {
		struct twins *t = &PICK(&rng, twins);
		call_both(t, &rng);
		if (one_in(&rng, 20000)) {
			for (int j = 0; j < 2; j++) {
				soft_block_free(t->block[j]);
				t->block[j] = new_block(s[j]);
			}
			t->cycle = 0;
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(twins); i++) {
		compare_packets(&twins[i]);
		for (int j = 0; j < 2; j++)
			soft_block_free(twins[i].block[j]);
	}
	for (int j = 0; j < 2; j++) {
		assert_int_equal(soft_check(s[j], &err), SAHM_OK);
		soft_close(s[j]);
	}
	(void)state;
}

/* More packets than their ring holds are there when nobody has asked for long. */
static void test_many_packets(void **state)
{
	struct soft *s = open_good("sums", SOFT_IN_OWN_PROCESS);
	struct soft_block *b = new_block(s);
	struct soft_packet p;
	uint64_t nr = 0;
	soft_block_write(b, 0, SUMS_PERIOD, 1);
	for (uint64_t cycle = 0; cycle < 200000; cycle++)
		soft_block_step(b, cycle, 1, (const uint64_t[]){1, 0});
	while (soft_block_take(b, 300000, &p))
		assert_int_equal(p.cycle, nr++);
	assert_int_equal(nr, 300000);
	soft_block_free(b);
	soft_close(s);
	(void)state;
}

static void test_packets_that_nobody_takes(void **state)
{
	static const enum soft_place places[] = {SOFT_IN_OWN_PROCESS, SOFT_IN_PROCESS};
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		struct soft *s = open_good("sums", places[i]);
		struct soft_block *b = new_block(s);
		struct soft_packet p;
		soft_block_write(b, 0, SUMS_PERIOD, 1);
		soft_block_step(b, 5000000, 1, (const uint64_t[]){1, 0});
		assert_failed(s, "soft logic 'sums.so' (sums 1.0) has failed: it sent more packets than can be kept");
		assert_false(soft_block_take(b, 6000000, &p));
		assert_int_equal(soft_block_read(b, 6000000, SUMS_LOW), 0);
		soft_block_free(b);
		soft_close(s);
	}
	(void)state;
}

static enum packet_rule { RULE_LATE, RULE_EARLY, RULE_LARGE, RULE_READ } broken;

static void break_rule(void *m, uint64_t cycle, uint32_t valid, const uint64_t *values)
{
	const struct sums *s = m;
	static const char bytes[SOFT_MAX_PACKET_BYTES + 1];
	(void)valid;
	(void)values;
	s->outside->emit(s->outside->ctx, cycle, bytes, SOFT_MAX_PACKET_BYTES);
	if (broken == RULE_LATE)
		s->outside->emit(s->outside->ctx, cycle + 1, bytes, 1);
	if (broken == RULE_EARLY)
		s->outside->emit(s->outside->ctx, cycle - 1, bytes, 1);
	if (broken == RULE_LARGE)
		s->outside->emit(s->outside->ctx, cycle, bytes, sizeof(bytes));
}

static uint32_t emit_in_read(void *m, uint32_t offset)
{
	const struct sums *s = m;
	s->outside->emit(s->outside->ctx, 10, "x", 1);
	return offset;
}

static void test_packet_rules(void **state)
{
	static const char *const messages[] = {
		[RULE_LATE] =
			"soft logic 'm' (rules 1.0) has failed: it sent a packet for a cycle after that of the step",
		[RULE_EARLY] =
			"soft logic 'm' (rules 1.0) has failed: it sent a packet for a cycle before that of the last packet",
		[RULE_LARGE] = "soft logic 'm' (rules 1.0) has failed: it sent a packet that is too large",
		[RULE_READ] = "soft logic 'm' (rules 1.0) has failed: it sent a packet outside of step()",
	};
	static const struct soft_module m = SUMS_MODULE(.name = "rules", .step = break_rule, .read = emit_in_read);
	for (size_t i = 0; i < ARRAY_SIZE(messages); i++) {
		struct soft *s;
		struct sahm_err err;
		broken = (enum packet_rule)i;
		assert_int_equal(soft_of_module(&s, &m, "m", &err), SAHM_OK);
		struct soft_block *b = new_block(s);
		soft_block_step(b, 10, 1, (const uint64_t[]){1, 0});
		if (broken == RULE_READ)
			soft_block_read(b, 11, SUMS_LOW);
		assert_failed(s, messages[i]);
		soft_block_free(b);
		soft_close(s);
	}
	(void)state;
}

/* Steps, then calls everything once. */
static void use(struct soft_block *b, uint32_t start)
{
	for (uint64_t cycle = 0; cycle < 100; cycle++)
		soft_block_step(b, cycle, 3, (const uint64_t[]){1, 1});
	soft_block_write(b, 100, SUMS_START, start);
	soft_block_read(b, 100, SUMS_LOW);
	soft_block_reset(b, 100);
}

static void test_hostile(void **state)
{
	static const char call[] = "it made a system call that its sandbox does not allow",
			  shared[] = "it wrote over what its process shares with sahm",
			  ended[] = "its process was ended by signal ";
	static const struct {
		const char *module, *name;
		uint32_t start;
		const char *why;
	} rows[] = {
		{"crashes", "crashes", 0, ended},
		{"aborts", "aborts", 0, "its process was ended by signal 6 "},
		{"hangs", "hangs", 0, "it hangs: nothing was done for 1 s"},
		{"exits", "exits", 0, "its process ended with exit code 0"},
		{"escapes", "escapes", 1, call},
		{"escapes", "escapes", 2, call},
		{"escapes", "escapes", 3, call},
		{"escapes", "escapes", 4, call},
		{"escapes", "escapes", 5, call},
		{"escapes", "escapes", 6, call},
		{"escapes", "escapes", 7, call},
		{"escapes", "escapes", 8, call},
		{"scribbles", "scribbles", 0, shared},
		{"scribbles", "scribbles", 1, shared},
		{"scribbles", "scribbles", 2, shared},
	};
	unlink(ESCAPE);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char expected[256];
		print_message("%s %u\n", rows[i].module, rows[i].start);
		struct soft *s = open_good(rows[i].module, SOFT_IN_OWN_PROCESS);
		struct soft_block *b = new_block(s), *other;
		struct sahm_err err;
		use(b, rows[i].start);
		snprintf(expected, sizeof(expected), "soft logic '%s.so' (%s 1.0) has failed: %s", rows[i].module,
			 rows[i].name, rows[i].why);
		assert_failed(s, expected);
		/* It stays. */
		use(b, rows[i].start);
		assert_int_equal(soft_block_read(b, 101, SUMS_SETS), 0);
		assert_failed(s, expected);
		assert_int_equal(soft_block_new(&other, s, &err), SAHM_TOOL);
		soft_block_free(b);
		soft_close(s);
	}
	assert_int_equal(access(ESCAPE, F_OK), -1);
	(void)state;
}

/* Opening a file to read it fails, as it would where there is none. */
static void test_no_files(void **state)
{
	struct soft *s = open_good("escapes", SOFT_IN_OWN_PROCESS);
	struct soft_block *b = new_block(s);
	soft_block_write(b, 0, SUMS_START, 0);
	assert_int_equal(soft_block_read(b, 0, SUMS_LOW), UINT32_MAX);
	soft_block_free(b);
	soft_close(s);
	(void)state;
}

/* A packet for a block that there is not goes nowhere. */
static void test_packet_for_nobody(void **state)
{
	struct soft *s = open_good("scribbles", SOFT_IN_OWN_PROCESS);
	struct soft_block *b = new_block(s);
	struct soft_packet p;
	struct sahm_err err;
	use(b, 3);
	assert_false(soft_block_take(b, 200, &p));
	assert_int_equal(soft_check(s, &err), SAHM_TOOL);
	assert_non_null(strstr(err.msg, "a packet for nobody"));
	soft_block_free(b);
	soft_close(s);
	(void)state;
}

/* Landlock keeps a constructor from the user's files, where the kernel has it. */
static void test_reading(void **state)
{
	struct soft *s = open_good("reads_on_load", SOFT_IN_OWN_PROCESS);
	struct soft_block *b = new_block(s);
	if (access("/sys/kernel/security/landlock", F_OK) == 0)
		assert_int_equal(soft_block_read(b, 0, SUMS_LOW), 0);
	soft_block_free(b);
	soft_close(s);
	(void)state;
}

/* Makes prctl(PR_SET_SECCOMP) fail, as kernels without it do. */
static bool forbid_filters(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PR_SET_SECCOMP, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {ARRAY_SIZE(code), code};
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* Where there is no sandbox, a module is refused, and runs only where the user wants that. */
static void test_no_sandbox(void **state)
{
	int end;
	pid_t child = fork();
	if (child == 0) {
		struct soft *s;
		struct sahm_err err;
		if (!forbid_filters())
			_exit(1);
		if (open_module(&s, "sums", SOFT_IN_OWN_PROCESS, &err) != SAHM_REFUSED)
			_exit(2);
		if (strcmp(err.msg, "sums.so: soft logic cannot be kept from files and network here, for want of a "
				    "filter of system calls (seccomp); --soft-in-process runs it all the same") != 0)
			_exit(3);
		_exit(open_module(&s, "sums", SOFT_IN_PROCESS, &err) == SAHM_OK ? 0 : 4);
	}
	assert_int_equal(waitpid(child, &end, 0), child);
	assert_int_equal(end, 0);
	(void)state;
}

static unsigned count_files(void)
{
	DIR *folder = opendir("/proc/self/fd");
	unsigned nr = 0;
	assert_non_null(folder);
	while (readdir(folder))
		nr++;
	closedir(folder);
	return nr;
}

/* Nothing stays: no process, no descriptor. */
static void test_nothing_stays(void **state)
{
	unsigned before = count_files();
	struct sahm_err err;
	struct soft *s;
	for (int i = 0; i < 5; i++) {
		soft_close(open_good("sums", SOFT_IN_OWN_PROCESS));
		soft_close(open_good("sums", SOFT_IN_PROCESS));
		assert_int_equal(open_module(&s, "other_abi", SOFT_IN_OWN_PROCESS, &err), SAHM_FORMAT);
		assert_int_equal(open_module(&s, "other_abi", SOFT_IN_PROCESS, &err), SAHM_FORMAT);
	}
	assert_int_equal(count_files(), before);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	(void)state;
}

/* In one process, modules of different bytes are different, whatever the linker remembers. */
static void test_modules_beside_each_other(void **state)
{
	struct soft *a = open_good("sums", SOFT_IN_PROCESS), *b = open_good("hangs", SOFT_IN_PROCESS);
	soft_close(a);
	a = open_good("crashes", SOFT_IN_PROCESS);
	assert_string_equal(soft_description(a)->name, "crashes");
	assert_string_equal(soft_description(b)->name, "hangs");
	soft_close(a);
	soft_close(b);
	(void)state;
}

/* A module's process ends with its caller, even while the module hangs. */
static void test_caller_dies(void **state)
{
	int end, ready[2];
	char byte = 1;
	/* Orphans come to this process. */
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	assert_int_equal(pipe(ready), 0);
	pid_t child = fork();
	if (child == 0) {
		struct soft *s;
		struct soft_block *b;
		struct sahm_err err;
		bool is_open = open_patiently(&s, "hangs", SOFT_IN_OWN_PROCESS, SOFT_PATIENCE_MS, &err) == SAHM_OK &&
			       soft_block_new(&b, s, &err) == SAHM_OK;
		if (is_open && write(ready[1], &byte, 1) == 1)
			soft_block_read(b, 0, SUMS_LOW);
		_exit(0);
	}
	assert_true(child > 0);
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	usleep(50000);
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_true(waitpid(-1, &end, 0) > 0);
	assert_true(WIFSIGNALED(end));
	assert_int_equal(WTERMSIG(end), SIGKILL);
	(void)state;
}

TEST_FILE(test_soft)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_descriptions),  cmocka_unit_test(test_described),
		cmocka_unit_test(test_not_loaded),    cmocka_unit_test(test_places_agree),
		cmocka_unit_test(test_many_packets),  cmocka_unit_test(test_packets_that_nobody_takes),
		cmocka_unit_test(test_packet_rules),  cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_no_files),      cmocka_unit_test(test_packet_for_nobody),
		cmocka_unit_test(test_reading),	      cmocka_unit_test(test_no_sandbox),
		cmocka_unit_test(test_nothing_stays), cmocka_unit_test(test_modules_beside_each_other),
		cmocka_unit_test(test_caller_dies),
	};
	static const struct CMUnitTest of_this_process[] = {
		cmocka_unit_test(test_descriptions),
		cmocka_unit_test(test_packet_rules),
		cmocka_unit_test(test_modules_beside_each_other),
	};
	return has_sandbox() ? cmocka_run_group_tests(tests, NULL, NULL)
			     : cmocka_run_group_tests(of_this_process, NULL, NULL);
}
