#include "cores/uarch/graph/graph_config.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/array.h"
#include "sim/base/decimal.h"
#include "sim/base/lines.h"
#include "sim/base/suggest.h"
#include "sim/base/textbuf.h"

/* Which cores have a key. */
enum { ON_IN_ORDER = 1 << GRAPH_IN_ORDER, ON_OUT_OF_ORDER = 1 << GRAPH_OUT_OF_ORDER, ON_BOTH = 3 };

struct key {
	const char *name;
	size_t offset; /* of its number in struct graph_config; NO_NUMBER: another kind of value */
	unsigned cores;
	uint32_t minimum, maximum;
};

#define NO_NUMBER ((size_t)-1)

static const struct key keys[] = {
#define GRAPH_KEY(member, name, cores, minimum, maximum)                                                               \
	{name, offsetof(struct graph_config, member), ON_##cores, minimum, maximum},
#include "cores/uarch/graph/graph_key_list.h"
#undef GRAPH_KEY
};

/* Keys whose values are words or lists; the first NR_CHOICES of them must be given. */
enum {
	WORD_ISA,
	WORD_CORE,
	WORD_PREDICTOR,
	WORD_ICACHE,
	WORD_DCACHE,
	NR_CHOICES,
	WORD_PREDICTOR_CONFIG = NR_CHOICES,
	WORD_ICACHE_CONFIG,
	WORD_DCACHE_CONFIG,
	NR_WORDS
};

static const char *const words[NR_WORDS] = {
	"ISA",
	"Core",
	"Branch_Predictor",
	"I_Cache",
	"D_Cache",
	"Branch_Predictor_Config",
	"I_Cache_Config",
	"D_Cache_Config",
};

/* Names of values, by enum graph_core and enum graph_source. */
static const char *const cores[] = {"InO", "OoO", NULL};
static const char *const predictors[] = {"TraceB", NULL, "StatisticalB", NULL};
static const char *const caches[] = {"TraceC", "IdealC", "StatisticalC", "RealC", NULL};

/* A file while it is read. Values that depend on each other are put together at its end. */
struct reading {
	struct line_reader *lines;
	struct graph_config *config;
	char *word[NR_WORDS];
	unsigned word_line[NR_WORDS], key_line[ARRAY_SIZE(keys)];
	unsigned line; /* that messages name; 0: none */
};

static enum sahm_status fail(const struct reading *r, struct sahm_err *err, const char *fmt, ...) SAHM_PRINTF(3, 4);

static enum sahm_status fail(const struct reading *r, struct sahm_err *err, const char *fmt, ...)
{
	char message[SAHM_ERR_BYTES];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(message, sizeof(message), fmt, ap);
	va_end(ap);
	return sahm_fail_at(err, SAHM_FORMAT, r->lines->file, r->line, "%s", message);
}

/* ---- Lines ---- */

/* The next word of a line, NUL-terminated in place; NULL at its end or at a comment. */
static char *next_word(char **rest)
{
	char *word = *rest + strspn(*rest, " \t");
	size_t len = strcspn(word, " \t");
	if (len == 0 || *word == '#')
		return NULL;
	*rest = word[len] ? word + len + 1 : word + len;
	word[len] = '\0';
	return word;
}

static enum sahm_status fail_unknown(const struct reading *r, const char *name, struct sahm_err *err)
{
	struct suggest near;
	char hint[SUGGEST_BYTES];
	suggest_init(&near, name);
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		suggest_offer(&near, keys[i].name);
	for (size_t i = 0; i < NR_WORDS; i++)
		suggest_offer(&near, words[i]);
	return fail(r, err, "unknown key '%s'%s", name, suggest_text(&near, hint));
}

static enum sahm_status fail_twice(const struct reading *r, const char *name, unsigned line, struct sahm_err *err)
{
	return fail(r, err, "'%s' was given in line %u already", name, line);
}

static enum sahm_status take_number(struct reading *r, size_t key, const char *value, struct sahm_err *err)
{
	const struct key *k = &keys[key];
	uint64_t number;
	if (r->key_line[key])
		return fail_twice(r, k->name, r->key_line[key], err);
	if (number_read_u64(value, strlen(value), &number) != NUMBER_OK || number < k->minimum || number > k->maximum)
		return fail(r, err, "%s is '%s', must be a whole number from %" PRIu32 " to %" PRIu32, k->name, value,
			    k->minimum, k->maximum);
	*(uint32_t *)((char *)r->config + k->offset) = (uint32_t)number;
	r->key_line[key] = r->line;
	return SAHM_OK;
}

static enum sahm_status take_word(struct reading *r, size_t key, const char *value, struct sahm_err *err)
{
	if (r->word[key])
		return fail_twice(r, words[key], r->word_line[key], err);
	r->word[key] = malloc(strlen(value) + 1);
	if (!r->word[key])
		return sahm_fail_nomem(err);
	strcpy(r->word[key], value);
	r->word_line[key] = r->line;
	return SAHM_OK;
}

static enum sahm_status take_line(struct reading *r, struct sahm_err *err)
{
	char *rest = r->lines->text, *name = next_word(&rest), *value = name ? next_word(&rest) : NULL;
	r->line = r->lines->line;
	if (!name)
		return SAHM_OK;
	size_t key = 0, word = 0;
	while (key < ARRAY_SIZE(keys) && strcmp(keys[key].name, name) != 0)
		key++;
	while (word < NR_WORDS && strcmp(words[word], name) != 0)
		word++;
	if (key == ARRAY_SIZE(keys) && word == NR_WORDS)
		return fail_unknown(r, name, err);
	if (!value)
		return fail(r, err, "'%s' has no value", name);
	return word < NR_WORDS ? take_word(r, word, value, err) : take_number(r, key, value, err);
}

/* ---- Values that are words ---- */

static enum sahm_status read_choice_of(struct reading *r, unsigned key, const char *const *names, size_t nr,
				       int *choice, struct sahm_err *err)
{
	struct suggest near;
	char hint[SUGGEST_BYTES];
	r->line = r->word_line[key];
	if (!r->word[key]) {
		r->line = 0;
		return fail(r, err, "'%s' is missing", words[key]);
	}
	suggest_init(&near, r->word[key]);
	for (size_t i = 0; i < nr; i++) {
		if (names[i] && strcmp(names[i], r->word[key]) == 0) {
			*choice = (int)i;
			return SAHM_OK;
		}
		if (names[i])
			suggest_offer(&near, names[i]);
	}
	struct textbuf list;
	textbuf_init(&list);
	for (size_t i = 0; i < nr; i++)
		if (names[i])
			textbuf_printf(&list, "%s%s", list.len ? ", " : "", names[i]);
	enum sahm_status status = fail(r, err, "%s is '%s', must be %s%s%s", words[key], r->word[key],
				       nr > 1 ? "one of " : "", list.text, suggest_text(&near, hint));
	textbuf_release(&list);
	return status;
}

/* "90" or "97.5", a percentage; rounded up, as the released program compares it with whole thousandths. */
static bool read_permille(const char *text, size_t len, uint32_t *value)
{
	decimal percentage;
	if (decimal_read(text, len, &percentage) != NUMBER_OK || percentage < 0 ||
	    percentage > 100 * (decimal)DECIMAL_ONE)
		return false;
	*value = (uint32_t)((10 * percentage + DECIMAL_ONE - 1) / DECIMAL_ONE);
	return true;
}

struct part {
	const char *name;
	uint32_t *value;
	uint32_t minimum, maximum; /* maximum 0: a percentage */
};

/* Reads the value of `key`, numbers with colons between. */
static enum sahm_status read_parts(struct reading *r, unsigned key, const struct part *parts, size_t nr,
				   struct sahm_err *err)
{
	const char *text = r->word[key];
	if (!text) {
		r->line = 0;
		return fail(r, err, "'%s' is missing", words[key]);
	}
	r->line = r->word_line[key];
	for (size_t i = 0; i < nr; i++) {
		size_t len = strcspn(text, ":");
		uint64_t number;
		if ((text[len] == ':') != (i + 1 < nr))
			return fail(r, err, "%s is '%s', must be %zu numbers with ':' between", words[key],
				    r->word[key], nr);
		if (parts[i].maximum == 0) {
			if (!read_permille(text, len, parts[i].value))
				return fail(r, err, "%s in %s is '%.*s', must be a number from 0 to 100", parts[i].name,
					    words[key], (int)len, text);
		} else {
			if (number_read_u64(text, len, &number) != NUMBER_OK || number < parts[i].minimum ||
			    number > parts[i].maximum)
				return fail(r, err,
					    "%s in %s is '%.*s', must be a whole number from %" PRIu32 " to %" PRIu32,
					    parts[i].name, words[key], (int)len, text, parts[i].minimum,
					    parts[i].maximum);
			*parts[i].value = (uint32_t)number;
		}
		text += len + 1;
	}
	return SAHM_OK;
}

static enum sahm_status read_cache(struct reading *r, struct graph_cache_config *c, unsigned key, unsigned config_key,
				   struct sahm_err *err)
{
	const struct part statistical[] = {
		{"the hit rate of loads", &c->hit_permille[GRAPH_LOADS], 0, 0},
		{"the hit cycles of loads", &c->hit_cycles[GRAPH_LOADS], 0, GRAPH_MAX_CYCLES},
		{"the miss cycles of loads", &c->miss_cycles[GRAPH_LOADS], 0, GRAPH_MAX_CYCLES},
		{"the hit rate of stores", &c->hit_permille[GRAPH_STORES], 0, 0},
		{"the hit cycles of stores", &c->hit_cycles[GRAPH_STORES], 0, GRAPH_MAX_CYCLES},
		{"the miss cycles of stores", &c->miss_cycles[GRAPH_STORES], 0, GRAPH_MAX_CYCLES},
	};
	const struct part real[] = {
		{"the L1 size", &c->bytes[0], GRAPH_LINE_BYTES, UINT32_C(1) << 30},
		{"the L1 associativity", &c->ways[0], 1, GRAPH_MAX_WAYS},
		{"the L2 size", &c->bytes[1], GRAPH_LINE_BYTES, UINT32_C(1) << 30},
		{"the L2 associativity", &c->ways[1], 1, GRAPH_MAX_WAYS},
		{"the L1 hit cycles of loads", &c->hit_cycles[GRAPH_LOADS], 0, GRAPH_MAX_CYCLES},
		{"the L2 hit cycles of loads", &c->l2_hit_cycles[GRAPH_LOADS], 0, GRAPH_MAX_CYCLES},
		{"the L2 miss cycles of loads", &c->miss_cycles[GRAPH_LOADS], 0, GRAPH_MAX_CYCLES},
		{"the L1 hit cycles of stores", &c->hit_cycles[GRAPH_STORES], 0, GRAPH_MAX_CYCLES},
		{"the L2 hit cycles of stores", &c->l2_hit_cycles[GRAPH_STORES], 0, GRAPH_MAX_CYCLES},
		{"the L2 miss cycles of stores", &c->miss_cycles[GRAPH_STORES], 0, GRAPH_MAX_CYCLES},
	};
	int choice = 0;
	enum sahm_status status = read_choice_of(r, key, caches, GRAPH_REAL + 1, &choice, err);
	if (status != SAHM_OK)
		return status;
	c->source = (enum graph_source)choice;
	if (c->source == GRAPH_STATISTICAL)
		return read_parts(r, config_key, statistical, ARRAY_SIZE(statistical), err);
	if (c->source != GRAPH_REAL)
		return SAHM_OK;
	status = read_parts(r, config_key, real, ARRAY_SIZE(real), err);
	for (unsigned level = 0; level < 2 && status == SAHM_OK; level++)
		if (c->bytes[level] < GRAPH_LINE_BYTES * c->ways[level])
			status = fail(r, err, "the L%u size in %s has no room for a line of %u bytes in each way",
				      level + 1, words[config_key], GRAPH_LINE_BYTES);
	return status;
}

static enum sahm_status read_words(struct reading *r, struct sahm_err *err)
{
	static const char *const isas[] = {"RISC-V"};
	struct graph_config *c = r->config;
	int choice = 0;
	enum sahm_status status = read_choice_of(r, WORD_ISA, isas, ARRAY_SIZE(isas), &choice, err);
	if (status == SAHM_OK)
		status = read_choice_of(r, WORD_CORE, cores, GRAPH_OUT_OF_ORDER + 1, &choice, err);
	if (status != SAHM_OK)
		return status;
	c->core = (enum graph_core)choice;
	status = read_choice_of(r, WORD_PREDICTOR, predictors, GRAPH_STATISTICAL + 1, &choice, err);
	if (status != SAHM_OK)
		return status;
	c->predictor = (enum graph_source)choice;
	if (c->predictor == GRAPH_STATISTICAL) {
		/* The released program does not use the prediction cycles that stand here. */
		uint32_t unused;
		const struct part parts[] = {{"the accuracy", &c->accuracy_permille, 0, 0},
					     {"the prediction cycles", &unused, 0, GRAPH_MAX_CYCLES}};
		status = read_parts(r, WORD_PREDICTOR_CONFIG, parts, ARRAY_SIZE(parts), err);
	}
	if (status == SAHM_OK)
		status = read_cache(r, &c->icache, WORD_ICACHE, WORD_ICACHE_CONFIG, err);
	if (status == SAHM_OK)
		status = read_cache(r, &c->dcache, WORD_DCACHE, WORD_DCACHE_CONFIG, err);
	return status;
}

/* ---- The whole ---- */

static enum sahm_status check_keys(struct reading *r, struct sahm_err *err)
{
	unsigned core = 1u << r->config->core;
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if ((keys[i].cores & core) == 0 || r->key_line[i])
			continue;
		r->line = 0;
		return fail(r, err, "'%s' is missing", keys[i].name);
	}
	r->line = 0;
	struct sahm_err cause;
	if (graph_config_check(r->config, &cause) != SAHM_OK)
		return fail(r, err, "%s", cause.msg);
	return SAHM_OK;
}

enum sahm_status graph_config_check(const struct graph_config *c, struct sahm_err *err)
{
	bool has_models =
		c->predictor != GRAPH_TRACE || c->icache.source != GRAPH_TRACE || c->dcache.source != GRAPH_TRACE;
	if (c->core == GRAPH_IN_ORDER && has_models)
		return sahm_fail(
			err, SAHM_RANGE,
			"the in-order core takes mispredictions and cycles from the trace: Branch_Predictor TraceB, "
			"I_Cache TraceC, D_Cache TraceC");
	if (c->core == GRAPH_IN_ORDER && c->issue_bandwidth > GRAPH_MAX_IN_ORDER_ISSUE)
		return sahm_fail(err, SAHM_RANGE, "Issue_Bandwidth is %" PRIu32 ", must be at most %u in order",
				 c->issue_bandwidth, GRAPH_MAX_IN_ORDER_ISSUE);
	if (c->core == GRAPH_OUT_OF_ORDER && c->dcache.source != GRAPH_TRACE &&
	    c->mem_issue_bandwidth > c->lq_size + c->sq_size)
		return sahm_fail(err, SAHM_RANGE,
				 "Mem_Issue_Bandwidth is %" PRIu32 ", above LQ_Size and SQ_Size together",
				 c->mem_issue_bandwidth);
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		uint32_t value = *(const uint32_t *)((const char *)c + keys[i].offset);
		if ((keys[i].cores & 1u << c->core) && (value < keys[i].minimum || value > keys[i].maximum))
			return sahm_fail(err, SAHM_RANGE, "%s is %" PRIu32 ", must be from %" PRIu32 " to %" PRIu32,
					 keys[i].name, value, keys[i].minimum, keys[i].maximum);
	}
	return SAHM_OK;
}

enum sahm_status graph_config_read(FILE *stream, const char *file, struct graph_config *c, struct sahm_err *err)
{
	struct line_reader lines;
	struct reading r = {.lines = &lines, .config = c};
	memset(c, 0, sizeof(*c));
	enum sahm_status status = line_reader_init(&lines, stream, file, err);
	if (status != SAHM_OK)
		return status;
	bool more = true;
	while (status == SAHM_OK && more) {
		status = line_reader_next(&lines, &more, err);
		if (status == SAHM_OK && more)
			status = take_line(&r, err);
	}
	if (status == SAHM_OK)
		status = read_words(&r, err);
	if (status == SAHM_OK)
		status = check_keys(&r, err);
	for (size_t i = 0; i < NR_WORDS; i++)
		free(r.word[i]);
	line_reader_release(&lines);
	return status;
}

static void write_cache(const struct graph_cache_config *c, unsigned key, unsigned config_key, struct textbuf *out)
{
	textbuf_printf(out, "%s %s\n", words[key], caches[c->source]);
	if (c->source == GRAPH_STATISTICAL) {
		textbuf_printf(out, "%s ", words[config_key]);
		for (unsigned i = 0; i < NR_GRAPH_ACCESSES; i++)
			textbuf_printf(out, "%s%" PRIu32 ".%" PRIu32 ":%" PRIu32 ":%" PRIu32, i ? ":" : "",
				       c->hit_permille[i] / 10, c->hit_permille[i] % 10, c->hit_cycles[i],
				       c->miss_cycles[i]);
		textbuf_putc(out, '\n');
	}
	if (c->source == GRAPH_REAL) {
		textbuf_printf(out, "%s %" PRIu32 ":%" PRIu32 ":%" PRIu32 ":%" PRIu32, words[config_key], c->bytes[0],
			       c->ways[0], c->bytes[1], c->ways[1]);
		for (unsigned i = 0; i < NR_GRAPH_ACCESSES; i++)
			textbuf_printf(out, ":%" PRIu32 ":%" PRIu32 ":%" PRIu32, c->hit_cycles[i], c->l2_hit_cycles[i],
				       c->miss_cycles[i]);
		textbuf_putc(out, '\n');
	}
}

void graph_config_write(const struct graph_config *c, struct textbuf *out)
{
	textbuf_printf(out, "ISA RISC-V\nCore %s\n%s %s\n", cores[c->core], words[WORD_PREDICTOR],
		       predictors[c->predictor]);
	if (c->predictor == GRAPH_STATISTICAL)
		textbuf_printf(out, "%s %" PRIu32 ".%" PRIu32 ":0\n", words[WORD_PREDICTOR_CONFIG],
			       c->accuracy_permille / 10, c->accuracy_permille % 10);
	write_cache(&c->icache, WORD_ICACHE, WORD_ICACHE_CONFIG, out);
	write_cache(&c->dcache, WORD_DCACHE, WORD_DCACHE_CONFIG, out);
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (keys[i].cores & 1u << c->core)
			textbuf_printf(out, "%s %" PRIu32 "\n", keys[i].name,
				       *(const uint32_t *)((const char *)c + keys[i].offset));
}
