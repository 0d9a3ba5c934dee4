#include "workloads/record/pmu.h"

#include <linux/perf_event.h>
#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/array.h"
#include "sim/base/suggest.h"
#include "workloads/import/import_internal.h"

const struct pmu pmus[] = {
#define PMU(symbol, name, libpfm, set, devices, title) {name, libpfm, PMU_SET_##set, devices, title},
#include "workloads/record/pmu_list.h"
#undef PMU
	{0},
};

static const struct {
	enum pmu_set set;
	enum counter counter;
	const char *expression, *source;
} event_rows[] = {
#define PMU_EVENT(set, counter, expression, source) {PMU_SET_##set, COUNTER_##counter, expression, source},
#include "workloads/record/pmu_event_list.h"
#undef PMU_EVENT
};

static const struct {
	enum pmu_set set;
	const char *name;
	uint32_t type;
	uint64_t config;
	const char *source;
} code_rows[] = {
#define PMU_CODE(set, name, type, config, source) {PMU_SET_##set, name, PERF_TYPE_##type, config, source},
#include "workloads/record/pmu_code_list.h"
#undef PMU_CODE
};

#define NR_EVENT_ROWS ARRAY_SIZE(event_rows)
#define NR_CODE_ROWS ARRAY_SIZE(code_rows)

const struct pmu *pmu_named(const char *name, struct sahm_err *err)
{
	char near[SUGGEST_BYTES];
	struct suggest s;
	suggest_init(&s, name);
	for (const struct pmu *p = pmus; p->name; p++) {
		if (strcmp(p->name, name) == 0)
			return p;
		suggest_offer(&s, p->name);
	}
	sahm_fail(err, SAHM_USAGE, "unknown PMU '%s'%s", name, suggest_or(&s, "sahm trace events --list", near));
	return NULL;
}

const char *pmu_expression(const struct pmu *pmu, enum counter c, const char **source)
{
	for (size_t i = 0; i < NR_EVENT_ROWS; i++) {
		if (event_rows[i].set != pmu->set || event_rows[i].counter != c)
			continue;
		if (source)
			*source = event_rows[i].source;
		return event_rows[i].expression;
	}
	return NULL;
}

/* libpfm4 encodes events of processors that it does not run on if the environment says so when it begins. */
static bool begin_library(void)
{
	static const char variable[] = "LIBPFM_ENCODE_INACTIVE";
	bool was_set = getenv(variable) != NULL;
	if (!was_set)
		setenv(variable, "1", 0);
	int code = pfm_initialize();
	if (!was_set)
		unsetenv(variable);
	return code == PFM_SUCCESS;
}

static enum sahm_status encode_by_library(const struct pmu *pmu, struct pmu_event *e, struct sahm_err *err)
{
	char whole[256];
	struct perf_event_attr attr = {.size = sizeof(attr)};
	pfm_perf_encode_arg_t arg = {.attr = &attr, .size = sizeof(arg)};
	int n = snprintf(whole, sizeof(whole), "%s::%s", pmu->libpfm, e->name);
	int code = n > 0 && (size_t)n < sizeof(whole)
			   ? pfm_get_os_event_encoding(whole, PFM_PLM3, PFM_OS_PERF_EVENT, &arg)
			   : PFM_ERR_TOOMANY;
	if (code != PFM_SUCCESS)
		return sahm_fail(err, SAHM_TOOL, "libpfm4 cannot encode '%s': %s", whole, pfm_strerror(code));
	e->type = PERF_TYPE_RAW;
	e->config = attr.config;
	e->config1 = attr.config1;
	e->config2 = attr.config2;
	e->source = "libpfm4";
	return SAHM_OK;
}

static enum sahm_status encode_by_rows(const struct pmu *pmu, struct pmu_event *e, struct sahm_err *err)
{
	for (size_t i = 0; i < NR_CODE_ROWS; i++) {
		if (code_rows[i].set != pmu->set || strcmp(code_rows[i].name, e->name) != 0)
			continue;
		e->type = code_rows[i].type;
		e->config = code_rows[i].config;
		e->source = code_rows[i].source;
		return SAHM_OK;
	}
	return sahm_fail(err, SAHM_TOOL, "'%s' of %s has no code", e->name, pmu->name);
}

/* The event called `name`, unless it is among them already. */
static enum sahm_status add_event(const struct pmu *pmu, const char *name, struct pmu_event *events, unsigned *nr,
				  struct sahm_err *err)
{
	for (unsigned i = 0; i < *nr; i++)
		if (strcmp(events[i].name, name) == 0)
			return SAHM_OK;
	if (*nr == MAX_PMU_EVENTS)
		return sahm_fail(err, SAHM_TOOL, "%s needs more than %u events", pmu->name, MAX_PMU_EVENTS);
	struct pmu_event *e = &events[(*nr)++];
	*e = (struct pmu_event){.name = name};
	return pmu->libpfm ? encode_by_library(pmu, e, err) : encode_by_rows(pmu, e, err);
}

static enum sahm_status add_expression(const struct pmu *pmu, const char *text, struct arena *a,
				       struct pmu_event *events, unsigned *nr, struct sahm_err *err)
{
	struct expression *e = arena_alloc(a, 1, sizeof(*e));
	enum sahm_status status = e ? expression_read(text, a, e, err) : sahm_fail_nomem(err);
	for (unsigned i = 0; status == SAHM_OK && i < e->nr_terms; i++)
		status = add_event(pmu, e->terms[i].name, events, nr, err);
	return status;
}

enum sahm_status pmu_events(const struct pmu *pmu, struct arena *a, struct pmu_event *events, unsigned *nr,
			    struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	bool any = false;
	*nr = 0;
	if (pmu->libpfm && !begin_library())
		return sahm_fail(err, SAHM_TOOL, "libpfm4 cannot be used");
	for (unsigned c = 0; c < NR_COUNTERS && status == SAHM_OK; c++) {
		const char *text = pmu_expression(pmu, c, NULL);
		any |= text != NULL;
		if (text)
			status = add_expression(pmu, text, a, events, nr, err);
	}
	for (size_t i = 0; i < NR_CODE_ROWS && !any && status == SAHM_OK; i++)
		if (code_rows[i].set == pmu->set)
			status = add_event(pmu, code_rows[i].name, events, nr, err);
	if (pmu->libpfm)
		pfm_terminate();
	return status;
}
