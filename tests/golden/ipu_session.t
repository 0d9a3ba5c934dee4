## Command lines that cannot be understood.
$ sahm ipu attach; sahm ipu attach "$T/s"; sahm ipu attach "$T/s" x --abi memory_access
sahm: error: SESSION is missing: sahm ipu attach SESSION
sahm: error: --abi is missing: sahm ipu attach SESSION --abi SPEC
sahm: error: 'x' is too many: sahm ipu attach SESSION
[2]
$ sahm ipu attach "$T/s" --abi memory_acess
sahm: error: no ABI spec is called 'memory_acess'; did you mean 'memory_access'? (a path of your own has a / or a . in it)
[2]
$ sahm ipu attach "$T/s" --abi memory_access --unit 2
sahm: error: unknown option '--unit'; did you mean '--units'?
[2]
$ for units in 0 4097 x; do sahm ipu attach "$T/s" --abi memory_access --units $units; done
sahm: error: --units is '0', must be a whole number from 1 to 4096
sahm: error: --units is '4097', must be a whole number from 1 to 4096
sahm: error: --units is 'x', must be a whole number from 1 to 4096
[2]
$ for mode in evry sub-sample every=3 window=4097; do sahm ipu attach "$T/s" --abi memory_access --mode $mode; done
sahm: error: --mode is 'evry', must be every, sub-sample=K, window=N or phases=MHZ; did you mean 'every'?
sahm: error: --mode is 'sub-sample', must be sub-sample=K, a whole number from 1 to 4294967295
sahm: error: --mode is 'every=3', but 'every' takes no number
sahm: error: --mode is 'window=4097', must be window=N, a whole number from 1 to 4096
[2]
$ sahm ipu attach "$T/s" --abi memory_access --hit-mhz 0; sahm ipu attach "$T/s" --abi memory_access --fifo 15
sahm: error: --hit-mhz is '0', must be a whole number from 1 to 1000000
sahm: error: --fifo is '15', must be a whole number from 16 to 2147483647
[2]
$ for option in max-cycles limit; do sahm ipu attach "$T/s" --abi memory_access --$option 1000000000000001; done
sahm: error: --max-cycles is '1000000000000001', must be a whole number from 1 to 1000000000000000
sahm: error: --limit is '1000000000000001', must be a whole number from 1 to 1000000000000000
[2]
$ sahm ipu attach "$T/s" --abi -
sahm: error: --abi is '-', must be a file that is there for later calls, too
[2]
$ sahm ipu attach "$T/no/s" --abi memory_access
sahm: error: cannot open '@T@/no/s': No such file or directory
[1]
$ sahm ipu config-image; sahm ipu config-image "$T/s"; sahm ipu config-start "$T/s"; sahm ipu feed "$T/s"; sahm ipu pause "$T/s" now
sahm: error: SESSION is missing: sahm ipu config-image SESSION IMAGE
sahm: error: IMAGE is missing: sahm ipu config-image SESSION IMAGE
sahm: error: ADDR is missing: sahm ipu config-start SESSION ADDR
sahm: error: SIGNALS is missing: sahm ipu feed SESSION SIGNALS
sahm: error: 'now' is too many: sahm ipu pause SESSION
[2]
$ sahm ipu config-start "$T/s" ROI_BEGIN; sahm ipu config-stop "$T/s" -1; sahm ipu wait "$T/s" --cycles 0; sahm ipu drain "$T/s" --unit all
sahm: error: address is 'ROI_BEGIN', must be a whole number below 2^64, hexadecimal after 0x
sahm: error: unknown option '-1' (--help lists them)
sahm: error: --cycles is '0', must be a whole number from 1 to 1000000000000000
sahm: error: --unit is 'all', must be a whole number from 0 to 4095
[2]
$ for call in "config-image IMAGE" config-start config-stop pause resume finalize feed wait drain status; do sahm ipu ${call% *} "$T/none" $(case $call in *IMAGE) echo watch ;; config-st*) echo 1 ;; feed) echo x.csv ;; esac); done
sahm: error: cannot open '@T@/none': No such file or directory
sahm: error: cannot open '@T@/none': No such file or directory
sahm: error: cannot open '@T@/none': No such file or directory
sahm: error: cannot open '@T@/none': No such file or directory
sahm: error: cannot open '@T@/none': No such file or directory
sahm: error: cannot open '@T@/none': No such file or directory
sahm: error: cannot open '@T@/none': No such file or directory
sahm: error: cannot open '@T@/none': No such file or directory
sahm: error: cannot open '@T@/none': No such file or directory
sahm: error: cannot open '@T@/none': No such file or directory
[1]
$ sahm ipu status; sahm ipu status a b
sahm: error: SESSION is missing: sahm ipu status SESSION
sahm: error: 'b' is too many: sahm ipu status SESSION
[2]
$ ls "$T"
## A life. The program counts accesses to the addresses from 0x1000 to 0x1fff, between the accesses to 0x10 and 0x20.
$ printf 'cycle,address,is_write\n0,0x1000,0\n100,0x10,0\n200,0x1000,1\n300,0x1ffc,0\n305,0x1004,1\n400,0x2000,1\n500,0x20,0\n600,0x1000,1\n' > "$T/a.csv"
$ sahm ipu attach "$T/s" --abi memory_access --units 2
units 0 to 1 at addresses 0x00000000 to 0x0001ffff
$ sahm ipu attach "$T/s" --abi gpu_activity --add --hit-mhz 1500 --mode window=4
unit 2 at addresses 0x00020000 to 0x0002ffff
$ sahm ipu config-image "$T/s" watch --set watch_first=0x1000 --set watch_end=0x2000
unit 0 at cycle 0: paused
$ sahm ipu config-start "$T/s" 0x10 && sahm ipu config-stop "$T/s" 32
unit 0 at cycle 0: paused
unit 0 at cycle 0: paused
$ sahm ipu status "$T/s"
unit  addresses                      cycle          TS          TE   arrived     taken   dropped   packets      lost  waiting  status
   0  0x00000000 to 0x0000ffff           0        0x10        0x20         0         0         0         0         0        0  paused
   1  0x00010000 to 0x0001ffff           0           -           -         0         0         0         0         0        0  undefined
   2  0x00020000 to 0x0002ffff           0           -           -         0         0         0         0         0        0  undefined
$ sahm ipu feed "$T/s" "$T/a.csv"
unit 0 at cycle 601: paused
$ sahm ipu drain "$T/s"
sent_at_ipu_cycle,time_ns,nr_bytes,bytes
$ sahm ipu finalize "$T/s"
unit 0 at cycle 601: finalizing
$ sahm ipu drain "$T/s"
sent_at_ipu_cycle,time_ns,nr_bytes,bytes
$ sahm ipu wait "$T/s"
unit 0 at cycle 617: paused
$ sahm ipu drain "$T/s"
sent_at_ipu_cycle,time_ns,nr_bytes,bytes
614,307,8,0200000001000000
$ sahm ipu drain "$T/s"
sent_at_ipu_cycle,time_ns,nr_bytes,bytes
$ sahm ipu status "$T/s"
unit  addresses                      cycle          TS          TE   arrived     taken   dropped   packets      lost  waiting  status
   0  0x00000000 to 0x0000ffff         617        0x10        0x20         8         4         1         1         0        0  paused
   1  0x00010000 to 0x0001ffff           0           -           -         0         0         0         0         0        0  undefined
   2  0x00020000 to 0x0002ffff           0           -           -         0         0         0         0         0        0  undefined
## The journal: what has been said so far.
$ sed 's/hash=[0-9a-f]*/hash=.../; s|\([a-z]*\)="\(.*\)"|\1=\2|; s| [a-z]*=/.*/| .../|' "$T/s"
sahm-ipu-session 1
attach .../memory_access.cfg units=2 hash=...
attach .../gpu_activity.cfg add=yes hit-mhz=1500 mode=window=4 hash=...
config-image .../watch.elf set=watch_first=0x1000 set=watch_end=0x2000 hash=...
config-start address=0x10
config-stop address=0x20
feed signals=a.csv hash=...
drain
finalize
drain
wait
drain
drain
## Other units are on their own; PAUSE and RESUME, and a program for each.
$ sahm ipu config-image "$T/s" watch --unit 1 --set watch_period=1 --set watch_end=-1
unit 1 at cycle 0: paused
$ sahm ipu resume "$T/s" --unit 1
unit 1 at cycle 0: active, paused
$ sahm ipu feed "$T/s" "$T/a.csv" --unit 1
unit 1 at cycle 601: active, running
$ sahm ipu drain "$T/s" --unit 1
sent_at_ipu_cycle,time_ns,nr_bytes,bytes
32,16,8,0100000000000000
132,66,8,0100000000000000
232,116,8,0100000001000000
332,166,8,0100000000000000
432,216,8,0100000001000000
532,266,8,0100000000000000
$ sahm ipu pause "$T/s" --unit 1 && sahm ipu feed "$T/s" "$T/a.csv" --unit 1 && sahm ipu resume "$T/s" --unit 1
unit 1 at cycle 601: active, running
unit 1 at cycle 1202: paused
unit 1 at cycle 1202: active, paused
$ sahm ipu wait "$T/s" --unit all --cycles 1000
unit 0 at cycle 1617: paused
unit 1 at cycle 2202: active, paused
unit 2 at cycle 1000: undefined
$ sahm ipu config-image "$T/s" overlap --unit 2
unit 2 at cycle 1000: paused
$ sahm ipu status "$T/s"
unit  addresses                      cycle          TS          TE   arrived     taken   dropped   packets      lost  waiting  status
   0  0x00000000 to 0x0000ffff        1617        0x10        0x20         8         4         1         1         0        0  paused
   1  0x00010000 to 0x0001ffff        2202           -           -        16         7         2         7         0       24  active, paused
   2  0x00020000 to 0x0002ffff        1000           -           -         0         0         0         0         0        0  paused
## What is refused changes nothing.
$ cp "$T/s" "$T/before"
$ sahm ipu attach "$T/s" --abi memory_access
sahm: error: the session '@T@/s' is there already; --add gives it more units
[2]
$ sahm ipu pause "$T/s" --unit 3
sahm: error: there is no unit 3, the session has 3
[1]
$ sahm ipu config-image "$T/s" watch --unit 2
sahm: error: @ROOT@/ipu/programs/prebuilt/watch.elf: it reads 'is_write', which the ABI spec 'gpu_activity' lacks (@ROOT@/ipu/abi/gpu_activity.cfg)
[1]
$ sahm ipu config-image "$T/s" watch --unit all
sahm: error: @ROOT@/ipu/programs/prebuilt/watch.elf: it reads 'is_write', which the ABI spec 'gpu_activity' lacks (@ROOT@/ipu/abi/gpu_activity.cfg)
[1]
$ sahm ipu config-image "$T/s" watch --set watch_frist=1
sahm: error: setting 'watch_frist=1': @ROOT@/ipu/programs/prebuilt/watch.elf has no variable 'watch_frist'; did you mean 'watch_first'?
[2]
$ sahm ipu config-image "$T/s" wacht; sahm ipu config-image "$T/s" ./no.elf; sahm ipu config-image "$T/s" README.md
sahm: error: no introspection program is called 'wacht'; did you mean 'watch'? (a path of your own has a / or a . in it)
sahm: error: cannot open './no.elf': No such file or directory
sahm: error: README.md: not an ELF file
[1]
$ sahm ipu feed "$T/s" "$T/a.csv" --unit 2
sahm: error: @T@/a.csv:1: 'address' is no signal of 'gpu_activity'
[1]
$ sahm ipu feed "$T/s" "$T/no.csv"
sahm: error: cannot open '@T@/no.csv': No such file or directory
[1]
$ sahm ipu wait "$T/s" --cycles 5 > /dev/full
sahm: error: cannot write standard output: No space left on device
[1]
$ sahm ipu attach "$T/s" --abi memory_access --add > /dev/full
sahm: error: cannot write standard output: No space left on device
[1]
$ mkfifo "$T/pipe"; timeout 20 sahm ipu feed "$T/s" "$T/pipe"; timeout 20 sahm ipu feed "$T/s" /dev/zero; timeout 20 sahm ipu status "$T/pipe"; rm "$T/pipe"
sahm: error: cannot open '@T@/pipe': it is not a regular file
sahm: error: cannot open '/dev/zero': it is not a regular file
sahm: error: cannot open '@T@/pipe': it is not a regular file
$ sahm ipu drain "$T/s" --unit 1 > /dev/full
sahm: error: cannot write standard output: No space left on device
[1]
$ cmp "$T/s" "$T/before"
## A copy goes its own way; a session and its files can move together.
$ mkdir "$T/b" && mv "$T/a.csv" "$T/b" && mv "$T/before" "$T/b/s" && sahm ipu wait "$T/b/s" && ls -a "$T/b"
unit 0 at cycle 1617: paused
.
..
a.csv
s
$ sahm ipu status "$T/s"
sahm: error: @T@/s:7: cannot open '@T@/a.csv': No such file or directory
[1]
## Files that have changed, and journals that nobody wrote.
$ echo 700,0,0 >> "$T/b/a.csv"; sahm ipu status "$T/b/s"
sahm: error: @T@/b/s:7: '@T@/b/a.csv' has changed since this 'feed'
[1]
$ sahm ipu status README.md; : > "$T/e"; sahm ipu status "$T/e"; sahm ipu status "$T"; sahm ipu pause "$T"
sahm: error: README.md: not a session: its first line is not 'sahm-ipu-session 1'
sahm: error: @T@/e: not a session: it is empty
sahm: error: cannot open '@T@': it is not a regular file
sahm: error: cannot open '@T@': Is a directory
[1]
$ printf 'sahm-ipu-session 1\npuase\n' > "$T/e"; sahm ipu pause "$T/e"; printf 'sahm-ipu-session 1\npause' > "$T/e"; sahm ipu pause "$T/e"
sahm: error: @T@/e:2: unknown call 'puase'; did you mean 'pause'?
sahm: error: @T@/e:2: cut short: the line has no end
[1]
$ printf 'sahm-ipu-session 1\npause\n' > "$T/e"; sahm ipu resume "$T/e"; cat "$T/e"
sahm: error: @T@/e:2: the session has no units yet: 'attach' gives it some
sahm-ipu-session 1
pause
## An empty file will do for a new session; a link keeps leading to it.
$ : > "$T/e"; ln -s e "$T/link"; sahm ipu attach "$T/link" --abi memory_access && readlink "$T/link" && sed -n 1p "$T/e"
unit 0 at addresses 0x00000000 to 0x0000ffff
e
sahm-ipu-session 1
## Named by a link, in another folder, a session finds its files where it is itself.
$ printf '0x1000,0\n' > "$T/b/l.csv"; sed -i '1i address,is_write' "$T/b/l.csv"; sahm ipu attach "$T/b/l" --abi memory_access --max-cycles 5 && ln -s b/l "$T/l"; sahm ipu feed "$T/l" "$T/b/l.csv" && sed -n '$s/hash.*//p' "$T/b/l"
unit 0 at addresses 0x00000000 to 0x0000ffff
unit 0 at cycle 1: undefined
feed signals=l.csv 
$ cp "$T/b/l.csv" "$T/b/-"; sahm ipu feed "$T/l" "$T/b/-" > /dev/null && sahm ipu wait "$T/l"
unit 0 at cycle 2: undefined
$ name=$(printf 'a\nb'); cp "$T/b/l.csv" "$T/b/$name"; sahm ipu feed "$T/l" "$T/b/$name"
sahm: error: signals is '@T@/b/a?b', has a control character in it
[2]
## A routine that takes too long.
$ sahm ipu config-image "$T/l" watch && sahm ipu resume "$T/l" && sahm ipu feed "$T/l" "$T/b/l.csv" && sahm ipu wait "$T/l"
unit 0 at cycle 2: paused
unit 0 at cycle 2: active, paused
unit 0 at cycle 3: active, running
unit 0 at cycle 7: error: instruction budget exhausted in _main at pc 0x0054
$ sahm ipu status "$T/l"; sahm ipu resume "$T/l"; sahm ipu config-image "$T/l" watch
unit  addresses                      cycle          TS          TE   arrived     taken   dropped   packets      lost  waiting  status
   0  0x00000000 to 0x0000ffff           7           -           -         1         1         0         0         0        0  error: instruction budget exhausted in _main at pc 0x0054
unit 0 at cycle 7: error: instruction budget exhausted in _main at pc 0x0054
unit 0 at cycle 7: paused
## Many calls at once: none is lost.
$ for i in 1 2 3 4 5 6 7 8; do sahm ipu config-start "$T/e" $i > /dev/null & done; wait; grep -c config-start "$T/e"
8
## Levels beside a session's input sets: rows that only change them are no sets.
$ sed 's/^signals = (/&{ name = "head"; bits = 16; register = 9; level = true; semantics = "PC"; },/' ipu/abi/memory_access.cfg >"$T/level.cfg"; printf 'head,address,is_write\n1,,\n2,0x10,1\n3,,\n' >"$T/level.csv"; sahm ipu attach "$T/lv" --abi "$T/level.cfg" && sahm ipu config-image "$T/lv" watch && sahm ipu wait "$T/lv" && sahm ipu resume "$T/lv" && sahm ipu feed "$T/lv" "$T/level.csv" && sahm ipu status "$T/lv"
unit 0 at addresses 0x00000000 to 0x0000ffff
unit 0 at cycle 0: paused
unit 0 at cycle 0: paused
unit 0 at cycle 0: active, paused
unit 0 at cycle 3: active, running
unit  addresses                      cycle          TS          TE   arrived     taken   dropped   packets      lost  waiting  status
   0  0x00000000 to 0x0000ffff           3           -           -         1         1         0         0         0        0  active, running
