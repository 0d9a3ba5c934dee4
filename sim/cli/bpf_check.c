#include "sim/cli/bpf_check.h"

#include <string.h>

#include "results/metrics/json.h"
#include "sched/host/interface.h"
#include "sim/cli/bpf_missing.h"

#define LINE_WIDTH 100
#define NAME_WIDTH 16

/* Operations that the scheduler gives: those that are called, or those that never are. */
static bool is_listed(const char *name, bool is_ignored)
{
	for (const struct sched_op_row *row = sched_op_rows; row->name; row++)
		if (strcmp(row->name, name) == 0)
			return (row->kind == SCHED_IGNORED) == is_ignored;
	return false;
}

static void write_operations(const struct bpf_missing *m, const char *title, bool is_ignored, struct textbuf *out)
{
	size_t used = NAME_WIDTH, nr = 0;
	for (size_t i = 0; i < m->nr_operations; i++) {
		const char *name = m->operations[i];
		size_t len = strlen(name);
		if (!is_listed(name, is_ignored))
			continue;
		if (nr++ == 0) {
			textbuf_printf(out, "%-*s%s", NAME_WIDTH, title, name);
		} else if (used + 2 + len > LINE_WIDTH) {
			textbuf_printf(out, ",\n%*s%s", NAME_WIDTH, "", name);
			used = NAME_WIDTH - 2;
		} else {
			textbuf_printf(out, ", %s", name);
		}
		used += 2 + len;
	}
	if (nr)
		textbuf_putc(out, '\n');
}

static void write_text(const struct bpf_missing *m, const char *path, struct textbuf *out)
{
	textbuf_printf(out, "%-*s", NAME_WIDTH, "file");
	textbuf_label(out, path);
	textbuf_putc(out, '\n');
	write_operations(m, "operations", false, out);
	write_operations(m, "never called", true, out);
	textbuf_printf(out, "%-*s%zu\n", NAME_WIDTH, "missing", m->nr);
	bpf_missing_write(m, out);
	if (!m->nr)
		textbuf_puts(out, m->others.text);
}

static void write_optional(struct jwriter *j, const char *key, const char *value)
{
	if (value)
		jwrite_string(j, key, value);
}

static void write_problem(const struct bpf_problem *p, struct jwriter *j)
{
	jwrite_begin_object(j, NULL);
	jwrite_string(j, "kind", bpf_kind_names[p->kind]);
	jwrite_string(j, "name", p->name);
	write_optional(j, "of", p->of);
	write_optional(j, "file", p->file);
	if (p->file)
		jwrite_u64(j, "line", p->line);
	write_optional(j, "reason", p->reason);
	jwrite_end_object(j);
}

static void write_json(const struct bpf_missing *m, const char *path, struct textbuf *out)
{
	struct jwriter j;
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	jwrite_string(&j, "file", path);
	jwrite_bool(&j, "usable", !m->nr && !m->nr_others);
	jwrite_begin_array(&j, "operations", true);
	for (size_t i = 0; i < m->nr_operations; i++)
		if (is_listed(m->operations[i], false))
			jwrite_string(&j, NULL, m->operations[i]);
	jwrite_end_array(&j);
	jwrite_begin_array(&j, "never_called", true);
	for (size_t i = 0; i < m->nr_operations; i++)
		if (is_listed(m->operations[i], true))
			jwrite_string(&j, NULL, m->operations[i]);
	jwrite_end_array(&j);
	jwrite_begin_array(&j, "missing", false);
	for (size_t i = 0; i < m->nr; i++)
		write_problem(&m->items[i], &j);
	jwrite_end_array(&j);
	jwrite_u64(&j, "other_errors", m->nr_others);
	jwrite_end_object(&j);
	jwrite_finish(&j);
}

static enum sahm_status print(const struct bpf_missing *m, const char *path, enum output_form form,
			      struct sahm_err *err)
{
	struct textbuf out;
	textbuf_init(&out);
	if (form == OUTPUT_JSON)
		write_json(m, path, &out);
	else
		write_text(m, path, &out);
	enum sahm_status status = textbuf_failed(&out) ? sahm_fail_nomem(err) : print_output(form, &out, err);
	textbuf_release(&out);
	if (status == SAHM_OK && (m->nr || m->nr_others))
		return bpf_missing_fail(m, path, err);
	return status;
}

enum sahm_status bpf_check(const struct bpf_source *source, enum output_form form, struct sahm_err *err)
{
	struct bpf_compiler c;
	struct bpf_missing missing = {.nr = 0};
	textbuf_init(&missing.others);
	enum sahm_status status = bpf_compiler_begin(&c, source, err);
	if (status == SAHM_OK)
		status = bpf_missing_find_all(&missing, &c, err);
	if (status == SAHM_OK)
		status = print(&missing, source->path, form, err);
	textbuf_release(&missing.others);
	bpf_compiler_end(&c);
	return status;
}
