## perf stat on a machine without PMU: software events stand in for counters, by the user's word alone
$ echo "-m instructions=1000000*task-clock -m branches=page-faults+context-switches -m branch_misses=context-switches -a l1i_misses=0 -m l1d_accesses=page-faults -a l1d_misses=0 -a l2_accesses=0 -a l2_misses=0" >"$T/map"
$ cd tests/data/import; for f in perf_I100_human.txt perf_I100_x_comma.csv perf_I100_x_semicolon.csv perf_I100_j.json perf_I100_summary.csv perf_I100_summary_human.txt perf_I100_x_comma_append.csv; do sahm trace import $f $(cat "$T/map") --force -o "$T/x.csv"; grep -v '^#' "$T/x.csv" | sed -n '2p;$p'; done
sahm: warning: perf_I100_human.txt: intervals of 100.166 to 107.434 ms are taken for 100 ms each (--by-time --epoch-ms 100 cuts them to size)
@T@/x.csv: 10 epochs of 100 ms; read as perf-text (-f chooses another)
57960000,7259,90,0,7169,0,0,0
62770000,14,10,0,4,0,0,0
sahm: warning: perf_I100_x_comma.csv: intervals of 100.218 to 107.811 ms are taken for 100 ms each (--by-time --epoch-ms 100 cuts them to size)
@T@/x.csv: 12 epochs of 100 ms; read as perf-csv (-f chooses another)
45550000,4402,61,0,4341,0,0,0
39150000,10,6,0,4,0,0,0
sahm: warning: perf_I100_x_semicolon.csv: intervals of 100.152 to 107.806 ms are taken for 100 ms each (--by-time --epoch-ms 100 cuts them to size)
sahm: warning: perf_I100_x_semicolon.csv: the last row lasts 23.715 ms and is an epoch of 100 ms all the same
@T@/x.csv: 11 epochs of 100 ms; read as perf-csv (-f chooses another)
49630000,6184,85,0,6099,0,0,0
14690000,6,2,0,4,0,0,0
sahm: warning: perf_I100_j.json: intervals of 100.157 to 109.183 ms are taken for 100 ms each (--by-time --epoch-ms 100 cuts them to size)
@T@/x.csv: 10 epochs of 100 ms; read as perf-json (-f chooses another)
51451132,6026,69,0,5957,0,0,0
62062226,15,11,0,4,0,0,0
sahm: warning: perf_I100_summary.csv:113: 10 lines passed over: a summary of what stands above; this one first
sahm: warning: perf_I100_summary.csv: intervals of 100.217 to 108.475 ms are taken for 100 ms each (--by-time --epoch-ms 100 cuts them to size)
sahm: warning: perf_I100_summary.csv: the last row lasts 19.9561 ms and is an epoch of 100 ms all the same
@T@/x.csv: 11 epochs of 100 ms; read as perf-csv (-f chooses another)
54880000,6055,83,0,5972,0,0,0
10800000,4,1,0,3,0,0,0
sahm: warning: perf_I100_summary_human.txt:115: 15 lines passed over: a summary of what stands above; this one first
@T@/x.csv: 11 epochs of 100 ms; read as perf-text (-f chooses another)
59230000,7199,94,0,7105,0,0,0
56200000,13,9,0,4,0,0,0
sahm: warning: perf_I100_x_comma_append.csv: 2 recordings are put one after the other (--recording N takes one)
sahm: warning: perf_I100_x_comma_append.csv: intervals of 8.21877 to 107.995 ms are taken for 100 ms each (--by-time --epoch-ms 100 cuts them to size)
@T@/x.csv: 21 epochs of 100 ms; read as perf-csv (-f chooses another)
47600000,5544,75,0,5469,0,0,0
46990000,10,6,0,4,0,0,0
$ cat "$T/x.csv" | grep '^#'
# sahm trace 1
# name: perf_I100_x_comma_append
# source: recorded
# tool: perf stat -I -x
# date: Fri Nov 20 20:19:44 2026
# event.instructions: 1000000 * task-clock
# event.branches: page-faults + context-switches
# event.branch_misses: context-switches
# event.l1i_misses: 0 an epoch, assumed
# event.l1d_accesses: page-faults
# event.l1d_misses: 0 an epoch, assumed
# event.l2_accesses: 0 an epoch, assumed
# event.l2_misses: 0 an epoch, assumed
# counted_pct.instructions: mean 100.00, minimum 100.00
# counted_pct.branches: mean 100.00, minimum 100.00
# counted_pct.branch_misses: mean 100.00, minimum 100.00
# counted_pct.l1d_accesses: mean 100.00, minimum 100.00
# origin.instructions: measured
# origin.branches: measured
# origin.branch_misses: measured
# origin.l1i_misses: assumed
# origin.l1d_accesses: measured
# origin.l1d_misses: assumed
# origin.l2_accesses: assumed
# origin.l2_misses: assumed
# epoch_ns: 100000000
$ cd tests/data/import; for n in 1 2 3; do sahm trace import perf_I100_x_comma_append.csv $(cat "$T/map") --recording $n --force -o "$T/x.csv"; done
sahm: warning: perf_I100_x_comma_append.csv:115: 100 lines passed over: of a recording that was not asked for; this one first
sahm: warning: perf_I100_x_comma_append.csv: intervals of 100.165 to 107.995 ms are taken for 100 ms each (--by-time --epoch-ms 100 cuts them to size)
sahm: warning: perf_I100_x_comma_append.csv: the last row lasts 8.21877 ms and is an epoch of 100 ms all the same
@T@/x.csv: 11 epochs of 100 ms; read as perf-csv (-f chooses another)
sahm: warning: perf_I100_x_comma_append.csv:3: 110 lines passed over: of a recording that was not asked for; this one first
@T@/x.csv: 10 epochs of 100 ms; read as perf-csv (-f chooses another)
perf_I100_x_comma_append.csv is read as perf-csv (-f chooses another)
sahm: error: perf_I100_x_comma_append.csv: there is no recording 3, but 2 in all
[1]
$ sahm trace import tests/data/import/perf_I100_x_comma.csv
tests/data/import/perf_I100_x_comma.csv is read as perf-csv (-f chooses another)
sahm: error: tests/data/import/perf_I100_x_comma.csv: no event stands for 'l2_accesses', 'l2_misses'; there are 'task-clock', 'context-switches', 'page-faults', 'cycles', 'instructions', 'branches', 'branch-misses', 'L1-icache-load-misses', 'L1-dcache-loads', 'L1-dcache-load-misses'; say --map l2_accesses=EXPRESSION, or --assume l2_accesses=0, for each of them; events are <not supported>: where perf finds no counters, as in many virtual machines, callgrind counts (docs/tutorial.md)
[1]
$ sahm trace import tests/data/import/perf_I100_x_comma.csv -a l2_accesses=0 -a l2_misses=0
tests/data/import/perf_I100_x_comma.csv is read as perf-csv (-f chooses another)
sahm: error: tests/data/import/perf_I100_x_comma.csv:3: no usable row: an event is not supported ('instructions') (first of 12); events are <not supported>: where perf finds no counters, as in many virtual machines, callgrind counts (docs/tutorial.md)
[1]
$ cd tests/data/import/perf-modes; for f in *; do case $f in cgroup*) ;; *) sahm trace import $f $(cat "$T/map") --force -o "$T/x.csv"; grep -v '^#' "$T/x.csv" | sed -n '2p' ;; esac; done
sahm: warning: A.json: summed over 2 groups: CPU0, CPU1 (--each makes a trace of each, --only NAME of one)
@T@/x.csv: 6 epochs of 100 ms; read as perf-json (-f chooses another)
203241714,21923,232,0,21691,0,0,0
sahm: warning: A.txt: summed over 2 groups: CPU0, CPU1 (--each makes a trace of each, --only NAME of one)
sahm: warning: A.txt: the last row lasts 23.2135 ms and is an epoch of 100 ms all the same
@T@/x.csv: 8 epochs of 100 ms; read as perf-text (-f chooses another)
200600000,17437,265,0,17172,0,0,0
@T@/x.csv: 8 epochs of 100 ms; read as perf-csv (-f chooses another)
96640000,15118,86,0,15032,0,0,0
sahm: warning: colon.csv: the last row lasts 6.29463 ms and is an epoch of 100 ms all the same
@T@/x.csv: 7 epochs of 100 ms; read as perf-csv (-f chooses another)
99970000,15397,0,0,15397,0,0,0
@T@/x.csv: 7 epochs of 100 ms; read as perf-csv (-f chooses another)
95640000,12055,87,0,11968,0,0,0
sahm: warning: per-core.csv: summed over 2 groups: S0-D0-C0, S0-D0-C1 (--each makes a trace of each, --only NAME of one)
sahm: warning: per-core.csv: the last row lasts 3.09486 ms and is an epoch of 100 ms all the same
@T@/x.csv: 13 epochs of 100 ms; read as perf-csv (-f chooses another)
200480000,16222,296,0,15926,0,0,0
sahm: warning: per-core.json: summed over 2 groups: S0-D0-C0, S0-D0-C1 (--each makes a trace of each, --only NAME of one)
@T@/x.csv: 6 epochs of 100 ms; read as perf-json (-f chooses another)
200507016,19821,262,0,19559,0,0,0
sahm: warning: per-socket.txt: the last row lasts 11.6877 ms and is an epoch of 100 ms all the same
@T@/x.csv: 11 epochs of 100 ms; read as perf-text (-f chooses another)
203510000,20187,237,0,19950,0,0,0
sahm: warning: repeated.csv: the last row lasts 0.490687 ms and is an epoch of 100 ms all the same
@T@/x.csv: 9 epochs of 100 ms; read as perf-csv (-f chooses another)
99830000,14305,84,0,14221,0,0,0
sahm: warning: summary.json:31: 4 lines passed over: a summary of what stands above; this one first
sahm: warning: summary.json: the last row lasts 47.8659 ms and is an epoch of 100 ms all the same
@T@/x.csv: 7 epochs of 100 ms; read as perf-json (-f chooses another)
99410554,16047,88,0,15959,0,0,0
sahm: warning: tab.csv: the last row lasts 19.5323 ms and is an epoch of 100 ms all the same
@T@/x.csv: 7 epochs of 100 ms; read as perf-csv (-f chooses another)
97350000,12939,85,0,12854,0,0,0
sahm: warning: thread.csv: summed over 3 groups: python3-24004, python3-24005, python3-23945 (--each makes a trace of each, --only NAME of one)
sahm: warning: thread.csv:3: 6 times a CPU, thread or cgroup was not counted at all, and is taken to have been idle; here first
@T@/x.csv: 6 epochs of 100 ms; read as perf-csv (-f chooses another)
80560000,41381,62,0,41319,0,0,0
sahm: warning: thread.json: summed over 3 groups: python3-24004, python3-24005, python3-23945 (--each makes a trace of each, --only NAME of one)
sahm: warning: thread.json:3: 5 times a CPU, thread or cgroup was not counted at all, and is taken to have been idle; here first
sahm: warning: thread.json: the last row lasts 4.26998 ms and is an epoch of 100 ms all the same
@T@/x.csv: 5 epochs of 100 ms; read as perf-json (-f chooses another)
99002785,56541,57,0,56484,0,0,0
sahm: warning: thread.txt: summed over 3 groups: python3-24004, python3-24005, python3-23945 (--each makes a trace of each, --only NAME of one)
sahm: warning: thread.txt:4: 5 times a CPU, thread or cgroup was not counted at all, and is taken to have been idle; here first
sahm: warning: thread.txt: the last row lasts 4.3792 ms and is an epoch of 100 ms all the same
@T@/x.csv: 5 epochs of 100 ms; read as perf-text (-f chooses another)
100220000,59780,92,0,59688,0,0,0
$ cd tests/data/import/perf-modes; for f in cgroup*; do sahm trace import $f $(cat "$T/map"); sahm trace import $f -m instructions=1000000*task-clock -m branches='page-faults + zero(context-switches)' -m branch_misses='zero(context-switches)' -a l1i_misses=0 -m l1d_accesses=page-faults -a l1d_misses=0 -a l2_accesses=0 -a l2_misses=0 --force -o "$T/x.csv"; done
cgroup.csv is read as perf-csv (-f chooses another)
sahm: error: cgroup.csv:3: no usable row: an event was not counted (idle or unscheduled) ('context-switches') (first of 6)
sahm: warning: cgroup.csv: 5 of 6 rows skipped
sahm: warning: cgroup.csv:7: 5 rows skipped: an event was not counted (idle or unscheduled) ('task-clock'); this one first
@T@/x.csv: 1 epoch of 100 ms; read as perf-csv (-f chooses another)
cgroup.json is read as perf-json (-f chooses another)
sahm: error: cgroup.json:3: no usable row: an event was not counted (idle or unscheduled) ('context-switches') (first of 7)
sahm: warning: cgroup.json: 6 of 7 rows skipped
sahm: warning: cgroup.json:7: 6 rows skipped: an event was not counted (idle or unscheduled) ('task-clock'); this one first
sahm: warning: cgroup.json: the last row lasts 6.65527 ms and is an epoch of 100 ms all the same
@T@/x.csv: 1 epoch of 100 ms; read as perf-json (-f chooses another)
cgroup.txt is read as perf-text (-f chooses another)
sahm: error: cgroup.txt:4: no usable row: an event was not counted (idle or unscheduled) ('context-switches') (first of 8)
sahm: warning: cgroup.txt: 7 of 8 rows skipped
sahm: warning: cgroup.txt:8: 7 rows skipped: an event was not counted (idle or unscheduled) ('task-clock'); this one first
@T@/x.csv: 1 epoch of 100 ms; read as perf-text (-f chooses another)
## CPUs and threads: their sum, each, one
$ cd tests/data/import; sahm trace import perf-modes/thread.csv $(cat "$T/map") --each -o "$T" && sahm trace info "$T"/thread-*.trc | grep -e epochs -e name
sahm: warning: perf-modes/thread.csv: nothing becomes an epoch of 'python3-23945'
sahm: warning: perf-modes/thread.csv: 6 of 18 rows skipped
sahm: warning: perf-modes/thread.csv:3: 6 rows skipped: an event was not counted (idle or unscheduled) ('task-clock'); this one first
@T@/thread-python3-24004.trc: 6 epochs of 100 ms, 1136 bytes; read as perf-csv (-f chooses another)
@T@/thread-python3-24005.trc: 6 epochs of 100 ms, 1136 bytes
  epochs: 6 of 100 ms (0.6 s)
  name: thread-python3-24004
  epochs: 6 of 100 ms (0.6 s)
  name: thread-python3-24005
$ cd tests/data/import; sahm trace import perf-modes/A.txt $(cat "$T/map") --only CPU1 --force -o "$T/x.csv" && tail -n 1 "$T/x.csv"
sahm: warning: perf-modes/A.txt:4: 32 lines passed over: of a CPU, thread or cgroup that was not asked for; this one first
sahm: warning: perf-modes/A.txt: the last row lasts 23.2135 ms and is an epoch of 100 ms all the same
@T@/x.csv: 8 epochs of 100 ms; read as perf-text (-f chooses another)
19550000,716,3,0,713,0,0,0
$ cd tests/data/import; sahm trace import perf-modes/A.txt $(cat "$T/map") --only CPU7 --force -o "$T/x.csv"
perf-modes/A.txt is read as perf-text (-f chooses another)
sahm: error: perf-modes/A.txt: --only: nothing is of 'CPU7'; there are 'CPU0', 'CPU1'
[1]
$ cd tests/data/import; sahm trace import perf_I100_percpu_A.csv -m instructions=1000000*task-clock -a branches=0 -a branch_misses=0 -a l1i_misses=0 -a l1d_accesses=0 -a l1d_misses=0 -a l2_accesses=0 -a l2_misses=0 --by-time --epoch-ms 50 --force -o "$T/x.csv" && tail -n 2 "$T/x.csv"
sahm: warning: perf_I100_percpu_A.csv: the last epoch holds what is left, 38.8597 ms
sahm: warning: perf_I100_percpu_A.csv: summed over 2 groups: CPU0, CPU1 (--each makes a trace of each, --only NAME of one)
@T@/x.csv: 20 epochs of 50 ms; read as perf-csv (-f chooses another)
95815995,0,0,0,0,0,0,0
70391373,0,0,0,0,0,0,0
## callgrind, all parts in one file or a file each, in any order
$ cd tests/data/import; sahm trace import callgrind.combined.out --force -o "$T/x.csv"; cat "$T/x.csv"
sahm: warning: callgrind.combined.out: no time is given, a row is taken for 100 ms
sahm: warning: callgrind.combined.out: branch_misses are those of callgrind's simple predictor, 6 to 16 times those that QEMU's recorder models: do not mix the two (docs/models.md)
@T@/x.csv: 25 epochs of 100 ms, assumed time base; read as callgrind (-f chooses another)
# sahm trace 1
# name: callgrind.combined
# source: modelled
# program: ./w
# tool: callgrind-3.19.0
# machine: I1 cache: 65536 B, 64 B, 16-way associative; D1 cache: 49152 B, 64 B, 12-way associative; LL cache: 503316480 B, 64 B, 30-way associative
# epoch: interval between two dumps of callgrind
# event.instructions: Ir
# event.branches: Bc + Bi
# event.branch_misses: Bcm + Bim
# event.l1i_misses: I1mr
# event.l1d_accesses: Dr + Dw
# event.l1d_misses: D1mr + D1mw
# event.l2_accesses: I1mr + D1mr + D1mw
# event.l2_misses: ILmr + DLmr + DLmw
# origin.instructions: measured
# origin.branches: measured
# origin.branch_misses: modelled
# origin.l1i_misses: modelled
# origin.l1d_accesses: measured
# origin.l1d_misses: modelled
# origin.l2_accesses: modelled
# origin.l2_misses: modelled
# epoch_ns: 100000000
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses
2016281,409505,43504,1102,880522,3528,4630,3997
1671985,388216,38371,0,850730,2358,2358,312
1961195,408026,45532,0,922086,708,708,0
1694930,463648,37817,0,972436,7184,7184,624
5492184,405645,36648,28,975295,181607,181635,28
1709648,390675,39320,0,856871,2116,2116,0
1923232,405560,44213,0,915708,952,952,0
1847567,491477,41312,0,1038229,7181,7181,0
5428113,383564,35721,0,926948,181627,181627,0
1754586,393657,40492,0,867111,1564,1564,0
1794360,397241,40959,0,890968,1482,1482,0
1975159,499790,44698,0,1062881,6587,6587,0
5352153,378975,33405,0,917788,182095,182095,0
1794454,396039,41541,0,872133,1037,1037,0
1699192,390808,38865,0,868095,2133,2133,0
1675884,388415,38331,0,850039,2246,2246,0
5728393,495752,41290,0,1151232,186476,186476,0
1739443,392725,39862,0,865452,532,532,0
1729334,392068,39748,0,864249,2612,2612,0
1753194,393559,40585,0,867013,1673,1673,0
5603889,487620,38151,0,1127353,187048,187048,0
1840000,399359,42853,0,886645,522,522,0
1711134,390990,39135,0,862131,2490,2490,0
1791335,395867,41590,0,871870,1316,1316,0
4262921,249861,10135,176,600140,186298,186474,194
$ cd tests/data/import; sahm trace import callgrind-parts/* -o "$T/y.csv"; sahm trace import callgrind-parts/callgrind.out.1234.3 callgrind-parts/callgrind.out.1234.1 callgrind-parts/callgrind.out.1234 callgrind-parts/callgrind.out.1234.2 -o "$T/z.csv" 2>&1 | tail -n 1; for f in y z; do grep -v '^#' "$T/$f.csv"; done | sort | uniq -c | sed 's/^ *//'
sahm: warning: callgrind-parts/callgrind.out.1234:6: parts 4 to 24 are missing in front of it
sahm: warning: callgrind-parts/callgrind.out.1234: no time is given, a row is taken for 100 ms
sahm: warning: callgrind-parts/callgrind.out.1234: branch_misses are those of callgrind's simple predictor, 6 to 16 times those that QEMU's recorder models: do not mix the two (docs/models.md)
@T@/y.csv: 4 epochs of 100 ms, assumed time base; read as callgrind (-f chooses another)
@T@/z.csv: 4 epochs of 100 ms, assumed time base; read as callgrind (-f chooses another)
2 1671985,388216,38371,0,850730,2358,2358,312
2 1961195,408026,45532,0,922086,708,708,0
2 2016281,409505,43504,1102,880522,3528,4630,3997
2 4262921,249861,10135,176,600140,186298,186474,194
2 instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses
$ cd tests/data/import/callgrind-parts; sahm trace import callgrind.out.1234 --force -o "$T/x.csv"; sahm trace import callgrind.out.1234.1 callgrind.out.1234.1
sahm: warning: callgrind.out.1234:6: part 25 is only a part: give all files of the process at once
sahm: warning: callgrind.out.1234: no time is given, a row is taken for 100 ms
sahm: warning: callgrind.out.1234: branch_misses are those of callgrind's simple predictor, 6 to 16 times those that QEMU's recorder models: do not mix the two (docs/models.md)
@T@/x.csv: 1 epoch of 100 ms, assumed time base; read as callgrind (-f chooses another)
callgrind.out.1234.1 is read as callgrind (-f chooses another)
sahm: error: callgrind.out.1234.1:6: part 1 is there twice, here and at callgrind.out.1234.1:6
[1]
## tables: the Opteron servers, with all that is wrong with them
$ cd tests/data/import; for f in opteron-*.csv; do sahm trace import $f -p source=recorded -m time_s=timestamp -m l2_accesses=REQUESTS_TO_L2 -m l2_misses=L2_CACHE_MISS -o "$T/$f"; done; grep '^#' "$T/opteron-6140-web_search.csv"; tail -n 2 "$T/opteron-6140-web_search.csv"
sahm: warning: opteron-6140-data_analytics.csv: 1 of 28 rows skipped
sahm: warning: opteron-6140-data_analytics.csv:27: 1 row skipped: a part exceeds its whole, such as more misses than accesses ('l2_misses')
sahm: warning: opteron-6140-data_analytics.csv:11: time does not advance at 1 row: another recording is taken to begin there
sahm: warning: opteron-6140-data_analytics.csv:19: 1 gap, 2960 s in all, are closed
sahm: warning: opteron-6140-data_analytics.csv:5: 12 epochs with more branches or data accesses than instructions, this one first
@T@/opteron-6140-data_analytics.csv: 27 epochs of 2000 ms; read as csv (-f chooses another)
sahm: warning: opteron-6140-web_search.csv: 2 of 20 rows skipped
sahm: warning: opteron-6140-web_search.csv:9: 2 rows skipped: a part exceeds its whole, such as more misses than accesses ('l2_misses'); this one first
sahm: warning: opteron-6140-web_search.csv:18: time does not advance at 1 row: another recording is taken to begin there
sahm: warning: opteron-6140-web_search.csv:14: 1 gap, 206 s in all, are closed
sahm: warning: opteron-6140-web_search.csv:19: 2 epochs with more branches or data accesses than instructions, this one first
@T@/opteron-6140-web_search.csv: 18 epochs of 2000 ms; read as csv (-f chooses another)
sahm: warning: opteron-6234-web_serving.csv:13: time does not advance at 2 rows, this one first: another recording is taken to begin there
sahm: warning: opteron-6234-web_serving.csv:14: 7 gaps, 4.98634e+06 s in all, are closed
sahm: warning: opteron-6234-web_serving.csv:4: 11 epochs with more branches or data accesses than instructions, this one first
@T@/opteron-6234-web_serving.csv: 23 epochs of 2000 ms; read as csv (-f chooses another)
# sahm trace 1
# name: opteron-6140-web_search
# source: recorded
# event.instructions: instructions
# event.branches: branches
# event.branch_misses: branch-misses
# event.l1i_misses: L1-icache-load-misses
# event.l1d_accesses: L1-dcache-loads
# event.l1d_misses: L1-dcache-load-misses
# event.l2_accesses: REQUESTS_TO_L2
# event.l2_misses: L2_CACHE_MISS
# event.cycles: cpu-cycles
# epoch_ns: 2000000000
25424849,1647224,178659,356614,8445523,2883096,5751248,677275,92725735
11014521,1905682,189131,303560,3239151,1276594,7757620,477560,82292155
$ cd tests/data/import; sahm trace import opteron-6140-web_search.csv -m time_s=timestamp
opteron-6140-web_search.csv is read as csv (-f chooses another)
sahm: error: opteron-6140-web_search.csv: no event stands for 'l2_accesses', 'l2_misses'; there are 'timestamp', 'instructions', 'cpu-cycles', 'branches', 'branch-misses', 'L1-icache-load-misses', 'L1-dcache-loads', 'L1-dcache-load-misses', 'REQUESTS_TO_L2', 'L2_CACHE_MISS'; say --map l2_accesses=EXPRESSION, or --assume l2_accesses=0, for each of them
[1]
$ cd tests/data/import; sahm trace import opteron-6140-web_search.csv -m time_s=timestamp -m l2_accesses=REQUESTS_TOL2 -m l2_misses=L2_CACHE_MISS
opteron-6140-web_search.csv is read as csv (-f chooses another)
sahm: error: opteron-6140-web_search.csv: --map l2_accesses: nothing is called 'REQUESTS_TOL2'; did you mean 'REQUESTS_TO_L2'?
[1]
$ cd tests/data/import; sahm trace import opteron-6140-web_search.csv -m time_s=timestamp -m l2_accesses=branches-instructions -m l2_misses=L2_CACHE_MISS
opteron-6140-web_search.csv is read as csv (-f chooses another)
sahm: error: opteron-6140-web_search.csv: --map l2_accesses: nothing is called 'branches-instructions' (a difference has blanks around its '-', a quotient around its '/')
[1]
$ cd tests/data/import; sahm trace import opteron-6140-web_search.csv -m l2_acceses=REQUESTS_TO_L2
sahm: error: --map: unknown counter 'l2_acceses'; did you mean 'l2_accesses'?
[2]
## what was assumed stays with the trace, and reports say so
$ cd tests/data/import; sahm trace import perf_I100_x_comma.csv $(cat "$T/map") -o "$T/pf.trc" 2>/dev/null; sahm trace slice "$T/pf.trc" --to-epoch 2 -o "$T/cut.csv"; sahm characterize "$T/cut.csv" | head -n 2; sahm trace info --json "$T/cut.csv" | grep counters; printf 'chip: { cores = ({type="baseline";}); };\nworkload: { traces = ("cut.csv"); };\n' >"$T/c.cfg"; sahm run "$T/c.cfg" | tail -n 1
@T@/cut.csv: 2 epochs of 100 ms
states by share of epochs (thresholds: intuitive); same: epochs in the previous one's state
4 of 8 counters assumed: l1i_misses, l1d_misses, l2_accesses, l2_misses
    "assumed_counters": ["l1i_misses", "l1d_misses", "l2_accesses", "l2_misses"],
    "modelled_counters": [],
    "derived_counters": [],
counts                       4 of 8 counters assumed: l1i_misses, l1d_misses, l2_accesses, l2_misses
$ sahm trace import workloads/suites/small/gzip.csv -p origin.branches=guessed --force -o "$T/x.csv"
sahm: error: --provenance: unknown origin 'guessed' (measured, modelled, derived or assumed)
[2]
## tables that look like something else, and their times (synthetic)
$ rest="-p source=synthetic -a branch_misses=0 -a l1i_misses=0 -a l1d_accesses=0 -a l1d_misses=0 -a l2_accesses=0 -a l2_misses=0"; t() { printf "$1" >"$T/wide.csv"; shift; sahm trace import "$T/wide.csv" $rest "$@" --force -o "$T/x.csv"; }; t 'time_s,instructions,branches\n0.050000000,100,20\n0.100000000,101,21\n'; t 'Timestamp,instructions,branches\n0.050000000,100,20\n0.100000000,101,21\n'; t 'Timestamp,instructions,branches\n2026-11-23 23:59:59.98,100,20\n2026-11-24T00:00:00.03,101,21\n'; t 'elapsed_ms,instructions,branches\n50,100,20\n50,101,21\n'; t 'time_s,instructions,branch-instructions,branches\n0.05,100,21,20\n0.1,101,22,21\n'
@T@/x.csv: 2 epochs of 50 ms, synthetic; read as csv (-f chooses another)
@T@/wide.csv is read as csv (-f chooses another)
sahm: error: @T@/wide.csv:2: 'Timestamp' is a time, but '0.050000000' has no unit: say --map time_s="Timestamp" (or time_ms, time_us, time_ns), or --epoch-ms MS for rows of that length
sahm: warning: @T@/wide.csv: 'Timestamp' is taken for when a row ended (--map time_s=COLUMN names another)
@T@/x.csv: 2 epochs of 50 ms, synthetic; read as csv (-f chooses another)
sahm: warning: @T@/wide.csv: 'elapsed_ms' is taken for when a row ended (--map time_s=COLUMN names another)
sahm: warning: @T@/wide.csv: time never advances, a row is taken for 100 ms
@T@/x.csv: 2 epochs of 100 ms, synthetic; read as csv (-f chooses another)
sahm: warning: @T@/wide.csv: branches are taken from 'branches', not from 'branch-instructions' (--map branches="branch-instructions")
@T@/x.csv: 2 epochs of 50 ms, synthetic; read as csv (-f chooses another)
$ printf 'time_ms,cpu,instructions,branches\n50,CPU0,5,1\n50,CPU4,7,2\n100,CPU4,8,3\n' >"$T/cpus.csv"; cd "$T" && sahm trace import cpus.csv -p source=recorded -a branch_misses=0 -a l1i_misses=0 -a l1d_accesses=0 -a l1d_misses=0 -a l2_accesses=0 -a l2_misses=0 --group cpu --only CPU4
sahm: warning: cpus.csv:2: 3 lines passed over: of a CPU, thread or cgroup that was not asked for; this one first
cpus-CPU4.trc: 2 epochs of 50 ms, 736 bytes; read as csv (-f chooses another)
## runs with different events, joined by instructions (synthetic)
$ printf 'instructions,branches,branch_misses,l1i_misses\n100,20,2,1\n300,60,6,3\n' >"$T/a.csv"; printf 'instructions,l1d_accesses,l1d_misses,l2_accesses,l2_misses\n200,80,8,9,1\n100,40,4,3,0\n101,40,4,5,3\n' >"$T/b.csv"; sahm trace import --join -p source=synthetic "$T/a.csv" "$T/b.csv" -o "$T/ab.csv"; cat "$T/ab.csv"
sahm: warning: @T@/a.csv: no time is given, a row is taken for 100 ms
@T@/ab.csv: 2 epochs of 100 ms, synthetic; read as csv (-f chooses another)
# sahm trace 1
# name: a
# source: synthetic
# note: joined by instructions: a.csv, b.csv
# event.instructions: instructions
# event.branches: branches
# event.branch_misses: branch_misses
# event.l1i_misses: l1i_misses
# event.l1d_accesses: l1d_accesses
# event.l1d_misses: l1d_misses
# event.l2_accesses: l2_accesses
# event.l2_misses: l2_misses
# epoch_ns: 100000000
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses
100,20,2,1,40,4,5,1
300,60,6,3,120,12,12,3
$ sahm trace import --join "$T/a.csv"; sahm trace import "$T/a.csv" "$T/b.csv"; sahm trace import --join "$T/a.csv" "$T/a.csv"; printf 'instructions,l1d_accesses\n2,1\n' >"$T/c.csv"; sahm trace import --join "$T/a.csv" "$T/c.csv"
sahm: error: --join needs several files, one for each run
sahm: error: 2 files, but only callgrind's parts belong together as they are: --join joins runs with different events, --rotate windows of one run, sahm trace concat puts traces in a row
sahm: warning: @T@/a.csv: branches are taken from this file, 2 have them
sahm: warning: @T@/a.csv: branch_misses are taken from this file, 2 have them
sahm: warning: @T@/a.csv: l1i_misses are taken from this file, 2 have them
@T@/a.csv is read as csv (-f chooses another)
sahm: error: --join: no event of any file stands for 'l1d_accesses'; say --map l1d_accesses=EXPRESSION, or --assume l1d_accesses=0
@T@/a.csv is read as csv (-f chooses another)
sahm: error: @T@/c.csv: --join: 99.5 % fewer instructions than '@T@/a.csv': not the same program and input
[1]
## what is wrong with a command line
$ for o in "--format perf" "--map branches" "--map branches=" "--map branches=a-" "--map branches=2" "--map branches=a*b" "--assume l1i=0" "--assume l1i_misses=-1" "--each --only CPU0" "--recording 0" "--by-time" "--separator="; do sahm trace import tests/data/import/perf_I100_x_comma.csv $o || echo "$?"; done
sahm: error: --format: unknown format 'perf'; did you mean 'perf-csv'?
2
sahm: error: --map 'branches': written as COUNTER=EXPRESSION
2
sahm: error: --map 'branches=': a name is missing
2
tests/data/import/perf_I100_x_comma.csv is read as perf-csv (-f chooses another)
sahm: error: tests/data/import/perf_I100_x_comma.csv: --map branches: nothing is called 'a-'; there are 'task-clock', 'context-switches', 'page-faults', 'cycles', 'instructions', 'branches', 'branch-misses', 'L1-icache-load-misses', 'L1-dcache-loads', 'L1-dcache-load-misses'
1
sahm: error: --map 'branches=2': no column is named (a value is assumed with --assume)
2
tests/data/import/perf_I100_x_comma.csv is read as perf-csv (-f chooses another)
sahm: error: tests/data/import/perf_I100_x_comma.csv: --map branches: nothing is called 'a'; there are 'task-clock', 'context-switches', 'page-faults', 'cycles', 'instructions', 'branches', 'branch-misses', 'L1-icache-load-misses', 'L1-dcache-loads', 'L1-dcache-load-misses'
1
sahm: error: --assume: unknown counter 'l1i'; did you mean 'l1i_misses'?
2
sahm: error: --assume: 'l1i_misses' is '-1', must be a whole number, 0 or more
2
sahm: error: --each and --only exclude each other
2
sahm: error: --recording is '0', must be a whole number from 1 on
2
sahm: error: --by-time needs the length of an epoch (--epoch-ms)
2
sahm: error: --separator is empty
2
$ sahm trace import workloads/suites/small/gzip.csv workloads/suites/small/xz.csv; sahm trace import --format sahm --join workloads/suites/small/gzip.csv workloads/suites/small/xz.csv
sahm: error: 2 files, but only callgrind's parts belong together as they are: --join joins runs with different events, --rotate windows of one run, sahm trace concat puts traces in a row
sahm: error: --format sahm: a trace of our own form takes no option but --epoch-ms and --provenance
[2]
$ sahm trace import tests/data/import; sahm trace import no/such/file; sahm trace import /dev/null
sahm: error: cannot read 'tests/data/import': Is a directory
sahm: error: cannot open 'no/such/file': No such file or directory
sahm: error: /dev/null: the file is empty
[1]
