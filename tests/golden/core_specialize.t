## Specialised cores over the shipped streams, of which all but sort are made up (tests/data/streams/README.md); the cores stand in for those of a study.
$ cp configs/cores/golden-cove.inc "$T"; sed 's/^l1d = .*/l1d = { size_kib = 96; ways = 12; prefetcher = "stride"; degree = 4; };/' configs/cores/golden-cove.cfg >"$T/data.cfg"; cat configs/cores/golden-cove.cfg configs/cores/tage-sc-l-64.inc >"$T/branches.cfg"
$ sahm core specialize tests/data/streams/*.stream --cores "$T/branches.cfg,$T/data.cfg" -j 1 -o "$T/out" --min-epochs 2 --min-programs 2 | head -8
2 cores beside golden-cove: 3 programs, 5 epochs; assumed time: all epochs last as long on the baseline
Left out: 3 epochs, in which a program ended

Speedup in % by state, thresholds intuitive (with 95 % intervals, over programs; * scarce):
state              epochs  programs  branches    data
L2+Branch               2         1    +1.14*  +0.10*
L2+L1D+L1I+Branch       3         3     +0.25   +0.03

$ ls "$T/out"; sed 's/^# program: .*/# program: .../' "$T/out/epochs.csv"
choices.csv
components-intuitive.cfg
components-p25.cfg
components-p50.cfg
components.csv
cores-intuitive.cfg
cores-p25.cfg
cores-p50.cfg
epochs.csv
programs.csv
specialize.json
states.csv
storage.csv
# sahm epoch table 1
# source: modelled
# program: ...
# command: sahm core specialize --baseline golden-cove --cores branches,data rv64.stream sort.stream x86-64.stream
# sampling: 0 0 0 0
# core: golden-cove de542985f2c9144f782adc9efd167629882783fe9b6b0b4e8162c7f6162a2aec 1770041 none
# core: branches 8d050c353b5f87fc8caacd99eaecc7dbbcb1661f179f3dbd6c1a519003dbb5c4 1799126 branch
# core: data 597bebf531394c3bc30e70dc2fdfc8397c630152d17cd4c680f1fb8146e78cf6 1823129 l1d
# stream: rv64 c12e4388ea7fb04f5a6cb68cbbf916765f6ba3179fb038085f82a581098e2ae4 0
# stream: sort 36bb615d7635e2049910546c0970e852ca59c258ecc22280fc25c4b57356145b 0
# stream: x86-64 2f5df2dbfec33f8adb3b0ba3b8551fc0c516013e210b1969888dd36189e82e11 0
program,epoch,instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses,cycles,branches_cycles,data_cycles
rv64,0,102,21,1,2,22,3,5,4,886,886,886
rv64,1,34,7,3,0,9,0,0,0,20,20,20
sort,616,10008,2157,49,21,4729,116,137,93,20903,20748,20883
sort,617,10007,2078,46,2,4852,93,95,67,14545,14379,14515
sort,618,10007,2078,40,0,4845,87,87,59,12579,12439,12579
sort,619,6077,1380,135,146,2915,158,304,189,42215,42232,42205
x86-64,0,100,7,1,2,139,3,5,4,724,724,724
x86-64,1,95,21,3,1,35,0,1,0,294,294,294
## Any number of processes and any vectors give the same bytes, and so does a table that is read back.
$ sahm core specialize tests/data/streams/*.stream --cores "$T/branches.cfg" -c "$T/data.cfg" -j 3 --lanes 1 -o "$T/other" --min-epochs 2 --min-programs 2 --json >"$T/json" && diff -r "$T/out" "$T/other" && cmp "$T/json" "$T/out/specialize.json"
$ sahm core specialize --from "$T/out/epochs.csv" -o "$T/read" --min-epochs 2 --min-programs 2 --csv >"$T/csv" && cmp "$T/csv" "$T/read/states.csv"; diff -r "$T/out" "$T/read"
Only in @T@/out: epochs.csv
[1]
## A run that goes on takes what is there, unless it was measured in another way.
$ sahm core specialize tests/data/streams/*.stream -c "$T/branches.cfg,$T/data.cfg" -o "$T/out" | head -2
taken from '@T@/out/epochs.csv': 3 of 3 streams
2 cores beside golden-cove: 3 programs, 5 epochs; assumed time: all epochs last as long on the baseline
Left out: 3 epochs, in which a program ended
$ grep -v '^x86-64,' "$T/out/epochs.csv" >"$T/part" && cp "$T/part" "$T/out/epochs.csv" && sahm core specialize tests/data/streams/*.stream -c "$T/branches.cfg,$T/data.cfg" -o "$T/out" --min-epochs 2 --min-programs 2 >/dev/null && diff -r "$T/out" "$T/other"
taken from '@T@/out/epochs.csv': 2 of 3 streams
$ sahm core specialize --from "$T/part" -o "$T/new"
sahm: error: @T@/part: 1 of 3 streams have no epochs yet: the command in it finishes them
[1]
$ sahm core specialize tests/data/streams/*.stream -c "$T/data.cfg" -o "$T/out"
sahm: error: '@T@/out/epochs.csv' was measured with other cores: take another folder, or --force measures again
[2]
$ sahm core specialize tests/data/streams/sort.stream -c "$T/branches.cfg,$T/data.cfg" -o "$T/out"
sahm: error: '@T@/out/epochs.csv' was measured with the stream 'rv64': take another folder, or --force measures again
[2]
$ sahm core specialize tests/data/streams/*.stream -c "$T/branches.cfg,$T/data.cfg" --skip 10 -o "$T/out"
sahm: error: '@T@/out/epochs.csv' was measured with another sampling: take another folder, or --force measures again
[2]
$ cp "$T/out/epochs.csv" "$T/before"; sed 's/degree = 4/degree = 3/' "$T/data.cfg" >"$T/changed"; mv "$T/changed" "$T/data.cfg"; sahm core specialize tests/data/streams/*.stream -c "$T/branches.cfg,$T/data.cfg" -o "$T/out"; cmp "$T/before" "$T/out/epochs.csv"
sahm: error: '@T@/out/epochs.csv' was measured with another configuration of the core 'data': take another folder, or --force measures again
$ sahm core specialize tests/data/streams/*.stream -c "$T/branches.cfg,$T/data.cfg" -o "$T/out" --force | head -1; cmp -s "$T/before" "$T/out/epochs.csv" || echo measured again
2 cores beside golden-cove: 3 programs, 5 epochs; assumed time: all epochs last as long on the baseline
measured again
$ echo text >"$T/out/epochs.csv"; sahm core specialize tests/data/streams/*.stream -c "$T/branches.cfg,$T/data.cfg" -o "$T/out"
sahm: error: @T@/out/epochs.csv:1: no epoch table: its first line is '# sahm epoch table 1'; --force replaces it
[2]
## A synthetic epoch table: all that is made of it says so.
$ sahm core specialize --from tests/data/epochs-synthetic.csv --min-epochs 10 -o "$T/s"
Synthetic: 3 cores beside plain: 5 programs, 59 epochs, synthetic; assumed time: all epochs last as long on the baseline
Left out: 1 epoch, in which a program ended

Speedup in % by state, thresholds intuitive (with 95 % intervals, over programs; * scarce):
state       epochs  programs                 branches                      data                     both
Low              9         5  +0.20* (+0.20 to +0.20)   -1.00* (-1.00 to -1.00)  -0.38* (-0.38 to -0.38)
Branch          20         5   +7.98 (+6.38 to +9.80)    -1.00 (-1.00 to -1.00)   +4.29 (+3.22 to +5.38)
L1D              9         5  +0.20* (+0.20 to +0.20)  +7.70* (+4.39 to +11.49)  +3.99* (+2.44 to +6.01)
L1D+Branch      20         5   +7.98 (+6.18 to +9.60)   +7.93 (+4.36 to +11.59)   +8.80 (+8.08 to +9.45)
L2               1         1                   +0.20*                    -1.00*                   -0.38*

States with fewer than 10 epochs or 3 programs are scarce. The tables for sahm run have for them
the speedup where the core's component is HIGH, of the other states, or 0:
scarce state       epochs  programs  branches   data   both
Low                     9         5     +0.00  +0.00  +0.00
L1I                     0         0     +0.00  +0.00  +0.00
L1I+Branch              0         0     +7.98  +0.00  +6.50
L1D                     9         5     +0.00  +7.93  +8.80
L1D+L1I                 0         0     +0.00  +7.93  +8.80
L1D+L1I+Branch          0         0     +7.98  +7.93  +6.50
L2                      1         1     +0.00  +0.00  +0.00
L2+Branch               0         0     +7.98  +0.00  +6.50
L2+L1I                  0         0     +0.00  +0.00  +0.00
L2+L1I+Branch           0         0     +7.98  +0.00  +6.50
L2+L1D                  0         0     +0.00  +7.93  +8.80
L2+L1D+Branch           0         0     +7.98  +7.93  +6.50
L2+L1D+L1I              0         0     +0.00  +7.93  +8.80
L2+L1D+L1I+Branch       0         0     +7.98  +7.93  +6.50

Speedup in % where a component is HIGH, thresholds p25 (= the core's own component):
core                                Branch                     L1I                      L1D     L2              all epochs
branches           +5.35= (+3.99 to +6.29)  +5.35 (+4.19 to +6.40)   +5.35 (+4.19 to +6.53)  +0.20  +5.35 (+4.24 to +6.29)
data                +3.16 (+1.79 to +4.84)  +3.16 (+1.81 to +4.84)  +3.16= (+1.63 to +4.74)  -1.00  +3.16 (+1.61 to +4.74)
both               +4.88= (+4.72 to +5.05)  +4.88 (+4.72 to +5.05)  +4.88= (+4.74 to +5.05)  -0.38  +4.88 (+4.72 to +5.05)
--------------------------------------------------------------------------------------------------------------------------
epochs (programs)                   59 (5)                  59 (5)                   59 (5)  1 (1)                  59 (5)

Speedup in % where a component is HIGH, thresholds p50 (= the core's own component):
core                                Branch                     L1I                      L1D     L2              all epochs
branches           +7.98= (+6.20 to +9.80)  +5.35 (+4.25 to +6.40)   +5.35 (+4.19 to +6.41)  +0.20  +5.35 (+4.19 to +6.40)
data                +3.27 (+1.63 to +4.78)  +3.16 (+1.63 to +4.75)  +3.16= (+1.78 to +4.86)  -1.00  +3.16 (+1.63 to +4.84)
both               +6.50= (+6.27 to +6.71)  +4.88 (+4.72 to +5.05)  +4.88= (+4.74 to +5.03)  -0.38  +4.88 (+4.72 to +5.05)
--------------------------------------------------------------------------------------------------------------------------
epochs (programs)                   40 (5)                  59 (5)                   59 (5)  1 (1)                  59 (5)

Speedup in % where a component is HIGH, thresholds intuitive (= the core's own component):
core                                Branch    L1I                       L1D     L2              all epochs
branches           +7.98= (+6.38 to +9.80)      -    +5.44 (+4.25 to +6.41)  +0.20  +5.35 (+4.19 to +6.40)
data                +3.27 (+1.81 to +4.92)      -  +7.86= (+4.74 to +11.65)  -1.00  +3.16 (+1.61 to +4.84)
both               +6.50= (+6.28 to +6.71)      -   +7.26= (+6.09 to +8.39)  -0.38  +4.88 (+4.72 to +5.05)
----------------------------------------------------------------------------------------------------------
epochs (programs)                   40 (5)  0 (0)                    29 (5)  1 (1)                  59 (5)

Beside published figures (Wadle 2026, table 4.4; other programs and baselines), thresholds intuitive.
The SAHM study assumes 10, 20 or 30 % where the component is HIGH:
component  core or work                                                all, %  where HIGH, %
--------------------------------------------------------------------------------------------
Branch     branches                                                     +5.35          +7.98
Branch     CMA-BP branch predictor (published)                            2.0            2.0
Branch     selective flushing after mispredicted branches (published)    29.0           40.0
--------------------------------------------------------------------------------------------
L1I        iTP+xPTP (published)                                          18.9           20.0
L1I        entangling instruction prefetcher (published)                 10.1           10.1
--------------------------------------------------------------------------------------------
L1D        data                                                         +3.16          +7.86
L1D        register file prefetching (published)                          3.1            5.0
L1D        Berti local-delta data prefetcher (published)                 10.0           13.0
--------------------------------------------------------------------------------------------
L2         PACIPV (published)                                             3.4           20.0
L2         Mockingjay cache replacement (published)                       4.0           20.1
L2         Triage prefetcher (published)                                 23.0           23.0
L2         runtime selection (published)                                  5.8            5.8

Storage beyond the baseline's 64.0 KiB, and KiB for each % gained, thresholds intuitive:
core      extra KiB  all, %  KiB per %  own component HIGH, %  KiB per %
branches       16.0   +5.35        3.0                  +7.98        2.0
data           48.0   +3.16       15.2                  +7.86        6.1
both           64.0   +4.88       13.1                  +6.03       10.6

Speedup in % if each epoch runs on a core chosen as below, the baseline among them, and moves cost nothing:
core                                          p25    p50  intuitive
one core for all epochs                     +5.35  +5.35      +5.35
the best by the table of the epoch's state  +5.35  +6.32      +6.19
the same, by a table of the other programs  +5.35  +6.32      +6.19
the best by the epoch's own cycles          +7.18  +7.18      +7.18
-------------------------------------------------------------------
the table's share of the last row, %         74.5   88.0       86.3
The one core is branches.
$ sahm core specialize --from tests/data/epochs-synthetic.csv --min-epochs 10 --cuts p50 --time measured -c both -o "$T/s2" | head -8
Synthetic: 1 core beside plain: 5 programs, 59 epochs, synthetic; measured time: epochs count by their cycles on the baseline
Left out: 1 epoch, in which a program ended

Speedup in % by state, thresholds p50 (with 95 % intervals, over programs; * scarce):
state           epochs  programs                    both
L1D+L1I             18         5  +2.08 (+1.49 to +3.01)
L1D+L1I+Branch      40         5  +6.79 (+6.70 to +6.89)
L2+L1D+L1I           1         1                  -0.38*
$ sed -n 1,25p "$T/s/cores-intuitive.cfg"; cat "$T/s/components-intuitive.cfg"
# Core types for sahm run: a configuration with a line @include "cores-intuitive.cfg" has them by name.
# Speedups by state over plain in %, synthetic, of 5 programs and 59 epochs; thresholds intuitive; assumed time.
# Epoch table: made up for tests; none: its epochs are synthetic
cuts : { set = "intuitive"; };

core_types = (
	{
		name = "measured-branches";
		type = "table";
		speedup_pct = [
			0.0000, # Low: epochs 9, programs 5; scarce: 0, since no state lends its own
			7.9815, # Branch: epochs 20, programs 5
			0.0000, # L1I: epochs 0, programs 0; scarce: 0, since no state lends its own
			7.9815, # L1I+Branch: epochs 0, programs 0; scarce: from Branch, L1D+Branch
			0.0000, # L1D: epochs 9, programs 5; scarce: 0, since no state lends its own
			7.9815, # L1D+Branch: epochs 20, programs 5
			0.0000, # L1D+L1I: epochs 0, programs 0; scarce: 0, since no state lends its own
			7.9815, # L1D+L1I+Branch: epochs 0, programs 0; scarce: from Branch, L1D+Branch
			0.0000, # L2: epochs 1, programs 1; scarce: 0, since no state lends its own
			7.9815, # L2+Branch: epochs 0, programs 0; scarce: from Branch, L1D+Branch
			0.0000, # L2+L1I: epochs 0, programs 0; scarce: 0, since no state lends its own
			7.9815, # L2+L1I+Branch: epochs 0, programs 0; scarce: from Branch, L1D+Branch
			0.0000, # L2+L1D: epochs 0, programs 0; scarce: 0, since no state lends its own
			7.9815, # L2+L1D+Branch: epochs 0, programs 0; scarce: from Branch, L1D+Branch
			0.0000, # L2+L1D+L1I: epochs 0, programs 0; scarce: 0, since no state lends its own
# Core types for sahm run: a configuration with a line @include "components-intuitive.cfg" has them by name.
# Speedups where the component is HIGH (of general cores: everywhere) over plain in %, synthetic, of 5 programs and 59 epochs; thresholds intuitive; assumed time.
# Epoch table: made up for tests; none: its epochs are synthetic
cuts : { set = "intuitive"; };

core_types = (
	# epochs 40, programs 5
	{ name = "measured-branches"; type = "branch"; speedup_pct = 7.9815; },
	# epochs 29, programs 5
	{ name = "measured-data"; type = "l1d"; speedup_pct = 7.8558; },
	# epochs 49, programs 5
	{ name = "measured-both"; type = "branch+l1d"; speedup_pct = [6.4975, 7.2579]; }
);
$ head -4 "$T/s/states.csv"; grep -c synthetic "$T/s/programs.csv"; tail -1 "$T/s/choices.csv"; head -2 "$T/s/storage.csv"
source,cuts,core,state,speedup_pct,low_pct,high_pct,nr_epochs,nr_programs,scarce,table_pct,lenders
synthetic,p25,branches,Low,,,,0,0,yes,0,""
synthetic,p25,branches,Branch,,,,0,0,yes,5.440249404758202,L1D+L1I+Branch
synthetic,p25,branches,L1I,,,,0,0,yes,0,""
159
synthetic,intuitive,all,epoch,7.178005448187408
source,cuts,core,storage_bytes,extra_bytes,all_pct,extra_bytes_per_pct,target_pct,extra_bytes_per_target_pct
synthetic,p25,branches,81920,16384,5.346869495085049,3064.2229093230167,5.346869495085049,3064.2229093230167
$ head -21 "$T/s/specialize.json"
{
  "schema": "sahm-specialize/1",
  "source": "synthetic",
  "program": "made up for tests",
  "command": "none: its epochs are synthetic",
  "baseline": "plain",
  "baseline_hash": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
  "clock": "nominal",
  "traces": "",
  "nr_programs": 5,
  "nr_epochs": 59,
  "nr_left_out": 1,
  "time": "assumed",
  "min_epochs": 10,
  "min_programs": 3,
  "resamples": 2000,
  "seed": 1,
  "sets": [
    {
      "name": "p25",
      "cuts": "branch_pct=0.03,l1i_mpki=0.004,l1d_pct=0.5,l2_pct=3.64",
$ printf '@include "cores-intuitive.cfg"\nchip : { cores = ( { type = "baseline"; }, { type = "measured-branches"; }, { type = "measured-data"; } ); };\nworkload : { traces = [ "gzip", "xz" ]; duration_ms = "10s"; };\n' >"$T/s/run.cfg"; sahm run "$T/s/run.cfg" | head -3
configuration  run.cfg (249066d6a1b77e7a)
chip           3 cores: baseline, measured-branches (14 states scarce), measured-data (14 states scarce)
workload       2 threads together; 2 traces, 2 with an assumed time base
## The states of traces in place of those by the baseline's own counters; here one was changed by hand.
$ mkdir "$T/traces"; for s in rv64 x86-64; do sahm core epochs tests/data/streams/$s.stream -o "$T/traces/$s.csv"; done; sed -i s/^100,7,1,2/100,7,0,0/ "$T/traces/x86-64.csv"; sahm core specialize tests/data/streams/rv64.stream tests/data/streams/x86-64.stream -c "$T/data.cfg" --traces "$T/traces" -o "$T/traced" | head -3; grep -h '^# States' "$T/traced/cores-p25.cfg"; grep '"traces"' "$T/traced/specialize.json"
@T@/traces/rv64.csv: 1 epoch of 100 ms, assumed time base
assumed time: an epoch of the stream, 102 instructions, counts as 100 ms
sahm: warning: left out at the end: 34 instructions, which do not fill an epoch
@T@/traces/x86-64.csv: 1 epoch of 100 ms, assumed time base
assumed time: an epoch of the stream, 100 instructions, counts as 100 ms
sahm: warning: left out at the end: 95 instructions, which do not fill an epoch
1 core beside golden-cove: 2 programs, 2 epochs; assumed time: all epochs last as long on the baseline
States come from traces (traces); by the counters of golden-cove, 1 epoch would have another one
Left out: 2 epochs, in which a program ended
# States come from traces (traces).
  "traces": "traces",
$ sahm core specialize --from "$T/before" --traces "$T/traces" -o "$T/n"; sahm core specialize --from "$T/traced/epochs.csv" --traces tracs -o "$T/n"
sahm: error: the suite '@T@/traces' has no trace of the stream 'sort'
sahm: error: no suite is called 'tracs' (open, small, synthetic), and there is no such file or folder
[2]
$ mv "$T/traces/rv64.csv" "$T/traces/x86-64.csv"; sahm core epochs tests/data/streams/x86-64.stream -o "$T/traces/rv64.csv"; sahm core specialize --from "$T/traced/epochs.csv" --traces "$T/traces" -o "$T/n"
@T@/traces/rv64.csv: 1 epoch of 100 ms, assumed time base
assumed time: an epoch of the stream, 100 instructions, counts as 100 ms
sahm: warning: left out at the end: 95 instructions, which do not fill an epoch
sahm: error: @T@/traces/rv64.csv: epoch 0 has 100 instructions, in the epoch table 102: it is no trace of the stream 'rv64'
[2]
## The clock of prefetchers can be measured. A table says so, and is not continued with another clock.
$ sahm core specialize tests/data/streams/sort.stream -c special-l1d-berti --measure-clock -o "$T/clock" | sed -n 2p; grep '^# cl\|^# com' "$T/clock/epochs.csv"; sahm core specialize tests/data/streams/sort.stream -c special-l1d-berti -o "$T/clock"; sahm core specialize --from "$T/clock/epochs.csv" --json -o "$T/clock2" | grep '"clock"'; diff -r "$T/clock" "$T/clock2"
Prefetchers that need time had a measured clock
# command: sahm core specialize --baseline golden-cove --cores special-l1d-berti sort.stream --measure-clock
# clock: measured
sahm: error: '@T@/clock/epochs.csv' was measured with another clock: take another folder, or --force measures again
  "clock": "measured",
Only in @T@/clock: epochs.csv
[1]
## The shipped core types are those of the shipped epoch table.
$ sahm core specialize --from configs/studies/measured/epochs.csv --traces open --resamples 100 -o "$T/open" | head -2; for f in "$T/open/cores-intuitive.cfg" configs/open-types.inc; do sed -n '/^core_types/,$p' "$f" >"$T/$(basename "$f").types"; done; cmp "$T/cores-intuitive.cfg.types" "$T/open-types.inc.types" && grep -c 'name = ' "$T/open-types.inc.types"
13 cores beside golden-cove: 26 programs, 520 epochs; assumed time: all epochs last as long on the baseline
States come from traces (open); by the counters of golden-cove, 104 epochs would have another one
13
## The shipped suite is found from any folder.
$ cp configs/studies/measured/epochs.csv "$T/measured.csv"; (cd "$T" && sahm core specialize --from measured.csv --traces open --resamples 100 -o elsewhere) | sed -n 2p; diff -r "$T/open" "$T/elsewhere" && echo same
States come from traces (open); by the counters of golden-cove, 104 epochs would have another one
same
## Mistakes.
$ sahm core specialize --from tests/data/epochs-synthetic.csv -o "$T/s"
sahm: error: '@T@/s/states.csv' exists already; --force replaces it
[2]
$ sahm core specialize --from tests/data/epochs-synthetic.csv -c both,dta -o "$T/n"
sahm: error: the table has no core 'dta'; did you mean 'data'?
[2]
$ sahm core specialize --from tests/data/epochs-synthetic.csv -c both,both -o "$T/n"
sahm: error: the core 'both' is named twice
[2]
$ sahm core specialize --from tests/data/epochs-synthetic.csv tests/data/streams/sort.stream -o "$T/n"
sahm: error: --from reads what was measured: it excludes streams, their sampling, --measure-clock and --baseline
[2]
$ sahm core specialize -o "$T/n"
sahm: error: a stream is missing: sahm core specialize STREAM... -o DIR, --suite open, or --from EPOCHS
[2]
$ sahm core specialize tests/data/streams/sort.stream
sahm: error: a folder is missing: sahm core specialize STREAM... -o DIR
[2]
$ sahm core specialize tests/data/streams/sort.stream -c golden-cove -o "$T/n"
sahm: error: two cores are called 'golden-cove': rename a file
[2]
$ sahm core specialize tests/data/streams/sort.stream -c rocket, -o "$T/n"
sahm: error: --cores 'rocket,' has an empty name
[2]
$ sahm core specialize tests/data/streams/sort.stream tests/data/streams/sort.stream -c rocket -o "$T/n"
sahm: error: 'tests/data/streams/sort.stream' and 'tests/data/streams/sort.stream' are both called 'sort': rename a file
[2]
$ test -e "$T/n" || echo nothing is written
nothing is written
