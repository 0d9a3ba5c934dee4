/* The metrics of a whole run: RUN_METRIC(member of struct run_metrics and of the JSON object, form, words for people).
 * They are made of counts; of several samples, of each one's, and the run has their means. Shares and speedups are
 * fractions (0.18 is 18 %), those of mode `alone` of sums. NP is a thread's normalised progress: baseline time completed
 * / time present and not asleep, its progress relative to a whole baseline core; its speedup is NP
 * - 1. Threads that were never present have no part in anything here. In continuous time an executed timestep is a
 * timestep's worth of executed time. Sources: first-order model of the dissertation, sections 4.5 and 4.6; STP and
 * ANTT: Eyerman and Eeckhout, System-Level Performance Metrics for Multiprogram Workloads, IEEE Micro 28(3), 2008;
 * fairness: Jain, Chiu and Hawe, DEC-TR-301, 1984; unfairness: Mutlu and Moscibroda, Stall-Time Fair Memory Access
 * Scheduling for Chip Multiprocessors, MICRO 2007, whose slow-downs are those of a thread's memory accesses.
 *
 * To add a metric: a row here, its value in run_metrics.c (of NP: compare_progress()). JSON, intervals, the CSV rows of
 * samples and stores follow: raise STORE_VERSION (store_schema.h). Columns of `run --csv` are header[] in
 * run_report_data.c, the summary is in run_report.c. Explain it in help.c and sahm.1.in; `golden.sh --update`. */

/* Means of the threads' NP, less 1. */
RUN_METRIC(speedup_mean, SPEEDUP, "speedup, arithmetic mean")
RUN_METRIC(speedup_harmonic, SPEEDUP, "speedup, harmonic mean")
RUN_METRIC(speedup_geometric, SPEEDUP, "speedup, geometric mean")
/* Baseline time completed by all threads / sum over timesteps of min(threads present, cores) x timestep, less 1. */
RUN_METRIC(speedup_system, SPEEDUP, "speedup of the system")
/* Baseline time completed by all threads / simulated time: how many baseline cores would have done the same. It is
 * Eyerman and Eeckhout's sum of NP where all threads are there throughout, which theirs are; unlike that sum it does
 * not add up threads that were never there together. In mode `alone` one thread at a time is there. */
RUN_METRIC(stp, NUMBER, "throughput, STP")
/* Arithmetic mean of 1 / NP; infinite when a thread got nothing done. */
RUN_METRIC(antt, NUMBER, "turnaround, ANTT")
/* (Sum of NP)^2 / (threads x sum of NP^2): 1 when all are alike, 1 / threads when one has everything. */
RUN_METRIC(jain, NUMBER, "fairness, Jain")
/* The same of NP / weight, with the weights with which threads arrive: 1 when all progress as their weights say. */
RUN_METRIC(jain_weighted, NUMBER, "fairness by weight, Jain")
/* The largest of the slow-downs 1 / NP, and the largest over the smallest; infinite when a thread got nothing done. */
RUN_METRIC(slowdown_max, NUMBER, "slow-down, maximum")
RUN_METRIC(unfairness, NUMBER, "unfairness")
/* Of executed timesteps. */
RUN_METRIC(served_share, SHARE, "served")
RUN_METRIC(matched_share, SHARE, "matched")
/* Executed timesteps / timesteps in which a thread was present and awake, here and in the speedup of the system. */
RUN_METRIC(running_share, SHARE, "running")
/* Of executed timesteps: those that began in another state than the thread's last one. */
RUN_METRIC(transition_share, SHARE, "at state transitions")
/* Moves of all threads, and decisions (a swap counting one), per simulated second. */
RUN_METRIC(migrations_per_s, RATE, "migrations per second")
RUN_METRIC(decisions_per_s, RATE, "decisions per second")
/* Executed timesteps whose core does not match their state x timestep. Ns, and so is what follows; a double, since the
 * time of all threads can exceed 64 bits. */
RUN_METRIC(mismatched_ns, TIME, "mismatched")
/* Migration debt paid, and its share of executed time. */
RUN_METRIC(paid_ns, TIME, "migration cost paid")
RUN_METRIC(paid_share, SHARE, "... of executed time")
/* Energy, only where the configuration names a table of costs that has all figures: that of the chip, in J; J per 10^9
 * instructions completed; mean power, W; and with work W, the baseline time completed by all threads, and time T of the
 * simulations: energy / W x T / W, and that x T / W again: what a unit of work costs times how long it takes (1 / STP),
 * so that runs of different lengths compare. EDP: Gonzalez and Horowitz, Energy Dissipation in General Purpose
 * Microprocessors, IEEE JSSC 31(9), 1996. */
RUN_METRIC(energy_j, ENERGY, "energy, J")
RUN_METRIC(instruction_nj, ENERGY, "energy per instruction, nJ")
RUN_METRIC(power_w, ENERGY, "mean power, W")
RUN_METRIC(edp, ENERGY, "energy-delay product")
RUN_METRIC(ed2p, ENERGY, "energy-delay-squared product")
/* Waits, only in continuous time: from waking to running, and from each time that a thread became ready to running.
 * Percentiles by nearest rank of all waits of the run, as sim/base/time_histogram.h has them; those of samples are
 * pooled, too. Nothing where nobody waited. Ns. */
RUN_METRIC(latency_p50_ns, WAIT, "wake-up latency, p50")
RUN_METRIC(latency_p95_ns, WAIT, "wake-up latency, p95")
RUN_METRIC(latency_p99_ns, WAIT, "wake-up latency, p99")
RUN_METRIC(wait_p50_ns, WAIT, "run-queue wait, p50")
RUN_METRIC(wait_p95_ns, WAIT, "run-queue wait, p95")
RUN_METRIC(wait_p99_ns, WAIT, "run-queue wait, p99")
