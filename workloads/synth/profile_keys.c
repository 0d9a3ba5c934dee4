/* Lines above the table of a profile: keys, and columns that are the same in all rows. */
#include <inttypes.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/base/units.h"
#include "workloads/synth/profile_internal.h"

#define MAX_DIGITS 19

/* Cuts blanks off both ends, in place. */
static char *trimmed(char *text)
{
	text += strspn(text, " \t");
	size_t len = strlen(text);
	while (len > 0 && (text[len - 1] == ' ' || text[len - 1] == '\t'))
		text[--len] = '\0';
	return text;
}

/* FROM > TO: FACTOR */
static enum sahm_status read_follow(struct profile_reader *r, char *text)
{
	char *sign = strchr(text, '>'), *colon = sign ? strchr(sign, ':') : NULL;
	if (!colon)
		return profile_fail(r, "'%.80s' is not of the form FROM > TO: FACTOR", text);
	*sign = *colon = '\0';
	const char *factor_text = trimmed(colon + 1);
	unsigned ends[2];
	for (unsigned i = 0; i < 2; i++) {
		const char *name = trimmed(i ? sign + 1 : text);
		char near[SUGGEST_BYTES];
		struct suggest s;
		suggest_init(&s, name);
		for (unsigned state = 0; state < NR_STATES; state++)
			suggest_offer(&s, state_name(state));
		if (i == 0 && *name && name[strlen(name) - 1] == '-')
			return profile_fail(r, "'%.40s>' is written as '>': FROM > TO: FACTOR", name);
		if (!state_find(name, strlen(name), &ends[i]))
			return profile_fail(r, "no state is called '%.40s'%s", name, suggest_text(&s, near));
	}
	decimal factor;
	const decimal least = DECIMAL_ONE / FOLLOW_ONE;
	/* What is less than the least would become 0, and unlikely is not never. */
	if (decimal_read(factor_text, strlen(factor_text), &factor) != NUMBER_OK || factor < 0 ||
	    (factor > 0 && factor < least) || factor >= (decimal)MAX_FOLLOW * DECIMAL_ONE)
		return profile_fail(r, "factor '%.40s' must be 0 or a number from 0.000001 to below %u", factor_text,
				    MAX_FOLLOW);
	unsigned *line = &r->line_of_follow[ends[0]][ends[1]];
	if (*line)
		return profile_fail(r, "'%s > %s' stands twice, first in line %u", state_name(ends[0]),
				    state_name(ends[1]), *line);
	*line = r->lines.line;
	r->p->follow[ends[0]][ends[1]] = (uint32_t)(factor / least);
	return SAHM_OK;
}

static enum sahm_status read_whole(struct profile_reader *r, const char *key, const char *text, uint64_t min,
				   uint64_t max, uint64_t *value)
{
	if (number_read_u64(text, strlen(text), value) != NUMBER_OK || *value < min || *value > max)
		return profile_fail(r, "%s '%.40s', must be a whole number from %" PRIu64 " to %" PRIu64, key, text,
				    min, max);
	return SAHM_OK;
}

static enum sahm_status read_epoch(struct profile_reader *r, const char *text)
{
	decimal ms;
	const decimal per_ns = DECIMAL_ONE / (decimal)NS_PER_MS;
	if (decimal_read(text, strlen(text), &ms) != NUMBER_OK || ms % per_ns != 0 ||
	    ms < (decimal)MIN_EPOCH_NS * per_ns || ms > (decimal)MAX_EPOCH_NS * per_ns)
		return profile_fail(r, "epoch_ms '%.40s', must be whole ns, from %.15g to %.15g ms", text,
				    ms_of_ns(MIN_EPOCH_NS), ms_of_ns(MAX_EPOCH_NS));
	r->p->epoch_ns = (uint64_t)(ms / per_ns);
	return SAHM_OK;
}

static enum sahm_status read_cuts(struct profile_reader *r, const char *text)
{
	char near[SUGGEST_BYTES];
	struct suggest s;
	suggest_init(&s, text);
	for (unsigned i = 0; i < NR_CUT_SETS; i++) {
		suggest_offer(&s, cut_set_names[i]);
		if (strcmp(cut_set_names[i], text) == 0) {
			r->p->cuts_name = cut_set_names[i];
			cuts_named(text, &r->p->cuts);
			return SAHM_OK;
		}
	}
	return profile_fail(r, "no set of cuts is called '%.40s'%s", text, suggest_text(&s, near));
}

static enum sahm_status read_origin(struct profile_reader *r, enum provenance_key key, const char *text)
{
	const char *name = provenance_key_name(key);
	struct sahm_err cause;
	enum sahm_status status = provenance_set(&r->p->provenance, &r->p->arena, name, strlen(name), text, &cause);
	return status == SAHM_OK ? SAHM_OK
				 : sahm_fail_at(r->err, status, r->lines.file, r->lines.line, "%s", cause.msg);
}

static enum sahm_status read_key(struct profile_reader *r, enum profile_key key, char *text)
{
	uint64_t digits = 0;
	enum sahm_status status;
	if (r->line_of_key[key] && key != KEY_FOLLOW)
		return profile_fail(r, "'%s' stands twice, first in line %u", profile_keys[key].name,
				    r->line_of_key[key]);
	r->line_of_key[key] = r->lines.line;
	switch (key) {
	case KEY_SEED:
		return read_whole(r, "seed", text, 0, UINT64_MAX, &r->p->seed);
	case KEY_EPOCH_MS:
		return read_epoch(r, text);
	case KEY_CUTS:
		return read_cuts(r, text);
	case KEY_DIGITS:
		status = read_whole(r, "digits", text, 2, MAX_DIGITS, &digits);
		r->p->digits = (unsigned)digits;
		return status;
	case KEY_FOLLOW:
		return read_follow(r, text);
	case KEY_MACHINE:
		return read_origin(r, PROVENANCE_MACHINE, text);
	case KEY_LICENCE:
		return read_origin(r, PROVENANCE_LICENCE, text);
	case KEY_NOTE:
		return read_origin(r, PROVENANCE_NOTE, text);
	case NR_PROFILE_KEYS:
		break;
	}
	return SAHM_OK;
}

static enum sahm_status fail_late(struct profile_reader *r, const char *key)
{
	return profile_fail(r, "'%s' stands below the head of the table, which is too late", key);
}

static bool is_known(const char *key)
{
	char near[SUGGEST_BYTES];
	for (unsigned k = 0; k < NR_PROFILE_KEYS; k++)
		if (strcmp(profile_keys[k].name, key) == 0)
			return true;
	return profile_find_field(key, near) < FIELD_NAME;
}

/* `# key: value`, or a remark: any comment that does not begin with a word and ':', or with a word that is not even
 * nearly a key or column. */
enum sahm_status profile_read_comment(struct profile_reader *r, char *text)
{
	char *key = text + 1 + strspn(text + 1, " \t"), near[SUGGEST_BYTES];
	size_t len = strcspn(key, ":= \t");
	char *sign = key + len + strspn(key + len, " \t"), *value = trimmed(sign + (*sign != '\0'));
	bool is_colon = key[len] == ':', is_other = *sign == '=' || *sign == ':';
	if (len == 0 || !is_other)
		return SAHM_OK;
	key[len] = '\0';
	/* `# spread = 2` must not be passed over in silence; `# two words: free text` may. */
	if (!is_colon)
		return is_known(key) ? profile_fail(r, "'%s' is written as '# %s: value'", key, key) : SAHM_OK;
	for (unsigned k = 0; k < NR_PROFILE_KEYS; k++)
		if (strcmp(profile_keys[k].name, key) == 0)
			return r->nr_fields > 0 ? fail_late(r, key) : read_key(r, (enum profile_key)k, value);
	unsigned field = profile_find_field(key, near);
	if (field < NR_FIELDS && field >= FIELD_NAME)
		return profile_fail(r, "'%s' can only stand in the table", key);
	if (field == NR_FIELDS) {
		struct suggest s;
		suggest_init(&s, key);
		for (unsigned k = 0; k < NR_PROFILE_KEYS; k++)
			suggest_offer(&s, profile_keys[k].name);
		if (s.best)
			suggest_text(&s, near);
		return *near ? profile_fail(r, "no key or column is called '%.40s'%s", key, near) : SAHM_OK;
	}
	if (r->nr_fields > 0)
		return fail_late(r, key);
	if (r->line_of_column[field])
		return profile_fail(r, "'%s' stands twice, first in line %u", key, r->line_of_column[field]);
	r->line_of_column[field] = r->lines.line;
	return profile_read_value(r, field, value, &r->for_all[field]);
}
