#include "sim/cli/ipu_loaded.h"

#include <stdlib.h>

#include "ipu/unit/mode.h"
#include "sim/base/file.h"
#include "sim/cli/overwriting.h"

/* Fails when an output would take the place of `path`, which is read. */
static enum sahm_status keep(const struct ipu_load_request *r, const char *path, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (size_t i = 0; i < r->nr_outputs && status == SAHM_OK; i++)
		status = refuse_overwriting(r->outputs[i], path, err);
	return status;
}

enum sahm_status ipu_loaded_read_abi(struct ipu_loaded *x, const struct ipu_load_request *r, struct sahm_err *err)
{
	char path[IPU_PATH_BYTES];
	enum sahm_status status = keep(r, r->trust, err);
	if (status == SAHM_OK)
		status = find_ipu_abi(r->abi, path, err);
	if (status == SAHM_OK)
		status = keep(r, path, err);
	return status == SAHM_OK ? abi_read(&x->arena, path, &x->abi, err) : status;
}

enum sahm_status ipu_loaded_read(struct ipu_loaded *x, const struct ipu_load_request *r, struct sahm_err *err)
{
	static const struct soft_request no_soft;
	const struct soft_request *soft_request = r->soft ? r->soft : &no_soft;
	char path[IPU_PATH_BYTES];
	size_t nr_bytes;
	enum sahm_status status = find_ipu_program(r->program, path, err);
	if (status == SAHM_OK)
		status = keep(r, path, err);
	if (status == SAHM_OK)
		status = file_read(path, IPU_MAX_IMAGE_BYTES, &x->bytes, &nr_bytes, err);
	if (status == SAHM_OK)
		status = keep(r, soft_request->file, err);
	if (status == SAHM_OK)
		status = soft_loaded_read(&x->soft, soft_request, err);
	/* Before anything looks into it. */
	if (status == SAHM_OK)
		status = read_ipu_trust(r->trust, &x->trust, err);
	const struct trust_abi abi = abi_to_trust(&x->abi);
	if (status == SAHM_OK)
		status = trust_check_bundle(x->trust, path, x->bytes, nr_bytes, &abi,
					    soft_source_image(&x->soft.source), err);
	x->label = arena_strdup(&x->arena, file_label(path));
	if (status == SAHM_OK && !x->label)
		status = sahm_fail_nomem(err);
	if (status == SAHM_OK)
		status = ipu_load(&x->program, x->label, x->bytes, nr_bytes, &x->abi, r->settings->items,
				  r->settings->nr, err);
	if (status == SAHM_OK && r->engine == HART_INTERP)
		ipu_program_interpret(x->program);
	if (status == SAHM_OK)
		status = elf_image_new(&x->image, x->label, x->bytes, nr_bytes, err);
	return status == SAHM_OK ? soft_loaded_open(&x->soft, soft_request, &x->abi, err) : status;
}

const struct ipu_unit_maker *ipu_loaded_maker(const struct ipu_loaded *x)
{
	return x->soft.soft ? &x->soft.pro.maker : NULL;
}

void ipu_loaded_release(struct ipu_loaded *x)
{
	soft_loaded_release(&x->soft);
	ipu_program_free(x->program);
	elf_image_free(x->image);
	trust_free(x->trust);
	free(x->bytes);
	arena_release(&x->arena);
}

enum sahm_status take_ipu_mode(void *config, struct option_walk *w, struct sahm_err *err)
{
	struct ipu_unit_config *c = config;
	struct ipu_mode mode;
	enum sahm_status status = ipu_mode_read(w->value, "--", &mode, err);
	if (status != SAHM_OK)
		return status;
	c->mismatch = mode.mismatch;
	c->mismatch_arg = mode.arg;
	return SAHM_OK;
}
