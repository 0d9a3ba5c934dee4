/* Tries a way out of its sandbox when `start` is written: the value is a number of the list below. */
#include "tests/soft/sums.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

static void try(void *m, uint32_t offset, uint32_t value)
{
	struct sums *s = m;
	char *arguments[] = {"sh", NULL};
	if (offset != SUMS_START)
		return;
	switch (value) {
	case 0:
		/* It only fails. */
		s->sum = (uint64_t)open("/etc/passwd", O_RDONLY);
		break;
	case 1:
		s->sum = (uint64_t)open("/tmp/sahm-soft-escape", O_WRONLY | O_CREAT | O_EXCL, 0600);
		break;
	case 2:
		s->sum = (uint64_t)socket(AF_INET, SOCK_STREAM, 0);
		break;
	case 3:
		s->sum = (uint64_t)fork();
		break;
	case 4:
		s->sum = (uint64_t)execv("/bin/sh", arguments);
		break;
	case 5:
		s->sum = (uint64_t)kill(getppid(), 0);
		break;
	case 6:
		s->sum = (uint64_t)(uintptr_t)mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
						   0);
		break;
	case 7:
		s->sum = (uint64_t)unlink("/tmp/sahm-soft-escape");
		break;
	case 8:
		s->sum = (uint64_t)write(9, "x", 1);
		break;
	default:
		break;
	}
}

SUMS_OBJECT(.write = try, .name = "escapes")
