## What figures 4.2 to 4.6 of the dissertation show, as tables.
$ sahm characterize --details workloads/suites/small/*.csv
states by share of epochs (thresholds: intuitive); same: epochs in the previous one's state
8 traces, assumed time base

trace                     epochs    same  intervals  epochs/interval  states
-------------------------------------------------------------------------------------------------------------------------------------------------------------------------------
cc1                           19  94.4 %          2              9.5  L1I+Branch 94.7 %, L2+L1I+Branch 5.3 %
gzip                         107  86.8 %         15              7.1  L1D+Branch 89.7 %, Branch 3.7 %, L1D 3.7 %, Low 1.9 %, L2+Branch 0.9 %
perl                          35  82.4 %          7              5.0  L2+Branch 71.4 %, L2+L1D+Branch 28.6 %
python                        55  59.3 %         23              2.4  L1I+Branch 54.5 %, L2+L1D+Branch 23.6 %, L2+Branch 9.1 %, L2+L1D+L1I+Branch 7.3 %, L1D+L1I+Branch 5.5 %
sort                          70  73.9 %         19              3.7  Branch 61.4 %, L2+Branch 38.6 %
sqlite                        31  76.7 %          8              3.9  L1I+Branch 58.1 %, L2+Branch 16.1 %, Branch 12.9 %, L2+L1I+Branch 12.9 %
xz                           131  88.5 %         16              8.2  L2+Branch 40.5 %, L2+L1D+Branch 34.4 %, Branch 25.2 %
zstd                          49  83.3 %          9              5.4  L2 34.7 %, L2+L1D+Branch 32.7 %, L2+Branch 28.6 %, L1D+Branch 4.1 %
-------------------------------------------------------------------------------------------------------------------------------------------------------------------------------
mean (assumed time base)    62.1  80.7 %       12.4              5.0  L1I+Branch 25.9 %, L2+Branch 25.6 %, L2+L1D+Branch 14.9 %, Branch 12.9 %, L1D+Branch 11.7 %, others 8.9 %

assumed time base: share of epochs in each state by set of thresholds, in % (p25, p50: those of the paper); -: never

state               p25   p50  intuitive
----------------------------------------
Low                   -     -        0.2
Branch              4.8  11.1       12.9
L1I+Branch         12.0  22.2       25.9
L1D                   -     -        0.5
L1D+Branch         14.5  18.3       11.7
L1D+L1I+Branch     11.8   7.5        0.7
L2                    -     -        4.3
L2+Branch           8.9   8.3       25.6
L2+L1I+Branch       6.1   5.9        2.3
L2+L1D              4.1   4.1          -
L2+L1D+Branch      21.9  15.8       14.9
L2+L1D+L1I            -   0.3          -
L2+L1D+L1I+Branch  16.0   6.6        0.9

assumed time base: share of all transitions from epoch to epoch, in %, those within a state left out; -: never seen

from \ to                 0     1     3     4     5     7  8     9    11    13    15
------------------------------------------------------------------------------------
 0: Low                      0.12     -     -  0.12     -  -     -     -     -     -
 1: Branch             0.12           -     -  0.12     -  -  2.24     -     -     -
 3: L1I+Branch            -     -           -     -  0.69  -  0.83     -  0.23  0.69
 4: L1D                   -     -     -        0.35     -  -     -     -     -     -
 5: L1D+Branch         0.12  0.24     -  0.35           -  -  0.26     -  0.26     -
 7: L1D+L1I+Branch        -     -  0.69     -     -        -     -     -     -     -
 8: L2                    -     -     -     -     -     -     0.26     -     -     -
 9: L2+Branch             -  2.24  0.23     -  0.38     -  -        0.42  2.90     -
11: L2+L1I+Branch         -     -  1.53     -     -     -  -     -           -     -
13: L2+L1D+Branch         -     -     -     -  0.26     -  -  2.77     -           -
15: L2+L1D+L1I+Branch     -     -  0.69     -     -     -  -     -     -  0.23

assumed time base: lengths of intervals in epochs, and their shares of all intervals and of time, in %

epochs    from  intervals  time
-------------------------------
1       100 ms       43.8   9.5
2-4     200 ms       27.8  17.1
5-9     500 ms       10.7  17.9
10-19      1 s       13.7  36.2
20-49      2 s        3.2  12.2
50-99      5 s        0.8   7.0
$ sahm characterize --details --cuts p25,l2_pct=9 workloads/suites/small/xz.csv | sed 1,9d
assumed time base: share of epochs in each state by set of thresholds, in % (p25, p50: those of the paper); -: never

state           p25   p50  intuitive  p25,l2_pct=9
--------------------------------------------------
Branch            -   9.2       25.2             -
L1D+Branch     12.2  26.0          -          24.4
L2+Branch       0.8   1.5       40.5           0.8
L2+L1I+Branch   0.8   0.8          -           0.8
L2+L1D+Branch  86.3  62.6       34.4          74.0

assumed time base: share of all transitions from epoch to epoch, in %, those within a state left out; -: never seen

from \ to             5     9  11    13
---------------------------------------
 5: L1D+Branch              -   -  0.77
 9: L2+Branch         -         -  0.77
11: L2+L1I+Branch     -  0.77         -
13: L2+L1D+Branch  0.77     -   -

assumed time base: lengths of intervals in epochs, and their shares of all intervals and of time, in %

epochs    from  intervals  time
-------------------------------
1       100 ms       60.0   2.3
2-4     200 ms          -     -
5-9     500 ms          -     -
10-19      1 s          -     -
20-49      2 s       20.0  24.4
50-99      5 s       20.0  73.3
## A single epoch: no transition at all.
$ { grep -v '^# name' workloads/suites/small/cc1.csv | head -n 18; } > "$T/one.csv"; sahm characterize --details "$T/one.csv"
states by share of epochs (thresholds: intuitive); same: epochs in the previous one's state
1 trace, assumed time base

trace                     epochs  same  intervals  epochs/interval  states
-----------------------------------------------------------------------------------------
one                            1     -          1              1.0  L2+L1I+Branch 100.0 %
-----------------------------------------------------------------------------------------
mean (assumed time base)     1.0     -        1.0              1.0  L2+L1I+Branch 100.0 %

assumed time base: share of epochs in each state by set of thresholds, in % (p25, p50: those of the paper); -: never

state                p25    p50  intuitive
------------------------------------------
L2+L1I+Branch          -      -      100.0
L2+L1D+L1I+Branch  100.0  100.0          -

assumed time base: share of all transitions from epoch to epoch, in %, those within a state left out; -: never seen

from \ to          11
---------------------
11: L2+L1I+Branch

assumed time base: lengths of intervals in epochs, and their shares of all intervals and of time, in %

epochs    from  intervals   time
--------------------------------
1       100 ms      100.0  100.0
## Epochs of different lengths: no times beside the bins.
$ sed 's/^# epoch_ns: .*/# epoch_ns: 1000000/' workloads/suites/small/cc1.csv > "$T/short.csv"; sahm characterize --details "$T/short.csv" workloads/suites/small/cc1.csv | tail -n 5
-----------------------
1            50.0   5.3
2-4             -     -
5-9             -     -
10-19        50.0  94.7
## Percentiles of the traces given. The cuts that are printed give the same states again.
$ sahm characterize --cuts percentile:50 workloads/suites/small/sort.csv workloads/suites/small/xz.csv
states by share of epochs (thresholds: percentile:50); same: epochs in the previous one's state
2 traces, assumed time base
percentiles over all epochs of all traces together, those without a value left out; thresholds:
branch_pct=9.9941008,l1i_mpki=0,l1d_pct=1.4835532,l2_pct=19.4940961

trace                     epochs    same  intervals  epochs/interval  states
-------------------------------------------------------------------------------------------------------------------------------------------------------------------------
sort                          70  68.1 %         23              3.0  Low 68.6 %, L2 24.3 %, L2+L1I 4.3 %, L1I 2.9 %
xz                           131  66.2 %         45              2.9  L2+L1D+L1I+Branch 44.3 %, L2+L1D+Branch 14.5 %, L1D 12.2 %, Low 10.7 %, Branch 6.9 %, others 11.5 %
-------------------------------------------------------------------------------------------------------------------------------------------------------------------------
mean (assumed time base)   100.5  67.1 %       34.0              3.0  Low 39.6 %, L2+L1D+L1I+Branch 22.1 %, L2 12.1 %, L2+L1D+Branch 7.3 %, L1D 6.1 %, others 12.7 %
$ sahm characterize --cuts percentile:50 --csv workloads/suites/small/*.csv > "$T/a"; cuts=$(sahm characterize --cuts percentile:50 workloads/suites/small/*.csv | grep ^branch_pct=); sahm characterize --cuts "$cuts" --csv workloads/suites/small/*.csv | cmp - "$T/a" && echo the same
the same
$ sahm characterize --cuts l2_pct=5,percentile:12.5 workloads/suites/small/*.csv | head -n 4
states by share of epochs (thresholds: percentile:12.5,l2_pct=5); same: epochs in the previous one's state
8 traces, assumed time base
percentiles over all epochs of all traces together, those without a value left out; thresholds:
branch_pct=1.8451881,l1i_mpki=0,l1d_pct=0.16716,l2_pct=5
$ sahm characterize --cuts p25,percentile:99.9999999 --json workloads/suites/small/sort.csv | grep -A 5 cuts_values
  "cuts_values": {
    "branch_pct": 4.2810954,
    "l1i_mpki": 0.104902,
    "l1d_pct": 1.1188534,
    "l2_pct": 97.0177495
  },
$ sahm characterize --cuts percentile:50,p25 workloads/suites/small/sort.csv | head -n 1
states by share of epochs (thresholds: p25); same: epochs in the previous one's state
$ cat workloads/suites/small/sort.csv | sahm characterize --cuts percentile:50 - 2>/dev/null | grep ^branch_pct=
branch_pct=4.1480426,l1i_mpki=0,l1d_pct=0.1188579,l2_pct=6.9176465
$ sed 's/^\([0-9]*\),[0-9]*,[0-9]*,/\1,0,0,/' workloads/suites/small/sort.csv > "$T/none.csv"; sahm characterize --cuts percentile:50 "$T/none.csv"; sahm characterize --cuts percentile:50,branch_pct=1 "$T/none.csv" | grep ^branch_pct=
sahm: error: no percentile of 'branch_pct': 'branches' is 0 in every epoch of the traces; give this threshold a value
branch_pct=1,l1i_mpki=0,l1d_pct=0.1188579,l2_pct=6.9176465
$ sahm characterize --cuts percentile:0 workloads/suites/small/sort.csv
sahm: error: --cuts: 'percentile:0' must be percentile:N, N a number from 0.0000001 to 99.9999999
[2]
$ sahm characterize --cuts percentile:100 workloads/suites/small/sort.csv
sahm: error: --cuts: 'percentile:100' must be percentile:N, N a number from 0.0000001 to 99.9999999
[2]
$ sahm characterize --cuts percentile:99.99999999999 workloads/suites/small/sort.csv
sahm: error: --cuts: 'percentile:99.99999999999' must be percentile:N, N a number from 0.0000001 to 99.9999999
[2]
$ sahm characterize --cuts percentile:1e workloads/suites/small/sort.csv
sahm: error: --cuts: 'percentile:1e' must be percentile:N, N a number from 0.0000001 to 99.9999999
[2]
$ sahm characterize --cuts percentile workloads/suites/small/sort.csv
sahm: error: --cuts: 'percentile' must be percentile:N, N a number from 0.0000001 to 99.9999999
[2]
$ sahm characterize --cuts percentil:50 workloads/suites/small/sort.csv
sahm: error: --cuts: unknown set of thresholds 'percentil:50'; did you mean 'percentile:50'?
[2]
## Folders that cannot be.
$ touch "$T/file"; sahm characterize --plot "$T/file" workloads/suites/small/sort.csv > /dev/null
sahm: error: cannot create folder '@T@/file': a file is called so
[1]
$ sahm characterize --plot "$T/no/folder" workloads/suites/small/sort.csv > /dev/null
sahm: error: cannot create folder '@T@/no/folder': No such file or directory
[1]
