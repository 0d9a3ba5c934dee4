/* What the calls of a session do. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ipu/trust/trust_record.h"
#include "ipu/unit/abi_internal.h"
#include "ipu/unit/load.h"
#include "ipu/unit/session_internal.h"
#include "ipu/unit/signals.h"
#include "ipu/unit/time_limit.h"
#include "sim/base/file.h"

/* Notes the hash of a file of the call, or holds it against the one that was noted. `path` is where it is, `and_what`
 * what else the hash is of. */
static enum sahm_status check_file(struct making *m, struct ipu_call_file *file, const char *path, const char *and_what,
				   struct hash *h)
{
	uint8_t hash[HASH_BYTES];
	hash_end(h, hash);
	if (file->has_hash && memcmp(hash, file->hash, HASH_BYTES) != 0)
		return sahm_fail(m->err, SAHM_FORMAT, "'%s'%s has changed since this '%s'", path, and_what,
				 ipu_call_name(m->call->kind));
	memcpy(file->hash, hash, HASH_BYTES);
	file->has_hash = true;
	return SAHM_OK;
}

static enum sahm_status check_hash(struct making *m, struct hash *h)
{
	return check_file(m, &m->call->file, m->path, "", h);
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
static enum sahm_status check_time(const struct making *m, unsigned unit, uint64_t hit_cycle)
{
	char who[24];
	snprintf(who, sizeof(who), "unit %u", unit);
	return ipu_check_time(ipu_device_unit(m->s->device, unit), who, hit_cycle, m->err);
}

/* Calls. */

/* The spec of a new unit. Its hash is that of its bytes and, for those that it includes, of its meaning. */
static enum sahm_status read_spec(struct making *m, struct abi *abi)
{
	struct cfg_node *root = NULL;
	struct hash h;
	char *text;
	size_t len;
	enum sahm_status status = file_read_regular(m->path, MAX_CFG_BYTES, &text, &len, m->err);
	if (status != SAHM_OK)
		return status;
	hash_init(&h);
	hash_add(&h, text, len);
	status = cfg_read_text(&m->s->arena, m->path, text, len, &root, m->err);
	if (status == SAHM_OK)
		status = abi_of_tree(root, abi, m->err);
	free(text);
	if (status != SAHM_OK)
		return status;
	abi_hash(abi, &h);
	return check_hash(m, &h);
}

/* The device's trust file. Its hash is that of its bytes and, for the revocations that it names, of their meaning. */
static enum sahm_status read_trust(struct making *m)
{
	struct hash h;
	char *text;
	size_t len;
	enum sahm_status status = file_read_regular(m->trust_path, MAX_CFG_BYTES, &text, &len, m->err);
	if (status != SAHM_OK)
		return status;
	hash_init(&h);
	hash_add(&h, text, len);
	status = trust_of_text(&m->s->trust, m->trust_path, text, len, m->err);
	free(text);
	if (status != SAHM_OK)
		return status;
	m->s->date = trust_date(m->s->trust);
	trust_hash(m->s->trust, &h);
	ipu_device_set_trust(m->s->device, m->s->trust);
	return check_file(m, &m->call->trust, m->trust_path, ", or what it says is revoked,", &h);
}

/* The soft logic of new units. By its path it is a file, whatever it is called. Each call of the session loads it
 * again, before an image can be checked: never into this process, and not at all where no program may run. */
static enum sahm_status open_soft(struct making *m, const struct abi *abi, struct session_soft *soft)
{
	const struct ipu_call *c = m->call;
	struct hash h;
	if (m->s->trust && trust_is_confidential(m->s->trust))
		return sahm_fail(m->err, SAHM_REFUSED, "soft logic '%s' is refused: confidential mode, no program runs",
				 m->soft_path);
	soft->next = m->s->softs;
	m->s->softs = soft;
	enum sahm_status status = soft_source_read_file(&soft->source, m->soft_path, m->err);
	if (status != SAHM_OK)
		return status;
	hash_init(&h);
	soft_source_hash(&soft->source, &h);
	status = check_file(m, &m->call->soft, m->soft_path, "", &h);
	if (status == SAHM_OK)
		status = soft_source_open(&soft->source, SOFT_IN_OWN_PROCESS, &soft->soft, m->err);
	if (status != SAHM_OK)
		return status;
	return ipu_pro_init(&soft->pro, soft->soft, abi,
			    (uint32_t)ipu_call_number(c, IPU_ARG_SOFT_MHZ, IPU_DEFAULT_SOFT_MHZ), m->err);
}

static enum sahm_status make_attach(struct making *m)
{
	const struct ipu_call *c = m->call;
	bool is_more = c->given >> IPU_ARG_ADD & 1, has_units = ipu_device_nr_units(m->s->device) > 0;
	if (is_more != has_units)
		return sahm_fail(m->err, SAHM_USAGE,
				 has_units ? "the session has units already; 'add' gives it more"
					   : "the session has no units yet to which some could be added");
	if (is_more && c->trust.name)
		return sahm_fail(m->err, SAHM_USAGE,
				 "a session has one trust file, or none, from its beginning on: 'add' takes none");
	uint64_t ipu_mhz = ipu_call_number(c, IPU_ARG_IPU_MHZ, IPU_DEFAULT_MHZ);
	struct ipu_unit_config config = {
		.hit_mhz = (uint32_t)ipu_call_number(c, IPU_ARG_HIT_MHZ, ipu_mhz),
		.ipu_mhz = (uint32_t)ipu_mhz,
		.mismatch = c->mode.mismatch,
		.mismatch_arg = c->mode.arg,
		.max_cycles = ipu_call_number(c, IPU_ARG_MAX_CYCLES, IPU_DEFAULT_MAX_CYCLES),
		.fifo_bytes = (uint32_t)ipu_call_number(c, IPU_ARG_FIFO, IPU_DEFAULT_FIFO_BYTES),
		.max_bytes_per_s = ipu_call_number(c, IPU_ARG_LIMIT, 0),
	};
	struct abi *abi = arena_alloc(&m->s->arena, 1, sizeof(*abi));
	struct session_soft *soft = arena_alloc(&m->s->arena, 1, sizeof(*soft));
	unsigned first = ipu_device_nr_units(m->s->device), nr = (unsigned)ipu_call_number(c, IPU_ARG_UNITS, 1);
	if (!abi || !soft)
		return sahm_fail_nomem(m->err);
	if (!c->soft.name && c->given >> IPU_ARG_SOFT_MHZ & 1)
		return sahm_fail(m->err, SAHM_USAGE, "a clock of soft logic without soft logic");
	enum sahm_status status = read_spec(m, abi);
	if (status == SAHM_OK && c->trust.name)
		status = read_trust(m);
	if (status != SAHM_OK)
		return status;
	if (c->soft.name)
		status = open_soft(m, abi, soft);
	if (c->soft.name)
		config.maker = &soft->pro.maker;
	if (status == SAHM_OK)
		status = ipu_device_add(m->s->device, nr, &config, abi, m->err);
	if (status == SAHM_OK && c->soft.name)
		ipu_device_set_soft(m->s->device, first, nr, soft_source_image(&soft->source));
	return status;
}

/* A day that was noted is believed as far as it can be: no check used a day to come, nor another day than that of a
 * trust file that has one. */
static enum sahm_status check_date(const struct making *m)
{
	char noted[DATE_BYTES], day[DATE_BYTES];
	const struct ipu_session *s = m->s;
	date_write(m->call->date, noted);
	date_write(s->date, day);
	if (trust_has_date(s->trust) && m->call->date != s->date)
		return sahm_fail(m->err, SAHM_FORMAT, "the date is %s, and the trust file uses %s", noted, day);
	if (m->call->date > s->date)
		return sahm_fail(m->err, SAHM_FORMAT, "the date, %s, is still to come: it is %s", noted, day);
	return SAHM_OK;
}

/* Notes the day used by the trust file, or makes it use the one that was noted. */
static enum sahm_status take_date(struct making *m)
{
	struct ipu_call *c = m->call;
	bool is_told = c->file.has_hash;
	enum sahm_status status = SAHM_OK;
	if (is_told && !c->date != !m->s->trust)
		return sahm_fail(m->err, SAHM_FORMAT,
				 c->date ? "there is a date, and no trust file that uses it"
					 : "there is no date for the trust file");
	if (!m->s->trust)
		return SAHM_OK;
	if (is_told)
		status = check_date(m);
	else
		c->date = m->s->date;
	trust_set_date(m->s->trust, c->date);
	return status;
}

/* The text of the image's signature, which the caller frees; it stays NULL where there is none. It stands beside the
 * file itself, by which the journal names it, and is called so in messages. */
static enum sahm_status read_signature(struct making *m, struct ipu_image *image, char **text)
{
	char *beside;
	enum sahm_status status = trust_find_signature(m->path, &beside, m->err);
	if (status != SAHM_OK)
		return status;
	image->signature_file = arena_strdup(&m->s->arena, beside);
	if (image->signature_file)
		status = trust_read_signature(beside, text, &image->nr_signature, m->err);
	else
		status = sahm_fail_nomem(m->err);
	free(beside);
	return status;
}

/* The image's hash is that of its bytes and, where somebody looks at it, of its signature. */
static enum sahm_status check_image(struct making *m, const struct ipu_image *image)
{
	struct hash h;
	hash_init(&h);
	hash_add(&h, image->bytes, image->nr_bytes);
	if (m->s->trust) {
		hash_add_u64(&h, image->signature != NULL);
		hash_add(&h, image->signature ? image->signature : "", image->nr_signature);
	}
	return check_file(m, &m->call->file, m->path, m->s->trust ? ", or its signature," : "", &h);
}

static enum sahm_status make_image(struct making *m)
{
	unsigned unit = 0, end = 0;
	struct ipu_image image = {.file = m->path, .settings = m->call->settings, .nr_settings = m->call->nr_settings};
	char *signature = NULL;
	enum sahm_status status = find_units(m, &unit, &end);
	if (status == SAHM_OK)
		status = file_read_regular(m->path, IPU_MAX_IMAGE_BYTES, &image.bytes, &image.nr_bytes, m->err);
	if (status != SAHM_OK)
		return status;
	if (m->s->trust && !trust_is_confidential(m->s->trust))
		status = read_signature(m, &image, &signature);
	image.signature = signature;
	if (status == SAHM_OK)
		status = take_date(m);
	if (status == SAHM_OK)
		status = check_image(m, &image);
	for (; status == SAHM_OK && unit < end; unit++)
		status = ipu_config_image(m->s->device, unit, present_of(m, unit), &image, m->err);
	free(signature);
	free(image.bytes);
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

/* Plays signals from the unit's present cycle on. Sets of which none comes of the last rows end before these do; a file
 * without rows takes no time. */
static enum sahm_status feed_unit(struct making *m, unsigned unit, FILE *in)
{
	struct signal_reader *reader;
	struct signal_set set;
	struct ipu_unit *u = ipu_device_unit(m->s->device, unit);
	uint64_t present = ipu_unit_hit_cycle(u), end;
	bool more = false;
	enum sahm_status status = signal_reader_new(&reader, in, m->path, ipu_device_abi(m->s->device, unit), m->err);
	if (status != SAHM_OK)
		return status;
	while ((status = signal_reader_set(reader, &set, &more, m->err)) == SAHM_OK && more) {
		set.cycle += present;
		status = check_time(m, unit, set.cycle);
		if (status != SAHM_OK)
			break;
		signal_set_apply(&set, u);
		ipu_unit_advance(u, set.cycle);
	}
	bool has_rows = signal_reader_last_cycle(reader, &end);
	status = signal_reader_free(reader, status, m->err);
	end += present + 1;
	if (status == SAHM_OK && has_rows)
		status = check_time(m, unit, end);
	if (status == SAHM_OK && has_rows)
		ipu_unit_advance(u, end);
	return status;
}

static enum sahm_status make_feed(struct making *m)
{
	unsigned unit = 0, end = 0;
	enum sahm_status status = find_units(m, &unit, &end);
	if (status != SAHM_OK)
		return status;
	int fd = file_open_regular(m->path, m->err);
	if (fd < 0)
		return SAHM_IO;
	FILE *in = fdopen(fd, "rb");
	if (!in) {
		close(fd);
		return sahm_fail(m->err, SAHM_IO, "cannot open '%s': %s", m->path, strerror(errno));
	}
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
	uint64_t cycles = ipu_call_number(m->call, IPU_ARG_CYCLES, 0), end = ipu_unit_hit_cycle(u) + cycles;
	if (cycles == 0) {
		ipu_unit_settle(u);
		return SAHM_OK;
	}
	enum sahm_status status = check_time(m, unit, end);
	if (status == SAHM_OK)
		ipu_unit_advance(u, end);
	return status;
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
	unsigned unit = 0, end = 0;
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

enum sahm_status session_carry_out(struct making *m)
{
	enum sahm_status status = carry_out(m);
	for (const struct session_soft *soft = m->s->softs; status == SAHM_OK && soft; soft = soft->next)
		status = soft_check(soft->soft, m->err);
	return status;
}
