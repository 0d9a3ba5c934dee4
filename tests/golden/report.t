## A page about a small sweep
$ sahm sweep configs/canonical.cfg -s workload.duration_ms=2000 -a scheduler.inertia=0..4..2 -a migration.cost_ms=0,1,5 -o "$T/s.sqlite" -q
$ sahm report "$T/s.sqlite" --no-plots
@T@/s.report/index.html: 9 points, 9 done, 0 failed, 0 missing (assumed time base)
best speedup_mean +29.79 % at point 0: scheduler.inertia=0, migration.cost_ms=0
$ (cd "$T/s.report" && ls)
axes.csv
axes.gp
axis_1.csv
axis_1.gp
axis_2.csv
axis_2.gp
distribution.csv
distribution.gp
heat.csv
heat.gp
index.html
threads.csv
threads.gp
$ (cd "$T" && sahm report s.sqlite -m migrations_per_s -w inertia=0 -w cost_ms=1 -w cost_ms=5 --top 1 --no-plots -o some && head -n 3 some/axis_2.csv)
some/index.html: 2 points, 2 done, 0 failed, 0 missing (assumed time base)
best migrations_per_s 0.62 at point 1: scheduler.inertia=0, migration.cost_ms=1
value,nominal_time_least_migrations_per_s,nominal_time_p25_migrations_per_s,nominal_time_median_migrations_per_s,nominal_time_p75_migrations_per_s,nominal_time_most_migrations_per_s,nominal_time_mean_migrations_per_s,nominal_time_value1_migrations_per_s
1,0.625,0.625,0.625,0.625,0.625,0.625,0.625
5,0.625,0.625,0.625,0.625,0.625,0.625,0.625
$ grep -c '<figure>' "$T/s.report/index.html" "$T/some/index.html" | sed 's/.*://'
6
4
$ sed -n 's/<[^>]*>//g; /^Hash of the sweep/q; /^Sweep\|^speedup\|^Each cell\|^Points\|^Mean\|^\.\.\. 95\|^Median/p' "$T/s.report/index.html"
Sweep canonical.cfg (assumed time base)
Sweep canonical.cfg (assumed time base)
speedup, arithmetic mean over 9 points: 9 done, 0 failed, 0 missing. The time base of traces is assumed: their epochs are not stretches of measured time.
Each cell shows the speedup_mean of one point (assumed time base). Rows: scheduler.inertia; columns: migration.cost_ms.
## Without gnuplot
$ PATH="$(dirname "$(command -v sahm)")":/nowhere; sahm report "$T/s.sqlite" -o "$T/bare"
sahm: warning: gnuplot is not installed: the page has no pictures; data and scripts are beside it
@T@/bare/index.html: 9 points, 9 done, 0 failed, 0 missing (assumed time base)
best speedup_mean +29.79 % at point 0: scheduler.inertia=0, migration.cost_ms=0
## Names of folders
$ cd "$T"; mkdir in.side; cp s.sqlite in.side/noending; cp s.sqlite .hidden; for store in in.side/noending .hidden; do sahm report $store --no-plots | head -n 1; done
in.side/noending.report/index.html: 9 points, 9 done, 0 failed, 0 missing (assumed time base)
.hidden.report/index.html: 9 points, 9 done, 0 failed, 0 missing (assumed time base)
## Another sweep of the store
$ sahm sweep configs/canonical.cfg -s workload.duration_ms=500 -a scheduler.inertia=0,1 -o "$T/s.sqlite" -q && sahm report "$T/s.sqlite" --no-plots && sahm report "$T/s.sqlite" --sweep 1 --no-plots && grep -c 'sahm report s.sqlite --sweep 1<' "$T/s.report/index.html"
@T@/s.report/index.html: 2 points, 2 done, 0 failed, 0 missing (assumed time base)
best speedup_mean +29.02 % at point 0: scheduler.inertia=0
@T@/s.report/index.html: 9 points, 9 done, 0 failed, 0 missing (assumed time base)
best speedup_mean +29.79 % at point 0: scheduler.inertia=0, migration.cost_ms=0
7
$ sed -n 's/.*\(The manifest next to the results database is that of another sweep\).*/\1/p' "$T/s.report/index.html"
The manifest next to the results database is that of another sweep
## A manifest that cannot be read
$ echo nonsense >"$T/s.sqlite.manifest"; sahm report "$T/s.sqlite" --no-plots | head -n 1
sahm: warning: the manifest is left out of the report: @T@/s.sqlite.manifest:1: '=' is missing after 'nonsense', at >>> in 'nonsense>>>'
@T@/s.report/index.html: 2 points, 2 done, 0 failed, 0 missing (assumed time base)
## What is wrong
$ rm "$T/s.sqlite.manifest"
$ sahm report
sahm: error: a results database is missing: sahm report RESULTS
[2]
$ sahm report a b
sahm: error: one store at a time: 'b' is too many
[2]
$ sahm report "$T/s.sqlite" --metric speedup
sahm: error: unknown metric 'speedup'; did you mean 'speedup_mean'?
[2]
$ sahm report "$T/s.sqlite" --where inertia=7
sahm: error: axis 'scheduler.inertia' has no value '7'
[2]
$ sahm report "$T/s.sqlite" --where speed=7
sahm: error: the sweep has no axis 'speed'
[2]
$ sahm report "$T/s.sqlite" --top 0
sahm: error: --top is a whole number from 1 to 100, not '0'
[2]
$ sahm report "$T/s.sqlite" --top 101
sahm: error: --top is a whole number from 1 to 100, not '101'
[2]
$ sahm report "$T/s.sqlite" -o ""
sahm: error: option '--output' needs a name: --output DIR
[2]
$ sahm report "$T/s.sqlite" -o "$T/s.sqlite"
sahm: error: the result would overwrite '@T@/s.sqlite', which it is made from
[2]
$ sahm report "$T/s.sqlite" --sweep 7
sahm: error: results file '@T@/s.sqlite' has no sweep '7'; it has 2 'canonical.cfg', 1 'canonical.cfg'
[1]
$ sahm report "$T/none.sqlite"
sahm: error: cannot read results file '@T@/none.sqlite': No such file or directory; `sahm sweep CONFIG -o FILE` makes one
[1]
$ sahm report configs/canonical.cfg
sahm: error: 'configs/canonical.cfg' is not a results database; `sahm sweep CONFIG -o FILE` makes one
[1]
$ sahm report "$T/s.sqlite" -o "$T/some/index.html"
sahm: error: cannot create folder '@T@/some/index.html': a file is called so
[1]
$ sahm report "$T/s.sqlite" -o /proc/none
sahm: error: cannot create folder '/proc/none': No such file or directory
[1]
