## A synthetic trace in ChampSim's records: each kind of branch, a repeated instruction, lengths that returns show.
$ sahm stream import tests/data/streams/champsim-synthetic.trace -o "$T/a.stream"
@T@/a.stream: 33 instructions in 1 epoch
  branches: 12 (direct jumps 1, indirect jumps 1, conditional 3, direct calls 2, indirect calls 1, returns 3, others 1)
  lengths: 21 from the next address, 1 as found there before, 11 assumed
  accesses: 14 loads, 7 stores, 8 bytes assumed for each
  classes: 21 assumed from registers and accesses
  targets: 2 assumed, of branches that were not taken before
  repeated: 2 records have the address of the one before
  registers: 2 of segments, control and the like left out
  sources: 4 left out, beyond 3 of an instruction
$ sahm stream head -n 50 "$T/a.stream"
      0x401000   5  call           rsp->rsp                store 8 at 0x7ff8  taken to 0x401100
      0x401100   1  store          rbp,rsp->rsp            store 8 at 0x7ff0
      0x401101   3  integer        rsp->rbp
      0x401104   2  load           rdi->rax                load 8 at 0x9000
      0x401106   3  integer        rax,rdi->rax            load 8 at 0x9004
      0x401109   4  fp-add         xmm0,rsi->xmm0          load 8 at 0x9100
      0x40110d   3  vector         xmm0->xmm1
      0x401110   1  load           rsp->rbp                load 8 at 0x7ff0
      0x401111   1  return         rsp->rsp                load 8 at 0x7ff8  taken to 0x401005
      0x401005   2  integer        rcx->rcx
      0x401007   2  branch         flags                   taken to 0x401000
      0x401000   5  call           rsp->rsp                store 8 at 0x7ff8  taken to 0x401100
      0x401100   1  store          rbp,rsp->rsp            store 8 at 0x7ff0
      0x401101   3  integer        rsp->rbp
      0x401104   2  load           rdi->rax                load 8 at 0x9000
      0x401106   3  integer        rax,rdi->rax            load 8 at 0x9004
      0x401109   4  fp-add         xmm0,rsi->xmm0          load 8 at 0x9100
      0x40110d   3  vector         xmm0->xmm1
      0x401110   1  load           rsp->rbp                load 8 at 0x7ff0
      0x401111   1  return         rsp->rsp                load 8 at 0x7ff8  taken to 0x401005
      0x401005   2  integer        rcx->rcx
      0x401007   2  branch         flags                   not taken
      0x401009   4  integer        rsi,rdi,rcx->rsi        load 8 at 0x9000  store 8 at 0xa000
      0x401009   4  integer        rsi,rdi,rcx->rsi        load 8 at 0x9001  store 8 at 0xa001
      0x401009   2  integer        rsi,rdi,rcx->rsi
      0x40100b   2  indirect-call  rax,rsp->rsp            store 8 at 0x7ff8  taken to 0x401200
      0x401200   1  return         rsp->rsp                load 8 at 0x7ff8  taken to 0x40100d
      0x40100d   2  branch         flags->rcx              not taken
      0x40100f   2  branch         flags                   not taken
      0x401011   3  integer        ->rdi
      0x401014   6  indirect-jump  rbx                     load 8 at 0x9200  taken to 0x401300
      0x401300   5  jump                                   taken to 0x402000
      0x402000   4  integer        r8,r9,r10->rax
$ sahm stream info "$T/a.stream" | sed -n '2,5p;7,13p'
  machine: x86-64
  program: champsim-synthetic.trace
  epochs: 1, of 33 instructions
  instructions: 33
  modules: unknown, so that addresses have no names
  code executed: 20 instructions, in 10 blocks that end with a branch and 5 lines of 64 bytes
  loads: 0.424 per instruction, of 8.0 bytes
  stores: 0.212 per instruction, of 8.0 bytes
  branches: 36.36 % of instructions; of the conditional ones 25.00 % taken
    integer                    11   33.33 %
    fp-add                      2    6.06 %
## Its cycles, and epochs of another length.
$ sahm stream import -f champsim --epoch-instructions 1000 --force tests/data/streams/champsim-synthetic.trace -o "$T/a.stream" 2>/dev/null; sahm core time -c tea -c rocket --csv "$T/a.stream" | cut -d, -f2,6-7
core,instructions,uops
tea,33,48
rocket,33,48
## Packed files, and standard input.
$ cd "$T"; f=$OLDPWD/tests/data/streams/champsim-synthetic.trace; gzip -c "$f" >champsim-synthetic.trace.gz; xz -c "$f" >champsim-synthetic.trace.xz; zstd -q -c "$f" >champsim-synthetic.trace.zst 2>/dev/null || cp "$f" champsim-synthetic.trace.zst; for p in champsim-synthetic.trace.*; do sahm stream import $p -o b.stream --force 2>&1 | head -n 1; sahm stream head --csv -n 50 b.stream | cksum; done; sahm stream import - --force -o b.stream <"$f" 2>&1 | head -n 1; sahm stream head --csv -n 50 a.stream | cksum
b.stream: 33 instructions in 1 epoch
795972965 1793
b.stream: 33 instructions in 1 epoch
795972965 1793
b.stream: 33 instructions in 1 epoch
795972965 1793
b.stream: 33 instructions in 1 epoch
795972965 1793
## From a pipe only what is plain or compressed by zstd: what it begins with cannot be put back.
$ cd "$T"; cat champsim-synthetic.trace.xz | sahm stream import - -o no.stream; sahm stream import - -o no.stream <champsim-synthetic.trace.gz
sahm: error: <stdin>: this is compressed by xz: name the file, or unpack it before the pipe: xz -dc FILE | sahm stream import - -o OUT
sahm: error: <stdin>: this is compressed by gzip: name the file, or unpack it before the pipe: gzip -dc FILE | sahm stream import - -o OUT
[1]
## Files that are cut short, and others: nothing is left.
$ cd "$T"; f=$OLDPWD/tests/data/streams; head -c 1000 "$f/champsim-synthetic.trace" >cut; sahm stream import cut -o no.stream; sahm stream import "$f/rv64.stream" -o no.stream; sahm stream import /dev/null -o no.stream; sahm stream import none -o no.stream; sahm stream import . -o no.stream; ls no.stream*
sahm: error: cut: record 16 at offset 960 is cut short: it has 40 bytes, not 64
sahm: error: @ROOT@/tests/data/streams/rv64.stream: record 4 at offset 192 is not one of ChampSim: whether it is a branch is 104, not 0 or 1
sahm: error: /dev/null: there are no records in it
sahm: error: cannot open 'none': No such file or directory
sahm: error: cannot read '.': Is a directory
ls: cannot access 'no.stream*': No such file or directory
[2]
$ cd "$T"; head -c 200 champsim-synthetic.trace.xz >cut.xz; head -c 200 champsim-synthetic.trace.gz >cut.gz; for p in cut.xz cut.gz; do sahm stream import $p -o no.stream 2>&1 | sed 's/: cannot be unpacked: .*/: cannot be unpacked/'; done; ls no.stream*
sahm: error: cut.xz: cannot be unpacked
sahm: error: cut.gz: cannot be unpacked
ls: cannot access 'no.stream*': No such file or directory
[2]
$ cd "$T"; mkdir empty; program=$(command -v sahm); PATH=$T/empty "$program" stream import champsim-synthetic.trace.xz -o no.stream
sahm: error: xz is not installed (Debian: apt install xz-utils)
[1]
## A register that Pin does not have.
$ cd "$T"; head -c 128 "$OLDPWD/tests/data/streams/champsim-synthetic.trace" >odd; printf '\372' | dd of=odd bs=1 seek=78 conv=notrunc 2>/dev/null; sahm stream import odd -o no.stream; printf '\002' | dd of=odd bs=1 seek=78 conv=notrunc 2>/dev/null; sahm stream import odd -o b.stream --force
sahm: error: odd: record 2 at offset 64 has register 250, beyond the table, which ends with 245
b.stream: 2 instructions in 1 epoch
  branches: 1 (direct calls 1)
  lengths: 0 from the next address, 0 as found there before, 2 assumed
  accesses: 0 loads, 2 stores, 8 bytes assumed for each
  classes: 1 assumed from registers and accesses
sahm: warning: odd: registers 1 and 2, which x86-64 does not have, are in it (1 times): if it was converted from CVP-1, its registers are Arm's, and some are taken for one another
## A file that exists stays unless --force is given, and a stream never takes the place of its trace.
$ cd "$T"; sahm stream import odd -o b.stream; sahm stream import odd --force -o odd; sahm stream import odd; sahm stream import odd -f gem5 -o c.stream; sahm stream import odd --epoch-instructions 999 -o c.stream
sahm: error: 'b.stream' exists already; --force replaces it, -o names another
sahm: error: the result would overwrite 'odd', which it is made from
sahm: error: an output is missing: sahm stream import FILE -o OUT
sahm: error: unknown format 'gem5', must be champsim
sahm: error: --epoch-instructions is a whole number from 1000 to 1000000000000, not '999'
[2]
