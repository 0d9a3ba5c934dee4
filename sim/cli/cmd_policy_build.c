/* sahm policy build: makes a plug-in of a scheduler that was written for the kernel. */
#include <stdlib.h>
#include <string.h>

#include "sched/host/plugin.h"
#include "sched/policies/policies.h"
#include "sim/base/array.h"
#include "sim/base/file.h"
#include "sim/base/shell.h"
#include "sim/cli/bpf_divide.h"
#include "sim/cli/bpf_missing.h"
#include "sim/cli/bpf_table.h"
#include "sim/cli/command.h"
#include "sim/cli/output.h"
#include "sim/cli/overwriting.h"

struct request {
	struct bpf_source source;
	const char *output;
};

static const struct option_row options[] = {
	{"output", 'o', "X.so", "the plug-in; an existing one is replaced (FILE.so, for FILE.bpf.c)", OPTION_STRING,
	 AT(const char *, output)},
	BPF_SOURCE_OPTIONS,
	{ONE_OPERAND(source.path, "scheduler", "a scheduler is missing: sahm policy build FILE.bpf.c")},
};

#define TABLE "table.c"
#define ASSEMBLY "table.s"
#define PLUGIN "plugin.so"

/* Reports what is missing, if anything is. */
static enum sahm_status check_missing(const struct bpf_missing *m, const char *path, struct sahm_err *err)
{
	struct textbuf out;
	if (!m->nr && !m->nr_others)
		return SAHM_OK;
	textbuf_init(&out);
	bpf_missing_write(m, &out);
	if (!m->nr)
		textbuf_puts(&out, m->others.text);
	bool has_failed = textbuf_failed(&out);
	print_aside(&out);
	textbuf_release(&out);
	return has_failed ? sahm_fail_nomem(err) : bpf_missing_fail(m, path, err);
}

/* Compiles `from` to `to`, files of the temporary folder, with `arguments` between them, NULL at their end. */
static enum sahm_status make_file(struct bpf_compiler *c, const char *from, const char *to,
				  const char *const *arguments, struct sahm_err *err)
{
	char *source = bpf_compiler_path(c, from), *result = bpf_compiler_path(c, to), *words = NULL;
	const char *all[16] = {"-o", result, source};
	bool is_ok = false;
	if (!source || !result)
		return sahm_fail_nomem(err);
	for (size_t i = 3; *arguments && i + 1 < ARRAY_SIZE(all); i++)
		all[i] = *arguments++;
	enum sahm_status status = bpf_compiler_run(c, all, &words, &is_ok, err);
	if (status == SAHM_OK && !is_ok) {
		struct textbuf out;
		textbuf_init(&out);
		textbuf_puts(&out, words);
		print_aside(&out);
		textbuf_release(&out);
		status = sahm_fail(err, SAHM_TOOL, "'%s' compiles, but its table of maps and variables does not",
				   c->source->path);
	}
	free(words);
	return status;
}

/* Divisions of other machines than x86 are those of BPF. */
static enum sahm_status rewrite_divisions(struct bpf_compiler *c, const char *name, struct sahm_err *err)
{
#if defined(__x86_64__)
	char *path = bpf_compiler_path(c, name), *text = NULL;
	size_t len;
	struct textbuf out;
	enum sahm_status status =
		path ? file_read_regular(path, BPF_MAX_TEXT_BYTES, &text, &len, err) : sahm_fail_nomem(err);
	if (status != SAHM_OK)
		return status;
	textbuf_init(&out);
	bpf_divide_rewrite(text, &out);
	status = textbuf_failed(&out) ? sahm_fail_nomem(err) : file_write(path, out.text, out.len, err);
	textbuf_release(&out);
	free(text);
	return status;
#else
	(void)c;
	(void)name;
	(void)err;
	return SAHM_OK;
#endif
}

static enum sahm_status link_plugin(struct bpf_compiler *c, struct sahm_err *err)
{
	/* The same bytes each time: no id, and no debugging information. */
	static const char *const compiling[] = {"-O2", "-S", NULL}, *const linking[] = {"-shared", "-Wl,-z,now",
											"-Wl,-z,relro",
											"-Wl,--build-id=none", NULL};
	enum sahm_status status = make_file(c, TABLE, ASSEMBLY, compiling, err);
	if (status == SAHM_OK)
		status = rewrite_divisions(c, ASSEMBLY, err);
	return status == SAHM_OK ? make_file(c, ASSEMBLY, PLUGIN, linking, err) : status;
}

/* Which of its operations are never called. */
static void remark_ignored(const struct sched_ext_ops *ops)
{
	struct textbuf names;
	size_t nr = 0;
	textbuf_init(&names);
	for (const struct sched_op_row *row = sched_op_rows; row->name; row++)
		if (row->kind == SCHED_IGNORED && sched_op_is_given(ops, row))
			textbuf_printf(&names, "%s%s", nr++ ? ", " : "", row->name);
	if (nr && !textbuf_failed(&names))
		print_remark("never called, since the simulator has no occasion: %s", names.text);
	textbuf_release(&names);
}

static void remark_done(const struct sched_ext_ops *ops, const char *output)
{
	struct textbuf path;
	textbuf_init(&path);
	if (!strchr(output, '/'))
		textbuf_puts(&path, "./");
	shell_write_word(&path, output);
	remark_ignored(ops);
	print_remark("%s: policy '%s'; try `sahm run --policy %s CONFIG`", output, ops->name,
		     textbuf_failed(&path) ? output : path.text);
	textbuf_release(&path);
}

/* Whether it can be used: before it takes the place of one that can. */
static enum sahm_status put_plugin(struct bpf_compiler *c, const char *output, struct sahm_err *err)
{
	char *path = bpf_compiler_path(c, PLUGIN), *bytes = NULL;
	size_t len;
	struct sched_plugin *plugin = NULL;
	struct sahm_err refusal;
	if (!path)
		return sahm_fail_nomem(err);
	enum sahm_status status = sched_plugin_open(&plugin, path, sched_policies, NULL, &refusal);
	if (status != SAHM_OK) {
		const char *text = strncmp(refusal.msg, path, strlen(path)) == 0 ? refusal.msg + strlen(path) : NULL;
		return sahm_fail(err, status, "%s%s", text ? output : "", text ? text : refusal.msg);
	}
	status = file_read_regular(path, MAX_PLUGIN_BYTES, &bytes, &len, err);
	if (status == SAHM_OK)
		status = file_put(output, true, bytes, len, err);
	free(bytes);
	if (status == SAHM_OK)
		remark_done(sched_plugin_ops(plugin), output);
	sched_plugin_close(plugin);
	return status;
}

static enum sahm_status build(struct bpf_compiler *c, struct bpf_missing *missing, const char *output,
			      struct sahm_err *err)
{
	const char *path = c->source->path;
	struct bpf_symbols symbols;
	enum sahm_status status = bpf_missing_find_all(missing, c, err);
	if (status == SAHM_OK)
		status = check_missing(missing, path, err);
	if (status == SAHM_OK)
		status = bpf_symbols_read(&symbols, c, BPF_OBJECT, err);
	if (status == SAHM_OK && !symbols.has_policy)
		status = sahm_fail(err, SAHM_FORMAT, "'%s' defines no policy: SCX_OPS_DEFINE() is missing", path);
	if (status == SAHM_OK)
		status = bpf_table_write(&symbols, c, TABLE, err);
	if (status == SAHM_OK)
		status = link_plugin(c, err);
	return status == SAHM_OK ? put_plugin(c, output, err) : status;
}

/* The name of the plug-in: that of the source with another ending, where none is given. */
static enum sahm_status choose_output(const struct request *r, struct textbuf *output, struct sahm_err *err)
{
	if (!bpf_source_is(r->source.path))
		return sahm_fail(
			err, SAHM_USAGE,
			"'%s' is no scheduler for the kernel's BPF (.bpf.c); policies with sched/ext.h are built "
			"with cc (sahm policy new)",
			r->source.path);
	if (r->output)
		textbuf_puts(output, r->output);
	else
		textbuf_printf(output, "%.*s.so", (int)(strlen(r->source.path) - strlen(".bpf.c")), r->source.path);
	return textbuf_failed(output) ? sahm_fail_nomem(err) : refuse_overwriting(output->text, r->source.path, err);
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {0};
	struct bpf_compiler c;
	struct bpf_missing missing = {0};
	struct textbuf output;
	textbuf_init(&output);
	textbuf_init(&missing.others);
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK)
		status = choose_output(&r, &output, err);
	if (status == SAHM_OK) {
		status = bpf_compiler_begin(&c, &r.source, err);
		if (status == SAHM_OK)
			status = build(&c, &missing, output.text, err);
		bpf_compiler_end(&c);
	}
	textbuf_release(&missing.others);
	textbuf_release(&output);
	free(r.source.defines.items);
	free(r.source.includes.items);
	return status;
}

extern const struct command command_policy_build;
const struct command command_policy_build = {
	.name = "policy build",
	.operands = "FILE.bpf.c",
	.summary = "make a plug-in of a scheduler that was written for the kernel",
	.details =
		"FILE.bpf.c is the BPF half of a sched_ext scheduler, unmodified. It is compiled for this machine with "
		"headers of sahm in the place of libbpf's and the kernel's; maps, timers and the calls of the kernel "
		"are simulated. Its half in user space is not: `sahm run --scx-set NAME=VALUE` sets variables that "
		"it would set.\n"
		"Everything that the file needs and the simulator does not have is listed by file and line, and "
		"nothing is built then. `sahm policy check` makes the same list. The same source, options and "
		"compiler give the same plug-in.",
	.options = options,
	.run = run,
};
