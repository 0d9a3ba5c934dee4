#include "cores/uarch/hpm.h"

#include <stdlib.h>

#include "cores/uarch/hpm_internal.h"
#include "sim/base/array.h"

static const struct csr_row {
	const char *name;
	uint16_t number, nr;
} csr_rows[] = {
#define HPM_CSR(suffix, name, number, nr, help) {name, number, nr},
#include "cores/uarch/hpm_csr_list.h"
#undef HPM_CSR
};

struct hpm *hpm_new(const struct hpm_spec *spec)
{
	struct hpm *h = calloc(1, sizeof(*h));
	if (!h)
		return NULL;
	h->family = spec->family;
	h->kind = spec->kind;
	h->nr_counters = spec->nr_counters < HPM_COUNTERS ? spec->nr_counters : HPM_COUNTERS;
	h->core = *spec->core;
	for (unsigned i = 0; i < h->nr_counters; i++)
		hpm_select(h, HPM_FIRST + i, 0);
	h->pes = pes_new(NULL, 0, 0);
	if (h->pes)
		return h;
	hpm_free(h);
	return NULL;
}

void hpm_free(struct hpm *h)
{
	if (!h)
		return;
	pes_free(h->pes);
	free(h);
}

/* ---- Access ---- */

static const struct csr_row *find_csr(unsigned csr)
{
	for (size_t i = 0; i < ARRAY_SIZE(csr_rows); i++)
		if (csr >= csr_rows[i].number && csr < csr_rows[i].number + csr_rows[i].nr)
			return &csr_rows[i];
	return NULL;
}

static bool is_shadow(unsigned csr)
{
	return csr >> 10 == 3;
}

/* Whether mcounteren and scounteren let a shadow be read. */
static bool may_read_shadow(const struct hpm *h, enum hpm_privilege privilege, unsigned counter)
{
	return privilege == HPM_MACHINE ||
	       ((h->mcounteren >> counter & 1) && (privilege == HPM_SUPERVISOR || (h->scounteren >> counter & 1)));
}

/* The row, or NULL with the reason why the CSR cannot be accessed. */
static const struct csr_row *access_csr(enum hpm_privilege privilege, unsigned csr, struct sahm_err *err)
{
	const struct csr_row *row = find_csr(csr);
	if (!row) {
		sahm_fail(err, SAHM_RANGE, "no counter register has the number 0x%x", csr);
	} else if ((csr >> 8 & 3) > privilege) {
		sahm_fail(err, SAHM_RANGE, "counter register 0x%x (%s) is not open to this privilege", csr, row->name);
		row = NULL;
	}
	return row;
}

/* ---- Reading ---- */

static uint64_t counter_value(const struct hpm *h, unsigned counter)
{
	if (counter == HPM_CYCLE || counter == HPM_TIME)
		return h->cycle;
	if (counter == HPM_INSTRET)
		return h->instret;
	return hpm_value(h, counter);
}

enum sahm_status hpm_read(const struct hpm *h, enum hpm_privilege privilege, unsigned csr, uint64_t *value,
			  struct sahm_err *err)
{
	const struct csr_row *row = access_csr(privilege, csr, err);
	if (!row)
		return SAHM_RANGE;
	if (is_shadow(csr) && !may_read_shadow(h, privilege, csr - CSR_CYCLE))
		return sahm_fail(err, SAHM_RANGE, "counter register 0x%x (%s) is not enabled for this privilege", csr,
				 row->name);
	const struct hpm_counter *c = &h->counters[csr - row->number];
	switch ((enum hpm_csr)row->number) {
	case CSR_SCOUNTEREN:
		*value = h->scounteren;
		break;
	case CSR_MCOUNTEREN:
		*value = h->mcounteren;
		break;
	case CSR_MCOUNTINHIBIT:
		*value = h->inhibit;
		break;
	case CSR_MHPMEVENT:
		*value = c->selector;
		break;
	case CSR_MHPMMAPPED:
		*value = pes_window(h->pes)->mapped;
		break;
	case CSR_MHPMMSIZE:
		*value = pes_window(h->pes)->size;
		break;
	case CSR_MHPMMOFFSET:
		*value = pes_window(h->pes)->offset;
		break;
	case CSR_MHPMMTHRESHOLD:
		*value = c->threshold;
		break;
	case CSR_MCYCLE:
	case CSR_MINSTRET:
	case CSR_MHPMCOUNTER:
		*value = counter_value(h, csr - CSR_MCYCLE);
		break;
	case CSR_CYCLE:
	case CSR_TIME:
	case CSR_INSTRET:
	case CSR_HPMCOUNTER:
		*value = counter_value(h, csr - CSR_CYCLE);
		break;
	}
	return SAHM_OK;
}

/* ---- Writing ---- */

static void write_inhibit(struct hpm *h, uint64_t value)
{
	uint32_t bits = 1u << HPM_CYCLE | 1u << HPM_INSTRET | hpm_present(h);
	uint32_t inhibit = (uint32_t)value & bits;
	hpm_settle(h);
	hpm_stop(h, inhibit & ~h->inhibit);
	h->inhibit = inhibit;
}

static void write_window(struct hpm *h, enum hpm_csr csr, uint64_t value)
{
	struct pes_window window = *pes_window(h->pes);
	if (csr == CSR_MHPMMAPPED)
		window.mapped = value;
	else if (csr == CSR_MHPMMSIZE)
		window.size = value;
	else
		window.offset = value;
	if (h->nr_counters > 0)
		pes_set_window(h->pes, &window);
}

/* A register that each event counter has. */
static void write_of_counter(struct hpm *h, enum hpm_csr csr, unsigned number, uint64_t value)
{
	uint32_t bit = 1u << number;
	if (!(hpm_present(h) & bit))
		return;
	if (csr == CSR_MHPMEVENT) {
		hpm_select(h, number, hpm_legal_selector(h, value));
	} else if (csr == CSR_MHPMCOUNTER) {
		hpm_set_counter(h, number, value);
	} else {
		hpm_settle(h);
		hpm_counter(h, number)->threshold = value;
		h->sampling = value ? h->sampling | bit : h->sampling & ~bit;
		h->has_sampled |= value > 0;
		hpm_watch(h);
	}
}

enum sahm_status hpm_write(struct hpm *h, enum hpm_privilege privilege, unsigned csr, uint64_t value,
			   struct sahm_err *err)
{
	const struct csr_row *row = access_csr(privilege, csr, err);
	if (!row)
		return SAHM_RANGE;
	switch ((enum hpm_csr)row->number) {
	case CSR_SCOUNTEREN:
		h->scounteren = (uint32_t)value;
		break;
	case CSR_MCOUNTEREN:
		h->mcounteren = (uint32_t)value;
		break;
	case CSR_MCOUNTINHIBIT:
		write_inhibit(h, value);
		break;
	case CSR_MHPMMAPPED:
	case CSR_MHPMMSIZE:
	case CSR_MHPMMOFFSET:
		write_window(h, row->number, value);
		break;
	case CSR_MCYCLE:
		h->cycle = value;
		break;
	case CSR_MINSTRET:
		h->instret = value;
		break;
	case CSR_MHPMEVENT:
	case CSR_MHPMMTHRESHOLD:
	case CSR_MHPMCOUNTER:
		write_of_counter(h, row->number, HPM_FIRST + csr - row->number, value);
		break;
	case CSR_CYCLE:
	case CSR_TIME:
	case CSR_INSTRET:
	case CSR_HPMCOUNTER:
		break;
	}
	return SAHM_OK;
}

/* ---- Sampling ---- */

enum sahm_status hpm_sample(struct hpm *h, const struct hpm_sampling *sampling, struct sahm_err *err)
{
	struct pes *pes = pes_new(sampling->memory, sampling->bytes, sampling->skid);
	if (!pes)
		return sahm_fail_nomem(err);
	pes_free(h->pes);
	h->pes = pes;
	h->full = sampling->full;
	h->has_sampled = true;
	h->user = sampling->user;
	return SAHM_OK;
}

void hpm_sample_totals(const struct hpm *h, struct pes_totals *out)
{
	pes_totals(h->pes, out);
}
