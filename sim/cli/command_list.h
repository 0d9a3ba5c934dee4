/* The commands, in the order of `sahm help -a`: COMMAND(symbol). Each is a `const struct command command_<symbol>` in
 * sim/cli/. GROUP(symbol, heading) precedes the first command of a group and gives the group's heading.
 * COMMON(symbol, use) follows a command that `sahm help` shows, under the heading `use`.
 * To add a command: write its file, add a row here. Dispatch, help, suggestions, completion and sahm(1) follow. */
#ifndef COMMAND
#define COMMAND(symbol)
#endif
#ifndef GROUP
#define GROUP(symbol, heading)
#endif
#ifndef COMMON
#define COMMON(symbol, use)
#endif

GROUP(run, "simulate and compare")
COMMAND(run)
COMMON(run, "simulate a chip")
COMMAND(compare)
COMMON(compare, "simulate a chip")
COMMAND(limit)
COMMAND(optimize)
COMMON(optimize, "simulate a chip")
COMMAND(reproduce)
COMMON(reproduce, "simulate a chip")

GROUP(sweep, "sweeps")
COMMAND(sweep)
COMMON(sweep, "explore many chips")
COMMAND(query)
COMMON(query, "explore many chips")
COMMAND(report)
COMMON(report, "explore many chips")
COMMAND(export)
COMMAND(merge)
COMMAND(rerun)

GROUP(worker, "sweeps on many machines")
COMMAND(worker)
COMMAND(collect)
COMMAND(queue_status)
COMMAND(queue_drain)
COMMAND(queue_retry)
COMMAND(queue_purge)

GROUP(characterize, "traces")
COMMAND(characterize)
COMMON(characterize, "bring your own programs")
COMMAND(trace_list)
COMMAND(trace_info)
COMMAND(trace_record)
COMMON(trace_record, "bring your own programs")
COMMAND(trace_events)
COMMAND(trace_import)
COMMON(trace_import, "bring your own programs")
COMMAND(trace_export)
COMMAND(trace_synth)
COMMAND(trace_resample)
COMMAND(trace_slice)
COMMAND(trace_concat)
COMMAND(trace_offset)
COMMAND(trace_bursts)
COMMAND(stream_info)
COMMAND(stream_head)
COMMAND(stream_slice)

GROUP(core_time, "models of cores")
COMMAND(core_time)
COMMON(core_time, "simulate a chip")
COMMAND(core_path)
COMMAND(core_tma)
COMMAND(core_pics)
COMMAND(core_stat)
COMMAND(core_events)
COMMAND(core_signals)
COMMAND(core_sample)
COMMAND(core_whatif)
COMMAND(core_study)
COMMAND(core_specialize)
COMMAND(core_epochs)
COMMAND(core_list)
COMMAND(core_show)

GROUP(policy_list, "scheduling policies")
COMMAND(policy_list)
COMMAND(policy_new)
COMMON(policy_new, "write your own policy or introspection program")
COMMAND(policy_check)

GROUP(ipu_new, "introspection programs")
COMMAND(ipu_new)
COMMON(ipu_new, "write your own policy or introspection program")
COMMAND(ipu_run)
COMMAND(ipu_signals)
COMMAND(ipu_study)
COMMAND(ipu_compare)
COMMAND(ipu_exec)
COMMAND(ipu_disasm)

GROUP(ipu_soft_build, "soft logic beside introspection programs")
COMMAND(ipu_soft_build)
COMMAND(ipu_soft_new)
COMMAND(ipu_soft_show)

GROUP(ipu_keygen, "signed introspection programs")
COMMAND(ipu_keygen)
COMMAND(ipu_sign)
COMMAND(ipu_verify)

GROUP(ipu_attach, "a device with IPUs, call by call")
COMMAND(ipu_attach)
COMMAND(ipu_config_image)
COMMAND(ipu_config_start)
COMMAND(ipu_config_stop)
COMMAND(ipu_pause)
COMMAND(ipu_resume)
COMMAND(ipu_finalize)
COMMAND(ipu_feed)
COMMAND(ipu_wait)
COMMAND(ipu_drain)
COMMAND(ipu_status)

GROUP(doctor, "sahm itself")
COMMAND(doctor)
COMMAND(completion)
COMMAND(help)

#undef COMMAND
#undef GROUP
#undef COMMON
