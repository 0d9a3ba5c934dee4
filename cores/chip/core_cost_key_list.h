/* The keys of a table of costs (core_costs.h): KEY(enum suffix, path, kinds, unit, default as written, min, max, help). */
KEY(ROWS, "cores", CFG_LIST, "", "", 0, 0, "the core types, a row each; required")
KEY(ROW, "cores[]", CFG_GROUP, "", "", 0, 0, "one of them; no two of the same type and speedups")
KEY(TYPE, "cores[].type", CFG_STRING, "", "", 0, 0, "a core type, as in chip.cores of a configuration; required")
KEY(SPEEDUP, "cores[].speedup_pct", CFG_NUMBER | CFG_ARRAY, "%", "", MIN_SPEEDUP_PCT, MAX_SPEEDUP_PCT,
    "the speedups that the row is for, as in chip.cores; without it, it is for all that have no row of their own")
KEY(AREA, "cores[].area_mm2", CFG_NUMBER | CFG_STRING, "mm2", "", 0, 1e6,
    "area of one core; \"\", or no such key, where nobody knows it")
KEY(POWER, "cores[].power_w", CFG_NUMBER | CFG_STRING, "W", "", 0, 1e6,
    "power of one core; \"\", or no such key, where nobody knows it")
KEY(SOURCE, "cores[].source", CFG_STRING, "", "", 0, 0,
    "where the figures of the row are from; required with any of them")
