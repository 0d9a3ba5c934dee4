/* Packets of an IPU as they leave its FIFO, written to a file. */
#ifndef SAHM_SIM_CLI_IPU_PACKETS_H
#define SAHM_SIM_CLI_IPU_PACKETS_H

#include <stdbool.h>

#include "ipu/unit/unit.h"
#include "sim/base/file.h"

enum packet_form {
	PACKETS_CSV,	/* with heading: sent_at_ipu_cycle,time_ns,nr_bytes,bytes (in hexadecimal) */
	PACKETS_HEX,	/* bytes in hexadecimal, a packet a line */
	PACKETS_BINARY, /* bytes, packet after packet */
};

struct packet_writer {
	FILE *out; /* NULL: packets are thrown away */
	struct atomic_file file;
	bool has_file; /* `file` is open; else `out` is standard output */
	enum packet_form form;
	uint32_t ipu_mhz;
};

/* Begins to write packets of an IPU of this clock to the file `path` ("-": standard output; NULL: nowhere). */
enum sahm_status packet_writer_open(struct packet_writer *w, const char *path, bool force, enum packet_form form,
				    uint32_t ipu_mhz, struct sahm_err *err);
/* Writes one. */
void packet_writer_put(struct packet_writer *w, const struct ipu_packet *p);
/* Takes all that are in the unit's FIFO. */
void packet_writer_drain(struct packet_writer *w, struct ipu_unit *u);
/* Completes the file if `status` is SAHM_OK, else removes it; returns `status` or how that failed. */
enum sahm_status packet_writer_close(struct packet_writer *w, enum sahm_status status, struct sahm_err *err);

#endif
