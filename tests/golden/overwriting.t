## No command writes over what it reads, whatever it is called there: a configuration, what that includes, its traces.
$ cd "$T"; cp "$OLDPWD/workloads/suites/small/gzip.csv" g.csv; printf 'chip={cores=({type="baseline";count=1;},{type="l1d";speedup_pct=30.0;});};\n' >chip.cfg; printf '@include "chip.cfg"\nworkload={mode="together";traces=["g.csv"];};\n' >k.cfg; printf 'costs_ms=[0.0];\nsuites=({name="one";config="k.cfg";});\npolicies=({policy="static";},{policy="sahm";});\nsubject="sahm";\nreference="static";\n' >st.cfg; cksum *.* >before; for c in 'run k.cfg -o' 'run k.cfg -o x --timeline-form chrome --timeline' 'limit k.cfg -o' 'optimize k.cfg --cores 2 -o' 'compare st.cfg -o' 'ipu compare k.cfg classify -o'; do for f in chip.cfg g.csv k.cfg; do sahm $c $f; echo $?; done; done; sahm compare st.cfg -o st.cfg; cksum *.* | cmp - before; ls
sahm: error: 'chip.cfg' would be overwritten, which is a configuration of this run
2
sahm: error: 'g.csv' would be overwritten, which is a trace of this run
2
sahm: error: the result would overwrite the configuration 'k.cfg'
2
sahm: error: 'chip.cfg' would be overwritten, which is a configuration of this run
2
sahm: error: 'g.csv' would be overwritten, which is a trace of this run
2
sahm: error: the timeline 'k.cfg' would overwrite the configuration
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
sahm: error: 'k.cfg' is the configuration itself
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
