## The whole study on the shipped suite: every required claim holds
$ SAHM_DATA=. sahm reproduce --no-plots -o "$T/all" 2>/dev/null
claims of the paper, compared with synthetic traces

id    claim                                                                      paper                    ours  tolerance  kind      basis      verdict
-------------------------------------------------------------------------------------------------------------------------------------------------------
t4.3  25th percentile of branch_pct                                             0.03 %                0.0295 %     +-10 %  required  fitted     holds
t4.3  50th percentile of branch_pct                                             0.34 %                0.3500 %     +-10 %  required  fitted     holds
t4.3  25th percentile of l1i_mpki                                           0.004 MPKI             0.0040 MPKI     +-10 %  required  fitted     holds
t4.3  50th percentile of l1i_mpki                                           0.009 MPKI             0.0090 MPKI     +-10 %  required  fitted     holds
t4.3  25th percentile of l1d_pct                                                 0.5 %                0.4727 %     +-10 %  required  fitted     holds
t4.3  50th percentile of l1d_pct                                                0.99 %                0.9714 %     +-10 %  required  fitted     holds
t4.3  25th percentile of l2_pct                                                 3.64 %                3.7500 %     +-10 %  required  fitted     holds
t4.3  50th percentile of l2_pct                                                18.47 %               18.5714 %     +-10 %  required  fitted     holds
4.2   time in Low                                                                  8 %                  8.12 %      +-0.5  required  fitted     holds
4.2   p25: lead of L2+L1D+L1I+Branch over any other state               above 0 points            44.29 points          -  required  fitted     holds
4.2   p25: time with two or more components stressed                        above 50 %                 81.37 %          -  required  implied    holds
4.2   p25: time with all four components stressed                           above 50 %                 53.20 %          -  required  fitted     holds
4.2   effective states: lead of intuitive over other thresholds                above 0                   -4.19          -  reported  predicted  misses
4.2   p50: lead over intuitive in time with three or more stressed      above 0 points            28.00 points          -  reported  predicted  holds
4.3   the paper's six states among the six most occupied                             6                       6       none  required  fitted     holds
4.4   imagick: time in Low                                                  above 50 %                 70.14 %          -  required  fitted     holds
4.4   nab: time in Low                                                      above 50 %                 52.00 %          -  required  fitted     holds
4.4   cam4_s: time in Low                                                   above 50 %                 53.04 %          -  required  fitted     holds
4.4   pop2: time in L2+L1D                                                  above 50 %                 57.95 %          -  required  fitted     holds
4.4   roms: time in L2+L1D                                                  above 50 %                 53.95 %          -  required  fitted     holds
4.4   cactuBSSN: time in L2+L1D                                             above 50 %                 70.13 %          -  required  fitted     holds
4.5   epochs in the state of the one before                                       84 %                 84.02 %      +-0.5  required  fitted     holds
4.5   transitions from Low to L1I                                                    0                       0       none  required  fitted     holds
4.5   transitions from L1I to Low                                              above 0                      21          -  required  fitted     holds
4.5   pairs of states with clearly more transitions one way                    above 0                       5          -  required  fitted     holds
4.6   lead in count of 1-epoch intervals over any other bin             above 0 points            38.64 points          -  required  fitted     holds
4.6   time in intervals of 10 s and more                                    above 50 %                 56.47 %          -  required  fitted     holds
4.7   upper bound of the canonical chip: mean speedup                             27 %                 27.31 %      +-0.5  required  implied    holds
4.8   speedup over 255 chips: mean                                                15 %                 15.81 %        +-1  required  fitted     holds
4.8   speedup over 255 chips: mean of the 25th percentiles                  above 10 %                 10.60 %          -  required  fitted     holds
4.8   from the median to the top of the box, less to its bottom         above 0 points             0.16 points          -  reported  predicted  holds
4.8   chips above the mean of a program, of 255                             above 50 %                 50.98 %          -  reported  predicted  holds
4.8   chips that speed up more than half of programs                        above 50 %                100.00 %          -  reported  predicted  holds
4.9   25th percentile of All-30 % against 5 % everywhere                  at least 3 x                  5.93 x          -  required  fitted     holds
4.9   25th percentile of Branch-10 % against 5 % everywhere               at least 3 x                  4.14 x          -  required  fitted     holds
4.9   25th percentile of Branch-0 % against 5 % everywhere                at least 3 x                  3.12 x          -  required  fitted     holds
4.10  All-30 %, Ideal: mean speedup                                               20 %                 18.72 %        +-2  reported  predicted  holds
4.10  Branch-10 %, Ideal: mean speedup                                    at most 20 %                 14.67 %          -  reported  predicted  holds
4.10  Branch-0 %, Ideal: mean speedup                                     at most 20 %                 12.63 %          -  reported  predicted  holds
4.10  32 cores, Ideal: mean speedup                                               20 %                 19.83 %        +-2  reported  predicted  holds
4.10  64 cores, Ideal: mean speedup                                               20 %                 18.67 %        +-2  reported  predicted  holds
4.10  32 cores for two components each, Ideal: mean speedup                          -                 16.47 %  above 0 %  reported  predicted  holds
4.10  All-30 %: lead of Oracle over Ideal                                below 1 point             0.13 points          -  reported  predicted  holds
4.10  Branch-10 %: lead of Oracle over Ideal                             below 1 point             0.11 points          -  reported  predicted  holds
4.10  Branch-0 %: lead of Oracle over Ideal                              below 1 point             0.09 points          -  reported  predicted  holds
4.10  32 cores: lead of Oracle over Ideal                                below 1 point             0.12 points          -  reported  predicted  holds
4.10  64 cores: lead of Oracle over Ideal                                below 1 point             0.16 points          -  reported  predicted  holds
4.10  All-30 %: lead of Ideal over Inertia                          at most 1.5 points             0.19 points          -  reported  predicted  holds
4.10  Branch-10 %: lead of Ideal over Inertia                       at most 1.5 points             0.17 points          -  reported  predicted  holds
4.10  Branch-0 %: lead of Ideal over Inertia                        at most 1.5 points             0.17 points          -  reported  predicted  holds
4.10  All-30 %: lead of Ideal over Inertia+5ms                      at most 1.5 points             0.71 points          -  reported  predicted  holds
4.10  Branch-10 %: lead of Ideal over Inertia+5ms                   at most 1.5 points             0.66 points          -  reported  predicted  holds
4.10  Branch-0 %: lead of Ideal over Inertia+5ms                    at most 1.5 points             0.64 points          -  reported  predicted  holds
4.10  All-30 %: lead of Ideal over Inertia+9ms                      at most 1.5 points             1.24 points          -  reported  predicted  holds
4.10  Branch-10 %: lead of Ideal over Inertia+9ms                   at most 1.5 points             1.16 points          -  reported  predicted  holds
4.10  Branch-0 %: lead of Ideal over Inertia+9ms                    at most 1.5 points             1.15 points          -  reported  predicted  holds
4.10  32 cores: lead of Ideal over Inertia+9ms                      at most 1.5 points             1.26 points          -  reported  predicted  holds
4.10  64 cores: lead of Ideal over Inertia+9ms                      at most 1.5 points             1.22 points          -  reported  predicted  holds
4.10  All-30 %: part of the cost of 1 ms that inertia recovers              above 50 %                  3.19 %          -  reported  predicted  misses
4.10  All-30 %: part of the cost of 5 ms that inertia recovers              above 50 %                 32.67 %          -  reported  predicted  misses
4.10  All-30 %: part of the cost of 9 ms that inertia recovers              above 50 %                 55.23 %          -  reported  predicted  holds
4.10  Branch-10 %: part of the cost of 1 ms that inertia recovers           above 50 %                  8.56 %          -  reported  predicted  misses
4.10  Branch-10 %: part of the cost of 5 ms that inertia recovers           above 50 %                 32.78 %          -  reported  predicted  misses
4.10  Branch-10 %: part of the cost of 9 ms that inertia recovers           above 50 %                 58.32 %          -  reported  predicted  holds
4.10  Branch-0 %: part of the cost of 1 ms that inertia recovers            above 50 %                 -0.88 %          -  reported  predicted  misses
4.10  Branch-0 %: part of the cost of 5 ms that inertia recovers            above 50 %                 33.45 %          -  reported  predicted  misses
4.10  Branch-0 %: part of the cost of 9 ms that inertia recovers            above 50 %                 57.81 %          -  reported  predicted  holds
4.10  matched share, the farthest of 3 chips in 6 settings                        70 %  71.44 % (served 63.09)        +-4  reported  predicted  holds
4.10  All-30 %, Ideal: schedulings at state transitions                            2 %                  1.87 %      +-0.5  reported  predicted  holds
A.3   configurations in the figure                                                 255                     255       none  shown     implied    shown

predicted values, compared with those that this version is known to find

id    predicted                                                             ours            95 %            known  verdict
---------------------------------------------------------------------------------------------------------------------------
4.2   effective states: lead of intuitive over other thresholds            -4.19               -   -4.1935 +-0.01  as known
4.2   p50: lead over intuitive in time with three or more stressed  28.00 points               -   27.9968 +-0.01  as known
4.8   from the median to the top of the box, less to its bottom      0.16 points               -    0.1617 +-0.01  as known
4.8   chips above the mean of a program, of 255                          50.98 %               -   50.9804 +-0.01  as known
4.8   chips that speed up more than half of programs                    100.00 %               -  100.0000 +-0.01  as known
4.10  All-30 %, Ideal: mean speedup                                      18.72 %  18.71 to 18.73   18.7196 +-0.05  as known
4.10  Branch-10 %, Ideal: mean speedup                                   14.67 %  14.66 to 14.69   14.6682 +-0.05  as known
4.10  Branch-0 %, Ideal: mean speedup                                    12.63 %  12.62 to 12.65   12.6319 +-0.05  as known
4.10  32 cores, Ideal: mean speedup                                      19.83 %  19.82 to 19.85   19.8343 +-0.05  as known
4.10  64 cores, Ideal: mean speedup                                      18.67 %  18.67 to 18.68   18.6711 +-0.05  as known
4.10  32 cores for two components each, Ideal: mean speedup              16.47 %  16.39 to 16.56   16.4653 +-0.05  as known
4.10  All-30 %: lead of Oracle over Ideal                            0.13 points    0.11 to 0.15    0.1313 +-0.02  as known
4.10  Branch-10 %: lead of Oracle over Ideal                         0.11 points    0.09 to 0.12    0.1101 +-0.02  as known
4.10  Branch-0 %: lead of Oracle over Ideal                          0.09 points    0.06 to 0.12    0.0931 +-0.02  as known
4.10  32 cores: lead of Oracle over Ideal                            0.12 points    0.10 to 0.15    0.1243 +-0.02  as known
4.10  64 cores: lead of Oracle over Ideal                            0.16 points    0.15 to 0.17    0.1632 +-0.02  as known
4.10  All-30 %: lead of Ideal over Inertia                           0.19 points    0.17 to 0.20    0.1864 +-0.02  as known
4.10  Branch-10 %: lead of Ideal over Inertia                        0.17 points    0.15 to 0.18    0.1654 +-0.02  as known
4.10  Branch-0 %: lead of Ideal over Inertia                         0.17 points    0.15 to 0.19    0.1651 +-0.02  as known
4.10  All-30 %: lead of Ideal over Inertia+5ms                       0.71 points    0.70 to 0.73    0.7132 +-0.02  as known
4.10  Branch-10 %: lead of Ideal over Inertia+5ms                    0.66 points    0.65 to 0.68    0.6647 +-0.02  as known
4.10  Branch-0 %: lead of Ideal over Inertia+5ms                     0.64 points    0.63 to 0.66    0.6400 +-0.02  as known
4.10  All-30 %: lead of Ideal over Inertia+9ms                       1.24 points    1.22 to 1.27    1.2436 +-0.02  as known
4.10  Branch-10 %: lead of Ideal over Inertia+9ms                    1.16 points    1.13 to 1.19    1.1623 +-0.02  as known
4.10  Branch-0 %: lead of Ideal over Inertia+9ms                     1.15 points    1.11 to 1.17    1.1490 +-0.02  as known
4.10  32 cores: lead of Ideal over Inertia+9ms                       1.26 points    1.22 to 1.30    1.2602 +-0.02  as known
4.10  64 cores: lead of Ideal over Inertia+9ms                       1.22 points    1.21 to 1.24    1.2175 +-0.02  as known
4.10  All-30 %: part of the cost of 1 ms that inertia recovers            3.19 %  -6.03 to 10.63     3.1851 +-0.5  as known
4.10  All-30 %: part of the cost of 5 ms that inertia recovers           32.67 %  28.12 to 36.88    32.6738 +-0.5  as known
4.10  All-30 %: part of the cost of 9 ms that inertia recovers           55.23 %  53.12 to 57.66    55.2287 +-0.5  as known
4.10  Branch-10 %: part of the cost of 1 ms that inertia recovers         8.56 %  -2.88 to 20.50     8.5600 +-0.5  as known
4.10  Branch-10 %: part of the cost of 5 ms that inertia recovers        32.78 %  30.40 to 35.11    32.7755 +-0.5  as known
4.10  Branch-10 %: part of the cost of 9 ms that inertia recovers        58.32 %  56.36 to 59.84    58.3185 +-0.5  as known
4.10  Branch-0 %: part of the cost of 1 ms that inertia recovers         -0.88 %  -17.35 to 8.68    -0.8785 +-0.5  as known
4.10  Branch-0 %: part of the cost of 5 ms that inertia recovers         33.45 %  29.62 to 35.67    33.4498 +-0.5  as known
4.10  Branch-0 %: part of the cost of 9 ms that inertia recovers         57.81 %  56.44 to 59.31    57.8062 +-0.5  as known
4.10  matched share, the farthest of 3 chips in 6 settings               71.44 %               -   71.4445 +-0.05  as known
4.10  All-30 %, Ideal: schedulings at state transitions                   1.87 %    1.87 to 1.87   1.8714 +-0.005  as known

31 of 31 required claims hold, 31 of 38 reported claims hold, 1 of 1 figure is complete; 38 of 38 predicted values are as known

4.2 effective states: lead of intuitive over other thresholds: How evenly time is spread over states
  under the low thresholds depends on how metrics vary below the intuitive ones, of which two
  percentiles are published.

4.10 All-30 %: part of the cost of 1 ms that inertia recovers; All-30 %: part of the cost of 5 ms
  that inertia recovers; Branch-10 %: part of the cost of 1 ms that inertia recovers; Branch-10 %:
  part of the cost of 5 ms that inertia recovers; Branch-0 %: part of the cost of 1 ms that inertia
  recovers; Branch-0 %: part of the cost of 5 ms that inertia recovers: Inertia saves migrations,
  but it also keeps threads on cores that do not serve the state that they have come to. Where
  migrations cost little to begin with, that loss can be about as large as what the saved migrations
  bring.
## Parts, in any order, capitals or not; one that is asked for twice is done once
$ SAHM_DATA=. sahm reproduce a.3 T4.3 4.7 4.7 --csv --no-plots -o "$T/parts"
id,source,claim,unit,judged,expected,tolerance,ours,low,high,served_pct,kind,basis,verdict,known,known_tolerance,known_verdict,synthetic,nominal_time
t4.3,table 4.3 in section 4.2,25th percentile of branch_pct,%,relative,0.03,10,0.0294737,,,,required,fitted,holds,,,"",yes,no
t4.3,table 4.3 in section 4.2,50th percentile of branch_pct,%,relative,0.34,10,0.35,,,,required,fitted,holds,,,"",yes,no
t4.3,table 4.3 in section 4.2,25th percentile of l1i_mpki,MPKI,relative,0.004,10,0.004,,,,required,fitted,holds,,,"",yes,no
t4.3,table 4.3 in section 4.2,50th percentile of l1i_mpki,MPKI,relative,0.009,10,0.009,,,,required,fitted,holds,,,"",yes,no
t4.3,table 4.3 in section 4.2,25th percentile of l1d_pct,%,relative,0.5,10,0.4727273,,,,required,fitted,holds,,,"",yes,no
t4.3,table 4.3 in section 4.2,50th percentile of l1d_pct,%,relative,0.99,10,0.9714286,,,,required,fitted,holds,,,"",yes,no
t4.3,table 4.3 in section 4.2,25th percentile of l2_pct,%,relative,3.64,10,3.75,,,,required,fitted,holds,,,"",yes,no
t4.3,table 4.3 in section 4.2,50th percentile of l2_pct,%,relative,18.47,10,18.5714286,,,,required,fitted,holds,,,"",yes,no
4.7,figure 4.7 in section 4.6,upper bound of the canonical chip: mean speedup,%,within,27,0.5,27.305479756469563,,,,required,implied,holds,,,"",yes,no
A.3,figure A.3 in appendix A.2,configurations in the figure,"",exactly,255,,255,,,,shown,implied,shown,,,"",yes,no
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
      "ours": 3.1851249431329665,
      "low": -6.02513739509526,
      "high": 10.634270626522465,
      "served_pct": null,
      "kind": "reported",
      "basis": "predicted",
      "verdict": "misses",
      "known": 3.1851,
--
      "claim": "All-30 %: part of the cost of 5 ms that inertia recovers",
      "unit": "%",
      "judged": "above",
      "expected": 50.0,
      "tolerance": null,
      "ours": 32.6737650751704,
      "low": 28.118276486273007,
      "high": 36.87750512460155,
      "served_pct": null,
      "kind": "reported",
      "basis": "predicted",
      "verdict": "misses",
      "known": 32.6738,
--
      "claim": "All-30 %: part of the cost of 9 ms that inertia recovers",
      "unit": "%",
      "judged": "above",
      "expected": 50.0,
      "tolerance": null,
      "ours": 55.228725513408584,
      "low": 53.11619628573347,
      "high": 57.66161550297038,
      "served_pct": null,
      "kind": "reported",
      "basis": "predicted",
      "verdict": "holds",
      "known": 55.2287,
--
      "claim": "Branch-10 %: part of the cost of 1 ms that inertia recovers",
      "unit": "%",
      "judged": "above",
      "expected": 50.0,
      "tolerance": null,
      "ours": 8.560045080776826,
      "low": -2.883796215484421,
      "high": 20.498004460159944,
      "served_pct": null,
      "kind": "reported",
      "basis": "predicted",
      "verdict": "misses",
      "known": 8.56,
--
      "claim": "Branch-10 %: part of the cost of 5 ms that inertia recovers",
      "unit": "%",
      "judged": "above",
      "expected": 50.0,
      "tolerance": null,
      "ours": 32.77554692398289,
      "low": 30.399801007288733,
      "high": 35.11202265972228,
      "served_pct": null,
      "kind": "reported",
      "basis": "predicted",
      "verdict": "misses",
      "known": 32.7755,
--
      "claim": "Branch-10 %: part of the cost of 9 ms that inertia recovers",
      "unit": "%",
      "judged": "above",
      "expected": 50.0,
      "tolerance": null,
      "ours": 58.31852192989393,
      "low": 56.355558078743606,
      "high": 59.84284140894118,
      "served_pct": null,
      "kind": "reported",
      "basis": "predicted",
      "verdict": "holds",
      "known": 58.3185,
--
      "claim": "Branch-0 %: part of the cost of 1 ms that inertia recovers",
      "unit": "%",
      "judged": "above",
      "expected": 50.0,
      "tolerance": null,
      "ours": -0.8784777770743477,
      "low": -17.34835090355672,
      "high": 8.681800193146376,
      "served_pct": null,
      "kind": "reported",
      "basis": "predicted",
      "verdict": "misses",
      "known": -0.8785,
--
      "claim": "Branch-0 %: part of the cost of 5 ms that inertia recovers",
      "unit": "%",
      "judged": "above",
      "expected": 50.0,
      "tolerance": null,
      "ours": 33.44978561269092,
      "low": 29.61851102989339,
      "high": 35.665126622770366,
      "served_pct": null,
      "kind": "reported",
      "basis": "predicted",
      "verdict": "misses",
      "known": 33.4498,
--
      "claim": "Branch-0 %: part of the cost of 9 ms that inertia recovers",
      "unit": "%",
      "judged": "above",
      "expected": 50.0,
      "tolerance": null,
      "ours": 57.80616712853253,
      "low": 56.443180621893575,
      "high": 59.30767079427663,
      "served_pct": null,
      "kind": "reported",
      "basis": "predicted",
      "verdict": "holds",
      "known": 57.8062,
$ sed -n '1p;4,6p' "$T/parts/figure_4_10_runs.csv"
chip,setting,synthetic_speedup_pct,synthetic_served_pct,synthetic_matched_pct,synthetic_at_transitions_pct,synthetic_migrations_per_s,synthetic_cost_paid_pct
All-30 %,Ideal,18.719609425248365,62.64234791352439,70.93047762694822,1.8714002011060833,66.80529411764707,0
All-30 %,Cost,18.527087072819253,62.61658622423328,70.93981900452488,1.8664052287581698,67.09196078431373,0.1720306686777275
All-30 %,Inertia,18.53321915028758,62.463064353946706,70.27994972347913,1.8678506787330316,48.022745098039216,0.1231352438411262
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
id      what                                                  configuration
--------------------------------------------------------------------------------------------------------
t4.3    Table 4.3: thresholds from percentiles                configs/studies/paper/characterization.cfg
4.2     Figure 4.2: residency of states by set of thresholds  configs/studies/paper/characterization.cfg
4.3     Figure 4.3: mean residency of states                  configs/studies/paper/characterization.cfg
4.4     Figure 4.4: residency of states by program            configs/studies/paper/characterization.cfg
4.5     Figure 4.5: transitions between states                configs/studies/paper/characterization.cfg
4.6     Figure 4.6: lengths of intervals                      configs/studies/paper/characterization.cfg
4.7     Figure 4.7: upper bound of the canonical chip         configs/studies/paper/limit.cfg
4.8     Figure 4.8: speedups over the configuration space     configs/studies/paper/breadth.cfg
4.9     Figure 4.9: specialised chips against a better core   configs/studies/paper/generalist.cfg
4.10    Figure 4.10: threads that compete                     configs/studies/paper/realistic.cfg
m4.7    Figures 4.7 and 4.9 with measured speedups            configs/studies/measured/chips.cfg
m4.8    Figure 4.8 with measured speedups                     configs/studies/measured/space.cfg
m4.10   Figure 4.10 with measured speedups                    configs/studies/measured/threads.cfg
A.3     Figure A.3: the whole configuration space             configs/studies/paper/breadth.cfg
budget  Specialised and general cores within a budget         configs/studies/measured/budget.cfg
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
Oracle                                   22.31                  5.00           3.03                         3.03               2.00
Ideal                                    22.08                  5.00           3.01                         3.01               2.00
Cost                                     22.42                  5.00           2.94                         2.94               2.00
Inertia                                  22.27                  5.00           2.91                         2.91               2.00
Inertia+5ms                              21.95                  5.00           2.63                         2.63               2.00
Inertia+9ms                              21.26                  5.00           2.41                         2.41               2.00
Oracle (measured time)                   19.79                  5.00           2.74                         2.74               2.00
Ideal (measured time)                    18.41                  5.00           2.57                         2.57               2.00
Cost (measured time)                     16.59                  5.00           1.35                         1.35               2.00
Inertia (measured time)                  17.34                  5.00           1.76                         1.76               2.00
Inertia+5ms (measured time)              13.39                  5.00          -1.36                        -1.36               2.00
Inertia+9ms (measured time)               9.69                  5.00          -4.43                        -4.43               2.00
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
