## What happened, as ftrace's text: two threads, one of which moves twice; and as Chrome's trace events.
$ printf '%s\n' 'chip : { cores = ({ type = "baseline"; }, { type = "l1d"; speedup_pct = 30.0; }); };' 'workload : { traces = ({ file = "gzip.csv"; }, { file = "gzip.csv"; offset_ms = 10400; arrive_ms = 200; repeat = false; }); duration_ms = 4000; };' 'scheduler : { policy = "sahm"; inertia = 0; };' 'migration : { cost_ms = 0.5; };' >"$T/two.cfg"; sahm run "$T/two.cfg" --timeline "$T/two.txt" | sed -n '/^thread /,$p'; cat "$T/two.txt"
thread                     speedup   served  matched  migrations  baseline time  arrived    left
------------------------------------------------------------------------------------------------
gzip                      +25.23 %  84.25 %  89.25 %           3         5.01 s   0.00 s       -
gzip+10400ms               +0.00 %   0.00 %   0.00 %           0         0.30 s   0.20 s  0.50 s
------------------------------------------------------------------------------------------------
mean (assumed time base)  +12.61 %  42.12 %  44.62 %         1.5

speedup of the system        +23.47 %
throughput, STP              1.327 with 1.07 threads present
turnaround, ANTT             0.899
speedup, arithmetic mean     +12.61 %
speedup, harmonic mean       +11.20 %
speedup, geometric mean      +11.91 %
fairness, Jain               0.988
slow-down, maximum           1.000
unfairness                   1.252
served                       78.37 % of executed timesteps
matched                      83.02 % of executed timesteps
running                      100.00 % of 430 thread-timesteps
at state transitions         3.26 % of executed timesteps (14)
migrations per second        0.75 (3)
decisions per second         0.75 (3)
mismatched                   730.00 ms
migration cost paid          1.50 ms
... of executed time         0.03 %
left                         1 of 1 thread that does not repeat
assumed time base            1 of 1 traces
# tracer: nop
#
# sahm 0.1.0: two.cfg (64a354659adfad7d), policy sahm, 2 cores
# assumed time base: 1 of 1 traces
# core 0: baseline
# core 1: L1D +30 %
#
#                              _-----=> irqs-off
#                             / _----=> need-resched
#                            | / _---=> hardirq/softirq
#                            || / _--=> preempt-depth
#                            ||| /     delay
#           TASK-PID   CPU#  ||||    TIMESTAMP  FUNCTION
#              | |       |   ||||       |         |
          <idle>-0       [000] d..2     0.000000000: sched_wakeup: comm=gzip pid=1 prio=120 target_cpu=000
          <idle>-0       [000] d..2     0.000000000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=gzip next_pid=1 next_prio=120
            gzip-1       [000] d..2     0.110000000: sched_switch: prev_comm=gzip prev_pid=1 prev_prio=120 prev_state=R+ ==> next_comm=swapper/0 next_pid=0 next_prio=120
          <idle>-0       [000] d..2     0.110000000: sched_migrate_task: comm=gzip pid=1 prio=120 orig_cpu=0 dest_cpu=1
          <idle>-0       [001] d..2     0.110000000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=gzip next_pid=1 next_prio=120
          <idle>-0       [000] d..2     0.200000000: sched_wakeup: comm=gzip+10400ms pid=2 prio=120 target_cpu=000
          <idle>-0       [000] d..2     0.200000000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=gzip+10400ms next_pid=2 next_prio=120
    gzip+10400ms-2       [000] d..2     0.500000000: sched_switch: prev_comm=gzip+10400ms prev_pid=2 prev_prio=120 prev_state=X ==> next_comm=swapper/0 next_pid=0 next_prio=120
            gzip-1       [001] d..2     3.290000000: sched_switch: prev_comm=gzip prev_pid=1 prev_prio=120 prev_state=R+ ==> next_comm=swapper/1 next_pid=0 next_prio=120
          <idle>-0       [001] d..2     3.290000000: sched_migrate_task: comm=gzip pid=1 prio=120 orig_cpu=1 dest_cpu=0
          <idle>-0       [000] d..2     3.290000000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=gzip next_pid=1 next_prio=120
            gzip-1       [000] d..2     3.700000000: sched_switch: prev_comm=gzip prev_pid=1 prev_prio=120 prev_state=R+ ==> next_comm=swapper/0 next_pid=0 next_prio=120
          <idle>-0       [000] d..2     3.700000000: sched_migrate_task: comm=gzip pid=1 prio=120 orig_cpu=0 dest_cpu=1
          <idle>-0       [001] d..2     3.700000000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=gzip next_pid=1 next_prio=120
            gzip-1       [001] d..2     4.000000000: sched_switch: prev_comm=gzip prev_pid=1 prev_prio=120 prev_state=R+ ==> next_comm=swapper/1 next_pid=0 next_prio=120
$ sahm run "$T/two.cfg" --timeline "$T/two.json" >"$T/result"; cat "$T/two.json"
{"displayTimeUnit":"ms",
"otherData":{"schema": "sahm-timeline/1", "configuration": "two.cfg", "config_hash": "64a354659adfad7d6d386ec8f1c21f174221152478bfff788463988c4189413d", "policy": "sahm", "oracle": false, "synthetic": false, "nominal_time": true, "nr_cores": 2, "nr_threads": 2, "timestep_ns": 10000000, "sample": 1, "nr_samples": 1},
"traceEvents":[
{"ph":"M","pid":1,"tid":1,"name":"process_name","args":{"name":"two.cfg, assumed time base"}},
{"ph":"M","pid":1,"tid":1,"name":"process_sort_index","args":{"sort_index":0}},
{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"core 0: baseline"}},
{"ph":"M","pid":1,"tid":1,"name":"thread_sort_index","args":{"sort_index":0}},
{"ph":"M","pid":1,"tid":2,"name":"thread_name","args":{"name":"core 1: L1D +30 %"}},
{"ph":"M","pid":1,"tid":2,"name":"thread_sort_index","args":{"sort_index":1}},
{"ph":"i","pid":1,"tid":1,"ts":0,"s":"t","cat":"wake","name":"wake","args":{"thread":"gzip"}},
{"ph":"B","pid":1,"tid":1,"ts":0,"cat":"thread","name":"gzip"},
{"ph":"X","pid":1,"tid":1,"ts":0,"dur":100000,"cat":"mismatched","name":"L2+Branch","cname":"rail_animation","args":{"thread":"gzip"}},
{"ph":"X","pid":1,"tid":1,"ts":100000,"dur":10000,"cat":"mismatched","name":"L1D+Branch","cname":"vsync_highlight_color","args":{"thread":"gzip"}},
{"ph":"E","pid":1,"tid":1,"ts":110000},
{"ph":"B","pid":1,"tid":2,"ts":110000,"cat":"thread","name":"gzip"},
{"ph":"s","pid":1,"tid":1,"ts":109999.999,"id":1,"cat":"move","name":"move"},
{"ph":"f","pid":1,"tid":2,"ts":110000,"bp":"e","id":1,"cat":"move","name":"move"},
{"ph":"i","pid":1,"tid":1,"ts":200000,"s":"t","cat":"wake","name":"wake","args":{"thread":"gzip+10400ms"}},
{"ph":"B","pid":1,"tid":1,"ts":200000,"cat":"thread","name":"gzip+10400ms"},
{"ph":"X","pid":1,"tid":1,"ts":200000,"dur":200000,"cat":"mismatched","name":"L1D+Branch","cname":"vsync_highlight_color","args":{"thread":"gzip+10400ms"}},
{"ph":"X","pid":1,"tid":2,"ts":110000,"dur":310000,"cat":"served","name":"L1D+Branch","cname":"vsync_highlight_color","args":{"thread":"gzip"}},
{"ph":"X","pid":1,"tid":2,"ts":420000,"dur":70000,"cat":"served","name":"L1D","cname":"rail_response","args":{"thread":"gzip"}},
{"ph":"X","pid":1,"tid":1,"ts":400000,"dur":100000,"cat":"mismatched","name":"Branch","cname":"generic_work","args":{"thread":"gzip+10400ms"}},
{"ph":"E","pid":1,"tid":1,"ts":500000,"args":{"ends":"leave"}},
{"ph":"X","pid":1,"tid":2,"ts":490000,"dur":80000,"cat":"served","name":"L1D+Branch","cname":"vsync_highlight_color","args":{"thread":"gzip"}},
{"ph":"X","pid":1,"tid":2,"ts":570000,"dur":80000,"cat":"served","name":"L1D","cname":"rail_response","args":{"thread":"gzip"}},
{"ph":"X","pid":1,"tid":2,"ts":650000,"dur":2070000,"cat":"served","name":"L1D+Branch","cname":"vsync_highlight_color","args":{"thread":"gzip"}},
{"ph":"X","pid":1,"tid":2,"ts":2720000,"dur":160000,"cat":"served","name":"L1D","cname":"rail_response","args":{"thread":"gzip"}},
{"ph":"X","pid":1,"tid":2,"ts":2880000,"dur":230000,"cat":"served","name":"L1D+Branch","cname":"vsync_highlight_color","args":{"thread":"gzip"}},
{"ph":"X","pid":1,"tid":2,"ts":3110000,"dur":100000,"cat":"mismatched","name":"Branch","cname":"generic_work","args":{"thread":"gzip"}},
{"ph":"X","pid":1,"tid":2,"ts":3210000,"dur":70000,"cat":"served","name":"L1D+Branch","cname":"vsync_highlight_color","args":{"thread":"gzip"}},
{"ph":"X","pid":1,"tid":2,"ts":3280000,"dur":10000,"cat":"mismatched","name":"Low","cname":"grey","args":{"thread":"gzip"}},
{"ph":"E","pid":1,"tid":2,"ts":3290000},
{"ph":"B","pid":1,"tid":1,"ts":3290000,"cat":"thread","name":"gzip"},
{"ph":"s","pid":1,"tid":2,"ts":3289999.999,"id":2,"cat":"move","name":"move"},
{"ph":"f","pid":1,"tid":1,"ts":3290000,"bp":"e","id":2,"cat":"move","name":"move"},
{"ph":"X","pid":1,"tid":1,"ts":3290000,"dur":100000,"cat":"matched","name":"Low","cname":"grey","args":{"thread":"gzip"}},
{"ph":"X","pid":1,"tid":1,"ts":3390000,"dur":200000,"cat":"mismatched","name":"Branch","cname":"generic_work","args":{"thread":"gzip"}},
{"ph":"X","pid":1,"tid":1,"ts":3590000,"dur":100000,"cat":"matched","name":"Low","cname":"grey","args":{"thread":"gzip"}},
{"ph":"X","pid":1,"tid":1,"ts":3690000,"dur":10000,"cat":"mismatched","name":"L1D+Branch","cname":"vsync_highlight_color","args":{"thread":"gzip"}},
{"ph":"E","pid":1,"tid":1,"ts":3700000},
{"ph":"B","pid":1,"tid":2,"ts":3700000,"cat":"thread","name":"gzip"},
{"ph":"s","pid":1,"tid":1,"ts":3699999.999,"id":3,"cat":"move","name":"move"},
{"ph":"f","pid":1,"tid":2,"ts":3700000,"bp":"e","id":3,"cat":"move","name":"move"},
{"ph":"X","pid":1,"tid":2,"ts":3700000,"dur":300000,"cat":"served","name":"L1D+Branch","cname":"vsync_highlight_color","args":{"thread":"gzip"}},
{"ph":"E","pid":1,"tid":2,"ts":4000000,"args":{"ends":"end"}}
]}
## The result is the one without a timeline, and both engines tell the same; so they do of IPUs, samples, threads alone.
$ sahm run "$T/two.cfg" | cmp - "$T/result"
$ for c in canonical realistic-39 shared-16 synthetic-39; do for f in chrome ftrace; do for e in event plain; do sahm run configs/$c.cfg --set workload.duration_ms=3000 --engine=$e --timeline "$T/$e.x" --force --timeline-form=$f >"$T/$e"; done; cmp "$T/event.x" "$T/plain.x" && cmp "$T/event" "$T/plain" && echo "$c as $f"; done; done
canonical as chrome
canonical as ftrace
realistic-39 as chrome
realistic-39 as ftrace
shared-16 as chrome
shared-16 as ftrace
synthetic-39 as chrome
synthetic-39 as ftrace
$ sahm run configs/shared-16.cfg --set introspection.image=classify --json --timeline "$T/a.json" >"$T/a"; sahm run configs/shared-16.cfg --set introspection.image=classify --json --engine=plain --timeline "$T/b.json" | cmp - "$T/a" && cmp "$T/a.json" "$T/b.json"
## Of several samples the first one is shown.
$ sahm run configs/canonical.cfg --set workload.duration_ms=500 --timeline "$T/one.txt" >"$T/out"; sahm run configs/canonical.cfg --set workload.duration_ms=500 --set workload.samples=3 --timeline "$T/three.txt" >"$T/out"; diff "$T/one.txt" "$T/three.txt" | sed 's/([0-9a-f]*)/(hash)/'
3c3
< # sahm 0.1.0: canonical.cfg (hash), policy sahm, 5 cores
---
> # sahm 0.1.0: canonical.cfg (hash), policy sahm, 5 cores
4a5
> # sample 1 of 3
## Synthetic traces are called so.
$ sahm run configs/synthetic-39.cfg --set workload.duration_ms=10ms --timeline "$T/s.json" >/dev/null; grep -o '"synthetic": [a-z]*' "$T/s.json"; grep -o 'synthetic-39.cfg, synthetic' "$T/s.json"; sahm run configs/synthetic-39.cfg --set workload.duration_ms=10ms --timeline "$T/s.txt" >/dev/null; grep '# synthetic' "$T/s.txt"
"synthetic": true
synthetic-39.cfg, synthetic
# synthetic: 39 of 39 traces
## Forms: by the file's name, or as said.
$ sahm run "$T/two.cfg" --timeline "$T/x"
sahm: error: the form of the timeline '@T@/x' does not show in its name: end it in .json, .txt, .trace or .ftrace, or say --timeline-form
[2]
$ sahm run "$T/two.cfg" --timeline "$T/x.zst"
sahm: error: the form of the timeline '@T@/x.zst' does not show in its name: end it in .json, .txt, .trace or .ftrace, or say --timeline-form
[2]
$ sahm run "$T/two.cfg" --timeline "$T/x" --timeline-form=crome
sahm: error: unknown form of timelines 'crome', must be chrome or ftrace; did you mean 'chrome'?
[2]
$ sahm run "$T/two.cfg" --timeline "$T/x" --timeline-form ftrace >/dev/null; cmp "$T/x" "$T/two.txt"; sahm run "$T/two.cfg" --timeline "$T/x.txt" --timeline-form chrome >/dev/null; cmp "$T/x.txt" "$T/two.json"
$ sahm run "$T/two.cfg" --timeline-form chrome
sahm: error: --timeline-form goes with --timeline FILE
[2]
$ sahm run "$T/two.cfg" --timeline "$T/x.json" --print-config
sahm: error: --print-config runs nothing: there is no timeline
[2]
$ sahm run "$T/two.cfg" --timeline -
sahm: error: a timeline needs a file; standard output is the result's
[2]
$ sahm run "$T/two.cfg" --timeline "$T/two.cfg" --timeline-form chrome
sahm: error: the result would overwrite '@T@/two.cfg', which it is made from
[2]
$ sahm run "$T/two.cfg" --timeline "$T/y.json" -o "$T/y.json"
sahm: error: the timeline '@T@/y.json' would overwrite the result
[2]
$ sahm run "$T/two.cfg" --timeline
sahm: error: option '--timeline' needs a value: --timeline FILE
[2]
## A timeline that cannot be written is an error; there is no result, no file, and nothing temporary.
$ rm -f "$T"/x*; mkdir "$T/d"; sahm run "$T/two.cfg" --timeline "$T/no/x.json"
sahm: error: cannot create '@T@/no/x.json': No such file or directory
[1]
$ mkdir "$T/d/x.json"; sahm run "$T/two.cfg" --timeline "$T/d/x.json"; rmdir "$T/d/x.json"
sahm: error: cannot create '@T@/d/x.json': Is a directory
$ for f in x.json x.txt x.json.zst x.txt.zst; do ln -s /dev/full "$T/d/$f"; sahm run "$T/two.cfg" --timeline "$T/d/$f" -o "$T/d/result"; rm "$T/d/$f"; done; ls -A "$T/d"
sahm: error: cannot write '@T@/d/x.json': No space left on device
sahm: error: cannot write '@T@/d/x.txt': No space left on device
sahm: error: cannot write '@T@/d/x.json.zst': No space left on device
sahm: error: cannot write '@T@/d/x.txt.zst': No space left on device
## A run that cannot be made leaves what was there before.
$ echo old >"$T/d/old.json"; sahm run "$T/two.cfg" --set workload.traces='["none.csv"]' --timeline "$T/d/old.json" --force; cat "$T/d/old.json"; ls -A "$T/d"
sahm: error: --set workload.traces=["none.csv"]: cannot open trace 'none.csv': No such file or directory (nor is it in '@ROOT@')
old
old.json
