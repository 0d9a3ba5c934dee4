## What chips could do at most, from occupancies.
$ sahm help limit
usage: sahm limit [OPTION]... CONFIG | TRACE...

The upper bound is the speedup of a thread that has the chip to itself, is
always on the best core for its state, and migrates for free. It follows from
the shares of time that the thread spends in the 16 states.

With traces: prints the bound of each trace, and on average, on the canonical
chip (a baseline core and one core per component at 30 %); the distribution of
the bound over the paper's 255 configurations with a specialised core; and chips
with branch cores of 30, 10 and 0 %, whose 25th percentile over the traces is
compared with a core that is slightly better everywhere.

With a configuration: prints the bound of each thread on the cores that its
tenant and affinity allow. Scheduler, costs, times and other threads have no
influence. --simulate prints beside it what a simulation reaches, which
approaches the bound as the timestep shrinks. It uses the policy assign with the
oracle, which puts each thread on the best core for the state at the beginning
of a timestep, and replays each trace once. --levels prints for each group of
cores with frequency levels, and each state, the level at which a core that
always executes does the work for the minimum of energy (chip.costs must have
their figures).

A CONFIG is what `sahm run` takes; a TRACE is a file, or the name of a shipped
trace or suite.

options:
      --simulate MS[,MS...]   with a CONFIG: also simulate each thread alone,
                              with timesteps of this many ms, under the policy
                              assign with the oracle, without inertia, costs and
                              warm-up
      --levels                with a CONFIG whose cores have frequency levels:
                              print at which of them the work in each state
                              takes the minimum of energy, and of energy times
                              time, instead
  -s, --set KEY.PATH=VALUE    with a CONFIG: change it; can be repeated
                              (chip.cores[1].speedup_pct=20)
      --configs               with traces: one row per configuration of the
                              space, over traces, instead of one per trace
      --sort COLUMN           sort these rows by mean (the default), least, p25,
                              median, p75 or most, best first, or by index
      --against PCT           with traces: compare 25th percentiles with a core
                              that is this many % better everywhere (5)
  -c, --cuts CUTS             with traces: thresholds: a set (p25, p50,
                              intuitive), percentiles over the epochs of these
                              traces (percentile:50), your own
                              (branch_pct=1,l1i_mpki=1,l1d_pct=2,l2_pct=10), or
                              these beside a set, separated by commas
      --json                  print one JSON object
      --csv                   print CSV: a row per trace, thread or
                              configuration, then means
  -o, --output FILE           write the result to FILE instead of standard
                              output
      --force                 replace an output file that exists already
  -h, --help                  print this
$ sahm limit workloads/suites/small/*.csv
speedup of one thread on the best core at every instant, migrations free (thresholds: intuitive)
by trace, 8 of them, assumed time base; canonical: all four cores at 30 %; the others: over the 255 configurations

trace                     epochs  canonical      mean    least       p25    median       p75      most
------------------------------------------------------------------------------------------------------
cc1                           19   +30.00 %  +21.48 %  +0.00 %  +20.00 %  +20.49 %  +30.00 %  +30.00 %
gzip                         107   +29.28 %  +20.28 %  +0.00 %  +18.45 %  +19.55 %  +28.41 %  +29.28 %
perl                          35   +30.00 %  +22.14 %  +0.00 %  +20.00 %  +22.70 %  +30.00 %  +30.00 %
python                        55   +30.00 %  +22.36 %  +3.42 %  +17.46 %  +23.45 %  +30.00 %  +30.00 %
sort                          70   +30.00 %  +17.23 %  +0.00 %  +10.00 %  +20.00 %  +26.83 %  +30.00 %
sqlite                        31   +30.00 %  +20.66 %  +0.00 %  +15.14 %  +20.00 %  +29.31 %  +30.00 %
xz                           131   +30.00 %  +20.50 %  +0.00 %  +14.24 %  +20.42 %  +28.66 %  +30.00 %
zstd                          49   +30.00 %  +19.78 %  +0.00 %  +13.47 %  +20.00 %  +27.39 %  +30.00 %
------------------------------------------------------------------------------------------------------
mean (assumed time base)           +29.91 %  +20.55 %  +0.43 %  +16.10 %  +20.83 %  +28.83 %  +29.91 %

over traces, and the 25th percentile against a core that is 5 % better everywhere

chip             mean     least       p25    median       p75      most  against
--------------------------------------------------------------------------------
All-30 %     +29.91 %  +29.28 %  +30.00 %  +30.00 %  +30.00 %  +30.00 %    6.00x
Branch-10 %  +27.08 %  +16.94 %  +26.34 %  +29.20 %  +30.00 %  +30.00 %    5.27x
Branch-0 %   +25.46 %   +9.77 %  +24.08 %  +28.92 %  +30.00 %  +30.00 %    4.82x
## The chips of figure 4.9 against a core that is better everywhere.
$ sahm limit workloads/suites/small/*.csv --against 10 | tail -n 5; sahm limit workloads/suites/small/gzip.csv --against 2.5 --csv
chip             mean     least       p25    median       p75      most  against
--------------------------------------------------------------------------------
All-30 %     +29.91 %  +29.28 %  +30.00 %  +30.00 %  +30.00 %  +30.00 %    3.00x
Branch-10 %  +27.08 %  +16.94 %  +26.34 %  +29.20 %  +30.00 %  +30.00 %    2.63x
Branch-0 %   +25.46 %   +9.77 %  +24.08 %  +28.92 %  +30.00 %  +30.00 %    2.41x
scope,name,epochs,canonical,mean,least,p25,median,p75,most,against_pct,ratio,synthetic,nominal_time
trace,gzip,107,0.2927509293680297,0.20277495565593165,0,0.18450184501845035,0.1955307262569832,0.28407183618663967,0.2927509293680297,,,no,yes
mean,mean,,0.2927509293680297,0.20277495565593165,0,0.18450184501845035,0.1955307262569832,0.28407183618663967,0.2927509293680297,,,no,yes
chip,All-30 %,,,0.2927509293680297,0.2927509293680297,0.2927509293680297,0.2927509293680297,0.2927509293680297,0.2927509293680297,2.5,11.710037174721188,no,yes
chip,Branch-10 %,,,0.28407183618663967,0.28407183618663967,0.28407183618663967,0.28407183618663967,0.28407183618663967,0.28407183618663967,2.5,11.362873447465587,no,yes
chip,Branch-0 %,,,0.2784926470588236,0.2784926470588236,0.2784926470588236,0.2784926470588236,0.2784926470588236,0.2784926470588236,2.5,11.139705882352944,no,yes
## By configuration: the best first, or by another column.
$ sahm limit workloads/suites/small/*.csv --configs | head -n 12; sahm limit workloads/suites/small/*.csv --configs --sort least --csv | head -n 4; sahm limit workloads/suites/small/*.csv --configs --sort index --csv | sed -n '1,3p;$p'
speedup of one thread on the best core at every instant, migrations free (thresholds: intuitive)
by configuration, over 8 traces, assumed time base; -: no core for it

index  Branch   L1I   L1D    L2      mean     least       p25    median       p75      most
-------------------------------------------------------------------------------------------
243      30 %     -  30 %  30 %  +29.91 %  +29.28 %  +30.00 %  +30.00 %  +30.00 %  +30.00 %
247      30 %  10 %  30 %  30 %  +29.91 %  +29.28 %  +30.00 %  +30.00 %  +30.00 %  +30.00 %
251      30 %  20 %  30 %  30 %  +29.91 %  +29.28 %  +30.00 %  +30.00 %  +30.00 %  +30.00 %
255      30 %  30 %  30 %  30 %  +29.91 %  +29.28 %  +30.00 %  +30.00 %  +30.00 %  +30.00 %
227      30 %     -  20 %  30 %  +29.86 %  +28.88 %  +30.00 %  +30.00 %  +30.00 %  +30.00 %
231      30 %  10 %  20 %  30 %  +29.86 %  +28.88 %  +30.00 %  +30.00 %  +30.00 %  +30.00 %
235      30 %  20 %  20 %  30 %  +29.86 %  +28.88 %  +30.00 %  +30.00 %  +30.00 %  +30.00 %
index,branch_pct,l1i_pct,l1d_pct,l2_pct,mean,least,p25,median,p75,most,synthetic,nominal_time
243,30,,30,30,0.29909386617100375,0.2927509293680297,0.30000000000000004,0.30000000000000004,0.30000000000000004,0.30000000000000004,no,yes
247,30,10,30,30,0.29909386617100375,0.2927509293680297,0.30000000000000004,0.30000000000000004,0.30000000000000004,0.30000000000000004,no,yes
251,30,20,30,30,0.29909386617100375,0.2927509293680297,0.30000000000000004,0.30000000000000004,0.30000000000000004,0.30000000000000004,no,yes
index,branch_pct,l1i_pct,l1d_pct,l2_pct,mean,least,p25,median,p75,most,synthetic,nominal_time
0,,,,,0,0,0,0,0,0,no,yes
1,10,,,,0.09462281772654949,0.06311637080867838,0.09846654275092931,0.09999999999999987,0.10000000000000009,0.10000000000000009,no,yes
255,30,30,30,30,0.29909386617100375,0.2927509293680297,0.30000000000000004,0.30000000000000004,0.30000000000000004,0.30000000000000004,no,yes
$ sahm limit workloads/suites/small/zstd.csv workloads/suites/small/sort.csv --cuts p50,l2_pct=30 --json; sahm limit workloads/suites/small/zstd.csv --cuts percentile:50 | head -n 5
{
  "schema": "sahm-limit/1",
  "cuts": "p50,l2_pct=30",
  "synthetic": false,
  "nominal_time": true,
  "traces": [
    {
      "name": "zstd",
      "synthetic": false,
      "nominal_time": true,
      "epochs": 49,
      "canonical": 0.30000000000000004,
      "over_configs": {"mean": 0.22786587058178776, "least": 0.016981132075471805, "p25": 0.18956841055399398, "median": 0.25058004640371245, "p75": 0.2920892494929008, "most": 0.30000000000000004}
    },
    {
      "name": "sort",
      "synthetic": false,
      "nominal_time": true,
      "epochs": 70,
      "canonical": 0.30000000000000004,
      "over_configs": {"mean": 0.16406073810397248, "least": 0.0013003901170351995, "p25": 0.10000000000000009, "median": 0.19999999999999996, "p75": 0.2607382550335571, "most": 0.30000000000000004}
    }
  ],
  "mean": {
    "canonical": 0.30000000000000004,
    "over_configs": {"mean": 0.19596330434288012, "least": 0.009140761096253502, "p25": 0.14478420527699704, "median": 0.2252900232018562, "p75": 0.27641375226322895, "most": 0.30000000000000004}
  },
  "against": {
    "pct": 5.0,
    "chips": [
      {
        "name": "All-30 %",
        "over_traces": {"mean": 0.30000000000000004, "least": 0.30000000000000004, "p25": 0.30000000000000004, "median": 0.30000000000000004, "p75": 0.30000000000000004, "most": 0.30000000000000004},
        "ratio": 6.000000000000001
      },
      {
        "name": "Branch-10 %",
        "over_traces": {"mean": 0.21764260060042362, "least": 0.14009111617312064, "p25": 0.17886685838677213, "median": 0.21764260060042362, "p75": 0.2564183428140751, "most": 0.2951940850277266},
        "ratio": 3.5773371677354424
      },
      {
        "name": "Branch-0 %",
        "over_traces": {"mean": 0.17388685212464072, "least": 0.05568445475638062, "p25": 0.11478565344051067, "median": 0.17388685212464072, "p75": 0.23298805080877077, "most": 0.2920892494929008},
        "ratio": 2.295713068810213
      }
    ]
  }
}
speedup of one thread on the best core at every instant, migrations free (thresholds: percentile:50)
by trace, 1 of them, assumed time base; canonical: all four cores at 30 %; the others: over the 255 configurations

trace                     epochs  canonical      mean    least       p25    median       p75      most
------------------------------------------------------------------------------------------------------
$ sahm limit workloads/suites/small/zstd.csv --configs --sort index --json | sed -n '/"configs"/,$p' | head -n 12
  "configs": [
    {
      "index": 0,
      "speedup_pct": {},
      "over_traces": {"mean": 0.0, "least": 0.0, "p25": 0.0, "median": 0.0, "p75": 0.0, "most": 0.0}
    },
    {
      "index": 1,
      "speedup_pct": {"branch": 10.0},
      "over_traces": {"mean": 0.06311637080867838, "least": 0.06311637080867838, "p25": 0.06311637080867838, "median": 0.06311637080867838, "p75": 0.06311637080867838, "most": 0.06311637080867838}
    },
    {
## Synthetic traces are called so.
$ sahm limit workloads/suites/synthetic/spec2017/*gcc* | head -n 7; sahm limit workloads/suites/synthetic/spec2017/*gcc_r* workloads/suites/small/xz.csv --csv; sahm limit workloads/suites/synthetic/spec2017/*gcc_r* workloads/suites/small/xz.csv | sed -n 2p
speedup of one thread on the best core at every instant, migrations free (thresholds: intuitive)
by trace, 2 of them, synthetic; canonical: all four cores at 30 %; the others: over the 255 configurations

trace             epochs  canonical      mean    least       p25    median       p75      most
----------------------------------------------------------------------------------------------
gcc_r-synthetic     1220   +29.90 %  +17.98 %  +1.16 %  +12.65 %  +17.68 %  +23.88 %  +29.90 %
gcc_s-synthetic     3000   +29.96 %  +18.51 %  +1.15 %  +13.11 %  +18.47 %  +24.94 %  +29.96 %
scope,name,epochs,canonical,mean,least,p25,median,p75,most,against_pct,ratio,synthetic,nominal_time
trace,gcc_r-synthetic,1220,0.29904169055614704,0.17984711833036213,0.011608623548922115,0.12653139458618867,0.1767972757698435,0.23878834972147744,0.29904169055614704,,,yes,no
trace,xz,131,0.30000000000000004,0.20499219087873866,0,0.1424418604651163,0.20424278137890406,0.2866355140186916,0.30000000000000004,,,no,yes
mean,mean,,0.29952084527807354,0.1924196546045504,0.005804311774461057,0.1344866275256525,0.19052002857437378,0.2627119318700845,0.29952084527807354,,,yes,yes
chip,All-30 %,,,0.29952084527807354,0.29904169055614704,0.2992812679171103,0.29952084527807354,0.2997604226390368,0.30000000000000004,5,5.985625358342206,yes,yes
chip,Branch-10 %,,,0.25843878206824433,0.24306569343065698,0.25075223774945066,0.25843878206824433,0.266125326387038,0.2738118707058317,5,5.015044754989013,yes,yes
chip,Branch-0 %,,,0.23329504760909736,0.20865862313697647,0.22097683537303692,0.23329504760909736,0.2456132598451578,0.25793147208121825,5,4.419536707460738,yes,yes
by trace, 2 of them, 1 of them synthetic, 1 of them with an assumed time base; canonical: all four cores at 30 %; the others: over the 255 configurations
## The study's claims, from the shipped suite.
$ sahm limit workloads/suites/synthetic/spec2017/* | tail -n 8

over traces, and the 25th percentile against a core that is 5 % better everywhere

chip             mean    least       p25    median       p75      most  against
-------------------------------------------------------------------------------
All-30 %     +27.31 %  +6.34 %  +29.64 %  +29.88 %  +29.96 %  +30.00 %    5.93x
Branch-10 %  +22.81 %  +4.64 %  +20.69 %  +26.08 %  +28.16 %  +29.68 %    4.14x
Branch-0 %   +20.19 %  +2.90 %  +15.58 %  +23.89 %  +27.01 %  +29.50 %    3.12x
## The threads of a configuration, and what the simulation reaches.
$ sahm limit configs/canonical.cfg --simulate 100,10,1,0.1
configuration  canonical.cfg
chip           5 cores: baseline, Branch +30 %, L1I +30 %, L1D +30 %, L2 +30 %
workload       8 threads; 8 traces, 8 with an assumed time base
upper bound    speedup without others on the best core at every instant, migrations free
timesteps      the same, simulated: assign, oracle, inertia 0

thread       bound      100 ms       10 ms        1 ms      0.1 ms
------------------------------------------------------------------
cc1     +30.0000 %  +30.0000 %  +30.0000 %  +30.0000 %  +30.0000 %
gzip    +29.2751 %  +29.1494 %  +29.2491 %  +29.2701 %  +29.2746 %
perl    +30.0000 %  +30.0000 %  +30.0000 %  +30.0000 %  +30.0000 %
python  +30.0000 %  +30.0000 %  +30.0000 %  +30.0000 %  +30.0000 %
sort    +30.0000 %  +30.0000 %  +30.0000 %  +30.0000 %  +30.0000 %
sqlite  +30.0000 %  +30.0000 %  +30.0000 %  +30.0000 %  +30.0000 %
xz      +30.0000 %  +30.0000 %  +30.0000 %  +30.0000 %  +30.0000 %
zstd    +30.0000 %  +29.7556 %  +29.9939 %  +29.9939 %  +29.9994 %
------------------------------------------------------------------
mean    +29.9094 %  +29.8631 %  +29.9054 %  +29.9080 %  +29.9093 %
$ sahm limit configs/canonical.cfg
configuration  canonical.cfg
chip           5 cores: baseline, Branch +30 %, L1I +30 %, L1D +30 %, L2 +30 %
workload       8 threads; 8 traces, 8 with an assumed time base
upper bound    speedup without others on the best core at every instant, migrations free

thread       bound
------------------
cc1     +30.0000 %
gzip    +29.2751 %
perl    +30.0000 %
python  +30.0000 %
sort    +30.0000 %
sqlite  +30.0000 %
xz      +30.0000 %
zstd    +30.0000 %
------------------
mean    +29.9094 %
$ sahm limit configs/shared-16.cfg --simulate 10 -s workload.traces[2].affinity=\"1\" | sed -n '1,2p;14,16p;$p'
configuration  shared-16.cfg
chip           16 cores: baseline x 2 (web), Branch +30 % x 2 (web), L1I +30 % x 2 (web), L2 +30 % x 2 (web), baseline x 2 (batch), L1D +30 % x 2 (batch), L2 +30 % x 2 (batch), L2+L1D +25 % x 2 (batch)
sqlite#6       +30.0000 %  +30.0000 %
python         +30.0000 %  +30.0000 %
python+1000ms  +30.0000 %  +30.0000 %
mean           +23.7824 %  +23.7687 %
$ sahm limit configs/canonical.cfg -s 'workload.traces=["gzip.csv","zstd.csv"]' --simulate 50,5 --json; sahm limit configs/canonical.cfg -s 'workload.traces=["gzip.csv","zstd.csv"]' --simulate 50,5 --csv
{
  "schema": "sahm-limit-threads/1",
  "synthetic": false,
  "nominal_time": true,
  "timesteps_ms": [50.0, 5.0],
  "threads": [
    {
      "name": "gzip",
      "limit": 0.2927509293680297,
      "simulated": [0.29149383854879907, 0.29262937483841545]
    },
    {
      "name": "zstd",
      "limit": 0.30000000000000004,
      "simulated": [0.29755562517756506, 0.29993877840164473]
    }
  ],
  "speedup_mean": 0.2963754646840149,
  "speedup_harmonic": 0.2963653308480896,
  "speedup_geometric": 0.2963703977561498,
  "simulated_mean": [0.29452473186318207, 0.2962840766200301]
}
scope,name,limit,simulated_50_ms,simulated_5_ms,synthetic,nominal_time
thread,gzip,0.2927509293680297,0.29149383854879907,0.29262937483841545,no,yes
thread,zstd,0.30000000000000004,0.29755562517756506,0.29993877840164473,no,yes
mean,mean,0.2963754646840149,0.29452473186318207,0.2962840766200301,no,yes
$ SAHM_DATA=. sahm limit configs/synthetic-39.cfg | sed -n '3p;$p'
workload       39 threads; 39 traces, 39 synthetic
mean                   +27.3055 %
## By hand: half of the time Low, half L2, on an L2 core of 30 %: 1 / (0.5 + 0.5 / 1.3) - 1.
$ c=instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses; printf '%s\n' '# sahm trace 1' '# name: half' '# epoch_ns: 100000000' $c 1000,100,0,0,100,0,100,0 1000,100,0,0,100,0,100,50 >"$T/half.csv"; printf '%s\n' 'chip: { cores: ({ type="baseline"; }, { type="l2"; speedup_pct=30; }); };' 'workload: { traces: ("half.csv"); };' >"$T/half.cfg"; sahm limit "$T/half.cfg" --csv; cat "$T/half.cfg" | (cd "$T" && sahm limit - --simulate 70,7 | sed 1d)
scope,name,limit,synthetic,nominal_time
thread,half,0.1304347826086958,no,no
mean,mean,0.1304347826086958,no,no
chip           2 cores: baseline, L2 +30 %
workload       1 thread; 1 trace
upper bound    speedup without others on the best core at every instant, migrations free
timesteps      the same, simulated: assign, oracle, inertia 0

thread       bound      70 ms        7 ms
-----------------------------------------
half    +13.0435 %  +7.4380 %  +12.3110 %
-----------------------------------------
mean    +13.0435 %  +7.4380 %  +12.3110 %
## A core that would take forever.
$ sahm limit "$T/half.cfg" -s 'chip.cores[1].count=0' -s 'chip.cores[0].type="general"' -s 'chip.cores[0].speedup_pct=-99' --simulate 10
sahm: warning: the simulation of thread 'half' was given up: it took 10 times as long as on a baseline core
configuration  half.cfg
chip           1 core: general -99 %
workload       1 thread; 1 trace
upper bound    speedup without others on the best core at every instant, migrations free
timesteps      the same, simulated: assign, oracle, inertia 0

thread       bound  10 ms
-------------------------
half    -99.0000 %      -
-------------------------
mean    -99.0000 %      -
$ sahm limit "$T/half.csv" --csv -o "$T/half.out" && head -n 2 "$T/half.out"
scope,name,epochs,canonical,mean,least,p25,median,p75,most,against_pct,ratio,synthetic,nominal_time
trace,half,2,0.1304347826086958,0.06750441942257786,0,0.04761904761904767,0.09090909090909083,0.11067193675889331,0.1304347826086958,,,no,no
## What does not go together, and what cannot be read.
$ sahm limit workloads/suites/small/xz.csv none.trc
sahm: error: 'none.trc' is neither a file nor the name of a shipped configuration, suite or trace (`sahm trace list` shows suites and traces)
[2]
$ sahm limit; sahm limit configs/canonical.cfg configs/shared-16.cfg; sahm limit configs/canonical.cfg workloads/suites/small/xz.csv; sahm limit workloads/suites/small/xz.csv configs/canonical.cfg; sahm limit workloads/suites/small/xz.csv --simulate 10; sahm limit workloads/suites/small/xz.csv -s a=b; sahm limit configs/canonical.cfg --cuts p25; sahm limit configs/canonical.cfg --configs; sahm limit workloads/suites/small/xz.csv --sort mean; sahm limit workloads/suites/small/xz.csv --configs --sort men; sahm limit workloads/suites/small/xz.csv --json --csv
sahm: error: a configuration or a trace is missing: sahm limit CONFIG, or sahm limit TRACE...
sahm: error: one configuration at a time: 'configs/shared-16.cfg' is too many
sahm: error: traces, or one configuration: 'configs/canonical.cfg' is not a trace, 'workloads/suites/small/xz.csv' is
sahm: error: traces, or one configuration: 'configs/canonical.cfg' is not a trace, 'workloads/suites/small/xz.csv' is
sahm: error: --simulate goes with a configuration, and 'workloads/suites/small/xz.csv' is a trace
sahm: error: --set goes with a configuration, and 'workloads/suites/small/xz.csv' is a trace
sahm: error: --cuts goes with traces, and 'configs/canonical.cfg' is not a trace
sahm: error: --configs goes with traces, and 'configs/canonical.cfg' is not a trace
sahm: error: --sort goes with --configs
sahm: error: unknown column 'men', must be mean, least, p25, median, p75, most or index; did you mean 'mean'?
sahm: error: --json and --csv exclude each other
[2]
$ for a in 0 -1 x 99901; do sahm limit workloads/suites/small/xz.csv --against $a; done; for s in 0 0.0009 1000001 1,,2 ms 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17; do sahm limit configs/canonical.cfg --simulate $s; done; sahm limit workloads/suites/small/xz.csv --cuts p26
sahm: error: --against: '0' must be a number above 0 and at most 99900 %
sahm: error: --against: '-1' must be a number above 0 and at most 99900 %
sahm: error: --against: 'x' must be a number above 0 and at most 99900 %
sahm: error: --against: '99901' must be a number above 0 and at most 99900 %
sahm: error: --simulate: '0' must be a number from 0.001 to 1000000 ms
sahm: error: --simulate: '0.0009' must be a number from 0.001 to 1000000 ms
sahm: error: --simulate: '1000001' must be a number from 0.001 to 1000000 ms
sahm: error: --simulate: '' must be a number from 0.001 to 1000000 ms
sahm: error: --simulate: 'ms' must be a number from 0.001 to 1000000 ms
sahm: error: --simulate: at most 16 timesteps
sahm: error: --cuts: unknown set of thresholds 'p26'; did you mean 'p25'?
[2]
$ sahm limit no/such.csv; sahm limit no/such.cfg; sahm limit workloads/suites/synthetic/phone.profile; sahm limit configs/canonical.cfg --set chip.corse=1; head -n 30 workloads/suites/small/xz.csv | sed '$s/,/,-/' >"$T/bad.csv"; sahm limit "$T/bad.csv"
sahm: error: cannot open 'no/such.csv': No such file or directory
sahm: error: cannot open 'no/such.cfg': No such file or directory
sahm: error: 'workloads/suites/synthetic/phone.profile' is a profile, not a configuration; `sahm trace synth` makes traces from it
sahm: error: --set chip.corse=1: unknown key 'chip.corse'; did you mean 'chip.cores'?
sahm: error: @T@/bad.csv:30: negative count '-3282222' in column 'branches'
[1]
$ sahm limit configs/canonical.cfg --simulate 10 --set chip.corse=1 ; sahm limit workloads/suites/small/xz.csv -o no/such/folder
sahm: error: --set chip.corse=1: unknown key 'chip.corse'; did you mean 'chip.cores'?
sahm: error: cannot create 'no/such/folder': No such file or directory
[1]
