## What a small sweep says
$ sahm sweep configs/canonical.cfg -s workload.duration_ms=2000 -a scheduler.inertia=0..4..2 -a migration.cost_ms=0,1,5 -o "$T/s.sqlite" -q
$ sahm query "$T/s.sqlite" | grep -v -e 'time of' -e 'processor time' -e 'per run' -e workers | sed 's/0\.1\.0-[0-9a-f]*/VERSION/'
canonical.cfg: sweep 1, 9 points (assumed time base)

best speedup_mean            +29.79 %
... at point                 0
... which is                 scheduler.inertia=0, migration.cost_ms=0

sweep  name           evaluator  points  done  failed  planned  absent  made by
------------------------------------------------------------------------------------------
    1  canonical.cfg  run             9     9       0        0       0  VERSION

axis               values  which
----------------------------------
scheduler.inertia       3  0, 2, 4
migration.cost_ms       3  0, 1, 5

more: sahm query RESULTS best, worst, axes, pareto, point, failed, missing, threads, config
$ sahm query "$T/s.sqlite" best -n 3
canonical.cfg: the 3 points with the highest speedup_mean, of 9 (assumed time base)

chip made of                 1 baseline + 1 branch 30 % + 1 l1i 30 % + 1 l1d 30 % + 1 l2 30 %

position  speedup_mean  scheduler.inertia  migration.cost_ms   served  migrations per second
--------------------------------------------------------------------------------------------
       0      +29.79 %                  0                  0  99.38 %                   0.62
       3      +29.79 %                  2                  0  99.38 %                   0.62
       6      +29.79 %                  4                  0  99.38 %                   0.62
$ sahm query "$T/s.sqlite" best --metric migrations_per_s -n 2 --csv
position,migrations_per_s,scheduler.inertia,migration.cost_ms,speedup_mean,served_share,nr_cores,made_of,synthetic,nominal_time
0,0.625,0,0,0.2979086538125,0.99375,5,1 baseline + 1 branch 30 % + 1 l1i 30 % + 1 l1d 30 % + 1 l2 30 %,no,yes
1,0.625,0,1,0.29713365381249995,0.99375,5,1 baseline + 1 branch 30 % + 1 l1i 30 % + 1 l1d 30 % + 1 l2 30 %,no,yes
$ sahm query "$T/s.sqlite" worst -n 2 --where inertia=0
canonical.cfg: the 2 points with the lowest speedup_mean, of 3 (assumed time base)

chip made of                 1 baseline + 1 branch 30 % + 1 l1i 30 % + 1 l1d 30 % + 1 l2 30 %

position  speedup_mean  scheduler.inertia  migration.cost_ms   served  migrations per second
--------------------------------------------------------------------------------------------
       2      +29.38 %                  0                  5  99.38 %                   0.62
       1      +29.71 %                  0                  1  99.38 %                   0.62
$ sahm query "$T/s.sqlite" axes
canonical.cfg: effect of each axis on speedup_mean, 9 points (assumed time base)

mean                         +29.63 %
min                          +29.38 %
max                          +29.79 %

axis               range of means  of variance
----------------------------------------------
migration.cost_ms           +0.41     100.00 %
scheduler.inertia           +0.00       0.00 %

axis               value  points      mean  from mean of all       min       max
--------------------------------------------------------------------------------
migration.cost_ms  0           3  +29.79 %             +0.16  +29.79 %  +29.79 %
migration.cost_ms  1           3  +29.71 %             +0.08  +29.71 %  +29.71 %
migration.cost_ms  5           3  +29.38 %             -0.25  +29.38 %  +29.38 %
scheduler.inertia  0           3  +29.63 %             +0.00  +29.38 %  +29.79 %
scheduler.inertia  2           3  +29.63 %             +0.00  +29.38 %  +29.79 %
scheduler.inertia  4           3  +29.63 %             +0.00  +29.38 %  +29.79 %

axis               and axis           of variance, beyond both
--------------------------------------------------------------
scheduler.inertia  migration.cost_ms                    0.00 %

differences and ranges are in percentage points
$ sahm query "$T/s.sqlite" axes --metric served_share --csv
axis,value,points,mean,difference,min,max,range,explained_share,synthetic,nominal_time
scheduler.inertia,0,3,0.99375,0,0.99375,0.99375,0,,no,yes
scheduler.inertia,2,3,0.99375,0,0.99375,0.99375,0,,no,yes
scheduler.inertia,4,3,0.99375,0,0.99375,0.99375,0,,no,yes
migration.cost_ms,0,3,0.99375,0,0.99375,0.99375,0,,no,yes
migration.cost_ms,1,3,0.99375,0,0.99375,0.99375,0,,no,yes
migration.cost_ms,5,3,0.99375,0,0.99375,0.99375,0,,no,yes
$ sahm query "$T/s.sqlite" threads
canonical.cfg: speedup of each thread, over 9 points (assumed time base)

thread  points      mean       p25    median       p75      best  position  scheduler.inertia  migration.cost_ms
----------------------------------------------------------------------------------------------------------------
cc1          9  +29.72 %  +29.53 %  +29.79 %  +29.85 %  +29.85 %         0                  0                  0
gzip         9  +29.37 %  +28.93 %  +29.54 %  +29.65 %  +29.65 %         0                  0                  0
perl         9  +29.72 %  +29.53 %  +29.79 %  +29.85 %  +29.85 %         0                  0                  0
python       9  +29.72 %  +29.53 %  +29.79 %  +29.85 %  +29.85 %         0                  0                  0
sort         9  +29.72 %  +29.53 %  +29.79 %  +29.85 %  +29.85 %         0                  0                  0
sqlite       9  +29.72 %  +29.53 %  +29.79 %  +29.85 %  +29.85 %         0                  0                  0
xz           9  +29.72 %  +29.53 %  +29.79 %  +29.85 %  +29.85 %         0                  0                  0
zstd         9  +29.34 %  +29.00 %  +29.46 %  +29.57 %  +29.57 %         0                  0                  0
$ sahm query "$T/s.sqlite" pareto
canonical.cfg: Pareto front, 1 of 9 points (assumed time base)

speedup_mean  cores  position  alike  scheduler.inertia  migration.cost_ms
--------------------------------------------------------------------------
    +29.79 %      5         0      3                  0                  0
$ sahm query "$T/s.sqlite" pareto --objective stp --objective migrations_per_s --json
{
  "schema": "sahm-query/1",
  "question": "pareto",
  "sweep": "canonical.cfg",
  "evaluator": "run",
  "synthetic": false,
  "nominal_time": true,
  "points": 9,
  "without_value": 0,
  "failed": 0,
  "planned": 0,
  "absent": 0,
  "objectives": [
    {"objective": "stp", "direction": "max"},
    {"objective": "migrations_per_s", "direction": "min"}
  ],
  "front": [
    {"stp": 1.2979086538125, "migrations_per_s": 0.625, "position": 0, "alike": 3, "scheduler.inertia": 0, "migration.cost_ms": 0}
  ]
}
$ sahm query "$T/s.sqlite" point 4
canonical.cfg: point 4, done (assumed time base)

chip made of                 1 baseline + 1 branch 30 % + 1 l1i 30 % + 1 l1d 30 % + 1 l2 30 %
cores                        5
scheduler.inertia            2
migration.cost_ms            1

metric                 value
----------------------------
speedup_mean        +29.71 %
speedup_harmonic    +29.71 %
speedup_geometric   +29.71 %
speedup_system      +29.71 %
stp                    1.297
antt                   0.771
jain                   1.000
jain_weighted          1.000
slowdown_max           0.772
unfairness             1.003
served_share         99.38 %
matched_share        99.38 %
running_share       100.00 %
transition_share      2.50 %
migrations_per_s        0.62
decisions_per_s         0.62
mismatched_ns      100.00 ms
paid_ns             10.00 ms
paid_share            0.06 %

thread   speedup   served  matched  migrations  baseline time     present
-------------------------------------------------------------------------
cc1     +29.79 %  99.50 %  99.50 %           1     2595.70 ms  2000.00 ms
gzip    +29.54 %  99.00 %  99.00 %           2     2590.78 ms  2000.00 ms
perl    +29.79 %  99.50 %  99.50 %           1     2595.70 ms  2000.00 ms
python  +29.79 %  99.50 %  99.50 %           1     2595.70 ms  2000.00 ms
sort    +29.79 %  99.50 %  99.50 %           1     2595.70 ms  2000.00 ms
sqlite  +29.79 %  99.50 %  99.50 %           1     2595.70 ms  2000.00 ms
xz      +29.79 %  99.50 %  99.50 %           1     2595.70 ms  2000.00 ms
zstd    +29.46 %  99.00 %  99.00 %           2     2589.16 ms  2000.00 ms

repeat it: sahm query '@T@/s.sqlite' config > sweep.cfg
           sahm run sweep.cfg --set scheduler.inertia=2 --set migration.cost_ms=1
$ sahm query "$T/s.sqlite" config > "$T/sweep.cfg"; cd "$T" && sahm run sweep.cfg --set scheduler.inertia=2 --set migration.cost_ms=1.0 2>&1 | grep -e warning -e "speedup,"
sahm: warning: the section 'sweep' has no effect on a single run: `sahm sweep` carries it out
speedup, arithmetic mean     +29.71 %
speedup, harmonic mean       +29.71 %
speedup, geometric mean      +29.71 %
$ sahm query "$T/s.sqlite" failed
canonical.cfg: no point failed
$ sahm query "$T/s.sqlite" missing
canonical.cfg: not done: 0 of 9 points
$ sahm sweep "$T/sweep.cfg" -o "$T/s.sqlite" | head -n 2
space     9 points: scheduler.inertia (3) x migration.cost_ms (3)
runs      9 different, of which 9 the results file has already
## Part of a space
$ sahm sweep configs/canonical.cfg -s workload.duration_ms=2000 -a scheduler.inertia=0..4..2 -a migration.cost_ms=0,1,5 -o "$T/p.sqlite" -q --shard 2/3; sahm query "$T/p.sqlite" missing
canonical.cfg: not done: 6 of 9 points

from  to  points  why
-----------------------------------------
   0   0       1  not in the results file
   2   3       2  not in the results file
   5   6       2  not in the results file
   8   8       1  not in the results file
## Where chips differ they are shown; one that is too long is cut for people alone.
$ sahm sweep configs/canonical.cfg -s workload.duration_ms=500 -a scheduler.policy='"sahm","static"' -a 'chip.cores=({type="branch";speedup_pct=30;count=1;}),({type="l1i+branch";speedup_pct=(10,30);count=1;},{type="l1d+l2";speedup_pct=(10,30);count=1;},{type="berti";count=1;})' -o "$T/c.sqlite" -q
$ sahm query "$T/c.sqlite" best -n 2
canonical.cfg: the 2 points with the highest speedup_mean, of 4 (assumed time base)

position  speedup_mean  scheduler.policy                chip.cores   served  migrations per second  cores  made of
-----------------------------------------------------------------------------------------------------------------------------------------------------------------
       1      +29.32 %              sahm  ({type = l1i+branch; ...  99.50 %                   0.50      3  1 branch+l1i 30,10 % + 1 l1d+l2 10,30 % + 1 berti 13 %
       0      +25.50 %              sahm  ({type = branch; spee...  85.00 %                   0.00      1  1 branch 30 %
$ sahm query "$T/c.sqlite" best -n 1
canonical.cfg: the 1 point with the highest speedup_mean, of 4 (assumed time base)

chip made of                 1 branch+l1i 30,10 % + 1 l1d+l2 10,30 % + 1 berti 13 %

position  speedup_mean  scheduler.policy                                      chip.cores   served  migrations per second
------------------------------------------------------------------------------------------------------------------------
       1      +29.32 %              sahm  ({type = l1i+branch; speedup_pct = (10, 30)...  99.50 %                   0.50
$ sahm query "$T/c.sqlite" best -n 2 --csv | cut -d, -f1,2
position,speedup_mean
1,0.29323865374999997
0,0.255
$ sahm query "$T/c.sqlite" threads | sed -n '3,5p;$p'
thread  points      mean       p25    median       p75      best  position
--------------------------------------------------------------------------
cc1          4  +30.00 %  +30.00 %  +30.00 %  +30.00 %  +30.00 %         0
2 columns are left out, --csv and --json have them
## Two shards of three, merged.
$ for i in 1 3; do sahm sweep configs/canonical.cfg -s workload.duration_ms=500 -a workload.seed=0..17 -o "$T/m$i.sqlite" -q --shard $i/3; done; sahm merge "$T/m.sqlite" "$T/m1.sqlite" "$T/m3.sqlite" >"$T/out"; sahm query "$T/m.sqlite" | grep -A2 '^sweep ' | sed 's/0\.1\.0-[0-9a-f]*/VERSION/'
sweep  name           evaluator  points  done  failed  planned  absent  made by
------------------------------------------------------------------------------------------
    1  canonical.cfg  run            18    12       0        0       6  VERSION
$ sahm query "$T/m.sqlite" missing
canonical.cfg: not done: 6 of 18 points

from  to  which         points  why
-------------------------------------------------------
   1  16  1 of every 3       6  not in the results file
$ sahm query "$T/m.sqlite" missing --csv | head -n 3
from,to,points,why
1,1,1,not in the results file
4,4,1,not in the results file
$ sahm query "$T/m.sqlite" best -n 1 -w seed=1 -w seed=2 -w seed=3 | tail -n 1
left out: 1 point not in the results file
## Values of several keys, which are lists themselves.
$ sahm sweep configs/canonical.cfg -s workload.duration_ms=500 -a scheduler.inertia=0..2 -z migration.cost_ms=0,0.1,0.2 -a cuts.set=p50 -o "$T/z.sqlite" -q; sahm query "$T/z.sqlite" | grep -e '^\.\.\. which' -A99 | grep -e which -e inertia
... which is                 scheduler.inertia+migration.cost_ms=(0, 0), cuts.set=p50
axis                                 values  which
scheduler.inertia+migration.cost_ms       3  (0, 0), (1, 0.1), (2, 0.2)
## Waits are not measured where no thread sleeps.
$ sahm query "$T/s.sqlite" best --metric latency_p99_ns
canonical.cfg: no point has a value of latency_p99_ns (assumed time base)

left out: 9 points without a value
waits are measured only in continuous time: if threads sleep, or the policy dispatches
$ sahm query "$T/s.sqlite" pareto --objective wait_p50_ns --objective latency_p99_ns | tail -n 2
left out: 9 points without a value
waits are measured only in continuous time: if threads sleep, or the policy dispatches
## How to run a point again, in words for the shell that run as they are.
$ cp "$T/s.sqlite" "$T/it's.sqlite"; cd "$T" && sahm query "$T/it's.sqlite" point 4 --sweep 1 | tail -n 2
repeat it: sahm query '@T@/it'\''s.sqlite' config --sweep 1 > sweep.cfg
           sahm run sweep.cfg --set scheduler.inertia=2 --set migration.cost_ms=1
$ cd "$T" && rm -f sweep.cfg && eval "$(sahm query "it's.sqlite" point 4 --sweep 1 | sed -n 's/^repeat it: //p;s/^  *sahm run/sahm run/p')" 2>&1 | grep "speedup,"
speedup, arithmetic mean     +29.71 %
speedup, harmonic mean       +29.71 %
speedup, geometric mean      +29.71 %
## Nothing takes the place of what is asked.
$ sahm query "$T/s.sqlite" -o "$T/s.sqlite"
sahm: error: the result would overwrite '@T@/s.sqlite', which it is made from
[2]
$ ln -s s.sqlite "$T/link"; cd "$T" && sahm query s.sqlite best --csv -o link
sahm: error: the result would overwrite 's.sqlite', which it is made from
[2]
$ echo 'cores=();' >"$T/costs.cfg"; sahm query "$T/s.sqlite" pareto --objective area_mm2 --costs "$T/costs.cfg" -o "$T/costs.cfg"
sahm: error: the result would overwrite '@T@/costs.cfg', which it is made from
[2]
$ cat "$T/costs.cfg"; sahm query "$T/s.sqlite" | head -n 1
cores=();
canonical.cfg: sweep 1, 9 points (assumed time base)
## What is wrong
$ sahm query "$T/s.sqlite" frobnicate; sahm query "$T/s.sqlite" best -m frobnicate; sahm query "$T/s.sqlite" --where a=1; sahm query
sahm: error: unknown question 'frobnicate' (sahm query --help explains them)
sahm: error: unknown metric 'frobnicate' (sahm help results lists them)
sahm: error: --where goes with a question, and none is asked
sahm: error: a results database is missing: sahm query RESULTS
[2]
$ sahm query "$T/s.sqlite" bset
sahm: error: unknown question 'bset'; did you mean 'best'?
[2]
$ sahm query "$T/s.sqlite" best --metric sped_mean
sahm: error: unknown metric 'sped_mean'; did you mean 'speedup_mean'?
[2]
$ sahm query "$T/s.sqlite" axes -w inertai=1
sahm: error: the sweep has no axis 'inertai'; did you mean 'scheduler.inertia'?
[2]
$ sahm query "$T/s.sqlite" best --metric transition_share
sahm: error: 'transition_share' has no usual direction: add --maximize or --minimize
[2]
$ sahm query "$T/s.sqlite" pareto --objective area_mm2
sahm: error: an objective of area needs --costs FILE
[2]
$ sahm query "$T/s.sqlite" best --costs x
sahm: error: --costs does not apply to 'best'
[2]
$ sahm query "$T/s.sqlite" point 999999
sahm: error: there is no point 999999: the sweep has 9
[2]
$ sahm query "$T/s.sqlite" best --sweep 7
sahm: error: results file '@T@/s.sqlite' has no sweep '7'; it has 1 'canonical.cfg'
[1]
$ sahm query README.md
sahm: error: 'README.md' is not a results database; `sahm sweep CONFIG -o FILE` makes one
[1]
$ sahm query "$T/none.sqlite"
sahm: error: cannot read results file '@T@/none.sqlite': No such file or directory; `sahm sweep CONFIG -o FILE` makes one
[1]
## Of several samples times are sums, which have no interval; means have one
$ sahm sweep configs/canonical.cfg -s workload.duration_ms=500 -s workload.samples=3 -a scheduler.inertia=5 -q -o "$T/samples.sqlite" >/dev/null
$ sahm query "$T/samples.sqlite" point 0 | grep -E '^(metric|speedup_mean|mismatched_ns|paid_ns) '
metric                 value  low (95 %)  high (95 %)
speedup_mean        +29.04 %    +28.00 %     +30.12 %
mismatched_ns      260.00 ms           -            -
paid_ns             26.00 ms           -            -
## CSV says of each row whether its traces are synthetic, or of nominal time; what is not done has none
$ cp "$T/s.sqlite" "$T/both.sqlite"; sahm sweep configs/synthetic-39.cfg -s workload.duration_ms=100 -a scheduler.inertia=0..1 -q -o "$T/both.sqlite"
$ sahm query "$T/both.sqlite" --csv | cut -d, -f1,2,10-
id,name,synthetic,nominal_time
1,canonical.cfg,no,yes
2,synthetic-39.cfg,yes,no
$ for q in best worst axes pareto 'point 0' threads failed missing; do sahm query "$T/both.sqlite" $q --csv | head -n 2 | sed 's/.*,\(synthetic,.*\)/\1/; s/.*,\(yes,.*\|no,.*\)/\1/'; done
synthetic,nominal_time
yes,no
synthetic,nominal_time
yes,no
synthetic,nominal_time
yes,no
synthetic,nominal_time
yes,no
synthetic,nominal_time
yes,no
synthetic,nominal_time
yes,no
position,scheduler.inertia,message
from,to,points,why
