$ sahm --version | sed "s/model [0-9a-f]*/model .../"
sahm 0.1.0 (model ...)
$ sahm --help
usage: sahm [OPTION]... COMMAND [OPTION]... [OPERAND]...

Replays hardware-counter traces of programs on chips of specialised cores.

simulate a chip:
  run             simulate traces or a configuration on a chip
  compare         rank scheduling policies on your own or the shipped systems
  optimize        find the best chip for a workload within a budget
  reproduce       repeat the paper's figures and check its claims
  core time       compute the cycles that a core takes for a program, and what
                  it waits for

explore many chips:
  sweep           run every point of a space of configurations
  query           ask a results database about a sweep, without SQL
  report          make a web page with figures about a sweep

bring your own programs:
  characterize    show the states in which traces spend their time
  trace record    run a command, count what it does, and write a trace
  trace import    turn the output of perf stat, callgrind and other tools into a
                  trace

write your own policy or introspection program:
  policy new      start a scheduling policy in a new folder
  ipu new         start an introspection program in a new folder

options before a command:
  --allow-includes FOLDER
                  let configurations include files in FOLDER and below; can be
                  repeated. By default they include only files in their own
                  folder and below, and shipped ones
  -h, --help      print this; after a command: explain the command
  -V, --version   print the version

more help:
  sahm help -a          all commands
  sahm help quickstart  the first hour, as commands
  sahm help COMMAND     a command and its options
  sahm help TOPIC       config, cores, policies, policy-interface, states,
                        traces, import, synth, results, comparisons, sweeps,
                        glossary
  sahm help WORD        a configuration key (scheduler.inertia), metric (stp),
                        state, policy, core type or term
$ sahm
usage: sahm [OPTION]... COMMAND [OPTION]... [OPERAND]...

Replays hardware-counter traces of programs on chips of specialised cores.

simulate a chip:
  run             simulate traces or a configuration on a chip
  compare         rank scheduling policies on your own or the shipped systems
  optimize        find the best chip for a workload within a budget
  reproduce       repeat the paper's figures and check its claims
  core time       compute the cycles that a core takes for a program, and what
                  it waits for

explore many chips:
  sweep           run every point of a space of configurations
  query           ask a results database about a sweep, without SQL
  report          make a web page with figures about a sweep

bring your own programs:
  characterize    show the states in which traces spend their time
  trace record    run a command, count what it does, and write a trace
  trace import    turn the output of perf stat, callgrind and other tools into a
                  trace

write your own policy or introspection program:
  policy new      start a scheduling policy in a new folder
  ipu new         start an introspection program in a new folder

options before a command:
  --allow-includes FOLDER
                  let configurations include files in FOLDER and below; can be
                  repeated. By default they include only files in their own
                  folder and below, and shipped ones
  -h, --help      print this; after a command: explain the command
  -V, --version   print the version

more help:
  sahm help -a          all commands
  sahm help quickstart  the first hour, as commands
  sahm help COMMAND     a command and its options
  sahm help TOPIC       config, cores, policies, policy-interface, states,
                        traces, import, synth, results, comparisons, sweeps,
                        glossary
  sahm help WORD        a configuration key (scheduler.inertia), metric (stp),
                        state, policy, core type or term
sahm: error: a command is missing
[2]
$ sahm runn configs/canonical.cfg
sahm: error: unknown command 'runn'; did you mean 'run'? (sahm --help lists them)
[2]
$ sahm trace improt x.csv
sahm: error: unknown command 'trace improt'; did you mean 'trace import'? (sahm --help lists them)
[2]
$ sahm trace
sahm: error: 'trace' needs a second word: list, info, record, events, import, export, synth, resample, slice, concat, offset, bursts (sahm help trace)
[2]
$ sahm frobnicate
sahm: error: unknown command 'frobnicate' (sahm --help lists them)
[2]
## A command of two words is found by its second, a misspelt first word by what follows it, and a topic is no command.
$ sahm import x.csv; sahm list; sahm tarce list; sahm states; sahm help runn; sahm help frobnicate; sahm run --frobnicate
sahm: error: unknown command 'import'; did you mean 'trace import' or 'stream import'? (sahm --help lists them)
sahm: error: unknown command 'list'; did you mean 'trace list' or 'core list' or 'policy list'? (sahm --help lists them)
sahm: error: unknown command 'tarce'; did you mean 'trace list'? (sahm --help lists them)
sahm: error: 'states' is a topic, not a command: sahm help states
sahm: error: no help on 'runn'; did you mean 'run'?
sahm: error: no help on 'frobnicate' (sahm help -a lists the commands, sahm help glossary the terms)
sahm: error: unknown option '--frobnicate' (--help lists them)
[2]
$ sahm help run | tail -n 1; sahm help import | tail -n 1
see also: sahm help ipu run
see also: sahm help trace import, sahm help stream import
## A result never takes the place of what it is made from.
$ cp workloads/suites/small/cc1.csv "$T/t.csv"; sahm characterize "$T/t.csv" -o "$T/t.csv"; cmp workloads/suites/small/cc1.csv "$T/t.csv"
sahm: error: the result would overwrite '@T@/t.csv', which it is made from
$ cp configs/canonical.cfg configs/studies/open.cfg "$T"; cd "$T"; sahm compare open.cfg -o open.cfg; sahm ipu compare canonical.cfg -o canonical.cfg; sahm limit canonical.cfg -o canonical.cfg; rm canonical.cfg open.cfg t.csv
sahm: error: the result would overwrite 'open.cfg', which it is made from
sahm: error: the result would overwrite 'canonical.cfg', which it is made from
sahm: error: the result would overwrite 'canonical.cfg', which it is made from
$ sahm --jsn
sahm: error: unknown option '--jsn' (before a command: --allow-includes, --help, --version)
[2]
$ sahm run --jsn configs/canonical.cfg
sahm: error: unknown option '--jsn'; did you mean '--json'?
[2]
$ sahm run configs/canonical.cfg --json --csv
sahm: error: --json and --csv exclude each other
[2]
$ sahm run configs/canonical.cfg configs/realistic-39.cfg
sahm: error: 'canonical.cfg' is a configuration, which names its traces itself: name nothing else beside it
[2]
$ sahm run
sahm: error: nothing to run: sahm run CONFIG, or sahm run TRACE...
[2]
$ sahm run configs/canonical.cfg --set
sahm: error: option '--set' needs a value: --set KEY.PATH=VALUE
[2]
$ sahm run configs/canonical.cfg --json=yes
sahm: error: option '--json' takes no value
[2]
## Data goes to standard output, everything else to standard error; a failed write is a failure.
$ sahm run configs/canonical.cfg --json > /dev/full
sahm: error: cannot write standard output: No space left on device
[1]
$ sahm trace export workloads/suites/small/gzip.csv > /dev/full
sahm: error: cannot write standard output: No space left on device
[1]
$ sahm run configs/canonical.cfg --json -o "$T/no/such/folder/x.json"
sahm: error: cannot create '@T@/no/such/folder/x.json': No such file or directory
[1]
$ sahm run configs/canonical.cfg --csv -o - | head -n 1
scope,name,speedup,served_share,matched_share,migrations,executed_timesteps,transition_timesteps,completed_ns,simulated_ns,present_ns,paid_ns,mismatched_ns,arrived_ns,left_ns,share,decisions,speedup_harmonic,speedup_geometric,stp,antt,jain,jain_weighted,slowdown_max,unfairness,mean,low,high,tenant
$ ln -s nowhere "$T/link"; sahm run configs/canonical.cfg -o "$T/link"; rm "$T/link"
sahm: error: cannot create '@T@/link', a link: No such file or directory
$ sahm run configs/canonical.cfg --json -o "$T/x.json" && head -n 2 "$T/x.json"; ls "$T"
{
  "schema": "sahm-run/1",
x.json
$ sahm run --allow-includes . configs/canonical.cfg
sahm: error: option '--allow-includes' stands before the command: sahm --allow-includes FOLDER run
[2]
## Nothing that a run reads is written over; a store is a file.
$ cp workloads/suites/small/gzip.csv "$T/g.csv"; printf 'chip={cores=({type="baseline";count=1;});};\nworkload={traces=["g.csv"];};\n' >"$T/k.cfg"; sahm run "$T/k.cfg" --force -o "$T/g.csv"; sahm run "$T/k.cfg" --force --timeline "$T/g.csv" --timeline-form ftrace; cmp workloads/suites/small/gzip.csv "$T/g.csv" && echo the same
sahm: error: '@T@/g.csv' would be overwritten, which is a trace of this run
sahm: error: '@T@/g.csv' would be overwritten, which is a trace of this run
the same
$ sahm sweep "$T/k.cfg" -a scheduler.inertia=1,2 -o -
sahm: error: a results database is a file, not standard output; a file called so is './-'
[2]
$ sahm run --det "$T/k.cfg"
sahm: error: unknown option '--det'; did you mean '--details'?
[2]
$ sahm trac info x.trc
sahm: error: unknown command 'trac'; did you mean 'trace info'? (sahm --help lists them)
[2]
## Nearly the version, nearly a command in two words
$ sahm --verison; sahm --versio; sahm verison; sahm version; sahm traces list; sahm traces frobnicate
sahm: error: unknown option '--verison' (before a command: --allow-includes, --help, --version); did you mean '--version'?
sahm: error: unknown option '--versio' (before a command: --allow-includes, --help, --version); did you mean '--version'?
sahm: error: unknown command 'verison'; did you mean '--version'? (sahm --help lists them)
sahm: error: unknown command 'version'; did you mean '--version'? (sahm --help lists them)
sahm: error: unknown command 'traces'; did you mean 'trace list'? (sahm --help lists them)
sahm: error: 'traces' is a topic, not a command: sahm help traces
[2]
$ sahm --version extra
sahm: error: --version takes no operand: 'extra' is too many
[2]
$ sahm -V run
sahm: error: -V takes no operand: 'run' is too many
[2]
## What is written has a name.
$ sahm run configs/canonical.cfg -o ''; sahm trace export workloads/suites/small/gzip.csv -o ''; sahm sweep configs/canonical.cfg -o ''; sahm reproduce --output=
sahm: error: option '--output' needs a name: --output FILE
sahm: error: option '--output' needs a name: --output FILE
sahm: error: option '--output' needs a name: --output FILE
sahm: error: option '--output' needs a name: --output DIR
[2]
$ sahm query "$T/none.sqlite" --output=
sahm: error: option '--output' needs a name: --output FILE
[2]
