## all samples are synthetic: one run on two cores in four forms, each recognised by its content
$ cd tests/data/import/sniper; for f in synthetic.*; do sahm trace import $f --force -o "$T/x.csv"; grep -v '^#' "$T/x.csv"; done
sahm: warning: synthetic.dumpstats: summed over 2 groups: core0, core1 (--each makes a trace of each, --only NAME of one)
@T@/x.csv: 1 epoch of 3.4415 ms; read as sniper (-f chooses another)
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses,cycles
6534766,1179502,35845,7722,2419711,79980,87702,25731,18308780
sahm: warning: synthetic.sim.out: summed over 2 groups: core0, core1 (--each makes a trace of each, --only NAME of one)
@T@/x.csv: 1 epoch of 3.4415 ms; read as sniper (-f chooses another)
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses,cycles
6534766,1179502,35845,7722,2419711,79980,87702,25731,18308780
sahm: warning: synthetic.stats.delta: 1 interval outside of the region of interest (roi-begin to roi-end) makes no rows
sahm: warning: synthetic.stats.delta: summed over 2 groups: core0, core1 (--each makes a trace of each, --only NAME of one)
sahm: warning: synthetic.stats.delta: intervals of 0.4415 to 1 ms are taken for 1 ms each (--by-time --epoch-ms 1 cuts them to size)
@T@/x.csv: 4 epochs of 1 ms; read as sniper (-f chooses another)
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses
1203411,216984,6562,1390,445473,14692,16082,4718
2161361,390045,11843,2544,800273,26441,28985,8504
2390874,431357,13083,2799,885193,29233,32032,9397
779120,141116,4357,989,288772,9614,10603,3112
sahm: warning: synthetic.through-time: 2 intervals outside of the region of interest (roi-begin to roi-end) make no rows
sahm: warning: synthetic.through-time: summed over 2 groups: core0, core1 (--each makes a trace of each, --only NAME of one)
sahm: warning: synthetic.through-time: intervals of 0.4415 to 1 ms are taken for 1 ms each (--by-time --epoch-ms 1 cuts them to size)
@T@/x.csv: 4 epochs of 1 ms; read as sniper (-f chooses another)
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses
1203411,216984,6562,1390,445473,14692,16082,4718
2161361,390045,11843,2544,800273,26441,28985,8504
2390874,431357,13083,2799,885193,29233,32032,9397
779120,141116,4357,989,288772,9614,10603,3112
$ cd tests/data/import/sniper; sahm trace import synthetic.stats.delta --force -o "$T/delta.csv" 2>/dev/null; grep '^#' "$T/delta.csv"; sahm characterize "$T/delta.csv"
# sahm trace 1
# name: synthetic.stats
# source: modelled
# tool: Sniper
# event.instructions: performance_model.instruction_count
# event.branches: branch_predictor.num-correct + branch_predictor.num-incorrect
# event.branch_misses: branch_predictor.num-incorrect
# event.l1i_misses: L1-I.load-misses
# event.l1d_accesses: L1-D.loads + L1-D.stores
# event.l1d_misses: L1-D.load-misses + L1-D.store-misses-I
# event.l2_accesses: L2.loads + L2.stores
# event.l2_misses: L2.load-misses + L2.store-misses-I
# origin.instructions: measured
# origin.branches: measured
# origin.branch_misses: modelled
# origin.l1i_misses: modelled
# origin.l1d_accesses: measured
# origin.l1d_misses: modelled
# origin.l2_accesses: modelled
# origin.l2_misses: modelled
# epoch_ns: 1000000
states by share of epochs (thresholds: intuitive); same: epochs in the previous one's state
5 of 8 counters modelled: branch_misses, l1i_misses, l1d_misses, l2_accesses, l2_misses

trace            epochs     same  intervals  epochs/interval  states
---------------------------------------------------------------------------------------
synthetic.stats       4  100.0 %          1              4.0  L2+L1D+L1I+Branch 100.0 %
---------------------------------------------------------------------------------------
mean                4.0  100.0 %        1.0              4.0  L2+L1D+L1I+Branch 100.0 %
## totals against sums by awk: of roi-end less roi-begin, and of the table (which knows cycles too)
$ cd tests/data/import/sniper; awk -v FS='[.[ ]' '{v = $1 == "roi-begin" ? -$NF : $1 == "roi-end" ? $NF : 0; n[$2 "." $(NF - 1)] += v} END{print n["performance_model.instruction_count"], n["branch_predictor.num-correct"] + n["branch_predictor.num-incorrect"], n["branch_predictor.num-incorrect"], n["L1-I.load-misses"], n["L1-D.loads"] + n["L1-D.stores"], n["L1-D.load-misses"] + n["L1-D.store-misses-I"], n["L2.loads"] + n["L2.stores"], n["L2.load-misses"] + n["L2.store-misses-I"]}' synthetic.stats.delta; grep '^[0-9]' "$T/delta.csv" | awk -F , '{for (i = 1; i <= NF; i++) n[i] += $i} END{for (i = 1; i <= 8; i++) printf "%d%s", n[i], i < 8 ? " " : "\n"}'
6534766 1179502 35845 7722 2419711 79980 87702 25731
6534766 1179502 35845 7722 2419711 79980 87702 25731
$ cd tests/data/import/sniper; awk -F '|' '/^  Instr/{n = $2 + $3} /num (in)?correct/{b += $2 + $3} /num incorrect/{m = $2 + $3} /^  Cache/{c = $1} /num cache acc/{a[c] = $2 + $3} /num cache mis/{s[c] = $2 + $3} END{for (c in a) {k = c; gsub(" ", "", k); A[k] = a[c]; S[k] = s[c]} print n, b, m, S["CacheL1-I"], A["CacheL1-D"], S["CacheL1-D"], A["CacheL2"], S["CacheL2"]}' synthetic.sim.out
6534766 1179502 35845 7722 2419711 79980 87702 25731
## each core, one, and cycles of 2.66 GHz where only time is known
$ cd tests/data/import/sniper; sahm trace import synthetic.stats.delta --each -o "$T" && for c in 0 1; do sahm trace export "$T/synthetic.stats-core$c.trc" -o - | grep '^[0-9]'; done
sahm: warning: synthetic.stats.delta: 1 interval outside of the region of interest (roi-begin to roi-end) makes no rows
sahm: warning: synthetic.stats.delta: intervals of 0.4415 to 1 ms are taken for 1 ms each (--by-time --epoch-ms 1 cuts them to size)
@T@/synthetic.stats-core0.trc: 4 epochs of 1 ms, 1016 bytes; read as sniper (-f chooses another)
@T@/synthetic.stats-core1.trc: 3 epochs of 1 ms, 1016 bytes
1203411,216984,6562,1390,445473,14692,16082,4718
1350127,243393,7354,1553,499758,16476,18029,5289
990003,178571,5410,1153,366512,12098,13251,3887
402118,72689,2224,490,148958,4939,5429,1593
811234,146652,4489,991,300515,9965,10956,3215
1400871,252786,7673,1646,518681,17135,18781,5510
377002,68427,2133,499,139814,4675,5174,1519
$ cd tests/data/import/sniper; sahm trace import synthetic.sim.out --only core1 --force -o "$T/x.csv" && tail -n 1 "$T/x.csv"; sahm trace import synthetic.sim.out --only core2
sahm: warning: synthetic.sim.out:2: 9 lines passed over: of a CPU, thread or cgroup that was not asked for; this one first
@T@/x.csv: 1 epoch of 3.4415 ms; read as sniper (-f chooses another)
2589107,467865,14295,3136,959010,31775,34911,10244,9154390
synthetic.sim.out is read as sniper (-f chooses another)
sahm: error: synthetic.sim.out: --only: nothing is of 'core2'; there are 'core0', 'core1'
[1]
$ cd tests/data/import/sniper; for f in synthetic.stats.delta synthetic.through-time; do sahm trace import $f -m cycles='0.00000266 * performance_model.elapsed_time' -e 1 -t --force -o "$T/x.csv"; grep -v '^#' "$T/x.csv"; done
sahm: warning: synthetic.stats.delta: 1 interval outside of the region of interest (roi-begin to roi-end) makes no rows
sahm: warning: synthetic.stats.delta: the last epoch holds what is left, 0.4415 ms
sahm: warning: synthetic.stats.delta: summed over 2 groups: core0, core1 (--each makes a trace of each, --only NAME of one)
@T@/x.csv: 4 epochs of 1 ms; read as sniper (-f chooses another)
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses,cycles
1203411,216984,6562,1390,445473,14692,16082,4718,2660000
2161361,390045,11843,2544,800273,26441,28985,8504,5320000
2390874,431357,13083,2799,885193,29233,32032,9397,5320000
779120,141116,4357,989,288772,9614,10603,3112,2348780
sahm: warning: synthetic.through-time: 2 intervals outside of the region of interest (roi-begin to roi-end) make no rows
sahm: warning: synthetic.through-time: the last epoch holds what is left, 0.4415 ms
sahm: warning: synthetic.through-time: summed over 2 groups: core0, core1 (--each makes a trace of each, --only NAME of one)
@T@/x.csv: 4 epochs of 1 ms; read as sniper (-f chooses another)
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses,cycles
1203411,216984,6562,1390,445473,14692,16082,4718,2660000
2161361,390045,11843,2544,800273,26441,28985,8504,5320000
2390874,431357,13083,2799,885193,29233,32032,9397,5320000
779120,141116,4357,989,288772,9614,10603,3112,2348780
## what goes wrong: cut short, empty, without its region, an event that is not there, a wrong name
$ cd tests/data/import/sniper; head -c 6000 synthetic.stats.delta >"$T/cut.stats"; tail -n 1 "$T/cut.stats"; echo; sahm trace import "$T/cut.stats" --force -o "$T/x.csv"; grep '^[0-9]' "$T/x.csv"
roi-end.L2[0].store-misses 
sahm: warning: @T@/cut.stats: 1 of 4 rows skipped
sahm: warning: @T@/cut.stats:145: 1 row skipped: an event is missing ('performance_model.instruction_count')
sahm: warning: @T@/cut.stats: summed over 2 groups: core0, core1 (--each makes a trace of each, --only NAME of one)
@T@/x.csv: 3 epochs of 1 ms; read as sniper (-f chooses another)
1203411,216984,6562,1390,445473,14692,16082,4718
2161361,390045,11843,2544,800273,26441,28985,8504
2390874,431357,13083,2799,885193,29233,32032,9397
$ cd tests/data/import/sniper; head -n 2 synthetic.sim.out >"$T/cut.out"; sahm trace import "$T/cut.out"; head -n 1 synthetic.sim.out >"$T/empty.out"; sahm trace import "$T/empty.out"; grep '^roi-begin' synthetic.stats.delta >"$T/begin.stats"; sahm trace import "$T/begin.stats"; sed 's/^roi-begin/start/; /^roi-end/d' synthetic.stats.delta >"$T/rest.stats"; sahm trace import "$T/rest.stats"
@T@/cut.out is read as sniper (-f chooses another)
sahm: error: @T@/cut.out: no event stands for 'branches', 'branch_misses', 'l1i_misses', 'l1d_accesses', 'l1d_misses', 'l2_accesses', 'l2_misses'; there are 'Instructions'; say --map branches=EXPRESSION, or --assume branches=0, for each of them
@T@/empty.out is read as sniper (-f chooses another)
sahm: error: @T@/empty.out: no statistics are in it: sim.out, sim.stats of version 3, and what tools/dumpstats.py prints can be imported
@T@/begin.stats is read as sniper (-f chooses another)
sahm: error: @T@/begin.stats: there is only one snapshot: a row is what lies between two
@T@/rest.stats is read as sniper (-f chooses another)
sahm: error: @T@/rest.stats: nothing lies in the region of interest: 'roi-begin' is missing, or the last of 5 snapshots
[1]
$ cd tests/data/import/sniper; grep -v ' = .*e-06\|^L2' synthetic.dumpstats >"$T/no-l2"; sahm trace import "$T/no-l2"; sahm trace import "$T/no-l2" -m l2_accesses=L1-D.load-miss -a l2_misses=0; sahm trace import "$T/no-l2" -m l2_accesses='L1-I.load-misses + L1-D.load-misses + L1-D.store-misses-I' -m l2_misses='dram.reads' --force -o "$T/x.csv" && tail -n 1 "$T/x.csv"
@T@/no-l2 is read as sniper (-f chooses another)
sahm: error: @T@/no-l2: no event stands for 'l2_accesses', 'l2_misses'; there are 'branch_predictor.num-correct', 'branch_predictor.num-incorrect', 'L1-D.load-misses', 'L1-D.loads', 'L1-D.store-misses-I', 'L1-D.stores', 'L1-I.load-misses', 'performance_model.cycle_count', 'performance_model.instruction_count'; say --map l2_accesses=EXPRESSION, or --assume l2_accesses=0, for each of them
@T@/no-l2 is read as sniper (-f chooses another)
sahm: error: @T@/no-l2: --map l2_accesses: nothing is called 'L1-D.load-miss'; did you mean 'L1-D.load-misses'?
sahm: warning: @T@/no-l2: summed over 2 groups: core0, core1 (--each makes a trace of each, --only NAME of one)
@T@/x.csv: 1 epoch of 3.4415 ms; read as sniper (-f chooses another)
6534766,1179502,35845,7722,2419711,79980,87702,22857,18308780
