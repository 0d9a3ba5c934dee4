/* Properties of every trace that was opened and verified, whatever its source. */
#ifndef SAHM_TESTS_FUZZ_USE_TRACE_H
#define SAHM_TESTS_FUZZ_USE_TRACE_H

#include "tests/fuzz/fuzz.h"
#include "workloads/trace/characterize.h"
#include "workloads/trace/trace_csv.h"

/* Traces that are longer are only looked at here and there: blocks of equal epochs need few bytes. */
#define MOST_EPOCHS 20000u

static inline uint8_t *image_of(struct trace *t, size_t *len)
{
	char *bytes = NULL;
	FILE *out = open_memstream(&bytes, len);
	MUST(out);
	trace_write_binary(t, out, NULL);
	MUST(fclose(out) == 0 && *len == trace_image_bytes(t));
	return (uint8_t *)bytes;
}

static inline char *csv_of(struct trace *t, size_t *len)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, len);
	MUST(out);
	MUST(trace_write_csv(t, out, NULL) == SAHM_OK);
	MUST(fclose(out) == 0);
	return text;
}

static inline void must_be_same(const struct trace *a, const struct trace *b)
{
	MUST(strcmp(trace_name(a), trace_name(b)) == 0);
	MUST(trace_nr_epochs(a) == trace_nr_epochs(b));
	MUST(trace_epoch_ns(a) == trace_epoch_ns(b));
	MUST(trace_has_cycles(a) == trace_has_cycles(b));
	MUST(memcmp(trace_hash(a), trace_hash(b), HASH_BYTES) == 0);
}

static inline void use_epochs(struct trace *t, uint64_t nr)
{
	struct epoch_counts *all = calloc(nr, sizeof(*all)), some[3];
	uint8_t *states = malloc(nr);
	enum counter c;
	MUST(all && states);
	MUST(trace_read(t, 0, nr, all, NULL) == SAHM_OK);
	for (uint64_t e = 0; e < nr; e++) {
		MUST(!counters_contradict(&all[e], &c));
		MUST(trace_has_cycles(t) || all[e].count[COUNTER_CYCLES] == 0);
	}
	for (uint64_t e = 0; e < nr; e += 1 + nr / 7) {
		uint64_t part = nr - e < 3 ? nr - e : 3;
		MUST(trace_read(t, e, part, some, NULL) == SAHM_OK);
		MUST(memcmp(some, all + e, part * sizeof(*all)) == 0);
	}
	for (size_t s = 0; cut_set_names[s]; s++) {
		struct cuts cuts;
		struct characterization ch;
		uint64_t sum = 0;
		MUST(cuts_named(cut_set_names[s], &cuts));
		MUST(trace_states(t, &cuts, states, NULL) == SAHM_OK);
		for (uint64_t e = 0; e < nr; e++)
			MUST(states[e] == cuts_classify(&cuts, &all[e]) && states[e] < NR_STATES);
		MUST(characterize_trace(t, &cuts, &ch, NULL) == SAHM_OK);
		for (unsigned i = 0; i < NR_STATES; i++)
			sum += ch.in_state[i];
		MUST(sum == nr);
	}
	free(all);
	free(states);
}

/* Binary form and back, CSV form and back. */
static inline void use_forms(struct trace *t)
{
	static const struct csv_options none;
	size_t len, len_again, csv_len, csv_len_again;
	struct trace *again = NULL;
	struct sahm_err err;
	uint8_t *image = image_of(t, &len), *copy = malloc(len);
	MUST(image && copy);
	memcpy(copy, image, len);
	MUST(trace_open_image("elsewhere.trc", copy, len, &again, NULL) == SAHM_OK);
	MUST(trace_verify(again, NULL) == SAHM_OK);
	must_be_same(t, again);
	char *csv = csv_of(again, &csv_len);
	trace_free(again);

	FILE *in = fmemopen(csv, csv_len, "r");
	MUST(in);
	enum sahm_status status = trace_csv_read(in, "elsewhere.csv", &none, NULL, &again, &err);
	if (status != SAHM_OK)
		fprintf(stderr, "an exported trace cannot be imported: %s\n", err.msg);
	MUST(status == SAHM_OK);
	fclose(in);
	must_be_same(t, again);
	copy = image_of(again, &len_again);
	MUST(len == len_again && memcmp(image, copy, len) == 0);
	char *csv_again = csv_of(again, &csv_len_again);
	MUST(csv_len == csv_len_again && memcmp(csv, csv_again, csv_len) == 0);
	trace_free(again);
	free(image);
	free(copy);
	free(csv);
	free(csv_again);
}

static inline void use_trace(struct trace *t)
{
	uint64_t nr = trace_nr_epochs(t);
	struct epoch_counts counts;
	MUST(nr >= 1 && nr <= MAX_TRACE_EPOCHS);
	MUST(nr <= UINT64_MAX / trace_epoch_ns(t));
	MUST(*trace_name(t));
	MUST(!provenance_is_synthetic(trace_provenance(t)) || strstr(trace_name(t), "synthetic"));
	MUST(trace_read(t, nr - 1, 1, &counts, NULL) == SAHM_OK);
	if (nr > MOST_EPOCHS)
		return;
	use_epochs(t, nr);
	use_forms(t);
}

#endif
