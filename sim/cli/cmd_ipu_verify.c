/* sahm ipu verify */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ipu/trust.h"
#include "sim/base/file.h"
#include "sim/cli/command.h"
#include "sim/cli/guest.h"
#include "sim/cli/ipu_request.h"

enum { OPT_TRUST, OPT_PUB, OPT_SIGNATURE, OPT_ABI };

static const struct option_row options[] = {
	[OPT_TRUST] = {"trust", 't', "FILE",
		       "judge by this trust file: a path, or the name of one that comes with sahm (demonstration)"},
	[OPT_PUB] = {"pub", 'p', "FILE", "judge by this public key alone: any day, any policy"},
	[OPT_SIGNATURE] = {"signature", 's', "FILE", "the signature (default: IMAGE.sig)"},
	[OPT_ABI] = {"abi", 0, "NAME", "it must be signed for this ABI"},
	{0},
};

struct request {
	const char *image, *trust, *pub, *signature, *abi;
};

/* What is judged. */
struct judged {
	const char *file, *signature_file; /* for messages */
	char *bytes, *text;		   /* text NULL: unsigned */
	size_t nr_bytes, nr_text;
};

static enum sahm_status parse(char **args, struct request *r, struct sahm_err *err)
{
	const char **values[] = {
		[OPT_TRUST] = &r->trust,
		[OPT_PUB] = &r->pub,
		[OPT_SIGNATURE] = &r->signature,
		[OPT_ABI] = &r->abi,
	};
	struct option_walk w;
	int option;
	*r = (struct request){0};
	option_walk_init(&w, options, args);
	while ((option = option_walk_next(&w, err)) != OPTION_END) {
		if (option == OPTION_ERROR)
			return SAHM_USAGE;
		if (option == OPTION_OPERAND && r->image)
			return sahm_fail(err, SAHM_USAGE, "one image at a time: '%s' is too many", w.value);
		*(option == OPTION_OPERAND ? &r->image : values[option]) = w.value;
	}
	if (!r->image)
		return sahm_fail(err, SAHM_USAGE, "an image is missing: sahm ipu verify --trust FILE IMAGE");
	if (!r->trust == !r->pub)
		return sahm_fail(err, SAHM_USAGE,
				 "by what is it judged: one of --trust FILE and --pub FILE must be given");
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

/* The signature that was named must be there; the one beside the image may be missing. */
static enum sahm_status read_signature(const struct request *r, struct judged *j, struct sahm_err *err)
{
	if (r->signature)
		return file_read_regular(r->signature, TRUST_MAX_SIGNATURE_BYTES, &j->text, &j->nr_text, err);
	return strcmp(j->file, STDIN_LABEL) == 0 ? SAHM_OK
						 : trust_read_signature(j->signature_file, &j->text, &j->nr_text, err);
}

static void print_signature(const char *file, const struct signature *s)
{
	char id[KEY_ID_HEX_BYTES], image[HASH_HEX_BYTES], date[DATE_BYTES];
	hash_hex(s->image, image);
	printf("%s: its signature is good\n", file);
	printf("  name     %s\n  version  %s\n  ABI      %s\n  class    %s\n  key      %s\n  expires  %s\n  image    "
	       "%s\n",
	       s->name, s->version, s->abi, trust_policy_name(s->policy), key_id_hex(s->key_id, id),
	       date_write(s->expires, date), image);
}

/* A malformed signature is told of by the name of its own file. */
static enum sahm_status judge(const struct request *r, const struct judged *j, const struct trust *t,
			      struct sahm_err *err)
{
	struct signature s;
	bool may_run = !trust_is_confidential(t);
	enum sahm_status status =
		may_run && j->text ? signature_read(j->signature_file, j->text, j->nr_text, &s, err) : SAHM_OK;
	if (status == SAHM_OK)
		status = trust_check(t, j->file, j->bytes, j->nr_bytes, j->text, j->nr_text, r->abi, err);
	if (status == SAHM_OK)
		print_signature(j->file, &s);
	return status;
}

static enum sahm_status verify(const struct request *r, const char *path, const struct trust *t, struct sahm_err *err)
{
	struct textbuf beside;
	textbuf_init(&beside);
	textbuf_printf(&beside, "%s" SIGNATURE_ENDING, path);
	struct judged j = {.file = file_label(path), .signature_file = r->signature ? r->signature : beside.text};
	enum sahm_status status = textbuf_failed(&beside)
					  ? sahm_fail_nomem(err)
					  : file_read(path, GUEST_MAX_FILE_BYTES, &j.bytes, &j.nr_bytes, err);
	if (status == SAHM_OK)
		status = read_signature(r, &j, err);
	if (status == SAHM_OK)
		status = judge(r, &j, t, err);
	free(j.text);
	free(j.bytes);
	textbuf_release(&beside);
	return status;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r;
	struct trust *t = NULL;
	char path[SHIPPED_PATH_BYTES];
	enum sahm_status status = parse(args, &r, err);
	if (status == SAHM_OK)
		status = find_shipped(&shipped_programs, r.image, path, err);
	if (status == SAHM_OK)
		status = read_trust(&r, &t, err);
	if (status == SAHM_OK)
		status = verify(&r, path, t, err);
	trust_free(t);
	return status;
}

extern const struct command command_ipu_verify;
const struct command command_ipu_verify = {
	.name = "ipu verify",
	.operands = "IMAGE",
	.summary = "judge whether a program for the IPU may be loaded",
	.details =
		"Reads IMAGE (a path, the name of a program that comes with sahm, or -: standard input) and its "
		"signature, "
		"and says what is signed, or, with exit code 1, for which reason the image is refused. The image "
		"itself is "
		"not looked into: its bytes are hashed.\n"
		"With --trust, the judgement is that of loading the program with this trust file. With --pub it is "
		"that the "
		"signature is by this key and of this image; dates, policies and revocations are then not asked for.",
	.options = options,
	.run = run,
};
