## What is wrong, where, and what was probably meant.
$ sahm run no/such.cfg
sahm: error: cannot open 'no/such.cfg': No such file or directory
[1]
## Shipped ones are found by the path that documents name, and by their names.
$ cd "$T"; sahm run configs/open.cfg; sahm sweep space-39.cfg; sahm optimize --cores 2 canonical.cfg; sahm compare policies.cfg
sahm: error: cannot open 'configs/open.cfg': No such file or directory; did you mean '@ROOT@/configs/open.cfg'?
sahm: error: cannot open 'space-39.cfg': No such file or directory; did you mean '@ROOT@/configs/studies/space-39.cfg'?
sahm: error: cannot open 'canonical.cfg': No such file or directory; did you mean '@ROOT@/configs/canonical.cfg'?
sahm: error: cannot open 'policies.cfg': No such file or directory; did you mean '@ROOT@/configs/studies/policies.cfg'?
[1]
$ sahm run configs
sahm: error: no trace is in the folder 'configs' (.csv, .trc, either with .zst)
[1]
$ c() { printf '%s\n' 'chip : { cores = ( { type = "baseline"; }, { type = "l2"; speedup_pct = 30; } ); };' 'workload : { traces = [ "workloads/suites/small/cc1.csv" ]; };' "$@" > "$T/c.cfg"; SAHM_DATA=. sahm run "$T/c.cfg" --csv; }; c | tail -n 1; c 'scheduler : { polcy = "sahm"; };'; c 'schedular : { };'; c 'scheduler : { policy = "samh"; };'; c 'scheduler : { policy = 5; };'; c 'scheduler : { inertia = "five"; };'; c 'scheduler : { inertia = 2.5; };'; c 'scheduler : { inertia = -1; };'; c 'scheduler : { inertia = 5000000000; };'; c 'scheduler : { inertia = 5000000000L; };'; c 'migration : { cost_ms = 1e400; };'; c 'migration : { cost_ms = 1e-400; };'; c 'migration : { cost_ms = -1.0; };'; c 'migration : { cost_ms = 1.0;' '  cost_ms = 2.0; };'; c 'scheduler : { timestep_ms = 0; };'; c 'scheduler = 5;'; c 'scheduler : { oracle = 1; };'; c 'cuts : { set = "p75"; };'; c 'cuts : { l1d_mpki = 5; };'; c 'workload : { };'; c 'scheduler : { policy = "sahm'; c 'scheduler : { policy "sahm"; };'; c 'scheduler : {'; c '@include "nowhere.cfg"'
system,all (assumed time base),0.013526315789473685,0.04736842105263158,0.04736842105263158,1,190,2,1925700000,1900000000,1900000000,1000000,1810000000,,,,1,,,1.0135263157894736,0.9866542036661994,1,1,0.9866542036661994,1,,,,
sahm: error: @T@/c.cfg:3: unknown key 'scheduler.polcy'; did you mean 'scheduler.policy'?
sahm: error: @T@/c.cfg:3: unknown key 'schedular'; did you mean 'scheduler'?
sahm: error: @T@/c.cfg:3: unknown value 'samh' of 'scheduler.policy' (sahm, sahm-strict, sahm-listing, static, random, rotate, affinity, fair, assign, keen, pie, bias, equal-time, equal-progress, thread-director, eas); did you mean 'sahm'?
sahm: error: @T@/c.cfg:3: 'scheduler.policy' must be a string
sahm: error: @T@/c.cfg:3: 'scheduler.inertia' must be an integer
sahm: error: @T@/c.cfg:3: 'scheduler.inertia' must be an integer
sahm: error: @T@/c.cfg:3: 'scheduler.inertia' is -1, must be from 0 to 1000000 scheduling passes
sahm: error: @T@/c.cfg:3: integer '5000000000' overflows: it does not fit 32 bits (write larger ones with an L: 3000000000L)
sahm: error: @T@/c.cfg:3: 'scheduler.inertia' is 5000000000, must be from 0 to 1000000 scheduling passes
sahm: error: @T@/c.cfg:3: number '1e400' overflows
sahm: error: @T@/c.cfg:3: number '1e-400' is too small: it would be 0
sahm: error: @T@/c.cfg:3: 'migration.cost_ms' is -1, must be from 0 to 1000000 ms
sahm: error: @T@/c.cfg:4: duplicate key 'cost_ms' (first set at @T@/c.cfg:3)
sahm: error: @T@/c.cfg:3: 'scheduler.timestep_ms' is 0, must be from 0.001 to 1000000 ms
sahm: error: @T@/c.cfg:3: 'scheduler' must be a group
sahm: error: @T@/c.cfg:3: 'scheduler.oracle' must be true or false
sahm: error: @T@/c.cfg:3: unknown value 'p75' of 'cuts.set' (p25, p50, intuitive); did you mean 'p25'?
sahm: error: @T@/c.cfg:3: unknown key 'cuts.l1d_mpki'; did you mean 'cuts.l1i_mpki'?
sahm: error: @T@/c.cfg:3: duplicate key 'workload' (first set at @T@/c.cfg:2)
sahm: error: @T@/c.cfg:3: a string is not closed on its line, at >>> in 'scheduler : { policy = >>>"sahm'
sahm: error: @T@/c.cfg:3: '=' is missing after 'policy', at >>> in 'scheduler : { policy >>>"sahm"; };'
sahm: error: @T@/c.cfg:3: '{' is not closed, at >>> in 'scheduler : >>>{'
sahm: error: @T@/c.cfg:3: cannot open '@T@/nowhere.cfg': No such file or directory
[1]
$ printf 'workload : { traces = [ "a" ]; };' | sahm run -
sahm: error: <stdin>: missing key 'chip.cores': groups of equal cores, in index order; required
[1]
$ printf 'chip : { cores = ( { type = "baseline"; } ); };' | sahm run -
sahm: error: <stdin>: missing key 'workload.traces': traces in thread order: file names or groups; required without rtapp
[1]
$ printf 'chip : { cores = ( { count = 2; } ); };' | sahm run -
sahm: error: <stdin>:1: missing key 'chip.cores[].type': core type: baseline, components joined by + (branch, l1i, l1d, l2), general, table, a published work, or a name in core_types; required
[1]
$ sahm run configs/canonical.cfg --set chip.cores[2].speedup_pct=-200
sahm: error: --set chip.cores[2].speedup_pct=-200: 'chip.cores[2].speedup_pct' is -200, must be from -99.9999 to 99900 %
[2]
$ sahm run configs/canonical.cfg --set chip.cores[2].speedup_pct=-100
sahm: error: --set chip.cores[2].speedup_pct=-100: 'chip.cores[2].speedup_pct' is -100, must be from -99.9999 to 99900 %
[2]
$ sahm run configs/canonical.cfg --set 'chip.cores=()'
sahm: error: --set chip.cores=(): the chip has no cores
[2]
$ sahm run configs/canonical.cfg --set 'chip.cores=({type="baseline"; count=0;})'
sahm: error: --set chip.cores=({type="baseline"; count=0;}): the chip has no cores
[2]
$ sahm run configs/canonical.cfg --set chip.cores[0].count=5000
sahm: error: --set chip.cores[0].count=5000: 'chip.cores[0].count' is 5000, must be from 0 to 4096
[2]
$ sahm run configs/canonical.cfg --set 'chip.cores=({type="baseline"; count=4000;},{type="general"; count=97;})'
sahm: error: --set chip.cores=({type="baseline"; count=4000;},{type="general"; count=97;}): more than 4096 cores
[2]
$ sahm run configs/canonical.cfg --set chip.cores[1].type=branhc
sahm: error: --set chip.cores[1].type=branhc: unknown core type 'branhc'; did you mean 'branch'?
[2]
$ sahm run configs/canonical.cfg --set chip.cores[1].type=l2+l2
sahm: error: --set chip.cores[1].type=l2+l2: core type 'l2+l2' names L2 twice
[2]
$ sahm run configs/canonical.cfg --set chip.cores[1].type=table
sahm: error: --set chip.cores[1].type=table: core type 'table' takes 16 speedups, one per state, not 1
[2]
$ sahm run configs/canonical.cfg --set 'chip.cores[1]={type="l2";}'
sahm: error: --set chip.cores[1]={type="l2";}: core type 'l2' needs a speedup_pct
[2]
$ sahm run configs/canonical.cfg --set 'chip.cores[1].speedup_pct=[10, 20]'
sahm: error: --set chip.cores[1].speedup_pct=[10, 20]: core type 'branch' takes one speedup, or one per component, not 2
[2]
$ sahm run configs/canonical.cfg --set 'chip.cores[1].speedup_pct=[10, 20.5]'
sahm: error: --set chip.cores[1].speedup_pct=[10, 20.5]: an array in [] holds one type: write all as floats (10.0), or a list in ()
[2]
$ sahm run configs/canonical.cfg --set 'chip.cores[1]={type="l2"; speedup_pct=3; figure="average";}'
sahm: error: --set chip.cores[1]={type="l2"; speedup_pct=3; figure="average";}: 'figure' has no effect here: a speedup is given
[2]
$ sahm run configs/canonical.cfg --set 'chip.cores[0].figure=average'
sahm: error: --set chip.cores[0].figure=average: 'figure' has no effect here: the type names no published work
[2]
$ sahm run configs/canonical.cfg --set chip.cores[9].count=1
sahm: error: --set chip.cores[9].count=1: there are 5 elements, the first is [0]
[2]
$ sahm run configs/canonical.cfg --set scheduler.inertai=1
sahm: error: --set scheduler.inertai=1: unknown key 'scheduler.inertai'; did you mean 'scheduler.inertia'?
[2]
$ sahm run configs/canonical.cfg --set inertia=1
sahm: error: --set inertia=1: unknown key 'inertia'; did you mean 'scheduler.inertia'?
[2]
$ sahm run configs/canonical.cfg --set scheduler
sahm: error: --set scheduler: must be written as key.path=value
[2]
$ sahm run configs/canonical.cfg --set scheduler..inertia=1
sahm: error: --set scheduler..inertia=1: must be written as key.path=value
[2]
$ sahm run configs/canonical.cfg --set scheduler.inertia=abc
sahm: error: --set scheduler.inertia=abc: 'scheduler.inertia' must be an integer
[2]
$ sahm run configs/canonical.cfg --set scheduler.inertia=5000000000
sahm: error: --set scheduler.inertia=5000000000: integer '5000000000' overflows: it does not fit 32 bits (write larger ones with an L: 3000000000L)
[2]
$ sahm run configs/canonical.cfg --set scheduler.inertia=99999999999999999999
sahm: error: --set scheduler.inertia=99999999999999999999: integer '99999999999999999999' overflows: it does not fit 32 bits
[2]
$ sahm run configs/canonical.cfg --set 'scheduler.inertia=1; x = 2'
sahm: error: --set scheduler.inertia=1; x = 2: one value is expected
[2]
$ sahm run configs/canonical.cfg --set 'workload.traces[0]=nowhere.csv'
sahm: error: --set workload.traces[0]=nowhere.csv: cannot open trace 'nowhere.csv': No such file or directory (nor is it in '@ROOT@')
[1]
$ sahm run configs/canonical.cfg --set 'workload.traces[0]=""'
sahm: error: --set workload.traces[0]="": cannot open trace '': No such file or directory (nor is it in '@ROOT@')
[1]
## Marks the place that breaks the grammar: the first wrong bracket, what has no quotes, what other languages would accept.
$ s() { printf '%s\n' "$@" > "$T/s.cfg"; sahm run "$T/s.cfg"; }; s 'workload : {' '  traces = ( "gzip", "bzip2" ;' '};'; s 'workload : {' '  traces = (' '    "gzip",' '    "bzip2" ];' '};'; s 'workload :' '  traces = [ "gzip" ];' '};'; s 'migration : { cost_ms = 1,0; };'; s 'chip : { cores = ( { speedup_pct = 30%; } ); };'; s "scheduler : { policy = 'sahm'; };"; s 'scheduler : { policy = “sahm”; };'; s 'workload : { traces = ( "gzip" "bzip2" ); };'; s 'scheduler : {' '- inertia: 5' '};'
sahm: error: @T@/s.cfg:2: ',' or ')' is missing, at >>> in 'traces = ( "gzip", "bzip2" >>>;'
sahm: error: @T@/s.cfg:4: ',' or ')' is missing (its '(' is on line 2), at >>> in '"bzip2" >>>];'
sahm: error: @T@/s.cfg:1: '{' is missing, at >>> in 'workload :>>>'
sahm: error: @T@/s.cfg:1: decimals have a point: 1.0, at >>> in 'migration : { cost_ms = >>>1,0; };'
sahm: error: @T@/s.cfg:1: a unit needs quotes: "30%", at >>> in 'chip : { cores = ( { speedup_pct = >>>30%; } ); };'
sahm: error: @T@/s.cfg:1: text needs straight double quotes: "sahm", at >>> in 'scheduler : { policy = >>>'sahm'; };'
sahm: error: @T@/s.cfg:1: text needs straight double quotes: "sahm", at >>> in 'scheduler : { policy = >>>“sahm”; };'
sahm: error: @T@/s.cfg:1: a comma is missing between two strings, at >>> in 'workload : { traces = ( "gzip" >>>"bzip2" ); };'
sahm: error: @T@/s.cfg:2: '-' does not begin a setting, at >>> in '>>>- inertia: 5'
[1]
## Threads, cores and moves that do not fit together.
$ c() { printf '%s\n' 'chip : { cores = ( { type = "baseline"; count = 4; tenant = "web"; }, { type = "l2"; speedup_pct = 30; count = 4; tenant = "batch"; } ); };' "$@" > "$T/c.cfg"; SAHM_DATA=. sahm run "$T/c.cfg" --csv; }; t() { c 'workload : { traces = ( { file = "workloads/suites/small/cc1.csv";' "$@" '} ); };'; }; w='tenant = "web";'; t "$w" | cut -d, -f1,2 | tail -n 1; t; t 'tenant = "wep";'; t 'tenant = "";'; t "$w" 'affinity = "4-7";'; t "$w" 'affinity = "0-8";'; t "$w" 'affinity = "3-0";'; t "$w" 'affinity = "0,,1";'; t "$w" 'affinity = "";'; t "$w" 'affinity = "5-";'; t "$w" 'affinity = "0-3:0";'; t "$w" 'afinity = "0-3";'; t "$w" 'arrive_ms = [ ];'; t "$w" 'arrive_ms = -1;'; t "$w" 'offset_ms = [ 0, 1, 2 ];' 'arrive_ms = [ 0, 1 ];'; t "$w" 'repeat = "no";'
system,all (assumed time base)
sahm: error: @T@/c.cfg:2: a thread without a tenant, and every core has one
sahm: error: @T@/c.cfg:3: tenant 'wep' owns no cores; did you mean 'web'?
sahm: error: @T@/c.cfg:3: 'workload.traces[0].tenant' is empty
sahm: error: @T@/c.cfg:4: 'workload.traces[0].affinity': none of these cores belongs to tenant 'web'
sahm: error: @T@/c.cfg:4: 'workload.traces[0].affinity': there is no core 8, the last is 7
sahm: error: @T@/c.cfg:4: 'workload.traces[0].affinity': range '3-0' runs backwards
sahm: error: @T@/c.cfg:4: 'workload.traces[0].affinity': nothing stands before a comma in the list of cores
sahm: error: @T@/c.cfg:4: 'workload.traces[0].affinity': the list of cores is empty
sahm: error: @T@/c.cfg:4: 'workload.traces[0].affinity': '5-' is neither a core nor a range of cores (0-3 or 0-30:2)
sahm: error: @T@/c.cfg:4: 'workload.traces[0].affinity': range '0-3:0' has a stride of 0
sahm: error: @T@/c.cfg:4: unknown key 'workload.traces[0].afinity'; did you mean 'affinity'?
sahm: error: @T@/c.cfg:4: 'workload.traces[0].arrive_ms' is empty
sahm: error: @T@/c.cfg:4: 'workload.traces[0].arrive_ms' is -1, must be from 0 to 1000000000 ms
sahm: error: @T@/c.cfg:5: arrive_ms has 2 values, offset_ms 3
sahm: error: @T@/c.cfg:4: 'workload.traces[0].repeat' must be true or false
[1]
$ c() { printf '%s\n' 'chip : { cores = ( { type = "baseline"; count = 2; } ); };' 'workload : { traces = [ "workloads/suites/small/cc1.csv" ]; };' "$@" > "$T/c.cfg"; SAHM_DATA=. sahm run "$T/c.cfg" --csv; }; m() { c "migration : { $1 };"; }; m 'levels = ( { cores = 2; cost_ms = 1; }, { cores = 3; cost_ms = 2; } );'; m 'levels = ( { cores = 4; cost_ms = 1; }, { cores = 2; cost_ms = 2; } );'; m 'levels = ( { cores = 2; } );'; m 'levels = ( { cost_ms = 2; } );'; m 'levels = ( { cores = 1; cost_ms = 2; } );'; m 'matrix_ms = ( [ 0, 1 ] );'; m 'matrix_ms = ( [ 0, 1 ], [ 1 ] );'; m 'matrix_ms = ( [ 0, 1 ], [ -1, 0 ] );'; m 'matrix_ms = ( [ 0, 1 ], [ 1, 0 ] ); cost_ms = 1;'; m 'matrix_ms = ( [ 0, 1 ], [ 1, 0 ] ); levels = ( { cores = 2; cost_ms = 1; } );'; m 'warmup_ms = -0.5;'
sahm: error: @T@/c.cfg:3: a block of 3 cores does not consist of whole blocks of 2
sahm: error: @T@/c.cfg:3: a level of 2 cores after one of 4: levels are in order, smallest blocks first
sahm: error: @T@/c.cfg:3: missing key 'migration.levels[].cost_ms': cost of a migration within a block; required without a profile
sahm: error: @T@/c.cfg:3: missing key 'migration.levels[].cores': cores of a block, a multiple of those of the level before; required
sahm: error: @T@/c.cfg:3: 'migration.levels[0].cores' is 1, must be from 2 to 4096 cores
sahm: error: @T@/c.cfg:3: matrix_ms has 1 row, the chip 2 cores
sahm: error: @T@/c.cfg:3: row 1 of matrix_ms has 1 number, the chip 2 cores
sahm: error: @T@/c.cfg:3: 'migration.matrix_ms[1][0]' is -1, must be from 0 to 1000000 ms
sahm: error: @T@/c.cfg:3: cost_ms has no effect here: matrix_ms gives the cost of every migration
sahm: error: @T@/c.cfg:3: levels and matrix_ms together: either gives the cost of every migration
sahm: error: @T@/c.cfg:3: 'migration.warmup_ms' is -0.5, must be from 0 to 1000000 ms
[1]
$ sahm run configs/canonical.cfg --set workload.samples=0; sahm run configs/canonical.cfg --set workload.seed=-1; sahm run configs/canonical.cfg --set workload.seed=5000000000
sahm: error: --set workload.samples=0: 'workload.samples' is 0, must be from 1 to 10000
sahm: error: --set workload.seed=-1: 'workload.seed' is -1, must be from 0 to 9223372036854775807
sahm: error: --set workload.seed=5000000000: integer '5000000000' overflows: it does not fit 32 bits (write larger ones with an L: 3000000000L)
[2]
## A line of 100,000 characters.
$ head -c 100000 /dev/zero | tr '\0' x > "$T/long.cfg"; echo ' = 5;' >> "$T/long.cfg"; sahm run "$T/long.cfg"
sahm: error: @T@/long.cfg:1: unknown key 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'
[1]
$ sahm run configs/canonical.cfg --set "workload.traces=[\"$(printf 'dir/%.0s' $(seq 750))\"]" 2>&1 | grep -o "No such file or directory"
No such file or directory
## A trace is a string or a group; what does not fit a type is named where it was set.
$ sahm run configs/canonical.cfg --set 'workload.traces[0].offset_ms=5'; sahm run configs/canonical.cfg --set workload.traces.offset_ms=5; sahm run configs/canonical.cfg --set workload.offset=5
sahm: error: --set workload.traces[0].offset_ms=5: 'workload.traces[0]' is a string here; as a group it takes both: workload.traces[0]={file="..."; offset_ms=...}
sahm: error: --set workload.traces.offset_ms=5: 'workload.traces' is a list, whose first element is 'workload.traces[0]'
sahm: error: --set workload.offset=5: unknown key 'workload.offset'; did you mean 'workload.traces[].offset_ms'?
[2]
$ sahm run configs/canonical.cfg --set 'workload.traces[0]={file="workloads/suites/small/cc1.csv"; offset_ms=5}' | head -n 1
configuration  canonical.cfg (bab76c985dc88966)
$ sahm run configs/canonical.cfg --set 'chip.cores[0].speedup_pct=30'
sahm: error: --set chip.cores[0].speedup_pct=30: core type 'baseline' takes no speedup
[2]
