/* Suites of traces: the input is the file, in a folder with nothing else. */
#include <sys/stat.h>

#include "sim/base/file.h"
#include "sim/sweep/trace_suite.h"
#include "tests/fuzz/reach.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char folder[] = "/tmp/sahm-fuzz-XXXXXX", path[64];
	struct trace_suite suite;
	struct arena a = {0};
	struct sahm_err err;
	if (reaches_out((const char *)data, size))
		return 0;
	close_stdin();
	MUST(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/in.cfg", folder);
	MUST(file_write(path, (const char *)data, size, &err) == SAHM_OK);
	enum sahm_status status = trace_suite_read(&a, path, folder, &suite, &err);
	if (status == SAHM_OK) {
		MUST(strcmp(suite.name, "in") == 0 && !suite.is_shipped);
		MUST(suite.traces->kind & (CFG_ARRAY | CFG_LIST) && suite.traces->nr_children >= 1);
		for (const struct cfg_node *c = suite.traces->first; c; c = c->next)
			MUST(c->kind == CFG_STRING && *c->value.string);
	} else {
		MUST(status == SAHM_CONFIG || status == SAHM_IO);
		must_explain(&err, status, "");
	}
	arena_release(&a);
	MUST(remove(path) == 0 && remove(folder) == 0);
	return 0;
}
