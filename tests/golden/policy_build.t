## A scheduler that was written for the kernel, unmodified
$ sahm policy build sched/examples/simple.bpf.c -o "$T/simple.so"
@T@/simple.so: policy 'simple'; try `sahm run --policy '@T@/simple.so' CONFIG`
$ sahm run --policy "$T/simple.so" configs/desktop-8.cfg --set workload.duration_ms=100 | grep '^scheduler'
scheduler      simple (plug-in), inertia 5, timestep 10 ms, observes the last timestep; 0.0042 ms per migration, warm-up 0.5 ms
$ sahm policy check tests/scx/groups.bpf.c
file            tests/scx/groups.bpf.c
operations      cgroup_init, init_task, cgroup_set_weight, cgroup_move, runnable, enqueue,
                dispatch, running, stopping, quiescent, exit_task, cgroup_exit
missing         0
## The same source makes the same bytes, wherever it is
$ mkdir "$T/other" && cp sched/examples/simple.bpf.c "$T/other" && sahm policy build "$T/other/simple.bpf.c" 2>/dev/null; cmp "$T/simple.so" "$T/other/simple.so" && ! grep -q "$T" "$T/simple.so"
## All that is missing, at once
$ sahm policy build tests/scx/missing/newer.bpf.c -o "$T/newer.so"
tests/scx/missing/newer.bpf.c:2: includes 'lib/made_up.h', which the simulator does not have
tests/scx/missing/newer.bpf.c:14: uses 'wake_cpu' of 'struct task_struct', which the simulator does not have
tests/scx/missing/newer.bpf.c:19: calls 'scx_bpf_dsq_insrt()', which the simulator does not have; did you mean 'scx_bpf_dsq_insert'?
tests/scx/missing/newer.bpf.c:24: calls 'scx_bpf_sub_dispatch()', which the simulator does not have: one policy schedules all threads
tests/scx/missing/newer.bpf.c:25: uses 'SCX_ENQ_IMMED', which the simulator does not have: a local queue takes a thread whether its core is busy or not
tests/scx/missing/newer.bpf.c:32: gives 'set_cmask()', which the simulator does not have: cores have one number: use set_cpumask()
tests/scx/missing/newer.bpf.c:8: has the map 'events' of type RINGBUF, which is not simulated
sahm: error: 'tests/scx/missing/newer.bpf.c' needs 7 things that the simulator does not have
[1]
$ ls "$T"/newer.so
ls: cannot access '@T@/newer.so': No such file or directory
[2]
$ sahm policy check tests/scx/missing/declared.bpf.c
file            tests/scx/missing/declared.bpf.c
operations      init
missing         2
tests/scx/missing/declared.bpf.c:11: uses 'CONFIG_MADE_UP', which the simulator does not have
tests/scx/missing/declared.bpf.c:11: calls 'scx_bpf_made_up()', which the simulator does not have
sahm: error: 'tests/scx/missing/declared.bpf.c' needs 2 things that the simulator does not have
[1]
$ sahm policy check --json tests/scx/missing/declared.bpf.c
{
  "file": "tests/scx/missing/declared.bpf.c",
  "usable": false,
  "operations": ["init"],
  "never_called": [],
  "missing": [
    {
      "kind": "name",
      "name": "CONFIG_MADE_UP",
      "file": "tests/scx/missing/declared.bpf.c",
      "line": 11
    },
    {
      "kind": "call",
      "name": "scx_bpf_made_up",
      "file": "tests/scx/missing/declared.bpf.c",
      "line": 11
    }
  ],
  "other_errors": 0
}
sahm: error: 'tests/scx/missing/declared.bpf.c' needs 2 things that the simulator does not have
[1]
## Macros and folders
$ printf '#include <scx/common.bpf.h>\n#include "part.h"\nSCX_OPS_DEFINE(o, .name = NAME);\n' >"$T/a.bpf.c"; mkdir "$T/parts"; echo '#define NAME PART' >"$T/parts/part.h"
$ sahm policy build "$T/a.bpf.c"
@T@/a.bpf.c:2: includes 'part.h', which the simulator does not have
@T@/a.bpf.c:3: uses 'NAME', which the simulator does not have
sahm: error: '@T@/a.bpf.c' needs 2 things that the simulator does not have
[1]
$ sahm policy build "$T/a.bpf.c" -I "$T/parts" -D 'PART="parted"'
@T@/a.so: policy 'parted'; try `sahm run --policy '@T@/a.so' CONFIG`
$ sahm policy build "$T/a.bpf.c" -I "$T/parts" -D 'PART=+' 2>&1 | tail -n 1
sahm: error: '@T@/a.bpf.c' does not compile: 1 error
## No policy, no source, no compiler
$ echo 'int x;' >"$T/b.bpf.c"; sahm policy build "$T/b.bpf.c"
sahm: error: '@T@/b.bpf.c' defines no policy: SCX_OPS_DEFINE() is missing
[1]
$ sahm policy build "$T/none.bpf.c"
sahm: error: cannot open '@T@/none.bpf.c': No such file or directory
[1]
$ sahm policy build sched/examples/vtime.c
sahm: error: 'sched/examples/vtime.c' is no scheduler for the kernel's BPF (.bpf.c); policies with sched/ext.h are built with cc (sahm policy new)
[2]
$ sahm policy build
sahm: error: a scheduler is missing: sahm policy build FILE.bpf.c
[2]
$ sahm policy build sched/examples/simple.bpf.c -o "$T/simple.so" --cc no-such-compiler
sahm: error: the C compiler 'no-such-compiler' is not installed (Debian: apt install clang)
[1]
$ sahm policy build sched/examples/simple.bpf.c -o sched/examples/simple.bpf.c
sahm: error: the result would overwrite 'sched/examples/simple.bpf.c', which it is made from
[2]
$ sahm policy check "$T/simple.so" --cc gcc
sahm: error: --cc, --define and --include are for a .bpf.c file, not for '@T@/simple.so'
[2]
$ ls "${TMPDIR:-/tmp}" | grep sahm-bpf
[1]
