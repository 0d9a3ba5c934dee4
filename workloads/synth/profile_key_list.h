/* What a profile says of all its benchmarks, as lines `# key: value` above the table, in the order of the help:
 * KEY(enum suffix, key, required, help). */
KEY(SEED, "seed", true, "whole number; other seeds give other traces of the same kind")
KEY(EPOCH_MS, "epoch_ms", true, "length of an epoch in ms of baseline time")
KEY(CUTS, "cuts", true, "the cuts between LOW and HIGH: a named set")
KEY(DIGITS, "digits", true, "significant digits of the counts, 2 to 19: a trace compresses the better, the fewer they are")
KEY(FOLLOW, "follow", false, "FROM > TO: FACTOR, how much likelier TO is after FROM than its share says; 0 is never (FROM > FROM too); any number of lines")
KEY(MACHINE, "machine", false, "what the magnitudes were taken from")
KEY(LICENCE, "licence", false, "terms under which the traces may be passed on")
KEY(NOTE, "note", false, "anything else")
