#include "results/studies/tea_study.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "results/cores/pics_report.h"

/* A program's instructions. All zeros: none. */
struct units {
	struct code_name *names;
	struct pics_grains grains;
};

static void release_units(struct units *u)
{
	pics_grains_release(&u->grains);
	free(u->names);
}

static enum sahm_status make_units(const struct stacks *s, struct function_map *map, struct units *u,
				   struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	u->names = calloc(s->nr_insns + 1, sizeof(*u->names));
	if (!u->names)
		return sahm_fail_nomem(err);
	for (size_t i = 0; i < s->nr_insns && status == SAHM_OK; i++)
		status = function_map_place(map, s->insns[i].pc, &u->names[i].place, err);
	if (status == SAHM_OK && !pics_grains_init(&u->grains, s, u->names))
		status = sahm_fail_nomem(err);
	return status;
}

/* The errors of all schemes at one period. Schemes that take as many samples share their chance level. */
static bool take_schemes(const struct tea_study *s, const struct stack_profile *exact,
			 const struct stack_samples *samples, const struct units *u, struct tea_error *out)
{
	struct stack_profile drawn = {0};
	bool ok = true;
	for (unsigned i = 0; i < NR_STACK_SCHEMES && ok; i++) {
		enum stack_scheme scheme = (enum stack_scheme)i;
		enum sampler_kind kind = stack_scheme_kind(scheme);
		unsigned events = stack_scheme_events(scheme);
		struct stack_profile sampled;
		out[i].samples = samples->of[kind].taken;
		if (i == 0 || out[i].samples != out[i - 1].samples) {
			stack_profile_release(&drawn);
			ok = stack_profile_draw(exact, out[i].samples, s->seed, &drawn);
		}
		ok = stack_profile_of_samples(samples, kind, &sampled) && ok &&
		     pics_errors(exact, &sampled, &u->grains, events, out[i].error) &&
		     pics_errors(exact, &drawn, &u->grains, events, out[i].chance);
		stack_profile_release(&sampled);
	}
	stack_profile_release(&drawn);
	return ok;
}

static bool take_tops(const struct stacks *s, const struct units *u, struct tea_program *out)
{
	struct pics_view v;
	bool ok = pics_view_init(&v, s, u->names, PICS_INSTRUCTION);
	for (size_t i = 0; ok && i < v.nr && i < TEA_TOPS; i++) {
		struct tea_top *top = &out->tops[out->nr_tops++];
		struct textbuf place;
		textbuf_init(&place);
		pics_place(&u->names[v.units[i].insn], true, &place);
		ok = !textbuf_failed(&place);
		snprintf(top->place, sizeof(top->place), "0x%" PRIx64 " %.100s", s->insns[v.units[i].insn].pc,
			 ok ? place.text : "");
		top->signature = v.parts.parts[v.parts.first[i]].signature;
		top->pct = 100 * (double)v.units[i].cycles / ((double)s->units * (double)s->cycles);
		textbuf_release(&place);
	}
	pics_view_release(&v);
	return ok;
}

enum sahm_status tea_study_reduce(const struct tea_study *s, const struct stack_pass *p, struct function_map *map,
				  struct tea_program *out, struct sahm_err *err)
{
	const struct stacks *x = stack_pass_stacks(p);
	struct units u = {0};
	struct stack_profile exact;
	if (!stack_profile_of_stacks(x, &exact))
		return sahm_fail_nomem(err);
	enum sahm_status status = make_units(x, map, &u, err);
	bool ok = status == SAHM_OK && take_tops(x, &u, out);
	out->cycles = x->cycles;
	out->instructions = x->instructions;
	out->short_stall = pics_short_stall(x);
	pics_count_events(x, &out->with_events, &out->combined);
	for (unsigned e = 0; e < NR_STACK_EVENTS; e++)
		out->has_r[e] = stack_correlation(x, (enum stack_event)e, &out->r[e]);
	for (unsigned i = 0; i < s->nr_periods && ok; i++)
		ok = take_schemes(s, &exact, stack_pass_samples(p, i), &u, out->errors[i]);
	release_units(&u);
	stack_profile_release(&exact);
	return status == SAHM_OK && !ok ? sahm_fail_nomem(err) : status;
}

bool tea_order_holds(const struct tea_program *p, enum pics_by by)
{
	const struct tea_error *e = p->errors[0];
	double nci = e[SCHEME_NCI].error[by];
	return e[SCHEME_TEA].error[by] < nci && nci < e[SCHEME_IBS].error[by] && nci < e[SCHEME_SPE].error[by] &&
	       nci < e[SCHEME_RIS].error[by];
}

struct tea_mean tea_study_mean(const struct tea_program *programs, size_t nr, unsigned period, enum stack_scheme scheme,
			       enum pics_by by)
{
	struct tea_mean m = {0, 0, 0};
	for (size_t i = 0; i < nr; i++) {
		const struct tea_error *e = &programs[i].errors[period][scheme];
		m.error += 100 * e->error[by];
		m.chance += 100 * e->chance[by];
		m.most = 100 * e->error[by] > m.most ? 100 * e->error[by] : m.most;
	}
	m.error /= (double)nr;
	m.chance /= (double)nr;
	return m;
}

struct tea_paper tea_paper_error(enum stack_scheme scheme)
{
	static const struct tea_paper errors[NR_STACK_SCHEMES] = {[SCHEME_TEA] = {2.1, 7.7},
								  [SCHEME_NCI] = {11.3, 22.0},
								  [SCHEME_IBS] = {55.6, 79.7},
								  [SCHEME_SPE] = {55.5, 79.7},
								  [SCHEME_RIS] = {56.0, 79.7}};
	return errors[scheme];
}
