/* Specialised and general cores under a budget of area or power (budget.h): chips are made of the types of each point
 * of the study, simulated with 1 to 8 threads of the suite, and compared.
 *
 * With N threads each trace of the suite is in one of the workloads of N threads, or in two where N does not divide
 * their number; a chip's throughput is its mean over these workloads. */
#include "sim/sweep/reproduce_budget_internal.h"

#include <math.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/base/units.h"
#include "sim/sweep/optimize.h"

/* A price by the row that has the type's name, else as `sahm optimize` finds it. */
static enum sahm_status find_price(const struct core_costs *costs, const struct mix_type *type, enum core_cost which,
				   double *value, struct sahm_err *err)
{
	for (uint32_t i = 0; i < costs->nr_rows; i++) {
		const struct core_cost_row *row = &costs->rows[i];
		if (!row->name || row->mhz || strcmp(row->name, type->type) != 0)
			continue;
		*value = row->cost[which];
		return isnan(*value) ? sahm_fail_at(err, SAHM_CONFIG, row->file, row->line[which],
						    "%s of cores called '%s' is empty",
						    which == CORE_AREA_MM2 ? "area_mm2" : "power_w", row->name)
				     : SAHM_OK;
	}
	if (*type->speedups || core_spec_is_type(type->type))
		return core_costs_find(costs, type->type, type->speedups, 0, which, value, err);
	return sahm_fail_at(err, SAHM_CONFIG, costs->file, 0, "no row for cores called '%s'", type->type);
}

static enum sahm_status read_prices(struct reproducing *p, struct budget_set *set, struct sahm_err *err)
{
	for (int which = 0; which < NR_CORE_COSTS; which++) {
		for (uint32_t i = 0; i < set->space.nr_types && !set->missing[which]; i++) {
			struct mix_type *t = &set->space.types[i];
			double *price = which == CORE_AREA_MM2 ? &t->area_mm2 : &t->power_w;
			struct sahm_err why;
			enum sahm_status status = find_price(&p->budget->costs, t, (enum core_cost)which, price, &why);
			if (status == SAHM_NOMEM)
				return sahm_fail_nomem(err);
			if (status == SAHM_OK && *price <= 0)
				return sahm_fail(err, SAHM_CONFIG, "%s: a core of type '%s' has no %s",
						 p->request->costs, t->type, which == CORE_AREA_MM2 ? "area" : "power");
			if (status != SAHM_OK && !(set->missing[which] = arena_strdup(&p->r->arena, why.msg)))
				return sahm_fail_nomem(err);
		}
	}
	return SAHM_OK;
}

/* Types by the names of core_types, where they have one. */
static enum sahm_status read_types(struct reproducing *p, const struct run_config *config, struct budget_set *set,
				   struct sahm_err *err)
{
	struct mix_space *space = &set->space;
	if (optimize_types_of(&p->r->arena, config, space, err) != SAHM_OK)
		return err->status;
	if (space->nr_types != config->nr_groups || space->nr_types <= BUDGET_NR_UNSPECIALISED)
		return sahm_fail(err, SAHM_CONFIG,
				 "a baseline core, a general and a specialised one are needed, each of another type");
	for (uint32_t g = 0; g < config->nr_groups; g++) {
		const char *name = config->groups[g].name;
		if (!name)
			continue;
		space->types[g].type = arena_strdup(&p->r->arena, name);
		space->types[g].speedups = "";
		if (!space->types[g].type)
			return sahm_fail_nomem(err);
	}
	return p->budget->has_costs ? read_prices(p, set, err) : SAHM_OK;
}

/* Workload `which` of `nr`: each nr-th trace from there on. Where the list ends before there are `nr_threads`, it is
 * taken again, from later points of the traces. */
static enum sahm_status make_workload(struct reproducing *p, const struct paper_result *s, uint32_t which, uint32_t nr,
				      uint32_t nr_threads, struct cfg_node **root, struct sahm_err *err)
{
	struct arena *a = &p->r->arena;
	uint32_t nr_traces = p->config.nr_threads, nr_rounds = (nr * nr_threads + nr_traces - 1) / nr_traces;
	struct textbuf list;
	textbuf_init(&list);
	textbuf_puts(&list, "workload.traces=(");
	for (uint32_t i = 0; i < nr_threads; i++) {
		uint32_t at = i * nr + which;
		const struct run_trace *trace = &p->config.traces[p->config.threads[at % nr_traces].trace];
		uint64_t epoch = trace_nr_epochs(trace->trace) * (at / nr_traces) / nr_rounds;
		textbuf_puts(&list, i ? ",{file=" : "{file=");
		cfg_write_string(&list, trace->path);
		textbuf_puts(&list, ";offset_ms=[");
		number_write_double(&list, ms_of_ns(epoch * trace_epoch_ns(trace->trace)), 1);
		textbuf_puts(&list, "];}");
	}
	textbuf_putc(&list, ')');
	*root = cfg_clone(a, s->sweep.base);
	const char *setting = textbuf_keep(&list, a);
	return *root && setting ? cfg_set(a, *root, config_keys, NR_CONFIG_KEYS, setting, err) : sahm_fail_nomem(err);
}

/* Appends all chips of the space with up to `most` cores, or only counts them (chips NULL). */
static void list_chips(struct mix_space space, struct budget_chips *c)
{
	uint32_t counts[MAX_MIX_TYPES];
	for (bool more = mix_first(&space, counts); more; more = mix_next(&space, counts)) {
		if (c->chips)
			memcpy(c->chips[c->nr].counts, counts, sizeof(counts));
		c->nr++;
	}
}

/* Chips of only general cores, and all without any; more cores of a type than threads would stay idle. */
static enum sahm_status make_chips(struct reproducing *p, const struct mix_space *types, unsigned k,
				   struct budget_chips *c, struct sahm_err *err)
{
	struct mix_space mixed = *types, general = *types;
	mixed.least = general.least = 1;
	mixed.most = general.most = budget_loads[k].most_cores;
	mixed.max_area_mm2 = mixed.max_power_w = general.max_area_mm2 = general.max_power_w = INFINITY;
	for (uint32_t i = 0; i < types->nr_types; i++) {
		bool is_general = i == BUDGET_TYPE_GENERAL;
		mixed.types[i].most = is_general ? 0 : budget_loads[k].nr_threads;
		general.types[i].most = is_general ? budget_loads[k].nr_threads : 0;
	}
	*c = (struct budget_chips){.nr_types = types->nr_types};
	list_chips(general, c);
	list_chips(mixed, c);
	c->chips = arena_alloc(&p->r->arena, c->nr, sizeof(*c->chips));
	if (!c->chips)
		return sahm_fail_nomem(err);
	c->nr = 0;
	list_chips(general, c);
	list_chips(mixed, c);
	return SAHM_OK;
}

static enum sahm_status evaluate_chips(struct reproducing *p, const struct paper_result *s, uint64_t position,
				       unsigned k, struct budget_set *set, struct sahm_err *err)
{
	struct budget_chips *c = &set->chips[k];
	const char **settings = arena_alloc(&p->r->arena, (size_t)s->sweep.space.max_settings + 1, sizeof(*settings));
	uint32_t nr_threads = budget_loads[k].nr_threads, nr = (p->config.nr_threads + nr_threads - 1) / nr_threads;
	enum sahm_status status = settings ? make_chips(p, &set->space, k, c, err) : sahm_fail_nomem(err);
	for (uint32_t w = 0; w < nr && status == SAHM_OK; w++) {
		struct cfg_node *root;
		status = make_workload(p, s, w, nr, nr_threads, &root, err);
		if (status != SAHM_OK)
			break;
		struct optimize_workload workload = {.root = root,
						     .settings = settings,
						     .nr_settings = space_settings(&s->sweep.space, position, settings),
						     .data_folder = p->request->data_folder,
						     .cache = p->cache,
						     .evaluator = EVALUATE_RUN,
						     .metric = RUN_METRIC_stp};
		for (size_t i = 0; i < c->nr && status == SAHM_OK; i++) {
			double stp = 0;
			status = optimize_workload_value(&workload, &set->space, c->chips[i].counts, &stp, err);
			c->chips[i].stp += stp / nr;
		}
	}
	return status;
}

enum sahm_status reproduce_budget_begin(struct reproducing *p, struct sahm_err *err)
{
	p->budget = arena_alloc(&p->r->arena, 1, sizeof(*p->budget));
	if (!p->budget)
		return sahm_fail_nomem(err);
	if (!p->request->costs)
		return SAHM_OK;
	enum sahm_status status = core_costs_read(&p->budget->costs, p->request->costs, err);
	p->budget->has_costs = status == SAHM_OK;
	return status;
}

void reproduce_budget_end(struct reproducing *p)
{
	if (p->budget && p->budget->has_costs)
		core_costs_release(&p->budget->costs);
}

enum sahm_status reproduce_budget_point(struct reproducing *p, const struct paper_result *s, uint64_t position,
					const struct run_config *config, struct sahm_err *err)
{
	struct budget_study *b = p->budget;
	if (position == 0)
		b->sets = arena_alloc(&p->r->arena, s->nr_points, sizeof(*b->sets));
	if (!b->sets)
		return sahm_fail_nomem(err);
	struct budget_set *set = &b->sets[b->nr_sets++];
	set->label = s->sweep.space.nr_axes > 0 ? space_value_at(&s->sweep.space, 0, position)->label : s->sweep.name;
	return read_types(p, config, set, err);
}

static enum sahm_status evaluate_sets(struct reproducing *p, const struct paper_result *s, struct sahm_err *err)
{
	const struct budget_study *b = p->budget;
	bool any_price = !b->has_costs;
	enum sahm_status status = SAHM_OK;
	for (uint64_t i = 0; i < b->nr_sets; i++)
		any_price |= !b->sets[i].missing[CORE_AREA_MM2] || !b->sets[i].missing[CORE_POWER_W];
	if (!any_price)
		return sahm_fail(err, SAHM_CONFIG, "%s", b->sets[0].missing[CORE_AREA_MM2]);
	for (uint64_t i = 0; i < b->nr_sets; i++)
		for (unsigned k = 0; k < NR_BUDGET_LOADS && status == SAHM_OK; k++)
			status = evaluate_chips(p, s, i, k, &b->sets[i], err);
	return status;
}

enum sahm_status reproduce_budget(struct reproducing *p, struct sahm_err *err)
{
	enum sahm_status status = evaluate_sets(p, &p->results[PAPER_BUDGET], err);
	if (status != SAHM_OK)
		return status;
	return reproduce_budget_text(p, &p->r->budget) && reproduce_budget_runs(p, &p->r->tables[REPRODUCED_BUDGET])
		       ? SAHM_OK
		       : sahm_fail_nomem(err);
}
