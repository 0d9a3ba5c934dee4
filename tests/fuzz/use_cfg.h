/* Properties of every configuration that was read: checked against the schema, walked, written and read back. */
#ifndef SAHM_TESTS_FUZZ_USE_CFG_H
#define SAHM_TESTS_FUZZ_USE_CFG_H

#include <math.h>

#include "sim/base/number.h"
#include "sim/engine/config/run_config.h"
#include "tests/fuzz/reach.h"

static inline bool needs_wide(const struct cfg_node *n)
{
	return n->kind == CFG_INT && (n->value.integer < INT32_MIN || n->value.integer > INT32_MAX);
}

/* Elements of arrays are of one type; an array that a setting has mixed is a list. */
static inline bool is_mixed(const struct cfg_node *n)
{
	for (const struct cfg_node *c = n->first; c; c = c->next)
		if (c->kind != n->first->kind)
			return true;
	return false;
}

static inline void write_value(struct textbuf *b, const struct cfg_node *n, bool wide)
{
	const char *brackets = n->kind == CFG_GROUP ? "{}" : n->kind == CFG_ARRAY && !is_mixed(n) ? "[]" : "()";
	switch (n->kind) {
	case CFG_INT:
		textbuf_printf(b, "%lld%s", (long long)n->value.integer, wide || needs_wide(n) ? "L" : "");
		return;
	case CFG_FLOAT:
		number_write_double(b, n->value.real, 1);
		return;
	case CFG_BOOL:
		textbuf_puts(b, n->value.truth ? "true" : "false");
		return;
	case CFG_STRING:
		cfg_write_string(b, n->value.string);
		return;
	default:
		break;
	}
	wide = false;
	for (const struct cfg_node *c = n->first; c && n->kind == CFG_ARRAY; c = c->next)
		wide |= needs_wide(c);
	if (n->parent)
		textbuf_putc(b, brackets[0]);
	for (const struct cfg_node *c = n->first; c; c = c->next) {
		if (n->kind == CFG_GROUP)
			textbuf_printf(b, "%s = ", c->name);
		else if (c != n->first)
			textbuf_puts(b, ", ");
		write_value(b, c, wide);
		if (n->kind == CFG_GROUP)
			textbuf_puts(b, ";\n");
	}
	if (n->parent)
		textbuf_putc(b, brackets[1]);
}

static inline void must_be_same(const struct cfg_node *a, const struct cfg_node *b)
{
	MUST(a->kind == b->kind || (a->kind == CFG_ARRAY && b->kind == CFG_LIST && is_mixed(a)));
	MUST(!a->name == !b->name && (!a->name || strcmp(a->name, b->name) == 0));
	switch (a->kind) {
	case CFG_INT:
		MUST(a->value.integer == b->value.integer);
		break;
	case CFG_FLOAT:
		MUST(a->value.real == b->value.real && signbit(a->value.real) == signbit(b->value.real));
		break;
	case CFG_BOOL:
		MUST(a->value.truth == b->value.truth);
		break;
	case CFG_STRING:
		MUST(strcmp(a->value.string, b->value.string) == 0);
		break;
	default:
		break;
	}
	MUST(a->nr_children == b->nr_children);
	const struct cfg_node *d = b->first;
	for (const struct cfg_node *c = a->first; c; c = c->next, d = d->next)
		must_be_same(c, d);
	MUST(!d);
}

/* What is written reads back as the same tree. */
static inline void use_writing(const struct cfg_node *root)
{
	struct textbuf b;
	struct arena a = {0};
	struct cfg_node *again = NULL;
	struct sahm_err err;
	textbuf_init(&b);
	write_value(&b, root, false);
	MUST(!textbuf_failed(&b));
	if (b.len <= MAX_CFG_BYTES) {
		enum sahm_status status = cfg_read_text(&a, "again", b.text, b.len, &again, &err);
		if (status != SAHM_OK)
			fprintf(stderr, "%s:\n%s\n", err.msg, b.text);
		MUST(status == SAHM_OK);
		must_be_same(root, again);
	}
	textbuf_release(&b);
	arena_release(&a);
}

static inline void use_links(const struct cfg_node *n)
{
	char path[CFG_PATH_BYTES];
	unsigned nr = 0;
	const struct cfg_node *last = NULL;
	MUST(strlen(cfg_path(n, path)) < CFG_PATH_BYTES);
	MUST(n->file);
	for (const struct cfg_node *c = n->first; c; c = c->next, nr++) {
		MUST(c->parent == n && !c->name == (n->kind != CFG_GROUP));
		MUST(n->kind != CFG_GROUP || cfg_child(n, c->name) == c);
		use_links(c);
		last = c;
	}
	MUST(nr == n->nr_children && last == n->last);
}

/* The key that describes a node: its own, or that of its array. */
static inline const struct cfg_key *key_of(const struct cfg_node *n)
{
	char path[CFG_PATH_BYTES], pattern[CFG_PATH_BYTES];
	size_t used = 0;
	cfg_path(n, path);
	for (const char *p = path; *p; p++) {
		pattern[used++] = *p;
		if (*p == '[')
			p += strcspn(p, "]") - 1;
	}
	pattern[used] = '\0';
	for (int k = 0; k < NR_CONFIG_KEYS; k++)
		if (strcmp(config_keys[k].path, pattern) == 0)
			return &config_keys[k];
	MUST(!n->name);
	return key_of(n->parent);
}

/* Walks a tree that has passed cfg_check(): kinds are allowed, numbers are within bounds or are refused. */
static inline void use_checked(const struct cfg_node *n)
{
	struct sahm_err err;
	double value;
	for (const struct cfg_node *c = n->first; c; c = c->next) {
		const struct cfg_key *key = key_of(c);
		MUST(c->kind & (key->kinds | CFG_LIST));
		if (c->kind & CFG_NUMBER) {
			enum sahm_status status = cfg_node_number(c, key, &value, &err);
			if (status == SAHM_OK)
				MUST(value >= key->min && value <= key->max);
			else
				must_explain(&err, status, "");
		}
		if (c->kind == CFG_BOOL)
			MUST(cfg_bool(n, key) == c->value.truth);
		if (c->kind == CFG_STRING && c->name)
			MUST(cfg_string(n, key) == c->value.string);
		use_checked(c);
	}
}

#endif
