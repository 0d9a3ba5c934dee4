#include "results/studies/core_study.h"

#include "cores/isa/insn.h"
#include "cores/uarch/ideal.h"
#include "results/studies/core_study_internal.h"

__extension__ typedef unsigned __int128 wide;

const char *const core_study_names[] = {
	[STUDY_BOTTLENECKS] = "bottlenecks",
	[STUDY_FRONTEND] = "frontend",
	[NR_CORE_STUDIES] = NULL,
};

unsigned core_study_nr_sets(enum core_study_kind kind)
{
	return kind == STUDY_FRONTEND ? NR_STUDY_SETS : 1;
}

unsigned study_set_ideals(enum study_set set)
{
	return (set & SET_FETCH ? 1u << IDEAL_FETCH : 0) | (set & SET_BRANCH ? 1u << IDEAL_BRANCH : 0);
}

const char *study_set_name(enum study_set set)
{
	static const char *const names[NR_STUDY_SETS] = {"", "fetch", "branch", "both"};
	return names[set];
}

/* ---- Groups of causes ---- */

const char *path_group_name(enum path_group group)
{
	static const char *const names[NR_PATH_GROUPS] = {
#define PATH_GROUP(suffix, name, help) [GROUP_##suffix] = name,
#include "results/studies/core_study_group_list.h"
#undef PATH_GROUP
	};
	return names[group];
}

/* One more than the group of a cause; 0: none, which test_core_study.c looks for. */
#define IN(group) (GROUP_##group + 1)

static const uint8_t groups_of_causes[PATH_QUEUE] = {
	[PATH_FETCH_WIDTH] = IN(FETCH),
	[PATH_TAKEN_BRANCH] = IN(FETCH),
	[PATH_BTB] = IN(FETCH),
	[PATH_FETCH_L1] = IN(FETCH),
	[PATH_FETCH_L2] = IN(FETCH),
	[PATH_FETCH_LLC] = IN(FETCH),
	[PATH_FETCH_MEMORY] = IN(FETCH),
	[PATH_FETCH_LINE] = IN(FETCH),
	[PATH_ITLB] = IN(FETCH),
	[PATH_FETCH_BUFFER] = IN(FETCH),
	[PATH_MISPREDICT] = IN(MISPREDICT),
	[PATH_VIOLATION] = IN(OTHER),
	[PATH_SYSTEM] = IN(OTHER),
	[PATH_DECODE] = IN(DECODE),
	[PATH_DISPATCH] = IN(DISPATCH),
	[PATH_DISPATCH_WIDTH] = IN(DISPATCH),
	[PATH_SERIALIZE] = IN(OTHER),
	[PATH_ROB] = IN(WINDOW),
	[PATH_INT_REGISTERS] = IN(WINDOW),
	[PATH_FP_REGISTERS] = IN(WINDOW),
	[PATH_LOAD_QUEUE] = IN(WINDOW),
	[PATH_STORE_QUEUE] = IN(WINDOW),
	[PATH_DTLB] = IN(ACCESS),
	[PATH_DATA_L1] = IN(L1D),
	[PATH_DATA_L2] = IN(L2),
	[PATH_DATA_LLC] = IN(LLC),
	[PATH_DATA_MEMORY] = IN(MEMORY),
	[PATH_DATA_LINE] = IN(LINE),
	[PATH_FORWARD] = IN(ACCESS),
	[PATH_MSHR] = IN(ACCESS),
	[PATH_BUS] = IN(ACCESS),
	[PATH_COMMIT_WIDTH] = IN(COMMIT),
	[PATH_COMMIT] = IN(COMMIT),
	[PATH_DRAIN] = IN(COMMIT),
	[PATH_CUT] = IN(OTHER),
};

static enum path_group group_of_class(enum insn_class class)
{
	switch (class) {
	case INSN_FP_ADD:
	case INSN_FP_MULTIPLY:
	case INSN_FP_MULTIPLY_ADD:
	case INSN_FP_DIVIDE:
	case INSN_FP_CONVERT:
	case INSN_FP_OTHER:
	case INSN_VECTOR:
		return GROUP_FP;
	case INSN_LOAD:
	case INSN_STORE:
	case INSN_ATOMIC:
		return GROUP_ACCESS;
	case INSN_FENCE:
	case INSN_SYSTEM:
		return GROUP_OTHER;
	default:
		return GROUP_INTEGER;
	}
}

enum path_group path_group_of(unsigned cause)
{
	if (cause < PATH_QUEUE)
		return (enum path_group)(groups_of_causes[cause] - 1);
	if (cause < PATH_ISSUE)
		return GROUP_WINDOW;
	if (cause < PATH_LATENCY)
		return GROUP_ISSUE;
	return group_of_class((enum insn_class)(cause - PATH_LATENCY));
}

void study_groups(const struct path_counts *path, uint64_t *groups)
{
	for (unsigned i = 0; i < NR_PATH_GROUPS; i++)
		groups[i] = 0;
	for (unsigned i = 0; i < NR_PATH_CAUSES; i++)
		groups[path_group_of(i)] += path->cycles[i];
}

/* ---- Gains ---- */

uint64_t study_promised(const struct path_counts *path, enum study_set set)
{
	/* What idealize_fetch() sets to 0. */
	static const uint8_t of_fetch[] = {PATH_BTB,	      PATH_FETCH_L1,   PATH_FETCH_L2, PATH_FETCH_LLC,
					   PATH_FETCH_MEMORY, PATH_FETCH_LINE, PATH_ITLB};
	uint64_t cycles = set & SET_BRANCH ? path->cycles[PATH_MISPREDICT] : 0;
	for (unsigned i = 0; i < sizeof(of_fetch) && set & SET_FETCH; i++)
		cycles += path->cycles[of_fetch[i]];
	return cycles;
}

int64_t study_gain(const struct study_counts *c, enum study_set set)
{
	return (int64_t)(c->cycles[SET_NONE] - c->cycles[set]);
}

int64_t study_interaction(const struct study_counts *c)
{
	return study_gain(c, SET_BOTH) - study_gain(c, SET_FETCH) - study_gain(c, SET_BRANCH);
}

/* ---- Orderings ---- */

static enum study_verdict verdict(bool holds)
{
	return holds ? ORDERING_HOLDS : ORDERING_FAILS;
}

/* Whether the share of these cycles is larger out of order than in order. */
static enum study_verdict look_at_shares(const struct core_study_result *r, uint64_t in_order, uint64_t out_of_order)
{
	return verdict((wide)out_of_order * r->sides[SIDE_IN_ORDER].cycles[SET_NONE] >
		       (wide)in_order * r->sides[SIDE_OUT_OF_ORDER].cycles[SET_NONE]);
}

static enum study_verdict look_at_fetch(const struct core_study_result *r)
{
	uint64_t i[NR_PATH_GROUPS], o[NR_PATH_GROUPS];
	study_groups(&r->sides[SIDE_IN_ORDER].path, i);
	study_groups(&r->sides[SIDE_OUT_OF_ORDER].path, o);
	return look_at_shares(r, i[GROUP_FETCH], o[GROUP_FETCH]);
}

static enum study_verdict look_at_front_end(const struct core_study_result *r)
{
	return look_at_shares(r, path_front_end(&r->sides[SIDE_IN_ORDER].path),
			      path_front_end(&r->sides[SIDE_OUT_OF_ORDER].path));
}

static enum study_verdict look_at_in_order_gains(const struct core_study_result *r)
{
	const struct study_counts *c = &r->sides[SIDE_IN_ORDER];
	return verdict(study_gain(c, SET_BRANCH) >= study_gain(c, SET_FETCH));
}

static enum study_verdict look_at_complement(const struct core_study_result *r)
{
	const struct study_counts *c = &r->sides[SIDE_OUT_OF_ORDER];
	int64_t fetch = study_gain(c, SET_FETCH), branch = study_gain(c, SET_BRANCH);
	int64_t less = fetch < branch ? fetch : branch, more = fetch < branch ? branch : fetch;
	if (less <= 0)
		return ORDERING_IS_SILENT;
	return verdict(2 * (study_gain(c, SET_BOTH) - more) >= less);
}

const struct study_ordering study_orderings[NR_STUDY_ORDERINGS] = {
	{STUDY_BOTTLENECKS, "fetch_share", "Fetch has a larger share of the cycles out of order than in order:", NULL,
	 look_at_fetch},
	{STUDY_BOTTLENECKS, "front_end_share",
	 "The front end has a larger share of the cycles out of order than in order:", NULL, look_at_front_end},
	{STUDY_FRONTEND, "branch_in_order", "In order, ideal branches save as much as ideal fetch, or more:", NULL,
	 look_at_in_order_gains},
	{STUDY_FRONTEND, "complement_out_of_order",
	 "Out of order, the one that saves less still saves at least half of that if the other one is ideal as well:",
	 "one of them saves nothing", look_at_complement},
};

/* ---- Rows ---- */

void core_study_add(struct core_study_result *sum, const struct core_study_result *more)
{
	sum->instructions += more->instructions;
	for (unsigned side = 0; side < NR_STUDY_SIDES; side++) {
		struct study_counts *to = &sum->sides[side];
		const struct study_counts *from = &more->sides[side];
		for (unsigned set = 0; set < NR_STUDY_SETS; set++)
			to->cycles[set] += from->cycles[set];
		for (unsigned i = 0; i < NR_PATH_CAUSES; i++)
			to->path.cycles[i] += from->path.cycles[i];
		to->path.windows += from->path.windows;
		to->path.cuts += from->path.cuts;
	}
}

void study_rows_init(struct study_rows *rows, const struct core_study *s, const struct core_study_result *results,
		     size_t nr)
{
	*rows = (struct study_rows){.study = s, .results = results, .nr_streams = nr, .nr = nr + (nr > 1)};
	rows->sum.stream = "all streams";
	rows->nr_folders = SIZE_MAX;
	for (size_t i = 0; i < nr; i++) {
		core_study_add(&rows->sum, &results[i]);
		rows->nr_folders = core_report_shared_folders(results[0].stream, results[i].stream, rows->nr_folders);
	}
}

const char *study_row_name(const struct study_rows *rows, size_t i)
{
	return study_row(rows, i)->stream + (i < rows->nr_streams ? rows->nr_folders : 0);
}

const struct core_study_result *study_row(const struct study_rows *rows, size_t i)
{
	return i < rows->nr_streams ? &rows->results[i] : &rows->sum;
}

double study_pct(int64_t part, uint64_t whole)
{
	return whole > 0 ? 100 * (double)part / (double)whole : 0;
}
