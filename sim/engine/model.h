/* Which model this program is: its version with a digest of the sources that can change a result. */
#ifndef SAHM_SIM_ENGINE_MODEL_H
#define SAHM_SIM_ENGINE_MODEL_H

/* "0.1.0-3f2a9c1b7d40": two programs with the same text give the same results, whatever compiled them. */
const char *model_version(void);

#endif
