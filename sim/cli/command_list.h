/* The commands, in the order of the help: COMMAND(symbol). Each is a `const struct command command_<symbol>` in sim/cli/.
 * GROUP(symbol, heading) stands before the first command of a group, whose heading the help has.
 * To add a command: write its file, add a row here. Dispatch, help, suggestions, completion and sahm(1) follow. */
#ifndef COMMAND
#define COMMAND(symbol)
#endif
#ifndef GROUP
#define GROUP(symbol, heading)
#endif

GROUP(run, "simulate and judge")
COMMAND(run)
COMMAND(compare)
COMMAND(limit)
COMMAND(optimize)
COMMAND(reproduce)

GROUP(sweep, "sweeps")
COMMAND(sweep)
COMMAND(query)
COMMAND(report)
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
COMMAND(trace_list)
COMMAND(trace_info)
COMMAND(trace_record)
COMMAND(trace_events)
COMMAND(trace_import)
COMMAND(trace_export)
COMMAND(trace_synth)
COMMAND(trace_resample)
COMMAND(trace_slice)
COMMAND(trace_concat)
COMMAND(trace_offset)
COMMAND(trace_bursts)
COMMAND(stream_info)
COMMAND(stream_head)

GROUP(policy_list, "scheduling policies")
COMMAND(policy_list)
COMMAND(policy_new)
COMMAND(policy_check)

GROUP(ipu_new, "introspection programs")
COMMAND(ipu_new)
COMMAND(ipu_run)
COMMAND(ipu_signals)
COMMAND(ipu_study)
COMMAND(ipu_compare)
COMMAND(ipu_exec)
COMMAND(ipu_disasm)

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
