$ sahm characterize workloads/suites/small/*.csv
states by share of epochs (thresholds: intuitive); same: epochs in the previous one's state
8 traces, assumed time base

trace                     epochs    same  intervals  epochs/interval  states
-------------------------------------------------------------------------------------------------------------------------------------------------------------------------------
cc1                           19  94.4 %          2              9.5  L1I+Branch 94.7 %, L2+L1I+Branch 5.3 %
gzip                         107  86.8 %         15              7.1  L1D+Branch 89.7 %, Branch 3.7 %, L1D 3.7 %, Low 1.9 %, L2+Branch 0.9 %
perl                          35  82.4 %          7              5.0  L2+Branch 71.4 %, L2+L1D+Branch 28.6 %
python                        55  59.3 %         23              2.4  L1I+Branch 54.5 %, L2+L1D+Branch 23.6 %, L2+Branch 9.1 %, L2+L1D+L1I+Branch 7.3 %, L1D+L1I+Branch 5.5 %
sort                          70  73.9 %         19              3.7  Branch 61.4 %, L2+Branch 38.6 %
sqlite                        31  76.7 %          8              3.9  L1I+Branch 58.1 %, L2+Branch 16.1 %, Branch 12.9 %, L2+L1I+Branch 12.9 %
xz                           131  88.5 %         16              8.2  L2+Branch 40.5 %, L2+L1D+Branch 34.4 %, Branch 25.2 %
zstd                          49  83.3 %          9              5.4  L2 34.7 %, L2+L1D+Branch 32.7 %, L2+Branch 28.6 %, L1D+Branch 4.1 %
-------------------------------------------------------------------------------------------------------------------------------------------------------------------------------
mean (assumed time base)    62.1  80.7 %       12.4              5.0  L1I+Branch 25.9 %, L2+Branch 25.6 %, L2+L1D+Branch 14.9 %, Branch 12.9 %, L1D+Branch 11.7 %, others 8.9 %
$ sahm characterize --json workloads/suites/small/cc1.csv workloads/suites/small/zstd.csv
{
  "schema": "sahm-characterize/1",
  "cuts": "intuitive",
  "states": ["Low", "Branch", "L1I", "L1I+Branch", "L1D", "L1D+Branch", "L1D+L1I", "L1D+L1I+Branch", "L2", "L2+Branch", "L2+L1I", "L2+L1I+Branch", "L2+L1D", "L2+L1D+Branch", "L2+L1D+L1I", "L2+L1D+L1I+Branch"],
  "traces": [
    {
      "name": "cc1",
      "synthetic": false,
      "nominal_time": true,
      "assumed_counters": [],
      "modelled_counters": [],
      "derived_counters": [],
      "epochs": 19,
      "occupancy": [0.0, 0.0, 0.0, 0.9473684210526315, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.05263157894736842, 0.0, 0.0, 0.0, 0.0],
      "self_transition_share": 0.9444444444444444,
      "interval_counts": [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]
    },
    {
      "name": "zstd",
      "synthetic": false,
      "nominal_time": true,
      "assumed_counters": [],
      "modelled_counters": [],
      "derived_counters": [],
      "epochs": 49,
      "occupancy": [0.0, 0.0, 0.0, 0.0, 0.0, 0.04081632653061224, 0.0, 0.0, 0.3469387755102041, 0.2857142857142857, 0.0, 0.0, 0.0, 0.32653061224489793, 0.0, 0.0],
      "self_transition_share": 0.8333333333333334,
      "interval_counts": [0, 0, 0, 0, 0, 2, 0, 0, 1, 3, 0, 0, 0, 3, 0, 0]
    }
  ],
  "mean": {
    "name": "mean",
    "synthetic": false,
    "nominal_time": true,
    "assumed_counters": [],
    "modelled_counters": [],
    "derived_counters": [],
    "epochs": 34.0,
    "occupancy": [0.0, 0.0, 0.0, 0.47368421052631576, 0.0, 0.02040816326530612, 0.0, 0.0, 0.17346938775510204, 0.14285714285714285, 0.0, 0.02631578947368421, 0.0, 0.16326530612244897, 0.0, 0.0],
    "self_transition_share": 0.8888888888888888,
    "interval_counts": [0.0, 0.0, 0.0, 0.5, 0.0, 1.0, 0.0, 0.0, 0.5, 1.5, 0.0, 0.5, 0.0, 1.5, 0.0, 0.0]
  },
  "cuts_values": {
    "branch_pct": 1.0,
    "l1i_mpki": 1.0,
    "l1d_pct": 2.0,
    "l2_pct": 10.0
  },
  "synthetic": false,
  "nominal_time": true,
  "occupancy_by_cuts": {
    "p25": [0.0, 0.0, 0.0, 0.18421052631578946, 0.0, 0.0, 0.0, 0.2631578947368421, 0.0, 0.0, 0.0, 0.0, 0.16326530612244897, 0.16326530612244897, 0.0, 0.22610096670247046],
    "p50": [0.0, 0.0, 0.0, 0.4473684210526316, 0.0, 0.05102040816326531, 0.0, 0.046723952738990326, 0.0, 0.01020408163265306, 0.0, 0.0, 0.16326530612244897, 0.1836734693877551, 0.01020408163265306, 0.08754027926960257],
    "intuitive": [0.0, 0.0, 0.0, 0.47368421052631576, 0.0, 0.02040816326530612, 0.0, 0.0, 0.17346938775510204, 0.14285714285714285, 0.0, 0.02631578947368421, 0.0, 0.16326530612244897, 0.0, 0.0]
  },
  "transitions": [
    [null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null],
    [null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null],
    [null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null],
    [null, null, null, 0.4722222222222222, null, null, null, null, null, null, null, null, null, null, null, null],
    [null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null],
    [null, null, null, null, null, null, null, null, null, 0.010416666666666666, null, null, null, 0.010416666666666666, null, null],
    [null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null],
    [null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null],
    [null, null, null, null, null, null, null, null, 0.16666666666666666, 0.010416666666666666, null, null, null, null, null, null],
    [null, null, null, null, null, 0.010416666666666666, null, null, null, 0.11458333333333333, null, null, null, 0.020833333333333332, null, null],
    [null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null],
    [null, null, null, 0.027777777777777776, null, null, null, null, null, null, null, null, null, null, null, null],
    [null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null],
    [null, null, null, null, null, 0.010416666666666666, null, null, null, 0.010416666666666666, null, null, null, 0.13541666666666666, null, null],
    [null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null],
    [null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null]
  ],
  "intervals": [
    {
      "min_epochs": 1,
      "max_epochs": 1,
      "count_share": 0.5277777777777778,
      "time_share": 0.07733619763694952
    },
    {
      "min_epochs": 2,
      "max_epochs": 4,
      "count_share": 0.05555555555555555,
      "time_share": 0.04081632653061224
    },
    {
      "min_epochs": 5,
      "max_epochs": 9,
      "count_share": 0.05555555555555555,
      "time_share": 0.09183673469387756
    },
    {
      "min_epochs": 10,
      "max_epochs": 19,
      "count_share": 0.3611111111111111,
      "time_share": 0.7900107411385606
    }
  ]
}
$ sahm characterize --csv --cuts p50 workloads/suites/small/python.csv
scope,name,epochs,self_transition_share,occupancy_Low,occupancy_Branch,occupancy_L1I,occupancy_L1I+Branch,occupancy_L1D,occupancy_L1D+Branch,occupancy_L1D+L1I,occupancy_L1D+L1I+Branch,occupancy_L2,occupancy_L2+Branch,occupancy_L2+L1I,occupancy_L2+L1I+Branch,occupancy_L2+L1D,occupancy_L2+L1D+Branch,occupancy_L2+L1D+L1I,occupancy_L2+L1D+L1I+Branch,intervals_Low,intervals_Branch,intervals_L1I,intervals_L1I+Branch,intervals_L1D,intervals_L1D+Branch,intervals_L1D+L1I,intervals_L1D+L1I+Branch,intervals_L2,intervals_L2+Branch,intervals_L2+L1I,intervals_L2+L1I+Branch,intervals_L2+L1D,intervals_L2+L1D+Branch,intervals_L2+L1D+L1I,intervals_L2+L1D+L1I+Branch
trace,python,55,0.6296296296296297,0,0,0,0.16363636363636364,0,0,0,0.4727272727272727,0,0.03636363636363636,0,0,0,0.07272727272727272,0,0.2545454545454545,0,0,0,4,0,0,0,5,0,1,0,0,0,3,0,8
mean,mean (assumed time base),55,0.6296296296296297,0,0,0,0.16363636363636364,0,0,0,0.4727272727272727,0,0.03636363636363636,0,0,0,0.07272727272727272,0,0.2545454545454545,0,0,0,4,0,0,0,5,0,1,0,0,0,3,0,8
$ sahm characterize --cuts p25,l2_pct=5.5,branch_pct=0 workloads/suites/small/sort.csv
states by share of epochs (thresholds: p25,branch_pct=0,l2_pct=5.5); same: epochs in the previous one's state
1 trace, assumed time base

trace                     epochs    same  intervals  epochs/interval  states
---------------------------------------------------------------------------------------------------------------------------------------------------
sort                          70  71.0 %         21              3.3  L2+Branch 51.4 %, Branch 45.7 %, L2+L1I+Branch 1.4 %, L2+L1D+L1I+Branch 1.4 %
---------------------------------------------------------------------------------------------------------------------------------------------------
mean (assumed time base)    70.0  71.0 %       21.0              3.3  L2+Branch 51.4 %, Branch 45.7 %, L2+L1I+Branch 1.4 %, L2+L1D+L1I+Branch 1.4 %
$ sahm characterize --cuts intuitiv workloads/suites/small/sort.csv
sahm: error: --cuts: unknown set of thresholds 'intuitiv'; did you mean 'intuitive'?
[2]
$ sahm characterize --cuts l2_pc=5 workloads/suites/small/sort.csv
sahm: error: --cuts: unknown threshold 'l2_pc'; did you mean 'l2_pct'?
[2]
$ sahm characterize --cuts l2_pct=-5 workloads/suites/small/sort.csv
sahm: error: --cuts: 'l2_pct' is '-5', must be a number from 0 to 1000000 %
[2]
$ sahm characterize --json --csv workloads/suites/small/sort.csv
sahm: error: --json and --csv exclude each other
[2]
$ sahm characterize
sahm: error: a trace is missing: sahm characterize TRACE...
[2]
## A folder that cannot be is told before the work.
$ : >"$T/file"; sahm characterize workloads/suites/small/gzip.csv --plot "$T/file"
sahm: error: cannot create folder '@T@/file': a file is called so
[1]
$ sahm characterize workloads/suites/small/gzip.csv --plot "$T/no/such"
sahm: error: cannot create folder '@T@/no/such': No such file or directory
[1]
$ sahm characterize workloads/suites/small/none.csv --plot "$T/plots"; ls "$T/plots"
sahm: error: cannot open 'workloads/suites/small/none.csv': No such file or directory
ls: cannot access '@T@/plots': No such file or directory
[2]
