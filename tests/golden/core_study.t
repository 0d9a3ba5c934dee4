## An in-order core beside an out-of-order one. The streams are made up, but for sort (tests/data/streams/README.md).
$ sahm core study bottlenecks tests/data/streams/rv64.stream tests/data/streams/sort.stream tests/data/streams/x86-64.stream
Critical path of gem5-inorder (I) and gem5-ooo (O), in % of the cycles:
stream                            core    CPI  front end  fetch  mispredict  decode  dispatch  window  issue  integer    fp   l1d  memory  line  access  commit  other
----------------------------------------------------------------------------------------------------------------------------------------------------------------------
tests/data/streams/rv64.stream       I  5.618       43.2   27.5         5.5    10.2       0.0     0.0    0.1      3.0   7.9   3.1    36.6   0.0     5.2     0.5    0.3
tests/data/streams/rv64.stream       O  4.228       31.5   31.3         0.0     0.2       1.0     0.0    6.3      0.3   2.8   0.7    24.3  24.3     7.0     1.4    0.3
tests/data/streams/sort.stream       I  3.636       37.3   22.0         1.2    14.1       0.0     0.7    0.6      3.4   0.0   7.7    46.5   0.4     2.5     0.8    0.0
tests/data/streams/sort.stream       O  2.126       32.3   31.5         0.4     0.4       1.8     0.2    0.1      2.0   0.0   2.5    23.3  33.2     2.9     1.7    0.0
tests/data/streams/x86-64.stream     I  6.908       30.1   24.3         3.0     2.9       0.0     0.2    1.0      1.2   8.9  10.4    31.2  10.4     6.2     0.2    0.1
tests/data/streams/x86-64.stream     O  6.103       41.0   39.4         0.7     0.9       3.0     0.1    0.0      3.4  10.6   1.6    23.5  11.8     3.7     0.7    0.6
----------------------------------------------------------------------------------------------------------------------------------------------------------------------
all streams                          I  3.660       37.3   22.1         1.2    14.0       0.0     0.7    0.6      3.3   0.2   7.7    46.3   0.5     2.5     0.8    0.0
all streams                          O  2.155       32.5   31.7         0.4     0.4       1.8     0.2    0.1      2.0   0.2   2.4    23.4  32.8     2.9     1.7    0.0

The same, in cycles per instruction:
stream                            core    CPI  front end  fetch  mispredict  decode  dispatch  window  issue  integer     fp    l1d  memory   line  access  commit  other
-------------------------------------------------------------------------------------------------------------------------------------------------------------------------
tests/data/streams/rv64.stream       I  5.618      2.426  1.544       0.309   0.574     0.000   0.000  0.007    0.169  0.441  0.176   2.059  0.000   0.294   0.029  0.015
tests/data/streams/rv64.stream       O  4.228      1.331  1.324       0.000   0.007     0.044   0.000  0.265    0.015  0.118  0.029   1.029  1.029   0.294   0.059  0.015
tests/data/streams/sort.stream       I  3.636      1.357  0.801       0.043   0.513     0.000   0.025  0.021    0.122  0.001  0.282   1.691  0.016   0.090   0.030  0.000
tests/data/streams/sort.stream       O  2.126      0.687  0.671       0.008   0.008     0.038   0.004  0.002    0.043  0.000  0.052   0.496  0.706   0.061   0.036  0.001
tests/data/streams/x86-64.stream     I  6.908      2.082  1.677       0.205   0.200     0.000   0.015  0.072    0.082  0.615  0.718   2.154  0.718   0.426   0.015  0.010
tests/data/streams/x86-64.stream     O  6.103      2.503  2.405       0.041   0.056     0.185   0.005  0.000    0.210  0.646  0.097   1.436  0.718   0.226   0.041  0.036
-------------------------------------------------------------------------------------------------------------------------------------------------------------------------
all streams                          I  3.660      1.365  0.809       0.045   0.512     0.000   0.025  0.021    0.122  0.006  0.284   1.695  0.019   0.093   0.030  0.000
all streams                          O  2.155      0.700  0.682       0.008   0.009     0.039   0.004  0.003    0.044  0.004  0.052   0.503  0.707   0.062   0.036  0.001

Do the orderings of the paper hold?
- Fetch has a larger share of the cycles out of order than in order:
  holds in 3 of 3 streams; over all of them, it holds
- The front end has a larger share of the cycles out of order than in order:
  holds in 1 of 3 streams; over all of them, it does not hold
  does not hold in tests/data/streams/rv64.stream, tests/data/streams/sort.stream
$ sahm core study frontend tests/data/streams/rv64.stream tests/data/streams/sort.stream tests/data/streams/x86-64.stream
Cycles per instruction of gem5-inorder (I) and gem5-ooo (O), and with ideal parts:
stream                            core  as it is  fetch  branch   both
----------------------------------------------------------------------
tests/data/streams/rv64.stream       I     5.618  4.257   5.199  3.846
tests/data/streams/rv64.stream       O     4.228  2.904   4.228  2.904
tests/data/streams/sort.stream       I     3.636  3.050   3.494  2.995
tests/data/streams/sort.stream       O     2.126  1.506   1.785  1.308
tests/data/streams/x86-64.stream     I     6.908  5.292   6.672  5.062
tests/data/streams/x86-64.stream     O     6.103  3.831   5.282  3.000
----------------------------------------------------------------------
all streams                          I     3.660  3.067   3.517  3.009
all streams                          O     2.155  1.524   1.813  1.323

What ideal parts save, in % of the cycles: promised by the critical path, and obtained:
stream                            core  fetch: promised  obtained  branch: promised  obtained  both: promised  obtained  interaction
------------------------------------------------------------------------------------------------------------------------------------
tests/data/streams/rv64.stream       I             24.3      24.2               5.5       7.5            29.8      31.5         -0.1
tests/data/streams/rv64.stream       O             31.3      31.3               0.0       0.0            31.3      31.3          0.0
tests/data/streams/sort.stream       I             17.2      16.1               1.2       3.9            18.4      17.6         -2.4
tests/data/streams/sort.stream       O             30.6      29.2               0.4      16.0            31.0      38.5         -6.7
tests/data/streams/x86-64.stream     I             23.9      23.4               3.0       3.4            26.9      26.7         -0.1
tests/data/streams/x86-64.stream     O             39.0      37.2               0.7      13.4            39.7      50.8          0.2
------------------------------------------------------------------------------------------------------------------------------------
all streams                          I             17.3      16.2               1.2       3.9            18.6      17.8         -2.3
all streams                          O             30.8      29.3               0.4      15.9            31.2      38.6         -6.6

Do the orderings of the paper hold?
- In order, ideal branches save as much as ideal fetch, or more:
  holds in 0 of 3 streams; over all of them, it does not hold
  does not hold in tests/data/streams/rv64.stream, tests/data/streams/sort.stream, tests/data/streams/x86-64.stream
- Out of order, the one that saves less still saves at least half of that if the other one is ideal as well:
  holds in 2 of 2 streams, and says nothing in 1; over all of them, it holds
  says nothing where one of them saves nothing: tests/data/streams/rv64.stream
## Other cores, one stream.
$ sahm core study frontend --in-order rocket --out-of-order boom-large -s l1i.size_kib=16 --skip 34 tests/data/streams/rv64.stream
Cycles per instruction of rocket (I) and boom-large (O), and with ideal parts:
stream                          core  as it is   fetch  branch    both
----------------------------------------------------------------------
tests/data/streams/rv64.stream     I    16.098  10.373  15.892  10.284
tests/data/streams/rv64.stream     O     9.314   4.657   8.686   4.402

What ideal parts save, in % of the cycles: promised by the critical path, and obtained:
stream                          core  fetch: promised  obtained  branch: promised  obtained  both: promised  obtained  interaction
----------------------------------------------------------------------------------------------------------------------------------
tests/data/streams/rv64.stream     I             35.7      35.6               1.3       1.3            37.0      36.1         -0.7
tests/data/streams/rv64.stream     O             61.7      50.0               1.3       6.7            62.9      52.7         -4.0

Do the orderings of the paper hold?
- In order, ideal branches save as much as ideal fetch, or more:
  holds in 0 of 1 stream
  does not hold in tests/data/streams/rv64.stream
- Out of order, the one that saves less still saves at least half of that if the other one is ideal as well:
  holds in 0 of 1 stream
  does not hold in tests/data/streams/rv64.stream

Timed: all after the first 34 instructions
$ sahm core study bottlenecks --csv --in-order u74 tests/data/streams/rv64.stream tests/data/streams/x86-64.stream
stream,kind,core,config_hash,sampled_epochs,instructions,cycles,front_end_cycles,fetch_cycles,mispredict_cycles,decode_cycles,dispatch_cycles,window_cycles,issue_cycles,integer_cycles,fp_cycles,l1d_cycles,l2_cycles,llc_cycles,memory_cycles,line_cycles,access_cycles,commit_cycles,other_cycles,windows,cuts
tests/data/streams/rv64.stream,in_order,u74,6e020b82c9ce631470854241c19964ddb45fe5a53ad2e07cd8fdd72f9ba5d788,"",136,955,226,172,24,30,0,0,206,17,158,30,0,0,240,0,58,11,9,2,0
tests/data/streams/rv64.stream,out_of_order,gem5-ooo,c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0,"",136,575,181,180,0,1,6,0,36,2,16,4,0,0,140,140,40,8,2,2,0
tests/data/streams/x86-64.stream,in_order,u74,6e020b82c9ce631470854241c19964ddb45fe5a53ad2e07cd8fdd72f9ba5d788,"",195,1683,469,403,27,39,0,1,91,42,448,219,0,0,360,0,43,1,9,2,0
tests/data/streams/x86-64.stream,out_of_order,gem5-ooo,c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0,"",195,1190,488,469,8,11,36,1,0,41,126,19,0,0,280,140,44,8,7,2,0
"",in_order,u74,6e020b82c9ce631470854241c19964ddb45fe5a53ad2e07cd8fdd72f9ba5d788,"",331,2638,695,575,51,69,0,1,297,59,606,249,0,0,600,0,101,12,18,4,0
"",out_of_order,gem5-ooo,c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0,"",331,1765,669,649,8,12,42,1,36,43,142,23,0,0,420,280,84,16,9,4,0
$ sahm core study frontend --csv tests/data/streams/rv64.stream tests/data/streams/x86-64.stream
stream,kind,core,config_hash,sampled_epochs,ideal,instructions,cycles,promised_cycles,gain_cycles,interaction_cycles
tests/data/streams/rv64.stream,in_order,gem5-inorder,ae2aec150a7ebd11637c4ee14fb6d4a27cb0b89fbbd4d7af6d641707e640e68b,"","",136,764,0,0,""
tests/data/streams/rv64.stream,in_order,gem5-inorder,ae2aec150a7ebd11637c4ee14fb6d4a27cb0b89fbbd4d7af6d641707e640e68b,"",fetch,136,579,186,185,""
tests/data/streams/rv64.stream,in_order,gem5-inorder,ae2aec150a7ebd11637c4ee14fb6d4a27cb0b89fbbd4d7af6d641707e640e68b,"",branch,136,707,42,57,""
tests/data/streams/rv64.stream,in_order,gem5-inorder,ae2aec150a7ebd11637c4ee14fb6d4a27cb0b89fbbd4d7af6d641707e640e68b,"",fetch+branch,136,523,228,241,-1
tests/data/streams/rv64.stream,out_of_order,gem5-ooo,c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0,"","",136,575,0,0,""
tests/data/streams/rv64.stream,out_of_order,gem5-ooo,c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0,"",fetch,136,395,180,180,""
tests/data/streams/rv64.stream,out_of_order,gem5-ooo,c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0,"",branch,136,575,0,0,""
tests/data/streams/rv64.stream,out_of_order,gem5-ooo,c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0,"",fetch+branch,136,395,180,180,0
tests/data/streams/x86-64.stream,in_order,gem5-inorder,ae2aec150a7ebd11637c4ee14fb6d4a27cb0b89fbbd4d7af6d641707e640e68b,"","",195,1347,0,0,""
tests/data/streams/x86-64.stream,in_order,gem5-inorder,ae2aec150a7ebd11637c4ee14fb6d4a27cb0b89fbbd4d7af6d641707e640e68b,"",fetch,195,1032,322,315,""
tests/data/streams/x86-64.stream,in_order,gem5-inorder,ae2aec150a7ebd11637c4ee14fb6d4a27cb0b89fbbd4d7af6d641707e640e68b,"",branch,195,1301,40,46,""
tests/data/streams/x86-64.stream,in_order,gem5-inorder,ae2aec150a7ebd11637c4ee14fb6d4a27cb0b89fbbd4d7af6d641707e640e68b,"",fetch+branch,195,987,362,360,-1
tests/data/streams/x86-64.stream,out_of_order,gem5-ooo,c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0,"","",195,1190,0,0,""
tests/data/streams/x86-64.stream,out_of_order,gem5-ooo,c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0,"",fetch,195,747,464,443,""
tests/data/streams/x86-64.stream,out_of_order,gem5-ooo,c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0,"",branch,195,1030,8,160,""
tests/data/streams/x86-64.stream,out_of_order,gem5-ooo,c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0,"",fetch+branch,195,585,472,605,2
"",in_order,gem5-inorder,ae2aec150a7ebd11637c4ee14fb6d4a27cb0b89fbbd4d7af6d641707e640e68b,"","",331,2111,0,0,""
"",in_order,gem5-inorder,ae2aec150a7ebd11637c4ee14fb6d4a27cb0b89fbbd4d7af6d641707e640e68b,"",fetch,331,1611,508,500,""
"",in_order,gem5-inorder,ae2aec150a7ebd11637c4ee14fb6d4a27cb0b89fbbd4d7af6d641707e640e68b,"",branch,331,2008,82,103,""
"",in_order,gem5-inorder,ae2aec150a7ebd11637c4ee14fb6d4a27cb0b89fbbd4d7af6d641707e640e68b,"",fetch+branch,331,1510,590,601,-2
"",out_of_order,gem5-ooo,c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0,"","",331,1765,0,0,""
"",out_of_order,gem5-ooo,c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0,"",fetch,331,1142,644,623,""
"",out_of_order,gem5-ooo,c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0,"",branch,331,1605,8,160,""
"",out_of_order,gem5-ooo,c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0,"",fetch+branch,331,980,652,785,2
$ sahm core study bottlenecks --json tests/data/streams/rv64.stream
{
  "schema": "sahm-core-study/1",
  "study": "bottlenecks",
  "in_order": {
    "core": "gem5-inorder",
    "core_name": "gem5 in-order (Calipers)",
    "config_hash": "ae2aec150a7ebd11637c4ee14fb6d4a27cb0b89fbbd4d7af6d641707e640e68b"
  },
  "out_of_order": {
    "core": "gem5-ooo",
    "core_name": "gem5 out-of-order (Calipers)",
    "config_hash": "c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0"
  },
  "runs": [
    {
      "stream": "tests/data/streams/rv64.stream",
      "instructions": 136,
      "in_order": {
        "cycles": 764,
        "front_end": 330,
        "groups": {"fetch": 210, "mispredict": 42, "decode": 78, "dispatch": 0, "window": 0, "issue": 1, "integer": 23, "fp": 60, "l1d": 24, "l2": 0, "llc": 0, "memory": 280, "line": 0, "access": 40, "commit": 4, "other": 2},
        "windows": 2,
        "cuts": 0
      },
      "out_of_order": {
        "cycles": 575,
        "front_end": 181,
        "groups": {"fetch": 180, "mispredict": 0, "decode": 1, "dispatch": 6, "window": 0, "issue": 36, "integer": 2, "fp": 16, "l1d": 4, "l2": 0, "llc": 0, "memory": 140, "line": 140, "access": 40, "commit": 8, "other": 2},
        "windows": 2,
        "cuts": 0
      }
    }
  ],
  "orderings": [
    {
      "ordering": "fetch_share",
      "holds_over_all": true,
      "holds_in": ["tests/data/streams/rv64.stream"],
      "does_not_hold_in": [],
      "says_nothing_in": []
    },
    {
      "ordering": "front_end_share",
      "holds_over_all": false,
      "holds_in": [],
      "does_not_hold_in": ["tests/data/streams/rv64.stream"],
      "says_nothing_in": []
    }
  ]
}
$ sahm core study frontend --json tests/data/streams/rv64.stream tests/data/streams/x86-64.stream
{
  "schema": "sahm-core-study/1",
  "study": "frontend",
  "in_order": {
    "core": "gem5-inorder",
    "core_name": "gem5 in-order (Calipers)",
    "config_hash": "ae2aec150a7ebd11637c4ee14fb6d4a27cb0b89fbbd4d7af6d641707e640e68b"
  },
  "out_of_order": {
    "core": "gem5-ooo",
    "core_name": "gem5 out-of-order (Calipers)",
    "config_hash": "c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0"
  },
  "runs": [
    {
      "stream": "tests/data/streams/rv64.stream",
      "instructions": 136,
      "in_order": {
        "cycles": 764,
        "sets": [
          {"ideal": ["fetch"], "cycles": 579, "promised": 186, "gain": 185},
          {"ideal": ["branch"], "cycles": 707, "promised": 42, "gain": 57},
          {"ideal": ["fetch", "branch"], "cycles": 523, "promised": 228, "gain": 241, "interaction": -1}
        ]
      },
      "out_of_order": {
        "cycles": 575,
        "sets": [
          {"ideal": ["fetch"], "cycles": 395, "promised": 180, "gain": 180},
          {"ideal": ["branch"], "cycles": 575, "promised": 0, "gain": 0},
          {"ideal": ["fetch", "branch"], "cycles": 395, "promised": 180, "gain": 180, "interaction": 0}
        ]
      }
    },
    {
      "stream": "tests/data/streams/x86-64.stream",
      "instructions": 195,
      "in_order": {
        "cycles": 1347,
        "sets": [
          {"ideal": ["fetch"], "cycles": 1032, "promised": 322, "gain": 315},
          {"ideal": ["branch"], "cycles": 1301, "promised": 40, "gain": 46},
          {"ideal": ["fetch", "branch"], "cycles": 987, "promised": 362, "gain": 360, "interaction": -1}
        ]
      },
      "out_of_order": {
        "cycles": 1190,
        "sets": [
          {"ideal": ["fetch"], "cycles": 747, "promised": 464, "gain": 443},
          {"ideal": ["branch"], "cycles": 1030, "promised": 8, "gain": 160},
          {"ideal": ["fetch", "branch"], "cycles": 585, "promised": 472, "gain": 605, "interaction": 2}
        ]
      }
    }
  ],
  "all": {
    "instructions": 331,
    "in_order": {
      "cycles": 2111,
      "sets": [
        {"ideal": ["fetch"], "cycles": 1611, "promised": 508, "gain": 500},
        {"ideal": ["branch"], "cycles": 2008, "promised": 82, "gain": 103},
        {"ideal": ["fetch", "branch"], "cycles": 1510, "promised": 590, "gain": 601, "interaction": -2}
      ]
    },
    "out_of_order": {
      "cycles": 1765,
      "sets": [
        {"ideal": ["fetch"], "cycles": 1142, "promised": 644, "gain": 623},
        {"ideal": ["branch"], "cycles": 1605, "promised": 8, "gain": 160},
        {"ideal": ["fetch", "branch"], "cycles": 980, "promised": 652, "gain": 785, "interaction": 2}
      ]
    }
  },
  "orderings": [
    {
      "ordering": "branch_in_order",
      "holds_over_all": false,
      "holds_in": [],
      "does_not_hold_in": ["tests/data/streams/rv64.stream", "tests/data/streams/x86-64.stream"],
      "says_nothing_in": []
    },
    {
      "ordering": "complement_out_of_order",
      "holds_over_all": true,
      "holds_in": ["tests/data/streams/x86-64.stream"],
      "does_not_hold_in": [],
      "says_nothing_in": ["tests/data/streams/rv64.stream"]
    }
  ]
}
## Groups add up to the cycles; each set is a run with these parts ideal, whatever -j and --lanes are.
$ for f in '-j 1' '-j 3 --lanes c' '--lanes 1'; do sahm core study bottlenecks --csv $f tests/data/streams/*.stream | awk -F, 'NR > 1 { sum = 0; for (i = 9; i <= 24; i++) sum += $i; if (sum != $7) print "wrong:", $0 }'; sahm core study frontend --csv $f tests/data/streams/*.stream | cksum; done | uniq -c
      3 3686315586 4706
$ for c in gem5-inorder gem5-ooo; do sahm core whatif --csv -c $c --ideal fetch,branch tests/data/streams/*.stream; done | cut -d, -f2-7 | sort -u >"$T"/whatif.csv; sahm core study frontend --csv tests/data/streams/*.stream | cut -d, -f3-8 | sort -u | cmp - "$T"/whatif.csv
## Figures.
$ for s in bottlenecks frontend; do sahm core study $s --csv --plot "$T"/p tests/data/streams/rv64.stream tests/data/streams/sort.stream >/dev/null 2>&1; done; for f in "$T"/p/*.csv; do basename "$f"; cat "$f"; done
study_bottlenecks.csv
stream,fetch_share_pct,mispredict_share_pct,decode_share_pct,dispatch_share_pct,window_share_pct,issue_share_pct,integer_share_pct,fp_share_pct,l1d_share_pct,l2_share_pct,llc_share_pct,memory_share_pct,line_share_pct,access_share_pct,commit_share_pct,other_share_pct
rv64 I,27.486910994764397,5.49738219895288,10.209424083769633,0,0,0.13089005235602094,3.0104712041884816,7.853403141361256,3.141361256544503,0,0,36.64921465968586,0,5.2356020942408374,0.5235602094240838,0.2617801047120419
rv64 O,31.304347826086957,0,0.17391304347826086,1.0434782608695652,0,6.260869565217392,0.34782608695652173,2.782608695652174,0.6956521739130435,0,0,24.347826086956523,24.347826086956523,6.956521739130435,1.391304347826087,0.34782608695652173
sort I,22.03689452068364,1.181051364304818,14.115468724997905,0,0.6979632578730408,0.5783341841982947,3.3503760315150224,0.041146305595135595,7.746934981217473,0,0,46.51056469494586,0.42670242839399875,2.484017708150778,0.823688080524844,0.006857717599189265
sort O,31.544935768819865,0.3895562446256873,0.39737342679208904,1.804466216744404,0.1902180993824426,0.08338327644161868,2.0168329989316516,0,2.4519894728613494,0,0,23.34731740365323,33.19696693331944,2.8506657633478385,1.6885113479427782,0.037783047137608466
all streams I,22.068437838533974,1.2060331962152375,14.092861525874412,0,0.6939236229479633,0.5757444906555154,3.348408748286024,0.0863616735983273,7.720279084566259,0,0,46.45348969341606,0.4242327825882745,2.4999431831094747,0.8219510162647818,0.00833314394369825
all streams O,31.543146814261142,0.3866595973050214,0.39571182868005533,1.7988076918103169,0.18880368296499372,0.1293175910719135,2.0044226616146594,0.020690814571506164,2.4389297676162887,0,0,23.354756947587582,33.13116683262424,2.881195929082233,1.6863013875777522,0.04008845323229319
study_gain_in_order.csv
stream,fetch_gain_pct,branch_gain_pct,both_gain_pct
rv64,24.214659685863875,7.460732984293194,31.544502617801047
sort,16.10420682876279,3.9043272198050882,17.6311919475156
all streams,16.15114807996788,3.9249107974818753,17.71171867306046
study_gain_out_of_order.csv
stream,fetch_gain_pct,branch_gain_pct,both_gain_pct
rv64,31.304347826086957,0,31.304347826086957
sort,29.173723845011335,16.03434348698439,38.46835344086302
all streams,29.18956665675232,15.915115933220395,38.41508360382263
study_promised_both.csv
stream,promised_pct,obtained_pct
rv64 I,29.842931937172775,31.544502617801047
rv64 O,31.304347826086957,31.304347826086957
sort I,18.415257659689573,17.6311919475156
sort O,31.02248742736535,38.46835344086302
all streams I,18.481398150042043,17.71171867306046
all streams O,31.02458327406277,38.41508360382263
study_promised_branch.csv
stream,promised_pct,obtained_pct
rv64 I,5.49738219895288,7.460732984293194
rv64 O,0,0
sort I,1.181051364304818,3.9043272198050882
sort O,0.3895562446256873,16.03434348698439
all streams I,1.2060331962152375,3.9249107974818753
all streams O,0.3866595973050214,15.915115933220395
study_promised_fetch.csv
stream,promised_pct,obtained_pct
rv64 I,24.345549738219894,24.214659685863875
rv64 O,31.304347826086957,31.304347826086957
sort I,17.234206295384755,16.10420682876279
sort O,30.63293118273966,29.173723845011335
all streams I,17.275364953826806,16.15114807996788
all streams O,30.63792367675775,29.18956665675232
$ sahm core study frontend --plot "$T"/p tests/data/streams/rv64.stream
sahm: error: '@T@/p/study_gain_in_order.csv' exists already; --force replaces it
[2]
## Mistakes.
$ sahm core study
sahm: error: a study is missing: sahm core study bottlenecks|frontend|tea|ipu-pics|ab|value-prediction|fidelity|edge STREAM...
[2]
$ sahm core study bottleneck tests/data/streams/rv64.stream
sahm: error: unknown study 'bottleneck', must be bottlenecks, frontend, tea, ipu-pics, ab, value-prediction, fidelity or edge; did you mean 'bottlenecks'?
[2]
$ sahm core study frontend
sahm: error: a stream is missing: sahm core study frontend STREAM..., sahm core study frontend --suite open, or sahm core study frontend -- COMMAND
[2]
$ sahm core study frontend --in-order golden-cove tests/data/streams/rv64.stream
sahm: error: --in-order: core 'golden-cove' is out-of-order; sahm core list shows the kinds of cores
[2]
$ sahm core study frontend --out-of-order rocket tests/data/streams/rv64.stream
sahm: error: --out-of-order: core 'rocket' is in-order; sahm core list shows the kinds of cores
[2]
$ sahm core study frontend --out-of-order gem5-oo tests/data/streams/rv64.stream
sahm: error: no model of a core is called 'gem5-oo'; did you mean 'gem5-ooo'? (a path of your own has a / or a . in it)
[2]
$ sahm core study bottlenecks -s rob=64 tests/data/streams/rv64.stream
sahm: error: --set rob=64: 'rob' is a key of out-of-order cores only; kind is in-order (core gem5-inorder)
[2]
$ sahm core study bottlenecks --keep "$T"/s tests/data/streams/rv64.stream
sahm: error: --keep is of a command: sahm core study bottlenecks --keep FILE -- COMMAND
[2]
