/* Bundles that somebody made to reach what is not his: each is refused, and says why. */
#include <unistd.h>

#include "sim/base/array.h"
#include "sim/queue/bundle.h"
#include "tests/unit/sim/queue/made_bundle.h"

#define CHIP "chip : { cores = ( { type = \"baseline\"; count = 2; } ); };\n"
#define WORK "workload : { duration_ms = 500.0; traces = ( \"0/gzip.csv\" ); };\n"
#define AXES "sweep : { evaluator = \"run\"; axes = ( ); };\n"

static char hex[2][HASH_HEX_BYTES]; /* of the trace, and of a plug-in */
static uint64_t sizes[2];

/* A good bundle of one trace; `more` in its place makes others of it. */
static char *good_text(void)
{
	struct textbuf b;
	textbuf_init(&b);
	textbuf_printf(
		&b,
		CHIP WORK AXES
		"bundle : { format = 1; program = \"p\"; name = \"n\"; evaluator = \"run\"; timeout_s = 3;\n"
		"files = ( { number = 0; name = \"gzip.csv\"; kind = \"data\"; bytes = %llu; hash = \"%s\"; } ); "
		"};\n",
		(unsigned long long)sizes[0], hex[0]);
	return textbuf_detach(&b);
}

static int set_up(void **state)
{
	uint8_t hash[HASH_BYTES];
	char *bytes;
	size_t len;
	struct sahm_err err;
	if (make_own_folder(state) != 0 ||
	    file_read("workloads/suites/small/gzip.csv", (size_t)1 << 28, &bytes, &len, &err) != SAHM_OK)
		return -1;
	struct file_cache *cache = open_cache("cache");
	hash_of(bytes, len, hash);
	hash_hex(hash, hex[0]);
	sizes[0] = len;
	must(put_bytes(cache, hash, bytes, len, &err), &err);
	free(bytes);
	put_text(in_own("policy.so"), "no shared object");
	sizes[1] = strlen("no shared object");
	must(file_cache_add_plugin(cache, in_own("policy.so"), hash, &err), &err);
	hash_hex(hash, hex[1]);
	must(put_bytes(cache, hash, "no shared object", sizes[1], &err), &err);
	file_cache_free(cache);
	return 0;
}

/* That the others fail for only one reason. */
static void test_good(void **state)
{
	char *text = good_text();
	struct bundle b;
	struct sahm_err err;
	(void)state;
	must(read_text_as_bundle(&b, text, &err), &err);
	assert_int_equal(b.timeout_s, 3);
	assert_string_equal(b.program, "p");
	assert_string_equal(b.name, "n");
	assert_int_equal(b.nr_files, 1);
	bundle_release(&b);
	free(text);
}

static void test_unreadable(void **state)
{
	static const char file[] = "{ number = 0; name = \"gzip.csv\"; kind = \"data\"; ";
	static const struct {
		const char *name, *from, *to, *message;
	} rows[] = {
		{"no text", NULL, "", "no section 'bundle'"},
		{"nonsense", NULL, "chip : {", ""},
		{"an include", "chip :", "@include \"/etc/passwd\"\nchip :", "nothing can be included here"},
		{"a section that nobody knows", "chip :", "chop : { };\nchip :", "unknown key 'chop'"},
		{"a manifest", "chip :", "manifest : { };\nchip :", "unknown key 'manifest'"},
		{"no section of its own", "bundle :", "sweep2 :", "no section 'bundle'"},
		{"a section that is no group", "bundle : {", "bundle = 1; sweep2 : {", "no section 'bundle'"},
		{"no sweep", AXES, "", "no section 'sweep'"},
		{"a sweep that is no group", AXES, "sweep = 5;\n", "no section 'sweep'"},
		{"an unknown key", "format = 1;", "format = 1; extra = 2;", "unknown key 'extra'"},
		{"an unknown key of a file", "kind = \"data\";", "kind = \"data\"; path = \"/x\";", "unknown key"},
		{"another format", "format = 1;", "format = 2;", "its format is 2, this program has 1"},
		{"no format", "format = 1;", "", "missing key 'bundle.format'"},
		{"no program", "program = \"p\";", "", "missing key 'bundle.program'"},
		{"no name", "name = \"n\";", "", "missing key 'bundle.name'"},
		{"a name that drives terminals", "name = \"n\";", "name = \"\\x1b[2J\";", "control characters"},
		{"no evaluator", "evaluator = \"run\"; timeout_s", "timeout_s", "missing key 'bundle.evaluator'"},
		{"an unknown evaluator", "evaluator = \"run\"; timeout_s", "evaluator = \"rm\"; timeout_s",
		 "unknown evaluator 'rm'"},
		{"a time that is none", "timeout_s = 3;", "timeout_s = -1;", "must be from 0"},
		{"a number past the limit", "number = 0;", "number = 4096;", "must be from 0 to 4095"},
		{"no number", "number = 0;", "", "missing key 'bundle.files[].number'"},
		{"a file past the limit", "bytes = ", "bytes = 268435457; # ", "must be from 0 to 268435456"},
		{"an unknown kind", "kind = \"data\";", "kind = \"code\";", "unknown files[].kind 'code'"},
		{"a name with a folder", "name = \"gzip.csv\"", "name = \"../gzip.csv\"", "it has a '/'"},
		{"an absolute name", "name = \"gzip.csv\"", "name = \"/etc/passwd\"", "it has a '/'"},
		{"a folder", "name = \"gzip.csv\"", "name = \"..\"", "it is that of a folder"},
		{"this folder", "name = \"gzip.csv\"", "name = \".\"", "it is that of a folder"},
		{"an empty name", "name = \"gzip.csv\"", "name = \"\"", "it is empty"},
		{"a name of two lines", "name = \"gzip.csv\"", "name = \"a\\nb\"", "control characters"},
		{"a short hash", "hash = \"", "hash = \"00\"; # ", "is not 64 lower-case hexadecimal digits"},
		{"a hash of other letters", "hash = \"",
		 "hash = \"ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789\"; # ",
		 "is not 64 lower-case hexadecimal digits"},
		{"a file twice", file,
		 "{ number = 0; name = \"gzip.csv\"; kind = \"data\"; bytes = 0; hash = "
		 "\"0000000000000000000000000000000000000000000000000000000000000000\"; }, "
		 "{ number = 0; name = \"gzip.csv\"; kind = \"data\"; ",
		 "file '0/gzip.csv' is there twice"},
		{"a signature of nothing", "kind = \"data\";", "kind = \"signature\";",
		 "signature '0/gzip.csv' has no image"},
		{"a signature of another number", file,
		 "{ number = 1; name = \"gzip.csv.sig\"; kind = \"signature\"; bytes = 0; hash = "
		 "\"0000000000000000000000000000000000000000000000000000000000000000\"; }, "
		 "{ number = 0; name = \"gzip.csv\"; kind = \"data\"; ",
		 "signature '1/gzip.csv.sig' has no image"},
		{"a table of costs", "axes = ( )",
		 "axes = ( { generator = \"mixes\"; cores = 1; types = ( ); costs = \"/etc/passwd\"; } )",
		 "an axis names a table of costs"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char *text = good_text();
		char *changed = rows[i].from ? with(text, rows[i].from, rows[i].to) : strdup(rows[i].to);
		struct sahm_err err = {0};
		struct bundle b;
		/* Comments end with their lines. */
		for (char *p = strstr(changed, "# "); p && *p; p++)
			if (*p == ';') {
				*p = '\n';
				break;
			}
		if (read_text_as_bundle(&b, changed, &err) != SAHM_FORMAT || !strstr(err.msg, rows[i].message))
			fail_msg("%s: '%s'\n%s", rows[i].name, err.msg, changed);
		assert_int_equal(err.status, SAHM_FORMAT);
		free(changed);
		free(text);
	}
}

static void test_other_bytes(void **state)
{
	char *text = good_text();
	const size_t len = strlen(text);
	uint8_t hash[HASH_BYTES];
	struct sahm_err err;
	struct bundle b;
	(void)state;
	hash_of(text, len, hash);
	text[len - 1] = ' ';
	assert_int_equal(bundle_read(&b, text, len, hash, &err), SAHM_CHECKSUM);
	text[len - 1] = '\0';
	hash_of(text, len, hash);
	assert_int_equal(bundle_read(&b, text, len, hash, &err), SAHM_FORMAT);
	assert_non_null(strstr(err.msg, "it has a NUL"));
	free(text);
	char *large = malloc(MAX_BUNDLE_BYTES + 1);
	assert_non_null(large);
	memset(large, '\n', MAX_BUNDLE_BYTES + 1);
	hash_of(large, MAX_BUNDLE_BYTES + 1, hash);
	assert_int_equal(bundle_read(&b, large, MAX_BUNDLE_BYTES + 1, hash, &err), SAHM_FORMAT);
	assert_non_null(strstr(err.msg, "must be at most 8388608"));
	free(large);
}

static void test_too_many_files(void **state)
{
	(void)state;
	for (unsigned nr = MAX_BUNDLE_FILES; nr <= MAX_BUNDLE_FILES + 1; nr++) {
		struct textbuf list;
		char *text = good_text();
		struct sahm_err err = {0};
		struct bundle b;
		textbuf_init(&list);
		textbuf_puts(&list, "files = (");
		for (unsigned i = 1; i < nr; i++)
			textbuf_printf(&list,
				       "{ number = 1; name = \"%u\"; kind = \"data\"; bytes = 0; hash = \"%s\"; },", i,
				       hex[0]);
		char *changed = with(text, "files = (", list.text);
		enum sahm_status status = read_text_as_bundle(&b, changed, &err);
		if (nr == MAX_BUNDLE_FILES) {
			must(status, &err);
			bundle_release(&b);
		} else {
			assert_int_equal(status, SAHM_FORMAT);
			assert_non_null(strstr(err.msg, "it has 4097 files, must be at most 4096"));
		}
		free(changed);
		free(text);
		textbuf_release(&list);
	}
}

static void open_hostile(const char *name, const char *text, const char *message)
{
	struct file_cache *cache = open_cache("cache");
	struct sahm_err err = {.msg = ""};
	uint8_t hash[HASH_BYTES];
	struct textbuf folder;
	struct bundle b;
	struct sweep sweep;
	const struct bundle_host host = {0};
	textbuf_init(&folder);
	must(file_cache_add_plugin(cache, in_own("policy.so"), hash, &err), &err);
	if (read_text_as_bundle(&b, text, &err) != SAHM_OK)
		fail_msg("%s cannot even be read: %s", name, err.msg);
	must(file_cache_place(cache, &b, &folder, &err), &err);
	enum sahm_status status = bundle_open(&sweep, &b, folder.text, &host, &err);
	if (!message) {
		must(status, &err);
		sweep_release(&sweep);
	} else if (status != SAHM_FORMAT || !strstr(err.msg, message)) {
		fail_msg("%s: %d '%s'\n%s", name, status, err.msg, text);
	}
	bundle_release(&b);
	textbuf_release(&folder);
	file_cache_free(cache);
}

/* Files that are there, but not the bundle's. */
static void test_files_of_others(void **state)
{
	static const char passwd[] = "names '/etc/passwd', which it does not list";
	static const struct {
		const char *name, *from, *to, *message;
	} rows[] = {
		{"nothing at all", "chip", "chip", NULL},
		{"an absolute trace", "\"0/gzip.csv\"", "\"/etc/passwd\"", passwd},
		{"a trace above", "\"0/gzip.csv\"", "\"../../../../../../../../../etc/passwd\"", passwd},
		{"a trace of the current folder", "\"0/gzip.csv\"", "\"workloads/suites/small/xz.csv\"",
		 "cannot open trace 'workloads/suites/small/xz.csv'"},
		{"the text itself", "\"0/gzip.csv\"", "\"sweep.cfg\"", "which it does not list"},
		{"a file of its group", "\"0/gzip.csv\"", "{ file = \"/etc/passwd\"; }", passwd},
		{"a folder", "\"0/gzip.csv\"", "\"0\"", "cannot open trace '0': Is a directory"},
		{"no name", "\"0/gzip.csv\"", "\"\"", "cannot open trace '': Is a directory"},
		{"a list of bursts", "\"0/gzip.csv\"",
		 "{ file = \"0/gzip.csv\"; bursts = { file = \"/etc/passwd\"; }; }", passwd},
		{"a program", "workload :",
		 "introspection : { image = \"/etc/passwd\"; abi = \"0/gzip.csv\"; };\nworkload :", passwd},
		{"a spec", "workload :",
		 "introspection : { image = \"0/gzip.csv\"; abi = \"/etc/passwd\"; };\nworkload :", passwd},
		{"the spec that is meant without one", "workload :",
		 "introspection : { image = \"0/gzip.csv\"; };\nworkload :", "cannot open ABI spec 'core'"},
		{"a spec that is no configuration", "workload :",
		 "introspection : { image = \"0/gzip.csv\"; abi = \"0/gzip.csv\"; };\nworkload :", "cannot travel: "},
		{"trust",
		 "workload :", "introspection : { trust = \"0/gzip.csv\"; image = \"0/gzip.csv\"; };\nworkload :",
		 "a bundle may not say which programs are trusted"},
		{"trust on an axis", "axes = ( )",
		 "axes = ( { key = \"introspection.trust\"; values = (\"0/gzip.csv\"); } )",
		 "a bundle may not say which programs are trusted"},
		{"a policy that is a file of data",
		 "workload :", "scheduler : { policy = \"0/gzip.csv\"; };\nworkload :",
		 "names '0/gzip.csv', whose kind is data, as scheduler.policy"},
		{"a policy of this machine", "workload :", "scheduler : { policy = \"/lib/x.so\"; };\nworkload :",
		 "cannot open policy '/lib/x.so'"},
		{"a policy that is there",
		 "workload :", "scheduler : { policy = \"/etc/passwd\"; };\nworkload :", passwd},
		{"a trace on an axis", "axes = ( )",
		 "axes = ( { key = \"workload.traces[0]\"; values = (\"0/gzip.csv\", \"/etc/passwd\"); } )", passwd},
		{"a trace of the current folder on an axis", "axes = ( )",
		 "axes = ( { key = \"workload.traces[0]\"; values = (\"workloads/suites/small/xz.csv\"); } )",
		 "which it does not list"},
		{"a group on an axis", "axes = ( )",
		 "axes = ( { key = \"workload\"; values = ({ traces = (\"/etc/passwd\"); }); } )", passwd},
		{"points", "axes = ( )",
		 "axes = ( { points = ( { name = \"p\"; set = (\"workload.traces=({file=\\\"/etc/passwd\\\";})\"); } "
		 "); } )",
		 passwd},
		{"a policy on an axis", "axes = ( )",
		 "axes = ( { key = \"scheduler.policy\"; values = (\"sahm\", \"/etc/passwd\"); } )", passwd},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char *text = good_text(), *changed = with(text, rows[i].from, rows[i].to);
		open_hostile(rows[i].name, changed, rows[i].message);
		free(changed);
		free(text);
	}
	char *text = good_text(),
	     *changed = with(text, "sweep : { evaluator = \"run\"", "sweep : { evaluator = \"limit\"");
	open_hostile("the other evaluator", changed, "a bundle says 'run' and its sweep 'limit'");
	free(changed);
	free(text);
}

/* A plug-in that arrives is no trace, and a policy is nothing else; its bytes do not come at all. */
static void test_plugins(void **state)
{
	char row[300];
	(void)state;
	snprintf(row, sizeof(row),
		 "files = ( { number = 1; name = \"p.so\"; kind = \"plugin\"; bytes = %llu; hash = \"%s\"; },",
		 (unsigned long long)sizes[1], hex[1]);
	char *text = good_text(), *plugin = with(text, "files = (", row),
	     *good = with(plugin, "workload :", "scheduler : { policy = \"1/p.so\"; };\nworkload :"),
	     *trace = with(plugin, "\"0/gzip.csv\"", "\"1/p.so\""), *unknown = with(good, hex[1], hex[0]);
	open_hostile("a plug-in of the worker's own", good, NULL);
	open_hostile("a plug-in as a trace", trace, "names '1/p.so', whose kind is plugin, as workload.traces[]");
	struct file_cache *cache = open_cache("cache");
	struct textbuf folder;
	struct sahm_err err;
	struct bundle b;
	textbuf_init(&folder);
	/* Others know of it; its bytes are in the cache; this worker was not told. */
	must(read_text_as_bundle(&b, good, &err), &err);
	assert_int_equal(file_cache_place(cache, &b, &folder, &err), SAHM_CONFIG);
	assert_non_null(strstr(err.msg, "needs the plug-in 'p.so'"));
	assert_non_null(strstr(err.msg, hex[1]));
	assert_int_equal(folder.len, 0);
	bundle_release(&b);
	must(read_text_as_bundle(&b, unknown, &err), &err);
	assert_int_equal(file_cache_place(cache, &b, &folder, &err), SAHM_CONFIG);
	bundle_release(&b);
	file_cache_free(cache);
	textbuf_release(&folder);
	free(text);
	free(plugin);
	free(good);
	free(trace);
	free(unknown);
}

TEST_FILE(test_bundle_hostile)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_unreadable),
		cmocka_unit_test(test_other_bytes),
		cmocka_unit_test(test_too_many_files),
		cmocka_unit_test(test_files_of_others),
		cmocka_unit_test(test_plugins),
	};
	return cmocka_run_group_tests(tests, set_up, remove_own_folder);
}
