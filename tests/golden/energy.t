## The question of docs/energy.md, with the files of that page.
$ awk '/^```/ { n++; next } n == 5' docs/energy.md >"$T/costs.cfg"; awk '/^```/ { n++; next } n == 7' docs/energy.md >"$T/mine.cfg"
$ sahm run "$T/mine.cfg" | sed -n '/^thread /,/^zz/p' | head -n 7
thread                    speedup  served  matched  migrations  baseline time  energy, J  nJ/instr.   mean W      EDP     ED2P
------------------------------------------------------------------------------------------------------------------------------
gzip                      +0.00 %  0.00 %   1.53 %           0        13.10 s      0.804     0.3777  0.06138  0.06138  0.06138
sqlite                    +0.00 %  0.00 %   0.00 %           0        13.10 s     0.8188     0.3516   0.0625   0.0625   0.0625
xz                        +0.00 %  0.00 %   0.00 %           0        13.10 s     0.9973     0.2083  0.07613  0.07613  0.07613
------------------------------------------------------------------------------------------------------------------------------
mean (assumed time base)  +0.00 %  0.00 %   0.51 %         0.0
$ sahm run "$T/mine.cfg" | sed -n '/^energy/,$p'
energy, J                    3.275
energy per instruction, nJ   0.3542
mean power, W                0.25
energy-delay product         0.02778
energy-delay-squared product 0.00926
assumed time base            3 of 3 traces
$ sahm optimize "$T/mine.cfg" --cores 4 --types baseline,branch:30,l1d:30,l2:30 --metric instruction_nj
mine.cfg: energy per instruction, nJ, less is better (traces with an assumed time base)

   instruction_nj  cores  chip
1          0.2649      1  1 branch 30 %
2          0.2651      3  1 baseline + 2 branch 30 %
3          0.2655      3  2 baseline + 1 branch 30 %
4          0.2667      3  3 branch 30 %
5          0.2729      3  2 branch 30 % + 1 l1d 30 %

search     exhaustive, evaluator run: 69 of 69 chips within the budget evaluated
           the first is the best: all others were evaluated
repeat it  sahm run '@T@/mine.cfg' --set 'chip.cores=({type="branch";speedup_pct=30;count=1;})'
$ sahm optimize "$T/mine.cfg" --cores 4 --types baseline,branch:30,l1d:30,l2:30 --metric edp --top 1
mine.cfg: energy-delay product, less is better (traces with an assumed time base)

      edp  cores  chip
1  0.0163      3  3 branch 30 %

search     exhaustive, evaluator run: 69 of 69 chips within the budget evaluated
           the first is the best: all others were evaluated
repeat it  sahm run '@T@/mine.cfg' --set 'chip.cores=({type="branch";speedup_pct=30;count=3;})'
$ sahm optimize "$T/mine.cfg" --cores 4 --types baseline,branch:30,l1d:30,l2:30 --metric stp --bound power_w=0.25 --top 1
mine.cfg: throughput, STP, more is better (traces with an assumed time base)

      stp  cores  chip
1  3.8725      3  3 branch 30 %

bound      power_w=0.25
search     exhaustive, evaluator run: 69 of 69 chips within the budget evaluated
           the first is the best: all others were evaluated
repeat it  sahm run '@T@/mine.cfg' --set 'chip.cores=({type="branch";speedup_pct=30;count=3;})'
$ sahm optimize "$T/mine.cfg" --cores 4 --types baseline,branch:30 --metric stp --bound power_w=0.01
sahm: error: no chip within the budget keeps power_w at or below 0.01
[1]
$ sahm optimize "$T/mine.cfg" --cores 4 --bound powr_w=1
sahm: error: --bound: unknown metric 'powr_w'; did you mean 'power_w'?
[2]
$ sahm optimize "$T/mine.cfg" --cores 4 --bound power_w
sahm: error: --bound is 'power_w', must be METRIC=VALUE with a number
[2]
$ sahm optimize "$T/mine.cfg" --cores 1 --bound served_share=0.5 --evaluator limit --types baseline
sahm: error: chip '1 baseline': there is no 'served_share' of it by the evaluator 'limit'
[1]
$ sahm run "$T/mine.cfg" --json -p rotate | grep '"energy"'
  "energy": {"static_j": 2.6200000000000006, "dynamic_j": 0.6443874998347348, "migration_j": 0.0327, "instructions": 9096097222.501945},
$ sahm run "$T/mine.cfg" --json -p rotate | sed -n '/"threads"/,/"left"/p' | grep -E '"(energy_j|inst.*|power_w|ed2?p)"'
      "energy_j": 0.8124328301891458,
      "instructions": 2092983090.0875,
      "instruction_nj": 0.38816980129312983,
      "power_w": 0.06201777329688136,
      "edp": 0.06413456756839542,
      "ed2p": 0.06521990646995653,
$ sahm run "$T/mine.cfg" --csv | sed -n '1s/.*tenant//p; 2s/.*,,//p; $s/.*,,//p'
,energy_j,instruction_nj,power_w,edp,ed2p
0.8040467183056251,0.37768287325012784,0.06137761208439887,0.06137761208439887,0.06137761208439887
3.275111833004792,0.35420808676565424,0.2500085368705948,0.027778726318954984,0.009259575439651663
## The shipped table has no figures; a run says so, and has no metrics of energy.
$ sahm run "$T/mine.cfg" --set chip.costs=cores | sed -n '/^energy/,$p'
energy is not known          @ROOT@/configs/costs/cores.cfg:15: static_w and dynamic_w of core type 'baseline' are empty, and so is event_pj
assumed time base            3 of 3 traces
$ sahm run "$T/mine.cfg" --set chip.costs=cores --json | grep energy
  "energy": {"missing": ["@ROOT@/configs/costs/cores.cfg:15: static_w and dynamic_w of core type 'baseline' are empty, and so is event_pj"]},
## The shipped table of measured cores: three threads execute for 13.1 s each, at 0.1456, 0.8452 and 1.0916 W.
$ for i in little gold prime; do sahm run "$T/mine.cfg" --set "chip.cores=({type=\"baseline\";name=\"$i\";count=4;})" --set chip.costs=sm8150 --set migration.energy_uj=0 | grep -E '^(energy|mean power)'; done
energy, J                    5.722
energy per instruction, nJ   0.6189
mean power, W                0.4368
energy-delay product         0.04853
energy-delay-squared product 0.01618
energy, J                    33.22
energy per instruction, nJ   3.592
mean power, W                2.536
energy-delay product         0.2817
energy-delay-squared product 0.09391
energy, J                    42.9
energy per instruction, nJ   4.64
mean power, W                3.275
energy-delay product         0.3639
energy-delay-squared product 0.1213
## Of its levels one in the middle takes the least energy, as measured: 8.02, 7.12 and 11.23 J, 1.127 and 1.577 times the least.
$ printf 'chip={cores=({type="baseline";name="gold";levels=({mhz=825;},{mhz=1401;},{mhz=2419;});});costs="sm8150";}; workload={traces=({file="gzip";repeat=false;});};' >"$T/gold.cfg"
$ sahm sweep "$T/gold.cfg" --axis chip.cores[0].fixed_mhz=825,1401,2419 -q -o "$T/gold.sqlite"; sahm export "$T/gold.sqlite" | awk -F, 'NR == 1 { while ($++i != "energy_j"); next } { j[$2] = $i } END { printf "%.2f %.2f %.2f J, %.3f %.3f\n", j[825], j[1401], j[2419], j[825] / j[1401], j[2419] / j[1401] }'
6.48 5.74 9.04 J, 1.128 1.575
$ sahm run "$T/gold.cfg" --set 'chip.cores[0].levels=({mhz=826;},{mhz=1401;},{mhz=2420;})' | grep -A1 '^energy is'
energy is not known          @ROOT@/configs/costs/sm8150.cfg: no row for cores called 'gold' at 826 MHz
                             @ROOT@/configs/costs/sm8150.cfg: no row for cores called 'gold' at 2420 MHz
$ sahm run "$T/mine.cfg" --set chip.costs=costs
sahm: error: --set chip.costs=costs: cannot open table of costs 'costs': No such file or directory (nor is it in '@ROOT@')
[1]
$ sahm run "$T/mine.cfg" --set chip.costs=none.cfg
sahm: error: --set chip.costs=none.cfg: cannot open table of costs 'none.cfg': No such file or directory (nor is it in '@ROOT@')
[1]
$ printf 'cores = ( { type = "baseline"; static_w = 1; dynamc_w = 1; } );' >"$T/typo.cfg"; sahm run "$T/mine.cfg" --set "chip.costs=$T/typo.cfg"
sahm: error: @T@/typo.cfg:1: unknown key 'cores[0].dynamc_w'; did you mean 'dynamic_w'?
[1]
$ sahm run configs/canonical.cfg --set migration.energy_uj=-1
sahm: error: --set migration.energy_uj=-1: 'migration.energy_uj' is -1, must be from 0 to 1000000000000 uJ
[2]
$ sahm sweep "$T/mine.cfg" --axis scheduler.policy=sahm,rotate -q -o "$T/t.sqlite"; sahm query "$T/t.sqlite" threads --metric edp
mine.cfg: energy-delay product of each thread, over 2 points (assumed time base)

thread  points     mean      p25   median      p75     best  position  scheduler.policy
---------------------------------------------------------------------------------------
gzip         2  0.06276  0.06207  0.06276  0.06345  0.06138         0              sahm
sqlite       2  0.06389   0.0632  0.06389  0.06459   0.0625         0              sahm
xz           2  0.07764  0.07688  0.07764  0.07839  0.07613         0              sahm
$ sahm export "$T/t.sqlite" --threads | sed -n '1p; 5p' | cut -d, -f8-
speedup,served_share,matched_share,completed_ns,present_ns,migrations,energy_j,instruction_nj,power_w,edp,ed2p
-0.016641221374045802,0,0.015267175572519083,12882000000,13100000000,218,0.8124328301891458,0.38816980129312983,0.06201777329688136,0.06413456756839542,0.06521990646995653
$ sahm sweep "$T/mine.cfg" --axis scheduler.inertia=0,5 -q -o "$T/s.sqlite"; sahm query "$T/s.sqlite" pareto --objective instruction_nj --objective stp
mine.cfg: Pareto front, 1 of 2 points (assumed time base)

instruction_nj    stp  position  alike  scheduler.inertia
---------------------------------------------------------
        0.3542  3.000         0      2                  0
## The energy-optimal levels of a phone's cores are those at which the source of their powers measured it.
$ for core in prime gold little; do sahm limit sm8150 --levels | sed -n "/^cores $core/,/^one level, minimum EDP/p" | sed -n '1p;/least energy/p'; done
cores prime, 19 levels from 940 to 2841 MHz
cores gold, 16 levels from 825 to 2419 MHz
cores little, 18 levels from 300 to 1785 MHz
$ sahm limit sm8150 --levels --csv | sed -n '1,3p'
cores,state,work,mhz,energy_j,time_s,least_energy,least_edp
prime,Low,0.018691588785046728,940,0.812084592145015,3.0211480362537766,0,0
prime,Low,0.018691588785046728,1056,0.7835800807537012,2.6917900403768504,0,0
$ sahm limit sm8150 --levels --json | tail -n 8
      "fastest": {"mhz": 1785, "energy_j": 0.4863059452237809, "time_s": 3.34001336005344},
      "one_level_least_energy": {"mhz": 1708, "energy_j": 0.4781849912739966, "time_s": 3.490401396160559},
      "by_state_least_energy": {"energy_j": 0.4781849912739966, "time_s": 3.490401396160559},
      "one_level_least_edp": {"mhz": 1785, "energy_j": 0.4863059452237809, "time_s": 3.34001336005344},
      "by_state_least_edp": {"energy_j": 0.4863059452237809, "time_s": 3.34001336005344}
    }
  ]
}
$ sahm limit canonical --levels
sahm: error: no core of this chip has levels to choose from (chip.cores[].levels)
[1]
$ sahm limit gzip --levels
sahm: error: --levels goes with a configuration, and 'gzip' is a trace
[2]
$ sahm limit sm8150 --levels --simulate=10
sahm: error: --levels is a closed form: there is nothing to simulate
[2]
$ sahm limit sm8150 --levels --set chip.costs=cores
sahm: error: the energy of these levels is not known: @ROOT@/configs/costs/cores.cfg: no row for cores called 'prime' at 940 MHz
[1]
## Threads that share memory: the configuration of docs/energy.md.
$ awk '/^```/ { n++; next } n == 21' docs/energy.md >"$T/shared.cfg"; sahm run "$T/shared.cfg" | grep -E '^(throughput|shared)'
throughput, STP              6.035 with 8.00 threads present
shared by cores 0-3          above 1000000 L2 misses per s 100.0 % of the time
shared by cores 4-7          above 1000000 L2 misses per s 0.0 % of the time
$ sahm run "$T/shared.cfg" --set 'workload.traces=["zstd","perl","gzip","sort","python","xz","sqlite","cc1"]' | grep -E '^(throughput|shared)'
throughput, STP              6.696 with 8.00 threads present
shared by cores 0-3          above 1000000 L2 misses per s 96.9 % of the time
shared by cores 4-7          above 1000000 L2 misses per s 54.4 % of the time
$ sahm run "$T/shared.cfg" --engine plain --json | grep -A3 '"shared"'
cores that share or have levels run on the engine in continuous time, not on 'plain'
  "shared": [
    {"cores": "0-3", "l2_misses_per_s": 1000000, "over_capacity_share": 1.0},
    {"cores": "4-7", "l2_misses_per_s": 1000000, "over_capacity_share": 0.0}
  ],
$ sahm run "$T/shared.cfg" --print-config | sed -n '/shared/,/^\t);/p'
	shared = (
		{
			cores = "0-3";
			l2_misses_per_s = 1000000.0;
		},
		{
			cores = "4-7";
			l2_misses_per_s = 1000000.0;
		}
	);
## Cores at their levels.
$ sahm run sm8150 --policy static --set workload.duration_ms=2000 | grep ^frequency | cut -c 1-100
frequency                    prime: 940 MHz 51.0 %, 1056 MHz 18.5 %, 1171 MHz 29.0 %, 1286 MHz 0.5 %
frequency                    gold: 825 MHz 41.0 %, 940 MHz 24.0 %, 1056 MHz 34.0 %, 1708 MHz 0.5 %, 
frequency                    little: 1478 MHz 0.5 %, 1632 MHz 7.0 %, 1708 MHz 38.5 %, 1785 MHz 54.0 
$ sahm run sm8150 --policy static --set chip.cores[1].fixed_mhz=826
sahm: error: --set chip.cores[1].fixed_mhz=826: no level of these cores has 826 MHz; they have 825, 940, 1056, 1171, 1286, 1401, 1497, 1612, 1708, 1804, 1920, 2016, 2131, 2227, 2323, 2419
[2]
