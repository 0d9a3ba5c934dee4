/* Studies: the input is the file. Configurations and profiles that it names are looked for, none is read. */
#include "results/studies/compare.h"
#include "tests/fuzz/use_cfg.h"

static void use_claims(const struct study *s)
{
	for (uint32_t i = 0; i < s->nr_claims; i++) {
		const struct study_claim *c = &s->claims[i];
		MUST(c->policy < s->nr_policies && c->suite < s->nr_suites);
		MUST(c->kind == CLAIM_LOSS || c->other < s->nr_policies);
		MUST(c->bound >= 0);
	}
	MUST(s->subject == STUDY_NONE || s->subject < s->nr_policies);
	MUST(s->reference == STUDY_NONE || s->reference < s->nr_policies);
}

/* A comparison in which nothing was fast can be checked and reported. */
static void use_study(const struct study *s)
{
	struct comparison c;
	struct textbuf out;
	MUST(compare_init(s, &c, NULL) == SAHM_OK);
	textbuf_init(&out);
	compare_judge(&c);
	compare_list(s, &out);
	MUST(compare_text(&c, "title", false, &out) && compare_csv(&c, &out) && compare_json(&c, &out));
	MUST(compare_nr_broken(&c) <= s->nr_claims);
	textbuf_release(&out);
	compare_release(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct study s;
	struct sahm_err err;
	const char *text = (const char *)data;
	if (reaches_out(text, size))
		return 0;
	close_stdin();
	enum sahm_status status = study_read_text(&s, "in.study", text, size, ".", &err);
	if (status != SAHM_OK) {
		MUST(status == SAHM_CONFIG || status == SAHM_IO);
		must_explain(&err, status, "");
		return 0;
	}
	MUST(s.nr_costs >= 1 && s.nr_costs <= MAX_STUDY_COSTS && s.nr_suites >= 1 && s.nr_policies >= 1);
	for (uint32_t i = 1; i < s.nr_costs; i++)
		MUST(s.costs_ms[i] > s.costs_ms[i - 1]);
	for (uint32_t i = 0; i < s.nr_policies; i++)
		MUST(s.policies[i].name && *s.policies[i].policy);
	use_claims(&s);
	use_study(&s);
	study_release(&s);
	return 0;
}
