/* The problem of a search: the metric of a workload, and core types to choose from. */
#include <math.h>
#include <string.h>

#include "cores/chip/core_spec.h"
#include "results/metrics/metric_text.h"
#include "sim/base/number.h"
#include "sim/base/units.h"
#include "sim/sweep/optimize.h"

/* Longest number in a list of types. */
#define NUMBER_CHARS 40u

static enum sahm_status fail_without(const struct optimize_workload *w, enum run_metric metric, struct sahm_err *err)
{
	const char *why = why_no_metric(run_metric_rows[metric].form);
	return sahm_fail(err, SAHM_RANGE, "there is no '%s' of it by the evaluator '%s'%s%s",
			 run_metric_rows[metric].name, evaluator_names[w->evaluator], why ? ": " : "", why ? why : "");
}

static enum sahm_status evaluate_config(const struct optimize_workload *w, double *value, struct sahm_err *err)
{
	struct run_config config;
	struct record r;
	struct arena a;
	enum sahm_status status =
		run_config_make(&config, w->root, w->settings, w->nr_settings + 1, w->data_folder, w->cache, err);
	if (status != SAHM_OK)
		return status;
	arena_init(&a);
	status = evaluate(&config, w->evaluator, &a, &r, err);
	if (status == SAHM_OK)
		*value = r.metrics[w->metric];
	if (status == SAHM_OK && isnan(*value))
		status = fail_without(w, w->metric, err);
	if (status == SAHM_OK && w->has_bound) {
		double bounded = r.metrics[w->bound_metric];
		if (isnan(bounded))
			status = fail_without(w, w->bound_metric, err);
		else if (w->bound_direction < 0 ? bounded > w->bound : bounded < w->bound)
			*value = w->minimize ? INFINITY : -INFINITY;
	}
	arena_release(&a);
	run_config_release(&config);
	return status;
}

enum sahm_status optimize_workload_value(void *workload, const struct mix_space *space,
					 const uint32_t counts[MAX_MIX_TYPES], double *value, struct sahm_err *err)
{
	struct optimize_workload *w = workload;
	struct textbuf setting;
	textbuf_init(&setting);
	mix_write_setting(space, counts, &setting);
	w->settings[w->nr_settings] = setting.text;
	enum sahm_status status = textbuf_failed(&setting) ? sahm_fail_nomem(err) : evaluate_config(w, value, err);
	textbuf_release(&setting);
	return status;
}

enum sahm_status optimize_keep_bound(const struct optimize_workload *w, struct optimize_result *result,
				     struct sahm_err *err)
{
	uint32_t nr = 0;
	for (uint32_t i = 0; i < result->nr_best && w->has_bound; i++)
		if (isfinite(result->best[i].value))
			result->best[nr++] = result->best[i];
	if (!w->has_bound || nr > 0) {
		result->nr_best = w->has_bound ? nr : result->nr_best;
		return SAHM_OK;
	}
	return sahm_fail(err, SAHM_RANGE, "no chip %s keeps %s %s %g",
			 result->is_proven ? "within the budget" : "that was tried",
			 run_metric_rows[w->bound_metric].name, w->bound_direction < 0 ? "at or below" : "at or above",
			 w->bound);
}

enum sahm_status optimize_check(const struct run_config *config, struct sahm_err *err)
{
	static const char *const why = "says which core is where, and other chips have others";
	if (config->distances.matrix_ns)
		return sahm_fail(err, SAHM_CONFIG, "the matrix of distances %s", why);
	if (config->nr_shared > 0)
		return sahm_fail(err, SAHM_CONFIG, "chip.shared %s", why);
	for (uint32_t g = 0; g < config->nr_groups; g++)
		if (config->groups[g].tenant)
			return sahm_fail(err, SAHM_CONFIG, "tenant '%.60s' has cores: this %s",
					 config->groups[g].tenant, why);
	for (uint32_t t = 0; t < config->nr_threads; t++)
		if (config->threads[t].affinity)
			return sahm_fail(err, SAHM_CONFIG, "the affinity of thread '%.60s' %s", config->threads[t].name,
					 why);
	for (uint32_t i = 0; i < config->nr_changes; i++)
		if (config->changes[i].affinity)
			return sahm_fail(err, SAHM_CONFIG, "an affinity among the changes %s", why);
	return SAHM_OK;
}

/* Adds a type that was resolved, in one way to write it; one that is there already is passed over or, if `once`, a
 * failure. */
static enum sahm_status add_type(struct arena *a, struct core_spec *spec, bool once, struct mix_space *space,
				 struct sahm_err *err)
{
	struct textbuf b;
	struct core_type type;
	/* With its own types: a type whose own speedup is written out is the same one. */
	enum sahm_status status = core_spec_resolve(a, spec, &type, err);
	if (status == SAHM_OK)
		status = core_spec_canonical(a, spec, err);
	if (status != SAHM_OK)
		return status;
	textbuf_init(&b);
	for (unsigned i = 0; i < spec->nr_speedups; i++) {
		textbuf_puts(&b, i ? "," : "");
		number_write_double(&b, pct_of_ppm(spec->speedup_ppm[i]), 0);
	}
	const char *speedups = textbuf_keep(&b, a);
	if (!speedups)
		return sahm_fail_nomem(err);
	for (uint32_t i = 0; i < space->nr_types; i++) {
		const struct mix_type *t = &space->types[i];
		if (strcmp(t->type, spec->type) == 0 && strcmp(t->speedups, speedups) == 0)
			return once ? sahm_fail(err, SAHM_RANGE, "core type '%s' is there twice", spec->type) : SAHM_OK;
	}
	if (space->nr_types == MAX_MIX_TYPES)
		return sahm_fail(err, SAHM_RANGE, "more than %u core types", MAX_MIX_TYPES);
	space->types[space->nr_types++] =
		(struct mix_type){.type = spec->type, .speedups = speedups, .most = MAX_CORES};
	return SAHM_OK;
}

enum sahm_status optimize_types_of(struct arena *a, const struct run_config *config, struct mix_space *space,
				   struct sahm_err *err)
{
	space->nr_types = 0;
	for (uint32_t g = 0; g < config->nr_groups; g++) {
		struct core_spec spec = config->groups[g].spec;
		/* A mix has none: its cores would not be those of the configuration. */
		if (config->groups[g].nr_all_levels > 0)
			return sahm_fail(
				err, SAHM_CONFIG,
				"chip.cores[%u] has frequency levels, and the chips of a search have none: name "
				"core types to choose from with --types",
				(unsigned)g);
		spec.type = arena_strdup(a, spec.type);
		enum sahm_status status = spec.type ? add_type(a, &spec, false, space, err) : sahm_fail_nomem(err);
		if (status != SAHM_OK)
			return status;
	}
	return SAHM_OK;
}

/* "30", "30%" or "30/20", `len` bytes. */
static bool read_speedups(const char *text, size_t len, struct core_spec *spec)
{
	for (const char *end = text + len; text <= end && spec->nr_speedups < NR_STATES;) {
		char word[NUMBER_CHARS];
		double pct;
		const char *slash = memchr(text, '/', (size_t)(end - text)), *to = slash ? slash : end;
		if ((size_t)(to - text) >= sizeof(word))
			return false;
		memcpy(word, text, (size_t)(to - text));
		word[to - text - (to > text && to[-1] == '%')] = '\0';
		if (number_read_double(word, &pct) != NUMBER_OK || pct < MIN_SPEEDUP_PCT || pct > MAX_SPEEDUP_PCT)
			return false;
		spec->speedup_ppm[spec->nr_speedups++] = ppm_of_pct(pct);
		if (!slash)
			return true;
		text = slash + 1;
	}
	return false;
}

static enum sahm_status read_type(struct arena *a, const char *text, size_t len, struct mix_space *space,
				  struct sahm_err *err)
{
	struct core_spec spec = {.nr_speedups = 0}, resolved;
	struct core_type type;
	const char *colon = memchr(text, ':', len), *equals = memchr(text, '=', len);
	size_t digits = strspn(text, "0123456789");
	if (equals && !colon)
		return sahm_fail(err, SAHM_USAGE, "'%.*s': write a speedup after a colon: %.*s:%.*s",
				 len < 60 ? (int)len : 60, text, (int)(equals - text), text,
				 (int)(text + len - equals - 1), equals + 1);
	if (digits > 0 && digits < len && (text[digits] == ' ' || text[digits] == 'x'))
		return sahm_fail(err, SAHM_USAGE, "'%.*s': a number of cores stands in front of a star: %.*s*%.*s",
				 len < 60 ? (int)len : 60, text, (int)digits, text, (int)(len - digits - 1),
				 text + digits + 1);
	spec.type = arena_strndup(a, text, colon ? (size_t)(colon - text) : len);
	if (!spec.type)
		return sahm_fail_nomem(err);
	if (colon && !read_speedups(colon + 1, (size_t)(text + len - colon) - 1, &spec))
		return sahm_fail(err, SAHM_USAGE,
				 "'%.*s' has no valid speedup in %% after its colon, such as branch:30",
				 len < 60 ? (int)len : 60, text);
	resolved = spec;
	enum sahm_status status = core_spec_resolve(a, &resolved, &type, err);
	/* Of what needs a speedup one is shown. */
	resolved = spec;
	resolved.speedup_ppm[0] = ppm_of_pct(30);
	resolved.nr_speedups = 1;
	struct sahm_err other;
	if (status == SAHM_CONFIG && !colon && core_spec_resolve(a, &resolved, &type, &other) == SAHM_OK)
		return sahm_fail(err, SAHM_CONFIG, "core type '%s' needs a speedup in %%, as in %s:30", spec.type,
				 spec.type);
	return status == SAHM_OK ? add_type(a, &spec, true, space, err) : status;
}

enum sahm_status optimize_chip_read(struct arena *a, const char *text, const char **setting, struct sahm_err *err)
{
	struct textbuf b;
	enum sahm_status status = SAHM_OK;
	textbuf_init(&b);
	textbuf_puts(&b, "chip.cores=(");
	for (const char *at = text; status == SAHM_OK; at++) {
		struct mix_space one = {.nr_types = 0};
		struct sahm_err cause;
		uint64_t count = 1;
		size_t len = strcspn(at, ","), star = strcspn(at, "*");
		if (star < len) {
			if (number_read_u64(at, star, &count) != NUMBER_OK || count == 0 || count > MAX_CORES) {
				status = sahm_fail(err, SAHM_USAGE,
						   "'%.*s' is not a number of cores from 1 to %u, as in 2*l2:30",
						   (int)(star < 60 ? star : 60), at, MAX_CORES);
				break;
			}
			at += star + 1;
			len -= star + 1;
		}
		if (len == 0) {
			status = sahm_fail(err, SAHM_USAGE, "an empty core type in '%.60s'", text);
			break;
		}
		status = read_type(a, at, len, &one, &cause);
		if (status != SAHM_OK) {
			status = sahm_fail(err, status == SAHM_NOMEM ? status : SAHM_USAGE, "%s", cause.msg);
			break;
		}
		mix_write_cores(&one.types[0], (uint32_t)count, &b);
		at += len;
		if (!*at)
			break;
		textbuf_putc(&b, ',');
	}
	textbuf_putc(&b, ')');
	if (status != SAHM_OK) {
		textbuf_release(&b);
		return status;
	}
	*setting = textbuf_keep(&b, a);
	return *setting ? SAHM_OK : sahm_fail_nomem(err);
}

enum sahm_status optimize_types_read(struct arena *a, const char *text, struct mix_space *space, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	space->nr_types = 0;
	for (const char *at = text; status == SAHM_OK; at++) {
		struct sahm_err cause;
		size_t len = strcspn(at, ",");
		if (len == 0)
			return sahm_fail(err, SAHM_USAGE, "an empty core type in '%.60s'", text);
		status = read_type(a, at, len, space, &cause);
		if (status == SAHM_NOMEM)
			return sahm_fail_nomem(err);
		if (status != SAHM_OK)
			return sahm_fail(err, SAHM_USAGE, "%s", cause.msg);
		at += len;
		if (!*at)
			break;
	}
	return SAHM_OK;
}
