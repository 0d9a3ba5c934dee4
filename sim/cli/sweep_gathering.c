#include "sim/cli/sweep_gathering.h"

#include "sim/cli/sweep_progress.h"
#include "sim/cli/sweep_summary.h"

static void row(uint64_t nr, const char *what, const char *one, const char *many, struct textbuf *out)
{
	if (nr == 0)
		return;
	summary_row(out, what);
	write_count(nr, out);
	textbuf_printf(out, " %s\n", nr == 1 ? one : many);
}

void gathering_write(const struct gathered *g, struct textbuf *out)
{
	row(g->again, "repeated", "result arrived twice, both equal", "results arrived twice, both equal", out);
	row(g->differing, "DIFFERING", "result arrived twice, not equal: both are kept",
	    "results arrived twice, not equal: both are kept", out);
	row(g->given_up, "given up", "run; `sahm queue status --dead` says why, `sahm queue retry` puts it back",
	    "runs; `sahm queue status --dead` says why, `sahm queue retry` puts them back", out);
	row(g->resubmitted, "again", "run was lost by the queue, and submitted again",
	    "runs were lost by the queue, and submitted again", out);
	row(g->damaged, "damaged", "result could not be read, and was left out",
	    "results could not be read, and were left out", out);
}

enum sahm_status gathering_check(const struct gathered *g, const char *store, struct sahm_err *err)
{
	if (g->differing == 0)
		return SAHM_OK;
	return sahm_fail(
		err, SAHM_CHECKSUM,
		"%llu run%s gave another result the second time: runs are not deterministic; both results are in "
		"'%s' (table second_result)",
		(unsigned long long)g->differing, g->differing == 1 ? "" : "s", store);
}
