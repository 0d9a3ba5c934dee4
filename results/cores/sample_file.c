#include "results/cores/sample_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/file.h"

static const uint8_t magic[8] = {0x89, 's', 'a', 'h', 'm', 'p', 'e', '\n'};

#define VERSION 2u
#define MAX_FILE_BYTES (UINT64_C(1) << 40)

/* Places in the head. Events follow it, then texts, each with a NUL, and zeros up to a multiple of a sample's bytes. */
enum {
	HEAD_VERSION = 8,
	HEAD_BYTES = 12, /* of all before the samples */
	HEAD_SAMPLES = 16,
	HEAD_LOST = 24,
	HEAD_FULLS = 32,
	HEAD_CYCLES = 40,
	HEAD_INSTRUCTIONS = 48,
	HEAD_BUFFER = 56,
	HEAD_SKID = 64,
	HEAD_EVENTS = 68, /* how many */
	HEAD_END = 72,
	EVENT_COUNTER = 0, /* in 8 bytes */
	EVENT_SELECTOR = 8,
	EVENT_THRESHOLD = 16,
	EVENT_COUNTED = 24,
	EVENT_END = 32,
	SAMPLE_COUNTER = 24,
};

static void put(uint8_t *at, uint64_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		at[i] = (uint8_t)(value >> 8 * i);
}

static uint64_t get(const void *at, unsigned bytes)
{
	const uint8_t *b = at;
	uint64_t value = 0;
	for (unsigned i = bytes; i-- > 0;)
		value = value << 8 | b[i];
	return value;
}

/* ---- Writing ---- */

#define NR_NAMES 5u

static void put_numbers(uint8_t *at, const struct sample_head *h, size_t bytes)
{
	memcpy(at, magic, sizeof(magic));
	put(at + HEAD_VERSION, VERSION, 4);
	put(at + HEAD_BYTES, bytes, 4);
	put(at + HEAD_SAMPLES, h->samples, 8);
	put(at + HEAD_LOST, h->lost, 8);
	put(at + HEAD_FULLS, h->fulls, 8);
	put(at + HEAD_CYCLES, h->cycles, 8);
	put(at + HEAD_INSTRUCTIONS, h->instructions, 8);
	put(at + HEAD_BUFFER, h->buffer_bytes, 8);
	put(at + HEAD_SKID, h->skid, 4);
	put(at + HEAD_EVENTS, h->nr_events, 4);
	for (unsigned i = 0; i < h->nr_events; i++) {
		uint8_t *e = at + HEAD_END + (size_t)i * EVENT_END;
		put(e + EVENT_COUNTER, h->events[i].counter, 8);
		put(e + EVENT_SELECTOR, h->events[i].selector, 8);
		put(e + EVENT_THRESHOLD, h->events[i].threshold, 8);
		put(e + EVENT_COUNTED, h->events[i].counted, 8);
	}
}

bool sample_head_write(FILE *out, const struct sample_head *h)
{
	const char *texts[NR_NAMES + HPM_COUNTERS] = {h->stream, h->stream_digest, h->core, h->family, h->counters};
	size_t nr = NR_NAMES + h->nr_events, bytes = HEAD_END + (size_t)h->nr_events * EVENT_END;
	size_t at = bytes;
	for (unsigned i = 0; i < h->nr_events; i++)
		texts[NR_NAMES + i] = h->events[i].name;
	for (size_t i = 0; i < nr; i++)
		bytes += strlen(texts[i]) + 1;
	bytes = (bytes + PES_SAMPLE_BYTES - 1) / PES_SAMPLE_BYTES * PES_SAMPLE_BYTES;
	uint8_t *head = calloc(bytes, 1);
	if (!head)
		return false;
	put_numbers(head, h, bytes);
	for (size_t i = 0; i < nr; i++) {
		memcpy(head + at, texts[i], strlen(texts[i]));
		at += strlen(texts[i]) + 1;
	}
	fwrite(head, 1, bytes, out);
	free(head);
	return true;
}

/* ---- Reading ---- */

#define REFUSE(path, err, ...) sahm_fail_at(err, SAHM_FORMAT, path, 0, __VA_ARGS__)

/* The next text of the head, up to `end`; NULL: there is none. */
static const char *next_text(const struct sample_file *f, size_t *at)
{
	const char *text = f->bytes + *at;
	size_t room = f->first - *at, len = strnlen(text, room);
	*at += len + 1;
	return len < room ? text : NULL;
}

static enum sahm_status read_texts(struct sample_file *f, const char *path, struct sahm_err *err)
{
	struct sample_head *h = &f->head;
	size_t at = HEAD_END + (size_t)h->nr_events * EVENT_END;
	const char **const texts[NR_NAMES] = {&h->stream, &h->stream_digest, &h->core, &h->family, &h->counters};
	bool ok = true;
	for (unsigned i = 0; i < NR_NAMES && ok; i++)
		ok = (*texts[i] = next_text(f, &at)) != NULL;
	for (unsigned i = 0; i < h->nr_events && ok; i++)
		ok = (h->events[i].name = next_text(f, &at)) != NULL;
	return ok ? SAHM_OK : REFUSE(path, err, "byte %zu: its head ends within names", f->first);
}

static enum sahm_status read_events(struct sample_file *f, const char *path, struct sahm_err *err)
{
	struct sample_head *h = &f->head;
	for (unsigned i = 0; i < h->nr_events; i++) {
		const char *at = f->bytes + HEAD_END + (size_t)i * EVENT_END;
		uint64_t counter = get(at + EVENT_COUNTER, 8);
		if (counter < HPM_FIRST || counter >= HPM_FIRST + HPM_COUNTERS)
			return REFUSE(path, err, "byte %td: the counter of an event is %" PRIu64 ", must be %u to %u",
				      at + EVENT_COUNTER - f->bytes, counter, HPM_FIRST, HPM_FIRST + HPM_COUNTERS - 1);
		h->events[i] = (struct sample_event){.counter = (uint8_t)counter,
						     .selector = get(at + EVENT_SELECTOR, 8),
						     .threshold = get(at + EVENT_THRESHOLD, 8),
						     .counted = get(at + EVENT_COUNTED, 8)};
		for (unsigned k = 0; k < i; k++)
			if (h->events[k].counter == counter)
				return REFUSE(path, err, "byte %td: a second event of counter %" PRIu64,
					      at + EVENT_COUNTER - f->bytes, counter);
	}
	return SAHM_OK;
}

static enum sahm_status read_head(struct sample_file *f, const char *path, struct sahm_err *err)
{
	struct sample_head *h = &f->head;
	const char *at = f->bytes;
	if (f->nr_bytes < sizeof(magic) || memcmp(at, magic, sizeof(magic)) != 0)
		return REFUSE(path, err, "not a file of samples (sahm core sample makes one)");
	if (f->nr_bytes < HEAD_END)
		return REFUSE(path, err, "cut short: it ends after %zu bytes, within its head", f->nr_bytes);
	if (get(at + HEAD_VERSION, 4) != VERSION)
		return REFUSE(path, err,
			      "byte %u: files of samples of version %" PRIu64
			      " cannot be read, only of %u: take the samples again",
			      HEAD_VERSION, get(at + HEAD_VERSION, 4), VERSION);
	f->first = get(at + HEAD_BYTES, 4);
	*h = (struct sample_head){.samples = get(at + HEAD_SAMPLES, 8),
				  .lost = get(at + HEAD_LOST, 8),
				  .fulls = get(at + HEAD_FULLS, 8),
				  .cycles = get(at + HEAD_CYCLES, 8),
				  .instructions = get(at + HEAD_INSTRUCTIONS, 8),
				  .buffer_bytes = get(at + HEAD_BUFFER, 8),
				  .skid = (uint32_t)get(at + HEAD_SKID, 4),
				  .nr_events = (unsigned)get(at + HEAD_EVENTS, 4)};
	if (h->nr_events == 0 || h->nr_events > HPM_COUNTERS)
		return REFUSE(path, err, "byte %u: %u events, must be 1 to %u", HEAD_EVENTS, h->nr_events,
			      HPM_COUNTERS);
	if (f->first < HEAD_END + (size_t)h->nr_events * EVENT_END)
		return REFUSE(path, err, "byte %u: a head of %zu bytes has no room for %u events", HEAD_BYTES, f->first,
			      h->nr_events);
	if (f->first > f->nr_bytes)
		return REFUSE(path, err, "cut short: it ends after %zu bytes, within its head of %zu", f->nr_bytes,
			      f->first);
	size_t rest = f->nr_bytes - f->first;
	if (h->samples != rest / PES_SAMPLE_BYTES || rest % PES_SAMPLE_BYTES != 0)
		return REFUSE(path, err,
			      "%s: %zu bytes follow its head instead of %" PRIu64 " samples of %u bytes each",
			      rest / PES_SAMPLE_BYTES < h->samples ? "cut short" : "too long", rest, h->samples,
			      PES_SAMPLE_BYTES);
	return SAHM_OK;
}

static enum sahm_status check_counters(const struct sample_file *f, const char *path, struct sahm_err *err)
{
	uint32_t counters = 0;
	for (unsigned i = 0; i < f->head.nr_events; i++)
		counters |= UINT32_C(1) << f->head.events[i].counter;
	for (uint64_t i = 0; i < f->head.samples; i++) {
		unsigned counter = sample_file_at(f, i).counter;
		if (counter > 31 || !(counters >> counter & 1))
			return REFUSE(path, err, "byte %" PRIu64 ": a sample of counter %u, which has no event",
				      f->first + i * PES_SAMPLE_BYTES + SAMPLE_COUNTER, counter);
	}
	return SAHM_OK;
}

enum sahm_status sample_file_read(const char *path, struct sample_file *f, struct sahm_err *err)
{
	*f = (struct sample_file){0};
	enum sahm_status status = file_read_regular(path, MAX_FILE_BYTES, &f->bytes, &f->nr_bytes, err);
	if (status != SAHM_OK)
		return status;
	status = read_head(f, path, err);
	if (status == SAHM_OK)
		status = read_events(f, path, err);
	if (status == SAHM_OK)
		status = read_texts(f, path, err);
	if (status == SAHM_OK)
		status = check_counters(f, path, err);
	if (status != SAHM_OK)
		sample_file_release(f);
	return status;
}

void sample_file_release(struct sample_file *f)
{
	free(f->bytes);
	*f = (struct sample_file){0};
}

struct sample sample_file_at(const struct sample_file *f, uint64_t i)
{
	const char *at = f->bytes + f->first + i * PES_SAMPLE_BYTES;
	return (struct sample){.pc = get(at, 8),
			       .cycle = get(at + 8, 8),
			       .address = get(at + 16, 8),
			       .counter = (uint8_t)get(at + SAMPLE_COUNTER, 1),
			       .flags = (uint8_t)get(at + 25, 1),
			       .skid = (uint16_t)get(at + 26, 2),
			       .lost = (uint32_t)get(at + 28, 4)};
}
