/* Harts, but for running them (execute.c). */
#include <stddef.h>

#include "ipu/core/hart.h"

void hart_init(struct hart *h, struct code *code)
{
	*h = (struct hart){.code = code, .pc = code_base(code), .written_csr = HART_NO_CSR};
}

/* Alignment is derived from the distance to the window's base, so the base must be aligned. */
static void window_set(struct hart_window *w, uint32_t first, uint32_t nr_bytes)
{
	uint32_t skipped = -first & 3;
	w->base = first + skipped;
	for (unsigned i = 0; i < 3; i++)
		w->limit[i] = nr_bytes > skipped ? (nr_bytes - skipped) >> i : 0;
}

void hart_set_memory(struct hart *h, uint32_t base, uint8_t *data, uint32_t nr_bytes)
{
	h->translation = NULL;
	h->data = data;
	h->data_base = base;
	h->data_bytes = nr_bytes;
	window_set(&h->loads, base, nr_bytes);
	h->stores = h->loads;
}

void hart_set_store_window(struct hart *h, uint32_t first, uint32_t end)
{
	h->translation = NULL;
	window_set(&h->stores, first, end - first);
}

enum cause_kind { END, FAULT, ACCESS };

static const struct cause_row {
	const char *text;
	enum cause_kind kind;
} cause_rows[NR_HART_CAUSES] = {
#define CAUSE(symbol, text, kind) {text, kind},
#include "ipu/core/cause_list.h"
#undef CAUSE
};

bool hart_cause_is_fault(enum hart_cause cause)
{
	return cause < NR_HART_CAUSES && cause_rows[cause].kind != END;
}

bool hart_cause_has_address(enum hart_cause cause)
{
	return cause < NR_HART_CAUSES && cause_rows[cause].kind == ACCESS;
}

const char *hart_cause_text(enum hart_cause cause)
{
	return cause < NR_HART_CAUSES ? cause_rows[cause].text : "unknown cause";
}

uint8_t *hart_bytes(const struct hart *h, uint32_t address, uint32_t nr_bytes)
{
	uint32_t at = address - h->data_base;
	if (at > h->data_bytes || nr_bytes > h->data_bytes - at)
		return NULL;
	return h->data + at;
}

static const char *const engine_names[NR_HART_ENGINES] = {
#define ENGINE(symbol, name, help) name,
#include "ipu/core/engine_list.h"
#undef ENGINE
};

const char *hart_engine_name(enum hart_engine engine)
{
	return engine < NR_HART_ENGINES ? engine_names[engine] : "unknown engine";
}
