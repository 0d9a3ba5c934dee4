## Top-down analysis of a recorded program: formulas beside exact slots, an in-order core and an out-of-order one.
$ sahm core tma tests/data/streams/sort.stream -c golden-cove -c rocket --level 3
Top-down, % of slots:
stream       core         formulas   Retiring  BadSpec  BranchMispredicts  MachineClears  Frontend  FetchLatency  FetchBandwidth  Backend  MemBound  CoreBound
--------------------------------------------------------------------------------------------------------------------------------------------------------------
sort.stream  golden-cove  published       7.5     24.7                8.8            0.4      11.6          22.6           -11.0     56.1      59.7       -3.6
                          released        6.7     24.1                8.8            0.4      11.6          22.6             0.0     57.6      59.7        0.0
                          as-run          6.7      5.8                8.8            0.4      11.6          22.6             0.0     75.9      59.7       16.2
                          exact           7.5     53.3               52.1            1.2      25.1          24.9             0.2     14.0      13.3        0.7
sort.stream  rocket       published      17.9     11.3               11.2            0.0      11.2          19.2            -8.0     59.6      56.4        3.1
                          released       17.9     11.3               11.2            0.0      11.2          19.2             0.0     59.6      56.4        3.1
                          exact          20.3      0.6                0.6            0.0      19.7          19.7             0.0     59.4      56.7        2.7

Top-down of sort.stream on golden-cove: % of 541452 slots, 6 in each of 90242 cycles:
class                published    gap  released    gap  as-run    gap  exact
----------------------------------------------------------------------------
Retiring                   7.5    0.0       6.7   -0.9     6.7   -0.9    7.5
----------------------------------------------------------------------------
BadSpec                   24.7  -28.6      24.1  -29.2     5.8  -47.5   53.3
  BranchMispredicts        8.8  -43.4       8.8  -43.4     8.8  -43.4   52.1
    Resteer                5.8  -42.4       5.8  -42.4     5.8  -42.4   48.2
    RecoveryBubbles        3.0   -0.9       3.0   -0.9     3.0   -0.9    3.9
  MachineClears            0.4   -0.8       0.4   -0.8     0.4   -0.8    1.2
    Resteer                  -      -         -      -       -      -    0.8
    RecoveryBubbles          -      -         -      -       -      -    0.3
----------------------------------------------------------------------------
Frontend                  11.6  -13.5      11.6  -13.5    11.6  -13.5   25.1
  FetchLatency            22.6   -2.3      22.6   -2.3    22.6   -2.3   24.9
    BTB                      -      -         -      -       -      -    0.4
    TLB                      -      -         -      -       -      -    1.1
    line                     -      -         -      -       -      -   23.3
  FetchBandwidth         -11.0  -11.2       0.0   -0.2     0.0   -0.2    0.2
----------------------------------------------------------------------------
Backend                   56.1  +42.1      57.6  +43.5    75.9  +61.9   14.0
  MemBound                59.7  +46.4      59.7  +46.4    59.7  +46.4   13.3
    L2                       -      -         -      -       -      -    0.1
    memory                   -      -         -      -       -      -   13.2
  CoreBound               -3.6   -4.3       0.0   -0.7    16.2  +15.5    0.7
    dependence               -      -         -      -       -      -    0.4
    units-alu                -      -         -      -       -      -    0.2
    units-branch             -      -         -      -       -      -    0.1

Top-down of sort.stream on rocket: % of 201348 slots, 1 in each of 201348 cycles:
class                published    gap  released    gap  exact
-------------------------------------------------------------
Retiring                  17.9   -2.4      17.9   -2.4   20.3
-------------------------------------------------------------
BadSpec                   11.3  +10.6      11.3  +10.6    0.6
  BranchMispredicts       11.2  +10.6      11.2  +10.6    0.6
    Resteer                  -      -         -      -    0.2
    RecoveryBubbles          -      -         -      -    0.5
  MachineClears            0.0    0.0       0.0    0.0    0.0
-------------------------------------------------------------
Frontend                  11.2   -8.4      11.2   -8.4   19.7
  FetchLatency            19.2   -0.4      19.2   -0.4   19.7
    TLB                      -      -         -      -    0.6
    line                     -      -         -      -   19.0
  FetchBandwidth          -8.0   -8.0       0.0    0.0    0.0
-------------------------------------------------------------
Backend                   59.6   +0.2      59.6   +0.2   59.4
  MemBound                56.4   -0.3      56.4   -0.3   56.7
    L2                       -      -         -      -    0.1
    memory                   -      -         -      -   56.2
    store                    -      -         -      -    0.5
  CoreBound                3.1   +0.4       3.1   +0.4    2.7
    dependence               -      -         -      -    2.7

Formulas are of counts by counters of kind add; a gap is a formula's share less the exact one
Formulas see an estimate of wrong paths, which streams do not have
On rocket, formulas count uops that issue and instructions that retire: 2.4 points of BadSpec are further uops of an instruction
$ sahm core tma tests/data/streams/sort.stream -c boom-large --formulas released,exact --approx lane,recovery,issue --counters plain --wrong-path 0 --per-lane --level 1
Top-down of sort.stream on boom-large: % of 417999 slots, 3 in each of 139333 cycles:
class     released    gap  as-run    gap  approx-lane    gap  approx-recovery    gap  approx-issue    gap  exact
----------------------------------------------------------------------------------------------------------------
Retiring       8.6   -1.1     8.6   -1.1          8.6   -1.1              8.6   -1.1           8.6   -1.1    9.8
----------------------------------------------------------------------------------------------------------------
BadSpec       15.2   -2.2     1.2  -16.2         15.2   -2.2              1.5  -15.9          26.7   +9.4   17.3
----------------------------------------------------------------------------------------------------------------
Frontend       7.0  -26.1     7.0  -26.1         21.0  -12.2              7.0  -26.1           7.0  -26.1   33.1
----------------------------------------------------------------------------------------------------------------
Backend       69.2  +29.4    83.2  +43.5         55.2  +15.5             82.9  +43.2          57.6  +17.9   39.7

Lanes of fetch bubbles, in each cycle:
stream       core            0      1      2
--------------------------------------------
sort.stream  boom-large  0.209  0.210  0.210

Lanes of D$ blocked, in each cycle:
stream       core            0      1      2
--------------------------------------------
sort.stream  boom-large  0.558  0.579  0.597

Lanes of uops issued, in each cycle:
stream       core            0      1      2      3      4
----------------------------------------------------------
sort.stream  boom-large  0.124  0.099  0.048  0.022  0.000

Frontend in % of slots, from the bubbles of all lanes, and of one lane times the width:
stream       core        all lanes  first  error, %  second  error, %
---------------------------------------------------------------------
sort.stream  boom-large       21.0   20.9      -0.3    21.0       0.0

What counters of kind plain miss:
stream       core        event           sources  counted  missed  missed, %  at most
-------------------------------------------------------------------------------------
sort.stream  boom-large  uops retired          3    15766   25092       61.4    31532
sort.stream  boom-large  fences retired        3        0       0          -        0
sort.stream  boom-large  uops issued           5    20646   20212       49.5    82584
sort.stream  boom-large  fetch bubbles         3    29310   58362       66.6    58620
sort.stream  boom-large  D$ blocked            3    83187  158379       65.6   166374

Formulas are of counts by counters of kind plain; a gap is a formula's share less the exact one
Formulas see no wrong path: streams have none
## Several streams have sums. Any number of threads gives the same bytes.
$ sahm core tma tests/data/streams/*.stream -c boom-small -j 1 --csv >"$T/a.csv"; sahm core tma tests/data/streams/*.stream -c boom-small -j 4 --csv | cmp - "$T/a.csv"; grep -c . "$T/a.csv"; sahm core tma tests/data/streams/*.stream -c boom-small --level 1 | head -16
161
Top-down, % of slots:
stream         core        formulas   Retiring  BadSpec  Frontend  Backend
--------------------------------------------------------------------------
rv64.stream    boom-small  published      12.3      5.7      52.8     29.3
                           released       12.2      4.9      52.8     30.1
                           as-run         12.2      0.5      52.8     34.6
                           exact          12.3      5.4      52.8     29.5
--------------------------------------------------------------------------
sort.stream    boom-small  published      22.1     11.5      15.5     50.8
                           released       19.5     11.2      15.5     53.7
                           as-run         19.5      0.7      15.5     64.3
                           exact          22.1     11.0      24.7     42.2
--------------------------------------------------------------------------
x86-64.stream  boom-small  published      13.6      3.4      41.6     41.4
                           released        9.5      3.0      41.6     45.9
                           as-run          9.5      0.5      41.6     48.4
## Epochs add up to the whole.
$ sahm core tma tests/data/streams/sort.stream -c tea --formulas exact --level 1 --per-epoch --csv | awk -F, 'NR > 1 { nr[$9] += $12 } END { for (c in nr) print c, nr[c] }' | sort; sahm core tma tests/data/streams/sort.stream -c tea --formulas exact --level 1 --csv | cut -d, -f9,12
Backend 139591
BadSpec 85772
Frontend 152267
Retiring 40858
class,slots
Retiring,40858
BadSpec,85772
Frontend,152267
Backend,139591
$ sahm core tma tests/data/streams/rv64.stream -c u74 -s events=rocket --json --per-lane | head -41
{
  "schema": "sahm-core-tma/1",
  "counters": "add",
  "remarks": [
    "Formulas see an estimate of wrong paths, which streams do not have",
    "On u74, formulas count uops that issue and instructions that retire: 0.1 points of BadSpec are further uops of an instruction"
  ],
  "runs": [
    {
      "stream": "tests/data/streams/rv64.stream",
      "core": "u74",
      "core_name": "SiFive U74-like",
      "config_hash": "6e020b82c9ce631470854241c19964ddb45fe5a53ad2e07cd8fdd72f9ba5d788",
      "width": 2,
      "cycles": 955,
      "counts": {"instructions_retired": 136, "uops_retired": 137, "uops_issued": 146, "fetch_bubbles": 335, "recovering": 43, "icache_blocked": 120, "dcache_blocked": 568, "flushes": 2, "mispredictions": 7, "fences_retired": 1},
      "lanes": {
        "fetch_bubbles": [167, 168],
        "dcache_blocked": [283, 285],
        "uops_issued": [115, 31]
      },
      "shares": {
        "published": {"Retiring": 0.0712041884816754, "BadSpec": 0.050261780104712044, "BadSpec/BranchMispredicts": 0.04909831297265852, "BadSpec/MachineClears": 0.0011634671320535194, "Frontend": 0.17539267015706805, "Frontend/FetchLatency": 0.1256544502617801, "Frontend/FetchBandwidth": 0.049738219895287955, "Backend": 0.7031413612565445, "Backend/MemBound": 0.2973821989528796, "Backend/CoreBound": 0.4057591623036649},
        "released": {"Retiring": 0.0712041884816754, "BadSpec": 0.050261780104712044, "BadSpec/BranchMispredicts": 0.04909831297265852, "BadSpec/MachineClears": 0.0011634671320535194, "Frontend": 0.17539267015706805, "Frontend/FetchLatency": 0.1256544502617801, "Frontend/FetchBandwidth": 0.049738219895287955, "Backend": 0.7031413612565445, "Backend/MemBound": 0.2973821989528796, "Backend/CoreBound": 0.4057591623036649},
        "exact": {"Retiring": 0.07172774869109948, "BadSpec": 0.060732984293193716, "BadSpec/BranchMispredicts": 0.051832460732984295, "BadSpec/MachineClears": 0.008900523560209424, "Frontend": 0.17539267015706805, "Frontend/FetchLatency": 0.17172774869109947, "Frontend/FetchBandwidth": 0.0036649214659685864, "Backend": 0.6921465968586388, "Backend/MemBound": 0.2973821989528796, "Backend/CoreBound": 0.3947643979057592}
      },
      "gaps": {
        "published": {"Retiring": -0.0005235602094240815, "BadSpec": -0.010471204188481673, "BadSpec/BranchMispredicts": -0.002734147760325774, "BadSpec/MachineClears": -0.007737056428155905, "Frontend": 0.0, "Frontend/FetchLatency": -0.04607329842931937, "Frontend/FetchBandwidth": 0.04607329842931937, "Backend": 0.010994764397905699, "Backend/MemBound": 0.0, "Backend/CoreBound": 0.010994764397905699},
        "released": {"Retiring": -0.0005235602094240815, "BadSpec": -0.010471204188481673, "BadSpec/BranchMispredicts": -0.002734147760325774, "BadSpec/MachineClears": -0.007737056428155905, "Frontend": 0.0, "Frontend/FetchLatency": -0.04607329842931937, "Frontend/FetchBandwidth": 0.04607329842931937, "Backend": 0.010994764397905699, "Backend/MemBound": 0.0, "Backend/CoreBound": 0.010994764397905699}
      },
      "slots": {"Retiring": 137, "BadSpec": 116, "BadSpec/BranchMispredicts": 99, "BadSpec/MachineClears": 17, "Frontend": 335, "Frontend/FetchLatency": 328, "Frontend/FetchBandwidth": 7, "Backend": 1322, "Backend/MemBound": 568, "Backend/CoreBound": 754},
      "undercounts": {
        "uops_retired": {"sources": 2, "counted": 137, "truth": 137, "bound": 0},
        "fences_retired": {"sources": 2, "counted": 1, "truth": 1, "bound": 0},
        "uops_issued": {"sources": 2, "counted": 146, "truth": 146, "bound": 0},
        "fetch_bubbles": {"sources": 2, "counted": 335, "truth": 335, "bound": 0},
        "dcache_blocked": {"sources": 2, "counted": 568, "truth": 568, "bound": 0}
      }
    }
  ]
}
$ sahm core tma tests/data/streams/sort.stream -c boom-large --per-lane --csv | cut -d, -f2,5- | head -8
core,epoch,counters,event,lane,count,per_cycle,truth,bound
boom-large,"",add,fetch_bubbles,0,29150,0.20921102682063833,"",""
boom-large,"",add,fetch_bubbles,1,29212,0.20965600396173198,"",""
boom-large,"",add,fetch_bubbles,2,29310,0.21035935492668642,"",""
boom-large,"",add,dcache_blocked,0,77715,0.5577644922595508,"",""
boom-large,"",add,dcache_blocked,1,80664,0.5789296146641499,"",""
boom-large,"",add,dcache_blocked,2,83187,0.5970373134863959,"",""
boom-large,"",add,uops_issued,0,17947,0.12880652824528288,"",""
$ sahm core tma --explain --formulas published -c boom-large | head -24
boom-large:
BOOM, published: the formulas as Icicle prints them
symbol             formula                                                                class
-----------------------------------------------------------------------------------------------------------------------------------
M_total            C_cycle * W_C                                                          -
M_tf               C_flush + C_bm + C_fence                                               -
M_br_mr            M_tf > 0 ? C_bm / M_tf : 0                                             -
M_nf_r             M_tf > 0 ? (C_bm + C_fence) / M_tf : 0                                 -
M_fl_r             M_tf > 0 ? C_flush / M_tf : 0                                          -
M_rl               4                                                                      -
Retiring           C_ret / M_total                                                        Retiring
BadSpec            ((C_issued - C_ret) * M_nf_r + (C_rec + M_rl * C_bm) * W_C) / M_total  BadSpec
Frontend           C_fetch / M_total                                                      Frontend
Backend            1 - Frontend - BadSpec - Retiring                                      Backend
MachineClears      (C_issued - C_ret) * M_fl_r / M_total                                  BadSpec/MachineClears
BranchMispredicts  ((C_issued - C_ret) * M_br_mr + C_rec) / M_total                       BadSpec/BranchMispredicts
Resteers           (C_issued - C_ret) * M_br_mr / M_total                                 BadSpec/BranchMispredicts/Resteer
RecoveryBubbles    C_rec / M_total                                                        BadSpec/BranchMispredicts/RecoveryBubbles
FetchLatency       C_iblk * W_C / M_total                                                 Frontend/FetchLatency
PCResolution       Frontend - FetchLatency                                                Frontend/FetchBandwidth
MemBound           C_db / M_total                                                         Backend/MemBound
CoreBound          Backend - MemBound                                                     Backend/CoreBound

symbol    count, in all lanes unless it names one
## Scalar counters miss nothing where a core has enough of them; distributed ones miss little, within their bound. Epochs add up.
$ sahm core tma tests/data/streams/sort.stream -c boom-large --formulas published --level 1 --counters scalar --csv | cut -d, -f10- >"$T/scalar"; sahm core tma tests/data/streams/sort.stream -c boom-large --formulas published --level 1 --csv | cut -d, -f10- | cmp - "$T/scalar"
$ sahm core tma tests/data/streams/sort.stream -c boom-large -c rocket --formulas published --level 1 --counters distributed --per-lane | sed -n '/What counters/,$p'
What counters of kind distributed miss:
stream       core        event           sources  counted  missed  missed, %  at most
-------------------------------------------------------------------------------------
sort.stream  boom-large  uops retired          3    40852       6        0.0        9
sort.stream  boom-large  fences retired        3        0       0          -        9
sort.stream  boom-large  uops issued           5    46384      21        0.0       35
sort.stream  boom-large  fetch bubbles         3    87668       4        0.0        9
sort.stream  boom-large  D$ blocked            3   241560       6        0.0        9
-------------------------------------------------------------------------------------
sort.stream  rocket      uops retired          1    40858       0        0.0        0
sort.stream  rocket      fences retired        1        0       0          -        0
sort.stream  rocket      uops issued           1    40858       0        0.0        0
sort.stream  rocket      fetch bubbles         1    22623       0        0.0        0
sort.stream  rocket      D$ blocked            1   113640       0        0.0        0

Formulas are of counts by counters of kind distributed; a gap is a formula's share less the exact one
Formulas see an estimate of wrong paths, which streams do not have
On rocket, formulas count uops that issue and instructions that retire: 2.4 points of BadSpec are further uops of an instruction
$ sahm core tma tests/data/streams/sort.stream -c boom-large --formulas published --level 1 --counters distributed --per-epoch --json | grep -o '"uops_issued": [0-9][0-9]*' | awk '{ nr += NR > 1 ? $2 : 0; all = NR == 1 ? $2 : all } END { print all, nr }'
46384 46384
## The key `events` says whose formulas a core has. What no core has is refused, what some do not have is reported; slots need no counts.
$ sahm core tma tests/data/streams/rv64.stream -c u74 -c boom-small --level 1 --approx issue 2>&1 | head -13
u74 has no formulas, only exact shares (-s events=rocket views it as Rocket)
--approx issue: not of u74, which has a U74's events, which lack issue, fetch bubbles and recovering; -s events=rocket or events=boom gives it others
Top-down, % of slots:
stream       core        formulas      Retiring  BadSpec  Frontend  Backend
---------------------------------------------------------------------------
rv64.stream  u74         exact              7.2      6.1      17.5     69.2
rv64.stream  boom-small  published         12.3      5.7      52.8     29.3
                         released          12.2      4.9      52.8     30.1
                         as-run            12.2      0.5      52.8     34.6
                         approx-issue      12.2      4.4      52.8     30.6
                         exact             12.3      5.4      52.8     29.5

Top-down of rv64.stream on u74: % of 1910 slots, 2 in each of 955 cycles:
$ sahm core tma tests/data/streams/rv64.stream -c u74 -s events=boom --level 1 | head -5
Top-down of rv64.stream on u74: % of 1910 slots, 2 in each of 955 cycles:
class     published   gap  released   gap  as-run   gap  exact
--------------------------------------------------------------
Retiring        7.2   0.0       7.1  -0.1     7.1  -0.1    7.2
--------------------------------------------------------------
$ sahm core tma tests/data/streams/rv64.stream -c u74 --json | sed -n '/"width"/,/"shares"/p'
u74 has no formulas, only exact shares (-s events=rocket views it as Rocket)
      "width": 2,
      "cycles": 955,
      "shares": {
$ sahm core tma tests/data/streams/rv64.stream -c u74 --formulas released,exact
sahm: error: --formulas: u74 has a U74's events, which lack issue, fetch bubbles and recovering; -s events=rocket or events=boom gives it others
[2]
$ sahm core tma tests/data/streams/rv64.stream -c rocket --approx recovery
sahm: error: --approx recovery: rocket has Rocket's formulas, which have no approximations
[2]
$ sahm core tma tests/data/streams/rv64.stream -s dispatch_width=1 --approx lane
sahm: error: --approx lane: golden-cove has only one lane
[2]
$ sahm core tma tests/data/streams/rv64.stream --formulas exact --counters plain
sahm: error: --counters has no effect: only formulas and --per-lane are of counts, exact slots are not
[2]
$ sahm core tma --explain --json
sahm: error: --explain prints formulas and stops: without --json
[2]
$ sahm core tma --explain -c rocket tests/data/streams/rv64.stream
sahm: error: --explain prints formulas and stops: 'tests/data/streams/rv64.stream' is too many
[2]
## Mistakes.
$ sahm core tma tests/data/streams/sort.stream -c golden-cove --counters scalar
sahm: error: --counters scalar: formulas need 42 counters on golden-cove, which has at most 29
[2]
$ sahm core tma tests/data/streams/sort.stream --formulas released,exakt
sahm: error: --formulas: 'exakt' must be one of published, released, exact
[2]
$ sahm core tma tests/data/streams/sort.stream --approx lanes
sahm: error: --approx: 'lanes' must be one of lane, recovery, issue
[2]
$ sahm core tma tests/data/streams/sort.stream --level 4
sahm: error: --level is a whole number from 1 to 3, not '4'
[2]
$ sahm core tma tests/data/streams/sort.stream -s 'queues.memory.issue=300'
sahm: error: --set queues.memory.issue=300: 'queues' is a list, whose first element is 'queues[0]'
[2]
$ sahm core tma
sahm: error: a stream is missing: sahm core tma STREAM..., sahm core tma --suite open, or sahm core tma -- COMMAND
[2]
## A core without any of the kinds is left out of tables.
$ sahm core tma --core u74 --core rocket --formulas published tests/data/streams/sort.stream 2>/dev/null | head -8
Top-down, % of slots:
stream       core    formulas   Retiring  BadSpec  BranchMispredicts  MachineClears  Frontend  FetchLatency  FetchBandwidth  Backend  MemBound  CoreBound
---------------------------------------------------------------------------------------------------------------------------------------------------------
sort.stream  rocket  published      17.9     11.3               11.2            0.0      11.2          19.2            -8.0     59.6      56.4        3.1

Top-down of sort.stream on rocket: % of 201348 slots, 1 in each of 201348 cycles:
class                published    gap
-------------------------------------
$ sahm core tma --formulas as-run tests/data/streams/sort.stream
sahm: error: --formulas: 'as-run' must be one of published, released, exact; as-run comes with released
[2]
