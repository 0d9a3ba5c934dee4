/* Cycle stacks (cores/uarch/cycle_stacks.h) by unit: instruction, basic block, function or program.
 *
 * A function is a place of a file, whichever name it has; instructions in no known function form a unit for each 4 KiB
 * page. A part is what a unit has of one signature: its height, in units of 1/U of a cycle.
 */
#ifndef SAHM_RESULTS_CORES_PICS_VIEW_H
#define SAHM_RESULTS_CORES_PICS_VIEW_H

#include "cores/uarch/stack_error.h"
#include "workloads/stream/code_names.h"

/* Fewer samples say little: reports warn. */
#define MIN_PICS_SAMPLES 1000u

enum pics_by { PICS_INSTRUCTION, PICS_BLOCK, PICS_FUNCTION, PICS_PROGRAM, NR_PICS_BY };

/* "instruction", NULL at the end. */
extern const char *const pics_by_words[NR_PICS_BY + 1];

/* units[s->nr_insns] become the number of each instruction's unit, from 0, ascending by the unit's first instruction;
 * *nr how many there are. names[s->nr_insns] are looked at for functions only. False when memory is short. */
bool pics_units(const struct stacks *s, const struct code_name *names, enum pics_by by, uint32_t *units, size_t *nr);

/* The names of all instructions: out[s->nr_insns], whose texts are those of `n`. As code_names_of() fails. */
enum sahm_status pics_names(struct code_names *n, const struct stacks *s, struct code_name *out, struct sahm_err *err);

/* The units of all instructions at each granularity. All zeros: none. */
struct pics_grains {
	uint32_t *units[NR_PICS_BY]; /* [nr_insns] */
};

/* `names` as of pics_units(). Release it in any case. False when memory is short. */
bool pics_grains_init(struct pics_grains *g, const struct stacks *s, const struct code_name *names);
void pics_grains_release(struct pics_grains *g);

/* stack_error() at each granularity: errors[NR_PICS_BY]. False when memory is short. */
bool pics_errors(const struct stack_profile *exact, const struct stack_profile *sampled, const struct pics_grains *g,
		 unsigned events, double *errors);

struct pics_part {
	uint32_t unit;
	uint16_t signature;
	uint64_t cycles;     /* in units of 1/U, or weights of samples */
	uint64_t executions; /* of exact stacks */
};

/* Parts of nr_units units, the highest of each first, then by signature. All zeros: none. */
struct pics_parts {
	struct pics_part *parts;
	size_t *first; /* [nr_units + 1]: those of unit u are from first[u] to first[u + 1] */
	size_t nr_units;
};

/* The parts of a profile with only these events. units[] as pics_units() has them, below nr_units. Release it in any
 * case. False when memory is short. */
bool pics_parts_of_profile(const struct stack_profile *p, const uint32_t *units, size_t nr_units, unsigned events,
			   struct pics_parts *out);
void pics_parts_release(struct pics_parts *p);

struct pics_unit {
	uint32_t insn; /* its first instruction, of stacks->insns[] */
	uint32_t nr_insns;
	uint64_t cycles, executions;
};

struct pics_view {
	const struct stacks *stacks;
	const struct code_name *names; /* [stacks->nr_insns] */
	enum pics_by by;
	struct pics_unit *units; /* [nr], the highest first, then by first instruction */
	size_t nr;
	uint32_t *unit_of; /* [stacks->nr_insns], of units[] */
	struct pics_parts parts;
};

/* `s` and `names` are the caller's, and needed as long as the view. Release it in any case. False when memory is short.
 */
bool pics_view_init(struct pics_view *v, const struct stacks *s, const struct code_name *names, enum pics_by by);
void pics_view_release(struct pics_view *v);

/* The parts of the units from `from` to the last, summed by signature, the highest first: sums[NR_SIGNATURES], of which
 * the result have executions. */
size_t pics_view_rest(const struct pics_view *v, size_t from, struct pics_part *sums);

/* Sorts parts[nr] of one unit, the highest first. */
void pics_sort_parts(struct pics_part *parts, size_t nr);

/* The length in cycles that 99 % of stalls of uops without events are below; MAX_BASE_STALL + 1: it is not known,
 * only that it is larger than MAX_BASE_STALL; 0: there are none. */
unsigned pics_short_stall(const struct stacks *s);

/* Dynamic instructions with events, and those of them with several. */
void pics_count_events(const struct stacks *s, uint64_t *with, uint64_t *combined);

/* Appends cycles, of 1/units, with two decimals, rounded half up; the second with its sign. */
void pics_cycles(struct textbuf *out, uint64_t cycles, unsigned units);
void pics_difference(struct textbuf *out, int64_t cycles, unsigned units);

/* Appends "sort+0x1c", without the offset "sort"; where the function is not known "libc.so.6+0x9a3", or
 * nothing. */
void pics_place(const struct code_name *name, bool has_offset, struct textbuf *out);

#endif
