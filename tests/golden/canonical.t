## Each shipped trace alone on the canonical chip.
$ sahm run configs/canonical.cfg
configuration  canonical.cfg (249df25ecdf1c9c3)
chip           5 cores: baseline, Branch +30 %, L1I +30 %, L1D +30 %, L2 +30 %
workload       8 threads, each alone on the chip; 8 traces
scheduler      sahm, inertia 5, timestep 10 ms, observes the last timestep; 1 ms per migration
simulated      49.70 s

thread   speedup   served  matched  migrations  baseline time
-------------------------------------------------------------
cc1     +29.77 %  99.47 %  99.47 %           1         2.47 s
gzip    +29.10 %  97.57 %  99.25 %           8        13.81 s
perl    +29.88 %  99.71 %  99.71 %           1         4.55 s
python  +29.92 %  99.82 %  99.82 %           1         7.15 s
sort    +29.94 %  99.86 %  99.86 %           1         9.10 s
sqlite  +29.86 %  99.68 %  99.68 %           1         4.03 s
xz      +29.97 %  99.92 %  99.92 %           1        17.03 s
zstd    +29.68 %  99.39 %  99.39 %           3         6.35 s
-------------------------------------------------------------
mean    +29.76 %  99.43 %  99.64 %         2.1

speedup of the system        +29.72 %
served, matched              99.30 %, 99.66 % of executed timesteps
running                      100.00 % of 4970 thread-timesteps
migrations per second        0.34
at state transitions         2.49 % of executed timesteps (124)
$ sahm run configs/canonical.cfg --json
{
  "schema": "sahm-run/1",
  "config_hash": "249df25ecdf1c9c38e35ac9116dd2e2338404870645cfbf6826e6d4aa633de2c",
  "policy": "sahm",
  "oracle": false,
  "synthetic": false,
  "threads": [
    {
      "name": "cc1",
      "speedup": 0.29773684210526313,
      "served_share": 0.9947368421052631,
      "matched_share": 0.9947368421052631,
      "migrations": 1,
      "completed_ns": 2465700000
    },
    {
      "name": "gzip",
      "speedup": 0.2910004359813084,
      "served_share": 0.9757009345794393,
      "matched_share": 0.9925233644859813,
      "migrations": 8,
      "completed_ns": 13813704665
    },
    {
      "name": "perl",
      "speedup": 0.2987714285714286,
      "served_share": 0.9971428571428571,
      "matched_share": 0.9971428571428571,
      "migrations": 1,
      "completed_ns": 4545700000
    },
    {
      "name": "python",
      "speedup": 0.2992181818181818,
      "served_share": 0.9981818181818182,
      "matched_share": 0.9981818181818182,
      "migrations": 1,
      "completed_ns": 7145700000
    },
    {
      "name": "sort",
      "speedup": 0.2993857142857143,
      "served_share": 0.9985714285714286,
      "matched_share": 0.9985714285714286,
      "migrations": 1,
      "completed_ns": 9095700000
    },
    {
      "name": "sqlite",
      "speedup": 0.29861290322580647,
      "served_share": 0.9967741935483871,
      "matched_share": 0.9967741935483871,
      "migrations": 1,
      "completed_ns": 4025700000
    },
    {
      "name": "xz",
      "speedup": 0.29967175572519084,
      "served_share": 0.999236641221374,
      "matched_share": 0.999236641221374,
      "migrations": 1,
      "completed_ns": 17025700000
    },
    {
      "name": "zstd",
      "speedup": 0.2967616230612245,
      "served_share": 0.9938775510204082,
      "matched_share": 0.9938775510204082,
      "migrations": 3,
      "completed_ns": 6354131953
    }
  ],
  "speedup_mean": 0.29764486059676476,
  "speedup_system": 0.29722407682092555,
  "served_share": 0.9929577464788732,
  "matched_share": 0.996579476861167,
  "running_share": 1.0,
  "transition_share": 0.024949698189134808,
  "migrations_per_s": 0.34205231388329976,
  "simulated_ns": 49700000000,
  "thread_timesteps": 4970
}
$ sahm run configs/canonical.cfg --csv
scope,name,speedup,served_share,matched_share,migrations,executed_timesteps,transition_timesteps,completed_ns,simulated_ns
thread,cc1,0.29773684210526313,0.9947368421052631,0.9947368421052631,1,190,3,2465700000,1900000000
thread,gzip,0.2910004359813084,0.9757009345794393,0.9925233644859813,8,1070,20,13813704665,10700000000
thread,perl,0.2987714285714286,0.9971428571428571,0.9971428571428571,1,350,10,4545700000,3500000000
thread,python,0.2992181818181818,0.9981818181818182,0.9981818181818182,1,550,32,7145700000,5500000000
thread,sort,0.2993857142857143,0.9985714285714286,0.9985714285714286,1,700,21,9095700000,7000000000
thread,sqlite,0.29861290322580647,0.9967741935483871,0.9967741935483871,1,310,9,4025700000,3100000000
thread,xz,0.29967175572519084,0.999236641221374,0.999236641221374,1,1310,20,17025700000,13100000000
thread,zstd,0.2967616230612245,0.9938775510204082,0.9938775510204082,3,490,9,6354131953,4900000000
mean,all,0.29764486059676476,0.994277783296372,0.9963805870346897,2.125,621.25,15.5,8059004577.25,49700000000
system,all,0.29722407682092555,0.9929577464788732,0.996579476861167,17,4970,124,64472036618,49700000000
