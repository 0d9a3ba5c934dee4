## Cycle stacks: which instructions cost time, and why. The stream has no list of files, so its code has no names.
$ sahm core pics tests/data/streams/rv64.stream --top 3
Cycle stacks of tests/data/streams/rv64.stream on tea, counted exactly, in 1/12 of a cycle:
1110 cycles, 136 instructions, CPI 8.162

state     cycles      %  in these cycles
---------------------------------------------------------------
compute    50.00    4.5  uops commit
stalled   714.00   64.3  the oldest uop has not finished
flushed    27.00    2.4  the uop before it flushed the pipeline
drained   319.00   28.7  it has not been fetched or dispatched
---------------------------------------------------------------
all      1110.00  100.0
99 % of stalls without events are shorter than 17 cycles (paper: 5.8)
Of 19 dynamic instructions with events, 10.5 % have several (paper: 30.0 %)

Cycles by instruction: the highest 3 of 38 stacks; % of all cycles
 cycles      %  executions  instruction
----------------------------------------------------------------------------------------------------
 320.00   28.8           1  0x10144
 320.00   28.8           1      DR-L1+DR-TLB         ##############################
 293.75   26.5           8  0x101a2
 292.00   26.3           1      ST-LLC               ###########################
   1.75    0.2           7      ST-L1
 268.33   24.2           1  0x10148
 268.33   24.2           1      ST-TLB+ST-LLC        #########################
----------------------------------------------------------------------------------------------------
 227.92   20.5         126  the other 35
 188.83   17.0         117      Base
  19.00    1.7           2      FL-EX
  18.50    1.7           4      FL-MB
   1.58    0.1           3      3 others
----------------------------------------------------------------------------------------------------
1110.00  100.0         136  all
 320.00   28.8           1      DR-L1+DR-TLB
 292.00   26.3           1      ST-LLC
 268.33   24.2           1      ST-TLB+ST-LLC
 188.83   17.0         117      Base
  19.00    1.7           2      FL-EX
  18.50    1.7           4      FL-MB
   3.33    0.3          10      4 others
$ sahm core pics tests/data/streams/x86-64.stream -c golden-cove --by program
Cycle stacks of tests/data/streams/x86-64.stream on golden-cove, counted exactly, in 1/840 of a cycle:
1018 cycles, 195 instructions, CPI 5.221

state     cycles      %  in these cycles
---------------------------------------------------------------
compute    78.00    7.7  uops commit
stalled   585.00   57.5  the oldest uop has not finished
flushed    39.00    3.8  the uop before it flushed the pipeline
drained   316.00   31.0  it has not been fetched or dispatched
---------------------------------------------------------------
all      1018.00  100.0
99 % of stalls without events are shorter than 165 cycles (paper: 5.8)
Of 49 dynamic instructions with events, 4.1 % have several (paper: 30.0 %)

Cycles by program; % of all cycles
 cycles      %  instructions  program
----------------------------------------------------------------------------------------------------
1018.00  100.0           195  x86-64.stream
 319.71   31.4           146      Base                 #########
 313.25   30.8             1      DR-L1+DR-TLB         #########
 305.25   30.0             1      ST-TLB+ST-LLC        #########
  25.75    2.5             4      FL-MB                #
  19.00    1.9            38      ST-L1                #
  15.50    1.5             1      FL-MO
  13.25    1.3             2      DR-L1
   6.29    0.6             2      2 others
$ sahm core pics tests/data/streams/rv64.stream -c u74 --by block --top 2 | sed -n '/Cycles by/,$p'
Cycles by block: the highest 2 of 9 stacks; % of all cycles
cycles      %  instructions  block
----------------------------------------------------------------------------------------------------
563.00   59.0            72  0x1019e..0x101b4
438.50   45.9            69      Base                 #######################
123.00   12.9             1      ST-LLC               #######
  1.50    0.2             2      2 others
328.50   34.4             4  0x10144..0x1014e
165.00   17.3             1      DR-L1+DR-TLB         #########
162.50   17.0             1      ST-TLB+ST-LLC        #########
  1.00    0.1             2      Base
----------------------------------------------------------------------------------------------------
 63.50    6.6            60  the other 7
 36.00    3.8            49      Base
 15.50    1.6             9      FL-MB
 12.00    1.3             2      FL-EX
----------------------------------------------------------------------------------------------------
955.00  100.0           136  all
475.50   49.8           120      Base
165.00   17.3             1      DR-L1+DR-TLB
162.50   17.0             1      ST-TLB+ST-LLC
123.00   12.9             1      ST-LLC
 15.50    1.6             9      FL-MB
 12.00    1.3             2      FL-EX
  1.50    0.2             2      2 others
## Sums are exact: units of all stacks are those of all cycles, for each core, granularity and scheme; so are folded stacks.
$ for c in rocket u74 tea golden-cove boom-large; do for b in instruction block function program; do sahm core pics tests/data/streams/sort.stream -c $c --by $b --csv 2>/dev/null | awk -F, -v c=$c -v b=$b 'NR > 1 { sum += $(NF - 2); units = $(NF - 1); n += $NF } END { print c, b, sum / units, sum % units, n }'; done; sahm core time -c $c tests/data/streams/sort.stream --csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 { print $at["cycles"], $at["instructions"] }'; done
rocket instruction 201348 0 36099
rocket block 201348 0 36099
rocket function 201348 0 36099
rocket program 201348 0 36099
201348 36099
u74 instruction 116841 0 36099
u74 block 116841 0 36099
u74 function 116841 0 36099
u74 program 116841 0 36099
116841 36099
tea instruction 104622 0 36099
tea block 104622 0 36099
tea function 104622 0 36099
tea program 104622 0 36099
104622 36099
golden-cove instruction 90242 0 36099
golden-cove block 90242 0 36099
golden-cove function 90242 0 36099
golden-cove program 90242 0 36099
90242 36099
boom-large instruction 139333 0 36099
boom-large block 139333 0 36099
boom-large function 139333 0 36099
boom-large program 139333 0 36099
139333 36099
$ sahm core pics tests/data/streams/sort.stream --folded 2>/dev/null | awk '{ sum += $NF } NF != 2 || $1 !~ /^sort.stream;[^;]+;[^;]+;[^;]+$/ { print "bad", $0 } END { print sum }'
104622
$ sahm core pics tests/data/streams/rv64.stream --folded | head -4
rv64.stream;?;0x10144;DR-L1+DR-TLB 320
rv64.stream;?;0x10148;ST-TLB+ST-LLC 268
rv64.stream;?;0x10152;Base 2
rv64.stream;?;0x10154;Base 2
$ sahm core pics tests/data/streams/rv64.stream --top 1 --csv
stream,core,config_hash,sampled_epochs,scheme,pc,instructions,module,function,function_offset,file,line,text,signature,units,units_per_cycle,executions
tests/data/streams/rv64.stream,tea,8ca21837b07b0ffd171f7309c9065996ed27bed492555970c0efaf8c7bc5b8e2,"",exact,0x10144,1,"","","","","","",DR-L1+DR-TLB,3840,12,1
$ sahm core pics tests/data/streams/rv64.stream --top 1 --json
{
  "schema": "sahm-core-pics/1",
  "results": [
    {
      "stream": "tests/data/streams/rv64.stream",
      "core": "tea",
      "config_hash": "8ca21837b07b0ffd171f7309c9065996ed27bed492555970c0efaf8c7bc5b8e2",
      "cycles": 1110,
      "instructions": 136,
      "units_per_cycle": 12,
      "states": {"compute": 600, "stalled": 8568, "flushed": 324, "drained": 3828},
      "p99_stall_without_events_below_cycles": 17,
      "instructions_with_events": 19,
      "instructions_with_several_events": 2,
      "by": "instruction",
      "nr_stacks": 38,
      "stacks": [
        {
          "pc": "0x10144",
          "instructions": 1,
          "units": 3840,
          "share": 0.2882882882882883,
          "executions": 1,
          "stack": [
            {"signature": "DR-L1+DR-TLB", "units": 3840, "executions": 1}
          ]
        }
      ]
    }
  ]
}
## Several streams and cores: one report after the other; the same on any number of threads.
$ sahm core pics tests/data/streams/rv64.stream tests/data/streams/x86-64.stream -c tea -c u74 --top 1 -j 3 >"$T/a"; sahm core pics tests/data/streams/rv64.stream tests/data/streams/x86-64.stream -c tea -c u74 --top 1 -j 1 | cmp - "$T/a"; grep ' on ' "$T/a"
Cycle stacks of tests/data/streams/rv64.stream on tea, counted exactly, in 1/12 of a cycle:
Cycle stacks of tests/data/streams/rv64.stream on u74, counted exactly, in 1/2 of a cycle:
Cycle stacks of tests/data/streams/x86-64.stream on tea, counted exactly, in 1/12 of a cycle:
Cycle stacks of tests/data/streams/x86-64.stream on u74, counted exactly, in 1/2 of a cycle:
## Samples of every cycle by tea are the exact stacks.
$ sahm core pics tests/data/streams/sort.stream --scheme tea --period 1 --csv 2>/dev/null | sed '1d; s/,[^,]*$//' | cut -d, -f5- >"$T/a"; grep '^exact' "$T/a" | cut -d, -f2- >"$T/exact"; grep '^tea' "$T/a" | cut -d, -f2- | cmp - "$T/exact" && wc -l <"$T/exact"
1600
$ sahm core pics tests/data/streams/rv64.stream --scheme tea,nci,ibs,spe,ris --period 3 --jitter 7 --top 2 | sed -n '/^Samples/,$p'
sahm: warning: tests/data/streams/rv64.stream on tea: fewer than 1000 samples (tea 370, nci 370, ibs 9, spe 9, ris 6), which say little; a smaller --period takes more
Samples every 3 cycles, at random in each (seed 7): 370 are due
scheme  taken  on wrong path  skipped  late
-------------------------------------------
tea       370              0        0     0
nci       370              0        0     0
ibs         9              3      358     0
spe         9              3      358     0
ris         6              6      356     2

Error in %, and chance: the error of as many cycles drawn at random:
scheme  instruction  chance  block  chance  function  chance  program  chance
-----------------------------------------------------------------------------
tea             1.6     6.8    0.9     5.5       0.3     4.6      0.3     4.6
nci             4.8     6.8    3.5     5.5       2.7     4.6      2.7     4.6
ibs            86.0    11.5   84.8    11.5      70.1    11.5     70.1    11.5
spe            85.8    11.5   73.7    11.5      52.4     7.0     52.4     7.0
ris            82.4    32.9   79.8    32.9      64.6    32.9     64.6    32.9

Stacks by scheme, scaled to all cycles; "for ibs": exact ones with only the events that ibs records

0x10144
% of all cycles  exact   tea   nci  for ibs   ibs  for spe   spe  for ris   ris
-------------------------------------------------------------------------------
DR-L1+DR-TLB      28.8  28.9  28.9     28.8  11.1      0.0   0.0     28.8  16.7
Base               0.0   0.0   0.0      0.0   0.0     28.8  11.1      0.0   0.0
-------------------------------------------------------------------------------
height            28.8  28.9  28.9     28.8  11.1     28.8  11.1     28.8  16.7

0x101a2
% of all cycles  exact   tea   nci  for ibs  ibs  for spe  spe  for ris  ris
----------------------------------------------------------------------------
ST-LLC            26.3  26.2  26.2     26.3  0.0     26.3  0.0     26.3  0.0
ST-L1              0.2   0.1   0.0      0.2  0.0      0.2  0.0      0.2  0.0
----------------------------------------------------------------------------
height            26.5  26.4  26.2     26.5  0.0     26.5  0.0     26.5  0.0
$ sahm core pics tests/data/streams/rv64.stream --scheme spe --period 3 --json 2>/dev/null | sed -n '/sampling/,/"by"/p'
      "sampling": {"period_cycles": 3, "due": 370},
      "schemes": [
        {
          "scheme": "spe",
          "taken": 9,
          "wrong_path": 2,
          "skipped": 359,
          "late": 0,
          "error": {"instruction": 0.8581831831831832, "block": 0.7356606606606607, "function": 0.523948948948949, "program": 0.523948948948949},
          "chance_error": {"instruction": 0.11531531531531532, "block": 0.11471471471471471, "function": 0.07027027027027027, "program": 0.07027027027027027}
        }
      ],
      "by": "instruction",
## Two cores compared, and two streams. Differences add up to that of all cycles.
$ sahm core pics --compare tests/data/streams/rv64.stream -c tea -c u74 --top 2
Cycle stacks of two profiles:
A: tests/data/streams/rv64.stream on tea, 1110 cycles, 136 instructions
B: tests/data/streams/rv64.stream on u74, 955 cycles, 136 instructions
B - A: -155 cycles; speedup 1.162; counted exactly, in 1/12 of a cycle

Cycles by function
    B - A         A         B  function
----------------------------------------------------------------------------------------------------
  -155.00   1110.00    955.00  ? 0x10000..
  +286.67    188.83    475.50      Base
  -169.00    292.00    123.00      ST-LLC
  -155.00    320.00    165.00      DR-L1+DR-TLB
  -105.83    268.33    162.50      ST-TLB+ST-LLC
    -7.00     19.00     12.00      FL-EX
    -3.00     18.50     15.50      FL-MB
    -1.83      3.33      1.50      4 others
----------------------------------------------------------------------------------------------------
  -155.00   1110.00    955.00  all
  +286.67    188.83    475.50      Base
  -169.00    292.00    123.00      ST-LLC
  -155.00    320.00    165.00      DR-L1+DR-TLB
  -105.83    268.33    162.50      ST-TLB+ST-LLC
    -7.00     19.00     12.00      FL-EX
    -3.00     18.50     15.50      FL-MB
    -1.83      3.33      1.50      4 others

Cycles by instruction: the largest 2 of 38 differences
    B - A         A         B  instruction
----------------------------------------------------------------------------------------------------
  +266.00    129.00    395.00  0x101ac
  +266.00    129.00    395.00      Base
  -167.25    293.75    126.50  0x101a2
  -169.00    292.00    123.00      ST-LLC
    +3.50      0.00      3.50      Base
    -1.75      1.75      0.00      ST-L1
----------------------------------------------------------------------------------------------------
  -253.75    687.25    433.50  the other 36
  -155.00    320.00    165.00      DR-L1+DR-TLB
  -105.83    268.33    162.50      ST-TLB+ST-LLC
   +17.17     59.83     77.00      Base
    -7.00     19.00     12.00      FL-EX
    -3.00     18.50     15.50      FL-MB
    -0.08      1.58      1.50      3 others
----------------------------------------------------------------------------------------------------
  -155.00   1110.00    955.00  all
  +286.67    188.83    475.50      Base
  -169.00    292.00    123.00      ST-LLC
  -155.00    320.00    165.00      DR-L1+DR-TLB
  -105.83    268.33    162.50      ST-TLB+ST-LLC
    -7.00     19.00     12.00      FL-EX
    -3.00     18.50     15.50      FL-MB
    -1.83      3.33      1.50      4 others
$ sahm core pics --compare tests/data/streams/sort.stream -c boom-large -c golden-cove --csv 2>/dev/null | awk -F, 'NR > 1 { d[$1] += $(NF - 1); in_[$2]++; u = $NF } END { print d["function"] / u, d["instruction"] / u, in_["a"] + in_["b"] }'; for c in boom-large golden-cove; do sahm core time -c $c tests/data/streams/sort.stream --json | grep -m 1 '"cycles"'; done
-49091 -49091 0
      "cycles": 139333,
      "cycles": 90242,
$ sahm core pics --compare tests/data/streams/rv64.stream tests/data/streams/x86-64.stream --csv | awk -F, 'NR > 1 { d[$1] += $(NF - 1); in_[$2]++; u = $NF } END { print d["function"] / u, d["instruction"] / u, in_["both"] + 0 }'
-38 -38 0
$ sahm core pics --compare tests/data/streams/rv64.stream -c tea -c tea --top 1 --json
{
  "schema": "sahm-core-pics-comparison/1",
  "a": {
    "stream": "tests/data/streams/rv64.stream",
    "core": "tea",
    "config_hash": "8ca21837b07b0ffd171f7309c9065996ed27bed492555970c0efaf8c7bc5b8e2",
    "cycles": 1110,
    "instructions": 136
  },
  "b": {
    "stream": "tests/data/streams/rv64.stream",
    "core": "tea",
    "config_hash": "8ca21837b07b0ffd171f7309c9065996ed27bed492555970c0efaf8c7bc5b8e2",
    "cycles": 1110,
    "instructions": 136
  },
  "units_per_cycle": 12,
  "difference_units": 0,
  "functions": [
    {
      "in": "both",
      "pc_a": "0x10144",
      "pc_b": "0x10144",
      "difference_units": 0,
      "stack": [
        {"signature": "DR-L1+DR-TLB", "units_a": 3840, "units_b": 3840, "difference_units": 0},
        {"signature": "ST-LLC", "units_a": 3504, "units_b": 3504, "difference_units": 0},
        {"signature": "ST-TLB+ST-LLC", "units_a": 3220, "units_b": 3220, "difference_units": 0},
        {"signature": "Base", "units_a": 2266, "units_b": 2266, "difference_units": 0},
        {"signature": "FL-EX", "units_a": 228, "units_b": 228, "difference_units": 0},
        {"signature": "FL-MB", "units_a": 222, "units_b": 222, "difference_units": 0},
        {"signature": "ST-L1", "units_a": 21, "units_b": 21, "difference_units": 0},
        {"signature": "ST-TLB", "units_a": 12, "units_b": 12, "difference_units": 0},
        {"signature": "DR-L1", "units_a": 4, "units_b": 4, "difference_units": 0},
        {"signature": "FL-MO", "units_a": 3, "units_b": 3, "difference_units": 0}
      ]
    }
  ],
  "instructions": [
    {
      "in": "both",
      "pc_a": "0x10144",
      "pc_b": "0x10144",
      "difference_units": 0,
      "stack": [
        {"signature": "DR-L1+DR-TLB", "units_a": 3840, "units_b": 3840, "difference_units": 0}
      ]
    }
  ]
}
## Mistakes.
$ sahm core pics
sahm: error: a stream is missing: sahm core pics STREAM..., sahm core pics --suite open, or sahm core pics -- COMMAND
[2]
$ sahm core pics --compare tests/data/streams/rv64.stream
sahm: error: --compare takes two streams and a core, or two cores and a stream, not 1 stream and 1 core
[2]
$ sahm core pics --compare tests/data/streams/rv64.stream -c tea -c u74 -c rocket
sahm: error: --compare takes two streams and a core, or two cores and a stream, not 1 stream and 3 cores
[2]
$ sahm core pics --compare tests/data/streams/rv64.stream -c tea -c u74 --by block
sahm: error: --by has no effect with --compare
[2]
$ sahm core pics tests/data/streams/rv64.stream --scheme tea
sahm: error: --scheme needs --period CYCLES: how often a sample is taken
[2]
$ sahm core pics tests/data/streams/rv64.stream --period 3
sahm: error: --period has no effect without --scheme
[2]
$ sahm core pics tests/data/streams/rv64.stream --jitter 3
sahm: error: --jitter has no effect without --scheme
[2]
$ sahm core pics tests/data/streams/rv64.stream --scheme tae --period 3
sahm: error: unknown scheme 'tae', must be tea, nci, ibs, spe or ris; did you mean 'tea'?
[2]
$ sahm core pics tests/data/streams/rv64.stream --scheme tea --period 0
sahm: error: --period is a whole number from 1 to 4611686018427387903, not '0'
[2]
$ sahm core pics tests/data/streams/rv64.stream --scheme tea --period 3 --folded
sahm: error: --folded prints exact stacks: without --scheme
[2]
$ sahm core pics tests/data/streams/rv64.stream --folded --top 3
sahm: error: --folded prints all instructions: without --top
[2]
$ sahm core pics tests/data/streams/rv64.stream --base 0x1000
sahm: error: --base is of --elf FILE
[2]
$ sahm core pics tests/data/streams/rv64.stream tests/data/streams/x86-64.stream --plot "$T/p"
sahm: error: --plot draws one stream on one core
[2]
$ sahm core pics tests/data/streams/rv64.stream --by line
sahm: error: unknown --by 'line', must be instruction, block, function or program
[2]
## Remedies, in lanes beside the program as it is.
$ sahm core pics tests/data/streams/sort.stream --soft-prefetch 0x400000e4d7:1,2 --csv 2>/dev/null | awk -F, 'NR > 1 { sum[$5] += $(NF - 2) / $(NF - 1) } $7 == "0x400000e4d7" { at[$5] += $(NF - 2) / $(NF - 1) } END { for (l in sum) print l, sum[l], at[l] }' | sort
as it is 104622 34388.5
distance 1 96397 3543.5
distance 2 96197 893
$ sahm core pics tests/data/streams/rv64.stream --no-flush 0x10178 --top 1 | sed -n '/Remedies/,$p'
Remedies:
lane      cycles  fewer  speedup
--------------------------------
as it is    1110      0    1.000
no flush    1057     53    1.050

0x10144, cycles:
lane         all  DR-L1+DR-TLB
------------------------------
as it is  320.00        320.00
no flush  320.00        320.00
$ sahm core pics tests/data/streams/rv64.stream --soft-prefetch 0x101a2,0x10148:1,2 --soft-prefetch 0x10162:3 --no-flush 0x10178 --by program | sed -n '/Remedies/,$p'
Remedies:
lane            cycles  fewer  speedup
--------------------------------------
as it is          1110      0    1.000
distances 1, 3    1057     53    1.050
distances 2, 3    1057     53    1.050

tests/data/streams/rv64.stream, cycles:
lane                all  DR-L1+DR-TLB  ST-LLC  ST-TLB+ST-LLC    Base  FL-EX  others
-----------------------------------------------------------------------------------
as it is        1110.00        320.00  292.00         268.33  188.83  19.00   21.83
distances 1, 3  1057.00        320.00  292.00         268.33  168.25   4.00    4.42
distances 2, 3  1057.00        320.00  292.00         268.33  168.25   4.00    4.42
$ sahm core pics tests/data/streams/rv64.stream --soft-prefetch 0x10153:2
sahm: error: 0x10153 is no load of 'tests/data/streams/rv64.stream'; the nearest are at 0x10148 and 0x10162
[2]
$ sahm core pics tests/data/streams/rv64.stream --no-flush 0x10144
sahm: error: 0x10144 is no system instruction or fence of 'tests/data/streams/rv64.stream'; the nearest is at 0x10178
[2]
$ sahm core pics tests/data/streams/rv64.stream --soft-prefetch 0x101a2
sahm: error: --soft-prefetch '0x101a2': must be PC:N, as 0x4011d6:4
[2]
$ sahm core pics tests/data/streams/rv64.stream --soft-prefetch 0x101a2:0
sahm: error: --soft-prefetch '0x101a2:0': a distance is at least 1
[2]
$ sahm core pics tests/data/streams/rv64.stream --soft-prefetch 0x101a2:1,2 --soft-prefetch 0x10148:1,2,3
sahm: error: --soft-prefetch: 2 distances and 3: give as many each time, or one
[2]
$ sahm core pics tests/data/streams/rv64.stream --soft-prefetch 0x101a2:1 --soft-prefetch 0x101a2:2
sahm: error: --soft-prefetch: 0x101a2 is given twice
[2]
$ sahm core pics tests/data/streams/rv64.stream --soft-prefetch 0x101a2:2,2
sahm: error: --soft-prefetch: distance 2 is given twice
[2]
$ sahm core pics tests/data/streams/rv64.stream --no-flush here
sahm: error: --no-flush 'here': a PC is an address, as 0x4011d6
[2]
$ sahm core pics tests/data/streams/rv64.stream --no-flush 0x10178 --compare
sahm: error: --compare is of programs as they are: without --no-flush
[2]
