## A newcomer's first day: thirty mistakes, and what to type instead.
## I have heard that it simulates. What is the command called?
$ sahm simulate gzip; sahm runn gzip; sahm run
sahm: error: unknown command 'simulate' (sahm --help lists them)
sahm: error: unknown command 'runn'; did you mean 'run'? (sahm --help lists them)
sahm: error: nothing to run: sahm run CONFIG, or sahm run TRACE...
[2]
## Programs. There is one called gzip, I think.
$ cd "$T"; sahm run gzp; sahm run gzip.trc; sahm characterize; sahm run perf.data
sahm: error: 'gzp' is neither a file nor the name of a shipped configuration, suite or trace; did you mean 'gzip'?
sahm: error: 'gzip.trc' is neither a file nor the name of a shipped configuration, suite or trace; did you mean 'gzip'?
sahm: error: a trace is missing: sahm characterize TRACE...
sahm: error: 'perf.data' is neither a file nor the name of a shipped configuration, suite or trace; did you mean 'perl'?
[2]
## On a chip of my own: two plain cores, and one that is good with its L2.
$ sahm run gzip --chip '2 baseline'; sahm run gzip --chip l2; sahm run gzip --chip l2=30; sahm run gzip --chip branche:30
sahm: error: '2 baseline': a number of cores stands in front of a star: 2*baseline
sahm: error: core type 'l2' needs a speedup in %, as in l2:30
sahm: error: 'l2=30': write a speedup after a colon: l2:30
sahm: error: unknown core type 'branche'; did you mean 'branch'?
[2]
## Under another scheduler, and then my own.
$ cd "$T"; echo 'int x;' >mine.c; sahm run gzip -policy fair; sahm run gzip --policy smah; sahm run gzip -p mine.c 2>&1 | sed "s/-I.* -o/-IFOLDER -o/"; sahm policy new sahm
sahm: error: unknown option '-policy'; did you mean '--policy'?
sahm: error: --set scheduler.policy="smah": unknown value 'smah' of 'scheduler.policy' (sahm, sahm-strict, sahm-listing, static, random, rotate, affinity, fair, assign, keen, pie, bias, equal-time, equal-progress, thread-director, eas); did you mean 'sahm'?
sahm: error: --set scheduler.policy="mine.c": 'mine.c' is source code, and a policy is a plug-in: `cc -std=gnu17 -shared -fPIC -fvisibility=hidden -O2 -IFOLDER -o mine.so mine.c` builds mine.so
sahm: error: 'sahm' is a built-in policy; choose another name
[2]
## With another inertia. Where is that written?
$ sahm run gzip --set inertia=5; sahm run gzip --set scheduler.inertia; sahm run gzip --set scheduler.timestep_ms=0; sahm run gzip --set migration.cost=1ms; sahm run gzip --set migration.cost_ms=1kg
sahm: error: --set inertia=5: unknown key 'inertia'; did you mean 'scheduler.inertia'?
sahm: error: --set scheduler.inertia: must be written as key.path=value
sahm: error: --set scheduler.timestep_ms=0: 'scheduler.timestep_ms' is 0, must be from 0.001 to 1000000 ms
sahm: error: --set migration.cost=1ms: unknown key 'migration.cost'; did you mean 'migration.cost_ms'?
sahm: error: --set migration.cost_ms=1kg: 'migration.cost_ms' is '1kg', must be in ns, us, ms or s
[2]
## Into a file. JSON, please.
$ cd "$T"; : >out.json; sahm run gzip --jason; sahm run gzip --json -o out.json; sahm run gzip open-39
sahm: error: unknown option '--jason'; did you mean '--json'?
sahm: error: 'out.json' exists already; --force replaces it, -o names another
sahm: error: 'open-39.cfg' is a configuration, which names its traces itself: name nothing else beside it
[2]
## Which policy is better?
$ sahm compare sahm fair; sahm compare -p sahm,fair; sahm compare -p sahm,sahm gzip
sahm: error: 'sahm' is a policy: -p sahm, and then a configuration or traces
sahm: error: name what to compare, as in `sahm compare -p sahm,fair open-39`; without a CONFIG, TRACE or COMPARISON, the shipped comparison runs, which takes only --claims, --dry-run, --stall-timeout and options of output
sahm: error: --policy names 'sahm' twice
[2]
## A sweep. Of what?
$ cd "$T"; sahm sweep gzip; sahm sweep canonical.cfg; sahm sweep "$OLDPWD/configs/canonical.cfg" --axis inertia=0,1; sahm query; sahm query out.json; sahm report none.sqlite
sahm: error: cannot open 'gzip': No such file or directory; `sahm run gzip --print-config >mine.cfg` writes a configuration of what has that name
sahm: error: cannot open 'canonical.cfg': No such file or directory; did you mean '@ROOT@/configs/canonical.cfg'?
sahm: error: --axis inertia=0,1: unknown key 'inertia'; did you mean 'scheduler.inertia'?
sahm: error: a results database is missing: sahm query RESULTS
sahm: error: 'out.json' is not a results database; `sahm sweep CONFIG -o FILE` makes one
sahm: error: cannot read results file 'none.sqlite': No such file or directory; `sahm sweep CONFIG -o FILE` makes one
[1]
## The best chip, and the figures of the study.
$ sahm optimize gzip --cores 4; sahm optimize configs/canonical.cfg; sahm reproduce figure-47; sahm reproduce --suite opne; sahm help runn
sahm: error: cannot open 'gzip': No such file or directory; `sahm run gzip --print-config >mine.cfg` writes a configuration of what has that name
sahm: error: a budget is missing: --cores N, --area MM2 or --power W
sahm: error: there is no '47' (`sahm reproduce --list` lists what there is); did you mean '4.7'?
sahm: error: no suite is called 'opne' (open, small, synthetic), and there is no such file or folder; did you mean 'open'?
sahm: error: no help on 'runn'; did you mean 'run'?
[2]
## A program of mine.
$ cd "$T"; sahm trace record --via qemu; sahm trace import out.json; sahm trace import my.csv; sahm trace import "$OLDPWD/workloads/suites/small/gzip.csv" --map l2=x
sahm: error: a command is missing: sahm trace record -- COMMAND
sahm: error: out.json: the file is empty
sahm: error: cannot open 'my.csv': No such file or directory
sahm: error: --map: unknown counter 'l2' (sahm help traces lists them)
[2]
## My program's trace, and one more mistake: the trace is not to blame.
$ cd "$T"; zstd -dcq "$OLDPWD/workloads/suites/open/xz.csv.zst" >mine.csv; for o in '-p fare' '-p ./none.so' '--set scheduler.inertai=3' '--set scheduler.inertia=abc' '--chip baselin'; do sahm run mine.csv $o; done; head -c 3000 mine.csv >cut.csv; sahm run cut.csv
sahm: error: --set scheduler.policy="fare": unknown value 'fare' of 'scheduler.policy' (sahm, sahm-strict, sahm-listing, static, random, rotate, affinity, fair, assign, keen, pie, bias, equal-time, equal-progress, thread-director, eas)
sahm: error: --set scheduler.policy="./none.so": cannot open policy './none.so': No such file or directory
sahm: error: --set scheduler.inertai=3: unknown key 'scheduler.inertai'; did you mean 'scheduler.inertia'?
sahm: error: --set scheduler.inertia=abc: 'scheduler.inertia' must be an integer
sahm: error: unknown core type 'baselin'; did you mean 'baseline'?
sahm: error: @T@/cut.csv:59: 7 fields, the header has 8
[1]
## Files of a wrong kind.
$ cd "$T"; printf '\177ELF' >prog; printf '#!/bin/sh\n' >script.sh; printf 'PERFILE2' >perf.data; printf '\211PNG' >page.png; : >nothing.csv; echo 'int main(void);' >mine.c; printf '{"schema": "sahm-run/1"}' >out.json; for f in prog script.sh perf.data page.png nothing.csv mine.c out.json; do sahm run $f; done; sahm characterize prog; sahm compare -p sahm script.sh; sahm sweep page.png; sahm trace info out.json
sahm: error: 'prog' is a program: `sahm trace record -- ./prog` makes a trace of it
sahm: error: 'script.sh' is a script: `sahm trace record -- ./script.sh` makes a trace of it
sahm: error: 'perf.data' is a recording of perf record, which has no counts per epoch: use perf stat -I, then sahm trace import; or sahm trace record
sahm: error: 'page.png' is a picture; a trace or a configuration is needed
sahm: error: the file 'nothing.csv' is empty
sahm: error: 'mine.c' is C source: compile it; a policy is named by -p, an introspection program by introspection.image
sahm: error: 'out.json' is JSON, which sahm writes for other programs and does not read
sahm: error: 'prog' is a program: `sahm trace record -- ./prog` makes a trace of it
sahm: error: 'script.sh' is a script: `sahm trace record -- ./script.sh` makes a trace of it
sahm: error: 'page.png' is a picture; a trace or a configuration is needed
sahm: error: 'out.json' is JSON, which sahm writes for other programs and does not read
[2]
## A unit without quotes, in a file.
$ cd "$T"; printf 'chip : { cores = ( { type = "l2"; } ); };\nworkload : { traces = [ "gzip" ]; };\nmigration : { cost_ms = 5ms; };\n' >unit.cfg; sahm run unit.cfg
sahm: error: unit.cfg:3: a number with a unit needs quotes: "5ms", at >>> in 'migration : { cost_ms = >>>5ms; };'
[1]
## Importing what is a trace already.
$ cd "$T"; sahm trace resample gzip --epoch-ms 200 -o slow.trc 2>/dev/null; sahm trace import slow.trc
slow.trc is a trace already: `sahm run`, `sahm characterize` and `sahm trace info` take it as it is
sahm: error: slow.trc:1: neither a CSV trace nor a binary one that is whole (sahm trace import takes only CSV)
[1]
