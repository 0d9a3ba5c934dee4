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
			file = "@ROOT@/workloads/traces/sqlite.csv";
			offset_ms = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
			arrive_ms = [0.0, 500.0, 1000.0, 1500.0, 2000.0, 2500.0];
			repeat = false;
			tenant = "web";
		},
		{
			file = "@ROOT@/workloads/traces/python.csv";
			offset_ms = [0.0, 1000.0, 2000.0];
			arrive_ms = [250.0, 750.0, 3000.0];
			repeat = false;
			tenant = "web";
		},
		{
			file = "@ROOT@/workloads/traces/perl.csv";
			offset_ms = [0.0];
			arrive_ms = [100.0];
			repeat = false;
			tenant = "web";
			affinity = "1,2-3";
		},
		{
			file = "@ROOT@/workloads/traces/sort.csv";
			offset_ms = [0.0, 1400.0, 2800.0, 4200.0];
			arrive_ms = [1000.0, 1000.0, 1000.0, 1000.0];
			repeat = false;
			tenant = "batch";
		},
		{
			file = "@ROOT@/workloads/traces/gzip.csv";
			offset_ms = [0.0, 0.0];
			arrive_ms = [0.0, 3000.0];
			repeat = false;
			tenant = "batch";
		},
		{
			file = "@ROOT@/workloads/traces/zstd.csv";
			offset_ms = [0.0, 0.0, 0.0];
			arrive_ms = [0.0, 2000.0, 4000.0];
			repeat = false;
			tenant = "batch";
		},
		{
			file = "@ROOT@/workloads/traces/xz.csv";
			offset_ms = [0.0];
			arrive_ms = [0.0];
			repeat = false;
			tenant = "batch";
			affinity = "8-15:2";
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
