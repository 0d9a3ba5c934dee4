#include "ipu/unit/soft_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ipu/soft/modules/shipped_modules.h"
#include "sim/base/file.h"
#include "sim/base/suggest.h"

#define SHIPPED_TEXT "soft logic of sahm: %s %s"

bool soft_is_path(const char *name)
{
	return strpbrk(name, "/.");
}

/* A signature names a shipped module by a text in the place of a file's bytes. */
static enum sahm_status take_shipped(struct soft_source *s, const struct soft_module *m, struct sahm_err *err)
{
	size_t room = sizeof(SHIPPED_TEXT) + 2 * SOFT_NAME_BYTES;
	s->bytes = malloc(room);
	if (!s->bytes)
		return sahm_fail_nomem(err);
	s->shipped = m;
	s->image = (struct trust_soft){m->name, s->bytes,
				       (size_t)snprintf(s->bytes, room, SHIPPED_TEXT, m->name, m->version)};
	return SAHM_OK;
}

static enum sahm_status find_shipped(struct soft_source *s, const char *name, struct sahm_err *err)
{
	char near[SUGGEST_BYTES];
	struct suggest suggest;
	suggest_init(&suggest, name);
	for (unsigned i = 0; i < nr_shipped_modules(); i++) {
		const struct soft_module *m = shipped_module(i);
		if (strcmp(m->name, name) == 0)
			return take_shipped(s, m, err);
		suggest_offer(&suggest, m->name);
	}
	return sahm_fail(err, SAHM_USAGE, "no soft-logic module is called '%.100s'%s (a path has a '/' or a '.')", name,
			 suggest_text(&suggest, near));
}

enum sahm_status soft_source_read(struct soft_source *s, const char *name, const char *path, struct sahm_err *err)
{
	*s = (struct soft_source){0};
	return soft_is_path(name) ? soft_source_read_file(s, path, err) : find_shipped(s, name, err);
}

enum sahm_status soft_source_read_file(struct soft_source *s, const char *path, struct sahm_err *err)
{
	*s = (struct soft_source){.image.file = path};
	enum sahm_status status = file_read_regular(path, SOFT_MAX_OBJECT_BYTES, &s->bytes, &s->image.nr_bytes, err);
	s->image.bytes = s->bytes;
	return status;
}

void soft_source_release(struct soft_source *s)
{
	free(s->bytes);
}

const struct trust_soft *soft_source_image(const struct soft_source *s)
{
	return s->bytes ? &s->image : NULL;
}

void soft_source_hash(const struct soft_source *s, struct hash *h)
{
	hash_add(h, s->bytes, s->image.nr_bytes);
}

enum sahm_status soft_source_open(const struct soft_source *s, enum soft_place place, struct soft **soft,
				  struct sahm_err *err)
{
	if (s->shipped)
		return soft_of_module(soft, s->shipped, s->shipped->name, err);
	return soft_open_bytes(soft, s->bytes, s->image.nr_bytes, s->image.file, place, SOFT_PATIENCE_MS, err);
}
