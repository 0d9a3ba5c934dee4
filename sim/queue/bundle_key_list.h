/* The keys of a bundle, the section `bundle` behind a sweep's configuration:
 * KEY(enum suffix, path behind "bundle.", kinds, unit, default as written, min, max, help). */
KEY(FORMAT, "format", CFG_INT, "", "", 0, INT32_MAX, "version of this list, 1; required")
KEY(PROGRAM, "program", CFG_STRING, "", "", 0, 0, "the program that planned the runs; required")
KEY(NAME, "name", CFG_STRING, "", "", 0, 0, "what the sweep is called; required")
KEY(EVALUATOR, "evaluator", CFG_STRING, "", "", 0, 0, "what is done with each point: run or limit; required")
KEY(TIMEOUT, "timeout_s", CFG_INT, "s", "0", 0, MAX_TIMEOUT_S,
    "how long a run can take before it has failed; 0: any time")
KEY(FILES, "files", CFG_LIST, "", "", 0, 0, "files that the sweep reads")
KEY(FILE, "files[]", CFG_GROUP, "", "", 0, 0, "one file")
KEY(FILE_NUMBER, "files[].number", CFG_INT, "", "", 0, MAX_BUNDLE_FILES - 1, "the folder that it stands in; required")
KEY(FILE_NAME, "files[].name", CFG_STRING, "", "", 0, 0, "its name there; required")
KEY(FILE_KIND, "files[].kind", CFG_STRING, "", "", 0, 0, "data, signature or plugin; required")
KEY(FILE_BYTES, "files[].bytes", CFG_INT, "bytes", "", 0, (double)MAX_BUNDLE_FILE_BYTES, "its length; required")
KEY(FILE_HASH, "files[].hash", CFG_STRING, "", "", 0, 0, "hash of its bytes, in hexadecimal; required")
