/* The keys of a processor's first caches and predictor, in files of configs/cpus and configs/cores:
 * CPU_KEY(symbol, path, kinds, unit, default as written, min, max, help). */
CPU_KEY(CPU_L1I, "l1i", CFG_GROUP, "", "", 0, 0, "the first cache of instructions; required")
CPU_KEY(CPU_L1I_SIZE, "l1i.size_kib", CFG_INT, "KiB", "", 1, MAX_CACHE_BYTES / 1024, "capacity of the cache; required")
CPU_KEY(CPU_L1I_WAYS, "l1i.ways", CFG_INT, "", "", 1, MAX_CACHE_WAYS, "lines in a set; required")
CPU_KEY(CPU_L1I_LINE, "l1i.line_bytes", CFG_INT, "bytes", "", MIN_LINE_BYTES, MAX_LINE_BYTES,
	    "bytes of a line; required")
CPU_KEY(CPU_L1I_REPLACEMENT, "l1i.replacement", CFG_STRING, "", "lru", 0, 0,
	    "which line of a full set leaves: lru, plru, random, rrip or pdp")
CPU_KEY(CPU_L1D, "l1d", CFG_GROUP, "", "", 0, 0, "the first cache of data; required")
CPU_KEY(CPU_L1D_SIZE, "l1d.size_kib", CFG_INT, "KiB", "", 1, MAX_CACHE_BYTES / 1024, "capacity of the cache; required")
CPU_KEY(CPU_L1D_WAYS, "l1d.ways", CFG_INT, "", "", 1, MAX_CACHE_WAYS, "lines in a set; required")
CPU_KEY(CPU_L1D_LINE, "l1d.line_bytes", CFG_INT, "bytes", "", MIN_LINE_BYTES, MAX_LINE_BYTES,
	    "bytes of a line; required")
CPU_KEY(CPU_L1D_REPLACEMENT, "l1d.replacement", CFG_STRING, "", "lru", 0, 0,
	    "which line of a full set leaves: lru, plru, random, rrip or pdp")
CPU_KEY(CPU_L2, "l2", CFG_GROUP, "", "", 0, 0, "the second cache, of both; required")
CPU_KEY(CPU_L2_SIZE, "l2.size_kib", CFG_INT, "KiB", "", 1, MAX_CACHE_BYTES / 1024, "capacity of the cache; required")
CPU_KEY(CPU_L2_WAYS, "l2.ways", CFG_INT, "", "", 1, MAX_CACHE_WAYS, "lines in a set; required")
CPU_KEY(CPU_L2_LINE, "l2.line_bytes", CFG_INT, "bytes", "", MIN_LINE_BYTES, MAX_LINE_BYTES,
	    "bytes of a line; required")
CPU_KEY(CPU_L2_REPLACEMENT, "l2.replacement", CFG_STRING, "", "lru", 0, 0,
	    "which line of a full set leaves: lru, plru, random, rrip or pdp")
CPU_KEY(CPU_PREDICTOR, "predictor", CFG_GROUP, "", "", 0, 0, "the branch predictor; required")
CPU_KEY(CPU_KIND, "predictor.kind", CFG_STRING, "", "", 0, 0,
	    "how directions are predicted: tage, gshare or tage-sc-l; required")
CPU_KEY(CPU_COUNTERS, "predictor.counters", CFG_INT, "", "", 2, 1 << MAX_TABLE_BITS,
	    "counters of 2 bits, a power of two: TAGE's base table, only by pc, or gshare's table; required")
CPU_KEY(CPU_HISTORY, "predictor.history_bits", CFG_INT, "branches", "", 0, MAX_GSHARE_HISTORY,
	    "global history that gshare takes; required with it, refused with TAGE, whose tables have their own")
CPU_KEY(CPU_TABLES, "predictor.tables", CFG_LIST, "", "", 0, 0,
	    "TAGE's tagged tables, the shortest history first; required with it")
CPU_KEY(CPU_TABLE, "predictor.tables[]", CFG_GROUP, "", "", 0, 0, "one of them")
CPU_KEY(CPU_TABLE_HISTORY, "predictor.tables[].history_bits", CFG_INT, "branches", "", 1, MAX_HISTORY_BITS,
	    "global history that the table takes; required")
CPU_KEY(CPU_TABLE_ENTRIES, "predictor.tables[].entries", CFG_INT, "", "", 2, 1 << MAX_TABLE_BITS,
	    "entries of the table, a power of two; required")
CPU_KEY(CPU_TABLE_TAG, "predictor.tables[].tag_bits", CFG_INT, "bits", "", MIN_TAG_BITS, MAX_TAG_BITS,
	    "bits of a tag; required")
CPU_KEY(CPU_LOOPS, "predictor.loops", CFG_INT, "", "", 1 << MIN_LOOP_BITS, 1 << MAX_LOOP_BITS,
	    "entries of the loop predictor, a power of two; required with tage-sc-l, refused with others")
CPU_KEY(CPU_CORRECTOR_TABLES, "predictor.corrector_tables", CFG_INT, "", "", MIN_CORRECTOR_TABLES,
	    MAX_CORRECTOR_TABLES,
	    "tables of the statistical corrector: two by TAGE's prediction, the others by history; required with "
	    "tage-sc-l, refused with others")
CPU_KEY(CPU_CORRECTOR_COUNTERS, "predictor.corrector_counters", CFG_INT, "", "", 2, 1 << MAX_TABLE_BITS,
	    "counters of 6 bits in each table of the corrector, a power of two; required with tage-sc-l, refused with "
	    "others")
CPU_KEY(CPU_TARGETS, "predictor.targets", CFG_INT, "", "", 2, 1 << MAX_TABLE_BITS,
	    "entries in each table of targets of indirect branches, a power of two; required")
CPU_KEY(CPU_TARGETS_BY, "predictor.targets_by", CFG_STRING, "", "history", 0, 0,
	    "what tells targets of an indirect branch apart: pc (one table: the last target) or "
	    "history (a second table, by pc and history)")
CPU_KEY(CPU_RETURNS, "predictor.return_stack", CFG_INT, "", "", 1, MAX_RETURN_STACK,
	    "return addresses that are remembered; required")
