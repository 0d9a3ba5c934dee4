/* Commit log in Spike's form. */
#include <inttypes.h>
#include <string.h>

#include "ipu/commit_log.h"
#include "ipu/disasm.h"

/* A host between the hart and its own, which keeps the CSR write that passes. It lives for one instruction. */
struct csr_witness {
	struct hart_host host; /* first: how the functions below find the rest */
	const struct hart_host *own;
	bool saw_write;
	uint32_t csr, value;
};

static bool witness_csr_write(struct hart *h, uint32_t csr, uint32_t value)
{
	struct csr_witness *w = (struct csr_witness *)(uintptr_t)h->host;
	h->host = w->own;
	bool is_there = w->own->csr_write(h, csr, value);
	h->host = &w->host;
	w->saw_write = true;
	w->csr = csr;
	w->value = value;
	return is_there;
}

static enum hart_cause run_witnessed(struct hart *h, struct csr_witness *w)
{
	*w = (struct csr_witness){.own = h->host};
	if (!h->host || !h->host->csr_write)
		return hart_run(h, 1);
	w->host = *h->host;
	w->host.csr_write = witness_csr_write;
	h->host = &w->host;
	enum hart_cause cause = hart_run(h, 1);
	h->host = w->own;
	return cause;
}

/* Bytes that an operation loads or stores, 0 for those that do neither. */
static unsigned access_bytes(enum operation operation)
{
	switch (operation) {
	case OPERATION_lb:
	case OPERATION_lbu:
	case OPERATION_sb:
		return 1;
	case OPERATION_lh:
	case OPERATION_lhu:
	case OPERATION_sh:
		return 2;
	case OPERATION_lw:
	case OPERATION_sw:
		return 4;
	default:
		return 0;
	}
}

static bool is_store(enum operation operation)
{
	return operation == OPERATION_sb || operation == OPERATION_sh || operation == OPERATION_sw;
}

/* The low `nr_bytes` of `value`, all their digits. */
static void add_value(struct textbuf *out, unsigned nr_bytes, uint32_t value)
{
	if (nr_bytes < 4)
		value &= (UINT32_C(1) << 8 * nr_bytes) - 1;
	textbuf_printf(out, "0x%0*" PRIx32, (int)(2 * nr_bytes), value);
}

static void add_register(struct textbuf *out, const struct hart *h, unsigned i)
{
	textbuf_printf(out, " x%-2u ", i);
	add_value(out, 4, hart_register(h, i));
}

/* The line of `in`, which ran at before->pc, and after which the hart is as in `h`. */
static void add_line(struct textbuf *out, const struct instruction *in, const struct hart *before, const struct hart *h,
		     const struct csr_witness *w)
{
	enum operation operation = (enum operation)instruction_rows[in->id].operation;
	unsigned nr_bytes = access_bytes(operation);
	textbuf_puts(out, "core   0: 3 ");
	add_value(out, 4, before->pc);
	textbuf_puts(out, " (");
	add_value(out, in->nr_bytes, in->word);
	textbuf_putc(out, ')');
	if (in->rd != 0)
		add_register(out, h, in->rd);
	for (unsigned i = 1; operation == OPERATION_ecall && i < NR_REGISTERS; i++)
		if (hart_register(h, i) != hart_register(before, i))
			add_register(out, h, i);
	if (w->saw_write) {
		const char *name = csr_name(w->csr);
		textbuf_printf(out, " c%" PRIu32 "_%s ", w->csr, name ? name : "unknown-csr");
		add_value(out, 4, w->value);
	}
	if (nr_bytes) {
		textbuf_puts(out, " mem ");
		add_value(out, 4, hart_register(before, in->rs1) + (uint32_t)in->imm);
	}
	if (is_store(operation)) {
		textbuf_putc(out, ' ');
		add_value(out, nr_bytes, hart_register(before, in->rs2));
	}
	textbuf_putc(out, '\n');
}

enum hart_cause commit_log_step(struct hart *h, struct textbuf *out)
{
	const struct hart before = *h;
	struct csr_witness witness;
	struct instruction in;
	instruction_decode(code_word(h->code, h->pc), &in);
	enum hart_cause cause = run_witnessed(h, &witness);
	if (h->nr_retired != before.nr_retired && in.id != INSTRUCTION_ILLEGAL)
		add_line(out, &in, &before, h, &witness);
	return cause;
}
