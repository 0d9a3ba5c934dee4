/* Pages of help and of the manual: their layout, and their topics, printed from the program's own tables. */
#include "sim/cli/help.h"

#include <stdio.h>
#include <string.h>

#include "cores/chip/core_spec.h"
#include "cores/chip/counters.h"
#include "cores/chip/cuts.h"
#include "cores/uarch/core_model.h"
#include "results/metrics/run_metrics.h"
#include "results/studies/study.h"
#include "sched/host/interface.h"
#include "sched/ordered/sched.h"
#include "sim/base/array.h"
#include "sim/base/cfg.h"
#include "sim/base/clean.h"
#include "sim/base/textbuf.h"
#include "sim/engine/config/run_config.h"
#include "sim/sweep/space.h"
#include "workloads/import/import.h"
#include "workloads/synth/profile.h"
#include "workloads/trace/provenance.h"

#define LINE_WIDTH 80

/* Prints a character of a word of `len` bytes, cleaned: `sahm doctor` quotes what other programs say. Returns its
 * bytes. */
static size_t print_character(const char *text, size_t len, FILE *out)
{
	unsigned nr;
	bool is_command = is_terminal_command(text, &nr);
	fwrite(is_command || nr > len ? "????" : text, 1, nr < len ? nr : len, out);
	return nr < len ? nr : len;
}

void print_wrapped(FILE *out, const char *text, unsigned column, unsigned indent)
{
	while (*text) {
		size_t word = strcspn(text, " ");
		if (column > indent && column + 1 + word > LINE_WIDTH) {
			fprintf(out, "\n%*s", (int)indent, "");
			column = indent;
		} else if (column > indent) {
			fputc(' ', out);
			column++;
		}
		for (size_t i = 0, nr; i < word; i += nr)
			nr = print_character(text + i, word - i, out);
		column += (unsigned)word;
		text += word + (text[word] == ' ');
	}
	fputc('\n', out);
}

void print_item(FILE *out, const char *term, const char *text, unsigned indent)
{
	int used = fprintf(out, "  %s", term);
	if (used < 0 || (unsigned)used + 1 >= indent)
		fprintf(out, "\n%*s", (int)indent, "");
	else
		fprintf(out, "%*s", (int)indent - used, "");
	print_wrapped(out, text, indent, indent);
}

void roff_text(const char *text)
{
	for (; *text; text++) {
		if (*text == '\\')
			fputs("\\e", stdout);
		else if (*text == '-')
			fputs("\\-", stdout);
		else if (*text == '`')
			continue;
		else if (*text == '\n')
			fputs("\n.PP\n", stdout);
		else
			putchar(*text);
	}
}

void roff_item(const char *term, const char *text)
{
	fputs(".TP\n.B ", stdout);
	roff_text(term);
	fputs("\n", stdout);
	roff_text(text);
	fputs("\n", stdout);
}

/* "Help. Default: 1.0 ms. Range: 0 to 10 ms." */
static void write_note(const struct cfg_key *key, struct textbuf *note)
{
	bool number = key->kinds & CFG_NUMBER, has_unit = number && *key->unit;
	textbuf_printf(note, "%s.", key->help);
	/* One core, not one cores; units of two letters (ms, us) have no plural. */
	size_t unit_len = has_unit ? strlen(key->unit) : 0;
	if (strcmp(key->default_value, "1") == 0 && unit_len > 2 && key->unit[unit_len - 1] == 's')
		unit_len--;
	if (*key->default_value)
		textbuf_printf(note, " Default: %s%s%.*s.", key->default_value, has_unit ? " " : "", (int)unit_len,
			       has_unit ? key->unit : "");
	if (!number)
		return;
	textbuf_puts(note, " Range: ");
	cfg_write_bound(note, key, key->min);
	textbuf_puts(note, " to ");
	cfg_write_bound(note, key, key->max);
	textbuf_printf(note, "%s%s.", has_unit ? " " : "", has_unit ? key->unit : "");
}

/* Everything about a key: its help, default and range; as an item, and as one of a man page. False when out of memory.
 */
bool help_key(const struct cfg_key *key)
{
	struct textbuf note;
	textbuf_init(&note);
	write_note(key, &note);
	bool ok = !textbuf_failed(&note);
	print_item(stdout, key->path, note.text, 6);
	textbuf_release(&note);
	return ok;
}

static bool roff_key(const struct cfg_key *key)
{
	struct textbuf note;
	textbuf_init(&note);
	write_note(key, &note);
	bool ok = !textbuf_failed(&note);
	roff_item(key->path, note.text);
	textbuf_release(&note);
	return ok;
}

static bool help_keys(const struct cfg_key *keys, size_t nr)
{
	bool ok = true;
	for (size_t k = 0; k < nr; k++)
		ok &= help_key(&keys[k]);
	return ok;
}

static bool roff_each_key(const struct cfg_key *keys, size_t nr)
{
	bool ok = true;
	for (size_t k = 0; k < nr; k++)
		ok &= roff_key(&keys[k]);
	return ok;
}

static bool help_config(void)
{
	puts("A configuration is a libconfig file; every key that has a default can be left\nout. "
	     "--set PATH=VALUE changes any of them on the command line.\n\n"
	     "A number of a key with a unit is in that unit, or says its own in quotes: \"5us\",\n"
	     "\"60s\", \"30%\", a speedup also as a factor, \"1.3x\"; in --set and --axis without\n"
	     "quotes.\n");
	bool ok = help_keys(config_keys, NR_CONFIG_KEYS);
	fputs("\nThe shortest that runs:\n"
	      "  chip : { cores = ( { type = \"baseline\"; }, { type = \"l2\"; speedup_pct = 30; } ); };\n"
	      "  workload : { traces = [ \"gzip.csv\" ]; };\n",
	      stdout);
	return ok;
}

static bool help_comparison(void)
{
	puts("A comparison is a libconfig file that lists what `sahm compare` runs:\n");
	bool ok = help_keys(study_keys, NR_STUDY_KEYS);
	fputs("\nThe shortest that runs:\n"
	      "  costs_ms = [0, 1, 9];\n"
	      "  suites = ( { name = \"mine\"; config = \"mine.cfg\"; } );\n"
	      "  policies = ( { policy = \"sahm\"; }, { policy = \"static\"; } );\n",
	      stdout);
	return ok;
}

static void help_cores(void)
{
	char note[256], term[64];
	puts("core types (key chip.cores[].type):");
	print_item(stdout, "baseline", "the reference core; serves nothing, matches Low", 30);
	print_item(stdout, "branch, l1i, l1d, l2", "specialised for a component; several are joined by + (l2+branch)",
		   30);
	print_item(stdout, "general", "the same speedup in every state, 5 % unless given", 30);
	print_item(stdout, "table", "16 measured speedups, indexed by state (sahm help states)", 30);
	puts("\npublished work:");
	for (const struct literature_row *row = literature_rows; row->name; row++) {
		snprintf(term, sizeof(term), "%s", row->name);
		snprintf(note, sizeof(note), "%s: %s %% targeted, %s %% average; %s (%s)",
			 component_name(row->component), row->targeted_pct, row->average_pct, row->work, row->source);
		print_item(stdout, term, note, 30);
	}
	puts("\nThe models of cores that compute cycles from instruction streams are listed by `sahm core list`.\n"
	     "`sahm help core-models` lists their keys.");
}

static void help_policies(void)
{
	puts("policies (key scheduler.policy):");
	for (const struct sched_ext_ops *const *p = sched_policies; *p; p++)
		print_item(stdout, (*p)->name, (*p)->summary, 18);
	puts("\nEach observes a thread's last timestep, or, with scheduler.oracle = true, the\nstate in which the "
	     "coming one begins. A path is that of a plug-in:\n`sahm policy new` begins one, `sahm help "
	     "policy-interface` lists what it can do.");
}

static void help_states(void)
{
	puts("states (index: name; HIGH components joined by +):");
	for (unsigned s = 0; s < NR_STATES; s++)
		printf("  %2u: %s\n", s, state_name(s));
	puts("\nmetrics and thresholds (HIGH is strictly above the threshold):");
	printf("  %-11s %-26s %5s", "threshold", "metric", "unit");
	for (size_t i = 0; cut_set_names[i]; i++)
		printf("%11s", cut_set_names[i]);
	puts("");
	for (int c = 0; c < NR_COMPONENTS; c++) {
		const struct metric_row *m = &metric_rows[c];
		char metric[64];
		snprintf(metric, sizeof(metric), "%s / %s", counter_rows[m->numerator].name,
			 counter_rows[m->denominator].name);
		printf("  %-11s %-26s %5s", m->key, metric, m->unit);
		for (size_t i = 0; cut_set_names[i]; i++) {
			struct cuts cuts;
			cuts_named(cut_set_names[i], &cuts);
			printf("%11g", cuts_get(&cuts, (enum component)c));
		}
		puts("");
	}
	puts("\np25 and p50 are the 25th and 50th percentiles of the metrics over the paper's traces\n(Wadle 2026, "
	     "table 4.3); intuitive is the paper's choice.");
}

static bool roff_keys(void)
{
	return roff_each_key(config_keys, NR_CONFIG_KEYS);
}

static bool roff_study_keys(void)
{
	return roff_each_key(study_keys, NR_STUDY_KEYS);
}

static bool roff_core_keys(void)
{
	size_t nr;
	const struct cfg_key *keys = core_model_keys(&nr);
	return roff_each_key(keys, nr);
}

static bool help_core_models(void)
{
	size_t nr;
	const struct cfg_key *keys = core_model_keys(&nr);
	puts("A model of a core is a libconfig file; sahm core list shows those that are shipped, sahm core show\n"
	     "NAME prints one as a whole, and -s KEY=VALUE changes a value of it.\n");
	return help_keys(keys, nr);
}

static void roff_cores(void)
{
	char note[256];
	for (const struct literature_row *row = literature_rows; row->name; row++) {
		snprintf(note, sizeof(note), "%s; %s %% targeted, %s %% average; %s (%s).",
			 component_name(row->component), row->targeted_pct, row->average_pct, row->work, row->source);
		roff_item(row->name, note);
	}
}

static void roff_policies(void)
{
	for (const struct sched_ext_ops *const *p = sched_policies; *p; p++)
		roff_item((*p)->name, (*p)->summary);
}

/* What a run reports; sahm(1) says the same of the members of the JSON object. */
const struct help_item help_results_items[] = {
	{"simulated", "simulated time, in whole timesteps; without a duration, if no thread repeats its trace, "
		      "until the last one has left (the makespan of a batch); in mode alone, and with several "
		      "samples, the sum over all simulations"},
	{"all samples together",
	 "where there are several: the tables by thread, core and state are made of the counts of all samples, "
	 "added up"},
	{"speedup", "baseline time completed over time present and not asleep, less 1; the mean weighs threads alike"},
	{"served",
	 "executed timesteps whose core serves a component stressed in the state in which the timestep began; a "
	 "general core, or one of type table, serves the states in which its speedup is above 0"},
	{"matched", "the same, and timesteps in Low on a baseline core"},
	{"migrations", "migrations to another core; a swap is two, one for each thread"},
	{"baseline time", "work that a thread completed, in time of the baseline core; a trace that ends starts "
			  "again"},
	{"tenant", "where some thread has one"},
	{"slept", "where some thread sleeps: for how long, of the time that it was there"},
	{"arrived", "where some thread is to come late: when it joined; a dash for who never did"},
	{"left", "if some thread does not repeat its trace: when it ended, averaged over the simulations "
		 "in which it did; a dash for one that never ended. The line below the table counts those "
		 "that ended, over all simulations"},
	{"speedup of the system",
	 "baseline time of all threads over time x the lesser of threads present, and awake, and cores, less 1"},
	{"throughput, STP", "baseline time completed by all threads over simulated time: the number of baseline "
			    "cores that would do the same work; beside it the average number of threads present "
			    "(Eyerman and Eeckhout 2008, whose STP, the sum of NP, equals this if all threads are "
			    "always present)"},
	{"turnaround, ANTT", "mean of 1/NP, where NP = baseline time completed over time present and awake, for each "
			     "thread: how many times as long it takes as on a baseline core that it does not share"},
	{"gain",
	 "where more threads are awake than there are cores: NP against a fair share of baseline cores (cores over "
	 "threads), less 1; `slow-down` in the heading is ANTT beside that of fair shares"},
	{"speedup, ... mean", "arithmetic, harmonic and geometric mean of NP, less 1"},
	{"fairness, Jain",
	 "square of the sum of NP over threads x sum of squares: 1 when all are alike (Jain, Chiu and "
	 "Hawe 1984)"},
	{"fairness by weight, Jain", "the same of NP over a thread's weight: 1 when all progress as their weights say"},
	{"slow-down, maximum", "largest 1/NP of a thread"},
	{"unfairness",
	 "largest 1/NP over the smallest: 1 when all are alike (Mutlu and Moscibroda 2007, there of memory "
	 "accesses)"},
	{"running",
	 "timesteps that threads executed, of those that they could have (all in which they were present); in "
	 "continuous time, executed time of that in which they were awake"},
	{"at state transitions", "executed timesteps that began in another state than the thread's last one"},
	{"decisions", "migrations and swaps; a swap is one decision and two migrations"},
	{"mismatched", "executed timesteps whose core does not match their state, times the timestep"},
	{"migration cost paid", "time in which threads paid for migrations instead of making progress"},
	{"energy, power",
	 "where chip.costs names a table with the figures of all cores: J of the chip, nJ per instruction that threads "
	 "completed, W on average; a thread has its dynamic energy, that of its migrations, and the static energy of cores "
	 "while it executes there"},
	{"energy-delay product",
	 "energy over W times time over W, where W is the baseline time completed by all threads; squared: times time over "
	 "W again (Gonzalez and Horowitz 1996)"},
	{"wake-up latency",
	 "in continuous time, where threads sleep: from waking to running; the times that half of the wake-ups, 95 % "
	 "and 99 % of them stay at or below (of the nearest rank, known to within 1 %)"},
	{"run-queue wait",
	 "in continuous time: from each time that a thread became ready, by waking or because another took its place, "
	 "to its running; the same percentiles"},
	{"of N samples", "mean over the samples' values, and the bounds of the 95 % interval of drawn samples, which "
			 "all but the first are (percentile bootstrap; Student's t of fewer than ten drawn)"},
	{"by core (--details)",
	 "utilisation: its timesteps in which a thread executed; of these, those served and matched"},
	{"by state (--details)", "executed timesteps that began in it; of these, those served and matched"},
	{"introspection",
	 "with IPUs: how often their programs ran and how many instructions that took, bytes that each sent per "
	 "simulated second, and executed timesteps whose thread was observed in the state in which they began; "
	 "where there are some: input sets that came while the IPU was running (dropped) or that sampling left out "
	 "(skipped), packets that name no state (rejected) or did not fit (lost), IPUs in ERROR; by core "
	 "with --details, where utilisation is the part of the IPU's cycles in the run in which it executed, in "
	 "millionths (ppm)"},
	{"given up",
	 "a run that was to last until all have left ended before, as debts may grow faster than they are paid "
	 "(workload.duration_ms in `sahm help config` says when); all that is shown is of the time until then"},
	{"synthetic", "traces that were generated, not recorded"},
	{"assumed time base", "traces whose epochs are not stretches of measured time but, for example, a number of "
			      "instructions (`epoch` of `sahm trace info`): each is replayed as if it had lasted the "
			      "epoch length, so all times are assumed"},
	{"counts",
	 "counters of traces that nobody measured: assumed (--assume of `sahm trace import`), modelled by callgrind "
	 "or QEMU, or derived from ratios and rates; states that follow from them are no measurements either. Traces that do not say it are not listed"},
	{"(hash)", "in the heading: the first digits of config_hash, the same for the same chip, scheduler and traces"},
	{0},
};

static void help_results(void)
{
	puts("what `sahm run` reports:");
	for (const struct help_item *m = help_results_items; m->term; m++)
		print_item(stdout, m->term, m->text, 26);
	puts("\nmetrics of a whole run, by their names in JSON, in results databases and for --metric\n(shares and speedups are "
	     "fractions there, times ns):");
	for (int m = 0; m < NR_RUN_METRICS; m++)
		print_item(stdout, run_metric_rows[m].name, run_metric_rows[m].words, 26);
}

static void help_traces(void)
{
	puts("a trace is one program's epochs, a row each, with these counts (CSV columns):");
	for (int c = 0; c < NR_COUNTERS; c++)
		print_item(stdout, counter_rows[c].name, counter_rows[c].help, 18);
	puts("\nEvery epoch lasts the same time on the baseline core, 100 ms unless said otherwise:\nthe "
	     "machine that the counts come from is the baseline. A trace says where it comes\nfrom (`sahm "
	     "trace import --provenance`):");
	for (int k = 0; k < NR_PROVENANCE_KEYS; k++)
		print_item(stdout, provenance_key_name((enum provenance_key)k),
			   provenance_key_help((enum provenance_key)k), 18);
	print_item(stdout, "event.<counter>", "the event that stands for a counter", 18);
	print_item(stdout, "counted_pct.<counter>", "share of the time in which it was counted (multiplexing)", 18);
	print_item(stdout, "origin.<counter>",
		   "measured, modelled (by callgrind, QEMU), derived (from ratios) or assumed (by you)", 18);
}

/* sahm help import */

static const struct help_item expressions[] = {
	{"-m branches='Bc + Bi'", "sums and differences; names hold '-', so a difference has blanks around its '-'"},
	{"-m l2_misses='0.5 * x'", "multiples; numbers are decimal, with at most nine decimals"},
	{"-m branches='a / b'",
	 "products and quotients, for tools that print ratios: such a counter is derived (origin.COUNTER); names hold "
	 "'/', so a quotient has blanks around its '/'"},
	{"-m 'cycles=\"CPU time\"'", "a name with blanks, '+', '*' or parentheses in it stands in double quotes"},
	{"-m branches='delta(b)'",
	 "b is a running total: its difference to the row before (all columns: --cumulative)"},
	{"-m branches='a + zero(b)'",
	 "b counts as 0 where it was not counted: say so only where it cannot have happened"},
	{"-m time_s=stamp", "when a row of a table ended (s, ms, us, ns); by equal times rows of a --group COLUMN are "
			    "summed. A column called time, timestamp or elapsed is found if its name (elapsed_ms, "
			    "\"Time [us]\") or its values (12.5 ms, 2026-11-23T14:05:00.25Z) say the unit"},
	{"-m duration_ms=task-clock", "how long a row lasted, where that is counted; for --by-time"},
	{0},
};

static const struct help_item rows[] = {
	{"not counted",
	 "<not counted>, <not supported> and blank are not 0: the row is skipped, and counted; --assume N "
	 "stands in where an event is not supported or not there"},
	{"CPUs, threads", "are summed unless --each or --only; one of which nothing was counted in a row was idle, one "
			  "that is missing or unreadable makes the row incomplete"},
	{"text", "where a count should be, or between rows: passed over, and counted; a row that lacks a count then "
		 "is skipped"},
	{"all 0", "the program did not run: skipped, unless --keep-idle"},
	{"contradictions", "more misses than accesses, negative counts: skipped; more branches or data accesses than "
			   "instructions: taken, with a warning"},
	{"fractions", "are rounded so that totals are kept"},
	{"running totals", "a row without them is skipped, and so is the next one; totals continue after that"},
	{"cycles", "are left out when not all rows have them"},
	{"multiplexing", "the shares of time in which events were counted stay with the trace (counted_pct.COUNTER); a "
			 "ratio whose events had different shares is warned of"},
	{"windows",
	 "that counted different events in turn: --rotate joins those from one complete set to the next; a counter "
	 "is scaled by the instructions of the windows in which it was counted"},
	{"short, long rows",
	 "become epochs like all others, with a warning; --by-time cuts them to equal length, and leaves out the "
	 "time of skipped ones"},
	{0},
};

static void print_items(const struct help_item *items, unsigned indent)
{
	for (; items->term; items++)
		print_item(stdout, items->term, items->text, indent);
}

/* The events of one counter, best first: "branches, branch-instructions, Bc + Bi". */
static void join_events(enum counter c, struct textbuf *out)
{
	for (const struct import_event *e = import_events; e->expression; e++)
		if (e->counter == c)
			textbuf_printf(out, "%s%s", out->len ? ", " : "", e->expression);
}

static bool help_import(void)
{
	bool ok = true;
	puts("sahm trace import reads these formats; the last line that it prints says which one it took, and\n--format takes another:");
	for (size_t i = 0; import_formats[i]; i++)
		print_item(stdout, import_format_name(import_formats[i]), import_format_help(import_formats[i]), 18);
	puts("\nEvents that stand for a counter without --map, the first one present; PMU "
	     "names,\nmodifiers, _pebs and case do not matter (cpu_core/Branches/u is branches):");
	for (int c = 0; c < NR_COUNTERS; c++) {
		struct textbuf events;
		textbuf_init(&events);
		join_events((enum counter)c, &events);
		print_item(stdout, counter_rows[c].name, events.text, 18);
		ok &= !textbuf_failed(&events);
		textbuf_release(&events);
	}
	puts("\n--map names all others, and --assume gives counters that no tool counted a value\n(--assume l1i_misses=0):");
	print_items(expressions, 30);
	puts("\nA row of counts, complete, becomes an epoch. What files have beside:");
	print_items(rows, 20);
	return ok;
}

static void roff_formats(void)
{
	for (size_t i = 0; import_formats[i]; i++)
		roff_item(import_format_name(import_formats[i]), import_format_help(import_formats[i]));
}

static void roff_events(void)
{
	for (const struct import_event *e = import_events; e->expression; e++) {
		char text[160];
		snprintf(text, sizeof(text), "%s (%s).", counter_rows[e->counter].name, e->source);
		roff_item(e->expression, text);
	}
	puts(".SS Expressions");
	for (const struct help_item *i = expressions; i->term; i++)
		roff_item(i->term, i->text);
	puts(".SS Rows");
	for (const struct help_item *i = rows; i->term; i++)
		roff_item(i->term, i->text);
}

/* sahm help policy-interface */

/* Headings for each kind of operation and call. */
static const struct {
	const char *operations, *calls;
} kinds[] = {
	[SCHED_KERNEL] = {"operations of a policy, as in the kernel's sched_ext, roughly in the order of their calls:",
			  "calls, as in the kernel:"},
	[SCHED_SAHM] = {"operations that the kernel does not have:", "calls that the kernel does not have:"},
	[SCHED_UNSUPPORTED] = {"operations of the kernel that are not simulated; a policy that gives one is refused:",
			       "calls of the kernel that are not simulated; each ends the run by its name:"},
	[SCHED_BPF] = {NULL, "calls of programs for the kernel's BPF interface, from any operation:"},
	[SCHED_IGNORED] = {"operations that are never called, since there is never an occasion:", NULL},
};
#define NR_KINDS ARRAY_SIZE(kinds)

static void print_call(const struct sched_call_row *row)
{
	char note[256];
	snprintf(note, sizeof(note), "%s%s%s", row->what, row->from == SCHED_ANY ? "" : "; from ",
		 row->from == SCHED_ANY ? "" : sched_from_text(row->from));
	print_item(stdout, row->name, note, 32);
}

/* What the newest kernel has besides, and why the simulator does not. */
static void print_absent(void)
{
	printf("\nnot there, of what Linux 7.1 to 7.4 has for its schedulers (names end in * where all of them are meant):\n");
#define ABSENT_GROUP(title) printf("\n%s:\n", title);
#define ABSENT(name, reason) print_item(stdout, name, reason, 32);
#include "sched/host/absent_list.h"
#undef ABSENT
#undef ABSENT_GROUP
}

static void help_policy_interface(void)
{
	print_wrapped(
		stdout,
		"A policy is a table of operations in C, with `sched/ext.h` as its one header; built as a shared "
		"object it is a plug-in. `sahm policy new` begins one, `sahm policy check` looks at one, `sahm policy "
		"build` makes one of a scheduler for the kernel; "
		"policies.md, installed with the documentation, is a tutorial.",
		0, 0);
	for (size_t k = 0; k < NR_KINDS; k++) {
		if (kinds[k].operations)
			printf("\n%s\n", kinds[k].operations);
		for (const struct sched_op_row *row = sched_op_rows; row->name; row++)
			if (row->kind == (enum sched_kind)k)
				print_item(stdout, row->name, row->when, 22);
	}
	for (size_t k = 0; k < NR_KINDS; k++) {
		if (kinds[k].calls)
			printf("\n%s\n", kinds[k].calls);
		for (const struct sched_call_row *row = sched_call_rows; row->name; row++)
			if (row->kind == (enum sched_kind)k)
				print_call(row);
	}
	print_absent();
}

static void roff_operations(void)
{
	char note[256];
	for (const struct sched_op_row *row = sched_op_rows; row->name; row++) {
		if (row->kind == SCHED_UNSUPPORTED || row->kind == SCHED_IGNORED)
			continue;
		snprintf(note, sizeof(note), "%s.%s", row->when, row->kind == SCHED_SAHM ? " Not in the kernel." : "");
		roff_item(row->name, note);
	}
}

static void roff_calls(void)
{
	char note[256];
	for (const struct sched_call_row *row = sched_call_rows; row->name; row++) {
		if (row->kind == SCHED_UNSUPPORTED)
			continue;
		bool anywhere = row->from == SCHED_ANY;
		snprintf(note, sizeof(note), "%s%s%s.%s", row->what, anywhere ? "" : "; from ",
			 anywhere ? "" : sched_from_text(row->from),
			 row->kind == SCHED_SAHM ? " Not in the kernel." : "");
		roff_item(row->name, note);
	}
}

/* sahm help sweeps */

static const struct help_item forms[] = {
	{"KEY=V1,V2,...",
	 "a key with its values, written as --set takes them; commas inside of quotes and brackets are "
	 "part of a value"},
	{"KEY=FIRST..LAST[..STEP]",
	 "a range of numbers, with up to nine decimals; its step is 1 unless given, in the unit of both: 1s..5s"},
	{"chip=paper[:KEY=VALUE,...]", "the paper's chips, with keys of the generator as in the section"},
	{"chip=mixes:KEY=VALUE,...", "mixes, likewise"},
};

static bool help_sweeps(void)
{
	print_wrapped(stdout,
		      "A sweep runs a configuration at every point of a space: every value of each axis, "
		      "combined with every value of all others. The section `sweep` of the configuration lists "
		      "the axes; its keys begin with \"sweep.\":",
		      0, 0);
	puts("");
	bool ok = help_keys(space_keys, NR_SPACE_KEYS);
	puts("\nOn the command line, --axis adds an axis after those of the section, and --zip a\nkey "
	     "that changes together with the --axis before it:");
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		print_item(stdout, forms[i].term, forms[i].text, 30);
	fputs("\nNo two axes set the same key; of two where one leads to the other (chip.cores,\n"
	      "which a generator sets, and chip.cores[1].count), the longer comes later.\n"
	      "\nA section:\n"
	      "  sweep : { axes = (\n"
	      "    { generator = \"mixes\"; cores = 4; types = ( { type = \"baseline\"; },\n"
	      "        { type = \"l2\"; speedup_pct = 30.0; most = 2; } ); },\n"
	      "    { key = \"scheduler.policy\"; values = [\"sahm\", \"keen\"]; name = \"policy\"; },\n"
	      "    { zip = ( { key = \"scheduler.inertia\"; values = [0, 5]; },\n"
	      "              { key = \"migration.cost_ms\"; values = \"0..1\"; } ); } ); };\n"
	      "The same on the command line:\n"
	      "  --axis 'chip=mixes:cores=4,types=({type=\"baseline\";},\n"
	      "          {type=\"l2\";speedup_pct=30.0;most=2;})'\n"
	      "  --axis scheduler.policy=sahm,keen\n"
	      "  --axis scheduler.inertia=0,5 --zip migration.cost_ms=0..1\n"
	      "The paper's chips: --axis chip=paper:baseline=7,each=8,fill=true\n",
	      stdout);
	return ok;
}

static bool roff_sweep_keys(void)
{
	return roff_each_key(space_keys, NR_SPACE_KEYS);
}

/* sahm help synth */

static const char example[] = "  # sahm profile 1\n"
			      "  # seed: 1\n"
			      "  # epoch_ms: 100\n"
			      "  # jitter_pct: 4              a column that is the same in all rows\n"
			      "  # (and so on)\n"
			      "  name,      epochs, minstr, Low, Branch, L2+L1D, single_pct, ...\n"
			      "  browser,     3000,    900,  30,     60,     10,         25, ...\n"
			      "  database,    6000,    400,   0,     15,     85,          5, ...\n";

static void help_synth(void)
{
	puts("a profile is a table that `sahm trace synth` makes traces from, a row per benchmark:\n");
	puts(example);
	puts("columns, of which none has a default:");
	print_item(stdout, "name", "name of the benchmark; its trace is called NAME-synthetic", 18);
	print_item(stdout, "Low, Branch, ...",
		   "a column for each state that is visited (sahm help states): its share of the time, in parts of "
		   "the row's sum, which need not be 100; rounded to whole epochs",
		   18);
	for (unsigned c = 0; c < NR_PROFILE_COLUMNS; c++)
		print_item(stdout, profile_columns[c].name, profile_columns[c].help, 18);
	puts("\nA typical value (the eight from branch_low_pct on) that no state of a row needs\nis written `-`.\n");
	puts("lines `# key: value` above the table:");
	for (const struct profile_key_row *k = profile_keys; k->name; k++)
		print_item(stdout, k->name, k->help, 18);
	puts("\nOther comments are ignored, but a misspelt key followed by a colon is an\n"
	     "error. `sahm run` depends on the shares, the lengths of intervals, and on "
	     "which\nside of its threshold a metric is. Examples to copy are server.profile "
	     "and\nphone.profile, in workloads/suites/synthetic of the source, "
	     "in\nshare/sahm/workloads/suites/synthetic of an installation.");
}

static void roff_field(const char *name, const char *help, bool required)
{
	char text[320];
	snprintf(text, sizeof(text), "%s%s.", help, required ? "" : " (may be left out)");
	roff_item(name, text);
}

static void roff_profile_columns(void)
{
	for (unsigned c = 0; c < NR_PROFILE_COLUMNS; c++)
		roff_field(profile_columns[c].name, profile_columns[c].help, true);
}

static void roff_profile_keys(void)
{
	for (const struct profile_key_row *k = profile_keys; k->name; k++)
		roff_field(k->name, k->help, k->required);
}

const struct help_item help_glossary_items[] = {
#define GLOSSARY(term, text) {term, text},
#include "sim/cli/glossary_list.h"
#undef GLOSSARY
	{0},
};

static void help_glossary(void)
{
	puts("terms:");
	for (const struct help_item *g = help_glossary_items; g->term; g++)
		print_item(stdout, g->term, g->text, 26);
}

/* The first hour, as commands. */
static void help_quickstart(void)
{
	puts("Which traces are there, and in which states do the programs live?\n"
	     "  sahm trace list\n"
	     "  sahm characterize open\n"
	     "\n"
	     "What would a chip of specialised cores do for some of them, or for a suite?\n"
	     "  sahm run gzip xz zstd --chip '2*baseline,l2:30,branch+l1i:30/20'\n"
	     "  sahm run open\n"
	     "\n"
	     "Which policy is best there?\n"
	     "  sahm compare -p sahm,fair,keen gzip xz zstd --chip '2*baseline,l2:30'\n"
	     "\n"
	     "A program of your own (where the processor's counters cannot be had: --via qemu), and a policy:\n"
	     "  sahm trace record -- python3 mine.py\n"
	     "  sahm run mine.trc gzip\n"
	     "  test -d mine || sahm policy new mine; make -C mine && sahm compare -p sahm,mine/mine.so mine.trc gzip\n"
	     "\n"
	     "What does each parameter do? A sweep, and a page about it:\n"
	     "  sahm run mine.trc gzip --print-config >mine.cfg\n"
	     "  sahm sweep mine.cfg --axis scheduler.inertia=0..10 --axis migration.cost_ms=0,1,5 -o mine.sqlite\n"
	     "  sahm query mine.sqlite best\n"
	     "  sahm report mine.sqlite -o page\n"
	     "\n"
	     "The best chip of at most four cores, and the paper's figures:\n"
	     "  sahm optimize mine.cfg --cores 4\n"
	     "  sahm reproduce");
}

const struct help_topic help_topics[] = {
	{"quickstart", .print = help_quickstart},
	{"config", .build = help_config},
	{"cores", .print = help_cores},
	{"core-models", .build = help_core_models},
	{"policies", .print = help_policies},
	{"policy-interface", .print = help_policy_interface},
	{"states", .print = help_states},
	{"traces", .print = help_traces},
	{"import", .build = help_import},
	{"synth", .print = help_synth},
	{"profile", .print = help_synth},
	{"results", .print = help_results},
	{"comparisons", .build = help_comparison},
	{"studies", .build = help_comparison},
	{"sweeps", .build = help_sweeps},
	{"glossary", .print = help_glossary},
	{0},
};

const struct help_topic help_man_parts[] = {
	{"commands", .print = NULL},
	{"keys", .build = roff_keys},
	{"cores", .print = roff_cores},
	{"core-model-keys", .build = roff_core_keys},
	{"policies", .print = roff_policies},
	{"operations", .print = roff_operations},
	{"calls", .print = roff_calls},
	{"formats", .print = roff_formats},
	{"events", .print = roff_events},
	{"profile-columns", .print = roff_profile_columns},
	{"profile-keys", .print = roff_profile_keys},
	{"comparison-keys", .build = roff_study_keys},
	{"study-keys", .build = roff_study_keys}, /* old name */
	{"sweep-keys", .build = roff_sweep_keys},
	{0},
};
