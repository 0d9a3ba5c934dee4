## One dump, old names: O3, and Minor, which counts no branches but its predictions
$ cd tests/data/import/gem5; sahm trace import old-o3.txt -o "$T/o3.csv"; grep -v '^# name' "$T/o3.csv"
@T@/o3.csv: 1 epoch of 0.020302 ms; read as gem5 (-f chooses another)
# sahm trace 1
# source: modelled
# tool: gem5
# event.instructions: committedInsts
# event.branches: commit.branches
# event.branch_misses: commit.branchMispredicts
# event.l1i_misses: l1i.demandMisses
# event.l1d_accesses: l1d.demandAccesses
# event.l1d_misses: l1d.demandMisses
# event.l2_accesses: l2.demandAccesses
# event.l2_misses: l2.demandMisses
# event.cycles: numCycles
# origin.instructions: measured
# origin.branches: measured
# origin.branch_misses: modelled
# origin.l1i_misses: modelled
# origin.l1d_accesses: measured
# origin.l1d_misses: modelled
# origin.l2_accesses: modelled
# origin.l2_misses: modelled
# origin.cycles: modelled
# epoch_ns: 20302
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses,cycles
4592,1008,364,366,2264,361,443,424,40605
$ cd tests/data/import/gem5; awk '{ v[$1] = $2 } END { c = "system.cpu."; OFS = ","; print v[c "committedInsts"], v[c "commit.branches"], v[c "commit.branchMispredicts"], v[c "icache.demand_misses::total"], v[c "dcache.demand_accesses::total"], v[c "dcache.demand_misses::total"], v[c "l2cache.demand_accesses::total"], v[c "l2cache.demand_misses::total"], v[c "numCycles"] }' old-o3.txt
4592,1008,364,366,2264,361,443,424,40605
$ cd tests/data/import/gem5; sahm trace import old-minor.txt -o "$T/minor.csv"; tail -1 "$T/minor.csv"
sahm: warning: old-minor.txt: branches of 'system.cpu' are its 'branchPred.lookups': predictions, those of wrong paths among them, since it counts no others
@T@/minor.csv: 1 epoch of 0.032617 ms; read as gem5 (-f chooses another)
4605,1965,349,321,2072,176,467,428,65235
$ cd tests/data/import/gem5; sahm trace import old-o3-2-threads.txt -o "$T/smt.csv"; tail -1 "$T/smt.csv"; grep -e committedInsts:: -e commit.branches:: old-o3-2-threads.txt | sed 's/ *$//'
@T@/smt.csv: 1 epoch of 0.027117 ms; read as gem5 (-f chooses another)
12770,2112,661,907,5270,1020,966,963,54236
system.cpu.commit.committedInsts::0              6402
system.cpu.commit.committedInsts::1              6402
system.cpu.commit.committedInsts::total         12804
system.cpu.commit.branches::0                    1056
system.cpu.commit.branches::1                    1056
system.cpu.commit.branches::total                2112
system.cpu.committedInsts::0                     6385
system.cpu.committedInsts::1                     6385
system.cpu.committedInsts::total                12770
## Four CPUs share L2: each has its requests, and their sum is the total
$ cd tests/data/import/gem5; sahm trace import old-o3-4-cpus.txt -o "$T/four.csv"; tail -1 "$T/four.csv"; awk '/cpu[0-9].committedInsts/ { i += $2 } /l2c.demand_accesses::total/ { a = $2 } /l2c.demand_misses::total/ { m = $2 } /numCycles/ { c += $2 } END { print i, a, m, c }' old-o3-4-cpus.txt
sahm: warning: old-o3-4-cpus.txt: summed over 4 groups: system.cpu0, system.cpu1, system.cpu2, system.cpu3 (--each makes a trace of each, --only NAME of one)
@T@/four.csv: 1 epoch of 0.126524 ms; read as gem5 (-f chooses another)
1168600,244621,8675,3470,450322,3019,3069,723,833760
1168600 3069 723 833760
$ cd tests/data/import/gem5; sahm trace import old-o3-4-cpus.txt --each -o "$T"; for n in 0 1 2 3; do sahm trace export "$T/old-o3-4-cpus-system.cpu$n.trc" | tail -1; done; awk -F '[: ]+' '/l2c.demand_misses::cpu/ { sub(/\..*/, "", $2); m[$2] += $3 } END { for (n = 0; n < 4; n++) print "cpu" n, m["cpu" n] }' old-o3-4-cpus.txt
@T@/old-o3-4-cpus-system.cpu0.trc: 1 epoch of 0.126524 ms, 872 bytes; read as gem5 (-f chooses another)
@T@/old-o3-4-cpus-system.cpu1.trc: 1 epoch of 0.126524 ms, 872 bytes
@T@/old-o3-4-cpus-system.cpu2.trc: 1 epoch of 0.126524 ms, 872 bytes
@T@/old-o3-4-cpus-system.cpu3.trc: 1 epoch of 0.126524 ms, 872 bytes
452871,90493,1594,911,179860,1118,864,541,253049
225591,48947,2283,895,84883,600,763,116,193951
215771,47555,2446,804,81428,659,693,36,193568
274367,57626,2352,860,104151,642,749,30,193192
cpu0 541
cpu1 116
cpu2 36
cpu3 30
$ cd tests/data/import/gem5; sahm trace import old-o3-4-cpus.txt --only system.cpu2 -o "$T/two.csv" && tail -1 "$T/two.csv"
sahm: warning: old-o3-4-cpus.txt:393: 27 lines passed over: of a CPU, thread or cgroup that was not asked for; this one first
@T@/two.csv: 1 epoch of 0.126524 ms; read as gem5 (-f chooses another)
215771,47555,2446,804,81428,659,693,36,193568
$ cd tests/data/import/gem5; sahm trace import old-o3-4-cpus.txt --only cpu2
old-o3-4-cpus.txt is read as gem5 (-f chooses another)
sahm: error: old-o3-4-cpus.txt: --only: nothing is of 'cpu2'; there are 'system.cpu0', 'system.cpu1', 'system.cpu2', 'system.cpu3'
[1]
## CPUs of several models: only O3 counts mispredictions
$ cd tests/data/import/gem5; sahm trace import old-switched.txt
sahm: warning: old-switched.txt: branches of 'system.cpu2' are its 'commit.branches'
old-switched.txt is read as gem5 (-f chooses another)
sahm: error: old-switched.txt:210: no usable row: an event is not supported ('commit.branchMispredicts'); gem5 counts mispredictions only with a predictor, and misses only with caches (docs/simulators.md)
[1]
$ cd tests/data/import/gem5; sahm trace import old-switched.txt -m 'branch_misses=zero(commit.branchMispredicts)' -o "$T/switched.csv"; tail -1 "$T/switched.csv"
sahm: warning: old-switched.txt: branches of 'system.cpu2' are its 'commit.branches'
sahm: warning: old-switched.txt: summed over 3 groups: system.cpu0, system.cpu1, system.cpu2 (--each makes a trace of each, --only NAME of one)
@T@/switched.csv: 1 epoch of 5142.302696 ms; read as gem5 (-f chooses another)
243732330,50237638,855634,1014757,21995816,1606791,2609188,176385,3664080021
$ cd tests/data/import/gem5; awk '/cpu[0-9].committedInsts/ { i += $2 } /cpu[012].(Branches|commit.branches)/ { b += $2 } /[id]cache.demand_misses::cpu[0-9].inst/ { im += $2 } /dcache.demand_accesses::cpu[0-9].data/ { da += $2 } /dcache.demand_misses::cpu[0-9].data/ { dm += $2 } /l2c.demand_accesses::cpu[0-9].(inst|data)/ { la += $2 } /l2c.demand_misses::cpu[0-9].(inst|data)/ { lm += $2 } /numCycles/ { c += $2 } END { printf "%d,%d,-,%d,%d,%d,%d,%d,%.0f\n", i, b, im, da, dm, la, lm, c }' old-switched.txt
243732330,50237638,-,1014757,21995816,1606791,2609188,176385,3664080021
$ cd tests/data/import/gem5; sahm trace import synthetic-switch.txt -o "$T/switch.csv"; grep -v '^#' "$T/switch.csv"
sahm: warning: synthetic-switch.txt:36: statistics are differences, reset at the dump before: 3 of 4 dumps are taken as they are (--cumulative says otherwise)
sahm: warning: synthetic-switch.txt: 2 of 4 rows skipped
sahm: warning: synthetic-switch.txt:136: 1 row skipped: an event is not supported ('branchPred.mispredicted_0::total')
sahm: warning: synthetic-switch.txt:34: 1 row skipped: an event is missing ('branch_misses')
sahm: warning: synthetic-switch.txt: summed over 2 groups: system.cpu, system.switch_cpus (--each makes a trace of each, --only NAME of one)
sahm: warning: synthetic-switch.txt:34: 4 times a CPU, thread or cgroup was not counted at all, and is taken to have been idle; here first
@T@/switch.csv: 2 epochs of 0.1 ms; read as gem5 (-f chooses another)
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses,cycles
300000,61000,2500,220,88000,4100,4320,2160,410000
310000,62000,2300,110,90000,3900,4010,2005,400000
$ cd tests/data/import/gem5; sahm trace import synthetic-switch.txt -a branch_misses=0 --force -o "$T/switch.csv"; grep -e branch_misses -e '^[0-9]' "$T/switch.csv"; awk '/commitStats0.numInsts/ { i += $2 } /committedControl/ { b += $2 } /mispredicted_0::total/ { m += $2 } /icache.demandMisses::total/ { im += $2 } /dcache.demandAccesses::total/ { da += $2 } /dcache.demandMisses::total/ { dm += $2 } /l2.demandAccesses::.*(inst|data) / { la += $2 } /l2.demandMisses::.*(inst|data) / { lm += $2 } END { print i, b, m, im, da, dm, la, lm }' synthetic-switch.txt; awk -F, '/^[0-9]/ { for (c = 1; c < 9; c++) s[c] += $c } END { print s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8] }' "$T/switch.csv"
sahm: warning: synthetic-switch.txt:36: statistics are differences, reset at the dump before: 3 of 4 dumps are taken as they are (--cumulative says otherwise)
sahm: warning: synthetic-switch.txt: summed over 2 groups: system.cpu, system.switch_cpus (--each makes a trace of each, --only NAME of one)
sahm: warning: synthetic-switch.txt:34: 4 times a CPU, thread or cgroup was not counted at all, and is taken to have been idle; here first
sahm: warning: synthetic-switch.txt: in 2 of 4 rows branch_misses are assumed, in the others counted
@T@/switch.csv: 4 epochs of 0.1 ms; read as gem5 (-f chooses another)
# event.branch_misses: branchPred.mispredicted_0::total; where it is not supported, 0 an epoch, assumed
# origin.branch_misses: assumed
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses,cycles
1000000,200000,0,500,300000,9000,9500,4750,1000000
300000,61000,2500,220,88000,4100,4320,2160,410000
310000,62000,2300,110,90000,3900,4010,2005,400000
1200000,230000,0,40,350000,8000,8040,4020,1200000
2810000 553000 4800 870 828000 25000 25870 12935
2810000 553000 4800 870 828000 25000 25870 12935
## Ruby: L1 and L2 of two levels
$ cd tests/data/import/gem5; sahm trace import old-ruby.txt -a branch_misses=0 -o "$T/ruby.csv"; tail -1 "$T/ruby.csv"; grep -e L.cache.demand -e L..cache.demand old-ruby.txt | sed 's/ *$//'
@T@/ruby.csv: 1 epoch of 0.129075 ms; read as gem5 (-f chooses another)
6403,1056,0,691,2050,800,1491,1461,129075
system.ruby.l1_cntrl0.L1Dcache.demand_hits         1250                       # Number of cache demand hits
system.ruby.l1_cntrl0.L1Dcache.demand_misses          800                       # Number of cache demand misses
system.ruby.l1_cntrl0.L1Dcache.demand_accesses         2050                       # Number of cache demand accesses
system.ruby.l1_cntrl0.L1Icache.demand_hits         5722                       # Number of cache demand hits
system.ruby.l1_cntrl0.L1Icache.demand_misses          691                       # Number of cache demand misses
system.ruby.l1_cntrl0.L1Icache.demand_accesses         6413                       # Number of cache demand accesses
system.ruby.l2_cntrl0.L2cache.demand_hits           30                       # Number of cache demand hits
system.ruby.l2_cntrl0.L2cache.demand_misses         1461                       # Number of cache demand misses
system.ruby.l2_cntrl0.L2cache.demand_accesses         1491                       # Number of cache demand accesses
## Names of v22 and v24, of the standard library; seven of eight CPUs have not run in the first dump
$ cd tests/data/import/gem5; sahm trace import v22-atomic.txt
v22-atomic.txt is read as gem5 (-f chooses another)
sahm: error: v22-atomic.txt: no event stands for 'branch_misses', 'l2_accesses', 'l2_misses'; there are 'exec_context.thread_0.numInsts', 'exec_context.thread_0.numBranches', 'l1i.demandMisses', 'l1d.demandAccesses', 'l1d.demandMisses', 'numCycles'; say --map branch_misses=EXPRESSION, or --assume branch_misses=0, for each of them; gem5 counts mispredictions only with a predictor, and misses only with caches (docs/simulators.md)
[1]
$ cd tests/data/import/gem5; for m in atomic o3; do sahm trace import v22-$m.txt $(test $m = o3 || echo -a branch_misses=0) -a l2_accesses=0 -a l2_misses=0 -o "$T/v22-$m.csv"; tail -1 "$T/v22-$m.csv"; done
@T@/v22-atomic.csv: 1 epoch of 0.958982 ms; read as gem5 (-f chooses another)
1753641,65715,0,518,710706,341,0,0,2879828
@T@/v22-o3.csv: 1 epoch of 0.417884 ms; read as gem5 (-f chooses another)
1753641,65715,3131,797,450208,469,0,0,1254910
$ cd tests/data/import/gem5; sahm trace import v24-o3.txt -o "$T/v24.csv"; grep -e '^# event' -e '^[0-9]' "$T/v24.csv"; awk '/commitStats0.numInsts / { i += $2 } /mispredicted_0::total/ { m += $2 } /l1d.*demandMisses::.*data / { d += $2 } /l2.*demandMisses::.*(data|inst) / { l += $2 } END { print i, m, d, l }' v24-o3.txt
sahm: warning: v24-o3.txt:56: statistics are differences, reset at the dump before: 1 of 2 dumps are taken as they are (--cumulative says otherwise)
sahm: warning: v24-o3.txt: intervals of 7.2e-05 to 0.323451 ms are taken for 0.323451 ms each (--by-time --epoch-ms 0.323451 cuts them to size)
@T@/v24.csv: 2 epochs of 0.323451 ms; read as gem5 (-f chooses another)
# event.instructions: commitStats0.numInsts
# event.branches: commitStats0.committedControl::IsControl
# event.branch_misses: branchPred.mispredicted_0::total
# event.l1i_misses: l1i.demandMisses
# event.l1d_accesses: l1d.demandAccesses
# event.l1d_misses: l1d.demandMisses
# event.l2_accesses: l2.demandAccesses
# event.l2_misses: l2.demandMisses
# event.cycles: numCycles
1,1,0,2,0,0,2,2,219
1000000,120056,2510,1652,443102,2648,2401,2104,971323
1000001 2510 2648 2106
$ cd tests/data/import/gem5; sahm trace import v24-timing-8-cores.txt -a branch_misses=0 -a l2_accesses=0 -a l2_misses=0 -o "$T/eight.csv"; grep -v '^#' "$T/eight.csv"; awk '/commitStats0.numInsts / { i += $2 } /IsControl/ { b += $2 } /l1d.*demandAccesses::total/ { da += $2 } END { print i, b, da }' v24-timing-8-cores.txt
sahm: warning: v24-timing-8-cores.txt:83: statistics are differences, reset at the dump before: 1 of 2 dumps are taken as they are (--cumulative says otherwise)
sahm: warning: v24-timing-8-cores.txt: summed over 8 groups: board.processor.cores0.core, board.processor.cores1.core, board.processor.cores2.core, board.processor.cores3.core, board.processor.cores4.core, board.processor.cores5.core, board.processor.cores6.core, board.processor.cores7.core (--each makes a trace of each, --only NAME of one)
sahm: warning: v24-timing-8-cores.txt:81: 7 times a CPU, thread or cgroup was not counted at all, and is taken to have been idle; here first
sahm: warning: v24-timing-8-cores.txt: intervals of 0.037448 to 0.444527 ms are taken for 0.444527 ms each (--by-time --epoch-ms 0.444527 cuts them to size)
@T@/eight.csv: 2 epochs of 0.444527 ms; read as gem5 (-f chooses another)
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses,cycles
207879,51548,0,660,51672,1470,0,0,444556
100000,20697,0,886,44868,906,0,0,3411596
307879 72245 96540
## Differences and totals of the same simulation become the same trace, and a reset between dumps is seen
$ cd tests/data/import/gem5; for f in differences totals mixed; do sahm trace import synthetic-$f.txt -o "$T/$f.csv"; done; sed s/totals/differences/ "$T/totals.csv" | cmp - "$T/differences.csv"; grep -v '^#' "$T/totals.csv"; grep -v '^#' "$T/mixed.csv"
sahm: warning: synthetic-differences.txt:38: statistics are differences, reset at the dump before: 3 of 4 dumps are taken as they are (--cumulative says otherwise)
@T@/differences.csv: 4 epochs of 0.1 ms; read as gem5 (-f chooses another)
sahm: warning: synthetic-totals.txt:38: statistics are totals, not reset at dumps: from 3 of 4 dumps the one before is subtracted (--differences says otherwise)
@T@/totals.csv: 4 epochs of 0.1 ms; read as gem5 (-f chooses another)
sahm: warning: synthetic-mixed.txt:38: statistics are totals, not reset at dumps: from 2 of 4 dumps the one before is subtracted (--differences says otherwise)
sahm: warning: synthetic-mixed.txt:74: statistics were reset between dumps: 1 of 4 dumps count from there on, and 0.05 ms are in none
sahm: warning: synthetic-mixed.txt: intervals of 0.05 to 0.1 ms are taken for 0.1 ms each (--by-time --epoch-ms 0.1 cuts them to size)
@T@/mixed.csv: 4 epochs of 0.1 ms; read as gem5 (-f chooses another)
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses,cycles
200000,40000,900,300,60000,2000,2300,820,250000
180000,36500,700,20,52000,900,920,100,190000
210000,41000,650,0,64000,700,700,90,205000
205000,40100,655,1,61000,0,1,1,199000
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses,cycles
200000,40000,900,300,60000,2000,2300,820,250000
180000,36500,700,20,52000,900,920,100,190000
105000,20500,325,0,32000,350,350,45,102500
205000,40100,655,1,61000,0,1,1,199000
$ cd tests/data/import/gem5; awk '/l2.demandMisses::cpu.(inst|data) / { m += $2 } /commitStats0.numInsts/ { i += $2 } /numCycles/ { c += $2 } END { print i, m, c }' synthetic-differences.txt; tac synthetic-totals.txt | grep -m 4 -e numInsts -e 'l2.demandMisses::cpu.[id][na]' -e numCycles | sed 's/   *#.*//'
795000 1011 844000
system.l2.demandMisses::cpu.data                     890
system.l2.demandMisses::cpu.inst                     121
system.cpu.commitStats0.numInsts                  795000
system.cpu.numCycles                              844000
$ cd tests/data/import/gem5; sahm trace import synthetic-totals.txt --differences --force -o "$T/x.csv"; tail -1 "$T/x.csv"
sahm: warning: synthetic-totals.txt:38: statistics are differences, reset at the dump before: 3 of 4 dumps are taken as they are
sahm: warning: synthetic-totals.txt:38: simTicks contradicts --differences in 3 of 4 dumps
sahm: warning: synthetic-totals.txt: intervals of 0.1 to 0.4 ms are taken for 0.3 ms each (--by-time --epoch-ms 0.3 cuts them to size)
@T@/x.csv: 4 epochs of 0.3 ms; read as gem5 (-f chooses another)
795000,157600,2905,321,237000,3600,3921,1011,844000
$ cd tests/data/import/gem5; sahm trace import synthetic-differences.txt --cumulative --force -o "$T/x.csv"; tail -1 "$T/x.csv"
sahm: warning: synthetic-differences.txt:38: statistics are totals, not reset at dumps: from 3 of 4 dumps the one before is subtracted
sahm: warning: synthetic-differences.txt:38: simTicks contradicts --cumulative in 3 of 4 dumps
sahm: warning: synthetic-differences.txt: 3 of 4 rows skipped
sahm: warning: synthetic-differences.txt:71: 3 rows skipped: a running total fell ('commitStats0.numInsts'); this one first
@T@/x.csv: 1 epoch of 0.1 ms; read as gem5 (-f chooses another)
200000,40000,900,300,60000,2000,2300,820,250000
$ cd tests/data/import/gem5; grep -v -e simTicks -e finalTick synthetic-totals.txt | sahm trace import -
<stdin> is read as gem5 (-f chooses another)
sahm: error: <stdin>:68: this dump has no simTicks and finalTick that say whether it counts since the one before: say --differences, or --cumulative if statistics were not reset
[1]
$ cd tests/data/import/gem5; grep -v -e simTicks -e finalTick synthetic-totals.txt | sahm trace import - --cumulative --force -o "$T/x.csv"; tail -1 "$T/x.csv"
sahm: warning: <stdin>:36: statistics are totals, not reset at dumps: from 3 of 4 dumps the one before is subtracted
sahm: warning: <stdin>: no time is given, a row is taken for 100 ms
@T@/x.csv: 4 epochs of 100 ms; read as gem5 (-f chooses another)
205000,40100,655,1,61000,0,1,1,199000
$ sahm trace import tests/data/import/gem5/synthetic-totals.txt --cumulative --differences
sahm: error: --cumulative and --differences exclude each other
[2]
## The trace as it is used
$ cd tests/data/import/gem5; sahm trace import synthetic-totals.txt -o "$T/totals.trc" 2>/dev/null; sahm characterize "$T/totals.trc"
states by share of epochs (thresholds: intuitive); same: epochs in the previous one's state
6 of 9 counters modelled: branch_misses, l1i_misses, l1d_misses, l2_accesses, l2_misses, cycles

trace             epochs    same  intervals  epochs/interval  states
--------------------------------------------------------------------------------------------------------
synthetic-totals       4  66.7 %          2              2.0  L2+Branch 75.0 %, L2+L1D+L1I+Branch 25.0 %
--------------------------------------------------------------------------------------------------------
mean                 4.0  66.7 %        2.0              2.0  L2+Branch 75.0 %, L2+L1D+L1I+Branch 25.0 %
## Files that lack something
$ cd tests/data/import/gem5; head -50 synthetic-totals.txt | sahm trace import - --force -o "$T/x.csv"; tail -1 "$T/x.csv"
sahm: warning: <stdin>:38: 1 line passed over: cut short
@T@/x.csv: 1 epoch of 0.1 ms; read as gem5 (-f chooses another)
200000,40000,900,300,60000,2000,2300,820,250000
$ cd tests/data/import/gem5; head -5 synthetic-totals.txt | sahm trace import -
<stdin> is read as gem5 (-f chooses another)
sahm: error: <stdin>: no line has a count and an event: was gem5 run to the end of a dump, with CPUs that count numCycles?
[1]
$ printf '\n---------- Begin Simulation Statistics ----------\n\n---------- End Simulation Statistics   ----------\n' | sahm trace import -
<stdin> is read as gem5 (-f chooses another)
sahm: error: <stdin>: no line has a count and an event: was gem5 run to the end of a dump, with CPUs that count numCycles?
[1]
$ cd tests/data/import/gem5; { cat synthetic-totals.txt; printf '\n---------- Begin Simulation Statistics ----------\n\n---------- End Simulation Statistics   ----------\n'; } | sahm trace import - --force -o "$T/x.csv"
sahm: warning: <stdin>:38: statistics are totals, not reset at dumps: from 3 of 5 dumps the one before is subtracted (--differences says otherwise)
sahm: warning: <stdin>:146: 1 line passed over: not readable as counts
@T@/x.csv: 4 epochs of 0.1 ms; read as gem5 (-f chooses another)
$ cd tests/data/import/gem5; cat synthetic-totals.txt synthetic-differences.txt | sahm trace import - --force -o "$T/x.csv"; cat synthetic-totals.txt synthetic-differences.txt | sahm trace import - --recording 2 --force -o "$T/x.csv"
sahm: warning: <stdin>:38: statistics are totals, not reset at dumps: from 3 of 8 dumps the one before is subtracted (--differences says otherwise)
sahm: warning: <stdin>:182: statistics are differences, reset at the dump before: 3 of 8 dumps are taken as they are (--cumulative says otherwise)
sahm: warning: <stdin>: 2 recordings are put one after the other (--recording N takes one)
@T@/x.csv: 8 epochs of 0.1 ms; read as gem5 (-f chooses another)
sahm: warning: <stdin>:38: statistics are totals, not reset at dumps: from 3 of 8 dumps the one before is subtracted (--differences says otherwise)
sahm: warning: <stdin>:182: statistics are differences, reset at the dump before: 3 of 8 dumps are taken as they are (--cumulative says otherwise)
sahm: warning: <stdin>:2: 4 lines passed over: of a recording that was not asked for; this one first
@T@/x.csv: 4 epochs of 0.1 ms; read as gem5 (-f chooses another)
$ cd tests/data/import/gem5; grep -v -e l2 old-o3.txt | sahm trace import -
<stdin> is read as gem5 (-f chooses another)
sahm: error: <stdin>: no event stands for 'l2_accesses', 'l2_misses'; there are 'committedInsts', 'commit.branches', 'commit.branchMispredicts', 'l1i.demandMisses', 'l1d.demandAccesses', 'l1d.demandMisses', 'numCycles'; say --map l2_accesses=EXPRESSION, or --assume l2_accesses=0, for each of them; gem5 counts mispredictions only with a predictor, and misses only with caches (docs/simulators.md)
[1]
$ cd tests/data/import/gem5; sahm trace import old-o3.txt -m l2_misses=l2cache.overal_misses::total
old-o3.txt is read as gem5 (-f chooses another)
sahm: error: old-o3.txt: --map: no CPU has a statistic 'l2cache.overal_misses::total'; did you mean 'l2cache.overall_misses::total'?
[1]
$ cd tests/data/import/gem5; sahm trace import old-o3.txt -m l2_misses=nowhere.at_all
old-o3.txt is read as gem5 (-f chooses another)
sahm: error: old-o3.txt: --map: no CPU has a statistic 'nowhere.at_all' (name it as the file does, from the CPU's part on)
[1]
$ cd tests/data/import/gem5; sahm trace import old-o3.txt -m l2_misses=l2cache.overall_mshr_misses::total --force -o "$T/x.csv"; sahm trace import old-o3.txt -m l2_accesses=system.cpu.l2cache.overall_accesses::total -m l2_misses=system.cpu.l2cache.overall_misses::total --force -o "$T/x.csv"; grep -e event.l2 -e '^[0-9]' "$T/x.csv"
old-o3.txt is read as gem5 (-f chooses another)
sahm: error: old-o3.txt: --map: no CPU has a statistic 'l2cache.overall_mshr_misses::total'; did you mean 'l2cache.overall_misses::total'?
@T@/x.csv: 1 epoch of 0.020302 ms; read as gem5 (-f chooses another)
# event.l2_accesses: system.cpu.l2cache.overall_accesses::total
# event.l2_misses: system.cpu.l2cache.overall_misses::total
4592,1008,364,366,2264,361,443,424,40605
$ cd tests/data/import/gem5; sahm trace import synthetic-totals.txt -m 'l2_misses=delta(l2.demandMisses)'
synthetic-totals.txt is read as gem5 (-f chooses another)
sahm: error: synthetic-totals.txt: --map l2_misses: delta() of 'l2.demandMisses' is not needed: of totals, the dump before is subtracted from each
[1]
