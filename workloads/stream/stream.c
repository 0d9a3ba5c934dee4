/* Streams read: blocks and accesses become what was executed. */
#include "workloads/stream/stream.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/stream/stream_reader_internal.h"

static void begin_epoch(struct stream *s, uint64_t epoch)
{
	s->ended = epoch >= s->file.index.nr;
	s->epoch = epoch;
	s->offset = s->ended ? 0 : s->file.index.epochs[epoch].offset;
	s->instructions = s->warm = 0;
	s->started = false;
	s->entries = 0;
	s->current = NULL;
	s->following = NULL;
	s->at = 0;
	hash_init(&s->hash);
}

static enum sahm_status enter_next(struct stream *s, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	if (s->started && !s->following)
		begin_epoch(s, s->epoch + 1);
	if (s->ended)
		return SAHM_OK;
	if (!s->started)
		status = stream_look_ahead(s, err);
	if (status != SAHM_OK)
		return status;
	struct stream_block *b = s->following;
	stream_model_follow(&s->model, b);
	status = stream_read_accesses(s, b, err);
	s->current = b;
	s->at = 0;
	s->access_at = 0;
	return status == SAHM_OK ? stream_look_ahead(s, err) : status;
}

enum sahm_status stream_enter(struct stream *s, struct sahm_err *err)
{
	enum sahm_status status = s->ended ? SAHM_OK : enter_next(s, err);
	if (status != SAHM_OK) {
		/* What has a fault ends there. */
		s->ended = true;
		s->current = NULL;
	}
	return status;
}

enum sahm_status stream_next(struct stream *s, struct executed *out, bool *more, struct sahm_err *err)
{
	return stream_step(s, out, more, err);
}

enum sahm_status stream_seek(struct stream *s, uint64_t epoch, struct sahm_err *err)
{
	if (epoch >= s->file.index.nr)
		return sahm_fail_at(err, SAHM_RANGE, s->file.path, 0,
				    "there is no epoch %" PRIu64 ", there are %" PRIu64, epoch, s->file.index.nr);
	begin_epoch(s, epoch);
	return SAHM_OK;
}

enum sahm_status stream_open(const char *path, struct textbuf *notes, struct stream **stream, struct sahm_err *err)
{
	/* Hash states are aligned to more than malloc() promises. */
	struct stream *s = aligned_alloc(_Alignof(struct stream), sizeof(*s));
	if (!s)
		return sahm_fail_nomem(err);
	memset(s, 0, sizeof(*s));
	arena_init(&s->arena);
	s->decompressor = ZSTD_createDCtx();
	enum sahm_status status = stream_file_open(path, O_RDONLY, &s->file, err);
	if (status == SAHM_OK && !s->decompressor)
		status = sahm_fail_nomem(err);
	if (status != SAHM_OK) {
		stream_free(s);
		return status;
	}
	if (!s->file.complete && notes)
		textbuf_printf(notes, "%s: it ends early; whole epochs: %" PRIu64 "\n", path, s->file.index.nr);
	begin_epoch(s, 0);
	*stream = s;
	return SAHM_OK;
}

void stream_free(struct stream *s)
{
	if (!s)
		return;
	s->current = NULL;
	stream_forget_blocks(s, NULL);
	free((void *)s->kept.instructions);
	free(s->kept.slots);
	stream_model_release(&s->model);
	stream_file_release(&s->file);
	ZSTD_freeDCtx(s->decompressor);
	free(s->body);
	free(s->raw);
	free(s->accesses);
	free(s->shape);
	free(s);
}

enum machine stream_machine(const struct stream *s)
{
	return (enum machine)get_le(s->file.header + STREAM_HEADER_MACHINE, 4);
}

const char *stream_program(const struct stream *s)
{
	return (const char *)s->file.header + STREAM_HEADER_BYTES;
}

uint64_t stream_nr_epochs(const struct stream *s)
{
	return s->file.index.nr;
}

uint64_t stream_nr_instructions(const struct stream *s)
{
	return s->file.nr_instructions;
}

uint64_t stream_epoch_instructions(const struct stream *s, uint64_t epoch)
{
	return s->file.index.epochs[epoch].instructions;
}

uint64_t stream_epoch_number(const struct stream *s, uint64_t epoch)
{
	return s->file.index.epochs[epoch].number;
}

uint64_t stream_epoch_warm(const struct stream *s, uint64_t epoch)
{
	return s->file.index.epochs[epoch].warm;
}

bool stream_is_sampled(const struct stream *s)
{
	const struct stream_index *x = &s->file.index;
	for (uint64_t i = 0; i < x->nr; i++)
		if (x->epochs[i].warm > 0 || x->epochs[i].number != x->epochs[0].number + i)
			return true;
	return false;
}

bool stream_next_module(const struct stream *s, size_t *at, struct stream_module *out)
{
	return stream_get_module(s->file.index.modules, s->file.index.modules_bytes, at, out);
}

uint64_t stream_nr_omitted(const struct stream *s)
{
	return s->file.index.omitted;
}

unsigned stream_version(const struct stream *s)
{
	return s->file.version;
}

uint64_t stream_file_bytes(const struct stream *s)
{
	return s->file.bytes;
}
