/* Runs a fuzz target on files: replay_fuzz_X FILE|FOLDER... Every file of a folder counts; none at all is a failure. */
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

#include "tests/fuzz/fuzz.h"

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
		LLVMFuzzerTestOneInput(data, (size_t)size);
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
	for (int i = 1; i < argc; i++)
		failed |= replay(argv[i]);
	printf("%u inputs\n", nr_inputs);
	return failed || nr_inputs == 0;
}
