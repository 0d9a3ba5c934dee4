/* Control and status registers of counters (hpm.h): HPM_CSR(suffix, name, number, how many, help). A row is for counter
 * HPM_FIRST on where it has HPM_COUNTERS registers; else it has one. The numbers say which privilege may do what:
 * bits 8 and 9 the lowest that may, bits 10 and 11 both set that it is read-only (RISC-V privileged 1.11, 2.1). Those of
 * precise event sampling are our choice in the custom range. */
HPM_CSR(SCOUNTEREN, "scounteren", 0x106, 1, "shadows that user mode may read, if mcounteren lets it as well")
HPM_CSR(MCOUNTEREN, "mcounteren", 0x306, 1, "shadows that supervisor mode may read")
HPM_CSR(MCOUNTINHIBIT, "mcountinhibit", 0x320, 1, "counters that stand still")
HPM_CSR(MHPMEVENT, "mhpmevent", 0x323, HPM_COUNTERS, "selectors")
HPM_CSR(MHPMMAPPED, "mhpmmapped", 0x7C0, 1, "where the samples' part of the buffer begins")
HPM_CSR(MHPMMSIZE, "mhpmmsize", 0x7C1, 1, "its size in bytes")
HPM_CSR(MHPMMOFFSET, "mhpmmoffset", 0x7C2, 1, "bytes of it that are written")
HPM_CSR(MHPMMTHRESHOLD, "mhpmmthreshold", 0x7C3, HPM_COUNTERS, "counts per sample; 0: no samples")
HPM_CSR(MCYCLE, "mcycle", 0xB00, 1, "cycles")
HPM_CSR(MINSTRET, "minstret", 0xB02, 1, "instructions retired")
HPM_CSR(MHPMCOUNTER, "mhpmcounter", 0xB03, HPM_COUNTERS, "event counters")
HPM_CSR(CYCLE, "cycle", 0xC00, 1, "shadow of mcycle")
HPM_CSR(TIME, "time", 0xC01, 1, "mcycle, too")
HPM_CSR(INSTRET, "instret", 0xC02, 1, "shadow of minstret")
HPM_CSR(HPMCOUNTER, "hpmcounter", 0xC03, HPM_COUNTERS, "shadows of the event counters")
