#include "ipu/unit/mode.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/array.h"
#include "sim/base/number.h"
#include "sim/base/suggest.h"

static const struct mode_row {
	enum ipu_mismatch mismatch;
	const char *name, *argument;
	uint32_t most;
} rows[] = {
#define MODE(symbol, name, argument, most, help) {IPU_##symbol, name, argument, most},
#include "ipu/unit/mode_list.h"
#undef MODE
};

enum { NR_ROWS = ARRAY_SIZE(rows) };

static enum sahm_status read_argument(const struct mode_row *row, const char *text, const char *prefix,
				      struct ipu_mode *mode, struct sahm_err *err)
{
	const char *digits = strchr(text, '=');
	uint64_t arg = 0;
	if (!*row->argument && digits)
		return sahm_fail(err, SAHM_USAGE, "%smode is '%s', but '%s' takes no number", prefix, text, row->name);
	if (*row->argument && (!digits || number_read_u64(digits + 1, strlen(digits + 1), &arg) != NUMBER_OK ||
			       arg < 1 || arg > row->most))
		return sahm_fail(err, SAHM_USAGE, "%smode is '%s', must be %s=%s, a whole number from 1 to %" PRIu32,
				 prefix, text, row->name, row->argument, row->most);
	*mode = (struct ipu_mode){row->mismatch, (uint32_t)arg};
	return SAHM_OK;
}

enum sahm_status ipu_mode_read(const char *text, const char *prefix, struct ipu_mode *mode, struct sahm_err *err)
{
	size_t len = strcspn(text, "=");
	char name[32], near[SUGGEST_BYTES];
	struct suggest s;
	snprintf(name, sizeof(name), "%.*s", (int)(len < sizeof(name) ? len : sizeof(name) - 1), text);
	suggest_init(&s, name);
	for (int i = 0; i < NR_ROWS; i++) {
		if (strcmp(name, rows[i].name) == 0)
			return read_argument(&rows[i], text, prefix, mode, err);
		suggest_offer(&s, rows[i].name);
	}
	return sahm_fail(err, SAHM_USAGE, "%smode is '%s', must be every, sub-sample=K, window=N or phases=MHZ%s",
			 prefix, text, suggest_text(&s, near));
}

void ipu_mode_write(const struct ipu_mode *mode, struct textbuf *out)
{
	const struct mode_row *row = rows;
	while (row->mismatch != mode->mismatch)
		row++;
	textbuf_puts(out, row->name);
	if (*row->argument)
		textbuf_printf(out, "=%" PRIu32, mode->arg);
}
