/* sahm merge */
#include <stdlib.h>

#include "results/store/store.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/overwriting.h"

struct request {
	struct option_list stores; /* the one that the others are added to first */
	bool mixed;
};

static const struct option_row options[] = {
	{"mix-versions", 0, NULL, "also put runs of different versions of the program into one store", OPTION_FLAG,
	 AT(bool, mixed)},
	{OPERANDS(stores, "a store is missing: sahm merge STORE FROM..."), .written = true},
};

static enum sahm_status merge(const struct request *r, struct sahm_err *err)
{
	const char *const *stores = r->stores.items;
	struct store *store;
	enum sahm_status status = SAHM_OK;
	if (r->stores.nr < 2)
		return sahm_fail(err, SAHM_USAGE, "a store to be merged into it is missing: sahm merge STORE FROM...");
	for (size_t i = 1; i < r->stores.nr && status == SAHM_OK; i++)
		status = refuse_overwriting(stores[0], stores[i], err);
	if (status == SAHM_OK)
		status = refuse_companions(stores[0], err);
	/* Nothing is made when one of them cannot be read. */
	for (size_t i = 1; i < r->stores.nr && status == SAHM_OK; i++) {
		int64_t newest;
		status = store_open(&store, stores[i], STORE_READ, err);
		if (status != SAHM_OK)
			break;
		status = store_find_sweep(store, NULL, &newest, err);
		store_abandon(store);
	}
	if (status == SAHM_OK)
		status = store_open(&store, stores[0], STORE_WRITE, err);
	if (status != SAHM_OK)
		return status;
	for (size_t i = 1; i < r->stores.nr && status == SAHM_OK; i++)
		status = store_merge(store, stores[i], r->mixed, err);
	if (status == SAHM_OK)
		return store_close(store, err);
	store_abandon(store);
	return status;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {0};
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK)
		status = merge(&r, err);
	free(r.stores.items);
	return status;
}

extern const struct command command_merge;
const struct command command_merge = {
	.name = "merge",
	.operands = "STORE FROM...",
	.summary = "put what several stores have found into one",
	.details =
		"Adds all sweeps and runs of the stores FROM to STORE, which is made if it is not there; the others "
		"stay as they are. Shards of one sweep (`sahm sweep --shard`), each carried out into a store of its "
		"own, become that sweep.\n"
		"A run that is in several stores is kept once. What is done takes the place of what failed or is only "
		"planned; if two stores have found different things for the same run, nothing of the one is added, and "
		"the command fails: that cannot be unless a file was changed or the machines do not calculate alike. A "
		"store is added wholly or not at all, one after the other.\n"
		"Runs of different versions of the program are refused without --mix-versions, for what they say may "
		"differ for that reason alone.",
	.options = options,
	.run = run,
};
