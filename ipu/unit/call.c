#include "ipu/unit/call.h"

#include <inttypes.h>
#include <string.h>

#include "ipu/unit/call_internal.h"
#include "sim/base/array.h"
#include "sim/base/lines.h"
#include "sim/base/number.h"

static const char *const call_names[NR_IPU_CALLS] = {
#define CALL(symbol, id, name, operand, summary, details) name,
#define OPERAND(call, argument, name, value, kind, min, max, help)
#define OPTION(call, argument, needed, name, value, kind, min, max, help)
#define END(call)
#include "ipu/unit/session_call_list.h"
#undef CALL
#undef OPERAND
#undef OPTION
#undef END
};

const struct argument_row ipu_argument_rows[] = {
#define CALL(symbol, id, name, operand, summary, details)
#define OPERAND(call, argument, name, value, kind, min, max, help)                                                     \
	{IPU_CALL_##call, IPU_ARG_##argument, VALUE_##kind, true, name, value, min, max},
#define OPTION(call, argument, needed, name, value, kind, min, max, help)                                              \
	{IPU_CALL_##call, IPU_ARG_##argument, VALUE_##kind, needed, name, value, min, max},
#define END(call)
#include "ipu/unit/session_call_list.h"
#undef CALL
#undef OPERAND
#undef OPTION
#undef END
};

const size_t nr_ipu_argument_rows = ARRAY_SIZE(ipu_argument_rows);

const char *ipu_call_name(enum ipu_call_kind kind)
{
	return call_names[kind];
}

static const struct argument_row *find_row(enum ipu_call_kind kind, enum ipu_argument argument)
{
	const struct argument_row *row = ipu_argument_rows;
	while (row->call != kind || row->argument != argument)
		row++;
	return row;
}

static enum sahm_status set_number(struct ipu_call *call, const struct argument_row *row, const char *text,
				   const char *prefix, struct sahm_err *err)
{
	uint64_t *value = &call->numbers[row->argument];
	bool is_all = row->kind == VALUE_UNIT && strcmp(text, "all") == 0;
	enum number_fault fault =
		row->kind == VALUE_SIZE ? number_read_size(text, value) : number_read_u64(text, strlen(text), value);
	if (row->kind == VALUE_ADDRESS) {
		if (number_read_size(text, value) != NUMBER_OK)
			return sahm_fail(err, SAHM_USAGE,
					 "%s%s is '%s', must be a whole number below 2^64, hexadecimal after 0x",
					 prefix, row->name, text);
	} else if (is_all) {
		*value = IPU_ALL_UNITS;
	} else if (fault != NUMBER_OK || *value < row->min || *value > row->max) {
		return sahm_fail(err, SAHM_USAGE, "%s%s is '%s', must be %sa whole number from %" PRIu64 " to %" PRIu64,
				 prefix, row->name, text, row->kind == VALUE_UNIT ? "'all' or " : "", row->min,
				 row->max);
	}
	return SAHM_OK;
}

static enum sahm_status add_setting(struct ipu_call *call, struct arena *a, const char *text, struct sahm_err *err)
{
	if (call->nr_settings == call->settings_room) {
		size_t room = call->settings_room ? 2 * call->settings_room : 4;
		const char **more = arena_alloc(a, room, sizeof(*more));
		if (!more)
			return sahm_fail_nomem(err);
		if (call->nr_settings)
			memcpy(more, call->settings, call->nr_settings * sizeof(*more));
		call->settings = more;
		call->settings_room = room;
	}
	char *copy = arena_strdup(a, text);
	if (!copy)
		return sahm_fail_nomem(err);
	call->settings[call->nr_settings++] = copy;
	return SAHM_OK;
}

/* What a line of a journal cannot hold. */
static bool has_control(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < 0x20 || *text == 0x7f)
			return true;
	return false;
}

static enum sahm_status set_file(struct ipu_call_file *file, struct arena *a, const struct argument_row *row,
				 const char *text, const char *prefix, struct sahm_err *err)
{
	if (!*text || strcmp(text, "-") == 0)
		return sahm_fail(err, SAHM_USAGE, "%s%s is '%s', must be a file that is there for later calls, too",
				 prefix, row->name, text);
	file->name = arena_strdup(a, text);
	return file->name ? SAHM_OK : sahm_fail_nomem(err);
}

enum sahm_status ipu_call_set(struct ipu_call *call, struct arena *a, enum ipu_argument argument, const char *text,
			      const char *prefix, struct sahm_err *err)
{
	const struct argument_row *row = find_row(call->kind, argument);
	if (has_control(text))
		return sahm_fail(err, SAHM_USAGE, "%s%s is '%s', has a control character in it", prefix, row->name,
				 text);
	call->given |= UINT32_C(1) << argument;
	switch (row->kind) {
	case VALUE_MODE:
		return ipu_mode_read(text, prefix, &call->mode, err);
	case VALUE_FILE:
		return set_file(&call->file, a, row, text, prefix, err);
	case VALUE_TRUST:
		return set_file(&call->trust, a, row, text, prefix, err);
	case VALUE_SOFT:
		return set_file(&call->soft, a, row, text, prefix, err);
	case VALUE_SETTING:
		return add_setting(call, a, text, err);
	case VALUE_FLAG:
		return SAHM_OK;
	default:
		return set_number(call, row, text, prefix, err);
	}
}

uint64_t ipu_call_number(const struct ipu_call *call, enum ipu_argument argument, uint64_t otherwise)
{
	return call->given >> argument & 1 ? call->numbers[argument] : otherwise;
}

enum sahm_status ipu_call_check(const struct ipu_call *call, const char *prefix, struct sahm_err *err)
{
	for (size_t i = 0; i < nr_ipu_argument_rows; i++) {
		const struct argument_row *row = &ipu_argument_rows[i];
		if (row->call == call->kind && row->is_needed && !(call->given >> row->argument & 1))
			return sahm_fail(err, SAHM_USAGE, "'%s' needs %s%s", call_names[call->kind], prefix, row->name);
	}
	return SAHM_OK;
}

/* A value, in quotes where it needs them. */
static void write_text(struct textbuf *out, const char *text)
{
	bool is_plain = *text && !text[strcspn(text, " \"\\")];
	if (is_plain) {
		textbuf_puts(out, text);
		return;
	}
	textbuf_putc(out, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			textbuf_putc(out, '\\');
		textbuf_putc(out, *text);
	}
	textbuf_putc(out, '"');
}

static void write_argument(struct textbuf *out, const struct ipu_call *call, const struct argument_row *row)
{
	uint64_t number = call->numbers[row->argument];
	if (row->kind == VALUE_SETTING) {
		for (size_t i = 0; i < call->nr_settings; i++) {
			textbuf_printf(out, " %s=", row->name);
			write_text(out, call->settings[i]);
		}
		return;
	}
	textbuf_printf(out, " %s=", row->name);
	if (row->kind == VALUE_FILE)
		write_text(out, call->file.name);
	else if (row->kind == VALUE_TRUST)
		write_text(out, call->trust.name);
	else if (row->kind == VALUE_SOFT)
		write_text(out, call->soft.name);
	else if (row->kind == VALUE_MODE)
		ipu_mode_write(&call->mode, out);
	else if (row->kind == VALUE_ADDRESS)
		textbuf_printf(out, "0x%" PRIx64, number);
	else if (row->kind == VALUE_UNIT && number == IPU_ALL_UNITS)
		textbuf_puts(out, "all");
	else if (row->kind == VALUE_FLAG)
		textbuf_puts(out, "yes");
	else
		textbuf_printf(out, "%" PRIu64, number);
}

static enum sahm_status check_name(const struct ipu_call_file *file, struct sahm_err *err)
{
	if (file->name && has_control(file->name))
		return sahm_fail(err, SAHM_RANGE, "'%s' cannot stand in a session: it has a control character in it",
				 file->name);
	return SAHM_OK;
}

static void write_hash(struct textbuf *out, const char *name, const struct ipu_call_file *file)
{
	char hex[HASH_HEX_BYTES];
	if (!file->has_hash)
		return;
	hash_hex(file->hash, hex);
	textbuf_printf(out, " %s=%s", name, hex);
}

enum sahm_status ipu_call_write(const struct ipu_call *call, struct textbuf *out, struct sahm_err *err)
{
	char date[DATE_BYTES];
	size_t begin = out->len;
	if (check_name(&call->file, err) != SAHM_OK || check_name(&call->trust, err) != SAHM_OK ||
	    check_name(&call->soft, err) != SAHM_OK)
		return SAHM_RANGE;
	textbuf_puts(out, call_names[call->kind]);
	for (size_t i = 0; i < nr_ipu_argument_rows; i++)
		if (ipu_argument_rows[i].call == call->kind && call->given >> ipu_argument_rows[i].argument & 1)
			write_argument(out, call, &ipu_argument_rows[i]);
	write_hash(out, HASH_NAME, &call->file);
	write_hash(out, TRUST_HASH_NAME, &call->trust);
	write_hash(out, SOFT_HASH_NAME, &call->soft);
	if (call->date)
		textbuf_printf(out, " " DATE_NAME "=%s", date_write(call->date, date));
	textbuf_putc(out, '\n');
	if (textbuf_failed(out))
		return sahm_fail_nomem(err);
	if (out->len - begin > MAX_LINE_CHARS)
		return sahm_fail(err, SAHM_RANGE,
				 "this '%s' takes %zu characters in a session, at most %d are possible",
				 call_names[call->kind], out->len - begin, MAX_LINE_CHARS);
	return SAHM_OK;
}
