/* Its symbol is something else. */
#include <stdint.h>

__attribute__((visibility("default"))) extern const uint32_t sahm_plugin;
__attribute__((visibility("default"))) const uint32_t sahm_plugin = 1;
