/* Names of gem5's statistics, from v13 to v24. */
#include "workloads/import/import_gem5_internal.h"

#include <string.h>
#include <strings.h>

#include "sim/base/array.h"

const char *const gem5_role_names[NR_GEM5_ROLES] = {"", "l1i", "l1d", "l2"};

/* A statistic's names since v21 and before, and its column's; Ruby's are of no CPU. */
static const struct {
	const char *name, *old_name, *column;
	bool is_ruby;
} stats[] = {
	{"demandMisses", "demand_misses", "demandMisses", false},
	{"demandAccesses", "demand_accesses", "demandAccesses", false},
	{"overallMisses", "overall_misses", "overallMisses", false},
	{"overallAccesses", "overall_accesses", "overallAccesses", false},
	{"m_demand_misses", "demand_misses", "demandMisses", true},
	{"m_demand_accesses", "demand_accesses", "demandAccesses", true},
};

/* What a cache's own name holds, without regard to case; the first that is found decides. Caches of page tables and
 * devices, and those below L2, count for nothing. */
static const struct {
	const char *word;
	enum gem5_role role;
} words[] = {
	{"walker", GEM5_OTHER},	 {"ptw", GEM5_OTHER}, {"tlb", GEM5_OTHER}, {"mmu", GEM5_OTHER},
	{"iocache", GEM5_OTHER}, {"l3", GEM5_OTHER},  {"llc", GEM5_OTHER}, {"l2", GEM5_L2},
	{"icache", GEM5_L1I},	 {"l1i", GEM5_L1I},   {"il1", GEM5_L1I},   {"l1_i", GEM5_L1I},
	{"dcache", GEM5_L1D},	 {"l1d", GEM5_L1D},   {"dl1", GEM5_L1D},   {"l1_d", GEM5_L1D},
};

static bool is(struct gem5_part part, const char *word)
{
	return part.len == strlen(word) && memcmp(part.text, word, part.len) == 0;
}

static bool holds(struct gem5_part part, const char *word)
{
	size_t len = strlen(word);
	for (size_t at = 0; at + len <= part.len; at++)
		if (strncasecmp(part.text + at, word, len) == 0)
			return true;
	return false;
}

static enum gem5_role role_of(struct gem5_part name)
{
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (holds(name, words[i].word))
			return words[i].role;
	return GEM5_OTHER;
}

static enum gem5_role ruby_role_of(struct gem5_part name)
{
	static const char *const names[NR_GEM5_ROLES] = {"", "L1Icache", "L1Dcache", "L2cache"};
	unsigned role = GEM5_OTHER + 1;
	while (role < NR_GEM5_ROLES && !is(name, names[role]))
		role++;
	return role < NR_GEM5_ROLES ? (enum gem5_role)role : GEM5_OTHER;
}

/* Takes the last component off a path. */
static struct gem5_part pop(struct gem5_part *path)
{
	const char *dot = path->len ? memrchr(path->text, '.', path->len) : NULL;
	struct gem5_part last = *path;
	if (dot)
		last = (struct gem5_part){dot + 1, (size_t)(path->text + path->len - dot - 1)};
	path->len = dot ? (size_t)(dot - path->text) : 0;
	return last;
}

/* "cpu0" of "cpu0.data" and "cpu0.inst": accesses of the program. Page walks and prefetchers have other names. */
static struct gem5_part cpu_of(struct gem5_part request)
{
	struct gem5_part path = request, port = pop(&path);
	return is(port, "data") || is(port, "inst") ? path : (struct gem5_part){request.text, 0};
}

bool gem5_cache_stat(const char *name, size_t len, struct gem5_cache_stat *stat)
{
	const char *colons = memmem(name, len, "::", 2), *dot = memchr(name, '.', len);
	struct gem5_part path = {name, colons ? (size_t)(colons - name) : len};
	if (!dot || dot > name + path.len)
		return false;
	struct gem5_part last = pop(&path), cache = pop(&path);
	*stat = (struct gem5_cache_stat){.system = {name, (size_t)(dot - name)}};
	/* gem5 prints this one of every cache, even if it is 0. */
	if (is(last, "replacements") && is(cache, "tags"))
		cache = pop(&path);
	if (colons)
		stat->request = cpu_of((struct gem5_part){colons + 2, (size_t)(name + len - colons - 2)});
	for (size_t i = 0; i < ARRAY_SIZE(stats); i++) {
		if (stats[i].is_ruby != !colons || (!is(last, stats[i].name) && !is(last, stats[i].old_name)))
			continue;
		stat->stat = stats[i].column;
		stat->is_ruby = stats[i].is_ruby;
	}
	if (!stat->stat && !is(last, "replacements"))
		return false;
	stat->role = stat->is_ruby ? ruby_role_of(cache) : role_of(cache);
	return stat->role != GEM5_OTHER;
}

bool gem5_of_first_thread(char *name, size_t len)
{
	static const char *const before[] = {"commitStats", "thread_", "branchPred.committed_",
					     "branchPred.mispredicted_", "committedControl_"};
	for (size_t at = 1; at < len; at++) {
		bool follows = at + 1 == len || name[at + 1] == '.' || name[at + 1] == ':';
		if (name[at] < '1' || name[at] > '9' || !follows)
			continue;
		for (size_t i = 0; i < ARRAY_SIZE(before); i++) {
			size_t n = strlen(before[i]);
			if (at < n || memcmp(name + at - n, before[i], n) != 0)
				continue;
			name[at] = '0';
			return true;
		}
	}
	return false;
}

bool gem5_sum_name(const char *name, size_t len, struct gem5_part *sum)
{
	static const char total[] = "::total", control[] = "committedControl_0::IsCondControl + IsUncondControl";
	size_t suffix = sizeof(total) - 1;
	struct gem5_part whole = {name, len};
	if (is(whole, "committedControl_0::IsCondControl") || is(whole, "committedControl_0::IsUncondControl")) {
		*sum = (struct gem5_part){control, sizeof(control) - 1};
		return true;
	}
	*sum = (struct gem5_part){name, len < suffix ? 0 : len - suffix};
	return sum->len > 0 && memcmp(name + sum->len, total, suffix) == 0;
}
