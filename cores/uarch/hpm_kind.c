/* Kinds of counters: plain, scalar, add wires, distributed. */
#include "cores/uarch/distributed_counter.h"
#include "cores/uarch/hpm.h"

static const struct {
	const char *name, *help;
} kind_rows[NR_HPM_KINDS] = {
#define HPM_KIND(suffix, name, help) {name, help},
#include "cores/uarch/hpm_kind_list.h"
#undef HPM_KIND
};

const char *hpm_kind_name(enum hpm_kind kind)
{
	return kind_rows[kind].name;
}

const char *hpm_kind_help(enum hpm_kind kind)
{
	return kind_rows[kind].help;
}

unsigned hpm_kind_counters(enum hpm_kind kind, unsigned nr_sources)
{
	return kind == HPM_SCALAR ? nr_sources : 1;
}

uint64_t hpm_kind_bound(enum hpm_kind kind, unsigned nr_sources, uint64_t counted, bool is_stopped)
{
	if (kind == HPM_ADD || nr_sources == 0)
		return 0;
	return kind == HPM_DISTRIBUTED ? distributed_counter_bound(nr_sources, is_stopped) : counted * (nr_sources - 1);
}
