## Policies side by side.
$ sahm help compare
usage: sahm compare [OPTION]... [CONFIG... | TRACE... | COMPARISON]

Runs each policy on each system and ranks them. The table shows by how much each
policy trails the best one, with a 95 % interval of the mean difference.
Differences are paired: all policies run the same samples, with the same offsets
of threads.

A system is a configuration, or all TRACEs together; TRACEs are named as for
`sahm run`. Without --policy, all built-in policies are compared.

A COMPARISON is a file that lists policies, suites and migration costs (`sahm
help comparisons`). Its report has the mean speedup of each policy for each
suite and cost, the loss from the lowest to the highest cost, migrations per
second, each policy over all suites, and how often one policy beats the others.
With --claims, the exit code says whether the file's claims hold. Without
operands, the shipped comparison of all built-in policies runs.

The report marks synthetic traces and traces with an assumed time base.

options:
  -p, --policy LIST           the policies, separated by commas: built-in ones
                              (sahm policy list), files of plug-ins; can be
                              repeated
      --chip LIST             the chip, as for `sahm run`: 2*baseline,l2:30
  -s, --set KEY.PATH=VALUE    change all configurations; can be repeated
  -m, --metric NAME           compare this metric of a whole run
                              (speedup_system)
      --maximize              higher values are better
      --minimize              lower values are better; by default, whatever is
                              usual for the metric
      --samples N             samples of systems that do not set their own
                              number (20)
  -j, --jobs N                number of processes (one per processor); a
                              COMPARISON runs in one, and does not take this
      --claims                of a COMPARISON: fail if a required claim does not
                              hold
      --stall-timeout SECONDS
                              end the run if the policy makes no progress in
                              simulated time for this long (60)
      --json                  print one JSON object
      --csv                   print CSV: a row per policy and system; of a
                              COMPARISON per run, per policy and suite, and per
                              claim
  -o, --output FILE           write the result to FILE instead of standard
                              output
      --force                 replace an output file that exists already
  -q, --quiet                 no progress
  -n, --dry-run               of a COMPARISON: read all inputs and list the
                              runs, but do not run them
  -h, --help                  print this

see also: sahm help ipu compare
$ sahm help studies | head -n 24
A comparison is a libconfig file that lists what `sahm compare` runs:

  costs_ms
      migration costs, rising; everything is run with each of them; required.
      Range: 0 to 1000000 ms.
  subject
      the policy that is compared with all others, by its name below; without it
      none is.
  reference
      the policy whose speedup at the lowest cost is 100 %, by its name below;
      without it none is.
  policies
      the policies, a row of the table each; required.
  policies[]
      one of them.
  policies[].policy
      a policy that came with sahm, by its name, or the file of a plug-in,
      relative to the comparison; required.
  policies[].name
      name in the report, different from all others; without it the policy's
      name.
  policies[].oracle
      as scheduler.oracle of a configuration. Default: false.
  policies[].inertia
$ sahm compare --dry-run | sed -n '1p;$p'
synthetic: static, 0 ms
2023 runs
## The study in docs/comparing.md.
$ awk '/^costs_ms/ { inside = 1 } inside && /^```/ { exit } inside' docs/comparing.md >"$T/mine.cfg"; SAHM_DATA=. sahm compare "$T/mine.cfg"
comparison mine.cfg
policies   3, on 2 suites, with 4 costs of a migration: 24 runs

mean speedup, %           0 ms   1 ms   5 ms   9 ms  loss    share  migrations/s  at 9 ms
-----------------------------------------------------------------------------------------
real, assumed time base
  static                 13.64  13.64  13.64  13.64  0.00   60.5 %          0.00     0.00
  sahm                   22.44  22.44  21.96  21.79  0.65   99.5 %         38.67    34.73
  sahm-free              22.55  22.55  22.10  21.83  0.72  100.0 %         34.93    36.20
-----------------------------------------------------------------------------------------
generated, synthetic
  static                  7.54   7.54   7.54   7.54  0.00   39.7 %          0.00     0.00
  sahm                   18.94  18.68  18.26  17.61  1.32   99.6 %         45.43    53.97
  sahm-free              19.02  18.84  17.88  16.89  2.13  100.0 %         50.13    83.03

speedup: arithmetic mean of the threads'; loss: points, from 0 to 9 ms a migration; share: of sahm-free at 0 ms; migrations/s: at 0 ms and at 9 ms
suites of synthetic traces, which are not measurements: 1 of 2
suites of traces with an assumed time base: 1 of 2

over all suites and costs  mean speedup  fairness, Jain  migrations/s      points below the best, at most
---------------------------------------------------------------------------------------------------------
static                          10.59 %          0.9901          0.00  11.476, 0 ms, generated, synthetic
sahm                            20.27 %          0.9957         43.08   0.159, 1 ms, generated, synthetic
sahm-free                       20.21 %          0.9956         49.65   0.725, 9 ms, generated, synthetic

sahm against the others, over costs:
won:lost against  costs and suites                        smallest margin
-------------------------------------------------------------------------
static                         8:0  +8.155, 9 ms, real, assumed time base
sahm-free                      2:6     -0.159, 1 ms, generated, synthetic

holds           required  sahm above static at every cost on real, assumed time base: smallest margin +8.155 points, at 9 ms
holds           required  sahm above static at every cost on generated, synthetic: smallest margin +10.071 points, at 9 ms
holds           wanted    sahm loses at most 2.5 points from 0 to 9 ms on real, assumed time base: 0.646 points
$ SAHM_DATA=. sahm compare "$T/mine.cfg" --csv | sed -n '1,3p;6,7p;$p'
scope,suite,synthetic,nominal_time,policy,other,cost_ms,speedup,migrations_per_s,served_share,matched_share,loss,share,won,lost,even,margin,claim,required,holds,value,below_best,jain,source,published
run,real,false,true,static,,0,0.13639743590726494,0,0.45465811965811964,0.4556837606837607,,,,,,,,,,,0.0891111118188034,0.9875615083090459,,
run,real,false,true,static,,1,0.13639743590726494,0,0.45465811965811964,0.4556837606837607,,,,,,,,,,,0.08907028345512821,0.9875615083090459,,
policy,real,false,true,static,sahm-free,,,,,,0,0.6048437510801178,,,,,,,,,,,,
against,real,false,true,sahm,static,,,,,,,,4,0,0,0.08154750648547002,,,,,,,,
claim,real,false,true,sahm,,,,,,,,,,,,,"sahm loses at most 2.5 points from 0 to 9 ms on real, assumed time base",false,true,0.006455675387606885,,,,
$ SAHM_DATA=. sahm compare "$T/mine.cfg" --json -o "$T/mine.json" && head -n 15 "$T/mine.json"
{
  "schema": "sahm-compare/1",
  "subject": "sahm",
  "reference": "sahm-free",
  "suites": [
    {
      "suite": "real",
      "synthetic": false,
      "nominal_time": true,
      "policies": [
        {
          "policy": "static",
          "loss": 0.0,
          "share": 0.6048437510801178,
          "runs": [
## A claim that does not hold is a failure when it is required, and asked for.
$ s() { printf '%s\n' 'costs_ms = [0, 9];' 'suites = ( { name = "one"; config = "configs/canonical.cfg"; set = [ "workload.duration_ms=500" ]; } );' 'policies = ( { policy = "static"; }, { policy = "sahm"; } ); subject = "static"; reference = "sahm";' "$@" >"$T/s.cfg"; SAHM_DATA=. sahm compare --claims "$T/s.cfg"; }; s 'claims = ( { above = "sahm"; }, { max_loss_points = 0; } );'; SAHM_DATA=. sahm compare "$T/s.cfg" >/dev/null; echo $?
comparison s.cfg
policies   2, on 1 suite, with 2 costs of a migration: 4 runs

mean speedup, %          0 ms   9 ms  loss    share  migrations/s  at 9 ms
--------------------------------------------------------------------------
one, assumed time base
  static                 0.00   0.00  0.00    0.0 %          0.00     0.00
  sahm                  29.30  26.66  2.64  100.0 %          2.25     2.25

speedup: arithmetic mean of the threads'; loss: points, from 0 to 9 ms a migration; share: of sahm at 0 ms; migrations/s: at 0 ms and at 9 ms
suites of traces with an assumed time base: 1 of 1

over all suites and costs  mean speedup  fairness, Jain  migrations/s        points below the best, at most
-----------------------------------------------------------------------------------------------------------
static                           0.00 %          1.0000          0.00  29.302, 0 ms, one, assumed time base
sahm                            27.98 %          1.0000          2.25                       best everywhere

static against the others, over costs:
won:lost against  costs and suites                        smallest margin
-------------------------------------------------------------------------
sahm                           0:2  -29.302, 0 ms, one, assumed time base

DOES NOT HOLD   required  static above sahm at every cost on one, assumed time base: smallest margin -29.302 points, at 0 ms
holds           required  static loses at most 0 points from 0 to 9 ms on one, assumed time base: 0.000 points
sahm: error: 1 required claim does not hold
0
$ s() { printf '%s\n' 'costs_ms = [0, 9];' 'suites = ( { name = "one"; config = "configs/canonical.cfg"; set = [ "workload.duration_ms=500" ]; } );' 'policies = ( { policy = "static"; }, { policy = "sahm"; } ); subject = "static"; reference = "sahm";' "$@" >"$T/s.cfg"; SAHM_DATA=. sahm compare "$T/s.cfg"; }; s 'claims = ( { above = "sahm"; required = false; } );' | tail -n 1; s 'clams = ();'; s 'claims = ( { above = "static"; suite = "two"; } );'; s 'claims = ( { above = "shm"; } );'; s 'polices = ();'
DOES NOT HOLD   wanted    static above sahm at every cost on one, assumed time base: smallest margin -29.302 points, at 0 ms
sahm: error: @T@/s.cfg:4: unknown key 'clams'; did you mean 'claims'?
sahm: error: @T@/s.cfg:4: no suite of the comparison is called 'two'
sahm: error: @T@/s.cfg:4: no policy of the comparison is called 'shm'; did you mean 'sahm'?
sahm: error: @T@/s.cfg:4: unknown key 'polices'; did you mean 'policies'?
[1]
$ printf '%s\n' 'costs_ms = 1; policies = ( { policy = "static"; }, { policy = "samh"; } );' 'suites = ( { name = "one"; config = "configs/canonical.cfg"; } );' >"$T/s.cfg"; SAHM_DATA=. sahm compare "$T/s.cfg"
sahm: error: @T@/s.cfg:1: unknown policy 'samh' (sahm, sahm-strict, sahm-listing, static, random, rotate, affinity, fair, assign, keen, pie, bias, equal-time, equal-progress, thread-director, eas); did you mean 'sahm'?
[1]
$ sed 's/samh/static/; s/"static"; }, /"fairr"; }, /' "$T/s.cfg" >"$T/f.cfg"; echo 'claims = ( { above = "fair"; } );' >>"$T/f.cfg"; SAHM_DATA=. sahm compare "$T/f.cfg"
sahm: error: @T@/f.cfg:1: unknown policy 'fairr' (sahm, sahm-strict, sahm-listing, static, random, rotate, affinity, fair, assign, keen, pie, bias, equal-time, equal-progress, thread-director, eas); did you mean 'fair'?
[1]
## Without runs the same is refused.
$ s() { printf '%s\n' 'costs_ms = [0, 9];' 'suites = ( { name = "one"; config = "configs/shared-16.cfg"; }, { name = "two"; config = "configs/canonical.cfg"; set = [ "'"$1"'" ]; } );' 'policies = ( { policy = "static"; }, { policy = "sahm"; } ); subject = "sahm"; reference = "static";' "$2" >"$T/n.cfg"; SAHM_DATA=. sahm compare ${3:-} "$T/n.cfg"; }; for n in -n ''; do s workload.duration_m=500 '' $n; s workload.duration_ms=500 'claims = ( { above = "sahm"; } );' $n; done
sahm: error: @T@/n.cfg:3: policy 'static', suite 'two': --set workload.duration_m=500: unknown key 'workload.duration_m'; did you mean 'workload.duration_ms'?
sahm: error: @T@/n.cfg:4: no policy is above itself: 'sahm'
sahm: error: @T@/n.cfg:3: policy 'static', suite 'two': --set workload.duration_m=500: unknown key 'workload.duration_m'; did you mean 'workload.duration_ms'?
sahm: error: @T@/n.cfg:4: no policy is above itself: 'sahm'
[1]
$ s() { printf '%s\n' 'costs_ms = [0, 9];' 'suites = ( { name = "one"; config = "configs/shared-16.cfg"; }, { name = "two"; config = "configs/canonical.cfg"; set = [ "'"$1"'" ]; } );' 'policies = ( { policy = "static"; }, { policy = "sahm"; } ); subject = "sahm"; reference = "static";' "$2" >"$T/n.cfg"; SAHM_DATA=. sahm compare ${3:-} "$T/n.cfg"; }; s workload.duration_ms=500 '' -n
one: static, 0 ms
one: static, 9 ms
one: sahm, 0 ms
one: sahm, 9 ms
two: static, 0 ms
two: static, 9 ms
two: sahm, 0 ms
two: sahm, 9 ms
8 runs
## Where there are no shares, and where the costs are none: why.
$ SAHM_DATA=. sahm compare "$T/n.cfg"
comparison n.cfg
policies   2, on 2 suites, with 2 costs of a migration: 8 runs

mean speedup, %          0 ms   9 ms  loss    share  migrations/s  at 9 ms
--------------------------------------------------------------------------
one, assumed time base
  static                 6.27   6.27  0.00  100.0 %          0.00     0.00
  sahm                  20.15  20.15  0.00  321.4 %          9.40     9.40
--------------------------------------------------------------------------
two, assumed time base
  static                 0.00   0.00  0.00        -          0.00     0.00
  sahm                  29.30  26.66  2.64        -          2.25     2.25

speedup: arithmetic mean of the threads'; loss: points, from 0 to 9 ms a migration; share: of static at 0 ms; migrations/s: at 0 ms and at 9 ms
suites of traces with an assumed time base: 2 of 2
one, assumed time base: the costs change nothing, since all migrations there are within migration.levels, which have separate costs
two, assumed time base: no shares, since static gains nothing there at 0 ms

over all suites and costs  mean speedup  fairness, Jain  migrations/s        points below the best, at most
-----------------------------------------------------------------------------------------------------------
static                           3.14 %          0.9816          0.00  29.302, 0 ms, two, assumed time base
sahm                            24.07 %          0.9973          5.83                       best everywhere

sahm against the others, over costs:
won:lost against  costs and suites                        smallest margin
-------------------------------------------------------------------------
static                         4:0  +13.883, 0 ms, one, assumed time base
$ sahm compare a b; sahm compare --dry-run --csv; sahm compare --json --csv; sahm compare no/such.cfg
sahm: error: 'a' is neither a file nor the name of a shipped configuration, suite or trace (`sahm trace list` shows suites and traces)
sahm: error: --dry-run has but one form
sahm: error: --json and --csv exclude each other
sahm: error: cannot open 'no/such.cfg': No such file or directory
[1]
## The file's errors come before those of options; a comparison runs without other operands.
$ cd "$T"; echo 'costs_ms = [0, 1.5];' >e.cfg; echo 'costs_ms = [0];' >m.cfg; for f in e.cfg m.cfg no.cfg; do sahm compare --claims $f; done; sahm compare m.cfg m.cfg; sahm compare -j2 m.cfg
sahm: error: e.cfg:1: an array in [] holds one type: write all as floats (10.0), or a list in ()
sahm: error: m.cfg: missing key 'policies': the policies, a row of the table each; required
sahm: error: cannot open 'no.cfg': No such file or directory
sahm: error: 'm.cfg' is a comparison, which runs without other operands
sahm: error: 'm.cfg' is a comparison, which lists its policies and systems: of the options, it takes --claims, --dry-run, --stall-timeout and those of output
[2]
$ s() { printf '%s\n' 'costs_ms = 0; suites = ( { name = "one"; config = "configs/canonical.cfg"; } );' 'policies = ( { policy = "static"; }, { policy = "sahm"; } );' "$1" >"$T/s.cfg"; SAHM_DATA=. sahm compare "$T/s.cfg"; }; s 'claims = ( { policy = "sahm"; above = "static"; metric = "latency_p99_ns"; } );'; s 'claims = ( { policy = "sahm"; above = "static"; source = "me"; required = true; } );'
sahm: error: @T@/s.cfg:3: policy 'sahm', suite 'one': the run has no value of 'latency_p99_ns' (wake-up latency, p99)
sahm: error: @T@/s.cfg:3: a claim with a 'source' is about other systems, and never required
[1]
$ sahm compare --quiet=1
sahm: error: option '--quiet' takes no value
[2]
## Speedups of threads that share cores are explained.
$ sahm run gzip xz --chip baseline -s workload.duration_ms=500 --print-config >"$T/one.cfg"; printf '%s\n' 'costs_ms = [0]; policies = ( { policy = "fair"; } );' "suites = ( { name = \"one\"; config = \"$T/one.cfg\"; } );" >"$T/s.cfg"; sahm compare "$T/s.cfg" | tail -n 4

speedup: arithmetic mean of the threads'; migrations/s: at 0 ms
suites of traces with an assumed time base: 1 of 1
one, assumed time base: there are more threads than cores: a speedup compares a thread's share of a core with a whole one, and STP (stp) says what the chip as a whole does
