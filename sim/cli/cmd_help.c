/* sahm help: pages from the same tables that the program works with; also the generated parts of its man pages. */
#include <stdio.h>
#include <string.h>

#include "cores/chip/core_spec.h"
#include "cores/chip/counters.h"
#include "cores/chip/cuts.h"
#include "results/metrics/run_metrics.h"
#include "results/studies/study.h"
#include "sched/ordered/sched.h"
#include "sim/base/suggest.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/help.h"
#include "sim/cli/option_words.h"
#include "sim/engine/config/run_config.h"
#include "workloads/trace/provenance.h"

#define LINE_WIDTH 80

struct request {
	const char *part; /* of the man pages */
	char name[128];	  /* of a command, of one word or two, or of a topic */
};

static enum sahm_status take_word(void *request, struct option_walk *w, struct sahm_err *err)
{
	struct request *r = request;
	size_t len = strlen(r->name);
	(void)err;
	snprintf(r->name + len, sizeof(r->name) - len, "%s%s", len ? " " : "", w->value);
	return SAHM_OK;
}

static const struct option_row options[] = {
	{"man", 0, "PART",
	 "print a generated part of the man pages, as roff: commands, keys, cores, policies, operations, calls, "
	 "formats, "
	 "events, profile-columns, profile-keys, study-keys, sweep-keys",
	 OPTION_STRING, AT(const char *, part)},
	{TAKE_OPERANDS(take_word)},
};

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
		fwrite(text, 1, word, out);
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

void help_overview(bool to_stderr)
{
	FILE *out = to_stderr ? stderr : stdout;
	fputs("usage: sahm [OPTION]... COMMAND [OPTION]... [OPERAND]...\n\n"
	      "Replays hardware-counter traces of programs on chips of specialised cores.\n",
	      out);
	for (const struct command *const *c = commands; *c; c++) {
		if (command_headings[c - commands])
			fprintf(out, "\n%s:\n", command_headings[c - commands]);
		print_item(out, (*c)->name, (*c)->summary, 18);
	}
	fputs("\noptions before a command:\n", out);
	for (const struct option_row *row = global_options; row->name; row++) {
		char term[96];
		snprintf(term, sizeof(term), "--%s %s", row->name, row->value);
		print_item(out, term, row->help, 18);
	}
	print_item(out, "-h, --help", "print this, or a command's page behind its name", 18);
	print_item(out, "-V, --version", "print the version", 18);
	fputs("\n`sahm help COMMAND` explains a command; `sahm help config`, `cores`, `policies`\n"
	      "and `states` list what a configuration can say; `sahm help traces` and `results`\n"
	      "explain what goes in and what comes out.\n",
	      out);
}

static void option_term(const struct option_row *row, char *term, size_t room)
{
	char letter[8] = "    ";
	if (row->letter)
		snprintf(letter, sizeof(letter), "-%c, ", row->letter);
	snprintf(term, room, "%s--%s%s%s", letter, row->name, row->value ? " " : "", row->value ? row->value : "");
}

void help_command(const struct command *c)
{
	char term[96];
	printf("usage: sahm %s [OPTION]...%s%s\n\n", c->name, *c->operands ? " " : "", c->operands);
	for (const char *p = c->details; *p;) {
		size_t len = strcspn(p, "\n");
		char paragraph[1024];
		snprintf(paragraph, sizeof(paragraph), "%.*s", (int)len, p);
		print_wrapped(stdout, paragraph, 0, 0);
		puts("");
		p += len + (p[len] == '\n');
	}
	if (!*c->details)
		printf("%s\n\n", c->summary);
	puts("options:");
	for (const struct option_row *row = c->options; row->name; row++) {
		option_term(row, term, sizeof(term));
		print_item(stdout, term, row->help, 30);
	}
	print_item(stdout, "-h, --help", "print this", 30);
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

bool roff_key(const struct cfg_key *key)
{
	struct textbuf note;
	textbuf_init(&note);
	write_note(key, &note);
	bool ok = !textbuf_failed(&note);
	roff_item(key->path, note.text);
	textbuf_release(&note);
	return ok;
}

static bool help_config(void)
{
	bool ok = true;
	puts("A configuration is a libconfig file; every key that has a default can be left\nout. "
	     "--set PATH=VALUE changes any of them on the command line.\n");
	for (int k = 0; k < NR_CONFIG_KEYS; k++)
		ok &= help_key(&config_keys[k]);
	fputs("\nThe least that runs:\n"
	      "  chip : { cores = ( { type = \"baseline\"; }, { type = \"l2\"; speedup_pct = 30; } ); };\n"
	      "  workload : { traces = [ \"gzip.csv\" ]; };\n",
	      stdout);
	return ok;
}

static bool help_study(void)
{
	bool ok = true;
	puts("A study is a libconfig file that says what `sahm compare` runs:\n");
	for (int k = 0; k < NR_STUDY_KEYS; k++)
		ok &= help_key(&study_keys[k]);
	fputs("\nThe least that runs:\n"
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
}

static void help_policies(void)
{
	puts("policies (key scheduler.policy):");
	for (const struct sched_ext_ops *const *p = sched_policies; *p; p++)
		print_item(stdout, (*p)->name, (*p)->summary, 18);
	puts("\nEach observes a thread's last timestep, or, with scheduler.oracle = true, the\nstate in which the "
	     "coming "
	     "one begins. A path is that of a plug-in:\n`sahm policy new` begins one, `sahm help "
	     "policy-interface` lists what it can do.");
}

static void help_states(void)
{
	puts("states (index: name; HIGH components joined by +):");
	for (unsigned s = 0; s < NR_STATES; s++)
		printf("  %2u: %s\n", s, state_name(s));
	puts("\nmetrics and cuts (HIGH is strictly above the cut):");
	printf("  %-11s %-26s %5s", "cut", "metric", "unit");
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
	puts("\np25 and p50 are the 25th and 50th percentiles of the metrics over the study's traces\n(Wadle 2026, "
	     "table "
	     "4.3); intuitive is the study's choice.");
}

/* Prints roff text with its special characters escaped; each line is a paragraph. */
static void print_roff(const char *text)
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
	print_roff(term);
	fputs("\n", stdout);
	print_roff(text);
	fputs("\n", stdout);
}

static void roff_commands(void)
{
	char term[96];
	for (const struct command *const *c = commands; *c; c++) {
		if (command_headings[c - commands]) {
			fputs(c == commands ? ".I " : ".PP\n.I ", stdout);
			print_roff(command_headings[c - commands]);
			puts("");
		}
		printf(".SS sahm %s [OPTION]...%s%s\n", (*c)->name, *(*c)->operands ? " " : "", (*c)->operands);
		print_roff((*c)->summary);
		puts(".");
		if (*(*c)->details) {
			puts(".PP");
			print_roff((*c)->details);
			puts("");
		}
		for (const struct option_row *row = (*c)->options; row->name; row++) {
			option_term(row, term, sizeof(term));
			roff_item(term + strspn(term, " "), row->help);
		}
	}
}

static bool roff_keys(void)
{
	bool ok = true;
	for (int k = 0; k < NR_CONFIG_KEYS; k++)
		ok &= roff_key(&config_keys[k]);
	return ok;
}

static bool roff_study_keys(void)
{
	bool ok = true;
	for (int k = 0; k < NR_STUDY_KEYS; k++)
		ok &= roff_key(&study_keys[k]);
	return ok;
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

struct meaning {
	const char *term, *text;
};

/* What a run reports; sahm(1) says the same of the members of the JSON object. */
static const struct meaning results[] = {
	{"simulated", "how long it took on the chip, in whole timesteps; without a duration, where no thread repeats "
		      "its trace, until the last has left (a batch's makespan); in mode alone, and with several "
		      "samples, the sum over all simulations"},
	{"all samples together",
	 "where there are several: the tables by thread, core and state are made of the counts of all samples, "
	 "added up"},
	{"speedup", "baseline time completed over time present and not asleep, less 1; the mean weighs threads alike"},
	{"served",
	 "executed timesteps whose core serves a component stressed in the state in which the timestep began; a "
	 "general core, or one of type table, serves the states in which its speedup is above 0"},
	{"matched", "the same, and timesteps in Low on a baseline core"},
	{"migrations", "moves to another core; a swap is two, one for each thread"},
	{"baseline time",
	 "how much of its trace a thread got done, in time of the baseline core; a trace that ends begins anew"},
	{"tenant", "where some thread has one"},
	{"slept", "where some thread sleeps: for how long, of the time that it was there"},
	{"arrived", "where some thread is to come late: when it joined; a dash for who never did"},
	{"left",
	 "where some thread does not repeat its trace: when that ended, in the mean over the simulations in which "
	 "it did; a dash for who has not left. Below the table: how many have, in all simulations"},
	{"speedup of the system",
	 "baseline time of all threads over time x the lesser of threads present, and awake, and cores, less 1"},
	{"running",
	 "timesteps that threads executed, of those that they could have (all in which they were present); in "
	 "continuous time, executed time of that in which they were awake"},
	{"at state transitions", "executed timesteps that began in another state than the thread's last one"},
	{"means of speedups", "arithmetic, harmonic and geometric mean of the factors (speedup + 1), less 1"},
	{"STP, ANTT", "STP: baseline time completed by all threads over simulated time, beside the threads present on "
		      "average, where there is one sample; ANTT: mean of 1/NP, where NP = baseline time completed over "
		      "time present and not asleep, for each "
		      "thread; as against a baseline core for each thread alone (Eyerman and Eeckhout 2008, whose STP, "
		      "the sum of NP, is this where all are present throughout)"},
	{"fairness (Jain)",
	 "square of the sum of NP over threads x sum of squares: 1 when all are alike (Jain, Chiu and "
	 "Hawe 1984)"},
	{"time mismatched", "executed timesteps whose core does not match their state, times the timestep"},
	{"migration cost paid", "time in which threads paid for moves instead of making progress"},
	{"decisions", "moves and swaps; a swap is one decision and two migrations"},
	{"wake-up latency",
	 "in continuous time, where threads sleep: from waking to running; the times that half of the wake-ups, 95 % "
	 "and 99 % of them stay at or below (of the nearest rank, known to within 1 %)"},
	{"run-queue wait",
	 "in continuous time: from each time that a thread became ready, by waking or because another took its place, "
	 "to its running; the same percentiles"},
	{"of N samples",
	 "mean over samples of what each comes to by itself, and the bounds between which the mean over all "
	 "offsets lies at 95 % (percentile bootstrap), too narrow where there are fewer than ten samples or so"},
	{"by core (--details)",
	 "utilisation: its timesteps in which a thread executed; of these, those served and matched"},
	{"by state (--details)", "executed timesteps that began in it; of these, those served and matched"},
	{"introspection",
	 "with IPUs: how often their programs ran and how many instructions that took, bytes that each sent per "
	 "simulated second, and executed timesteps whose thread was observed in the state in which they began; "
	 "where there are some: input sets that came while the IPU was running (dropped) or that sampling left out "
	 "(skipped), packets that are no word of a state (rejected) or had no room (lost), IPUs in ERROR; by core "
	 "with --details, where utilisation is the part of the IPU's cycles in the run in which it executed, in "
	 "millionths (ppm)"},
	{"given up",
	 "a run that was to last until all have left ended before, as debts may grow faster than they are paid "
	 "(workload.duration_ms in `sahm help config` says when); all that is shown is of the time until then"},
	{"synthetic", "traces that were generated, not recorded"},
	{"nominal time",
	 "traces whose epochs are not stretches of measured time but, say, so many instructions each (`epoch` of `sahm "
	 "trace info`): each is replayed as if it had lasted as long as an epoch does, and so all times are nominal"},
	{"(hash)", "in the heading: the first digits of config_hash, the same for the same chip, scheduler and traces"},
	{0},
};

static void help_results(void)
{
	puts("what `sahm run` reports:");
	for (const struct meaning *m = results; m->term; m++)
		print_item(stdout, m->term, m->text, 26);
	puts("\nmetrics of a whole run, by their names in JSON, in stores and for --metric\n(shares and speedups are "
	     "fractions there, times ns):");
	for (int m = 0; m < NR_RUN_METRICS; m++)
		print_item(stdout, run_metric_rows[m].name, run_metric_rows[m].words, 26);
}

static void help_traces(void)
{
	puts("a trace is one program's epochs, a row each, with these counts (CSV columns):");
	for (int c = 0; c < NR_COUNTERS; c++)
		print_item(stdout, counter_rows[c].name, counter_rows[c].help, 18);
	puts("\nEvery epoch lasts the same time on the baseline core, 100 ms unless said otherwise:\nthe machine that "
	     "the counts come from is the baseline. A trace says where it comes\nfrom (`sahm trace import "
	     "--provenance`):");
	for (int k = 0; k < NR_PROVENANCE_KEYS; k++)
		print_item(stdout, provenance_key_name((enum provenance_key)k),
			   provenance_key_help((enum provenance_key)k), 18);
	print_item(stdout, "event.<counter>", "the event that stands for a counter", 18);
	print_item(stdout, "counted_pct.<counter>", "share of the time in which it was counted (multiplexing)", 18);
}

struct topic {
	const char *name;
	void (*print)(void);
	bool (*build)(void); /* NULL: print(); prints, too, and says whether there was memory for everything */
};

static const struct topic topics[] = {
	{"config", .build = help_config},
	{"cores", .print = help_cores},
	{"policies", .print = help_policies},
	{"policy-interface", .print = help_policy_interface},
	{"states", .print = help_states},
	{"traces", .print = help_traces},
	{"import", .build = help_import},
	{"synth", .print = help_synth},
	{"profile", .print = help_synth},
	{"results", .print = help_results},
	{"studies", .build = help_study},
	{"sweeps", .build = help_sweeps},
	{0},
};

static const struct topic man_parts[] = {
	{"commands", .print = roff_commands},
	{"keys", .build = roff_keys},
	{"cores", .print = roff_cores},
	{"policies", .print = roff_policies},
	{"operations", .print = roff_operations},
	{"calls", .print = roff_calls},
	{"formats", .print = roff_formats},
	{"events", .print = roff_events},
	{"profile-columns", .print = roff_profile_columns},
	{"profile-keys", .print = roff_profile_keys},
	{"study-keys", .build = roff_study_keys},
	{"sweep-keys", .build = roff_sweep_keys},
	{0},
};

/* *found: whether there is one that is called so. */
static enum sahm_status print_topic(const struct topic *rows, const char *name, bool *found, struct sahm_err *err)
{
	while (rows->name && strcmp(rows->name, name) != 0)
		rows++;
	*found = rows->name;
	if (!rows->name)
		return SAHM_OK;
	if (rows->build)
		return rows->build() ? SAHM_OK : sahm_fail_nomem(err);
	rows->print();
	return SAHM_OK;
}

bool help_is_topic(const char *name)
{
	const struct topic *t = topics;
	while (t->name && strcmp(t->name, name) != 0)
		t++;
	return t->name;
}

/* Names the commands whose second word is `name`: somebody who read its page may have meant them. */
static void print_see_also(const char *name)
{
	const char *before = "\nsee also: ";
	for (const struct command *const *c = commands; *c; c++) {
		const char *second = strchr((*c)->name, ' ');
		if (!second || strcmp(second + 1, name) != 0)
			continue;
		printf("%ssahm help %s", before, (*c)->name);
		before = ", ";
	}
	if (before[0] == ',')
		puts("");
}

static enum sahm_status print_page(const char *name, struct sahm_err *err)
{
	bool is_name;
	enum sahm_status status = print_topic(topics, name, &is_name, err);
	bool found = is_name;
	size_t len = strlen(name);
	for (const struct command *const *c = commands; *c; c++)
		is_name |= strcmp((*c)->name, name) == 0;
	for (const struct command *const *c = commands; *c; c++) {
		const char *second = strchr((*c)->name, ' ');
		bool same = strcmp((*c)->name, name) == 0 || (!is_name && second && strcmp(second + 1, name) == 0);
		if (!same && !(strncmp((*c)->name, name, len) == 0 && (*c)->name[len] == ' '))
			continue;
		if (found)
			puts("");
		help_command(*c);
		found = true;
	}
	if (is_name)
		print_see_also(name);
	if (found)
		return status;
	char near[SUGGEST_BYTES];
	struct suggest s;
	suggest_init(&s, name);
	for (const struct command *const *c = commands; *c; c++)
		suggest_offer(&s, (*c)->name);
	for (const struct topic *t = topics; t->name; t++)
		suggest_offer(&s, t->name);
	return sahm_fail(err, SAHM_USAGE, "no help on '%s'%s", name,
			 suggest_or(&s, "sahm help lists commands and topics", near));
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {0};
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK && r.part) {
		bool found;
		status = print_topic(man_parts, r.part, &found, err);
		return found ? status : sahm_fail(err, SAHM_USAGE, "--man: no part is called '%s'", r.part);
	}
	if (status == SAHM_OK && r.name[0])
		status = print_page(r.name, err);
	else if (status == SAHM_OK)
		help_overview(false);
	return status;
}

const char *help_topic_name(unsigned i)
{
	return topics[i].name;
}

const char *help_part_name(unsigned i)
{
	return man_parts[i].name;
}

extern const struct command command_help;
const struct command command_help = {
	.name = "help",
	.operands = "[COMMAND|TOPIC]",
	.summary = "explain a command, or a topic: config, cores, policies, policy-interface, states, traces, import, "
		   "synth, results, studies, sweeps",
	.details = "",
	.options = options,
	.run = run,
};
