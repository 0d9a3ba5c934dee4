## toplev -I 1000 -x, (synthetic): a row for each time, summed over the threads that were not idle; nodes of cores are no counts
$ cd tests/data/import/toplev; sahm trace import toplev-I1000-synthetic.csv
toplev-I1000-synthetic.csv is read as toplev (-f chooses another)
sahm: error: toplev-I1000-synthetic.csv: no event stands for 'l1i_misses'; there are 'Frontend_Bound', 'CORE_CLKS', 'IpBranch', 'IpMispredict', 'IpLoad', 'CPI', 'CLKS', 'Instructions', 'L1MPKI', 'L2MPKI_All', 'L2HPKI_All'; say --map l1i_misses=EXPRESSION, or --assume l1i_misses=0; toplev prints metrics for counters with --nodes '+Instructions,+IpBranch,+IpMispredict,+IpLoad,+L1MPKI,+L2MPKI_All,+L2HPKI_All', and no L1I misses (docs/importing.md)
[1]
$ cd tests/data/import/toplev; a="-p source=synthetic -a l1i_misses=0"; sahm trace import toplev-I1000-synthetic.csv $a -o "$T/t.csv"; cat "$T/t.csv"; sahm characterize "$T/t.csv" | head -n 2
sahm: warning: toplev-I1000-synthetic.csv: summed over 4 groups: C0-T0, C0-T1, C1-T0, C1-T1 (--each makes a trace of each, --only NAME of one)
sahm: warning: toplev-I1000-synthetic.csv:5: in 2 rows the events of one ratio were counted for different shares of the time (multiplexing): such ratios are estimates
sahm: warning: toplev-I1000-synthetic.csv: events took turns (multiplexing): branch_misses were counted for 20 % of the time, the rest is estimated
@T@/t.csv: 4 epochs of 1000 ms, synthetic; read as toplev (-f chooses another)
# sahm trace 1
# name: toplev-I1000-synthetic
# source: synthetic
# tool: toplev
# event.instructions: Instructions
# event.branches: Instructions / IpBranch
# event.branch_misses: Instructions / IpMispredict
# event.l1i_misses: 0 an epoch, assumed
# event.l1d_accesses: Instructions / IpLoad
# event.l1d_misses: 0.001 * Instructions * L1MPKI
# event.l2_accesses: 0.001 * Instructions * (L2MPKI_All + L2HPKI_All)
# event.l2_misses: 0.001 * Instructions * L2MPKI_All
# event.cycles: CLKS
# counted_pct.instructions: mean 22.21, minimum 20.12
# counted_pct.branches: mean 21.72, minimum 20.12
# counted_pct.branch_misses: mean 20.95, minimum 20.12
# counted_pct.l1d_accesses: mean 21.25, minimum 20.12
# counted_pct.l1d_misses: mean 21.39, minimum 20.12
# counted_pct.l2_accesses: mean 21.21, minimum 20.02
# counted_pct.l2_misses: mean 21.70, minimum 20.12
# counted_pct.cycles: mean 22.28, minimum 20.92
# origin.instructions: measured
# origin.branches: derived
# origin.branch_misses: derived
# origin.l1i_misses: assumed
# origin.l1d_accesses: derived
# origin.l1d_misses: derived
# origin.l2_accesses: derived
# origin.l2_misses: derived
# origin.cycles: measured
# epoch_ns: 1000000000
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses,cycles
2201037024,397650950,8933275,0,506169271,28033518,29005848,8099647,2256332113
1617000710,336036699,7280849,0,441860949,24635130,19955306,3399395,1168235802
1303345845,174215954,7306018,0,304606194,18739306,13869518,2118088,1136109722
1740216983,318648006,6037676,0,512493208,20547021,17209774,3506652,2007785934
states by share of epochs (thresholds: intuitive); same: epochs in the previous one's state
1 trace, synthetic
## an independent sum of what the ratios come to
$ cd tests/data/import/toplev; awk -F, '/-T/ { v[$1, $2, $3] = $4; if (!(($1, $2) in seen)) order[++n] = $1 SUBSEP $2; seen[$1, $2] = 1 } END { for (k = 1; k <= n; k++) { split(order[k], o, SUBSEP); i = v[o[1], o[2], "Instructions"]; s[1] += i; s[2] += i / v[o[1], o[2], "IpBranch"]; s[3] += i / v[o[1], o[2], "IpMispredict"]; s[4] += i / v[o[1], o[2], "IpLoad"]; s[5] += i * v[o[1], o[2], "L1MPKI"] / 1000; s[6] += i * (v[o[1], o[2], "L2MPKI_All"] + v[o[1], o[2], "L2HPKI_All"]) / 1000; s[7] += i * v[o[1], o[2], "L2MPKI_All"] / 1000; s[8] += v[o[1], o[2], "CLKS"] } for (k = 1; k <= 8; k++) printf "%.0f ", s[k]; print "" }' toplev-I1000-synthetic.csv; awk -F, '/^[0-9]/ { for (k = 1; k <= 9; k++) s[k] += $k } END { for (k = 1; k <= 9; k++) if (k != 4) printf "%.0f ", s[k]; print "" }' "$T/t.csv"
6861600562 1226551609 29557818 1765129622 91954975 80040446 17123782 6568463571 
6861600562 1226551609 29557818 1765129622 91954975 80040446 17123782 6568463571 
## a trace for each thread; one of them
$ cd tests/data/import/toplev; a="-p source=synthetic -a l1i_misses=0"; sahm trace import toplev-I1000-synthetic.csv $a --each -o "$T/each"; for f in "$T"/each/*; do sahm trace export "$f" -o -; done | awk -F, '/^[0-9]/ { s += $1 } END { printf "%.0f\n", s }'; sahm trace import toplev-I1000-synthetic.csv $a --only C1-T1 -o "$T/o.csv"; sahm trace import toplev-I1000-synthetic.csv $a --only C7
sahm: warning: toplev-I1000-synthetic.csv:5: in 9 rows the events of one ratio were counted for different shares of the time (multiplexing): such ratios are estimates
sahm: warning: toplev-I1000-synthetic.csv: events took turns (multiplexing): l1d_misses were counted for 21 % of the time, the rest is estimated
sahm: warning: toplev-I1000-synthetic.csv: events took turns (multiplexing): l2_accesses were counted for 22 % of the time, the rest is estimated
sahm: warning: toplev-I1000-synthetic.csv: events took turns (multiplexing): l2_accesses were counted for 21 % of the time, the rest is estimated
sahm: warning: toplev-I1000-synthetic.csv: events took turns (multiplexing): l2_accesses were counted for 21 % of the time, the rest is estimated
@T@/each/toplev-I1000-synthetic-C0-T0.trc: 4 epochs of 1000 ms, 1472 bytes, synthetic; read as toplev (-f chooses another)
@T@/each/toplev-I1000-synthetic-C0-T1.trc: 4 epochs of 1000 ms, 1472 bytes, synthetic
@T@/each/toplev-I1000-synthetic-C1-T0.trc: 4 epochs of 1000 ms, 1472 bytes, synthetic
@T@/each/toplev-I1000-synthetic-C1-T1.trc: 3 epochs of 1000 ms, 1472 bytes, synthetic
6861600562
sahm: warning: toplev-I1000-synthetic.csv:5: 108 lines passed over: of a CPU, thread or cgroup that was not asked for; this one first
sahm: warning: toplev-I1000-synthetic.csv: the last row lasts 2002.28 ms and is an epoch of 1000 ms all the same
sahm: warning: toplev-I1000-synthetic.csv:34: in 3 rows the events of one ratio were counted for different shares of the time (multiplexing): such ratios are estimates
sahm: warning: toplev-I1000-synthetic.csv: events took turns (multiplexing): l2_accesses were counted for 21 % of the time, the rest is estimated
@T@/o.csv: 3 epochs of 1000 ms, synthetic; read as toplev (-f chooses another)
toplev-I1000-synthetic.csv is read as toplev (-f chooses another)
sahm: error: toplev-I1000-synthetic.csv: --only: nothing is of 'C7'; there are 'C0-T0', 'C0-T1', 'C1-T0', 'C1-T1'
[1]
## until 2019: no header row, thousands in quotes
$ cd tests/data/import/toplev; a="-p source=synthetic -a l1i_misses=0"; sahm trace import toplev-2017-synthetic.csv $a -o "$T/old.csv"; grep '^[0-9]' "$T/old.csv"; grep ',Instructions,' toplev-2017-synthetic.csv | cut -d'"' -f 2 | tr -d , | paste -s -d+ | bc
sahm: warning: toplev-2017-synthetic.csv: summed over 2 groups: C0-T0, C1-T0 (--each makes a trace of each, --only NAME of one)
sahm: warning: toplev-2017-synthetic.csv:4: in 3 rows the events of one ratio were counted for different shares of the time (multiplexing): such ratios are estimates
sahm: warning: toplev-2017-synthetic.csv: events took turns (multiplexing): l1d_accesses were counted for 21 % of the time, the rest is estimated
@T@/old.csv: 3 epochs of 500 ms, synthetic; read as toplev (-f chooses another)
1416180827,223132494,6340232,0,364049534,17536356,18134355,4058858,1861709924
745123026,119690556,2434695,0,234989200,11569369,13441011,2758976,1148752158
839761150,166766552,2231358,0,187663694,9527554,15009235,3565915,449919521
3001065003.0
## --valcsv: counts instead of ratios; an event that several groups have counts once
$ cd tests/data/import/toplev; sahm trace import toplev-valcsv-synthetic.csv -p source=synthetic -o "$T/v.csv"; cat "$T/v.csv"; grep ',0,INST_RETIRED' toplev-valcsv-synthetic.csv | cut -d, -f 5 | paste -s -d+ | bc; for e in ALL_BRANCHES ALL_LOADS REPLACEMENT REFERENCES IFTAG; do grep "$e" toplev-valcsv-synthetic.csv | grep -v MISP | sed 's/"[^"]*"/x/' | cut -d, -f 5 | paste -s -d+ | bc; done
sahm: warning: toplev-valcsv-synthetic.csv: summed over 2 groups: CPU0, CPU1 (--each makes a trace of each, --only NAME of one)
sahm: warning: toplev-valcsv-synthetic.csv:2: in 3 rows the events of one ratio were counted for different shares of the time (multiplexing): such ratios are estimates
sahm: warning: toplev-valcsv-synthetic.csv: events took turns (multiplexing): instructions were counted for 33 % of the time, the rest is estimated
@T@/v.csv: 3 epochs of 1000 ms, synthetic; read as toplev (-f chooses another)
# sahm trace 1
# name: toplev-valcsv-synthetic
# source: synthetic
# tool: toplev
# event.instructions: INST_RETIRED.ANY
# event.branches: BR_INST_RETIRED.ALL_BRANCHES
# event.branch_misses: BR_MISP_RETIRED.ALL_BRANCHES
# event.l1i_misses: ICACHE_64B.IFTAG_MISS
# event.l1d_accesses: MEM_INST_RETIRED.ALL_LOADS
# event.l1d_misses: L1D.REPLACEMENT
# event.l2_accesses: L2_RQSTS.REFERENCES
# event.l2_misses: L2_RQSTS.MISS
# event.cycles: CPU_CLK_UNHALTED.THREAD
# counted_pct.instructions: mean 33.00, minimum 33.00
# counted_pct.branches: mean 33.00, minimum 33.00
# counted_pct.branch_misses: mean 33.00, minimum 33.00
# counted_pct.l1i_misses: mean 35.00, minimum 35.00
# counted_pct.l1d_accesses: mean 34.00, minimum 34.00
# counted_pct.l1d_misses: mean 34.00, minimum 34.00
# counted_pct.l2_accesses: mean 35.00, minimum 35.00
# counted_pct.l2_misses: mean 35.00, minimum 35.00
# counted_pct.cycles: mean 33.00, minimum 33.00
# origin.instructions: measured
# origin.branches: measured
# origin.branch_misses: measured
# origin.l1i_misses: measured
# origin.l1d_accesses: measured
# origin.l1d_misses: measured
# origin.l2_accesses: measured
# origin.l2_misses: measured
# origin.cycles: measured
# epoch_ns: 1000000000
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses,cycles
1210316086,201719347,4034386,2420631,302579021,13447956,30257902,6051580,1254450688
1472189597,245364932,4907297,2944378,368047398,16357661,36804739,7360947,1072624600
1493522441,248920406,4978407,2987044,373380610,16594693,37338060,7467611,1526438334
4176028124
696004685
1044007029
46400310
104400701
8352053
## without -I: one row; with CPI and CLKS in place of Instructions; with semicolons
$ cd tests/data/import/toplev; a="-p source=synthetic -a l1i_misses=0"; grep -e ^Timestamp -e ^1.00 toplev-I1000-synthetic.csv | cut -d, -f 2- >"$T/one.csv"; sed 's/^# .*//; s/Instructions,/Other,/' toplev-I1000-synthetic.csv | tr , ';' >"$T/semi.csv"; cd "$T"; for g in one semi; do sahm trace import $g.csv $a -o x.csv --force; head -n 1 x.csv >/dev/null; tail -n 1 x.csv; done
sahm: warning: one.csv: summed over 4 groups: C0-T0, C0-T1, C1-T0, C1-T1 (--each makes a trace of each, --only NAME of one)
sahm: warning: one.csv: no time is given, a row is taken for 100 ms
sahm: warning: one.csv:4: in 1 row the events of one ratio were counted for different shares of the time (multiplexing): such ratios are estimates
sahm: warning: one.csv: events took turns (multiplexing): l2_accesses were counted for 20 % of the time, the rest is estimated
x.csv: 1 epoch of 100 ms, synthetic; read as toplev (-f chooses another)
2201037024,397650950,8933275,0,506169271,28033518,29005848,8099647,2256332113
semi.csv is read as toplev (-f chooses another)
sahm: error: semi.csv: no event stands for 'branches', 'branch_misses', 'l1d_accesses', 'l1d_misses', 'l2_accesses', 'l2_misses'; there are 'Frontend_Bound', 'CORE_CLKS', 'IpBranch', 'IpMispredict', 'IpLoad', 'CPI', 'CLKS', 'Other', 'L1MPKI', 'L2MPKI_All', 'L2HPKI_All'; say --map branches=EXPRESSION, or --assume branches=0, for each of them; toplev prints metrics for counters with --nodes '+Instructions,+IpBranch,+IpMispredict,+IpLoad,+L1MPKI,+L2MPKI_All,+L2HPKI_All', and no L1I misses (docs/importing.md)
2201037024,397650950,8933275,0,506169271,28033518,29005848,8099647,2256332113
$ cd tests/data/import/toplev; sahm trace import "$T/semi.csv" -a l1i_misses=0 -m branches='0.1 * CLKS' -m branch_misses='0.01 * CLKS' -a l1d_accesses=0 -a l1d_misses=0 -a l2_accesses=0 -a l2_misses=0 -p source=synthetic -o "$T/clks.csv" --force; grep -e event.inst -e '^[0-9]' "$T/clks.csv"
sahm: warning: @T@/semi.csv: summed over 4 groups: C0-T0, C0-T1, C1-T0, C1-T1 (--each makes a trace of each, --only NAME of one)
sahm: warning: @T@/semi.csv: events took turns (multiplexing): instructions were counted for 21 % of the time, the rest is estimated
@T@/clks.csv: 4 epochs of 1000 ms, synthetic; read as toplev (-f chooses another)
# event.instructions: CLKS / CPI
2201037022,225633211,22563321,0,0,0,0,0,2256332113
1617000709,116823581,11682358,0,0,0,0,0,1168235802
1303345844,113610972,11361097,0,0,0,0,0,1136109722
1740216983,200778593,20077860,0,0,0,0,0,2007785934
## cut short, nothing but a header row, several levels and a summary, two runs, the form for people, other names
$ cd tests/data/import/toplev; a="-p source=synthetic -a l1i_misses=0"; f=toplev-I1000-synthetic.csv; head -c 3000 $f >"$T/cut.csv"; head -n 2 $f >"$T/empty.csv"; (grep -v '^# ' $f; grep -e -T0 $f | sed 's/-T0//'; sed -n 's/^4[0-9.]*/SUMMARY/p' $f) | sort -s -n >"$T/levels.csv"; cat $f $f >"$T/twice.csv"; printf '# 4.8-full on Intel(R) Xeon(R) [skx/skylakex]\nC0    FE               Frontend_Bound                   %% Slots                       28.4   [ 3.7%%]\nC0-T0 Info.Inst_Mix    IpBranch                         Inst_Metric                    5.2\n' >"$T/people.txt"; for g in cut.csv empty.csv levels.csv twice.csv people.txt; do sahm trace import "$T/$g" $a -o "$T/x.csv" --force; done; sahm trace import $f $a -m branches=IpBranc; grep -v L2HPKI $f >"$T/icl.csv"; sahm trace import "$T/icl.csv" $a
sahm: warning: @T@/cut.csv: 1 of 2 rows skipped
sahm: warning: @T@/cut.csv:45: 1 row skipped: a CPU, thread or cgroup is missing
sahm: warning: @T@/cut.csv:48: 1 line passed over: cut short
sahm: warning: @T@/cut.csv: summed over 4 groups: C0-T0, C0-T1, C1-T0, C1-T1 (--each makes a trace of each, --only NAME of one)
sahm: warning: @T@/cut.csv:5: in 1 row the events of one ratio were counted for different shares of the time (multiplexing): such ratios are estimates
sahm: warning: @T@/cut.csv: events took turns (multiplexing): l2_accesses were counted for 20 % of the time, the rest is estimated
@T@/x.csv: 1 epoch of 1000 ms, synthetic; read as toplev (-f chooses another)
@T@/empty.csv is read as toplev (-f chooses another)
sahm: error: @T@/empty.csv: no line has a count and an event: was toplev run with -x, (or --valcsv FILE)?
sahm: warning: @T@/levels.csv:2: 112 lines passed over: a summary of what stands above; this one first
sahm: warning: @T@/levels.csv: summed over 4 groups: C0-T0, C0-T1, C1-T0, C1-T1 (--each makes a trace of each, --only NAME of one)
sahm: warning: @T@/levels.csv:44: in 2 rows the events of one ratio were counted for different shares of the time (multiplexing): such ratios are estimates
sahm: warning: @T@/levels.csv: events took turns (multiplexing): branch_misses were counted for 20 % of the time, the rest is estimated
@T@/x.csv: 4 epochs of 1000 ms, synthetic; read as toplev (-f chooses another)
sahm: warning: @T@/twice.csv: summed over 4 groups: C0-T0, C0-T1, C1-T0, C1-T1 (--each makes a trace of each, --only NAME of one)
sahm: warning: @T@/twice.csv: 2 recordings are put one after the other (--recording N takes one)
sahm: warning: @T@/twice.csv:5: in 4 rows the events of one ratio were counted for different shares of the time (multiplexing): such ratios are estimates
sahm: warning: @T@/twice.csv: events took turns (multiplexing): branch_misses were counted for 20 % of the time, the rest is estimated
@T@/x.csv: 8 epochs of 1000 ms, synthetic; read as toplev (-f chooses another)
@T@/people.txt is read as toplev (-f chooses another)
sahm: error: @T@/people.txt: no line has a count and an event: was toplev run with -x, (or --valcsv FILE)?
toplev-I1000-synthetic.csv is read as toplev (-f chooses another)
sahm: error: toplev-I1000-synthetic.csv: --map branches: nothing is called 'IpBranc'; did you mean 'IpBranch'?
@T@/icl.csv is read as toplev (-f chooses another)
sahm: error: @T@/icl.csv: no event stands for 'l2_accesses'; there are 'Frontend_Bound', 'CORE_CLKS', 'IpBranch', 'IpMispredict', 'IpLoad', 'CPI', 'CLKS', 'Instructions', 'L1MPKI', 'L2MPKI_All'; say --map l2_accesses=EXPRESSION, or --assume l2_accesses=0; toplev prints metrics for counters with --nodes '+Instructions,+IpBranch,+IpMispredict,+IpLoad,+L1MPKI,+L2MPKI_All,+L2HPKI_All', and no L1I misses (docs/importing.md)
[1]
## tables that name no columns are refused, and what EDP makes of EMON's data
$ printf '12426,5,7\n12430,2,3\n' >"$T/n.csv"; printf 'Unit,,,Core0,,\nA,B,C,A,B,C\n1,2,3,4,5,6\n' >"$T/two.csv"; printf '#sample,timestamp,metric_CPI,INST_RETIRED.ANY\n1,05/14/2024 09:31:07.214,1.2,100\n' >"$T/edp.csv"; for g in n two edp; do sahm trace import "$T/$g.csv"; done
@T@/n.csv is read as csv (-f chooses another)
sahm: error: @T@/n.csv:1: the first row holds numbers, such as '12426': add a header row that names the columns
@T@/two.csv is read as csv (-f chooses another)
sahm: error: @T@/two.csv:2: a second row of names: make one header row of the two, with a name for each column
sahm: error: @T@/edp.csv:1: this looks like a table that EDP made of EMON's data, with rates of events that took turns; import emon.dat, of which it was made
[1]
