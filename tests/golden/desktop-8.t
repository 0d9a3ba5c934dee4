## Threads that sleep: what the configuration says, resolved.
$ sahm run configs/desktop-8.cfg --print-config | sed -n '/traces/,$p'
	traces = (
		{
			file = "@ROOT@/workloads/traces/cc1.csv";
			offset_ms = [0.0, 600.0, 1200.0, 1800.0];
			arrive_ms = [0.0, 0.0, 0.0, 0.0];
			repeat = true;
			weight = 11;
		},
		{
			file = "@ROOT@/workloads/traces/xz.csv";
			offset_ms = [0.0];
			arrive_ms = [0.0];
			repeat = true;
			weight = 10;
		},
		{
			file = "@ROOT@/workloads/traces/gzip.csv";
			offset_ms = [0.0];
			arrive_ms = [0.0];
			repeat = true;
			weight = 1000;
			bursts = {
				run = "fixed";
				run_ms = 0.4;
				sleep = "fixed";
				sleep_ms = 9.6;
			};
		},
		{
			file = "@ROOT@/workloads/traces/zstd.csv";
			offset_ms = [0.0];
			arrive_ms = [0.0];
			repeat = true;
			weight = 305;
			bursts = {
				run = "uniform";
				run_min_ms = 3.0;
				run_max_ms = 9.0;
				sleep = "uniform";
				sleep_min_ms = 8.0;
				sleep_max_ms = 13.0;
			};
		},
		{
			file = "@ROOT@/workloads/traces/python.csv";
			offset_ms = [0.0, 900.0, 1800.0, 2700.0, 3600.0, 4500.0];
			arrive_ms = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
			repeat = true;
			weight = 100;
			bursts = {
				run = "exponential";
				run_ms = 3.0;
				sleep = "pareto";
				sleep_min_ms = 1.0;
				sleep_max_ms = 2000.0;
				sleep_alpha = 1.2;
			};
		},
		{
			file = "@ROOT@/workloads/traces/sqlite.csv";
			offset_ms = [0.0, 1000.0, 2000.0];
			arrive_ms = [0.0, 0.0, 0.0];
			repeat = true;
			weight = 100;
			bursts = {
				run = "exponential";
				run_ms = 1.5;
				sleep = "exponential";
				sleep_ms = 4.0;
			};
		},
		{
			file = "@ROOT@/workloads/traces/perl.csv";
			offset_ms = [0.0, 2000.0];
			arrive_ms = [0.0, 0.0];
			repeat = true;
			weight = 100;
			bursts = {
				run = "pareto";
				run_min_ms = 2.0;
				run_max_ms = 400.0;
				run_alpha = 1.3;
				sleep = "exponential";
				sleep_ms = 150.0;
			};
		}
	);
	mode = "together";
	duration_ms = 20000.0;
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
$ sahm run configs/desktop-8.cfg --print-config > "$T/r.cfg"; sahm run "$T/r.cfg" --print-config | cmp - "$T/r.cfg"; for c in configs/desktop-8.cfg "$T/r.cfg"; do sahm run "$c" --json | grep config_hash; done | uniq | wc -l
1
