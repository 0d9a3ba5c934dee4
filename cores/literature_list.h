/* Core types named after published work: LITERATURE(name, component suffix, average %, targeted %, work).
 * "Average" is the speedup over all applications of the work, "targeted" what it gives where its component is stressed.
 * Source: dissertation, table 4.4. */
LITERATURE("cma-bp", BRANCH, "2.0", "2.0", "CMA-BP branch predictor")
LITERATURE("selective-flushing", BRANCH, "29.0", "40.0", "selective flushing after mispredicted branches")
LITERATURE("itp-xptp", L1I, "18.9", "20.0", "iTP+xPTP")
LITERATURE("entangling", L1I, "10.1", "10.1", "entangling instruction prefetcher")
LITERATURE("register-file-prefetching", L1D, "3.1", "5.0", "register file prefetching")
LITERATURE("berti", L1D, "10.0", "13.0", "Berti local-delta data prefetcher")
LITERATURE("pacipv", L2, "3.4", "20.0", "PACIPV")
LITERATURE("mockingjay", L2, "4.0", "20.1", "Mockingjay cache replacement")
LITERATURE("triage", L2, "23.0", "23.0", "Triage prefetcher")
LITERATURE("runtime-selection", L2, "5.8", "5.8", "runtime selection")
