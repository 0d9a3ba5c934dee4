#include "ipu/translation.h"

bool translation_is_available(void)
{
	return false;
}

enum sahm_status translation_new(struct translation **t, const struct hart *like, struct sahm_err *err)
{
	(void)like;
	(void)err;
	*t = NULL;
	return SAHM_OK;
}

void translation_free(struct translation *t)
{
	(void)t;
}

enum hart_cause translation_run(struct hart *h, uint64_t budget)
{
	return hart_interpret(h, budget);
}

struct translation_counts translation_counts(const struct translation *t)
{
	(void)t;
	return (struct translation_counts){0};
}
