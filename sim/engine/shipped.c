#include "sim/engine/shipped.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/textbuf.h"

const struct shipped shipped_programs = {"introspection program", "ipu/programs/prebuilt/", ".elf"};
const struct shipped shipped_specs = {"ABI spec", "ipu/abi/", ".cfg"};

/* Not alphasort(), whose order depends on the locale. */
static int compare_names(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

void shipped_suggest(const struct shipped *shipped, const char *data_folder, const char *name, char hint[SUGGEST_BYTES])
{
	struct textbuf folder;
	struct dirent **entries = NULL;
	struct suggest s;
	size_t ending = strlen(shipped->ending);
	textbuf_init(&folder);
	textbuf_printf(&folder, "%s/%s", data_folder, shipped->folder);
	int nr = textbuf_failed(&folder) ? -1 : scandir(folder.text, &entries, NULL, compare_names);
	suggest_init(&s, name);
	for (int i = 0; i < nr; i++) {
		size_t len = strlen(entries[i]->d_name);
		if (len <= ending || strcmp(entries[i]->d_name + len - ending, shipped->ending) != 0)
			continue;
		entries[i]->d_name[len - ending] = '\0';
		suggest_offer(&s, entries[i]->d_name);
	}
	suggest_text(&s, hint);
	for (int i = 0; i < nr; i++)
		free(entries[i]);
	free(entries);
	textbuf_release(&folder);
}
