## The timing models beside the published graph. A chain of misses takes the same time in both; stores and square roots do not.
$ sahm core study fidelity tests/data/cases/chase.stream tests/data/cases/stores.stream tests/data/cases/roots.stream
stream                          core             CPI   graph  difference %  two_pass %
--------------------------------------------------------------------------------------
tests/data/cases/chase.stream   gem5-inorder  24.708  24.708          -0.0           -
tests/data/cases/chase.stream   gem5-ooo      24.542  24.541          -0.0        -0.0
tests/data/cases/stores.stream  gem5-inorder  23.914  47.411         +98.3           -
tests/data/cases/stores.stream  gem5-ooo       2.937   1.884         -35.9       -35.9
tests/data/cases/roots.stream   gem5-inorder   3.750   1.828         -51.3           -
tests/data/cases/roots.stream   gem5-ooo       3.371   0.439         -87.0       -88.1

difference of the graph (inorder, sliding_exact) to the timing model: mean 45.4 %, largest 98.3 % (tests/data/cases/stores.stream on gem5-inorder), without signs

Where does the largest one come from?
CPI of the path      timing model   graph  difference %
-------------------------------------------------------
fetch                       0.002   0.000          -0.0
mispredict                  0.000   0.000          -0.0
decode and dispatch         0.000   0.000          -0.0
execute                     0.000   0.000          -0.0
data                       23.745  47.410         +99.0
window                      0.167   0.000          -0.7
commit                      0.000   0.000          +0.0
other                       0.000   0.000          -0.0
-------------------------------------------------------
all                        23.914  47.411         +98.3
$ sahm core study fidelity -c gem5-ooo -a rob=32,64 --csv tests/data/cases/chase.stream tests/data/cases/coin.stream
stream,core,config_hash,model,instructions,cycles,cpi,difference_pct
tests/data/cases/chase.stream,gem5-ooo rob=32,61ec3e88e6772d35ca8f8cc1aee249ebd4070ba6b291a8b35397709d23921470,timing,196620,4825376,24.541633607974774,0
tests/data/cases/chase.stream,gem5-ooo rob=32,61ec3e88e6772d35ca8f8cc1aee249ebd4070ba6b291a8b35397709d23921470,sliding_exact,196620,4825189,24.540682534838776,-0.0038753456725444816
tests/data/cases/chase.stream,gem5-ooo rob=32,61ec3e88e6772d35ca8f8cc1aee249ebd4070ba6b291a8b35397709d23921470,two_pass,196620,4825189,24.540682534838776,-0.0038753456725444816
tests/data/cases/chase.stream,gem5-ooo rob=64,fc621f3a5a6d661237aee69c10135110519668c32581344773145477b2866b42,timing,196620,4825376,24.541633607974774,0
tests/data/cases/chase.stream,gem5-ooo rob=64,fc621f3a5a6d661237aee69c10135110519668c32581344773145477b2866b42,sliding_exact,196620,4825189,24.540682534838776,-0.0038753456725444816
tests/data/cases/chase.stream,gem5-ooo rob=64,fc621f3a5a6d661237aee69c10135110519668c32581344773145477b2866b42,two_pass,196620,4825189,24.540682534838776,-0.0038753456725444816
tests/data/cases/coin.stream,gem5-ooo rob=32,61ec3e88e6772d35ca8f8cc1aee249ebd4070ba6b291a8b35397709d23921470,timing,159793,175024,1.0953170664547258,0
tests/data/cases/coin.stream,gem5-ooo rob=32,61ec3e88e6772d35ca8f8cc1aee249ebd4070ba6b291a8b35397709d23921470,sliding_exact,159793,174838,1.0941530605220504,-0.10627113995794862
tests/data/cases/coin.stream,gem5-ooo rob=32,61ec3e88e6772d35ca8f8cc1aee249ebd4070ba6b291a8b35397709d23921470,two_pass,159793,174838,1.0941530605220504,-0.10627113995794862
tests/data/cases/coin.stream,gem5-ooo rob=64,fc621f3a5a6d661237aee69c10135110519668c32581344773145477b2866b42,timing,159793,175023,1.0953108083583136,0
tests/data/cases/coin.stream,gem5-ooo rob=64,fc621f3a5a6d661237aee69c10135110519668c32581344773145477b2866b42,sliding_exact,159793,174836,1.094140544329226,-0.10684310062106123
tests/data/cases/coin.stream,gem5-ooo rob=64,fc621f3a5a6d661237aee69c10135110519668c32581344773145477b2866b42,two_pass,159793,174836,1.094140544329226,-0.10684310062106123
$ sahm core study fidelity -c gem5-ooo --json tests/data/cases/coin.stream
{
  "schema": "sahm-core-fidelity/1",
  "runs": [
    {
      "stream": "tests/data/cases/coin.stream",
      "core": "gem5-ooo",
      "config_hash": "c6867c7c5bca825339355ac587034eb39f02884667b92a0e820ed1ce32ac1ab0",
      "instructions": 159793,
      "cycles": 175023,
      "graph": {
        "sliding_exact": {"length": 174836, "difference_pct": -0.10684310062106123},
        "two_pass": {"length": 174836, "difference_pct": -0.10684310062106123}
      },
      "timing_parts": {"fetch": 18876, "mispredict": 17942, "dispatch": 71781, "execute": 66412, "data": 0, "window": 0, "commit": 10, "other": 2},
      "graph_parts": {"fetch": 18704, "mispredict": 17943, "dispatch": 71776, "execute": 66413, "data": 0, "window": 0, "commit": 0, "other": 0}
    }
  ],
  "mean_difference_pct": 0.10684310062106123,
  "largest_difference_pct": 0.10684310062106123,
  "largest_run": 0
}
## Options of other studies.
$ sahm core study fidelity -c gem5-ooo --in-order rocket tests/data/cases/coin.stream
sahm: error: --core replaces the two cores: not with --in-order
[2]
$ sahm core study tea -a rob=32 tests/data/cases/coin.stream
sahm: error: --axis is of the study fidelity
[2]
$ sahm core study fidelity --lanes c tests/data/cases/coin.stream
sahm: error: --lanes is of the studies of two cores, not of fidelity
[2]
