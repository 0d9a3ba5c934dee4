/* sahm help synth */
#include "sim/cli/help.h"
#include "workloads/synth/profile.h"

static const char example[] = "  # sahm profile 1\n"
			      "  # seed: 1\n"
			      "  # epoch_ms: 100\n"
			      "  # jitter_pct: 4              a column that is the same in all rows\n"
			      "  # (and so on)\n"
			      "  name,      epochs, minstr, Low, Branch, L2+L1D, single_pct, ...\n"
			      "  browser,     3000,    900,  30,     60,     10,         25, ...\n"
			      "  database,    6000,    400,   0,     15,     85,          5, ...\n";

void help_synth(void)
{
	puts("a profile is a table that `sahm trace synth` makes traces from, a row per benchmark:\n");
	puts(example);
	puts("columns, of which none has a default:");
	print_item(stdout, "name", "what the benchmark is called; its trace is called NAME-synthetic", 18);
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
	puts("\nOther comments are remarks, unless they begin with a word that is nearly one of these\nand a colon. "
	     "For "
	     "`sahm run` shares and lengths of stays count, and on which side of its\ncut a metric is. Examples to "
	     "copy are server.profile and phone.profile, in\nworkloads/suites/synthetic of the source, in "
	     "share/sahm/workloads/suites/synthetic of an installation.");
}

static void roff_field(const char *name, const char *help, bool required)
{
	char text[320];
	snprintf(text, sizeof(text), "%s%s.", help, required ? "" : " (may be left out)");
	roff_item(name, text);
}

void roff_profile_columns(void)
{
	for (unsigned c = 0; c < NR_PROFILE_COLUMNS; c++)
		roff_field(profile_columns[c].name, profile_columns[c].help, true);
}

void roff_profile_keys(void)
{
	for (const struct profile_key_row *k = profile_keys; k->name; k++)
		roff_field(k->name, k->help, k->required);
}
