/* Expressions over columns: sums, differences and multiples, read into a list of terms. */
#include <string.h>

#include "workloads/import/import_internal.h"

/* Most parentheses and signs within one another. */
#define MAX_DEPTH 32u
/* Factors stay below this, so that their products with counts fit 128 bits. */
#define FACTOR_END ((decimal)1000000000 * DECIMAL_ONE)

struct parser {
	const char *at;
	struct arena *arena;
	struct sahm_err *err;
	unsigned depth;
};

/* factor * name + ... + constant */
struct sum {
	struct expression e;
	decimal constant;
};

static enum sahm_status parse_sum(struct parser *p, struct sum *sum);

static void skip_blanks(struct parser *p)
{
	p->at += strspn(p->at, " \t");
}

/* The end of a bare name or number: names hold '-', '.', ':', '/', ',', '=', and no blank or other operator. */
static size_t word_len(const char *text)
{
	return strcspn(text, " \t+*()\"");
}

static bool is_product_exact(decimal a, decimal b, decimal *product)
{
	decimal p = a * b;
	*product = p / DECIMAL_ONE;
	return p % DECIMAL_ONE == 0 && *product<FACTOR_END && * product> - FACTOR_END;
}

static enum sahm_status scale(struct parser *p, struct sum *sum, decimal factor)
{
	bool ok = is_product_exact(sum->constant, factor, &sum->constant);
	for (unsigned i = 0; i < sum->e.nr_terms; i++)
		ok &= is_product_exact(sum->e.terms[i].factor, factor, &sum->e.terms[i].factor);
	return ok ? SAHM_OK : sahm_fail(p->err, SAHM_FORMAT, "a factor is too large, or has more than nine decimals");
}

static enum sahm_status add(struct parser *p, struct sum *sum, const struct sum *more, int sign)
{
	if (sum->e.nr_terms + more->e.nr_terms > MAX_TERMS)
		return sahm_fail(p->err, SAHM_FORMAT, "more than %u terms", MAX_TERMS);
	sum->constant += sign * more->constant;
	if (sum->constant >= FACTOR_END || sum->constant <= -FACTOR_END)
		return sahm_fail(p->err, SAHM_FORMAT, "a factor is too large");
	for (unsigned i = 0; i < more->e.nr_terms; i++) {
		struct term *t = &sum->e.terms[sum->e.nr_terms++];
		*t = more->e.terms[i];
		t->factor *= sign;
	}
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
static enum sahm_status parse_call(struct parser *p, struct term *t)
{
	unsigned nr_open = 0;
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
	return status;
}

static enum sahm_status parse_factor(struct parser *p, struct sum *sum)
{
	*sum = (struct sum){0};
	skip_blanks(p);
	enum sahm_status status;
	if (p->depth == MAX_DEPTH)
		return sahm_fail(p->err, SAHM_FORMAT, "more than %u signs or parentheses within one another",
				 MAX_DEPTH);
	if (*p->at == '-' || *p->at == '(') {
		char opened = *p->at++;
		p->depth++;
		status = opened == '-' ? parse_factor(p, sum) : parse_sum(p, sum);
		p->depth--;
		if (status != SAHM_OK)
			return status;
		if (opened == '-')
			return scale(p, sum, -DECIMAL_ONE);
		skip_blanks(p);
		return *p->at++ == ')' ? SAHM_OK : sahm_fail(p->err, SAHM_FORMAT, "')' is missing");
	}
	size_t len = word_len(p->at);
	if (decimal_read(p->at, len, &sum->constant) == NUMBER_OK) {
		p->at += len;
		return sum->constant < FACTOR_END
			       ? SAHM_OK
			       : sahm_fail(p->err, SAHM_FORMAT, "factor '%.*s' is too large", (int)len, p->at - len);
	}
	sum->e.nr_terms = 1;
	sum->e.terms[0].factor = DECIMAL_ONE;
	return parse_call(p, &sum->e.terms[0]);
}

static enum sahm_status parse_product(struct parser *p, struct sum *sum)
{
	enum sahm_status status = parse_factor(p, sum);
	while (status == SAHM_OK) {
		struct sum right;
		skip_blanks(p);
		if (*p->at != '*')
			break;
		p->at++;
		status = parse_factor(p, &right);
		if (status != SAHM_OK)
			break;
		if (sum->e.nr_terms && right.e.nr_terms)
			return sahm_fail(p->err, SAHM_FORMAT, "columns cannot be multiplied with one another");
		if (sum->e.nr_terms) {
			status = scale(p, sum, right.constant);
		} else {
			status = scale(p, &right, sum->constant);
			*sum = right;
		}
	}
	return status;
}

static enum sahm_status parse_sum(struct parser *p, struct sum *sum)
{
	enum sahm_status status = parse_product(p, sum);
	while (status == SAHM_OK) {
		struct sum right;
		skip_blanks(p);
		char sign = *p->at;
		if (sign != '+' && sign != '-')
			break;
		p->at++;
		status = parse_product(p, &right);
		if (status == SAHM_OK)
			status = add(p, sum, &right, sign == '+' ? 1 : -1);
	}
	return status;
}

enum sahm_status expression_read(const char *text, struct arena *a, struct expression *e, struct sahm_err *err)
{
	struct parser p = {.at = text, .arena = a, .err = err};
	struct sum sum;
	enum sahm_status status = parse_sum(&p, &sum);
	if (status != SAHM_OK)
		return status;
	skip_blanks(&p);
	if (*p.at)
		return sahm_fail(err, SAHM_FORMAT, "'%.40s' cannot stand there", p.at);
	if (sum.e.nr_terms == 0)
		return sahm_fail(err, SAHM_FORMAT, "no column is named (a value is assumed with --assume)");
	if (sum.constant != 0)
		return sahm_fail(err, SAHM_FORMAT, "a number stands without a column");
	for (unsigned i = 0; i < sum.e.nr_terms; i++) {
		struct term *t = &sum.e.terms[i];
		decimal size = t->factor < 0 ? -t->factor : t->factor;
		t->largest = EXACT_END / (size ? size : 1);
	}
	*e = sum.e;
	return SAHM_OK;
}
