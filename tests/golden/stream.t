## Two small programs (tests/data/streams/README.md): what they executed.
$ sahm stream info tests/data/streams/rv64.stream tests/data/streams/x86-64.stream
tests/data/streams/rv64.stream
  machine: riscv64
  program: rv64 (made up)
  epochs: 2, of 102 instructions, the last of 34
  instructions: 136
  size: 952 bytes, 7.000 per instruction; format version 1; all chunks intact
  modules: unknown, so that addresses have no names
  code executed: 38 instructions, in 9 blocks that end with a branch and 2 lines of 64 bytes
  loads: 0.154 per instruction, of 8.0 bytes
  stores: 0.074 per instruction, of 8.0 bytes
  branches: 20.59 % of instructions; of the conditional ones 87.50 % taken
    integer                    48   35.29 %
    multiply                    1    0.74 %
    divide                      1    0.74 %
    fp-add                      8    5.88 %
    fp-multiply                 8    5.88 %
    fp-divide                   8    5.88 %
    fp-convert                  1    0.74 %
    fp-other                    1    0.74 %
    load                       20   14.71 %
    store                       9    6.62 %
    atomic                      1    0.74 %
    branch                      8    5.88 %
    jump                        1    0.74 %
    call                        8    5.88 %
    return                      9    6.62 %
    indirect-jump               1    0.74 %
    indirect-call               1    0.74 %
    fence                       1    0.74 %
    system                      1    0.74 %
tests/data/streams/x86-64.stream
  machine: x86-64
  program: x86-64 (made up)
  epochs: 2, of 100 instructions, the last of 95
  instructions: 195
  size: 1026 bytes, 5.262 per instruction; format version 1; all chunks intact
  modules: unknown, so that addresses have no names
  code executed: 40 instructions, in 10 blocks that end with a branch and 3 lines of 64 bytes
  loads: 0.467 per instruction, of 3.2 bytes
  stores: 0.426 per instruction, of 2.6 bytes
  branches: 14.36 % of instructions; of the conditional ones 87.50 % taken
    integer                    36   18.46 %
    multiply                    1    0.51 %
    divide                      1    0.51 %
    fp-add                      8    4.10 %
    fp-multiply                 8    4.10 %
    fp-divide                   8    4.10 %
    fp-convert                  1    0.51 %
    fp-other                    8    4.10 %
    vector                      2    1.03 %
    load                       17    8.72 %
    store                      74   37.95 %
    atomic                      1    0.51 %
    branch                      8    4.10 %
    jump                        1    0.51 %
    call                        8    4.10 %
    return                      9    4.62 %
    indirect-jump               1    0.51 %
    indirect-call               1    0.51 %
    fence                       1    0.51 %
    system                      1    0.51 %
$ sahm stream info --json tests/data/streams/rv64.stream
[
  {
    "file": "tests/data/streams/rv64.stream",
    "machine": "riscv64",
    "program": "rv64 (made up)",
    "version": 1,
    "bytes": 952,
    "epoch_instructions": [102, 34],
    "epoch_numbers": [0, 1],
    "epoch_warm": [0, 0],
    "modules": [],
    "instructions": 136,
    "accesses_left_out": 0,
    "loads": 21,
    "load_bytes": 168,
    "stores": 10,
    "store_bytes": 80,
    "branches_taken": 7,
    "code_instructions": 38,
    "code_blocks": 9,
    "code_lines": 2,
    "classes": {
      "integer": 48,
      "multiply": 1,
      "divide": 1,
      "fp-add": 8,
      "fp-multiply": 8,
      "fp-divide": 8,
      "fp-convert": 1,
      "fp-other": 1,
      "vector": 0,
      "load": 20,
      "store": 9,
      "atomic": 1,
      "branch": 8,
      "jump": 1,
      "call": 8,
      "return": 9,
      "indirect-jump": 1,
      "indirect-call": 1,
      "fence": 1,
      "system": 1,
      "unknown": 0,
      "fp-multiply-add": 0
    }
  }
]
## The first instructions, those of an epoch, as a table for other programs.
$ sahm stream head -n 8 tests/data/streams/rv64.stream
       0x10144   4  integer        ->s0
       0x10148   4  load           s0->s0                  load 8 at 0x11220
       0x1014c   2  integer        ->s1
       0x1014e   4  fp-other       ->fs0
       0x10152   2  integer        s0->a0
       0x10154   4  call           ->ra                    taken to 0x1019e
       0x1019e   2  integer        sp->sp
       0x101a0   2  store          sp,ra                   store 8 at 0x40008007b8
$ sahm stream head -n5 --epoch=1 tests/data/streams/x86-64.stream
      0x401083   1  store          rbp,rsp->rsp            store 8 at 0x4000800790
      0x401084   4  load           rdi->xmm0               load 8 at 0x402050
      0x401088   4  fp-multiply    xmm0->xmm0
      0x40108c   4  fp-add         xmm1,xmm0->xmm1
      0x401090   4  fp-divide      xmm2,xmm0->xmm2
$ sahm stream head --csv -n 60 tests/data/streams/x86-64.stream -e 1 | grep -E '^pc|:|div|jump|ret|cvt' | head -n 14
pc,bytes,class,source_1,source_2,source_3,destination,target,taken,next_pc,accesses
0x401083,1,store,rbp,rsp,,rsp,,,0x401084,store:0x4000800790:8
0x401084,4,load,rdi,,,xmm0,,,0x401088,load:0x402050:8
0x401090,4,fp-divide,xmm2,xmm0,,xmm2,,,0x401094,
0x401098,1,load,rsp,,,rbp,,,0x401099,load:0x4000800790:8
0x401099,1,return,rsp,,,rsp,,1,0x401032,load:0x4000800798:8
0x40102d,5,call,rsp,,,rsp,0x401083,1,0x401083,store:0x4000800798:8
0x401083,1,store,rbp,rsp,,rsp,,,0x401084,store:0x4000800790:8
0x401084,4,load,rdi,,,xmm0,,,0x401088,load:0x402058:8
0x401090,4,fp-divide,xmm2,xmm0,,xmm2,,,0x401094,
0x401098,1,load,rsp,,,rbp,,,0x401099,load:0x4000800790:8
0x401099,1,return,rsp,,,rsp,,1,0x401032,load:0x4000800798:8
0x40102d,5,call,rsp,,,rsp,0x401083,1,0x401083,store:0x4000800798:8
0x401083,1,store,rbp,rsp,,rsp,,,0x401084,store:0x4000800790:8
## All of it, and no more; the last instruction's successor is not known.
$ sahm stream head -n 1000 tests/data/streams/rv64.stream | wc -l; sahm stream head -n 18446744073709551615 tests/data/streams/rv64.stream | tail -n 3
136
       0x10194   4  integer        ->a7
       0x10198   2  integer        ->a0
       0x1019a   4  system
$ sahm stream head --csv -n 1000 tests/data/streams/rv64.stream | cut -d, -f3 | sort | uniq -c | sort -rn | head -n 3 | sed 's/^ *//'
48 integer
20 load
9 store
## What ends early is read as far as it goes, with a warning.
$ head -c 800 tests/data/streams/rv64.stream > "$T/cut"; sahm stream head -n 1 "$T/cut"; sahm stream info "$T/cut" | head -n 5
sahm: warning: @T@/cut: it ends early; whole epochs: 1
       0x10144   4  integer        ->s0
sahm: warning: @T@/cut: it ends early; whole epochs: 1
@T@/cut
  machine: riscv64
  program: rv64 (made up)
  epochs: 1, of 102 instructions
  instructions: 102
$ head -c 90 tests/data/streams/rv64.stream > "$T/none"; sahm stream info "$T/none"; sahm stream head "$T/none"; sahm stream head --csv "$T/none"
sahm: warning: @T@/none: it ends early; whole epochs: 0
@T@/none
  machine: riscv64
  program: rv64 (made up)
  epochs: 0
  instructions: 0
  size: 90 bytes; format version 1; all chunks intact
  modules: unknown, so that addresses have no names
sahm: warning: @T@/none: it ends early; whole epochs: 0
sahm: warning: @T@/none: it ends early; whole epochs: 0
pc,bytes,class,source_1,source_2,source_3,destination,target,taken,next_pc,accesses
## Damage is found; what came before it is shown.
$ (head -c 700 tests/data/streams/rv64.stream; printf X; tail -c +702 tests/data/streams/rv64.stream) > "$T/bad"; sahm stream info "$T/bad"
sahm: error: @T@/bad: a chunk is damaged: it differs from its checksum
[1]
$ sahm stream head -n 200 "$T/bad" | tail -n 1
sahm: error: @T@/bad: a chunk is damaged: it differs from its checksum
       0x1015c   2  branch         s1                      taken to 0x10152
$ sahm stream head --epoch 1 "$T/bad"
sahm: error: @T@/bad: a chunk is damaged: it differs from its checksum
[1]
## What is none, and what is not there.
$ sahm stream info README.md
sahm: error: README.md: not an instruction stream
[1]
$ sahm stream info "$T/no such file"
sahm: error: cannot open '@T@/no such file': No such file or directory
[1]
$ sahm stream head "$T"
sahm: error: cannot open '@T@': Is a directory
[1]
$ sahm stream head tests/data/streams/rv64.stream --epoch 2
sahm: error: --epoch is 2, 'tests/data/streams/rv64.stream' has 2 epochs, counted from 0
[2]
$ sahm stream head "$T/none" --epoch 1
sahm: warning: @T@/none: it ends early; whole epochs: 0
sahm: error: --epoch is 1, '@T@/none' has 0 epochs
[2]
$ sahm stream head tests/data/streams/rv64.stream tests/data/streams/rv64.stream
sahm: error: one stream at a time: 'tests/data/streams/rv64.stream' is too many
[2]
$ sahm stream head -n 0 tests/data/streams/rv64.stream
sahm: error: --lines is a whole number from 1 to 18446744073709551615, not '0'
[2]
$ sahm stream head
sahm: error: a stream is missing: sahm stream head FILE
[2]
$ sahm stream info --json
sahm: error: a stream is missing: sahm stream info FILE...
[2]
$ sahm stream tail
sahm: error: unknown command 'stream tail'; did you mean 'stream slice'? (sahm --help lists them)
[2]
## A part of a stream: the same instructions, up to the outcome of the last branch.
$ sahm stream slice --to-epoch 1 tests/data/streams/rv64.stream -o "$T"/first.stream && sahm stream head -n 1000 --csv "$T"/first.stream >"$T"/a.csv && sahm stream head -n 102 --csv tests/data/streams/rv64.stream | cmp - "$T"/a.csv && wc -l <"$T"/a.csv
@T@/first.stream: epoch 0 of tests/data/streams/rv64.stream
103
$ sahm stream slice --from-epoch 1 tests/data/streams/rv64.stream -o "$T"/last.stream && sahm core time -c u74 --csv "$T"/last.stream | cut -d, -f2,6-8
@T@/last.stream: epoch 1 of tests/data/streams/rv64.stream
core,instructions,uops,cycles
u74,34,35,632
$ sahm core time -c u74 --csv --skip 102 tests/data/streams/rv64.stream | cut -d, -f2,6-8
core,instructions,uops,cycles
u74,34,35,632
$ mkfifo "$T"/pipe; sahm stream slice tests/data/streams/rv64.stream -o "$T"/pipe; sahm stream slice tests/data/streams/rv64.stream -o -; sahm core time --keep "$T"/pipe -- true; test -p "$T"/pipe && rm "$T"/pipe
sahm: error: cannot write to '@T@/pipe': it is not a regular file
sahm: error: cannot write this to '-': it needs a file (./- is one)
sahm: error: cannot write to '@T@/pipe': it is not a regular file
$ sahm stream slice --to-epoch 3 tests/data/streams/rv64.stream -o "$T"/x.stream
sahm: error: --to-epoch is 3, 'tests/data/streams/rv64.stream' has 2 epochs, counted from 0
[2]
$ sahm stream slice --from-epoch 2 tests/data/streams/rv64.stream -o "$T"/x.stream
sahm: error: --from-epoch is 2, 'tests/data/streams/rv64.stream' has 2 epochs, counted from 0
[2]
$ sahm stream slice --from-epoch 1 --to-epoch 1 tests/data/streams/rv64.stream -o "$T"/x.stream
sahm: error: --to-epoch is 1, must be above --from-epoch, 1
[2]
$ sahm stream slice tests/data/streams/rv64.stream -o "$T"/first.stream
sahm: error: '@T@/first.stream' exists already; --force replaces it, -o names another
[2]
$ sahm stream slice --force "$T"/first.stream -o "$T"/first.stream
sahm: error: the result would overwrite '@T@/first.stream', which it is made from
[2]
$ ls "$T"
a.csv
bad
cut
first.stream
last.stream
none
## A damaged stream replaces nothing.
$ cp "$T"/last.stream "$T"/kept.stream; sahm stream slice --force "$T"/bad -o "$T"/last.stream; cmp "$T"/last.stream "$T"/kept.stream; ls "$T" | grep -c part
sahm: error: @T@/bad: a chunk is damaged: it differs from its checksum
0
[1]
## A part, by instructions: the same cycles as with these options and the whole stream; the numbers of epochs are kept.
$ sahm core time --csv -c tea -c rocket --skip 7 --every 40 --take 12 --warm 9 tests/data/streams/x86-64.stream | cut -d, -f 2,3,5- > "$T/whole.csv"
$ sahm stream slice tests/data/streams/x86-64.stream --skip 7 --every 40 --take 12 --warm 9 -o "$T/part.stream"; sahm core time --csv -c tea -c rocket "$T/part.stream" | cut -d, -f 2,3,5- | cmp - "$T/whole.csv"; sahm stream info "$T/part.stream" | sed -n '4,7p'
@T@/part.stream: a part of the instructions of tests/data/streams/x86-64.stream
  epochs: 4, of 12 instructions
  sampled: epochs number 0, 1, 2, 3; 36 instructions before them only warm caches
  instructions: 84
  size: 2282 bytes, 27.167 per instruction; format version 2; all chunks intact
$ sahm core time --csv -c tea -c rocket --skip 120 tests/data/streams/x86-64.stream | cut -d, -f 2,3,5- > "$T/whole.csv"; sahm stream slice tests/data/streams/x86-64.stream --skip 120 -o "$T/rest.stream"; sahm core time --csv -c tea -c rocket "$T/rest.stream" | cut -d, -f 2,3,5- | cmp - "$T/whole.csv"
@T@/rest.stream: a part of the instructions of tests/data/streams/x86-64.stream
$ sahm stream slice "$T/part.stream" --from-epoch 2 -o "$T/tail.stream"; sahm stream info "$T/tail.stream" | sed -n '4,6p'; sahm core time --per-epoch --csv -c rocket "$T/tail.stream" | cut -d, -f 5-8
@T@/tail.stream: epochs 2 to 3 of @T@/part.stream
  epochs: 2, of 12 instructions
  sampled: epochs number 2, 3; 18 instructions before them only warm caches
  instructions: 42
epoch,instructions,uops,cycles
2,12,14,49
3,12,14,44
## What does not fit together.
$ sahm core time --skip 3 "$T/part.stream"
sahm: error: '@T@/part.stream' is a sample already: --skip and --every are for whole streams
[2]
$ sahm stream slice "$T/part.stream" --every 4 -o "$T/no"
sahm: error: '@T@/part.stream' is a sample already: --skip and --every are for whole streams
[2]
$ sahm stream slice tests/data/streams/rv64.stream --skip 3 --to-epoch 1 -o "$T/no"
sahm: error: --to-epoch cuts by epochs, --skip and --every by instructions: give one
[2]
$ sahm stream slice tests/data/streams/rv64.stream --skip 136 -o "$T/no"
sahm: error: --skip is 136, 'tests/data/streams/rv64.stream' has 136 instructions
[2]
$ sahm stream slice tests/data/streams/rv64.stream --every 137 -o "$T/no"
sahm: error: --every is 137, 'tests/data/streams/rv64.stream' has 136 instructions after --skip
[2]
$ sahm core time --suite open
sahm: error: --suite needs a folder of streams: --streams DIR or $SAHM_STREAMS; sh workloads/suites/open/record.sh --streams DIR makes those of the suite 'open'
[2]
$ sahm core time --suite open --streams "$T"
sahm: error: cannot open '@T@/bzip2.stream', of --suite open: No such file or directory; sh workloads/suites/open/record.sh --streams DIR makes the streams of the suite 'open'
[1]
$ sahm core time --streams "$T" tests/data/streams/rv64.stream
sahm: error: --streams needs --suite
[2]
$ SAHM_STREAMS="$T" sahm core time --suite open tests/data/streams/rv64.stream
sahm: error: 'tests/data/streams/rv64.stream' precedes --suite: give streams or a suite, not both
[2]
$ sahm core time --suite open -- true
sahm: error: --suite and a command exclude each other
[2]
## A suite of one's own: a stream beside each trace's name.
$ mkdir "$T/suite"; cp tests/data/streams/rv64.stream "$T/suite/b.stream"; cp tests/data/streams/x86-64.stream "$T/suite/a.stream"; : > "$T/suite/a.csv"; : > "$T/suite/b.csv.zst"; SAHM_STREAMS="$T/suite" sahm core time --csv -c rocket --suite "$T/suite" | cut -d, -f 1,2,6
stream,core,instructions
@T@/suite/a.stream,rocket,195
@T@/suite/b.stream,rocket,136
