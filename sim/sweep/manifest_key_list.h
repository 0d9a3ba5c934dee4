/* The keys of a manifest, the section `manifest` behind a sweep's configuration:
 * KEY(enum suffix, path behind "manifest.", kinds, unit, default as written, min, max, help). */
KEY(PROGRAM, "program", CFG_STRING, "", "", 0, 0, "the program that made the results; required")
KEY(IDENTITY, "identity", CFG_STRING, "", "", 0, 0, "hash of the sweep: of its axes and of what every point is; required")
KEY(SHARD, "shard", CFG_STRING, "\"1/4\"", "1/1", 0, 0, "which of how many parts of the points")
KEY(THREADS, "threads", CFG_BOOL, "", "true", 0, 0, "whether results have a row per thread")
KEY(POINTS, "points", CFG_INT, "points", "", 1, MAX_SPACE_POINTS, "points that have results; required")
KEY(BLOCK, "block", CFG_INT, "positions", "", 1, MAX_SPACE_POINTS, "positions that a digest covers; required")
KEY(RESULTS, "results", CFG_LIST | CFG_ARRAY, "", "", 0, 0, "digests of the results, a block each; required")
KEY(RESULT, "results[]", CFG_STRING, "", "", 0, 0, "one digest")
KEY(TRACES, "traces", CFG_LIST, "", "", 0, 0, "traces that were used")
KEY(TRACE, "traces[]", CFG_GROUP, "", "", 0, 0, "one trace")
KEY(TRACE_FILE, "traces[].file", CFG_STRING, "", "", 0, 0, "its path; required")
KEY(TRACE_HASH, "traces[].hash", CFG_STRING, "", "", 0, 0, "hash of its contents, as `sahm trace info` shows it; required")
