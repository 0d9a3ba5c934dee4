/* Trust files, and files of revocations. */
#include <stdlib.h>
#include <string.h>

#include "ipu/trust/key_internal.h"
#include "ipu/trust/trust_internal.h"
#include "sim/base/array.h"
#include "sim/base/cfg.h"
#include "sim/base/file.h"
#include "sim/base/suggest.h"

/* The keys of a file of revocations, which are those of a trust file as well: KEY(symbol, path, kinds, unit, default as
 * written, min, max, help). Checks, suggestions and docs/signing.md's table come from here. */
#define REVOKED_KEYS(KEY)                                                                                              \
	KEY(KEY_REVOKED, "revoked", CFG_LIST, "", "", 0, 0, "what is trusted no more")                                 \
	KEY(KEY_REVOKED_ROW, "revoked[]", CFG_GROUP, "", "", 0, 0, "a key or an image")                                \
	KEY(KEY_REVOKED_KEY, "revoked[].key", CFG_STRING, "32 hexadecimal digits", "", 0, 0,                           \
	    "id of a key; this or `image` is required")                                                                \
	KEY(KEY_REVOKED_IMAGE, "revoked[].image", CFG_STRING, "64 hexadecimal digits", "", 0, 0,                       \
	    "BLAKE2b-256 of an image, as signatures have it")                                                          \
	KEY(KEY_REVOKED_REASON, "revoked[].reason", CFG_STRING, "", "", 0, 0, "why, for the message; required")

/* The other keys of a trust file, likewise. */
#define TRUST_KEYS(KEY)                                                                                                \
	KEY(KEY_POLICY, "policy", CFG_STRING, "", "closed", 0, 0,                                                      \
	    "which keys are taken: closed, restrictive or permissive")                                                 \
	KEY(KEY_CONFIDENTIAL, "confidential", CFG_BOOL, "", "false", 0, 0, "whether no program runs at all")           \
	KEY(KEY_DATE, "date", CFG_STRING, "\"2030-12-31\"", "", 0, 0,                                                  \
	    "the day used to check expiry; default: today (UTC)")                                                      \
	KEY(KEY_KEYS, "keys", CFG_LIST, "", "", 0, 0, "the keys whose signatures are taken")                           \
	KEY(KEY_KEY, "keys[]", CFG_GROUP, "", "", 0, 0, "one key")                                                     \
	KEY(KEY_KEY_NAME, "keys[].name", CFG_STRING, "", "", 0, 0, "its name in messages; required")                   \
	KEY(KEY_KEY_PUBLIC, "keys[].public", CFG_STRING, "64 hexadecimal digits", "", 0, 0,                            \
	    "its public half, as its .pub file has it; required")                                                      \
	KEY(KEY_KEY_CLASS, "keys[].class", CFG_STRING, "", "", 0, 0, "vendor, reviewed or developer; required")        \
	KEY(KEY_KEY_EXPIRES, "keys[].expires", CFG_STRING, "\"2030-12-31\"", "never", 0, 0,                            \
	    "the last day on which it is good")                                                                        \
	KEY(KEY_REVOCATIONS, "revocations", CFG_STRING, "", "", 0, 0,                                                  \
	    "a file with only `revoked`, relative to this one")

enum trust_key {
	REVOKED_KEYS(ROW_SYMBOL) NR_REVOKED_KEYS,
	KEY_BEFORE_OTHERS = NR_REVOKED_KEYS - 1,
	TRUST_KEYS(ROW_SYMBOL) NR_TRUST_KEYS
};

static const struct cfg_key keys[] = {REVOKED_KEYS(CFG_KEY_ROW) TRUST_KEYS(CFG_KEY_ROW)};

static const char *const class_names[NR_TRUST_POLICIES] = {
#define POLICY(symbol, name, key_symbol, key_name, asks, holders) [TRUST_POLICY_##symbol] = key_name,
#include "ipu/trust/trust_policy_list.h"
#undef POLICY
};

const char *trust_class_name(enum trust_policy class)
{
	return class_names[class];
}

/* Text without a file, in messages. */
#define UNNAMED "the trust file"

struct reading {
	struct trust *t;
	struct sahm_err *err;
};

/* Required, and not empty. */
static enum sahm_status read_string(const struct reading *r, const struct cfg_node *group, enum trust_key key,
				    const char **value)
{
	const struct cfg_node *node = cfg_member(group, &keys[key]);
	if (!node)
		return cfg_fail(group, r->err, "missing key '%s': %s", keys[key].path, keys[key].help);
	*value = node->value.string;
	return **value ? SAHM_OK : cfg_fail(node, r->err, "'%s' is empty", keys[key].path);
}

static enum sahm_status read_hex(const struct reading *r, const struct cfg_node *group, enum trust_key key,
				 uint8_t *bytes, size_t nr_bytes)
{
	const char *text = "";
	enum sahm_status status = read_string(r, group, key, &text);
	if (status == SAHM_OK && !key_read_hex(text, strlen(text), bytes, nr_bytes))
		status = cfg_fail(cfg_member(group, &keys[key]), r->err,
				  "'%s' is '%.80s', must be %zu lower-case hexadecimal digits", keys[key].path, text,
				  2 * nr_bytes);
	return status;
}

/* Without the key: the default. */
static enum sahm_status read_expiry(const struct reading *r, const struct cfg_node *group, enum trust_key key,
				    uint32_t *date)
{
	const char *text = cfg_string(group, &keys[key]);
	if (date_read_expiry(text, strlen(text), date))
		return SAHM_OK;
	return cfg_fail(cfg_member(group, &keys[key]), r->err, "'%s' is '%.80s', must be " DATE_FORM ", or never",
			keys[key].path, text);
}

static enum sahm_status read_class(const struct reading *r, const struct cfg_node *group, enum trust_policy *class)
{
	struct suggest s;
	char hint[SUGGEST_BYTES];
	const char *text = "";
	enum sahm_status status = read_string(r, group, KEY_KEY_CLASS, &text);
	if (status != SAHM_OK)
		return status;
	suggest_init(&s, text);
	for (unsigned i = 0; i < NR_TRUST_POLICIES; i++) {
		if (strcmp(text, class_names[i]) == 0) {
			*class = (enum trust_policy)i;
			return SAHM_OK;
		}
		suggest_offer(&s, class_names[i]);
	}
	return cfg_fail(cfg_member(group, &keys[KEY_KEY_CLASS]), r->err,
			"no class of keys is called '%.80s': it is vendor, reviewed or developer%s", text,
			suggest_text(&s, hint));
}

/* Messages tell keys apart by their names. */
static enum sahm_status check_name(const struct reading *r, const struct trusted_key *k)
{
	for (const struct trusted_key *other = r->t->keys; other < k; other++)
		if (strcmp(other->name, k->name) == 0)
			return sahm_fail_at(r->err, SAHM_CONFIG, k->file, k->line,
					    "another key is called '%.80s', in line %u: each needs a different name",
					    k->name, other->line);
	return SAHM_OK;
}

static enum sahm_status read_key(const struct reading *r, const struct cfg_node *node, struct trusted_key *k)
{
	uint8_t bytes[KEY_PUBLIC_BYTES];
	k->file = node->file;
	k->line = node->line;
	enum sahm_status status = read_string(r, node, KEY_KEY_NAME, &k->name);
	if (status == SAHM_OK)
		status = read_hex(r, node, KEY_KEY_PUBLIC, bytes, sizeof(bytes));
	if (status == SAHM_OK && !public_key_init(&k->key, bytes))
		status = cfg_fail(cfg_member(node, &keys[KEY_KEY_PUBLIC]), r->err,
				  "'%s' of '%.80s' is no key of Ed25519", keys[KEY_KEY_PUBLIC].path, k->name);
	if (status == SAHM_OK)
		status = read_class(r, node, &k->class);
	if (status == SAHM_OK)
		status = read_expiry(r, node, KEY_KEY_EXPIRES, &k->expires);
	return status == SAHM_OK ? check_name(r, k) : status;
}

static int by_key_id(const void *a, const void *b)
{
	const struct trusted_key *x = a, *y = b;
	return memcmp(x->key.id, y->key.id, KEY_ID_BYTES);
}

/* Of equal ones the first in the file comes first. */
static int by_key_id_and_order(const void *a, const void *b)
{
	const struct trusted_key *x = a, *y = b;
	int ids = by_key_id(a, b);
	return ids ? ids : (x->order > y->order) - (x->order < y->order);
}

static enum sahm_status check_unique(const struct reading *r)
{
	const struct trust *t = r->t;
	/* A class for each key, whatever else it is called. */
	for (size_t i = 1; i < t->nr_keys; i++) {
		const struct trusted_key *a = &t->keys[i - 1], *b = &t->keys[i];
		if (by_key_id(a, b) == 0)
			return sahm_fail_at(r->err, SAHM_CONFIG, b->file, b->line,
					    "'%.80s' and '%.80s' are one key: which class has it?", a->name, b->name);
	}
	return SAHM_OK;
}

static enum sahm_status read_keys(const struct reading *r, const struct cfg_node *list)
{
	struct trust *t = r->t;
	enum sahm_status status = SAHM_OK;
	if (!list || list->nr_children == 0)
		return SAHM_OK;
	if (list->nr_children > TRUST_MAX_KEYS)
		return cfg_fail(list, r->err, "more than %u keys", TRUST_MAX_KEYS);
	t->keys = arena_alloc(&t->arena, list->nr_children, sizeof(*t->keys));
	if (!t->keys)
		return sahm_fail_nomem(r->err);
	for (const struct cfg_node *n = list->first; n && status == SAHM_OK; n = n->next) {
		t->keys[t->nr_keys].order = (unsigned)t->nr_keys;
		status = read_key(r, n, &t->keys[t->nr_keys++]);
	}
	if (status != SAHM_OK)
		return status;
	qsort(t->keys, t->nr_keys, sizeof(*t->keys), by_key_id_and_order);
	return check_unique(r);
}

const struct trusted_key *trust_find_key(const struct trust *t, const uint8_t id[KEY_ID_BYTES])
{
	struct trusted_key sought;
	memcpy(sought.key.id, id, KEY_ID_BYTES);
	return t->nr_keys ? bsearch(&sought, t->keys, t->nr_keys, sizeof(*t->keys), by_key_id) : NULL;
}

static int by_id(const void *a, const void *b)
{
	const struct revocation *x = a, *y = b;
	return memcmp(x->id, y->id, HASH_BYTES);
}

static int by_id_and_order(const void *a, const void *b)
{
	const struct revocation *x = a, *y = b;
	int ids = by_id(a, b);
	return ids ? ids : (x->order > y->order) - (x->order < y->order);
}

/* Sorts them, and keeps of equal ones the first. */
static void sort_revocations(struct revocations *r)
{
	size_t kept = 0;
	qsort(r->rows, r->nr, sizeof(*r->rows), by_id_and_order);
	for (size_t i = 0; i < r->nr; i++)
		if (kept == 0 || by_id(&r->rows[kept - 1], &r->rows[i]) != 0)
			r->rows[kept++] = r->rows[i];
	r->nr = kept;
}

const struct revocation *trust_find_revocation(const struct revocations *r, const uint8_t *id, size_t nr_bytes)
{
	struct revocation sought = {.id = {0}};
	memcpy(sought.id, id, nr_bytes);
	return r->nr ? bsearch(&sought, r->rows, r->nr, sizeof(*r->rows), by_id) : NULL;
}

static enum sahm_status read_revoked(const struct reading *r, const struct cfg_node *node)
{
	struct trust *t = r->t;
	bool has_key = cfg_member(node, &keys[KEY_REVOKED_KEY]), has_image = cfg_member(node, &keys[KEY_REVOKED_IMAGE]);
	if (has_key == has_image)
		return cfg_fail(node, r->err, "a row of 'revoked' must have either 'key' or 'image'%s",
				has_key ? ", not both" : "");
	struct revocations *of = has_key ? &t->revoked_keys : &t->revoked_images;
	struct revocation *row = &of->rows[of->nr];
	row->order = (unsigned)of->nr++;
	row->file = node->file ? node->file : UNNAMED;
	row->line = node->line;
	enum sahm_status status = has_key ? read_hex(r, node, KEY_REVOKED_KEY, row->id, KEY_ID_BYTES)
					  : read_hex(r, node, KEY_REVOKED_IMAGE, row->id, HASH_BYTES);
	return status == SAHM_OK ? read_string(r, node, KEY_REVOKED_REASON, &row->reason) : status;
}

/* Of both files, `more` may be NULL: both lists get room for all rows. */
static enum sahm_status read_all_revoked(const struct reading *r, const struct cfg_node *root,
					 const struct cfg_node *more)
{
	struct trust *t = r->t;
	const struct cfg_node *lists[] = {cfg_member(root, &keys[KEY_REVOKED]), cfg_member(more, &keys[KEY_REVOKED])};
	enum sahm_status status = SAHM_OK;
	size_t nr = 0;
	for (unsigned i = 0; i < 2; i++) {
		nr += lists[i] ? lists[i]->nr_children : 0;
		if (nr > TRUST_MAX_REVOKED)
			return cfg_fail(lists[i], r->err, "more than %u revocations", TRUST_MAX_REVOKED);
	}
	t->revoked_keys.rows = arena_alloc(&t->arena, nr, sizeof(struct revocation));
	t->revoked_images.rows = arena_alloc(&t->arena, nr, sizeof(struct revocation));
	if (!t->revoked_keys.rows || !t->revoked_images.rows)
		return sahm_fail_nomem(r->err);
	for (unsigned i = 0; i < 2; i++)
		for (const struct cfg_node *n = lists[i] ? lists[i]->first : NULL; n && status == SAHM_OK; n = n->next)
			status = read_revoked(r, n);
	sort_revocations(&t->revoked_keys);
	sort_revocations(&t->revoked_images);
	return status;
}

/* Where the file `name` is that the file `beside` names. */
static enum sahm_status find_beside(const char *beside, const char *name, struct textbuf *path, struct sahm_err *err)
{
	char *real = file_behind_links(beside);
	const char *slash = real ? strrchr(real, '/') : NULL;
	/* A file that is called "-" is not standard input. */
	if (name[0] != '/' && slash)
		textbuf_add(path, real, (size_t)(slash - real) + 1);
	else if (strcmp(name, "-") == 0)
		textbuf_puts(path, "./");
	textbuf_puts(path, name);
	bool is_found = real && !textbuf_failed(path);
	free(real);
	return is_found ? SAHM_OK : sahm_fail_nomem(err);
}

/* Reads the file that `node` names, beside the one that it stands in. */
static enum sahm_status read_revocations(const struct reading *r, const struct cfg_node *node, struct cfg_node **root)
{
	struct textbuf path;
	struct sahm_err cause, message;
	const char *name = node->value.string;
	if (!*name)
		return cfg_fail(node, r->err, "'%s' is empty", keys[KEY_REVOCATIONS].path);
	if (!node->file)
		return cfg_fail(node, r->err, "'%s' cannot be read: this text is in no file",
				keys[KEY_REVOCATIONS].path);
	char *text = NULL;
	size_t len;
	textbuf_init(&path);
	enum sahm_status status = find_beside(node->file, name, &path, &cause);
	if (status == SAHM_OK)
		status = file_read_regular(path.text, MAX_CFG_BYTES, &text, &len, &cause);
	if (status == SAHM_OK)
		status = cfg_read_text(&r->t->arena, path.text, text, len, root, &cause);
	free(text);
	textbuf_release(&path);
	if (status == SAHM_OK)
		return cfg_check(*root, keys, NR_REVOKED_KEYS, r->err);
	/* What is wrong in that file has its place there; one that cannot be read has this one. */
	if (status == SAHM_IO)
		cfg_fail(node, &message, "'%s': %s", keys[KEY_REVOCATIONS].path, cause.msg);
	return sahm_fail(r->err, status, "%s", status == SAHM_IO ? message.msg : cause.msg);
}

static enum sahm_status read_policy(const struct reading *r, const struct cfg_node *root)
{
	char hint[SUGGEST_BYTES];
	const char *name = cfg_string(root, &keys[KEY_POLICY]);
	if (trust_policy_find(name, &r->t->policy, hint))
		return SAHM_OK;
	return cfg_fail(cfg_member(root, &keys[KEY_POLICY]), r->err,
			"no policy is called '%.80s': it is closed, restrictive or permissive%s", name, hint);
}

static enum sahm_status read_date(const struct reading *r, const struct cfg_node *root)
{
	const struct cfg_node *node = cfg_member(root, &keys[KEY_DATE]);
	if (!node && !date_today(&r->t->date))
		return sahm_fail_at(r->err, SAHM_RANGE, r->t->file, 0,
				    "expiry cannot be checked: the system's clock shows no day of the years 1 to "
				    "9999, and there is no 'date'");
	r->t->has_date = node;
	if (!node || date_read(node->value.string, strlen(node->value.string), &r->t->date))
		return SAHM_OK;
	return cfg_fail(node, r->err, "'date' is '%.80s', must be " DATE_FORM, node->value.string);
}

static enum sahm_status read_tree(const struct reading *r, const struct cfg_node *root)
{
	struct cfg_node *more = NULL;
	const struct cfg_node *revocations = cfg_member(root, &keys[KEY_REVOCATIONS]);
	r->t->file = root->file ? root->file : UNNAMED;
	enum sahm_status status = cfg_check(root, keys, NR_TRUST_KEYS, r->err);
	if (status == SAHM_OK)
		status = read_policy(r, root);
	if (status == SAHM_OK)
		status = read_date(r, root);
	if (status == SAHM_OK)
		status = read_keys(r, cfg_member(root, &keys[KEY_KEYS]));
	if (status == SAHM_OK && revocations)
		status = read_revocations(r, revocations, &more);
	if (status == SAHM_OK)
		status = read_all_revoked(r, root, more);
	if (status == SAHM_OK)
		r->t->is_confidential = cfg_bool(root, &keys[KEY_CONFIDENTIAL]);
	return status;
}

/* The name of the file itself, beside which stands what it includes, too. NULL: no memory. */
static const char *name_of(struct arena *a, const char *path)
{
	char *real = strcmp(path, "-") == 0 ? strdup(path) : file_behind_links(path);
	const char *name = real ? arena_strdup(a, real) : NULL;
	free(real);
	return name;
}

/* `text` NULL: what is in the file. `path` NULL: in none. */
static enum sahm_status read_tree_of(const struct reading *r, const char *path, const char *text, size_t len)
{
	struct cfg_node *root = NULL;
	struct arena *a = &r->t->arena;
	enum sahm_status status;
	const char *file = path ? name_of(a, path) : NULL;
	if (path && !file)
		return sahm_fail_nomem(r->err);
	status = text ? cfg_read_text(a, file, text, len, &root, r->err) : cfg_read_file(a, file, &root, r->err);
	return status == SAHM_OK ? read_tree(r, root) : status;
}

void trust_free(struct trust *t)
{
	if (!t)
		return;
	arena_release(&t->arena);
	free(t);
}

static enum sahm_status read_trust(struct trust **t, const char *path, const char *text, size_t len,
				   struct sahm_err *err)
{
	enum sahm_status status = key_begin(err);
	struct trust *made = status == SAHM_OK ? calloc(1, sizeof(*made)) : NULL;
	if (!made)
		return status == SAHM_OK ? sahm_fail_nomem(err) : status;
	arena_init(&made->arena);
	struct reading r = {.t = made, .err = err};
	status = read_tree_of(&r, path, text, len);
	if (status == SAHM_OK)
		*t = made;
	else
		trust_free(made);
	return status;
}

enum sahm_status trust_read(struct trust **t, const char *path, struct sahm_err *err)
{
	return read_trust(t, path, NULL, 0, err);
}

enum sahm_status trust_of_text(struct trust **t, const char *file, const char *text, size_t len, struct sahm_err *err)
{
	return read_trust(t, file, text, len, err);
}
