## pcm -csv (synthetic, in the form of 2024): the system's columns, and a message that says what PCM does not count
$ cd tests/data/import/pcm; sahm trace import pcm-202405-synthetic.csv
pcm-202405-synthetic.csv is read as pcm (-f chooses another)
sahm: error: pcm-202405-synthetic.csv: no event stands for 'branches', 'branch_misses', 'l1i_misses', 'l1d_accesses', 'l1d_misses'; there are 'EXEC', 'IPC', 'FREQ', 'AFREQ', 'CFREQ', 'L3MISS', 'L2MISS', 'L3HIT', 'L2HIT', 'L3MPI', 'L2MPI', 'READ' and 14 others; say --map branches=EXPRESSION, or --assume branches=0, for each of them; pcm does not count branches and L1 misses: perf stat and pcm-core -e do (docs/importing.md)
[1]
$ cd tests/data/import/pcm; a="-p source=synthetic -a branches=0 -a branch_misses=0 -a l1i_misses=0 -a l1d_accesses=0 -a l1d_misses=0"; sahm trace import pcm-202405-synthetic.csv $a -o "$T/p.csv"; cat "$T/p.csv"; sahm characterize "$T/p.csv" | head -n 2
@T@/p.csv: 6 epochs of 1000 ms, synthetic; read as pcm (-f chooses another)
# sahm trace 1
# name: pcm-202405-synthetic
# source: synthetic
# tool: pcm -csv
# event.instructions: INST
# event.branches: 0 an epoch, assumed
# event.branch_misses: 0 an epoch, assumed
# event.l1i_misses: 0 an epoch, assumed
# event.l1d_accesses: 0 an epoch, assumed
# event.l1d_misses: 0 an epoch, assumed
# event.l2_accesses: L2MISS / (1 - L2HIT)
# event.l2_misses: L2MISS
# event.cycles: ACYC
# origin.instructions: measured
# origin.branches: assumed
# origin.branch_misses: assumed
# origin.l1i_misses: assumed
# origin.l1d_accesses: assumed
# origin.l1d_misses: assumed
# origin.l2_accesses: derived
# origin.l2_misses: measured
# origin.cycles: measured
# epoch_ns: 1000000000
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses,cycles
1993820000,0,0,0,0,0,39028571,13660000,2675790000
2465370000,0,0,0,0,0,38851064,18260000,2565580000
2171650000,0,0,0,0,0,29400000,10290000,2335550000
2545550000,0,0,0,0,0,52038462,13530000,3030190000
1857500000,0,0,0,0,0,38735294,13170000,1839020000
2139730000,0,0,0,0,0,35891892,13280000,1926350000
states by share of epochs (thresholds: intuitive); same: epochs in the previous one's state
1 trace, synthetic
## totals are those of an independent sum: of the system's columns, and of the four cores
$ cd tests/data/import/pcm; awk -F, 'NR == 2 { for (i = 1; i <= NF; i++) if (!($i in at)) at[$i] = i } NR > 2 { n += $at["INST"]; c += $at["ACYC"]; m += $at["L2MISS"]; r += $at["L2MISS"] / (1 - $at["L2HIT"]) } END { printf "%.0f %.0f %.0f %.0f\n", n * 1e6, c * 1e6, m * 1e6, r * 1e6 }' pcm-202405-synthetic.csv; awk -F, 'NR == 1 { split($0, whose, ",") } NR == 2 { split($0, what, ",") } NR > 2 { for (i = 1; i <= NF; i++) if (whose[i] ~ /^Core/) s[what[i]] += $i } END { printf "%.0f %.0f %.0f\n", s["INST"] * 1e6, s["ACYC"] * 1e6, s["L2MISS"] * 1e6 }' pcm-202405-synthetic.csv; grep -v '^#' "$T/p.csv" | awk -F, 'NR > 1 { n += $1; r += $7; m += $8; c += $9 } END { printf "%.0f %.0f %.0f %.0f\n", n, c, m, r }'
13173620000 14372480000 82190000 233945283
13173620000 14372480000 82190000
13173620000 14372480000 82190000 233945283
## a trace for each core; one of them, a socket; nothing is counted twice
$ cd tests/data/import/pcm; a="-p source=synthetic -a branches=0 -a branch_misses=0 -a l1i_misses=0 -a l1d_accesses=0 -a l1d_misses=0"; sahm trace import pcm-202405-synthetic.csv $a --each -o "$T/each"; for f in "$T"/each/*; do sahm trace export "$f" -o -; done | awk -F, '/^[0-9]/ { n += $1; m += $8; c += $9 } END { printf "%.0f %.0f %.0f\n", n, c, m }'; for only in Core3 "Core3 (Socket 0)" Socket0 "Socket 0" System Core7 "Socket 1"; do sahm trace import pcm-202405-synthetic.csv $a --only "$only" -o "$T/only.csv" --force && grep -v '^#' "$T/only.csv" | awk -F, 'NR > 1 { n += $1; r += $7 } END { printf "%.0f %.0f\n", n, r }'; done
@T@/each/pcm-202405-synthetic-Core0.trc: 6 epochs of 1000 ms, 952 bytes, synthetic; read as pcm (-f chooses another)
@T@/each/pcm-202405-synthetic-Core1.trc: 6 epochs of 1000 ms, 952 bytes, synthetic
@T@/each/pcm-202405-synthetic-Core2.trc: 6 epochs of 1000 ms, 952 bytes, synthetic
@T@/each/pcm-202405-synthetic-Core3.trc: 6 epochs of 1000 ms, 952 bytes, synthetic
13173620000 14372480000 82190000
@T@/only.csv: 6 epochs of 1000 ms, synthetic; read as pcm (-f chooses another)
2504910000 31453333
@T@/only.csv: 6 epochs of 1000 ms, synthetic; read as pcm (-f chooses another)
2504910000 31453333
@T@/only.csv: 6 epochs of 1000 ms, synthetic; read as pcm (-f chooses another)
13173620000 233945283
@T@/only.csv: 6 epochs of 1000 ms, synthetic; read as pcm (-f chooses another)
13173620000 233945283
@T@/only.csv: 6 epochs of 1000 ms, synthetic; read as pcm (-f chooses another)
13173620000 233945283
pcm-202405-synthetic.csv is read as pcm (-f chooses another)
sahm: error: pcm-202405-synthetic.csv:2: --only: nothing is of 'Core7'; there are 'System' to 'Core3'
pcm-202405-synthetic.csv is read as pcm (-f chooses another)
sahm: error: pcm-202405-synthetic.csv:2: --only: nothing is of 'Socket 1'; there are 'System' to 'Core3'
[1]
## until 2019: semicolons, each name once; cores have EXEC, and the system's ticks
$ cd tests/data/import/pcm; a="-p source=synthetic -a branches=0 -a branch_misses=0 -a l1i_misses=0 -a l1d_accesses=0 -a l1d_misses=0"; sahm trace import pcm-2018-synthetic.csv $a -o "$T/old.csv"; grep -v '^#' "$T/old.csv"; sahm trace import pcm-2018-synthetic.csv $a --each -o "$T/oldeach"; for f in "$T"/oldeach/*; do sahm trace export "$f" -o - | grep -e event.instr -e event.cyc -e '^[0-9]' | cut -d, -f 1,7-9; done; awk -F';' 'NR == 2 { for (i = 1; i <= NF; i++) { if ($i == "EXEC") e[++n] = i; if ($i == "TIME(ticks)") t = i } } NR > 2 { printf "%.0f %.0f\n", $e[3] * $t * 1e6, $e[4] * $t * 1e6 }' pcm-2018-synthetic.csv
@T@/old.csv: 4 epochs of 1000 ms, synthetic; read as pcm (-f chooses another)
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses,cycles
1370000000,0,0,0,0,0,31133333,9340000,1410000000
1080000000,0,0,0,0,0,9454546,4160000,1170000000
1330000000,0,0,0,0,0,13740000,6870000,1570000000
1260000000,0,0,0,0,0,32903226,10200000,1010000000
@T@/oldeach/pcm-2018-synthetic-Core0.trc: 4 epochs of 1000 ms, 952 bytes, synthetic; read as pcm (-f chooses another)
@T@/oldeach/pcm-2018-synthetic-Core1.trc: 4 epochs of 1000 ms, 952 bytes, synthetic
# event.instructions: EXEC * "TIME(ticks)"
# event.cycles: FREQ * "TIME(ticks)"
546000000,20040000,5010000,483000000
693000000,3586667,2690000,714000000
798000000,6760000,3380000,1008000000
714000000,6520000,4890000,630000000
# event.instructions: EXEC * "TIME(ticks)"
# event.cycles: FREQ * "TIME(ticks)"
819000000,10825000,4330000,924000000
378000000,5880000,1470000,462000000
525000000,6980000,3490000,546000000
567000000,26800000,5360000,378000000
546000000 819000000
693000000 378000000
798000000 525000000
714000000 567000000
## any of its columns can stand for a counter, in ones
$ cd tests/data/import/pcm; a="-p source=synthetic -a branches=0 -a branch_misses=0 -a l1i_misses=0 -a l1d_accesses=0 -a l1d_misses=0"; sahm trace import pcm-202405-synthetic.csv $a -m l2_misses=L3MISS -m l2_accesses=L2MISS -o "$T/m.csv"; grep -e l2 -e '^[0-9]' "$T/m.csv" | head -n 6; sahm trace import pcm-202405-synthetic.csv $a -m l2_misses=L3MIS
@T@/m.csv: 6 epochs of 1000 ms, synthetic; read as pcm (-f chooses another)
# event.l2_accesses: L2MISS
# event.l2_misses: L3MISS
# origin.l2_accesses: measured
# origin.l2_misses: measured
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses,cycles
1993820000,0,0,0,0,0,13660000,4100000,2675790000
pcm-202405-synthetic.csv is read as pcm (-f chooses another)
sahm: error: pcm-202405-synthetic.csv: --map l2_misses: nothing is called 'L3MIS'; did you mean 'L3MISS'?
[1]
## cut short, without counts, without its first row, with rows that do not fit, twice
$ cd tests/data/import/pcm; a="-p source=synthetic -a branches=0 -a branch_misses=0 -a l1i_misses=0 -a l1d_accesses=0 -a l1d_misses=0"; f=pcm-202405-synthetic.csv; head -c 8000 $f >"$T/cut.csv"; head -n 2 $f >"$T/empty.csv"; tail -n +2 $f >"$T/names.csv"; head -n 1 $f | sed 's/Core3/Other/g' >"$T/odd.csv"; tail -n +2 $f >>"$T/odd.csv"; (cat $f; echo; cat $f) >"$T/twice.csv"; (echo 'Processor Counter Monitor'; echo; sed 5s/,// $f; echo; echo 'Cleaning up') >"$T/talk.csv"; sed '6s/^[^,]*,/x,/' $f >"$T/time.csv"; sed '1s/Socket 0,/,,,,/' $f >"$T/blank.csv"; cd "$T"; for g in cut empty names odd twice talk time blank; do sahm trace import $g.csv $a -o x.csv --force; done
sahm: warning: cut.csv:8: 1 line passed over: cut short
x.csv: 5 epochs of 1000 ms, synthetic; read as pcm (-f chooses another)
empty.csv is read as pcm (-f chooses another)
sahm: error: empty.csv: there are no counts in it
names.csv is read as pcm (-f chooses another)
sahm: error: names.csv:1: the row above 'Date' and 'Time', which says whose columns are which, is missing
odd.csv is read as pcm (-f chooses another)
sahm: error: odd.csv:2: the header rows do not fit together: 5 of the first row, and 'EXEC' 6 times
sahm: warning: twice.csv: 2 recordings are put one after the other (--recording N takes one)
x.csv: 12 epochs of 1000 ms, synthetic; read as pcm (-f chooses another)
sahm: warning: talk.csv: 1 of 6 rows skipped
sahm: warning: talk.csv:11: 1 line passed over: not readable as counts
sahm: warning: talk.csv:7: 1 row skipped: more or fewer fields than the header has
sahm: warning: talk.csv:8: 1 gap, 1.001 s in all, are closed
x.csv: 5 epochs of 1000 ms, synthetic; read as pcm (-f chooses another)
sahm: warning: time.csv:6: the time of 1 row cannot be read
sahm: warning: time.csv:7: 1 gap, 1.001 s in all, are closed
x.csv: 6 epochs of 1000 ms, synthetic; read as pcm (-f chooses another)
x.csv: 6 epochs of 1000 ms, synthetic; read as pcm (-f chooses another)
## pcm-core (synthetic): the line of all cores, with the names of its events
$ cd tests/data/import/pcm; a="-p source=synthetic -a l1i_misses=0 -a l1d_accesses=0 -a l1d_misses=0"; sahm trace import pcm-core-synthetic.csv; sahm trace import pcm-core-synthetic.csv $a -o "$T/c.csv"; grep -v '^# origin' "$T/c.csv"; awk -F, '/^Core/ { n++ } /^[0-9]/ { for (i = 3; i <= 9; i++) s[n, i] += $i } END { for (k = 1; k <= n; k++) printf "%.0f,%.0f,%.0f,0,0,0,%.0f,%.0f,%.0f\n", s[k, 3], s[k, 6], s[k, 7], s[k, 8], s[k, 9], s[k, 4] }' pcm-core-synthetic.csv
pcm-core-synthetic.csv is read as pcm-core (-f chooses another)
sahm: error: pcm-core-synthetic.csv: no event stands for 'l1i_misses', 'l1d_accesses', 'l1d_misses'; there are 'IPC', 'Instructions', 'Cycles', 'RefCycles', 'BR_INST_RETIRED.ALL_BRANCHES', 'BR_MISP_RETIRED.ALL_BRANCHES', 'L2_RQSTS.REFERENCES', 'L2_RQSTS.MISS'; say --map l1i_misses=EXPRESSION, or --assume l1i_misses=0, for each of them; pcm-core counts what -e names: runs with other events are joined by --join
@T@/c.csv: 3 epochs of 1000 ms, synthetic; read as pcm-core (-f chooses another)
# sahm trace 1
# name: pcm-core-synthetic
# source: synthetic
# tool: pcm-core -csv
# event.instructions: Instructions
# event.branches: BR_INST_RETIRED.ALL_BRANCHES
# event.branch_misses: BR_MISP_RETIRED.ALL_BRANCHES
# event.l1i_misses: 0 an epoch, assumed
# event.l1d_accesses: 0 an epoch, assumed
# event.l1d_misses: 0 an epoch, assumed
# event.l2_accesses: L2_RQSTS.REFERENCES
# event.l2_misses: L2_RQSTS.MISS
# event.cycles: Cycles
# epoch_ns: 1000000000
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses,cycles
1225642820,199329302,4089083,0,0,0,35587696,6583830,1611299510
940227054,160547711,7863708,0,0,0,23730222,5260622,993884034
1455906964,181988369,4526550,0,0,0,43343522,7088896,1676598685
1225642820,199329302,4089083,0,0,0,35587696,6583830,1611299510
940227054,160547711,7863708,0,0,0,23730222,5260622,993884034
1455906964,181988369,4526550,0,0,0,43343522,7088896,1676598685
$ cd tests/data/import/pcm; a="-p source=synthetic -a l1i_misses=0 -a l1d_accesses=0 -a l1d_misses=0"; sahm trace import pcm-core-synthetic.csv $a --each -o "$T/ce"; for only in Core1 1 '*' Core2; do sahm trace import pcm-core-synthetic.csv $a --only "$only" -o "$T/co.csv" --force && tail -n 1 "$T/co.csv"; done; head -n 17 pcm-core-synthetic.csv >"$T/cc.csv"; sed 's/rate: 1/rate: 100/' pcm-core-synthetic.csv >"$T/ct.csv"; sed 's/(raw.*//; s/Event[0-3]: .*/Event: x/' pcm-core-synthetic.csv >"$T/cn.csv"; cd "$T"; for g in cc ct cn; do sahm trace import $g.csv $a -o x.csv --force; done
@T@/ce/pcm-core-synthetic-Core0.trc: 3 epochs of 1000 ms, 992 bytes, synthetic; read as pcm-core (-f chooses another)
@T@/ce/pcm-core-synthetic-Core1.trc: 3 epochs of 1000 ms, 992 bytes, synthetic
sahm: warning: pcm-core-synthetic.csv:9: 6 lines passed over: of a CPU, thread or cgroup that was not asked for; this one first
@T@/co.csv: 3 epochs of 1000 ms, synthetic; read as pcm-core (-f chooses another)
586503342,73312917,2715293,0,0,0,17772828,1974758,542143355
sahm: warning: pcm-core-synthetic.csv:9: 6 lines passed over: of a CPU, thread or cgroup that was not asked for; this one first
@T@/co.csv: 3 epochs of 1000 ms, synthetic; read as pcm-core (-f chooses another)
586503342,73312917,2715293,0,0,0,17772828,1974758,542143355
sahm: warning: pcm-core-synthetic.csv:9: 6 lines passed over: of a CPU, thread or cgroup that was not asked for; this one first
@T@/co.csv: 3 epochs of 1000 ms, synthetic; read as pcm-core (-f chooses another)
1455906964,181988369,4526550,0,0,0,43343522,7088896,1676598685
pcm-core-synthetic.csv is read as pcm-core (-f chooses another)
sahm: error: pcm-core-synthetic.csv: --only: nothing is of 'Core2'; there are 'Core0', 'Core1', '*'
x.csv: 1 epoch of 1000 ms, synthetic; read as pcm-core (-f chooses another)
ct.csv is read as pcm-core (-f chooses another)
sahm: error: ct.csv:2: counts are per transaction (txn_rate: 100): run pcm-core without -tr
cn.csv is read as pcm-core (-f chooses another)
sahm: error: cn.csv: no event stands for 'branches', 'branch_misses', 'l2_accesses', 'l2_misses'; there are 'IPC', 'Instructions', 'Cycles', 'RefCycles', 'Event0', 'Event1', 'Event2', 'Event3'; say --map branches=EXPRESSION, or --assume branches=0, for each of them; pcm-core counts what -e names: runs with other events are joined by --join
[1]
