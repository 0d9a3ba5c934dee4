#include "results/studies/study.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sched/policies/policies.h"
#include "sim/base/array.h"
#include "sim/base/file.h"
#include "sim/base/suggest.h"
#include "sim/engine/config/run_config.h"

const struct cfg_key study_keys[] = {STUDY_KEYS(CFG_KEY_ROW)};

/* A study that is being read. */
struct reading {
	struct study *study;
	const struct cfg_node *root;
	const char *data_folder;
	struct sahm_err *err;
};

static const struct cfg_node *member(const struct cfg_node *group, enum study_key key)
{
	return cfg_member(group, &study_keys[key]);
}

static enum sahm_status fail_missing(const struct reading *r, const struct cfg_node *group, enum study_key key)
{
	return cfg_fail(group, r->err, "missing key '%s': %s", study_keys[key].path, study_keys[key].help);
}

/* A string that, if it is there, says something; NULL where it is not. */
static enum sahm_status read_string(const struct reading *r, const struct cfg_node *group, enum study_key key,
				    const char **value)
{
	const struct cfg_node *node = member(group, key);
	*value = node ? node->value.string : NULL;
	if (node && !**value)
		return cfg_fail(node, r->err, "'%s' is empty", study_keys[key].path);
	return SAHM_OK;
}

static enum sahm_status read_required(const struct reading *r, const struct cfg_node *group, enum study_key key,
				      const char **value)
{
	enum sahm_status status = read_string(r, group, key, value);
	return status == SAHM_OK && !*value ? fail_missing(r, group, key) : status;
}

/* `first`, then `second` if it is not empty with a '/' between them, then `third`; from the arena, NULL when memory is
 * short. */
static const char *join(const struct reading *r, const char *first, size_t first_len, const char *second,
			const char *third)
{
	struct textbuf b;
	textbuf_init(&b);
	textbuf_add(&b, first, first_len);
	textbuf_printf(&b, "%s%s", second, third);
	const char *path = textbuf_failed(&b) ? NULL : arena_strdup(&r->study->arena, b.text);
	textbuf_release(&b);
	return path;
}

/* `name` beside the file of `node`. */
static const char *beside(const struct reading *r, const struct cfg_node *node, const char *name)
{
	bool in_file = strcmp(node->file, STDIN_LABEL) != 0 && name[0] != '/';
	return join(r, node->file, in_file ? (size_t)(base_name(node->file) - node->file) : 0, "", name);
}

/* Finds the file that a key names: beside the study, then in the data folder, where "../" leads nowhere. */
static enum sahm_status find_file(const struct reading *r, const struct cfg_node *node, const char *what,
				  const char **path)
{
	static const char *const rooms[] = {"/", "/configs/"};
	const char *name = node->value.string, *below = name;
	*path = beside(r, node, name);
	if (!*path)
		return sahm_fail_nomem(r->err);
	bool found = access(*path, R_OK) == 0, failed = !found && !file_is_absent(errno);
	while (strncmp(below, "../", 3) == 0)
		below += 3;
	for (size_t i = 0; i < ARRAY_SIZE(rooms) && r->data_folder && name[0] != '/' && !found && !failed; i++) {
		*path = join(r, r->data_folder, strlen(r->data_folder), rooms[i], below);
		if (!*path)
			return sahm_fail_nomem(r->err);
		found = access(*path, R_OK) == 0;
		failed = !found && !file_is_absent(errno);
	}
	if (failed)
		return cfg_fail(node, r->err, "cannot look for %s '%s': %s", what, name, strerror(errno));
	if (found)
		return SAHM_OK;
	return cfg_fail(node, r->err, "there is no %s '%s' beside the comparison or in the data folder", what, name);
}

static enum sahm_status read_settings(const struct reading *r, const struct cfg_node *group, enum study_key key,
				      struct study_settings *settings)
{
	const struct cfg_node *list = member(group, key);
	*settings = (struct study_settings){0};
	if (!list)
		return SAHM_OK;
	settings->text = arena_alloc(&r->study->arena, list->nr_children, sizeof(*settings->text));
	if (!settings->text)
		return sahm_fail_nomem(r->err);
	for (const struct cfg_node *n = list->first; n; n = n->next)
		settings->text[settings->nr++] = n->value.string;
	return SAHM_OK;
}

static enum sahm_status read_costs(const struct reading *r)
{
	struct study *study = r->study;
	const struct cfg_node *node = member(r->root, STUDY_COSTS);
	if (!node)
		return fail_missing(r, r->root, STUDY_COSTS);
	bool is_several = node->kind & (CFG_ARRAY | CFG_LIST);
	const struct cfg_node *one = is_several ? node->first : node;
	study->costs_ms = arena_alloc(&study->arena, MAX_STUDY_COSTS, sizeof(*study->costs_ms));
	if (!study->costs_ms)
		return sahm_fail_nomem(r->err);
	if (!one)
		return cfg_fail(node, r->err, "'costs_ms' is empty");
	for (; one; one = is_several ? one->next : NULL) {
		double ms;
		enum sahm_status status = cfg_node_number(one, &study_keys[STUDY_COSTS], &ms, r->err);
		if (status != SAHM_OK)
			return status;
		if (study->nr_costs == MAX_STUDY_COSTS)
			return cfg_fail(one, r->err, "more than %u costs", MAX_STUDY_COSTS);
		if (study->nr_costs > 0 && ms <= study->costs_ms[study->nr_costs - 1])
			return cfg_fail(one, r->err, "a cost of %g ms after %g ms: costs must rise", ms,
					study->costs_ms[study->nr_costs - 1]);
		study->costs_ms[study->nr_costs++] = ms;
	}
	return SAHM_OK;
}

/* Name of a plug-in without one: its file, without folder and ".so". */
static const char *short_name(const struct reading *r, const char *policy)
{
	const char *name = base_name(policy);
	size_t len = strlen(name);
	return arena_strndup(&r->study->arena, name, len > 3 && strcmp(name + len - 3, ".so") == 0 ? len - 3 : len);
}

static bool is_file_of_plugin(const char *policy)
{
	size_t len = strlen(policy);
	return strchr(policy, '/') || (len > 3 && strcmp(policy + len - 3, ".so") == 0);
}

/* A missing name is reported before other errors of the comparison. */
static enum sahm_status check_policy(const struct reading *r, const struct cfg_node *node, const char *name)
{
	struct textbuf names;
	char near[SUGGEST_BYTES];
	struct suggest s;
	if (sched_policy_find(name))
		return SAHM_OK;
	textbuf_init(&names);
	suggest_init(&s, name);
	for (const struct sched_ext_ops *const *p = sched_policies; *p; p++) {
		textbuf_printf(&names, "%s%s", p == sched_policies ? "" : ", ", (*p)->name);
		suggest_offer(&s, (*p)->name);
	}
	enum sahm_status status = textbuf_failed(&names) ? sahm_fail_nomem(r->err)
							 : cfg_fail(node, r->err, "unknown policy '%.80s' (%s)%s", name,
								    names.text, suggest_text(&s, near));
	textbuf_release(&names);
	return status;
}

static enum sahm_status read_policy(const struct reading *r, const struct cfg_node *node, struct study_policy *p)
{
	double inertia = 0;
	*p = (struct study_policy){.node = node,
				   .oracle = cfg_bool(node, &study_keys[STUDY_POLICY_ORACLE]),
				   .has_inertia = member(node, STUDY_POLICY_INERTIA) != NULL};
	enum sahm_status status = read_required(r, node, STUDY_POLICY_POLICY, &p->policy);
	if (status == SAHM_OK)
		status = read_string(r, node, STUDY_POLICY_NAME, &p->name);
	if (status == SAHM_OK && !p->name)
		p->name = short_name(r, p->policy);
	if (status == SAHM_OK && is_file_of_plugin(p->policy)) {
		p->policy = beside(r, node, p->policy);
		/* A name without a '/' would be that of a policy that came with sahm. */
		if (p->policy && !strchr(p->policy, '/'))
			p->policy = join(r, "./", 2, "", p->policy);
	} else if (status == SAHM_OK) {
		status = check_policy(r, member(node, STUDY_POLICY_POLICY), p->policy);
	}
	if (status == SAHM_OK && (!p->policy || !p->name))
		status = sahm_fail_nomem(r->err);
	if (status == SAHM_OK && p->has_inertia)
		status = cfg_number(node, &study_keys[STUDY_POLICY_INERTIA], &inertia, r->err);
	p->inertia = (uint32_t)inertia;
	return status == SAHM_OK ? read_settings(r, node, STUDY_POLICY_SETS, &p->settings) : status;
}

static enum sahm_status read_policies(const struct reading *r)
{
	struct study *study = r->study;
	const struct cfg_node *list = member(r->root, STUDY_POLICIES);
	enum sahm_status status = SAHM_OK;
	if (!list)
		return fail_missing(r, r->root, STUDY_POLICIES);
	if (list->nr_children < 1 || list->nr_children > MAX_STUDY_POLICIES)
		return cfg_fail(list, r->err, "%u policies, must be from 1 to %u", list->nr_children,
				MAX_STUDY_POLICIES);
	study->policies = arena_alloc(&study->arena, list->nr_children, sizeof(*study->policies));
	if (!study->policies)
		return sahm_fail_nomem(r->err);
	for (const struct cfg_node *n = list->first; n && status == SAHM_OK; n = n->next) {
		struct study_policy *p = &study->policies[study->nr_policies];
		status = read_policy(r, n, p);
		for (uint32_t i = 0; i < study->nr_policies && status == SAHM_OK; i++)
			if (strcmp(study->policies[i].name, p->name) == 0)
				status = cfg_fail(n, r->err, "two policies are called '%s': give one another 'name'",
						  p->name);
		study->nr_policies++;
	}
	return status;
}

static enum sahm_status read_suite(const struct reading *r, const struct cfg_node *node, struct study_suite *s)
{
	const struct cfg_node *seed = member(node, STUDY_SUITE_SEED);
	double checked;
	*s = (struct study_suite){.node = node, .has_seed = seed != NULL};
	enum sahm_status status = read_required(r, node, STUDY_SUITE_NAME, &s->name);
	if (status == SAHM_OK)
		status = read_required(r, node, STUDY_SUITE_CONFIG, &s->config);
	if (status == SAHM_OK)
		status = find_file(r, member(node, STUDY_SUITE_CONFIG), "configuration", &s->config);
	if (status == SAHM_OK)
		status = read_string(r, node, STUDY_SUITE_PROFILE, &s->profile);
	if (status == SAHM_OK && s->profile)
		status = find_file(r, member(node, STUDY_SUITE_PROFILE), "profile", &s->profile);
	if (status == SAHM_OK && seed && !s->profile)
		status = cfg_fail(seed, r->err, "'seed' has no effect without a profile");
	if (status == SAHM_OK && seed)
		status = cfg_node_number(seed, &study_keys[STUDY_SUITE_SEED], &checked, r->err);
	if (status == SAHM_OK && seed)
		s->seed = (uint64_t)seed->value.integer;
	return status == SAHM_OK ? read_settings(r, node, STUDY_SUITE_SETS, &s->settings) : status;
}

static enum sahm_status read_suites(const struct reading *r)
{
	struct study *study = r->study;
	const struct cfg_node *list = member(r->root, STUDY_SUITES);
	enum sahm_status status = SAHM_OK;
	if (!list)
		return fail_missing(r, r->root, STUDY_SUITES);
	if (list->nr_children < 1 || list->nr_children > MAX_STUDY_SUITES)
		return cfg_fail(list, r->err, "%u suites, must be from 1 to %u", list->nr_children, MAX_STUDY_SUITES);
	study->suites = arena_alloc(&study->arena, list->nr_children, sizeof(*study->suites));
	if (!study->suites)
		return sahm_fail_nomem(r->err);
	for (const struct cfg_node *n = list->first; n && status == SAHM_OK; n = n->next) {
		struct study_suite *s = &study->suites[study->nr_suites];
		status = read_suite(r, n, s);
		for (uint32_t i = 0; i < study->nr_suites && status == SAHM_OK; i++)
			if (strcmp(study->suites[i].name, s->name) == 0)
				status = cfg_fail(n, r->err, "two suites are called '%s'", s->name);
		study->nr_suites++;
	}
	return status;
}

/* Which policy or suite a key names; `index` stays as it is where the key is absent. */
static enum sahm_status read_reference(const struct reading *r, const struct cfg_node *group, enum study_key key,
				       uint32_t *index)
{
	const struct study *study = r->study;
	const struct cfg_node *node = member(group, key);
	bool is_suite = key == STUDY_CLAIM_SUITE;
	uint32_t nr = is_suite ? study->nr_suites : study->nr_policies;
	char near[SUGGEST_BYTES];
	struct suggest s;
	if (!node)
		return SAHM_OK;
	suggest_init(&s, node->value.string);
	for (uint32_t i = 0; i < nr; i++) {
		const char *name = is_suite ? study->suites[i].name : study->policies[i].name;
		suggest_offer(&s, name);
		if (strcmp(name, node->value.string) != 0)
			continue;
		*index = i;
		return SAHM_OK;
	}
	return cfg_fail(node, r->err, "no %s of the comparison is called '%.80s'%s", is_suite ? "suite" : "policy",
			node->value.string, suggest_text(&s, near));
}

/* The metric that a claim is about, and where it comes from. */
static enum sahm_status read_claim_words(const struct reading *r, const struct cfg_node *node, struct study_claim *c)
{
	const struct cfg_node *metric = member(node, STUDY_CLAIM_METRIC);
	const struct cfg_node *published = member(node, STUDY_CLAIM_PUBLISHED);
	enum sahm_status status = read_string(r, node, STUDY_CLAIM_SOURCE, &c->source);
	if (status == SAHM_OK)
		status = read_string(r, node, STUDY_CLAIM_PUBLISHED, &c->published);
	if (status != SAHM_OK)
		return status;
	const struct cfg_node *only = metric ? metric : c->source ? member(node, STUDY_CLAIM_SOURCE) : published;
	if (only && c->kind != CLAIM_ABOVE)
		return cfg_fail(only, r->err, "'%s' goes with 'above'", only->name);
	if (published && !c->source)
		return cfg_fail(published, r->err, "'published' needs a 'source'");
	const struct cfg_node *required = member(node, STUDY_CLAIM_REQUIRED);
	if (c->source && required && c->required)
		return cfg_fail(required, r->err, "a claim with a 'source' is about other systems, and never required");
	c->required = c->required && !c->source;
	c->metric = RUN_METRIC_speedup_mean;
	if (!metric)
		return SAHM_OK;
	char near[SUGGEST_BYTES];
	struct suggest s;
	suggest_init(&s, metric->value.string);
	for (unsigned i = 0; i < NR_RUN_METRICS; i++) {
		suggest_offer(&s, run_metric_rows[i].name);
		if (strcmp(run_metric_rows[i].name, metric->value.string) != 0)
			continue;
		c->metric = (enum run_metric)i;
		if (run_metric_direction(c->metric) == 0)
			return cfg_fail(metric, r->err, "neither more nor less of '%s' is better",
					run_metric_rows[i].name);
		return SAHM_OK;
	}
	return cfg_fail(metric, r->err, "no metric is called '%.80s'%s", metric->value.string, suggest_text(&s, near));
}

static enum sahm_status read_claim(const struct reading *r, const struct cfg_node *node, struct study_claim *c)
{
	static const enum study_key keys[] = {
		[CLAIM_ABOVE] = STUDY_CLAIM_ABOVE,
		[CLAIM_LOSS] = STUDY_CLAIM_LOSS,
		[CLAIM_SHARE] = STUDY_CLAIM_SHARE,
		[CLAIM_BEST] = STUDY_CLAIM_BEST,
	};
	unsigned nr_kinds = 0;
	*c = (struct study_claim){.policy = r->study->subject,
				  .other = r->study->reference,
				  .node = node,
				  .required = cfg_bool(node, &study_keys[STUDY_CLAIM_REQUIRED])};
	for (size_t kind = 0; kind < ARRAY_SIZE(keys); kind++)
		if (member(node, keys[kind])) {
			c->kind = (enum claim_kind)kind;
			nr_kinds++;
		}
	if (nr_kinds != 1)
		return cfg_fail(node, r->err,
				"a claim has one of 'above', 'max_loss_points', 'min_share_pct' and "
				"'max_below_best_points', not %u",
				nr_kinds);
	enum sahm_status status = read_reference(r, node, STUDY_CLAIM_POLICY, &c->policy);
	if (status == SAHM_OK)
		status = read_reference(r, node, STUDY_CLAIM_SUITE, &c->suite);
	if (status == SAHM_OK && c->kind == CLAIM_ABOVE)
		status = read_reference(r, node, STUDY_CLAIM_ABOVE, &c->other);
	if (status == SAHM_OK && c->kind != CLAIM_ABOVE)
		status = cfg_number(node, &study_keys[keys[c->kind]], &c->bound, r->err);
	if (status == SAHM_OK)
		status = read_claim_words(r, node, c);
	if (status == SAHM_OK && c->policy == STUDY_NONE)
		status = cfg_fail(node, r->err, "the claim names no policy, and the comparison has no 'subject'");
	bool any_without = false;
	for (uint32_t i = 0; i < r->study->nr_policies; i++)
		any_without |= !r->study->policies[i].oracle;
	if (status == SAHM_OK && c->kind == CLAIM_BEST && !any_without)
		status = cfg_fail(node, r->err, "'max_below_best_points' needs a policy without the oracle");
	if (status == SAHM_OK && c->kind == CLAIM_ABOVE && c->policy == c->other)
		status = cfg_fail(member(node, STUDY_CLAIM_ABOVE), r->err, "no policy is above itself: '%.80s'",
				  r->study->policies[c->other].name);
	if (status == SAHM_OK && c->kind == CLAIM_SHARE && c->other == STUDY_NONE)
		status = cfg_fail(node, r->err,
				  "'min_share_pct' is of the reference, and the comparison "
				  "has no 'reference'");
	return status;
}

static enum sahm_status read_claims(const struct reading *r)
{
	struct study *study = r->study;
	const struct cfg_node *list = member(r->root, STUDY_CLAIMS);
	study->subject = study->reference = STUDY_NONE;
	enum sahm_status status = read_reference(r, r->root, STUDY_SUBJECT, &study->subject);
	if (status == SAHM_OK)
		status = read_reference(r, r->root, STUDY_REFERENCE, &study->reference);
	if (status != SAHM_OK || !list)
		return status;
	study->claims = arena_alloc(&study->arena, list->nr_children, sizeof(*study->claims));
	if (!study->claims)
		return sahm_fail_nomem(r->err);
	for (const struct cfg_node *n = list->first; n && status == SAHM_OK; n = n->next)
		status = read_claim(r, n, &study->claims[study->nr_claims++]);
	return status;
}

/* The tree has been read into the study's arena, or that has failed. */
static enum sahm_status read_tree(struct study *study, struct cfg_node *root, const char *data_folder,
				  enum sahm_status status, struct sahm_err *err)
{
	const struct reading r = {.study = study, .root = root, .data_folder = data_folder, .err = err};
	const struct cfg_node *chip = status == SAHM_OK ? cfg_child(root, "chip") : NULL;
	if (chip)
		status = cfg_fail(chip, err,
				  "a configuration, not a comparison; a comparison names it in suites[].config");
	if (status == SAHM_OK)
		status = cfg_apply_units(root, "", study_keys, NR_STUDY_KEYS, err);
	if (status == SAHM_OK)
		status = cfg_check(root, study_keys, NR_STUDY_KEYS, err);
	if (status == SAHM_OK)
		status = read_costs(&r);
	if (status == SAHM_OK)
		status = read_policies(&r);
	if (status == SAHM_OK)
		status = read_suites(&r);
	if (status == SAHM_OK)
		status = read_claims(&r);
	if (status != SAHM_OK)
		study_release(study);
	return status;
}

enum sahm_status study_read(struct study *study, const char *path, const char *data_folder, struct sahm_err *err)
{
	struct cfg_node *root = NULL;
	*study = (struct study){.file = file_label(path)};
	arena_init(&study->arena);
	enum sahm_status status = cfg_read_or_suggest(&study->arena, path, data_folder, "configs/studies/", &root, err);
	return read_tree(study, root, data_folder, status, err);
}

enum sahm_status study_read_text(struct study *study, const char *file, const char *text, size_t len,
				 const char *data_folder, struct sahm_err *err)
{
	struct cfg_node *root = NULL;
	*study = (struct study){.file = file};
	arena_init(&study->arena);
	enum sahm_status status = cfg_read_text(&study->arena, file, text, len, &root, err);
	return read_tree(study, root, data_folder, status, err);
}

enum sahm_status study_find_out(const char *path, bool *is_one, struct sahm_err *err)
{
	struct cfg_node *root = NULL;
	struct arena a;
	arena_init(&a);
	enum sahm_status status = cfg_read_file(&a, path, &root, err);
	*is_one = status == SAHM_OK &&
		  (cfg_child(root, "suites") || cfg_child(root, "policies") || cfg_child(root, "costs_ms"));
	arena_release(&a);
	return status == SAHM_NOMEM ? status : SAHM_OK;
}

void study_release(struct study *study)
{
	arena_release(&study->arena);
	*study = (struct study){0};
}
