#include "workloads/record/record.h"

#include <stdlib.h>

#include "sim/base/shell.h"

void record_write_command(char **command, struct textbuf *out)
{
	size_t start = out->len;
	for (size_t i = 0; command[i]; i++) {
		if (i > 0)
			textbuf_putc(out, ' ');
		shell_write_word(out, command[i]);
	}
	if (out->len - start > MAX_PROVENANCE_BYTES)
		out->text[out->len = start + MAX_PROVENANCE_BYTES] = '\0';
}

void recording_release(struct recording *r)
{
	trace_free(r->trace);
	r->trace = NULL;
	for (size_t i = 0; i < r->nr_threads; i++)
		trace_free(r->threads[i].trace);
	free(r->threads);
	r->threads = NULL;
	r->nr_threads = 0;
	textbuf_release(&r->notes);
}
