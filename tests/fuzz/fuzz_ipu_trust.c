/* Arbitrary text as a trust file, used to check an image that is signed by the demonstration key: whatever the
 * file says, the image is refused with a sentence unless the file lists that key; and unsigned ones always. */
#include "ipu/trust/trust.h"
#include "tests/fuzz/fuzz.h"

/* As in configs/trust/demonstration.cfg. */
static const char public[] = "cfcda0fa8e920dfef3347748ac57d5fa526bb6253992cc24652dac790084051b";
static const char seed_hex[] = "ca5a0642277cda190c65bd0434a76cc94d09700376b380f9d4bb0b2e32ffee31";
static const char image[] = "an image";

static const char *signed_text(size_t *len)
{
	static char *text;
	static size_t text_len;
	struct secret_key *k = NULL;
	struct signature s = {.name = "a", .version = "1", .abi = "core", .expires = 20300101};
	struct textbuf b;
	uint8_t seed[KEY_SEED_BYTES];
	if (!text) {
		MUST(key_read_hex(seed_hex, sizeof(seed_hex) - 1, seed, sizeof(seed)));
		MUST(secret_key_of_seed(seed, &k, NULL) == SAHM_OK);
		textbuf_init(&b);
		MUST(signature_make(&s, k, image, sizeof(image), &b, NULL) == SAHM_OK);
		text_len = b.len;
		text = textbuf_detach(&b);
		secret_key_free(k);
	}
	*len = text_len;
	return text;
}

/* Whether `what` can be in the text, maybe in pieces, which libconfig joins, or by escapes. */
static bool may_hold(const char *text, size_t size, const char *what)
{
	size_t at = 0;
	for (size_t i = 0; i < size && what[at]; i++)
		at += text[i] == what[at];
	return !what[at] || memchr(text, '\\', size);
}

static const struct trust_abi core = {.name = "core"}, pics = {.name = "pics"};

static void judge(const struct trust *t, const char *text, size_t size)
{
	struct sahm_err err;
	size_t len;
	const char *signature = signed_text(&len);
	MUST(trust_check(t, "i", image, sizeof(image), NULL, 0, NULL, &err) == SAHM_REFUSED);
	must_explain(&err, SAHM_REFUSED, "i: ");
	enum sahm_status status = trust_check(t, "i", image, sizeof(image), signature, len, &core, &err);
	MUST(status == SAHM_OK || status == SAHM_REFUSED);
	if (status == SAHM_REFUSED) {
		must_explain(&err, SAHM_REFUSED, "i: ");
		return;
	}
	MUST(!trust_is_confidential(t) && may_hold(text, size, public));
	MUST(trust_check(t, "i", image, sizeof(image), signature, len, &pics, &err) == SAHM_REFUSED);
	struct trust_abi changed = core;
	changed.spec[0] = 1;
	MUST(trust_check(t, "i", image, sizeof(image), signature, len, &changed, &err) == SAHM_REFUSED);
	MUST(trust_check(t, "i", image, sizeof(image) - 1, signature, len, &core, &err) == SAHM_REFUSED);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct trust *t = NULL;
	struct sahm_err err;
	const char *text = (const char *)data;
	/* Text without a name includes nothing, and names no file of revocations. */
	enum sahm_status status = trust_of_text(&t, NULL, text, size, &err);
	if (status != SAHM_OK) {
		MUST(status == SAHM_CONFIG || status == SAHM_IO);
		must_explain(&err, status, "");
		return 0;
	}
	judge(t, text, size);
	trust_free(t);
	return 0;
}
