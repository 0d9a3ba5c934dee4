#include "ipu/core/flat.h"

#include <stdlib.h>

#include "ipu/core/bytes_internal.h"
#include "ipu/core/flat_internal.h"

void flat_end_run(struct flat *f, enum flat_end end, uint32_t exit_code)
{
	f->end = end;
	f->exit_code = exit_code;
	f->hart.cause = HART_EXITED;
}

/* Looks at the stores that may concern tohost; the others are left to the hart. */
static bool store(struct hart *h, uint32_t address, unsigned nr_bytes, uint32_t value)
{
	struct flat *f = h->context;
	uint8_t *bytes = hart_bytes(h, address, nr_bytes);
	uint32_t at = address - f->ram_base, tohost = f->tohost - f->ram_base;
	if (!f->has_tohost || !bytes || at >= tohost + 4 || tohost >= at + nr_bytes)
		return false;
	poke(bytes, nr_bytes, value);
	uint32_t word = peek(f->ram + tohost, 4);
	if (word != 0)
		flat_end_run(f, FLAT_TOLD_HOST, word >> 1);
	return true;
}

static const struct hart_host flat_host = {.store = store, .environment_call = flat_linux_call};

/* Most stores go past the host: those to the larger of the parts of the RAM that tohost leaves. */
static void set_windows(struct flat *f)
{
	hart_set_memory(&f->hart, f->ram_base, f->ram, f->ram_bytes);
	if (!f->has_tohost)
		return;
	uint32_t below = f->tohost - f->ram_base, above = f->ram_bytes - below - 4;
	if (below > above)
		hart_set_store_window(&f->hart, f->ram_base, f->tohost);
	else
		hart_set_store_window(&f->hart, f->tohost + 4, f->ram_base + f->ram_bytes);
}

static enum sahm_status start(struct flat *f, const struct elf_image *image, const struct flat_options *o,
			      struct sahm_err *err)
{
	enum sahm_status status = flat_place(f, image, o, err);
	if (status != SAHM_OK)
		return status;
	f->ram = flat_ram_new(f->ram_bytes);
	if (!f->ram)
		return sahm_fail_nomem(err);
	status = code_new(&f->code, f->ram_base, f->ram, f->ram_bytes, o->code_flags & CODE_UNFUSED, err);
	if (status != SAHM_OK)
		return status;
	hart_init(&f->hart, f->code);
	f->hart.host = &flat_host;
	f->hart.context = f;
	f->hart.traps_misaligned = o->traps_misaligned;
	f->write = o->write;
	f->context = o->context;
	set_windows(f);
	/* The name is only copied into the RAM. */
	char *by_name[] = {(char *)(uintptr_t)elf_image_file(image), NULL};
	status = flat_load(f, image, o->arguments ? o->arguments : by_name, err);
	if (status == SAHM_OK && o->translator)
		status = o->translator->new (&f->translation, &f->hart, err);
	f->hart.translation = f->translation;
	return status;
}

enum sahm_status flat_new(struct flat **flat, const struct elf_image *image, const struct flat_options *options,
			  struct sahm_err *err)
{
	struct flat *new = calloc(1, sizeof(*new));
	if (!new)
		return sahm_fail_nomem(err);
	enum sahm_status status = start(new, image, options, err);
	if (status != SAHM_OK) {
		flat_free(new);
		return status;
	}
	*flat = new;
	return SAHM_OK;
}

void flat_free(struct flat *flat)
{
	if (!flat)
		return;
	translation_free(flat->translation);
	code_free(flat->code);
	flat_ram_free(flat->ram, flat->ram_bytes);
	free(flat);
}

struct hart *flat_hart(struct flat *flat)
{
	return &flat->hart;
}

enum flat_end flat_end(const struct flat *flat)
{
	return flat->end;
}

uint32_t flat_exit_code(const struct flat *flat)
{
	return flat->exit_code;
}

uint64_t flat_nr_unserved(const struct flat *flat, uint32_t *first)
{
	*first = flat->first_unserved;
	return flat->nr_unserved;
}
