/* The page of a report: what is needed to do the sweep again. */
#include <inttypes.h>
#include <string.h>

#include "results/page/report_internal.h"
#include "sim/base/shell.h"

/* Whether the manifest beside the store is that of this sweep. */
static bool has_manifest(const struct report *r)
{
	const struct report_origin *o = &r->options.origin;
	return o->manifest && strcmp(o->identity, r->identity.text) == 0;
}

static void show_commands(struct report *r, struct page *p)
{
	const struct report_origin *o = &r->options.origin;
	struct textbuf b;
	textbuf_init(&b);
	textbuf_puts(&b, "sahm query ");
	shell_write_file(&b, o->store);
	textbuf_puts(&b, " config");
	if (r->q->which) {
		textbuf_puts(&b, " --sweep ");
		shell_write_word(&b, r->q->which);
	}
	textbuf_puts(&b, " > sweep.cfg\nsahm sweep sweep.cfg -o again.sqlite\n");
	page_paragraph(p,
		       "For a shell in the folder of the store: the configuration, which stands below too, and with it "
		       "all points of the sweep.");
	page_verbatim(p, b.text);
	p->failed |= textbuf_failed(&b);
	textbuf_release(&b);
	page_paragraph(p, "This page:");
	page_verbatim(p, r->command.text);
	if (!o->manifest) {
		page_paragraph(p, "There is no manifest beside the store: sahm sweep writes one when all points "
				  "have results.");
	} else if (!has_manifest(r)) {
		page_paragraph(p, "The manifest beside the store is that of another sweep.");
	} else {
		textbuf_init(&b);
		textbuf_puts(&b, "sahm rerun ");
		shell_write_file(&b, o->manifest);
		page_paragraph(p, "The sweep once more, from its manifest, every byte of the results compared:");
		page_verbatim(p, b.text);
		p->failed |= textbuf_failed(&b);
		textbuf_release(&b);
	}
}

/* The versions of the programs that made this sweep's runs, as query_overview() has them. */
static enum sahm_status show_programs(struct report *r, struct page *p, struct sahm_err *err)
{
	struct query_answer a;
	query_answer_init(&a);
	enum sahm_status status = query_overview(r->q, &a, err);
	if (status == SAHM_OK && a.failed)
		status = sahm_fail_nomem(err);
	if (status == SAHM_OK) {
		const struct query_table *t = report_table(&a, "sweeps");
		unsigned id = report_column(t, "id"), programs = report_column(t, "programs");
		for (size_t i = 0; i < t->nr_cells; i += t->nr_columns)
			if (t->cells[i + id].count == (uint64_t)r->q->sweep)
				page_fact(p, "Made by sahm", "%s", t->cells[i + programs].text);
	}
	query_answer_release(&a);
	return status;
}

/* Paths are from outside: a line stays one. */
static void show_inputs(const struct report *r, struct page *p)
{
	const struct report_origin *o = &r->options.origin;
	struct textbuf b;
	if (!has_manifest(r) || o->nr_inputs == 0)
		return;
	textbuf_init(&b);
	for (size_t i = 0; i < o->nr_inputs; i++) {
		size_t from = b.len;
		textbuf_printf(&b, "%s  %s (%s)", o->inputs[i].hash, o->inputs[i].path, o->inputs[i].kind);
		if (!textbuf_failed(&b))
			clean_text(b.text + from);
		textbuf_putc(&b, '\n');
	}
	page_paragraph(p, "Files that the sweep reads, with the hashes of their contents:");
	page_verbatim(p, b.text);
	p->failed |= textbuf_failed(&b);
	textbuf_release(&b);
}

enum sahm_status report_page_repeat(struct report *r, struct page *p, struct sahm_err *err)
{
	const struct report_origin *o = &r->options.origin;
	page_section(p, "repeat", "To do it again");
	show_commands(r, p);
	page_begin_facts(p);
	enum sahm_status status = show_programs(r, p, err);
	page_fact(p, "Hash of the sweep", "%s", r->identity.text);
	page_fact(p, "Digest of the results", "%s", o->results);
	if (r->nr_threads > 0)
		page_fact(p, "... with threads", "%s", o->threads);
	page_end_facts(p);
	page_paragraph(p, "The hash is of the axes and of all runs: their configurations, the contents of their "
			  "traces, and the program's version. The digests are of what all points of the sweep have "
			  "found, times apart: a store with the same results has the same ones on its page.");
	show_inputs(r, p);
	page_subheading(p, "Configuration");
	page_verbatim(p, r->config.text);
	return status;
}
