/* Profiles: the input is the file. What is read must be made, too. */
#include "tests/fuzz/use_trace.h"
#include "workloads/synth/synth_internal.h"

/* Rows that ask for longer traces are read only, and of many rows the first few are made. */
#define MOST_SYNTH_EPOCHS 2000u
#define MOST_ROWS 4u

static void use_row(const struct profile *p, size_t row, uint64_t seed)
{
	struct trace *trace = NULL;
	struct plan plan;
	struct stays stays;
	struct synth_outcome outcome;
	struct sahm_err err;
	uint64_t at = 0, in_state[NR_STATES] = {0}, given[NR_STATES] = {0}, lost = 0;
	MUST(synth_trace(p, row, seed, &trace, &outcome, &err) == SAHM_OK);
	uint64_t nr = trace_nr_epochs(trace);
	uint8_t *states = malloc(nr);
	MUST(states);
	MUST(trace_states(trace, &p->cuts, states, NULL) == SAHM_OK);
	MUST(stays_init(&stays, p, &p->rows[row], seed, NULL) == SAHM_OK);
	for (size_t i = 0; i < stays.all.nr; i++)
		given[stays.all.stays[i].state] += stays.all.stays[i].length;
	stays_release(&stays);
	MUST(plan_make(&plan, p, &p->rows[row], seed, NULL) == SAHM_OK);
	for (size_t i = 0; i < plan.nr; i++) {
		uint64_t length = plan.stays[i].length;
		unsigned state = plan.stays[i].state;
		MUST(state < NR_STATES && length <= nr - at);
		MUST(p->rows[row].share[state] > 0);
		in_state[state] += length;
		for (uint64_t end = at + length; at < end; at++)
			MUST(states[at] == state);
	}
	MUST(at == nr && plan.displaced == outcome.displaced);
	plan_release(&plan);
	for (unsigned s = 0; s < NR_STATES; s++)
		lost += given[s] > in_state[s] ? given[s] - in_state[s] : 0;
	MUST(lost == outcome.displaced);
	MUST(provenance_is_synthetic(trace_provenance(trace)));
	use_trace(trace);
	free(states);
	trace_free(trace);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct profile p;
	struct sahm_err err;
	if (size == 0)
		return 0;
	FILE *in = fmemopen((void *)(uintptr_t)data, size, "r");
	MUST(in);
	enum sahm_status status = profile_read_stream(in, "in/put.profile", &p, &err);
	fclose(in);
	if (status != SAHM_OK) {
		MUST(status == SAHM_FORMAT);
		must_explain(&err, status, "in/put.profile:");
		return 0;
	}
	MUST(p.nr_rows >= 1 && p.nr_rows <= MAX_PROFILE_ROWS);
	for (size_t row = 0; row < p.nr_rows && row < MOST_ROWS; row++) {
		const char *name = p.rows[row].name;
		MUST(*name && *name != '.' && !strchr(name, '/') && strlen(name) <= MAX_PROFILE_NAME_BYTES);
		if (p.rows[row].value[PROFILE_EPOCHS] <= MOST_SYNTH_EPOCHS * (decimal)DECIMAL_ONE)
			use_row(&p, row, p.seed);
	}
	profile_release(&p);
	return 0;
}
