## sahm ipu new: a folder to begin in
$ cd "$T" && SAHM_DATA="$OLDPWD" sahm ipu new first && ls first && cmp first/introspect.h "$OLDPWD/ipu/programs/introspect.h" && head -n 5 first/first.c
first: a program to begin with; try `make -C first run`
Makefile
core.cfg
first.c
introspect.h
ipu.ld
signals.csv
/* first: counts mispredicted branches; a packet for every `period` sets of inputs.
 *
 * Inputs: branches and branch_misses of the ABI spec "core" (core.cfg). Packets: two words, branches and mispredicted
 * ones since the packet before.
 * Settable, before power-on: period.
$ grep -c '@NAME@' "$T"/first/*
@T@/first/Makefile:0
@T@/first/core.cfg:0
@T@/first/first.c:0
@T@/first/introspect.h:0
@T@/first/ipu.ld:0
@T@/first/signals.csv:0
[1]
$ cmp "$T/first/core.cfg" ipu/abi/core.cfg && cmp "$T/first/ipu.ld" ipu/programs/ipu.ld && cat "$T/first/signals.csv"
# Made up, to try the program with: a set of inputs in each of these cycles of the HIT.
cycle,branches,branch_misses
1000,200,1
2000,210,4
3000,190,2
4000,220,9
5000,205,3
6000,198,1
$ cd "$T" && SAHM_DATA="$OLDPWD" sahm ipu new first
sahm: error: 'first' is there already; choose another name
[2]
$ touch "$T/file" && cd "$T" && SAHM_DATA="$OLDPWD" sahm ipu new file
sahm: error: 'file' is there already; choose another name
[2]
$ sahm ipu new
sahm: error: a name is missing: sahm ipu new NAME
[2]
$ sahm ipu new a b
sahm: error: one program at a time: 'b' is too many
[2]
$ sahm ipu new --force a
sahm: error: unknown option '--force' (--help lists them)
[2]
$ for name in "" . .. a/b ../a 1a -- -a "a b" 'a$b' _a a.c é; do sahm ipu new -- "$name"; done
sahm: error: bad name '', must be up to 63 letters, digits, - and _, a letter first
sahm: error: bad name '.', must be up to 63 letters, digits, - and _, a letter first
sahm: error: bad name '..', must be up to 63 letters, digits, - and _, a letter first
sahm: error: bad name 'a/b', must be up to 63 letters, digits, - and _, a letter first
sahm: error: bad name '../a', must be up to 63 letters, digits, - and _, a letter first
sahm: error: bad name '1a', must be up to 63 letters, digits, - and _, a letter first
sahm: error: bad name '--', must be up to 63 letters, digits, - and _, a letter first
sahm: error: bad name '-a', must be up to 63 letters, digits, - and _, a letter first
sahm: error: bad name 'a b', must be up to 63 letters, digits, - and _, a letter first
sahm: error: bad name 'a$b', must be up to 63 letters, digits, - and _, a letter first
sahm: error: bad name '_a', must be up to 63 letters, digits, - and _, a letter first
sahm: error: bad name 'a.c', must be up to 63 letters, digits, - and _, a letter first
sahm: error: bad name 'é', must be up to 63 letters, digits, - and _, a letter first
[2]
$ cd "$T" && SAHM_DATA="$T/nowhere" sahm ipu new second; ls -d second
sahm: error: cannot open '@T@/nowhere/ipu/programs/new/program.c': No such file or directory; shipped files are looked for in '@T@/nowhere' (SAHM_DATA), which is not a folder
ls: cannot access 'second': No such file or directory
[2]
## what cannot be written leaves nothing
$ cd "$T" && mkdir -p less/ipu/programs/new less/ipu/abi && cp "$OLDPWD"/ipu/programs/new/* less/ipu/programs/new && cp "$OLDPWD/ipu/programs/introspect.h" less/ipu/programs && SAHM_DATA="$T/less" sahm ipu new third; ls -d third
sahm: error: cannot open '@T@/less/ipu/programs/ipu.ld': No such file or directory
ls: cannot access 'third': No such file or directory
[2]
$ cd "$T" && (ulimit -f 0; trap '' XFSZ; SAHM_DATA="$OLDPWD" sahm ipu new fourth) 2>&1 | sed 's/sahm-[0-9]*/sahm-PID/'; ls -d fourth
sahm: error: cannot create 'fourth': cannot write '.sahm-PID/fourth.c': File too large
ls: cannot access 'fourth': No such file or directory
[2]
$ sahm help ipu new
usage: sahm ipu new [OPTION]... NAME

Makes the new folder NAME with a small working program (NAME.c), a Makefile and
invented signals to try it on (signals.csv). The header introspect.h, the linker
script ipu.ld and the ABI spec core.cfg are copied into it. There, `make` builds
the program with riscv64-unknown-elf-gcc (Debian: gcc-riscv64-unknown-elf;
RISCV_CC= names another compiler), and `make run` runs it on the signals.

NAME has up to 63 letters, digits, - and _, and begins with a letter.

options:
  -h, --help                  print this
