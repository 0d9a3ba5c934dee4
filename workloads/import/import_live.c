#include "workloads/import/import_live.h"

#include <stdlib.h>
#include <string.h>

#include "workloads/import/import_internal.h"

/* No format of files: nothing is read. */
static const struct import_format import_format_live = {
	.is_counted_by_tool = true,
	.is_live = true,
	.how = "it counted",
	.groups = GROUPS_TOGETHER,
};

struct import_live {
	struct import_options options;
	struct import *im;
	unsigned group;
};

enum sahm_status import_live_begin(const char *label, const struct import_options *options, struct textbuf *notes,
				   struct import_live **live, struct sahm_err *err)
{
	*live = calloc(1, sizeof(**live));
	if (!*live)
		return sahm_fail_nomem(err);
	(*live)->options = *options;
	(*live)->options.format = &import_format_live;
	enum sahm_status status = import_new(&(*live)->options, notes, &(*live)->im, err);
	if (status == SAHM_OK) {
		(*live)->im->file = label;
		(*live)->im->lines.file = label;
		(*live)->im->lines.line = 1;
		status = import_group((*live)->im, "", 0, &(*live)->group);
	}
	if (status != SAHM_OK) {
		import_live_free(*live);
		*live = NULL;
	}
	return status;
}

enum sahm_status import_live_column(struct import_live *live, const char *name, unsigned *column)
{
	return import_column(live->im, name, strlen(name), column);
}

void import_live_count(struct import_live *live, unsigned column, decimal value, int running_pct100)
{
	import_count(live->im, live->group, column, value, running_pct100);
}

void import_live_no_count(struct import_live *live, unsigned column, enum live_lack why)
{
	static const enum import_skip skips[] = {
		[LIVE_NOT_COUNTED] = SKIP_NOT_COUNTED,
		[LIVE_NOT_SUPPORTED] = SKIP_NOT_SUPPORTED,
		[LIVE_BACKWARDS] = SKIP_BACKWARDS,
	};
	import_no_count(live->im, live->group, column, skips[why]);
}

enum sahm_status import_live_end_row(struct import_live *live, uint64_t stamp_ns)
{
	enum sahm_status status = import_end_row(live->im, true, stamp_ns);
	live->im->lines.line++;
	return status;
}

uint64_t import_live_nr_epochs(const struct import_live *live)
{
	return live->im->nr_outputs ? live->im->outputs[0].nr_epochs : 0;
}

enum sahm_status import_live_finish(struct import_live *live, struct trace **trace)
{
	struct trace **traces;
	size_t nr;
	*trace = NULL;
	if (import_live_nr_epochs(live) == 0) {
		import_report(live->im, false);
		return SAHM_OK;
	}
	enum sahm_status status = import_complete(live->im, &traces, &nr);
	if (status == SAHM_OK) {
		*trace = traces[0];
		free(traces);
	}
	return status;
}

void import_live_free(struct import_live *live)
{
	if (!live)
		return;
	import_free(live->im);
	free(live);
}
