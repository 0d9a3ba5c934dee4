/* At which frequency level a core does work for the minimum of energy, by state: a closed form, for cores that always
 * execute.
 *
 * At a level, a second of baseline time in a state takes 1 / speed seconds there, and in them the core's static and
 * dynamic power, besides the energy of the events in it (run_energy.h). A state's share of the work is that of epochs
 * in it, the mean over threads. *Per state* a core would change its level with the state, at no cost: a bound for what
 * a governor or policy that follows states can gain over the best single level.
 */
#ifndef SAHM_RESULTS_STUDIES_LEVEL_STUDY_H
#define SAHM_RESULTS_STUDIES_LEVEL_STUDY_H

#include "sim/engine/config/run_config.h"

/* Energy and time of a second of baseline time. */
struct level_cost {
	double j, s;
};

/* One group of cores with several levels. */
struct level_group {
	const struct core_group *group;
	struct level_cost (*cost)[NR_STATES]; /* [levels]; of states with a share */
	uint32_t least_j[NR_STATES];	      /* levels with the minimum of energy,*/
	uint32_t least_edp[NR_STATES];	      /* and of energy times time */
	struct level_cost *whole;	      /* [levels]: at one level for all states */
	uint32_t whole_least_j, whole_least_edp;
	struct level_cost by_state_j, by_state_edp; /* at those of each state */
};

struct level_study {
	double shares[NR_STATES]; /* of work */
	struct level_group *groups;
	uint32_t nr_groups;
};

/* Memory is from `a`, and refers to `config`. SAHM_CONFIG where no core has levels, or where their energy is not known;
 * SAHM_NOMEM, and as trace_states() fails. */
enum sahm_status level_study(const struct run_config *config, struct arena *a, struct level_study *study,
			     struct sahm_err *err);

/* Each appends the study in one form; false when memory was short. */
bool level_study_text(const struct level_study *study, const char *title, bool bold, struct textbuf *out);
bool level_study_csv(const struct level_study *study, struct textbuf *out);
bool level_study_json(const struct level_study *study, struct textbuf *out);

static inline double level_edp(struct level_cost c)
{
	return c.j * c.s;
}

#endif
