/* sahm help policy-interface: the operations of a policy and the calls that it can make. */

#include "sched/host/interface.h"
#include "sim/cli/help.h"

/* What each kind of operation and call is introduced with. */
static const struct {
	const char *operations, *calls;
} kinds[] = {
	[SCHED_KERNEL] = {"operations of a policy, as in the kernel's sched_ext, roughly in the order of their calls:",
			  "calls, as in the kernel:"},
	[SCHED_SAHM] = {"operations that the kernel does not have:", "calls that the kernel does not have:"},
	[SCHED_UNSUPPORTED] = {"operations of the kernel that are not simulated; a policy that gives one is refused:",
			       "calls of the kernel that are not simulated; each ends the run by its name:"},
};
#define NR_KINDS (sizeof(kinds) / sizeof(kinds[0]))

static void print_call(const struct sched_call_row *row)
{
	char note[256];
	snprintf(note, sizeof(note), "%s%s%s", row->what, row->from == SCHED_ANY ? "" : "; from ",
		 row->from == SCHED_ANY ? "" : sched_from_text(row->from));
	print_item(stdout, row->name, note, 32);
}

void help_policy_interface(void)
{
	print_wrapped(stdout,
		      "A policy is a table of operations in C, with `sched/ext.h` as its one header; built as a shared "
		      "object "
		      "it is a plug-in. `sahm policy new` begins one, `sahm policy check` looks at one; policies.md, "
		      "installed "
		      "with the documentation, is a tutorial.",
		      0, 0);
	for (size_t k = 0; k < NR_KINDS; k++) {
		printf("\n%s\n", kinds[k].operations);
		for (const struct sched_op_row *row = sched_op_rows; row->name; row++)
			if (row->kind == (enum sched_kind)k)
				print_item(stdout, row->name, row->when, 22);
	}
	for (size_t k = 0; k < NR_KINDS; k++) {
		printf("\n%s\n", kinds[k].calls);
		for (const struct sched_call_row *row = sched_call_rows; row->name; row++)
			if (row->kind == (enum sched_kind)k)
				print_call(row);
	}
}

void roff_operations(void)
{
	char note[256];
	for (const struct sched_op_row *row = sched_op_rows; row->name; row++) {
		if (row->kind == SCHED_UNSUPPORTED)
			continue;
		snprintf(note, sizeof(note), "%s.%s", row->when, row->kind == SCHED_SAHM ? " Not in the kernel." : "");
		roff_item(row->name, note);
	}
}

void roff_calls(void)
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
