#include "ipu/unit/session.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ipu/unit/session_internal.h"

/* Files. */

/* The folder of the file that `path` leads to, be it by links; there need not be one yet. */
static enum sahm_status find_folder(struct ipu_session *s, const char *path, struct sahm_err *err)
{
	char real[PATH_MAX + 1];
	const char *slash = strrchr(path, '/');
	char *folder =
		slash ? arena_strndup(&s->arena, path, (size_t)(slash - path) + 1) : arena_strdup(&s->arena, ".");
	s->file = arena_strdup(&s->arena, path);
	if (!folder || !s->file)
		return sahm_fail_nomem(err);
	if (realpath(path, real))
		strrchr(real, '/')[1] = '\0';
	else if (!realpath(folder, real))
		return sahm_fail(err, SAHM_IO, "cannot open '%s': %s", path, strerror(errno));
	else if (strcmp(real, "/") != 0)
		strcat(real, "/");
	s->folder = arena_strdup(&s->arena, real);
	return s->folder ? SAHM_OK : sahm_fail_nomem(err);
}

/* A file that the user names, as the journal names it; *path is what it is from here. */
static enum sahm_status name_file(struct making *m, struct ipu_call_file *file, const char **path)
{
	char real[PATH_MAX];
	size_t len = strlen(m->s->folder);
	*path = file->name;
	if (!realpath(*path, real))
		return sahm_fail(m->err, SAHM_IO, "cannot open '%s': %s", *path, strerror(errno));
	/* "-" would be standard input. */
	bool is_inside = strncmp(real, m->s->folder, len) == 0 && strcmp(real + len, "-") != 0;
	file->name = arena_strdup(&m->s->arena, is_inside ? real + len : real);
	return file->name ? SAHM_OK : sahm_fail_nomem(m->err);
}

/* A file as the journal names it, as it can be opened: *path, from the arena. SAHM_NOMEM. */
static enum sahm_status session_find_file(struct making *m, const struct ipu_call_file *file, const char **path)
{
	const char *name = file->name;
	size_t folder = name[0] == '/' ? 0 : strlen(m->s->folder), room = folder + strlen(name) + 1;
	char *text = arena_alloc(&m->s->arena, room, 1);
	if (!text)
		return sahm_fail_nomem(m->err);
	snprintf(text, room, "%.*s%s", (int)folder, m->s->folder, name);
	*path = text;
	return SAHM_OK;
}

/* Sessions. */

static enum sahm_status new_session(struct ipu_session **session, const char *path, struct sahm_err *err)
{
	struct ipu_session *s = calloc(1, sizeof(*s));
	if (!s)
		return sahm_fail_nomem(err);
	arena_init(&s->arena);
	textbuf_init(&s->text);
	enum sahm_status status = find_folder(s, path, err);
	if (status == SAHM_OK)
		status = ipu_device_new(&s->device, err);
	if (status != SAHM_OK) {
		ipu_session_free(s);
		return status;
	}
	*session = s;
	return SAHM_OK;
}

enum sahm_status ipu_session_new(struct ipu_session **session, const char *path, struct sahm_err *err)
{
	enum sahm_status status = new_session(session, path, err);
	if (status == SAHM_OK)
		textbuf_puts(&(*session)->text, IPU_SESSION_HEAD "\n");
	return status;
}

static enum sahm_status replay(struct ipu_session *s, struct ipu_call *call, struct sahm_err *err)
{
	struct sahm_err why;
	struct making m = {.s = s, .call = call, .err = &why};
	enum sahm_status status = call->file.name ? session_find_file(&m, &call->file, &m.path) : SAHM_OK;
	if (status == SAHM_OK && call->trust.name)
		status = session_find_file(&m, &call->trust, &m.trust_path);
	if (status == SAHM_OK && call->soft.name)
		status = session_find_file(&m, &call->soft, &m.soft_path);
	if (status == SAHM_OK)
		status = session_carry_out(&m);
	return status == SAHM_OK ? SAHM_OK : sahm_fail_at(err, status, s->file, call->line, "%s", why.msg);
}

enum sahm_status ipu_session_read(struct ipu_session **session, const char *path, const char *text, size_t len,
				  struct sahm_err *err)
{
	struct ipu_session *s;
	struct ipu_call *calls = NULL;
	size_t nr = 0;
	enum sahm_status status = new_session(&s, path, err);
	if (status != SAHM_OK)
		return status;
	status = ipu_calls_read(&s->arena, s->file, text, len, &calls, &nr, err);
	for (size_t i = 0; status == SAHM_OK && i < nr; i++)
		status = replay(s, &calls[i], err);
	textbuf_add(&s->text, text, len);
	if (status != SAHM_OK) {
		ipu_session_free(s);
		return status;
	}
	*session = s;
	return SAHM_OK;
}

void ipu_session_free(struct ipu_session *s)
{
	if (!s)
		return;
	ipu_device_free(s->device);
	for (struct session_soft *soft = s->softs; soft; soft = soft->next) {
		soft_close(soft->soft);
		soft_source_release(&soft->source);
	}
	trust_free(s->trust);
	textbuf_release(&s->text);
	arena_release(&s->arena);
	free(s);
}

enum sahm_status ipu_session_make(struct ipu_session *s, struct ipu_call *call, const struct ipu_packet_sink *sink,
				  struct sahm_err *err)
{
	struct making m = {.s = s, .call = call, .sink = sink, .err = err};
	enum sahm_status status = call->file.name ? name_file(&m, &call->file, &m.path) : SAHM_OK;
	if (status == SAHM_OK && call->trust.name)
		status = name_file(&m, &call->trust, &m.trust_path);
	if (status == SAHM_OK && call->soft.name)
		status = name_file(&m, &call->soft, &m.soft_path);
	if (status == SAHM_OK)
		status = session_carry_out(&m);
	if (status == SAHM_OK)
		status = ipu_call_write(call, &s->text, err);
	return status == SAHM_OK && s->text.len > IPU_MAX_SESSION_BYTES
		       ? sahm_fail(err, SAHM_RANGE, "the session has more than %zu bytes", IPU_MAX_SESSION_BYTES)
		       : status;
}

struct ipu_device *ipu_session_device(struct ipu_session *s)
{
	return s->device;
}

const struct textbuf *ipu_session_text(const struct ipu_session *s)
{
	return &s->text;
}
