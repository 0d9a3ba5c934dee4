/* What a run's report says of introspection: IPUs by core, and together. */
#include <inttypes.h>
#include <math.h>

#include "results/metrics/csv.h"
#include "results/report/run_report_internal.h"
#include "sim/base/array.h"
#include "sim/base/number.h"
#include "sim/base/units.h"

#define NS_PER_US 1000

static struct probe_counts total_of(const struct run_result *result, uint32_t *nr_faulty)
{
	struct probe_counts total = {0};
	*nr_faulty = 0;
	for (uint32_t c = 0; c < result->nr_cores; c++) {
		probe_counts_add(&total, &result->probes[c]);
		*nr_faulty += result->probes[c].nr_faults > 0;
	}
	return total;
}

void run_report_write_probe_heading(const struct run_config *config, struct textbuf *out)
{
	const struct run_introspection *in = config->introspection;
	if (!in)
		return;
	textbuf_printf(out, "introspection  %s, ABI %s, IPUs at %u MHz beside cores at %u MHz, ", in->name,
		       in->abi.name, in->probe.ipu_mhz, in->probe.hit_mhz);
	if (in->probe.sampling > 1)
		textbuf_printf(out, "one timestep in %u, ", in->probe.sampling);
	textbuf_puts(out, "latency ");
	number_write_double(out, (double)in->probe.latency_ns / NS_PER_US, 0);
	textbuf_puts(out, " us\n");
}

static void write_unless_0(struct textbuf *out, uint64_t count, const char *what)
{
	if (count)
		textbuf_printf(out, ", %" PRIu64 " %s", count, what);
}

void run_report_write_probe_line(const struct run_report *report, struct textbuf *out)
{
	uint32_t nr_faulty;
	if (!report->result->probes)
		return;
	struct probe_counts total = total_of(report->result, &nr_faulty);
	struct probe_metrics m;
	run_metrics_of_probe(report->config, report->result, &total, report->result->nr_cores, &m);
	textbuf_printf(out, "introspection                %" PRIu64 " invocation%s", total.invocations,
		       total.invocations == 1 ? "" : "s");
	if (total.invocations)
		textbuf_printf(out, " of %.1f instructions", m.instructions_per_invocation);
	textbuf_printf(out, ", %.1f B/s a core", m.bytes_per_s);
	if (isfinite(m.accurate_share))
		textbuf_printf(out, ", %.2f %% accurate", 100 * m.accurate_share);
	write_unless_0(out, total.dropped, "input sets dropped");
	write_unless_0(out, total.skipped, "skipped");
	write_unless_0(out, total.rejected, "packets rejected");
	write_unless_0(out, total.lost_packets, "lost");
	write_unless_0(out, nr_faulty, nr_faulty == 1 ? "IPU in ERROR" : "IPUs in ERROR");
	textbuf_putc(out, '\n');
}

void run_report_fill_probe_table(const struct run_report *report, struct table *t)
{
	static const char *const headings[] = {"core",	   "invocations", "instructions", "dropped", "skipped",
					       "packets",  "bytes",	  "lost",	  "B/s",     "utilisation",
					       "rejected", "accurate",	  "fault"};
	const struct run_result *result = report->result;
	t->left = 1u << (ARRAY_SIZE(headings) - 1);
	table_row(t, false);
	table_words(t, headings, ARRAY_SIZE(headings));
	for (uint32_t c = 0; c < result->nr_cores; c++) {
		const struct probe_counts *counts = &result->probes[c];
		const uint64_t numbers[] = {counts->invocations, counts->instructions, counts->dropped,
					    counts->skipped,	 counts->packets,      counts->bytes,
					    counts->lost_packets};
		struct probe_metrics m;
		struct textbuf fault;
		run_metrics_of_probe(report->config, result, counts, 1, &m);
		table_row(t, c == 0);
		table_cell(t, "%u", c);
		for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
			table_cell(t, "%" PRIu64, numbers[i]);
		table_cell(t, "%.1f", m.bytes_per_s);
		if (isfinite(m.utilisation_ppm))
			table_cell(t, "%.3f ppm", m.utilisation_ppm);
		else
			table_cell(t, "-");
		table_cell(t, "%" PRIu64, counts->rejected);
		if (isfinite(m.accurate_share))
			table_cell(t, "%.2f %%", 100 * m.accurate_share);
		else
			table_cell(t, "-");
		textbuf_init(&fault);
		if (counts->nr_faults)
			run_facts_write_fault(&counts->fault, &fault);
		table_cell(t, "%s", counts->nr_faults && !textbuf_failed(&fault) ? fault.text : "-");
		t->failed |= textbuf_failed(&fault);
		textbuf_release(&fault);
	}
}

/* Members that a core and all of them have. */
static void write_members(struct jwriter *j, const struct probe_counts *c, const struct probe_metrics *m)
{
	jwrite_u64(j, "invocations", c->invocations);
	jwrite_u64(j, "instructions", c->instructions);
	jwrite_u64(j, "dropped_sets", c->dropped);
	jwrite_u64(j, "skipped_sets", c->skipped);
	jwrite_u64(j, "ignored_sets", c->ignored);
	jwrite_u64(j, "packets", c->packets);
	jwrite_u64(j, "bytes", c->bytes);
	jwrite_double(j, "bytes_per_s", m->bytes_per_s);
	jwrite_double(j, "utilisation_ppm", m->utilisation_ppm);
	jwrite_u64(j, "lost_packets", c->lost_packets);
	jwrite_u64(j, "rejected_packets", c->rejected);
	jwrite_double(j, "accurate_share", m->accurate_share);
	jwrite_u64(j, "faults", c->nr_faults);
}

void run_report_write_probe_json(const struct run_report *report, struct jwriter *j)
{
	const struct run_result *result = report->result;
	const struct run_introspection *in = report->config->introspection;
	struct probe_metrics m;
	uint32_t nr_faulty;
	if (!result->probes)
		return;
	struct probe_counts total = total_of(result, &nr_faulty);
	jwrite_begin_object(j, "introspection");
	jwrite_string(j, "program", in->name);
	jwrite_string(j, "abi", in->abi.name);
	jwrite_u64(j, "hit_mhz", in->probe.hit_mhz);
	jwrite_u64(j, "ipu_mhz", in->probe.ipu_mhz);
	jwrite_u64(j, "sampling", in->probe.sampling);
	jwrite_u64(j, "latency_ns", in->probe.latency_ns);
	run_metrics_of_probe(report->config, result, &total, result->nr_cores, &m);
	write_members(j, &total, &m);
	jwrite_begin_array(j, "cores", false);
	for (uint32_t c = 0; c < result->nr_cores; c++) {
		struct textbuf fault;
		textbuf_init(&fault);
		run_metrics_of_probe(report->config, result, &result->probes[c], 1, &m);
		jwrite_begin_flat_object(j, NULL);
		jwrite_u64(j, "core", c);
		write_members(j, &result->probes[c], &m);
		if (result->probes[c].nr_faults)
			run_facts_write_fault(&result->probes[c].fault, &fault);
		if (result->probes[c].nr_faults && !textbuf_failed(&fault))
			jwrite_string(j, "fault", fault.text);
		else
			jwrite_double(j, "fault", NAN);
		j->out->failed |= textbuf_failed(&fault);
		textbuf_release(&fault);
		jwrite_end_object(j);
	}
	jwrite_end_array(j);
	jwrite_end_object(j);
}

void run_report_write_probe_columns(struct textbuf *out)
{
	textbuf_puts(out, ",invocations,instructions,dropped_sets,skipped_sets,ignored_sets,packets,bytes,bytes_per_s,"
			  "utilisation_ppm,lost_packets,rejected_packets,accurate_share,faults");
}

static void write_fields(struct textbuf *out, const struct probe_counts *c, const struct probe_metrics *m)
{
	const uint64_t front[] = {c->invocations, c->instructions, c->dropped, c->skipped,
				  c->ignored,	  c->packets,	   c->bytes};
	for (size_t i = 0; i < ARRAY_SIZE(front); i++)
		csv_u64(out, front[i]);
	csv_double(out, m->bytes_per_s);
	csv_double(out, m->utilisation_ppm);
	csv_u64(out, c->lost_packets);
	csv_u64(out, c->rejected);
	csv_double(out, m->accurate_share);
	csv_u64(out, c->nr_faults);
}

void run_report_write_probe_fields(const struct run_report *report, enum probe_row row, uint32_t core,
				   struct textbuf *out)
{
	const struct run_result *result = report->result;
	struct probe_metrics m;
	uint32_t nr_faulty;
	if (!result->probes)
		return;
	if (row == PROBE_ROW_CORE) {
		run_metrics_of_probe(report->config, result, &result->probes[core], 1, &m);
		write_fields(out, &result->probes[core], &m);
	} else if (row == PROBE_ROW_ALL) {
		struct probe_counts total = total_of(result, &nr_faulty);
		run_metrics_of_probe(report->config, result, &total, result->nr_cores, &m);
		write_fields(out, &total, &m);
	} else {
		for (int i = 0; i < NR_PROBE_COLUMNS; i++)
			csv_double(out, NAN);
	}
}
