/* Arbitrary text as an ABI spec. What is accepted keeps what abi.h says of it. */
#include "ipu/unit/abi_internal.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/use_cfg.h"

static void use_signals(const struct abi *abi)
{
	uint32_t registers = 0;
	unsigned nr_levels = 0;
	MUST(abi->nr_signals >= 1 && abi->nr_signals <= NR_IOREGS);
	for (unsigned i = 0; i < abi->nr_signals; i++) {
		const struct abi_signal *s = &abi->signals[i];
		MUST(s->reg < NR_IOREGS && !(registers & UINT32_C(1) << s->reg));
		registers |= UINT32_C(1) << s->reg;
		MUST(s->bits >= 1 && s->bits <= 64);
		MUST(*s->semantics && *s->name &&
		     strspn(s->name, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(s->name));
		MUST(abi_find(abi, s->name) == s && !abi_is_former(abi, s->name));
		MUST(!s->is_level || s->rate == 1);
		nr_levels += s->is_level;
	}
	MUST(nr_levels < abi->nr_signals && abi->nr_former <= ABI_MAX_FORMER);
	MUST(!abi->addr || (abi->addr >= abi->signals && abi->addr < abi->signals + abi->nr_signals));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a;
	struct abi abi;
	struct cfg_node *root;
	struct sahm_err err;
	close_stdin();
	if (reaches_out((const char *)data, size))
		return 0;
	arena_init(&a);
	enum sahm_status status = cfg_read_text(&a, "abi.cfg", (const char *)data, size, &root, &err);
	if (status == SAHM_OK)
		status = abi_of_tree(root, &abi, &err);
	if (status != SAHM_OK) {
		MUST(status == SAHM_CONFIG || status == SAHM_IO);
		must_explain(&err, status, "");
	} else {
		struct hash h;
		hash_init(&h);
		abi_hash(&abi, &h);
		use_signals(&abi);
	}
	arena_release(&a);
	return 0;
}
