#include "cores/chip/core_spec.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sim/base/array.h"
#include "sim/base/suggest.h"
#include "sim/base/units.h"

#define THESIS_4_4 "Wadle 2026, table 4.4"

/* "Average" is the speedup over all applications of the work, "targeted" what it gives where its component is stressed.
 * To add one: a row here. */
const struct literature_row literature_rows[] = {
	{"cma-bp", COMPONENT_BRANCH, "2.0", "2.0", "CMA-BP branch predictor", THESIS_4_4},
	{"selective-flushing", COMPONENT_BRANCH, "29.0", "40.0", "selective flushing after mispredicted branches",
	 THESIS_4_4},
	{"itp-xptp", COMPONENT_L1I, "18.9", "20.0", "iTP+xPTP", THESIS_4_4},
	{"entangling", COMPONENT_L1I, "10.1", "10.1", "entangling instruction prefetcher", THESIS_4_4},
	{"register-file-prefetching", COMPONENT_L1D, "3.1", "5.0", "register file prefetching", THESIS_4_4},
	{"berti", COMPONENT_L1D, "10.0", "13.0", "Berti local-delta data prefetcher", THESIS_4_4},
	{"pacipv", COMPONENT_L2, "3.4", "20.0", "PACIPV", THESIS_4_4},
	{"mockingjay", COMPONENT_L2, "4.0", "20.1", "Mockingjay cache replacement", THESIS_4_4},
	{"triage", COMPONENT_L2, "23.0", "23.0", "Triage prefetcher", THESIS_4_4},
	{"runtime-selection", COMPONENT_L2, "5.8", "5.8", "runtime selection", THESIS_4_4},
	{0},
};

/* One part of a type joined by '+'. */
struct part {
	enum component component;
	const struct literature_row *work; /* NULL for a plain component */
};

static const struct literature_row *find_work(const char *text, size_t len)
{
	for (const struct literature_row *row = literature_rows; row->name; row++)
		if (strlen(row->name) == len && strncasecmp(row->name, text, len) == 0)
			return row;
	return NULL;
}

/* Types that cannot be joined with others. */
static const char *const whole_types[] = {"baseline", "general", "table"};

static enum sahm_status fail_unknown(const char *text, size_t len, struct sahm_err *err)
{
	char word[48], near[SUGGEST_BYTES];
	struct suggest s;
	if (len >= sizeof(word))
		len = sizeof(word) - 1;
	memcpy(word, text, len);
	word[len] = '\0';
	suggest_init(&s, word);
	for (size_t i = 0; i < ARRAY_SIZE(whole_types); i++) {
		if (strcasecmp(word, whole_types[i]) == 0)
			return sahm_fail(err, SAHM_CONFIG, "core type '%s' cannot be joined with others", word);
		suggest_offer(&s, whole_types[i]);
	}
	for (int c = 0; c < NR_COMPONENTS; c++)
		suggest_offer(&s, component_key((enum component)c));
	for (const struct literature_row *row = literature_rows; row->name; row++)
		suggest_offer(&s, row->name);
	return sahm_fail(err, SAHM_CONFIG, "unknown core type '%s'%s", word,
			 suggest_or(&s, "sahm help cores lists them", near));
}

/* Splits a type at its '+'; at most one part per component. */
static enum sahm_status read_parts(const char *type, struct part parts[NR_COMPONENTS], unsigned *nr_parts,
				   struct sahm_err *err)
{
	unsigned mask = 0;
	*nr_parts = 0;
	for (const char *at = type;; at++) {
		size_t len = strcspn(at, "+");
		if (len == 0)
			return sahm_fail(err, SAHM_CONFIG, "core type '%s' has an empty part", type);
		struct part p = {.work = find_work(at, len)};
		if (p.work)
			p.component = p.work->component;
		else if (!component_find(at, len, &p.component))
			return fail_unknown(at, len, err);
		if (mask >> p.component & 1u)
			return sahm_fail(err, SAHM_CONFIG, "core type '%s' names %s twice", type,
					 component_name(p.component));
		mask |= 1u << p.component;
		parts[(*nr_parts)++] = p;
		at += len;
		if (!*at)
			return SAHM_OK;
	}
}

bool core_spec_is_type(const char *type)
{
	struct part parts[NR_COMPONENTS];
	struct sahm_err err;
	unsigned nr;
	for (size_t i = 0; i < ARRAY_SIZE(whole_types); i++)
		if (strcasecmp(type, whole_types[i]) == 0)
			return true;
	return read_parts(type, parts, &nr, &err) == SAHM_OK;
}

static enum sahm_status fail_no_speedup(struct core_spec *spec, struct sahm_err *err)
{
	spec->is_misfit = true;
	return sahm_fail(err, SAHM_CONFIG, "core type '%s' takes no speedup", spec->type);
}

static enum sahm_status fail_speedups(struct core_spec *spec, const char *expected, struct sahm_err *err)
{
	spec->is_misfit = true;
	return sahm_fail(err, SAHM_CONFIG, "core type '%s' takes %s, not %u", spec->type, expected, spec->nr_speedups);
}

static enum sahm_status resolve_specialised(struct arena *a, struct core_spec *spec, struct core_type *type,
					    struct sahm_err *err)
{
	struct part parts[NR_COMPONENTS];
	unsigned nr, mask = 0;
	int32_t ppm[NR_COMPONENTS] = {0};
	enum sahm_status status = read_parts(spec->type, parts, &nr, err);
	if (status != SAHM_OK)
		return status;
	if (spec->nr_speedups > 1 && spec->nr_speedups != nr)
		return fail_speedups(spec, "one speedup, or one per component", err);
	for (unsigned i = 0; i < nr; i++) {
		const struct literature_row *work = parts[i].work;
		spec->is_published |= work != NULL;
		if (spec->nr_speedups == 0 && !work)
			return sahm_fail(err, SAHM_CONFIG, "core type '%s' needs a speedup_pct", spec->type);
		int32_t own =
			work ? ppm_of_pct(strtod(spec->average ? work->average_pct : work->targeted_pct, NULL)) : 0;
		int32_t v = spec->nr_speedups == 0 ? own : spec->speedup_ppm[spec->nr_speedups == 1 ? 0 : i];
		ppm[parts[i].component] = v;
		mask |= 1u << parts[i].component;
	}
	for (unsigned i = 0; i < nr; i++)
		spec->speedup_ppm[i] = ppm[parts[i].component];
	spec->nr_speedups = nr;
	const char *name = state_name(mask);
	if (nr == 1 && parts[0].work)
		name = parts[0].work->name;
	else
		for (unsigned i = 0; i < nr; i++)
			if (parts[i].work && !(name = arena_strdup(a, spec->type)))
				return sahm_fail_nomem(err);
	core_type_specialised(type, name, mask, ppm);
	return SAHM_OK;
}

enum sahm_status core_spec_resolve(struct arena *a, struct core_spec *spec, struct core_type *type,
				   struct sahm_err *err)
{
	if (strcasecmp(spec->type, "baseline") == 0) {
		if (spec->nr_speedups > 0)
			return fail_no_speedup(spec, err);
		core_type_baseline(type, "baseline");
		return SAHM_OK;
	}
	if (strcasecmp(spec->type, "general") == 0) {
		if (spec->nr_speedups > 1)
			return fail_speedups(spec, "one speedup", err);
		int32_t ppm = spec->nr_speedups ? spec->speedup_ppm[0] : ppm_of_pct(GENERAL_PCT), all[NR_STATES];
		for (unsigned s = 0; s < NR_STATES; s++)
			all[s] = ppm;
		core_type_table(type, "general", all);
		spec->speedup_ppm[0] = ppm;
		spec->nr_speedups = 1;
		return SAHM_OK;
	}
	if (strcasecmp(spec->type, "table") == 0) {
		if (spec->nr_speedups != NR_STATES)
			return fail_speedups(spec, "16 speedups, one per state", err);
		core_type_table(type, "table", spec->speedup_ppm);
		return SAHM_OK;
	}
	return resolve_specialised(a, spec, type, err);
}

static enum sahm_status canonical_parts(struct arena *a, struct core_spec *spec, struct sahm_err *err)
{
	struct part parts[NR_COMPONENTS];
	unsigned nr, used = 0;
	struct core_spec sorted = {.average = spec->average, .is_published = spec->is_published};
	struct textbuf name;
	enum sahm_status status = read_parts(spec->type, parts, &nr, err);
	if (status != SAHM_OK)
		return status;
	if (spec->nr_speedups > 1 && spec->nr_speedups != nr)
		return fail_speedups(spec, "one speedup, or one per component", err);
	textbuf_init(&name);
	for (int c = 0; c < NR_COMPONENTS; c++)
		for (unsigned i = 0; i < nr; i++) {
			if (parts[i].component != (enum component)c)
				continue;
			textbuf_printf(&name, "%s%s", used ? "+" : "",
				       parts[i].work ? parts[i].work->name : component_key(parts[i].component));
			sorted.speedup_ppm[used++] = spec->speedup_ppm[spec->nr_speedups > 1 ? i : 0];
		}
	sorted.nr_speedups = spec->nr_speedups ? nr : 0;
	sorted.type = textbuf_failed(&name) ? NULL : arena_strdup(a, name.text);
	textbuf_release(&name);
	if (!sorted.type)
		return sahm_fail_nomem(err);
	*spec = sorted;
	return SAHM_OK;
}

enum sahm_status core_spec_canonical(struct arena *a, struct core_spec *spec, struct sahm_err *err)
{
	static const struct {
		const char *expected;
		unsigned most;
	} rows[] = {{"no speedup", 0}, {"one speedup", 1}, {"16 speedups, one per state", NR_STATES}};
	for (size_t i = 0; i < ARRAY_SIZE(whole_types); i++) {
		if (strcasecmp(spec->type, whole_types[i]) != 0)
			continue;
		if (spec->nr_speedups > 0 && spec->nr_speedups != rows[i].most)
			return rows[i].most ? fail_speedups(spec, rows[i].expected, err) : fail_no_speedup(spec, err);
		spec->type = whole_types[i];
		return SAHM_OK;
	}
	return canonical_parts(a, spec, err);
}
