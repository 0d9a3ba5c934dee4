/* The keys of the section `sweep` of a configuration, after "sweep.":
 * KEY(symbol, path, kinds, unit, default as written, min, max, help), then other members of struct cfg_key by name.
 * `sahm help sweeps` comes from here.
 * To add a generator: its keys here, its code in space_generate.c or a file beside it, its words in help.c. */
#define SPACE_KEYS(KEY) \
KEY(SPACE_EVALUATOR, "evaluator", CFG_STRING, "", "run", 0, 0, \
    "evaluation of each point: run (simulated) or limit (the upper bound of its chip, from residencies)") \
KEY(SPACE_AXES, "axes", CFG_LIST, "", "", 0, 0, \
    "what is varied, each with every other; the first varies slowest, and settings are made in the order of axes") \
KEY(SPACE_AXIS, "axes[]", CFG_GROUP, "", "", 0, 0, "one axis: one of key, zip, points and generator") \
KEY(SPACE_AXIS_NAME, "axes[].name", CFG_STRING, "", "", 0, 0, \
    "name of the axis, different from all others; without it the keys joined by +, point or chip") \
KEY(SPACE_AXIS_KEY, "axes[].key", CFG_STRING, "\"scheduler.inertia\"", "", 0, 0, \
    "a key of the configuration, as --set takes it") \
KEY(SPACE_AXIS_VALUES, "axes[].values", CFG_LIST | CFG_ARRAY | CFG_STRING, "", "", 0, 0, \
    "its values: a list, whose elements may be lists and groups themselves, or a range as a string, \"FIRST..LAST\" or " \
    "\"FIRST..LAST..STEP\", with up to nine decimals; required with a key") \
KEY(SPACE_ZIP, "axes[].zip", CFG_LIST, "", "", 0, 0, "keys that change together, each with as many values") \
KEY(SPACE_ZIPPED, "axes[].zip[]", CFG_GROUP, "", "", 0, 0, "one of them") \
KEY(SPACE_ZIP_KEY, "axes[].zip[].key", CFG_STRING, "\"scheduler.inertia\"", "", 0, 0, "as of an axis; required") \
KEY(SPACE_ZIP_VALUES, "axes[].zip[].values", CFG_LIST | CFG_ARRAY | CFG_STRING, "", "", 0, 0, "as of an axis; required") \
KEY(SPACE_POINTS, "axes[].points", CFG_LIST, "", "", 0, 0, "values that have names and make any settings") \
KEY(SPACE_POINT, "axes[].points[]", CFG_GROUP, "", "", 0, 0, "one of them") \
KEY(SPACE_POINT_NAME, "axes[].points[].name", CFG_STRING, "", "", 0, 0, "name of the value, different from all others; required") \
KEY(SPACE_POINT_SETS, "axes[].points[].set", CFG_LIST | CFG_ARRAY, "", "", 0, 0, \
    "its settings; without any, what the configuration says") \
KEY(SPACE_POINT_SET, "axes[].points[].set[]", CFG_STRING, "\"scheduler.oracle=true\"", "", 0, 0, \
    "one setting, as `sahm run --set` takes it") \
KEY(SPACE_GENERATOR, "axes[].generator", CFG_STRING, "", "", 0, 0, \
    "chips in the place of chip.cores: paper (every component has a core of one of the speedups, or none) or mixes " \
    "(all numbers of cores of some types within bounds)") \
KEY(SPACE_BASELINE, "axes[].baseline", CFG_INT, "cores", "1", 0, MAX_CORES, "paper: baseline cores of every chip") \
KEY(SPACE_EACH, "axes[].each", CFG_INT, "cores", "1", 1, MAX_CORES, "paper: cores of every component that has any") \
KEY(SPACE_FILL, "axes[].fill", CFG_BOOL, "", "false", 0, 0, \
    "paper: true: as many baseline cores stand in for those that a component does not have, so that all chips have " \
    "equally many") \
KEY(SPACE_SPEEDUPS, "axes[].speedups_pct", CFG_LIST | CFG_ARRAY | CFG_NUMBER, "%", "[10, 20, 30]", MIN_SPEEDUP_PCT, \
    MAX_SPEEDUP_PCT, \
    "paper: speedups that a component's cores can have; the three of the default make the paper's 256 chips", \
    .usual_min = 3, .is_speedup = true) \
KEY(SPACE_TYPES, "axes[].types", CFG_LIST, "", "", 0, 0, "mixes: the types of core; required") \
KEY(SPACE_TYPE, "axes[].types[]", CFG_GROUP, "", "", 0, 0, "mixes: one of them") \
KEY(SPACE_TYPE_TYPE, "axes[].types[].type", CFG_STRING, "", "", 0, 0, "mixes: as chip.cores[].type; required") \
KEY(SPACE_TYPE_SPEEDUP, "axes[].types[].speedup_pct", CFG_NUMBER | CFG_ARRAY, "%", "", MIN_SPEEDUP_PCT, MAX_SPEEDUP_PCT, \
    "mixes: as chip.cores[].speedup_pct", .usual_min = 3, .is_speedup = true) \
KEY(SPACE_TYPE_LEAST, "axes[].types[].least", CFG_INT, "cores", "0", 0, MAX_CORES, "mixes: minimum number of cores of this type") \
KEY(SPACE_TYPE_MOST, "axes[].types[].most", CFG_INT, "cores", "", 0, MAX_CORES, \
    "mixes: maximum number of cores of this type; without it as many as a chip can have") \
KEY(SPACE_TYPE_AREA, "axes[].types[].area_mm2", CFG_NUMBER, "mm2", "", 0, 1e6, \
    "mixes: area of one core of it, for max_area_mm2, in the place of what `costs` says") \
KEY(SPACE_TYPE_POWER, "axes[].types[].power_w", CFG_NUMBER, "W", "", 0, 1e6, \
    "mixes: power of one core of it, for max_power_w, in the place of what `costs` says") \
KEY(SPACE_CORES, "axes[].cores", CFG_INT, "cores", "", 1, MAX_CORES, "mixes: most cores of a chip; required") \
KEY(SPACE_LEAST_CORES, "axes[].least_cores", CFG_INT, "cores", "", 1, MAX_CORES, \
    "mixes: minimum number of cores of a chip; without it all have the number that `cores` gives") \
KEY(SPACE_COSTS, "axes[].costs", CFG_STRING, "", "", 0, 0, \
    "mixes: table of what cores of each type cost, relative to the configuration, then to the data folder; required by " \
    "a budget if a type lacks the figure") \
KEY(SPACE_MAX_AREA, "axes[].max_area_mm2", CFG_NUMBER, "mm2", "", 0, 1e9, "mixes: a budget: most area of all cores together") \
KEY(SPACE_MAX_POWER, "axes[].max_power_w", CFG_NUMBER, "W", "", 0, 1e9, "mixes: a budget: most power of all cores together")
