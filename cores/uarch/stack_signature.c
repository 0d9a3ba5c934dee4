#include "cores/uarch/stack_signature.h"

#include <stddef.h>

enum { OF_TEA = 1, OF_IBS = 2, OF_SPE = 4, OF_RIS = 8 };

static const struct {
	const char *name, *help;
	unsigned schemes;
} events[NR_STACK_EVENTS] = {
#define STACK_EVENT(suffix, name, schemes, help) [EVENT_##suffix] = {name, help, schemes},
#include "cores/uarch/stack_event_list.h"
#undef STACK_EVENT
};

static const struct {
	const char *name, *help;
	unsigned records;
} schemes[NR_STACK_SCHEMES] = {
#define STACK_SCHEME(suffix, name, events, help) [SCHEME_##suffix] = {name, help, events},
#include "cores/uarch/stack_scheme_list.h"
#undef STACK_SCHEME
};

const char *stack_event_name(enum stack_event event)
{
	return events[event].name;
}

const char *stack_event_help(enum stack_event event)
{
	return events[event].help;
}

const char *stack_scheme_name(enum stack_scheme scheme)
{
	return schemes[scheme].name;
}

const char *stack_scheme_help(enum stack_scheme scheme)
{
	return schemes[scheme].help;
}

unsigned stack_scheme_events(enum stack_scheme scheme)
{
	unsigned bits = 0;
	for (unsigned i = 0; i < NR_STACK_EVENTS; i++)
		bits |= events[i].schemes & schemes[scheme].records ? 1u << i : 0;
	return bits;
}

/* Without events that another one implies: a load that went to memory has missed L1D, too. */
static unsigned without_implied(unsigned signature)
{
	return signature & SIGNATURE_ST_LLC ? signature & ~(unsigned)SIGNATURE_ST_L1 : signature;
}

const char *signature_name(unsigned signature, char name[STACK_SIGNATURE_NAME_BYTES])
{
	unsigned left = without_implied(signature);
	size_t len = 0;
	if (left == 0)
		return "Base";
	for (unsigned i = 0; i < NR_STACK_EVENTS; i++) {
		if (!(left >> i & 1))
			continue;
		if (len > 0)
			name[len++] = '+';
		for (const char *p = events[i].name; *p; p++)
			name[len++] = *p;
	}
	name[len] = '\0';
	return name;
}

bool signature_is_combined(unsigned signature)
{
	unsigned left = without_implied(signature);
	return (left & (left - 1)) != 0;
}
