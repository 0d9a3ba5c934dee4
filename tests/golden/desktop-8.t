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
configuration  desktop-8.cfg (e642d1a72780190a)
chip           8 cores: baseline x 4, Branch +30 %, L1I +30 %, L1D +30 %, L2 +30 %
workload       18 threads on 8 cores; 7 traces, 7 with an assumed time base
scheduler      fair, inertia 5, timestep 10 ms, observes the last timestep; 0.1 ms per migration
simulated      20.00 s
throughput     STP 8.482 baseline cores
slow-down      mean 1.36 (ANTT), 10.1 % more than 1.23 by fair shares of 8 baseline cores
               (speedup compares with a whole core, gain with a fair share)

thread                     speedup      gain   served  matched  migrations  baseline time    slept
--------------------------------------------------------------------------------------------------
cc1                        +5.54 %  +30.11 %  28.19 %  28.19 %         116        21.11 s   0.00 s
cc1+600ms                  +4.91 %  +29.33 %  25.94 %  25.94 %         116        20.98 s   0.00 s
cc1+1200ms                +10.34 %  +36.04 %  51.78 %  51.78 %         169        22.07 s   0.00 s
cc1+1800ms                 +4.95 %  +29.39 %  35.90 %  35.90 %         195        20.99 s   0.00 s
xz                        +10.66 %  +36.43 %  46.49 %  46.49 %          43        22.13 s   0.00 s
gzip                      -11.15 %   +9.54 %  13.78 %  13.78 %         194         0.80 s  19.10 s
zstd                      -19.60 %   -0.88 %   9.36 %   9.36 %         550         6.63 s  11.75 s
python                    -35.72 %  -20.75 %  15.54 %  15.54 %         973         6.53 s   9.84 s
python+900ms              -34.92 %  -19.77 %  21.58 %  21.58 %         934         6.42 s  10.14 s
python+1800ms             -34.76 %  -19.56 %  25.43 %  25.43 %         976         6.40 s  10.19 s
python+2700ms             -35.03 %  -19.91 %  23.81 %  23.81 %        1013         6.83 s   9.49 s
python+3600ms             -36.49 %  -21.70 %  17.72 %  17.72 %        1025         6.75 s   9.37 s
python+4500ms             -35.19 %  -20.10 %  19.43 %  19.43 %         921         6.64 s   9.76 s
sqlite                    -43.89 %  -30.82 %  20.24 %  20.24 %         972         4.58 s  11.83 s
sqlite+1000ms             -43.39 %  -30.20 %  21.34 %  21.34 %         974         4.59 s  11.89 s
sqlite+2000ms             -45.97 %  -33.39 %  11.22 %  11.22 %         986         4.50 s  11.68 s
perl                      -28.29 %  -11.59 %  10.25 %  10.25 %          65         0.70 s  19.02 s
perl+2000ms               -24.80 %   -7.28 %  13.90 %  13.90 %          79         1.00 s  18.68 s
--------------------------------------------------------------------------------------------------
mean (assumed time base)  -21.82 %   -3.62 %  22.88 %  22.88 %       572.3

speedup of the system        +8.34 %
throughput, STP              8.482 with 18.00 threads present
turnaround, ANTT             1.358
speedup, arithmetic mean     -21.82 %
speedup, harmonic mean       -26.35 %
speedup, geometric mean      -24.19 %
fairness, Jain               0.940
fairness by weight, Jain     0.362
slow-down, maximum           1.851
unfairness                   2.048
served                       30.23 % of executed timesteps
matched                      30.23 % of executed timesteps
running                      79.36 % of 197.26 s in which threads were awake
at state transitions         2.14 % of executed timesteps (335)
migrations per second        515.05 (10301)
decisions per second         515.05 (10301)
mismatched                   109.22 s
migration cost paid          1030.10 ms
... of executed time         0.66 %
wake-up latency, p50         0.10 ms
wake-up latency, p95         3.18 ms
wake-up latency, p99         5.18 ms
run-queue wait, p50          0.46 ms
run-queue wait, p95          3.82 ms
run-queue wait, p99          6.03 ms
assumed time base            7 of 7 traces
