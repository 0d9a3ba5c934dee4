/* Importing: the formats, one by one. Counts are made up (synthetic); real files stand in tests/golden/import.t. */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>

#include "sim/base/array.h"
#include "tests/unit/workloads/import/import_cases.h"

#define NR_EVENTS 8
#define NR_WINDOWS 3

static const char *const events[NR_EVENTS] = {
	"instructions",	       "branches:u",
	"branch-misses",       "L1-icache-load-misses",
	"L1-dcache-loads",     "L1-dcache-load-misses",
	"l2_rqsts.references", "cpu/event=0x24,umask=0x3f,name/",
};

static const char *const shown[NR_EVENTS] = {
	"1,234,567", "20,000", "1,000", "7", "30,000", "999", "1,006", "50",
};

static const uint64_t counts[NR_EVENTS] = {1234567, 20000, 1000, 7, 30000, 999, 1006, 50};

#define EPOCHS                                                                                                         \
	"1234567,20000,1000,7,30000,999,1006,50\n1234568,20001,1001,8,30001,1000,1007,51\n"                            \
	"1234569,20002,1002,9,30002,1001,1008,52\n"
#define FIRST_EPOCH "1234567,20000,1000,7,30000,999,1006,50\n"
#define L2_MISSES "l2_misses=cpu/event=0x24,umask=0x3f,name/"

/* How a form of perf writes one count. */
typedef void (*write_count)(struct textbuf *b, unsigned window, unsigned event, const char *separator);

static void in_csv(struct textbuf *b, unsigned w, unsigned e, const char *x)
{
	textbuf_printf(b, "     0.%u00000000%s%llu%s%s%s%s99987654%s100.00%s%s\n", w + 1, x,
		       (unsigned long long)(counts[e] + w), x, x, events[e], x, x, x, x);
}

/* A window's count split over two CPUs, the second of which counts 5. */
static void in_csv_per_cpu(struct textbuf *b, unsigned w, unsigned e, const char *x)
{
	for (unsigned cpu = 0; cpu < 2; cpu++)
		textbuf_printf(b, "     0.%u00000000%sCPU%u%s%llu%s%s%s%s99987654%s100.00%s%s\n", w + 1, x, cpu, x,
			       cpu ? 5ULL : (unsigned long long)(counts[e] + w - 5), x, x, events[e], x, x, x, x);
}

/* Per socket, followed by the number of CPUs; per thread; per cgroup, after the event; with a variance. */
static void in_csv_per_socket(struct textbuf *b, unsigned w, unsigned e, const char *x)
{
	textbuf_printf(b, "0.%u00000000%sS0%s4%s%llu%s%s%s%s99987654%s99.95%s0.1%sper second\n", w + 1, x, x, x,
		       (unsigned long long)(counts[e] + w), x, x, events[e], x, x, x, x);
}

static void in_csv_per_thread(struct textbuf *b, unsigned w, unsigned e, const char *x)
{
	textbuf_printf(b, "0.%u00000000%sWeb Content 2-4711%s%llu%s%s%s%s99987654%s100.00%s%s\n", w + 1, x, x,
		       (unsigned long long)(counts[e] + w), x, x, events[e], x, x, x, x);
	/* An idle thread counts nothing, which is no reason to skip the window. */
	textbuf_printf(b, "0.%u00000000%sidle-12%s<not counted>%s%s%s%s0%s100.00%s%s\n", w + 1, x, x, x, x, events[e],
		       x, x, x, x);
}

static void in_csv_per_cgroup(struct textbuf *b, unsigned w, unsigned e, const char *x)
{
	textbuf_printf(b, "0.%u00000000%s%llu%s%s%s%s/system.slice/a%s99987654%s100.00%s%s\n", w + 1, x,
		       (unsigned long long)(counts[e] + w), x, x, events[e], x, x, x, x, x);
}

static void in_csv_repeated(struct textbuf *b, unsigned w, unsigned e, const char *x)
{
	textbuf_printf(b, "0.%u00000000%s%llu.0%s%s%s%s0.25%%%s99987654%s100.00%s%s\n", w + 1, x,
		       (unsigned long long)(counts[e] + w), x, x, events[e], x, x, x, x, x);
}

static void in_json(struct textbuf *b, unsigned w, unsigned e, const char *x)
{
	textbuf_printf(
		b,
		"{\"interval\" : 0.%u00000000, %s\"counter-value\" : \"%llu.000000\", \"unit\" : \"\", \"event\" "
		": \"%s\", \"event-runtime\" : 99987654, \"pcnt-running\" : 100.00, \"metric-value\" : "
		"\"0.000000\", \"metric-unit\" : \"(null)\"}\n",
		w + 1, x, (unsigned long long)(counts[e] + w), events[e]);
}

/* The first window with separators of thousands, as people read them. */
static void in_text(struct textbuf *b, unsigned w, unsigned e, const char *x)
{
	char number[32];
	snprintf(number, sizeof(number), "%llu", (unsigned long long)(counts[e] + w));
	textbuf_printf(b, "     0.%u00000000 %s%18s      %-28s #    0.580 per insn\n", w + 1, x, w ? number : shown[e],
		       events[e]);
}

static void in_text_per_cgroup(struct textbuf *b, unsigned w, unsigned e, const char *x)
{
	textbuf_printf(b, "     0.%u00000000 %18llu      %-28s %s   (24.98%%)\n", w + 1,
		       (unsigned long long)(counts[e] + w), events[e], x);
}

static void test_perf_forms(void **state)
{
	(void)state;
	static const struct {
		const char *name, *format;
		write_count write;
		const char *separator;
	} forms[] = {
		{"commas", "perf-csv", in_csv, ","},
		{"semicolons", "perf-csv", in_csv, ";"},
		{"tabs", "perf-csv", in_csv, "\t"},
		{"colons", "perf-csv", in_csv, ":"},
		{"two colons", "perf-csv", in_csv, "::"},
		{"bars", "perf-csv", in_csv, "|"},
		{"blanks", "perf-csv", in_csv, " "},
		{"per CPU", "perf-csv", in_csv_per_cpu, ","},
		{"per socket", "perf-csv", in_csv_per_socket, ","},
		{"per thread", "perf-csv", in_csv_per_thread, ","},
		{"per cgroup", "perf-csv", in_csv_per_cgroup, ","},
		{"repeated", "perf-csv", in_csv_repeated, ";"},
		{"JSON", "perf-json", in_json, ""},
		{"JSON per CPU", "perf-json", in_json, "\"cpu\" : \"0\", "},
		{"JSON per thread", "perf-json", in_json, "\"thread\" : \"a \\\"b\\\" c-12\", "},
		{"JSON per core", "perf-json", in_json, "\"core\" : \"S0-D0-C0\", \"aggregate-number\" : 1, "},
		{"for people", "perf-text", in_text, ""},
		{"for people, per CPU", "perf-text", in_text, "CPU0"},
		{"for people, per socket", "perf-text", in_text, "S0        2"},
		{"for people, per thread", "perf-text", in_text, "Web Content-4711"},
		{"for people, per cgroup", "perf-text", in_text_per_cgroup, "/a/b"},
	};
	for (size_t f = 0; f < ARRAY_SIZE(forms); f++) {
		for (int forced = 0; forced < 2; forced++) {
			struct textbuf text;
			textbuf_init(&text);
			textbuf_puts(&text, "# started on Fri Nov 20 20:19:43 2026\n\n");
			for (unsigned w = 0; w < NR_WINDOWS; w++)
				for (unsigned e = 0; e < NR_EVENTS; e++)
					forms[f].write(&text, w, e, forms[f].separator);
			struct import_case c = {.name = forms[f].name, .text = text.text, .want = EPOCHS};
			c.maps[0] = L2_MISSES;
			c.format = forced ? forms[f].format : NULL;
			check_import(&c);
			struct imported r;
			import_text_as(&c, "dir/run.csv", &r);
			const struct provenance *p = trace_provenance(r.traces[0]);
			assert_string_equal(p->text[PROVENANCE_SOURCE], "recorded");
			assert_string_equal(p->text[PROVENANCE_DATE], "Fri Nov 20 20:19:43 2026");
			assert_string_equal(p->event[COUNTER_BRANCHES], "branches:u");
			assert_string_equal(p->event[COUNTER_L2_MISSES], events[7]);
			assert_string_equal(trace_name(r.traces[0]), "run");
			assert_int_equal(trace_epoch_ns(r.traces[0]), 100000000);
			imported_release(&r);
			textbuf_release(&text);
		}
	}
}

/* One window of perf's CSV at `t`, with what an event's line says in place of the usual. */
static void window(struct textbuf *b, const char *t, int odd, const char *line)
{
	for (int e = 0; e < NR_EVENTS; e++) {
		if (e == odd)
			textbuf_printf(b, "%s", line);
		else
			textbuf_printf(b, "%s,%llu,,%s,100,%s,,\n", t, (unsigned long long)counts[e], events[e],
				       e == 2 ? "99.50" : "100.00");
	}
}

static void check_windows(const char *name, const char *second, int odd, const char *line, const char *third,
			  const char *want, const char *notes, const char *error)
{
	struct textbuf text;
	textbuf_init(&text);
	window(&text, "0.100000000", -1, NULL);
	window(&text, second, odd, line);
	window(&text, third, -1, NULL);
	struct import_case c = {.name = name, .text = text.text, .want = want, .notes = notes, .error = error};
	c.maps[0] = L2_MISSES;
	check_import(&c);
	textbuf_release(&text);
}

static void test_perf_faults(void **state)
{
	(void)state;
#define T2 "0.200000000"
#define T3 "0.300000000"
	check_windows("not counted", T2, 1, T2 ",<not counted>,,branches:u,0,0.00,,\n", T3, FIRST_EPOCH FIRST_EPOCH,
		      "t: 1 of 3 rows skipped\n"
		      "t:9: 1 row skipped: an event was not counted (idle or unscheduled) ('branches:u')\n",
		      NULL);
	check_windows("not supported", T2, 1, T2 ",<not supported>,,branches:u,0,100.00,,\n", T3,
		      FIRST_EPOCH FIRST_EPOCH,
		      "t: 1 of 3 rows skipped\nt:9: 1 row skipped: an event is not supported ('branches:u')\n", NULL);
	check_windows("blank", T2, 1, T2 ",,,branches:u,100,100.00,,\n", T3, FIRST_EPOCH FIRST_EPOCH,
		      "t: 1 of 3 rows skipped\nt:9: 1 row skipped: a count is blank ('branches:u')\n", NULL);
	check_windows("an event is missing", T2, 1, "", T3, FIRST_EPOCH FIRST_EPOCH,
		      "t: 1 of 3 rows skipped\nt:9: 1 row skipped: an event is missing ('branches:u')\n", NULL);
	check_windows("text for a count", T2, 1, T2 ",no access to cgroup x,,branches:u,100,100.00,,\n", T3,
		      FIRST_EPOCH FIRST_EPOCH,
		      "t: 1 of 3 rows skipped\n"
		      "t:9: 1 row skipped: text stands where a count should ('branches:u')\n",
		      NULL);
	check_windows("text for a line", T2, 1, "no access to cgroup x\n Usage: perf stat [<options>]\n", T3,
		      FIRST_EPOCH FIRST_EPOCH,
		      "t: 1 of 3 rows skipped\n"
		      "t:9: 1 row skipped: an event is missing ('branches:u')\n"
		      "t:10: 2 lines passed over: not readable as counts; this one first\n",
		      NULL);
	check_windows("a metric", T2, 7,
		      T2 ",50,,"
			 "cpu/event=0x24,umask=0x3f,name/,100,100.00,,\n" T2 ",,,,,,0.5,insn per cycle\n",
		      T3, FIRST_EPOCH FIRST_EPOCH FIRST_EPOCH,
		      "t:17: 1 line passed over: a metric, which names no event\n", NULL);
	check_windows("an event twice", T2, 7,
		      T2 ",50,,cpu/event=0x24,umask=0x3f,name/,100,100.00,,\n" T2
			 ",9,,cpu/event=0x24,umask=0x3f,name/,100,100.00,,\n",
		      T3, FIRST_EPOCH FIRST_EPOCH,
		      "t: 1 of 3 rows skipped\n"
		      "t:9: 1 row skipped: an event is there twice ('cpu/event=0x24,umask=0x3f,name/')\n",
		      NULL);
	check_windows(
		"multiplexed unevenly", T2, 2, T2 ",1000,,branch-misses,50,24.50,,\n", T3,
		FIRST_EPOCH FIRST_EPOCH FIRST_EPOCH,
		"t:9: in 1 row the events of one ratio were counted for different shares of the time "
		"(multiplexing): such ratios are estimates\n"
		"t: events took turns (multiplexing): branch_misses were counted for 74 % of the time, the rest is "
		"estimated\n",
		NULL);
	check_windows("a point more", T2, 2, T2 ",1000,,branch-misses,50,98.99,,\n", T3,
		      FIRST_EPOCH FIRST_EPOCH FIRST_EPOCH,
		      "t:9: in 1 row the events of one ratio were counted for different shares of the time "
		      "(multiplexing): such ratios are estimates\n",
		      NULL);
	check_windows("a point more, the other way round", T2, 1, T2 ",20000,,branches:u,50,98.49,,\n", T3,
		      FIRST_EPOCH FIRST_EPOCH FIRST_EPOCH,
		      "t:9: in 1 row the events of one ratio were counted for different shares of the time "
		      "(multiplexing): such ratios are estimates\n",
		      NULL);
	check_windows("a point", T2, 2, T2 ",1000,,branch-misses,50,99.00,,\n", T3, FIRST_EPOCH FIRST_EPOCH FIRST_EPOCH,
		      "", NULL);
	check_windows("reordered", T3, -1, NULL, T2, NULL, NULL,
		      "t:17: time runs backwards, from 0.3 s to 0.2 s: rows are out of order, or two recordings "
		      "are interleaved");
	check_windows("interleaved", "0.110000000", -1, NULL, "0.100000000", NULL, NULL,
		      "t:17: time runs backwards, from 0.11 s to 0.1 s: rows are out of order, or two recordings "
		      "are interleaved");
}

static void test_perf_more(void **state)
{
	(void)state;
	struct textbuf text;
	textbuf_init(&text);
	textbuf_puts(&text, "# started on A\n\n");
	window(&text, "0.100000000", -1, NULL);
	textbuf_puts(&text, "# started on B\n\n");
	window(&text, "0.100000000", -1, NULL);
	window(&text, "0.200000000", -1, NULL);
	textbuf_puts(&text, "   summary,3,,branches:u,100,100.00,,\n");
	struct import_case c = {.name = "appended",
				.text = text.text,
				.maps = {L2_MISSES},
				.want = FIRST_EPOCH FIRST_EPOCH FIRST_EPOCH,
				.notes = "t:29: 1 line passed over: a summary of what stands above\n"
					 "t: 2 recordings are put one after the other (--recording N takes one)\n"};
	check_import(&c);
	c.options.recording = 1;
	c.want = FIRST_EPOCH;
	c.notes = NULL;
	check_import(&c);
	c.options.recording = 2;
	c.want = FIRST_EPOCH FIRST_EPOCH;
	check_import(&c);
	struct imported r;
	import_text_as(&c, "t", &r);
	assert_string_equal(trace_provenance(r.traces[0])->text[PROVENANCE_DATE], "B");
	assert_string_equal(trace_provenance(r.traces[0])->counted_pct[COUNTER_BRANCHES],
			    "mean 100.00, minimum 100.00");
	assert_string_equal(trace_provenance(r.traces[0])->counted_pct[COUNTER_BRANCH_MISSES],
			    "mean 99.50, minimum 99.50");
	imported_release(&r);
	textbuf_release(&text);

	textbuf_init(&text);
	window(&text, "0.100000000", -1, NULL);
	window(&text, "0.200000000", -1, NULL);
	window(&text, "0.300000000", -1, NULL);
	/* Wherever a file is cut, its last window is whole or not there. */
	for (size_t full = text.len, cut = full; cut > full / 3 * 2 + 1; cut--) {
		text.text[cut] = '\0';
		struct import_case torn = {.name = "cut short", .text = text.text, .maps = {L2_MISSES}};
		torn.want = cut == full ? FIRST_EPOCH FIRST_EPOCH FIRST_EPOCH : FIRST_EPOCH FIRST_EPOCH;
		/* The last line says all that is needed before its end. */
		if (cut < full && cut + 4 >= full)
			continue;
		check_import(&torn);
	}
	textbuf_release(&text);

	static const struct import_case numbers[] = {
		{.name = "decimal points and commas",
		 .text = "#  time   counts unit events\n 0.100000000   57.96 msec task-clock\n 0.100000000   1.234.567 "
			 " b\n"
			 " 0.200000000   57,96 msec task-clock\n 0.200000000   1'234  b\n"
			 " 0.300000000   1.057,96 msec task-clock\n 0.300000000   1,234.5  b\n",
		 .maps = {"instructions=100*task-clock", "branches=b"},
		 .assumes = {"branch_misses=0", "l1i_misses=0", "l1d_accesses=0", "l1d_misses=0", "l2_accesses=0",
			     "l2_misses=0"},
		 .want = "5796,1234567,0,0,0,0,0,0\n5796,1234,0,0,0,0,0,0\n105796,1235,0,0,0,0,0,0\n"},
		{.name = "a CPU whose counts are text is not idle",
		 .text = "0.100000000,CPU0,5,,b,1,100.00,,\n0.100000000,CPU1,6,,b,1,100.00,,\n"
			 "0.200000000,CPU0,7,,b,1,100.00,,\n0.200000000,CPU1,no access,,b,1,100.00,,\n"
			 "0.300000000,CPU0,8,,b,1,100.00,,\n0.300000000,CPU1,<not supported>,,b,0,100.00,,\n"
			 "0.400000000,CPU0,8,,b,1,100.00,,\n0.400000000,CPU1,<not counted>,,b,0,100.00,,\n",
		 .maps = {"instructions=b"},
		 .assumes = {"branches=0", "branch_misses=0", "l1i_misses=0", "l1d_accesses=0", "l1d_misses=0",
			     "l2_accesses=0", "l2_misses=0"},
		 .want = "11,0,0,0,0,0,0,0\n8,0,0,0,0,0,0,0\n",
		 .notes = "t: 2 of 4 rows skipped\nt:5: 1 row skipped: an event is not supported ('b')\n"
			  "t:3: 1 row skipped: text stands where a count should ('b')\n"
			  "t: summed over 2 groups: CPU0, CPU1 (--each makes a trace of each, --only NAME of one)\n"
			  "t:7: 1 time a CPU, thread or cgroup was not counted at all, and is taken to have been "
			  "idle\n"},
		{.name = "CPU and cgroup make a group together",
		 .text = "0.100000000,CPU0,5,,b,/a,1,100.00,,\n0.100000000,CPU1,6,,b,/a,1,100.00,,\n"
			 "0.100000000,CPU0,7,,b,/b,1,100.00,,\n0.100000000,CPU1,8,,b,/b,1,100.00,,\n",
		 .maps = {"instructions=b"},
		 .assumes = {"branches=0", "branch_misses=0", "l1i_misses=0", "l1d_accesses=0", "l1d_misses=0",
			     "l2_accesses=0", "l2_misses=0"},
		 .options = {.groups = IMPORT_ONLY, .only = "CPU1 /b"},
		 .want = "8,0,0,0,0,0,0,0\n"},
		{.name = "a thread whose name holds the separator, a cache",
		 .text = "0.100000000,a,b-12,5,,b,1,100.00,,\n0.100000000,S0-D0-L3-ID0,4,6,,b,1,100.00,,\n",
		 .maps = {"instructions=b"},
		 .assumes = {"branches=0", "branch_misses=0", "l1i_misses=0", "l1d_accesses=0", "l1d_misses=0",
			     "l2_accesses=0", "l2_misses=0"},
		 .want = "11,0,0,0,0,0,0,0\n"},
		{.name = "JSON with numbers that are none, and numbers for strings",
		 .text = "{\"interval\" : 1.0, \"counter-value\" : 5, \"event\" : \"instructions\", \"metric-value\" : "
			 "-nan}\n"
			 "{\"interval\" : 2.0, \"counter-value\" : 6.5, \"event\" : \"instructions\", \"metric-value\" "
			 ": inf}\n"
			 "{\"interval\" : 3.0, \"counter-value\" : \"7\", \"event\" : \"instructions\", \"x\" : "
			 "\"nan\"}\n",
		 .assumes = {"branches=0", "branch_misses=0", "l1i_misses=0", "l1d_accesses=0", "l1d_misses=0",
			     "l2_accesses=0", "l2_misses=0"},
		 .want = "5,0,0,0,0,0,0,0\n7,0,0,0,0,0,0,0\n7,0,0,0,0,0,0,0\n"},
		{.name = "no-break spaces between thousands",
		 .text = "#  time   counts unit events\n 0.100000000   1\xe2\x80\xaf"
			 "234\xc2\xa0"
			 "567  instructions\n",
		 .assumes = {"branches=0", "branch_misses=0", "l1i_misses=0", "l1d_accesses=0", "l1d_misses=0",
			     "l2_accesses=0", "l2_misses=0"},
		 .want = "1234567,0,0,0,0,0,0,0\n"},
		{.name = "without -I",
		 .text = "# started on X\n\n236068127,,instructions,100000000,100.00,,\n",
		 .assumes = {"branches=0", "branch_misses=0", "l1i_misses=0", "l1d_accesses=0", "l1d_misses=0",
			     "l2_accesses=0", "l2_misses=0"},
		 .want = "236068127,0,0,0,0,0,0,0\n"},
		{.name = "without -I, for people",
		 .text = "\n Performance counter stats for 'x':\n\n   5   instructions\n",
		 .assumes = {"branches=0", "branch_misses=0", "l1i_misses=0", "l1d_accesses=0", "l1d_misses=0",
			     "l2_accesses=0", "l2_misses=0"},
		 .want = "5,0,0,0,0,0,0,0\n"},
		{.name = "a CPU that appears late",
		 .text = "0.100000000,CPU0,5,,b,1,100.00,,\n0.200000000,CPU0,7,,b,1,100.00,,\n"
			 "0.200000000,CPU1,8,,b,1,100.00,,\n",
		 .format = "perf-csv",
		 .maps = {"instructions=b"},
		 .assumes = {"branches=0", "branch_misses=0", "l1i_misses=0", "l1d_accesses=0", "l1d_misses=0",
			     "l2_accesses=0", "l2_misses=0"},
		 .error = "t:2: 'CPU1' appears only here, after rows that were summed without it: rows must be in "
			  "order of time (--each makes a trace of each, --only NAME of one)"},
		{.name = "a count that is no number",
		 .text = "{\"interval\" : 1.0, \"counter-value\" : nan, \"event\" : \"instructions\"}\n"
			 "{\"interval\" : 2.0, \"counter-value\" : \"7\", \"event\" : \"instructions\"}\n",
		 .assumes = {"branches=0", "branch_misses=0", "l1i_misses=0", "l1d_accesses=0", "l1d_misses=0",
			     "l2_accesses=0", "l2_misses=0"},
		 .want = "7,0,0,0,0,0,0,0\n"},
		{.name = "a CPU that is missing in a row",
		 .text = "0.100000000,CPU0,5,,b,1,100.00,,\n0.100000000,CPU1,6,,b,1,100.00,,\n0.200000000,CPU0,7,,b,1,"
			 "100.00,,\n"
			 "0.300000000,CPU0,8,,b,1,100.00,,\n0.300000000,CPU1,9,,b,1,100.00,,\n",
		 .format = "perf-csv",
		 .maps = {"instructions=b"},
		 .assumes = {"branches=0", "branch_misses=0", "l1i_misses=0", "l1d_accesses=0", "l1d_misses=0",
			     "l2_accesses=0", "l2_misses=0"},
		 .want = "11,0,0,0,0,0,0,0\n17,0,0,0,0,0,0,0\n"},
		{.name = "JSON that would break a message",
		 .text = "{\"interval\" : 1.0, \"counter-value\" : \"5\", \"event\" : \"a\\nb\"}\n"
			 "{\"interval\" : 1.0, \"counter-value\" : \"5\", \"event\" : \"instructions\"}\n",
		 .assumes = {"branches=0", "branch_misses=0", "l1i_misses=0", "l1d_accesses=0", "l1d_misses=0",
			     "l2_accesses=0", "l2_misses=0"},
		 .want = "5,0,0,0,0,0,0,0\n"},
		{.name = "JSON of older perf, numbers as they come",
		 .text = "{\"interval\" : 11.127757275, \"counter-value\" : \"85715898.000000\", \"unit\" : \"\", "
			 "\"event\" : \"IDQ.MITE_UOPS\", \"event-runtime\" : 988376123, \"pcnt-running\" : 100.00, "
			 "\"metric-value\" : \"0.000000\", \"metric-unit\" : \"(null)\"}\n{\"interval\" : 12.1, "
			 "\"counter-value\" : \"<not counted>\", \"unit\" : \"\", \"event\" : "
			 "\"IDQ.MITE_UOPS\"}\n{\"interval\" : 13, \"counter-value\" : \"1\", \"ev",
		 .maps = {"instructions=IDQ.MITE_UOPS"},
		 .assumes = {"branches=0", "branch_misses=0", "l1i_misses=0", "l1d_accesses=0", "l1d_misses=0",
			     "l2_accesses=0", "l2_misses=0"},
		 .want = "85715898,0,0,0,0,0,0,0\n",
		 .notes = "t: 1 of 2 rows skipped\nt:2: 1 row skipped: an event was not counted (idle or unscheduled) "
			  "('IDQ.MITE_UOPS')\nt:3: 1 line passed over: cut short\n"
			  "t: the last row lasts 972.243 ms and is an epoch of 11000 ms all the same\n"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		check_import(&numbers[i]);
}

#define PART(n, values)                                                                                                \
	"part: " n "\n\ndesc: Trigger: x\nevents: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw Bc Bcm Bi Bim\n" values
#define BODY "fn=(1) main\n16 400\n+3 4 1\ncalls=1 20\n* 5\n"

#define PREDICTOR_NOTE                                                                                                     \
	"t: branch_misses are those of callgrind's simple predictor, 6 to 16 times those that QEMU's recorder models: do " \
	"not mix the two (docs/models.md)\n"

static void test_callgrind(void **state)
{
	(void)state;
	static const struct import_case cases[] = {
		{.name = "two parts; zeros at the end are left out",
		 .text = "# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npid: 7\ncmd: ./w x\n" PART(
			 "1", "summary: 100 20 10 1 2 3 1 1 1 9 2 4 1\n" BODY "totals: 100 20 10 1 2 3 1 1 1 9 2 4 1\n")
			 PART("2", "summary: 50 5\n" BODY "totals: 50 5\n"),
		 .want = "100,13,3,1,30,5,6,3\n50,0,0,0,5,0,0,0\n",
		 .notes = "t: no time is given, a row is taken for 100 ms\n" PREDICTOR_NOTE},
		{.name = "parts are sorted, a missing one is told",
		 .text = "# callgrind format\npid: 7\n" PART("4", "summary: 4\ntotals: 4\n") PART("1", "totals: 1\n"),
		 .want = "1,0,0,0,0,0,0,0\n4,0,0,0,0,0,0,0\n",
		 .notes = "t:3: parts 2 to 3 are missing in front of it\n"
			  "t: no time is given, a row is taken for 100 ms\n" PREDICTOR_NOTE},
		{.name = "totals go before the summary",
		 .text = "# callgrind format\n" PART("1", "summary: 10000 2\ntotals: 9991 2\n"),
		 .want = "9991,0,0,0,2,0,0,0\n",
		 .notes = "t: no time is given, a row is taken for 100 ms\n" PREDICTOR_NOTE},
		{.name = "totals that are far from the summary",
		 .text = "# callgrind format\n" PART("1", "summary: 10000 2\ntotals: 9990 2\n"),
		 .want = "9990,0,0,0,2,0,0,0\n",
		 .notes = "t: in 1 part 'summary:' is far from 'totals:', which were taken\n"
			  "t: no time is given, a row is taken for 100 ms\n" PREDICTOR_NOTE},
		{.name = "cut short",
		 .text = "# callgrind format\n" PART("1", "totals: 9 2\n") PART("2", "summary: 8\n" BODY)
			 PART("3", BODY),
		 .want = "9,0,0,0,2,0,0,0\n8,0,0,0,0,0,0,0\n",
		 .notes = "t:7: part 2 is cut short; its summary is complete\n"
			  "t: 2 parts are cut short, the first one as above\n"
			  "t: 1 of 3 rows skipped\nt:17: 1 row skipped: an event is missing ('Ir')\n"
			  "t: no time is given, a row is taken for 100 ms\n" PREDICTOR_NOTE},
		{.name = "threads of a part are one row",
		 .text = "# callgrind format\nversion: 1\n" PART("1", "thread: 1\ntotals: 9 2\n")
			 PART("1", "thread: 2\ntotals: 1 1\n") PART("2", "thread: 1\ntotals: 5\n"),
		 .want = "10,0,0,0,3,0,0,0\n5,0,0,0,0,0,0,0\n"},
		{.name = "a thread that was cut short spoils its row",
		 .text = "# callgrind format\nversion: 1\n" PART("1", "thread: 1\ntotals: 9 2\n")
			 PART("1", "thread: 2\n" BODY) PART("2", "thread: 1\ntotals: 5\n"),
		 .want = "5,0,0,0,0,0,0,0\n"},
		{.name = "one thread of two",
		 .text = "# callgrind format\nversion: 1\n" PART("1", "thread: 1\ntotals: 9 2\n")
			 PART("1", "thread: 2\ntotals: 1 1\n") PART("2", "thread: 1\ntotals: 5\n"),
		 .options = {.groups = IMPORT_ONLY, .only = "thread-2"},
		 .want = "1,0,0,0,1,0,0,0\n"},
		{.name = "without branch simulation",
		 .text = "# callgrind format\npart: 1\nevents: Ir\ntotals: 5\n",
		 .error = "t: no event stands for 'branches', 'branch_misses', 'l1i_misses', 'l1d_accesses', "
			  "'l1d_misses', 'l2_accesses', 'l2_misses'; there are 'Ir'; say --map "
			  "branches=EXPRESSION, or --assume branches=0, for each of them; was callgrind run with "
			  "--cache-sim=yes and --branch-sim=yes?"},
		{.name = "too many costs",
		 .text = "# callgrind format\nevents: Ir\ntotals: 5 6\n",
		 .error = "t:3: more costs than events (1)"},
		{.name = "events behind costs",
		 .text = "# callgrind format\nevents: Ir\nsummary: 5\nevents: Ir Dr Dw\ntotals: 5 6 7\n",
		 .error = "t:4: 'events:' follows costs"},
		{.name = "costs that are none",
		 .text = "# callgrind format\nevents: Ir\ntotals: x\n",
		 .error = "t:3: 'x' is not a whole number"},
		{.name = "costs without events",
		 .text = "# callgrind format\nsummary: 5\n",
		 .error = "t:2: costs stand in front of 'events:'"},
		{.name = "a part twice",
		 .text = "# callgrind format\n" PART("1", "totals: 1\n") PART("1", "totals: 1\n"),
		 .error = "t:7: part 1 is there twice, here and at t:2"},
		{.name = "two processes",
		 .text = "# callgrind format\npid: 1\n" PART("1", "totals: 1\n") "pid: 2\n" PART("1", "totals: 1\n"),
		 .error = "t:9: parts of two processes, 1 and 2: import each separately"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check_import(&cases[i]);
}

#define LIKWID_NOTE "t: likwid's output is read as documented; no real file was at hand to try it on\n"
#define LIKWID_HEAD "# GID|EventCount|CpuCount|Total runtime [s]|INSTR_RETIRED_ANY|BR_INST_RETIRED_ALL_BRANCHES\n"
#define LIKWID_REST                                                                                                    \
	{                                                                                                              \
		"branch_misses=0", "l1i_misses=0", "l1d_accesses=0", "l1d_misses=0", "l2_accesses=0", "l2_misses=0"    \
	}

static void test_likwid(void **state)
{
	(void)state;
	static const struct import_case cases[] = {
		{.name = "one CPU",
		 .text = LIKWID_HEAD "1 2 1 1.000073 100.0 20.0\nhello from the program\n1 2 1 2.0001 50 7\n",
		 .assumes = LIKWID_REST,
		 .want = "100,20,0,0,0,0,0,0\n50,7,0,0,0,0,0,0\n",
		 .notes = LIKWID_NOTE "t:3: 1 line passed over: not readable as counts\n"},
		{.name = "values of all CPUs for an event, then for the next",
		 .text = "# CORES: 3|5\n" LIKWID_HEAD "1 2 2 1.0 100 200 1 2\n",
		 .assumes = LIKWID_REST,
		 .want = "300,3,0,0,0,0,0,0\n"},
		{.name = "one CPU of two",
		 .text = "# CORES: 3|5\n" LIKWID_HEAD "1 2 2 1.0 100 200 1 2\n",
		 .assumes = LIKWID_REST,
		 .options = {.groups = IMPORT_ONLY, .only = "CPU5"},
		 .want = "200,2,0,0,0,0,0,0\n"},
		{.name = "commas",
		 .text = LIKWID_HEAD "1,2,1,1.0,100,20\n",
		 .assumes = LIKWID_REST,
		 .want = "100,20,0,0,0,0,0,0\n"},
		{.name = "commas in the header too, as likwid-perfctr -O -o writes it",
		 .text = "# HWThreads,3,5\n# GID,EventCount,CpuCount,Total runtime [s],INSTR_RETIRED_ANY,"
			 "BR_INST_RETIRED_ALL_BRANCHES\n1,2,2,1.0,100,200,1,2\n",
		 .assumes = LIKWID_REST,
		 .options = {.groups = IMPORT_ONLY, .only = "CPU5"},
		 .want = "200,2,0,0,0,0,0,0\n"},
		/* 2 GHz * 0.5 s = 1e9 cycles at CPI 2; a tenth of the instructions are branches. */
		{.name = "counts from metrics",
		 .text = "CPU clock:\t2.00 GHz\n# GID|MetricsCount|CpuCount|Total runtime [s]|Runtime (RDTSC) [s]|Runtime unhalted "
			 "[s]|Clock [MHz]|CPI|Branch rate\n1 5 1 1.0 1.0 0.5 3000 2 0.1\n",
		 .assumes = LIKWID_REST,
		 .want = "500000000,50000000,0,0,0,0,0,0,1000000000\n"},
		{.name = "counts from metrics without the nominal clock",
		 .text = "# GID|MetricsCount|CpuCount|Total runtime [s]|Runtime (RDTSC) [s]|Runtime unhalted "
			 "[s]|Clock [MHz]|CPI|Branch rate\n1 5 1 1.0 1.0 0.5 3000 2 0.1\n",
		 .assumes = LIKWID_REST,
		 .want = "1500000000,150000000,0,0,0,0,0,0,3000000000\n"},
		{.name = "metrics of another group in between",
		 .text = LIKWID_HEAD
		 "# GID|MetricsCount|CpuCount|Total runtime [s]|CPI\n1 2 1 1.0 100 20\n2 1 1 2.0 0.86\n"
		 "1 2 1 3.0 50 7\n",
		 .assumes = LIKWID_REST,
		 .want = "100,20,0,0,0,0,0,0\n50,7,0,0,0,0,0,0\n"},
		{.name = "a last number that was cut",
		 .text = LIKWID_HEAD "1 2 1 1.0 100 20\n1 2 1 2.0 50 7",
		 .assumes = LIKWID_REST,
		 .want = "100,20,0,0,0,0,0,0\n"},
		{.name = "values that are too few",
		 .text = LIKWID_HEAD "1 2 1 1.0 100 20\n1 2 1 2.0 50\n",
		 .assumes = LIKWID_REST,
		 .want = "100,20,0,0,0,0,0,0\n",
		 .notes = LIKWID_NOTE "t:3: 1 line passed over: not readable as counts\n"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check_import(&cases[i]);
}

static void test_tables(void **state)
{
	(void)state;
#define BRANCHES_REST                                                                                                  \
	{                                                                                                              \
		"branches=0", "branch_misses=0", "l1i_misses=0", "l1d_accesses=0", "l1d_misses=0", "l2_accesses=0",    \
			"l2_misses=0"                                                                                  \
	}
	static const struct import_case cases[] = {
		{.name = "quotes, blanks, comments, thousands",
		 .text = "# made by hand\n\n \"a, b\" , instructions\n# more\n1, \"1,234,567\"\n\n2 ,\t8.0\r\n",
		 .assumes = BRANCHES_REST,
		 .want = "1234567,0,0,0,0,0,0,0\n8,0,0,0,0,0,0,0\n"},
		{.name = "blanks separate",
		 .text = "a  instructions \n1    2\n 3 4\n",
		 .assumes = BRANCHES_REST,
		 .want = "2,0,0,0,0,0,0,0\n4,0,0,0,0,0,0,0\n"},
		{.name = "another separator",
		 .text = "a~instructions\n1~2\n",
		 .options = {.separator = "~"},
		 .assumes = BRANCHES_REST,
		 .want = "2,0,0,0,0,0,0,0\n"},
		{.name = "commas that are not between thousands",
		 .text = "instructions,x\n\"12,34\",1\n\"1,2345\",1\n\"0,001\",1\n\"1,234.5\",1\n",
		 .assumes = BRANCHES_REST,
		 .want = "1235,0,0,0,0,0,0,0\n"},
		{.name = "decimal commas; what can be read in two ways is not",
		 .text = "instructions;x\n1,5;1\n1,500;1\n1,234,567;1\n2,0;1\n",
		 .assumes = BRANCHES_REST,
		 .want = "2,0,0,0,0,0,0,0\n1234567,0,0,0,0,0,0,0\n2,0,0,0,0,0,0,0\n",
		 .notes = "t: 1 of 4 rows skipped\n"
			  "t:3: 1 row skipped: a number can be read in two ways, such as 1,500 ('instructions')\n"
			  "t: no time is given, a row is taken for 100 ms\n"},
		{.name = "columns without names",
		 .text = ",instructions,\n9,1,8\n",
		 .assumes = BRANCHES_REST,
		 .want = "1,0,0,0,0,0,0,0\n"},
		{.name = "exponents",
		 .text = "instructions\n1.5e+09\n2E3\n",
		 .assumes = BRANCHES_REST,
		 .want = "1500000000,0,0,0,0,0,0,0\n2000,0,0,0,0,0,0,0\n"},
		{.name = "a column twice",
		 .text = "instructions,x,x\n1,2,3\n",
		 .error = "t:1: column 'x' stands twice"},
		{.name = "nothing", .text = "# only this\n", .error = "t: there is no header row in it"},
		{.name = "no rows",
		 .text = "instructions\n",
		 .assumes = BRANCHES_REST,
		 .error = "t: there are no counts in it"},
		{.name = "no table",
		 .text = "\x01\x02\n",
		 .error = "t:1: byte 0x01 does not belong in a header row: this is no table"},
		{.name = "a header row counts for more than stamps as perf writes them",
		 .text = "time_s,instructions,a,b,c\n0.100000000,1,2,,\n0.150000000,2,3,,\n",
		 .assumes = BRANCHES_REST,
		 .want = "1,0,0,0,0,0,0,0\n2,0,0,0,0,0,0,0\n",
		 .notes = ""},
		{.name = "units in the name",
		 .text = "Timestamp [us];instructions\n10;1\n20;2\n",
		 .assumes = BRANCHES_REST,
		 .want = "1,0,0,0,0,0,0,0\n2,0,0,0,0,0,0,0\n",
		 .notes = "t: 'Timestamp [us]' is taken for when a row ended (--map time_s=COLUMN names another)\n"},
		{.name = "units in the values",
		 .text = "x,instructions,elapsed\n1,1,10 ms\n2,2,0.02s\n",
		 .assumes = BRANCHES_REST,
		 .options = {.by_time = true, .epoch_ns = 5000000},
		 .want = "1,0,0,0,0,0,0,0\n1,0,0,0,0,0,0,0\n1,0,0,0,0,0,0,0\n"},
		{.name = "dates, over the end of February, with zones",
		 .text = "time,instructions\n2024-02-28T23:59:59.75Z,4\n2024-02-29 01:00:00.25+01:00,4\n",
		 .assumes = BRANCHES_REST,
		 .options = {.by_time = true, .epoch_ns = 250000000},
		 .want = "4,0,0,0,0,0,0,0\n2,0,0,0,0,0,0,0\n2,0,0,0,0,0,0,0\n"},
		{.name = "no unit",
		 .text = "instructions,elapsed\n1,0.1\n2,0.2\n",
		 .assumes = BRANCHES_REST,
		 .error = "t:2: 'elapsed' is a time, but '0.1' has no unit: say --map time_s=\"elapsed\" (or time_ms, "
			  "time_us, time_ns), or --epoch-ms MS for rows of that length"},
		{.name = "no date that can be read",
		 .text = "instructions,elapsed\n1,n/a\n1,Mon 23\n",
		 .assumes = BRANCHES_REST,
		 .error = "t:3: 'elapsed' is a time, but 'Mon 23' is neither a number with a unit nor a date as in "
			  "2026-11-23T14:05:00; say --epoch-ms MS for rows of that length"},
		{.name = "lengths alone",
		 .text = "duration_ms,instructions,x,\n20,1,,\n20,2,,\n20,3,,\n",
		 .assumes = BRANCHES_REST,
		 .want = "1,0,0,0,0,0,0,0\n2,0,0,0,0,0,0,0\n3,0,0,0,0,0,0,0\n",
		 .notes = ""},
		{.name = "no unit, and no need for one",
		 .text = "instructions,elapsed\n1,0.1\n2,0.2\n",
		 .assumes = BRANCHES_REST,
		 .options = {.epoch_ns = 5000000},
		 .want = "1,0,0,0,0,0,0,0\n2,0,0,0,0,0,0,0\n",
		 .notes =
			 "t: 'elapsed' is not taken as time, since its unit is not known (--map time_s=\"elapsed\")\n"},
		{.name = "a length, as the user says",
		 .text = "instructions,elapsed\n1,5 ms\n",
		 .maps = {"duration_ms=elapsed"},
		 .assumes = BRANCHES_REST,
		 .options = {.by_time = true, .epoch_ns = 5000000},
		 .want = "1,0,0,0,0,0,0,0\n",
		 .notes = ""},
		{.name = "other names and modifiers",
		 .text = "INST_RETIRED.ANY:u,br_inst_retired.all_branches_pebs:upp,cpu_core/br_misp_retired.all_branches/k,"
			 "I1mr,Dr,Dw,D1mr,D1mw,I2mr,D2mr,D2mw\n100,20,3,1,5,5,1,1,1,1,1\n",
		 .want = "100,20,3,1,10,2,3,3\n"},
		{.name = "some names of ours do not make it ours",
		 .text = "instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses\n1,1,1,1,1,1,1\n",
		 .error =
			 "t: no event stands for 'l2_misses'; there are 'instructions', 'branches', 'branch_misses', "
			 "'l1i_misses', 'l1d_accesses', 'l1d_misses', 'l2_accesses'; say --map l2_misses=EXPRESSION, or "
			 "--assume l2_misses=0"},
		{.name = "our own form is told by its names",
		 .text = HEAD ROW,
		 .want = ROW,
		 .notes = "t: no epoch length is given, taken as 100 ms\n"},
		{.name = "our own form as any table",
		 .text = "# sahm trace 1\n" HEAD ROW,
		 .maps = {"l1i_misses=2 * l1i_misses"},
		 .want = "1000,200,20,6,300,30,33,4\n"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check_import(&cases[i]);
}

/* Of a string for which there is no memory jansson says that its syntax is wrong: that must not leave a row out. */
static unsigned json_allocations, json_failing;
/* Its buffer for strings it lets grow without looking whether it did, and crashes, which is beyond us. */
#define MOST_JSON_FAILING 5

static void *allocate_json(size_t bytes)
{
	if (++json_allocations != json_failing)
		return malloc(bytes);
	errno = ENOMEM;
	return NULL;
}

static void test_json_memory(void **state)
{
	struct textbuf b;
	struct imported r;
	(void)state;
	textbuf_init(&b);
	for (unsigned w = 0; w < NR_WINDOWS; w++)
		for (unsigned e = 0; e < NR_EVENTS; e++)
			in_json(&b, w, e, "");
	const struct import_case c = {.name = "json", .text = b.text, .maps = {L2_MISSES}};
	json_set_alloc_funcs(allocate_json, free);
	import_text_as(&c, "t", &r);
	unsigned nr = json_allocations;
	assert_int_equal(r.status, SAHM_OK);
	assert_true(nr > MOST_JSON_FAILING);
	imported_release(&r);
	for (json_failing = 1; json_failing <= MOST_JSON_FAILING; json_failing++) {
		json_allocations = 0;
		import_text_as(&c, "t", &r);
		assert_int_equal(r.status, SAHM_NOMEM);
		imported_release(&r);
	}
	json_set_alloc_funcs(malloc, free);
	textbuf_release(&b);
}

/* Files that cannot be imported are named, with a way out, unless the user says that they are tables. */
static void test_foreign_files(void **state)
{
	enum { BYTES, FIRST, BEGINS, HOLDS };
	static const struct {
		int where;
		const char *sign, *what, *advice;
	} rows[] = {
#define FOREIGN(where, sign, what, advice) {where, sign, what, advice},
#include "workloads/import/import_foreign_list.h"
#undef FOREIGN
	};
	static const char *const lead[] = {[BYTES] = "", [FIRST] = "", [BEGINS] = "# other\n", [HOLDS] = "# other\nx "};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		static const char *const lines[] = {[BYTES] = "", [FIRST] = ":1", [BEGINS] = ":2", [HOLDS] = ":2"};
		char text[256], error[1024];
		snprintf(text, sizeof(text), "%s%s\n1\n", lead[rows[i].where], rows[i].sign);
		snprintf(error, sizeof(error), "t%s: this looks like %s; %s", lines[rows[i].where], rows[i].what,
			 rows[i].advice);
		check_import(&(struct import_case){.name = rows[i].sign, .text = text, .error = error});
	}
	/* A first row that names our counters makes it a table, whatever else its lines look like. */
	static const char table[] =
		"# 4.2-full on node4\n# Samples: 3 programs\nnote,instructions,branches,branch_misses,l1i_misses,"
		"l1d_accesses,l1d_misses,l2_accesses,l2_misses\n"
		"\"Hardware Event Count:\",100,20,2,1,30,3,4,1\n";
	check_import(&(struct import_case){.name = "our counters",
					   .text = table,
					   .options = {.keep_idle = true},
					   .want = "100,20,2,1,30,3,4,1\n"});
	check_import(
		&(struct import_case){.name = "a table all the same",
				      .text = "Hardware Event Count:X,y\n5,1\n",
				      .format = "csv",
				      .maps = {"instructions=\"Hardware Event Count:X\""},
				      .assumes = {"branches=0", "branch_misses=0", "l1i_misses=0", "l1d_accesses=0",
						  "l1d_misses=0", "l2_accesses=0", "l2_misses=0"},
				      .want = "5,0,0,0,0,0,0,0\n"});
}

TEST_FILE(test_import_formats)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_foreign_files), cmocka_unit_test(test_perf_forms),
		cmocka_unit_test(test_perf_faults),   cmocka_unit_test(test_perf_more),
		cmocka_unit_test(test_callgrind),     cmocka_unit_test(test_likwid),
		cmocka_unit_test(test_tables),	      cmocka_unit_test(test_json_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
