/* Shared by the parts of a configuration: its keys, and how values are read and written. */
#include <string.h>

#include "cores/chip/warmup.h"
#include "sim/base/number.h"
#include "sim/base/suggest.h"
#include "sim/base/units.h"
#include "sim/engine/config/run_config_internal.h"
#include "sim/engine/sim.h"
#include "workloads/bursts/burst_list.h"

/* Bounds of times of bursts, as configurations write them. */
#define MIN_BURST_RUN_MS ((double)MIN_BURST_RUN_NS / (double)NS_PER_MS)
#define MAX_BURST_MS ((double)(MAX_BURST_NS / NS_PER_MS))
#define MIN_BURST_ALPHA ((double)MIN_BURST_ALPHA_MILLI / 1000)
#define MAX_BURST_ALPHA ((double)MAX_BURST_ALPHA_MILLI / 1000)
#define MAX_BURST_INDEX ((double)(MAX_BURSTS - 1))

#define TEXT(x) #x
#define TEXT_OF(macro) TEXT(macro)

const struct cfg_key config_keys[] = {CONFIG_KEYS(CFG_KEY_ROW)};

enum sahm_status reading_number(struct reading *r, const struct cfg_node *group, enum config_key key, double *value)
{
	return cfg_number(group, &config_keys[key], value, r->err);
}

enum sahm_status reading_ns(struct reading *r, const struct cfg_node *group, enum config_key key, uint64_t *ns)
{
	double ms;
	enum sahm_status status = reading_number(r, group, key, &ms);
	if (status == SAHM_OK)
		*ns = ns_of_ms(ms);
	return status;
}

enum sahm_status reading_count(struct reading *r, const struct cfg_node *group, enum config_key key, uint32_t *count)
{
	double value;
	enum sahm_status status = reading_number(r, group, key, &value);
	if (status == SAHM_OK)
		*count = (uint32_t)value;
	return status;
}

enum sahm_status reading_u64(struct reading *r, const struct cfg_node *group, enum config_key key, uint64_t *value)
{
	const struct cfg_node *node = cfg_member(group, &config_keys[key]);
	const char *word = config_keys[key].default_value;
	double checked;
	enum sahm_status status = reading_number(r, group, key, &checked);
	if (status != SAHM_OK)
		return status;
	/* Not by way of a double, which has fewer digits. */
	if (node)
		*value = (uint64_t)node->value.integer;
	else if (number_read_u64(word, strlen(word), value) != NUMBER_OK)
		*value = 0;
	return SAHM_OK;
}

enum sahm_status reading_fail_missing(struct reading *r, const struct cfg_node *group, enum config_key key)
{
	return cfg_fail(group ? group : r->root, r->err, "missing key '%s': %s", config_keys[key].path,
			config_keys[key].help);
}

enum sahm_status reading_fail_choice(struct reading *r, const struct cfg_node *group, enum config_key key,
				     const char *word, const char *const *names)
{
	char near[SUGGEST_BYTES], path[CFG_PATH_BYTES];
	struct suggest s;
	struct textbuf all;
	const struct cfg_node *node = cfg_member(group, &config_keys[key]);
	suggest_init(&s, word);
	textbuf_init(&all);
	for (size_t i = 0; names[i]; i++) {
		suggest_offer(&s, names[i]);
		textbuf_printf(&all, "%s%s", i ? ", " : "", names[i]);
	}
	enum sahm_status status = cfg_fail(node, r->err, "unknown value '%.60s' of '%s' (%s)%s", word,
					   cfg_path(node, path), all.text, suggest_text(&s, near));
	textbuf_release(&all);
	return status;
}

enum sahm_status reading_choice(struct reading *r, const struct cfg_node *group, enum config_key key,
				const char *const *names, size_t *index)
{
	const char *word = cfg_string(group, &config_keys[key]);
	for (*index = 0; names[*index]; ++*index)
		if (strcmp(names[*index], word) == 0)
			return SAHM_OK;
	return reading_fail_choice(r, group, key, word, names);
}

const char *config_key_leaf(enum config_key key)
{
	const char *dot = strrchr(config_keys[key].path, '.');
	return dot ? dot + 1 : config_keys[key].path;
}

void config_write_number(struct textbuf *b, const char *indent, enum config_key key, double value)
{
	textbuf_printf(b, "%s%s = ", indent, config_key_leaf(key));
	number_write_double(b, value, 1);
	textbuf_puts(b, ";\n");
}

/* Beyond 32 bits with a final L, as the language requires. */
void config_write_u64(struct textbuf *b, const char *indent, enum config_key key, uint64_t value)
{
	textbuf_printf(b, "%s%s = %llu%s;\n", indent, config_key_leaf(key), (unsigned long long)value,
		       value > INT32_MAX ? "L" : "");
}

void config_write_string(struct textbuf *b, const char *indent, enum config_key key, const char *value)
{
	textbuf_printf(b, "%s%s = ", indent, config_key_leaf(key));
	cfg_write_string(b, value);
	textbuf_puts(b, ";\n");
}

void config_write_given(struct textbuf *b, enum config_key key, const char *value)
{
	if (value)
		config_write_string(b, "\t\t\t", key, value);
}
