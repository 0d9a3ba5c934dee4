#include "sim/engine/config/run_cache.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/strtable.h"

struct cached_states {
	struct cuts cuts;
	uint8_t *states; /* NULL: none */
};

struct cached_trace {
	struct trace *trace;
	struct cached_states sets[RUN_CACHE_CUTS];
	unsigned next; /* set that gives way */
};

struct run_cache {
	struct arena arena;   /* of the paths */
	struct strtable rows; /* path: index in traces + 1 */
	struct cached_trace *traces;
	uint32_t nr_traces, room;
	size_t bytes;
	struct plugin_known plugins;
	struct core_costs costs; /* of costs.file; NULL: none yet */
};

static void empty(struct run_cache *c)
{
	arena_init(&c->arena);
	strtable_init(&c->rows, &c->arena);
	c->traces = NULL;
	c->nr_traces = c->room = 0;
	c->bytes = 0;
}

struct run_cache *run_cache_new(void)
{
	struct run_cache *c = calloc(1, sizeof(*c));
	if (c)
		empty(c);
	return c;
}

void run_cache_clear(struct run_cache *c)
{
	for (uint32_t i = 0; i < c->nr_traces; i++) {
		for (unsigned k = 0; k < RUN_CACHE_CUTS; k++)
			free(c->traces[i].sets[k].states);
		trace_free(c->traces[i].trace);
	}
	free(c->traces);
	core_costs_release(&c->costs);
	arena_release(&c->arena);
	empty(c);
}

void run_cache_free(struct run_cache *c)
{
	if (!c)
		return;
	run_cache_clear(c);
	free(c);
}

struct plugin_known *run_cache_plugins(struct run_cache *c)
{
	return &c->plugins;
}

enum sahm_status run_cache_costs(struct run_cache *c, const char *path, const struct core_costs **costs,
				 struct sahm_err *err)
{
	*costs = &c->costs;
	if (c->costs.file && strcmp(c->costs.file, path) == 0)
		return SAHM_OK;
	core_costs_release(&c->costs);
	enum sahm_status status = core_costs_read(&c->costs, path, err);
	if (status != SAHM_OK)
		c->costs = (struct core_costs){.file = NULL};
	return status;
}

size_t run_cache_bytes(const struct run_cache *c)
{
	return c->bytes;
}

static bool make_room(struct run_cache *c)
{
	if (c->nr_traces < c->room)
		return true;
	uint32_t room = c->room ? 2 * c->room : 64;
	struct cached_trace *traces = realloc(c->traces, room * sizeof(*traces));
	if (!traces)
		return false;
	c->traces = traces;
	c->room = room;
	return true;
}

bool run_cache_knows(struct run_cache *c, const char *path)
{
	const uint32_t *known = strtable_at(&c->rows, path);
	return known && *known;
}

enum sahm_status run_cache_trace(struct run_cache *c, struct trace_ahead *ahead, struct textbuf *notes, uint32_t *row,
				 struct trace **trace, struct sahm_err *err)
{
	uint32_t *known = strtable_at(&c->rows, ahead->path);
	if (!known || !make_room(c))
		return sahm_fail_nomem(err);
	if (*known == 0) {
		struct cached_trace *t = &c->traces[c->nr_traces];
		*t = (struct cached_trace){0};
		enum sahm_status status = trace_ahead_take(ahead, notes, &t->trace, err);
		if (status != SAHM_OK)
			return status;
		c->bytes += trace_image_bytes(t->trace);
		*known = ++c->nr_traces;
	}
	*row = *known - 1;
	*trace = c->traces[*row].trace;
	return SAHM_OK;
}

enum sahm_status run_cache_states(struct run_cache *c, uint32_t row, const struct cuts *cuts, const uint8_t **states,
				  struct sahm_err *err)
{
	struct cached_trace *t = &c->traces[row];
	struct trace *trace = t->trace;
	for (unsigned k = 0; k < RUN_CACHE_CUTS; k++)
		if (t->sets[k].states && memcmp(t->sets[k].cuts.ppb, cuts->ppb, sizeof(cuts->ppb)) == 0) {
			*states = t->sets[k].states;
			return SAHM_OK;
		}
	uint8_t *made = malloc(trace_nr_epochs(trace));
	enum sahm_status status = made ? trace_states(trace, cuts, made, err) : sahm_fail_nomem(err);
	if (status != SAHM_OK) {
		free(made);
		return status;
	}
	struct cached_states *set = &t->sets[t->next];
	t->next = (t->next + 1) % RUN_CACHE_CUTS;
	if (set->states)
		free(set->states);
	else
		c->bytes += trace_nr_epochs(trace);
	*set = (struct cached_states){*cuts, made};
	*states = made;
	return SAHM_OK;
}
