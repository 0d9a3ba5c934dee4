## 39 threads on 39 cores.
$ sahm run configs/realistic-39.cfg
configuration  realistic-39.cfg (3be6f636593b4827)
chip           39 cores: baseline x 7, Branch +30 % x 8, L1I +30 % x 8, L1D +30 % x 8, L2 +30 % x 8
workload       39 threads together; 8 traces, 8 with an assumed time base
scheduler      sahm, inertia 5, timestep 10 ms, observes the last timestep; 1 ms per migration
simulated      60.00 s

thread                     speedup    served   matched  migrations  baseline time
---------------------------------------------------------------------------------
cc1                       +29.99 %   99.98 %   99.98 %           1        78.00 s
cc1+300ms                 +29.99 %   99.98 %   99.98 %           1        78.00 s
cc1+700ms                 +29.99 %   99.98 %   99.98 %           1        78.00 s
cc1+1100ms                +29.99 %   99.98 %   99.98 %           1        78.00 s
cc1+1500ms                +29.99 %   99.98 %   99.98 %           1        78.00 s
gzip                      +27.29 %   91.28 %   93.50 %          28        76.38 s
gzip+2100ms               +27.44 %   91.70 %   93.93 %          25        76.46 s
gzip+4200ms               +27.23 %   90.95 %   93.52 %          21        76.34 s
gzip+6400ms               +27.50 %   91.93 %   94.17 %          24        76.50 s
gzip+8500ms               +27.41 %   91.62 %   93.83 %          22        76.45 s
perl                      +30.00 %  100.00 %  100.00 %           0        78.00 s
perl+700ms                +30.00 %  100.00 %  100.00 %           0        78.00 s
perl+1400ms               +30.00 %  100.00 %  100.00 %           0        78.00 s
perl+2100ms               +30.00 %  100.00 %  100.00 %           0        78.00 s
perl+2800ms               +30.00 %  100.00 %  100.00 %           0        78.00 s
python                    +24.31 %   82.03 %   82.03 %          86        74.58 s
python+1100ms             +22.96 %   77.73 %   77.73 %          99        73.78 s
python+2200ms             +29.75 %   99.23 %   99.23 %           5        77.85 s
python+3300ms             +23.44 %   79.32 %   79.32 %          90        74.07 s
python+4400ms             +22.39 %   75.72 %   75.72 %          99        73.43 s
sort                       +3.65 %   13.25 %   13.25 %         103        62.19 s
sort+1400ms                +3.80 %   13.73 %   13.73 %         113        62.28 s
sort+2800ms                +4.72 %   16.97 %   16.97 %         123        62.83 s
sort+4200ms                +3.11 %   11.27 %   11.27 %          90        61.87 s
sort+5600ms                +4.66 %   16.95 %   16.95 %         144        62.79 s
sqlite                    +17.11 %   58.43 %   58.43 %         145        70.26 s
sqlite+600ms              +15.31 %   52.58 %   52.58 %         153        69.19 s
sqlite+1200ms             +28.77 %   95.97 %   95.97 %           8        77.26 s
sqlite+1800ms             +15.92 %   54.63 %   54.63 %         149        69.55 s
sqlite+2400ms             +15.14 %   51.88 %   51.88 %         137        69.08 s
xz                        +18.71 %   62.58 %   62.58 %          26        71.22 s
xz+2600ms                 +19.94 %   66.72 %   66.72 %          23        71.97 s
xz+5200ms                 +20.83 %   69.62 %   69.62 %          19        72.50 s
xz+7800ms                 +20.26 %   67.73 %   67.73 %          22        72.16 s
xz+10400ms                +19.55 %   65.42 %   65.42 %          28        71.73 s
zstd                      +25.90 %   86.90 %   86.90 %          53        75.54 s
zstd+1200ms               +24.82 %   83.35 %   83.35 %          51        74.89 s
zstd+2400ms               +26.38 %   88.53 %   88.53 %          56        75.83 s
zstd+3600ms               +26.83 %   90.05 %   90.05 %          55        76.10 s
---------------------------------------------------------------------------------
mean (assumed time base)  +22.44 %   75.33 %   75.63 %        51.3

speedup of the system        +22.44 %
throughput, STP              47.751 with 39.00 threads present
turnaround, ANTT             0.821
speedup, arithmetic mean     +22.44 %
speedup, harmonic mean       +21.81 %
speedup, geometric mean      +22.13 %
fairness, Jain               0.995
slow-down, maximum           0.970
unfairness                   1.261
served                       75.33 % of executed timesteps
matched                      75.63 % of executed timesteps
running                      100.00 % of 234000 thread-timesteps
at state transitions         2.51 % of executed timesteps (5878)
migrations per second        33.37 (2002)
decisions per second         16.68 (1001)
mismatched                   570.32 s
migration cost paid          2002.00 ms
... of executed time         0.09 %
assumed time base            8 of 8 traces
$ sahm run configs/realistic-39.cfg --json | sed -n '/^  "speedup_mean/,/^    /p'
  "speedup_mean": 0.22438469773162395,
  "speedup_harmonic": 0.21807618475338852,
  "speedup_geometric": 0.2213213945297552,
  "speedup_system": 0.22438469773162392,
  "stp": 47.75100321153333,
  "antt": 0.8209667117024045,
  "jain": 0.9953042219330143,
  "jain_weighted": 0.9953042219330143,
  "slowdown_max": 0.9698075361414963,
  "unfairness": 1.2607497969839452,
  "served_share": 0.7533333333333333,
  "matched_share": 0.7562735042735043,
  "running_share": 1.0,
  "transition_share": 0.02511965811965812,
  "migrations_per_s": 33.36666666666667,
  "decisions_per_s": 16.683333333333334,
  "mismatched_ns": 570320000000,
  "paid_ns": 2002000000,
  "paid_share": 0.0008555555555555556,
  "migrations": 2002,
  "decisions": 1001,
  "simulated_ns": 60000000000,
  "thread_timesteps": 234000,
  "given_up": false,
  "cores": [
    {"core": 0, "type": "baseline", "tenant": null, "executed_timesteps": 6000, "utilisation": 1.0, "served_share": 0.0, "matched_share": 0.086},
## The four policies, without and with the oracle.
$ for p in sahm sahm-strict sahm-listing static; do for o in false true; do echo "$p $o"; sahm run configs/realistic-39.cfg --json --set scheduler.policy=$p --set scheduler.oracle=$o | grep -E 'speedup_mean|"migrations_per_s|^  "(served|matched)'; done; done
sahm false
  "speedup_mean": 0.22438469773162395,
  "served_share": 0.7533333333333333,
  "matched_share": 0.7562735042735043,
  "migrations_per_s": 33.36666666666667,
sahm true
  "speedup_mean": 0.226889429925641,
  "served_share": 0.7619529914529914,
  "matched_share": 0.765034188034188,
  "migrations_per_s": 35.43333333333333,
sahm-strict false
  "speedup_mean": 0.22438469773162395,
  "served_share": 0.7533333333333333,
  "matched_share": 0.7562735042735043,
  "migrations_per_s": 33.36666666666667,
sahm-strict true
  "speedup_mean": 0.226889429925641,
  "served_share": 0.7619529914529914,
  "matched_share": 0.765034188034188,
  "migrations_per_s": 35.43333333333333,
sahm-listing false
  "speedup_mean": 0.13639743590726494,
  "served_share": 0.45465811965811964,
  "matched_share": 0.4556837606837607,
  "migrations_per_s": 0.0,
sahm-listing true
  "speedup_mean": 0.13639743590726494,
  "served_share": 0.45465811965811964,
  "matched_share": 0.4556837606837607,
  "migrations_per_s": 0.0,
static false
  "speedup_mean": 0.13639743590726494,
  "served_share": 0.45465811965811964,
  "matched_share": 0.4556837606837607,
  "migrations_per_s": 0.0,
static true
  "speedup_mean": 0.13639743590726494,
  "served_share": 0.45465811965811964,
  "matched_share": 0.4556837606837607,
  "migrations_per_s": 0.0,
