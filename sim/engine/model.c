#include "sim/engine/model.h"

#include "model_id.h"
#include "sim/base/version.h"

const char *model_version(void)
{
	return SAHM_VERSION "-" SAHM_MODEL_ID;
}
