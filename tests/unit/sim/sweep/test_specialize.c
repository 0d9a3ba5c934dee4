/* Measuring epoch tables: the same bytes with any number of workers, and after a kill. */
#include "sim/sweep/specialize.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/file.h"
#include "tests/unit/own_folder.h"
#include "tests/unit/test.h"

/* Copies of a part of a real program (tests/data/streams/README.md), each with another name. */
#define STREAM "tests/data/streams/sort.stream"
#define NR_STREAMS 6u
#define NR_CORES 3u

static struct core_model models[NR_CORES];
static const struct core_model *const listed[NR_CORES] = {&models[0], &models[1], &models[2]};
static char paths[NR_STREAMS][64], table_path[64];
static const char *streams[NR_STREAMS];

static int begin(void **state)
{
	static const char *const names[NR_CORES] = {"golden-cove", "gem5-ooo", "gem5-inorder"};
	char command[256];
	struct sahm_err err;
	if (make_own_folder(state) != 0)
		return -1;
	snprintf(table_path, sizeof(table_path), "%s/epochs.csv", own_folder);
	for (unsigned i = 0; i < NR_STREAMS; i++) {
		snprintf(paths[i], sizeof(paths[i]), "%s/s%u.stream", own_folder, i);
		snprintf(command, sizeof(command), "cp " STREAM " '%s'", paths[i]);
		streams[i] = paths[i];
		if (system(command) != 0)
			return -1;
	}
	for (unsigned k = 0; k < NR_CORES; k++) {
		snprintf(command, sizeof(command), "configs/cores/%s.cfg", names[k]);
		if (core_model_read(command, NULL, 0, "configs/cpus", &models[k], &err) != SAHM_OK)
			return -1;
	}
	return 0;
}

static void make_head(struct epoch_table *t)
{
	*t = (struct epoch_table){.made_by = "test", .command = "none", .nr_cores = NR_CORES};
	for (unsigned k = 0; k < NR_CORES; k++) {
		snprintf(t->cores[k].name, sizeof(t->cores[k].name), "core-%u", k);
		assert_int_equal(core_model_hash(&models[k], t->cores[k].hash, NULL), SAHM_OK);
	}
	for (unsigned i = 0; i < NR_STREAMS; i++) {
		struct table_program p = {0};
		epoch_table_name(paths[i], ".stream", p.name);
		assert_int_equal(file_hash_hex(paths[i], p.digest, NULL), SAHM_OK);
		assert_int_equal(epoch_table_add_program(t, &p, NULL), SAHM_OK);
	}
}

/* What progress sees. */
struct witness {
	const struct epoch_table *table;
	size_t dies_at; /* kills itself once this number of streams is finished; 0: never */
	uint64_t total;
};

static void see_progress(void *ctx, uint64_t done, uint64_t total)
{
	struct witness *w = ctx;
	assert_true(done <= total);
	w->total = total;
	if (w->dies_at > 0 && NR_STREAMS - epoch_table_nr_unfinished(w->table) >= w->dies_at)
		kill(getpid(), SIGKILL);
}

/* Continues the table that is there; *nr_taken streams are in it. */
static void measure(uint32_t nr_workers, struct witness *w, size_t *nr_taken)
{
	struct epoch_table t;
	struct sahm_err err;
	const struct specialize_request r = {.streams = streams,
					     .models = listed,
					     .nr_workers = nr_workers,
					     .path = table_path,
					     .progress = see_progress,
					     .ctx = w};
	make_head(&t);
	w->table = &t;
	assert_int_equal(specialize_resume(&r, &t, nr_taken, &err), SAHM_OK);
	assert_int_equal(specialize_measure(&r, &t, &err), SAHM_OK);
	assert_int_equal(epoch_table_nr_unfinished(&t), 0);
	epoch_table_release(&t);
}

static char *read_table(void)
{
	char *text;
	size_t len;
	assert_int_equal(file_read(table_path, SIZE_MAX / 2, &text, &len, NULL), SAHM_OK);
	return text;
}

static void test_any_number_of_workers(void **state)
{
	(void)state;
	char *first = NULL;
	for (uint32_t nr = 1; nr <= 4; nr += 3) {
		struct witness w = {0};
		size_t nr_taken;
		unlink(table_path);
		measure(nr, &w, &nr_taken);
		assert_int_equal(nr_taken, 0);
		char *text = read_table();
		if (first)
			assert_string_equal(text, first);
		else
			first = strdup(text);
		free(text);
	}
	free(first);
}

/* A process that is killed once two streams are finished leaves a table from which another one goes on. */
static void test_kill(void **state)
{
	struct witness w = {0};
	size_t nr_taken;
	int status;
	(void)state;
	unlink(table_path);
	measure(1, &w, &nr_taken);
	uint64_t total = w.total;
	char *whole = read_table();
	unlink(table_path);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		w.dies_at = 2;
		measure(2, &w, &nr_taken);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	measure(2, &w, &nr_taken);
	assert_in_range(nr_taken, 2, NR_STREAMS - 1);
	/* Only the rest was read. */
	assert_int_equal(w.total, total / NR_STREAMS * (NR_STREAMS - nr_taken));
	char *text = read_table();
	assert_string_equal(text, whole);
	/* Nothing is measured again. */
	measure(2, &w, &nr_taken);
	assert_int_equal(nr_taken, NR_STREAMS);
	free(text);
	free(whole);
}

/* A table of another core, stream, sampling or program is not taken, and not lost. */
static void test_other_tables(void **state)
{
	static const struct {
		const char *what, *message;
	} rows[] = {{"core", "with another configuration of the core 'core-1'"},
		    {"stream", "with another stream 's2'"},
		    {"sampling", "with another sampling"},
		    {"program", "by another program, test"},
		    {"cores", "with other cores"}};
	struct witness w = {0};
	size_t nr_taken;
	(void)state;
	measure(2, &w, &nr_taken);
	char *before = read_table();
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct epoch_table t;
		struct sahm_err err;
		struct specialize_request r = {.streams = streams, .models = listed, .path = table_path};
		make_head(&t);
		t.cores[1].hash[0] ^= i == 0;
		t.programs[2].digest[0] ^= i == 1;
		t.sampling.skip = i == 2;
		t.made_by = i == 3 ? "another" : "test";
		t.nr_cores -= i == 4;
		assert_int_equal(specialize_resume(&r, &t, &nr_taken, &err), SAHM_USAGE);
		if (!strstr(err.msg, rows[i].message))
			fail_msg("%s: %s", rows[i].what, err.msg);
		r.force = true;
		assert_int_equal(specialize_resume(&r, &t, &nr_taken, &err), SAHM_OK);
		assert_int_equal(nr_taken, 0);
		assert_int_equal(t.nr_rows, 0);
		epoch_table_release(&t);
	}
	char *after = read_table();
	assert_string_equal(before, after);
	free(after);
	free(before);
}

/* A component is a structure or its latency; what is no component's is none. */
static void test_components(void **state)
{
	static struct core_model changed;
	(void)state;
	assert_int_equal(specialize_components(&models[0], &models[0]), 0);
	changed = models[0];
	changed.timing.rob /= 2;
	assert_int_equal(specialize_components(&models[0], &changed), 0);
	changed.timing.l1d_cycles++;
	assert_int_equal(specialize_components(&models[0], &changed), 1u << COMPONENT_L1D);
	changed.geometry.l2.bytes *= 2;
	changed.geometry.btb.entries *= 2;
	assert_int_equal(specialize_components(&models[0], &changed),
			 1u << COMPONENT_L1D | 1u << COMPONENT_L2 | 1u << COMPONENT_BRANCH);
	changed = models[0];
	changed.geometry.l1i_prefetchers[0].kind = PREFETCHER_NEXT_LINE;
	assert_int_equal(specialize_components(&models[0], &changed), 1u << COMPONENT_L1I);
}

TEST_FILE(test_specialize)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_any_number_of_workers),
		cmocka_unit_test(test_kill),
		cmocka_unit_test(test_other_tables),
		cmocka_unit_test(test_components),
	};
	return cmocka_run_group_tests(tests, begin, remove_own_folder);
}
