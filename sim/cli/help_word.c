/* `sahm help WORD`: finds a word in the program's own tables. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cores/chip/core_spec.h"
#include "cores/chip/counters.h"
#include "cores/chip/state.h"
#include "cores/uarch/core_event.h"
#include "cores/uarch/core_model.h"
#include "results/metrics/run_metrics.h"
#include "results/studies/study.h"
#include "sched/ordered/sched.h"
#include "sim/cli/help.h"
#include "sim/cli/shipped_file.h"
#include "sim/engine/config/run_config.h"
#include "sim/sweep/space.h"

#define TERM_INDENT 26u

static const struct help_item core_types[] = {
	{"baseline", "the reference core: no state runs faster on it"},
	{"branch", "a core specialised for branches: it runs states with Branch HIGH faster; joined with others by +"},
	{"l1i",
	 "a core specialised for instruction fetch: it runs states with L1I HIGH faster; joined with others by +"},
	{"l1d", "a core specialised for data access: it runs states with L1D HIGH faster; joined with others by +"},
	{"l2", "a core specialised for the L2: it runs states with L2 HIGH faster; joined with others by +"},
	{"general", "a core with the same speedup in every state, 5 % unless given"},
	{"table", "a core with 16 measured speedups, indexed by state (sahm help states)"},
	{0},
};

#define ITEM_ROW(suffix, name, help) {name, help},
static const struct help_item stalls[] = {
#define STALL ITEM_ROW
#include "cores/uarch/stall_list.h"
#undef STALL
	{0},
};

static const struct help_item prefetchers[] = {
#define PREFETCHER ITEM_ROW
#include "cores/uarch/prefetcher_list.h"
#undef PREFETCHER
	{0},
};

static const struct help_item ideals[] = {
#define IDEAL ITEM_ROW
#include "cores/uarch/ideal_list.h"
#undef IDEAL
	{0},
};

static const struct help_item path_causes[] = {
#define PATH_CAUSE(suffix, name, is_front_end, help) {name, help},
#include "cores/uarch/path_cause_list.h"
#undef PATH_CAUSE
	{"queue-NAME", "an entry of the issue queue NAME of the core"},
	{"issue-NAME", "an issue slot of that queue"},
	{"units-NAME", "a free unit of the group NAME of the core's units"},
	{"latency-CLASS", "the result of an instruction of that class, once it has issued"},
	{0},
};

static const struct help_item replacements[] = {
#define REPLACEMENT ITEM_ROW
#include "cores/uarch/replacement_list.h"
#undef REPLACEMENT
	{0},
};

static const struct help_item slot_classes[] = {
#define TMA_CLASS(suffix, parent, level, name, help) {name, help},
#include "cores/uarch/tma_list.h"
	{"units-NAME", "the units of the group NAME of the core are taken"},
	{0},
};

static const struct help_item slot_formulas[] = {
#define TMA_KIND ITEM_ROW
#include "cores/uarch/tma_list.h"
	{0},
};

static const struct help_item signal_words[] = {
#define SIGNAL(suffix, name, width, help) {name, help},
#include "cores/uarch/signal_list.h"
#undef SIGNAL
	{0},
};

static const struct help_item stack_events[] = {
#define STACK_EVENT(suffix, name, schemes, help) {name, help},
#include "cores/uarch/stack_event_list.h"
#undef STACK_EVENT
	{0},
};

static const struct help_item stack_schemes[] = {
#define STACK_SCHEME(suffix, name, events, help) {name, help},
#include "cores/uarch/stack_scheme_list.h"
#undef STACK_SCHEME
	{0},
};

/* What one table has under a name. */
struct entry {
	const char *kind, *name, *text;
	const struct cfg_key *key; /* instead of `text` */
	const char *section;	   /* of the key, before its path; or NULL */
};

typedef void entry_fn(void *ctx, const struct entry *e);

static void each_key(const char *kind, const char *section, const struct cfg_key *keys, int nr, entry_fn *take,
		     void *ctx)
{
	for (int k = 0; k < nr; k++)
		take(ctx, &(struct entry){kind, keys[k].path, NULL, &keys[k], section});
}

static void each_item(const char *kind, const struct help_item *items, entry_fn *take, void *ctx)
{
	for (; items->term; items++)
		take(ctx, &(struct entry){kind, items->term, items->text, NULL, NULL});
}

static void each_state(entry_fn *take, void *ctx)
{
	for (unsigned s = 0; s < NR_STATES; s++) {
		char text[160];
		snprintf(text, sizeof(text), "index %u; %s%s; `sahm help states` has the thresholds", s,
			 s == STATE_LOW ? "no component is HIGH" : "these are HIGH: ",
			 s == STATE_LOW ? "" : state_name(s));
		take(ctx, &(struct entry){"state", state_name(s), text, NULL, NULL});
	}
}

static void each_core_type(entry_fn *take, void *ctx)
{
	each_item("core type", core_types, take, ctx);
	for (const struct literature_row *row = literature_rows; row->name; row++) {
		char text[320];
		snprintf(text, sizeof(text), "%s: %s %% targeted, %s %% average; %s (%s)",
			 component_name(row->component), row->targeted_pct, row->average_pct, row->work, row->source);
		take(ctx, &(struct entry){"core type from published work", row->name, text, NULL, NULL});
	}
}

static void each_event(entry_fn *take, void *ctx)
{
	static const char *const kinds[] = {
#define EVENT_FAMILY(suffix, name, counters, help) "event of the family " name,
#include "cores/uarch/event_family_list.h"
#undef EVENT_FAMILY
	};
	for (unsigned f = 0; f < NR_EVENT_FAMILIES; f++)
		for (const struct core_event *e = NULL; (e = core_event_next((enum event_family)f, e));)
			take(ctx, &(struct entry){kinds[f], e->name, e->help, NULL, NULL});
}

struct core_names {
	entry_fn *take;
	void *ctx;
};

static void take_core_name(void *ctx, const char *name)
{
	const struct core_names *n = ctx;
	char text[96];
	snprintf(text, sizeof(text), "`sahm core show %s` prints its values", name);
	n->take(n->ctx, &(struct entry){"model of a core", name, text, NULL, NULL});
}

static void each_entry(entry_fn *take, void *ctx)
{
	each_key("configuration key", NULL, config_keys, NR_CONFIG_KEYS, take, ctx);
	each_key("key of a sweep", "sweep.", space_keys, NR_SPACE_KEYS, take, ctx);
	each_key("key of a comparison", NULL, study_keys, NR_STUDY_KEYS, take, ctx);
	size_t nr_core_keys;
	const struct cfg_key *core_keys = core_model_keys(&nr_core_keys);
	each_key("key of a model of a core", NULL, core_keys, (int)nr_core_keys, take, ctx);
	for (int m = 0; m < NR_RUN_METRICS; m++)
		take(ctx, &(struct entry){"metric", run_metric_rows[m].name, run_metric_rows[m].words, NULL, NULL});
	each_item("in the results of `sahm run`", help_results_items, take, ctx);
	for (int c = 0; c < NR_COUNTERS; c++)
		take(ctx,
		     &(struct entry){"counter of a trace", counter_rows[c].name, counter_rows[c].help, NULL, NULL});
	each_state(take, ctx);
	for (const struct sched_ext_ops *const *p = sched_policies; *p; p++)
		take(ctx, &(struct entry){"policy", (*p)->name, (*p)->summary, NULL, NULL});
	each_core_type(take, ctx);
	each_item("stall of a core, waiting for", stalls, take, ctx);
	each_item("cause on a critical path, waiting for", path_causes, take, ctx);
	each_item("prefetcher", prefetchers, take, ctx);
	each_item("replacement policy of a cache", replacements, take, ctx);
	each_item("ideal part of a core", ideals, take, ctx);
	each_item("class of slots (docs/top-down.md)", slot_classes, take, ctx);
	each_item("formulas for these", slot_formulas, take, ctx);
	each_item("signal of a core", signal_words, take, ctx);
	each_event(take, ctx);
	each_item("event of a cycle stack (docs/pics.md)", stack_events, take, ctx);
	each_item("sampler of cycle stacks, tagging", stack_schemes, take, ctx);
	each_item("term", help_glossary_items, take, ctx);
}

/* The last part of a key: "inertia" of "scheduler.inertia". */
static const char *last_part(const struct cfg_key *key)
{
	const char *dot = strrchr(key->path, '.');
	return dot ? dot + 1 : key->path;
}

/* "HIGH, LOW" is found as a whole, too. */
static bool is_part(const char *names, const char *word)
{
	size_t len = strlen(word);
	if (strcasecmp(names, word) == 0)
		return true;
	for (const char *at = names;;) {
		size_t part = strcspn(at, ",");
		if (part == len && strncasecmp(at, word, len) == 0)
			return true;
		at += part;
		if (!*at)
			return false;
		at += 1 + strspn(at + 1, " ");
	}
}

/* "chip.cores[1].count" is found as "chip.cores[].count", "sweep.evaluator" as "evaluator" of section "sweep.". */
static bool is_key(const struct cfg_key *key, const char *section, const char *word)
{
	if (section && strncasecmp(word, section, strlen(section)) == 0)
		word += strlen(section);
	char path[128];
	size_t nr = 0;
	for (const char *at = word; *at && nr + 1 < sizeof(path); at++)
		if (nr == 0 || path[nr - 1] != '[' || *at < '0' || *at > '9')
			path[nr++] = *at;
	path[nr] = '\0';
	return strcasecmp(key->path, path) == 0 || strcasecmp(last_part(key), path) == 0;
}

/* Whether "queue-math" or "queue-NAME" is asked for where `name` is "queue-NAME". "DR-SQ" is no family. */
static bool is_of_family(const char *name, const char *word)
{
	size_t len = strcspn(name, "-") + 1;
	return len < strlen(name) && islower((unsigned char)name[0]) && isupper((unsigned char)name[len]) &&
	       strncasecmp(name, word, len) == 0;
}

struct search {
	const char *word, *kind;
	unsigned state;
	bool is_state, found;
};

static void print_entry(void *ctx, const struct entry *e)
{
	struct search *s = ctx;
	bool same = e->key ? is_key(e->key, e->section, s->word)
			   : is_part(e->name, s->word) || is_of_family(e->name, s->word);
	if (!same && s->is_state)
		same = strcmp(e->name, state_name(s->state)) == 0;
	if (!same)
		return;
	if (!s->kind || strcmp(s->kind, e->kind) != 0)
		printf("%s%s:\n", s->found ? "\n" : "", e->kind);
	s->kind = e->kind;
	s->found = true;
	if (e->key)
		help_key(e->key);
	else
		print_item(stdout, e->name, e->text, TERM_INDENT);
}

bool help_word(const char *word)
{
	struct search s = {.word = word};
	s.is_state = state_find(word, strlen(word), &s.state);
	each_entry(print_entry, &s);
	shipped_each(&shipped_cores, data_folder(), take_core_name, &(struct core_names){print_entry, &s});
	return s.found;
}

static void offer_entry(void *ctx, const struct entry *e)
{
	suggest_offer(ctx, e->name);
	if (e->key)
		suggest_offer(ctx, last_part(e->key));
}

void help_offer_words(struct arena *a, struct suggest *s)
{
	each_entry(offer_entry, s);
	shipped_offer(&shipped_cores, data_folder(), a, s);
}
