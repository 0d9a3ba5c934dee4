#include "sim/cli/ipu_soft.h"

enum sahm_status soft_request_check(const struct soft_request *r, struct sahm_err *err)
{
	if (r->file || (!r->given_mhz && !r->in_process))
		return SAHM_OK;
	return sahm_fail(err, SAHM_USAGE, "--%s has no effect without --soft",
			 r->given_mhz ? "soft-mhz" : "soft-in-process");
}

enum sahm_status soft_loaded_read(struct soft_loaded *x, const struct soft_request *r, struct sahm_err *err)
{
	return r->file ? soft_source_read(&x->source, r->file, r->file, err) : SAHM_OK;
}

enum sahm_status soft_loaded_open(struct soft_loaded *x, const struct soft_request *r, const struct abi *abi,
				  struct sahm_err *err)
{
	if (!r->file)
		return SAHM_OK;
	enum sahm_status status =
		soft_source_open(&x->source, r->in_process ? SOFT_IN_PROCESS : SOFT_IN_OWN_PROCESS, &x->soft, err);
	return status == SAHM_OK ? ipu_pro_init(&x->pro, x->soft, abi, r->mhz, err) : status;
}

void soft_loaded_release(struct soft_loaded *x)
{
	soft_close(x->soft);
	soft_source_release(&x->source);
}
