/* sahm merge */

#include "results/store/store.h"
#include "sim/cli/command.h"
#include "sim/cli/output.h"

enum { OPT_MIX_VERSIONS };

static const struct option_row options[] = {
	[OPT_MIX_VERSIONS] = {"mix-versions", 0, NULL,
			      "also put runs of different versions of the program into one store"},
	{0},
};

/* The store, then those that are added to it: the first operands, in the place of all. */
static enum sahm_status parse(char **args, size_t *nr, bool *mixed, struct sahm_err *err)
{
	struct option_walk w;
	int option;
	char **operands = args;
	option_walk_init(&w, options, args);
	*nr = 0;
	while ((option = option_walk_next(&w, err)) != OPTION_END) {
		if (option == OPTION_ERROR)
			return SAHM_USAGE;
		/* The walk is past what this overwrites. */
		if (option == OPTION_OPERAND)
			operands[(*nr)++] = (char *)(uintptr_t)w.value;
		else
			*mixed = true;
	}
	if (*nr < 2)
		return sahm_fail(err, SAHM_USAGE, "a store%s is missing: sahm merge STORE FROM...",
				 *nr ? " to be merged into it" : "");
	return SAHM_OK;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	size_t nr;
	bool mixed = false;
	struct store *store;
	enum sahm_status status = parse(args, &nr, &mixed, err);
	/* Nothing is made when one of them cannot be read. */
	for (size_t i = 1; i < nr && status == SAHM_OK; i++) {
		status = store_open(&store, args[i], STORE_READ, err);
		if (status == SAHM_OK)
			store_abandon(store);
	}
	if (status == SAHM_OK)
		status = store_open(&store, args[0], STORE_WRITE, err);
	if (status != SAHM_OK)
		return status;
	for (size_t i = 1; i < nr && status == SAHM_OK; i++)
		status = store_merge(store, args[i], mixed, err);
	if (status == SAHM_OK)
		return store_close(store, err);
	store_abandon(store);
	return status;
}

extern const struct command command_merge;
const struct command command_merge = {
	.name = "merge",
	.operands = "STORE FROM...",
	.summary = "put what several stores have found into one",
	.details =
		"Adds all sweeps and runs of the stores FROM to STORE, which is made if it is not there; the others "
		"stay "
		"as they are. Shards of one sweep (`sahm sweep --shard`), each carried out into a store of its own, "
		"become that sweep.\n"
		"A run that is in several stores is kept once. What is done takes the place of what failed or is only "
		"planned; if two stores have found different things for the same run, nothing of the one is added, and "
		"the command fails: that cannot be unless a file was changed or the machines do not calculate alike. A "
		"store is added wholly or not at all, one after the other.\n"
		"Runs of different versions of the program are refused without --mix-versions, for what they say may "
		"differ for that reason alone.",
	.options = options,
	.run = run,
};
