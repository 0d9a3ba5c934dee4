/* Generators: chips in the place of chip.cores. */

#include "cores/chip/study_space.h"
#include "sim/base/number.h"
#include "sim/base/units.h"
#include "sim/engine/config/run_config.h"
#include "sim/sweep/space_internal.h"

/* Most speedups that a component's cores can have: so many make 83,521 chips. */
#define MAX_STEPS 16u

struct study {
	uint32_t baseline, each;
	bool fill;
	uint32_t nr_steps;
	double speedup_pct[MAX_STEPS];
};

static enum sahm_status read_speedups(struct space_reading *r, const struct cfg_node *axis, struct study *s)
{
	const struct cfg_node *node = space_member(axis, SPACE_SPEEDUPS);
	bool is_several = node && (node->kind & (CFG_LIST | CFG_ARRAY));
	if (!node) {
		/* Those of the study, as its space knows them: the chips with a core for the first component alone. */
		for (s->nr_steps = 0; s->nr_steps < SPACE_STEPS; s->nr_steps++)
			s->speedup_pct[s->nr_steps] = pct_of_ppm(space_config_at(s->nr_steps + 1).speedup_ppm[0]);
		return SAHM_OK;
	}
	for (const struct cfg_node *n = is_several ? node->first : node; n; n = is_several ? n->next : NULL) {
		double pct;
		if (s->nr_steps == MAX_STEPS)
			return cfg_fail(n, r->err, "more than %u speedups", MAX_STEPS);
		enum sahm_status status = cfg_node_number(n, &space_keys[SPACE_SPEEDUPS], &pct, r->err);
		if (status != SAHM_OK)
			return status;
		s->speedup_pct[s->nr_steps++] = pct;
	}
	return s->nr_steps ? SAHM_OK : cfg_fail(node, r->err, "'speedups_pct' is empty");
}

/* The chip of configuration `index`, a number in base nr_steps + 1 as in cores/chip/study_space.h. */
static void write_chip(const struct study *s, uint64_t index, struct textbuf *label, struct textbuf *setting)
{
	uint64_t rest = index;
	uint32_t baseline = s->baseline;
	for (unsigned c = 0; c < NR_COMPONENTS; c++, rest /= s->nr_steps + 1)
		baseline += s->fill && rest % (s->nr_steps + 1) == 0 ? s->each : 0;
	textbuf_puts(label, index ? "" : "baseline");
	textbuf_puts(setting, "chip.cores=(");
	if (baseline > 0)
		textbuf_printf(setting, "{type=\"baseline\";count=%u;}", baseline);
	rest = index;
	for (unsigned c = 0, nr = 0; c < NR_COMPONENTS; c++, rest /= s->nr_steps + 1) {
		const uint64_t digit = rest % (s->nr_steps + 1);
		if (digit == 0)
			continue;
		textbuf_printf(label, "%s%s:", nr ? "+" : "", component_key((enum component)c));
		number_write_double(label, s->speedup_pct[digit - 1], 0);
		textbuf_printf(setting, "%s{type=\"%s\";speedup_pct=", nr || baseline ? "," : "",
			       component_key((enum component)c));
		number_write_double(setting, s->speedup_pct[digit - 1], 0);
		textbuf_printf(setting, ";count=%u;}", s->each);
		nr++;
	}
	textbuf_putc(setting, ')');
}

static const char *write_study(struct space_reading *r, const struct study *s)
{
	struct textbuf b;
	textbuf_init(&b);
	textbuf_printf(&b, "generator = \"study\"; baseline = %u; each = %u; fill = %s; speedups_pct = (", s->baseline,
		       s->each, s->fill ? "true" : "false");
	for (uint32_t i = 0; i < s->nr_steps; i++) {
		textbuf_puts(&b, i ? ", " : "");
		number_write_double(&b, s->speedup_pct[i], 1);
	}
	textbuf_puts(&b, ");");
	return space_keep(&r->space->arena, &b);
}

enum sahm_status space_generate_study(struct space_reading *r, const struct cfg_node *node, struct space_axis *axis)
{
	struct study s = {.fill = cfg_bool(node, &space_keys[SPACE_FILL])};
	uint64_t nr = 1;
	enum sahm_status status = space_count(r, node, SPACE_BASELINE, 0, &s.baseline);
	if (status == SAHM_OK)
		status = space_count(r, node, SPACE_EACH, 0, &s.each);
	if (status == SAHM_OK)
		status = read_speedups(r, node, &s);
	if (status != SAHM_OK)
		return status;
	if (s.baseline == 0 && !s.fill)
		return cfg_fail(node, r->err, "without a baseline core, the chip without other cores has none at all");
	if (s.baseline + (uint64_t)NR_COMPONENTS * s.each > MAX_CORES)
		return cfg_fail(node, r->err, "chips would have up to %u cores, must be at most %u",
				s.baseline + NR_COMPONENTS * s.each, MAX_CORES);
	for (unsigned c = 0; c < NR_COMPONENTS; c++)
		nr *= s.nr_steps + 1;
	status = space_make_values(r, node, nr, axis);
	axis->text = write_study(r, &s);
	if (status == SAHM_OK && !axis->text)
		status = sahm_fail_nomem(r->err);
	for (uint64_t v = 0; v < nr && status == SAHM_OK; v++) {
		struct textbuf label, setting;
		textbuf_init(&label);
		textbuf_init(&setting);
		write_chip(&s, v, &label, &setting);
		status = space_put_value(r, &axis->values[v], &label, &setting);
	}
	return status;
}
