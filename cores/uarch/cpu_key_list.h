/* The keys of a description of a processor (cpu.h): KEY(enum suffix, path, kinds, unit, default as written, min, max, help). */
KEY(NAME, "name", CFG_STRING, "", "", 0, 0, "what results call it; required")
KEY(SOURCE, "source", CFG_STRING, "", "", 0, 0, "where the figures are from; required")
KEY(L1I, "l1i", CFG_GROUP, "", "", 0, 0, "the first cache of instructions; required")
KEY(L1I_SIZE, "l1i.size_kib", CFG_INT, "KiB", "", 1, MAX_CACHE_BYTES / 1024, "its capacity; required")
KEY(L1I_WAYS, "l1i.ways", CFG_INT, "", "", 1, MAX_CACHE_WAYS, "lines of a set; required")
KEY(L1I_LINE, "l1i.line_bytes", CFG_INT, "bytes", "", MIN_LINE_BYTES, MAX_LINE_BYTES, "bytes of a line; required")
KEY(L1D, "l1d", CFG_GROUP, "", "", 0, 0, "the first cache of data; required")
KEY(L1D_SIZE, "l1d.size_kib", CFG_INT, "KiB", "", 1, MAX_CACHE_BYTES / 1024, "its capacity; required")
KEY(L1D_WAYS, "l1d.ways", CFG_INT, "", "", 1, MAX_CACHE_WAYS, "lines of a set; required")
KEY(L1D_LINE, "l1d.line_bytes", CFG_INT, "bytes", "", MIN_LINE_BYTES, MAX_LINE_BYTES, "bytes of a line; required")
KEY(L2, "l2", CFG_GROUP, "", "", 0, 0, "the second cache, of both; required")
KEY(L2_SIZE, "l2.size_kib", CFG_INT, "KiB", "", 1, MAX_CACHE_BYTES / 1024, "its capacity; required")
KEY(L2_WAYS, "l2.ways", CFG_INT, "", "", 1, MAX_CACHE_WAYS, "lines of a set; required")
KEY(L2_LINE, "l2.line_bytes", CFG_INT, "bytes", "", MIN_LINE_BYTES, MAX_LINE_BYTES, "bytes of a line; required")
KEY(PREDICTOR, "predictor", CFG_GROUP, "", "", 0, 0, "the branch predictor; required")
KEY(KIND, "predictor.kind", CFG_STRING, "", "", 0, 0, "how directions are predicted: tage or gshare; required")
KEY(COUNTERS, "predictor.counters", CFG_INT, "", "", 2, 1 << MAX_TABLE_BITS,
    "counters of 2 bits, a power of two: TAGE's base table, by pc alone, or gshare's table; required")
KEY(HISTORY, "predictor.history_bits", CFG_INT, "branches", "", 0, MAX_GSHARE_HISTORY,
    "global history that gshare takes; required with it, refused with TAGE, whose tables have their own")
KEY(TABLES, "predictor.tables", CFG_LIST, "", "", 0, 0, "TAGE's tagged tables, the shortest history first; required with it")
KEY(TABLE, "predictor.tables[]", CFG_GROUP, "", "", 0, 0, "one of them")
KEY(TABLE_HISTORY, "predictor.tables[].history_bits", CFG_INT, "branches", "", 1, MAX_HISTORY_BITS,
    "global history that it takes; required")
KEY(TABLE_ENTRIES, "predictor.tables[].entries", CFG_INT, "", "", 2, 1 << MAX_TABLE_BITS, "a power of two; required")
KEY(TABLE_TAG, "predictor.tables[].tag_bits", CFG_INT, "bits", "", MIN_TAG_BITS, MAX_TAG_BITS, "of a tag; required")
KEY(TARGETS, "predictor.targets", CFG_INT, "", "", 2, 1 << MAX_TABLE_BITS,
    "entries of each table of targets of indirect branches, a power of two; required")
KEY(TARGETS_BY, "predictor.targets_by", CFG_STRING, "", "history", 0, 0,
    "what tells targets of an indirect branch apart: pc (one table: the last target) or history (a second table, by pc and history)")
KEY(RETURNS, "predictor.return_stack", CFG_INT, "", "", 1, MAX_RETURN_STACK, "return addresses that are remembered; required")
