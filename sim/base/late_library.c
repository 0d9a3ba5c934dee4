#include "sim/base/late_library.h"

#include <dlfcn.h>
#include <string.h>

enum sahm_status late_library_load(const char *soname, const struct late_call *calls, size_t nr, struct sahm_err *err)
{
	void *library = dlopen(soname, RTLD_NOW | RTLD_LOCAL);
	for (size_t i = 0; i < nr; i++) {
		void *found = library ? dlsym(library, calls[i].name) : NULL;
		if (!found)
			return sahm_fail(err, SAHM_TOOL, "library '%s' cannot be used: %s", soname, dlerror());
		memcpy(calls[i].to, &found, sizeof(found));
	}
	return SAHM_OK;
}
