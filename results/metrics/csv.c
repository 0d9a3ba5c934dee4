#include "results/metrics/csv.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "sim/base/number.h"

static void separate(struct textbuf *out)
{
	if (out->len > 0 && out->text[out->len - 1] != '\n')
		textbuf_putc(out, ',');
}

void csv_string(struct textbuf *out, const char *text)
{
	separate(out);
	if (*text && !strpbrk(text, ",\"\r\n")) {
		textbuf_puts(out, text);
		return;
	}
	textbuf_putc(out, '"');
	for (; *text; text++) {
		if (*text == '"')
			textbuf_putc(out, '"');
		textbuf_putc(out, *text);
	}
	textbuf_putc(out, '"');
}

void csv_u64(struct textbuf *out, uint64_t value)
{
	separate(out);
	textbuf_printf(out, "%" PRIu64, value);
}

void csv_i64(struct textbuf *out, int64_t value)
{
	separate(out);
	textbuf_printf(out, "%" PRId64, value);
}

void csv_double(struct textbuf *out, double value)
{
	separate(out);
	/* Whole numbers stay whole for readers that expect them so, as far as they are exact. */
	if (isfinite(value) && value == floor(value) && fabs(value) < 9007199254740992.0)
		textbuf_printf(out, "%.0f", value + 0.0);
	else if (isfinite(value))
		number_write_double(out, value, 0);
}

void csv_end_row(struct textbuf *out)
{
	textbuf_putc(out, '\n');
}
