/* Long help on a terminal goes through a pager. */
#ifndef SAHM_SIM_CLI_PAGER_H
#define SAHM_SIM_CLI_PAGER_H

#include <stdbool.h>

/* If standard output is a terminal, passes what is printed from here on to $PAGER, or to less if it is not set. Prints
 * directly if $PAGER is empty or `cat`, or cannot be run. */
void pager_begin(void);

/* Waits until the user has left the pager. False if there is none. Does not report a pager that was left early. */
bool pager_end(void);

#endif
