## Signals of a core, cycle by cycle, in a window: a row where something changes, and the last cycle.
$ sahm core signals tests/data/streams/sort.stream -c rocket --from 5030 --cycles 60 --events instruction,uop-issued,fetch-bubble,dcache-blocked,recovering,icache-blocked,icache-refill,dcache-miss,interlock-long
cycle,instruction,uop_issued,fetch_bubble,dcache_blocked,recovering,icache_blocked,icache_refill,dcache_miss,interlock_long
5030,0,0,1,0,0,1,1,0,0
5037,0,0,1,0,0,0,0,0,0
5039,0,1,0,0,0,0,0,0,1
5040,0,0,0,1,0,0,0,0,1
5081,0,0,0,1,0,0,0,1,1
5082,0,0,0,1,0,0,0,0,1
5089,0,0,0,1,0,0,0,0,1
$ sahm core signals tests/data/streams/sort.stream -c boom-large --from 5040 --cycles 100 --events fetch-bubble,uop_issued,recovering --events BRANCH_MISPREDICTION,UOP_RETIRED
cycle,fetch_bubble,uop_issued,recovering,branch_misprediction,uop_retired
5040,0,0,1,0,0
5060,0,0,0,0,0
5061,4,3,0,0,0
5062,7,7,0,0,0
5063,7,0,0,0,1
5064,7,0,0,0,7
5065,7,0,0,0,1
5066,7,0,0,0,0
5139,7,0,0,0,0
$ sahm core signals tests/data/streams/rv64.stream -c rocket --events DCACHE_MISS,LOAD --from 1000 --cycles 300 --json
{
  "schema": "sahm-core-signals/1",
  "stream": "tests/data/streams/rv64.stream",
  "core": "rocket",
  "from": 1000,
  "signals": [
    {"name": "dcache_miss", "lanes": 1, "help": "misses of L1D"},
    {"name": "load", "lanes": 1, "help": "integer loads retired"}
  ],
  "rows": [
    [1000, 0, 0],
    [1157, 0, 1],
    [1158, 0, 0],
    [1182, 0, 1],
    [1183, 0, 0],
    [1207, 0, 1],
    [1208, 0, 0],
    [1232, 0, 1],
    [1233, 0, 0],
    [1257, 0, 1],
    [1258, 0, 0],
    [1282, 0, 1],
    [1283, 0, 0],
    [1299, 0, 0]
  ],
  "cycles": 300
}
## All forms have the same rows. A value change dump is read by a parser of its own; programs of IPUs read the others.
$ cd "$T"; s="$OLDPWD"/tests/data/streams/sort.stream; for f in csv vcd sig json; do sahm core signals "$s" -c boom-large --from 3000 --cycles 2000 -o w.$f; done; awk -f "$OLDPWD/tests/tools/vcd_csv.awk" w.vcd | cmp - w.csv; sahm ipu signals w.sig - | cmp - w.csv; sed -n 's/^    \[\(.*\)\],\?$/\1/p' w.json | tr -d ' ' | sed "1i$(head -1 w.csv)" | cmp - w.csv; sahm ipu signals w.csv | head -4; head -12 w.vcd
-: 80 rows
w.csv
  form: CSV, a row per change
  rows: 80
  cycles: 3000 to 4999
$comment @ROOT@/tests/data/streams/sort.stream on boom-large, a cycle of the core in each ns $end
$timescale 1 ns $end
$scope module core $end
$var wire 3 ! instruction [2:0] $end
$var wire 3 " uop_retired [2:0] $end
$var wire 3 # fence_retired [2:0] $end
$var wire 5 $ uop_issued [4:0] $end
$var wire 3 % fetch_bubble [2:0] $end
$var wire 3 & dcache_blocked [2:0] $end
$var wire 1 ' recovering $end
$var wire 1 ( icache_blocked $end
$var wire 1 ) icache_refill $end
## Windows continue each other: what follows does not depend on where a window begins, nor do lanes on what else is written.
$ cd "$T"; s="$OLDPWD"/tests/data/streams/x86-64.stream; for c in u74 boom-small golden-cove; do sahm core signals "$s" -c $c --cycles 900 --events all -o a.vcd --force; awk -f "$OLDPWD/tests/tools/vcd_csv.awk" a.vcd >a.rows; sahm core signals "$s" -c $c --from 300 --cycles 600 --events all -o b.vcd --force; awk -f "$OLDPWD/tests/tools/vcd_csv.awk" b.vcd >b.rows; tail -n +3 b.rows | grep -cvxF -f a.rows; done; true
0
0
0
## What the core shows an IPU: the first and the last row of a window have all levels. A window that begins later has the same rows.
$ sahm core signals tests/data/streams/rv64.stream -c tea --abi pics --from 320 --cycles 12
cycle,itlb,icache,dtlb,dcache,llc,sq_full,mispredicted,exception,violation,recycle,rob_empty,fetch,dispatch,lsq,head,flush,commit
320,,,,,,,,,,,0,65950,0,0,65864,0,0
331,,,,,,,,,,,0,65950,0,0,65864,0,0
$ cd "$T"; s="$OLDPWD"/tests/data/streams/sort.stream; sahm core signals "$s" -c tea --abi pics --cycles 3000 -o a.csv; sahm core signals "$s" -c tea --abi pics --cycles 3000 -o a.sig; sahm ipu signals a.sig - 2>/dev/null | cmp - a.csv; sahm core signals "$s" -c tea --abi pics --from 2000 --cycles 500 -o b.csv; tail -n +3 b.csv | sed '$d' | grep -cvxF -f a.csv; sahm ipu signals a.sig --abi pics
0
a.sig
  form: binary, a row per change
  rows: 148
  cycles: 0 to 2999
  itlb: 2 values
  icache: 5 values
  dtlb: 5 values
  dcache: 11 values
  llc: 6 values
  sq_full: 0 values
  mispredicted: 6 values
  exception: 0 values
  violation: 0 values
  recycle: 0 values
  rob_empty: 18 values of a level
  fetch: 35 values of a level
  dispatch: 58 values of a level
  lsq: 58 values of a level
  head: 70 values of a level
  flush: 7 values of a level
  commit: 85 values of a level
  input sets by 'pics': 22
$ sahm core signals tests/data/streams/rv64.stream -c tea --abi pics --from 1110
sahm: error: --from 1110: the last cycle is 1109
[2]
$ sahm core signals tests/data/streams/rv64.stream -c tea --abi pics --from 1109 --cycles 5
the stream ends after 1 of the 5 cycles
cycle,itlb,icache,dtlb,dcache,llc,sq_full,mispredicted,exception,violation,recycle,rob_empty,fetch,dispatch,lsq,head,flush,commit
1109,,,,,,,,1,,,0,0,0,65934,65946,65946,65946
$ sahm core signals tests/data/streams/rv64.stream -c tea --abi pics --events all
sahm: error: --abi says which signals are written: without --events
[2]
$ sahm core signals tests/data/streams/rv64.stream -c tea --abi pics --json
sahm: error: --abi writes CSV, or to a file that ends in .sig
[2]
$ sahm core signals tests/data/streams/rv64.stream -c tea --abi pics --overlap 3
sahm: error: --overlap is of the whole stream and goes to standard output: without --abi
[2]
$ sahm core signals tests/data/streams/rv64.stream -c tea --abi pisc
sahm: error: no ABI spec is called 'pisc'; did you mean 'pics'? (a path of your own has a / or a . in it)
[2]
## Over the whole stream: slots in doubt between two classes, and lengths of recoveries.
$ sahm core signals tests/data/streams/sort.stream -c boom-large -c rocket --overlap 50 --recoveries
Slots in doubt: fetch bubbles within 50 cycles of both a refill of L1I and a recovery. A class can change by these, in % of itself:
stream       core         slots  in doubt      %  formulas   Frontend, %  +-, %  BadSpec, %   +-, %
---------------------------------------------------------------------------------------------------
sort.stream  boom-large  417999     13258  3.172  published         21.0  15.12        15.7   20.19
                                                  exact             33.1   9.57        17.3   18.29
             rocket      201348      3589  1.782  published         11.2  15.86        11.3   15.82
                                                  exact             19.7   9.07         0.6  282.82

Lengths of recoveries, in cycles:
stream       core        recoveries  cycles  most frequent  % of them  median  90 %  99 %  longest
--------------------------------------------------------------------------------------------------
sort.stream  boom-large         259   19036              8       76.1       8   278   318      318
             rocket             320   17923              3       80.9       3   273   313      313
$ sahm core signals tests/data/streams/*.stream -c boom-small --overlap 50 --recoveries
Slots in doubt: fetch bubbles within 50 cycles of both a refill of L1I and a recovery. A class can change by these, in % of itself:
stream         core         slots  in doubt      %  formulas   Frontend, %  +-, %  BadSpec, %  +-, %
----------------------------------------------------------------------------------------------------
rv64.stream    boom-small    1114        35  3.142  published         52.8   5.95         5.7  55.56
                                                    exact             52.8   5.95         5.4  58.33
sort.stream    boom-small  184781      3891  2.106  published         15.5  13.56        11.5  18.27
                                                    exact             24.7   8.52        11.0  19.19
x86-64.stream  boom-small    2050        62  3.024  published         41.6   7.27         3.4  90.23
                                                    exact             41.6   7.27         5.4  55.86
----------------------------------------------------------------------------------------------------
all streams    boom-small  187945      3988  2.122  published         16.0  13.23        11.4  18.62
                                                    exact             25.1   8.47        10.9  19.50

Lengths of recoveries, in cycles:
stream         core        recoveries  cycles  most frequent  % of them  median  90 %  99 %  longest
----------------------------------------------------------------------------------------------------
rv64.stream    boom-small           5      42              8       80.0       8    10    10       10
sort.stream    boom-small         259   19036              8       76.1       8   278   318      318
x86-64.stream  boom-small           5      42              8       80.0       8    10    10       10
----------------------------------------------------------------------------------------------------
all streams    boom-small         269   19120              8       76.2       8   278   318      318
$ sahm core signals tests/data/streams/sort.stream -c boom-large --overlap 50 --csv
stream,core,config_hash,sampled_epochs,padding_cycles,slots,slots_in_doubt,bound,formulas,class,share,perturbation
tests/data/streams/sort.stream,boom-large,5604fbddb334290c43051c27962085793d15a2bec1ed024f8e87459fbedb1c58,"",50,417999,13258,0.03171777922913691,published,Frontend,0.20974212856968558,0.1512227393010311
tests/data/streams/sort.stream,boom-large,5604fbddb334290c43051c27962085793d15a2bec1ed024f8e87459fbedb1c58,"",50,417999,13258,0.03171777922913691,published,BadSpec,0.15711759155846342,0.20187287059663675
tests/data/streams/sort.stream,boom-large,5604fbddb334290c43051c27962085793d15a2bec1ed024f8e87459fbedb1c58,"",50,417999,13258,0.03171777922913691,exact,Frontend,0.33146490781078425,0.09568970494832264
tests/data/streams/sort.stream,boom-large,5604fbddb334290c43051c27962085793d15a2bec1ed024f8e87459fbedb1c58,"",50,417999,13258,0.03171777922913691,exact,BadSpec,0.17345974511900747,0.18285383278625217
$ sahm core signals tests/data/streams/x86-64.stream -c boom-large --recoveries --csv
stream,core,config_hash,sampled_epochs,length_cycles,recoveries,share_up_to
tests/data/streams/x86-64.stream,boom-large,5604fbddb334290c43051c27962085793d15a2bec1ed024f8e87459fbedb1c58,"",8,4,0.8
tests/data/streams/x86-64.stream,boom-large,5604fbddb334290c43051c27962085793d15a2bec1ed024f8e87459fbedb1c58,"",10,1,1
$ sahm core signals tests/data/streams/x86-64.stream -c rocket --overlap 20 --recoveries --json
{
  "schema": "sahm-core-temporal/1",
  "runs": [
    {
      "stream": "tests/data/streams/x86-64.stream",
      "core": "rocket",
      "core_name": "Rocket (Icicle)",
      "config_hash": "4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab",
      "cycles": 2389,
      "overlap": {
        "padding_cycles": 20,
        "slots": 2389,
        "slots_in_doubt": 0,
        "bound": 0.0,
        "published": {
          "Frontend": {"share": 0.2423608204269569, "perturbation": 0.0},
          "BadSpec": {"share": 0.04897446630389284, "perturbation": 0.0}
        },
        "exact": {
          "Frontend": {"share": 0.2423608204269569, "perturbation": 0.0},
          "BadSpec": {"share": 0.017580577647551276, "perturbation": 0.0}
        }
      },
      "recoveries": 10,
      "lengths": [
        {"length_cycles": 3, "recoveries": 9, "share_up_to": 0.9},
        {"length_cycles": 6, "recoveries": 1, "share_up_to": 1.0}
      ]
    }
  ]
}
$ sahm core signals tests/data/streams/*.stream -c boom-small -c u74 --overlap 9 -j 1 --csv >"$T/a.csv"; sahm core signals tests/data/streams/*.stream -c boom-small -c u74 --overlap 9 -j 4 --csv | cmp - "$T/a.csv"; grep -c . "$T/a.csv"
25
## Mistakes.
$ sahm core signals tests/data/streams/sort.stream --from 90242
sahm: error: --from 90242: the last cycle is 90241
[2]
$ sahm core signals tests/data/streams/sort.stream --from 90240 --cycles 10 --events recovering
the stream ends after 2 of the 10 cycles
cycle,recovering
90240,0
90241,0
$ sahm core signals tests/data/streams/sort.stream --events recoverin
sahm: error: 'recoverin' is neither a signal nor an event of boom; did you mean 'recovering'?
[2]
$ sahm core signals tests/data/streams/sort.stream -c u74 --events UTLB_MISSES
sahm: error: 'UTLB_MISSES' is neither a signal nor an event of u74; did you mean 'UTLB_MISS'?
[2]
$ sahm core signals tests/data/streams/sort.stream -c boom-large --events DATA_TLB_MISS
sahm: error: 'DATA_TLB_MISS' is an event of u74, and the core has those of boom: -s events=u74 gives it the others
[2]
$ sahm core signals tests/data/streams/sort.stream --events recovering,tlb-walk,RECOVERING -c rocket
sahm: error: 'recovering' is named twice
[2]
$ sahm core signals tests/data/streams/sort.stream --events all
sahm: error: 39 signals: CSV and .sig have room for 32; name fewer, or use -o FILE.vcd or --json
[2]
$ sahm core signals tests/data/streams/sort.stream -o x.fst
sahm: error: 'x.fst' ends in none of .vcd, .csv, .json, .sig
[2]
$ sahm core signals tests/data/streams/sort.stream -o "$T/new.csv" --json
sahm: error: the name of --output says its form: without --json and --csv
[2]
$ sahm core signals tests/data/streams/sort.stream -c rocket -c u74
sahm: error: signals are those of one stream on one core
[2]
$ sahm core signals tests/data/streams/sort.stream --overlap 50 --from 7
sahm: error: --overlap is of the whole stream and goes to standard output: without --from
[2]
$ sahm core signals tests/data/streams/sort.stream --overlap 50 --recoveries --csv
sahm: error: --csv has rows of either --overlap or --recoveries
[2]
$ sahm core signals tests/data/streams/sort.stream --plot p
sahm: error: --plot needs --recoveries, whose lengths it draws
[2]
$ sahm core signals
sahm: error: a stream is missing: sahm core signals STREAM..., sahm core signals --suite open, or sahm core signals -- COMMAND
[2]
$ cd "$T"; touch w.vcd; sahm core signals "$OLDPWD/tests/data/streams/sort.stream" -o w.vcd
sahm: error: 'w.vcd' exists already; --force replaces it, -o names another
[2]
