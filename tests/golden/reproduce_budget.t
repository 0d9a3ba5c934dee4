## Specialised cores within a budget of area, on a study that is cut short: two traces, two sets of speedups, two kinds of cores, 0.1 s
$ mkdir "$T/data" && cp -R configs "$T/data" && ln -s "$PWD/workloads" "$T/data" && sed -i '/name = "[12]0 %"/d; s/, { type = ."[a-z-]*l1[id]."; [^}]*}//g; s/duration_ms = .*/duration_ms = 100.0;/' "$T/data/configs/studies/measured/budget.cfg" && echo "traces = [ \"sqlite.csv\", \"cc1.csv\" ];" >"$T/two.cfg" && SAHM_DATA="$T/data" sahm reproduce budget --suite "$T/two.cfg" --no-plots -o "$T/budget"; ls "$T/budget"
Specialised cores within a budget of area, or of power drawn also when idle; 2 traces, assumed time base:

Break-even areas: how many times as large as a baseline core other cores may be until the best chip of them does
less than the best chip of only baseline cores. Columns: budget, in areas of a baseline core / threads; large: as
many threads as baseline cores, on a chip of any size, so that nothing is left over of the budget:
speedups          chip                    2/1   2/2   4/1   4/2   4/4   8/1   8/4   8/8  large
----------------------------------------------------------------------------------------------
general 5 %       only general           2.00  1.00  4.00  2.00  1.00  8.00  2.00  1.00  1.050
30 %              only specialised       2.00  1.00  4.00  2.00  1.00  8.00  2.00  1.14  1.300
30 %              specialised, baseline  2.00  1.00  4.00  3.00  1.00  8.00  5.00  1.25  1.300
measured-general  only general           2.00  1.00  4.00  2.00  1.00  8.00  2.00  1.00  1.110
measured          only specialised       2.00  1.00  4.00  2.00  1.00  8.00  2.00  1.00  1.021
measured          specialised, baseline  2.00  1.00  4.00  3.00  1.00  8.00  5.00  1.00  1.023

The same, compared with chips of only general cores that are as large as baseline cores. Where they are not,
and there are only specialised cores, the column large is the area of a specialised core by that of a general one:
speedups  chip                    2/1   2/2   4/1   4/2   4/4   8/1   8/4   8/8  large
--------------------------------------------------------------------------------------
30 %      only specialised       2.00  1.00  4.00  2.00  1.00  8.00  2.00  1.14  1.238
30 %      specialised, baseline  2.00  1.00  4.00  3.00  1.00  8.00  5.00  1.20  1.238
measured  only specialised        < 1   < 1   < 1   < 1   < 1   < 1   < 1   < 1  0.920
measured  specialised, baseline   < 1   < 1   < 1   < 1   < 1   < 1   < 1   < 1  0.920

Throughput (STP) of the best chips within a budget of 8, by the area of each core that is no baseline core; special:
only specialised cores, mixed: or baseline ones beside them. A chip of only baseline cores has one per thread:
speedups  area  8/1 general  8/1 special  8/1 mixed  8/4 general  8/4 special  8/4 mixed  8/8 general  8/8 special  8/8 mixed
-----------------------------------------------------------------------------------------------------------------------------
30 %      1.00         1.05         1.30       1.30         4.20         5.20       5.20         8.40        10.40      10.40
          1.10         1.05         1.30       1.30         4.20         5.20       5.20         7.35         9.10       9.10
          1.25         1.05         1.30       1.30         4.20         5.20       5.20         6.30         7.80       8.20
          1.50         1.05         1.30       1.30         4.20         5.20       5.20         5.25         6.50       7.60
          2.00         1.05         1.30       1.30         4.20         5.20       5.20         4.20         5.20       7.30
measured  1.00         1.07         1.03       1.03         4.43         4.09       4.09         8.88         8.17       8.17
          1.10         1.07         1.03       1.03         4.43         4.09       4.09         7.77         7.15       7.15
          1.25         1.07         1.03       1.03         4.43         4.09       4.09         6.72         6.13       7.08
          1.50         1.07         1.03       1.03         4.43         4.09       4.09         5.58         5.11       7.03
          2.00         1.07         1.03       1.03         4.43         4.08       4.08         4.44         4.09       7.01

The paper claims better performance per area and per watt (section 4.1) without a figure. Here, specialised cores
of area 1 gain at most 30.0 % over baseline and 23.8 % over general cores. Figures of others, as context:
published      found                                 abstract of              here
---------------------------------------------------------------------------------------------------------------------------------
CVA6S+, CVA6   +6 % area, +34.4 % IPC                arXiv:2505.24363         a general core: break-even area 1.34, has 1.06
C910, CVA6     +75 % area, +119.5 % IPC              arXiv:2505.24363         a general core: break-even area 2.19, has 1.75
Zen 4c, Zen 4  35 % smaller, +25 % performance/mm2   Burd et al., ISSCC 2024  a general core: break-even area 0.81, has 0.65
Kumar 2004     up to 63 % at equal area              ISCA 2004                not shown: cores of very different sizes and speeds
Kumar 2003     39 % less energy for 3 % performance  MICRO 2003               not of area: docs/energy.md has ours
sahm: wrote '@T@/budget/index.html'
claims.csv
figure_budget.csv
figure_budget.gp
figure_budget_runs.csv
index.html
study_budget.cfg
study_characterization.cfg
$ sed -n '1,6p;/^30 %,8,8,/p' "$T/budget/figure_budget_runs.csv"; grep -c 'Break-even areas' "$T/budget/index.html"; grep '^30 % with 8' "$T/budget/figure_budget.csv"
speedups,budget,nr_threads,cores,area,nominal_time_stp,nominal_time_break_even_baseline,nominal_time_break_even_general,chip
30 %,2,1,only baseline,1,1,,,1 baseline
30 %,2,1,only general,1,1.05,2,,1 general 5 %
30 %,2,1,only general,1.1,1.05,2,,1 general 5 %
30 %,2,1,only general,1.25,1.05,2,,1 general 5 %
30 %,2,1,only general,1.5,1.05,2,,1 general 5 %
30 %,8,8,only baseline,1,8,,,8 baseline
30 %,8,8,only general,1,8.4,1,,8 general 5 %
30 %,8,8,only general,1.1,7.35,1,,7 general 5 %
30 %,8,8,only general,1.25,6.3,1,,6 general 5 %
30 %,8,8,only general,1.5,5.25,1,,5 general 5 %
30 %,8,8,only general,2,4.2,1,,4 general 5 %
30 %,8,8,only specialised,1,10.4,1.1428571428571428,1.1428571428571428,8 branch 30 %
30 %,8,8,only specialised,1.1,9.1,1.1428571428571428,1.1428571428571428,6 branch 30 % + 1 l2 30 %
30 %,8,8,only specialised,1.25,7.8,1.1428571428571428,1.1428571428571428,6 branch 30 %
30 %,8,8,only specialised,1.5,6.5,1.1428571428571428,1.1428571428571428,5 branch 30 %
30 %,8,8,only specialised,2,5.2,1.1428571428571428,1.1428571428571428,4 branch 30 %
30 %,8,8,"specialised, baseline",1,10.4,1.25,1.2,8 branch 30 %
30 %,8,8,"specialised, baseline",1.1,9.1,1.25,1.2,6 branch 30 % + 1 l2 30 %
30 %,8,8,"specialised, baseline",1.25,8.2,1.25,1.2,3 baseline + 3 branch 30 % + 1 l2 30 %
30 %,8,8,"specialised, baseline",1.5,7.6,1.25,1.2,5 baseline + 1 branch 30 % + 1 l2 30 %
30 %,8,8,"specialised, baseline",2,7.3,1.25,1.2,6 baseline + 1 l2 30 %
1
30 % with 8 threads,0.9,1.2380952380952381
30 % with 8 threads,1,1.0833333333333333
30 % with 8 threads,1.1428571428571428,1.0476190476190477
30 % with 8 threads,1.1666666666666667,1.0119047619047619
30 % with 8 threads,1.2,0.976190476190476
30 % with 8 threads,1.25,0.9404761904761905
30 % with 8 threads,1.3333333333333333,0.9047619047619047
30 % with 8 threads,1.5,0.869047619047619
30 % with 8 threads,2,0.869047619047619
## A chip's throughput is that of a run
$ grep '^measured,2,2,only specialised,1,' "$T/budget/figure_budget_runs.csv"; SAHM_DATA="$T/data" sahm run "$T/budget/study_budget.cfg" --set 'chip.cores=({type="measured-special-l2";count=2;})' --json 2>/dev/null | grep '"stp"'
measured,2,2,only specialised,1,2.06406732,1,,2 measured-special-l2
  "stp": 2.06406732,
## With a table of costs, by type and by name; figures for none or only some
$ for t in baseline general branch l1i l1d l2; do echo "{ type = \"$t\"; area_mm2 = 1.$(printf %s "$t" | wc -c); power_w = 2.0; source = \"made up\"; },"; done >"$T/rows"; { echo 'cores = ('; cat "$T/rows"; echo '{ name = "measured-general"; area_mm2 = 1.1; source = "made up"; } );'; } >"$T/costs.cfg"; SAHM_DATA="$T/data" sahm reproduce budget --suite "$T/two.cfg" --costs "$T/costs.cfg" --no-plots -o "$T/costs" 2>/dev/null | sed -n '/^Throughput/,/^The paper/p'; grep -o '>sahm reproduce[^<]*budget<' "$T/costs/index.html" | head -n 1
Throughput (STP) of the best chip within a budget in mm2, by the table of costs:
speedups  budget (mm2)  threads  baseline  general  special  mixed  best mixed chip
-----------------------------------------------------------------------------------
30 %               2.4        1      1.00     1.05     1.30   1.30  1 branch 30 %
                   2.4        2      1.00     1.05     2.46   2.46  2 l2 30 %
                   4.8        1      1.00     1.05     1.30   1.30  1 branch 30 %
                   4.8        2      2.00     2.10     2.60   2.60  2 branch 30 %
                   4.8        4      2.00     2.10     4.46   4.46  4 l2 30 %
                   9.6        1      1.00     1.05     1.30   1.30  1 branch 30 %
                   9.6        4      4.00     4.20     5.20   5.20  4 branch 30 %
                   9.6        8      5.00     5.25     8.76   8.76  8 l2 30 %
no areas of 'measured': @T@/costs.cfg: no row for cores called 'measured-special-branch'

Throughput (STP) of the best chip within a budget in W, by the table of costs:
speedups  budget (W)  threads  baseline  general  special  mixed  best mixed chip
---------------------------------------------------------------------------------
30 %               4        1      1.00     1.05     1.30   1.30  1 branch 30 %
                   4        2      2.00     2.10     2.60   2.60  2 branch 30 %
                   8        1      1.00     1.05     1.30   1.30  1 branch 30 %
                   8        2      2.00     2.10     2.60   2.60  2 branch 30 %
                   8        4      4.00     4.20     5.20   5.20  4 branch 30 %
                  16        1      1.00     1.05     1.30   1.30  1 branch 30 %
                  16        4      4.00     4.20     5.20   5.20  4 branch 30 %
                  16        8      8.00     8.40    10.40  10.40  8 branch 30 %
no powers of 'measured': @T@/costs.cfg:8: power_w of cores called 'measured-general' is empty

The paper claims better performance per area and per watt (section 4.1) without a figure. Here, specialised cores
>sahm reproduce --suite &#39;@T@/two.cfg&#39; --costs &#39;@T@/costs.cfg&#39; budget<
$ SAHM_DATA="$T/data" sahm reproduce budget --suite "$T/two.cfg" --costs configs/costs/cores.cfg --no-plots -o "$T/none"
sahm: error: configs/costs/cores.cfg:15: area_mm2 of core type 'baseline' is empty: put a figure there, with its source
[1]
$ sed 's/area_mm2 = [0-9.]*/area_mm2 = 0.0/' "$T/costs.cfg" >"$T/zero.cfg"; SAHM_DATA="$T/data" sahm reproduce budget --suite "$T/two.cfg" --costs "$T/zero.cfg" --no-plots -o "$T/none"
sahm: error: budget.cfg, speedups=30 %: @T@/zero.cfg: a core of type 'baseline' has no area
[1]
## Mistakes
$ sahm reproduce 4.7 --costs "$T/costs.cfg"
sahm: error: --costs is for budget, which is not asked for
[2]
$ SAHM_DATA="$T/data" sahm reproduce budget --costs "$T/none.cfg" --no-plots -o "$T/none"
sahm: error: cannot open '@T@/none.cfg': No such file or directory
[1]
$ sed -i 's/"measured-general/"measured-special-l2/' "$T/data/configs/studies/measured/budget.cfg"; SAHM_DATA="$T/data" sahm reproduce budget --suite "$T/two.cfg" --no-plots -o "$T/none"
sahm: error: budget.cfg, speedups=measured: a baseline core, a general and a specialised one are needed, each of another type
[1]
