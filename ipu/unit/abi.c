#include "ipu/unit/abi.h"

#include <inttypes.h>
#include <string.h>

#include "ipu/unit/abi_internal.h"
#include "ipu/unit/signals.h"
#include "sim/base/array.h"
#include "sim/base/suggest.h"

/* Longest name of a HIT or a signal; recorded signals have room for as much. */
#define MAX_NAME_BYTES 32

/* The keys of an ABI spec: KEY(symbol, path, kinds, unit, default as written, min, max, help). Checks, suggestions
 * and ipu/abi/README.md's table come from here. */
#define ABI_KEYS(KEY)                                                                                                    \
	KEY(KEY_NAME, "name", CFG_STRING, "", "", 0, 0, "name of the HIT; required")                                     \
	KEY(KEY_ADDR, "addr", CFG_STRING, "", "", 0, 0,                                                                  \
	    "the signal that the triggers look at; without it nothing triggers")                                         \
	KEY(KEY_FORMER, "former", CFG_LIST, "", "", 0, 0,                                                                \
	    "names that its signals had in earlier versions; programs and recordings that use them are refused")         \
	KEY(KEY_FORMER_NAME, "former[]", CFG_STRING, "", "", 0, 0, "such a name")                                        \
	KEY(KEY_SIGNALS, "signals", CFG_LIST, "", "", 0, 0, "the signals; required")                                     \
	KEY(KEY_SIGNAL, "signals[]", CFG_GROUP, "", "", 0, 0, "one signal")                                              \
	KEY(KEY_SIGNAL_NAME, "signals[].name", CFG_STRING, "", "", 0, 0,                                                 \
	    "lower-case letters, digits, _; neither cycle nor hit_mhz; required")                                        \
	KEY(KEY_SIGNAL_BITS, "signals[].bits", CFG_INT, "bits", "", 1, 64, "its width; required")                        \
	KEY(KEY_SIGNAL_REGISTER, "signals[].register", CFG_INT, "", "", 0, NR_IOREGS - 1,                                \
	    "the input register that it is wired to; required")                                                          \
	KEY(KEY_SIGNAL_RATE, "signals[].rate", CFG_INT, "HIT cycles", "1", 0, 1e15,                                      \
	    "cycles between its data points; 0: they come when they come")                                               \
	KEY(KEY_SIGNAL_LEVEL, "signals[].level", CFG_BOOL, "", "false", 0, 0,                                            \
	    "it always has a value and is no data point: programs see it beside the data points, and it starts nothing") \
	KEY(KEY_SIGNAL_SEMANTICS, "signals[].semantics", CFG_STRING, "", "", 0, 0,                                       \
	    "what it says, in a sentence; required")

enum abi_key { ABI_KEYS(ROW_SYMBOL) NR_ABI_KEYS };

static const struct cfg_key keys[] = {ABI_KEYS(CFG_KEY_ROW)};

/* A spec that is being read. */
struct reading {
	struct abi *abi;
	const struct cfg_node *nodes[NR_IOREGS]; /* of the signals */
	struct sahm_err *err;
};

/* The value of a string that must be there and say something. */
static enum sahm_status read_string(const struct reading *r, const struct cfg_node *group, enum abi_key key,
				    const char **value)
{
	const struct cfg_node *node = cfg_member(group, &keys[key]);
	if (!node)
		return cfg_fail(group, r->err, "missing key '%s': %s", keys[key].path, keys[key].help);
	*value = node->value.string;
	if (!**value)
		return cfg_fail(node, r->err, "'%s' is empty", keys[key].path);
	return SAHM_OK;
}

static bool is_name(const char *text)
{
	size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_");
	return text[len] == '\0' && len <= MAX_NAME_BYTES && *text >= 'a' && *text <= 'z';
}

/* A name is also that of a function in programs and of a column in files, where two names are taken. */
static enum sahm_status check_name(const struct reading *r, const struct cfg_node *node)
{
	const char *name = node->value.string;
	if (!is_name(name))
		return cfg_fail(node, r->err,
				"bad name '%.80s', must be up to %d lower-case letters, digits and _, a letter first",
				name, MAX_NAME_BYTES);
	if (strcmp(name, CYCLE_COLUMN) == 0 || strcmp(name, HIT_MHZ_COLUMN) == 0)
		return cfg_fail(node, r->err, "bad name '%s', which recorded signals use for another column", name);
	return SAHM_OK;
}

static enum sahm_status read_name(const struct reading *r, const struct cfg_node *group, enum abi_key key,
				  const char **name)
{
	enum sahm_status status = read_string(r, group, key, name);
	return status == SAHM_OK ? check_name(r, cfg_member(group, &keys[key])) : status;
}

static enum sahm_status read_number(const struct reading *r, const struct cfg_node *group, enum abi_key key,
				    uint64_t *value)
{
	double number = 0;
	if (!cfg_member(group, &keys[key]) && !*keys[key].default_value)
		return cfg_fail(group, r->err, "missing key '%s': %s", keys[key].path, keys[key].help);
	enum sahm_status status = cfg_number(group, &keys[key], &number, r->err);
	*value = (uint64_t)number; /* whole and below 2^53: the schema says so */
	return status;
}

/* Each signal has a distinct name and register. */
static enum sahm_status check_unique(const struct reading *r, const struct cfg_node *node, const struct abi_signal *s)
{
	for (unsigned i = 0; i < r->abi->nr_signals; i++) {
		const struct abi_signal *other = &r->abi->signals[i];
		unsigned line = r->nodes[i]->line;
		if (strcmp(other->name, s->name) == 0)
			return cfg_fail(cfg_member(node, &keys[KEY_SIGNAL_NAME]), r->err,
					"there is a signal '%s' already, in line %u", s->name, line);
		if (other->reg == s->reg)
			return cfg_fail(cfg_member(node, &keys[KEY_SIGNAL_REGISTER]), r->err,
					"'%s' cannot be wired to register %u, which has '%s', in line %u", s->name,
					s->reg, other->name, line);
	}
	return SAHM_OK;
}

static enum sahm_status read_signal(struct reading *r, const struct cfg_node *node)
{
	struct abi_signal s = {0};
	uint64_t bits = 0, reg = 0;
	enum sahm_status status = SAHM_OK;
	if (r->abi->nr_signals == NR_IOREGS)
		return cfg_fail(node, r->err, "more than %d signals: an IPU has no more input registers", NR_IOREGS);
	status = read_name(r, node, KEY_SIGNAL_NAME, &s.name);
	if (status == SAHM_OK)
		status = read_number(r, node, KEY_SIGNAL_BITS, &bits);
	if (status == SAHM_OK)
		status = read_number(r, node, KEY_SIGNAL_REGISTER, &reg);
	if (status == SAHM_OK)
		status = read_number(r, node, KEY_SIGNAL_RATE, &s.rate);
	if (status == SAHM_OK)
		status = read_string(r, node, KEY_SIGNAL_SEMANTICS, &s.semantics);
	s.bits = (unsigned)bits;
	s.reg = (unsigned)reg;
	s.is_level = cfg_bool(node, &keys[KEY_SIGNAL_LEVEL]);
	if (status == SAHM_OK && s.is_level && s.rate != 1)
		return cfg_fail(cfg_member(node, &keys[KEY_SIGNAL_RATE]), r->err,
				"rate of '%s' must be 1 or absent: a level has a value in every cycle", s.name);
	if (status == SAHM_OK)
		status = check_unique(r, node, &s);
	if (status != SAHM_OK)
		return status;
	r->nodes[r->abi->nr_signals] = node;
	r->abi->signals[r->abi->nr_signals++] = s;
	return SAHM_OK;
}

static const char *nearest_signal(const struct abi *abi, const char *word, char text[SUGGEST_BYTES])
{
	struct suggest s;
	suggest_init(&s, word);
	for (unsigned i = 0; i < abi->nr_signals; i++)
		suggest_offer(&s, abi->signals[i].name);
	return suggest_text(&s, text);
}

static enum sahm_status read_addr(struct reading *r, const struct cfg_node *root)
{
	char near[SUGGEST_BYTES];
	const struct cfg_node *node = cfg_member(root, &keys[KEY_ADDR]);
	if (!node)
		return SAHM_OK;
	r->abi->addr = abi_find(r->abi, node->value.string);
	if (!r->abi->addr)
		return cfg_fail(node, r->err, "addr is '%.80s', which is no signal of this spec%s", node->value.string,
				nearest_signal(r->abi, node->value.string, near));
	return SAHM_OK;
}

static enum sahm_status check_data_points(const struct reading *r, const struct cfg_node *signals)
{
	for (unsigned i = 0; i < r->abi->nr_signals; i++)
		if (!r->abi->signals[i].is_level)
			return SAHM_OK;
	return cfg_fail(signals, r->err, "all signals are levels: one must have data points, which start programs");
}

static enum sahm_status read_former(struct reading *r, const struct cfg_node *root)
{
	struct abi *abi = r->abi;
	const struct cfg_node *list = cfg_member(root, &keys[KEY_FORMER]);
	for (const struct cfg_node *n = list ? list->first : NULL; n; n = n->next) {
		enum sahm_status status = check_name(r, n);
		if (status != SAHM_OK)
			return status;
		if (abi_find(abi, n->value.string))
			return cfg_fail(n, r->err, "former name '%s' is that of a signal of this spec",
					n->value.string);
		if (abi->nr_former == ABI_MAX_FORMER)
			return cfg_fail(n, r->err, "more than %d former names", ABI_MAX_FORMER);
		abi->former[abi->nr_former++] = n->value.string;
	}
	return SAHM_OK;
}

enum sahm_status abi_of_tree(const struct cfg_node *root, struct abi *abi, struct sahm_err *err)
{
	struct reading r = {.abi = abi, .err = err};
	*abi = (struct abi){.file = root->file};
	enum sahm_status status = cfg_check(root, keys, NR_ABI_KEYS, err);
	if (status == SAHM_OK)
		status = read_name(&r, root, KEY_NAME, &abi->name);
	const struct cfg_node *signals = cfg_member(root, &keys[KEY_SIGNALS]);
	if (status == SAHM_OK && !signals)
		status = cfg_fail(root, err, "missing key '%s': %s", keys[KEY_SIGNALS].path, keys[KEY_SIGNALS].help);
	if (status == SAHM_OK && signals->nr_children == 0)
		status = cfg_fail(signals, err, "signals is empty");
	for (const struct cfg_node *n = status == SAHM_OK ? signals->first : NULL; n && status == SAHM_OK; n = n->next)
		status = read_signal(&r, n);
	if (status == SAHM_OK)
		status = check_data_points(&r, signals);
	if (status == SAHM_OK)
		status = read_addr(&r, root);
	if (status == SAHM_OK)
		status = read_former(&r, root);
	return status;
}

enum sahm_status abi_read(struct arena *a, const char *path, struct abi *abi, struct sahm_err *err)
{
	struct cfg_node *root = NULL;
	enum sahm_status status = cfg_read_file(a, path, &root, err);
	return status == SAHM_OK ? abi_of_tree(root, abi, err) : status;
}

const struct abi_signal *abi_find(const struct abi *abi, const char *name)
{
	for (unsigned i = 0; i < abi->nr_signals; i++)
		if (strcmp(abi->signals[i].name, name) == 0)
			return &abi->signals[i];
	return NULL;
}

bool abi_is_former(const struct abi *abi, const char *name)
{
	for (unsigned i = 0; i < abi->nr_former; i++)
		if (strcmp(abi->former[i], name) == 0)
			return true;
	return false;
}

/* A need as IPU_INPUT() writes it. */
static enum sahm_status check_need(const struct abi *abi, const char *file, const char *name, uint32_t need,
				   struct sahm_err *err)
{
	char near[SUGGEST_BYTES];
	uint32_t reg = need & 0xff, bits = need >> 8 & 0xff;
	const struct abi_signal *s = abi_find(abi, name);
	if ((need & ~UINT32_C(0xffff)) != ABI_NEED_MARK || reg >= NR_IOREGS || bits == 0 || bits > 64)
		return sahm_fail_at(err, SAHM_FORMAT, file, 0,
				    "its input '%.80s' is declared by 0x%08" PRIx32
				    ", which is not how IPU_INPUT() of introspect.h does it",
				    name, need);
	if (!s && abi_is_former(abi, name))
		return sahm_fail_at(err, SAHM_FORMAT, file, 0,
				    "it reads '%s' of an earlier version of the ABI spec '%s' (%s): build it again for "
				    "the present one",
				    name, abi->name, abi->file);
	if (!s)
		return sahm_fail_at(err, SAHM_FORMAT, file, 0, "it reads '%.80s', which the ABI spec '%s' lacks (%s)%s",
				    name, abi->name, abi->file, nearest_signal(abi, name, near));
	if (s->reg != reg)
		return sahm_fail_at(err, SAHM_FORMAT, file, 0,
				    "it reads '%s' in register %" PRIu32
				    ", the ABI spec '%s' has it in register %u (%s)",
				    name, reg, abi->name, s->reg, abi->file);
	if (s->bits != bits)
		return sahm_fail_at(err, SAHM_FORMAT, file, 0,
				    "it reads '%s' with %" PRIu32 " bit%s, the ABI spec '%s' has it with %u (%s)", name,
				    bits, bits == 1 ? "" : "s", abi->name, s->bits, abi->file);
	return SAHM_OK;
}

enum sahm_status abi_check(const struct abi *abi, const struct elf_image *image, struct sahm_err *err)
{
	size_t nr, len = strlen(ABI_NEED_PREFIX);
	const struct elf_symbol *symbols = elf_image_symbols(image, &nr);
	enum sahm_status status = SAHM_OK;
	for (size_t i = 0; i < nr && status == SAHM_OK; i++)
		if (strncmp(symbols[i].name, ABI_NEED_PREFIX, len) == 0)
			status = check_need(abi, elf_image_file(image), symbols[i].name + len, symbols[i].address, err);
	return status;
}

void abi_hash(const struct abi *abi, struct hash *h)
{
	hash_add_u64(h, abi->nr_signals);
	/* By registers: where a signal stands in the file makes no difference. */
	for (unsigned reg = 0; reg < NR_IOREGS; reg++) {
		for (unsigned i = 0; i < abi->nr_signals; i++) {
			const struct abi_signal *s = &abi->signals[i];
			if (s->reg != reg)
				continue;
			hash_add_string(h, s->name);
			hash_add_u64(h, s->reg);
			hash_add_u64(h, s->bits);
			hash_add_u64(h, s->rate);
			if (s->is_level) /* so that hashes of specs without levels stay */
				hash_add_string(h, "level");
		}
	}
	hash_add_string(h, abi->addr ? abi->addr->name : "");
}

struct trust_abi abi_to_trust(const struct abi *abi)
{
	struct trust_abi trusted = {.name = abi->name};
	struct hash h;
	hash_init(&h);
	abi_hash(abi, &h);
	hash_end(&h, trusted.spec);
	return trusted;
}
