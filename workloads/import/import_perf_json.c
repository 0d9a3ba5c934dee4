/* perf stat -j, with -I MS or without: an object a line. Counts are strings, percentages numbers; other members depend
 * on perf's options. Source: files of perf 6.1 and quoted lines of older ones. */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "sim/base/array.h"
#include "sim/base/units.h"
#include "workloads/import/import_perf_internal.h"

/* Members that name what a count is of, with what goes in front of it. */
static const struct {
	const char *key, *prefix;
} group_keys[] = {
	{"cpu", "CPU"}, {"thread", ""}, {"core", ""}, {"cluster", ""}, {"cache", ""},
	{"die", ""},	{"socket", ""}, {"node", ""}, {"cgroup", ""},
};

#define MAX_GROUP_BYTES 1024u

static struct field string_of(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);
	if (!json_is_string(value))
		return (struct field){"", 0};
	return (struct field){json_string_value(value), json_string_length(value)};
}

/* An escaped line end would break the report, which names events and groups. */
static bool has_control(const struct field *f)
{
	for (size_t i = 0; i < f->len; i++)
		if ((unsigned char)f->text[i] < 0x20 || f->text[i] == 0x7f)
			return true;
	return false;
}

/* Builds the group's name, all that it is of, in `name`; false when it is too long. */
static bool name_group(const json_t *object, char name[MAX_GROUP_BYTES], struct perf_line *line)
{
	size_t len = 0;
	for (size_t i = 0; i < ARRAY_SIZE(group_keys); i++) {
		struct field f = string_of(object, group_keys[i].key);
		if (f.len == 0)
			continue;
		bool prefixed = strncmp(f.text, group_keys[i].prefix, strlen(group_keys[i].prefix)) == 0;
		int n = snprintf(name + len, MAX_GROUP_BYTES - len, "%s%s%s", len ? " " : "",
				 prefixed ? "" : group_keys[i].prefix, f.text);
		if (n < 0 || (size_t)n >= MAX_GROUP_BYTES - len)
			return false;
		len += (size_t)n;
	}
	line->group = (struct field){name, len};
	return true;
}

/* perf prints metrics that are no numbers, which JSON does not know: they become null. */
static void replace_nan(char *text)
{
	bool in_string = false;
	/* A blank or a sign precedes it. */
	for (char *c = text; *c; c++) {
		if (*c == '\\' && in_string && c[1])
			c++;
		else if (*c == '"')
			in_string = !in_string;
		else if (!in_string && c > text && (strncmp(c, "nan", 3) == 0 || strncmp(c, "inf", 3) == 0))
			memcpy(c - 1, "null", 4);
	}
}

static enum sahm_status take(struct import *im, const json_t *object)
{
	struct perf_line line = {.group = {"", 0}, .cgroup = {"", 0}, .running_pct100 = -1};
	char group[MAX_GROUP_BYTES] = "", number[40];
	const json_t *interval = json_object_get(object, "interval"), *pct = json_object_get(object, "pcnt-running");
	const json_t *value = json_object_get(object, "counter-value");
	line.has_stamp = interval != NULL;
	line.is_mean = json_object_get(object, "variance") != NULL;
	double seconds = json_number_value(interval);
	line.event = string_of(object, "event");
	line.value = string_of(object, "counter-value");
	if (json_is_number(value)) {
		int n = json_is_integer(value)
				? snprintf(number, sizeof(number), "%" JSON_INTEGER_FORMAT, json_integer_value(value))
				: snprintf(number, sizeof(number), "%.9f", json_real_value(value));
		line.value = (struct field){number, n > 0 && n < 40 ? (size_t)n : 0};
	}
	if (!value || line.event.len == 0) {
		import_skip(im, SKIP_METRIC, im->lines.line, NULL);
		return SAHM_OK;
	}
	if ((interval && !json_is_number(interval)) || seconds < 0 || seconds > 1e9 ||
	    !(json_is_string(value) || json_is_number(value)) || !name_group(object, group, &line)) {
		import_skip(im, SKIP_UNREADABLE, im->lines.line, NULL);
		return SAHM_OK;
	}
	line.stamp_ns = (uint64_t)llround(seconds * (double)NS_PER_S);
	double share = json_is_number(pct) ? json_number_value(pct) : -1;
	if (share >= 0 && share <= 100.0)
		line.running_pct100 = (int)lround(share * 100);
	if (has_control(&line.event) || has_control(&line.group)) {
		import_skip(im, SKIP_UNREADABLE, im->lines.line, NULL);
		return SAHM_OK;
	}
	return perf_take(im, im->state, &line);
}

static enum sahm_status read_line(struct import *im)
{
	json_error_t error;
	replace_nan(im->lines.text);
	errno = 0;
	json_t *object = json_loadb(im->lines.text, im->lines.len, 0, &error);
	/* Of a string that it has no memory for jansson says that its syntax is wrong: a row would be left out. */
	if (!object && errno == ENOMEM)
		return sahm_fail_nomem(im->err);
	if (!json_is_object(object)) {
		json_decref(object);
		import_skip(im, im->lines.ended ? SKIP_UNREADABLE : SKIP_CUT_SHORT, im->lines.line, NULL);
		return SAHM_OK;
	}
	enum sahm_status status = take(im, object);
	json_decref(object);
	return status;
}

static enum sahm_status read(struct import *im)
{
	struct perf_recording rec = {.form = " -j"};
	im->state = &rec;
	enum sahm_status status = perf_read(im, &rec, read_line);
	im->state = NULL;
	return status;
}

static bool owns_line(const char *line, size_t len)
{
	return import_line_begins(line, len, "{") && import_line_holds(line, len, "\"counter-value\"");
}

const struct import_format import_format_perf_json = {
	.owns_line = owns_line,
	.is_counted_by_tool = true,
	.how = "perf stat run with -j, and with LC_ALL=C where decimals have commas",
	.read = read};
