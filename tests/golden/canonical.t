## Each shipped trace alone on the canonical chip.
$ sahm run configs/canonical.cfg
configuration  canonical.cfg (c59163e74fa55bc4)
chip           5 cores: baseline, Branch +30 %, L1I +30 %, L1D +30 %, L2 +30 %
workload       8 threads, each with the whole chip; 8 traces, 8 with an assumed time base
scheduler      sahm, inertia 5, timestep 10 ms, observes the last timestep; 1 ms per migration
simulated      49.70 s

thread                     speedup   served  matched  migrations  baseline time
-------------------------------------------------------------------------------
cc1                       +29.77 %  99.47 %  99.47 %           1         2.47 s
gzip                      +29.10 %  97.57 %  99.25 %           8        13.81 s
perl                      +29.88 %  99.71 %  99.71 %           1         4.55 s
python                    +29.92 %  99.82 %  99.82 %           1         7.15 s
sort                      +29.94 %  99.86 %  99.86 %           1         9.10 s
sqlite                    +29.86 %  99.68 %  99.68 %           1         4.03 s
xz                        +29.97 %  99.92 %  99.92 %           1        17.03 s
zstd                      +29.68 %  99.39 %  99.39 %           3         6.35 s
-------------------------------------------------------------------------------
mean (assumed time base)  +29.76 %  99.43 %  99.64 %         2.1

speedup of the system        +29.72 %
throughput, STP              1.297 with 1.00 threads present
turnaround, ANTT             0.771
speedup, arithmetic mean     +29.76 %
speedup, harmonic mean       +29.76 %
speedup, geometric mean      +29.76 %
fairness, Jain               1.000
slow-down, maximum           0.775
unfairness                   1.007
served                       99.30 % of executed timesteps
matched                      99.66 % of executed timesteps
running                      100.00 % of 4970 thread-timesteps
at state transitions         2.49 % of executed timesteps (124)
migrations per second        0.34 (17)
decisions per second         0.34 (17)
mismatched                   170.00 ms
migration cost paid          17.00 ms
... of executed time         0.03 %
assumed time base            8 of 8 traces
$ sahm run configs/canonical.cfg --json
{
  "schema": "sahm-run/1",
  "config_hash": "c59163e74fa55bc47788af35e81973bf1c1e339f38967c1687d52aa332007336",
  "policy": "sahm",
  "plug_in": false,
  "oracle": false,
  "synthetic": false,
  "nominal_time": true,
  "assumed_counters": [],
  "modelled_counters": [],
  "derived_counters": [],
  "threads": [
    {
      "name": "cc1",
      "tenant": null,
      "speedup": 0.29773684210526313,
      "served_share": 0.9947368421052631,
      "matched_share": 0.9947368421052631,
      "migrations": 1,
      "completed_ns": 2465700000,
      "present_ns": 1900000000,
      "paid_ns": 1000000,
      "mismatched_ns": 10000000,
      "left": false,
      "arrived_ns": 0,
      "left_ns": null
    },
    {
      "name": "gzip",
      "tenant": null,
      "speedup": 0.2910004359813084,
      "served_share": 0.9757009345794393,
      "matched_share": 0.9925233644859813,
      "migrations": 8,
      "completed_ns": 13813704665,
      "present_ns": 10700000000,
      "paid_ns": 8000000,
      "mismatched_ns": 80000000,
      "left": false,
      "arrived_ns": 0,
      "left_ns": null
    },
    {
      "name": "perl",
      "tenant": null,
      "speedup": 0.2987714285714286,
      "served_share": 0.9971428571428571,
      "matched_share": 0.9971428571428571,
      "migrations": 1,
      "completed_ns": 4545700000,
      "present_ns": 3500000000,
      "paid_ns": 1000000,
      "mismatched_ns": 10000000,
      "left": false,
      "arrived_ns": 0,
      "left_ns": null
    },
    {
      "name": "python",
      "tenant": null,
      "speedup": 0.2992181818181818,
      "served_share": 0.9981818181818182,
      "matched_share": 0.9981818181818182,
      "migrations": 1,
      "completed_ns": 7145700000,
      "present_ns": 5500000000,
      "paid_ns": 1000000,
      "mismatched_ns": 10000000,
      "left": false,
      "arrived_ns": 0,
      "left_ns": null
    },
    {
      "name": "sort",
      "tenant": null,
      "speedup": 0.2993857142857143,
      "served_share": 0.9985714285714286,
      "matched_share": 0.9985714285714286,
      "migrations": 1,
      "completed_ns": 9095700000,
      "present_ns": 7000000000,
      "paid_ns": 1000000,
      "mismatched_ns": 10000000,
      "left": false,
      "arrived_ns": 0,
      "left_ns": null
    },
    {
      "name": "sqlite",
      "tenant": null,
      "speedup": 0.29861290322580647,
      "served_share": 0.9967741935483871,
      "matched_share": 0.9967741935483871,
      "migrations": 1,
      "completed_ns": 4025700000,
      "present_ns": 3100000000,
      "paid_ns": 1000000,
      "mismatched_ns": 10000000,
      "left": false,
      "arrived_ns": 0,
      "left_ns": null
    },
    {
      "name": "xz",
      "tenant": null,
      "speedup": 0.29967175572519084,
      "served_share": 0.999236641221374,
      "matched_share": 0.999236641221374,
      "migrations": 1,
      "completed_ns": 17025700000,
      "present_ns": 13100000000,
      "paid_ns": 1000000,
      "mismatched_ns": 10000000,
      "left": false,
      "arrived_ns": 0,
      "left_ns": null
    },
    {
      "name": "zstd",
      "tenant": null,
      "speedup": 0.2967616230612245,
      "served_share": 0.9938775510204082,
      "matched_share": 0.9938775510204082,
      "migrations": 3,
      "completed_ns": 6354131953,
      "present_ns": 4900000000,
      "paid_ns": 3000000,
      "mismatched_ns": 30000000,
      "left": false,
      "arrived_ns": 0,
      "left_ns": null
    }
  ],
  "speedup_mean": 0.29764486059676476,
  "speedup_harmonic": 0.29763937280196706,
  "speedup_geometric": 0.2976421201115964,
  "speedup_system": 0.29722407682092555,
  "stp": 1.2972240768209256,
  "antt": 0.7706301311131765,
  "jain": 0.9999957867312484,
  "jain_weighted": 0.9999957867312484,
  "slowdown_max": 0.7745930769108419,
  "unfairness": 1.0067167442412917,
  "served_share": 0.9929577464788732,
  "matched_share": 0.996579476861167,
  "running_share": 1.0,
  "transition_share": 0.024949698189134808,
  "migrations_per_s": 0.34205231388329976,
  "decisions_per_s": 0.34205231388329976,
  "mismatched_ns": 170000000,
  "paid_ns": 17000000,
  "paid_share": 0.0003420523138832998,
  "migrations": 17,
  "decisions": 17,
  "simulated_ns": 49700000000,
  "thread_timesteps": 4970,
  "given_up": false,
  "cores": [
    {"core": 0, "type": "baseline", "tenant": null, "executed_timesteps": 28, "utilisation": 0.005633802816901409, "served_share": 0.0, "matched_share": 0.6428571428571429},
    {"core": 1, "type": "Branch", "tenant": null, "executed_timesteps": 4183, "utilisation": 0.8416498993963782, "served_share": 0.9988046856323213, "matched_share": 0.9988046856323213},
    {"core": 2, "type": "L1I", "tenant": null, "executed_timesteps": 0, "utilisation": 0.0, "served_share": null, "matched_share": null},
    {"core": 3, "type": "L1D", "tenant": null, "executed_timesteps": 470, "utilisation": 0.09456740442655935, "served_share": 0.997872340425532, "matched_share": 0.997872340425532},
    {"core": 4, "type": "L2", "tenant": null, "executed_timesteps": 289, "utilisation": 0.058148893360160964, "served_share": 0.9965397923875432, "matched_share": 0.9965397923875432}
  ],
  "states": [
    {"state": 0, "name": "Low", "executed_timesteps": 20, "share": 0.004024144869215292, "served_share": 0.0, "matched_share": 0.9},
    {"state": 1, "name": "Branch", "executed_timesteps": 1046, "share": 0.21046277665995977, "served_share": 0.9980879541108987, "matched_share": 0.9980879541108987},
    {"state": 2, "name": "L1I", "executed_timesteps": 0, "share": 0.0, "served_share": null, "matched_share": null},
    {"state": 3, "name": "L1I+Branch", "executed_timesteps": 693, "share": 0.13943661971830987, "served_share": 1.0, "matched_share": 1.0},
    {"state": 4, "name": "L1D", "executed_timesteps": 48, "share": 0.0096579476861167, "served_share": 0.9583333333333334, "matched_share": 0.9583333333333334},
    {"state": 5, "name": "L1D+Branch", "executed_timesteps": 969, "share": 0.1949698189134809, "served_share": 0.9979360165118679, "matched_share": 0.9979360165118679},
    {"state": 6, "name": "L1D+L1I", "executed_timesteps": 0, "share": 0.0, "served_share": null, "matched_share": null},
    {"state": 7, "name": "L1D+L1I+Branch", "executed_timesteps": 45, "share": 0.009054325955734407, "served_share": 1.0, "matched_share": 1.0},
    {"state": 8, "name": "L2", "executed_timesteps": 244, "share": 0.04909456740442656, "served_share": 0.9918032786885246, "matched_share": 0.9918032786885246},
    {"state": 9, "name": "L2+Branch", "executed_timesteps": 1130, "share": 0.22736418511066397, "served_share": 0.9964601769911504, "matched_share": 0.9964601769911504},
    {"state": 10, "name": "L2+L1I", "executed_timesteps": 0, "share": 0.0, "served_share": null, "matched_share": null},
    {"state": 11, "name": "L2+L1I+Branch", "executed_timesteps": 58, "share": 0.011670020120724347, "served_share": 0.9655172413793104, "matched_share": 0.9655172413793104},
    {"state": 12, "name": "L2+L1D", "executed_timesteps": 0, "share": 0.0, "served_share": null, "matched_share": null},
    {"state": 13, "name": "L2+L1D+Branch", "executed_timesteps": 670, "share": 0.13480885311871227, "served_share": 1.0, "matched_share": 1.0},
    {"state": 14, "name": "L2+L1D+L1I", "executed_timesteps": 0, "share": 0.0, "served_share": null, "matched_share": null},
    {"state": 15, "name": "L2+L1D+L1I+Branch", "executed_timesteps": 47, "share": 0.009456740442655936, "served_share": 0.9787234042553191, "matched_share": 0.9787234042553191}
  ]
}
$ sahm run configs/canonical.cfg --csv
scope,name,speedup,served_share,matched_share,migrations,executed_timesteps,transition_timesteps,completed_ns,simulated_ns,present_ns,paid_ns,mismatched_ns,arrived_ns,left_ns,share,decisions,speedup_harmonic,speedup_geometric,stp,antt,jain,jain_weighted,slowdown_max,unfairness,mean,low,high,tenant
thread,cc1,0.29773684210526313,0.9947368421052631,0.9947368421052631,1,190,3,2465700000,1900000000,1900000000,1000000,10000000,0,,,,,,,,,,,,,,,
thread,gzip,0.2910004359813084,0.9757009345794393,0.9925233644859813,8,1070,20,13813704665,10700000000,10700000000,8000000,80000000,0,,,,,,,,,,,,,,,
thread,perl,0.2987714285714286,0.9971428571428571,0.9971428571428571,1,350,10,4545700000,3500000000,3500000000,1000000,10000000,0,,,,,,,,,,,,,,,
thread,python,0.2992181818181818,0.9981818181818182,0.9981818181818182,1,550,32,7145700000,5500000000,5500000000,1000000,10000000,0,,,,,,,,,,,,,,,
thread,sort,0.2993857142857143,0.9985714285714286,0.9985714285714286,1,700,21,9095700000,7000000000,7000000000,1000000,10000000,0,,,,,,,,,,,,,,,
thread,sqlite,0.29861290322580647,0.9967741935483871,0.9967741935483871,1,310,9,4025700000,3100000000,3100000000,1000000,10000000,0,,,,,,,,,,,,,,,
thread,xz,0.29967175572519084,0.999236641221374,0.999236641221374,1,1310,20,17025700000,13100000000,13100000000,1000000,10000000,0,,,,,,,,,,,,,,,
thread,zstd,0.2967616230612245,0.9938775510204082,0.9938775510204082,3,490,9,6354131953,4900000000,4900000000,3000000,30000000,0,,,,,,,,,,,,,,,
mean,all (assumed time base),0.29764486059676476,0.994277783296372,0.9963805870346897,2.125,621.25,15.5,8059004577.25,49700000000,6212500000,2125000,21250000,,,,,0.29763937280196706,0.2976421201115964,,,,,,,,,,
system,all (assumed time base),0.29722407682092555,0.9929577464788732,0.996579476861167,17,4970,124,64472036618,49700000000,49700000000,17000000,170000000,,,,17,,,1.2972240768209256,0.7706301311131765,0.9999957867312484,0.9999957867312484,0.7745930769108419,1.0067167442412917,,,,
## By core and by state.
$ sahm run configs/canonical.cfg --details | tail -n 28
core  type          utilisation   served  matched
-------------------------------------------------
   0  baseline           0.56 %   0.00 %  64.29 %
   1  Branch +30 %      84.16 %  99.88 %  99.88 %
   2  L1I +30 %          0.00 %        -        -
   3  L1D +30 %          9.46 %  99.79 %  99.79 %
   4  L2 +30 %           5.81 %  99.65 %  99.65 %

state              executed    served   matched
-----------------------------------------------
Low                  0.40 %    0.00 %   90.00 %
Branch              21.05 %   99.81 %   99.81 %
L1I                  0.00 %         -         -
L1I+Branch          13.94 %  100.00 %  100.00 %
L1D                  0.97 %   95.83 %   95.83 %
L1D+Branch          19.50 %   99.79 %   99.79 %
L1D+L1I              0.00 %         -         -
L1D+L1I+Branch       0.91 %  100.00 %  100.00 %
L2                   4.91 %   99.18 %   99.18 %
L2+Branch           22.74 %   99.65 %   99.65 %
L2+L1I               0.00 %         -         -
L2+L1I+Branch        1.17 %   96.55 %   96.55 %
L2+L1D               0.00 %         -         -
L2+L1D+Branch       13.48 %  100.00 %  100.00 %
L2+L1D+L1I           0.00 %         -         -
L2+L1D+L1I+Branch    0.95 %   97.87 %   97.87 %

assumed time base            8 of 8 traces
$ sahm run configs/canonical.cfg --csv --details | grep -E '^(core|state|mean|system),'
core,0 baseline,,0,0.6428571428571429,,28,,,49700000000,,,100000000,,,0.005633802816901409,,,,,,,,,,,,,
core,1 Branch,,0.9988046856323213,0.9988046856323213,,4183,,,49700000000,,,50000000,,,0.8416498993963782,,,,,,,,,,,,,
core,2 L1I,,,,,0,,,49700000000,,,0,,,0,,,,,,,,,,,,,
core,3 L1D,,0.997872340425532,0.997872340425532,,470,,,49700000000,,,10000000,,,0.09456740442655935,,,,,,,,,,,,,
core,4 L2,,0.9965397923875432,0.9965397923875432,,289,,,49700000000,,,10000000,,,0.058148893360160964,,,,,,,,,,,,,
state,Low,,0,0.9,,20,,,49700000000,,,20000000,,,0.004024144869215292,,,,,,,,,,,,,
state,Branch,,0.9980879541108987,0.9980879541108987,,1046,,,49700000000,,,20000000,,,0.21046277665995977,,,,,,,,,,,,,
state,L1I,,,,,0,,,49700000000,,,0,,,0,,,,,,,,,,,,,
state,L1I+Branch,,1,1,,693,,,49700000000,,,0,,,0.13943661971830987,,,,,,,,,,,,,
state,L1D,,0.9583333333333334,0.9583333333333334,,48,,,49700000000,,,20000000,,,0.0096579476861167,,,,,,,,,,,,,
state,L1D+Branch,,0.9979360165118679,0.9979360165118679,,969,,,49700000000,,,20000000,,,0.1949698189134809,,,,,,,,,,,,,
state,L1D+L1I,,,,,0,,,49700000000,,,0,,,0,,,,,,,,,,,,,
state,L1D+L1I+Branch,,1,1,,45,,,49700000000,,,0,,,0.009054325955734407,,,,,,,,,,,,,
state,L2,,0.9918032786885246,0.9918032786885246,,244,,,49700000000,,,20000000,,,0.04909456740442656,,,,,,,,,,,,,
state,L2+Branch,,0.9964601769911504,0.9964601769911504,,1130,,,49700000000,,,40000000,,,0.22736418511066397,,,,,,,,,,,,,
state,L2+L1I,,,,,0,,,49700000000,,,0,,,0,,,,,,,,,,,,,
state,L2+L1I+Branch,,0.9655172413793104,0.9655172413793104,,58,,,49700000000,,,20000000,,,0.011670020120724347,,,,,,,,,,,,,
state,L2+L1D,,,,,0,,,49700000000,,,0,,,0,,,,,,,,,,,,,
state,L2+L1D+Branch,,1,1,,670,,,49700000000,,,0,,,0.13480885311871227,,,,,,,,,,,,,
state,L2+L1D+L1I,,,,,0,,,49700000000,,,0,,,0,,,,,,,,,,,,,
state,L2+L1D+L1I+Branch,,0.9787234042553191,0.9787234042553191,,47,,,49700000000,,,10000000,,,0.009456740442655936,,,,,,,,,,,,,
mean,all (assumed time base),0.29764486059676476,0.994277783296372,0.9963805870346897,2.125,621.25,15.5,8059004577.25,49700000000,6212500000,2125000,21250000,,,,,0.29763937280196706,0.2976421201115964,,,,,,,,,,
system,all (assumed time base),0.29722407682092555,0.9929577464788732,0.996579476861167,17,4970,124,64472036618,49700000000,49700000000,17000000,170000000,,,,17,,,1.2972240768209256,0.7706301311131765,0.9999957867312484,0.9999957867312484,0.7745930769108419,1.0067167442412917,,,,
## JSON has them anyway.
$ sahm run configs/canonical.cfg --json --details >"$T/a" && sahm run configs/canonical.cfg --json | cmp - "$T/a"
$ sahm run configs/canonical.cfg --print-config --details | head -n 2
chip :
{
