#include "sim/cli/info_command.h"

#include <stdlib.h>

#include "sim/cli/common_options.h"

struct request {
	enum output_form form;
	struct option_list files;
};

const struct option_row info_options[] = {
	{JSON_OPTION("print one JSON array")},
	{OPERANDS(files, NULL)},
};

static enum sahm_status print_files(const struct request *r, info_one_fn *one, struct sahm_err *err)
{
	struct textbuf out;
	struct jwriter j;
	bool as_json = r->form == OUTPUT_JSON;
	enum sahm_status status = SAHM_OK;
	textbuf_init(&out);
	jwrite_init(&j, &out);
	if (as_json)
		jwrite_begin_array(&j, NULL, false);
	for (size_t i = 0; i < r->files.nr && status == SAHM_OK; i++)
		status = one(r->files.items[i], as_json ? &j : NULL, &out, err);
	if (as_json) {
		jwrite_end_array(&j);
		jwrite_finish(&j);
	}
	if (status == SAHM_OK)
		status = textbuf_failed(&out) ? sahm_fail_nomem(err) : print_output(r->form, &out, err);
	textbuf_release(&out);
	return status;
}

enum sahm_status info_run(char **args, const char *missing, info_one_fn *one, struct sahm_err *err)
{
	struct request r = {0};
	enum sahm_status status = options_parse(info_options, args, &r, err);
	if (status == SAHM_OK && r.files.nr == 0)
		status = sahm_fail(err, SAHM_USAGE, "%s", missing);
	if (status == SAHM_OK)
		status = print_files(&r, one, err);
	free(r.files.items);
	return status;
}
