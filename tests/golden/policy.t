## sahm policy: lists, checks and begins scheduling policies
$ sahm policy list
policy           kind        what it does
------------------------------------------------------------------------------------------------------------------------------
sahm             run queues  the paper's scheduler: follow the observed state, swap with threads that gain nothing
sahm-strict      run queues  sahm, but swaps only with threads that do not match their own core
sahm-listing     run queues  sahm without swaps: moves to idle cores only
static           run queues  threads stay on the core where they start
random           run queues  threads move to random cores: shows the cost of pointless moves
rotate           run queues  threads rotate: each gets an equal share of every core
affinity         run queues  threads are pinned to the core that is best for their whole trace
fair             dispatches  like today's operating systems: fair shares and balanced loads, ignoring core specialisation
assign           run queues  in each timestep the assignment that is best for it, net of migration cost
keen             run queues  foresees what threads will do, and weighs what migrations gain against what all of them cost
pie              run queues  estimates each thread's speed on other kinds of cores, swaps the pair that gains most (ISCA 2012)
bias             run queues  balances loads by which kind of core helps against a thread's stalls (EuroSys 2010)
equal-time       run queues  every thread spends the same share of its time on each kind of core (PACT 2013)
equal-progress   run queues  the thread that is slowed down most gets the core that it needs (PACT 2013)
thread-director  run queues  capabilities of cores by hardware class of thread, late and with errors, like Intel's
eas              dispatches  threads that wake go where the chip's power stays lowest, like Linux's EAS
$ sahm policy list --json | head -n 4
{
  "policies": [
    {"name": "sahm", "kind": "run queues", "summary": "the paper's scheduler: follow the observed state, swap with threads that gain nothing"},
    {"name": "sahm-strict", "kind": "run queues", "summary": "sahm, but swaps only with threads that do not match their own core"},
$ sahm policy list all
sahm: error: 'all' is too many: sahm policy list
[2]
$ sahm policy
sahm: error: 'policy' needs a second word: list, new, build, check (sahm help policy)
[2]
$ sahm policy chek x.so
sahm: error: unknown command 'policy chek'; did you mean 'policy check'? (sahm --help lists them)
[2]
$ cp "$(dirname "$(command -v sahm)")"/tests/plugins/*.so "$T"; sahm policy check "$T/not_portable.so"
file            @T@/not_portable.so
policy          not-portable
summary         all that would not port
interface       2
kind            dispatches
operations      enqueue
calls           scx_bpf_dsq_insert, scx_bpf_error
not in kernel   sahm_observed_state
                (no counterpart in sched_ext: would not port)
not simulated   scx_bpf_reenqueue_local
                (a run that comes upon one ends)
C library       free, strdup
                (not there for a policy in the kernel)
variables       last, nr_calls
                (keep their values from run to run, so that results depend on what ran before; sahm_state() is for this)
$ sahm policy check --json "$T/not_portable.so" | grep -v writable_bytes
{
  "file": "@T@/not_portable.so",
  "usable": true,
  "policy": "not-portable",
  "summary": "all that would not port",
  "interface": 2,
  "kind": "dispatches",
  "operations": ["enqueue"],
  "calls": ["scx_bpf_dsq_insert", "scx_bpf_error"],
  "not_in_kernel": ["sahm_observed_state"],
  "not_simulated": ["scx_bpf_reenqueue_local"],
  "unknown": [],
  "library": ["free", "strdup"],
  "variables": ["last", "nr_calls"],
  "settable": [],
}
$ sahm policy check "$T/builtin_name.so"
file            @T@/builtin_name.so
sahm: error: @T@/builtin_name.so: policy 'static' is called like a built-in one
[1]
$ sahm policy check "$T/unsupported_op.so"
file            @T@/unsupported_op.so
sahm: error: @T@/unsupported_op.so: policy 'unsupported-op' gives sub_attach(), which is not simulated
[1]
$ sahm policy check "$T/unknown_call.so"
file            @T@/unknown_call.so
unknown         scx_bpf_dsq_inserts
                (is not there, here at least)
sahm: error: @T@/unknown_call.so: needs 'scx_bpf_dsq_inserts', which this sahm does not have; did you mean 'scx_bpf_dsq_insert'?
[1]
$ sahm policy check "$T/unknown_function.so"
file            @T@/unknown_function.so
unknown         nosuch_function
                (is not there, here at least)
sahm: error: @T@/unknown_function.so: needs 'nosuch_function', which this sahm does not have
[1]
$ sahm policy check --json "$T/unknown_function.so" 2>&1 | grep -e unknown\" -e library
  "unknown": ["nosuch_function"],
  "library": [],
$ sahm policy check "$T/no_symbol.so"
file            @T@/no_symbol.so
sahm: error: @T@/no_symbol.so: not a policy: it has no symbol 'sahm_plugin', which SCX_OPS_DEFINE() defines
[1]
$ sahm policy check sched/examples/vtime.c
sahm: error: 'sched/examples/vtime.c' is source code; build it and check the .so
[1]
$ sahm policy check README.md
sahm: error: README.md: not a shared object: it is no ELF file
[1]
$ sahm policy check "$T/nowhere.so"
sahm: error: cannot open '@T@/nowhere.so': No such file or directory
[1]
$ sahm policy check
sahm: error: a file is missing: sahm policy check FILE
[2]
$ sahm policy check a.so b.so
sahm: error: one plug-in at a time: 'b.so' is too many
[2]
## from the current folder, without a search path
$ cd "$T" && sahm policy check builtin_name.so
file            builtin_name.so
sahm: error: builtin_name.so: policy 'static' is called like a built-in one
[1]
$ cd "$T" && LD_LIBRARY_PATH="$T" && export LD_LIBRARY_PATH && cd / && sahm policy check builtin_name.so
sahm: error: cannot open 'builtin_name.so': No such file or directory
[1]
## each is refused, before anything runs
$ for p in wrong_abi no_symbol small_symbol no_policy unknown_call unsupported_op bad_name builtin_name both_kinds; do sahm run configs/canonical.cfg --policy "$T/$p.so"; done
sahm: error: @T@/wrong_abi.so: built for version 3 of the policy interface, this sahm has version 2: build it again with this sahm's headers
sahm: error: @T@/no_symbol.so: not a policy: it has no symbol 'sahm_plugin', which SCX_OPS_DEFINE() defines
sahm: error: @T@/small_symbol.so: its 'sahm_plugin' is no struct sahm_plugin
sahm: error: @T@/no_policy.so: 'sahm_plugin' has no policy
sahm: error: @T@/unknown_call.so: needs 'scx_bpf_dsq_inserts', which this sahm does not have; did you mean 'scx_bpf_dsq_insert'?
sahm: error: @T@/unsupported_op.so: policy 'unsupported-op' gives sub_attach(), which is not simulated
sahm: error: @T@/bad_name.so: bad name 'bad name' of a policy, must be letters, digits, - and _
sahm: error: @T@/builtin_name.so: policy 'static' is called like a built-in one
sahm: error: @T@/both_kinds.so: policy 'both-kinds' has SAHM_OPS_RUN_QUEUES and dispatch(): one or the other
[1]
$ sahm run configs/canonical.cfg --policy nowhere.so
sahm: error: --set scheduler.policy="nowhere.so": cannot open policy 'nowhere.so': No such file or directory
[1]
$ sahm run configs/canonical.cfg --policy static --print-config | grep policy
	policy = "static";
$ sahm run configs/canonical.cfg --set scheduler.policy=sahm-strict --policy static --set scheduler.policy=sahm --print-config | grep policy
	policy = "sahm";
$ sahm run configs/canonical.cfg --policy statik
sahm: error: --set scheduler.policy="statik": unknown value 'statik' of 'scheduler.policy' (sahm, sahm-strict, sahm-listing, static, random, rotate, affinity, fair, assign, keen, pie, bias, equal-time, equal-progress, thread-director, eas); did you mean 'static'?
[2]
$ sahm run configs/canonical.cfg --policy static --policy sahm
sahm: error: --policy is given twice
[2]
$ sahm run configs/canonical.cfg --policy 'a"b\c'
sahm: error: --set scheduler.policy="a\"b\\c": unknown value 'a"b\c' of 'scheduler.policy' (sahm, sahm-strict, sahm-listing, static, random, rotate, affinity, fair, assign, keen, pie, bias, equal-time, equal-progress, thread-director, eas)
[2]
$ sahm run configs/canonical.cfg --policy ''
sahm: error: --set scheduler.policy="": unknown value '' of 'scheduler.policy' (sahm, sahm-strict, sahm-listing, static, random, rotate, affinity, fair, assign, keen, pie, bias, equal-time, equal-progress, thread-director, eas)
[2]
## by path: the path is written, the contents are hashed
$ cd "$T" && sahm run "$OLDPWD/configs/canonical.cfg" --policy loses_a_thread.so --print-config | grep policy
	policy = "@T@/loses_a_thread.so";
$ cd "$T" && sahm run "$OLDPWD/configs/canonical.cfg" --set scheduler.policy=loses_a_thread.so --print-config | grep policy
	policy = "@T@/loses_a_thread.so";
$ cp configs/canonical.cfg "$T/mine.cfg" && sed -i 's/policy = "sahm"/policy = ".\/loses_a_thread.so"/' "$T/mine.cfg" && SAHM_DATA=. sahm run "$T/mine.cfg" --print-config | grep policy
	policy = "@T@/loses_a_thread.so";
$ sed -i 's/loses_a_thread/wrong_abi/' "$T/mine.cfg" && SAHM_DATA=. sahm run "$T/mine.cfg" --print-config
sahm: error: @T@/mine.cfg:35: @T@/wrong_abi.so: built for version 3 of the policy interface, this sahm has version 2: build it again with this sahm's headers
[1]
## a new policy
$ cd "$T" && SAHM_DATA="$OLDPWD" sahm policy new my-first && ls my-first && grep -c '@[A-Z]*@' my-first/*; head -n 1 my-first/my-first.c; grep SAHM_INCLUDE my-first/Makefile; grep my_first my-first/my-first.c | head -n 2
my-first: a policy to begin with; try `make -C my-first run`
Makefile
my-first.c
my-first/Makefile:0
my-first/my-first.c:0
/* my-first: one queue for all cores; who has waited longest runs first.
SAHM_INCLUDE ?= @ROOT@
CONFIG ?= $(SAHM_INCLUDE)/configs/realistic-39.cfg
	$(CC) -std=gnu17 -fPIC -fvisibility=hidden -shared $(CFLAGS) $(call quoted,-I$(SAHM_INCLUDE)) -o $@ $<
s32 BPF_STRUCT_OPS_SLEEPABLE(my_first_init)
s32 BPF_STRUCT_OPS(my_first_select_cpu, struct task_struct *p, s32 prev_cpu, u64 wake_flags)
$ cd "$T" && SAHM_DATA="$OLDPWD" sahm policy new my-first
sahm: error: 'my-first' is there already; choose another name
[2]
$ cd "$T" && SAHM_DATA="$OLDPWD" sahm policy new other -o "elsewhere" && ls elsewhere
other: a policy to begin with; try `make -C elsewhere run`
Makefile
other.c
$ cd "$T" && SAHM_DATA="$OLDPWD" sahm policy new other -o "no/where"
sahm: error: cannot create 'no/where': No such file or directory
[1]
$ sahm policy new static
sahm: error: 'static' is a built-in policy; choose another name
[2]
$ sahm policy new
sahm: error: a name is missing: sahm policy new NAME
[2]
$ sahm policy new a b
sahm: error: one policy at a time: 'b' is too many
[2]
$ sahm policy new 'a b'
sahm: error: bad name 'a b', must be up to 63 letters, digits, - and _, a letter first
[2]
$ cd "$T" && SAHM_DATA="$T/nowhere" sahm policy new second; ls -d second
sahm: error: cannot open '@T@/nowhere/sched/new/policy.c.in': No such file or directory; shipped files are looked for in '@T@/nowhere' (SAHM_DATA), which is not a folder
ls: cannot access 'second': No such file or directory
[2]
$ sahm help policy-interface | head -n 30
A policy is a table of operations in C, with `sched/ext.h` as its one header;
built as a shared object it is a plug-in. `sahm policy new` begins one, `sahm
policy check` looks at one, `sahm policy build` makes one of a scheduler for the
kernel; policies.md, installed with the documentation, is a tutorial.

operations of a policy, as in the kernel's sched_ext, roughly in the order of their calls:
  init                once, before everything else: makes queues; below 0 ends
                      the run
  cgroup_init         after init, once for the root of all cgroups, then for
                      each tenant; below 0 ends the run
  init_task           once per thread before it is first runnable; below 0 ends
                      the run
  enable              once per thread, after init_task
  set_weight          a thread's weight, 1 to 10000: after enable, and when it
                      changes
  set_cpumask         the cores on which a thread may run: after enable, and
                      when they change
  cgroup_set_weight   the weight of a tenant changes
  cgroup_prep_move    a thread is about to change its tenant; below 0 keeps it
                      where it is
  cgroup_move         it does; it is in no queue meanwhile
  select_cpu          a thread wakes or arrives: which core to wake for it; may
                      insert it, enqueue is skipped then
  runnable            a thread has become runnable
  enqueue             a thread is ready and in no queue: insert it somewhere, or
                      keep it and insert it later
  dequeue             a thread that the policy has is taken back: its weight or
                      its cores change, or it is moved
  dispatch            a core has nothing in its local queue: bring something;
                      prev is not NULL when its slice is used up
$ sahm help policy check
usage: sahm policy check [OPTION]... FILE

FILE.bpf.c, a scheduler that was written for the kernel, is compiled, and what
it needs and the simulator does not have is listed by file and line: calls,
members, constants, headers, types of maps. The exit code is 0 if nothing is
missing and 1 otherwise. `sahm policy build` makes a plug-in of it.

Otherwise loads the shared object FILE in a separate process, which runs its
initialisers, and lists the operations that the policy has and the calls that it
makes: those of the kernel's sched_ext; those that the kernel does not have;
those that are not simulated, which end a run; unknown ones; functions of the C
library, which a policy in the kernel cannot call (compilers add calls of memcpy
and memset); and variables, which would make one run depend on another.

The exit code is 0 if the policy can be used and 1 if it is refused.

options:
      --json                  print one JSON object
      --cc CC                 the C compiler for a .bpf.c file (CC of the
                              environment; else clang, gcc or cc)
  -D, --define NAME[=VALUE]   define a macro for a .bpf.c file; can be repeated
  -I, --include DIR           look for headers of a .bpf.c file in this folder,
                              too; can be repeated
  -h, --help                  print this
