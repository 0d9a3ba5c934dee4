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
	{"mix-versions", 0, NULL, "accept runs of different versions of sahm in one results database", OPTION_FLAG,
	 AT(bool, mixed)},
	{OPERANDS(stores, "a results database is missing: sahm merge INTO FROM..."), .written = true},
};

static enum sahm_status merge(const struct request *r, struct sahm_err *err)
{
	const char *const *stores = r->stores.items;
	struct store *store;
	enum sahm_status status = SAHM_OK;
	if (r->stores.nr < 2)
		return sahm_fail(err, SAHM_USAGE,
				 "the results database to merge from is missing: sahm merge INTO FROM...");
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
	.operands = "INTO FROM...",
	.summary = "merge results databases",
	.details = "Adds all sweeps and runs of the results databases FROM to INTO, which is created if it does "
		   "not exist. FROM is not changed. Shards of one sweep (`sahm sweep --shard`) become that "
		   "sweep.\n"
		   "A run that several databases contain is kept once. A finished run replaces one that failed "
		   "or is only planned. If two databases have different results for the same run, nothing of "
		   "the second is added and the command fails: a file was changed, or the machines compute "
		   "differently. Each database is added completely or not at all.\n"
		   "Runs of different versions of sahm are refused without --mix-versions, because their "
		   "results may differ for that reason.",
	.options = options,
	.run = run,
};
