/* Sleeping until another process writes a word of shared memory. */
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "ipu/soft/soft_internal.h"
#include "sim/base/units.h"

void soft_sleep(_Atomic uint32_t *word, uint64_t timeout_ns)
{
	struct timespec timeout = {(time_t)(timeout_ns / NS_PER_S), (long)(timeout_ns % NS_PER_S)};
	syscall(SYS_futex, word, FUTEX_WAIT, 1, timeout_ns ? &timeout : NULL, NULL, 0);
}

void soft_wake(_Atomic uint32_t *word)
{
	atomic_store(word, 0);
	syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}
