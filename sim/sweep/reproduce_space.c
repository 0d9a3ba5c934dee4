/* Figure A.3: the whole space of configurations. */
#include <math.h>
#include <string.h>

#include "cores/chip/study_space.h"
#include "sim/base/units.h"
#include "sim/sweep/reproduce_internal.h"

/* Where the chip of a point stands in the space: index of the configuration, or NR_SPACE_CONFIGS. */
static unsigned space_index(const struct record *record)
{
	static const char *const names[NR_COMPONENTS] = {
		[COMPONENT_BRANCH] = "branch", [COMPONENT_L1I] = "l1i", [COMPONENT_L1D] = "l1d", [COMPONENT_L2] = "l2"};
	static const char *const steps[SPACE_STEPS] = {"10", "20", "30"};
	unsigned index = 0;
	for (uint32_t g = 0; g < record->nr_groups; g++) {
		const struct record_core *core = &record->chip[g];
		unsigned digit = 0, place = 1;
		if (core->count != 1)
			return NR_SPACE_CONFIGS;
		if (!*core->speedups && g == 0)
			continue;
		for (unsigned c = 0; c < NR_COMPONENTS; c++, place *= SPACE_STEPS + 1)
			for (unsigned k = 0; k < SPACE_STEPS; k++)
				if (strcmp(core->type, names[c]) == 0 && strcmp(core->speedups, steps[k]) == 0)
					digit = (k + 1) * place;
		if (digit == 0)
			return NR_SPACE_CONFIGS;
		index += digit;
	}
	return index < NR_SPACE_CONFIGS ? index : NR_SPACE_CONFIGS;
}

/* The other cores of a configuration: "L1I 10, L2 30". */
static const char *others(struct arena *a, unsigned index)
{
	const struct space_config config = space_config_at(index);
	struct textbuf b;
	textbuf_init(&b);
	for (unsigned c = 0; c < NR_COMPONENTS; c++)
		if (c != COMPONENT_BRANCH && config.components >> c & 1u)
			textbuf_printf(&b, "%s%s %d %%", b.len ? " + " : "", state_name(1u << c),
				       (int)(config.speedup_ppm[c] / PPM_PER_PCT));
	if (b.len == 0)
		textbuf_puts(&b, "no other");
	const char *text = textbuf_failed(&b) ? NULL : arena_strdup(a, b.text);
	textbuf_release(&b);
	return text;
}

#define NR_PANELS (SPACE_STEPS + 1)
#define NR_OTHERS (NR_SPACE_CONFIGS / NR_PANELS)

enum sahm_status reproduce_space(struct reproducing *p, struct figure *f, struct sahm_err *err)
{
	static const char *const panels[NR_PANELS] = {"no branch core", "branch core 10 %", "branch core 20 %",
						      "branch core 30 %"};
	const struct paper_result *s = &p->results[PAPER_BREADTH];
	const struct box *of_points = reproduce_boxes_of_points(p, s);
	struct box *boxes = arena_alloc(&p->r->arena, NR_SPACE_CONFIGS, sizeof(*boxes));
	const char *labels[NR_OTHERS];
	struct textbuf words;
	if (!of_points || !boxes)
		return sahm_fail_nomem(err);
	for (unsigned i = 0; i < NR_OTHERS; i++) {
		labels[i] = others(&p->r->arena, i * NR_PANELS);
		if (!labels[i])
			return sahm_fail_nomem(err);
	}
	for (unsigned i = 0; i < NR_SPACE_CONFIGS; i++)
		boxes[i] = (struct box){NAN, NAN, NAN, NAN, NAN, NAN};
	for (uint64_t i = 0; i < s->nr_points; i++) {
		unsigned index = space_index(&s->records[i]);
		if (index == NR_SPACE_CONFIGS)
			return sahm_fail(err, SAHM_CONFIG, "%s: figure A.3 shows chips of the study's space alone",
					 s->sweep.name);
		/* The branch digit is the lowest. */
		if (index > 0)
			boxes[index % NR_PANELS * NR_OTHERS + index / NR_PANELS] = of_points[i];
	}
	textbuf_init(&words);
	textbuf_printf(&words, "%u program%s", s->nr_threads, s->nr_threads == 1 ? "" : "s");
	const struct chart c = reproduce_chart(p, "The whole configuration space", "other_cores", "chips");
	const struct chart_panels chart = {.panels = panels,
					   .nr_panels = NR_PANELS,
					   .labels = labels,
					   .boxes = boxes,
					   .nr = NR_OTHERS,
					   .box_words = words.text};
	chart_panels(&c, &chart, f);
	textbuf_release_part(&words, &f->script);
	return reproduce_checked(f, err);
}
