/* Rows of profiles: what a name and a row must be like. */
#include <inttypes.h>
#include <string.h>

#include "workloads/synth/profile_internal.h"
#include "workloads/trace/trace.h"

/* The column that says how many events there are for a component to miss; NR_PROFILE_COLUMNS: all instructions. */
static enum profile_column density_column(enum component c)
{
	static const enum profile_column columns[NR_COMPONENTS] = {
		[COMPONENT_BRANCH] = PROFILE_BRANCHES_PKI,
		[COMPONENT_L1I] = NR_PROFILE_COLUMNS,
		[COMPONENT_L1D] = PROFILE_L1D_ACCESSES_PKI,
		[COMPONENT_L2] = PROFILE_L2_PER_MISS,
	};
	return columns[c];
}

static bool has_no_events(const struct profile_row *row, enum component c)
{
	enum profile_column column = density_column(c);
	return column < NR_PROFILE_COLUMNS && row->value[column] == 0;
}

/* A typical value must be there and lie on its side of the cut wherever a state of the row needs it. */
static enum sahm_status check_metric(struct profile_reader *r, const struct profile_row *row, enum component c,
				     bool high)
{
	enum profile_column column = profile_metric_column(c, high);
	decimal value = row->value[column];
	const char *name = profile_columns[column].name;
	unsigned state = 0;
	while (state < NR_STATES && (row->share[state] == 0 || ((state >> c) & 1u) != high))
		state++;
	if (state == NR_STATES)
		return SAHM_OK;
	if (high && has_no_events(row, c))
		return profile_fail(r, "%s of '%s' is 0, which spends time in %s",
				    profile_columns[density_column(c)].name, row->name, state_name(state));
	if (value == PROFILE_NONE)
		return profile_fail(r, "%s is missing: '%s' spends time in %s", name, row->name, state_name(state));
	/* ppb x DECIMAL_ONE on both sides */
	bool is_above = value * metric_rows[c].ppb_per_unit > (decimal)r->p->cuts.ppb[c] * DECIMAL_ONE;
	if (is_above != high)
		return profile_fail(r, "%s of '%s' is %s the cut, which is %g %s", name, row->name,
				    high ? "not above" : "above", cuts_get(&r->p->cuts, c), metric_rows[c].unit);
	return SAHM_OK;
}

enum sahm_status profile_check_row(struct profile_reader *r, const struct profile_row *row)
{
	decimal sum = 0;
	for (unsigned s = 0; s < NR_STATES; s++)
		sum += row->share[s];
	if (sum == 0)
		return profile_fail(r, "'%s' spends time in no state", row->name);
	if (row->value[PROFILE_EPOCHS] > (decimal)(MAX_TRACE_NS / r->p->epoch_ns) * DECIMAL_ONE)
		return profile_fail(r, "'%s' lasts longer than %" PRIu64 " ns", row->name, MAX_TRACE_NS);
	if (row->value[PROFILE_SINGLE_PCT] + row->value[PROFILE_LONG_PCT] > 100 * (decimal)DECIMAL_ONE)
		return profile_fail(r, "single_pct and long_pct of '%s' are more than 100 together", row->name);
	if (row->value[PROFILE_LONG_EPOCHS] < row->value[PROFILE_SHORT_EPOCHS])
		return profile_fail(r, "long_epochs of '%s' is below its short_epochs", row->name);
	for (unsigned i = 0; i < 2 * NR_COMPONENTS; i++) {
		enum sahm_status status = check_metric(r, row, (enum component)(i / 2), i % 2);
		if (status != SAHM_OK)
			return status;
	}
	return SAHM_OK;
}

size_t profile_stem_len(const char *name)
{
	size_t len = strlen(name), suffix = strlen(SYNTHETIC_SUFFIX);
	bool has_suffix = len > suffix && strcmp(name + len - suffix, SYNTHETIC_SUFFIX) == 0;
	return has_suffix ? len - suffix : len;
}

bool profile_same_name(const char *a, const char *b)
{
	size_t len = profile_stem_len(a);
	return profile_stem_len(b) == len && strncmp(a, b, len) == 0;
}

/* Names become names of files as they are, so that no two of them become the same. */
enum sahm_status profile_check_name(struct profile_reader *r, const char *name)
{
	bool is_fine = *name != '.' && *name != ' ';
	if (!*name)
		return profile_fail(r, "the name is empty");
	if (strlen(name) > MAX_PROFILE_NAME_BYTES)
		return profile_fail(r, "name '%.40s...' is longer than %u bytes", name, MAX_PROFILE_NAME_BYTES);
	for (const char *c = name; *c; c++)
		is_fine &= (unsigned char)*c >= 0x20 && *c != 0x7f && *c != '/';
	return is_fine ? SAHM_OK
		       : profile_fail(
				 r,
				 "name '%.40s' cannot be that of a file: it begins with '.' or a blank, or has '/' or "
				 "a control character in it",
				 name);
}
