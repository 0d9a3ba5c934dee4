/* Arbitrary bytes as the journal of a session: accepted sessions are written and read back as the same calls. Nothing
 * is carried out: no file is opened. */
#include "ipu/unit/call.h"
#include "tests/fuzz/fuzz.h"

static void must_be_same_file(const struct ipu_call_file *a, const struct ipu_call_file *b)
{
	MUST(!a->name == !b->name && (!a->name || strcmp(a->name, b->name) == 0));
	MUST(a->has_hash == b->has_hash && memcmp(a->hash, b->hash, HASH_BYTES) == 0);
}

static void must_be_same(const struct ipu_call *a, const struct ipu_call *b)
{
	MUST(a->kind == b->kind && a->given == b->given && a->date == b->date);
	for (int i = 0; i < NR_IPU_ARGUMENTS; i++)
		MUST(a->numbers[i] == b->numbers[i]);
	MUST(a->mode.mismatch == b->mode.mismatch && a->mode.arg == b->mode.arg);
	must_be_same_file(&a->file, &b->file);
	must_be_same_file(&a->trust, &b->trust);
	MUST(a->nr_settings == b->nr_settings);
	for (size_t i = 0; i < a->nr_settings; i++)
		MUST(strcmp(a->settings[i], b->settings[i]) == 0);
}

static void use_calls(const struct ipu_call *calls, size_t nr)
{
	struct arena a = {0};
	struct textbuf out;
	struct sahm_err err;
	struct ipu_call *again;
	size_t nr_again;
	textbuf_init(&out);
	textbuf_puts(&out, IPU_SESSION_HEAD "\n");
	for (size_t i = 0; i < nr; i++) {
		MUST(ipu_call_check(&calls[i], "", &err) == SAHM_OK);
		MUST(calls[i].line > 1 && (i == 0 || calls[i].line > calls[i - 1].line));
		enum sahm_status status = ipu_call_write(&calls[i], &out, &err);
		if (status != SAHM_OK) {
			/* Quotes can make it longer than it was. */
			MUST(status == SAHM_RANGE);
			textbuf_release(&out);
			return;
		}
	}
	MUST(ipu_calls_read(&a, "again", out.text, out.len, &again, &nr_again, &err) == SAHM_OK);
	MUST(nr == nr_again);
	for (size_t i = 0; i < nr; i++)
		must_be_same(&calls[i], &again[i]);
	textbuf_release(&out);
	arena_release(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = {0};
	struct ipu_call *calls = NULL;
	struct sahm_err err;
	size_t nr = 0;
	enum sahm_status status = ipu_calls_read(&a, "in/put", (const char *)data, size, &calls, &nr, &err);
	if (status == SAHM_OK) {
		use_calls(calls, nr);
	} else {
		MUST(status == SAHM_FORMAT);
		must_explain(&err, status, "in/put:");
	}
	arena_release(&a);
	return 0;
}
