/* Runs that are joined: the input is two files, one after the other, with a line of '%' between them. */
#include <sys/mman.h>
#include <unistd.h>

#include "sim/base/array.h"
#include "tests/fuzz/use_import.h"

static int file_of(const uint8_t *data, size_t size, char path[32])
{
	int fd = memfd_create("run", 0);
	MUST(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, 32, "/proc/self/fd/%d", fd);
	return fd;
}

static struct imported join(const char *const *files, const struct import_options *options)
{
	struct imported i = {0};
	textbuf_init(&i.notes);
	i.status = trace_import(files, 2, options, &i.notes, &i.traces, &i.nr, &i.err);
	if (i.status == SAHM_FORMAT && strncmp(i.err.msg, "--join: no event", 16) == 0)
		MUST(!i.traces);
	else
		check_imported(&i, "/proc/self/fd/");
	return i;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const rows[] = {"cycles=zero(cycles)", NULL};
	const uint8_t *mark = memmem(data, size, "\n%\n", 3);
	char names[2][32];
	if (!mark || mark == data || mark + 3 == data + size)
		return 0;
	int first = file_of(data, (size_t)(mark + 1 - data), names[0]);
	int second = file_of(mark + 3, (size_t)(data + size - mark - 3), names[1]);
	const char *const files[] = {names[0], names[1]};
	struct import_map *lenient = lenient_map(), *more = made_map(rows);
	const struct import_options ways[] = {
		{.join = true},
		{.join = true, .map = lenient},
		{.join = true, .map = more, .cumulative = true, .keep_idle = true, .epoch_ns = 10000000},
		/* no join: parts of one process */
		{.map = lenient},
	};
	for (size_t w = 0; w < ARRAY_SIZE(ways); w++) {
		struct imported i = join(files, &ways[w]), again = join(files, &ways[w]);
		must_agree(&i, &again);
		for (size_t t = 0; t < i.nr; t++)
			use_trace(i.traces[t]);
		free_imported(&i);
		free_imported(&again);
	}
	import_map_free(lenient);
	import_map_free(more);
	close(first);
	close(second);
	return 0;
}
