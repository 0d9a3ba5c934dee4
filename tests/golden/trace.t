## CSV to binary and back is the same to the byte.
$ sahm trace import workloads/suites/small/gzip.csv -o "$T/gzip.trc" && sahm trace export "$T/gzip.trc" | cmp - workloads/suites/small/gzip.csv && echo same
@T@/gzip.trc: 107 epochs of 100 ms, 3936 bytes, assumed time base
same
$ sahm trace info "$T/gzip.trc"
@T@/gzip.trc
  epochs: 107 of 100 ms (10.7 s)
  cycles: not known
  content hash: cddf08ee0d4b8483bf95f57633c7cf911ab25987911635257e267e1a219a2ea4
  size in binary form: 3936 bytes, 36.8 per epoch; all blocks intact
  name: gzip
  source: recorded
  program: gzip (version and input not recorded)
  tool: valgrind --tool=callgrind --cache-sim=yes --branch-sim=yes --I1=32768,8,64 --D1=49152,12,64 --LL=2097152,16,64 --combine-dumps=yes --dump-every-bb=4000000
  machine: callgrind's cache and branch-predictor model; its LL cache stands for L2
  epoch: interval of 4000000 basic blocks, replayed as 100 ms of baseline time; the last one is shorter
  licence: MIT, as the rest of sahm
  event.instructions: Ir
  event.branches: Bc + Bi
  event.branch_misses: Bcm + Bim
  event.l1i_misses: I1mr
  event.l1d_accesses: Dr + Dw
  event.l1d_misses: D1mr + D1mw
  event.l2_accesses: I1mr + D1mr + D1mw
  event.l2_misses: ILmr + DLmr + DLmw
$ sahm trace info --json workloads/suites/small/gzip.csv "$T/gzip.trc" | grep content_hash | uniq -c | sed 's/^ *//'
2     "content_hash": "cddf08ee0d4b8483bf95f57633c7cf911ab25987911635257e267e1a219a2ea4",
$ cd "$T" && sahm trace import "$OLDPWD/workloads/suites/small/xz.csv" && ls
xz.trc: 131 epochs of 100 ms, 4872 bytes, assumed time base
gzip.trc
xz.trc
## Compressed by zstd as the name says, in either form; read from files and pipes by what it is, not by what it is called.
$ for f in gzip.csv.zst gzip.trc.zst; do sahm trace import workloads/suites/small/gzip.csv -o "$T/$f" && head -c 4 "$T/$f" | od -An -tx1; done
@T@/gzip.csv.zst: 107 epochs of 100 ms, assumed time base
 28 b5 2f fd
@T@/gzip.trc.zst: 107 epochs of 100 ms, assumed time base
 28 b5 2f fd
$ for f in csv.zst trc.zst trc; do cat "$T/gzip.$f" | sahm trace info --json - | grep content_hash; done | uniq -c | sed 's/^ *//'
3     "content_hash": "cddf08ee0d4b8483bf95f57633c7cf911ab25987911635257e267e1a219a2ea4",
$ for f in csv.zst trc.zst trc; do sahm trace export "$T/gzip.$f" --force -o "$T/x" && cmp "$T/x" workloads/suites/small/gzip.csv && echo same; done
same
same
same
$ cd "$T" && sahm trace export gzip.trc -o x.csv.zst && cmp x.csv.zst gzip.csv.zst && sahm trace export gzip.csv.zst -o x.zst && cmp x.zst gzip.trc.zst && sahm trace export gzip.csv.zst -o x.txt && cmp x.txt x && echo same
same
$ sahm trace resample "$T/gzip.csv.zst" --epoch-ms 50 -o "$T/fine.csv.zst" && sahm trace import "$T/fine.csv.zst" -o "$T/fine.trc" && sahm run configs/canonical.cfg --set "workload.traces=[\"$T/fine.csv.zst\"]" --csv | tail -n 1
@T@/fine.csv.zst: 214 epochs of 50 ms, assumed time base
@T@/fine.trc: 214 epochs of 50 ms, 6992 bytes, assumed time base
system,all (assumed time base),0.2910004359813084,0.9757009345794393,0.9925233644859813,8,1070,20,13813704665,10700000000,10700000000,8000000,80000000,,,,8,,,1.2910004359813083,0.7745930769108419,1,1,0.7745930769108419,1,,,,
$ rm "$T"/*.zst "$T"/x "$T"/x.txt "$T"/fine.trc; ls "$T"
gzip.trc
xz.trc
## A foreign file: other columns are passed over, the epoch length is assumed, provenance is given by hand.
$ printf 'part,l2_misses,instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses\n1,1,1000,1200,3,4,500,6,7\n' > "$T/mine.csv"; sahm trace import "$T/mine.csv" -o "$T/mine.trc" -p tool='perf stat' -p source=synthetic -p event.branches=br_inst -p date=2026-11-20 && sahm trace export "$T/mine.trc"; sahm trace info "$T/mine.trc" | grep -E 'name|synthetic'; sahm run configs/canonical.cfg --set "workload.traces=[\"$T/mine.trc\"]" --csv; sahm run configs/canonical.cfg --set "workload.traces=[\"$T/mine.trc\"]" | grep workload
sahm: warning: @T@/mine.csv:1: passed over, since no counter is called so: column 'part'
sahm: warning: @T@/mine.csv: no epoch length is given, taken as 100 ms
sahm: warning: @T@/mine.csv:2: 1 epoch with more branches or data accesses than instructions
@T@/mine.trc: 1 epoch of 100 ms, 312 bytes, synthetic
# sahm trace 1
# name: mine
# source: synthetic
# tool: perf stat
# date: 2026-11-20
# event.branches: br_inst
# epoch_ns: 100000000
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses
1000,1200,3,4,500,6,7,1
  name: mine
  source: synthetic
  name in results: mine-synthetic
scope,name,speedup,served_share,matched_share,migrations,executed_timesteps,transition_timesteps,completed_ns,simulated_ns,present_ns,paid_ns,mismatched_ns,arrived_ns,left_ns,share,decisions,speedup_harmonic,speedup_geometric,stp,antt,jain,jain_weighted,slowdown_max,unfairness,mean,low,high,tenant
thread,mine-synthetic,0.257,0.9,0.9,1,10,0,125700000,100000000,100000000,1000000,10000000,0,,,,,,,,,,,,,,,
mean,all (synthetic),0.257,0.9,0.9,1,10,0,125700000,100000000,100000000,1000000,10000000,,,,,0.2569999999999999,0.2569999999999999,,,,,,,,,,
system,all (synthetic),0.257,0.9,0.9,1,10,0,125700000,100000000,100000000,1000000,10000000,,,,1,,,1.257,0.7955449482895784,1,1,0.7955449482895784,1,,,,
workload       1 thread, each with the whole chip; 1 trace, 1 synthetic
$ sahm trace import "$T/mine.csv" --epoch-ms 5 -o "$T/five.trc" 2>&1 | tail -n 1; sahm trace import "$T/mine.csv" -e 0 -o "$T/x.trc"
@T@/five.trc: 1 epoch of 5 ms, 240 bytes
sahm: error: --epoch-ms is '0', must be a number from 0.001 to 1000000
[2]
$ sahm trace import - -p name=piped -o "$T/piped.trc" < workloads/suites/small/cc1.csv && sahm trace info "$T/piped.trc" | grep name:
@T@/piped.trc: 19 epochs of 100 ms, 1472 bytes, assumed time base
  name: piped
$ sahm trace import "$T/mine.csv" -p nmae=x
sahm: error: --provenance: unknown provenance key 'nmae'; did you mean 'name'?
[2]
$ sahm trace import "$T/mine.csv" -p source=invented
sahm: error: --provenance: unknown source 'invented' (recorded, modelled or synthetic)
[2]
$ sahm trace import
sahm: error: a file is missing: sahm trace import FILE...
[2]
$ sahm trace export
sahm: error: a trace is missing: sahm trace export TRACE
[2]
$ sahm trace info
sahm: error: a trace is missing: sahm trace info TRACE...
[2]
