## likwid's metric groups in turn (synthetic): counts from CPI, clock and ratios
$ cd tests/data/import/likwid; sahm trace import groups-synthetic.txt --rotate -a l1d_accesses=0 -a l1d_misses=0 -o "$T/g.csv"; grep -v '^#' "$T/g.csv"; grep '^# origin' "$T/g.csv"
sahm: warning: groups-synthetic.txt: likwid's output is read as documented; no real file was at hand to try it on
sahm: warning: groups-synthetic.txt:15: 1 line passed over: not readable as counts
sahm: warning: groups-synthetic.txt: 12 windows joined to 4 epochs (--rotate)
sahm: warning: groups-synthetic.txt: summed over 2 groups: CPU0, CPU2 (--each makes a trace of each, --only NAME of one)
sahm: warning: groups-synthetic.txt: events took turns (multiplexing): l2_accesses were counted for 31 % of the time, the rest is estimated
@T@/g.csv: 4 epochs of 300 ms; read as likwid (-f chooses another)
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses,cycles
1005003016,154481826,3349655,1947890,0,0,18063086,7302830,1017719911
1277003832,236361554,2032314,4840826,0,0,35237303,7660651,1229616170
314000942,53434844,574364,701561,0,0,10961644,3284169,334697739
306000916,50894581,922983,1076981,0,0,6075192,1379527,321382222
# origin.instructions: derived
# origin.branches: derived
# origin.branch_misses: derived
# origin.l1i_misses: derived
# origin.l1d_accesses: assumed
# origin.l1d_misses: assumed
# origin.l2_accesses: derived
# origin.l2_misses: derived
# origin.cycles: derived
## independent sums: instructions of both CPUs are 2.3e9 * (unhalted s) / CPI, cycles without the division; branches of group 1 are scaled
$ awk '/^[123] / { k = $1; i = 2.3e9 * ($7 / $11 + $8 / $12); n += i; c += 2.3e9 * ($7 + $8); if (k == 1) { b += 2.3e9 * ($7 / $11 * $13 + $8 / $12 * $14); w += i } if (k == 3) { printf "instructions %.0f cycles %.0f branches %.0f\n", n, c, b * n / w; n = c = b = w = 0 } }' tests/data/import/likwid/groups-synthetic.txt
instructions 1005003015 cycles 1017719911 branches 154481826
instructions 1277003831 cycles 1229616169 branches 236361554
instructions 314000942 cycles 334697739 branches 53434844
instructions 306000918 cycles 321382225 branches 50894581
## one CPU; without --rotate no row has all counters
$ cd tests/data/import/likwid; sahm trace import groups-synthetic.txt --rotate --only CPU2 -a l1d_accesses=0 -a l1d_misses=0 -o "$T/c.csv" 2>/dev/null; grep -v '^#' "$T/c.csv"; sahm trace import groups-synthetic.txt -o "$T/x.csv"
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses,cycles
474001423,73024624,1291506,527658,0,0,6633766,1775565,504673873
651001954,106211601,789764,2976742,0,0,16179671,3840896,673370027
150000452,27634196,165257,374133,0,0,5968949,2559306,145697562
157000470,24836957,160791,439870,0,0,3361889,646494,132457448
sahm: warning: groups-synthetic.txt: likwid's output is read as documented; no real file was at hand to try it on
groups-synthetic.txt is read as likwid (-f chooses another)
sahm: error: groups-synthetic.txt: no event stands for 'l1d_accesses', 'l1d_misses'; there are 'Runtime (RDTSC) [s]', 'Runtime unhalted [s]', 'Clock [MHz]', 'CPI', 'Branch rate', 'Branch misprediction rate', 'Branch misprediction ratio', 'Instructions per branch', 'busy MHz', 'busy s', 'L1I request rate', 'L1I miss rate' and 6 others; say --map l1d_accesses=EXPRESSION, or --assume l1d_accesses=0, for each of them; a group of likwid has few of them: give several (-g BRANCH -g ICACHE -g L2CACHE) and --rotate here
[1]
## without the line that names the nominal clock
$ cd tests/data/import/likwid; grep -v 'CPU clock' groups-synthetic.txt >"$T/no-clock.txt"; cd "$T"; sahm trace import no-clock.txt --rotate -a l1d_accesses=0 -a l1d_misses=0 -o x.csv; grep -v '^#' x.csv
sahm: warning: no-clock.txt: likwid's output is read as documented; no real file was at hand to try it on
sahm: warning: no-clock.txt: no line says 'CPU clock': all counts are as high as if the CPUs had never been idle; give likwid's standard output as well
sahm: warning: no-clock.txt:14: 1 line passed over: not readable as counts
sahm: warning: no-clock.txt: 12 windows joined to 4 epochs (--rotate)
sahm: warning: no-clock.txt: summed over 2 groups: CPU0, CPU2 (--each makes a trace of each, --only NAME of one)
sahm: warning: no-clock.txt: events took turns (multiplexing): l2_accesses were counted for 30 % of the time, the rest is estimated
x.csv: 4 epochs of 300 ms; read as likwid (-f chooses another)
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses,cycles
1583165831,243371168,5244561,3087259,0,0,28365831,11425560,1590174000
1719791609,322577073,2810448,6177687,0,0,47000620,10300477,1590174000
1563343173,274101769,2442348,3511233,0,0,53986948,15555138,1590174000
1621161509,265836751,3958768,5479843,0,0,32381047,7259701,1590174000
## tables of events, as CSV and in frames: exact counts, a row for each region; sums from the files themselves
$ cd tests/data/import/likwid; for f in table-synthetic.csv regions-synthetic.txt; do sahm trace import $f -a l1d_accesses=0 -a l1d_misses=0 -o "$T/x.csv" --force; grep -v '^#' "$T/x.csv"; done
sahm: warning: table-synthetic.csv: likwid's output is read as documented; no real file was at hand to try it on
sahm: warning: table-synthetic.csv: summed over 2 groups: CPU0, CPU1 (--each makes a trace of each, --only NAME of one)
sahm: warning: table-synthetic.csv: no time is given, a row is taken for 100 ms
@T@/x.csv: 1 epoch of 100 ms; read as likwid (-f chooses another)
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses,cycles
399000308,79000105,1780003,910007,0,0,4900011,610015,511000000
sahm: warning: regions-synthetic.txt: likwid's output is read as documented; no real file was at hand to try it on
@T@/x.csv: 2 epochs of 100 ms; read as likwid (-f chooses another)
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses,cycles
200000301,40000100,1000002,50,0,0,2500003,285714,260000391
51000033,9000011,225000,50,0,0,637500,72857,66300042
$ cd tests/data/import/likwid; awk -F, '$1 == "INSTR_RETIRED_ANY" { print $3 + $4 }' table-synthetic.csv; awk -F'|' '/INSTR_RETIRED_ANY/ { n += $4 } END { print n }' regions-synthetic.txt
399000308
251000334
## what goes wrong
$ cd tests/data/import/likwid; sahm trace import table-synthetic.csv -o "$T/y.csv"; printf '# GID EventCount CpuCount Total runtime [s] A\n1 1 1 1.0 5\n' | sahm trace import - -o "$T/y.csv"; head -8 table-synthetic.csv | sahm trace import - -m l2_misses=L2_RQST_MISS -o "$T/y.csv"; grep -v '^[123] ' groups-synthetic.txt | sahm trace import - -o "$T/y.csv"; head -c 2100 groups-synthetic.txt | sahm trace import - --rotate -a l1d_accesses=0 -a l1d_misses=0 -o "$T/y.csv"
sahm: warning: table-synthetic.csv: likwid's output is read as documented; no real file was at hand to try it on
table-synthetic.csv is read as likwid (-f chooses another)
sahm: error: table-synthetic.csv: no event stands for 'l1d_accesses', 'l1d_misses'; there are 'INSTR_RETIRED_ANY', 'CPU_CLK_UNHALTED_CORE', 'BR_INST_RETIRED_ALL_BRANCHES', 'BR_MISP_RETIRED_ALL_BRANCHES', 'ICACHE_MISSES', 'L2_TRANS_ALL_REQUESTS', 'L2_RQSTS_MISS'; say --map l1d_accesses=EXPRESSION, or --assume l1d_accesses=0, for each of them; a group of likwid has few of them: give several (-g BRANCH -g ICACHE -g L2CACHE) and --rotate here
<stdin> is read as likwid (-f chooses another)
sahm: error: <stdin>:1: likwid-perfctr -o FILE separates names that hold blanks by blanks: add -O, or leave out -o
sahm: warning: <stdin>: likwid's output is read as documented; no real file was at hand to try it on
<stdin> is read as likwid (-f chooses another)
sahm: error: <stdin>: --map l2_misses: nothing is called 'L2_RQST_MISS'; there are 'INSTR_RETIRED_ANY', 'CPU_CLK_UNHALTED_CORE'
sahm: warning: <stdin>: likwid's output is read as documented; no real file was at hand to try it on
<stdin> is read as likwid (-f chooses another)
sahm: error: <stdin>: no event stands for 'l1d_accesses', 'l1d_misses'; there are 'Runtime (RDTSC) [s]', 'Runtime unhalted [s]', 'Clock [MHz]', 'CPI', 'Branch rate', 'Branch misprediction rate', 'Branch misprediction ratio', 'Instructions per branch', 'busy MHz', 'busy s', 'L1I request rate', 'L1I miss rate' and 6 others; say --map l1d_accesses=EXPRESSION, or --assume l1d_accesses=0, for each of them; a group of likwid has few of them: give several (-g BRANCH -g ICACHE -g L2CACHE) and --rotate here
sahm: warning: <stdin>: likwid's output is read as documented; no real file was at hand to try it on
sahm: warning: <stdin>: 2 of 5 rows skipped
sahm: warning: <stdin>:13: 2 rows skipped: windows at the end do not have all events that an epoch needs; this one first
sahm: warning: <stdin>:15: 1 line passed over: not readable as counts
sahm: warning: <stdin>:16: 1 line passed over: cut short
sahm: warning: <stdin>: 3 windows joined to 1 epoch (--rotate)
sahm: warning: <stdin>: summed over 2 groups: CPU0, CPU2 (--each makes a trace of each, --only NAME of one)
sahm: warning: <stdin>: events took turns (multiplexing): l2_accesses were counted for 31 % of the time, the rest is estimated
@T@/y.csv: 1 epoch of 300 ms; read as likwid (-f chooses another)
