/* sahm ipu keygen */
#include <stdio.h>
#include <string.h>

#include "ipu/trust/key.h"
#include "ipu/trust/signature.h"
#include "sim/base/file.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/output.h"

struct request {
	const char *path;
};

static const struct option_row options[] = {
	{ONE_OPERAND(path, "pair of keys", "a name is missing: sahm ipu keygen NAME")},
};

/* The name of the key: the path without its folder. */
static enum sahm_status check(const char *path, struct sahm_err *err)
{
	if (text_ends_in(path, ".key") || text_ends_in(path, ".pub"))
		return sahm_fail(err, SAHM_USAGE, "the name '%s' has an ending: NAME.key and NAME.pub are made of NAME",
				 path);
	if (!signature_name_is_good(base_name(path)))
		return sahm_fail(err, SAHM_USAGE, "bad name '%.80s', must be " SIGNATURE_NAME_FORM, base_name(path));
	return SAHM_OK;
}

/* The row for a trust file. */
static void print_row(const char *path, const struct public_key *k)
{
	char hex[2 * sizeof(k->bytes) + 1];
	for (size_t i = 0; i < sizeof(k->bytes); i++)
		snprintf(hex + 2 * i, 3, "%02x", k->bytes[i]);
	print_line("{ name = \"%s\"; public = \"%s\"; class = \"developer\"; expires = \"never\"; }", base_name(path),
		   hex);
}

static enum sahm_status make_pair(const char *path, struct secret_key **k, struct sahm_err *err)
{
	enum sahm_status status = secret_key_make(k, err);
	return status == SAHM_OK ? secret_key_write(*k, path, err) : status;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {0};
	char id[KEY_ID_HEX_BYTES];
	struct secret_key *k = NULL;
	enum sahm_status status = options_parse(options, args, &r, err);
	const char *path = r.path;
	if (status == SAHM_OK)
		status = check(path, err);
	if (status == SAHM_OK)
		status = secret_key_complete(path, &k, err);
	if (status == SAHM_OK && k)
		print_remark("%s.key was there without its public half, which is added", path);
	else if (status == SAHM_OK)
		status = make_pair(path, &k, err);
	if (status == SAHM_OK) {
		print_remark("%s.key: the secret half, to be kept; %s.pub: the public half, to be given away; id %s",
			     path, path, key_id_hex(secret_key_public(k)->id, id));
		print_row(path, secret_key_public(k));
	}
	secret_key_free(k);
	return status;
}

extern const struct command command_ipu_keygen;
const struct command command_ipu_keygen = {
	.name = "ipu keygen",
	.operands = "NAME",
	.summary = "make a pair of keys for signing IPU programs",
	.details = "Makes an Ed25519 pair of keys from the system's random numbers: NAME.key, the secret key, "
		   "readable by its owner only, and NAME.pub, the public key. Existing files are not replaced; "
		   "if only NAME.key exists, because an earlier call was interrupted, its NAME.pub is made. "
		   "Prints the row that a trust file needs for the key. The owner of the trust file chooses "
		   "class and expiry.\n"
		   "NAME, after an optional folder, has up to 64 letters, digits, '.', '_' and '-', and begins "
		   "with a letter or digit. A lost secret key cannot be restored. Anyone who has it can sign in "
		   "its owner's name: keep it out of repositories.",
	.options = options,
	.run = run,
};
