## What an introspection unit loses that makes cycle stacks. The programs are made up (tests/data/cases/README.md); their files are not there.
$ sahm core study ipu-pics --period 1009 tests/data/cases/stores.stream tests/data/cases/coin.stream
sahm: warning: tests/data/cases/coin.stream: only 257 samples at 1009 cycles: errors are mostly chance; a smaller --period takes more
Cycle stacks by an introspection unit beside tea, a sample in 1009 cycles:
- sub-sample: core at 3200 MHz, unit at 2000 MHz; cycles with events between the unit's clocks are lost
- window: core at 3200 MHz, unit at 2000 MHz; 64 cycles with events in a row go into a fast buffer
- phases: core at 2000 MHz, unit at 2000 MHz; the core runs at the unit's clock
- late: core at 3200 MHz, unit at 2000 MHz; sub-sample, but the timer does not keep PCs for its handler, which may have to wait
- zero time: the program executes in zero time
In all but late, the timer keeps the PCs of the cycle that is sampled (a second rank of registers): then heights
by PC do not depend on what the unit drops. Pairs of PC and events do.

(a) Drop error: the mean over PCs of the difference of their heights to those in zero time, in %
(figure 2.10; dissertation: typically below 3 %, up to 12 %):
stream                          samples  sub-sample  window  phases   late
--------------------------------------------------------------------------
tests/data/cases/stores.stream     1263        0.00    0.00    0.00   6.22
tests/data/cases/coin.stream        257        0.00    0.00    0.00  77.46
--------------------------------------------------------------------------
mean                                           0.00    0.00    0.00  41.84
largest                                        0.00    0.00    0.00  77.46

The same over pairs of PC and event combination, as table 2.2 has them, in %:
stream                          samples  sub-sample  window  phases   late
--------------------------------------------------------------------------
tests/data/cases/stores.stream     1263       35.04    2.92   13.43  39.20
tests/data/cases/coin.stream        257        1.30    0.00    1.30  77.72
--------------------------------------------------------------------------
mean                                          18.17    1.46    7.37  58.46
largest                                       35.04    2.92   13.43  77.72

(b) Cycles of PCs that the unit misses, in % (figure 2.10; dissertation: below 0.025 %):
stream                          samples  sub-sample  window  phases    late
---------------------------------------------------------------------------
tests/data/cases/stores.stream     1263      0.0000  0.0000  0.0000  0.0000
tests/data/cases/coin.stream        257      0.0000  0.0000  0.0000  1.9455
---------------------------------------------------------------------------
mean                                         0.0000  0.0000  0.0000  0.9728
largest                                      0.0000  0.0000  0.0000  1.9455

(c) Error by instruction compared with exact stacks, in %: of TEA's samples, of as many drawn at random, of units:
stream                           tea  chance  sub-sample  window  phases   late  zero time
------------------------------------------------------------------------------------------
tests/data/cases/stores.stream  0.59    0.65        7.86    3.51    4.93   8.08       3.11
tests/data/cases/coin.stream    6.08    4.47       14.89   16.84   14.89  32.77      16.84
------------------------------------------------------------------------------------------
mean                            3.34    2.56       11.38   10.17    9.91  20.43       9.97

Error by instruction compared with TEA's samples of the same cycles, in %:
stream                          samples  sub-sample  window  phases   late  zero time
-------------------------------------------------------------------------------------
tests/data/cases/stores.stream     1263        7.35    3.00    4.42   7.56       2.60
tests/data/cases/coin.stream        257       14.40   16.34   14.40  29.02      16.34
-------------------------------------------------------------------------------------
mean                                          10.87    9.67    9.41  18.29       9.47
largest                                       14.40   16.34   14.40  29.02      16.34

(d) Cycles without an event, in % (dissertation: above 75), events lost to older ones of their cycle,
(e) output (dissertation: 15 KB/s, a sample in 400,000 cycles), and input sets dropped, in %:
stream                          no event %  events lost       B/s  sub-sample  window  phases   late
----------------------------------------------------------------------------------------------------
tests/data/cases/stores.stream       97.43            0  19025457       54.43   12.81   35.29  54.75
tests/data/cases/coin.stream         93.32            0  19010633       71.14   65.01   55.23  70.61

The highest rows of each stream, in setting sub-sample (table 2.2):
stream                               PC  event combination   cycles  place
----------------------------------------------------------------------------------
tests/data/cases/stores.stream  0x11028  DR-SQ              1241070  stores+0x1028
                                0x1102e  Base                 33297  stores+0x102e
tests/data/cases/coin.stream    0x11048  FL-MB               147314  coin+0x1048
                                0x1104a  Base                 35315  coin+0x104a
                                0x1104e  FL-MB                27243  coin+0x104e

An IPU of this kind takes 0.019 mm2 and, with the dissertation's program, 15.0 mW in 7 nm; the core complex that it
is compared with takes 31 mm2 and 4 W. An IPU with soft logic (IPU_pro) takes 0.22 mm2 and 20.8 mW (dissertation,
sections 2.4 and 2.5: quoted, not computed here; sahm ipu study cost has all its figures).
$ sahm core study ipu-pics --period 5000 --core rocket --csv tests/data/cases/chase.stream
stream,core,config_hash,sampled_epochs,instructions,cycles,event_cycles,period_cycles,setting,hit_mhz,ipu_mhz,samples,dropped_pct,drop_error_pct,row_error_pct,missing_pct,error_pct,from_tea_pct,tea_error_pct,chance_pct,bytes_per_s
tests/data/cases/chase.stream,rocket,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"",196620,7688188,32780,5000,sub-sample,3200,2000,1537,13.250832663374297,0,0,0,1.610730778304195,0.715679895901106,2.3264106742053015,0.8015638261863868,3838407.697626541
tests/data/cases/chase.stream,rocket,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"",196620,7688188,32780,5000,window,3200,2000,1537,0.0028712530148156654,0,0,0,1.610730778304195,0.715679895901106,2.3264106742053015,0.8015638261863868,3838407.697626541
tests/data/cases/chase.stream,rocket,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"",196620,7688188,32780,5000,phases,2000,2000,1537,7.766739405076375,0,0,0,1.610730778304195,0.715679895901106,2.3264106742053015,0.8015638261863868,2399004.811016588
tests/data/cases/chase.stream,rocket,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"",196620,7688188,32780,5000,late,3200,2000,1537,13.259446422418744,4.435711347476054,3.698042205400299,0,1.4155453521493513,0.9108653220559532,2.3264106742053015,0.8015638261863868,3838407.697626541
tests/data/cases/chase.stream,rocket,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"",196620,7688188,32780,5000,zero time,100,1000000,1537,0,0,0,0,1.610730778304195,0.715679895901106,2.3264106742053015,0.8015638261863868,119950.2405508294
$ sahm core study ipu-pics --period 5000 --json tests/data/cases/chase.stream | head -n 24
{
  "schema": "sahm-ipu-pics-study/1",
  "core": "tea",
  "config_hash": "8ca21837b07b0ffd171f7309c9065996ed27bed492555970c0efaf8c7bc5b8e2",
  "period_cycles": 5000,
  "runs": [
    {
      "stream": "tests/data/cases/chase.stream",
      "instructions": 196620,
      "cycles": 7720951,
      "event_cycles": 32773,
      "events_lost": 0,
      "tea_error_pct": 0.17817895044220286,
      "chance_pct": 0.8437616167290234,
      "settings": [
        {"setting": "sub-sample", "samples": 1544, "dropped_pct": 10.486137822883688, "drop_error_pct": 0.0, "row_error_pct": 0.0, "missing_pct": 0.0, "error_pct": 1.0022594933996825, "from_tea_pct": 0.8419689119170984, "bytes_per_s": 3839527.0219950886},
        {"setting": "window", "samples": 1544, "dropped_pct": 0.0029588425008136815, "drop_error_pct": 0.0, "row_error_pct": 0.0, "missing_pct": 0.0, "error_pct": 1.0022594933996825, "from_tea_pct": 0.8419689119170984, "bytes_per_s": 3839527.0219950886},
        {"setting": "phases", "samples": 1544, "dropped_pct": 6.033079859159097, "drop_error_pct": 0.0, "row_error_pct": 0.0, "missing_pct": 0.0, "error_pct": 1.0022594933996825, "from_tea_pct": 0.8419689119170984, "bytes_per_s": 2399704.3887469303},
        {"setting": "late", "samples": 1544, "dropped_pct": 10.495014350386128, "drop_error_pct": 9.5633091946456, "row_error_pct": 7.970614348513393, "missing_pct": 0.0, "error_pct": 1.167595813620227, "from_tea_pct": 1.0362694300518136, "bytes_per_s": 3839527.0219950886},
        {"setting": "zero time", "samples": 1544, "dropped_pct": 0.0, "drop_error_pct": 0.0, "row_error_pct": 0.0, "missing_pct": 0.0, "error_pct": 1.0022594933996825, "from_tea_pct": 0.8419689119170984, "bytes_per_s": 119985.21943734652}
      ],
      "rows": [
        {"pc": "0x1102a", "events": "ST-LLC", "cycles": 7330000, "place": "chase+0x102a"},
        {"pc": "0x1102a", "events": "ST-TLB+ST-LLC", "cycles": 265000, "place": "chase+0x102a"},
## Streams that run at once give the same.
$ cd "$T"; s="$OLDPWD"/tests/data/cases; for j in 1 2; do sahm core study ipu-pics --period 2003 -j $j --csv "$s"/coin.stream "$s"/stores.stream "$s"/chase.stream 2>/dev/null | md5sum; done | uniq | wc -l
1
## Figures, whether gnuplot is there or not.
$ cd "$T"; sahm core study ipu-pics --period 5000 --plot figures "$OLDPWD"/tests/data/cases/chase.stream >/dev/null 2>&1; ls figures/*.csv; head -3 figures/study_ipu_pics_stacks.csv
figures/study_ipu_pics_drops.csv
figures/study_ipu_pics_stacks.csv
stack,base_cycles_pct,st_llc_cycles_pct,st_tlb_st_llc_cycles_pct
chase 0x1102a,0,94.94818878173828,3.4326424598693848
chase 0x11028,0.4533678889274597,0,0
## Mistakes.
$ sahm core study ipu-pics tests/data/cases/coin.stream --periods 50
sahm: error: --periods is of the study tea; ipu-pics takes --period
[2]
$ sahm core study tea tests/data/cases/coin.stream --period 50
sahm: error: --period is of the studies ipu-pics and ab; tea takes --periods
[2]
$ sahm core study ipu-pics tests/data/cases/coin.stream --period 0
sahm: error: --period is a whole number from 1 to 4294967295, not '0'
[2]
$ sahm core study ipu-pics tests/data/cases/coin.stream --in-order rocket
sahm: error: --in-order is of the studies of two cores, not of ipu-pics, which takes --core
[2]
$ sahm core study ipu-pix tests/data/cases/coin.stream
sahm: error: unknown study 'ipu-pix', must be bottlenecks, frontend, tea, ipu-pics, ab, value-prediction, fidelity or edge; did you mean 'ipu-pics'?
[2]
