## an excerpt of a real output, recognised by its content: totals against a sum by awk (L1D: LOAD, RFO and WRITE; L2C: LOAD and RFO)
$ cd tests/data/import/champsim; sahm trace import tpcc-spp.txt -o "$T/tpcc.csv"; cat "$T/tpcc.csv"
sahm: warning: tpcc-spp.txt: the last statistics are not followed by those of DRAM: was the output cut short? Counts of caches may be too low
sahm: warning: tpcc-spp.txt: ChampSim knows cycles, but no time: --epoch-ms MS, or --map duration_ns="0.25 * cycles" (for 4 GHz), says how long a row lasts
sahm: warning: tpcc-spp.txt: no time is given, a row is taken for 100 ms
@T@/tpcc.csv: 1 epoch of 100 ms; read as champsim (-f chooses another)
# sahm trace 1
# name: tpcc-spp
# source: modelled
# program: /home/eyal/trace_ex/benchbase-tpcc.champsim.trace.gz
# tool: ChampSim
# event.instructions: instructions
# event.branches: "Branch MPKI" * instructions * 0.1 / (100 - "Branch Prediction Accuracy")
# event.branch_misses: "Branch MPKI" * instructions * 0.001
# event.l1i_misses: "L1I LOAD MISS"
# event.l1d_accesses: "L1D LOAD ACCESS" + "L1D RFO ACCESS" + "L1D WRITE ACCESS"
# event.l1d_misses: "L1D LOAD MISS" + "L1D RFO MISS" + "L1D WRITE MISS"
# event.l2_accesses: "L2C LOAD ACCESS" + "L2C RFO ACCESS"
# event.l2_misses: "L2C LOAD MISS" + "L2C RFO MISS"
# event.cycles: cycles
# origin.instructions: measured
# origin.branches: derived
# origin.branch_misses: derived
# origin.l1i_misses: modelled
# origin.l1d_accesses: measured
# origin.l1d_misses: modelled
# origin.l2_accesses: modelled
# origin.l2_misses: modelled
# origin.cycles: modelled
# epoch_ns: 100000000
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses,cycles
500000000,99598394,9920000,11062358,103516194,11252891,15688942,4924458,659687493
$ cd tests/data/import/champsim; awk '/_L1D (LOAD|RFO|WRITE) /{a += $4; m += $8} /_L2C (LOAD|RFO) /{A += $4; M += $8} /_L1I LOAD/{i = $8} END{print i, a, m, A, M}' tpcc-spp.txt; tail -n 1 "$T/tpcc.csv" | awk -F , '{print $4, $5, $6, $7, $8}'
11062358 103516194 11252891 15688942 4924458
11062358 103516194 11252891 15688942 4924458
$ cd tests/data/import/champsim; awk '/^CPU 0 cumulative/{n = $7; c = $9} /Accuracy/{miss = $8 * n / 1000; printf "%d %.0f %d %d\n", n, miss / (1 - $6 / 100), miss, c}' tpcc-spp.txt; tail -n 1 "$T/tpcc.csv" | awk -F , '{print $1, $2, $3, $9}'
500000000 99598394 9920000 659687493
500000000 99598394 9920000 659687493
$ sahm characterize "$T/tpcc.csv"
states by share of epochs (thresholds: intuitive); same: epochs in the previous one's state
5 of 9 counters modelled: l1i_misses, l1d_misses, l2_accesses, l2_misses, cycles; 2 derived: branches, branch_misses

trace     epochs  same  intervals  epochs/interval  states
-----------------------------------------------------------------------------
tpcc-spp       1     -          1              1.0  L2+L1D+L1I+Branch 100.0 %
-----------------------------------------------------------------------------
mean         1.0     -        1.0              1.0  L2+L1D+L1I+Branch 100.0 %
$ sahm trace info "$T/tpcc.csv"
@T@/tpcc.csv
  epochs: 1 of 100 ms (0.1 s)
  cycles: known
  content hash: 0af9d6234480920c43229ba86f041e06f6091b469f29bd6776516a934fd547d7
  size in binary form: 1096 bytes, 1096.0 per epoch; all blocks intact
  counts: 5 of 9 counters modelled: l1i_misses, l1d_misses, l2_accesses, l2_misses, cycles; 2 derived: branches, branch_misses
  name: tpcc-spp
  source: modelled
  program: /home/eyal/trace_ex/benchbase-tpcc.champsim.trace.gz
  tool: ChampSim
  event.instructions: instructions
  event.branches: "Branch MPKI" * instructions * 0.1 / (100 - "Branch Prediction Accuracy")
  event.branch_misses: "Branch MPKI" * instructions * 0.001
  event.l1i_misses: "L1I LOAD MISS"
  event.l1d_accesses: "L1D LOAD ACCESS" + "L1D RFO ACCESS" + "L1D WRITE ACCESS"
  event.l1d_misses: "L1D LOAD MISS" + "L1D RFO MISS" + "L1D WRITE MISS"
  event.l2_accesses: "L2C LOAD ACCESS" + "L2C RFO ACCESS"
  event.l2_misses: "L2C LOAD MISS" + "L2C RFO MISS"
  event.cycles: cycles
  origin.instructions: measured
  origin.branches: derived
  origin.branch_misses: derived
  origin.l1i_misses: modelled
  origin.l1d_accesses: measured
  origin.l1d_misses: modelled
  origin.l2_accesses: modelled
  origin.l2_misses: modelled
  origin.cycles: modelled
## synthetic: two cores, with totals and the region of interest, of which the second is taken; in the forms of 2017 and of 2023
$ cd tests/data/import/champsim; for f in synthetic-2017.txt synthetic-2023.txt; do sahm trace import $f --force -o "$T/x.csv"; tail -n 1 "$T/x.csv"; sed -n '/^Region/,$p' $f | awk '/L1D (LOAD|RFO|WRITE) /{a += $4; m += $8} /L2C (LOAD|RFO) /{A += $4; M += $8} /L1I LOAD/{i += $8} /cumulative/{n += $7; c += $9} END{print n, i, a, m, A, M, c}'; done
sahm: warning: synthetic-2017.txt: ChampSim knows cycles, but no time: --epoch-ms MS, or --map duration_ns="0.25 * cycles" (for 4 GHz), says how long a row lasts
sahm: warning: synthetic-2017.txt: summed over 2 groups: CPU0, CPU1 (--each makes a trace of each, --only NAME of one)
sahm: warning: synthetic-2017.txt: no time is given, a row is taken for 100 ms
@T@/x.csv: 1 epoch of 100 ms; read as champsim (-f chooses another)
20000001,1211704,42545,1,777013,27303,27304,10501,25172350
20000001 1 777013 27303 27304 10501 25172350
sahm: warning: synthetic-2023.txt: ChampSim knows cycles, but no time: --epoch-ms MS, or --map duration_ns="0.25 * cycles" (for 4 GHz), says how long a row lasts
sahm: warning: synthetic-2023.txt: summed over 2 groups: CPU0, CPU1 (--each makes a trace of each, --only NAME of one)
sahm: warning: synthetic-2023.txt: no time is given, a row is taken for 100 ms
@T@/x.csv: 1 epoch of 100 ms; read as champsim (-f chooses another)
20000001,1211704,42545,1,777013,27303,27304,10501,25172350
20000001 1 777013 27303 27304 10501 25172350
$ cd tests/data/import/champsim; sahm trace import synthetic-2023.txt --each -o "$T" && for c in 0 1; do sahm trace export "$T/synthetic-2023-CPU$c.trc" -o - | tail -n 1; done
sahm: warning: synthetic-2023.txt: ChampSim knows cycles, but no time: --epoch-ms MS, or --map duration_ns="0.25 * cycles" (for 4 GHz), says how long a row lasts
sahm: warning: synthetic-2023.txt: no time is given, a row is taken for 100 ms
@T@/synthetic-2023-CPU0.trc: 1 epoch of 100 ms, 1040 bytes; read as champsim (-f chooses another)
@T@/synthetic-2023-CPU1.trc: 1 epoch of 100 ms, 1040 bytes
10000001,361903,7926,0,370003,13001,13001,5000,8908819
10000000,849801,34619,1,407010,14302,14303,5501,16263531
$ cd tests/data/import/champsim; sahm trace import synthetic-2017.txt --only CPU1 --force -o "$T/x.csv" && tail -n 1 "$T/x.csv"; sahm trace import synthetic-2017.txt --only CPU2
sahm: warning: synthetic-2017.txt: ChampSim knows cycles, but no time: --epoch-ms MS, or --map duration_ns="0.25 * cycles" (for 4 GHz), says how long a row lasts
sahm: warning: synthetic-2017.txt:23: 13 lines passed over: of a CPU, thread or cgroup that was not asked for; this one first
sahm: warning: synthetic-2017.txt: no time is given, a row is taken for 100 ms
@T@/x.csv: 1 epoch of 100 ms; read as champsim (-f chooses another)
10000000,849801,34619,1,407010,14302,14303,5501,16263531
sahm: warning: synthetic-2017.txt: ChampSim knows cycles, but no time: --epoch-ms MS, or --map duration_ns="0.25 * cycles" (for 4 GHz), says how long a row lasts
synthetic-2017.txt is read as champsim (-f chooses another)
sahm: error: synthetic-2017.txt: --only: nothing is of 'CPU2'; there are 'CPU0', 'CPU1'
[1]
## synthetic: of 2019 and 2020 there are numbers of branches (of the types, here 1772889)
$ cd tests/data/import/champsim; sahm trace import synthetic-2020.txt --force -o "$T/x.csv"; tail -n 1 "$T/x.csv"; awk '/^BRANCH_/{b += $2} END{print b}' synthetic-2020.txt
sahm: warning: synthetic-2020.txt: the last statistics are not followed by those of DRAM: was the output cut short? Counts of caches may be too low
sahm: warning: synthetic-2020.txt: ChampSim knows cycles, but no time: --epoch-ms MS, or --map duration_ns="0.25 * cycles" (for 4 GHz), says how long a row lasts
sahm: warning: synthetic-2020.txt: no time is given, a row is taken for 100 ms
@T@/x.csv: 1 epoch of 100 ms; read as champsim (-f chooses another)
10000000,1772894,15595,0,333003,11701,11701,4500,12402022
1772889
## synthetic: phases are rows; an accuracy of 100 % leaves the number of branches open
$ cd tests/data/import/champsim; sahm trace import synthetic-phases.txt --force -o "$T/x.csv"; grep -v '^#' "$T/x.csv"
sahm: warning: synthetic-phases.txt:63: branches are derived from MPKI and accuracy, whose digits leave them up to 33.3 % too high or too low
sahm: warning: synthetic-phases.txt:107: an accuracy of 100 % leaves the number of branches open (--map branches="0.15 * instructions" says what to take)
sahm: warning: synthetic-phases.txt: ChampSim knows cycles, but no time: --epoch-ms MS, or --map duration_ns="0.25 * cycles" (for 4 GHz), says how long a row lasts
sahm: warning: synthetic-phases.txt: 1 of 3 rows skipped
sahm: warning: synthetic-phases.txt:106: 1 row skipped: an event is missing ('Branch Prediction Accuracy')
sahm: warning: synthetic-phases.txt: no time is given, a row is taken for 100 ms
@T@/x.csv: 2 epochs of 100 ms; read as champsim (-f chooses another)
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses,cycles
2000001,196471,5344,0,77703,2731,2731,1050,1812201
2000000,130000,26,0,85103,2991,2991,1150,2412207
$ cd tests/data/import/champsim; sahm trace import synthetic-phases.txt -m branches='0.15 * instructions' -m duration_ns='0.25 * cycles' --force -o "$T/x.csv"; grep -v '^#' "$T/x.csv"
sahm: warning: synthetic-phases.txt: intervals of 0.20305 to 0.603051 ms are taken for 0.45305 ms each (--by-time --epoch-ms 0.45305 cuts them to size)
@T@/x.csv: 3 epochs of 0.45305 ms; read as champsim (-f chooses another)
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses,cycles
2000001,300000,5344,0,77703,2731,2731,1050,1812201
2000000,300000,26,0,85103,2991,2991,1150,2412207
2000002,300000,0,0,70303,2471,2471,950,812201
$ cd tests/data/import/champsim; sed -n '/=== Third/,$p' synthetic-phases.txt >"$T/third.txt"; cd "$T" && sahm trace import third.txt; sahm trace import third.txt -a branches=300000 -e 1 --force -o x.csv; tail -n 1 x.csv
sahm: warning: third.txt: ChampSim knows cycles, but no time: --epoch-ms MS, or --map duration_ns="0.25 * cycles" (for 4 GHz), says how long a row lasts
third.txt is read as champsim (-f chooses another)
sahm: error: third.txt: no event stands for 'branches'; there are 'instructions', 'cycles', 'Branch MPKI', 'L2C LOAD ACCESS', 'L2C LOAD MISS', 'L2C RFO ACCESS', 'L2C RFO MISS', 'L1I LOAD MISS', 'L1D LOAD ACCESS', 'L1D LOAD MISS', 'L1D RFO ACCESS', 'L1D RFO MISS' and 2 others; say --map branches=EXPRESSION, or --assume branches=0; was the output cut short? (of branches ChampSim prints no number, and an accuracy of 100 % leaves it open)
x.csv: 1 epoch of 1 ms; read as champsim (-f chooses another)
2000002,300000,0,0,70303,2471,2471,950,812201
## several outputs in a file, with prefetches as demands
$ cd tests/data/import/champsim; cat tpcc-spp.txt synthetic-phases.txt >"$T/two.txt"; sahm trace import "$T/two.txt" -e 10 -m l2_accesses='"L2C LOAD ACCESS" + "L2C RFO ACCESS" + "L2C PREFETCH ACCESS"' --force -o "$T/x.csv"; grep -v '^#' "$T/x.csv"; sahm trace import "$T/two.txt" -e 10 --recording 2 --force -o "$T/x.csv"; grep -v '^#' "$T/x.csv"
sahm: warning: @T@/two.txt:129: branches are derived from MPKI and accuracy, whose digits leave them up to 33.3 % too high or too low
sahm: warning: @T@/two.txt:173: an accuracy of 100 % leaves the number of branches open (--map branches="0.15 * instructions" says what to take)
sahm: warning: @T@/two.txt: 1 of 4 rows skipped
sahm: warning: @T@/two.txt:172: 1 row skipped: an event is missing ('Branch Prediction Accuracy')
sahm: warning: @T@/two.txt: 2 recordings are put one after the other (--recording N takes one)
@T@/x.csv: 3 epochs of 10 ms; read as champsim (-f chooses another)
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses,cycles
500000000,99598394,9920000,11062358,103516194,11252891,30406092,4924458,659687493
2000001,196470,5344,0,77703,2731,3781,1050,1812201
2000000,130000,26,0,85103,2991,4141,1150,2412207
sahm: warning: @T@/two.txt:129: branches are derived from MPKI and accuracy, whose digits leave them up to 33.3 % too high or too low
sahm: warning: @T@/two.txt:173: an accuracy of 100 % leaves the number of branches open (--map branches="0.15 * instructions" says what to take)
sahm: warning: @T@/two.txt: 1 of 3 rows skipped
sahm: warning: @T@/two.txt:172: 1 row skipped: an event is missing ('Branch Prediction Accuracy')
sahm: warning: @T@/two.txt:1: 66 lines passed over: of a recording that was not asked for; this one first
@T@/x.csv: 2 epochs of 10 ms; read as champsim (-f chooses another)
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses,cycles
2000001,196471,5344,0,77703,2731,2731,1050,1812201
2000000,130000,26,0,85103,2991,2991,1150,2412207
## what goes wrong: stopped before its end, cut short, an event that is not there, a wrong name
$ cd tests/data/import/champsim; sed '/completed all/,$d' tpcc-spp.txt >"$T/stopped.txt"; sahm trace import "$T/stopped.txt"
@T@/stopped.txt is read as champsim (-f chooses another)
sahm: error: @T@/stopped.txt: no statistics are in it: ChampSim prints them when it has completed all CPUs, was it stopped before?
[1]
$ cd tests/data/import/champsim; sed '/L1D LOAD/,$d' tpcc-spp.txt >"$T/cut.txt"; sahm trace import "$T/cut.txt"
sahm: warning: @T@/cut.txt: the last statistics are not followed by those of DRAM: was the output cut short? Counts of caches may be too low
sahm: warning: @T@/cut.txt: ChampSim knows cycles, but no time: --epoch-ms MS, or --map duration_ns="0.25 * cycles" (for 4 GHz), says how long a row lasts
@T@/cut.txt is read as champsim (-f chooses another)
sahm: error: @T@/cut.txt: no event stands for 'l1d_accesses', 'l1d_misses'; there are 'instructions', 'cycles', 'Branch Prediction Accuracy', 'Branch MPKI', 'L2C LOAD ACCESS', 'L2C LOAD MISS', 'L2C RFO ACCESS', 'L2C RFO MISS', 'L1I LOAD MISS'; say --map l1d_accesses=EXPRESSION, or --assume l1d_accesses=0, for each of them; was the output cut short? (of branches ChampSim prints no number, and an accuracy of 100 % leaves it open)
[1]
$ cd tests/data/import/champsim; head -c 4180 tpcc-spp.txt >"$T/cut.txt"; tail -n 1 "$T/cut.txt"; echo; sahm trace import "$T/cut.txt"
cpu0->cpu0_L1D LOAD         ACCESS:   68597787 HIT:   62916175 MISS:    5681612 MSHR
sahm: warning: @T@/cut.txt: the last statistics are not followed by those of DRAM: was the output cut short? Counts of caches may be too low
sahm: warning: @T@/cut.txt: ChampSim knows cycles, but no time: --epoch-ms MS, or --map duration_ns="0.25 * cycles" (for 4 GHz), says how long a row lasts
@T@/cut.txt is read as champsim (-f chooses another)
sahm: error: @T@/cut.txt: no event stands for 'l1d_accesses', 'l1d_misses'; there are 'instructions', 'cycles', 'Branch Prediction Accuracy', 'Branch MPKI', 'L2C LOAD ACCESS', 'L2C LOAD MISS', 'L2C RFO ACCESS', 'L2C RFO MISS', 'L1I LOAD MISS'; say --map l1d_accesses=EXPRESSION, or --assume l1d_accesses=0, for each of them; was the output cut short? (of branches ChampSim prints no number, and an accuracy of 100 % leaves it open)
[1]
$ cd tests/data/import/champsim; sahm trace import tpcc-spp.txt -m l1i_misses='"L1I LOAD MIS"'; sahm trace import tpcc-spp.txt -m l1d_misses='"L1D LOAD MISS" - "L1D LOAD MSHR_MERGE"' -e 100 --force -o "$T/x.csv"; tail -n 1 "$T/x.csv"
sahm: warning: tpcc-spp.txt: the last statistics are not followed by those of DRAM: was the output cut short? Counts of caches may be too low
sahm: warning: tpcc-spp.txt: ChampSim knows cycles, but no time: --epoch-ms MS, or --map duration_ns="0.25 * cycles" (for 4 GHz), says how long a row lasts
tpcc-spp.txt is read as champsim (-f chooses another)
sahm: error: tpcc-spp.txt: --map l1i_misses: nothing is called 'L1I LOAD MIS'; did you mean 'L1I LOAD MISS'?
sahm: warning: tpcc-spp.txt: the last statistics are not followed by those of DRAM: was the output cut short? Counts of caches may be too low
@T@/x.csv: 1 epoch of 100 ms; read as champsim (-f chooses another)
500000000,99598394,9920000,11062358,103516194,5250374,15688942,4924458,659687493
