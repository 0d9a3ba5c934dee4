/* What the forms of a report of cycle stacks share. */
#ifndef SAHM_RESULTS_CORES_PICS_INTERNAL_H
#define SAHM_RESULTS_CORES_PICS_INTERNAL_H

#include "results/cores/pics_report.h"

/* Units of a view that a report shows. */
static inline size_t pics_nr_shown(const struct pics_report *r, const struct pics_view *v)
{
	return r->top > 0 && r->top < v->nr ? (size_t)r->top : v->nr;
}

static inline double pics_pct(uint64_t part, uint64_t whole)
{
	return whole > 0 ? 100 * (double)part / (double)whole : 0;
}

/* U times the cycles. */
static inline uint64_t pics_total(const struct stacks *s)
{
	return s->units * s->cycles;
}

/* A scheme's stacks beside the exact ones. */
struct pics_scheme {
	enum stack_scheme scheme;
	enum sampler_kind kind;
	unsigned events;
	uint64_t total;		 /* weight of all samples */
	struct pics_parts parts; /* of the view's units */
	struct pics_parts exact; /* exact ones with the scheme's events; none where they are the view's own */
	double error[NR_PICS_BY], chance[NR_PICS_BY];
};

struct pics_schemes {
	struct pics_scheme *of; /* [nr], in the order of the report */
	unsigned nr;
};

/* Release it in any case. False when memory was short. */
bool pics_schemes_init(struct pics_schemes *s, const struct pics_report *r, const struct pics_result *result,
		       const struct pics_view *v);
void pics_schemes_release(struct pics_schemes *s);

/* Appends "0x4011d6", and its place and text where they are known; of other units what they are. */
void pics_unit_name(const struct pics_view *v, const struct pics_unit *u, const char *program, struct textbuf *out);

/* The same in a line of text, with the text of an instruction. */
void pics_unit_line(const struct pics_view *v, const struct pics_unit *u, const char *program, struct textbuf *out);

/* The unit that the instruction at `pc` is of; v->nr: there is none. */
size_t pics_unit_at(const struct pics_view *v, uint64_t pc);

/* The units of views[0], those first that are the highest in any lane; they have the same instructions in each. For the
 * caller to free; NULL when memory is short. */
size_t *pics_lane_order(const struct pics_view *views, size_t nr_lanes);

/* Width of reports. */
#define PICS_LINE_CHARS 100u

/* Ends a line, of which `indent` characters are there, by a name, which it releases, and the text of an instruction
 * (NULL: none), on a line below where they are too long for one. */
void pics_end_line(struct textbuf *out, size_t indent, struct textbuf *name, const char *text);

/* Text of a report with lanes, of results[nr_lanes]. */
bool pics_lanes_text(const struct pics_report *r, const struct pics_result *results, bool bold, struct textbuf *out);

/* "#####", as long as `value` is of `most`, which `room` characters are for. */
void pics_bar(struct textbuf *out, double value, double most, unsigned room);

#endif
