/* Files of keys. Memory that held a secret is wiped. */
#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ipu/trust/fields_internal.h"
#include "ipu/trust/key_internal.h"
#include "sim/base/file.h"
#include "sim/base/hold.h"

static const char *const secret_headers[] = {"sahm ipu secret key 1", "sahm ipu published key 1", NULL};
static const char *const public_headers[] = {"sahm ipu public key 1", NULL};

/* Of secret_headers. */
#define PUBLISHED 1

static enum sahm_status read_secret(struct field_walk *w, uint8_t seed[KEY_SEED_BYTES], bool *is_published)
{
	size_t which = 0;
	enum sahm_status status = field_header(w, "secret key", secret_headers, &which);
	if (status == SAHM_OK)
		status = field_skip_comments(w);
	if (status == SAHM_OK)
		status = field_hex(w, "seed", seed, KEY_SEED_BYTES);
	*is_published = which == PUBLISHED;
	return status == SAHM_OK ? field_end(w) : status;
}

enum sahm_status secret_key_of_text(const char *file, const char *text, size_t len, struct secret_key **k,
				    struct sahm_err *err)
{
	struct field_walk w;
	uint8_t seed[KEY_SEED_BYTES] = {0};
	bool is_published = false;
	field_walk_init(&w, file, text, len, err);
	enum sahm_status status = read_secret(&w, seed, &is_published);
	if (status == SAHM_OK)
		status = secret_key_of_seed(seed, k, err);
	if (status == SAHM_OK)
		(*k)->is_published = is_published;
	sodium_memzero(seed, sizeof(seed));
	return status;
}

/* Reads up to `room` bytes, not through any buffer that would not be wiped. */
static enum sahm_status read_bytes(int fd, const char *path, char *bytes, size_t room, size_t *len,
				   struct sahm_err *err)
{
	ssize_t got = 1;
	*len = 0;
	while (*len < room && got != 0) {
		got = read(fd, bytes + *len, room - *len);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return sahm_fail(err, SAHM_IO, "cannot read '%s': %s", path, strerror(errno));
		*len += (size_t)got;
	}
	return SAHM_OK;
}

static enum sahm_status read_open(int fd, const char *path, struct secret_key **k, struct sahm_err *err)
{
	char text[KEY_MAX_FILE_BYTES + 1];
	size_t len = 0;
	struct stat st = {0};
	struct secret_key *made = NULL;
	enum sahm_status status = read_bytes(fd, path, text, sizeof(text), &len, err);
	if (status == SAHM_OK && len > KEY_MAX_FILE_BYTES)
		status = sahm_fail_at(err, SAHM_FORMAT, path, 0, "it is no secret key: it is larger than %u bytes",
				      KEY_MAX_FILE_BYTES);
	if (status == SAHM_OK)
		status = secret_key_of_text(path, text, len, &made, err);
	sodium_memzero(text, sizeof(text));
	if (status != SAHM_OK)
		return status;
	if (!made->is_published && (fstat(fd, &st) != 0 || (st.st_mode & 077) != 0)) {
		secret_key_free(made);
		return sahm_fail_at(
			err, SAHM_IO, path, 0,
			"others than its owner can use this key (mode %04o); chmod 600 it, or make a new one",
			(unsigned)(st.st_mode & 07777));
	}
	*k = made;
	return SAHM_OK;
}

enum sahm_status secret_key_read(const char *path, struct secret_key **k, struct sahm_err *err)
{
	int fd = file_open_regular(path, err);
	if (fd < 0)
		return SAHM_IO;
	enum sahm_status status = read_open(fd, path, k, err);
	close(fd);
	return status;
}

enum sahm_status public_key_of_text(const char *file, const char *text, size_t len, struct public_key *k,
				    struct sahm_err *err)
{
	struct field_walk w;
	size_t which;
	uint8_t bytes[KEY_PUBLIC_BYTES], id[KEY_ID_BYTES];
	enum sahm_status status = key_begin(err);
	field_walk_init(&w, file, text, len, err);
	if (status == SAHM_OK)
		status = field_header(&w, "public key", public_headers, &which);
	if (status == SAHM_OK)
		status = field_skip_comments(&w);
	if (status == SAHM_OK)
		status = field_hex(&w, "public", bytes, sizeof(bytes));
	if (status == SAHM_OK && !public_key_init(k, bytes))
		status = field_fail(&w, "public is no key of Ed25519");
	if (status == SAHM_OK)
		status = field_hex(&w, "id", id, sizeof(id));
	if (status == SAHM_OK && memcmp(id, k->id, sizeof(id)) != 0)
		status = field_fail(&w, "id is not that of the key");
	return status == SAHM_OK ? field_end(&w) : status;
}

enum sahm_status public_key_read(const char *path, struct public_key *k, struct sahm_err *err)
{
	char *text;
	size_t len;
	enum sahm_status status = file_read_regular(path, KEY_MAX_FILE_BYTES, &text, &len, err);
	if (status != SAHM_OK)
		return status;
	status = public_key_of_text(path, text, len, k, err);
	free(text);
	return status;
}

void public_key_write(const struct public_key *k, struct textbuf *b)
{
	char public[2 * KEY_PUBLIC_BYTES + 1], id[KEY_ID_HEX_BYTES];
	sodium_bin2hex(public, sizeof(public), k->bytes, KEY_PUBLIC_BYTES);
	textbuf_printf(b, "%s\npublic: %s\nid: %s\n", public_headers[0], public, key_id_hex(k->id, id));
}

static bool is_there(const char *path)
{
	struct stat st;
	return lstat(path, &st) == 0;
}

/* Creates a file that is not there yet, wholly or not at all. The text goes to the system as it is: a stream's buffer
 * would keep a copy of it. */
static enum sahm_status create(const char *path, mode_t mode, const char *text, size_t len, struct sahm_err *err)
{
	struct atomic_file f;
	int cause = 0;
	if (is_there(path))
		return sahm_fail(err, SAHM_IO, "'%s' is there already: a key is never overwritten", path);
	enum sahm_status status = atomic_file_create(&f, path, mode, err);
	if (status != SAHM_OK)
		return status;
	for (size_t done = 0; done < len && !cause;) {
		ssize_t put = write(fileno(f.stream), text + done, len - done);
		if (put < 0 && errno != EINTR)
			cause = errno;
		done += put > 0 ? (size_t)put : 0;
	}
	if (!cause)
		return atomic_file_commit(&f, err);
	atomic_file_abort(&f);
	return sahm_fail(err, SAHM_IO, "cannot write '%s': %s", path, strerror(cause));
}

static enum sahm_status create_secret(const struct secret_key *k, const char *path, struct sahm_err *err)
{
	char seed[2 * KEY_SEED_BYTES + 1], text[256];
	sodium_bin2hex(seed, sizeof(seed), k->seed, KEY_SEED_BYTES);
	int len = snprintf(text, sizeof(text),
			   "%s\n# Keep this file to yourself: anyone who has it can sign in your name.\nseed: %s\n",
			   secret_headers[0], seed);
	enum sahm_status status = create(path, 0600, text, (size_t)len, err);
	sodium_memzero(seed, sizeof(seed));
	sodium_memzero(text, sizeof(text));
	return status;
}

static enum sahm_status create_public(const struct secret_key *k, const char *path, struct sahm_err *err)
{
	struct textbuf b;
	textbuf_init(&b);
	public_key_write(&k->public, &b);
	enum sahm_status status = textbuf_failed(&b) ? sahm_fail_nomem(err) : create(path, 0666, b.text, b.len, err);
	textbuf_release(&b);
	return status;
}

/* The two files of a pair. */
struct pair_names {
	char *secret, *public;
};

static enum sahm_status name_pair(const char *path, struct pair_names *names, struct sahm_err *err)
{
	size_t room = strlen(path) + sizeof(".key");
	*names = (struct pair_names){malloc(room), malloc(room)};
	if (!names->secret || !names->public)
		return sahm_fail_nomem(err);
	snprintf(names->secret, room, "%s.key", path);
	snprintf(names->public, room, "%s.pub", path);
	return SAHM_OK;
}

static void release_names(struct pair_names *names)
{
	free(names->public);
	free(names->secret);
}

enum sahm_status secret_key_write(const struct secret_key *k, const char *path, struct sahm_err *err)
{
	struct pair_names names;
	enum sahm_status status = name_pair(path, &names, err);
	if (status == SAHM_OK) {
		/* Both or neither. */
		struct signal_hold hold;
		signal_hold_begin(&hold);
		status = create_secret(k, names.secret, err);
		if (status == SAHM_OK && (status = create_public(k, names.public, err)) != SAHM_OK)
			unlink(names.secret);
		signal_hold_end(&hold);
	}
	release_names(&names);
	return status;
}

enum sahm_status secret_key_complete(const char *path, struct secret_key **k, struct sahm_err *err)
{
	struct pair_names names;
	struct secret_key *found = NULL;
	enum sahm_status status = name_pair(path, &names, err);
	if (status == SAHM_OK && is_there(names.secret) && !is_there(names.public)) {
		status = secret_key_read(names.secret, &found, err);
		if (status == SAHM_OK)
			status = create_public(found, names.public, err);
	}
	release_names(&names);
	if (status != SAHM_OK) {
		secret_key_free(found);
		return status;
	}
	*k = found;
	return SAHM_OK;
}
