/* Sessions: a device (device.h) that outlives the process, as the journal of all calls that were made of it (call.h).
 *
 * To build the device, its calls are replayed, which gives the same each time: it depends only on them and on the files
 * that they name, regular ones, whose bytes are compared with hashes (of an ABI spec those of the file itself, and its
 * content with all includes). Files stand relative to the folder of the session where they are in it, else by absolute
 * path.
 *
 * A device can have a trust file, which decides from the first `attach` on. Like other files it is compared with a
 * hash, with its revocations, and images are with their signatures. The day used to check an image is in the journal: a
 * session does again on any day what it did. One that is still to come, or is not the day that the trust file has, is
 * refused. New images are checked by the trust file's day, or else today's.
 *
 * Every unit has its own time, in cycles of its HIT; calls take place at its present, and `feed` and `wait` let it
 * pass, up to ipu_unit_last_cycle().
 *
 *	ipu_session_read(&s, "session", bytes, nr_bytes, &err);
 *	ipu_session_make(s, &call, NULL, &err);
 *	write(ipu_session_text(s));
 *
 * A writer of the file holds its lock meanwhile (sim/base/lock.h).
 */
#ifndef SAHM_IPU_UNIT_SESSION_H
#define SAHM_IPU_UNIT_SESSION_H

#include "ipu/unit/call.h"
#include "ipu/unit/device.h"

/* Longer journals are not read. */
#define IPU_MAX_SESSION_BYTES ((size_t)64 << 20)

/* What `drain` gives packets to. Another status than SAHM_OK ends the call with it. */
struct ipu_packet_sink {
	enum sahm_status (*take)(void *context, unsigned unit, const struct ipu_packet *packet, struct sahm_err *err);
	void *context;
};

struct ipu_session;

/* A session without units, in the file `path`, whose folder is there. SAHM_IO, SAHM_NOMEM. */
enum sahm_status ipu_session_new(struct ipu_session **session, const char *path, struct sahm_err *err);

/* The session whose journal is `text[len]`. Besides, SAHM_FORMAT: it is none, or a file that it names has changed; all
 * that calls fail with, with the call's line. */
enum sahm_status ipu_session_read(struct ipu_session **session, const char *path, const char *text, size_t len,
				  struct sahm_err *err);
void ipu_session_free(struct ipu_session *s);

/* Makes a call and adds it to the journal. Its file is taken as the caller sees it. `sink` may be NULL: packets are
 * lost. On failure the session is good for nothing but to be freed. SAHM_USAGE and SAHM_RANGE (there is no such unit,
 * the session has units already or none yet, time would end), SAHM_IO, SAHM_FORMAT, SAHM_CONFIG (files), SAHM_REFUSED
 * (an image that the trust file does not let in), SAHM_NOMEM. */
enum sahm_status ipu_session_make(struct ipu_session *s, struct ipu_call *call, const struct ipu_packet_sink *sink,
				  struct sahm_err *err);

struct ipu_device *ipu_session_device(struct ipu_session *s);

/* The journal. */
const struct textbuf *ipu_session_text(const struct ipu_session *s);

#endif
