#include "ipu/trust/trust.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ipu/trust/trust_internal.h"
#include "sim/base/file.h"

struct candidate {
	const struct trust *t;
	const struct trust_image *image;
	struct signature signature;
	const struct trusted_key *key;
	struct sahm_err *err;
};

#define REFUSE(c, ...) sahm_fail_at((c)->err, SAHM_REFUSED, (c)->image->file, 0, __VA_ARGS__)

static const char *asks_for(enum trust_policy policy)
{
	static const char *const texts[NR_TRUST_POLICIES] = {
#define POLICY(symbol, name, key_symbol, key_name, asks, holders) [TRUST_POLICY_##symbol] = asks,
#include "ipu/trust/trust_policy_list.h"
#undef POLICY
	};
	return texts[policy];
}

/* A text that cannot be read refuses the image, whatever it is called by those who only look at it. */
static enum sahm_status read_signature(struct candidate *c)
{
	const struct trust_image *image = c->image;
	char *name = malloc(strlen(image->file) + sizeof(SIGNATURE_ENDING));
	if (!name)
		return sahm_fail_nomem(c->err);
	strcat(strcpy(name, image->file), SIGNATURE_ENDING);
	enum sahm_status status = signature_read(image->signature_file ? image->signature_file : name, image->signature,
						 image->nr_signature, &c->signature, c->err);
	free(name);
	if (status != SAHM_FORMAT)
		return status;
	if (c->err)
		c->err->status = SAHM_REFUSED;
	return SAHM_REFUSED;
}

/* A program and its soft logic are one bundle. */
static enum sahm_status check_soft(const struct candidate *c)
{
	const struct trust_soft *soft = c->image->soft;
	if (soft && !c->signature.has_soft)
		return REFUSE(c, "it is signed without soft logic, and is to run with '%.200s'", soft->file);
	if (!soft && c->signature.has_soft)
		return REFUSE(c, "it is signed together with soft logic, and is to run without");
	if (soft && !signature_is_with(&c->signature, soft->bytes, soft->nr_bytes))
		return REFUSE(c, "its soft logic '%.200s' is not that with which it was signed", soft->file);
	return SAHM_OK;
}

/* Whose signature it is, and of what. */
static enum sahm_status check_signature(struct candidate *c)
{
	char id[KEY_ID_HEX_BYTES];
	const struct signature *s = &c->signature;
	c->key = trust_find_key(c->t, s->key_id);
	if (!c->key)
		return REFUSE(c, "it is signed with a key that is not known here, %s (%s)", key_id_hex(s->key_id, id),
			      c->t->file);
	if (!signature_is_by(s, c->image->signature, &c->key->key))
		return REFUSE(c,
			      "its signature is not one by the key '%.80s' (%s): a line of it was altered, or another "
			      "key made it",
			      c->key->name, key_id_hex(s->key_id, id));
	if (!signature_is_of(s, c->image->bytes, c->image->nr_bytes))
		return REFUSE(c, "it is not the image that was signed as '%s' %s: it was altered since", s->name,
			      s->version);
	return check_soft(c);
}

static enum sahm_status check_revocations(const struct candidate *c)
{
	char id[KEY_ID_HEX_BYTES];
	const struct signature *s = &c->signature;
	const struct revocation *r = trust_find_revocation(&c->t->revoked_keys, s->key_id, KEY_ID_BYTES);
	if (r)
		return REFUSE(c, "the key that it is signed with, '%.80s' (%s), is revoked: %.200s (%s:%u)",
			      c->key->name, key_id_hex(s->key_id, id), r->reason, r->file, r->line);
	r = trust_find_revocation(&c->t->revoked_images, s->image, HASH_BYTES);
	if (r)
		return REFUSE(c, "this image is revoked: %.200s (%s:%u)", r->reason, r->file, r->line);
	r = s->has_soft ? trust_find_revocation(&c->t->revoked_images, s->soft, HASH_BYTES) : NULL;
	if (r)
		return REFUSE(c, "its soft logic is revoked: %.200s (%s:%u)", r->reason, r->file, r->line);
	return SAHM_OK;
}

static enum sahm_status check_dates(const struct candidate *c)
{
	char last[DATE_BYTES], day[DATE_BYTES], id[KEY_ID_HEX_BYTES];
	date_write(c->t->date, day);
	if (c->key->expires < c->t->date)
		return REFUSE(
			c, "the key that it is signed with, '%.80s' (%s), expired: its last day was %s, and it is %s",
			c->key->name, key_id_hex(c->key->key.id, id), date_write(c->key->expires, last), day);
	if (c->signature.expires < c->t->date)
		return REFUSE(c, "its signature expired: its last day was %s, and it is %s",
			      date_write(c->signature.expires, last), day);
	return SAHM_OK;
}

static enum sahm_status check_policy(const struct candidate *c)
{
	char id[KEY_ID_HEX_BYTES];
	const struct trust_abi *abi = c->image->abi;
	enum trust_policy policy = c->t->policy;
	const struct signature *s = &c->signature;
	if (c->key->class > policy)
		return REFUSE(c, "it is signed with a %s key, '%.80s' (%s), and the policy '%s' asks for %s (%s)",
			      trust_class_name(c->key->class), c->key->name, key_id_hex(c->key->key.id, id),
			      trust_policy_name(policy), asks_for(policy), c->t->file);
	if (s->policy > policy)
		return REFUSE(c, "it is signed for the policy '%s' at the strictest, and the policy here is '%s' (%s)",
			      trust_policy_name(s->policy), trust_policy_name(policy), c->t->file);
	if (abi && strcmp(s->abi, abi->name) != 0)
		return REFUSE(c, "it is signed for the ABI '%s', and is to run with '%.80s'", s->abi, abi->name);
	if (abi && memcmp(s->spec, abi->spec, HASH_BYTES) != 0)
		return REFUSE(c, "it is signed for another spec of the ABI '%s'", s->abi);
	return SAHM_OK;
}

enum sahm_status trust_judge(const struct trust *t, const struct trust_image *image, struct trust_finding *found,
			     struct sahm_err *err)
{
	if (!t)
		return SAHM_OK;
	struct candidate c = {.t = t, .image = image, .err = err};
	if (t->is_confidential)
		return REFUSE(&c, "no program may run here: confidential mode (%s)", t->file);
	if (!image->signature)
		return REFUSE(&c, "it is unsigned, and the policy '%s' asks for a signature by %s (%s)",
			      trust_policy_name(t->policy), asks_for(t->policy), t->file);
	enum sahm_status status = read_signature(&c);
	if (status == SAHM_OK)
		status = check_signature(&c);
	if (status == SAHM_OK)
		status = check_revocations(&c);
	if (status == SAHM_OK)
		status = check_dates(&c);
	if (status == SAHM_OK)
		status = check_policy(&c);
	if (status == SAHM_OK && found)
		*found = (struct trust_finding){.signature = c.signature,
						.key_name = c.key->name,
						.key_class = t->is_of_key ? NULL : trust_class_name(c.key->class)};
	return status;
}

enum sahm_status trust_check(const struct trust *t, const char *file, const char *bytes, size_t nr_bytes,
			     const char *signature, size_t nr_signature, const struct trust_abi *abi,
			     struct sahm_err *err)
{
	return trust_judge(t,
			   &(struct trust_image){.file = file,
						 .bytes = bytes,
						 .nr_bytes = nr_bytes,
						 .signature = signature,
						 .nr_signature = nr_signature,
						 .abi = abi},
			   NULL, err);
}

enum sahm_status trust_of_key(struct trust **t, const char *file, const struct public_key *k, struct sahm_err *err)
{
	struct trust *made = calloc(1, sizeof(*made));
	if (!made)
		return sahm_fail_nomem(err);
	arena_init(&made->arena);
	made->file = file;
	made->policy = NR_TRUST_POLICIES - 1;
	made->is_of_key = true;
	made->keys = arena_alloc(&made->arena, 1, sizeof(*made->keys));
	if (!made->keys) {
		trust_free(made);
		return sahm_fail_nomem(err);
	}
	made->keys[made->nr_keys++] = (struct trusted_key){
		.key = *k, .name = file, .file = file, .class = made->policy, .expires = DATE_NEVER};
	*t = made;
	return SAHM_OK;
}

enum sahm_status trust_find_signature(const char *image, char **path, struct sahm_err *err)
{
	char *real = file_behind_links(image);
	char *beside = real ? realloc(real, strlen(real) + sizeof(SIGNATURE_ENDING)) : NULL;
	if (!beside) {
		free(real);
		return sahm_fail_nomem(err);
	}
	*path = strcat(beside, SIGNATURE_ENDING);
	return SAHM_OK;
}

enum sahm_status trust_read_signature(const char *path, char **text, size_t *len, struct sahm_err *err)
{
	struct stat st;
	if (lstat(path, &st) != 0 && errno == ENOENT)
		return SAHM_OK;
	enum sahm_status status = file_read_regular(path, TRUST_MAX_SIGNATURE_BYTES, text, len, err);
	if (status == SAHM_FORMAT)
		status = sahm_fail_at(err, SAHM_REFUSED, path, 0, "this is no signature: it is larger than %u bytes",
				      TRUST_MAX_SIGNATURE_BYTES);
	return status;
}

enum sahm_status trust_check_bundle(const struct trust *t, const char *path, const char *bytes, size_t nr_bytes,
				    const struct trust_abi *abi, const struct trust_soft *soft, struct sahm_err *err)
{
	char *text = NULL, *beside = NULL;
	struct trust_image image = {
		.file = file_label(path), .bytes = bytes, .nr_bytes = nr_bytes, .abi = abi, .soft = soft};
	enum sahm_status status = SAHM_OK;
	/* Standard input has nothing beside it. */
	if (t && !t->is_confidential && strcmp(path, "-") != 0)
		status = trust_find_signature(path, &beside, err);
	if (status == SAHM_OK && beside)
		status = trust_read_signature(beside, &text, &image.nr_signature, err);
	image.signature = text;
	image.signature_file = beside;
	if (status == SAHM_OK)
		status = trust_judge(t, &image, NULL, err);
	free(text);
	free(beside);
	return status;
}

enum sahm_status trust_check_file(const struct trust *t, const char *path, const char *bytes, size_t nr_bytes,
				  const struct trust_abi *abi, struct sahm_err *err)
{
	return trust_check_bundle(t, path, bytes, nr_bytes, abi, NULL, err);
}

bool trust_is_confidential(const struct trust *t)
{
	return t && t->is_confidential;
}
