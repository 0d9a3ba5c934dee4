## A prefetcher that is tried in an IPU_pro beside a core. The program is made up (tests/data/streams/README.md).
$ sahm core study ab --period 1000 -s l1i.size_kib=4 tests/data/streams/sort.stream
A/B test of L1I prefetcher entangling, in the soft logic of an IPU_pro beside golden-cove, which does not have it.
Core at 1300 MHz, soft logic at 1300 MHz, sets in mode window=64; a table of 2048 entries; a packet in 1000 cycles.

(a) Misses in % of accesses to L1I, without the prefetcher and with it; coverage and accuracy in %; late ones in % of
the lines used; input sets dropped, in %:
stream                          accesses  misses  truth: misses  coverage  accuracy  IPU: misses  coverage  accuracy  late  dropped
-----------------------------------------------------------------------------------------------------------------------------------
tests/data/streams/sort.stream      4733  3.6341         3.6129      0.58     33.33       3.6129      0.58     33.33  0.00    0.000

(b) Errors relative to the truth, in %, if every miss is taken to hit L2, and with the latency of the core's own misses
(figure 2.8a; dissertation, miss rate, all hit L2: 1 % on average, up to 1.8 %):
stream                          all hit L2: miss rate  coverage  accuracy  latency: miss rate  coverage  accuracy
-----------------------------------------------------------------------------------------------------------------
tests/data/streams/sort.stream                  +0.00     +0.00     +0.00               +0.00     +0.00     +0.00
-----------------------------------------------------------------------------------------------------------------
mean                                             0.00      0.00      0.00                0.00      0.00      0.00
largest                                          0.00      0.00      0.00                0.00      0.00      0.00

(c) Which is better? Misses per 1,000 accesses of entangling and next-line, their difference with its interval of 95 %, and the
instructions after which it stays on one side of 0:
stream                          entangling  next-line  difference    from       to     better  certain after
------------------------------------------------------------------------------------------------------------
tests/data/streams/sort.stream      36.129     16.691     +19.438  +7.218  +44.973  next-line          18944

An IPU_pro takes 0.22 mm2 and, with the dissertation's soft logic, 20.8 mW in 7 nm; the core complex that it is
compared with takes 31 mm2 and 4 W (dissertation, sections 2.4 and 2.5: quoted, not computed here).
$ sahm core study ab --period 1000 -s l1i.size_kib=4 --prefetcher next-line --against none --csv tests/data/streams/sort.stream
stream,core,config_hash,sampled_epochs,instructions,cycles,prefetcher,against,entries,hit_mhz,soft_mhz,mode,period_cycles,counts,lines,base_misses,misses,prefetches,used,miss_rate_pct,coverage_pct,accuracy_pct,dropped_pct,miss_rate_error_pct,coverage_error_pct,accuracy_error_pct,difference_per_1000,low_per_1000,high_per_1000,certain_after_instructions
tests/data/streams/sort.stream,golden-cove,dd9863a03f7343ac78c00d2cb6f8fe3dda66819759f69a939cdf97a41ba22473,"",36099,90287,next-line,none,2048,1300,1300,window=64,1000,all hit L2,4733,172,79,157,96,1.669131628987957,54.06976744186046,61.146496815286625,,0,0,0,,,,
tests/data/streams/sort.stream,golden-cove,dd9863a03f7343ac78c00d2cb6f8fe3dda66819759f69a939cdf97a41ba22473,"",36099,90287,next-line,none,2048,1300,1300,window=64,1000,latency,4733,172,79,157,96,1.669131628987957,54.06976744186046,61.146496815286625,0,0,0,0,-19.649271075427848,-44.97300733611066,-7.481953810039605,18944
tests/data/streams/sort.stream,golden-cove,dd9863a03f7343ac78c00d2cb6f8fe3dda66819759f69a939cdf97a41ba22473,"",36099,90287,next-line,none,2048,1300,1300,window=64,1000,against,4733,172,172,0,0,3.6340587365307417,0,,,,,,,,,
tests/data/streams/sort.stream,golden-cove,dd9863a03f7343ac78c00d2cb6f8fe3dda66819759f69a939cdf97a41ba22473,"",36099,90287,next-line,none,2048,1300,1300,window=64,1000,truth,4733,172,79,157,96,1.669131628987957,54.06976744186046,61.146496815286625,,,,,,,,
tests/data/streams/sort.stream,golden-cove,dd9863a03f7343ac78c00d2cb6f8fe3dda66819759f69a939cdf97a41ba22473,"",36099,90287,next-line,none,2048,1300,1300,window=64,1000,truth of against,4733,172,172,0,0,3.6340587365307417,0,,,,,,,,,
$ sahm core study ab --against none -s l1i.size_kib=4 --json tests/data/streams/sort.stream | tail -n 34
{
  "schema": "sahm-ab-study/1",
  "core": "golden-cove",
  "config_hash": "dd9863a03f7343ac78c00d2cb6f8fe3dda66819759f69a939cdf97a41ba22473",
  "prefetcher": "entangling",
  "against": "none",
  "entries": 2048,
  "hit_mhz": 1300,
  "soft_mhz": 1300,
  "mode": "window=64",
  "period_cycles": 1048576,
  "runs": [
    {
      "stream": "tests/data/streams/sort.stream",
      "instructions": 36099,
      "cycles": 90287,
      "packets": 1,
      "dropped_pct": 0.0,
      "results": [
        {"counts": "all hit L2", "lines": 4733, "base_misses": 172, "misses": 171, "prefetches": 3, "used": 1, "miss_rate_pct": 3.6129304880625397, "coverage_pct": 0.5813953488372093, "accuracy_pct": 33.333333333333336, "miss_rate_error_pct": 0.0, "coverage_error_pct": 0.0, "accuracy_error_pct": 0.0},
        {"counts": "latency", "lines": 4733, "base_misses": 172, "misses": 171, "prefetches": 3, "used": 1, "miss_rate_pct": 3.6129304880625397, "coverage_pct": 0.5813953488372093, "accuracy_pct": 33.333333333333336, "miss_rate_error_pct": 0.0, "coverage_error_pct": 0.0, "accuracy_error_pct": 0.0},
        {"counts": "against", "lines": 4733, "base_misses": 172, "misses": 172, "prefetches": 0, "used": 0, "miss_rate_pct": 3.6340587365307417, "coverage_pct": 0.0, "accuracy_pct": null},
        {"counts": "truth", "lines": 4733, "base_misses": 172, "misses": 171, "prefetches": 3, "used": 1, "miss_rate_pct": 3.6129304880625397, "coverage_pct": 0.5813953488372093, "accuracy_pct": 33.333333333333336},
        {"counts": "truth of against", "lines": 4733, "base_misses": 172, "misses": 172, "prefetches": 0, "used": 0, "miss_rate_pct": 3.6340587365307417, "coverage_pct": 0.0, "accuracy_pct": null}
      ],
      "verdict": {
        "better": "not certain"
      }
    }
  ]
}
## Figures, and the same whatever runs beside it.
$ cd "$T"; s="$OLDPWD"/tests/data/streams; for j in 1 2; do sahm core study ab -j $j --csv "$s"/sort.stream "$s"/rv64.stream | md5sum; done | uniq | wc -l
1
$ cd "$T"; sahm core study ab --plot figures "$OLDPWD"/tests/data/streams/sort.stream >/dev/null 2>&1; ls figures/*.csv; cat figures/*.csv
figures/study_ab_errors.csv
metric,least_error_pct,p25_error_pct,median_error_pct,p75_error_pct,most_error_pct,mean_error_pct,value1_error_pct
miss rate if all hit L2,,,,,,,0
coverage if all hit L2,,,,,,,
accuracy if all hit L2,,,,,,,
miss rate with latency,,,,,,,0
coverage with latency,,,,,,,
accuracy with latency,,,,,,,
## Mistakes.
$ sahm core study ab tests/data/streams/sort.stream --prefetcher berti
sahm: error: --prefetcher is 'berti', must be entangling, next-line, or the file of a module (with a '/' or a '.' in its name)
[2]
$ sahm core study ab tests/data/streams/sort.stream --against entangling
sahm: error: --against is 'entangling', which is the prefetcher that is tried
[2]
$ sahm core study ab tests/data/streams/sort.stream --against next
sahm: error: --against is 'next', must be entangling, next-line or none
[2]
$ sahm core study ab tests/data/streams/sort.stream --entries 100
sahm: error: --entries is '100', must be a multiple of 16
[2]
$ sahm core study ab tests/data/streams/sort.stream --prefetcher ./none.so
sahm: error: cannot open './none.so': No such file or directory
[1]
$ sahm core study ab tests/data/streams/sort.stream -s l1i.prefetcher=next-line
sahm: error: golden-cove has an L1I prefetcher: the test is beside a core without one
[2]
$ sahm core study ab tests/data/streams/sort.stream -s l1i.replacement=plru
sahm: error: L1I of golden-cove does not have LRU replacement, as the module has
[2]
$ sahm core study tea tests/data/streams/sort.stream --entries 160
sahm: error: --entries is of the study ab
[2]
$ sahm core study ab tests/data/streams/sort.stream --jitter 1
sahm: error: --jitter is of the study tea
[2]
$ sahm core study ab tests/data/streams/sort.stream -s l1i.ways=32
sahm: error: L1I of golden-cove is too large for the module: at most 16 ways and 1024 sets
[2]
