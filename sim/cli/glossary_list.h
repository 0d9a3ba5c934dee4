/* The terms that this program uses: GLOSSARY(term, meaning). Commas separate several terms with the same meaning.
 * `sahm help TERM` finds a row, `sahm help glossary` lists them all, in alphabetical order. */
GLOSSARY("area", "of a core or chip, in mm2; `configs/costs/cores.cfg` has the shipped values")
GLOSSARY("assumed time base, time base", "epochs that were not recorded as stretches of time (but as a number of instructions, "
			      "say) are replayed as if each had lasted the trace's epoch length; results are then "
			      "marked `assumed time base`")
GLOSSARY("axis", "one thing that a sweep varies: a key with its values, or a generator of chips")
GLOSSARY("baseline core",
	 "the reference core: speedups are relative to it, and the machine that a trace was recorded on stands for it")
GLOSSARY("batch", "a workload whose threads do not repeat their traces: the run ends when the last one has left")
GLOSSARY("burst", "a stretch in which a thread runs between two sleeps")
GLOSSARY("comparison", "several policies on several configurations, ranked by `sahm compare`")
GLOSSARY("component",
	 "one of branch (predictor), L1I, L1D and L2: what a core is specialised for, and what an epoch stresses")
GLOSSARY(
	"continuous time",
	"runs whose threads sleep, or whose policy has runqueues of its own: events happen at any ns, not at timesteps only")
GLOSSARY("debt", "migration cost that a thread has not paid yet")
GLOSSARY("DSQ, dispatch queue", "a queue of runnable threads, as in the kernel's sched_ext")
GLOSSARY("epoch", "one row of a trace: the counts of 100 ms of a program, unless the trace says another length")
GLOSSARY("HIGH, LOW", "a metric is HIGH if it is above its threshold, else LOW")
GLOSSARY("HIT", "the unit that gathers signals of the core and passes them to the IPU when its trigger fires")
GLOSSARY("inertia", "the number of scheduling passes for which a thread that has migrated stays on its core")
GLOSSARY("interval", "a run of consecutive epochs in one state")
GLOSSARY("IPU", "introspection processing unit: a small RISC-V processor beside a core that reads its signals")
GLOSSARY(
	"manifest",
	"a file beside a sweep's results that names its inputs by their hashes; `sahm rerun` repeats the sweep from it")
GLOSSARY("matched", "a timestep that is served, or one in state Low on a baseline core")
GLOSSARY("migration", "a thread changes its core; a swap is two migrations")
GLOSSARY("modelled", "counts that a model of caches and predictors gave (QEMU, callgrind), as opposed to measured ones")
GLOSSARY("MPKI", "misses per 1,000 instructions")
GLOSSARY("NP, normalised progress", "baseline time that a thread completed over the time that it was present and awake")
GLOSSARY("oracle", "a policy sees the state that the next timestep begins in, rather than the last one")
GLOSSARY("paper, the", "the dissertation that the model and its figures come from (Wadle 2026)")
GLOSSARY("plug-in", "a scheduling policy as a shared object; `sahm policy new` begins one")
GLOSSARY("point", "one configuration of a sweep: one value of each axis")
GLOSSARY("residency", "the share of time that a program spends in a state")
GLOSSARY("results database, results file", "the SQLite file in which a sweep keeps what its points gave")
GLOSSARY("runqueue", "the threads that are ready to run on a core")
GLOSSARY("sample", "one of several simulations of a configuration (workload.samples), whose threads begin at other "
		   "places in their traces")
GLOSSARY("served", "a timestep whose core is specialised for a component that the thread stresses")
GLOSSARY("slowdown, slow-down", "how many times as long a thread takes as on a baseline core that it does not share: "
				"1/NP; its mean over threads is ANTT")
GLOSSARY("speedup", "progress compared with a baseline core, less 1: +30 % is 1.3 times as fast")
GLOSSARY("stall", "a cycle in which a model of a core dispatches nothing, counted by its reason")
GLOSSARY("state", "one of 16: which of the four components an epoch stresses (`sahm help states`)")
GLOSSARY("STP", "system throughput: the number of baseline cores that would do the same work")
GLOSSARY("stream", "the instructions that a program executed, one by one; a trace has only counts")
GLOSSARY("study", "an experiment that one command repeats, such as `sahm ipu study`")
GLOSSARY("suite", "a set of traces that belong together; `sahm trace list` shows those that are shipped")
GLOSSARY("swap", "two threads change places: two migrations, one decision")
GLOSSARY("sweep", "one run for each point of a space of configurations (`sahm sweep`)")
GLOSSARY("synthetic", "generated from a profile, not recorded from a program")
GLOSSARY("tenant", "the owner of cores and threads: threads run only on cores of their own tenant")
GLOSSARY("threshold", "the value above which a metric is HIGH (`--cuts`, section `cuts` of a configuration)")
GLOSSARY("timestep", "the time between two scheduling passes, 10 ms by default (scheduler.timestep_ms)")
GLOSSARY("trace", "the epochs of one program: a row of counts for each")
GLOSSARY("uop", "micro-operation: the part of an instruction that a model of a core times")
GLOSSARY("upper bound", "the speedup of a thread that is always on the best core for its state and pays nothing for "
			"migrations (`sahm limit`)")
GLOSSARY("weight", "a thread's share of a core, relative to other threads; 100 unless given")
GLOSSARY("word", "a packet of 4 bytes by which an IPU reports the state of a thread to the scheduler")
