/* Is no module. */
#include "ipu/soft/module.h"

__attribute__((visibility("default"))) const uint32_t some_data = 1;
