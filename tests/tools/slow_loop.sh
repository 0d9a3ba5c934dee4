#!/bin/sh
# The commands of docs/pics.md find the load that makes a loop slow, and how far ahead to prefetch it: slow_loop.sh PROGRAM.
# Recorded in QEMU.
set -u
qemu-x86_64 -h 2>/dev/null | grep -q plugin || {
	echo "qemu-x86_64 is not installed, or takes no plug-ins (Debian: qemu-user)"
	exit 77
}
. tests/tools/steps.sh
steps_begin docs/pics.md "$1"
SAHM_DATA=$tree
export SAHM_DATA

step program
step function
says add_cells
step instruction
line=$(awk '/value = cells/ { print NR }' "$folder/place/slow.c")
says "add_cells+0x" ST-LLC
sed -n '/executions/,/ST-LLC/p' "$folder/said" | grep -q "slow.c:$line " || # lines need libdw
	"$1" doctor 2>&1 | grep -qi "libdw.*not" || fail "the highest stack is not that of line $line"
step remedy
awk '$1 == "distance" && $5 > most { most = $5 } END { exit !(most > 2) }' "$folder/said" || fail "no distance doubles the speed"
