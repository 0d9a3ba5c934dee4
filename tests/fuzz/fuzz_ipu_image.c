/* Arbitrary bytes as an image that is sent to an IPU, with a signature that its first byte chooses: none, the bytes
 * after 0x1e, or one of the image by a key that the trust file knows. Refused images are not looked into, and change
 * nothing; signed images are loaded as if there were no trust file. */
#include "ipu/unit/device.h"
#include "tests/fuzz/fuzz.h"

#define SEPARATOR 0x1e

enum { UNSIGNED, GIVEN, SIGNED, NR_SIGNATURES };

static const struct abi abi = {.name = "made",
			       .file = "made.cfg",
			       .nr_signals = 1,
			       .signals = {{.name = "level", .semantics = "a signal", .bits = 8, .reg = 3}}};

/* A separate key, so that no input holds a signature by it. */
static struct secret_key *key(void)
{
	static struct secret_key *k;
	if (!k)
		MUST(secret_key_make(&k, NULL) == SAHM_OK);
	return k;
}

static struct trust *make_trust(bool is_confidential)
{
	struct trust *t;
	struct textbuf b;
	textbuf_init(&b);
	textbuf_printf(&b, "policy = \"closed\"; confidential = %s; date = \"2026-11-22\";",
		       is_confidential ? "true" : "false");
	textbuf_puts(&b, "keys = ( { name = \"own\"; class = \"vendor\"; public = \"");
	for (unsigned i = 0; i < KEY_PUBLIC_BYTES; i++)
		textbuf_printf(&b, "%02x", secret_key_public(key())->bytes[i]);
	textbuf_puts(&b, "\"; } );");
	MUST(trust_of_text(&t, NULL, b.text, b.len, NULL) == SAHM_OK);
	textbuf_release(&b);
	return t;
}

static const struct trust *trust_of(bool is_confidential)
{
	static struct trust *made[2];
	if (!made[is_confidential])
		made[is_confidential] = make_trust(is_confidential);
	return made[is_confidential];
}

static struct ipu_device *make_device(void)
{
	static const struct ipu_unit_config config = {
		.hit_mhz = 2000, .ipu_mhz = 2000, .max_cycles = 1000, .fifo_bytes = 1000};
	struct ipu_device *d;
	MUST(ipu_device_new(&d, NULL) == SAHM_OK);
	MUST(ipu_device_add(d, 1, &config, &abi, NULL) == SAHM_OK);
	return d;
}

/* What a device makes of the image. */
static enum sahm_status outcome(const struct trust *trust, const struct ipu_image *image, enum ipu_status *state,
				struct sahm_err *err)
{
	struct ipu_device *d = make_device();
	ipu_device_set_trust(d, trust);
	enum sahm_status status = ipu_config_image(d, 0, 0, image, err);
	*state = ipu_unit_status(ipu_device_unit(d, 0));
	ipu_device_free(d);
	return status;
}

static void sign(struct ipu_image *image, struct textbuf *text)
{
	struct signature s = {.name = "a", .version = "1", .abi = "made", .policy = 0, .expires = DATE_NEVER};
	memcpy(s.spec, abi_to_trust(&abi).spec, sizeof(s.spec));
	MUST(signature_make(&s, key(), image->bytes, image->nr_bytes, text, NULL) == SAHM_OK);
	image->signature = text->text;
	image->nr_signature = text->len;
}

static void must_refuse(const struct trust *trust, const struct ipu_image *image)
{
	struct sahm_err err;
	enum ipu_status state;
	MUST(outcome(trust, image, &state, &err) == SAHM_REFUSED);
	must_explain(&err, SAHM_REFUSED, "in/put.elf");
	MUST(state == IPU_UNDEFINED);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sahm_err err, err_without;
	struct textbuf text;
	enum ipu_status state, state_without;
	if (size == 0)
		return 0;
	unsigned which = data[0] % NR_SIGNATURES;
	data++;
	size--;
	const uint8_t *part = which == GIVEN && size ? memchr(data, SEPARATOR, size) : NULL;
	size_t nr = part ? (size_t)(part - data) : size;
	char *bytes = malloc(nr ? nr : 1); /* of just this size */
	MUST(bytes);
	if (nr > 0)
		memcpy(bytes, data, nr);
	struct ipu_image image = {.file = "in/put.elf", .bytes = bytes, .nr_bytes = nr};
	textbuf_init(&text);
	if (which == SIGNED)
		sign(&image, &text);
	if (part) {
		image.signature = (const char *)part + 1;
		image.nr_signature = size - (size_t)(part + 1 - data);
	}
	must_refuse(trust_of(true), &image);
	if (which != SIGNED) {
		must_refuse(trust_of(false), &image);
	} else {
		enum sahm_status status = outcome(trust_of(false), &image, &state, &err);
		MUST(status == outcome(NULL, &image, &state_without, &err_without) && state == state_without);
		MUST(status == SAHM_OK || status == SAHM_FORMAT);
		MUST(status == SAHM_OK || strcmp(err.msg, err_without.msg) == 0);
		/* One bit more or less, and it is another image. */
		if (nr > 0)
			bytes[nr / 2] ^= 1;
		if (nr > 0)
			must_refuse(trust_of(false), &image);
	}
	textbuf_release(&text);
	free(bytes);
	return 0;
}
