## The threads of a recording, and the bursts of one. All recordings here are made up (tests/data/sched/README.md).
$ sahm trace bursts tests/data/sched/synthetic-perf.txt
perf script: 0.040 s, 18 switches, 8 wake-ups, 3 threads
       tid  comm        on CPU (ms)      bursts   preempted   asleep (ms)
       201  cc1              36.497           0           6         0.000
       102  render            4.200           2           0        11.000
       101  my editor         2.201           4           1        26.050
$ sahm trace bursts tests/data/sched/synthetic-perf.txt --comm 'my editor' -p source=synthetic -p program='an editor'
# sahm bursts 1
# name: my editor
# source: synthetic
# program: an editor
# tool: perf script: sched_switch and wake-ups; thread 101, 0.040 s
# note: 1 burst not whole in the recording left out; 1 sleep without a wake-up, until switched in
run_ns,sleep_ns
1000000,16000000
1000000,50000
200000,6000000
1000,4000000
## The forms of other tools say the same, and so does a pipe; a compressed list is the same list.
$ for f in perf ftrace trace-cmd trace-cmd-raw; do sahm trace bursts tests/data/sched/synthetic-$f.txt --tid 101 -p source=synthetic | grep -v '^# tool' | cksum; done | uniq -c | sed 's/^ *//'
4 4190824844 227
$ sahm trace bursts tests/data/sched/synthetic-ftrace.txt -t 102 -p source=synthetic -o "$T/b.csv.zst"; sahm trace bursts - --pid 100 --comm render -p source=synthetic < tests/data/sched/synthetic-ftrace.txt > "$T/b.csv"; for f in b.csv b.csv.zst; do printf '%s\n' 'chip : { cores = ( { type = "baseline"; } ); };' 'workload : { traces = ( { file = "gzip.csv"; bursts = { file = "'$f'"; }; } ); };' > "$T/b.cfg"; sahm run "$T/b.cfg" --json | grep config_hash; done | uniq -c | wc -l; cat "$T/b.csv"
@T@/b.csv.zst: 2 bursts, synthetic; 1 burst not whole in the recording left out
1
# sahm bursts 1
# name: render
# source: synthetic
# tool: ftrace: sched_switch and wake-ups; thread 102, 0.040 s
# note: 1 burst not whole in the recording left out
run_ns,sleep_ns
3000000,10000000
1000000,1000000
## What is odd is said, with its place.
$ printf '%s\n' 'a 7 [000] 1.0: sched_switch: b:8 [120] R ==> a:7 [120]' 'a 7 [000] 2.5: sched_switch: a:7 [120] S ==> b:8 [120]' 'CPU:0 [LOST 12 EVENTS]' 'a 7 [000] 3.0: sched_switch: b:8 [120] R ==> a:7 [120]' 'a 7 [000] 4.0: sched_switch: a:7 [120] S ==> b:8 [120]' 'a 7 [000] 4.5: sched_switch: b:8 [120] R ==> a:7 [120]' 'a 7 [000] 5.0: sched_switch: a:7 [120] S ==> b:8 [120]' 'a 7 [000] 5.3: sched_switch: b:8 [120] R ==> a:7 [120]' > "$T/odd.txt"; cd "$T"; sahm trace bursts odd.txt --tid 7
sahm: warning: odd.txt:3: events were lost in 1 place; bursts under way there are dropped
sahm: warning: odd.txt: no wake-ups in it: sleeps last until a thread is switched in, and so hold what it waited (record sched_wakeup or sched_waking, too)
sahm: warning: it is not said whether the recording is of a real machine or synthetic (-p source=recorded)
# sahm bursts 1
# name: a
# tool: ftrace: sched_switch; thread 7, 4.300 s
# note: 3 bursts not whole in the recording left out; 2 sleeps without a wake-up, until switched in
run_ns,sleep_ns
500000000,300000000
## Refusals.
$ sahm trace bursts
sahm: error: a recording is missing: sahm trace bursts FILE
[2]
$ sahm trace bursts tests/data/sched/synthetic-perf.txt -o "$T/x.csv"
sahm: error: which thread is missing: --comm, --tid or --pid
[2]
$ sahm trace bursts tests/data/sched/synthetic-perf.txt --comm rander
sahm: error: there is no thread called 'rander'; did you mean 'render'?
[1]
$ sahm trace bursts tests/data/sched/synthetic-perf.txt --pid 100
sahm: error: there are 2 threads of process 100: tid 101, 102
[1]
$ sahm trace bursts tests/data/sched/synthetic-perf.txt --tid 201
sahm: error: thread 201 ('cc1') has no whole burst in the recording: it was not seen to wake, sleep and wake again
[1]
$ sahm trace bursts tests/data/sched/synthetic-perf.txt --tid zero
sahm: error: --tid is 'zero', must be a whole number from 1 to 2147483647
[2]
$ sahm trace bursts workloads/suites/small/gzip.csv
sahm: error: workloads/suites/small/gzip.csv: no sched_switch in it: neither perf sched script, perf script, trace-cmd report nor a trace file of the kernel
[1]
$ printf '%s\n' 'a 7 [000] 1.0: sched_switch: b:8 [120] R ==> a:7 [120]' 'a 7 [000] 0.5: sched_switch: a:7 [120] S ==> b:8 [120]' | sahm trace bursts -
sahm: error: <stdin>:2: time goes back from 1.000000000 s to 0.500000000 s: is it several recordings, or one that is not in order?
[1]
$ printf '%s\n' 'a 7 [000] 1.0: sched_switch: b:8 [120]' | sahm trace bursts -
sahm: error: <stdin>:1: not readable: 'sched_switch: b:8 [120]'
[1]
## A configuration names the list; the recording itself is none.
$ sahm trace bursts tests/data/sched/synthetic-ftrace.txt -t 101 -p source=synthetic -o "$T/ed.csv"; printf '%s\n' 'chip : { cores = ( { type = "baseline"; count = 2; } ); };' 'workload : { traces = ( { file = "gzip.csv"; offset_ms = [0, 1000]; bursts = { file = "ed.csv"; }; nice = 5; } ); };' > "$T/b.cfg"; sahm run "$T/b.cfg" --print-config | sed -n '/traces/,/);/p'; sahm run "$T/b.cfg" --print-config > "$T/r.cfg"; sahm run "$T/r.cfg" --print-config | cmp - "$T/r.cfg"
@T@/ed.csv: 4 bursts, synthetic; 1 burst not whole in the recording left out; 1 sleep without a wake-up, until switched in
	traces = (
		{
			file = "@ROOT@/workloads/suites/small/gzip.csv";
			offset_ms = [0.0, 1000.0];
			arrive_ms = [0.0, 0.0];
			repeat = true;
			weight = 33;
			bursts = {
				file = "@T@/ed.csv";
				first = [0, 2];
			};
		}
	);
$ sed 's/ed.csv/'"$(printf %s "$PWD/tests/data/sched/synthetic-perf.txt" | sed 's/[\/&]/\\&/g')"'/' "$T/b.cfg" > "$T/c.cfg"; sahm run "$T/c.cfg"
sahm: error: @ROOT@/tests/data/sched/synthetic-perf.txt:1: not a list of bursts: the first line is not '# sahm bursts 1' (`sahm trace bursts` makes lists of recordings)
[1]
