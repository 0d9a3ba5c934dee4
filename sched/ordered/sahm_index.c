#include "sched/ordered/sahm_index.h"

#include <stdlib.h>
#include <string.h>

/* A core and its type, to be sorted so that equal types stand side by side. */
struct sorted_core {
	const struct core_type *type;
	uint32_t core;
};

/* Any order will do in which types of one class, and no others, are equal. */
static int compare_types(const struct core_type *a, const struct core_type *b)
{
	int order = memcmp(a->speedup_ppm, b->speedup_ppm, sizeof(a->speedup_ppm));
	if (order == 0)
		order = (a->serves > b->serves) - (a->serves < b->serves);
	return order ? order : (a->matches > b->matches) - (a->matches < b->matches);
}

static int compare_cores(const void *a, const void *b)
{
	const struct sorted_core *x = a, *y = b;
	int order = compare_types(x->type, y->type);
	return order ? order : (x->core > y->core) - (x->core < y->core);
}

/* Numbers the classes: queues of 64 and fewer have a bit each. Numbers have no influence on results. */
static bool find_classes(struct sahm_index *index, struct arena *a)
{
	const struct chip *chip = index->chip;
	struct sorted_core *sorted = arena_alloc(a, chip->nr_cores, sizeof(*sorted));
	index->class_of = arena_alloc(a, chip->nr_cores, sizeof(*index->class_of));
	index->classes = arena_alloc(a, chip->nr_cores, sizeof(*index->classes));
	if (!sorted || !index->class_of || !index->classes)
		return false;
	for (uint32_t c = 0; c < chip->nr_cores; c++)
		sorted[c] = (struct sorted_core){chip->cores[c], c};
	qsort(sorted, chip->nr_cores, sizeof(*sorted), compare_cores);
	for (uint32_t i = 0; i < chip->nr_cores; i++) {
		if (i == 0 || compare_types(sorted[i].type, sorted[i - 1].type) != 0)
			index->classes[index->nr_classes++] = sorted[i].type;
		index->class_of[sorted[i].core] = index->nr_classes - 1;
	}
	return true;
}

struct offer {
	uint32_t class;
	int32_t speedup_ppm;
};

static int compare_offers(const void *a, const void *b)
{
	const struct offer *x = a, *y = b;
	int order = (x->speedup_ppm < y->speedup_ppm) - (x->speedup_ppm > y->speedup_ppm);
	return order ? order : (x->class > y->class) - (x->class < y->class);
}

/* Orders the classes that match each state by their speedups in it. */
static bool find_tiers(struct sahm_index *index, struct arena *a)
{
	uint32_t nr_offers = 0;
	struct offer *offers = arena_alloc(a, index->nr_classes, sizeof(*offers));
	index->offers = arena_alloc(a, (size_t)index->nr_classes * NR_STATES, sizeof(*index->offers));
	if (!offers || !index->offers)
		return false;
	for (unsigned s = 0; s < NR_STATES; s++) {
		uint32_t nr = 0;
		for (uint32_t k = 0; k < index->nr_classes; k++)
			if (core_matches(index->classes[k], s))
				offers[nr++] = (struct offer){k, index->classes[k]->speedup_ppm[s]};
		qsort(offers, nr, sizeof(*offers), compare_offers);
		struct sahm_tier *tiers = index->tiers[s] = arena_alloc(a, nr, sizeof(*tiers));
		if (!tiers)
			return false;
		for (uint32_t i = 0; i < nr; i++) {
			if (i == 0 || offers[i].speedup_ppm != offers[i - 1].speedup_ppm)
				tiers[index->nr_tiers[s]++] = (struct sahm_tier){.first = nr_offers};
			tiers[index->nr_tiers[s] - 1].nr++;
			index->offers[nr_offers++] = offers[i].class;
		}
	}
	return true;
}

static bool find_matches(struct sahm_index *index, struct arena *a)
{
	index->is_exact = index->nr_classes <= 64;
	index->nr_tables = index->is_exact ? (index->nr_classes + 7) / 8 : 8;
	index->matched_by = arena_alloc(a, index->nr_tables, sizeof(*index->matched_by));
	if (!index->matched_by)
		return false;
	for (uint32_t i = 0; i < index->nr_tables; i++)
		for (uint32_t byte = 1; byte < 256; byte++)
			for (uint32_t bit = 0; bit < 8; bit++) {
				uint32_t class = 8 * i + bit;
				if (byte >> bit & 1 && class < index->nr_classes)
					index->matched_by[i][byte] |=
						index->is_exact ? index->classes[class]->matches : UINT16_MAX;
			}
	return true;
}

size_t sahm_view_bytes(const struct sahm_index *index)
{
	return (NR_STATES + index->nr_classes) * index->set_words * sizeof(uint64_t);
}

bool sahm_index_init(struct sahm_index *index, struct arena *a, const struct chip *chip)
{
	*index = (struct sahm_index){.chip = chip, .set_words = bitset_words(chip->nr_cores)};
	if (!find_classes(index, a) || !find_tiers(index, a) || !find_matches(index, a))
		return false;
	index->idle.sets = arena_alloc(a, 1, sahm_view_bytes(index));
	return index->idle.sets;
}

bool sahm_index_add_views(struct sahm_index *index, struct arena *a, uint32_t nr)
{
	index->views = arena_alloc(a, nr, sizeof(*index->views));
	uint64_t *sets = arena_alloc(a, nr, sahm_view_bytes(index));
	if (!index->views || !sets)
		return false;
	index->nr_views = nr;
	for (uint32_t v = 0; v < nr; v++)
		index->views[v].sets = sets + v * (sahm_view_bytes(index) / sizeof(*sets));
	return true;
}

unsigned sahm_index_shows(enum swap_rule rule, const struct core_type *type, unsigned state)
{
	bool matches = core_matches(type, state);
	bool stays = rule == SWAP_NEVER || (rule == SWAP_UNMATCHED ? matches : core_serves(type, state));
	return (matches ? 0 : SHOWN_SEEKING) | (stays ? 0 : SHOWN_RELEASED);
}

void sahm_index_set_idle(struct sahm_index *index, uint32_t core, bool idle)
{
	(idle ? sahm_view_show : sahm_view_hide)(index, &index->idle, core, index->class_of[core], 0, SHOWN_RELEASED);
}

uint32_t sahm_index_next_seeker(const struct sahm_index *index, struct sahm_view *const *views, unsigned nr_views,
				unsigned states, uint32_t from)
{
	uint32_t next = BITSET_END;
	for (unsigned v = 0; v < nr_views; v++) {
		for (unsigned left = views[v]->seeks & states; left; left &= left - 1) {
			uint32_t core = bitset_next(sahm_view_seekers(index, views[v], lowest_bit(left)), from);
			next = core < next ? core : next;
		}
	}
	return next;
}
