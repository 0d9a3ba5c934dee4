## Command lines that cannot be understood.
$ sahm ipu run
sahm: error: a program is missing: sahm ipu run IMAGE --abi SPEC --signals FILE
[2]
$ sahm ipu run overlap
sahm: error: --abi is missing: sahm ipu run IMAGE --abi SPEC --signals FILE
[2]
$ sahm ipu run overlap --abi gpu_activity
sahm: error: --signals is missing: sahm ipu run IMAGE --abi SPEC --signals FILE
[2]
$ sahm ipu run overlap a.elf --abi gpu_activity --signals x.csv
sahm: error: one program at a time: 'a.elf' is too many
[2]
$ sahm ipu run - --abi gpu_activity --signals -
sahm: error: program and signals cannot both come from standard input
[2]
$ sahm ipu run overlap --abi gpu_activity --signals x.csv --packet-format hex
sahm: error: --packet-format has no effect without --packets
[2]
$ cp ipu/abi/memory_access.cfg "$T/my.cfg"; cp ipu/programs/prebuilt/watch.elf "$T/my.elf"; printf 'address,is_write\n1,0\n' >"$T/1.csv"; for out in my.cfg my.elf 1.csv; do sahm ipu run "$T/my.elf" --abi "$T/my.cfg" --signals "$T/1.csv" --packets "$T/$out"; done; cmp "$T/my.cfg" ipu/abi/memory_access.cfg
sahm: error: the result would overwrite '@T@/my.cfg', which it is made from
sahm: error: the result would overwrite '@T@/my.elf', which it is made from
sahm: error: the result would overwrite '@T@/1.csv', which it is made from
$ cd "$T"; sahm ipu run watch --abi memory_access --signals 1.csv --packets watch --json >/dev/null && ls watch
watch
$ echo a >"$T/both.csv"; sahm ipu run overlap --abi gpu_activity --signals "$T/both.csv" --packets "$T/both.csv"; cat "$T/both.csv"
sahm: error: the result would overwrite '@T@/both.csv', which it is made from
a
$ sahm ipu run overlup --abi gpu_activity --signals x.csv
sahm: error: no introspection program is called 'overlup'; did you mean 'overlap'? (a path of your own has a / or a . in it)
[2]
$ sahm ipu run overlap --abi gpu_activty --signals x.csv
sahm: error: no ABI spec is called 'gpu_activty'; did you mean 'gpu_activity'? (a path of your own has a / or a . in it)
[2]
$ sahm ipu run ./overlup.elf --abi gpu_activity --signals x.csv
sahm: error: cannot open './overlup.elf': No such file or directory
[1]
$ for mode in evry sub-sample every=3 sub-sample=0 window=4097 phases=x; do sahm ipu run overlap --abi gpu_activity --signals x.csv --mode $mode; done
sahm: error: --mode is 'evry', must be every, sub-sample=K, window=N or phases=MHZ; did you mean 'every'?
sahm: error: --mode is 'sub-sample', must be sub-sample=K, a whole number from 1 to 4294967295
sahm: error: --mode is 'every=3', but 'every' takes no number
sahm: error: --mode is 'sub-sample=0', must be sub-sample=K, a whole number from 1 to 4294967295
sahm: error: --mode is 'window=4097', must be window=N, a whole number from 1 to 4096
sahm: error: --mode is 'phases=x', must be phases=MHZ, a whole number from 1 to 1000000
[2]
$ sahm ipu run overlap --abi gpu_activity --signals x.csv --hit-mhz 0
sahm: error: --hit-mhz is '0', must be a whole number from 1 to 1000000
[2]
$ for option in max-cycles limit fifo; do sahm ipu run overlap --abi gpu_activity --signals x.csv --$option 1000000000000001; done
sahm: error: --max-cycles is '1000000000000001', must be a whole number from 1 to 1000000000000000
sahm: error: --limit is '1000000000000001', must be a whole number from 1 to 1000000000000000
sahm: error: --fifo is '1000000000000001', must be a whole number from 16 to 2147483647
[2]
$ sahm ipu run overlap --abi gpu_activity --signals x.csv --packet-format xml
sahm: error: unknown packet format 'xml', must be csv, hex or binary
[2]
$ sahm ipu run overlap --abi gpu_activity --signals no/such.csv
sahm: error: cannot open 'no/such.csv': No such file or directory
[1]
$ sahm ipu run overlap --abi memory_access --signals x.csv
sahm: error: @ROOT@/ipu/programs/prebuilt/overlap.elf: it reads 'simt_active', which the ABI spec 'memory_access' lacks (@ROOT@/ipu/abi/memory_access.cfg)
[1]
$ sahm ipu run overlap --abi gpu_activity --signals x.csv --set windw=3
sahm: error: setting 'windw=3': @ROOT@/ipu/programs/prebuilt/overlap.elf has no variable 'windw'
[2]
## SIMT cores are active in the first 100 cycles, the tensor core behind them, memory always: 600 cycles, synthetic.
$ printf 'cycle,simt_active,tensor_active,memory_active\n0,1,0,1\n100,0,1,1\n599,,,\n' >"$T/units.csv"
$ sahm ipu run overlap --abi gpu_activity --signals "$T/units.csv"
status                               paused
cycles of the HIT                    621
cycles of the IPU                    621
simulated time, ns                   310
input sets                           600
  ignored: not active                0
  skipped: by --mode                 0
  dropped: it was busy               53
  taken                              547
  left in the buffer                 0
drop rate, of dropped + taken        8.833 %
calls of _main                       3
calls of the timer's handler         0
periods that the timer missed        0
instructions                         621
busy cycles                          621
utilisation                          100.000 %
busy cycles per call                 207.000
busy cycles per set taken            1.135
packets                              3
bytes                                9
bytes per second of simulated time   29032258
packets lost                         0
bytes lost                           0
$ sahm ipu run overlap --abi gpu_activity --signals "$T/units.csv" --json --no-finalize
{
  "status": "active, running",
  "hit_cycles": 600,
  "ipu_cycles": 600,
  "time_ns": 300,
  "arrived": 600,
  "ignored": 0,
  "skipped": 0,
  "dropped": 53,
  "taken": 547,
  "buffered": 0,
  "drop_rate_pct": 8.833333333333334,
  "calls_main": 3,
  "calls_handler": 0,
  "missed_periods": 0,
  "instructions": 600,
  "busy_cycles": 600,
  "utilisation_pct": 100.0,
  "cycles_per_call": 200.0,
  "cycles_per_set": 1.0968921389396709,
  "packets": 2,
  "bytes": 6,
  "bytes_per_s": 20000000.0,
  "lost_packets": 0,
  "lost_bytes": 0
}
$ sahm ipu run overlap --abi gpu_activity --signals "$T/units.csv" --packets - 2>"$T/summary"; head -n 3 "$T/summary"
sent_at_ipu_cycle,time_ns,nr_bytes,bytes
275,137,3,5ca4ff
555,277,3,00ffff
616,308,3,002020
status                               paused
cycles of the HIT                    621
cycles of the IPU                    621
$ sahm ipu run overlap --abi gpu_activity --signals - --packets - --packet-format hex <"$T/units.csv" 2>/dev/null
5ca4ff
00ffff
002020
$ sahm ipu run overlap --abi gpu_activity --signals "$T/units.csv" --packets "$T/packets" --packet-format binary >/dev/null; od -An -tx1 "$T/packets"
 5c a4 ff 00 ff ff 00 20 20
## A slow HIT loses nothing, a fast one is sub-sampled.
$ sahm ipu run overlap --abi gpu_activity --signals "$T/units.csv" --hit-mhz 20 --packets - --packet-format hex 2>/dev/null
639dff
00ffff
005555
$ sahm ipu run overlap --abi gpu_activity --signals "$T/units.csv" --mode sub-sample=30 --packets - --packet-format hex 2>/dev/null
031013
$ sahm ipu run overlap --abi gpu_activity --signals "$T/units.csv" --mode phases=1999 | grep skipped
  skipped: by --mode                 600
## The HIT's clock, as the signals have it: of 100 cycles, 40 are slow enough.
$ (echo hit_mhz,simt_active; seq 100 | awk '{ print (NR == 1 ? 1000 : NR == 41 ? 3000 : "") ",1" }') >"$T/clock.csv"
$ sahm ipu run overlap --abi gpu_activity --signals "$T/clock.csv" --mode phases=1400 | grep -A 4 'input sets'
input sets                           100
  ignored: not active                0
  skipped: by --mode                 60
  dropped: it was busy               3
  taken                              37
$ sahm ipu run overlap --abi gpu_activity --signals "$T/clock.csv" --mode window=50 --no-finalize | grep -A 5 'input sets'
input sets                           100
  ignored: not active                0
  skipped: by --mode                 0
  dropped: it was busy               8
  taken                              92
  left in the buffer                 0
## A program with settings: of five accesses, three hit 0x1000 to 0x1fff, the last of them a write.
$ printf 'cycle,address,is_write\n0,0x1000,0\n50,0xfff,1\n100,0x2000,1\n150,0x1fff,0\n200,4096,1\n' >"$T/accesses.csv"
$ sahm ipu run watch --abi memory_access --signals "$T/accesses.csv" --set watch_first=0x1000 --set watch_end=0x2000 --set watch_period=2 --packets - --packet-format hex 2>/dev/null
0200000000000000
0100000001000000
$ sahm ipu run watch --abi memory_access --signals "$T/accesses.csv" --set watch_frist=0x1000
sahm: error: setting 'watch_frist=0x1000': @ROOT@/ipu/programs/prebuilt/watch.elf has no variable 'watch_frist'; did you mean 'watch_first'?
[2]
## Triggers: from the first PC to the second one.
$ printf 'cycle,pc\n0,0\n10,64\n60,128\n61,0\n99,\n' >"$T/pc.csv"
$ sahm ipu run overlap --abi gpu_activity --signals "$T/pc.csv" --start 64 --stop 0x80 | grep -E 'input sets|ignored'
input sets                           100
  ignored: not active                50
## What the host cannot take is lost.
$ sahm ipu run overlap --abi gpu_activity --signals "$T/units.csv" --fifo 18 | grep -E '^(packets|bytes)'
packets                              0
bytes                                0
bytes per second of simulated time   0
packets lost                         3
bytes lost                           9
## Time passes up to the last row, and ends where a clock has run as far as it can.
$ printf 'cycle,address\n0,1\n1000,\n' >"$T/late.csv"; sahm ipu run watch --abi memory_access --signals "$T/late.csv" --no-finalize | grep 'cycles of the HIT'
cycles of the HIT                    1001
$ printf 'cycle,address\n' >"$T/late.csv"; sahm ipu run watch --abi memory_access --signals "$T/late.csv" --no-finalize | grep 'cycles of the HIT'
cycles of the HIT                    0
$ printf 'cycle,address\n0,1\n18000000000000,1\n' >"$T/late.csv"; sahm ipu run watch --abi memory_access --signals "$T/late.csv" --hit-mhz 1 --ipu-mhz 1000000
sahm: error: the IPU cannot come to cycle 18000000000000 of its HIT: time ends at 4611686018427, where the IPU's clock comes to 4611686018427387904 cycles
[1]
$ printf 'cycle,address\n0,1\n18000000000000,\n' >"$T/late.csv"; sahm ipu run watch --abi memory_access --signals "$T/late.csv" --hit-mhz 1 --ipu-mhz 1000000
sahm: error: the IPU cannot come to cycle 18000000000001 of its HIT: time ends at 4611686018427, where the IPU's clock comes to 4611686018427387904 cycles
[1]
$ printf 'cycle,hit_mhz,address\n0,1000000,1\n10,1,\n18000000000000,,1\n' >"$T/late.csv"; sahm ipu run watch --abi memory_access --signals "$T/late.csv" --ipu-mhz 1000000
sahm: error: the IPU cannot come to cycle 18000000000000 of its HIT: time ends at 4611686018437, where the IPU's clock comes to 4611686018427387904 cycles
[1]
$ printf 'cycle,simt_active\n0,1\n1000000000000000,\n' >"$T/late.csv"; sahm ipu run overlap --abi gpu_activity --signals "$T/late.csv"; rm "$T/late.csv"
sahm: error: @T@/late.csv:3: signals of rate 1 are valid 999999999999999 times between cycles 0 and 1000000000000000, at most 10000000000 are possible between two rows
## Signals that are none.
$ printf 'cycle,simt_activ\n0,1\n' | sahm ipu run overlap --abi gpu_activity --signals -
sahm: error: <stdin>:1: 'simt_activ' is no signal of 'gpu_activity'; did you mean 'simt_active'?
[1]
$ printf 'cycle,simt_active\n0,2\n' | sahm ipu run overlap --abi gpu_activity --signals - --packets "$T/none"; ls "$T"
sahm: error: <stdin>:2: 2 in column 'simt_active' does not fit its 1 bit
1.csv
accesses.csv
both.csv
clock.csv
my.cfg
my.elf
packets
pc.csv
summary
units.csv
watch
## An IPU in ERROR.
$ sahm ipu run overlap --abi gpu_activity --signals "$T/units.csv" --max-cycles 10
status                               error
  cause                              instruction budget exhausted
  routine                            _main
  pc                                 0x00000070 <_main+0x20>
cycles of the HIT                    600
cycles of the IPU                    600
simulated time, ns                   300
input sets                           600
  ignored: not active                589
  skipped: by --mode                 0
  dropped: it was busy               7
  taken                              4
  left in the buffer                 0
drop rate, of dropped + taken        63.636 %
calls of _main                       1
calls of the timer's handler         0
periods that the timer missed        0
instructions                         10
busy cycles                          10
utilisation                          1.667 %
busy cycles per call                 10.000
busy cycles per set taken            2.500
packets                              0
bytes                                0
bytes per second of simulated time   0
packets lost                         0
bytes lost                           0
sahm: error: the IPU is in ERROR: instruction budget exhausted in _main at pc 0x00000070 <_main+0x20>
[1]
$ sahm ipu run overlap --abi gpu_activity --signals "$T/units.csv" --max-cycles 10 --json 2>/dev/null | head -n 8
{
  "status": "error",
  "fault": {
    "cause": "instruction budget exhausted",
    "routine": "_main",
    "pc": 112,
    "symbol": "_main+0x20"
  },
## Signals: what a file holds, and its other forms.
$ sahm ipu signals
sahm: error: a file is missing: sahm ipu signals IN [OUT]
[2]
$ sahm ipu signals a b c
sahm: error: one file to read and one to write: 'c' is too many
[2]
$ sahm ipu signals "$T/units.csv"
@T@/units.csv
  form: CSV, a row per change
  rows: 3
  cycles: 0 to 599
  simt_active: 2 values
  tensor_active: 2 values
  memory_active: 2 values
$ cd "$T" && sahm ipu signals units.csv units.sig && sahm ipu signals units.sig units.csv.zst && sahm ipu signals units.csv.zst units.sig.zst
units.sig: 3 rows
units.csv.zst: 3 rows
units.sig.zst: 3 rows
$ cd "$T" && sahm ipu signals units.sig.zst - | diff - units.csv && sahm ipu signals units.sig
-: 3 rows
units.sig
  form: binary, a row per change
  rows: 3
  cycles: 0 to 599
  simt_active: 2 values
  tensor_active: 2 values
  memory_active: 2 values
$ sahm ipu signals "$T/units.sig.zst" --abi gpu_activity
@T@/units.sig.zst
  form: binary, a row per change
  rows: 3
  cycles: 0 to 599
  simt_active: 2 values
  tensor_active: 2 values
  memory_active: 2 values
  input sets by 'gpu_activity': 600
$ sahm ipu signals "$T/units.csv" --abi memory_access
sahm: error: @T@/units.csv:1: 'simt_active' is no signal of 'memory_access'
[1]
## Levels make no input set, with cycles and without; names of an earlier version of the spec are refused.
$ sed 's/^addr.*/&\nformer = ("was_write");/; s/^signals = (/&{ name = "head"; bits = 16; register = 9; level = true; semantics = "PC"; },/' ipu/abi/memory_access.cfg >"$T/level.cfg"; printf 'cycle,head,address,is_write\n0,1,,\n3,2,0x10,1\n9,3,0x10,0\n99,4,,\n' >"$T/level.csv"; printf 'head,address,is_write\n1,,\n2,0x10,1\n,,\n' >"$T/rows.csv"; for f in level rows; do sahm ipu signals "$T/$f.csv" --abi "$T/level.cfg"; done; sahm ipu signals "$T/level.csv" | tail -3
@T@/level.csv
  form: CSV, a row per change
  rows: 4
  cycles: 0 to 99
  head: 4 values of a level
  address: 2 values
  is_write: 2 values
  input sets by 'memory_access': 2
@T@/rows.csv
  form: CSV, a row per cycle
  rows: 3
  cycles: 0 to 2
  head: 2 values of a level
  address: 1 value
  is_write: 1 value
  input sets by 'memory_access': 1
  head: 4 values
  address: 2 values
  is_write: 2 values
$ sahm ipu run watch --abi "$T/level.cfg" --signals "$T/level.csv" --set watch_first=0x10 --set watch_end=0x20
status                               paused
cycles of the HIT                    116
cycles of the IPU                    116
simulated time, ns                   58
input sets                           2
  ignored: not active                0
  skipped: by --mode                 0
  dropped: it was busy               1
  taken                              1
  left in the buffer                 0
drop rate, of dropped + taken        50.000 %
calls of _main                       1
calls of the timer's handler         0
periods that the timer missed        0
instructions                         43
busy cycles                          43
utilisation                          37.069 %
busy cycles per call                 43.000
busy cycles per set taken            43.000
packets                              1
bytes                                8
bytes per second of simulated time   137931034
packets lost                         0
bytes lost                           0
$ printf 'address,was_write\n' >"$T/old.csv"; sahm ipu run watch --abi "$T/level.cfg" --signals "$T/old.csv"
sahm: error: @T@/old.csv:1: 'was_write' is a signal of an earlier version of 'memory_access' (@T@/level.cfg): record the signals again for the present one
[1]
$ head -c 150 "$T/units.sig" | sahm ipu signals -
sahm: error: <stdin>: cut short after row 1
[1]
$ head -c 60 "$T/units.sig.zst" | sahm ipu signals -
sahm: error: <stdin>: compressed data is cut short
[1]
$ sahm ipu run overlap --abi gpu_activity --signals "$T/units.sig.zst" --packets - --packet-format hex 2>/dev/null
5ca4ff
00ffff
002020
## The summary in a file, beside packets on standard output
$ sahm ipu run overlap --abi gpu_activity --signals "$T/units.csv" --packets - -o "$T/told" >"$T/packets"; cmp "$T/told" "$T/summary"; wc -l <"$T/packets"
4
$ sahm ipu run overlap --abi gpu_activity --signals "$T/units.csv" --packets "$T/both" -o "$T/both"
sahm: error: --output and --packets are one file, '@T@/both'
[2]
$ sahm ipu run overlap --abi gpu_activity --signals "$T/units.csv" -o "$T/units.csv"
sahm: error: the result would overwrite '@T@/units.csv', which it is made from
[2]
