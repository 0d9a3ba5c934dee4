/* Bundles: what is made of a sweep opens elsewhere to the same runs, and names nothing of the machine that made it. */
#include "sim/queue/bundle.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/array.h"
#include "sim/engine/model.h"
#include "sim/sweep/sweep_internal.h"
#include "tests/unit/made_signed.h"
#include "tests/unit/sim/queue/made_bundle.h"

#define CANONICAL "configs/canonical.cfg"
#define MAX_ROW_AXES 4

#define CHIP "chip : { cores = ( { type = \"baseline\"; count = 2; }, { type = \"l2\"; speedup_pct = 30; } ); };\n"
#define TRACES(list) "workload : { duration_ms = 500.0; traces = ( " list " ); };\n"
#define GZIP "\"gzip.csv\""

struct row {
	const char *name;
	const char *config; /* a path; or text, with a line break at its end, of a file in a separate folder */
	const char *settings[4];
	const char *axes[MAX_ROW_AXES]; /* "+" in front: zipped */
	const char *evaluator;
	uint64_t nr_points;
	uint32_t nr_files, nr_plugins, nr_signatures;
};

static const struct row rows[] = {
	{"without axes", CANONICAL, {NULL}, {NULL}, NULL, 1, 8, 0, 0},
	{"39 threads", "configs/realistic-39.cfg", {NULL}, {"scheduler.inertia=1,5"}, NULL, 2, 8, 0, 0},
	{"traces of the data folder", "configs/open.cfg", {NULL}, {"scheduler.policy=sahm,keen"}, NULL, 2, 26, 0, 0},
	{"a program by its name",
	 CANONICAL,
	 {"introspection.image=classify"},
	 {"introspection.sampling=1..3"},
	 NULL,
	 3,
	 11,
	 0,
	 1},
	{"programs on an axis", CANONICAL, {NULL}, {"introspection.image=classify,predict"}, NULL, 2, 13, 0, 2},
	{"programs on an axis, specs on another",
	 CANONICAL,
	 {NULL},
	 {"introspection.abi=core,ipu/abi/core.cfg", "introspection.image=classify,classify-ewma"},
	 NULL,
	 4,
	 13,
	 0,
	 2},
	{"a program in one of the points",
	 CHIP TRACES(GZIP) "sweep : { axes = ( { points = ( { name = \"without\"; set = (); },\n"
			   "{ name = \"with\"; set = (\"introspection.image=\\\"classify\\\"\"); } ); } ); };\n",
	 {NULL},
	 {"scheduler.inertia=1,2"},
	 NULL,
	 4,
	 4,
	 0,
	 1},
	{"the whole group in one of the points",
	 CHIP TRACES(GZIP) "sweep : { axes = ( { points = ( { name = \"without\"; set = (); },\n"
			   "{ name = \"with\"; set = (\"introspection={image=\\\"classify\\\";}\"); } ); } ); };\n",
	 {NULL},
	 {NULL},
	 NULL,
	 2,
	 4,
	 0,
	 1},
	{"trust stays here",
	 CANONICAL,
	 {"introspection.image=classify", "introspection.trust=demonstration"},
	 {NULL},
	 NULL,
	 1,
	 11,
	 0,
	 1},
	{"a list of bursts",
	 CHIP TRACES("{ file = " GZIP "; bursts = { file = \"edit.csv\"; }; }"),
	 {NULL},
	 {"scheduler.policy=fair,random"},
	 NULL,
	 2,
	 2,
	 0,
	 0},
	{"workloads of rt-app, and the trace that they have by default",
	 CHIP "workload : { rtapp = \"edit.json\"; };\n"
	      "sweep : { axes = ( { points = ( { name = \"low\"; set = (); },\n"
	      "{ name = \"gzip\"; set = (\"workload.rtapp_trace=\\\"gzip.csv\\\"\"); } ); } ); };\n",
	 {NULL},
	 {"workload.rtapp=configs/rtapp-video.json,./configs/rtapp-video.json"},
	 NULL,
	 4,
	 4,
	 0,
	 0},
	{"plug-ins",
	 CANONICAL,
	 {NULL},
	 {"scheduler.policy=sahm," EXAMPLE_FOLDER "/specialist.so," EXAMPLE_FOLDER "/vtime.so"},
	 NULL,
	 3,
	 10,
	 2,
	 0},
	{"zipped traces",
	 CHIP TRACES(GZIP ", " GZIP),
	 {NULL},
	 {"workload.traces[0]=workloads/suites/small/xz.csv,workloads/suites/small/cc1.csv",
	  "+workload.traces[1]=workloads/suites/small/cc1.csv,workloads/suites/small/cc1.csv"},
	 NULL,
	 2,
	 3,
	 0,
	 0},
	{"traces of one name",
	 CHIP TRACES(GZIP ", \"other/gzip.csv\""),
	 {NULL},
	 {"workload.traces[0]=workloads/suites/small/gzip.csv,workloads/suites/small/xz.csv"},
	 NULL,
	 2,
	 4,
	 0,
	 0},
	{"points of traces",
	 CHIP TRACES(GZIP) "sweep : { axes = ( { name = \"load\"; points = (\n"
			   "{ name = \"two\"; set = (\"workload.traces=(\\\"gzip.csv\\\", \\\"gzip.csv\\\")\"); },\n"
			   "{ name = \"one\"; set = (\"workload.traces=({file=\\\"gzip.csv\\\";repeat=false;})\"); } "
			   "); } ); };\n",
	 {NULL},
	 {NULL},
	 NULL,
	 2,
	 1,
	 0,
	 0},
	{"one trace by two names",
	 CHIP TRACES(GZIP),
	 {NULL},
	 {"workload.traces[0]=workloads/suites/small/xz.csv,./workloads/suites/small/xz.csv"},
	 NULL,
	 2,
	 2,
	 0,
	 0},
	{"chips of the study", CANONICAL, {NULL}, {"chip=paper"}, NULL, 256, 8, 0, 0},
	{"mixes within a budget",
	 CANONICAL,
	 {NULL},
	 {"chip=mixes:cores=3,types=({type=\"baseline\";least=1;area_mm2=1.0;},{type=\"l2\";speedup_pct=30;area_mm2=2."
	  "0;}),max_area_mm2=4.0"},
	 NULL,
	 2,
	 8,
	 0,
	 0},
	{"limits", CANONICAL, {NULL}, {"scheduler.inertia=1,5"}, "limit", 2, 8, 0, 0},
	{"a range", CANONICAL, {NULL}, {"scheduler.inertia=0..20..4"}, NULL, 6, 8, 0, 0},
};
#define NR_ROWS ARRAY_SIZE(rows)

/* Writes what stands beside the text of a row. */
static const char *write_config(const struct row *row, const char *folder)
{
	static char path[600];
	if (!strchr(row->config, '\n'))
		return row->config;
	(void)mkdir(in_own(folder), 0700);
	snprintf(path, sizeof(path), "%s/%s/gzip.csv", own_folder, folder);
	copy_to("workloads/suites/small/gzip.csv", path);
	snprintf(path, sizeof(path), "%s/%s/other", own_folder, folder);
	(void)mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/%s/other/gzip.csv", own_folder, folder);
	copy_to("workloads/suites/small/xz.csv", path);
	snprintf(path, sizeof(path), "%s/%s/edit.csv", own_folder, folder);
	put_text(path, "# sahm bursts 1\nrun_ns,sleep_ns\n5000000,7000000\n1000000,20000000\n");
	snprintf(path, sizeof(path), "%s/%s/edit.json", own_folder, folder);
	put_text(path, "{\"tasks\":{\"a\":{\"run\":9,\"sleep\":9}},\"global\":{\"duration\":1}}");
	snprintf(path, sizeof(path), "%s/%s/c.cfg", own_folder, folder);
	put_text(path, row->config);
	return path;
}

static void read_row(const struct row *row, const char *folder, struct sweep *sweep)
{
	struct space_argument axes[MAX_ROW_AXES];
	struct sweep_request request = {.config = write_config(row, folder),
					.settings = (const char **)(uintptr_t)row->settings,
					.axes = axes,
					.evaluator = row->evaluator,
					.data_folder = "."};
	struct sahm_err err;
	while (row->settings[request.nr_settings])
		request.nr_settings++;
	for (; request.nr_axes < MAX_ROW_AXES && row->axes[request.nr_axes]; request.nr_axes++) {
		const char *text = row->axes[request.nr_axes];
		axes[request.nr_axes] = (struct space_argument){text + (*text == '+'), *text == '+'};
	}
	if (sweep_read(sweep, &request, &err) != SAHM_OK)
		fail_msg("%s: %s", row->name, err.msg);
}

static void hash_point(const char *name, const struct sweep *sweep, uint64_t position, uint8_t hash[HASH_BYTES])
{
	struct run_config config;
	struct sahm_err err;
	struct arena a = {0};
	if (sweep_point(sweep, position, &a, &config, &err) != SAHM_OK)
		fail_msg("%s: point %llu: %s", name, (unsigned long long)position, err.msg);
	must(evaluate_hash(&config, sweep->evaluator, hash, &err), &err);
	run_config_release(&config);
	arena_release(&a);
}

/* What its run comes to, but for what took how long. */
static void record_point(const struct sweep *sweep, uint64_t position, struct textbuf *out)
{
	struct run_config config;
	struct record record;
	struct sahm_err err;
	struct arena a = {0};
	must(sweep_point(sweep, position, &a, &config, &err), &err);
	must(evaluate(&config, sweep->evaluator, &a, &record, &err), &err);
	memset(&record.timing, 0, sizeof(record.timing));
	textbuf_init(out);
	record_encode(&record, out);
	assert_false(textbuf_failed(out));
	run_config_release(&config);
	arena_release(&a);
}

static void assert_same_record(const char *name, const struct sweep *a, const struct sweep *b, uint64_t position)
{
	struct textbuf x, y;
	record_point(a, position, &x);
	record_point(b, position, &y);
	if (x.len != y.len || memcmp(x.text, y.text, x.len) != 0)
		fail_msg("%s: point %llu has another result", name, (unsigned long long)position);
	textbuf_release(&x);
	textbuf_release(&y);
}

static void assert_same_points(const char *name, const struct sweep *a, const struct sweep *b)
{
	assert_int_equal(a->space.nr_points, b->space.nr_points);
	assert_int_equal(a->evaluator, b->evaluator);
	for (uint64_t i = 0; i < a->space.nr_points; i++) {
		uint8_t x[HASH_BYTES], y[HASH_BYTES];
		hash_point(name, a, i, x);
		hash_point(name, b, i, y);
		if (memcmp(x, y, HASH_BYTES) != 0)
			fail_msg("%s: point %llu is another one", name, (unsigned long long)i);
	}
}

static char *written(const struct sweep *sweep)
{
	struct textbuf b;
	textbuf_init(&b);
	cfg_write(sweep->base, &b);
	space_write(&sweep->space, &b);
	return textbuf_detach(&b);
}

/* Nothing says where the files were. */
static void assert_no_paths(const struct bundle *b)
{
	char *here = realpath(".", NULL);
	assert_non_null(here);
	assert_null(strstr(b->text, here));
	assert_null(strstr(b->text, own_folder));
	assert_null(strstr(b->text, "workloads/"));
	assert_null(strstr(b->text, "/./"));
	free(here);
}

static void assert_counts(const struct row *row, const struct bundle *b)
{
	uint32_t nr[3] = {0};
	for (uint32_t i = 0; i < b->nr_files; i++)
		nr[b->files[i].kind]++;
	if (b->nr_files != row->nr_files || nr[BUNDLE_PLUGIN] != row->nr_plugins ||
	    nr[BUNDLE_SIGNATURE] != row->nr_signatures)
		fail_msg("%s: %u files, %u plug-ins, %u signatures", row->name, b->nr_files, nr[BUNDLE_PLUGIN],
			 nr[BUNDLE_SIGNATURE]);
}

/* Reads what was made, as a worker does. */
static void read_made(const struct bundle *made, struct bundle *b)
{
	struct sahm_err err = {.msg = "untouched"};
	if (bundle_read(b, made->text, made->len, made->hash, &err) != SAHM_OK)
		fail_msg("%s\n%s", err.msg, made->text);
	assert_string_equal(err.msg, "untouched");
	assert_string_equal(b->text, made->text);
	assert_memory_equal(b->hash, made->hash, HASH_BYTES);
	assert_string_equal(b->name, made->name);
	assert_string_equal(b->program, model_version());
	assert_int_equal(b->evaluator, made->evaluator);
	assert_int_equal(b->timeout_s, made->timeout_s);
	assert_int_equal(b->nr_files, made->nr_files);
	for (uint32_t i = 0; i < b->nr_files; i++) {
		assert_int_equal(b->files[i].kind, made->files[i].kind);
		assert_int_equal(b->files[i].number, made->files[i].number);
		assert_int_equal(b->files[i].bytes, made->files[i].bytes);
		assert_string_equal(b->files[i].name, made->files[i].name);
		assert_memory_equal(b->files[i].hash, made->files[i].hash, HASH_BYTES);
		assert_null(b->files[i].path);
		assert_non_null(made->files[i].path);
	}
}

/* Every row opens elsewhere to the same runs, with none of the original files by their names. */
static void test_same_runs(void **state)
{
	struct file_cache *cache = open_cache("cache");
	(void)state;
	for (size_t i = 0; i < NR_ROWS; i++) {
		struct bundle made, b;
		struct sweep sweep, opened;
		struct sahm_err err;
		struct textbuf folder;
		const struct bundle_host host = {0};
		textbuf_init(&folder);
		read_row(&rows[i], "here", &sweep);
		char *before = written(&sweep);
		if (bundle_make(&made, &sweep, 17, 0, &err) != SAHM_OK)
			fail_msg("%s: %s", rows[i].name, err.msg);
		char *after = written(&sweep);
		assert_string_equal(before, after);
		assert_int_equal(made.timeout_s, 17);
		assert_no_paths(&made);
		assert_counts(&rows[i], &made);
		read_made(&made, &b);
		deliver(cache, &made);
		if (file_cache_place(cache, &b, &folder, &err) != SAHM_OK ||
		    bundle_open(&opened, &b, folder.text, &host, &err) != SAHM_OK)
			fail_msg("%s: %s\n%s", rows[i].name, err.msg, made.text);
		assert_int_equal(opened.space.nr_points, rows[i].nr_points);
		assert_string_equal(opened.name, sweep.name);
		assert_same_points(rows[i].name, &sweep, &opened);
		assert_same_record(rows[i].name, &sweep, &opened, rows[i].nr_points - 1);
		sweep_release(&opened);
		sweep_release(&sweep);
		bundle_release(&made);
		bundle_release(&b);
		textbuf_release(&folder);
		free(before);
		free(after);
	}
	file_cache_free(cache);
}

/* The same sweep of files that are elsewhere is the same bundle; of other bytes it is another one. */
static void test_same_bundle(void **state)
{
	struct sahm_err err;
	(void)state;
	for (size_t i = 0; i < NR_ROWS; i++) {
		struct bundle here, there;
		struct sweep sweep;
		read_row(&rows[i], "here", &sweep);
		must(bundle_make(&here, &sweep, 0, 0, &err), &err);
		sweep_release(&sweep);
		read_row(&rows[i], "there", &sweep);
		must(bundle_make(&there, &sweep, 0, 0, &err), &err);
		assert_string_equal(here.text, there.text);
		assert_memory_equal(here.hash, there.hash, HASH_BYTES);
		bundle_release(&there);
		if (strchr(rows[i].config, '\n')) {
			char path[600];
			FILE *f = (snprintf(path, sizeof(path), "%s/there/gzip.csv", own_folder), fopen(path, "a"));
			assert_non_null(f);
			assert_true(fputs("\n", f) >= 0 && fclose(f) == 0);
			must(bundle_make(&there, &sweep, 0, 0, &err), &err);
			assert_memory_not_equal(here.hash, there.hash, HASH_BYTES);
			bundle_release(&there);
		}
		sweep_release(&sweep);
		bundle_release(&here);
	}
}

/* A sweep of one trace in the own folder, by its name. */
static enum sahm_status make_of_trace(const char *name, struct bundle *b, struct sahm_err *err)
{
	struct sweep sweep;
	char text[600];
	snprintf(text, sizeof(text), CHIP TRACES("\"%s\""), name);
	put_text(in_own("one.cfg"), text);
	const struct sweep_request request = {.config = in_own("one.cfg"), .data_folder = "."};
	must(sweep_read(&sweep, &request, err), err);
	enum sahm_status status = bundle_make(b, &sweep, 0, 0, err);
	sweep_release(&sweep);
	return status;
}

static void test_what_cannot_travel(void **state)
{
	struct bundle b;
	struct sahm_err err = {0};
	char name[260];
	(void)state;
	assert_int_equal(mkfifo(in_own("fifo.csv"), 0600), 0);
	assert_int_equal(make_of_trace("fifo.csv", &b, &err), SAHM_IO);
	assert_non_null(strstr(err.msg, "fifo.csv': it is not a regular file"));
	assert_int_equal(make_of_trace("nowhere.csv", &b, &err), SAHM_IO);
	assert_non_null(strstr(err.msg, "cannot open trace 'nowhere.csv'"));
	put_text(in_own("large.csv"), "x");
	assert_int_equal(truncate(in_own("large.csv"), (off_t)MAX_BUNDLE_FILE_BYTES + 1), 0);
	assert_int_equal(make_of_trace("large.csv", &b, &err), SAHM_RANGE);
	assert_non_null(strstr(err.msg, "large.csv' is larger than 256 MiB"));
	unlink(in_own("large.csv"));
	put_text(in_own("a\tb.csv"), "x");
	assert_int_equal(make_of_trace("a\\tb.csv", &b, &err), SAHM_CONFIG);
	assert_non_null(strstr(err.msg, "cannot travel by its name: it has control characters"));
	memset(name, 'n', MAX_BUNDLE_NAME + 1);
	name[MAX_BUNDLE_NAME + 1] = '\0';
	put_text(in_own(name), "x");
	assert_int_equal(make_of_trace(name, &b, &err), SAHM_CONFIG);
	assert_non_null(strstr(err.msg, "it is too long"));
	name[MAX_BUNDLE_NAME] = '\0';
	put_text(in_own(name), "x");
	must(make_of_trace(name, &b, &err), &err);
	assert_int_equal(b.nr_files, 1);
	bundle_release(&b);
}

/* As many files as a bundle has, and one more. */
static void test_many_files(void **state)
{
	(void)state;
	for (uint32_t nr = MAX_BUNDLE_FILES; nr <= MAX_BUNDLE_FILES + 1; nr++) {
		struct textbuf text;
		struct sweep sweep;
		struct bundle b, again;
		struct sahm_err err;
		textbuf_init(&text);
		textbuf_puts(&text, CHIP "workload : { duration_ms = 500.0; traces = (");
		for (uint32_t i = 0; i < nr; i++) {
			char name[32];
			snprintf(name, sizeof(name), "t%u.csv", i);
			put_text(in_own(name), name);
			textbuf_printf(&text, "%s\"%s\"", i ? ", " : "", name);
		}
		textbuf_puts(&text, "); };\n");
		put_file(in_own("many.cfg"), text.text, text.len);
		const struct sweep_request request = {.config = in_own("many.cfg")};
		must(sweep_read(&sweep, &request, &err), &err);
		enum sahm_status status = bundle_make(&b, &sweep, 0, 0, &err);
		if (nr == MAX_BUNDLE_FILES) {
			must(status, &err);
			read_made(&b, &again);
			assert_int_equal(again.files[nr - 1].number, nr - 1);
			bundle_release(&again);
			bundle_release(&b);
		} else {
			assert_int_equal(status, SAHM_RANGE);
			assert_non_null(strstr(err.msg, "more than 4096 files: '"));
			assert_non_null(strstr(err.msg, "t4096.csv"));
		}
		sweep_release(&sweep);
		textbuf_release(&text);
	}
}

static void test_varied_trust(void **state)
{
	static const char *const axes[] = {"introspection.trust=demonstration",
					   "introspection={image=\"classify\";trust=\"demonstration\";}"};
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		const struct row row = {"trust", CANONICAL, {"introspection.image=classify"}, {axes[i]}, NULL, 1, 0,
					0,	 0};
		struct sweep sweep;
		struct bundle b;
		struct sahm_err err;
		read_row(&row, "here", &sweep);
		assert_int_equal(bundle_make(&b, &sweep, 0, 0, &err), SAHM_CONFIG);
		assert_non_null(strstr(err.msg, "introspection.trust is varied"));
		sweep_release(&sweep);
	}
}

/* A spec that includes another file would lack it elsewhere. */
static void test_spec_with_include(void **state)
{
	struct sweep sweep;
	struct bundle b;
	struct sahm_err err;
	char setting[600];
	(void)state;
	copy_to("ipu/abi/core.cfg", in_own("real.cfg"));
	put_text(in_own("spec.cfg"), "@include \"real.cfg\"\n");
	snprintf(setting, sizeof(setting), "introspection.abi=%s", in_own("spec.cfg"));
	const struct row row = {"spec", CANONICAL, {"introspection.image=classify", setting}, {NULL}, NULL, 1, 0, 0, 0};
	uint8_t hash[HASH_BYTES];
	read_row(&row, "here", &sweep);
	hash_point("spec", &sweep, 0, hash);
	assert_int_equal(bundle_make(&b, &sweep, 0, 0, &err), SAHM_CONFIG);
	assert_non_null(strstr(err.msg, "spec.cfg' cannot travel: nothing can be included here"));
	sweep_release(&sweep);
}

/* The worker's trust file checks every program, and no point without one. */
static void test_trust_of_the_host(void **state)
{
	static const size_t with_images[] = {3, 4, 5, 6, 7, 8};
	struct file_cache *cache = open_cache("cache");
	struct textbuf other;
	struct sahm_err err;
	(void)state;
	textbuf_init(&other);
	made_trust_text("permissive", "", &other);
	put_file(in_own("other.trust"), other.text, other.len);
	textbuf_release(&other);
	for (size_t i = 0; i < ARRAY_SIZE(with_images); i++) {
		const struct row *row = &rows[with_images[i]];
		struct bundle made;
		struct sweep sweep, trusting, wary;
		struct textbuf folder;
		const char *trust = realpath("configs/trust/demonstration.cfg", NULL);
		const struct bundle_host takes = {.trust = trust}, refuses = {.trust = in_own("other.trust")};
		uint64_t nr_refused = 0;
		textbuf_init(&folder);
		read_row(row, "here", &sweep);
		must(bundle_make(&made, &sweep, 0, 0, &err), &err);
		deliver(cache, &made);
		must(file_cache_place(cache, &made, &folder, &err), &err);
		must(bundle_open(&trusting, &made, folder.text, &takes, &err), &err);
		assert_same_points(row->name, &sweep, &trusting);
		must(bundle_open(&wary, &made, folder.text, &refuses, &err), &err);
		for (uint64_t p = 0; p < row->nr_points; p++) {
			struct run_config config;
			struct arena a = {0};
			must(sweep_point(&trusting, p, &a, &config, &err), &err);
			bool has_image = config.introspection != NULL;
			assert_true(!has_image || strcmp(config.introspection->trust, trust) == 0);
			run_config_release(&config);
			enum sahm_status status = sweep_point(&wary, p, &a, &config, &err);
			assert_int_equal(status, has_image ? SAHM_REFUSED : SAHM_OK);
			if (status == SAHM_OK)
				run_config_release(&config);
			nr_refused += has_image;
			arena_release(&a);
		}
		assert_true(nr_refused > 0);
		sweep_release(&wary);
		sweep_release(&trusting);
		sweep_release(&sweep);
		bundle_release(&made);
		textbuf_release(&folder);
		free((void *)(uintptr_t)trust);
	}
	file_cache_free(cache);
}

TEST_FILE(test_bundle)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_runs),	   cmocka_unit_test(test_same_bundle),
		cmocka_unit_test(test_what_cannot_travel), cmocka_unit_test(test_many_files),
		cmocka_unit_test(test_varied_trust),	   cmocka_unit_test(test_spec_with_include),
		cmocka_unit_test(test_trust_of_the_host),
	};
	return cmocka_run_group_tests(tests, make_own_folder, remove_own_folder);
}
