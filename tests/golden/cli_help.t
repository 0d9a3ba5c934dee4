## Pages of help: of a command, of a group of commands, of topics.
$ sahm run --help
usage: sahm run [OPTION]... CONFIG | TRACE...

Reads the configuration CONFIG (-: standard input; or the name of a shipped one,
such as open-39), replays its traces on its chip under its scheduling policy,
and prints speedups, shares and migrations. `sahm help config` lists the keys of
a configuration.

Traces run without a configuration: all at the same time, on the chip and under
the scheduler of the shipped canonical.cfg unless options say otherwise. A TRACE
is a file, a folder, or the name of a suite (open, small) or of a shipped trace
(gzip, or open/xz, since small has an xz, too). Folders and suites stand for all
their traces. `sahm trace list` shows the shipped ones. --print-config prints
the resulting configuration.

options:
  -s, --set KEY.PATH=VALUE    change the configuration; can be repeated
                              (chip.cores[1].count=4)
  -p, --policy NAME|FILE      the scheduling policy (sahm policy list), or a
                              plug-in: like --set scheduler.policy=
      --scx-set NAME=VALUE    set a variable of a policy that `sahm policy
                              build` made; can be repeated: like --set
                              scheduler.scx_set=
      --chip LIST             the chip, instead of the configuration's: core
                              types, with numbers of cores and speedups in %:
                              2*baseline,l2:30,branch+l1i:30/20
      --json                  print one JSON object
      --csv                   print CSV: a row per thread, then mean and system
  -o, --output FILE           write the result to FILE instead of standard
                              output
      --force                 replace an output file that exists already
      --details               also print one row per core and per state, which
                              --json always has
      --print-config          print the resolved configuration, with all
                              defaults, and do not run it
      --engine NAME           event (the default) or plain, which executes every
                              timestep; the results are the same. Where threads
                              sleep, cores share or levels change, a third one
                              runs instead
      --timeline FILE         also write a timeline to FILE: .json for Perfetto,
                              .txt, .trace or .ftrace as text like ftrace's;
                              with .zst added, compressed
      --timeline-form NAME    chrome or ftrace, for any name of the timeline's
                              file
      --trace-policy          also print each operation of the policy, and each
                              of its calls, to standard error
      --stall-timeout SECONDS
                              end the run if the policy makes no progress in
                              simulated time for this long (60)
      --ipu-engine NAME       what executes RV32 programs; interp: interpreter,
                              on any host; jit: translated to host code at run
                              time, interpreted where that fails (the default);
                              the results are the same
  -h, --help                  print this
$ sahm help quickstart | head -n 3
Which traces are there, and in which states do the programs live?
  sahm trace list
  sahm characterize open
$ sahm help run | head -n 1
usage: sahm run [OPTION]... CONFIG | TRACE...
$ sahm help trace
usage: sahm trace list [OPTION]... [SUITE...]

A SUITE is the name of a shipped suite, a file with a list of traces, or a
folder of traces. Without one, all shipped traces are listed by name. Every
trace is read completely, and its checksums are verified.

Lengths are times on the baseline core. `sahm help results` explains `synthetic`
and `assumed time base`.

options:
  -d, --details               also show each trace's file, whole program, tool,
                              machine, what an epoch is, and content hash
      --json                  print one JSON object, with all of that
      --csv                   print CSV, with all of that: a row per trace
  -h, --help                  print this

usage: sahm trace info [OPTION]... TRACE...

show what traces are and where they come from, and verify their checksums

options:
      --json                  print one JSON array
  -h, --help                  print this

usage: sahm trace record [OPTION]... [--] COMMAND [ARG]...

Counts with the processor's counters (`sahm trace events` lists them), including
the command's children, without the kernel's share. Each interval becomes an
epoch; an incomplete last interval is dropped. If there are no counters, as in
most virtual machines, --via qemu runs the command in an emulator.

The command keeps its standard input, output and error; sahm prints to standard
error. Ctrl-C ends the command, and its trace is kept; a second Ctrl-C kills it.
The exit code is 0 if a trace was written; a warning reports how the command
ended.

options:
  -I, --interval-ms MS        read the counters this often; each interval is an
                              epoch (100)
  -o, --output FILE           write the trace to FILE instead of NAME.trc
                              (NAME-2.trc if that exists); .csv means CSV, .zst
                              compression
      --force                 replace an output file that exists already
  -n, --epochs N              end the command after N epochs
      --name NAME             name of the program in results (the name of
                              COMMAND, or of the script that it interprets)
  -p, --provenance KEY=VALUE  say where the trace comes from, as of sahm trace
                              import; can be repeated
      --keep-idle             make epochs of intervals in which nothing
                              happened, too
  -a, --assume COUNTER=N      use N in every epoch for a counter without an
                              event; can be repeated
      --via HOW               perf (hardware counters, the default) or qemu (an
                              emulator that models caches and predictor; needs
                              no counters)
      --cpu CPU               with qemu: the modelled processor, one of
                              configs/cpus or a file with the same keys
                              (golden-cove)
      --predictor NAME        with qemu: cpu (the processor's own) or callgrind
                              (callgrind's, to compare with imported counts)
      --epoch-instructions N  with qemu: instructions per epoch (10000000)
      --threads WHICH         with qemu: all (one trace per thread, the
                              default), main (only the first one), or sum (all
                              in one trace)
      --instructions FILE     with qemu: also write the stream of instructions
                              to FILE
      --every-epochs K        with --instructions: take only one epoch of K into
                              the stream (all)
      --warm N                with --every-epochs: instructions before each
                              epoch that only warm caches, TLBs and predictors
                              (half an epoch)
      --seed N                with --every-epochs: chooses which epoch of each K
                              (1)
  -h, --help                  print this

usage: sahm trace events [OPTION]...

sahm trace record counts these events. Each one is opened to see whether the
kernel allows it. If the machine has no counters, as most virtual machines, sahm
trace record --via qemu works without them.

options:
      --pmu NAME              show the events of NAME instead of those of this
                              machine
  -l, --list                  list the known PMUs
      --root DIR              read DIR/proc and DIR/sys, copied from another
                              machine, instead of this one's; nothing is opened
      --json                  print one JSON object
  -h, --help                  print this

usage: sahm trace import [OPTION]... FILE...

Reads perf stat in all its forms, with -I or without, perf script, the parts of
callgrind (all files of one process), likwid-perfctr, pcm -csv, pcm-core -csv,
toplev -x, EMON's output, statistics of gem5, ChampSim and Sniper, any table
with a header row, and traces as `sahm trace export` writes them, each
compressed by zstd or not (FILE -: standard input). The form is recognised from
the content. `sahm help import` lists formats, events, expressions and the
treatment of incomplete rows.

options:
  -o, --output FILE           write the trace to FILE (NAME.trc in the current
                              folder, or NAME-2.trc if that exists); .csv and
                              .csv.zst mean CSV, .zst compression; with --each,
                              FILE is a folder
      --force                 replace an output file that exists already
  -f, --format FORMAT         the form of FILE, if it is recognised wrongly
                              (sahm help import lists the forms)
  -m, --map COUNTER=EXPRESSION
                              make a counter from events or columns: sums,
                              differences, multiples; can be repeated
  -a, --assume COUNTER=N      use N in every epoch for a counter without an
                              event; can be repeated
  -j, --join                  FILEs are runs of one program with different
                              events: join them by cumulative instructions
      --rotate                intervals, recordings or FILEs counted different
                              events in turn: join those from one complete set
                              to the next into an epoch, scaled by instructions
  -e, --epoch-ms MS           length of an epoch, in ms of baseline time (the
                              usual interval of FILE, or 100)
  -t, --by-time               cut intervals to epochs of exactly --epoch-ms by
                              their times, instead of one epoch per interval
      --each                  make a trace for each CPU, thread or cgroup
                              instead of one of their sum
      --only NAME             take only this CPU, thread or cgroup (CPU0,
                              comm-1234, ...)
      --group COLUMN          the column of a table that names CPU, thread or
                              cgroup
      --pmu NAME              if events name a PMU, take only those of NAME
                              (cpu_core, ...)
      --recording N           take the Nth recording of a file that perf stat
                              --append wrote
      --cumulative            counts are running totals, not counts of one
                              interval
      --differences           statistics of gem5 were reset at each dump,
                              whatever they say of it
  -x, --separator SEP         the character between fields, if it is not
                              recognised
      --keep-idle             make epochs of rows in which nothing happened, too
      --no-cycles             leave out cycles even if they are known
  -p, --provenance KEY=VALUE  say where the trace comes from; can be repeated
                              (name, source, program, tool, machine, date,
                              epoch, licence, note, event.COUNTER,
                              origin.COUNTER)
  -h, --help                  print this

usage: sahm trace export [OPTION]... TRACE

write a trace as CSV, with its origin

options:
  -o, --output FILE           write to FILE instead of standard output; with
                              .zst, compressed, and then binary unless it ends
                              in .csv.zst
      --force                 replace an output file that exists already
  -h, --help                  print this

usage: sahm trace synth [OPTION]... PROFILE

A profile is a table with one row per benchmark: how long it spends in each
state, the lengths of the intervals, and typical values of the metrics. `sahm
help synth` explains the columns. The same profile and seed give the same bytes
on any machine.

Traces are called NAME-synthetic, and everything that is made from them is
marked as synthetic.

--verify generates all traces in memory, writes none, and prints the paper's
values beside those of the traces. Without PROFILE it takes the one of the
shipped suite, for which all claims hold. They need not hold for other profiles.

options:
  -o, --output DIR            write the traces into the folder DIR (created if
                              missing), one file each
      --force                 replace an output file that exists already
  -f, --form FORM             form of the files: csv, csv.zst (compressed, the
                              default), trc or trc.zst
      --only NAME             make only the trace of this benchmark; can be
                              repeated
  -s, --seed N                the seed, instead of the profile's
      --verify                compare the traces with the paper's claims; fail
                              if one does not hold
      --seeds N               with --verify: try N seeds from the first on, each
                              within twice the tolerances
      --csv                   with --verify: print CSV
  -h, --help                  print this

usage: sahm trace resample [OPTION]... TRACE

Spreads the counts of each epoch of TRACE evenly over its time or, with
--epoch-instructions, over its instructions. Every counter keeps its total. The
last epoch holds the rest and may be shorter.

With --epoch-instructions, the time base is assumed: an epoch counts as the
trace's time divided by the number of epochs, unless --epoch-ms says otherwise.
An epoch of TRACE without instructions adds its counts to the new epoch in which
it falls.

options:
  -o, --output FILE           write to FILE (- is standard output), as CSV if it
                              ends in .csv or .csv.zst, else in binary form;
                              compressed by zstd if it ends in .zst (default:
                              NAME-resample.trc in the current folder, NAME.trc
                              with --name; followed by -2, -3 ... if it exists)
  -n, --name NAME             call the result NAME (default: as TRACE is called)
      --force                 replace an output file that exists already
  -e, --epoch-ms MS           new length of an epoch, in ms of baseline time
  -i, --epoch-instructions N  make epochs of N instructions; --epoch-ms then
                              gives their assumed length
  -h, --help                  print this

usage: sahm trace slice [OPTION]... TRACE

Takes whole epochs: from epoch I to before epoch J, or those that begin between
two times. Without a bound, it starts at the beginning or ends at the end of
TRACE.

options:
  -o, --output FILE           write to FILE (- is standard output), as CSV if it
                              ends in .csv or .csv.zst, else in binary form;
                              compressed by zstd if it ends in .zst (default:
                              NAME-slice.trc in the current folder, NAME.trc
                              with --name; followed by -2, -3 ... if it exists)
  -n, --name NAME             call the result NAME (default: as TRACE is called)
      --force                 replace an output file that exists already
      --from-ms MS            take epochs that begin at MS or later (default: 0)
      --to-ms MS              take epochs that begin before MS (default: the
                              end)
      --from-epoch I          take epoch I and later ones; the first is 0
      --to-epoch J            take epochs before epoch J
  -h, --help                  print this

usage: sahm trace concat [OPTION]... TRACE TRACE...

All epochs must have the same length (sahm trace resample). The result has
cycles if all traces have them, and the parts of their origin in which they
agree. It is synthetic, or has an assumed time base, if any of them does.

options:
  -o, --output FILE           write to FILE (- is standard output), as CSV if it
                              ends in .csv or .csv.zst, else in binary form;
                              compressed by zstd if it ends in .zst (default:
                              NAME-concat.trc in the current folder, NAME.trc
                              with --name; followed by -2, -3 ... if it exists)
  -n, --name NAME             call the result NAME (default: the names of the
                              parts, joined by +)
      --force                 replace an output file that exists already
  -h, --help                  print this

usage: sahm trace offset [OPTION]... TRACE

The skipped epochs follow at the end. Since a trace repeats, this is the same
program at another moment.

options:
  -o, --output FILE           write to FILE (- is standard output), as CSV if it
                              ends in .csv or .csv.zst, else in binary form;
                              compressed by zstd if it ends in .zst (default:
                              NAME-offset.trc in the current folder, NAME.trc
                              with --name; followed by -2, -3 ... if it exists)
  -n, --name NAME             call the result NAME (default: as TRACE is called)
      --force                 replace an output file that exists already
      --epochs K              begin K epochs later; K may exceed the number of
                              epochs
      --ms MS                 begin MS later, a whole number of epochs
  -h, --help                  print this

usage: sahm trace bursts [OPTION]... FILE

FILE (-: standard input), compressed by zstd or not, is the text that perf sched
script, perf script or trace-cmd report prints, or the kernel's trace file. It
needs sched_switch events; sched_wakeup or sched_waking events make sleeps
exact. Without --comm, --tid or --pid, the command lists the threads. With one
of them, it writes the thread's bursts as CSV: for how many ns it ran, and for
how many ns it slept afterwards. A configuration names such a file in
workload.traces[].bursts.file.

Run time is all time on a CPU up to the next sleep, even if the thread was
preempted in between. A sleep lasts until the thread is woken or, if no event
shows that, until it runs. Waiting counts as neither. Bursts that the recording
does not show completely are left out and counted. One ns of the recording
becomes one ns of baseline time.

options:
  -o, --output FILE           write the bursts to FILE instead of standard
                              output; with .zst, compressed
      --force                 replace an output file that exists already
  -c, --comm NAME             take the thread with this name
  -t, --tid N                 take thread N (what sched_switch calls a pid)
  -P, --pid N                 take a thread of process N, if the recording has
                              processes
  -p, --provenance KEY=VALUE  say where the recording comes from; can be
                              repeated (name, source, program, tool, machine,
                              date, licence, note)
  -h, --help                  print this
$ sahm help policies
policies (key scheduler.policy):
  sahm            the paper's scheduler: follow the observed state, swap with
                  threads that gain nothing
  sahm-strict     sahm, but swaps only with threads that do not match their own
                  core
  sahm-listing    sahm without swaps: moves to idle cores only
  static          threads stay on the core where they start
  random          threads move to random cores: shows the cost of pointless
                  moves
  rotate          threads rotate: each gets an equal share of every core
  affinity        threads are pinned to the core that is best for their whole
                  trace
  fair            like today's operating systems: fair shares and balanced
                  loads, ignoring core specialisation
  assign          in each timestep the assignment that is best for it, net of
                  migration cost
  keen            foresees what threads will do, and weighs what migrations gain
                  against what all of them cost
  pie             estimates each thread's speed on other kinds of cores, swaps
                  the pair that gains most (ISCA 2012)
  bias            balances loads by which kind of core helps against a thread's
                  stalls (EuroSys 2010)
  equal-time      every thread spends the same share of its time on each kind of
                  core (PACT 2013)
  equal-progress  the thread that is slowed down most gets the core that it
                  needs (PACT 2013)
  thread-director
                  capabilities of cores by hardware class of thread, late and
                  with errors, like Intel's
  eas             threads that wake go where the chip's power stays lowest, like
                  Linux's EAS

Each observes a thread's last timestep, or, with scheduler.oracle = true, the
state in which the coming one begins. A path is that of a plug-in:
`sahm policy new` begins one, `sahm help policy-interface` lists what it can do.
$ sahm help states
states (index: name; HIGH components joined by +):
   0: Low
   1: Branch
   2: L1I
   3: L1I+Branch
   4: L1D
   5: L1D+Branch
   6: L1D+L1I
   7: L1D+L1I+Branch
   8: L2
   9: L2+Branch
  10: L2+L1I
  11: L2+L1I+Branch
  12: L2+L1D
  13: L2+L1D+Branch
  14: L2+L1D+L1I
  15: L2+L1D+L1I+Branch

metrics and thresholds (HIGH is strictly above the threshold):
  threshold   metric                      unit        p25        p50  intuitive
  branch_pct  branch_misses / branches       %       0.03       0.34          1
  l1i_mpki    l1i_misses / instructions   MPKI      0.004      0.009          1
  l1d_pct     l1d_misses / l1d_accesses      %        0.5       0.99          2
  l2_pct      l2_misses / l2_accesses        %       3.64      18.47         10

p25 and p50 are the 25th and 50th percentiles of the metrics over the paper's traces
(Wadle 2026, table 4.3); intuitive is the paper's choice.
$ sahm help cores
core types (key chip.cores[].type):
  baseline                    the reference core; serves nothing, matches Low
  branch, l1i, l1d, l2        specialised for a component; several are joined by
                              + (l2+branch)
  general                     the same speedup in every state, 5 % unless given
  table                       16 measured speedups, indexed by state (sahm help
                              states)

published work:
  cma-bp                      Branch: 2.0 % targeted, 2.0 % average; CMA-BP
                              branch predictor (Wadle 2026, table 4.4)
  selective-flushing          Branch: 40.0 % targeted, 29.0 % average; selective
                              flushing after mispredicted branches (Wadle 2026,
                              table 4.4)
  itp-xptp                    L1I: 20.0 % targeted, 18.9 % average; iTP+xPTP
                              (Wadle 2026, table 4.4)
  entangling                  L1I: 10.1 % targeted, 10.1 % average; entangling
                              instruction prefetcher (Wadle 2026, table 4.4)
  register-file-prefetching   L1D: 5.0 % targeted, 3.1 % average; register file
                              prefetching (Wadle 2026, table 4.4)
  berti                       L1D: 13.0 % targeted, 10.0 % average; Berti
                              local-delta data prefetcher (Wadle 2026, table
                              4.4)
  pacipv                      L2: 20.0 % targeted, 3.4 % average; PACIPV (Wadle
                              2026, table 4.4)
  mockingjay                  L2: 20.1 % targeted, 4.0 % average; Mockingjay
                              cache replacement (Wadle 2026, table 4.4)
  triage                      L2: 23.0 % targeted, 23.0 % average; Triage
                              prefetcher (Wadle 2026, table 4.4)
  runtime-selection           L2: 5.8 % targeted, 5.8 % average; runtime
                              selection (Wadle 2026, table 4.4)

The models of cores that compute cycles from instruction streams are listed by `sahm core list`.
`sahm help core-models` lists their keys.
$ sahm help results
what `sahm run` reports:
  simulated               simulated time, in whole timesteps; without a
                          duration, if no thread repeats its trace, until the
                          last one has left (the makespan of a batch); in mode
                          alone, and with several samples, the sum over all
                          simulations
  all samples together    where there are several: the tables by thread, core
                          and state are made of the counts of all samples, added
                          up
  speedup                 baseline time completed over time present and not
                          asleep, less 1; the mean weighs threads alike
  served                  executed timesteps whose core serves a component
                          stressed in the state in which the timestep began; a
                          general core, or one of type table, serves the states
                          in which its speedup is above 0
  matched                 the same, and timesteps in Low on a baseline core
  migrations              migrations to another core; a swap is two, one for
                          each thread
  baseline time           work that a thread completed, in time of the baseline
                          core; a trace that ends starts again
  tenant                  where some thread has one
  slept                   where some thread sleeps: for how long, of the time
                          that it was there
  arrived                 where some thread is to come late: when it joined; a
                          dash for who never did
  left                    if some thread does not repeat its trace: when it
                          ended, averaged over the simulations in which it did;
                          a dash for one that never ended. The line below the
                          table counts those that ended, over all simulations
  speedup of the system   baseline time of all threads over time x the lesser of
                          threads present, and awake, and cores, less 1
  throughput, STP         baseline time completed by all threads over simulated
                          time: the number of baseline cores that would do the
                          same work; beside it the average number of threads
                          present (Eyerman and Eeckhout 2008, whose STP, the sum
                          of NP, equals this if all threads are always present)
  turnaround, ANTT        mean of 1/NP, where NP = baseline time completed over
                          time present and awake, for each thread: how many
                          times as long it takes as on a baseline core that it
                          does not share
  gain                    where more threads are awake than there are cores: NP
                          against a fair share of baseline cores (cores over
                          threads), less 1; `slow-down` in the heading is ANTT
                          beside that of fair shares
  speedup, ... mean       arithmetic, harmonic and geometric mean of NP, less 1
  fairness, Jain          square of the sum of NP over threads x sum of squares:
                          1 when all are alike (Jain, Chiu and Hawe 1984)
  fairness by weight, Jain
                          the same of NP over a thread's weight: 1 when all
                          progress as their weights say
  slow-down, maximum      largest 1/NP of a thread
  unfairness              largest 1/NP over the smallest: 1 when all are alike
                          (Mutlu and Moscibroda 2007, there of memory accesses)
  running                 timesteps that threads executed, of those that they
                          could have (all in which they were present); in
                          continuous time, executed time of that in which they
                          were awake
  at state transitions    executed timesteps that began in another state than
                          the thread's last one
  decisions               migrations and swaps; a swap is one decision and two
                          migrations
  mismatched              executed timesteps whose core does not match their
                          state, times the timestep
  migration cost paid     time in which threads paid for migrations instead of
                          making progress
  energy, power           where chip.costs names a table with the figures of all
                          cores: J of the chip, nJ per instruction that threads
                          completed, W on average; a thread has its dynamic
                          energy, that of its migrations, and the static energy
                          of cores while it executes there
  energy-delay product    energy over W times time over W, where W is the
                          baseline time completed by all threads; squared: times
                          time over W again (Gonzalez and Horowitz 1996)
  wake-up latency         in continuous time, where threads sleep: from waking
                          to running; the times that half of the wake-ups, 95 %
                          and 99 % of them stay at or below (of the nearest
                          rank, known to within 1 %)
  run-queue wait          in continuous time: from each time that a thread
                          became ready, by waking or because another took its
                          place, to its running; the same percentiles
  of N samples            mean over the samples' values, and the bounds of the
                          95 % interval of drawn samples, which all but the
                          first are (percentile bootstrap; Student's t of fewer
                          than ten drawn)
  by core (--details)     utilisation: its timesteps in which a thread executed;
                          of these, those served and matched
  by state (--details)    executed timesteps that began in it; of these, those
                          served and matched
  introspection           with IPUs: how often their programs ran and how many
                          instructions that took, bytes that each sent per
                          simulated second, and executed timesteps whose thread
                          was observed in the state in which they began; where
                          there are some: input sets that came while the IPU was
                          running (dropped) or that sampling left out (skipped),
                          packets that name no state (rejected) or did not fit
                          (lost), IPUs in ERROR; by core with --details, where
                          utilisation is the part of the IPU's cycles in the run
                          in which it executed, in millionths (ppm)
  given up                a run that was to last until all have left ended
                          before, as debts may grow faster than they are paid
                          (workload.duration_ms in `sahm help config` says
                          when); all that is shown is of the time until then
  synthetic               traces that were generated, not recorded
  assumed time base       traces whose epochs are not stretches of measured time
                          but, for example, a number of instructions (`epoch` of
                          `sahm trace info`): each is replayed as if it had
                          lasted the epoch length, so all times are assumed
  counts                  counters of traces that nobody measured: assumed
                          (--assume of `sahm trace import`), modelled by
                          callgrind or QEMU, or derived from ratios and rates;
                          states that follow from them are no measurements
                          either. Traces that do not say it are not listed
  (hash)                  in the heading: the first digits of config_hash, the
                          same for the same chip, scheduler and traces

metrics of a whole run, by their names in JSON, in results databases and for --metric
(shares and speedups are fractions there, times ns):
  speedup_mean            speedup, arithmetic mean
  speedup_harmonic        speedup, harmonic mean
  speedup_geometric       speedup, geometric mean
  speedup_system          speedup of the system
  stp                     throughput, STP
  antt                    turnaround, ANTT
  jain                    fairness, Jain
  jain_weighted           fairness by weight, Jain
  slowdown_max            slow-down, maximum
  unfairness              unfairness
  served_share            served
  matched_share           matched
  running_share           running
  transition_share        at state transitions
  migrations_per_s        migrations per second
  decisions_per_s         decisions per second
  mismatched_ns           mismatched
  paid_ns                 migration cost paid
  paid_share              ... of executed time
  energy_j                energy, J
  instruction_nj          energy per instruction, nJ
  power_w                 mean power, W
  edp                     energy-delay product
  ed2p                    energy-delay-squared product
  latency_p50_ns          wake-up latency, p50
  latency_p95_ns          wake-up latency, p95
  latency_p99_ns          wake-up latency, p99
  wait_p50_ns             run-queue wait, p50
  wait_p95_ns             run-queue wait, p95
  wait_p99_ns             run-queue wait, p99
$ sahm help traces
a trace is one program's epochs, a row each, with these counts (CSV columns):
  instructions    instructions retired
  branches        branches retired
  branch_misses   mispredicted branches
  l1i_misses      misses of the first-level instruction cache
  l1d_accesses    accesses to the first-level data cache
  l1d_misses      misses of the first-level data cache
  l2_accesses     accesses to the second-level cache
  l2_misses       misses of the second-level cache
  cycles          core cycles, where they are known

Every epoch lasts the same time on the baseline core, 100 ms unless said otherwise:
the machine that the counts come from is the baseline. A trace says where it comes
from (`sahm trace import --provenance`):
  name            name of the program in results
  source          recorded (from a program that ran), modelled (by QEMU,
                  callgrind or a model of a core) or synthetic (generated)
  program         program and input that ran
  tool            tool that counted, with its options
  machine         machine that it ran on, or model that stood in for one
  date            date of the recording
  epoch           meaning of an epoch, where it is not a stretch of measured
                  time: the time base is assumed
  licence         terms under which the data may be passed on
  note            anything else
  event.<counter>
                  the event that stands for a counter
  counted_pct.<counter>
                  share of the time in which it was counted (multiplexing)
  origin.<counter>
                  measured, modelled (by callgrind, QEMU), derived (from ratios)
                  or assumed (by you)
$ sahm trace --help | head -n 1
usage: sahm trace list [OPTION]... [SUITE...]
$ sahm help polices
sahm: error: no help on 'polices'; did you mean 'policies'?
[2]
$ sahm help config | grep -c '^  [a-z]'
118
$ sahm help | head -n 9
usage: sahm [OPTION]... COMMAND [OPTION]... [OPERAND]...

Replays hardware-counter traces of programs on chips of specialised cores.

simulate a chip:
  run             simulate traces or a configuration on a chip
  compare         rank scheduling policies on your own or the shipped systems
  optimize        find the best chip for a workload within a budget
  reproduce       repeat the paper's figures and check its claims
$ sahm help -a | grep -c '^  [a-z]'
84
$ sahm help scheduler.inertia
configuration key:
  scheduler.inertia
      how long a thread that has moved stays put. Default: 5 scheduling passes.
      Range: 0 to 1000000 scheduling passes.
$ sahm help 'chip.cores[1].count' | head -n 2
configuration key:
  chip.cores[].count
$ sahm help STP | head -n 2
metric:
  stp                     throughput, STP
$ sahm help branch+l2 | head -n 2
state:
  L2+Branch               index 9; these are HIGH: L2+Branch; `sahm help states`
$ sahm help fair | head -n 2
policy:
  fair                    like today's operating systems: fair shares and
$ sahm help berti | head -n 2
core type from published work:
  berti                   L1D: 13.0 % targeted, 10.0 % average; Berti
$ sahm help epoch
term:
  epoch                   one row of a trace: the counts of 100 ms of a program,
                          unless the trace says another length
$ sahm help threshold
term:
  threshold               the value above which a metric is HIGH (`--cuts`,
                          section `cuts` of a configuration)
$ sahm help 'upper bound'
term:
  upper bound             the speedup of a thread that is always on the best
                          core for its state and pays nothing for migrations
                          (`sahm limit`)
$ sahm help 'HIGH, LOW'
term:
  HIGH, LOW               a metric is HIGH if it is above its threshold, else
                          LOW
$ sahm help sweep.evaluator | head -n 2
key of a sweep:
  evaluator
$ sahm help Frontend; sahm help recovering
class of slots (docs/top-down.md):
  Frontend                no uop is there, and no resource is missing
signal of a core:
  recovering              after a flush, until the next instruction can be
                          dispatched

event of the family rocket:
  RECOVERING              cycles after a flush until the next instruction can
                          issue

event of the family boom:
  RECOVERING              cycles after a flush until the next instruction can be
                          dispatched
$ sahm help golden-cove
model of a core:
  golden-cove             `sahm core show golden-cove` prints its values
$ sahm help DR-SQ; sahm help ibs; sahm help ST-L1
event of a cycle stack (docs/pics.md):
  DR-SQ                   store that waited for the store queue while the ROB
                          was empty
sampler of cycle stacks, tagging:
  ibs                     the next uop to be dispatched
event of a cycle stack (docs/pics.md):
  ST-L1                   load or atomic that missed L1D
$ sahm help rob; sahm help plru; sahm help next-line
key of a model of a core:
  rob
      entries of the ROB. Default: 128 entries. Range: 1 to 1024 entries.

stall of a core, waiting for:
  rob                     an entry of the ROB

cause on a critical path, waiting for:
  rob                     an entry of the ROB
replacement policy of a cache:
  plru                    a tree of bits over the ways points away from recent
                          uses
prefetcher:
  next-line               the lines after one that missed or is used first after
                          a prefetch
$ sahm help glossary | sed -n 's/^  \([A-Za-z]\)/\1/p' | LC_ALL=C sort -fc
$ for word in sample swap slowdown 'time base' timestep STP word; do sahm help "$word" >/dev/null || echo "$word"; done
$ sahm help golden-cov
sahm: error: no help on 'golden-cov'; did you mean 'golden-cove'?
[2]
$ sahm help --man study-keys | head -n 2
.TP
.B costs_ms
$ sahm help migrtion
sahm: error: no help on 'migrtion'; did you mean 'migration'?
[2]
$ sahm help glossary | head -n 3
terms:
  area                    of a core or chip, in mm2; `configs/costs/cores.cfg`
                          has the shipped values
$ PAGER='head -n 1' script -qc 'sahm help results' /dev/null | tr -d '\r'
what `sahm run` reports:
$ PAGER='' script -qc 'sahm help results | head -n 1' /dev/null | tr -d '\r'
what `sahm run` reports:
$ PAGER=not-there script -qc 'sahm help glossary' /dev/null | head -n 1 | tr -d '\r'
terms:
