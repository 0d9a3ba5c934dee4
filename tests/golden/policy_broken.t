## policies that break a rule: each is caught, and named with what it did, where and when
$ cp "$(dirname "$(command -v sahm)")"/tests/plugins/*.so "$T"; printf '%s\n' 'chip : { cores = ( { type = "baseline"; } ); };' 'workload : { duration_ms = 5000; traces = ( "gzip.csv", "sort.csv", "xz.csv" ); };' > "$T/c.cfg"
$ SAHM_DATA=. sahm run "$T/c.cfg" --policy "$T/never_dispatches.so"
sahm: error: policy 'never-dispatches' at 0.000000 ms: every core idles for good while a thread waits: thread gzip (pid 1) has waited for 0.000 ms, since 0.000000 ms: it is in queue 1, from which no core has taken it
[1]
$ SAHM_DATA=. sahm run "$T/c.cfg" --policy "$T/loses_a_thread.so"
sahm: error: policy 'loses-a-thread' at 750.000000 ms: it starves a thread: thread sort (pid 2) has waited for 750.000 ms, since 0.000000 ms: the policy has it and has put it in no queue since (enqueue() did not insert it, nor did dispatch())
[1]
$ SAHM_DATA=. sahm run "$T/c.cfg" --policy "$T/starves.so"
sahm: error: policy 'starves' at 750.000000 ms: it starves a thread: thread sort (pid 2) has waited for 750.000 ms, since 0.000000 ms: it is in queue 2, from which no core has taken it
[1]
$ SAHM_DATA=. sahm run "$T/c.cfg" --policy "$T/missing_core.so"
sahm: error: policy 'missing-core' at 0.000000 ms: thread gzip (pid 1) was inserted into the local queue of core 1, which does not exist (cores 0 to 0)
[1]
$ SAHM_DATA=. sahm run "$T/c.cfg" --policy "$T/livelock.so"
sahm: error: policy 'livelock' at 0.000000 ms: it does not let time pass: cores have looked for work 1025 times at this moment
[1]
$ SAHM_DATA=. sahm run "$T/c.cfg" --policy "$T/move_outside_pass.so"
sahm: error: policy 'move-outside-pass' at 0.000000 ms: it called sahm_move() from running(); only sahm_pass() may
[1]
$ SAHM_DATA=. sahm run "$T/c.cfg" --policy "$T/unsupported_call.so"
sahm: error: policy 'unsupported-call' at 0.000000 ms: it called scx_bpf_reenqueue_local() from enqueue(), which is not simulated
[1]
$ SAHM_DATA=. sahm run "$T/c.cfg" --policy "$T/gives_up.so"
sahm: error: policy 'gives-up' at 10.000000 ms: it reports an error: thread 1 is not to my liking
[1]
$ SAHM_DATA=. sahm run "$T/c.cfg" --policy "$T/hangs.so" --stall-timeout 1
sahm: error: policy 'hangs' makes no progress: no return from dispatch() for 1 s (--stall-timeout)
[1]
## so in a comparison, which loads it after other policies
$ cd "$T" && printf '%s\n' 'policies = ( { policy = "static"; }, { policy = "./hangs.so"; } );' 'suites = ( { name = "a"; config = "c.cfg"; } );' 'costs_ms = [ 1.0 ];' >hangs.study; SAHM_DATA="$OLDPWD" timeout 20 sahm compare hangs.study --stall-timeout 1
sahm: error: policy 'hangs' makes no progress: no return from dispatch() for 1 s (--stall-timeout)
[1]
$ SAHM_DATA=. sahm run "$T/c.cfg" --policy "$T/crawls.so" --stall-timeout 1 2>&1 | sed 's/[0-9]* calls/N calls/'
sahm: error: policy 'crawls' makes no progress: simulated time has stood in the timestep at 0.0 ms for 1 s, in N calls (--stall-timeout)
$ SAHM_DATA=. sahm run "$T/c.cfg" --policy "$T/no_memory.so"
sahm: error: policy 'no-memory' at 0.000000 ms: it called sahm_task_state() and has asked for no memory (sahm_task_state_bytes)
[1]
## those that end the process are named as well; a sanitizer may add its report
$ cd "$T" && SAHM_DATA="$OLDPWD" sahm run c.cfg --policy crashes.so 2>said; echo $?; grep ^sahm said
1
sahm: error: policy 'crashes' crashes in running()
$ cd "$T" && SAHM_DATA="$OLDPWD" sahm run c.cfg --policy exits.so 2>said; echo $?; grep ^sahm said
1
sahm: error: policy 'exits' ends the program in running()
$ cd "$T" && SAHM_DATA="$OLDPWD" sahm run c.cfg --policy ends.so
linker: ends.so: words
sahm: error: plug-in '@T@/ends.so': its process ended with exit code 127
[1]
$ cd "$T" && SAHM_DATA="$OLDPWD" sahm run c.cfg --policy kills.so
sahm: error: plug-in '@T@/kills.so': its process was ended by signal 9 (Killed)
[1]
$ cd "$T" && KILLS_BY=15 SAHM_DATA="$OLDPWD" sahm run c.cfg --policy kills.so
sahm: error: plug-in '@T@/kills.so': its process was ended by signal 15 (Terminated)
[1]
$ cd "$T" && printf '%s\n' 'policies = ( { policy = "keen"; }, { policy = "./kills.so"; } );' 'suites = ( { name = "a"; config = "c.cfg"; } );' 'costs_ms = [ 1.0 ];' 'subject = "keen";' >kills.study; SAHM_DATA="$OLDPWD" sahm compare kills.study
sahm: error: plug-in '@T@/kills.so': its process was ended by signal 9 (Killed)
[1]
$ cd "$T" && SAHM_DATA="$OLDPWD" sahm optimize c.cfg --policy kills.so --cores 1 -j1
sahm: error: plug-in '@T@/kills.so': its process was ended by signal 9 (Killed)
[1]
## those that end it when they are loaded end a child process
$ cd "$T" && SAHM_DATA="$OLDPWD" sahm run c.cfg --policy crashes_on_load.so
sahm: error: @T@/crashes_on_load.so: cannot be loaded: its process was ended by signal 4 (Illegal instruction)
[1]
$ cd "$T" && printf 'scheduler : { policy = "ends_on_load.so"; };' >>c.cfg; SAHM_DATA="$OLDPWD" sahm limit c.cfg
sahm: error: c.cfg:3: @T@/ends_on_load.so: cannot be loaded: its process ended with exit code 0: last words
[1]
$ cd "$T" && sahm policy check ends_on_load.so >said; echo $?; head -n 1 said
sahm: error: ends_on_load.so: cannot be loaded: its process ended with exit code 0: last words
1
file            ends_on_load.so
$ cd "$T" && sahm policy check --json crashes_on_load.so >said; echo $?; grep usable said
sahm: error: crashes_on_load.so: cannot be loaded: its process was ended by signal 4 (Illegal instruction)
1
  "usable": false,
## the examples break none
$ for p in vtime specialist; do SAHM_DATA=. sahm run "$T/c.cfg" --policy "$(dirname "$(command -v sahm)")/examples/$p.so" | sed -n '4p'; done
scheduler      vtime (plug-in), inertia 5, timestep 10 ms, observes the last timestep; no core to migrate to
scheduler      specialist (plug-in), inertia 5, timestep 10 ms, observes the last timestep; no core to migrate to
$ SAHM_DATA=. sahm run "$T/c.cfg" --policy "$(dirname "$(command -v sahm)")/examples/vtime.so" | sed -n '/^thread/,/^mean/p'
thread                     speedup     gain  served  matched  migrations  baseline time
---------------------------------------------------------------------------------------
gzip                      -66.80 %  -0.40 %  0.00 %   0.00 %           0         1.66 s
sort                      -66.40 %  +0.80 %  0.00 %   0.00 %           0         1.68 s
xz                        -66.80 %  -0.40 %  0.00 %   0.00 %           0         1.66 s
---------------------------------------------------------------------------------------
mean (assumed time base)  -66.67 %  +0.00 %  0.00 %   0.00 %         0.0
## vtime's shares follow weights, on one core: 90 and 10 %, 60, 20 and 20 %
$ sed 's/"gzip.csv", "sort.csv", "xz.csv"/{ file = "gzip.csv"; weight = 900; }, { file = "sort.csv"; weight = 100; }/' "$T/c.cfg" >"$T/two.cfg"; SAHM_DATA=. sahm run "$T/two.cfg" --policy "$(dirname "$(command -v sahm)")/examples/vtime.so" | sed -n '/^thread/,/^mean/p'
thread                     speedup      gain  served  matched  migrations  baseline time
----------------------------------------------------------------------------------------
gzip                      -10.00 %  +80.00 %  0.00 %   2.22 %           0         4.50 s
sort                      -90.00 %  -80.00 %  0.00 %   0.00 %           0         0.50 s
----------------------------------------------------------------------------------------
mean (assumed time base)  -50.00 %   +0.00 %  0.00 %   1.11 %         0.0
$ sed 's/"gzip.csv",/{ file = "gzip.csv"; weight = 300; },/' "$T/c.cfg" >"$T/three.cfg"; SAHM_DATA=. sahm run "$T/three.cfg" --policy "$(dirname "$(command -v sahm)")/examples/vtime.so" | sed -n '/^thread/,/^mean/p'
thread                     speedup      gain  served  matched  migrations  baseline time
----------------------------------------------------------------------------------------
gzip                      -40.00 %  +80.00 %  0.00 %   0.00 %           0         3.00 s
sort                      -80.00 %  -40.00 %  0.00 %   0.00 %           0         1.00 s
xz                        -80.00 %  -40.00 %  0.00 %   0.00 %           0         1.00 s
----------------------------------------------------------------------------------------
mean (assumed time base)  -66.67 %   +0.00 %  0.00 %   0.00 %         0.0
