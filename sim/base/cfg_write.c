/* Trees back into text. */

#include "sim/base/cfg.h"
#include "sim/base/number.h"

static void indent(struct textbuf *b, unsigned depth)
{
	for (unsigned i = 0; i < depth; i++)
		textbuf_putc(b, '\t');
}

static void write_value(const struct cfg_node *node, unsigned depth, struct textbuf *b);

static void write_members(const struct cfg_node *group, unsigned depth, struct textbuf *b)
{
	for (const struct cfg_node *c = group->first; c; c = c->next) {
		indent(b, depth);
		textbuf_printf(b, "%s = ", c->name);
		write_value(c, depth, b);
		textbuf_puts(b, ";\n");
	}
}

/* Groups in a list are on separate lines, all else side by side. */
static void write_elements(const struct cfg_node *list, unsigned depth, struct textbuf *b)
{
	bool tall = false;
	for (const struct cfg_node *c = list->first; c; c = c->next)
		tall |= c->kind == CFG_GROUP;
	for (const struct cfg_node *c = list->first; c; c = c->next) {
		if (tall) {
			textbuf_putc(b, '\n');
			indent(b, depth + 1);
		}
		write_value(c, depth + 1, b);
		textbuf_puts(b, !c->next ? "" : tall ? "," : ", ");
	}
	if (tall) {
		textbuf_putc(b, '\n');
		indent(b, depth);
	}
}

static void write_value(const struct cfg_node *node, unsigned depth, struct textbuf *b)
{
	switch (node->kind) {
	case CFG_GROUP:
		textbuf_puts(b, "{\n");
		write_members(node, depth + 1, b);
		indent(b, depth);
		textbuf_putc(b, '}');
		break;
	case CFG_LIST:
	case CFG_ARRAY:
		textbuf_putc(b, node->kind == CFG_LIST ? '(' : '[');
		write_elements(node, depth, b);
		textbuf_putc(b, node->kind == CFG_LIST ? ')' : ']');
		break;
	case CFG_INT:
		textbuf_printf(b, "%lld%s", (long long)node->value.integer,
			       node->value.integer > INT32_MAX || node->value.integer < INT32_MIN ? "L" : "");
		break;
	case CFG_FLOAT:
		number_write_double(b, node->value.real, 1);
		break;
	case CFG_BOOL:
		textbuf_puts(b, node->value.truth ? "true" : "false");
		break;
	case CFG_STRING:
		cfg_write_string(b, node->value.string);
		break;
	}
}

void cfg_write(const struct cfg_node *root, struct textbuf *b)
{
	write_members(root, 0, b);
}
