#include "sim/engine/config/shipped.h"

#include <errno.h>

#include "sim/base/textbuf.h"

const struct shipped shipped_programs = {"introspection program", "ipu/programs/prebuilt/", ".elf"};
const struct shipped shipped_specs = {"ABI spec", "ipu/abi/", ".cfg"};
const struct shipped shipped_trusts = {"trust file", "configs/trust/", ".cfg"};
const struct shipped shipped_costs = {"table of costs", "configs/costs/", ".cfg"};
const struct shipped shipped_cpus = {"processor", "configs/cpus/", ".cfg"};
const struct shipped shipped_cores = {"model of a core", "configs/cores/", ".cfg"};
const struct shipped shipped_configs = {"configuration", "configs/", ".cfg"};
const struct shipped shipped_suites = {"suite", "configs/suites/", ".cfg"};
const struct shipped shipped_small_traces = {"trace", "workloads/suites/small/", ".csv"};
const struct shipped shipped_open_traces = {"trace", "workloads/suites/open/", ".csv.zst"};
const struct shipped shipped_synthetic_traces = {"trace", "workloads/suites/synthetic/spec2017/", ".trc.zst"};

/* "DATA_FOLDER/FOLDER" in `path`; false with errno when memory is short. */
static bool folder_path(const struct shipped *shipped, const char *data_folder, struct textbuf *path)
{
	textbuf_init(path);
	textbuf_printf(path, "%s/%s", data_folder, shipped->folder);
	errno = ENOMEM;
	return !textbuf_failed(path);
}

bool shipped_each(const struct shipped *shipped, const char *data_folder, folder_visit *visit, void *ctx)
{
	struct textbuf path;
	bool is_read = folder_path(shipped, data_folder, &path) && folder_each(path.text, shipped->ending, visit, ctx);
	int cause = errno;
	textbuf_release(&path);
	errno = cause;
	return is_read;
}

void shipped_offer(const struct shipped *shipped, const char *data_folder, struct arena *a, struct suggest *s)
{
	struct textbuf path;
	if (folder_path(shipped, data_folder, &path))
		folder_offer(path.text, shipped->ending, a, s);
	textbuf_release(&path);
}

void shipped_offer_traces(const char *data_folder, struct arena *a, struct suggest *s)
{
	shipped_offer(&shipped_small_traces, data_folder, a, s);
	shipped_offer(&shipped_open_traces, data_folder, a, s);
	shipped_offer(&shipped_synthetic_traces, data_folder, a, s);
}

void shipped_suggest(const struct shipped *shipped, const char *data_folder, const char *name, char hint[SUGGEST_BYTES])
{
	struct arena a;
	struct suggest s;
	arena_init(&a);
	suggest_init(&s, name);
	shipped_offer(shipped, data_folder, &a, &s);
	suggest_text(&s, hint);
	arena_release(&a);
}
