/* A folder for one test, which is removed after it. */
#ifndef SAHM_TESTS_UNIT_OWN_FOLDER_H
#define SAHM_TESTS_UNIT_OWN_FOLDER_H

#include <stdio.h>
#include <stdlib.h>

static char own_folder[] = "/tmp/sahm-test-XXXXXX";

/* Group setup and teardown. */
static inline int make_own_folder(void **state)
{
	(void)state;
	return mkdtemp(own_folder) ? 0 : -1;
}

static inline int remove_own_folder(void **state)
{
	char command[64];
	(void)state;
	snprintf(command, sizeof(command), "rm -rf '%s'", own_folder);
	return system(command);
}

#endif
