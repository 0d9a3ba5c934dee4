#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_TRUETYPE_IMPLEMENTATION
#define STB_RECT_PACK_IMPLEMENTATION
#define STB_DS_IMPLEMENTATION
#define STB_DXT_IMPLEMENTATION
#define STB_PERLIN_IMPLEMENTATION
#define STB_SPRINTF_IMPLEMENTATION
#define STB_HEXWAVE_IMPLEMENTATION
#define STB_IMAGE_RESIZE_IMPLEMENTATION
#define STB_VOXEL_RENDER_IMPLEMENTATION
#define STBVOX_CONFIG_MODE 1
#define STB_C_LEXER_IMPLEMENTATION
#define STB_CONNECTED_COMPONENTS_IMPLEMENTATION
#define STBCC_GRID_COUNT_X_LOG2 10
#define STBCC_GRID_COUNT_Y_LOG2 10
#define STB_HERRINGBONE_WANG_TILE_IMPLEMENTATION
#include <stb/stb_image.h>
#include <stb/stb_image_write.h>
#include <stb/stb_rect_pack.h>
#include <stb/stb_truetype.h>
#include <stb/stb_ds.h>
#include <stb/stb_dxt.h>
#include <stb/stb_perlin.h>
#include <stb/stb_sprintf.h>
#include <stb/stb_hexwave.h>
#include <stb/stb_image_resize.h>
#include <stb/stb_voxel_render.h>
#include <stb/stb_c_lexer.h>
#include <stb/stb_connected_components.h>
#include <stb/stb_herringbone_wang_tile.h>
#include <stb/stb_vorbis.h>
