## Critical paths of cores. The streams are made up, but for sort (tests/data/streams/README.md).
$ sahm core path -c rocket -c golden-cove --top 3 tests/data/streams/sort.stream
Critical path of tests/data/streams/sort.stream: share of its cycles in %, by what it waits for:
core            rocket  golden-cove
-----------------------------------
instructions     36099        36099
cycles          201348        92008
CPI              5.578        2.549
-----------------------------------
front end, sum     0.0          0.0
-----------------------------------
commit           100.0        100.0
$ sahm core path -c tea --top 0 tests/data/streams/rv64.stream tests/data/streams/x86-64.stream
Critical path on tea: share of its cycles in %, by what it waits for:
stream          rv64.stream  x86-64.stream  all streams
-------------------------------------------------------
instructions            136            195          331
cycles                 1110           1072         2182
CPI                   8.162          5.497        6.592
-------------------------------------------------------
front end, sum          0.0            0.0          0.0
-------------------------------------------------------
commit                100.0          100.0        100.0
$ sahm core path -c boom-small -c u74 -a mshrs=1,4 --top 0 tests/data/streams/rv64.stream tests/data/streams/x86-64.stream
Critical path of tests/data/streams/rv64.stream: share of its cycles in %, by what it waits for:
core            boom-small  boom-small    u74    u74
----------------------------------------------------
mshrs                    1           4      1      4
----------------------------------------------------
instructions           136         136    136    136
cycles                1372        1114   1112    955
CPI                 10.088       8.191  8.176  7.022
----------------------------------------------------
front end, sum         0.0         0.0    0.0    0.0
----------------------------------------------------
commit               100.0       100.0  100.0  100.0

Critical path of tests/data/streams/x86-64.stream: share of its cycles in %, by what it waits for:
core            boom-small  boom-small    u74    u74
----------------------------------------------------
mshrs                    1           4      1      4
----------------------------------------------------
instructions           195         195    195    195
cycles                2050        2050   1684   1683
CPI                 10.513      10.513  8.636  8.631
----------------------------------------------------
front end, sum         0.0         0.0    0.0    0.0
----------------------------------------------------
commit               100.0       100.0  100.0  100.0

Critical path of all streams: share of its cycles in %, by what it waits for:
core            boom-small  boom-small    u74    u74
----------------------------------------------------
mshrs                    1           4      1      4
----------------------------------------------------
instructions           331         331    331    331
cycles                3422        3164   2796   2638
CPI                 10.338       9.559  8.447  7.970
----------------------------------------------------
front end, sum         0.0         0.0    0.0    0.0
----------------------------------------------------
commit               100.0       100.0  100.0  100.0
$ sahm core path -c golden-cove --top 2 --per-epoch tests/data/streams/x86-64.stream
Critical path of tests/data/streams/x86-64.stream: share of its cycles in %, by what it waits for:
core            golden-cove
---------------------------
instructions            195
cycles                 1018
CPI                   5.221
---------------------------
front end, sum          0.0
---------------------------
commit                100.0

Epochs of tests/data/streams/x86-64.stream on golden-cove, shares in %, of the causes with the most cycles:
epoch  instructions  cycles    CPI  front end  commit  others
-------------------------------------------------------------
0               100     724  7.240        0.0   100.0     0.0
1                95     294  3.095        0.0   100.0     0.0
-------------------------------------------------------------
all             195    1018  5.221        0.0   100.0     0.0
$ sahm core path -c rocket --top 0 --skip 34 --every 34 --take 10 tests/data/streams/rv64.stream | tail -n 2

Timed: the last 10 of every 34 instructions, after 24 that only warm; not counting the first 34 instructions
$ sahm core path -c rocket -a mshrs=1,2 --top 2 --json tests/data/streams/rv64.stream tests/data/streams/x86-64.stream
{
  "schema": "sahm-core-path/1",
  "runs": [
    {
      "stream": "tests/data/streams/rv64.stream",
      "core": "rocket",
      "core_name": "Rocket (Icicle)",
      "config_hash": "4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab",
      "settings": {"mshrs": 1},
      "instructions": 136,
      "cycles": 1430,
      "cpi": 10.514705882352942,
      "front_end": 0,
      "causes": {"commit": 1430},
      "windows": 0,
      "cuts": 0,
      "top_instructions": [],
      "top_edges": [],
      "all_edges_known": true
    },
    {
      "stream": "tests/data/streams/rv64.stream",
      "core": "rocket",
      "core_name": "Rocket (Icicle)",
      "config_hash": "d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b",
      "settings": {"mshrs": 2},
      "instructions": 136,
      "cycles": 1430,
      "cpi": 10.514705882352942,
      "front_end": 0,
      "causes": {"commit": 1430},
      "windows": 0,
      "cuts": 0,
      "top_instructions": [],
      "top_edges": [],
      "all_edges_known": true
    },
    {
      "stream": "tests/data/streams/x86-64.stream",
      "core": "rocket",
      "core_name": "Rocket (Icicle)",
      "config_hash": "4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab",
      "settings": {"mshrs": 1},
      "instructions": 195,
      "cycles": 2389,
      "cpi": 12.251282051282052,
      "front_end": 0,
      "causes": {"commit": 2389},
      "windows": 0,
      "cuts": 0,
      "top_instructions": [],
      "top_edges": [],
      "all_edges_known": true
    },
    {
      "stream": "tests/data/streams/x86-64.stream",
      "core": "rocket",
      "core_name": "Rocket (Icicle)",
      "config_hash": "d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b",
      "settings": {"mshrs": 2},
      "instructions": 195,
      "cycles": 2388,
      "cpi": 12.246153846153845,
      "front_end": 0,
      "causes": {"commit": 2388},
      "windows": 0,
      "cuts": 0,
      "top_instructions": [],
      "top_edges": [],
      "all_edges_known": true
    }
  ],
  "all": [
    {
      "core": "rocket",
      "core_name": "Rocket (Icicle)",
      "config_hash": "4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab",
      "settings": {"mshrs": 1},
      "instructions": 331,
      "cycles": 3819,
      "cpi": 11.537764350453172,
      "front_end": 0,
      "causes": {"commit": 3819},
      "windows": 0,
      "cuts": 0
    },
    {
      "core": "rocket",
      "core_name": "Rocket (Icicle)",
      "config_hash": "d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b",
      "settings": {"mshrs": 2},
      "instructions": 331,
      "cycles": 3818,
      "cpi": 11.534743202416918,
      "front_end": 0,
      "causes": {"commit": 3818},
      "windows": 0,
      "cuts": 0
    }
  ]
}
$ sahm core path -c golden-cove --top 0 --per-epoch --json tests/data/streams/x86-64.stream
{
  "schema": "sahm-core-path/1",
  "runs": [
    {
      "stream": "tests/data/streams/x86-64.stream",
      "core": "golden-cove",
      "core_name": "Golden Cove-like",
      "config_hash": "de542985f2c9144f782adc9efd167629882783fe9b6b0b4e8162c7f6162a2aec",
      "instructions": 195,
      "cycles": 1018,
      "cpi": 5.220512820512821,
      "front_end": 0,
      "causes": {"commit": 1018},
      "windows": 0,
      "cuts": 0,
      "epochs": [
        {
          "epoch": 0,
          "instructions": 100,
          "cycles": 724,
          "cpi": 7.24,
          "front_end": 0,
          "causes": {"commit": 724},
          "windows": 0,
          "cuts": 0
        },
        {
          "epoch": 1,
          "instructions": 95,
          "cycles": 294,
          "cpi": 3.094736842105263,
          "front_end": 0,
          "causes": {"commit": 294},
          "windows": 0,
          "cuts": 0
        }
      ]
    }
  ]
}
$ sahm core path -c rocket -a mshrs=1,2 --csv tests/data/streams/rv64.stream tests/data/streams/x86-64.stream
stream,core,settings,config_hash,epoch,instructions,cause,front_end,cycles
tests/data/streams/rv64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"",136,commit,false,1430
tests/data/streams/rv64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"",136,commit,false,1430
tests/data/streams/x86-64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"",195,commit,false,2389
tests/data/streams/x86-64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"",195,commit,false,2388
"",rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"",331,commit,false,3819
"",rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"",331,commit,false,3818
$ sahm core path -c golden-cove --per-epoch --csv tests/data/streams/x86-64.stream
stream,core,config_hash,epoch,instructions,cause,front_end,cycles
tests/data/streams/x86-64.stream,golden-cove,de542985f2c9144f782adc9efd167629882783fe9b6b0b4e8162c7f6162a2aec,0,100,commit,false,724
tests/data/streams/x86-64.stream,golden-cove,de542985f2c9144f782adc9efd167629882783fe9b6b0b4e8162c7f6162a2aec,1,95,commit,false,294
## Causes add up to the cycles, of each epoch too.
$ for c in golden-cove gem5-inorder; do for e in '' --per-epoch; do sahm core time -c $c $e --csv tests/data/streams/*.stream | tail -n +2 | cut -d, -f1,5,8 | sort >"$T"/time; sahm core path -c $c $e --csv tests/data/streams/*.stream | awk -F, 'NR > 1 && $1 != "\"\"" { n[$1 "," $4] += $8 } END { for (i in n) print i "," n[i] }' | sort | cmp - "$T"/time && wc -l <"$T"/time; done; done
3
8
3
8
## So do edges, and the instructions that they come from.
$ sahm core path -c rocket -c golden-cove --top 100000 --json tests/data/streams/*.stream | awk '/^      "cycles"/ { all = $2 + 0 } /^        {"/ { match($0, /"cycles": [0-9]+/); n[/"from"/] += substr($0, RSTART + 10, RLENGTH - 10) } /"all_edges_known"/ { print n[0] == all ? "all" : "not all", n[1] == all ? "all" : "not all"; n[0] = n[1] = 0 }' | uniq -c
      6 not all not all
## The same whatever -j and --lanes are.
$ for f in '-j 1' '-j 3' '--lanes 1' '--lanes c -j 7'; do sahm core path -c golden-cove -a rob=64..512..64 --json $f tests/data/streams/*.stream | sha256sum; done | uniq | wc -l
1
## Figures.
$ sahm core path -c rocket -c tea --csv --plot "$T"/p tests/data/streams/rv64.stream tests/data/streams/x86-64.stream >/dev/null 2>&1; cat "$T"/p/*.csv; sahm core path --plot "$T"/p tests/data/streams/rv64.stream
run,path_pct
rv64.stream on rocket,100
rv64.stream on tea,100
x86-64.stream on rocket,100
x86-64.stream on tea,100
all streams on rocket,100
all streams on tea,100
sahm: error: '@T@/p/path_causes.csv' exists already; --force replaces it
[2]
## Mistakes.
$ sahm core path
sahm: error: a stream is missing: sahm core path STREAM..., sahm core path --suite open, or sahm core path -- COMMAND
[2]
$ sahm core path --top 100001 tests/data/streams/rv64.stream
sahm: error: --top is a whole number from 0 to 100000, not '100001'
[2]
$ sahm core path -c rockt tests/data/streams/rv64.stream
sahm: error: no model of a core is called 'rockt'; did you mean 'rocket'? (a path of your own has a / or a . in it)
[2]
$ sahm core path -a mshrs=1,2 -a mshrs=3 tests/data/streams/rv64.stream
sahm: error: --axis mshrs=3: an axis before it has the same key
[2]
$ sahm core path --keep "$T"/s tests/data/streams/rv64.stream
sahm: error: --keep is of a command: sahm core path --keep FILE -- COMMAND
[2]
$ sahm core path --top 0 tests/data/streams/missing.stream
sahm: error: cannot open 'tests/data/streams/missing.stream': No such file or directory
[1]
