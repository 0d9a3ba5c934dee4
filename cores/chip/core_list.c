#include "cores/chip/core_list.h"

#include <string.h>

#include "sim/base/number.h"

/* Longest piece of a list that is quoted. */
#define QUOTE_CHARS 40

void core_set_add(uint64_t *set, uint32_t first, uint32_t last)
{
	for (uint32_t word = first / 64; word <= last / 64; word++) {
		uint32_t low = word == first / 64 ? first % 64 : 0, high = word == last / 64 ? last % 64 : 63;
		set[word] |= (UINT64_MAX << low) & (UINT64_MAX >> (63 - high));
	}
}

static bool is_digits(const char *text, size_t len)
{
	return len > 0 && strspn(text, "0123456789") >= len;
}

/* The core that `len` digits name; one that the chip lacks fails. */
static enum sahm_status read_core(const char *digits, size_t len, uint32_t nr_cores, uint32_t *core,
				  struct sahm_err *err)
{
	uint64_t v;
	if (number_read_u64(digits, len, &v) != NUMBER_OK || v >= nr_cores)
		return sahm_fail(err, SAHM_CONFIG, "there is no core %.*s, the last is %u",
				 (int)(len < QUOTE_CHARS ? len : QUOTE_CHARS), digits, nr_cores - 1);
	*core = (uint32_t)v;
	return SAHM_OK;
}

/* One item of `len` bytes: "5", "0-3" or "0-30:2". */
static enum sahm_status read_item(const char *item, size_t len, uint32_t nr_cores, uint64_t *set, struct sahm_err *err)
{
	const char *dash = memchr(item, '-', len), *end = item + len;
	const char *colon = dash ? memchr(dash, ':', (size_t)(end - dash)) : NULL;
	const char *last_end = colon ? colon : end;
	size_t first_len = dash ? (size_t)(dash - item) : len, last_len = dash ? (size_t)(last_end - dash - 1) : 0;
	size_t stride_len = colon ? (size_t)(end - colon - 1) : 0;
	int quoted = (int)(len < QUOTE_CHARS ? len : QUOTE_CHARS);
	uint32_t first = 0, last;
	uint64_t stride = 1;
	if (!is_digits(item, first_len) || (dash && !is_digits(dash + 1, last_len)) ||
	    (colon && !is_digits(colon + 1, stride_len)))
		return sahm_fail(err, SAHM_CONFIG, "'%.*s' is neither a core nor a range of cores (0-3 or 0-30:2)",
				 quoted, item);
	enum sahm_status status = read_core(item, first_len, nr_cores, &first, err);
	last = first;
	if (status == SAHM_OK && dash)
		status = read_core(dash + 1, last_len, nr_cores, &last, err);
	if (status != SAHM_OK)
		return status;
	if (last < first)
		return sahm_fail(err, SAHM_CONFIG, "range '%.*s' runs backwards", quoted, item);
	/* A stride of the chip's length or more leaves only the first core. */
	if (colon && (number_read_u64(colon + 1, stride_len, &stride) != NUMBER_OK || stride > nr_cores))
		stride = nr_cores;
	if (stride == 0)
		return sahm_fail(err, SAHM_CONFIG, "range '%.*s' has a stride of 0", quoted, item);
	if (stride == 1)
		core_set_add(set, first, last);
	for (uint64_t c = first; c <= last && stride > 1; c += stride)
		core_set_add(set, (uint32_t)c, (uint32_t)c);
	return SAHM_OK;
}

enum sahm_status core_list_read(const char *text, uint32_t nr_cores, uint64_t *set, struct sahm_err *err)
{
	if (!*text)
		return sahm_fail(err, SAHM_CONFIG, "the list of cores is empty");
	for (const char *at = text;; at++) {
		size_t len = strcspn(at, ",");
		if (len == 0)
			return sahm_fail(err, SAHM_CONFIG, "nothing stands %s a comma in the list of cores",
					 at[len] ? "before" : "behind");
		enum sahm_status status = read_item(at, len, nr_cores, set, err);
		if (status != SAHM_OK)
			return status;
		at += len;
		if (!*at)
			return SAHM_OK;
	}
}
