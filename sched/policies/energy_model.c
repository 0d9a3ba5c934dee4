#include "sched/policies/energy_model.h"

__extension__ typedef unsigned __int128 wide;

void energy_find_inefficient(struct energy_level *levels, u32 nr)
{
	const struct energy_level *best = &levels[nr - 1];
	for (u32 l = nr; l-- > 0;) {
		wide own = (wide)levels[l].power_uw * best->capacity, least = (wide)best->power_uw * levels[l].capacity;
		levels[l].is_inefficient = own > least;
		if (own < least)
			best = &levels[l];
	}
}

u32 energy_level_for(const struct energy_table *table, u64 wanted)
{
	u32 level = 0;
	while (level + 1 < table->nr && (table->levels[level].is_inefficient || table->levels[level].capacity < wanted))
		level++;
	return level;
}

u64 energy_power_uw(const struct energy_table *table, u64 wanted, u64 sum_of_utilisations)
{
	const struct energy_level *level = &table->levels[energy_level_for(table, wanted)];
	return sahm_scale(level->power_uw, sum_of_utilisations, level->capacity);
}
