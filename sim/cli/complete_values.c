/* Where values of options, operands and keys come from, to be completed: the lists that read them, and the folders of
 * what came with the program. To add one: a function here, a row in values[]. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cores/chip/core_spec.h"
#include "cores/chip/counters.h"
#include "cores/chip/cuts.h"
#include "cores/uarch/core_event.h"
#include "cores/uarch/core_model.h"
#include "cores/uarch/ideal.h"
#include "cores/uarch/papi_preset.h"
#include "cores/uarch/tma.h"
#include "ipu/core/hart.h"
#include "ipu/trust/signature.h"
#include "results/metrics/run_metrics.h"
#include "results/report/limit_report.h"
#include "results/store/query.h"
#include "results/studies/evaluate.h"
#include "results/timeline/timeline.h"
#include "sched/ordered/sched.h"
#include "sched/policies/policies.h"
#include "sim/base/array.h"
#include "sim/cli/command.h"
#include "sim/cli/complete.h"
#include "sim/cli/help.h"
#include "sim/cli/option_words.h"
#include "sim/cli/shipped_file.h"
#include "sim/engine/config/run_config.h"
#include "sim/engine/config/run_words.h"
#include "sim/sweep/optimize.h"
#include "sim/sweep/reproduce.h"
#include "sim/sweep/trace_suite.h"
#include "workloads/import/import.h"
#include "workloads/record/pmu.h"

/* Of an axis with more values than that none is offered: nobody reads them. */
#define MAX_VALUES 1000u

/* A description fits beside its word on a line of a terminal. */
#define DESCRIPTION_BYTES 76

/* Two alternatives may be the same, as files of two kinds are. */
static bool is_offered(const struct textbuf *answers, const char *line)
{
	const char *at = strstr(answers->text, line);
	while (at && at != answers->text && at[-1] != '\n')
		at = strstr(at + 1, line);
	return at;
}

static void answer(struct completion *c, const char *kind, const char *text, const char *description)
{
	struct textbuf line;
	textbuf_init(&line);
	textbuf_printf(&line, "%s\t%.*s%s\t", kind, (int)(c->typed - c->word), c->word, text);
	if (!is_offered(c->answers, line.text)) {
		size_t len = description ? strcspn(description, "\n") : 0;
		bool is_long = len > DESCRIPTION_BYTES;
		if (is_long)
			for (len = DESCRIPTION_BYTES; len > 1 && description[len] != ' ';)
				len--;
		textbuf_printf(c->answers, "%s%.*s%s\n", line.text, (int)len, description ? description : "",
			       is_long ? " ..." : "");
	}
	textbuf_release_part(&line, c->answers);
}

void complete_offer(struct completion *c, const char *text, const char *description, bool is_whole)
{
	if (strncmp(text, c->typed, strlen(c->typed)) == 0)
		answer(c, is_whole ? "word" : "more", text, description);
}

void complete_names(struct completion *c, const char *kind)
{
	answer(c, kind, "", NULL);
}

static void offer_all(struct completion *c, const char *const *words)
{
	for (; *words; words++)
		complete_offer(c, *words, NULL, true);
}

static void files(struct completion *c)
{
	complete_names(c, "files");
}

static void folders(struct completion *c)
{
	complete_names(c, "folders");
}

static void programs(struct completion *c)
{
	complete_names(c, "programs");
}

#define WORDS(source, words)                                                                                           \
	static void source(struct completion *c)                                                                       \
	{                                                                                                              \
		offer_all(c, words);                                                                                   \
	}
WORDS(cut_sets, cut_set_names)
WORDS(core_figures, core_figure_names)
WORDS(workload_modes, workload_mode_names)
WORDS(burst_shapes, burst_shape_names)
#undef WORDS

static void topics(struct completion *c)
{
	for (const struct help_topic *t = help_topics; t->name; t++)
		complete_offer(c, t->name, "a topic", true);
}

static void man_parts(struct completion *c)
{
	for (const struct help_topic *t = help_man_parts; t->name; t++)
		complete_offer(c, t->name, NULL, true);
}

static void questions(struct completion *c)
{
	for (unsigned i = 0; query_question_name(i); i++)
		complete_offer(c, query_question_name(i), NULL, true);
}

static void complete_doctor_rows(struct completion *c)
{
	for (unsigned i = 0; doctor_row_name(i); i++)
		complete_offer(c, doctor_row_name(i), NULL, true);
}

static void import_formats_known(struct completion *c)
{
	for (const struct import_format *const *f = import_formats; *f; f++)
		complete_offer(c, import_format_name(*f), import_format_help(*f), true);
}

static void metrics(struct completion *c)
{
	for (unsigned m = 0; m < NR_RUN_METRICS; m++)
		complete_offer(c, run_metric_rows[m].name, NULL, true);
}

/* With the value of a bound to follow. */
static void bounds(struct completion *c)
{
	char text[64];
	for (int m = 0; m < NR_RUN_METRICS; m++) {
		snprintf(text, sizeof(text), "%s=", run_metric_rows[m].name);
		complete_offer(c, text, run_metric_rows[m].words, false);
	}
}

static void signing_policies(struct completion *c)
{
	for (unsigned p = 0; p < NR_TRUST_POLICIES; p++)
		complete_offer(c, trust_policy_name((enum trust_policy)p), NULL, true);
}

static void modes(struct completion *c)
{
#define MODE(symbol, name, argument, most, help) complete_offer(c, *argument ? name "=" : name, help, !*argument);
#include "ipu/unit/mode_list.h"
#undef MODE
}

static void pmu_names(struct completion *c)
{
	for (const struct pmu *p = pmus; p->name; p++)
		complete_offer(c, p->name, p->title, true);
}

static void counters(struct completion *c)
{
	char text[64];
	for (unsigned i = 0; i < NR_COUNTERS; i++) {
		snprintf(text, sizeof(text), "%s=", counter_rows[i].name);
		complete_offer(c, text, NULL, false);
	}
}

static void reproduced_ids(struct completion *c)
{
	for (unsigned i = 0; i < NR_REPRODUCED; i++)
		complete_offer(c, reproduced_rows[i].id, reproduced_rows[i].heading, true);
}

static void policies(struct completion *c)
{
	for (const struct sched_ext_ops *const *p = sched_policies; *p; p++)
		complete_offer(c, (*p)->name, (*p)->summary, true);
	files(c);
}

static void core_types(struct completion *c)
{
	static const char *const plain[] = {"baseline", "general", "table", NULL};
	offer_all(c, plain);
	for (int i = 0; i < NR_COMPONENTS; i++) {
		char name[32];
		snprintf(name, sizeof(name), "%s", component_name((enum component)i));
		for (char *p = name; *p; p++)
			*p = *p >= 'A' && *p <= 'Z' ? (char)(*p - 'A' + 'a') : *p;
		complete_offer(c, name, "specialised for this component", true);
	}
	for (const struct literature_row *row = literature_rows; row->name; row++)
		complete_offer(c, row->name, row->work, true);
}

static void suites(struct completion *c)
{
	const char **names;
	size_t nr;
	struct arena a;
	struct sahm_err err;
	arena_init(&a);
	if (trace_suite_names(&a, data_folder(), &names, &nr, &err) == SAHM_OK)
		for (size_t i = 0; i < nr; i++)
			complete_offer(c, names[i], NULL, true);
	arena_release(&a);
	files(c);
}

/* Shipped files by their names, then the user's files. */
struct shipped_offer {
	struct completion *to;
	const struct shipped *shipped;
};

static void offer_shipped(void *ctx, const char *name)
{
	const struct shipped_offer *o = ctx;
	complete_offer(o->to, name, o->shipped->what, true);
}

static void shipped(struct completion *c, const struct shipped *s)
{
	struct shipped_offer o = {c, s};
	shipped_each(s, data_folder(), offer_shipped, &o);
	files(c);
}

static void images(struct completion *c)
{
	shipped(c, &shipped_programs);
}

static void specs(struct completion *c)
{
	shipped(c, &shipped_specs);
}

static void trusts(struct completion *c)
{
	shipped(c, &shipped_trusts);
}

static void cpus(struct completion *c)
{
	shipped(c, &shipped_cpus);
}

static void core_models(struct completion *c)
{
	shipped(c, &shipped_cores);
}

/* The last of several with commas between. */
static void core_lists(struct completion *c)
{
	const char *comma = strrchr(c->typed, ',');
	c->typed = comma ? comma + 1 : c->typed;
	core_models(c);
}

/* Keys of models of cores. */
static void core_settings(struct completion *c)
{
	size_t nr;
	const struct cfg_key *keys = core_model_keys(&nr);
	for (size_t k = 0; k < nr; k++) {
		char text[CFG_PATH_BYTES];
		if (keys[k].kinds & (CFG_GROUP | CFG_LIST) || strchr(keys[k].path, '['))
			continue;
		snprintf(text, sizeof(text), "%s=", keys[k].path);
		complete_offer(c, text, keys[k].help, false);
	}
}

/* Of a list with commas, the next one. */
static void ideal_parts(struct completion *c)
{
	const char *comma = strrchr(c->typed, ',');
	c->typed = comma ? comma + 1 : c->typed;
	for (unsigned i = 0; i < NR_IDEALS; i++)
		complete_offer(c, ideal_name((enum ideal)i), ideal_help((enum ideal)i), true);
}

/* Of any family: that of the core is not known here. */
static void core_events(struct completion *c)
{
	for (unsigned f = 0; f < NR_EVENT_FAMILIES; f++)
		for (const struct core_event *e = NULL; (e = core_event_next((enum event_family)f, e));) {
			bool is_new = true;
			for (unsigned before = 0; before < f; before++)
				is_new &= !core_event_find((enum event_family)before, e->name);
			if (is_new)
				complete_offer(c, e->name, e->help, true);
		}
}

static void presets(struct completion *c, bool one_counter)
{
	const struct papi_preset *p;
	for (unsigned i = 0; (p = papi_preset_at(i)); i++)
		if (one_counter ? p->first.counts == PAPI_EVENTS && p->less.counts == PAPI_NOTHING
				: p->first.counts != PAPI_NOTHING)
			complete_offer(c, p->name, p->help, true);
}

/* And presets that one counter counts; of a list with commas, the next one. */
static void sampled_events(struct completion *c)
{
	const char *comma = strrchr(c->typed, ',');
	c->typed = comma ? comma + 1 : c->typed;
	presets(c, true);
	core_events(c);
}

/* And presets, and the fixed counters; of a list with commas, the next one. */
static void counted_events(struct completion *c)
{
	const char *comma = strrchr(c->typed, ',');
	c->typed = comma ? comma + 1 : c->typed;
	complete_offer(c, "cycles", NULL, true);
	complete_offer(c, "instructions", NULL, true);
	presets(c, false);
	core_events(c);
}

/* And events; of a list with commas, the next one. */
static void core_signals(struct completion *c)
{
	const char *comma = strrchr(c->typed, ',');
	c->typed = comma ? comma + 1 : c->typed;
	complete_offer(c, "all", "all signals that the core can raise", true);
	for (unsigned i = 0; i < NR_SIGNALS; i++)
		complete_offer(c, signal_name((enum signal)i), signal_help((enum signal)i), true);
	core_events(c);
}

static void formula_kinds(struct completion *c)
{
	complete_offer(c, "published", tma_kind_help(TMA_PUBLISHED), true);
	complete_offer(c, "released", tma_kind_help(TMA_RELEASED), true);
	complete_offer(c, "exact", tma_kind_help(TMA_EXACT), true);
}

static void approximations(struct completion *c)
{
	complete_offer(c, "lane", tma_kind_help(TMA_LANE), true);
	complete_offer(c, "recovery", tma_kind_help(TMA_RECOVERY), true);
	complete_offer(c, "issue", tma_kind_help(TMA_ISSUE), true);
}

static void stack_schemes(struct completion *c)
{
#define STACK_SCHEME(suffix, name, events, help) complete_offer(c, name, help, true);
#include "cores/uarch/stack_scheme_list.h"
#undef STACK_SCHEME
}

static void traces(struct completion *c)
{
	shipped(c, &shipped_suites);
	shipped(c, &shipped_small_traces);
	shipped(c, &shipped_open_traces);
}

static void configs(struct completion *c)
{
	shipped(c, &shipped_configs);
}

/* Values of keys, after `--set KEY=`. Keys that are true or false need no row. */
static void key_values(struct completion *c, const struct cfg_key *key)
{
	static const struct {
		const char *path;
		complete_source *source;
	} rows[] = {
		{"chip.cores[].type", core_types},
		{"chip.cores[].figure", core_figures},
		{"workload.mode", workload_modes},
		{"workload.traces[].bursts.run", burst_shapes},
		{"workload.traces[].bursts.sleep", burst_shapes},
		{"workload.traces[]", files},
		{"workload.traces[].file", files},
		{"workload.traces[].bursts.file", files},
		{"workload.rtapp", files},
		{"workload.rtapp_trace", files},
		{"scheduler.policy", policies},
		{"cuts.set", cut_sets},
		{"introspection.image", images},
		{"introspection.abi", specs},
		{"introspection.trust", trusts},
	};
	static const char *const truths[] = {"true", "false", NULL};
	if (key->kinds == CFG_BOOL)
		offer_all(c, truths);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (strcmp(rows[i].path, key->path) == 0)
			rows[i].source(c);
}

/* The beginning of the value: after the =, or after the last comma of a list. */
static const char *value_of(const char *setting)
{
	const char *eq = strchr(setting, '='), *comma = eq ? strrchr(eq, ',') : NULL;
	return comma ? comma + 1 : eq ? eq + 1 : NULL;
}

/* Writes the key's path with the indexes that were typed, of what nobody has typed yet the first:
 * "chip.cores[0].type=". */
static void write_path(const char *pattern, const char *typed, char text[CFG_PATH_BYTES])
{
	size_t len = 0;
	for (; *pattern && len + 24 < CFG_PATH_BYTES; pattern++) {
		text[len++] = *pattern;
		typed += *typed && *typed == *pattern;
		if (*pattern != '[')
			continue;
		size_t digits = strspn(typed, "0123456789");
		int used = snprintf(text + len, 20, "%.*s", digits ? (int)digits : 1, digits ? typed : "0");
		len += used > 0 && used < 20 ? (size_t)used : 0;
		typed += digits;
	}
	text[len++] = '=';
	text[len] = '\0';
}

static void settings(struct completion *c)
{
	char pattern[CFG_PATH_BYTES], path[CFG_PATH_BYTES];
	const char *value = value_of(c->typed);
	if (value) {
		snprintf(path, sizeof(path), "%.*s", (int)strcspn(c->typed, "="), c->typed);
		c->typed = value;
	}
	for (int k = 0; k < NR_CONFIG_KEYS; k++) {
		const struct cfg_key *key = &config_keys[k];
		if (value) {
			if (cfg_pattern(path, pattern) && strcmp(pattern, key->path) == 0)
				key_values(c, key);
		} else if (key->kinds & ~(unsigned)(CFG_GROUP | CFG_LIST)) {
			write_path(key->path, c->typed, path);
			complete_offer(c, path, key->help, false);
		}
	}
}

/* Whether a shell takes the text literally. Names in results databases are untrusted. */
static bool is_harmless(const char *text)
{
	return text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+,:/@%[]=")] == '\0';
}

static void values_of_axis(struct completion *c, const struct query_axis *axis)
{
	for (uint64_t v = 0; v < axis->nr_values && axis->nr_values <= MAX_VALUES; v++)
		if (is_harmless(axis->labels[v].text))
			complete_offer(c, axis->labels[v].text, NULL, true);
}

/* The text typed after the axis `name`; NULL if the axis is not complete yet. */
static const char *behind_axis(const char *typed, const char *name)
{
	size_t len = strlen(name);
	return strncmp(typed, name, len) == 0 && typed[len] == '=' ? typed + len + 1 : NULL;
}

/* Names of axes, or, after a name or its last part, the axis' values. */
static void axes_of(struct completion *c, const struct query *q)
{
	for (uint32_t i = 0; i < q->nr_axes; i++) {
		const char *name = q->axes[i].name, *dot = strrchr(name, '.');
		const char *value = behind_axis(c->typed, name);
		if (!value && dot)
			value = behind_axis(c->typed, dot + 1);
		if (value) {
			c->typed = value;
			values_of_axis(c, &q->axes[i]);
			return;
		}
	}
	for (uint32_t i = 0; i < q->nr_axes; i++) {
		struct textbuf text;
		textbuf_init(&text);
		textbuf_printf(&text, "%s=", q->axes[i].name);
		if (is_harmless(text.text))
			complete_offer(c, text.text, NULL, false);
		textbuf_release_part(&text, c->answers);
	}
}

/* Those of the sweep that is asked about; where that cannot be read, all that there can be. */
static void axes(struct completion *c)
{
	struct store *store = NULL;
	struct query q = {.nr_axes = 0};
	struct sahm_err err;
	if (!*c->first || store_open(&store, c->first, STORE_READ, &err) != SAHM_OK) {
		settings(c);
		return;
	}
	if (query_begin(&q, store, c->first, c->sweep, &err) == SAHM_OK)
		axes_of(c, &q);
	else
		settings(c);
	query_release(&q);
	store_abandon(store);
}

/* Values of options and operands: `what` is an option ("--engine"), or the name of a value in help ("FILE").
 * `command` "" stands for all commands without a separate row. The first matching row is used. Values without a row
 * are not completed: numbers, and names that the user chooses. */
static const struct {
	const char *command, *what;
	complete_source *source;
} values[] = {
	{"help", "TOPIC", topics},
	{"help", "--man", man_parts},
	{"doctor", "THING", complete_doctor_rows},
	{"trace record", "COMMAND", programs},
	{"trace import", "--format", import_formats_known},
	{"", "--metric", metrics},
	{"optimize", "--bound", bounds},
	{"", "--objective", metrics},
	{"", "--suite", suites},
	{"", "--class", signing_policies},
	{"", "--abi", specs},
	{"", "--mode", modes},
	{"", "--pmu", pmu_names},
	{"", "--trust", trusts},
	{"", "--assume", counters},
	{"", "--map", counters},
	{"", "--types", core_types},
	{"", "--chip", core_types},
	{"core time", "KEY.PATH=VALUE", core_settings},
	{"core path", "KEY.PATH=VALUE", core_settings},
	{"core tma", "KEY.PATH=VALUE", core_settings},
	{"core pics", "KEY.PATH=VALUE", core_settings},
	{"core events", "KEY.PATH=VALUE", core_settings},
	{"core stat", "KEY.PATH=VALUE", core_settings},
	{"core signals", "KEY.PATH=VALUE", core_settings},
	{"core sample", "KEY.PATH=VALUE", core_settings},
	{"core whatif", "KEY.PATH=VALUE", core_settings},
	{"core graph", "KEY.PATH=VALUE", core_settings},
	{"core study", "KEY.PATH=VALUE", core_settings},
	{"core whatif", "PARTS", ideal_parts},
	{"core epochs", "KEY.PATH=VALUE", core_settings},
	{"core show", "KEY.PATH=VALUE", core_settings},
	{"", "KEY.PATH=VALUE", settings},
	{"core time", "--axis", core_settings},
	{"core path", "--axis", core_settings},
	{"core tma", "--axis", core_settings},
	{"core tma", "--formulas", formula_kinds},
	{"core tma", "--approx", approximations},
	{"core pics", "--scheme", stack_schemes},
	{"", "--axis", settings},
	{"", "--zip", settings},
	{"", "AXIS=VALUE", axes},
	{"reproduce", "ID", reproduced_ids},
	{"core time", "NAME|FILE", core_models},
	{"core path", "NAME|FILE", core_models},
	{"core tma", "NAME|FILE", core_models},
	{"core pics", "NAME|FILE", core_models},
	{"core events", "NAME|FILE", core_models},
	{"core stat", "NAME|FILE", core_models},
	{"core signals", "NAME|FILE", core_models},
	{"core sample", "NAME|FILE", core_models},
	{"core sample", "EVENTS", sampled_events},
	{"core stat", "EVENTS", counted_events},
	{"core signals", "--events", core_signals},
	{"core whatif", "NAME|FILE", core_models},
	{"core graph", "NAME|FILE", core_models},
	{"core study", "NAME|FILE", core_models},
	{"core epochs", "NAME|FILE", core_models},
	{"core show", "NAME|FILE", core_models},
	{"core specialize", "NAME|FILE", core_models},
	{"core specialize", "CORES", core_lists},
	{"", "EPOCHS", files},
	{"", "NAME|FILE", policies},
	{"", "QUESTION", questions},
	{"", "SUITE", suites},
	{"", "CPU", cpus},
	{"", "CUTS", cut_sets},
	{"ipu sign", "IMAGE", files},
	{"", "IMAGE", images},
	{"core pics", "--ipu", images},
	{"", "MODULE", files},
	{"", "MODULE.v", files},
	{"", "FILE.bpf.c", files},
	{"", "X.so", files},
	{"", "CC", programs},
	{"", "MODULE.so", files},
	{"", "DIR", folders},
	{"", "FOLDER", folders},
	{"", "FILE", files},
	{"run", "CONFIG", configs},
	{"compare", "CONFIG", configs},
	{"", "CONFIG", files},
	{"run", "TRACE", traces},
	{"compare", "TRACE", traces},
	{"compare", "--policy", policies},
	{"characterize", "TRACE", traces},
	{"core time", "COMMAND", programs},
	{"core path", "COMMAND", programs},
	{"core tma", "COMMAND", programs},
	{"core pics", "COMMAND", programs},
	{"core stat", "COMMAND", programs},
	{"core signals", "COMMAND", programs},
	{"core sample", "COMMAND", programs},
	{"core whatif", "COMMAND", programs},
	{"core study", "COMMAND", programs},
	{"", "STREAM", files},
	{"", "TRACE", files},
	{"", "RESULTS", files},
	{"", "INTO", files},
	{"", "FROM", files},
	{"", "MANIFEST", files},
	{"", "PROFILE", files},
	{"", "COMPARISON", files},
	{"", "ELF", files},
	{"", "ARG", files},
	{"", "IN", files},
	{"", "OUT", files},
	{"", "SESSION", files},
	{"", "SIGNALS", files},
};

static complete_source *source_of(const char *command, const char *what)
{
	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		if (strcmp(values[i].what, what) == 0 &&
		    (!*values[i].command || strcmp(values[i].command, command) == 0))
			return values[i].source;
	return NULL;
}

bool complete_value(struct completion *c, const char *command, const char *what)
{
	complete_source *source = source_of(command, what);
	if (source)
		source(c);
	return source;
}
