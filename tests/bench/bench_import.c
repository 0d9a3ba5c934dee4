/* Speed of the importer: a million lines of each format, synthetic, as a ratio against a baseline timed in the same
 * run: finding the ends of the same lines and summing their bytes. Medians of several runs, one core, from memory. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/array.h"
#include "tests/bench/bench.h"
#include "workloads/import/import.h"

#define NR_LINES 1000000u

static const char *const events[] = {
	"instructions",		 "branches",	    "branch-misses",
	"L1-icache-load-misses", "L1-dcache-loads", "L1-dcache-load-misses",
	"l2_rqsts.references",	 "l2_rqsts.miss",   "cycles",
	"page-faults",
};
#define NR_EVENTS ARRAY_SIZE(events)

/* Counts that contradict nothing, of the sizes that 100 ms have. */
static uint64_t count_of(size_t event, uint64_t *seed)
{
	static const uint64_t scale[NR_EVENTS] = {200000000, 40000000, 900000, 500000,	  60000000,
						  2000000,   2500000,  300000, 250000000, 100};
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return scale[event] / 2 + (*seed >> 33) % (scale[event] / 2);
}

static void write_perf(FILE *out, const char *line)
{
	uint64_t seed = 1;
	fputs("# started on a synthetic day\n\n", out);
	for (unsigned i = 0; i < NR_LINES / NR_EVENTS; i++)
		for (size_t e = 0; e < NR_EVENTS; e++)
			fprintf(out, line, 0.1 * (i + 1), count_of(e, &seed), events[e]);
}

static void write_perf_csv(FILE *out)
{
	write_perf(out, "%16.9f,%" PRIu64 ",,%s,100000000,100.00,,\n");
}

static void write_perf_json(FILE *out)
{
	write_perf(out, "{\"interval\" : %.9f, \"counter-value\" : \"%" PRIu64 ".000000\", \"unit\" : \"\", "
			"\"event\" : \"%s\", \"event-runtime\" : 100000000, \"pcnt-running\" : 100.00, "
			"\"metric-value\" : 0.000000, \"metric-unit\" : \"\"}\n");
}

static void write_perf_text(FILE *out)
{
	write_perf(out, "%16.9f %18" PRIu64 "      %s\n");
}

/* Ten lines a part, most of them costs by line of code. */
static void write_callgrind(FILE *out)
{
	uint64_t seed = 1;
	fputs("# callgrind format\ncreator: synthetic\npid: 1\n", out);
	for (unsigned i = 0; i < NR_LINES / 10; i++) {
		fprintf(out, "part: %u\nevents: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw Bc Bcm Bi Bim\nsummary:", i + 1);
		uint64_t v[NR_EVENTS];
		for (size_t e = 0; e < NR_EVENTS; e++)
			v[e] = count_of(e, &seed);
		fprintf(out,
			" %" PRIu64 " %" PRIu64 " 0 %" PRIu64 " %" PRIu64 " 0 %" PRIu64 " 0 0 %" PRIu64 " %" PRIu64
			"\n",
			v[0], v[4], v[3], v[5], v[7], v[1], v[2]);
		fputs("fn=(1) main\n0 6 2 0 1 0 0 1 0 0 1 1\n+3 5 5\n* 1\ncalls=1 3281\n0 317 69\ntotals: 1\n", out);
	}
}

/* A metric group, from which all counts are derived. */
static void write_likwid(FILE *out)
{
	uint64_t seed = 1;
	fputs("CPU clock:\t2.30 GHz\n# GID|MetricsCount|CpuCount|Total runtime [s]|Runtime unhalted [s]|CPI|Branch rate|Branch "
	      "misprediction rate|L1I miss rate|data cache request rate|data cache miss rate|L2 request rate|L2 miss rate\n",
	      out);
	for (unsigned i = 0; i < NR_LINES; i++) {
		fprintf(out, "1 9 1 %.9f 0.0%" PRIu64 " 1.%" PRIu64, 0.1 * (i + 1), count_of(0, &seed),
			count_of(0, &seed));
		for (size_t e = 1; e < 8; e++)
			fprintf(out, " %.14f", (double)count_of(e, &seed) / 2e8);
		fputc('\n', out);
	}
}

static void write_table(FILE *out)
{
	uint64_t seed = 1;
	fputs("instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses,cycles\n",
	      out);
	for (unsigned i = 0; i < NR_LINES; i++)
		for (size_t e = 0; e + 1 < NR_EVENTS; e++)
			fprintf(out, "%" PRIu64 "%c", count_of(e, &seed), e + 2 < NR_EVENTS ? ',' : '\n');
}

/* A sample a line, a million of them in 100 s, of two threads. */
static void write_perf_script(FILE *out)
{
	uint64_t seed = 1;
	for (unsigned i = 0; i < NR_LINES; i++)
		fprintf(out,
			"%16s %5u [%03u] %6u.%06u: %10" PRIu64 " %s:  ffffffff81600188 folio_remove_rmap_ptes+0x18 "
			"([kernel.kallsyms])\n",
			"gzip", 12426 + i % 2, i % 8, 1000 + i / 10000, i % 10000 * 100,
			count_of(i / 2 % NR_EVENTS, &seed) / 1000 + 1, events[i / 2 % NR_EVENTS]);
}

/* Dumps of 1,000 lines, as many as a CPU with caches has; one in 100 is of use. */
static void write_gem5(FILE *out)
{
	uint64_t seed = 1;
	for (unsigned i = 0; i < NR_LINES / 1000; i++) {
		uint64_t v[NR_EVENTS];
		for (size_t e = 0; e < NR_EVENTS; e++)
			v[e] = count_of(e, &seed);
		fprintf(out,
			"---------- Begin Simulation Statistics ----------\nsimTicks 1000000000\nfinalTick %u000000000\n"
			"system.cpu.numCycles %" PRIu64 " # Cycles (Cycle)\nsystem.cpu.commitStats0.numInsts %" PRIu64
			"\nsystem.cpu.commitStats0.committedControl::IsControl %" PRIu64
			"\nsystem.cpu.branchPred.mispredicted_0::total %" PRIu64
			"\nsystem.cpu.icache.demandMisses::cpu.inst %" PRIu64
			"\nsystem.cpu.dcache.demandAccesses::cpu.data %" PRIu64
			"\nsystem.cpu.dcache.demandMisses::cpu.data %" PRIu64
			"\nsystem.l2.demandAccesses::cpu.data %" PRIu64 "\nsystem.l2.demandMisses::cpu.data %" PRIu64
			"\n",
			i + 1, v[8], v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]);
		for (unsigned line = 13; line < 1000; line++)
			fprintf(out,
				"system.cpu.commitStats0.committedInstType::Kind%u %10u %10.2f%% %10.2f%% # Class of committed "
				"instruction. (Count)\n",
				line, i * line, 0.01 * line, 0.1 * line);
		fputs("---------- End Simulation Statistics   ----------\n", out);
	}
}

/* Twenty lines a run, most of them of caches and types that are not wanted. */
static void write_champsim(FILE *out)
{
	static const char *const caches[] = {"L1D", "L1I", "L2C"};
	static const char *const types[] = {"TOTAL", "LOAD", "RFO", "PREFETCH", "WRITE", "TRANSLATION"};
	uint64_t seed = 1;
	for (unsigned i = 0; i < NR_LINES / 20; i++) {
		fprintf(out,
			"CPU 0 cumulative IPC: 0.543 instructions: %" PRIu64 " cycles: %" PRIu64 "\n"
			"CPU 0 Branch Prediction Accuracy: 85.77%% MPKI: 15.69 Average ROB Occupancy at Mispredict: 36.61\n",
			count_of(0, &seed), count_of(8, &seed));
		for (size_t c = 0; c < ARRAY_SIZE(caches); c++)
			for (size_t t = 0; t < ARRAY_SIZE(types); t++)
				fprintf(out,
					"cpu0->cpu0_%s %-12s ACCESS: %10" PRIu64 " HIT:    2797452 MISS: %10" PRIu64
					" MSHR_MERGE:     143943\n",
					caches[c], types[t], count_of(4, &seed), count_of(5, &seed));
	}
}

/* Twenty totals a snapshot. */
static void write_sniper(FILE *out)
{
	static const char *const totals[] = {
		"L1-D[0].load-misses",
		"L1-D[0].loads",
		"L1-D[0].prefetches",
		"L1-D[0].store-misses",
		"L1-D[0].store-misses-I",
		"L1-D[0].stores",
		"L1-I[0].load-misses",
		"L1-I[0].loads",
		"L2[0].load-misses",
		"L2[0].loads",
		"L2[0].store-misses-I",
		"L2[0].stores",
		"barrier[0].global_time",
		"branch_predictor[0].num-correct",
		"branch_predictor[0].num-incorrect",
		"core[0].instructions",
		"dram[0].reads",
		"dram[0].writes",
		"performance_model[0].elapsed_time",
		"performance_model[0].instruction_count",
	};
	for (uint64_t i = 0; i < NR_LINES / 20; i++)
		for (size_t t = 0; t < ARRAY_SIZE(totals); t++)
			fprintf(out, "periodic-%" PRIu64 ".%s %" PRIu64 "\n", i, totals[t],
				i * UINT64_C(1000000000) * (t + 1));
}

/* A system of one socket. */
static void write_pcm(FILE *out)
{
	static const char names[] =
		"EXEC,IPC,FREQ,AFREQ,CFREQ,L3MISS,L2MISS,L3HIT,L2HIT,L3MPI,L2MPI,READ,WRITE,INST,ACYC,"
		"TIME(ticks),PhysIPC,PhysIPC%,INSTnom,INSTnom%,";
	uint64_t seed = 1;
	for (unsigned i = 0; i < 42; i++)
		fputs(i < 22 ? "System," : "Socket 0,", out);
	fprintf(out, "\nDate,Time,%s%s", names, names);
	for (unsigned i = 0; i < NR_LINES; i++) {
		unsigned s = i % 86400;
		fprintf(out, "\n2024-05-%02u,%02u:%02u:%02u.214,", 1 + i / 86400 % 28, s / 3600, s / 60 % 60, s % 60);
		for (unsigned part = 0; part < 2; part++)
			fprintf(out,
				"0.52,1.04,0.50,0.95,2.00,1.22,%.2f,0.70,0.70,0.0021,0.0073,1.25,0.50,%.2f,%.2f,2100.00,2.08,"
				"52.00,0.90,22.00,",
				1e-6 * (double)count_of(6, &seed), 1e-6 * (double)count_of(0, &seed),
				1e-6 * (double)count_of(8, &seed));
	}
}

static void write_pcm_core(FILE *out)
{
	uint64_t seed = 1;
	for (unsigned i = 0; i < NR_LINES / 10; i++) {
		fputs("Time elapsed: 100 ms\ntxn_rate: 1\nEvent0: BR_INST_RETIRED.ALL_BRANCHES (raw 0xc4)\n"
		      "Event1: L2_RQSTS.REFERENCES (raw 0xff24)\n\nCore,IPC,Instructions,Cycles,Event0,Event1\n",
		      out);
		for (unsigned core = 0; core < 4; core++)
			fprintf(out, "%.*s,1.00,%" PRIu64 ".00,%" PRIu64 ".00,%" PRIu64 ".00,%" PRIu64 ".00,\n", 1,
				&"012*"[core], count_of(0, &seed), count_of(8, &seed), count_of(1, &seed),
				count_of(6, &seed));
	}
}

static void write_toplev(FILE *out)
{
	static const char *const metrics[] = {"Instructions",	"IpBranch",   "IpMispredict", "IpLoad",
					      "L1MPKI",		"L2MPKI_All", "L2HPKI_All",   "CLKS",
					      "Frontend_Bound", "Retiring"};
	static const double scale[] = {2e8, 5, 200, 4, 20, 2, 10, 2e8, 30, 30};
	uint64_t seed = 1;
	fputs("Timestamp,CPUs,Area,Value,Unit,Description,Sample,Stddev,Multiplex,Bottleneck,Idle\n", out);
	for (unsigned i = 0; i < NR_LINES / NR_EVENTS; i++)
		for (size_t m = 0; m < NR_EVENTS; m++)
			fprintf(out, "%.9f,C0-T0,%s,%.1f,Count,,,0.0,24.99,,\n", 0.1 * (i + 1), metrics[m],
				scale[m] * (1 + 1e-9 * (double)count_of(0, &seed)));
}

/* Four CPUs. */
static void write_emon(FILE *out)
{
	static const char *const names[] = {"INST_RETIRED.ANY", "BR_INST_RETIRED.ALL_BRANCHES", "UNC_M_CAS_COUNT.RD",
					    "L2_RQSTS.REFERENCES"};
	static const size_t like[] = {0, 1, 9, 6};
	uint64_t seed = 1;
	for (unsigned i = 0; i < NR_LINES / 5; i++) {
		for (size_t e = 0; e < ARRAY_SIZE(names); e++) {
			fprintf(out, "%s\t210,000,000", names[e]);
			for (unsigned cpu = 0; cpu < 4; cpu++)
				fprintf(out, "\t%" PRIu64, count_of(like[e], &seed));
			fputc('\n', out);
		}
		fputs("==========\n", out);
	}
}

static const struct {
	const char *format;
	void (*write)(FILE *out);
} rows[] = {
	{"perf-csv", write_perf_csv},	{"perf-json", write_perf_json},
	{"perf-text", write_perf_text}, {"perf-script", write_perf_script},
	{"callgrind", write_callgrind}, {"likwid", write_likwid},
	{"gem5", write_gem5},		{"champsim", write_champsim},
	{"sniper", write_sniper},	{"pcm", write_pcm},
	{"pcm-core", write_pcm_core},	{"toplev", write_toplev},
	{"emon", write_emon},		{"csv", write_table},
};

/* The minimum work of any reader. */
static double sweep(const char *text, size_t len, volatile uint64_t *sink)
{
	double start = now();
	uint64_t sum = 0;
	for (const char *end = text + len; text < end;) {
		const char *eol = memchr(text, '\n', (size_t)(end - text));
		for (eol = eol ? eol : end; text < eol; text++)
			sum += (unsigned char)*text;
		text++;
	}
	*sink = sum;
	return now() - start;
}

/* Zeros for what a format does not count. */
static bool assume_zeros(struct import_map *map)
{
	static const char *const counters[] = {"branches",   "branch_misses", "l1i_misses", "l1d_accesses",
					       "l1d_misses", "l2_accesses",   "l2_misses"};
	char text[64];
	bool ok = map;
	for (size_t i = 0; ok && i < ARRAY_SIZE(counters); i++) {
		snprintf(text, sizeof(text), "%s=0", counters[i]);
		ok = import_map_assume(map, text, NULL) == SAHM_OK;
	}
	return ok;
}

static int import(char *text, size_t len, const char *name, double *seconds, uint64_t *nr_epochs)
{
	struct import_map *map = import_map_new();
	const struct import_options options = {.format = import_format_named(name, NULL), .map = map};
	struct trace **traces;
	size_t nr;
	struct sahm_err err;
	FILE *in = fmemopen(text, len, "r");
	if (!in || !assume_zeros(map))
		return 1;
	double start = now();
	enum sahm_status status = trace_import_stream(in, name, &options, NULL, &traces, &nr, &err);
	*seconds = now() - start;
	fclose(in);
	import_map_free(map);
	if (status != SAHM_OK) {
		fprintf(stderr, "%s\n", err.msg);
		return 1;
	}
	*nr_epochs = trace_nr_epochs(traces[0]);
	trace_free(traces[0]);
	free(traces);
	return 0;
}

static int measure(size_t row, volatile uint64_t *sink)
{
	double run[RUNS], base[RUNS];
	uint64_t nr_epochs = 0;
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);
	if (!out)
		return 1;
	rows[row].write(out);
	int failed = fclose(out) != 0;
	for (int i = 0; i < RUNS && !failed; i++) {
		base[i] = sweep(text, len, sink);
		failed = import(text, len, rows[row].format, &run[i], &nr_epochs);
	}
	free(text);
	if (failed)
		return 1;
	double seconds = median(run);
	printf("  %-11s %6.3f s, %4.0f MB/s, %7" PRIu64 " epochs, %.3f of the byte sweep\n", rows[row].format, seconds,
	       (double)len / seconds * 1e-6, nr_epochs, median(base) / seconds);
	return 0;
}

int main(void)
{
	volatile uint64_t sink;
	printf("The byte sweep only sums the bytes of each line: no importer can beat it; nearer to 1 is better.\n");
	printf("import of %u synthetic lines on one core (median of %d runs)\n", NR_LINES, RUNS);
	for (size_t row = 0; row < ARRAY_SIZE(rows); row++)
		if (measure(row, &sink) != 0)
			return 1;
	return 0;
}
