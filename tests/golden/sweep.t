## A sweep from the command line. How long it takes is cut off.
$ sahm sweep configs/canonical.cfg --set workload.duration_ms=2000 --axis scheduler.inertia=0..4..2 --axis migration.cost_ms=0,1 --zip cuts.set=p50,intuitive -o "$T/s.sqlite" | sed 's/; 6 in .*//'
space     6 points: scheduler.inertia (3) x migration.cost_ms+cuts.set (2)
runs      6 different
result    @T@/s.sqlite: 6 done
manifest  @T@/s.sqlite.manifest
ask       sahm query '@T@/s.sqlite'
## Done is done
$ sahm sweep configs/canonical.cfg --set workload.duration_ms=2000 --axis scheduler.inertia=0..4..2 --axis migration.cost_ms=0,1 --zip cuts.set=p50,intuitive -o "$T/s.sqlite"
space     6 points: scheduler.inertia (3) x migration.cost_ms+cuts.set (2)
runs      6 different, of which 6 the results file has already
result    @T@/s.sqlite: 6 done
manifest  @T@/s.sqlite.manifest
ask       sahm query '@T@/s.sqlite'
$ sahm sweep configs/canonical.cfg --set workload.duration_ms=2000 --axis scheduler.inertia=0..4..2 --axis migration.cost_ms=0,1 --zip cuts.set=p50,intuitive -o "$T/s.sqlite" --dry-run
space     6 points: scheduler.inertia (3) x migration.cost_ms+cuts.set (2)
runs      6 different, of which 6 the results file has already
estimate  nothing is left to do
## The program's version is cut off, too.
$ sed 's/program = .*/program = ...;/; s/identity = .*/identity = ...;/' "$T/s.sqlite.manifest"
# Manifest of a sweep of canonical.cfg: `sahm rerun` does it again and compares.
chip = {
	cores = (
		{
			type = "baseline";
		},
		{
			type = "branch";
			speedup_pct = 30.0;
		},
		{
			type = "l1i";
			speedup_pct = 30.0;
		},
		{
			type = "l1d";
			speedup_pct = 30.0;
		},
		{
			type = "l2";
			speedup_pct = 30.0;
		}
	);
};
migration = {
	cost_ms = 1.0;
};
workload = {
	mode = "alone";
	traces = ["workloads/suites/small/cc1.csv", "workloads/suites/small/gzip.csv", "workloads/suites/small/perl.csv", "workloads/suites/small/python.csv", "workloads/suites/small/sort.csv", "workloads/suites/small/sqlite.csv", "workloads/suites/small/xz.csv", "workloads/suites/small/zstd.csv"];
	duration_ms = 2000;
};
scheduler = {
	policy = "sahm";
	inertia = 5;
	timestep_ms = 10.0;
};
cuts = {
	set = "intuitive";
};
sweep :
{
	evaluator = "run";
	axes = (
		{ name = "scheduler.inertia"; key = "scheduler.inertia"; values = "0..4..2"; },
		{ name = "migration.cost_ms+cuts.set"; zip = (
			{ key = "migration.cost_ms"; values = (0, 1); },
			{ key = "cuts.set"; values = ("p50", "intuitive"); } ); }
	);
};
manifest = {
	program = ...;
	identity = ...;
	shard = "1/1";
	threads = true;
	timeout_s = 0;
	points = 6;
	block = 1;
	results = [
		"ae5454d3116fe2fc2d6974b7775bfc37",
		"9085b37fa5195fcb2db5f37d3788bf18",
		"fc275aa1f4a6236de986129f78bfb945",
		"037700e29126405d0fc05bb5113d57c1",
		"5f2ef55f464e6cd233da46f43dd7ab26",
		"1c75ea8ac02d12baa388bc6ec469e124"
	];
	inputs = (
		{ kind = "trace"; file = "workloads/suites/small/cc1.csv"; hash = "fa59524f0825bb59e594212c15fd555e4829a4221b6bf241ce296fed5ee764e1"; },
		{ kind = "trace"; file = "workloads/suites/small/gzip.csv"; hash = "cddf08ee0d4b8483bf95f57633c7cf911ab25987911635257e267e1a219a2ea4"; },
		{ kind = "trace"; file = "workloads/suites/small/perl.csv"; hash = "74f89009d835b2639517fed8c6b40b25c6c29ad145cd50907a74e7766c52adad"; },
		{ kind = "trace"; file = "workloads/suites/small/python.csv"; hash = "7603b0d4c576200701936aabf422ddd9c31f1eaf38c91a7ac3f559b7313577c6"; },
		{ kind = "trace"; file = "workloads/suites/small/sort.csv"; hash = "415021f95936509c0b3fde055dabcf872cab17e6d498e565ab6335d34fad62ae"; },
		{ kind = "trace"; file = "workloads/suites/small/sqlite.csv"; hash = "c6f92cbde4cbb5055f49da076ae5b4210b0b271f3d768046b65c478b168b5779"; },
		{ kind = "trace"; file = "workloads/suites/small/xz.csv"; hash = "3c7e429340051800abbf0c6cb447fd8574f6b60810a45a30a0e5c40a738eed22"; },
		{ kind = "trace"; file = "workloads/suites/small/zstd.csv"; hash = "0af4fdc10011b9a5d94038c1bc8ab110ff8d44d87a1bc01e1e9a1e6955f254e4"; }
	);
};
$ sahm export "$T/s.sqlite" | cut -d, -f1-6,9,10-15
position,scheduler.inertia,migration.cost_ms+cuts.set,state,message,hash,nr_cores,nr_threads,synthetic,nominal_time,speedup_mean,speedup_harmonic,speedup_geometric
0,0,"0, p50",done,,1 baseline + 1 branch 30 % + 1 l1i 30 % + 1 l1d 30 % + 1 l2 30 %,5,8,false,true,0.2982980769375,0.2982978568978545
1,0,"1, intuitive",done,,1 baseline + 1 branch 30 % + 1 l1i 30 % + 1 l1d 30 % + 1 l2 30 %,5,8,false,true,0.29713365381249995,0.2971324340970163
2,2,"0, p50",done,,1 baseline + 1 branch 30 % + 1 l1i 30 % + 1 l1d 30 % + 1 l2 30 %,5,8,false,true,0.2982980769375,0.2982978568978545
3,2,"1, intuitive",done,,1 baseline + 1 branch 30 % + 1 l1i 30 % + 1 l1d 30 % + 1 l2 30 %,5,8,false,true,0.29713365381249995,0.2971324340970163
4,4,"0, p50",done,,1 baseline + 1 branch 30 % + 1 l1i 30 % + 1 l1d 30 % + 1 l2 30 %,5,8,false,true,0.2982980769375,0.2982978568978545
5,4,"1, intuitive",done,,1 baseline + 1 branch 30 % + 1 l1i 30 % + 1 l1d 30 % + 1 l2 30 %,5,8,false,true,0.29713365381249995,0.2971324340970163
$ sahm export "$T/s.sqlite" --threads | head -n 4 | cut -d, -f1-9 | sed "s/[0-9a-f]\{64\}/HASH/"
position,scheduler.inertia,migration.cost_ms+cuts.set,hash,synthetic,nominal_time,thread,name,speedup
0,0,"0, p50",HASH,false,true,0,cc1
0,0,"0, p50",HASH,false,true,1,gzip
0,0,"0, p50",HASH,false,true,2,perl
$ sahm export "$T/s.sqlite" --jsonl | head -n 1 | cut -c1-200 | sed "s/[0-9a-f]\{64\}/HASH/"
{"position": 0, "scheduler.inertia": 0, "migration.cost_ms+cuts.set": "0, p50", "state": "done", "message": null, "hash": "HASH", "program":
$ sahm rerun "$T/s.sqlite.manifest"
6 points: every byte is as in @T@/s.sqlite.manifest
$ sed 's/"[0-9a-f]\{32\}",/"00000000000000000000000000000000",/' "$T/s.sqlite.manifest" > "$T/wrong.manifest"; sahm rerun "$T/wrong.manifest"
sahm: error: results differ from those of '@T@/wrong.manifest' in 5 of 6 digests, the first of point 0
[1]
$ sed 's/hash = "./hash = "x/' "$T/s.sqlite.manifest" > "$T/trace.manifest"; sahm rerun "$T/trace.manifest" 2>&1 | sed 's/is [0-9a-f]*, not .*/.../'
sahm: error: trace 'workloads/suites/small/cc1.csv' has other contents than when the manifest was made: its hash ...
$ sahm rerun configs/canonical.cfg
sahm: error: canonical.cfg: it has no section 'manifest': `sahm sweep` writes one beside the results file when a sweep is done
[1]
$ sahm rerun
sahm: error: a manifest is missing: sahm rerun MANIFEST
[2]
## Shards, each in a store of its own
$ for i in 1 2 3; do sahm sweep configs/canonical.cfg -s workload.duration_ms=2000 -a scheduler.inertia=0..4..2 -a migration.cost_ms=0,1 -z cuts.set=p50,intuitive -o "$T/$i.sqlite" --shard $i/3 -q; done
$ sahm export "$T/2.sqlite" | cut -d, -f1-4
sahm: warning: 4 of 6 points of the sweep are not in the results file, which has a part of it
position,scheduler.inertia,migration.cost_ms+cuts.set,state
1,0,"1, intuitive"
4,4,"0, p50"
$ sahm merge "$T/all.sqlite" "$T"/[123].sqlite && sahm export "$T/all.sqlite" | cmp - "$T/whole.csv" 2>/dev/null || { sahm export "$T/s.sqlite" > "$T/whole.csv"; sahm export "$T/all.sqlite" | cmp - "$T/whole.csv" && echo the same; }
the same
## What is done is not done again in a larger space, and a missing part is told of
$ sahm sweep configs/canonical.cfg -s workload.duration_ms=2000 -a scheduler.inertia=0..6..2 -a migration.cost_ms=0,1 -z cuts.set=p50,intuitive -o "$T/2.sqlite" -n | head -n 2
space     8 points: scheduler.inertia (4) x migration.cost_ms+cuts.set (2)
runs      8 different, of which 2 the results file has already
## By the limit
$ sahm sweep configs/canonical.cfg -a chip=paper -e limit -o "$T/limit.sqlite" -q && sahm export "$T/limit.sqlite" | sed -n '1p;256p;$p' | cut -d, -f1-4,7-10
position,chip,state,message,made_of,nr_cores,nr_threads,synthetic
254,branch:20+l1i:30+l1d:30+l2:30,done,,1 baseline + 1 branch 20 % + 1 l1i 30 % + 1 l1d 30 % + 1 l2 30 %,5,8,false
255,branch:30+l1i:30+l1d:30+l2:30,done,,1 baseline + 1 branch 30 % + 1 l1i 30 % + 1 l1d 30 % + 1 l2 30 %,5,8,false
## Failing runs cost themselves alone
$ sahm sweep configs/canonical.cfg -a scheduler.policy=sahm,"$(dirname "$(command -v sahm)")"/tests/plugins/gives_up.so -a scheduler.inertia=0,5 -o "$T/f.sqlite" -q
sahm: error: 2 runs failed: `sahm query '@T@/f.sqlite' failed` says why, --retry-failed runs them again
[1]
$ sahm export "$T/f.sqlite" | cut -d, -f1,3-5
sahm: warning: 2 of 4 points failed: column 'message' says why, `sahm sweep --retry-failed` tries again
position,scheduler.inertia,state,message
0,0,done,
1,5,done,
2,0,failed,policy 'gives-up' at 10.000000 ms: it reports an error: thread 1 is not to my liking
3,5,failed,policy 'gives-up' at 10.000000 ms: it reports an error: thread 1 is not to my liking
## How long a run may take is in the manifest
$ sahm sweep configs/canonical.cfg -a scheduler.policy="$(dirname "$(command -v sahm)")"/tests/plugins/hangs.so --timeout 1 -o "$T/h.sqlite" -q; grep timeout "$T/h.sqlite.manifest"
sahm: error: 1 run failed: `sahm query '@T@/h.sqlite' failed` says why, --retry-failed runs them again
	timeout_s = 1;
$ timeout 60 sahm rerun "$T/h.sqlite.manifest"
1 point: every byte is as in @T@/h.sqlite.manifest
## Threads that were not kept are made good
$ sahm sweep configs/canonical.cfg -s workload.duration_ms=2000 -a scheduler.inertia=0..4..2 --no-threads -o "$T/n.sqlite" -q
$ sahm export "$T/n.sqlite" --threads | wc -l
1
$ sahm sweep configs/canonical.cfg -s workload.duration_ms=2000 -a scheduler.inertia=0..6..2 -o "$T/n.sqlite" --dry-run | sed -n 2p
runs      4 different; 3 were kept without their threads, and are run again
$ sahm sweep configs/canonical.cfg -s workload.duration_ms=2000 -a scheduler.inertia=0..6..2 -o "$T/n.sqlite" | sed -n 2p
runs      4 different; 3 were kept without their threads, and are run again
$ sahm export "$T/n.sqlite" --threads | wc -l
33
$ sahm sweep configs/canonical.cfg -s workload.duration_ms=2000 -a scheduler.inertia=0..6..2 -o "$T/n.sqlite" | sed -n 2p
runs      4 different, of which 4 the results file has already
$ sahm rerun "$T/n.sqlite.manifest"
4 points: every byte is as in @T@/n.sqlite.manifest
## Names stay as they are
$ printf '%s\n' '@include "'"$PWD"'/configs/canonical.cfg"' 'sweep = { axes = ( { points = ( { name = "007"; }, { name = "7"; }, { name = "1.0"; }, { name = "-0"; } ); } ); };' > "$T/names.cfg"
$ sahm sweep "$T/names.cfg" -s workload.duration_ms=500 -o "$T/names.sqlite" -q && sahm export "$T/names.sqlite" | cut -d, -f1-3
position,point,state
0,007,done
1,7,done
2,1.0,done
3,-0,done
$ sahm query "$T/names.sqlite" best --where point=007 --csv | cut -d, -f1,3
position,point
0,007
## A shard too many
$ sahm sweep configs/canonical.cfg -s workload.duration_ms=500 -a scheduler.inertia=0..2 --shard 5/9 -o "$T/none.sqlite"
space     3 points: scheduler.inertia (3); shard 5 of 9 has no points
runs      0 different
result    @T@/none.sqlite: 0 done
manifest  none, since there are no points
ask       sahm query '@T@/none.sqlite'
$ ls "$T" | grep none
none.sqlite
## Prices of mixes stand in the manifest: the table may change
$ printf '%s\n' 'cores = ( { type = "baseline"; area_mm2 = 1; source = "made up"; }, { type = "l2"; area_mm2 = 2; source = "made up"; } );' > "$T/costs.cfg"
$ sahm sweep configs/canonical.cfg -s workload.duration_ms=500 -a 'chip=mixes:cores=4,least_cores=1,max_area_mm2=4,costs="'"$T/costs.cfg"'",types=({type="baseline";},{type="l2";speedup_pct=30;})' -o "$T/m.sqlite" -q
$ sed -i 's/= 1;/= 3;/' "$T/costs.cfg"; grep -A4 mixes "$T/m.sqlite.manifest"
		{ name = "chip"; generator = "mixes"; cores = 4; least_cores = 1; max_area_mm2 = 4.0;
			types = (
				{ type = "baseline"; least = 0; most = 4; area_mm2 = 1.0; },
				{ type = "l2"; speedup_pct = (30); least = 0; most = 4; area_mm2 = 2.0; } ); }
	);
$ sahm rerun "$T/m.sqlite.manifest"
8 points: every byte is as in @T@/m.sqlite.manifest
## What is wrong
$ sahm sweep
sahm: error: a configuration is missing: sahm sweep CONFIG
[2]
$ sahm sweep configs/canonical.cfg --axis scheduler.inertai=0,1 -o "$T/x.sqlite"
sahm: error: --axis scheduler.inertai=0,1: unknown key 'scheduler.inertai'; did you mean 'scheduler.inertia'?
[2]
$ sahm sweep configs/canonical.cfg --axis scheduler.inertia=0,-1 -o "$T/x.sqlite"
sahm: error: point 1 (scheduler.inertia=-1): 'scheduler.inertia' is -1, must be from 0 to 1000000 scheduling passes
[2]
$ sahm sweep configs/canonical.cfg --axis chip.cores[1].count=1,5000 -o "$T/x.sqlite"
sahm: error: point 1 (chip.cores[1].count=5000): 'chip.cores[1].count' is 5000, must be from 0 to 4096
[2]
$ sahm sweep configs/canonical.cfg --zip scheduler.inertia=0,1 -o "$T/x.sqlite"
sahm: error: --zip scheduler.inertia=0,1: there is no --axis before it
[2]
$ sahm sweep configs/canonical.cfg --axis scheduler.inertia=0,1 -j 0 -o "$T/x.sqlite"
sahm: error: --jobs is a whole number from 1 to 1024, not '0'
[2]
$ sahm sweep configs/canonical.cfg --axis scheduler.inertia=0,1 --shard 3/2 -o "$T/x.sqlite"
sahm: error: --shard is written as I/N, I from 1 to N, not '3/2'
[2]
$ sahm sweep configs/canonical.cfg --axis scheduler.inertia=0,1 --evaluator runn -o "$T/x.sqlite"
sahm: error: unknown evaluator 'runn', must be run or limit; did you mean 'run'?
[2]
$ sahm sweep configs/canonical.cfg --axis scheduler.inertia=0,1 -o README.md
sahm: error: 'README.md' is not a results database; `sahm sweep CONFIG -o FILE` makes one
[1]
$ sahm sweep configs/canonical.cfg --axis scheduler.inertia=0,1 -o "$T/no/such/x.sqlite"
sahm: error: cannot write results file '@T@/no/such/x.sqlite': No such file or directory
[1]
$ sahm sweep no.cfg --axis scheduler.inertia=0,1 -o "$T/x.sqlite"
sahm: error: cannot open 'no.cfg': No such file or directory
[1]
$ ls "$T" | grep x.sqlite
[1]
## A policy is one of the settings of all points
$ sahm sweep configs/canonical.cfg -s workload.duration_ms=500 -p static -a scheduler.inertia=0,1 -o "$T/p.sqlite" -q && sahm query "$T/p.sqlite" config | grep policy
	policy = "static";
## Former names still work.
$ for generator in paper study; do sahm sweep configs/canonical.cfg -a chip=$generator -e limit --store "$T/$generator.sqlite" -q; sahm export "$T/$generator.sqlite" -o "$T/$generator.csv"; done; cmp "$T/paper.csv" "$T/study.csv"
