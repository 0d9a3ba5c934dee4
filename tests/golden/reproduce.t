## The whole study on the shipped suite: every required claim holds
$ SAHM_DATA=. sahm reproduce --no-plots -o "$T/all" 2>/dev/null
claims of the paper, compared with synthetic traces

id    claim                                                                  paper          ours  tolerance  kind      verdict
------------------------------------------------------------------------------------------------------------------------------
t4.3  25th percentile of branch_pct                                         0.03 %      0.0295 %     +-10 %  required  holds
t4.3  50th percentile of branch_pct                                         0.34 %      0.3500 %     +-10 %  required  holds
t4.3  25th percentile of l1i_mpki                                       0.004 MPKI   0.0040 MPKI     +-10 %  required  holds
t4.3  50th percentile of l1i_mpki                                       0.009 MPKI   0.0090 MPKI     +-10 %  required  holds
t4.3  25th percentile of l1d_pct                                             0.5 %      0.4727 %     +-10 %  required  holds
t4.3  50th percentile of l1d_pct                                            0.99 %      0.9714 %     +-10 %  required  holds
t4.3  25th percentile of l2_pct                                             3.64 %      3.7500 %     +-10 %  required  holds
t4.3  50th percentile of l2_pct                                            18.47 %     18.5714 %     +-10 %  required  holds
4.2   time in Low                                                              8 %        8.12 %      +-0.5  required  holds
4.2   p25: lead of L2+L1D+L1I+Branch over any other state           above 0 points  44.29 points          -  required  holds
4.2   p25: time with two or more components stressed                    above 50 %       81.37 %          -  required  holds
4.2   p25: time with all four components stressed                       above 50 %       53.20 %          -  required  holds
4.3   the paper's six states among the six most occupied                         6             6       none  required  holds
4.4   imagick: time in Low                                              above 50 %       70.14 %          -  required  holds
4.4   nab: time in Low                                                  above 50 %       52.00 %          -  required  holds
4.4   cam4_s: time in Low                                               above 50 %       53.04 %          -  required  holds
4.4   pop2: time in L2+L1D                                              above 50 %       57.95 %          -  required  holds
4.4   roms: time in L2+L1D                                              above 50 %       53.95 %          -  required  holds
4.4   cactuBSSN: time in L2+L1D                                         above 50 %       70.13 %          -  required  holds
4.5   epochs in the state of the one before                                   84 %       84.02 %      +-0.5  required  holds
4.5   transitions from Low to L1I                                                0             0       none  required  holds
4.5   transitions from L1I to Low                                          above 0            21          -  required  holds
4.5   pairs of states with clearly more transitions one way                above 0             5          -  required  holds
4.6   lead in count of 1-epoch intervals over any other bin         above 0 points  38.64 points          -  required  holds
4.6   time in intervals of 10 s and more                                above 50 %       56.47 %          -  required  holds
4.7   upper bound of the canonical chip: mean speedup                         27 %       27.31 %      +-0.5  required  holds
4.8   speedup over 255 chips: mean                                            15 %       15.81 %        +-1  required  holds
4.8   speedup over 255 chips: mean of the 25th percentiles              above 10 %       10.60 %          -  required  holds
4.9   25th percentile of All-30 % against 5 % everywhere              at least 3 x        5.93 x          -  required  holds
4.9   25th percentile of Branch-10 % against 5 % everywhere           at least 3 x        4.14 x          -  required  holds
4.9   25th percentile of Branch-0 % against 5 % everywhere            at least 3 x        3.12 x          -  required  holds
4.10  All-30 %, Ideal: mean speedup                                           20 %       18.66 %        +-2  reported  holds
4.10  All-30 %: lead of Oracle over Ideal                           below 1 points   0.19 points          -  reported  holds
4.10  All-30 %: part of the cost of 1 ms that inertia recovers          above 50 %       10.39 %          -  reported  misses
4.10  All-30 %: lead of Ideal over Inertia+9ms                  at most 1.5 points   1.27 points          -  reported  holds
4.10  matched share, the farthest of 3 chips in 6 settings                    70 %       71.41 %        +-4  reported  holds
4.10  All-30 %, Ideal: schedulings at state transitions                        2 %        1.90 %      +-0.5  reported  holds
A.3   configurations in the figure                                             255           255       none  shown     shown

31 of 31 required claims hold, 5 of 6 reported claims hold, 1 of 1 figure is complete

4.10 All-30 %: part of the cost of 1 ms that inertia recovers: Inertia saves migrations, but it also
  keeps threads on cores that do not serve the state that they have come to. Where migrations of 1
  ms cost little to begin with, that loss can be about as large as what the saved migrations bring.
## Parts, in any order, capitals or not; one that is asked for twice is done once
$ SAHM_DATA=. sahm reproduce a.3 T4.3 4.7 4.7 --csv --no-plots -o "$T/parts"
id,source,claim,unit,judged,expected,tolerance,ours,kind,verdict,synthetic,nominal_time
t4.3,table 4.3 in section 4.2,25th percentile of branch_pct,%,relative,0.03,10,0.0294737,required,holds,yes,no
t4.3,table 4.3 in section 4.2,50th percentile of branch_pct,%,relative,0.34,10,0.35,required,holds,yes,no
t4.3,table 4.3 in section 4.2,25th percentile of l1i_mpki,MPKI,relative,0.004,10,0.004,required,holds,yes,no
t4.3,table 4.3 in section 4.2,50th percentile of l1i_mpki,MPKI,relative,0.009,10,0.009,required,holds,yes,no
t4.3,table 4.3 in section 4.2,25th percentile of l1d_pct,%,relative,0.5,10,0.4727273,required,holds,yes,no
t4.3,table 4.3 in section 4.2,50th percentile of l1d_pct,%,relative,0.99,10,0.9714286,required,holds,yes,no
t4.3,table 4.3 in section 4.2,25th percentile of l2_pct,%,relative,3.64,10,3.75,required,holds,yes,no
t4.3,table 4.3 in section 4.2,50th percentile of l2_pct,%,relative,18.47,10,18.5714286,required,holds,yes,no
4.7,figure 4.7 in section 4.6,upper bound of the canonical chip: mean speedup,%,within,27,0.5,27.305479756469563,required,holds,yes,no
A.3,figure A.3 in appendix A.2,configurations in the figure,"",exactly,255,,255,shown,shown,yes,no
sahm: wrote '@T@/parts/index.html'
$ ls "$T/parts"
claims.csv
figure_4_7.csv
figure_4_7.gp
figure_A_3.csv
figure_A_3.gp
index.html
study_breadth.cfg
study_characterization.cfg
study_limit.cfg
table_4_3.csv
$ cat "$T/parts/table_4_3.csv"
metric,unit,paper_p25,synthetic_p25,paper_p50,synthetic_p50,intuitive
branch_pct,%,0.03,0.0294737,0.34,0.35,1.0
l1i_mpki,MPKI,0.004,0.004,0.009,0.009,1.0
l1d_pct,%,0.5,0.4727273,0.99,0.9714286,2.0
l2_pct,%,3.64,3.75,18.47,18.5714286,10.0
$ cmp "$T/parts/figure_4_7.csv" "$T/all/figure_4_7.csv"; head -n 3 "$T/parts/figure_4_7.csv"; tail -n 1 "$T/parts/figure_4_7.csv"
program,synthetic_limit_speedup_pct,synthetic_simulated_at_100_ms_speedup_pct,synthetic_simulated_at_10_ms_speedup_pct,synthetic_simulated_at_1_ms_speedup_pct
perlbench_r-synthetic,29.842083951950336,27.215490218217077,29.577284673495164,29.81632060426236
gcc_r-synthetic,29.904169055614705,24.10945399510176,29.35477937295392,29.84999643466555
mean,27.305479756469566,25.721785363587042,27.150275875548044,27.290067065047968
$ SAHM_DATA=. sahm reproduce 4.10 --json --no-plots -o "$T/parts" 2>/dev/null | grep -A 12 inertia
      "claim": "All-30 %: part of the cost of 1 ms that inertia recovers",
      "unit": "%",
      "judged": "above",
      "expected": 50.0,
      "tolerance": null,
      "ours": 10.389701954493543,
      "kind": "reported",
      "verdict": "misses",
      "synthetic": true,
      "nominal_time": false,
      "why": "Inertia saves migrations, but it also keeps threads on cores that do not serve the state that they have come to. Where migrations of 1 ms cost little to begin with, that loss can be about as large as what the saved migrations bring."
    },
    {
$ sed -n '1p;4,6p' "$T/parts/figure_4_10_runs.csv"
chip,setting,synthetic_speedup_pct,synthetic_served_pct,synthetic_matched_pct,synthetic_at_transitions_pct,synthetic_migrations_per_s,synthetic_cost_paid_pct
All-30 %,Ideal,18.660847915991454,62.4526923076923,70.65316239316239,1.8958547008547009,68.78,0
All-30 %,Cost,18.47766015289743,62.54871794871795,70.66782051282051,1.892051282051282,77.9,0.19974358974358974
All-30 %,Inertia,18.4966928155,62.353547008547004,70.12299145299146,1.8926495726495727,48.556666666666665,0.12450427350427351
## Values without verdicts: other traces
$ SAHM_DATA=. sahm reproduce 4.5 4.7 --suite small --no-plots -o "$T/small"
the paper's values beside ours; some traces have an assumed time base

id   claim                                                    paper     ours
----------------------------------------------------------------------------
4.5  epochs in the state of the one before                     84 %  80.65 %
4.5  transitions from Low to L1I                                  0        0
4.5  transitions from L1I to Low                            above 0        0
4.5  pairs of states with clearly more transitions one way  above 0        0
4.7  upper bound of the canonical chip: mean speedup           27 %  29.91 %

the paper's values are about other traces: nothing is checked
sahm: wrote '@T@/small/index.html'
$ grep -o '<title>.*</title>\|[0-9]* of [0-9]* traces have nominal time\|small: 8 traces[^<]*' "$T/small/index.html"; grep -c 'suite small, nominal time[.;]' "$T/small/index.html"; sed -n "/8 traces/s/.*\(8 traces[^']*\).*/\1/p" "$T/small/figure_4_7.gp"
<title>The figures of the SAHM paper on suite small, assumed time base</title>
small: 8 traces, 0 synthetic, 8 with an assumed time base
0
8 traces, assumed time base
$ head -n 2 "$T/small/figure_4_7.csv"
program,nominal_time_limit_speedup_pct,nominal_time_simulated_at_100_ms_speedup_pct,nominal_time_simulated_at_10_ms_speedup_pct,nominal_time_simulated_at_1_ms_speedup_pct
cc1,30.000000000000004,29.999999958947377,29.999999958947377,29.999999958947377
## The studies that it writes are sweeps, and carry out the same
$ SAHM_DATA=. sahm run "$T/all/study_limit.cfg" --set scheduler.policy=assign --json | grep '"speedup_mean"'
sahm: warning: the section 'sweep' has no effect on a single run: `sahm sweep` carries it out
  "speedup_mean": 0.2670732918711516,
## What there is
$ sahm reproduce --list
id     what                                                  configuration
-------------------------------------------------------------------------------------------------------
t4.3   Table 4.3: thresholds from percentiles                configs/studies/paper/characterization.cfg
4.2    Figure 4.2: residency of states by set of thresholds  configs/studies/paper/characterization.cfg
4.3    Figure 4.3: mean residency of states                  configs/studies/paper/characterization.cfg
4.4    Figure 4.4: residency of states by program            configs/studies/paper/characterization.cfg
4.5    Figure 4.5: transitions between states                configs/studies/paper/characterization.cfg
4.6    Figure 4.6: lengths of intervals                      configs/studies/paper/characterization.cfg
4.7    Figure 4.7: upper bound of the canonical chip         configs/studies/paper/limit.cfg
4.8    Figure 4.8: speedups over the configuration space     configs/studies/paper/breadth.cfg
4.9    Figure 4.9: specialised chips against a better core   configs/studies/paper/generalist.cfg
4.10   Figure 4.10: threads that compete                     configs/studies/paper/realistic.cfg
m4.7   Figures 4.7 and 4.9 with measured speedups            configs/studies/measured/chips.cfg
m4.8   Figure 4.8 with measured speedups                     configs/studies/measured/space.cfg
m4.10  Figure 4.10 with measured speedups                    configs/studies/measured/threads.cfg
A.3    Figure A.3: the whole configuration space             configs/studies/paper/breadth.cfg
## With measured speedups, made up here, beside the assumed ones. Chips need the types that they are made of.
$ { echo 'core_types = ('; for c in branch branch-256 l1i l1i-size l1i-entangling l1d l1d-size l1d-berti l2 l2-size l2-best-offset l2-stream; do echo "{ name = \"measured-special-$c\"; type = \"${c%%-*}\"; speedup_pct = 4.0; },"; done; echo '{ name = "measured-general"; type = "general"; speedup_pct = 2.0; } );'; } >"$T/types.cfg"
$ SAHM_DATA=. sahm reproduce --suite small m4.7 m4.8 m4.10 --speedups "$T/types.cfg" --no-plots -o "$T/measured"; ls "$T/measured"; grep -c measured-special-l2-stream "$T/measured/study_measured_space.cfg"; grep -o '>sahm reproduce[^<]*m4.8<' "$T/measured/index.html"
Assumed and measured speedups; 8 traces, assumed time base:

Upper bounds of chips, speedup in %; over programs:
chip                          mean   25 %  median   most
--------------------------------------------------------
assumed: all 30 %            29.91  30.00   30.00  30.00
assumed: general 5 %          5.00   5.00    5.00   5.00
measured: all                 3.99   4.00    4.00   4.00
measured: best of each kind   3.99   4.00    4.00   4.00
measured: only branch         3.79   3.94    4.00   4.00
measured: only L1I            1.18   0.00    0.00   4.00
measured: only L1D            1.13   0.00    1.22   3.73
measured: only L2             1.90   0.90    1.53   4.00
measured: general             2.00   2.00    2.00   2.00

The same of all chips with up to one specialised core of each kind; over chips, means of programs:
speedups  mean  25 %  median  most
----------------------------------
measured  3.58  3.44    3.99  3.99

Threads that compete, mean speedup in %:
setting                      assumed: all 30 %  assumed: general 5 %  measured: all  measured: best of each kind  measured: general
-----------------------------------------------------------------------------------------------------------------------------------
Oracle                                   22.46                  5.00           3.01                         3.01               2.00
Ideal                                    22.31                  5.00           2.97                         2.97               2.00
Cost                                     22.30                  5.00           2.94                         2.94               2.00
Inertia                                  22.19                  5.00           2.90                         2.90               2.00
Inertia+5ms                              21.55                  5.00           2.58                         2.58               2.00
Inertia+9ms                              21.51                  5.00           2.30                         2.30               2.00
Oracle (measured time)                   19.82                  5.00           2.70                         2.70               2.00
Ideal (measured time)                    17.96                  5.00           2.53                         2.53               2.00
Cost (measured time)                     16.60                  5.00           1.02                         1.02               2.00
Inertia (measured time)                  15.75                  5.00           1.58                         1.58               2.00
Inertia+5ms (measured time)              12.51                  5.00          -1.68                        -1.68               2.00
Inertia+9ms (measured time)               8.75                  5.00          -4.94                        -4.94               2.00
sahm: wrote '@T@/measured/index.html'
claims.csv
figure_m4_10.csv
figure_m4_10.gp
figure_m4_10_runs.csv
figure_m4_7.csv
figure_m4_7.gp
figure_m4_8.csv
figure_m4_8.gp
index.html
study_characterization.cfg
study_measured_chips.cfg
study_measured_space.cfg
study_measured_threads.cfg
2
>sahm reproduce --suite small --speedups &#39;@T@/types.cfg&#39; m4.8<
$ sed -i '/l1i-size/d' "$T/types.cfg"; SAHM_DATA=. sahm reproduce --suite small m4.8 --speedups "$T/types.cfg" --no-plots -o "$T/measured2"; sed -i 's/core_types/core_type/' "$T/types.cfg"; SAHM_DATA=. sahm reproduce --suite small m4.8 --speedups "$T/types.cfg" --no-plots -o "$T/measured2"
sahm: error: @T@/types.cfg: its core_types do not fit configs/studies/measured/space.cfg: space.cfg, chip.cores[1].type=baseline, chip.cores[2].type=measured-special-l1i-size, chip.cores[3].type=baseline, chip.cores[4].type=baseline: --set chip.cores[2].type="measured-special-l1i-size": unknown core type 'measured-special-l1i-size'; did you mean 'measured-special-l1d-size'?
sahm: error: @T@/types.cfg: there are no core_types in it
[1]
## Mistakes
$ sahm reproduce 4.11
sahm: error: there is no '4.11' (`sahm reproduce --list` lists what there is); did you mean '4.10'?
[2]
$ sahm reproduce figure
sahm: error: there is no 'figure' (`sahm reproduce --list` lists what there is)
[2]
$ sahm reproduce --suite sinthetic
sahm: error: no suite is called 'sinthetic' (open, small, synthetic), and there is no such file or folder; did you mean 'synthetic'?
[2]
$ sahm reproduce --suite ''
sahm: error: no suite is called '' (open, small, synthetic), and there is no such file or folder
[2]
$ sahm reproduce -o -
sahm: error: --output is '-', must be a folder
[2]
$ sahm reproduce --json --csv
sahm: error: --json and --csv exclude each other
[2]
$ sahm reproduce --suit real
sahm: error: unknown option '--suit'; did you mean '--suite'?
[2]
$ : >"$T/file"; SAHM_DATA=. sahm reproduce t4.3 --no-plots -o "$T/file" | tail -n 1
sahm: error: cannot create folder '@T@/file': a file is called so
$ SAHM_DATA=. sahm reproduce t4.3 --no-plots -o "$T/no/such" | tail -n 1
sahm: error: cannot create folder '@T@/no/such': No such file or directory
$ mkdir "$T/empty"; SAHM_DATA=. sahm reproduce --suite "$T/empty"
sahm: error: no trace is in the folder '@T@/empty' (.csv, .trc, either with .zst)
[1]
$ printf 'traces = [ "gzip.csv", "none.csv" ];\n' >"$T/bad.cfg"; SAHM_DATA=. sahm reproduce --suite "$T/bad.cfg"
sahm: error: @T@/bad.cfg:1: cannot open trace 'none.csv': No such file or directory (nor is it in '.')
[1]
$ printf 'traces = [\n"" ];\n' >"$T/bad.cfg"; SAHM_DATA=. sahm reproduce --suite "$T/bad.cfg"
sahm: error: @T@/bad.cfg:2: '' is no file
[1]
$ printf 'trace = [ "gzip.csv" ];\n' >"$T/bad.cfg"; SAHM_DATA=. sahm reproduce --suite "$T/bad.cfg"
sahm: error: @T@/bad.cfg:1: unknown key 'trace'; did you mean 'traces'?
[1]
$ SAHM_DATA=. sahm reproduce --suite workloads/suites/small/gzip.csv
sahm: error: 'workloads/suites/small/gzip.csv' is a trace, not a suite, which is a list of some or a folder
[1]
$ SAHM_DATA=$T sahm reproduce
sahm: error: no suite is called 'synthetic' (none is in '@T@/configs/suites'), and there is no such file or folder
[2]
## Figures show the paper's values where it gives any, each at its place.
$ SAHM_DATA=. sahm reproduce --no-plots -o "$T/figures" >/dev/null 2>&1; cd "$T/figures"; grep -l "^set label 'paper" *.gp; sed -n "s/^set arrow from \(.*\) to .*lc rgb '#D6006F'$/\1/p; s/^\(set label 'paper.*\) front font.*/\1/p" figure_4_2.gp figure_4_8.gp figure_4_10.gp
figure_4_10.gp
figure_4_2.gp
figure_4_3.gp
figure_4_4.gp
figure_4_5.gp
figure_4_6.gp
figure_4_7.gp
figure_4_8.gp
figure_4_9.gp
first 8, first (paper_at(2, 0) - 1.2 * paper_half)
set label 'paper: Low 8 %' at graph 1, first paper_at(2, 0) left offset 1,0
first 96.80424922155666, first (paper_at(0, 15) - 1.2 * paper_half)
set label 'paper: L2+L1D+L1I+Branch'."\n".'above 50 %' at graph 1, first paper_at(0, 15) left offset 1,0
first 15, first (paper_at(39, 0) - 1.2 * paper_half)
first 10, first (paper_at(39, 0) - 1.2 * paper_half)
set label 'paper: mean 15 %, p25'."\n".'above 10 %' at graph 1, first paper_at(39, 0) left offset 1,0
first 20, first (paper_at(0, 2) - 1.2 * paper_half)
set label 'paper: Ideal 20 %' at graph 1, first paper_at(0, 2) left offset 1,0
