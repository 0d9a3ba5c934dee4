## sahm ipu run --soft: soft logic beside the processor counts what the front end fetches; the program sends its counters
$ printf '%s\n' cycle,fetch_pc,fetch_latency 1000,0x400000,15 1002,0x400004, 1004,0x400040,15 1020,0x401000,70 1030,0x400000, 1040,0x401000, > "$T/f.csv"; sahm ipu run ab --soft l1i-entangling --abi fetch --signals "$T/f.csv" --hit-mhz 1300 --packets "$T/p.csv"; cat "$T/p.csv"
status                               paused
cycles of the HIT                    1117
cycles of the IPU                    1718
simulated time, ns                   859
input sets                           6
  ignored: not active                0
  skipped: by --mode                 0
  dropped: it was busy               0
  taken                              6
  left in the buffer                 0
drop rate, of dropped + taken        0.000 %
calls of _main                       6
calls of the timer's handler         0
periods that the timer missed        0
instructions                         106
busy cycles                          178
utilisation                          10.361 %
busy cycles per call                 29.667
busy cycles per set taken            29.667
packets                              1
bytes                                64
bytes per second of simulated time   74505239
packets lost                         0
bytes lost                           0
soft cycles                          1011
input sets for the soft logic        6
  ignored: it did not run            0
  skipped: by --mode                 0
  dropped: in one cycle with another 0
  taken                              6
packets of the soft logic            0
bytes                                0
packets lost                         0
bytes lost                           0
an IPU_pro, quoted                   0.22 mm2, 20.8 mW (dissertation, section 2.5)
sent_at_ipu_cycle,time_ns,nr_bytes,bytes
1717,858,64,05000000000000000300000000000000030000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
$ sahm ipu run ab --soft l1i-entangling --soft-mhz 100 --abi fetch --signals "$T/f.csv" --hit-mhz 1300 --json | sed -n '/"soft"/,$p'
  "soft": {
    "cycles": 78,
    "arrived": 6,
    "ignored": 0,
    "skipped": 0,
    "dropped": 2,
    "taken": 4,
    "packets": 0,
    "bytes": 0,
    "lost_packets": 0,
    "lost_bytes": 0,
    "quoted_area_mm2": 0.22,
    "quoted_power_mw": 20.8
  }
}
## What is wrong with a module is said in one message
$ sahm ipu run ab --soft l1i-entangled --abi fetch --signals "$T/f.csv"
sahm: error: no soft-logic module is called 'l1i-entangled'; did you mean 'l1i-entangling'? (a path has a '/' or a '.')
[2]
$ sahm ipu soft show l1i-entangled
sahm: error: no soft-logic module is called 'l1i-entangled'; did you mean 'l1i-entangling'? (a path has a '/' or a '.')
[2]
$ sahm ipu soft show hash-counter | head -4
hash-counter: soft-logic module 'hash-counter' 1.0.0

input                             bits
address                             64
$ sahm ipu soft
sahm: error: 'ipu soft' needs a third word: build, new, show (sahm help ipu soft)
[2]
$ sahm ipu soft --help >"$T/a"; sahm help ipu soft | cmp - "$T/a"
$ sahm ipu soft new always-comb
sahm: error: bad name 'always-comb', 'always_comb' is a keyword of Verilog
[2]
$ sahm ipu soft build --top a watcher.c
sahm: error: 'watcher.c' is not Verilog (.v, .sv); C modules are built with cc (docs/soft-logic.md)
[2]
$ sahm ipu run ab --soft none.so --abi fetch --signals "$T/f.csv"
sahm: error: cannot open 'none.so': No such file or directory
[1]
$ sahm ipu run ab --soft-mhz 1000 --abi fetch --signals "$T/f.csv"
sahm: error: --soft-mhz has no effect without --soft
[2]
$ sahm ipu run ab --soft l1i-entangling --abi core --signals "$T/f.csv"
sahm: error: @ROOT@/ipu/programs/prebuilt/ab.elf: it reads 'fetch_pc', which the ABI spec 'core' lacks (@ROOT@/ipu/abi/core.cfg)
[1]
$ sahm ipu run ab --abi fetch --signals "$T/f.csv" 2>&1 | tail -1
sahm: error: the IPU is in ERROR: store outside memory in init at pc 0x0000004c <begin+0xc>, address 0x90001000 (a register of soft logic, which --soft gives a unit)
$ cp "$(dirname "$(command -v sahm)")"/tests/soft/*.so "$T"; cd "$T"; for m in other_abi false_width no_function escapes_on_load sums; do sahm ipu run ab --soft "soft_$m.so" --abi fetch --signals f.csv; done; sahm ipu run ab --soft f.csv --abi fetch --signals f.csv
sahm: error: soft_other_abi.so: built for version 2 of the soft-logic interface, this sahm has version 1: build it again with this sahm's ipu/soft/module.h
sahm: error: soft_false_width.so: its input 'a' has 65 bits, not 1 to 64
sahm: error: soft_no_function.so: not a soft-logic module: it has no function sahm_soft_module()
sahm: error: soft logic 'soft_escapes_on_load.so' has failed while it was loaded: it made a system call that its sandbox does not allow
sahm: error: soft_sums.so: soft logic 'sums' has an input 'a', which is no signal of 'fetch'
sahm: error: f.csv: not a shared object
[1]
## Sessions have it, too: the journal keeps the module's hash
$ cd "$T"; printf '%s\n' 'name = "sums";' 'signals = ( { name = "a"; bits = 8; register = 0; rate = 0; semantics = "a number"; }, { name = "b_2"; bits = 64; register = 1; rate = 0; semantics = "another"; } );' > sums.cfg; sahm ipu attach s --abi ./sums.cfg --soft soft_sums.so --soft-mhz 500 && sed 's/[0-9a-f]\{64\}/HASH/g' s; echo x >> soft_sums.so; sahm ipu status s; sahm ipu attach u --abi ./sums.cfg --soft-mhz 5; echo "policy = \"permissive\"; confidential = true;" > conf.cfg; sahm ipu attach v --abi ./sums.cfg --soft soft_sums.so --trust ./conf.cfg
unit 0 at addresses 0x00000000 to 0x0000ffff
sahm-ipu-session 1
attach abi=sums.cfg soft=soft_sums.so soft-mhz=500 hash=HASH soft-hash=HASH
sahm: error: s:2: '@T@/soft_sums.so' has changed since this 'attach'
sahm: error: a clock of soft logic without soft logic
sahm: error: soft logic 'soft_sums.so' is refused: confidential mode, no program runs
[1]
## Signed together: a program runs with exactly the module that it is signed with
$ cd "$T"; P="$OLDPWD/ipu/programs/prebuilt"; cp "$P/ab.elf" .; sahm ipu keygen lab >row 2>said; sahm ipu sign --key lab.key --abi fetch --soft soft_no_function.so ab.elf 2>&1 | sed 's/[0-9a-f]\{32\}/ID/'; { echo 'policy = "permissive";'; echo "keys = ( $(cat row) );"; } > trust.cfg; sahm ipu run ./ab.elf --soft soft_no_function.so --abi fetch --signals f.csv --trust trust.cfg; sahm ipu run ./ab.elf --soft soft_other_abi.so --abi fetch --signals f.csv --trust trust.cfg; sahm ipu run ./ab.elf --soft l1i-entangling --abi fetch --signals f.csv --trust trust.cfg; sahm ipu sign --key lab.key --abi fetch --soft l1i-entangling ab.elf 2>/dev/null; sahm ipu run ./ab.elf --soft l1i-entangling --abi fetch --signals f.csv --trust trust.cfg | head -1
ab.elf.sig: 'ab' 1.0.0 with its soft logic, for the ABI 'fetch', signed with the key ID
sahm: error: soft_no_function.so: not a soft-logic module: it has no function sahm_soft_module()
sahm: error: ./ab.elf: its soft logic 'soft_other_abi.so' is not that with which it was signed
sahm: error: ./ab.elf: its soft logic 'l1i-entangling' is not that with which it was signed
status                               paused
## In a run: the key introspection.soft
$ printf '%s\n' 'chip : { cores = ( { type = "baseline"; } ); };' 'workload : { duration_ms = 50; traces = ( "gzip.csv" ); };' 'introspection : { image = "classify"; };' > "$T/c.cfg"; sahm run "$T/c.cfg" --set 'introspection.soft="l1i-entangling"'
sahm: error: --set introspection.soft="l1i-entangling": l1i-entangling: soft logic 'l1i-entangling' has an input 'fetch_pc', which is no signal of 'core'
[2]
$ sahm run "$T/c.cfg" --set 'introspection.soft="l1i"'
sahm: error: --set introspection.soft="l1i": no soft-logic module is called 'l1i'; did you mean 'l1i-entangling'? (a path has a '/' or a '.')
[2]
$ sahm run "$T/c.cfg" --set 'introspection.soft="./none.so"'
sahm: error: --set introspection.soft="./none.so": cannot open module './none.so': No such file or directory
[1]
