/* Tables of costs: the input is the file. */
#include "cores/chip/core_costs.h"
#include "sim/base/units.h"
#include "tests/fuzz/use_cfg.h"

/* A row is found by what stands in it, in the order in which it is kept. */
static void use_row(const struct core_costs *costs, const struct core_cost_row *row)
{
	struct textbuf speedups;
	struct sahm_err err;
	textbuf_init(&speedups);
	for (unsigned i = 0; i < row->spec.nr_speedups; i++) {
		textbuf_puts(&speedups, i ? "," : "");
		number_write_double(&speedups, pct_of_ppm(row->spec.speedup_ppm[i]), 0);
	}
	for (int c = 0; c < NR_CORE_COSTS; c++) {
		double value = NAN;
		MUST(isnan(row->cost[c]) || row->cost[c] >= 0);
		enum sahm_status status = core_costs_find(costs, row->spec.type, speedups.text, row->mhz,
							  (enum core_cost)c, &value, &err);
		MUST((status == SAHM_OK) == !isnan(row->cost[c]));
		if (status == SAHM_OK)
			MUST(value == row->cost[c]);
		else
			must_explain(&err, status, "");
	}
	textbuf_release(&speedups);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct core_costs costs;
	struct sahm_err err;
	const char *text = (const char *)data;
	if (reaches_out(text, size))
		return 0;
	close_stdin();
	enum sahm_status status = core_costs_read_text(&costs, "in.cfg", text, size, &err);
	if (status != SAHM_OK) {
		MUST(status == SAHM_CONFIG || status == SAHM_IO);
		must_explain(&err, status, "");
		return 0;
	}
	for (uint32_t i = 0; i < costs.nr_rows; i++)
		use_row(&costs, &costs.rows[i]);
	core_costs_release(&costs);
	return 0;
}
