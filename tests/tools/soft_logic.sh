#!/bin/sh
# What docs/soft-logic.md shows works: soft_logic.sh PROGRAM runs its steps, one after the other, in an empty folder.
set -u
for needed in verilator g++ make riscv64-unknown-elf-gcc; do
	command -v $needed >/dev/null 2>&1 || { echo "skipped: $needed is not installed"; exit 77; }
done
. tests/tools/steps.sh
steps_begin docs/soft-logic.md "$1"

step new
says 'watcher.so'
step show
shows
says "soft-logic module 'watcher' 1.0.0" 'branch_misses                       64' 'limit                              0x010  rw'
step run
says 'soft cycles                          3900' 'packets of the soft logic            1'
step write
says '0300000014050000'
step c
says "'hash-counter' 1.0.0" 'hottest_count'
step wrong
says 'a.v:4: Verilator: syntax error' \
	"b.v:3: port 'branches' has 32 bits, but signal 'branches' of the ABI spec 'core' has 64" \
	"b.v:3: port 'branches': the ABI spec 'core' has no signal 'brunches'" 'a.v: not a shared object'
! ls "$folder"/place/*.so 2>/dev/null | grep -v hash_counter || fail "an object is left"
