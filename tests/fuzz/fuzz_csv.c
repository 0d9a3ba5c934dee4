/* CSV traces: the input is the file. */
#include "tests/fuzz/use_trace.h"

static struct trace *read_csv(const uint8_t *data, size_t size, const struct csv_options *options)
{
	struct trace *trace = NULL;
	struct textbuf notes;
	struct sahm_err err;
	FILE *in = fmemopen((void *)(uintptr_t)data, size, "r");
	MUST(in);
	textbuf_init(&notes);
	enum sahm_status status = trace_csv_read(in, "in/put.csv", options, &notes, &trace, &err);
	if (status != SAHM_OK) {
		MUST(status == SAHM_FORMAT && !trace);
		must_explain(&err, status, "in/put.csv:");
	}
	textbuf_release(&notes);
	fclose(in);
	return trace;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct csv_options options[] = {
		{0},
		{.epoch_ns = 12345,
		 .provenance = {.text = {[PROVENANCE_NAME] = "mine", [PROVENANCE_SOURCE] = "synthetic"}}},
	};
	if (size == 0)
		return 0;
	struct trace *plain = read_csv(data, size, &options[0]), *told = read_csv(data, size, &options[1]);
	/* The options of the file cannot make it well-formed or not. */
	MUST(!plain == !told);
	if (!plain)
		return 0;
	MUST(trace_verify(plain, NULL) == SAHM_OK);
	use_trace(plain);
	MUST(trace_epoch_ns(told) == 12345 && strcmp(trace_name(told), "mine-synthetic") == 0);
	MUST(trace_nr_epochs(told) == trace_nr_epochs(plain));
	trace_free(plain);
	trace_free(told);
	return 0;
}
