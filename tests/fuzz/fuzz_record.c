/* Records as bytes: what is accepted encodes to bytes that decode to the same. */
#include "results/store/run_record.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct record r, again;
	struct sahm_err err;
	struct arena a;
	struct textbuf once, twice;
	arena_init(&a);
	enum sahm_status status = record_decode(&a, data, size, &r, &err);
	if (status != SAHM_OK) {
		MUST(status == SAHM_FORMAT);
		must_explain(&err, status, "");
		arena_release(&a);
		return 0;
	}
	textbuf_init(&once);
	textbuf_init(&twice);
	record_encode(&r, &once);
	MUST(!textbuf_failed(&once) && once.len == size);
	MUST(record_decode(&a, once.text, once.len, &again, NULL) == SAHM_OK);
	record_encode(&again, &twice);
	MUST(twice.len == once.len && memcmp(once.text, twice.text, once.len) == 0);
	textbuf_release(&once);
	textbuf_release(&twice);
	arena_release(&a);
	return 0;
}
