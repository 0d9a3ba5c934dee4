## No command writes over what it reads, whatever it is called there: a configuration, what that includes, its traces.
$ cd "$T"; cp "$OLDPWD/workloads/suites/small/gzip.csv" g.csv; printf 'chip={cores=({type="baseline";count=1;},{type="l1d";speedup_pct=30.0;});};\n' >chip.cfg; printf '@include "chip.cfg"\nworkload={mode="together";traces=["g.csv"];};\n' >k.cfg; printf 'costs_ms=[0.0];\nsuites=({name="one";config="k.cfg";});\npolicies=({policy="static";},{policy="sahm";});\nsubject="sahm";\nreference="static";\n' >st.cfg; cksum *.* >before; for c in 'run k.cfg -o' 'run k.cfg -o x --timeline-form chrome --timeline' 'limit k.cfg -o' 'optimize k.cfg --cores 2 -o' 'compare st.cfg -o' 'ipu compare k.cfg classify -o'; do for f in chip.cfg g.csv k.cfg; do sahm $c $f; echo $?; done; done; sahm compare st.cfg -o st.cfg; cksum *.* | cmp - before; ls
sahm: error: 'chip.cfg' would be overwritten, which is a configuration of this run
2
sahm: error: 'g.csv' would be overwritten, which is a trace of this run
2
sahm: error: the result would overwrite 'k.cfg', which it is made from
2
sahm: error: 'chip.cfg' would be overwritten, which is a configuration of this run
2
sahm: error: 'g.csv' would be overwritten, which is a trace of this run
2
sahm: error: the result would overwrite 'k.cfg', which it is made from
2
sahm: error: 'chip.cfg' would be overwritten, which is a configuration of this run
2
sahm: error: 'g.csv' would be overwritten, which is a trace of this run
2
sahm: error: the result would overwrite 'k.cfg', which it is made from
2
sahm: error: 'chip.cfg' would be overwritten, which is a configuration of this run
2
sahm: error: 'g.csv' would be overwritten, which is a trace of this run
2
sahm: error: the result would overwrite 'k.cfg', which it is made from
2
sahm: error: 'chip.cfg' would be overwritten, which is a configuration of this run
2
sahm: error: 'g.csv' would be overwritten, which is a trace of this run
2
sahm: error: 'k.cfg' would be overwritten, which is a configuration of this run
2
sahm: error: 'chip.cfg' would be overwritten, which is a configuration of this run
2
sahm: error: 'g.csv' would be overwritten, which is a trace of this run
2
sahm: error: the result would overwrite 'k.cfg', which it is made from
2
sahm: error: the result would overwrite 'st.cfg', which it is made from
before
chip.cfg
g.csv
k.cfg
st.cfg
$ cd "$T"; cp "$OLDPWD/tests/data/import/callgrind.combined.out" cg.trc; cp cg.trc cg.out; sahm trace import cg.trc; sahm trace import -o ./cg.out cg.out; cmp cg.trc cg.out; sahm trace import -o made.trc cg.trc && sahm trace export made.trc -o made.trc
sahm: warning: cg.trc: no time is given, a row is taken for 100 ms
sahm: error: the result would overwrite 'cg.trc', which it is made from
sahm: warning: cg.out: no time is given, a row is taken for 100 ms
sahm: error: the result would overwrite 'cg.out', which it is made from
sahm: warning: cg.trc: no time is given, a row is taken for 100 ms
made.trc: 25 epochs of 100 ms, 1408 bytes, nominal time
sahm: error: the result would overwrite 'made.trc', which it is made from
[2]
$ cd "$T"; printf 'address,is_write\n1,0\n' >s.csv; sahm ipu signals s.csv ./s.csv
sahm: error: the result would overwrite 's.csv', which it is made from
[2]
## Nor do two outputs of a command take the same place.
$ cd "$T"; mkdir figs; sahm characterize --plot figs "$OLDPWD/workloads/suites/small/gzip.csv" -o figs/occupancy.csv; sahm characterize --plot figs/ "$OLDPWD/workloads/suites/small/gzip.csv" -o ./figs/intervals.svg; ls figs
sahm: error: --output and --plot would both write 'figs/occupancy.csv'
sahm: error: --output and --plot would both write './figs/intervals.svg'
$ cd "$T"; sahm trace record --via qemu -o x.trc --instructions ./x.trc -- true; ls x.trc
sahm: error: --output and --instructions are the same file, 'x.trc'
ls: cannot access 'x.trc': No such file or directory
[2]
## A database has files beside it. No option and no operand that names an output takes the name of one, whatever the command reads; the others are only read.
$ cd "$T"; sahm sweep "$OLDPWD/configs/canonical.cfg" -a scheduler.inertia=0 -o db -q -j 1; cp db before; sahm help | sed -n 's/^  \([a-z]\{2,\}\( [a-z]\{2,\}\)\{0,1\}\)  .*/\1/p' | while IFS= read -r c; do sahm help $c | sed -n 's/^ .* --\([a-z-]*\) [A-Z|]*\(FILE\|DIR\|FOLDER\).*/--\1/p' | while IFS= read -r o; do for e in -wal -shm -journal .manifest; do sahm $c $o db$e 2>&1 | grep -q "'db$e' cannot be written: it belongs to the database 'db'" && echo written || echo read; done | uniq | tr '\n' ' '; echo "$c $o"; done; done
read run --policy
written run --output
written run --timeline
written compare --output
written limit --output
read optimize --costs
read optimize --policy
written optimize --output
written reproduce --output
written sweep --store
read sweep --policy
read query --costs
written query --output
written report --output
written export --output
written rerun --store
written worker --cache
read worker --plugin
read worker --trust
written characterize --plot
written characterize --output
written trace record --output
written trace record --instructions
read trace events --root
written trace import --output
written trace export --output
written trace synth --output
written trace resample --output
written trace slice --output
written trace concat --output
written trace offset --output
written trace bursts --output
written policy new --output
read ipu run --signals
read ipu run --trust
written ipu run --packets
written ipu run --output
read ipu study --trust
written ipu study --output
read ipu compare --policy
read ipu compare --trust
written ipu compare --output
written ipu exec --signature
written ipu exec --trace
read ipu sign --key
read ipu sign --abi
read ipu verify --trust
read ipu verify --pub
read ipu verify --signature
read ipu verify --abi
read ipu attach --trust
$ cd "$T"; for c in 'policy new' 'ipu new' 'ipu attach' 'ipu feed' collect merge 'ipu signals db'; do sahm $c db-journal; done; sahm merge db db-journal; mkdir sub; sahm report db -o sub/..//db.manifest//; ln -s ../db-wal sub/log; : >db-wal; sahm sweep "$OLDPWD/configs/canonical.cfg" -o sub/log; cmp db before; ls db*
sahm: error: 'db-journal' cannot be written: it belongs to the database 'db'
sahm: error: 'db-journal' cannot be written: it belongs to the database 'db'
sahm: error: 'db-journal' cannot be written: it belongs to the database 'db'
sahm: error: 'db-journal' cannot be written: it belongs to the database 'db'
sahm: error: 'db-journal' cannot be written: it belongs to the database 'db'
sahm: error: 'db-journal' cannot be written: it belongs to the database 'db'
sahm: error: 'db-journal' cannot be written: it belongs to the database 'db'
sahm: error: 'db-journal' cannot be written: it belongs to the database 'db'
sahm: error: 'sub/..//db.manifest' cannot be written: it belongs to the database 'sub/..//db'
sahm: error: '@T@/db-wal' cannot be written: it belongs to the database '@T@/db'
db
db-wal
db.manifest
## Nor by another name, nor where the database is reached by a link.
$ cd "$T"; ln db-wal other.csv; ln -s db link; sahm export db -o other.csv; sahm query link best -o other.csv; sahm report link -o ./other.csv; rm other.csv; sahm export db --jsonl -o - | cut -c1-14; ls ./-
sahm: error: the result would overwrite 'db-wal', which belongs to the database 'db'
sahm: error: the result would overwrite '@T@/db-wal', which belongs to the database '@T@/db'
sahm: error: the result would overwrite '@T@/db-wal', which belongs to the database '@T@/db'
{"position": 0
ls: cannot access './-': No such file or directory
[2]
## A new database is not made where SQLite would take a file for its own, and no file is lost for its manifest.
$ cd "$T"; for e in -wal -shm -journal .manifest; do cp g.csv new$e; sahm sweep "$OLDPWD/configs/canonical.cfg" -a scheduler.inertia=0 -o new; sahm rerun db.manifest -o new; sahm merge new db; cmp g.csv new$e; rm new$e; done; ls new
sahm: error: 'new-wal' exists, and SQLite would use it as part of the new database 'new'
sahm: error: 'new-wal' exists, and SQLite would use it as part of the new database 'new'
sahm: error: 'new-wal' exists, and SQLite would use it as part of the new database 'new'
sahm: error: 'new-shm' exists, and SQLite would use it as part of the new database 'new'
sahm: error: 'new-shm' exists, and SQLite would use it as part of the new database 'new'
sahm: error: 'new-shm' exists, and SQLite would use it as part of the new database 'new'
sahm: error: 'new-journal' exists, and SQLite would use it as part of the new database 'new'
sahm: error: 'new-journal' exists, and SQLite would use it as part of the new database 'new'
sahm: error: 'new-journal' exists, and SQLite would use it as part of the new database 'new'
sahm: error: 'new.manifest' is not a manifest, and the manifest of 'new' would overwrite it
sahm: error: 'new.manifest' is not a manifest, and the manifest of 'new' would overwrite it
sahm: error: 'new.manifest' is not a manifest, and the manifest of 'new' would overwrite it
ls: cannot access 'new': No such file or directory
[2]
## Pages and figures are files, too, and so is a signature.
$ cd "$T"; mkdir page; mv db page/index.html; cp g.csv page/occupancy.csv; sahm report page/index.html -o page; sahm characterize page/occupancy.csv --plot page; printf 'traces=["g.csv"];\n' >page/study_x.cfg; sahm reproduce 4.2 --suite page -o page --no-plots >/dev/null; sahm ipu keygen k >/dev/null 2>&1; mv k.key k.elf.sig; echo >k.elf; sahm ipu sign --key k.elf.sig --abi core k.elf; cmp g.csv page/occupancy.csv; ls page
sahm: error: files in 'page' could overwrite 'page/index.html', which they are made from
sahm: error: the result would overwrite 'page/occupancy.csv', which it is made from
sahm: error: files in 'page' could overwrite '@T@/page/occupancy.csv', which they are made from
sahm: error: the result would overwrite 'k.elf.sig', which it is made from
index.html
occupancy.csv
study_x.cfg
