/* sahm policy list: the built-in policies. */
#include "results/metrics/json.h"
#include "results/metrics/table.h"
#include "sched/host/interface.h"
#include "sched/policies/policies.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/output.h"

struct request {
	enum output_form form;
};

static const struct option_row options[] = {
	{JSON_OPTION("print one JSON object")},
	{NO_OPERANDS("sahm policy list")},
};

static const char *kind_of(const struct sched_ext_ops *ops)
{
	return sched_ops_have_run_queues(ops) ? "run queues" : "dispatches";
}

static bool write_table(struct textbuf *out)
{
	struct table t;
	table_init(&t);
	t.left |= 1u << 1 | 1u << 2;
	table_row(&t, false);
	table_cell(&t, "policy");
	table_cell(&t, "kind");
	table_cell(&t, "what it does");
	for (const struct sched_ext_ops *const *p = sched_policies; *p; p++) {
		table_row(&t, p == sched_policies);
		table_cell(&t, "%s", (*p)->name);
		table_cell(&t, "%s", kind_of(*p));
		table_cell(&t, "%s", (*p)->summary);
	}
	bool ok = table_write(&t, bold_output(NULL), out);
	table_release(&t);
	return ok;
}

static void write_json(struct textbuf *out)
{
	struct jwriter j;
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	jwrite_begin_array(&j, "policies", false);
	for (const struct sched_ext_ops *const *p = sched_policies; *p; p++) {
		jwrite_begin_flat_object(&j, NULL);
		jwrite_string(&j, "name", (*p)->name);
		jwrite_string(&j, "kind", kind_of(*p));
		jwrite_string(&j, "summary", (*p)->summary);
		jwrite_end_object(&j);
	}
	jwrite_end_array(&j);
	jwrite_end_object(&j);
	jwrite_finish(&j);
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {0};
	struct textbuf out;
	bool ok = true;
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status != SAHM_OK)
		return status;
	textbuf_init(&out);
	if (r.form == OUTPUT_JSON)
		write_json(&out);
	else
		ok = write_table(&out);
	status = !ok || textbuf_failed(&out) ? sahm_fail_nomem(err) : print_output(r.form, &out, err);
	textbuf_release(&out);
	return status;
}

extern const struct command command_policy_list;
const struct command command_policy_list = {
	.name = "policy list",
	.operands = "",
	.summary = "list the built-in scheduling policies",
	.details = "Prints one row per policy. Its kind says how it works: with a runqueue per core, between "
		   "which it moves threads once per timestep, or by dispatching threads to cores at any time.",
	.options = options,
	.run = run,
};
