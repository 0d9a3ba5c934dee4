/* The interface of scheduling policies, at the path by which plug-ins include it. */
#ifndef SAHM_SCHED_EXT_H
#define SAHM_SCHED_EXT_H

#include "sched/host/ext.h" /* IWYU pragma: export */

#endif
