#include "sim/base/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int compare_names(const void *a, const void *b)
{
	return strcmp((*(struct dirent *const *)a)->d_name, (*(struct dirent *const *)b)->d_name);
}

bool folder_each(const char *folder, const char *ending, folder_visit *visit, void *ctx)
{
	struct dirent **entries = NULL;
	size_t ending_len = strlen(ending);
	int nr = scandir(folder, &entries, NULL, NULL), cause = errno;
	/* Names without their ending are put in order, the empty ones of other files first. */
	for (int i = 0; i < nr; i++) {
		size_t len = strlen(entries[i]->d_name);
		bool is_one = len > ending_len && strcmp(entries[i]->d_name + len - ending_len, ending) == 0;
		entries[i]->d_name[is_one ? len - ending_len : 0] = '\0';
	}
	if (nr > 0)
		qsort(entries, (size_t)nr, sizeof(struct dirent *), compare_names);
	for (int i = 0; i < nr; i++) {
		if (*entries[i]->d_name)
			visit(ctx, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
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

bool folder_offer(const char *folder, const char *ending, struct arena *a, struct suggest *s)
{
	return folder_each(folder, ending, offer_name, &(struct offer){a, s});
}
