## The resolved configuration reads back to itself and to the same results, from anywhere.
$ sahm run configs/canonical.cfg --print-config
chip :
{
	cores = (
		{
			type = "baseline";
			count = 1;
		},
		{
			type = "branch";
			speedup_pct = [30.0];
			count = 1;
		},
		{
			type = "l1i";
			speedup_pct = [30.0];
			count = 1;
		},
		{
			type = "l1d";
			speedup_pct = [30.0];
			count = 1;
		},
		{
			type = "l2";
			speedup_pct = [30.0];
			count = 1;
		}
	);
};
migration :
{
	cost_ms = 1.0;
	warmup_ms = 0.0;
};
workload :
{
	traces = (
		{
			file = "@ROOT@/workloads/suites/small/cc1.csv";
			offset_ms = [0.0];
			arrive_ms = [0.0];
			repeat = true;
			weight = 100;
		},
		{
			file = "@ROOT@/workloads/suites/small/gzip.csv";
			offset_ms = [0.0];
			arrive_ms = [0.0];
			repeat = true;
			weight = 100;
		},
		{
			file = "@ROOT@/workloads/suites/small/perl.csv";
			offset_ms = [0.0];
			arrive_ms = [0.0];
			repeat = true;
			weight = 100;
		},
		{
			file = "@ROOT@/workloads/suites/small/python.csv";
			offset_ms = [0.0];
			arrive_ms = [0.0];
			repeat = true;
			weight = 100;
		},
		{
			file = "@ROOT@/workloads/suites/small/sort.csv";
			offset_ms = [0.0];
			arrive_ms = [0.0];
			repeat = true;
			weight = 100;
		},
		{
			file = "@ROOT@/workloads/suites/small/sqlite.csv";
			offset_ms = [0.0];
			arrive_ms = [0.0];
			repeat = true;
			weight = 100;
		},
		{
			file = "@ROOT@/workloads/suites/small/xz.csv";
			offset_ms = [0.0];
			arrive_ms = [0.0];
			repeat = true;
			weight = 100;
		},
		{
			file = "@ROOT@/workloads/suites/small/zstd.csv";
			offset_ms = [0.0];
			arrive_ms = [0.0];
			repeat = true;
			weight = 100;
		}
	);
	mode = "alone";
	duration_ms = 0.0;
	samples = 1;
	seed = 1;
};
scheduler :
{
	policy = "sahm";
	oracle = false;
	inertia = 5;
	timestep_ms = 10.0;
};
cuts :
{
	set = "intuitive";
	branch_pct = 1.0;
	l1i_mpki = 1.0;
	l1d_pct = 2.0;
	l2_pct = 10.0;
};
$ sahm run configs/realistic-39.cfg --print-config > "$T/r.cfg"; sahm run "$T/r.cfg" --print-config | cmp - "$T/r.cfg" && sahm run configs/realistic-39.cfg --json > "$T/a"; sahm run "$T/r.cfg" --json | cmp - "$T/a" && echo same
same
$ cd "$T" && sahm run "$OLDPWD/configs/canonical.cfg" --json | head -n 3
{
  "schema": "sahm-run/1",
  "config_hash": "c59163e74fa55bc47788af35e81973bf1c1e339f38967c1687d52aa332007336",
$ cd configs && sahm run - --json < canonical.cfg | head -n 3
{
  "schema": "sahm-run/1",
  "config_hash": "c59163e74fa55bc47788af35e81973bf1c1e339f38967c1687d52aa332007336",
## The hash covers the contents of traces, not their paths or form.
$ mkdir -p "$T/d" && for t in workloads/suites/small/*.csv; do sahm trace import "$t" -o "$T/d/$(basename "$t" .csv).trc" 2>/dev/null; done; sed -e 's|../workloads/suites/small/||; s|\.csv|.trc|' configs/canonical.cfg > "$T/d/c.cfg"; sahm run "$T/d/c.cfg" --json | grep config_hash
  "config_hash": "c59163e74fa55bc47788af35e81973bf1c1e339f38967c1687d52aa332007336",
$ sed 's/^16000611,/16000612,/' workloads/suites/small/gzip.csv > "$T/gzip.csv"; sahm run configs/canonical.cfg --set "workload.traces[1]=$T/gzip.csv" --json | grep config_hash
  "config_hash": "4ec5ca830bc1ff6a5c8bb887095704a30d35fc6f43c7a115f47db23d44c7dcba",
## Threads that sleep, by weight: the seed counts where bursts are drawn.
$ sahm run configs/canonical.cfg --set 'workload.traces[1]={ file = "../workloads/suites/small/gzip.csv"; weight = 300; bursts = { run_ms = 2.0; sleep = "pareto"; sleep_min_ms = 1.0; sleep_max_ms = 500.0; }; }' --print-config | sed -n '/gzip/,/perl/p'
			file = "@ROOT@/workloads/suites/small/gzip.csv";
			offset_ms = [0.0];
			arrive_ms = [0.0];
			repeat = true;
			weight = 300;
			bursts = {
				run = "exponential";
				run_ms = 2.0;
				sleep = "pareto";
				sleep_min_ms = 1.0;
				sleep_max_ms = 500.0;
				sleep_alpha = 1.5;
			};
		},
		{
			file = "@ROOT@/workloads/suites/small/perl.csv";
$ for seed in 1 2; do for t in '"gzip.csv"' '{ file = "gzip.csv"; nice = 0; }' '{ file = "gzip.csv"; bursts = { run_ms = 2.0; sleep_ms = 2.0; }; }'; do printf 'chip : { cores = ( { type = "baseline"; } ); };\nworkload : { seed = %s; traces = ( %s ); };\n' $seed "$t" > "$T/s.cfg"; sahm run "$T/s.cfg" --json | grep config_hash | cut -c 1-30; done; done
  "config_hash": "4d421b845b03
  "config_hash": "4d421b845b03
  "config_hash": "7591953fe221
  "config_hash": "4d421b845b03
  "config_hash": "4d421b845b03
  "config_hash": "71dcedad9ab4
$ sahm run configs/canonical.cfg --set 'workload.traces[1]={ file = "gzip.csv"; bursts = { run = "parto"; run_ms = 2.0; sleep_ms = 1; }; }'
sahm: error: --set workload.traces[1]={ file = "gzip.csv"; bursts = { run = "parto"; run_ms = 2.0; sleep_ms = 1; }; }: unknown value 'parto' of 'workload.traces[1].bursts.run' (fixed, uniform, exponential, pareto); did you mean 'pareto'?
[2]
$ sahm run configs/canonical.cfg --set 'workload.traces[1]={ file = "gzip.csv"; bursts = { run_ms = 2.0; sleep_ms = 1; sleep_alpha = 2.0; }; }'
sahm: error: --set workload.traces[1]={ file = "gzip.csv"; bursts = { run_ms = 2.0; sleep_ms = 1; sleep_alpha = 2.0; }; }: 'sleep_alpha' has no effect here: sleep times are exponential
[2]
$ sahm run configs/canonical.cfg --set 'workload.traces[1]={ file = "gzip.csv"; bursts = { file = "gzip.csv"; }; }'
sahm: error: @ROOT@/workloads/suites/small/gzip.csv:1: not a list of bursts: the first line is not '# sahm bursts 1' (`sahm trace bursts` makes lists of recordings)
[1]
## Settings from the command line.
$ sahm run configs/canonical.cfg --set scheduler.inertia=0 --set chip.cores[1].speedup_pct=10 --set 'chip.cores[4]={ type = "l2+l1d"; speedup_pct = [30, 20]; count = 2; }' --set workload.duration_ms=995 --set scheduler.policy=static --print-config | grep -vE 'file|offset|[{}]'
chip :
	cores = (
			type = "baseline";
			count = 1;
			type = "branch";
			speedup_pct = [10.0];
			count = 1;
			type = "l1i";
			speedup_pct = [30.0];
			count = 1;
			type = "l1d";
			speedup_pct = [30.0];
			count = 1;
			type = "l2+l1d";
			speedup_pct = [30.0, 20.0];
			count = 2;
	);
migration :
	cost_ms = 1.0;
	warmup_ms = 0.0;
workload :
	traces = (
			arrive_ms = [0.0];
			repeat = true;
			weight = 100;
			arrive_ms = [0.0];
			repeat = true;
			weight = 100;
			arrive_ms = [0.0];
			repeat = true;
			weight = 100;
			arrive_ms = [0.0];
			repeat = true;
			weight = 100;
			arrive_ms = [0.0];
			repeat = true;
			weight = 100;
			arrive_ms = [0.0];
			repeat = true;
			weight = 100;
			arrive_ms = [0.0];
			repeat = true;
			weight = 100;
			arrive_ms = [0.0];
			repeat = true;
			weight = 100;
	);
	mode = "alone";
	duration_ms = 995.0;
	samples = 1;
	seed = 1;
scheduler :
	policy = "static";
	oracle = false;
	inertia = 0;
	timestep_ms = 10.0;
cuts :
	set = "intuitive";
	branch_pct = 1.0;
	l1i_mpki = 1.0;
	l1d_pct = 2.0;
	l2_pct = 10.0;
$ sahm run configs/canonical.cfg --set 'workload.traces=(["a"])'
sahm: error: --set workload.traces=(["a"]): 'workload.traces[0]' must be a string or a group
[2]
$ sahm run configs/canonical.cfg --set 'workload.traces=[]'
sahm: error: --set workload.traces=[]: the workload has no traces
[2]
$ sahm run configs/canonical.cfg --set cuts.set=p25 --set cuts.l2_pct=12.5 --print-config | tail -n 8
cuts :
{
	set = "p25";
	branch_pct = 0.03;
	l1i_mpki = 0.004;
	l1d_pct = 0.5;
	l2_pct = 12.5;
};
$ sahm run configs/canonical.cfg --set 'chip.cores=({type="berti"},{type="Triage+Selective-Flushing"; figure="average"},{type="general"},{type="table"; speedup_pct=(0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,-15.5);})' --print-config | head -n 20
chip :
{
	cores = (
		{
			type = "berti";
			speedup_pct = [13.0];
			count = 1;
		},
		{
			type = "Triage+Selective-Flushing";
			speedup_pct = [23.0, 29.0];
			count = 1;
		},
		{
			type = "general";
			speedup_pct = [5.0];
			count = 1;
		},
		{
			type = "table";
## Several offsets make several threads; what lies beyond the end is refused.
$ sahm run configs/canonical.cfg --set 'workload.traces=({file="workloads/suites/small/gzip.csv"; offset_ms=[0.0, 250.5, 250.5];})' --csv | cut -d, -f1,2
scope,name
thread,gzip
thread,gzip+250.5ms
thread,gzip+250.5ms#2
mean,all (assumed time base)
system,all (assumed time base)
$ sahm run configs/canonical.cfg --set 'workload.traces=({file="workloads/suites/small/gzip.csv"; offset_ms=10699.999999;})' --csv | cut -d, -f1,2
scope,name
thread,gzip+10699.999999ms
mean,all (assumed time base)
system,all (assumed time base)
$ sahm run configs/canonical.cfg --set 'workload.traces=({file="workloads/suites/small/gzip.csv"; offset_ms=10700;})'
sahm: error: --set workload.traces=({file="workloads/suites/small/gzip.csv"; offset_ms=10700;}): offset of 10700 ms lies beyond the end of trace 'gzip' (10700 ms)
[2]
## Traces are found in the data folder too.
$ printf 'chip:{cores=({type="baseline";});}; workload:{traces=["workloads/suites/small/cc1.csv"];};' > "$T/mine.cfg"; SAHM_DATA=. sahm run "$T/mine.cfg" --csv | tail -n 1; SAHM_DATA=/nowhere sahm run "$T/mine.cfg"
system,all (assumed time base),0,0,0,0,190,1,1900000000,1900000000,1900000000,0,1900000000,,,,0,,,1,1,1,1,1,1,,,,
sahm: error: @T@/mine.cfg:1: cannot open trace 'workloads/suites/small/cc1.csv': No such file or directory (nor is it in '/nowhere'); shipped files are looked for in '/nowhere' (SAHM_DATA), which is not a folder
[1]
## Includes are relative to the file that includes.
$ mkdir -p "$T/sub" && printf '@include "sub/chip.cfg"\nworkload:{traces=["workloads/suites/small/cc1.csv"];};\n' > "$T/main.cfg" && printf '# the chip\nchip:{cores=({type="baselin";});};\n' > "$T/sub/chip.cfg"; SAHM_DATA=. sahm run "$T/main.cfg"
sahm: error: @T@/sub/chip.cfg:2: unknown core type 'baselin'; did you mean 'baseline'?
[1]
## Every example reads back to itself and runs.
$ for f in configs/*.cfg; do sahm run "$f" --print-config > "$T/e.cfg" && sahm run "$T/e.cfg" --print-config | cmp - "$T/e.cfg" && sahm run "$f" --set workload.duration_ms=500 > "$T/e.txt" && echo "$f"; done
configs/canonical.cfg
configs/desktop-8.cfg
configs/open-39.cfg
configs/open-measured.cfg
configs/open.cfg
configs/realistic-39.cfg
configs/requests-8.cfg
configs/rtapp-video.cfg
configs/shared-16.cfg
configs/sm8150.cfg
configs/synthetic-39.cfg
configs/weights-4.cfg
## Arrivals, tenants, lists of cores, distances, samples.
$ sahm run configs/canonical.cfg --set 'workload.traces=({file="workloads/suites/small/gzip.csv"; offset_ms=[0, 5]; arrive_ms=(1.5, 0); repeat=false;},{file="workloads/suites/small/gzip.csv"; arrive_ms=[7, 8]; affinity="0,2-3"; tenant="a";})' --set 'chip.cores[0].count=4' --set 'chip.cores[0].tenant=a' --set workload.samples=3 --set workload.seed=5000000000L --set 'migration={warmup_ms=2.5; levels=({cores=2; cost_ms=0.25;}, {cores=4; cost_ms=0.5;});}' --print-config | sed -n '/^migration/,/^scheduler/p'
migration :
{
	cost_ms = 1.0;
	levels = (
		{
			cores = 2;
			cost_ms = 0.25;
		},
		{
			cores = 4;
			cost_ms = 0.5;
		}
	);
	warmup_ms = 2.5;
};
workload :
{
	traces = (
		{
			file = "@ROOT@/workloads/suites/small/gzip.csv";
			offset_ms = [0.0, 5.0];
			arrive_ms = [1.5, 0.0];
			repeat = false;
			weight = 100;
		},
		{
			file = "@ROOT@/workloads/suites/small/gzip.csv";
			offset_ms = [0.0, 0.0];
			arrive_ms = [7.0, 8.0];
			repeat = true;
			tenant = "a";
			affinity = "0,2-3";
			weight = 100;
		}
	);
	mode = "alone";
	duration_ms = 0.0;
	samples = 3;
	seed = 5000000000L;
};
scheduler :
$ sahm run configs/canonical.cfg --set 'chip.cores=({type="baseline"; count=3;})' --set 'migration={matrix_ms=([9, 1, 2], (0.5, 9, 1e-6), [1000000, 3, 9]);}' --print-config | sed -n '/^migration/,/^workload/p'
migration :
{
	matrix_ms = (
		(0,1,2),
		(0.5,0,1e-06),
		(1000000,3,0)
	);
	warmup_ms = 0.0;
};
workload :
## What says nothing leaves the hash as it is: all cores, arrivals in mode alone, the seed of one simulation.
$ sahm run configs/canonical.cfg --set 'workload.traces[0]={file="workloads/suites/small/cc1.csv"; repeat=true; arrive_ms=5; affinity="0-4";}' --set workload.seed=7 --set migration.warmup_ms=0 --json | grep config_hash
  "config_hash": "c59163e74fa55bc47788af35e81973bf1c1e339f38967c1687d52aa332007336",
## Core types of one's own are taken by name, results have it and say which states are scarce, and a configuration that says the same in other words is the same one.
$ w() { echo 'workload : { traces = [ "workloads/suites/small/cc1.csv" ]; };'; }; t='[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]'; { echo "core_types = ( { name = \"measured\"; type = \"table\"; speedup_pct = $t; scarce = [\"L2+L1D\", \"Low\"]; }, { name = \"unused\"; type = \"berti\"; figure = \"average\"; } ); chip : { cores = ( { type = \"measured\"; count = 2; }, { type = \"l2\"; speedup_pct = 3; name = \"big\"; } ); };"; w; } >"$T"/a.cfg; { echo "chip : { cores = ( { type = \"table\"; speedup_pct = $t; count = 2; }, { type = \"l2\"; speedup_pct = 3; } ); };"; w; } >"$T"/b.cfg; for c in a b; do SAHM_DATA=. sahm run "$T"/$c.cfg | sed -n '1,2p;/^cc1/p'; done; SAHM_DATA=. sahm run --print-config "$T"/a.cfg >"$T"/c.cfg; sahm run "$T"/c.cfg | sed -n 1,2p
configuration  a.cfg (f3f4fcd79d6946e3)
chip           3 cores: measured (2 states scarce) x 2, big +3 %
cc1                       +3.64 %  100.00 %  100.00 %           0         1.97 s
configuration  b.cfg (f3f4fcd79d6946e3)
chip           3 cores: table x 2, L2 +3 %
cc1                       +3.64 %  100.00 %  100.00 %           0         1.97 s
configuration  c.cfg (f3f4fcd79d6946e3)
chip           3 cores: measured (2 states scarce) x 2, big +3 %
