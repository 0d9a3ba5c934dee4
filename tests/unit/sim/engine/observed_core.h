/* A core that ran, with what IPUs beside it need of it, and the packets of such IPUs. Failures end the test. */
#ifndef SAHM_TESTS_UNIT_SIM_ENGINE_OBSERVED_CORE_H
#define SAHM_TESTS_UNIT_SIM_ENGINE_OBSERVED_CORE_H

#include <stdlib.h>
#include <string.h>

#include "ipu/jit/translation.h"
#include "ipu/unit/load.h"
#include "sim/engine/core_probe.h"
#include "tests/unit/cores/uarch/drawn_observed.h"
#include "workloads/stream/core_run.h"

#define SAMPLE_BYTES 6u

/* ---- The core ---- */

struct observed {
	struct core_timing t;
	struct uop *uops;
	struct uop_prefetch *prefetches;
	struct uop_stamps *stamps;
	uint16_t *signatures, of_batch[BATCH_UOPS];
	size_t nr, nr_prefetches, room, most;
};

static inline void observed_free(struct observed *o)
{
	free(o->uops);
	free(o->prefetches);
	free(o->stamps);
	free(o->signatures);
	free(o);
}

static inline void *grow(void *p, size_t nr, size_t bytes)
{
	p = realloc(p, nr * bytes);
	assert_non_null(p);
	return p;
}

static inline void observed_add(struct observed *o, const struct uop_batch *b, const struct uop_stamps *stamps)
{
	if (o->nr + b->nr > o->room) {
		o->room = 2 * (o->nr + b->nr);
		o->uops = grow(o->uops, o->room, sizeof(*o->uops));
		o->stamps = grow(o->stamps, o->room, sizeof(*o->stamps));
		o->signatures = grow(o->signatures, o->room, sizeof(*o->signatures));
	}
	o->prefetches = grow(o->prefetches, o->nr_prefetches + b->nr_prefetches + 1, sizeof(*o->prefetches));
	memcpy(o->uops + o->nr, b->uops, b->nr * sizeof(*b->uops));
	memcpy(o->stamps + o->nr, stamps, b->nr * sizeof(*stamps));
	memcpy(o->signatures + o->nr, o->of_batch, b->nr * sizeof(*o->of_batch));
	memcpy(o->prefetches + o->nr_prefetches, b->prefetches, b->nr_prefetches * sizeof(*b->prefetches));
	o->nr += b->nr;
	o->nr_prefetches += b->nr_prefetches;
}

static inline struct observed *observed_new(void)
{
	struct observed *o = calloc(1, sizeof(*o));
	assert_non_null(o);
	return o;
}

/* A random program on a random core, by the numbers of drawn.h. */
static inline struct observed *observed_random(void)
{
	static struct uop_stamps stamps[BATCH_UOPS];
	struct observed *o = observed_new();
	o->t = draw_core();
	draw_observed_program();
	struct timing *m = timing_new(&o->t);
	struct uop_batch *b = calloc(1, sizeof(*b));
	size_t from = 0, prefetches = 0;
	assert_true(m && b);
	timing_take_signatures(m, o->of_batch);
	while (from < program.nr) {
		draw_batch(b, pick(1, BATCH_UOPS - MAX_INSN_UOPS), &from, &prefetches);
		timing_batch(m, b, stamps);
		observed_add(o, b, stamps);
	}
	free(b);
	timing_free(m);
	return o;
}

static inline enum sahm_status observed_batch(void *ctx, unsigned core, const struct uop_batch *b,
					      const struct uop_stamps *stamps, struct sahm_err *err)
{
	struct observed *o = ctx;
	(void)core;
	if (o->nr >= o->most)
		return sahm_fail(err, SAHM_RANGE, "enough");
	observed_add(o, b, stamps);
	return SAHM_OK;
}

/* The first `most` uops of a stream, or a few more, on a shipped core. */
static inline struct observed *observed_stream(const char *path, const char *core, size_t most)
{
	static struct core_model model;
	const struct core_model *models = &model;
	const struct stream_sampling all = {0};
	struct sahm_err err;
	struct stream *s;
	struct core_counts counts;
	struct observed *o = observed_new();
	const struct core_watch watch = {.signatures = o->of_batch};
	const struct core_observer observer = {.ctx = o, .batch = observed_batch, .watches = &watch};
	char file[64];
	o->most = most;
	snprintf(file, sizeof(file), "configs/cores/%s.cfg", core);
	assert_int_equal(core_model_read(file, NULL, 0, "configs/cpus", &model, &err), SAHM_OK);
	if (stream_open(path, NULL, &s, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	enum sahm_status status = core_run(s, &models, 1, LANES_BEST, &all, &observer, &counts, &err);
	assert_true(status == SAHM_OK || o->nr >= most);
	stream_free(s);
	o->t = model.timing;
	return o;
}

/* Its uops in batches of whole instructions, of `most` uops or a few more. */
static inline void observed_feed(const struct observed *o, size_t most,
				 void (*take)(void *ctx, const struct uop_batch *b, const struct uop_stamps *stamps,
					      const uint16_t *signatures),
				 void *ctx)
{
	struct uop_batch *b = calloc(1, sizeof(*b));
	assert_non_null(b);
	for (size_t from = 0; from < o->nr; from += b->nr) {
		size_t nr = 0;
		do {
			b->uops[nr] = o->uops[from + nr];
			nr++;
		} while (from + nr < o->nr && (nr < most || !(b->uops[nr - 1].flags & UOP_LAST)));
		b->nr = (uint32_t)nr;
		take(ctx, b, o->stamps + from, o->signatures + from);
	}
	free(b);
}

/* ---- Packets ---- */

struct packet {
	uint64_t sent_at;
	uint32_t pc, signature;
};

struct caught {
	struct packet *list; /* [nr] */
	size_t nr, room;
};

static inline void caught_drain(void *ctx, struct ipu_unit *u)
{
	struct caught *c = ctx;
	struct ipu_packet p;
	while (ipu_unit_take(u, &p)) {
		const uint8_t *b = p.bytes;
		assert_int_equal(p.nr_bytes, SAMPLE_BYTES);
		if (c->nr == c->room) {
			c->room = 2 * c->room + 64;
			c->list = grow(c->list, c->room, sizeof(*c->list));
		}
		c->list[c->nr++] = (struct packet){
			p.sent_at, b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24,
			b[4] | (uint32_t)b[5] << 8};
	}
}

static inline void caught_free(struct caught *c)
{
	free(c->list);
	*c = (struct caught){0};
}

/* ---- What is shipped for this ---- */

static inline void read_spec(struct arena *a, const char *path, struct abi *abi)
{
	struct sahm_err err;
	if (abi_read(a, path, abi, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
}

/* ipu/programs/pics.c for each engine; where there is no translator, interpreted twice. */
static inline struct ipu_program *load_pics(const struct abi *abi, const char *period, bool interprets)
{
	struct ipu_program *p;
	struct sahm_err err;
	if (ipu_load_file(&p, "ipu/programs/prebuilt/pics.elf", abi, &period, 1, NULL, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	if (interprets)
		ipu_program_interpret(p);
	return p;
}

/* ---- IPUs beside it ---- */

static inline void probe_batch(void *ctx, const struct uop_batch *b, const struct uop_stamps *stamps,
			       const uint16_t *signatures)
{
	struct sahm_err err;
	assert_int_equal(core_probe_run(ctx, b, stamps, signatures, &err), SAHM_OK);
}

/* Runs ipus[nr] to the end; the probe is the caller's to free. */
static inline struct core_probe *observed_probe(const struct observed *o, const struct core_wiring *wiring,
						const struct core_ipu *ipus, unsigned nr, size_t batch)
{
	struct core_probe *p;
	struct sahm_err err;
	assert_int_equal(core_probe_new(&p, &o->t, wiring, ipus, nr, &err), SAHM_OK);
	observed_feed(o, batch, probe_batch, p);
	assert_int_equal(core_probe_end(p, &err), SAHM_OK);
	return p;
}

#endif
