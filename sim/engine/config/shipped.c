#include "sim/engine/config/shipped.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/textbuf.h"

const struct shipped shipped_programs = {"introspection program", "ipu/programs/prebuilt/", ".elf"};
const struct shipped shipped_specs = {"ABI spec", "ipu/abi/", ".cfg"};
const struct shipped shipped_trusts = {"trust file", "configs/trust/", ".cfg"};
const struct shipped shipped_cpus = {"processor", "configs/cpus/", ".cfg"};
const struct shipped shipped_cores = {"model of a core", "configs/cores/", ".cfg"};
const struct shipped shipped_configs = {"configuration", "configs/", ".cfg"};
const struct shipped shipped_suites = {"suite", "configs/suites/", ".cfg"};
const struct shipped shipped_small_traces = {"trace", "workloads/suites/small/", ".csv"};
const struct shipped shipped_open_traces = {"trace", "workloads/suites/open/", ".csv.zst"};

static int compare_names(const void *a, const void *b)
{
	return strcmp((*(struct dirent *const *)a)->d_name, (*(struct dirent *const *)b)->d_name);
}

bool shipped_each(const struct shipped *shipped, const char *data_folder, shipped_visit *visit, void *ctx)
{
	struct textbuf folder;
	struct dirent **entries = NULL;
	size_t ending = strlen(shipped->ending);
	textbuf_init(&folder);
	textbuf_printf(&folder, "%s/%s", data_folder, shipped->folder);
	errno = ENOMEM;
	int nr = textbuf_failed(&folder) ? -1 : scandir(folder.text, &entries, NULL, NULL), cause = errno;
	/* Names without their ending are put in order, the empty ones of other files first. */
	for (int i = 0; i < nr; i++) {
		size_t len = strlen(entries[i]->d_name);
		bool is_one = len > ending && strcmp(entries[i]->d_name + len - ending, shipped->ending) == 0;
		entries[i]->d_name[is_one ? len - ending : 0] = '\0';
	}
	if (nr > 0)
		qsort(entries, (size_t)nr, sizeof(struct dirent *), compare_names);
	for (int i = 0; i < nr; i++) {
		if (*entries[i]->d_name)
			visit(ctx, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	textbuf_release(&folder);
	errno = cause;
	return nr >= 0;
}

struct offer {
	struct arena *arena;
	struct suggest *to;
};

static void offer_name(void *ctx, const char *name)
{
	const struct offer *o = ctx;
	const char *kept = arena_strdup(o->arena, name);
	if (kept)
		suggest_offer(o->to, kept);
}

void shipped_offer(const struct shipped *shipped, const char *data_folder, struct arena *a, struct suggest *s)
{
	struct offer o = {a, s};
	shipped_each(shipped, data_folder, offer_name, &o);
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
