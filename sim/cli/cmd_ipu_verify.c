/* sahm ipu verify */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ipu/unit/load.h"
#include "ipu/unit/soft_source.h"
#include "sim/base/clean.h"
#include "sim/base/file.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/ipu_request.h"

struct request {
	const char *image, *trust, *pub, *signature, *abi, *soft;
};

static const struct option_row options[] = {
	{"trust", 't', "FILE", "check with this trust file: a path, or the name of a shipped one (demonstration)",
	 OPTION_STRING, AT(const char *, trust)},
	{"pub", 'p', "FILE", "check only this public key: for any day and any policy", OPTION_STRING,
	 AT(const char *, pub)},
	{"signature", 's', "FILE", "the signature (IMAGE.sig)", OPTION_STRING, AT(const char *, signature)},
	{"abi", 0, "NAME|FILE", "the image must be signed for this ABI spec", OPTION_STRING, AT(const char *, abi)},
	{"soft", 0, "MODULE", "the image must be signed together with this soft logic", OPTION_STRING,
	 AT(const char *, soft)},
	{ONE_OPERAND(image, "image", "an image is missing: sahm ipu verify --trust FILE IMAGE")},
};

static enum sahm_status check(const struct request *r, struct sahm_err *err)
{
	if (r->trust && r->pub)
		return sahm_fail(err, SAHM_USAGE, "--trust and --pub exclude each other");
	if (!r->trust && !r->pub)
		return sahm_fail(err, SAHM_USAGE, "--trust FILE or --pub FILE is missing");
	if (r->trust && strcmp(r->trust, "-") == 0 && strcmp(r->image, "-") == 0)
		return sahm_fail(err, SAHM_USAGE, "standard input can be one thing: the image or the trust file");
	return SAHM_OK;
}

static enum sahm_status read_trust(const struct request *r, struct trust **t, struct sahm_err *err)
{
	struct public_key k;
	char path[IPU_PATH_BYTES];
	enum sahm_status status = r->trust ? find_ipu_trust(r->trust, path, err) : SAHM_OK;
	if (status == SAHM_OK && r->trust)
		return trust_read(t, path, err);
	if (status == SAHM_OK)
		status = public_key_read(r->pub, &k, err);
	return status == SAHM_OK ? trust_of_key(t, r->pub, &k, err) : status;
}

/* A signature that was named must exist; the one beside the image may be missing. The caller frees *file. */
static enum sahm_status read_signature(const struct request *r, const char *path, char **file, char **text, size_t *len,
				       struct sahm_err *err)
{
	if (r->signature)
		return file_read_regular(r->signature, TRUST_MAX_SIGNATURE_BYTES, text, len, err);
	/* Standard input has nothing beside it. */
	enum sahm_status status = strcmp(path, "-") == 0 ? SAHM_OK : trust_find_signature(path, file, err);
	return status == SAHM_OK && *file ? trust_read_signature(*file, text, len, err) : status;
}

static void print_finding(const char *file, const struct trust_finding *found)
{
	const struct signature *s = &found->signature;
	char id[KEY_ID_HEX_BYTES], spec[HASH_HEX_BYTES], image[HASH_HEX_BYTES], soft[HASH_HEX_BYTES], date[DATE_BYTES];
	hash_hex(s->spec, spec);
	hash_hex(s->image, image);
	print_line("%s: its signature is good", file);
	print_line("  name     %s", s->name);
	print_line("  version  %s", s->version);
	print_line("  ABI      %s", s->abi);
	print_line("  spec     %s", spec);
	print_line("  class    %s", trust_policy_name(s->policy));
	key_id_hex(s->key_id, id);
	/* A key on its own is of no class, and called as its file is. */
	if (found->key_class)
		print_line("  key      %s, '%s' (%s)", id, found->key_name, found->key_class);
	else
		print_line("  key      %s, %s", id, found->key_name);
	print_line("  expires  %s", date_write(s->expires, date));
	print_line("  image    %s", image);
	if (!s->has_soft)
		return;
	hash_hex(s->soft, soft);
	print_line("  soft     %s", soft);
}

static enum sahm_status verify(const struct request *r, const char *path, const struct trust *t,
			       const struct trust_abi *abi, struct sahm_err *err)
{
	char *bytes = NULL, *text = NULL, *file = NULL;
	struct soft_source soft = {.shipped = NULL};
	struct trust_finding found;
	struct trust_image image = {.file = file_label(path), .abi = abi};
	enum sahm_status status = file_read(path, IPU_MAX_IMAGE_BYTES, &bytes, &image.nr_bytes, err);
	if (status == SAHM_OK && r->soft)
		status = soft_source_read(&soft, r->soft, r->soft, err);
	image.soft = soft_source_image(&soft);
	/* Where nothing runs, nothing is looked at. */
	if (status == SAHM_OK && !trust_is_confidential(t))
		status = read_signature(r, path, &file, &text, &image.nr_signature, err);
	image.bytes = bytes;
	image.signature = text;
	image.signature_file = r->signature ? r->signature : file;
	if (status == SAHM_OK)
		status = trust_judge(t, &image, &found, err);
	if (status == SAHM_OK)
		print_finding(image.file, &found);
	soft_source_release(&soft);
	free(file);
	free(text);
	free(bytes);
	return status;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {0};
	struct trust *t = NULL;
	struct trust_abi abi;
	struct arena a;
	char path[SHIPPED_PATH_BYTES];
	arena_init(&a);
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK)
		status = check(&r, err);
	if (status == SAHM_OK)
		status = find_shipped(&shipped_programs, r.image, path, err);
	if (status == SAHM_OK)
		status = read_trust(&r, &t, err);
	if (status == SAHM_OK && r.abi)
		status = read_trust_abi(&a, r.abi, &abi, err);
	if (status == SAHM_OK)
		status = verify(&r, path, t, r.abi ? &abi : NULL, err);
	trust_free(t);
	arena_release(&a);
	return status;
}

extern const struct command command_ipu_verify;
const struct command command_ipu_verify = {
	.name = "ipu verify",
	.operands = "IMAGE",
	.summary = "check whether a program for the IPU may be loaded",
	.details = "Reads IMAGE (a file, the name of a shipped program, or -: standard input) and its "
		   "signature. Prints what is signed and by whose key, or, with exit code 1, why the image is "
		   "refused. The signature is beside the file itself if IMAGE is a link. The image is hashed, "
		   "not inspected.\n"
		   "--trust checks what loading the program with this trust file would check. --pub checks only "
		   "that this key signed this image; dates, policies and revocations are not checked.",
	.options = options,
	.run = run,
};
