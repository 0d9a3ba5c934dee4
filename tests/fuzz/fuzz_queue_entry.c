/* Entries of streams as a server may send them: accepted runs are runs; unpacked data stay within their limit, and
 * records in them are accepted or refused. A byte says how long the next string is; the first is the id, then fields.
 */
#include "results/store/run_record.h"
#include "sim/queue/queue_internal.h"
#include "tests/fuzz/fuzz.h"

#define MAX_FIELDS 16u

static struct reply strings[1 + MAX_FIELDS], *members[MAX_FIELDS];
static char texts[1 + MAX_FIELDS][256];

/* The next string of the input. */
static struct reply *next_string(const uint8_t **data, size_t *left, size_t i)
{
	size_t len = *left ? **data : 0;
	len = *left && len > *left - 1 ? *left - 1 : len;
	memcpy(texts[i], *data + (*left > 0), len);
	texts[i][len] = '\0';
	*data += len + (*left > 0);
	*left -= len + (*left > 0);
	strings[i] = (struct reply){.kind = REPLY_STRING, .bytes = texts[i], .len = len};
	return &strings[i];
}

static void try_records(const uint8_t *data, size_t size)
{
	const struct reply packed = {.kind = REPLY_STRING, .bytes = (const char *)data, .len = size};
	struct sahm_err err;
	struct record record;
	struct arena a;
	char *records = NULL;
	size_t len = 0;
	enum sahm_status status = queue_unpack(&packed, &records, &len, &err);
	if (status != SAHM_OK) {
		must_explain(&err, status, "");
		return;
	}
	arena_init(&a);
	status = record_decode(&a, records, len, &record, &err);
	MUST(status == SAHM_OK || status == SAHM_FORMAT);
	arena_release(&a);
	free(records);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *at = data;
	size_t left = size, nr = 0;
	char id[QUEUE_ID_BYTES];
	struct queue_run run;
	struct reply fields = {.kind = REPLY_ARRAY, .bytes = "", .elements = members};
	struct reply *parts[2] = {next_string(&at, &left, 0), &fields};
	const struct reply entry = {.kind = REPLY_ARRAY, .bytes = "", .elements = parts, .nr = 2};
	for (; nr < MAX_FIELDS && left > 0; nr++)
		members[nr] = next_string(&at, &left, 1 + nr);
	fields.nr = nr;
	if (queue_read_entry(&entry, id, &run)) {
		MUST(run.position < MAX_SPACE_POINTS);
		MUST(strlen(id) == parts[0]->len && strspn(id, "0123456789-") == strlen(id));
		MUST(nr >= 6);
	}
	try_records(data, size);
	return 0;
}
