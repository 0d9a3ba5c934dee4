## Resampling in time: no event is lost. The same length changes nothing, and shorter and back brings everything back.
$ cd "$T" && sahm trace resample "$OLDPWD/workloads/suites/small/gzip.csv" --epoch-ms 30 && sahm trace info gzip-resample.trc | grep -vE 'event|size|tool|machine'
gzip-resample.trc: 357 epochs of 30 ms, 10312 bytes, assumed time base; the last one holds what is left, 20 ms
gzip-resample.trc
  epochs: 357 of 30 ms (10.71 s)
  cycles: not known
  content hash: f5353e4fb51a08e57715cf10a08fe831bec28a09d55ec549c7b197097949c717
  name: gzip
  source: recorded
  program: gzip (version and input not recorded)
  epoch: 30 ms; in the source: interval of 4000000 basic blocks, replayed as 100 ms of baseline time; the last one is shorter
  licence: MIT, as the rest of sahm
  note: resample: from epochs of 100 ms to epochs of 30 ms
$ for ms in 100 25 40.5 1000 20000; do sahm trace resample workloads/suites/small/gzip.csv -e $ms --force -o "$T/x.csv"; grep -v '^[#i]' "$T/x.csv" | awk -F, '{ for (i = 1; i <= 8; i++) s[i] += $i } END { print s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8] }'; done
@T@/x.csv: 107 epochs of 100 ms, assumed time base
1736437367 423754733 10498808 1380 398107064 71201647 71203027 11299
@T@/x.csv: 428 epochs of 25 ms, assumed time base
1736437367 423754733 10498808 1380 398107064 71201647 71203027 11299
@T@/x.csv: 265 epochs of 40.5 ms, assumed time base; the last one holds what is left, 8 ms
1736437367 423754733 10498808 1380 398107064 71201647 71203027 11299
@T@/x.csv: 11 epochs of 1000 ms, assumed time base; the last one holds what is left, 700 ms
1736437367 423754733 10498808 1380 398107064 71201647 71203027 11299
@T@/x.csv: 1 epoch of 20000 ms, assumed time base; the last one holds what is left, 10700 ms
1736437367 423754733 10498808 1380 398107064 71201647 71203027 11299
$ i() { sahm trace info --json "$1" | grep content_hash; }; sahm trace resample workloads/suites/small/gzip.csv -e 100 -o "$T/a.trc"; sahm trace resample workloads/suites/small/gzip.csv -e 20 -o "$T/b.trc"; sahm trace resample "$T/b.trc" -e 100 -o "$T/c.trc"; { i workloads/suites/small/gzip.csv; i "$T/a.trc"; i "$T/c.trc"; } | uniq -c | sed 's/^ *//'; sahm trace info "$T/c.trc" | grep -E 'epoch:|note:'
@T@/a.trc: 107 epochs of 100 ms, 4000 bytes, assumed time base
@T@/b.trc: 535 epochs of 20 ms, 14392 bytes, assumed time base
@T@/c.trc: 107 epochs of 100 ms, 4072 bytes, assumed time base
3     "content_hash": "cddf08ee0d4b8483bf95f57633c7cf911ab25987911635257e267e1a219a2ea4",
  epoch: 100 ms; in the source: interval of 4000000 basic blocks, replayed as 100 ms of baseline time; the last one is shorter
  note: resample: from epochs of 100 ms to epochs of 20 ms; resample: from epochs of 20 ms to epochs of 100 ms
## A small trace: its counts are shared out evenly, to the nearest integer.
$ printf '# sahm trace 1\n# name: small\n# source: synthetic\n# epoch_ns: 1000000\ninstructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses\n1000,200,20,3,300,30,33,4\n0,0,0,5,0,0,0,0\n500,101,101,1,150,15,15,15\n' > "$T/small.csv"; r() { sahm trace resample "$T/small.csv" "$@" --force -o "$T/x.csv" && grep -v '^# \|^i' "$T/x.csv"; }; r -e 0.5; r -e 2; r -i 400; r -i 500 -e 3
@T@/x.csv: 6 epochs of 0.5 ms, synthetic
500,100,10,2,150,15,17,2
500,100,10,1,150,15,16,2
0,0,0,3,0,0,0,0
0,0,0,2,0,0,0,0
250,51,51,1,76,8,8,8
250,50,50,0,74,7,7,7
@T@/x.csv: 2 epochs of 2 ms, synthetic; the last one holds what is left, 1 ms
1000,200,20,8,300,30,33,4
500,101,101,1,150,15,15,15
sahm: warning: the time base is assumed from here on: an epoch of 400 instructions counts as 0.75 ms, however long it took
@T@/x.csv: 4 epochs of 0.75 ms, synthetic, assumed time base; the last one holds what is left, 300 instructions
400,80,8,1,120,12,14,2
400,80,8,1,120,12,12,1
400,80,44,6,120,12,13,7
300,61,61,1,90,9,9,9
sahm: warning: the time base is assumed from here on: an epoch of 500 instructions counts as 3 ms, however long it took
@T@/x.csv: 3 epochs of 3 ms, synthetic, assumed time base
500,100,10,2,150,15,17,2
500,100,10,1,150,15,16,2
500,101,101,6,150,15,15,15
$ sahm trace resample "$T/small.csv" -i 400 -o - 2>"$T/said" | cat > "$T/y.trc"; cat "$T/said"; sahm trace info "$T/y.trc" | grep -E 'epochs|epoch:|name|note'
sahm: warning: the time base is assumed from here on: an epoch of 400 instructions counts as 0.75 ms, however long it took
-: 4 epochs of 0.75 ms, 408 bytes, synthetic, assumed time base; the last one holds what is left, 300 instructions
  epochs: 4 of 0.75 ms (0.003 s)
  name: small
  epoch: 400 instructions
  note: resample: from epochs of 1 ms to epochs of 400 instructions
  name in results: small-synthetic
## Slices.
$ cd "$T" && sahm trace slice "$OLDPWD/workloads/suites/small/gzip.csv" --from-ms 950 --to-ms 2000 && sahm trace info gzip-slice.trc | grep -E 'epochs|epoch:|note'
gzip-slice.trc: 10 epochs of 100 ms, 1224 bytes, assumed time base
  epochs: 10 of 100 ms (1 s)
  epoch: interval of 4000000 basic blocks, replayed as 100 ms of baseline time; the last one is shorter
  note: slice: 10 of 107 epochs, from epoch 10 on
$ s() { sahm trace slice workloads/suites/small/gzip.csv "$@" --force -o "$T/x.csv" && grep -v '^[#i]' "$T/x.csv" | sed -n '1p;$p'; }; s --from-epoch 105; s --to-epoch 1; s --from-ms 10600; s --to-ms 0.000001; s --from-ms 100 --to-epoch 3; grep -v '^[#i]' workloads/suites/small/gzip.csv | sed -n '1,3p;106,107p'
@T@/x.csv: 2 epochs of 100 ms, assumed time base
15255943,3871984,72236,0,4066361,262601,262601,0
1833472,174477,24226,103,806229,1409,1512,107
@T@/x.csv: 1 epoch of 100 ms, assumed time base
16000611,4075584,86627,1249,3641500,25780,27029,6194
16000611,4075584,86627,1249,3641500,25780,27029,6194
@T@/x.csv: 1 epoch of 100 ms, assumed time base
1833472,174477,24226,103,806229,1409,1512,107
1833472,174477,24226,103,806229,1409,1512,107
@T@/x.csv: 1 epoch of 100 ms, assumed time base
16000611,4075584,86627,1249,3641500,25780,27029,6194
16000611,4075584,86627,1249,3641500,25780,27029,6194
@T@/x.csv: 2 epochs of 100 ms, assumed time base
15815815,4251509,53249,0,3049980,70206,70206,1
16048582,4235084,77240,0,3255525,480845,480845,94
16000611,4075584,86627,1249,3641500,25780,27029,6194
15815815,4251509,53249,0,3049980,70206,70206,1
16048582,4235084,77240,0,3255525,480845,480845,94
15255943,3871984,72236,0,4066361,262601,262601,0
1833472,174477,24226,103,806229,1409,1512,107
## One behind the other: a trace that was cut is whole again.
$ g=workloads/suites/small/gzip.csv; sahm trace slice $g --to-epoch 40 -o "$T/1.trc"; sahm trace slice $g --from-epoch 40 -o "$T/2.trc"; sahm trace concat "$T/1.trc" "$T/2.trc" -o "$T/12.trc"; for f in $g "$T/12.trc"; do sahm trace info --json "$f" | grep content_hash; done | uniq -c | sed 's/^ *//'; sahm trace info "$T/12.trc" | grep -E 'name|note'
@T@/1.trc: 40 epochs of 100 ms, 2000 bytes, assumed time base
@T@/2.trc: 67 epochs of 100 ms, 2800 bytes, assumed time base
@T@/12.trc: 107 epochs of 100 ms, 3984 bytes, assumed time base
2     "content_hash": "cddf08ee0d4b8483bf95f57633c7cf911ab25987911635257e267e1a219a2ea4",
  name: gzip
  note: concat: gzip (40 epochs), gzip (67 epochs)
$ cd "$T" && w=$OLDPWD/workloads/suites/small && sahm trace concat "$w/gzip.csv" "$w/xz.csv" "$w/cc1.csv" && sahm trace concat "$w/gzip.csv" "$w/xz.csv" --name a/b && ls *+* a* && sahm trace info gzip+xz+cc1-concat.trc | grep -E 'name|source|program|note'
gzip+xz+cc1-concat.trc: 257 epochs of 100 ms, 9200 bytes, assumed time base
a_b.trc: 238 epochs of 100 ms, 8056 bytes, assumed time base
a.trc
a_b.trc
gzip+xz+cc1-concat.trc
  name: gzip+xz+cc1
  source: recorded
  note: concat: gzip (107 epochs), xz (131 epochs), cc1 (19 epochs)
$ h=instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses; printf "# sahm trace 1\n# name: c\n# source: recorded\n# event.cycles: cyc\n# epoch_ns: 1000000\n$h,cycles\n1,1,1,1,1,1,1,1,9\n" > "$T/cycles.csv"; printf "# sahm trace 1\n# name: d\n# source: recorded\n# event.branches: Bc\n# epoch: a stretch\n# epoch_ns: 1000000\n$h\n2,2,2,2,2,2,2,2\n" > "$T/none.csv"; sahm trace concat "$T/cycles.csv" "$T/none.csv" "$T/small.csv" -o "$T/all.csv" && cat "$T/all.csv"; sahm trace concat "$T/cycles.csv" "$T/cycles.csv" -o "$T/cc.csv" && tail -n 2 "$T/cc.csv"
sahm: warning: cycles are left out, since '@T@/none.csv' has none
sahm: warning: left out of the provenance, since the parts differ: epoch, event.branches
@T@/all.csv: 5 epochs of 1 ms, synthetic, assumed time base
# sahm trace 1
# name: c+d+small
# source: synthetic
# epoch: not the same in all parts
# note: concat: c (1 epoch), d (1 epoch), small (3 epochs)
# epoch_ns: 1000000
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses
1,1,1,1,1,1,1,1
2,2,2,2,2,2,2,2
1000,200,20,3,300,30,33,4
0,0,0,5,0,0,0,0
500,101,101,1,150,15,15,15
@T@/cc.csv: 2 epochs of 1 ms
1,1,1,1,1,1,1,1,9
1,1,1,1,1,1,1,1,9
## Later: what was skipped follows at the end.
$ cd "$T" && sahm trace offset small.csv --epochs 1 && sahm trace offset small.csv --ms 5 -n late && ls small* late* && sahm trace export small-synthetic-offset.trc && sahm trace info late-synthetic.trc | grep -E 'name|note'
small-synthetic-offset.trc: 3 epochs of 1 ms, 392 bytes, synthetic
late-synthetic.trc: 3 epochs of 1 ms, 392 bytes, synthetic
late-synthetic.trc
small-synthetic-offset.trc
small.csv
# sahm trace 1
# name: small
# source: synthetic
# note: offset: begins at epoch 1 of 3, those before it follow at the end
# epoch_ns: 1000000
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses
0,0,0,5,0,0,0,0
500,101,101,1,150,15,15,15
1000,200,20,3,300,30,33,4
  name: late
  note: offset: begins at epoch 2 of 3, those before it follow at the end
  name in results: late-synthetic
$ sahm trace offset "$T/small.csv" --epochs 1 -o "$T/o1.trc"; sahm trace offset "$T/o1.trc" --epochs 2 -o "$T/o2.trc"; for f in small.csv o2.trc; do sahm trace info --json "$T/$f" | grep content_hash; done | uniq -c | sed 's/^ *//'
@T@/o1.trc: 3 epochs of 1 ms, 392 bytes, synthetic
@T@/o2.trc: 3 epochs of 1 ms, 464 bytes, synthetic
2     "content_hash": "52c014810a48aa048bdda40ce4e0d293af2375d3f3833a3595989c368e9229b6",
## No input is replaced, and what is refused leaves nothing behind.
$ cd "$T" && mkdir own && cd own && cp ../small.csv . && sahm trace offset small.csv --epochs 1 -o ../own/small.csv; ln small.csv twin.csv; sahm trace concat small.csv small.csv -o twin.csv; sahm trace offset small.csv --epochs 1 2>/dev/null; sahm trace offset small-synthetic-offset.trc --epochs 1; cmp small.csv ../small.csv; ls
sahm: error: the result would overwrite 'small.csv', which it is made from
sahm: error: the result would overwrite 'small.csv', which it is made from
small-synthetic-offset-2.trc: 3 epochs of 1 ms, 464 bytes, synthetic
small-synthetic-offset-2.trc
small-synthetic-offset.trc
small.csv
twin.csv
$ r() { sahm trace resample "$T/small.csv" "$@" -o "$T/no.trc"; }; r; r -e 0; r -e 0.0009; r -e 1000001; r -e 5s; r -i 0; r -i 1.5; r -i -1; r -i 1 -e x; r -n '' -e 1; r -e 1 workloads/suites/small/xz.csv; sahm trace resample -e 1; sahm trace resample no/such.csv -e 1; r --epoch 5; [ -e "$T/no.trc" ] || echo none
sahm: error: the new length of epochs is missing: --epoch-ms MS or --epoch-instructions N
sahm: error: --epoch-ms is '0', must be a number from 0.001 to 1000000
sahm: error: --epoch-ms is '0.0009', must be a number from 0.001 to 1000000
sahm: error: --epoch-ms is '1000001', must be a number from 0.001 to 1000000
sahm: error: --epoch-ms is '5s', must be a number from 0.001 to 1000000
sahm: error: --epoch-instructions is '0', must be a whole number from 1 to 18446744073709551615
sahm: error: --epoch-instructions is '1.5', must be a whole number from 1 to 18446744073709551615
sahm: error: --epoch-instructions is '-1', must be a whole number from 1 to 18446744073709551615
sahm: error: --epoch-ms is 'x', must be a number from 0.001 to 1000000
sahm: error: --name: the name is empty
sahm: error: one trace at a time: 'workloads/suites/small/xz.csv' is too many
sahm: error: a trace is missing: sahm trace resample TRACE
sahm: error: cannot open 'no/such.csv': No such file or directory
sahm: error: unknown option '--epoch'; did you mean '--epoch-ms'?
none
$ h=instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses; r() { printf "# sahm trace 1\n# epoch_ns: $1\n$h\n$2\n$2\n" > "$T/t.csv"; sahm trace resample "$T/t.csv" $3 -o "$T/no.trc"; }; r 1000000000000 5000000000,1,1,1,1,1,1,1 '-i 2'; r 1000 3000,1,1,1,1,1,1,1 '-i 1'; r 1000000000000 2,1,1,1,1,1,1,1 '-i 4'; r 1000 0,1,1,1,1,1,1,1 '-i 4'; r 1000000 1,18446744073709551615,1,1,1,1,1,1 '-e 2'; [ -e "$T/no.trc" ] || echo none
sahm: error: @T@/t.csv: the result would have more than 4294967296 epochs, the most that a trace can
sahm: error: @T@/t.csv: epochs of 1 instruction last 3.333333e-07 ms on average, must last from 0.001 to 1000000 ms; --epoch-ms can say another time
sahm: error: @T@/t.csv: epochs of 4 instructions last 2000000 ms on average, must last from 0.001 to 1000000 ms; --epoch-ms can say another time
sahm: error: @T@/t.csv: the trace has no instructions
sahm: error: @T@/t.csv: branches of epoch 0 of the result do not fit 64 bits; take shorter epochs
none
$ s() { sahm trace slice workloads/suites/small/gzip.csv "$@" -o "$T/no.trc"; }; s; s --from-epoch 107; s --from-epoch 108; s --to-epoch 108; s --to-epoch 0; s --from-epoch 5 --to-epoch 5; s --from-ms 10700; s --from-ms 10700.1; s --to-ms 20000; s --from-ms 110 --to-ms 190; s --from-ms -1; s --to-ms x; s --from-epoch 1.5; s --from-ms 1 --from-epoch 1; sahm trace slice --to-ms 5; [ -e "$T/no.trc" ] || echo none
sahm: error: a bound is missing: --from-ms, --to-ms, --from-epoch or --to-epoch
sahm: error: the slice is empty: 'workloads/suites/small/gzip.csv' has 107 epochs of 100 ms and ends at 10700 ms, no epoch begins between --from-epoch 107 and the end
sahm: error: --from-epoch is 108, but 'workloads/suites/small/gzip.csv' has 107 epochs of 100 ms and ends at 10700 ms
sahm: error: --to-epoch is 108, but 'workloads/suites/small/gzip.csv' has 107 epochs of 100 ms and ends at 10700 ms
sahm: error: the slice is empty: 'workloads/suites/small/gzip.csv' has 107 epochs of 100 ms and ends at 10700 ms, no epoch begins between the beginning and --to-epoch 0
sahm: error: the slice is empty: 'workloads/suites/small/gzip.csv' has 107 epochs of 100 ms and ends at 10700 ms, no epoch begins between --from-epoch 5 and --to-epoch 5
sahm: error: the slice is empty: 'workloads/suites/small/gzip.csv' has 107 epochs of 100 ms and ends at 10700 ms, no epoch begins between --from-ms 10700 and the end
sahm: error: --from-ms is 10700.1, but 'workloads/suites/small/gzip.csv' has 107 epochs of 100 ms and ends at 10700 ms
sahm: error: --to-ms is 20000, but 'workloads/suites/small/gzip.csv' has 107 epochs of 100 ms and ends at 10700 ms
sahm: error: the slice is empty: 'workloads/suites/small/gzip.csv' has 107 epochs of 100 ms and ends at 10700 ms, no epoch begins between --from-ms 110 and --to-ms 190
sahm: error: --from-ms is '-1', must be a number from 0 to 1000000000
sahm: error: --to-ms is 'x', must be a number from 0 to 1000000000
sahm: error: --from-epoch is '1.5', must be a whole number from 0 to 18446744073709551615
sahm: error: a bound is given both in ms and in epochs
sahm: error: a trace is missing: sahm trace slice TRACE
none
$ sahm trace concat; sahm trace concat workloads/suites/small/xz.csv; sahm trace concat workloads/suites/small/xz.csv "$T/small.csv" -o "$T/no.trc"; sahm trace concat workloads/suites/small/xz.csv no/such.csv; [ -e "$T/no.trc" ] || echo none
sahm: error: a trace is missing: sahm trace concat TRACE TRACE...
sahm: error: a second trace is missing: sahm trace concat TRACE TRACE...
sahm: error: epochs of 'workloads/suites/small/xz.csv' last 100 ms, those of '@T@/small.csv' 1 ms; sahm trace resample --epoch-ms makes them the same
sahm: error: cannot open 'no/such.csv': No such file or directory
none
$ o() { sahm trace offset "$T/small.csv" "$@" -o "$T/no.trc"; }; o; o --ms 1 --epochs 1; o --ms 1.5; o --epochs -1; o --ms 1e10; sahm trace offset --epochs 1; [ -e "$T/no.trc" ] || echo none
sahm: error: how much later is missing: --epochs K or --ms MS
sahm: error: --epochs and --ms exclude each other
sahm: error: --ms is 1.5, not a whole number of epochs of '@T@/small.csv', which last 1 ms; sahm trace resample makes them shorter
sahm: error: --epochs is '-1', must be a whole number from 0 to 18446744073709551615
sahm: error: --ms is '1e10', must be a number from 0 to 1000000000
sahm: error: a trace is missing: sahm trace offset TRACE
none
## Mistakes of the command line end with 2, others with 1.
$ sahm trace resample workloads/suites/small/gzip.csv
sahm: error: the new length of epochs is missing: --epoch-ms MS or --epoch-instructions N
[2]
$ sahm trace slice workloads/suites/small/gzip.csv --to-epoch 200
sahm: error: --to-epoch is 200, but 'workloads/suites/small/gzip.csv' has 107 epochs of 100 ms and ends at 10700 ms
[1]
$ sahm trace slice workloads/suites/small/gzip.csv --to-epoch 1 -o - > /dev/full
-: 1 epoch of 100 ms, 960 bytes, assumed time base
sahm: error: cannot write standard output: No space left on device
[1]
$ sahm trace slice workloads/suites/small/gzip.csv --to-epoch 1 -o "$T/no/such/folder.trc"
sahm: error: cannot create '@T@/no/such/folder.trc': No such file or directory
[1]
