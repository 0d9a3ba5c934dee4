## 15 additions, a sample every 3: the 3rd, 6th, 9th, 12th and 15th. The program is not here, so that functions have no names.
$ sahm core sample tests/data/samples/fadd15.stream --core rocket -e FP_ADD -c 3 -o "$T/a.pes"; sahm core sample --report "$T/a.pes" --by pc; sahm stream head -n 27 tests/data/samples/fadd15.stream | grep fp-add | awk 'NR % 3 == 0 { print $1 }'
@T@/a.pes: 5 samples, 0 lost
sahm: warning: cannot open '/nonexistent/fadd15': No such file or directory: its functions have no names here
Samples of tests/data/samples/fadd15.stream on rocket: 27 instructions in 649 cycles
5 samples, 0 lost; buffer of 4096 bytes, buffer-full interrupts: 0; skid 0; add counters; interrupts take no cycles

FP_ADD, every 3 of 15: 5 samples
samples     %  pc       function      file
1        20.0  0x1012a  fadd15+0x12a  fadd15
1        20.0  0x1013e  fadd15+0x13e  fadd15
1        20.0  0x1014a  fadd15+0x14a  fadd15
1        20.0  0x10156  fadd15+0x156  fadd15
1        20.0  0x10162  fadd15+0x162  fadd15
0x1012a
0x1013e
0x1014a
0x10156
0x10162
$ sahm core sample --report "$T/a.pes" --csv 2>&1; sahm core sample tests/data/samples/fadd15.stream --core rocket -e FP_ADD -c 3 -o "$T/a.pes" --force; sahm core sample --report "$T/a.pes" --json 2>/dev/null
sahm: warning: cannot open '/nonexistent/fadd15': No such file or directory: its functions have no names here
event,threshold,samples,share,pc,function,function_offset,file,file_offset
FP_ADD,3,1,0.2,0x1012a,"","",/nonexistent/fadd15,0x12a
FP_ADD,3,1,0.2,0x1013e,"","",/nonexistent/fadd15,0x13e
FP_ADD,3,1,0.2,0x1014a,"","",/nonexistent/fadd15,0x14a
FP_ADD,3,1,0.2,0x10156,"","",/nonexistent/fadd15,0x156
FP_ADD,3,1,0.2,0x10162,"","",/nonexistent/fadd15,0x162
@T@/a.pes: 5 samples, 0 lost
{
  "schema": "sahm-core-samples/1",
  "stream": "tests/data/samples/fadd15.stream",
  "core": "rocket",
  "family": "rocket",
  "counters": "add",
  "cycles": 649,
  "instructions": 27,
  "samples": 5,
  "lost": 0,
  "fulls": 0,
  "buffer_bytes": 4096,
  "skid_instructions": 0,
  "events": [
    {
      "event": "FP_ADD",
      "counter": 3,
      "selector": "0x200000",
      "threshold": 3,
      "counted": 15,
      "samples": 5,
      "nr_rows": 5,
      "rows": [
        {"samples": 1, "share": 0.2, "pc": "0x1012a", "file": "/nonexistent/fadd15", "file_offset": "0x12a"},
        {"samples": 1, "share": 0.2, "pc": "0x1013e", "file": "/nonexistent/fadd15", "file_offset": "0x13e"},
        {"samples": 1, "share": 0.2, "pc": "0x1014a", "file": "/nonexistent/fadd15", "file_offset": "0x14a"},
        {"samples": 1, "share": 0.2, "pc": "0x10156", "file": "/nonexistent/fadd15", "file_offset": "0x156"},
        {"samples": 1, "share": 0.2, "pc": "0x10162", "file": "/nonexistent/fadd15", "file_offset": "0x162"}
      ]
    }
  ]
}
## The file: a head, then samples of 32 bytes.
$ sahm core sample tests/data/samples/fadd15.stream --core rocket -e FP_ADD -c 3 -o "$T/a.pes" 2>/dev/null --force; od -A d -t x1 -N 104 "$T/a.pes"; tail -c +105 "$T/a.pes" | head -c 123 | tr '\0' '\n' | grep .; tail -c 160 "$T/a.pes" | od -A d -t x8
0000000 89 73 61 68 6d 70 65 0a 02 00 00 00 00 01 00 00
0000016 05 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
0000032 00 00 00 00 00 00 00 00 89 02 00 00 00 00 00 00
0000048 1b 00 00 00 00 00 00 00 00 10 00 00 00 00 00 00
0000064 00 00 00 00 01 00 00 00 03 00 00 00 00 00 00 00
0000080 00 00 20 00 00 00 00 00 03 00 00 00 00 00 00 00
0000096 0f 00 00 00 00 00 00 00
0000104
tests/data/samples/fadd15.stream
7762bcb9c90ee48839e71156b7204172d04c36aef4dbd370e38ea2fc15f870a9
rocket
rocket
add
FP_ADD
0000000 000000000001012a 0000000000000147
0000016 0000000000000000 0000000000000003
0000032 000000000001013e 000000000000025f
0000048 0000000000000000 0000000000000003
0000064 000000000001014a 000000000000026b
0000080 0000000000000000 0000000000000003
0000096 0000000000010156 0000000000000277
0000112 0000000000000000 0000000000000003
0000128 0000000000010162 0000000000000283
0000144 0000000000000000 0000000000000003
0000160
## Every one; in buffers of one sample, of no multiple of a sample: what is in the file stays the same. A smaller one is refused.
$ cd "$T"; s="$OLDPWD"/tests/data/samples/fadd15.stream; for b in 32 63 64 100 480 481 4096; do sahm core sample "$s" --core rocket -e FP_ADD -c 1 --buffer $b -o $b.pes; sahm core sample --report $b.pes --by address | sed -n 2p; tail -c 480 $b.pes | cksum; done; sahm core sample "$s" --core rocket -e FP_ADD -c 1 --buffer 31 -o 31.pes
32.pes: 15 samples, 0 lost
15 samples, 0 lost; buffer of 32 bytes, buffer-full interrupts: 15; skid 0; add counters; interrupts take no cycles
2654320146 480
63.pes: 15 samples, 0 lost
15 samples, 0 lost; buffer of 63 bytes, buffer-full interrupts: 15; skid 0; add counters; interrupts take no cycles
2654320146 480
64.pes: 15 samples, 0 lost
15 samples, 0 lost; buffer of 64 bytes, buffer-full interrupts: 7; skid 0; add counters; interrupts take no cycles
2654320146 480
100.pes: 15 samples, 0 lost
15 samples, 0 lost; buffer of 100 bytes, buffer-full interrupts: 5; skid 0; add counters; interrupts take no cycles
2654320146 480
480.pes: 15 samples, 0 lost
15 samples, 0 lost; buffer of 480 bytes, buffer-full interrupts: 1; skid 0; add counters; interrupts take no cycles
2654320146 480
481.pes: 15 samples, 0 lost
15 samples, 0 lost; buffer of 481 bytes, buffer-full interrupts: 1; skid 0; add counters; interrupts take no cycles
2654320146 480
4096.pes: 15 samples, 0 lost
15 samples, 0 lost; buffer of 4096 bytes, buffer-full interrupts: 0; skid 0; add counters; interrupts take no cycles
2654320146 480
sahm: error: --buffer is '31', must be a whole number from 32 to 1073741824
[2]
## A threshold above the count takes none, and all that is counted is in samples or left.
$ cd "$T"; s="$OLDPWD"/tests/data/samples/fadd15.stream; sahm core sample "$s" --core rocket -e FP_ADD -c 16 -o n.pes; sahm core sample --report n.pes; s="$OLDPWD"/tests/data/streams/sort.stream; for c in 1 2 7 100; do sahm core sample "$s" --core boom-large -e DCACHE_MISS -c $c -o s.pes --force 2>&1; sahm core sample --report s.pes --by address --json | awk -v c=$c '/"counted"/ { n = $2 + 0 } /^      "samples"/ { s = $2 + 0 } /^  "lost"/ { l = $2 + 0 } END { print n, s, l, int(n / c) == s + l }'; done
n.pes: 0 samples, 0 lost
Samples of @ROOT@/tests/data/samples/fadd15.stream on rocket: 27 instructions in 649 cycles
0 samples, 0 lost; buffer of 4096 bytes, buffer-full interrupts: 0; skid 0; add counters; interrupts take no cycles

FP_ADD, every 16 of 15: 0 samples
s.pes: 466 samples, 1 lost
467 466 1 1
s.pes: 233 samples, 0 lost
467 233 0 1
s.pes: 66 samples, 0 lost
467 66 0 1
s.pes: 4 samples, 0 lost
467 4 0 1
## Two counters reach their thresholds in one cycle: the lower one comes first, and the other one is lost where there is room for one.
$ cd "$T"; s="$OLDPWD"/tests/data/samples/fadd15.stream; for b in 64 32; do sahm core sample "$s" --core rocket -e FP_ADD -e FP_ADD -c 3 -c 5 --buffer $b -o $b.pes --force; tail -c +$(($(od -A n -t u4 -j 12 -N 4 $b.pes) + 1)) $b.pes | od -A n -v -t u1 -w32 | awk '{ print "counter " $25 ", lost " $29 }'; done
64.pes: 8 samples, 0 lost
counter 3, lost 0
counter 4, lost 0
counter 3, lost 0
counter 3, lost 0
counter 4, lost 0
counter 3, lost 0
counter 3, lost 0
counter 4, lost 0
32.pes: 7 samples, 1 lost
counter 3, lost 0
counter 4, lost 0
counter 3, lost 0
counter 3, lost 0
counter 4, lost 0
counter 3, lost 0
counter 3, lost 0
## Skid: the pc of a later instruction; past the end, of the last one. A wide core retires several in a cycle.
$ cd "$T"; s="$OLDPWD"/tests/data/samples/fadd15.stream; for core in rocket boom-large; do for skid in 0 1 2 30; do sahm core sample "$s" --core $core -e $([ $core = rocket ] && echo FP_ADD || echo UOP_RETIRED) -c 3 --skid $skid --buffer 32 -o s.pes --force; sahm core sample --report s.pes --by pc --csv 2>/dev/null | cut -d, -f5 | tr '\n' ' '; echo; done; done
s.pes: 5 samples, 0 lost
pc 0x1012a 0x1013e 0x1014a 0x10156 0x10162 
s.pes: 5 samples, 0 lost
pc 0x1012e 0x10142 0x1014e 0x1015a 0x10166 
s.pes: 5 samples, 0 lost
pc 0x10114 0x10130 0x10146 0x10152 0x1015e 
s.pes: 1 sample, 4 lost
pc 0x1011a 
s.pes: 9 samples, 0 lost
pc 0x10110 0x10118 0x1011a 0x10124 0x10130 0x10136 0x10146 0x10152 0x1015e 
s.pes: 7 samples, 2 lost
pc 0x1011a 0x10128 0x10134 0x1013e 0x1014a 0x10156 0x10162 
s.pes: 5 samples, 4 lost
pc 0x1011a 0x1012a 0x1013c 0x1014e 0x10166 
s.pes: 1 sample, 8 lost
pc 0x1011a 
## Data addresses; the report of a part, and rows that are left out.
$ sahm core sample tests/data/streams/sort.stream --core rocket -e DCACHE_MISS -c 3 -e LOAD -c 1000 --skip 30000 -o "$T/d.pes"; sahm core sample --report "$T/d.pes" --by address --top 3
@T@/d.pes: 63 samples, 0 lost
Samples of tests/data/streams/sort.stream on rocket: 6099 instructions in 96042 cycles
63 samples, 0 lost; buffer of 4096 bytes, buffer-full interrupts: 0; skid 0; add counters; interrupts take no cycles

DCACHE_MISS, every 3 of 186: 62 samples
samples    %  address
1        1.6  0x4000030f18
1        1.6  0x4000032330
1        1.6  0x4000033012
and 59 more rows

LOAD, every 1000 of 1911: 1 sample
samples      %  address
1        100.0  0x4002833510
## Any kind of counter can sample; add wires see several sources of a cycle.
$ for k in plain add distributed; do sahm core sample tests/data/streams/sort.stream --core boom-large -e UOP_RETIRED -c 1000 --counters $k -o "$T/k.pes" --force; sahm core sample --report "$T/k.pes" --top 1 2>/dev/null | sed -n '2p;4p'; done
@T@/k.pes: 15 samples, 0 lost
15 samples, 0 lost; buffer of 4096 bytes, buffer-full interrupts: 0; skid 0; plain counters; interrupts take no cycles
UOP_RETIRED, every 1000 of 15766: 15 samples
@T@/k.pes: 40 samples, 0 lost
40 samples, 0 lost; buffer of 4096 bytes, buffer-full interrupts: 0; skid 0; add counters; interrupts take no cycles
UOP_RETIRED, every 1000 of 40858: 40 samples
@T@/k.pes: 40 samples, 0 lost
40 samples, 0 lost; buffer of 4096 bytes, buffer-full interrupts: 0; skid 0; distributed counters; interrupts take no cycles
UOP_RETIRED, every 1000 of 40852: 40 samples
## The family of the core has the names and the counters.
$ sahm core sample tests/data/samples/fadd15.stream --core u74 -e FP_ADDITION_RETIRED -e INTEGER_ARITHMETIC_RETIRED -c 7 -o "$T/u.pes"; sahm core sample --report "$T/u.pes" --by pc --csv 2>/dev/null; sahm core sample tests/data/samples/fadd15.stream --core u74 -e FP_ADDITION_RETIRED -e UTLB_MISS -e FP_INTERLOCK -c 7 -o "$T/x.pes"
@T@/u.pes: 3 samples, 0 lost
event,threshold,samples,share,pc,function,function_offset,file,file_offset
FP_ADDITION_RETIRED,7,1,0.5,0x10142,"","",/nonexistent/fadd15,0x142
FP_ADDITION_RETIRED,7,1,0.5,0x1015e,"","",/nonexistent/fadd15,0x15e
INTEGER_ARITHMETIC_RETIRED,7,1,1,0x10118,"","",/nonexistent/fadd15,0x118
sahm: error: -e: 3 events, but a core of family u74 has 2 event counters
[2]
## Presets and selectors of one counter, with commas between them: of several events, all that have one, in one counter.
$ for e in PAPI_L1_TCM 0x302 native:PAPI_L1_DCM,icache_retired; do sahm core sample tests/data/streams/sort.stream --core u74 -e $e -c 1 -o "$T/p.pes" --force --buffer 1K 2>/dev/null; sahm core sample --report "$T/p.pes" --by address --json | grep -e '"event"' -e '"counted"' -e selector | tr '\n' ' '; echo; done
      "event": "PAPI_L1_TCM",       "selector": "0x302",       "counted": 643, 
      "event": "0x302",       "selector": "0x302",       "counted": 643, 
      "event": "PAPI_L1_DCM",       "selector": "0x202",       "counted": 476,       "event": "ICACHE_RETIRED",       "selector": "0x102",       "counted": 167, 
$ sahm core sample tests/data/streams/sort.stream --core u74 -e PAPI_L1_DCM,PAPI_L1_ICM -c 100,20 -o "$T/p.pes" --force; sahm core sample --report "$T/p.pes" --by address --top 1 | grep every
@T@/p.pes: 12 samples, 0 lost
PAPI_L1_DCM, every 100 of 476: 4 samples
PAPI_L1_ICM, every 20 of 167: 8 samples
## What has no counter, or several, cannot be sampled.
$ for e in cycles PAPI_TOT_INS PAPI_BR_PRC PAPI_STL_ICY PAPI_L1_DCN 0x1 FP_INTERLOCK,; do sahm core sample tests/data/streams/sort.stream --core u74 -e $e -c 1 -o "$T/n.pes" --force; done
sahm: error: -e: cycles has a fixed counter, and only event counters have thresholds; sahm core stat --region FUNCTION counts it in a function
sahm: error: -e: PAPI_TOT_INS has a fixed counter, and only event counters have thresholds; sahm core stat --region FUNCTION counts it in a function
sahm: error: -e: PAPI_BR_PRC takes 2 counters, and a sample is of one: take one of 0x4000, 0x2001
sahm: error: PAPI_STL_ICY is not available on u74 (ENOEVNT)
sahm: error: u74 has no event 'PAPI_L1_DCN'; did you mean 'PAPI_L1_DCM'? sahm core events --core NAME lists all (ENOEVNT)
sahm: error: code 0x1 selects no events of set 1 of u74 (microarchitecture): these are bits from 8 on (ENOEVNT)
sahm: error: -e: an event is missing in 'FP_INTERLOCK,'
[2]
$ for e in PAPI_TLB_TL 0x602; do sahm core sample tests/data/streams/sort.stream --core u74 -e $e --counters distributed -c 1 -o "$T/n.pes" --force; done
sahm: error: -e: PAPI_TLB_TL takes 2 counters, and a sample is of one: take one of 0x802, 0x1002
sahm: error: code 0x602: a distributed counter counts one event (ENOEVNT)
[2]
## Mistakes.
$ sahm core sample tests/data/samples/fadd15.stream -c 3 -o "$T/x.pes"
sahm: error: an event is missing: -e EVENT -c N
[2]
$ sahm core sample tests/data/samples/fadd15.stream --core rocket -e FP_ADD -o "$T/x.pes"
sahm: error: a threshold is missing: -c N takes a sample every N events
[2]
$ sahm core sample tests/data/samples/fadd15.stream --core rocket -e FP_ADD -c 0 -o "$T/x.pes"
sahm: error: -c: a threshold is a whole number from 1 to 18446744073709551615, not '0' (the core is --core)
[2]
$ sahm core sample tests/data/samples/fadd15.stream --core rocket -e FP_ADD -c 3 -c 4 -o "$T/x.pes"
sahm: error: -c: 2 thresholds for 1 event: give one for all, or one for each
[2]
$ sahm core sample tests/data/samples/fadd15.stream --core rocket -e FP_AD -c 3 -o "$T/x.pes"
sahm: error: rocket has no event 'FP_AD'; did you mean 'FP_ADD'? sahm core events --core NAME lists all (ENOEVNT)
[2]
$ sahm core sample tests/data/samples/fadd15.stream --core rocket -e FP_ADD -c 3
sahm: error: a file for the samples is missing: -o FILE
[2]
$ sahm core sample tests/data/samples/fadd15.stream tests/data/streams/sort.stream --core rocket -e FP_ADD -c 3 -o "$T/x.pes"
sahm: error: samples are of one stream: 'tests/data/streams/sort.stream' is too many
[2]
## What cannot be written completely is not there.
$ cd "$T"; s="$OLDPWD"/tests/data/streams/sort.stream; for size in 8 200; do (ulimit -f $size; sahm core sample "$s" --core rocket -e LOAD -c 1 -o full.pes); [ ! -e full.pes ] || echo there; done; for o in . /dev/full - none/x.pes; do sahm core sample "$s" --core rocket -e LOAD -c 1 -o $o; done
sahm: error: cannot write 'full.pes': File too large
sahm: error: cannot write 'full.pes': File too large
sahm: error: cannot write to '.': it is not a regular file
sahm: error: cannot write to '/dev/full': it is not a regular file
sahm: error: cannot write this to '-': it needs a file (./- is one)
sahm: error: cannot create 'none/x.pes': No such file or directory
[1]
$ sahm core sample tests/data/samples/fadd15.stream --core rocket -e REPLAY -c 3 -o "$T/x.pes"; sahm core sample --report "$T/x.pes"
sahm: warning: REPLAY never happens on this core
@T@/x.pes: 0 samples, 0 lost
Samples of tests/data/samples/fadd15.stream on rocket: 27 instructions in 649 cycles
0 samples, 0 lost; buffer of 4096 bytes, buffer-full interrupts: 0; skid 0; add counters; interrupts take no cycles

REPLAY, every 3 of 0: 0 samples
$ sahm core sample tests/data/samples/fadd15.stream --core rocket -e FP_ADD -c 3 -o "$T/x.pes"
sahm: error: '@T@/x.pes' exists already; --force replaces it, -o names another
[2]
$ for o in "-e FP_ADD" "-c 3" "--core rocket" "-s rob=8" "-o y.pes" "--buffer 64" "--skid 1" "--counters add" "--wrong-path 1" "--skip 1" "--every 9" "--take 1" "--warm 1" "--keep k" --force "-- true"; do sahm core sample --report a.pes $o; done
sahm: error: --event has no effect with --report, which only reads its file
sahm: error: --threshold has no effect with --report, which only reads its file
sahm: error: --core has no effect with --report, which only reads its file
sahm: error: --set has no effect with --report, which only reads its file
sahm: error: --output has no effect with --report, which only reads its file
sahm: error: --buffer has no effect with --report, which only reads its file
sahm: error: --skid has no effect with --report, which only reads its file
sahm: error: --counters has no effect with --report, which only reads its file
sahm: error: --wrong-path has no effect with --report, which only reads its file
sahm: error: --skip has no effect with --report, which only reads its file
sahm: error: --every has no effect with --report, which only reads its file
sahm: error: --take has no effect with --report, which only reads its file
sahm: error: --warm has no effect with --report, which only reads its file
sahm: error: --keep has no effect with --report, which only reads its file
sahm: error: --force has no effect with --report, which only reads its file
sahm: error: a command cannot be run with --report, which only reads its file
[2]
$ for o in "--by pc" "--top 3" --json --csv; do sahm core sample tests/data/samples/fadd15.stream -e FP_ADD -c 3 -o "$T/y.pes" $o; done
sahm: error: --by has no effect without --report
sahm: error: --top has no effect without --report
sahm: error: --json has no effect without --report
sahm: error: --csv has no effect without --report
[2]
$ sahm core sample -e FP_ADD -c 3 -o "$T/y.pes"
sahm: error: a stream is missing: sahm core sample STREAM, or sahm core sample -- COMMAND
[2]
$ sahm core sample tests/data/samples/fadd15.stream --core rocket --core u74 -e FP_ADD -c 3 -o "$T/y.pes"
sahm: error: --core can be given only once
[2]
$ sahm core sample --report tests/data/samples/fadd15.stream
sahm: error: tests/data/samples/fadd15.stream: not a file of samples (sahm core sample makes one)
[1]
$ for n in 7 20 90 104 130 280; do head -c $n "$T/a.pes" >"$T/cut.pes"; sahm core sample --report "$T/cut.pes"; done; cat "$T/a.pes" "$T/a.pes" >"$T/twice.pes"; sahm core sample --report "$T/twice.pes"
sahm: error: @T@/cut.pes: not a file of samples (sahm core sample makes one)
sahm: error: @T@/cut.pes: cut short: it ends after 20 bytes, within its head
sahm: error: @T@/cut.pes: cut short: it ends after 90 bytes, within its head of 256
sahm: error: @T@/cut.pes: cut short: it ends after 104 bytes, within its head of 256
sahm: error: @T@/cut.pes: cut short: it ends after 130 bytes, within its head of 256
sahm: error: @T@/cut.pes: cut short: 24 bytes follow its head instead of 5 samples of 32 bytes each
sahm: error: @T@/twice.pes: too long: 576 bytes follow its head instead of 5 samples of 32 bytes each
[1]
$ set -- 8 1 13 0 68 0 68 5 72 1 280 377; while [ $# -gt 0 ]; do cp "$T/a.pes" "$T/bad.pes"; printf "\\$2" | dd of="$T/bad.pes" bs=1 seek=$1 conv=notrunc status=none; sahm core sample --report "$T/bad.pes" --by address | head -n 1; shift 2; done
sahm: error: @T@/bad.pes: byte 8: files of samples of version 1 cannot be read, only of 2: take the samples again
sahm: error: @T@/bad.pes: byte 12: a head of 0 bytes has no room for 1 events
sahm: error: @T@/bad.pes: byte 68: 0 events, must be 1 to 29
sahm: error: @T@/bad.pes: byte 104: the counter of an event is 7017786292271539572, must be 3 to 31
sahm: error: @T@/bad.pes: byte 72: the counter of an event is 1, must be 3 to 31
sahm: error: @T@/bad.pes: byte 280: a sample of counter 255, which has no event
## The stream of the samples, from elsewhere; another one, or another one in its place.
$ cd "$T"; cp "$OLDPWD/tests/data/samples/fadd15.stream" here.stream; sahm core sample here.stream --core rocket -e FP_ADD -c 3 -o h.pes; mv here.stream there.stream; sahm core sample --report h.pes; sahm core sample --report h.pes there.stream
h.pes: 5 samples, 0 lost
sahm: warning: cannot open 'here.stream': No such file or directory: functions have no names here; give the stream if it is elsewhere now
Samples of here.stream on rocket: 27 instructions in 649 cycles
5 samples, 0 lost; buffer of 4096 bytes, buffer-full interrupts: 0; skid 0; add counters; interrupts take no cycles

FP_ADD, every 3 of 15: 5 samples
samples     %  function  file
1        20.0  0x1012a   -
1        20.0  0x1013e   -
1        20.0  0x1014a   -
1        20.0  0x10156   -
1        20.0  0x10162   -
sahm: warning: cannot open '/nonexistent/fadd15': No such file or directory: its functions have no names here
Samples of here.stream on rocket: 27 instructions in 649 cycles
5 samples, 0 lost; buffer of 4096 bytes, buffer-full interrupts: 0; skid 0; add counters; interrupts take no cycles

FP_ADD, every 3 of 15: 5 samples
samples     %  function      file
1        20.0  fadd15+0x12a  fadd15
1        20.0  fadd15+0x13e  fadd15
1        20.0  fadd15+0x14a  fadd15
1        20.0  fadd15+0x156  fadd15
1        20.0  fadd15+0x162  fadd15
$ cd "$T"; s="$OLDPWD"/tests/data/streams/sort.stream; sahm core sample --report h.pes "$s"; sahm core sample --report h.pes --by address none.stream; cp "$s" here.stream; sahm core sample --report h.pes | sed 4q; sahm core sample --report h.pes here.stream
sahm: error: '@ROOT@/tests/data/streams/sort.stream' is another stream than the sampled one, 'here.stream'
sahm: error: cannot open 'none.stream': No such file or directory
sahm: warning: 'here.stream' has changed since it was sampled: functions have no names here; give the stream if it is elsewhere now
Samples of here.stream on rocket: 27 instructions in 649 cycles
5 samples, 0 lost; buffer of 4096 bytes, buffer-full interrupts: 0; skid 0; add counters; interrupts take no cycles

FP_ADD, every 3 of 15: 5 samples
sahm: error: 'here.stream' has changed since it was sampled
[2]
