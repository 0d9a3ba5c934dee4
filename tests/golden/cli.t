$ sahm --version | sed "s/model [0-9a-f]*/model .../"
sahm 0.1.0 (model ...)
$ sahm --help
usage: sahm [OPTION]... COMMAND [OPTION]... [OPERAND]...

Replays hardware-counter traces of programs on chips of specialised cores.

simulate and judge:
  run             simulate the threads of a configuration, or traces, on a chip
  compare         rank policies on systems of your own, or run a study of
                  policies
  limit           show what chips could do at most for single threads, from
                  occupancies alone
  optimize        find the best chip for a workload under a budget of cores,
                  area or power
  reproduce       repeat the study's figures, and hold them against what it
                  claims

sweeps:
  sweep           run every point of a space of configurations, into a store
  query           ask a store of sweeps, without writing SQL
  report          make a page with figures about a sweep
  export          write what a sweep has found as CSV or JSON Lines
  merge           put what several stores have found into one
  rerun           do a sweep again from its manifest, and compare every byte

sweeps on many machines:
  worker          carry out runs of sweeps that others have put into a queue
  collect         take results of a sweep that workers do from a queue into its
                  store
  queue status    show what a queue of runs holds, who works for it, and how
                  fast
  queue drain     let workers finish what they have, and take nothing more
  queue retry     put runs back that were given up, with all their tries
  queue purge     remove from a queue what nobody wants any more

traces:
  characterize    show in which states traces spend their time, and how often
                  they change
  trace list      list the traces that came with sahm, or those of any suite
  trace info      show what traces are and where they come from, and verify
                  their checksums
  trace record    run a command, count what it does, and write it as a trace
  trace events    show which hardware events stand for which counter on this
                  machine
  trace import    turn the output of perf stat, callgrind and other tools into a
                  binary trace
  trace export    write a trace as CSV, with all that is known of its origin
  trace synth     make synthetic traces from a profile, or verify those of the
                  study's
  trace resample  give a trace epochs of another length, in time or in
                  instructions
  trace slice     take a stretch of a trace
  trace concat    put traces one behind the other
  trace offset    let a trace begin at a later epoch
  trace bursts    take run and sleep times from a scheduler's recording
  stream info     show what instruction streams hold, and verify their checksums
  stream head     show the first instructions of a stream, or of one of its
                  epochs

scheduling policies:
  policy list     list the built-in scheduling policies
  policy new      begin a scheduling policy in a new folder
  policy check    check a plug-in: whether it can be used, and what of it would
                  not port to the kernel

introspection programs:
  ipu new         begin an introspection program in a new folder
  ipu run         run an introspection program on recorded signals
  ipu signals     show or convert recorded signals for `ipu run`
  ipu study       repeat a study of the dissertation on synthetic signals with
                  known answers
  ipu compare     show what introspection programs make of a study
  ipu exec        run a RISC-V program on the IPU's processor
  ipu disasm      disassemble a program for the IPU

signed introspection programs:
  ipu keygen      make a pair of keys to sign programs for the IPU with
  ipu sign        sign a program for the IPU
  ipu verify      judge whether a program for the IPU may be loaded

a device with IPUs, call by call:
  ipu attach      begin a session with a device of one or more IPUs
  ipu config-image
                  IPU_CONFIG_IMAGE: send an introspection program to an IPU
  ipu config-start
                  IPU_CONFIG_START: say at which address processing begins
  ipu config-stop
                  IPU_CONFIG_STOP: say at which address processing ends
  ipu pause       IPU_PAUSE: hold an IPU
  ipu resume      IPU_RESUME: release an IPU that was held
  ipu finalize    IPU_FINALIZE: let an IPU clean up
  ipu feed        let time pass for an IPU while recorded signals of its HIT
                  arrive
  ipu wait        let time pass for an IPU without signals
  ipu drain       print and remove the packets that an IPU has sent
  ipu status      show the IPUs of a session: addresses, triggers, counts,
                  status

sahm itself:
  doctor          show what is installed, what is missing, and what works
                  without it
  completion      print a script with which a shell completes command lines of
                  sahm
  help            explain a command, or a topic: config, cores, policies,
                  policy-interface, states, traces, import, synth, results,
                  studies, sweeps

options before a command:
  --allow-includes FOLDER
                  let configurations include files of FOLDER and below; else
                  only those beside and below the one that is named, and those
                  that came with the program (any number of times)
  -h, --help      print this, or a command's page behind its name
  -V, --version   print the version

`sahm help quickstart` shows the first hour as commands.
`sahm help COMMAND` explains a command; `sahm help config`, `cores`, `policies`
and `states` list what a configuration can say; `sahm help traces` and `results`
explain what goes in and what comes out.
$ sahm
usage: sahm [OPTION]... COMMAND [OPTION]... [OPERAND]...

Replays hardware-counter traces of programs on chips of specialised cores.

simulate and judge:
  run             simulate the threads of a configuration, or traces, on a chip
  compare         rank policies on systems of your own, or run a study of
                  policies
  limit           show what chips could do at most for single threads, from
                  occupancies alone
  optimize        find the best chip for a workload under a budget of cores,
                  area or power
  reproduce       repeat the study's figures, and hold them against what it
                  claims

sweeps:
  sweep           run every point of a space of configurations, into a store
  query           ask a store of sweeps, without writing SQL
  report          make a page with figures about a sweep
  export          write what a sweep has found as CSV or JSON Lines
  merge           put what several stores have found into one
  rerun           do a sweep again from its manifest, and compare every byte

sweeps on many machines:
  worker          carry out runs of sweeps that others have put into a queue
  collect         take results of a sweep that workers do from a queue into its
                  store
  queue status    show what a queue of runs holds, who works for it, and how
                  fast
  queue drain     let workers finish what they have, and take nothing more
  queue retry     put runs back that were given up, with all their tries
  queue purge     remove from a queue what nobody wants any more

traces:
  characterize    show in which states traces spend their time, and how often
                  they change
  trace list      list the traces that came with sahm, or those of any suite
  trace info      show what traces are and where they come from, and verify
                  their checksums
  trace record    run a command, count what it does, and write it as a trace
  trace events    show which hardware events stand for which counter on this
                  machine
  trace import    turn the output of perf stat, callgrind and other tools into a
                  binary trace
  trace export    write a trace as CSV, with all that is known of its origin
  trace synth     make synthetic traces from a profile, or verify those of the
                  study's
  trace resample  give a trace epochs of another length, in time or in
                  instructions
  trace slice     take a stretch of a trace
  trace concat    put traces one behind the other
  trace offset    let a trace begin at a later epoch
  trace bursts    take run and sleep times from a scheduler's recording
  stream info     show what instruction streams hold, and verify their checksums
  stream head     show the first instructions of a stream, or of one of its
                  epochs

scheduling policies:
  policy list     list the built-in scheduling policies
  policy new      begin a scheduling policy in a new folder
  policy check    check a plug-in: whether it can be used, and what of it would
                  not port to the kernel

introspection programs:
  ipu new         begin an introspection program in a new folder
  ipu run         run an introspection program on recorded signals
  ipu signals     show or convert recorded signals for `ipu run`
  ipu study       repeat a study of the dissertation on synthetic signals with
                  known answers
  ipu compare     show what introspection programs make of a study
  ipu exec        run a RISC-V program on the IPU's processor
  ipu disasm      disassemble a program for the IPU

signed introspection programs:
  ipu keygen      make a pair of keys to sign programs for the IPU with
  ipu sign        sign a program for the IPU
  ipu verify      judge whether a program for the IPU may be loaded

a device with IPUs, call by call:
  ipu attach      begin a session with a device of one or more IPUs
  ipu config-image
                  IPU_CONFIG_IMAGE: send an introspection program to an IPU
  ipu config-start
                  IPU_CONFIG_START: say at which address processing begins
  ipu config-stop
                  IPU_CONFIG_STOP: say at which address processing ends
  ipu pause       IPU_PAUSE: hold an IPU
  ipu resume      IPU_RESUME: release an IPU that was held
  ipu finalize    IPU_FINALIZE: let an IPU clean up
  ipu feed        let time pass for an IPU while recorded signals of its HIT
                  arrive
  ipu wait        let time pass for an IPU without signals
  ipu drain       print and remove the packets that an IPU has sent
  ipu status      show the IPUs of a session: addresses, triggers, counts,
                  status

sahm itself:
  doctor          show what is installed, what is missing, and what works
                  without it
  completion      print a script with which a shell completes command lines of
                  sahm
  help            explain a command, or a topic: config, cores, policies,
                  policy-interface, states, traces, import, synth, results,
                  studies, sweeps

options before a command:
  --allow-includes FOLDER
                  let configurations include files of FOLDER and below; else
                  only those beside and below the one that is named, and those
                  that came with the program (any number of times)
  -h, --help      print this, or a command's page behind its name
  -V, --version   print the version

`sahm help quickstart` shows the first hour as commands.
`sahm help COMMAND` explains a command; `sahm help config`, `cores`, `policies`
and `states` list what a configuration can say; `sahm help traces` and `results`
explain what goes in and what comes out.
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
sahm: error: unknown command 'import'; did you mean 'trace import'? (sahm --help lists them)
sahm: error: unknown command 'list'; did you mean 'trace list' or 'policy list'? (sahm --help lists them)
sahm: error: unknown command 'tarce'; did you mean 'trace list'? (sahm --help lists them)
sahm: error: 'states' is a topic, not a command: sahm help states
sahm: error: no help on 'runn'; did you mean 'run'?
sahm: error: no help on 'frobnicate' (sahm help lists commands and topics)
sahm: error: unknown option '--frobnicate' (--help lists them)
[2]
$ sahm help run | tail -n 1; sahm help import | tail -n 1
see also: sahm help ipu run
see also: sahm help trace import
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
sahm: error: 'canonical.cfg' is a configuration, which names its traces itself: give it alone
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
scope,name,speedup,served_share,matched_share,migrations,executed_timesteps,transition_timesteps,completed_ns,simulated_ns,present_ns,paid_ns,mismatched_ns,arrived_ns,left_ns,share,decisions,speedup_harmonic,speedup_geometric,stp,antt,jain,mean,low,high,tenant
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
sahm: error: a store is a file, not standard output; a file called so is './-'
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
sahm: error: --version stands by itself: 'extra' is too many
[2]
$ sahm -V run
sahm: error: -V stands by itself: 'run' is too many
[2]
## What is written has a name.
$ sahm run configs/canonical.cfg -o ''; sahm trace export workloads/suites/small/gzip.csv -o ''; sahm sweep configs/canonical.cfg -o ''; sahm reproduce --output=
sahm: error: option '--output' needs a name: --output FILE
sahm: error: option '--output' needs a name: --output FILE
sahm: error: option '--store' needs a name: --store FILE
sahm: error: option '--output' needs a name: --output DIR
[2]
$ sahm query "$T/none.sqlite" --output=
sahm: error: option '--output' needs a name: --output FILE
[2]
