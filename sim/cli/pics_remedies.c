#include "sim/cli/pics_remedies.h"

#include <inttypes.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/base/textbuf.h"

/* ---- Reading ---- */

struct numbers {
	uint64_t *of; /* [nr] */
	size_t nr;
};

/* A --soft-prefetch. */
struct prefetch_request {
	struct numbers pcs, distances;
};

static enum sahm_status refuse(const char *option, const char *whole, const char *why, struct sahm_err *err)
{
	return sahm_fail(err, SAHM_USAGE, "--%s '%.80s': %s", option, whole, why);
}

/* Reads the first `len` bytes of `text`: numbers with commas between. False: they are none, or `out->of` is NULL. */
static bool read_numbers(const char *text, size_t len, bool is_address, struct arena *a, struct numbers *out)
{
	size_t room = 1;
	for (size_t i = 0; i < len; i++)
		room += text[i] == ',';
	*out = (struct numbers){.of = arena_alloc(a, room, sizeof(*out->of))};
	while (out->of && out->nr < room) {
		char word[32];
		size_t end = 0;
		while (end < len && text[end] != ',')
			end++;
		if (end == 0 || end >= sizeof(word))
			return false;
		memcpy(word, text, end);
		word[end] = '\0';
		if ((is_address ? number_read_size(word, &out->of[out->nr])
				: number_read_u64(word, end, &out->of[out->nr])) != NUMBER_OK)
			return false;
		out->nr++;
		text += end < len ? end + 1 : end;
		len -= end < len ? end + 1 : end;
	}
	return out->of != NULL;
}

static enum sahm_status read_prefetch(const char *text, struct arena *a, struct prefetch_request *out,
				      struct sahm_err *err)
{
	const char *colon = strchr(text, ':');
	if (!colon)
		return refuse("soft-prefetch", text, "must be PC:N, as 0x4011d6:4", err);
	if (!read_numbers(text, (size_t)(colon - text), true, a, &out->pcs))
		return out->pcs.of ? refuse("soft-prefetch", text, "a PC is an address, as 0x4011d6", err)
				   : sahm_fail_nomem(err);
	if (!read_numbers(colon + 1, strlen(colon + 1), false, a, &out->distances))
		return out->distances.of ? refuse("soft-prefetch", text, "a distance is a whole number", err)
					 : sahm_fail_nomem(err);
	for (size_t i = 0; i < out->distances.nr; i++)
		if (out->distances.of[i] < 1)
			return refuse("soft-prefetch", text, "a distance is at least 1", err);
	return SAHM_OK;
}

static enum sahm_status read_no_flush(const struct option_list *given, struct arena *a, struct numbers *out,
				      struct sahm_err *err)
{
	size_t room = 1;
	for (size_t i = 0; i < given->nr; i++)
		room += strlen(given->items[i]);
	*out = (struct numbers){.of = arena_alloc(a, room, sizeof(*out->of))};
	for (size_t i = 0; i < given->nr; i++) {
		struct numbers some;
		if (!read_numbers(given->items[i], strlen(given->items[i]), true, a, &some))
			return some.of ? refuse("no-flush", given->items[i], "a PC is an address, as 0x4011d6", err)
				       : sahm_fail_nomem(err);
		if (!out->of)
			return sahm_fail_nomem(err);
		memcpy(out->of + out->nr, some.of, some.nr * sizeof(*some.of));
		out->nr += some.nr;
	}
	return SAHM_OK;
}

/* ---- Lanes ---- */

/* The lanes with remedies: as many as the longest list of distances; other lists have one or as many. */
static enum sahm_status count_lanes(const struct prefetch_request *requests, size_t nr, bool has_no_flush,
				    struct pics_remedies *r, struct sahm_err *err)
{
	size_t most = has_no_flush ? 1 : 0;
	for (size_t i = 0; i < nr; i++)
		most = requests[i].distances.nr > most ? requests[i].distances.nr : most;
	for (size_t i = 0; i < nr; i++)
		if (requests[i].distances.nr != 1 && requests[i].distances.nr != most)
			return sahm_fail(err, SAHM_USAGE,
					 "--soft-prefetch: %zu distances and %zu: give as many each time, or one",
					 requests[i].distances.nr, most);
	if (most >= MAX_PICS_LANES)
		return sahm_fail(err, SAHM_USAGE, "--soft-prefetch: %zu distances are more than %u", most,
				 MAX_PICS_LANES - 1);
	r->nr_lanes = 1 + most;
	return SAHM_OK;
}

static uint64_t distance_of(const struct prefetch_request *p, size_t lane)
{
	return p->distances.of[p->distances.nr == 1 ? 0 : lane - 1];
}

/* "distance 4", "distances 4, 8", "no flush". */
static const char *label_lane(const struct prefetch_request *requests, size_t nr, size_t lane, struct arena *a)
{
	struct textbuf label;
	textbuf_init(&label);
	textbuf_puts(&label, nr == 0 ? "no flush" : nr == 1 ? "distance" : "distances");
	for (size_t i = 0; i < nr; i++)
		textbuf_printf(&label, "%s %" PRIu64, i > 0 ? "," : "", distance_of(&requests[i], lane));
	return textbuf_keep(&label, a);
}

static bool add_lane(struct pics_remedies *r, const struct prefetch_request *requests, size_t nr,
		     const struct numbers *no_flush, size_t lane)
{
	struct remedies *x = arena_alloc(&r->arena, 1, sizeof(*x));
	size_t room = 1;
	for (size_t i = 0; i < nr; i++)
		room += requests[i].pcs.nr;
	struct soft_prefetch *prefetches = arena_alloc(&r->arena, room, sizeof(*prefetches));
	r->labels[lane] = label_lane(requests, nr, lane, &r->arena);
	if (!x || !prefetches || !r->labels[lane])
		return false;
	*x = (struct remedies){.prefetches = prefetches, .no_flush = no_flush->of, .nr_no_flush = no_flush->nr};
	for (size_t i = 0; i < nr; i++)
		for (size_t k = 0; k < requests[i].pcs.nr; k++)
			prefetches[x->nr_prefetches++] =
				(struct soft_prefetch){requests[i].pcs.of[k], distance_of(&requests[i], lane)};
	r->lanes[lane] = x;
	return true;
}

static enum sahm_status refuse_repetition(const struct remedies *x, struct sahm_err *err)
{
	for (size_t i = 0; i < x->nr_prefetches; i++)
		for (size_t k = 0; k < i; k++)
			if (x->prefetches[i].pc == x->prefetches[k].pc)
				return sahm_fail(err, SAHM_USAGE, "--soft-prefetch: 0x%" PRIx64 " is given twice",
						 x->prefetches[i].pc);
	return SAHM_OK;
}

/* Also in CSV and JSON, a lane is known by its label. */
static enum sahm_status refuse_equal_lanes(const struct pics_remedies *r, struct sahm_err *err)
{
	for (size_t i = 1; i < r->nr_lanes; i++)
		for (size_t k = 1; k < i; k++)
			if (strcmp(r->labels[i], r->labels[k]) == 0)
				return sahm_fail(err, SAHM_USAGE, "--soft-prefetch: %s is given twice", r->labels[i]);
	return SAHM_OK;
}

enum sahm_status pics_remedies_read(struct pics_remedies *r, const struct option_list *soft_prefetches,
				    const struct option_list *no_flushes, struct sahm_err *err)
{
	size_t nr = soft_prefetches->nr;
	struct numbers no_flush;
	enum sahm_status status = SAHM_OK;
	*r = (struct pics_remedies){.nr_lanes = 1};
	arena_init(&r->arena);
	struct prefetch_request *requests = arena_alloc(&r->arena, nr, sizeof(*requests));
	if (!requests)
		return sahm_fail_nomem(err);
	for (size_t i = 0; i < nr && status == SAHM_OK; i++)
		status = read_prefetch(soft_prefetches->items[i], &r->arena, &requests[i], err);
	if (status == SAHM_OK)
		status = read_no_flush(no_flushes, &r->arena, &no_flush, err);
	if (status == SAHM_OK)
		status = count_lanes(requests, nr, no_flush.nr > 0, r, err);
	if (status != SAHM_OK)
		return status;
	r->labels = arena_alloc(&r->arena, r->nr_lanes, sizeof(*r->labels));
	r->lanes = arena_alloc(&r->arena, r->nr_lanes, sizeof(const struct remedies *));
	if (!r->labels || !r->lanes)
		return sahm_fail_nomem(err);
	r->labels[0] = "as it is";
	for (size_t lane = 1; lane < r->nr_lanes && status == SAHM_OK; lane++)
		status = add_lane(r, requests, nr, &no_flush, lane) ? refuse_repetition(r->lanes[lane], err)
								    : sahm_fail_nomem(err);
	return status == SAHM_OK ? refuse_equal_lanes(r, err) : status;
}

void pics_remedies_release(struct pics_remedies *r)
{
	arena_release(&r->arena);
}
