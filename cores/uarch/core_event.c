#include "cores/uarch/core_event.h"

#include <strings.h>

#include "sim/base/array.h"

#define S(suffix) (UINT64_C(1) << SIGNAL_##suffix)
#define NEVER UINT64_C(0)

_Static_assert(NR_SIGNALS <= 64, "a mask has a bit for each signal");

static const struct {
	const char *name, *help;
	unsigned counters;
} families[NR_EVENT_FAMILIES] = {
#define EVENT_FAMILY(suffix, name, counters, help) {name, help, counters},
#include "cores/uarch/event_family_list.h"
#undef EVENT_FAMILY
};

#define CORE_EVENT(family, set, bit, name, signals, help)
static const struct event_set {
	uint8_t family, set, places;
	const char *name;
} sets[] = {
#define EVENT_SET(family, set, places, sources, name) {FAMILY_##family, set, places, name},
#include "cores/uarch/core_event_list.h"
#undef EVENT_SET
};
#undef CORE_EVENT

/* What events of a set count: a constant by family and set, for the rows of events. */
#define CORE_EVENT(family, set, bit, name, signals, help)
enum {
#define EVENT_SET(family, set, places, sources, name) sources_of_##family##set = EVENT_##sources,
#include "cores/uarch/core_event_list.h"
#undef EVENT_SET
};
#undef CORE_EVENT

#define EVENT_SET(family, set, places, sources, name)
static const struct core_event events[] = {
#define CORE_EVENT(family, set, bit, name, signals, help)                                                              \
	{FAMILY_##family, set, bit, sources_of_##family##set, name, signals, help},
#include "cores/uarch/core_event_list.h"
#undef CORE_EVENT
};
#undef EVENT_SET

const char *event_family_name(enum event_family family)
{
	return families[family].name;
}

const char *event_family_help(enum event_family family)
{
	return families[family].help;
}

unsigned event_family_counters(enum event_family family)
{
	return families[family].counters;
}

const struct core_event *core_event_next(enum event_family family, const struct core_event *event)
{
	const struct core_event *next = event ? event + 1 : events;
	while (next < events + ARRAY_SIZE(events) && next->family != family)
		next++;
	return next < events + ARRAY_SIZE(events) ? next : NULL;
}

const struct core_event *core_event_find(enum event_family family, const char *name)
{
	const struct core_event *e = NULL;
	while ((e = core_event_next(family, e)) && strcasecmp(e->name, name) != 0)
		;
	return e;
}

const struct core_event *core_event_at(enum event_family family, unsigned set, unsigned bit)
{
	const struct core_event *e = NULL;
	while ((e = core_event_next(family, e)) && (e->set != set || e->bit != bit))
		;
	return e;
}

static const struct event_set *find_set(enum event_family family, unsigned set)
{
	for (size_t i = 0; i < ARRAY_SIZE(sets); i++)
		if (sets[i].family == family && sets[i].set == set)
			return &sets[i];
	return NULL;
}

unsigned event_set_places(enum event_family family, unsigned set)
{
	const struct event_set *s = find_set(family, set);
	return s ? s->places : 0;
}

const char *event_set_name(enum event_family family, unsigned set)
{
	const struct event_set *s = find_set(family, set);
	return s ? s->name : NULL;
}

uint64_t core_event_selector(const struct core_event *event)
{
	return UINT64_C(1) << event->bit | event->set;
}

bool core_event_join(uint64_t *selector, const struct core_event *event)
{
	if (*selector != 0 && (*selector & UINT8_MAX) != event->set)
		return false;
	*selector |= core_event_selector(event);
	return true;
}

unsigned core_event_nr_lanes(const struct core_event *event, const struct core_timing *t)
{
	unsigned nr = 1;
	if (event->sources == EVENT_ONE)
		return nr;
	for (unsigned s = 0; s < NR_SIGNALS; s++)
		if (event->signals >> s & 1 && signal_nr_lanes(t, s) > nr)
			nr = signal_nr_lanes(t, s);
	return nr;
}

uint64_t core_event_lacks(const struct core_event *event, const struct core_timing *t)
{
	return event->signals & signals_lacked(t);
}

enum sahm_status core_event_refuse_other(enum event_family family, const char *name, const char *ending,
					 struct sahm_err *err)
{
	for (enum event_family other = 0; other < NR_EVENT_FAMILIES; other++)
		if (core_event_find(other, name))
			return sahm_fail(err, SAHM_USAGE,
					 "'%.60s' is an event of %s, and the core has those of %s: -s events=%s gives "
					 "it the others%s",
					 name, event_family_name(other), event_family_name(family),
					 event_family_name(other), ending);
	return SAHM_OK;
}
