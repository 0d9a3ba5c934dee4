/* Expressions over columns: sums, differences, products and quotients. They are kept as operations on a stack. */
#include <string.h>

#include "workloads/import/import_internal.h"

/* Most parentheses and signs within one another. */
#define MAX_DEPTH 32u
/* Numbers stay below this. */
#define FACTOR_END ((decimal)1000000000 * DECIMAL_ONE)

struct parser {
	const char *at;
	struct arena *arena;
	struct sahm_err *err;
	struct expression *e;
	unsigned depth;
};

/* A part of an expression. */
struct part {
	bool has_column;
	bool has_number; /* is a sum in which a number stands without a column */
};

static enum sahm_status parse_sum(struct parser *p, struct part *part);

static void skip_blanks(struct parser *p)
{
	p->at += strspn(p->at, " \t");
}

/* The end of a bare name or number: names hold '-', '.', ':', '/', ',', '=', and no blank or other operator. */
static size_t word_len(const char *text)
{
	return strcspn(text, " \t+*()\"");
}

static enum sahm_status add_op(struct parser *p, struct op op)
{
	if (p->e->nr_ops == MAX_OPS)
		return sahm_fail(p->err, SAHM_FORMAT, "more than %u operations", MAX_OPS);
	p->e->ops[p->e->nr_ops++] = op;
	return SAHM_OK;
}

/* A name, bare or in quotes. */
static enum sahm_status parse_name(struct parser *p, struct term *t)
{
	skip_blanks(p);
	size_t len = word_len(p->at);
	const char *start = p->at;
	if (*p->at == '"') {
		const char *close = strchr(++start, '"');
		if (!close)
			return sahm_fail(p->err, SAHM_FORMAT, "a quote is not closed");
		len = (size_t)(close - start);
		p->at = close + 1;
	} else {
		p->at += len;
	}
	if (len == 0)
		return sahm_fail(p->err, SAHM_FORMAT, *p->at ? "a name is missing before '%.20s'" : "a name is missing",
				 p->at);
	t->name = arena_strndup(p->arena, start, len);
	return t->name ? SAHM_OK : sahm_fail_nomem(p->err);
}

/* delta(name), zero(name), or with one within the other */
static enum sahm_status parse_call(struct parser *p)
{
	unsigned nr_open = 0;
	if (p->e->nr_terms == MAX_TERMS)
		return sahm_fail(p->err, SAHM_FORMAT, "more than %u terms", MAX_TERMS);
	struct term *t = &p->e->terms[p->e->nr_terms];
	for (;;) {
		size_t len = word_len(p->at);
		bool *flag = NULL;
		if (p->at[len] == '(')
			flag = len == 5 && memcmp(p->at, "delta", 5) == 0  ? &t->delta
			       : len == 4 && memcmp(p->at, "zero", 4) == 0 ? &t->zero
									   : NULL;
		if (!flag)
			break;
		*flag = true;
		nr_open++;
		p->at += len + 1;
		skip_blanks(p);
	}
	enum sahm_status status = parse_name(p, t);
	for (; status == SAHM_OK && nr_open > 0; nr_open--) {
		skip_blanks(p);
		if (*p->at++ != ')')
			return sahm_fail(p->err, SAHM_FORMAT, "')' is missing after '%s'", t->name);
	}
	skip_blanks(p);
	if (status == SAHM_OK && *p->at == '(')
		return sahm_fail(p->err, SAHM_FORMAT, "'%s' is no function (delta and zero are)", t->name);
	return status == SAHM_OK ? add_op(p, (struct op){.kind = OP_COLUMN, .term = p->e->nr_terms++}) : status;
}

static enum sahm_status parse_factor(struct parser *p, struct part *part)
{
	decimal number;
	*part = (struct part){0};
	skip_blanks(p);
	enum sahm_status status;
	if (p->depth == MAX_DEPTH)
		return sahm_fail(p->err, SAHM_FORMAT, "more than %u signs or parentheses within one another",
				 MAX_DEPTH);
	if (*p->at == '-' || *p->at == '(') {
		char opened = *p->at++;
		p->depth++;
		status = opened == '-' ? parse_factor(p, part) : parse_sum(p, part);
		p->depth--;
		if (status != SAHM_OK)
			return status;
		if (opened == '-')
			return add_op(p, (struct op){.kind = OP_NEGATE});
		skip_blanks(p);
		return *p->at++ == ')' ? SAHM_OK : sahm_fail(p->err, SAHM_FORMAT, "')' is missing");
	}
	size_t len = word_len(p->at);
	if (decimal_read(p->at, len, &number) == NUMBER_OK) {
		p->at += len;
		return number < FACTOR_END
			       ? add_op(p, (struct op){.kind = OP_NUMBER, .number = number * DECIMAL_ONE})
			       : sahm_fail(p->err, SAHM_FORMAT, "factor '%.*s' is too large", (int)len, p->at - len);
	}
	part->has_column = true;
	return parse_call(p);
}

static enum sahm_status parse_product(struct parser *p, struct part *part)
{
	enum sahm_status status = parse_factor(p, part);
	while (status == SAHM_OK) {
		struct part right;
		skip_blanks(p);
		char sign = *p->at;
		if (sign != '*' && sign != '/')
			break;
		p->at++;
		status = parse_factor(p, &right);
		if (status == SAHM_OK)
			status = add_op(p, (struct op){.kind = sign == '*' ? OP_MULTIPLY : OP_DIVIDE});
		bool is_ratio = right.has_column && (part->has_column || sign == '/');
		p->e->is_derived |= is_ratio;
		/* "x / (100 - y)": in a ratio numbers have their place. */
		part->has_number = !is_ratio && (part->has_number || right.has_number);
		part->has_column |= right.has_column;
	}
	return status;
}

static enum sahm_status parse_sum(struct parser *p, struct part *part)
{
	enum sahm_status status = parse_product(p, part);
	while (status == SAHM_OK) {
		struct part right;
		skip_blanks(p);
		char sign = *p->at;
		if (sign != '+' && sign != '-')
			break;
		p->at++;
		status = parse_product(p, &right);
		if (status == SAHM_OK)
			status = add_op(p, (struct op){.kind = sign == '+' ? OP_ADD : OP_SUBTRACT});
		part->has_number |= right.has_number || !part->has_column || !right.has_column;
		part->has_column |= right.has_column;
	}
	return status;
}

enum sahm_status expression_read(const char *text, struct arena *a, struct expression *e, struct sahm_err *err)
{
	struct parser p = {.at = text, .arena = a, .err = err, .e = e};
	struct part all;
	*e = (struct expression){.nr_ops = 0};
	enum sahm_status status = parse_sum(&p, &all);
	if (status != SAHM_OK)
		return status;
	skip_blanks(&p);
	if (*p.at)
		return sahm_fail(err, SAHM_FORMAT, "'%.40s' cannot stand there", p.at);
	if (!all.has_column)
		return sahm_fail(err, SAHM_FORMAT, "no column is named (a value is assumed with --assume)");
	if (all.has_number)
		return sahm_fail(err, SAHM_FORMAT, "a number stands without a column");
	return SAHM_OK;
}

void expression_of_column(struct expression *e, unsigned column)
{
	*e = (struct expression){
		.terms = {{.column = column}}, .nr_terms = 1, .ops = {{.kind = OP_COLUMN}}, .nr_ops = 1};
}

static bool needs_quotes(const char *name)
{
	decimal number;
	return name[0] == '-' || name[0] == '/' || strpbrk(name, " \t+*()") ||
	       decimal_read(name, strlen(name), &number) == NUMBER_OK;
}

static void write_term(const struct import *im, const struct term *t, struct textbuf *b)
{
	const char *name = im->columns[t->column].name, *quote = needs_quotes(name) ? "\"" : "";
	textbuf_printf(b, "%s%s%s%s%s%s%s", t->zero ? "zero(" : "", t->delta ? "delta(" : "", quote, name, quote,
		       t->delta ? ")" : "", t->zero ? ")" : "");
}

/* How tightly an operation binds. */
static unsigned rank_of(const struct op *op)
{
	return op->kind == OP_ADD || op->kind == OP_SUBTRACT	  ? 1
	       : op->kind == OP_MULTIPLY || op->kind == OP_DIVIDE ? 2
								  : 3;
}

/* The first operation of the part that ends with operation `end`. */
static unsigned part_begin(const struct expression *e, unsigned end)
{
	unsigned nr_needed = 1, at = end + 1;
	while (nr_needed > 0) {
		const struct op *op = &e->ops[--at];
		nr_needed += rank_of(op) < 3;
		nr_needed -= op->kind == OP_COLUMN || op->kind == OP_NUMBER;
	}
	return at;
}

/* Writes the part that ends with operation `end`, in parentheses where it binds less tightly than `rank`. */
static void write_part(const struct import *im, const struct expression *e, unsigned end, unsigned rank,
		       struct textbuf *b)
{
	static const char *const signs[] = {
		[OP_ADD] = " + ", [OP_SUBTRACT] = " - ", [OP_MULTIPLY] = " * ", [OP_DIVIDE] = " / "};
	const struct op *op = &e->ops[end];
	unsigned own = rank_of(op);
	if (op->kind == OP_COLUMN) {
		write_term(im, &e->terms[op->term], b);
	} else if (op->kind == OP_NUMBER) {
		decimal_write(b, op->number / DECIMAL_ONE);
	} else if (op->kind == OP_NEGATE) {
		textbuf_putc(b, '-');
		write_part(im, e, end - 1, own, b);
	} else {
		textbuf_puts(b, own < rank ? "(" : "");
		write_part(im, e, part_begin(e, end - 1) - 1, own, b);
		textbuf_puts(b, signs[op->kind]);
		/* a - (b - c) is not a - b - c, and a * (b / c) is rounded in another place than a * b / c. */
		write_part(im, e, end - 1, own + 1, b);
		textbuf_puts(b, own < rank ? ")" : "");
	}
}

void expression_write(const struct import *im, const struct expression *e, struct textbuf *b)
{
	write_part(im, e, e->nr_ops - 1, 0, b);
}
