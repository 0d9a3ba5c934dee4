/* An IPU's way out: packets in the making, the FIFO, the bandwidth account. */
#include <stdlib.h>
#include <string.h>

#include "ipu/core/bytes_internal.h"
#include "ipu/unit/unit_internal.h"

_Static_assert(sizeof(uint64_t) + sizeof(uint32_t) <= IPU_PACKET_HEADER_BYTES, "a header holds time and size");

#define HZ_PER_MHZ UINT64_C(1000000)

/* The account's full amount; the largest fits: 2^16 bytes at 10^12 Hz. */
static uint64_t full_credit(const struct unit_fifo *f)
{
	return IPU_MAX_PACKET_BYTES * f->ipu_hz;
}

bool unit_fifo_init(struct unit_fifo *f, const struct ipu_unit_config *config)
{
	f->ipu_hz = config->ipu_mhz * HZ_PER_MHZ;
	f->max_bytes_per_s = config->max_bytes_per_s;
	f->size = config->fifo_bytes;
	f->ring = malloc(f->size);
	f->taken = malloc(IPU_MAX_PACKET_BYTES);
	f->making = malloc(IPU_MAX_PACKET_BYTES);
	f->credit = full_credit(f);
	return f->ring && f->taken && f->making;
}

void unit_fifo_release(struct unit_fifo *f)
{
	free(f->ring);
	free(f->taken);
	free(f->making);
}

void unit_fifo_forget(struct unit_fifo *f)
{
	f->nr_making = 0;
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

/* A packet that does not fit in before the ring's end, or is longer than a word. */
static __attribute__((noinline)) void put_long(struct unit_fifo *f, uint64_t now, const void *bytes, uint32_t nr)
{
	uint8_t header[IPU_PACKET_HEADER_BYTES];
	put_header(header, now, nr);
	ring_put(f, header, sizeof(header));
	ring_put(f, bytes, nr);
}

/* Puts a packet into the ring, where there is room for it. Nearly all are one word. */
static inline void put_packet(struct unit_fifo *f, uint64_t now, const void *bytes, uint32_t nr)
{
	uint64_t at = (uint64_t)f->first + f->used;
	if (__builtin_expect(nr != sizeof(uint32_t) || at + IPU_PACKET_HEADER_BYTES + sizeof(uint32_t) > f->size, 0)) {
		put_long(f, now, bytes, nr);
		return;
	}
	put_header(f->ring + at, now, nr);
	memcpy(f->ring + at + IPU_PACKET_HEADER_BYTES, bytes, sizeof(uint32_t));
	f->used += IPU_PACKET_HEADER_BYTES + (uint32_t)sizeof(uint32_t);
}

/* Whether the account has something for `nr` bytes in IPU cycle `now`; takes it. */
static __attribute__((noinline)) bool account_takes(struct unit_fifo *f, uint64_t now, uint32_t nr)
{
	uint64_t full = full_credit(f), cost = nr * f->ipu_hz;
	wide credit = f->credit + (wide)(now - f->credit_at) * f->max_bytes_per_s;
	f->credit = credit < full ? (uint64_t)credit : full;
	f->credit_at = now;
	if (f->credit < cost)
		return false;
	f->credit -= cost;
	return true;
}

static inline __attribute__((always_inline)) void send(struct unit_fifo *f, uint64_t now, const void *bytes,
						       uint32_t nr)
{
	if (f->size - f->used < IPU_PACKET_HEADER_BYTES + nr ||
	    (f->max_bytes_per_s > 0 && !account_takes(f, now, nr))) {
		f->lost_packets++;
		f->lost_bytes += nr;
		return;
	}
	put_packet(f, now, bytes, nr);
	f->packets++;
	f->bytes += nr;
}

void unit_fifo_send(struct unit_fifo *f, uint64_t now, const void *bytes, uint32_t nr_bytes)
{
	send(f, now, bytes, nr_bytes);
}

bool unit_fifo_store(struct ipu_lite *u, uint32_t address, unsigned nr_bytes, uint32_t value)
{
	struct unit_fifo *f = &u->fifo;
	if (address >= IPU_WINDOW_SEND) {
		uint32_t nr = f->nr_making;
		f->nr_making = 0;
		/* Complete at the end of the store's cycle. */
		send(f, u->ipu.hart.nr_retired + u->ipu.hart.nr_extra + 1, f->making, nr);
		return true;
	}
	if (nr_bytes > IPU_MAX_PACKET_BYTES - f->nr_making)
		return false;
	poke(f->making + f->nr_making, nr_bytes, value);
	f->nr_making += nr_bytes;
	return true;
}

/* A packet that goes around the ring's end. */
static __attribute__((noinline)) void take_in_parts(struct unit_fifo *f, struct ipu_packet *packet)
{
	uint8_t header[IPU_PACKET_HEADER_BYTES];
	ring_get(f, header, sizeof(header));
	get_header(header, packet);
	ring_get(f, f->taken, packet->nr_bytes);
	packet->bytes = f->taken;
}

static inline __attribute__((always_inline)) bool take(struct unit_fifo *f, struct ipu_packet *packet)
{
	uint32_t to_end = f->size - f->first;
	if (f->used == 0)
		return false;
	if (to_end >= IPU_PACKET_HEADER_BYTES) {
		const uint8_t *at = f->ring + f->first;
		get_header(at, packet);
		if (__builtin_expect(packet->nr_bytes <= to_end - IPU_PACKET_HEADER_BYTES, 1)) {
			/* Nothing is written there before the next call. */
			packet->bytes = at + IPU_PACKET_HEADER_BYTES;
			ring_skip(f, IPU_PACKET_HEADER_BYTES + packet->nr_bytes);
			return true;
		}
	}
	take_in_parts(f, packet);
	return true;
}

bool unit_fifo_take(struct unit_fifo *f, struct ipu_packet *packet)
{
	return take(f, packet);
}

bool unit_fifo_take_processors(struct ipu_unit *unit, struct ipu_packet *packet)
{
	return take(&lite_of(unit)->fifo, packet);
}

bool unit_fifo_peek(const struct unit_fifo *f, uint64_t *sent_at)
{
	uint8_t header[sizeof(*sent_at)];
	for (uint32_t i = 0; f->used > 0 && i < sizeof(header); i++)
		header[i] = f->ring[f->first + i < f->size ? f->first + i : f->first + i - f->size];
	if (f->used > 0)
		memcpy(sent_at, header, sizeof(header));
	return f->used > 0;
}
