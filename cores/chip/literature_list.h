/* Core types named after published work: LITERATURE(name, component suffix, average %, targeted %,
 * work, where the figures are published).
 * "Average" is the speedup over all applications of the work, "targeted" what it gives where its component is stressed. */
#define THESIS_4_4 "Wadle 2026, table 4.4"

LITERATURE("cma-bp", BRANCH, "2.0", "2.0", "CMA-BP branch predictor", THESIS_4_4)
LITERATURE("selective-flushing", BRANCH, "29.0", "40.0", "selective flushing after mispredicted branches", THESIS_4_4)
LITERATURE("itp-xptp", L1I, "18.9", "20.0", "iTP+xPTP", THESIS_4_4)
LITERATURE("entangling", L1I, "10.1", "10.1", "entangling instruction prefetcher", THESIS_4_4)
LITERATURE("register-file-prefetching", L1D, "3.1", "5.0", "register file prefetching", THESIS_4_4)
LITERATURE("berti", L1D, "10.0", "13.0", "Berti local-delta data prefetcher", THESIS_4_4)
LITERATURE("pacipv", L2, "3.4", "20.0", "PACIPV", THESIS_4_4)
LITERATURE("mockingjay", L2, "4.0", "20.1", "Mockingjay cache replacement", THESIS_4_4)
LITERATURE("triage", L2, "23.0", "23.0", "Triage prefetcher", THESIS_4_4)
LITERATURE("runtime-selection", L2, "5.8", "5.8", "runtime selection", THESIS_4_4)

#undef THESIS_4_4
