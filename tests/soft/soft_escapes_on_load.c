/* Its constructor tries to write a file. */
#include "tests/soft/sums.h"

#include <fcntl.h>

static int written;

__attribute__((constructor)) static void escape(void)
{
	written = open("/tmp/sahm-soft-escape", O_WRONLY | O_CREAT | O_EXCL, 0600);
}

SUMS_OBJECT(.name = "escapes-on-load")
