## The published graph of a synthetic trace (tests/data/graph/README.md): in order, out of order, with statistical models.
$ sahm core graph -c tests/data/graph/in-order.cfg tests/data/graph/dot-product.trace
Instructions: 68
CPI: 3.838
Length: 261
Good fetch hit cycles: 0% (0)
Good fetch miss cycles: 0% (0)
Bad fetch hit cycles: 1.149% (3)
Bad fetch miss cycles: 0% (0)
Decode cycles: 1.533% (4)
Dispatch cycles: 0.7663% (2)
Int cycles: 9.195% (24)
FP cycles: 15.33% (40)
LS cycles: 8.046% (21)
Load L1 hit cycles: 0% (0)
Load L2 hit cycles: 0% (0)
Load miss cycles: 45.98% (120)
Store L1 hit cycles: 0% (0)
Store L2 hit cycles: 0% (0)
Store miss cycles: 15.71% (41)
Branch cycles: 1.149% (3)
Syscall cycles: 0% (0)
Atomic cycles: 0.3831% (1)
Other cycles: 0% (0)
Commit cycles: 0.7663% (2)
$ sahm core graph -c tests/data/graph/out-of-order.cfg tests/data/graph/dot-product.trace
Instructions: 68
CPI: 3.559
Length: 242
Good fetch hit cycles: 0% (0)
Good fetch miss cycles: 0% (0)
Bad fetch hit cycles: 1.24% (3)
Bad fetch miss cycles: 0% (0)
Decode cycles: 2.479% (6)
Dispatch cycles: 1.24% (3)
Int cycles: 11.98% (29)
FP cycles: 7.851% (19)
LS cycles: 55.37% (134)
Load L1 hit cycles: 0% (0)
Load L2 hit cycles: 0% (0)
Load miss cycles: 0% (0)
Store L1 hit cycles: 0.4132% (1)
Store L2 hit cycles: 0% (0)
Store miss cycles: 16.94% (41)
Branch cycles: 0.8264% (2)
Syscall cycles: 0% (0)
Atomic cycles: 0.4132% (1)
Other cycles: 0% (0)
Commit cycles: 1.24% (3)
$ sahm core graph -c tests/data/graph/out-of-order.cfg --algorithm two_pass tests/data/graph/dot-product.trace | head -n 3; sahm core graph -c tests/data/graph/in-order.cfg --algorithm inorder tests/data/graph/dot-product.trace | sed -n 3p; sahm core graph -c tests/data/graph/out-of-order.cfg --algorithm sliding_exact tests/data/graph/dot-product.trace | sed -n 3p
Instructions: 68
CPI: 3.632
Length: 247
Length: 261
Length: 242
$ for s in 1 1 2; do sahm core graph -c tests/data/graph/statistical.cfg --seed $s --algorithm two_pass tests/data/graph/dot-product.trace | sed -n 3p; done
sahm: warning: tests/data/graph/dot-product.trace:2: a line that the configuration does not ask for is ignored (162 in all)
Length: 104
sahm: warning: tests/data/graph/dot-product.trace:2: a line that the configuration does not ask for is ignored (162 in all)
Length: 104
sahm: warning: tests/data/graph/dot-product.trace:2: a line that the configuration does not ask for is ignored (162 in all)
Length: 160
$ sahm core graph --json -c tests/data/graph/statistical.cfg tests/data/graph/dot-product.trace
sahm: warning: tests/data/graph/dot-product.trace:2: a line that the configuration does not ask for is ignored (162 in all)
{
  "format": "sahm-core-graph/1",
  "trace": "tests/data/graph/dot-product.trace",
  "config": "tests/data/graph/statistical.cfg",
  "algorithm": "sliding_exact",
  "seed": 1,
  "instructions": 68,
  "length": 111,
  "cpi": 1.6323529411764706,
  "cycles": {
    "good_fetch_hit": 0,
    "good_fetch_miss": 0,
    "bad_fetch_hit": 0,
    "bad_fetch_miss": 0,
    "decode": 10,
    "dispatch": 9,
    "int": 25,
    "fp": 30,
    "ls": 17,
    "load_l1_hit": 6,
    "load_l2_hit": 0,
    "load_miss": 0,
    "store_l1_hit": 7,
    "store_l2_hit": 0,
    "store_miss": 0,
    "branch": 0,
    "syscall": 0,
    "atomic": 1,
    "other": 0,
    "commit": 6
  }
}
$ sahm core graph --csv -c tests/data/graph/in-order.cfg tests/data/graph/dot-product.trace
trace,config,core,algorithm,seed,instructions,length,cause,cycles
tests/data/graph/dot-product.trace,tests/data/graph/in-order.cfg,"",inorder,"",68,261,good_fetch_hit,0
tests/data/graph/dot-product.trace,tests/data/graph/in-order.cfg,"",inorder,"",68,261,good_fetch_miss,0
tests/data/graph/dot-product.trace,tests/data/graph/in-order.cfg,"",inorder,"",68,261,bad_fetch_hit,3
tests/data/graph/dot-product.trace,tests/data/graph/in-order.cfg,"",inorder,"",68,261,bad_fetch_miss,0
tests/data/graph/dot-product.trace,tests/data/graph/in-order.cfg,"",inorder,"",68,261,decode,4
tests/data/graph/dot-product.trace,tests/data/graph/in-order.cfg,"",inorder,"",68,261,dispatch,2
tests/data/graph/dot-product.trace,tests/data/graph/in-order.cfg,"",inorder,"",68,261,int,24
tests/data/graph/dot-product.trace,tests/data/graph/in-order.cfg,"",inorder,"",68,261,fp,40
tests/data/graph/dot-product.trace,tests/data/graph/in-order.cfg,"",inorder,"",68,261,ls,21
tests/data/graph/dot-product.trace,tests/data/graph/in-order.cfg,"",inorder,"",68,261,load_l1_hit,0
tests/data/graph/dot-product.trace,tests/data/graph/in-order.cfg,"",inorder,"",68,261,load_l2_hit,0
tests/data/graph/dot-product.trace,tests/data/graph/in-order.cfg,"",inorder,"",68,261,load_miss,120
tests/data/graph/dot-product.trace,tests/data/graph/in-order.cfg,"",inorder,"",68,261,store_l1_hit,0
tests/data/graph/dot-product.trace,tests/data/graph/in-order.cfg,"",inorder,"",68,261,store_l2_hit,0
tests/data/graph/dot-product.trace,tests/data/graph/in-order.cfg,"",inorder,"",68,261,store_miss,41
tests/data/graph/dot-product.trace,tests/data/graph/in-order.cfg,"",inorder,"",68,261,branch,3
tests/data/graph/dot-product.trace,tests/data/graph/in-order.cfg,"",inorder,"",68,261,syscall,0
tests/data/graph/dot-product.trace,tests/data/graph/in-order.cfg,"",inorder,"",68,261,atomic,1
tests/data/graph/dot-product.trace,tests/data/graph/in-order.cfg,"",inorder,"",68,261,other,0
tests/data/graph/dot-product.trace,tests/data/graph/in-order.cfg,"",inorder,"",68,261,commit,2
## Compressed and from standard input it is the same; --result writes the lines that scripts read.
$ sahm core graph -c tests/data/graph/in-order.cfg tests/data/graph/dot-product.trace --result "$T/a.txt" >"$T/plain"; gzip -c tests/data/graph/dot-product.trace >"$T/t.gz"; xz -c tests/data/graph/dot-product.trace >"$T/t.xz"; for t in "$T/t.gz" "$T/t.xz" -; do sahm core graph -c tests/data/graph/in-order.cfg "$t" <tests/data/graph/dot-product.trace | cmp - "$T/plain"; done; tail -n +3 "$T/plain" | cmp - "$T/a.txt"; head -n 4 "$T/a.txt"
Length: 261
Good fetch hit cycles: 0% (0)
Good fetch miss cycles: 0% (0)
Bad fetch hit cycles: 1.149% (3)
$ cd "$T"; p=$OLDPWD/tests/data/graph; echo mine >mine; sahm core graph -c "$p/in-order.cfg" "$p/dot-product.trace" --result mine; cat mine; sahm core graph -c "$p/in-order.cfg" "$p/dot-product.trace" --result mine --force | head -n 1; head -n 1 mine; sahm core graph -c "$p/in-order.cfg" "$p/dot-product.trace" --result none/mine
sahm: error: 'mine' exists already; --force replaces it, --result names another
mine
Instructions: 68
Length: 261
sahm: error: cannot create 'none/mine': No such file or directory
[1]
## Streams, with the costs of one of our cores, and with another configuration. The closest configuration of a core gives the same.
$ sahm core graph --core u74 tests/data/streams/rv64.stream
Instructions: 136
CPI: 4.375
Length: 595
Good fetch hit cycles: 1.008% (6)
Good fetch miss cycles: 0% (0)
Bad fetch hit cycles: 1.513% (9)
Bad fetch miss cycles: 0% (0)
Decode cycles: 3.361% (20)
Dispatch cycles: 1.681% (10)
Int cycles: 9.076% (54)
FP cycles: 9.076% (54)
LS cycles: 2.353% (14)
Load L1 hit cycles: 1.008% (6)
Load L2 hit cycles: 0% (0)
Load miss cycles: 27.23% (162)
Store L1 hit cycles: 2.353% (14)
Store L2 hit cycles: 0% (0)
Store miss cycles: 27.23% (162)
Branch cycles: 5.882% (35)
Syscall cycles: 0% (0)
Atomic cycles: 0% (0)
Other cycles: 0% (0)
Commit cycles: 8.235% (49)
$ sahm core graph --core tea --print-config
ISA RISC-V
Core OoO
Branch_Predictor TraceB
I_Cache TraceC
D_Cache TraceC
Fetch_Bandwidth 8
Dispatch_Bandwidth 4
Issue_Bandwidth 8
Commit_Bandwidth 4
Decode_Cycles 6
Dispatch_Cycles 1
Execute_To_Commit_Cycles 1
Prediction_Cycles 0
Misprediction_Penalty 3
Mem_Issue_Bandwidth 2
Mem_Commit_Bandwidth 1
Int_ALU_Count 4
LSU_Count 2
Instr_Buffer_Size 192
Instr_Queue_Size 176
Int_Mul_Div_Count 1
FP_ALU_Count 2
FP_Mul_Div_Count 2
LQ_Size 32
SQ_Size 32
$ sahm core graph --core u74 --print-config >"$T/u74.cfg"; sahm core graph --core u74 tests/data/streams/rv64.stream >"$T/a.csv"; sahm core graph --core u74 -c "$T/u74.cfg" tests/data/streams/rv64.stream | cmp - "$T/a.csv"; sahm core graph -c "$T/u74.cfg" --print-config | cmp - "$T/u74.cfg"; diff "$T/u74.cfg" tests/data/graph/in-order.cfg | wc -l
20
$ for a in sliding_exact two_pass; do sahm core graph --core tea --set rob=20 --algorithm $a tests/data/streams/x86-64.stream | sed -n 1,3p; done; sahm core graph --core tea -c tests/data/graph/out-of-order.cfg --json tests/data/streams/x86-64.stream | sed -n 2,8p
Instructions: 195
CPI: 4.728
Length: 922
Instructions: 195
CPI: 4.728
Length: 922
  "format": "sahm-core-graph/1",
  "trace": "tests/data/streams/x86-64.stream",
  "config": "tests/data/graph/out-of-order.cfg",
  "core": "tea",
  "algorithm": "sliding_exact",
  "instructions": 195,
  "length": 929,
## What is accepted, with a warning.
$ cd "$T"; p=$OLDPWD/tests/data/graph; printf '@I 10 ld a0, 8(q9) @A 8\n@F 0\n@B 0\n@I 14 c.add a0, a0, a1\n@F 0\n@B 1\n@M 500\n' >odd.trace; sahm core graph -c "$p/in-order.cfg" odd.trace | head -n 3; sahm core graph -c "$p/in-order.cfg" --csv odd.trace 2>/dev/null | head -n 2
sahm: warning: odd.trace:7: a line that the configuration does not ask for is ignored (1 in all)
sahm: warning: odd.trace:1: an access without a line '@M TICKS' takes 1 cycle (1 in all)
sahm: warning: odd.trace:1: an instruction that is no branch is mispredicted (1 in all)
sahm: warning: odd.trace:1: 'q9' is no register that Calipers knows (ra, sp, a0, fs1, ...), and is ignored (1 in all)
Instructions: 2
CPI: 8.000
Length: 16
trace,config,core,algorithm,seed,instructions,length,cause,cycles
odd.trace,@ROOT@/tests/data/graph/in-order.cfg,"",inorder,"",2,16,good_fetch_hit,0
## Errors name file, line and byte.
$ cd "$T"; p=$OLDPWD/tests/data/graph; for t in '@I 10 c.adi a0\n' '@I 10 add a0, a1\n@F x\n' '@I 10 add a0, a1\n@B 1\n' '@I 10 lw a0, (a1)\n' '@I 10 add a0, a1 @A 8\n' '@I 10 addi a0, a1, 4, a2\n' '@I 10 add a0\n@F 0\n@B 1\n\n' 'x\n' ''; do printf "$t" >bad.trace; sahm core graph -c "$p/in-order.cfg" bad.trace; echo $?; done; sed 's/Int_ALU_Count/Int_ALUs/' "$p/in-order.cfg" >bad.cfg; sahm core graph -c bad.cfg "$p/dot-product.trace"; sed 's/TraceC/IdealC/' "$p/in-order.cfg" >bad.cfg; sahm core graph -c bad.cfg "$p/dot-product.trace"; gzip -c "$p/dot-product.trace" | head -c 200 >cut.gz; sahm core graph -c "$p/in-order.cfg" cut.gz
sahm: error: bad.trace:1: unknown opcode 'c.adi'; did you mean 'c_add'? (byte 0)
1
sahm: error: bad.trace:2: expected '@F TICKS', got '@F x' (byte 17)
1
sahm: error: bad.trace:2: expected '@F TICKS' after an instruction (I_Cache is TraceC), got '@B 1' (byte 17)
1
sahm: error: bad.trace:1: no address ('@A ADDRESS') after '@I 10 lw a0, (a1)', which accesses memory (byte 0)
1
sahm: error: bad.trace:1: an address after '@I 10 add a0, a1 @A 8', which does not access memory (byte 0)
1
sahm: error: bad.trace:1: too many operands for 'addi': 'a2' in '@I 10 addi a0, a1, 4, a2' (byte 0)
1
sahm: error: bad.trace:4: an empty line; expected an instruction ('@I PC DISASSEMBLY') (byte 23)
1
sahm: error: bad.trace:1: neither an instruction ('@I PC DISASSEMBLY') nor '@F', '@B' or '@M': 'x' (byte 0)
1
sahm: error: bad.trace: no instructions ('@I PC DISASSEMBLY')
1
sahm: error: bad.cfg:19: unknown key 'Int_ALUs'
sahm: error: bad.cfg: the in-order core takes mispredictions and cycles from the trace: Branch_Predictor TraceB, I_Cache TraceC, D_Cache TraceC
sahm: error: cut.gz: cannot be unpacked: gzip: stdin: unexpected end of file
[1]
$ cd "$T"; p=$OLDPWD/tests/data/graph; sed -e 's/^D_Cache .*/D_Cache IdealC/' -e 's/^L\?S\?Q_Size .*/#/' -e '$aLQ_Size 1\nSQ_Size 1' "$p/out-of-order.cfg" | grep -v '^LQ_Size 4' >circle.cfg; { printf '@I 10 div a1, a0, a0\n@F 0\n@B 1\n@I 14 ld a2, (a1) @A 8\n@F 0\n@B 1\n@I 18 div a1, a0, a0\n@F 0\n@B 1\n@I 1c ld a2, (a3) @A 10\n@F 0\n@B 1\n'; } >circle.trace; sahm core graph -c circle.cfg circle.trace | head -n 3
sahm: error: loads and stores wait for each other in a circle: LQ_Size, SQ_Size or Mem_Issue_Bandwidth is too small for this trace, where the released program does not end; --algorithm two_pass does
## Usage.
$ sahm core graph
sahm: error: a configuration is missing: sahm core graph --config FILE TRACE (of a stream: --core NAME)
[2]
$ sahm core graph tests/data/graph/dot-product.trace
sahm: error: a configuration is missing: sahm core graph --config FILE TRACE (of a stream: --core NAME)
[2]
$ sahm core graph -c tests/data/graph/in-order.cfg
sahm: error: a trace is missing: sahm core graph --config FILE TRACE
[2]
$ sahm core graph -c tests/data/graph/none.cfg tests/data/graph/dot-product.trace
sahm: error: cannot open 'tests/data/graph/none.cfg': No such file or directory
[1]
$ sahm core graph -c tests/data/graph/in-order.cfg tests/data/graph/none.trace
sahm: error: cannot open 'tests/data/graph/none.trace': No such file or directory
[1]
$ sahm core graph -c tests/data/graph/in-order.cfg tests/data/graph
sahm: error: cannot read 'tests/data/graph': Is a directory
[1]
$ sahm core graph -c tests/data/graph/in-order.cfg tests/data/graph/dot-product.trace tests/data/graph/dot-product.trace
sahm: error: one trace at a time: 'tests/data/graph/dot-product.trace' is too many
[2]
$ sahm core graph -c tests/data/graph/in-order.cfg tests/data/streams/rv64.stream
sahm: error: 'tests/data/streams/rv64.stream' is a stream, whose core is missing: --core NAME
[2]
$ sahm core graph --core tea tests/data/graph/dot-product.trace
sahm: error: tests/data/graph/dot-product.trace: not an instruction stream
[1]
$ sahm core graph --core te tests/data/streams/rv64.stream
sahm: error: no model of a core is called 'te'; did you mean 'tea'? (a path of your own has a / or a . in it)
[2]
$ sahm core graph -c tests/data/graph/in-order.cfg --set rob=3 tests/data/graph/dot-product.trace
sahm: error: --set changes --core, which is not given
[2]
$ sahm core graph -c tests/data/graph/in-order.cfg --algorithm two_pass tests/data/graph/dot-product.trace
sahm: error: algorithm 'two_pass' is for out-of-order cores; the configuration has an in-order one
[2]
$ sahm core graph -c tests/data/graph/out-of-order.cfg --algorithm inorder tests/data/graph/dot-product.trace
sahm: error: algorithm 'inorder' is for in-order cores; the configuration has an out-of-order one
[2]
$ sahm core graph -c tests/data/graph/in-order.cfg --algorithm twopass tests/data/graph/dot-product.trace
sahm: error: unknown algorithm 'twopass', must be inorder, sliding_exact or two_pass; did you mean 'two_pass'?
[2]
$ sahm core graph -c tests/data/graph/in-order.cfg --print-config tests/data/graph/dot-product.trace
sahm: error: --print-config takes no trace
[2]
$ sahm core graph -c tests/data/graph/in-order.cfg --print-config --json
sahm: error: --print-config has but one form, and no result
[2]
$ sahm core graph -c tests/data/graph/in-order.cfg --result tests/data/graph/in-order.cfg tests/data/graph/dot-product.trace
sahm: error: the result would overwrite 'tests/data/graph/in-order.cfg', which it is made from
[2]
$ sahm core graph -c tests/data/graph/in-order.cfg --result tests/data/graph/../graph/dot-product.trace tests/data/graph/dot-product.trace --force
sahm: error: the result would overwrite 'tests/data/graph/dot-product.trace', which it is made from
[2]
