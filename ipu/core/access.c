/* Memory accesses, one by one. */
#include "ipu/core/access_internal.h"

#include "ipu/core/bytes_internal.h"

bool access_memory(struct hart *h, const struct slot *s)
{
	enum operation operation = (enum operation)executor_rows[s->executor % CHAINED].operation;
	bool is_store = operation_properties[operation] & OP_STORES;
	unsigned nr_bytes = operation_bytes(operation);
	uint32_t address = h->x[slot_rs1(s)] + (uint32_t)slot_immediate(s);
	uint32_t mask = UINT32_MAX >> (32 - 8 * nr_bytes), sign = mask ^ mask >> 1;
	uint32_t value = is_store ? h->x[slot_rd(s)] & mask : 0;
	uint8_t *bytes = hart_bytes(h, address, nr_bytes);
	if (h->traps_misaligned && address % nr_bytes != 0) {
		h->address = address;
		h->cause = bytes ? (is_store ? HART_STORE_MISALIGNED : HART_LOAD_MISALIGNED)
				 : (is_store ? HART_STORE_OUTSIDE : HART_LOAD_OUTSIDE);
		return false;
	}
	if (is_store) {
		bool is_inside = address - h->stores.base < h->stores.limit[0] &&
				 nr_bytes <= h->stores.limit[0] - (address - h->stores.base);
		if (!is_inside && h->host && h->host->store && h->host->store(h, address, nr_bytes, value))
			return true;
		if (bytes) {
			poke(bytes, nr_bytes, value);
			return true;
		}
		h->address = address;
		h->cause = HART_STORE_OUTSIDE;
		return false;
	}
	if (bytes) {
		value = peek(bytes, nr_bytes);
	} else if (!h->host || !h->host->load || !h->host->load(h, address, nr_bytes, &value)) {
		h->address = address;
		h->cause = HART_LOAD_OUTSIDE;
		return false;
	}
	value &= mask;
	h->x[slot_rd(s)] = operation_properties[operation] & OP_SIGNED ? (value ^ sign) - sign : value;
	return true;
}
