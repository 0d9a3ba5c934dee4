/* sahm ipu sign */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ipu/unit/load.h"
#include "ipu/unit/soft_source.h"
#include "sim/base/file.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/ipu_request.h"
#include "sim/cli/overwriting.h"

struct request {
	const char *path, *key, *name, *release, *abi, *class, *expires, *soft;
};

static const struct option_row options[] = {
	{"key", 'k', "FILE", "the secret key, as `sahm ipu keygen` made it; required", OPTION_STRING,
	 AT(const char *, key), .missing = "--key is missing: the file that `sahm ipu keygen` made"},
	{"abi", 0, "NAME|FILE", "the ABI spec that the program is written for, such as core; required", OPTION_STRING,
	 AT(const char *, abi), .missing = "--abi is missing: the ABI spec that the program is written for"},
	{"name", 0, "NAME", "name of the program (the file's name without folder and .elf)", OPTION_STRING,
	 AT(const char *, name)},
	{"release", 0, "VERSION", "version of the program (1.0.0)", OPTION_STRING, AT(const char *, release),
	 .preset_text = "1.0.0"},
	{"class", 0, "POLICY",
	 "the strictest policy for which it is signed: closed, restrictive or permissive (the "
	 "default)",
	 OPTION_STRING, AT(const char *, class), .preset_text = "permissive"},
	{"expires", 0, "DAY",
	 "the last day on which the signature is valid, such as 2030-12-31 (UTC), or never (the "
	 "default)",
	 OPTION_STRING, AT(const char *, expires), .preset_text = "never"},
	{"soft", 0, "MODULE", "the module with the program's soft logic, which is signed together with it",
	 OPTION_STRING, AT(const char *, soft)},
	{ONE_OPERAND(path, "image", "an image is missing: sahm ipu sign --key FILE --abi NAME|FILE IMAGE")},
};

/* The name of a file without its folder and the ending of programs. */
static void name_of_file(const char *path, char name[SIGNATURE_NAME_BYTES + 1])
{
	static const char ending[] = ".elf";
	const char *base = base_name(path);
	size_t len = strlen(base);
	if (len >= sizeof(ending) && strcmp(base + len - (sizeof(ending) - 1), ending) == 0)
		len -= sizeof(ending) - 1;
	snprintf(name, SIGNATURE_NAME_BYTES + 1, "%.*s", len <= SIGNATURE_NAME_BYTES ? (int)len : SIGNATURE_NAME_BYTES,
		 base);
}

static enum sahm_status fill_words(const struct request *r, struct signature *s, struct sahm_err *err)
{
	char name[SIGNATURE_NAME_BYTES + 1];
	name_of_file(r->path, name);
	const char *given = r->name ? r->name : name;
	if (!signature_name_is_good(given))
		return sahm_fail(err, SAHM_USAGE, "bad name '%.80s', must be " SIGNATURE_NAME_FORM "%s", given,
				 r->name ? "" : " (--name gives it another)");
	if (!signature_version_is_good(r->release))
		return sahm_fail(err, SAHM_USAGE, "--release is '%.80s', must be " SIGNATURE_VERSION_FORM, r->release);
	/* What is good has room. */
	strcpy(s->name, given);
	strcpy(s->version, r->release);
	return SAHM_OK;
}

static enum sahm_status fill_abi(const struct request *r, struct signature *s, struct sahm_err *err)
{
	struct trust_abi abi;
	struct arena a;
	arena_init(&a);
	enum sahm_status status = read_trust_abi(&a, r->abi, &abi, err);
	if (status == SAHM_OK && !signature_abi_is_good(abi.name))
		status = sahm_fail(err, SAHM_USAGE, "the ABI spec '%s' is called '%.80s', must be " SIGNATURE_ABI_FORM,
				   r->abi, abi.name);
	if (status == SAHM_OK) {
		strcpy(s->abi, abi.name);
		memcpy(s->spec, abi.spec, sizeof(s->spec));
	}
	arena_release(&a);
	return status;
}

static enum sahm_status fill(const struct request *r, struct signature *s, struct sahm_err *err)
{
	char hint[SUGGEST_BYTES];
	*s = (struct signature){0};
	enum sahm_status status = fill_words(r, s, err);
	if (status != SAHM_OK)
		return status;
	if (!trust_policy_find(r->class, &s->policy, hint))
		return sahm_fail(err, SAHM_USAGE, "--class is '%.80s', must be closed, restrictive or permissive%s",
				 r->class, hint);
	if (!date_read_expiry(r->expires, strlen(r->expires), &s->expires))
		return sahm_fail(err, SAHM_USAGE, "--expires is '%.80s', must be " DATE_FORM ", or never", r->expires);
	return fill_abi(r, s, err);
}

/* Neither a pipe, which would hold this up, nor a device is a signature. */
static enum sahm_status check_place(const char *path, struct sahm_err *err)
{
	struct stat st;
	if (stat(path, &st) != 0 || S_ISREG(st.st_mode))
		return SAHM_OK;
	return sahm_fail(err, SAHM_IO, "cannot write '%s': it is there, and is not a regular file", path);
}

static enum sahm_status add_soft(const char *path, struct signature *s, struct sahm_err *err)
{
	struct soft_source source;
	enum sahm_status status = soft_source_read(&source, path, path, err);
	const struct trust_soft *image = soft_source_image(&source);
	if (status == SAHM_OK)
		signature_set_soft(s, image->bytes, image->nr_bytes);
	soft_source_release(&source);
	return status;
}

/* Signs the image. The secret half is in memory for no longer than that. */
static enum sahm_status sign(const struct request *r, struct signature *s, bool *is_published, struct textbuf *text,
			     struct sahm_err *err)
{
	struct secret_key *k = NULL;
	char *bytes = NULL;
	size_t nr_bytes = 0;
	enum sahm_status status = file_read_regular(r->path, IPU_MAX_IMAGE_BYTES, &bytes, &nr_bytes, err);
	if (status == SAHM_OK)
		status = secret_key_read(r->key, &k, err);
	if (status == SAHM_OK && r->soft)
		status = add_soft(r->soft, s, err);
	if (status == SAHM_OK) {
		status = signature_make(s, k, bytes, nr_bytes, text, err);
		*is_published = secret_key_is_published(k);
	}
	secret_key_free(k);
	free(bytes);
	return status;
}

/* Signs, writes that beside the image, and says so. */
static enum sahm_status sign_beside(const struct request *r, struct signature *s, const char *path,
				    struct sahm_err *err)
{
	struct textbuf text;
	char id[KEY_ID_HEX_BYTES];
	bool is_published = false;
	textbuf_init(&text);
	enum sahm_status status = check_place(path, err);
	if (status == SAHM_OK)
		status = refuse_overwriting(path, r->key, err);
	if (status == SAHM_OK)
		status = refuse_overwriting(path, r->abi, err);
	if (status == SAHM_OK && r->soft)
		status = refuse_overwriting(path, r->soft, err);
	if (status == SAHM_OK)
		status = sign(r, s, &is_published, &text, err);
	if (status == SAHM_OK)
		status = file_write(path, text.text, text.len, err);
	if (status == SAHM_OK) {
		print_remark("%s: '%s' %s%s, for the ABI '%s', signed with the key %s%s", path, s->name, s->version,
			     s->has_soft ? " with its soft logic" : "", s->abi, key_id_hex(s->key_id, id),
			     is_published ? ", which everybody has: it proves nothing" : "");
	}
	textbuf_release(&text);
	return status;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {0};
	struct signature s;
	char *path = NULL;
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK && strcmp(r.path, "-") == 0)
		status = sahm_fail(err, SAHM_USAGE, "standard input cannot be signed: there is nothing beside it");
	if (status == SAHM_OK)
		status = fill(&r, &s, err);
	if (status == SAHM_OK)
		status = trust_find_signature(r.path, &path, err);
	if (status == SAHM_OK)
		status = sign_beside(&r, &s, path, err);
	free(path);
	return status;
}

extern const struct command command_ipu_sign;
const struct command command_ipu_sign = {
	.name = "ipu sign",
	.operands = "IMAGE",
	.summary = "sign a program for the IPU",
	.details =
		"Writes IMAGE.sig beside the image (beside the file itself if IMAGE is a link). It is a "
		"short text: name, version, ABI and the hash of the ABI's spec, the strictest policy that "
		"the program is signed for, the id of the key, the last valid day, the BLAKE2b-256 hash of "
		"the image and that of its soft logic, and an Ed25519 signature over all of that. An existing signature is replaced. "
		"The image is not changed or inspected. The same image, options and key give the same "
		"signature.\n"
		"A key file that users other than its owner can read is refused.",
	.options = options,
	.run = run,
};
