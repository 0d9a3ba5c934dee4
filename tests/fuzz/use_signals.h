/* Shared by the targets for recorded signals: bytes are read as rows without an ABI spec, and as sets with one; rows
 * that were accepted are the same in both forms. */
#ifndef SAHM_TESTS_FUZZ_USE_SIGNALS_H
#define SAHM_TESTS_FUZZ_USE_SIGNALS_H

#include "ipu/unit/signals.h"
#include "tests/fuzz/fuzz.h"

/* Few bytes can make many sets. */
#define MOST_SETS 10000

static const struct abi *fuzz_abi(void)
{
	static struct abi abi = {
		.name = "made",
		.file = "made.cfg",
		.nr_signals = 5,
		.signals =
			{
				{.name = "a", .bits = 64, .reg = 3, .rate = 0},
				{.name = "b", .bits = 1, .reg = 0, .rate = 1},
				{.name = "c", .bits = 8, .reg = 31, .rate = 7},
				{.name = "d", .bits = 33, .reg = 4, .rate = 1000},
				{.name = "e", .bits = 16, .reg = 9, .rate = 1, .is_level = true},
			},
		.former = {"old"},
		.nr_former = 1,
	};
	abi.addr = &abi.signals[0];
	return &abi;
}

static inline FILE *open_bytes(const char *bytes, size_t len)
{
	FILE *in = fmemopen((void *)(uintptr_t)bytes, len, "r");
	MUST(in);
	return in;
}

static inline void must_be_refused(enum sahm_status status, const struct sahm_err *err)
{
	MUST(status == SAHM_FORMAT || status == SAHM_CHECKSUM);
	must_explain(err, status, "in/put.sig:");
}

static inline void check_set(const struct signal_set *set)
{
	uint32_t known = 0, levels = 0;
	for (unsigned i = 0; i < fuzz_abi()->nr_signals; i++) {
		const struct abi_signal *s = &fuzz_abi()->signals[i];
		*(s->is_level ? &levels : &known) |= UINT32_C(1) << s->reg;
		if ((set->valid | set->levels) >> s->reg & 1)
			MUST(s->bits == 64 || set->values[s->reg] >> s->bits == 0);
	}
	MUST((set->valid & ~known) == 0 && (set->levels & ~levels) == 0);
	MUST(set->valid != 0 || set->levels != 0 || set->hit_mhz != 0);
	MUST(set->hit_mhz <= IPU_MAX_MHZ && set->has_address == (set->valid >> 3 & 1));
	MUST(!set->has_address || set->address == set->values[3]);
}

static inline void use_sets(const char *bytes, size_t len)
{
	struct signal_reader *r;
	struct signal_set set;
	struct sahm_err err;
	bool more = true;
	uint64_t next = 0;
	FILE *in = open_bytes(bytes, len);
	enum sahm_status status = signal_reader_new(&r, in, "in/put.sig", fuzz_abi(), &err);
	MUST((status == SAHM_OK) == (r != NULL));
	for (int i = 0; i < MOST_SETS && status == SAHM_OK && more; i++) {
		status = signal_reader_set(r, &set, &more, &err);
		if (status != SAHM_OK || !more)
			break;
		check_set(&set);
		MUST(set.cycle >= next);
		next = set.cycle + 1;
	}
	status = signal_reader_free(r, status, &err);
	if (status != SAHM_OK)
		must_be_refused(status, &err);
	fclose(in);
}

/* Reads rows and writes them in the form `form` to *text (to be freed); false when they are refused. */
static inline bool rewrite(const char *bytes, size_t len, enum signal_form form, char **text, size_t *text_len)
{
	struct signal_reader *r;
	struct signal_row row;
	struct sahm_err err;
	bool more = true;
	FILE *in = open_bytes(bytes, len), *out = open_memstream(text, text_len);
	MUST(out);
	enum sahm_status status = signal_reader_new(&r, in, "in/put.sig", NULL, &err);
	if (status == SAHM_OK)
		signals_write_head(out, form, signal_reader_columns(r));
	while (status == SAHM_OK && more) {
		status = signal_reader_row(r, &row, &more, &err);
		if (status == SAHM_OK && more)
			signals_write_row(out, form, signal_reader_columns(r), &row);
	}
	status = signal_reader_free(r, status, &err);
	if (status != SAHM_OK)
		must_be_refused(status, &err);
	fclose(in);
	fclose(out);
	return status == SAHM_OK;
}

static inline void use_rows(const char *bytes, size_t len)
{
	char *csv, *binary, *again;
	size_t csv_len, binary_len, again_len;
	if (rewrite(bytes, len, SIGNALS_CSV, &csv, &csv_len)) {
		MUST(rewrite(csv, csv_len, SIGNALS_BINARY, &binary, &binary_len));
		MUST(rewrite(binary, binary_len, SIGNALS_CSV, &again, &again_len));
		MUST(again_len == csv_len && memcmp(csv, again, csv_len) == 0);
		free(binary);
		free(again);
	}
	free(csv);
}

#endif
