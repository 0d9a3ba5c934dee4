/* Packets that IPUs have sent ahead of time, in no order. */
#include <stdlib.h>

#include "sim/engine/probe_internal.h"

#define FIRST_ROOM 64u

static void drop_sent(struct early_packets *early, uint64_t now)
{
	size_t nr = 0;
	for (size_t i = 0; i < early->nr; i++)
		if (early->packets[i].sent_at > now)
			early->packets[nr++] = early->packets[i];
	early->nr = nr;
}

static enum sahm_status make_room(struct early_packets *early, uint64_t now)
{
	drop_sent(early, now);
	if (early->room > 0 && early->nr <= early->room / 2)
		return SAHM_OK;
	size_t room = early->room ? 2 * early->room : FIRST_ROOM;
	struct early_packet *packets = realloc(early->packets, room * sizeof(*packets));
	if (!packets)
		return SAHM_NOMEM;
	early->packets = packets;
	early->room = room;
	return SAHM_OK;
}

/* Of each core there are no more than its FIFO holds: a routine begins where the one before has ended. */
enum sahm_status early_packets_add(struct early_packets *early, const struct early_packet *packet, uint64_t now)
{
	enum sahm_status status = early->nr == early->room ? make_room(early, now) : SAHM_OK;
	if (status == SAHM_OK)
		early->packets[early->nr++] = *packet;
	return status;
}

void early_packets_uncount(const struct early_packets *early, uint64_t end, struct probe_counts *counts)
{
	for (size_t i = 0; i < early->nr; i++) {
		const struct early_packet *packet = &early->packets[i];
		struct probe_counts *c = &counts[packet->core];
		if (packet->sent_at <= end)
			continue;
		c->packets--;
		c->bytes -= packet->nr_bytes;
		c->rejected -= packet->is_rejected;
	}
}
