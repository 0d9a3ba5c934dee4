#include "workloads/record/qemu/module_map.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line of /proc/self/maps has these and a path. */
#define MAX_LINE_BYTES (PATH_MAX + 128)

static const char maps_path[] = "/proc/self/maps";

/* Where QEMU's own mappings begin. */
static uint64_t *own;
static size_t nr_own;

struct line {
	uint64_t begin, end, offset;
	char path[PATH_MAX];
};

/* The next line of a mapped file. */
static bool next_file(FILE *maps, struct line *out)
{
	char text[MAX_LINE_BYTES];
	while (fgets(text, sizeof(text), maps)) {
		int path = 0;
		text[strcspn(text, "\n")] = '\0';
		if (sscanf(text, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %n", &out->begin, &out->end,
			   &out->offset, &path) == 3 &&
		    path > 0 && text[path] == '/' && strlen(text + path) < sizeof(out->path)) {
			strcpy(out->path, text + path);
			return true;
		}
	}
	return false;
}

static bool is_own(uint64_t begin)
{
	for (size_t i = 0; i < nr_own; i++)
		if (own[i] == begin)
			return true;
	return false;
}

void module_map_begin(void)
{
	FILE *maps = fopen(maps_path, "re");
	struct line l;
	while (maps && next_file(maps, &l)) {
		uint64_t *bigger = realloc(own, (nr_own + 1) * sizeof(*own));
		if (!bigger)
			break;
		own = bigger;
		own[nr_own++] = l.begin;
	}
	if (maps)
		fclose(maps);
}

/* A file's parts are lines of their own where their protection differs. */
static bool goes_on(const struct line *before, const struct line *l)
{
	return before->end == l->begin && before->offset + (before->end - before->begin) == l->offset &&
	       strcmp(before->path, l->path) == 0;
}

static void write_line(struct stream_writer *w, const struct line *l, uint64_t base)
{
	if (l->end > l->begin)
		stream_writer_module(w,
				     &(struct stream_module){l->begin - base, l->end - l->begin, l->offset, l->path});
}

void module_map_write(struct stream_writer *w, uint64_t base)
{
	FILE *maps = fopen(maps_path, "re");
	struct line whole = {0}, l;
	while (maps && next_file(maps, &l)) {
		if (is_own(l.begin))
			continue;
		if (goes_on(&whole, &l)) {
			whole.end = l.end;
			continue;
		}
		write_line(w, &whole, base);
		whole = l;
	}
	write_line(w, &whole, base);
	if (maps)
		fclose(maps);
}
