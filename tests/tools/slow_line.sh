#!/bin/sh
# The commands of docs/counters.md find the line of a program that misses: slow_line.sh PROGRAM. Recorded in QEMU.
set -u
qemu-x86_64 -h 2>/dev/null | grep -q plugin || {
	echo "qemu-x86_64 is not installed, or takes no plug-ins (Debian: qemu-user)"
	exit 77
}
command -v addr2line >/dev/null 2>&1 || { echo "addr2line is not installed (Debian: binutils)"; exit 77; }
. tests/tools/steps.sh
steps_begin docs/counters.md "$1"
SAHM_DATA=$tree
export SAHM_DATA

step program
step classes
awk '$1 == "MemBound" { found = $2 > 50 } END { exit !found }' "$folder/said" || fail "most slots do not wait for memory"
step region
misses() { tr -d , <"$folder/said" | awk '$2 == "PAPI_L1_DCM" { print $1 }'; }
columns=$(misses)
[ "$columns" -gt 250000 ] || fail "$columns misses in sum_columns, not one for each of 262144 accesses"
step sample
says sum_columns+0x
line=$(awk '/columns\[k\] \+=/ { print NR }' "$folder/place/slow.c")
step line
says "slow.c:$line"
step report
says "PAPI_L1_DCM, every 100 of " "FP_LOAD_RETIRED, every 1000 of "

# The change: the inner loop goes along a row.
awk '/static void sum_columns/ { there = 1 }
	there && /for \(int k/ { sub(/k = 0; k < N; k/, "i = 0; i < N; i"); print; next }
	there && /for \(int i/ { sub(/i = 0; i < N; i/, "k = 0; k < N; k"); there = 0 }
	{ print }' "$folder/place/slow.c" >"$folder/place/changed.c"
mv "$folder/place/changed.c" "$folder/place/slow.c"
rm "$folder/place/slow.stream"
step classes
step region
[ "$(misses)" -lt $((columns / 6)) ] || fail "the changed loop misses $(misses) times, before $columns"
