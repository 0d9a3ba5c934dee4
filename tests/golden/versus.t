## Policies on systems of one's own.
$ sahm compare -p static,sahm,keen configs/canonical.cfg open-39 --samples 5
system     1: canonical.cfg; 8 threads, 5 cores, 5 samples, assumed time base
           2: open-39.cfg; 39 threads, 39 cores, 5 samples, assumed time base
metric     speedup of the system, more is better

rank  policy   speedup      on 1      on 2  vs keen  low (95 %)  high (95 %)   ANTT  fairness  migrations/s
-----------------------------------------------------------------------------------------------------------
   1  keen    +27.09 %  +29.72 %  +24.46 %        -           -            -  0.789     0.998          8.57
   2  sahm    +26.71 %  +29.69 %  +23.72 %    -0.39       -0.53        -0.26  0.792     0.998         10.49
   3  static   +4.77 %   +0.00 %   +9.53 %   -22.33      -22.40       -22.25  0.961     0.995          0.00

vs keen: mean difference over 10 samples with the same offsets under each policy, and the 95 % interval of drawn ones: all but the first
$ cd "$T"; sahm compare -p sahm,fair gzip xz --chip baseline,l2:30 -s workload.duration_ms=5000 --metric antt; sahm compare -p static,fair gzip -s workload.mode=alone | tail -n 5
system     gzip, xz on canonical.cfg; 2 threads, 2 cores, 20 samples, assumed time base
metric     turnaround, ANTT, less is better

rank  policy   antt  vs sahm  low (95 %)  high (95 %)   ANTT  fairness  migrations/s
------------------------------------------------------------------------------------
   1  sahm    0.913        -           -            -  0.913     0.990          0.10
   2  fair    0.913   +0.000      +0.000       +0.000  0.913     0.990          0.00

vs sahm: mean difference over 20 samples with the same offsets under each policy, and the 95 % interval of drawn ones: all but the first
no difference from the best is shown for: fair
   1  static  +0.00 %          -           -            -  1.000     1.000          0.00
   2  fair    +0.00 %      +0.00       +0.00        +0.00  1.000     1.000          0.00

vs static: mean difference over 20 samples with the same offsets under each policy, and the 95 % interval of drawn ones: all but the first
no difference from the best is shown for: fair
$ sahm compare -p static,sahm open-39 small --samples 3 --csv -j 1; sahm compare -p static,sahm open-39 small --samples 3 --json -j 1 >"$T/1"; sahm compare -p static,sahm open-39 small --samples 3 --json -j 3 | cmp - "$T/1"; head -n 14 "$T/1"
rank,policy,system,threads,cores,samples,synthetic,nominal_time,speedup_system,behind,low,high,antt,jain,migrations_per_s
1,sahm,open-39.cfg,39,39,3,false,true,0.23723232038105413,0,0,0,0.8129742472278298,0.9949302682633151,20.355555555555554
1,sahm,small on canonical.cfg,8,5,3,false,true,0.21754228673791348,0,0,0,1.4240583336357207,0.9041297845903529,2.0865139949109417
2,static,open-39.cfg,39,39,3,false,true,0.09544523295270656,-0.13245482079559873,-0.2163613774835928,-0.045126159090254025,0.9218252115861099,0.9897391483691387,0
2,static,small on canonical.cfg,8,5,3,false,true,0.09441973257506361,-0.13245482079559873,-0.2163613774835928,-0.045126159090254025,1.6169113817766148,0.8883124208590196,0
{
  "schema": "sahm-compare-policies/1",
  "metric": "speedup_system",
  "more_is_better": true,
  "pairs": 6,
  "systems": [
    {
      "system": "open-39.cfg",
      "threads": 39,
      "cores": 39,
      "samples": 3,
      "synthetic": false,
      "nominal_time": true
    },
$ sahm compare -s workload.duration_ms=2000 small --samples 2 | grep -c '^ *[0-9]* *[a-z]'
21
## One pair says nothing of how far it can be trusted.
$ sahm compare -p static,sahm gzip --samples 1 | tail -n 4
---------------------------------------------------------------------------------------
   1  sahm    +29.10 %        -           -            -  0.775     1.000          0.75
   2  static   +0.00 %   -29.10           -            -  1.000     1.000          0.00

## What cannot be compared.
$ for p in sahm,smah sahm,sahm ,sahm mine.c nowhere/mine.so; do sahm compare -p $p gzip; done 2>&1 | sed "s/-I.* -o/-IFOLDER -o/"
sahm: error: smah on gzip on canonical.cfg: --set scheduler.policy="smah": unknown value 'smah' of 'scheduler.policy' (sahm, sahm-strict, sahm-listing, static, random, rotate, affinity, fair, assign, keen, pie, bias, equal-time, equal-progress, thread-director, eas); did you mean 'sahm'?
sahm: error: --policy names 'sahm' twice
sahm: error: an empty name in --policy ',sahm'
sahm: error: --set scheduler.policy="mine.c": 'mine.c' is source code, and a policy is a plug-in: `cc -std=gnu17 -shared -fPIC -fvisibility=hidden -O2 -IFOLDER -o mine.so mine.c` builds mine.so
sahm: error: --set scheduler.policy="nowhere/mine.so": cannot open policy 'nowhere/mine.so': No such file or directory
$ sahm compare -p sahm; sahm compare -p sahm configs/studies/open.cfg; sahm compare --claims gzip; sahm compare gzip --dry-run; sahm compare -p sahm nothing; sahm compare -p sahm gzip -m paid_ns; sahm compare -p sahm gzip -m wait_p99_ns
sahm: error: name what to compare, as in `sahm compare -p sahm,fair open-39`; without a CONFIG, TRACE or COMPARISON, the shipped comparison runs, which takes only --claims, --dry-run, --stall-timeout and options of output
sahm: error: 'configs/studies/open.cfg' is a comparison, which lists its policies and systems: of the options, it takes --claims, --dry-run, --stall-timeout and those of output
sahm: error: --claims goes with a comparison
sahm: error: --dry-run goes with a comparison
sahm: error: 'nothing' is neither a file nor the name of a shipped configuration, suite or trace (`sahm trace list` shows suites and traces)
system     gzip on canonical.cfg; 1 thread, 5 cores, 20 samples, assumed time base
metric     migration cost paid, less is better

rank  policy    paid_ns  vs sahm  low (95 %)  high (95 %)   ANTT  fairness  migrations/s
----------------------------------------------------------------------------------------
   1  sahm    193.00 ms        -           -            -  0.776     1.000          0.90

sahm: error: sahm on gzip on canonical.cfg: the run has no value of 'wait_p99_ns' (run-queue wait, p99): waits are measured only in continuous time: if threads sleep, or the policy dispatches
[1]
## No column is there twice.
$ for m in antt jain; do sahm compare -p sahm gzip --csv -m $m -s workload.duration_ms=500 | head -n 1; done
rank,policy,system,threads,cores,samples,synthetic,nominal_time,antt,behind,low,high,jain,migrations_per_s
rank,policy,system,threads,cores,samples,synthetic,nominal_time,jain,behind,low,high,antt,migrations_per_s
## Systems with different numbers of samples count the same: behind is the difference of the ranked means.
$ cd "$T"; sahm run open-39 --set workload.samples=12 --set workload.duration_ms=5000 --print-config >many.cfg; sahm compare -p fair,sahm many.cfg small --samples 2 -m jain --set workload.duration_ms=5000
system     1: many.cfg; 39 threads, 39 cores, 12 samples, assumed time base
           2: small on canonical.cfg; 8 threads, 5 cores, 2 samples, assumed time base
metric     fairness, Jain, more is better

rank  policy   jain   on 1   on 2  vs fair  low (95 %)  high (95 %)   ANTT  fairness  migrations/s
--------------------------------------------------------------------------------------------------
   1  fair    0.993  0.988  0.997        -           -            -  1.179     0.993          8.50
   2  sahm    0.955  0.994  0.916   -0.038           -            -  1.117     0.955         16.48

vs fair: mean difference over 14 samples with the same offsets under each policy, and the 95 % interval of drawn ones: all but the first
a system with fewer than 3 samples gives no interval: raise workload.samples, or --samples where a configuration does not set it
## -p adds up; a chip does not.
$ sahm compare -p sahm -p 'fair , static' gzip xz --chip '2*baseline,l2:30' --samples 3 --set workload.duration_ms=2000 --csv | cut -d, -f1-3; sahm compare -p sahm,fair gzip --chip baseline --chip l2; sahm run gzip --chip baseline --chip l2
rank,policy,system
1,sahm,"gzip
2,fair,"gzip
3,static,"gzip
sahm: error: one chip at a time: 'l2' is too many
sahm: error: one chip at a time: 'l2' is too many
[2]
## A second policy without its comma.
$ sahm compare -p sahm fair gzip
sahm: error: 'fair' is a policy: list all of them in one option, -p sahm,fair
[2]
