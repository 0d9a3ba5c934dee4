/* Modes for a HIT that is faster than its IPU, by the names that users give them: MODE(symbol, name, argument, most,
 * help). `argument` is the number after the =, "" where there is none; `most` is the largest. */
MODE(EVERY, "every", "", 0, "takes every input set that finds the unit ready")
MODE(SUB_SAMPLE, "sub-sample", "K", UINT32_MAX, "looks at one in K input sets")
MODE(WINDOW, "window", "N", IPU_MAX_WINDOW, "takes N input sets in a row into a fast buffer, then works them off")
MODE(PHASES, "phases", "MHZ", IPU_MAX_MHZ, "takes input sets while the HIT runs at MHZ or slower")
