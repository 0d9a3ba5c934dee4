## Critical paths of cores. The streams are made up, but for sort (tests/data/streams/README.md).
$ sahm core path -c rocket -c golden-cove --top 3 tests/data/streams/sort.stream
Critical path of tests/data/streams/sort.stream: share of its cycles in %, by what it waits for:
core             rocket  golden-cove
------------------------------------
instructions      36099        36099
cycles           201348        90242
CPI               5.578        2.500
------------------------------------
fetch-width         0.0          0.1
taken-branch        0.0          0.4
btb                 0.1          0.4
fetch-l2            0.0          1.4
fetch-memory       20.5         21.8
itlb                0.6          1.1
mispredict          0.5          1.8
decode              0.4          2.5
------------------------------------
front end, sum     22.1         29.5
------------------------------------
violation           0.0          0.1
dispatch            0.0          0.6
dispatch-width      0.0          0.1
store-queue         0.7          0.0
dtlb                1.4          1.8
data-l1             6.7          7.0
data-l2             0.1          0.2
data-memory        53.2         12.6
data-line           0.0         43.7
forward             0.0          0.9
bus                 0.0          0.4
commit-width        0.6          0.0
drain               0.7          0.0
issue               9.4            -
issue-math            -          0.2
issue-load            -          0.1
latency-integer     4.4          2.0
latency-store       0.6          0.4
latency-branch      0.0          0.3

Instructions that the path of tests/data/streams/sort.stream on rocket waits for longest:
instruction   in                 cycles     %  main causes, in % of the path
--------------------------------------------------------------------------------------
0x400000e4d7  lua5.1+0xe4d7       37497  18.6  data-memory 17.5, dtlb 0.8, data-l1 0.2
0x4002a4ff0a  libc.so.6+0x98f0a   15004   7.5  data-memory 7.2, data-l1 0.2, issue 0.1
0x4002a4d1e0  libc.so.6+0x961e0   14613   7.3  data-memory 7.1, data-l1 0.2, dtlb 0.0

Edges of the path of tests/data/streams/sort.stream on rocket with the most cycles, where instruction "to" waits for "from":
from          in                 to            in                 cause        cycles     %  times
--------------------------------------------------------------------------------------------------
0x400000e4d7  lua5.1+0xe4d7      0x400000e4d7  lua5.1+0xe4d7      data-memory   35280  17.5    152
0x4002a4ff0a  libc.so.6+0x98f0a  0x4002a4ff0a  libc.so.6+0x98f0a  data-memory   14490   7.2     64
0x4002a4d1e0  libc.so.6+0x961e0  0x4002a4d1e0  libc.so.6+0x961e0  data-memory   14265   7.1     63

Instructions that the path of tests/data/streams/sort.stream on golden-cove waits for longest:
instruction   in                           cycles     %  main causes, in % of the path
--------------------------------------------------------------------------------------------------
0x400000e4d7  lua5.1+0xe4d7                 24559  27.2  data-line 24.9, dtlb 1.0, data-l1 0.7
0x4002a4ff0a  libc.so.6+0x98f0a             12189  13.5  data-line 13.3, data-l1 0.1, dispatch 0.0
0x4002835136  ld-linux-x86-64.so.2+0x1136    1630   1.8  data-memory 1.7, data-l1 0.0, decode 0.0

Edges of the path of tests/data/streams/sort.stream on golden-cove with the most cycles, where instruction "to" waits for "from":
from          in                           to            in                           cause        cycles     %  times
----------------------------------------------------------------------------------------------------------------------
0x400000e4d7  lua5.1+0xe4d7                0x400000e4d7  lua5.1+0xe4d7                data-line     22475  24.9     98
0x4002a4ff0a  libc.so.6+0x98f0a            0x4002a4ff0a  libc.so.6+0x98f0a            data-line     12025  13.3     54
0x40028350f0  ld-linux-x86-64.so.2+0x10f0  0x40028350f0  ld-linux-x86-64.so.2+0x10f0  data-memory    1575   1.7      7
$ sahm core path -c tea --top 0 tests/data/streams/rv64.stream tests/data/streams/x86-64.stream
Critical path on tea: share of its cycles in %, by what it waits for:
stream                 rv64.stream  x86-64.stream  all streams
--------------------------------------------------------------
instructions                   136            195          331
cycles                        1110           1072         2182
CPI                          8.162          5.497        6.592
--------------------------------------------------------------
taken-branch                   0.2            0.0          0.1
btb                            0.4            0.0          0.2
fetch-memory                  24.3           25.2         24.7
fetch-line                    24.3            0.0         12.4
itlb                           3.6            3.7          3.7
mispredict                     0.5            0.3          0.4
decode                         2.2            1.1          1.6
--------------------------------------------------------------
front end, sum                55.5           30.3         43.1
--------------------------------------------------------------
system                         0.5            0.0          0.2
dispatch                       0.5            0.4          0.5
serialize                      0.2            0.1          0.1
store-queue                    0.0            0.1          0.0
dtlb                           3.6            3.7          3.7
data-l1                        0.7            1.5          1.1
data-memory                    0.0           25.2         12.4
data-line                     20.3           25.9         23.1
forward                        0.0            0.1          0.0
bus                            2.3            0.0          1.2
commit-width                   0.4            0.3          0.3
commit                         0.6            0.5          0.5
drain                          0.0            4.8          2.3
issue-memory                   0.0            0.9          0.5
issue-fp                       0.3            0.0          0.1
units-fp-divider              10.5            0.0          5.4
latency-integer                0.4            0.4          0.4
latency-fp-multiply            0.4            0.7          0.5
latency-fp-divide              3.4            3.7          3.6
latency-fp-other               0.0            0.7          0.4
latency-vector                 0.0            0.4          0.2
latency-store                  0.1            0.1          0.1
latency-branch                 0.0            0.1          0.0
latency-indirect-jump          0.1            0.0          0.0
latency-indirect-call          0.1            0.0          0.0
latency-fence                  0.1            0.0          0.0
latency-system                 0.1            0.1          0.1
$ sahm core path -c boom-small -c u74 -a mshrs=1,4 --top 0 tests/data/streams/rv64.stream tests/data/streams/x86-64.stream
Critical path of tests/data/streams/rv64.stream: share of its cycles in %, by what it waits for:
core                   boom-small  boom-small    u74    u74
-----------------------------------------------------------
mshrs                           1           4      1      4
-----------------------------------------------------------
instructions                  136         136    136    136
cycles                       1372        1114   1112    955
CPI                        10.088       8.191  8.176  7.022
-----------------------------------------------------------
fetch-width                   0.1         0.1    0.0    0.0
taken-branch                  0.2         0.3    0.7    0.8
btb                           0.4         0.5    0.4    0.4
fetch-memory                 39.4        48.5   10.8   12.6
itlb                          2.9         3.6    3.6    4.2
mispredict                    0.4         0.5    2.2    2.5
decode                        1.7         2.2    2.7    3.1
-----------------------------------------------------------
front end, sum               45.2        55.7   20.3   23.7
-----------------------------------------------------------
system                        0.4         0.4    0.4    0.5
dispatch                      0.6         0.7    0.0    0.0
dispatch-width                0.1         0.1    0.0    0.0
serialize                     0.1         0.2    0.2    0.2
rob                           0.1         0.2    0.0    0.0
dtlb                          2.9         3.6    7.2    4.2
data-l1                       1.2         1.4    2.7    3.1
data-memory                  36.1        20.2   32.4   25.1
forward                       0.0         0.0    1.3    1.9
mshr                          0.1         0.0    0.1    0.0
bus                           0.0         1.2    0.0    0.0
commit-width                  2.5         3.1    0.9    1.0
commit                        0.7         0.8    0.1    0.1
issue                           -           -    1.3    1.6
issue-fp                      0.1         0.1      -      -
units-fp-divider              3.2         3.9   17.2   20.0
latency-integer               0.3         0.4    1.5    1.8
latency-fp-multiply           0.9         1.1    4.4    5.1
latency-fp-divide             5.3         6.6    9.8   11.4
latency-store                 0.1         0.1    0.0    0.0
latency-indirect-jump         0.1         0.1    0.0    0.0
latency-indirect-call         0.1         0.1    0.0    0.0
latency-fence                 0.1         0.1    0.1    0.1
latency-system                0.1         0.1    0.1    0.1

Critical path of tests/data/streams/x86-64.stream: share of its cycles in %, by what it waits for:
core                 boom-small  boom-small    u74    u74
---------------------------------------------------------
mshrs                         1           4      1      4
---------------------------------------------------------
instructions                195         195    195    195
cycles                     2050        2050   1684   1683
CPI                      10.513      10.513  8.636  8.631
---------------------------------------------------------
fetch-width                 0.0         0.0    0.1    0.1
taken-branch                0.1         0.1    0.0    0.0
btb                         0.3         0.3    0.0    0.0
fetch-memory               39.5        39.5   21.4   21.4
itlb                        2.0         2.0    2.4    2.4
fetch-buffer                0.0         0.0    0.1    0.1
mispredict                  0.6         0.6    1.6    1.6
decode                      2.0         2.0    2.3    2.3
---------------------------------------------------------
front end, sum             44.6        44.6   27.9   27.9
---------------------------------------------------------
system                      0.2         0.2    0.3    0.3
dispatch                    0.4         0.4    0.0    0.0
dispatch-width              5.6         5.6    0.0    0.0
serialize                   0.1         0.1    0.1    0.1
store-queue                 0.0         0.0    0.1    0.1
dtlb                        2.0         2.0    2.4    2.4
data-l1                     0.8         0.8   13.0   13.0
data-memory                24.1        24.1   21.4   21.4
data-line                  11.0        11.0    0.0    0.0
mshr                        0.0         0.0    0.1    0.0
commit-width                0.4         0.4    0.0    0.0
commit                      0.3         0.3    0.1    0.1
issue                         -           -    5.3    5.3
issue-fp                    0.3         0.3      -      -
units-pipe-b                  -           -    0.1    0.1
latency-integer             0.2         0.2    0.3    0.3
latency-multiply            0.1         0.1    0.2    0.2
latency-divide              1.0         1.0    2.0    2.0
latency-fp-multiply         0.4         0.4    3.3    3.3
latency-fp-divide           7.2         7.2   23.3   23.3
latency-fp-other            0.6         0.6    0.0    0.0
latency-store               0.1         0.1    0.1    0.1
latency-atomic              0.0         0.0    0.1    0.1
latency-branch              0.1         0.1    0.0    0.0
latency-fence               0.0         0.0    0.1    0.1
latency-system              0.0         0.0    0.1    0.1

Critical path of all streams: share of its cycles in %, by what it waits for:
core                   boom-small  boom-small    u74    u74
-----------------------------------------------------------
mshrs                           1           4      1      4
-----------------------------------------------------------
instructions                  331         331    331    331
cycles                       3422        3164   2796   2638
CPI                        10.338       9.559  8.447  7.970
-----------------------------------------------------------
taken-branch                  0.2         0.2    0.3    0.3
btb                           0.4         0.4    0.1    0.2
fetch-memory                 39.5        42.7   17.2   18.2
itlb                          2.3         2.5    2.9    3.0
fetch-buffer                  0.0         0.0    0.1    0.1
mispredict                    0.5         0.6    1.8    1.9
decode                        1.9         2.1    2.5    2.6
-----------------------------------------------------------
front end, sum               44.8        48.5   24.9   26.3
-----------------------------------------------------------
system                        0.3         0.3    0.4    0.4
dispatch                      0.5         0.5    0.0    0.0
dispatch-width                3.4         3.6    0.0    0.0
serialize                     0.1         0.1    0.1    0.2
rob                           0.1         0.1    0.0    0.0
dtlb                          2.3         2.5    4.3    3.0
data-l1                       0.9         1.0    8.9    9.4
data-memory                  28.9        22.8   25.8   22.7
data-line                     6.6         7.1    0.0    0.0
forward                       0.0         0.0    0.5    0.7
mshr                          0.0         0.0    0.1    0.0
bus                           0.0         0.4    0.0    0.0
commit-width                  1.3         1.4    0.4    0.4
commit                        0.5         0.5    0.1    0.1
issue                           -           -    3.7    4.0
issue-fp                      0.2         0.3      -      -
units-fp-divider              1.3         1.4    6.8    7.2
latency-integer               0.3         0.3    0.8    0.8
latency-multiply              0.1         0.1    0.1    0.1
latency-divide                0.6         0.6    1.2    1.3
latency-fp-multiply           0.6         0.6    3.8    4.0
latency-fp-divide             6.4         7.0   17.9   19.0
latency-fp-other              0.4         0.4    0.0    0.0
latency-store                 0.1         0.1    0.1    0.1
latency-branch                0.1         0.1    0.0    0.0
latency-indirect-jump         0.1         0.1    0.0    0.0
latency-indirect-call         0.1         0.1    0.0    0.0
latency-fence                 0.1         0.1    0.1    0.1
latency-system                0.1         0.1    0.1    0.1
$ sahm core path -c golden-cove --top 2 --per-epoch tests/data/streams/x86-64.stream
Critical path of tests/data/streams/x86-64.stream: share of its cycles in %, by what it waits for:
core                 golden-cove
--------------------------------
instructions                 195
cycles                      1018
CPI                        5.221
--------------------------------
taken-branch                 0.1
btb                          0.4
fetch-memory                26.5
itlb                         2.9
mispredict                   0.6
decode                       2.4
--------------------------------
front end, sum              32.9
--------------------------------
violation                    1.0
dispatch                     1.0
dispatch-width               0.1
serialize                    0.1
dtlb                         2.9
data-l1                      1.5
data-line                   53.0
forward                      0.6
commit                       0.7
drain                        0.9
queue-store                  0.1
issue-store                  2.8
latency-integer              0.2
latency-fp-multiply          0.4
latency-fp-divide            1.1
latency-fp-other             0.2
latency-vector               0.1
latency-store                0.1
latency-branch               0.2
latency-system               0.1

Epochs of tests/data/streams/x86-64.stream on golden-cove, shares in %, of the causes with the most cycles:
epoch  instructions  cycles    CPI  front end, sum  fetch-memory  itlb  decode  dtlb  data-l1  data-line  issue-store  latency-fp-divide  others
------------------------------------------------------------------------------------------------------------------------------------------------
0               100     724  7.240            46.3          37.3   4.1     3.3   4.1      1.4       37.3          4.0                1.5     6.9
1                95     294  3.095             0.0           0.0   0.0     0.0   0.0      1.7       91.8          0.0                0.0     6.5
------------------------------------------------------------------------------------------------------------------------------------------------
all             195    1018  5.221            32.9          26.5   2.9     2.4   2.9      1.5       53.0          2.8                1.1     6.8

Instructions that the path of tests/data/streams/x86-64.stream on golden-cove waits for longest:
instruction  cycles     %  main causes, in % of the path
--------------------------------------------------------------------
0x401017        319  31.3  data-line 26.5, dtlb 2.9, issue-store 1.3
0x401000        308  30.3  fetch-memory 26.5, itlb 2.9, decode 0.8

Edges of the path of tests/data/streams/x86-64.stream on golden-cove with the most cycles, where instruction "to" waits for "from":
from      to        cause         cycles     %  times
-----------------------------------------------------
0x401000  0x401000  fetch-memory     270  26.5      1
0x401017  0x401017  data-line        270  26.5      1
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
      "front_end": 636,
      "causes": {"taken-branch": 3, "btb": 6, "fetch-memory": 540, "itlb": 40, "fetch-buffer": 1, "mispredict": 24, "system": 5, "decode": 22, "serialize": 2, "dtlb": 40, "data-l1": 22, "data-memory": 495, "forward": 10, "commit-width": 6, "commit": 1, "issue": 40, "units-fp-divider": 24, "latency-integer": 17, "latency-multiply": 9, "latency-divide": 65, "latency-fp-multiply": 28, "latency-fp-divide": 25, "latency-fp-convert": 2, "latency-store": 1, "latency-fence": 1, "latency-system": 1},
      "windows": 2,
      "cuts": 0,
      "top_instructions": [
        {"pc": "0x10144", "cycles": 313, "main_causes": {"fetch-memory": 270, "itlb": 40, "decode": 2}},
        {"pc": "0x101a0", "cycles": 310, "main_causes": {"data-memory": 270, "dtlb": 40}}
      ],
      "top_edges": [
        {"from": {"pc": "0x10144"}, "to": {"pc": "0x10144"}, "cause": "fetch-memory", "cycles": 270, "times": 1},
        {"from": {"pc": "0x1019e"}, "to": {"pc": "0x1019e"}, "cause": "fetch-memory", "cycles": 270, "times": 1}
      ],
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
      "front_end": 636,
      "causes": {"taken-branch": 3, "btb": 6, "fetch-memory": 540, "itlb": 40, "fetch-buffer": 1, "mispredict": 24, "system": 5, "decode": 22, "serialize": 2, "dtlb": 40, "data-l1": 22, "data-memory": 495, "forward": 10, "commit-width": 6, "commit": 1, "issue": 40, "units-fp-divider": 24, "latency-integer": 17, "latency-multiply": 9, "latency-divide": 65, "latency-fp-multiply": 28, "latency-fp-divide": 25, "latency-fp-convert": 2, "latency-store": 1, "latency-fence": 1, "latency-system": 1},
      "windows": 2,
      "cuts": 0,
      "top_instructions": [
        {"pc": "0x10144", "cycles": 313, "main_causes": {"fetch-memory": 270, "itlb": 40, "decode": 2}},
        {"pc": "0x101a0", "cycles": 310, "main_causes": {"data-memory": 270, "dtlb": 40}}
      ],
      "top_edges": [
        {"from": {"pc": "0x10144"}, "to": {"pc": "0x10144"}, "cause": "fetch-memory", "cycles": 270, "times": 1},
        {"from": {"pc": "0x1019e"}, "to": {"pc": "0x1019e"}, "cause": "fetch-memory", "cycles": 270, "times": 1}
      ],
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
      "front_end": 632,
      "causes": {"fetch-memory": 540, "itlb": 40, "fetch-buffer": 1, "mispredict": 27, "system": 5, "decode": 24, "serialize": 2, "dtlb": 80, "data-l1": 164, "data-memory": 1035, "forward": 1, "mshr": 1, "commit": 1, "drain": 1, "issue": 150, "latency-integer": 5, "latency-multiply": 9, "latency-divide": 65, "latency-fp-multiply": 32, "latency-fp-divide": 200, "latency-store": 3, "latency-atomic": 1, "latency-fence": 1, "latency-system": 1},
      "windows": 2,
      "cuts": 0,
      "top_instructions": [
        {"pc": "0x401017", "cycles": 727, "main_causes": {"data-memory": 495, "data-l1": 128, "issue": 63}},
        {"pc": "0x40102d", "cycles": 373, "main_causes": {"data-memory": 315, "dtlb": 40, "issue": 16}}
      ],
      "top_edges": [
        {"from": {"pc": "0x401017"}, "to": {"pc": "0x401017"}, "cause": "data-memory", "cycles": 495, "times": 2},
        {"from": {"pc": "0x40102d"}, "to": {"pc": "0x40102d"}, "cause": "data-memory", "cycles": 315, "times": 1}
      ],
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
      "front_end": 632,
      "causes": {"fetch-memory": 540, "itlb": 40, "fetch-buffer": 1, "mispredict": 27, "system": 5, "decode": 24, "serialize": 2, "dtlb": 80, "data-l1": 164, "data-memory": 1035, "forward": 1, "commit": 1, "drain": 1, "issue": 150, "latency-integer": 5, "latency-multiply": 9, "latency-divide": 65, "latency-fp-multiply": 32, "latency-fp-divide": 200, "latency-store": 3, "latency-atomic": 1, "latency-fence": 1, "latency-system": 1},
      "windows": 2,
      "cuts": 0,
      "top_instructions": [
        {"pc": "0x401017", "cycles": 726, "main_causes": {"data-memory": 495, "data-l1": 128, "issue": 63}},
        {"pc": "0x40102d", "cycles": 373, "main_causes": {"data-memory": 315, "dtlb": 40, "issue": 16}}
      ],
      "top_edges": [
        {"from": {"pc": "0x401017"}, "to": {"pc": "0x401017"}, "cause": "data-memory", "cycles": 495, "times": 2},
        {"from": {"pc": "0x40102d"}, "to": {"pc": "0x40102d"}, "cause": "data-memory", "cycles": 315, "times": 1}
      ],
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
      "front_end": 1268,
      "causes": {"taken-branch": 3, "btb": 6, "fetch-memory": 1080, "itlb": 80, "fetch-buffer": 2, "mispredict": 51, "system": 10, "decode": 46, "serialize": 4, "dtlb": 120, "data-l1": 186, "data-memory": 1530, "forward": 11, "mshr": 1, "commit-width": 6, "commit": 2, "drain": 1, "issue": 190, "units-fp-divider": 24, "latency-integer": 22, "latency-multiply": 18, "latency-divide": 130, "latency-fp-multiply": 60, "latency-fp-divide": 225, "latency-fp-convert": 2, "latency-store": 4, "latency-atomic": 1, "latency-fence": 2, "latency-system": 2},
      "windows": 4,
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
      "front_end": 1268,
      "causes": {"taken-branch": 3, "btb": 6, "fetch-memory": 1080, "itlb": 80, "fetch-buffer": 2, "mispredict": 51, "system": 10, "decode": 46, "serialize": 4, "dtlb": 120, "data-l1": 186, "data-memory": 1530, "forward": 11, "commit-width": 6, "commit": 2, "drain": 1, "issue": 190, "units-fp-divider": 24, "latency-integer": 22, "latency-multiply": 18, "latency-divide": 130, "latency-fp-multiply": 60, "latency-fp-divide": 225, "latency-fp-convert": 2, "latency-store": 4, "latency-atomic": 1, "latency-fence": 2, "latency-system": 2},
      "windows": 4,
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
      "front_end": 335,
      "causes": {"taken-branch": 1, "btb": 4, "fetch-memory": 270, "itlb": 30, "mispredict": 6, "violation": 10, "decode": 24, "dispatch": 10, "dispatch-width": 1, "serialize": 1, "dtlb": 30, "data-l1": 15, "data-line": 540, "forward": 6, "commit": 7, "drain": 9, "queue-store": 1, "issue-store": 29, "latency-integer": 2, "latency-fp-multiply": 4, "latency-fp-divide": 11, "latency-fp-other": 2, "latency-vector": 1, "latency-store": 1, "latency-branch": 2, "latency-system": 1},
      "windows": 2,
      "cuts": 0,
      "epochs": [
        {
          "epoch": 0,
          "instructions": 100,
          "cycles": 724,
          "cpi": 7.24,
          "front_end": 335,
          "causes": {"taken-branch": 1, "btb": 4, "fetch-memory": 270, "itlb": 30, "mispredict": 6, "violation": 10, "decode": 24, "dispatch": 8, "dispatch-width": 1, "dtlb": 30, "data-l1": 10, "data-line": 270, "forward": 5, "commit": 3, "queue-store": 1, "issue-store": 29, "latency-integer": 2, "latency-fp-multiply": 4, "latency-fp-divide": 11, "latency-fp-other": 2, "latency-store": 1, "latency-branch": 2},
          "windows": 1,
          "cuts": 0
        },
        {
          "epoch": 1,
          "instructions": 95,
          "cycles": 294,
          "cpi": 3.094736842105263,
          "front_end": 0,
          "causes": {"dispatch": 2, "serialize": 1, "data-l1": 5, "data-line": 270, "forward": 1, "commit": 4, "drain": 9, "latency-vector": 1, "latency-system": 1},
          "windows": 1,
          "cuts": 0
        }
      ]
    }
  ]
}
$ sahm core path -c rocket -a mshrs=1,2 --csv tests/data/streams/rv64.stream tests/data/streams/x86-64.stream
stream,core,settings,config_hash,sampled_epochs,epoch,instructions,cause,front_end,cycles
tests/data/streams/rv64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",136,taken-branch,true,3
tests/data/streams/rv64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",136,btb,true,6
tests/data/streams/rv64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",136,fetch-memory,true,540
tests/data/streams/rv64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",136,itlb,true,40
tests/data/streams/rv64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",136,fetch-buffer,true,1
tests/data/streams/rv64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",136,mispredict,true,24
tests/data/streams/rv64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",136,system,false,5
tests/data/streams/rv64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",136,decode,true,22
tests/data/streams/rv64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",136,serialize,false,2
tests/data/streams/rv64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",136,dtlb,false,40
tests/data/streams/rv64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",136,data-l1,false,22
tests/data/streams/rv64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",136,data-memory,false,495
tests/data/streams/rv64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",136,forward,false,10
tests/data/streams/rv64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",136,commit-width,false,6
tests/data/streams/rv64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",136,commit,false,1
tests/data/streams/rv64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",136,issue,false,40
tests/data/streams/rv64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",136,units-fp-divider,false,24
tests/data/streams/rv64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",136,latency-integer,false,17
tests/data/streams/rv64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",136,latency-multiply,false,9
tests/data/streams/rv64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",136,latency-divide,false,65
tests/data/streams/rv64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",136,latency-fp-multiply,false,28
tests/data/streams/rv64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",136,latency-fp-divide,false,25
tests/data/streams/rv64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",136,latency-fp-convert,false,2
tests/data/streams/rv64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",136,latency-store,false,1
tests/data/streams/rv64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",136,latency-fence,false,1
tests/data/streams/rv64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",136,latency-system,false,1
tests/data/streams/rv64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",136,taken-branch,true,3
tests/data/streams/rv64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",136,btb,true,6
tests/data/streams/rv64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",136,fetch-memory,true,540
tests/data/streams/rv64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",136,itlb,true,40
tests/data/streams/rv64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",136,fetch-buffer,true,1
tests/data/streams/rv64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",136,mispredict,true,24
tests/data/streams/rv64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",136,system,false,5
tests/data/streams/rv64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",136,decode,true,22
tests/data/streams/rv64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",136,serialize,false,2
tests/data/streams/rv64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",136,dtlb,false,40
tests/data/streams/rv64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",136,data-l1,false,22
tests/data/streams/rv64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",136,data-memory,false,495
tests/data/streams/rv64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",136,forward,false,10
tests/data/streams/rv64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",136,commit-width,false,6
tests/data/streams/rv64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",136,commit,false,1
tests/data/streams/rv64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",136,issue,false,40
tests/data/streams/rv64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",136,units-fp-divider,false,24
tests/data/streams/rv64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",136,latency-integer,false,17
tests/data/streams/rv64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",136,latency-multiply,false,9
tests/data/streams/rv64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",136,latency-divide,false,65
tests/data/streams/rv64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",136,latency-fp-multiply,false,28
tests/data/streams/rv64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",136,latency-fp-divide,false,25
tests/data/streams/rv64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",136,latency-fp-convert,false,2
tests/data/streams/rv64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",136,latency-store,false,1
tests/data/streams/rv64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",136,latency-fence,false,1
tests/data/streams/rv64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",136,latency-system,false,1
tests/data/streams/x86-64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",195,fetch-memory,true,540
tests/data/streams/x86-64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",195,itlb,true,40
tests/data/streams/x86-64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",195,fetch-buffer,true,1
tests/data/streams/x86-64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",195,mispredict,true,27
tests/data/streams/x86-64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",195,system,false,5
tests/data/streams/x86-64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",195,decode,true,24
tests/data/streams/x86-64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",195,serialize,false,2
tests/data/streams/x86-64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",195,dtlb,false,80
tests/data/streams/x86-64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",195,data-l1,false,164
tests/data/streams/x86-64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",195,data-memory,false,1035
tests/data/streams/x86-64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",195,forward,false,1
tests/data/streams/x86-64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",195,mshr,false,1
tests/data/streams/x86-64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",195,commit,false,1
tests/data/streams/x86-64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",195,drain,false,1
tests/data/streams/x86-64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",195,issue,false,150
tests/data/streams/x86-64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",195,latency-integer,false,5
tests/data/streams/x86-64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",195,latency-multiply,false,9
tests/data/streams/x86-64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",195,latency-divide,false,65
tests/data/streams/x86-64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",195,latency-fp-multiply,false,32
tests/data/streams/x86-64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",195,latency-fp-divide,false,200
tests/data/streams/x86-64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",195,latency-store,false,3
tests/data/streams/x86-64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",195,latency-atomic,false,1
tests/data/streams/x86-64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",195,latency-fence,false,1
tests/data/streams/x86-64.stream,rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",195,latency-system,false,1
tests/data/streams/x86-64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",195,fetch-memory,true,540
tests/data/streams/x86-64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",195,itlb,true,40
tests/data/streams/x86-64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",195,fetch-buffer,true,1
tests/data/streams/x86-64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",195,mispredict,true,27
tests/data/streams/x86-64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",195,system,false,5
tests/data/streams/x86-64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",195,decode,true,24
tests/data/streams/x86-64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",195,serialize,false,2
tests/data/streams/x86-64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",195,dtlb,false,80
tests/data/streams/x86-64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",195,data-l1,false,164
tests/data/streams/x86-64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",195,data-memory,false,1035
tests/data/streams/x86-64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",195,forward,false,1
tests/data/streams/x86-64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",195,commit,false,1
tests/data/streams/x86-64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",195,drain,false,1
tests/data/streams/x86-64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",195,issue,false,150
tests/data/streams/x86-64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",195,latency-integer,false,5
tests/data/streams/x86-64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",195,latency-multiply,false,9
tests/data/streams/x86-64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",195,latency-divide,false,65
tests/data/streams/x86-64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",195,latency-fp-multiply,false,32
tests/data/streams/x86-64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",195,latency-fp-divide,false,200
tests/data/streams/x86-64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",195,latency-store,false,3
tests/data/streams/x86-64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",195,latency-atomic,false,1
tests/data/streams/x86-64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",195,latency-fence,false,1
tests/data/streams/x86-64.stream,rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",195,latency-system,false,1
"",rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",331,taken-branch,true,3
"",rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",331,btb,true,6
"",rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",331,fetch-memory,true,1080
"",rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",331,itlb,true,80
"",rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",331,fetch-buffer,true,2
"",rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",331,mispredict,true,51
"",rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",331,system,false,10
"",rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",331,decode,true,46
"",rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",331,serialize,false,4
"",rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",331,dtlb,false,120
"",rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",331,data-l1,false,186
"",rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",331,data-memory,false,1530
"",rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",331,forward,false,11
"",rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",331,mshr,false,1
"",rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",331,commit-width,false,6
"",rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",331,commit,false,2
"",rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",331,drain,false,1
"",rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",331,issue,false,190
"",rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",331,units-fp-divider,false,24
"",rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",331,latency-integer,false,22
"",rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",331,latency-multiply,false,18
"",rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",331,latency-divide,false,130
"",rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",331,latency-fp-multiply,false,60
"",rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",331,latency-fp-divide,false,225
"",rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",331,latency-fp-convert,false,2
"",rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",331,latency-store,false,4
"",rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",331,latency-atomic,false,1
"",rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",331,latency-fence,false,2
"",rocket,mshrs=1,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",331,latency-system,false,2
"",rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",331,taken-branch,true,3
"",rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",331,btb,true,6
"",rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",331,fetch-memory,true,1080
"",rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",331,itlb,true,80
"",rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",331,fetch-buffer,true,2
"",rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",331,mispredict,true,51
"",rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",331,system,false,10
"",rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",331,decode,true,46
"",rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",331,serialize,false,4
"",rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",331,dtlb,false,120
"",rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",331,data-l1,false,186
"",rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",331,data-memory,false,1530
"",rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",331,forward,false,11
"",rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",331,commit-width,false,6
"",rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",331,commit,false,2
"",rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",331,drain,false,1
"",rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",331,issue,false,190
"",rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",331,units-fp-divider,false,24
"",rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",331,latency-integer,false,22
"",rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",331,latency-multiply,false,18
"",rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",331,latency-divide,false,130
"",rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",331,latency-fp-multiply,false,60
"",rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",331,latency-fp-divide,false,225
"",rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",331,latency-fp-convert,false,2
"",rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",331,latency-store,false,4
"",rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",331,latency-atomic,false,1
"",rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",331,latency-fence,false,2
"",rocket,mshrs=2,d8a9028a1958a9f343fdc31013c77598224a01c6b8db91af027b575a2b92138b,"","",331,latency-system,false,2
$ sahm core path -c golden-cove --per-epoch --csv tests/data/streams/x86-64.stream
stream,core,config_hash,sampled_epochs,epoch,instructions,cause,front_end,cycles
tests/data/streams/x86-64.stream,golden-cove,de542985f2c9144f782adc9efd167629882783fe9b6b0b4e8162c7f6162a2aec,"",0,100,taken-branch,true,1
tests/data/streams/x86-64.stream,golden-cove,de542985f2c9144f782adc9efd167629882783fe9b6b0b4e8162c7f6162a2aec,"",0,100,btb,true,4
tests/data/streams/x86-64.stream,golden-cove,de542985f2c9144f782adc9efd167629882783fe9b6b0b4e8162c7f6162a2aec,"",0,100,fetch-memory,true,270
tests/data/streams/x86-64.stream,golden-cove,de542985f2c9144f782adc9efd167629882783fe9b6b0b4e8162c7f6162a2aec,"",0,100,itlb,true,30
tests/data/streams/x86-64.stream,golden-cove,de542985f2c9144f782adc9efd167629882783fe9b6b0b4e8162c7f6162a2aec,"",0,100,mispredict,true,6
tests/data/streams/x86-64.stream,golden-cove,de542985f2c9144f782adc9efd167629882783fe9b6b0b4e8162c7f6162a2aec,"",0,100,violation,false,10
tests/data/streams/x86-64.stream,golden-cove,de542985f2c9144f782adc9efd167629882783fe9b6b0b4e8162c7f6162a2aec,"",0,100,decode,true,24
tests/data/streams/x86-64.stream,golden-cove,de542985f2c9144f782adc9efd167629882783fe9b6b0b4e8162c7f6162a2aec,"",0,100,dispatch,false,8
tests/data/streams/x86-64.stream,golden-cove,de542985f2c9144f782adc9efd167629882783fe9b6b0b4e8162c7f6162a2aec,"",0,100,dispatch-width,false,1
tests/data/streams/x86-64.stream,golden-cove,de542985f2c9144f782adc9efd167629882783fe9b6b0b4e8162c7f6162a2aec,"",0,100,dtlb,false,30
tests/data/streams/x86-64.stream,golden-cove,de542985f2c9144f782adc9efd167629882783fe9b6b0b4e8162c7f6162a2aec,"",0,100,data-l1,false,10
tests/data/streams/x86-64.stream,golden-cove,de542985f2c9144f782adc9efd167629882783fe9b6b0b4e8162c7f6162a2aec,"",0,100,data-line,false,270
tests/data/streams/x86-64.stream,golden-cove,de542985f2c9144f782adc9efd167629882783fe9b6b0b4e8162c7f6162a2aec,"",0,100,forward,false,5
tests/data/streams/x86-64.stream,golden-cove,de542985f2c9144f782adc9efd167629882783fe9b6b0b4e8162c7f6162a2aec,"",0,100,commit,false,3
tests/data/streams/x86-64.stream,golden-cove,de542985f2c9144f782adc9efd167629882783fe9b6b0b4e8162c7f6162a2aec,"",0,100,queue-store,false,1
tests/data/streams/x86-64.stream,golden-cove,de542985f2c9144f782adc9efd167629882783fe9b6b0b4e8162c7f6162a2aec,"",0,100,issue-store,false,29
tests/data/streams/x86-64.stream,golden-cove,de542985f2c9144f782adc9efd167629882783fe9b6b0b4e8162c7f6162a2aec,"",0,100,latency-integer,false,2
tests/data/streams/x86-64.stream,golden-cove,de542985f2c9144f782adc9efd167629882783fe9b6b0b4e8162c7f6162a2aec,"",0,100,latency-fp-multiply,false,4
tests/data/streams/x86-64.stream,golden-cove,de542985f2c9144f782adc9efd167629882783fe9b6b0b4e8162c7f6162a2aec,"",0,100,latency-fp-divide,false,11
tests/data/streams/x86-64.stream,golden-cove,de542985f2c9144f782adc9efd167629882783fe9b6b0b4e8162c7f6162a2aec,"",0,100,latency-fp-other,false,2
tests/data/streams/x86-64.stream,golden-cove,de542985f2c9144f782adc9efd167629882783fe9b6b0b4e8162c7f6162a2aec,"",0,100,latency-store,false,1
tests/data/streams/x86-64.stream,golden-cove,de542985f2c9144f782adc9efd167629882783fe9b6b0b4e8162c7f6162a2aec,"",0,100,latency-branch,false,2
tests/data/streams/x86-64.stream,golden-cove,de542985f2c9144f782adc9efd167629882783fe9b6b0b4e8162c7f6162a2aec,"",1,95,dispatch,false,2
tests/data/streams/x86-64.stream,golden-cove,de542985f2c9144f782adc9efd167629882783fe9b6b0b4e8162c7f6162a2aec,"",1,95,serialize,false,1
tests/data/streams/x86-64.stream,golden-cove,de542985f2c9144f782adc9efd167629882783fe9b6b0b4e8162c7f6162a2aec,"",1,95,data-l1,false,5
tests/data/streams/x86-64.stream,golden-cove,de542985f2c9144f782adc9efd167629882783fe9b6b0b4e8162c7f6162a2aec,"",1,95,data-line,false,270
tests/data/streams/x86-64.stream,golden-cove,de542985f2c9144f782adc9efd167629882783fe9b6b0b4e8162c7f6162a2aec,"",1,95,forward,false,1
tests/data/streams/x86-64.stream,golden-cove,de542985f2c9144f782adc9efd167629882783fe9b6b0b4e8162c7f6162a2aec,"",1,95,commit,false,4
tests/data/streams/x86-64.stream,golden-cove,de542985f2c9144f782adc9efd167629882783fe9b6b0b4e8162c7f6162a2aec,"",1,95,drain,false,9
tests/data/streams/x86-64.stream,golden-cove,de542985f2c9144f782adc9efd167629882783fe9b6b0b4e8162c7f6162a2aec,"",1,95,latency-vector,false,1
tests/data/streams/x86-64.stream,golden-cove,de542985f2c9144f782adc9efd167629882783fe9b6b0b4e8162c7f6162a2aec,"",1,95,latency-system,false,1
## Causes add up to the cycles, of each epoch too.
$ for c in golden-cove gem5-inorder; do for e in '' --per-epoch; do sahm core time -c $c $e --csv tests/data/streams/*.stream | tail -n +2 | cut -d, -f1,5,8 | sort >"$T"/time; sahm core path -c $c $e --csv tests/data/streams/*.stream | awk -F, 'NR > 1 && $1 != "\"\"" { n[$1 "," $5] += $9 } END { for (i in n) print i "," n[i] }' | sort | cmp - "$T"/time && wc -l <"$T"/time; done; done
3
8
3
8
## So do edges, and the instructions that they come from.
$ sahm core path -c rocket -c golden-cove --top 100000 --json tests/data/streams/*.stream | awk '/^      "cycles"/ { all = $2 + 0 } /^        {"/ { match($0, /"cycles": [0-9]+/); n[/"from"/] += substr($0, RSTART + 10, RLENGTH - 10) } /"all_edges_known"/ { print n[0] == all ? "all" : "not all", n[1] == all ? "all" : "not all"; n[0] = n[1] = 0 }' | uniq -c
      6 all all
## The same whatever -j and --lanes are.
$ for f in '-j 1' '-j 3' '--lanes 1' '--lanes c -j 7'; do sahm core path -c golden-cove -a rob=64..512..64 --json $f tests/data/streams/*.stream | sha256sum; done | uniq | wc -l
1
## Figures.
$ sahm core path -c rocket -c tea --csv --plot "$T"/p tests/data/streams/rv64.stream tests/data/streams/x86-64.stream >/dev/null 2>&1; cat "$T"/p/*.csv; sahm core path --plot "$T"/p tests/data/streams/rv64.stream
run,fetch_memory_path_pct,fetch_line_path_pct,itlb_path_pct,dtlb_path_pct,data_l1_path_pct,data_memory_path_pct,data_line_path_pct,issue_path_pct,units_fp_divider_path_pct,latency_divide_path_pct,latency_fp_divide_path_pct,others_path_pct
rv64.stream on rocket,37.76223776223776,0,2.797202797202797,2.797202797202797,1.5384615384615385,34.61538461538461,0,2.797202797202797,1.6783216783216783,4.545454545454546,1.7482517482517483,9.72027972027972
rv64.stream on tea,24.324324324324323,24.324324324324323,3.6036036036036037,3.6036036036036037,0.7207207207207207,0,20.27027027027027,0,10.54054054054054,0,3.4234234234234235,9.18918918918919
x86-64.stream on rocket,22.603599832565926,0,1.6743407283382168,3.3486814566764336,6.864796986186689,43.32356634575136,0,6.278777731268313,0,2.7208036835496023,8.371703641691084,4.813729593972372
x86-64.stream on tea,25.186567164179106,0,3.7313432835820897,3.7313432835820897,1.492537313432836,25.186567164179106,25.932835820895523,0,0,0,3.7313432835820897,11.007462686567168
all streams on rocket,28.279654359780046,0,2.094789211835559,3.1421838177533385,4.870384917517675,40.062843676355065,0,4.975124378109452,0.6284367635506677,3.4040324692327832,5.891594658287509,6.6509557475779
all streams on tea,24.74793767186068,12.37396883593034,3.666361136571952,3.666361136571952,1.0999083409715857,12.37396883593034,23.052245646196152,0,5.362053162236481,0,3.5747021081576533,10.082493125572865
sahm: error: '@T@/p/path_causes.csv' exists already; --force replaces it
[2]
## Streams of one name in two folders keep the folders. Of more than 8 streams and configurations, instructions and edges have to be asked for.
$ mkdir "$T"/a "$T"/b; for d in a b; do cp tests/data/streams/rv64.stream "$T"/$d; done; sahm core path --top 0 "$T"/*/rv64.stream | sed -n 2p
stream               a/rv64.stream  b/rv64.stream  all streams
$ for n in 8 9; do for t in '' '--top 1'; do sahm core path -c rocket -a mshrs=1..$n $t tests/data/streams/rv64.stream | grep -c '^Edges'; done; done
8
8
0
9
## Causes of each queue, group and class of instructions are explained together.
$ for w in latency-divide units-alu issue-math queue-NAME; do sahm help $w; done
cause on a critical path, waiting for:
  latency-CLASS           the result of an instruction of that class, once it
                          has issued
cause on a critical path, waiting for:
  units-NAME              a free unit of the group NAME of the core's units

class of slots (docs/top-down.md):
  units-NAME              the units of the group NAME of the core are taken
cause on a critical path, waiting for:
  issue-NAME              an issue slot of that queue
cause on a critical path, waiting for:
  queue-NAME              an entry of the issue queue NAME of the core
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
