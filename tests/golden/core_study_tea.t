## What samplers of cycle stacks get wrong. The programs are made up (tests/data/cases/README.md); their files are not there.
$ sahm core study tea --periods 5,50 tests/data/cases/quicksort.stream tests/data/cases/search.stream
Errors of sampled cycle stacks on tea, in %, by instruction, a sample in 5 cycles (figure 5):
stream                             samples   tea  chance    nci  chance    ibs  chance    spe  chance    ris  chance
--------------------------------------------------------------------------------------------------------------------
tests/data/cases/quicksort.stream    21466  1.03    2.22  45.16    2.22  58.22    3.54  58.22    3.54  58.16    3.86
tests/data/cases/search.stream       13339  1.48    3.83  17.31    3.83  30.75    5.87  30.75    5.76  58.06    8.30
--------------------------------------------------------------------------------------------------------------------
mean                                 17402  1.26    3.02  31.23    3.02  44.48    4.71  44.48    4.65  58.11    6.08
largest                                     1.48          45.16          58.22          58.22          58.16        
--------------------------------------------------------------------------------------------------------------------
paper, mean                                  2.1           11.3           55.6           55.5           56.0        
paper, largest                               7.7           22.0           79.7           79.7           79.7        

The mean, by granularity (figure 9):
by           samples   tea  chance    nci  chance    ibs  chance    spe  chance    ris  chance
----------------------------------------------------------------------------------------------
instruction    17402  1.26    3.02  31.23    3.02  44.48    4.71  44.48    4.65  58.11    6.08
block          17402  0.71    1.46  22.97    1.46  33.70    2.23  33.70    2.17  40.58    2.87
function       17402  0.15    0.44  21.80    0.44  22.85    0.91  22.31    0.82  33.04    1.26
program        17402  0.15    0.44  21.80    0.44  22.85    0.91  22.31    0.82  33.04    1.26

The mean by instruction, by period in cycles (figure 8):
period  samples   tea  chance    nci  chance    ibs  chance    spe  chance    ris  chance
-----------------------------------------------------------------------------------------
5         17402  1.26    3.02  31.23    3.02  44.48    4.71  44.48    4.65  58.11    6.08
50         1740  4.87    7.36  33.24    7.36  42.67    7.78  42.64    7.73  56.30   10.08

Correlation of executions with an event and the cycles of their stacks, over static instructions (figure 7):
event   streams  minimum   p25  median   p75  maximum  mean
-----------------------------------------------------------
DR-L1         0
DR-TLB        0
DR-SQ         1     1.00  1.00    1.00  1.00     1.00  1.00
FL-MB         2     0.96  0.97    0.98  0.99     1.00  0.98
FL-EX         0
FL-MO         0
ST-L1         0
ST-TLB        1     0.50  0.50    0.50  0.50     0.50  0.50
ST-LLC        0

Stalls of uops without events, in cycles, and instructions with several events:
stream                             cycles    CPI  99 % of stalls below  combined %
----------------------------------------------------------------------------------
tests/data/cases/quicksort.stream  107328  1.404                     6         0.0
tests/data/cases/search.stream      66697  0.446                     6         0.7
----------------------------------------------------------------------------------
paper                                                              5.8        30.0

Where is the error of tea below that of nci, and that below the others?
- by instruction: in 2 of 2 streams
- by function: in 1 of 2 streams
  not in tests/data/cases/quicksort.stream: tea 0.03 %, nci 37.72 %, ibs 37.36 %, spe 37.08 %, ris 36.14 %; its highest stacks:
     11.4 %  0x11054 quicksort+0x1054  FL-MB
     10.4 %  0x11046 quicksort+0x1046  FL-MB
      9.6 %  0x1103e quicksort+0x103e  FL-MB

Storage of TEA in this core: 249 B (fetch buffer 12, ROB 216, last committed 2, load and store queue 8, front end 11), with TIP 306 B; paper: 249 and 306 B.
$ sahm core study tea --periods 50 --core rocket --csv tests/data/cases/search.stream | head -n 6
stream,core,config_hash,sampled_epochs,instructions,cycles,period_cycles,scheme,by,samples,error_pct,chance_pct
tests/data/cases/search.stream,rocket,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"",149649,276837,50,tea,instruction,5537,3.7380205492713268,3.9453669511633294
tests/data/cases/search.stream,rocket,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"",149649,276837,50,tea,block,5537,1.1670784623114006,1.686046092852376
tests/data/cases/search.stream,rocket,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"",149649,276837,50,tea,function,5537,0.06304532251231434,0.10167932872082604
tests/data/cases/search.stream,rocket,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"",149649,276837,50,tea,program,5537,0.06304532251231434,0.10167932872082604
tests/data/cases/search.stream,rocket,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"",149649,276837,50,nci,instruction,5537,5.986179950550543,3.9453669511633294
$ sahm core study tea --periods 50 --json tests/data/cases/quicksort.stream | head -n 14
{
  "schema": "sahm-tea-study/1",
  "core": "tea",
  "config_hash": "8ca21837b07b0ffd171f7309c9065996ed27bed492555970c0efaf8c7bc5b8e2",
  "seed": 1,
  "storage_bits": 1992,
  "runs": [
    {
      "stream": "tests/data/cases/quicksort.stream",
      "instructions": 76457,
      "cycles": 107328,
      "base_stalls_below_cycles": 6,
      "executions_with_events": 5844,
      "executions_with_several": 2,
$ sahm core study tea --periods 5000 tests/data/cases/search.stream 2>&1 >/dev/null
sahm: warning: tests/data/cases/search.stream: only 14 samples at 5000 cycles: errors are mostly chance
$ sahm core study tea --periods 50,5 tests/data/cases/search.stream
sahm: error: --periods: 5 is not above the period before, 50
[2]
$ sahm core study tea --periods 0 tests/data/cases/search.stream
sahm: error: --periods: a period is a number of cycles from 1 on, not '0'
[2]
$ sahm core study tea --in-order rocket tests/data/cases/search.stream
sahm: error: --in-order is of the studies of two cores, not of tea, which takes --core
[2]
$ sahm core study frontend --core rocket tests/data/cases/search.stream
sahm: error: --core is of the studies of one core, not of frontend
[2]
$ sahm core study frontend --jitter 2 tests/data/cases/search.stream
sahm: error: --jitter is of the study tea
[2]
$ sahm core study te tests/data/cases/search.stream
sahm: error: unknown study 'te', must be bottlenecks, frontend, tea, ipu-pics, ab, value-prediction, fidelity or edge; did you mean 'tea'?
[2]
$ sahm core study tea
sahm: error: a stream is missing: sahm core study tea STREAM..., sahm core study tea --suite open, or sahm core study tea -- COMMAND
[2]
$ sahm core study tea --periods 5,50 --plot "$T"/p tests/data/cases/quicksort.stream tests/data/cases/search.stream >/dev/null 2>&1; cat "$T"/p/study_tea_periods.csv "$T"/p/study_tea_granularities.csv; head -n 5 "$T"/p/study_tea_correlations.csv
period_cycles,tea_error_pct,nci_error_pct,ibs_error_pct,spe_error_pct,ris_error_pct
5 cycles,1.2564538469073236,31.231135400786947,44.482018210484455,44.482018210484455,58.110326237801274
50 cycles,4.8689266480936775,33.242158427906745,42.66992775862598,42.64237779385995,56.295905407090196
by,tea_error_pct,nci_error_pct,ibs_error_pct,spe_error_pct,ris_error_pct
instruction,1.2564538469073236,31.231135400786947,44.482018210484455,44.482018210484455,58.110326237801274
block,0.7124253294044863,22.973855683138133,33.70091668736037,33.6985954173512,40.58441410413096
function,0.14997035617923926,21.796135454151248,22.850262481442055,22.308671487523174,33.042634230359454
program,0.14997035617923926,21.796135454151248,22.850262481442055,22.308671487523174,33.042634230359454
event,least_r,p25_r,median_r,p75_r,most_r,mean_r,value1_r,value2_r
DR-L1,,,,,,,,
DR-TLB,,,,,,,,
DR-SQ,0.9994085476478674,0.9994085476478674,0.9994085476478674,0.9994085476478674,0.9994085476478674,0.9994085476478674,0.9994085476478674,
FL-MB,0.9643409003907858,0.9725479544131398,0.9807550084354938,0.9889620624578478,0.9971691164802018,0.9807550084354938,0.9643409003907858,0.9971691164802018
## A figure has room for correlations below 0.
$ sahm core study tea --periods 50 --plot "$T"/n tests/data/streams/sort.stream tests/data/cases/stencil.stream >/dev/null 2>&1; grep 'set xrange' "$T"/n/study_tea_correlations.gp; grep FL-MB "$T"/n/study_tea_correlations.csv
set xrange [-0.13456352313687112:1.0436370539416249] noextend
FL-MB,-0.09092646472655644,-0.060659646521423805,-0.03039282831629117,-0.00012601011115853655,0.03014080809397409,-0.030392828316291174,-0.09092646472655644,0.03014080809397409
$ sahm core study tea --periods 5 --plot "$T"/p tests/data/cases/search.stream
sahm: error: '@T@/p/study_tea_errors.csv' exists already; --force replaces it
[2]
