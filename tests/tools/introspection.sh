#!/bin/sh
# What docs/introspection.md shows works: introspection.sh PROGRAM runs its steps, one after the other, in an empty folder.
set -u
command -v riscv64-unknown-elf-gcc >/dev/null 2>&1 || { echo "skipped: riscv64-unknown-elf-gcc is not installed"; exit 77; }
. tests/tools/steps.sh
steps_begin docs/introspection.md "$1"

step new
says 'calls of _main' 'packets                              2'
step write
says 'cc702573' '<finish>:'
step run
says '08000000' '03000000' 'dropped: it was busy               1'
if qemu-x86_64 -h 2>/dev/null | grep -q plugin; then
	step slow
	sed -n '/^As an introspection unit/,$p' "$folder/said" | grep -q '^0x.* ST-TLB+ST-LLC .* sum+0x' || fail "no row names the load"
	step every
	says '% dropped'
	step replay
	says 'the same packets'
else
	echo "steps slow, every and replay are skipped: qemu-x86_64 is not installed, or takes no plug-ins (Debian: qemu-user)"
fi
step loop
says 'introspection' 'speedup of the system'
step compare
says 'oracle' 'classify-ewma' 'predict' 'phases'
step trust
says 'speedup of the system' 'nobody has signed phases' 'introspection.image is refused: ' 'it is unsigned'
step session
says '0200000001000000' 'config-start'
step device
says '8 bytes, 8 accesses'
step study
says 'saturated' 'tailed' 'synthetic'
step cost
says '16 of 32 published figures' 'quoted from the dissertation'
