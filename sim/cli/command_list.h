/* The commands, in the order of the help: COMMAND(symbol). Each is a `const struct command command_<symbol>` in sim/cli/.
 * To add one: write its file, add a row here. Dispatch, help, suggestions and sahm(1) follow. */
COMMAND(run)
COMMAND(characterize)
COMMAND(trace_import)
COMMAND(trace_export)
COMMAND(trace_info)
COMMAND(trace_synth)
COMMAND(trace_resample)
COMMAND(trace_slice)
COMMAND(trace_concat)
COMMAND(trace_offset)
COMMAND(help)
