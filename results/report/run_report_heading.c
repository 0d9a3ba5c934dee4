/* What stands above a run's result for people: what was run. */
#include "results/report/run_report_internal.h"
#include "sim/base/number.h"
#include "sim/base/units.h"

static void write_ms(uint64_t ns, struct textbuf *out)
{
	number_write_double(out, ms_of_ns(ns), 0);
}

/* Least and greatest cost of a move between two cores. */
static void matrix_range(const struct distances *d, uint32_t nr_cores, uint64_t *least_ns, uint64_t *most_ns)
{
	*least_ns = UINT64_MAX;
	*most_ns = 0;
	for (uint32_t from = 0; from < nr_cores; from++) {
		for (uint32_t to = 0; to < nr_cores; to++) {
			uint64_t ns = distance_cost_ns(d, nr_cores, from, to);
			if (from != to && ns < *least_ns)
				*least_ns = ns;
			if (from != to && ns > *most_ns)
				*most_ns = ns;
		}
	}
}

/* The costs that two cores of the chip can have between them by levels, nearest first, each once; their number. */
static unsigned costs_by_distance(const struct distances *d, uint32_t nr_cores, uint64_t costs[MAX_DISTANCE_LEVELS + 1])
{
	unsigned nr = 0;
	uint32_t inner = 1; /* within blocks of so many cores, levels before this one apply */
	for (uint32_t i = 0; i <= d->nr_levels && inner < nr_cores; i++) {
		uint64_t ns = i < d->nr_levels ? d->levels[i].cost_ns : d->cost_ns;
		bool known = false;
		for (unsigned k = 0; k < nr; k++)
			known |= costs[k] == ns;
		if (!known)
			costs[nr++] = ns;
		inner = i < d->nr_levels ? d->levels[i].nr_cores : nr_cores;
	}
	return nr;
}

/* "3 ms per migration", "0.1, 0.5 or 3 ms per migration by distance", "2 to 6 ms per migration by matrix" */
static void write_costs(const struct run_config *config, struct textbuf *out)
{
	const struct distances *d = &config->distances;
	uint64_t costs[MAX_DISTANCE_LEVELS + 1], least_ns, most_ns;
	uint32_t nr_cores = config->chip.nr_cores;
	if (nr_cores == 1) {
		textbuf_puts(out, "no core to migrate to");
		return;
	}
	if (d->matrix_ns) {
		matrix_range(d, nr_cores, &least_ns, &most_ns);
		write_ms(least_ns, out);
		if (most_ns != least_ns) {
			textbuf_puts(out, " to ");
			write_ms(most_ns, out);
		}
		textbuf_puts(out, " ms per migration by matrix");
	} else {
		unsigned nr = costs_by_distance(d, nr_cores, costs);
		for (unsigned i = 0; i < nr; i++) {
			textbuf_puts(out, i == 0 ? "" : i + 1 < nr ? ", " : " or ");
			write_ms(costs[i], out);
		}
		textbuf_printf(out, " ms per migration%s", nr > 1 ? " by distance" : "");
	}
	if (config->warmup_ns) {
		textbuf_puts(out, ", warm-up ");
		write_ms(config->warmup_ns, out);
		textbuf_puts(out, " ms");
	}
}

void run_report_write_heading(const struct run_report *report, const char *title, struct textbuf *out)
{
	const struct run_config *config = report->config;
	textbuf_printf(out, "configuration  %s (%.16s)\n", title, report->hash);
	textbuf_puts(out, "chip           ");
	run_facts_write_chip(config, out);
	const char *mode = config->alone ? ", each alone on the chip" : config->nr_threads > 1 ? " together" : "";
	textbuf_printf(out, "workload       %u thread%s%s; %u trace%s", config->nr_threads,
		       config->nr_threads == 1 ? "" : "s", mode, config->nr_traces, config->nr_traces == 1 ? "" : "s");
	trace_words_write_numbers(&report->traces, out);
	textbuf_putc(out, '\n');
	textbuf_printf(out, "scheduler      %s%s, inertia %u, timestep ", config->policy->name,
		       config->plugin ? " (plug-in)" : "", config->inertia);
	write_ms(config->timestep_ns, out);
	textbuf_printf(out, " ms, observes %s; ",
		       config->oracle	       ? "the coming timestep (oracle)"
		       : config->introspection ? "what IPUs tell"
					       : "the last timestep");
	write_costs(config, out);
	textbuf_putc(out, '\n');
	run_report_write_probe_heading(config, out);
	textbuf_printf(out, "simulated      %.2f s", (double)report->result->simulated_ns / (double)NS_PER_S);
	if (report->samples.metrics)
		textbuf_printf(out, " in %u samples, whose counts are added up", report->samples.nr);
	textbuf_puts(out, "\n\n");
}
