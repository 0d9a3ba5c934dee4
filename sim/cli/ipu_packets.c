#include "sim/cli/ipu_packets.h"

#include <inttypes.h>
#include <string.h>

#include "sim/cli/ipu_summary.h"
#include "sim/cli/output.h"

enum sahm_status packet_writer_open(struct packet_writer *w, const char *path, bool force, enum packet_form form,
				    uint32_t ipu_mhz, struct sahm_err *err)
{
	*w = (struct packet_writer){.form = form, .ipu_mhz = ipu_mhz};
	if (!path)
		return SAHM_OK;
	if (strcmp(path, "-") != 0) {
		enum sahm_status status = atomic_file_begin(&w->file, path, force, err);
		if (status != SAHM_OK)
			return status;
		w->has_file = true;
	}
	w->out = w->has_file ? w->file.stream : data_output();
	if (form == PACKETS_CSV)
		fputs("sent_at_ipu_cycle,time_ns,nr_bytes,bytes\n", w->out);
	return SAHM_OK;
}

void packet_writer_put(struct packet_writer *w, const struct ipu_packet *p)
{
	static const char digits[] = "0123456789abcdef";
	if (w->form == PACKETS_BINARY) {
		fwrite(p->bytes, 1, p->nr_bytes, w->out);
		return;
	}
	if (w->form == PACKETS_CSV)
		fprintf(w->out, "%" PRIu64 ",%" PRIu64 ",%" PRIu32 ",", p->sent_at,
			ns_of_cycles(p->sent_at, w->ipu_mhz), p->nr_bytes);
	for (uint32_t i = 0; i < p->nr_bytes; i++) {
		putc(digits[p->bytes[i] >> 4], w->out);
		putc(digits[p->bytes[i] & 15], w->out);
	}
	putc('\n', w->out);
}

void packet_writer_drain(struct packet_writer *w, struct ipu_unit *u)
{
	struct ipu_packet p;
	while (ipu_unit_take(u, &p))
		if (w->out)
			packet_writer_put(w, &p);
}

enum sahm_status packet_writer_close(struct packet_writer *w, enum sahm_status status, struct sahm_err *err)
{
	if (!w->has_file)
		return status;
	w->has_file = false;
	if (status == SAHM_OK)
		return atomic_file_commit(&w->file, err);
	atomic_file_abort(&w->file);
	return status;
}
