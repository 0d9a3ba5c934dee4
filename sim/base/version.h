/* The program's version, and what it was before: CHANGELOG.md. */
#ifndef SAHM_SIM_BASE_VERSION_H
#define SAHM_SIM_BASE_VERSION_H

#define SAHM_VERSION "0.1.0"

#endif
