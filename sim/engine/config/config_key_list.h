/* The keys of a run's configuration:
 * KEY(symbol, path, kinds, unit, default as written, min, max, help), then other members of struct cfg_key by name.
 * sahm-config(5), `sahm help config`, the checks and the suggestions all come from here. To add a key: add a row, read,
 * write and hash it in the file of its group, run_config_<group>.c, or in run_config.c; a row in test_run_config.c. */
#define CONFIG_KEYS(KEY) \
KEY(KEY_CHIP, "chip", CFG_GROUP, "", "", 0, 0, "the chip") \
KEY(KEY_CORES, "chip.cores", CFG_LIST, "", "", 0, 0, "groups of equal cores, in index order; required") \
KEY(KEY_CORE, "chip.cores[]", CFG_GROUP, "", "", 0, 0, "one group of cores") \
KEY(KEY_CORE_TYPE, "chip.cores[].type", CFG_STRING, "", "", 0, 0, \
    "core type: baseline, components joined by + (branch, l1i, l1d, l2), general, table, a published work, or a name in core_types; required") \
KEY(KEY_CORE_SPEEDUP, "chip.cores[].speedup_pct", CFG_NUMBER | CFG_ARRAY, "%", "", MIN_SPEEDUP_PCT, MAX_SPEEDUP_PCT, \
    "speedup over the baseline core: one, one per component in the order of type, or 16 by state for a table", \
    .usual_min = 3, .is_speedup = true) \
KEY(KEY_CORE_FIGURE, "chip.cores[].figure", CFG_STRING, "", "targeted", 0, 0, \
    "which published figure a work's name stands for: targeted (where its component is stressed) or average") \
KEY(KEY_CORE_SCARCE, "chip.cores[].scarce", CFG_ARRAY, "", "", 0, 0, \
    "of a table: states whose speedup comes from few epochs, or from other states; reports say so") \
KEY(KEY_CORE_SCARCE_STATE, "chip.cores[].scarce[]", CFG_STRING, "", "", 0, 0, "a state (sahm help states)") \
KEY(KEY_CORE_NAME, "chip.cores[].name", CFG_STRING, "", "", 0, 0, \
    "what results call these cores; otherwise by their type") \
KEY(KEY_CORE_COUNT, "chip.cores[].count", CFG_INT, "", "1", 0, MAX_CORES, "number of such cores") \
KEY(KEY_CORE_TENANT, "chip.cores[].tenant", CFG_STRING, "", "", 0, 0, \
    "whose cores these are; without one, of threads without a tenant") \
KEY(KEY_CORE_LEVELS, "chip.cores[].levels", CFG_LIST, "", "", 0, 0, \
    "frequency levels of these cores, slowest first: a governor or the policy chooses among them") \
KEY(KEY_CORE_LEVEL, "chip.cores[].levels[]", CFG_GROUP, "", "", 0, 0, "one level") \
KEY(KEY_CORE_LEVEL_MHZ, "chip.cores[].levels[].mhz", CFG_INT, "MHz", "", MIN_LEVEL_MHZ, MAX_LEVEL_MHZ, \
    "its frequency, by which chip.costs finds what the core draws; required") \
KEY(KEY_CORE_LEVEL_SPEEDUP, "chip.cores[].levels[].speedup_pct", CFG_NUMBER | CFG_ARRAY, "%", "", MIN_SPEEDUP_PCT, MAX_SPEEDUP_PCT, \
    "speedup over the baseline core at this level: one, or 16 by state; without it the type's speed times mhz over that of the fastest level", \
    .is_speedup = true) \
KEY(KEY_CORE_TRANSITION, "chip.cores[].transition_us", CFG_NUMBER, "us", "0.0", 0, (double)(MAX_TRANSITION_NS / 1000), \
    "from the request of another level until it takes effect; the core goes on at the old one") \
KEY(KEY_CORE_FIXED_MHZ, "chip.cores[].fixed_mhz", CFG_INT, "MHz", "", MIN_LEVEL_MHZ, MAX_LEVEL_MHZ, \
    "frequency of the level at which these cores stay") \
KEY(KEY_SHARED, "chip.shared", CFG_LIST, "", "", 0, 0, \
    "groups of cores that share a cache and memory bandwidth; without it no core is in another's way") \
KEY(KEY_SHARED_GROUP, "chip.shared[]", CFG_GROUP, "", "", 0, 0, "one group") \
KEY(KEY_SHARED_CORES, "chip.shared[].cores", CFG_STRING, "\"0,1\" or \"0-3,8\"", "", 0, 0, \
    "its cores, in quotes, as in workload.traces[].affinity; required") \
KEY(KEY_SHARED_CAPACITY, "chip.shared[].l2_misses_per_s", CFG_NUMBER, "1/s", "", 1, (double)MAX_MISSES_PER_S, \
    "L2 misses per s that it serves (bytes per s over 64 for lines of that length); above that, progress in states that stress the L2 slows by this over what its threads ask for; required") \
KEY(KEY_COSTS, "chip.costs", CFG_STRING, "", "", 0, 0, \
    "table of what cores cost, a file or the name of a shipped one (cores, sm8150): energy is reported where it has the figures") \
KEY(KEY_TYPES, "core_types", CFG_LIST, "", "", 0, 0, \
    "core types of your own, such as measured ones, which chip.cores take by name") \
KEY(KEY_TYPE, "core_types[]", CFG_GROUP, "", "", 0, 0, "one core type") \
KEY(KEY_TYPE_NAME, "core_types[].name", CFG_STRING, "", "", 0, 0, "its name, for chip.cores[].type; required") \
KEY(KEY_TYPE_TYPE, "core_types[].type", CFG_STRING, "", "", 0, 0, "as in chip.cores, without names of core_types; required") \
KEY(KEY_TYPE_SPEEDUP, "core_types[].speedup_pct", CFG_NUMBER | CFG_ARRAY, "%", "", MIN_SPEEDUP_PCT, MAX_SPEEDUP_PCT, \
    "as in chip.cores; below 3 without a warning, since measured speedups can be small", .is_speedup = true) \
KEY(KEY_TYPE_FIGURE, "core_types[].figure", CFG_STRING, "", "targeted", 0, 0, "as in chip.cores") \
KEY(KEY_TYPE_SCARCE, "core_types[].scarce", CFG_ARRAY, "", "", 0, 0, "as in chip.cores") \
KEY(KEY_TYPE_SCARCE_STATE, "core_types[].scarce[]", CFG_STRING, "", "", 0, 0, "a state (sahm help states)") \
KEY(KEY_TYPE_LEVELS, "core_types[].levels", CFG_LIST, "", "", 0, 0, "as in chip.cores") \
KEY(KEY_TYPE_LEVEL, "core_types[].levels[]", CFG_GROUP, "", "", 0, 0, "one level") \
KEY(KEY_TYPE_LEVEL_MHZ, "core_types[].levels[].mhz", CFG_INT, "MHz", "", MIN_LEVEL_MHZ, MAX_LEVEL_MHZ, "as in chip.cores; required") \
KEY(KEY_TYPE_LEVEL_SPEEDUP, "core_types[].levels[].speedup_pct", CFG_NUMBER | CFG_ARRAY, "%", "", MIN_SPEEDUP_PCT, MAX_SPEEDUP_PCT, \
    "as in chip.cores", .is_speedup = true) \
KEY(KEY_TYPE_TRANSITION, "core_types[].transition_us", CFG_NUMBER, "us", "0.0", 0, (double)(MAX_TRANSITION_NS / 1000), "as in chip.cores") \
KEY(KEY_MIGRATION, "migration", CFG_GROUP, "", "", 0, 0, "what a migration to another core costs") \
KEY(KEY_MIGRATION_PROFILE, "migration.profile", CFG_STRING, "", "none", 0, 0, \
    "values that take the place of the defaults of cost_ms, levels[].cost_ms and warmup_ms: kernel (microseconds, as under Linux, from published measurements) or none; without levels all cores share a cache") \
KEY(KEY_MIGRATION_COST, "migration.cost_ms", CFG_NUMBER, "ms", "1.0", 0, 1e6, \
    "time owed by each thread that migrates, paid at the start of its next executions", .usual_max = 100) \
KEY(KEY_LEVELS, "migration.levels", CFG_LIST, "", "", 0, 0, \
    "costs by distance, smallest blocks first: a migration within a block of the first level that holds both cores costs what that level says, any other cost_ms") \
KEY(KEY_LEVEL, "migration.levels[]", CFG_GROUP, "", "", 0, 0, "one level: the chip in blocks of consecutive cores") \
KEY(KEY_LEVEL_CORES, "migration.levels[].cores", CFG_INT, "cores", "", 2, MAX_CORES, \
    "cores of a block, a multiple of those of the level before; required") \
KEY(KEY_LEVEL_COST, "migration.levels[].cost_ms", CFG_NUMBER, "ms", "", 0, 1e6, "cost of a migration within a block; required without a profile", \
    .usual_max = 100) \
KEY(KEY_MATRIX, "migration.matrix_ms", CFG_LIST, "", "", 0, 0, \
    "cost of each migration instead of cost_ms and levels: a row per core that is left, with a number per core that is entered") \
KEY(KEY_MATRIX_ROW, "migration.matrix_ms[]", CFG_NUMBER | CFG_ARRAY, "ms", "", 0, 1e6, \
    "costs from one core to each, in index order; that to itself is ignored") \
KEY(KEY_WARMUP, "migration.warmup_ms", CFG_NUMBER, "ms", "0.0", 0, (double)(MAX_WARMUP_NS / NS_PER_MS), \
    "warm-up: over this many ms of progress on a new core the speedup there rises from nothing to its full value", \
    .usual_max = 1000) \
KEY(KEY_MIGRATION_ENERGY, "migration.energy_uj", CFG_NUMBER, "uJ", "0.0", 0, 1e12, \
    "energy of each migration of a thread, besides that of the cores; counts where chip.costs gives theirs") \
KEY(KEY_WORKLOAD, "workload", CFG_GROUP, "", "", 0, 0, "the threads") \
KEY(KEY_TRACES, "workload.traces", CFG_LIST | CFG_ARRAY, "", "", 0, 0, "traces in thread order: file names or groups; required without rtapp") \
KEY(KEY_TRACE, "workload.traces[]", CFG_GROUP | CFG_STRING, "", "", 0, 0, "one trace, by its file name or as a group") \
KEY(KEY_TRACE_FILE, "workload.traces[].file", CFG_STRING, "", "", 0, 0, \
    "trace file, CSV or binary, relative to the configuration file, then to the data folder and its workloads/suites/small; required in a group") \
KEY(KEY_TRACE_OFFSET, "workload.traces[].offset_ms", CFG_NUMBER | CFG_ARRAY, "ms", "0.0", 0, MAX_TIME_MS, \
    "where in the trace the thread begins; several values make as many threads") \
KEY(KEY_TRACE_ARRIVE, "workload.traces[].arrive_ms", CFG_NUMBER | CFG_ARRAY, "ms", "0.0", 0, MAX_TIME_MS, \
    "when the thread arrives, if not in mode alone; several values are one for each of as many offsets or, where offset_ms is no array, make as many threads") \
KEY(KEY_TRACE_REPEAT, "workload.traces[].repeat", CFG_BOOL, "", "true", 0, 0, \
    "true: the trace repeats when it ends; false: the thread leaves then") \
KEY(KEY_TRACE_TENANT, "workload.traces[].tenant", CFG_STRING, "", "", 0, 0, \
    "whose thread it is: it runs on this tenant's cores only, or, where workload.tenants lists the tenant and it owns none, on those without one; without a tenant, on those, too") \
KEY(KEY_TRACE_AFFINITY, "workload.traces[].affinity", CFG_STRING, "\"0,1\" or \"0-3,8\"", "", 0, 0, \
    "the cores on which the thread may run, of those of its tenant, in quotes, as taskset(1) takes them: \"0-3,8,10-14\" or \"0-30:2\"; without it, all") \
KEY(KEY_TRACE_WEIGHT, "workload.traces[].weight", CFG_INT, "", "100", 1, MAX_WEIGHT, \
    "share of a core that the thread is due, relative to others, as in sched_ext and cpu.weight; honoured by policies that ask for it, such as fair") \
KEY(KEY_TRACE_NICE, "workload.traces[].nice", CFG_INT, "", "", -20, 19, \
    "the weight as a nice value, by the kernel's table: 0 is a weight of 100, and each step up has four fifths of it") \
KEY(KEY_BURSTS, "workload.traces[].bursts", CFG_GROUP, "", "", 0, 0, \
    "when the thread sleeps: times drawn from distributions, or a list; without it, it never does") \
KEY(KEY_BURST_RUN, "workload.traces[].bursts.run", CFG_STRING, "", "exponential", 0, 0, \
    "how the time that it runs, baseline time between two sleeps, is distributed: fixed, uniform, exponential or pareto (bounded)") \
KEY(KEY_BURST_RUN_MEAN, "workload.traces[].bursts.run_ms", CFG_NUMBER, "ms", "", MIN_BURST_RUN_MS, MAX_BURST_MS, \
    "run time if fixed, its mean if exponential; required then") \
KEY(KEY_BURST_RUN_MIN, "workload.traces[].bursts.run_min_ms", CFG_NUMBER, "ms", "", MIN_BURST_RUN_MS, MAX_BURST_MS, \
    "shortest run time if uniform or pareto; required then") \
KEY(KEY_BURST_RUN_MAX, "workload.traces[].bursts.run_max_ms", CFG_NUMBER, "ms", "", MIN_BURST_RUN_MS, MAX_BURST_MS, \
    "longest run time if uniform or pareto; required then") \
KEY(KEY_BURST_RUN_ALPHA, "workload.traces[].bursts.run_alpha", CFG_NUMBER, "", "1.5", MIN_BURST_ALPHA, MAX_BURST_ALPHA, \
    "shape of run times if pareto, to three decimals: the smaller, the heavier the tail") \
KEY(KEY_BURST_SLEEP, "workload.traces[].bursts.sleep", CFG_STRING, "", "exponential", 0, 0, \
    "how the time that it sleeps is distributed, likewise; after a sleep of 0 it goes on at once, which is a yield") \
KEY(KEY_BURST_SLEEP_MEAN, "workload.traces[].bursts.sleep_ms", CFG_NUMBER, "ms", "", 0, MAX_BURST_MS, \
    "sleep time if fixed, its mean if exponential; required then") \
KEY(KEY_BURST_SLEEP_MIN, "workload.traces[].bursts.sleep_min_ms", CFG_NUMBER, "ms", "", 0, MAX_BURST_MS, \
    "shortest sleep time if uniform or pareto; required then, above 0 if pareto") \
KEY(KEY_BURST_SLEEP_MAX, "workload.traces[].bursts.sleep_max_ms", CFG_NUMBER, "ms", "", 0, MAX_BURST_MS, \
    "longest sleep time if uniform or pareto; required then") \
KEY(KEY_BURST_SLEEP_ALPHA, "workload.traces[].bursts.sleep_alpha", CFG_NUMBER, "", "1.5", MIN_BURST_ALPHA, MAX_BURST_ALPHA, \
    "shape of sleep times if pareto, to three decimals") \
KEY(KEY_BURST_FILE, "workload.traces[].bursts.file", CFG_STRING, "", "", 0, 0, \
    "a list of bursts instead, as sahm trace bursts makes them from a recording, found as traces are; it repeats at its end") \
KEY(KEY_BURST_FIRST, "workload.traces[].bursts.first", CFG_INT | CFG_ARRAY, "bursts", "", 0, MAX_BURST_INDEX, \
    "index in the list with which a thread begins, counted from 0; several are one for each thread; without it, the threads of a group are spread evenly over the list") \
KEY(KEY_TENANTS, "workload.tenants", CFG_LIST, "", "", 0, 0, \
    "tenants that have a weight, or share the cores without a tenant; policies that ask see each as a cgroup") \
KEY(KEY_TENANT, "workload.tenants[]", CFG_GROUP, "", "", 0, 0, "one tenant") \
KEY(KEY_TENANT_NAME, "workload.tenants[].name", CFG_STRING, "", "", 0, 0, "its name, for workload.traces[].tenant; required") \
KEY(KEY_TENANT_WEIGHT, "workload.tenants[].weight", CFG_INT, "", "100", 1, MAX_WEIGHT, \
    "share of the cores that its threads are due together, relative to other tenants, as cpu.weight of a cgroup; built-in policies ignore it") \
KEY(KEY_RTAPP, "workload.rtapp", CFG_STRING, "", "", 0, 0, \
    "a workload of rt-app (JSON), found as traces are, in place of traces: its tasks are the threads, and its duration holds where duration_ms is 0") \
KEY(KEY_RTAPP_TRACE, "workload.rtapp_trace", CFG_STRING, "", "synthetic/busy-loop", 0, 0, \
    "the trace along which the tasks of rtapp compute, found as traces are; the default is a synthetic one that stresses nothing, as rt-app does") \
KEY(KEY_CHANGES, "workload.changes", CFG_LIST, "", "", 0, 0, \
    "what changes of threads and tenants while time runs, as by nice(1), taskset(1) and cgclassify(1) from outside") \
KEY(KEY_CHANGE, "workload.changes[]", CFG_GROUP, "", "", 0, 0, "one change") \
KEY(KEY_CHANGE_AT, "workload.changes[].at_ms", CFG_NUMBER, "ms", "", 0, MAX_TIME_MS, "when; required") \
KEY(KEY_CHANGE_THREAD, "workload.changes[].thread", CFG_INT, "", "", 0, MAX_THREADS - 1, \
    "whose: index of the thread, from 0, in the order of the results; required unless it is the tenant's weight that changes") \
KEY(KEY_CHANGE_TENANT, "workload.changes[].tenant", CFG_STRING, "", "", 0, 0, \
    "with thread: to which tenant it moves, and so to which cores, within its affinity, unless the policy refuses; without thread: whose weight changes") \
KEY(KEY_CHANGE_WEIGHT, "workload.changes[].weight", CFG_INT, "", "", 1, MAX_WEIGHT, \
    "from then on the weight of the thread or, without thread, of the tenant") \
KEY(KEY_CHANGE_NICE, "workload.changes[].nice", CFG_INT, "", "", -20, 19, "the same as a nice value") \
KEY(KEY_CHANGE_AFFINITY, "workload.changes[].affinity", CFG_STRING, "\"0,1\" or \"0-3,8\"", "", 0, 0, \
    "the cores on which it may run from then on, of those of its tenant") \
KEY(KEY_WORKLOAD_MODE, "workload.mode", CFG_STRING, "", "together", 0, 0, \
    "together (all threads share the chip) or alone (each has it to itself, one run a thread)") \
KEY(KEY_DURATION, "workload.duration_ms", CFG_NUMBER, "ms", "0.0", 0, MAX_TIME_MS, \
    "simulated time, rounded up to whole timesteps; 0 is as long as the longest trace, counted from its thread's arrival (the others repeat), or, where no thread repeats, until the last has left (given up after " TEXT_OF(GIVE_UP_FACTOR) " times what the traces and the latest arrival add up to); in mode alone, each run separately", \
    .usual_min = 100, .usual_max = 1e7) \
KEY(KEY_SAMPLES, "workload.samples", CFG_INT, "", "1", 1, MAX_SAMPLES, \
    "how many simulations; in each but the first, threads that repeat their traces begin at other offsets, drawn from the seed, those that do not keep theirs, and bursts are others, too") \
KEY(KEY_SEED, "workload.seed", CFG_INT, "", "1", 0, MAX_SEED, \
    "of all that is drawn: offsets of samples, bursts, what a policy draws; beyond 32 bits written with a final L") \
KEY(KEY_SCHEDULER, "scheduler", CFG_GROUP, "", "", 0, 0, "the scheduler") \
KEY(KEY_POLICY, "scheduler.policy", CFG_STRING, "", "sahm", 0, 0, \
    "scheduling policy (sahm help policies), or a plug-in: the path of a shared object, relative to the configuration file (in --set, to the current folder); what has no '/' is a path if it ends in .so") \
KEY(KEY_SCX_SET, "scheduler.scx_set", CFG_STRING, "\"NAME=VALUE; NAME=VALUE\"", "", 0, 0, \
    "variables of a policy that `sahm policy build` made of a kernel scheduler: \"slice_ns=5ms; nr=3\"; an array takes values with commas") \
KEY(KEY_ORACLE, "scheduler.oracle", CFG_BOOL, "", "false", 0, 0, \
    "true: the policy sees the state in which the coming timestep begins, not the one in which the last began") \
KEY(KEY_GOVERNOR, "scheduler.governor", CFG_STRING, "", "schedutil", 0, 0, \
    "of cores with levels that the policy does not set: schedutil (1.25 times the frequency that was used in the last timestep) or performance (the fastest level)") \
KEY(KEY_INERTIA, "scheduler.inertia", CFG_INT, "scheduling passes", "5", 0, 1000000, "how long a thread that has moved stays put") \
KEY(KEY_TIMESTEP, "scheduler.timestep_ms", CFG_NUMBER, "ms", "10.0", 0.001, 1e6, "time between scheduling passes", \
    .usual_min = 0.05, .usual_max = 1000) \
KEY(KEY_CUTS, "cuts", CFG_GROUP, "", "", 0, 0, "above which values a metric is HIGH") \
KEY(KEY_CUTS_SET, "cuts.set", CFG_STRING, "", DEFAULT_CUTS, 0, 0, "named set of thresholds: p25, p50 or intuitive") \
KEY(KEY_CUT_BRANCH, "cuts.branch_pct", CFG_NUMBER, "%", "", 0, MAX_CUT, "threshold of the branch misprediction ratio instead of the set's", \
    .usual_min = 0.02) \
KEY(KEY_CUT_L1I, "cuts.l1i_mpki", CFG_NUMBER, "MPKI", "", 0, MAX_CUT, "threshold of the L1I miss rate instead of the set's") \
KEY(KEY_CUT_L1D, "cuts.l1d_pct", CFG_NUMBER, "%", "", 0, MAX_CUT, "threshold of the L1D miss ratio instead of the set's", \
    .usual_min = 0.1) \
KEY(KEY_CUT_L2, "cuts.l2_pct", CFG_NUMBER, "%", "", 0, MAX_CUT, "threshold of the L2 miss ratio instead of the set's", \
    .usual_min = 1) \
KEY(KEY_INTROSPECTION, "introspection", CFG_GROUP, "", "", 0, 0, "an IPU beside every core, whose program tells the scheduler what threads do") \
KEY(KEY_IMAGE, "introspection.image", CFG_STRING, "", "", 0, 0, \
    "its program, an ELF file, relative to the configuration file (in --set, to the current folder), then to the data folder, or the name of one that came with sahm, such as classify; required") \
KEY(KEY_ABI, "introspection.abi", CFG_STRING, "", "core", 0, 0, \
    "which signals of a core are wired to which input registers: a file, found in the same way, or a name") \
KEY(KEY_TRUST, "introspection.trust", CFG_STRING, "", "", 0, 0, \
    "the trust file that says which programs may run, found in the same way: refused is what it does not trust, before anything of it is read; without it every program may run") \
KEY(KEY_SOFT, "introspection.soft", CFG_STRING, "", "", 0, 0, \
    "soft logic beside the processor of each IPU (IPU_pro): a shared object, relative to the configuration file (in --set, to the current folder), or, without '/' and '.', the name of a shipped module; without it there is none") \
KEY(KEY_SOFT_MHZ, "introspection.soft_mhz", CFG_INT, "MHz", "1300", IPU_MIN_MHZ, IPU_MAX_MHZ, "clock of the soft logic") \
KEY(KEY_SOFT_IN_PROCESS, "introspection.soft_in_process", CFG_BOOL, "", "false", 0, 0, \
    "true: its shared object is loaded into this process, not into a sandboxed one") \
KEY(KEY_HIT_MHZ, "introspection.hit_mhz", CFG_INT, "MHz", "3000", IPU_MIN_MHZ, IPU_MAX_MHZ, "clock of the cores", .usual_min = 20) \
KEY(KEY_IPU_MHZ, "introspection.ipu_mhz", CFG_INT, "MHz", "2000", IPU_MIN_MHZ, IPU_MAX_MHZ, "clock of the IPUs") \
KEY(KEY_SAMPLING, "introspection.sampling", CFG_INT, "timesteps", "1", 1, 1000000, \
    "an IPU gets the inputs of one in this number of timesteps that its core executes") \
KEY(KEY_LATENCY, "introspection.latency_us", CFG_NUMBER, "us", "1.0", 0, 1e9, \
    "from when a packet is sent to when the scheduler has it") \
KEY(KEY_MAX_CYCLES, "introspection.max_cycles", CFG_INT, "IPU cycles", "100000000", 1, MAX_WATCHDOG_CYCLES, \
    "a routine that runs longer is a fault; beyond 32 bits written with a final L") \
KEY(KEY_VALUES, "introspection.values", CFG_LIST | CFG_ARRAY, "", "", 0, 0, "words of the program's data that are set before power-on") \
KEY(KEY_VALUE, "introspection.values[]", CFG_STRING, "\"cut_branch=5000000\"", "", 0, 0, \
    "one, in quotes: SYMBOL=VALUE or SYMBOL[INDEX]=VALUE, whole numbers, hexadecimal with 0x") \
KEY(KEY_SWEEP, "sweep", CFG_GROUP, "", "", 0, 0, \
    "what `sahm sweep` varies: sahm help sweeps lists its keys; it has no effect on a single run")
