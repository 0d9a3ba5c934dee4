#include "ipu/trust/signature.h"

#include <sodium.h>
#include <string.h>

#include "ipu/trust/fields_internal.h"
#include "sim/base/suggest.h"

static const char *const headers[] = {"sahm ipu signature 2", NULL};

static const char *const policy_names[NR_TRUST_POLICIES] = {
#define POLICY(symbol, name, key_symbol, key_name, asks, holders) [TRUST_POLICY_##symbol] = name,
#include "ipu/trust/trust_policy_list.h"
#undef POLICY
};

const char *trust_policy_name(enum trust_policy policy)
{
	return policy_names[policy];
}

bool trust_policy_find(const char *name, enum trust_policy *policy, char *hint)
{
	struct suggest s;
	suggest_init(&s, name);
	for (unsigned i = 0; i < NR_TRUST_POLICIES; i++) {
		if (strcmp(name, policy_names[i]) == 0) {
			*policy = (enum trust_policy)i;
			return true;
		}
		suggest_offer(&s, policy_names[i]);
	}
	suggest_text(&s, hint);
	return false;
}

#define LOWER "abcdefghijklmnopqrstuvwxyz"
#define DIGITS "0123456789"
#define ALNUM LOWER "ABCDEFGHIJKLMNOPQRSTUVWXYZ" DIGITS

/* Characters of a word, at its beginning and after that. */
struct word_form {
	const char *first, *all;
	size_t room; /* with the closing NUL */
	const char *text;
};

static const struct word_form name_form = {ALNUM, ALNUM "._-", SIGNATURE_NAME_BYTES, SIGNATURE_NAME_FORM};
static const struct word_form version_form = {ALNUM, ALNUM "._-+~", SIGNATURE_VERSION_BYTES, SIGNATURE_VERSION_FORM};
static const struct word_form abi_form = {LOWER, LOWER DIGITS "_", SIGNATURE_ABI_BYTES, SIGNATURE_ABI_FORM};

static bool is_word(const struct word_form *form, const char *text)
{
	return *text && strchr(form->first, *text) && text[strspn(text, form->all)] == '\0' &&
	       strlen(text) < form->room;
}

bool signature_name_is_good(const char *text)
{
	return is_word(&name_form, text);
}

bool signature_version_is_good(const char *text)
{
	return is_word(&version_form, text);
}

bool signature_abi_is_good(const char *text)
{
	return is_word(&abi_form, text);
}

static enum sahm_status read_word(struct field_walk *w, const char *name, const struct word_form *form, char *word)
{
	const char *value = NULL;
	size_t len = 0;
	enum sahm_status status = field_value(w, name, &value, &len);
	if (status != SAHM_OK)
		return status;
	memset(word, 0, form->room);
	memcpy(word, value, len < form->room ? len : form->room - 1);
	return len < form->room && is_word(form, word) ? SAHM_OK : field_fail(w, "%s must be %s", name, form->text);
}

static enum sahm_status read_policy(struct field_walk *w, enum trust_policy *policy)
{
	char word[SIGNATURE_NAME_BYTES] = "", hint[SUGGEST_BYTES];
	const char *value = NULL;
	size_t len = 0;
	enum sahm_status status = field_value(w, "class", &value, &len);
	if (status != SAHM_OK)
		return status;
	if (len < sizeof(word))
		memcpy(word, value, len);
	if (trust_policy_find(word, policy, hint))
		return SAHM_OK;
	return field_fail(w, "class must be closed, restrictive or permissive%s", hint);
}

static enum sahm_status read_expiry(struct field_walk *w, uint32_t *date)
{
	const char *value = NULL;
	size_t len = 0;
	enum sahm_status status = field_value(w, "expires", &value, &len);
	if (status == SAHM_OK && !date_read_expiry(value, len, date))
		status = field_fail(w, "expires must be " DATE_FORM ", or never");
	return status;
}

enum sahm_status signature_read(const char *file, const char *text, size_t len, struct signature *s,
				struct sahm_err *err)
{
	struct field_walk w;
	size_t which;
	if (len > TRUST_MAX_SIGNATURE_BYTES)
		return sahm_fail_at(err, SAHM_FORMAT, file, 0, "this is no signature: it is larger than %u bytes",
				    TRUST_MAX_SIGNATURE_BYTES);
	field_walk_init(&w, file, text, len, err);
	enum sahm_status status = field_header(&w, "signature", headers, &which);
	if (status == SAHM_OK)
		status = read_word(&w, "name", &name_form, s->name);
	if (status == SAHM_OK)
		status = read_word(&w, "version", &version_form, s->version);
	if (status == SAHM_OK)
		status = read_word(&w, "abi", &abi_form, s->abi);
	if (status == SAHM_OK)
		status = field_hex(&w, "spec", s->spec, sizeof(s->spec));
	if (status == SAHM_OK)
		status = read_policy(&w, &s->policy);
	if (status == SAHM_OK)
		status = field_hex(&w, "key", s->key_id, sizeof(s->key_id));
	if (status == SAHM_OK)
		status = read_expiry(&w, &s->expires);
	if (status == SAHM_OK)
		status = field_hex(&w, "image", s->image, sizeof(s->image));
	s->has_soft = status == SAHM_OK && field_is_next(&w, "soft");
	if (s->has_soft)
		status = field_hex(&w, "soft", s->soft, sizeof(s->soft));
	s->nr_signed = (size_t)(w.at - w.text);
	if (status == SAHM_OK)
		status = field_hex(&w, "signature", s->ed25519, sizeof(s->ed25519));
	return status == SAHM_OK ? field_end(&w) : status;
}

/* Appends the lines that are signed. */
static void write_signed(const struct signature *s, struct textbuf *text)
{
	char id[KEY_ID_HEX_BYTES], spec[HASH_HEX_BYTES], image[HASH_HEX_BYTES], soft[HASH_HEX_BYTES], date[DATE_BYTES];
	hash_hex(s->spec, spec);
	hash_hex(s->image, image);
	textbuf_printf(text,
		       "%s\nname: %s\nversion: %s\nabi: %s\nspec: %s\nclass: %s\nkey: %s\nexpires: %s\nimage: %s\n",
		       headers[0], s->name, s->version, s->abi, spec, policy_names[s->policy],
		       key_id_hex(s->key_id, id), date_write(s->expires, date), image);
	if (!s->has_soft)
		return;
	hash_hex(s->soft, soft);
	textbuf_printf(text, "soft: %s\n", soft);
}

static void write_last(const struct signature *s, struct textbuf *text)
{
	char hex[2 * KEY_SIGNATURE_BYTES + 1];
	sodium_bin2hex(hex, sizeof(hex), s->ed25519, KEY_SIGNATURE_BYTES);
	textbuf_printf(text, "signature: %s\n", hex);
}

void signature_write(const struct signature *s, struct textbuf *text)
{
	write_signed(s, text);
	write_last(s, text);
}

static void hash_bytes(const void *bytes, size_t nr_bytes, uint8_t hash[HASH_BYTES])
{
	struct hash h;
	hash_init(&h);
	hash_add(&h, bytes, nr_bytes);
	hash_end(&h, hash);
}

void signature_set_soft(struct signature *s, const void *module, size_t nr_bytes)
{
	s->has_soft = true;
	hash_bytes(module, nr_bytes, s->soft);
}

static enum sahm_status check_words(const struct signature *s, struct sahm_err *err)
{
	if (!is_word(&name_form, s->name))
		return sahm_fail(err, SAHM_USAGE, "bad name '%s', must be %s", s->name, name_form.text);
	if (!is_word(&version_form, s->version))
		return sahm_fail(err, SAHM_USAGE, "bad version '%s', must be %s", s->version, version_form.text);
	if (!is_word(&abi_form, s->abi))
		return sahm_fail(err, SAHM_USAGE, "bad ABI '%s', must be %s", s->abi, abi_form.text);
	return SAHM_OK;
}

enum sahm_status signature_make(struct signature *s, const struct secret_key *k, const void *image, size_t nr_bytes,
				struct textbuf *text, struct sahm_err *err)
{
	struct textbuf part;
	enum sahm_status status = check_words(s, err);
	if (status != SAHM_OK)
		return status;
	memcpy(s->key_id, secret_key_public(k)->id, KEY_ID_BYTES);
	hash_bytes(image, nr_bytes, s->image);
	textbuf_init(&part);
	write_signed(s, &part);
	s->nr_signed = part.len;
	if (textbuf_failed(&part)) {
		status = sahm_fail_nomem(err);
	} else {
		secret_key_sign(k, part.text, part.len, s->ed25519);
		write_last(s, &part);
		textbuf_add(text, part.text, part.len);
	}
	textbuf_release_part(&part, text);
	if (status == SAHM_OK && textbuf_failed(text))
		status = sahm_fail_nomem(err);
	return status;
}

bool signature_is_by(const struct signature *s, const char *text, const struct public_key *k)
{
	return public_key_verify(k, text, s->nr_signed, s->ed25519);
}

bool signature_is_of(const struct signature *s, const void *image, size_t nr_bytes)
{
	uint8_t hash[HASH_BYTES];
	hash_bytes(image, nr_bytes, hash);
	return memcmp(hash, s->image, HASH_BYTES) == 0;
}

bool signature_is_with(const struct signature *s, const void *module, size_t nr_bytes)
{
	uint8_t hash[HASH_BYTES];
	hash_bytes(module, nr_bytes, hash);
	return s->has_soft && memcmp(hash, s->soft, HASH_BYTES) == 0;
}
