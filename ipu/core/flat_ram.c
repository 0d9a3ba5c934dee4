/* The flat machine's RAM. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ipu/core/flat_internal.h"

/* Below this, zeros are written; above, pages are given back, which costs what the guest has touched of them. */
#define MIN_GIVEN_BACK ((size_t)64 << 10)

/* A page that nobody may touch stands in front of the RAM and another one right behind it: should a bound be wrong, it
 * is not another object that suffers. */
struct mapping {
	uint8_t *bytes;
	size_t nr_bytes, page_bytes;
};

static struct mapping mapping_of(uint8_t *ram, uint32_t ram_bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), middle = (size_t)round_up(ram_bytes, page);
	return (struct mapping){
		.bytes = ram ? ram + ram_bytes - middle - page : NULL,
		.nr_bytes = middle + 2 * page,
		.page_bytes = page,
	};
}

uint8_t *flat_ram_new(uint32_t ram_bytes)
{
	struct mapping m = mapping_of(NULL, ram_bytes);
	m.bytes = mmap(NULL, m.nr_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (m.bytes == MAP_FAILED)
		return NULL;
	if (mprotect(m.bytes + m.page_bytes, m.nr_bytes - 2 * m.page_bytes, PROT_READ | PROT_WRITE) != 0) {
		munmap(m.bytes, m.nr_bytes);
		return NULL;
	}
	return m.bytes + m.nr_bytes - m.page_bytes - ram_bytes;
}

void flat_ram_free(uint8_t *ram, uint32_t ram_bytes)
{
	struct mapping m = mapping_of(ram, ram_bytes);
	if (ram)
		munmap(m.bytes, m.nr_bytes);
}

void flat_ram_clear(uint8_t *bytes, size_t nr_bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t first = (size_t)round_up((uintptr_t)bytes, page) - (uintptr_t)bytes;
	size_t last = nr_bytes - ((uintptr_t)bytes + nr_bytes) % page;
#ifdef __linux__ /* elsewhere the pages may keep what is in them */
	if (nr_bytes >= MIN_GIVEN_BACK + 2 * page && madvise(bytes + first, last - first, MADV_DONTNEED) == 0) {
		memset(bytes, 0, first);
		memset(bytes + last, 0, nr_bytes - last);
		return;
	}
#endif
	memset(bytes, 0, nr_bytes);
}
