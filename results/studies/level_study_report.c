#include "results/metrics/csv.h"
#include "results/metrics/json.h"
#include "results/metrics/table.h"
#include "results/studies/level_study.h"

static uint32_t mhz_of(const struct level_group *g, uint32_t level)
{
	return g->group->levels.levels[level].mhz;
}

static void cost_cells(struct table *t, const char *choice, struct level_cost c)
{
	table_cell(t, "%s", choice);
	table_cell(t, "%.4g", c.j);
	table_cell(t, "%.4g", c.s);
	table_cell(t, "%.4g", level_edp(c));
}

static void mhz_cells(struct table *t, const struct level_group *g, uint32_t level)
{
	char choice[32];
	snprintf(choice, sizeof(choice), "%u", mhz_of(g, level));
	cost_cells(t, choice, g->whole[level]);
}

static void fill_states(const struct level_study *study, const struct level_group *g, struct table *t)
{
	static const char *const headings[] = {"state",		 "work",     "MHz, energy", "J",
					       "at the fastest", "MHz, EDP", "EDP",	    "at the fastest"};
	uint32_t fastest = g->group->levels.nr - 1;
	table_row(t, false);
	table_words(t, headings, sizeof(headings) / sizeof(headings[0]));
	for (unsigned s = 0, first = 1; s < NR_STATES; s++) {
		if (study->shares[s] <= 0)
			continue;
		table_row(t, first);
		first = 0;
		table_cell(t, "%s", state_name(s));
		table_cell(t, "%.1f %%", 100 * study->shares[s]);
		table_cell(t, "%u", mhz_of(g, g->least_j[s]));
		table_cell(t, "%.4g", g->cost[g->least_j[s]][s].j);
		table_cell(t, "%.4g", g->cost[fastest][s].j);
		table_cell(t, "%u", mhz_of(g, g->least_edp[s]));
		table_cell(t, "%.4g", level_edp(g->cost[g->least_edp[s]][s]));
		table_cell(t, "%.4g", level_edp(g->cost[fastest][s]));
	}
}

static void fill_whole(const struct level_group *g, struct table *t)
{
	static const char *const headings[] = {"all states", "MHz", "J", "s", "EDP"};
	table_row(t, false);
	table_words(t, headings, sizeof(headings) / sizeof(headings[0]));
	table_row(t, true);
	table_cell(t, "fastest level");
	mhz_cells(t, g, g->group->levels.nr - 1);
	table_row(t, false);
	table_cell(t, "one level, minimum energy");
	mhz_cells(t, g, g->whole_least_j);
	table_row(t, false);
	table_cell(t, "per state, minimum energy");
	cost_cells(t, "-", g->by_state_j);
	table_row(t, false);
	table_cell(t, "one level, minimum EDP");
	mhz_cells(t, g, g->whole_least_edp);
	table_row(t, false);
	table_cell(t, "per state, minimum EDP of each");
	cost_cells(t, "-", g->by_state_edp);
}

static bool write_tables(const struct level_study *study, const struct level_group *g, bool bold, struct textbuf *out)
{
	struct table states, whole;
	table_init(&states);
	table_init(&whole);
	fill_states(study, g, &states);
	fill_whole(g, &whole);
	bool ok = table_write(&states, bold, out);
	textbuf_putc(out, '\n');
	ok = table_write(&whole, bold, out) && ok;
	table_release(&states);
	table_release(&whole);
	return ok;
}

bool level_study_text(const struct level_study *study, const char *title, bool bold, struct textbuf *out)
{
	bool ok = true;
	textbuf_printf(out, "%s: per second of baseline time, on a core that always executes\n", title);
	for (uint32_t i = 0; i < study->nr_groups; i++) {
		const struct level_group *g = &study->groups[i];
		textbuf_printf(out, "\ncores %s, %u levels from %u to %u MHz\n\n", g->group->type.name,
			       g->group->levels.nr, mhz_of(g, 0), mhz_of(g, g->group->levels.nr - 1));
		ok = write_tables(study, g, bold, out) && ok;
	}
	return ok && !textbuf_failed(out);
}

bool level_study_csv(const struct level_study *study, struct textbuf *out)
{
	textbuf_puts(out, "cores,state,work,mhz,energy_j,time_s,least_energy,least_edp\n");
	for (uint32_t i = 0; i < study->nr_groups; i++) {
		const struct level_group *g = &study->groups[i];
		for (unsigned s = 0; s < NR_STATES; s++) {
			for (uint32_t l = 0; l < g->group->levels.nr && study->shares[s] > 0; l++) {
				csv_string(out, g->group->type.name);
				csv_string(out, state_name(s));
				csv_double(out, study->shares[s]);
				csv_u64(out, mhz_of(g, l));
				csv_double(out, g->cost[l][s].j);
				csv_double(out, g->cost[l][s].s);
				csv_u64(out, l == g->least_j[s]);
				csv_u64(out, l == g->least_edp[s]);
				csv_end_row(out);
			}
		}
	}
	return !textbuf_failed(out);
}

/* `level`: NULL where it is one for each state. */
static void json_cost(struct jwriter *j, const char *key, const struct level_group *g, const uint32_t *level,
		      struct level_cost c)
{
	jwrite_begin_flat_object(j, key);
	if (level)
		jwrite_u64(j, "mhz", mhz_of(g, *level));
	jwrite_double(j, "energy_j", c.j);
	jwrite_double(j, "time_s", c.s);
	jwrite_end_object(j);
}

bool level_study_json(const struct level_study *study, struct textbuf *out)
{
	struct jwriter j;
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	jwrite_begin_array(&j, "cores", false);
	for (uint32_t i = 0; i < study->nr_groups; i++) {
		const struct level_group *g = &study->groups[i];
		uint32_t fastest = g->group->levels.nr - 1;
		jwrite_begin_object(&j, NULL);
		jwrite_string(&j, "cores", g->group->type.name);
		jwrite_begin_array(&j, "states", false);
		for (unsigned s = 0; s < NR_STATES; s++) {
			if (study->shares[s] <= 0)
				continue;
			jwrite_begin_object(&j, NULL);
			jwrite_string(&j, "state", state_name(s));
			jwrite_double(&j, "work", study->shares[s]);
			json_cost(&j, "least_energy", g, &g->least_j[s], g->cost[g->least_j[s]][s]);
			json_cost(&j, "least_edp", g, &g->least_edp[s], g->cost[g->least_edp[s]][s]);
			json_cost(&j, "fastest", g, &fastest, g->cost[fastest][s]);
			jwrite_end_object(&j);
		}
		jwrite_end_array(&j);
		json_cost(&j, "fastest", g, &fastest, g->whole[fastest]);
		json_cost(&j, "one_level_least_energy", g, &g->whole_least_j, g->whole[g->whole_least_j]);
		json_cost(&j, "by_state_least_energy", g, NULL, g->by_state_j);
		json_cost(&j, "one_level_least_edp", g, &g->whole_least_edp, g->whole[g->whole_least_edp]);
		json_cost(&j, "by_state_least_edp", g, NULL, g->by_state_edp);
		jwrite_end_object(&j);
	}
	jwrite_end_array(&j);
	jwrite_end_object(&j);
	jwrite_finish(&j);
	return !textbuf_failed(out);
}
