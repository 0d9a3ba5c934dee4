## No command writes over what it reads, whatever it is called there: a configuration, what that includes, its traces.
$ cd "$T"; cp "$OLDPWD/workloads/suites/small/gzip.csv" g.csv; printf 'chip={cores=({type="baseline";count=1;},{type="l1d";speedup_pct=30.0;});};\n' >chip.cfg; printf '@include "chip.cfg"\nworkload={mode="together";traces=["g.csv"];};\n' >k.cfg; printf 'costs_ms=[0.0];\nsuites=({name="one";config="k.cfg";});\npolicies=({policy="static";},{policy="sahm";});\nsubject="sahm";\nreference="static";\n' >st.cfg; cksum *.* >before; for c in 'run k.cfg -o' 'run k.cfg -o x --timeline-form chrome --timeline' 'limit k.cfg -o' 'optimize k.cfg --cores 2 -o' 'compare st.cfg -o' 'ipu compare k.cfg classify -o'; do for f in chip.cfg g.csv k.cfg; do sahm $c $f --force; echo $?; done; done; sahm compare st.cfg -o st.cfg; cksum *.* | cmp - before; ls
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
sahm: warning: cg.trc: branch_misses are those of callgrind's simple predictor, 6 to 16 times those that QEMU's recorder models: do not mix the two (docs/models.md)
cg-2.trc: 25 epochs of 100 ms, 1632 bytes, assumed time base; read as callgrind (-f chooses another)
sahm: warning: cg.out: no time is given, a row is taken for 100 ms
sahm: warning: cg.out: branch_misses are those of callgrind's simple predictor, 6 to 16 times those that QEMU's recorder models: do not mix the two (docs/models.md)
sahm: error: the result would overwrite 'cg.out', which it is made from
sahm: warning: cg.trc: no time is given, a row is taken for 100 ms
sahm: warning: cg.trc: branch_misses are those of callgrind's simple predictor, 6 to 16 times those that QEMU's recorder models: do not mix the two (docs/models.md)
made.trc: 25 epochs of 100 ms, 1632 bytes, assumed time base; read as callgrind (-f chooses another)
sahm: error: the result would overwrite 'made.trc', which it is made from
[2]
$ cd "$T"; printf 'address,is_write\n1,0\n' >s.csv; sahm ipu signals s.csv ./s.csv
sahm: error: the result would overwrite 's.csv', which it is made from
[2]
## Nor does one take the place of any other file, unless --force is given, nor of one that has appeared since it began. Pipes and devices are written to.
$ cd "$T"; mkdir n && cd n; cp ../k.cfg ../chip.cfg ../g.csv ../st.cfg .; echo 'cycle,address,is_write' >s.csv; echo mine >out; cp out t.json; for c in 'run k.cfg -o out' 'run k.cfg --timeline t.json' 'run - --output=out' 'limit k.cfg -oout' 'optimize k.cfg --cores 2 -o out' 'compare st.cfg -o out' 'query none -o out' 'export none -o out' 'characterize g.csv -o out' 'trace export g.csv -o out' 'trace bursts none -o out' 'ipu compare k.cfg classify -o out' 'ipu study values -o out' 'ipu run watch --abi memory_access --signals s.csv --packets out' 'ipu exec none --trace out' 'ipu exec none --flat --signature out' 'ipu signals s.csv out'; do sahm $c </dev/null; echo $?; done 2>&1 | sort | uniq -c; cat out t.json; ls -A
     17 2
      1 sahm: error: 'out' exists already; --force replaces it
      1 sahm: error: 'out' exists already; --force replaces it, --packets names another
      1 sahm: error: 'out' exists already; --force replaces it, --signature names another
      1 sahm: error: 'out' exists already; --force replaces it, --trace names another
     12 sahm: error: 'out' exists already; --force replaces it, -o names another
      1 sahm: error: 't.json' exists already; --force replaces it, --timeline names another
mine
mine
chip.cfg
g.csv
k.cfg
out
s.csv
st.cfg
t.json
$ cd "$T/n"; sahm run k.cfg -o out --force --timeline t.json; head -n 1 out t.json; ln -s out link; sahm run k.cfg -o link; sahm run k.cfg -o link --force; ls -l link | grep -o 'link -> out'
==> out <==
configuration  k.cfg (ec1556139dc765b2)

==> t.json <==
{"displayTimeUnit":"ms",
sahm: error: 'link' exists already; --force replaces it, -o names another
link -> out
$ cd "$T/n"; mkfifo pipe; (exec 3>pipe; echo mine >new; cat k.cfg >&3) & sahm run pipe -o new; cat new; cat pipe >read & sahm run k.cfg -o pipe; wait; cmp out read; sahm run k.cfg -o /dev/stdout >out; cmp out read; sahm run k.cfg -o /dev/null
sahm: error: 'new' exists already
mine
## A name that nobody has given gets a number where it is taken, also by a command that runs at the same time. A folder keeps its traces.
$ cd "$T/n"; for i in 1 2 3 4; do sahm trace import g.csv -p name=made 2>"said$i" & done; wait; cat said? | sort; cmp made.trc made-4.trc; sahm trace import g.csv -p name=made --force; for i in 1 2; do sahm trace slice made.trc --to-epoch 3; done; sahm trace resample made.trc -e 50 -o made.trc --force
made-2.trc: 107 epochs of 100 ms, 3936 bytes, assumed time base
made-3.trc: 107 epochs of 100 ms, 3936 bytes, assumed time base
made-4.trc: 107 epochs of 100 ms, 3936 bytes, assumed time base
made.trc: 107 epochs of 100 ms, 3936 bytes, assumed time base
made.trc: 107 epochs of 100 ms, 3936 bytes, assumed time base
made-slice.trc: 3 epochs of 100 ms, 1064 bytes, assumed time base
made-slice-2.trc: 3 epochs of 100 ms, 1064 bytes, assumed time base
sahm: error: the result would overwrite 'made.trc', which it is made from
[2]
$ cd "$T/n"; m='-m instructions=1000000*task-clock -m branches=task-clock -m branch_misses=task-clock -a l1i_misses=0 -a l1d_accesses=0 -a l1d_misses=0 -a l2_accesses=0 -a l2_misses=0'; for f in '' '' --force; do sahm trace import "$OLDPWD/tests/data/import/perf_I100_percpu_A.csv" $m --each -o each $f 2>&1 | grep '^each\|^sahm: error'; done; ls each | wc -l; for f in '' '' --force; do sahm trace synth "$OLDPWD/workloads/suites/synthetic/phone.profile" --only mail_sync -o synth $f; done
each/perf_I100_percpu_A-CPU0.trc: 10 epochs of 100 ms, 1072 bytes; read as perf-csv (-f chooses another)
each/perf_I100_percpu_A-CPU1.trc: 10 epochs of 100 ms, 1072 bytes
sahm: error: 'each/perf_I100_percpu_A-CPU0.trc' exists already; --force replaces it
each/perf_I100_percpu_A-CPU0.trc: 10 epochs of 100 ms, 1072 bytes; read as perf-csv (-f chooses another)
each/perf_I100_percpu_A-CPU1.trc: 10 epochs of 100 ms, 1072 bytes
2
synth/mail_sync-synthetic.csv.zst: 800 epochs of 10 ms, synthetic
sahm: error: 'synth/mail_sync-synthetic.csv.zst' exists already; --force replaces it
synth/mail_sync-synthetic.csv.zst: 800 epochs of 10 ms, synthetic
## Nor do two outputs of a command take the same place.
$ cd "$T"; mkdir figs; sahm characterize --plot figs "$OLDPWD/workloads/suites/small/gzip.csv" -o figs/occupancy.csv; sahm characterize --plot figs/ "$OLDPWD/workloads/suites/small/gzip.csv" -o ./figs/intervals.svg; ls figs
sahm: error: --output and --plot would both write 'figs/occupancy.csv'
sahm: error: --output and --plot would both write './figs/intervals.svg'
$ cd "$T"; sahm trace record --via qemu -o x.trc --instructions ./x.trc -- true; ls x.trc
sahm: error: --output and --instructions are the same file, 'x.trc'
ls: cannot access 'x.trc': No such file or directory
[2]
## A database has files beside it. No option and no operand that names an output takes the name of one, whatever the command reads; the others are only read.
$ cd "$T"; sahm sweep "$OLDPWD/configs/canonical.cfg" -a scheduler.inertia=0 -o db -q -j 1; cp db before; sahm help -a | sed -n 's/^  \([a-z]\{2,\}\( [a-z]\{2,\}\)\{0,1\}\)\(  .*\)\{0,1\}$/\1/p' | while IFS= read -r c; do sahm help $c | sed -n 's/^ .* --\([a-z-]*\) [A-Z|]*\(FILE\|DIR\|FOLDER\).*/--\1/p' | while IFS= read -r o; do for e in -wal -shm -journal .manifest; do sahm $c $o db$e 2>&1 | grep -q "'db$e' cannot be written: it belongs to the database 'db'" && echo written || echo read; done | uniq | tr '\n' ' '; echo "$c $o"; done; done
read run --policy
written run --output
written run --timeline
written compare --output
written limit --output
read optimize --costs
read optimize --policy
written optimize --output
written reproduce --output
read reproduce --speedups
read reproduce --costs
written sweep --output
read sweep --policy
read query --costs
written query --output
written report --output
written export --output
written rerun --output
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
written stream import --output
written stream slice --output
read core time --core
read core time --streams
written core time --stamps
written core time --uops
written core time --keep
read core path --core
read core path --streams
written core path --plot
written core path --keep
read core tma --core
read core tma --streams
written core tma --plot
written core tma --keep
read core pics --core
read core pics --elf
written core pics --packets
read core pics --trust
read core pics --streams
written core pics --plot
written core pics --keep
read core stat --core
read core stat --streams
written core stat --keep
read core events --core
read core signals --core
written core signals --output
read core signals --streams
written core signals --plot
written core signals --keep
read core sample --core
written core sample --output
read core sample --report
written core sample --keep
read core whatif --core
read core whatif --streams
written core whatif --plot
written core whatif --keep
read core graph --config
read core graph --core
written core graph --result
read core study --in-order
read core study --out-of-order
read core study --core
read core study --prefetcher
read core study --streams
written core study --plot
written core study --keep
written core specialize --output
read core specialize --baseline
read core specialize --streams
read core epochs --core
written core epochs --output
written core epochs --keep
written policy new --output
read policy build --include
read policy check --include
read ipu run --signals
read ipu run --trust
written ipu run --packets
written ipu run --output
read ipu study --trust
written ipu study --plot
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
read ipu attach --soft
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
$ cd "$T"; ln db-wal other.csv; ln -s db link; sahm export db -o other.csv --force; sahm query link best -o other.csv --force; sahm report link -o ./other.csv; rm other.csv; sahm export db --jsonl -o - | cut -c1-14; ls ./-
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
sahm: error: 'page/index.html' is not a page that sahm made, and is not replaced; -o names another folder
sahm: error: the result would overwrite 'k.elf.sig', which it is made from
index.html
occupancy.csv
study_x.cfg
## A folder's page is replaced by one of the same source, by another one with --force, and if it is sahm's own.
$ mkdir "$T/p"; cd "$T/p"; for s in a b; do sahm sweep "$OLDPWD/configs/canonical.cfg" -s workload.duration_ms=500 -a scheduler.inertia=0 -o $s -q -j 1 && sahm report $s -o $s.page --no-plots | head -n 1; done; for o in '' --force; do sahm report a -o a.page --no-plots $o | head -n 1; sahm report b -o a.page --no-plots $o | head -n 1; done; mkdir mine; echo mine >mine/index.html; sahm report a -o mine --no-plots --force; cat mine/index.html
a.page/index.html: 1 point, 1 done, 0 failed, 0 missing (assumed time base)
b.page/index.html: 1 point, 1 done, 0 failed, 0 missing (assumed time base)
a.page/index.html: 1 point, 1 done, 0 failed, 0 missing (assumed time base)
sahm: error: 'a.page' holds a page made from something else; --force replaces it, -o names another folder
a.page/index.html: 1 point, 1 done, 0 failed, 0 missing (assumed time base)
a.page/index.html: 1 point, 1 done, 0 failed, 0 missing (assumed time base)
sahm: error: 'mine/index.html' is not a page that sahm made, and is not replaced; -o names another folder
mine
## The same source is the same file, however it is named; a file of the same name elsewhere is another one.
$ cd "$T/p"; mkdir other; cp b other/a; ln -s b.page link; for s in b ./b "$T/p/b" other/../b; do for o in b.page b.page/ ./other/../b.page link link/ "$T/p/b.page"; do sahm report "$s" -o "$o" --no-plots; done; done | grep -c index.html; cd b.page && sahm report ../b -o . --no-plots | head -n 1; cd ../other; sahm report a -o ../b.page --no-plots; mv ../a.page ../b.page .; sahm report a -o a.page --no-plots; mv ../b .; sahm report b -o b.page --no-plots | head -n 1
24
./index.html: 1 point, 1 done, 0 failed, 0 missing (assumed time base)
sahm: error: '../b.page' holds a page made from something else; --force replaces it, -o names another folder
sahm: error: 'a.page' holds a page made from something else; --force replaces it, -o names another folder
b.page/index.html: 1 point, 1 done, 0 failed, 0 missing (assumed time base)
## A file beside a page is replaced if that page was written with it, as it is.
$ cd "$T/p"; mkdir own; echo mine >own/threads.csv; sahm report a -o own --no-plots --force; mv own/threads.csv .; sahm report a -o own --no-plots | head -n 1; cp threads.csv own; sahm report a -o own --no-plots --force; rm own/threads.csv; ln -s ../threads.csv own; sahm report a -o own --no-plots --force; rm own/threads.csv; sahm report a -o own --no-plots | head -n 1; cat threads.csv
sahm: error: 'own/threads.csv' was not written with a page of that folder, or was changed since, and is not replaced: move or remove it; -o names another folder
own/index.html: 1 point, 1 done, 0 failed, 0 missing (assumed time base)
sahm: error: 'own/threads.csv' was not written with a page of that folder, or was changed since, and is not replaced: move or remove it; -o names another folder
sahm: error: 'own/threads.csv' was not written with a page of that folder, or was changed since, and is not replaced: move or remove it; -o names another folder
own/index.html: 1 point, 1 done, 0 failed, 0 missing (assumed time base)
mine
$ cd "$T/p"; mkdir claims; echo mine >claims/claims.csv; sahm reproduce t4.3 --no-plots -o claims --force; rm claims/claims.csv; for o in '--suite small' '--suite small' '--suite open' '--suite open --force'; do sahm reproduce t4.3 --no-plots -o claims $o | wc -l; done 2>&1 | grep -v ^0; echo mine >claims/figure_4_2.svg; echo mine >claims/figure_4_3.csv; sahm reproduce 4.2 --no-plots -o claims --suite open --force; rm claims/figure_4_2.svg; sahm reproduce 4.2 --no-plots -o claims --suite open >/dev/null; cat claims/figure_4_3.csv; ls claims
sahm: error: 'claims/claims.csv' was not written with a page of that folder, or was changed since, and is not replaced: move or remove it; -o names another folder
sahm: wrote 'claims/index.html'
14
sahm: wrote 'claims/index.html'
14
sahm: error: 'claims' holds a page made from something else; --force replaces it, -o names another folder
sahm: wrote 'claims/index.html'
14
sahm: error: 'claims/figure_4_2.svg' was not written with a page of that folder, or was changed since, and is not replaced: move or remove it; -o names another folder
sahm: wrote 'claims/index.html'
mine
claims.csv
figure_4_2.csv
figure_4_2.gp
figure_4_3.csv
index.html
study_characterization.cfg
## A suite is the same by any name of it; one that is a path is never a shipped one.
$ cd "$T/p"; cp -r "$OLDPWD/workloads/suites/small" open; for s in ./open "$T/p/open" open; do sahm reproduce t4.3 --no-plots -o suite --suite "$s" >/dev/null; done; for s in real small; do sahm reproduce t4.3 --no-plots -o shipped --suite $s >/dev/null; done
sahm: wrote 'suite/index.html'
sahm: wrote 'suite/index.html'
sahm: error: 'suite' holds a page made from something else; --force replaces it, -o names another folder
sahm: wrote 'shipped/index.html'
sahm: wrote 'shipped/index.html'
$ cd "$T/p"; mkdir figs; echo mine >figs/occupancy.csv; sahm characterize "$T/g.csv" --plot figs; cat figs/*; PATH="$(dirname "$(command -v sahm)")":/nowhere; sahm characterize "$T/g.csv" --plot figs --force >/dev/null 2>&1; sahm characterize "$T/g.csv" --plot figs
sahm: error: 'figs/occupancy.csv' exists already; --force replaces it
mine
sahm: error: 'figs/occupancy_by_cuts.csv' exists already; --force replaces it
[2]
