/* Replacement policies of caches: REPLACEMENT(suffix, name, help). */
REPLACEMENT(LRU, "lru", "the line that was used longest ago leaves")
REPLACEMENT(PLRU, "plru", "a tree of bits over the ways points away from recent uses")
REPLACEMENT(RANDOM, "random", "any line leaves, from a sequence that is the same in every run")
REPLACEMENT(RRIP, "rrip", "the line expected to be used last leaves: new lines are expected late, lines used again soon")
REPLACEMENT(PDP, "pdp", "lines are protected for a number of accesses that is found by sampling after how many lines are used again")
