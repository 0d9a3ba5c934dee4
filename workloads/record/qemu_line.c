#include "workloads/record/qemu_line.h"

#include <string.h>

#include "sim/base/textbuf.h"

char **qemu_line(struct arena *a, const struct qemu_share *s, int fd, const struct record_program *p)
{
	static char name_option[] = "-0";
	struct textbuf b;
	size_t nr = 0, at = 0;
	for (const char *option = s->line; *option; option += strlen(option) + 1)
		nr++;
	for (char **arg = p->args; *arg; arg++)
		nr++;
	char **line = arena_alloc(a, nr + 4, sizeof(*line));
	if (!line || !*s->line)
		return NULL;
	for (const char *option = s->line; *option; option += strlen(option) + 1)
		if (!(line[at++] = arena_strdup(a, option)))
			return NULL;
	textbuf_init(&b);
	textbuf_printf(&b, "%s,share=%d", line[at - 1], fd);
	if (!(line[at - 1] = textbuf_keep(&b, a)))
		return NULL;
	line[at++] = name_option;
	line[at++] = p->args[0];
	/* QEMU would take it for an option. */
	textbuf_init(&b);
	textbuf_printf(&b, "%s%s", *p->path == '-' ? "./" : "", p->path);
	if (!(line[at++] = textbuf_keep(&b, a)))
		return NULL;
	for (char **arg = p->args + 1; *arg; arg++)
		line[at++] = *arg;
	return line;
}
