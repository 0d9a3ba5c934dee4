/* Shared objects of modules. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ipu/soft/soft_internal.h"

#define SYMBOL "sahm_soft_module"

struct object_path {
	char text[32];
};

static struct object_path path_of(int fd)
{
	struct object_path path;
	snprintf(path.text, sizeof(path.text), "/proc/self/fd/%d", fd);
	return path;
}

static enum sahm_status fail_to_load(const char *file, const char *path, struct sahm_err *err)
{
	const char *said = dlerror();
	size_t len = strlen(path);
	if (said && strncmp(said, path, len) == 0 && strncmp(said + len, ": ", 2) == 0)
		said += len + 2;
	return sahm_fail_at(err, SAHM_FORMAT, file, 0, "cannot be loaded: %s", said ? said : "unknown error");
}

enum sahm_status soft_object_open(void **object, const struct soft_module **m, int fd, const char *file,
				  struct sahm_err *err)
{
	struct object_path path = path_of(fd);
	void *o = dlopen(path.text, RTLD_NOW | RTLD_LOCAL);
	if (!o)
		return fail_to_load(file, path.text, err);
	/* ISO C converts no void * to a function. */
	union {
		void *symbol;
		const struct soft_module *(*describe)(void);
	} found = {.symbol = dlsym(o, SYMBOL)};
	*m = found.symbol ? found.describe() : NULL;
	if (*m) {
		*object = o;
		return SAHM_OK;
	}
	dlclose(o);
	return sahm_fail_at(err, SAHM_FORMAT, file, 0,
			    found.symbol ? "its " SYMBOL "() gives no description"
					 : "not a soft-logic module: it has no function " SYMBOL "()");
}

void soft_object_close(void *object, int fd)
{
	struct object_path path = path_of(fd);
	if (object)
		dlclose(object);
	void *kept = object ? dlopen(path.text, RTLD_NOW | RTLD_NOLOAD) : NULL;
	if (kept)
		dlclose(kept);
	else
		close(fd);
}
