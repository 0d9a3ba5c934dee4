/* Runs a fuzz target on files: replay TARGET FILE|FOLDER... Every file of a folder counts; none at all is a failure. */
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

#include "sim/base/array.h"
#include "tests/fuzz/fuzz.h"

typedef int target_fn(const uint8_t *data, size_t size);

/* TARGET_LIST, made by mk/test.mk, has a row per target; each compiles with an entry point of its own name. */
#define TARGET_ROW(name) target_fn name;
#include TARGET_LIST
#undef TARGET_ROW

static const struct target {
	const char *name;
	target_fn *run;
} targets[] = {
#define TARGET_ROW(name) {#name, name},
#include TARGET_LIST
#undef TARGET_ROW
};

static const struct target *target;
static unsigned nr_inputs;

static int replay_file(const char *path, off_t size)
{
	/* As long as the input and no longer, so that reading beyond it is seen. */
	uint8_t *data = malloc(size > 0 ? (size_t)size : 1);
	FILE *in = fopen(path, "rb");
	int failed = !data || !in || fread(data, 1, (size_t)size, in) != (size_t)size;
	if (in)
		fclose(in);
	if (failed)
		fprintf(stderr, "cannot read '%s': %s\n", path, strerror(errno));
	else
		target->run(data, (size_t)size);
	free(data);
	nr_inputs++;
	return failed;
}

static int replay(const char *path)
{
	struct stat st;
	struct dirent **names;
	if (stat(path, &st) != 0) {
		fprintf(stderr, "cannot open '%s': %s\n", path, strerror(errno));
		return 1;
	}
	if (!S_ISDIR(st.st_mode))
		return replay_file(path, st.st_size);
	int nr = scandir(path, &names, NULL, alphasort), failed = nr < 0;
	for (int i = 0; i < nr; i++) {
		char inside[4096];
		snprintf(inside, sizeof(inside), "%s/%s", path, names[i]->d_name);
		if (names[i]->d_name[0] != '.')
			failed |= replay(inside);
		free(names[i]);
	}
	if (nr >= 0)
		free(names);
	return failed;
}

int main(int argc, char **argv)
{
	int failed = 0;
	for (size_t i = 0; argc > 1 && i < ARRAY_SIZE(targets); i++)
		if (strcmp(targets[i].name + strlen("fuzz_"), argv[1]) == 0)
			target = &targets[i];
	if (!target) {
		fprintf(stderr, "usage: replay TARGET FILE|FOLDER..., where tests/fuzz/fuzz_TARGET.c is there\n");
		return 2;
	}
	for (int i = 2; i < argc; i++)
		failed |= replay(argv[i]);
	printf("%u inputs\n", nr_inputs);
	return failed || nr_inputs == 0;
}
