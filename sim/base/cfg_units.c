/* Numbers with units in trees, and remarks on numbers whose unit was probably mistaken. */
#include <string.h>

#include "sim/base/cfg_internal.h"
#include "sim/base/number.h"
#include "sim/base/quantity.h"

/* A walk over a tree. */
struct units_walk {
	const struct cfg_key *keys;
	size_t nr_keys;
	struct textbuf *notes; /* of remarks */
	const struct cfg_key *remarked;
	struct sahm_err *err; /* of conversions */
};

const struct cfg_key *cfg_find_unit(const struct cfg_key *keys, size_t nr_keys, const char *pattern)
{
	const struct cfg_key *key = cfg_find_key(keys, nr_keys, pattern);
	size_t len = strlen(pattern);
	/* Plain elements have no separate row. */
	if (!key && len > 2 && strcmp(pattern + len - 2, "[]") == 0) {
		char several[CFG_PATH_BYTES];
		memcpy(several, pattern, len - 2);
		several[len - 2] = '\0';
		key = cfg_find_key(keys, nr_keys, several);
	}
	return key && key->kinds & CFG_NUMBER && !(key->kinds & CFG_STRING) && *key->unit ? key : NULL;
}

static enum sahm_status convert(const struct units_walk *w, struct cfg_node *node, const struct cfg_key *key)
{
	char path[CFG_PATH_BYTES];
	struct sahm_err cause;
	decimal value;
	if (node->kind != CFG_STRING || !quantity_is_one(node->value.string))
		return SAHM_OK;
	const char *text = node->value.string;
	enum sahm_status status = quantity_read(text, strlen(text), key->unit, key->is_speedup, &value, &cause);
	if (status == SAHM_NOMEM)
		return sahm_fail_nomem(w->err);
	if (status != SAHM_OK)
		return cfg_fail(node, w->err, "'%s' %s", cfg_path(node, path), cause.msg);
	bool is_integer = value % DECIMAL_ONE == 0 && value <= (decimal)INT64_MAX * DECIMAL_ONE &&
			  value >= (decimal)INT64_MIN * DECIMAL_ONE;
	if (!is_integer && !(key->kinds & CFG_FLOAT))
		return cfg_fail(node, w->err, "'%s' is '%.60s', must be a whole number of %s", cfg_path(node, path),
				text, key->unit);
	node->has_unit = true;
	node->kind = is_integer ? CFG_INT : CFG_FLOAT;
	if (is_integer)
		node->value.integer = (int64_t)(value / DECIMAL_ONE);
	else
		node->value.real = quantity_to_double(value);
	return SAHM_OK;
}

/* The elements of an array are of one type. */
static void level(struct cfg_node *array)
{
	bool has_units = false, has_floats = false;
	for (const struct cfg_node *c = array->first; c; c = c->next) {
		has_units |= c->has_unit;
		has_floats |= c->kind == CFG_FLOAT;
	}
	for (struct cfg_node *c = array->first; c && has_units && has_floats; c = c->next)
		if (c->kind == CFG_INT) {
			c->kind = CFG_FLOAT;
			c->value.real = (double)c->value.integer;
		}
}

static enum sahm_status apply(void *ctx, struct cfg_node *node, const char *pattern)
{
	const struct units_walk *w = ctx;
	enum sahm_status status = SAHM_OK;
	if (node->kind != CFG_STRING && !(node->kind == CFG_ARRAY && node->first && node->first->kind == CFG_STRING))
		return SAHM_OK;
	const struct cfg_key *key = cfg_find_unit(w->keys, w->nr_keys, pattern);
	if (key && node->kind == CFG_STRING)
		return convert(w, node, key);
	for (struct cfg_node *c = node->first; c && key && status == SAHM_OK; c = c->next)
		status = convert(w, c, key);
	if (key && status == SAHM_OK)
		level(node);
	return status;
}

enum sahm_status cfg_apply_units(struct cfg_node *node, const char *path, const struct cfg_key *keys, size_t nr_keys,
				 struct sahm_err *err)
{
	struct units_walk w = {.keys = keys, .nr_keys = nr_keys, .err = err};
	return cfg_walk(node, path, apply, &w);
}

/* Below its usual range: -1, above: 1. */
static int side_of(const struct cfg_node *node, const struct cfg_key *key, double *value)
{
	if (!(node->kind & CFG_NUMBER) || node->has_unit)
		return 0;
	*value = node->kind == CFG_INT ? (double)node->value.integer : node->value.real;
	if (*value > 0 && *value < key->usual_min)
		return -1;
	return key->usual_max > 0 && *value > key->usual_max;
}

/* The first of the numbers of `node` that is not 0, and on which side all of them are. */
static int side_of_all(const struct cfg_node *node, const struct cfg_key *key, double *value)
{
	double other;
	int side = 0;
	if (!(node->kind & (CFG_LIST | CFG_ARRAY)))
		return side_of(node, key, value);
	for (const struct cfg_node *c = node->first; c; c = c->next) {
		bool is_zero = c->kind == CFG_INT ? c->value.integer == 0 : c->kind == CFG_FLOAT && c->value.real == 0;
		int here = is_zero ? 0 : side_of(c, key, side ? &other : value);
		if (!is_zero && (here == 0 || (side && here != side)))
			return 0;
		side = here ? here : side;
	}
	return side;
}

/* The pattern of a number is not empty: it is not the root of a file. */
static enum sahm_status remark(void *ctx, struct cfg_node *node, const char *pattern)
{
	struct units_walk *w = ctx;
	double value = 0;
	/* A list has been looked at as a whole, and is long where it is a matrix. */
	bool is_element = node->kind & CFG_NUMBER && pattern[strlen(pattern) - 1] == ']';
	bool can_be_odd = node->kind & (CFG_NUMBER | CFG_LIST | CFG_ARRAY) && !is_element;
	const struct cfg_key *key = can_be_odd ? cfg_find_key(w->keys, w->nr_keys, pattern) : NULL;
	int side = key && key != w->remarked ? side_of_all(node, key, &value) : 0;
	if (side == 0)
		return SAHM_OK;
	w->remarked = key;
	const char *words = "a factor",
		   *other = key->is_speedup ? "x" : quantity_neighbour(key->unit, side < 0, &words);
	struct textbuf text;
	struct sahm_err message;
	textbuf_init(&text);
	number_write_double(&text, value, 0);
	const char *leaf = strrchr(key->path, '.');
	const char *of = leaf ? leaf + 1 : key->path;
	if (other)
		cfg_fail(node, &message, "%s = %s is taken as %s %s; for %s write \"%s%s\"", of, text.text, text.text,
			 key->unit, words, text.text, other);
	else
		cfg_fail(node, &message, "%s = %s is taken as %s %s; for a share of %s write \"%.12g%%\"", of,
			 text.text, text.text, key->unit, text.text, value * 100);
	textbuf_printf(w->notes, "%s\n", textbuf_failed(&text) ? "" : message.msg);
	textbuf_release(&text);
	return SAHM_OK;
}

void cfg_remark_unusual(struct cfg_node *node, const char *path, const struct cfg_key *keys, size_t nr_keys,
			struct textbuf *notes)
{
	struct units_walk w = {.keys = keys, .nr_keys = nr_keys, .notes = notes};
	cfg_walk(node, path, remark, &w);
}
