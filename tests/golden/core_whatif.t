## Ideal parts of cores. The streams are made up, but for sort (tests/data/streams/README.md).
$ sahm core whatif -c rocket tests/data/streams/rv64.stream
Cycles of rocket, and how many an ideal part saves:
stream                          cycles  fetch  branch  l1d  units  queues  widths
---------------------------------------------------------------------------------
tests/data/streams/rv64.stream    1430    317      10  534     21       1       3

The same, saved in % of the cycles:
stream                             CPI  fetch  branch   l1d  units  queues  widths
----------------------------------------------------------------------------------
tests/data/streams/rv64.stream  10.515   22.2     0.7  37.3    1.5     0.1     0.2

Interactions in tests/data/streams/rv64.stream, in cycles:
and     fetch  branch  l1d  units  queues  widths
-------------------------------------------------
fetch       -      -2  227      0      -1       2
branch     -2       -    0     28       0       1
l1d       227       0    -      0       0       0
units       0      28    0      -       0      37
queues     -1       0    0      0       -       2
widths      2       1    0     37       2       -

Above 0: cycles that two ideal parts save only together. Below 0: cycles that either of them saves.
$ sahm core whatif -c golden-cove --ideal fetch,branch,l1d --shapley tests/data/streams/x86-64.stream tests/data/streams/sort.stream
Cycles of golden-cove, and how many an ideal part saves:
stream                            cycles  fetch  branch    l1d
--------------------------------------------------------------
tests/data/streams/x86-64.stream    1018    261       0    194
tests/data/streams/sort.stream     90242  20125   21714  51779
--------------------------------------------------------------
all streams                        91260  20386   21714  51973

The same, saved in % of the cycles:
stream                              CPI  fetch  branch   l1d
------------------------------------------------------------
tests/data/streams/x86-64.stream  5.221   25.6     0.0  19.1
tests/data/streams/sort.stream    2.500   22.3    24.1  57.4
------------------------------------------------------------
all streams                       2.514   22.3    23.8  57.0

Interactions in tests/data/streams/x86-64.stream, in cycles:
and     fetch  branch  l1d
--------------------------
fetch       -      17  277
branch     17       -  100
l1d       277     100    -

Interactions in tests/data/streams/sort.stream, in cycles:
and     fetch  branch     l1d
-----------------------------
fetch       -   -8730    1895
branch  -8730       -  -14916
l1d      1895  -14916       -

Interactions in all streams, in cycles:
and     fetch  branch     l1d
-----------------------------
fetch       -   -8713    2172
branch  -8713       -  -14816
l1d      2172  -14816       -

Above 0: cycles that two ideal parts save only together. Below 0: cycles that either of them saves.

Cycles that all these ideal parts save together, and the fair share of each (Shapley values):
stream                            cycles  all ideal  fetch  branch    l1d
-------------------------------------------------------------------------
tests/data/streams/x86-64.stream    1018        808    394      45    369
tests/data/streams/sort.stream     90242      79171  19142   12326  47703
-------------------------------------------------------------------------
all streams                        91260      79979  19536   12371  48072

The same, saved in % of the cycles:
stream                              CPI  all ideal  fetch  branch   l1d
-----------------------------------------------------------------------
tests/data/streams/x86-64.stream  5.221       79.4   38.7     4.4  36.2
tests/data/streams/sort.stream    2.500       87.7   21.2    13.7  52.9
-----------------------------------------------------------------------
all streams                       2.514       87.6   21.4    13.6  52.7
$ sahm core whatif -c golden-cove --ideal l1d tests/data/streams/x86-64.stream
Cycles of golden-cove, and how many an ideal part saves:
stream                            cycles  l1d
---------------------------------------------
tests/data/streams/x86-64.stream    1018  194

The same, saved in % of the cycles:
stream                              CPI   l1d
---------------------------------------------
tests/data/streams/x86-64.stream  5.221  19.1
$ sahm core whatif -c tea --ideal branch,fetch --shapley --json tests/data/streams/rv64.stream tests/data/streams/x86-64.stream
{
  "schema": "sahm-core-whatif/1",
  "core": "tea",
  "core_name": "TEA (BOOM, 4 wide)",
  "config_hash": "8ca21837b07b0ffd171f7309c9065996ed27bed492555970c0efaf8c7bc5b8e2",
  "parts": ["branch", "fetch"],
  "shapley_denominator": 2,
  "runs": [
    {
      "stream": "tests/data/streams/rv64.stream",
      "instructions": 136,
      "cycles": 1110,
      "sets": [
        {"ideal": ["branch"], "cycles": 1084, "gain": 26},
        {"ideal": ["fetch"], "cycles": 795, "gain": 315},
        {"ideal": ["branch", "fetch"], "cycles": 769, "gain": 341, "interaction": 0}
      ],
      "shapley": [
        {"part": "branch", "cycles": 26, "numerator": 52},
        {"part": "fetch", "cycles": 315, "numerator": 630}
      ]
    },
    {
      "stream": "tests/data/streams/x86-64.stream",
      "instructions": 195,
      "cycles": 1072,
      "sets": [
        {"ideal": ["branch"], "cycles": 1072, "gain": 0},
        {"ideal": ["fetch"], "cycles": 762, "gain": 310},
        {"ideal": ["branch", "fetch"], "cycles": 762, "gain": 310, "interaction": 0}
      ],
      "shapley": [
        {"part": "branch", "cycles": 0, "numerator": 0},
        {"part": "fetch", "cycles": 310, "numerator": 620}
      ]
    }
  ],
  "all": {
    "instructions": 331,
    "cycles": 2182,
    "sets": [
      {"ideal": ["branch"], "cycles": 2156, "gain": 26},
      {"ideal": ["fetch"], "cycles": 1557, "gain": 625},
      {"ideal": ["branch", "fetch"], "cycles": 1531, "gain": 651, "interaction": 0}
    ],
    "shapley": [
      {"part": "branch", "cycles": 26, "numerator": 52},
      {"part": "fetch", "cycles": 625, "numerator": 1250}
    ]
  }
}
$ sahm core whatif -c u74 --ideal tlb,l2,queues --csv --skip 34 tests/data/streams/rv64.stream
stream,core,config_hash,sampled_epochs,ideal,instructions,cycles,gain_cycles,interaction_cycles,shapley_cycles
tests/data/streams/rv64.stream,u74,6e020b82c9ce631470854241c19964ddb45fe5a53ad2e07cd8fdd72f9ba5d788,"","",102,884,0,"",""
tests/data/streams/rv64.stream,u74,6e020b82c9ce631470854241c19964ddb45fe5a53ad2e07cd8fdd72f9ba5d788,"",tlb,102,804,80,"",""
tests/data/streams/rv64.stream,u74,6e020b82c9ce631470854241c19964ddb45fe5a53ad2e07cd8fdd72f9ba5d788,"",l2,102,712,172,"",""
tests/data/streams/rv64.stream,u74,6e020b82c9ce631470854241c19964ddb45fe5a53ad2e07cd8fdd72f9ba5d788,"",queues,102,884,0,"",""
tests/data/streams/rv64.stream,u74,6e020b82c9ce631470854241c19964ddb45fe5a53ad2e07cd8fdd72f9ba5d788,"",tlb+l2,102,632,252,0,""
tests/data/streams/rv64.stream,u74,6e020b82c9ce631470854241c19964ddb45fe5a53ad2e07cd8fdd72f9ba5d788,"",tlb+queues,102,804,80,0,""
tests/data/streams/rv64.stream,u74,6e020b82c9ce631470854241c19964ddb45fe5a53ad2e07cd8fdd72f9ba5d788,"",l2+queues,102,712,172,0,""
$ sahm core whatif -c u74 --ideal tlb,l2 --skip 34 --every 34 --take 10 tests/data/streams/rv64.stream | tail -n 2

Timed: the last 10 of every 34 instructions, after 24 that only warm; not counting the first 34 instructions
## Each set is a run with these parts ideal, whatever -j and --lanes are.
$ for c in golden-cove gem5-inorder; do sahm core whatif -c $c --ideal fetch,branch,l1d,l2,tlb,units,queues,widths --shapley --csv -j 1 tests/data/streams/sort.stream >"$T"/$c.csv; wc -l <"$T"/$c.csv; for i in fetch branch+l1d l2+tlb+units+widths fetch+branch+l1d+l2+tlb+units+queues+widths; do grep -F ",$i," "$T"/$c.csv | head -n 1 | cut -d, -f7; sahm core time -c $c ${i:+-s ideal=$(echo $i | tr + ,)} --csv tests/data/streams/sort.stream | tail -n 1 | cut -d, -f8; done | uniq -c; done
257
      2 70117
      2 31665
      2 39232
      2 10346
257
      2 110104
      2 69302
      2 76088
      2 24118
$ for f in '-j 3' '--lanes 1' '--lanes c -j 7'; do sahm core whatif -c golden-cove --ideal fetch,branch,l1d,l2,tlb,units,queues,widths --shapley --csv $f tests/data/streams/sort.stream | cmp - "$T"/golden-cove.csv; done
## Figures.
$ sahm core whatif -c rocket --ideal fetch,branch --shapley --csv --plot "$T"/p tests/data/streams/rv64.stream tests/data/streams/x86-64.stream >/dev/null 2>&1; cat "$T"/p/*.csv; sahm core whatif --plot "$T"/p tests/data/streams/rv64.stream
row,column,interaction_pct
fetch,fetch,
fetch,branch,-0.052369730295888976
branch,fetch,-0.052369730295888976
branch,branch,
stream,fetch_shapley_pct,branch_shapley_pct
rv64.stream,22.097902097902097,0.6293706293706294
x86-64.stream,24.152365006278778,1.3394725826705736
all streams,23.383084577114428,1.073579471065724
sahm: error: '@T@/p/whatif_interactions.csv' exists already; --force replaces it
[2]
## Mistakes.
$ sahm core whatif
sahm: error: a stream is missing: sahm core whatif STREAM..., sahm core whatif --suite open, or sahm core whatif -- COMMAND
[2]
$ sahm core whatif --ideal fetch,brnch tests/data/streams/rv64.stream
sahm: error: unknown part of --ideal 'brnch', must be fetch, branch, l1d, l2, llc, tlb, units, queues, widths or value_prediction; did you mean 'branch'?
[2]
$ sahm core whatif --ideal fetch,fetch tests/data/streams/rv64.stream
sahm: error: part 'fetch' of --ideal is there twice
[2]
$ sahm core whatif --ideal fetch, tests/data/streams/rv64.stream
sahm: error: unknown part of --ideal '', must be fetch, branch, l1d, l2, llc, tlb, units, queues, widths or value_prediction
[2]
$ sahm core whatif --ideal fetch,branch,l1d,l2,llc,tlb,units,queues,widths tests/data/streams/rv64.stream
sahm: error: --ideal has more than 8 parts
[2]
$ sahm core whatif -c tea --ideal llc tests/data/streams/rv64.stream
sahm: error: part 'llc' of --ideal: core tea has no LLC
[2]
$ sahm core whatif -c tea -c rocket tests/data/streams/rv64.stream
sahm: error: --core can be given once: parts are those of one core
[2]
$ sahm core whatif --keep "$T"/s tests/data/streams/rv64.stream
sahm: error: --keep is of a command: sahm core whatif --keep FILE -- COMMAND
[2]
