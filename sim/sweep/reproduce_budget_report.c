/* Tables and the figure of the study of chips within a budget. */
#include <math.h>
#include <string.h>

#include "results/chart/chart.h"
#include "results/metrics/csv.h"
#include "results/metrics/table.h"
#include "sim/base/array.h"
#include "sim/sweep/reproduce_budget_internal.h"

const struct budget_load budget_loads[NR_BUDGET_LOADS] = {{1, 8}, {2, 4}, {4, 8}, {8, 8}};

/* Budgets in areas of a baseline core, with one thread, half as many threads as baseline cores fit, and as many. */
static const struct {
	uint32_t budget, load; /* load: of budget_loads[] */
} cases[] = {{2, 0}, {2, 1}, {4, 0}, {4, 1}, {4, 2}, {8, 0}, {8, 2}, {8, 3}};

enum { ONE = ARRAY_SIZE(cases) - 3, HALF, FULL }; /* of the largest budget */

static const size_t shown[] = {ONE, HALF, FULL};

/* Relative areas of tables. */
static const double areas[] = {1, 1.1, 1.25, 1.5, 2};

static const struct {
	const char *name, *word;
} families[NR_BUDGET_FAMILIES] = {
	{"only baseline", "baseline"},
	{"only general", "general"},
	{"only specialised", "special"},
	{"specialised, baseline", "mixed"},
};

static uint32_t threads_of(size_t k)
{
	return budget_loads[cases[k].load].nr_threads;
}

static const struct budget_chips *chips_of(const struct budget_set *set, size_t k)
{
	return &set->chips[cases[k].load];
}

static void type_words(const struct mix_type *type, struct textbuf *out)
{
	textbuf_puts(out, type->type);
	if (*type->speedups)
		textbuf_printf(out, " %s %%", type->speedups);
}

static void chip_cell(struct table *t, const struct budget_set *set, const struct budget_chip *chip)
{
	struct textbuf label;
	textbuf_init(&label);
	if (chip)
		mix_write_label(&set->space, chip->counts, &label);
	table_cell_text(t, &label);
	textbuf_release(&label);
}

/* A break-even area. Smaller cores than the baseline's are not of interest, and not all of their chips were tried. */
static void area_cell(struct table *t, double area)
{
	if (area >= 1)
		table_cell(t, "%.2f", area);
	else
		table_cell(t, "< 1");
}

/* Throughput of the family `rival` in case `k`, of cores as large as baseline ones. */
static double rival_stp(const struct budget_set *set, size_t k, enum budget_family rival)
{
	const struct budget_chip *chip = budget_best_at(chips_of(set, k), cases[k].budget, 1, rival);
	return chip ? chip->stp : NAN;
}

static double break_even(const struct budget_set *set, size_t k, enum budget_family family, enum budget_family rival)
{
	return budget_break_even(chips_of(set, k), cases[k].budget, family, rival_stp(set, k, rival));
}

static double break_even_large(const struct budget_set *set, enum budget_family family, enum budget_family rival)
{
	uint32_t cores = cases[FULL].budget;
	return budget_break_even_large(chips_of(set, FULL), cores, family, rival_stp(set, FULL, rival) / cores);
}

/* Whether set `i` has the same general core as the one before. */
static bool repeats_general(const struct budget_study *b, uint64_t i)
{
	const struct mix_type *type = &b->sets[i].space.types[BUDGET_TYPE_GENERAL];
	const struct mix_type *before = i > 0 ? &b->sets[i - 1].space.types[BUDGET_TYPE_GENERAL] : NULL;
	return before && strcmp(type->type, before->type) == 0 && strcmp(type->speedups, before->speedups) == 0;
}

static bool write_break_even(const struct budget_study *b, enum budget_family rival, struct textbuf *out)
{
	struct table t;
	table_init(&t);
	t.left |= 1u << 1;
	table_row(&t, false);
	table_cell(&t, "speedups");
	table_cell(&t, "chip");
	for (size_t k = 0; k < ARRAY_SIZE(cases); k++)
		table_cell(&t, "%u/%u", cases[k].budget, threads_of(k));
	table_cell(&t, "large");
	for (uint64_t i = 0; i < b->nr_sets; i++) {
		const struct budget_set *set = &b->sets[i];
		for (unsigned f = rival + 1; f < NR_BUDGET_FAMILIES; f++) {
			if (f == BUDGET_GENERAL && repeats_general(b, i))
				continue;
			struct textbuf name;
			textbuf_init(&name);
			if (f == BUDGET_GENERAL)
				type_words(&set->space.types[f], &name);
			else
				textbuf_puts(&name, set->label);
			table_row(&t, i == 0 && f == (unsigned)rival + 1);
			table_cell_text(&t, &name);
			textbuf_release(&name);
			table_cell(&t, "%s", families[f].name);
			for (size_t k = 0; k < ARRAY_SIZE(cases); k++)
				area_cell(&t, break_even(set, k, (enum budget_family)f, rival));
			table_cell(&t, "%.3f", break_even_large(set, (enum budget_family)f, rival));
		}
	}
	bool ok = table_write(&t, false, out);
	table_release(&t);
	return ok;
}

/* The best chip of each family from `first` on; `prices` NULL: at a relative area. */
static const struct budget_chip *best_cells(struct table *t, const struct budget_set *set, size_t k, double area,
					    const struct mix_space *prices, enum budget_family first)
{
	const struct budget_chips *c = chips_of(set, k);
	const struct budget_chip *chip = NULL;
	for (unsigned f = first; f < NR_BUDGET_FAMILIES; f++) {
		enum budget_family family = (enum budget_family)f;
		chip = prices ? budget_best(c, prices, family) : budget_best_at(c, cases[k].budget, area, family);
		if (chip)
			table_cell(t, "%.2f", chip->stp);
		else
			table_cell(t, "-");
	}
	return chip;
}

static bool write_areas(const struct budget_study *b, struct textbuf *out)
{
	struct table t;
	table_init(&t);
	table_row(&t, false);
	table_cell(&t, "speedups");
	table_cell(&t, "area");
	for (size_t s = 0; s < ARRAY_SIZE(shown); s++)
		for (unsigned f = BUDGET_GENERAL; f < NR_BUDGET_FAMILIES; f++)
			table_cell(&t, "%u/%u %s", cases[shown[s]].budget, threads_of(shown[s]), families[f].word);
	for (uint64_t i = 0; i < b->nr_sets; i++)
		for (size_t a = 0; a < ARRAY_SIZE(areas); a++) {
			table_row(&t, i == 0 && a == 0);
			table_cell(&t, "%s", a == 0 ? b->sets[i].label : "");
			table_cell(&t, "%.2f", areas[a]);
			for (size_t s = 0; s < ARRAY_SIZE(shown); s++)
				best_cells(&t, &b->sets[i], shown[s], areas[a], NULL, BUDGET_GENERAL);
		}
	bool ok = table_write(&t, false, out);
	table_release(&t);
	return ok;
}

/* Budgets are multiples of what the cheapest core costs, so that no chip has more cores than were tried. */
static struct mix_space priced(const struct budget_set *set, enum core_cost which, uint32_t budget)
{
	struct mix_space s = set->space;
	double least = INFINITY;
	s.least = 1;
	s.most = MAX_CORES;
	s.max_area_mm2 = s.max_power_w = INFINITY;
	for (uint32_t i = 0; i < s.nr_types; i++) {
		s.types[i].least = 0;
		s.types[i].most = MAX_CORES;
		least = fmin(least, which == CORE_AREA_MM2 ? s.types[i].area_mm2 : s.types[i].power_w);
	}
	*(which == CORE_AREA_MM2 ? &s.max_area_mm2 : &s.max_power_w) = budget * least;
	return s;
}

static bool write_costs(const struct budget_study *b, enum core_cost which, struct textbuf *out)
{
	const char *unit = which == CORE_AREA_MM2 ? "mm2" : "W";
	bool ok = true, any = false;
	struct table t;
	table_init(&t);
	t.left |= 1u << (3 + NR_BUDGET_FAMILIES);
	table_row(&t, false);
	table_cell(&t, "speedups");
	table_cell(&t, "budget (%s)", unit);
	table_cell(&t, "threads");
	for (unsigned f = 0; f < NR_BUDGET_FAMILIES; f++)
		table_cell(&t, "%s", families[f].word);
	table_cell(&t, "best mixed chip");
	for (uint64_t i = 0; i < b->nr_sets; i++) {
		for (size_t k = 0; k < ARRAY_SIZE(cases) && !b->sets[i].missing[which]; k++) {
			const struct mix_space s = priced(&b->sets[i], which, cases[k].budget);
			table_row(&t, !any);
			table_cell(&t, "%s", k == 0 ? b->sets[i].label : "");
			table_cell(&t, "%.6g", which == CORE_AREA_MM2 ? s.max_area_mm2 : s.max_power_w);
			table_cell(&t, "%u", threads_of(k));
			chip_cell(&t, &b->sets[i], best_cells(&t, &b->sets[i], k, 0, &s, BUDGET_BASELINE));
			any = true;
		}
	}
	if (any) {
		textbuf_printf(out,
			       "\nThroughput (STP) of the best chip within a budget in %s, by the table of costs:\n",
			       unit);
		ok = table_write(&t, false, out);
	}
	table_release(&t);
	for (uint64_t i = 0; i < b->nr_sets && any; i++)
		if (b->sets[i].missing[which])
			textbuf_printf(out, "no %s of '%s': %s\n", which == CORE_AREA_MM2 ? "areas" : "powers",
				       b->sets[i].label, b->sets[i].missing[which]);
	return ok;
}

/* Published work on performance by area or power, and what this model makes of it. */
static const struct {
	const char *what, *found, *source, *here;
} published[] = {
	{"CVA6S+, CVA6", "+6 % area, +34.4 % IPC", "arXiv:2505.24363",
	 "a general core: break-even area 1.34, has 1.06"},
	{"C910, CVA6", "+75 % area, +119.5 % IPC", "arXiv:2505.24363",
	 "a general core: break-even area 2.19, has 1.75"},
	{"Zen 4c, Zen 4", "35 % smaller, +25 % performance/mm2", "Burd et al., ISSCC 2024",
	 "a general core: break-even area 0.81, has 0.65"},
	{"Kumar 2004", "up to 63 % at equal area", "ISCA 2004", "not shown: cores of very different sizes and speeds"},
	{"Kumar 2003", "39 % less energy for 3 % performance", "MICRO 2003", "not of area: docs/energy.md has ours"},
};

static bool write_published(struct textbuf *out)
{
	static const char *const heads[] = {"published", "found", "abstract of", "here"};
	struct table t;
	table_init(&t);
	t.left = ~0u;
	table_row(&t, false);
	table_words(&t, heads, ARRAY_SIZE(heads));
	for (size_t i = 0; i < ARRAY_SIZE(published); i++) {
		const char *const cells[] = {published[i].what, published[i].found, published[i].source,
					     published[i].here};
		table_row(&t, i == 0);
		table_words(&t, cells, ARRAY_SIZE(cells));
	}
	bool ok = table_write(&t, false, out);
	table_release(&t);
	return ok;
}

/* The most that specialised cores of area 1 gain on chips of the family `rival`, in any case and set. */
static double most_gain_pct(const struct budget_study *b, enum budget_family rival)
{
	double most = 0;
	for (uint64_t i = 0; i < b->nr_sets; i++)
		for (size_t k = 0; k < ARRAY_SIZE(cases); k++) {
			const struct budget_chip *chip =
				budget_best_at(chips_of(&b->sets[i], k), cases[k].budget, 1, BUDGET_MIXED);
			if (chip)
				most = fmax(most, 100 * (chip->stp / rival_stp(&b->sets[i], k, rival) - 1));
		}
	return most;
}

bool reproduce_budget_text(struct reproducing *p, struct textbuf *out)
{
	const struct budget_study *b = p->budget;
	const struct trace_counts counts = characterize_count(&p->study);
	bool ok;
	textbuf_printf(out, "Specialised cores within a budget of area, or of power drawn also when idle; %zu trace%s",
		       p->study.nr, p->study.nr == 1 ? "" : "s");
	trace_words_write(&counts, out);
	textbuf_puts(
		out,
		":\n\nBreak-even areas: how many times as large as a baseline core other cores may be until the best chip of them "
		"does\nless than the best chip of only baseline cores. Columns: budget, in areas of a baseline core / threads; "
		"large: as\nmany threads as baseline cores, on a chip of any size, so that nothing is left over of the budget:\n");
	ok = write_break_even(b, BUDGET_BASELINE, out);
	textbuf_puts(
		out,
		"\nThe same, compared with chips of only general cores that are as large as baseline cores. Where "
		"they are not,\nand there are only specialised cores, the column large is the area of a specialised "
		"core by that of a general one:\n");
	ok = write_break_even(b, BUDGET_GENERAL, out) && ok;
	if (!b->has_costs) {
		textbuf_printf(
			out,
			"\nThroughput (STP) of the best chips within a budget of %u, by the area of each core that "
			"is no baseline core; special:\nonly specialised cores, mixed: or baseline ones beside "
			"them. A chip of only baseline cores has one per thread:\n",
			cases[FULL].budget);
		ok = write_areas(b, out) && ok;
	}
	for (int which = 0; which < NR_CORE_COSTS && b->has_costs; which++)
		ok = write_costs(b, (enum core_cost)which, out) && ok;
	textbuf_puts(out,
		     "\nThe paper claims better performance per area and per watt (section 4.1) without a figure. ");
	textbuf_printf(
		out,
		"Here, specialised cores\nof area 1 gain at most %.1f %% over baseline and %.1f %% over general cores. "
		"Figures of others, as context:\n",
		most_gain_pct(b, BUDGET_BASELINE), most_gain_pct(b, BUDGET_GENERAL));
	return write_published(out) && ok && !textbuf_failed(out);
}

static void write_run(const struct budget_set *set, size_t k, enum budget_family f, double area, struct textbuf *out)
{
	const struct budget_chip *chip = budget_best_at(chips_of(set, k), cases[k].budget, area, f);
	struct textbuf label;
	textbuf_init(&label);
	if (chip)
		mix_write_label(&set->space, chip->counts, &label);
	csv_string(out, set->label);
	csv_u64(out, cases[k].budget);
	csv_u64(out, threads_of(k));
	csv_string(out, families[f].name);
	csv_double(out, area);
	csv_double(out, chip ? chip->stp : NAN);
	for (unsigned rival = BUDGET_BASELINE; rival <= BUDGET_GENERAL; rival++) {
		double even = f > rival ? break_even(set, k, f, (enum budget_family)rival) : NAN;
		csv_double(out, even >= 1 ? even : NAN);
	}
	csv_string(out, label.len ? label.text : "");
	csv_end_row(out);
	out->failed |= textbuf_failed(&label);
	textbuf_release(&label);
}

bool reproduce_budget_runs(struct reproducing *p, struct textbuf *out)
{
	const struct budget_study *b = p->budget;
	const char *prefix = trace_words_prefix(p->r->nr_synthetic > 0, p->r->nr_nominal > 0);
	textbuf_printf(out,
		       "speedups,budget,nr_threads,cores,area,%sstp,%sbreak_even_baseline,%sbreak_even_general,chip",
		       prefix, prefix, prefix);
	csv_end_row(out);
	for (uint64_t i = 0; i < b->nr_sets; i++)
		for (size_t k = 0; k < ARRAY_SIZE(cases); k++)
			for (unsigned f = 0; f < NR_BUDGET_FAMILIES; f++)
				for (size_t a = 0; a < (f == BUDGET_BASELINE ? 1 : ARRAY_SIZE(areas)); a++)
					write_run(&b->sets[i], k, (enum budget_family)f, areas[a], out);
	return !textbuf_failed(out);
}

/* ---- The figure ---- */

/* Relative areas. With smaller cores than the smallest, more would fit than were tried. */
#define LEAST_AREA 0.9
#define MOST_AREA 2.0
/* The smallest difference of areas that mixes know (mix.h). */
#define AREA_STEP 1e-6

/* Steps of the best specialised chip's throughput, divided by that of the best general one, over the area of
 * specialised cores: a chip is the best until it does not fit any more. */
static void add_steps(const struct budget_set *set, size_t k, unsigned series, struct chart_steps *steps,
		      struct chart_step_point *points)
{
	const struct budget_chips *c = chips_of(set, k);
	double general = rival_stp(set, k, BUDGET_GENERAL), area = LEAST_AREA, end = LEAST_AREA;
	for (; end < MOST_AREA; area = end + AREA_STEP) {
		const struct budget_chip *best = budget_best_at(c, cases[k].budget, area, BUDGET_MIXED);
		if (!best)
			break;
		double start = end;
		end = fmin(budget_break_even(c, cases[k].budget, BUDGET_MIXED, best->stp), MOST_AREA);
		points[steps->nr++] = (struct chart_step_point){series, start, best->stp / general};
		if (end >= MOST_AREA)
			points[steps->nr++] = (struct chart_step_point){series, MOST_AREA, best->stp / general};
	}
}

/* The lines: all sets with as many threads as cores, then those with half as many for which there are colours. */
enum sahm_status reproduce_budget_figure(struct reproducing *p, const char *subtitle, struct figure *f,
					 struct sahm_err *err)
{
	static const size_t loads[] = {FULL, HALF};
	const struct budget_study *b = p->budget;
	const char *series[MAX_STEPS_SERIES];
	size_t most = 2;
	for (uint64_t i = 0; i < b->nr_sets; i++)
		for (size_t k = 0; k < ARRAY_SIZE(loads); k++)
			most += chips_of(&b->sets[i], loads[k])->nr + 1;
	struct chart_step_point *points = arena_alloc(&p->r->arena, most, sizeof(*points));
	struct chart_steps steps = {.points = points,
				    .series = series,
				    .is_close = true,
				    .x_axis = "area of a specialised core, in areas of a baseline core",
				    .x_key = "area"};
	if (!points)
		return sahm_fail_nomem(err);
	for (size_t l = 0; l < ARRAY_SIZE(loads); l++)
		for (uint64_t i = b->nr_sets; i-- > 0 && steps.nr_series < MAX_STEPS_SERIES - 1;) {
			struct textbuf name;
			textbuf_init(&name);
			textbuf_printf(&name, "%s with %u threads", b->sets[i].label, threads_of(loads[l]));
			add_steps(&b->sets[i], loads[l], steps.nr_series, &steps, points);
			if (!(series[steps.nr_series++] = textbuf_keep(&name, &p->r->arena)))
				return sahm_fail_nomem(err);
		}
	points[steps.nr++] = (struct chart_step_point){steps.nr_series, LEAST_AREA, 1};
	points[steps.nr++] = (struct chart_step_point){steps.nr_series, MOST_AREA, 1};
	series[steps.nr_series++] = "as much as general cores";
	const struct chart c = {.title = "Specialised and general cores within a budget of 8 baseline cores",
				.subtitle = subtitle,
				.value_axis = "throughput of best chips, specialised / general",
				.value_key = "stp_ratio",
				.row_key = "chips",
				.row_words = "chips",
				.unit = "",
				.synthetic = p->r->nr_synthetic > 0,
				.nominal = p->r->nr_nominal > 0};
	chart_steps(&c, &steps, f);
	return SAHM_OK;
}
