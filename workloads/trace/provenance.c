#include "workloads/trace/provenance.h"

#include <stdio.h>
#include <string.h>

#include "sim/base/array.h"
#include "sim/base/file.h"
#include "sim/base/suggest.h"
#include "sim/base/zstd_stream.h"

static const char *const key_names[NR_PROVENANCE_KEYS] = {
#define PROVENANCE(suffix, key, help) key,
#include "workloads/trace/provenance_list.h"
#undef PROVENANCE
};

static const char *const key_helps[NR_PROVENANCE_KEYS] = {
#define PROVENANCE(suffix, key, help) help,
#include "workloads/trace/provenance_list.h"
#undef PROVENANCE
};

static const char recorded[] = "recorded", measured[] = "measured", modelled[] = "modelled";
static const char *const sources[] = {recorded, modelled, "synthetic", NULL};
/* In the order of enum counter_origin, then the one that is none. */
static const char *const origins[] = {"assumed", modelled, "derived", measured, NULL};

/* Facts per counter, in the order in which they are written. */
enum { BY_EVENT, BY_COUNTED_PCT, BY_ORIGIN, NR_PREFIXES };
static const char *const prefixes[NR_PREFIXES] = {"event.", "counted_pct.", "origin."};

static const char **counter_texts(struct provenance *p, int prefix)
{
	return prefix == BY_EVENT ? p->event : prefix == BY_COUNTED_PCT ? p->counted_pct : p->origin;
}

const char *provenance_key_name(enum provenance_key key)
{
	return key_names[key];
}

const char *provenance_key_help(enum provenance_key key)
{
	return key_helps[key];
}

static enum sahm_status fail_key(const char *key, size_t len, struct sahm_err *err)
{
	char word[48], near[SUGGEST_BYTES];
	char keys[NR_PREFIXES][NR_COUNTERS][48];
	struct suggest s;
	snprintf(word, sizeof(word), "%.*s", (int)(len < sizeof(word) ? len : sizeof(word) - 1), key);
	suggest_init(&s, word);
	for (int i = 0; i < NR_PROVENANCE_KEYS; i++)
		suggest_offer(&s, key_names[i]);
	for (int p = 0; p < NR_PREFIXES; p++) {
		for (int i = 0; i < NR_COUNTERS; i++) {
			snprintf(keys[p][i], sizeof(keys[p][i]), "%s%s", prefixes[p], counter_rows[i].name);
			suggest_offer(&s, keys[p][i]);
		}
	}
	return sahm_fail(err, SAHM_FORMAT, "unknown provenance key '%s'%s", word,
			 suggest_or(&s, "sahm help traces lists them", near));
}

/* A value of few: `choices` as a sentence has them. */
static enum sahm_status check_word(const char *what, const char *choices, const char *const *words, const char *value,
				   struct sahm_err *err)
{
	char near[SUGGEST_BYTES];
	struct suggest s;
	suggest_init(&s, value);
	for (; *words; words++) {
		if (strcmp(*words, value) == 0)
			return SAHM_OK;
		suggest_offer(&s, *words);
	}
	return sahm_fail(err, SAHM_FORMAT, "unknown %s '%s' (%s)%s", what, value, choices, suggest_text(&s, near));
}

static const char **slot_of(struct provenance *p, const char *key, size_t len)
{
	enum counter c;
	for (int i = 0; i < NR_PROVENANCE_KEYS; i++)
		if (strlen(key_names[i]) == len && memcmp(key_names[i], key, len) == 0)
			return &p->text[i];
	for (int i = 0; i < NR_PREFIXES; i++) {
		size_t prefix_len = strlen(prefixes[i]);
		if (len > prefix_len && memcmp(key, prefixes[i], prefix_len) == 0 &&
		    counter_find(key + prefix_len, len - prefix_len, &c))
			return &counter_texts(p, i)[c];
	}
	return NULL;
}

bool provenance_knows(const char *key, size_t len)
{
	struct provenance none = {0};
	return slot_of(&none, key, len) != NULL;
}

enum sahm_status provenance_set(struct provenance *p, struct arena *a, const char *key, size_t key_len,
				const char *value, struct sahm_err *err)
{
	const char **slot = slot_of(p, key, key_len);
	if (!slot)
		return fail_key(key, key_len, err);
	if (strlen(value) > MAX_PROVENANCE_BYTES)
		return sahm_fail(err, SAHM_FORMAT, "provenance '%.*s' is longer than %u bytes", (int)key_len, key,
				 MAX_PROVENANCE_BYTES);
	if (slot == &p->text[PROVENANCE_SOURCE] &&
	    check_word("source", "recorded, modelled or synthetic", sources, value, err) != SAHM_OK)
		return SAHM_FORMAT;
	if (slot >= p->origin && slot < p->origin + NR_COUNTERS &&
	    check_word("origin", "measured, modelled, derived or assumed", origins, value, err) != SAHM_OK)
		return SAHM_FORMAT;
	char *copy = arena_strdup(a, value);
	if (!copy)
		return sahm_fail_nomem(err);
	/* Values are on separate lines. */
	for (char *c = copy; *c; c++)
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			*c = ' ';
	/* Leading blanks could not be distinguished from the form's own. */
	copy += strspn(copy, " ");
	if (slot == &p->text[PROVENANCE_NAME] && !*copy)
		return sahm_fail(err, SAHM_FORMAT, "the name is empty");
	*slot = copy;
	return SAHM_OK;
}

void provenance_override(struct provenance *p, const struct provenance *over)
{
	for (int i = 0; i < NR_PROVENANCE_KEYS; i++)
		if (over->text[i])
			p->text[i] = over->text[i];
	for (int i = 0; i < NR_COUNTERS; i++) {
		if (over->event[i])
			p->event[i] = over->event[i];
		if (over->counted_pct[i])
			p->counted_pct[i] = over->counted_pct[i];
		if (over->origin[i])
			p->origin[i] = over->origin[i];
	}
}

enum sahm_status provenance_name_after(struct provenance *p, struct arena *a, const char *file, const char *suffix,
				       struct sahm_err *err)
{
	const char *stem = base_name(file);
	if (strcmp(file, STDIN_LABEL) == 0)
		stem = "stdin";
	size_t len = strlen(stem), suffix_len = strlen(COMPRESSED_SUFFIX);
	if (len > suffix_len && strcmp(stem + len - suffix_len, COMPRESSED_SUFFIX) == 0)
		len -= suffix_len;
	const char *dot = memrchr(stem, '.', len);
	struct textbuf name;
	struct sahm_err blank;
	textbuf_init(&name);
	if (p->text[PROVENANCE_NAME])
		textbuf_puts(&name, p->text[PROVENANCE_NAME]);
	else
		textbuf_add(&name, stem, dot && dot > stem ? (size_t)(dot - stem) : len);
	if (*suffix)
		textbuf_printf(&name, "-%s", suffix);
	/* The rest without blanks and control characters may be empty. */
	enum sahm_status status =
		textbuf_failed(&name) ? SAHM_NOMEM : provenance_set(p, a, "name", 4, name.text, &blank);
	if (status == SAHM_FORMAT)
		status = provenance_set(p, a, "name", 4, "trace", &blank);
	textbuf_release(&name);
	return status == SAHM_OK ? SAHM_OK : sahm_fail_nomem(err);
}

bool provenance_is_synthetic(const struct provenance *p)
{
	const char *source = p->text[PROVENANCE_SOURCE];
	return source && strcmp(source, "synthetic") == 0;
}

/* Even with an empty text: no text can make measured time of it. */
bool provenance_is_nominal(const struct provenance *p)
{
	return p->text[PROVENANCE_EPOCH] != NULL;
}

const char *counter_origin_name(enum counter_origin origin)
{
	return origins[origin];
}

uint16_t counter_origins_any(struct counter_origins o)
{
	uint16_t any = 0;
	for (unsigned i = 0; i < NR_COUNTER_ORIGINS; i++)
		any |= o.of[i];
	return any;
}

void counter_origins_add(struct counter_origins *o, struct counter_origins more)
{
	for (unsigned i = 0; i < NR_COUNTER_ORIGINS; i++)
		o->of[i] |= more.of[i];
}

struct counter_origins provenance_origins(const struct provenance *p)
{
	struct counter_origins o = {{0}};
	for (int c = 0; c < NR_COUNTERS; c++) {
		const char *origin = p->origin[c], *event = p->event[c];
		if (!origin && event && text_ends_in(event, " an epoch, assumed"))
			o.of[ORIGIN_ASSUMED] |= (uint16_t)(1u << c);
		for (unsigned i = 0; origin && i < NR_COUNTER_ORIGINS; i++)
			if (strcmp(origin, origins[i]) == 0)
				o.of[i] |= (uint16_t)(1u << c);
	}
	return o;
}

void provenance_settle_source(struct provenance *p)
{
	const char *source = p->text[PROVENANCE_SOURCE];
	if (source && strcmp(source, recorded) == 0 && provenance_origins(p).of[ORIGIN_MODELLED])
		p->text[PROVENANCE_SOURCE] = modelled;
}

void provenance_say_origins(struct provenance *p, bool by_model)
{
	static const uint16_t counted =
		1u << COUNTER_INSTRUCTIONS | 1u << COUNTER_BRANCHES | 1u << COUNTER_L1D_ACCESSES;
	for (int c = 0; c < NR_COUNTERS; c++)
		if (!p->origin[c] && p->event[c])
			p->origin[c] = by_model && !(counted >> c & 1) ? modelled : measured;
}

void provenance_join_origins(struct provenance *p, const struct provenance *other)
{
	struct counter_origins a = provenance_origins(p), b = provenance_origins(other);
	counter_origins_add(&a, b);
	for (int c = 0; c < NR_COUNTERS; c++) {
		p->origin[c] = p->origin[c] && other->origin[c] ? measured : NULL;
		for (unsigned i = NR_COUNTER_ORIGINS; i-- > 0;)
			if (a.of[i] >> c & 1)
				p->origin[c] = origins[i];
	}
}

void provenance_write(const struct provenance *p, const char *prefix, struct textbuf *b)
{
	for (int i = 0; i < NR_PROVENANCE_KEYS; i++)
		if (p->text[i])
			textbuf_printf(b, "%s%s: %s\n", prefix, key_names[i], p->text[i]);
	struct provenance copy = *p;
	for (int k = 0; k < NR_PREFIXES; k++) {
		for (int i = 0; i < NR_COUNTERS; i++) {
			const char *value = counter_texts(&copy, k)[i];
			if (value)
				textbuf_printf(b, "%s%s%s: %s\n", prefix, prefixes[k], counter_rows[i].name, value);
		}
	}
}

enum sahm_status provenance_read(struct provenance *p, struct arena *a, const char *text, size_t len,
				 struct sahm_err *err)
{
	const char *end = text + len;
	while (text < end) {
		const char *eol = memchr(text, '\n', (size_t)(end - text));
		const char *colon = eol ? memchr(text, ':', (size_t)(eol - text)) : NULL;
		if (!colon || colon + 1 >= eol || colon[1] != ' ')
			return sahm_fail(err, SAHM_FORMAT, "provenance is malformed");
		char *value = arena_strndup(a, colon + 2, (size_t)(eol - colon - 2));
		if (!value)
			return sahm_fail_nomem(err);
		enum sahm_status status = provenance_set(p, a, text, (size_t)(colon - text), value, err);
		if (status != SAHM_OK)
			return status;
		text = eol + 1;
	}
	return SAHM_OK;
}
