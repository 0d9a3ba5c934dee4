## A results database beside which lies a rollback journal: SQLite would replay it, and delete the file that it names. Every command that opens the database refuses it, and neither file is changed.
$ cd "$T"; cp "$OLDPWD/workloads/suites/small/gzip.csv" g.csv; printf 'chip={cores=({type="baseline";count=2;});};\nworkload={mode="together";traces=["g.csv"];duration_ms=200.0;};\n' >k.cfg; sahm sweep k.cfg -a scheduler.inertia=0,1 -o s.sqlite -q; cp s.sqlite t.sqlite; echo secret >victim; { printf '\331\325\005\371\040\241\143\327\0\0\0\0\0\0\0\0\0\0\0\027\0\0\002\0\0\0\020\0'; head -c 484 /dev/zero; printf '\0\004\0\001victim\0\0\0\006\0\0\002\214\331\325\005\371\040\241\143\327'; } >s.sqlite-journal; cp s.sqlite-journal n.sqlite-journal; cksum s.sqlite s.sqlite-journal victim >before; for c in 'query s.sqlite' 'query s.sqlite best' 'query s.sqlite failed' 'query s.sqlite point 0' 'export s.sqlite' 'export s.sqlite --threads --jsonl' 'report s.sqlite -o page' 'merge new.sqlite s.sqlite' 'merge s.sqlite t.sqlite' 'sweep k.cfg -a scheduler.inertia=0,1 -o s.sqlite -q' 'sweep k.cfg -a scheduler.inertia=0,1 -o s.sqlite -q --dry-run' 'rerun s.sqlite.manifest -o n.sqlite -q'; do sahm $c; echo $?; done; cksum s.sqlite s.sqlite-journal victim | cmp before -; ls
sahm: error: cannot use results file 's.sqlite': 's.sqlite-journal' is a rollback journal, and sahm makes none
1
sahm: error: cannot use results file 's.sqlite': 's.sqlite-journal' is a rollback journal, and sahm makes none
1
sahm: error: cannot use results file 's.sqlite': 's.sqlite-journal' is a rollback journal, and sahm makes none
1
sahm: error: cannot use results file 's.sqlite': 's.sqlite-journal' is a rollback journal, and sahm makes none
1
sahm: error: cannot use results file 's.sqlite': 's.sqlite-journal' is a rollback journal, and sahm makes none
1
sahm: error: cannot use results file 's.sqlite': 's.sqlite-journal' is a rollback journal, and sahm makes none
1
sahm: error: cannot use results file 's.sqlite': 's.sqlite-journal' is a rollback journal, and sahm makes none
1
sahm: error: cannot use results file 's.sqlite': 's.sqlite-journal' is a rollback journal, and sahm makes none
1
sahm: error: cannot use results file 's.sqlite': 's.sqlite-journal' is a rollback journal, and sahm makes none
1
sahm: error: cannot use results file 's.sqlite': 's.sqlite-journal' is a rollback journal, and sahm makes none
1
sahm: error: cannot use results file 's.sqlite': 's.sqlite-journal' is a rollback journal, and sahm makes none
1
sahm: error: 'n.sqlite-journal' exists, and SQLite would use it as part of the new database 'n.sqlite'
2
before
g.csv
k.cfg
n.sqlite-journal
s.sqlite
s.sqlite-journal
s.sqlite.manifest
t.sqlite
victim
## Nor does a pipe in the journal's place hold a command up.
$ cd "$T"; rm s.sqlite-journal; mkfifo s.sqlite-journal; sahm query s.sqlite; sahm export s.sqlite; sahm merge t.sqlite s.sqlite
sahm: error: cannot use results file 's.sqlite': 's.sqlite-journal' is a FIFO
sahm: error: cannot use results file 's.sqlite': 's.sqlite-journal' is a FIFO
sahm: error: cannot use results file 's.sqlite': 's.sqlite-journal' is a FIFO
[1]
## A manifest that is a link or a pipe is left out of a report.
$ cd "$T"; rm -f s.sqlite-journal s.sqlite.manifest; ln -s victim s.sqlite.manifest; sahm report s.sqlite -o one >said 2>&1; echo $?; grep manifest said; rm s.sqlite.manifest; mkfifo s.sqlite.manifest; sahm report s.sqlite -o two >said 2>&1; echo $?; grep manifest said
0
sahm: warning: the manifest is left out of the report: 's.sqlite.manifest' is not a regular file
0
sahm: warning: the manifest is left out of the report: 's.sqlite.manifest' is not a regular file
