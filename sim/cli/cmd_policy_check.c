/* sahm policy check: shows what a plug-in uses, and what of that the kernel lacks. */
#include <stdlib.h>
#include <string.h>

#include "results/metrics/json.h"
#include "sched/host/bpf_program.h"
#include "sched/host/plugin.h"
#include "sched/policies/policies.h"
#include "sim/cli/bpf_check.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/output.h"

#include "sim/base/file.h"

struct request {
	struct bpf_source source; /* or a plug-in, which has only a path */
	enum output_form form;
};

static const struct option_row options[] = {
	{JSON_OPTION("print one JSON object")},
	BPF_SOURCE_OPTIONS,
	{ONE_OPERAND(source.path, "plug-in", "a file is missing: sahm policy check FILE")},
};

#define LINE_WIDTH 100
#define NAME_WIDTH 16

/* Which names are listed. */
enum list {
	LIST_OPS,	    /* operations of the kernel's that it has */
	LIST_CALLS,	    /* calls of the kernel's */
	LIST_NOT_PORTED,    /* operations and calls that the kernel does not have */
	LIST_NOT_SIMULATED, /* calls that end the run */
	LIST_UNKNOWN,	    /* calls that nobody has */
	LIST_LIBRARY,	    /* functions of the C library */
	LIST_VARIABLES,	    /* that are not constant */
	LIST_SETTABLE,	    /* that --scx-set sets */
	NR_LISTS
};

static const struct {
	const char *key, *name, *remark;
} list_rows[NR_LISTS] = {
	[LIST_OPS] = {"operations", "operations", NULL},
	[LIST_CALLS] = {"calls", "calls", NULL},
	[LIST_NOT_PORTED] = {"not_in_kernel", "not in kernel", "no counterpart in sched_ext: would not port"},
	[LIST_NOT_SIMULATED] = {"not_simulated", "not simulated", "a run that comes upon one ends"},
	[LIST_UNKNOWN] = {"unknown", "unknown", "is not there, here at least"},
	[LIST_LIBRARY] = {"library", "C library", "not there for a policy in the kernel"},
	[LIST_VARIABLES] = {"variables", "variables",
			    "keep their values from run to run, so that results depend on what ran before; "
			    "sahm_state() is for this"},
	[LIST_SETTABLE] = {"settable", "settings",
			   "are as in the source when a run begins; --scx-set NAME=VALUE sets them"},
};

/* The file, and the policy in it; NULL: it was refused. */
struct checked {
	const char *path;
	struct plugin_file file;
	const struct sched_ext_ops *ops;
};

/* Beginnings of names: of what a sanitizer, a compiler or a profile adds, which is no call of the policy's; of what is
 * there for policies, or would be. */
static const char *const of_tools[] = {"__asan_", "__ubsan_", "__tsan_", "__gcov_", "__stack_chk_", "__llvm_", NULL};
/* Functions of the C library that sched/scx uses for a kernel scheduler. */
static const char *const of_headers[] = {"memcpy", "memset", "memmove", "memcmp", "strnlen", "strncmp", NULL};
static const char *const of_policies[] = {"scx_bpf_", "bpf_", "sahm_", NULL};

static bool begins_with_any(const char *name, const char *const *beginnings)
{
	for (; *beginnings; beginnings++)
		if (strncmp(name, *beginnings, strlen(*beginnings)) == 0)
			return true;
	return false;
}

/* Whether nobody has the function: a file that can be used has all that it needs. */
static bool is_nowhere(const struct checked *c, const char *name)
{
	return !c->ops && !sched_plugin_has_function(name);
}

static enum list list_of_call(const struct checked *c, const char *name)
{
	const struct sched_call_row *row = sched_call_find(name);
	if (!row && c->ops && c->ops->sahm_bpf && begins_with_any(name, of_headers))
		return NR_LISTS;
	if (!row)
		return begins_with_any(name, of_tools)				   ? NR_LISTS
		       : begins_with_any(name, of_policies) || is_nowhere(c, name) ? LIST_UNKNOWN
										   : LIST_LIBRARY;
	return row->kind == SCHED_KERNEL || row->kind == SCHED_BPF ? LIST_CALLS
	       : row->kind == SCHED_SAHM			   ? LIST_NOT_PORTED
								   : LIST_NOT_SIMULATED;
}

static enum list list_of_op(const struct checked *c, const struct sched_op_row *row)
{
	if (!c->ops || !sched_op_is_given(c->ops, row))
		return NR_LISTS;
	return row->kind == SCHED_SAHM ? LIST_NOT_PORTED : LIST_OPS;
}

/* Calls `visit` for each name of list `which`. */
static void each(const struct checked *c, enum list which, void (*visit)(void *to, const char *name), void *to)
{
	for (const struct sched_op_row *row = sched_op_rows; row->name; row++)
		if (list_of_op(c, row) == which)
			visit(to, row->name);
	for (size_t i = 0; i < c->file.nr_needs; i++)
		if (list_of_call(c, c->file.needs[i]) == which)
			visit(to, c->file.needs[i]);
	/* Those of a kernel scheduler are reset for each run, and can be set. */
	const struct sahm_bpf_program *program = c->ops ? c->ops->sahm_bpf : NULL;
	for (u32 i = 0; program && i < program->nr_variables && which == LIST_SETTABLE; i++)
		visit(to, program->variables[i].name);
	if (program)
		return;
	for (size_t i = 0; i < c->file.nr_variables && which == LIST_VARIABLES; i++)
		visit(to, c->file.variables[i].name);
	if (which == LIST_VARIABLES && c->file.nr_variables == 0 && c->file.writable_bytes > 0)
		visit(to, "(their names were stripped)");
}

/* Names after the list's title, in lines of limited width. */
struct lines {
	struct textbuf *out;
	size_t used, nr;
};

static void add_word(void *to, const char *name)
{
	struct lines *l = to;
	size_t len = strlen(name);
	if (l->nr > 0 && l->used + 2 + len > LINE_WIDTH) {
		textbuf_printf(l->out, ",\n%*s", NAME_WIDTH, "");
		l->used = NAME_WIDTH;
	} else if (l->nr > 0) {
		textbuf_puts(l->out, ", ");
		l->used += 2;
	}
	textbuf_label(l->out, name);
	l->used += len;
	l->nr++;
}

static void count_word(void *to, const char *name)
{
	(void)name;
	++*(size_t *)to;
}

static const char *kind_of(const struct sched_ext_ops *ops)
{
	return sched_ops_have_run_queues(ops) ? "run queues" : "dispatches";
}

static void write_fact(const char *what, const char *fact, struct textbuf *out)
{
	textbuf_printf(out, "%-*s", NAME_WIDTH, what);
	textbuf_label(out, fact);
	textbuf_putc(out, '\n');
}

static void write_text(const struct checked *c, struct textbuf *out)
{
	write_fact("file", c->path, out);
	if (c->ops) {
		write_fact("policy", c->ops->name, out);
		write_fact("summary", c->ops->summary ? c->ops->summary : "-", out);
		textbuf_printf(out, "%-*s%u\n", NAME_WIDTH, "interface", SAHM_POLICY_ABI);
		textbuf_printf(out, "%-*s%s\n", NAME_WIDTH, "kind", kind_of(c->ops));
		if (c->ops->sahm_rules)
			textbuf_printf(
				out,
				"%-*sthe ordered pass; where threads never sleep it is carried out without calling the "
				"policy\n",
				NAME_WIDTH, "sahm_rules");
	}
	for (int which = 0; which < NR_LISTS; which++) {
		size_t nr = 0;
		each(c, (enum list)which, count_word, &nr);
		if (nr == 0)
			continue;
		struct lines l = {out, NAME_WIDTH, 0};
		textbuf_printf(out, "%-*s", NAME_WIDTH, list_rows[which].name);
		each(c, (enum list)which, add_word, &l);
		if (list_rows[which].remark)
			textbuf_printf(out, "\n%*s(%s)", NAME_WIDTH, "", list_rows[which].remark);
		textbuf_putc(out, '\n');
	}
}

static void add_string(void *to, const char *name)
{
	jwrite_string(to, NULL, name);
}

static void write_json(const struct checked *c, struct textbuf *out)
{
	struct jwriter j;
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	jwrite_string(&j, "file", c->path);
	jwrite_bool(&j, "usable", c->ops != NULL);
	if (c->ops) {
		jwrite_string(&j, "policy", c->ops->name);
		jwrite_string(&j, "summary", c->ops->summary);
		jwrite_u64(&j, "interface", SAHM_POLICY_ABI);
		jwrite_string(&j, "kind", kind_of(c->ops));
	}
	for (int which = 0; which < NR_LISTS; which++) {
		jwrite_begin_array(&j, list_rows[which].key, true);
		each(c, (enum list)which, add_string, &j);
		jwrite_end_array(&j);
	}
	jwrite_u64(&j, "writable_bytes", c->file.writable_bytes);
	jwrite_end_object(&j);
	jwrite_finish(&j);
}

/* Prints what is known about a refused file before the error. */
static enum sahm_status check(const char *path, bool json, struct sahm_err *err)
{
	struct checked c = {.path = path};
	struct sched_plugin *plugin = NULL;
	struct textbuf out;
	struct sahm_err refusal;
	if (text_ends_in(path, ".c"))
		return sahm_fail(err, SAHM_FORMAT, "'%s' is source code; build it and check the .so", path);
	enum sahm_status status = plugin_file_read(&c.file, path, err);
	if (status != SAHM_OK)
		return status;
	enum sahm_status loaded = sched_plugin_load(&plugin, path, &c.file, sched_policies, NULL, &refusal);
	if (loaded == SAHM_OK)
		c.ops = sched_plugin_ops(plugin);
	textbuf_init(&out);
	if (json)
		write_json(&c, &out);
	else
		write_text(&c, &out);
	status =
		textbuf_failed(&out) ? sahm_fail_nomem(err) : print_output(json ? OUTPUT_JSON : OUTPUT_TEXT, &out, err);
	textbuf_release(&out);
	sched_plugin_close(plugin);
	plugin_file_release(&c.file);
	return status == SAHM_OK && loaded != SAHM_OK ? sahm_fail(err, loaded, "%s", refusal.msg) : status;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {0};
	enum sahm_status status = options_parse(options, args, &r, err);
	bool is_source = status == SAHM_OK && bpf_source_is(r.source.path);
	if (status == SAHM_OK && !is_source && (r.source.compiler || r.source.defines.nr || r.source.includes.nr))
		status = sahm_fail(err, SAHM_USAGE, "--cc, --define and --include are for a .bpf.c file, not for '%s'",
				   r.source.path);
	if (status == SAHM_OK)
		status = is_source ? bpf_check(&r.source, r.form, err)
				   : check(r.source.path, r.form == OUTPUT_JSON, err);
	free(r.source.defines.items);
	free(r.source.includes.items);
	return status;
}

extern const struct command command_policy_check;
const struct command command_policy_check = {
	.name = "policy check",
	.operands = "FILE",
	.summary = "check a policy plug-in, and whether it would port to the kernel",
	.details =
		"FILE.bpf.c, a scheduler that was written for the kernel, is compiled, and what it needs and the simulator "
		"does not have is listed by file and line: calls, members, constants, headers, types of maps. The "
		"exit code is 0 if nothing is missing and 1 otherwise. `sahm policy build` makes a plug-in of it.\n"
		"Otherwise loads the shared object FILE in a separate process, which runs its initialisers, and lists "
		"the operations that the policy has and the calls that it makes: those of the kernel's "
		"sched_ext; those that the kernel does not have; those that are not simulated, which end a "
		"run; unknown ones; functions of the C library, which a policy in the kernel cannot call "
		"(compilers add calls of memcpy and memset); and variables, which would make one run depend "
		"on another.\n"
		"The exit code is 0 if the policy can be used and 1 if it is refused.",
	.options = options,
	.run = run,
};
