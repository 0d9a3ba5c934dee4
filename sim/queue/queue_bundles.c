/* Bundles that a worker has at hand: fetched, checked, and placed on disk for its processes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/clock.h"
#include "sim/base/units.h"
#include "sim/engine/model.h"
#include "sim/queue/queue_worker_internal.h"
#include "sim/queue/transfer.h"

/* How long one does not ask again for a bundle that cannot be had. */
#define BAD_NS NS_PER_S

static bool find(const struct working *w, const uint8_t hash[HASH_BYTES], uint32_t *slot)
{
	for (uint32_t i = 0; i < MAX_SLOTS; i++)
		if (w->slots[i].generation && memcmp(w->slots[i].hash, hash, HASH_BYTES) == 0) {
			*slot = i;
			return true;
		}
	return false;
}

/* The place that has been of no use for longest; false: all are in use. */
static bool find_place(const struct working *w, uint32_t *slot)
{
	bool found = false;
	for (uint32_t i = 0; i < MAX_SLOTS; i++)
		if (w->used[i] == 0 && (!found || w->touched[i] < w->touched[*slot])) {
			*slot = i;
			found = true;
		}
	return found;
}

static enum sahm_status check_program(const struct working *w, const struct bundle *b, struct sahm_err *err)
{
	if (w->options->any_program || strcmp(b->program, model_version()) == 0)
		return SAHM_OK;
	return sahm_fail(err, SAHM_CONFIG, "it was planned by program '%s', this is '%s'", b->program, model_version());
}

/* Files can be large, and lines slow. */
static bool go_on(void *ctx)
{
	struct working *w = ctx;
	working_beat(w);
	return working_stop(w) == WORKER_GO_ON;
}

static enum sahm_status fetch_files(struct working *w, const struct bundle *b, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (uint32_t i = 0; i < b->nr_files && status == SAHM_OK; i++) {
		const struct bundle_file *f = &b->files[i];
		if (f->kind == BUNDLE_PLUGIN || file_cache_has(w->cache, f->hash, f->bytes))
			continue;
		status =
			transfer_fetch_file(w->queue.link, w->queue.prefix, w->cache, f->hash, f->bytes, go_on, w, err);
	}
	return status;
}

static enum sahm_status place(struct working *w, const struct bundle *b, uint32_t at, struct sahm_err *err)
{
	struct textbuf folder;
	textbuf_init(&folder);
	enum sahm_status status = file_cache_place(w->cache, b, &folder, err);
	if (status == SAHM_OK && textbuf_failed(&folder))
		status = sahm_fail_nomem(err);
	if (status == SAHM_OK && folder.len >= sizeof(w->slots[at].folder))
		status = sahm_fail(err, SAHM_RANGE, "the name of the cache's folder is too long");
	if (status == SAHM_OK) {
		struct slot *s = &w->slots[at];
		memcpy(s->folder, folder.text, folder.len + 1);
		memcpy(s->hash, b->hash, HASH_BYTES);
		s->generation++;
		w->timeout_s[at] = b->timeout_s;
	}
	textbuf_release(&folder);
	return status;
}

/* Fetches the bundle and all that it needs into the place `at`. */
static enum sahm_status fetch_bundle(struct working *w, const uint8_t hash[HASH_BYTES], uint32_t at,
				     struct sahm_err *err)
{
	struct bundle b;
	char *text = NULL;
	size_t len;
	enum sahm_status status =
		transfer_fetch(w->queue.link, w->queue.prefix, hash, MAX_BUNDLE_BYTES, &text, &len, err);
	if (status == SAHM_OK)
		status = bundle_read(&b, text, len, hash, err);
	free(text);
	if (status != SAHM_OK)
		return status;
	status = check_program(w, &b, err);
	if (status == SAHM_OK)
		status = fetch_files(w, &b, err);
	if (status == SAHM_OK)
		status = place(w, &b, at, err);
	bundle_release(&b);
	return status;
}

enum sahm_status working_find_slot(struct working *w, const struct queue_run *run, uint32_t *slot, struct sahm_err *err)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	bool found = find(w, run->bundle, slot);
	if (!found && now < w->bad_ns && memcmp(run->bundle, w->bad_hash, HASH_BYTES) == 0)
		return sahm_fail(err, w->bad.status, "%s", w->bad.msg);
	if (!found && !find_place(w, slot))
		return sahm_fail(err, SAHM_RANGE, "runs of more than %u sweeps at a time", MAX_SLOTS);
	w->touched[*slot] = w->nr_takes;
	enum sahm_status status = found ? SAHM_OK : fetch_bundle(w, run->bundle, *slot, &w->bad);
	if (status == SAHM_OK)
		return SAHM_OK;
	/* Of the many runs that a bundle has each would ask again. */
	memcpy(w->bad_hash, run->bundle, HASH_BYTES);
	w->bad_ns = redis_link_is_up(w->queue.link) ? now + BAD_NS : 0;
	return sahm_fail(err, status, "%s", w->bad.msg);
}
