## Traces, suites and shipped configurations, without a configuration of one's own.
$ cd "$T"; for what in open small real open-39 open.cfg gzip "$OLDPWD/workloads/suites/small"; do sahm run "$what" | head -n 3; done
configuration  open on canonical.cfg (6648985372dcc65c)
chip           5 cores: baseline, Branch +30 %, L1I +30 %, L1D +30 %, L2 +30 %
workload       26 threads on 5 cores; 26 traces, 26 with an assumed time base
configuration  small on canonical.cfg (acec8882a69a520b)
chip           5 cores: baseline, Branch +30 %, L1I +30 %, L1D +30 %, L2 +30 %
workload       8 threads on 5 cores; 8 traces, 8 with an assumed time base
configuration  real on canonical.cfg (acec8882a69a520b)
chip           5 cores: baseline, Branch +30 %, L1I +30 %, L1D +30 %, L2 +30 %
workload       8 threads on 5 cores; 8 traces, 8 with an assumed time base
configuration  open-39.cfg (4eb6d8d5a869812a)
chip           39 cores: baseline x 7, Branch +30 % x 8, L1I +30 % x 8, L1D +30 % x 8, L2 +30 % x 8
workload       39 threads together; 26 traces, 26 with an assumed time base
configuration  open.cfg (e356f53b9b689e1e)
chip           5 cores: baseline, Branch +30 %, L1I +30 %, L1D +30 %, L2 +30 %
workload       26 threads, each with the whole chip; 26 traces, 26 with an assumed time base
configuration  gzip on canonical.cfg (0349ae04850bb738)
chip           5 cores: baseline, Branch +30 %, L1I +30 %, L1D +30 %, L2 +30 %
workload       1 thread; 1 trace, 1 with an assumed time base
configuration  small on canonical.cfg (acec8882a69a520b)
chip           5 cores: baseline, Branch +30 %, L1I +30 %, L1D +30 %, L2 +30 %
workload       8 threads on 5 cores; 8 traces, 8 with an assumed time base
$ cd "$T"; sahm run gzip xz zstd perl bzip2 --chip '2*baseline,l2:30,branch+l1i:30/20%,berti' | head -n 4; sahm run open-39 --chip 39*l1d:20 --set chip.cores[0].count=40 | head -n 2
configuration  gzip, xz, zstd, perl, bzip2 on canonical.cfg (2f9e1be0c8317835)
chip           5 cores: baseline x 2, L2 +30 %, L1I+Branch +20/+30 %, berti +13 %
workload       5 threads together; 5 traces, 5 with an assumed time base
scheduler      sahm, inertia 5, timestep 10 ms, observes the last timestep; 1 ms per migration
configuration  open-39.cfg (a7a7f007dc50aa7f)
chip           40 cores: L1D +20 % x 40
## What is run can be printed as a configuration, which gives the same.
$ cd "$T"; sahm run small --chip baseline,l2:30 --print-config >small.cfg; sahm run small.cfg --csv >a.csv; sahm run small --chip baseline,l2:30 --csv >b.csv; cmp a.csv b.csv; printf 'traces = [ "gzip", "x264" ];' >two.cfg; sahm run two.cfg | sed -n 3p; sahm characterize two.cfg xz | tail -n +5 | cut -c 1-20; sahm characterize small | sed -n 2p
workload       2 threads together; 2 traces, 2 with an assumed time base
--------------------
gzip                
x264                
xz                  
--------------------
mean (assumed time b
8 traces, assumed time base
## A path has a '/' in it; a name need not.
$ cd "$T"; mkdir open; cp "$OLDPWD"/workloads/suites/small/xz.csv open; sahm run open | sed -n 3p; sahm run ./open | sed -n 3p; cp open/xz.csv mine.csv; sahm run mine.csv gzip | sed -n 3p
workload       26 threads on 5 cores; 26 traces, 26 with an assumed time base
workload       1 thread; 1 trace, 1 with an assumed time base
workload       2 threads together; 2 traces, 2 with an assumed time base
## All commands that read a trace find it by these names; `limit` takes what `run` takes.
$ cd "$T"; rm -r open; for name in xz open/xz; do sahm trace info "$name" | sed -n 2p; sahm trace export "$name" | wc -l; sahm trace resample "$name" --epoch-ms 200 | wc -l; sahm limit "$name" --csv | sed -n 2p; done; sahm limit small --csv | wc -l; sahm limit open-39 | sed -n 1,3p; sahm limit open.cfg | head -n 1
  epochs: 131 of 100 ms (13.1 s)
149
xz-resample.trc: 66 epochs of 200 ms, 2976 bytes, assumed time base; the last one holds what is left, 100 ms
0
trace,xz,131,0.30000000000000004,0.20499219087873866,0,0.1424418604651163,0.20424278137890406,0.2866355140186916,0.30000000000000004,,,no,yes
  epochs: 520 of 100 ms (52 s)
540
xz-resample-2.trc: 260 epochs of 200 ms, 8192 bytes, assumed time base
0
trace,xz,520,0.30000000000000004,0.22561773711424243,0,0.19331129441217065,0.24698845691606808,0.2981303930968361,0.30000000000000004,,,no,yes
13
configuration  open-39.cfg
chip           39 cores: baseline x 7, Branch +30 % x 8, L1I +30 % x 8, L1D +30 % x 8, L2 +30 % x 8
workload       39 threads; 26 traces, 26 with an assumed time base
configuration  open.cfg
$ cd "$T"; sahm trace info small; sahm trace export open-39; sahm limit xz open-39; sahm limit nothing; sahm trace info nothing; sahm limit open/nothing; sahm trace info open/nothing
sahm: error: 'small' is a suite of 8 traces; one trace is taken here
sahm: error: 'open-39' is a configuration; traces and suites are taken here
sahm: error: traces, or one configuration: 'open-39' is not a trace, 'xz' is
sahm: error: 'nothing' is neither a file nor the name of a shipped configuration, suite or trace (`sahm trace list` shows suites and traces)
sahm: error: 'nothing' is neither a file nor the name of a shipped configuration, suite or trace (`sahm trace list` shows suites and traces)
sahm: error: cannot open 'open/nothing': No such file or directory
sahm: error: cannot open 'open/nothing': No such file or directory
[1]
## What is none of these.
$ cd "$T"; sahm run opne; sahm run gzip.trc; sahm run no/such.trc; sahm run open-39 gzip; sahm run gzip configs/open.cfg; sahm characterize open-39; sahm characterize two.cfg nothing
sahm: error: 'opne' is neither a file nor the name of a shipped configuration, suite or trace; did you mean 'open'?
sahm: error: 'gzip.trc' is neither a file nor the name of a shipped configuration, suite or trace; did you mean 'gzip'?
sahm: error: cannot open 'no/such.trc': No such file or directory
sahm: error: 'open-39.cfg' is a configuration, which names its traces itself: name nothing else beside it
sahm: error: cannot open 'configs/open.cfg': No such file or directory; did you mean '@ROOT@/configs/open.cfg'?
sahm: error: 'open-39' is a configuration; traces and suites are taken here
sahm: error: 'nothing' is neither a file nor the name of a shipped configuration, suite or trace (`sahm trace list` shows suites and traces)
[2]
$ cd "$T"; for chip in 0*l2:30 5000*l2:30 x*l2:30 l2 l3:30 l2:30,,l1d:30 '' l2:3x; do sahm run gzip --chip "$chip"; done
sahm: error: '0' is not a number of cores from 1 to 4096, as in 2*l2:30
sahm: error: '5000' is not a number of cores from 1 to 4096, as in 2*l2:30
sahm: error: 'x' is not a number of cores from 1 to 4096, as in 2*l2:30
sahm: error: core type 'l2' needs a speedup in %, as in l2:30
sahm: error: unknown core type 'l3' (sahm help cores lists them)
sahm: error: an empty core type in 'l2:30,,l1d:30'
sahm: error: an empty core type in ''
sahm: error: 'l2:3x' has no valid speedup in % after its colon, such as branch:30
[2]
## A trace of a certain suite, where two have one of that name.
$ for trace in xz small/xz open/xz; do sahm run $trace | grep '^simulated'; done; printf 'chip : { cores = ( { type = "baseline"; } ); };\nworkload : { traces = [ "open/xz" ]; };\n' >"$T/suite.cfg"; sahm run "$T/suite.cfg" | grep '^simulated'
simulated      13.10 s
simulated      13.10 s
simulated      52.00 s
simulated      52.00 s
