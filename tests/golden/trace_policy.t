## run --trace-policy: what a policy is asked, and what it calls, on standard error
$ P=$(dirname "$(command -v sahm)"); printf '%s\n' 'chip : { cores = ( { type = "baseline"; }, { type = "l2"; speedup_pct = 30.0; } ); };' 'workload : { duration_ms = "30ms"; traces = ( "gzip.csv", "sort.csv", "xz.csv" ); };' > "$T/c.cfg"; cp "$P/examples/vtime.so" "$P/tests/plugins/moves.so" "$P/tests/plugins/gives_up.so" "$T"
$ SAHM_DATA=. sahm run "$T/c.cfg" --policy "$T/vtime.so" --trace-policy -o "$T/told.txt"
     0.000000 ms  init()
                    scx_bpf_create_dsq(1, -1) = 0
                    init() = 0
     0.000000 ms  dispatch(0, NULL)
                    scx_bpf_dsq_peek(1) = NULL
                    scx_bpf_dsq_move_to_local(1, 0) = false
     0.000000 ms  dispatch(1, NULL)
                    scx_bpf_dsq_peek(1) = NULL
                    scx_bpf_dsq_move_to_local(1, 0) = false
     0.000000 ms  enable(gzip (pid 1))
     0.000000 ms  enable(sort (pid 2))
     0.000000 ms  enable(xz (pid 3))
     0.000000 ms  select_cpu(gzip (pid 1), 0, 4)
                    scx_bpf_select_cpu_dfl(gzip (pid 1), 0, 4, true) = 0
                    scx_bpf_dsq_insert(gzip (pid 1), SCX_DSQ_LOCAL, 20000000, 0) = true
                    select_cpu() = 0
     0.000000 ms  select_cpu(sort (pid 2), 1, 4)
                    scx_bpf_select_cpu_dfl(sort (pid 2), 1, 4, true) = 1
                    scx_bpf_dsq_insert(sort (pid 2), SCX_DSQ_LOCAL, 20000000, 0) = true
                    select_cpu() = 1
     0.000000 ms  select_cpu(xz (pid 3), 0, 4)
                    scx_bpf_select_cpu_dfl(xz (pid 3), 0, 4, false) = 0
                    select_cpu() = 0
     0.000000 ms  enqueue(xz (pid 3), 1025)
                    scx_bpf_dsq_insert_vtime(xz (pid 3), 1, 20000000, 0, 1025) = true
     0.000000 ms  running(gzip (pid 1))
     0.000000 ms  running(sort (pid 2))
    20.000000 ms  dispatch(0, gzip (pid 1))
                    scx_bpf_dsq_peek(1) = xz (pid 3)
                    scx_bpf_dsq_move_to_local(1, 0) = true
    20.000000 ms  stopping(gzip (pid 1), true)
    20.000000 ms  enqueue(gzip (pid 1), 0)
                    scx_bpf_dsq_insert_vtime(gzip (pid 1), 1, 20000000, 20000000, 0) = true
    20.000000 ms  running(xz (pid 3))
    20.000000 ms  dispatch(1, sort (pid 2))
                    scx_bpf_dsq_peek(1) = gzip (pid 1)
                    scx_bpf_task_set_dsq_vtime(sort (pid 2), 20000000) = true
                    scx_bpf_task_set_slice(sort (pid 2), 20000000) = true
$ SAHM_DATA=. sahm run "$T/c.cfg" --policy "$T/vtime.so" | cmp - "$T/told.txt"
## run queues: what operations call within a call comes before its line
$ SAHM_DATA=. sahm run "$T/c.cfg" --policy "$T/moves.so" --trace-policy 2>&1 >"$T/told.txt"
     0.000000 ms  set_cpumask(gzip (pid 1), {0-1})
     0.000000 ms  set_cpumask(sort (pid 2), {0-1})
     0.000000 ms  set_cpumask(xz (pid 3), {0-1})
     0.000000 ms  sahm_pass(0)
                    sahm_task(0) = gzip (pid 1)
                    sahm_task(1) = sort (pid 2)
                    sahm_task(2) = xz (pid 3)
                    sahm_move(xz (pid 3), 1) = true
                    sahm_pass() = 0
    10.000000 ms  stopping(sort (pid 2), true)
                    scx_bpf_task_cpu(sort (pid 2)) = 1
    10.000000 ms  sahm_pass(10000000)
                    sahm_task(0) = gzip (pid 1)
                    sahm_task(1) = sort (pid 2)
                    sahm_timestep_ns() = 10000000
                    stopping(gzip (pid 1), true)
                      scx_bpf_task_cpu(gzip (pid 1)) = 0
                    sahm_swap(gzip (pid 1), sort (pid 2)) = true
                    sahm_pass() = 0
    20.000000 ms  stopping(xz (pid 3), true)
                    scx_bpf_task_cpu(xz (pid 3)) = 1
    20.000000 ms  sahm_pass(20000000)
                    sahm_task(0) = gzip (pid 1)
                    sahm_task(1) = sort (pid 2)
                    sahm_timestep_ns() = 10000000
                    sahm_head(0) = sort (pid 2)
                    sahm_head(1) = gzip (pid 1)
                    stopping(sort (pid 2), true)
                      scx_bpf_task_cpu(sort (pid 2)) = 0
                    sahm_permute(sort (pid 2) to 1, gzip (pid 1) to 0) = true
                    sahm_pass() = 0
## a policy whose pass the simulator carries out itself is asked all the same; results stay
$ SAHM_DATA=. sahm run "$T/c.cfg" --policy sahm --trace-policy 2>&1 >"$T/told.txt" | grep -A 3 'sahm_pass(10000000)'
    10.000000 ms  sahm_pass(10000000)
                    sahm_head(0) = xz (pid 3)
                    sahm_nr_on(0) = 2
                    sahm_observed_state(xz (pid 3)) = 255
$ SAHM_DATA=. sahm run "$T/c.cfg" --policy sahm | cmp - "$T/told.txt"
## up to what ends the run
$ SAHM_DATA=. sahm run "$T/c.cfg" --policy "$T/gives_up.so" --trace-policy 2>&1 | tail -n 3
                    scx_bpf_error(thread 1 is not to my liking)
    10.000000 ms  exit(an error)
sahm: error: policy 'gives-up' at 10.000000 ms: it reports an error: thread 1 is not to my liking
$ sahm run "$T/c.cfg" --trace-policy --print-config
sahm: error: --print-config runs nothing: there is no policy to trace
[2]
