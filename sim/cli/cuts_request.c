#include "sim/cli/cuts_request.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/base/suggest.h"
#include "workloads/trace/percentile.h"

#define PERCENTILE "percentile"

/* "percentile:50": `text` follows the word. */
static enum sahm_status note_percentile(const char *text, struct cuts_request *r, struct sahm_err *err)
{
	double pct;
	uint64_t ppb = 0;
	if (*text == ':' && number_read_double(text + 1, &pct) == NUMBER_OK && pct > 0 && pct < 100)
		ppb = (uint64_t)llround(pct * (double)PPB_PER_PCT);
	if (ppb < 1 || ppb >= PPB_ONE)
		return sahm_fail(err, SAHM_USAGE,
				 "--cuts: '" PERCENTILE "%s' must be " PERCENTILE ":N, N a number from %.7f to %.7f",
				 text, 1 / (double)PPB_PER_PCT, (double)(PPB_ONE - 1) / (double)PPB_PER_PCT);
	r->percentile_ppb = ppb;
	return SAHM_OK;
}

/* One part of a --cuts value: the name of a set, percentile:N, or key=value. */
static enum sahm_status note_cut(char *part, struct cuts_request *r, struct sahm_err *err)
{
	char near[SUGGEST_BYTES];
	struct suggest s;
	char *eq = strchr(part, '=');
	if (eq)
		*eq = '\0';
	size_t word = strlen(PERCENTILE);
	if (!eq && strncmp(part, PERCENTILE, word) == 0 && (part[word] == '\0' || part[word] == ':'))
		return note_percentile(part + word, r, err);
	suggest_init(&s, part);
	suggest_offer(&s, PERCENTILE ":50");
	for (size_t i = 0; !eq && cut_set_names[i]; i++) {
		if (strcmp(cut_set_names[i], part) == 0) {
			r->set = cut_set_names[i];
			r->percentile_ppb = 0;
			return SAHM_OK;
		}
		suggest_offer(&s, cut_set_names[i]);
	}
	for (int c = 0; c < NR_COMPONENTS; c++) {
		double value;
		suggest_offer(&s, metric_rows[c].key);
		if (!eq || strcmp(part, metric_rows[c].key) != 0)
			continue;
		if (number_read_double(eq + 1, &value) != NUMBER_OK || value < 0 || value > MAX_CUT)
			return sahm_fail(err, SAHM_USAGE, "--cuts: '%s' is '%s', must be a number from 0 to %.10g %s",
					 part, eq + 1, MAX_CUT, metric_rows[c].unit);
		r->has_cut[c] = true;
		r->cut[c] = value;
		return SAHM_OK;
	}
	return sahm_fail(err, SAHM_USAGE, "--cuts: unknown %s '%s'%s", eq ? "threshold" : "set of thresholds", part,
			 suggest_text(&s, near));
}

enum sahm_status cuts_request_take(void *r, struct option_walk *w, struct sahm_err *err)
{
	char *copy = strdup(w->value);
	enum sahm_status status = copy ? SAHM_OK : sahm_fail_nomem(err);
	for (char *part = copy, *comma; part && status == SAHM_OK; part = comma) {
		comma = strchr(part, ',');
		if (comma)
			*comma++ = '\0';
		status = note_cut(part, r, err);
	}
	free(copy);
	return status;
}

bool cuts_request_needs_traces(const struct cuts_request *r)
{
	return r->percentile_ppb > 0;
}

/* The set's cuts or the percentiles first, wherever they stood, then single ones. */
enum sahm_status cuts_request_settle(const struct cuts_request *r, struct trace *const *traces, size_t nr_traces,
				     struct cuts *cuts, struct textbuf *name, struct sahm_err *err)
{
	unsigned open = 0;
	enum sahm_status status = SAHM_OK;
	cuts_named(r->set, cuts);
	for (int c = 0; c < NR_COMPONENTS; c++)
		open |= (unsigned)!r->has_cut[c] << c;
	if (r->percentile_ppb) {
		textbuf_puts(name, PERCENTILE ":");
		number_write_double(name, (double)r->percentile_ppb / (double)PPB_PER_PCT, 0);
		status = percentile_cuts(traces, nr_traces, r->percentile_ppb, open, cuts, err);
	} else {
		textbuf_puts(name, r->set);
	}
	for (int c = 0; c < NR_COMPONENTS; c++) {
		if (!r->has_cut[c])
			continue;
		cuts_set(cuts, (enum component)c, r->cut[c]);
		textbuf_printf(name, ",%s=", metric_rows[c].key);
		number_write_double(name, cuts_get(cuts, (enum component)c), 0);
	}
	return status == SAHM_OK && textbuf_failed(name) ? sahm_fail_nomem(err) : status;
}
