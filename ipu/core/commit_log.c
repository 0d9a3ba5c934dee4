/* Commit log in Spike's form. */
#include <inttypes.h>

#include "ipu/core/commit_log.h"
#include "ipu/core/disasm.h"

/* The low `nr_bytes` of `value`, all their digits. By hand, since a trace is mostly this. */
static void add_value(struct textbuf *out, unsigned nr_bytes, uint32_t value)
{
	char text[] = "0x00000000";
	for (unsigned i = 2 * nr_bytes; i > 0; i--, value >>= 4)
		text[1 + i] = "0123456789abcdef"[value & 15];
	textbuf_add(out, text, 2 + 2 * (size_t)nr_bytes);
}

static void add_register(struct textbuf *out, const struct hart *h, unsigned i)
{
	char text[] = " x0  ";
	if (i >= 10)
		text[3] = (char)('0' + i % 10);
	text[2] = (char)('0' + (i >= 10 ? i / 10 : i));
	textbuf_puts(out, text);
	add_value(out, 4, hart_register(h, i));
}

/* The line of `in`, which ran at before->pc, and after which the hart is as in `h`. */
static void add_line(struct textbuf *out, const struct instruction *in, const struct hart *before, const struct hart *h)
{
	enum operation operation = OPERATION_nop; /* what is no instruction any more says nothing of its operands */
	if (in->id != INSTRUCTION_ILLEGAL)
		operation = (enum operation)instruction_rows[in->id].operation;
	unsigned properties = operation_properties[operation];
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
	if (h->written_csr != HART_NO_CSR) {
		const char *name = riscv_csr_name(h->written_csr);
		textbuf_printf(out, " c%" PRIu32 "_%s ", h->written_csr, name ? name : "unknown-csr");
		add_value(out, 4, h->written_value);
	}
	if (properties & (OP_LOADS | OP_STORES)) {
		textbuf_puts(out, " mem ");
		add_value(out, 4, hart_register(before, in->rs1) + (uint32_t)in->imm);
	}
	if (properties & OP_STORES) {
		textbuf_putc(out, ' ');
		add_value(out, operation_bytes(operation), hart_register(before, in->rs2));
	}
	textbuf_putc(out, '\n');
}

enum hart_cause commit_log_step(struct hart *h, struct textbuf *out)
{
	const struct hart before = *h;
	struct instruction in;
	instruction_decode(code_word(h->code, h->pc), &in);
	h->written_csr = HART_NO_CSR;
	enum hart_cause cause = hart_interpret(h, 1);
	if (h->nr_retired != before.nr_retired)
		add_line(out, &in, &before, h);
	return cause;
}
