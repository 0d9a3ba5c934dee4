/* sahm help sweeps: the section `sweep` of a configuration, and its axes on the command line. */
#include "sim/cli/help.h"
#include "sim/sweep/space.h"

static const struct {
	const char *term, *text;
} forms[] = {
	{"KEY=V1,V2,...",
	 "a key with its values, written as --set takes them; commas inside of quotes and brackets are "
	 "part of a value"},
	{"KEY=FIRST..LAST[..STEP]", "a range of numbers, with up to nine decimals; its step is 1 unless given"},
	{"chip=study[:KEY=VALUE,...]", "the study's chips, with keys of the generator as in the section"},
	{"chip=mixes:KEY=VALUE,...", "mixes, likewise"},
};

bool help_sweeps(void)
{
	bool ok = true;
	print_wrapped(
		stdout,
		"A sweep takes a configuration at every point of a space: every value of each axis with every "
		"value of each other. Axes stand in the section `sweep` of the configuration, which begins behind "
		"\"sweep.\":",
		0, 0);
	puts("");
	for (int k = 0; k < NR_SPACE_KEYS; k++)
		ok &= help_key(&space_keys[k]);
	puts("\nOn the command line, behind the axes of the section, --axis adds one, and --zip\nthat changes "
	     "together with the --axis before it:");
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
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
	      "The study's chips: --axis chip=study:baseline=7,each=8,fill=true\n",
	      stdout);
	return ok;
}

bool roff_sweep_keys(void)
{
	bool ok = true;
	for (int k = 0; k < NR_SPACE_KEYS; k++)
		ok &= roff_key(&space_keys[k]);
	return ok;
}
