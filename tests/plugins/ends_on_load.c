/* Ends the process with success, as soon as it is loaded. */
#include "sched/ext.h"

#include <unistd.h>

__attribute__((constructor)) static void begin(void)
{
	static const char words[] = "first words\nlast words\n";
	ssize_t written = write(STDERR_FILENO, words, sizeof(words) - 1);
	_exit(written > 0 ? 0 : 1);
}

SCX_OPS_DEFINE(ops, .name = "ends-on-load");
