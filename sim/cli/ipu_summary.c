#include "sim/cli/ipu_summary.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "ipu/soft/module.h"
#include "ipu/studies/study_cost.h"
#include "results/metrics/json.h"

/* Width of the texts. */
#define TEXT_WIDTH "36"

uint64_t ns_of_cycles(uint64_t cycles, uint32_t mhz)
{
	return cycles / mhz * 1000 + cycles % mhz * 1000 / mhz;
}

static void name_pc(struct ipu_summary *s, const struct elf_image *image)
{
	const struct elf_symbol *near = image ? elf_image_symbol_at(image, s->fault.pc) : NULL;
	s->symbol[0] = '\0';
	if (near && near->address == s->fault.pc)
		snprintf(s->symbol, sizeof(s->symbol), "%.100s", near->name);
	else if (near)
		snprintf(s->symbol, sizeof(s->symbol), "%.100s+0x%" PRIx32, near->name, s->fault.pc - near->address);
}

void ipu_summary_take(struct ipu_summary *s, const struct ipu_unit *u, uint32_t ipu_mhz, const struct elf_image *image)
{
	uint64_t now = ipu_unit_ipu_cycle(u), free_at = ipu_unit_free_at(u);
	*s = (struct ipu_summary){.status = ipu_unit_status(u),
				  .hit_cycles = ipu_unit_hit_cycle(u),
				  .ipu_cycles = now > free_at ? now : free_at,
				  .counts = ipu_unit_counts(u),
				  .buffered = ipu_unit_buffered(u)};
	s->has_soft = ipu_unit_soft_counts(u, &s->soft);
	s->time_ns = ns_of_cycles(s->ipu_cycles, ipu_mhz);
	if (s->status == IPU_ERROR) {
		s->fault = ipu_unit_fault(u);
		name_pc(s, image);
	}
}

/* What is reported of a run, in this order: key in JSON, text for people, and its value from a struct ipu_summary *s.
 * RATIO (key, text, unit, decimals, numerator, denominator) is left out, or null, where the denominator is 0. */
#define SUMMARY_ROWS                                                                                                   \
	COUNT("hit_cycles", "cycles of the HIT", s->hit_cycles)                                                        \
	COUNT("ipu_cycles", "cycles of the IPU", s->ipu_cycles)                                                        \
	COUNT("time_ns", "simulated time, ns", s->time_ns)                                                             \
	COUNT("arrived", "input sets", s->counts.arrived)                                                              \
	COUNT("ignored", "  ignored: not active", s->counts.ignored)                                                   \
	COUNT("skipped", "  skipped: by --mode", s->counts.skipped)                                                    \
	COUNT("dropped", "  dropped: it was busy", s->counts.dropped)                                                  \
	COUNT("taken", "  taken", s->counts.taken)                                                                     \
	COUNT("buffered", "  left in the buffer", s->buffered)                                                         \
	RATIO("drop_rate_pct", "drop rate, of dropped + taken", " %", 3, 100.0 * (double)s->counts.dropped,            \
	      (double)(s->counts.dropped + s->counts.taken))                                                           \
	COUNT("calls_main", "calls of _main", s->counts.calls_main)                                                    \
	COUNT("calls_handler", "calls of the timer's handler", s->counts.calls_handler)                                \
	COUNT("missed_periods", "periods that the timer missed", s->counts.missed_periods)                             \
	COUNT("instructions", "instructions", s->counts.instructions)                                                  \
	COUNT("busy_cycles", "busy cycles", s->counts.busy_cycles)                                                     \
	RATIO("utilisation_pct", "utilisation", " %", 3, 100.0 * (double)s->counts.busy_cycles, (double)s->ipu_cycles) \
	RATIO("cycles_per_call", "busy cycles per call", "", 3, (double)s->counts.busy_cycles,                         \
	      (double)(s->counts.calls_main + s->counts.calls_handler))                                                \
	RATIO("cycles_per_set", "busy cycles per set taken", "", 3, (double)s->counts.busy_cycles,                     \
	      (double)s->counts.taken)                                                                                 \
	COUNT("packets", "packets", s->counts.packets)                                                                 \
	COUNT("bytes", "bytes", s->counts.bytes)                                                                       \
	RATIO("bytes_per_s", "bytes per second of simulated time", "", 0, (double)s->counts.bytes * 1e9,               \
	      (double)s->time_ns)                                                                                      \
	COUNT("lost_packets", "packets lost", s->counts.lost_packets)                                                  \
	COUNT("lost_bytes", "bytes lost", s->counts.lost_bytes)

/* The same of soft logic. */
#define SOFT_ROWS                                                                                                      \
	COUNT("cycles", "soft cycles", s->soft.cycles)                                                                 \
	COUNT("arrived", "input sets for the soft logic", s->soft.arrived)                                             \
	COUNT("ignored", "  ignored: it did not run", s->soft.ignored)                                                 \
	COUNT("skipped", "  skipped: by --mode", s->soft.skipped)                                                      \
	COUNT("dropped", "  dropped: in one cycle with another", s->soft.dropped)                                      \
	COUNT("taken", "  taken", s->soft.taken)                                                                       \
	COUNT("packets", "packets of the soft logic", s->soft.packets)                                                 \
	COUNT("bytes", "bytes", s->soft.bytes)                                                                         \
	COUNT("lost_packets", "packets lost", s->soft.lost_packets)                                                    \
	COUNT("lost_bytes", "bytes lost", s->soft.lost_bytes)

static void text_ratio(struct textbuf *out, const char *text, const char *unit, int decimals, double a, double b)
{
	if (b > 0)
		textbuf_printf(out, "%-" TEXT_WIDTH "s %.*f%s\n", text, decimals, a / b, unit);
}

void ipu_summary_text(const struct ipu_summary *s, struct textbuf *out)
{
	textbuf_printf(out, "%-" TEXT_WIDTH "s %s\n", "status", ipu_status_text(s->status));
	if (s->status == IPU_ERROR) {
		textbuf_printf(out, "%-" TEXT_WIDTH "s %s\n", "  cause", hart_cause_text(s->fault.cause));
		textbuf_printf(out, "%-" TEXT_WIDTH "s %s\n", "  routine", s->fault.routine);
		textbuf_printf(out, "%-" TEXT_WIDTH "s 0x%08" PRIx32 "%s%s%s\n", "  pc", s->fault.pc,
			       s->symbol[0] ? " <" : "", s->symbol, s->symbol[0] ? ">" : "");
		if (hart_cause_has_address(s->fault.cause))
			textbuf_printf(out, "%-" TEXT_WIDTH "s 0x%08" PRIx32 "\n", "  address", s->fault.address);
	}
#define COUNT(key, text, value) textbuf_printf(out, "%-" TEXT_WIDTH "s %" PRIu64 "\n", text, (uint64_t)(value));
#define RATIO(key, text, unit, decimals, a, b) text_ratio(out, text, unit, decimals, a, b);
	SUMMARY_ROWS
	if (s->has_soft) {
		SOFT_ROWS
		textbuf_printf(out, "%-" TEXT_WIDTH "s %.2f mm2, %.1f mW (dissertation, section 2.5)\n",
			       "an IPU_pro, quoted", cost_part(COST_PRO_AREA - 1).value,
			       cost_part(COST_PRO_POWER - 1).value);
	}
#undef COUNT
#undef RATIO
}

void ipu_summary_json(const struct ipu_summary *s, struct textbuf *out)
{
	struct jwriter j;
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	jwrite_string(&j, "status", ipu_status_text(s->status));
	if (s->status == IPU_ERROR) {
		jwrite_begin_object(&j, "fault");
		jwrite_string(&j, "cause", hart_cause_text(s->fault.cause));
		jwrite_string(&j, "routine", s->fault.routine);
		jwrite_u64(&j, "pc", s->fault.pc);
		jwrite_string(&j, "symbol", s->symbol);
		if (hart_cause_has_address(s->fault.cause))
			jwrite_u64(&j, "address", s->fault.address);
		jwrite_end_object(&j);
	}
#define COUNT(key, text, value) jwrite_u64(&j, key, value);
#define RATIO(key, text, unit, decimals, a, b) jwrite_double(&j, key, (b) > 0 ? (a) / (b) : NAN);
	SUMMARY_ROWS
	if (s->has_soft) {
		jwrite_begin_object(&j, "soft");
		SOFT_ROWS
		jwrite_double(&j, "quoted_area_mm2", cost_part(COST_PRO_AREA - 1).value);
		jwrite_double(&j, "quoted_power_mw", cost_part(COST_PRO_POWER - 1).value);
		jwrite_end_object(&j);
	}
#undef COUNT
#undef RATIO
	jwrite_end_object(&j);
	jwrite_finish(&j);
}

enum sahm_status ipu_summary_check(const struct ipu_summary *s, struct sahm_err *err)
{
	char address[32] = "";
	if (s->status != IPU_ERROR)
		return SAHM_OK;
	if (hart_cause_has_address(s->fault.cause))
		snprintf(address, sizeof(address), ", address 0x%08" PRIx32, s->fault.address);
	bool is_soft = hart_cause_has_address(s->fault.cause) && s->fault.address >= IPU_SOFT_BASE &&
		       s->fault.address < IPU_SOFT_MODULE + SOFT_REGION_BYTES;
	return sahm_fail(err, SAHM_GUEST, "the IPU is in ERROR: %s in %s at pc 0x%08" PRIx32 "%s%s%s%s%s",
			 hart_cause_text(s->fault.cause), s->fault.routine, s->fault.pc, s->symbol[0] ? " <" : "",
			 s->symbol, s->symbol[0] ? ">" : "", address,
			 !is_soft      ? ""
			 : s->has_soft ? " (the soft logic has no such register, or not for this)"
				       : " (a register of soft logic, which --soft gives a unit)");
}
