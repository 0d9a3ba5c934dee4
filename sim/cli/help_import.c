/* sahm help import */

#include "sim/base/textbuf.h"
#include "sim/cli/help.h"
#include "workloads/import/import.h"

struct item {
	const char *term, *text;
};

static const struct item expressions[] = {
	{"-m branches='Bc + Bi'", "sums and differences; names hold '-', so a difference has blanks around its '-'"},
	{"-m l2_misses='0.5 * x'", "multiples; numbers are decimal, with at most nine decimals"},
	{"-m 'cycles=\"CPU time\"'", "a name with blanks, '+', '*' or parentheses in it stands in double quotes"},
	{"-m branches='delta(b)'",
	 "b is a running total: its difference to the row before (all columns: --cumulative)"},
	{"-m branches='a + zero(b)'",
	 "b counts as 0 where it was not counted: say so only where it cannot have happened"},
	{"-m time_s=stamp", "when a row of a table ended (s, ms, us, ns); a column that is called so is found without "
			    "saying; by equal times rows of a --group COLUMN are summed"},
	{"-m duration_ms=task-clock", "how long a row lasted, where that is counted; for --by-time"},
	{0},
};

static const struct item rows[] = {
	{"not counted",
	 "<not counted>, <not supported> and blank are not 0: the row is skipped, and counted; --assume N "
	 "stands in where an event is not supported or not there"},
	{"CPUs, threads", "are summed unless --each or --only; one of which nothing was counted in a row was idle, one "
			  "that is missing or unreadable makes the row incomplete"},
	{"text", "where a count should be, or between rows: passed over, and counted; a row that lacks a count then is "
		 "skipped"},
	{"all 0", "the program did not run: skipped, unless --keep-idle"},
	{"contradictions", "more misses than accesses, negative counts: skipped; more branches or data accesses than "
			   "instructions: taken, with a warning"},
	{"fractions", "are rounded so that totals are kept"},
	{"running totals", "begin anew behind a row that lacks them: that row and the next one are skipped"},
	{"cycles", "are left out when not all rows have them"},
	{"multiplexing", "the shares of time in which events were counted stay with the trace (counted_pct.COUNTER); a "
			 "ratio whose events had different shares is warned of"},
	{"short, long rows",
	 "become epochs like all others, with a warning; --by-time cuts them to equal length, and leaves out the "
	 "time of skipped ones"},
	{0},
};

static void print_items(const struct item *items, unsigned indent)
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

bool help_import(void)
{
	bool ok = true;
	puts("sahm trace import reads these formats (--format, where the looks deceive):");
	for (size_t i = 0; import_formats[i]; i++)
		print_item(stdout, import_format_name(import_formats[i]), import_format_help(import_formats[i]), 18);
	puts("\nEvents that stand for a counter by themselves, the first that is there; PMU names,\nmodifiers and case "
	     "do "
	     "not matter (cpu_core/Branches/u is branches):");
	for (int c = 0; c < NR_COUNTERS; c++) {
		struct textbuf events;
		textbuf_init(&events);
		join_events((enum counter)c, &events);
		print_item(stdout, counter_rows[c].name, events.text, 18);
		ok &= !textbuf_failed(&events);
		textbuf_release(&events);
	}
	puts("\nAll others are named by --map; what no tool counted is assumed\n(--assume l1i_misses=0):");
	print_items(expressions, 30);
	puts("\nA row of counts, complete, becomes an epoch. What files have beside:");
	print_items(rows, 20);
	return ok;
}

void roff_formats(void)
{
	for (size_t i = 0; import_formats[i]; i++)
		roff_item(import_format_name(import_formats[i]), import_format_help(import_formats[i]));
}

void roff_events(void)
{
	for (const struct import_event *e = import_events; e->expression; e++) {
		char text[160];
		snprintf(text, sizeof(text), "%s (%s).", counter_rows[e->counter].name, e->source);
		roff_item(e->expression, text);
	}
	puts(".SS Expressions");
	for (const struct item *i = expressions; i->term; i++)
		roff_item(i->term, i->text);
	puts(".SS Rows");
	for (const struct item *i = rows; i->term; i++)
		roff_item(i->term, i->text);
}
