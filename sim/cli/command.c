#include "sim/cli/command.h"

#include <string.h>

size_t command_match(const struct command *c, char *const *words)
{
	size_t nr = 0;
	for (const char *name = c->name; *name; nr++) {
		size_t len = strcspn(name, " ");
		if (!words[nr] || strlen(words[nr]) != len || memcmp(words[nr], name, len) != 0)
			return 0;
		name += len + (name[len] == ' ');
	}
	return nr;
}
