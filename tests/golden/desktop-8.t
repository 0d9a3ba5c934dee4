## Threads that sleep: what the configuration says, resolved.
$ sahm run configs/desktop-8.cfg --print-config | sed -n '/traces/,$p'
	traces = (
		{
			file = "@ROOT@/workloads/suites/small/cc1.csv";
			offset_ms = [0.0, 600.0, 1200.0, 1800.0];
			arrive_ms = [0.0, 0.0, 0.0, 0.0];
			repeat = true;
			weight = 11;
		},
		{
			file = "@ROOT@/workloads/suites/small/xz.csv";
			offset_ms = [0.0];
			arrive_ms = [0.0];
			repeat = true;
			weight = 10;
		},
		{
			file = "@ROOT@/workloads/suites/small/gzip.csv";
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
			file = "@ROOT@/workloads/suites/small/zstd.csv";
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
			file = "@ROOT@/workloads/suites/small/python.csv";
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
			file = "@ROOT@/workloads/suites/small/sqlite.csv";
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
			file = "@ROOT@/workloads/suites/small/perl.csv";
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
	changes = (
		{
			at_ms = 10000.0;
			thread = 4;
			weight = 1;
		},
		{
			at_ms = 10000.0;
			thread = 4;
			affinity = "0,7";
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
## Threads that sleep, under a policy for them: waits beside speedups.
$ sahm run configs/desktop-8.cfg --policy fair
configuration  desktop-8.cfg (36ba8121c94c2027)
chip           8 cores: baseline x 4, Branch +30 %, L1I +30 %, L1D +30 %, L2 +30 %
workload       18 threads on 8 cores; 7 traces, 7 with an assumed time base
scheduler      fair, inertia 5, timestep 10 ms, observes the last timestep; 0.0042 ms per migration, warm-up 0.5 ms
simulated      20.00 s
throughput     STP 8.461 baseline cores
slow-down      mean 1.33 (ANTT), 8.7 % more than 1.22 by fair shares of 8 baseline cores
               (speedup compares with a whole core, gain with a fair share)

thread                     speedup      gain   served  matched  migrations  baseline time    slept
--------------------------------------------------------------------------------------------------
cc1                        +6.94 %  +30.84 %  29.34 %  29.34 %          67        21.39 s   0.00 s
cc1+600ms                 +10.08 %  +34.68 %  43.82 %  43.82 %         105        22.02 s   0.00 s
cc1+1200ms                 -0.67 %  +21.53 %  11.78 %  11.78 %         192        19.87 s   0.00 s
cc1+1800ms                +12.69 %  +37.87 %  51.08 %  51.08 %          90        22.54 s   0.00 s
xz                         +0.98 %  +23.55 %  22.79 %  22.79 %          93        20.20 s   0.00 s
gzip                       -6.21 %  +14.75 %  16.43 %  16.43 %         200         0.80 s  19.15 s
zstd                      -15.29 %   +3.63 %  18.70 %  18.70 %         500         6.77 s  12.00 s
python                    -32.40 %  -17.30 %  26.66 %  26.66 %        1032         6.73 s  10.05 s
python+900ms              -33.27 %  -18.36 %  24.77 %  24.77 %         978         6.52 s  10.23 s
python+1800ms             -34.60 %  -19.98 %  26.76 %  26.76 %        1034         6.41 s  10.20 s
python+2700ms             -34.66 %  -20.06 %  23.89 %  23.89 %        1112         6.85 s   9.52 s
python+3600ms             -34.04 %  -19.30 %  23.36 %  23.36 %        1081         6.89 s   9.56 s
python+4500ms             -32.86 %  -17.85 %  25.52 %  25.52 %         987         6.71 s  10.01 s
sqlite                    -42.65 %  -29.84 %  20.35 %  20.35 %        1026         4.63 s  11.92 s
sqlite+1000ms             -42.96 %  -30.22 %  18.15 %  18.15 %        1005         4.61 s  11.92 s
sqlite+2000ms             -42.80 %  -30.02 %  16.41 %  16.41 %         986         4.60 s  11.95 s
perl                      -24.69 %   -7.87 %  16.24 %  16.24 %          63         0.70 s  19.07 s
perl+2000ms               -26.13 %   -9.62 %  14.71 %  14.71 %          75         1.00 s  18.65 s
--------------------------------------------------------------------------------------------------
mean (assumed time base)  -20.70 %   -2.98 %  23.93 %  23.93 %       590.3

speedup of the system        +8.29 %
throughput, STP              8.461 with 18.00 threads present
turnaround, ANTT             1.330
speedup, arithmetic mean     -20.70 %
speedup, harmonic mean       -24.83 %
speedup, geometric mean      -22.84 %
fairness, Jain               0.946
fairness by weight, Jain     0.366
slow-down, maximum           1.753
unfairness                   1.976
served                       28.33 % of executed timesteps
matched                      28.33 % of executed timesteps
running                      79.78 % of 195.75 s in which threads were awake
at state transitions         2.13 % of executed timesteps (332)
migrations per second        531.30 (10626)
decisions per second         531.30 (10626)
mismatched                   111.93 s
migration cost paid          44.63 ms
... of executed time         0.03 %
wake-up latency, p50         0.10 ms
wake-up latency, p95         3.13 ms
wake-up latency, p99         5.18 ms
run-queue wait, p50          0.43 ms
run-queue wait, p95          3.72 ms
run-queue wait, p99          6.03 ms
assumed time base            7 of 7 traces
