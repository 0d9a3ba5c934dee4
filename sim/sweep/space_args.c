/* Axes of the command line, as the trees that a file would have made of them. */
#include <string.h>

#include "sim/engine/config/run_config.h"
#include "sim/sweep/space_internal.h"

/* An argument that is being read. */
struct argument {
	struct space_reading *r;
	const char *label; /* what messages and places call it */
	const char *key;
	const char *value; /* after its '=' */
};

static struct cfg_node *add(struct space_reading *r, struct cfg_node *parent, enum cfg_kind kind, const char *name,
			    const char *label)
{
	struct cfg_node *node = arena_alloc(&r->scratch, 1, sizeof(*node));
	if (!node)
		return NULL;
	*node = (struct cfg_node){.kind = kind, .name = name, .file = label, .parent = parent};
	if (parent) {
		*(parent->last ? &parent->last->next : &parent->first) = node;
		parent->last = node;
		parent->nr_children++;
	}
	return node;
}

static enum sahm_status split(struct space_reading *r, const struct space_argument *argument, struct argument *arg)
{
	struct textbuf b;
	const char *eq = strchr(argument->text, '=');
	textbuf_init(&b);
	textbuf_printf(&b, "--%s %s", argument->zipped ? "zip" : "axis", argument->text);
	arg->r = r;
	arg->label = textbuf_keep(&b, &r->scratch);
	arg->key = arena_strndup(&r->scratch, argument->text, eq ? (size_t)(eq - argument->text) : 0);
	arg->value = eq ? eq + 1 : "";
	if (!arg->label || !arg->key)
		return sahm_fail_nomem(r->err);
	if (!eq || !*arg->key || !*arg->value)
		return sahm_fail(r->err, SAHM_USAGE,
				 "%s: must be written as key.path=value,value... or key.path=FIRST..LAST", arg->label);
	return SAHM_OK;
}

static enum sahm_status add_value(const struct argument *arg, unsigned kinds, const char *text, size_t len,
				  struct cfg_node *list)
{
	struct space_reading *r = arg->r;
	struct cfg_node *value = NULL;
	struct sahm_err cause;
	for (; len > 0 && *text == ' '; text++)
		len--;
	while (len > 0 && text[len - 1] == ' ')
		len--;
	char *copy = arena_strndup(&r->scratch, text, len);
	if (!copy)
		return sahm_fail_nomem(r->err);
	if (len == 0)
		return sahm_fail(r->err, SAHM_USAGE, "%s: an empty value", arg->label);
	if (space_is_range(copy))
		return sahm_fail(r->err, SAHM_USAGE, "%s: a range cannot be combined with other values", arg->label);
	enum sahm_status status = cfg_read_setting(&r->scratch, copy, kinds, arg->label, 0, &value, &cause);
	if (status == SAHM_NOMEM)
		return sahm_fail_nomem(r->err);
	if (status != SAHM_OK)
		return sahm_fail(r->err, SAHM_USAGE, "%s: '%.80s': %s", arg->label, copy, cause.msg);
	value->parent = list;
	value->name = NULL;
	value->next = NULL;
	*(list->last ? &list->last->next : &list->first) = value;
	list->last = value;
	list->nr_children++;
	return SAHM_OK;
}

/* Fills `group` with a key and its values. */
static enum sahm_status add_key(const struct argument *arg, struct cfg_node *group)
{
	struct space_reading *r = arg->r;
	unsigned kinds;
	struct sahm_err cause;
	struct cfg_node *key = add(r, group, CFG_STRING, "key", arg->label);
	if (cfg_check_path(config_keys, NR_CONFIG_KEYS, arg->key, &kinds, &cause) != SAHM_OK)
		return sahm_fail(r->err, SAHM_USAGE, "%s: %s", arg->label, cause.msg);
	bool is_range = (kinds & CFG_NUMBER) && space_is_range(arg->value);
	is_range = is_range && arg->value[cfg_value_len(arg->value)] == '\0';
	struct cfg_node *values = add(r, group, is_range ? CFG_STRING : CFG_LIST, "values", arg->label);
	if (!key || !values)
		return sahm_fail_nomem(r->err);
	key->value.string = arg->key;
	if (is_range) {
		values->value.string = arg->value;
		return SAHM_OK;
	}
	for (const char *p = arg->value;; p++) {
		size_t len = cfg_value_len(p);
		enum sahm_status status = add_value(arg, kinds, p, len, values);
		if (status != SAHM_OK)
			return status;
		p += len;
		if (!*p)
			return SAHM_OK;
	}
}

static void relabel(struct cfg_node *node, const char *label)
{
	node->file = label;
	node->line = 0;
	for (struct cfg_node *c = node->first; c; c = c->next)
		relabel(c, label);
}

/* "chip=paper", "chip=paper:each=8,fill=true": a generator, with its keys as in a file. *section: one with that axis;
 * NULL where the argument is something else. */
static enum sahm_status read_generator(const struct argument *arg, struct cfg_node **section)
{
	struct space_reading *r = arg->r;
	struct sahm_err cause;
	struct textbuf b;
	size_t len = strcspn(arg->value, ":");
	*section = NULL;
	if (strcmp(arg->key, config_keys[KEY_CHIP].path) != 0 || strchr("{", arg->value[0]))
		return SAHM_OK;
	char *name = arena_strndup(&r->scratch, arg->value, len);
	if (!name)
		return sahm_fail_nomem(r->err);
	textbuf_init(&b);
	textbuf_puts(&b, "axes = ({ generator = ");
	cfg_write_string(&b, name);
	textbuf_puts(&b, ";\n");
	for (const char *p = arg->value + len; *p; p += len) {
		len = cfg_value_len(p + 1);
		textbuf_add(&b, p + 1, len++);
		textbuf_puts(&b, "\n;");
	}
	textbuf_puts(&b, "});");
	enum sahm_status status = textbuf_failed(&b) ? sahm_fail_nomem(&cause)
						     : cfg_read_text(&r->scratch, NULL, b.text, b.len, section, &cause);
	textbuf_release(&b);
	if (status == SAHM_NOMEM)
		return sahm_fail_nomem(r->err);
	if (status == SAHM_OK && ((*section)->nr_children != 1 || (*section)->first->nr_children != 1))
		status = sahm_fail(&cause, SAHM_USAGE, "malformed keys of a generator");
	if (status != SAHM_OK)
		return sahm_fail(r->err, SAHM_USAGE, "%s: %s", arg->label, cause.msg);
	relabel(*section, arg->label);
	return space_check(r, *section);
}

/* The axis of args[*at] and of what is zipped to it. */
static enum sahm_status read_keys(const struct argument *first, const struct space_argument *args, size_t nr_args,
				  size_t *at)
{
	struct space_reading *r = first->r;
	struct cfg_node *section = add(r, NULL, CFG_GROUP, NULL, first->label);
	struct cfg_node *axes = section ? add(r, section, CFG_LIST, "axes", first->label) : NULL;
	struct cfg_node *axis = axes ? add(r, axes, CFG_GROUP, NULL, first->label) : NULL;
	bool is_zip = *at + 1 < nr_args && args[*at + 1].zipped;
	struct cfg_node *list = axis && is_zip ? add(r, axis, CFG_LIST, "zip", first->label) : axis;
	struct argument arg = *first;
	enum sahm_status status = list ? SAHM_OK : sahm_fail_nomem(r->err);
	while (status == SAHM_OK) {
		struct cfg_node *group = is_zip ? add(r, list, CFG_GROUP, NULL, arg.label) : axis;
		status = group ? add_key(&arg, group) : sahm_fail_nomem(r->err);
		if (++*at == nr_args || !args[*at].zipped || status != SAHM_OK)
			break;
		status = split(r, &args[*at], &arg);
	}
	return status == SAHM_OK ? space_read_axis(r, axis) : status;
}

enum sahm_status space_read_argument(struct space_reading *r, const struct space_argument *args, size_t nr_args,
				     size_t *at)
{
	struct argument arg;
	struct cfg_node *section;
	enum sahm_status status = split(r, &args[*at], &arg);
	if (status == SAHM_OK && args[*at].zipped)
		status = sahm_fail(r->err, SAHM_USAGE, "%s: there is no --axis before it", arg.label);
	if (status == SAHM_OK)
		status = read_generator(&arg, &section);
	if (status != SAHM_OK)
		return status;
	if (!section)
		return read_keys(&arg, args, nr_args, at);
	if (++*at < nr_args && args[*at].zipped) {
		status = split(r, &args[*at], &arg);
		return status == SAHM_OK ? sahm_fail(r->err, SAHM_USAGE,
						     "%s: nothing changes together with a generator", arg.label)
					 : status;
	}
	return space_read_axis(r, section->first->first);
}
