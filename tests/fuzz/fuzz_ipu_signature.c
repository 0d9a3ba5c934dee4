/* Arbitrary text as a signature. There is one text for each signature, and no text is a signature by a key that did not
 * make it. Then the same text, signed: its fields are kept, and it is only for that image. */
#include "ipu/trust/trust.h"
#include "tests/fuzz/fuzz.h"

static const char image[] = "an image";

/* A key of this program's own, which no input knows the seed of... at its first use, nor later: it is drawn. */
static struct secret_key *own_key(void)
{
	static struct secret_key *k;
	if (!k)
		MUST(secret_key_make(&k, NULL) == SAHM_OK);
	return k;
}

static void use_signature(struct signature *s, const char *text, size_t len)
{
	struct textbuf b;
	struct signature again;
	const struct public_key *public = secret_key_public(own_key());
	MUST(s->nr_signed < len && text[s->nr_signed - 1] == '\n');
	MUST(signature_name_is_good(s->name) && signature_version_is_good(s->version) && signature_abi_is_good(s->abi));
	MUST(s->policy < NR_TRUST_POLICIES);
	textbuf_init(&b);
	signature_write(s, &b);
	MUST(b.len == len && memcmp(b.text, text, len) == 0);
	textbuf_release(&b);
	MUST(!signature_is_by(s, text, public));
	MUST(signature_make(s, own_key(), image, sizeof(image), &b, NULL) == SAHM_OK);
	MUST(signature_read("s", b.text, b.len, &again, NULL) == SAHM_OK);
	MUST(signature_is_by(&again, b.text, public) && signature_is_of(&again, image, sizeof(image)));
	MUST(!signature_is_of(&again, image, sizeof(image) - 1));
	MUST(strcmp(again.name, s->name) == 0 && strcmp(again.version, s->version) == 0 &&
	     strcmp(again.abi, s->abi) == 0 && again.policy == s->policy && again.expires == s->expires);
	MUST(again.has_soft == s->has_soft && (!s->has_soft || memcmp(again.soft, s->soft, HASH_BYTES) == 0));
	textbuf_release(&b);
}

/* Nothing that was not signed by the key passes, and it is a refusal that says so. */
static void judge(const char *text, size_t len)
{
	struct trust *t = NULL;
	struct sahm_err err;
	MUST(trust_of_key(&t, "t.cfg", secret_key_public(own_key()), NULL) == SAHM_OK);
	MUST(trust_check(t, "i", image, sizeof(image), text, len, NULL, &err) == SAHM_REFUSED);
	must_explain(&err, SAHM_REFUSED, "i");
	trust_free(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct signature s;
	struct sahm_err err;
	const char *text = (const char *)data;
	enum sahm_status status = signature_read("s", text, size, &s, &err);
	if (status == SAHM_OK) {
		MUST(size <= TRUST_MAX_SIGNATURE_BYTES);
		judge(text, size);
		use_signature(&s, text, size);
	} else {
		MUST(status == SAHM_FORMAT);
		must_explain(&err, status, "s:");
		judge(text, size);
	}
	return 0;
}
