#include "sim/queue/transfer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "sim/base/file.h"

/* How long what nobody finishes stays on the server. */
#define UNFINISHED_MS 3600000u
#define NONCE_BYTES 8u

extern const char transfer_finish_lua[];
static const struct redis_script finish_script = {"finish a transfer", transfer_finish_lua, NULL};

struct transfer {
	struct redis_link *link;
	struct redis_words words;
	char hex[HASH_HEX_BYTES];
	struct textbuf name, temporary; /* keys on the server */
	struct sahm_err *err;
};

/* What is sent: a file, or bytes in memory. */
struct source {
	int fd; /* -1: memory */
	const char *path;
	const char *bytes;
	size_t len, at;
};

static enum sahm_status begin(struct transfer *t, struct redis_link *link, const char *prefix,
			      const uint8_t hash[HASH_BYTES], struct sahm_err *err)
{
	*t = (struct transfer){.link = link, .err = err};
	uint8_t nonce[NONCE_BYTES];
	redis_words_init(&t->words);
	hash_hex(hash, t->hex);
	textbuf_init(&t->name);
	textbuf_init(&t->temporary);
	textbuf_printf(&t->name, "%sfile:%s", prefix, t->hex);
	textbuf_printf(&t->temporary, "%s:", t->name.text);
	if (getrandom(nonce, sizeof(nonce), 0) != (ssize_t)sizeof(nonce))
		return sahm_fail(err, SAHM_IO, "the system has no random bytes: %s", strerror(errno));
	for (size_t i = 0; i < sizeof(nonce); i++)
		textbuf_printf(&t->temporary, "%02x", nonce[i]);
	return textbuf_failed(&t->name) || textbuf_failed(&t->temporary) ? sahm_fail_nomem(err) : SAHM_OK;
}

static void end(struct transfer *t)
{
	redis_words_release(&t->words);
	textbuf_release(&t->name);
	textbuf_release(&t->temporary);
}

/* Carries out the command whose answer is a number. */
static enum sahm_status call_for_number(struct transfer *t, int64_t *number)
{
	struct reply *reply = NULL;
	enum sahm_status status = redis_link_call(t->link, &t->words, 0, &reply, t->err);
	if (status == SAHM_OK && !reply_number(reply, INT64_MIN, INT64_MAX, number))
		status = sahm_fail(t->err, SAHM_TOOL, "the Redis server '%s' answers with no number",
				   redis_link_name(t->link));
	reply_free(reply);
	return status;
}

/* Bytes of the file on the server, -1: there is none; values other than strings are none either. */
static enum sahm_status find_length(struct transfer *t, int64_t *len)
{
	redis_words_begin(&t->words, "STRLEN");
	redis_word(&t->words, t->name.text);
	enum sahm_status status = call_for_number(t, len);
	if (status == SAHM_TOOL && strcmp(redis_link_error(t->link), "WRONGTYPE") == 0) {
		*len = -1;
		return SAHM_OK;
	}
	if (status != SAHM_OK || *len != 0)
		return status;
	/* It is empty, or is not there. */
	redis_words_begin(&t->words, "EXISTS");
	redis_word(&t->words, t->name.text);
	status = call_for_number(t, len);
	*len = *len == 1 ? 0 : -1;
	return status;
}

/* The next piece: up to TRANSFER_PIECE bytes, *got of them; 0 at the end. */
static enum sahm_status read_piece(struct source *s, char *buf, const char **piece, size_t *got, struct sahm_err *err)
{
	*got = 0;
	*piece = buf;
	if (s->fd < 0) {
		*piece = s->bytes + s->at;
		*got = s->len - s->at < TRANSFER_PIECE ? s->len - s->at : TRANSFER_PIECE;
		s->at += *got;
		return SAHM_OK;
	}
	while (*got < TRANSFER_PIECE) {
		ssize_t more = read(s->fd, buf + *got, TRANSFER_PIECE - *got);
		if (more < 0 && errno == EINTR)
			continue;
		if (more < 0)
			return sahm_fail(err, SAHM_IO, "cannot read '%s': %s", s->path, strerror(errno));
		if (more == 0)
			break;
		*got += (size_t)more;
	}
	return SAHM_OK;
}

/* The first piece makes the string, which has an end from its beginning on; the answer to another tells whether those
 * before it are still there. */
static enum sahm_status send_piece(struct transfer *t, const char *piece, size_t len, uint64_t before)
{
	int64_t whole = 0;
	redis_words_begin(&t->words, before ? "APPEND" : "SET");
	redis_word(&t->words, t->temporary.text);
	redis_word_bytes(&t->words, piece, len);
	if (before == 0) {
		redis_word(&t->words, "PX");
		redis_word_u64(&t->words, UNFINISHED_MS);
		return redis_link_call(t->link, &t->words, 0, NULL, t->err);
	}
	enum sahm_status status = call_for_number(t, &whole);
	if (status != SAHM_OK || (uint64_t)whole == before + len)
		return status;
	return sahm_fail(t->err, SAHM_IO, "the pieces of file %s have vanished from the Redis server '%s'", t->hex,
			 redis_link_name(t->link));
}

static enum sahm_status finish(struct transfer *t, uint64_t len, bool *sent)
{
	struct reply *reply = NULL;
	int64_t answer = -1;
	redis_script_begin(&t->words, &finish_script, 2);
	redis_word(&t->words, t->name.text);
	redis_word(&t->words, t->temporary.text);
	redis_word_u64(&t->words, len);
	enum sahm_status status = redis_link_script(t->link, &finish_script, &t->words, &reply, t->err);
	if (status == SAHM_OK && (!reply_number(reply, 0, 1, &answer)))
		status = sahm_fail(t->err, SAHM_IO, "the pieces of file %s have vanished from the Redis server '%s'",
				   t->hex, redis_link_name(t->link));
	reply_free(reply);
	*sent = answer == 1;
	return status;
}

/* The message that is there already stays. */
static void drop(struct transfer *t)
{
	redis_words_begin(&t->words, "DEL");
	redis_word(&t->words, t->temporary.text);
	if (redis_link_is_up(t->link))
		(void)redis_link_call(t->link, &t->words, 0, NULL, NULL);
}

static enum sahm_status send_all(struct transfer *t, struct source *s, const uint8_t hash[HASH_BYTES], uint64_t len,
				 bool *sent)
{
	char *buf = s->fd >= 0 ? malloc(TRANSFER_PIECE) : NULL;
	uint8_t found[HASH_BYTES];
	struct hash h;
	uint64_t done = 0;
	size_t got = 1;
	if (s->fd >= 0 && !buf)
		return sahm_fail_nomem(t->err);
	enum sahm_status status = SAHM_OK;
	hash_init(&h);
	while (got > 0 && status == SAHM_OK && done <= len) {
		const char *piece;
		status = read_piece(s, buf, &piece, &got, t->err);
		if (status != SAHM_OK || (got == 0 && done > 0))
			break;
		hash_add(&h, piece, got);
		status = send_piece(t, piece, got, done);
		done += got;
	}
	hash_end(&h, found);
	free(buf);
	if (status == SAHM_OK && (done != len || memcmp(found, hash, HASH_BYTES) != 0))
		status = sahm_fail(t->err, SAHM_CHECKSUM, "'%s' is not what it was when it was hashed", s->path);
	if (status == SAHM_OK)
		status = finish(t, len, sent);
	if (status != SAHM_OK)
		drop(t);
	return status;
}

enum sahm_status transfer_send_file(struct redis_link *link, const char *prefix, const struct bundle_file *file,
				    bool *sent, struct sahm_err *err)
{
	struct source s = {.fd = -1, .path = file->path};
	struct transfer t;
	int64_t len = -1;
	bool did = false;
	enum sahm_status status = begin(&t, link, prefix, file->hash, err);
	if (status == SAHM_OK)
		status = find_length(&t, &len);
	if (status == SAHM_OK && (len < 0 || (uint64_t)len != file->bytes)) {
		s.fd = file_open_regular(file->path, err);
		status = s.fd >= 0 ? send_all(&t, &s, file->hash, file->bytes, &did) : SAHM_IO;
	}
	if (s.fd >= 0)
		close(s.fd);
	if (status == SAHM_OK && sent)
		*sent = did;
	end(&t);
	return status;
}

enum sahm_status transfer_send(struct redis_link *link, const char *prefix, const uint8_t hash[HASH_BYTES],
			       const void *bytes, size_t len, bool *sent, struct sahm_err *err)
{
	struct source s = {.fd = -1, .path = "bytes in memory", .bytes = bytes, .len = len};
	struct transfer t;
	int64_t has = -1;
	bool did = false;
	enum sahm_status status = begin(&t, link, prefix, hash, err);
	if (status == SAHM_OK)
		status = find_length(&t, &has);
	if (status == SAHM_OK && (has < 0 || (uint64_t)has != len))
		status = send_all(&t, &s, hash, len, &did);
	if (status == SAHM_OK && sent)
		*sent = did;
	end(&t);
	return status;
}

/* Bytes from `at` on, exactly `len`; the reply is the caller's. */
static enum sahm_status fetch_piece(struct transfer *t, uint64_t at, size_t len, struct reply **reply)
{
	redis_words_begin(&t->words, "GETRANGE");
	redis_word(&t->words, t->name.text);
	redis_word_u64(&t->words, at);
	redis_word_u64(&t->words, at + len - 1);
	enum sahm_status status = redis_link_call(t->link, &t->words, 0, reply, t->err);
	if (status != SAHM_OK || reply_is_bytes(*reply, len, len))
		return status;
	reply_free(*reply);
	*reply = NULL;
	return sahm_fail(t->err, SAHM_FORMAT, "file %s went away from the Redis server '%s' while it was fetched",
			 t->hex, redis_link_name(t->link));
}

static enum sahm_status check_length(struct transfer *t, int64_t len, uint64_t bytes)
{
	if (len < 0)
		return sahm_fail(t->err, SAHM_FORMAT, "the Redis server '%s' does not have file %s",
				 redis_link_name(t->link), t->hex);
	if ((uint64_t)len != bytes)
		return sahm_fail(t->err, SAHM_FORMAT,
				 "the Redis server '%s' has file %s with %" PRId64 " bytes, not %" PRIu64,
				 redis_link_name(t->link), t->hex, len, bytes);
	return SAHM_OK;
}

/* The bytes had the wrong hash twice. If they were the same both times, the server's copy is damaged and is removed,
 * so that a process that has the right one can send it. Otherwise the line has damaged them. */
static enum sahm_status blame(struct transfer *t, uint8_t (*found)[HASH_BYTES])
{
	if (memcmp(found[0], found[1], HASH_BYTES) != 0)
		return sahm_fail(t->err, SAHM_IO, "file %s arrives damaged from the Redis server '%s'", t->hex,
				 redis_link_name(t->link));
	redis_words_begin(&t->words, "UNLINK");
	redis_word(&t->words, t->name.text);
	(void)redis_link_call(t->link, &t->words, 0, NULL, NULL);
	return SAHM_CHECKSUM;
}

static enum sahm_status fetch_file(struct transfer *t, struct file_cache *cache, const uint8_t hash[HASH_BYTES],
				   uint64_t bytes, transfer_fn *go_on, void *ctx, uint8_t found[HASH_BYTES])
{
	struct arriving_file *file = NULL;
	struct hash h;
	enum sahm_status status = file_cache_begin(cache, hash, bytes, &file, t->err);
	hash_init(&h);
	for (uint64_t at = 0; status == SAHM_OK && at < bytes; at += TRANSFER_PIECE) {
		struct reply *reply = NULL;
		const size_t piece = bytes - at < TRANSFER_PIECE ? (size_t)(bytes - at) : TRANSFER_PIECE;
		status = fetch_piece(t, at, piece, &reply);
		if (status == SAHM_OK)
			status = arriving_file_add(file, reply->bytes, piece, t->err);
		if (status == SAHM_OK)
			hash_add(&h, reply->bytes, piece);
		reply_free(reply);
		if (status == SAHM_OK && go_on && !go_on(ctx))
			status = sahm_fail(t->err, SAHM_IO, "file %s is not fetched any further", t->hex);
	}
	hash_end(&h, found);
	if (status == SAHM_OK)
		return arriving_file_end(file, t->err);
	arriving_file_abort(file);
	return status;
}

enum sahm_status transfer_fetch_file(struct redis_link *link, const char *prefix, struct file_cache *cache,
				     const uint8_t hash[HASH_BYTES], uint64_t bytes, transfer_fn *go_on, void *ctx,
				     struct sahm_err *err)
{
	struct transfer t;
	uint8_t found[2][HASH_BYTES];
	int64_t len = -1;
	enum sahm_status status = begin(&t, link, prefix, hash, err);
	if (status == SAHM_OK)
		status = find_length(&t, &len);
	if (status == SAHM_OK)
		status = check_length(&t, len, bytes);
	if (status == SAHM_OK)
		status = fetch_file(&t, cache, hash, bytes, go_on, ctx, found[0]);
	if (status == SAHM_CHECKSUM) {
		status = fetch_file(&t, cache, hash, bytes, go_on, ctx, found[1]);
		status = status == SAHM_CHECKSUM ? blame(&t, found) : status;
	}
	end(&t);
	return status;
}

static enum sahm_status fetch_bytes(struct transfer *t, char *bytes, size_t len)
{
	for (size_t at = 0; at < len; at += TRANSFER_PIECE) {
		struct reply *reply = NULL;
		const size_t piece = len - at < TRANSFER_PIECE ? len - at : TRANSFER_PIECE;
		enum sahm_status status = fetch_piece(t, at, piece, &reply);
		if (status != SAHM_OK)
			return status;
		memcpy(bytes + at, reply->bytes, piece);
		reply_free(reply);
	}
	return SAHM_OK;
}

static enum sahm_status fetch_checked(struct transfer *t, const uint8_t hash[HASH_BYTES], char *bytes, size_t len,
				      uint8_t found[HASH_BYTES])
{
	struct hash h;
	enum sahm_status status = fetch_bytes(t, bytes, len);
	if (status != SAHM_OK)
		return status;
	bytes[len] = '\0';
	hash_init(&h);
	hash_add(&h, bytes, len);
	hash_end(&h, found);
	return memcmp(found, hash, HASH_BYTES) == 0
		       ? SAHM_OK
		       : sahm_fail(t->err, SAHM_CHECKSUM,
				   "what the Redis server '%s' has as file %s does not have this hash",
				   redis_link_name(t->link), t->hex);
}

enum sahm_status transfer_fetch(struct redis_link *link, const char *prefix, const uint8_t hash[HASH_BYTES],
				size_t most, char **bytes, size_t *len, struct sahm_err *err)
{
	struct transfer t;
	uint8_t found[2][HASH_BYTES];
	int64_t has = -1;
	char *made = NULL;
	enum sahm_status status = begin(&t, link, prefix, hash, err);
	if (status == SAHM_OK)
		status = find_length(&t, &has);
	if (status == SAHM_OK)
		status = check_length(&t, has, (uint64_t)has);
	if (status == SAHM_OK && (uint64_t)has > most)
		status = sahm_fail(err, SAHM_RANGE, "file %s has %" PRId64 " bytes, must be at most %zu", t.hex, has,
				   most);
	if (status == SAHM_OK) {
		made = malloc((size_t)has + 1);
		status = made ? fetch_checked(&t, hash, made, (size_t)has, found[0]) : sahm_fail_nomem(err);
		if (status == SAHM_CHECKSUM) {
			status = fetch_checked(&t, hash, made, (size_t)has, found[1]);
			status = status == SAHM_CHECKSUM ? blame(&t, found) : status;
		}
	}
	if (status == SAHM_OK) {
		*bytes = made;
		*len = (size_t)has;
		made = NULL;
	}
	free(made);
	end(&t);
	return status;
}
