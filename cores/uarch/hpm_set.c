#include "cores/uarch/hpm_set.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cores/uarch/hpm_internal.h"
#include "cores/uarch/papi_preset.h"
#include "sim/base/array.h"
#include "sim/base/number.h"
#include "sim/base/suggest.h"

__extension__ typedef unsigned __int128 wide;

/* A counter that an event takes. */
struct need {
	uint64_t selector;
	bool is_less; /* its count is subtracted */
};

struct tally {
	int64_t counted, truth;
	uint64_t bound, running;
};

struct set_event {
	char name[HPM_EVENT_NAME_BYTES];
	uint8_t counts; /* enum papi_counts: of PAPI_EVENTS those that it needs */
	uint8_t nr_needs;
	bool is_never;
	unsigned group, first; /* number of its first counter */
	struct need needs[HPM_COUNTERS];
	uint64_t began;	   /* the fixed counter then */
	struct tally done; /* in slices that have ended */
	struct tally base; /* at the last reset */
	uint64_t threshold, next;
	hpm_overflow_fn *handler;
	void *user;
};

struct hpm_set {
	struct hpm *h;
	struct set_event *events;
	unsigned nr, nr_groups, nr_used, nr_needed; /* counters: that the last group has, and that all events need */
	bool is_running;
	uint64_t slice_cycles; /* 0: groups do not take turns */
	unsigned group;	       /* that has the counters */
	uint64_t slice;	       /* cycles of the present slice */
	uint64_t enabled, enabled_base;
	uint64_t signals; /* of the events, a bit each */
	unsigned nr_handlers;
};

struct hpm_set *hpm_set_new(struct hpm *h)
{
	struct hpm_set *s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	s->events = calloc(HPM_SET_EVENTS, sizeof(*s->events));
	s->h = h;
	s->nr_groups = 1;
	if (s->events)
		return s;
	free(s);
	return NULL;
}

void hpm_set_free(struct hpm_set *s)
{
	if (!s)
		return;
	if (s->is_running)
		hpm_set_stop(s, NULL, NULL);
	free(s->events);
	free(s);
}

/* ---- Registers ---- */

static uint64_t read_csr(const struct hpm_set *s, unsigned csr)
{
	uint64_t value = 0;
	hpm_read(s->h, HPM_MACHINE, csr, &value, NULL);
	return value;
}

static void write_csr(struct hpm_set *s, unsigned csr, uint64_t value)
{
	hpm_write(s->h, HPM_MACHINE, csr, value, NULL);
}

static uint64_t read_fixed(const struct hpm_set *s, const struct set_event *e)
{
	return read_csr(s, e->counts == PAPI_CYCLES ? CSR_MCYCLE : CSR_MINSTRET);
}

/* ---- Adding ---- */

static enum sahm_status refuse_running(const struct hpm_set *s, struct sahm_err *err)
{
	return s->is_running ? sahm_fail(err, SAHM_USAGE, "the event set is running (EISRUN)") : SAHM_OK;
}

static void add_need(struct set_event *e, uint64_t selector, bool is_less)
{
	e->needs[e->nr_needs++] = (struct need){selector, is_less};
}

/* Each event of a selector: the next one from *mask, which loses its bit. */
static const struct core_event *next_event(const struct hpm_set *s, uint64_t selector, uint64_t *mask)
{
	unsigned bit = (unsigned)__builtin_ctzll(*mask);
	*mask &= *mask - 1;
	return core_event_at(s->h->family, selector & UINT8_MAX, bit);
}

static void want_signals(struct hpm_set *s, uint64_t selector)
{
	uint64_t mask = selector & ~(uint64_t)UINT8_MAX;
	while (mask) {
		const struct core_event *event = next_event(s, selector, &mask);
		/* A scalar counter's selector has bits for sources, not for events. */
		s->signals |= event && s->h->kind != HPM_SCALAR ? event->signals : UINT64_MAX;
	}
}

/* A distributed counter counts one event. */
static void need_counters(struct hpm_set *s, struct set_event *e, const struct papi_term *term, bool is_less)
{
	uint64_t mask = term->selector & ~(uint64_t)UINT8_MAX;
	if (term->counts != PAPI_EVENTS)
		return;
	if (s->h->kind != HPM_DISTRIBUTED)
		add_need(e, term->selector, is_less);
	while (s->h->kind == HPM_DISTRIBUTED && mask)
		add_need(e, core_event_selector(next_event(s, term->selector, &mask)), is_less);
	want_signals(s, term->selector);
}

static bool lacks_all(const struct hpm_set *s, uint64_t selector)
{
	uint64_t mask = selector & ~(uint64_t)UINT8_MAX;
	while (mask) {
		const struct core_event *event = next_event(s, selector, &mask);
		if (!event || core_event_lacks(event, &s->h->core) != event->signals)
			return false;
	}
	return true;
}

/* The event has its name and its needs: gives it its place in a group. */
static enum sahm_status place(struct hpm_set *s, struct set_event *e, struct sahm_err *err)
{
	if (e->nr_needs > s->h->nr_counters)
		return sahm_fail(err, SAHM_USAGE, "%s needs %u event counters, there are %u (ECNFLCT)", e->name,
				 e->nr_needs, s->h->nr_counters);
	e->is_never = e->counts == PAPI_EVENTS;
	for (unsigned i = 0; i < e->nr_needs; i++)
		e->is_never = e->is_never && lacks_all(s, e->needs[i].selector);
	if (s->nr_used + e->nr_needs > s->h->nr_counters) {
		s->nr_groups++;
		s->nr_used = 0;
	}
	e->group = s->nr_groups - 1;
	e->first = HPM_FIRST + s->nr_used;
	s->nr_used += e->nr_needs;
	s->nr_needed += e->nr_needs;
	s->nr++;
	return SAHM_OK;
}

static enum sahm_status begin_event(struct hpm_set *s, struct set_event **e, struct sahm_err *err)
{
	enum sahm_status status = refuse_running(s, err);
	if (status == SAHM_OK && s->nr == HPM_SET_EVENTS)
		status = sahm_fail(err, SAHM_USAGE, "more than %u events in a set (EINVAL)", HPM_SET_EVENTS);
	if (status != SAHM_OK)
		return status;
	*e = &s->events[s->nr];
	**e = (struct set_event){.counts = PAPI_EVENTS};
	return SAHM_OK;
}

static enum sahm_status add_fixed(struct hpm_set *s, const char *name, enum papi_counts counts, struct sahm_err *err)
{
	struct set_event *e;
	enum sahm_status status = begin_event(s, &e, err);
	if (status != SAHM_OK)
		return status;
	snprintf(e->name, sizeof(e->name), "%s", name);
	e->counts = (uint8_t)counts;
	return place(s, e, err);
}

static enum sahm_status add_native(struct hpm_set *s, const struct core_event *event, struct sahm_err *err)
{
	struct set_event *e;
	unsigned nr = hpm_counters_for(s->h, event);
	enum sahm_status status = begin_event(s, &e, err);
	if (status != SAHM_OK)
		return status;
	snprintf(e->name, sizeof(e->name), "%s", event->name);
	s->signals |= event->signals;
	if (nr == 0)
		return sahm_fail(err, SAHM_USAGE, "%s needs more event counters of kind %s than there are (ECNFLCT)",
				 e->name, hpm_kind_name(s->h->kind));
	for (unsigned i = 0; i < nr; i++)
		add_need(e, hpm_selector(s->h, event, i), false);
	return place(s, e, err);
}

static enum sahm_status add_preset(struct hpm_set *s, const struct papi_preset *p, struct sahm_err *err)
{
	struct set_event *e;
	enum sahm_status status = begin_event(s, &e, err);
	if (status != SAHM_OK)
		return status;
	if (p->first.counts == PAPI_NOTHING)
		return sahm_fail(err, SAHM_USAGE, "%s is not available on %s (ENOEVNT)", p->name,
				 event_family_name(s->h->family));
	snprintf(e->name, sizeof(e->name), "%s", p->name);
	e->counts = p->first.counts;
	need_counters(s, e, &p->first, false);
	need_counters(s, e, &p->less, true);
	return place(s, e, err);
}

#define BITS_TEXT_BYTES 128u

/* "14-23, 30", of at least one bit. */
static const char *bits_text(uint64_t bits, char text[BITS_TEXT_BYTES])
{
	size_t len = 0;
	for (unsigned first = 0; first < 64; first++) {
		unsigned last = first;
		if (!(bits >> first & 1))
			continue;
		while (last < 63 && bits >> (last + 1) & 1)
			last++;
		len += (size_t)snprintf(text + len, BITS_TEXT_BYTES - len, "%s%u", len > 0 ? ", " : "", first);
		if (last > first)
			len += (size_t)snprintf(text + len, BITS_TEXT_BYTES - len, "-%u", last);
		first = last;
	}
	return text;
}

/* The code is not a selector that reads back as it is. */
static enum sahm_status refuse_code(const struct hpm_set *s, uint64_t code, struct sahm_err *err)
{
	char bits[BITS_TEXT_BYTES];
	unsigned set = code & UINT8_MAX;
	uint64_t lacked = code & ~(hpm_legal_selector(s->h, code) | UINT8_MAX);
	const char *family = event_family_name(s->h->family), *name = event_set_name(s->h->family, set);
	if (!name)
		return sahm_fail(err, SAHM_USAGE, "code 0x%" PRIx64 ": %s has no set %u of events (ENOEVNT)", code,
				 family, set);
	if (lacked == 0)
		return sahm_fail(err, SAHM_USAGE,
				 "code 0x%" PRIx64 " selects no events of set %u of %s (%s): these are bits from %u on "
				 "(ENOEVNT)",
				 code, set, family, name, EVENT_FIRST_BIT);
	if (s->h->kind == HPM_DISTRIBUTED && (code & (lacked - 1)) >> EVENT_FIRST_BIT)
		return sahm_fail(err, SAHM_USAGE,
				 "code 0x%" PRIx64 ": a distributed counter counts one event (ENOEVNT)", code);
	return sahm_fail(err, SAHM_USAGE, "code 0x%" PRIx64 ": set %u of %s (%s) has no event at bit%s %s (ENOEVNT)",
			 code, set, family, name, lacked & (lacked - 1) ? "s" : "", bits_text(lacked, bits));
}

enum sahm_status hpm_set_add_code(struct hpm_set *s, uint64_t code, struct sahm_err *err)
{
	struct set_event *e;
	const struct papi_preset *preset = NULL;
	if (papi_has_presets(s->h->family) && code >= PAPI_PRESET_CODE && code <= UINT32_MAX)
		preset = papi_preset_at((unsigned)(code - PAPI_PRESET_CODE));
	if (preset)
		return add_preset(s, preset, err);
	if (code == 0 || hpm_legal_selector(s->h, code) != code)
		return refuse_code(s, code, err);
	enum sahm_status status = begin_event(s, &e, err);
	if (status != SAHM_OK)
		return status;
	snprintf(e->name, sizeof(e->name), "0x%" PRIx64, code);
	add_need(e, code, false);
	want_signals(s, code);
	return place(s, e, err);
}

static enum sahm_status refuse_name(const struct hpm_set *s, const char *name, struct sahm_err *err)
{
	enum event_family family = s->h->family;
	const struct papi_preset *p;
	char near[SUGGEST_BYTES];
	struct suggest suggest;
	suggest_init(&suggest, name);
	for (const struct core_event *e = NULL; (e = core_event_next(family, e));)
		suggest_offer(&suggest, e->name);
	for (unsigned i = 0; papi_has_presets(family) && (p = papi_preset_at(i)); i++)
		if (p->first.counts != PAPI_NOTHING)
			suggest_offer(&suggest, p->name);
	suggest_offer(&suggest, "cycles");
	suggest_offer(&suggest, "instructions");
	if (papi_preset_find(name))
		return sahm_fail(err, SAHM_USAGE,
				 "%s has no PAPI presets, such as '%.60s': -s events=u74 gives the core events that "
				 "have them (ENOEVNT)",
				 event_family_name(family), name);
	if (core_event_refuse_other(family, name, " (ENOEVNT)", err) != SAHM_OK)
		return SAHM_USAGE;
	const char *nearest = suggest_text(&suggest, near);
	return sahm_fail(err, SAHM_USAGE,
			 "%s has no event '%.60s'%s%s sahm core events --core NAME lists all (ENOEVNT)",
			 event_family_name(family), name, nearest, *nearest ? "" : ";");
}

/* Selectors as PAPI has them, "0x202", and as perf has them, "r202". */
static bool read_code(const char *name, uint64_t *code)
{
	char hex[HPM_EVENT_NAME_BYTES + 2];
	bool is_perfs = name[0] == 'r' && name[1] && strspn(name + 1, "0123456789abcdefABCDEF") == strlen(name + 1);
	snprintf(hex, sizeof(hex), "%s%s", is_perfs ? "0x" : "", is_perfs ? name + 1 : name);
	return strncasecmp(hex, "0x", 2) == 0 && number_read_size(hex, code) == NUMBER_OK;
}

/* Takes the modifier from a name such as perf's "cycles:u", which becomes event[]. */
static enum sahm_status take_modifier(const char *name, char event[HPM_EVENT_NAME_BYTES], struct sahm_err *err)
{
	const char *modifier = strchr(name, ':');
	if (modifier && strcmp(modifier, ":u") != 0)
		return sahm_fail(err, SAHM_USAGE,
				 "'%.60s': streams have user code only, so that :u is the only modifier (EINVAL)",
				 name);
	snprintf(event, HPM_EVENT_NAME_BYTES, "%.*s", (int)(modifier ? modifier - name : INT_MAX), name);
	return SAHM_OK;
}

enum sahm_status hpm_set_add(struct hpm_set *s, const char *name, struct sahm_err *err)
{
	static const char native[] = "native:";
	char event_name[HPM_EVENT_NAME_BYTES];
	uint64_t code;
	if (strncasecmp(name, native, strlen(native)) == 0)
		name += strlen(native);
	enum sahm_status status = take_modifier(name, event_name, err);
	if (status != SAHM_OK)
		return status;
	name = event_name;
	if (strcasecmp(name, "cycles") == 0)
		return add_fixed(s, "cycles", PAPI_CYCLES, err);
	if (strcasecmp(name, "instructions") == 0)
		return add_fixed(s, "instructions", PAPI_INSTRUCTIONS, err);
	if (read_code(name, &code))
		return hpm_set_add_code(s, code, err);
	const struct core_event *event = core_event_find(s->h->family, name);
	if (event)
		return add_native(s, event, err);
	const struct papi_preset *preset = papi_has_presets(s->h->family) ? papi_preset_find(name) : NULL;
	return preset ? add_preset(s, preset, err) : refuse_name(s, name, err);
}

enum sahm_status hpm_set_multiplex(struct hpm_set *s, uint64_t slice_cycles, struct sahm_err *err)
{
	enum sahm_status status = refuse_running(s, err);
	if (status == SAHM_OK && slice_cycles == 0)
		status = sahm_fail(err, SAHM_USAGE, "a slice has no cycles (EINVAL)");
	if (status == SAHM_OK && s->nr_handlers > 0)
		status = sahm_fail(err, SAHM_USAGE, "events with an overflow handler cannot take turns (EINVAL)");
	if (status == SAHM_OK)
		s->slice_cycles = slice_cycles;
	return status;
}

uint64_t hpm_set_event_signals(const struct hpm_set *s)
{
	return s->signals;
}

uint64_t hpm_set_signals(const struct hpm_set *s)
{
	return s->signals | UINT64_C(1) << SIGNAL_INSTRUCTION;
}

unsigned hpm_set_nr_events(const struct hpm_set *s)
{
	return s->nr;
}

const char *hpm_set_event_name(const struct hpm_set *s, unsigned event)
{
	return s->events[event].name;
}

unsigned hpm_set_event_counters(const struct hpm_set *s, unsigned event)
{
	return s->events[event].nr_needs;
}

uint64_t hpm_set_event_selector(const struct hpm_set *s, unsigned event, unsigned i)
{
	return s->events[event].needs[i].selector;
}

bool hpm_set_event_is_never(const struct hpm_set *s, unsigned event)
{
	return s->events[event].is_never;
}

bool hpm_set_takes_turns(const struct hpm_set *s)
{
	return s->nr_groups > 1;
}

/* ---- Groups ---- */

static uint32_t counters_of(const struct hpm_set *s, unsigned group)
{
	uint32_t bits = 0;
	for (unsigned i = 0; i < s->nr; i++)
		if (s->events[i].group == group)
			bits |= ((1u << s->events[i].nr_needs) - 1) << s->events[i].first;
	return bits;
}

/* The group takes its counters, which count from 0. */
static void load(struct hpm_set *s, unsigned group)
{
	for (unsigned i = 0; i < s->nr; i++) {
		const struct set_event *e = &s->events[i];
		for (unsigned k = 0; e->group == group && k < e->nr_needs; k++) {
			unsigned number = e->first + k;
			if (hpm_counter(s->h, number)->selector != e->needs[k].selector)
				hpm_select(s->h, number, e->needs[k].selector);
			hpm_set_counter(s->h, number, 0);
			if (hpm_counter(s->h, number)->threshold > 0)
				write_csr(s, CSR_MHPMMTHRESHOLD + number - HPM_FIRST, 0);
		}
	}
	s->group = group;
	s->slice = 0;
	write_csr(s, CSR_MCOUNTINHIBIT, read_csr(s, CSR_MCOUNTINHIBIT) & ~counters_of(s, group));
}

/* What the event has counted up to now. */
static void add_up(const struct hpm_set *s, const struct set_event *e, struct tally *t)
{
	*t = e->done;
	if (!s->is_running)
		return;
	if (e->counts != PAPI_EVENTS) {
		uint64_t counted = read_fixed(s, e) - e->began;
		*t = (struct tally){(int64_t)counted, (int64_t)counted, 0, s->enabled};
		return;
	}
	if (e->group != s->group)
		return;
	t->running += s->slice;
	for (unsigned k = 0; k < e->nr_needs; k++) {
		struct hpm_undercount u;
		int64_t sign = e->needs[k].is_less ? -1 : 1;
		hpm_undercount(s->h, e->first + k, &u);
		t->counted += sign * (int64_t)hpm_value(s->h, e->first + k);
		t->truth += sign * (int64_t)u.truth;
		t->bound += u.bound;
	}
}

/* The group that has the counters loses them: they stand still. */
static void unload(struct hpm_set *s)
{
	write_csr(s, CSR_MCOUNTINHIBIT, read_csr(s, CSR_MCOUNTINHIBIT) | counters_of(s, s->group));
	for (unsigned i = 0; i < s->nr; i++)
		if (s->events[i].counts == PAPI_EVENTS && s->events[i].group == s->group)
			add_up(s, &s->events[i], &s->events[i].done);
}

/* ---- Counting ---- */

/* Counters of others run, and have a selector. */
static bool are_free(const struct hpm_set *s)
{
	uint64_t inhibit = read_csr(s, CSR_MCOUNTINHIBIT);
	unsigned nr = s->nr_groups > 1 ? s->h->nr_counters : s->nr_used;
	for (unsigned i = 0; i < nr; i++)
		if (!(inhibit >> (HPM_FIRST + i) & 1) && hpm_counter(s->h, HPM_FIRST + i)->selector != 0)
			return false;
	return true;
}

enum sahm_status hpm_set_start(struct hpm_set *s, struct sahm_err *err)
{
	uint64_t fixed = 0;
	enum sahm_status status = refuse_running(s, err);
	if (status != SAHM_OK)
		return status;
	if (s->nr == 0)
		return sahm_fail(err, SAHM_USAGE, "the event set is empty (EINVAL)");
	if (s->nr_groups > 1 && s->slice_cycles == 0)
		return sahm_fail(err, SAHM_USAGE, "the events need %u event counters, there are %u (ECNFLCT)",
				 s->nr_needed, s->h->nr_counters);
	if (!are_free(s))
		return sahm_fail(err, SAHM_USAGE, "event counters are in use (ECNFLCT)");
	for (unsigned i = 0; i < s->nr; i++) {
		struct set_event *e = &s->events[i];
		e->done = e->base = (struct tally){0};
		e->next = e->threshold;
		if (e->counts == PAPI_EVENTS)
			continue;
		e->began = read_fixed(s, e);
		fixed |= UINT64_C(1) << (e->counts == PAPI_CYCLES ? HPM_CYCLE : HPM_INSTRET);
	}
	s->enabled = s->enabled_base = 0;
	if (fixed)
		write_csr(s, CSR_MCOUNTINHIBIT, read_csr(s, CSR_MCOUNTINHIBIT) & ~fixed);
	load(s, 0);
	s->is_running = true;
	return SAHM_OK;
}

int64_t hpm_set_scale(int64_t counted, uint64_t enabled, uint64_t running)
{
	uint64_t size = counted < 0 ? -(uint64_t)counted : (uint64_t)counted;
	if (running == 0)
		return 0;
	uint64_t scaled = (uint64_t)(((wide)size * enabled + running / 2) / running);
	return counted < 0 ? -(int64_t)scaled : (int64_t)scaled;
}

void hpm_set_count(const struct hpm_set *s, unsigned event, struct hpm_set_count *out)
{
	const struct set_event *e = &s->events[event];
	struct tally t;
	add_up(s, e, &t);
	*out = (struct hpm_set_count){.counted = t.counted - e->base.counted,
				      .enabled_cycles = s->enabled - s->enabled_base,
				      .running_cycles = t.running - e->base.running,
				      .truth = t.truth - e->base.truth,
				      .bound = t.bound};
	out->value = out->counted;
	if (s->nr_groups > 1)
		out->value = hpm_set_scale(out->counted, out->enabled_cycles, out->running_cycles);
}

uint64_t hpm_set_bound(const struct hpm_set *s, const struct hpm_set_count *from, const struct hpm_set_count *to)
{
	if (s->h->kind != HPM_DISTRIBUTED)
		return to->bound - from->bound;
	/* Events that it had not yet counted at the beginning are too many, those at the end are missing. */
	return from->bound > to->bound ? from->bound : to->bound;
}

void hpm_set_read(const struct hpm_set *s, int64_t *values)
{
	for (unsigned i = 0; i < s->nr; i++) {
		struct hpm_set_count c;
		hpm_set_count(s, i, &c);
		values[i] = c.value;
	}
}

void hpm_set_reset(struct hpm_set *s)
{
	for (unsigned i = 0; i < s->nr; i++) {
		add_up(s, &s->events[i], &s->events[i].base);
		s->events[i].next = s->events[i].threshold;
	}
	s->enabled_base = s->enabled;
}

void hpm_set_accumulate(struct hpm_set *s, int64_t *values)
{
	for (unsigned i = 0; i < s->nr; i++) {
		struct hpm_set_count c;
		hpm_set_count(s, i, &c);
		values[i] += c.value;
	}
	hpm_set_reset(s);
}

enum sahm_status hpm_set_stop(struct hpm_set *s, int64_t *values, struct sahm_err *err)
{
	if (!s->is_running)
		return sahm_fail(err, SAHM_USAGE, "the event set is not running (ENOTRUN)");
	unload(s);
	for (unsigned i = 0; i < s->nr; i++)
		if (s->events[i].counts != PAPI_EVENTS)
			add_up(s, &s->events[i], &s->events[i].done);
	s->is_running = false;
	if (values)
		hpm_set_read(s, values);
	return SAHM_OK;
}

/* ---- Overflow ---- */

enum sahm_status hpm_set_overflow(struct hpm_set *s, unsigned event, uint64_t threshold, hpm_overflow_fn *handler,
				  void *user, struct sahm_err *err)
{
	enum sahm_status status = refuse_running(s, err);
	if (status != SAHM_OK)
		return status;
	if (event >= s->nr)
		return sahm_fail(err, SAHM_USAGE, "the set has no event %u (ENOEVNT)", event);
	struct set_event *e = &s->events[event];
	if (e->nr_needs > 1)
		return sahm_fail(err, SAHM_USAGE, "%s takes several counters, which overflow separately (EINVAL)",
				 e->name);
	if (s->slice_cycles > 0)
		return sahm_fail(err, SAHM_USAGE, "events that take turns have no overflow handler (EINVAL)");
	if (threshold > INT64_MAX || (threshold > 0 && !handler))
		return sahm_fail(err, SAHM_USAGE, "%s (EINVAL)",
				 handler ? "the threshold is too large" : "the overflow handler is missing");
	s->nr_handlers -= e->threshold > 0 ? 1 : 0;
	s->nr_handlers += threshold > 0 ? 1 : 0;
	e->threshold = threshold;
	e->handler = handler;
	e->user = user;
	return SAHM_OK;
}

static int64_t count_now(const struct hpm_set *s, const struct set_event *e)
{
	struct tally t;
	add_up(s, e, &t);
	return t.counted - e->base.counted;
}

/* How much the event's count can grow in a cycle. */
static uint64_t most_per_cycle(const struct set_event *e)
{
	if (e->counts == PAPI_CYCLES)
		return 1;
	unsigned terms = e->counts == PAPI_EVENTS ? (unsigned)__builtin_popcountll(e->needs[0].selector >> 8) : 1;
	return (uint64_t)MAX_SIGNAL_LANES * terms;
}

/* ---- Cycles ---- */

/* Cycles of the run at whose boundaries there is surely nothing to do. */
static uint64_t quiet_cycles(const struct hpm_set *s, const struct signal_run *run)
{
	uint64_t quiet = run->nr;
	if (!s->is_running || signal_nr_retired(run) == 0)
		return quiet;
	if (s->nr_groups > 1) {
		uint64_t left = s->slice_cycles > s->slice ? s->slice_cycles - s->slice : 1;
		quiet = left <= quiet ? left - 1 : quiet;
	}
	for (unsigned i = 0; s->nr_handlers > 0 && i < s->nr; i++) {
		const struct set_event *e = &s->events[i];
		if (e->threshold == 0)
			continue;
		int64_t room = (int64_t)e->next - count_now(s, e) - 1;
		uint64_t cycles = room > 0 ? (uint64_t)room / most_per_cycle(e) : 0;
		quiet = cycles < quiet ? cycles : quiet;
	}
	return quiet;
}

/* Instruction `lane` of the cycle has retired. */
static void reach_boundary(struct hpm_set *s, const struct signal_run *run, unsigned lane)
{
	for (unsigned i = 0; s->nr_handlers > 0 && i < s->nr && s->is_running; i++) {
		struct set_event *e = &s->events[i];
		int64_t count = e->threshold > 0 ? count_now(s, e) : 0;
		if (e->threshold == 0 || count < (int64_t)e->next)
			continue;
		e->next += ((uint64_t)count - e->next) / e->threshold * e->threshold + e->threshold;
		struct hpm_overflow o = {.event = i, .count = count};
		if (run->causes)
			o.pc = lane + 1 < signal_nr_retired(run) ? run->causes->retired[lane + 1].pc
								 : run->causes->next.pc;
		e->handler(e->user, s, &o);
	}
	if (s->is_running && s->nr_groups > 1 && s->slice >= s->slice_cycles) {
		unload(s);
		load(s, (s->group + 1) % s->nr_groups);
	}
}

static void pass(struct hpm_set *s, const struct signal_run *run, unsigned first, unsigned end)
{
	hpm_run_lanes(s->h, run, first, end);
	if (first > 0 || !s->is_running)
		return;
	s->enabled += run->nr;
	s->slice += run->nr;
}

void hpm_set_run_lanes(struct hpm_set *s, const struct signal_run *run, unsigned first, unsigned end)
{
	unsigned nr = signal_nr_retired(run);
	if (quiet_cycles(s, run) > 0) {
		pass(s, run, first, end);
		return;
	}
	for (unsigned lane = first; lane < end && lane < nr; lane++) {
		pass(s, run, lane, lane + 1);
		reach_boundary(s, run, lane);
	}
}

/* Part by part: up to a boundary at which there may be something to do. */
static void run_cut(struct hpm_set *s, const struct signal_run *run)
{
	struct signal_run rest = *run;
	while (rest.nr > 0) {
		struct signal_run part = rest;
		uint64_t quiet = quiet_cycles(s, &rest);
		part.nr = quiet > 0 ? quiet : 1;
		if (quiet > 0)
			pass(s, &part, 0, MAX_SIGNAL_LANES);
		else
			hpm_set_run_lanes(s, &part, 0, MAX_SIGNAL_LANES);
		rest.first += part.nr;
		rest.nr -= part.nr;
	}
}

void hpm_set_run(struct hpm_set *s, const struct signal_run *run)
{
	if (quiet_cycles(s, run) == run->nr)
		pass(s, run, 0, MAX_SIGNAL_LANES);
	else
		run_cut(s, run);
}
