/* Questions to stores whose bytes are damaged: they end in an answer that can be written, or in a message. An input is
 * a whole file if it begins like one; else changes to a store that is made here: of 4 bytes each, in the last one what
 * a byte becomes, in the others at which place, modulo the length. */
#include <sqlite3.h>

#include "results/store/query.h"
#include "results/store/store_schema.h"

#include "tests/fuzz/fuzz.h"

#define MOST_BYTES ((size_t)1 << 18)

/* Steps of SQLite's machine, in thousands, after which a question is given up: a damaged schema can ask for much. */
#define MOST_STEPS 2000

static const char rows[] =
	"INSERT INTO program VALUES (1, 'sahm-fuzz');"
	"INSERT INTO sweep (id, identity, planned, name, evaluator, config, nr_points) "
	"VALUES (1, x'01', 1, 's', 'run', 'seed = 1;', 6);"
	"INSERT INTO axis VALUES (1, 0, 'chip.x', 2, 3), (1, 1, 'y', 3, 1);"
	"INSERT INTO axis_value VALUES (1, 0, 0, 'a', 'chip.x=\"a\"'), (1, 0, 1, 0.5, 'chip.x=0.5'), "
	"(1, 1, 0, 1, 'y=1'), (1, 1, 1, 2, 'y=2'), (1, 1, 2, 3, 'y=3');"
	"INSERT INTO chip VALUES (1, '2 baseline'), (2, '1 l2 30 %');"
	"INSERT INTO chip_core VALUES (1, 0, 'baseline', '', 2), (2, 0, 'l2', '30', 1);"
	"INSERT INTO run (id, hash, program, state, message, chip, nr_cores, nr_threads, synthetic, "
	"speedup_mean, jain) "
	"VALUES (1, x'01', 1, 1, '', 1, 2, 1, 1, 0.25, 1), (2, x'02', 1, 1, 'remark', 2, 1, 1, 0, 0.5, 0.5), "
	"(3, x'03', 1, 2, 'it broke', NULL, NULL, NULL, NULL, NULL, NULL), "
	"(4, x'04', 1, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL);"
	"INSERT INTO point VALUES (1, 0, 1), (1, 1, 2), (1, 2, 3), (1, 3, 4), (1, 4, 1);"
	"INSERT INTO thread_name VALUES (1, 'gcc');"
	"INSERT INTO thread VALUES (1, 0, 1, 0.25, 0.5, 0.75, 1000, 2000, 3, 0.5, 7), "
	"(2, 0, 1, 0.5, 1, 1, 1000, 2000, 0, NULL, NULL);"
	"INSERT INTO interval VALUES (1, 'speedup_mean', 0.125, 0.5);"
	"INSERT INTO timing VALUES (1, 1, 1000, 900, 0), (2, 1, 1000, 900, 1);";

static size_t make_image(uint8_t *image)
{
	sqlite3 *db;
	sqlite3_int64 len = 0;
	MUST(sqlite3_open(":memory:", &db) == SQLITE_OK);
	MUST(sqlite3_exec(db, "PRAGMA page_size = 512", NULL, NULL, NULL) == SQLITE_OK);
	struct textbuf schema;
	textbuf_init(&schema);
	store_write_schema(&schema);
	MUST(sqlite3_exec(db, schema.text, NULL, NULL, NULL) == SQLITE_OK);
	textbuf_release(&schema);
	MUST(sqlite3_exec(db, rows, NULL, NULL, NULL) == SQLITE_OK);
	unsigned char *bytes = sqlite3_serialize(db, "main", &len, 0);
	MUST(bytes && (size_t)len <= MOST_BYTES);
	memcpy(image, bytes, (size_t)len);
	sqlite3_free(bytes);
	MUST(sqlite3_close(db) == SQLITE_OK);
	return (size_t)len;
}

static enum sahm_status price(void *ctx, const char *type, const char *speedups, enum query_objective_kind which,
			      double *value, struct sahm_err *err)
{
	(void)ctx;
	(void)err;
	*value = (double)strlen(type) + (double)strlen(speedups) + (which == OBJECTIVE_AREA);
	return SAHM_OK;
}

static enum sahm_status ask(struct query *q, unsigned question, struct query_answer *a, struct sahm_err *err)
{
	static const struct query_objective objectives[] = {{OBJECTIVE_METRIC, RUN_METRIC_speedup_mean, 1},
							    {OBJECTIVE_CORES, (enum run_metric)0, -1},
							    {OBJECTIVE_POWER, (enum run_metric)0, -1}};
	static const struct query_prices prices = {price, NULL};
	switch (question) {
	case 0:
		return query_overview(q, a, err);
	case 1:
		return query_best(q, RUN_METRIC_speedup_mean, 1, 3, a, err);
	case 2:
		return query_axes(q, RUN_METRIC_speedup_mean, a, err);
	case 3:
		return query_pareto(q, objectives, 3, &prices, a, err);
	case 4:
		return query_point(q, 0, a, err);
	case 5:
		return query_failed(q, a, err);
	case 6:
		return query_missing(q, a, err);
	case 7:
		return query_threads(q, "speedup", a, err);
	default:
		return query_point(q, q->nr_points - 1, a, err);
	}
}

static void use(sqlite3 *db, unsigned question)
{
	struct query q;
	struct query_answer a;
	struct textbuf out;
	struct sahm_err err;
	query_answer_init(&a);
	textbuf_init(&out);
	enum sahm_status status = query_begin_db(&q, db, "in", 1, &err);
	if (status == SAHM_OK)
		status = ask(&q, question, &a, &err);
	if (status != SAHM_OK) {
		MUST(status == SAHM_FORMAT || status == SAHM_IO || status == SAHM_RANGE || status == SAHM_USAGE);
		must_explain(&err, status, "");
	} else {
		MUST(query_answer_text(&a, false, &out) && query_answer_csv(&a, &out) && query_answer_json(&a, &out));
		MUST(query_config(&q, &out, &err) != SAHM_NOMEM);
	}
	textbuf_release(&out);
	query_answer_release(&a);
	query_release(&q);
}

static int give_up(void *ctx)
{
	return ++*(unsigned *)ctx > MOST_STEPS;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char magic[16] = "SQLite format 3";
	static uint8_t image[MOST_BYTES];
	size_t len = size;
	if (size > MOST_BYTES)
		return 0;
	if (size >= sizeof(magic) && memcmp(data, magic, sizeof(magic)) == 0) {
		memcpy(image, data, size);
	} else {
		len = make_image(image);
		for (size_t i = 0; i + 4 <= size; i += 4)
			image[((size_t)data[i] << 16 | (size_t)data[i + 1] << 8 | data[i + 2]) % len] = data[i + 3];
	}
	for (unsigned question = 0; question < 9; question++) {
		unsigned steps = 0;
		sqlite3 *db;
		MUST(sqlite3_open(":memory:", &db) == SQLITE_OK);
		MUST(sqlite3_deserialize(db, "main", image, (sqlite3_int64)len, (sqlite3_int64)len,
					 SQLITE_DESERIALIZE_READONLY) == SQLITE_OK);
		sqlite3_progress_handler(db, 1000, give_up, &steps);
		use(db, question);
		MUST(sqlite3_close(db) == SQLITE_OK);
	}
	return 0;
}
