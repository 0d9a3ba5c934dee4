## The best chip under a budget.
$ sahm optimize configs/canonical.cfg --cores 3 --set workload.duration_ms=2000
canonical.cfg: speedup, arithmetic mean, more is better (traces with an assumed time base)

   speedup_mean  cores  chip
1     +29.895 %      3  1 branch 30 % + 1 l1d 30 % + 1 l2 30 %
2     +29.557 %      2  1 branch 30 % + 1 l2 30 %
3     +29.557 %      3  1 branch 30 % + 2 l2 30 %
4     +29.557 %      3  1 branch 30 % + 1 l1i 30 % + 1 l2 30 %
5     +29.557 %      3  2 branch 30 % + 1 l2 30 %

search     exhaustive, evaluator run: 55 of 55 chips within the budget evaluated
           the first is the best: all others were evaluated
repeat it  sahm run configs/canonical.cfg --set workload.duration_ms=2000 --set 'chip.cores=({type="branch";speedup_pct=30;count=1;},{type="l1d";speedup_pct=30;count=1;},{type="l2";speedup_pct=30;count=1;})'
$ sahm optimize configs/canonical.cfg --cores 4 --set workload.duration_ms=2000 --evaluator limit --types baseline,branch:30,l2+branch:30/20,berti --top 3
canonical.cfg: speedup, arithmetic mean, more is better (traces with an assumed time base)

   speedup_mean  cores  chip
1     +29.820 %      3  1 branch 30 % + 1 branch+l2 20,30 % + 1 berti 13 %
2     +29.820 %      4  1 branch 30 % + 1 branch+l2 20,30 % + 2 berti 13 %
3     +29.820 %      4  1 branch 30 % + 2 branch+l2 20,30 % + 1 berti 13 %

search     exhaustive, evaluator limit: 69 of 69 chips within the budget evaluated
           the first is the best: all others were evaluated
run it     sahm run configs/canonical.cfg --set workload.duration_ms=2000 --set 'chip.cores=({type="branch";speedup_pct=30;count=1;},{type="branch+l2";speedup_pct=(20,30);count=1;},{type="berti";speedup_pct=13;count=1;})'
## The command that is shown repeats the best one.
$ eval "$(sahm optimize configs/canonical.cfg --cores 3 --set workload.duration_ms=2000 | sed -n 's/^repeat it *//p') --json" | grep '"speedup_mean"'
  "speedup_mean": 0.2989528845625,
## However many processes there are, and by annealing with any seed, where that sees all.
$ sahm optimize configs/canonical.cfg --cores 3 --set workload.duration_ms=500 --json -j1 >"$T/one" && sahm optimize configs/canonical.cfg --cores 3 --set workload.duration_ms=500 --json -j3 | cmp - "$T/one"
$ for seed in 1 2 3; do sahm optimize configs/canonical.cfg --cores 3 --set workload.duration_ms=500 --method anneal --seed $seed --csv | sed -n 2p; done
1,speedup_mean,0.29744615375,3,,,1 branch 30 % + 1 l1d 30 % + 1 l2 30 %,"chip.cores=({type=""branch"";speedup_pct=30;count=1;},{type=""l1d"";speedup_pct=30;count=1;},{type=""l2"";speedup_pct=30;count=1;})",false,true,true
1,speedup_mean,0.29744615375,3,,,1 branch 30 % + 1 l1d 30 % + 1 l2 30 %,"chip.cores=({type=""branch"";speedup_pct=30;count=1;},{type=""l1d"";speedup_pct=30;count=1;},{type=""l2"";speedup_pct=30;count=1;})",false,true,true
1,speedup_mean,0.29744615375,3,,,1 branch 30 % + 1 l1d 30 % + 1 l2 30 %,"chip.cores=({type=""branch"";speedup_pct=30;count=1;},{type=""l1d"";speedup_pct=30;count=1;},{type=""l2"";speedup_pct=30;count=1;})",false,true,true
$ sahm optimize configs/canonical.cfg --cores 3 --set workload.duration_ms=500 --metric antt --csv --top 2
rank,metric,value,cores,area_mm2,power_w,chip,setting,synthetic,nominal_time,proven
1,antt,0.7707541935669813,3,,,1 branch 30 % + 1 l1d 30 % + 1 l2 30 %,"chip.cores=({type=""branch"";speedup_pct=30;count=1;},{type=""l1d"";speedup_pct=30;count=1;},{type=""l2"";speedup_pct=30;count=1;})",false,true,true
2,antt,0.7745237053983001,2,,,1 branch 30 % + 1 l2 30 %,"chip.cores=({type=""branch"";speedup_pct=30;count=1;},{type=""l2"";speedup_pct=30;count=1;})",false,true,true
$ sahm optimize configs/canonical.cfg --cores 2 --set workload.duration_ms=500 --types branch:30,l2:10 --top 1 --json
{
  "config": "canonical.cfg",
  "synthetic": false,
  "nominal_time": true,
  "metric": "speedup_mean",
  "minimize": false,
  "evaluator": "run",
  "method": "exhaustive",
  "seed": 1,
  "evaluated": 5,
  "mixes": 5,
  "mixes_counted": true,
  "proven": true,
  "chips": [
    {
      "rank": 1,
      "value": 0.266975,
      "cores": 2,
      "area_mm2": null,
      "power_w": null,
      "chip": "1 branch 30 % + 1 l2 10 %",
      "setting": "chip.cores=({type=\"branch\";speedup_pct=30;count=1;},{type=\"l2\";speedup_pct=10;count=1;})"
    }
  ],
  "command": "sahm run configs/canonical.cfg --set workload.duration_ms=500 --set 'chip.cores=({type=\"branch\";speedup_pct=30;count=1;},{type=\"l2\";speedup_pct=10;count=1;})'"
}
## Beyond what can be searched exhaustively nothing is proven.
$ sahm optimize configs/canonical.cfg --cores 8 --evaluator limit --exhaustive-limit 100 --steps 5 --restarts 1 --top 1 | grep -A1 '^search' | sed 's/: [0-9]* of/: some of/'
search     anneal, evaluator limit: some of 1286 chips within the budget evaluated
           the first is the best that was seen (seed 1), which does not prove that none is better
## Synthetic traces are named.
$ sahm optimize configs/synthetic-39.cfg --cores 2 --evaluator limit --top 1 | head -n 1
synthetic-39.cfg: speedup, arithmetic mean, more is better (synthetic traces)
## Prices: empty cells are asked for, all at once.
$ sahm optimize configs/canonical.cfg --area 10 --types baseline,branch:30
sahm: error: @ROOT@/configs/costs/cores.cfg:15: area_mm2 of core type 'baseline' is empty: put a figure there, with its source
sahm: error: @ROOT@/configs/costs/cores.cfg:18: area_mm2 of core type 'branch' is empty: put a figure there, with its source
sahm: error: a budget of area needs that of every core type, and 2 are missing: fill the table, or a copy of it (--costs), or leave the types out (--types)
[1]
$ sahm optimize configs/canonical.cfg --area 10 --power 3 --types berti,general:5
sahm: error: @ROOT@/configs/costs/cores.cfg:29: area_mm2 of core type 'berti' is empty: put a figure there, with its source
sahm: error: @ROOT@/configs/costs/cores.cfg: no row for core type 'general': add one with its area_mm2 and where that is from
sahm: error: @ROOT@/configs/costs/cores.cfg:29: power_w of core type 'berti' is empty: put a figure there, with its source
sahm: error: @ROOT@/configs/costs/cores.cfg: no row for core type 'general': add one with its power_w and where that is from
sahm: error: a budget of area needs that of every core type, and 2 are missing: fill the table, or a copy of it (--costs), or leave the types out (--types)
sahm: error: a budget of power needs that of every core type, and 2 are missing: fill the table, or a copy of it (--costs), or leave the types out (--types)
[1]
$ printf 'cores=({type="baseline";area_mm2=2;power_w=1;source="made up";},{type="Branch";area_mm2=2.5;power_w=1.5;source="made up";},{type="branch";speedup_pct=10;area_mm2=2;source="made up";});\n' >"$T/costs.cfg"
$ sahm optimize configs/canonical.cfg --area 4.5 --types baseline,branch:30,branch:10 --evaluator limit --costs "$T/costs.cfg"
canonical.cfg: speedup, arithmetic mean, more is better (traces with an assumed time base)

   speedup_mean  cores  mm2  chip
1     +28.199 %      1  2.5  1 branch 30 %
2     +28.199 %      2  4.5  1 branch 30 % + 1 branch 10 %
3     +28.199 %      2  4.5  1 baseline + 1 branch 30 %
4      +9.462 %      1    2  1 branch 10 %
5      +9.462 %      2    4  2 branch 10 %

search     exhaustive, evaluator limit: 8 of 8 chips within the budget evaluated
           the first is the best: all others were evaluated
run it     sahm run configs/canonical.cfg --set 'chip.cores=({type="branch";speedup_pct=30;count=1;})'
$ sahm optimize configs/canonical.cfg --power 3 --types baseline,branch:30 --evaluator limit --costs "$T/costs.cfg" --top 2
canonical.cfg: speedup, arithmetic mean, more is better (traces with an assumed time base)

   speedup_mean  cores  mm2    W  chip
1     +28.199 %      1  2.5  1.5  1 branch 30 %
2     +28.199 %      2  4.5  2.5  1 baseline + 1 branch 30 %

search     exhaustive, evaluator limit: 6 of 6 chips within the budget evaluated
           the first is the best: all others were evaluated
run it     sahm run configs/canonical.cfg --set 'chip.cores=({type="branch";speedup_pct=30;count=1;})'
$ sahm optimize configs/canonical.cfg --area 1.5 --types baseline,branch:30 --costs "$T/costs.cfg"
sahm: error: no chip keeps within the budget: the lowest area of any chip is 2 mm2 (1 baseline), the budget is 1.5 mm2
[1]
$ sahm optimize configs/canonical.cfg --power 3 --types baseline,branch:30 --costs "$T/none.cfg" 2>&1 | sed "s|$T|T|"
sahm: error: cannot open 'T/none.cfg': No such file or directory
## A cell that several types need is asked for once.
$ sahm optimize configs/canonical.cfg --area 10 --types baseline,branch:30,branch:10
sahm: error: @ROOT@/configs/costs/cores.cfg:15: area_mm2 of core type 'baseline' is empty: put a figure there, with its source
sahm: error: @ROOT@/configs/costs/cores.cfg:18: area_mm2 of core type 'branch' is empty: put a figure there, with its source
sahm: error: a budget of area needs that of every core type, and 2 are missing: fill the table, or a copy of it (--costs), or leave the types out (--types)
[1]
$ sahm optimize configs/canonical.cfg --area 10 --types general:5,general:10
sahm: error: @ROOT@/configs/costs/cores.cfg: no row for core type 'general': add one with its area_mm2 and where that is from
sahm: error: a budget of area needs that of every core type, and 1 is missing: fill the table, or a copy of it (--costs), or leave the types out (--types)
[1]
## What cannot be asked for.
$ cp configs/canonical.cfg "$T/mine.cfg"; sahm optimize "$T/mine.cfg" --cores 2 -o "$T/mine.cfg"
sahm: error: the result would overwrite '@T@/mine.cfg', which it is made from
[2]
$ cmp configs/canonical.cfg "$T/mine.cfg"; cp "$T/costs.cfg" "$T/kept.cfg"; sahm optimize configs/canonical.cfg --area 2.5 --types baseline,branch:30 --costs "$T/costs.cfg" -o "$T/costs.cfg"
sahm: error: the result would overwrite '@T@/costs.cfg', which it is made from
[2]
$ cmp "$T/costs.cfg" "$T/kept.cfg"
$ sahm optimize configs/canonical.cfg --area 2.5 --force -o configs/costs/cores.cfg
sahm: error: the result would overwrite '@ROOT@/configs/costs/cores.cfg', which it is made from
[2]
$ sahm optimize configs/canonical.cfg
sahm: error: a budget is missing: --cores N, --area MM2 or --power W
[2]
$ sahm optimize --cores 3
sahm: error: a configuration is missing: sahm optimize CONFIG --cores N
[2]
$ sahm optimize configs/canonical.cfg --cores 3 --least-cores 4
sahm: error: --least-cores 4 is more than --cores 3
[2]
$ sahm optimize configs/canonical.cfg --cores 0
sahm: error: --cores is '0', must be a whole number from 1 to 4096
[2]
$ sahm optimize configs/canonical.cfg --area -1
sahm: error: --area is '-1', must be a number above 0
[2]
$ sahm optimize configs/canonical.cfg --cores 3 --metric transition_share
sahm: error: neither more nor less of 'transition_share' is better as such: say --maximize or --minimize
[2]
$ sahm optimize configs/canonical.cfg --cores 3 --maximize --minimize
sahm: error: --maximize and --minimize exclude each other
[2]
$ sahm optimize configs/canonical.cfg --cores 3 --method aneal
sahm: error: unknown method 'aneal', must be auto, exhaustive or anneal; did you mean 'anneal'?
[2]
$ sahm optimize configs/canonical.cfg --cores 3 --types baseline,brnch:30
sahm: error: unknown core type 'brnch'; did you mean 'branch'?
[2]
$ sahm optimize configs/canonical.cfg --cores 2 --metric latency_p99_ns -j1
sahm: error: chip '1 l2 30 %': there is no 'latency_p99_ns' of it by the evaluator 'run': waits are measured only in continuous time: if threads sleep, or the policy dispatches
[1]
$ sahm optimize configs/shared-16.cfg --cores 3
sahm: error: tenant 'web' has cores: this says which core is where, and other chips have others
[1]
$ sahm optimize configs/canonical.cfg --cores 4000 --method exhaustive
sahm: error: 1048577 chips or more keep within the budget, too many to search exhaustively (1048576)
[1]
## A policy is one of the settings
$ sahm optimize configs/canonical.cfg --cores 2 --set workload.duration_ms=500 -p static --top 1 | sed -n 's/^repeat it *//p'
sahm run configs/canonical.cfg --set workload.duration_ms=500 --set 'scheduler.policy="static"' --set 'chip.cores=({type="branch";speedup_pct=30;count=1;})'
$ sahm optimize configs/canonical.cfg --cores 2 -p static -q -p sahm
sahm: error: --policy is given twice
[2]
## Of more threads than cores the throughput counts.
$ cd "$T"; sahm run small --chip baseline,l2:30 --print-config >six.cfg; sahm optimize six.cfg --cores 2 -q | head -n 4; sahm optimize six.cfg --cores 8 -q --top 1 | head -n 1; sahm optimize six.cfg --cores 2 -q -m speedup_mean --top 1 | head -n 4
six.cfg: throughput, STP, more is better (traces with an assumed time base)

      stp  cores  chip
1  2.1931      2  2 l2 30 %
six.cfg: speedup, arithmetic mean, more is better (traces with an assumed time base)
six.cfg: speedup, arithmetic mean, more is better (traces with an assumed time base)

   speedup_mean  cores  chip
1     -72.587 %      2  2 l2 30 %
$ cd "$T"; sahm run six.cfg | sed -n '3p;6,8p;10,12p;20,21p'
workload       8 threads on 2 cores; 8 traces, 8 with an assumed time base
throughput     STP 2.169 baseline cores
slow-down      mean 3.73 (ANTT), 6.8 % less than 4.00 by fair shares of 2 baseline cores
               (speedup compares with a whole core, gain with a fair share)
thread                     speedup      gain   served  matched  migrations  baseline time
-----------------------------------------------------------------------------------------
cc1                       -74.78 %   +0.90 %   2.74 %   2.74 %           1         3.30 s
-----------------------------------------------------------------------------------------
mean (assumed time base)  -72.89 %   +8.46 %  28.44 %  28.44 %         1.2
$ cd "$T"; sahm sweep six.cfg --axis migration.cost_ms=0,9 -q -o s.sqlite; sahm query s.sqlite best | tail -n 4; sahm query s.sqlite | grep best; sahm query s.sqlite pareto | tail -n 2; sahm query s.sqlite point 0 | grep speedups; sahm report s.sqlite --no-plots -o page | tail -n 1
position    stp  migration.cost_ms   served  migrations per second
------------------------------------------------------------------
       0  2.170                  0  28.44 %                   0.76
       1  2.162                  9  28.47 %                   0.76
best stp                     2.170
more: sahm query RESULTS best, worst, axes, pareto, point, failed, missing, threads, config
------------------------------------------------
2.170      2         0      1                  0
speedups                     8 threads awake on average on 2 cores: fair shares give each -75.00 %
best stp 2.170 at point 0: migration.cost_ms=0
## Speedups below zero are explained, wherever a table has them.
$ cd "$T"; sahm run small --chip baseline --set workload.duration_ms=2000 --print-config >one.cfg; sahm optimize one.cfg --cores 2 -m speedup_mean | grep '^speedups'; sahm compare -p sahm,fair one.cfg -m speedup_mean --samples 1 | tail -n 1; sahm sweep one.cfg --axis migration.cost_ms=0,1 -o one.sqlite -q; for q in best worst axes pareto; do sahm query one.sqlite $q $([ $q = pareto ] && echo --objective || echo -m) speedup_mean | grep -c 'more threads than cores'; done; sahm query one.sqlite threads | tail -n 1; sahm query one.sqlite best | grep -c 'more threads'; sahm query one.sqlite point 0 | grep '^speedups'
speedups   there are more threads than cores: a speedup compares a thread's share of a core with a whole one, and STP (stp) says what the chip as a whole does
there are more threads than cores: a speedup compares a thread's share of a core with a whole one, and STP (stp) says what the chip as a whole does
1
1
1
1
there are more threads than cores: a speedup compares a thread's share of a core with a whole one, and STP (stp) says what the chip as a whole does
0
speedups                     8 threads awake on average on 1 core: fair shares give each -87.50 %
## Threads that come and go share cores only if more are awake on average than there are cores.
$ sahm sweep configs/shared-16.cfg --axis migration.warmup_ms=0,5 -o "$T/s.sqlite" -q; sahm query "$T/s.sqlite" best | sed -n '1p; $p'; sahm query "$T/s.sqlite" point 0 | grep -c '^speedups'; sahm compare -p sahm,fair shared-16 -m speedup_mean | grep -c 'more threads'
shared-16.cfg: the 2 points with the highest speedup_mean, of 2 (assumed time base)
       1      +20.15 %                    5  70.22 %                   9.40
0
0
[1]
## What a search cannot give to other chips is refused, not left out.
$ sahm optimize configs/sm8150.cfg --cores 2; sahm optimize configs/canonical.cfg --cores 5 --set 'chip.shared=({cores="0-1";l2_misses_per_s=1e6;})'
sahm: error: chip.cores[0] has frequency levels, and the chips of a search have none: name core types to choose from with --types
sahm: error: chip.shared says which core is where, and other chips have others
[1]
