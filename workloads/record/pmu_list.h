/* Processors whose counters are known: PMU(symbol, name, libpfm4's name or NULL, event set, devices, title).
 * The set is one of event_rows[] in pmu.c. With a name of libpfm4 events are encoded by that library; without one they
 * stand in code_rows[]. Devices: what the kernel may call the PMU in /sys/bus/event_source/devices, with blanks
 * between, a '*' at the end of one standing for anything; of one that is empty no device is looked for. To add one: a
 * row, its models, events and codes in pmu.c (codes that libpfm4 lacks with their source), rows in test_pmu.c, a line
 * in docs/recording.md. What has no source stays out. */
PMU(SPR, "spr", "spr", INTEL_8, "cpu", "Intel Sapphire Rapids, Emerald Rapids")
PMU(GLC, "glc", NULL, GOLDEN_COVE, "cpu_core cpu", "Intel Golden Cove client cores (Alder Lake, Raptor Lake)")
PMU(ICX, "icx", "icx", INTEL_8, "cpu", "Intel Ice Lake server")
PMU(ICL, "icl", "icl", INTEL_8, "cpu", "Intel Ice Lake, Tiger Lake, Rocket Lake")
PMU(SKX, "skx", "skx", INTEL_4, "cpu", "Intel Skylake server, Cascade Lake, Cooper Lake")
PMU(SKL, "skl", "skl", INTEL_4, "cpu", "Intel Skylake to Comet Lake")
PMU(BDW_EP, "bdw_ep", "bdw_ep", HASWELL, "cpu", "Intel Broadwell server")
PMU(BDW, "bdw", "bdw", HASWELL, "cpu", "Intel Broadwell")
PMU(HSW_EP, "hsw_ep", "hsw_ep", HASWELL, "cpu", "Intel Haswell server")
PMU(HSW, "hsw", "hsw", HASWELL, "cpu", "Intel Haswell")
PMU(ZEN4, "zen4", "amd64_fam19h_zen4", ZEN2, "cpu", "AMD Zen 4")
PMU(ZEN3, "zen3", "amd64_fam19h_zen3", ZEN2, "cpu", "AMD Zen 3")
PMU(ZEN2, "zen2", "amd64_fam17h_zen2", ZEN2, "cpu", "AMD Zen 2")
PMU(ZEN1, "zen1", "amd64_fam17h_zen1", ZEN1, "cpu", "AMD Zen 1")
PMU(NEOVERSE_N1, "neoverse-n1", NULL, NEOVERSE, "armv8_pmuv3* armv8_neoverse_n1*", "Arm Neoverse N1")
PMU(NEOVERSE_N2, "neoverse-n2", NULL, NEOVERSE, "armv8_pmuv3* armv9_pmuv3* armv8_neoverse_n2*", "Arm Neoverse N2")
PMU(NEOVERSE_V1, "neoverse-v1", NULL, NEOVERSE, "armv8_pmuv3* armv8_neoverse_v1*", "Arm Neoverse V1")
PMU(NEOVERSE_V2, "neoverse-v2", NULL, NEOVERSE, "armv8_pmuv3* armv9_pmuv3* armv8_neoverse_v2*", "Arm Neoverse V2")
PMU(U74, "u74", NULL, U74, "cpu riscv-pmu", "SiFive U74")
PMU(SOFTWARE, "software", NULL, SOFTWARE, "software", "the kernel's own events: for trying, none stands for a counter")
