## Numbers with units mean the same as plain ones, and become these where they are written.
$ hash() { sahm run configs/canonical.cfg --json "$@" | grep config_hash; }; hash --set migration.cost_ms=5 --set workload.duration_ms=60000 --set chip.cores[1].speedup_pct=30 >"$T/plain"; hash --set migration.cost_ms=5ms --set workload.duration_ms=60s --set chip.cores[1].speedup_pct=30% | cmp "$T/plain" -; hash --set 'migration.cost_ms="5000 us"' --set workload.duration_ms=60s --set chip.cores[1].speedup_pct=1.3x | cmp "$T/plain" -
$ sed -e 's/cost_ms = [0-9.]*/cost_ms = "250us"/' -e 's/"l2"; *speedup_pct = [^;]*/"l2"; speedup_pct = [ "1.125x" ]/' configs/canonical.cfg >"$T/units.cfg"; sahm run "$T/units.cfg" --print-config | grep -E 'cost_ms|speedup_pct'
			speedup_pct = [30.0];
			speedup_pct = [30.0];
			speedup_pct = [30.0];
			speedup_pct = [12.5];
	cost_ms = 0.25;
$ sahm run configs/canonical.cfg --csv --set migration.cost_ms=2 >"$T/2.csv"; sahm run configs/canonical.cfg --csv --set migration.cost_ms=2000us | cmp - "$T/2.csv"
## So do axes, in the store's manifest, too.
$ s() { n=$1; shift; sahm sweep configs/canonical.cfg --set workload.duration_ms=500 -q -o "$T/$n.sqlite" "$@"; }; s plain -a migration.cost_ms=0,0.5,5 -a 'chip.cores[1].speedup_pct=10..30..10'; s units -a migration.cost_ms=0,500us,5ms -a 'chip.cores[1].speedup_pct=1.1x..1.3x..0.1x'; cmp "$T/plain.sqlite.manifest" "$T/units.sqlite.manifest"; grep -c migration.cost_ms "$T/units.sqlite.manifest"
1
$ s() { sahm sweep configs/canonical.cfg -n -o "$T/a.sqlite" -a scheduler.timestep_ms=$1 | grep -o '[0-9]* points'; }; s 1us..9us; s 5ms..1s..5ms; s 5ms..1s; s 1ms..9ms..2ms
9 points
200 points
sahm: error: --axis scheduler.timestep_ms=5ms..1s: range '5ms..1s' has two units and no step
5 points
## A unit that does not fit.
$ sed 's/cost_ms = [0-9.]*/cost_ms = "5%"/' configs/canonical.cfg >"$T/wrong.cfg"; sahm run "$T/wrong.cfg"; sahm run configs/canonical.cfg --set cuts.l2_pct=1.3x
sahm: error: @T@/wrong.cfg:16: 'migration.cost_ms' is '5%', must be in ns, us, ms or s
sahm: error: --set cuts.l2_pct=1.3x: 'cuts.l2_pct' is '1.3x', must be in %
[2]
$ for text in 5ux -5us "5 parsecs" 5 us 0.0001ns; do sed "s/cost_ms = [0-9.]*/cost_ms = \"$text\"/" configs/canonical.cfg >"$T/wrong.cfg"; sahm run "$T/wrong.cfg"; done
sahm: error: @T@/wrong.cfg:16: 'migration.cost_ms' is '5ux', must be in ns, us, ms or s
sahm: error: @T@/wrong.cfg:16: 'migration.cost_ms' is -0.005, must be from 0 to 1000000 ms
sahm: error: @T@/wrong.cfg:16: 'migration.cost_ms' is '5 parsecs', must be in ns, us, ms or s
sahm: error: @T@/wrong.cfg:16: 'migration.cost_ms' must be a number
sahm: error: @T@/wrong.cfg:16: 'migration.cost_ms' must be a number
sahm: error: @T@/wrong.cfg:16: 'migration.cost_ms' is '0.0001ns', which has more than nine decimals in ms
[1]
$ sahm sweep configs/canonical.cfg -o "$T/b.sqlite" -a migration.cost_ms=1,5%; sahm sweep configs/canonical.cfg -o "$T/b.sqlite" -a migration.cost_ms=1..9us; sahm sweep configs/canonical.cfg -o "$T/b.sqlite" -a migration.cost_ms=1ms..9%
sahm: error: --axis migration.cost_ms=1,5%: 'migration.cost_ms' is '5%', must be in ns, us, ms or s
sahm: error: --axis migration.cost_ms=1..9us: range '1..9us' has a unit at some of its numbers only
sahm: error: --axis migration.cost_ms=1ms..9%: 'migration.cost_ms' is '9%', must be in ns, us, ms or s
[2]
## A number that looks as if another unit was meant: how it is taken, once.
$ sed -e 's/speedup_pct = [^;]*/speedup_pct = 1.3/' configs/canonical.cfg >"$T/unusual.cfg"; sahm run "$T/unusual.cfg" --set workload.duration_ms=60 --csv >/dev/null
sahm: warning: @T@/unusual.cfg:9: speedup_pct = 1.3 is taken as 1.3 %; for a factor write "1.3x"
sahm: warning: --set workload.duration_ms=60: duration_ms = 60 is taken as 60 ms; for seconds write "60s"
$ sahm sweep configs/canonical.cfg -q -o "$T/c.sqlite" --set workload.duration_ms=60 -a migration.cost_ms=0,1000,2000 -a scheduler.timestep_ms=0.01..0.03..0.01
sahm: warning: --set workload.duration_ms=60: duration_ms = 60 is taken as 60 ms; for seconds write "60s"
sahm: warning: --axis migration.cost_ms=0,1000,2000: cost_ms = 1000 is taken as 1000 ms; for microseconds write "1000us"
sahm: warning: --axis scheduler.timestep_ms=0.01..0.03..0.01: timestep_ms = 0.01 is taken as 0.01 ms; for seconds write "0.01s"
$ sahm rerun "$T/c.sqlite.manifest" -q -o "$T/d.sqlite" 2>&1 | grep taken
[1]
$ sahm optimize configs/canonical.cfg --cores 1 --set workload.duration_ms=60 2>&1 >/dev/null | grep taken
sahm: warning: --set workload.duration_ms=60: duration_ms = 60 is taken as 60 ms; for seconds write "60s"
## None in what comes with sahm.
$ for c in configs/*.cfg configs/studies/*-39.cfg configs/studies/paper/*.cfg; do sahm run "$c" --print-config; done 2>&1 >/dev/null | grep taken; for c in configs/studies/space-39.cfg configs/studies/paper/[bgr]*.cfg; do sahm sweep $c -n -o "$T/e.sqlite" --shard 1/4000; done 2>&1 >/dev/null | grep taken
[1]
## Costs from a profile are written as numbers.
$ sahm run configs/requests-8.cfg --print-config | sed -n '/^migration/,/^}/p'
migration :
{
	cost_ms = 0.0386;
	levels = (
		{
			cores = 4;
			cost_ms = 0.0042;
		}
	);
	warmup_ms = 0.5;
};
$ sahm run configs/requests-8.cfg --print-config >"$T/r.cfg"; for c in configs/requests-8.cfg "$T/r.cfg"; do sahm run "$c" --csv | md5sum; done | uniq | wc -l
1
