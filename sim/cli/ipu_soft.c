#include "sim/cli/ipu_soft.h"

#include <string.h>

#include "ipu/soft/modules/shipped_modules.h"
#include "sim/base/suggest.h"

enum sahm_status soft_request_check(const struct soft_request *r, struct sahm_err *err)
{
	if (r->file || (!r->given_mhz && !r->in_process))
		return SAHM_OK;
	return sahm_fail(err, SAHM_USAGE, "--%s has no effect without --soft",
			 r->given_mhz ? "soft-mhz" : "soft-in-process");
}

static enum sahm_status open_module(struct soft **soft, const struct soft_request *r, struct sahm_err *err)
{
	if (strpbrk(r->file, "/."))
		return soft_open(soft, r->file, r->file, r->in_process ? SOFT_IN_PROCESS : SOFT_IN_OWN_PROCESS, err);
	char near[SUGGEST_BYTES];
	struct suggest s;
	suggest_init(&s, r->file);
	for (unsigned i = 0; i < nr_shipped_modules(); i++) {
		const struct soft_module *m = shipped_module(i);
		if (strcmp(m->name, r->file) == 0)
			return soft_of_module(soft, m, r->file, err);
		suggest_offer(&s, m->name);
	}
	return sahm_fail(err, SAHM_USAGE, "no soft-logic module is called '%.100s'%s (a path has a '/' or a '.')",
			 r->file, suggest_text(&s, near));
}

enum sahm_status soft_loaded_open(struct soft_loaded *x, const struct soft_request *r, const struct abi *abi,
				  struct ipu_unit_config *config, struct sahm_err *err)
{
	if (!r->file)
		return SAHM_OK;
	enum sahm_status status = open_module(&x->soft, r, err);
	if (status == SAHM_OK)
		status = ipu_pro_init(&x->pro, x->soft, abi, r->mhz, err);
	if (status == SAHM_OK)
		config->maker = &x->pro.maker;
	return status;
}

void soft_loaded_release(struct soft_loaded *x)
{
	soft_close(x->soft);
}
