/* Policies: the input draws a small system and every choice of a policy, legal or not (tests/helper/chaos.h); after its
 * end all choices are the first. The simulation ends, with results that agree with its timeline or with a message that
 * names the policy. */
#include "tests/fuzz/fuzz.h"
#include "tests/helper/audit.h"
#include "tests/helper/random_run.h"

#define TOP_STEPS 12u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct random_run run;
	struct sim_result result;
	struct sim_thread_result threads[RUN_TOP_THREADS];
	struct sim_counts cores[RUN_TOP_CORES];
	struct sahm_err err;
	struct audit audit;
	if (size == 0)
		return 0;
	struct chaos_source from = {.bytes = data + 1, .nr = size - 1};
	/* The first byte says how often a rule is broken: 0: never. */
	random_run(&run, &from, TOP_STEPS, data[0]);
	audit_init(&audit);
	run.config.timeline = &audit.sink;
	enum sahm_status status = sim_run(&run.config, &result, threads, cores, &err);
	const char *wrong = chaos_complaint();
	if (status == SAHM_OK && !wrong)
		wrong = audit_run(&audit, &run.config, &result, threads, cores, run.kind == CHAOS_DEFAULT);
	if (wrong)
		fprintf(stderr, "%s\n", wrong);
	MUST(!wrong);
	if (status != SAHM_OK)
		must_explain(&err, SAHM_POLICY, "policy 'chaos' at ");
	audit_release(&audit);
	return 0;
}
