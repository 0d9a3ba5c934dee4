/* The key introspection.trust: who decides which programs a configuration may name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ipu/unit/load.h"
#include "sim/base/array.h"
#include "sim/base/file.h"
#include "tests/unit/config_text.h"
#include "tests/unit/made_signed.h"

#define BASE                                                                                                           \
	"chip:{cores=({type=\"baseline\";},{type=\"l2\";speedup_pct=30;});};\n"                                        \
	"workload:{traces=(\"workloads/suites/small/gzip.csv\");};\n"

static char folder[64];

static const char *path_of(const char *name)
{
	static char path[128];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static void put(const char *name, const void *bytes, size_t nr_bytes)
{
	FILE *f = fopen(path_of(name), "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, nr_bytes, f), nr_bytes);
	assert_int_equal(fclose(f), 0);
}

static void put_signature(const char *name, const void *bytes, size_t nr_bytes, uint8_t seed, const char *abi)
{
	char beside[64];
	struct textbuf text;
	struct abi spec;
	struct arena a;
	arena_init(&a);
	assert_int_equal(abi_read(&a, "ipu/abi/core.cfg", &spec, NULL), SAHM_OK);
	textbuf_init(&text);
	made_signature(bytes, nr_bytes, seed, abi, &spec, DATE_NEVER, &text);
	arena_release(&a);
	snprintf(beside, sizeof(beside), "%s" SIGNATURE_ENDING, name);
	put(beside, text.text, text.len);
	textbuf_release(&text);
}

static void put_trust(const char *name, const char *policy, const char *more)
{
	struct textbuf text;
	textbuf_init(&text);
	made_trust_text(policy, more, &text);
	put(name, text.text, text.len);
	textbuf_release(&text);
}

static int make_folder(void **state)
{
	static const char nonsense[] = "this is no program", wrong[] = "policy = \"closed\";\nkeyz = ();\n";
	char *bytes;
	size_t nr;
	struct sahm_err err;
	(void)state;
	strcpy(folder, "/tmp/sahm-trust-XXXXXX");
	if (!mkdtemp(folder) ||
	    file_read("ipu/programs/prebuilt/classify.elf", IPU_MAX_IMAGE_BYTES, &bytes, &nr, &err) != SAHM_OK)
		return -1;
	put("signed.elf", bytes, nr);
	put_signature("signed.elf", bytes, nr, 1, "core");
	put("stranger.elf", bytes, nr);
	put_signature("stranger.elf", bytes, nr, 2, "core");
	put("unsigned.elf", bytes, nr);
	put_signature("altered.elf", bytes, nr, 1, "core");
	bytes[nr - 1] ^= 1;
	put("altered.elf", bytes, nr);
	free(bytes);
	put("nonsense.elf", nonsense, sizeof(nonsense));
	put("signed-nonsense.elf", nonsense, sizeof(nonsense));
	put_signature("signed-nonsense.elf", nonsense, sizeof(nonsense), 1, "core");
	put_trust("trust.cfg", "permissive", "");
	put_trust("closed.cfg", "closed", "");
	put_trust("confidential.cfg", "permissive", "confidential = true;");
	put("wrong.cfg", wrong, strlen(wrong));
	return 0;
}

static int remove_folder(void **state)
{
	char command[128];
	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command);
}

/* The configuration with this group, in the folder. */
static enum sahm_status load_group(struct run_config *config, const char *group, struct sahm_err *err)
{
	char text[1024];
	int len = snprintf(text, sizeof(text), BASE "introspection:{\n%s\n};\n", group);
	assert_true(len > 0 && (size_t)len < sizeof(text));
	put("run.cfg", text, (size_t)len);
	return run_config_load(config, path_of("run.cfg"), NULL, 0, ".", err);
}

static void test_refusals(void **state)
{
	(void)state;
	static const struct {
		const char *group;
		enum sahm_status status;
		const char *parts[2];
	} rows[] = {
		{"image=\"unsigned.elf\";", SAHM_OK, {NULL}},
		{"image=\"nonsense.elf\";", SAHM_FORMAT, {"run.cfg:4: ", "not an ELF file"}},
		{"image=\"signed.elf\";\ntrust=\"trust.cfg\";", SAHM_OK, {NULL}},
		{"image=\"signed-nonsense.elf\";\ntrust=\"trust.cfg\";",
		 SAHM_FORMAT,
		 {"run.cfg:4: ", "not an ELF file"}},
		{"image=\"unsigned.elf\";\ntrust=\"trust.cfg\";", SAHM_REFUSED, {"run.cfg:4: ", "it is unsigned"}},
		{"trust=\"trust.cfg\";\nimage=\"nonsense.elf\";", SAHM_REFUSED, {"run.cfg:5: ", "it is unsigned"}},
		{"image=\"stranger.elf\";\ntrust=\"trust.cfg\";", SAHM_REFUSED, {"run.cfg:4: ", "not known here"}},
		{"image=\"altered.elf\";\ntrust=\"trust.cfg\";",
		 SAHM_REFUSED,
		 {"run.cfg:4: ", "not the image that was"}},
		{"image=\"signed.elf\";\ntrust=\"closed.cfg\";", SAHM_REFUSED, {"run.cfg:4: ", "the policy 'closed'"}},
		{"image=\"signed.elf\";\ntrust=\"confidential.cfg\";",
		 SAHM_REFUSED,
		 {"run.cfg:4: ", "confidential mode"}},
		{"image=\"signed.elf\";\ntrust=\"wrong.cfg\";", SAHM_CONFIG, {"run.cfg:5: ", "wrong.cfg:2: "}},
		{"image=\"signed.elf\";\ntrust=\"nowhere.cfg\";",
		 SAHM_IO,
		 {"run.cfg:5: ", "cannot open trust file 'nowhere.cfg'"}},
		{"image=\"signed.elf\";\ntrust=\"demonstratio\";",
		 SAHM_IO,
		 {"run.cfg:5: ", "did you mean 'demonstration'?"}},
		{"image=\"signed.elf\";\ntrust=7;", SAHM_CONFIG, {"run.cfg:5: ", "introspection.trust"}},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct run_config config;
		struct sahm_err err = {.msg = ""};
		enum sahm_status status = load_group(&config, rows[i].group, &err);
		bool is_right = status == rows[i].status;
		for (int k = 0; k < 2 && rows[i].parts[k]; k++)
			is_right &= strstr(err.msg, rows[i].parts[k]) != NULL;
		if (!is_right)
			fail_msg("%s: %d, %s", rows[i].group, status, err.msg);
		if (status == SAHM_REFUSED && !strstr(err.msg, ": introspection.image is refused: "))
			fail_msg("%s", err.msg);
		if (status == SAHM_OK)
			run_config_release(&config);
	}
}

/* By a name, as programs have one: those that come with sahm are signed for what they are shipped for. */
static void test_shipped(void **state)
{
	(void)state;
	static const char *const programs[] = {"classify", "classify-ewma", "predict"};
	for (size_t i = 0; i < ARRAY_SIZE(programs); i++) {
		char group[128];
		struct run_config config;
		struct sahm_err err = {.msg = ""};
		snprintf(group, sizeof(group), "image=\"%s\"; trust=\"demonstration\";", programs[i]);
		if (load_group(&config, group, &err) != SAHM_OK)
			fail_msg("%s", err.msg);
		assert_non_null(strstr(config.introspection->trust, "/configs/trust/demonstration.cfg"));
		run_config_release(&config);
	}
}

/* It is resolved as the image is and asked again, and what comes of a run does not depend on it. */
static void test_writing_and_hash(void **state)
{
	(void)state;
	struct run_config config;
	struct sahm_err err = {.msg = ""};
	struct textbuf b;
	uint8_t with[HASH_BYTES], without[HASH_BYTES];
	assert_int_equal(load_group(&config, "image=\"signed.elf\";", &err), SAHM_OK);
	assert_null(config.introspection->trust);
	run_config_hash(&config, without);
	run_config_release(&config);
	assert_int_equal(load_group(&config, "image=\"signed.elf\"; trust=\"trust.cfg\";", &err), SAHM_OK);
	assert_true(config.introspection->trust[0] == '/');
	run_config_hash(&config, with);
	assert_memory_equal(with, without, HASH_BYTES);
	textbuf_init(&b);
	run_config_write(&config, &b);
	run_config_release(&config);
	put("again.cfg", b.text, b.len);
	textbuf_release(&b);
	put_trust("trust.cfg", "closed", "");
	assert_int_equal(run_config_load(&config, path_of("again.cfg"), NULL, 0, ".", &err), SAHM_REFUSED);
	put_trust("trust.cfg", "permissive", "");
	assert_int_equal(run_config_load(&config, path_of("again.cfg"), NULL, 0, ".", &err), SAHM_OK);
	run_config_release(&config);
}

/* A setting stands where no file does. */
static void test_setting(void **state)
{
	(void)state;
	char image[192], trust[192];
	const char *settings[] = {image, trust};
	struct run_config config;
	struct sahm_err err = {.msg = ""};
	snprintf(image, sizeof(image), "introspection.image=\"%s\"", path_of("unsigned.elf"));
	snprintf(trust, sizeof(trust), "introspection.trust=\"%s\"", path_of("trust.cfg"));
	put("run.cfg", BASE, strlen(BASE));
	assert_int_equal(run_config_load(&config, path_of("run.cfg"), settings, 2, ".", &err), SAHM_REFUSED);
	if (!strstr(err.msg, "--set introspection.image=") || !strstr(err.msg, "it is unsigned"))
		fail_msg("%s", err.msg);
	assert_int_equal(run_config_load(&config, path_of("run.cfg"), settings, 1, ".", &err), SAHM_OK);
	run_config_release(&config);
	/* An error in the file that it names is no more the command line's fault than it is elsewhere. */
	snprintf(trust, sizeof(trust), "introspection.trust=\"%s\"", path_of("wrong.cfg"));
	assert_int_equal(run_config_load(&config, path_of("run.cfg"), settings, 2, ".", &err), SAHM_CONFIG);
	assert_int_equal(err.status, SAHM_CONFIG);
	if (!strstr(err.msg, "wrong.cfg:2: "))
		fail_msg("%s", err.msg);
}

TEST_FILE(test_run_trust)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_shipped),
		cmocka_unit_test(test_writing_and_hash),
		cmocka_unit_test(test_setting),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
