## Cycle stacks as an IPU beside the core sees them, below the exact ones. A random branch is the instruction of most cycles.
$ cd "$T"; s="$OLDPWD"/tests/data/cases/coin.stream; sahm core pics "$s" --ipu pics --ipu-set period=1009 --top 2 2>/dev/null | sed -n '/^As an/,$p'
As an introspection unit sees it: program pics, core at 3200 MHz, unit at 2000 MHz, mode every
Cycles with an event: 6.68 % (dissertation: below 25 %)
Input sets: 18179, of which 71.14 % dropped
Samples: 257, each for 1009 cycles

PC       events  cycles     %  instruction
------------------------------------------
0x11048  FL-MB   147314  56.8  coin+0x1048
0x1104a  Base     35315  13.6  coin+0x104a
... and 11 more rows (--top)
$ cd "$T"; s="$OLDPWD"/tests/data/cases/stores.stream; sahm core pics "$s" --ipu pics --ipu-set period=1009 --mode window=16 --top 1 2>/dev/null | sed -n '/^As an/,$p'
As an introspection unit sees it: program pics, core at 3200 MHz, unit at 2000 MHz, mode window=16
Cycles with an event: 2.57 % (dissertation: below 25 %)
Input sets: 33284, of which 29.50 % dropped
Samples: 1263, each for 1009 cycles

PC       events   cycles     %  instruction
---------------------------------------------
0x11028  DR-SQ   1164386  91.4  stores+0x1028
... and 2 more rows (--top)
$ cd "$T"; s="$OLDPWD"/tests/data/cases/coin.stream; sahm core pics "$s" --ipu pics --ipu-set period=1009 --csv --top 2 2>/dev/null
pc,events,signature,samples,cycles,place
0x11048,FL-MB,8,146,147314,coin+0x1048
0x1104a,Base,0,35,35315,coin+0x104a
$ cd "$T"; s="$OLDPWD"/tests/data/cases/coin.stream; sahm core pics "$s" --ipu pics --ipu-set period=1009 --mode sub-sample=2 --json --top 1 2>/dev/null | sed -n '/"ipu": {/,$p'
      "ipu": {
        "program": "pics",
        "mode": "sub-sample=2",
        "hit_mhz": 3200,
        "ipu_mhz": 2000,
        "period_cycles": 1009,
        "event_cycles": 17347,
        "lost_fetch_events": 0,
        "lost_access_events": 0,
        "lost_flush_events": 0,
        "sets": 18179,
        "sets_ignored": 0,
        "sets_skipped": 9089,
        "sets_dropped": 4159,
        "sets_taken": 4931,
        "ipu_instructions": 139800,
        "ipu_busy_cycles": 139800,
        "missed_periods": 0,
        "packets": 257,
        "packets_lost": 0,
        "packets_rejected": 0,
        "bytes": 1542,
        "samples": 257,
        "rows": [
          {"pc": "0x11048", "events": "FL-MB", "samples": 146}
        ]
      }
    }
  ]
}
$ cd "$T"; s="$OLDPWD"/tests/data/streams/rv64.stream; sahm core pics "$s" --ipu pics --by program 2>/dev/null | sed -n '/^As an/,$p'
As an introspection unit sees it: program pics, core at 3200 MHz, unit at 2000 MHz, mode every
Cycles with an event: 1.62 % (dissertation: below 25 %)
Input sets: 18, of which 55.56 % dropped
Samples: 0, each for 400000 cycles; a smaller period takes some

## The stacks are the same bytes with and without, in all modes and by each engine.
$ cd "$T"; s="$OLDPWD"/tests/data/streams/sort.stream; sahm core pics "$s" >a.txt; sahm core pics "$s" --json | sed '/^      "ipu": {/,/^      }/d' | tr -d ',' >a.json; for m in every sub-sample=1 sub-sample=3 window=1 window=16 phases=3200 phases=2000; do for e in interp jit; do sahm core pics "$s" --ipu pics --mode $m --engine $e --ipu-set period=500 2>/dev/null | sed '/^As an introspection/,$d' | sed '$d' | cmp - a.txt; sahm core pics "$s" --ipu pics --mode $m --engine $e --json 2>/dev/null | sed '/^      "ipu": {/,/^      }/d' | tr -d ',' | cmp - a.json; done; done; wc -l <a.txt
71
## A recording of the whole run gives the same packets.
$ cd "$T"; s="$OLDPWD"/tests/data/streams/sort.stream; sahm core signals "$s" -c tea --abi pics --cycles 1000000 -o w.sig 2>/dev/null; for m in every window=4; do sahm core pics "$s" --ipu pics --ipu-set period=500 --mode $m --packets live.csv --force >/dev/null; sahm ipu run pics --abi pics --signals w.sig --hit-mhz 3200 --ipu-mhz 2000 --mode $m --set period=500 --packets replayed.csv --force >/dev/null; cmp live.csv replayed.csv; done; head -3 live.csv
sent_at_ipu_cycle,time_ns,nr_bytes,bytes
752,376,6,19e500000000
1085,542,6,6bf40000c301
## Mistakes.
$ sahm core pics tests/data/streams/rv64.stream --mode every
sahm: error: --mode has no effect without --ipu
[2]
$ sahm core pics tests/data/streams/rv64.stream --ipu-set period=5
sahm: error: --ipu-set has no effect without --ipu
[2]
$ sahm core pics tests/data/streams/rv64.stream --ipu pics -c tea -c u74
sahm: error: --ipu looks at one stream on one core
[2]
$ sahm core pics tests/data/streams/rv64.stream --ipu pics --compare
sahm: error: --compare takes two streams and a core, or two cores and a stream, not 1 stream and 1 core
[2]
$ sahm core pics tests/data/streams/rv64.stream --ipu pics --folded
sahm: error: --ipu looks at a program as it is: without --folded
[2]
$ sahm core pics tests/data/streams/rv64.stream --ipu pisc
sahm: error: no introspection program is called 'pisc'; did you mean 'pics'? (a path of your own has a / or a . in it)
[2]
$ sahm core pics tests/data/streams/rv64.stream --ipu pics --mode windows=3
sahm: error: --mode is 'windows=3', must be every, sub-sample=K, window=N or phases=MHZ; did you mean 'window'?
[2]
$ sahm core pics tests/data/streams/rv64.stream --ipu pics --ipu-set perod=5
sahm: error: setting 'perod=5': @ROOT@/ipu/programs/prebuilt/pics.elf has no variable 'perod'; did you mean 'period'?
[2]
$ sahm core pics tests/data/streams/rv64.stream --ipu histogram
sahm: error: @ROOT@/ipu/programs/prebuilt/histogram.elf: it reads 'v0', which the ABI spec 'pics' lacks (@ROOT@/ipu/abi/pics.cfg)
[1]
$ sahm core pics tests/data/streams/rv64.stream --ipu histogram --abi l1d_write
sahm: error: @ROOT@/ipu/abi/l1d_write.cfg: a pipeline has no signal 'v0'
[1]
$ printf 'cycle,pc_commit\n0,1\n' >"$T/old.csv"; sahm ipu run pics --abi pics --signals "$T/old.csv"
sahm: error: @T@/old.csv:1: 'pc_commit' is a signal of an earlier version of 'pics' (@ROOT@/ipu/abi/pics.cfg): record the signals again for the present one
[1]
