/* An IPU's way out: packets in the making, the FIFO, the bandwidth account. */
#include <stdlib.h>
#include <string.h>

#include "ipu/bytes_internal.h"
#include "ipu/unit_internal.h"

_Static_assert(sizeof(uint64_t) + sizeof(uint32_t) <= IPU_PACKET_HEADER_BYTES, "a header holds time and size");

#define HZ_PER_MHZ UINT64_C(1000000)

/* The account's full amount; the largest fits: 2^16 bytes at 10^12 Hz. */
static uint64_t full_credit(const struct ipu_unit *u)
{
	return IPU_MAX_PACKET_BYTES * (u->config.ipu_mhz * HZ_PER_MHZ);
}

bool unit_fifo_init(struct ipu_unit *u)
{
	struct unit_fifo *f = &u->fifo;
	f->size = u->config.fifo_bytes;
	f->ring = malloc(f->size);
	f->taken = malloc(IPU_MAX_PACKET_BYTES);
	f->making = malloc(IPU_MAX_PACKET_BYTES);
	f->credit = full_credit(u);
	return f->ring && f->taken && f->making;
}

void unit_fifo_release(struct ipu_unit *u)
{
	free(u->fifo.ring);
	free(u->fifo.taken);
	free(u->fifo.making);
}

void unit_fifo_forget(struct ipu_unit *u)
{
	u->fifo.nr_making = 0;
}

/* A header: when the packet was sent, its bytes, nothing. */
enum { HEADER_NR_BYTES = 8, HEADER_REST = 12 };

static void ring_put(struct unit_fifo *f, const void *bytes, uint32_t nr)
{
	uint32_t at = f->first + f->used, to_end;
	at -= at >= f->size ? f->size : 0;
	to_end = f->size - at < nr ? f->size - at : nr;
	memcpy(f->ring + at, bytes, to_end);
	memcpy(f->ring, (const uint8_t *)bytes + to_end, nr - to_end);
	f->used += nr;
}

static void ring_skip(struct unit_fifo *f, uint32_t nr)
{
	f->first += nr;
	f->first -= f->first >= f->size ? f->size : 0;
	f->used -= nr;
	/* Where packets are taken as they come, they stay in the same few lines of the cache. */
	f->first = f->used ? f->first : 0;
}

static void ring_get(struct unit_fifo *f, void *bytes, uint32_t nr)
{
	uint32_t to_end = f->size - f->first < nr ? f->size - f->first : nr;
	memcpy(bytes, f->ring + f->first, to_end);
	memcpy((uint8_t *)bytes + to_end, f->ring, nr - to_end);
	ring_skip(f, nr);
}

/* Field by field: what is stored as a whole and loaded in parts, or the other way round, has to wait. */
static void put_header(uint8_t *to, uint64_t now, uint32_t nr)
{
	static const uint32_t rest = 0;
	memcpy(to, &now, sizeof(now));
	memcpy(to + HEADER_NR_BYTES, &nr, sizeof(nr));
	memcpy(to + HEADER_REST, &rest, sizeof(rest));
}

static void get_header(const uint8_t *from, struct ipu_packet *packet)
{
	memcpy(&packet->sent_at, from, sizeof(packet->sent_at));
	memcpy(&packet->nr_bytes, from + HEADER_NR_BYTES, sizeof(packet->nr_bytes));
}

/* Puts the packet in the making into the ring, where there is room for it. */
static void put_packet(struct unit_fifo *f, uint64_t now, uint32_t nr)
{
	uint32_t at = f->first + f->used;
	if (at < f->size && f->size - at >= IPU_PACKET_HEADER_BYTES + nr) {
		uint8_t *to = f->ring + at;
		put_header(to, now, nr);
		if (nr == sizeof(uint32_t)) /* nearly all are one word */
			memcpy(to + IPU_PACKET_HEADER_BYTES, f->making, sizeof(uint32_t));
		else
			memcpy(to + IPU_PACKET_HEADER_BYTES, f->making, nr);
		f->used += IPU_PACKET_HEADER_BYTES + nr;
		return;
	}
	uint8_t header[IPU_PACKET_HEADER_BYTES];
	put_header(header, now, nr);
	ring_put(f, header, sizeof(header));
	ring_put(f, f->making, nr);
}

/* Whether the account has something for `nr` bytes in IPU cycle `now`; takes it. */
static bool account_takes(struct ipu_unit *u, uint64_t now, uint32_t nr)
{
	struct unit_fifo *f = &u->fifo;
	if (u->config.max_bytes_per_s == 0)
		return true;
	uint64_t full = full_credit(u), cost = nr * (u->config.ipu_mhz * HZ_PER_MHZ);
	wide credit = f->credit + (wide)(now - f->credit_at) * u->config.max_bytes_per_s;
	f->credit = credit < full ? (uint64_t)credit : full;
	f->credit_at = now;
	if (f->credit < cost)
		return false;
	f->credit -= cost;
	return true;
}

static void send(struct ipu_unit *u, uint64_t now)
{
	struct unit_fifo *f = &u->fifo;
	uint32_t nr = f->nr_making;
	f->nr_making = 0;
	if (f->size - f->used < IPU_PACKET_HEADER_BYTES + nr || !account_takes(u, now, nr)) {
		u->counts.lost_packets++;
		u->counts.lost_bytes += nr;
		return;
	}
	put_packet(f, now, nr);
	u->counts.packets++;
	u->counts.bytes += nr;
}

bool unit_fifo_store(struct ipu_unit *u, uint32_t address, unsigned nr_bytes, uint32_t value)
{
	struct unit_fifo *f = &u->fifo;
	if (address - IPU_WINDOW_BASE >= IPU_WINDOW_BYTES)
		return false;
	if (address >= IPU_WINDOW_SEND) {
		/* Complete at the end of the store's cycle. */
		send(u, u->ipu.hart.nr_retired + u->ipu.hart.nr_extra + 1);
		return true;
	}
	if (nr_bytes > IPU_MAX_PACKET_BYTES - f->nr_making)
		return false;
	poke(f->making + f->nr_making, nr_bytes, value);
	f->nr_making += nr_bytes;
	return true;
}

bool ipu_unit_take(struct ipu_unit *u, struct ipu_packet *packet)
{
	struct unit_fifo *f = &u->fifo;
	uint8_t header[IPU_PACKET_HEADER_BYTES];
	if (f->used == 0)
		return false;
	if (f->size - f->first >= IPU_PACKET_HEADER_BYTES) {
		get_header(f->ring + f->first, packet);
		ring_skip(f, IPU_PACKET_HEADER_BYTES);
	} else {
		ring_get(f, header, sizeof(header));
		get_header(header, packet);
	}
	if (f->size - f->first >= packet->nr_bytes) {
		/* Nothing is written there before the next call. */
		packet->bytes = f->ring + f->first;
		ring_skip(f, packet->nr_bytes);
	} else {
		ring_get(f, f->taken, packet->nr_bytes);
		packet->bytes = f->taken;
	}
	return true;
}

uint32_t ipu_unit_waiting(const struct ipu_unit *u)
{
	return u->fifo.used;
}
