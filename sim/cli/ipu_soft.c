#include "sim/cli/ipu_soft.h"

#include <stdlib.h>
#include <string.h>

#include "ipu/soft/modules/shipped_modules.h"
#include "sim/base/file.h"
#include "sim/base/suggest.h"

enum sahm_status soft_request_check(const struct soft_request *r, struct sahm_err *err)
{
	if (r->file || (!r->given_mhz && !r->in_process))
		return SAHM_OK;
	return sahm_fail(err, SAHM_USAGE, "--%s has no effect without --soft",
			 r->given_mhz ? "soft-mhz" : "soft-in-process");
}

static bool is_path(const char *file)
{
	return strpbrk(file, "/.");
}

enum sahm_status soft_loaded_read(struct soft_loaded *x, const struct soft_request *r, const struct trust_soft **image,
				  struct sahm_err *err)
{
	*image = NULL;
	if (!r->file || !is_path(r->file))
		return SAHM_OK;
	enum sahm_status status = file_read_regular(r->file, SOFT_MAX_OBJECT_BYTES, &x->bytes, &x->image.nr_bytes, err);
	x->image.file = r->file;
	x->image.bytes = x->bytes;
	*image = &x->image;
	return status;
}

static enum sahm_status open_shipped(struct soft **soft, const char *name, struct sahm_err *err)
{
	char near[SUGGEST_BYTES];
	struct suggest s;
	suggest_init(&s, name);
	for (unsigned i = 0; i < nr_shipped_modules(); i++) {
		const struct soft_module *m = shipped_module(i);
		if (strcmp(m->name, name) == 0)
			return soft_of_module(soft, m, m->name, err);
		suggest_offer(&s, m->name);
	}
	return sahm_fail(err, SAHM_USAGE, "no soft-logic module is called '%.100s'%s (a path has a '/' or a '.')", name,
			 suggest_text(&s, near));
}

enum sahm_status soft_loaded_open(struct soft_loaded *x, const struct soft_request *r, const struct abi *abi,
				  struct sahm_err *err)
{
	enum soft_place place = r->in_process ? SOFT_IN_PROCESS : SOFT_IN_OWN_PROCESS;
	enum sahm_status status = SAHM_OK;
	if (!r->file)
		return SAHM_OK;
	if (x->bytes)
		status = soft_open_bytes(&x->soft, x->bytes, x->image.nr_bytes, x->image.file, place, SOFT_PATIENCE_MS,
					 err);
	else
		status = open_shipped(&x->soft, r->file, err);
	return status == SAHM_OK ? ipu_pro_init(&x->pro, x->soft, abi, r->mhz, err) : status;
}

void soft_loaded_release(struct soft_loaded *x)
{
	soft_close(x->soft);
	free(x->bytes);
}
