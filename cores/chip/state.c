#include "cores/chip/state.h"

#include <string.h>
#include <strings.h>

#include "sim/base/textbuf.h"

static const char *const keys[NR_COMPONENTS] = {
#define COMPONENT(suffix, bit, key, name) [bit] = key,
#include "cores/chip/component_list.h"
#undef COMPONENT
};

static const char *const names[NR_COMPONENTS] = {
#define COMPONENT(suffix, bit, key, name) [bit] = name,
#include "cores/chip/component_list.h"
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

bool state_find(const char *text, unsigned long len, unsigned *state)
{
	const char *low = state_names[STATE_LOW], *end = text + len;
	*state = STATE_LOW;
	if (len == strlen(low) && strncasecmp(low, text, len) == 0)
		return true;
	for (;;) {
		const char *plus = memchr(text, '+', (unsigned long)(end - text));
		enum component c;
		if (!component_find(text, (unsigned long)((plus ? plus : end) - text), &c) || (*state >> c & 1u))
			return false;
		*state |= 1u << c;
		if (!plus)
			return true;
		text = plus + 1;
	}
}

void states_write(uint16_t states, const char *separator, struct textbuf *out)
{
	const char *before = "";
	for (unsigned k = 0; k < NR_STATES; k++) {
		if (!(states >> k & 1))
			continue;
		textbuf_printf(out, "%s%s", before, state_name(k));
		before = separator;
	}
}
