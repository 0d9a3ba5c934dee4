## What counters of a modelled core count, as perf stat prints it. Without -e some events that fit.
$ sahm core stat -c u74 tests/data/streams/sort.stream

 Performance counter stats for 'tests/data/streams/sort.stream' on u74 (events of u74, plain counters):

           116,841      cycles
            36,099      instructions                        #     0.31  insn per cycle
               276      PAPI_BR_MSP
               476      PAPI_L1_DCM

$ sahm core stat -c rocket -e DCACHE_MISS,instructions,BRANCH --mhz 1000 tests/data/streams/sort.stream tests/data/streams/rv64.stream

 Performance counter stats for 'tests/data/streams/sort.stream' on rocket (events of rocket, plain counters):

               476      DCACHE_MISS
            36,099      instructions                        #     0.18  insn per cycle
             5,386      BRANCH

       0.000201348 seconds of simulated time at 1000 MHz


 Performance counter stats for 'tests/data/streams/rv64.stream' on rocket (events of rocket, plain counters):

                 3      DCACHE_MISS
               136      instructions                        #     0.10  insn per cycle
                 8      BRANCH

       0.000001430 seconds of simulated time at 1000 MHz

## Two counters and more events: they take turns, or it is a conflict. Derived events take several; natives in any case.
$ sahm core stat -c u74 --truth -e 0x202 tests/data/streams/sort.stream | grep 0x
               476      0x202                               # truth             476   0.00 %
$ sahm core stat -c u74 -x, -e cycles:u,r202,PAPI_BR_MSP:u tests/data/streams/sort.stream
116841,,cycles,116841,100.00,,
476,,0x202,116841,100.00,,
276,,PAPI_BR_MSP,116841,100.00,,
$ sahm core stat -c u74 -e PAPI_L1_DCM,FP_LOAD_RETIRED,PAPI_BR_PRC tests/data/streams/sort.stream
sahm: error: the events need 4 event counters, there are 2 (ECNFLCT): --multiplex lets them take turns
[2]
$ sahm core stat -c u74 --multiplex --slice 1000 --truth -e PAPI_TOT_CYC,papi_l1_dcm,native:fp_load_retired -e PAPI_BR_PRC,EXCEPTION_TAKEN tests/data/streams/sort.stream

 Performance counter stats for 'tests/data/streams/sort.stream' on u74 (events of u74, plain counters):

           116,841      PAPI_TOT_CYC                        # truth         116,841   0.00 %
               470      PAPI_L1_DCM                         # truth             476  -1.26 %, no bound  (33.82%)
                15      FP_LOAD_RETIRED                     # truth               7  +114.29 %, no bound  (33.82%)
             5,214      PAPI_BR_PRC                         # truth           5,110  +2.04 %, no bound  (33.26%)
   <not supported>      EXCEPTION_TAKEN

$ sahm core stat -c u74 --multiplex --slice 200000 -e PAPI_L1_DCM,PAPI_BR_PRC tests/data/streams/sort.stream

 Performance counter stats for 'tests/data/streams/sort.stream' on u74 (events of u74, plain counters):

               476      PAPI_L1_DCM
     <not counted>      PAPI_BR_PRC

## The four kinds of counters beside the truth, with the most that each can be off.
$ for k in plain scalar add distributed; do sahm core stat -c boom-large --counters $k --truth -e UOP_ISSUED,FETCH_BUBBLE tests/data/streams/sort.stream; done | grep -A4 Perf
 Performance counter stats for 'tests/data/streams/sort.stream' on boom-large (events of boom, plain counters):

            21,128      UOP_ISSUED                          # truth          46,405  -54.47 %, at most 84512 off
            29,310      FETCH_BUBBLE                        # truth          87,672  -66.57 %, at most 58620 off

--
 Performance counter stats for 'tests/data/streams/sort.stream' on boom-large (events of boom, scalar counters):

            46,405      UOP_ISSUED                          # truth          46,405   0.00 %
            87,672      FETCH_BUBBLE                        # truth          87,672   0.00 %

--
 Performance counter stats for 'tests/data/streams/sort.stream' on boom-large (events of boom, add counters):

            46,405      UOP_ISSUED                          # truth          46,405   0.00 %
            87,672      FETCH_BUBBLE                        # truth          87,672   0.00 %

--
 Performance counter stats for 'tests/data/streams/sort.stream' on boom-large (events of boom, distributed counters):

            46,384      UOP_ISSUED                          # truth          46,405  -0.05 %, at most 35 off
            87,668      FETCH_BUBBLE                        # truth          87,672   0.00 %, at most 9 off

$ sahm core stat -c boom-large --counters distributed --truth -e UOP_ISSUED --per-epoch tests/data/streams/sort.stream; sahm core stat -c boom-large --counters distributed --truth -e UOP_ISSUED --json tests/data/streams/sort.stream | grep UOP
#           epoch             counts unit events
              616             12,328      UOP_ISSUED                          # truth          12,342  -0.11 %, at most 75 off
              617             12,304      UOP_ISSUED                          # truth          12,309  -0.04 %, at most 75 off
              618             11,944      UOP_ISSUED                          # truth          11,956  -0.10 %, at most 75 off
              619              9,808      UOP_ISSUED                          # truth           9,798  +0.10 %, at most 75 off
        {"event": "UOP_ISSUED", "counters": 1, "supported": true, "count": 46384, "bound": 35, "counted": 46384, "enabled_cycles": 139333, "running_cycles": 139333, "truth": 46405}
## Epochs and intervals add up to the whole, whichever they are; slices do not depend on them.
$ for how in --per-epoch '-I 1' '-I 3' '-I 7' '-I 100'; do sahm core stat -c u74 $how --mhz 10 -x, tests/data/streams/sort.stream | awk -F, '{ n[$4] += $2 } END { for (e in n) printf "%s %d ", e, n[e]; print "" }' | tr ' ' '\n' | paste -d' ' - - | sort | tr '\n' ' '; echo; done
  PAPI_BR_MSP 276 PAPI_L1_DCM 476 cycles 116841 instructions 36099 
  PAPI_BR_MSP 276 PAPI_L1_DCM 476 cycles 116841 instructions 36099 
  PAPI_BR_MSP 276 PAPI_L1_DCM 476 cycles 116841 instructions 36099 
  PAPI_BR_MSP 276 PAPI_L1_DCM 476 cycles 116841 instructions 36099 
  PAPI_BR_MSP 276 PAPI_L1_DCM 476 cycles 116841 instructions 36099 
$ sahm core stat -c u74 --per-epoch tests/data/streams/sort.stream | head -5; sahm core stat -c u74 -I 5 --mhz 10 tests/data/streams/sort.stream | head -5
#           epoch             counts unit events
              616             28,501      cycles
              616             10,008      instructions                        #     0.35  insn per cycle
              616                 53      PAPI_BR_MSP
              616                118      PAPI_L1_DCM
#            time             counts unit events
      0.005010600             50,106      cycles
      0.005010600             18,909      instructions                        #     0.38  insn per cycle
      0.005010600                 98      PAPI_BR_MSP
      0.005010600                209      PAPI_L1_DCM
## trace import reads the output of -x back: intervals become epochs with the same counts.
$ sahm core stat -c u74 --multiplex --slice 100 -I 3 --mhz 10 -x, -e cycles,instructions,PAPI_BR_INS,PAPI_BR_MSP,BRANCH_TARGET_MISPREDICTION,PAPI_L1_ICM,PAPI_L1_DCM,PAPI_LST_INS,FP_INTERLOCK tests/data/streams/sort.stream >"$T/stat.csv"; head -9 "$T/stat.csv"
     0.003000000,30000,,cycles,3000000,100.00,,
     0.003000000,10567,,instructions,3000000,100.00,0.35,insn per cycle
     0.003000000,2135,,PAPI_BR_INS,760300,25.34,,
     0.003000000,36,,PAPI_BR_MSP,760300,25.34,,
     0.003000000,4,,BRANCH_TARGET_MISPREDICTION,708700,23.62,,
     0.003000000,34,,PAPI_L1_ICM,708700,23.62,,
     0.003000000,135,,PAPI_L1_DCM,800000,26.67,,
     0.003000000,4283,,PAPI_LST_INS,800000,26.67,,
     0.003000000,0,,FP_INTERLOCK,731000,24.37,,
$ sahm trace import "$T/stat.csv" --map branches=PAPI_BR_INS --map branch_misses=PAPI_BR_MSP+BRANCH_TARGET_MISPREDICTION --map l1i_misses=PAPI_L1_ICM --map l1d_accesses=PAPI_LST_INS --map l1d_misses=PAPI_L1_DCM -a l2_accesses=0 -a l2_misses=0 -o "$T/stat.trc.csv" 2>&1; grep -v '^#' "$T/stat.trc.csv"; grep -E ',(instructions|PAPI_L1_DCM),' "$T/stat.csv" | cut -d, -f2,4
sahm: warning: @T@/stat.csv:1: in 4 rows the events of one ratio were counted for different shares of the time (multiplexing): such ratios are estimates
sahm: warning: @T@/stat.csv: events took turns (multiplexing): branch_misses were counted for 24 % of the time, the rest is estimated
@T@/stat.trc.csv: 4 epochs of 3 ms; read as perf-csv (-f chooses another)
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses,cycles
10567,2135,40,34,4283,135,0,0,30000
12700,2268,92,0,6273,118,0,0,30088
10741,1909,69,28,4632,111,0,0,30050
2091,408,103,120,1082,97,0,0,26703
10567,instructions
135,PAPI_L1_DCM
12700,instructions
118,PAPI_L1_DCM
10741,instructions
111,PAPI_L1_DCM
2091,instructions
97,PAPI_L1_DCM
$ sahm core stat -c rocket --truth -I 10 --mhz 10 -x, -e cycles,instructions,BRANCH,BRANCH_MISPREDICTION,ICACHE_MISS,LOAD,STORE,0x302 tests/data/streams/sort.stream >"$T/stat.csv"; grep -A1 0x302 "$T/stat.csv" | head -2; sahm trace import "$T/stat.csv" --map branches=BRANCH --map branch_misses=BRANCH_MISPREDICTION --map l1i_misses=ICACHE_MISS --map l1d_accesses=LOAD+STORE --map l1d_misses=0x302 -a l2_accesses=0 -a l2_misses=0 -f perf-csv -o "$T/bounded.csv" 2>&1; grep -v '^#' "$T/bounded.csv"
     0.010001300,285,,0x302,10001300,100.00,285,truth
     0.010001300,,,,,,285,bound
sahm: warning: @T@/stat.csv:9: 3 lines passed over: a metric, which names no event; this one first
sahm: warning: @T@/stat.csv: the last row lasts 0.1256 ms and is an epoch of 10 ms all the same
@T@/bounded.csv: 3 epochs of 10 ms
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses,cycles
24792,3667,124,23,11895,285,0,0,100013
11199,1700,157,140,5370,354,0,0,100079
108,19,7,4,49,4,0,0,1256
$ sahm core stat -c u74 '-x;' --truth -e PAPI_L1_TCM,EXCEPTION_TAKEN,cycles tests/data/streams/sort.stream
640;;PAPI_L1_TCM;116841;100.00;643;truth
;;;;;640;bound
<not supported>;;EXCEPTION_TAKEN;0;0.00;;
116841;;cycles;116841;100.00;116841;truth
$ sahm core stat -c u74 --json --truth -e PAPI_BR_PRC tests/data/streams/rv64.stream
{
  "schema": "sahm-core-stat/1",
  "counters": "plain",
  "runs": [
    {
      "stream": "tests/data/streams/rv64.stream",
      "core": "u74",
      "core_name": "SiFive U74-like",
      "config_hash": "6e020b82c9ce631470854241c19964ddb45fe5a53ad2e07cd8fdd72f9ba5d788",
      "family": "u74",
      "cycles": 955,
      "instructions": 136,
      "counts": [
        {"event": "PAPI_BR_PRC", "counters": 2, "supported": true, "count": 1, "bound": 0, "counted": 1, "enabled_cycles": 955, "running_cycles": 955, "truth": 1}
      ]
    }
  ]
}
## Any number of threads gives the same bytes.
$ sahm core stat -c boom-small -j 1 tests/data/streams/*.stream >"$T/a"; sahm core stat -c boom-small -j 4 tests/data/streams/*.stream | cmp - "$T/a"
## Mistakes.
$ sahm core stat -c u74 -e PAPI_L1_DMC tests/data/streams/sort.stream
sahm: error: u74 has no event 'PAPI_L1_DMC'; did you mean 'PAPI_L1_DCM'? sahm core events --core NAME lists all (ENOEVNT)
[2]
$ sahm core stat -c u74 -e 0xffff02 tests/data/streams/sort.stream
sahm: error: code 0xffff02: set 2 of u74 (memory) has no event at bits 14-23 (ENOEVNT)
[2]
$ sahm core stat -c u74 -e 0x107 tests/data/streams/sort.stream
sahm: error: code 0x107: u74 has no set 7 of events (ENOEVNT)
[2]
$ sahm core stat -c u74 -e cycles:k tests/data/streams/sort.stream
sahm: error: 'cycles:k': streams have user code only, so that :u is the only modifier (EINVAL)
[2]
$ sahm core stat -c boom-large --counters distributed -e 0x304 tests/data/streams/sort.stream
sahm: error: code 0x304: a distributed counter counts one event (ENOEVNT)
[2]
$ sahm core stat -c u74 -e PAPI_STL_ICY tests/data/streams/sort.stream
sahm: error: PAPI_STL_ICY is not available on u74 (ENOEVNT)
[2]
$ sahm core stat -c rocket -e PAPI_L1_DCM tests/data/streams/sort.stream
sahm: error: rocket has no PAPI presets, such as 'PAPI_L1_DCM': -s events=u74 gives the core events that have them (ENOEVNT)
[2]
$ sahm core stat -c u74 -e cycles,, tests/data/streams/sort.stream
sahm: error: -e: an event is missing in 'cycles,,'
[2]
$ sahm core stat -I 5 tests/data/streams/sort.stream
sahm: error: -I counts milliseconds of simulated time: give --mhz as well
[2]
$ sahm core stat -I 5 --mhz 5 --per-epoch tests/data/streams/sort.stream
sahm: error: -I and --per-epoch cannot be combined
[2]
$ sahm core stat -x, --per-epoch tests/data/streams/sort.stream
sahm: error: with -x, rows of --per-epoch begin with a time: give --mhz as well
[2]
$ sahm core stat --slice 5 tests/data/streams/sort.stream
sahm: error: --slice has no effect without --multiplex
[2]
$ sahm core stat -x, tests/data/streams/sort.stream tests/data/streams/rv64.stream
sahm: error: -x is for one stream: 'tests/data/streams/rv64.stream' is too many
[2]
$ sahm core stat --region sort tests/data/samples/fadd15.stream
sahm: warning: cannot open '/nonexistent/fadd15': No such file or directory: its functions have no names here
sahm: error: no function 'sort' in the files of 'tests/data/samples/fadd15.stream'
[2]
$ sahm core stat
sahm: error: a stream is missing: sahm core stat STREAM..., sahm core stat --suite open, or sahm core stat -- COMMAND
[2]
$ sahm core stat tests/data/streams/sort.stream -c u74 -c rocket
sahm: error: --core can be given only once
[2]
## Unknown names lead to where the name is known.
$ for o in "boom-large -e PAPI_L1_DCM" "u74 -e FETCH_BUBBLE" "golden-cove -e LOAD" "golden-cove -e cache-misses"; do sahm core stat tests/data/streams/sort.stream -c $o; done
sahm: error: boom has no PAPI presets, such as 'PAPI_L1_DCM': -s events=u74 gives the core events that have them (ENOEVNT)
sahm: error: 'FETCH_BUBBLE' is an event of rocket, and the core has those of u74: -s events=rocket gives it the others (ENOEVNT)
sahm: error: 'LOAD' is an event of rocket, and the core has those of boom: -s events=rocket gives it the others (ENOEVNT)
sahm: error: boom has no event 'cache-misses'; did you mean 'ICACHE_MISS'? sahm core events --core NAME lists all (ENOEVNT)
[2]
## A tab as perf takes it; what never happens did not run.
$ sahm core stat -c u74 -e EXCEPTION_TAKEN,cycles -x '\t' tests/data/streams/sort.stream | tr '\t' '|'; sahm core stat -c u74 -e EXCEPTION_TAKEN --json tests/data/streams/sort.stream | grep EXCEPTION
<not supported>||EXCEPTION_TAKEN|0|0.00||
116841||cycles|116841|100.00||
        {"event": "EXCEPTION_TAKEN", "counters": 1, "supported": false, "count": null, "bound": null, "counted": 0, "enabled_cycles": 116841, "running_cycles": 0}
