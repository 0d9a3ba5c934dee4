## An in-order core beside an out-of-order one. The streams are made up, but for sort (tests/data/streams/README.md).
$ sahm core study bottlenecks tests/data/streams/rv64.stream tests/data/streams/sort.stream tests/data/streams/x86-64.stream
Critical path of gem5-inorder (I) and gem5-ooo (O), in % of the cycles:
stream                            core    CPI  front end  commit
----------------------------------------------------------------
tests/data/streams/rv64.stream       I  5.618        0.0   100.0
tests/data/streams/rv64.stream       O  4.228        0.0   100.0
tests/data/streams/sort.stream       I  3.636        0.0   100.0
tests/data/streams/sort.stream       O  2.126        0.0   100.0
tests/data/streams/x86-64.stream     I  6.908        0.0   100.0
tests/data/streams/x86-64.stream     O  6.103        0.0   100.0
----------------------------------------------------------------
all streams                          I  3.660        0.0   100.0
all streams                          O  2.155        0.0   100.0

The same, in cycles per instruction:
stream                            core    CPI  front end  commit
----------------------------------------------------------------
tests/data/streams/rv64.stream       I  5.618      0.000   5.618
tests/data/streams/rv64.stream       O  4.228      0.000   4.228
tests/data/streams/sort.stream       I  3.636      0.000   3.636
tests/data/streams/sort.stream       O  2.126      0.000   2.126
tests/data/streams/x86-64.stream     I  6.908      0.000   6.908
tests/data/streams/x86-64.stream     O  6.103      0.000   6.103
----------------------------------------------------------------
all streams                          I  3.660      0.000   3.660
all streams                          O  2.155      0.000   2.155

Do the orderings of the paper hold?
- The front end has a larger share of the cycles out of order than in order:
  holds in 0 of 3 streams; over all of them, it does not hold
  does not hold in tests/data/streams/rv64.stream, tests/data/streams/sort.stream, tests/data/streams/x86-64.stream
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
tests/data/streams/rv64.stream       I              0.0      24.2               0.0       7.5             0.0      31.5         -0.1
tests/data/streams/rv64.stream       O              0.0      31.3               0.0       0.0             0.0      31.3          0.0
tests/data/streams/sort.stream       I              0.0      16.1               0.0       3.9             0.0      17.6         -2.4
tests/data/streams/sort.stream       O              0.0      29.2               0.0      16.0             0.0      38.5         -6.7
tests/data/streams/x86-64.stream     I              0.0      23.4               0.0       3.4             0.0      26.7         -0.1
tests/data/streams/x86-64.stream     O              0.0      37.2               0.0      13.4             0.0      50.8          0.2
------------------------------------------------------------------------------------------------------------------------------------
all streams                          I              0.0      16.2               0.0       3.9             0.0      17.8         -2.3
all streams                          O              0.0      29.3               0.0      15.9             0.0      38.6         -6.6

Do the orderings of the paper hold?
- In order, ideal branches save as much as ideal fetch, or more:
  holds in 0 of 3 streams; over all of them, it does not hold
  does not hold in tests/data/streams/rv64.stream, tests/data/streams/sort.stream, tests/data/streams/x86-64.stream
- Out of order, the one that saves less still saves at least half of that if the other one is ideal as well:
  holds in 2 of 3 streams; over all of them, it holds
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
tests/data/streams/rv64.stream     I              0.0      35.6               0.0       1.3             0.0      36.1         -0.7
tests/data/streams/rv64.stream     O              0.0      50.0               0.0       6.7             0.0      52.7         -4.0

Do the orderings of the paper hold?
- In order, ideal branches save as much as ideal fetch, or more:
  holds in 0 of 1 stream
  does not hold in tests/data/streams/rv64.stream
- Out of order, the one that saves less still saves at least half of that if the other one is ideal as well:
  holds in 0 of 1 stream
  does not hold in tests/data/streams/rv64.stream

Timed: all after the first 34 instructions
$ sahm core study bottlenecks --csv --in-order u74 tests/data/streams/rv64.stream tests/data/streams/x86-64.stream
stream,kind,core,config_hash,instructions,cycles,front_end_cycles,fetch_cycles,mispredict_cycles,decode_cycles,dispatch_cycles,window_cycles,issue_cycles,integer_cycles,fp_cycles,l1d_cycles,l2_cycles,llc_cycles,memory_cycles,access_cycles,commit_cycles,other_cycles,windows,cuts
tests/data/streams/rv64.stream,in_order,u74,6e020b82c9ce631470854241c19964ddb45fe5a53ad2e07cd8fdd72f9ba5d788,136,955,0,0,0,0,0,0,0,0,0,0,0,0,0,0,955,0,0,0
tests/data/streams/rv64.stream,out_of_order,gem5-ooo,c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0,136,575,0,0,0,0,0,0,0,0,0,0,0,0,0,0,575,0,0,0
tests/data/streams/x86-64.stream,in_order,u74,6e020b82c9ce631470854241c19964ddb45fe5a53ad2e07cd8fdd72f9ba5d788,195,1683,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1683,0,0,0
tests/data/streams/x86-64.stream,out_of_order,gem5-ooo,c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0,195,1190,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1190,0,0,0
"",in_order,u74,6e020b82c9ce631470854241c19964ddb45fe5a53ad2e07cd8fdd72f9ba5d788,331,2638,0,0,0,0,0,0,0,0,0,0,0,0,0,0,2638,0,0,0
"",out_of_order,gem5-ooo,c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0,331,1765,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1765,0,0,0
$ sahm core study frontend --csv tests/data/streams/rv64.stream tests/data/streams/x86-64.stream
stream,kind,core,config_hash,ideal,instructions,cycles,promised_cycles,gain_cycles,interaction_cycles
tests/data/streams/rv64.stream,in_order,gem5-inorder,ae2aec150a7ebd11637c4ee14fb6d4a27cb0b89fbbd4d7af6d641707e640e68b,"",136,764,0,0,""
tests/data/streams/rv64.stream,in_order,gem5-inorder,ae2aec150a7ebd11637c4ee14fb6d4a27cb0b89fbbd4d7af6d641707e640e68b,fetch,136,579,0,185,""
tests/data/streams/rv64.stream,in_order,gem5-inorder,ae2aec150a7ebd11637c4ee14fb6d4a27cb0b89fbbd4d7af6d641707e640e68b,branch,136,707,0,57,""
tests/data/streams/rv64.stream,in_order,gem5-inorder,ae2aec150a7ebd11637c4ee14fb6d4a27cb0b89fbbd4d7af6d641707e640e68b,fetch+branch,136,523,0,241,-1
tests/data/streams/rv64.stream,out_of_order,gem5-ooo,c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0,"",136,575,0,0,""
tests/data/streams/rv64.stream,out_of_order,gem5-ooo,c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0,fetch,136,395,0,180,""
tests/data/streams/rv64.stream,out_of_order,gem5-ooo,c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0,branch,136,575,0,0,""
tests/data/streams/rv64.stream,out_of_order,gem5-ooo,c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0,fetch+branch,136,395,0,180,0
tests/data/streams/x86-64.stream,in_order,gem5-inorder,ae2aec150a7ebd11637c4ee14fb6d4a27cb0b89fbbd4d7af6d641707e640e68b,"",195,1347,0,0,""
tests/data/streams/x86-64.stream,in_order,gem5-inorder,ae2aec150a7ebd11637c4ee14fb6d4a27cb0b89fbbd4d7af6d641707e640e68b,fetch,195,1032,0,315,""
tests/data/streams/x86-64.stream,in_order,gem5-inorder,ae2aec150a7ebd11637c4ee14fb6d4a27cb0b89fbbd4d7af6d641707e640e68b,branch,195,1301,0,46,""
tests/data/streams/x86-64.stream,in_order,gem5-inorder,ae2aec150a7ebd11637c4ee14fb6d4a27cb0b89fbbd4d7af6d641707e640e68b,fetch+branch,195,987,0,360,-1
tests/data/streams/x86-64.stream,out_of_order,gem5-ooo,c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0,"",195,1190,0,0,""
tests/data/streams/x86-64.stream,out_of_order,gem5-ooo,c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0,fetch,195,747,0,443,""
tests/data/streams/x86-64.stream,out_of_order,gem5-ooo,c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0,branch,195,1030,0,160,""
tests/data/streams/x86-64.stream,out_of_order,gem5-ooo,c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0,fetch+branch,195,585,0,605,2
"",in_order,gem5-inorder,ae2aec150a7ebd11637c4ee14fb6d4a27cb0b89fbbd4d7af6d641707e640e68b,"",331,2111,0,0,""
"",in_order,gem5-inorder,ae2aec150a7ebd11637c4ee14fb6d4a27cb0b89fbbd4d7af6d641707e640e68b,fetch,331,1611,0,500,""
"",in_order,gem5-inorder,ae2aec150a7ebd11637c4ee14fb6d4a27cb0b89fbbd4d7af6d641707e640e68b,branch,331,2008,0,103,""
"",in_order,gem5-inorder,ae2aec150a7ebd11637c4ee14fb6d4a27cb0b89fbbd4d7af6d641707e640e68b,fetch+branch,331,1510,0,601,-2
"",out_of_order,gem5-ooo,c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0,"",331,1765,0,0,""
"",out_of_order,gem5-ooo,c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0,fetch,331,1142,0,623,""
"",out_of_order,gem5-ooo,c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0,branch,331,1605,0,160,""
"",out_of_order,gem5-ooo,c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0,fetch+branch,331,980,0,785,2
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
        "front_end": 0,
        "groups": {"fetch": 0, "mispredict": 0, "decode": 0, "dispatch": 0, "window": 0, "issue": 0, "integer": 0, "fp": 0, "l1d": 0, "l2": 0, "llc": 0, "memory": 0, "access": 0, "commit": 764, "other": 0},
        "windows": 0,
        "cuts": 0
      },
      "out_of_order": {
        "cycles": 575,
        "front_end": 0,
        "groups": {"fetch": 0, "mispredict": 0, "decode": 0, "dispatch": 0, "window": 0, "issue": 0, "integer": 0, "fp": 0, "l1d": 0, "l2": 0, "llc": 0, "memory": 0, "access": 0, "commit": 575, "other": 0},
        "windows": 0,
        "cuts": 0
      }
    }
  ],
  "orderings": [
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
          {"ideal": ["fetch"], "cycles": 579, "promised": 0, "gain": 185},
          {"ideal": ["branch"], "cycles": 707, "promised": 0, "gain": 57},
          {"ideal": ["fetch", "branch"], "cycles": 523, "promised": 0, "gain": 241, "interaction": -1}
        ]
      },
      "out_of_order": {
        "cycles": 575,
        "sets": [
          {"ideal": ["fetch"], "cycles": 395, "promised": 0, "gain": 180},
          {"ideal": ["branch"], "cycles": 575, "promised": 0, "gain": 0},
          {"ideal": ["fetch", "branch"], "cycles": 395, "promised": 0, "gain": 180, "interaction": 0}
        ]
      }
    },
    {
      "stream": "tests/data/streams/x86-64.stream",
      "instructions": 195,
      "in_order": {
        "cycles": 1347,
        "sets": [
          {"ideal": ["fetch"], "cycles": 1032, "promised": 0, "gain": 315},
          {"ideal": ["branch"], "cycles": 1301, "promised": 0, "gain": 46},
          {"ideal": ["fetch", "branch"], "cycles": 987, "promised": 0, "gain": 360, "interaction": -1}
        ]
      },
      "out_of_order": {
        "cycles": 1190,
        "sets": [
          {"ideal": ["fetch"], "cycles": 747, "promised": 0, "gain": 443},
          {"ideal": ["branch"], "cycles": 1030, "promised": 0, "gain": 160},
          {"ideal": ["fetch", "branch"], "cycles": 585, "promised": 0, "gain": 605, "interaction": 2}
        ]
      }
    }
  ],
  "all": {
    "instructions": 331,
    "in_order": {
      "cycles": 2111,
      "sets": [
        {"ideal": ["fetch"], "cycles": 1611, "promised": 0, "gain": 500},
        {"ideal": ["branch"], "cycles": 2008, "promised": 0, "gain": 103},
        {"ideal": ["fetch", "branch"], "cycles": 1510, "promised": 0, "gain": 601, "interaction": -2}
      ]
    },
    "out_of_order": {
      "cycles": 1765,
      "sets": [
        {"ideal": ["fetch"], "cycles": 1142, "promised": 0, "gain": 623},
        {"ideal": ["branch"], "cycles": 1605, "promised": 0, "gain": 160},
        {"ideal": ["fetch", "branch"], "cycles": 980, "promised": 0, "gain": 785, "interaction": 2}
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
$ for f in '-j 1' '-j 3 --lanes c' '--lanes 1'; do sahm core study bottlenecks --csv $f tests/data/streams/*.stream | awk -F, 'NR > 1 { sum = 0; for (i = 8; i <= 22; i++) sum += $i; if (sum != $6) print "wrong:", $0 }'; sahm core study frontend --csv $f tests/data/streams/*.stream | cksum; done | uniq -c
      3 47783865 4535
$ for c in gem5-inorder gem5-ooo; do sahm core whatif --csv -c $c --ideal fetch,branch tests/data/streams/*.stream; done | cut -d, -f2-6 | sort -u >"$T"/whatif.csv; sahm core study frontend --csv tests/data/streams/*.stream | cut -d, -f3-7 | sort -u | cmp - "$T"/whatif.csv
## Figures.
$ for s in bottlenecks frontend; do sahm core study $s --csv --plot "$T"/p tests/data/streams/rv64.stream tests/data/streams/sort.stream >/dev/null 2>&1; done; for f in "$T"/p/*.csv; do basename "$f"; cat "$f"; done
study_bottlenecks.csv
stream,fetch_share_pct,mispredict_share_pct,decode_share_pct,dispatch_share_pct,window_share_pct,issue_share_pct,integer_share_pct,fp_share_pct,l1d_share_pct,l2_share_pct,llc_share_pct,memory_share_pct,access_share_pct,commit_share_pct,other_share_pct
rv64 I,0,0,0,0,0,0,0,0,0,0,0,0,0,100,0
rv64 O,0,0,0,0,0,0,0,0,0,0,0,0,0,100,0
sort I,0,0,0,0,0,0,0,0,0,0,0,0,0,100,0
sort O,0,0,0,0,0,0,0,0,0,0,0,0,0,100,0
all streams I,0,0,0,0,0,0,0,0,0,0,0,0,0,100,0
all streams O,0,0,0,0,0,0,0,0,0,0,0,0,0,100,0
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
rv64 I,0,31.544502617801047
rv64 O,0,31.304347826086957
sort I,0,17.6311919475156
sort O,0,38.46835344086302
all streams I,0,17.71171867306046
all streams O,0,38.41508360382263
study_promised_branch.csv
stream,promised_pct,obtained_pct
rv64 I,0,7.460732984293194
rv64 O,0,0
sort I,0,3.9043272198050882
sort O,0,16.03434348698439
all streams I,0,3.9249107974818753
all streams O,0,15.915115933220395
study_promised_fetch.csv
stream,promised_pct,obtained_pct
rv64 I,0,24.214659685863875
rv64 O,0,31.304347826086957
sort I,0,16.10420682876279
sort O,0,29.173723845011335
all streams I,0,16.15114807996788
all streams O,0,29.18956665675232
$ sahm core study frontend --plot "$T"/p tests/data/streams/rv64.stream
sahm: error: '@T@/p/study_gain_in_order.csv' exists already; --force replaces it
[2]
## Mistakes.
$ sahm core study
sahm: error: a study is missing: sahm core study bottlenecks|frontend STREAM...
[2]
$ sahm core study bottleneck tests/data/streams/rv64.stream
sahm: error: unknown study 'bottleneck', must be bottlenecks or frontend; did you mean 'bottlenecks'?
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
