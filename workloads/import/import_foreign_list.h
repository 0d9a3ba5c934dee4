/* Files of other tools that cannot be imported, by what shows that they are: FOREIGN(where, sign, what it looks like, what to
 * do). `where` is BYTES (the file begins with the sign), FIRST (its first line does), BEGINS (one of the first lines does) or
 * HOLDS (one of them holds it). BYTES are checked before everything else, lines only where no format recognises the file. */
FOREIGN(BYTES, "PERFILE2", "what perf record writes",
	"print its samples with 'perf script -F comm,tid,time,period,event', which can be imported")
FOREIGN(BYTES, "SQLite format 3", "an SQLite database, as Sniper's sim.stats.sqlite3 is",
	"Sniper's tools/dumpstats.py prints one as text, which can be imported")
FOREIGN(BYTES, "\x89HDF\r\n", "HDF5, such as gem5's h5 statistics", "import gem5's stats.txt")
FOREIGN(BYTES, "\x7f" "ELF", "a program", "record it with 'sahm trace record -- PROGRAM'")
FOREIGN(BYTES, "PK\x03\x04", "a spreadsheet (.xlsx) or another zip archive", "save the sheet as CSV, or unpack the archive")
FOREIGN(BYTES, "\x1f\x8b", "gzip", "unpack it: gzip -dc FILE | sahm trace import -")
FOREIGN(BYTES, "\xfd" "7zXZ", "xz", "unpack it: xz -dc FILE | sahm trace import -")
FOREIGN(BYTES, "BZh", "bzip2", "unpack it: bzip2 -dc FILE | sahm trace import -")
FOREIGN(BYTES, "\x17\x08\x44tracing", "what trace-cmd record writes",
	"it has scheduling events, no counts: 'trace-cmd report FILE | sahm trace bursts -' takes those")
FOREIGN(BYTES, "\xff\xfe", "UTF-16", "save it as UTF-8")
FOREIGN(BYTES, "\xfe\xff", "UTF-16", "save it as UTF-8")
FOREIGN(BEGINS, "<!DOCTYPE ", "a web page", "download the file that the page shows")
FOREIGN(BEGINS, "<html", "a web page", "download the file that the page shows")
FOREIGN(HOLDS, "Hardware Event Count:", "VTune's report of events, totals without intervals",
	"name its columns with --map and --format csv: each row becomes an epoch; 'vtune -report hw-events -group-by process -format csv "
	"-csv-delimiter comma' has one row for a process")
FOREIGN(HOLDS, "CPU Time:Effective Time", "VTune's hotspots, which have no counts",
	"export 'vtune -report hw-events -group-by process -format csv -csv-delimiter comma'")
FOREIGN(BEGINS, "Hierarchy Level,Metric Name,Metric Value", "VTune's summary, which has no counts",
	"export 'vtune -report hw-events -group-by process -format csv -csv-delimiter comma'")
FOREIGN(BEGINS, "Elapsed Time: ", "VTune's summary, which has no counts",
	"export 'vtune -report hw-events -group-by process -format csv -csv-delimiter comma'")
FOREIGN(BEGINS, "AMDuProf", "a report of AMD uProf",
	"take its table from the header row on, and name the columns with --map and --format csv; those in 'pti' are per thousand "
	"instructions: --map branches='0.001 * PTI * INSTRUCTIONS'")
FOREIGN(HOLDS, "\tAvg_MHz\t", "turbostat's output, which has no events but instructions per cycle", "record with 'perf stat -I 100' instead")
FOREIGN(FIRST, "[", "JSON that no format here has", "import ChampSim's text instead of its --json; others write a table: a header row, a row for "
	"each interval")
FOREIGN(FIRST, "{", "JSON that no format here has", "perf stat -j has 'counter-value' in each line; others write a table: a header row, a row for "
	"each interval")
FOREIGN(BEGINS, "# Samples: ", "what perf report prints, which has no time",
	"print the samples with 'perf script -F comm,tid,time,period,event'")
FOREIGN(BEGINS, "desc: I1 cache:", "cachegrind's output, totals of one run",
	"callgrind writes intervals: valgrind --tool=callgrind --cache-sim=yes --branch-sim=yes --combine-dumps=yes "
	"--dump-every-bb=N")
FOREIGN(BEGINS, "type=Root", "gem5's config.ini", "its statistics are in stats.txt")
FOREIGN(BEGINS, "# zsim stats", "zsim's statistics", "write what it counted as a table: a header row, a row for each interval")
FOREIGN(BEGINS, "sim: ** simulation statistics **", "SimpleScalar's statistics",
	"write what it counted as a table: a header row, a row for each interval")
FOREIGN(HOLDS, "\"papi_version\"", "PAPI's totals of regions, which has no intervals", "record with 'perf stat -I 100' instead")
FOREIGN(HOLDS, "_x86_64_\t(", "a report of sysstat (sar, pidstat, mpstat)", "it has no hardware events: record with 'perf stat -I 100'")
FOREIGN(BEGINS, "#sample,timestamp,", "a table that EDP made of EMON's data, with rates of events that took turns",
	"import emon.dat, of which it was made")
