## Two tenants on 16 cores; threads come and go.
$ sahm run configs/shared-16.cfg --print-config
chip :
{
	cores = (
		{
			type = "baseline";
			count = 2;
			tenant = "web";
		},
		{
			type = "branch";
			speedup_pct = [30.0];
			count = 2;
			tenant = "web";
		},
		{
			type = "l1i";
			speedup_pct = [30.0];
			count = 2;
			tenant = "web";
		},
		{
			type = "l2";
			speedup_pct = [30.0];
			count = 2;
			tenant = "web";
		},
		{
			type = "baseline";
			count = 2;
			tenant = "batch";
		},
		{
			type = "l1d";
			speedup_pct = [30.0];
			count = 2;
			tenant = "batch";
		},
		{
			type = "l2";
			speedup_pct = [30.0];
			count = 2;
			tenant = "batch";
		},
		{
			type = "l2+l1d";
			speedup_pct = [25.0, 25.0];
			count = 2;
			tenant = "batch";
		}
	);
};
migration :
{
	cost_ms = 3.0;
	levels = (
		{
			cores = 2;
			cost_ms = 0.1;
		},
		{
			cores = 8;
			cost_ms = 0.5;
		}
	);
	warmup_ms = 5.0;
};
workload :
{
	traces = (
		{
			file = "@ROOT@/workloads/suites/small/sqlite.csv";
			offset_ms = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
			arrive_ms = [0.0, 500.0, 1000.0, 1500.0, 2000.0, 2500.0];
			repeat = false;
			tenant = "web";
			weight = 100;
		},
		{
			file = "@ROOT@/workloads/suites/small/python.csv";
			offset_ms = [0.0, 1000.0, 2000.0];
			arrive_ms = [250.0, 750.0, 3000.0];
			repeat = false;
			tenant = "web";
			weight = 100;
		},
		{
			file = "@ROOT@/workloads/suites/small/perl.csv";
			offset_ms = [0.0];
			arrive_ms = [100.0];
			repeat = false;
			tenant = "web";
			affinity = "1,2-3";
			weight = 100;
		},
		{
			file = "@ROOT@/workloads/suites/small/sort.csv";
			offset_ms = [0.0, 1400.0, 2800.0, 4200.0];
			arrive_ms = [1000.0, 1000.0, 1000.0, 1000.0];
			repeat = false;
			tenant = "batch";
			weight = 100;
		},
		{
			file = "@ROOT@/workloads/suites/small/gzip.csv";
			offset_ms = [0.0, 0.0];
			arrive_ms = [0.0, 3000.0];
			repeat = false;
			tenant = "batch";
			weight = 100;
		},
		{
			file = "@ROOT@/workloads/suites/small/zstd.csv";
			offset_ms = [0.0, 0.0, 0.0];
			arrive_ms = [0.0, 2000.0, 4000.0];
			repeat = false;
			tenant = "batch";
			weight = 100;
		},
		{
			file = "@ROOT@/workloads/suites/small/xz.csv";
			offset_ms = [0.0];
			arrive_ms = [0.0];
			repeat = false;
			tenant = "batch";
			affinity = "8-15:2";
			weight = 100;
		}
	);
	mode = "together";
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
$ sahm run configs/shared-16.cfg --print-config > "$T/s.cfg"; sahm run "$T/s.cfg" --print-config | cmp - "$T/s.cfg" && sahm run configs/shared-16.cfg --json > "$T/a"; sahm run "$T/s.cfg" --json | cmp - "$T/a" && echo same
same
$ sahm run configs/shared-16.cfg --csv | cut -d, -f1,2,6 | head -n 5
scope,name,migrations
thread,sqlite,1
thread,sqlite#2,7
thread,sqlite#3,9
thread,sqlite#4,7
## Each of its keys counts: changed, the threads run differently.
$ sahm run configs/shared-16.cfg --json > "$T/a"; for s in 'migration.levels=()' migration.warmup_ms=0 'workload.traces[6].affinity=8-15' 'workload.traces[5].arrive_ms=0' 'workload.traces[0].repeat=true'; do sahm run configs/shared-16.cfg --json --set "$s" | sed 1,3d > "$T/b"; sed 1,3d "$T/a" | cmp -s - "$T/b" || echo "$s"; done
migration.levels=()
migration.warmup_ms=0
workload.traces[6].affinity=8-15
workload.traces[5].arrive_ms=0
workload.traces[0].repeat=true
## What is printed of them: whose threads and cores they are, who came when, and who has left.
$ sahm run configs/shared-16.cfg
configuration  shared-16.cfg (5edeb04811cdbd0f)
chip           16 cores: baseline x 2 (web), Branch +30 % x 2 (web), L1I +30 % x 2 (web), L2 +30 % x 2 (web), baseline x 2 (batch), L1D +30 % x 2 (batch), L2 +30 % x 2 (batch), L2+L1D +25 % x 2 (batch)
workload       20 threads on 16 cores; 7 traces, 7 with an assumed time base
scheduler      sahm, inertia 5, timestep 10 ms, observes the last timestep; 0.1, 0.5 or 3 ms per migration by distance, warm-up 5 ms
simulated      11.59 s

thread                    tenant   speedup   served  matched  migrations  baseline time  arrived     left
---------------------------------------------------------------------------------------------------------
sqlite                    web     +29.82 %  99.58 %  99.58 %           1         3.10 s   0.00 s   2.39 s
sqlite#2                  web     +22.52 %  76.77 %  76.77 %           7         3.10 s   0.50 s   3.03 s
sqlite#3                  web     +14.40 %  50.18 %  50.18 %           9         3.10 s   1.00 s   3.71 s
sqlite#4                  web      +9.48 %  33.45 %  33.45 %           7         3.10 s   1.50 s   4.33 s
sqlite#5                  web     +18.21 %  63.12 %  63.12 %          10         3.10 s   2.00 s   4.62 s
sqlite#6                  web     +24.22 %  81.60 %  81.60 %           3         3.10 s   2.50 s   5.00 s
python                    web     +28.18 %  94.65 %  94.65 %           5         5.50 s   0.25 s   4.54 s
python+1000ms             web     +17.61 %  59.27 %  59.27 %           3         4.50 s   0.75 s   4.58 s
python+2000ms             web     +28.56 %  96.34 %  96.34 %           5         3.50 s   3.00 s   5.72 s
perl                      web     +29.84 %  99.63 %  99.63 %           1         3.50 s   0.10 s   2.80 s
sort                      batch    +4.67 %  18.54 %  18.54 %           8         7.00 s   1.00 s   7.69 s
sort+1400ms               batch    +3.74 %  15.37 %  15.37 %           9         5.60 s   1.00 s   6.40 s
sort+2800ms               batch    +4.84 %  36.98 %  36.98 %          10         4.20 s   1.00 s   5.01 s
sort+4200ms               batch   +13.42 %  53.85 %  53.85 %           6         2.80 s   1.00 s   3.47 s
gzip                      batch   +26.27 %  92.49 %  94.76 %           4        10.70 s   0.00 s   8.47 s
gzip#2                    batch   +24.68 %  92.14 %  94.37 %           4        10.70 s   3.00 s  11.58 s
zstd                      batch   +28.48 %  95.55 %  95.55 %           3         4.90 s   0.00 s   3.81 s
zstd#2                    batch   +26.71 %  97.67 %  97.67 %           4         4.90 s   2.00 s   5.87 s
zstd#3                    batch   +28.58 %  96.07 %  96.07 %           4         4.90 s   4.00 s   7.81 s
xz                        batch   +18.86 %  68.69 %  68.69 %           6        13.10 s   0.00 s  11.02 s
---------------------------------------------------------------------------------------------------------
mean (assumed time base)          +20.15 %  71.10 %  71.32 %         5.5

speedup of the system        +19.57 %
throughput, STP              9.008 with 7.53 threads present
turnaround, ANTT             0.837
speedup, arithmetic mean     +20.15 %
speedup, harmonic mean       +19.48 %
speedup, geometric mean      +19.82 %
fairness, Jain               0.995
slow-down, maximum           0.964
unfairness                   1.252
served                       70.22 % of executed timesteps
matched                      70.66 % of executed timesteps
running                      99.46 % of 8735 thread-timesteps
at state transitions         2.56 % of executed timesteps (222)
migrations per second        9.40 (109)
decisions per second         5.78 (67)
mismatched                   25.49 s
migration cost paid          54.50 ms
... of executed time         0.06 %
left                         20 of 20 threads that do not repeat
assumed time base            7 of 7 traces
$ sahm run configs/shared-16.cfg --csv --details | sed -n '1p;2p;/^core,[78] /p;$p'
scope,name,speedup,served_share,matched_share,migrations,executed_timesteps,transition_timesteps,completed_ns,simulated_ns,present_ns,paid_ns,mismatched_ns,arrived_ns,left_ns,share,decisions,speedup_harmonic,speedup_geometric,stp,antt,jain,jain_weighted,slowdown_max,unfairness,mean,low,high,tenant
thread,sqlite,0.2981574539363484,0.99581589958159,0.99581589958159,1,239,7,3100000000,11590000000,2388000000,500000,10000000,0,2388000000,,,,,,,,,,,,,,web
core,7 L2,,0.5705128205128205,0.5705128205128205,,312,,,11590000000,,,1340000000,,,0.26919758412424505,,,,,,,,,,,,,web
core,8 baseline,,0,0.08899297423887588,,427,,,11590000000,,,3890000000,,,0.3684210526315789,,,,,,,,,,,,,batch
system,all (assumed time base),0.1957393196655595,0.7022329650092081,0.7066068139963168,109,8688,222,104400000000,11590000000,87241875064,54500000,25490000000,,,,67,,,9.007765314926662,0.8369431592077431,0.9947170258548625,0.9947170258548625,0.9639587919642857,1.25157302332407,,,,
## A batch that cannot be done: each move costs more than the thread gets done before the next. It is told, and no failure.
$ sahm run configs/shared-16.cfg --set migration.levels='()' --set migration.cost_ms=100s --set scheduler.inertia=0 --set workload.traces='({file="workloads/suites/small/sqlite.csv"; tenant="web"; repeat=false; offset_ms=[0,100,200,300,400,500,600,700,800];})' | tail -n 4
sahm: warning: given up after 279.00 s: 4 of 9 threads had not finished
... of executed time         98.92 %
left                         5 of 9 threads that do not repeat
given up                     after 279.00 s: 4 of 9 threads had not finished
assumed time base            1 of 1 traces
$ sahm run configs/shared-16.cfg --set chip.cores='({type="table"; speedup_pct=[-99,-99,-99,-99,-99,-99,-99,-99,-99,-99,-99,-99,-99,-99,-99,-99];})' --set workload.traces='({file="workloads/suites/small/sqlite.csv"; repeat=false; offset_ms=[0,100];})' --json | grep given_up
sahm: warning: given up after 62.00 s: 2 of 2 threads had not finished
  "given_up": true,
## A list of cores is a string.
$ sed 's/"8-15:2"/[8, 10]/' configs/shared-16.cfg > "$T/l.cfg"; sahm run "$T/l.cfg"
sahm: error: @T@/l.cfg:54: 'workload.traces[6].affinity' must be a string, such as "0,1" or "0-3,8"
[1]
