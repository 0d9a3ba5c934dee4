/* sahm-fit CHARACTER PROFILE: makes a profile from a character table and the study's claims; `make suite` calls it. */
#include <gsl/gsl_errno.h>
#include <stdio.h>

#include "sim/base/file.h"
#include "sim/fit/fit.h"

static enum sahm_status write_profile(const struct fit *f, const char *path, struct sahm_err *err)
{
	struct atomic_file file;
	struct textbuf text;
	textbuf_init(&text);
	fit_write(f, &text);
	enum sahm_status status = textbuf_failed(&text) ? sahm_fail_nomem(err) : atomic_file_open(&file, path, err);
	if (status == SAHM_OK) {
		fwrite(text.text, 1, text.len, file.stream);
		status = atomic_file_commit(&file, err);
	}
	textbuf_release(&text);
	return status;
}

/* Levels depend on which epochs are in which state, lengths of stays do not depend on levels; but the generator needs
 * some levels for the second step. */
static enum sahm_status fit_all(struct fit *f, struct sahm_err *err)
{
	enum sahm_status status = fit_shares(f, err);
	fit_begin_levels(f);
	if (status == SAHM_OK)
		status = fit_stays(f, err);
	if (status == SAHM_OK)
		status = fit_levels(f, err);
	return status == SAHM_OK ? fit_judge(f, err) : status;
}

int main(int argc, char **argv)
{
	struct sahm_err err;
	struct fit f;
	if (argc != 3) {
		fprintf(stderr, "usage: sahm-fit CHARACTER PROFILE\n");
		return 2;
	}
	/* Failures of GSL are looked at where it is called; otherwise it would end the program. */
	gsl_set_error_handler_off();
	enum sahm_status status = fit_read(argv[1], &f, &err);
	if (status == SAHM_OK) {
		status = fit_all(&f, &err);
		if (status == SAHM_OK)
			status = write_profile(&f, argv[2], &err);
		fit_release(&f);
	}
	if (status != SAHM_OK)
		fprintf(stderr, "sahm-fit: error: %s\n", err.msg);
	return sahm_exit_code(status);
}
