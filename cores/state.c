#include "cores/state.h"

#include <string.h>
#include <strings.h>

static const char *const keys[NR_COMPONENTS] = {
#define COMPONENT(suffix, bit, key, name) [bit] = key,
#include "cores/component_list.h"
#undef COMPONENT
};

static const char *const names[NR_COMPONENTS] = {
#define COMPONENT(suffix, bit, key, name) [bit] = name,
#include "cores/component_list.h"
#undef COMPONENT
};

static const char *const state_names[NR_STATES] = {
	"Low", "Branch",    "L1I",    "L1I+Branch",    "L1D",	 "L1D+Branch",	  "L1D+L1I",	"L1D+L1I+Branch",
	"L2",  "L2+Branch", "L2+L1I", "L2+L1I+Branch", "L2+L1D", "L2+L1D+Branch", "L2+L1D+L1I", "L2+L1D+L1I+Branch",
};

const char *state_name(unsigned state)
{
	return state_names[state];
}

const char *component_key(enum component c)
{
	return keys[c];
}

const char *component_name(enum component c)
{
	return names[c];
}

bool component_find(const char *text, unsigned long len, enum component *c)
{
	for (int i = 0; i < NR_COMPONENTS; i++) {
		if ((strlen(keys[i]) == len && strncasecmp(keys[i], text, len) == 0) ||
		    (strlen(names[i]) == len && strncasecmp(names[i], text, len) == 0)) {
			*c = (enum component)i;
			return true;
		}
	}
	return false;
}
