## perf stat without -I: a recording is one row, as long as it lasted (software events stand in, by the user's word)
$ echo "-m instructions=1000000*task-clock -m branches=page-faults+context-switches -m branch_misses=context-switches -a l1i_misses=0 -m l1d_accesses=page-faults -a l1d_misses=0 -a l2_accesses=0 -a l2_misses=0" >"$T/map"
$ cd tests/data/import/perf; for f in stat.txt stat.json stat-stderr.csv stat-append.* stat-r3.* stat-table.txt stat-A.* stat-per-socket.csv stat-task-clock.csv; do sahm trace import $f $(cat "$T/map") --force -o "$T/x.csv"; grep -v '^#' "$T/x.csv" | tail -n +2; done
sahm: warning: stat.txt: a recording without -I is one row, of 855.642 ms
@T@/x.csv: 1 epoch of 855.64211 ms; read as perf-text (-f chooses another)
552890000,277,84,0,193,0,0,0
sahm: warning: stat.json: a recording without -I is one row, of 78.4953 ms
@T@/x.csv: 1 epoch of 78.495275 ms; read as perf-json (-f chooses another)
57829923,199,9,0,190,0,0,0
sahm: warning: stat-stderr.csv: a recording without -I is one row, of 67.5108 ms
@T@/x.csv: 1 epoch of 67.510841 ms; read as perf-csv (-f chooses another)
56770000,200,11,0,189,0,0,0
sahm: warning: stat-append.csv: 2 recordings are put one after the other (--recording N takes one)
sahm: warning: stat-append.csv: a recording without -I is one row, of 11.2562 to 12.0157 ms, taken for 11.2562 ms each (--by-time --epoch-ms 11.2562 cuts to size)
@T@/x.csv: 2 epochs of 11.256178 ms; read as perf-csv (-f chooses another)
6840000,142,1,0,141,0,0,0
6700000,143,2,0,141,0,0,0
sahm: warning: stat-append.json: 2 recordings are put one after the other (--recording N takes one)
sahm: warning: stat-append.json: a recording without -I is one row, of 11.3562 to 19.7601 ms, taken for 11.3562 ms each (--by-time --epoch-ms 11.3562 cuts to size)
@T@/x.csv: 2 epochs of 11.356218 ms; read as perf-json (-f chooses another)
6783237,144,3,0,141,0,0,0
6868041,143,3,0,140,0,0,0
sahm: warning: stat-append.txt: 2 recordings are put one after the other (--recording N takes one)
sahm: warning: stat-append.txt: a recording without -I is one row, of 3.55293 to 15.7913 ms, taken for 3.55293 ms each (--by-time --epoch-ms 3.55293 cuts to size)
@T@/x.csv: 2 epochs of 3.552929 ms; read as perf-text (-f chooses another)
6890000,142,1,0,141,0,0,0
6780000,141,1,0,140,0,0,0
sahm: warning: stat-r3.csv: counts are means over the runs of perf stat -r
sahm: warning: stat-r3.csv: a recording without -I is one row, of 84.713 ms
@T@/x.csv: 1 epoch of 84.712998 ms; read as perf-csv (-f chooses another)
59230000,202,14,0,188,0,0,0
sahm: warning: stat-r3.txt: counts are means over the runs of perf stat -r
sahm: warning: stat-r3.txt: a recording without -I is one row, of 92.31 ms
@T@/x.csv: 1 epoch of 92.31 ms; read as perf-text (-f chooses another)
58030000,198,10,0,188,0,0,0
sahm: warning: stat-table.txt: counts are means over the runs of perf stat -r
sahm: warning: stat-table.txt: a recording without -I is one row, of 11.321 ms
@T@/x.csv: 1 epoch of 11.321 ms; read as perf-text (-f chooses another)
6430000,141,1,0,140,0,0,0
sahm: warning: stat-A.csv: summed over 2 groups: CPU0, CPU1 (--each makes a trace of each, --only NAME of one)
sahm: warning: stat-A.csv: a recording without -I is one row, of 125.45 ms
@T@/x.csv: 1 epoch of 125.450328 ms; read as perf-csv (-f chooses another)
250890000,4569,120,0,4449,0,0,0
sahm: warning: stat-A.json: summed over 2 groups: CPU0, CPU1 (--each makes a trace of each, --only NAME of one)
sahm: warning: stat-A.json: a recording without -I is one row, of 107.863 ms
@T@/x.csv: 1 epoch of 107.862676 ms; read as perf-json (-f chooses another)
215724018,4594,105,0,4489,0,0,0
sahm: warning: stat-A.txt: summed over 2 groups: CPU0, CPU1 (--each makes a trace of each, --only NAME of one)
sahm: warning: stat-A.txt: a recording without -I is one row, of 99.9983 ms
@T@/x.csv: 1 epoch of 99.998256 ms; read as perf-text (-f chooses another)
200020000,5306,90,0,5216,0,0,0
sahm: warning: stat-per-socket.csv: a recording without -I is one row, of 179.479 ms
@T@/x.csv: 1 epoch of 179.478911 ms; read as perf-csv (-f chooses another)
358960000,10269,283,0,9986,0,0,0
sahm: warning: stat-task-clock.csv: recordings are taken to last as long as their task-clock: elapsed time, the event duration_time, is missing
sahm: warning: stat-task-clock.csv: 2 recordings are put one after the other (--recording N takes one)
sahm: warning: stat-task-clock.csv: a recording without -I is one row, of 6.39 to 6.55 ms, taken for 6.39 ms each (--by-time --epoch-ms 6.39 cuts to size)
@T@/x.csv: 2 epochs of 6.39 ms; read as perf-csv (-f chooses another)
6390000,141,0,0,141,0,0,0
6550000,142,1,0,141,0,0,0
$ cd tests/data/import/perf; sahm trace import stat.txt $(cat "$T/map") -o "$T/stat.csv"; grep '^#' "$T/stat.csv" | sed -n '2,7p;$p'; sahm characterize "$T/stat.csv" | head -n 1
sahm: warning: stat.txt: a recording without -I is one row, of 855.642 ms
@T@/stat.csv: 1 epoch of 855.64211 ms; read as perf-text (-f chooses another)
# name: stat
# source: recorded
# tool: perf stat
# date: Sun Nov 29 16:47:39 2026
# event.instructions: 1000000 * task-clock
# event.branches: page-faults + context-switches
# epoch_ns: 855642110
states by share of epochs (thresholds: intuitive); same: epochs in the previous one's state
## totals, added up by awk
$ cd tests/data/import/perf; awk '$2 == "page-faults" { n += $1 } $2 == "context-switches" { n += $1 } END { print n }' stat-append.txt; awk -F, '$3 == "page-faults" || $3 == "context-switches" { n += $1 } END { print n }' stat-append.csv; for f in txt csv; do sahm trace import stat-append.$f $(cat "$T/map") --force -o "$T/x.csv" 2>/dev/null; grep -v '^#' "$T/x.csv" | awk -F, 'NR > 1 { n += $2 } END { print n }'; done
283
285
283
285
## one of several recordings, CPUs, epochs of equal length
$ cd tests/data/import/perf; for n in 1 2 3; do sahm trace import stat-append.csv $(cat "$T/map") --recording $n --force -o "$T/x.csv" && tail -n 1 "$T/x.csv"; done
sahm: warning: stat-append.csv:12: 7 lines passed over: of a recording that was not asked for; this one first
sahm: warning: stat-append.csv: a recording without -I is one row, of 12.0157 ms
@T@/x.csv: 1 epoch of 12.015711 ms; read as perf-csv (-f chooses another)
6840000,142,1,0,141,0,0,0
sahm: warning: stat-append.csv:3: 7 lines passed over: of a recording that was not asked for; this one first
sahm: warning: stat-append.csv: a recording without -I is one row, of 11.2562 ms
@T@/x.csv: 1 epoch of 11.256178 ms; read as perf-csv (-f chooses another)
6700000,143,2,0,141,0,0,0
stat-append.csv is read as perf-csv (-f chooses another)
sahm: error: stat-append.csv: there is no recording 3, but 2 in all
[1]
$ cd tests/data/import/perf; sahm trace import stat-A.txt $(cat "$T/map") --each -o "$T" && for c in 0 1; do sahm trace export "$T/stat-A-CPU$c.trc" | tail -n 1; done; sahm trace import stat-A.json $(cat "$T/map") --only CPU1 --force -o "$T/x.csv" && tail -n 1 "$T/x.csv"
sahm: warning: stat-A.txt: a recording without -I is one row, of 99.9983 ms
@T@/stat-A-CPU0.trc: 1 epoch of 99.998256 ms, 1056 bytes; read as perf-text (-f chooses another)
@T@/stat-A-CPU1.trc: 1 epoch of 99.998256 ms, 1056 bytes
100010000,1860,31,0,1829,0,0,0
100010000,3446,59,0,3387,0,0,0
sahm: warning: stat-A.json:3: 7 lines passed over: of a CPU, thread or cgroup that was not asked for; this one first
sahm: warning: stat-A.json: a recording without -I is one row, of 107.863 ms
@T@/x.csv: 1 epoch of 107.862676 ms; read as perf-json (-f chooses another)
107870992,1291,63,0,1228,0,0,0
$ cd tests/data/import/perf; sahm trace import stat-append.json $(cat "$T/map") --by-time --epoch-ms 5 --force -o "$T/x.csv"; sahm trace import stat.json $(cat "$T/map") --epoch-ms 100 --force -o "$T/x.csv"
sahm: warning: stat-append.json: the last epoch holds what is left, 1.11627 ms
sahm: warning: stat-append.json: 2 recordings are put one after the other (--recording N takes one)
sahm: warning: stat-append.json: a recording without -I is one row, of 11.3562 to 19.7601 ms
@T@/x.csv: 7 epochs of 5 ms; read as perf-json (-f chooses another)
sahm: warning: stat.json: a recording without -I is one row, of 78.4953 ms, taken for 100 ms (--by-time --epoch-ms 100 cuts to size)
@T@/x.csv: 1 epoch of 100 ms; read as perf-json (-f chooses another)
## hardware events: what is missing, and what was meant
$ cd tests/data/import/perf; sahm trace import stat-hardware-synthetic.txt; sahm trace import stat-hardware-synthetic.txt -m l1i_misses=page-fault:u; sahm trace import stat-hardware-synthetic.txt -a l1i_misses=0 -a l1d_accesses=0 -a l1d_misses=0 -a l2_accesses=0 -a l2_misses=0 -o "$T/man.csv" && tail -n 2 "$T/man.csv"; sahm trace import stat.txt
stat-hardware-synthetic.txt is read as perf-text (-f chooses another)
sahm: error: stat-hardware-synthetic.txt: no event stands for 'l1i_misses', 'l1d_accesses', 'l1d_misses', 'l2_accesses', 'l2_misses'; there are 'task-clock:u', 'context-switches:u', 'page-faults:u', 'cycles:u', 'instructions:u', 'branches:u', 'branch-misses:u'; say --map l1i_misses=EXPRESSION, or --assume l1i_misses=0, for each of them
stat-hardware-synthetic.txt is read as perf-text (-f chooses another)
sahm: error: stat-hardware-synthetic.txt: --map l1i_misses: nothing is called 'page-fault:u'; did you mean 'page-faults:u'?
sahm: warning: stat-hardware-synthetic.txt: a recording without -I is one row, of 1741.18 ms
sahm: warning: stat-hardware-synthetic.txt: events took turns (multiplexing): cycles were counted for 83 % of the time, the rest is estimated
@T@/man.csv: 1 epoch of 1741.18362 ms; read as perf-text (-f chooses another)
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses,cycles
6163853778,1204684856,28861393,0,0,0,0,0,5570665834
stat.txt is read as perf-text (-f chooses another)
sahm: error: stat.txt: no event stands for 'l1i_misses', 'l1d_accesses', 'l1d_misses', 'l2_accesses', 'l2_misses'; there are 'instructions', 'branches', 'branch-misses', 'page-faults', 'context-switches', 'task-clock', 'duration_time'; say --map l1i_misses=EXPRESSION, or --assume l1i_misses=0, for each of them; events are <not supported>: where perf finds no counters, as in many virtual machines, callgrind counts (docs/tutorial.md)
[1]
## a file that was cut short, an empty one, and one with perf's intervals and their summary in front of a recording (made of two)
$ head -c 700 tests/data/import/perf/stat-append.txt >"$T/cut.txt"; sahm trace import "$T/cut.txt" $(cat "$T/map") --force -o "$T/x.csv"; head -n 3 tests/data/import/perf/stat.txt >"$T/empty.txt"; sahm trace import "$T/empty.txt"; head -n 2 tests/data/import/perf/stat-A.csv >"$T/empty.csv"; sahm trace import "$T/empty.csv"
sahm: warning: @T@/cut.txt: recordings are taken to last as long as their task-clock: elapsed time, the event duration_time, is missing
sahm: warning: @T@/cut.txt:12: 1 line passed over: cut short
sahm: warning: @T@/cut.txt: a recording without -I is one row, of 6.89 ms
@T@/x.csv: 1 epoch of 6.89 ms; read as perf-text (-f chooses another)
@T@/empty.txt is read as perf-csv (-f chooses another)
sahm: error: @T@/empty.txt: no line has a count and an event: was perf stat run with -x?
@T@/empty.csv is read as perf-csv (-f chooses another)
sahm: error: @T@/empty.csv: no line has a count and an event: was perf stat run with -x?
[1]
$ cat tests/data/import/perf_I100_summary_human.txt tests/data/import/perf/stat.txt >"$T/both.txt"; sahm trace import "$T/both.txt" $(cat "$T/map") --force -o "$T/x.csv"; tail -n 1 "$T/x.csv"
sahm: warning: @T@/both.txt: 1 of 12 rows skipped
sahm: warning: @T@/both.txt:140: 1 row skipped: an event is missing ('L1-icache-load-misses')
sahm: warning: @T@/both.txt:115: 15 lines passed over: a summary of what stands above; this one first
sahm: warning: @T@/both.txt: 2 recordings are put one after the other (--recording N takes one)
sahm: warning: @T@/both.txt: intervals of 85.2962 to 103.082 ms are taken for 100 ms each (--by-time --epoch-ms 100 cuts them to size)
sahm: warning: @T@/both.txt: the last row lasts 855.642 ms and is an epoch of 100 ms all the same
@T@/x.csv: 11 epochs of 100 ms; read as perf-text (-f chooses another)
56200000,13,9,0,4,0,0,0
## perf script: periods are summed in rows of 100 ms from the first sample on
$ echo "-m instructions=cpu-clock -m branches=page-faults -m branch_misses=zero(context-switches) -a l1i_misses=0 -a l1d_accesses=0 -a l1d_misses=0 -a l2_accesses=0 -a l2_misses=0" >"$T/map"
$ cd tests/data/import/perf; sahm trace import script.txt $(cat "$T/map") -o "$T/s.csv"; grep '^#' "$T/s.csv" | sed -n '2,8p;$p'; grep -v '^#' "$T/s.csv"; sahm trace import script.txt $(cat "$T/map") --keep-idle --force -o "$T/x.csv" 2>/dev/null; grep -v '^#' "$T/x.csv" | tail -n +2
sahm: warning: script.txt: counts are estimated from samples, each of which stands for 7 page-faults, 1 context-switches, 2000000 cpu-clock on average
sahm: warning: script.txt: 2 of 4 rows skipped
sahm: warning: script.txt:135: 2 rows skipped: nothing happened: all counts are 0; this one first
sahm: warning: script.txt: summed over 7 groups: sh-21269, sh-21276, gzip-21276, sh-21287, sleep-21287, sh-21328, bzip2-21328 (--each makes a trace of each, --only NAME of one)
@T@/s.csv: 2 epochs of 100 ms; read as perf-script (-f chooses another)
# name: script
# source: recorded
# tool: perf script
# date: Sun Nov 29 17:11:44 2026
# note: estimated from samples, each of which stands for 7 page-faults, 1 context-switches, 2000000 cpu-clock on average
# event.instructions: cpu-clock
# event.branches: page-faults
# epoch_ns: 100000000
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses
58000000,315,30,0,0,0,0,0
8000000,378,6,0,0,0,0,0
58000000,315,30,0,0,0,0,0
0,0,0,0,0,0,0,0
0,0,0,0,0,0,0,0
8000000,378,6,0,0,0,0,0
$ cd tests/data/import/perf; sed -n 's/^ *[a-z0-9-]* *[0-9]* *\([0-9]*\)\.\([0-9]*\): *\([0-9]*\) *\([a-z-]*\).*/\1\2 \3 \4/p' script.txt | awk 'NR == 1 { first = $1 } { row = int(($1 - first) / 100000); n[row " " $3] += $2; last = row } END { for (r = 0; r <= last; r++) print n[r " cpu-clock"] + 0 "," n[r " page-faults"] + 0 "," n[r " context-switches"] + 0 }'
58000000,315,30
0,0,0
0,0,0
8000000,378,6
$ cd tests/data/import/perf; sahm trace import script.txt $(cat "$T/map") --each -o "$T/each"; sahm trace export "$T"/each/*bzip2* | tail -n +2 | awk -F, '!/^#/ { n += $1 } END { print n }'; awk '$1 == "bzip2" && /cpu-clock/ { n += $4 } END { print n }' script.txt; sahm trace import script.txt $(cat "$T/map") --only bzip2
sahm: warning: script.txt: counts are estimated from samples, each of which stands for 7 page-faults, 1 context-switches, 2000000 cpu-clock on average
sahm: warning: script.txt: nothing becomes an epoch of 'sh-21276'
sahm: warning: script.txt: nothing becomes an epoch of 'sh-21287'
sahm: warning: script.txt: nothing becomes an epoch of 'sh-21328'
sahm: warning: script.txt: 6 of 10 rows skipped
sahm: warning: script.txt:31: 4 rows skipped: a part exceeds its whole, such as more misses than accesses ('branch_misses'); this one first
sahm: warning: script.txt:135: 2 rows skipped: nothing happened: all counts are 0; this one first
sahm: warning: script.txt:31: 2 epochs with more branches or data accesses than instructions, this one first
@T@/each/script-sh-21269.trc: 1 epoch of 100 ms, 952 bytes; read as perf-script (-f chooses another)
@T@/each/script-gzip-21276.trc: 1 epoch of 100 ms, 952 bytes
@T@/each/script-sleep-21287.trc: 1 epoch of 100 ms, 952 bytes
@T@/each/script-bzip2-21328.trc: 1 epoch of 100 ms, 952 bytes
8000000
8000000
script.txt is read as perf-script (-f chooses another)
sahm: error: script.txt: --only: nothing is of 'bzip2'; there are 'sh-21269', 'sh-21276', 'gzip-21276', 'sh-21287', 'sleep-21287', 'sh-21328', 'bzip2-21328'
[1]
## call chains, nanoseconds, CPUs
$ cd tests/data/import/perf; sahm trace import script-g.txt $(cat "$T/map" | sed 's/zero(context-switches)/page-faults/') --epoch-ms 20 --force -o "$T/x.csv"; grep -v '^#' "$T/x.csv" | awk -F, 'NR > 1 { c += $1; f += $2 } END { print c, f }'; awk '/cpu-clock/ { c += $4 } /page-faults/ { f += $4 } END { print c, f }' script-g.txt; m="-a branches=0 -a branch_misses=0 -a l1i_misses=0 -a l1d_accesses=0 -a l1d_misses=0 -a l2_accesses=0 -a l2_misses=0"; sahm trace import script-ns.txt -m instructions=cpu-clock $m --force -o "$T/x.csv"; grep -v '^#' "$T/x.csv" | awk -F, 'NR > 1 { c += $1 } END { print c }'; awk '{ for (i = 1; i < NF; i++) if ($(i + 1) == "cpu-clock:") c += $i } END { print c }' script-ns.txt
sahm: warning: script-g.txt: counts are estimated from samples, each of which stands for 40 page-faults, 10000000 cpu-clock on average
sahm: warning: script-g.txt: 12 of 16 rows skipped
sahm: warning: script-g.txt:48: 12 rows skipped: nothing happened: all counts are 0; this one first
sahm: warning: script-g.txt: summed over 4 groups: sh-21413, gzip-21424, sleep-21430, bzip2-21452 (--each makes a trace of each, --only NAME of one)
sahm: warning: script-g.txt:48: 1 epoch with more branches or data accesses than instructions
@T@/x.csv: 4 epochs of 20 ms; read as perf-script (-f chooses another)
50000000 640
50000000 640
sahm: warning: script-ns.txt: counts are estimated from samples, each of which stands for 20000000 cpu-clock on average
sahm: warning: script-ns.txt: summed over 4 groups: cc1-21546, gzip-21557, cc1-21551, bzip2-21559 (--each makes a trace of each, --only NAME of one)
sahm: warning: script-ns.txt: the last row lasts 0.058724 ms and is an epoch of 100 ms all the same
@T@/x.csv: 4 epochs of 100 ms; read as perf-script (-f chooses another)
620000000
620000000
## samples that cannot be counted, and other files of perf
$ sed 's/: *[0-9]* *cpu-clock/: cpu-clock/' tests/data/import/perf/script-ns.txt >"$T/bare.txt"; sahm trace import "$T/bare.txt"; printf 'gzip 7 [001] 1.000000: sched:sched_switch: prev_comm=gzip prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=b next_pid=8 next_prio=120\n' >"$T/sched.txt"; sahm trace import "$T/sched.txt"; printf 'PERFILE2' >"$T/perf.data"; sahm trace import "$T/perf.data"; head -n 20 tests/data/import/perf/script.txt >"$T/head.txt"; sahm trace import "$T/head.txt"
@T@/bare.txt is read as perf-script (-f chooses another)
sahm: error: @T@/bare.txt:1: samples without a period, which cannot be counted: run perf script -F comm,tid,time,period,event
@T@/sched.txt is read as perf-script (-f chooses another)
sahm: error: @T@/sched.txt: only events of the scheduler, which count nothing: sahm trace bursts takes run and sleep times from them
sahm: error: @T@/perf.data: this looks like what perf record writes; print its samples with 'perf script -F comm,tid,time,period,event', which can be imported
@T@/head.txt is read as perf-script (-f chooses another)
sahm: error: @T@/head.txt: no line has a count and an event: was perf script -F comm,tid,time,period,event run on it, and are there samples?
[1]
$ head -c 9000 tests/data/import/perf/script.txt >"$T/cut.txt"; sahm trace import "$T/cut.txt" $(cat "$T/map") --force -o "$T/x.csv"; { cat tests/data/import/perf/script-g.txt; cat tests/data/import/perf/script-g.txt; } >"$T/twice.txt"; sahm trace import "$T/twice.txt"; sahm trace import tests/data/import/perf/script.txt
sahm: warning: @T@/cut.txt: counts are estimated from samples, each of which stands for 7 page-faults, 1 context-switches, 2000000 cpu-clock on average
sahm: warning: @T@/cut.txt:83: 1 line passed over: cut short
sahm: warning: @T@/cut.txt: summed over 3 groups: sh-21269, sh-21276, gzip-21276 (--each makes a trace of each, --only NAME of one)
@T@/x.csv: 1 epoch of 100 ms; read as perf-script (-f chooses another)
@T@/twice.txt is read as perf-script (-f chooses another)
sahm: error: @T@/twice.txt:80: time runs backwards, from 14312.9335 s to 14312.6175 s: give each recording separately, as perf script prints it
sahm: warning: tests/data/import/perf/script.txt: counts are estimated from samples, each of which stands for 7 page-faults, 1 context-switches, 2000000 cpu-clock on average
tests/data/import/perf/script.txt is read as perf-script (-f chooses another)
sahm: error: tests/data/import/perf/script.txt: no event stands for 'instructions', 'branches', 'branch_misses', 'l1i_misses', 'l1d_accesses', 'l1d_misses', 'l2_accesses', 'l2_misses'; there are 'page-faults', 'context-switches', 'cpu-clock'; say --map instructions=EXPRESSION, or --assume instructions=0, for each of them; an event without any sample is not in the file
[1]
## windows that counted different events (synthetic): each counter is scaled to the instructions of all three; in a row, and twice in one file
$ cd tests/data/import/perf; sahm trace import --rotate window1-synthetic.csv window2-synthetic.csv window3-synthetic.csv -o "$T/w.csv"; grep -E '^(# (name|counted)|[^#])' "$T/w.csv"; cat window?-synthetic.csv window?-synthetic.csv | sahm trace import --rotate - -o "$T/w2.csv" 2>/dev/null; grep -v '^#' "$T/w2.csv"
sahm: warning: window1-synthetic.csv: 3 windows joined to 1 epoch (--rotate)
sahm: warning: window1-synthetic.csv: a recording without -I is one row, of 3000.37 ms
sahm: warning: window1-synthetic.csv: events took turns (multiplexing): l1d_accesses were counted for 32 % of the time, the rest is estimated
@T@/w.csv: 1 epoch of 3000.370368 ms; read as perf-csv (-f chooses another)
# name: window1-synthetic
# counted_pct.branches: mean 33.79, minimum 33.79
# counted_pct.branch_misses: mean 33.79, minimum 33.79
# counted_pct.l1i_misses: mean 33.79, minimum 33.79
# counted_pct.l1d_accesses: mean 32.89, minimum 32.89
# counted_pct.l1d_misses: mean 32.89, minimum 32.89
# counted_pct.l2_accesses: mean 33.31, minimum 33.31
# counted_pct.l2_misses: mean 33.31, minimum 33.31
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses
1516161615,290007339,3552092,1183832,425577744,12161340,18014333,2704466
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses
1516161615,290007339,3552092,1183832,425577744,12161340,18014333,2704466
1516161615,290007338,3552091,1183833,425577745,12161341,18014332,2704466
$ awk -F, '$3 == "instructions:u" { n[FILENAME] = $1; all += $1 } $3 == "branches:u" { b = $1; f = FILENAME } $3 == "l2_rqsts.miss:u" { m = $1; g = FILENAME } END { printf "instructions %d branches %.3f l2_misses %.3f\n", all, b * all / n[f], m * all / n[g] }' tests/data/import/perf/window?-synthetic.csv
instructions 1516161615 branches 290007338.686 l2_misses 2704465.774
$ cd tests/data/import/perf; sahm trace import window1-synthetic.csv window2-synthetic.csv; sahm trace import --rotate window1-synthetic.csv window2-synthetic.csv; sahm trace import --rotate --join window1-synthetic.csv window2-synthetic.csv
sahm: error: 2 files, but only callgrind's parts belong together as they are: --join joins runs with different events, --rotate windows of one run, sahm trace concat puts traces in a row
window1-synthetic.csv is read as perf-csv (-f chooses another)
sahm: error: window1-synthetic.csv: no event stands for 'l2_accesses', 'l2_misses'; there are 'duration_time', 'instructions:u', 'branches:u', 'branch-misses:u', 'L1-icache-load-misses:u', 'L1-dcache-loads:u', 'L1-dcache-load-misses:u'; say --map l2_accesses=EXPRESSION, or --assume l2_accesses=0, for each of them
sahm: error: --join and --rotate exclude each other: runs, or windows of one run?
[2]
