## Value prediction of loads. The programs are made up (tests/data/cases/README.md).
$ sahm core study value-prediction tests/data/cases/quicksort.stream tests/data/cases/search.stream
Value prediction of loads on gem5-ooo (figure 17); 100 % of the predictions are right.

tests/data/cases/quicksort.stream: 14863 loads in 76457 instructions
way      pass  share %  covered %    CPI  gain %
------------------------------------------------
unaware              0       0.00  0.988    0.00
unaware             10      10.07  0.975    1.35
unaware             20      19.96  0.961    2.76
unaware             30      30.01  0.948    4.23
unaware             40      40.38  0.933    5.87
unaware             50      50.38  0.920    7.41
unaware             60      59.99  0.906    9.03
unaware             70      69.95  0.890   10.99
unaware             80      80.40  0.874   13.02
unaware             90      90.48  0.858   15.09
unaware            100     100.00  0.843   17.19
------------------------------------------------
aware       1       20       6.73  0.962    2.67
aware       1       40      13.68  0.936    5.52
aware       1       60      20.00  0.913    8.24
aware       1       80      27.33  0.885   11.60
aware       1      100      33.97  0.860   14.84
aware       2       20      35.07  0.857   15.30
aware       2       40      36.24  0.854   15.75
aware       2       60      37.42  0.850   16.25
aware       2       80      38.55  0.846   16.71
aware       2      100      39.79  0.843   17.22
aware       3       20      39.80  0.843   17.23
aware       3       40      39.80  0.843   17.23
aware       3       60      39.80  0.843   17.23
aware       3       80      39.80  0.843   17.23
aware       3      100      39.80  0.843   17.23
aware    rest       20      51.84  0.843   17.22
aware    rest       40      63.88  0.843   17.21
aware    rest       60      75.92  0.843   17.21
aware    rest       80      87.96  0.843   17.20
aware    rest      100     100.00  0.843   17.19
80 % of the cycles that the best point saves: unaware at 90.5 % of loads, aware at 34.0 % of loads.

tests/data/cases/search.stream: 31717 loads in 149649 instructions
way      pass  share %  covered %    CPI  gain %
------------------------------------------------
unaware              0       0.00  0.345    0.00
unaware             10      10.22  0.341    1.04
unaware             20      20.06  0.339    1.73
unaware             30      30.04  0.336    2.61
unaware             40      40.22  0.334    3.40
unaware             50      50.06  0.330    4.40
unaware             60      59.78  0.327    5.39
unaware             70      69.88  0.325    6.13
unaware             80      80.26  0.323    6.93
unaware             90      90.29  0.320    7.72
unaware            100     100.00  0.318    8.45
------------------------------------------------
aware       1       20       0.90  0.339    1.72
aware       1       40       1.72  0.334    3.35
aware       1       60       2.53  0.328    5.28
aware       1       80       3.29  0.323    6.76
aware       1      100       4.06  0.319    8.22
aware       2       20       4.12  0.319    8.23
aware       2       40       4.18  0.319    8.23
aware       2       60       4.21  0.319    8.23
aware       2       80       4.25  0.319    8.24
aware       2      100       4.31  0.319    8.24
aware       3       20       4.31  0.319    8.24
aware       3       40       4.31  0.319    8.24
aware       3       60       4.31  0.319    8.24
aware       3       80       4.31  0.319    8.24
aware       3      100       4.31  0.319    8.24
aware    rest       20      23.45  0.319    8.26
aware    rest       40      42.59  0.319    8.28
aware    rest       60      61.72  0.318    8.33
aware    rest       80      80.86  0.318    8.38
aware    rest      100     100.00  0.318    8.45
80 % of the cycles that the best point saves: unaware at 80.3 % of loads, aware at 3.3 % of loads.

all streams: 46580 loads in 226106 instructions
way      pass  share %  covered %    CPI  gain %
------------------------------------------------
unaware              0       0.00  0.562    0.00
unaware             10      10.17  0.556    1.22
unaware             20      20.03  0.550    2.34
unaware             30      30.03  0.543    3.57
unaware             40      40.27  0.536    4.85
unaware             50      50.16  0.530    6.17
unaware             60      59.85  0.523    7.52
unaware             70      69.90  0.516    8.96
unaware             80      80.30  0.509   10.46
unaware             90      90.35  0.502   11.98
unaware            100     100.00  0.496   13.48
------------------------------------------------
aware       1       20       2.76  0.550    2.28
aware       1       40       5.53  0.538    4.63
aware       1       60       8.11  0.526    7.02
aware       1       80      10.96  0.513    9.58
aware       1      100      13.60  0.502   12.06
aware       2       20      14.00  0.501   12.32
aware       2       40      14.41  0.500   12.57
aware       2       60      14.81  0.498   12.85
aware       2       80      15.20  0.497   13.12
aware       2      100      15.63  0.496   13.40
aware       3       20      15.63  0.496   13.40
aware       3       40      15.63  0.496   13.40
aware       3       60      15.63  0.496   13.40
aware       3       80      15.63  0.496   13.40
aware       3      100      15.63  0.496   13.40
aware    rest       20      32.51  0.496   13.41
aware    rest       40      49.38  0.496   13.42
aware    rest       60      66.25  0.496   13.43
aware    rest       80      83.13  0.496   13.45
aware    rest      100     100.00  0.496   13.48
80 % of the cycles that the best point saves: unaware at 90.3 % of loads, aware at 13.6 % of loads.

Published, of other programs and cores:
- composite predictor, unaware: 40 % of loads, +6.6 %
- FVP, aware, 40 % of the main critical loads: 19 % of loads, +5.8 %
- as much as FVP, by Calipers: 5 % of loads, +5.8 %

Do 15 % of loads, chosen by the critical path, bring most of the gain (paper)? Most is 80 % of the cycles that the best point saves, our definition.
- all streams together: yes, it takes 13.6 % of the loads
- by stream: in 1 of 2
  not in: tests/data/cases/quicksort.stream (33.97 %)
## Each load of a chase brings the next one's address: no load is worth more than another.
$ sahm core study value-prediction tests/data/cases/chase.stream | tail -n 12
aware    rest      100     100.00   1.470  1569.24
80 % of the cycles that the best point saves: unaware at 80.2 % of loads, aware at 80.2 % of loads.

Published, of other programs and cores:
- composite predictor, unaware: 40 % of loads, +6.6 %
- FVP, aware, 40 % of the main critical loads: 19 % of loads, +5.8 %
- as much as FVP, by Calipers: 5 % of loads, +5.8 %

Do 15 % of loads, chosen by the critical path, bring most of the gain (paper)? Most is 80 % of the cycles that the best point saves, our definition.
- all streams together: no, it takes 80.2 % of the loads
- by stream: in 0 of 1
  not in: tests/data/cases/chase.stream (80.24 %)
## With all loads predicted, both ways end where the ideal part does.
$ for s in tests/data/cases/chase tests/data/streams/sort tests/data/streams/rv64; do for c in gem5-ooo gem5-inorder golden-cove; do sahm core study value-prediction --core $c --csv $s.stream | grep -E ',(0|4),100,' | cut -d, -f14; sahm core time -c $c -s ideal=value_prediction --csv $s.stream | tail -n 1 | cut -d, -f8; done | uniq -c; done
      3 289077
      3 1155320
      3 467438
      3 55591
      3 105862
      3 47038
      3 492
      3 698
      3 618
$ sahm core study value-prediction --csv tests/data/cases/search.stream | sed -n '1,3p;13p;33p'
stream,core,config_hash,sampled_epochs,seed,accuracy,instructions,loads,way,pass,share_pct,covered_loads,covered_pct,cycles,cpi,gain_pct
tests/data/cases/search.stream,gem5-ooo,c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0,"",1,1,149649,31717,unaware,0,0,0,0,51628,0.34499395251555304,0
tests/data/cases/search.stream,gem5-ooo,c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0,"",1,1,149649,31717,unaware,0,10,3242,10.22164769681874,51097,0.341445649486465,1.0391999530305007
tests/data/cases/search.stream,gem5-ooo,c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0,"",1,1,149649,31717,aware,1,20,285,0.8985717438597598,50757,0.3391736663793276,1.7160194652954264
$ sahm core study value-prediction --seed 7 --csv tests/data/cases/search.stream | sed -n '3p'
tests/data/cases/search.stream,gem5-ooo,c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0,"",7,1,149649,31717,unaware,0,10,3168,9.988334331746382,51131,0.3416728477971787,0.9720130644814251
$ sahm core study value-prediction --accuracy 0.9 --csv tests/data/cases/search.stream | sed -n '2p;12p;17p;32p'
tests/data/cases/search.stream,gem5-ooo,c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0,"",1,0.9,149649,31717,unaware,0,0,0,0,51628,0.34499395251555304,0
tests/data/cases/search.stream,gem5-ooo,c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0,"",1,0.9,149649,31717,unaware,0,100,31717,100,85573,0.5718247365501942,-39.6678858985895
tests/data/cases/search.stream,gem5-ooo,c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0,"",1,0.9,149649,31717,aware,1,100,1288,4.060913705583756,49401,0.3301124631638033,4.50800591081153
tests/data/cases/search.stream,gem5-ooo,c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0,"",1,0.9,149649,31717,aware,4,100,31717,100,85573,0.5718247365501942,-39.6678858985895
$ sahm core study value-prediction --json tests/data/cases/search.stream | sed -n '1,16p;40,200p'
{
  "schema": "sahm-value-prediction/1",
  "core": "gem5-ooo",
  "config_hash": "c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0",
  "seed": 1,
  "accuracy": 1.0,
  "most_pct": 80.0,
  "runs": [
    {
      "stream": "tests/data/cases/search.stream",
      "instructions": 149649,
      "loads": 31717,
      "points": [
        {"way": "unaware", "pass": 0, "share_pct": 0, "covered_loads": 0, "cycles": 51628, "cpi": 0.34499395251555304, "gain_pct": 0.0},
        {"way": "unaware", "pass": 0, "share_pct": 10, "covered_loads": 3242, "cycles": 51097, "cpi": 0.341445649486465, "gain_pct": 1.0391999530305007},
        {"way": "unaware", "pass": 0, "share_pct": 20, "covered_loads": 6363, "cycles": 50750, "cpi": 0.33912689025653364, "gain_pct": 1.7300492610837548},
        {"way": "aware", "pass": 4, "share_pct": 20, "covered_loads": 7437, "cycles": 47691, "cpi": 0.3186857245955536, "gain_pct": 8.255226352980639},
        {"way": "aware", "pass": 4, "share_pct": 40, "covered_loads": 13507, "cycles": 47679, "cpi": 0.31860553695647814, "gain_pct": 8.282472367289584},
        {"way": "aware", "pass": 4, "share_pct": 60, "covered_loads": 19577, "cycles": 47659, "cpi": 0.3184718908913524, "gain_pct": 8.327912881092757},
        {"way": "aware", "pass": 4, "share_pct": 80, "covered_loads": 25647, "cycles": 47635, "cpi": 0.31831151561320153, "gain_pct": 8.38249186522515},
        {"way": "aware", "pass": 4, "share_pct": 100, "covered_loads": 31717, "cycles": 47605, "cpi": 0.318111046515513, "gain_pct": 8.450792983930256}
      ],
      "most_unaware_pct": 80.25664470157959,
      "most_aware_pct": 3.2916101775073305,
      "holds": true
    }
  ],
  "published": [
    {"name": "composite predictor, unaware", "covered_pct": 40.0, "gain_pct": 6.6},
    {"name": "FVP, aware, 40 % of the main critical loads", "covered_pct": 19.0, "gain_pct": 5.8},
    {"name": "as much as FVP, by Calipers", "covered_pct": 5.0, "gain_pct": 5.8}
  ]
}
## Any form and number of jobs gives the same.
$ for f in '-j 1' '-j 3 --lanes c' '--lanes 1' '-j 7'; do sahm core study value-prediction --accuracy 0.95 --csv $f tests/data/streams/*.stream | cksum; done | uniq -c
      4 1920404127 18247
## A stream that saves too little says nothing.
$ sahm core study value-prediction tests/data/cases/stores.stream | tail -n 5

Do 15 % of loads, chosen by the critical path, bring most of the gain (paper)? Most is 80 % of the cycles that the best point saves, our definition.
- all streams together: no point saves 1 % of the cycles
- by stream: in 0 of 0 that say something
  saying nothing, because predictions save too little: tests/data/cases/stores.stream
$ sahm core study value-prediction --plot "$T"/p tests/data/cases/search.stream >/dev/null 2>&1; head -n 3 "$T"/p/study_value_prediction.csv; tail -n 4 "$T"/p/study_value_prediction.csv; grep -c "set label ''" "$T"/p/study_value_prediction.gp
curve,covered_pct,cpi
unaware,0,0.34499395251555304
unaware,10.22164769681874,0.341445649486465
aware of the critical path,100,0.318111046515513
published: composite (+6.6 %),40,0.32363410179695407
published: FVP (+5.8 %),19,0.32608124056290455
published: Calipers (+5.8 %),5,0.32608124056290455
6
$ sahm core study value-prediction --plot "$T"/p tests/data/cases/search.stream
sahm: error: '@T@/p/study_value_prediction.csv' exists already; --force replaces it
[2]
$ sahm core study value-prediction --accuracy 1.1 tests/data/cases/search.stream
sahm: error: --accuracy is a share, at most 1
[2]
$ sahm core study value-prediction --accuracy 0 tests/data/cases/search.stream
sahm: error: --accuracy is '0', must be a number above 0
[2]
$ sahm core study value-prediction -s ideal=value_prediction tests/data/cases/search.stream
sahm: error: gem5-ooo predicts all loads already (ideal)
[2]
$ sahm core study tea --accuracy 0.5 tests/data/cases/search.stream
sahm: error: --accuracy is of the study value-prediction
[2]
$ sahm core study value-prediction --in-order rocket tests/data/cases/search.stream
sahm: error: --in-order is of the studies of two cores, not of value-prediction, which takes --core
[2]
$ sahm core study value-prediction --periods 5 tests/data/cases/search.stream
sahm: error: --periods is of the study tea
[2]
$ sahm core study value-prediction
sahm: error: a stream is missing: sahm core study value-prediction STREAM..., sahm core study value-prediction --suite open, or sahm core study value-prediction -- COMMAND
[2]
