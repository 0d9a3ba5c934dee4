## IPUs that run the built-in classifier's program: the same but for what the report says of them.
$ sahm run configs/canonical.cfg --set introspection.image=classify --details
configuration  canonical.cfg (5270e69678cf993a)
chip           5 cores: baseline, Branch +30 %, L1I +30 %, L1D +30 %, L2 +30 %
workload       8 threads, each with the whole chip; 8 traces, 8 with an assumed time base
scheduler      sahm, inertia 5, timestep 10 ms, observes what IPUs tell; 1 ms per migration
introspection  classify, ABI core, IPUs at 2000 MHz beside cores at 3000 MHz, latency 1 us
simulated      49.70 s

thread                     speedup   served  matched  migrations  baseline time
-------------------------------------------------------------------------------
cc1                       +29.77 %  99.47 %  99.47 %           1         2.47 s
gzip                      +29.10 %  97.57 %  99.25 %           8        13.81 s
perl                      +29.88 %  99.71 %  99.71 %           1         4.55 s
python                    +29.92 %  99.82 %  99.82 %           1         7.15 s
sort                      +29.94 %  99.86 %  99.86 %           1         9.10 s
sqlite                    +29.86 %  99.68 %  99.68 %           1         4.03 s
xz                        +29.97 %  99.92 %  99.92 %           1        17.03 s
zstd                      +29.68 %  99.39 %  99.39 %           3         6.35 s
-------------------------------------------------------------------------------
mean (assumed time base)  +29.76 %  99.43 %  99.64 %         2.1

speedup of the system        +29.72 %
throughput, STP              1.297 with 1.00 threads present
turnaround, ANTT             0.771
speedup, arithmetic mean     +29.76 %
speedup, harmonic mean       +29.76 %
speedup, geometric mean      +29.76 %
fairness, Jain               1.000
slow-down, maximum           0.775
unfairness                   1.007
served                       99.30 % of executed timesteps
matched                      99.66 % of executed timesteps
running                      100.00 % of 4970 thread-timesteps
at state transitions         2.49 % of executed timesteps (124)
migrations per second        0.34 (17)
decisions per second         0.34 (17)
mismatched                   170.00 ms
migration cost paid          17.00 ms
... of executed time         0.03 %
introspection                4970 invocations of 79.0 instructions, 80.0 B/s a core, 97.34 % accurate

core  type          utilisation   served  matched
-------------------------------------------------
   0  baseline           0.56 %   0.00 %  64.29 %
   1  Branch +30 %      84.16 %  99.88 %  99.88 %
   2  L1I +30 %          0.00 %        -        -
   3  L1D +30 %          9.46 %  99.79 %  99.79 %
   4  L2 +30 %           5.81 %  99.65 %  99.65 %

state              executed    served   matched
-----------------------------------------------
Low                  0.40 %    0.00 %   90.00 %
Branch              21.05 %   99.81 %   99.81 %
L1I                  0.00 %         -         -
L1I+Branch          13.94 %  100.00 %  100.00 %
L1D                  0.97 %   95.83 %   95.83 %
L1D+Branch          19.50 %   99.79 %   99.79 %
L1D+L1I              0.00 %         -         -
L1D+L1I+Branch       0.91 %  100.00 %  100.00 %
L2                   4.91 %   99.18 %   99.18 %
L2+Branch           22.74 %   99.65 %   99.65 %
L2+L1I               0.00 %         -         -
L2+L1I+Branch        1.17 %   96.55 %   96.55 %
L2+L1D               0.00 %         -         -
L2+L1D+Branch       13.48 %  100.00 %  100.00 %
L2+L1D+L1I           0.00 %         -         -
L2+L1D+L1I+Branch    0.95 %   97.87 %   97.87 %

core  invocations  instructions  dropped  skipped  packets  bytes  lost    B/s  utilisation  rejected  accurate  fault
----------------------------------------------------------------------------------------------------------------------
   0           28          2212        0        0       28    112     0    2.3    0.022 ppm         0   64.29 %  -
   1         4183        330457        0        0     4183  16732     0  336.7    3.325 ppm         0   97.39 %  -
   2            0             0        0        0        0      0     0    0.0    0.000 ppm         0         -  -
   3          470         37130        0        0      470   1880     0   37.8    0.374 ppm         0   98.09 %  -
   4          289         22831        0        0      289   1156     0   23.3    0.230 ppm         0   98.62 %  -

assumed time base            8 of 8 traces
$ for c in configs/[!d]*.cfg; do for e in plain event; do sahm run --engine=$e "$c" --csv | cut -d, -f1-26 >"$T/without"; sahm run --engine=$e "$c" --csv --set introspection.image=classify | cut -d, -f1-26 | cmp "$T/without" - && echo "$c, $e"; done; done
configs/canonical.cfg, plain
configs/canonical.cfg, event
configs/open-39.cfg, plain
configs/open-39.cfg, event
configs/open-measured.cfg, plain
configs/open-measured.cfg, event
configs/open.cfg, plain
configs/open.cfg, event
configs/realistic-39.cfg, plain
configs/realistic-39.cfg, event
configs/requests-8.cfg, plain
configs/requests-8.cfg, event
configs/rtapp-video.cfg, plain
configs/rtapp-video.cfg, event
configs/shared-16.cfg, plain
configs/shared-16.cfg, event
cores that share or have levels run on the engine in continuous time, not on 'plain'
cores that share or have levels run on the engine in continuous time, not on 'plain'
configs/sm8150.cfg, plain
configs/sm8150.cfg, event
configs/synthetic-39.cfg, plain
configs/synthetic-39.cfg, event
configs/weights-4.cfg, plain
configs/weights-4.cfg, event
## Both engines print the same bytes, whatever the IPUs tell.
$ for i in classify classify-ewma predict; do for k in sampling=3 latency_us=25000 ipu_mhz=1; do for e in plain event; do sahm run --engine=$e configs/shared-16.cfg --json --set introspection.image=$i --set introspection.$k --set scheduler.timestep_ms=7.3 >"$T/$e" || echo "$e fails"; done; cmp "$T/plain" "$T/event" && echo "$i, $k"; done; done
classify, sampling=3
classify, latency_us=25000
classify, ipu_mhz=1
classify-ewma, sampling=3
classify-ewma, latency_us=25000
classify-ewma, ipu_mhz=1
predict, sampling=3
predict, latency_us=25000
predict, ipu_mhz=1
$ sahm run configs/canonical.cfg --set introspection.image=classify --set introspection.sampling=4 --set introspection.latency_us=0.5 --csv --details | head -n 3
scope,name,speedup,served_share,matched_share,migrations,executed_timesteps,transition_timesteps,completed_ns,simulated_ns,present_ns,paid_ns,mismatched_ns,arrived_ns,left_ns,share,decisions,speedup_harmonic,speedup_geometric,stp,antt,jain,jain_weighted,slowdown_max,unfairness,mean,low,high,tenant,invocations,instructions,dropped_sets,skipped_sets,ignored_sets,packets,bytes,bytes_per_s,utilisation_ppm,lost_packets,rejected_packets,accurate_share,faults
thread,cc1,0.29773684210526313,0.9947368421052631,0.9947368421052631,1,190,3,2465700000,1900000000,1900000000,1000000,10000000,0,,,,,,,,,,,,,,,,,,,,,,,,,,,,
thread,gzip,0.289682734953271,0.9700934579439252,0.9841121495327103,8,1070,20,13799605264,10700000000,10700000000,8000000,170000000,0,,,,,,,,,,,,,,,,,,,,,,,,,,,,
$ sahm run configs/canonical.cfg --set introspection.image=classify --csv --details | grep -E '^(core|system)'
core,0 baseline,,0,0.6428571428571429,,28,,,49700000000,,,100000000,,,0.005633802816901409,,,,,,,,,,,,,,28,2212,0,0,0,28,112,2.253521126760563,0.022253521126760562,0,0,0.6428571428571429,0
core,1 Branch,,0.9988046856323213,0.9988046856323213,,4183,,,49700000000,,,50000000,,,0.8416498993963782,,,,,,,,,,,,,,4183,330457,0,0,0,4183,16732,336.6599597585513,3.3245171026156943,0,0,0.9739421467846043,0
core,2 L1I,,,,,0,,,49700000000,,,0,,,0,,,,,,,,,,,,,,0,0,0,0,0,0,0,0,0,0,0,,0
core,3 L1D,,0.997872340425532,0.997872340425532,,470,,,49700000000,,,10000000,,,0.09456740442655935,,,,,,,,,,,,,,470,37130,0,0,0,470,1880,37.82696177062374,0.37354124748490947,0,0,0.9808510638297873,0
core,4 L2,,0.9965397923875432,0.9965397923875432,,289,,,49700000000,,,10000000,,,0.058148893360160964,,,,,,,,,,,,,,289,22831,0,0,0,289,1156,23.259557344064383,0.2296881287726358,0,0,0.986159169550173,0
system,all (assumed time base),0.29722407682092555,0.9929577464788732,0.996579476861167,17,4970,124,64472036618,49700000000,49700000000,17000000,170000000,,,,17,,,1.2972240768209256,0.7706301311131765,0.9999957867312484,0.9999957867312484,0.7745930769108419,1.0067167442412917,,,,,4970,392630,0,0,0,4970,19880,80,0.79,0,0,0.9734406438631791,0
$ sahm run configs/canonical.cfg --set introspection.image=classify --json | sed -n '/"introspection"/,$p'
  "introspection": {
    "program": "classify",
    "abi": "core",
    "hit_mhz": 3000,
    "ipu_mhz": 2000,
    "sampling": 1,
    "latency_ns": 1000,
    "invocations": 4970,
    "instructions": 392630,
    "dropped_sets": 0,
    "skipped_sets": 0,
    "ignored_sets": 0,
    "packets": 4970,
    "bytes": 19880,
    "bytes_per_s": 80.0,
    "utilisation_ppm": 0.79,
    "lost_packets": 0,
    "rejected_packets": 0,
    "accurate_share": 0.9734406438631791,
    "faults": 0,
    "cores": [
      {"core": 0, "invocations": 28, "instructions": 2212, "dropped_sets": 0, "skipped_sets": 0, "ignored_sets": 0, "packets": 28, "bytes": 112, "bytes_per_s": 2.253521126760563, "utilisation_ppm": 0.022253521126760562, "lost_packets": 0, "rejected_packets": 0, "accurate_share": 0.6428571428571429, "faults": 0, "fault": null},
      {"core": 1, "invocations": 4183, "instructions": 330457, "dropped_sets": 0, "skipped_sets": 0, "ignored_sets": 0, "packets": 4183, "bytes": 16732, "bytes_per_s": 336.6599597585513, "utilisation_ppm": 3.3245171026156943, "lost_packets": 0, "rejected_packets": 0, "accurate_share": 0.9739421467846043, "faults": 0, "fault": null},
      {"core": 2, "invocations": 0, "instructions": 0, "dropped_sets": 0, "skipped_sets": 0, "ignored_sets": 0, "packets": 0, "bytes": 0, "bytes_per_s": 0.0, "utilisation_ppm": 0.0, "lost_packets": 0, "rejected_packets": 0, "accurate_share": null, "faults": 0, "fault": null},
      {"core": 3, "invocations": 470, "instructions": 37130, "dropped_sets": 0, "skipped_sets": 0, "ignored_sets": 0, "packets": 470, "bytes": 1880, "bytes_per_s": 37.82696177062374, "utilisation_ppm": 0.37354124748490947, "lost_packets": 0, "rejected_packets": 0, "accurate_share": 0.9808510638297873, "faults": 0, "fault": null},
      {"core": 4, "invocations": 289, "instructions": 22831, "dropped_sets": 0, "skipped_sets": 0, "ignored_sets": 0, "packets": 289, "bytes": 1156, "bytes_per_s": 23.259557344064383, "utilisation_ppm": 0.2296881287726358, "lost_packets": 0, "rejected_packets": 0, "accurate_share": 0.986159169550173, "faults": 0, "fault": null}
    ]
  }
}
## A program that is stopped by the watchdog says so, and the run goes on.
$ sahm run configs/canonical.cfg --set introspection.image=classify --set introspection.max_cycles=60 | tail -n 3
sahm: warning: 1 of 5 IPUs ended in ERROR and reported nothing after that; that of core 0 by instruction budget exhausted at 0x00000320 in _main
... of executed time         0.00 %
introspection                8 invocations of 60.0 instructions, 0.0 B/s a core, 0.00 % accurate, 1 IPU in ERROR
assumed time base            8 of 8 traces
$ sahm run configs/canonical.cfg --set introspection.image=classify --set introspection.max_cycles=60 --json 2>&1 | tail -n 9
    "cores": [
      {"core": 0, "invocations": 8, "instructions": 480, "dropped_sets": 0, "skipped_sets": 0, "ignored_sets": 4962, "packets": 0, "bytes": 0, "bytes_per_s": 0.0, "utilisation_ppm": 0.00482897384305835, "lost_packets": 0, "rejected_packets": 0, "accurate_share": 0.0, "faults": 8, "fault": "instruction budget exhausted at 0x00000320 in _main"},
      {"core": 1, "invocations": 0, "instructions": 0, "dropped_sets": 0, "skipped_sets": 0, "ignored_sets": 0, "packets": 0, "bytes": 0, "bytes_per_s": 0.0, "utilisation_ppm": 0.0, "lost_packets": 0, "rejected_packets": 0, "accurate_share": null, "faults": 0, "fault": null},
      {"core": 2, "invocations": 0, "instructions": 0, "dropped_sets": 0, "skipped_sets": 0, "ignored_sets": 0, "packets": 0, "bytes": 0, "bytes_per_s": 0.0, "utilisation_ppm": 0.0, "lost_packets": 0, "rejected_packets": 0, "accurate_share": null, "faults": 0, "fault": null},
      {"core": 3, "invocations": 0, "instructions": 0, "dropped_sets": 0, "skipped_sets": 0, "ignored_sets": 0, "packets": 0, "bytes": 0, "bytes_per_s": 0.0, "utilisation_ppm": 0.0, "lost_packets": 0, "rejected_packets": 0, "accurate_share": null, "faults": 0, "fault": null},
      {"core": 4, "invocations": 0, "instructions": 0, "dropped_sets": 0, "skipped_sets": 0, "ignored_sets": 0, "packets": 0, "bytes": 0, "bytes_per_s": 0.0, "utilisation_ppm": 0.0, "lost_packets": 0, "rejected_packets": 0, "accurate_share": null, "faults": 0, "fault": null}
    ]
  }
}
$ sahm run configs/canonical.cfg --set introspection.image=classify --set workload.samples=2 | tail -n 4

introspection                9940 invocations of 79.0 instructions, 80.0 B/s a core, 97.32 % accurate

assumed time base            8 of 8 traces
$ sahm run configs/canonical.cfg --set introspection.image=classify --set 'introspection.values=["cut_l2=1","cut_l1d=0x10"]' --set scheduler.timestep_ms=5 --print-config | sed -n '/^introspection/,$p'
introspection :
{
	image = "@ROOT@/ipu/programs/prebuilt/classify.elf";
	abi = "@ROOT@/ipu/abi/core.cfg";
	hit_mhz = 3000;
	ipu_mhz = 2000;
	sampling = 1;
	latency_us = 1.0;
	max_cycles = 100000000;
	values = ["cut_l2=1", "cut_l1d=0x10"];
};
## What cannot be.
$ sahm run configs/canonical.cfg --set introspection.ipu_mhz=1000
sahm: error: --set introspection.ipu_mhz=1000: missing key 'introspection.image': its program, an ELF file, relative to the configuration file (in --set, to the current folder), then to the data folder, or the name of one that came with sahm, such as classify; required
[2]
$ sahm run configs/canonical.cfg --set introspection.image=clasify
sahm: error: --set introspection.image=clasify: cannot open introspection program 'clasify': No such file or directory (nor is it in '@ROOT@'); did you mean 'classify'?
[1]
$ sahm run configs/canonical.cfg --set introspection.image=classify --set introspection.abi=pics
sahm: error: --set introspection.abi=pics: @ROOT@/ipu/abi/pics.cfg: a core has no signal 'itlb', but the counters of a trace and 'thread'
[2]
$ sahm run configs/canonical.cfg --set introspection.image=classify --set 'introspection.values=["cut_brnch=1"]'
sahm: error: --set introspection.values=["cut_brnch=1"]: setting 'cut_brnch=1': @ROOT@/ipu/programs/prebuilt/classify.elf has no variable 'cut_brnch'; did you mean 'cut_branch'?
[2]
$ sahm run configs/canonical.cfg --set introspection.image=classify --set scheduler.oracle=true
sahm: error: --set introspection.image=classify: introspection together with scheduler.oracle: IPUs tell what was, not what comes
[2]
$ sahm run configs/canonical.cfg --set introspection.image=configs/canonical.cfg
sahm: error: --set introspection.image=configs/canonical.cfg: @ROOT@/configs/canonical.cfg: not an ELF file
[1]
$ sahm run configs/canonical.cfg --set introspection.image=classify --set introspection.sampling=0
sahm: error: --set introspection.sampling=0: 'introspection.sampling' is 0, must be from 1 to 1000000 timesteps
[2]
## Where nothing is executed nothing is accurate.
$ printf 'chip:{cores=({type="l2";speedup_pct=30;});};workload:{duration_ms=100;traces=({file="workloads/suites/small/gzip.csv";arrive_ms=200;});};' >"$T/later.cfg"
$ sahm run "$T/later.cfg" --set introspection.image=classify | tail -n 2
introspection                0 invocations, 0.0 B/s a core
assumed time base            1 of 1 traces
$ sahm ipu compare "$T/later.cfg" classify --format=csv | cut -d, -f1,6
classifier,accurate_share
built-in,
oracle,
classify,
## Programs side by side.
$ sahm ipu compare
classifier      speedup  matched   served  migrations  accurate  invocations  instructions    B/s  dropped  rejected  faults
----------------------------------------------------------------------------------------------------------------------------
built-in       +22.44 %  75.63 %  75.33 %        2002   97.47 %
oracle         +22.69 %  76.50 %  76.20 %        2126  100.00 %
classify       +22.44 %  75.63 %  75.33 %        2002   97.47 %       234000          79.0  400.0        0         0       0
classify-ewma  +21.90 %  73.33 %  73.24 %        1040   78.44 %       234000         563.7  400.0        0         0       0
predict        +22.42 %  75.60 %  75.31 %        2138   97.38 %       234000         208.8  400.0        0         0       0

accurate: executed timesteps whose thread was observed in the state in which they began; instructions:
per invocation; B/s: per core and simulated second; dropped: input sets that came while the IPU was running;
rejected: packets that are no state words; faults: IPUs that went into ERROR
assumed time base: 8 of 8 traces
$ sahm ipu compare configs/canonical.cfg classify ipu/programs/prebuilt/predict.elf --format=csv
classifier,speedup,matched_share,served_share,migrations,accurate_share,invocations,instructions,bytes_per_s,dropped_sets,rejected_packets,faults,synthetic,nominal_time
built-in,0.29722407682092555,0.996579476861167,0.9929577464788732,17,0.9734406438631791,,,,,,,no,yes
oracle,0.29810612688128774,1,0.9959758551307847,17,1,,,,,,,no,yes
classify,0.29722407682092555,0.996579476861167,0.9929577464788732,17,0.9734406438631791,4970,392630,80,0,0,0,no,yes
predict,0.29722407682092555,0.996579476861167,0.9929577464788732,17,0.9734406438631791,4970,1038090,80,0,0,0,no,yes
$ sahm ipu compare configs/canonical.cfg classify --format json --set scheduler.oracle=true --set introspection.max_cycles=60
sahm: warning: classify: 1 of 5 IPUs ended in ERROR and reported nothing after that; that of core 0 by instruction budget exhausted at 0x00000320 in _main
{
  "schema": "sahm-ipu-compare/1",
  "synthetic": false,
  "nominal_time": true,
  "classifiers": [
    {"classifier": "built-in", "speedup": 0.29722407682092555, "matched_share": 0.996579476861167, "served_share": 0.9929577464788732, "migrations": 17, "accurate_share": 0.9734406438631791},
    {"classifier": "oracle", "speedup": 0.29810612688128774, "matched_share": 1.0, "served_share": 0.9959758551307847, "migrations": 17, "accurate_share": 1.0},
    {"classifier": "classify", "speedup": 0.0, "matched_share": 0.004024144869215292, "served_share": 0.0, "migrations": 0, "accurate_share": 0.0, "invocations": 8, "instructions": 480, "bytes_per_s": 0.0, "dropped_sets": 0, "rejected_packets": 0, "faults": 8}
  ]
}
$ sahm ipu compare configs/canonical.cfg classify -o "$T/out" && head -n 1 "$T/out"
classifier   speedup   matched   served  migrations  accurate  invocations  instructions   B/s  dropped  rejected  faults
$ sahm ipu compare --format=jsn
sahm: error: unknown format 'jsn', must be text, json or csv; did you mean 'json'?
[2]
$ sahm ipu compare nowhere.cfg
sahm: error: cannot open 'nowhere.cfg': No such file or directory
[1]
$ sahm ipu compare configs/canonical.cfg nowhere
sahm: error: cannot open introspection program 'nowhere': No such file or directory (nor is it in '@ROOT@')
[1]
## Forms have the options that other commands have, too; a policy is one of the settings
$ for f in json csv; do sahm ipu compare configs/canonical.cfg classify --format $f >"$T/named" && sahm ipu compare configs/canonical.cfg classify --$f | cmp - "$T/named"; done
$ sahm ipu compare configs/canonical.cfg classify --json --csv
sahm: error: --json and --csv exclude each other
[2]
$ sahm ipu compare configs/canonical.cfg classify --csv --set scheduler.policy=static >"$T/set" && sahm ipu compare configs/canonical.cfg classify --csv -p static | cmp - "$T/set"
