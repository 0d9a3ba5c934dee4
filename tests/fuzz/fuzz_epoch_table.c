/* Epoch tables: the input is the file. One that is accepted writes and reads back as it is; if it is small and
 * finished, it can be analysed. */
#include "results/studies/specialization.h"
#include "tests/fuzz/fuzz.h"

static enum sahm_status read_bytes(const void *data, size_t size, struct epoch_table *t, struct sahm_err *err)
{
	FILE *in = fmemopen((void *)(uintptr_t)data, size, "r");
	MUST(in);
	*t = (struct epoch_table){0};
	enum sahm_status status = epoch_table_read(in, "in/put.csv", t, err);
	fclose(in);
	return status;
}

static void analyse(const struct epoch_table *t)
{
	static const struct specialize_options o = {.set = 2, .min_epochs = 2, .nr_resamples = 100};
	struct specialization s;
	struct textbuf out;
	struct sahm_err err;
	textbuf_init(&out);
	MUST(specialization_make(t, &o, &s, &err) == SAHM_OK);
	MUST(specialization_text(&s, false, &out));
	for (const struct special_file *f = special_files; f->name; f++)
		f->write(&s, f->set, &out);
	MUST(!textbuf_failed(&out));
	textbuf_release(&out);
	specialization_release(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct epoch_table t, again;
	struct textbuf first, second;
	struct sahm_err err;
	if (size == 0)
		return 0;
	enum sahm_status status = read_bytes(data, size, &t, &err);
	if (status != SAHM_OK) {
		MUST(status == SAHM_FORMAT);
		must_explain(&err, status, "in/put.csv:");
		epoch_table_release(&t);
		return 0;
	}
	textbuf_init(&first);
	textbuf_init(&second);
	epoch_table_write(&t, &first);
	MUST(read_bytes(first.text, first.len, &again, &err) == SAHM_OK);
	epoch_table_write(&again, &second);
	MUST(first.len == second.len && memcmp(first.text, second.text, first.len) == 0);
	if (t.nr_rows <= 50 && t.nr_cores <= 4 && t.nr_programs <= 8 && epoch_table_nr_unfinished(&t) == 0)
		analyse(&t);
	textbuf_release(&first);
	textbuf_release(&second);
	epoch_table_release(&again);
	epoch_table_release(&t);
	return 0;
}
