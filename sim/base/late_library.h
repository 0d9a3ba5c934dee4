/* Libraries that are loaded when they are first needed.
 *
 * Capstone and libpfm consist of tables with 120,000 addresses, which a program that is linked with them adjusts each
 * time it starts; that takes 3 to 4 ms. Few commands use them.
 */
#ifndef SAHM_SIM_BASE_LATE_LIBRARY_H
#define SAHM_SIM_BASE_LATE_LIBRARY_H

#include <stddef.h>

#include "sim/base/err.h"

/* A function of a library, and the pointer that becomes its address. */
struct late_call {
	const char *name;
	void *to;
};

/* Loads the library called `soname` for the rest of the process and finds its functions calls[nr]. SAHM_TOOL when the
 * library or a function is not there. */
enum sahm_status late_library_load(const char *soname, const struct late_call *calls, size_t nr, struct sahm_err *err);

#endif
