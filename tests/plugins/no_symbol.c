/* A shared object that is no policy. */
#include "sched/ext.h"

SAHM_PUBLIC int sahm_plugins(void);
int sahm_plugins(void)
{
	return 1;
}
