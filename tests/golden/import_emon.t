## EMON's own output (synthetic): sets of events take turns, which --rotate joins
$ cd tests/data/import/emon; sahm trace import emon-synthetic.dat
sahm: warning: emon-synthetic.dat: EMON's output is read as scripts do; no real file was at hand to try it on
emon-synthetic.dat is read as emon (-f chooses another)
sahm: error: emon-synthetic.dat:5: no usable row: an event is missing ('l1i_misses') (first of 6); rows that count different events in turn are joined by --rotate
[1]
$ cd tests/data/import/emon; sahm trace import --rotate --epoch-ms 200 -p source=synthetic emon-synthetic.dat -o "$T/e.csv"; cat "$T/e.csv"; sahm characterize "$T/e.csv" | head -n 2
sahm: warning: emon-synthetic.dat: EMON's output is read as scripts do; no real file was at hand to try it on
sahm: warning: emon-synthetic.dat: 6 windows joined to 3 epochs (--rotate)
sahm: warning: emon-synthetic.dat: summed over 2 groups: CPU0, CPU1 (--each makes a trace of each, --only NAME of one)
sahm: warning: emon-synthetic.dat: events took turns (multiplexing): l1i_misses were counted for 41 % of the time, the rest is estimated
@T@/e.csv: 3 epochs of 200 ms, synthetic; read as emon (-f chooses another)
# sahm trace 1
# name: emon-synthetic
# source: synthetic
# tool: emon
# event.instructions: INST_RETIRED.ANY
# event.branches: BR_INST_RETIRED.ALL_BRANCHES
# event.branch_misses: BR_MISP_RETIRED.ALL_BRANCHES
# event.l1i_misses: ICACHE_64B.IFTAG_MISS
# event.l1d_accesses: MEM_INST_RETIRED.ALL_LOADS
# event.l1d_misses: L1D.REPLACEMENT
# event.l2_accesses: L2_RQSTS.REFERENCES
# event.l2_misses: L2_RQSTS.MISS
# event.cycles: CPU_CLK_UNHALTED.THREAD
# counted_pct.branches: mean 58.45, minimum 52.63
# counted_pct.branch_misses: mean 58.45, minimum 52.63
# counted_pct.l1i_misses: mean 41.54, minimum 36.36
# counted_pct.l1d_accesses: mean 58.45, minimum 52.63
# counted_pct.l1d_misses: mean 58.45, minimum 52.63
# counted_pct.l2_accesses: mean 41.54, minimum 36.36
# counted_pct.l2_misses: mean 41.54, minimum 36.36
# origin.instructions: measured
# origin.branches: measured
# origin.branch_misses: measured
# origin.l1i_misses: measured
# origin.l1d_accesses: measured
# origin.l1d_misses: measured
# origin.l2_accesses: measured
# origin.l2_misses: measured
# origin.cycles: measured
# epoch_ns: 200000000
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses,cycles
1320000000,220000000,4400000,2640000,330000000,14666666,33000000,6600000,1650000000
1140000000,190000000,3800000,2280000,285000000,12666665,28500000,5700000,1425000000
1320000000,220000000,4400000,2640000,330000000,14666666,33000000,6600000,1650000000
states by share of epochs (thresholds: intuitive); same: epochs in the previous one's state
1 trace, synthetic
## an independent sum: instructions and cycles of all sets; the others of their set, scaled by instructions
$ cd tests/data/import/emon; tr -d , <emon-synthetic.dat | awk -F'\t' 'function end() { for (e in v) { t[e] += v[e]; n[e] += v["INST_RETIRED.ANY"] } all += v["INST_RETIRED.ANY"]; delete v } NF > 3 { v[$1] = $3 + $4 } /^----/ { end() } /^====/ { end(); for (e in t) s[e] += n[e] ? t[e] * all / n[e] : 0; delete t; delete n; all = 0 } END { printf "%.0f %.0f %.0f %.0f\n", s["INST_RETIRED.ANY"], s["BR_INST_RETIRED.ALL_BRANCHES"], s["L2_RQSTS.REFERENCES"], s["CPU_CLK_UNHALTED.THREAD"] }'; awk -F, '/^[0-9]/ { i += $1; b += $2; l += $7; c += $9 } END { printf "%.0f %.0f %.0f %.0f\n", i, b, l, c }' "$T/e.csv"
3780000000 630000000 94500000 4725000000
3780000000 630000000 94500000 4725000000
## each CPU; one; a set that nothing ends; an event that was not listed; a wrong name; no counts
$ cd tests/data/import/emon; a="--rotate --epoch-ms 200 -p source=synthetic"; sahm trace import $a --each emon-synthetic.dat -o "$T/each"; for f in "$T"/each/*; do sahm trace export "$f" -o - | tail -n 1; done; sahm trace import $a --only CPU1 emon-synthetic.dat -o "$T/o.csv"; head -n -3 emon-synthetic.dat >"$T/cut.dat"; grep -v L2_RQSTS emon-synthetic.dat >"$T/few.dat"; head -n 5 emon-synthetic.dat >"$T/empty.dat"; for g in cut few empty; do sahm trace import $a "$T/$g.dat" -o "$T/x.csv" --force; done; sahm trace import $a -m l2_misses=L2_RQSTS.MIS emon-synthetic.dat
sahm: warning: emon-synthetic.dat: EMON's output is read as scripts do; no real file was at hand to try it on
sahm: warning: emon-synthetic.dat: 12 windows joined to 6 epochs (--rotate)
sahm: warning: emon-synthetic.dat: events took turns (multiplexing): l1i_misses were counted for 32 % of the time, the rest is estimated
sahm: warning: emon-synthetic.dat: events took turns (multiplexing): branches were counted for 49 % of the time, the rest is estimated
@T@/each/emon-synthetic-CPU0.trc: 3 epochs of 200 ms, 1408 bytes, synthetic; read as emon (-f chooses another)
@T@/each/emon-synthetic-CPU1.trc: 3 epochs of 200 ms, 1408 bytes, synthetic
540000000,90000000,1800000,1080000,135000000,6000000,13500000,2700000,675000000
780000000,130000000,2600000,1560000,195000000,8666667,19500000,3900000,975000000
sahm: warning: emon-synthetic.dat: EMON's output is read as scripts do; no real file was at hand to try it on
sahm: warning: emon-synthetic.dat:5: 33 lines passed over: of a CPU, thread or cgroup that was not asked for; this one first
sahm: warning: emon-synthetic.dat: 6 windows joined to 3 epochs (--rotate)
sahm: warning: emon-synthetic.dat: events took turns (multiplexing): branches were counted for 49 % of the time, the rest is estimated
@T@/o.csv: 3 epochs of 200 ms, synthetic; read as emon (-f chooses another)
sahm: warning: @T@/cut.dat: EMON's output is read as scripts do; no real file was at hand to try it on
sahm: warning: @T@/cut.dat: 1 of 5 rows skipped
sahm: warning: @T@/cut.dat:39: 1 row skipped: windows at the end do not have all events that an epoch needs
sahm: warning: @T@/cut.dat:48: 1 line passed over: cut short
sahm: warning: @T@/cut.dat: 4 windows joined to 2 epochs (--rotate)
sahm: warning: @T@/cut.dat: summed over 2 groups: CPU0, CPU1 (--each makes a trace of each, --only NAME of one)
sahm: warning: @T@/cut.dat: events took turns (multiplexing): l1i_misses were counted for 44 % of the time, the rest is estimated
@T@/x.csv: 2 epochs of 200 ms, synthetic; read as emon (-f chooses another)
sahm: warning: @T@/few.dat: EMON's output is read as scripts do; no real file was at hand to try it on
@T@/few.dat is read as emon (-f chooses another)
sahm: error: @T@/few.dat: no event stands for 'l2_accesses', 'l2_misses'; there are 'INST_RETIRED.ANY', 'CPU_CLK_UNHALTED.THREAD', 'BR_INST_RETIRED.ALL_BRANCHES', 'BR_MISP_RETIRED.ALL_BRANCHES', 'MEM_INST_RETIRED.ALL_LOADS', 'L1D.REPLACEMENT', 'UNC_M_CAS_COUNT.RD', 'ICACHE_64B.IFTAG_MISS'; say --map l2_accesses=EXPRESSION, or --assume l2_accesses=0, for each of them; emon counts what its list of events (-i) names
sahm: warning: @T@/empty.dat: EMON's output is read as scripts do; no real file was at hand to try it on
@T@/empty.dat is read as emon (-f chooses another)
sahm: error: @T@/empty.dat: no event stands for 'branches', 'branch_misses', 'l1i_misses', 'l1d_accesses', 'l1d_misses', 'l2_accesses', 'l2_misses'; there are 'INST_RETIRED.ANY'; say --map branches=EXPRESSION, or --assume branches=0, for each of them; emon counts what its list of events (-i) names
sahm: warning: emon-synthetic.dat: EMON's output is read as scripts do; no real file was at hand to try it on
emon-synthetic.dat is read as emon (-f chooses another)
sahm: error: emon-synthetic.dat: --map l2_misses: nothing is called 'L2_RQSTS.MIS'; did you mean 'L2_RQSTS.MISS'?
[1]
