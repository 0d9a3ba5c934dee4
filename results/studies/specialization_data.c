/* What specialised cores gain, as CSV, as JSON, and as core types for `sahm run`. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cores/chip/core_spec.h"
#include "results/metrics/csv.h"
#include "results/metrics/json.h"
#include "results/studies/specialization.h"

static void csv_words(const char *const *words, struct textbuf *out)
{
	for (; *words; words++)
		csv_string(out, *words);
	csv_end_row(out);
}

/* "modelled", or "synthetic" of a made-up table. */
static const char *source_of(const struct specialization *s)
{
	return s->table->is_synthetic ? "synthetic" : "modelled";
}

static void csv_begin(const struct specialization *s, const struct special_set *set, unsigned core, struct textbuf *out)
{
	csv_string(out, source_of(s));
	csv_string(out, set->name);
	csv_string(out, s->table->cores[core].name);
}

static void csv_gain(const struct special_gain *g, struct textbuf *out)
{
	csv_double(out, g->pct);
	csv_double(out, g->low_pct);
	csv_double(out, g->high_pct);
	csv_u64(out, g->nr_epochs);
	csv_u64(out, g->nr_programs);
}

void specialization_csv_states(const struct specialization *s, unsigned unused, struct textbuf *out)
{
	(void)unused;
	csv_words((const char *const[]){"source", "cuts", "core", "state", "speedup_pct", "low_pct", "high_pct",
					"nr_epochs", "nr_programs", "scarce", "table_pct", "lenders", NULL},
		  out);
	for (unsigned i = 0; i < NR_CUT_SETS; i++)
		for (unsigned k = 1; k < s->table->nr_cores; k++)
			for (unsigned state = 0; state < NR_STATES; state++) {
				const struct special_state *x = &s->sets[i].cores[k].states[state];
				struct textbuf lenders;
				textbuf_init(&lenders);
				states_write(x->lenders, " ", &lenders);
				csv_begin(s, &s->sets[i], k, out);
				csv_string(out, state_name(state));
				csv_gain(&x->own, out);
				csv_string(out, x->is_scarce ? "yes" : "no");
				csv_double(out, x->table_pct);
				csv_string(out, lenders.text);
				csv_end_row(out);
				textbuf_release_part(&lenders, out);
			}
}

static void csv_program_rows(const struct specialization *s, unsigned set, size_t program, unsigned core,
			     struct textbuf *out)
{
	for (unsigned state = 0; state <= NR_STATES; state++) {
		uint16_t states = (uint16_t)(state < NR_STATES ? 1u << state : 0xffffu);
		struct special_gain g = specialization_program(s, set, program, core, states);
		if (g.nr_epochs == 0)
			continue;
		csv_begin(s, &s->sets[set], core, out);
		csv_string(out, s->table->programs[program].name);
		csv_string(out, state < NR_STATES ? state_name(state) : "all");
		csv_double(out, g.pct);
		csv_u64(out, g.nr_epochs);
		csv_end_row(out);
	}
}

static void csv_programs(const struct specialization *s, unsigned unused, struct textbuf *out)
{
	(void)unused;
	csv_words((const char *const[]){"source", "cuts", "core", "program", "state", "speedup_pct", "nr_epochs", NULL},
		  out);
	for (unsigned i = 0; i < NR_CUT_SETS; i++)
		for (unsigned k = 1; k < s->table->nr_cores; k++)
			for (size_t p = 0; p < s->table->nr_programs; p++)
				csv_program_rows(s, i, p, k, out);
}

static void csv_components(const struct specialization *s, unsigned unused, struct textbuf *out)
{
	(void)unused;
	csv_words((const char *const[]){"source", "cuts", "core", "high", "own", "speedup_pct", "low_pct", "high_pct",
					"nr_epochs", "nr_programs", NULL},
		  out);
	for (unsigned i = 0; i < NR_CUT_SETS; i++)
		for (unsigned k = 1; k < s->table->nr_cores; k++)
			for (unsigned c = 0; c <= NR_COMPONENTS; c++) {
				const struct special_core *x = &s->sets[i].cores[k];
				bool own = s->table->cores[k].components >> c & 1;
				csv_begin(s, &s->sets[i], k, out);
				csv_string(out, c < NR_COMPONENTS ? component_key((enum component)c) : "any or none");
				csv_string(out, own ? "yes" : "no");
				csv_gain(c < NR_COMPONENTS ? &x->high[c] : &x->all, out);
				csv_end_row(out);
			}
}

static void csv_storage(const struct specialization *s, unsigned unused, struct textbuf *out)
{
	(void)unused;
	csv_words((const char *const[]){"source", "cuts", "core", "storage_bytes", "extra_bytes", "all_pct",
					"extra_bytes_per_pct", "target_pct", "extra_bytes_per_target_pct", NULL},
		  out);
	for (unsigned i = 0; i < NR_CUT_SETS; i++)
		for (unsigned k = 1; k < s->table->nr_cores; k++) {
			const struct special_core *x = &s->sets[i].cores[k];
			double extra = (double)special_extra_bytes(s, k);
			csv_begin(s, &s->sets[i], k, out);
			csv_u64(out, s->table->cores[k].storage_bytes);
			csv_i64(out, special_extra_bytes(s, k));
			csv_double(out, x->all.pct);
			csv_double(out, x->all.pct > 0 ? extra / x->all.pct : NAN);
			csv_double(out, x->target.pct);
			csv_double(out, x->target.pct > 0 ? extra / x->target.pct : NAN);
			csv_end_row(out);
		}
}

static void csv_choices(const struct specialization *s, unsigned unused, struct textbuf *out)
{
	const size_t nr = s->table->nr_programs;
	(void)unused;
	csv_words((const char *const[]){"source", "cuts", "program", "choice", "speedup_pct", NULL}, out);
	for (unsigned i = 0; i < NR_CUT_SETS; i++)
		for (size_t p = 0; p <= nr; p++)
			for (unsigned c = 0; c < NR_SPECIAL_CHOICES; c++) {
				csv_string(out, source_of(s));
				csv_string(out, s->sets[i].name);
				csv_string(out, p < nr ? s->table->programs[p].name : "all");
				csv_string(out, special_choice_key((enum special_choice)c));
				csv_double(out, s->sets[i].choices[p * NR_SPECIAL_CHOICES + c]);
				csv_end_row(out);
			}
}

/* ---- JSON ---- */

static void json_gain(struct jwriter *j, const char *key, const struct special_gain *g)
{
	jwrite_begin_flat_object(j, key);
	jwrite_double(j, "speedup_pct", g->pct);
	jwrite_double(j, "low_pct", g->low_pct);
	jwrite_double(j, "high_pct", g->high_pct);
	jwrite_u64(j, "nr_epochs", g->nr_epochs);
	jwrite_u64(j, "nr_programs", g->nr_programs);
	jwrite_end_object(j);
}

static void json_state(struct jwriter *j, unsigned state, const struct special_state *x)
{
	jwrite_begin_object(j, NULL);
	jwrite_string(j, "state", state_name(state));
	json_gain(j, "own", &x->own);
	jwrite_bool(j, "is_scarce", x->is_scarce);
	jwrite_double(j, "table_pct", x->table_pct);
	jwrite_begin_array(j, "lenders", true);
	for (unsigned k = 0; k < NR_STATES; k++)
		if (x->lenders >> k & 1)
			jwrite_string(j, NULL, state_name(k));
	jwrite_end_array(j);
	jwrite_end_object(j);
}

static void json_components(struct jwriter *j, unsigned components)
{
	jwrite_begin_array(j, "components", true);
	for (unsigned c = 0; c < NR_COMPONENTS; c++)
		if (components >> c & 1)
			jwrite_string(j, NULL, component_key((enum component)c));
	jwrite_end_array(j);
}

static void json_core(struct jwriter *j, const struct specialization *s, const struct special_set *set, unsigned core)
{
	const struct table_core *c = &s->table->cores[core];
	const struct special_core *x = &set->cores[core];
	jwrite_begin_object(j, NULL);
	jwrite_string(j, "core", c->name);
	jwrite_string(j, "config_hash", c->hash);
	json_components(j, c->components);
	jwrite_u64(j, "storage_bytes", c->storage_bytes);
	jwrite_i64(j, "extra_bytes", special_extra_bytes(s, core));
	json_gain(j, "all", &x->all);
	json_gain(j, "target", &x->target);
	jwrite_begin_object(j, "high");
	for (unsigned k = 0; k < NR_COMPONENTS; k++)
		json_gain(j, component_key((enum component)k), &x->high[k]);
	jwrite_end_object(j);
	jwrite_begin_array(j, "states", false);
	for (unsigned state = 0; state < NR_STATES; state++)
		json_state(j, state, &x->states[state]);
	jwrite_end_array(j);
	jwrite_end_object(j);
}

static void json_set(struct jwriter *j, const struct specialization *s, const struct special_set *set)
{
	const double *choices = &set->choices[s->table->nr_programs * NR_SPECIAL_CHOICES];
	struct textbuf cuts;
	textbuf_init(&cuts);
	cuts_write(&set->cuts, &cuts);
	jwrite_begin_object(j, NULL);
	jwrite_string(j, "name", set->name);
	jwrite_string(j, "cuts", cuts.text);
	jwrite_u64(j, "nr_other_states", set->nr_other_states);
	jwrite_begin_object(j, "choices_pct");
	for (unsigned c = 0; c < NR_SPECIAL_CHOICES; c++)
		jwrite_double(j, special_choice_key((enum special_choice)c), choices[c]);
	jwrite_end_object(j);
	jwrite_begin_array(j, "cores", false);
	for (unsigned k = 1; k < s->table->nr_cores; k++)
		json_core(j, s, set, k);
	jwrite_end_array(j);
	jwrite_end_object(j);
	textbuf_release_part(&cuts, j->out);
}

void specialization_json(const struct specialization *s, unsigned unused, struct textbuf *out)
{
	const struct specialize_options *o = &s->options;
	struct jwriter j;
	(void)unused;
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	jwrite_string(&j, "schema", SPECIALIZE_SCHEMA);
	jwrite_string(&j, "source", source_of(s));
	jwrite_string(&j, "program", s->table->made_by);
	jwrite_string(&j, "command", s->table->command);
	jwrite_string(&j, "baseline", s->table->cores[0].name);
	jwrite_string(&j, "baseline_hash", s->table->cores[0].hash);
	jwrite_string(&j, "clock", s->table->has_measured_clock ? "measured" : "nominal");
	jwrite_string(&j, "traces", s->table->traced ? s->table->traced_by : "");
	jwrite_u64(&j, "nr_programs", s->table->nr_programs);
	jwrite_u64(&j, "nr_epochs", s->table->nr_rows - s->nr_left_out);
	jwrite_u64(&j, "nr_left_out", s->nr_left_out);
	jwrite_string(&j, "time", o->time == SPECIALIZE_MEASURED ? "measured" : "assumed");
	jwrite_u64(&j, "min_epochs", o->min_epochs);
	jwrite_u64(&j, "min_programs", o->min_programs);
	jwrite_u64(&j, "resamples", o->nr_resamples);
	jwrite_u64(&j, "seed", o->seed);
	jwrite_begin_array(&j, "sets", false);
	for (unsigned i = 0; i < NR_CUT_SETS; i++)
		json_set(&j, s, &s->sets[i]);
	jwrite_end_array(&j);
	jwrite_end_object(&j);
	jwrite_finish(&j);
}

/* ---- Core types for `sahm run` ---- */

static void write_cfg_head(const struct specialization *s, unsigned set, const char *stem, const char *what,
			   struct textbuf *out)
{
	const struct epoch_table *t = s->table;
	const size_t nr = t->nr_rows - (size_t)s->nr_left_out;
	textbuf_printf(
		out,
		"# Core types for sahm run: a configuration with a line @include \"%s-%s.cfg\" has them by name.\n",
		stem, s->sets[set].name);
	textbuf_printf(out, "# %s over %s in %%, %s, of %zu program%s and %zu epoch%s; thresholds %s; %s time.\n", what,
		       t->cores[0].name, source_of(s), t->nr_programs, t->nr_programs == 1 ? "" : "s", nr,
		       nr == 1 ? "" : "s", s->sets[set].name,
		       s->options.time == SPECIALIZE_MEASURED ? "measured" : "assumed");
	if (t->traced)
		textbuf_printf(out, "# States come from traces (%s).\n", t->traced_by);
	textbuf_printf(out, "# Epoch table: %s; %s\ncuts : { set = \"%s\"; };\n\ncore_types = (\n", t->made_by,
		       t->command, s->sets[set].name);
}

static void write_type_name(const struct specialization *s, unsigned core, struct textbuf *out)
{
	textbuf_printf(out, "name = \"measured-%s\";", s->table->cores[core].name);
}

/* Speedups have millionths: four decimals of a percent; none is "-0.0000". */
static void write_pct(double pct, struct textbuf *out)
{
	textbuf_printf(out, "%.4f", fabs(pct) < 0.00005 || isnan(pct) ? 0 : pct);
}

static void write_state(const struct special_state *x, unsigned state, struct textbuf *out)
{
	textbuf_puts(out, "\t\t\t");
	write_pct(x->table_pct, out);
	textbuf_printf(out, "%s # %s: epochs %" PRIu64 ", programs %" PRIu32, state + 1 < NR_STATES ? "," : "",
		       state_name(state), x->own.nr_epochs, x->own.nr_programs);
	if (x->is_scarce && x->lenders) {
		textbuf_puts(out, "; scarce: from ");
		states_write(x->lenders, ", ", out);
	} else if (x->is_scarce) {
		textbuf_puts(out, "; scarce: 0, since no state lends its own");
	}
	textbuf_putc(out, '\n');
}

static void write_scarce(const struct special_core *c, struct textbuf *out)
{
	uint16_t scarce = 0;
	for (unsigned state = 0; state < NR_STATES; state++)
		scarce |= (uint16_t)((unsigned)c->states[state].is_scarce << state);
	if (!scarce)
		return;
	textbuf_puts(out, "\t\tscarce = [\"");
	states_write(scarce, "\", \"", out);
	textbuf_puts(out, "\"];\n");
}

static void cfg_tables(const struct specialization *s, unsigned set, struct textbuf *out)
{
	write_cfg_head(s, set, "cores", "Speedups by state", out);
	for (unsigned k = 1; k < s->table->nr_cores; k++) {
		textbuf_puts(out, "\t{\n\t\t");
		write_type_name(s, k, out);
		textbuf_puts(out, "\n\t\ttype = \"table\";\n\t\tspeedup_pct = [\n");
		for (unsigned state = 0; state < NR_STATES; state++)
			write_state(&s->sets[set].cores[k].states[state], state, out);
		textbuf_puts(out, "\t\t];\n");
		write_scarce(&s->sets[set].cores[k], out);
		textbuf_puts(out, k + 1 < s->table->nr_cores ? "\t},\n" : "\t}\n");
	}
	textbuf_puts(out, ");\n");
}

/* A core that is specialised for some components has the speedup of each where that is HIGH; any other one is general.
 */
static void cfg_core(const struct specialization *s, unsigned set, unsigned core, struct textbuf *out)
{
	const struct special_core *x = &s->sets[set].cores[core];
	unsigned components = s->table->cores[core].components;
	bool is_general = components == 0 || components == NR_STATES - 1, several = components & (components - 1);
	const char *before = "";
	const struct special_gain *g = is_general ? &x->all : &x->target;
	textbuf_printf(out, "\t# epochs %" PRIu64 ", programs %" PRIu32 "\n\t{ ", g->nr_epochs, g->nr_programs);
	write_type_name(s, core, out);
	textbuf_puts(out, " type = \"");
	if (is_general)
		textbuf_puts(out, "general");
	else
		epoch_table_write_components(components, out);
	textbuf_puts(out, !is_general && several ? "\"; speedup_pct = [" : "\"; speedup_pct = ");
	if (is_general)
		write_pct(g->pct, out);
	for (unsigned c = 0; c < NR_COMPONENTS && !is_general; c++) {
		if (!(components >> c & 1))
			continue;
		textbuf_puts(out, before);
		write_pct(x->high[c].pct, out);
		before = ", ";
	}
	textbuf_puts(out, !is_general && several ? "]; }" : "; }");
	textbuf_puts(out, core + 1 < s->table->nr_cores ? ",\n" : "\n");
}

static void cfg_components(const struct specialization *s, unsigned set, struct textbuf *out)
{
	write_cfg_head(s, set, "components", "Speedups where the component is HIGH (of general cores: everywhere)",
		       out);
	for (unsigned k = 1; k < s->table->nr_cores; k++)
		cfg_core(s, set, k, out);
	textbuf_puts(out, ");\n");
}

const struct special_file special_files[] = {
	{"states.csv", specialization_csv_states, 0},
	{"programs.csv", csv_programs, 0},
	{"components.csv", csv_components, 0},
	{"storage.csv", csv_storage, 0},
	{"choices.csv", csv_choices, 0},
	{"specialize.json", specialization_json, 0},
	{"cores-p25.cfg", cfg_tables, 0},
	{"cores-p50.cfg", cfg_tables, 1},
	{"cores-intuitive.cfg", cfg_tables, 2},
	{"components-p25.cfg", cfg_components, 0},
	{"components-p50.cfg", cfg_components, 1},
	{"components-intuitive.cfg", cfg_components, 2},
	{NULL, NULL, 0},
};
