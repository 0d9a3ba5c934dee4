/* What the parts of sessions share: session.c keeps the journal, session_calls.c carries its calls out. */
#ifndef SAHM_IPU_UNIT_SESSION_INTERNAL_H
#define SAHM_IPU_UNIT_SESSION_INTERNAL_H

#include "ipu/unit/pro.h"
#include "ipu/unit/session.h"
#include "ipu/unit/soft_source.h"

/* The soft logic of some units. */
struct session_soft {
	struct session_soft *next;
	struct soft_source source;
	struct soft *soft;
	struct ipu_pro pro;
};

struct ipu_session {
	struct arena arena; /* calls, specs, names */
	const char *file;
	const char *folder; /* where it is: absolute, ends in '/' */
	struct ipu_device *device;
	struct session_soft *softs; /* the units', released after them */
	struct trust *trust;	    /* the device's, or NULL */
	uint32_t date;		    /* used to check new images; of no meaning without it */
	struct textbuf text;
};

/* A call under way. */
struct making {
	struct ipu_session *s;
	struct ipu_call *call;
	const struct ipu_packet_sink *sink;
	const char *path, *trust_path, *soft_path; /* the call's files, from here */
	struct sahm_err *err;
};

/* Does to the device what the call says, and notes the hash of the call's file or holds it against the one that was
 * noted. Fails as ipu_session_make() does. */
enum sahm_status session_carry_out(struct making *m);

#endif
