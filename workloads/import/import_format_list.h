/* Formats that `sahm trace import` reads: FORMAT(symbol, name, help). `import_format_<symbol>` is the reader.
 * To add one: write workloads/import/import_<symbol>.c, with owns_line() for lines that only its tool writes; add a row here,
 * its events in import_event_list.h, a fuzz target, a row of docs/importing.md and one of tests/bench/bench_import.c. */
FORMAT(sahm, "sahm", "a trace as `sahm trace export` writes it")
FORMAT(perf_csv, "perf-csv", "perf stat -x SEP")
FORMAT(perf_json, "perf-json", "perf stat -j")
FORMAT(perf_text, "perf-text", "perf stat, the form for people")
FORMAT(perf_script, "perf-script", "perf script: samples of perf record, counted by their periods")
FORMAT(callgrind, "callgrind", "callgrind's output in parts, all of a process's files at once")
FORMAT(likwid, "likwid", "likwid-perfctr; built from its documentation, not tried on real files")
FORMAT(champsim, "champsim", "the text that ChampSim prints when a run ends")
FORMAT(sniper, "sniper", "Sniper's sim.out, sim.stats as text, or what its dumpstats.py prints")
FORMAT(gem5, "gem5", "gem5's stats.txt, a row per dump")
FORMAT(pcm, "pcm", "Intel PCM: pcm -csv=FILE")
FORMAT(pcm_core, "pcm-core", "pcm-core -csv=FILE of Intel PCM")
FORMAT(toplev, "toplev", "toplev.py -I MS -x, -o FILE, or --valcsv FILE")
FORMAT(emon, "emon", "Intel EMON's own output (emon.dat); --rotate, where its events take turns")
FORMAT(csv, "csv", "any other table with a header row")
