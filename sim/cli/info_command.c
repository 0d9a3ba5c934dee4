#include "sim/cli/info_command.h"

#include "sim/cli/output.h"

enum { INFO_JSON };

const struct option_row info_options[] = {
	[INFO_JSON] = {"json", 0, NULL, "print one JSON array"},
	{0},
};

enum sahm_status info_run(char **args, const char *missing, info_one_fn *one, struct sahm_err *err)
{
	struct option_walk w;
	struct textbuf out;
	struct jwriter j;
	bool as_json = false;
	unsigned nr_files = 0;
	int option;
	/* Options may stand behind operands, so they are read first. */
	option_walk_init(&w, info_options, args);
	while ((option = option_walk_next(&w, err)) != OPTION_END) {
		if (option == OPTION_ERROR)
			return SAHM_USAGE;
		as_json |= option == INFO_JSON;
		nr_files += option == OPTION_OPERAND;
	}
	if (nr_files == 0)
		return sahm_fail(err, SAHM_USAGE, "%s", missing);
	enum sahm_status status = SAHM_OK;
	textbuf_init(&out);
	jwrite_init(&j, &out);
	if (as_json)
		jwrite_begin_array(&j, NULL, false);
	option_walk_init(&w, info_options, args);
	while (status == SAHM_OK && (option = option_walk_next(&w, err)) != OPTION_END)
		if (option == OPTION_OPERAND)
			status = one(w.value, as_json ? &j : NULL, &out, err);
	if (as_json) {
		jwrite_end_array(&j);
		jwrite_finish(&j);
	}
	if (status == SAHM_OK)
		status = textbuf_failed(&out) ? sahm_fail_nomem(err) : write_output(NULL, &out, err);
	textbuf_release(&out);
	return status;
}
