#include "ipu/session.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "ipu/load.h"
#include "ipu/signals.h"
#include "sim/base/file.h"

struct ipu_session {
	struct arena arena; /* calls, specs, names */
	const char *file;
	const char *folder; /* where it is: absolute, ends in '/' */
	struct ipu_device *device;
	struct textbuf text;
};

/* A call under way. */
struct making {
	struct ipu_session *s;
	struct ipu_call *call;
	const struct ipu_packet_sink *sink;
	const char *path; /* the call's file, from here */
	struct sahm_err *err;
};

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

/* A file that the user names, as the journal names it. */
static enum sahm_status name_file(struct making *m)
{
	char real[PATH_MAX];
	size_t len = strlen(m->s->folder);
	m->path = m->call->file;
	if (!realpath(m->path, real))
		return sahm_fail(m->err, SAHM_IO, "cannot open '%s': %s", m->path, strerror(errno));
	/* "-" would be standard input. */
	bool is_inside = strncmp(real, m->s->folder, len) == 0 && strcmp(real + len, "-") != 0;
	m->call->file = arena_strdup(&m->s->arena, is_inside ? real + len : real);
	return m->call->file ? SAHM_OK : sahm_fail_nomem(m->err);
}

/* A file that the journal names, as it can be opened. */
static enum sahm_status find_file(struct making *m)
{
	const char *name = m->call->file;
	size_t folder = name[0] == '/' ? 0 : strlen(m->s->folder), room = folder + strlen(name) + 1;
	char *path = arena_alloc(&m->s->arena, room, 1);
	if (!path)
		return sahm_fail_nomem(m->err);
	snprintf(path, room, "%.*s%s", (int)folder, m->s->folder, name);
	m->path = path;
	return SAHM_OK;
}

/* Notes the hash of the call's file, or holds it against the one that was noted. */
static enum sahm_status check_hash(struct making *m, struct hash *h)
{
	uint8_t hash[HASH_BYTES];
	hash_end(h, hash);
	if (m->call->has_hash && memcmp(hash, m->call->hash, HASH_BYTES) != 0)
		return sahm_fail(m->err, SAHM_FORMAT, "'%s' has changed since this '%s'", m->path,
				 ipu_call_name(m->call->kind));
	memcpy(m->call->hash, hash, HASH_BYTES);
	m->call->has_hash = true;
	return SAHM_OK;
}

/* Units. */

/* The unit from which on, and how many, the call concerns. */
static enum sahm_status find_units(const struct making *m, unsigned *first, unsigned *end)
{
	unsigned nr = ipu_device_nr_units(m->s->device);
	uint64_t unit = ipu_call_number(m->call, IPU_ARG_UNIT, 0);
	if (nr == 0)
		return sahm_fail(m->err, SAHM_RANGE, "the session has no units yet: 'attach' gives it some");
	if (unit != IPU_ALL_UNITS && unit >= nr)
		return sahm_fail(m->err, SAHM_RANGE, "there is no unit %" PRIu64 ", the session has %u", unit, nr);
	*first = unit == IPU_ALL_UNITS ? 0 : (unsigned)unit;
	*end = unit == IPU_ALL_UNITS ? nr : *first + 1;
	return SAHM_OK;
}

static uint64_t present_of(const struct making *m, unsigned unit)
{
	return ipu_unit_hit_cycle(ipu_device_unit(m->s->device, unit));
}

/* Time does not go beyond what 64 bits can tell of both clocks. */
static enum sahm_status check_time(const struct making *m, unsigned unit)
{
	if (present_of(m, unit) <= IPU_MAX_FEED_CYCLES)
		return SAHM_OK;
	return sahm_fail(m->err, SAHM_RANGE, "unit %u is at cycle %" PRIu64 ", which is the end of its time", unit,
			 present_of(m, unit));
}

/* Calls. */

static enum sahm_status make_attach(struct making *m)
{
	const struct ipu_call *c = m->call;
	struct hash h;
	bool is_more = c->given >> IPU_ARG_ADD & 1, has_units = ipu_device_nr_units(m->s->device) > 0;
	if (is_more != has_units)
		return sahm_fail(m->err, SAHM_USAGE,
				 has_units ? "the session has units already; 'add' gives it more"
					   : "the session has no units yet to which some could be added");
	uint64_t ipu_mhz = ipu_call_number(c, IPU_ARG_IPU_MHZ, IPU_DEFAULT_MHZ);
	const struct ipu_unit_config config = {
		.hit_mhz = (uint32_t)ipu_call_number(c, IPU_ARG_HIT_MHZ, ipu_mhz),
		.ipu_mhz = (uint32_t)ipu_mhz,
		.mismatch = c->mode.mismatch,
		.mismatch_arg = c->mode.arg,
		.max_cycles = ipu_call_number(c, IPU_ARG_MAX_CYCLES, IPU_DEFAULT_MAX_CYCLES),
		.fifo_bytes = (uint32_t)ipu_call_number(c, IPU_ARG_FIFO, IPU_DEFAULT_FIFO_BYTES),
		.max_bytes_per_s = ipu_call_number(c, IPU_ARG_LIMIT, 0),
	};
	struct abi *abi = arena_alloc(&m->s->arena, 1, sizeof(*abi));
	if (!abi)
		return sahm_fail_nomem(m->err);
	enum sahm_status status = abi_read(&m->s->arena, m->path, abi, m->err);
	if (status != SAHM_OK)
		return status;
	hash_init(&h);
	abi_hash(abi, &h);
	status = check_hash(m, &h);
	if (status != SAHM_OK)
		return status;
	return ipu_device_add(m->s->device, (unsigned)ipu_call_number(c, IPU_ARG_UNITS, 1), &config, abi, m->err);
}

static enum sahm_status make_image(struct making *m)
{
	unsigned unit, end;
	struct hash h;
	char *bytes;
	size_t nr_bytes;
	enum sahm_status status = find_units(m, &unit, &end);
	if (status == SAHM_OK)
		status = file_read(m->path, IPU_MAX_IMAGE_BYTES, &bytes, &nr_bytes, m->err);
	if (status != SAHM_OK)
		return status;
	hash_init(&h);
	hash_add(&h, bytes, nr_bytes);
	status = check_hash(m, &h);
	const struct ipu_image image = {m->path, bytes, nr_bytes, m->call->settings, m->call->nr_settings};
	for (; status == SAHM_OK && unit < end; unit++)
		status = ipu_config_image(m->s->device, unit, present_of(m, unit), &image, m->err);
	free(bytes);
	return status;
}

static enum sahm_status hash_stream(struct making *m, FILE *in)
{
	struct hash h;
	uint8_t block[16 * 1024];
	size_t got;
	hash_init(&h);
	while ((got = fread(block, 1, sizeof(block), in)) > 0)
		hash_add(&h, block, got);
	if (ferror(in) || fseek(in, 0, SEEK_SET) != 0)
		return sahm_fail(m->err, SAHM_IO, "cannot read '%s': %s", m->path, strerror(errno));
	return check_hash(m, &h);
}

/* Plays signals from the unit's present cycle on. */
static enum sahm_status feed_unit(struct making *m, unsigned unit, FILE *in)
{
	struct signal_reader *reader;
	struct signal_set set;
	struct ipu_unit *u = ipu_device_unit(m->s->device, unit);
	uint64_t present = ipu_unit_hit_cycle(u);
	bool more = false;
	enum sahm_status status = check_time(m, unit);
	if (status == SAHM_OK)
		status = signal_reader_new(&reader, in, m->path, ipu_device_abi(m->s->device, unit), m->err);
	if (status != SAHM_OK)
		return status;
	while ((status = signal_reader_set(reader, &set, &more, m->err)) == SAHM_OK && more) {
		set.cycle += present;
		signal_set_apply(&set, u);
		ipu_unit_advance(u, set.cycle);
	}
	status = signal_reader_free(reader, status, m->err);
	if (status == SAHM_OK && ipu_unit_hit_cycle(u) >= present)
		ipu_unit_advance(u, ipu_unit_hit_cycle(u) + 1);
	return status;
}

static enum sahm_status make_feed(struct making *m)
{
	unsigned unit, end;
	enum sahm_status status = find_units(m, &unit, &end);
	if (status != SAHM_OK)
		return status;
	FILE *in = fopen(m->path, "rbe");
	if (!in)
		return sahm_fail(m->err, SAHM_IO, "cannot open '%s': %s", m->path, strerror(errno));
	status = hash_stream(m, in);
	for (; status == SAHM_OK && unit < end; unit++) {
		rewind(in);
		status = feed_unit(m, unit, in);
	}
	fclose(in);
	return status;
}

static enum sahm_status take_packets(struct making *m, unsigned unit)
{
	struct ipu_packet packet;
	bool more;
	enum sahm_status status;
	while ((status = ipu_drain(m->s->device, unit, present_of(m, unit), &packet, &more, m->err)) == SAHM_OK &&
	       more) {
		status = m->sink ? m->sink->take(m->sink->context, unit, &packet, m->err) : SAHM_OK;
		if (status != SAHM_OK)
			break;
	}
	return status;
}

static enum sahm_status wait_for_unit(struct making *m, unsigned unit)
{
	struct ipu_unit *u = ipu_device_unit(m->s->device, unit);
	uint64_t cycles = ipu_call_number(m->call, IPU_ARG_CYCLES, 0);
	enum sahm_status status = check_time(m, unit);
	if (status != SAHM_OK)
		return status;
	if (cycles)
		ipu_unit_advance(u, ipu_unit_hit_cycle(u) + cycles);
	else
		ipu_unit_settle(u);
	return SAHM_OK;
}

/* Calls that take place for one unit after the other. */
static enum sahm_status make_for_unit(struct making *m, unsigned unit)
{
	struct ipu_device *d = m->s->device;
	uint64_t now = present_of(m, unit), address = m->call->numbers[IPU_ARG_ADDRESS];
	switch (m->call->kind) {
	case IPU_CALL_START:
		return ipu_config_start(d, unit, now, address, m->err);
	case IPU_CALL_STOP:
		return ipu_config_stop(d, unit, now, address, m->err);
	case IPU_CALL_PAUSE:
		return ipu_pause(d, unit, now, m->err);
	case IPU_CALL_RESUME:
		return ipu_resume(d, unit, now, m->err);
	case IPU_CALL_FINALIZE:
		return ipu_finalize(d, unit, now, m->err);
	case IPU_CALL_WAIT:
		return wait_for_unit(m, unit);
	default:
		return take_packets(m, unit);
	}
}

static enum sahm_status carry_out(struct making *m)
{
	unsigned unit, end;
	if (m->call->kind == IPU_CALL_ATTACH)
		return make_attach(m);
	if (m->call->kind == IPU_CALL_IMAGE)
		return make_image(m);
	if (m->call->kind == IPU_CALL_FEED)
		return make_feed(m);
	enum sahm_status status = find_units(m, &unit, &end);
	for (; status == SAHM_OK && unit < end; unit++)
		status = make_for_unit(m, unit);
	return status;
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
	enum sahm_status status = call->file ? find_file(&m) : SAHM_OK;
	if (status == SAHM_OK)
		status = carry_out(&m);
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
	textbuf_release(&s->text);
	arena_release(&s->arena);
	free(s);
}

enum sahm_status ipu_session_make(struct ipu_session *s, struct ipu_call *call, const struct ipu_packet_sink *sink,
				  struct sahm_err *err)
{
	struct making m = {.s = s, .call = call, .sink = sink, .err = err};
	enum sahm_status status = call->file ? name_file(&m) : SAHM_OK;
	if (status == SAHM_OK)
		status = carry_out(&m);
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
