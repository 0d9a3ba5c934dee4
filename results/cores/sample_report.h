/* Histograms of samples: by instruction, function or data address, as text, CSV and JSON. */
#ifndef SAHM_RESULTS_CORES_SAMPLE_REPORT_H
#define SAHM_RESULTS_CORES_SAMPLE_REPORT_H

#include "results/cores/sample_file.h"
#include "results/metrics/json.h"
#include "workloads/stream/function_map.h"

#define SAMPLE_SCHEMA "sahm-core-samples/1"

enum sample_key { SAMPLES_BY_FUNCTION, SAMPLES_BY_PC, SAMPLES_BY_ADDRESS };

/* A row of a histogram. By function, an instruction whose function is not known is listed separately. */
struct sample_row {
	uint64_t samples;
	uint64_t key;		     /* pc, of a function the lowest that was seen; or address */
	bool has_key;		     /* false: samples without an address */
	struct function_place place; /* of the pc; texts are the map's */
};

struct sample_histogram {
	struct sample_row *rows; /* [nr], those with the most samples first, then by key */
	size_t nr;
	uint64_t samples; /* of all rows */
};

struct sample_report {
	const struct sample_file *file;
	enum sample_key by;
	uint64_t top;					  /* rows of each event, at most; 0: all */
	struct sample_histogram histograms[HPM_COUNTERS]; /* by event */
};

/* Makes the histograms. `map` is that of the stream, or NULL: no functions are known. Release it in any case.
 * SAHM_NOMEM. */
enum sahm_status sample_report_init(struct sample_report *r, const struct sample_file *file, enum sample_key by,
				    uint64_t top, struct function_map *map, struct sahm_err *err);
void sample_report_release(struct sample_report *r);

/* Append it. False when memory was short. */
bool sample_report_text(const struct sample_report *r, bool bold, struct textbuf *out);
bool sample_report_csv(const struct sample_report *r, struct textbuf *out);
bool sample_report_json(const struct sample_report *r, struct textbuf *out);

#endif
