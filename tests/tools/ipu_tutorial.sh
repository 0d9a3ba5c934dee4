#!/bin/sh
# What ipu/README.md shows works: ipu_tutorial.sh PROGRAM runs its steps, one after the other, in an empty folder.
set -u
command -v riscv64-unknown-elf-gcc >/dev/null 2>&1 || { echo "skipped: riscv64-unknown-elf-gcc is not installed"; exit 77; }
. tests/tools/steps.sh
steps_begin ipu/README.md "$1"
ipu=$tree/ipu
export ipu

step hello
says 'hello from RV32' 'exit code 7' '(0x00000073) x10 0x00000010' 'ecall'
step ipu
says 'a0 = 0x000030d4'
step embed
says 12500
