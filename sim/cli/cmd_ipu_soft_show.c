/* sahm ipu soft show */
#include "ipu/unit/soft_source.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/output.h"

struct request {
	const char *module;
	bool in_process;
};

static const struct option_row options[] = {
	{"soft-in-process", 0, NULL, "load the module into this process, not into a sandboxed one", OPTION_FLAG,
	 AT(bool, in_process)},
	{ONE_OPERAND(module, "module", "a module is missing: sahm ipu soft show MODULE")},
};

static const char *access_name(uint32_t access)
{
	return access == SOFT_READ ? "r" : access == SOFT_WRITE ? "w" : "rw";
}

static void write_module(const struct soft *s, struct textbuf *out)
{
	const struct soft_module *m = soft_description(s);
	textbuf_printf(out, "%s: soft-logic module '%s' %s\n\n%-32s  bits\n", soft_file(s), m->name, m->version,
		       "input");
	for (uint32_t i = 0; i < m->nr_inputs; i++)
		textbuf_printf(out, "%-32s  %4u\n", m->inputs[i].name, m->inputs[i].bits);
	if (m->nr_registers > 0)
		textbuf_printf(out, "\n%-32s  offset  access\n", "register");
	for (uint32_t i = 0; i < m->nr_registers; i++)
		textbuf_printf(out, "%-32s   0x%03x  %s\n", m->registers[i].name, m->registers[i].offset,
			       access_name(m->registers[i].access));
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {0};
	struct soft_source source;
	struct soft *s = NULL;
	struct textbuf text;
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status != SAHM_OK)
		return status;
	textbuf_init(&text);
	status = soft_source_read(&source, r.module, r.module, err);
	if (status == SAHM_OK)
		status = soft_source_open(&source, r.in_process ? SOFT_IN_PROCESS : SOFT_IN_OWN_PROCESS, &s, err);
	if (status == SAHM_OK) {
		write_module(s, &text);
		status = print_output(OUTPUT_TEXT, &text, err);
	}
	soft_close(s);
	soft_source_release(&source);
	textbuf_release(&text);
	return status;
}

extern const struct command command_ipu_soft_show;
const struct command command_ipu_soft_show = {
	.name = "ipu soft show",
	.operands = "MODULE",
	.summary = "list the inputs and registers of a soft-logic module",
	.details = "Loads the module, in a process of its own without access to files or network unless "
		   "--soft-in-process is given, and prints name, version, inputs and registers. MODULE is a shared "
		   "object, or the name of a shipped module, as for `sahm ipu run --soft`; the path of a file has a "
		   "'/' or a '.'.",
	.options = options,
	.run = run,
};
