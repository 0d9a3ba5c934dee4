#include "results/metrics/metric_text.h"

#include <math.h>
#include <stdio.h>

#include "sim/base/units.h"

const char why_below_zero[] =
	"there are more threads than cores: a speedup compares a thread's share of a core with a whole one, and STP (stp) "
	"says what the chip as a whole does";

const char *why_no_metric(enum run_form form)
{
	switch (form) {
	case RUN_WAIT:
		return "waits are measured only in continuous time: if threads sleep, or the policy dispatches";
	case RUN_ENERGY:
		return "energy is known only where chip.costs names a table with the figures of all cores";
	default:
		return NULL;
	}
}

/* Units of times, and from which time on; none so large that less than two digits stand before the point. */
static const struct {
	double from_ns, ns;
	const char *name;
} units[] = {
	{10 * (double)NS_PER_S, (double)NS_PER_S, "s"}, {(double)NS_PER_MS, (double)NS_PER_MS, "ms"}, {0, 1e3, "us"}};

/* Time in the unit that is right for `like_ns`: 12.34 s, 54.50 ms. */
static void form_time(const char *format, double ns, double like_ns, char text[METRIC_TEXT_BYTES])
{
	size_t i = 0;
	while (fabs(like_ns) < units[i].from_ns)
		i++;
	/* Nothing is 0 ms. */
	if (like_ns == 0)
		i--;
	snprintf(text, METRIC_TEXT_BYTES, format, ns / units[i].ns + 0.0, units[i].name);
}

/* Adding 0.0 makes -0 a 0. */
const char *metric_text(enum run_form form, double value, double like, char text[METRIC_TEXT_BYTES])
{
	static const char *const formats[] = {[RUN_SPEEDUP] = "%+.2f %%",
					      [RUN_SHARE] = "%.2f %%",
					      [RUN_RATE] = "%.2f",
					      [RUN_NUMBER] = "%.3f",
					      [RUN_ENERGY] = "%.4g"};
	if (!isfinite(value))
		snprintf(text, METRIC_TEXT_BYTES, "-");
	else if (form == RUN_TIME || form == RUN_WAIT)
		form_time("%.2f %s", value, isfinite(like) ? like : value, text);
	else
		snprintf(text, METRIC_TEXT_BYTES, formats[form],
			 value * (form == RUN_SPEEDUP || form == RUN_SHARE ? 100 : 1) + 0.0);
	return text;
}

const char *metric_difference_text(enum run_form form, double value, double like, char text[METRIC_TEXT_BYTES])
{
	static const char *const formats[] = {[RUN_SPEEDUP] = "%+.2f",
					      [RUN_SHARE] = "%+.2f",
					      [RUN_RATE] = "%+.2f",
					      [RUN_NUMBER] = "%+.3f",
					      [RUN_ENERGY] = "%+.4g"};
	if (!isfinite(value))
		snprintf(text, METRIC_TEXT_BYTES, "-");
	else if (form == RUN_TIME || form == RUN_WAIT)
		form_time("%+.2f %s", value, isfinite(like) ? like : value, text);
	else
		snprintf(text, METRIC_TEXT_BYTES, formats[form],
			 value * (form == RUN_SPEEDUP || form == RUN_SHARE ? 100 : 1) + 0.0);
	return text;
}
