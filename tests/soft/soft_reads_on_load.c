/* Its constructor tries to read a file of the user's; the name says whether it could. */
#include "tests/soft/sums.h"

#include <fcntl.h>
#include <stdbool.h>

static bool can_read;

__attribute__((constructor)) static void look(void)
{
	can_read = open("/etc/passwd", O_RDONLY | O_CLOEXEC) >= 0;
}

static uint32_t read_register(void *m, uint32_t offset)
{
	(void)m;
	(void)offset;
	return can_read;
}

SUMS_OBJECT(.read = read_register, .name = "reads-on-load")
