#include "results/metrics/json.h"

#include <inttypes.h>
#include <math.h>

#include "sim/base/number.h"
#include "sim/base/utf8.h"

void jwrite_init(struct jwriter *j, struct textbuf *out)
{
	*j = (struct jwriter){.out = out, .first = true};
}

static void newline(struct jwriter *j)
{
	textbuf_putc(j->out, '\n');
	for (unsigned i = 0; i < j->depth; i++)
		textbuf_puts(j->out, "  ");
}

/* File names and provenance can hold anything: invalid UTF-8 is replaced. */
void json_quote(struct textbuf *out, const char *text)
{
	textbuf_putc(out, '"');
	for (const char *p = text; *p;) {
		unsigned len = utf8_len(p);
		if (*p == '"' || *p == '\\')
			textbuf_putc(out, '\\');
		if ((unsigned char)*p < 0x20)
			textbuf_printf(out, "\\u%04x", (unsigned)*p);
		else if (len == 0)
			textbuf_puts(out, "\\ufffd");
		else
			textbuf_add(out, p, len);
		p += len ? len : 1;
	}
	textbuf_putc(out, '"');
}

/* What stands in front of any value: comma, line, key. */
static void begin_value(struct jwriter *j, const char *key)
{
	if (!j->first)
		textbuf_puts(j->out, j->flat ? ", " : ",");
	if (j->depth > 0 && !j->flat)
		newline(j);
	j->first = false;
	if (key) {
		json_quote(j->out, key);
		textbuf_puts(j->out, ": ");
	}
}

static void begin(struct jwriter *j, const char *key, char bracket, bool flat)
{
	begin_value(j, key);
	textbuf_putc(j->out, bracket);
	j->depth++;
	j->flat += flat || j->flat > 0;
	j->first = true;
}

static void end(struct jwriter *j, char bracket)
{
	j->depth--;
	if (!j->first && !j->flat)
		newline(j);
	textbuf_putc(j->out, bracket);
	j->first = false;
	j->flat -= j->flat > 0;
}

void jwrite_begin_object(struct jwriter *j, const char *key)
{
	begin(j, key, '{', false);
}

void jwrite_begin_flat_object(struct jwriter *j, const char *key)
{
	begin(j, key, '{', true);
}

void jwrite_end_object(struct jwriter *j)
{
	end(j, '}');
}

void jwrite_begin_array(struct jwriter *j, const char *key, bool flat)
{
	begin(j, key, '[', flat);
}

void jwrite_end_array(struct jwriter *j)
{
	end(j, ']');
}

void jwrite_string(struct jwriter *j, const char *key, const char *value)
{
	begin_value(j, key);
	json_quote(j->out, value);
}

void jwrite_u64(struct jwriter *j, const char *key, uint64_t value)
{
	begin_value(j, key);
	textbuf_printf(j->out, "%" PRIu64, value);
}

void jwrite_i64(struct jwriter *j, const char *key, int64_t value)
{
	begin_value(j, key);
	textbuf_printf(j->out, "%" PRId64, value);
}

void jwrite_double(struct jwriter *j, const char *key, double value)
{
	begin_value(j, key);
	if (isfinite(value))
		number_write_double(j->out, value, 1);
	else
		textbuf_puts(j->out, "null");
}

void jwrite_bool(struct jwriter *j, const char *key, bool value)
{
	begin_value(j, key);
	textbuf_puts(j->out, value ? "true" : "false");
}

void jwrite_finish(struct jwriter *j)
{
	textbuf_putc(j->out, '\n');
}
